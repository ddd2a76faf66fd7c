//! Following a run from outside, from its folder alone.

use std::path::Path;

use super::{MemorySample, RunProblem, RunRecord, RunStatus, StreamName};

/// Follows a run's folder. To attach again after a restart, make a new one.
#[derive(Debug)]
pub struct Follower {
    record: RunRecord,
}

/// What is new since the last look.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Update {
    /// Lines that were completed, oldest first.
    pub lines: Vec<NewLine>,
    /// Lines before the first of [`Update::lines`] that are not given, because there were too many or they are no longer there.
    pub skipped: u64,
    /// There is more to read at once.
    pub more: bool,
    /// How it stands now.
    pub status: RunStatus,
    /// Samples that were added.
    pub samples: Vec<MemorySample>,
    /// Whether somebody looks after it.
    pub supervision: Supervision,
}

/// A line of the output.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewLine {
    /// Its number in `output.log`, from 1; while output is being left out it counts every line printed.
    pub number: u64,
    /// When it was completed, in milliseconds since the command was started, to within 100.
    pub ms: u64,
    /// Where it came from.
    pub stream: StreamName,
    /// Its bytes as printed without its end; a long one is cut after 64 KiB.
    pub bytes: Vec<u8>,
}

/// Whether somebody looks after a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Supervision {
    /// The supervisor is only just being started.
    #[default]
    Starting,
    /// It lives.
    Lives,
    /// The run is over.
    Over,
    /// It is gone and has not said how the run ended: it was killed, or the machine went down.
    Gone,
}

impl Follower {
    /// Attaches to a run.
    ///
    /// # Errors
    /// The folder is not that of a run, or cannot be read.
    pub fn open(folder: &Path) -> Result<Self, RunProblem> {
        Err(RunProblem::NoFolder {
            folder: folder.to_owned(),
            said: String::new(),
        })
    }

    /// What is run.
    pub fn record(&self) -> &RunRecord {
        &self.record
    }

    /// What is new: at most `most` lines, the newest where there are more. Reads a bounded amount, and never waits.
    pub fn poll(&mut self, most: usize) -> Update {
        let _ = most;
        Update::default()
    }
}
