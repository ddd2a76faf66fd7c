# 重跑工具包：给在别处训练的人用的命令。

kit-title = 在别处重新运行
kit-intro = 复制你所用 shell 的命令，在启动训练的文件夹里运行。输出写入 { $log }，最后一行是退出码。
kit-guard = 先把 { $files } 放进那个文件夹：它会在 GPU 内核之前拦住错误的值。
kit-drop-log = 然后把 { $log } 拖到这里。
kit-then-diagnose = 然后在这里读取它：assert-doctor-cli diagnose { $log }

kit-powershell-name = PowerShell
kit-cmd-name = cmd
kit-bash-name = bash
kit-notebook-name = Jupyter, Colab
kit-slurm-name = SLURM

kit-powershell-hint = 适用于 Windows PowerShell 5.1 和 PowerShell 7。运行时不显示输出，输出全部写入日志。
kit-cmd-hint = 粘贴到命令提示符窗口。运行时不显示输出，输出全部写入日志。
kit-bash-hint = 粘贴到终端。输出既会显示，也会保存。
kit-notebook-hint = 先重启 notebook 的内核：发生 device-side assert 之后，它无法再使用 GPU。在 Colab 中，文件位于 /content。
kit-slurm-hint = 另存为 { $file }，用 sbatch 提交。日志名中的 %j 会变成作业编号。

kit-problem-line-break = 有一个参数含有换行，cmd.exe 无法传递。请改用 bash 或 notebook，或者把这个参数放进文件。
kit-problem-isolated = 命令用 { $flag } 启动 Python，这样 Python 不会加载守护检查。请去掉 { $flag }，或不使用守护检查、CPU 和 worker 数这些选项。
