//! Segments to logical lines: cuts lines that were glued, joins lines that were broken.
//!
//! Joining never guesses from looks alone: pieces are held only as long as they may become an assertion or a traceback's `File`
//! line, at most [`PIECES`] of them, and are joined when the whole is one. Where that showed the console's width, other lines
//! that are exactly as wide are joined too.

use std::collections::VecDeque;
use std::sync::LazyLock;

use super::assertion::{self, Open};
use super::powershell::{self, ErrorRecord};
use super::prefix::{self, Prefixes};
use super::{Source, Stated};

/// Pieces of one broken line.
const PIECES: usize = 12;
/// Bytes of one joined line.
const JOINED: usize = 16 * 1024;

/// A finished logical line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Logical {
    pub text: String,
    pub number: u64,
    pub last_number: u64,
    pub source: Option<Source>,
    pub overdrawn: bool,
    /// It is not only the surroundings of something.
    pub woken: bool,
}

/// A segment as it comes: cleaned.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment<'a> {
    pub text: &'a str,
    pub number: u64,
    pub overdrawn: bool,
    pub woken: bool,
}

#[derive(Clone, Debug)]
struct Piece {
    line: Logical,
    /// Characters of the segment, prefix and all: what the console counted.
    width: usize,
}

/// See the module's text.
#[derive(Debug, Default)]
pub(super) struct Assembler {
    held: Vec<Piece>,
    /// The held pieces' text, and whether it is an assertion that breaks off.
    joined: String,
    open: Open,
    ready: VecDeque<Logical>,
    prefixes: Prefixes,
    record: ErrorRecord,
    widths: Widths,
    /// The command that PowerShell shows beside an error.
    pub command: Option<Stated>,
}

/// Which width lines were broken at.
#[derive(Debug, Default)]
struct Widths {
    last: usize,
    times: u32,
}

impl Widths {
    fn saw(&mut self, width: usize) {
        if self.last == width {
            self.times += 1;
        } else {
            *self = Self {
                last: width,
                times: 1,
            };
        }
    }

    fn known(&self) -> Option<usize> {
        (self.times >= 2).then_some(self.last)
    }
}

impl Assembler {
    /// Whether the next segment may belong to something that is held.
    pub(super) fn wants_next(&self) -> bool {
        !self.held.is_empty() || self.record.inside()
    }

    /// The next finished line.
    pub(super) fn next_line(&mut self) -> Option<Logical> {
        self.ready.pop_front()
    }

    /// Ends the log.
    pub(super) fn finish(&mut self) {
        self.release();
    }

    /// Takes a segment.
    pub(super) fn segment(&mut self, segment: Segment<'_>) {
        match self.record.line(segment.text) {
            powershell::Seen::Text => {}
            powershell::Seen::Record => return,
            powershell::Seen::Begins => {
                self.loses_program_name();
                self.release();
                return;
            }
            powershell::Seen::Command(command) => {
                if self.command.is_none() {
                    self.command = Some(Stated {
                        text: command.to_owned(),
                        line: segment.number,
                    });
                }
                return;
            }
        }
        let width = segment.text.chars().count();
        let mut from = 0;
        for at in prefix::inner_prefixes(segment.text)
            .into_iter()
            .chain([segment.text.len()])
        {
            if let Some(part) = segment.text.get(from..at) {
                self.part(part, width, segment);
            }
            from = at;
        }
    }

    /// One message of a segment.
    fn part(&mut self, part: &str, width: usize, segment: Segment<'_>) {
        self.prefixes.confirm(part);
        let (_, text) = self.prefixes.strip(part);
        if let Some(cut) = glued_traceback(text)
            && let Some(before) = text.get(..cut)
        {
            self.prefixes.learn(before);
        }
        let (source, text) = self.prefixes.strip(part);
        let text = powershell::without_program(text).unwrap_or(text);
        let line = |text: &str| Logical {
            text: text.to_owned(),
            number: segment.number,
            last_number: segment.number,
            source: source.clone(),
            overdrawn: segment.overdrawn,
            woken: segment.woken,
        };
        let Some(cut) = glued_traceback(text) else {
            return self.take(Piece {
                line: line(text),
                width,
            });
        };
        let (before, traceback) = text.split_at(cut);
        self.take(Piece {
            line: line(before),
            width,
        });
        self.take(Piece {
            line: line(traceback),
            width,
        });
    }

    fn take(&mut self, piece: Piece) {
        if !self.held.is_empty() {
            match self.fits(&piece) {
                Fit::Whole(text) => {
                    self.emit_joined(text, &piece);
                    return;
                }
                Fit::Part(text, open) => {
                    self.joined = text;
                    self.open = open;
                    self.held.push(piece);
                    return;
                }
                Fit::No => self.release(),
            }
        }
        if let Some(open) = self.may_go_on(&piece) {
            self.joined.clone_from(&piece.line.text);
            self.open = open;
            self.held.push(piece);
        } else {
            self.emit(piece.line);
        }
    }

    /// Whether a piece is to be held, and what may go on there.
    fn may_go_on(&self, piece: &Piece) -> Option<Open> {
        let text = piece.line.text.as_str();
        if piece.line.overdrawn || piece.width < 20 || text.len() > JOINED {
            return None;
        }
        let open = assertion::find(text).open;
        let held = open != Open::No
            || file_line(text) == FileLine::CutOff
            || (piece.line.woken && self.widths.known() == Some(piece.width))
            || powershell::may_name_program(text);
        held.then_some(open)
    }

    /// Whether the held pieces and this one are one line.
    fn fits(&self, next: &Piece) -> Fit {
        let Some(last) = self.held.last() else {
            return Fit::No;
        };
        let text = next.line.text.as_str();
        if text.trim().is_empty()
            || last.line.overdrawn
            || self.held.len() >= PIECES
            || self.joined.len() + text.len() > JOINED
        {
            return Fit::No;
        }
        let known = self.widths.known() == Some(last.width);
        let (joined, inside_word) = join(&self.joined, text, known || self.same_widths());
        // All pieces of a line that was broken at a width are that wide, but the last.
        let is_width = next.width <= last.width + 1;
        if !is_width && inside_word {
            return Fit::No;
        }
        let junction = self.joined.len();
        if self.open == Open::Stop {
            return if text.trim_end() == "." && last.width >= 20 {
                Fit::Whole(joined)
            } else {
                Fit::No
            };
        }
        let found = assertion::find(&joined);
        let open = found.open;
        if found
            .assertions
            .iter()
            .any(|a| a.place.start < junction && a.place.end > junction)
        {
            return if open >= Open::Body {
                Fit::Part(joined, open)
            } else {
                Fit::Whole(self.at_one_width(text).unwrap_or(joined))
            };
        }
        if file_line(&self.joined) == FileLine::CutOff {
            match file_line(&joined) {
                FileLine::Whole => return Fit::Whole(joined),
                FileLine::CutOff if !begins_anew(text) => return Fit::Part(joined, open),
                _ => return Fit::No,
            }
        }
        if begins_anew(text) {
            return Fit::No;
        }
        // The next piece may be an assertion's own beginning, which the joined text hides.
        if !assertion::find(text).assertions.is_empty() {
            return Fit::No;
        }
        if open >= Open::Header || (open == Open::Path && inside_word && self.open == Open::Path) {
            return Fit::Part(joined, open);
        }
        // In the middle of a kernel's long signature.
        if self.open >= Open::Header && next.width == last.width {
            return Fit::Part(joined, self.open);
        }
        if known && self.held.iter().any(|piece| piece.line.woken) {
            return if self.widths.known() == Some(next.width) {
                Fit::Part(joined, open)
            } else {
                Fit::Whole(joined)
            };
        }
        Fit::No
    }

    fn same_widths(&self) -> bool {
        match self.held.as_slice() {
            [first, rest @ ..] => {
                !rest.is_empty() && rest.iter().all(|piece| piece.width == first.width)
            }
            [] => false,
        }
    }

    /// All pieces as they are, where they are equally long: then they were cut at a width, and no blank was lost.
    fn at_one_width(&self, last: &str) -> Option<String> {
        if !self.same_widths() {
            return None;
        }
        let text = self
            .held
            .iter()
            .map(|piece| piece.line.text.as_str())
            .chain([last])
            .collect::<String>();
        (!assertion::find(&text).assertions.is_empty()).then_some(text)
    }

    fn emit_joined(&mut self, text: String, last: &Piece) {
        for piece in &self.held {
            self.widths.saw(piece.width);
        }
        let woken = last.line.woken || self.held.iter().any(|piece| piece.line.woken);
        let Some(first) = self.held.first() else {
            return;
        };
        let line = Logical {
            text,
            number: first.line.number,
            last_number: last.line.number,
            source: first
                .line
                .source
                .clone()
                .or_else(|| last.line.source.clone()),
            overdrawn: last.line.overdrawn,
            woken,
        };
        self.held.clear();
        self.emit(line);
    }

    /// The held pieces are lines of their own, or one that lacks nothing but a full stop.
    fn release(&mut self) {
        if self.held.len() > 1
            && self.open == Open::Stop
            && let Some(last) = self.held.pop()
        {
            let text = std::mem::take(&mut self.joined);
            self.emit_joined(text, &last);
            return;
        }
        for piece in std::mem::take(&mut self.held) {
            self.emit(piece.line);
        }
    }

    /// The held line was the first that PowerShell wrapped: `program : text`.
    fn loses_program_name(&mut self) {
        if let [first, ..] = self.held.as_mut_slice()
            && let Some((_, text)) = powershell::split(&first.line.text)
            && powershell::may_name_program(&first.line.text)
        {
            first.line.text = text.to_owned();
        }
    }

    fn emit(&mut self, mut line: Logical) {
        line.text.truncate(line.text.trim_end().len());
        self.ready.push_back(line);
    }
}

enum Fit {
    /// One whole line.
    Whole(String),
    /// One line, not complete yet.
    Part(String, Open),
    No,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileLine {
    No,
    CutOff,
    Whole,
}

/// What stands between file and line in a traceback.
const LINE: &str = ", line ";

/// Whether a line is a traceback's `File "…", line 12, in f`, or its beginning.
fn file_line(text: &str) -> FileLine {
    let Some(rest) = text.trim_start().strip_prefix("File \"") else {
        return FileLine::No;
    };
    let Some((_, after)) = rest.split_once('"') else {
        return FileLine::CutOff;
    };
    if LINE.starts_with(after) {
        return FileLine::CutOff;
    }
    let Some(number) = after.strip_prefix(LINE) else {
        return FileLine::No;
    };
    let function = number.trim_start_matches(|c: char| c.is_ascii_digit());
    if function.len() == number.len() {
        return FileLine::No;
    }
    // `, line 12` alone is how a syntax error is shown.
    if !function.is_empty() && ", in ".starts_with(function) {
        FileLine::CutOff
    } else {
        FileLine::Whole
    }
}

/// Whether a line begins something of its own.
fn begins_anew(text: &str) -> bool {
    let text = text.trim_start();
    if text.starts_with("File \"")
        || text.starts_with("Traceback (")
        || text.starts_with("unknown:0")
    {
        return true;
    }
    let class = text.split([':', ' ']).next().unwrap_or_default();
    let name = class.rsplit('.').next().unwrap_or_default();
    name.len() > 5
        && ["Error", "Exception", "Warning", "Interrupt"]
            .iter()
            .any(|end| name.ends_with(end))
}

/// Joins two pieces, with a blank where a program that wraps at words has taken one away. Also: whether the break was inside a word.
fn join(first: &str, next: &str, hard: bool) -> (String, bool) {
    let last = first.chars().next_back().unwrap_or(' ');
    let following = next.chars().next().unwrap_or(' ');
    // `Loss.cu:250:` ends before a blank: a program that wraps at words broke here.
    let after_number = following.is_alphabetic()
        && first
            .strip_suffix(':')
            .is_some_and(|header| header.ends_with(|c: char| c.is_ascii_digit()));
    let inside_word = is_word(last) && is_word(following) && !after_number;
    let operator = matches!(
        (last, following),
        ('&', '&')
            | ('|', '|')
            | ('<' | '>' | '=' | '!', '=')
            | ('-' | '>', '>')
            | (':', ':')
            | ('<', '<')
    );
    let mut joined = String::with_capacity(first.len() + next.len() + 1);
    joined.push_str(first);
    let bracket = matches!(last, '[' | '(' | '`')
        || matches!(following, ']' | ')' | ',' | '`' | ':' | ';')
        || (is_word(last) && following == '(')
        || (last == ',' && following.is_ascii_digit());
    let marks = first.bytes().filter(|&byte| byte == b'"').count();
    let quoted = marks % 2 == 1 && (last == '"' || following == '"');
    if !(last == ' ' || following == ' ' || inside_word || operator || bracket || quoted || hard) {
        joined.push(' ');
    }
    joined.push_str(next);
    (joined, inside_word)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '/' | '\\' | ':' | '-')
}

/// Where `Traceback (most recent call last):` was printed after other text on the same line.
fn glued_traceback(text: &str) -> Option<usize> {
    static HEADER: LazyLock<memchr::memmem::FinderRev<'static>> =
        LazyLock::new(|| memchr::memmem::FinderRev::new("Traceback (most recent call last):"));
    let at = HEADER.rfind(text.as_bytes())?;
    let before = text.get(..at)?;
    let word = before.trim_end();
    // CPython's own wordings go on; only blanks before it are a nested traceback's indentation.
    let goes_on = [
        "Original", "Group", "Remote", "Worker", "Full", "Python", "\u{2500}",
    ]
    .iter()
    .any(|end| word.ends_with(end));
    (!word.is_empty() && !goes_on && !word.chars().all(|c| matches!(c, '|' | '+' | '-' | ' ')))
        .then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<(u64, u64, String)> {
        let mut assembler = Assembler::default();
        for (number, text) in (1..).zip(text.lines()) {
            assembler.segment(Segment {
                text,
                number,
                overdrawn: false,
                woken: true,
            });
        }
        assembler.finish();
        std::iter::from_fn(|| assembler.next_line())
            .map(|line| (line.number, line.last_number, line.text))
            .collect()
    }

    #[track_caller]
    fn check(text: &str, expected: &[(u64, u64, &str)]) {
        let expected: Vec<_> = expected
            .iter()
            .map(|&(first, last, text)| (first, last, text.to_owned()))
            .collect();
        assert_eq!(lines(text), expected, "{text}");
    }

    fn wrap(text: &str, width: usize) -> String {
        let chars: Vec<char> = text.chars().collect();
        chars
            .chunks(width)
            .map(|piece| piece.iter().collect::<String>() + "\n")
            .collect()
    }

    const ASSERTION: &str = r#"C:\actions-runner\_work\pytorch\pytorch\builder\windows\pytorch\aten\src\ATen\native\cuda\ScatterGatherKernel.cu:367: block: [0,0,0], thread: [4,0,0] Assertion `idx_dim >= 0 && idx_dim < index_size && "index out of bounds"` failed."#;
    const SIGNATURE: &str = "/opt/conda/conda-bld/pytorch_1556653114079/work/aten/src/THCUNN/ClassNLLCriterion.cu:105: void cunn_ClassNLLCriterion_updateOutput_kernel(Dtype *, Dtype *, Dtype *, long *, Dtype *, int, int, int, int, long) [with Dtype = float, Acctype = float]: block: [0,0,0], thread: [3,0,0] Assertion `t >= 0 && t < n_classes` failed.";

    #[test]
    fn assertions_broken_at_any_width_are_whole_again() {
        for text in [ASSERTION, SIGNATURE] {
            for width in 40..=text.len() {
                let wrapped = wrap(text, width);
                let last = wrapped.lines().count() as u64;
                check(&wrapped, &[(1, last, text)]);
                let twice = format!("before\n{wrapped}{wrapped}after");
                let expected = [
                    (1, 1, "before"),
                    (2, last + 1, text),
                    (last + 2, 2 * last + 1, text),
                    (2 * last + 2, 2 * last + 2, "after"),
                ];
                check(&twice, &expected);
            }
        }
    }

    #[test]
    fn words_wrapped_by_a_mail_program() {
        check(
            "> /pytorch/aten/src/ATen/native/cuda/Loss.cu:250: nll_loss: block:\n> [0,0,0], thread: [7,0,0] Assertion `t >= 0 &&\n> t < n_classes` failed.\n> next",
            &[
                (
                    1,
                    3,
                    "/pytorch/aten/src/ATen/native/cuda/Loss.cu:250: nll_loss: block: [0,0,0], thread: [7,0,0] Assertion `t >= 0 && t < n_classes` failed.",
                ),
                (4, 4, "next"),
            ],
        );
    }

    #[test]
    fn lines_that_only_look_alike_stay_apart() {
        for text in [
            "Saving the model to /data/experiments/run1\ncsrc/knn.cu:33: knn: block: [0,0,0], thread: [1,0,0] Assertion `k < n` failed.",
            "Saving the model to /data/experiments/run1\n../aten/src/X.cu:33: knn: block: [0,0,0], thread: [1,0,0] Assertion `k < n` failed.",
            "RuntimeError: cuda runtime error (59) : device-side assert triggered at /pytorch/aten/src/THC/generic/THCTensorMath.cu:26\nnext line of the log",
            "  File \"a.py\", line 3, in f\n    g()\nRuntimeError: x",
            "nvcc -c /home/me/ext/knn.cu\nninja: build stopped",
            "/pytorch/X.cu:1: f: block: [0,0,0], thread: [1,0,0] Assertion `tor\nTraceback (most recent call last):",
        ] {
            let expected: Vec<_> = (1..)
                .zip(text.lines())
                .map(|(number, text)| (number, number, text))
                .collect();
            check(text, &expected);
        }
    }

    #[test]
    fn file_lines_and_then_others_at_the_same_width() {
        let file = r#"  File "C:\Users\somebody\anaconda3\envs\train\lib\site-packages\torch\nn\modules\module.py", line 1501, in _call_impl"#;
        let error = "RuntimeError: CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate(handle)`";
        let text = format!("{}{}{}", wrap(file, 80), wrap(file, 80), wrap(error, 80));
        check(&text, &[(1, 2, file), (3, 4, file), (5, 6, error)]);
    }

    #[test]
    fn powershell_error_records_are_skipped() {
        for (first, second) in [
            ("At line:1 char:1", "+ python a.py > run.txt 2>&1"),
            ("所在位置 行:1 字符: 1", "+ python a.py > run.txt 2>&1"),
        ] {
            let text = format!(
                "python : Traceback (most recent call last):\n{first}\n{second}\n+ ~~~~~~~~~~\n    + CategoryInfo          : NotSpecified: (Traceback (most recent call last)::String) [], RemoteEx \n   ception\n    + FullyQualifiedErrorId : NativeCommandError\n \n  File \"a.py\", line 1, in <module>"
            );
            check(
                &text,
                &[
                    (1, 1, "Traceback (most recent call last):"),
                    (9, 9, "  File \"a.py\", line 1, in <module>"),
                ],
            );
        }
    }

    #[test]
    fn glued_lines_are_cut() {
        check(
            "98%|███| 1206/1232 [Traceback (most recent call last):\n(W pid=5) A.(W pid=5)   B",
            &[
                (1, 1, "98%|███| 1206/1232 ["),
                (1, 1, "Traceback (most recent call last):"),
                (2, 2, "A."),
                (2, 2, "  B"),
            ],
        );
        check(
            "2024-09-10 14:02:11 ERROR Traceback (most recent call last):\n2024-09-10 14:02:11 ERROR   File \"a.py\", line 1",
            &[
                (1, 1, "Traceback (most recent call last):"),
                (2, 2, "  File \"a.py\", line 1"),
            ],
        );
        for text in [
            "Original Traceback (most recent call last):",
            "  + Exception Group Traceback (most recent call last):",
            "RuntimeError      Traceback (most recent call last)",
        ] {
            check(text, &[(1, 1, text)]);
        }
    }
}
