# “标签”页。

## 来源

labels-sources = 来源
labels-all-sources = 全部来源
labels-drop-more = 文件可拖到任意位置
labels-files = { $count } 个文件
labels-what-files = { $count } 个 { $format } 文件
labels-what-column = { $column }：{ $count } 个值
labels-what-values = { $format }，{ $count } 个值
labels-what-gives = 给出 { $what }
labels-what-gives-names = 给出 { $what } 和 { $count } 个名称
labels-what-script = Python 脚本
labels-what-weights = 权重
labels-what-names = 类别名称
labels-what-colours = 类别颜色表
labels-what-settings = 配置
labels-what-refused = 无法使用
labels-source-out = { $count } 个越界
labels-source-problems = { $count } 个问题
labels-source-warnings = { $count } 个警告
labels-source-rule = 作为规则使用
labels-source-agrees = 与 { $name } 一致
labels-source-differs = 写的是 { $range }
labels-source-unused = 这里用不到
labels-source-good = 没有越界
labels-source-unknown = 范围未知
labels-source-refused = 未读取：{ $reason }
labels-source-unread = { $count } 个文件未读取
labels-as-found = { $found }（自动识别）
labels-split-none = 无
labels-scope = 适用于整个 { $name }

## 为什么没有读取

labels-reason-of = { $name }：{ $reason }
labels-partly-of = 已读取 { $read } / { $all }
labels-partly-read = 已读取 { $read }，其余部分损坏
labels-unread = { $count } 个文件未读取
labels-partly = { $count } 个文件只读取了一部分

## 规则

labels-values-are = 数值为
labels-allowed = 允许
labels-allowed-lo = 允许的最小值
labels-allowed-hi = 允许的最大值
labels-ignore = 忽略值
labels-ignore-none = 无
labels-rule = 规则
labels-check-on = 检查设备
labels-recheck = 重新检查
labels-role-as-found = 自动识别
labels-bound-none = 未知
labels-bound-none-tooltip = 现有文件都没有说明有多少个类别。可以直接输入范围，或拖入类别列表、data.yaml、检查点或训练脚本。
labels-line = 第 { $line } 行
labels-not-a-number = 这不是数字
labels-empty-range = 最大值小于最小值

## 标题句

labels-compared = { $files } 个文件中的 { $values } 个值已与 { $range } 比对。
labels-compared-rules = 已检查 { $files } 个文件中的 { $values } 个值。
labels-ignored = 其中 { $count } 个被忽略。
labels-sentence-gap = {""}
labels-range-unknown-text = 请输入允许的最大值，或拖入能说明类别数的文件：类别列表、data.yaml、检查点或训练脚本。
labels-nothing-read-text = 原因见来源列表。随时可以拖入其他文件。
labels-no-labels-text = 现有文件只说明了允许的范围。请拖入标签文件或数据集文件夹。
labels-stopped = 检查已停止
labels-stopped-text = 已检查 { $count } / { $total } 个文件，其余未检查。
labels-not-checked = 标签尚未检查
labels-timing = 用 { $count } 个 CPU 核心检查，耗时 { $seconds } 秒
labels-timing-gpu = 用 { $gpu } 检查，耗时 { $seconds } 秒
labels-timing-why = { $timing }：{ $why }

## 检查中

labels-checking = 正在检查标签
labels-checking-of = 正在检查标签：{ $done } / { $count } 个文件
labels-checking-files = 正在检查标签：{ $count } 个文件
labels-stopping = 正在停止…
labels-broke = 检查中断
labels-broke-text = 这是 Assert Doctor 的错误，与你的文件无关。之前的结果仍然保留。
labels-said-checked = { $files } 个文件中有 { $findings } 项发现
labels-said-checked-again = 文件有变化，已重新检查：{ $files } 个文件中有 { $findings } 项发现
labels-said-stopped = 检查已停止
labels-said-changed = 文件有变化，正在重新检查
labels-said-exporting = 正在写出越界明细
labels-said-exported = 已将 { $count } 条越界明细写入 { $name }

## 发现

labels-severity = 级别
labels-finding = 发现
labels-count = 数量
labels-certainty = 把握

## 越界明细

labels-offenders = 越界明细
labels-offenders-of = 本项共 { $count } 条
labels-offenders-all = 共 { $count } 条
labels-offenders-none = 首次出现的位置
labels-offenders-more = 只列出 { $total } 条中的前 { $shown } 条，导出的文件包含全部。
labels-export = 导出 CSV…
labels-export-title = 保存越界明细
labels-export-failed = 越界明细无法写出
labels-export-failed-text = 系统提示：{ $said }
labels-export-source = 没有写出任何内容
labels-export-source-text = 这个文件正是被检查的文件之一。本程序不会改动你的文件，请换一个文件名。
labels-file = 文件
labels-row = 行
labels-row-tooltip = 从 1 开始计数，表头不算
labels-value = 值
labels-as-it-stands = 原始内容
labels-pixel = 列 { $x }，行 { $y }
labels-document = 第 { $document } 篇

## 图表

labels-chart-classes = 类别编号
labels-chart-tokens = token 编号
labels-chart-values = 数值
labels-chart-not-allowed = 不允许
labels-chart-all = 全部
labels-chart-other = 其他
labels-chart-only = { $value }：仅 { $split }
labels-chart-only-many = { $count } 个编号：仅 { $split }
labels-chart-more = 另有 { $count } 个值
labels-chart-spoken = { $title } { $range }。{ $shown ->
    [0] 没有不允许的值。
   *[other] 不允许：{ $values }。
}
labels-bar-name = { $value } · { $name }
labels-bar-count = { $series }：{ $count }

## 修复

labels-fix = 建议的修复
labels-promise = 原文件保持不变：脚本如需写入，只会写到副本。
labels-copy-script = 复制脚本
labels-show-script = 查看脚本
labels-hide-script = 收起脚本
labels-list-files = { $count ->
    [1] 复制文件名
   *[other] 列出这 { $count } 个文件
}

## 空白

labels-empty-title = 这个案例还没有标签
labels-empty-text = 把标签文件、数据集文件夹、检查点或训练脚本拖到这里
labels-no-log-title = 这个案例没有日志
labels-no-log-text = 把崩溃那次运行的日志拖到这里

## 面板

labels-add = 添加来源
labels-add-files = 文件…
labels-add-folder = 文件夹…
labels-open-folder = 文件夹…
labels-remove = 移除 { $name }
labels-format = 格式
labels-split = 划分
labels-column = 列
labels-used-as = 数值
labels-ignore-add = 再忽略一个值
labels-stop-ignoring = 不再忽略 { $value }
labels-allow-as-found = 恢复为自动识别的范围
labels-copy-path = 复制路径
labels-copy-row = 复制这一行
