//! What the guard said, as data: the lines `[assert-doctor] {…}` that it prints into a run's log.
//!
//! The guard looks at values before a kernel does, so what it states of a value, its place and the allowed range is measured and
//! not inferred. Every field may be missing: the format only grows, and lines may be cut.

use serde::{Deserialize, Serialize};

/// Everything that the guard said in one log.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct GuardFacts {
    /// How it began; of several processes the first.
    pub start: Option<GuardStart>,
    /// How often it began: once a training process.
    pub starts: u64,
    /// Calls that it stopped, in order of appearance, at most [`GuardFacts::VIOLATIONS`].
    pub violations: Vec<GuardViolation>,
    /// How many there were.
    pub violation_count: u64,
    /// What it checked, the newest state; ranks joined.
    pub operations: Vec<GuardOperation>,
    /// Seconds since it began, as its newest summary says; of several ranks the longest.
    pub elapsed: Option<f64>,
    /// Share of the time, 0 to 1, that the loop waited for its loader; of several ranks the largest.
    pub loader_wait: Option<f64>,
    /// Batches handed out by loaders; of several ranks the most.
    pub batches: Option<u64>,
    /// It printed its last summary: the process came to an end of its own.
    pub final_summary: bool,
    /// Memory of the device over time, thinned to at most [`GuardFacts::MEMORY`] entries.
    pub memory: Vec<GuardMemory>,
    /// What else it had to say, each once.
    pub notes: Vec<GuardNote>,
    /// Its lines.
    pub lines: u64,
}

impl GuardFacts {
    /// Violations that are kept.
    pub const VIOLATIONS: usize = 100;
    /// Entries of memory that are kept; beyond them every second one goes.
    pub const MEMORY: usize = 2_000;

    /// Values that it looked at, over all operations.
    pub fn values(&self) -> u64 {
        let values = self.operations.iter().map(|operation| operation.values);
        values.fold(0, u64::saturating_add)
    }

    /// It ran in this log.
    pub fn ran(&self) -> bool {
        self.start.is_some() || !self.operations.is_empty()
    }
}

/// How the guard began.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct GuardStart {
    /// Line of the log.
    pub line: u64,
    /// The guard's version.
    pub version: Option<String>,
    /// The training process.
    pub pid: Option<u64>,
    /// Python's version.
    pub python: Option<String>,
    /// PyTorch's version.
    pub torch: Option<String>,
    /// The version of CUDA that PyTorch was built for.
    pub cuda: Option<String>,
    /// The graphics card's name.
    pub gpu: Option<String>,
    /// Operations that it really checks.
    pub hooks: Vec<String>,
    /// Launches were blocking.
    pub launch_blocking: Option<bool>,
    /// The run was redirected to the CPU.
    pub cpu: Option<bool>,
    /// The number of loader workers that was forced.
    pub workers: Option<u64>,
    /// Processes of a distributed run.
    pub world: Option<u64>,
}

/// A number as the guard writes it: JSON has no word for those that are not finite.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum GuardNumber {
    /// A whole number.
    Int(i64),
    /// Any other finite number.
    Float(f64),
    /// Not a finite number.
    NotFinite(NotFinite),
}

/// See [`GuardNumber::NotFinite`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NotFinite {
    /// Not a number.
    #[serde(rename = "NaN")]
    Nan,
    /// Larger than any number.
    Infinity,
    /// Smaller than any number.
    #[serde(rename = "-Infinity")]
    NegativeInfinity,
}

impl GuardNumber {
    /// The number where it is whole, however it is written.
    pub fn as_int(self) -> Option<i64> {
        /// Up to here every whole number has its own double.
        const EXACT: f64 = 9_007_199_254_740_992.0;
        match self {
            Self::Int(n) => Some(n),
            Self::Float(x) if x.fract() == 0.0 && x.abs() <= EXACT => Some(x as i64),
            Self::Float(_) | Self::NotFinite(_) => None,
        }
    }
}

impl std::fmt::Display for GuardNumber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Int(n) => write!(f, "{n}"),
            Self::Float(x) => write!(f, "{x}"),
            Self::NotFinite(NotFinite::Nan) => f.write_str("NaN"),
            Self::NotFinite(NotFinite::Infinity) => f.write_str("inf"),
            Self::NotFinite(NotFinite::NegativeInfinity) => f.write_str("-inf"),
        }
    }
}

/// What a violation breaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GuardCheck {
    /// A value outside the allowed range.
    Range,
    /// Shapes that do not fit.
    Shape,
    /// A value that is no number.
    Nan,
    /// A sum that must not be zero.
    Sum,
    /// A type that the operation does not take.
    Dtype,
    /// A check that this version does not know, or that is not stated.
    #[default]
    Other,
}

/// One call that the guard stopped.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct GuardViolation {
    /// Line of the log.
    pub line: u64,
    /// Read from the text of the exception, since the guard's own line is not in the log: less is known.
    pub from_exception: bool,
    /// The process of a distributed run.
    pub rank: Option<u32>,
    /// Seconds since the guard began.
    pub t: Option<f64>,
    /// The operation (`cross_entropy`, `index`).
    pub operation: String,
    /// As it was called (`torch.nn.functional.cross_entropy`).
    pub api: Option<String>,
    /// What it breaks.
    pub check: GuardCheck,
    /// The argument (`target`, `index`, `offsets`).
    pub what: Option<String>,
    /// The first value that is not allowed.
    pub value: Option<GuardNumber>,
    /// Its position in that argument.
    pub index: Vec<i64>,
    /// The dimension that an index points into.
    pub dim: Option<i64>,
    /// The smallest allowed value.
    pub lo: Option<GuardNumber>,
    /// The largest allowed value.
    pub hi: Option<GuardNumber>,
    /// The value that the loss is told to skip.
    pub ignore: Option<i64>,
    /// How many values are not allowed.
    pub count: Option<u64>,
    /// Of how many.
    pub total: Option<u64>,
    /// The most frequent values that are not allowed, and how often; at most 8.
    pub values: Vec<(GuardNumber, u64)>,
    /// Sizes of the arguments, by name.
    pub shapes: Vec<(String, Vec<u64>)>,
    /// The argument's type (`int64`).
    pub dtype: Option<String>,
    /// Where it lies (`cuda:0`).
    pub device: Option<String>,
    /// What states the allowed range (`input.size(1)`).
    pub size_of: Option<String>,
    /// The guard's own sentence, in English.
    pub message: Option<String>,
    /// The user's own frames, outermost first, at most 8.
    pub frames: Vec<GuardFrame>,
    /// `forward`
    pub phase: Option<String>,
    /// Gradients were on.
    pub training: Option<bool>,
}

impl GuardViolation {
    /// The innermost frame that is the user's own.
    pub fn place(&self) -> Option<&GuardFrame> {
        self.frames.last()
    }

    /// `target[3, 17]`; `None` where no argument is named.
    pub fn position(&self) -> Option<String> {
        let what = self.what.as_deref()?;
        if self.index.is_empty() {
            return Some(what.to_owned());
        }
        let index: Vec<String> = self.index.iter().map(i64::to_string).collect();
        Some(format!("{what}[{}]", index.join(", ")))
    }

    /// Smallest and largest allowed value where both are whole numbers and something is allowed at all.
    pub fn range(&self) -> Option<(i64, i64)> {
        let range = (self.lo?.as_int()?, self.hi?.as_int()?);
        (range.0 <= range.1).then_some(range)
    }

    /// The sizes of an argument.
    pub fn shape(&self, name: &str) -> Option<&[u64]> {
        let found = self.shapes.iter().find(|(known, _)| known == name)?;
        Some(&found.1)
    }
}

/// A frame of the user's own code.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct GuardFrame {
    /// The file.
    pub file: String,
    /// The line in it; 0 where it is not stated.
    pub line: u32,
    /// The function.
    pub function: Option<String>,
    /// The source line, stripped.
    pub code: Option<String>,
}

/// What the guard saw of one operation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct GuardOperation {
    /// Its name.
    pub name: String,
    /// Calls.
    pub calls: u64,
    /// Values looked at.
    pub values: u64,
    /// The smallest of them, without ignored ones.
    pub min: Option<GuardNumber>,
    /// The largest of them.
    pub max: Option<GuardNumber>,
    /// The tightest allowed range: its lower end.
    pub lo: Option<GuardNumber>,
    /// Its upper end.
    pub hi: Option<GuardNumber>,
    /// The line of the newest summary.
    pub line: u64,
}

/// Memory of the device at one moment, in bytes, as PyTorch's allocator counts it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct GuardMemory {
    /// Line of the log.
    pub line: u64,
    /// Seconds since the guard began.
    pub t: Option<f64>,
    /// What was measured, where the memory monitor was asked to; `None` in a summary.
    pub name: Option<String>,
    /// In use by tensors.
    pub allocated: Option<u64>,
    /// Taken from the driver.
    pub reserved: Option<u64>,
    /// The most in use so far, or during what was measured.
    pub peak: Option<u64>,
    /// The card's whole memory.
    pub total: Option<u64>,
    /// In use before what was measured.
    pub before: Option<u64>,
}

/// What else the guard had to say.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct GuardNote {
    /// Line of the log.
    pub line: u64,
    /// What it is (`compiled`, `cpu-redirect`, `workers`, `hook-missing`, `error`).
    pub id: String,
    /// The operation it speaks of.
    pub operation: Option<String>,
    /// Its own words, in English.
    pub message: Option<String>,
}
