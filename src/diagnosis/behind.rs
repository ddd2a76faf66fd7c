//! What may lie behind a failure: NaN, labels that serve as an index, the operation of a check that was not printed.

use super::operation::Signs;
use super::{Because, Cause, Certainty, Entry, Evidence, EvidenceRole, Operation};
use crate::crash_log::{ErrorEvent, ErrorFamily, Facts, NanMetrics};
use crate::knowledge::{AssertionEntry, CauseId, InputRole, catalogue};

/// Adds what may lie behind a failed check, before or after it in rank.
pub(super) fn the_check(facts: &Facts, entry: &AssertionEntry, causes: &mut Vec<Cause>) {
    let Some(check) = causes.first().cloned() else {
        return;
    };
    let other = |id, certainty, because| Cause {
        id,
        certainty,
        because,
        entry: Entry::Cause(id),
        operation: check.operation.clone(),
        range: None,
        ..check.clone()
    };
    let drawn_from_numbers = matches!(
        check.id,
        CauseId::BceRange | CauseId::MultinomialProbs | CauseId::ProbabilityRange
    );
    if let Some(nan) = &facts.nan_metrics
        && nan.before_failure
        && drawn_from_numbers
        && entry.input_role != InputRole::BceTarget
    {
        let cause = nan_before(nan, &check);
        // The check of a drawn probability names NaN itself; that of BCE only the range, so the sign says more than the check.
        let rank = usize::from(check.id != CauseId::BceRange);
        causes.insert(rank, cause);
    }
    for &id in &catalogue().topic_of(entry).shared_with {
        causes.push(other(id, Certainty::Possible, Because::UsualReason));
    }
    let class_like = ["one_hot", "class", "label", "cls", "target"];
    let in_frames = |words: &[&str]| {
        facts
            .tracebacks
            .iter()
            .flat_map(|t| &t.frames)
            .any(|frame| {
                let code = frame.code.as_deref().unwrap_or_default();
                words.iter().any(|word| code.contains(word))
            })
    };
    match check.id {
        // Labels used as an index (class weights, one-hot, a target assigner) fail here instead of in the loss.
        CauseId::GatherScatterIndex | CauseId::AdvancedIndex if in_frames(&class_like) => {
            causes.push(other(
                CauseId::LabelOutOfRange,
                Certainty::Possible,
                Because::UsualReason,
            ));
        }
        CauseId::InductorIndex => {
            let vocabulary = check.range.as_ref().is_some_and(|range| {
                facts
                    .stated_sizes
                    .iter()
                    .any(|size| size.value == range.hi + 1 && size.name.contains("vocab"))
            });
            let certainty = if vocabulary {
                Certainty::Likely
            } else {
                Certainty::Possible
            };
            causes.push(other(
                CauseId::EmbeddingIndex,
                certainty,
                Because::UsualReason,
            ));
        }
        CauseId::FrameworkInternal => {
            causes.push(other(
                CauseId::UnknownAssert,
                Certainty::Possible,
                Because::NotInLog,
            ));
        }
        _ => {}
    }
}

/// Adds NaN as the reason behind numbers that the host refused, where the log showed it before.
pub(super) fn nan_behind_the_error(facts: &Facts, error: &ErrorEvent, causes: &mut Vec<Cause>) {
    use ErrorFamily as F;
    let drawn_from_numbers = matches!(
        error.family,
        F::CpuProbability | F::CpuBce | F::CpuMultinomial
    );
    let about_targets = error.text.contains("target");
    if let Some(nan) = &facts.nan_metrics
        && nan.before_failure
        && drawn_from_numbers
        && !about_targets
        && let Some(check) = causes.first().cloned()
    {
        causes.push(nan_before(nan, &check));
    }
}

/// A metric that was NaN before, as the reason behind a check.
fn nan_before(nan: &NanMetrics, check: &Cause) -> Cause {
    let sign = Evidence {
        line: nan.first_line,
        text: nan.text.clone(),
        role: EvidenceRole::SignBefore,
        place: None,
        value: None,
    };
    Cause {
        id: CauseId::NanInputs,
        certainty: Certainty::Likely,
        because: Because::SignBefore,
        entry: Entry::Cause(CauseId::NanInputs),
        range: None,
        evidence: std::iter::once(sign)
            .chain(check.evidence.clone())
            .collect(),
        ..check.clone()
    }
}

/// What the deepest frame of the traceback that an error ends suggests, where it shows an operation that checks its input.
pub(super) fn suggested(facts: &Facts, error: usize) -> Option<(CauseId, Operation)> {
    let traceback = facts.tracebacks.iter().find(|t| t.error == Some(error))?;
    let frame = traceback.frames.last()?;
    SUGGESTIVE.iter().find_map(|&(word, id, name)| {
        let words = [word.to_owned()];
        let signs = Signs {
            words: &words,
            indexing: false,
        };
        signs.show_in(frame).then(|| {
            let operation = Operation {
                name: name.to_owned(),
                shown: true,
                pass: None,
            };
            (id, operation)
        })
    })
}

/// Words of operations that check their input on the GPU, with the cause that their failure has.
const SUGGESTIVE: &[(&str, CauseId, &str)] = &[
    ("ctc_loss", CauseId::CtcTarget, "F.ctc_loss"),
    ("cross_entropy", CauseId::LabelOutOfRange, "F.cross_entropy"),
    ("nll_loss", CauseId::LabelOutOfRange, "F.nll_loss"),
    (
        "binary_cross_entropy(",
        CauseId::BceRange,
        "F.binary_cross_entropy",
    ),
    ("embedding(", CauseId::EmbeddingIndex, "F.embedding"),
    (
        "index_select",
        CauseId::EmbeddingIndex,
        "torch.index_select",
    ),
    ("one_hot", CauseId::GatherScatterIndex, "F.one_hot"),
    ("scatter_", CauseId::GatherScatterIndex, "Tensor.scatter_"),
    ("gather(", CauseId::GatherScatterIndex, "torch.gather"),
    (
        "multinomial(",
        CauseId::MultinomialProbs,
        "torch.multinomial",
    ),
    ("bernoulli(", CauseId::ProbabilityRange, "torch.bernoulli"),
];
