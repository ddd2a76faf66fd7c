//! One traceback while it is being read: which lines are its own, and which one ends it.

use super::errors::{exception_class, is_exception_name};
use super::file_ownership::is_library;
use super::line::Line;
use super::recognisers::kept;
use super::traceback_notebook as notebook;
use super::traceback_python::{ParsedFrame, indent, is_everyday_word, is_marker, looks_like_final};
use super::traceback_rich::{self as rich, RichBox};
use super::{Chain, Frame, LIMITS, Source, TracebackStyle};

/// Lines that other processes may print between a frame and its source line.
const LATE_CODE: u64 = 64;

/// A traceback that is still being read.
#[derive(Clone, Debug)]
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
    pub indent: usize,
    pub frame_indent: Option<usize>,
    pub awaits_code: bool,
    /// The class that `IPython` prints in the header.
    pub class: Option<String>,
    /// Innermost frame first (faulthandler's).
    pub reversed: bool,
    pub rich: RichBox,
    pub from_header: bool,
}

impl OpenTraceback {
    pub(super) fn new(line: &Line<'_>, before: &str) -> Self {
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

    pub(super) fn push_frame(&mut self, frame: ParsedFrame, line: &Line<'_>) {
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

    pub(super) fn push_notebook_frame(&mut self, frame: notebook::NotebookFrame, line: &Line<'_>) {
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
    pub(super) fn take(&mut self, text: &str, line: &Line<'_>) -> bool {
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
            let near = line.number <= self.last_line + LATE_CODE;
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
    pub(super) fn is_ended_by(&self, text: &str, line: &Line<'_>) -> bool {
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
