# 窗口状态：读了什么、结果如何，以及日志中的各行。

app-ready = 就绪
app-reading = 正在读取 { $name }
app-reading-several = 正在读取 { $count } 项
app-read = 已读取 { $name }：{ $lines } 行，{ $checks ->
    [0] 没有失败的检查
   *[other] { $checks } 项检查失败
}
app-read-lines = 已读取 { $name }：{ $lines } 行
app-cancelled = 已取消读取
app-copied = 已复制
app-settings-not-saved = 设置无法保存：{ $said }
app-search-failed = 搜索中断：无法读取日志

app-pasted = 粘贴的文本
app-stdin = 标准输入
app-sample-segmentation-labels = 示例：掩码里有错误的类别编号
app-sample-added-tokens = 示例：新增了 token，嵌入层没有扩容

app-no-dialog = 文件对话框没有打开
app-no-dialog-dropping = 当前桌面没有为程序提供文件对话框。可以把文件拖到窗口上，或在命令行里写上文件名。
app-no-dialog-export = 当前桌面没有为程序提供文件对话框。导出表格可用 assert-doctor-cli check --offenders。
app-no-dialog-command = 当前桌面没有为程序提供文件对话框。请输入命令，或把脚本拖到窗口上。
app-no-dialog-folder = 当前桌面没有为程序提供文件对话框。请输入目录。
app-no-dialog-guard = 当前桌面没有为程序提供文件对话框。也可以用 assert-doctor-cli run --guard --kit --output . -- python train.py 写出这些文件。
app-nothing-pasted = 剪贴板里没有文本
app-nothing-pasted-text = 请选中程序打印的内容，复制后再粘贴到这里。
app-open-broke = 读取中断
app-open-broke-text = 这是 Assert Doctor 自身的问题，与你的文件无关。已打开的内容保持不变。当时正在读取：{ $names }
app-others = 有 { $count } 项未读取
app-none-read = 这 { $count } 项都无法读取
app-not-a-log = { $what }。标签从文件读取：请把这段文本存成文件再打开。
app-input-problem = { $name }：{ $problem }
app-and-more = 另有 { $count } 项
app-is-kind = { $name } 是{ $kind }
app-is-kind-format = { $name } 是{ $kind }（{ $format }）
app-is-packed = { $name } 是压缩文件，请先解压

app-format-numpy-array = NumPy 数组
app-format-numpy-archive = NumPy 压缩包
app-format-table = 表格
app-format-class-names = 类别名称
app-format-mask = 掩码
app-format-compressed = 压缩文件
app-format-lfs-pointer = Git LFS 指针，数据本身尚未下载

app-note-elevated = 拖入的文件可能收不到
app-note-elevated-text = 程序正以管理员身份运行，Windows 这时通常会阻止从资源管理器拖放文件。如果拖放没有反应，请使用“打开”，或以普通身份启动。
app-note-renderer = 窗口由{ $name }绘制
app-note-renderer-text = 无法用显卡绘制窗口。功能不受影响，只是滚动可能稍慢。
app-note-renderer-crashed = 窗口由{ $name }绘制
app-note-renderer-crashed-text = 上次启动在创建窗口时中断，因此不再用显卡绘制。功能不受影响，只是滚动可能稍慢。

app-fold-flood = 另有 { $count } 行相同断言
app-fold-blocks = 线程块 { $range }
app-fold-threads = 线程 { $range }
app-fold-frames = { $count } 层库代码
app-fold-guard = 另有 { $count } 行守护检查输出
app-tag-guard-saw = 被守护检查拦下
app-fold-native = { $count } 行底层库代码
app-tag-only-noticed-here = 只是在这里被发现
app-tag-other-process = 其他进程先出错
app-tag-consequence = 后果
app-tag-would-give-the-line = 可定位到真正的行
app-tag-needs-own-build = 需自行编译 PyTorch 才有效
app-row-too-long = 这一行未显示：附近的行过长。
app-row-vanished = 日志文件已不存在，无法显示这一行。
app-row-denied = 系统不再允许读取这个日志。
app-row-changed = 日志变短了，这一行已不存在。请重新读取。
app-row-unreadable = 无法读取这一行。
app-end-exit-code = 日志结束 · 退出码 { $code }
app-end-no-exit-code = 日志结束 · 未记录退出码
app-run-number = 第 { $number } 次运行
app-log-number = 日志 { $number }
