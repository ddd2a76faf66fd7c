# 窗口：标签、按钮、屏幕阅读器用的名称。

## 顶栏和状态栏

ui-tab-log = 日志
ui-show-in-labels = 在标签中查看
ui-tab-labels = 标签
ui-tab-count = { $tab }，{ $count } 项需要查看
ui-open = 打开…
ui-close-case = 关闭这个案例
ui-language = 语言
ui-language-short = 中文
ui-theme = 主题
ui-theme-system = 跟随系统
ui-theme-light = 浅色
ui-theme-dark = 深色
ui-promise = 数据不会离开这台电脑
ui-ready = 就绪
ui-cancel = 取消
ui-dismiss = 收起
ui-percent = { $percent }%
ui-megabytes-read = 已读取 { $count } MB

## 开始

ui-start-title = 把崩溃那次运行的日志拖到这里
ui-start-text = 也可以打开文件，或粘贴报错文字。程序会说明哪里失败、有多大把握、下一步做什么。
ui-start-kinds = 支持终端输出、日志文件和 notebook；也支持标签文件、数据集文件夹、检查点和训练脚本。
ui-paste = 粘贴
ui-try-sample = 试试示例
ui-samples = 示例
ui-sample-segmentation-labels = 掩码里有错误的类别编号
ui-sample-segmentation-labels-about = Windows 上的图像分割，回溯停在 backward()
ui-sample-added-tokens = 新增了 token，但嵌入层没有扩容
ui-sample-added-tokens-about = 微调语言模型
ui-drop-here = 松开即可打开

## 读取

ui-reading = 正在读取
ui-try-again = 重试
ui-back-to-start = 返回开始页

## 结论

ui-next = 下一步
ui-details-show = 如何查找和修复
ui-details-good = 接下来可以做什么
ui-details-hide = 收起详情
ui-details-check = 检查方法
ui-details-fix = 修复方法（最可能的在前）
ui-details-others = 也可能是
ui-details-remarks = 值得知道
ui-copy = 复制
ui-details-reproduction = 能重现同样错误的最小脚本
ui-copy-reproduction = 复制脚本
ui-copy-check = 复制检查代码

## 日志

ui-shown-log = 当前日志
ui-log-count = 本案例共 { $count } 份日志
ui-log-lines = 日志内容
ui-overview = 日志概览
ui-filter-all = 全部
ui-filter-assertions = 断言
ui-filter-traceback = 回溯
ui-filter-errors = 错误
ui-filter-hints = 提示
ui-search = 搜索
ui-search-count = 第 { $current } 处，共 { $total } 处
ui-search-running = 正在搜索…
ui-search-none = 未找到
ui-search-next = 下一处
ui-search-previous = 上一处
ui-search-clear = 清除搜索
ui-copy-line = 复制该行
ui-copy-lines = 复制选中的行

## 文件对话框

ui-dialog-title = 打开文件
ui-dialog-logs = 日志和 notebook
ui-dialog-all = 所有文件
ui-dialog-folder = 打开文件夹

## 程序启动

ui-renderer-software = 处理器
