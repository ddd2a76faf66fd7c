//! What a dropped thing is, by content first and name second, and how its bytes are read.
//!
//! Every file is opened for reading only, briefly, and never mapped: the user may delete, rename or cut it at any moment.

mod folder;
mod kind;
mod magic;
mod positioned;
mod read;
mod run_folder;
mod samples;
mod text;
mod walk;

use std::path::PathBuf;

pub use folder::{MOST_LOGS, logs_in, natural_order};
pub(crate) use kind::Name;
pub use kind::{Format, InputKind, Recognised, inspect, inspect_file, recognise};
pub use positioned::PositionedFile;
pub(crate) use read::open_regular;
pub use read::{
    BlockReader, ReadLog, ReadProgress, read_bytes, read_log, read_output, read_stream,
};
pub use run_folder::{RUN_LOG, RUN_RECORD, is_run_folder};
pub use samples::{SAMPLES, Sample, sample};
pub use walk::{Walk, WalkOptions, path_order, walk};

/// Why an input could not be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InputError {
    /// It is not there (any more).
    #[error("not found")]
    NotFound,
    /// The system refused it.
    #[error("access denied")]
    AccessDenied,
    /// It became shorter or vanished while it was read; what came before is kept.
    #[error("changed while it was read: {read} of {expected} bytes")]
    ChangedWhileRead {
        /// Bytes read.
        read: u64,
        /// Bytes expected.
        expected: u64,
    },
    /// Nothing in it.
    #[error("empty")]
    Empty,
    /// A folder where a log was expected, with the logs found directly inside.
    #[error("a folder")]
    Folder {
        /// Files in it that look like logs, natural order, at most 20.
        logs: Vec<PathBuf>,
    },
    /// A device, pipe or socket: reading it could wait for ever.
    #[error("not a regular file")]
    Device,
    /// Not text: no log can be in it.
    #[error("not text")]
    NotText,
    /// It is something that this version does not read yet (labels, checkpoint, config, script…).
    #[error("not a log")]
    NotALog,
    /// A part of what a run printed is no longer in its log.
    #[error("{read} of {lines} lines are there")]
    OutputMissing {
        /// Lines that are there.
        read: u64,
        /// Lines that were printed.
        lines: u64,
    },
    /// The record of a run is damaged.
    #[error("a damaged record: {said}")]
    DamagedRecord {
        /// What is wrong with it.
        said: String,
    },
    /// The record of a run was written by a later version.
    #[error("written by a later version: {schema}")]
    NewerRecord {
        /// Its schema.
        schema: String,
    },
    /// The user stopped it.
    #[error("cancelled")]
    Cancelled,
    /// Anything else the system said.
    #[error("{0}")]
    System(String),
}

impl From<std::io::Error> for InputError {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            // A path through a file (`train.log/x`) names nothing, as a missing one does.
            std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => Self::NotFound,
            std::io::ErrorKind::PermissionDenied => Self::AccessDenied,
            _ => Self::System(error.to_string()),
        }
    }
}
