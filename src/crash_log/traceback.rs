//! Python tracebacks, as `CPython`, `IPython` and rich draw them; several may be open at once, one or more for each process.
//!
//! A traceback that lost its header, its indentation or its end is still read. What its final line means is not decided
//! here but in `errors`.

use super::errors::{exception_class, is_exception_name};
use super::file_ownership::is_library;
use super::line::Line;
use super::recognisers::kept;
use super::traceback_notebook as notebook;
use super::traceback_python::{
    ParsedFrame, indent, is_everyday_word, is_marker, looks_like_final, python_frame,
};
use super::traceback_rich::{self as rich, RichBox};
use super::{Chain, Frame, LIMITS, Source, TracebackStyle};

/// Follows the tracebacks of a log.
#[derive(Default)]
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

/// A traceback that is still being read.
#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent things to remember, no states"
)]
pub(super) struct OpenTraceback {
    pub first_line: u64,
    pub last_line: u64,
    pub style: TracebackStyle,
    pub frames: Vec<Frame>,
    pub chain: Option<Chain>,
    pub source: Option<Source>,
    pub in_worker: bool,
    /// Frames beyond the limit were dropped.
    pub cut: bool,
    /// Columns before the header's text; frames stand deeper unless the indentation was lost.
    indent: usize,
    frame_indent: Option<usize>,
    awaits_code: bool,
    /// The class that `IPython` prints in the header.
    class: Option<String>,
    /// Innermost frame first (faulthandler's).
    reversed: bool,
    rich: RichBox,
    from_header: bool,
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

impl OpenTraceback {
    fn new(line: &Line<'_>, before: &str) -> Self {
        Self {
            first_line: line.number,
            last_line: line.last_number,
            style: TracebackStyle::Python,
            frames: Vec::new(),
            chain: None,
            source: line.source.clone(),
            in_worker: false,
            cut: false,
            indent: if before.trim().is_empty() {
                before.len()
            } else {
                indent(before)
            },
            frame_indent: None,
            awaits_code: false,
            class: None,
            reversed: false,
            rich: RichBox::default(),
            from_header: true,
        }
    }

    /// Frames in the order in which Python prints them, outermost first.
    pub(super) fn take_frames(&mut self) -> Vec<Frame> {
        let mut frames = std::mem::take(&mut self.frames);
        if self.reversed {
            frames.reverse();
        }
        frames
    }

    /// It has a header of its own: without frames and end it is worth noting that it could not be read.
    pub(super) fn has_header(&self) -> bool {
        self.from_header
    }

    fn push(&mut self, frame: Frame) {
        if self.frames.len() >= LIMITS.frames_in_traceback {
            self.frames.remove(LIMITS.frames_in_traceback / 2);
            self.cut = true;
        }
        self.last_line = frame.last_log_line;
        self.frames.push(frame);
    }

    fn push_frame(&mut self, frame: ParsedFrame, line: &Line<'_>) {
        self.frame_indent = Some(frame.indent);
        self.awaits_code = !frame.file.starts_with('<') && !self.reversed;
        let library = is_library(&frame.file);
        self.push(Frame {
            file: kept(&frame.file),
            line: frame.line,
            function: frame.function.map(|f| kept(&f)),
            code: None,
            log_line: line.number,
            code_line: None,
            last_log_line: line.last_number,
            library,
        });
    }

    fn push_notebook_frame(&mut self, frame: notebook::NotebookFrame, line: &Line<'_>) {
        let library = is_library(&frame.file);
        self.awaits_code = true;
        self.push(Frame {
            file: kept(&frame.file),
            line: frame.line,
            function: frame.function.map(|f| kept(&f)),
            code: None,
            log_line: line.number,
            code_line: None,
            last_log_line: line.last_number,
            library,
        });
    }

    /// Takes a line that is part of it and no frame of `CPython`'s.
    fn take(&mut self, text: &str, line: &Line<'_>) -> bool {
        match self.style {
            TracebackStyle::Python => self.take_python(text, line),
            TracebackStyle::Notebook => self.take_notebook(text, line),
            TracebackStyle::Rich => self.take_rich(text, line),
        }
    }

    fn take_python(&mut self, text: &str, line: &Line<'_>) -> bool {
        let Some(frame_indent) = self.frame_indent else {
            return false;
        };
        let trimmed = text.trim();
        let adjacent = line.number <= self.last_line + 1;
        let is_extra = is_marker(trimmed)
            || trimmed.starts_with(['│', '└', '├'])
            || trimmed.starts_with("[Previous line repeated");
        let indented = frame_indent > self.indent;
        let deeper = indent(text) > frame_indent;
        let is_code = if indented {
            let near = line.number <= self.last_line + MOST_OPEN as u64;
            deeper && (adjacent || self.awaits_code && near)
        } else {
            self.awaits_code && adjacent && !looks_like_final(trimmed)
        };
        if !(is_code || is_extra && adjacent) {
            return false;
        }
        let Some(frame) = self.frames.last_mut() else {
            return false;
        };
        if is_code && !is_extra && frame.code.is_none() {
            frame.code = Some(kept(trimmed));
            frame.code_line = Some(line.number);
        }
        self.awaits_code = false;
        frame.last_log_line = line.last_number;
        self.last_line = line.last_number;
        true
    }

    fn take_notebook(&mut self, text: &str, line: &Line<'_>) -> bool {
        if let Some(frame) = notebook::frame(text) {
            self.push_notebook_frame(frame, line);
            return true;
        }
        if notebook::is_collapsed(text) {
            self.last_line = line.last_number;
            return true;
        }
        let Some(code) = notebook::code(text) else {
            return false;
        };
        let Some(frame) = self.frames.last_mut() else {
            return false;
        };
        if code.arrow {
            frame.code = Some(kept(code.text));
            frame.code_line = Some(line.number);
            if frame.line == 0 {
                frame.line = code.number;
            }
            self.awaits_code = false;
        }
        frame.last_log_line = line.last_number;
        self.last_line = line.last_number;
        true
    }

    fn take_rich(&mut self, text: &str, line: &Line<'_>) -> bool {
        let taken = match self.rich.line(text, line.number) {
            rich::BoxLine::Frame(frame) => {
                let library = is_library(&frame.file);
                self.push(Frame {
                    file: kept(&frame.file),
                    line: frame.line,
                    function: frame.function.map(|f| kept(&f)),
                    code: None,
                    log_line: frame.log_line,
                    code_line: None,
                    last_log_line: line.last_number,
                    library,
                });
                true
            }
            rich::BoxLine::Code { arrow, text } => {
                if let Some(frame) = self.frames.last_mut() {
                    if arrow {
                        frame.code = Some(kept(text));
                        frame.code_line = Some(line.number);
                    }
                    frame.last_log_line = line.last_number;
                }
                true
            }
            rich::BoxLine::Other => true,
            rich::BoxLine::Outside => false,
        };
        if taken {
            self.last_line = line.last_number;
        }
        taken
    }

    /// Whether this line is the exception that ends it.
    fn is_ended_by(&self, text: &str, line: &Line<'_>) -> bool {
        if self.reversed || (self.style == TracebackStyle::Rich && !self.rich.is_closed()) {
            return false;
        }
        let trimmed = text.trim();
        let Some(class) = exception_class(trimmed) else {
            return false;
        };
        if self.class.as_deref() == Some(class) {
            return true;
        }
        if self.frame_indent.is_some_and(|f| f > self.indent) && indent(text) > self.indent {
            return false;
        }
        if is_exception_name(class) && !class.ends_with("Warning") {
            return true;
        }
        // Any other class is only believed where it stands right behind the last frame.
        let named_like_one =
            class.contains('.') || class.chars().next().is_some_and(char::is_uppercase);
        !self.frames.is_empty()
            && line.number <= self.last_line + 1
            && named_like_one
            && !is_everyday_word(class)
    }
}

#[cfg(test)]
mod tests;
