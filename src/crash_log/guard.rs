//! Reads the guard's lines: `[assert-doctor] {"guard":1,"event":"…",…}`, wherever in a line they stand.
//!
//! A progress bar has no line end, so such a line may begin behind one; two processes may write at once, so something may follow
//! it. What a console broke at its width is put together again. A line of the guard is its own: no other recogniser sees it, for
//! its texts speak of errors without being one.

use std::collections::BTreeMap;

use serde_json::Value;

use super::guard_facts::{GuardFacts, GuardMemory, GuardOperation};
use super::guard_fields::{
    cut, larger, memory, note, number, of_both, seconds, size, start, text, violation,
};
use super::line::Line;
use super::recognisers::{MarkPen, not_understood};
use super::{Facts, MarkKind, NotUnderstoodReason, Source};

/// What every line of the guard begins with, up to its JSON.
pub(super) const SIGN: &str = "[assert-doctor] {";

/// Processes told apart.
const PROCESSES: usize = 512;
/// Operations told apart in one process; the guard knows thirteen.
pub(super) const OPERATIONS: usize = 32;
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
pub(super) type Process = Option<Source>;

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

pub(super) fn process(value: &Value, line: &Line<'_>) -> Process {
    let rank = value.get("rank").and_then(Value::as_u64);
    rank.and_then(|rank| u32::try_from(rank).ok())
        .map(Source::Rank)
        .or_else(|| line.source.clone())
}

#[cfg(test)]
mod tests;
