//! Values that mean something else than a class: ignore values, two-valued masks, wrapped -1, instance numbers, blur.

use super::patterns::SPECIAL;
use super::view::{RuleView, View};
use super::{Finding, FindingId, Severity, snippets};
use crate::knowledge::Certainty;
use crate::labels::{LabelFormat, Role};
use crate::range_check::{Breach, ElementType, Number};

/// What was told about a rule's values.
pub(super) struct Told {
    /// Nothing else need be said of the values above the range.
    pub whole_story: bool,
}

/// Finds what stands for something else. Of several readings the likeliest is told.
pub(super) fn find(view: &View<'_>, rule: &RuleView<'_>, out: &mut Vec<Finding>) -> Told {
    // Category ids are names: 255 is one like any other.
    if rule.used.role != Role::Class {
        return Told { whole_story: false };
    }
    let found = binary(view, rule)
        .or_else(|| instances(view, rule))
        .or_else(|| blurred(view, rule));
    if let Some(finding) = found {
        out.push(finding);
        return Told { whole_story: true };
    }
    if let Some(finding) = wrapped(view, rule).or_else(|| ignored_above(view, rule)) {
        out.push(finding);
    }
    Told { whole_story: false }
}

/// Pictures of classes: masks, and arrays of them.
fn is_picture(rule: &RuleView<'_>) -> bool {
    rule.groups
        .iter()
        .all(|g| g.format == LabelFormat::Mask || (is_array(g.format) && g.stream.shape.len() >= 2))
}

fn is_array(format: LabelFormat) -> bool {
    matches!(
        format,
        LabelFormat::Npy
            | LabelFormat::Npz
            | LabelFormat::Torch
            | LabelFormat::Pickle
            | LabelFormat::SafeTensors
            | LabelFormat::Idx
    )
}

/// How bad and how sure a pattern is: as what it explains, or a warning where no upper end is known.
fn trust(view: &View<'_>, rule: &RuleView<'_>) -> (Severity, Certainty) {
    if rule.used.rule.hi.is_some() {
        rule.trust_of_end(view.material)
    } else {
        (Severity::Warning, Certainty::Possible)
    }
}

fn pattern(
    id: FindingId,
    view: &View<'_>,
    rule: &RuleView<'_>,
    pick: impl Fn(Number) -> bool,
) -> Finding {
    let finding = rule.about(id, view, pick).trusted(trust(view, rule));
    if rule.used.rule.hi.is_some() {
        finding.explaining(FindingId::TooBig)
    } else {
        finding
    }
}

/// A mask of 0 and 255: two classes, painted in black and white.
fn binary(view: &View<'_>, rule: &RuleView<'_>) -> Option<Finding> {
    let white = Number::from(255_u8);
    let values: Vec<i128> = rule.whole().map(|(n, _)| n).collect();
    let past_end = rule.used.rule.hi.is_none_or(|hi| hi < white);
    if !is_picture(rule) || values != [0, 255] || !past_end {
        return None;
    }
    let mut finding = pattern(FindingId::Binary255, view, rule, |n| n == white);
    if rule.used.rule.hi.is_none() {
        finding.certainty = Certainty::Likely;
    }
    finding.snippet = snippets::binary(view, rule, &finding);
    Some(finding)
}

/// `class * 1000 + instance`, as Cityscapes and MOTS write it, or `class * 256 + instance` (KITTI).
fn instances(view: &View<'_>, rule: &RuleView<'_>) -> Option<Finding> {
    let wide = rule.groups.iter().all(|group| {
        !matches!(
            group.stream.element,
            Some(ElementType::U8 | ElementType::I8 | ElementType::Bool)
        )
    });
    if !is_picture(rule) || !wide {
        return None;
    }
    let hi = rule.used.rule.hi.and_then(Number::as_int);
    let above: Vec<i128> = rule
        .whole()
        .map(|(n, _)| n)
        .filter(|n| *n >= 256 && hi.is_none_or(|hi| *n > hi))
        .collect();
    // Ids of many classes look the same, and so do a few numbers of an array that is no picture.
    let mask = rule.groups.iter().all(|g| g.format == LabelFormat::Mask);
    let few_classes = hi.is_none_or(|hi| hi < 256);
    if above.is_empty() || !few_classes || (!mask && above.len() < 3) {
        return None;
    }
    let fits = |factor: i128| {
        let fitting = above
            .iter()
            .filter(|n| **n >= factor && hi.is_none_or(|hi| **n / factor <= hi))
            .count();
        fitting * 10 >= above.len() * 6
    };
    // Instance numbers are small: what is left of the ids tells which of the two forms they have.
    let left = |factor: i128| {
        let sum: f64 = above.iter().map(|n| (n % factor) as f64).sum();
        sum / factor as f64
    };
    let decimal = fits(1000) && (hi.is_some() || above.iter().all(|n| *n >= 1000));
    // Without a known number of classes only the decimal form is told: nothing else looks like it.
    let bytes = hi.is_some() && fits(256);
    let (variant, factor) = match (decimal, bytes) {
        (true, true) if left(256) < left(1000) => ("byte", 256),
        (true, _) => ("", 1000_i128),
        (false, true) => ("byte", 256),
        (false, false) => return None,
    };
    let mut finding = pattern(FindingId::InstanceIds, view, rule, |n| {
        n.as_int().is_some_and(|n| n >= factor)
    });
    finding.variant = variant;
    let example = *above.first()?;
    finding.args = vec![
        ("example", Number::from(example).into()),
        ("class", Number::from(example / factor).into()),
        ("factor", Number::from(factor).into()),
    ];
    finding.snippet = snippets::instances(view, rule, &finding, factor);
    Some(finding)
}

/// Many rare values where no class is: the mask was resized with interpolation or saved as JPEG.
fn blurred(view: &View<'_>, rule: &RuleView<'_>) -> Option<Finding> {
    let is_byte = |n: i128| (0..=255).contains(&n);
    if !is_picture(rule) || !rule.whole().all(|(n, _)| is_byte(n)) {
        return None;
    }
    let total: u64 = rule.whole().map(|(_, met)| met.count).sum();
    let known = rule.used.rule.hi;
    let stray = |n: Number| match known {
        Some(_) => rule.breach(n) == Some(Breach::Above) && n != Number::from(255_u8),
        // Of a mask without a known end only the two ends of grey are taken for painted.
        None => n != Number::from(0_u8) && n != Number::from(255_u8),
    };
    let strays: Vec<u64> = rule
        .seen
        .iter()
        .filter(|(n, _)| stray(**n))
        .map(|(_, met)| met.count)
        .collect();
    let sum: u64 = strays.iter().sum();
    let rare = strays.iter().all(|count| count * 20 < total);
    let enough = match known {
        Some(_) => strays.len() >= 6 && sum * 4 < total,
        None => strays.len() >= 40 && sum * 4 < total && rule.times(255) * 20 > total,
    };
    if !enough || !rare {
        return None;
    }
    let mut finding = pattern(FindingId::BlurredMask, view, rule, stray);
    finding.args = vec![
        ("distinct", super::Text::Count(strays.len() as u64)),
        ("share", share(sum, total).into()),
    ];
    finding.snippet = Some(snippets::nearest());
    Some(finding)
}

/// A share in percent, with one digit where it is small.
fn share(part: u64, total: u64) -> String {
    let percent = part as f64 * 100.0 / total.max(1) as f64;
    if percent < 0.1 {
        "<0.1 %".to_owned()
    } else if percent < 10.0 {
        format!("{percent:.1} %")
    } else {
        format!("{percent:.0} %")
    }
}

/// -1 in an unsigned type is its largest value.
fn wrapped(view: &View<'_>, rule: &RuleView<'_>) -> Option<Finding> {
    let hi = rule.used.rule.hi?;
    let element = rule.groups.first()?.stream.element?;
    let same = rule
        .groups
        .iter()
        .all(|g| g.stream.element == Some(element) && is_array(g.format));
    if !same || is_picture(rule) {
        return None;
    }
    let largest: i128 = match element {
        ElementType::U8 => 255,
        ElementType::U16 => 65535,
        _ => return None,
    };
    let above: Vec<i128> = rule
        .whole()
        .map(|(n, _)| n)
        .filter(|n| Number::from(*n) > hi)
        .collect();
    let [value] = above.as_slice() else {
        return None;
    };
    // 254 is a 255 from which 1 was subtracted.
    let shifted = *value == 254 && element == ElementType::U8;
    if *value != largest && !shifted {
        return None;
    }
    let number = Number::from(*value);
    let mut finding = pattern(FindingId::Wrapped, view, rule, |n| n == number);
    finding.variant = if shifted { "shifted" } else { "" };
    finding.args = vec![("element", element.name().into())];
    finding.ignore = Some(number);
    finding.snippet = snippets::unwrap_ignored(view, rule, &finding, *value);
    Some(finding)
}

/// 255 where no class is, and no ignore value that says so.
fn ignored_above(view: &View<'_>, rule: &RuleView<'_>) -> Option<Finding> {
    let value = [255_i64, 65535]
        .into_iter()
        .filter(|value| rule.times(*value) > 0)
        .find(|value| super::patterns::is_special(rule, i128::from(*value)))?;
    let number = Number::from(value);
    if rule.used.rule.ignore.contains(&number) {
        return None;
    }
    let core = super::patterns::core(rule);
    if rule.used.rule.hi.is_none() {
        // Without a known end, 255 is told only where it stands far from every class.
        let far =
            core.is_some_and(|core| core.distinct >= 2 && core.max + 100 <= i128::from(value));
        if !far {
            return None;
        }
    }
    let mut finding = pattern(FindingId::IgnoreNotSet, view, rule, |n| n == number);
    finding.variant = if rule.used.rule.hi.is_none() {
        "unknown"
    } else {
        ""
    };
    if !is_picture(rule) && rule.is_few(finding.count) {
        return Some(finding.only_few(rule));
    }
    finding.ignore = Some(number);
    finding.snippet = Some(snippets::ignore_index(value));
    Some(finding)
}

/// -100 or -1 below the range, where the ignore value is another one.
pub(super) fn ignored_below(view: &View<'_>, rule: &RuleView<'_>, out: &mut Vec<Finding>) {
    if rule.used.role != Role::Class {
        return;
    }
    for value in SPECIAL.into_iter().filter(|value| *value < 0) {
        let number = Number::from(value);
        let whole_test = value == -1 && super::values::is_unlabelled_test(rule);
        if rule.times(value) == 0 || rule.breach(number) != Some(Breach::Below) || whole_test {
            continue;
        }
        let mut finding = rule
            .about(FindingId::IgnoreNotSet, view, |n| n == number)
            .trusted(rule.trust(view.material))
            .explaining(FindingId::Negative);
        if !is_picture(rule) && rule.is_few(finding.count) {
            out.push(finding.only_few(rule));
            continue;
        }
        finding.ignore = Some(number);
        finding.snippet = Some(snippets::ignore_index(value));
        out.push(finding);
    }
}

/// Values that the user said are ignored: the check skips them, and the loss must be told, too.
pub(super) fn ignored_by_user(view: &View<'_>, rule: &RuleView<'_>, out: &mut Vec<Finding>) {
    if rule.used.role != Role::Class || !view.material.ignore_by_user {
        return;
    }
    for number in &rule.used.rule.ignore {
        let value = number.as_int().and_then(|value| i64::try_from(value).ok());
        // -100 is what the loss skips by itself.
        let Some(value) = value.filter(|value| *value != -100) else {
            continue;
        };
        if rule.times(value) == 0 {
            continue;
        }
        let mut finding = rule
            .about(FindingId::Remark, view, |n| n == *number)
            .trusted((Severity::Note, Certainty::Certain));
        finding.variant = "ignored";
        finding.snippet = Some(snippets::ignore_index(value));
        out.push(finding);
    }
}
