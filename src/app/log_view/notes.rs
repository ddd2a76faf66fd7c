//! Marks and notes on lines: what stands in the gutter, and the pills after a line.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use super::layout::{holds, joined};
use super::{Gutter, Tag, Tone};
use crate::app::LogFilter;
use crate::case::Log;
use crate::crash_log::{ErrorFamily, HintKind, Mark, MarkKind};
use crate::diagnosis::{Failure, NoticedAt, Trust};
use crate::words::Words;

/// A note, as a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Note {
    OnlyNoticedHere,
    OtherProcess,
    Consequence,
    WouldGiveTheLine,
    NeedsOwnBuild,
    GuardSaw,
}

/// Marks and notes of one log.
#[derive(Clone, Debug, Default)]
pub(super) struct Notes {
    assertions: Vec<RangeInclusive<u64>>,
    tracebacks: Vec<RangeInclusive<u64>>,
    errors: Vec<RangeInclusive<u64>>,
    hints: Vec<RangeInclusive<u64>>,
    guard: Vec<RangeInclusive<u64>>,
    of_lines: BTreeMap<u64, Vec<Note>>,
    misleading: Option<u64>,
}

impl Notes {
    /// Collects them from what the log says and means.
    pub fn of(log: &Log) -> Self {
        let ranges = |kind| {
            let of_kind = log.facts.marks.iter().filter(move |mark| mark.kind == kind);
            joined(of_kind.map(|mark| mark.lines.clone()), log.facts.line_count)
        };
        // What the guard stopped is an error of the run.
        let stopped = log.facts.guard.violations.len();
        let is_error = |mark: &&Mark| {
            mark.kind == MarkKind::Error || (mark.kind == MarkKind::Guard && mark.index < stopped)
        };
        let errors = log.facts.marks.iter().filter(is_error);
        let errors = joined(errors.map(|mark| mark.lines.clone()), log.facts.line_count);
        let mut notes = Self {
            assertions: ranges(MarkKind::Assertion),
            tracebacks: ranges(MarkKind::Traceback),
            errors,
            hints: ranges(MarkKind::Hint),
            guard: ranges(MarkKind::Guard),
            ..Self::default()
        };
        notes.add_traceback(log);
        notes.add_consequences(log);
        notes.add_hints(log);
        for violation in &log.facts.guard.violations {
            notes.add(violation.line, Note::GuardSaw);
        }
        notes
    }

    fn add(&mut self, line: u64, note: Note) {
        let notes = self.of_lines.entry(line).or_default();
        if !notes.contains(&note) {
            notes.push(note);
        }
    }

    fn add_traceback(&mut self, log: &Log) {
        let Some(reading) = &log.diagnosis.traceback else {
            return;
        };
        let Trust::NotTrusted(noticed) = reading.trust else {
            return;
        };
        let frames = log
            .facts
            .tracebacks
            .get(reading.traceback)
            .map(|t| &t.frames);
        // The user's own line is the one that would be debugged in vain.
        let frame = frames.and_then(|frames| {
            let user = reading.user_frame.and_then(|index| frames.get(index));
            user.or_else(|| frames.get(reading.last_frame))
        });
        if let Some(frame) = frame {
            let line = frame.code_line.unwrap_or(frame.log_line);
            self.misleading = Some(line);
            self.add(
                line,
                match noticed {
                    NoticedAt::OtherProcess => Note::OtherProcess,
                    _ => Note::OnlyNoticedHere,
                },
            );
        }
    }

    fn add_consequences(&mut self, log: &Log) {
        for consequence in &log.diagnosis.consequences {
            self.add(
                consequence.line,
                match consequence.family {
                    ErrorFamily::ChildFailed => Note::OtherProcess,
                    _ => Note::Consequence,
                },
            );
        }
        // Where the failed check itself is in the log, the error that reports it is one, too.
        let reporter = match log.diagnosis.first_failure {
            Some(Failure::Assertion(_)) => Some(ErrorFamily::DeviceAssert),
            Some(Failure::Guard(_)) => Some(ErrorFamily::GuardCaught),
            Some(Failure::Error(_)) | None => None,
        };
        if let Some(reporter) = reporter {
            for error in &log.facts.errors {
                if error.family == reporter && !self.of_lines.contains_key(&error.line) {
                    self.add(error.line, Note::Consequence);
                }
            }
        }
    }

    fn add_hints(&mut self, log: &Log) {
        let blocking = log.facts.environment.launch_blocking == Some(true);
        for hint in &log.facts.hints {
            match hint.kind {
                HintKind::LaunchBlocking if !blocking => {
                    self.add(hint.line, Note::WouldGiveTheLine);
                }
                HintKind::DsaCompile => self.add(hint.line, Note::NeedsOwnBuild),
                _ => {}
            }
        }
    }

    /// The mark of a line; the most telling where several stand there.
    pub fn gutter(&self, line: u64) -> Option<Gutter> {
        if self.misleading == Some(line) {
            return Some(Gutter::Misleading);
        }
        // What the guard stopped is a failure; what else it says is by the way.
        let stopped = |notes: &Vec<Note>| notes.contains(&Note::GuardSaw);
        if self.of_lines.get(&line).is_some_and(stopped) {
            return Some(Gutter::Error);
        }
        [
            (&self.assertions, Gutter::Assertion),
            (&self.errors, Gutter::Error),
            (&self.hints, Gutter::Hint),
            (&self.tracebacks, Gutter::Traceback),
            (&self.guard, Gutter::Hint),
        ]
        .into_iter()
        .find(|(ranges, _)| holds(ranges, line))
        .map(|(_, gutter)| gutter)
    }

    /// The notes of a line in a language.
    pub fn tags(&self, line: u64, words: Words) -> Vec<Tag> {
        let notes = self
            .of_lines
            .get(&line)
            .map(Vec::as_slice)
            .unwrap_or_default();
        notes
            .iter()
            .map(|note| {
                let (id, tone) = match note {
                    Note::OnlyNoticedHere => ("app-tag-only-noticed-here", Tone::Warning),
                    Note::OtherProcess => ("app-tag-other-process", Tone::Warning),
                    Note::Consequence => ("app-tag-consequence", Tone::Neutral),
                    Note::WouldGiveTheLine => ("app-tag-would-give-the-line", Tone::Accent),
                    Note::GuardSaw => ("app-tag-guard-saw", Tone::Accent),
                    Note::NeedsOwnBuild => ("app-tag-needs-own-build", Tone::Neutral),
                };
                Tag {
                    text: words.text(id),
                    tone,
                }
            })
            .collect()
    }

    /// The lines that a filter shows; empty for [`LogFilter::All`], which shows every line.
    pub fn ranges(&self, filter: LogFilter) -> &[RangeInclusive<u64>] {
        match filter {
            LogFilter::All => &[],
            LogFilter::Assertions => &self.assertions,
            LogFilter::Traceback => &self.tracebacks,
            LogFilter::Errors => &self.errors,
            LogFilter::Hints => &self.hints,
        }
    }

    /// All marks for the overview, what must be seen drawn last.
    pub fn by_kind(&self) -> [(MarkKind, &[RangeInclusive<u64>]); 4] {
        [
            (MarkKind::Traceback, &self.tracebacks),
            (MarkKind::Hint, &self.hints),
            (MarkKind::Error, &self.errors),
            (MarkKind::Assertion, &self.assertions),
        ]
    }
}
