//! From a log's cause to what is known of it.

use super::NoReproduction;
use super::known::{Fault, Known, Operation};
use super::stated;
use crate::diagnosis::{Cause, Entry, EvidenceRole};
use crate::knowledge::{AssertionEntry, CauseId, InputRole, catalogue};
use crate::range_check::Number;

/// What a cause tells of its failure.
pub(super) fn known(cause: &Cause) -> Result<Known, NoReproduction> {
    let assertion = match &cause.entry {
        Entry::Assertion(id) => catalogue().assertion_by_id(id),
        _ => None,
    };
    let text = cause
        .evidence
        .iter()
        .find(|evidence| evidence.role == EvidenceRole::Error)
        .map(|evidence| evidence.text.as_str());
    let named = cause
        .operation
        .as_ref()
        .and_then(|operation| Operation::named(&operation.name));
    let (operation, fault) = operation(cause, named, text, assertion)?;

    let mut known = Known::new(operation, fault);
    known.value = cause.value.map(Number::from);
    if let Some(range) = &cause.range {
        known.lo = Some(Number::from(range.lo));
        known.hi = Some(Number::from(range.hi));
    }
    // Sizes that do not fit are stated with the operation that refuses them.
    known.guessed = fault != Fault::Shape
        && cause.id != CauseId::InductorIndex
        && cause
            .operation
            .as_ref()
            .is_none_or(|operation| !operation.shown);
    known.compiled = cause.id == CauseId::InductorIndex;
    known.stated = (fault == Fault::Shape || operation == Operation::Distribution)
        .then(|| text.unwrap_or_default().to_owned());
    if let Some(text) = text {
        of_error(text, &mut known);
    }
    if let Some(entry) = assertion {
        of_assertion(entry, &mut known);
    }
    if cause.id == CauseId::NanInputs {
        known.fault = Fault::Nan;
    }
    Ok(known)
}

/// The operation and the fault that a cause speaks of.
fn operation(
    cause: &Cause,
    named: Option<Operation>,
    text: Option<&str>,
    assertion: Option<&AssertionEntry>,
) -> Result<(Operation, Fault), NoReproduction> {
    use NoReproduction as No;
    use Operation as O;
    // An operation that a cause cannot have is one that the log shows for another reason.
    let or = |allowed: &[O], usual: O| named.filter(|o| allowed.contains(o)).unwrap_or(usual);
    let checked = match cause.id {
        CauseId::LabelOutOfRange => or(
            &[O::CrossEntropy, O::NllLoss, O::MultiMarginLoss, O::OneHot],
            match text {
                Some(text) if text.contains("target out of range") => O::MultiMarginLoss,
                _ => O::CrossEntropy,
            },
        ),
        CauseId::EmbeddingIndex => or(
            &[O::Embedding, O::EmbeddingBag, O::IndexSelect],
            O::Embedding,
        ),
        CauseId::GatherScatterIndex => gather_or_scatter(named, text),
        CauseId::AdvancedIndex => match text {
            Some(text) if text.contains("tried to access index") => or(&[O::Put], O::Take),
            Some(text) if text.contains("index_copy_()") => O::IndexCopy,
            _ => or(
                &[
                    O::IndexSet,
                    O::IndexFill,
                    O::Take,
                    O::Put,
                    O::IndexSelect,
                    O::Gather,
                ],
                O::IndexGet,
            ),
        },
        CauseId::InductorIndex => O::IndexGet,
        CauseId::BceRange => O::BinaryCrossEntropy,
        CauseId::MultinomialProbs => O::Multinomial,
        CauseId::ProbabilityRange => match text {
            Some(text) if text.contains("of distribution ") => O::Distribution,
            Some(text) if text.contains("Poisson") => O::Poisson,
            _ => or(&[O::Poisson], O::Bernoulli),
        },
        CauseId::CtcTarget => O::CtcLoss,
        CauseId::NanInputs => match named {
            Some(named @ (O::BinaryCrossEntropy | O::Multinomial | O::Bernoulli | O::Poisson)) => {
                let refused = text.is_some_and(|text| text.contains("of distribution "));
                if refused { O::Distribution } else { named }
            }
            _ if text.is_some_and(|text| text.contains("of distribution ")) => O::Distribution,
            _ => return Err(No::TooLittleKnown),
        },
        CauseId::CountMismatch => match text {
            Some(text) if text.contains("ones in mask") => O::MaskedScatter,
            Some(_) => O::RepeatInterleave,
            None => or(&[O::MaskedScatter], O::RepeatInterleave),
        },
        CauseId::ShapeMismatch if text.is_some() => {
            let usual = match text.and_then(stated::sizes) {
                Some(stated::Sizes::Matmul(..)) => O::Matmul,
                Some(stated::Sizes::Broadcast { .. }) => O::Add,
                Some(stated::Sizes::Different { .. }) => O::BinaryCrossEntropy,
                Some(_) => or(&[O::NllLoss], O::CrossEntropy),
                None => return Err(No::TooLittleKnown),
            };
            return Ok((usual, Fault::Shape));
        }
        CauseId::ShapeMismatch => named
            .filter(|&o| o == O::RepeatInterleave)
            .ok_or(No::TooLittleKnown)?,
        CauseId::InvalidMath => named.filter(|&o| o == O::Remainder).ok_or(No::GpuOnly)?,
        CauseId::CustomKernel | CauseId::UserAssert => return Err(No::OwnCode),
        CauseId::FrameworkInternal => return Err(No::GpuOnly),
        CauseId::UnknownAssert => return Err(No::CheckUnknown),
        CauseId::OtherFramework => return Err(No::OtherFramework),
        CauseId::None => return Err(No::NothingFailed),
        CauseId::Oom
        | CauseId::IllegalAccess
        | CauseId::LaunchFailure
        | CauseId::ArchMismatch
        | CauseId::DriverMismatch
        | CauseId::NcclSecondary
        | CauseId::DataloaderSpawn
        | CauseId::DataloaderMemory
        | CauseId::DataloaderWorkerCrash
        | CauseId::PythonError => return Err(No::NotAValue),
    };
    // The loss that is too large for its index type fails by its size, which no small script has.
    if assertion.is_some_and(|entry| entry.topic == "loss_too_large") {
        return Err(No::GpuOnly);
    }
    Ok((checked, Fault::Range))
}

fn gather_or_scatter(named: Option<Operation>, text: Option<&str>) -> Operation {
    use Operation as O;
    match text {
        Some(text) if text.contains("Class values must be") => return O::OneHot,
        Some(text) if text.contains("invalid max index") => {
            return named
                .filter(|&o| o == O::MaxUnpool3d)
                .unwrap_or(O::MaxUnpool2d);
        }
        _ => {}
    }
    match named {
        Some(
            named @ (O::Gather
            | O::Scatter
            | O::ScatterAdd
            | O::ScatterReduce
            | O::OneHot
            | O::IndexAdd
            | O::IndexCopy
            | O::IndexFill
            | O::IndexSelect
            | O::IndexGet
            | O::Embedding
            | O::MaxUnpool2d
            | O::MaxUnpool3d),
        ) => named,
        _ => O::Gather,
    }
}

/// What an error's text tells beside its numbers.
fn of_error(text: &str, known: &mut Known) {
    match known.operation {
        Operation::BinaryCrossEntropy => {
            if text.contains("elements of target") {
                known.argument = Some("target".to_owned());
            }
            if let Some(value) = stated::float_after(text, "but got ") {
                known.value = Some(Number::from(value));
            }
        }
        Operation::Multinomial => {
            if text.contains("sum of probabilities") {
                known.fault = Fault::Sum;
            }
            // These two are said only where one draws with replacement.
            if text.contains("probability entry < 0") {
                known.replacement = Some(true);
            }
            if text.contains("= infinity or NaN") {
                known.replacement = Some(true);
                known.value = Some(Number::from(f64::INFINITY));
            }
        }
        Operation::EmbeddingBag if text.contains("offsets[") => {
            known.argument = Some("offsets".to_owned());
        }
        Operation::RepeatInterleave if text.contains("allocated size") => {
            known.argument = Some("output_size".to_owned());
        }
        Operation::OneHot if text.contains("non-negative") && known.value.is_none() => {
            known.value = Some(Number::from(-1));
        }
        Operation::Gather | Operation::Scatter | Operation::ScatterAdd => {
            known.dim = stated::float_after(text, "for dimension ").map(|dim| dim as i64);
        }
        _ => {}
    }
}

/// What a failed check tells beside its operation.
fn of_assertion(entry: &AssertionEntry, known: &mut Known) {
    match entry.topic.as_str() {
        "class_label_pixel" => known.pixels = true,
        "class_label_uint8" => known.dtype = Some("uint8".to_owned()),
        "embedding_bag_row" => known.operation = Operation::EmbeddingBag,
        "embedding_bag_offsets" => {
            known.operation = Operation::EmbeddingBag;
            known.argument = Some("offsets".to_owned());
        }
        "multinomial_sum" => known.fault = Fault::Sum,
        _ => {}
    }
    if entry.input_role == InputRole::BceTarget {
        known.argument = Some("target".to_owned());
    }
    match entry.id.as_str() {
        id if id.contains("isnan") => known.fault = Fault::Nan,
        id if id.contains("isinf") => known.value = Some(Number::from(f64::INFINITY)),
        "repeat_output_size" => known.argument = Some("output_size".to_owned()),
        id if known.operation == Operation::Multinomial && is_sign_check(id) => {
            known.value = Some(Number::from(-1));
        }
        _ => {}
    }
}

/// Whether a check of `multinomial` looks at the sign of the weights alone.
fn is_sign_check(id: &str) -> bool {
    [
        "mn_not_lt",
        "mn_val_ge",
        "mn_thc_lt",
        "thc_mn_ge",
        "thc_mn_lt_val",
    ]
    .contains(&id)
}
