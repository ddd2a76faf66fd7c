//! Draws: weights, probabilities, rates, parameters of distributions.

use super::axis::MOST_ELEMENTS;
use super::known::{Fault, Known, Operation};
use super::script::{Script, float_literal};
use super::stated;
use crate::range_check::Number;

/// Weights that nothing can be drawn with.
pub(super) fn multinomial(known: &Known) -> Script {
    let replaced = known.replacement == Some(true);
    // One draw takes the path without replacement in newer releases, whatever was asked for.
    let call = if replaced {
        "torch.multinomial(probs, 2, replacement=True)"
    } else {
        "torch.multinomial(probs, 1)"
    };
    let length = known
        .shape(&["input", "probs"])
        .and_then(|shape| shape.last().copied())
        .filter(|length| (2..=MOST_ELEMENTS).contains(length));
    let weights = length.unwrap_or(2);
    let shortened = if length.is_some() {
        "Shortened: one row."
    } else {
        "Shortened: one row of two weights."
    };
    if known.fault == Fault::Sum {
        return Script::showing(
            "multinomial with weights that are all 0: their sum must be above 0.",
        )
        .note(shortened)
        .line(format!("probs = torch.zeros({weights})"))
        .line(call)
        .expects("RuntimeError: invalid multinomial distribution (sum of probabilities <= 0)");
    }
    let refused =
        |value: &Number| value.is_nan() || value.is_infinite() || *value < Number::from(0);
    let real = match known.fault {
        Fault::Nan => Some(Number::from(f64::NAN)),
        _ => known.value.filter(refused),
    };
    let value = real.unwrap_or_else(|| Number::from(f64::NAN));
    let mut script = Script::showing(format!(
        "multinomial with the weight {value}: weights must be finite and not negative."
    ));
    if real.is_none() {
        script = script.stands_in(
            "The real value is not known: NaN stands in for it. Infinity and negative numbers fail as well.",
        );
    }
    let without = "RuntimeError: probability tensor contains either `inf`, `nan` or element < 0";
    let negative =
        "RuntimeError: invalid multinomial distribution (encountering probability entry < 0)";
    let infinite = "RuntimeError: invalid multinomial distribution (encountering probability entry = infinity or NaN)";
    let expected = match value {
        _ if !replaced => without,
        // NaN is not negative, and yet this is what it is called here.
        _ if value.is_nan() || value < Number::from(0) => negative,
        _ => infinite,
    };
    let script = script
        .note(shortened)
        .line(format!("probs = torch.ones({weights})"))
        .line(format!("probs[0] = {}", float_literal(value)))
        .line(call);
    script.expects(expected)
}

/// A probability of `bernoulli` or a rate of `poisson`.
pub(super) fn rate(known: &Known) -> Script {
    let poisson = known.operation == Operation::Poisson;
    let refused = |value: &Number| {
        value.is_nan() || *value < Number::from(0) || (!poisson && *value > Number::from(1))
    };
    let real = match known.fault {
        Fault::Nan => Some(Number::from(f64::NAN)),
        _ => known.value.filter(refused),
    };
    let value = real.unwrap_or_else(|| Number::from(if poisson { -1.0 } else { 1.5 }));
    let shown = float_literal(value);
    let mut script = Script::showing(if poisson {
        format!("poisson with the rate {value}: it must not be negative or NaN.")
    } else {
        format!("bernoulli with the probability {value}: allowed are 0 to 1.")
    });
    if real.is_none() {
        script = script.stands_in(format!(
            "The real value is not known: {value} stands in for it. NaN fails in the same way."
        ));
    }
    let script = script.note("Shortened: one value.");
    if poisson {
        script
            .line(format!("rate = torch.tensor([{shown}])"))
            .line("torch.poisson(rate)")
            .expects("RuntimeError: invalid Poisson rate, expected rate to be non-negative")
    } else {
        script
            .line(format!("probs = torch.tensor([{shown}])"))
            .line("torch.bernoulli(probs)")
            .expects("RuntimeError: Expected p_in >= 0 && p_in <= 1 to be true, but got false.")
    }
}

/// A parameter that a distribution refuses; the error names both.
pub(super) fn distribution(known: &Known) -> Option<Script> {
    let (name, parameter) = stated::distribution(known.stated.as_deref()?)?;
    let arguments = match (name, parameter) {
        ("Normal", "loc") => "loc=bad, scale=1.0",
        ("Normal", "scale") => "loc=0.0, scale=bad",
        ("Categorical" | "Bernoulli", "logits") => "logits=bad",
        ("Categorical" | "Bernoulli", "probs") => "probs=bad",
        _ => return None,
    };
    Some(
        Script::showing(format!("{name} with NaN in its parameter {parameter}."))
            .stands_in("The real values are not known: NaN, the usual one, stands in for them.")
            .note("Shortened: one row of two numbers.")
            .line("bad = torch.tensor([[float(\"nan\"), 1.0]])")
            .line(format!("torch.distributions.{name}({arguments}, validate_args=True)"))
            .expects(format!(
                "ValueError: Expected parameter {parameter} (Tensor of shape (1, 2)) of distribution {name}("
            )),
    )
}
