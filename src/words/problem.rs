//! Why an input could not be used, in words: the fact, the reason and what to do, the path last.

use super::language::{Arg, Language, Words};
use crate::case::{Input, Origin, shown};
use crate::inputs::{InputError, InputKind, MOST_LOGS};

/// A problem with an input, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The fact, without its path ("This is label data, not a log").
    pub heading: String,
    /// One or two sentences: the reason, and what to do.
    pub text: String,
    /// The path, where there is one.
    pub path: Option<String>,
}

impl Problem {
    /// For a terminal: reason first, path last.
    pub fn one_line(&self, words: Words) -> String {
        let heading = self.heading.trim_end_matches('。');
        let stop = match words.language {
            Language::En => ". ",
            Language::ZhCn => "。",
        };
        let said = format!("{heading}{stop}{}", self.text);
        match &self.path {
            Some(path) => format!("{said}\n  {path}"),
            None => said,
        }
    }
}

/// Says what is wrong with an input.
pub fn input_problem(input: &Input, error: &InputError, words: Words) -> Problem {
    let kind = kind_name(input.kind, words);
    let (id, args): (&str, Vec<(&str, Arg<'_>)>) = match error {
        InputError::NotFound => ("problem-not-found", vec![]),
        InputError::AccessDenied => ("problem-access-denied", vec![]),
        InputError::ChangedWhileRead { read, expected } => (
            "problem-changed",
            vec![
                ("read", Arg::Number(*read)),
                ("expected", Arg::Number(*expected)),
            ],
        ),
        InputError::Empty => ("problem-empty", vec![]),
        InputError::OutputMissing { read, lines } => (
            "problem-output-missing",
            vec![("read", Arg::Number(*read)), ("lines", Arg::Number(*lines))],
        ),
        InputError::Folder { logs } if logs.is_empty() => ("problem-folder-empty", vec![]),
        InputError::Folder { logs } => (
            "problem-folder",
            vec![("count", Arg::Number(logs.len() as u64))],
        ),
        InputError::Device => ("problem-device", vec![]),
        InputError::NotText => ("problem-not-text", vec![]),
        InputError::NotALog => ("problem-not-a-log", vec![("kind", Arg::Text(&kind))]),
        InputError::DamagedRecord { said } => {
            ("problem-damaged-record", vec![("said", Arg::Text(said))])
        }
        InputError::NewerRecord { schema } => {
            ("problem-newer-record", vec![("schema", Arg::Text(schema))])
        }
        InputError::Cancelled => ("problem-cancelled", vec![]),
        InputError::System(said) => ("problem-system", vec![("said", Arg::Text(said))]),
    };
    let many = matches!(error, InputError::Folder { logs } if logs.len() >= MOST_LOGS);
    let to_do = if many {
        "problem-folder-do-many".to_owned()
    } else {
        format!("{id}-do")
    };
    Problem {
        heading: words.with(id, &args),
        text: words.with(&to_do, &args),
        path: match &input.origin {
            Origin::Path(path) => Some(shown(&path.to_string_lossy())),
            Origin::Pasted | Origin::Sample(_) | Origin::Stdin => None,
        },
    }
}

/// The name of a kind of input.
pub fn kind_name(kind: InputKind, words: Words) -> String {
    words.text(match kind {
        InputKind::Log | InputKind::Text => "kind-log",
        InputKind::Notebook => "kind-notebook",
        InputKind::Labels => "kind-labels",
        InputKind::Checkpoint => "kind-checkpoint",
        InputKind::Config => "kind-config",
        InputKind::Script => "kind-script",
        InputKind::Recording => "kind-recording",
        InputKind::Case => "kind-case",
        InputKind::Picture => "kind-picture",
        InputKind::Folder => "kind-folder",
        InputKind::Unknown => "kind-unknown",
    })
}
