//! How a run stands: `status.json`, replaced as a whole while it runs, and the samples beside it.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::ExitMeaning;
use super::os_text;
use crate::crash_log::Progress;

/// How a run stands.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunStatus {
    /// Where it is between start and end.
    pub state: RunState,
    /// The command's process, once there is one.
    pub child: Option<u32>,
    /// Milliseconds since the command was started; they stand still once it has ended.
    pub elapsed_ms: u64,
    /// Complete lines printed so far.
    pub lines: u64,
    /// Bytes printed so far, redraws that were overwritten included.
    pub bytes: u64,
    /// How far it has come.
    pub progress: Progress,
    /// What the guard says.
    pub guard: GuardLive,
    /// When the first failure was printed, in milliseconds since the command was started.
    pub failed_at_ms: Option<u64>,
    /// The line that is not complete yet, as its latest redraw left it; at most 2,000 characters.
    pub last_redraw: Option<String>,
    /// The command's own process has ended while others of the run still hold its output: the run goes on until they are done.
    pub first_ended: Option<FirstEnded>,
    /// How it ended.
    pub ending: Option<Ending>,
    /// What is wrong with the run or with keeping its record. Where the state is not [`RunState::NotStarted`], the run goes on.
    pub problem: Option<RunProblem>,
}

/// Where a run is between start and end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunState {
    /// The supervisor is being started.
    #[default]
    Starting,
    /// The command runs.
    Running,
    /// It was asked to stop and has not ended yet.
    Stopping,
    /// It has ended; [`RunStatus::ending`] says how.
    Ended,
    /// It could not be started; [`RunStatus::problem`] says why.
    NotStarted,
}

impl RunState {
    /// Whether nothing will change any more.
    pub fn is_over(self) -> bool {
        matches!(self, Self::Ended | Self::NotStarted)
    }
}

impl RunStatus {
    /// It has printed something.
    pub fn has_printed(&self) -> bool {
        self.lines > 0 || self.bytes > 0
    }
}

/// How a run ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Ending {
    /// The exit code; on Windows all 32 bits of it, never negative. `None` where a signal ended it.
    pub code: Option<i64>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// The user stopped it.
    pub stopped: bool,
    /// How long the command's own process ran, in milliseconds.
    pub elapsed_ms: u64,
    /// Processes that outlived the command's own and held its output; `None` where none did.
    pub others: Option<Others>,
    /// Bytes of its output that were not kept.
    pub left_out: u64,
    /// What the code or signal is known to mean.
    pub meaning: Option<ExitMeaning>,
}

/// The end of the command's own process, which others of the run outlive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FirstEnded {
    /// Its exit code.
    pub code: Option<i64>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// How long it ran, in milliseconds.
    pub elapsed_ms: u64,
    /// Processes that still hold the output.
    pub others: u32,
}

/// Processes that outlived the command's own and held its output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Others {
    /// How long their output was read, in milliseconds since the start.
    pub until_ms: u64,
    /// How many of them lived on when it was read no longer; what they print after that is not kept.
    pub left: u32,
}

/// What the guard says while the run goes on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct GuardLive {
    /// It has begun: `torch` was imported.
    pub started: bool,
    /// The operations it checks, with what has passed so far; ranks are added up.
    pub operations: Vec<GuardOperationLive>,
    /// Calls checked.
    pub calls: u64,
    /// Values checked.
    pub values: u64,
    /// Calls with a value or shape that is not allowed.
    pub violations: u64,
    /// The share of time that the training loop waited for its data, 0 to 1; of several ranks the largest.
    pub loader_wait: Option<f64>,
    /// Batches handed out.
    pub batches: Option<u64>,
    /// The newest sample of the GPU's memory.
    pub memory: Option<MemorySample>,
}

/// One checked operation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct GuardOperationLive {
    /// Its name as the guard has it (`cross_entropy`).
    pub name: String,
    /// Calls checked.
    pub calls: u64,
    /// Values checked.
    pub values: u64,
}

/// The memory of the GPU at one moment, as PyTorch's allocator counts it, in bytes: a line of `samples.jsonl`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct MemorySample {
    /// Milliseconds since the command was started.
    pub t_ms: u64,
    /// In use by tensors.
    pub allocated: Option<u64>,
    /// Taken from the driver.
    pub reserved: Option<u64>,
    /// The most in use so far.
    pub peak: Option<u64>,
    /// The card's whole memory.
    pub total: Option<u64>,
    /// What was measured, where the memory monitor was asked to.
    pub name: Option<String>,
}

/// Which pipe a line came through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StreamName {
    /// Standard output.
    #[default]
    Out,
    /// Standard error.
    Err,
    /// A line of the guard, whichever pipe it came through.
    Guard,
}

/// Why a run could not be started, or what is wrong with keeping its record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum RunProblem {
    /// No program was named.
    NoProgram,
    /// There is no such program.
    NotFound {
        /// As it was named.
        program: String,
    },
    /// What was named as the program is a folder.
    IsFolder {
        /// As it was named.
        program: String,
    },
    /// The folder that this process stands in is gone.
    DirectoryGone,
    /// No Python was found to run a script with.
    NoPython,
    /// The program is there and may not be run.
    Denied {
        /// As it was named.
        program: String,
    },
    /// The program is there and the system cannot run it.
    NotRunnable {
        /// As it was named.
        program: String,
        /// What the system said.
        said: String,
    },
    /// There is no such folder to run in.
    NoDirectory {
        /// The folder.
        #[serde(with = "os_text::path")]
        directory: PathBuf,
    },
    /// The run's own folder cannot be made or read.
    NoFolder {
        /// The folder.
        #[serde(with = "os_text::path")]
        folder: PathBuf,
        /// What the system said.
        said: String,
    },
    /// The folder named for the run holds something else already.
    FolderInUse {
        /// The folder.
        #[serde(with = "os_text::path")]
        folder: PathBuf,
    },
    /// The folder's path holds the sign that separates search paths, so Python cannot be told to look there for the guard.
    NoGuardPath {
        /// The folder.
        #[serde(with = "os_text::path")]
        folder: PathBuf,
    },
    /// A supervisor already runs, or ran, this folder.
    AlreadyRun,
    /// The supervisor could not be started.
    NoSupervisor {
        /// What the system said.
        said: String,
    },
    /// The supervisor ended without a word about the run's end: it was killed, or the machine went down.
    SupervisorGone,
    /// The output could no longer be read.
    Pipe {
        /// What the system said.
        said: String,
    },
    /// The output cannot be written down (a full disk); the run goes on.
    NotWritten {
        /// What the system said.
        said: String,
        /// Bytes lost so far.
        lost: u64,
    },
    /// The run's folder was deleted while it ran; it was made anew and holds what came after.
    FolderDeleted,
    /// The run's folder was deleted while it ran and could not be made anew.
    FolderGone,
}
