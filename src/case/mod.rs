//! A case: all about one crash. The one thing that is loaded, shown and reported.

mod open;
mod run;

use std::path::PathBuf;

use std::sync::Arc;

use serde::Serialize;

use crate::bounds::{self, Bound};
use crate::check::{CheckOptions, Checked, Given};
use crate::crash_log::{Facts, LineIndex};
use crate::diagnosis::{self, Diagnosis};
use crate::inputs::{Format, InputError, InputKind};
use crate::knowledge::CauseId;
use crate::range_check::Health;
use crate::rerun::Ending;

pub use open::{OpenWhat, open, open_stream};
pub use run::{Run, run_case};

/// All about one crash.
#[derive(Clone, Debug, Default)]
pub struct Case {
    /// Everything that was given, in order, usable or not.
    pub inputs: Vec<Input>,
    /// The logs among them, read.
    pub logs: Vec<Log>,
    /// The runs among the logs that this program started.
    pub runs: Vec<Run>,
    /// Everything else that was given: label data and what tells about it.
    pub given: Vec<Given>,
    /// What the user said about the data.
    pub options: CheckOptions,
    /// What a check of the data found; `None` until it was checked.
    pub data: Option<Checked>,
    /// What a check of this machine's GPU found.
    pub health: Option<Health>,
}

/// One thing that was given.
#[derive(Clone, Debug)]
pub struct Input {
    /// Where it came from.
    pub origin: Origin,
    /// What it was taken for.
    pub kind: InputKind,
    /// In which form it came.
    pub format: Format,
    /// Why it could not be used, or not to its end.
    pub error: Option<InputError>,
}

/// Where an input came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A file or folder.
    Path(PathBuf),
    /// Text from the clipboard.
    Pasted,
    /// An embedded sample, by its id.
    Sample(&'static str),
    /// Standard input.
    Stdin,
}

/// One log with what it says and means.
#[derive(Clone, Debug)]
pub struct Log {
    /// Index into [`Case::inputs`].
    pub input: usize,
    /// What it says.
    pub facts: Facts,
    /// Where its lines begin.
    pub lines: LineIndex,
    /// What it means.
    pub diagnosis: Diagnosis,
    /// A hash of its bytes, where they were read.
    pub digest: Option<u64>,
    /// How the run that printed it ended, where this program started it.
    pub ending: Option<Ending>,
    /// Why it is not the whole output of its run, where this program started that and it has not ended.
    pub unfinished: Option<Unfinished>,
}

/// Why the output of a run is not whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unfinished {
    /// The run goes on.
    Running,
    /// Nobody has written down how it ended: its supervisor was killed, or the machine went down.
    Lost,
}

impl Log {
    /// Nothing failed in it, and nothing is known against that: a run that ended badly, was stopped, or has not ended says nothing
    /// of the kind.
    pub fn is_well(&self) -> bool {
        let cause = self.diagnosis.causes.first();
        let ended = self.ending.as_ref();
        cause.is_some_and(|cause| cause.id == CauseId::None)
            && self.unfinished.is_none()
            && ended.is_none_or(|ending| ending.code == Some(0) && !ending.stopped)
    }
}

impl Case {
    /// Adds everything of another case behind what is here.
    pub fn merge(&mut self, other: Self) {
        let before = self.inputs.len();
        let logs_before = self.logs.len();
        self.inputs.extend(other.inputs);
        self.runs.extend(other.runs.into_iter().map(|run| Run {
            log: run.log + logs_before,
            ..run
        }));
        self.logs.extend(other.logs.into_iter().map(|log| Log {
            input: log.input + before,
            ..log
        }));
        if other.health.is_some() {
            self.health = other.health;
        }
        for given in other.given {
            if !self.given.contains(&given) {
                self.given.push(given);
            }
        }
    }

    /// The ranges that the case's own log states, for a check of the data.
    pub fn ranges_of_log(&self) -> Vec<Bound> {
        let log = self.primary_log().and_then(|at| {
            Some((
                self.logs.get(at)?,
                self.inputs.get(self.logs.get(at)?.input)?,
            ))
        });
        log.map_or_else(Vec::new, |(log, input)| {
            let path = match &input.origin {
                Origin::Path(path) => Some(Arc::from(path.as_path())),
                _ => None,
            };
            bounds::of_facts(&log.facts, path.as_ref())
        })
    }

    /// Takes what a check of the data found and judges the logs again in its light.
    pub fn take_data(&mut self, checked: Checked) {
        for log in &mut self.logs {
            let alone = diagnosis::diagnose(&log.facts);
            log.diagnosis =
                diagnosis::with_findings(&alone, &log.facts, &checked.material, &checked.findings);
        }
        self.data = Some(checked);
    }

    /// Forgets the data; the logs are judged alone again.
    pub fn drop_data(&mut self) {
        for log in &mut self.logs {
            log.diagnosis = diagnosis::diagnose(&log.facts);
        }
        self.given.clear();
        self.options = CheckOptions::default();
        self.data = None;
    }

    /// The name of a log: its file's name, or where its text came from (`-` for standard input).
    pub fn name_of_log(&self, log: usize) -> String {
        let input = self
            .logs
            .get(log)
            .and_then(|log| self.inputs.get(log.input));
        match input.map(|input| &input.origin) {
            Some(Origin::Path(path)) => shown(
                &path
                    .file_name()
                    .map_or_else(|| path.to_string_lossy(), |name| name.to_string_lossy()),
            ),
            Some(Origin::Sample(id)) => (*id).to_owned(),
            Some(Origin::Stdin | Origin::Pasted) | None => "-".to_owned(),
        }
    }

    /// The whole path of a log as it was given; `-` for text without one.
    pub fn path_of_log(&self, log: usize) -> String {
        let input = self
            .logs
            .get(log)
            .and_then(|log| self.inputs.get(log.input));
        match input.map(|input| &input.origin) {
            Some(Origin::Path(path)) => path.display().to_string(),
            _ => self.name_of_log(log),
        }
    }

    /// The log whose diagnosis stands for the case: the one with the strongest cause of its own; `None` without logs.
    pub fn primary_log(&self) -> Option<usize> {
        let rank = |log: &Log| {
            let cause = log.diagnosis.causes.first();
            let own = cause.is_some_and(|c| !matches!(c.id.id(), "none" | "nccl_secondary"));
            (
                own,
                !log.facts.assertions.is_empty(),
                cause.map(|c| c.certainty),
            )
        };
        // The first of equals: files keep the order in which they were given.
        (0..self.logs.len())
            .rev()
            .max_by_key(|&i| self.logs.get(i).map(rank))
    }
}

/// A file's name as it may be shown: line feeds and escape characters in it must not reach a terminal.
pub fn shown(name: &str) -> String {
    name.chars()
        .map(|c| {
            // Marks that turn the direction of writing make `gpj.exe` of a name; they show nothing of their own.
            let turns = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
            if c.is_control() || turns {
                char::REPLACEMENT_CHARACTER
            } else {
                c
            }
        })
        .collect()
}
