//! The card of a run while it goes on: is it past the point where the first run died?

use super::clock;
use super::strip::{Samples, Strip};
use crate::crash_log::{Phase, Progress};
use crate::rerun::{Reached, RunRecord, RunState, RunStatus, Supervision, join_command, reached};
use crate::words::{Arg, Problem, Words, exit_meaning, run_ending, run_problem};

/// What the card of a run says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunCard {
    /// The one question, answered.
    pub title: String,
    /// What kind of news the title is.
    pub mark: RunMark,
    /// "Running".
    pub state: String,
    /// The command as one line.
    pub command: String,
    /// The folder it runs in.
    pub directory: String,
    /// What was set for it, and nothing else was changed.
    pub settings: Vec<Setting>,
    /// Elapsed, progress, memory, guard.
    pub tiles: Vec<Tile>,
    /// Signs that the first failure is gone, and whether each has been seen.
    pub signs: Vec<(String, Option<bool>)>,
    /// The memory over time; `None` before the first sample.
    pub strip: Option<Strip>,
    /// What is wrong.
    pub problem: Option<Problem>,
    /// It can be asked to stop.
    pub can_stop: bool,
    /// It is being asked whether it is to be stopped.
    pub asks: bool,
    /// It is over and there is nothing to read: it can be put away.
    pub can_put_away: bool,
}

/// What kind of news a run's title is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RunMark {
    /// It goes on.
    #[default]
    Running,
    /// It is past the point where the first run died.
    Good,
    /// It has failed, or could not be started.
    Bad,
    /// It is being stopped, or nobody looks after it.
    Warning,
}

/// Something that was set for a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// As it is shown: a word, or `NAME=value`.
    pub text: String,
    /// It stands in the environment and is shown as code.
    pub is_code: bool,
    /// The whole of it, where it was shortened.
    pub whole: Option<String>,
}

/// A figure with its name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tile {
    /// What it is.
    pub label: String,
    /// How much.
    pub value: String,
    /// Compared with what.
    pub detail: String,
    /// It is good news (`true`) or bad news.
    pub good: Option<bool>,
}

/// Whether the run is to be stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::app) enum StopAsked {
    /// Nobody wants that.
    #[default]
    No,
    /// The user is asked.
    Asks,
    /// The supervisor was told, and may not have said so yet.
    Sent,
}

/// Everything that the card is made of.
#[derive(Clone, Copy, Debug)]
pub(in crate::app) struct CardFacts<'a> {
    pub record: &'a RunRecord,
    pub status: &'a RunStatus,
    pub samples: &'a Samples,
    pub supervision: Supervision,
    /// The run's number, counted from the first one that is known.
    pub number: u64,
    pub stop: StopAsked,
    /// A validation pass was seen.
    pub validated: bool,
    /// It got past the point where the first run died.
    pub past: bool,
}

impl CardFacts<'_> {
    /// Whether the run is past the point where the first one died, as far as it can be told.
    pub fn reached(&self) -> Reached {
        match &self.record.first {
            Some(first) => reached(first, self.status),
            None => Reached::Unknown,
        }
    }
}

/// The card in a language.
pub(in crate::app) fn card(facts: CardFacts<'_>, words: Words) -> RunCard {
    let CardFacts {
        record,
        status,
        samples,
        supervision,
        ..
    } = facts;
    let (title, mark) = title(facts, words);
    let gone = supervision == Supervision::Gone;
    let runs = matches!(status.state, RunState::Starting | RunState::Running) && !gone;
    let state = match status.state {
        _ if gone => "rerun-state-gone",
        RunState::Starting => "rerun-state-starting",
        _ if facts.stop == StopAsked::Sent && runs => "rerun-state-stopping",
        RunState::Running => "rerun-state-running",
        RunState::Stopping => "rerun-state-stopping",
        RunState::Ended => "rerun-state-ended",
        RunState::NotStarted => "rerun-state-not-started",
    };
    RunCard {
        title,
        mark,
        state: words.text(state),
        command: join_command(&record.command),
        directory: record.command.directory.display().to_string(),
        settings: settings(record, words),
        tiles: if status.state == RunState::NotStarted || is_silent(status) {
            Vec::new()
        } else {
            tiles(facts, words)
        },
        signs: signs(facts, words),
        strip: strip(facts, samples, words),
        problem: (status.problem.as_ref())
            .map(|problem| run_problem(problem, words))
            .or_else(|| silent_end(status, words)),
        can_stop: runs && facts.stop != StopAsked::Sent,
        asks: facts.stop == StopAsked::Asks && runs,
        can_put_away: gone || status.state == RunState::NotStarted || is_silent(status),
    }
}

fn title(facts: CardFacts<'_>, words: Words) -> (String, RunMark) {
    let status = facts.status;
    let number = ("number", Arg::Number(facts.number));
    let first = ("first", Arg::Number(facts.number.saturating_sub(1).max(1)));
    let say = |id: &str| words.with(id, &[number.clone(), first.clone()]);
    if facts.supervision == Supervision::Gone {
        return (say("rerun-title-gone"), RunMark::Warning);
    }
    match status.state {
        RunState::NotStarted => return (say("rerun-title-not-started"), RunMark::Bad),
        RunState::Ended if is_silent(status) => {
            let well =
                matches!(&status.ending, Some(ending) if ending.stopped || ending.code == Some(0));
            let mark = if well { RunMark::Warning } else { RunMark::Bad };
            return (say("rerun-title-silent"), mark);
        }
        RunState::Ended => return (say("rerun-title-ended"), RunMark::Running),
        RunState::Stopping => return (say("rerun-title-stopping"), RunMark::Warning),
        RunState::Starting => return (say("rerun-title-starting"), RunMark::Running),
        RunState::Running => {}
    }
    if facts.stop == StopAsked::Sent {
        return (say("rerun-title-stopping"), RunMark::Warning);
    }
    if let Some(failed) = status.failed_at_ms {
        let at = clock(failed);
        let title = words.with("rerun-title-failing", &[number, ("at", Arg::Text(&at))]);
        return (title, RunMark::Bad);
    }
    let Some(before) = &facts.record.first else {
        return (say("rerun-title-running"), RunMark::Running);
    };
    if facts.past {
        return (say("rerun-title-past"), RunMark::Good);
    }
    let shown = match (facts.reached(), before.elapsed_ms) {
        (Reached::Unknown, _) => None,
        (_, Some(then)) => Some(("rerun-title-before", clock(status.elapsed_ms), clock(then))),
        (_, None) => {
            let now = progress_text(&status.progress, words);
            let then = progress_text(&before.progress, words);
            now.zip(then)
                .map(|(now, then)| ("rerun-title-before-progress", now, then))
        }
    };
    let title = match shown {
        Some((id, now, then)) => words.with(
            id,
            &[
                number,
                first,
                ("now", Arg::Text(&now)),
                ("then", Arg::Text(&then)),
            ],
        ),
        None => say("rerun-title-running"),
    };
    (title, RunMark::Running)
}

/// It has ended and left nothing to read.
fn is_silent(status: &RunStatus) -> bool {
    status.state == RunState::Ended && !status.has_printed()
}

/// How a run ended that left no log to say so.
fn silent_end(status: &RunStatus, words: Words) -> Option<Problem> {
    let ending = status.ending.as_ref().filter(|_| is_silent(status))?;
    let meaning = ending.meaning.filter(|_| !ending.stopped);
    Some(Problem {
        heading: run_ending(ending, words),
        text: meaning
            .and_then(|meaning| exit_meaning(meaning, words))
            .unwrap_or_else(|| words.text("rerun-silent-text")),
        path: None,
    })
}

fn settings(record: &RunRecord, words: Words) -> Vec<Setting> {
    let word = |text: String| Setting {
        text,
        is_code: false,
        whole: None,
    };
    let options = record.options;
    let mut settings = Vec::new();
    if options.guard {
        settings.push(word(words.text("rerun-set-guard")));
    }
    if options.cpu {
        settings.push(word(words.text("rerun-set-cpu")));
    }
    if let Some(workers) = options.workers {
        let count = Arg::Number(u64::from(workers));
        settings.push(word(words.with("rerun-set-workers", &[("count", count)])));
    }
    let variables = record.environment.iter();
    settings.extend(variables.map(|(name, value)| {
        let whole = format!("{name}={value}");
        // A search path can be longer than the card is wide.
        let short = value.chars().count() > 28;
        Setting {
            text: if short {
                format!("{name}=…")
            } else {
                whole.clone()
            },
            is_code: true,
            whole: short.then_some(whole),
        }
    }));
    settings
}

fn tiles(facts: CardFacts<'_>, words: Words) -> Vec<Tile> {
    vec![
        elapsed_tile(facts, words),
        progress_tile(facts, words),
        memory_tile(facts, words),
        guard_tile(facts, words),
    ]
}

fn elapsed_tile(facts: CardFacts<'_>, words: Words) -> Tile {
    let first = facts.record.first.as_ref();
    let then = first.and_then(|first| first.elapsed_ms).map(clock);
    Tile {
        label: words.text("rerun-tile-elapsed"),
        value: clock(facts.status.elapsed_ms),
        detail: then.map_or_else(String::new, |then| {
            let number = Arg::Number(facts.number.saturating_sub(1).max(1));
            let then = ("then", Arg::Text(&then));
            words.with("rerun-tile-elapsed-first", &[("first", number), then])
        }),
        good: None,
    }
}

fn progress_tile(facts: CardFacts<'_>, words: Words) -> Tile {
    let progress = &facts.status.progress;
    let left = share(progress).and_then(|share| {
        let elapsed = facts.status.elapsed_ms as f64;
        // Before that the start of the program counts for too much.
        let known = share > 0.02 && elapsed > 10_000.0 && share < 1.0;
        known.then(|| elapsed * (1.0 - share) / share)
    });
    Tile {
        label: words.text("rerun-tile-progress"),
        value: progress_text(progress, words)
            .unwrap_or_else(|| words.text("rerun-tile-progress-none")),
        detail: left.map_or_else(String::new, |ms| left_text(ms, words)),
        good: None,
    }
}

/// The share of the whole run that is done, where epochs and their number are printed.
fn share(progress: &Progress) -> Option<f64> {
    let (epoch, of) = progress.epoch?;
    let of = of.filter(|&of| of > 0)? as f64;
    let within = match progress.step {
        Some((step, Some(of))) if of > 0 => step as f64 / of as f64,
        _ => progress.fraction.unwrap_or(0.0),
    };
    // Epochs are mostly counted from 1; one that is counted from 0 makes the estimate a little short.
    Some((((epoch as f64 - 1.0).max(0.0) + within.clamp(0.0, 1.0)) / of).clamp(0.0, 1.0))
}

fn left_text(ms: f64, words: Words) -> String {
    let minutes = (ms / 60_000.0).ceil() as u64;
    let (id, count) = if minutes >= 90 {
        ("rerun-left-hours", (minutes + 30) / 60)
    } else {
        ("rerun-left-minutes", minutes.max(1))
    };
    words.with(id, &[("count", Arg::Number(count))])
}

/// "epoch 67 of 150", "epoch 2 · step 40 of 390"; `None` where no progress was seen.
fn progress_text(progress: &Progress, words: Words) -> Option<String> {
    let counted = |id: &str, (at, of): (u64, Option<u64>)| {
        let at = ("at", Arg::Number(at));
        match of {
            Some(of) => words.with(&format!("{id}-of"), &[at, ("of", Arg::Number(of))]),
            None => words.with(id, &[at]),
        }
    };
    let mut parts = Vec::new();
    if let Some(epoch) = progress.epoch {
        parts.push(counted("rerun-epoch", epoch));
    }
    if let Some(step) = progress.step {
        parts.push(counted("rerun-step", step));
    } else if let Some(fraction) = progress.fraction {
        let percent = Arg::Number((fraction * 100.0) as u64);
        parts.push(words.with("ui-percent", &[("percent", percent)]));
    }
    if parts.is_empty() && progress.phase == Some(Phase::Loading) {
        parts.push(words.text("rerun-loading"));
    }
    (!parts.is_empty()).then(|| parts.join(" · "))
}

fn memory_tile(facts: CardFacts<'_>, words: Words) -> Tile {
    let label = words.text("rerun-tile-memory");
    let samples = facts.samples;
    let newest = samples.newest.as_ref();
    let Some(used) = newest.and_then(|sample| sample.reserved.or(sample.allocated)) else {
        let why = if facts.record.options.cpu {
            "rerun-tile-memory-cpu"
        } else if facts.record.options.guard {
            "rerun-tile-memory-wait"
        } else {
            "rerun-tile-memory-off"
        };
        return Tile {
            label,
            value: words.text("rerun-tile-memory-none"),
            detail: words.text(why),
            good: None,
        };
    };
    let peak = ("peak", gib(samples.peak));
    let peak = (peak.0, Arg::Text(&peak.1));
    let (value, detail) = match samples.total {
        Some(total) if total > 0 => {
            let (used, of) = (gib(used), gib(total));
            let args = [("used", Arg::Text(&used)), ("total", Arg::Text(&of))];
            let percent = samples.peak.saturating_mul(100) / total;
            let percent = ("percent", Arg::Number(percent));
            (
                words.with("rerun-tile-memory-of", &args),
                words.with("rerun-tile-memory-peak-of", &[peak, percent]),
            )
        }
        _ => {
            let used = gib(used);
            (
                words.with("rerun-tile-memory-used", &[("used", Arg::Text(&used))]),
                words.with("rerun-tile-memory-peak", &[peak]),
            )
        }
    };
    Tile {
        label,
        value,
        detail,
        good: None,
    }
}

/// GiB with one decimal.
pub(super) fn gib(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / f64::from(1 << 30))
}

fn guard_tile(facts: CardFacts<'_>, words: Words) -> Tile {
    let guard = &facts.status.guard;
    let (value, detail, good) = if !facts.record.options.guard {
        let off = words.text("rerun-tile-guard-off");
        (off, words.text("rerun-tile-guard-off-detail"), None)
    } else if guard.started && guard.calls == 0 && guard.violations == 0 {
        let wait = words.text("rerun-tile-guard-on");
        (wait, words.text("rerun-tile-guard-on-detail"), None)
    } else if !guard.started {
        let wait = words.text("rerun-tile-guard-wait");
        (wait, words.text("rerun-tile-guard-wait-detail"), None)
    } else {
        let count = |count| [("count", Arg::Number(count))];
        let detail = words.with("rerun-tile-guard-values", &count(guard.values));
        let value = words.with("rerun-tile-guard-count", &count(guard.violations));
        // Nothing checked is no good news yet.
        let good = (guard.calls > 0 || guard.violations > 0).then_some(guard.violations == 0);
        (value, detail, good)
    };
    Tile {
        label: words.text("rerun-tile-guard"),
        value,
        detail,
        good,
    }
}

fn signs(facts: CardFacts<'_>, words: Words) -> Vec<(String, Option<bool>)> {
    let guard = &facts.status.guard;
    let mut signs = Vec::new();
    let status = facts.status;
    if facts.record.first.is_none() || status.state == RunState::NotStarted || is_silent(status) {
        return signs;
    }
    let first = Arg::Number(facts.number.saturating_sub(1).max(1));
    let past = match facts.reached() {
        _ if facts.past => Some(true),
        Reached::Unknown => None,
        _ => Some(false),
    };
    let id = match past {
        None => "rerun-sign-past-unknown",
        Some(_) => "rerun-sign-past",
    };
    signs.push((words.with(id, &[("first", first)]), past));
    if facts.record.options.guard {
        let clean = guard.calls > 0 && guard.violations == 0;
        let text = words.with(
            "rerun-sign-guard",
            &[("count", Arg::Number(guard.violations))],
        );
        signs.push((text, Some(clean)));
    }
    let id = if facts.validated {
        "rerun-sign-validation"
    } else {
        "rerun-sign-validation-not-yet"
    };
    signs.push((words.text(id), Some(facts.validated)));
    signs
}

fn strip(facts: CardFacts<'_>, samples: &Samples, words: Words) -> Option<Strip> {
    let points = samples.points();
    let last = points.last()?;
    let end_ms = facts.status.elapsed_ms.max(last.ms).max(60_000);
    let total = samples.total.filter(|&total| total > 0);
    let first = facts.record.first.as_ref();
    let died_at = first.and_then(|first| first.elapsed_ms);
    let number = Arg::Number(facts.number.saturating_sub(1).max(1));
    let used = gib(last.bytes);
    Some(Strip {
        top: total.unwrap_or(samples.peak).max(1),
        top_text: total.map_or_else(String::new, |total| {
            let total = gib(total);
            words.with("rerun-strip-total", &[("total", Arg::Text(&total))])
        }),
        end_ms,
        died_at: died_at.filter(|&at| at <= end_ms),
        died_text: words.with("rerun-strip-died", &[("first", number)]),
        name: words.with("rerun-strip-name", &[("used", Arg::Text(&used))]),
        points,
    })
}
