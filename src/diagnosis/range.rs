//! The offending value and the allowed range, where the log states them.

use super::{AllowedRange, Cause, Certainty};
use crate::crash_log::{AssertionGroup, ErrorEvent, Facts, NumberRole};
use crate::knowledge::{AssertionEntry, CauseId, inductor_bound};

/// The range that belongs to a failed check: from the expression itself, or from a size that the log states once.
pub(super) fn of_assertion(
    facts: &Facts,
    group: &AssertionGroup,
    entry: &AssertionEntry,
) -> Option<AllowedRange> {
    if entry.cause == CauseId::InductorIndex {
        let bound = inductor_bound(&group.expression)?;
        let upper = bound.upper.filter(|&upper| upper > 0)?;
        return Some(AllowedRange {
            lo: 0,
            hi: upper - 1,
            source: group.expression.clone(),
            line: group.first_line,
            certainty: Certainty::Certain,
        });
    }
    let names: &[&str] = match entry.cause {
        CauseId::LabelOutOfRange => &[
            "num_classes",
            "n_classes",
            "num_labels",
            "nclasses",
            "n_class",
            "classes",
            "nc",
        ],
        CauseId::EmbeddingIndex => &[
            "vocab_size",
            "n_vocab",
            "num_embeddings",
            "n_symbols",
            "ntoken",
        ],
        _ => return None,
    };
    stated_size(facts, names)
}

/// A size that the log states under one of these names; `None` where two statements disagree.
fn stated_size(facts: &Facts, names: &[&str]) -> Option<AllowedRange> {
    let mut fitting = facts
        .stated_sizes
        .iter()
        .filter(|size| size.value > 0 && names.contains(&size.name.to_ascii_lowercase().as_str()));
    let first = fitting.next()?;
    fitting
        .all(|size| size.value == first.value)
        .then(|| AllowedRange {
            lo: 0,
            hi: first.value - 1,
            source: format!("{} = {}", first.name, first.value),
            line: first.line,
            certainty: Certainty::Likely,
        })
}

/// Value and range out of an error's text (`index 4 is out of bounds for dimension 1 with size 4`).
pub(super) fn from_numbers(error: &ErrorEvent, cause: &mut Cause) {
    let number = |role| {
        error
            .numbers
            .iter()
            .find(|(r, _)| *r == role)
            .map(|&(_, n)| n)
    };
    cause.value = number(NumberRole::Value);
    if let Some(size) = number(NumberRole::Size).filter(|&size| size > 0) {
        cause.range = Some(AllowedRange {
            lo: 0,
            hi: size - 1,
            source: error.text.clone(),
            line: error.line,
            certainty: Certainty::Certain,
        });
    }
}

/// Value and range out of a sentence printed beside the check (`expected >= 0 and < 7, …, but got 15`).
pub(super) fn from_message(group: &AssertionGroup, cause: &mut Cause) {
    let Some(message) = &group.message else {
        return;
    };
    let after = |sign: &str| {
        let rest = message.split_once(sign)?.1.trim_start();
        let end = rest
            .char_indices()
            .find(|&(i, c)| !(c.is_ascii_digit() || (i == 0 && c == '-')))
            .map_or(rest.len(), |(i, _)| i);
        rest.get(..end)?.parse::<i64>().ok()
    };
    cause.value = after("got ");
    if let (Some(lo), Some(upper)) = (after(">= "), after("< "))
        && lo < upper
    {
        cause.range = Some(AllowedRange {
            lo,
            hi: upper - 1,
            source: message.clone(),
            line: group.first_line,
            certainty: Certainty::Certain,
        });
    }
}
