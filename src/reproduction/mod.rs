//! A cause of a log, or a value that the guard saw, as a script of at most [`MOST_LINES`] lines that fails the same way on the CPU.
//!
//! Pure: no IO, no words. What the script says in its comments is English, like the rest of the code; what is said around it
//! is `words`' business. The messages are those of PyTorch itself: section 6 of the facts that the knowledge rests on, looked up
//! in PyTorch 1.13, 2.0 and 2.15.

mod axis;
mod known;
mod lookup;
mod loss;
mod naming;
mod probability;
mod script;
mod shape;
mod stated;
#[cfg(test)]
mod tests;

pub use known::{Fault, Known, Operation};

use crate::crash_log::Facts;
use crate::diagnosis::{Cause, Diagnosis, Failure};
use script::Script;

/// Lines that a script has at most, comments and blank lines included.
pub const MOST_LINES: usize = 20;

/// A script that shows a failure without the user's model and data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reproduction {
    /// The whole file, with a line feed at the end.
    pub script: String,
    /// How the last line of its output begins: the exception with its message, or what it prints where nothing fails.
    pub expected: String,
    /// How the same line begins in releases that word it differently.
    pub other_wordings: Vec<String>,
    /// Whether it fails on the CPU as the run did on the GPU.
    pub fails_on_cpu: bool,
    /// Why not, where it does not.
    pub why_not: Option<WhyNot>,
    /// Whether something that is not known is filled with a stand-in; the script's first lines say what.
    pub has_stand_ins: bool,
    /// First release that checks this on the CPU (`2.1`); `None` where all do.
    pub since: Option<&'static str>,
}

/// Why a script does not fail on the CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhyNot {
    /// `ctc_loss` does not look at the labels on the CPU. The script names those out of range itself.
    CtcReadsOn,
}

/// Why there is no script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NoReproduction {
    /// Nothing failed.
    NothingFailed,
    /// It is about memory, driver, card, processes or start-up: no value makes it fail.
    NotAValue,
    /// The failed check is not in the log, or nothing is known of it.
    CheckUnknown,
    /// The failed check is the program's own, or an extension's.
    OwnCode,
    /// Another framework failed.
    OtherFramework,
    /// The CPU has no such check.
    GpuOnly,
    /// The check is known; what is known of its input is not enough for a script.
    TooLittleKnown,
}

impl NoReproduction {
    /// All of them, for tests and tables.
    pub const ALL: [Self; 7] = [
        Self::NothingFailed,
        Self::NotAValue,
        Self::CheckUnknown,
        Self::OwnCode,
        Self::OtherFramework,
        Self::GpuOnly,
        Self::TooLittleKnown,
    ];
}

/// The script for the best cause of a log.
///
/// # Errors
///
/// The reason where there can be none.
pub fn of_diagnosis(facts: &Facts, diagnosis: &Diagnosis) -> Result<Reproduction, NoReproduction> {
    // The guard saw shapes and types, which no cause holds.
    if let Some(Failure::Guard(at)) = diagnosis.first_failure
        && let Some(seen) = facts.guard.violations.get(at)
        && let Some(known) = Known::of_violation(seen)
    {
        return of_known(&known);
    }
    diagnosis
        .causes
        .first()
        .ok_or(NoReproduction::CheckUnknown)
        .and_then(of_cause)
}

/// The script for one cause.
///
/// # Errors
///
/// The reason where there can be none.
pub fn of_cause(cause: &Cause) -> Result<Reproduction, NoReproduction> {
    naming::known(cause).and_then(|known| of_known(&known))
}

/// The script for what is known of one failure.
///
/// # Errors
///
/// [`NoReproduction::TooLittleKnown`] where that is not enough.
pub fn of_known(known: &Known) -> Result<Reproduction, NoReproduction> {
    use Operation as O;
    let script = match (known.fault, known.operation) {
        (Fault::Shape | Fault::Dtype, _) => shape::script(known),
        (_, O::CrossEntropy | O::NllLoss | O::MultiMarginLoss) => Some(loss::class_label(known)),
        (_, O::BinaryCrossEntropy) => Some(loss::binary(known)),
        (_, O::CtcLoss) => loss::ctc(known),
        (_, O::Multinomial) => Some(probability::multinomial(known)),
        (_, O::Bernoulli | O::Poisson) => Some(probability::rate(known)),
        (_, O::Distribution) => probability::distribution(known),
        (_, O::Matmul | O::Add | O::BinaryCrossEntropyWithLogits) => None,
        (_, O::MaskedScatter | O::RepeatInterleave | O::Remainder) => Some(shape::counts(known)),
        (_, _) => Some(lookup::script(known)),
    };
    let guessed =
        "The log does not show the call: this one, which has the failed check, stands in for it.";
    script
        .map(|script| {
            if known.guessed {
                script.stands_in(guessed)
            } else {
                script
            }
        })
        .map(Script::finish)
        .ok_or(NoReproduction::TooLittleKnown)
}
