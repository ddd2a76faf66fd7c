//! Values that break their rule: each kind of breach is a finding of its own.

use super::view::{Met, RuleView, View, sort_values};
use super::{BreachAt, Finding, FindingId, Severity, Text, ValueCount};
use crate::knowledge::Certainty;
use crate::labels::Role;
use crate::range_check::{Breach, Number};

/// What breaks the rules.
pub(super) fn find(view: &View<'_>, out: &mut Vec<Finding>) {
    for rule in &view.rules {
        for breach in Breach::ALL {
            if rule.broken(breach) > 0 {
                out.push(of_breach(view, rule, breach));
            }
        }
        missing(view, rule, out);
        unknown_ids(view, rule, out);
    }
}

fn of_breach(view: &View<'_>, rule: &RuleView<'_>, breach: Breach) -> Finding {
    let trust = match breach {
        Breach::Above => rule.trust_of_end(view.material),
        _ => rule.trust(view.material),
    };
    let mut finding = Finding::new(FindingId::of_breach(breach), trust.0, trust.1);
    finding.rule = Some(rule.at);
    let mut first: Option<&BreachAt> = None;
    for group in &rule.groups {
        let Some(at) = group.breaches.get(&breach) else {
            continue;
        };
        finding.count += at.count;
        finding.files += at.files;
        if first.is_none_or(|first| view.before(&at.first.1, &first.first.1)) {
            first = Some(at);
        }
    }
    finding.files = rule.files(finding.files);
    finding.values = rule
        .seen
        .iter()
        .filter(|(number, _)| rule.breach(**number) == Some(breach))
        .map(|(number, met)| ValueCount {
            value: (*number).into(),
            count: met.count,
        })
        .collect();
    // The farthest value and the first one are named even where others are more frequent.
    let farthest = match breach {
        Breach::Below => finding.values.first().cloned(),
        _ => finding.values.last().cloned(),
    };
    let earliest = first.and_then(|at| {
        let value = Text::from(at.first.0);
        finding.values.iter().find(|v| v.value == value).cloned()
    });
    sort_values(&mut finding.values);
    for (from_end, named) in [farthest, earliest].into_iter().flatten().enumerate() {
        if !finding.values.contains(&named)
            && let Some(place) = finding.values.iter_mut().rev().nth(from_end)
        {
            *place = named;
        }
    }
    finding.first = first.map(|at| super::FoundValue {
        place: at.first.1.clone(),
        value: Some(at.first.0.into()),
        row_text: at.row_text.clone(),
    });
    // More distinct values than were kept: the first one is known in any case.
    if finding.values.is_empty()
        && let Some(at) = first
    {
        finding.values.push(ValueCount {
            value: at.first.0.into(),
            count: 1,
        });
    }
    finding.variant = variant(rule, breach);
    if breach == Breach::Fraction && is_measured(view, rule, finding.count) {
        finding.variant = "measured";
        finding.severity = Severity::Note;
        finding.certainty = Certainty::Likely;
    }
    if breach == Breach::Below && is_unlabelled_test(rule) {
        finding.variant = "unlabelled";
        finding.severity = Severity::Note;
        finding.certainty = Certainty::Likely;
    }
    finding
}

/// Which words fit: what the values are used as.
fn variant(rule: &RuleView<'_>, breach: Breach) -> &'static str {
    let used_as = rule.used.role;
    let numbers = matches!(used_as, Role::Probability | Role::Logits | Role::MultiLabel);
    let ignored = || {
        let value = Number::from(-100_i64);
        rule.seen.contains_key(&value) && rule.breach(value).is_some()
    };
    match breach {
        Breach::Nan | Breach::Infinite if numbers => return "float",
        Breach::Nan | Breach::Infinite | Breach::Fraction => return "",
        Breach::Below | Breach::Above if numbers => return "probability",
        Breach::Below if used_as == Role::Position || used_as == Role::TokenType => {
            return if ignored() {
                "embedding-ignore"
            } else {
                "embedding"
            };
        }
        Breach::Below if used_as == Role::Token && ignored() => return "embedding-ignore",
        Breach::Below | Breach::Above => {}
    }
    match used_as {
        Role::Token => "embedding",
        Role::Position => "position",
        Role::TokenType => "token-type",
        Role::Index => "index",
        _ => "",
    }
}

/// Most values have a fraction, and nobody said how many classes there are: probabilities or measurements, no class numbers.
fn is_measured(view: &View<'_>, rule: &RuleView<'_>, fractions: u64) -> bool {
    let numbers: u64 = rule.groups.iter().map(|group| group.count).sum();
    !view.material.bound_by_user
        && rule.used.role == Role::Class
        && rule.used.rule.hi.is_none()
        && fractions.saturating_mul(2) > numbers
}

/// A test split whose labels are all -1 is simply not labelled.
pub(super) fn is_unlabelled_test(rule: &RuleView<'_>) -> bool {
    let below = |group: &&&super::Group| group.broken(Breach::Below) > 0;
    rule.groups.iter().filter(below).all(|group| {
        group.split.as_deref() == Some("test")
            && group.seen.len() == 1
            && group.seen.contains_key(&Number::from(-1_i64))
    })
}

fn missing(view: &View<'_>, rule: &RuleView<'_>, out: &mut Vec<Finding>) {
    let mut finding = Finding::new(FindingId::Missing, Severity::Error, Certainty::Certain)
        .trusted(rule.trust(view.material));
    finding.rule = Some(rule.at);
    let mut first: Option<Met<'_>> = None;
    let mut unlabelled = true;
    for group in &rule.groups {
        let Some(met) = group.missing.as_ref().map(Met::of) else {
            continue;
        };
        finding.count += met.count;
        finding.files += met.files;
        unlabelled &= group.split.as_deref() == Some("test")
            && group.seen.is_empty()
            && group.names.is_empty();
        if first.is_none_or(|first| view.before(met.first, first.first)) {
            first = Some(met);
        }
    }
    let Some(first) = first.filter(|_| finding.count > 0) else {
        return;
    };
    finding.files = rule.files(finding.files);
    finding.first = Some(first.found(None));
    if unlabelled {
        finding.variant = "unlabelled";
        finding.severity = Severity::Note;
    } else {
        finding.snippet = super::snippets::missing(&finding);
    }
    out.push(finding);
}

/// Ids that the list of their own file lacks.
fn unknown_ids(view: &View<'_>, rule: &RuleView<'_>, out: &mut Vec<Finding>) {
    if rule.used.role != Role::CategoryId || rule.used.rule.hi.is_some() {
        return;
    }
    let mut finding = Finding::new(FindingId::UnknownClass, Severity::Error, Certainty::Certain);
    finding.rule = Some(rule.at);
    let mut first: Option<(Number, Met<'_>)> = None;
    let mut counts = std::collections::BTreeMap::<Number, u64>::new();
    for group in &rule.groups {
        let Some(list) = &group.stream.classes else {
            continue;
        };
        let ids: Vec<i64> = match &list.ids {
            Some(ids) => ids.clone(),
            None => (0..list.names.len() as i64).collect(),
        };
        let ids: std::collections::BTreeSet<Number> = ids.into_iter().map(Number::from).collect();
        if ids.is_empty() {
            continue;
        }
        let mut files = 0;
        for (number, met) in &group.seen {
            if ids.contains(number) || rule.breach(*number).is_some() {
                continue;
            }
            let met = Met::of(met);
            finding.count += met.count;
            files = files.max(met.files);
            *counts.entry(*number).or_default() += met.count;
            if first
                .as_ref()
                .is_none_or(|(_, first)| view.before(met.first, first.first))
            {
                first = Some((*number, met));
            }
        }
        finding.files += files;
    }
    let Some((number, met)) = first else {
        return;
    };
    finding.files = rule.files(finding.files);
    finding.first = Some(met.found(Some(number.into())));
    finding.values = counts
        .into_iter()
        .map(|(number, count)| ValueCount {
            value: number.into(),
            count,
        })
        .collect();
    sort_values(&mut finding.values);
    out.push(finding);
}
