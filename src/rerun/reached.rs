//! Whether a run is past the point where the first one died, while it goes on.

use super::{FirstRun, RunStatus};
use crate::crash_log::{Phase, Progress};

/// How far a run has come, compared with the run that died first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    /// Not yet as far.
    Before,
    /// Further than that.
    Past,
    /// It cannot be told: one of the two prints no progress that can be compared.
    Unknown,
}

/// Compares how far a run has come with the point where the first one died.
///
/// What is printed of epochs and steps decides. Time decides only where both runs print none, and only against the new run: one
/// that has run for less time may still be before that point, and one that has run longer may merely be slower.
pub fn reached(first: &FirstRun, now: &RunStatus) -> Reached {
    match order(&first.progress, &now.progress) {
        Some(true) => Reached::Past,
        Some(false) => Reached::Before,
        None => match first.elapsed_ms {
            Some(then) if now.elapsed_ms <= then => Reached::Before,
            _ => Reached::Unknown,
        },
    }
}

/// Whether the second is further than the first; `None` where they cannot be compared.
fn order(first: &Progress, now: &Progress) -> Option<bool> {
    let (epoch, epoch_now) = (first.epoch.map(|e| e.0), now.epoch.map(|e| e.0));
    match (epoch, epoch_now) {
        (Some(then), Some(now)) if then != now => return Some(now > then),
        // One of them counts no epochs: its steps may be of any.
        (Some(_), None) | (None, Some(_)) => return None,
        _ => {}
    }
    // A validation pass comes behind the training steps of its epoch; before the first epoch it is a check of the program.
    let is_validation = |progress: &Progress| progress.phase == Some(Phase::Validation);
    match (is_validation(first), is_validation(now)) {
        (false, true) if epoch.is_some() => return Some(true),
        (true, false) => return epoch.is_some().then_some(false),
        (false, true) => return None,
        _ => {}
    }
    let (step, step_now) = (first.step?, now.step?);
    match (step.1, step_now.1) {
        // Another batch size or another set: the same step is another place.
        (Some(of), Some(of_now)) if of != of_now => {
            let (then, now) = (share(step)?, share(step_now)?);
            Some(now > then)
        }
        _ => Some(step_now.0 > step.0),
    }
}

fn share((at, of): (u64, Option<u64>)) -> Option<f64> {
    let of = of.filter(|&of| of > 0)?;
    Some(at as f64 / of as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(epoch: Option<u64>, step: Option<(u64, u64)>, phase: Phase) -> Progress {
        Progress {
            phase: Some(phase),
            epoch: epoch.map(|epoch| (epoch, None)),
            step: step.map(|(at, of)| (at, Some(of))),
            ..Progress::default()
        }
    }

    #[track_caller]
    fn check(first: (Progress, Option<u64>), now: (Progress, u64), expected: Reached) {
        let died = FirstRun {
            elapsed_ms: first.1,
            progress: first.0,
            ..FirstRun::default()
        };
        let status = RunStatus {
            elapsed_ms: now.1,
            progress: now.0,
            ..RunStatus::default()
        };
        assert_eq!(reached(&died, &status), expected);
    }

    #[test]
    fn epochs_and_steps_decide() {
        use Phase::{Training, Validation};
        let at = |epoch, step| (progress(epoch, step, Training), None);
        let now = |epoch, step| (progress(epoch, step, Training), 60_000);
        let died = || at(Some(2), Some((40, 390)));
        check(died(), now(Some(1), Some((380, 390))), Reached::Before);
        check(died(), now(Some(2), Some((40, 390))), Reached::Before);
        check(died(), now(Some(2), Some((41, 390))), Reached::Past);
        check(died(), now(Some(3), None), Reached::Past);
        // Half the batch size: step 60 of 780 is before step 40 of 390.
        check(died(), now(Some(2), Some((60, 780))), Reached::Before);
        check(died(), now(Some(2), Some((90, 780))), Reached::Past);
        check(died(), now(None, Some((90, 390))), Reached::Unknown);
        check(at(None, None), now(None, None), Reached::Unknown);
        let validation = (progress(Some(2), Some((3, 20)), Validation), None);
        check(
            validation.clone(),
            now(Some(2), Some((389, 390))),
            Reached::Before,
        );
        let at_validation = (progress(Some(2), Some((1, 20)), Validation), 60_000);
        check(died(), at_validation.clone(), Reached::Past);
        check(validation, at_validation, Reached::Before);
    }

    #[test]
    fn time_alone_never_proves_anything() {
        let none = Progress::default;
        check((none(), Some(14_000)), (none(), 9_000), Reached::Before);
        check((none(), Some(14_000)), (none(), 90_000), Reached::Unknown);
        check((none(), None), (none(), 90_000), Reached::Unknown);
    }
}
