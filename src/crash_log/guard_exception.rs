//! What the guard's exception says, where its own line is not in the log: somebody pasted only the traceback.
//!
//! `assert_doctor_guard.AssertDoctorGuardError: cross_entropy: target[3, 17] is 80, allowed is 0 to 79 (input.size(1) is 80).`

use super::guard_fields::not_finite;
use super::{ErrorFamily, Facts, GuardCheck, GuardFrame, GuardNumber, GuardViolation, Source};

/// Adds a violation for the guard's exception where the log has none of its lines.
pub(super) fn complete(facts: &mut Facts) {
    if facts.guard.violation_count > 0 {
        return;
    }
    let found = facts.errors.iter().enumerate().find_map(|(index, error)| {
        (error.family == ErrorFamily::GuardCaught)
            .then(|| Some((index, error, violation(&error.text)?)))
            .flatten()
    });
    let Some((index, error, mut violation)) = found else {
        return;
    };
    violation.line = error.line;
    violation.rank = match error.source {
        Some(Source::Rank(rank)) => Some(rank),
        _ => None,
    };
    // The guard's own frames stand at the end of the traceback and are a library's; the user's last one made the call.
    let traceback = facts.tracebacks.iter().find(|t| t.error == Some(index));
    let frames = traceback
        .into_iter()
        .flat_map(|traceback| &traceback.frames);
    violation.frames = frames
        .filter(|frame| !frame.library)
        .map(|frame| GuardFrame {
            file: frame.file.clone(),
            line: frame.line,
            function: frame.function.clone(),
            code: frame.code.clone(),
        })
        .collect();
    let skip = violation.frames.len().saturating_sub(8);
    violation.frames.drain(..skip);
    facts.guard.violation_count = 1;
    facts.guard.violations.push(violation);
}

/// Reads the exception's first line; `None` where not even the operation is named.
fn violation(text: &str) -> Option<GuardViolation> {
    let (_, rest) = text.split_once("AssertDoctorGuardError: ")?;
    let (operation, sentence) = rest.split_once(": ")?;
    let is_name = |text: &str| {
        !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    if !is_name(operation) {
        return None;
    }
    let mut violation = GuardViolation {
        operation: operation.to_owned(),
        message: Some(sentence.to_owned()),
        from_exception: true,
        ..GuardViolation::default()
    };
    if sentence.contains("its type is ") {
        violation.check = GuardCheck::Dtype;
    } else if sentence.contains(" has shape ")
        || sentence.contains(" is larger than ")
        || sentence.contains(" dimension")
        || sentence.contains(" samples, ")
        || sentence.contains(" add up to ")
    {
        violation.check = GuardCheck::Shape;
    } else if sentence.contains("all probabilities of ") {
        violation.check = GuardCheck::Sum;
    }
    let Some((position, rest)) = sentence.split_once(" is ") else {
        return Some(violation);
    };
    let (what, index) = match position.strip_suffix(']').and_then(|p| p.split_once('[')) {
        Some((what, index)) => (what, index),
        None => (position, ""),
    };
    let end = rest.find(", ").unwrap_or(rest.len());
    let value = rest.get(..end).unwrap_or_default().trim_end_matches('.');
    let Some(value) = number(value).filter(|_| is_name(what)) else {
        return Some(violation);
    };
    violation.what = Some(what.to_owned());
    violation.index = index.split(", ").map_while(|n| n.parse().ok()).collect();
    violation.value = Some(value);
    violation.check = match value {
        GuardNumber::NotFinite(super::NotFinite::Nan) => GuardCheck::Nan,
        _ => GuardCheck::Range,
    };
    if let Some((_, allowed)) = rest.split_once("allowed is ")
        && let Some((lo, rest)) = allowed.split_once(" to ")
    {
        let end = rest.find([' ', ')']).unwrap_or(rest.len());
        let hi = rest
            .get(..end)
            .unwrap_or_default()
            .trim_end_matches(['.', ',']);
        if let (Some(lo), Some(hi)) = (number(lo), number(hi)) {
            (violation.lo, violation.hi) = (Some(lo), Some(hi));
        }
    }
    if let Some((_, size)) = sentence.rsplit_once('(').filter(|_| violation.hi.is_some())
        && let Some((size_of, _)) = size.rsplit_once(" is ")
    {
        // `(input.size(1) is 80)`: the inner bracket belongs to the name.
        let name = sentence
            .rsplit_once(" (")
            .and_then(|(_, inside)| inside.rsplit_once(" is "))
            .map_or(size_of, |(name, _)| name);
        violation.size_of = Some(name.to_owned());
    }
    Some(violation)
}

fn number(text: &str) -> Option<GuardNumber> {
    if let Some(number) = not_finite(text) {
        return Some(number);
    }
    if let Ok(whole) = text.parse::<i64>() {
        return Some(GuardNumber::Int(whole));
    }
    let looks_like_number = text.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    let value: f64 = text.parse().ok().filter(|_| looks_like_number)?;
    value.is_finite().then_some(GuardNumber::Float(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let text = format!("assert_doctor_guard.AssertDoctorGuardError: {text}");
        let told = violation(&text).map(|v| {
            format!(
                "{} {:?} {} {:?} {:?} {}",
                v.operation,
                v.check,
                v.position().unwrap_or_default(),
                v.value.map(|value| value.to_string()),
                v.range(),
                v.size_of.unwrap_or_default()
            )
        });
        assert_eq!(told.unwrap_or_default(), expected, "{text}");
    }

    #[test]
    fn sentences_of_the_guard() {
        check(
            "cross_entropy: target[3, 17] is 80, allowed is 0 to 79 (input.size(1) is 80).",
            "cross_entropy Range target[3, 17] Some(\"80\") Some((0, 79)) input.size(1)",
        );
        check(
            "index: index[2] is -9, allowed is -3 to 2 (input.size(0) is 3).",
            "index Range index[2] Some(\"-9\") Some((-3, 2)) input.size(0)",
        );
        check(
            "binary_cross_entropy: input[0] is 1.25, allowed is 0.0 to 1.0.",
            "binary_cross_entropy Range input[0] Some(\"1.25\") Some((0, 1)) ",
        );
        check(
            "multinomial: input[1, 0] is nan, a probability must be finite and not negative.",
            "multinomial Nan input[1, 0] Some(\"NaN\") None ",
        );
        check(
            "multinomial: all probabilities of input[4] are 0, nothing can be drawn.",
            "multinomial Sum  None None ",
        );
        check(
            "nll_loss: input holds 4 samples, target 3.",
            "nll_loss Shape  None None ",
        );
        check(
            "one_hot: input is -1, it must not be negative.",
            "one_hot Range input Some(\"-1\") None ",
        );
        check(
            "cross_entropy: target[3, 17",
            "cross_entropy Other  None None ",
        );
        check("something else", "");
    }
}
