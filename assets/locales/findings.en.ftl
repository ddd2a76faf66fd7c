# Findings: what was found in the data, why it fails, what to do.
#
# finding-{id}-{part} or, for a variant, finding-{id}-{variant}-{part}; a part that a variant lacks is that of its id, then finding-{part}.

finding-severity-error = Error
finding-severity-warning = Warning
finding-severity-note = Note

finding-answer-ignore = Ignore { $value }
finding-none = none
finding-range-from = { $lo } and up
finding-bound = ({ $bound })
finding-bound-file = { $file }: { $what }
finding-bound-user = typed
finding-source-user = What you typed
finding-bound-folders = class folders

## Places

place-line = line { $line }
place-row = row { $row }
place-row-line = row { $row } (line { $line })
place-column = column { $column }
place-annotation = annotation { $key }
place-index = index { $index }
place-pixel = pixel ({ $x }, { $y })
place-document = document [{ $document }]
place-position = position [{ $position }]

## What holds for most

finding-certainty = { $certainty }
finding-detail = { $count ->
    [one] This is the only one.
   *[other] { $files ->
        [one] { $count } in all, in one file.
       *[other] { $count } in all, in { $files } files.
    }
}

## Values outside the range

finding-too-big-title = { $value } in { $place }: allowed { $range }{ $source }
finding-too-big-detail = { $count ->
    [one] This is the only value above { $hi }.
   *[other] { $files ->
        [one] { $count } values are above { $hi }, in one file.
       *[other] { $count } values are above { $hi }, in { $files } files.
    }
}
finding-too-big-explanation = The loss looks up the model's score for this class, and there is none. On a GPU that ends in a device-side assert.
finding-too-big-suggestion = Correct these labels, or give the model more outputs if the classes are real.
finding-too-big-embedding-explanation = The embedding has rows { $range } only. A larger id reads past its end, which is a device-side assert on a GPU.
finding-too-big-embedding-suggestion = Make the embedding as large as the largest id + 1, map the ids to 0, 1, 2…, or use the tokenizer that belongs to the model.
finding-too-big-position-explanation = The table of positions has rows { $range } only. A longer text runs past its end.
finding-too-big-position-suggestion = Cut the texts to the model's greatest length: truncation=True, max_length={ $size }.
finding-too-big-token-type-explanation = This model's table of token types has rows { $range } only.
finding-too-big-token-type-suggestion = Leave token_type_ids out for this model, or use a model whose type_vocab_size fits.
finding-too-big-index-explanation = gather, scatter and index_select take indices { $range } of that axis only.
finding-too-big-index-suggestion = Correct the indices, and check which axis they are meant for.
finding-too-big-probability-explanation = A binary cross-entropy takes values from 0 to 1 only; any other fails its check on the GPU.
finding-too-big-probability-suggestion = Bring the values into 0–1. Raw model outputs need sigmoid first, or binary_cross_entropy_with_logits.

finding-negative-title = { $value } in { $place }: allowed { $range }{ $source }
finding-negative-detail = { $count ->
    [one] This is the only value below { $lo }.
   *[other] { $files ->
        [one] { $count } values are below { $lo }, in one file.
       *[other] { $count } values are below { $lo }, in { $files } files.
    }
}
finding-negative-explanation = No class has a number below { $lo }. The loss skips only its ignore value (now: { $ignore }).
finding-negative-suggestion = { $pattern ->
    [yes] Correct these labels. What they probably mean is told next.
   *[no] Correct these labels. If { $value } means “no label”, pass ignore_index={ $value }.
}
finding-negative-embedding-explanation = An embedding has no row below 0, and it skips no value.
finding-negative-embedding-suggestion = Look where the ids are made: stored as int16, ids above 32,767 turn negative.
finding-negative-embedding-ignore-explanation = -100 is skipped in labels only. In ids that an embedding looks up it is an index below 0 and fails.
finding-negative-embedding-ignore-suggestion = Pad the ids with tokenizer.pad_token_id; keep -100 for the labels.
finding-negative-index-explanation = gather, scatter and index_select take no negative index.
finding-negative-index-suggestion = Correct the indices. Only tensor[index] counts negative ones from the end.
finding-negative-probability-explanation = A binary cross-entropy takes values from 0 to 1 only; any other fails its check on the GPU.
finding-negative-probability-suggestion = Bring the values into 0–1. Raw model outputs need sigmoid first, or binary_cross_entropy_with_logits.
finding-negative-unlabelled-title = All labels in { $file } are { $value }: a test set without labels
finding-negative-unlabelled-explanation = Test sets are often published without labels. It fails only where a loss is computed on this split.
finding-negative-unlabelled-suggestion = Compute no loss on this split, or pass ignore_index={ $value }.

finding-nan-title = NaN in { $place }
finding-nan-explanation = Converted to an integer, NaN becomes the smallest 64-bit number: far below 0, and the check of the classes fails.
finding-nan-suggestion = Fill or drop these rows first. pandas makes NaN of every empty cell.
finding-nan-float-explanation = One NaN makes the whole loss NaN, and a binary cross-entropy fails its check on it.
finding-nan-float-suggestion = Find where the NaN comes from: a division by 0, a log of 0, or a learning rate that is too high.

finding-inf-title = { $value } in { $place }
finding-inf-explanation = Infinity is no class. Converted to an integer it becomes a huge number, and the check of the classes fails.
finding-inf-suggestion = Correct these values first. A division by 0 is the usual reason.
finding-inf-float-explanation = An infinity makes the loss infinite or NaN, and a binary cross-entropy fails its check on it.
finding-inf-float-suggestion = Find where the infinity comes from: a division by 0, an overflow in float16, or a learning rate that is too high.

finding-fraction-title = { $value } in { $place }: whole numbers are needed
finding-fraction-explanation = Converted to an integer, the fraction is cut off without a word: training goes on with a wrong class.
finding-fraction-suggestion = Correct these values. If they are probabilities, check them as such.
finding-fraction-measured-title = { $value } in { $place }: most values have a fraction
finding-fraction-measured-detail = { $count ->
    [one] One value has a fraction.
   *[other] { $count } values have a fraction.
}
finding-fraction-measured-explanation = They look like probabilities or measurements, not class numbers. A regression or soft labels may want them so.
finding-fraction-measured-suggestion = If they are probabilities, check them as such. If they should be class numbers, check the column.

finding-text-title = “{ $value }” in { $place } is not in { $list }
finding-text-explanation = A name becomes a class number through the list of classes. One that is missing raises KeyError, or gets a number that the model has no output for.
finding-text-suggestion = Correct the name, or add it to the list and an output to the model.
finding-text-nearest-detail = { $count ->
    [one] The nearest name in the list is “{ $nearest }”.
   *[other] { $count } in all. The nearest name in the list is “{ $nearest }”.
}
finding-text-nearest-suggestion = Write “{ $nearest }”, if that is meant. Otherwise add the name to the list.
finding-text-case-detail = { $count ->
    [one] The list has “{ $nearest }”: only case, blanks or hyphens differ.
   *[other] { $count } in all. The list has “{ $nearest }”: only case, blanks or hyphens differ.
}
finding-text-case-suggestion = Write “{ $nearest }”, as the list does.
finding-text-no-list-title = “{ $value }” in { $place } stands among numbers
finding-text-no-list-explanation = It is no class number: int() raises ValueError, and pandas turns the whole column into text.
finding-text-no-list-suggestion = Give it its number, or give the list of classes.

finding-missing-title = No label in { $place }
finding-missing-explanation = pandas reads an empty cell as NaN. Converted to an integer that is the smallest 64-bit number, and the check of the classes fails.
finding-missing-suggestion = Label these rows, or leave them out.
finding-missing-unlabelled-title = No row of { $file } has a label: a test set without labels
finding-missing-unlabelled-explanation = Test sets are often published without labels. It fails only where a loss is computed on this split.
finding-missing-unlabelled-suggestion = Compute no loss on this split.

finding-unknown-class-title = { $value } in { $place } is not in the file's own list
finding-unknown-class-explanation = Training code maps ids through that list. One that is missing raises KeyError, or gets a number that the model has no output for.
finding-unknown-class-suggestion = Correct the id, or add the category to the list.
finding-unknown-class-colour-title = Colour ({ $value }) in { $place } is not in the list of colours
finding-unknown-class-colour-detail = { $count ->
    [one] One pixel has an unknown colour.
   *[other] { $count } pixels have an unknown colour.
}
finding-unknown-class-colour-explanation = A colour mask is decoded colour by colour. What becomes of an unknown colour depends on the code: class 0, an ignored pixel, or an error.
finding-unknown-class-colour-suggestion = Add the colour to the list, or repaint the pixels. Blurred edges make such colours, too: use PNG and nearest neighbour.

## Patterns

finding-one-based-title = Labels run { $least }–{ $most } and never 0: they count from 1
finding-one-based-detail = { $count ->
    [one] One label. Allowed are { $range }{ $source }.
   *[other] { $files ->
        [one] { $count } labels in one file. Allowed are { $range }{ $source }.
       *[other] { $count } labels in { $files } files. Allowed are { $range }{ $source }.
    }
}
finding-one-based-explanation = PyTorch counts classes from 0, so class { $size } of { $size } has no output.
finding-one-based-suggestion = Subtract 1 from every label.
finding-one-based-certainty = { $certainty } 1-based
finding-one-based-files-title = { $files } files use { $least }–{ $most } and never 0: they count from 1
finding-one-based-files-detail = { $others ->
    [one] The other file counts from 0.
   *[other] The other { $others } files count from 0.
}
finding-one-based-files-suggestion = Subtract 1 from the labels of these { $files } files only.
finding-one-based-unknown-detail = { $count } labels, and nothing says how many classes there are.
finding-one-based-unknown-explanation = PyTorch counts classes from 0. If these are all { $size } classes, the last one has no output.
finding-one-based-unknown-suggestion = Subtract 1 from every label, or give the number of classes.

finding-off-by-one-count-title = Labels run 0–{ $size }: these are { $more } classes, not { $size }
finding-off-by-one-count-detail = { $count ->
    [one] One value is { $size }. Allowed are { $range }{ $source }.
   *[other] { $count } values are { $size }. Allowed are { $range }{ $source }.
}
finding-off-by-one-count-explanation = Counted from 0, the last of { $size } classes is { $hi }. Often the background was counted on one side only.
finding-off-by-one-count-suggestion = Give the model { $more } outputs, or take the extra class out of the labels.
finding-off-by-one-count-certainty = { $certainty } one class more
finding-off-by-one-count-mask-suggestion = If 0 is background or “other” and no class: subtract 1 and pass ignore_index=255, as 0 becomes 255 in uint8. Otherwise give the model { $more } outputs.
finding-off-by-one-count-few-title = Only { $count } of { $total } labels { $count ->
    [one] is { $size }: probably a slip, not an extra class
   *[other] are { $size }: probably slips, not an extra class
}
finding-off-by-one-count-few-detail = Allowed are { $range }{ $source }.
finding-off-by-one-count-few-explanation = A real class would occur more often. Counted from 0, the last of { $size } classes is { $hi }.
finding-off-by-one-count-few-suggestion = Look at these rows first. Only if the extra class is real, give the model { $more } outputs.
finding-off-by-one-count-few-certainty = { $certainty } slips

finding-double-shift-title = Labels run { $least }–{ $most } for { $size } classes: 1 was subtracted twice
finding-double-shift-detail = { $count ->
    [one] One value is -1. Allowed are { $range }{ $source }.
   *[other] { $count } values are -1. Allowed are { $range }{ $source }.
}
finding-double-shift-explanation = The labels counted from 0 already when 1 was subtracted, so the first class became -1.
finding-double-shift-suggestion = Add 1 to every label, or remove one of the two subtractions.
finding-double-shift-certainty = { $certainty } shifted twice
finding-plus-minus-one-title = Labels are -1 and 1: two classes, written as signs
finding-plus-minus-one-detail = { $count ->
    [one] One label is -1. Allowed are { $range }{ $source }.
   *[other] { $count } labels are -1. Allowed are { $range }{ $source }.
}
finding-plus-minus-one-explanation = Some methods, such as SVMs, want the two classes as -1 and 1. PyTorch's losses want 0 and 1.
finding-plus-minus-one-suggestion = Turn -1 into 0: labels = (labels + 1) // 2. Do not ignore -1, or one of the two classes is never trained.
finding-plus-minus-one-certainty = { $certainty } two classes

finding-binary-255-title = A mask of 0 and 255: two classes in black and white
finding-binary-255-detail = { $count ->
    [one] One pixel is 255.
   *[other] { $files ->
        [one] { $count } pixels are 255, in one file.
       *[other] { $count } pixels are 255, in { $files } files.
    }
}
finding-binary-255-explanation = 255 is white here, not class 255. The loss takes it for a class number and fails.
finding-binary-255-suggestion = Turn it into classes: mask // 255. Do not ignore 255, or the object is never trained.
finding-binary-255-certainty = { $certainty } black and white

finding-blurred-mask-title = { $distinct } values that no class has: the mask was blurred
finding-blurred-mask-detail = { $count } pixels, { $share } of all. The first is in { $place }.
finding-blurred-mask-explanation = Interpolation and JPEG mix neighbouring class numbers into numbers in between.
finding-blurred-mask-suggestion = Make these masks again: resize with nearest neighbour, save as PNG.
finding-blurred-mask-certainty = { $certainty } blurred

finding-ignore-not-set-title = { $value } looks like an ignore value, but it is not set as one
finding-ignore-not-set-detail = { $count ->
    [one] One value. Ignored now: { $ignore }.
   *[other] { $files ->
        [one] { $count } values, in one file. Ignored now: { $ignore }.
       *[other] { $count } values, in { $files } files. Ignored now: { $ignore }.
    }
}
finding-ignore-not-set-explanation = { $value } usually means “do not count this”. The loss skips only its ignore_index and takes everything else for a class.
finding-ignore-not-set-suggestion = If that is meant, pass ignore_index={ $value } to the loss.
finding-ignore-not-set-certainty = { $certainty } ignore
finding-ignore-not-set-unknown-explanation = { $value } usually means “do not count this”. The loss takes it for a class, and fails unless the model has more than { $value } outputs.
finding-ignore-not-set-few-title = Only { $count } of { $total } labels { $count ->
    [one] is { $value }: a slip, or “no label”?
   *[other] are { $value }: slips, or “no label”?
}
finding-ignore-not-set-few-detail = Ignored now: { $ignore }.
finding-ignore-not-set-few-explanation = { $value } can mean “do not count this”, but then it is usually more frequent.
finding-ignore-not-set-few-suggestion = Look at these rows first. Only if “no label” is meant, pass ignore_index={ $value } to the loss.

finding-wrapped-title = { $value } may be -1 stored as { $element }
finding-wrapped-detail = { $count ->
    [one] One value. Allowed are { $range }{ $source }.
   *[other] { $count } values. Allowed are { $range }{ $source }.
}
finding-wrapped-explanation = An unsigned type has no -1. It becomes the largest value of the type, which is no class.
finding-wrapped-suggestion = Convert to int64 and write -100 in its place, or pass ignore_index={ $value }.
finding-wrapped-certainty = { $certainty } a stored -1
finding-wrapped-shifted-title = { $value } may be an ignored 255 from which 1 was subtracted
finding-wrapped-shifted-certainty = { $certainty } a shifted 255
finding-wrapped-shifted-explanation = 255 often means “do not count this”. Subtracting 1 from all labels moved it, too.

finding-instance-ids-title = Values like { $example } are class × { $factor } + instance
finding-instance-ids-detail = { $example } is class { $class }. There are { $count } such values.
finding-instance-ids-explanation = An instance mask numbers every object. The loss takes these numbers for classes and fails.
finding-instance-ids-suggestion = Divide by { $factor } without remainder, or use the masks of classes.
finding-instance-ids-certainty = { $certainty } instance ids

finding-added-tokens-title = { $added ->
    [one] Id { $value } is one past the vocabulary: a token was added
   *[other] Ids run on past the vocabulary: { $added } tokens were added
}
finding-added-tokens-detail = { $count ->
    [one] One id is { $size } or more. Allowed are { $range }{ $source }.
   *[other] { $count } ids are { $size } or more. Allowed are { $range }{ $source }.
}
finding-added-tokens-explanation = The tokenizer got new tokens, such as one for padding, but the embedding still has { $size } rows.
finding-added-tokens-suggestion = Call model.resize_token_embeddings(len(tokenizer)) before training. { $needed } rows are needed.
finding-added-tokens-certainty = { $certainty } added tokens

finding-float-ints-title = Whole numbers stored as floats in { $file }
finding-float-ints-explanation = To cross_entropy, float targets are probabilities; class numbers must be int64. In pandas this is the usual trace of an empty cell.
finding-float-ints-index-explanation = Embeddings and index operations take integers only; floats raise an error of their own. In pandas this is the usual trace of an empty cell.
finding-float-ints-suggestion = Convert them to int64 before training, once no cell is empty.

finding-sparse-title = { $distinct } different ids, but the largest is { $most }: there are gaps
finding-sparse-detail = { $count ->
    [one] One value is past the end. Allowed are { $range }{ $source }.
   *[other] { $count } values are past the end. Allowed are { $range }{ $source }.
}
finding-sparse-explanation = { $size } outputs or rows are enough only for ids 0, 1, 2… without gaps.
finding-sparse-suggestion = Map the ids to 0, 1, 2…, or make the layer { $needed } wide.
finding-sparse-certainty = { $certainty } ids with gaps
finding-sparse-unused-title = { $count ->
    [one] One of { $size } classes does not occur
   *[other] { $count } of { $size } classes do not occur
}
finding-sparse-unused-detail = Without a label: { $absent }.
finding-sparse-unused-explanation = Nothing fails, but the model is never trained on them.
finding-sparse-unused-suggestion = If that is a surprise, look for missing files.
finding-sparse-unused-certainty = { $certainty }
finding-sparse-unknown-title = { $distinct } different labels, and the largest is { $most }
finding-sparse-unknown-detail = Nothing says how many classes there are.
finding-sparse-unknown-explanation = A model sized by the number of different labels has no output for the largest ones.
finding-sparse-unknown-suggestion = Give the model { $needed } outputs, or map the labels to 0, 1, 2….
finding-sparse-unknown-certainty = { $certainty }
finding-sparse-category-title = { $distinct } categories have the ids { $least }–{ $most }, not 0, 1, 2…
finding-sparse-category-detail = Seen in { $file }.
finding-sparse-category-explanation = Training code that maps them in order of their ids is fine. Used raw as class numbers they need { $needed } outputs.
finding-sparse-category-suggestion = Make sure that your own code maps them, too.
finding-sparse-category-certainty = { $certainty }

## Splits and lists

finding-val-only-title = Class { $class } occurs only in { $split }
finding-val-only-detail = { $classes ->
    [one] Labels: { $count }. Files: { $files }.
   *[other] { $classes } such classes. Labels: { $count }. Files: { $files }.
}
finding-val-only-explanation = Numbers made from the training names have no place for it: KeyError, or a class that the model has no output for.
finding-val-only-suggestion = Make the list of classes once, from all splits, and keep it in a file.
finding-val-only-id-explanation = The list of the training file lacks it. Training code that maps ids through that list has no place for it.
finding-val-only-id-suggestion = Use the same list of categories in both files.
finding-val-only-fixed-explanation = Its number is fixed by the list of classes, so nothing fails. The model is just never trained on it.
finding-val-only-fixed-suggestion = Add training examples, or leave the class out of the score.
finding-val-only-numbers-explanation = If the number of classes is taken from the training labels, this one may be past the end.
finding-val-only-numbers-suggestion = Give the number of classes, and count it over all splits.
finding-val-only-folder-title = The class folder { $class } exists only in { $split }
finding-val-only-folder-detail = { $classes ->
    [one] In { $place }.
   *[other] { $classes } such folders, all in { $place }.
}
finding-val-only-folder-explanation = ImageFolder then has more classes there than the model has outputs, and numbers the later ones differently.
finding-val-only-folder-suggestion = Have the same class folders in every split.

finding-order-title = “{ $class }” is { $there } in { $base } and { $here } in { $split }
finding-order-detail = { $count ->
    [one] One name has another number.
   *[other] { $count } names have another number.
}
finding-order-explanation = The same names in another order: predictions are compared with the wrong classes. Nothing crashes, the score is just wrong.
finding-order-suggestion = Use one list for everything.
finding-order-ids-explanation = Both files have the same categories, but under other ids. Predictions are compared with the wrong classes. Nothing crashes, the score is just wrong.
finding-order-ids-suggestion = Give the categories the same ids in both files.
finding-order-folders-explanation = ImageFolder numbers the folders of each split by itself. Predictions are compared with the wrong classes, and nothing crashes.
finding-order-folders-suggestion = Have the same class folders in every split, or pass the numbers of the training split to the others.

finding-renumbered-title = “{ $class }” is a folder in { $has } but not in { $without }: later classes shift
finding-renumbered-detail = Seen in { $place }.
finding-renumbered-explanation = The number of a class is the rank of its folder among the sorted folders of that split.
finding-renumbered-suggestion = Add the folder, or remove it from both.

finding-hidden-folder-title = The hidden folder { $value } is taken for a class
finding-hidden-folder-detail = In { $place }.
finding-hidden-folder-explanation = ImageFolder takes every subfolder. A hidden one comes first and shifts the numbers of all classes by 1.
finding-hidden-folder-suggestion = Delete it, or move it out of the data set.

finding-case-clash-title = “{ $one }” and “{ $other }” differ only in case, blanks or hyphens
finding-case-clash-explanation = They count as two classes.
finding-case-clash-suggestion = Write the name in one form.
finding-case-clash-folders-explanation = Linux has two classes here, Windows only one: the numbers differ from machine to machine.
finding-case-clash-folders-suggestion = Put the pictures of both into one folder.

finding-count-mismatch-title = { $first } gives { $first-size } classes, { $other } gives { $other-size }
finding-count-mismatch-detail = { $first-size } is used here.
finding-count-mismatch-explanation = If the model is built with one number and the labels are made with the other, labels can lie past the end.
finding-count-mismatch-suggestion = Find out which is right, and correct the other.
finding-count-mismatch-names-title = { $file } lists { $names } names, but says { $stated } classes
finding-count-mismatch-names-detail = The { $names } names are used here.
finding-count-mismatch-names-explanation = Trainers build the model with one of the two. A label that fits only the other has no output, or no name.
finding-count-mismatch-names-suggestion = Complete the names, or correct the number.
finding-count-mismatch-labels-title = The labels have { $names } different names, but { $size ->
    [one] only one class is allowed
   *[other] only { $size } classes are allowed
}
finding-count-mismatch-labels-detail = Allowed are { $range }{ $source }.
finding-count-mismatch-labels-explanation = Each name becomes a class of its own, and the last ones have no output.
finding-count-mismatch-labels-suggestion = Look for misspelt names first. If all are meant, give the model { $names } outputs.

finding-duplicates-detail = { $count ->
    [one] { $before }
   *[other] { $count } in all. { $before }
}
finding-duplicates-before = The first one: { $place }.
finding-duplicates-annotation-id-title = Annotation id { $value } stands twice: { $place }
finding-duplicates-annotation-id-explanation = An index by id keeps only the last of them: annotations get lost.
finding-duplicates-annotation-id-suggestion = Number the annotations again.
finding-duplicates-category-id-title = Category id { $value } stands twice: { $place }
finding-duplicates-category-id-explanation = Two names share one number: their classes become one.
finding-duplicates-category-id-suggestion = Give one of them an id of its own.
finding-duplicates-class-name-title = Class name “{ $value }” stands twice: { $place }
finding-duplicates-class-name-explanation = Two numbers share one name. Looked up by name, one of them is never used.
finding-duplicates-class-name-suggestion = Rename or remove one of them.
finding-duplicates-image-title = Picture { $value } is listed twice: { $place }
finding-duplicates-image-explanation = It is trained twice as often, or its annotations are split between two entries.
finding-duplicates-image-suggestion = Remove one of the entries.
finding-duplicates-contradiction-title = { $value } is labelled { $one } and { $other }: { $place }
finding-duplicates-contradiction-explanation = The same picture has two different labels. One of them is wrong, and the model is trained on both.
finding-duplicates-contradiction-suggestion = Look at the picture and keep the right label.

finding-empty-title = No labels in { $file }
finding-empty-detail = { $files ->
    [one] One file without a label.
   *[other] { $files } files without a label.
}
finding-empty-explanation = Nothing can be trained with it. Some loaders stop here, others go on with less data.
finding-empty-suggestion = Make the file again, or leave it out.
finding-empty-class-title = The class folder “{ $value }” is empty: { $place }
finding-empty-class-detail = { $count ->
    [one] One folder.
   *[other] { $count } folders.
}
finding-empty-class-explanation = torchvision refuses it with FileNotFoundError; other loaders leave it out, and all later class numbers shift.
finding-empty-class-suggestion = Add pictures, or remove the folder from every split.
finding-empty-no-pictures-title = No picture in the class folder “{ $value }”: { $place }
finding-empty-no-pictures-detail = { $others ->
    [one] One file of another kind is in it.
   *[other] { $others } files of other kinds are in it.
}
finding-empty-no-pictures-explanation = torchvision reads .jpg, .jpeg, .png, .ppm, .bmp, .pgm, .tif, .tiff and .webp only, and refuses a class without one.
finding-empty-no-pictures-suggestion = Convert the pictures, or pass your own list of extensions.

## Shapes

finding-shape-title = Outputs { $outputs } do not fit targets { $targets }
finding-shape-detail = Compared in { $place }.
finding-shape-rank-explanation = cross_entropy wants (N, C, …) against (N, …): the targets have one axis less, the one of the classes.
finding-shape-rank-suggestion = Bring one of them into that form.
finding-shape-batch-explanation = The first axis is the number of examples, and it must be the same on both sides.
finding-shape-batch-suggestion = Check that both were saved from the same data and in the same order.
finding-shape-squeeze-explanation = cross_entropy wants targets of shape (N,). Here they are a column.
finding-shape-squeeze-suggestion = Use targets.squeeze(1).
finding-shape-class-axis-explanation = cross_entropy wants the classes on axis 1. Here they are on the last axis.
finding-shape-class-axis-suggestion = Move the axis: outputs.movedim(-1, 1).
finding-shape-classes-title = Outputs { $outputs } have { $classes } classes, but the targets go up to { $most }
finding-shape-classes-explanation = The largest target has no output, which is a device-side assert on a GPU.
finding-shape-classes-suggestion = Give the model more outputs, or correct the targets.
finding-shape-equal-explanation = A binary cross-entropy wants both of the same shape.
finding-shape-equal-suggestion = Bring them into one shape, with squeeze(1) or one_hot.

## Files

finding-bad-box-title = Bad box in { $place }: { $why }
finding-bad-box-explanation = A box without size or outside the picture makes a loss of NaN, or its file is skipped with only a warning.
finding-bad-box-suggestion = Correct the box or remove it.
finding-bad-line-title = { $place } cannot be read: { $why }
finding-bad-line-explanation = Loaders stop at such a line, or skip the whole file with only a warning. All other lines were checked.
finding-bad-line-suggestion = Correct the line or remove it.
finding-why-ends-early = it ends too early
finding-why-no-key = a key is not in double quotes
finding-why-comma = a comma too many
finding-why-more-text = more text behind the end
finding-why-no-value = no value where one must be
finding-why-separator = a comma or bracket is missing
finding-why-control = a line break or control character inside a text
finding-why-escape = a backslash that escapes nothing
finding-why-number = a number in a form that JSON does not have
finding-why-deep = nested too deep
finding-why-python = { $a } is not JSON (key { $b })
finding-why-long = longer than { $a }
finding-why-quote = a quote that is never closed
finding-why-no-cell = no cell in column { $a }
finding-why-cells = { $a } cells instead of { $b }
finding-why-classes = { $a } of { $b } classes
finding-why-no-label = no label behind the path
finding-why-no-object = no annotation
finding-why-category = the category id { $a } is no whole number
finding-why-no-name = an object without a name
finding-why-fields = { $a ->
    [1] one field
   *[other] { $a } fields
}
finding-why-no-class = class { $a } is no number
finding-why-no-number = { $a } is no number
finding-why-width = width { $a }
finding-why-height = height { $a }
finding-why-beyond = { $a } outside { $b }
finding-why-field = { $a } in field { $b } is outside 0..1
finding-why-no-coordinate = { $a } in field { $b } is no coordinate
finding-why-sides = xmin { $a } is not left of xmax { $b }
finding-why-tops = ymin { $a } is not above ymax { $b }
finding-why-begins = it begins at { $a }, { $b }, outside the picture
finding-why-ends = ends at { $a } in a picture of { $b }
finding-why-nc = nc: { $a } is no number of classes
finding-why-names = the names have the numbers { $a } to { $b }, not 0, 1, 2…
finding-why-not-text = this is no text
finding-cut-short-title = { $file } is cut short: { $read } of { $of } are there
finding-cut-short-detail = What is there was checked.
finding-cut-short-explanation = The copy or the download ended early, or the program that wrote it died.
finding-cut-short-suggestion = Fetch or write the file again.
finding-cut-short-unknown-size-title = { $file } ends early: { $read } could be read
finding-cut-short-broken-title = { $file } cannot be read to its end: { $why }
finding-cut-short-broken-detail = { $read ->
    [one] One label before that was checked.
   *[other] { $read } labels before that were checked.
}
finding-cut-short-broken-explanation = Python's json module refuses the whole file because of it.
finding-cut-short-broken-suggestion = Correct it there, or write the file again.
finding-cut-short-broke-off-title = { $file } cannot be read to its end: { $why }
finding-cut-short-broke-off-detail = { $read ->
    [one] One label before that was checked.
   *[other] { $read } labels before that were checked.
}
finding-cut-short-broke-off-explanation = What comes behind that is not known, so the file cannot be called clean.
finding-cut-short-broke-off-suggestion = Correct it there, or write the file again.
finding-cut-short-files-title = { $file } holds more than { $most } files: the rest was not read
finding-cut-short-files-explanation = The limit keeps a check from going on without end. What lies beyond was not checked.
finding-cut-short-files-suggestion = Check its parts one by one.
finding-cut-short-list-title = { $file } names more pictures than are followed
finding-cut-short-list-explanation = The limit keeps a check from going on without end. What lies beyond was not checked.
finding-cut-short-list-suggestion = Split the list, or give the folders with the label files.
finding-cut-short-values-title = { $file } holds more than is read of one file
finding-cut-short-values-explanation = The limit keeps a check from going on without end. What lies beyond was not checked.
finding-cut-short-values-suggestion = Save the labels alone, as .npy or .csv, and check those.
finding-cut-short-unlisted-title = The folder “{ $value }” could not be listed
finding-cut-short-unlisted-detail = The system says: { $said }.
finding-cut-short-unlisted-explanation = What is in it is not known, so the data cannot be called clean.
finding-cut-short-unlisted-suggestion = Check the rights of that folder, and check again.
finding-cut-short-troubles-title = { $file } was read only in part: too much in it is wrong
finding-cut-short-troubles-explanation = After thousands of faults more say nothing new. What comes after them was not checked.
finding-cut-short-troubles-suggestion = Check whether this is the right file and the right format, then correct the first faults and check again.
finding-cut-short-changed-title = { $file } changed while it was read
finding-cut-short-changed-detail = The answer may mix old and new values.
finding-cut-short-changed-explanation = Another program was writing to it.
finding-cut-short-changed-suggestion = Check again once it is complete.
finding-code-not-run-title = { $file } holds a function: { $value }. It was not run
finding-code-not-run-detail = { $count ->
    [one] The rest of the file was checked.
   *[other] { $count } functions in all. The rest was checked.
}
finding-code-not-run-explanation = A pickle can name any function, and loading it runs that function. Label files need none.
finding-code-not-run-suggestion = Do not load this file unless you trust where it comes from. torch.load(…, weights_only=True) refuses it.
finding-stale-cache-title = { $file } is older than the label files
finding-stale-cache-detail = { $files ->
    [one] One cache.
   *[other] { $files } caches.
}
finding-stale-cache-explanation = Trainers may go on with the old labels that are kept in it.
finding-stale-cache-suggestion = Delete the cache; it is made again.
finding-unknown-image-title = { $place } belongs to image { $value }, which is not listed
finding-unknown-image-explanation = Loaders that look up the picture stop with KeyError; others lose the annotation.
finding-unknown-image-suggestion = Add the picture to “images”, or remove the annotation.
finding-path-not-followed-title = { $file } names { $value }, which lies outside. It was not opened
finding-path-not-followed-explanation = Only what you gave is opened: a path can lead anywhere, even to another computer.
finding-path-not-followed-suggestion = If it belongs to the data, add that folder.
finding-path-not-followed-missing-title = { $file } names { $value }, which is not there
finding-path-not-followed-missing-explanation = Trainers resolve such paths from their own folder, so it may still exist for them.
finding-path-not-followed-missing-suggestion = Check the path, or add the folder.
finding-split-as-class-title = “{ $value }” is taken for a class: this is the folder above the splits
finding-split-as-class-detail = In { $place }.
finding-split-as-class-explanation = ImageFolder takes every subfolder for a class. Here those are the splits.
finding-split-as-class-suggestion = Give it the folder of one split, such as train.

## Remarks

finding-remark-int32-title = { $file } holds { $element }; cross_entropy wants int64
finding-remark-int32-explanation = That is an error of its own (“expected scalar type Long”), not a device-side assert. NumPy before 2 makes int32 on Windows.
finding-remark-int32-suggestion = Convert the targets: targets.long().
finding-remark-yaml-words-title = YAML reads some names in { $file } as something else: { $words }
finding-remark-yaml-words-explanation = Unquoted, no and yes are truth values and 007 is a number. Each is still one class.
finding-remark-yaml-words-suggestion = Put these names into quotes.
finding-remark-encoding-title = { $file } is not UTF-8; it was read as { $encoding }
finding-remark-encoding-explanation = If that guess is wrong, so are names with accents or other scripts. Python's open() may stop with UnicodeDecodeError.
finding-remark-encoding-suggestion = Save the file as UTF-8.
finding-remark-palette-title = { $file } has a palette: the way it is opened decides
finding-remark-palette-explanation = Image.open gives the class numbers. convert("L") and OpenCV give the brightness of the colours instead: { $luminance }.
finding-remark-palette-suggestion = Open masks with Image.open alone.
finding-remark-results-title = { $file } holds results of a model, no annotations
finding-remark-results-explanation = Its ids are those that the model's code wrote.
finding-remark-results-suggestion = For training, check the annotation file.
finding-remark-lost-digits-title = { $value } in { $place } is too long for a float
finding-remark-lost-digits-explanation = Above 2^53 a float skips whole numbers: the last digits may be others than those written.
finding-remark-lost-digits-suggestion = Store ids as integers or as text.
finding-remark-root-files-title = { $count ->
    [one] One picture lies directly in { $place }
   *[other] { $count } pictures lie directly in { $place }
}
finding-remark-root-files-explanation = ImageFolder ignores pictures outside the class folders.
finding-remark-root-files-suggestion = Move them into a class folder if they are meant to count.
finding-remark-left-out-title = Not everything in { $file } was read: { $names }
finding-remark-left-out-explanation = These parts did not look like labels, or their form is not read by this version.
finding-remark-left-out-suggestion = If labels are among them, name the column or key.
finding-remark-own-table-title = { $file } was left out: this program wrote it
finding-remark-own-table-explanation = It lists values out of range, exported from an earlier check. As labels they would be out of range again.
finding-remark-own-table-suggestion = Keep it outside the data set, so that training does not read it either.
finding-remark-not-all-told-title = { $file } has more faults than are listed here
finding-remark-not-all-told-detail = All of it was read.
finding-remark-not-all-told-explanation = After so many faults of one kind more say nothing new.
finding-remark-not-all-told-suggestion = Correct the first ones and check again.
finding-remark-no-main-guard-title = { $place } starts workers outside if __name__ == "__main__":
finding-remark-no-main-guard-explanation = On Windows every worker runs the script again from its top, and fails. That is another error than a device-side assert.
finding-remark-no-main-guard-suggestion = Move the training code into a function that is called under if __name__ == "__main__":.

finding-unreadable-title = { $count ->
    [one] { $file } could not be read
   *[other] { $count } files could not be read, the first is { $file }
}
finding-unreadable-detail = The others were checked.
finding-unreadable-explanation = What stands in it is not known, so the data cannot be called clean.
finding-unreadable-suggestion = Mend or remove it, and check again.

finding-remark-ignored-title = { $value } is skipped here: the loss must skip it, too
finding-remark-ignored-explanation = The check leaves these values out because you said so. The training code knows nothing of it.
finding-remark-ignored-suggestion = Pass ignore_index={ $value } to the loss, or it still fails on the first of them.
