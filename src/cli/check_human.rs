//! A check as text for a terminal.

use std::fmt::Write as _;

use super::human::{labelled, paragraph, wrapped};
use crate::check::{Checked, Source, SourceKind};
use crate::findings::{Finding, Severity, Text};
use crate::words::{
    Arg, Words, check_headline, device_use, finding as finding_texts, format_name, range_text,
    role_name, severity_word,
};

/// Findings told in full; the rest stands in the JSON.
const MOST_FINDINGS: usize = 20;
/// Sources listed.
const MOST_SOURCES: usize = 20;
/// Values of a finding that are listed.
const MOST_VALUES: usize = 6;
/// Lines of a script that are shown.
const MOST_SCRIPT_LINES: usize = 60;

/// The whole answer: one sentence, the findings, what was read.
pub(super) fn text(checked: &Checked, words: Words) -> String {
    let mut out = String::new();
    let headline = check_headline(checked, words);
    let _ = writeln!(out, "{}", headline.text);
    if let Some(next) = &headline.next {
        paragraph(&mut out, "", next);
    }
    for finding in checked.findings.iter().take(MOST_FINDINGS) {
        out.push('\n');
        one(&mut out, finding, checked, words);
    }
    if let Some(more) = checked.findings.len().checked_sub(MOST_FINDINGS + 1) {
        let count = Arg::Number(more as u64 + 1);
        let _ = writeln!(out, "\n{}", words.with("check-more", &[("count", count)]));
    }
    let ranges: Vec<String> = checked
        .material
        .rules
        .iter()
        .map(|rule| {
            let range = range_text(rule, &checked.material.bounds, words);
            let name = if rule.name.is_empty() {
                role_name(rule.role, words)
            } else {
                rule.name.clone()
            };
            let ignored: Vec<String> = rule.rule.ignore.iter().map(ToString::to_string).collect();
            if ignored.is_empty() {
                format!("{name}: {range}")
            } else {
                let ignored = ignored.join(", ");
                let ignored = words.with("check-ignored", &[("values", Arg::Text(&ignored))]);
                format!("{name}: {range} ({ignored})")
            }
        })
        .collect();
    list(&mut out, &words.text("check-ranges"), ranges);
    let read = checked
        .sources
        .iter()
        .enumerate()
        .filter_map(|(at, source)| source_line(at, source, checked, words))
        .take(MOST_SOURCES)
        .collect();
    list(&mut out, &words.text("check-read"), read);
    let device = device_use(&checked.device, words);
    if device.tells {
        out.push('\n');
        paragraph(&mut out, "", &device.text);
        for remark in &device.remarks {
            paragraph(&mut out, "", remark);
        }
    }
    out.truncate(out.trim_end().len());
    out
}

fn one(out: &mut String, finding: &Finding, checked: &Checked, words: Words) {
    let texts = finding_texts(finding, &checked.material, words);
    let severity = severity_word(finding.severity, words);
    wrapped(out, &format!("{severity}: "), 2, &texts.title);
    if !texts.detail.is_empty() {
        wrapped(out, "  ", 2, &texts.detail);
    }
    if finding.values.len() > 1 {
        wrapped(out, "  ", 2, &value_list(finding, words));
    }
    if let Some(place) = finding.first.as_ref().map(|first| &first.place)
        && let Some(path) = place.path.as_deref()
        && (path.components().count() > 2 || place.line.is_some())
    {
        let path = crate::case::shown(&path.to_string_lossy());
        // As an editor and a terminal take it: the whole path with its line, the header counted.
        let _ = match place.line {
            Some(line) => writeln!(out, "  {path}:{line}"),
            None => writeln!(out, "  {path}"),
        };
    }
    // A note is for those who look further: its first lines say it.
    if finding.severity == Severity::Note {
        return;
    }
    let (why, fix) = (words.text("check-why"), words.text("check-fix"));
    for (label, text) in [(why, &texts.explanation), (fix, &texts.suggestion)] {
        if !text.is_empty() {
            labelled(out, &format!("  {label}"), 8, text);
        }
    }
    if let Some(snippet) = &finding.snippet {
        let _ = writeln!(out, "  {}", words.text("check-script"));
        for line in snippet.lines().take(MOST_SCRIPT_LINES) {
            let _ = writeln!(out, "{}", format!("    {line}").trim_end());
        }
    }
}

/// `255 ×3,024, 27 ×12`, most frequent first.
fn value_list(finding: &Finding, words: Words) -> String {
    let listed = finding.values.iter().take(MOST_VALUES).map(|counted| {
        let value = match &counted.value {
            Text::Number(n) => n.to_string(),
            Text::Count(n) => words.number(*n),
            Text::Name(name) => crate::case::shown(name),
        };
        format!("{value} ×{}", words.number(counted.count))
    });
    let mut text = listed.collect::<Vec<_>>().join(", ");
    if finding.values.len() > MOST_VALUES {
        text.push_str(", …");
    }
    text
}

fn source_line(at: usize, source: &Source, checked: &Checked, words: Words) -> Option<String> {
    let name = crate::case::shown(&source.path.to_string_lossy());
    match &source.kind {
        SourceKind::Labels { format, files } => {
            let read = || {
                checked
                    .material
                    .files
                    .iter()
                    .filter(|file| file.source == at)
            };
            let values: u64 = read().map(|file| file.values).sum();
            let out: u64 = read().map(|file| file.offenders).sum();
            let mut parts = vec![format_name(*format, words)];
            if files.len() > 1 {
                let count = Arg::Number(files.len() as u64);
                parts.push(words.with("check-files", &[("count", count)]));
            }
            parts.push(words.with("check-values", &[("values", Arg::Number(values))]));
            if out > 0 {
                parts.push(words.with("check-out", &[("count", Arg::Number(out))]));
            }
            Some(format!("{name}: {}", parts.join(", ")))
        }
        SourceKind::Log | SourceKind::Other | SourceKind::Refused(_) => None,
        _ => Some(name),
    }
}

fn list(out: &mut String, heading: &str, items: Vec<String>) {
    if items.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n{heading}");
    for item in items {
        paragraph(out, "  - ", &item);
    }
}
