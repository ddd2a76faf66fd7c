//! Python tracebacks, as `CPython`, `IPython` and rich draw them; several may be open at once, one or more for each process.
//!
//! A traceback that lost its header, its indentation or its end is still read. What its final line means is not decided
//! here but in `errors`.

use super::errors::exception_class;
use super::line::Line;
use super::open_traceback::OpenTraceback;
use super::traceback_notebook as notebook;
use super::traceback_python::{ParsedFrame, indent, python_frame};
use super::traceback_rich::RichBox;
use super::{Chain, Source, TracebackStyle};

/// Follows the tracebacks of a log.
#[derive(Clone, Default)]
pub(super) struct TracebackReader {
    open: Vec<OpenTraceback>,
    broken: Vec<OpenTraceback>,
    chains: Vec<(Option<Source>, Chain)>,
    last_dashes: Option<u64>,
    next_in_worker: Option<u64>,
    skipped_thread: bool,
    /// Processes that are printing an exception group, whose lines have a margin.
    groups: Vec<Option<Source>>,
}

/// What a line was to the tracebacks.
pub(super) enum Reading {
    /// Nothing of theirs.
    Outside,
    /// A part of one.
    Inside,
    /// The exception that ends this one. The text is the exception's, without margins.
    Ends(Box<OpenTraceback>, String),
}

/// Lines of others after which a traceback without an end is taken for broken off.
const PATIENCE: u64 = 60;
/// Tracebacks open at once.
const MOST_OPEN: usize = 64;

const HEADER: &str = "Traceback (most recent call last)";

impl TracebackReader {
    /// Whether the next line may belong to an open traceback.
    pub(super) fn wants_next(&self) -> bool {
        !self.open.is_empty() || self.skipped_thread || self.next_in_worker.is_some()
    }

    /// Looks at a line.
    pub(super) fn read(&mut self, line: &Line<'_>) -> Reading {
        self.give_up_before(line.number);
        let text = self.without_group_margin(line);
        let trimmed = text.trim();
        if trimmed.is_empty() {
            return if self.has_open(line) {
                Reading::Inside
            } else {
                Reading::Outside
            };
        }
        if trimmed.len() >= 40 && trimmed.bytes().all(|b| b == b'-') {
            self.last_dashes = Some(line.number);
            return Reading::Outside;
        }
        if self.chain_or_worker(trimmed, line) {
            return Reading::Inside;
        }
        if let Some(reading) = self.header(text, line) {
            return reading;
        }
        if let Some(reading) = self.continue_open(text, line) {
            return reading;
        }
        self.headerless(text, line)
    }

    /// The log is over: everything still open breaks off.
    pub(super) fn finish(&mut self) {
        self.broken.append(&mut self.open);
    }

    /// The tracebacks that broke off since the last call.
    pub(super) fn take_broken(&mut self) -> Vec<OpenTraceback> {
        std::mem::take(&mut self.broken)
    }

    /// The line without the margin that an exception group's lines have.
    fn without_group_margin<'a>(&mut self, line: &Line<'a>) -> &'a str {
        let text = line.text;
        let known = self.groups.contains(&line.source);
        if !known && !text.contains("+ Exception Group Traceback") {
            return text;
        }
        let trimmed = text.trim_start();
        if !trimmed.starts_with(['|', '+']) {
            self.groups.retain(|source| *source != line.source);
            return text;
        }
        if !known && self.groups.len() < MOST_OPEN {
            self.groups.push(line.source.clone());
        }
        trimmed
            .strip_prefix("| ")
            .or_else(|| trimmed.strip_prefix("+ "))
            .or_else(|| trimmed.strip_prefix('|'))
            .unwrap_or(trimmed)
    }

    fn has_open(&self, line: &Line<'_>) -> bool {
        self.open.iter().any(|t| t.source == line.source)
    }

    fn give_up_before(&mut self, number: u64) {
        let mut index = 0;
        while let Some(open) = self.open.get(index) {
            if open.last_line + PATIENCE < number {
                let open = self.open.remove(index);
                self.broken.push(open);
            } else {
                index += 1;
            }
        }
    }

    fn chain_or_worker(&mut self, trimmed: &str, line: &Line<'_>) -> bool {
        let chain = if trimmed
            .contains("During handling of the above exception, another exception occurred")
        {
            Chain::DuringHandling
        } else if trimmed
            .contains("The above exception was the direct cause of the following exception")
        {
            Chain::DirectCause
        } else {
            if (trimmed.starts_with("-- Process ")
                && trimmed.contains("terminated with the following error"))
                || trimmed == "\"\"\""
            {
                self.next_in_worker = Some(line.number);
            }
            return false;
        };
        if trimmed.len() > 120 {
            return false;
        }
        self.chains.retain(|(source, _)| *source != line.source);
        if self.chains.len() < MOST_OPEN {
            self.chains.push((line.source.clone(), chain));
        }
        true
    }

    fn header(&mut self, text: &str, line: &Line<'_>) -> Option<Reading> {
        if let Some(at) = text.find("(most recent call first):") {
            return self.dump_header(text, at, line);
        }
        let at = text.find(HEADER)?;
        let before = text.get(..at)?;
        let after = text.get(at + HEADER.len()..)?;
        let mut open = OpenTraceback::new(line, before);
        if before.contains("╭") || before.contains("─") || before.trim_start().starts_with("+-")
        {
            open.style = TracebackStyle::Rich;
            open.rich = RichBox::default();
        } else if let Some(after) = after.strip_prefix(':') {
            let before = before.trim_end();
            open.in_worker = before.ends_with("Original")
                || self.next_in_worker.is_some_and(|at| line.number <= at + 2);
            if before.ends_with(['"', '\'', '`']) && after.contains(['"', '\'', '`']) {
                return None;
            }
            if let Some(frame) = python_frame(after.trim_start()) {
                open.push_frame(frame, line);
            }
        } else {
            let class = before.trim();
            let is_class = exception_class(class).is_some_and(|c| c == class);
            if is_class && before.ends_with(char::is_whitespace) {
                open.style = TracebackStyle::Notebook;
                open.class = Some(class.to_owned());
                if let Some(dashes) = self.last_dashes.filter(|d| *d + 1 == line.number) {
                    open.first_line = dashes;
                }
            } else if !(class.is_empty() && after.trim().is_empty()) {
                return None;
            }
        }
        self.next_in_worker = None;
        if let Some(index) = self
            .chains
            .iter()
            .position(|(source, _)| *source == line.source)
        {
            open.chain = Some(self.chains.remove(index).1);
        }
        self.start(open);
        Some(Reading::Inside)
    }

    /// faulthandler's lists, innermost first. Only the thread that was running says anything.
    fn dump_header(&mut self, text: &str, at: usize, line: &Line<'_>) -> Option<Reading> {
        let before = text.get(..at)?.trim();
        if before.starts_with("Current thread ") {
            let mut open = OpenTraceback::new(line, "");
            open.reversed = true;
            self.skipped_thread = false;
            self.start(open);
            return Some(Reading::Inside);
        }
        if before.starts_with("Thread ") {
            self.end_dump();
            self.skipped_thread = true;
            return Some(Reading::Inside);
        }
        None
    }

    fn end_dump(&mut self) {
        if let Some(index) = self.open.iter().position(|t| t.reversed) {
            let open = self.open.remove(index);
            self.broken.push(open);
        }
    }

    fn start(&mut self, open: OpenTraceback) {
        if self.open.len() >= MOST_OPEN {
            let oldest = self.open.remove(0);
            self.broken.push(oldest);
        }
        self.open.push(open);
    }

    fn continue_open(&mut self, text: &str, line: &Line<'_>) -> Option<Reading> {
        if self.skipped_thread {
            if python_frame(text).is_some() {
                return Some(Reading::Inside);
            }
            self.skipped_thread = false;
        }
        if let Some(frame) = python_frame(text) {
            let index = self.taker_of(&frame, line)?;
            self.open.get_mut(index)?.push_frame(frame, line);
            return Some(Reading::Inside);
        }
        // The one that was last active knows best what to do with a line; the others get it if it does not.
        let mut order: Vec<usize> = (0..self.open.len())
            .filter(|i| self.open.get(*i).is_some_and(|t| t.source == line.source))
            .collect();
        order.sort_by_key(|i| {
            self.open.get(*i).map(|t| {
                if t.awaits_code {
                    (0, t.last_line)
                } else {
                    (1, u64::MAX - t.last_line)
                }
            })
        });
        for &index in &order {
            if self.open.get_mut(index)?.take(text, line) {
                return Some(Reading::Inside);
            }
        }
        order.sort_by_key(|i| self.open.get(*i).map(|t| std::cmp::Reverse(t.last_line)));
        for &index in &order {
            if self.open.get(index)?.is_ended_by(text, line) {
                let mut open = self.open.remove(index);
                open.last_line = line.last_number;
                return Some(Reading::Ends(Box::new(open), text.trim().to_owned()));
            }
        }
        None
    }

    /// Which of several open tracebacks a frame belongs to. Processes that run the same program print the same frames, one
    /// a little behind the other: a frame that another has at this very depth goes to the one behind.
    fn taker_of(&self, frame: &ParsedFrame, line: &Line<'_>) -> Option<usize> {
        let mine = |t: &OpenTraceback| t.source == line.source && t.style == TracebackStyle::Python;
        let candidates: Vec<(usize, &OpenTraceback)> = self
            .open
            .iter()
            .enumerate()
            .filter(|(_, t)| mine(t))
            .collect();
        if candidates.len() > 1 {
            for (index, open) in &candidates {
                let depth = open.frames.len();
                let follows = candidates.iter().any(|(other, t)| {
                    other != index
                        && t.frames.get(depth).is_some_and(|f| {
                            f.file == frame.file
                                && f.line == frame.line
                                && f.function == frame.function
                        })
                });
                if follows {
                    return Some(*index);
                }
            }
        }
        candidates
            .iter()
            .max_by_key(|(_, t)| (t.last_line, t.frames.len()))
            .map(|(index, _)| *index)
    }

    /// Frames without a header: pasted from the middle.
    fn headerless(&mut self, text: &str, line: &Line<'_>) -> Reading {
        let mut open = OpenTraceback::new(line, text);
        open.indent = indent(text).saturating_sub(2);
        open.from_header = false;
        if let Some(frame) = python_frame(text).filter(|f| f.function.is_some() && f.comma) {
            open.push_frame(frame, line);
        } else if let Some(frame) =
            notebook::frame(text).filter(|_| notebook::is_unmistakable(text))
        {
            open.style = TracebackStyle::Notebook;
            open.push_notebook_frame(frame, line);
        } else {
            return Reading::Outside;
        }
        self.start(open);
        Reading::Inside
    }
}

#[cfg(test)]
mod tests;
