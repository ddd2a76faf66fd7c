# A small script that fails the same way, and why there is none.

reproduction-title = Minimal reproduction
reproduction-sentence = A script that fails the same way on the CPU, without your model and your data.
reproduction-sentence-names-it = A script that shows the label that is out of range, without your model and your data.
reproduction-expect = It ends with: { $message }
reproduction-expect-print = It prints: { $message }
reproduction-other-wordings = Other releases of PyTorch word the message differently; the script's last lines say how.
reproduction-since = The CPU checks this from PyTorch { $version } on; older releases run through without an error.
reproduction-why-ctc = On the CPU ctc_loss does not look at the labels, so nothing fails there. The script makes the check that it lacks.
reproduction-stand-ins = What is not known is filled with stand-ins; its first lines say which.

reproduction-none-nothing-failed = There is nothing to reproduce: the log shows no failure.
reproduction-none-not-a-value = There is no small script for this: it comes from memory, driver, processes or start-up, not from a value.
reproduction-none-check-unknown = There is no small script for this: the log does not say which check failed.
reproduction-none-own-code = There is no small script for this: the check belongs to your own code or to an extension.
reproduction-none-other-framework = There is no small script for this: it is not PyTorch that failed.
reproduction-none-gpu-only = There is no small script for this: the CPU has no such check.
reproduction-none-too-little-known = There is no small script for this: too little is known of what the operation was given.
