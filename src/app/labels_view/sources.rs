//! What was given, as a list: what each thing is, and how it fares.

use std::collections::BTreeSet;
use std::path::Path;

use super::source_controls::{SourceControls, controls};
use super::{Basis, BySource, Mark, left_out};
use crate::case::shown;
use crate::check::{Source, SourceKind};
use crate::findings::Severity;
use crate::labels::LabelFormat;
use crate::words::{Arg, Words, bound_source, format_name, split_name};

/// A row of the sources.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceRow {
    /// Index among the sources; `None` for all of them.
    pub source: Option<usize>,
    /// Its icon.
    pub icon: SourceIcon,
    /// Its name.
    pub name: String,
    /// What it is, and how much.
    pub what: String,
    /// How it fares.
    pub mark: Mark,
    /// The same in words; empty: nothing to say.
    pub state: String,
    /// Path, and what could not be read.
    pub tooltip: String,
    /// What can be said about it; for the chosen one.
    pub controls: Option<SourceControls>,
    /// It is chosen.
    pub selected: bool,
}

/// What kind of thing a source is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SourceIcon {
    /// A folder of files.
    #[default]
    Folder,
    /// A table or an array.
    Table,
    /// Settings, class lists.
    Settings,
    /// Weights.
    Chip,
    /// Any other file.
    File,
}

pub(super) fn all(of: Basis<'_>) -> SourceRow {
    let words = of.words;
    let files = &of.checked.material.files;
    let (mark, state) = out_of_range(files.iter().map(|file| file.offenders).sum(), words)
        .or_else(|| {
            let warnings = of
                .checked
                .findings
                .iter()
                .filter(|finding| finding.severity != Severity::Note)
                .count() as u64;
            findings_state(
                warnings,
                of.checked.findings.iter().map(|f| f.severity),
                words,
            )
        })
        .unwrap_or_else(|| match of.checked.values() {
            0 => (Mark::Note, String::new()),
            _ => fine(of, None),
        });
    SourceRow {
        source: None,
        icon: SourceIcon::Folder,
        name: words.text("labels-all-sources"),
        what: words.with(
            "labels-files",
            &[("count", Arg::Number(files.len() as u64))],
        ),
        mark,
        state,
        tooltip: String::new(),
        controls: None,
        selected: of.looking.source.is_none(),
    }
}

/// The sources that are told of, `concerned` being the sources of each finding.
pub(super) fn rows(
    of: Basis<'_>,
    files: &BySource<'_>,
    concerned: &[BTreeSet<usize>],
) -> Vec<SourceRow> {
    let told = |source: &Source| !matches!(source.kind, SourceKind::Other | SourceKind::Log);
    of.checked
        .sources
        .iter()
        .enumerate()
        .filter(|(_, source)| told(source))
        .map(|(index, source)| row(of, files, index, source, concerned))
        .collect()
}

fn row(
    of: Basis<'_>,
    files: &BySource<'_>,
    index: usize,
    source: &Source,
    concerned: &[BTreeSet<usize>],
) -> SourceRow {
    let selected = of.looking.source == Some(index);
    let (mark, state) = state(of, files, index, source, concerned);
    let mut tooltip = shown(&source.path.to_string_lossy());
    for line in left_out::of_source(of, files.of(index)) {
        tooltip.push('\n');
        tooltip.push_str(&line);
    }
    SourceRow {
        source: Some(index),
        icon: icon(source),
        name: display_name(of, source),
        what: what(of, files, index, source),
        mark,
        state,
        tooltip,
        controls: selected.then(|| controls(of, index, source)).flatten(),
        selected,
    }
}

fn icon(source: &Source) -> SourceIcon {
    match &source.kind {
        SourceKind::Labels { format, files } => match format {
            LabelFormat::ImageFolder => SourceIcon::Folder,
            _ if files.len() != 1 => SourceIcon::Folder,
            LabelFormat::Json | LabelFormat::JsonLines | LabelFormat::Coco | LabelFormat::Voc => {
                SourceIcon::File
            }
            _ => SourceIcon::Table,
        },
        SourceKind::ClassNames
        | SourceKind::Colours
        | SourceKind::DataYaml
        | SourceKind::ObjData
        | SourceKind::Config
        | SourceKind::DatasetInfo
        | SourceKind::Meta => SourceIcon::Settings,
        SourceKind::Weights => SourceIcon::Chip,
        SourceKind::Script | SourceKind::Log | SourceKind::Other | SourceKind::Refused(_) => {
            SourceIcon::File
        }
    }
}

/// The last part of a path; the path where there is none (`/`).
pub(super) fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    shown(&name.to_string_lossy())
}

/// The path below what was given, so that `labels/train` and `labels/val` differ; a lone file's name. Where the splits lie in one
/// folder, the split behind it.
fn display_name(of: Basis<'_>, source: &Source) -> String {
    let name = match source.path.strip_prefix(&source.root) {
        Ok(below) if !below.as_os_str().is_empty() => {
            shown(&below.to_string_lossy().replace('\\', "/"))
        }
        _ => name_of(&source.path),
    };
    let is_alike = |other: &&Source| other.path == source.path && other.split != source.split;
    match &source.split {
        Some(split) if of.checked.sources.iter().any(|other| is_alike(&other)) => {
            format!("{name} · {}", split_name(split, of.words))
        }
        _ => name,
    }
}

/// "4,952 YOLO files", "column label, 24,810 rows", "gives nc = 80 and 80 names".
fn what(of: Basis<'_>, of_source: &BySource<'_>, index: usize, source: &Source) -> String {
    let words = of.words;
    let material = &of.checked.material;
    match &source.kind {
        SourceKind::Labels { format, files } => {
            let format_text = format_name(*format, words);
            if files.len() > 1 {
                return words.with(
                    "labels-what-files",
                    &[
                        ("count", Arg::Number(files.len() as u64)),
                        ("format", Arg::Text(&format_text)),
                    ],
                );
            }
            let groups = || material.groups.iter().filter(|group| group.source == index);
            let values = of_source.of(index).iter().map(|file| file.values).sum();
            let mut names: Vec<&str> = groups()
                .filter_map(|group| {
                    let stream = &group.stream;
                    stream.column.as_deref().or(stream.key.as_deref())
                })
                .collect();
            names.dedup();
            match names.as_slice() {
                [name] => words.with(
                    "labels-what-column",
                    &[
                        ("column", Arg::Text(&shown(name))),
                        ("count", Arg::Number(values)),
                    ],
                ),
                _ => words.with(
                    "labels-what-values",
                    &[
                        ("format", Arg::Text(&format_text)),
                        ("count", Arg::Number(values)),
                    ],
                ),
            }
        }
        SourceKind::Script => gives(of, source).unwrap_or_else(|| words.text("labels-what-script")),
        SourceKind::Weights => {
            gives(of, source).unwrap_or_else(|| words.text("labels-what-weights"))
        }
        SourceKind::ClassNames => {
            gives(of, source).unwrap_or_else(|| words.text("labels-what-names"))
        }
        SourceKind::Colours => words.text("labels-what-colours"),
        SourceKind::DataYaml
        | SourceKind::ObjData
        | SourceKind::Config
        | SourceKind::DatasetInfo
        | SourceKind::Meta => {
            gives(of, source).unwrap_or_else(|| words.text("labels-what-settings"))
        }
        SourceKind::Refused(_) => words.text("labels-what-refused"),
        SourceKind::Log | SourceKind::Other => String::new(),
    }
}

/// What a file states about the range.
fn gives(of: Basis<'_>, source: &Source) -> Option<String> {
    let bound = of
        .checked
        .material
        .bounds
        .iter()
        .find(|bound| bound.path.as_ref() == Some(&source.path))?;
    let what = shown(&bound.what);
    let names = bound
        .names
        .as_ref()
        .map(|list| list.names.len() as u64)
        .filter(|&count| count > 0 && !bound.what.contains("names"));
    Some(match names {
        Some(count) => of.words.with(
            "labels-what-gives-names",
            &[("what", Arg::Text(&what)), ("count", Arg::Number(count))],
        ),
        None => of
            .words
            .with("labels-what-gives", &[("what", Arg::Text(&what))]),
    })
}

fn state(
    of: Basis<'_>,
    of_source: &BySource<'_>,
    index: usize,
    source: &Source,
    concerned: &[BTreeSet<usize>],
) -> (Mark, String) {
    let words = of.words;
    let material = &of.checked.material;
    if let SourceKind::Refused(error) = &source.kind {
        let reason = left_out::reason(&source.path, error, words);
        let text = words.with("labels-source-refused", &[("reason", Arg::Text(&reason))]);
        return (Mark::Error, text);
    }
    let files = || of_source.of(index).iter();
    let offenders = files().map(|file| file.offenders).sum();
    if let Some(state) = out_of_range(offenders, words) {
        return state;
    }
    let failed = files().filter(|file| file.error.is_some()).count() as u64;
    if failed > 0 {
        let mut errors = files().filter_map(|file| file.error.as_ref());
        let text = match (&source.kind, errors.next()) {
            (SourceKind::Labels { files, .. }, Some(error)) if files.len() <= 1 => {
                let reason = left_out::reason(&source.path, error, words);
                words.with("labels-source-refused", &[("reason", Arg::Text(&reason))])
            }
            _ => words.with("labels-source-unread", &[("count", Arg::Number(failed))]),
        };
        return (Mark::Error, text);
    }
    let bounds = &material.bounds;
    let of_this = |bound: &crate::bounds::Bound| bound.path.as_ref() == Some(&source.path);
    let used = material
        .rules
        .iter()
        .filter_map(|used| bounds.get(used.bound?))
        .find(|bound| of_this(bound));
    let stated = || bounds.iter().find(|bound| of_this(bound));
    let about = || {
        let severities = of
            .checked
            .findings
            .iter()
            .zip(concerned)
            .filter(|(_, of)| of.contains(&index))
            .map(|(finding, _)| finding.severity);
        let count = severities
            .clone()
            .filter(|&severity| severity != Severity::Note)
            .count() as u64;
        findings_state(count, severities, words)
    };
    if let Some(state) = about() {
        return state;
    }
    if used.is_some() {
        return (Mark::Good, words.text("labels-source-rule"));
    }
    if let Some(bound) = stated() {
        let best = material
            .rules
            .iter()
            .filter_map(|used| bounds.get(used.bound?))
            .find(|best| best.role == bound.role);
        return match best {
            Some(best) if (best.lo, best.hi) == (bound.lo, bound.hi) => {
                let name = best.path.as_deref().map(name_of);
                let name = name.unwrap_or_else(|| bound_source(best, words));
                let text = words.with("labels-source-agrees", &[("name", Arg::Text(&name))]);
                (Mark::Good, text)
            }
            Some(_) => {
                let range = crate::words::span(bound.lo, bound.hi);
                let text = words.with("labels-source-differs", &[("range", Arg::Text(&range))]);
                (Mark::Warning, text)
            }
            None => (Mark::Note, words.text("labels-source-unused")),
        };
    }
    if matches!(source.kind, SourceKind::Labels { .. }) && files().any(|file| file.values > 0) {
        return fine(of, Some(index));
    }
    (Mark::Note, String::new())
}

/// Nothing is out of range, as far as one is known.
fn fine(of: Basis<'_>, source: Option<usize>) -> (Mark, String) {
    // All clear is not said of a part.
    if of.checked.cancelled {
        return (Mark::Note, of.words.text("labels-stopped"));
    }
    let material = &of.checked.material;
    let unknown = material
        .groups
        .iter()
        .filter(|group| source.is_none_or(|source| group.source == source) && group.count > 0)
        .filter_map(|group| material.rules.get(group.rule))
        .any(|used| used.rule.hi.is_none() && used.names.is_none() && !used.rule.fractions);
    if unknown {
        (Mark::Note, of.words.text("labels-source-unknown"))
    } else {
        (Mark::Good, of.words.text("labels-source-good"))
    }
}

fn out_of_range(count: u64, words: Words) -> Option<(Mark, String)> {
    (count > 0).then(|| {
        let text = words.with("labels-source-out", &[("count", Arg::Number(count))]);
        (Mark::Error, text)
    })
}

/// "1 problem" where one is an error, "2 warnings" otherwise.
fn findings_state(
    count: u64,
    mut severities: impl Iterator<Item = Severity>,
    words: Words,
) -> Option<(Mark, String)> {
    if count == 0 {
        return None;
    }
    let (mark, id) = if severities.any(|severity| severity == Severity::Error) {
        (Mark::Error, "labels-source-problems")
    } else {
        (Mark::Warning, "labels-source-warnings")
    };
    Some((mark, words.with(id, &[("count", Arg::Number(count))])))
}
