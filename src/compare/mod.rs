//! Two runs beside each other: is the crash of the first gone in the second?
//!
//! A fix is only a fix when the next run passes the place where the first one died, and the same check does not fail on the way.
//! Everything that is not known for sure keeps the answer at [`Proof::NotYet`], with the signs that are missing.
//! Pure: no IO, no words.

mod changes;
mod proof;
mod reach;
mod same;
mod training;

use serde::{Deserialize, Serialize};

pub use changes::{Change, ChangeId};

use crate::crash_log::{Facts, GuardStart, Phase, Progress};
use crate::diagnosis::{Certainty, Diagnosis};
use crate::knowledge::CauseId;
use crate::rerun::{Ending, RunRecord};

/// One of the two runs.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// What its log says, so far.
    pub facts: &'a Facts,
    /// What that means.
    pub diagnosis: &'a Diagnosis,
    /// What is known beside the log, where this program started the run.
    pub run: Option<SideRun<'a>>,
    /// A hash of the log's bytes, where they were read.
    pub digest: Option<u64>,
}

/// What is known of a run that this program started.
#[derive(Clone, Copy, Debug)]
pub struct SideRun<'a> {
    /// What was started.
    pub record: &'a RunRecord,
    /// How it ended; `None` while it runs, or where that is not known.
    pub ending: Option<&'a Ending>,
    /// How long it has run, in milliseconds.
    pub elapsed_ms: Option<u64>,
    /// When the first failure was printed, in milliseconds since its start.
    pub failed_at_ms: Option<u64>,
}

/// What two runs show together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// Whether the crash is proved to be gone.
    pub proof: Proof,
    /// Whether the second passed the place where the first died.
    pub passed: Passed,
    /// Whether the check that failed first failed again.
    pub same_check: SameCheck,
    /// What the second run died of, where that is something else.
    pub new: Option<NewFailure>,
    /// Where the first run died.
    pub first: Reached,
    /// How far the second has come.
    pub second: Reached,
    /// What is different between the two, as far as the logs state it.
    pub changed: Vec<Change>,
    /// What makes the second run prove less, or another thing.
    pub caveats: Vec<Caveat>,
    /// Iterations per second of both.
    pub rates: (Option<Rate>, Option<Rate>),
    /// Why the two rates do not say how fast the runs are beside each other.
    pub rates_differ_by: Vec<RateReason>,
    /// What the first run died of.
    pub first_cause: CauseId,
    /// Values that the guard looked at in the second run.
    pub guard_values: u64,
    /// Calls that it stopped there.
    pub guard_stopped: u64,
    /// The signs of a proof, each with its state, in the order in which they are shown.
    pub signs: Vec<Sign>,
}

/// Whether the crash is proved to be gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Proof {
    /// Every sign is there.
    Proved,
    /// Nothing failed, and not every sign is there.
    NotYet,
    /// The second run failed.
    Failed,
}

/// Whether the second run passed the place where the first died.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "state", content = "how")]
pub enum Passed {
    /// It did.
    Yes(PassedBy),
    /// It did not, or has not yet.
    No,
    /// That cannot be told.
    Unknown(WhyUnknown),
}

/// What shows that the place was passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PassedBy {
    /// The run ended by itself with exit code 0.
    EndedByItself,
    /// Epoch and step.
    Progress,
    /// The share of the epoch, since the number of steps is another.
    Share,
    /// Batches that the loaders handed out, as the guard counted.
    Batches,
    /// Time, with the same flags.
    Elapsed,
}

/// Why it cannot be told whether the place was passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WhyUnknown {
    /// Nothing failed in the first log.
    FirstDidNotFail,
    /// Both are the same log.
    SameLog,
    /// The commands name different scripts.
    OtherScript,
    /// Nothing shows that both are the same training: no script, command or way of counting that they share.
    TrainingUnknown,
    /// The second ended with exit code 0 and printed no progress, although the first did.
    EndedSilently,
    /// The first log does not say how far it had come.
    NoProgressInFirst,
    /// The second log does not say how far it has come.
    NoProgressInSecond,
    /// The two count differently (epochs against steps).
    OtherCount,
    /// The second began at a later epoch, so it never came by the place.
    BeganLater,
    /// Epochs begin anew in one of the logs (folds, several runs in one log).
    EpochsBeginAnew,
    /// Within one epoch the logs do not say whether they train or validate.
    PhaseUnknown,
    /// The times are known, and the flags make one of the runs slower.
    OtherSpeed,
}

/// Whether the check that failed first failed again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SameCheck {
    /// The place was passed without it.
    Gone,
    /// It failed again.
    StillThere,
    /// The second run failed, and whether by the same check its log does not show.
    MayBe,
    /// It has not failed so far.
    NotSeen,
}

/// What the second run died of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum NewFailure {
    /// Another failure.
    Cause {
        /// Its cause.
        cause: CauseId,
        /// How sure.
        certainty: Certainty,
        /// Line of the second log; 0 where none shows it.
        line: u64,
        /// The line's text, or what the guard saw.
        text: String,
        /// What the guard stopped, where it was the guard.
        stopped: Option<Stopped>,
    },
    /// It ended badly without a failure in its log.
    Ended {
        /// Its exit code.
        code: Option<i64>,
        /// The signal that ended it.
        signal: Option<i32>,
    },
    /// Its log breaks off inside a traceback.
    BreaksOff {
        /// Line of the second log.
        line: u64,
    },
}

/// A call that the guard stopped.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stopped {
    /// The operation.
    pub operation: String,
    /// The first value that is not allowed.
    pub value: Option<String>,
    /// The smallest and the largest that are.
    pub range: Option<(String, String)>,
}

/// How far a run came.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Reached {
    /// By its log: of the first run at its failure.
    pub progress: Progress,
    /// Batches handed out, as the guard counted.
    pub batches: Option<u64>,
    /// Milliseconds since its start: of the first run at its failure.
    pub elapsed_ms: Option<u64>,
    /// It ended by itself with exit code 0.
    pub ended_by_itself: bool,
}

/// What makes a comparison worth less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Caveat {
    /// The second ran on the CPU: the same values are checked there, and nothing that only a GPU does.
    Cpu,
    /// The second ran on the CPU, where this failure cannot show.
    CpuCannotShow,
    /// The second run was stopped by the user.
    Stopped,
    /// The number of steps of an epoch, or of epochs, is another.
    TotalsChanged,
    /// The arguments are others.
    OtherArguments,
    /// An error was printed, and the run ended well all the same.
    ErrorSurvived,
    /// The guard could not look into everything (compiled regions, CUDA graphs).
    GuardSawPart,
    /// The guard did not run in the second.
    NoGuard,
}

/// Iterations per second.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rate {
    /// Iterations per second.
    pub per_second: f64,
    /// What states it.
    pub by: RateBy,
}

/// What states a rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RateBy {
    /// The newest progress bar.
    ProgressBar,
    /// Batches over time, as the guard counted.
    Guard,
}

/// Why two rates are not comparable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RateReason {
    /// One has blocking launches.
    Sync,
    /// One runs on the CPU.
    Cpu,
    /// One runs with the guard.
    Guard,
    /// The workers differ.
    Workers,
    /// One is told by a progress bar and one by the guard's count.
    Source,
    /// The two bars belong to different phases, or to epochs of another length.
    OtherBar,
    /// The graphics cards differ.
    OtherGpu,
}

/// One sign of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sign {
    /// Which.
    pub id: SignId,
    /// How it stands.
    pub state: SignState,
    /// The proof waits for it.
    pub needed: bool,
}

/// Which sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SignId {
    /// The place where the first run died is passed.
    PastCrashPoint,
    /// The check that failed first did not fail again.
    SameCheckGone,
    /// Nothing else failed.
    NoNewCheck,
    /// The guard looked at the values and found none out of range.
    GuardClean,
    /// A validation pass was seen.
    FirstValidationPass,
    /// The run ended by itself with exit code 0.
    EndedByItself,
}

/// How a sign stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SignState {
    /// It is there.
    Seen,
    /// Not yet.
    NotYet,
    /// The opposite is there.
    Broken,
    /// It cannot be told.
    Unknown,
}

impl Comparison {
    /// The signs that the proof still waits for.
    pub fn missing(&self) -> impl Iterator<Item = &Sign> {
        self.signs
            .iter()
            .filter(|sign| sign.needed && sign.state != SignState::Seen)
    }

    /// How a sign stands.
    pub fn sign(&self, id: SignId) -> Option<SignState> {
        self.signs
            .iter()
            .find(|sign| sign.id == id)
            .map(|sign| sign.state)
    }
}

/// Compares two runs. The second may still go on: then its facts are those so far.
pub fn compare(first: &Side<'_>, second: &Side<'_>) -> Comparison {
    proof::compare(first, second)
}

impl Side<'_> {
    /// Something failed in this log.
    fn failed(&self) -> bool {
        self.diagnosis
            .causes
            .first()
            .is_some_and(|cause| cause.id != CauseId::None)
    }

    fn ending(&self) -> Option<&Ending> {
        self.run.and_then(|run| run.ending)
    }

    /// It ended by itself, and as it should.
    fn ended_well(&self) -> bool {
        self.ending()
            .is_some_and(|ending| ending.code == Some(0) && !ending.stopped)
    }

    /// It ran on the CPU by this program's doing.
    fn on_cpu(&self) -> bool {
        let guard = self.facts.guard.start.as_ref();
        self.run.is_some_and(|run| run.record.options.cpu)
            || guard.is_some_and(|start| start.cpu == Some(true))
    }

    /// Launches were blocking.
    fn blocking(&self) -> bool {
        let guard = self.facts.guard.start.as_ref();
        self.run.is_some_and(|run| run.record.options.sync)
            || guard.is_some_and(|start| start.launch_blocking == Some(true))
            || self.facts.environment.launch_blocking == Some(true)
    }

    /// The guard looked at values. To move a run to the CPU it is loaded as well, and checks nothing.
    fn guarded(&self) -> bool {
        let guard = &self.facts.guard;
        let checks = |start: &GuardStart| !start.hooks.is_empty();
        !guard.operations.is_empty()
            || guard.start.as_ref().is_some_and(|start| {
                checks(start)
                    || self
                        .run
                        .map_or(start.cpu != Some(true), |run| run.record.options.guard)
            })
    }

    /// Both are one and the same: the same run, or the same bytes of a log that is not told to be of two runs.
    fn is_same_log(&self, other: &Self) -> bool {
        match (self.run, other.run) {
            (Some(one), Some(again)) => {
                one.record.id == again.record.id
                    && one.record.started_ms == again.record.started_ms
                    && self.digest == other.digest
                    && self.facts == other.facts
            }
            _ => self.digest.is_some() && self.digest == other.digest,
        }
    }

    /// What happened before its failure only because of it does not count as having come farther: the first progress after which
    /// something failed, or, where the log goes on, the newest.
    fn reached(&self) -> Progress {
        let (failed_at, latest) = (&self.facts.progress, &self.facts.latest);
        match reach::order(failed_at, latest) {
            Some(std::cmp::Ordering::Less) => latest.clone(),
            _ if *failed_at == Progress::default() => latest.clone(),
            _ => failed_at.clone(),
        }
    }

    fn validates_at_its_end(&self) -> bool {
        self.facts.latest.phase == Some(Phase::Validation)
    }
}

#[cfg(test)]
mod tests;
