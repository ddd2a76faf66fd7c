# 两次运行的对比。

compare-title-proved = 崩溃已消除
compare-title-not-yet = 尚未证实
compare-title-same-log = 没有可对比的
compare-title-same = 同一项检查再次失败
compare-title-may-be = 第二次运行也失败了，可能是同一项检查
compare-title-new = 第二次运行因别的问题而终止
compare-title-ended = 第二次运行异常结束，日志没有说明原因
compare-title-caught = 守护检查发现了不被允许的值

compare-sentence-proved = 第二次运行越过了第一次崩溃的位置，同一项检查在那里没有失败，也没有出现别的失败。
compare-sentence-proved-ended = 第二次运行自行结束，退出码为 0，因此已越过第一次崩溃的位置，途中没有任何失败。
compare-sentence-before = 目前没有失败，但第二次运行还没有到达第一次崩溃的位置。
compare-sentence-waits = 第二次运行已越过第一次崩溃的位置。还缺少的迹象列在下面。
compare-sentence-same = 第一次运行中失败的内容，在第二次运行中同样失败了。
compare-sentence-may-be = 第二份日志表明 GPU 上有失败，但看不出是哪一项检查。
compare-sentence-new-past = 第一次的失败没有在原处重现，但第二次运行没能撑过后面的部分。
compare-sentence-new-before = 第二次运行在到达第一次崩溃的位置之前就终止了，因此无法说明那次崩溃是否解决。
compare-sentence-new-unknown = 无法判断它是否到达了第一次崩溃的位置。
compare-sentence-cpu = 这种失败在 CPU 上不会出现，所以在 CPU 上运行不能证明什么：请在 GPU 上再运行一次。
compare-sentence-cpu-ctc = CTC 损失在 CPU 上不会报错，所以在 CPU 上运行不能证明什么：请在 GPU 上启用守护检查再运行一次。

compare-why-first-did-not-fail = 第一份日志中没有失败，因此没有什么可证明的。
compare-why-same-log = 两份是同一份日志：一次运行只能与另一次运行对比。
compare-why-other-script = 两条命令运行的是不同的脚本。
compare-why-training-unknown = 没有迹象表明两次是同一个训练：脚本、命令和进度的计数方式都没有共同之处。
compare-why-ended-silently = 第二次运行以退出码 0 结束，但没有打印进度，而第一次打印了：它可能在到达第一次崩溃的位置之前就结束了。
compare-why-no-progress-in-first = 第一份日志没有说明运行到了哪里。
compare-why-no-progress-in-second = 第二份日志没有说明运行到了哪里。
compare-why-other-count = 两份日志的进度计数方式不同。
compare-why-began-later = 第二次运行从更靠后的轮次开始，因此从未经过第一次崩溃的位置。
compare-why-epochs-begin-anew = 其中一份日志里轮次重新开始计数，因此轮次编号不能说明位置。
compare-why-phase-unknown = 在同一轮之内，日志没有说明是在训练还是在验证。下一轮会给出答案。
compare-why-other-speed = 第二次运行的时间已经比第一次长，但所用选项会改变速度。

compare-row-died = 第一次崩溃于
compare-row-first = 第一次到达
compare-row-reached = 第二次到达
compare-row-new = 终止原因
compare-row-changed = 有变化
compare-row-rate = 每秒迭代数

compare-at-ended = 自行结束，退出码为 0
compare-at-batches = { $count } 个批次
compare-at-seconds = { $seconds } 秒之后
compare-at-unknown = 日志没有说明
compare-new-ended-code = 以退出码 { $code } 结束
compare-new-ended-signal = 被信号 { $signal } 终止
compare-new-stopped = { $operation }：值 { $value } 不在 { $range } 之内
compare-new-breaks-off = 日志在回溯中途断开

compare-change-command = 命令：{ $first } → { $second }
compare-change-torch = PyTorch 版本：{ $first } → { $second }
compare-change-cuda = CUDA 版本：{ $first } → { $second }
compare-change-python = Python 版本：{ $first } → { $second }
compare-change-gpu = 显卡：{ $first } → { $second }
compare-change-size = { $name }：{ $first } → { $second }
compare-change-range = { $name } 的允许范围：{ $first } → { $second }
compare-change-launch-blocking = 同步执行内核：{ $first } → { $second }
compare-change-epochs = 总轮数：{ $first } → { $second }
compare-change-steps = 每轮步数：{ $first } → { $second }
compare-change-processes = 进程数：{ $first } → { $second }
compare-yes = 开
compare-no = 关

compare-rate = { $first } → { $second }
compare-rate-none = 没有说明
compare-rates-differ = 不可直接比较：{ $reasons }
compare-rate-sync = 其中一次同步执行内核
compare-rate-cpu = 其中一次在 CPU 上运行
compare-rate-guard = 其中一次启用了守护检查
compare-rate-workers = 数据加载进程数不同
compare-rate-source = 一个来自进度条，一个来自守护检查的计数
compare-rate-other-bar = 进度条属于不同的循环
compare-rate-other-gpu = 显卡不同

compare-caveat-cpu = 第二次运行在 CPU 上：同样的数值都会被检查，但只有 GPU 才会出现的问题不会显现。
compare-caveat-cpu-cannot-show = 第二次运行在 CPU 上，这种失败在那里不会显现。
compare-caveat-stopped = 第二次运行是被手动停止的。
compare-caveat-totals-changed = 步数或轮数与第一次不同，因此按一轮中的比例来比较位置。
compare-caveat-other-arguments = 命令的参数不同。
compare-caveat-error-survived = 第二份日志中有报错，但运行仍然正常结束。
compare-caveat-guard-saw-part = 守护检查无法检查已编译的区域或 CUDA 图的内部。
compare-caveat-no-guard = 第二次运行中守护检查没有运行；启用后会检查每一个值。

compare-sign-past-crash-point = 越过崩溃位置
compare-sign-same-check-gone = 同一项检查没有失败
compare-sign-no-new-check = 没有别的失败
compare-sign-guard-clean = 标签检查：0 个越界
compare-sign-guard-broken = 标签检查：{ $count } 个越界
compare-sign-guard-nothing = 标签检查：没有检查到任何值
compare-sign-guard-none = 标签检查：守护检查没有运行
compare-sign-first-validation-pass = 第一次验证
compare-sign-ended-by-itself = 自行结束
compare-sign-same-check-gone-broken = 同一项检查再次失败
compare-sign-no-new-check-broken = 出现了别的失败
compare-sign-ended-by-itself-broken = 异常结束
compare-state-seen = 已出现
compare-state-not-yet = 尚未出现
compare-state-not-seen = 未出现
compare-state-broken = 否
compare-state-unknown = 无法判断
