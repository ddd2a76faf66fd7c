# 窗口中的运行：开始之前与进行之中。

## 入口

rerun-run-my-script = 运行我的脚本…
rerun-again = 重新运行…
rerun-dialog-script = 选择要运行的脚本
rerun-dialog-folder = 选择运行目录
rerun-dialog-guard = 选择保存守护检查文件的文件夹

## 开始之前

rerun-setup-title = 在监护下重新运行
rerun-setup-text = 按你平时的方式启动命令。输出会边打印边分析；如果再次崩溃，所有证据都会保留。
rerun-command = 命令
rerun-command-hint = 例如 python train.py --epochs 3
rerun-command-note = 不经过 shell：通配符、管道和变量会原样传给程序。
rerun-looking = 正在查找可运行的命令和 Python…
rerun-choose-script = 选择脚本…
rerun-folder-hint = 脚本所在的文件夹
rerun-folder = 运行目录
rerun-choose-folder = 选择…
rerun-python = Python 解释器
rerun-python-as-typed = 与命令中填写的一致
rerun-missing = 本机上没有：{ $list }
rerun-option-guard = 守护检查
rerun-option-guard-text = 在数值和形状到达 GPU 之前检查，并指出数值、位置和你的代码行。训练会稍慢一些。
rerun-option-sync = 逐个等待 GPU 操作完成
rerun-option-sync-text = CUDA_LAUNCH_BLOCKING=1：回溯会停在真正出错的操作上。速度较慢。
rerun-option-cpu = 在 CPU 上运行
rerun-option-cpu-text = 所有要用 GPU 的地方都改用 CPU。慢得多，但错误会出现在正确的行，并写明数值。
rerun-option-workers = DataLoader 进程数
rerun-workers-as-script = 按脚本设置
rerun-start = 开始运行
rerun-starting = 正在启动…
rerun-leave = 暂不运行
rerun-promise = 不会改动你的文件。关闭本窗口后运行仍会继续，只有“停止运行”才会结束它。
rerun-split-open-quote = 命令中有一个引号没有闭合
rerun-split-open-quote-text = 请补上或删除这个引号。
rerun-split-empty = 还没有填写命令
rerun-split-empty-text = 请输入启动训练的命令，或选择脚本。
rerun-split-zero = 命令中含有程序无法接收的字符
rerun-split-zero-text = 请手动输入，不要粘贴。

## 在另一台机器上

rerun-kit-title = 在另一台机器上训练？
rerun-kit-text = 复制对应 shell 的命令，在那台机器上运行，再把日志拖到这里。
rerun-kit-show = 显示命令
rerun-kit-hide = 收起
rerun-kit-copy = 复制
rerun-kit-save-guard = 保存守护检查文件…

## 卡片

rerun-title-starting = 第 { $number } 次运行正在启动
rerun-title-running = 第 { $number } 次运行进行中
rerun-title-past = 第 { $number } 次运行已越过第 { $first } 次崩溃的位置
rerun-title-before = 第 { $number } 次运行到 { $now }，第 { $first } 次在 { $then } 崩溃
rerun-title-before-progress = 第 { $number } 次运行：{ $now }；第 { $first } 次崩溃于 { $then }
rerun-title-failing = 第 { $number } 次运行在 { $at } 出错，正在结束
rerun-title-stopping = 正在停止第 { $number } 次运行
rerun-title-silent = 第 { $number } 次运行已结束，没有任何输出
rerun-title-ended = 第 { $number } 次运行已结束，正在读取日志
rerun-title-gone = 第 { $number } 次运行已无人看护
rerun-title-not-started = 第 { $number } 次运行无法启动
rerun-state-starting = 正在启动
rerun-state-running = 运行中
rerun-state-stopping = 正在停止
rerun-state-ended = 已结束
rerun-state-gone = 已失联
rerun-state-not-started = 未启动
rerun-stop = 停止运行
rerun-show-log = 查看日志
rerun-show-run = 查看运行
rerun-put-away = 关闭
rerun-ask-stop = 停止这次运行？
rerun-ask-stop-text = 会先请求程序结束，若不响应则强制结束。此前的输出会保留。
rerun-stop-now = 停止
rerun-keep-running = 继续运行
rerun-in-folder = 目录
rerun-set = 本次运行的设置
rerun-set-nothing-else = 其他均未改动
rerun-set-guard = 已启用守护检查
rerun-set-cpu = 在 CPU 上
rerun-set-workers = { $count } 个 DataLoader 进程
rerun-tile-elapsed = 已用时间
rerun-tile-elapsed-first = 第 { $first } 次：{ $then }
rerun-tile-progress = 进度
rerun-tile-progress-none = 尚未看到
rerun-epoch = 第 { $at } 轮
rerun-epoch-of = 第 { $at }/{ $of } 轮
rerun-step = 第 { $at } 步
rerun-step-of = 第 { $at }/{ $of } 步
rerun-loading = 正在加载
rerun-left-minutes = 约剩 { $count } 分钟
rerun-left-hours = 约剩 { $count } 小时
rerun-tile-memory = 显存
rerun-tile-memory-none = 未测量
rerun-tile-memory-cpu = 本次在 CPU 上运行
rerun-tile-memory-wait = 开始使用 GPU 后显示
rerun-tile-memory-off = 需要启用守护检查
rerun-tile-memory-of = { $used } / 共 { $total } GiB
rerun-tile-memory-used = 已用 { $used } GiB
rerun-tile-memory-peak-of = 峰值 { $peak }（{ $percent }%），PyTorch 占用
rerun-tile-memory-peak = 峰值 { $peak } GiB，PyTorch 占用
rerun-tile-guard = 守护检查
rerun-tile-guard-off = 未启用
rerun-tile-guard-off-detail = 不检查数值
rerun-tile-guard-on = 监视中
rerun-tile-guard-on-detail = 尚无计数
rerun-tile-guard-wait = 尚未开始
rerun-tile-guard-wait-detail = 加载 PyTorch 后开始
rerun-tile-guard-count = { $count } 个越界
rerun-tile-guard-values = 已检查 { $count } 个数值
rerun-sign-past = 越过第 { $first } 次崩溃的位置
rerun-sign-past-unknown = 从输出中无法判断是否越过第 { $first } 次崩溃的位置
rerun-sign-guard = 标签检查：{ $count } 个越界
rerun-sign-validation = 已看到首次验证
rerun-sign-validation-not-yet = 首次验证：尚未看到
rerun-strip-died = 第 { $first } 次在此崩溃
rerun-strip-total = 总量 { $total } GiB
rerun-strip-name = 显存随时间的变化，当前 { $used } GiB
rerun-evidence-kept = 若再次崩溃，会保留证据

## 输出

rerun-output = 输出
rerun-output-lines = { $count } 行
rerun-output-none = 还没有任何输出
rerun-output-none-shown = 还没有这类输出
rerun-filter-all = 全部
rerun-filter-output = 输出
rerun-filter-errors = 错误
rerun-filter-guard = 守护检查
rerun-search = 搜索
rerun-follow = 跟随
rerun-fold = 另有 { $count } 行类似输出
rerun-earlier = 更早的 { $count } 行在日志中
rerun-guard-start = 守护检查已启动，PyTorch { $version }
rerun-guard-values = { $count } 个数值
rerun-past-here = 已越过崩溃点

## 提示

rerun-silent-text = 没有可读的日志。
rerun-said-nothing = 这次运行没有任何输出
rerun-said-guard-saved = 守护检查文件已保存到 { $name }
rerun-not-stopped = 无法请求停止这次运行
rerun-not-stopped-text = { $said }。运行仍在继续；如必须结束，请使用任务管理器。
rerun-guard-not-saved = 守护检查文件未能保存
rerun-guard-not-saved-text = { $said }。请换一个文件夹。
