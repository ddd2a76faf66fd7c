//! What is known of a failure before its traceback is read: when it was raised, and what shows its operation.

use std::sync::LazyLock;

use super::operation::Signs;
use super::trust::{self, Failed, Raised};
use super::{Because, Cause, Failure, consequences};
use crate::crash_log::{ErrorEvent, ErrorFamily, Facts};
use crate::knowledge::{AssertionEntry, AssertionMatch, CauseId, catalogue};

/// Thrust waits for what it launched: there the call that raised is the one that failed, as with blocking launches.
pub(super) fn waits(error: &ErrorEvent) -> bool {
    error.text.contains("failed to synchronize")
}

/// What the reading of the traceback must know.
pub(super) fn failed(
    facts: &Facts,
    first: Option<Failure>,
    cause: Option<&Cause>,
) -> Option<Failed<'static>> {
    match first? {
        // Raised by the very call that was wrong, on the host.
        Failure::Guard(i) => {
            let line = facts.guard.violations.get(i)?.line;
            let error = facts
                .errors
                .iter()
                .position(|error| error.family == ErrorFamily::GuardCaught);
            Some(Failed {
                raised: Raised::AtOnce,
                signs: None,
                backward: false,
                line,
                error,
            })
        }
        Failure::Assertion(i) => {
            let group = facts.assertions.get(i)?;
            let signs = match catalogue().assertion(&group.file, &group.expression) {
                AssertionMatch::Known(entry)
                | AssertionMatch::ByExpression(entry)
                | AssertionMatch::ByFile(entry) => Some(signs_of(entry)),
                _ => None,
            };
            Some(Failed {
                raised: Raised::Late,
                signs,
                backward: group
                    .function
                    .as_deref()
                    .is_some_and(|f| f.contains("backward")),
                line: group.first_line,
                error: None,
            })
        }
        Failure::Error(i) => {
            let error = facts.errors.get(i)?;
            let family = consequences::judged_as(error);
            let ctc = cause.is_some_and(|c| c.id == CauseId::CtcTarget);
            let told_by_frame = cause.is_some_and(|c| c.because == Because::OperationOnly);
            let raised = if catalogue().error(family).synchronous {
                Raised::AtOnce
            } else if waits(error) && told_by_frame {
                Raised::Waiting
            } else if trust::reports_gpu_failure(family) {
                Raised::Late
            } else {
                Raised::Elsewhere
            };
            Some(Failed {
                raised,
                signs: Some(if ctc {
                    ctc_signs()
                } else {
                    signs_of_error(family)
                }),
                backward: false,
                line: error.line,
                error: Some(i),
            })
        }
    }
}

pub(super) fn signs_of(entry: &'static AssertionEntry) -> Signs<'static> {
    Signs {
        words: catalogue().operation_words(entry),
        indexing: entry.cause == CauseId::AdvancedIndex
            || catalogue()
                .topic_of(entry)
                .shared_with
                .contains(&CauseId::AdvancedIndex),
    }
}

pub(super) fn signs_of_error(family: ErrorFamily) -> Signs<'static> {
    Signs {
        words: &catalogue().error(family).operation_words,
        indexing: family == ErrorFamily::CpuIndex,
    }
}

fn ctc_signs() -> Signs<'static> {
    static WORDS: LazyLock<Vec<String>> = LazyLock::new(|| vec!["ctc_loss".to_owned()]);
    Signs {
        words: &WORDS,
        indexing: false,
    }
}
