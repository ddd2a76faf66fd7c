//! Ranges that a log states: compiled checks, sizes in error texts, sizes in printed configurations and source lines.

use std::path::Path;
use std::sync::Arc;

use super::{Bound, BoundSource};
use crate::crash_log::{
    AssertionForm, AssertionGroup, ErrorEvent, ErrorFamily, Facts, GuardNumber, NumberRole,
    StatedSize,
};
use crate::knowledge::{
    AssertionMatch, CauseId, Certainty, catalogue, inductor_bound, shows_operation,
};
use crate::labels::Role;

/// Value and range as one line of a log states them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stated {
    /// The offending value.
    pub value: Option<i64>,
    /// Smallest and largest allowed value.
    pub range: Option<(i64, i64)>,
}

/// The range in the text of a check that `torch.compile` generated (`0 <= tmp4 < 32000`).
pub(crate) fn of_check(group: &AssertionGroup) -> Option<(i64, i64)> {
    let upper = inductor_bound(&group.expression)?.upper?;
    (upper > 0).then_some((0, upper - 1))
}

/// Value and range in an error's text (`index 4 is out of bounds for dimension 1 with size 4`).
pub(crate) fn of_error(error: &ErrorEvent) -> Stated {
    let number = |role| {
        error
            .numbers
            .iter()
            .find(|(r, _)| *r == role)
            .map(|&(_, n)| n)
    };
    Stated {
        value: number(NumberRole::Value),
        range: number(NumberRole::Size)
            .filter(|&size| size > 0)
            .map(|size| (0, size - 1)),
    }
}

/// Value and range in a sentence printed beside a check (`expected >= 0 and < 7, …, but got 15`).
pub(crate) fn of_message(group: &AssertionGroup) -> Stated {
    let Some(message) = &group.message else {
        return Stated::default();
    };
    let after = |sign: &str| {
        let rest = message.split_once(sign)?.1.trim_start();
        let end = rest
            .char_indices()
            .find(|&(i, c)| !(c.is_ascii_digit() || (i == 0 && c == '-')))
            .map_or(rest.len(), |(i, _)| i);
        rest.get(..end)?.parse::<i64>().ok()
    };
    let range = match (after(">= "), after("< ")) {
        (Some(lo), Some(upper)) if lo < upper => Some((lo, upper - 1)),
        _ => None,
    };
    Stated {
        value: after("got "),
        range,
    }
}

/// The sizes that a log states for a role, under the names that such sizes have.
pub(crate) fn of_sizes(facts: &Facts, role: Role) -> Vec<&StatedSize> {
    let names: &[&str] = match role {
        Role::Class => &[
            "num_classes",
            "n_classes",
            "num_labels",
            "nclasses",
            "n_class",
            "classes",
            "nc",
        ],
        Role::Token => &[
            "vocab_size",
            "n_vocab",
            "num_embeddings",
            "n_symbols",
            "ntoken",
        ],
        Role::Position => &["max_position_embeddings", "n_positions", "n_ctx"],
        Role::TokenType => &["type_vocab_size"],
        _ => &[],
    };
    facts
        .stated_sizes
        .iter()
        .filter(|size| size.value > 0 && names.contains(&size.name.to_ascii_lowercase().as_str()))
        .collect()
}

/// What a log states: compiled checks, sizes in messages and source lines. `path` is the log's.
///
/// What a failed check or its error says of itself is certain. A size that is stated elsewhere in the log is likely meant, and
/// only possibly where the log states two that differ.
pub fn of_facts(facts: &Facts, path: Option<&Arc<Path>>) -> Vec<Bound> {
    let mut bounds: Vec<Bound> = Vec::new();
    let mut add = |role, (lo, hi): (i64, i64), line, what: &str, certainty| {
        let bound = Bound {
            role,
            lo: lo.into(),
            hi: hi.into(),
            source: BoundSource::Log,
            path: path.cloned(),
            line: Some(line).filter(|&line| line > 0),
            what: what.to_owned(),
            certainty,
            names: None,
        };
        let again = bounds
            .iter()
            .any(|other| other.role == role && other.same_range(&bound));
        if !again {
            bounds.push(bound);
        }
    };
    for group in &facts.assertions {
        let found = catalogue().assertion(&group.file, &group.expression);
        if let AssertionMatch::Known(entry)
        | AssertionMatch::ByExpression(entry)
        | AssertionMatch::ByFile(entry) = found
            && entry.cause == CauseId::InductorIndex
            && let Some(range) = of_check(group)
        {
            let what = &group.expression;
            add(
                Role::Index,
                range,
                group.first_line,
                what,
                Certainty::Certain,
            );
            // The kernel says what is allowed, not for whom; the traceback may show who called it.
            if let Some(role) = role_in_frames(facts) {
                add(role, range, group.first_line, what, Certainty::Likely);
            }
        }
        if group.form == AssertionForm::OtherFramework
            && let (Some(range), Some(message)) = (of_message(group).range, &group.message)
            && message.contains("label")
        {
            add(
                Role::Class,
                range,
                group.first_line,
                message,
                Certainty::Certain,
            );
        }
    }
    for seen in &facts.guard.violations {
        if let (Some(role), Some(range)) =
            (role_of(&seen.operation, seen.what.as_deref()), seen.range())
        {
            let what = match &seen.size_of {
                Some(size_of) => format!("{size_of} = {}", range.1.saturating_add(1)),
                None => seen.message.clone().unwrap_or_default(),
            };
            add(role, range, seen.line, &what, Certainty::Certain);
        }
    }
    // A summary holds the tightest range of all calls of an operation, and these may be for different uses.
    for operation in &facts.guard.operations {
        let range = operation.lo.and_then(GuardNumber::as_int);
        let range = range.zip(operation.hi.and_then(GuardNumber::as_int));
        if let (Some(role), Some((lo, hi))) = (role_of(&operation.name, None), range)
            && lo <= hi
        {
            let what = format!("{}: {lo}..{hi}", operation.name);
            add(role, (lo, hi), operation.line, &what, Certainty::Likely);
        }
    }
    for error in &facts.errors {
        let role = match error.family {
            ErrorFamily::CpuTarget => Role::Class,
            ErrorFamily::CpuEmbedding => Role::Token,
            ErrorFamily::CpuGather | ErrorFamily::CpuIndex => Role::Index,
            _ => continue,
        };
        if let Some(range) = of_error(error).range {
            add(role, range, error.line, &error.text, Certainty::Certain);
        }
    }
    for role in [Role::Class, Role::Token, Role::Position, Role::TokenType] {
        let sizes = of_sizes(facts, role);
        let agree = sizes.windows(2).all(|pair| match pair {
            [one, other] => one.value == other.value,
            _ => true,
        });
        let certainty = if agree {
            Certainty::Likely
        } else {
            Certainty::Possible
        };
        for size in sizes {
            let what = format!("{} = {}", size.name, size.value);
            add(role, (0, size.value - 1), size.line, &what, certainty);
        }
    }
    bounds
}

/// What the values are that the guard looks at in an operation; `None` for lengths, offsets and probabilities.
fn role_of(operation: &str, what: Option<&str>) -> Option<Role> {
    match (operation, what) {
        ("embedding_bag", Some("offsets")) => None,
        ("cross_entropy" | "nll_loss" | "one_hot", _) => Some(Role::Class),
        ("embedding" | "embedding_bag", _) => Some(Role::Token),
        ("gather" | "scatter" | "scatter_add" | "index_select" | "index", _) => Some(Role::Index),
        _ => None,
    }
}

/// Whose index a compiled kernel checks, as far as the source lines of the traceback tell: the labels' of a loss, or the ids'
/// of an embedding. `None` where they show both or neither.
fn role_in_frames(facts: &Facts) -> Option<Role> {
    let shows = |words: &[&str]| {
        let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        facts
            .tracebacks
            .iter()
            .flat_map(|traceback| &traceback.frames)
            .any(|frame| shows_operation(&words, frame.code.as_deref(), frame.function.as_deref()))
    };
    let loss = shows(&["cross_entropy", "nll_loss", "CrossEntropyLoss", "NLLLoss"]);
    let embedding = shows(&["embedding(", "Embedding(", "wte(", "embed_tokens("]);
    match (loss, embedding) {
        (true, false) => Some(Role::Class),
        (false, true) => Some(Role::Token),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crash_log::Scanner;
    use crate::knowledge::Certainty::{Certain, Likely, Possible};

    #[track_caller]
    fn check(log: &str, expected: &[(Role, i64, &str, Certainty)]) {
        let mut scanner = Scanner::default();
        scanner.push(log.as_bytes());
        let (facts, _) = scanner.finish();
        let bounds = of_facts(&facts, None);
        let got: Vec<_> = bounds
            .iter()
            .map(|b| (b.role, b.hi, b.what.as_str(), b.certainty))
            .collect();
        let expected: Vec<_> = expected
            .iter()
            .map(|&(role, hi, what, certainty)| (role, hi.into(), what, certainty))
            .collect();
        assert_eq!(got, expected, "{log}");
    }

    #[test]
    fn what_logs_state() {
        use Role::{Class, Index, Token};
        check("epoch 1\nall fine", &[]);
        check("num_classes: 5", &[(Class, 4, "num_classes = 5", Likely)]);
        check(
            "Overriding model.yaml nc=80 with nc=20",
            &[
                (Class, 79, "nc = 80", Possible),
                (Class, 19, "nc = 20", Possible),
            ],
        );
        check(
            "'vocab_size': 32000",
            &[(Token, 31999, "vocab_size = 32000", Likely)],
        );
        let error = "RuntimeError: index 4 is out of bounds for dimension 1 with size 4";
        check(
            &format!(
                "Traceback (most recent call last):\n  File \"a.py\", line 3, in f\n    x.gather(1, i)\n{error}"
            ),
            &[(
                Index,
                3,
                "RuntimeError: index 4 is out of bounds for dimension 1 with size 4",
                Certain,
            )],
        );
        check(
            "/tmp/torchinductor_root/ab/cabc.py:34: unknown: block: [0,0,0], thread: [1,0,0] Assertion `index out of bounds: 0 <= tmp4 < 32000` failed.",
            &[(
                Index,
                31999,
                "index out of bounds: 0 <= tmp4 < 32000",
                Certain,
            )],
        );
    }
}
