# 结论：卡片和控制台对诊断结果的表述。

## 把握程度

certainty-certain = 确定
certainty-likely = 很可能
certainty-possible = 有可能

because-guard-saw = 守护检查在内核运行之前就看到了
because-log-states-check = 日志里写明了
because-log-states-error = 报错信息里写明了
because-expression-alone = 同样的检查在别的源文件里见过
because-sign-before = 失败之前日志里已有征兆
because-backward-only = 只有反向传播失败
because-operation-only = 回溯停在这个操作上
because-usual-reason = 最常见的原因
because-reported-for-another = 报告的是别的进程的失败
because-run-went-on = 但日志在它之后还有很多内容
because-nothing-found = 已读到日志末尾
because-not-in-log = 日志没有提供更多信息
because-data-shows = 数据中可以看到

## 各行

row-failed-check = 失败的检查
row-error = 错误
row-guard-saw = 守护检查发现
guard-saw-of = { $position } 为 { $value }，允许 { $lo }–{ $hi }（{ $source }）
guard-saw-range = { $position } 为 { $value }，允许 { $lo }–{ $hi }
guard-saw-least = { $position } 为 { $value }，不得小于 { $lo }
guard-saw-value = { $position } 为 { $value }
guard-saw-count = { $total } 个值中有 { $count } 个不被允许
guard-saw-before = 内核运行之前
guard-saw-call = 发起了这次调用
row-operation = 所在操作
row-checked-data = 被检查的数据
next-guilty = 先看 { $place }：值为 { $value }，允许 { $range }。数据中的发现说明了如何修复
guilty-empty = 空单元格
row-guilty-value = 有问题的值
row-your-line = 出错位置
row-not-the-culprit = 并非起因
row-consequences = 只是后果
row-moment = 最后的进度
row-sign-before = 先前的征兆

line = 第 { $line } 行
threads-failed = 日志中报告了 { $count } 次。
check-source = { $file }:{ $line }
pass-forward = 前向计算
pass-backward = 反向传播
operation-usual = 这项检查通常属于它，日志中没有显示
allowed-certain = 允许 { $lo }–{ $hi }
allowed-likely = 允许 { $lo }–{ $hi }（很可能：{ $source }）
allowed-by-file = 允许 { $lo }–{ $hi }（{ $source }）
allowed-symbolic = 允许 { $range }
value-found = 实际为 { $value }


in-file = （{ $file }:{ $line }）
in-file-only = （{ $file }）
in-function = （函数 { $function }）

## 回溯的末尾

noticed-backward = 是回溯的末尾。CUDA 的错误是延后上报的：更早的操作已经失败，backward() 只是在这里报了出来。
noticed-copy = 是回溯的末尾。CUDA 的错误是延后上报的：更早的操作已经失败，这次拷贝只是在等它。
noticed-read-back = 是回溯的末尾。CUDA 的错误是延后上报的：更早的操作已经失败，读取数值时才发现。
noticed-print = 是回溯的末尾。CUDA 的错误是延后上报的：更早的操作已经失败，打印时才发现。
noticed-synchronize = 是回溯的末尾。CUDA 的错误是延后上报的：更早的操作已经失败，这个调用只是在等它。
noticed-optimizer = 是回溯的末尾。CUDA 的错误是延后上报的：更早的操作已经失败，优化器这一步只是在这里报了出来。
noticed-other-process = 是回溯的末尾。它只是报告另一个进程失败了。
noticed-later-call = 是回溯的末尾。CUDA 的错误是延后上报的：更早的操作已经失败，这个调用只是在这里报了出来。

trusted-blocking = 已开启 CUDA_LAUNCH_BLOCKING=1，回溯可信
trusted-synchronous = 错误就是在这一行抛出的
trusted-operation-matches = 这一行执行的正是失败的操作

last-frame = { $file }:{ $line }
no-code = 最后一帧

## 后果与时刻

consequences-some = { $count ->
   *[other] { $names }。出现在失败之后，无需处理。
}
consequence-cublas = cuBLAS 错误
consequence-cudnn = cuDNN 错误
consequence-nccl = NCCL 错误
consequence-cuda = CUDA 错误
consequence-process = 进程退出
consequence-dataloader = DataLoader 错误
consequence-python = Python 错误

moment-epoch = 第 { $epoch } 轮
moment-epoch-of = 第 { $epoch } 轮，共 { $total } 轮
moment-step = 第 { $step } 步
moment-step-of = 第 { $step } 步，共 { $total } 步
phase-loading = 加载阶段
phase-training = 训练阶段
phase-validation = 验证阶段
phase-inference = 推理阶段

## 接下来

restart-process = 这个进程已无法再使用 GPU。修复后请重启进程；在同一进程里重试不会成功。
restart-notebook = 这个 notebook 内核已无法再使用 GPU。修复后请重启内核；重新运行单元格不会成功。
check-caption = 在 CPU 上找出这个值

## 备注

remark-would-give-the-line = 用 CUDA_LAUNCH_BLOCKING=1 python … 再跑一次，回溯就会停在真正出错的那一行。
remark-would-give-the-line-windows = 先执行“set CUDA_LAUNCH_BLOCKING=1”（cmd）或“$env:CUDA_LAUNCH_BLOCKING=1”（PowerShell）再跑一次，回溯就会停在真正出错的那一行。
remark-would-give-the-line-notebook = 重启内核，在第一个单元格、import torch 之前写上 os.environ["CUDA_LAUNCH_BLOCKING"] = "1"，回溯就会停在真正出错的那一行。
remark-dsa-in-environment = TORCH_USE_CUDA_DSA 是编译 PyTorch 时的选项，作为环境变量不起作用；不设置它，失败的检查也会打印出来。
remark-blocking-copy = 已开启同步执行，因此是这次拷贝本身失败：原因在自定义扩展，或 PyTorch 版本与显卡不匹配。
remark-several-checks = 共有 { $count } 项不同的检查失败。这里显示第一项，其余可能源于同一个值。
remark-several-processes = 有 { $count } 个进程报告了它。这是同一次失败，不是多次。
remark-in-validation = 发生在验证阶段：请先检查验证集的数据。
remark-breaks-off = 日志在错误信息完整之前就结束了。更完整的日志可能会提供更多信息。
remark-check-not-in-log = 失败的检查由 GPU 驱动单独打印，不在回溯里。请往上翻，或在终端、其他 rank 的日志中找含有“Assertion … failed”的行。
remark-rocm-hides-asserts = AMD 版本很少打印失败的检查：索引越界时看到的可能就是这样的报错。
remark-cpu-says-the-same = CPU 上的报错用更直白的话说了同一件事。
remark-data-in-range = 检查过的 { $values } 个值都在范围内。错误的值是在途中产生的（数据增强、collate、分词器），或者模型的大小与标明的不同。
remark-data-faults = 检查过的数据有 { $errors } 处错误。它们没有造成这次失败，但可能造成别的失败。
remark-only-mentioned = 日志里的“device-side assertions”是 PyTorch 的通用提示，不是你的错误。
remark-not-device-assert = 这不是 device-side assert：没有哪项数值检查失败。

## 其他解释

other-cause = { $certainty }：{ $title }
nothing-found-mentions = 有 { $count } 行提到 “assert”，都无关紧要。

## 无法使用的输入

kind-log = 日志
kind-notebook = 笔记本
kind-labels = 标签数据
kind-checkpoint = 检查点
kind-config = 配置文件
kind-script = 脚本
kind-recording = 显存记录
kind-case = 案例
kind-picture = 图片
kind-folder = 文件夹
kind-unknown = 未知类型

problem-not-found = 找不到这个文件
problem-not-found-do = 它可能被移动或改名了，请检查路径。
problem-access-denied = 没有读取这个文件的权限
problem-access-denied-do = 系统拒绝了读取。请把它复制到自己的文件夹，或关闭占用它的程序。
problem-changed = 文件在读取过程中发生了变化
problem-changed-do = 已读取 { $read } / { $expected } 字节，结果只依据这一部分。文件写完后请重新打开。
problem-empty = 文件是空的
problem-empty-do = 里面没有任何内容。如果程序输出在终端里，请选中那些文字并粘贴过来。
problem-folder-empty = 这个文件夹里没有日志，也没有标签
problem-folder-empty-do = 请选择那次运行写出的文件或标签文件，或粘贴它打印的内容。
problem-folder = 这个文件夹里有多个日志
problem-folder-do = 有 { $count } 个文件像是日志，请选择崩溃那次运行的日志。
problem-folder-do-many = 至少有 { $count } 个文件像是日志，请选择崩溃那次运行的日志。
problem-device = 这不是普通文件
problem-device-do = 设备或管道可能永远读不完。请先把文字保存到文件。
problem-not-text = 这个文件不是文本
problem-not-text-do = 无法从中读出日志。请选择那次运行写出的文件，或粘贴它打印的内容。
problem-not-a-log = 这是{ $kind }，不是日志
problem-not-a-log-do = 标签从文件读取：请先存成文件，再给出该文件。
problem-output-missing = 这次运行的输出缺了一部分
problem-output-missing-do = 运行打印了 { $lines } 行，文件里只有 { $read } 行，因此看不出运行的经过。
problem-damaged-record = 这次运行的记录已损坏
problem-damaged-record-do = 运行的输出仍会照常读取，但无法得知启动了什么、如何结束。文件的问题：{ $said }。
problem-newer-record = 这次运行的记录由更新的版本写成
problem-newer-record-do = 运行的输出仍会照常读取。记录的格式为 { $schema }：请用写下它的版本打开以查看其余内容。
problem-cancelled = 读取已取消
problem-cancelled-do = 需要完整结果时请重新打开。
problem-system = 无法读取这个文件
problem-system-do = 系统提示：{ $said }。请重试，或把文件复制到别处。

broken-off-title = 日志里有回溯，但看不到最终的报错
broken-off-sentence = 运行中出了错，但回溯最后写明错误的那一行缺失，或无法识别。
broken-off-next = 请补上其余的输出：报错就在回溯下方
broken-off-record = 把运行的两种输出记录到同一个文件：python train.py > train.log 2>&1

# 输出里看不出失败的运行，按它怎样结束来说。
ended-well-title = 运行正常结束，没有出错
ended-well-next = 无需修复
ended-badly-title = 运行异常结束，但输出没有说明原因
ended-badly-next = 查看输出的最后几行
ended-stopped-title = 停止运行时还没有出错
ended-stopped-next = 如果还没有运行到出问题的位置，就再运行久一些
ended-unknown-title = 不知道运行是怎样结束的
ended-unknown-next = 查看输出的最后几行
ended-faulthandler = 用 python -X faulthandler train.py 运行：原生代码崩溃后，Python 会打印自己的 traceback。

# 还没有结束，或不知道怎样结束的运行。
unfinished-running-title = 运行仍在继续，目前没有出错
unfinished-running-sentence = 这份日志还不完整，因此不能说明之后会怎样。
unfinished-running-next = 等运行结束后再读一次
unfinished-lost-title = 不知道运行是怎样结束的
unfinished-lost-sentence = 输出里看不出失败，但它怎样结束没有记录下来：看护它的进程被终止了，或机器停机了。
unfinished-lost-next = 查看输出的最后几行，或再运行一次
because-unfinished = 日志里没有运行的结尾
because-ended = 运行就是这样结束的
