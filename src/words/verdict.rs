//! The verdict as it is read: the one rendering that console, window and report share.

use crate::diagnosis::Certainty;
use crate::labels::Place;

/// A diagnosis in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// What kind of news it is.
    pub severity: Severity,
    /// One line that anyone understands: at most 90 characters in English, 40 in Chinese.
    pub title: String,
    /// One or two sentences: how it was noticed, what it means.
    pub sentence: String,
    /// How sure.
    pub certainty: Certainty,
    /// "Certain", "Likely", "Possible".
    pub certainty_word: String,
    /// "the log says so".
    pub certainty_reason: String,
    /// The card's rows, in reading order.
    pub rows: Vec<Row>,
    /// The next action in a few words.
    pub next: String,
    /// What the process's state means for going on ("The process is lost: …"); `None` where it can go on.
    pub restart: Option<String>,
    /// A check to run in Python, where there is one.
    pub check: Option<Snippet>,
    /// How to fix it, likeliest first.
    pub fixes: Vec<String>,
    /// What else it could be: the other causes first, then the entry's own list.
    pub others: Vec<Other>,
    /// Remarks that help to read this log.
    pub remarks: Vec<Remark>,
}

impl Verdict {
    /// The certainty as three dots.
    pub fn certainty_dots(&self) -> &'static str {
        match self.certainty {
            Certainty::Certain => "●●●",
            Certainty::Likely => "●●○",
            Certainty::Possible => "●○○",
        }
    }
}

/// What kind of news a verdict is; shape and colour of its icon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// Something failed.
    Error,
    /// It cannot be told for sure whether, or what, failed first.
    Warning,
    /// Nothing wrong found.
    Good,
}

/// One row of the card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Which.
    pub kind: RowKind,
    /// "Failed check".
    pub label: String,
    /// Its text in pieces.
    pub spans: Vec<Span>,
    /// The line of the log that shows it.
    pub line: Option<LineLink>,
    /// The place in the data that shows it.
    pub place: Option<Place>,
}

/// Which row of the card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowKind {
    /// The expression and its source line.
    FailedCheck,
    /// The error text, where there is no failed check.
    Error,
    /// What the guard saw before the kernel ran.
    GuardSaw,
    /// The Python operation.
    Operation,
    /// Whose data, and its allowed range.
    CheckedData,
    /// The value of the data that breaks the check, and where it stands.
    GuiltyValue,
    /// The line that is to be believed.
    YourLine,
    /// A line before the failure that already showed it.
    SignBefore,
    /// Where the traceback ends, and why that is not the culprit. The only coloured label.
    NotTheCulprit,
    /// What came after only because of it.
    Consequences,
    /// How far the run had come.
    Moment,
}

/// A piece of text in one style.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The text.
    pub text: String,
    /// How it is set.
    pub style: SpanStyle,
}

/// How a piece of text is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpanStyle {
    /// Body text.
    Plain,
    /// The code font.
    Code,
    /// Weak: sources and reasons.
    Weak,
}

/// A link to a line of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineLink {
    /// The line.
    pub line: u64,
    /// "line 1,027".
    pub text: String,
}

/// A script to copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snippet {
    /// What it does, in a few words.
    pub caption: String,
    /// Python.
    pub code: String,
}

/// Another explanation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Other {
    /// How sure; `None` for what the knowledge lists beside the verdict.
    pub certainty: Option<Certainty>,
    /// In one sentence, with its certainty's word where it has one.
    pub text: String,
}

/// A remark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// In one or two sentences.
    pub text: String,
    /// The line it speaks of.
    pub line: Option<LineLink>,
}
