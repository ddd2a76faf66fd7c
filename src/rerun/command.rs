//! What is started, and how it is watched.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{RunProblem, os_text};

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

impl RunCommand {
    /// Where the program is, or why it cannot be started. A relative path counts from the folder that it runs in.
    pub(super) fn resolve(&self) -> Result<PathBuf, RunProblem> {
        if self.program.is_empty() {
            return Err(RunProblem::NoProgram);
        }
        if self.directory.as_os_str().is_empty() {
            return Err(RunProblem::DirectoryGone);
        }
        if !self.directory.is_dir() {
            return Err(RunProblem::NoDirectory {
                directory: self.directory.clone(),
            });
        }
        let name = || self.program.to_string_lossy().into_owned();
        let search = std::env::var_os("PATH");
        match which::which_in(&self.program, search, &self.directory) {
            Ok(found) => Ok(self.directory.join(found)),
            Err(_) if self.is_path() && self.directory.join(&self.program).is_dir() => {
                Err(RunProblem::IsFolder { program: name() })
            }
            Err(_) if self.is_path() && self.directory.join(&self.program).exists() => {
                Err(RunProblem::Denied { program: name() })
            }
            Err(_) => Err(RunProblem::NotFound { program: name() }),
        }
    }

    /// The program is named by a path, not looked for.
    fn is_path(&self) -> bool {
        Path::new(&self.program).components().count() > 1 || Path::new(&self.program).is_absolute()
    }
}
