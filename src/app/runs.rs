//! What is done about runs on threads of their own: what could be run is looked for, a run is started and followed.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use super::{Event, RequestId};
use crate::crash_log::Facts;
use crate::rerun::{self, Follower, NewRun, Supervision};

/// How often a run is looked at; it is for eyes.
const PERIOD: Duration = Duration::from_millis(100);
/// Lines told at once. Of a flood the newest are told.
const MOST_LINES: usize = 2_000;

/// What could be run, and with which interpreter.
pub(super) fn suggested(
    request: RequestId,
    facts: Option<&Facts>,
    script: Option<&Path>,
    near: Option<&Path>,
) -> Event {
    let suggestions = rerun::suggest(facts, script, near);
    let best = suggestions.first();
    let beside = best.map(|suggestion| suggestion.command.directory.as_path());
    let pythons = rerun::find_pythons(script.or(beside).or(near).unwrap_or(Path::new(".")));
    Event::RunSuggested {
        request,
        suggestions,
        pythons,
    }
}

/// Starts a run.
pub(super) fn started(request: RequestId, run: NewRun) -> Event {
    let prepared = match rerun::prepare(run) {
        Ok(prepared) => prepared,
        Err(problem) => return Event::RunNotStarted(request, problem),
    };
    match rerun::start(&prepared.folder) {
        Ok(_) => Event::RunAttached {
            request,
            folder: prepared.folder,
            record: Box::new(prepared.record),
        },
        Err(problem) => Event::RunNotStarted(request, problem),
    }
}

/// The run that was looked at last, whether it goes on or has ended since; else one that still goes on.
pub(super) fn found(request: RequestId, last: Option<PathBuf>) -> Event {
    let last = last.filter(|folder| Follower::open(folder).is_ok());
    let folder = last.or_else(|| {
        let runs = rerun::runs();
        Some(runs.into_iter().find(|run| run.alive)?.folder)
    });
    let opened = folder.and_then(|folder| {
        let record = Follower::open(&folder).ok()?.record().clone();
        Some((folder, Box::new(record)))
    });
    match opened {
        Some((folder, record)) => Event::RunAttached {
            request,
            folder,
            record,
        },
        None => Event::NoRunFound(request),
    }
}

/// Tells what a run prints and how it stands, until it is over, nobody listens any more, or it is put away.
pub(super) fn follow(
    request: RequestId,
    folder: &Path,
    cancel: &AtomicBool,
    say: &dyn Fn(Event) -> bool,
) {
    let mut follower = match Follower::open(folder) {
        Ok(follower) => follower,
        Err(problem) => {
            say(Event::RunNotStarted(request, problem));
            return;
        }
    };
    let mut before = None;
    while !cancel.load(Ordering::Relaxed) {
        let update = follower.poll(MOST_LINES);
        let is_over = matches!(update.supervision, Supervision::Over | Supervision::Gone);
        let (more, is_last) = (update.more, is_over && !update.more);
        let stands = (update.status.clone(), update.supervision);
        let is_news = !update.lines.is_empty()
            || !update.samples.is_empty()
            || before.as_ref() != Some(&stands);
        if (is_news || is_last) && !say(Event::RunUpdate(request, Box::new(update))) {
            return;
        }
        before = Some(stands);
        if is_last {
            return;
        }
        if !more {
            thread::sleep(PERIOD);
        }
    }
}
