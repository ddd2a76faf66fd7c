//! Wishes to end that reach the supervisor as signals.

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals as Pending;

/// Counts wishes to end.
pub(super) struct Signals {
    pending: Option<Pending>,
    foreground: bool,
    interrupted: bool,
    wishes: usize,
}

impl Signals {
    /// Listens. A handler instead of ignoring: what is ignored would be ignored by the command, too.
    pub(super) fn listen(foreground: bool) -> Self {
        // `nohup` and `&` in a script have signals ignored on purpose.
        let heard = [SIGINT, SIGTERM, SIGHUP]
            .into_iter()
            .filter(|&signal| !is_ignored(signal));
        Self {
            pending: Pending::new(heard).ok(),
            foreground,
            interrupted: false,
            wishes: 0,
        }
    }

    /// How often somebody wished it to end, and whether the first wish was Ctrl+C, which a terminal sends to everybody in front.
    pub(super) fn wishes(&mut self) -> (usize, bool) {
        for signal in self.pending.iter_mut().flat_map(Pending::pending) {
            match signal {
                // The terminal or window that started it is gone: going on is what it is there for.
                SIGHUP if !self.foreground => {}
                SIGINT if self.wishes == 0 => {
                    self.interrupted = true;
                    self.wishes += 1;
                }
                _ => self.wishes += 1,
            }
        }
        (self.wishes, self.interrupted)
    }
}

/// Whether a signal was ignored when this process began.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}
