# The console program.

cli-help = assert-doctor-cli { $version }: why did a PyTorch run die?

    Usage
      assert-doctor-cli diagnose PATH…   say what failed: from logs and notebooks, together with labels,
                                         configuration, checkpoint and script where they are given
      some-command 2>&1 | assert-doctor-cli diagnose -
      assert-doctor-cli check PATH…      find every label out of range: files, data set folders, and what
                                         states the range (data.yaml, class list, config.json, weights, script)
      assert-doctor-cli run -- COMMAND…  run a training again under supervision and say why it died;
                                         COMMAND may begin with a .py file: then Python is found
      assert-doctor-cli compare FIRST SECOND
                                         is the crash of the first run gone in the second: two logs, or the
                                         folders of runs
      assert-doctor-cli gpus             list the GPUs of this machine; --health: does one compute correctly?

    Options of diagnose
      --reproduction      print only a script of at most 20 lines that fails the same way on the CPU

    Options of check
      --classes N         allowed is 0..N-1
      --max N             allowed is 0..N
      --range LO..HI      allowed is LO..HI, both included
      --kind KIND         what the values are: class, embedding, gather, index, probability
      --ignore V          a value that is skipped; replaces -100; can be repeated
      --column NAME       column, key, field or array; without a header its number from 0
      --split NAME=PATH   labels of one split; can be repeated
      --log PATH          a log whose sizes count
      --offenders OUT.csv write every value out of range, with its place
      --device auto|cpu|gpu
                          who checks large arrays: whichever is faster, measured on the file; the CPU; a GPU;
                          gpu:2 is the second one of the list that gpus prints

    Options of run (they combine)
      --sync              kernel launches block, so that a traceback names the operation
      --guard             check values before they reach the GPU
      --cpu               run on the CPU whatever the script asks for
      --workers N         worker processes of every DataLoader
      --output FOLDER     where output, samples and case are kept
      --kit               start nothing: print the commands for another machine, for PowerShell, cmd, bash,
                          notebook and SLURM; with --output the guard's files are written there

    Options of gpus
      --health            check a GPU with known values; with --device gpu:N that one
      --measure           how fast it copies, uploads and checks, apart from reading files

    Options
      --json          one JSON object on standard output (English unless --lang is given)
      --lang en|zh-CN the language of the answer
      --help, --version

    Exit code
      0  nothing wrong found
      1  something wrong found
      2  nothing could be read or used
      run gives the command's own code; 125 where it fails itself or its options make no
      sense, 127 where the command cannot be started
      gpus --health: 0 every answer was right, 1 not all of them, 2 no GPU could be used
      compare: 0 the crash is proved to be gone, 1 it is not, or that cannot be told, 2 a log could not be read
cli-see-help = assert-doctor-cli --help shows what it can do
cli-no-command = Say what to do, for example: assert-doctor-cli diagnose train.log
cli-no-path = Name a log to read, for example: assert-doctor-cli diagnose train.log
cli-unknown-command = “{ $value }” is neither a command nor a file
cli-unknown-option = The option { $value } is not known
cli-missing-value = The option { $value } needs a value
cli-unknown-language = The language “{ $value }” is not available: use en or zh-CN
cli-not-written = The answer could not be written: { $said }
cli-compare-not-two = compare takes two logs or two folders of runs, the one that died first: { $count ->
    [one] one was named
   *[other] { $count } were named
}
cli-compare-no-stdin = compare reads two files or folders; standard input is neither
cli-compare-signs = Signs
cli-next = Next
cli-fixes = How to fix it, likeliest first
cli-others = What else it could be
cli-remarks = Good to know
cli-other-logs = The other logs
cli-data = The data
cli-give-data = Give the labels, the folder of the data set or the training script along with the log, and the value and its row are named: assert-doctor-cli diagnose { $log } DATA…
cli-only-diagnose = { $value } belongs to the command diagnose

cli-no-run-command = Say what to run, for example: assert-doctor-cli run --guard -- python train.py
cli-only-run = The option { $value } belongs to run
cli-bad-workers = --workers needs a number from 0 on, not “{ $value }”
cli-run-with = Runs with { $python }
cli-run-kept = Output, samples and case
cli-run-no-verdict = What the output says could not be read
cli-kit-not-saved = The guard’s files were not written: { $said }
cli-kit-saved = Written to { $folder }: { $files }
cli-kit-get-guard = To get { $files }, add --output FOLDER before the command: it is written there.
cli-run-next = Next: { $next }
