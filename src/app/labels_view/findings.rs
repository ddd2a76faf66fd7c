//! Findings as rows, and which values and sources a finding is about.

use std::collections::BTreeSet;

use super::{Basis, texts};
use crate::check::{Checked, Offender};
use crate::findings::{Finding, FindingId, Material, Severity, Text};
use crate::knowledge::Certainty;
use crate::range_check::{Breach, Number};
use crate::words::severity_word;

/// Values that a finding lists at most; a longer list is not complete.
const MOST_VALUES: usize = 20;

/// A finding as a row of two lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FindingRow {
    /// Index among the findings of the check.
    pub finding: usize,
    /// Its severity.
    pub severity: Severity,
    /// The severity's word.
    pub severity_word: String,
    /// The first place as a sentence.
    pub title: String,
    /// The rest and the pattern.
    pub detail: String,
    /// How many.
    pub count: String,
    /// How sure the reading is.
    pub certainty: Certainty,
    /// The reading in two or three words.
    pub reading: String,
    /// What one click settles, and the value that it sets.
    pub answer: Option<(String, Number)>,
    /// It is chosen.
    pub selected: bool,
}

pub(super) fn row(index: usize, of: Basis<'_>) -> Option<FindingRow> {
    let finding = of.checked.findings.get(index)?;
    let said = texts(finding, of);
    let set = of.options.ignore.as_deref().unwrap_or_default();
    let answer = said
        .answer
        .zip(finding.ignore)
        .filter(|(_, value)| !set.contains(value));
    Some(FindingRow {
        finding: index,
        severity: finding.severity,
        severity_word: severity_word(finding.severity, of.words),
        title: said.title,
        detail: said.detail,
        count: of.words.number(finding.count),
        certainty: finding.certainty,
        reading: said.certainty,
        answer,
        selected: of.looking.finding == Some(index),
    })
}

/// How the values of a finding break their rule.
enum Kind {
    Breaks(Breach),
    /// A name, or an id that the file's own list lacks.
    NotListed,
    /// A pattern among values that are too big or too small.
    OutOfRange,
}

fn kind_of(finding: &Finding) -> Option<Kind> {
    Some(match finding.explains.unwrap_or(finding.id) {
        FindingId::TooBig => Kind::Breaks(Breach::Above),
        FindingId::Negative => Kind::Breaks(Breach::Below),
        FindingId::Nan => Kind::Breaks(Breach::Nan),
        FindingId::Inf => Kind::Breaks(Breach::Infinite),
        FindingId::Fraction => Kind::Breaks(Breach::Fraction),
        FindingId::Text | FindingId::UnknownClass => Kind::NotListed,
        FindingId::OneBased
        | FindingId::OffByOneCount
        | FindingId::DoubleShift
        | FindingId::Binary255
        | FindingId::BlurredMask
        | FindingId::IgnoreNotSet
        | FindingId::Wrapped
        | FindingId::InstanceIds
        | FindingId::AddedTokens => Kind::OutOfRange,
        _ => return None,
    })
}

impl Kind {
    fn covers(&self, breach: Option<Breach>) -> bool {
        match self {
            Self::Breaks(kind) => breach == Some(*kind),
            Self::NotListed => breach.is_none(),
            Self::OutOfRange => matches!(breach, Some(Breach::Below | Breach::Above)),
        }
    }
}

/// Tells whether a value is one of a finding's.
pub(super) struct Concerned<'a> {
    finding: &'a Finding,
    material: &'a Material,
    kind: Option<Kind>,
    /// The values concerned, where the finding lists them all.
    values: Option<BTreeSet<&'a Text>>,
}

impl<'a> Concerned<'a> {
    pub fn by(finding: &'a Finding, material: &'a Material) -> Self {
        let values = &finding.values;
        let complete = !values.is_empty() && values.len() < MOST_VALUES;
        Self {
            finding,
            material,
            kind: kind_of(finding),
            values: complete.then(|| values.iter().map(|value| &value.value).collect()),
        }
    }

    /// Whether an offender is one of the finding's.
    pub fn has(&self, offender: &Offender) -> bool {
        let Some(group) = self.material.groups.get(offender.group) else {
            return false;
        };
        self.kind
            .as_ref()
            .is_some_and(|kind| kind.covers(offender.breach))
            && self.finding.rule.is_none_or(|rule| rule == group.rule)
            && self
                .values
                .as_ref()
                .is_none_or(|values| values.contains(&offender.value))
    }

    /// Whether a group holds such values.
    fn has_in_group(&self, index: usize) -> bool {
        let (Some(group), Some(kind)) = (self.material.groups.get(index), &self.kind) else {
            return false;
        };
        if self.finding.rule.is_some_and(|rule| rule != group.rule) {
            return false;
        }
        let breaks = match kind {
            Kind::Breaks(breach) => group.broken(*breach) > 0,
            Kind::OutOfRange => group.broken(Breach::Below) + group.broken(Breach::Above) > 0,
            Kind::NotListed => !group.names.is_empty(),
        };
        breaks
            && self.values.as_ref().is_none_or(|values| {
                values.iter().any(|value| match value {
                    Text::Number(n) => group.seen.contains_key(n),
                    Text::Name(name) => group.names.contains_key(name),
                    Text::Count(_) => false,
                })
            })
    }
}

/// The sources that a finding is about.
pub(super) fn sources_of(finding: &Finding, checked: &Checked) -> BTreeSet<usize> {
    let concerned = Concerned::by(finding, &checked.material);
    let mut sources: BTreeSet<usize> = checked
        .material
        .groups
        .iter()
        .enumerate()
        .filter(|(index, _)| concerned.has_in_group(*index))
        .map(|(_, group)| group.source)
        .collect();
    let path = finding
        .first
        .as_ref()
        .and_then(|first| first.place.path.as_ref());
    if let Some(path) = path {
        let of_file = checked
            .material
            .files
            .iter()
            .find(|file| file.path == *path)
            .map(|file| file.source);
        let of_source = || {
            checked
                .sources
                .iter()
                .position(|source| source.path == *path)
        };
        sources.extend(of_file.or_else(of_source));
    }
    sources
}
