//! The offending value and the allowed range, where the log states them.

use super::{AllowedRange, Cause, Certainty};
use crate::bounds;
use crate::crash_log::{AssertionGroup, ErrorEvent, Facts};
use crate::knowledge::{AssertionEntry, CauseId};
use crate::labels::Role;

/// The range that belongs to a failed check: from the expression itself, or from a size that the log states once.
pub(super) fn of_assertion(
    facts: &Facts,
    group: &AssertionGroup,
    entry: &AssertionEntry,
) -> Option<AllowedRange> {
    match entry.cause {
        CauseId::InductorIndex => {
            let (lo, hi) = bounds::of_check(group)?;
            Some(AllowedRange {
                lo,
                hi,
                source: group.expression.clone(),
                line: group.first_line,
                path: None,
                certainty: Certainty::Certain,
            })
        }
        CauseId::LabelOutOfRange => stated_size(facts, Role::Class),
        CauseId::EmbeddingIndex => stated_size(facts, Role::Token),
        _ => None,
    }
}

/// A size that the log states for this role; `None` where two statements disagree.
fn stated_size(facts: &Facts, role: Role) -> Option<AllowedRange> {
    let sizes = bounds::of_sizes(facts, role);
    let first = *sizes.first()?;
    sizes
        .iter()
        .all(|size| size.value == first.value)
        .then(|| AllowedRange {
            lo: 0,
            hi: first.value - 1,
            source: format!("{} = {}", first.name, first.value),
            line: first.line,
            path: None,
            certainty: Certainty::Likely,
        })
}

/// Value and range out of an error's text (`index 4 is out of bounds for dimension 1 with size 4`).
pub(super) fn from_numbers(error: &ErrorEvent, cause: &mut Cause) {
    fill(bounds::of_error(error), &error.text, error.line, cause);
}

/// Value and range out of a sentence printed beside the check (`expected >= 0 and < 7, …, but got 15`).
pub(super) fn from_message(group: &AssertionGroup, cause: &mut Cause) {
    if let Some(message) = &group.message {
        fill(bounds::of_message(group), message, group.first_line, cause);
    }
}

fn fill(stated: bounds::Stated, text: &str, line: u64, cause: &mut Cause) {
    cause.value = stated.value;
    if let Some((lo, hi)) = stated.range {
        cause.range = Some(AllowedRange {
            lo,
            hi,
            source: text.to_owned(),
            line,
            path: None,
            certainty: Certainty::Certain,
        });
    }
}
