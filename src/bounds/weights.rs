//! Shapes in a checkpoint: rows of the last layer are classes, rows of an embedding are ids.
//!
//! Names are those of the state dicts of torchvision, timm, Transformers, MMSegmentation and the original releases of large
//! models. A table that ids look up is unmistakable by its name; which layer is the last is a guess, a good one.

use std::path::Path;
use std::sync::Arc;

use super::{Bound, BoundSource, BoundsFound};
use crate::knowledge::Certainty;
use crate::labels::{LabelError, Role, TensorInfo, tensors};

/// What the shapes of a checkpoint state.
pub(super) fn of_weights(path: &Arc<Path>) -> Result<BoundsFound, LabelError> {
    let found = of_tensors(&tensors(path)?, path);
    if found.is_empty() {
        return Err(LabelError::NotLabels(
            "weights whose last layer cannot be told".to_owned(),
        ));
    }
    Ok(found)
}

fn of_tensors(tensors: &[TensorInfo], path: &Arc<Path>) -> BoundsFound {
    let layers: Vec<Layer<'_>> = tensors.iter().filter_map(Layer::of).collect();
    let mut found = BoundsFound::default();
    tables(&layers, path, &mut found);
    let vocabulary = found
        .bounds
        .iter()
        .find(|b| b.role == Role::Token)
        .map(|b| b.hi);
    if let Some(head) = head(&layers) {
        let rows = head.rows();
        // Rows as many as the vocabulary: a language model, whose labels are tokens. Everything else is a class.
        let certainty = if head.is_detector() && vocabulary.is_none() {
            Certainty::Possible
        } else {
            Certainty::Likely
        };
        let bound = Bound::of_size(
            Role::Class,
            rows,
            BoundSource::Weights,
            Some(path),
            head.what(),
            certainty,
        );
        found.bounds.extend(bound);
    }
    found
}

/// A tensor whose name ends in `.weight` or `.bias`, with its name in parts.
struct Layer<'a> {
    tensor: &'a TensorInfo,
    /// Named and numbered parts before the ending; wrappers (`module`, PEFT's copies) left out.
    parts: Vec<&'a str>,
    is_bias: bool,
}

/// Parts that wrappers add and that say nothing of the layer.
const WRAPPERS: &[&str] = &[
    "module",
    "_orig_mod",
    "base_layer",
    "original_module",
    "modules_to_save",
    "default",
    "state_dict",
    "model_state_dict",
];

impl<'a> Layer<'a> {
    fn of(tensor: &'a TensorInfo) -> Option<Self> {
        let mut parts: Vec<&str> = tensor
            .name
            .split('.')
            .filter(|part| !WRAPPERS.contains(part))
            .collect();
        let is_bias = match parts.pop()? {
            "weight" => false,
            "bias" => true,
            _ => return None,
        };
        // Packed integers of a quantised layer have shapes of their own.
        let floats = tensor.element.is_none_or(|element| element.is_float());
        (!parts.is_empty() && floats).then_some(Self {
            tensor,
            parts,
            is_bias,
        })
    }

    /// The last part that is no number: `classifier` of `classifier.6.weight`.
    fn name(&self) -> &'a str {
        self.parts
            .iter()
            .rev()
            .find(|part| !is_number(part))
            .copied()
            .unwrap_or_default()
    }

    fn parent(&self) -> &'a str {
        let mut named = self.parts.iter().rev().filter(|part| !is_number(part));
        named.nth(1).copied().unwrap_or_default()
    }

    fn rows(&self) -> u64 {
        self.tensor.shape.first().copied().unwrap_or_default()
    }

    fn what(&self) -> String {
        let shape: Vec<String> = self.tensor.shape.iter().map(u64::to_string).collect();
        format!("{} [{}]", self.tensor.name, shape.join(", "))
    }

    /// Part of a tower that sees pictures or sound: its tables are no vocabulary.
    fn sees(&self) -> bool {
        [
            "vision", "visual", "image", "patch", "audio", "img", "pixel",
        ]
        .iter()
        .any(|word| self.parts.iter().any(|part| part.contains(word)))
    }

    /// Detectors count a background or "no object" class as a row.
    fn is_detector(&self) -> bool {
        matches!(self.name(), "class_embed" | "class_labels_classifier")
    }

    /// Its name with the numbers of repeated blocks taken out; numbers at the end are steps of a `Sequential`.
    fn pattern(&self) -> Vec<&'a str> {
        let named = self
            .parts
            .iter()
            .rposition(|part| !is_number(part))
            .unwrap_or_default();
        self.parts
            .iter()
            .take(named + 1)
            .map(|part| if is_number(part) { "#" } else { *part })
            .collect()
    }

    /// The same with its numbers.
    fn path(&self) -> &[&'a str] {
        let named = self.parts.iter().rposition(|part| !is_number(part));
        self.parts
            .get(..named.map_or(0, |named| named + 1))
            .unwrap_or_default()
    }
}

fn is_number(part: &str) -> bool {
    !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit())
}

/// Names of layers that give one number a class, surest first.
const HEADS: &[&[&str]] = &[
    &["lm_head", "embed_out"],
    &[
        "classifier",
        "cls_score",
        "conv_seg",
        "class_labels_classifier",
        "classification_head",
        "cls_head",
        "class_head",
        "class_predictor",
    ],
    &["fc", "score", "head", "logits", "last_linear"],
    &["cls", "class_embed", "output", "outc", "final", "predictor"],
];

/// The layer whose rows are classes.
fn head<'a, 'b>(layers: &'b [Layer<'a>]) -> Option<&'b Layer<'a>> {
    let rank = |layer: &Layer<'_>| {
        let of = |name: &str| HEADS.iter().position(|names| names.contains(&name));
        match (layer.name(), layer.parent()) {
            // RoBERTa's and timm's heads end in a layer of their own.
            ("out_proj" | "fc" | "head" | "linear" | "conv" | "l" | "out", parent) => {
                of(layer.name()).or_else(|| of(parent).filter(|_| parent != "output"))
            }
            // BERT's masked language model.
            ("decoder", "predictions") => Some(0),
            (name, _) => of(name),
        }
    };
    let candidates: Vec<(usize, &Layer<'_>)> = layers
        .iter()
        .filter(|layer| has_class_shape(layer, layers) && !repeats(layer, layers))
        .filter_map(|layer| Some((rank(layer)?, layer)))
        .collect();
    let best = candidates.iter().map(|(rank, _)| *rank).min()?;
    // The last one of the surest kind; weights before the bias that stands beside them.
    let of_best = || {
        candidates
            .iter()
            .filter(|(rank, _)| *rank == best)
            .map(|(_, layer)| *layer)
    };
    let last = of_best().max_by_key(|layer| {
        let auxiliary = layer.parts.iter().any(|part| part.contains("aux"));
        let step = layer
            .parts
            .last()
            .filter(|part| is_number(part))
            .and_then(|part| part.parse::<u64>().ok());
        (
            !auxiliary,
            !layer.is_bias,
            std::cmp::Reverse(layer.path().len()),
            step,
        )
    })?;
    // Several last layers of different lengths (several tasks): nothing tells which one the labels go to.
    let unclear = of_best().any(|other| {
        other.path() != last.path()
            && other.path().len() == last.path().len()
            && other.rows() != last.rows()
            && !other.parts.iter().any(|part| part.contains("aux"))
    });
    (!unclear).then_some(last)
}

/// Whether a tensor can be a last layer: a matrix, a 1×1 convolution, or the bias of a layer without weights in the file.
fn has_class_shape(layer: &Layer<'_>, layers: &[Layer<'_>]) -> bool {
    // A single row is a regression or a binary output, where no class index is checked.
    if layer.rows() < 2 {
        return false;
    }
    match (layer.is_bias, layer.tensor.shape.as_slice()) {
        (false, [_, columns]) => *columns > 1,
        (false, [_, _, 1, 1]) => true,
        (true, [_]) => !layers
            .iter()
            .any(|other| !other.is_bias && other.parts == layer.parts),
        _ => false,
    }
}

/// Whether the same layer stands in several blocks: then it is none of the last ones.
fn repeats(layer: &Layer<'_>, layers: &[Layer<'_>]) -> bool {
    let pattern = layer.pattern();
    pattern.contains(&"#")
        && layers
            .iter()
            .any(|other| other.pattern() == pattern && other.path() != layer.path())
}

/// Tables that token ids look up.
const TOKENS: &[&str] = &[
    "wte",
    "embed_tokens",
    "word_embeddings",
    "word_embedding",
    "tok_embeddings",
    "tok_embedding",
    "token_embedding",
    "token_embeddings",
    "tok_emb",
    "token_emb",
    "embed_in",
    "tokens_embed",
];
const POSITIONS: &[&str] = &[
    "wpe",
    "position_embeddings",
    "position_embedding",
    "positions_embed",
    "pos_embeddings",
    "pos_embedding",
    "pos_emb",
];
const SEGMENTS: &[&str] = &[
    "token_type_embeddings",
    "token_type_embedding",
    "segment_embeddings",
    "segment_embedding",
];
/// What else has ids, in recommenders and graphs.
const ENTITIES: &[&str] = &[
    "user", "item", "movie", "product", "entity", "relation", "node", "book", "artist", "song",
];

fn tables(layers: &[Layer<'_>], path: &Arc<Path>, found: &mut BoundsFound) {
    let mut sure: Vec<Bound> = Vec::new();
    let mut guesses: Vec<Bound> = Vec::new();
    let generic = |name: &str| {
        matches!(
            name,
            "embedding" | "embeddings" | "embed" | "emb" | "shared"
        )
    };
    for layer in layers {
        let [rows, columns] = *layer.tensor.shape.as_slice() else {
            continue;
        };
        if layer.is_bias || columns < 2 || layer.sees() {
            continue;
        }
        let name = layer.name().to_ascii_lowercase();
        let bound = |role, rows, what, certainty| {
            Bound::of_size(
                role,
                rows,
                BoundSource::Weights,
                Some(path),
                what,
                certainty,
            )
        };
        let what = layer.what();
        if SEGMENTS.contains(&name.as_str()) {
            sure.extend(bound(Role::TokenType, rows, what, Certainty::Certain));
        } else if POSITIONS.contains(&name.as_str()) {
            sure.extend(bound(Role::Position, rows, what, Certainty::Certain));
        } else if name == "embed_positions" {
            // OPT and BART keep two rows before position 0. Whisper's positions are those of its own sound frames and tokens.
            if let Some(rows) = rows.checked_sub(2).filter(|_| !hears(layers)) {
                let what = format!("{what}, offset 2");
                sure.extend(bound(Role::Position, rows, what, Certainty::Likely));
            }
        } else if TOKENS.contains(&name.as_str()) {
            sure.extend(bound(Role::Token, rows, what, Certainty::Certain));
        } else if ENTITIES.iter().any(|word| name.contains(word)) && name.contains("emb")
            || generic(&name)
        {
            guesses.extend(bound(Role::Token, rows, what, Certainty::Likely));
        }
    }
    let no_tokens = !sure.iter().any(|bound| bound.role == Role::Token);
    let mut bounds = sure;
    if no_tokens {
        bounds.extend(guesses);
    }
    for role in [Role::Token, Role::Position, Role::TokenType] {
        let mut kept: Vec<Bound> = Vec::new();
        for bound in bounds.iter().filter(|bound| bound.role == role) {
            if !kept.iter().any(|other| other.same_range(bound)) {
                kept.push(bound.clone());
            }
        }
        // Several tables of different lengths: each is for its own ids, which the file does not name.
        if kept.len() > 1 {
            for bound in &mut kept {
                bound.certainty = Certainty::Possible;
            }
        }
        found.bounds.extend(kept);
    }
}

/// Whether the model begins with convolutions over sound.
fn hears(layers: &[Layer<'_>]) -> bool {
    layers
        .iter()
        .any(|layer| layer.tensor.shape.len() == 3 && layer.name().starts_with("conv"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(tensors: &[(&str, &[u64])], expected: &[(Role, i64, &str)]) {
        let path: Arc<Path> = Arc::from(Path::new("model.safetensors"));
        let infos: Vec<TensorInfo> = tensors
            .iter()
            .map(|&(name, shape)| TensorInfo {
                name: name.to_owned(),
                shape: shape.to_vec(),
                element: None,
            })
            .collect();
        let found = of_tensors(&infos, &path);
        let got: Vec<_> = found
            .bounds
            .iter()
            .filter(|b| b.certainty != Certainty::Possible)
            .map(|b| (b.role, b.hi, b.what.as_str()))
            .collect();
        let expected: Vec<_> = expected
            .iter()
            .map(|&(role, hi, what)| (role, hi.into(), what))
            .collect();
        assert_eq!(got, expected);
    }

    use Role::{Class, Position, Token, TokenType};

    #[test]
    fn last_layers_of_classifiers() {
        check(
            &[
                ("conv1.weight", &[64, 3, 7, 7]),
                ("layer1.0.se.fc.weight", &[4, 64]),
                ("layer2.0.se.fc.weight", &[8, 128]),
                ("fc.weight", &[10, 512]),
                ("fc.bias", &[10]),
            ],
            &[(Class, 9, "fc.weight [10, 512]")],
        );
        check(
            &[
                ("classifier.0.weight", &[4096, 25088]),
                ("classifier.3.weight", &[4096, 4096]),
                ("classifier.6.weight", &[5, 4096]),
                ("classifier.6.bias", &[5]),
            ],
            &[(Class, 4, "classifier.6.weight [5, 4096]")],
        );
        check(
            &[
                ("module.backbone.conv1.weight", &[64, 3, 7, 7]),
                ("module.classifier.0.convs.0.0.weight", &[256, 2048, 1, 1]),
                ("module.classifier.1.weight", &[256, 256, 3, 3]),
                ("module.classifier.4.weight", &[21, 256, 1, 1]),
                ("module.aux_classifier.4.weight", &[21, 256, 1, 1]),
            ],
            &[(Class, 20, "module.classifier.4.weight [21, 256, 1, 1]")],
        );
        check(
            &[
                ("roberta.embeddings.word_embeddings.weight", &[50265, 768]),
                ("roberta.embeddings.position_embeddings.weight", &[514, 768]),
                ("roberta.embeddings.token_type_embeddings.weight", &[1, 768]),
                ("classifier.dense.weight", &[768, 768]),
                ("classifier.out_proj.weight", &[3, 768]),
            ],
            &[
                (
                    Token,
                    50264,
                    "roberta.embeddings.word_embeddings.weight [50265, 768]",
                ),
                (
                    Position,
                    513,
                    "roberta.embeddings.position_embeddings.weight [514, 768]",
                ),
                (
                    TokenType,
                    0,
                    "roberta.embeddings.token_type_embeddings.weight [1, 768]",
                ),
                (Class, 2, "classifier.out_proj.weight [3, 768]"),
            ],
        );
        check(&[("head.bias", &[100])], &[(Class, 99, "head.bias [100]")]);
    }

    #[test]
    fn language_models() {
        check(
            &[
                ("transformer.wte.weight", &[50257, 768]),
                ("transformer.wpe.weight", &[1024, 768]),
                ("transformer.h.0.mlp.c_fc.weight", &[768, 3072]),
                ("lm_head.weight", &[50257, 768]),
            ],
            &[
                (Token, 50256, "transformer.wte.weight [50257, 768]"),
                (Position, 1023, "transformer.wpe.weight [1024, 768]"),
                (Class, 50256, "lm_head.weight [50257, 768]"),
            ],
        );
        check(
            &[
                ("model.decoder.embed_tokens.weight", &[50272, 512]),
                ("model.decoder.embed_positions.weight", &[2050, 512]),
            ],
            &[
                (
                    Token,
                    50271,
                    "model.decoder.embed_tokens.weight [50272, 512]",
                ),
                (
                    Position,
                    2047,
                    "model.decoder.embed_positions.weight [2050, 512], offset 2",
                ),
            ],
        );
        check(
            &[
                ("tok_embeddings.weight", &[32000, 4096]),
                ("layers.0.attention.wo.weight", &[4096, 4096]),
                ("output.weight", &[32000, 4096]),
            ],
            &[
                (Token, 31999, "tok_embeddings.weight [32000, 4096]"),
                (Class, 31999, "output.weight [32000, 4096]"),
            ],
        );
    }

    #[test]
    fn what_cannot_be_told_is_not_told() {
        // YOLO's heads, patch positions, a regression, two tasks, layers of repeated blocks, two tables.
        check(
            &[
                ("model.22.cv3.0.2.weight", &[80, 80, 1, 1]),
                ("model.24.m.0.weight", &[255, 128, 1, 1]),
            ],
            &[],
        );
        check(&[("pos_embed", &[1, 197, 768])], &[]);
        check(
            &[(
                "vision_model.embeddings.position_embedding.weight",
                &[50, 768],
            )],
            &[],
        );
        check(&[("fc.weight", &[1, 512])], &[]);
        check(
            &[("a.fc.weight", &[3, 512]), ("b.fc.weight", &[5, 512])],
            &[],
        );
        check(
            &[
                ("encoder.layer.0.output.weight", &[64, 64]),
                ("encoder.layer.1.output.weight", &[64, 64]),
            ],
            &[],
        );
        check(
            &[
                ("user_embedding.weight", &[943, 32]),
                ("item_embedding.weight", &[1682, 32]),
            ],
            &[],
        );
        check(
            &[("user_embedding.weight", &[943, 32])],
            &[(Token, 942, "user_embedding.weight [943, 32]")],
        );
        check(&[], &[]);
    }
}
