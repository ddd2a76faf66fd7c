# The window's state: what is read, what came of it, rows of the log.

app-ready = Ready
app-reading = Reading { $name }
app-reading-several = Reading { $count } items
app-read = { $name } read: { $lines ->
    [one] 1 line
   *[other] { $lines } lines
}, { $checks ->
    [0] no failed check
    [one] 1 failed check
   *[other] { $checks } failed checks
}
app-read-lines = { $name } read: { $lines ->
    [one] 1 line
   *[other] { $lines } lines
}
app-cancelled = Reading was cancelled
app-copied = Copied
app-settings-not-saved = The settings could not be saved: { $said }
app-search-failed = The search broke off: the log could not be read

app-pasted = Pasted text
app-stdin = Standard input
app-sample-segmentation-labels = Sample: a mask with a wrong class id
app-sample-added-tokens = Sample: tokens added, embedding not resized

app-no-dialog = The file dialog did not open
app-no-dialog-dropping = This desktop offers none to programs. Files can be dropped on the window or named on the command line.
app-no-dialog-export = This desktop offers none to programs. assert-doctor-cli check --offenders writes the table.
app-no-dialog-command = This desktop offers none to programs. Type the command, or drop the script on the window.
app-no-dialog-folder = This desktop offers none to programs. Type the folder.
app-no-dialog-guard = This desktop offers none to programs. assert-doctor-cli run --guard --kit --output . -- python train.py writes the files, too.
app-nothing-pasted = The clipboard holds no text
app-nothing-pasted-text = Select what the run printed, copy it, and paste it here.
app-open-broke = Reading broke off
app-open-broke-text = This is a fault of Assert Doctor, not of your file. What was open stays open. It was reading: { $names }
app-others = { $count } items were left out
app-none-read = None of the { $count } items could be read
app-not-a-log = { $what }. Labels are read from files: save the text as a file and open that.
app-input-problem = { $name }: { $problem }
app-and-more = { $count } more
app-is-kind = { $name } is { $kind }
app-is-kind-format = { $name } is { $kind } ({ $format })
app-is-packed = { $name } is packed; unpack it first

app-format-numpy-array = NumPy array
app-format-numpy-archive = NumPy archive
app-format-table = table
app-format-class-names = class names
app-format-mask = mask
app-format-compressed = packed
app-format-lfs-pointer = a Git LFS pointer, the data itself was not downloaded

app-note-elevated = Dropped files may not arrive
app-note-elevated-text = Assert Doctor runs as administrator, and Windows then usually blocks drag and drop from the Explorer. If a drop does nothing, use Open, or start it without those rights.
app-note-renderer = This window is drawn by { $name }
app-note-renderer-text = The graphics card could not be used for it. Everything works the same, only scrolling may be slower.
app-note-renderer-crashed = This window is drawn by { $name }
app-note-renderer-crashed-text = The last start ended early while the window was set up, so the graphics card is not used for it. Everything works the same, only scrolling may be slower.

app-fold-flood = { $count } more like this
app-fold-blocks = blocks { $range }
app-fold-threads = threads { $range }
app-fold-frames = { $count ->
    [one] 1 library frame
   *[other] { $count } library frames
}
app-fold-guard = { $count } more { $count ->
    [one] line
   *[other] lines
} of the guard
app-tag-guard-saw = stopped by the guard
app-fold-native = { $count } lines of native library code
app-tag-only-noticed-here = only noticed here
app-tag-other-process = another process failed first
app-tag-consequence = consequence
app-tag-would-give-the-line = would give the true line
app-tag-needs-own-build = needs a PyTorch built for it
app-row-too-long = This line is not shown: the lines around it are too long.
app-row-vanished = The log is not there any more, so this line cannot be shown.
app-row-denied = The system no longer allows reading the log.
app-row-changed = The log has become shorter, so this line is gone. Reload it to read it anew.
app-row-unreadable = This line could not be read.
app-end-exit-code = End of the log · exit code { $code }
app-end-no-exit-code = End of the log · no exit code recorded
app-run-number = Run { $number }
app-log-number = Log { $number }
