//! The one sentence: what is wrong, or that nothing is; and what was checked.

use super::Basis;
use crate::check::SourceKind;
use crate::findings::Severity;
use crate::words::{self, Arg};

/// The one sentence at the top of the tab.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headline {
    /// Shape and colour of its icon.
    pub mark: Mark,
    /// The sentence, the same as on the console.
    pub text: String,
    /// What was checked, or what to do, in one or two sentences; may be empty.
    pub detail: String,
}

/// What kind of news something is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mark {
    /// It fails.
    Error,
    /// It may fail.
    Warning,
    /// Worth knowing.
    #[default]
    Note,
    /// Nothing wrong.
    Good,
}

impl From<Severity> for Mark {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Error => Self::Error,
            Severity::Warning => Self::Warning,
            Severity::Note => Self::Note,
        }
    }
}

pub(super) fn of(of: Basis<'_>) -> Headline {
    let (checked, words) = (of.checked, of.words);
    let said = words::check_headline(checked, words);
    let read = checked
        .material
        .files
        .iter()
        .filter(|file| file.error.is_none())
        .count() as u64;
    let bad = said.severity.map(Mark::from);
    if checked.cancelled {
        // All clear is not said of a part.
        return Headline {
            mark: bad.unwrap_or(Mark::Warning),
            text: match bad {
                Some(_) => said.text,
                None => words.text("labels-stopped"),
            },
            detail: stopped_text(of),
        };
    }
    let has_values = checked.values() > 0;
    let (mark, detail) = match (bad, said.next) {
        (Some(mark), _) if checked.offenders_total > 0 => (mark, String::new()),
        (Some(mark), _) if has_values => (mark, checked_text(of, read)),
        (Some(mark), _) => (mark, words.text("labels-nothing-read-text")),
        (None, Some(_)) => (Mark::Warning, words.text("labels-range-unknown-text")),
        (None, None) if has_values => (Mark::Good, checked_text(of, read)),
        (None, None) => (Mark::Note, words.text("labels-no-labels-text")),
    };
    Headline {
        mark,
        text: said.text,
        detail,
    }
}

/// "Stopped after 12 of 40 files: the rest was not checked."
fn stopped_text(of: Basis<'_>) -> String {
    let all: usize = of
        .checked
        .sources
        .iter()
        .map(|source| match &source.kind {
            SourceKind::Labels { files, .. } => files.len(),
            _ => 0,
        })
        .sum();
    let total = of.words.number(all as u64);
    let done = of.checked.material.files.len() as u64;
    of.words.with(
        "labels-stopped-text",
        &[("count", Arg::Number(done)), ("total", Arg::Text(&total))],
    )
}

/// "61,208 values in 6,191 files were compared with 0–79."
fn checked_text(of: Basis<'_>, files: u64) -> String {
    let material = &of.checked.material;
    let values = of.words.number(of.checked.values());
    let mut args = vec![
        ("values", Arg::Text(&values)),
        ("files", Arg::Number(files)),
    ];
    let ignored: u64 = material.groups.iter().map(|group| group.ignored).sum();
    let range = match material.rules.as_slice() {
        [used] => used
            .rule
            .lo
            .zip(used.rule.hi)
            .map(|(lo, hi)| words::span(lo, hi)),
        _ => None,
    };
    let mut text = match &range {
        Some(range) => {
            args.push(("range", Arg::Text(range)));
            of.words.with("labels-compared", &args)
        }
        None => of.words.with("labels-compared-rules", &args),
    };
    if ignored > 0 {
        let note = of
            .words
            .with("labels-ignored", &[("count", Arg::Number(ignored))]);
        text.push_str(&of.words.text("labels-sentence-gap"));
        text.push_str(&note);
    }
    text
}
