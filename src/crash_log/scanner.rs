//! The one path from bytes to facts.

use super::Facts;

/// Where lines begin in the raw bytes: one entry every [`LineIndex::STRIDE`] lines, so that a view can read any part of a large log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineIndex {
    /// Byte offset of line `1 + i * STRIDE`.
    pub offsets: Vec<u64>,
}

impl LineIndex {
    /// Lines between two entries.
    pub const STRIDE: u64 = 256;
}

/// Reads a log piece by piece.
#[derive(Default)]
pub struct Scanner {}

impl Scanner {
    /// A scanner at the start of a log.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next bytes, cut anywhere.
    pub fn push(&mut self, _bytes: &[u8]) {}

    /// Ends the log and tells what it said.
    pub fn finish(self) -> (Facts, LineIndex) {
        (Facts::default(), LineIndex::default())
    }
}
