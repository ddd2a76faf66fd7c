//! The folder of a run: made, found, asked to stop.

use super::guard_files::GUARD_FILES;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use etcetera::BaseStrategy as _;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{
    FirstRun, FoundPython, RUN_SCHEMA, RunCommand, RunOptions, RunProblem, RunRecord, RunStatus,
    environment,
};

/// Names the folder for runs and other data instead of the user's own; for portable use and tests.
const FOLDER_VARIABLE: &str = "ASSERT_DOCTOR_DATA_DIR";

/// The same for everything the program keeps; see `settings`.
const PORTABLE_VARIABLE: &str = "ASSERT_DOCTOR_CONFIG_DIR";

/// Runs that [`runs`] tells.
const MOST_RUNS: usize = 200;

/// The largest of our own small files that is read.
const LARGEST: u64 = 16 * 1024 * 1024;

/// Names in a run's folder.
pub(super) mod name {
    pub(in crate::rerun) const RECORD: &str = "run.json";
    pub(in crate::rerun) const STATUS: &str = "status.json";
    pub(in crate::rerun) const CASE: &str = "case.json";
    pub(in crate::rerun) const LOG: &str = "output.log";
    pub(in crate::rerun) const TIMES: &str = "times.tsv";
    pub(in crate::rerun) const SAMPLES: &str = "samples.jsonl";
    pub(in crate::rerun) const LOCK: &str = "run.lock";
    pub(in crate::rerun) const STOP: &str = "stop";
    pub(in crate::rerun) const RESERVE: &str = "reserve";
    pub(in crate::rerun) const GAP: &str = "gap.json";
    pub(in crate::rerun) const GUARD: &str = "guard";
}

/// What is to be run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewRun {
    /// The command.
    pub command: RunCommand,
    /// How it is watched.
    pub options: RunOptions,
    /// The interpreter that was chosen for it.
    pub python: Option<FoundPython>,
    /// The run it is compared with.
    pub first: Option<FirstRun>,
    /// The folder to keep it in; `None`: a new one in the user's data folder.
    pub folder: Option<PathBuf>,
}

/// A run that is ready to be started.
#[derive(Clone, Debug, PartialEq)]
pub struct Prepared {
    /// Its folder.
    pub folder: PathBuf,
    /// What it is.
    pub record: RunRecord,
}

/// An earlier run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunEntry {
    /// Its folder.
    pub folder: PathBuf,
    /// What it is.
    pub record: RunRecord,
    /// A supervisor still looks after it.
    pub alive: bool,
}

/// `run.json` as it stands in the file.
#[derive(serde::Serialize, serde::Deserialize)]
pub(super) struct RecordFile<R> {
    schema: String,
    #[serde(flatten)]
    record: R,
}

/// The folder that runs are kept in; `None` where there is no home folder.
pub fn runs_folder() -> Option<PathBuf> {
    let named = |variable: &str| {
        std::env::var_os(variable)
            .filter(|folder| !folder.is_empty())
            .map(PathBuf::from)
    };
    let folder = named(FOLDER_VARIABLE)
        .or_else(|| named(PORTABLE_VARIABLE))
        .or_else(|| {
            let strategy = etcetera::choose_base_strategy().ok()?;
            // On Windows the cache folder is the local one; logs have no business in a roaming profile.
            let base = if cfg!(windows) {
                strategy.cache_dir()
            } else {
                strategy.data_dir()
            };
            Some(base.join("assert-doctor"))
        })?;
    Some(folder.join("runs"))
}

/// Makes the folder of a run with its record and, where it needs them, the guard's files.
///
/// # Errors
/// The command cannot be started, or the folder cannot be made or holds something else.
pub fn prepare(run: NewRun) -> Result<Prepared, RunProblem> {
    super::supervise::signals::outlive_file_limits();
    let mut command = run.command;
    // The supervisor has a folder of its own to stand in.
    if !command.directory.as_os_str().is_empty() {
        command.directory = plain(&command.directory);
    }
    command.resolve()?;
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_millis() as u64);
    let no_folder = |folder: &Path, error: &io::Error| RunProblem::NoFolder {
        folder: folder.to_owned(),
        said: error.to_string(),
    };
    let folder = if let Some(folder) = run.folder {
        fs::create_dir_all(&folder).map_err(|error| no_folder(&folder, &error))?;
        let folder = plain(&folder);
        let mut inside = fs::read_dir(&folder).map_err(|error| no_folder(&folder, &error))?;
        if inside.next().is_some() {
            return Err(RunProblem::FolderInUse { folder });
        }
        folder
    } else {
        let above = runs_folder().ok_or_else(|| RunProblem::NoFolder {
            folder: PathBuf::new(),
            said: String::new(),
        })?;
        new_folder(&above, now).map_err(|error| no_folder(&above, &error))?
    };
    let guard = folder.join(name::GUARD);
    if run.options.needs_guard_file() {
        if guard.to_string_lossy().contains(environment::separator()) {
            return Err(RunProblem::NoGuardPath { folder });
        }
        let written = fs::create_dir_all(&guard).and_then(|()| {
            GUARD_FILES
                .iter()
                .try_for_each(|(name, text)| fs::write(guard.join(name), text))
        });
        written.map_err(|error| no_folder(&folder, &error))?;
    }
    let set = environment::variables(
        run.options,
        &guard,
        environment::own_pythonpath().as_deref(),
    );
    let record = RunRecord {
        id: folder
            .file_name()
            .map(|name| name.to_string_lossy().into_owned())
            .unwrap_or_default(),
        started_ms: now,
        command,
        options: run.options,
        python: run.python,
        environment: set
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value.to_string_lossy().into_owned()))
            .collect(),
        supervisor: 0,
        first: run.first,
    };
    write_record(&folder, &record)
        .and_then(|()| write_json(&folder, name::STATUS, &RunStatus::default()))
        .map_err(|error| no_folder(&folder, &error))?;
    Ok(Prepared { folder, record })
}

/// The whole path of a folder, without steps back (`/a/b/../c`) where that can be told.
fn plain(folder: &Path) -> PathBuf {
    let whole = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let steps_back = |part| matches!(part, std::path::Component::ParentDir);
    if whole.components().any(steps_back) {
        fs::canonicalize(&whole).unwrap_or(whole)
    } else {
        whole
    }
}

/// A folder that was not there before, named by the time (UTC) and a number.
fn new_folder(above: &Path, now_ms: u64) -> io::Result<PathBuf> {
    fs::create_dir_all(above)?;
    let stamp = stamp(now_ms / 1000);
    let mut number = 1u32;
    loop {
        let folder = above.join(format!("{stamp}-{number}"));
        match fs::create_dir(&folder) {
            Ok(()) => return Ok(folder),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < 10_000 => {
                number += 1;
            }
            Err(error) => return Err(error),
        }
    }
}

/// `2026-11-30-142233` of seconds since 1970.
fn stamp(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Days to a date by eras of 400 years that begin on 1 March.
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 {
        shifted_month + 3
    } else {
        shifted_month - 9
    };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!(
        "{year:04}-{month:02}-{day:02}-{:02}{:02}{:02}",
        rest / 3_600,
        rest / 60 % 60,
        rest % 60
    )
}

/// Earlier runs, newest first, at most 200.
pub fn runs() -> Vec<RunEntry> {
    let entries = runs_folder().and_then(|folder| fs::read_dir(folder).ok());
    let mut runs: Vec<RunEntry> = entries
        .into_iter()
        .flatten()
        .filter_map(|entry| {
            let folder = entry.ok()?.path();
            let record = read_record(&folder).ok()?;
            Some(RunEntry {
                alive: is_alive(&folder),
                folder,
                record,
            })
        })
        .collect();
    runs.sort_by(|a, b| {
        let key = |run: &RunEntry| (run.record.started_ms, run.folder.clone());
        key(b).cmp(&key(a))
    });
    runs.truncate(MOST_RUNS);
    runs
}

/// Asks the supervisor to stop the run: politely first, then not.
///
/// # Errors
/// The run's folder cannot be written.
pub fn stop(folder: &Path) -> io::Result<()> {
    File::create(folder.join(name::STOP)).map(drop)
}

/// Whether a supervisor holds the folder.
pub(super) fn is_alive(folder: &Path) -> bool {
    let Ok(lock) = File::open(folder.join(name::LOCK)) else {
        return false;
    };
    // Shared, so that several who look do not take each other for the supervisor.
    matches!(lock.try_lock_shared(), Err(TryLockError::WouldBlock))
}

pub(super) fn read_record(folder: &Path) -> io::Result<RunRecord> {
    let file: RecordFile<RunRecord> = read_json(folder, name::RECORD)?;
    if file.schema == RUN_SCHEMA {
        Ok(file.record)
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidData, file.schema))
    }
}

pub(super) fn write_record(folder: &Path, record: &RunRecord) -> io::Result<()> {
    let file = RecordFile {
        schema: RUN_SCHEMA.to_owned(),
        record,
    };
    write_json(folder, name::RECORD, &file)
}

pub(super) fn read_json<T: DeserializeOwned>(folder: &Path, name: &str) -> io::Result<T> {
    use io::Read as _;
    let mut bytes = Vec::new();
    File::open(folder.join(name))?
        .take(LARGEST)
        .read_to_end(&mut bytes)?;
    Ok(serde_json::from_slice(&bytes)?)
}

/// Writes a file as a whole or not at all: a reader never sees half of it.
pub(super) fn write_json(folder: &Path, name: &str, value: &impl Serialize) -> io::Result<()> {
    let draft = folder.join(format!("{name}.new"));
    let written = serde_json::to_vec(value)
        .map_err(io::Error::from)
        .and_then(|bytes| fs::write(&draft, bytes))
        .and_then(|()| fs::rename(&draft, folder.join(name)));
    if written.is_err() {
        drop(fs::remove_file(&draft));
    }
    written
}

/// The same; where there is no room for a second file, over the one that is there: half a file is better than an old one.
pub(super) fn write_json_somehow(
    folder: &Path,
    name: &str,
    value: &impl Serialize,
) -> io::Result<()> {
    let Err(error) = write_json(folder, name, value) else {
        return Ok(());
    };
    let bytes = serde_json::to_vec(value)?;
    let over = || -> io::Result<()> {
        let mut file = File::options().write(true).open(folder.join(name))?;
        io::Write::write_all(&mut file, &bytes)?;
        file.set_len(bytes.len() as u64)
    };
    // Why there was no room says more than why the second attempt failed.
    over().or(Err(error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_a_date() {
        for (seconds, expected) in [
            (0, "1970-01-01-000000"),
            (951_782_400, "2000-02-29-000000"),
            (951_868_799, "2000-02-29-235959"),
            (1_796_048_553, "2026-11-30-142233"),
            (4_102_444_800, "2100-01-01-000000"),
        ] {
            assert_eq!(stamp(seconds), expected);
        }
    }
}
