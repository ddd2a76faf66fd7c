# The verdict: what the card and the console say about a diagnosis.

## Certainty

certainty-certain = Certain
certainty-likely = Likely
certainty-possible = Possible

because-guard-saw = the guard saw it before the kernel ran
because-log-states-check = the log says so
because-log-states-error = the error says so
because-expression-alone = the same check is known from another file
because-sign-before = a sign in the log before the failure
because-backward-only = only the backward pass failed
because-operation-only = the traceback ends in this operation
because-usual-reason = the usual reason
because-reported-for-another = reported for another process
because-run-went-on = but the log goes on after it
because-nothing-found = read to the end
because-not-in-log = the log does not tell more
because-data-shows = the data shows it

## Rows

row-failed-check = Failed check
row-error = Error
row-guard-saw = Seen by the guard
guard-saw-of = { $position } is { $value }, allowed { $lo }–{ $hi } ({ $source })
guard-saw-range = { $position } is { $value }, allowed { $lo }–{ $hi }
guard-saw-least = { $position } is { $value }, allowed from { $lo } on
guard-saw-value = { $position } is { $value }
guard-saw-count = { $count } of { $total } values are not allowed
guard-saw-before = before the kernel ran
guard-saw-call = made the call
row-operation = Operation
row-checked-data = Checked data
next-guilty = Start at { $place }: it holds { $value }, allowed is { $range }. The findings in the data say how to mend it
guilty-empty = an empty cell
row-guilty-value = Bad value
row-your-line = Where
row-not-the-culprit = Not the culprit
row-consequences = Only followed
row-moment = Last progress
row-sign-before = Sign before

line = line { $line }
threads-failed = { $count ->
    [one] The log reports it once.
   *[other] The log reports it { $count } times.
}
check-source = { $file }:{ $line }
pass-forward = forward pass
pass-backward = backward pass
operation-usual = usual for this check, not shown in the log
allowed-certain = allowed { $lo }–{ $hi }
allowed-likely = allowed { $lo }–{ $hi }, likely: { $source }
allowed-by-file = allowed { $lo }–{ $hi }, says { $source }
allowed-symbolic = allowed { $range }
value-found = found { $value }


in-file = in { $file }:{ $line }
in-file-only = in { $file }
in-function = in { $function }

## Where the traceback ends

noticed-backward = , where the traceback ends. CUDA reports late: an earlier operation failed, backward() only ran into it.
noticed-copy = , where the traceback ends. CUDA reports late: an earlier operation failed, this copy only waited for it.
noticed-read-back = , where the traceback ends. CUDA reports late: an earlier operation failed, reading the value only waited for it.
noticed-print = , where the traceback ends. CUDA reports late: an earlier operation failed, printing only waited for it.
noticed-synchronize = , where the traceback ends. CUDA reports late: an earlier operation failed, this call only waited for it.
noticed-optimizer = , where the traceback ends. CUDA reports late: an earlier operation failed, the optimizer step only ran into it.
noticed-other-process = , where the traceback ends. It only reports that another process failed.
noticed-later-call = , where the traceback ends. CUDA reports late: an earlier operation failed, this call only noticed.

trusted-blocking = CUDA_LAUNCH_BLOCKING=1 was on, so the traceback can be believed
trusted-synchronous = raised at this very line
trusted-operation-matches = this line runs the failing operation

last-frame = { $file }:{ $line }
no-code = the last frame

## Consequences and moment

consequences-some = { $names }. { $count ->
    [one] It came after and needs no fix.
   *[other] They came after and need no fix.
}
consequence-cublas = cuBLAS error
consequence-cudnn = cuDNN error
consequence-nccl = NCCL error
consequence-cuda = CUDA error
consequence-process = process ended
consequence-dataloader = DataLoader error
consequence-python = Python error

moment-epoch = epoch { $epoch }
moment-epoch-of = epoch { $epoch } of { $total }
moment-step = step { $step }
moment-step-of = step { $step } of { $total }
phase-loading = while loading
phase-training = in training
phase-validation = in validation
phase-inference = in inference

## Going on

restart-process = This process cannot use the GPU any more. Restart it after the fix: trying again in the same process cannot work.
restart-notebook = This notebook kernel cannot use the GPU any more. Restart the kernel after the fix: running the cell again cannot work.
check-caption = Find the value on the CPU

## Remarks

remark-would-give-the-line = Run once with CUDA_LAUNCH_BLOCKING=1 python … : then the traceback ends at the true line.
remark-would-give-the-line-windows = Run once after “set CUDA_LAUNCH_BLOCKING=1” (cmd) or “$env:CUDA_LAUNCH_BLOCKING=1” (PowerShell): then the traceback ends at the true line.
remark-would-give-the-line-notebook = Restart the kernel and put os.environ["CUDA_LAUNCH_BLOCKING"] = "1" in the first cell, before import torch: then the traceback ends at the true line.
remark-dsa-in-environment = TORCH_USE_CUDA_DSA is an option for building PyTorch. As an environment variable it does nothing, and the failed check is printed without it.
remark-blocking-copy = Launches were blocking, so this copy itself failed: the cause is a custom extension, or a PyTorch build that does not fit the card.
remark-several-checks = { $count } different checks failed. The first is shown; the others may follow from the same value.
remark-several-processes = { $count } processes report it. It is one failure, not several.
remark-in-validation = It happened in validation: look at the validation data first.
remark-breaks-off = The log ends before the error is complete. A longer copy may tell more.
remark-check-not-in-log = The failed check is printed apart from the traceback, by the GPU's driver. Look above it, in the terminal, or in the other ranks' logs for a line with “Assertion … failed”.
remark-rocm-hides-asserts = AMD builds seldom print failed checks: an index out of range may look just like this.
remark-cpu-says-the-same = The CPU says the same in plain words.
remark-data-in-range = All { $values } values checked are in range. The bad value is made on the way (augmentation, collate, tokenizer), or the model has another size than the one stated.
remark-data-faults = { $errors ->
    [one] The data checked has 1 error. It did not cause this failure, but can cause another.
   *[other] The data checked has { $errors } errors. They did not cause this failure, but can cause another.
}
remark-only-mentioned = “device-side assertions” in this log is PyTorch's general tip, not your error.
remark-not-device-assert = Not a device-side assert: no check on values failed here.

## Other explanations

other-cause = { $certainty }: { $title }
nothing-found-mentions = { $count ->
    [one] “assert” occurs in 1 line, which is harmless.
   *[other] “assert” occurs in { $count } lines, all harmless.
}

## Inputs that cannot be used

kind-log = a log
kind-notebook = a notebook
kind-labels = label data
kind-checkpoint = a checkpoint
kind-config = a configuration
kind-script = a script
kind-recording = a recording
kind-case = a case
kind-picture = a picture
kind-folder = a folder
kind-unknown = of an unknown kind

problem-not-found = The file is not there
problem-not-found-do = It may have been moved or renamed. Check the path.
problem-access-denied = The file may not be read
problem-access-denied-do = The system refused it. Copy it to a folder of yours, or close the program that holds it.
problem-changed = The file changed while it was read
problem-changed-do = { $read } of { $expected } bytes were read, and the answer counts only those. Open it again once it is complete.
problem-empty = The file is empty
problem-empty-do = Nothing was written to it. If the program printed to the terminal, select that text and paste it.
problem-folder-empty = This folder has neither a log nor labels in it
problem-folder-empty-do = Choose the file that the run wrote, the label files, or paste what it printed.
problem-folder = This folder has several logs
problem-folder-do = { $count } files in it look like logs. Choose the one of the run that died.
problem-folder-do-many = At least { $count } files in it look like logs. Choose the one of the run that died.
problem-device = This is not an ordinary file
problem-device-do = A device or pipe could be read without end. Save its text to a file first.
problem-not-text = This file is not text
problem-not-text-do = No log can be read from it. Choose the file that the run wrote, or paste what it printed.
problem-not-a-log = This is { $kind }, not a log
problem-not-a-log-do = Labels are read from files: save it as a file and give that.
problem-output-missing = A part of this run's output is missing
problem-output-missing-do = Of { $lines } lines that the run printed, { $read } are in the file, so it does not show how the run went.
problem-damaged-record = The record of this run is damaged
problem-damaged-record-do = What the run printed is read all the same; what was started and how it ended is not known. The file says: { $said }.
problem-newer-record = The record of this run was written by a later version
problem-newer-record-do = What the run printed is read all the same. Its form is { $schema }: open it with the version that wrote it to see the rest.
problem-cancelled = Reading was cancelled
problem-cancelled-do = Open it again to read it whole.
problem-system = The file could not be read
problem-system-do = The system says: { $said }. Try again, or copy the file to another place.

broken-off-title = A traceback stands here without the error that ended it
broken-off-sentence = Something failed, but the traceback's last line, which says what, is missing or could not be read.
broken-off-next = Add the rest of the output: the error stands below the traceback
broken-off-record = Record both outputs of the run in one file: python train.py > train.log 2>&1

# A run whose output shows no failure, by how it ended.
ended-well-title = The run ended without an error
ended-well-next = Nothing needs to be fixed
ended-badly-title = The run ended badly, and its output does not say why
ended-badly-next = Look at the last lines of its output
ended-stopped-title = Nothing had failed when the run was stopped
ended-stopped-next = Run it again for longer, if it did not come to the place in question
ended-unknown-title = How the run ended is not known
ended-unknown-next = Look at the last lines of its output
ended-faulthandler = Run it as python -X faulthandler train.py: after a crash in native code Python then prints its own traceback.

# A run that has not ended, or nobody knows how.
unfinished-running-title = The run goes on; nothing has failed so far
unfinished-running-sentence = This log is not complete yet, so it says nothing about what is still to come.
unfinished-running-next = Read it again when the run has ended
unfinished-lost-title = How the run ended is not known
unfinished-lost-sentence = Nothing in its output says that it failed, but its end was not written down: what looked after it was killed, or the machine went down.
unfinished-lost-next = Look at the last lines of its output, or run it again
because-unfinished = its end is not in the log
because-ended = this is how the run ended
