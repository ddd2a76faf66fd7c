//! From what the user gave to a case: recognise each thing, read the logs, judge them.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::run::{self, Run};
use super::{Case, Input, Log, Origin};
use crate::check::{self, Given, SourceKind};
use crate::diagnosis;
use crate::inputs::{self, Format, InputError, InputKind, ReadLog, ReadProgress};
use crate::labels::LabelError;

/// What is to be opened.
#[derive(Clone, Debug)]
pub enum OpenWhat {
    /// Files and folders.
    Paths(Vec<PathBuf>),
    /// Text in memory, and where it came from.
    Text(Origin, Arc<[u8]>),
}

/// Recognises and reads what was given. Never fails as a whole: an input that could not be used carries its error.
///
/// When the user stops it, the inputs from there on carry [`InputError::Cancelled`].
pub fn open(what: &OpenWhat, cancel: &AtomicBool, progress: &mut dyn FnMut(ReadProgress)) -> Case {
    let mut case = Case::default();
    match what {
        OpenWhat::Text(origin, bytes) => {
            let read = inputs::read_bytes(bytes, cancel);
            let inspected = inputs::inspect(Path::new(""), bytes.get(..1 << 16).unwrap_or(bytes));
            case.add(origin.clone(), (inspected.kind, inspected.format), read);
        }
        OpenWhat::Paths(paths) => {
            let mut before = 0;
            let total = total_size(paths);
            for (index, path) in paths.iter().enumerate() {
                // The same file given twice (a folder's menu does that) is one input.
                if paths.iter().take(index).any(|earlier| earlier == path) {
                    continue;
                }
                let mut reported = 0;
                case.add_path(path, cancel, &mut |now| {
                    reported = now.read;
                    progress(ReadProgress {
                        read: before + now.read,
                        total: total.map(|total| total.max(before + now.read)),
                    });
                });
                before += reported;
            }
        }
    }
    case
}

/// Reads and judges what comes through a pipe, however much it is.
pub fn open_stream(origin: Origin, from: &mut dyn Read, cancel: &AtomicBool) -> Case {
    let mut case = Case::default();
    let (recognised, read) = inputs::read_stream(from, cancel);
    case.add(origin, (recognised.kind, recognised.format), read);
    case
}

impl Case {
    fn add_path(
        &mut self,
        path: &Path,
        cancel: &AtomicBool,
        progress: &mut dyn FnMut(ReadProgress),
    ) {
        if !path.is_dir() {
            match run::folder_of(path) {
                Some(folder) if is_of_run(path) => self.add_run(folder, cancel, progress),
                _ => self.add_file(path, cancel, progress),
            }
            return;
        }
        if inputs::is_run_folder(path) {
            self.add_run(path, cancel, progress);
            return;
        }
        let found = inputs::logs_in(path, cancel);
        let has_logs = found.as_ref().is_ok_and(|logs| !logs.is_empty());
        if holds_data(path, has_logs, cancel) {
            // A data set; a run's log may lie in it, too, but texts that are only read for want of better do not count.
            let log = found.ok().filter(|logs| logs.len() == 1);
            let log = log.and_then(|logs| logs.into_iter().next());
            if let Some(log) = log.filter(|log| is_surely_log(log)) {
                self.add_file(&log, cancel, progress);
            }
            self.add_data(path, (InputKind::Folder, Format::Plain));
            return;
        }
        match found {
            // There is no doubt which one was meant.
            Ok(logs) if logs.len() == 1 => {
                for log in logs {
                    self.add_file(&log, cancel, progress);
                }
            }
            found => {
                let error = found.map_or_else(|error| error, |logs| InputError::Folder { logs });
                let kind = (InputKind::Folder, Format::Plain);
                self.add(Origin::Path(path.to_owned()), kind, Err(error));
            }
        }
    }

    /// A run that this program started: its log, with what is known beside it.
    fn add_run(
        &mut self,
        folder: &Path,
        cancel: &AtomicBool,
        progress: &mut dyn FnMut(ReadProgress),
    ) {
        let log = folder.join(inputs::RUN_LOG);
        if self.has_log(&log) {
            return;
        }
        let (logs, read) = (self.logs.len(), inputs::read_output(&log, cancel, progress));
        let (status, ending, damaged) = run::ending(folder);
        let read = run::whole(read, status.as_ref(), &log);
        // Whatever the run printed, this is its log.
        self.add(Origin::Path(log), (InputKind::Log, Format::Plain), read);
        let problem = |name: &str, error| Input {
            origin: Origin::Path(folder.join(name)),
            kind: InputKind::Case,
            format: Format::Json,
            error: Some(error),
        };
        let record = match run::record(folder) {
            Ok(record) => record,
            Err(error) => {
                self.inputs.push(problem(inputs::RUN_RECORD, error));
                return;
            }
        };
        if let Some(error) = damaged {
            self.inputs.push(problem("case.json", error));
        }
        if let Some(log) = self.logs.get_mut(logs) {
            log.ending.clone_from(&ending);
            log.unfinished = run::unfinished(folder, ending.as_ref());
            self.runs.push(Run {
                log: logs,
                folder: folder.to_owned(),
                record,
                status,
                ending,
            });
        }
    }

    fn add_file(
        &mut self,
        path: &Path,
        cancel: &AtomicBool,
        progress: &mut dyn FnMut(ReadProgress),
    ) {
        if self.has_log(path) {
            return;
        }
        match inputs::read_log(path, cancel, progress) {
            // What is no log is data, or says so itself when it is checked.
            Err(InputError::NotALog | InputError::NotText) => {
                let inspected = inputs::inspect_file(path).ok();
                let kind = inspected.map_or((InputKind::Unknown, Format::Plain), |found| {
                    (found.kind, found.format)
                });
                self.add_data(path, kind);
            }
            read => {
                // A log that was read brings its kind along.
                let kind = (InputKind::Unknown, Format::Plain);
                self.add(Origin::Path(path.to_owned()), kind, read);
            }
        }
    }

    /// Whether this log was read already, by another spelling of its path or as part of a folder.
    fn has_log(&self, path: &Path) -> bool {
        let real = std::fs::canonicalize(path).ok();
        real.is_some() && self.logs.iter().any(|log| {
            let input = self.inputs.get(log.input).map(|input| &input.origin);
            matches!(input, Some(Origin::Path(known)) if std::fs::canonicalize(known).ok() == real)
        })
    }

    fn add_data(&mut self, path: &Path, (kind, format): (InputKind, Format)) {
        self.inputs.push(Input {
            origin: Origin::Path(path.to_owned()),
            kind,
            format,
            error: None,
        });
        self.given.push(Given::path(path));
    }

    fn add(
        &mut self,
        origin: Origin,
        (kind, format): (InputKind, Format),
        read: Result<ReadLog, InputError>,
    ) {
        let input = self.inputs.len();
        let (kind, format, error) = match read {
            Err(error) => (kind, format, Some(error)),
            Ok(read) => {
                self.logs.push(Log {
                    input,
                    diagnosis: diagnosis::diagnose(&read.facts),
                    facts: read.facts,
                    lines: read.lines,
                    digest: Some(read.digest),
                    ending: None,
                    unfinished: None,
                });
                (read.recognised.kind, read.recognised.format, read.error)
            }
        };
        self.inputs.push(Input {
            origin,
            kind,
            format,
            error,
        });
    }
}

/// The files of a run's folder that stand for the run.
fn is_of_run(path: &Path) -> bool {
    path.file_name().is_some_and(|name| {
        [inputs::RUN_LOG, inputs::RUN_RECORD, "case.json"]
            .iter()
            .any(|own| name == *own)
    })
}

/// Whether a folder holds label data, or something that a check would at least name.
fn holds_data(path: &Path, logs: bool, cancel: &AtomicBool) -> bool {
    let sources = check::survey(&[Given::path(path)], cancel);
    sources.iter().any(|source| match &source.kind {
        SourceKind::Labels { .. } => true,
        // A folder that cannot be listed, or has nothing in it, is told as the folder that it is.
        SourceKind::Refused(LabelError::Input(_)) => false,
        SourceKind::Refused(_) => !logs && *source.path != *path,
        _ => false,
    })
}

fn is_surely_log(path: &Path) -> bool {
    inputs::inspect_file(path)
        .is_ok_and(|found| matches!(found.kind, InputKind::Log | InputKind::Notebook))
}

/// Bytes of all files together; `None` where one cannot be asked.
fn total_size(paths: &[PathBuf]) -> Option<u64> {
    paths
        .iter()
        .map(|path| {
            std::fs::metadata(path)
                .ok()
                .filter(std::fs::Metadata::is_file)
        })
        .map(|metadata| metadata.map(|metadata| metadata.len()))
        .sum()
}
