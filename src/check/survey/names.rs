//! What the name of a file tells, before it is opened.

use std::path::Path;

use crate::inputs::Name;

/// Names of lists of classes, without their extension.
pub(super) const CLASS_LISTS: [&str; 20] = [
    "classes",
    "class_names",
    "classnames",
    "class_list",
    "class_labels",
    "class_indices",
    "class_mapping",
    "classlist",
    "_classes",
    "predefined_classes",
    "labels",
    "labelmap",
    "label_map",
    "label_names",
    "label_list",
    "names",
    "synsets",
    "categories",
    "id2label",
    "label2id",
];
/// Names of lists of colours, without their extension.
pub(super) const COLOUR_LISTS: [&str; 12] = [
    "labelmap",
    "label_map",
    "label_colors",
    "label_colours",
    "labelcolors",
    "colormap",
    "color_map",
    "colors",
    "palette",
    "class_dict",
    "class_colors",
    "dataset_meta",
];

/// Whether a text's name says that it lists class names or colours.
pub(super) fn is_named_as_list(path: &Path) -> bool {
    let name = Name::of(path);
    let stem = name.stem.as_str();
    name.extension == "names" || CLASS_LISTS.contains(&stem) || COLOUR_LISTS.contains(&stem)
}

/// Whether a file's name says that it is for people, or for the tools around a data set.
pub(super) fn is_named_as_document(path: &Path) -> bool {
    let name = Name::of(path);
    let stems = [
        "readme",
        "license",
        "licence",
        "changelog",
        "requirements",
        "notice",
        "copying",
        "citation",
    ];
    let begins = [
        "readme.",
        "readme_",
        "requirements-",
        "events.out.tfevents",
        "rng_state",
    ];
    let is = [
        "tokenizer.json",
        "tokenizer_config.json",
        "special_tokens_map.json",
        "added_tokens.json",
        "vocab.json",
        "vocab.txt",
        "merges.txt",
        "generation_config.json",
        "preprocessor_config.json",
        "trainer_state.json",
        "state.json",
        "package.json",
        "training_args.bin",
        "optimizer.pt",
        "optimizer.bin",
        "scheduler.pt",
        "scaler.pt",
        "tokenizer.model",
    ];
    stems.contains(&name.stem.as_str())
        || begins.iter().any(|word| name.whole.starts_with(word))
        || is.contains(&name.whole.as_str())
        || name.whole.ends_with(".index.json")
}

/// Whether a file's name is one of those that tell about the labels beside them.
pub(super) fn may_tell_of_labels(path: &Path) -> bool {
    let name = Name::of(path);
    let listed = matches!(name.extension.as_str(), "txt" | "names" | "json" | "csv");
    (listed && is_named_as_list(path))
        || name.extension == "yaml"
        || name.extension == "yml"
        || name.extension == "data"
        || matches!(
            name.whole.as_str(),
            "config.json"
                | "dataset_info.json"
                | "dataset_infos.json"
                | "meta.pkl"
                | "batches.meta"
                | "meta"
        )
}
