# Runs: how one stands, how it ended, why it could not be started.

run-starting = Starting
run-running = Running
run-stopping = Stopping
run-ended = Ended
run-not-started = Not started

run-seconds = { $seconds } s

run-ending-success = The run ended without an error after { $time }.
run-ending-code = The run ended with exit code { $code } after { $time }.
run-ending-signal = The run was ended by signal { $signal } after { $time }.
run-ending-stopped = The run was stopped after { $time }.
run-ending-unknown = The run ended after { $time }; how is not known.
run-others = Processes that it had started wrote on; their output was read until { $time }.
run-others-left = { $count ->
        [one] One of them lives on and has been silent for a while; what it prints from now on is not kept, and it may end when it prints.
       *[other] { $count } of them live on and have been silent for a while; what they print from now on is not kept, and they may end when they print.
    }
run-notice-stopping = Waiting for it to end. Press Ctrl+C again to end it sooner.
run-notice-others = { $count ->
        [one] One process that it had started still holds its output, so the run goes on. Ctrl+C ends it.
       *[other] { $count } processes that it had started still hold its output, so the run goes on. Ctrl+C ends them.
    }
run-no-guard = The guard did not start: { $missing }. It starts when Python imports PyTorch; with -I, -E or -S Python does not load it.
run-no-guard-values = values were not checked
run-no-guard-cpu = the CPU was not forced
run-no-guard-workers = the number of workers was not set
run-no-guard-and = {" "}and{" "}

exit-usage = Exit code 2: the program did not understand its arguments, or Python could not open the script.
exit-cannot-run = Exit code 126: the program is there and may not be run.
exit-not-found = Exit code 127: a program was not found.
exit-interrupted = It was interrupted (Ctrl+C).
exit-aborted = The process ended itself after an error it could not handle (abort). The last lines in front of it usually say which: a failed C++ check, or a CUDA error in a thread.
exit-killed = The process was killed. If nobody did it by hand, the system most likely did because memory ran out: “dmesg” then says “Out of memory”. A smaller batch or fewer workers help.
exit-terminated = The process was asked to end, by a person, a scheduler or a launcher whose other process had failed.
exit-segmentation-fault = The process touched memory that is not its own (segmentation fault). It comes from native code: a library that does not fit, a custom operation, sometimes a worker of a DataLoader.
exit-bus-error = Bus error. With a DataLoader the usual reason is that shared memory ran out (/dev/shm): fewer workers, or a larger --shm-size in a container.
exit-arithmetic-fault = An arithmetic fault in native code, most often a division by zero.
exit-illegal-instruction = The program used an instruction that this processor does not have: a library was built for a newer one.
exit-broken-pipe = It wrote to a pipe that nobody read any more.
exit-hung-up = The terminal it belonged to was closed.
exit-time-limit = It used up the processor time allowed to it.
exit-file-limit = It wrote a file larger than allowed.
exit-trap = It stopped at a breakpoint or a trap in native code.
exit-other-signal = It was ended by signal { $signal }.
exit-access-violation = 0xC0000005: the process touched memory that is not its own (access violation). It comes from native code: a library or driver that does not fit, a custom operation.
exit-stack-buffer-overrun = 0xC0000409: the process ended itself at once, as a failed check in native code does. After a failed check on the GPU this is the usual end on Windows.
exit-heap-corruption = 0xC0000374: the memory of the process was damaged by native code.
exit-stack-overflow = 0xC00000FD: the stack was used up, most often by endless recursion.
exit-control-c = 0xC000013A: it was interrupted with Ctrl+C, or its console was closed.
exit-dll-not-found = 0xC0000135: a library (DLL) is missing. Often it is the Visual C++ runtime.
exit-entry-point-not-found = 0xC0000139: a library lacks a function; two versions do not fit each other.
exit-dll-init-failed = 0xC0000142: a library could not be set up; a restart often helps.
exit-invalid-image = 0xC000007B: a program or library is for another kind of machine (32 and 64 bits mixed) or damaged.
exit-in-page-error = 0xC0000006: a page could not be read from disk or network.
exit-no-memory = Windows had no memory left: the paging file is full. Fewer workers, or a larger paging file, help.
exit-cpp-exception = 0xE06D7363: a C++ error that nobody handled. The lines in front of it usually say which.
exit-other-status = Windows ended it with status { $status }.

run-no-program = There is no command to run
run-no-program-do = Name a program and its arguments.
run-not-found = This program was not found
run-not-found-do = Check the name, or give its whole path.
run-no-python = No Python was found to run the script with
run-no-python-do = Name the interpreter in front of the script.
run-denied = This program may not be run
run-denied-do = Give it the right to be executed, or start it through its interpreter.
run-is-folder = This is a folder, not a program
run-is-folder-do = Name the program or the script in it.
run-not-runnable = This program could not be started
run-not-runnable-do = The system says: { $said }
run-no-directory = There is no such folder to run in
run-no-directory-do = Choose the folder that the command was started in.
run-directory-gone = The folder that you are in is no longer there
run-directory-gone-do = Change into another folder and start it again.
run-no-folder = The folder for the run could not be made or read
run-no-folder-do = The system says: { $said }
run-folder-in-use = The folder for the run holds something already
run-folder-in-use-do = Name an empty folder, or one that does not exist yet.
run-no-guard-path = Python cannot load the guard from this folder, because its path holds a separator of search paths
run-no-guard-path-do = Name another folder for the run.
run-already-run = This run was started before
run-already-run-do = Start it again as a new run.
run-no-supervisor = The process that looks after the run could not be started
run-no-supervisor-do = The system says: { $said }
run-supervisor-gone = How the run ended is not known
run-supervisor-gone-do = The process that looked after it is gone: it was killed, or the computer was shut down. The output up to then is kept.
run-pipe = The output could not be read any more
run-pipe-do = The run goes on. The system says: { $said }
run-not-written = Not everything could be written down
run-not-written-do = { $lost ->
        [0] The run itself is not disturbed.
        [one] One byte of the output is lost; the run itself is not disturbed.
       *[other] { $lost } bytes of the output are lost; the run itself is not disturbed.
    } The system says: { $said }.
run-folder-deleted = The folder of the run was deleted while it ran
run-folder-deleted-do = It was made anew and holds what came after.
run-folder-gone = The folder of the run was deleted while it ran
run-folder-gone-do = It could not be made again, so nothing is kept from then on.

system-not-found = there is no such file or folder
system-arguments = the command line is too long
system-format = the system does not know this kind of program
system-memory = there is not enough memory
system-denied = it is not allowed
system-exists = it is there already
system-no-folder = a part of the path is not a folder
system-folder = it is a folder
system-invalid = the name is not valid there
system-files = too many files are open
system-too-large = the file would be larger than allowed
system-full = the disk is full
system-read-only = nothing can be written to this disk
system-too-long = the name is too long
system-quota = your share of the disk is used up

suggestion-script = The script you gave
suggestion-log-command = The log shows this command on line { $line }
suggestion-traceback = The traceback on line { $line } begins in this file; its arguments are not known

python-venv = from the environment { $name } beside the script
python-active-venv = from the active environment { $name }
python-conda = from the conda environment { $name }
python-active-conda = from the active conda environment { $name }
python-py = known to the py launcher
python-path = from the search path
python-chosen = as chosen
python-with-torch = Python { $version } { $from }, with PyTorch
python-without-torch = Python { $version } { $from }, without PyTorch
python-unknown-torch = Python { $version } { $from }
