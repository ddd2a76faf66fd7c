//! The recognisers of this half of the scanner: what logical lines say, apart from device-side assertions.

use std::ops::RangeInclusive;

use super::environment::EnvironmentReader;
use super::failures::Failures;
use super::hints::HintReader;
use super::line::Recogniser;
use super::metrics::MetricReader;
use super::sizes::SizeReader;
use super::{Facts, LIMITS, Mark, MarkKind, NotUnderstood, NotUnderstoodReason};

/// Every recogniser of this half, in the order in which each line is shown to them.
///
/// The order matters twice: failures come before the environment, which looks at the newest error, and metrics come last,
/// because whether they turned NaN before the first failure is known when all failures are.
pub(super) fn all() -> Vec<Box<dyn Recogniser + Send>> {
    vec![
        Box::new(Failures::default()),
        Box::new(HintReader::default()),
        Box::new(EnvironmentReader::default()),
        Box::new(SizeReader::default()),
        Box::new(MetricReader::default()),
    ]
}

/// Writes marks of one kind so that they never overlap.
#[derive(Clone, Default)]
pub(super) struct MarkPen {
    last: u64,
}

impl MarkPen {
    /// Marks the lines that no earlier mark of this pen holds.
    pub(super) fn mark(
        &mut self,
        facts: &mut Facts,
        kind: MarkKind,
        lines: RangeInclusive<u64>,
        index: usize,
    ) {
        let start = (*lines.start()).max(self.last + 1);
        if start > *lines.end() {
            return;
        }
        self.last = *lines.end();
        if facts.marks.len() >= LIMITS.marks {
            too_many(facts, start);
            return;
        }
        facts.marks.push(Mark {
            kind,
            lines: start..=*lines.end(),
            index,
        });
    }
}

/// Counts something that a limit kept out.
pub(super) fn too_many(facts: &mut Facts, line: u64) {
    not_understood(facts, NotUnderstoodReason::TooMany, line, "");
}

/// Notes, once for each reason, what could not be read.
pub(super) fn not_understood(
    facts: &mut Facts,
    reason: NotUnderstoodReason,
    line: u64,
    text: &str,
) {
    if let Some(known) = facts.not_understood.iter_mut().find(|n| n.reason == reason) {
        known.count += 1;
    } else {
        facts.not_understood.push(NotUnderstood {
            line,
            reason,
            count: 1,
            text: kept(text),
        });
    }
}

/// A text as facts keep it: trimmed, and cut at [`LIMITS`]`.text_chars`.
pub(super) fn kept(text: &str) -> String {
    let text = text.trim();
    if text.char_indices().nth(LIMITS.text_chars).is_none() {
        text.to_owned()
    } else {
        let mut cut: String = text.chars().take(LIMITS.text_chars - 1).collect();
        cut.push('…');
        cut
    }
}

/// Lines in, facts out, without the real scanner: what the tests of the recognisers use.
#[cfg(test)]
pub(super) mod driver {
    use super::*;
    use crate::crash_log::Source;
    use crate::crash_log::line::Line;

    /// Feeds a text line by line; `[rankN]: ` and `(X pid=N) ` at a line's start become its source. Every line is shown to every
    /// recogniser if `all_lines`, otherwise only those that the real scanner would wake them for.
    pub fn read_with(text: &str, all_lines: bool) -> Facts {
        let mut facts = Facts::default();
        let mut recognisers = all();
        let words: Vec<&str> = recognisers
            .iter()
            .flat_map(|r| r.wake_words().iter().copied())
            .collect();
        for (index, whole) in text.lines().enumerate() {
            let number = index as u64 + 1;
            let states: Vec<&str> = whole.split('\r').filter(|s| !s.is_empty()).collect();
            let states = if states.is_empty() { vec![""] } else { states };
            let last = states.len() - 1;
            for (i, state) in states.iter().enumerate() {
                let (source, text) = source(state);
                let line = Line {
                    number,
                    last_number: number,
                    text: text.trim_end(),
                    source,
                    overdrawn: i < last,
                };
                if all_lines
                    || recognisers.iter().any(|r| r.wants_next())
                    || words.iter().any(|word| text.contains(word))
                {
                    for recogniser in &mut recognisers {
                        recogniser.line(&line, &mut facts);
                    }
                }
            }
        }
        for recogniser in &mut recognisers {
            recogniser.finish(&mut facts);
        }
        facts
    }

    /// As the real scanner does it; the facts are the same when every line is shown.
    pub fn read(text: &str) -> Facts {
        let facts = read_with(text, false);
        assert_eq!(facts, read_with(text, true), "a wake word is missing");
        facts
    }

    fn source(text: &str) -> (Option<Source>, &str) {
        if let Some((number, rest)) = text
            .strip_prefix("[rank")
            .and_then(|rest| rest.split_once("]:"))
            && let Ok(rank) = number.parse()
        {
            return (
                Some(Source::Rank(rank)),
                rest.strip_prefix(' ').unwrap_or(rest),
            );
        }
        if let Some((number, rest)) = text
            .strip_prefix("(RayWorkerVllm pid=")
            .and_then(|rest| rest.split_once(") "))
            && let Ok(pid) = number.parse()
        {
            return (Some(Source::Pid(pid)), rest);
        }
        (None, text)
    }
}

#[cfg(test)]
mod tests;
