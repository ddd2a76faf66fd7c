//! What a row of the log view is.

use std::ops::{Range, RangeInclusive};

use crate::crash_log::MarkKind;

/// One row.
#[derive(Clone, Debug, PartialEq)]
pub enum Row<'a> {
    /// A line of the log.
    Line(&'a LineRow),
    /// A line that is not loaded yet.
    Loading {
        /// Its number.
        number: u64,
        /// What stands in its gutter.
        gutter: Option<Gutter>,
    },
    /// Lines folded into one row.
    Fold {
        /// Its index, for [`Command::ToggleFold`](crate::app::Command::ToggleFold).
        fold: usize,
        /// What is in it.
        kind: FoldKind,
        /// The folded lines.
        lines: RangeInclusive<u64>,
        /// What it says ("1,018 more like this · blocks 2–4 · threads 353–858"), in the current language.
        text: &'a str,
        /// It is open: its lines follow as rows.
        open: bool,
    },
    /// The end of the log, with what is known of the end.
    End(&'a str),
}

/// A loaded line.
#[derive(Clone, Debug, PartialEq)]
pub struct LineRow {
    /// Its number.
    pub number: u64,
    /// Its text as shown: colours removed, build machine's path of an assertion shortened to `C:\…\`.
    pub text: String,
    /// The whole line where the shown one is shortened.
    pub whole: Option<String>,
    /// What stands in its gutter.
    pub gutter: Option<Gutter>,
    /// Notes after the line.
    pub tags: Vec<Tag>,
    /// Pieces of the text to emphasise (byte range): the failed expression.
    pub emphasis: Option<Range<usize>>,
    /// Byte ranges that match the search.
    pub matches: Vec<Range<usize>>,
    /// The text is the program's own: the line itself cannot be shown, and the text says why.
    pub placeholder: bool,
}

/// What is folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoldKind {
    /// More assertion lines of the same group.
    Flood,
    /// Library frames of a traceback.
    LibraryFrames,
    /// More lines of the guard.
    Guard,
}

/// The mark left of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gutter {
    /// Filled diamond: failed check.
    Assertion,
    /// Accent line: traceback.
    Traceback,
    /// Triangle: a misleading line.
    Misleading,
    /// Cross: error.
    Error,
    /// i: hint.
    Hint,
}

/// A note after a line, drawn as a pill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    /// In the current language.
    pub text: String,
    /// Its colour's meaning.
    pub tone: Tone,
}

/// A colour by meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Neutral.
    Neutral,
    /// Accent: helpful.
    Accent,
    /// Warning: misleading.
    Warning,
    /// Danger: the failure.
    Danger,
}

/// A mark of the overview bar, in rows of the view (a fold counts as one).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Match {
    /// First row and row after the last.
    pub rows: (usize, usize),
    /// What it marks; `None` for a search match.
    pub kind: Option<MarkKind>,
}
