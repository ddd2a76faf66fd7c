# 运行：状态、结束方式、未能启动的原因。

run-starting = 正在启动
run-running = 运行中
run-stopping = 正在停止
run-ended = 已结束
run-not-started = 未启动

run-seconds = { $seconds } 秒

run-ending-success = 运行在 { $time }后结束，没有出错。
run-ending-code = 运行在 { $time }后结束，退出码为 { $code }。
run-ending-signal = 运行在 { $time }后被信号 { $signal } 终止。
run-ending-stopped = 运行在 { $time }后被停止。
run-ending-unknown = 运行在 { $time }后结束，结束方式未知。
run-others = 它启动的进程仍在输出；这些输出读到 { $time }为止。
run-others-left = 其中 { $count } 个进程仍在运行，但已有一段时间没有输出；它们此后的输出不会保存，而且输出时可能会退出。
run-notice-stopping = 正在等待它结束。再按一次 Ctrl+C 可更快结束。
run-notice-others = 它启动的 { $count } 个进程仍占用输出，因此运行还在继续。按 Ctrl+C 可结束它们。
run-no-guard = 守护检查没有启动：{ $missing }。它在 Python 导入 PyTorch 时启动；带 -I、-E 或 -S 时，Python 不会加载它。
run-no-guard-values = 未检查数值
run-no-guard-cpu = 未强制使用 CPU
run-no-guard-workers = 未设定 worker 数
run-no-guard-and = ，

exit-usage = 退出码 2：程序不认识它的参数，或 Python 打不开脚本。
exit-cannot-run = 退出码 126：程序存在，但不允许执行。
exit-not-found = 退出码 127：找不到某个程序。
exit-interrupted = 运行被中断（Ctrl+C）。
exit-aborted = 进程遇到无法处理的错误后自行终止（abort）。前面最后几行通常会说明原因：C++ 检查失败，或某个线程里的 CUDA 错误。
exit-killed = 进程被杀死。如果没有人手动操作，最可能是系统因内存耗尽而杀死它，此时“dmesg”里会有“Out of memory”。减小 batch 或减少 worker 会有帮助。
exit-terminated = 进程被要求退出：可能是人、调度系统，或另一个进程已失败的启动器。
exit-segmentation-fault = 进程访问了不属于它的内存（段错误）。问题出在原生代码里：不匹配的库、自定义算子，有时是 DataLoader 的 worker。
exit-bus-error = 总线错误。使用 DataLoader 时，常见原因是共享内存（/dev/shm）耗尽：减少 worker，或在容器里加大 --shm-size。
exit-arithmetic-fault = 原生代码里发生算术错误，多半是除以零。
exit-illegal-instruction = 程序使用了本机处理器没有的指令：某个库是为更新的处理器编译的。
exit-broken-pipe = 它写入的管道已经没有人读取。
exit-hung-up = 它所属的终端已关闭。
exit-time-limit = 它用完了允许的处理器时间。
exit-file-limit = 它写的文件超过了允许的大小。
exit-trap = 它停在断点或原生代码的陷阱处。
exit-other-signal = 它被信号 { $signal } 终止。
exit-access-violation = 0xC0000005：进程访问了不属于它的内存（访问冲突）。问题出在原生代码里：不匹配的库或驱动、自定义算子。
exit-stack-buffer-overrun = 0xC0000409：进程立即自行终止，原生代码里的检查失败时就会这样。在 Windows 上，GPU 上的检查失败后通常以此结束。
exit-heap-corruption = 0xC0000374：进程的内存被原生代码破坏。
exit-stack-overflow = 0xC00000FD：栈已耗尽，多半是无限递归。
exit-control-c = 0xC000013A：被 Ctrl+C 中断，或控制台被关闭。
exit-dll-not-found = 0xC0000135：缺少某个库（DLL），常见的是 Visual C++ 运行库。
exit-entry-point-not-found = 0xC0000139：某个库缺少一个函数，两个版本互不匹配。
exit-dll-init-failed = 0xC0000142：某个库无法初始化，重启往往有用。
exit-invalid-image = 0xC000007B：某个程序或库属于另一种机器（32 位与 64 位混用），或已损坏。
exit-in-page-error = 0xC0000006：无法从磁盘或网络读取内存页。
exit-no-memory = Windows 已没有内存：页面文件已满。减少 worker，或加大页面文件会有帮助。
exit-cpp-exception = 0xE06D7363：没有人处理的 C++ 错误。前面几行通常会说明是哪一个。
exit-other-status = Windows 以状态 { $status } 终止了它。

run-no-program = 没有要运行的命令
run-no-program-do = 请给出程序及其参数。
run-not-found = 找不到这个程序
run-not-found-do = 请检查名称，或给出完整路径。
run-no-python = 没有找到运行脚本用的 Python
run-no-python-do = 请在脚本前面写明解释器。
run-denied = 这个程序不允许执行
run-denied-do = 请给它执行权限，或通过解释器启动。
run-is-folder = 这是文件夹，不是程序
run-is-folder-do = 请指定其中的程序或脚本。
run-not-runnable = 这个程序无法启动
run-not-runnable-do = 系统提示：{ $said }
run-no-directory = 没有这个运行目录
run-no-directory-do = 请选择当初启动命令时所在的文件夹。
run-directory-gone = 当前所在的文件夹已不存在
run-directory-gone-do = 请换到另一个文件夹后重新启动。
run-no-folder = 无法创建或读取运行文件夹
run-no-folder-do = 系统提示：{ $said }
run-folder-in-use = 运行文件夹里已有内容
run-folder-in-use-do = 请指定一个空的或尚不存在的文件夹。
run-no-guard-path = Python 无法从这个文件夹加载检查脚本，因为路径里有搜索路径的分隔符
run-no-guard-path-do = 请为这次运行指定另一个文件夹。
run-already-run = 这次运行以前已经启动过
run-already-run-do = 请作为新的运行重新启动。
run-no-supervisor = 无法启动看管运行的进程
run-no-supervisor-do = 系统提示：{ $said }
run-supervisor-gone = 运行如何结束不得而知
run-supervisor-gone-do = 看管它的进程已不在：它被杀死，或电脑关机了。此前的输出都已保存。
run-pipe = 无法再读取输出
run-pipe-do = 运行仍在继续。系统提示：{ $said }
run-not-written = 有内容未能写下
run-not-written-do = { $lost ->
        [0] 运行本身不受影响。
       *[other] 输出丢失了 { $lost } 字节；运行本身不受影响。
    }系统提示：{ $said }。
run-folder-deleted = 运行期间，它的文件夹被删除
run-folder-deleted-do = 文件夹已重新创建，里面是之后的内容。
run-folder-gone = 运行期间，它的文件夹被删除
run-folder-gone-do = 文件夹无法重新创建，此后的内容没有保存。

system-not-found = 没有这个文件或文件夹
system-arguments = 命令行太长
system-format = 系统不认识这种程序
system-memory = 内存不足
system-denied = 没有权限
system-exists = 已经存在
system-no-folder = 路径中有一部分不是文件夹
system-folder = 这是文件夹
system-invalid = 名称在那里无效
system-files = 打开的文件太多
system-too-large = 文件会超过允许的大小
system-full = 磁盘已满
system-read-only = 这个磁盘不可写
system-too-long = 名称太长
system-quota = 磁盘配额已用完

suggestion-script = 你给出的脚本
suggestion-log-command = 日志第 { $line } 行显示了这条命令
suggestion-traceback = 第 { $line } 行的 traceback 从这个文件开始；它的参数未知

python-venv = 脚本旁边的环境 { $name }
python-active-venv = 当前激活的环境 { $name }
python-conda = conda 环境 { $name }
python-active-conda = 当前激活的 conda 环境 { $name }
python-py = py 启动器登记的
python-path = 搜索路径里的
python-chosen = 你选择的
python-with-torch = { $from } Python { $version }，有 PyTorch
python-without-torch = { $from } Python { $version }，没有 PyTorch
python-unknown-torch = { $from } Python { $version } 解释器
