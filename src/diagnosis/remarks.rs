//! Remarks that help to read a log aright.

use super::consequences::judged_as;
use super::{Diagnosis, Failure, NoticedAt, Remark, Trust, TrustedBecause, trust};
use crate::crash_log::{ErrorFamily, ErrorRole, Facts, HintKind, Phase};

pub(super) fn remarks(facts: &Facts, diagnosis: &Diagnosis) -> Vec<Remark> {
    let mut remarks = Vec::new();
    let Some(first) = diagnosis.first_failure else {
        return remarks;
    };
    let first_error = match first {
        Failure::Error(i) => facts.errors.get(i),
        Failure::Assertion(_) | Failure::Guard(_) => None,
    };
    let check_line = match first {
        Failure::Assertion(i) => facts.assertions.get(i).map(|group| group.first_line),
        Failure::Error(_) | Failure::Guard(_) => None,
    };
    let guarded = matches!(first, Failure::Guard(_));

    if (diagnosis.process_lost || guarded) && facts.progress.phase == Some(Phase::Validation) {
        remarks.push(Remark::InValidation);
    }
    if let Some(line) = check_line {
        let on_cpu = facts
            .errors
            .iter()
            .find(|e| e.line < line && e.role == ErrorRole::Exception && is_cpu_twin(e.family));
        if let Some(error) = on_cpu {
            remarks.push(Remark::CpuSaysTheSame { line: error.line });
        }
    }
    let mut checks: Vec<_> = facts
        .assertions
        .iter()
        .map(|group| (&group.file, group.line, &group.expression))
        .collect();
    checks.dedup();
    if checks.len() > 1 {
        remarks.push(Remark::SeveralChecks {
            count: checks.len(),
        });
    }
    if first_error.is_some_and(|e| judged_as(e) == ErrorFamily::DeviceAssert) {
        remarks.push(Remark::CheckNotInLog);
    }
    if facts.environment.rocm && first_error.is_some_and(|e| e.family == ErrorFamily::LaunchFailure)
    {
        remarks.push(Remark::RocmHidesAsserts);
    }
    if let Some(reading) = &diagnosis.traceback {
        let frames = facts
            .tracebacks
            .get(reading.traceback)
            .map(|t| t.frames.as_slice());
        let at_copy = frames.is_some_and(|f| trust::noticed_at(f) == NoticedAt::Copy);
        match reading.trust {
            Trust::Trusted(TrustedBecause::Blocking) if at_copy => {
                remarks.push(Remark::BlockingCopy);
            }
            Trust::NotTrusted(_) if diagnosis.process_lost && may_be_late(facts) => {
                remarks.push(Remark::WouldGiveTheLine);
            }
            _ => {}
        }
    }
    if let Some(line) = facts.environment.dsa_set_in_environment {
        remarks.push(Remark::DsaInEnvironment { line });
    }
    let processes = facts.environment.processes as usize;
    if processes > 1 && (diagnosis.process_lost || guarded) {
        remarks.push(Remark::SeveralProcesses { count: processes });
    }
    if facts.tracebacks.last().is_some_and(|t| t.error.is_none()) && facts.errors.is_empty() {
        remarks.push(Remark::BreaksOff);
    }
    remarks
}

/// Launches were not blocking, or nothing tells.
fn may_be_late(facts: &Facts) -> bool {
    facts.environment.launch_blocking != Some(true)
        || facts
            .hints
            .iter()
            .any(|hint| hint.kind == HintKind::Asynchronous)
}

/// The errors with which the CPU says what a failed check on the GPU leaves out.
pub fn is_cpu_twin(family: ErrorFamily) -> bool {
    use ErrorFamily as F;
    matches!(
        family,
        F::CpuTarget
            | F::CpuBce
            | F::CpuEmbedding
            | F::CpuGather
            | F::CpuIndex
            | F::CpuMultinomial
            | F::CpuProbability
            | F::CpuCount
    )
}
