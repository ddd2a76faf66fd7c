//! What a traceback's last frame is worth.
//!
//! CUDA runs behind Python's back: a failed check is raised by whichever call next waits for the GPU. So the last frame is
//! believed only where launches were blocking, where the error is raised on the host, or where the frame's own operation is the
//! one whose kernel failed.

use super::operation::{self, Signs};
use super::{NoticedAt, TracebackReading, Trust, TrustedBecause};
use crate::crash_log::{ErrorFamily, Facts, Frame, Traceback};

/// What is known of the failure when its traceback is read.
pub(super) struct Failed<'a> {
    /// When and where it was raised.
    pub raised: Raised,
    /// What shows the failing operation in a frame; `None` where the log does not tell which it is.
    pub signs: Option<Signs<'a>>,
    /// Only the backward kernel failed.
    pub backward: bool,
    /// Line of the failure.
    pub line: u64,
    /// Index of the error, where the failure is one.
    pub error: Option<usize>,
}

/// When and where a failure was raised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Raised {
    /// At once, on the host.
    AtOnce,
    /// By a call that waits for the kernel it launched.
    Waiting,
    /// By whichever call came after the kernel had failed.
    Late,
    /// By another process, which only reports it.
    Elsewhere,
}

/// Reads the traceback that belongs to a failure; `None` where the log has none with frames.
pub(super) fn read_traceback(facts: &Facts, failed: &Failed<'_>) -> Option<TracebackReading> {
    let index = traceback_of(facts, failed)?;
    let traceback = facts.tracebacks.get(index)?;
    let last_frame = traceback.frames.len().checked_sub(1)?;
    let user_frame = traceback.frames.iter().rposition(|frame| !frame.library);
    let trust = trust(facts, traceback, failed);
    Some(TracebackReading {
        traceback: index,
        last_frame,
        user_frame,
        culprit_frame: trust.is_trusted().then_some(last_frame),
        trust,
    })
}

/// The traceback that reports a failure.
///
/// Output of the GPU and of Python is buffered apart, so a traceback may stand before or after the failed check: the first
/// that ends in an error of CUDA counts, wherever it stands.
fn traceback_of(facts: &Facts, failed: &Failed<'_>) -> Option<usize> {
    let usable = |t: &Traceback| !t.frames.is_empty();
    if let Some(error) = failed.error {
        let own = facts
            .tracebacks
            .iter()
            .position(|t| usable(t) && t.error == Some(error));
        if own.is_some() {
            return own;
        }
    }
    let family = |t: &Traceback| t.error.and_then(|e| facts.errors.get(e)).map(|e| e.family);
    let reports = |t: &Traceback| usable(t) && family(t).is_some_and(reports_gpu_failure);
    // After the failed check first; a shell session may hold an older failure before it.
    let after = |t: &Traceback| t.last_line >= failed.line;
    let all = &facts.tracebacks;
    let by_error = all
        .iter()
        .position(|t| reports(t) && after(t))
        .or_else(|| all.iter().position(reports));
    if failed.error.is_some() && failed.raised == Raised::AtOnce {
        // A host error without a traceback of its own borrows none.
        return None;
    }
    by_error
        .or_else(|| {
            all.iter()
                .position(|t| usable(t) && t.error.is_none() && after(t))
        })
        .or_else(|| all.iter().position(|t| usable(t) && after(t)))
}

/// Errors that may be the late report of a failed kernel.
pub(super) fn reports_gpu_failure(family: ErrorFamily) -> bool {
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
            | F::EccError
            | F::OtherCuda
            | F::Cublas
            | F::CublasAlloc
            | F::Cudnn
            | F::CudaTeardown
            | F::InvalidArgument
    )
}

fn trust(facts: &Facts, traceback: &Traceback, failed: &Failed<'_>) -> Trust {
    let Some(last) = traceback.frames.last() else {
        return Trust::NotTrusted(NoticedAt::LaterCall);
    };
    let noticed = noticed_at(&traceback.frames);
    if failed.raised == Raised::AtOnce {
        return Trust::Trusted(TrustedBecause::Synchronous);
    }
    if noticed == NoticedAt::OtherProcess || failed.raised == Raised::Elsewhere {
        return Trust::NotTrusted(NoticedAt::OtherProcess);
    }
    if facts.environment.launch_blocking == Some(true) {
        return Trust::Trusted(TrustedBecause::Blocking);
    }
    let matches = failed.raised == Raised::Waiting
        || failed.signs.is_some_and(|signs| signs.show_in(last))
        || (failed.backward && noticed == NoticedAt::Backward);
    if matches {
        Trust::Trusted(TrustedBecause::OperationMatches)
    } else {
        Trust::NotTrusted(noticed)
    }
}

/// What the deepest frames were doing.
pub(super) fn noticed_at(frames: &[Frame]) -> NoticedAt {
    let user = frames.iter().rev().find(|frame| !frame.library);
    let by_frame = |frame: &Frame| {
        let code = frame
            .code
            .as_deref()
            .map(operation::without_comment)
            .unwrap_or_default();
        let file = frame.file.replace('\\', "/");
        let function = frame.function.as_deref().unwrap_or_default();
        NOTICED
            .iter()
            .find(|rule| {
                rule.code.iter().any(|sign| code.contains(sign))
                    || rule.file.iter().any(|sign| file.contains(sign))
                    || rule.function.contains(&function)
            })
            .map(|rule| rule.at)
    };
    frames
        .last()
        .and_then(by_frame)
        .or_else(|| user.and_then(by_frame))
        .unwrap_or(NoticedAt::LaterCall)
}

struct NoticedRule {
    at: NoticedAt,
    code: &'static [&'static str],
    file: &'static [&'static str],
    function: &'static [&'static str],
}

/// In order: the first rule that fits a frame counts.
const NOTICED: &[NoticedRule] = &[
    NoticedRule {
        at: NoticedAt::OtherProcess,
        code: &[
            "ProcessExitedException",
            "mp.spawn(",
            "ChildFailedError",
            "ray.get(",
        ],
        file: &[
            "multiprocessing/spawn.py",
            "distributed/elastic",
            "distributed/launcher",
            "distributed/run.py",
            "subprocess.py",
        ],
        function: &[],
    },
    NoticedRule {
        at: NoticedAt::Print,
        code: &["print(", "repr(", "_str(self"],
        file: &["torch/_tensor_str.py"],
        function: &["__repr__", "__format__", "__str__"],
    },
    NoticedRule {
        at: NoticedAt::Backward,
        code: &[".backward(", "run_backward(", "autograd.grad("],
        file: &["torch/autograd/__init__.py", "torch/autograd/graph.py"],
        function: &["backward", "_engine_run_backward"],
    },
    NoticedRule {
        at: NoticedAt::Optimizer,
        code: &[
            "optimizer.step(",
            "optim.step(",
            ".zero_grad(",
            "clip_grad_",
            "scaler.step(",
            "scaler.update(",
        ],
        file: &["torch/optim/", "amp/grad_scaler.py", "utils/clip_grad.py"],
        function: &[],
    },
    NoticedRule {
        at: NoticedAt::Synchronize,
        code: &[
            "synchronize(",
            "empty_cache(",
            "memory_allocated(",
            "manual_seed",
            "get_rng_state",
            ".barrier(",
        ],
        file: &[],
        function: &["synchronize"],
    },
    NoticedRule {
        at: NoticedAt::ReadBack,
        code: &[
            ".item(",
            ".tolist(",
            "float(",
            "int(",
            "bool(",
            ".nonzero(",
            ".any(",
            ".all(",
            "torch.equal(",
            "allclose(",
            ".unique(",
            "isnan(",
        ],
        file: &[],
        function: &["item", "tolist"],
    },
    NoticedRule {
        at: NoticedAt::Copy,
        code: &[
            ".cuda(",
            ".to(",
            ".cpu(",
            ".numpy(",
            ".float()",
            ".half()",
            ".clone()",
            "torch.load(",
            ".contiguous()",
            "pin_memory",
        ],
        file: &[],
        function: &["cuda", "cpu", "to"],
    },
];
