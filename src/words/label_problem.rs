//! Why a label file could not be read, in words: the fact, what to do, the path last.

use std::path::Path;

use super::language::{Arg, Words};
use super::problem::Problem;
use super::reason::reason;
use crate::case::shown;
use crate::inputs::InputError;
use crate::labels::LabelError;

/// Names of columns and keys that are listed before the rest is left out.
const MOST_NAMES: usize = 12;

/// Says why a file could not be read.
pub fn label_problem(path: &Path, error: &LabelError, words: Words) -> Problem {
    let (id, variant, args) = parts(error, words);
    let args: Vec<(&str, Arg<'_>)> = args
        .iter()
        .map(|(name, value)| {
            let value = match value {
                Value::Text(text) => Arg::Text(text),
                Value::Number(n) => Arg::Number(*n),
            };
            (*name, value)
        })
        .collect();
    Problem {
        heading: words.with(&format!("label-problem-{id}"), &args),
        text: words.with(&format!("label-problem-{id}{variant}-do"), &args),
        path: Some(shown(&path.to_string_lossy())),
    }
}

enum Value {
    Text(String),
    Number(u64),
}

type Args = Vec<(&'static str, Value)>;

fn parts(error: &LabelError, words: Words) -> (&'static str, &'static str, Args) {
    let text = |name, value: &str| (name, Value::Text(shown(value)));
    match error {
        LabelError::Input(error) => of_input(error),
        LabelError::LaterFormat(name) => ("later-format", "", vec![text("name", name)]),
        LabelError::Unknown => ("unknown", "", vec![]),
        LabelError::OtherContent { named, found } => (
            "other-content",
            "",
            vec![text("named", named), text("found", found)],
        ),
        LabelError::LfsPointer => ("lfs", "", vec![]),
        LabelError::NoLabels { found } if found.is_empty() => ("no-labels", "-nothing", vec![]),
        LabelError::NoLabels { found } => ("no-labels", "", vec![text("found", &listed(found))]),
        LabelError::NoSuchColumn { wanted, found } => (
            "no-such-column",
            "",
            vec![text("wanted", wanted), text("found", &listed(found))],
        ),
        LabelError::Malformed { said, line, byte } => {
            let (variant, number) = match (line, byte) {
                (Some(line), _) => ("-line", Some(("line", Value::Number(*line)))),
                (None, Some(byte)) => ("-byte", Some(("byte", Value::Number(*byte)))),
                (None, None) => ("", None),
            };
            let args = [Some(text("said", &reason(said, words))), number];
            ("malformed", variant, args.into_iter().flatten().collect())
        }
        LabelError::CutShort { read, of } => (
            "cut-short",
            "",
            vec![("read", Value::Number(*read)), ("of", Value::Number(*of))],
        ),
        LabelError::TooLarge { size, limit } => (
            "too-large",
            "",
            vec![
                ("size", Value::Number(*size)),
                ("limit", Value::Number(*limit)),
            ],
        ),
        LabelError::UnpacksTooLarge { limit } => {
            ("unpacks", "", vec![("limit", Value::Number(*limit))])
        }
        LabelError::TooDeep => ("too-deep", "", vec![]),
        LabelError::PythonNumber { word, byte, key } => {
            let variant = if key.is_some() { "-key" } else { "" };
            let key = text("key", key.as_deref().unwrap_or_default());
            let byte = ("byte", Value::Number(*byte));
            (
                "python-number",
                variant,
                vec![text("word", word), byte, key],
            )
        }
        LabelError::PickledObjects => ("pickled-objects", "", vec![]),
        LabelError::ForeignPickle(name) => ("foreign-pickle", "", vec![text("name", name)]),
        LabelError::CodeOnly(name) => ("code-only", "", vec![text("name", name)]),
        LabelError::ElementType(name) => ("element-type", "", vec![text("name", name)]),
        LabelError::Doctype => ("doctype", "", vec![]),
        LabelError::JpegMask => ("jpeg-mask", "", vec![]),
        LabelError::NoColourList => ("no-colour-list", "", vec![]),
        LabelError::OutsidePath(name) => ("outside", "", vec![text("name", name)]),
        LabelError::NotLabels(name) => ("not-labels", "", vec![text("name", name)]),
        LabelError::Fault(said) => ("fault", "", vec![text("said", said)]),
    }
}

fn of_input(error: &InputError) -> (&'static str, &'static str, Args) {
    match error {
        InputError::NotFound => ("not-found", "", vec![]),
        InputError::AccessDenied => ("access-denied", "", vec![]),
        InputError::ChangedWhileRead { .. } => ("changed", "", vec![]),
        // Label data is no output of a run.
        InputError::Empty | InputError::OutputMissing { .. } => ("empty", "", vec![]),
        InputError::Folder { .. } => ("folder-empty", "", vec![]),
        InputError::Device => ("device", "", vec![]),
        InputError::NotText | InputError::NotALog => ("unknown", "", vec![]),
        InputError::Cancelled => ("cancelled", "", vec![]),
        InputError::System(said)
        | InputError::DamagedRecord { said }
        | InputError::NewerRecord { schema: said } => {
            ("system", "", vec![("said", Value::Text(shown(said)))])
        }
    }
}

fn listed(names: &[String]) -> String {
    let mut text = names
        .iter()
        .take(MOST_NAMES)
        .cloned()
        .collect::<Vec<_>>()
        .join(", ");
    if names.len() > MOST_NAMES {
        text.push_str(", …");
    }
    text
}
