//! Patterns behind values that break a rule: labels that count from 1, were shifted twice, have gaps, run on from the size.

use super::snippets;
use super::view::{RuleView, View};
use super::{FileRead, Finding, FindingId, Severity};
use crate::knowledge::Certainty;
use crate::labels::{LabelFormat, Role};
use crate::range_check::{Breach, Number};

/// Classes without a label that are named; of more the rest is not.
const MOST_ABSENT: usize = 8;

/// Values that stand for "ignore" or "no label" by convention.
pub(super) const SPECIAL: [i64; 5] = [-100, -1, 255, 65535, 254];

/// What a rule's values look like without the special ones outside the range.
pub(super) struct Core {
    pub min: i128,
    pub max: i128,
    pub distinct: u64,
    pub zero: bool,
    pub count: u64,
}

/// The values that are used as numbers of classes: whole, not ignored, no lonely special value.
pub(super) fn core(rule: &RuleView<'_>) -> Option<Core> {
    let mut core: Option<Core> = None;
    for (n, met) in rule.whole() {
        if is_special(rule, n) {
            continue;
        }
        let core = core.get_or_insert(Core {
            min: n,
            max: n,
            distinct: 0,
            zero: false,
            count: 0,
        });
        core.min = core.min.min(n);
        core.max = core.max.max(n);
        core.distinct += 1;
        core.zero |= n == 0;
        core.count += met.count;
    }
    core
}

/// Whether a value stands for something else than a class: a special one outside the range, away from all others.
pub(super) fn is_special(rule: &RuleView<'_>, n: i128) -> bool {
    let Some(value) = SPECIAL
        .into_iter()
        .find(|special| i128::from(*special) == n)
    else {
        return false;
    };
    if rule.used.rule.hi.is_some() && rule.breach(Number::from(n)).is_none() {
        return false;
    }
    if value < 0 {
        return true;
    }
    // 254 in a list that also holds 253 is one of many; 255 beside 254 may be a pair of special values.
    let below = if value == 255 {
        [253, 252]
    } else {
        [value - 1, value - 2]
    };
    below.into_iter().all(|near| rule.times(near) == 0) && rule.times(value + 1) == 0
}

/// Finds the patterns. A rule's patterns are told apart by what they explain: at most one for the values above the range.
pub(super) fn find(view: &View<'_>, out: &mut Vec<Finding>) {
    for rule in &view.rules {
        if !rule.is_index() {
            continue;
        }
        float_ints(rule, out);
        // Numbers of folders come from the folders: their faults are told as such.
        let folders = |group: &&super::Group| group.format == LabelFormat::ImageFolder;
        if rule.more || rule.groups.iter().all(folders) {
            // Whether a value is absent cannot be told.
            continue;
        }
        super::masks::ignored_by_user(view, rule, out);
        let special = super::masks::find(view, rule, out);
        if special.whole_story {
            continue;
        }
        if let Some(finding) = plus_minus(view, rule) {
            out.push(finding);
            continue;
        }
        if let Some(finding) = double_shift(view, rule) {
            out.push(finding);
        } else {
            super::masks::ignored_below(view, rule, out);
        }
        let told = one_based(view, rule)
            .or_else(|| added_tokens(view, rule))
            .or_else(|| off_by_one(view, rule));
        match told {
            Some(finding) => out.push(finding),
            None => {
                if let Some(finding) = sparse(view, rule) {
                    push_or_join(finding, out);
                }
            }
        }
    }
}

/// Files that share one list of categories have one finding about it.
fn push_or_join(finding: Finding, out: &mut Vec<Finding>) {
    let same = out.iter_mut().find(|known| {
        known.id == finding.id
            && known.variant == "category"
            && finding.variant == "category"
            && known.args == finding.args
    });
    match same {
        Some(known) => known.files += finding.files,
        None => out.push(finding),
    }
}

/// The size, where it is one of classes or rows that values count up to.
fn size(rule: &RuleView<'_>) -> Option<i128> {
    let counts = matches!(rule.used.role, Role::Class | Role::CategoryId | Role::Token);
    rule.size().filter(|_| counts)
}

fn one_based(view: &View<'_>, rule: &RuleView<'_>) -> Option<Finding> {
    let core = core(rule)?;
    if core.zero && core.min >= 0 {
        return in_some_files(view, rule);
    }
    let Some(size) = size(rule) else {
        return one_based_unknown(view, rule, &core);
    };
    if core.min != 1 || core.max != size {
        return in_some_files(view, rule);
    }
    // A text seldom uses the whole vocabulary: that ids begin at 1 says something only where most are used.
    if rule.used.role == Role::Token && i128::from(core.distinct) * 2 < size {
        return None;
    }
    let mut finding = rule
        .about(FindingId::OneBased, view, |n| n.as_int() == Some(size))
        .trusted(rule.trust_of_end(view.material))
        .explaining(FindingId::TooBig);
    // It is about all labels, not only the last class.
    finding.count = core.count;
    finding.files = rule.files_with_values();
    finding.args = vec![
        ("size", Number::from(size).into()),
        ("least", Number::from(core.min).into()),
        ("most", Number::from(core.max).into()),
    ];
    finding.snippet = snippets::shift(view, rule, &finding, -1, None);
    Some(finding)
}

/// Labels 1..n without a gap and without a 0, where nothing says how many classes there are.
fn one_based_unknown(view: &View<'_>, rule: &RuleView<'_>, core: &Core) -> Option<Finding> {
    let unknown =
        rule.used.rule.hi.is_none() && rule.used.role == Role::Class && !beside_tokens(view, rule);
    // A mask without background, or a handful of labels, may just not hold class 0.
    let is_mask = rule.groups.iter().any(|g| g.format == LabelFormat::Mask);
    // Of many classes a few may not occur.
    let distinct = i128::from(core.distinct);
    let most = distinct == core.max || (core.max >= 50 && distinct * 10 >= core.max * 9);
    let full = core.min == 1 && core.max >= 2 && most;
    if !unknown || is_mask || !full || core.count < 3 * core.distinct {
        return None;
    }
    let met = rule.seen.get(&Number::from(core.max))?;
    let mut finding = Finding::new(FindingId::OneBased, Severity::Warning, Certainty::Likely);
    finding.rule = Some(rule.at);
    finding.variant = "unknown";
    finding.count = core.count;
    finding.files = rule.files_with_values();
    finding.first = Some(met.found(Some(Number::from(core.max).into())));
    finding.args = vec![
        ("size", Number::from(core.max).into()),
        ("least", Number::from(core.min).into()),
        ("most", Number::from(core.max).into()),
    ];
    Some(finding)
}

/// Some files count from 1, the others from 0: the files with values past the end have no 0 in them.
fn in_some_files(view: &View<'_>, rule: &RuleView<'_>) -> Option<Finding> {
    let size = size(rule)?;
    let sources: Vec<usize> = rule.groups.iter().map(|group| group.source).collect();
    // The ends of a file are those of all its streams: with other rules in it they say nothing.
    let alone = view
        .material
        .groups
        .iter()
        .all(|group| group.rule == rule.at || !sources.contains(&group.source));
    let end = Number::from(size);
    let read = |file: &&FileRead| sources.contains(&file.source) && file.values > 0;
    let files: Vec<&FileRead> = view.material.files.iter().filter(read).collect();
    let past: Vec<&FileRead> = files
        .iter()
        .filter(|file| file.max.is_some_and(|max| max >= end))
        .copied()
        .collect();
    let one = Number::from(1_u8);
    let from_one = past.iter().filter(|file| file.min == Some(one)).count();
    let fits = past
        .iter()
        .all(|file| file.max == Some(end) && file.min.is_some_and(|min| min >= one));
    if !alone || past.len() < 2 || from_one < 2 || !fits || past.len() == files.len() {
        return None;
    }
    let mut finding = rule
        .about(FindingId::OneBased, view, |n| n == end)
        .trusted(rule.trust_of_end(view.material))
        .explaining(FindingId::TooBig);
    finding.variant = "files";
    finding.count = past.iter().map(|file| file.values).sum();
    finding.files = past.len() as u64;
    finding.args = vec![
        ("size", Number::from(size).into()),
        ("least", one.into()),
        ("most", end.into()),
        (
            "others",
            super::Text::Count((files.len() - past.len()) as u64),
        ),
    ];
    let paths: Vec<_> = past.iter().map(|file| &*file.path).collect();
    finding.snippet = snippets::shift(view, rule, &finding, -1, Some(&paths));
    Some(finding)
}

fn off_by_one(view: &View<'_>, rule: &RuleView<'_>) -> Option<Finding> {
    let core = core(rule)?;
    let size = size(rule)?;
    if !core.zero || core.min != 0 || core.max != size {
        return None;
    }
    let mut finding = rule
        .about(FindingId::OffByOneCount, view, |n| n.as_int() == Some(size))
        .trusted(rule.trust_of_end(view.material))
        .explaining(FindingId::TooBig);
    let is_mask = rule.groups.iter().any(|g| g.format == LabelFormat::Mask);
    finding.variant = if is_mask { "mask" } else { "" };
    finding.args = vec![
        ("size", Number::from(size).into()),
        ("more", Number::from(size + 1).into()),
    ];
    if !is_mask && rule.is_few(finding.count) {
        return Some(finding.only_few(rule));
    }
    Some(finding)
}

/// Two classes written as -1 and 1, as support vector machines want them.
fn plus_minus(view: &View<'_>, rule: &RuleView<'_>) -> Option<Finding> {
    let values: Vec<i128> = rule.whole().map(|(n, _)| n).collect();
    let both = values == [-1, 1] && !rule.is_few(rule.times(-1));
    if rule.used.role != Role::Class || !both || rule.breach(Number::from(-1_i8)).is_none() {
        return None;
    }
    let finding = rule
        .about(FindingId::PlusMinusOne, view, |n| n.as_int() == Some(-1))
        .trusted(rule.trust(view.material))
        .explaining(FindingId::Negative);
    Some(finding)
}

fn double_shift(view: &View<'_>, rule: &RuleView<'_>) -> Option<Finding> {
    let size = size(rule)?;
    if rule.used.role != Role::Class || size < 3 || rule.times(-1) == 0 {
        return None;
    }
    let values: Vec<i128> = rule.whole().map(|(n, _)| n).collect();
    let ends = (values.first().copied()?, values.last().copied()?);
    // All classes but the last: a class that is merely rare would leave other gaps, too.
    let full = values.len() as i128 * 10 >= size * 9;
    if ends != (-1, size - 2) || !full || rule.is_few(rule.times(-1)) {
        return None;
    }
    let mut finding = rule
        .about(FindingId::DoubleShift, view, |n| n.as_int() == Some(-1))
        .trusted(rule.trust_of_end(view.material))
        .explaining(FindingId::Negative);
    finding.args = vec![
        ("size", Number::from(size).into()),
        ("least", Number::from(-1_i8).into()),
        ("most", Number::from(size - 2).into()),
    ];
    finding.snippet = snippets::shift(view, rule, &finding, 1, None);
    Some(finding)
}

/// Ids that run on from the vocabulary's size without a gap: tokens were added, the embedding was not resized.
fn added_tokens(view: &View<'_>, rule: &RuleView<'_>) -> Option<Finding> {
    let size = rule.size().filter(|_| rule.used.role == Role::Token)?;
    let above: Vec<i128> = rule
        .whole()
        .map(|(n, _)| n)
        .filter(|n| *n >= size)
        .collect();
    let (first, last) = (*above.first()?, *above.last()?);
    let run = first == size && last - first == above.len() as i128 - 1;
    let few = above.len() <= 8 || above.len() as i128 * 20 <= size;
    if !run || !few {
        return None;
    }
    let mut finding = rule
        .about(FindingId::AddedTokens, view, |n| {
            n.as_int().is_some_and(|n| n >= size)
        })
        .trusted(rule.trust_of_end(view.material))
        .explaining(FindingId::TooBig);
    finding.args = vec![
        ("size", Number::from(size).into()),
        ("needed", Number::from(last + 1).into()),
        ("added", super::Text::Count(above.len() as u64)),
    ];
    let headerless = rule.groups.iter().any(|g| g.format == LabelFormat::Tokens);
    finding.snippet = (!headerless).then(snippets::resize_embedding);
    Some(finding)
}

fn float_ints(rule: &RuleView<'_>, out: &mut Vec<Finding>) {
    let mut finding = Finding::new(FindingId::FloatInts, Severity::Note, Certainty::Certain);
    finding.rule = Some(rule.at);
    let class = matches!(rule.used.role, Role::Class | Role::CategoryId);
    finding.variant = if class { "" } else { "index" };
    for group in &rule.groups {
        let stored = group
            .stream
            .element
            .is_some_and(crate::range_check::ElementType::is_float);
        let whole = group.seen.keys().any(|n| n.as_int().is_some());
        let numbers: u64 = group.seen.values().map(|met| met.count).sum();
        let written = group.floats > 0 && group.floats * 2 > numbers;
        // One-hot rows are targets as floats, too.
        let one_hot = group.stream.one_hot.is_some();
        if group.broken(Breach::Fraction) > 0 || !whole || one_hot || !(stored || written) {
            continue;
        }
        finding.count += if stored { group.count } else { group.floats };
        finding.files += group.files;
        if finding.first.is_none()
            && let Some((number, met)) = group
                .seen
                .iter()
                .filter(|(number, _)| number.as_int().is_some())
                .max_by_key(|(_, met)| met.count)
        {
            finding.first = Some(super::FoundValue {
                place: met.first.clone(),
                value: Some((*number).into()),
                row_text: met.row_text.clone(),
            });
        }
    }
    if finding.count > 0 {
        finding.files = rule.files(finding.files);
        finding.snippet = snippets::to_int(&finding);
        out.push(finding);
    }
}

/// Ids with gaps.
fn sparse(view: &View<'_>, rule: &RuleView<'_>) -> Option<Finding> {
    if rule
        .groups
        .iter()
        .any(|g| g.format == LabelFormat::ImageFolder)
    {
        return None;
    }
    if let Some(finding) = category_gaps(rule) {
        return Some(finding);
    }
    let core = core(rule)?;
    let distinct = i128::from(core.distinct);
    let size = size(rule);
    let explains = size.is_some_and(|size| {
        // As many different ids as there are classes, but spread beyond them.
        let beyond = Number::from(size)..=Number::from(core.max);
        core.max > size
            && distinct <= size
            && distinct * 10 > size * 6
            && core.min >= 0
            // A single stray value is a slip, not another numbering.
            && rule.seen.range(beyond).nth(1).is_some()
    });
    let unused = size.is_some_and(|size| {
        let many = i128::from(core.count) >= size * 20 && size <= 10_000;
        let class = matches!(rule.used.role, Role::Class | Role::CategoryId);
        core.min >= 0 && core.max < size && distinct < size && many && class
    });
    let unknown = rule.used.rule.hi.is_none()
        && rule.used.role == Role::Class
        && !beside_tokens(view, rule)
        && core.min >= 0
        && core.distinct >= 2
        && distinct < core.max
        && distinct * 10 < (core.max + 1) * 9
        && core.count >= 2 * core.distinct;
    let mut finding = Finding::new(FindingId::Sparse, Severity::Note, Certainty::Certain);
    if explains {
        finding = rule
            .about(FindingId::Sparse, view, |n| {
                rule.breach(n) == Some(Breach::Above)
            })
            .trusted(rule.trust_of_end(view.material))
            .explaining(FindingId::TooBig);
        finding.snippet = snippets::map_ids(view, rule, &finding);
    } else if unused || unknown {
        finding.rule = Some(rule.at);
        finding.variant = if unused { "unused" } else { "unknown" };
        finding.count = if let (true, Some(size)) = (unused, size) {
            (size - distinct) as u64
        } else {
            core.distinct
        };
        finding.files = rule.files_with_values();
        let last = rule.seen.get(&Number::from(core.max))?;
        finding.first = Some(last.found(Some(Number::from(core.max).into())));
    } else {
        return None;
    }
    finding.args.extend([
        ("distinct", super::Text::Count(core.distinct)),
        ("most", Number::from(core.max).into()),
        ("needed", Number::from(core.max + 1).into()),
        ("size", Number::from(size.unwrap_or(core.max + 1)).into()),
    ]);
    if unused && let Some(size) = size {
        let mut absent: Vec<String> = (0..size)
            .filter(|n| !rule.seen.contains_key(&Number::from(*n)))
            .take(MOST_ABSENT + 1)
            .map(|n| n.to_string())
            .collect();
        if let Some(more) = absent.get_mut(MOST_ABSENT) {
            "…".clone_into(more);
        }
        finding.args.push(("absent", absent.join(", ").into()));
    }
    Some(finding)
}

/// Labels beside token ids are token ids themselves: a text never uses all of them.
fn beside_tokens(view: &View<'_>, rule: &RuleView<'_>) -> bool {
    view.rules.iter().any(|other| {
        other.used.role == Role::Token
            && other
                .groups
                .iter()
                .any(|group| rule.groups.iter().any(|own| own.source == group.source))
    })
}

/// Category ids of a file's own list that are not 0, 1, 2…: fine for a loader that maps them, wrong as indices.
fn category_gaps(rule: &RuleView<'_>) -> Option<Finding> {
    if rule.used.role != Role::CategoryId || rule.used.rule.hi.is_some() {
        return None;
    }
    let (group, ids) = rule
        .groups
        .iter()
        .find_map(|group| Some((group, group.stream.classes.as_ref()?.ids.as_ref()?)))?;
    let mut sorted = ids.clone();
    sorted.sort_unstable();
    sorted.dedup();
    let (first, last) = (*sorted.first()?, *sorted.last()?);
    if first == 0 && last == sorted.len() as i64 - 1 {
        return None;
    }
    let mut finding = Finding::new(FindingId::Sparse, Severity::Note, Certainty::Certain);
    finding.rule = Some(rule.at);
    finding.variant = "category";
    finding.count = sorted.len() as u64;
    finding.files = group.files.max(1);
    finding.first = group
        .seen
        .iter()
        .rfind(|(number, _)| sorted.iter().any(|id| Number::from(*id) == **number))
        .map(|(number, met)| super::FoundValue {
            place: met.first.clone(),
            value: Some((*number).into()),
            row_text: met.row_text.clone(),
        });
    finding.args = vec![
        ("distinct", super::Text::Count(sorted.len() as u64)),
        ("least", Number::from(first).into()),
        ("most", Number::from(last).into()),
        ("needed", Number::from(last.saturating_add(1)).into()),
    ];
    finding.snippet = finding
        .first
        .as_ref()
        .and_then(|first| first.place.path.as_deref())
        .map(snippets::map_categories);
    Some(finding)
}
