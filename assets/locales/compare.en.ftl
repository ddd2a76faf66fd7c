# Two runs beside each other.

compare-title-proved = The crash is gone
compare-title-not-yet = Not proved yet
compare-title-same-log = Nothing to compare
compare-title-same = The same check failed again
compare-title-may-be = The second run failed, maybe by the same check
compare-title-new = The second run died of something else
compare-title-ended = The second run ended badly, and its log does not say why
compare-title-caught = The guard found a value that is not allowed

compare-sentence-proved = The second run came past the place where the first died, the same check did not fail there, and nothing else did.
compare-sentence-proved-ended = The second run ended by itself with exit code 0, so it came past the place where the first died, and nothing failed on the way.
compare-sentence-before = Nothing has failed so far, but the second run has not come to the place where the first died.
compare-sentence-waits = The second run came past the place where the first died. What is still missing stands below.
compare-sentence-same = What failed in the first run failed in the second, too.
compare-sentence-may-be = The second log shows that something failed on the GPU, but not which check.
compare-sentence-new-past = The first failure did not come back at its place, but the second run did not survive what came after.
compare-sentence-new-before = The second run died before it came to the place where the first died, so it says nothing about that crash.
compare-sentence-new-unknown = Whether it came to the place where the first died cannot be told.
compare-sentence-cpu = On the CPU this failure cannot show, so a run there proves nothing: run it again on the GPU.
compare-sentence-cpu-ctc = CTC loss does not fail on the CPU, so a run there proves nothing: run it again on the GPU, with the guard.

compare-why-first-did-not-fail = The first log shows no failure, so there is nothing to prove.
compare-why-same-log = Both are the same log: a run can only be compared with another one.
compare-why-other-script = The two commands run different scripts.
compare-why-training-unknown = Nothing shows that both are the same training: they share no script, no command and no way of counting their progress.
compare-why-ended-silently = The second run ended with exit code 0, but it printed no progress, and the first did: it may have ended before it came to the place where the first died.
compare-why-no-progress-in-first = The first log does not say how far the run had come.
compare-why-no-progress-in-second = The second log does not say how far the run has come.
compare-why-other-count = The two logs count their progress differently.
compare-why-began-later = The second run began at a later epoch, so it never came by the place where the first died.
compare-why-epochs-begin-anew = Epochs begin anew within one of the logs, so their numbers do not tell the place.
compare-why-phase-unknown = Within one epoch the logs do not say whether they train or validate. The next epoch will show it.
compare-why-other-speed = The second run is older now than the first became, but the flags change the speed.

compare-row-died = First run died
compare-row-first = First run came to
compare-row-reached = Second run came to
compare-row-new = It died of
compare-row-changed = Changed
compare-row-rate = Iterations per second

compare-at-ended = ended by itself with exit code 0
compare-at-batches = { $count } batches
compare-at-seconds = after { $seconds } s
compare-at-unknown = the log does not say
compare-new-ended-code = ended with exit code { $code }
compare-new-ended-signal = ended by signal { $signal }
compare-new-stopped = { $operation }: the value { $value } is outside { $range }
compare-new-breaks-off = the log breaks off inside a traceback

compare-change-command = command: { $first } → { $second }
compare-change-torch = PyTorch: { $first } → { $second }
compare-change-cuda = CUDA: { $first } → { $second }
compare-change-python = Python: { $first } → { $second }
compare-change-gpu = graphics card: { $first } → { $second }
compare-change-size = { $name }: { $first } → { $second }
compare-change-range = allowed range of { $name }: { $first } → { $second }
compare-change-launch-blocking = blocking launches: { $first } → { $second }
compare-change-epochs = epochs: { $first } → { $second }
compare-change-steps = steps of an epoch: { $first } → { $second }
compare-change-processes = processes: { $first } → { $second }
compare-yes = on
compare-no = off

compare-rate = { $first } → { $second }
compare-rate-none = not stated
compare-rates-differ = not comparable: { $reasons }
compare-rate-sync = one of them has blocking launches
compare-rate-cpu = one of them ran on the CPU
compare-rate-guard = one of them ran with the guard
compare-rate-workers = the number of workers differs
compare-rate-source = one is read off a progress bar, one is the guard's count
compare-rate-other-bar = the progress bars belong to different loops
compare-rate-other-gpu = the graphics cards differ

compare-caveat-cpu = The second run was on the CPU: the same values are checked there, but nothing that only a GPU does.
compare-caveat-cpu-cannot-show = The second run was on the CPU, where this failure cannot show.
compare-caveat-stopped = The second run was stopped by hand.
compare-caveat-totals-changed = The number of steps or epochs is another, so places are compared as shares of an epoch.
compare-caveat-other-arguments = The arguments of the command are others.
compare-caveat-error-survived = The second log shows an error, but the run ended well all the same.
compare-caveat-guard-saw-part = The guard could not look into compiled regions or CUDA graphs.
compare-caveat-no-guard = The guard did not run in the second run; with it, every value would have been looked at.

compare-sign-past-crash-point = past the crash point
compare-sign-same-check-gone = the same check did not fail
compare-sign-no-new-check = nothing else failed
compare-sign-guard-clean = label check: 0 out of range
compare-sign-guard-broken = label check: { $count } out of range
compare-sign-guard-nothing = label check: no value was looked at
compare-sign-guard-none = label check: the guard did not run
compare-sign-first-validation-pass = first validation pass
compare-sign-ended-by-itself = ended by itself
compare-sign-same-check-gone-broken = the same check failed again
compare-sign-no-new-check-broken = something else failed
compare-sign-ended-by-itself-broken = ended badly
compare-state-seen = seen
compare-state-not-yet = not seen yet
compare-state-not-seen = not seen
compare-state-broken = no
compare-state-unknown = cannot be told
