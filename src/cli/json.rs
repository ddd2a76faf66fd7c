//! `diagnose --json`: one object, `assert-doctor/diagnosis/1`, documented in CONTRIBUTING.md.

use serde_json::{Map, Value, json};

use super::check_json;
use crate::case::{Case, Log, Origin};
use crate::crash_log::{Facts, Source};
use crate::diagnosis::{Cause, DeviceAssert, Evidence, Failure, Trust};
use crate::reproduction::of_diagnosis;
use crate::words::{Words, certainty_of, input_problem, told_id, verdict_of};

/// The answer as indented JSON.
pub(super) fn object(case: &Case, primary: usize, words: Words) -> String {
    let mut object = Map::new();
    object.insert("schema".into(), json!("assert-doctor/diagnosis/1"));
    object.insert("language".into(), json!(words.language.tag()));
    object.insert("inputs".into(), inputs(case, words));
    if let Some(log) = case.logs.get(primary) {
        let path = case.path_of_log(primary);
        object.insert("path".into(), json!(path));
        object.insert("causes".into(), causes(log, &path, words));
        object.insert("reproduction".into(), reproduction(log));
        describe(log, &mut object, words);
    }
    let findings = case.data.as_ref();
    object.insert(
        "findings".into(),
        findings.map_or_else(|| json!([]), |data| check_json::findings(data, words)),
    );
    if let Some(data) = &case.data {
        object.insert("data".into(), check_json::summary(data, words));
    }
    let others: Vec<Value> = case
        .logs
        .iter()
        .enumerate()
        .filter(|(at, _)| *at != primary)
        .map(|(at, log)| {
            let path = case.path_of_log(at);
            json!({ "path": path, "causes": causes(log, &path, words) })
        })
        .collect();
    if !others.is_empty() {
        object.insert("other_logs".into(), Value::Array(others));
    }
    serde_json::to_string_pretty(&Value::Object(object)).unwrap_or_default()
}

fn inputs(case: &Case, words: Words) -> Value {
    case.inputs
        .iter()
        .map(|input| {
            let path = match &input.origin {
                Origin::Path(path) => path.display().to_string(),
                Origin::Stdin => "-".to_owned(),
                Origin::Pasted | Origin::Sample(_) => String::new(),
            };
            let mut object = json!({ "path": path, "kind": input.kind });
            if let (Some(error), Some(fields)) = (&input.error, object.as_object_mut()) {
                let told = input_problem(input, error, words);
                fields.insert("error".into(), json!(told.one_line(words)));
            }
            object
        })
        .collect()
}

fn causes(log: &Log, path: &str, words: Words) -> Value {
    log.diagnosis
        .causes
        .iter()
        .map(|cause| cause_object(log, cause, path, words))
        .collect()
}

fn cause_object(log: &Log, cause: &Cause, path: &str, words: Words) -> Value {
    let texts = verdict_of(log, cause, words);
    let evidence: Vec<Value> = cause
        .evidence
        .iter()
        .map(|evidence| evidence_object(evidence, path))
        .collect();
    // How a run ended is told in place of "nothing failed": whoever reads this alone must not take it for all clear.
    let id = told_id(log, cause);
    let (certainty, because) = certainty_of(log, cause);
    let because = match because {
        "because-ended" => json!("run-ended"),
        "because-unfinished" => json!("unfinished"),
        _ => json!(cause.because),
    };
    json!({
        "id": id,
        "certainty": certainty,
        "because": because,
        "title": texts.title,
        "why": texts.sentence,
        "entry": cause.entry,
        "operation": cause.operation.as_ref().map(|o| o.name.clone()),
        "operation_shown": cause.operation.as_ref().map(|o| o.shown),
        "library": cause.library,
        "value": cause.value,
        "range": cause.range,
        "evidence": evidence,
        "next": texts.next,
        "check": texts.check.map(|snippet| snippet.code),
        "fixes": texts.fixes,
    })
}

/// The script for the best cause; null where there can be none.
fn reproduction(log: &Log) -> Value {
    of_diagnosis(&log.facts, &log.diagnosis).map_or(Value::Null, |made| {
        json!({
            "script": made.script,
            "expected": made.expected,
            "other_wordings": made.other_wordings,
            "fails_on_cpu": made.fails_on_cpu,
            "since": made.since,
        })
    })
}

/// A line of the log, or a place in the data with the path of its file.
fn evidence_object(evidence: &Evidence, log_path: &str) -> Value {
    let (text, role) = (&evidence.text, evidence.role);
    let Some(place) = &evidence.place else {
        return json!({ "path": log_path, "line": evidence.line, "text": text, "role": role });
    };
    let path = place.path.as_ref().map(|path| path.display().to_string());
    let mut object = json!({ "path": path, "line": place.line, "text": text, "role": role });
    let fields = [
        ("row", json!(place.row)),
        ("index", json!(place.index)),
        ("column", json!(place.column)),
        ("key", json!(place.key)),
        ("pixel", json!(place.pixel)),
        ("document", json!(place.document)),
        ("position", json!(place.position)),
    ];
    if let Some(object) = object.as_object_mut() {
        let known = fields.into_iter().filter(|(_, value)| !value.is_null());
        object.extend(known.map(|(name, value)| (name.to_owned(), value)));
    }
    object
}

fn describe(log: &Log, object: &mut Map<String, Value>, words: Words) {
    let (facts, diagnosis) = (&log.facts, &log.diagnosis);
    object.insert(
        "device_assert".into(),
        json!(diagnosis.device_assert == DeviceAssert::Yes),
    );
    object.insert("process_lost".into(), json!(diagnosis.process_lost));
    object.insert(
        "first_failure".into(),
        first_failure(facts, diagnosis.first_failure),
    );
    object.insert("ending".into(), json!(log.ending));
    object.insert("unfinished".into(), json!(log.unfinished));
    object.insert("assertions".into(), assertions(facts));
    object.insert("traceback".into(), traceback(log));
    let consequences: Vec<Value> = diagnosis
        .consequences
        .iter()
        .map(|c| {
            json!({
                "kind": c.kind(),
                "family": c.family,
                "line": c.line,
                "text": c.text,
                "meaning": words.as_consequence(c.family),
            })
        })
        .collect();
    object.insert("consequences".into(), Value::Array(consequences));
    let ended_with = log.ending.as_ref().and_then(|ending| ending.code);
    object.insert("environment".into(), environment(facts, ended_with));
    object.insert("run".into(), run(facts));
    let guard = &facts.guard;
    let spoke = guard.lines > 0 || guard.violation_count > 0;
    let guard = spoke.then(|| json!(guard));
    object.insert("guard".into(), guard.unwrap_or(Value::Null));
    object.insert("remarks".into(), json!(diagnosis.remarks));
    object.insert("stated_sizes".into(), json!(facts.stated_sizes));
    object.insert("not_understood".into(), json!(facts.not_understood));
}

fn first_failure(facts: &Facts, failure: Option<Failure>) -> Value {
    match failure {
        None => Value::Null,
        Some(Failure::Guard(i)) => facts.guard.violations.get(i).map_or(Value::Null, |seen| {
            json!({
                "kind": "guard",
                "line": seen.line,
                "text": seen.message,
                "operation": seen.operation,
            })
        }),
        Some(Failure::Assertion(i)) => facts.assertions.get(i).map_or(Value::Null, |group| {
            json!({ "kind": "assertion", "line": group.first_line, "text": group.expression })
        }),
        Some(Failure::Error(i)) => facts.errors.get(i).map_or(Value::Null, |error| {
            json!({
                "kind": "error",
                "family": error.family,
                "line": error.line,
                "text": error.text,
                "status": error.status,
            })
        }),
    }
}

fn assertions(facts: &Facts) -> Value {
    facts
        .assertions
        .iter()
        .map(|group| {
            let rank = match group.ranks.as_slice() {
                [Source::Rank(rank)] => Some(*rank),
                _ => None,
            };
            json!({
                "file": group.file,
                "line": group.line,
                "function": group.function,
                "expression": group.expression,
                "message": group.message,
                "form": group.form,
                "count": group.count,
                "blocks": group.blocks.map(|(lo, hi)| [lo, hi]),
                "threads": group.threads.map(|(lo, hi)| [lo, hi]),
                "first_line": group.first_line,
                "last_line": group.last_line,
                "rank": rank,
                "ranks": group.ranks,
            })
        })
        .collect()
}

fn traceback(log: &Log) -> Value {
    let found = log.diagnosis.traceback.as_ref().and_then(|reading| {
        let traceback = log.facts.tracebacks.get(reading.traceback)?;
        Some((reading, traceback))
    });
    // The fields are there in any case, so that `traceback.trusted` can be asked of every log.
    let Some((reading, traceback)) = found else {
        return json!({
            "frames": [],
            "culprit_frame": null,
            "user_frame": null,
            "trusted": null,
            "trusted_because": null,
            "reason": null,
            "first_line": null,
            "last_line": null,
        });
    };
    let frames: Vec<Value> = traceback
        .frames
        .iter()
        .map(|frame| {
            json!({
                "file": frame.file,
                "line": frame.line,
                "function": frame.function,
                "code": frame.code,
                "log_line": frame.log_line,
                "library": frame.library,
            })
        })
        .collect();
    let (because, noticed_at) = match reading.trust {
        Trust::Trusted(because) => (json!(because), Value::Null),
        Trust::NotTrusted(at) => (Value::Null, json!(at)),
    };
    json!({
        "frames": frames,
        "culprit_frame": reading.culprit_frame,
        "user_frame": reading.user_frame,
        "trusted": reading.trust.is_trusted(),
        "trusted_because": because,
        "reason": noticed_at,
        "first_line": traceback.first_line,
        "last_line": traceback.last_line,
    })
}

fn environment(facts: &Facts, ended_with: Option<i64>) -> Value {
    let environment = &facts.environment;
    let text = |stated: &Option<crate::crash_log::Stated>| stated.as_ref().map(|s| s.text.clone());
    let gpus: Vec<&str> = environment
        .gpus
        .iter()
        .map(|gpu| gpu.text.as_str())
        .collect();
    json!({
        "platform": environment.platform,
        "torch": text(&environment.torch),
        "cuda": text(&environment.cuda),
        "python": text(&environment.python),
        "driver": text(&environment.driver),
        "gpu": gpus.first(),
        "gpus": gpus,
        "launch_blocking": environment.launch_blocking,
        "rocm": environment.rocm,
        "command": text(&environment.command),
        "exit_code": environment.exit_code.or(ended_with),
        "processes": environment.processes,
        "encodings": facts.encodings,
        "lines": facts.line_count,
        "bytes": facts.byte_count,
    })
}

fn run(facts: &Facts) -> Value {
    let progress = &facts.progress;
    json!({
        "phase": progress.phase,
        "epoch": progress.epoch.map(|(n, _)| n),
        "epochs": progress.epoch.and_then(|(_, total)| total),
        "step": progress.step.map(|(n, _)| n),
        "steps": progress.step.and_then(|(_, total)| total),
        "progress": progress.fraction,
        "rate": progress.rate,
        "line": progress.line,
    })
}
