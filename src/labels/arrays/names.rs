//! What the name of an array tells about its values.

use crate::labels::Role;

/// What a name tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// Labels of a loss.
    Label,
    /// A picture of labels: one a pixel.
    Mask,
    /// Values with this use.
    Role(Role),
    /// Outputs of a model: these where they are floats, classes where they are integers.
    Output(Role),
    /// Perhaps values with this use; taken where nothing tells more.
    Perhaps(Role),
    /// No labels: pictures, features, names, sizes.
    Other,
    /// Nothing.
    Nothing,
}

const LABELS: &[&str] = &[
    "label",
    "labels",
    "lbl",
    "lbls",
    "target",
    "targets",
    "y",
    "gt",
    "gts",
    "groundtruth",
    "truth",
    "cls",
    "class",
    "category",
    "categories",
    "sentiment",
    "species",
    "annotation",
    "annotations",
    "annot",
    "ytrain",
    "ytest",
    "yval",
    "trainy",
    "testy",
    "valy",
    "classid",
    "classids",
    "categoryid",
    "labelids",
    "labelid",
];
const MASKS: &[&str] = &[
    "mask",
    "masks",
    "seg",
    "segmentation",
    "segmentations",
    "semantic",
    "segm",
];
const NEVER: &[&str] = &[
    "name",
    "names",
    "map",
    "mapping",
    "dict",
    "encoder",
    "smoothing",
    "weight",
    "weights",
    "bias",
    "count",
    "counts",
    "num",
    "n",
    "nb",
    "path",
    "paths",
    "file",
    "files",
    "filename",
    "filenames",
    "text",
    "texts",
    "size",
    "sizes",
    "len",
    "length",
    "lengths",
    "loss",
    "losses",
    "lr",
    "epoch",
    "epochs",
    "step",
    "steps",
    "iteration",
    "version",
    "seed",
    "mean",
    "std",
    "var",
    "shape",
    "shapes",
    "ptr",
    "accuracy",
    "acc",
];
const DATA: &[&str] = &[
    "data",
    "image",
    "images",
    "img",
    "imgs",
    "x",
    "pixel",
    "pixels",
    "feature",
    "features",
    "feat",
    "feats",
    "embedding",
    "embeddings",
    "embeds",
    "box",
    "boxes",
    "bbox",
    "bboxes",
    "keypoints",
    "audio",
    "video",
    "coords",
    "pos",
    "points",
    "offset",
    "offsets",
    "area",
    "iscrowd",
    "xtrain",
    "xtest",
    "xval",
    "trainx",
    "testx",
    "valx",
    "picture",
    "pictures",
    "photo",
    "photos",
    "batch",
    "frame",
    "frames",
    "waveform",
    "spectrogram",
    "adj",
];
const OUTPUTS: &[&str] = &[
    "logit",
    "logits",
    "pred",
    "preds",
    "prediction",
    "predictions",
    "output",
    "outputs",
    "score",
    "scores",
    "predicted",
];
const PROBABILITIES: &[&str] = &[
    "prob",
    "probs",
    "probability",
    "probabilities",
    "proba",
    "probas",
    "softmax",
    "sigmoid",
];

/// What the name of an array, key or field tells.
pub(super) fn tell(name: &str) -> Told {
    let words = words(name);
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let ids = has(&["id", "ids"]);
    if has(&["mask", "masks"])
        && has(&[
            "attention",
            "attn",
            "padding",
            "pad",
            "key",
            "special",
            "loss",
            "causal",
        ])
    {
        return Told::Role(Role::MultiLabel);
    }
    if has(&["mask"]) && words.len() == 2 && has(&["train", "val", "test", "valid"]) {
        return Told::Other;
    }
    if has(&["segment", "type"]) && ids && !has(&["class"]) {
        return Told::Role(Role::TokenType);
    }
    if has(&["position", "pos"]) && ids || has(&["cache"]) && has(&["position"]) {
        return Told::Role(Role::Position);
    }
    if has(NEVER) {
        return Told::Other;
    }
    if has(PROBABILITIES) {
        return Told::Output(Role::Probability);
    }
    if has(OUTPUTS) {
        return Told::Output(Role::Logits);
    }
    if has(LABELS) {
        return Told::Label;
    }
    if has(MASKS) {
        return Told::Mask;
    }
    if has(&["classes"]) {
        return Told::Perhaps(Role::Class);
    }
    if has(&["token", "tokens", "tokenids", "inputids"]) || ids && has(&["input"]) {
        return Told::Role(Role::Token);
    }
    if has(&[
        "user", "users", "item", "items", "userid", "itemid", "movie", "product", "entity",
        "speaker",
    ]) && (ids || words.len() == 1)
    {
        return Told::Role(Role::Token);
    }
    if ids && has(DATA) {
        return Told::Other;
    }
    if has(&["index", "indices", "indexes", "idx", "idxs", "edges"]) {
        return Told::Perhaps(Role::Index);
    }
    if has(DATA)
        || words
            .first()
            .is_some_and(|word| word == "inputs" || word == "input")
    {
        return Told::Other;
    }
    Told::Nothing
}

/// Words of a name in lower case: cut at everything but letters and where a small letter meets a capital.
fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut small = false;
    for c in name.chars().take(512) {
        if !c.is_alphabetic() || (small && c.is_uppercase()) {
            words.push(std::mem::take(&mut word));
        }
        small = c.is_lowercase();
        if c.is_alphabetic() {
            word.extend(c.to_lowercase());
        }
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

/// The last part of a path of keys (`train.labels`, `labels[3]`).
pub(super) fn last(path: &str) -> &str {
    let path = path.trim_end_matches(|c: char| c == ']' || c == '[' || c.is_ascii_digit());
    path.rsplit('.').next().unwrap_or(path)
}

/// Whether a path of keys is that of a model's weights or buffers.
pub(super) fn is_weight(path: &str) -> bool {
    const LAST: &[&str] = &[
        "weight",
        "bias",
        "running_mean",
        "running_var",
        "num_batches_tracked",
        "position_ids",
        "in_proj_weight",
        "in_proj_bias",
        "weight_g",
        "weight_v",
        "inv_freq",
        "relative_position_index",
        "cls_token",
        "pos_embed",
        "gamma",
        "beta",
        "logit_scale",
        "masked_bias",
        "exp_avg",
        "exp_avg_sq",
        "momentum_buffer",
    ];
    const INSIDE: &[&str] = &[
        "state_dict",
        "model_state_dict",
        "model_state",
        "optimizer",
        "optimizer_state_dict",
        "_parameters",
        "_buffers",
        "_modules",
        "net",
        "ema",
        "state_dict_ema",
        "rng_state",
        "module",
        "param_groups",
    ];
    let mut parts = path.split('.');
    let last = parts.next_back().unwrap_or_default();
    let nested = path.contains('.');
    (nested
        && LAST
            .iter()
            .any(|end| last == *end || last.ends_with("_weight")))
        || parts.any(|part| INSIDE.contains(&part) || part.ends_with("state_dict"))
        || last.contains("rng_state")
}

#[cfg(test)]
mod tests {
    use super::{Told, is_weight, last, tell};
    use crate::labels::Role;

    #[test]
    fn names_tell_what_values_are() {
        for (name, expected) in [
            ("labels", Told::Label),
            ("train_labels", Told::Label),
            ("labels_u8", Told::Label),
            ("y_train", Told::Label),
            ("trainY", Told::Label),
            ("HGG_val1_label_cropped", Told::Label),
            ("fine_labels", Told::Label),
            ("label_names", Told::Other),
            ("num_classes", Told::Other),
            ("classes", Told::Perhaps(Role::Class)),
            ("images", Told::Other),
            ("X_train", Told::Other),
            ("input_ids", Told::Role(Role::Token)),
            ("decoder_input_ids", Told::Role(Role::Token)),
            ("token_type_ids", Told::Role(Role::TokenType)),
            ("position_ids", Told::Role(Role::Position)),
            ("attention_mask", Told::Role(Role::MultiLabel)),
            ("gt_masks", Told::Label),
            ("mask", Told::Mask),
            ("train_mask", Told::Other),
            ("edge_index", Told::Perhaps(Role::Index)),
            ("val_logits", Told::Output(Role::Logits)),
            ("probs", Told::Output(Role::Probability)),
            ("user_ids", Told::Role(Role::Token)),
            ("arr_0", Told::Nothing),
            ("tensor", Told::Nothing),
            ("", Told::Nothing),
        ] {
            assert_eq!(tell(name), expected, "{name}");
        }
    }

    #[test]
    fn weights_are_known_by_their_keys() {
        for (path, expected) in [
            ("model.embed_tokens.weight", true),
            ("bn1.num_batches_tracked", true),
            ("embeddings.position_ids", true),
            ("state_dict.fc.scale", true),
            ("weight", false),
            ("labels", false),
            ("train.labels", false),
        ] {
            assert_eq!(is_weight(path), expected, "{path}");
        }
        assert_eq!(last("train.labels[3]"), "labels");
        assert_eq!(last("[1]"), "");
    }
}
