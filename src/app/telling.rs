//! What the state has to tell, as facts, and their words. Facts are kept so that a change of language changes every sentence.

use std::path::{Path, PathBuf};

use super::{ExportError, Failed, Notice, OpenWhat, Without};
use crate::case::{Case, Input, Origin};
use crate::inputs::{Format, InputError, InputKind, sample};
use crate::words::{Arg, Words, input_problem, kind_name};

/// Inputs named one by one before the rest is only counted.
const NAMED_INPUTS: usize = 4;

/// Something to know about this start of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// It runs with an administrator's rights: Windows lets nothing be dropped on it.
    Elevated,
    /// Another way of drawing than the usual one is in use.
    Renderer {
        /// The id of its name among the texts.
        name: &'static str,
        /// The usual one broke an earlier start off; otherwise it could not be started.
        crashed: bool,
    },
}

/// A notice, as facts.
#[derive(Clone, Debug)]
pub(super) enum NoticeFact {
    /// About the start; stays when something is opened.
    Note(Note),
    /// The clipboard held no text.
    NothingPasted,
    /// The system showed no file dialog.
    NoDialog(Without),
    /// Logs were read, and these others were not, or not to their end.
    Others(Vec<Input>),
    /// Nothing could be read; the case before stays.
    NothingRead(Vec<Input>),
    /// The opening broke off through a fault of this program.
    OpenBroke(Vec<String>),
    /// A check broke off through a fault of this program.
    CheckBroke,
    /// The offenders could not be written.
    ExportFailed(ExportError),
    /// The run could not be asked to stop.
    RunNotStopped(String),
    /// The guard's file could not be written.
    GuardNotSaved(String),
}

/// The status bar's message, as facts.
#[derive(Clone, Debug, Default)]
pub(super) enum MessageFact {
    #[default]
    Ready,
    Read {
        log: usize,
    },
    Cancelled,
    Copied,
    SettingsNotSaved(String),
    SearchFailed(InputError),
    Checked {
        findings: u64,
        files: u64,
        /// Files had changed.
        again: bool,
    },
    CheckStopped,
    NothingChecked,
    FilesChanged,
    Exporting,
    Exported {
        path: PathBuf,
        rows: u64,
    },
    RunPrintedNothing,
    GuardSaved(PathBuf),
    GpuChecked,
    GpuCheckStopped,
}

impl NoticeFact {
    /// Whether it is about what was opened, and is over with the next opening.
    pub fn is_of_opening(&self) -> bool {
        !matches!(self, Self::Note(_))
    }

    /// The notice in a language.
    pub fn told(&self, words: Words) -> Notice {
        match self {
            Self::Note(Note::Elevated) => notice(words, "app-note-elevated", &[], true),
            Self::Note(Note::Renderer { name, crashed }) => {
                let id = if *crashed {
                    "app-note-renderer-crashed"
                } else {
                    "app-note-renderer"
                };
                let name = words.text(name);
                notice(words, id, &[("name", Arg::Text(&name))], false)
            }
            Self::NothingPasted => notice(words, "app-nothing-pasted", &[], false),
            Self::NoDialog(without) => Notice {
                text: words.text(match without {
                    Without::Dropping => "app-no-dialog-dropping",
                    Without::Export => "app-no-dialog-export",
                    Without::Command => "app-no-dialog-command",
                    Without::Folder => "app-no-dialog-folder",
                    Without::Guard => "app-no-dialog-guard",
                }),
                heading: words.text("app-no-dialog"),
                path: None,
                warning: true,
            },
            Self::OpenBroke(names) => {
                let names = names.join(" · ");
                notice(
                    words,
                    "app-open-broke",
                    &[("names", Arg::Text(&names))],
                    true,
                )
            }
            Self::CheckBroke => notice(words, "labels-broke", &[], true),
            Self::ExportFailed(ExportError::System(said)) => notice(
                words,
                "labels-export-failed",
                &[("said", Arg::Text(said))],
                true,
            ),
            Self::ExportFailed(_) => notice(words, "labels-export-source", &[], true),
            Self::RunNotStopped(said) => notice(
                words,
                "rerun-not-stopped",
                &[("said", Arg::Text(said))],
                true,
            ),
            Self::GuardNotSaved(said) => notice(
                words,
                "rerun-guard-not-saved",
                &[("said", Arg::Text(said))],
                true,
            ),
            Self::Others(inputs) => others(inputs, words),
            Self::NothingRead(inputs) => {
                let (heading, mut text, path) = nothing_read(inputs, words);
                // A failure that fills the window offers the logs of a folder to open; a notice can only name them.
                if let [input] = inputs.as_slice()
                    && let Some(InputError::Folder { logs }) = &input.error
                    && !logs.is_empty()
                {
                    let names: Vec<_> = logs.iter().map(|log| file_name(log)).collect();
                    text = format!("{text} {}", joined(&names, words));
                }
                Notice {
                    heading,
                    text,
                    path,
                    warning: true,
                }
            }
        }
    }
}

fn notice(words: Words, id: &str, args: &[(&str, Arg<'_>)], warning: bool) -> Notice {
    Notice {
        heading: words.with(id, args),
        text: words.with(&format!("{id}-text"), args),
        path: None,
        warning,
    }
}

fn others(inputs: &[Input], words: Words) -> Notice {
    if let [input] = inputs
        && let Some(error) = &input.error
    {
        let problem = input_problem(input, error, words);
        return Notice {
            heading: problem.heading,
            text: problem.text,
            path: problem.path,
            warning: true,
        };
    }
    Notice {
        heading: words.with("app-others", &[("count", Arg::Number(inputs.len() as u64))]),
        text: list(inputs, words),
        path: None,
        warning: true,
    }
}

/// Why there is no log to show.
pub(super) fn failed(inputs: &[Input], words: Words) -> Failed {
    let (heading, text, path) = nothing_read(inputs, words);
    let first = inputs.first();
    Failed {
        heading,
        text,
        path,
        kind: first.map_or(InputKind::Unknown, |input| input.kind),
        error: first
            .and_then(|input| input.error.clone())
            .unwrap_or(InputError::NotFound),
    }
}

fn nothing_read(inputs: &[Input], words: Words) -> (String, String, Option<String>) {
    match inputs {
        [input] => {
            let error = input.error.clone().unwrap_or(InputError::NotFound);
            let problem = input_problem(input, &error, words);
            let text = match &error {
                // Only of a pasted text: a file that is no log is read as data.
                InputError::NotALog => words.with(
                    "app-not-a-log",
                    &[("what", Arg::Text(&what_it_is(input, words)))],
                ),
                InputError::Empty if input.origin == Origin::Pasted => {
                    words.text("app-nothing-pasted-text")
                }
                _ => problem.text,
            };
            (problem.heading, text, problem.path)
        }
        _ => (
            words.with(
                "app-none-read",
                &[("count", Arg::Number(inputs.len() as u64))],
            ),
            list(inputs, words),
            None,
        ),
    }
}

/// Why each input was not read, the first few by name.
fn list(inputs: &[Input], words: Words) -> String {
    let said: Vec<_> = inputs
        .iter()
        .map(|input| match &input.error {
            None => what_it_is(input, words),
            Some(error) => words.with(
                "app-input-problem",
                &[
                    ("name", Arg::Text(&name_of(&input.origin, words))),
                    (
                        "problem",
                        Arg::Text(&input_problem(input, error, words).heading),
                    ),
                ],
            ),
        })
        .collect();
    joined(&said, words)
}

fn joined(items: &[String], words: Words) -> String {
    let named = items.get(..NAMED_INPUTS).unwrap_or(items).join(" · ");
    match items.len().checked_sub(NAMED_INPUTS) {
        Some(more) if more > 0 => {
            let more = words.with("app-and-more", &[("count", Arg::Number(more as u64))]);
            format!("{named} · {more}")
        }
        _ => named,
    }
}

/// "train.npy is label data (NumPy array)".
fn what_it_is(input: &Input, words: Words) -> String {
    let name = name_of(&input.origin, words);
    let kind = kind_name(input.kind, words);
    let args = [("name", Arg::Text(&name)), ("kind", Arg::Text(&kind))];
    match format_name(input.format, words) {
        // Of a packed file the packing is all that is known.
        Some(_) if input.kind == InputKind::Unknown => words.with("app-is-packed", &args),
        Some(format) => {
            let [name, kind] = args;
            words.with(
                "app-is-kind-format",
                &[name, kind, ("format", Arg::Text(&format))],
            )
        }
        None => words.with("app-is-kind", &args),
    }
}

/// Names of formats are names: most are the same in every language.
fn format_name(format: Format, words: Words) -> Option<String> {
    let id = match format {
        Format::Plain => return None,
        Format::NumpyArray => "app-format-numpy-array",
        Format::NumpyArchive => "app-format-numpy-archive",
        Format::Table => "app-format-table",
        Format::ClassNames => "app-format-class-names",
        Format::Mask => "app-format-mask",
        Format::Compressed => "app-format-compressed",
        Format::LfsPointer => "app-format-lfs-pointer",
        Format::Torch => return Some("PyTorch".to_owned()),
        Format::Pickle => return Some("pickle".to_owned()),
        Format::Safetensors => return Some("safetensors".to_owned()),
        Format::Model => return Some("GGUF / ONNX".to_owned()),
        Format::Hdf5 => return Some("HDF5".to_owned()),
        Format::Parquet => return Some("Parquet".to_owned()),
        Format::Arrow => return Some("Arrow".to_owned()),
        Format::Excel => return Some("Excel".to_owned()),
        Format::Matlab => return Some("MATLAB".to_owned()),
        Format::Idx => return Some("IDX".to_owned()),
        Format::TfRecord => return Some("TFRecord".to_owned()),
        Format::Megatron => return Some("Megatron".to_owned()),
        Format::Json => return Some("JSON".to_owned()),
        Format::JsonLines => return Some("JSON Lines".to_owned()),
        Format::Coco => return Some("COCO".to_owned()),
        Format::Yolo => return Some("YOLO".to_owned()),
        Format::Xml => return Some("XML".to_owned()),
        Format::FastText => return Some("fastText".to_owned()),
    };
    Some(words.text(id))
}

/// The name of an input as it stands in titles.
pub(super) fn name_of(origin: &Origin, words: Words) -> String {
    match origin {
        Origin::Path(path) => file_name(path),
        Origin::Pasted => words.text("app-pasted"),
        Origin::Stdin => words.text("app-stdin"),
        Origin::Sample(id) => {
            sample(id).map_or_else(|| (*id).to_owned(), |sample| words.text(sample.title_id))
        }
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(
        || path.display().to_string(),
        |name| name.to_string_lossy().into_owned(),
    )
}

/// The names of what is being opened.
pub(super) fn names_of(what: &OpenWhat, words: Words) -> Vec<String> {
    match what {
        OpenWhat::Paths(paths) => paths.iter().map(|path| file_name(path)).collect(),
        OpenWhat::Text(origin, _) => vec![name_of(origin, words)],
    }
}

/// "Reading train.log".
pub(super) fn reading_label(what: &OpenWhat, words: Words) -> String {
    match names_of(what, words).as_slice() {
        [name] => words.with("app-reading", &[("name", Arg::Text(name))]),
        names => words.with(
            "app-reading-several",
            &[("count", Arg::Number(names.len() as u64))],
        ),
    }
}

impl MessageFact {
    /// The message in a language.
    pub fn told(&self, case: Option<&Case>, words: Words) -> String {
        match self {
            Self::Ready => words.text("app-ready"),
            Self::Cancelled => words.text("app-cancelled"),
            Self::Copied => words.text("app-copied"),
            Self::SettingsNotSaved(said) => {
                words.with("app-settings-not-saved", &[("said", Arg::Text(said))])
            }
            Self::GpuChecked => words.text("health-said"),
            Self::GpuCheckStopped => words.text("health-stopped"),
            Self::CheckStopped => words.text("labels-said-stopped"),
            Self::NothingChecked => words.text("check-nothing-read"),
            Self::FilesChanged => words.text("labels-said-changed"),
            Self::Exporting => words.text("labels-said-exporting"),
            Self::Exported { path, rows } => words.with(
                "labels-said-exported",
                &[
                    ("count", Arg::Number(*rows)),
                    ("name", Arg::Text(&file_name(path))),
                ],
            ),
            Self::RunPrintedNothing => words.text("rerun-said-nothing"),
            Self::GuardSaved(path) => {
                let name = file_name(path);
                words.with("rerun-said-guard-saved", &[("name", Arg::Text(&name))])
            }
            Self::Checked {
                findings,
                files,
                again,
            } => {
                let id = if *again {
                    "labels-said-checked-again"
                } else {
                    "labels-said-checked"
                };
                words.with(
                    id,
                    &[
                        ("findings", Arg::Number(*findings)),
                        ("files", Arg::Number(*files)),
                    ],
                )
            }
            Self::SearchFailed(error) => words.text(match error {
                InputError::NotFound => "app-row-vanished",
                InputError::AccessDenied => "app-row-denied",
                InputError::ChangedWhileRead { .. } => "app-row-changed",
                _ => "app-search-failed",
            }),
            Self::Read { log: at } => {
                let read = case.and_then(|case| {
                    let log = case.logs.get(*at)?;
                    Some((log, case.inputs.get(log.input)?))
                });
                let Some((log, input)) = read else {
                    return words.text("app-ready");
                };
                let is_run = case.is_some_and(|case| case.run_of_log(*at).is_some());
                let name = if is_run {
                    words.with("app-run-number", &[("number", Arg::Number(*at as u64 + 1))])
                } else {
                    name_of(&input.origin, words)
                };
                // "No failed check" under a red card would read as all clear.
                let other =
                    log.facts.assertions.is_empty() && log.diagnosis.first_failure.is_some();
                words.with(
                    if other { "app-read-lines" } else { "app-read" },
                    &[
                        ("name", Arg::Text(&name)),
                        ("lines", Arg::Number(log.facts.line_count)),
                        ("checks", Arg::Number(log.facts.assertions.len() as u64)),
                    ],
                )
            }
        }
    }
}
