//! Notices that checked files change, without a file system watcher: size and time of each are asked for every two seconds,
//! and only while somebody looks at the result.

use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// How often files are looked at. Where that takes long (a hundred thousand files on a network drive), less often.
const PERIOD: Duration = Duration::from_secs(2);
/// An editor or a script is still writing as long as two looks this far apart differ.
const QUIET: Duration = Duration::from_millis(400);
/// Looking may take this part of the time.
const SHARE: u32 = 20;

/// Turns a watch on and off, and ends it.
#[derive(Debug, Default)]
pub struct WatchSwitch {
    state: Mutex<Watching>,
    changed: Condvar,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Watching {
    /// Nobody looks: the thread sleeps.
    #[default]
    Paused,
    On,
    Over,
}

impl WatchSwitch {
    /// Looks from now on, or pauses.
    pub fn set(&self, on: bool) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let wanted = if on { Watching::On } else { Watching::Paused };
        if *state != Watching::Over && *state != wanted {
            *state = wanted;
            self.changed.notify_all();
        }
    }

    /// Whether files are looked at.
    pub fn is_on(&self) -> bool {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) == Watching::On
    }

    /// Ends the watch.
    pub fn end(&self) {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = Watching::Over;
        self.changed.notify_all();
    }

    /// Waits for a while in which the watch is on, or until it is turned on. `false` once it is over.
    fn wait(&self, period: Duration) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let mut was_paused = false;
        loop {
            match *state {
                Watching::Over => return false,
                Watching::Paused => {
                    was_paused = true;
                    state = self
                        .changed
                        .wait(state)
                        .unwrap_or_else(PoisonError::into_inner);
                }
                // Who comes back from an editor wants to see at once what the change did.
                Watching::On if was_paused => return true,
                Watching::On => {
                    let (now, waited) = self
                        .changed
                        .wait_timeout(state, period)
                        .unwrap_or_else(PoisonError::into_inner);
                    if waited.timed_out() && *now == Watching::On {
                        return true;
                    }
                    state = now;
                }
            }
        }
    }
}

/// Size and time of a file; `None` where it is not there.
type Stamp = Option<(u64, Option<SystemTime>)>;

fn stamps(paths: &[Arc<Path>]) -> Vec<Stamp> {
    let stamp = |path: &Arc<Path>| {
        let metadata = std::fs::metadata(path).ok()?;
        Some((metadata.len(), metadata.modified().ok()))
    };
    paths.iter().map(stamp).collect()
}

/// Whether something was written after `since`. A time that lies ahead (another computer's clock) says nothing.
fn written_since(stamps: &[Stamp], since: SystemTime) -> bool {
    let now = SystemTime::now();
    let mut times = stamps.iter().flatten().filter_map(|(_, time)| *time);
    times.any(|time| time > since && time <= now)
}

/// Waits until a file has changed and is no longer being written; `false` when the watch is over.
///
/// With `since`, the time at which the files began to be read, what was written while they were read counts as well.
pub(super) fn wait_for_change(
    paths: &[Arc<Path>],
    since: Option<SystemTime>,
    switch: &WatchSwitch,
) -> bool {
    let before = stamps(paths);
    let missed = since.is_some_and(|since| written_since(&before, since));
    let mut period = if missed { QUIET } else { PERIOD };
    while switch.wait(period) {
        let begun = Instant::now();
        let mut now = stamps(paths);
        period = PERIOD.max(begun.elapsed() * SHARE);
        if now == before && !missed {
            continue;
        }
        loop {
            if !switch.wait(QUIET) {
                return false;
            }
            let later = stamps(paths);
            if later == now {
                return true;
            }
            now = later;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_told_only_while_somebody_looks() {
        let name = format!("assert-doctor-watch-{}", std::process::id());
        let file = std::env::temp_dir().join(name);
        std::fs::write(&file, "1").unwrap();
        let switch = Arc::new(WatchSwitch::default());
        let paths = vec![Arc::from(file.as_path())];
        let (send, receive) = std::sync::mpsc::channel();
        let watched = Arc::clone(&switch);
        let thread = std::thread::Builder::new()
            .spawn(move || send.send(wait_for_change(&paths, None, &watched)))
            .unwrap();
        std::thread::sleep(Duration::from_millis(100));
        std::fs::write(&file, "1 2").unwrap();
        assert!(
            receive.recv_timeout(Duration::from_millis(300)).is_err(),
            "paused"
        );
        switch.set(true);
        assert_eq!(receive.recv_timeout(Duration::from_secs(10)), Ok(true));
        thread.join().unwrap().unwrap();
        std::fs::remove_file(&file).unwrap();
    }

    #[test]
    fn what_was_written_during_the_check_is_told() {
        let name = format!("assert-doctor-written-{}", std::process::id());
        let file = std::env::temp_dir().join(name);
        std::fs::write(&file, "1").unwrap();
        let stamps = stamps(&[Arc::from(file.as_path())]);
        let written = stamps.first().copied().flatten().unwrap().1.unwrap();
        let second = Duration::from_secs(1);
        assert!(written_since(&stamps, written - second));
        assert!(!written_since(&stamps, written));
        assert!(!written_since(&stamps, written + second));
        let switch = WatchSwitch::default();
        switch.set(true);
        assert!(wait_for_change(
            &[Arc::from(file.as_path())],
            Some(written - second),
            &switch
        ));
        std::fs::remove_file(&file).unwrap();
    }

    #[test]
    fn an_ended_watch_says_nothing() {
        let switch = WatchSwitch::default();
        switch.end();
        switch.set(true);
        assert!(!switch.is_on());
        assert!(!wait_for_change(&[], None, &switch));
    }
}
