//! Shapes in a checkpoint: rows of the last layer are classes, rows of an embedding are ids.
//!
//! Names are those of the state dicts of torchvision, timm, Transformers, `MMSegmentation` and the original releases of large
//! models. A table that ids look up is unmistakable by its name; which layer is the last is a guess, a good one.

use std::path::Path;
use std::sync::Arc;

use super::{Bound, BoundSource, BoundsFound};
use crate::knowledge::Certainty;
use crate::labels::{LabelError, Role, TensorInfo, tensors};
use crate::range_check::ElementType;

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
    if let Some(head) = head(&layers) {
        let rows = head.rows();
        // A numbered layer deep inside may be part of a block.
        let deep = head.is_numbered() && head.path().len() > 2;
        let certainty = if head.is_detector() || deep {
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
        let floats = tensor.element.is_none_or(ElementType::is_float);
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

    /// Detectors count "no object" as a row, which no label may use.
    fn is_detector(&self) -> bool {
        matches!(self.name(), "class_embed" | "class_labels_classifier")
    }

    /// Small networks number their layers: `fc2`, or the steps of a model that is one `Sequential`.
    fn is_numbered(&self) -> bool {
        let name = self.name();
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
        name.is_empty()
            || (stem.len() < name.len()
                && ["fc", "linear", "lin", "dense", "l", "layer", "out"].contains(&stem))
            || matches!(name, "linear" | "out" | "dense") && self.path().len() <= 2
    }

    /// Which one of its numbered siblings it is: a step of a `Sequential`, or the number in its name.
    fn step(&self) -> Option<u64> {
        let last = self.parts.last()?;
        let digits = last.trim_start_matches(|c: char| !c.is_ascii_digit());
        digits.parse().ok()
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
        "segmentation_head",
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
        .or_else(|| layer.is_numbered().then_some(HEADS.len()))
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
        (
            !auxiliary,
            !layer.is_bias,
            std::cmp::Reverse(layer.path().len()),
            layer.step(),
        )
    })?;
    // Several last layers of different lengths (several tasks): nothing tells which one the labels go to.
    let unclear = of_best().any(|other| {
        other.path() != last.path()
            && !(last.is_numbered() && other.parent() == last.parent())
            && other.path().len() == last.path().len()
            && other.rows() != last.rows()
            && !other.parts.iter().any(|part| part.contains("aux"))
    });
    // A single row is a regression or a binary output, where no class index is checked.
    (!unclear && last.rows() > 1).then_some(last)
}

/// Whether a tensor can be a last layer: a matrix, a 1×1 convolution, or the bias of a layer without weights in the file.
fn has_class_shape(layer: &Layer<'_>, layers: &[Layer<'_>]) -> bool {
    match (layer.is_bias, layer.tensor.shape.as_slice()) {
        (false, [_, columns]) => *columns > 1,
        (false, [_, _, 1, 1]) => true,
        (false, [_, _, 3, 3]) => layer.name() == "segmentation_head",
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
mod tests;
