//! The fields of the guard's lines, each read by itself: what is missing or of another type is not known.

use std::cmp::Ordering;

use serde_json::Value;

use super::Source;
use super::guard::{OPERATIONS, process};
use super::guard_facts::{
    GuardCheck, GuardFacts, GuardFrame, GuardMemory, GuardNote, GuardNumber, GuardStart,
    GuardViolation, NotFinite,
};
use super::line::Line;

/// Different notes kept.
const NOTES: usize = 64;
/// Characters kept of one text: the guard cuts its lines at 6,000 altogether.
const TEXT: usize = 600;
/// Frames and values kept of one violation.
const FEW: usize = 8;
/// Arguments, and dimensions of one.
const SIZES: usize = 16;

pub(super) fn start(value: &Value, line: u64, guard: &mut GuardFacts) {
    guard.starts += 1;
    if guard.start.is_some() {
        return;
    }
    let hooks = value.get("hooks").and_then(Value::as_array);
    let flag = |name: &str| value.get(name).and_then(Value::as_bool);
    guard.start = Some(GuardStart {
        line,
        version: text(value, "version"),
        pid: size(value, "pid"),
        python: text(value, "python"),
        torch: text(value, "torch"),
        cuda: text(value, "cuda"),
        gpu: text(value, "gpu"),
        hooks: hooks
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .take(OPERATIONS)
            .map(cut)
            .collect(),
        launch_blocking: flag("launch_blocking"),
        cpu: flag("cpu"),
        workers: size(value, "workers"),
        world: size(value, "world"),
    });
}

pub(super) fn violation(value: &Value, line: &Line<'_>) -> GuardViolation {
    let list = |name: &str| value.get(name).and_then(Value::as_array);
    let frames: Vec<GuardFrame> = list("frames")
        .into_iter()
        .flatten()
        .filter_map(frame)
        .collect();
    // The innermost counts most; it is told by itself, too.
    let mut frames: Vec<GuardFrame> = frames
        .get(frames.len().saturating_sub(FEW)..)
        .unwrap_or_default()
        .to_vec();
    if let Some(own) = frame(value)
        && frames.last() != Some(&own)
    {
        frames.push(own);
    }
    let values = list("values").into_iter().flatten().filter_map(|pair| {
        let value = to_number(pair.get(0)?)?;
        Some((value, pair.get(1)?.as_u64()?))
    });
    let shapes = value.get("shapes").and_then(Value::as_object);
    let shapes = shapes.into_iter().flatten().take(SIZES);
    let shapes = shapes.filter_map(|(name, sizes)| {
        let sizes = sizes.as_array()?.iter().take(SIZES);
        let sizes: Option<Vec<u64>> = sizes.map(Value::as_u64).collect();
        Some((cut(name), sizes?))
    });
    let index = list("index").into_iter().flatten().take(SIZES);
    GuardViolation {
        line: line.number,
        from_exception: false,
        rank: match process(value, line) {
            Some(Source::Rank(rank)) => Some(rank),
            _ => None,
        },
        t: seconds(value, "t"),
        operation: text(value, "op").unwrap_or_default(),
        api: text(value, "api"),
        check: check(value.get("check").and_then(Value::as_str)),
        what: text(value, "what"),
        value: number(value, "value"),
        index: index.map_while(Value::as_i64).collect(),
        dim: value.get("dim").and_then(Value::as_i64),
        lo: number(value, "lo"),
        hi: number(value, "hi"),
        ignore: value.get("ignore").and_then(Value::as_i64),
        count: size(value, "count"),
        total: size(value, "total"),
        values: values.take(FEW).collect(),
        shapes: shapes.collect(),
        dtype: text(value, "dtype"),
        device: text(value, "device"),
        size_of: text(value, "size_of"),
        message: text(value, "message"),
        frames,
        phase: text(value, "phase"),
        training: value.get("training").and_then(Value::as_bool),
    }
}

fn check(name: Option<&str>) -> GuardCheck {
    match name {
        Some("range") => GuardCheck::Range,
        Some("shape") => GuardCheck::Shape,
        Some("nan") => GuardCheck::Nan,
        Some("sum") => GuardCheck::Sum,
        Some("dtype") => GuardCheck::Dtype,
        _ => GuardCheck::Other,
    }
}

fn frame(value: &Value) -> Option<GuardFrame> {
    Some(GuardFrame {
        file: text(value, "file")?,
        line: size(value, "line")
            .and_then(|line| u32::try_from(line).ok())
            .unwrap_or(0),
        function: text(value, "function"),
        code: text(value, "code"),
    })
}

pub(super) fn memory(event: &Value, now: &Value, line: u64) -> GuardMemory {
    GuardMemory {
        line,
        t: seconds(event, "t"),
        name: None,
        allocated: size(now, "allocated"),
        reserved: size(now, "reserved"),
        peak: size(now, "peak"),
        total: None,
        before: None,
    }
}

pub(super) fn note(value: &Value, line: u64, guard: &mut GuardFacts) {
    let Some(id) = text(value, "id") else {
        return;
    };
    let operation = text(value, "op");
    let known = guard
        .notes
        .iter()
        .any(|note| note.id == id && note.operation == operation);
    if known || guard.notes.len() >= NOTES {
        return;
    }
    guard.notes.push(GuardNote {
        line,
        id,
        operation,
        message: text(value, "message"),
    });
}

/// A text of an object, cut.
pub(super) fn text(value: &Value, name: &str) -> Option<String> {
    let text = value.get(name)?.as_str()?;
    (!text.is_empty()).then(|| cut(text))
}

pub(super) fn cut(text: &str) -> String {
    match text.char_indices().nth(TEXT) {
        Some((end, _)) => text.get(..end).unwrap_or_default().to_owned() + "…",
        None => text.to_owned(),
    }
}

pub(super) fn size(value: &Value, name: &str) -> Option<u64> {
    value.get(name)?.as_u64()
}

/// A share or a time: finite and not negative.
pub(super) fn seconds(value: &Value, name: &str) -> Option<f64> {
    let seconds = value.get(name)?.as_f64()?;
    (seconds.is_finite() && seconds >= 0.0).then_some(seconds)
}

pub(super) fn number(value: &Value, name: &str) -> Option<GuardNumber> {
    to_number(value.get(name)?)
}

fn to_number(value: &Value) -> Option<GuardNumber> {
    match value {
        Value::Number(number) => number
            .as_i64()
            .map(GuardNumber::Int)
            .or_else(|| number.as_f64().map(GuardNumber::Float)),
        Value::String(text) => not_finite(text),
        _ => None,
    }
}

/// A number that is not finite, as the guard writes it, and as Python does.
pub(super) fn not_finite(text: &str) -> Option<GuardNumber> {
    Some(GuardNumber::NotFinite(match text {
        "NaN" | "nan" => NotFinite::Nan,
        "Infinity" | "inf" => NotFinite::Infinity,
        "-Infinity" | "-inf" => NotFinite::NegativeInfinity,
        _ => return None,
    }))
}

pub(super) fn larger(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.max(b)),
        (a, b) => a.or(b),
    }
}

/// The one of two numbers that stands so to the other; the one that is known where the other is not.
pub(super) fn of_both(
    a: Option<GuardNumber>,
    b: Option<GuardNumber>,
    wanted: Ordering,
) -> Option<GuardNumber> {
    let (Some(one), Some(other)) = (a, b) else {
        return a.or(b);
    };
    let order = match (one, other) {
        (GuardNumber::Int(x), GuardNumber::Int(y)) => Some(x.cmp(&y)),
        _ => as_double(one).partial_cmp(&as_double(other)),
    };
    // Where one of them is no number, that says most.
    Some(match order {
        Some(order) if order == wanted => one,
        None if as_double(one).is_nan() => one,
        _ => other,
    })
}

fn as_double(number: GuardNumber) -> f64 {
    match number {
        GuardNumber::Int(n) => n as f64,
        GuardNumber::Float(x) => x,
        GuardNumber::NotFinite(NotFinite::Nan) => f64::NAN,
        GuardNumber::NotFinite(NotFinite::Infinity) => f64::INFINITY,
        GuardNumber::NotFinite(NotFinite::NegativeInfinity) => f64::NEG_INFINITY,
    }
}
