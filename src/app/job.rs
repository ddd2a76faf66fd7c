//! Work that takes time, done by the [`Worker`](super::Worker).

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::SystemTime;

use super::watch::WatchSwitch;
use crate::bounds::Bound;
use crate::check::{CheckOptions, Given, Offender};
use crate::crash_log::{Facts, LineIndex, TextEncoding};
use crate::inputs::{BlockReader, InputError};
use crate::rerun::NewRun;
use crate::settings::Settings;

pub use crate::case::OpenWhat;

/// Names one request; answers to an older one are dropped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestId(pub u64);

/// Work that takes time.
#[derive(Clone, Debug)]
pub enum Job {
    /// Recognise and read these, make the case.
    Open {
        /// The request.
        request: RequestId,
        /// What to open.
        what: OpenWhat,
        /// Set to stop it.
        cancel: Arc<AtomicBool>,
    },
    /// Read and decode these lines of a log.
    LoadRows {
        /// The request.
        request: RequestId,
        /// Where the log is.
        source: LogSource,
        /// Line numbers, the first always at an entry of the line index.
        lines: Range<u64>,
        /// Byte range that holds them.
        bytes: Range<u64>,
        /// Encodings met in the log.
        encodings: Vec<TextEncoding>,
    },
    /// Find the lines that contain a text, letter case ignored.
    Search {
        /// The request.
        request: RequestId,
        /// Where the log is.
        source: LogSource,
        /// What to find.
        text: String,
        /// Where its lines begin.
        index: LineIndex,
        /// Its size in bytes when it was read.
        byte_count: u64,
        /// Encodings met in the log.
        encodings: Vec<TextEncoding>,
        /// Set to stop it.
        cancel: Arc<AtomicBool>,
    },
    /// Check data.
    Check {
        /// The request.
        request: RequestId,
        /// What to check.
        data: CheckData,
        /// Set to stop it.
        cancel: Arc<AtomicBool>,
    },
    /// List the GPUs of this machine.
    ListGpus {
        /// The request.
        request: RequestId,
    },
    /// Check a GPU with known values.
    CheckGpu {
        /// The request.
        request: RequestId,
        /// Which of the list; `None`: the best that works.
        number: Option<usize>,
        /// Set to stop it.
        cancel: Arc<AtomicBool>,
    },
    /// Tell when one of these files changes.
    Watch {
        /// The request.
        request: RequestId,
        /// Files and folders.
        paths: Vec<Arc<Path>>,
        /// When they began to be read; what was written since then is told, too.
        since: Option<SystemTime>,
        /// Looks only while it is on.
        switch: Arc<WatchSwitch>,
    },
    /// Write offenders into a file, as CSV.
    ExportOffenders {
        /// The request.
        request: RequestId,
        /// The file.
        path: PathBuf,
        /// Which.
        offenders: ToExport,
        /// Files that must not be written over.
        sources: Vec<Arc<Path>>,
        /// Set to stop it.
        cancel: Arc<AtomicBool>,
    },
    /// Find out what could be run, and with which interpreter.
    SuggestRun {
        /// The request.
        request: RequestId,
        /// What the log of the case says.
        facts: Option<Box<Facts>>,
        /// A script that was named.
        script: Option<PathBuf>,
        /// Where files are looked for that are not where the log says.
        near: Option<PathBuf>,
    },
    /// Start a run.
    StartRun {
        /// The request.
        request: RequestId,
        /// What is to be run.
        run: Box<NewRun>,
    },
    /// Look whether a run of an earlier start of the program goes on, or has ended since.
    FindRun {
        /// The request.
        request: RequestId,
        /// The run that was looked at last.
        last: Option<PathBuf>,
    },
    /// Tell what a run prints and how it stands, until it is over.
    FollowRun {
        /// The request.
        request: RequestId,
        /// Its folder.
        folder: PathBuf,
        /// Set to stop following; the run goes on.
        cancel: Arc<AtomicBool>,
    },
    /// Ask a run to stop.
    StopRun {
        /// The request.
        request: RequestId,
        /// Its folder.
        folder: PathBuf,
    },
    /// Write the guard's files.
    SaveGuard {
        /// The request.
        request: RequestId,
        /// Into this folder.
        folder: PathBuf,
        /// Which of them.
        files: Vec<&'static str>,
    },
    /// Write the settings file.
    SaveSettings(Settings),
}

/// Everything that a check needs to know.
#[derive(Clone, Debug)]
pub struct CheckData {
    /// What was given.
    pub given: Vec<Given>,
    /// What the user says about it.
    pub options: CheckOptions,
    /// Ranges from elsewhere (the log of the case).
    pub outside: Vec<Bound>,
}

/// Offenders to write.
#[derive(Clone, Debug)]
pub enum ToExport {
    /// These are all.
    All(Vec<Offender>),
    /// There are more than were kept: they are found again.
    FindAgain(CheckData),
}

/// Where the bytes of a log are.
#[derive(Clone, Debug)]
pub enum LogSource {
    /// In a file.
    File(PathBuf),
    /// In memory (pasted, sample).
    Memory(Arc<[u8]>),
}

impl LogSource {
    /// The most bytes that one read gives.
    pub const MOST_BYTES: u64 = BlockReader::MOST_BYTES;

    /// The bytes of a range, at most [`Self::MOST_BYTES`] of them.
    ///
    /// # Errors
    /// Where the file cannot be opened any more or has become shorter.
    pub fn read(&self, range: Range<u64>) -> Result<Vec<u8>, InputError> {
        match self {
            Self::File(path) => BlockReader::new(path.clone()).read(range),
            Self::Memory(bytes) => {
                let end = range.end.min(range.start.saturating_add(Self::MOST_BYTES));
                let bytes = bytes.get(range.start as usize..end as usize);
                Ok(bytes.unwrap_or_default().to_vec())
            }
        }
    }
}
