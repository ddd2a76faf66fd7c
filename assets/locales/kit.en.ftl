# The rerun kit: the commands for those who train elsewhere.

kit-title = Run it again elsewhere
kit-intro = Copy the commands for your shell and run them in the folder in which the training is started. The output goes into { $log }, the exit code into its last line.
kit-guard = Put { $files } into that folder first: it catches the bad value before the kernel does.
kit-drop-log = Then drop { $log } here.
kit-then-diagnose = Then read it here: assert-doctor-cli diagnose { $log }

kit-powershell-name = PowerShell
kit-cmd-name = cmd
kit-bash-name = bash
kit-notebook-name = Jupyter, Colab
kit-slurm-name = SLURM

kit-powershell-hint = Works in Windows PowerShell 5.1 and in PowerShell 7. The output is not shown while it runs; it is all in the log.
kit-cmd-hint = Paste it into a command prompt. The output is not shown while it runs; it is all in the log.
kit-bash-hint = Paste it into a terminal. The output is shown and kept.
kit-notebook-hint = Restart the notebook's kernel first: after a device-side assert it cannot use the GPU any more. In Colab the files lie under /content.
kit-slurm-hint = Save it as { $file } and submit it with sbatch. %j in the log's name becomes the number of the job.

kit-problem-line-break = One of the arguments holds a line break, which cmd.exe cannot pass on. Use bash or a notebook, or put the argument into a file.
kit-problem-isolated = Python is started with { $flag }, and then it does not load the guard. Leave { $flag } out, or run it without the guard, the CPU and the number of workers.
