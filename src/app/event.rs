//! What jobs find out.

use std::path::PathBuf;

use super::RequestId;
use crate::case::Case;
use crate::check::{CheckProgress, Checked};
use crate::inputs::ReadProgress;
use crate::range_check::{GpuError, GpuInfo, Health};
use crate::rerun::{FoundPython, RunProblem, RunRecord, Suggestion, Update};

/// What a job found. An event with an old request id is dropped.
#[derive(Debug)]
pub enum Event {
    /// A read is this far.
    Progress(RequestId, ReadProgress),
    /// Everything that was asked to be opened has been read; inputs that failed carry their error.
    Opened(RequestId, Box<Case>),
    /// Lines of the log, decoded, from the first one named on.
    RowsLoaded {
        /// The request.
        request: RequestId,
        /// Number of the first line.
        first_line: u64,
        /// The lines.
        lines: Vec<String>,
    },
    /// Lines could not be read (the file changed or vanished).
    RowsFailed(RequestId, crate::inputs::InputError),
    /// Matches of a search so far (line numbers, rising), and whether these are all.
    SearchFound {
        /// The request.
        request: RequestId,
        /// Further matching lines.
        lines: Vec<u64>,
        /// The search is over.
        done: bool,
    },
    /// The search could not go on, or was stopped; what it found so far stays.
    SearchFailed(RequestId, crate::inputs::InputError),
    /// A job broke off through a fault of this program; the text is for its log.
    JobFailed(RequestId, String),
    /// A check is this far.
    CheckProgress(RequestId, CheckProgress),
    /// The data has been checked, or as much of it as was read before the user stopped it.
    Checked(RequestId, Box<Checked>),
    /// The GPUs of this machine, best first.
    GpusListed(RequestId, Vec<GpuInfo>),
    /// This part of a GPU's check is done, 0 to 1.
    GpuCheckProgress(RequestId, f32),
    /// A GPU was checked, or as much of it as was before the user stopped it; or why none could be.
    GpuChecked(RequestId, Result<Box<Health>, GpuError>),
    /// A file of the checked data has changed since.
    FilesChanged(RequestId),
    /// The offenders were written.
    Exported {
        /// The request.
        request: RequestId,
        /// The file.
        path: PathBuf,
        /// How many.
        rows: u64,
    },
    /// The offenders could not be written.
    ExportFailed(RequestId, ExportError),
    /// What could be run, and with which interpreter, best first.
    RunSuggested {
        /// The request.
        request: RequestId,
        /// Commands.
        suggestions: Vec<Suggestion>,
        /// Interpreters.
        pythons: Vec<FoundPython>,
    },
    /// A run was started, or one of an earlier start of the program was found.
    RunAttached {
        /// The request.
        request: RequestId,
        /// Its folder.
        folder: PathBuf,
        /// What it is.
        record: Box<RunRecord>,
    },
    /// A run could not be started or followed.
    RunNotStarted(RequestId, RunProblem),
    /// No run of an earlier start of the program is left.
    NoRunFound(RequestId),
    /// What is new of a run.
    RunUpdate(RequestId, Box<Update>),
    /// The run could not be asked to stop.
    RunNotStopped(RequestId, String),
    /// The guard's file was written, or why it was not.
    GuardSaved(RequestId, PathBuf, Result<(), String>),
    /// The settings could not be saved.
    SettingsNotSaved(String),
}

/// Why the offenders could not be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExportError {
    /// The file is one of those that were checked. It was not touched.
    IsASource,
    /// The user stopped it; nothing was written.
    Cancelled,
    /// What the system said.
    System(String),
}
