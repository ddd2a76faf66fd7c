# The window: labels, buttons, names for screen readers.

## Bars

ui-tab-log = Log
ui-show-in-labels = Show in Labels
ui-tab-labels = Labels
ui-tab-count = { $tab }, { $count } to look at
ui-open = Open…
ui-close-case = Close this case
ui-language = Language
ui-language-short = EN
ui-theme = Theme
ui-theme-system = Like the system
ui-theme-light = Light
ui-theme-dark = Dark
ui-promise = Nothing leaves this computer
ui-ready = Ready
ui-cancel = Cancel
ui-dismiss = Put away
ui-percent = { $percent } %
ui-megabytes-read = { $count } MB read

## Start

ui-start-title = Drop the log of the run that died
ui-start-text = or open it, or paste the error text. You get what failed, how sure that is, and what to do next.
ui-start-kinds = Terminal output, log files, notebooks; label files, data set folders, checkpoints and training scripts.
ui-paste = Paste
ui-try-sample = Try a sample
ui-samples = Samples
ui-sample-segmentation-labels = A mask with a wrong class id
ui-sample-segmentation-labels-about = segmentation on Windows, the traceback ends in backward()
ui-sample-added-tokens = Tokens added, embedding not resized
ui-sample-added-tokens-about = fine-tuning a language model
ui-drop-here = Drop to open

## Reading

ui-reading = Reading
ui-try-again = Try again
ui-back-to-start = Back to Start

## Verdict

ui-next = Next
ui-details-show = How to find and fix it
ui-details-good = What to try next
ui-details-hide = Hide the details
ui-details-check = Check it
ui-details-fix = Fix it, likeliest first
ui-details-others = What else it could be
ui-details-remarks = Good to know
ui-copy = Copy
ui-details-reproduction = The smallest script that fails like this
ui-copy-reproduction = Copy the script
ui-copy-check = Copy the check

## Log

ui-shown-log = Log shown
ui-log-count = { $count } logs in this case
ui-log-lines = Lines of the log
ui-overview = Overview of the log
ui-filter-all = All
ui-filter-assertions = Assertions
ui-filter-traceback = Traceback
ui-filter-errors = Errors
ui-filter-hints = Hints
ui-search = Search
ui-search-count = { $current } of { $total }
ui-search-running = Searching…
ui-search-none = Not found
ui-search-next = Next match
ui-search-previous = Previous match
ui-search-clear = Clear the search
ui-copy-line = Copy the line
ui-copy-lines = Copy the lines

## File dialog

ui-dialog-title = Open files
ui-dialog-logs = Logs and notebooks
ui-dialog-all = All files
ui-dialog-folder = Open a folder

## Start of the program

ui-renderer-software = the processor
