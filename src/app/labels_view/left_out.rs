//! What could not be read, or not to its end, and why, in a few words each.

use std::path::Path;

use super::Basis;
use super::offenders::relative;
use crate::findings::{FileRead, FindingId};
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
    // Files that were not read at all have a finding of their own as a rule.
    let mut findings = of.checked.findings.iter();
    let is_told = findings.any(|finding| finding.id == FindingId::Unreadable);
    let files = || {
        let files = of.checked.material.files.iter();
        files.filter(|file| !(is_told && file.error.is_some()))
    };
    let unread = files().filter(|file| file.error.is_some()).count();
    let partly = files().filter(|file| file.partial.is_some()).count();
    if unread + partly == 0 {
        return None;
    }
    let title = if unread > 0 {
        words.with("labels-unread", &[("count", Arg::Number(unread as u64))])
    } else {
        words.with("labels-partly", &[("count", Arg::Number(partly as u64))])
    };
    let lines = lines_of(files(), of);
    Some(LeftOut {
        title,
        detail: lines.first().cloned().unwrap_or_default(),
        tooltip: listed(&lines, unread + partly, words),
    })
}

/// The first dozen of the files that could not be read, or not to their end, a line each.
fn lines_of<'f>(files: impl Iterator<Item = &'f FileRead>, of: Basis<'_>) -> Vec<String> {
    files
        .filter_map(|file| line(file, of))
        .take(MOST_NAMED)
        .collect()
}

/// The files of one source that could not be read, a line each.
pub(super) fn of_source(of: Basis<'_>, files: &[&FileRead]) -> Vec<String> {
    let all = files
        .iter()
        .filter(|file| file.error.is_some() || file.partial.is_some())
        .count();
    if all == 0 {
        return Vec::new();
    }
    let lines = lines_of(files.iter().copied(), of);
    listed(&lines, all, of.words)
        .lines()
        .map(str::to_owned)
        .collect()
}

fn listed(lines: &[String], all: usize, words: Words) -> String {
    let mut text = lines.join("\n");
    let more = all.saturating_sub(lines.len());
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
