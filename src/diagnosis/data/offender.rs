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
    let text = first.row_text.clone().or_else(|| match &first.value {
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
    };
    if !cause.evidence.contains(&evidence) {
        // Right after the check or error that it breaks.
        cause.evidence.insert(cause.evidence.len().min(1), evidence);
    }
    if cause.value.is_none() {
        cause.value = number.and_then(whole);
    }
    if cause.range.is_none()
        && let Some(bound) = offender.bound
        && let (Some(lo), Some(hi)) = (
            offender.used.rule.lo.and_then(whole),
            offender.used.rule.hi.and_then(whole),
        )
    {
        cause.range = Some(AllowedRange {
            lo,
            hi,
            source: source_of(bound),
            line: match bound.source {
                BoundSource::Log => bound.line.unwrap_or_default(),
                _ => 0,
            },
            path: bound
                .path
                .clone()
                .filter(|_| bound.source != BoundSource::Log),
            certainty: bound.certainty,
        });
    }
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
