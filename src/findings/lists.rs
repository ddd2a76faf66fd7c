//! Two lists of the same classes in another order.

use std::collections::BTreeMap;

use super::view::View;
use super::{Finding, FindingId, FoundValue, Severity, Text};
use crate::knowledge::Certainty;
use crate::labels::{ClassList, LabelFormat, Place};
use crate::range_check::Number;

/// Lists that are compared with each other.
const MOST_LISTS: usize = 50;

/// Names that have another number in the other list: name, number there, number here.
pub(super) fn moved<'l>(there: &ClassList, here: &'l ClassList) -> Vec<(&'l str, u64, u64)> {
    let mut numbers: BTreeMap<&str, u64> = BTreeMap::new();
    for (name, at) in there.names.iter().zip(0..) {
        numbers.entry(name).or_insert(at);
    }
    here.names
        .iter()
        .zip(0..)
        .filter_map(|(name, at)| Some((name.as_str(), *numbers.get(name.as_str())?, at)))
        .filter(|(_, known, at)| known != at)
        .collect()
}

/// The same names in another order in two lists.
pub(super) fn find(view: &View<'_>, out: &mut Vec<Finding>) {
    let bounds = view
        .material
        .bounds
        .iter()
        .filter_map(|bound| bound.names.as_deref());
    let own = view
        .material
        .groups
        .iter()
        .filter(|group| group.format != LabelFormat::ImageFolder)
        .filter_map(|group| group.stream.classes.as_deref());
    let beside = view.material.class_lists.iter().map(AsRef::as_ref);
    let mut all: Vec<&ClassList> = Vec::new();
    for list in bounds.chain(own).chain(beside) {
        let numbered_by_place = list.ids.is_none();
        let new = || all.iter().all(|known| known.names != list.names);
        if numbered_by_place && list.names.len() > 1 && all.len() < MOST_LISTS && new() {
            all.push(list);
        }
    }
    categories(view, out);
    for (at, first) in all.iter().enumerate() {
        let sorted = |list: &ClassList| {
            let mut names = list.names.clone();
            names.sort_unstable();
            names
        };
        let names = sorted(first);
        let other = all.iter().skip(at + 1).find(|other| {
            other.names.len() == first.names.len()
                && other.names != first.names
                && sorted(other) == names
        });
        let Some(other) = other else {
            continue;
        };
        let moved = moved(first, other);
        let Some(&(name, there, here)) = moved.first() else {
            continue;
        };
        let mut finding = Finding::new(FindingId::Order, Severity::Warning, Certainty::Certain);
        finding.count = moved.len() as u64;
        finding.files = 2;
        finding.first = Some(FoundValue {
            place: Place {
                path: other.source.path.clone(),
                line: other.source.line,
                ..Place::default()
            },
            value: Some(name.into()),
            row_text: None,
        });
        finding.args = vec![
            ("class", name.into()),
            ("there", Text::Count(there)),
            ("here", Text::Count(here)),
            ("base", super::names::list_name(first).into()),
            ("split", super::names::list_name(other).into()),
        ];
        out.push(finding);
        return;
    }
}

/// Categories of two files that have the same names, but not the same ids.
fn categories(view: &View<'_>, out: &mut Vec<Finding>) {
    let mut lists = view
        .material
        .groups
        .iter()
        .filter_map(|group| Some((group, group.stream.classes.as_deref()?)))
        .filter_map(|(group, list)| {
            let ids = list.ids.as_ref()?;
            let numbers: BTreeMap<&str, i64> = list
                .names
                .iter()
                .map(String::as_str)
                .zip(ids.iter().copied())
                .collect();
            Some((group, list, numbers))
        });
    let Some((base, first, numbers)) = lists.next() else {
        return;
    };
    for (group, other, own) in lists.take(MOST_LISTS) {
        // Files of other data sets share a name now and then.
        if numbers.len() < 2 || !numbers.keys().eq(own.keys()) {
            continue;
        }
        let moved: Vec<(&str, i64, i64)> = own
            .iter()
            .filter_map(|(name, here)| Some((*name, *numbers.get(name)?, *here)))
            .filter(|(_, there, here)| there != here)
            .collect();
        let Some(&(name, there, here)) = moved.first() else {
            continue;
        };
        // The splits are the shorter names.
        let (base_name, other_name) = match (&base.split, &group.split) {
            (Some(a), Some(b)) if a != b => (a.to_string(), b.to_string()),
            _ => (
                super::names::list_name(first),
                super::names::list_name(other),
            ),
        };
        let mut finding = Finding::new(FindingId::Order, Severity::Warning, Certainty::Certain);
        finding.variant = "ids";
        finding.count = moved.len() as u64;
        finding.files = 2;
        finding.first = Some(FoundValue {
            place: Place {
                path: other.source.path.clone(),
                line: other.source.line,
                ..Place::default()
            },
            value: Some(name.into()),
            row_text: None,
        });
        finding.args = vec![
            ("class", name.into()),
            ("there", Number::from(there).into()),
            ("here", Number::from(here).into()),
            ("base", base_name.into()),
            ("split", other_name.into()),
        ];
        out.push(finding);
        return;
    }
}
