//! Which errors follow from which: the first failure told from what it drags behind it.

use super::{Consequence, Failure};
use crate::crash_log::{ErrorEvent, ErrorFamily, ErrorRole, Facts};

/// How near to the root an error of a family usually is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Depth {
    /// Only reports that something else failed (a launcher, a watchdog, teardown).
    Reporter,
    /// May be the root or a follower (an ordinary exception, a library's status).
    Either,
    /// Names a reason of its own.
    Root,
    /// A kernel failed: everything after it in the process is a consequence.
    Gpu,
}

pub(super) fn depth(family: ErrorFamily) -> Depth {
    use ErrorFamily as F;
    match family {
        F::DeviceAssert
        | F::IllegalAddress
        | F::LaunchFailure
        | F::MisalignedAddress
        | F::IllegalInstruction
        | F::KernelFault
        | F::LaunchTimeout
        | F::EccError => Depth::Gpu,
        F::CudaTeardown
        | F::Nccl
        | F::NcclWatchdog
        | F::ChildFailed
        | F::WorkerExited
        | F::WorkerException
        | F::ProcessDied => Depth::Reporter,
        F::PythonException
        | F::Cublas
        | F::CublasAlloc
        | F::Cudnn
        | F::OtherCuda
        | F::InvalidArgument => Depth::Either,
        _ => Depth::Root,
    }
}

/// The family to judge an error by: a watchdog or NCCL's own line that quotes the code of a failed kernel speaks of that.
pub(super) fn judged_as(error: &ErrorEvent) -> ErrorFamily {
    use ErrorFamily as F;
    match (error.family, error.status.as_deref()) {
        (F::Nccl | F::NcclWatchdog, Some("710")) => F::DeviceAssert,
        (F::Nccl | F::NcclWatchdog, Some("700")) => F::IllegalAddress,
        (F::Nccl | F::NcclWatchdog, Some("719")) => F::LaunchFailure,
        (family, _) => family,
    }
}

/// The error that everything else follows from, where no failed check is printed; `None` where nothing failed.
pub(super) fn first_error(facts: &Facts) -> Option<usize> {
    let failures = || {
        facts
            .errors
            .iter()
            .enumerate()
            .filter(|(_, error)| !is_interruption(error))
    };
    // A dead GPU process fails everything that comes later, so the first of these is the one. A watchdog's line that quotes
    // another rank's failure stands behind the rank that failed itself.
    let gpu = |role: fn(&ErrorEvent) -> bool| {
        failures()
            .find(|(_, e)| depth(judged_as(e)) == Depth::Gpu && role(e))
            .map(|(i, _)| i)
    };
    let own = |e: &ErrorEvent| depth(e.family) == Depth::Gpu;
    let first = gpu(|e| e.role == ErrorRole::Exception)
        .or_else(|| gpu(own))
        .or_else(|| gpu(|_| true));
    if let Some(first) = first {
        // A kernel of another card's build says so itself, and then fails.
        let said_by_kernel = failures().find(|(i, e)| *i < first && is_said_by_kernel(e));
        return Some(said_by_kernel.map_or(first, |(i, _)| i));
    }
    // Otherwise exceptions do not kill by themselves: one that was caught and printed early is not what ended the run. So the
    // newest that names a reason of its own counts, and of equal ones the first of its kind (ranks repeat each other).
    let newest = |wanted: Depth, role: fn(&ErrorEvent) -> bool| {
        let (_, last) = failures().rfind(|(_, e)| depth(e.family) == wanted && role(e))?;
        failures()
            .find(|(_, e)| {
                e.family == last.family
                    && (e.family != ErrorFamily::PythonException || e.text == last.text)
            })
            .map(|(i, _)| i)
    };
    let raised = |e: &ErrorEvent| e.role != ErrorRole::Logged;
    let any = |_: &ErrorEvent| true;
    let root = newest(Depth::Root, raised).map(|i| first_of_workers(facts, i));
    root.or_else(|| newest(Depth::Either, raised).map(|i| root_of_chain(facts, i)))
        .or_else(|| newest(Depth::Root, any))
        .or_else(|| most_telling_reporter(facts))
        .or_else(|| newest(Depth::Either, any))
}

/// Where only reporters speak: the first of those that tell most. A launcher knows least of what happened.
fn most_telling_reporter(facts: &Facts) -> Option<usize> {
    use ErrorFamily as F;
    [
        &[F::WorkerException, F::WorkerExited][..],
        &[F::NcclWatchdog, F::Nccl],
        &[F::ProcessDied],
        &[F::ChildFailed, F::CudaTeardown],
    ]
    .iter()
    .find_map(|families| {
        facts
            .errors
            .iter()
            .position(|e| families.contains(&e.family))
    })
}

/// Among the errors of starting workers the one that names the reason: a missing guard before the broken pipe it leaves.
fn first_of_workers(facts: &Facts, chosen: usize) -> usize {
    use ErrorFamily as F;
    let of_workers = |f| {
        matches!(
            f,
            F::SpawnGuard | F::WorkerMemory | F::WorkerPickle | F::ForkedCuda | F::CudaIpc
        )
    };
    if !facts
        .errors
        .get(chosen)
        .is_some_and(|e| of_workers(e.family))
    {
        return chosen;
    }
    [
        F::WorkerMemory,
        F::SpawnGuard,
        F::ForkedCuda,
        F::CudaIpc,
        F::WorkerPickle,
    ]
    .iter()
    .find_map(|family| {
        facts
            .errors
            .iter()
            .position(|e| e.family == *family && e.role != ErrorRole::Logged)
    })
    .unwrap_or(chosen)
}

/// The exception that a chain of tracebacks began with.
fn root_of_chain(facts: &Facts, error: usize) -> usize {
    let Some(mut at) = facts.tracebacks.iter().position(|t| t.error == Some(error)) else {
        return error;
    };
    let mut root = error;
    while facts.tracebacks.get(at).is_some_and(|t| t.chain.is_some()) && at > 0 {
        at -= 1;
        if let Some(earlier) = facts.tracebacks.get(at).and_then(|t| t.error) {
            root = earlier;
        }
    }
    root
}

/// Printed on the GPU by a kernel that was built for another card.
pub(super) fn is_said_by_kernel(error: &ErrorEvent) -> bool {
    error.family == ErrorFamily::NoKernelImage && error.text.starts_with("FATAL: kernel")
}

/// Stopped by hand, or a plain end: no failure.
pub(super) fn is_interruption(error: &ErrorEvent) -> bool {
    error.family == ErrorFamily::PythonException
        && error.class.as_deref().is_some_and(|class| {
            matches!(
                class,
                "KeyboardInterrupt" | "SystemExit" | "GeneratorExit" | "StopIteration"
            )
        })
}

/// Errors with a reason of their own that a lost GPU process also raises at its next call.
fn is_of_lost_context(family: ErrorFamily) -> bool {
    use ErrorFamily as F;
    matches!(
        family,
        F::CudaInit | F::DeviceBusy | F::StreamCapture | F::OtherFramework
    )
}

/// What came only because of the first failure.
pub(super) fn consequences(facts: &Facts, first: Failure, process_lost: bool) -> Vec<Consequence> {
    let (first_error, first_line) = match first {
        // The exception that reports a failed check may be printed before it: other buffers.
        Failure::Assertion(_) => (None, 0),
        Failure::Error(i) => (Some(i), facts.errors.get(i).map_or(0, |e| e.line)),
        // Its own exception is the same failure told again.
        Failure::Guard(i) => {
            let own = |e: &ErrorEvent| e.family == ErrorFamily::GuardCaught;
            let line = facts.guard.violations.get(i).map_or(0, |v| v.line);
            (facts.errors.iter().position(own), line)
        }
    };
    let check_line = match first {
        Failure::Assertion(i) => facts.assertions.get(i).map_or(0, |a| a.first_line),
        Failure::Error(_) | Failure::Guard(_) => 0,
    };
    facts
        .errors
        .iter()
        .enumerate()
        .filter(|&(i, error)| {
            let later = error.line >= first_line && error.line >= check_line;
            let follows = match depth(error.family) {
                Depth::Gpu => process_lost,
                Depth::Reporter => true,
                Depth::Either => process_lost && later,
                Depth::Root => process_lost && later && is_of_lost_context(error.family),
            };
            Some(i) != first_error
                && follows
                && (later || depth(error.family) == Depth::Gpu)
                && !is_interruption(error)
        })
        .map(|(i, error)| Consequence {
            family: error.family,
            error: i,
            line: error.line,
            text: error.text.clone(),
        })
        .collect()
}
