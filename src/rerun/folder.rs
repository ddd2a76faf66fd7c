//! The folder of a run: made, found, asked to stop.

use std::path::{Path, PathBuf};

use super::{FirstRun, FoundPython, RunCommand, RunOptions, RunProblem, RunRecord};

/// What is to be run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewRun {
    /// The command.
    pub command: RunCommand,
    /// How it is watched.
    pub options: RunOptions,
    /// The interpreter that was chosen for it.
    pub python: Option<FoundPython>,
    /// The run it is compared with.
    pub first: Option<FirstRun>,
    /// The folder to keep it in; `None`: a new one in the user's data folder.
    pub folder: Option<PathBuf>,
}

/// A run that is ready to be started.
#[derive(Clone, Debug, PartialEq)]
pub struct Prepared {
    /// Its folder.
    pub folder: PathBuf,
    /// What it is.
    pub record: RunRecord,
}

/// An earlier run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunEntry {
    /// Its folder.
    pub folder: PathBuf,
    /// What it is.
    pub record: RunRecord,
    /// A supervisor still looks after it.
    pub alive: bool,
}

/// The folder that runs are kept in; `None` where there is no home folder.
pub fn runs_folder() -> Option<PathBuf> {
    None
}

/// Makes the folder of a run with its record and, where it needs them, the guard's files.
///
/// # Errors
/// The folder cannot be made, or holds something else.
pub fn prepare(run: NewRun) -> Result<Prepared, RunProblem> {
    let _ = run;
    Err(RunProblem::NoProgram)
}

/// Earlier runs, newest first, at most 200.
pub fn runs() -> Vec<RunEntry> {
    Vec::new()
}

/// Asks the supervisor to stop the run: politely first, then not.
///
/// # Errors
/// The run's folder cannot be written.
pub fn stop(folder: &Path) -> std::io::Result<()> {
    std::fs::write(folder.join("stop"), b"")
}
