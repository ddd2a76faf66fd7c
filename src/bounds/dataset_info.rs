//! Hugging Face's `dataset_info.json`: the class names of its `ClassLabel` features.
//!
//! Forms: `{"features": {…}}` of `save_to_disk`, and the older `dataset_infos.json` with one such object a configuration.
//! A list of labels is `{"feature": {…}, "_type": "Sequence"}` (also `List`, `LargeList`), or a JSON array of one feature.

use std::path::Path;
use std::sync::Arc;

use serde_json::Value;

use super::json::{self, Json, whole};
use super::{Bound, BoundSource, BoundsFound};
use crate::knowledge::Certainty;
use crate::labels::{ClassList, LabelError, ListSource, Role};

/// Deepest nesting of features that is followed.
const MOST_LEVELS: usize = 16;
/// Class features kept; data sets have a handful.
const MOST_FEATURES: usize = 100;

/// What a data set's description states.
pub(super) fn of_dataset_info(path: &Arc<Path>) -> Result<BoundsFound, LabelError> {
    let json = json::read(path)?;
    let found = of_json(&json, path);
    if found.is_empty() {
        return Err(LabelError::NotLabels(
            "a description without class names".to_owned(),
        ));
    }
    Ok(found)
}

fn of_json(json: &Json, path: &Arc<Path>) -> BoundsFound {
    let mut features = Vec::new();
    let infos: Vec<&Value> = if json.value.get("features").is_some() {
        vec![&json.value]
    } else {
        let by_name = json.value.as_object();
        by_name
            .into_iter()
            .flat_map(|object| object.values())
            .collect()
    };
    for info in infos.into_iter().take(MOST_FEATURES) {
        if let Some(own) = info.get("features") {
            collect(own, "features", MOST_LEVELS, &mut features);
        }
    }
    let mut found = BoundsFound::default();
    let sizes_differ = features
        .iter()
        .any(|f| features.first().is_some_and(|first| first.count != f.count));
    // The feature that the Trainer takes for the label; the others are told and not preferred.
    let main = features
        .iter()
        .position(|f| matches!(f.name(), "label" | "labels"));
    for (i, feature) in features.into_iter().enumerate() {
        let certainty = if sizes_differ && main != Some(i) {
            Certainty::Possible
        } else {
            Certainty::Certain
        };
        let key = feature.name().to_owned();
        let list = Arc::new(ClassList {
            names: feature.names,
            source: ListSource {
                path: Some(Arc::clone(path)),
                line: json.line_of(&key),
                what: format!("{}.names", feature.path),
            },
            ..ClassList::default()
        });
        let what = if list.names.is_empty() {
            format!("{}.num_classes = {}", feature.path, feature.count)
        } else {
            format!("{} ({})", list.source.what, feature.count)
        };
        let bound = Bound::of_size(
            Role::Class,
            feature.count,
            BoundSource::DatasetInfo,
            Some(path),
            what,
            certainty,
        );
        if let Some(bound) = bound {
            let mut bound = bound.at_line(list.source.line);
            if !list.names.is_empty() {
                bound.names = Some(Arc::clone(&list));
                found.lists.push(list);
            }
            // The preferred one comes first.
            if main == Some(i) {
                found.bounds.insert(0, bound);
            } else {
                found.bounds.push(bound);
            }
        }
    }
    found
}

struct Feature {
    /// `features.ner_tags`
    path: String,
    names: Vec<String>,
    count: u64,
}

impl Feature {
    fn name(&self) -> &str {
        self.path.rsplit('.').next().unwrap_or_default()
    }
}

/// Collects the class features below a value.
fn collect(value: &Value, path: &str, levels: usize, features: &mut Vec<Feature>) {
    if levels == 0 || features.len() >= MOST_FEATURES {
        return;
    }
    match value {
        Value::Object(object) => {
            if let Some(feature) = class_label(value, path) {
                // Two configurations of one data set repeat their features.
                let again = features
                    .iter()
                    .any(|f| f.path == feature.path && f.names == feature.names);
                if !again {
                    features.push(feature);
                }
                return;
            }
            // The item of a list carries the list's name.
            if let Some(item) = object
                .get("feature")
                .filter(|_| object.contains_key("_type"))
            {
                collect(item, path, levels - 1, features);
                return;
            }
            for (key, value) in object {
                collect(value, &format!("{path}.{key}"), levels - 1, features);
            }
        }
        Value::Array(items) => {
            for item in items.iter().take(1) {
                collect(item, path, levels - 1, features);
            }
        }
        _ => {}
    }
}

fn class_label(value: &Value, path: &str) -> Option<Feature> {
    let object = value.as_object()?;
    let named = match object.get("names") {
        Some(Value::Array(names)) => names
            .iter()
            .map(|name| name.as_str().map(str::to_owned))
            .collect::<Option<Vec<_>>>(),
        // As the YAML head of a data set card has it: number to name.
        Some(Value::Object(names)) => {
            let mut pairs: Vec<(u64, String)> = names
                .iter()
                .map(|(id, name)| Some((id.parse().ok()?, name.as_str()?.to_owned())))
                .collect::<Option<_>>()?;
            pairs.sort();
            let dense = pairs.iter().zip(0..).all(|((id, _), i)| *id == i);
            dense.then(|| pairs.into_iter().map(|(_, name)| name).collect())
        }
        _ => None,
    };
    let is_class = object.get("_type").and_then(Value::as_str) == Some("ClassLabel");
    let count = named
        .as_ref()
        .map(|names| names.len() as u64)
        .or_else(|| object.get("num_classes").and_then(whole))?;
    // Without its type a list of names is one only beside the other fields of a class label.
    let looks_like = named.is_some() && object.keys().all(|key| FIELDS.contains(&key.as_str()));
    ((is_class || looks_like) && count > 0).then(|| Feature {
        path: path.to_owned(),
        names: named.unwrap_or_default(),
        count,
    })
}

/// Fields of a `ClassLabel` over the versions of `datasets`.
const FIELDS: &[&str] = &["names", "num_classes", "names_file", "id", "_type", "dtype"];

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(&str, i64, Certainty)]) {
        let path: Arc<Path> = Arc::from(Path::new("dataset_info.json"));
        let json = json::parse(text.as_bytes()).unwrap();
        let found = of_json(&json, &path);
        let got: Vec<_> = found
            .bounds
            .iter()
            .map(|b| (b.what.as_str(), b.hi, b.certainty))
            .collect();
        let expected: Vec<_> = expected
            .iter()
            .map(|&(what, hi, certainty)| (what, hi.into(), certainty))
            .collect();
        assert_eq!(got, expected, "{text}");
    }

    #[test]
    fn class_labels_are_found_in_every_form() {
        use Certainty::{Certain, Possible};
        check(
            r#"{"features": {"text": {"dtype": "string", "_type": "Value"},
                "label": {"names": ["neg", "pos"], "_type": "ClassLabel"}}}"#,
            &[("features.label.names (2)", 1, Certain)],
        );
        check(
            r#"{"features": {"pos_tags": {"feature": {"names": ["A", "B", "C"], "_type": "ClassLabel"}, "_type": "Sequence"},
                "labels": {"feature": {"names": ["O", "X"], "_type": "ClassLabel"}, "length": -1, "_type": "List"}}}"#,
            &[
                ("features.labels.names (2)", 1, Certain),
                ("features.pos_tags.names (3)", 2, Possible),
            ],
        );
        check(
            r#"{"default": {"features": {"label": {"num_classes": 2, "names": ["a", "b"], "names_file": null, "id": null, "_type": "ClassLabel"}}},
                "other": {"features": {"label": {"num_classes": 2, "names": ["a", "b"], "_type": "ClassLabel"}}}}"#,
            &[("features.label.names (2)", 1, Certain)],
        );
        check(
            r#"{"features": {"objects": [{"category": {"names": {"0": "x", "1": "y"}, "_type": "ClassLabel"}}]}}"#,
            &[("features.objects.category.names (2)", 1, Certain)],
        );
        check(
            r#"{"features": {"label": {"num_classes": 5, "_type": "ClassLabel"}}}"#,
            &[("features.label.num_classes = 5", 4, Certain)],
        );
        check(
            r#"{"features": {"names": {"dtype": "string", "_type": "Value"}}}"#,
            &[],
        );
        check("[]", &[]);
    }
}
