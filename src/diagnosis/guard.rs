//! What the guard saw, as a cause: operation, value, place and range are measured before the kernel runs.

use super::causes::WENT_ON;
use super::consequences::{self, Depth};
use super::{
    AllowedRange, Because, Cause, Certainty, Entry, Evidence, EvidenceRole, Failure, Operation,
};
use crate::crash_log::{ErrorFamily, Facts, GuardCheck, GuardViolation};
use crate::knowledge::{CauseId, catalogue};

/// The violation that the run died of; `None` where the guard stopped nothing, or the run went on and died of something else.
pub(super) fn first(facts: &Facts) -> Option<usize> {
    // Of several processes the one that was stopped first.
    let violations = facts.guard.violations.iter().enumerate();
    let (earliest, _) = violations.min_by_key(|(_, violation)| violation.line)?;
    survived(facts).is_none().then_some(earliest)
}

/// What ended the run long after the guard's last word about a bad value, where the program had caught that.
fn survived(facts: &Facts) -> Option<Failure> {
    let last = facts.guard.violations.iter().map(|v| v.line).max()?;
    let later = |line: u64| line > last + WENT_ON;
    let check = facts.assertions.iter().position(|g| later(g.first_line));
    let root = |error: &crate::crash_log::ErrorEvent| {
        matches!(
            consequences::depth(consequences::judged_as(error)),
            Depth::Gpu | Depth::Root
        ) && error.family != ErrorFamily::GuardCaught
            && later(error.line)
    };
    check
        .map(Failure::Assertion)
        .or_else(|| facts.errors.iter().position(root).map(Failure::Error))
}

/// Where the run survived what the guard saw: that is told behind what it died of.
pub(super) fn add_survived(facts: &Facts, first: Option<Failure>, causes: &mut Vec<Cause>) {
    if matches!(first, Some(Failure::Guard(_)) | None) || facts.guard.violations.is_empty() {
        return;
    }
    for mut cause in self::causes(facts, 0).into_iter().take(1) {
        cause.certainty = Certainty::Possible;
        cause.because = Because::RunWentOn;
        causes.push(cause);
    }
}

/// Causes behind a violation.
pub(super) fn causes(facts: &Facts, index: usize) -> Vec<Cause> {
    let Some(violation) = facts.guard.violations.get(index) else {
        return Vec::new();
    };
    let meaning = meaning(violation);
    // The exception's text alone may be cut: what it does not say is not certain.
    let is_told = violation.check != GuardCheck::Other && meaning.id != CauseId::UnknownAssert;
    let certainty = if is_told {
        Certainty::Certain
    } else {
        Certainty::Likely
    };
    let mut evidence = vec![Evidence {
        line: violation.line,
        text: told(violation),
        role: EvidenceRole::GuardSaw,
        place: None,
        value: None,
    }];
    if let Some(code) = violation.place().and_then(|place| place.code.clone()) {
        evidence.push(Evidence {
            line: violation.line,
            text: code,
            role: EvidenceRole::Operation,
            place: None,
            value: None,
        });
    }
    let cause = Cause {
        id: meaning.id,
        certainty,
        because: Because::GuardSaw,
        entry: meaning.entry,
        operation: operation(violation),
        library: None,
        value: violation
            .value
            .and_then(crate::crash_log::GuardNumber::as_int),
        range: range(violation),
        evidence,
    };
    let mut causes = vec![cause];
    if violation.check == GuardCheck::Nan
        && let Some(first) = causes.first().cloned()
        && first.id != CauseId::NanInputs
    {
        causes.push(Cause {
            id: CauseId::NanInputs,
            certainty: Certainty::Likely,
            entry: Entry::Cause(CauseId::NanInputs),
            range: None,
            ..first
        });
    }
    causes
}

struct Meaning {
    id: CauseId,
    entry: Entry,
}

/// What a violation means: the check that the kernel would have failed has the texts.
fn meaning(violation: &GuardViolation) -> Meaning {
    let by_error = |family: ErrorFamily| Meaning {
        id: catalogue().error(family).cause,
        entry: Entry::Error(family),
    };
    let by_cause = |id: CauseId| Meaning {
        id,
        entry: Entry::Cause(id),
    };
    let by_check = |id: &str, otherwise: CauseId| {
        let entry = catalogue().assertion_by_id(id);
        entry.map_or_else(
            || by_cause(otherwise),
            |entry| Meaning {
                id: entry.cause,
                entry: Entry::Assertion(entry.id.clone()),
            },
        )
    };
    let operation = violation.operation.as_str();
    match (violation.check, operation) {
        // Lengths that do not fit the targets are among the faults of CTC.
        (_, "ctc_loss") => return by_cause(CauseId::CtcTarget),
        (GuardCheck::Dtype, _) => return by_error(ErrorFamily::Dtype),
        (GuardCheck::Shape, _) => return by_error(ErrorFamily::Shape),
        // A draw's own check names NaN; elsewhere a value that is no number came in.
        (GuardCheck::Nan, "multinomial") => {}
        (GuardCheck::Nan, _) => return by_cause(CauseId::NanInputs),
        _ => {}
    }
    let what = violation.what.as_deref();
    match operation {
        "cross_entropy" | "nll_loss" => {
            let each_pixel = violation
                .shape("target")
                .is_some_and(|sizes| sizes.len() > 1);
            let id = if each_pixel { "nll2d_t" } else { "nll_t" };
            by_check(id, CauseId::LabelOutOfRange)
        }
        "embedding" | "index_select" => by_check("index_select_src", CauseId::EmbeddingIndex),
        "embedding_bag" if what == Some("offsets") => {
            by_check("embbag_end_begin", CauseId::EmbeddingIndex)
        }
        "embedding_bag" => by_check("embbag_invalid", CauseId::EmbeddingIndex),
        "gather" | "scatter" | "scatter_add" | "one_hot" => {
            by_check("scatter_gather", CauseId::GatherScatterIndex)
        }
        "index" => by_check("adv_index_new", CauseId::AdvancedIndex),
        "binary_cross_entropy" if what == Some("target") => {
            by_check("bce_target", CauseId::BceRange)
        }
        "binary_cross_entropy" | "binary_cross_entropy_with_logits" => {
            by_check("bce_input", CauseId::BceRange)
        }
        "multinomial" if violation.check == GuardCheck::Sum => {
            by_check("assert_async_zero_sum", CauseId::MultinomialProbs)
        }
        "multinomial" => by_check("assert_async_prob", CauseId::MultinomialProbs),
        _ => by_error(ErrorFamily::GuardCaught),
    }
}

/// `target[3, 17] = 80`, or the guard's own sentence.
fn told(violation: &GuardViolation) -> String {
    match (violation.position(), violation.value) {
        (Some(position), Some(value)) => format!("{position} = {value}"),
        _ => violation
            .message
            .clone()
            .unwrap_or_else(|| violation.operation.clone()),
    }
}

/// The operation as one writes it.
fn operation(violation: &GuardViolation) -> Option<Operation> {
    let name = violation
        .api
        .as_deref()
        .unwrap_or(match violation.operation.as_str() {
            "cross_entropy" => "F.cross_entropy",
            "nll_loss" => "F.nll_loss",
            "embedding" => "F.embedding",
            "embedding_bag" => "F.embedding_bag",
            "one_hot" => "F.one_hot",
            "binary_cross_entropy" => "F.binary_cross_entropy",
            "ctc_loss" => "F.ctc_loss",
            "gather" => "torch.gather",
            "scatter" => "torch.scatter",
            "scatter_add" => "torch.scatter_add",
            "index_select" => "torch.index_select",
            "multinomial" => "torch.multinomial",
            "index" => "x[index]",
            other => other,
        });
    if name.is_empty() {
        return None;
    }
    let name = match name {
        "torch.Tensor.__getitem__" => "x[index]".to_owned(),
        "torch.Tensor.__setitem__" => "x[index] = value".to_owned(),
        _ => match name.strip_prefix("torch.nn.functional.") {
            Some(short) => format!("F.{short}"),
            None => name
                .strip_prefix("torch.Tensor.")
                .map_or_else(|| name.to_owned(), |method| format!("Tensor.{method}")),
        },
    };
    Some(Operation {
        name,
        shown: true,
        pass: None,
    })
}

fn range(violation: &GuardViolation) -> Option<AllowedRange> {
    let (lo, hi) = violation.range()?;
    let source = match (&violation.size_of, hi.checked_add(1)) {
        (Some(size_of), Some(size)) => format!("{size_of} = {size}"),
        _ => violation
            .message
            .clone()
            .unwrap_or_else(|| violation.operation.clone()),
    };
    Some(AllowedRange {
        lo,
        hi,
        source,
        line: violation.line,
        path: None,
        certainty: Certainty::Certain,
    })
}

#[cfg(test)]
mod tests;
