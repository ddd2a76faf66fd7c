//! What a check of the data says about the causes of a log: it raises one, gives it value, range and place, or lowers it.

mod offender;
#[cfg(test)]
mod tests;

use offender::{Offender, cite, range_of};

use super::{
    Because, Cause, Certainty, DeviceAssert, Diagnosis, Entry, Failure, Remark, is_cpu_twin,
};
use crate::bounds;
use crate::crash_log::Facts;
use crate::findings::{Finding, FindingId, Group, Material, Severity};
use crate::knowledge::CauseId;
use crate::labels::Role;
use crate::range_check::Number;

/// A diagnosis with what the data says.
///
/// A finding that breaks a rule speaks for the cause whose check looks at such values. The cause becomes certain only where
/// check, size and value meet: the log shows the check, and the value lies outside the range that the log states, or that a
/// certain source states. Data that is in range throughout says that the value is made on the way. Data never makes a crash
/// out of a log that shows none.
pub fn with_findings(
    diagnosis: &Diagnosis,
    facts: &Facts,
    material: &Material,
    findings: &[Finding],
) -> Diagnosis {
    let mut out = diagnosis.clone();
    let data = Data { material, findings };
    let Some(first) = diagnosis.causes.first() else {
        return out;
    };
    let mut met = false;
    for cause in &mut out.causes {
        met |= data.speak_for(cause, first, facts, diagnosis);
    }
    met |= data.behind_the_check(&mut out, first);
    met |= data.behind_a_check_without_size(&mut out, first);
    met |= data.behind_an_unknown_check(&mut out, first, diagnosis);

    let looks_at = roles_of(first.id);
    if !met && !looks_at.is_empty() {
        if let Some(values) = data.all_in_range(first, looks_at) {
            out.remarks.push(Remark::DataInRange { values });
        }
    } else if !met && diagnosis.device_assert != DeviceAssert::Yes {
        let errors = data.errors();
        if errors > 0 {
            out.remarks.push(Remark::DataFaults { errors });
        }
    }
    data.lower(&mut out);
    data.state_the_range(&mut out);
    out
}

/// Findings that are cited as evidence of one cause.
const MOST_CITED: usize = 3;

/// Uses of values that the check of a cause looks at.
pub(super) fn roles_of(cause: CauseId) -> &'static [Role] {
    match cause {
        CauseId::LabelOutOfRange => &[Role::Class, Role::CategoryId],
        CauseId::EmbeddingIndex => &[Role::Token, Role::Position, Role::TokenType],
        CauseId::GatherScatterIndex | CauseId::AdvancedIndex => &[Role::Index],
        CauseId::InductorIndex => &[
            Role::Class,
            Role::Token,
            Role::Position,
            Role::TokenType,
            Role::Index,
        ],
        CauseId::CtcTarget => &[Role::Class, Role::Token],
        CauseId::BceRange
        | CauseId::MultinomialProbs
        | CauseId::ProbabilityRange
        | CauseId::NanInputs => &[Role::Probability, Role::Logits],
        _ => &[],
    }
}

/// Findings that break the check of a cause.
fn breaks(cause: CauseId, role: Role, finding: FindingId) -> bool {
    use FindingId as F;
    match cause {
        CauseId::NanInputs => matches!(finding, F::Nan | F::Inf),
        // More than 1 is no fault where only the proportions count.
        CauseId::MultinomialProbs => matches!(finding, F::Negative | F::Nan | F::Inf),
        CauseId::BceRange | CauseId::ProbabilityRange if role == Role::Logits => {
            matches!(finding, F::Nan | F::Inf)
        }
        _ => matches!(
            finding,
            F::TooBig | F::Negative | F::Nan | F::Inf | F::UnknownClass | F::Missing
        ),
    }
}

/// How well a finding explains a check.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// The size is not stated for sure, or the value may be one that the loss skips.
    Likely,
    /// Size and value meet.
    Proven,
}

struct Data<'a> {
    material: &'a Material,
    findings: &'a [Finding],
}

impl<'a> Data<'a> {
    /// Findings that break rules for values of these uses, worst first.
    fn offenders(&self, cause: CauseId, roles: &[Role]) -> impl Iterator<Item = Offender<'a>> {
        self.findings.iter().filter_map(move |finding| {
            let used = self.material.rules.get(finding.rule?)?;
            let bound = used.bound.and_then(|bound| self.material.bounds.get(bound));
            let speaks = finding.severity >= Severity::Warning
                && roles.contains(&used.role)
                && breaks(cause, used.role, finding.id);
            speaks.then_some(Offender {
                finding,
                used,
                bound,
            })
        })
    }

    /// The finding that explains a cause best, and how well.
    fn best(&self, cause: &Cause, roles: &[Role]) -> Option<(Offender<'a>, Fit)> {
        let mut best: Option<(Offender<'a>, Fit)> = None;
        for offender in self.offenders(cause.id, roles) {
            if let Some(fit) = self.fit(cause, offender)
                && best.is_none_or(|(_, before)| before < fit)
            {
                best = Some((offender, fit));
            }
        }
        best
    }

    /// How well a finding explains a check with what the log states of it; `None` where it does not.
    fn fit(&self, cause: &Cause, offender: Offender<'_>) -> Option<Fit> {
        let skipped = |number: &Number| {
            self.material
                .ignore_elsewhere
                .iter()
                .any(|(ignored, _)| *number == Number::from(*ignored))
                && offender.used.role == Role::Class
        };
        let numbers: Vec<Number> = offender.numbers().collect();
        if !numbers.is_empty() && numbers.iter().all(skipped) && !offender.has_more_values() {
            return None;
        }
        if let Some(value) = cause.value
            && !numbers.contains(&Number::from(value))
        {
            // The log names another value; only a list that is cut may still hold it.
            return offender.has_more_values().then_some(Fit::Likely);
        }
        if let Some(range) = cause.range.as_ref()
            && range.certainty == Certainty::Certain
        {
            // A compiled check has no name: its size must be the one of these values.
            let other_size = cause.id == CauseId::InductorIndex
                && offender
                    .used
                    .rule
                    .hi
                    .is_some_and(|hi| hi != Number::from(range.hi));
            // An index into a tensor may count from the end.
            let lo = if cause.id == CauseId::AdvancedIndex {
                range.hi.saturating_neg().saturating_sub(1)
            } else {
                range.lo
            };
            let outside = |number: &Number| {
                number.as_int().is_none()
                    || *number < Number::from(lo)
                    || *number > Number::from(range.hi)
            };
            if other_size || !(numbers.is_empty() || numbers.iter().any(outside)) {
                return None;
            }
            let proven = numbers
                .iter()
                .any(|n| outside(n) && !self.may_be_skipped(offender, *n));
            return Some(if proven { Fit::Proven } else { Fit::Likely });
        }
        let proven = offender.is_sure(self.material.bound_by_user)
            && numbers
                .iter()
                .any(|number| !self.may_be_skipped(offender, *number));
        Some(if proven { Fit::Proven } else { Fit::Likely })
    }

    /// Values that many a loss is told to skip. Whether this one was is not known unless the user said so.
    fn may_be_skipped(&self, offender: Offender<'_>, number: Number) -> bool {
        offender.used.role == Role::Class
            && !self.material.ignore_by_user
            && [-100, -1, 255].iter().any(|&usual| number == usual.into())
    }

    /// Adds to a cause what the data says for it; whether it says something.
    fn speak_for(
        &self,
        cause: &mut Cause,
        first: &Cause,
        facts: &Facts,
        diagnosis: &Diagnosis,
    ) -> bool {
        let is_first = cause.id == first.id;
        // Behind a check that states its size, only data of that size counts: see `behind_the_check`.
        if !is_first && states_a_size_for_any(first) {
            return false;
        }
        let Some((offender, fit)) = self.best(cause, roles_of(cause.id)) else {
            return false;
        };
        let shown = is_first && shows_a_check(cause, facts, diagnosis);
        let certainty = match fit {
            _ if offender.finding.severity < Severity::Error => Certainty::Possible,
            Fit::Proven if shown => Certainty::Certain,
            _ => Certainty::Likely,
        };
        // A run that went on after the error may have caught it; the data cannot tell.
        if cause.because != Because::RunWentOn {
            raise(cause, certainty);
        }
        // Where other values break the same check, the log cannot tell which of them it was.
        let others: Vec<Offender<'_>> = self
            .offenders(cause.id, roles_of(cause.id))
            .filter(|other| other.finding.id != offender.finding.id)
            .filter(|other| self.fit(cause, *other).is_some())
            .take(MOST_CITED - 1)
            .collect();
        cite(cause, offender);
        for other in others {
            cite(cause, other);
        }
        true
    }

    /// A check that does not name its operation failed, and data of one kind breaks it: that kind is the cause behind it.
    fn behind_the_check(&self, out: &mut Diagnosis, first: &Cause) -> bool {
        let Some(range) = first
            .range
            .as_ref()
            .filter(|_| states_a_size_for_any(first))
        else {
            return false;
        };
        let mut met = false;
        for id in [CauseId::LabelOutOfRange, CauseId::EmbeddingIndex] {
            let same_size = |offender: &Offender<'_>| {
                offender.used.rule.hi == Some(Number::from(range.hi))
                    && offender.finding.severity == Severity::Error
            };
            // Without the same size nothing connects the two.
            let found = self
                .offenders(id, roles_of(id))
                .filter(same_size)
                .find(|&offender| self.fit(first, offender).is_some());
            let Some(offender) = found else { continue };
            let proven = first.id == CauseId::InductorIndex
                && offender.is_sure(self.material.bound_by_user)
                && self.fit(first, offender) == Some(Fit::Proven);
            let certainty = if proven {
                Certainty::Certain
            } else {
                Certainty::Likely
            };
            let at = cause_of(out, id, 1);
            if let Some(cause) = out.causes.get_mut(at) {
                raise(cause, certainty);
                cite(cause, offender);
            }
            met = true;
        }
        met
    }

    /// A check on any index failed and the log does not tell its size: data that breaks a rule for sure may be behind it. Nothing
    /// connects the two but that labels and ids are indices, so it is possible and no more.
    fn behind_a_check_without_size(&self, out: &mut Diagnosis, first: &Cause) -> bool {
        if !looks_at_any_index(first) || states_a_size_for_any(first) {
            return false;
        }
        let mut met = false;
        for id in [CauseId::LabelOutOfRange, CauseId::EmbeddingIndex] {
            // Causes that the log hints at have been spoken for.
            if out.causes.iter().any(|cause| cause.id == id) {
                continue;
            }
            let by_user = self.material.bound_by_user;
            let found = self
                .offenders(id, roles_of(id))
                .find(|offender| offender.is_sure(by_user) && self.fit(first, *offender).is_some());
            let Some(offender) = found else { continue };
            let at = cause_of(out, id, 1);
            if let Some(cause) = out.causes.get_mut(at) {
                cite(cause, offender);
            }
            met = true;
        }
        met
    }

    /// The failed check is not in the log: data that breaks a usual one makes that one likely.
    fn behind_an_unknown_check(
        &self,
        out: &mut Diagnosis,
        first: &Cause,
        diagnosis: &Diagnosis,
    ) -> bool {
        let printed = matches!(
            diagnosis.first_failure,
            Some(Failure::Assertion(_) | Failure::Guard(_))
        );
        let asserted = diagnosis.device_assert == DeviceAssert::Yes && !printed;
        let only_reported = first.certainty != Certainty::Certain
            && matches!(
                first.id,
                CauseId::UnknownAssert
                    | CauseId::LaunchFailure
                    | CauseId::IllegalAccess
                    | CauseId::NcclSecondary
            );
        if !asserted && !only_reported {
            return false;
        }
        let certainty = if printed {
            Certainty::Possible
        } else {
            Certainty::Likely
        };
        // A traceback that waited for the kernel says more about which check it was.
        let told = diagnosis
            .causes
            .iter()
            .take_while(|c| c.because == Because::OperationOnly && c.certainty == Certainty::Likely)
            .count();
        let mut at = if asserted { told } else { told.max(1) };
        let mut met = false;
        for id in [CauseId::LabelOutOfRange, CauseId::EmbeddingIndex] {
            let found = self.offenders(id, roles_of(id)).find(|offender| {
                offender.finding.severity == Severity::Error
                    && self.fit(&plain(id), *offender).is_some()
            });
            let Some(offender) = found else { continue };
            let now = cause_of(out, id, at);
            if now >= at && now < out.causes.len() {
                let cause = out.causes.remove(now);
                out.causes.insert(at, cause);
            }
            let place = now.min(at);
            if let Some(cause) = out.causes.get_mut(place) {
                raise(cause, certainty);
                cite(cause, offender);
            }
            at = at.max(place + 1);
            met = true;
        }
        met
    }

    /// The range that a script, a configuration or weights state, where neither the log nor a finding has one.
    fn state_the_range(&self, out: &mut Diagnosis) {
        let Some(cause) = out.causes.first_mut().filter(|cause| cause.range.is_none()) else {
            return;
        };
        let role = match cause.id {
            CauseId::LabelOutOfRange => Role::Class,
            CauseId::EmbeddingIndex => Role::Token,
            _ => return,
        };
        let bounds = &self.material.bounds;
        let best = bounds::choose(role, bounds).and_then(|at| bounds.get(at));
        // Two sources that disagree state nothing.
        let disputed = best.is_some_and(|best| {
            let pairs = self.material.disagreements.iter();
            let mut pairs = pairs.filter_map(|(a, b)| bounds.get(*a).zip(bounds.get(*b)));
            pairs.any(|(a, b)| a == best || b == best)
        });
        // A range that holds the very value that failed is not the one of the check.
        let holds = |best: &&bounds::Bound| {
            cause.value.is_some_and(|value| {
                let value = Number::from(value);
                best.lo <= value && value <= best.hi
            })
        };
        if let Some(best) = best.filter(|best| !disputed && !holds(best)) {
            cause.range = range_of(best);
            if let Some(range) = &mut cause.range {
                range.certainty = range.certainty.min(Certainty::Likely);
            }
        }
    }

    /// How many values the check of a cause looks at, where all of them were read and are in a range that is sure.
    fn all_in_range(&self, cause: &Cause, roles: &[Role]) -> Option<u64> {
        let complete = self
            .material
            .files
            .iter()
            .all(|file| file.error.is_none() && file.partial.is_none());
        let groups: Vec<&Group> = self.groups(roles).collect();
        let values: u64 = groups.iter().map(|group| group.count).sum();
        let in_log_range = |group: &&Group| match &cause.range {
            Some(range)
                if range.certainty == Certainty::Certain && cause.id != CauseId::InductorIndex =>
            {
                group.max.is_none_or(|max| max <= Number::from(range.hi))
            }
            _ => true,
        };
        let sound = complete
            && groups.iter().all(|group| self.is_in_sure_range(group))
            && groups.iter().all(in_log_range);
        (sound && values > 0).then_some(values)
    }

    fn groups(&self, roles: &[Role]) -> impl Iterator<Item = &'a Group> {
        let material = self.material;
        material.groups.iter().filter(move |group| {
            let role = material.rules.get(group.rule).map(|used| used.role);
            // Ids of a list are in that list; that says nothing of the numbers that a loss sees.
            group.count > 0 && role.is_some_and(|r| roles.contains(&r) && r != Role::CategoryId)
        })
    }

    fn is_in_sure_range(&self, group: &Group) -> bool {
        let Some(used) = self.material.rules.get(group.rule) else {
            return false;
        };
        let open = matches!(used.role, Role::Probability | Role::Logits);
        let bound = used.bound.and_then(|bound| self.material.bounds.get(bound));
        let sure = open
            || bound.map_or(self.material.bound_by_user, |bound| {
                bound.certainty == Certainty::Certain
            });
        let broken = self.findings.iter().any(|finding| {
            finding.rule == Some(group.rule) && finding.severity >= Severity::Warning
        });
        sure && !broken && group.breaches.is_empty() && group.missing.is_none()
    }

    /// Guesses behind the first cause whose data is in range go to the end, and are possible at best.
    fn lower(&self, out: &mut Diagnosis) {
        let Some((first, behind)) = out.causes.split_first() else {
            return;
        };
        let in_range = |cause: &Cause| {
            let guess = matches!(cause.because, Because::UsualReason | Because::OperationOnly);
            guess
                && !roles_of(cause.id).is_empty()
                && self.all_in_range(cause, roles_of(cause.id)).is_some()
        };
        let (mut lowered, mut kept): (Vec<Cause>, Vec<Cause>) =
            behind.iter().cloned().partition(in_range);
        for cause in &mut lowered {
            cause.certainty = Certainty::Possible;
        }
        kept.insert(0, first.clone());
        kept.append(&mut lowered);
        out.causes = kept;
    }

    fn errors(&self) -> usize {
        let errors = self.findings.iter();
        // A pattern is no fault beside the one that it explains.
        errors
            .filter(|f| f.severity == Severity::Error && f.explains.is_none())
            .count()
    }
}

/// Whether the log itself shows the check of its first cause: printed by the GPU, or raised by its twin on the CPU.
fn shows_a_check(cause: &Cause, facts: &Facts, diagnosis: &Diagnosis) -> bool {
    match (diagnosis.first_failure, &cause.entry) {
        (Some(Failure::Assertion(_) | Failure::Guard(_)), Entry::Assertion(_)) => true,
        (Some(Failure::Error(i)), Entry::Error(family)) => {
            is_cpu_twin(*family) && facts.errors.get(i).is_some()
        }
        _ => false,
    }
}

/// Whether a check looks at indices of any kind: labels and ids may both be behind it.
fn looks_at_any_index(check: &Cause) -> bool {
    matches!(
        check.id,
        CauseId::InductorIndex | CauseId::GatherScatterIndex | CauseId::AdvancedIndex
    )
}

/// Whether such a check states its size.
fn states_a_size_for_any(check: &Cause) -> bool {
    looks_at_any_index(check)
        && check
            .range
            .as_ref()
            .is_some_and(|range| range.certainty == Certainty::Certain)
}

fn raise(cause: &mut Cause, certainty: Certainty) {
    if certainty > cause.certainty {
        cause.certainty = certainty;
        cause.because = Because::DataShows;
    }
}

/// Where a cause stands; it is added at `at` where it does not stand anywhere.
fn cause_of(out: &mut Diagnosis, id: CauseId, at: usize) -> usize {
    if let Some(found) = out.causes.iter().position(|cause| cause.id == id) {
        return found;
    }
    let at = at.min(out.causes.len());
    out.causes.insert(at, plain(id));
    at
}

/// A cause of which the log says nothing.
fn plain(id: CauseId) -> Cause {
    Cause {
        id,
        certainty: Certainty::Possible,
        because: Because::DataShows,
        entry: Entry::Cause(id),
        operation: None,
        library: None,
        value: None,
        range: None,
        evidence: Vec::new(),
    }
}
