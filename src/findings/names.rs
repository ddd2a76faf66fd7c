//! Labels that are names.

use std::collections::BTreeMap;

use super::view::{Met, RuleView, View, sort_values};
use super::{Finding, FindingId, Severity, Text, ValueCount};
use crate::knowledge::Certainty;
use crate::labels::ClassList;

/// Names longer than this are not compared letter by letter.
const MOST_LETTERS: usize = 64;

/// Names that are not in the list, and names that differ only by case.
pub(super) fn find(view: &View<'_>, out: &mut Vec<Finding>) {
    for rule in &view.rules {
        let names = names(view, rule);
        if names.is_empty() {
            continue;
        }
        match rule.used.names.as_deref() {
            Some(list) if !list.names.is_empty() => not_in_list(view, rule, &names, list, out),
            _ => {
                among_numbers(view, rule, &names, out);
                too_many(view, rule, &names, out);
                case_clashes(view, rule, &names, out);
            }
        }
    }
}

/// Names of all groups of a rule.
pub(super) fn names<'a>(view: &View<'a>, rule: &RuleView<'a>) -> BTreeMap<&'a str, Met<'a>> {
    let mut names: BTreeMap<&str, Met<'_>> = BTreeMap::new();
    for group in &rule.groups {
        for (name, met) in &group.names {
            let met = Met::of(met);
            names
                .entry(name)
                .and_modify(|known| known.add(met, view))
                .or_insert(met);
        }
    }
    names
}

/// A finding about some names; the first of them in reading order is `first`.
fn about(id: FindingId, rule: &RuleView<'_>, picked: &[(&str, Met<'_>)], first: usize) -> Finding {
    let mut finding = Finding::new(id, Severity::Error, Certainty::Certain);
    finding.rule = Some(rule.at);
    finding.count = picked.iter().map(|(_, met)| met.count).sum();
    let files = picked.iter().map(|(_, met)| met.files).sum();
    finding.files = rule.files(files);
    finding.values = picked
        .iter()
        .map(|(name, met)| ValueCount {
            value: (*name).into(),
            count: met.count,
        })
        .collect();
    sort_values(&mut finding.values);
    finding.first = picked
        .get(first)
        .map(|(name, met)| met.found(Some((*name).into())));
    finding
}

fn not_in_list(
    view: &View<'_>,
    rule: &RuleView<'_>,
    names: &BTreeMap<&str, Met<'_>>,
    list: &ClassList,
    out: &mut Vec<Finding>,
) {
    let known: std::collections::BTreeSet<&str> = list
        .names
        .iter()
        .chain(&list.special)
        .map(String::as_str)
        .collect();
    let unknown: Vec<(&str, Met<'_>)> = names
        .iter()
        .filter(|(name, _)| !known.contains(**name))
        .map(|(name, met)| (*name, *met))
        .collect();
    if unknown.is_empty() {
        return;
    }
    let first = first_of(view, &unknown);
    let mut finding = about(FindingId::Text, rule, &unknown, first);
    let nearest = unknown
        .get(first)
        .and_then(|(name, _)| nearest(name, &list.names));
    if let Some((near, only_form)) = nearest {
        finding.variant = if only_form { "case" } else { "nearest" };
        finding.args.push(("nearest", near.into()));
    }
    finding.args.push(("list", list_name(list).into()));
    finding
        .args
        .push(("known", Text::Count(list.names.len() as u64)));
    let pairs: Vec<(&str, Option<&str>)> = unknown
        .iter()
        .take(20)
        .map(|(name, _)| {
            (
                *name,
                self::nearest(name, &list.names).map(|(near, _)| near),
            )
        })
        .collect();
    finding.snippet = super::snippets::rename(&finding, &pairs);
    out.push(finding);
}

/// The earliest in reading order.
fn first_of(view: &View<'_>, names: &[(&str, Met<'_>)]) -> usize {
    let mut first = 0;
    for (at, (_, met)) in names.iter().enumerate() {
        if names
            .get(first)
            .is_some_and(|(_, known)| view.before(met.first, known.first))
        {
            first = at;
        }
    }
    first
}

/// A few names in a column of numbers.
fn among_numbers(
    view: &View<'_>,
    rule: &RuleView<'_>,
    names: &BTreeMap<&str, Met<'_>>,
    out: &mut Vec<Finding>,
) {
    let numbers: u64 = rule.seen.values().map(|met| met.count).sum();
    let count: u64 = names.values().map(|met| met.count).sum();
    if count == 0 || numbers <= count {
        return;
    }
    let picked: Vec<(&str, Met<'_>)> = names.iter().map(|(name, met)| (*name, *met)).collect();
    let mut finding = about(FindingId::Text, rule, &picked, first_of(view, &picked));
    finding.variant = "no-list";
    out.push(finding);
}

/// More different names than the model has outputs, where no list says which is which.
fn too_many(
    view: &View<'_>,
    rule: &RuleView<'_>,
    names: &BTreeMap<&str, Met<'_>>,
    out: &mut Vec<Finding>,
) {
    let distinct = names.len() as u64;
    let size = rule.size().and_then(|size| u64::try_from(size).ok());
    let Some(size) = size.filter(|size| *size < distinct && rule.seen.is_empty()) else {
        return;
    };
    let all: Vec<(&str, Met<'_>)> = names.iter().map(|(name, met)| (*name, *met)).collect();
    let mut finding = about(FindingId::CountMismatch, rule, &all, first_of(view, &all))
        .trusted(rule.trust_of_end(view.material));
    finding.variant = "labels";
    finding.args = vec![
        ("names", Text::Count(distinct)),
        ("size", Text::Count(size)),
    ];
    out.push(finding);
}

/// Names that only case or blanks tell apart: two classes by accident.
fn case_clashes(
    view: &View<'_>,
    rule: &RuleView<'_>,
    names: &BTreeMap<&str, Met<'_>>,
    out: &mut Vec<Finding>,
) {
    let mut forms: BTreeMap<String, Vec<(&str, Met<'_>)>> = BTreeMap::new();
    for (name, met) in names {
        forms.entry(plain(name)).or_default().push((name, *met));
    }
    let clashes: Vec<Vec<(&str, Met<'_>)>> = forms
        .into_values()
        .filter(|names| names.len() > 1)
        .collect();
    // The rarer form is the likelier slip.
    let rare: Vec<(&str, Met<'_>)> = clashes
        .iter()
        .filter_map(|names| names.iter().min_by_key(|(_, met)| met.count).copied())
        .collect();
    let Some(first) = clashes.first() else {
        return;
    };
    let mut finding = about(FindingId::CaseClash, rule, &rare, first_of(view, &rare));
    finding.severity = Severity::Warning;
    finding.certainty = Certainty::Likely;
    if let [(a, _), (b, _), ..] = first.as_slice() {
        finding.args = vec![("one", (*a).into()), ("other", (*b).into())];
    }
    out.push(finding);
}

/// A name without case and without blanks, hyphens and underscores.
pub(super) fn plain(name: &str) -> String {
    name.chars()
        .filter(|c| !c.is_whitespace() && !matches!(c, '-' | '_'))
        .flat_map(char::to_lowercase)
        .collect()
}

/// The nearest name of a list, and whether only case, blanks or hyphens differ.
fn nearest<'l>(name: &str, list: &'l [String]) -> Option<(&'l str, bool)> {
    let form = plain(name);
    if let Some(same) = list
        .iter()
        .find(|known| plain(known) == form && !form.is_empty())
    {
        return Some((same, true));
    }
    let letters = name.chars().count();
    if letters > MOST_LETTERS {
        return None;
    }
    let most = (letters / 3).clamp(1, 4);
    list.iter()
        .filter(|known| known.chars().count().abs_diff(letters) <= most)
        .map(|known| (distance(name, known), known))
        .filter(|(distance, _)| *distance <= most)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, known)| (known.as_str(), false))
}

/// How many letters must be put in, taken out or changed to make one name of the other.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut corner = i;
        let mut left = i + 1;
        let mut next = Vec::with_capacity(row.len());
        next.push(left);
        for (to, above) in b.iter().zip(row.iter().skip(1)) {
            let changed = corner + usize::from(from != *to);
            corner = *above;
            left = changed.min(left + 1).min(above + 1);
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

/// How a class list is called in a text: its file, or the folder's last name.
pub(super) fn list_name(list: &ClassList) -> String {
    let path = list.source.path.as_deref();
    let file = path.and_then(|path| path.file_name());
    match file {
        Some(file) => file.to_string_lossy().into_owned(),
        None => list.source.what.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, list: &[&str], expected: Option<(&str, bool)>) {
        let list: Vec<String> = list.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(nearest(name, &list), expected);
    }

    #[test]
    fn the_nearest_name_is_suggested() {
        let list = ["person", "traffic light", "car", "cat", "N/A"];
        check("Person ", &list, Some(("person", true)));
        check("traffic_light", &list, Some(("traffic light", true)));
        check("trafic light", &list, Some(("traffic light", false)));
        check("cars", &list, Some(("car", false)));
        check("zebra", &list, None);
        check("", &list, None);
        check(&"x".repeat(5000), &list, None);
    }

    #[test]
    fn distances_count_single_letters() {
        for (a, b, expected) in [
            ("", "", 0),
            ("a", "", 1),
            ("kitten", "sitting", 3),
            ("ab", "ba", 2),
        ] {
            assert_eq!(distance(a, b), expected);
        }
    }
}
