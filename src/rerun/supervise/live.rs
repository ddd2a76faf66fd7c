//! What is known of a run while it goes on.

use std::time::{Duration, Instant};

use crate::crash_log::{Facts, Progress, Scanner};
use crate::diagnosis::{self, Failure};

/// Between two looks at least.
const BETWEEN: Duration = Duration::from_millis(500);

/// An unfinished line that is longer is no progress bar.
const LONGEST_BAR: usize = 4_096;

/// Follows what the output says.
#[derive(Default)]
pub(super) struct Live {
    scanner: Scanner,
    progress: Progress,
    failed_line: Option<u64>,
    /// Bytes printed at the last look, and when it was.
    looked: Option<(u64, Instant)>,
}

impl Live {
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.scanner.push(bytes);
    }

    /// Looks what is known now, where something was printed since the last look. `bytes`: how much was printed in all;
    /// `unfinished`: the line that is not complete yet.
    pub(super) fn look(&mut self, bytes: u64, unfinished: &[u8]) {
        let due = self
            .looked
            .is_none_or(|(then, when)| then != bytes && when.elapsed() >= BETWEEN);
        if !due {
            return;
        }
        self.looked = Some((bytes, Instant::now()));
        let facts = self.scanner.so_far();
        self.failed_line = self.failed_line.or_else(|| first_failure(&facts));
        self.progress = facts.progress;
        // A progress bar is one line for a whole epoch, and that line is not complete before its end.
        if self.failed_line.is_none() && (1..LONGEST_BAR).contains(&unfinished.len()) {
            let mut scanner = Scanner::new();
            scanner.push(unfinished);
            let (bar, _) = scanner.finish();
            merge(&mut self.progress, &bar.progress);
        }
    }

    /// How far it has come.
    pub(super) fn progress(&self) -> Progress {
        self.progress.clone()
    }

    /// The line of the first failure.
    pub(super) fn failed_line(&self) -> Option<u64> {
        self.failed_line
    }

    /// Ends the output and gives what it says.
    pub(super) fn finish(self) -> Facts {
        self.scanner.finish().0
    }
}

/// Puts what the newest line shows over what the lines before it showed.
fn merge(progress: &mut Progress, newest: &Progress) {
    if newest.step.is_none() && newest.fraction.is_none() && newest.epoch.is_none() {
        return;
    }
    *progress = Progress {
        phase: newest.phase.or(progress.phase),
        epoch: newest.epoch.or(progress.epoch),
        line: progress.line,
        ..newest.clone()
    };
}

/// The line of the failure that everything else follows from.
pub(super) fn first_failure(facts: &Facts) -> Option<u64> {
    let silent = facts.assertions.is_empty()
        && facts.errors.is_empty()
        && facts.tracebacks.is_empty()
        && facts.guard.violations.is_empty();
    if silent {
        return None;
    }
    match diagnosis::diagnose(facts).first_failure? {
        Failure::Assertion(at) => facts.assertions.get(at).map(|group| group.first_line),
        Failure::Error(at) => facts.errors.get(at).map(|error| error.line),
        Failure::Guard(at) => facts.guard.violations.get(at).map(|seen| seen.line),
    }
}
