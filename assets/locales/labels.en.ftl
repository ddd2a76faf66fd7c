# The Labels tab.

## Sources

labels-sources = Sources
labels-all-sources = All sources
labels-drop-more = Drop more files anywhere
labels-files = { $count ->
    [one] 1 file
   *[other] { $count } files
}
labels-what-files = { $count ->
    [one] 1 { $format } file
   *[other] { $count } { $format } files
}
labels-what-column = { $column }: { $count ->
    [one] 1 value
   *[other] { $count } values
}
labels-what-values = { $format }, { $count ->
    [one] 1 value
   *[other] { $count } values
}
labels-what-gives = gives { $what }
labels-what-gives-names = { $count ->
    [one] gives { $what } and 1 name
   *[other] gives { $what } and { $count } names
}
labels-what-script = Python script
labels-what-weights = weights
labels-what-names = class names
labels-what-colours = colours of the classes
labels-what-settings = settings
labels-what-refused = cannot be used
labels-source-out = { $count } out of range
labels-source-problems = { $count ->
    [one] 1 problem
   *[other] { $count } problems
}
labels-source-warnings = { $count ->
    [one] 1 warning
   *[other] { $count } warnings
}
labels-source-rule = Used as the rule
labels-source-agrees = Agrees with { $name }
labels-source-differs = Says { $range }
labels-source-unused = Not needed here
labels-source-good = Nothing out of range
labels-source-unknown = Range not known
labels-source-refused = Not read: { $reason }
labels-source-unread = { $count ->
    [one] 1 file not read
   *[other] { $count } files not read
}
labels-as-found = { $found } (as found)
labels-split-none = none
labels-scope = For all of { $name }

## Why something was not read

labels-reason-of = { $name }: { $reason }
labels-partly-of = { $read } of { $all } read
labels-partly-read = { $read } read, the rest is damaged
labels-unread = { $count ->
    [one] 1 file was not read
   *[other] { $count } files were not read
}
labels-partly = { $count ->
    [one] 1 file was read in part
   *[other] { $count } files were read in part
}

## Rule

labels-values-are = Values are
labels-allowed = Allowed
labels-allowed-lo = Smallest allowed value
labels-allowed-hi = Largest allowed value
labels-ignore = Ignore
labels-ignore-none = none
labels-rule = Rule
labels-check-on = Check on
labels-recheck = Recheck
labels-role-as-found = as found
labels-bound-none = not known
labels-bound-none-tooltip = Nothing that was given says how many classes there are. Type the range, or drop the class list, data.yaml, the checkpoint or the script.
labels-line = line { $line }
labels-not-a-number = This is not a number
labels-empty-range = The largest value is smaller than the smallest

## Headline

labels-compared = { $files ->
    [one] { $values } values in 1 file were compared with { $range }.
   *[other] { $values } values in { $files } files were compared with { $range }.
}
labels-compared-rules = { $files ->
    [one] { $values } values in 1 file were checked.
   *[other] { $values } values in { $files } files were checked.
}
labels-ignored = { $count ->
    [one] 1 of them is ignored.
   *[other] { $count } of them are ignored.
}
labels-sentence-gap = {" "}
labels-range-unknown-text = Type the largest allowed value, or drop what says how many classes there are: the class list, data.yaml, the checkpoint or the training script.
labels-nothing-read-text = The list of sources says why. Other files can be dropped at any time.
labels-no-labels-text = What was given only says what is allowed. Drop the label files, or the folder of the data set.
labels-stopped = The check was stopped
labels-stopped-text = { $count ->
    [one] Stopped after 1 of { $total } files. The rest was not checked.
   *[other] Stopped after { $count } of { $total } files. The rest was not checked.
}
labels-not-checked = The labels were not checked
labels-timing = { $count ->
    [one] checked in { $seconds } s on 1 CPU core
   *[other] checked in { $seconds } s on { $count } CPU cores
}
labels-timing-gpu = checked in { $seconds } s on { $gpu }
labels-timing-why = { $timing }: { $why }

## Checking

labels-checking = Checking the labels
labels-checking-of = { $count ->
    [one] Checking the labels: { $done } of 1 file
   *[other] Checking the labels: { $done } of { $count } files
}
labels-checking-files = { $count ->
    [one] Checking the labels: 1 file
   *[other] Checking the labels: { $count } files
}
labels-stopping = Stopping…
labels-broke = The check broke off
labels-broke-text = This is a fault of Assert Doctor, not of your files. What was found before stays.
labels-said-checked = { $findings ->
    [0] Nothing found
    [one] 1 finding
   *[other] { $findings } findings
} in { $files ->
    [one] 1 file
   *[other] { $files } files
}
labels-said-checked-again = Files have changed, checked again: { $findings ->
    [0] nothing found
    [one] 1 finding
   *[other] { $findings } findings
} in { $files ->
    [one] 1 file
   *[other] { $files } files
}
labels-said-stopped = The check was stopped
labels-said-changed = Files have changed, checking again
labels-said-exporting = Writing the offenders
labels-said-exported = { $count ->
    [one] 1 offender written to { $name }
   *[other] { $count } offenders written to { $name }
}

## Findings

labels-severity = Severity
labels-finding = Finding
labels-count = Count
labels-certainty = Certainty

## Offenders

labels-offenders = Offenders
labels-offenders-of = { $count } of this finding
labels-offenders-all = { $count } in all
labels-offenders-none = where it was seen first
labels-offenders-more = The first { $shown } of { $total } are listed. The export has all.
labels-export = Export CSV…
labels-export-title = Save the offenders
labels-export-failed = The offenders could not be written
labels-export-failed-text = The system said: { $said }
labels-export-source = Nothing was written
labels-export-source-text = That file is one of those that were checked. Your files are never changed: choose another name.
labels-file = File
labels-row = Row
labels-row-tooltip = Counted from 1; a table's header does not count
labels-value = Value
labels-as-it-stands = The row as it stands
labels-pixel = x { $x }, y { $y }
labels-document = document { $document }

## Chart

labels-chart-classes = Class ids
labels-chart-tokens = Token ids
labels-chart-values = Values
labels-chart-not-allowed = not allowed
labels-chart-all = all
labels-chart-other = other
labels-chart-only = { $value }: { $split } only
labels-chart-only-many = { $count } ids: { $split } only
labels-chart-more = { $count ->
    [one] and 1 more value
   *[other] and { $count } more values
}
labels-chart-spoken = { $title } { $range }. { $shown ->
    [0] Nothing is not allowed.
   *[other] Not allowed: { $values }.
}
labels-bar-name = { $value } · { $name }
labels-bar-count = { $series }: { $count }

## Fix

labels-fix = Suggested fix
labels-promise = Your files stay as they are: if the script writes, it writes copies.
labels-copy-script = Copy the script
labels-show-script = Show the script
labels-hide-script = Hide the script
labels-list-files = { $count ->
    [one] Copy the file's name
   *[other] List the { $count } files
}

## Empty

labels-empty-title = No labels in this case yet
labels-empty-text = Drop label files, a data set folder, a checkpoint or the training script here
labels-no-log-title = No log in this case
labels-no-log-text = Drop the log of the run that died here

## Panels

labels-add = Add a source
labels-add-files = Files…
labels-add-folder = Folder…
labels-open-folder = Folder…
labels-remove = Remove { $name }
labels-format = Format
labels-split = Split
labels-column = Column
labels-used-as = Values
labels-ignore-add = Ignore another value
labels-stop-ignoring = Do not ignore { $value }
labels-allow-as-found = Back to the range that was found
labels-copy-path = Copy the path
labels-copy-row = Copy the row
