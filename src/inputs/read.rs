//! Reading a log's bytes, block by block.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::InputError;
use crate::crash_log::{Facts, LineIndex};

/// How far a read is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadProgress {
    /// Bytes read.
    pub read: u64,
    /// Bytes in all, where known.
    pub total: Option<u64>,
}

/// Positioned reads of one file for the log view.
#[derive(Debug)]
pub struct BlockReader {}

/// Reads a log to its facts.
pub fn read_log(
    _path: &Path,
    _cancel: &AtomicBool,
    _progress: &mut dyn FnMut(ReadProgress),
) -> Result<(Facts, LineIndex), InputError> {
    Err(InputError::NotFound)
}
