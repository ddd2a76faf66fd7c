//! What is folded: floods of failed checks after their first line, and runs of library frames. The user's own frames never are.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use super::FoldKind;
use super::layout::Folded;
use crate::crash_log::{Facts, MarkKind};
use crate::words::{Arg, Words};

/// Fewer lines than this are not worth a row that stands for them.
const FEWEST_LINES: u64 = 2;
/// Frames named in a fold's row.
const NAMED_FRAMES: usize = 3;

/// A fold and what its row says.
#[derive(Clone, Debug)]
pub(super) struct Fold {
    /// What is in it.
    pub kind: FoldKind,
    /// What its row says, in the current language.
    pub text: String,
    says: Says,
}

/// What a fold's row says, as facts.
#[derive(Clone, Debug)]
enum Says {
    Flood {
        more: u64,
        blocks: Option<(u32, u32)>,
        threads: Option<(u32, u32)>,
    },
    Frames {
        count: u64,
        names: Vec<String>,
        more: bool,
    },
    NativeFrames(u64),
    GuardLines(u64),
}

/// The folds of a log, rising, none overlapping, all closed.
pub(super) fn find(facts: &Facts) -> (Vec<Folded>, Vec<Fold>) {
    let mut found: Vec<(RangeInclusive<u64>, FoldKind, Says)> = Vec::new();
    floods(facts, &mut found);
    frames(facts, &mut found);
    guard_lines(facts, &mut found);
    found.sort_by_key(|(lines, ..)| *lines.start());

    let (mut folded, mut folds) = (Vec::<Folded>::new(), Vec::new());
    for (lines, kind, says) in found {
        let after_last = folded
            .last()
            .is_none_or(|last| *lines.start() > *last.lines.end());
        if after_last && *lines.start() >= 1 && *lines.end() <= facts.line_count {
            folded.push(Folded { lines, open: false });
            folds.push(Fold {
                kind,
                text: String::new(),
                says,
            });
        }
    }
    (folded, folds)
}

/// Failed checks of several groups may alternate within one run of lines: the first line of each group stays.
fn floods(facts: &Facts, found: &mut Vec<(RangeInclusive<u64>, FoldKind, Says)>) {
    let mut marks: Vec<_> = facts
        .marks
        .iter()
        .filter(|mark| mark.kind == MarkKind::Assertion && !mark.lines.is_empty())
        .collect();
    marks.sort_by_key(|mark| *mark.lines.start());

    let mut seen = BTreeSet::new();
    // Lines that wait to be folded, and the groups among them.
    let mut run: Option<(u64, u64, BTreeSet<usize>)> = None;
    let mut close = |run: &mut Option<(u64, u64, BTreeSet<usize>)>| {
        if let Some((first, last, groups)) = run.take()
            && last + 1 - first >= FEWEST_LINES
        {
            let says = flood(facts, last + 1 - first, &groups);
            found.push((first..=last, FoldKind::Flood, says));
        }
    };
    let mut end_of_run = None;
    for mark in marks {
        let (first, last) = (*mark.lines.start(), *mark.lines.end());
        if end_of_run.is_none_or(|end: u64| first > end + 1) {
            close(&mut run);
            seen.clear();
        }
        end_of_run = Some(last);
        let mut fold_from = first;
        if seen.insert(mark.index) {
            close(&mut run);
            fold_from += 1;
        }
        if fold_from <= last {
            match &mut run {
                Some((_, end, groups)) => {
                    *end = last;
                    groups.insert(mark.index);
                }
                None => run = Some((fold_from, last, BTreeSet::from([mark.index]))),
            }
        }
    }
    close(&mut run);
}

/// The guard's summaries of a run that prints nothing else follow one another: the first stays, and so does every violation.
fn guard_lines(facts: &Facts, found: &mut Vec<(RangeInclusive<u64>, FoldKind, Says)>) {
    let stopped: BTreeSet<u64> = facts.guard.violations.iter().map(|v| v.line).collect();
    let mut run: Option<(u64, u64)> = None;
    let mut close = |run: Option<(u64, u64)>| {
        if let Some((first, last)) = run
            && last > first + 1
        {
            let says = Says::GuardLines(last - first);
            found.push((first + 1..=last, FoldKind::Guard, says));
        }
    };
    for mark in &facts.marks {
        if mark.kind != MarkKind::Guard || mark.lines.is_empty() {
            continue;
        }
        let (first, last) = (*mark.lines.start(), *mark.lines.end());
        run = match run {
            _ if stopped.contains(&first) => {
                close(run);
                None
            }
            Some((from, to)) if first == to + 1 => Some((from, last)),
            _ => {
                close(run);
                Some((first, last))
            }
        };
    }
    close(run);
}

fn flood(facts: &Facts, more: u64, groups: &BTreeSet<usize>) -> Says {
    // Blocks and threads are known for a whole group: they are told where the fold is all of it but the first line.
    let group = match groups.first() {
        Some(index) if groups.len() == 1 => facts.assertions.get(*index),
        _ => None,
    }
    .filter(|group| group.count <= more + 1);
    Says::Flood {
        more,
        blocks: group.and_then(|group| group.blocks),
        threads: group.and_then(|group| group.threads),
    }
}

fn frames(facts: &Facts, found: &mut Vec<(RangeInclusive<u64>, FoldKind, Says)>) {
    let mut all: Vec<_> = facts.tracebacks.iter().flat_map(|t| &t.frames).collect();
    all.sort_by_key(|frame| frame.log_line);
    for mark in &facts.marks {
        if mark.kind != MarkKind::LibraryFrames {
            continue;
        }
        let (first, last) = (*mark.lines.start(), *mark.lines.end());
        if last < first || last + 1 - first < FEWEST_LINES {
            continue;
        }
        let start = all.partition_point(|frame| frame.log_line < first);
        let inside: Vec<_> = all
            .get(start..)
            .unwrap_or_default()
            .iter()
            .take_while(|frame| frame.log_line <= last)
            .collect();
        // Whatever a mark says: what the user wrote is never hidden.
        if inside.iter().any(|frame| !frame.library) {
            continue;
        }
        let says = if inside.is_empty() {
            Says::NativeFrames(last + 1 - first)
        } else {
            let mut names: Vec<String> = Vec::new();
            for frame in &inside {
                let name = short_path(&frame.file);
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            let more = names.len() > NAMED_FRAMES;
            names.truncate(NAMED_FRAMES);
            Says::Frames {
                count: inside.len() as u64,
                names,
                more,
            }
        };
        found.push((mark.lines.clone(), FoldKind::LibraryFrames, says));
    }
}

/// A file with the folder it is in.
fn short_path(path: &str) -> String {
    let mut slashes = path.rmatch_indices(['/', '\\']).map(|(at, _)| at);
    let start = slashes.nth(1).map_or(0, |at| at + 1);
    path.get(start..).unwrap_or(path).to_owned()
}

impl Fold {
    /// Writes the row's text in a language.
    pub fn relabel(&mut self, words: Words) {
        self.text = match &self.says {
            Says::Flood {
                more,
                blocks,
                threads,
            } => {
                let mut parts =
                    vec![words.with("app-fold-flood", &[("count", Arg::Number(*more))])];
                for (id, range) in [("app-fold-blocks", blocks), ("app-fold-threads", threads)] {
                    if let Some((lo, hi)) = range {
                        let range = if lo == hi {
                            lo.to_string()
                        } else {
                            format!("{lo}–{hi}")
                        };
                        parts.push(words.with(id, &[("range", Arg::Text(&range))]));
                    }
                }
                parts.join(" · ")
            }
            Says::Frames { count, names, more } => {
                let count = words.with("app-fold-frames", &[("count", Arg::Number(*count))]);
                let more = if *more { " …" } else { "" };
                format!("{count} · {}{more}", names.join(" · "))
            }
            Says::GuardLines(lines) => {
                words.with("app-fold-guard", &[("count", Arg::Number(*lines))])
            }
            Says::NativeFrames(lines) => {
                words.with("app-fold-native", &[("count", Arg::Number(*lines))])
            }
        };
    }
}
