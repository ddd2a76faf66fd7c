# Findings: what was found in the data, why it fails, what to do.

finding-severity-error = Error
finding-severity-warning = Warning
finding-severity-note = Note
