//! What could not be read, or not to its end, and why, in a few words each.

use std::path::Path;

use super::offenders::relative;
use super::{Basis, sources};
use crate::check::SourceKind;
use crate::findings::FileRead;
use crate::labels::LabelError;
use crate::words::{self, Arg, Words};

/// Files named one by one; the rest is counted.
const MOST_NAMED: usize = 12;

/// What could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// "3 files were not read".
    pub title: String,
    /// The first of them, with the reason.
    pub detail: String,
    /// All of them, or the first dozen, one a line.
    pub tooltip: String,
}

pub(super) fn of(of: Basis<'_>) -> Option<LeftOut> {
    let words = of.words;
    let files = &of.checked.material.files;
    let failed = files.iter().filter(|file| file.error.is_some()).count();
    // A source that was refused as a whole has no files of its own.
    let refused: Vec<_> = of
        .checked
        .sources
        .iter()
        .filter_map(|source| match &source.kind {
            SourceKind::Refused(error) => Some(said(
                &sources::name_of(&source.path),
                &reason(&source.path, error, words),
                words,
            )),
            _ => None,
        })
        .collect();
    let partly = files.iter().filter(|file| file.partial.is_some()).count();
    let unread = (failed + refused.len()) as u64;
    if unread == 0 && partly == 0 {
        return None;
    }
    let mut lines = refused;
    lines.extend(
        files
            .iter()
            .filter_map(|file| line(file, of))
            .take(MOST_NAMED),
    );
    let title = if unread > 0 {
        words.with("labels-unread", &[("count", Arg::Number(unread))])
    } else {
        words.with("labels-partly", &[("count", Arg::Number(partly as u64))])
    };
    let all = failed + partly + lines.len().saturating_sub(failed + partly);
    Some(LeftOut {
        title,
        detail: lines.first().cloned().unwrap_or_default(),
        tooltip: listed(&lines, all, words),
    })
}

/// The files of one source that could not be read, a line each.
pub(super) fn of_source(of: Basis<'_>, source: usize) -> Vec<String> {
    let files = || {
        of.checked
            .material
            .files
            .iter()
            .filter(|file| file.source == source)
    };
    let all = files()
        .filter(|file| file.error.is_some() || file.partial.is_some())
        .count();
    if all == 0 {
        return Vec::new();
    }
    let lines: Vec<_> = files()
        .filter_map(|file| line(file, of))
        .take(MOST_NAMED)
        .collect();
    listed(&lines, all, of.words)
        .lines()
        .map(str::to_owned)
        .collect()
}

fn listed(lines: &[String], all: usize, words: Words) -> String {
    let mut text = lines
        .get(..MOST_NAMED.min(lines.len()))
        .unwrap_or_default()
        .join("\n");
    let more = all.saturating_sub(MOST_NAMED);
    if more > 0 {
        text.push('\n');
        text.push_str(&words.with("app-and-more", &[("count", Arg::Number(more as u64))]));
    }
    text
}

/// "a.npy: cut short", "b.csv: read 10 of 12".
fn line(file: &FileRead, of: Basis<'_>) -> Option<String> {
    let name = relative(&file.path, of.checked);
    if let Some(error) = &file.error {
        return Some(said(&name, &reason(&file.path, error, of.words), of.words));
    }
    let partial = file.partial?;
    let read = of.words.number(partial.read);
    let reason = match partial.of {
        Some(all) => of.words.with(
            "labels-partly-of",
            &[
                ("read", Arg::Text(&read)),
                ("all", Arg::Text(&of.words.number(all))),
            ],
        ),
        None => of
            .words
            .with("labels-partly-read", &[("read", Arg::Text(&read))]),
    };
    Some(said(&name, &reason, of.words))
}

fn said(name: &str, reason: &str, words: Words) -> String {
    words.with(
        "labels-reason-of",
        &[("name", Arg::Text(name)), ("reason", Arg::Text(reason))],
    )
}

/// Why something could not be read, in a few words.
pub(super) fn reason(path: &Path, error: &LabelError, words: Words) -> String {
    words::label_problem(path, error, words).heading
}
