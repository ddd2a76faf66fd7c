//! The supervisor: a process of its own that starts the command, reads what it prints, and writes the run's folder.

use std::path::Path;
use std::sync::Arc;

use super::{RunProblem, RunStatus, StreamName};

/// The hidden first argument of both programs; the second is the run's folder.
pub const ARGUMENT: &str = "--supervise";

/// Takes what the command prints as it comes, from a thread for each stream.
pub type Echo = Arc<dyn Fn(StreamName, &[u8]) + Send + Sync>;

/// Starts a supervisor for a prepared run, detached from this process. Gives the supervisor's process.
///
/// # Errors
/// The supervisor cannot be started.
pub fn start(folder: &Path) -> Result<u32, RunProblem> {
    let _ = folder;
    Err(RunProblem::NoProgram)
}

/// Is the supervisor of a run, in a process that [`start`] made: what both programs do on [`ARGUMENT`]. Gives the exit code.
pub fn supervise(folder: &Path) -> u8 {
    let _ = folder;
    125
}

/// Is the supervisor of a run in this process, in the foreground. Gives how the run stands in the end.
pub fn supervise_here(folder: &Path, echo: Option<Echo>) -> RunStatus {
    let _ = (folder, echo);
    RunStatus::default()
}
