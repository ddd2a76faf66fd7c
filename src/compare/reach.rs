//! Whether one run came past the place where another died.
//!
//! Epoch and step count only where both logs count the same thing: within one epoch a validation loop has steps of its own, and a
//! run that begins at a later epoch never came by the place.

use std::cmp::Ordering;

use super::{Passed, PassedBy, Side, WhyUnknown, training};
use crate::crash_log::{Phase, Progress};

/// Whether `second` passed the place at which `first` died.
pub(super) fn passed(first: &Side<'_>, second: &Side<'_>) -> Passed {
    if first.is_same_log(second) {
        return Passed::Unknown(WhyUnknown::SameLog);
    }
    if !first.failed() {
        return Passed::Unknown(WhyUnknown::FirstDidNotFail);
    }
    if training::is_other_script(first, second) {
        return Passed::Unknown(WhyUnknown::OtherScript);
    }
    match came_past(first, second) {
        // What another program does says nothing of this one.
        Passed::Yes(by) if !is_of_one_training(first, second, by) => {
            Passed::Unknown(WhyUnknown::TrainingUnknown)
        }
        told => told,
    }
}

fn is_of_one_training(first: &Side<'_>, second: &Side<'_>, by: PassedBy) -> bool {
    match by {
        // A length of time or a number of batches is nothing that a program could be known by.
        PassedBy::Elapsed => training::is_same_script(first, second),
        PassedBy::Batches => {
            training::is_same(first, second) || training::share_a_range(first.facts, second.facts)
        }
        PassedBy::EndedByItself | PassedBy::Progress | PassedBy::Share => {
            training::is_same(first, second)
        }
    }
}

/// Whether `second` came past the place, if both are the same training.
fn came_past(first: &Side<'_>, second: &Side<'_>) -> Passed {
    let by_progress = by_progress(first, second);
    if by_progress == Passed::No {
        // A short trial run ends well before it comes to the place.
        return Passed::No;
    }
    if second.ended_well() {
        let ended = Passed::Yes(PassedBy::EndedByItself);
        return match by_progress {
            Passed::Yes(_) => ended,
            // What jumped over the place or does something else proves nothing by its end.
            Passed::Unknown(
                WhyUnknown::BeganLater | WhyUnknown::EpochsBeginAnew | WhyUnknown::OtherCount,
            ) => by_progress,
            // It may have left at once.
            Passed::Unknown(WhyUnknown::NoProgressInSecond) => match by_batches(first, second) {
                Some(Passed::Yes(_)) => ended,
                _ => Passed::Unknown(WhyUnknown::EndedSilently),
            },
            _ if training::has_other_arguments(first, second) => by_progress,
            _ => ended,
        };
    }
    match by_progress {
        Passed::Unknown(
            WhyUnknown::NoProgressInFirst
            | WhyUnknown::NoProgressInSecond
            | WhyUnknown::OtherCount
            | WhyUnknown::PhaseUnknown,
        ) => by_batches(first, second)
            .or_else(|| by_time(first, second))
            .unwrap_or(by_progress),
        told => told,
    }
}

fn by_progress(first: &Side<'_>, second: &Side<'_>) -> Passed {
    let (died, reached) = (&first.facts.progress, second.reached());
    if died.epoch.is_none() && died.step.is_none() {
        return Passed::Unknown(WhyUnknown::NoProgressInFirst);
    }
    if reached.epoch.is_none() && reached.step.is_none() {
        return Passed::Unknown(WhyUnknown::NoProgressInSecond);
    }
    let (one, other) = (&first.facts.milestones, &second.facts.milestones);
    if one.restarts != other.restarts {
        return Passed::Unknown(WhyUnknown::EpochsBeginAnew);
    }
    if let (Some((epoch, _)), Some((began, _))) = (died.epoch, other.first_epoch)
        && began > epoch
    {
        return Passed::Unknown(WhyUnknown::BeganLater);
    }
    if died.epoch.is_some() != reached.epoch.is_some() {
        return Passed::Unknown(WhyUnknown::OtherCount);
    }
    if let (Some((died_in, _)), Some((is_in, _))) = (died.epoch, reached.epoch) {
        match is_in.cmp(&died_in) {
            Ordering::Greater => return Passed::Yes(PassedBy::Progress),
            Ordering::Less => return Passed::No,
            Ordering::Equal => {}
        }
    }
    within_one_epoch(died, &reached)
}

fn within_one_epoch(died: &Progress, reached: &Progress) -> Passed {
    match (died.phase.map(place_of), reached.phase.map(place_of)) {
        (Some(at), Some(is_at)) if is_at > at => return Passed::Yes(PassedBy::Progress),
        (Some(at), Some(is_at)) if is_at < at => return Passed::No,
        _ => {}
    }
    let (Some((step, steps)), Some((is_at, is_of))) = (died.step, reached.step) else {
        // Logs that tell epochs alone: the next one will show it.
        return if died.epoch.is_some() {
            Passed::No
        } else {
            Passed::Unknown(WhyUnknown::OtherCount)
        };
    };
    let same_loop = match (died.phase, reached.phase) {
        (Some(one), Some(other)) => one == other,
        // Validation of the same epoch comes after its training: whichever this is, the place lies behind it.
        (Some(Phase::Training), None) => true,
        // Where nothing names the phase, the first may have died in a silent validation at the end of the epoch.
        _ => false,
    };
    let other_total = matches!((steps, is_of), (Some(one), Some(other)) if one != other);
    let is_past = if other_total {
        match (died.fraction, reached.fraction) {
            (Some(died), Some(reached)) => reached > died,
            _ => return Passed::Unknown(WhyUnknown::OtherCount),
        }
    } else {
        is_at > step
    };
    match (is_past, same_loop) {
        (true, true) if other_total => Passed::Yes(PassedBy::Share),
        (true, true) => Passed::Yes(PassedBy::Progress),
        (true, false) => Passed::Unknown(WhyUnknown::PhaseUnknown),
        (false, _) => Passed::No,
    }
}

/// The order of phases within an epoch.
fn place_of(phase: Phase) -> u8 {
    match phase {
        Phase::Loading => 0,
        Phase::Training => 1,
        Phase::Validation => 2,
        Phase::Inference => 3,
    }
}

/// How two states of one log stand to each other; `None` where that cannot be told.
pub(super) fn order(one: &Progress, other: &Progress) -> Option<Ordering> {
    let epochs = one.epoch?.0.cmp(&other.epoch?.0);
    if epochs != Ordering::Equal {
        return Some(epochs);
    }
    let phases = one.phase.map(place_of).zip(other.phase.map(place_of));
    if let Some((one, other)) = phases
        && one != other
    {
        return Some(one.cmp(&other));
    }
    Some(one.step?.0.cmp(&other.step?.0))
}

fn by_batches(first: &Side<'_>, second: &Side<'_>) -> Option<Passed> {
    let (one, other) = (&first.facts.guard, &second.facts.guard);
    // Of several beginnings in one log it is not known whose count it is.
    if one.starts != other.starts {
        return None;
    }
    let (died_at, is_at) = (one.batches?, other.batches?);
    Some(if is_at > died_at {
        Passed::Yes(PassedBy::Batches)
    } else {
        Passed::No
    })
}

fn by_time(first: &Side<'_>, second: &Side<'_>) -> Option<Passed> {
    let (one, other) = (first.run?, second.run?);
    let (died_at, is_at) = (one.failed_at_ms?, other.elapsed_ms?);
    if is_at <= died_at {
        return Some(Passed::No);
    }
    let (a, b) = (one.record.options, other.record.options);
    Some(if a == b {
        Passed::Yes(PassedBy::Elapsed)
    } else {
        Passed::Unknown(WhyUnknown::OtherSpeed)
    })
}
