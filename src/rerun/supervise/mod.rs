//! The supervisor: a process of its own that starts the command, reads what it prints, and writes the run's folder.

mod book;
#[cfg(windows)]
mod console;
mod lines;
mod live;
pub(in crate::rerun) mod log_file;
mod rescue;
mod run;
#[cfg_attr(windows, path = "signals_windows.rs")]
#[cfg_attr(not(windows), path = "signals_unix.rs")]
pub(in crate::rerun) mod signals;
mod stopping;
mod streams;
mod telling;
pub(in crate::rerun) mod times;
#[cfg_attr(windows, path = "tree_windows.rs")]
#[cfg_attr(not(windows), path = "tree_unix.rs")]
mod tree;

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::Arc;

use super::{FirstEnded, RunProblem, RunState, RunStatus, StreamName};
use crate::crash_log::Facts;

/// The hidden first argument of both programs; the second is the run's folder.
pub const ARGUMENT: &str = "--supervise";

/// Takes what the command prints as it comes, from a thread for each stream.
pub type Echo = Arc<dyn Fn(StreamName, &[u8]) + Send + Sync>;

/// What is to be told while a run goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunNotice {
    /// It was asked to end and has not ended yet.
    Stopping,
    /// The command's own process has ended; others of the run live, hold its output and say nothing.
    OthersLive(FirstEnded),
    /// Something is wrong with keeping the record.
    Problem(RunProblem),
}

/// Whoever sits in front of a run.
#[derive(Clone)]
pub struct Front {
    /// Gets what the command prints.
    pub echo: Echo,
    /// Is told what happens.
    pub notify: Arc<dyn Fn(&RunNotice) + Send + Sync>,
}

/// How a run in the foreground went.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// How it stands in the end.
    pub status: RunStatus,
    /// What its output says, all of it, whether or not it could be kept; `None` where it was not started.
    pub facts: Option<Facts>,
}

/// The exit code of a supervisor that could not do its work.
const FAILED: u8 = 125;

/// Starts a supervisor for a prepared run, detached from this process. Gives the supervisor's process.
///
/// # Errors
/// The supervisor cannot be started.
pub fn start(folder: &Path) -> Result<u32, RunProblem> {
    let started = std::env::current_exe().and_then(|program| {
        let folder = std::path::absolute(folder)?;
        let mut command = Command::new(program);
        // Not where this process stands: a disk that is to be taken out would be held.
        command.arg(ARGUMENT).arg(&folder).current_dir(&folder);
        tree::start_detached(command)
    });
    started.map_err(|error| RunProblem::NoSupervisor {
        said: error.to_string(),
    })
}

/// Is a supervisor where the arguments (without the program's name) say so; else `None`.
pub fn supervisor(arguments: impl IntoIterator<Item = OsString>) -> Option<ExitCode> {
    let mut arguments = arguments.into_iter();
    if arguments.next()? != ARGUMENT {
        return None;
    }
    let code = match (arguments.next(), arguments.next()) {
        (Some(folder), None) => supervise(Path::new(&folder)),
        _ => FAILED,
    };
    Some(ExitCode::from(code))
}

/// Is the supervisor of a run, in a process that [`start`] made: what both programs do on [`ARGUMENT`]. Gives the exit code.
pub fn supervise(folder: &Path) -> u8 {
    tree::detach();
    match run::run(folder, None).status.state {
        RunState::Ended => 0,
        _ => FAILED,
    }
}

/// Is the supervisor of a run in this process, in the foreground.
pub fn supervise_here(folder: &Path, front: &Front) -> Outcome {
    run::run(folder, Some(front))
}
