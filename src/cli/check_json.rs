//! `check --json`: one object, `assert-doctor/check/1`, documented in CONTRIBUTING.md.

use serde_json::{Map, Value, json};

use super::device_json;
use crate::bounds::Bound;
use crate::check::Checked;
use crate::findings::{Finding, FoundValue, Material};
use crate::labels::{LabelFormat, Place};
use crate::words::{Words, check_headline, finding as finding_texts, label_problem};

/// The answer as indented JSON.
pub(super) fn object(checked: &Checked, words: Words) -> String {
    let mut object = Map::new();
    object.insert("schema".into(), json!("assert-doctor/check/1"));
    object.insert("language".into(), json!(words.language.tag()));
    if let Value::Object(summary) = summary(checked, words) {
        object.extend(summary);
    }
    object.insert("findings".into(), findings(checked, words));
    serde_json::to_string_pretty(&Value::Object(object)).unwrap_or_default()
}

/// Everything but the findings.
pub(super) fn summary(checked: &Checked, words: Words) -> Value {
    json!({
        "headline": check_headline(checked, words).text,
        "values": checked.values(),
        "rules": rules(&checked.material),
        "files": files(&checked.material, words),
        "offenders_total": checked.offenders_total,
        "device": if checked.device.is_gpu() { "gpu" } else { "cpu" },
        "device_use": device_json::used(&checked.device, words),
        "elapsed_s": checked.elapsed.as_micros() as f64 / 1e6,
    })
}

fn rules(material: &Material) -> Value {
    material
        .rules
        .iter()
        .enumerate()
        .map(|(id, used)| {
            let bound = used.bound.and_then(|at| material.bounds.get(at));
            json!({
                "id": id,
                "kind": used.role.id(),
                "name": used.name,
                "lo": used.rule.lo,
                "hi": used.rule.hi,
                "ignore": used.rule.ignore,
                "bound": bound.map(bound_object),
            })
        })
        .collect()
}

fn bound_object(bound: &Bound) -> Value {
    json!({
        "value": bound.hi,
        "source": bound.source.id(),
        "path": bound.path.as_ref().map(|path| path.to_string_lossy()),
        "line": bound.line,
        "what": bound.what,
        "certainty": bound.certainty,
    })
}

fn files(material: &Material, words: Words) -> Value {
    material
        .files
        .iter()
        .map(|file| {
            let error = file
                .error
                .as_ref()
                .map(|error| label_problem(&file.path, error, words).one_line(words));
            let partial = file.partial.map(
                |partial| json!({ "read": partial.read, "of": partial.of, "reason": partial.reason }),
            );
            json!({
                "path": file.path.to_string_lossy(),
                "format": file.format.map(LabelFormat::id),
                "split": file.split,
                "values": file.values,
                "min": file.min,
                "max": file.max,
                "distinct": file.distinct,
                "offenders": file.offenders,
                "error": error,
                "partial": partial,
            })
        })
        .collect()
}

/// The findings of a check; `diagnose --json` has the same.
pub(super) fn findings(checked: &Checked, words: Words) -> Value {
    checked
        .findings
        .iter()
        .map(|finding| finding_object(finding, &checked.material, words))
        .collect()
}

fn finding_object(finding: &Finding, material: &Material, words: Words) -> Value {
    let texts = finding_texts(finding, material, words);
    let values: Vec<Value> = finding
        .values
        .iter()
        .map(|value| json!({ "value": value.value, "count": value.count }))
        .collect();
    json!({
        "rule": finding.rule,
        "id": finding.id,
        "severity": finding.severity,
        "certainty": finding.certainty,
        "explains": finding.explains,
        "count": finding.count,
        "files": finding.files,
        "values": values,
        "first": finding.first.as_ref().map(first_object),
        "title": texts.title,
        "detail": texts.detail,
        "explanation": texts.explanation,
        "suggestion": texts.suggestion,
        "snippet": finding.snippet,
    })
}

fn first_object(found: &FoundValue) -> Value {
    let mut object = place_object(&found.place);
    if let Some(fields) = object.as_object_mut() {
        fields.insert("value".into(), json!(found.value));
        fields.insert("text".into(), json!(found.row_text));
    }
    object
}

/// A place, every field there, null where it does not apply.
pub(super) fn place_object(place: &Place) -> Value {
    json!({
        "path": place.path.as_ref().map(|path| path.to_string_lossy()),
        "line": place.line,
        "row": place.row,
        "index": place.index,
        "column": place.column,
        "key": place.key,
        "pixel": place.pixel,
        "document": place.document,
        "position": place.position,
    })
}
