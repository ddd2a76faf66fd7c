//! Wishes to end that reach the supervisor as signals.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Once};

use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals as Pending;

/// Counts wishes to end.
pub(super) struct Signals {
    heard: Arc<Heard>,
}

#[derive(Default)]
struct Heard {
    wishes: AtomicUsize,
    /// The first wish was Ctrl+C or Ctrl+\, which a terminal sends to everybody in front.
    from_terminal: AtomicBool,
}

impl Signals {
    /// Listens. A handler instead of ignoring: what is ignored would be ignored by the command, too.
    pub(super) fn listen(foreground: bool) -> Self {
        outlive_file_limits();
        let heard = Arc::new(Heard::default());
        // `nohup` and `&` in a script have signals ignored on purpose.
        let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
            .into_iter()
            .filter(|&signal| !is_ignored(signal));
        if let Ok(mut pending) = Pending::new(signals) {
            let heard = heard.clone();
            // On a thread that waits for nothing else: two in quick succession are two.
            let listening = std::thread::Builder::new()
                .name("signals".to_owned())
                .spawn(move || {
                    for signal in pending.forever() {
                        heard.take(signal, foreground);
                    }
                });
            if let Err(error) = listening {
                log::warn!("signals are not listened to: {error}");
            }
        }
        Self { heard }
    }

    /// How often somebody wished it to end, and whether the first wish was one that a terminal sends to everybody in front.
    pub(super) fn wishes(&self) -> (usize, bool) {
        let wishes = self.heard.wishes.load(Ordering::SeqCst);
        (wishes, self.heard.from_terminal.load(Ordering::SeqCst))
    }
}

impl Heard {
    fn take(&self, signal: i32, foreground: bool) {
        // The terminal or window that started it is gone: going on is what it is there for.
        if signal == SIGHUP && !foreground {
            return;
        }
        if matches!(signal, SIGINT | SIGQUIT) && self.wishes.load(Ordering::SeqCst) == 0 {
            self.from_terminal.store(true, Ordering::SeqCst);
        }
        self.wishes.fetch_add(1, Ordering::SeqCst);
    }
}

/// A file that may not grow any more (`ulimit -f`) is told like a full disk, instead of ending this process.
pub(in crate::rerun) fn outlive_file_limits() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
    });
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
