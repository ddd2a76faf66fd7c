# 控制台程序。

cli-help = assert-doctor-cli { $version }：PyTorch 训练为什么崩溃？

    用法
      assert-doctor-cli diagnose 路径…   根据日志或 notebook 说明哪里失败；
                                         可同时给出标签、配置、检查点和脚本
      某个命令 2>&1 | assert-doctor-cli diagnose -
      assert-doctor-cli check 路径…      找出所有越界的标签：可给文件、数据集文件夹，以及说明范围的
                                         data.yaml、类别列表、config.json、权重、脚本
      assert-doctor-cli run -- 命令…     在看管下重新运行训练，并说明它为什么崩溃；
                                         命令可以直接以 .py 文件开头，会自动寻找 Python
      assert-doctor-cli compare 第一次 第二次
                                         第一次运行的崩溃在第二次中是否已消除：两份日志，或两个运行的文件夹
      assert-doctor-cli gpus             列出本机的 GPU；加 --health 则检测其中一个的计算是否正确

    diagnose 的选项
      --reproduction      只打印一个不超过 20 行、在 CPU 上以同样方式失败的脚本

    check 的选项
      --classes N         允许 0..N-1
      --max N             允许 0..N
      --range LO..HI      允许 LO..HI，含两端
      --kind 类型         值的用途：class、embedding、gather、index、probability
      --ignore V          要跳过的值，取代 -100，可重复
      --column 名称       列、键、字段或数组；没有表头时用从 0 开始的序号
      --split 名称=路径   某个划分的标签，可重复
      --log 路径          从日志里取尺寸
      --offenders OUT.csv 写出所有越界的值及其位置
      --device auto|cpu|gpu
                          大数组由谁检查：实测较快的一方、CPU 或 GPU；
                          gpu:2 表示 gpus 列出的第二个

    run 的选项（可组合）
      --sync              kernel 启动改为同步，使 traceback 指明出错的操作
      --guard             在数值到达 GPU 之前检查
      --cpu               无论脚本怎样要求，都在 CPU 上运行
      --workers N         每个 DataLoader 的 worker 进程数
      --output 文件夹     保存输出、采样和案例的位置
      --kit               不启动，只打印在另一台机器上运行的命令（PowerShell、cmd、bash、笔记本、SLURM）；
                          配合 --output 会把守护检查文件写到那里

    gpus 的选项
      --health            用已知数值检测 GPU；用 --device gpu:N 指定哪一个
      --measure           测量它复制、上传和检查的速度，不含读文件的时间

    选项
      --json          在标准输出打印一个 JSON 对象（未指定 --lang 时为英文）
      --lang en|zh-CN 回答所用的语言
      --help、--version

    退出码
      0  没有发现问题
      1  发现问题
      2  没有可读取或可用的内容
      run 返回命令自己的退出码；自身失败或选项有误为 125，命令无法启动为 127
      gpus --health：0 每个结果都正确，1 有结果不正确，2 没有可用的 GPU
      compare：0 崩溃已证实消除，1 未消除或无法判断，2 有日志无法读取
cli-see-help = 运行 assert-doctor-cli --help 查看用法
cli-no-command = 请说明要做什么，例如：assert-doctor-cli diagnose train.log
cli-no-path = 请指定要读取的日志，例如：assert-doctor-cli diagnose train.log
cli-unknown-command = “{ $value }”既不是命令，也不是文件
cli-unknown-option = 没有选项 { $value }
cli-missing-value = 选项 { $value } 需要一个值
cli-unknown-language = 没有语言“{ $value }”：请使用 en 或 zh-CN
cli-not-written = 无法写出结果：{ $said }
cli-compare-not-two = compare 需要两份日志或两个运行的文件夹，先给出崩溃的那一次：现在给出了 { $count } 个
cli-compare-no-stdin = compare 读取两个文件或文件夹，不能使用标准输入
cli-compare-signs = 迹象
cli-next = 下一步
cli-fixes = 如何修复（最可能的在前）
cli-others = 也可能是
cli-remarks = 值得知道
cli-other-logs = 其他日志
cli-data = 数据
cli-give-data = 把标签、数据集文件夹或训练脚本和日志一起给出，就能指出是哪个值、哪一行：assert-doctor-cli diagnose { $log } 数据…
cli-only-diagnose = { $value } 是 diagnose 命令的选项

cli-no-run-command = 请说明要运行什么，例如：assert-doctor-cli run --guard -- python train.py
cli-only-run = 选项 { $value } 只用于 run
cli-bad-workers = --workers 需要不小于 0 的整数，而不是“{ $value }”
cli-run-with = 使用{ $python }
cli-run-kept = 输出、采样和案例
cli-run-no-verdict = 无法读取输出的内容
cli-kit-not-saved = 守护检查文件未能写入：{ $said }
cli-kit-saved = 已写入 { $folder }：{ $files }
cli-kit-get-guard = 要得到 { $files }，请在命令前加上 --output 文件夹，文件会写到那里。
cli-run-next = 下一步：{ $next }
