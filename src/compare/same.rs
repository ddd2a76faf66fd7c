//! Whether two failures are the same.

use super::{NewFailure, SameCheck, Side, Stopped};
use crate::crash_log::{AssertionGroup, ErrorEvent, ErrorFamily, Facts};
use crate::diagnosis::{Cause, Failure};
use crate::knowledge::CauseId;

/// Whether the failure of `second` is that of `first`; both have one.
pub(super) fn same(first: &Side<'_>, second: &Side<'_>) -> SameCheck {
    let (Some(one), Some(other)) = (
        first.diagnosis.causes.first(),
        second.diagnosis.causes.first(),
    ) else {
        return SameCheck::MayBe;
    };
    if let (Some(check), Some(again)) = (check_of(first), check_of(second))
        && is_same_check(check, again)
    {
        return SameCheck::StillThere;
    }
    // A check that failed in the second log beside the one that came first.
    if let Some(check) = check_of(first)
        && second
            .facts
            .assertions
            .iter()
            .any(|again| is_same_check(check, again))
    {
        return SameCheck::StillThere;
    }
    let is_error = |id: CauseId| {
        matches!(
            id,
            CauseId::PythonError | CauseId::OtherFramework | CauseId::UserAssert
        )
    };
    if one.id == other.id {
        if is_error(one.id) {
            // Ordinary errors share a cause; their texts tell them apart.
            let same = error_of(first)
                .zip(error_of(second))
                .is_some_and(|(one, other)| is_same_error(one, other));
            return if same {
                SameCheck::StillThere
            } else {
                SameCheck::Gone
            };
        }
        return if is_same_operation(one, other) {
            SameCheck::StillThere
        } else {
            SameCheck::Gone
        };
    }
    // Where one of the two logs does not show its check, it may be the very same.
    let hidden = |id: CauseId| {
        matches!(
            id,
            CauseId::UnknownAssert
                | CauseId::LaunchFailure
                | CauseId::IllegalAccess
                | CauseId::NcclSecondary
        )
    };
    if hidden(one.id) || hidden(other.id) {
        SameCheck::MayBe
    } else {
        SameCheck::Gone
    }
}

fn check_of<'a>(side: &Side<'a>) -> Option<&'a AssertionGroup> {
    match side.diagnosis.first_failure? {
        Failure::Assertion(i) => side.facts.assertions.get(i),
        _ => None,
    }
}

fn error_of<'a>(side: &Side<'a>) -> Option<&'a ErrorEvent> {
    match side.diagnosis.first_failure? {
        Failure::Error(i) => side.facts.errors.get(i),
        _ => None,
    }
}

/// Line numbers move with every release, and paths with every build.
fn is_same_check(one: &AssertionGroup, other: &AssertionGroup) -> bool {
    let name = |group: &AssertionGroup| {
        let file = group.file.rsplit(['/', '\\']).next().unwrap_or_default();
        file.to_ascii_lowercase()
    };
    one.expression == other.expression && name(one) == name(other)
}

fn is_same_error(one: &ErrorEvent, other: &ErrorEvent) -> bool {
    // Numbers and addresses change from run to run.
    let shape = |text: &str| -> String { text.chars().filter(|c| !c.is_ascii_digit()).collect() };
    one.family == other.family && shape(&one.text) == shape(&other.text)
}

/// The operations are the same, or one of them is not told.
fn is_same_operation(one: &Cause, other: &Cause) -> bool {
    let told = |cause: &Cause| {
        let operation = cause
            .operation
            .as_ref()
            .filter(|operation| operation.shown)?;
        let name = operation.name.rsplit('.').next()?;
        Some(name.trim_end_matches('_').to_ascii_lowercase())
    };
    match (told(one), told(other)) {
        // The losses of one family call each other.
        (Some(one), Some(other)) => group_of(&one) == group_of(&other),
        _ => true,
    }
}

/// Names that stand for the same check.
fn group_of(name: &str) -> &str {
    match name {
        "crossentropyloss" | "cross_entropy" | "nll_loss" | "nllloss" | "nll_loss2d" => "loss",
        "embedding" | "index_select" => "rows",
        "embedding_bag" | "embeddingbag" => "bags",
        "bceloss" | "binary_cross_entropy" => "bce",
        "ctc_loss" | "ctcloss" => "ctc",
        "scatter" | "scatter_add" | "scatter_reduce" => "scatter",
        other => other,
    }
}

/// What a run died of.
pub(super) fn failure_of(side: &Side<'_>) -> Option<NewFailure> {
    let cause = side.diagnosis.causes.first()?;
    if cause.id == CauseId::None {
        return None;
    }
    let Some(failure) = side.diagnosis.first_failure else {
        let line = cause.evidence.first().map_or(0, |evidence| evidence.line);
        return Some(NewFailure::BreaksOff { line });
    };
    let (line, text) = place(side.facts, failure);
    Some(NewFailure::Cause {
        cause: cause.id,
        certainty: cause.certainty,
        line,
        text,
        stopped: stopped(side.facts, failure),
    })
}

fn stopped(facts: &Facts, failure: Failure) -> Option<Stopped> {
    let Failure::Guard(i) = failure else {
        return None;
    };
    let seen = facts.guard.violations.get(i)?;
    Some(Stopped {
        operation: seen.operation.clone(),
        value: seen.value.map(|value| value.to_string()),
        range: seen
            .lo
            .zip(seen.hi)
            .map(|(lo, hi)| (lo.to_string(), hi.to_string())),
    })
}

fn place(facts: &Facts, failure: Failure) -> (u64, String) {
    match failure {
        Failure::Assertion(i) => facts
            .assertions
            .get(i)
            .map(|group| (group.first_line, group.expression.clone())),
        Failure::Error(i) => facts
            .errors
            .get(i)
            .map(|error| (error.line, error.text.clone())),
        Failure::Guard(i) => facts.guard.violations.get(i).map(|seen| {
            let text = seen
                .message
                .clone()
                .unwrap_or_else(|| seen.operation.clone());
            (seen.line, text)
        }),
    }
    .unwrap_or_default()
}

/// The error of a run is one of the GPU, which a CPU never meets.
pub(super) fn is_of_gpu(side: &Side<'_>) -> bool {
    let is_ctc = side
        .diagnosis
        .causes
        .first()
        .is_some_and(|cause| cause.id == CauseId::CtcTarget);
    match side.diagnosis.first_failure {
        // The host raised it, and will do so again; only CTC loss looks at its targets on the GPU alone.
        _ if is_ctc => return true,
        _ if side.on_cpu() => return false,
        Some(Failure::Guard(_)) => return false,
        Some(Failure::Error(_)) => {
            return error_of(side).is_some_and(|error| {
                only_on_gpu(error.family)
                    && (error.family != ErrorFamily::DeviceAssert || shows_on_gpu_alone(side))
            });
        }
        Some(Failure::Assertion(_)) | None => {}
    }
    shows_on_gpu_alone(side)
}

/// Errors of a device that a CPU never meets.
fn only_on_gpu(family: ErrorFamily) -> bool {
    use ErrorFamily as F;
    matches!(
        family,
        F::DeviceAssert
            | F::IllegalAddress
            | F::LaunchFailure
            | F::MisalignedAddress
            | F::IllegalInstruction
            | F::KernelFault
            | F::LaunchTimeout
            | F::LaunchResources
            | F::OutOfMemory
            | F::NoKernelImage
            | F::DriverTooOld
            | F::NoDevice
            | F::InvalidDevice
            | F::CudaInit
            | F::DeviceBusy
            | F::CudaIpc
            | F::EccError
            | F::StreamCapture
            | F::InvalidArgument
            | F::CudaTeardown
            | F::OtherCuda
            | F::Cublas
            | F::CublasAlloc
            | F::Cudnn
            | F::Nccl
            | F::NcclWatchdog
            | F::ForkedCuda
            | F::CompileFailed
    )
}

/// What failed, failed in a way that only a GPU has.
fn shows_on_gpu_alone(side: &Side<'_>) -> bool {
    side.diagnosis.causes.first().is_some_and(|cause| {
        matches!(
            cause.id,
            CauseId::Oom
                | CauseId::IllegalAccess
                | CauseId::LaunchFailure
                | CauseId::ArchMismatch
                | CauseId::DriverMismatch
                | CauseId::NcclSecondary
                | CauseId::UnknownAssert
                | CauseId::CustomKernel
                | CauseId::FrameworkInternal
                | CauseId::InductorIndex
        )
    })
}
