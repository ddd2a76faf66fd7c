//! Sources of the class count that disagree.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use super::view::View;
use super::{Finding, FindingId, FoundValue, Severity, Text, ValueCount};
use crate::bounds::{Bound, BoundSource};
use crate::knowledge::Certainty;
use crate::labels::{ClassList, Place};
use crate::range_check::Number;

/// Lists against the number beside them, bounds against each other, names that stand twice.
pub(super) fn find(view: &View<'_>, out: &mut Vec<Finding>) {
    let material = view.material;
    let lists: Vec<&ClassList> = material
        .bounds
        .iter()
        .filter_map(|bound| bound.names.as_deref())
        .chain(
            material
                .groups
                .iter()
                .filter_map(|group| group.stream.classes.as_deref()),
        )
        .chain(material.class_lists.iter().map(AsRef::as_ref))
        .collect();
    let mut told: BTreeSet<Option<Arc<Path>>> = BTreeSet::new();
    for list in &lists {
        let names = list.names.len() as u64;
        let Some(stated) = list.stated.filter(|stated| *stated != names && names > 0) else {
            continue;
        };
        if told.insert(list.source.path.clone()) {
            out.push(within(list, names, stated));
        }
    }
    for &(better, other) in &material.disagreements {
        let pair = material.bounds.get(better).zip(material.bounds.get(other));
        if let Some((better, other)) = pair
            // Names against the number in the same file is told above.
            && !(better.path == other.path && told.contains(&better.path))
        {
            out.push(between(better, other));
        }
    }
    twice(view, &lists, out);
}

fn within(list: &ClassList, names: u64, stated: u64) -> Finding {
    let mut finding = Finding::new(
        FindingId::CountMismatch,
        Severity::Error,
        Certainty::Certain,
    );
    finding.variant = "names";
    finding.count = 1;
    finding.files = 1;
    finding.first = Some(FoundValue {
        place: Place {
            path: list.source.path.clone(),
            line: list.source.line,
            ..Place::default()
        },
        value: Some(Number::from(stated).into()),
        row_text: None,
    });
    finding.values = [names, stated]
        .map(|value| ValueCount {
            value: Number::from(value).into(),
            count: 1,
        })
        .to_vec();
    finding.args = vec![
        ("names", Text::Count(names)),
        ("stated", Text::Count(stated)),
        ("file", super::names::list_name(list).into()),
    ];
    finding
}

fn between(better: &Bound, other: &Bound) -> Finding {
    let certainty = better.certainty.min(other.certainty);
    // What the user typed is meant so; that a file says something else is worth knowing.
    let severity = if better.source == BoundSource::User || certainty == Certainty::Possible {
        Severity::Note
    } else {
        Severity::Warning
    };
    let mut finding = Finding::new(FindingId::CountMismatch, severity, certainty);
    finding.count = 1;
    finding.files = 1 + u64::from(better.path.is_some() && better.path != other.path);
    let size = |bound: &Bound| match (bound.lo.as_int(), bound.hi.as_int()) {
        (Some(0), Some(hi)) => Number::from(hi.saturating_add(1)),
        _ => bound.hi,
    };
    finding.first = Some(FoundValue {
        place: Place {
            path: other.path.clone().or_else(|| better.path.clone()),
            line: other.line,
            ..Place::default()
        },
        value: Some(size(other).into()),
        row_text: None,
    });
    finding.values = [better, other]
        .map(|bound| ValueCount {
            value: size(bound).into(),
            count: 1,
        })
        .to_vec();
    finding.args = vec![
        ("first-size", size(better).into()),
        ("other-size", size(other).into()),
        ("first-file", file(better).into()),
        ("other-file", file(other).into()),
        ("first-what", better.what.clone().into()),
        ("other-what", other.what.clone().into()),
    ];
    finding
}

fn file(bound: &Bound) -> String {
    bound
        .path
        .as_deref()
        .and_then(Path::file_name)
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

/// A class name that stands twice in a list: both ids mean the same, or one of them is a slip.
fn twice(view: &View<'_>, lists: &[&ClassList], out: &mut Vec<Finding>) {
    use crate::labels::TroubleKind;

    let told = view.material.troubles.iter().any(|trouble| {
        matches!(
            trouble.kind,
            TroubleKind::Duplicate {
                what: "class-name",
                ..
            }
        )
    });
    if told {
        return;
    }
    let mut seen_lists: BTreeSet<Option<Arc<Path>>> = BTreeSet::new();
    for list in lists {
        if !seen_lists.insert(list.source.path.clone()) {
            continue;
        }
        let mut names = BTreeSet::new();
        let twice: Vec<&String> = list
            .names
            .iter()
            .filter(|name| !names.insert(*name))
            .collect();
        let Some(first) = twice.first() else {
            continue;
        };
        let mut finding =
            Finding::new(FindingId::Duplicates, Severity::Warning, Certainty::Certain);
        finding.variant = "class-name";
        finding.count = twice.len() as u64;
        finding.files = 1;
        finding.values = twice
            .iter()
            .map(|name| ValueCount {
                value: Text::Name((*name).clone()),
                count: 1,
            })
            .collect();
        super::view::sort_values(&mut finding.values);
        finding.first = Some(FoundValue {
            place: Place {
                path: list.source.path.clone(),
                line: list.source.line,
                ..Place::default()
            },
            value: Some(Text::Name((*first).clone())),
            row_text: None,
        });
        out.push(finding);
    }
}
