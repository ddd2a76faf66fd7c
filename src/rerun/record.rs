//! What a run is, as it is kept: `run.json` at its start, `case.json` at its end.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::os_text;
use super::{Ending, FoundPython, RunCommand, RunOptions};
use crate::crash_log::{Facts, Progress};

/// The schema of `run.json`.
pub const RUN_SCHEMA: &str = "assert-doctor/run/1";

/// The schema of `case.json`.
pub const CASE_SCHEMA: &str = "assert-doctor/case/1";

/// What was started, when and how.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunRecord {
    /// The folder's name, which is also when it was started.
    pub id: String,
    /// When it was prepared, in milliseconds since 1970.
    pub started_ms: u64,
    /// The command.
    pub command: RunCommand,
    /// How it is watched.
    pub options: RunOptions,
    /// The interpreter, where one was chosen for it.
    pub python: Option<FoundPython>,
    /// Every variable that was set for the run and nothing else, in order, as it was set. A value that is no text is shown as well as it goes.
    pub environment: Vec<(String, String)>,
    /// The supervisor's process; 0 until it has begun.
    pub supervisor: u32,
    /// The run it is compared with.
    pub first: Option<FirstRun>,
}

/// The run that died first, as far as it is known: its marks are drawn beside the new one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct FirstRun {
    /// How long it ran until its failure, in milliseconds.
    pub elapsed_ms: Option<u64>,
    /// How far it had come.
    pub progress: Progress,
    /// Its log or folder.
    #[serde(with = "os_text::maybe_path")]
    pub path: Option<PathBuf>,
    /// Its name as it is shown.
    pub name: String,
}

/// A run that has ended, with what its log says: `case.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunCase {
    /// [`CASE_SCHEMA`].
    pub schema: String,
    /// What was started.
    pub run: RunRecord,
    /// How it ended.
    pub ending: Ending,
    /// What `output.log` says.
    pub facts: Facts,
}
