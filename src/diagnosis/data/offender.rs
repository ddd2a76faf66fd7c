//! A finding as evidence of a cause.

use crate::bounds::{Bound, BoundSource};
use crate::diagnosis::{AllowedRange, Cause, Certainty, Evidence, EvidenceRole};
use crate::findings::{Finding, FindingId, RuleUsed, Severity, Text};
use crate::labels::Role;
use crate::range_check::Number;

/// A finding that breaks a rule, with its rule.
#[derive(Clone, Copy)]
pub(super) struct Offender<'a> {
    pub finding: &'a Finding,
    pub used: &'a RuleUsed,
    pub bound: Option<&'a Bound>,
}

impl Offender<'_> {
    /// The values that break the rule, most frequent first.
    pub fn numbers(&self) -> impl Iterator<Item = Number> {
        let listed = self.finding.values.iter().map(|counted| &counted.value);
        let first = self.finding.first.iter().filter_map(|f| f.value.as_ref());
        listed.chain(first).filter_map(|value| match value {
            Text::Number(number) => Some(*number),
            _ => None,
        })
    }

    /// Whether more values than those listed break the rule.
    pub fn has_more_values(&self) -> bool {
        let listed: u64 = self.finding.values.iter().map(|v| v.count).sum();
        listed < self.finding.count
    }

    /// The size is stated for sure, by its source or by the user; below 0 no size is needed.
    pub fn is_sure(&self, by_user: bool) -> bool {
        let sized = matches!(
            self.finding.id,
            FindingId::Negative | FindingId::Nan | FindingId::Inf
        ) || self.bound.map_or(by_user, |bound| {
            bound.certainty == Certainty::Certain || bound.source == BoundSource::User
        });
        sized
            && matches!(
                self.finding.id,
                FindingId::TooBig | FindingId::Negative | FindingId::Nan | FindingId::Inf
            )
            && self.finding.certainty == Certainty::Certain
            && self.finding.severity == Severity::Error
            // Ids of a list are names: the code that maps them decides what the loss sees.
            && self.used.role != Role::CategoryId
    }
}

/// Characters of a row of data that are worth showing.
const MOST_ROW_TEXT: usize = 60;

/// Gives a cause the place of a finding, and its value and range where the log states none.
pub(super) fn cite(cause: &mut Cause, offender: Offender<'_>) {
    let finding = offender.finding;
    let Some(first) = &finding.first else {
        return;
    };
    let number = match &first.value {
        Some(Text::Number(number)) => Some(*number),
        _ => None,
    };
    let row = first.row_text.clone();
    // Of a long row only the value tells something.
    let row = row.filter(|row| row.chars().count() <= MOST_ROW_TEXT || first.value.is_none());
    let text = row.or_else(|| match &first.value {
        Some(Text::Number(number)) => Some(number.to_string()),
        Some(Text::Count(count)) => Some(count.to_string()),
        Some(Text::Name(name)) => Some(name.clone()),
        None => None,
    });
    let evidence = Evidence {
        line: 0,
        text: text.unwrap_or_default(),
        role: EvidenceRole::Offender,
        place: Some(first.place.clone()),
        value: number.and_then(whole),
    };
    if !cause.evidence.contains(&evidence) {
        // Right after the check or error that it breaks, behind those that were cited before.
        let before = cause
            .evidence
            .iter()
            .rposition(|e| e.role == EvidenceRole::Offender);
        let at = before.map_or(cause.evidence.len().min(1), |before| before + 1);
        cause.evidence.insert(at, evidence);
    }
    if cause.value.is_none() {
        cause.value = number.and_then(whole);
    }
    if cause.range.is_none()
        && let Some(bound) = offender.bound
    {
        cause.range = range_of(bound);
    }
}

/// The range of a bound, as a cause states it.
pub(super) fn range_of(bound: &Bound) -> Option<AllowedRange> {
    let in_log = bound.source == BoundSource::Log;
    Some(AllowedRange {
        lo: whole(bound.lo)?,
        hi: whole(bound.hi)?,
        source: source_of(bound),
        line: if in_log {
            bound.line.unwrap_or_default()
        } else {
            0
        },
        path: bound.path.clone().filter(|_| !in_log),
        certainty: bound.certainty,
    })
}

/// What states a range, with its file: `data.yaml nc = 80`.
fn source_of(bound: &Bound) -> String {
    let file = bound
        .path
        .as_ref()
        .filter(|_| bound.source != BoundSource::Log)
        .and_then(|path| path.file_name())
        .map(|name| name.to_string_lossy());
    match file {
        Some(file) => format!("{file} {}", bound.what),
        None => bound.what.clone(),
    }
}

fn whole(number: Number) -> Option<i64> {
    i64::try_from(number.as_int()?).ok()
}
