//! The rows of a verdict: what failed, where, on whose data, and what is not the culprit.

use super::entry_texts::EntryTexts;
use super::language::{Arg, Words};
use super::place::place_text;
use super::verdict::{LineLink, Row, RowKind, Span, SpanStyle};
use crate::case::shown;
use crate::crash_log::{ErrorFamily, Facts, Frame, GuardCheck, GuardViolation, Phase, Progress};
use crate::diagnosis::{
    AllowedRange, Cause, Certainty, Diagnosis, Entry, EvidenceRole, Failure, NoticedAt, Pass,
    Trust, TrustedBecause, is_cpu_twin,
};

pub(super) fn rows(
    facts: &Facts,
    diagnosis: &Diagnosis,
    cause: &Cause,
    texts: &EntryTexts,
    words: Words,
) -> Vec<Row> {
    let mut rows = Vec::new();
    rows.extend(failure_row(facts, diagnosis, words));
    rows.extend(sign_row(cause, words));
    rows.extend(operation_row(cause, texts, words));
    // What the guard saw has value and range already.
    if !cause
        .evidence
        .iter()
        .any(|e| e.role == EvidenceRole::GuardSaw)
    {
        rows.extend(data_row(cause, texts, words));
    }
    rows.extend(guilty_rows(cause, words));
    rows.extend(
        guard_place_row(facts, diagnosis, words).or_else(|| traceback_row(facts, diagnosis, words)),
    );
    rows.extend(moment_row(facts, diagnosis, words));
    rows.extend(consequences_row(diagnosis, words));
    rows
}

fn failure_row(facts: &Facts, diagnosis: &Diagnosis, words: Words) -> Option<Row> {
    match diagnosis.first_failure? {
        Failure::Guard(i) => guard_row(facts.guard.violations.get(i)?, words),
        Failure::Assertion(i) => {
            let group = facts.assertions.get(i)?;
            let file = file_name(&group.file);
            let line = group.line.to_string();
            let mut spans = vec![code(&group.expression)];
            if group.line > 0 {
                spans.push(weak(words.with(
                    "check-source",
                    &[("file", Arg::Text(file)), ("line", Arg::Text(&line))],
                )));
            } else {
                spans.push(weak(file.to_owned()));
            }
            Some(row(
                RowKind::FailedCheck,
                spans,
                Some(group.first_line),
                words,
            ))
        }
        Failure::Error(i) => {
            let error = facts.errors.get(i)?;
            Some(row(
                RowKind::Error,
                vec![code(&error.text)],
                Some(error.line),
                words,
            ))
        }
    }
}

/// What the guard saw: `target[3, 17] is 80, allowed 0–79 (input.size(1))`, and how many more.
fn guard_row(violation: &GuardViolation, words: Words) -> Option<Row> {
    let mut spans = Vec::new();
    let seen = violation.position().zip(violation.value);
    match seen.filter(|_| violation.check != GuardCheck::Shape) {
        Some((position, value)) => {
            let value = value.to_string();
            let mut args = vec![
                ("position", Arg::Text(&position)),
                ("value", Arg::Text(&value)),
            ];
            let (lo, hi) = (
                violation.lo.map(|lo| lo.to_string()),
                violation.hi.map(|hi| hi.to_string()),
            );
            let source = violation.size_of.as_deref().map(shown);
            let id = match (&lo, &hi, &source) {
                (Some(lo), Some(hi), source) => {
                    args.extend([("lo", Arg::Text(lo)), ("hi", Arg::Text(hi))]);
                    if let Some(source) = source {
                        args.push(("source", Arg::Text(source)));
                        "guard-saw-of"
                    } else {
                        "guard-saw-range"
                    }
                }
                (Some(lo), None, _) => {
                    args.push(("lo", Arg::Text(lo)));
                    "guard-saw-least"
                }
                _ => "guard-saw-value",
            };
            spans.push(plain(shown(&words.with(id, &args))));
        }
        // Shapes, types and sums: the guard's own sentence says it best.
        None => spans.push(code(&shown(violation.message.as_deref()?))),
    }
    if let (Some(count), Some(total)) = (violation.count, violation.total)
        && count > 1
    {
        let args = [("count", Arg::Number(count)), ("total", Arg::Number(total))];
        spans.push(plain(words.with("guard-saw-count", &args)));
    }
    spans.push(weak(words.text("guard-saw-before")));
    Some(row(RowKind::GuardSaw, spans, Some(violation.line), words))
}

/// The user's own line that made the call.
fn guard_place_row(facts: &Facts, diagnosis: &Diagnosis, words: Words) -> Option<Row> {
    let Some(Failure::Guard(i)) = diagnosis.first_failure else {
        return None;
    };
    let violation = facts.guard.violations.get(i)?;
    let frame = violation.place()?;
    let (file, line) = (shown(file_name(&frame.file)), frame.line.to_string());
    let args = [("file", Arg::Text(&file)), ("line", Arg::Text(&line))];
    let spans = vec![
        match &frame.code {
            Some(text) => code(&shown(text)),
            None => plain(words.text("no-code")),
        },
        weak(words.with("in-file", &args)),
        plain(words.text("guard-saw-call")),
    ];
    Some(row(RowKind::YourLine, spans, Some(violation.line), words))
}

/// The line before the failure that already showed it.
fn sign_row(cause: &Cause, words: Words) -> Option<Row> {
    let sign = cause
        .evidence
        .iter()
        .find(|e| e.role == EvidenceRole::SignBefore)?;
    let spans = vec![code(&sign.text)];
    Some(row(RowKind::SignBefore, spans, Some(sign.line), words))
}

fn operation_row(cause: &Cause, texts: &EntryTexts, words: Words) -> Option<Row> {
    let operation = cause.operation.as_ref()?;
    let mut notes = Vec::new();
    if let Some(pass) = operation.pass {
        notes.push(words.text(match pass {
            Pass::Forward => "pass-forward",
            Pass::Backward => "pass-backward",
        }));
    }
    notes.extend(texts.operation_note.clone());
    if !operation.shown {
        notes.push(words.text("operation-usual"));
    }
    let mut spans = vec![code(&operation.name)];
    if !notes.is_empty() {
        spans.push(weak(notes.join(" · ")));
    }
    Some(row(RowKind::Operation, spans, None, words))
}

fn data_row(cause: &Cause, texts: &EntryTexts, words: Words) -> Option<Row> {
    let mut spans = Vec::new();
    // Only a check has data that it checked.
    let checks = match cause.entry {
        Entry::Assertion(_) => true,
        Entry::Error(family) => is_cpu_twin(family) || family == ErrorFamily::Shape,
        Entry::Cause(_) => false,
    };
    if let Some(data) = texts.data.as_ref().filter(|_| checks) {
        spans.push(plain(data.clone()));
    }
    // A value that was found in the data has a row of its own.
    let in_data = cause
        .evidence
        .iter()
        .any(|evidence| evidence.role == EvidenceRole::Offender);
    if let Some(value) = cause.value.filter(|_| !in_data) {
        let value = value.to_string();
        spans.push(plain(
            words.with("value-found", &[("value", Arg::Text(&value))]),
        ));
    }
    match (&cause.range, &texts.range) {
        (Some(range), _) => spans.push(weak(allowed(range, words))),
        (None, Some(symbolic)) if checks => {
            spans.push(weak(
                words.with("allowed-symbolic", &[("range", Arg::Text(symbolic))]),
            ));
        }
        _ => {}
    }
    let line = cause
        .range
        .as_ref()
        .filter(|range| range.path.is_none())
        .map(|range| range.line);
    (!spans.is_empty()).then(|| row(RowKind::CheckedData, spans, line, words))
}

/// The values of the data that break the check: the row as it stands, or the value, and its place.
fn guilty_rows(cause: &Cause, words: Words) -> Vec<Row> {
    let found = cause
        .evidence
        .iter()
        .filter(|e| e.role == EvidenceRole::Offender);
    let rows = found.filter_map(|found| {
        let place = found.place.clone()?;
        let mut spans = Vec::new();
        if found.text.is_empty() {
            spans.push(plain(words.text("guilty-empty")));
        } else {
            spans.push(code(&shown(&found.text)));
        }
        spans.push(weak(place_text(&place, words)));
        let mut row = row(RowKind::GuiltyValue, spans, None, words);
        row.place = Some(place);
        Some(row)
    });
    rows.collect()
}

fn allowed(range: &AllowedRange, words: Words) -> String {
    let (lo, hi) = (signed(range.lo, words), signed(range.hi, words));
    let id = match (range.certainty, &range.path) {
        (Certainty::Certain, None) => "allowed-certain",
        // No line of the log shows it, so the file is named.
        (Certainty::Certain, Some(_)) => "allowed-by-file",
        _ => "allowed-likely",
    };
    words.with(
        id,
        &[
            ("lo", Arg::Text(&lo)),
            ("hi", Arg::Text(&hi)),
            ("source", Arg::Text(&shown(&range.source))),
        ],
    )
}

fn signed(n: i64, words: Words) -> String {
    let digits = words.number(n.unsigned_abs());
    if n < 0 {
        format!("−{digits}")
    } else {
        digits
    }
}

/// Where the traceback ends: not the culprit, with the reason, or the line to look at.
fn traceback_row(facts: &Facts, diagnosis: &Diagnosis, words: Words) -> Option<Row> {
    let reading = diagnosis.traceback.as_ref()?;
    let frames = &facts.tracebacks.get(reading.traceback)?.frames;
    // The user's own line says more than a frame inside the library that it called.
    let frame = reading
        .user_frame
        .and_then(|i| frames.get(i))
        .or_else(|| frames.get(reading.last_frame))?;
    let mut spans = vec![match &frame.code {
        Some(text) => code(text),
        None => plain(words.text("no-code")),
    }];
    let place = place(frame, words);
    let line = frame.code_line.unwrap_or(frame.log_line);
    let kind = match reading.trust {
        Trust::Trusted(because) => {
            spans.push(weak(place));
            spans.push(plain(words.text(match because {
                TrustedBecause::Blocking => "trusted-blocking",
                TrustedBecause::Synchronous => "trusted-synchronous",
                TrustedBecause::OperationMatches => "trusted-operation-matches",
            })));
            RowKind::YourLine
        }
        Trust::NotTrusted(at) => {
            let reason = words.text(match at {
                NoticedAt::Backward => "noticed-backward",
                NoticedAt::Copy => "noticed-copy",
                NoticedAt::ReadBack => "noticed-read-back",
                NoticedAt::Print => "noticed-print",
                NoticedAt::Synchronize => "noticed-synchronize",
                NoticedAt::Optimizer => "noticed-optimizer",
                NoticedAt::OtherProcess => "noticed-other-process",
                NoticedAt::LaterCall => "noticed-later-call",
            });
            spans.push(plain(format!("{place}{reason}")));
            RowKind::NotTheCulprit
        }
    };
    Some(row(kind, spans, Some(line), words))
}

fn place(frame: &Frame, words: Words) -> String {
    let file = file_name(&frame.file);
    if frame.line == 0 {
        return words.with("in-file-only", &[("file", Arg::Text(file))]);
    }
    let line = frame.line.to_string();
    words.with(
        "in-file",
        &[("file", Arg::Text(file)), ("line", Arg::Text(&line))],
    )
}

fn moment_row(facts: &Facts, diagnosis: &Diagnosis, words: Words) -> Option<Row> {
    diagnosis.first_failure?;
    let text = progress_text(&facts.progress, words)?;
    let line = facts.progress.line;
    Some(row(RowKind::Moment, vec![plain(text)], line, words))
}

/// Phase, epoch and step in a row; `None` where none of them is known.
pub(super) fn progress_text(progress: &Progress, words: Words) -> Option<String> {
    let mut parts = Vec::new();
    if let Some(phase) = progress.phase {
        parts.push(words.text(match phase {
            Phase::Loading => "phase-loading",
            Phase::Training => "phase-training",
            Phase::Validation => "phase-validation",
            Phase::Inference => "phase-inference",
        }));
    }
    for (at, id, id_of, name) in [
        (progress.epoch, "moment-epoch", "moment-epoch-of", "epoch"),
        (progress.step, "moment-step", "moment-step-of", "step"),
    ] {
        match at {
            Some((n, Some(total))) => parts.push(words.with(
                id_of,
                &[(name, Arg::Number(n)), ("total", Arg::Number(total))],
            )),
            Some((n, None)) => parts.push(words.with(id, &[(name, Arg::Number(n))])),
            None => {}
        }
    }
    (!parts.is_empty()).then(|| words.join_phrases(&parts))
}

fn consequences_row(diagnosis: &Diagnosis, words: Words) -> Option<Row> {
    // The error that reports a failed check is not worth a row of its own: the row above speaks of it.
    let told: Vec<_> = diagnosis
        .consequences
        .iter()
        .filter(|c| c.family != ErrorFamily::DeviceAssert)
        .collect();
    let first = told.first()?;
    let mut names: Vec<String> = Vec::new();
    for consequence in &told {
        let name = words.text(&format!("consequence-{}", consequence.kind()));
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let list = words.join_phrases(&names);
    let text = words.with(
        "consequences-some",
        &[
            ("names", Arg::Text(&list)),
            ("count", Arg::Number(names.len() as u64)),
        ],
    );
    Some(row(
        RowKind::Consequences,
        vec![plain(text)],
        Some(first.line),
        words,
    ))
}

fn row(kind: RowKind, spans: Vec<Span>, line: Option<u64>, words: Words) -> Row {
    let label = words.text(match kind {
        RowKind::FailedCheck => "row-failed-check",
        RowKind::GuardSaw => "row-guard-saw",
        RowKind::Error => "row-error",
        RowKind::Operation => "row-operation",
        RowKind::CheckedData => "row-checked-data",
        RowKind::YourLine => "row-your-line",
        RowKind::NotTheCulprit => "row-not-the-culprit",
        RowKind::Consequences => "row-consequences",
        RowKind::Moment => "row-moment",
        RowKind::SignBefore => "row-sign-before",
        RowKind::GuiltyValue => "row-guilty-value",
    });
    Row {
        kind,
        label,
        spans,
        line: line.filter(|&line| line > 0).map(|line| link(line, words)),
        place: None,
    }
}

pub(super) fn link(line: u64, words: Words) -> LineLink {
    LineLink {
        line,
        text: words.with("line", &[("line", Arg::Number(line))]),
    }
}

fn code(text: &str) -> Span {
    Span {
        text: text.to_owned(),
        style: SpanStyle::Code,
    }
}

fn plain(text: String) -> Span {
    Span {
        text,
        style: SpanStyle::Plain,
    }
}

fn weak(text: String) -> Span {
    Span {
        text,
        style: SpanStyle::Weak,
    }
}

/// The last part of a path of any system.
pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

#[cfg(test)]
mod tests;
