//! A run's folder as an input: its log is `output.log`, and what was started and how it ended stands beside it.

use std::fs::{File, TryLockError};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Case, Unfinished};
use crate::compare::SideRun;
use crate::inputs::{InputError, RUN_RECORD, ReadLog, open_regular};
use crate::rerun::{CASE_SCHEMA, Ending, RUN_SCHEMA, RunCase, RunRecord, RunStatus};

/// A run that this program started, with its log.
#[derive(Clone, Debug)]
pub struct Run {
    /// Index into [`Case::logs`].
    pub log: usize,
    /// Its folder.
    pub folder: PathBuf,
    /// What was started.
    pub record: RunRecord,
    /// How it stood when it was last written down.
    pub status: Option<RunStatus>,
    /// How it ended; `None` while it runs, or where that is not known.
    pub ending: Option<Ending>,
}

impl Run {
    /// What a comparison needs of it.
    pub fn side(&self) -> SideRun<'_> {
        let elapsed = self.ending.as_ref().map(|ending| ending.elapsed_ms);
        let status = self.status.as_ref();
        SideRun {
            record: &self.record,
            ending: self.ending.as_ref(),
            elapsed_ms: elapsed.or(status.map(|status| status.elapsed_ms)),
            failed_at_ms: status.and_then(|status| status.failed_at_ms),
        }
    }
}

impl Case {
    /// The run that a log belongs to, where this program started it.
    pub fn run_of_log(&self, log: usize) -> Option<&Run> {
        self.runs.iter().find(|run| run.log == log)
    }
}

/// The largest of a run's small files.
const LARGEST: u64 = 16 * 1024 * 1024;
/// The largest case: its facts are bounded, and far below this.
const LARGEST_CASE: u64 = 256 * 1024 * 1024;

const STATUS: &str = "status.json";
const CASE: &str = "case.json";
const LOCK: &str = "run.lock";

/// The end of a run as `case.json` has it; its facts are left where they are.
#[derive(Deserialize)]
struct CaseEnding {
    schema: String,
    ending: Ending,
}

/// Reads the record of a run's folder.
pub(super) fn record(folder: &Path) -> Result<RunRecord, InputError> {
    let value: Value = json(&folder.join(RUN_RECORD), LARGEST)?;
    let schema = value.get("schema").and_then(Value::as_str);
    check_schema(schema.unwrap_or_default(), RUN_SCHEMA)?;
    serde_json::from_value(value).map_err(|error| damaged(&error))
}

/// Reads how a run stands or ended; a missing or damaged case is told beside it.
pub(super) fn ending(folder: &Path) -> (Option<RunStatus>, Option<Ending>, Option<InputError>) {
    let status: Option<RunStatus> = json(&folder.join(STATUS), LARGEST).ok();
    let ended = status.as_ref().and_then(|status| status.ending.clone());
    let case = folder.join(CASE);
    let of_case = json::<CaseEnding>(&case, LARGEST_CASE).and_then(|case| {
        check_schema(&case.schema, CASE_SCHEMA)?;
        Ok(case.ending)
    });
    match of_case {
        Ok(ending) => (status, ended.or(Some(ending)), None),
        // It is written at the end.
        Err(InputError::NotFound) => (status, ended, None),
        Err(error) => (status, ended, Some(error)),
    }
}

/// The output of a run as it was read, against what its supervisor counted: a run may have printed nothing, but what it printed must
/// be there.
pub(super) fn whole(
    read: Result<ReadLog, InputError>,
    status: Option<&RunStatus>,
    log: &Path,
) -> Result<ReadLog, InputError> {
    let Some(status) = status else {
        return read;
    };
    // Blanks are something that was printed, and say as little.
    let is_blank = || std::fs::metadata(log).is_ok_and(|file| file.len() > 0);
    match read {
        Err(InputError::Empty) if status.bytes == 0 || is_blank() => Ok(ReadLog::empty()),
        Err(InputError::Empty) if status.ending.is_some() => Err(InputError::OutputMissing {
            read: 0,
            lines: status.lines,
        }),
        Ok(mut read) if read.error.is_none() => {
            let ended = status.ending.as_ref();
            // What was left out on purpose, or not written, is told as that.
            let kept = ended.is_some_and(|ending| ending.left_out == 0) && status.problem.is_none();
            if kept && read.facts.line_count < status.lines {
                read.error = Some(InputError::OutputMissing {
                    read: read.facts.line_count,
                    lines: status.lines,
                });
            }
            Ok(read)
        }
        read => read,
    }
}

/// Why a run's output is not whole; `None` where it has ended.
pub(super) fn unfinished(folder: &Path, ending: Option<&Ending>) -> Option<Unfinished> {
    if ending.is_some() {
        return None;
    }
    // The supervisor holds it as long as it lives. Shared, so that several who look do not take each other for it.
    let lives = File::open(folder.join(LOCK))
        .is_ok_and(|lock| matches!(lock.try_lock_shared(), Err(TryLockError::WouldBlock)));
    Some(if lives {
        Unfinished::Running
    } else {
        Unfinished::Lost
    })
}

/// The case of a run that has ended: `case.json`, or its folder.
///
/// # Errors
/// It cannot be read, or is no such case.
pub fn run_case(path: &Path) -> Result<RunCase, InputError> {
    let case = if path.is_dir() {
        path.join(CASE)
    } else {
        path.to_owned()
    };
    let case: RunCase = json(&case, LARGEST_CASE)?;
    check_schema(&case.schema, CASE_SCHEMA)?;
    Ok(case)
}

/// The folder of a run that one of its own files was named of.
pub(super) fn folder_of(file: &Path) -> Option<&Path> {
    let folder = file.parent()?;
    crate::inputs::is_run_folder(folder).then_some(folder)
}

fn check_schema(schema: &str, wanted: &str) -> Result<(), InputError> {
    if schema == wanted {
        return Ok(());
    }
    let kind = wanted.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_number =
        |version: &str| !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_digit());
    if schema.strip_prefix(kind).is_some_and(is_number) {
        return Err(InputError::NewerRecord {
            schema: schema.to_owned(),
        });
    }
    Err(InputError::DamagedRecord {
        said: format!("schema {wanted}"),
    })
}

fn json<T: DeserializeOwned>(path: &Path, largest: u64) -> Result<T, InputError> {
    let (file, size) = open_regular(path)?;
    if size > largest {
        return Err(InputError::DamagedRecord {
            said: format!("{size} > {largest}"),
        });
    }
    let mut bytes = Vec::new();
    file.take(largest).read_to_end(&mut bytes)?;
    serde_json::from_slice(&bytes).map_err(|error| damaged(&error))
}

fn damaged(error: &serde_json::Error) -> InputError {
    InputError::DamagedRecord {
        said: error.to_string(),
    }
}
