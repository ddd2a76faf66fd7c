//! What a user can want. With [`Event`](super::Event) this is the table of contents of the program.

use std::ops::Range;
use std::path::PathBuf;

use crate::settings::ThemeChoice;
use crate::words::Language;

/// What the user wants.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Open these files or folders, dropped, chosen or named on the command line, as one case.
    Open(Vec<PathBuf>),
    /// Show the file dialog (the window starts it; the answer comes as [`Command::Open`]).
    ChooseFiles,
    /// The system showed no file dialog; say so.
    DialogNotShown,
    /// Read this text as a log.
    Paste(String),
    /// Open an embedded sample.
    OpenSample(&'static str),
    /// Read the shown log again from its file.
    Reload,
    /// Show another log of the case (index into its logs).
    ShowLog(usize),
    /// Put the case away and go back to Start.
    CloseCase,
    /// Stop the running job.
    CancelJob,
    /// Look for this text in the log (empty: stop searching).
    Search(String),
    /// Go to the next match.
    NextMatch,
    /// Go to the previous match.
    PreviousMatch,
    /// Show only lines of one kind.
    SetFilter(LogFilter),
    /// Open or close a fold (its index among the folds).
    ToggleFold(usize),
    /// Scroll to a line of the log and flash it once.
    GoToLine(u64),
    /// These rows are on screen (or about to be) and must be loaded.
    RowsNeeded(Range<usize>),
    /// Speak this language from now on, and remember it.
    SetLanguage(Language),
    /// Look like this from now on, and remember it.
    SetTheme(ThemeChoice),
    /// Open or close the card's details (check, fixes, other causes).
    ToggleDetails,
    /// Put the notice away.
    DismissNotice,
    /// The text was put on the clipboard by the window; say so in the status bar.
    Copied,
}

/// Which lines of the log are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LogFilter {
    /// All, with folds.
    #[default]
    All,
    /// Lines of failed checks.
    Assertions,
    /// Lines of tracebacks.
    Traceback,
    /// Error lines.
    Errors,
    /// PyTorch's hints.
    Hints,
}
