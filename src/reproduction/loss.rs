//! Losses: class labels, binary targets, CTC.

use super::WhyNot;
use super::axis::{Axis, axis};
use super::known::{Fault, Known, Operation};
use super::script::{Script, float_literal, nested, sizes};
use crate::range_check::Number;

/// A class label outside the classes.
pub(super) fn class_label(known: &Known) -> Script {
    let logits = known.shape(&["input", "logits"]);
    let rank = match logits.map(<[u64]>::len) {
        Some(rank @ 1..=8) => rank,
        _ if known.pixels => 4,
        _ => 2,
    };
    let class_axis = usize::from(rank > 1);
    let classes = logits.and_then(|shape| shape.get(class_axis).copied());
    let axis = axis(known, classes, false, "classes");
    let Axis { size, value, .. } = axis;

    let (name, call) = match known.operation {
        Operation::NllLoss => ("log_probs", "nll_loss"),
        Operation::MultiMarginLoss => ("scores", "multi_margin_loss"),
        _ => ("logits", "cross_entropy"),
    };
    let where_it_is = if rank > 2 { " in a label map" } else { "" };
    let mut script = Script::showing(format!(
        "{call} with the class label {value}{where_it_is}: allowed are {} ({size} classes).",
        axis.range(false)
    ))
    .with_axis(&axis);
    if rank > 1 {
        script = script.note(if rank > 2 {
            "Shortened: only the place of the label."
        } else {
            "Shortened: only the sample with the label."
        });
    }

    // A label that is skipped stands beside the one that is not.
    let ignore = known
        .ignore
        .filter(|&ignore| ignore != -100 && known.operation != Operation::MultiMarginLoss);
    let skipped = ignore.filter(|_| rank > 1);
    let beside = skipped.map_or(String::new(), |ignore| format!("{ignore}, "));
    let count = 1 + u64::from(skipped.is_some());
    let mut shape = vec![1; rank];
    if let Some(classes) = shape.get_mut(class_axis) {
        *classes = size;
    }
    // Without pixels the batch holds the labels, with them the last axis does.
    let along = if rank > 2 { rank - 1 } else { 0 };
    if skipped.is_some()
        && let Some(labels) = shape.get_mut(along)
    {
        *labels = count;
    }
    // One byte a label, where the loss takes that and the labels fit.
    let fits_byte = [Some(value), ignore]
        .into_iter()
        .flatten()
        .all(|n| (0..=255).contains(&n));
    let dtype = match known.element() {
        Some("uint8") if rank <= 2 && fits_byte => ", dtype=torch.uint8",
        _ => "",
    };
    let labels = if rank == 1 {
        value.to_string()
    } else {
        nested(&format!("{beside}{value}"), rank - 1)
    };
    let mut arguments = format!("{name}, target");
    if known
        .shape(&["weight"])
        .is_some_and(|weight| weight == [size])
    {
        arguments += ", weight=torch.ones(";
        arguments += &size.to_string();
        arguments.push(')');
    }
    if let Some(ignore) = ignore {
        arguments += ", ignore_index=";
        arguments += &ignore.to_string();
    }
    let comment = match skipped {
        Some(ignore) => format!("  # {ignore} is skipped, {value} is not"),
        None => String::new(),
    };
    let expected = match known.operation {
        Operation::MultiMarginLoss => "RuntimeError: target out of range".to_owned(),
        _ => format!("IndexError: Target {value} is out of bounds."),
    };
    script
        .line(format!("{name} = torch.zeros({})", sizes(&shape)))
        .line(format!("target = torch.tensor({labels}{dtype}){comment}"))
        .line(format!("F.{call}({arguments})"))
        .expects(expected)
}

/// Predictions or targets of a binary loss outside 0 to 1.
pub(super) fn binary(known: &Known) -> Script {
    let in_target = known.is_in("target");
    let range = Number::from(0)..=Number::from(1);
    let real = match known.fault {
        Fault::Nan => Some(Number::from(f64::NAN)),
        _ => known.value.filter(|value| !range.contains(value)),
    };
    let value = real.unwrap_or_else(|| Number::from(1.5));
    let shown = float_literal(value);
    let name = if in_target { "target" } else { "input" };
    let mut script = Script::showing(format!(
        "binary_cross_entropy with {value} in its {name}: allowed are 0 to 1."
    ));
    if real.is_none() {
        script = script.stands_in(format!(
            "The real value is not known: {value} stands in for it. NaN fails in the same way."
        ));
    }
    let (input, target) = if in_target {
        ("0.5".to_owned(), shown)
    } else {
        (shown, "1.0".to_owned())
    };
    let script = script
        .note("Shortened: one value.")
        .line(format!("input = torch.tensor([{input}])"))
        .line(format!("target = torch.tensor([{target}])"))
        .line("F.binary_cross_entropy(input, target)")
        .expects(format!(
            "RuntimeError: all elements of {name} should be between 0 and 1"
        ));
    // Targets are checked since the release whose CUDA kernel checks them, too.
    if in_target {
        script.since("2.1")
    } else {
        script
    }
}

/// CTC: lengths are checked on the CPU, labels are not. `None` for a negative length, which not all releases check.
pub(super) fn ctc(known: &Known) -> Option<Script> {
    let log_probs = known.shape(&["log_probs", "input"]);
    // A length may be the size itself.
    let stated = known.hi.and_then(whole);
    if known.is_in("input_lengths") {
        let steps = log_probs.and_then(|shape| shape.first().copied());
        return ctc_input_length(known, steps.or(stated));
    }
    if known.is_in("target_lengths") {
        return ctc_target_length(known, stated);
    }
    let classes = log_probs
        .filter(|shape| shape.len() > 1)
        .and_then(|shape| shape.last().copied());
    // What the guard stopped although it is a class is the blank.
    let blank = known
        .value
        .and_then(whole)
        .filter(|value| classes.is_some_and(|classes| *value < classes));
    let axis = axis(known, classes, false, "classes");
    let size = axis.size;
    let (value, script) = match blank {
        Some(blank) => (
            blank as i64,
            Script::showing(format!(
                "ctc_loss with the label {blank}, which is the blank: a label must be another of the {size} classes."
            )),
        ),
        None => (
            axis.value,
            Script::showing(format!(
                "ctc_loss with the label {}: allowed are {} ({size} classes, the blank included).",
                axis.value,
                axis.range(false)
            ))
            .with_axis(&axis),
        ),
    };
    let check = match blank {
        Some(blank) => format!("outside = targets[targets == {blank}]"),
        None => "outside = targets[(targets < 0) | (targets >= log_probs.size(-1))]".to_owned(),
    };
    Some(
        script
            .note("Shortened: one label.")
            .note(
                "On the CPU ctc_loss does not look at the labels: it reads past the end of log_probs without an error. \
                 It is not called here; the check below is the one that it lacks.",
            )
            .line(format!("log_probs = torch.zeros(4, 1, {size})  # steps, batch, classes"))
            .line(format!("targets = torch.tensor([[{value}]])"))
            .line(check)
            .line("print(\"labels out of range:\", outside.tolist())")
            .expects(format!("labels out of range: [{value}]"))
            .does_not_fail(WhyNot::CtcReadsOn),
    )
}

/// A number that counts something.
fn whole(number: Number) -> Option<u64> {
    u64::try_from(number.as_int()?).ok()
}

/// A length that is known to be above a size that a script may have, or stand-ins; `None` where it is negative.
fn lengths(known: &Known, size: Option<u64>) -> Option<(u64, u64, bool)> {
    if known.value.is_some_and(|value| value < Number::from(0)) {
        return None;
    }
    let real = size.zip(known.value.and_then(whole));
    let real = real.filter(|&(size, length)| {
        (1..=100_000).contains(&size) && (size + 1..1_000_000_000).contains(&length)
    });
    Some(match real {
        Some((size, length)) => (size, length, false),
        None => (4, 5, true),
    })
}

/// More steps than there are.
fn ctc_input_length(known: &Known, steps: Option<u64>) -> Option<Script> {
    let (steps, length, made) = lengths(known, steps)?;
    let mut script = Script::showing(format!(
        "ctc_loss with the input length {length}: log_probs has {steps} steps."
    ));
    if made {
        script = script.stands_in("The real lengths are not known: these stand in for them.");
    }
    Some(
        script
            .note("Shortened: one sample, two classes, one label.")
            .line(format!("log_probs = torch.zeros({steps}, 1, 2)  # steps, batch, classes"))
            .line("targets = torch.tensor([[1]])")
            .line(format!("input_lengths = torch.tensor([{length}])"))
            .line("F.ctc_loss(log_probs, targets, input_lengths, torch.tensor([1]))")
            .expects(format!(
                "RuntimeError: Expected input_lengths to have value at most {steps}, but got value {length}"
            )),
    )
}

/// More labels than there are.
fn ctc_target_length(known: &Known, room: Option<u64>) -> Option<Script> {
    let (room, length, made) = lengths(known, room)?;
    let mut script = Script::showing(format!(
        "ctc_loss with the target length {length}: targets holds {room} labels."
    ));
    if made {
        script = script.stands_in("The real lengths are not known: these stand in for them.");
    }
    Some(
        script
            .note("Shortened: one sample, two classes, one step.")
            .line("log_probs = torch.zeros(1, 1, 2)  # steps, batch, classes")
            .line(format!("targets = torch.ones(1, {room}, dtype=torch.int64)"))
            .line(format!("target_lengths = torch.tensor([{length}])"))
            .line("F.ctc_loss(log_probs, targets, torch.tensor([1]), target_lengths)")
            .expects(format!(
                "RuntimeError: Expected tensor to have size at least {length} at dimension 1, but got size {room} for argument #2 'targets'"
            )),
    )
}
