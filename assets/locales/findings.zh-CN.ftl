# Findings: what was found in the data, why it fails, what to do.

finding-severity-error = 错误
finding-severity-warning = 警告
finding-severity-note = 提示
