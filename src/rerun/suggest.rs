//! What to run: commands that the log, a script or the machine suggest.

use std::path::{Path, PathBuf};

use super::{FoundPython, RunCommand};
use crate::crash_log::Facts;

/// A command that may be what the user wants to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// The command.
    pub command: RunCommand,
    /// Why it is suggested.
    pub why: SuggestionReason,
    /// The interpreter that was put in, where the command's own was a mere name or there was none.
    pub python: Option<FoundPython>,
    /// What the command needs and is not there on this machine: program, script or folder.
    pub missing: Vec<PathBuf>,
    /// Parts of a shell's command line that a program does not get (`> log.txt`, `| tee log.txt`, `&`), as they stood.
    pub left_out: Vec<String>,
}

/// Why a command is suggested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SuggestionReason {
    /// It is the script that was given.
    Script,
    /// The log shows it being started, on this line.
    LogCommand {
        /// The log's line, from 1.
        line: u64,
    },
    /// The outermost frame of the log's traceback is in this file.
    Traceback {
        /// The log's line, from 1.
        line: u64,
    },
}

/// Commands to run, best first: the script that was given, the command that the log shows, the file where its traceback begins.
/// `near` is the log's own folder, where files are looked for that are not where the log says.
pub fn suggest(
    facts: Option<&Facts>,
    script: Option<&Path>,
    near: Option<&Path>,
) -> Vec<Suggestion> {
    let _ = (facts, script, near);
    Vec::new()
}
