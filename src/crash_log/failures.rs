//! Everything that went wrong on the host's side of a log: tracebacks with their exceptions, error lines, C++ stacks.
//!
//! One recogniser, because a line must be judged once: the same text is an exception under a traceback, a consequence after
//! `terminate called`, and source code inside a frame.

use super::error_book::ErrorBook;
use super::errors;
use super::line::{Line, Recogniser};
use super::open_traceback::OpenTraceback;
use super::recognisers::{MarkPen, not_understood, too_many};
use super::traceback::{Reading, TracebackReader};
use super::{
    ErrorEvent, ErrorFamily, ErrorRole, Facts, Frame, LIMITS, MarkKind, NotUnderstoodReason,
    Source, Traceback,
};

/// See the module.
#[derive(Clone, Default)]
pub(super) struct Failures {
    reader: TracebackReader,
    book: ErrorBook,
    unsure: Option<Unsure>,
    terminated: Option<Terminated>,
    native: Option<NativeStack>,
    pens: Pens,
}

#[derive(Clone, Default)]
struct Pens {
    traceback: MarkPen,
    library: MarkPen,
}

/// An exception whose first line tells no family; the lines after it may.
#[derive(Clone)]
struct Unsure {
    event: ErrorEvent,
    last_line: u64,
    traceback: Option<Box<OpenTraceback>>,
    patience: u32,
}

/// `terminate called after throwing an instance of 'class'`, before its `what():`.
#[derive(Clone)]
struct Terminated {
    line: u64,
    text: String,
    class: Option<String>,
    source: Option<Source>,
    patience: u32,
}

/// The index in marks of C++ stacks, which belong to no Python traceback.
const NO_TRACEBACK: usize = u32::MAX as usize;

/// A run of C++ frames.
#[derive(Clone)]
struct NativeStack {
    first: u64,
    last: u64,
}

impl Recogniser for Failures {
    fn wake_words(&self) -> &'static [&'static str] {
        WAKE_WORDS
    }

    fn wants_next(&self) -> bool {
        self.reader.wants_next() || self.unsure.is_some() || self.terminated.is_some()
    }

    fn line(&mut self, line: &Line<'_>, facts: &mut Facts) {
        if self.native(line, facts) || self.more_of_unsure(line, facts) {
            return;
        }
        if self.terminate(line, facts) {
            return;
        }
        match self.reader.read(line) {
            Reading::Inside => {}
            Reading::Ends(traceback, text) => self.exception(line, facts, traceback, &text),
            Reading::Outside => self.logged(line, facts),
        }
        for broken in self.reader.take_broken() {
            self.close(facts, broken, None);
        }
    }

    fn finish(&mut self, facts: &mut Facts) {
        self.settle_unsure(facts);
        self.settle_terminated(facts);
        self.settle_native(facts);
        self.reader.finish();
        for broken in self.reader.take_broken() {
            self.close(facts, broken, None);
        }
        sort_tracebacks(facts);
    }

    fn copy(&self) -> Box<dyn Recogniser + Send> {
        Box::new(self.clone())
    }
}

/// Few and rare: every word is searched for in the whole log. Texts that only stand inside an open traceback need none.
const WAKE_WORDS: &[&str] = &[
    // Tracebacks; `xception` covers the lines that chain them.
    "Traceback",
    "most recent call",
    "File ",
    "ipython-input",
    "Cell In",
    "Input In",
    "----------------------------------------",
    "frame #",
    ".dll!",
    // Errors of every kind.
    "rror",
    "RROR",
    "xception",
    "terminat",
    "what():",
    "failed",
    "FAIL",
    "FATAL",
    "atal ",
    "[F]",
    "Abort",
    "Segmentation",
    "illed",
    "Assertion",
    "exit",
    "signal",
    "died",
    "(0xC0",
    "退出代码",
    // CUDA and what stands on it, where no "error" is said.
    "CUDA",
    "cuda",
    "_STATUS_",
    "Cuda failure",
    "NCCL",
    "nccl",
    "out of memory",
    "launch failure",
    "device-side assert triggered",
    "llegal ",
    "not compatible with the current",
    "driver on your system",
    "no longer supports this GPU",
    "watchdog",
    "collective operation",
    "entire process down",
    "Heartbeat monitor",
    "ROCm-capable",
    "access fault by GPU",
    "No HIP GPUs",
    // Processes and memory.
    "DataLoader",
    "pickle",
    "new process before",
    "hared memory",
    "shared file",
    "open files",
    "size mismatch for",
    // Building.
    "ninja",
    "nvcc",
    "ptxas",
    "inductor",
    "mismatches the version",
    // Metrics that stop a run.
    "stopping training",
    "Model diverged",
    "infinite or NaN",
    "NaN or Inf",
    "Inf/NaN",
    // Other frameworks.
    "paddle",
    "(External)",
    "(InvalidArgument)",
    "(PreconditionNotMet)",
    "(OutOfRange)",
    "(ResourceExhausted)",
    "[operator < ",
    "F tensorflow/",
    "{{node",
    "[Op:",
    "jaxlib",
    "mxnet",
    "onnxruntime",
    "zsh:",
];

impl Failures {
    fn event(
        line: &Line<'_>,
        text: &str,
        judged: errors::Classified,
        role: ErrorRole,
    ) -> ErrorEvent {
        ErrorEvent {
            family: judged.family,
            line: line.number,
            text: text.trim().to_owned(),
            class: judged.class,
            role,
            status: judged.status,
            numbers: Vec::new(),
            source: line.source.clone(),
            count: 1,
        }
    }

    fn exception(
        &mut self,
        line: &Line<'_>,
        facts: &mut Facts,
        traceback: Box<OpenTraceback>,
        text: &str,
    ) {
        let judged = errors::exception(text);
        let unsure = judged.family == ErrorFamily::PythonException && judged.status.is_none();
        let event = Self::event(line, text, judged, ErrorRole::Exception);
        if unsure {
            self.settle_unsure(facts);
            self.unsure = Some(Unsure {
                event,
                last_line: line.last_number,
                traceback: Some(traceback),
                patience: 6,
            });
            return;
        }
        let index = self.book.enter(facts, event, line.last_number);
        self.close(facts, *traceback, Some(index));
    }

    fn logged(&mut self, line: &Line<'_>, facts: &mut Facts) {
        let Some((judged, role)) = errors::logged(line.text) else {
            return;
        };
        if judged.family == ErrorFamily::ProcessDied && line.overdrawn {
            return;
        }
        let event = Self::event(line, line.text, judged, role);
        self.book.enter(facts, event, line.last_number);
    }

    /// The message of an exception may begin below its class, or be told by its indented lines.
    fn more_of_unsure(&mut self, line: &Line<'_>, facts: &mut Facts) -> bool {
        let Some(unsure) = &mut self.unsure else {
            return false;
        };
        let has_message = !unsure.event.text.ends_with(':');
        if unsure.event.source != line.source {
            if has_message {
                self.settle_unsure(facts);
            }
            return false;
        }
        let text = line.text.trim();
        if text.is_empty() {
            if has_message {
                self.settle_unsure(facts);
            }
            return false;
        }
        let indented = line.text.starts_with(char::is_whitespace) && !text.starts_with("File ");
        let is_new = text.contains("Traceback (most recent call last)")
            || text.starts_with('$')
            || text.starts_with(">>>");
        if !is_new
            && has_message
            && !indented
            && line.number == unsure.last_line + 1
            && let Some((joined, judged)) = errors::goes_on(&unsure.event.text, text)
        {
            unsure.event.family = judged.family;
            unsure.event.status = judged.status;
            unsure.event.text = joined;
            unsure.last_line = line.last_number;
            self.settle_unsure(facts);
            return true;
        }
        let may_go_on = !is_new && (indented || !has_message);
        if !may_go_on || unsure.patience == 0 {
            self.settle_unsure(facts);
            return false;
        }
        unsure.patience -= 1;
        let joined = format!("{} {text}", unsure.event.text);
        let judged = errors::exception(&joined);
        if judged.family != ErrorFamily::PythonException {
            unsure.event.family = judged.family;
            unsure.event.status = judged.status;
            unsure.event.text = joined;
            unsure.last_line = line.last_number;
            self.settle_unsure(facts);
            return true;
        }
        if has_message {
            // Only looked at: it is not part of the message as shown.
            return indented;
        }
        unsure.event.text = joined;
        unsure.last_line = line.last_number;
        true
    }

    fn settle_unsure(&mut self, facts: &mut Facts) {
        if let Some(unsure) = self.unsure.take() {
            let index = self.book.enter(facts, unsure.event, unsure.last_line);
            if let Some(traceback) = unsure.traceback {
                self.close(facts, *traceback, Some(index));
            }
        }
    }

    /// `terminate called …` and its `what():`.
    fn terminate(&mut self, line: &Line<'_>, facts: &mut Facts) -> bool {
        const THROWN: &str = "terminate called after throwing an instance of ";
        if let Some(at) = line.text.find(THROWN) {
            self.settle_terminated(facts);
            let rest = line.text.get(at + THROWN.len()..).unwrap_or("");
            let class = rest
                .trim_start_matches(['\'', '`', '‘', '"'])
                .split(['\'', '’', '"'])
                .next()
                .map(|c| c.trim().to_owned())
                .filter(|c| !c.is_empty());
            self.terminated = Some(Terminated {
                line: line.number,
                text: line.text.trim().to_owned(),
                class,
                source: line.source.clone(),
                patience: 4,
            });
            return true;
        }
        let Some(terminated) = &mut self.terminated else {
            return false;
        };
        if let Some(at) = line.text.find("what():") {
            let class = terminated.class.take();
            let began = terminated.line;
            self.terminated = None;
            let text = line.text.get(at..).unwrap_or(line.text).trim();
            let message = text.trim_start_matches("what():").trim();
            let judged = errors::exception(&format!(
                "{}: {message}",
                class.as_deref().unwrap_or("Exception")
            ));
            let known = judged.family != ErrorFamily::PythonException;
            let mut event = Self::event(line, text, judged, ErrorRole::Terminate);
            event.class = class;
            event.line = line.number;
            if !known {
                event.family = ErrorFamily::ProcessDied;
                event.status = Some("SIGABRT".to_owned());
                event.line = began;
            }
            self.book.enter(facts, event, line.last_number);
            return true;
        }
        terminated.patience = terminated.patience.saturating_sub(1);
        if terminated.patience == 0 {
            self.settle_terminated(facts);
        }
        false
    }

    fn settle_terminated(&mut self, facts: &mut Facts) {
        if let Some(terminated) = self.terminated.take() {
            let event = ErrorEvent {
                family: ErrorFamily::ProcessDied,
                line: terminated.line,
                text: terminated.text,
                class: terminated.class,
                role: ErrorRole::Terminate,
                status: Some("SIGABRT".to_owned()),
                numbers: Vec::new(),
                source: terminated.source,
                count: 1,
            };
            let line = event.line;
            self.book.enter(facts, event, line);
        }
    }

    /// C++ frames: glog's and c10's `frame #0: …`, Windows' lists of addresses and modules.
    fn native(&mut self, line: &Line<'_>, facts: &mut Facts) -> bool {
        let text = line.text.trim_start();
        let is_frame = text
            .strip_prefix("frame #")
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
            || is_windows_native_frame(text);
        if is_frame {
            match &mut self.native {
                Some(stack) if line.number <= stack.last + 1 => stack.last = line.last_number,
                _ => {
                    self.settle_native(facts);
                    self.native = Some(NativeStack {
                        first: line.number,
                        last: line.last_number,
                    });
                }
            }
        }
        is_frame
    }

    fn settle_native(&mut self, facts: &mut Facts) {
        if let Some(stack) = self.native.take() {
            let lines = stack.first..=stack.last;
            self.pens
                .library
                .mark(facts, MarkKind::LibraryFrames, lines, NO_TRACEBACK);
        }
    }

    fn close(&mut self, facts: &mut Facts, mut open: OpenTraceback, error: Option<usize>) {
        let frames = open.take_frames();
        if frames.is_empty() && error.is_none() {
            if open.has_header() {
                not_understood(facts, NotUnderstoodReason::Traceback, open.first_line, "");
            }
            return;
        }
        if open.cut {
            too_many(facts, open.first_line);
        }
        if facts.tracebacks.len() >= LIMITS.tracebacks {
            make_room(facts);
        }
        let index = facts.tracebacks.len();
        let lines = open.first_line..=open.last_line;
        self.pens
            .traceback
            .mark(facts, MarkKind::Traceback, lines, index);
        for run in library_runs(&frames) {
            self.pens
                .library
                .mark(facts, MarkKind::LibraryFrames, run, index);
        }
        facts.tracebacks.push(Traceback {
            first_line: open.first_line,
            last_line: open.last_line,
            style: open.style,
            frames,
            error,
            chain: open.chain,
            source: open.source,
            in_worker: open.in_worker,
        });
    }
}

/// `00007FFC1B517FF400007FFC1B4FC130 torch_python.dll!THPGenerator_initDefaultGenerator [<unknown file> @ <unknown line number>]`
fn is_windows_native_frame(text: &str) -> bool {
    let Some((address, rest)) = text.split_once(' ') else {
        return false;
    };
    address.len() >= 8
        && address.bytes().all(|b| b.is_ascii_hexdigit())
        && (rest.contains(".dll!")
            || rest.contains(".exe!")
            || rest.contains(".pyd!")
            || rest.contains("!<unknown symbol>"))
}

/// Line ranges of consecutive library frames.
fn library_runs(frames: &[Frame]) -> Vec<std::ops::RangeInclusive<u64>> {
    let mut runs: Vec<(u64, u64)> = Vec::new();
    let mut before = false;
    for frame in frames {
        if frame.library {
            match runs.last_mut() {
                Some((_, last))
                    if before && frame.log_line >= *last && frame.log_line <= *last + 3 =>
                {
                    *last = frame.last_log_line;
                }
                _ => runs.push((frame.log_line, frame.last_log_line)),
            }
        }
        before = frame.library;
    }
    runs.into_iter().map(|(first, last)| first..=last).collect()
}

/// Drops the older half of what came after the first half.
fn make_room(facts: &mut Facts) {
    let first = LIMITS.tracebacks / 2;
    let dropped = first / 2;
    let Some(line) = facts.tracebacks.get(first).map(|t| t.first_line) else {
        return;
    };
    facts.tracebacks.drain(first..first + dropped);
    facts.marks.retain_mut(|mark| {
        if !belongs_to_traceback(mark.kind) || mark.index < first || mark.index == NO_TRACEBACK {
            return true;
        }
        match mark.index.checked_sub(dropped) {
            Some(index) if index >= first => {
                mark.index = index;
                true
            }
            _ => false,
        }
    });
    for _ in 0..dropped {
        too_many(facts, line);
    }
}

fn belongs_to_traceback(kind: MarkKind) -> bool {
    matches!(kind, MarkKind::Traceback | MarkKind::LibraryFrames)
}

/// Tracebacks end in another order than they begin where processes print at once.
fn sort_tracebacks(facts: &mut Facts) {
    let mut order: Vec<usize> = (0..facts.tracebacks.len()).collect();
    order.sort_by_key(|i| facts.tracebacks.get(*i).map(|t| t.first_line));
    let mut place = vec![0; order.len()];
    for (new, old) in order.iter().enumerate() {
        if let Some(place) = place.get_mut(*old) {
            *place = new;
        }
    }
    let mut sorted: Vec<Option<Traceback>> = facts.tracebacks.drain(..).map(Some).collect();
    for old in order {
        if let Some(traceback) = sorted.get_mut(old).and_then(Option::take) {
            facts.tracebacks.push(traceback);
        }
    }
    for mark in &mut facts.marks {
        if belongs_to_traceback(mark.kind)
            && let Some(new) = place.get(mark.index)
        {
            mark.index = *new;
        }
    }
}
