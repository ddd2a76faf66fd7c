//! What a dropped thing is, by content first and name second, and how its bytes are read.

mod kind;
mod read;

use std::path::PathBuf;

pub use kind::{InputKind, recognise};
pub use read::{BlockReader, ReadProgress, read_log};

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
    /// Not text: no log can be in it.
    #[error("not text")]
    NotText,
    /// It is something that this version does not read yet (labels, checkpoint, config, script…).
    #[error("not a log")]
    NotALog,
    /// The user stopped it.
    #[error("cancelled")]
    Cancelled,
    /// Anything else the system said.
    #[error("{0}")]
    System(String),
}
