//! Reads the guard's lines: `[assert-doctor] {"guard":1,"event":"…",…}`, wherever in a line they stand.
//!
//! A progress bar has no line end, so such a line may begin behind one; two processes may write at once, so something may follow
//! it. What a console broke at its width is put together again. A line of the guard is its own: no other recogniser sees it, for
//! its texts speak of errors without being one.

use std::collections::BTreeMap;

use serde_json::Value;

use super::guard_facts::{
    GuardCheck, GuardFacts, GuardFrame, GuardMemory, GuardNote, GuardNumber, GuardOperation,
    GuardStart, GuardViolation, NotFinite,
};
use super::line::Line;
use super::recognisers::{MarkPen, not_understood};
use super::{Facts, MarkKind, NotUnderstoodReason, Source};

/// What every line of the guard begins with, up to its JSON.
pub(super) const SIGN: &str = "[assert-doctor] {";

/// Processes told apart.
const PROCESSES: usize = 512;
/// Operations told apart in one process; the guard knows thirteen.
const OPERATIONS: usize = 32;
/// Different notes kept.
const NOTES: usize = 64;
/// Characters kept of one text: the guard cuts its lines at 6,000 altogether.
const TEXT: usize = 600;
/// Frames and values kept of one violation.
const FEW: usize = 8;
/// Arguments, and dimensions of one.
const SIZES: usize = 16;
/// Lines that one line of the guard may have been broken into, and its bytes together.
const PIECES: u32 = 120;
const JOINED: usize = 16 * 1024;

/// The index in marks of lines that tell no violation.
const NO_VIOLATION: usize = u32::MAX as usize;

/// See the module's text.
#[derive(Clone, Default)]
pub(super) struct GuardReader {
    pen: MarkPen,
    /// The newest state of each operation by process.
    operations: BTreeMap<Process, BTreeMap<String, GuardOperation>>,
    /// A line that breaks off.
    open: Option<Open>,
    /// One entry of memory in so many is kept, and how many came since the last.
    memory_step: u32,
    memory_skipped: u32,
}

/// Rank, or the process that the line's prefix names.
type Process = Option<Source>;

#[derive(Clone)]
struct Open {
    text: String,
    line: u64,
    last_line: u64,
    source: Option<Source>,
    pieces: u32,
}

impl GuardReader {
    /// Whether the next line may belong to one that was broken.
    pub(super) fn wants_next(&self) -> bool {
        self.open.is_some()
    }

    /// Reads a line, and says whether it is the guard's.
    pub(super) fn line(&mut self, line: &Line<'_>, facts: &mut Facts) -> bool {
        let start = line.text.find(SIGN);
        if let Some(mut open) = self.open.take() {
            if start.is_none() && open.takes(line) {
                match first_value(&open.text) {
                    Json::Value(value, _) => {
                        let line = Line {
                            number: open.line,
                            last_number: open.last_line,
                            text: "",
                            source: open.source.clone(),
                            overdrawn: false,
                        };
                        self.event(&value, &line, facts);
                    }
                    Json::BreaksOff => self.open = Some(open),
                    Json::Broken => open.give_up(facts),
                }
                return true;
            }
            open.give_up(facts);
        }
        let Some(start) = start else {
            return false;
        };
        let mut rest = line.text.get(start..).unwrap_or_default();
        let mut ours = false;
        while let Some(at) = rest.find(SIGN) {
            let text = rest.get(at + SIGN.len() - 1..).unwrap_or_default();
            match first_value(text) {
                Json::Value(value, length) => {
                    ours |= self.event(&value, line, facts);
                    rest = text.get(length..).unwrap_or_default();
                }
                Json::BreaksOff if looks_like_ours(text) && text.len() < JOINED => {
                    self.open = Some(Open {
                        text: text.to_owned(),
                        line: line.number,
                        last_line: line.last_number,
                        source: line.source.clone(),
                        pieces: 1,
                    });
                    return true;
                }
                Json::BreaksOff | Json::Broken => {
                    if looks_like_ours(text) {
                        cut_line(facts, line.number, text);
                        ours = true;
                    } else if let Some(value) = inside_a_record(text) {
                        ours |= self.event(&value, line, facts);
                    }
                    rest = text;
                }
            }
        }
        // What stands before it is a progress bar's state, which is read elsewhere.
        ours
    }

    /// The log is over.
    pub(super) fn finish(&mut self, facts: &mut Facts) {
        if let Some(open) = self.open.take() {
            open.give_up(facts);
        }
        facts.guard.operations = self.joined();
    }

    /// Takes what a line of the guard tells, and says whether it is one: only a version of the format makes it that.
    fn event(&mut self, value: &Value, line: &Line<'_>, facts: &mut Facts) -> bool {
        if value.get("guard").and_then(Value::as_u64).is_none() {
            return false;
        }
        facts.guard.lines += 1;
        let lines = line.number..=line.last_number;
        let event = value.get("event").and_then(Value::as_str);
        let index = if event == Some("violation") {
            facts.guard.violations.len()
        } else {
            NO_VIOLATION
        };
        self.pen.mark(facts, MarkKind::Guard, lines, index);
        match event {
            Some("start") => start(value, line.number, &mut facts.guard),
            Some("violation") => {
                facts.guard.violation_count += 1;
                if facts.guard.violations.len() < GuardFacts::VIOLATIONS {
                    facts.guard.violations.push(violation(value, line));
                }
            }
            Some("summary") => self.summary(value, line, facts),
            Some("memory") => {
                let after = value.get("after");
                let before = value
                    .get("before")
                    .and_then(|before| size(before, "allocated"));
                let memory = GuardMemory {
                    name: text(value, "name"),
                    total: size(value, "total"),
                    before,
                    ..memory(value, after.unwrap_or(&Value::Null), line.number)
                };
                self.memory(memory, &mut facts.guard);
            }
            Some("note") => note(value, line.number, &mut facts.guard),
            // The format grows.
            _ => {}
        }
        true
    }

    fn summary(&mut self, value: &Value, line: &Line<'_>, facts: &mut Facts) {
        let guard = &mut facts.guard;
        guard.final_summary |= value.get("final").and_then(Value::as_bool) == Some(true);
        guard.elapsed = larger(guard.elapsed, seconds(value, "elapsed"));
        let wait = seconds(value, "loader_wait").filter(|share| *share <= 1.0);
        let process = process(value, line);
        let known = self.operations.contains_key(&process);
        // A summary says how things stand; only between processes the larger one counts.
        guard.loader_wait = if self.operations.len() > usize::from(known) {
            larger(guard.loader_wait, wait)
        } else {
            wait.or(guard.loader_wait)
        };
        guard.batches = guard.batches.max(size(value, "batches"));
        if let Some(now) = value.get("memory").filter(|memory| memory.is_object()) {
            let sample = GuardMemory {
                total: size(now, "total"),
                ..memory(value, now, line.number)
            };
            self.memory(sample, guard);
        }
        if !known && self.operations.len() >= PROCESSES {
            return;
        }
        let seen = self.operations.entry(process).or_default();
        let operations = value.get("ops").and_then(Value::as_object);
        for (name, state) in operations.into_iter().flatten() {
            if !seen.contains_key(name.as_str()) && seen.len() >= OPERATIONS {
                continue;
            }
            let name = cut(name);
            let operation = GuardOperation {
                calls: size(state, "calls").unwrap_or(0),
                values: size(state, "values").unwrap_or(0),
                min: number(state, "min"),
                max: number(state, "max"),
                lo: number(state, "lo"),
                hi: number(state, "hi"),
                line: line.number,
                name: name.clone(),
            };
            seen.insert(name, operation);
        }
    }

    /// Keeps an entry of memory; where there are too many, every second one goes, and from then on one of two is kept.
    fn memory(&mut self, memory: GuardMemory, guard: &mut GuardFacts) {
        self.memory_skipped += 1;
        if self.memory_skipped < self.memory_step {
            return;
        }
        self.memory_skipped = 0;
        if guard.memory.len() >= GuardFacts::MEMORY {
            let mut keep = false;
            guard.memory.retain(|_| {
                keep = !keep;
                keep
            });
            self.memory_step = self.memory_step.max(1).saturating_mul(2);
        }
        guard.memory.push(memory);
    }

    /// The operations of all processes together.
    fn joined(&self) -> Vec<GuardOperation> {
        let mut joined: Vec<GuardOperation> = Vec::new();
        for operation in self.operations.values().flat_map(BTreeMap::values) {
            let Some(known) = joined.iter_mut().find(|known| known.name == operation.name) else {
                if joined.len() < OPERATIONS {
                    joined.push(operation.clone());
                }
                continue;
            };
            known.calls = known.calls.saturating_add(operation.calls);
            known.values = known.values.saturating_add(operation.values);
            known.min = of_both(known.min, operation.min, std::cmp::Ordering::Less);
            known.max = of_both(known.max, operation.max, std::cmp::Ordering::Greater);
            known.lo = of_both(known.lo, operation.lo, std::cmp::Ordering::Greater);
            known.hi = of_both(known.hi, operation.hi, std::cmp::Ordering::Less);
            known.line = known.line.max(operation.line);
        }
        joined.sort_by(|a, b| a.name.cmp(&b.name));
        joined
    }
}

impl Open {
    /// Takes the next line as its continuation, unless that is plainly something else.
    fn takes(&mut self, line: &Line<'_>) -> bool {
        let other = matches!((&self.source, &line.source), (Some(a), Some(b)) if a != b);
        let begins_anew = line.text.is_empty()
            || line.text.starts_with("Traceback (most recent call last)")
            || line.text.starts_with("  File \"");
        if other
            || begins_anew
            || self.pieces >= PIECES
            || self.text.len() + line.text.len() > JOINED
        {
            return false;
        }
        self.text.push_str(line.text);
        self.last_line = line.last_number;
        self.pieces += 1;
        true
    }

    fn give_up(self, facts: &mut Facts) {
        cut_line(facts, self.line, &self.text);
    }
}

/// A line that cannot be read to its end is told, where it says enough to be missed.
fn cut_line(facts: &mut Facts, line: u64, text: &str) {
    let start = text.get(..text.floor_char_boundary(200)).unwrap_or(text);
    not_understood(facts, NotUnderstoodReason::GuardLine, line, start);
}

/// The JSON begins with the field that every line of the guard has.
fn looks_like_ours(text: &str) -> bool {
    text.starts_with("{\"guard\":")
}

enum Json {
    /// A value, and the bytes that it takes up.
    Value(Value, usize),
    /// It may go on.
    BreaksOff,
    /// It is no JSON.
    Broken,
}

fn first_value(text: &str) -> Json {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    match values.next() {
        Some(Ok(value)) => Json::Value(value, values.byte_offset()),
        Some(Err(error)) if error.is_eof() => Json::BreaksOff,
        None => Json::BreaksOff,
        Some(Err(_)) => Json::Broken,
    }
}

/// A collector of logs writes each line as a string in a JSON record: the quotes of the guard's own JSON are escaped there.
fn inside_a_record(text: &str) -> Option<Value> {
    if !text.starts_with("{\\\"guard\\\":") {
        return None;
    }
    let quoted = format!("\"{text}");
    let mut strings = serde_json::Deserializer::from_str(&quoted).into_iter::<String>();
    match first_value(&strings.next()?.ok()?) {
        Json::Value(value, _) => Some(value),
        Json::BreaksOff | Json::Broken => None,
    }
}

fn process(value: &Value, line: &Line<'_>) -> Process {
    let rank = value.get("rank").and_then(Value::as_u64);
    rank.and_then(|rank| u32::try_from(rank).ok())
        .map(Source::Rank)
        .or_else(|| line.source.clone())
}

fn start(value: &Value, line: u64, guard: &mut GuardFacts) {
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

fn violation(value: &Value, line: &Line<'_>) -> GuardViolation {
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

fn memory(event: &Value, now: &Value, line: u64) -> GuardMemory {
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

fn note(value: &Value, line: u64, guard: &mut GuardFacts) {
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
fn text(value: &Value, name: &str) -> Option<String> {
    let text = value.get(name)?.as_str()?;
    (!text.is_empty()).then(|| cut(text))
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(TEXT) {
        Some((end, _)) => text.get(..end).unwrap_or_default().to_owned() + "…",
        None => text.to_owned(),
    }
}

fn size(value: &Value, name: &str) -> Option<u64> {
    value.get(name)?.as_u64()
}

/// A share or a time: finite and not negative.
fn seconds(value: &Value, name: &str) -> Option<f64> {
    let seconds = value.get(name)?.as_f64()?;
    (seconds.is_finite() && seconds >= 0.0).then_some(seconds)
}

fn number(value: &Value, name: &str) -> Option<GuardNumber> {
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

fn larger(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.max(b)),
        (a, b) => a.or(b),
    }
}

/// The one of two numbers that stands so to the other; the one that is known where the other is not.
fn of_both(
    a: Option<GuardNumber>,
    b: Option<GuardNumber>,
    wanted: std::cmp::Ordering,
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
        Some(_) => other,
        None if as_double(one).is_nan() => one,
        None => other,
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

#[cfg(test)]
mod tests;
