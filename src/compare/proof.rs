//! From what is known of both runs to the answer.

use super::{
    Caveat, Comparison, NewFailure, Passed, Proof, Rate, RateBy, RateReason, Reached, SameCheck,
    Side, Sign, SignId, SignState, changes, reach, same, training,
};
use crate::crash_log::{ErrorRole, Phase};
use crate::diagnosis::Failure;
use crate::knowledge::CauseId;

pub(super) fn compare(first: &Side<'_>, second: &Side<'_>) -> Comparison {
    let passed = reach::passed(first, second);
    let survived = second.failed() && is_survived(first, second);
    let failed = second.failed() && !survived;
    let same_check = if failed && first.failed() {
        same::same(first, second)
    } else if matches!(passed, Passed::Yes(_)) {
        SameCheck::Gone
    } else {
        SameCheck::NotSeen
    };
    let new = if failed {
        (same_check != SameCheck::StillThere)
            .then(|| same::failure_of(second))
            .flatten()
    } else {
        ended_badly(second)
    };
    let changed = changes::changes(first, second);
    let caveats = caveats(first, second, survived, &changed);
    let signs = signs(first, second, passed, same_check, new.as_ref(), &caveats);
    let is_complete = signs
        .iter()
        .all(|sign| !sign.needed || sign.state == SignState::Seen);
    let broken = signs
        .iter()
        .any(|sign| sign.needed && sign.state == SignState::Broken);
    let proof = if broken {
        Proof::Failed
    } else if is_complete && first.failed() && !caveats.contains(&Caveat::CpuCannotShow) {
        Proof::Proved
    } else {
        Proof::NotYet
    };
    let rates = (rate(first), rate(second));
    Comparison {
        proof,
        passed,
        same_check,
        new,
        first: reached(first, true),
        second: reached(second, false),
        rates_differ_by: rate_reasons(first, second, rates),
        rates,
        changed,
        caveats,
        first_cause: first
            .diagnosis
            .causes
            .first()
            .map_or(CauseId::None, |cause| cause.id),
        guard_values: second.facts.guard.values(),
        guard_stopped: second.facts.guard.violation_count,
        signs,
    }
}

/// An error that the run survived: it stood there before the training began (a package that is missing and not needed), the
/// training went on after it, and the run ended well. Whatever failed later, or as in the first run, counts with any exit code: a
/// script may catch it, and a shell may hide it. A failed check on the GPU is never survived, and what the guard stopped would have
/// been one.
fn is_survived(first: &Side<'_>, side: &Side<'_>) -> bool {
    let began = side.facts.milestones.first_epoch.map(|(_, line)| line);
    let went_on = began.is_some_and(|began| {
        let failed = side.facts.errors.iter();
        let mut failed = failed.filter(|error| error.role != ErrorRole::Logged);
        failed.all(|error| error.line < began)
    });
    let as_before = first.failed()
        && matches!(
            same::same(first, side),
            SameCheck::StillThere | SameCheck::MayBe
        );
    if !went_on || as_before {
        return false;
    }
    let on_host = matches!(side.diagnosis.first_failure, Some(Failure::Error(_)) | None)
        && !side.diagnosis.process_lost
        && side.facts.guard.violation_count == 0;
    side.ended_well() && on_host
}

/// The run ended badly, though its log shows no failure.
fn ended_badly(side: &Side<'_>) -> Option<NewFailure> {
    let ending = side.ending()?;
    let badly = ending.signal.is_some() || ending.code.is_some_and(|code| code != 0);
    (badly && !ending.stopped).then_some(NewFailure::Ended {
        code: ending.code,
        signal: ending.signal,
    })
}

fn caveats(
    first: &Side<'_>,
    second: &Side<'_>,
    survived: bool,
    changed: &[super::Change],
) -> Vec<Caveat> {
    let mut caveats = Vec::new();
    let mut add = |caveat, holds: bool| {
        if holds {
            caveats.push(caveat);
        }
    };
    let cannot_show = second.on_cpu() && first.failed() && same::is_of_gpu(first);
    add(Caveat::CpuCannotShow, cannot_show);
    add(Caveat::Cpu, second.on_cpu() && !cannot_show);
    let stopped = second.ending().is_some_and(|ending| ending.stopped);
    add(Caveat::Stopped, stopped);
    let totals = |change: &super::Change| {
        matches!(change.id, super::ChangeId::Epochs | super::ChangeId::Steps)
    };
    add(Caveat::TotalsChanged, changed.iter().any(totals));
    add(
        Caveat::OtherArguments,
        training::has_other_arguments(first, second),
    );
    add(Caveat::ErrorSurvived, survived);
    let part = second
        .facts
        .guard
        .notes
        .iter()
        .any(|note| matches!(note.id.as_str(), "compiled" | "graph-capture"));
    add(Caveat::GuardSawPart, part);
    add(Caveat::NoGuard, !second.guarded());
    caveats
}

fn signs(
    first: &Side<'_>,
    second: &Side<'_>,
    passed: Passed,
    same_check: SameCheck,
    new: Option<&NewFailure>,
    caveats: &[Caveat],
) -> Vec<Sign> {
    let sign = |id, state, needed| Sign { id, state, needed };
    let failed = second.failed() && !caveats.contains(&Caveat::ErrorSurvived);
    let past = match passed {
        Passed::Yes(_) => SignState::Seen,
        Passed::No => SignState::NotYet,
        Passed::Unknown(_) => SignState::Unknown,
    };
    let same = match same_check {
        SameCheck::Gone => SignState::Seen,
        SameCheck::StillThere => SignState::Broken,
        SameCheck::MayBe => SignState::Unknown,
        SameCheck::NotSeen => SignState::NotYet,
    };
    let none_new = match new {
        // Nothing but a traceback's beginning: what it ends in is not known.
        Some(NewFailure::BreaksOff { .. }) => SignState::Unknown,
        Some(_) => SignState::Broken,
        None if failed => SignState::Unknown,
        None => SignState::Seen,
    };
    let guard = &second.facts.guard;
    let clean = if guard.violation_count > 0 {
        SignState::Broken
    } else if guard.values() > 0 {
        SignState::Seen
    } else if second.guarded() {
        SignState::NotYet
    } else {
        SignState::Unknown
    };
    let (validated, validation_needed) = validation(first, second);
    let ending = second.ending();
    let ended = match ending {
        Some(_) if second.ended_well() => SignState::Seen,
        Some(ending) if ending.stopped => SignState::NotYet,
        Some(_) => SignState::Broken,
        None if second.run.is_some() => SignState::NotYet,
        None => SignState::Unknown,
    };
    vec![
        sign(SignId::PastCrashPoint, past, true),
        sign(SignId::SameCheckGone, same, true),
        sign(SignId::NoNewCheck, none_new, true),
        sign(
            SignId::GuardClean,
            clean,
            second.guarded() || guard.violation_count > 0,
        ),
        sign(SignId::FirstValidationPass, validated, validation_needed),
        // A run that goes on well proves as much as one that ended; a bad end is told by the signs above.
        sign(SignId::EndedByItself, ended, false),
    ]
}

/// Whether a validation pass was seen in the second run, and whether the proof waits for one: the first died in its first
/// validation or before, so nothing has looked at the validation data yet.
fn validation(first: &Side<'_>, second: &Side<'_>) -> (SignState, bool) {
    let (one, other) = (&first.facts.milestones, &second.facts.milestones);
    let died_in_it = || {
        let died = &first.facts.progress;
        died.phase == Some(Phase::Validation)
            && died.epoch.map(|epoch| epoch.0) == one.first_epoch.map(|epoch| epoch.0)
    };
    let before = one.validation.is_none() || died_in_it();
    let began = other.validation.is_some();
    if began && (second.ended_well() || !second.validates_at_its_end()) {
        return (SignState::Seen, before);
    }
    let next_epoch = || {
        let (died, reached) = (first.facts.progress.epoch?, second.reached().epoch?);
        Some(reached.0 > died.0)
    };
    // A script without validation shows none: the end of its epoch, or of the run, is enough then.
    let none_to_come = second.ended_well() || (!began && next_epoch() == Some(true));
    if none_to_come {
        (SignState::Unknown, false)
    } else {
        (SignState::NotYet, before)
    }
}

fn reached(side: &Side<'_>, at_failure: bool) -> Reached {
    let progress = if at_failure {
        side.facts.progress.clone()
    } else {
        side.reached()
    };
    let elapsed = side.run.and_then(|run| {
        let failed = run.failed_at_ms.filter(|_| at_failure);
        failed.or(run.elapsed_ms)
    });
    Reached {
        progress,
        batches: side.facts.guard.batches,
        elapsed_ms: elapsed,
        ended_by_itself: side.ended_well(),
    }
}

fn rate(side: &Side<'_>) -> Option<Rate> {
    let by_bar = side.facts.progress.rate.or(side.facts.latest.rate);
    let guard = &side.facts.guard;
    let by_guard = || {
        let elapsed = guard.elapsed.filter(|elapsed| *elapsed >= 1.0)?;
        let batches = guard.batches.filter(|batches| *batches > 0)?;
        Some(Rate {
            per_second: batches as f64 / elapsed,
            by: RateBy::Guard,
        })
    };
    by_bar
        .map(|per_second| Rate {
            per_second,
            by: RateBy::ProgressBar,
        })
        .or_else(by_guard)
}

fn rate_reasons(
    first: &Side<'_>,
    second: &Side<'_>,
    rates: (Option<Rate>, Option<Rate>),
) -> Vec<RateReason> {
    let (Some(one), Some(other)) = rates else {
        return Vec::new();
    };
    let workers = |side: &Side<'_>| side.run.and_then(|run| run.record.options.workers);
    let (died, reached) = (&first.facts.progress, second.reached());
    let total = |count: Option<(u64, Option<u64>)>| count.and_then(|(_, of)| of);
    let gpu = |side: &Side<'_>| {
        let stated = side
            .facts
            .environment
            .gpus
            .first()
            .map(|gpu| gpu.text.clone());
        stated.or_else(|| side.facts.guard.start.as_ref()?.gpu.clone())
    };
    [
        (RateReason::Sync, first.blocking() != second.blocking()),
        (RateReason::Cpu, first.on_cpu() != second.on_cpu()),
        (RateReason::Guard, first.guarded() != second.guarded()),
        (RateReason::Workers, workers(first) != workers(second)),
        (RateReason::Source, one.by != other.by),
        (
            RateReason::OtherBar,
            one.by == RateBy::ProgressBar
                && other.by == RateBy::ProgressBar
                && (died.phase != reached.phase || total(died.step) != total(reached.step)),
        ),
        (
            RateReason::OtherGpu,
            matches!((gpu(first), gpu(second)), (Some(one), Some(other)) if one != other),
        ),
    ]
    .into_iter()
    .filter_map(|(reason, holds)| holds.then_some(reason))
    .collect()
}
