//! Hugging Face's `config.json`, and other JSON configurations that state a number of classes.
//!
//! Names of fields: `PretrainedConfig` of Transformers and its models, `config.json` of timm, and what detection and
//! segmentation tools call the number of classes.

use std::path::Path;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::json::{self, Json, whole};
use super::{Bound, BoundSource, BoundsFound};
use crate::knowledge::Certainty;
use crate::labels::{ClassList, LabelError, ListSource, Role};

/// What a configuration states.
pub(super) fn of_config(path: &Arc<Path>) -> Result<BoundsFound, LabelError> {
    let json = json::read(path)?;
    let found = of_json(&json, path);
    if found.is_empty() {
        return Err(LabelError::NotLabels(
            "a configuration without sizes".to_owned(),
        ));
    }
    Ok(found)
}

fn of_json(json: &Json, path: &Arc<Path>) -> BoundsFound {
    let mut found = BoundsFound::default();
    let Some(top) = json.value.as_object() else {
        return found;
    };
    // Multimodal models keep the language model's sizes one level down.
    let text = ["text_config", "llm_config", "language_config", "decoder"]
        .iter()
        .find_map(|key| top.get(*key)?.as_object());
    let reader = Reader {
        json,
        path,
        top,
        text,
    };
    reader.classes(&mut found);
    reader.tables(&mut found);
    reader.ignored(&mut found);
    found
}

/// Names of a number of classes, as configurations have them, in lower case.
const CLASS_COUNTS: &[&str] = &[
    "num_classes",
    "n_classes",
    "num_class",
    "nclasses",
    "nb_classes",
    "num_cls",
    "nc",
];

/// Deepest level at which a number of classes is looked for.
const MOST_LEVELS: usize = 8;

struct Reader<'a> {
    json: &'a Json,
    path: &'a Arc<Path>,
    top: &'a Map<String, Value>,
    text: Option<&'a Map<String, Value>>,
}

impl Reader<'_> {
    fn bound(&self, role: Role, size: u64, key: &str, certainty: Certainty) -> Option<Bound> {
        self.told(role, size, key, format!("{key} = {size}"), certainty)
    }

    fn told(
        &self,
        role: Role,
        size: u64,
        key: &str,
        what: String,
        certainty: Certainty,
    ) -> Option<Bound> {
        let path = Some(self.path);
        let bound = Bound::of_size(role, size, BoundSource::Config, path, what, certainty)?;
        Some(bound.at_line(self.json.line_of(key)))
    }

    /// A size under one of these names, at the top or in the language model's part.
    fn size(&self, names: &[&'static str]) -> Option<(&'static str, u64)> {
        [Some(self.top), self.text]
            .into_iter()
            .flatten()
            .find_map(|object| {
                names
                    .iter()
                    .find_map(|&name| Some((name, whole(object.get(name)?)?)))
            })
    }

    fn text_of(&self, key: &str) -> &str {
        let value = self
            .top
            .get(key)
            .or_else(|| self.text.and_then(|text| text.get(key)));
        value.and_then(Value::as_str).unwrap_or_default()
    }

    /// Whether a model class of `architectures` has one of these words in its name.
    fn is_model_for(&self, words: &[&str]) -> bool {
        let named = self.top.get("architectures").and_then(Value::as_array);
        named.into_iter().flatten().any(|name| {
            let name = name.as_str().unwrap_or_default();
            words.iter().any(|word| name.contains(word))
        })
    }

    fn classes(&self, found: &mut BoundsFound) {
        // The labels of language models are tokens; the number of labels in their configuration is a leftover.
        if self.is_model_for(&[
            "ForCausalLM",
            "LMHeadModel",
            "ForMaskedLM",
            "ForConditionalGeneration",
            "ForPreTraining",
        ]) {
            if let Some((name, size)) = self.size(&["vocab_size", "n_vocab"]) {
                found
                    .bounds
                    .extend(self.bound(Role::Class, size, name, Certainty::Likely));
            }
            return;
        }
        // A single number or several answers at once are no class.
        let problem = self.text_of("problem_type");
        if matches!(problem, "regression" | "multi_label_classification") {
            return;
        }
        let own_model = self.is_model_for(&[
            "Classification",
            "SemanticSegmentation",
            "ForMultipleChoice",
            "ForObjectDetection",
        ]);
        let before = found.bounds.len();
        if let Some((key, list)) = self.label_names() {
            let given_names = !is_default(&list.names);
            let certainty = if given_names || own_model {
                Certainty::Certain
            } else {
                Certainty::Likely
            };
            let count = list.names.len() as u64;
            let list = Arc::new(list);
            let what = format!("{key} ({count})");
            if count > 1
                && let Some(mut bound) = self.told(Role::Class, count, key, what, certainty)
            {
                bound.names = Some(Arc::clone(&list));
                found.bounds.push(bound);
            }
            if given_names && count > 1 {
                found.lists.push(list);
            }
        }
        let stated = self.size(&["num_labels", "_num_labels"]).or_else(|| {
            CLASS_COUNTS
                .iter()
                .find_map(|&name| Some((name, whole(self.top.get(name)?)?)))
        });
        if let Some((name, size)) = stated.filter(|&(_, size)| size > 1)
            && let Some(bound) = self.bound(Role::Class, size, name, Certainty::Certain)
            && !found.bounds.iter().any(|other| other.same_range(&bound))
        {
            found.bounds.push(bound);
        }
        if found.bounds.len() == before {
            self.nested_classes(found);
        }
    }

    /// `id2label` in order of its numbers, `label2id` turned round, timm's `label_names`.
    fn label_names(&self) -> Option<(&'static str, ClassList)> {
        let numbered = |key: &'static str| -> Option<(&'static str, Vec<(i64, String)>)> {
            let object = self.top.get(key)?.as_object()?;
            let pairs: Option<Vec<_>> = object
                .iter()
                .map(|(one, other)| match (key, other) {
                    ("id2label", Value::String(name)) => {
                        Some((one.trim().parse().ok()?, name.clone()))
                    }
                    ("label2id", id) => Some((
                        id.as_i64().or_else(|| id.as_str()?.trim().parse().ok())?,
                        one.clone(),
                    )),
                    _ => None,
                })
                .collect();
            pairs
                .filter(|pairs| !pairs.is_empty())
                .map(|pairs| (key, pairs))
        };
        let listed = || {
            let names = self.top.get("label_names")?.as_array()?;
            let names: Option<Vec<_>> = names
                .iter()
                .enumerate()
                .map(|(i, name)| Some((i as i64, name.as_str()?.to_owned())))
                .collect();
            names
                .filter(|names| !names.is_empty())
                .map(|names| ("label_names", names))
        };
        let (key, mut pairs) = numbered("id2label")
            .or_else(|| numbered("label2id"))
            .or_else(listed)?;
        pairs.sort();
        // Numbers with gaps, or two names of one number, do not tell how long the last layer is.
        let dense = pairs
            .iter()
            .enumerate()
            .all(|(i, (id, _))| i64::try_from(i).is_ok_and(|i| i == *id));
        dense.then(|| {
            let list = ClassList {
                names: pairs.into_iter().map(|(_, name)| name).collect(),
                source: ListSource {
                    path: Some(Arc::clone(self.path)),
                    line: self.json.line_of(key),
                    what: key.to_owned(),
                },
                ..ClassList::default()
            };
            (key, list)
        })
    }

    /// A number of classes somewhere inside (`model.bbox_head.num_classes`). Several that differ belong to several heads,
    /// and nothing tells which one the labels go to.
    fn nested_classes(&self, found: &mut BoundsFound) {
        let mut sizes: Vec<(String, u64)> = Vec::new();
        collect_counts(&self.json.value, "", MOST_LEVELS, &mut sizes);
        let differ = sizes.iter().any(|(_, size)| {
            sizes
                .first()
                .is_some_and(|(_, first_size)| first_size != size)
        });
        let certainty = if differ {
            Certainty::Possible
        } else {
            Certainty::Likely
        };
        for (key, size) in sizes {
            let last = key.rsplit('.').next().unwrap_or(&key);
            let what = format!("{key} = {size}");
            let bound = self.told(Role::Class, size, last, what, certainty);
            found.bounds.extend(
                bound.filter(|bound| !found.bounds.iter().any(|other| other.same_range(bound))),
            );
        }
    }

    /// Lengths of the tables that ids look up.
    fn tables(&self, found: &mut BoundsFound) {
        if let Some((name, size)) = self.size(&["vocab_size", "n_vocab", "vocabulary_size"]) {
            found
                .bounds
                .extend(self.bound(Role::Token, size, name, Certainty::Certain));
        }
        let positions = self.size(&[
            "max_position_embeddings",
            "n_positions",
            "n_ctx",
            "max_target_positions",
        ]);
        if let Some((name, size)) = positions {
            let certainty = self.positions_certainty();
            found
                .bounds
                .extend(self.bound(Role::Position, size, name, certainty));
        }
        if let Some((name, size)) = self.size(&["type_vocab_size"]) {
            found
                .bounds
                .extend(self.bound(Role::TokenType, size, name, Certainty::Certain));
        }
    }

    /// Learned positions are a table, and a position beyond it fails. Rotary and relative ones are computed: beyond the
    /// stated length the model gets worse, and nothing fails.
    fn positions_certainty(&self) -> Certainty {
        let has = |key: &str| {
            self.top.contains_key(key) || self.text.is_some_and(|text| text.contains_key(key))
        };
        let rotary = [
            "rope_theta",
            "rope_scaling",
            "rope_parameters",
            "rotary_dim",
            "rotary_pct",
        ]
        .into_iter()
        .any(has)
            || matches!(self.text_of("position_embedding_type"), "rotary" | "rope")
            || self
                .text_of("position_embedding_type")
                .starts_with("relative");
        let model = self.text_of("model_type");
        if rotary
            || COMPUTED_POSITIONS
                .iter()
                .any(|name| model.starts_with(name))
        {
            Certainty::Possible
        } else if LEARNED_POSITIONS.contains(&model) {
            Certainty::Certain
        } else {
            Certainty::Likely
        }
    }

    /// `ignore_index` and its relatives (`SegFormer` and `BEiT` have `semantic_loss_ignore_index`).
    fn ignored(&self, found: &mut BoundsFound) {
        for key in [
            "ignore_index",
            "semantic_loss_ignore_index",
            "ignore_value",
            "ignore_label",
        ] {
            if let Some(value) = self.top.get(key).and_then(Value::as_i64) {
                found.ignore.push((value, format!("{key} = {value}")));
            }
        }
    }
}

/// Models whose positions look up a learned table of exactly the stated length.
const LEARNED_POSITIONS: &[&str] = &[
    "bert",
    "roberta",
    "xlm-roberta",
    "camembert",
    "electra",
    "distilbert",
    "albert",
    "mobilebert",
    "layoutlm",
    "gpt2",
    "gpt_neo",
    "gpt_bigcode",
    "openai-gpt",
    "opt",
    "bart",
    "mbart",
    "clip_text_model",
];

/// Beginnings of model types with rotary, relative or no positions.
const COMPUTED_POSITIONS: &[&str] = &[
    "llama",
    "mistral",
    "mixtral",
    "qwen",
    "gemma",
    "phi",
    "falcon",
    "gpt_neox",
    "gptj",
    "codegen",
    "bloom",
    "mpt",
    "t5",
    "mt5",
    "umt5",
    "longt5",
    "deepseek",
    "olmo",
    "cohere",
    "stablelm",
    "starcoder2",
    "glm",
    "chatglm",
    "mamba",
    "internlm",
    "baichuan",
    "deberta",
    "xlnet",
    "granite",
];

/// Whether names are the ones that Transformers makes up (`LABEL_0`).
fn is_default(names: &[String]) -> bool {
    names
        .iter()
        .enumerate()
        .all(|(i, name)| *name == format!("LABEL_{i}"))
}

fn collect_counts(value: &Value, prefix: &str, levels: usize, sizes: &mut Vec<(String, u64)>) {
    /// Enough to tell that they differ.
    const MOST: usize = 16;
    if levels == 0 || sizes.len() >= MOST {
        return;
    }
    match value {
        Value::Object(object) => {
            for (key, value) in object {
                let path = if prefix.is_empty() {
                    key.clone()
                } else {
                    format!("{prefix}.{key}")
                };
                let is_count = CLASS_COUNTS.contains(&key.to_ascii_lowercase().as_str());
                match whole(value).filter(|&size| is_count && size > 1) {
                    Some(size) if sizes.len() < MOST => sizes.push((path, size)),
                    _ => collect_counts(value, &path, levels - 1, sizes),
                }
            }
        }
        Value::Array(values) => {
            for value in values.iter().take(1_000) {
                collect_counts(value, prefix, levels - 1, sizes);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests;
