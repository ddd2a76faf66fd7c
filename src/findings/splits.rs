//! Training against validation and test: classes that only one has, the same names under other numbers.

use std::collections::{BTreeMap, BTreeSet};

use super::view::{Met, RuleView, View, sort_values};
use super::{Finding, FindingId, FoundValue, Group, Severity, Text, ValueCount};
use crate::knowledge::Certainty;
use crate::labels::{ClassList, LabelFormat, Place, Role, TroubleKind};
use crate::range_check::Breach;

/// With fewer training labels than this, a class that they lack says nothing.
const FEW_LABELS: u64 = 10;

/// Whether a split is the one that is trained on.
fn is_train(split: Option<&str>) -> bool {
    split.is_some_and(|split| matches!(split.to_ascii_lowercase().as_str(), "train" | "training"))
}

/// Whether a split is another one than training.
fn is_other(split: Option<&str>) -> bool {
    split.is_some() && !is_train(split)
}

/// What differs between the splits.
pub(super) fn find(view: &View<'_>, out: &mut Vec<Finding>) {
    for rule in &view.rules {
        val_only(view, rule, out);
    }
    folders(view, out);
}

/// Groups of one rule in training and in the other splits. File formats that name their own ids have a rule a file.
fn sides<'a>(view: &View<'a>, rule: &RuleView<'a>) -> (Vec<&'a Group>, Vec<&'a Group>) {
    let same_kind = |group: &&Group| {
        group.rule == rule.at
            || view.material.rules.get(group.rule).is_some_and(|used| {
                used.role == rule.used.role
                    && matches!(used.role, Role::Class | Role::CategoryId)
                    && used.name == rule.used.name
            })
    };
    let train = view
        .material
        .groups
        .iter()
        .filter(same_kind)
        .filter(|group| is_train(group.split.as_deref()))
        .collect();
    let others = rule
        .groups
        .iter()
        .filter(|group| is_other(group.split.as_deref()))
        .copied()
        .collect();
    (train, others)
}

fn val_only(view: &View<'_>, rule: &RuleView<'_>, out: &mut Vec<Finding>) {
    if !matches!(rule.used.role, Role::Class | Role::CategoryId) {
        return;
    }
    let (train, others) = sides(view, rule);
    let cut = train
        .iter()
        .any(|group| group.more_seen || group.more_names);
    if train.is_empty() || others.is_empty() || cut {
        return;
    }
    if others
        .iter()
        .any(|group| group.format == LabelFormat::ImageFolder)
    {
        folder_classes(&train, &others, out);
        return;
    }
    new_names(view, rule, &train, &others, out);
    new_numbers(view, rule, &train, &others, out);
}

/// A name that training lacks: with ids made from the training names there is no place for it.
fn new_names(
    view: &View<'_>,
    rule: &RuleView<'_>,
    train: &[&Group],
    others: &[&Group],
    out: &mut Vec<Finding>,
) {
    let listed = rule
        .used
        .names
        .as_ref()
        .is_some_and(|list| !list.names.is_empty());
    let trained: BTreeSet<&String> = train.iter().flat_map(|group| group.names.keys()).collect();
    if trained.is_empty() {
        return;
    }
    let list = rule.used.names.as_ref();
    let known: BTreeSet<&String> = list.iter().flat_map(|list| &list.names).collect();
    let mut found: BTreeMap<Text, Met<'_>> = BTreeMap::new();
    for group in others {
        for (name, met) in group
            .names
            .iter()
            .filter(|(name, _)| !trained.contains(name))
        {
            // A name that the list lacks is told as such.
            let unknown = listed && !known.contains(name);
            if !unknown {
                let met = Met::of(met);
                found
                    .entry(Text::Name(name.clone()))
                    .and_modify(|known| known.add(met, view))
                    .or_insert(met);
            }
        }
    }
    push(
        view,
        rule,
        &found,
        if listed { Kind::Fixed } else { Kind::New },
        others,
        out,
    );
}

/// A number that training lacks.
fn new_numbers(
    view: &View<'_>,
    rule: &RuleView<'_>,
    train: &[&Group],
    others: &[&Group],
    out: &mut Vec<Finding>,
) {
    let trained: BTreeSet<_> = train.iter().flat_map(|group| group.seen.keys()).collect();
    if trained.is_empty() {
        return;
    }
    let mut lists = train
        .iter()
        .filter_map(|group| group.stream.classes.as_deref());
    // The list of the training file: a loader that maps its ids has no place for others.
    let own = (rule.used.role == Role::CategoryId)
        .then(|| lists.next())
        .flatten();
    let own_ids: Option<BTreeSet<i64>> =
        own.and_then(|list| Some(list.ids.as_ref()?.iter().copied().collect()));
    let mut new: BTreeMap<Text, Met<'_>> = BTreeMap::new();
    let mut listed: BTreeMap<Text, Met<'_>> = BTreeMap::new();
    for group in others {
        for (number, met) in &group.seen {
            let ignored = rule.used.rule.ignore.contains(number);
            let Some(whole) = number
                .as_int()
                .filter(|_| !ignored && !trained.contains(number))
            else {
                continue;
            };
            // A value outside the range is told as such; -1 is "no label".
            if rule.breach(*number).is_some() || whole < 0 {
                continue;
            }
            let id = i64::try_from(whole).unwrap_or(i64::MAX);
            let known = own.is_none_or(|list| match &own_ids {
                Some(ids) => ids.contains(&id),
                None => id < list.names.len() as i64,
            });
            // The list of the training file has a place for it, whether it occurs there or not.
            if own.is_some() && known {
                continue;
            }
            let side = if known { &mut listed } else { &mut new };
            let met = Met::of(met);
            side.entry(Text::Number(*number))
                .and_modify(|known| known.add(met, view))
                .or_insert(met);
        }
    }
    push(view, rule, &new, Kind::NewId, others, out);
    let known_end = own.is_some() || rule.used.rule.hi.is_some();
    let kind = if known_end {
        Kind::Fixed
    } else {
        Kind::Numbers
    };
    // A handful of training labels cannot hold every class.
    let trained_on: u64 = train.iter().map(|group| group.count).sum();
    if kind != Kind::Fixed || trained_on >= FEW_LABELS {
        push(view, rule, &listed, kind, others, out);
    }
}

/// Why a class that only validation has matters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Ids are made from the training names.
    New,
    /// An id that the list of the training file lacks.
    NewId,
    /// Ids are fixed elsewhere: it is only never trained.
    Fixed,
    /// Plain numbers, and nothing says how many classes there are.
    Numbers,
}

fn push(
    view: &View<'_>,
    rule: &RuleView<'_>,
    found: &BTreeMap<Text, Met<'_>>,
    kind: Kind,
    others: &[&Group],
    out: &mut Vec<Finding>,
) {
    let mut first: Option<(&Text, Met<'_>)> = None;
    for (value, met) in found {
        if first
            .as_ref()
            .is_none_or(|(_, first)| view.before(met.first, first.first))
        {
            first = Some((value, *met));
        }
    }
    let Some((value, met)) = first else {
        return;
    };
    let (variant, severity, certainty) = match kind {
        Kind::New => ("", Severity::Error, Certainty::Likely),
        Kind::NewId => ("id", Severity::Error, Certainty::Likely),
        Kind::Fixed => ("fixed", Severity::Note, Certainty::Certain),
        Kind::Numbers => ("numbers", Severity::Warning, Certainty::Possible),
    };
    let mut finding = Finding::new(FindingId::ValOnly, severity, certainty);
    finding.rule = Some(rule.at);
    finding.variant = variant;
    finding.count = found.values().map(|met| met.count).sum();
    finding.files = rule.files(found.values().map(|met| met.files).sum());
    finding.first = Some(met.found(Some(value.clone())));
    let name = match value {
        Text::Number(number) => number
            .as_int()
            .and_then(|n| class_name(rule, others, n))
            .map(|name| format!("{number} ({name})")),
        _ => None,
    };
    let shown = name.unwrap_or_else(|| match value {
        Text::Number(number) => number.to_string(),
        Text::Count(n) => n.to_string(),
        Text::Name(name) => name.clone(),
    });
    finding.args = vec![
        ("class", shown.into()),
        ("classes", Text::Count(found.len() as u64)),
        ("split", split_of(view, met.first, others).into()),
    ];
    finding.values = found
        .iter()
        .map(|(value, met)| ValueCount {
            value: value.clone(),
            count: met.count,
        })
        .collect();
    sort_values(&mut finding.values);
    out.push(finding);
}

/// The name of a class, where a list has it.
fn class_name(rule: &RuleView<'_>, others: &[&Group], n: i128) -> Option<String> {
    let own = others.iter().find_map(|group| group.stream.classes.clone());
    let list = own.or_else(|| rule.used.names.clone())?;
    let at = match &list.ids {
        Some(ids) => ids.iter().position(|id| i128::from(*id) == n)?,
        None => usize::try_from(n).ok()?,
    };
    list.names.get(at).cloned()
}

fn split_of(view: &View<'_>, place: &Place, others: &[&Group]) -> String {
    let of_file = view
        .material
        .files
        .iter()
        .find(|file| place.path.as_ref() == Some(&file.path))
        .and_then(|file| file.split.clone());
    let any = || others.iter().find_map(|group| group.split.clone());
    of_file
        .or_else(any)
        .map_or_else(String::new, |split| split.to_string())
}

/// Class folders that only validation has.
fn folder_classes(train: &[&Group], others: &[&Group], out: &mut Vec<Finding>) {
    let names = |groups: &[&Group]| -> BTreeSet<String> {
        groups
            .iter()
            .filter_map(|group| group.stream.classes.as_deref())
            .flat_map(|list| list.names.iter().cloned())
            .collect()
    };
    let trained = names(train);
    // A training folder without classes is told by its own finding; nothing can be said of the others.
    if trained.is_empty() {
        return;
    }
    for group in others {
        let Some(list) = group.stream.classes.as_deref() else {
            continue;
        };
        let new: Vec<&String> = list
            .names
            .iter()
            .filter(|name| !trained.contains(*name) && !name.starts_with('.'))
            .collect();
        let Some(first) = new.first() else {
            continue;
        };
        let mut finding = Finding::new(FindingId::ValOnly, Severity::Error, Certainty::Certain);
        finding.rule = Some(group.rule);
        finding.count = new.len() as u64;
        finding.files = 1;
        finding.variant = "folder";
        let too_big = group.broken(Breach::Above) > 0;
        finding.explains = too_big.then_some(FindingId::TooBig);
        finding.values = new
            .iter()
            .map(|name| ValueCount {
                value: Text::Name((*name).clone()),
                count: 1,
            })
            .collect();
        finding.first = Some(FoundValue {
            place: list
                .source
                .path
                .clone()
                .map(Place::file)
                .unwrap_or_default(),
            value: Some(Text::Name((*first).clone())),
            row_text: None,
        });
        finding.args = vec![
            ("class", Text::Name((*first).clone())),
            ("classes", Text::Count(new.len() as u64)),
            ("split", group.split.as_deref().unwrap_or_default().into()),
        ];
        out.push(finding);
    }
}

/// `ImageFolder` numbers each split by itself: a folder more or less shifts all that follow.
fn folders(view: &View<'_>, out: &mut Vec<Finding>) {
    let of = |wanted: fn(Option<&str>) -> bool| {
        view.material
            .groups
            .iter()
            .filter(move |group| {
                group.format == LabelFormat::ImageFolder && wanted(group.split.as_deref())
            })
            .filter_map(|group| Some((group, group.stream.classes.as_deref()?)))
    };
    let Some((base, train)) = of(is_train).next() else {
        return;
    };
    for (group, list) in of(is_other) {
        let moved = super::lists::moved(train, list);
        let Some(&(name, there, here)) = moved.first() else {
            continue;
        };
        let split = group.split.as_deref().unwrap_or_default();
        let base_split = base.split.as_deref().unwrap_or_default();
        let place = list
            .source
            .path
            .clone()
            .map(Place::file)
            .unwrap_or_default();
        let mut finding = Finding::new(FindingId::Order, Severity::Error, Certainty::Certain);
        finding.variant = "folders";
        finding.rule = Some(group.rule);
        finding.count = moved.len() as u64;
        finding.files = 2;
        finding.first = Some(FoundValue {
            place: place.clone(),
            value: Some(name.into()),
            row_text: None,
        });
        finding.args = vec![
            ("class", name.into()),
            ("there", Text::Count(there)),
            ("here", Text::Count(here)),
            ("base", base_split.into()),
            ("split", split.into()),
        ];
        finding.snippet = super::snippets::same_folders(train, list);
        out.push(finding);
        renumbered(view, group, (train, base_split), (list, split), out);
    }
}

/// Why the numbers differ: a folder that only one of them has.
fn renumbered(
    view: &View<'_>,
    group: &Group,
    (train, base): (&ClassList, &str),
    (list, split): (&ClassList, &str),
    out: &mut Vec<Finding>,
) {
    // A folder that only validation has is told by its own finding.
    let here: BTreeSet<&String> = list.names.iter().collect();
    let lacking = train.names.iter().find(|name| !here.contains(name));
    let Some(name) = lacking.cloned() else {
        return;
    };
    // A hidden folder is told by its own finding.
    let hidden = view.material.troubles.iter().any(|trouble| matches!(&trouble.kind, TroubleKind::HiddenFolder(hidden) if *hidden == name || hidden.ends_with(&name)));
    if hidden {
        return;
    }
    let mut finding = Finding::new(FindingId::Renumbered, Severity::Error, Certainty::Certain);
    finding.explains = Some(FindingId::Order);
    finding.rule = Some(group.rule);
    finding.count = 1;
    finding.files = 2;
    finding.first = Some(FoundValue {
        place: list
            .source
            .path
            .clone()
            .map(Place::file)
            .unwrap_or_default(),
        value: Some(name.clone().into()),
        row_text: None,
    });
    finding.args = vec![
        ("class", name.into()),
        ("has", base.into()),
        ("without", split.into()),
    ];
    out.push(finding);
}
