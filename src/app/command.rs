//! What a user can want. With [`Event`](super::Event) this is the table of contents of the program.

use std::ops::Range;
use std::path::PathBuf;

use super::run_view::OutputFilter;
use crate::labels::{LabelFormat, Role};
use crate::range_check::{DeviceChoice, Number};
use crate::rerun::RunOptions;
use crate::settings::ThemeChoice;
use crate::words::Language;

/// What the user wants.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Open these files or folders, dropped, chosen or named on the command line, as one case.
    Open(Vec<PathBuf>),
    /// Show the file dialog (the window starts it; the answer comes as [`Command::Open`]).
    ChooseFiles,
    /// Show the dialog for a folder (answered by [`Command::Open`]).
    ChooseFolder,
    /// Show the dialog for saving the offenders (answered by [`Command::ExportOffenders`]).
    ChooseExport,
    /// The system showed no file dialog; say what to do without one.
    DialogNotShown(Without),
    /// Show this tab.
    ShowTab(Tab),
    /// The window is in front of the user, or is not any more.
    WindowInFront(bool),
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
    /// Check the data again.
    Recheck,
    /// Show what one source has to do with (index into the sources), or all of them.
    SelectSource(Option<usize>),
    /// Take a source, and what was given with it, out of the case.
    RemoveSource(usize),
    /// Say something about what a source was given with, and check again.
    SetGiven(usize, GivenChange),
    /// Show a finding's offenders and its fix.
    SelectFinding(usize),
    /// Show another rule in the rule bar and the chart.
    SelectRule(usize),
    /// Say what the values are used as (`None`: as found), and check again.
    SetRole(Option<Role>),
    /// Allow this range, as typed, and check again.
    SetAllowed {
        /// Smallest allowed value.
        lo: String,
        /// Largest allowed value.
        hi: String,
    },
    /// What was typed as the range is taken back; its fault is no longer told.
    TakeRangeBack,
    /// Allow what the data set itself states, and check again.
    AllowAsFound,
    /// Skip this value, and check again.
    Ignore(Number),
    /// Skip this value, as typed, and check again.
    IgnoreTyped(String),
    /// Do not skip this value any more, and check again.
    StopIgnoring(Number),
    /// Say who checks, and check again.
    SetDevice(DeviceChoice),
    /// Check the GPU itself: the chosen one, else the best.
    CheckGpu,
    /// Stop that.
    StopGpuCheck,
    /// Put what it found away; the case keeps it.
    PutGpuCheckAway,
    /// Sort the offenders by a column; once more: the other way round.
    SortOffenders(OffenderColumn),
    /// Show or hide the script of the suggested fix.
    ToggleScript,
    /// Write all offenders into this file.
    ExportOffenders(PathBuf),
    /// Show what is to be run, before it is.
    PrepareRun,
    /// Show the dialog for the script to run (answered by [`Command::RunScript`]).
    ChooseScript,
    /// Show the dialog for the folder to run in (answered by [`Command::EditRun`]).
    ChooseRunFolder,
    /// Show the dialog for the folder to save the guard in (answered by [`Command::SaveGuard`]).
    ChooseGuardFile,
    /// This script is to be run; shows what is to be run, before it is.
    RunScript(PathBuf),
    /// Change what is to be run.
    EditRun(RunEdit),
    /// Put what is to be run away.
    LeaveRun,
    /// Start it.
    StartRun,
    /// Ask whether the run is to be stopped, or ask no longer.
    AskToStop(bool),
    /// Stop the run.
    StopRun,
    /// Show the run in the Log tab, or the log that is there.
    ShowRun(bool),
    /// Show only this part of the run's output.
    SetOutputFilter(OutputFilter),
    /// Show only lines of the run's output that hold this text.
    SearchOutput(String),
    /// Open or close a fold of the run's output (the number of its first line).
    ToggleOutputFold(u64),
    /// Stay at the newest line of the run's output, or not.
    FollowOutput(bool),
    /// Put the run away that could not be started, or that nobody looks after any more.
    PutRunAway,
    /// Write the guard's files into this folder, for a run on another machine.
    SaveGuard(PathBuf),
    /// Show the commands for another machine, or hide them.
    ToggleKit,
    /// Show the commands of this shell (index into the kit).
    SelectShell(usize),
}

/// A change of what is to be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunEdit {
    /// The command line as typed.
    Command(String),
    /// The folder it runs in, as typed.
    Directory(String),
    /// How it is watched.
    Options(RunOptions),
    /// Take a suggestion (its index).
    Suggestion(usize),
    /// Take an interpreter (its index).
    Python(usize),
}

/// What can be shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tab {
    /// The log with its verdict.
    #[default]
    Log,
    /// The check of the labels.
    Labels,
}

/// What the user says about something that was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GivenChange {
    /// How its label files are arranged.
    Format(Option<LabelFormat>),
    /// Its split.
    Split(Option<String>),
    /// Its column, key or field.
    Column(Option<String>),
    /// What its values are used as.
    Role(Option<Role>),
}

/// What offenders are sorted by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OffenderColumn {
    /// Where they stand, in reading order.
    #[default]
    File,
    /// The row, then the file.
    Row,
    /// The value.
    Value,
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

/// What can be done where a file dialog was wanted and the system has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Without {
    /// Files are dropped on the window.
    Dropping,
    /// The console writes the table of offenders.
    Export,
    /// The command is typed.
    Command,
    /// The folder is typed.
    Folder,
    /// The console writes the guard's files.
    Guard,
}
