//! Facts to ranked causes, each with its certainty and the evidence for it.
//!
//! Pure: no IO, no words. `words` turns a [`Diagnosis`] into sentences, so that console, window and report say the same.

mod behind;
mod causes;
mod consequences;
mod data;
mod failed;
mod guard;
mod operation;
mod range;
mod remarks;
mod trust;

use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use causes::diagnose;
pub use data::with_findings;
pub use remarks::is_cpu_twin;

pub use crate::knowledge::Certainty;

use crate::crash_log::ErrorFamily;
use crate::knowledge::CauseId;
use crate::labels::Place;

/// What one log means.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Diagnosis {
    /// Ranked, best first, never empty; no id occurs twice.
    pub causes: Vec<Cause>,
    /// The failure that everything else follows from; `None` where nothing failed.
    pub first_failure: Option<Failure>,
    /// What the traceback that belongs to the first failure is worth; `None` where the log has no usable traceback.
    pub traceback: Option<TracebackReading>,
    /// What came after the first failure only because of it, in order of appearance.
    pub consequences: Vec<Consequence>,
    /// Whether the run died of a device-side assert.
    pub device_assert: DeviceAssert,
    /// The GPU process cannot go on after this failure: it (in a notebook the kernel) must be restarted.
    pub process_lost: bool,
    /// Remarks that help to read the log aright.
    pub remarks: Vec<Remark>,
}

impl Diagnosis {
    /// Whether the first cause is a check on values that could lie in label files.
    pub fn looks_at_values(&self) -> bool {
        self.causes
            .first()
            .is_some_and(|cause| !data::roles_of(cause.id).is_empty())
    }
}

/// One explanation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cause {
    /// Its stable name.
    pub id: CauseId,
    /// How sure.
    pub certainty: Certainty,
    /// Why this sure.
    pub because: Because,
    /// Where its texts come from.
    pub entry: Entry,
    /// The Python operation to look at (`F.cross_entropy`), as far as the log or the knowledge tells.
    pub operation: Option<Operation>,
    /// Library named by the log, of custom kernels and other frameworks (`k2`, `Paddle`).
    pub library: Option<String>,
    /// The offending value, where the log states it or the data shows it.
    pub value: Option<i64>,
    /// The allowed range, where the log or a file states its size.
    pub range: Option<AllowedRange>,
    /// Lines of the log and places in the data that support or contradict it, most telling first.
    pub evidence: Vec<Evidence>,
}

/// Why a certainty was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Because {
    /// The guard saw the value before the kernel ran.
    GuardSaw,
    /// The failed check is in the log and says exactly this.
    LogStatesCheck,
    /// The error message says exactly this.
    LogStatesError,
    /// A check with the same expression is known, from another file.
    ExpressionAlone,
    /// The failed check fits, and a sign in the log points to this reason behind it (a metric that turned NaN before).
    SignBefore,
    /// Only the backward kernel failed: the forward pass had accepted the same labels, which is unusual.
    BackwardOnly,
    /// The traceback's last operation suggests it; the failed check is not in the log.
    OperationOnly,
    /// It is what most often lies behind such a message.
    UsualReason,
    /// The error is reported by a process that did not fail first.
    ReportedForAnother,
    /// The log goes on for long after the error: the run may have survived it.
    RunWentOn,
    /// Nothing in the log speaks of a failure.
    NothingFound,
    /// Nothing in the log tells more.
    NotInLog,
    /// The data that was checked holds a value that fails just so.
    DataShows,
}

/// Which knowledge entry holds a cause's texts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Entry {
    /// `assertions.json` by id; its topic has the texts.
    Assertion(String),
    /// `errors.json`.
    Error(ErrorFamily),
    /// `causes.json`.
    Cause(CauseId),
}

/// A Python operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Operation {
    /// As one writes it (`F.cross_entropy`, `x[idx]`).
    pub name: String,
    /// The log shows it (a traceback frame, the error text); otherwise it is the one that this check belongs to.
    pub shown: bool,
    /// Forward or backward pass, where the device function's name tells.
    pub pass: Option<Pass>,
}

/// Forward or backward.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pass {
    /// Computing the loss.
    Forward,
    /// Computing gradients.
    Backward,
}

/// A range that values must keep to, where its size is in the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AllowedRange {
    /// Smallest allowed value.
    pub lo: i64,
    /// Largest allowed value.
    pub hi: i64,
    /// What states it (`num_classes`, `0 <= tmp4 < 32000`, `data.yaml nc = 80`).
    pub source: String,
    /// Where in the log; 0 where a file states it.
    pub line: u64,
    /// The file that states it; `None` where the log does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<Arc<Path>>,
    /// `Certain` where the failed check itself states it, `Likely` where a size nearby fits.
    pub certainty: Certainty,
}

/// One line, or one value of the data, that speaks for or against a cause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// Line of the log; 0 for a place in the data.
    pub line: u64,
    /// Its text; of a value the row as it stands, or the value.
    pub text: String,
    /// What it shows.
    pub role: EvidenceRole,
    /// Where in the data it stands; `None` for a line of the log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// The whole number that stands there; `None` for a line of the log, and where it is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<i64>,
}

/// What a line of evidence shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EvidenceRole {
    /// The check that failed.
    FailedCheck,
    /// The error that says it.
    Error,
    /// The operation in the traceback.
    Operation,
    /// Where the failure was merely noticed.
    NoticedHere,
    /// A sign before the failure.
    SignBefore,
    /// A size that gives the allowed range.
    Size,
    /// A line that looks like a failure and is none.
    Harmless,
    /// A value of the data that breaks the check.
    Offender,
    /// What the guard saw.
    GuardSaw,
}

/// A failure: where in [`Facts`](crate::crash_log::Facts) it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Failure {
    /// Index into the assertions.
    Assertion(usize),
    /// Index into the errors.
    Error(usize),
    /// Index into the guard's violations.
    Guard(usize),
}

/// What a traceback is worth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TracebackReading {
    /// Index into the tracebacks.
    pub traceback: usize,
    /// The deepest shown frame.
    pub last_frame: usize,
    /// The user's own last frame, where there is one.
    pub user_frame: Option<usize>,
    /// The frame that shows the failing operation, where one does.
    pub culprit_frame: Option<usize>,
    /// Whether the deepest shown frame belongs to the failing operation, and why.
    pub trust: Trust,
}

/// Whether the deepest frame of a traceback belongs to the failing operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind", content = "reason")]
pub enum Trust {
    /// It does.
    Trusted(TrustedBecause),
    /// It does not.
    NotTrusted(NoticedAt),
}

impl Trust {
    /// Whether the deepest frame belongs to the failing operation.
    pub fn is_trusted(self) -> bool {
        matches!(self, Self::Trusted(_))
    }
}

/// Why a traceback's last frame is believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TrustedBecause {
    /// Launches were blocking: a kernel's failure is raised by the call that launched it.
    Blocking,
    /// The error is raised on the host, at once.
    Synchronous,
    /// The frame's operation is the one whose kernel failed.
    OperationMatches,
}

/// What the last frame was doing when it noticed an earlier failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoticedAt {
    /// `loss.backward()`.
    Backward,
    /// `.cuda()`, `.to(…)`, `.cpu()`, `.numpy()`: a copy waits for the GPU.
    Copy,
    /// `.item()`, `.tolist()`, `float(x)`, `bool(x)`, `nonzero`: a value is read back.
    ReadBack,
    /// `print`, `repr`, logging of a GPU value.
    Print,
    /// `torch.cuda.synchronize()`, `empty_cache()` and the like.
    Synchronize,
    /// `optimizer.step()`, `zero_grad`, gradient clipping and scaling.
    Optimizer,
    /// A launcher, a parent process or a watchdog: another process failed.
    OtherProcess,
    /// The launch of another, later kernel.
    LaterCall,
}

/// Something that happened only because of the first failure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Consequence {
    /// What it is.
    pub family: ErrorFamily,
    /// Index into the errors.
    pub error: usize,
    /// Line of the log.
    pub line: u64,
    /// Its text.
    pub text: String,
}

impl Consequence {
    /// What kind of thing it is, as JSON and texts name it.
    pub fn kind(&self) -> &'static str {
        kind_of(self.family)
    }
}

/// What kind of thing an error is, as JSON and texts name it: the part that spoke.
pub fn kind_of(family: ErrorFamily) -> &'static str {
    use ErrorFamily as F;
    match family {
        F::Cublas | F::CublasAlloc => "cublas",
        F::Cudnn => "cudnn",
        F::Nccl | F::NcclWatchdog => "nccl",
        F::ChildFailed | F::ProcessDied => "process",
        F::WorkerExited | F::WorkerException => "dataloader",
        F::PythonException => "python",
        _ => "cuda",
    }
}

/// Whether the run died of a device-side assert.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DeviceAssert {
    /// Yes.
    Yes,
    /// No: something else failed.
    No,
    /// No, although the words "device-side assertion" stand in the log (PyTorch's hint, an info line).
    OnlyMentioned,
}

/// Something worth knowing about this log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Remark {
    /// Launches were not blocking, so the line cannot be told; how to get it.
    WouldGiveTheLine,
    /// `TORCH_USE_CUDA_DSA` was set in the environment, which does nothing for a stock PyTorch.
    DsaInEnvironment {
        /// Line of the log.
        line: u64,
    },
    /// With blocking launches the copy's own kernel failed: a custom extension, or a build that does not fit the card.
    BlockingCopy,
    /// Several different checks failed; the first is shown.
    SeveralChecks {
        /// How many different ones.
        count: usize,
    },
    /// Several ranks or processes report the same failure.
    SeveralProcesses {
        /// How many.
        count: usize,
    },
    /// The failure came in a validation pass: look at the validation data.
    InValidation,
    /// The log breaks off before it shows what failed.
    BreaksOff,
    /// The failed check is not printed; it may be in another place (terminal, notebook cell's stderr, other rank).
    CheckNotInLog,
    /// A failed check on ROCm may show only as a launch failure.
    RocmHidesAsserts,
    /// An error on the CPU in the same log says the same in plain words.
    CpuSaysTheSame {
        /// Line of the log.
        line: u64,
    },
    /// The data that such a check looks at was read completely and is in range: the bad value is made on the way
    /// (augmentation, collate, tokenizer), or the model's size is another.
    DataInRange {
        /// Values that were read.
        values: u64,
    },
    /// The log shows no check on values, and yet the data has faults that will fail one.
    DataFaults {
        /// Findings that are errors.
        errors: usize,
    },
}
