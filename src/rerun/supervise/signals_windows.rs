//! Wishes to end that reach the supervisor through its console.

use super::console;

/// Counts wishes to end.
pub(super) struct Signals {
    foreground: bool,
}

impl Signals {
    /// Listens.
    pub(super) fn listen(foreground: bool) -> Self {
        console::listen();
        Self { foreground }
    }

    /// How often somebody wished it to end, and whether everybody in front of the console was told.
    pub(super) fn wishes(&self) -> (usize, bool) {
        (console::presses(), self.foreground)
    }
}

/// Files have no such limit here.
pub(in crate::rerun) fn outlive_file_limits() {}
