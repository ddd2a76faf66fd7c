# A run in the window: before it is started, and while it goes on.

## Ways in

rerun-run-my-script = Run my script…
rerun-again = Run again…
rerun-dialog-script = The script to run
rerun-dialog-folder = The folder to run in
rerun-dialog-guard = The folder for the guard

## Before it is started

rerun-setup-title = Run it again, watched
rerun-setup-text = Your command runs as you would start it. What it prints is read while it is printed, and if it dies, everything is kept.
rerun-command = Command
rerun-command-hint = for example python train.py --epochs 3
rerun-command-note = No shell reads it: wildcards, pipes and variables are passed on as they are typed.
rerun-looking = Looking for what could be run and for Python…
rerun-choose-script = Choose a script…
rerun-folder-hint = the folder of the script
rerun-folder = Runs in
rerun-choose-folder = Choose…
rerun-python = Python
rerun-python-as-typed = as typed in the command
rerun-missing = Not on this computer: { $list }
rerun-option-guard = Guard
rerun-option-guard-text = Checks values and shapes before they reach the GPU, and names the value, its place and your line. Slows training down a little.
rerun-option-sync = Wait for each GPU operation
rerun-option-sync-text = CUDA_LAUNCH_BLOCKING=1: the traceback then ends at the operation that failed. Slower.
rerun-option-cpu = On the CPU
rerun-option-cpu-text = What asks for the GPU gets the CPU. Much slower, but its errors come at the right line and state the value.
rerun-option-workers = DataLoader workers
rerun-workers-as-script = as the script says
rerun-start = Start the run
rerun-starting = Starting…
rerun-leave = Not now
rerun-promise = Your files are not changed. The run goes on if you close this window; only “Stop the run” ends it.
rerun-split-open-quote = A quotation mark in the command is not closed
rerun-split-open-quote-text = Close it, or remove it.
rerun-split-empty = There is no command yet
rerun-split-empty-text = Type what starts your training, or choose the script.
rerun-split-zero = The command holds a character that no program can take
rerun-split-zero-text = Type it again instead of pasting it.

## For another machine

rerun-kit-title = You train on another machine?
rerun-kit-text = Copy the commands for its shell, run them there, and drop the log here.
rerun-kit-show = Show the commands
rerun-kit-hide = Hide
rerun-kit-copy = Copy
rerun-kit-save-guard = Save the guard’s files…

## The card

rerun-title-starting = Run { $number } is starting
rerun-title-running = Run { $number } is running
rerun-title-past = Run { $number } is past the point where run { $first } died
rerun-title-before = Run { $number } has reached { $now }, run { $first } died at { $then }
rerun-title-before-progress = Run { $number }: { $now }. Run { $first } died at { $then }
rerun-title-failing = Run { $number } failed at { $at } and is ending
rerun-title-stopping = Run { $number } is being stopped
rerun-title-silent = Run { $number } has ended and printed nothing
rerun-title-ended = Run { $number } has ended, its log is being read
rerun-title-gone = Nobody looks after run { $number } any more
rerun-title-not-started = Run { $number } could not be started
rerun-state-starting = Starting
rerun-state-running = Running
rerun-state-stopping = Stopping
rerun-state-ended = Ended
rerun-state-gone = Lost
rerun-state-not-started = Not started
rerun-stop = Stop the run
rerun-show-log = Show the log
rerun-show-run = Show the run
rerun-put-away = Close
rerun-ask-stop = Stop the run?
rerun-ask-stop-text = The program is asked to end, and ended if it does not. Its output up to then is kept.
rerun-stop-now = Stop it
rerun-keep-running = Let it run
rerun-in-folder = in
rerun-set = Set for this run
rerun-set-nothing-else = nothing else changed
rerun-set-guard = guard on
rerun-set-cpu = on the CPU
rerun-set-workers =
    { $count ->
        [one] { $count } DataLoader worker
       *[other] { $count } DataLoader workers
    }
rerun-tile-elapsed = Elapsed
rerun-tile-elapsed-first = run { $first }: { $then }
rerun-tile-progress = Progress
rerun-tile-progress-none = not seen yet
rerun-epoch = epoch { $at }
rerun-epoch-of = epoch { $at } of { $of }
rerun-step = step { $at }
rerun-step-of = step { $at } of { $of }
rerun-loading = loading
rerun-left-minutes = about { $count } min left
rerun-left-hours = about { $count } h left
rerun-tile-memory = GPU memory
rerun-tile-memory-none = not measured
rerun-tile-memory-cpu = this run uses the CPU
rerun-tile-memory-wait = as soon as the GPU is used
rerun-tile-memory-off = only with the guard
rerun-tile-memory-of = { $used } of { $total } GiB
rerun-tile-memory-used = { $used } GiB
rerun-tile-memory-peak-of = peak { $peak } ({ $percent } %), taken by PyTorch
rerun-tile-memory-peak = peak { $peak } GiB, taken by PyTorch
rerun-tile-guard = Guard
rerun-tile-guard-off = off
rerun-tile-guard-off-detail = values are not checked
rerun-tile-guard-on = watching
rerun-tile-guard-on-detail = nothing counted yet
rerun-tile-guard-wait = not yet
rerun-tile-guard-wait-detail = begins when PyTorch is loaded
rerun-tile-guard-count = { $count } out of range
rerun-tile-guard-values =
    { $count ->
        [one] { $count } value checked
       *[other] { $count } values checked
    }
rerun-sign-past = Past the point where run { $first } died
rerun-sign-past-unknown = Whether it is past the point where run { $first } died cannot be told from what is printed
rerun-sign-guard = Label check: { $count } out of range
rerun-sign-validation = First validation pass seen
rerun-sign-validation-not-yet = First validation pass: not seen yet
rerun-strip-died = run { $first } died here
rerun-strip-total = total { $total } GiB
rerun-strip-name = GPU memory over time, now { $used } GiB
rerun-evidence-kept = Evidence is kept if it dies

## Its output

rerun-output = Output
rerun-output-lines =
    { $count ->
        [one] { $count } line
       *[other] { $count } lines
    }
rerun-output-none = Nothing printed yet
rerun-output-none-shown = No line of this kind yet
rerun-filter-all = All
rerun-filter-output = Output
rerun-filter-errors = Errors
rerun-filter-guard = Guard
rerun-search = Search
rerun-follow = Follow
rerun-fold = { $count } more like this
rerun-earlier =
    { $count ->
        [one] { $count } earlier line is in the log
       *[other] { $count } earlier lines are in the log
    }
rerun-guard-start = The guard watches, PyTorch { $version }
rerun-guard-values =
    { $count ->
        [one] { $count } value
       *[other] { $count } values
    }
rerun-past-here = past the crash point

## Told

rerun-silent-text = There is no log to read.
rerun-said-nothing = The run printed nothing
rerun-said-guard-saved = The guard was saved in { $name }
rerun-not-stopped = The run could not be asked to stop
rerun-not-stopped-text = { $said }. It goes on; end it in the task manager if it must end.
rerun-guard-not-saved = The guard’s files were not saved
rerun-guard-not-saved-text = { $said }. Choose another folder.
