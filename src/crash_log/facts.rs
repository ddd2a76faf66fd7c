//! What a log says, as data: the result of a [`Scanner`](super::Scanner).
//!
//! Facts hold no words for the user and no conclusions; `diagnosis` draws those.
//! Every list is bounded (see [`LIMITS`]): a hostile or endless log cannot fill the memory.
//! Line numbers count line feeds from 1, as an editor does; a lone carriage return is a redraw within its line.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::ErrorFamily;
use super::guard_facts::GuardFacts;

/// The most entries that each list of [`Facts`] keeps. What is beyond them is counted in [`Facts::not_understood`].
pub const LIMITS: Limits = Limits {
    assertion_groups: 1_000,
    tracebacks: 400,
    frames_in_traceback: 400,
    errors: 2_000,
    marks: 50_000,
    text_chars: 2_000,
};

/// See [`LIMITS`].
pub struct Limits {
    /// Different (file, line, function, expression).
    pub assertion_groups: usize,
    /// Tracebacks; beyond the limit the first half and the newest are kept.
    pub tracebacks: usize,
    /// Frames of one traceback; beyond it the outermost and innermost halves are kept.
    pub frames_in_traceback: usize,
    /// Error lines; beyond the limit the first half and the newest are kept.
    pub errors: usize,
    /// Marked line ranges for the log view.
    pub marks: usize,
    /// Characters kept of any one text; longer ones are cut at a character and end in `…`.
    pub text_chars: usize,
}

/// Everything that was recognised in one log.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    /// Line feeds, plus one where the last line has no line feed.
    pub line_count: u64,
    /// Bytes as they came.
    pub byte_count: u64,
    /// Encodings met, in order of appearance.
    pub encodings: Vec<TextEncoding>,
    /// The text was a Jupyter notebook whose outputs were read.
    pub notebook: bool,
    /// Device-side assertion lines, grouped by (file, line, function, expression), in order of first appearance.
    pub assertions: Vec<AssertionGroup>,
    /// Python tracebacks, in order of appearance.
    pub tracebacks: Vec<Traceback>,
    /// Error lines, in order of appearance. An exception's final line is here once, and its traceback points to it.
    pub errors: Vec<ErrorEvent>,
    /// PyTorch's own advice lines.
    pub hints: Vec<Hint>,
    /// Lines in which a metric is NaN or infinite, first and last and how many.
    pub nan_metrics: Option<NanMetrics>,
    /// What was stated of the machine and its software.
    pub environment: Environment,
    /// How far the run had come when the log ended or the first failure was printed, whichever is earlier.
    pub progress: Progress,
    /// How far the newest lines say the run had come when the log ended, whatever failed before.
    #[serde(default)]
    pub latest: Progress,
    /// Where the run began and what it has reached, as far as some lines say so.
    #[serde(default)]
    pub milestones: Milestones,
    /// What the guard said, where it ran.
    #[serde(default)]
    pub guard: GuardFacts,
    /// Lines that contain "assert" and are harmless (a config key, a test name, an info line); at most 20.
    pub harmless_asserts: Vec<Harmless>,
    /// Sizes that the log itself states (class counts, vocabulary sizes…), at most 50.
    pub stated_sizes: Vec<StatedSize>,
    /// Line ranges for the log view, by first line; ranges of one kind never overlap.
    pub marks: Vec<Mark>,
    /// What looked like something known and could not be read.
    pub not_understood: Vec<NotUnderstood>,
}

/// A text encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TextEncoding {
    /// UTF-8 (ASCII included), no mark.
    Utf8,
    /// UTF-8 with a byte order mark.
    Utf8Bom,
    /// UTF-16, low byte first, with or without mark.
    Utf16Le,
    /// UTF-16, high byte first, with or without mark.
    Utf16Be,
    /// GBK / GB18030 (Chinese Windows).
    Gbk,
    /// Bytes that are none of these; read one character a byte.
    Unknown,
}

/// One different device-side assertion and how often it was printed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AssertionGroup {
    /// The source file as printed by the first line, slashes as they were (`C:\…\NLLLoss2d.cu`, `unknown`).
    pub file: String,
    /// The line in that file; 0 in `unknown:0`.
    pub line: u32,
    /// The device function; `None` where the platform prints none (Windows) or there is none.
    pub function: Option<String>,
    /// The text between the outer back quotes, exactly (blanks, quotes and inner back quotes included).
    pub expression: String,
    /// A text printed beside the expression: the printf variant's message, Paddle's sentence after `failed.`
    pub message: Option<String>,
    /// How the line is built.
    pub form: AssertionForm,
    /// Assertion lines of this group.
    pub count: u64,
    /// Smallest and largest block x index printed; `None` where the form prints no block.
    pub blocks: Option<(u32, u32)>,
    /// Smallest and largest thread x index printed.
    pub threads: Option<(u32, u32)>,
    /// Line of the first.
    pub first_line: u64,
    /// Line of the last.
    pub last_line: u64,
    /// Ranks or workers that printed it, as far as lines carry one; at most 64.
    pub ranks: Vec<Source>,
}

/// How an assertion line is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AssertionForm {
    /// `FILE:LINE: FUNCTION: block: [..], thread: [..] Assertion … failed.`
    Cuda,
    /// ROCm: `FILE:LINE: FUNCTION: Device-side assertion … failed.`
    Rocm,
    /// `[CUDA_KERNEL_ASSERT] …` and 2.9's `… Invalid input! …`.
    Printf,
    /// PyTorch's DSA report ("File containing assertion = …").
    Dsa,
    /// Another framework's (Paddle's `Error: FILE:LINE Assertion … failed. The value of label …`).
    OtherFramework,
}

/// Which of several processes printed a line.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// `[rank0]:`, `[Rank 1]`, `0: ` of srun, `[1,0]<stderr>:` of mpirun, `[default0]:` of torchrun's redirects.
    Rank(u32),
    /// `(Worker pid=123)`, `(RayWorkerVllm pid=5304)`.
    Pid(u32),
}

/// One Python traceback.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Traceback {
    /// Line of its header (`Traceback (most recent call last)`, IPython's dashes, rich's box) or its first frame.
    pub first_line: u64,
    /// Line of its last frame, or of the exception where one follows.
    pub last_line: u64,
    /// How it is drawn.
    pub style: TracebackStyle,
    /// Outermost first.
    pub frames: Vec<Frame>,
    /// Index into [`Facts::errors`] of the exception that ends it; `None` where the log breaks off.
    pub error: Option<usize>,
    /// How it hangs together with the traceback printed before it.
    pub chain: Option<Chain>,
    /// The process that printed it, as far as the lines say so.
    pub source: Option<Source>,
    /// It stands inside a worker's exception text ("Original Traceback").
    pub in_worker: bool,
}

/// How a traceback is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TracebackStyle {
    /// The interpreter's own.
    Python,
    /// IPython's and Jupyter's: `path in function(args)` and numbered lines with an arrow.
    Notebook,
    /// rich's box.
    Rich,
}

/// How a traceback follows from the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Chain {
    /// "During handling of the above exception, another exception occurred".
    DuringHandling,
    /// "The above exception was the direct cause of the following exception".
    DirectCause,
}

/// One frame of a traceback.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Frame {
    /// The file as printed, joined where it was broken over lines.
    pub file: String,
    /// The line in that file; 0 where it is not printed.
    pub line: u32,
    /// The function, without its arguments; `None` where it is not printed.
    pub function: Option<String>,
    /// The source line, trimmed; of a notebook or rich frame the one with the arrow. `None` where it is not printed.
    pub code: Option<String>,
    /// Line of the log with the file's name.
    pub log_line: u64,
    /// Line of the log with the code.
    pub code_line: Option<u64>,
    /// The last line of the log that belongs to this frame (markers, context lines).
    pub last_log_line: u64,
    /// The file is of Python or an installed package (`site-packages`, `dist-packages`, `lib/python3.x`, `<frozen …>`), not the user's.
    pub library: bool,
}

/// One error line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ErrorEvent {
    /// What it is.
    pub family: ErrorFamily,
    /// Its line.
    pub line: u64,
    /// The line's text, prefixes removed, joined where it was broken.
    pub text: String,
    /// The Python or C++ class where one is printed (`RuntimeError`, `torch.AcceleratorError`, `c10::Error`).
    pub class: Option<String>,
    /// How it came to be printed.
    pub role: ErrorRole,
    /// The status or code named (`CUBLAS_STATUS_NOT_INITIALIZED`, `CUDNN_STATUS_EXECUTION_FAILED`, `710`, `SIGABRT`).
    pub status: Option<String>,
    /// Numbers that the text states, by meaning.
    pub numbers: Vec<(NumberRole, i64)>,
    /// The process that printed it.
    pub source: Option<Source>,
    /// How often this same line was printed (tracebacks of many ranks, retries); the first is kept.
    pub count: u64,
}

/// How an error line came to be printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorRole {
    /// The final line of a Python traceback.
    Exception,
    /// `terminate called …`, `what():`, an abort handler, `[F] … Check failed`.
    Terminate,
    /// A log line, a warning, a `print` of a caught exception.
    Logged,
}

/// What a number in an error text means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NumberRole {
    /// The offending value (`Target 5 is out of bounds`: 5).
    Value,
    /// The size that it must stay below (`… with size 4`: 4).
    Size,
    /// Bytes asked for.
    RequestedBytes,
    /// The card's whole memory, bytes.
    TotalBytes,
    /// Bytes free.
    FreeBytes,
    /// Bytes allocated by PyTorch.
    AllocatedBytes,
    /// Bytes reserved by PyTorch.
    ReservedBytes,
    /// First of two numbers that must agree (`input batch_size (60)`).
    First,
    /// Second of two numbers that must agree (`target batch_size (10)`).
    Second,
    /// A worker's process id.
    Pid,
    /// An exit code.
    ExitCode,
}

/// One line of advice that PyTorch prints after an error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hint {
    /// Which.
    pub kind: HintKind,
    /// Line of the first.
    pub line: u64,
    /// How often.
    pub count: u64,
}

/// Which advice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HintKind {
    /// "CUDA kernel errors might be asynchronously reported at some other API call" (since 1.9, only while launches are not blocking).
    Asynchronous,
    /// "For debugging consider passing `CUDA_LAUNCH_BLOCKING=1`" (or `AMD_SERIALIZE_KERNEL=3`).
    LaunchBlocking,
    /// "Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions": a build option, not an environment variable.
    DsaCompile,
    /// "Search for 'cudaErrorAssert' in <https://docs.nvidia.com/…>" (since 2.9).
    SearchDocs,
    /// Other lines of the DSA code ("Device-side assertion tracking was not enabled by user.").
    DsaOther,
    /// "The CUDA driver logged these messages" / "run with `CUDA_LOG_FILE=stderr`".
    DriverLog,
}

/// Where metrics turned NaN or infinite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NanMetrics {
    /// Line of the first.
    pub first_line: u64,
    /// Its text.
    pub text: String,
    /// The metric's name (`loss_cls`), as printed.
    pub metric: String,
    /// How many lines.
    pub count: u64,
    /// It came before the first failure of the log.
    pub before_failure: bool,
}

/// What the log states of machine and software. Only what is printed; nothing is guessed from line numbers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Environment {
    /// Where it ran.
    pub platform: Platform,
    /// PyTorch's version as printed, with its suffix (`2.6.0+cu124`).
    pub torch: Option<Stated>,
    /// CUDA's version as printed.
    pub cuda: Option<Stated>,
    /// Python's version as printed, or as its library path says (`3.10`).
    pub python: Option<Stated>,
    /// NVIDIA driver's version.
    pub driver: Option<Stated>,
    /// Graphics cards, as printed, in order.
    pub gpus: Vec<Stated>,
    /// Whether kernel launches were blocking: `true`/`false` where the log proves it.
    pub launch_blocking: Option<bool>,
    /// The line that proves it, where there is one.
    pub launch_blocking_line: Option<u64>,
    /// ROCm speaks, not CUDA.
    pub rocm: bool,
    /// `TORCH_USE_CUDA_DSA` was set as if it were an environment variable: that does nothing.
    pub dsa_set_in_environment: Option<u64>,
    /// The command that was run, where a prompt or PowerShell's error shows it.
    pub command: Option<Stated>,
    /// The exit code, where one is printed.
    pub exit_code: Option<i64>,
    /// Number of different ranks or worker processes seen in prefixes.
    pub processes: u32,
}

/// A text that the log states, with its line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stated {
    /// As printed.
    pub text: String,
    /// Where.
    pub line: u64,
}

/// Where the run took place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Platform {
    /// Windows itself.
    Windows,
    /// Linux.
    Linux,
    /// Linux inside Windows.
    Wsl,
    /// Google Colab.
    Colab,
    /// macOS.
    Macos,
    /// The log does not show it.
    #[default]
    Unknown,
}

/// How far the run had come.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// What it was doing.
    pub phase: Option<Phase>,
    /// Epoch as printed, and of how many.
    pub epoch: Option<(u64, Option<u64>)>,
    /// Step or iteration within it, and of how many.
    pub step: Option<(u64, Option<u64>)>,
    /// The last progress bar's share, 0 to 1.
    pub fraction: Option<f64>,
    /// Line of the last progress seen.
    pub line: Option<u64>,
    /// Iterations per second, as the newest progress bar states it.
    #[serde(default)]
    pub rate: Option<f64>,
}

/// Where a run began and what it has reached.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Milestones {
    /// The first epoch that is stated, and where: a run that goes on from a checkpoint begins later.
    pub first_epoch: Option<(u64, u64)>,
    /// How often epochs began anew after others: folds of a cross validation, or several runs in one log.
    pub restarts: u32,
    /// The first line of a validation pass; a sanity check before the training is none.
    pub validation: Option<u64>,
}

/// What a run was doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// Importing, loading data or weights.
    Loading,
    /// Training steps.
    Training,
    /// A validation or evaluation pass.
    Validation,
    /// Testing, predicting, generating.
    Inference,
}

/// A line with "assert" in it that is no failure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Harmless {
    /// Where.
    pub line: u64,
    /// The line.
    pub text: String,
}

/// A size that the log states outright.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StatedSize {
    /// What it is the size of, as written (`num_classes`, `vocab_size`, `nc`, `n_vocab`, `block_size`).
    pub name: String,
    /// The size.
    pub value: i64,
    /// Where.
    pub line: u64,
    /// It stood in a source line of a traceback (`num_classes=9`) or in a printed configuration.
    pub in_source: bool,
}

/// A marked range of lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// What stands there.
    pub kind: MarkKind,
    /// Lines, both ends included.
    pub lines: RangeInclusive<u64>,
    /// Of an assertion flood: index into [`Facts::assertions`]; of a library frame run, traceback or error: index into its list.
    pub index: usize,
}

/// What stands in a marked range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MarkKind {
    /// Consecutive assertion lines of one group.
    Assertion,
    /// A traceback, header to exception.
    Traceback,
    /// Consecutive library frames inside a traceback (C++ `frame #0:` lists too); folded in the view.
    LibraryFrames,
    /// An error line.
    Error,
    /// A hint line.
    Hint,
    /// A line of the guard; the index is that of its violation, `usize::MAX` where it is none.
    Guard,
}

/// Something that looked known and could not be read, or was too much.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NotUnderstood {
    /// Where it first happened.
    pub line: u64,
    /// Why.
    pub reason: NotUnderstoodReason,
    /// How often.
    pub count: u64,
    /// The line's start.
    pub text: String,
}

/// Why something was not understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NotUnderstoodReason {
    /// An assertion line that is cut or built in no known way.
    AssertionLine,
    /// A traceback without frames or an end.
    Traceback,
    /// Bytes that are no text in any known encoding.
    Undecodable,
    /// A notebook whose JSON does not parse; it was read as text.
    Notebook,
    /// A line of the guard that is cut.
    GuardLine,
    /// A line longer than the scanner keeps.
    LongLine,
    /// One of [`LIMITS`] was reached.
    TooMany,
}
