# The data check: what was read, why a file could not be read, the console command.

check-nothing-wrong = No value is out of range
check-nothing-wrong-range = No value is outside { $range }
check-out-of-range = { $count ->
        [one] { $count } of { $values } values is outside { $range }
       *[other] { $count } of { $values } values are outside { $range }
    }
check-out-of-several = { $count ->
        [one] { $count } of { $values } values is out of range
       *[other] { $count } of { $values } values are out of range
    }
check-not-allowed = { $count ->
        [one] { $count } of { $values } values is not allowed
       *[other] { $count } of { $values } values are not allowed
    }
check-faults = { $count ->
        [one] { $count } problem in the data
       *[other] { $count } problems in the data
    }
check-no-range = No fault is visible, but the allowed range is not known
check-no-range-do = Name it with --classes N, or give the class list, the configuration or the checkpoint along with the labels.
check-nothing-read = No labels could be read
check-no-values = There are no label values in what was given
check-is-log = This is a log, and was left out: diagnose reads it together with the labels
    { $path }
check-more-unread = { $count ->
        [one] One more file could not be read
       *[other] { $count } more files could not be read
    }
check-cancelled = Stopped before all files were read
check-values = { $values ->
        [one] { $values } value
       *[other] { $values } values
    }
check-files = { $count ->
        [one] { $count } file
       *[other] { $count } files
    }
check-out = { $count } out of range
check-read = What was read
check-ranges = Allowed
check-fix = Fix
check-why = Why
check-script = Script
check-more = { $count ->
        [one] and { $count } more note: see --json
       *[other] and { $count } more: see --json
    }
check-ignored = ignored: { $values }
check-range-unknown = not known
check-offenders-written = { $count ->
        [one] { $count } value with its place was written to { $path }
       *[other] { $count } values with their places were written to { $path }
    }
check-range-of = { $range }, from { $source }
check-range-user = { $range }, as you said
check-range-guess = { $range }, a guess from { $source }

role-class = class ids
role-category-id = category ids
role-embedding = embedding ids
role-position = positions
role-token-type = segment ids
role-index = indices
role-multi-label = several labels a row
role-probability = probabilities
role-logits = model outputs

format-table = table
format-path-list = path list
format-image-folder = class folders
format-mask = mask
format-tokens = token

split-train = train
split-val = val
split-test = test

label-problem-not-found = The file or folder was not found
label-problem-not-found-do = It may have been moved or renamed. Check the path.
label-problem-access-denied = There is no permission to read it
label-problem-access-denied-do = The system refused it. Copy it to a folder of yours, or close the program that holds it.
label-problem-empty = The file is empty
label-problem-empty-do = No label was written to it. Write it again, or leave it out.
label-problem-device = This is not an ordinary file
label-problem-device-do = A device or pipe could be read without end. Save its content to a file first.
label-problem-cancelled = Reading was stopped
label-problem-cancelled-do = Check again to read it whole.
label-problem-changed = The file changed while it was read
label-problem-changed-do = Check again once it is complete.
label-problem-system = This could not be read
label-problem-system-do = The system says: { $said }. Try again, or copy the file to another place.
label-problem-folder-empty = This folder has no labels in it
label-problem-folder-empty-do = Give the folder with the label files, or its data.yaml.
label-problem-later-format = { $name } cannot be read by this version
label-problem-later-format-do = Save the labels as .npy, .csv or .json and check those.
label-problem-unknown = The format is not known
label-problem-unknown-do = Its bytes are of no label format this program reads. If it is a log, use diagnose.
label-problem-other-content = The name says { $named }, but this is { $found }
label-problem-other-content-do = Give it its right name, or make the file again.
label-problem-lfs = This is a Git LFS pointer, not the data
label-problem-lfs-do = The file was never downloaded. Run “git lfs pull” in the repository.
label-problem-no-labels = Nothing in this file looks like labels
label-problem-no-labels-do = Name what to check with --column. There is: { $found }.
label-problem-no-labels-nothing-do = There is no column, key or array of whole numbers or names in it.
label-problem-no-such-column = There is no “{ $wanted }” in this file
label-problem-no-such-column-do = There is: { $found }.
label-problem-malformed = The file is damaged
label-problem-malformed-do = { $said }. Write the file again.
label-problem-malformed-line-do = Line { $line }: { $said }. Mend that line, or write the file again.
label-problem-malformed-byte-do = At byte { $byte }: { $said }. Write the file again.
label-problem-cut-short = The file is cut short
label-problem-cut-short-do = It announces { $of } and holds { $read }. Copy or download it again.
label-problem-too-large = The file is too large to be read at once
label-problem-too-large-do = It has { $size } bytes; the limit for this kind is { $limit }.
label-problem-unpacks = The file unpacks to far more than it should
label-problem-unpacks-do = It would unpack to more than { $limit } bytes from a small file, which no real labels do. Reading was stopped.
label-problem-too-deep = The file is nested deeper than any real data
label-problem-too-deep-do = Reading was stopped. Check where the file comes from.
label-problem-python-number = Python wrote { $word }, which is not JSON
label-problem-python-number-do = It stands at byte { $byte }. A value is missing there: find it, or write with allow_nan=False to see where it comes from.
label-problem-python-number-key-do = It stands at byte { $byte }, in “{ $key }”. A value is missing there: find it, or write with allow_nan=False to see where it comes from.
label-problem-pickled-objects = The array stores Python objects (a pickle) and was not opened
label-problem-pickled-objects-do = Save it again as numbers: np.save("labels.npy", labels.astype("int64")).
label-problem-foreign-pickle = This is a pickle of { $name }
label-problem-foreign-pickle-do = Only Python can open it. Save the labels as CSV, .npy or .pt.
label-problem-code-only = The file holds a function ({ $name }). It was not run
label-problem-code-only-do = There is nothing else in it. Do not load it in Python unless you know who made it.
label-problem-element-type = The values are of the type { $name }
label-problem-element-type-do = No label has this type. Save them again as int64.
label-problem-doctype = The XML has a DOCTYPE and was not read
label-problem-doctype-do = Label files have none, and it can make a small file unfold to gigabytes. Remove that line if you trust the file.
label-problem-jpeg-mask = The mask is a JPEG
label-problem-jpeg-mask-do = JPEG changes values, so the classes in it are no longer those that were painted. Save masks as PNG.
label-problem-no-colour-list = The mask is a colour picture, and no list of its colours was found
label-problem-no-colour-list-do = Add label_colors.txt or labelmap.txt beside it, or save the class numbers as grey values.
label-problem-outside = The paths in it lead outside the folder and were not followed
label-problem-outside-do = It names { $name }. Give that folder, too, if it is meant.
label-problem-not-labels = There are no numeric labels here
label-problem-not-labels-do = This is { $name }.
label-problem-fault = Reading it broke off through a fault of this program
label-problem-fault-do = The other files were read. Please report it: { $said }.

cli-check-no-path = Name what to check, for example: assert-doctor-cli check --classes 10 labels.npy
cli-bad-number = “{ $value }” is not a number ({ $option })
cli-bad-range = “{ $value }” is not a range: write it as 0..9
cli-bad-kind = “{ $value }” is not a kind: use class, embedding, gather, index or probability
cli-bad-split = “{ $value }” is not a split: write it as val=PATH
cli-bad-device = “{ $value }” is not a device: use auto, cpu, gpu, or gpu:2 for the second one that gpus lists
cli-two-ranges = --classes, --max and --range exclude each other
cli-only-check = { $value } belongs to the command check
