//! What is started, and how it is watched.

use std::ffi::OsString;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::os_text;

/// A command as it reaches the system: no shell reads it, so blanks, quotes and stars are what they are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunCommand {
    /// The program: a path, or a name to be looked for on the search path.
    #[serde(with = "os_text::one")]
    pub program: OsString,
    /// Its arguments, one each.
    #[serde(with = "os_text::many")]
    pub arguments: Vec<OsString>,
    /// The folder it runs in.
    #[serde(with = "os_text::path")]
    pub directory: PathBuf,
}

/// How a run is watched. The options combine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunOptions {
    /// Kernel launches block (`CUDA_LAUNCH_BLOCKING=1`), so that a traceback names the operation that failed.
    pub sync: bool,
    /// Everything that asks for the GPU gets the CPU.
    pub cpu: bool,
    /// Values are checked before they reach a kernel.
    pub guard: bool,
    /// The number of worker processes of every `DataLoader`; `None`: as the script says.
    pub workers: Option<u32>,
}

impl RunOptions {
    /// Whether the guard's file must be loaded into the run.
    pub fn needs_guard_file(self) -> bool {
        self.cpu || self.guard || self.workers.is_some()
    }
}
