//! How a run is brought to its end before its time: asked as Ctrl+C asks, then told to end, then ended.

use std::time::{Duration, Instant};

use super::tree::Tree;

/// How long each way of asking has time to work. Python writes its checkpoint and its last lines in the first.
const PATIENCE: [Duration; 2] = [Duration::from_secs(5), Duration::from_secs(3)];

/// Between two attempts to end what does not end.
const AGAIN: Duration = Duration::from_millis(200);

/// Where the stopping of a run stands.
#[derive(Default)]
pub(super) struct Stopping {
    /// How often it was asked: 0 not at all, 1 politely, 2 firmly, 3 it was ended.
    asked: usize,
    since: Option<Instant>,
    /// When it was asked first, until that was noticed.
    began: Option<Instant>,
    /// When it was ended without asking.
    killed: Option<Instant>,
}

impl Stopping {
    /// Somebody wants the run to end.
    pub(super) fn has_begun(&self) -> bool {
        self.asked > 0
    }

    /// It was asked this long ago and goes on: true once.
    pub(super) fn is_noticed_after(&mut self, time: Duration) -> bool {
        let is_due = self.began.is_some_and(|began| began.elapsed() >= time);
        if is_due {
            self.began = None;
        }
        is_due
    }

    /// It was ended without asking, this long ago and in vain.
    pub(super) fn has_failed(&self, time: Duration) -> bool {
        self.killed.is_some_and(|killed| killed.elapsed() >= time)
    }

    /// Takes the next step where it is due. `wishes`: how often somebody asked; asking again makes it faster.
    /// `told`: the command heard the first wish itself.
    pub(super) fn step(&mut self, wishes: usize, told: bool, tree: &Tree) {
        let waited = self.since.map(|since| since.elapsed());
        let patience = PATIENCE.get(self.asked.saturating_sub(1));
        let due = match (self.asked, waited, patience) {
            (0, ..) => wishes > 0,
            (asked, Some(waited), Some(patience)) => wishes > asked || waited >= *patience,
            (_, Some(waited), None) => waited >= AGAIN,
            (_, None, _) => true,
        };
        if !due {
            return;
        }
        self.asked = (self.asked + 1).min(PATIENCE.len() + 1);
        self.since = Some(Instant::now());
        if self.asked == 1 {
            self.began = self.since;
        }
        match self.asked {
            1 => tree.interrupt(told),
            2 => tree.terminate(),
            _ => {
                self.killed.get_or_insert_with(Instant::now);
                tree.kill();
            }
        }
    }
}
