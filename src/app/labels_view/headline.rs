//! The one sentence: what is wrong, or that nothing is.

use super::{Basis, range_text};
use crate::check::SourceKind;
use crate::findings::Severity;
use crate::range_check::Breach;
use crate::words::Arg;

/// The one sentence at the top of the tab.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headline {
    /// Shape and colour of its icon.
    pub mark: Mark,
    /// The sentence.
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
    let (values, offenders) = (checked.values(), checked.offenders_total);
    let say = |mark: Mark, id: &str, args: &[(&str, Arg<'_>)]| {
        let detail_id = format!("{id}-text");
        Headline {
            mark,
            text: words.with(id, args),
            detail: words.with(&detail_id, args),
        }
    };
    if offenders > 0 {
        return Headline {
            mark: Mark::Error,
            text: outside(of, offenders, values),
            detail: stopped_text(of).unwrap_or_default(),
        };
    }
    let read = checked
        .material
        .files
        .iter()
        .filter(|file| file.error.is_none())
        .count() as u64;
    if checked.cancelled {
        let text = words.text("labels-stopped");
        return Headline {
            mark: Mark::Warning,
            text,
            detail: stopped_text(of).unwrap_or_default(),
        };
    }
    let errors = checked
        .findings
        .iter()
        .filter(|finding| finding.severity == Severity::Error)
        .count() as u64;
    if values == 0 && errors == 0 {
        let refused = checked
            .sources
            .iter()
            .any(|source| matches!(source.kind, SourceKind::Refused(_)));
        return if refused || !checked.material.files.is_empty() {
            say(Mark::Error, "labels-nothing-read", &[])
        } else {
            say(Mark::Note, "labels-no-labels", &[])
        };
    }
    if errors > 0 {
        let args = [("count", Arg::Number(errors))];
        return Headline {
            mark: Mark::Error,
            text: words.with("labels-errors", &args),
            detail: checked_text(of, read),
        };
    }
    let unknown = checked.material.groups.iter().any(|group| {
        let rule = checked.material.rules.get(group.rule);
        rule.is_some_and(|used| used.rule.hi.is_none() && !used.rule.fractions)
    });
    if unknown {
        return say(Mark::Warning, "labels-range-unknown", &[]);
    }
    Headline {
        mark: Mark::Good,
        text: words.text("labels-good"),
        detail: checked_text(of, read),
    }
}

/// "1,294 of 61,208 values are outside 0–79"; without the range where several rules are broken or another than the range.
fn outside(of: Basis<'_>, offenders: u64, values: u64) -> String {
    let material = &of.checked.material;
    let broken: Vec<_> = material
        .groups
        .iter()
        .filter(|group| !group.breaches.is_empty())
        .collect();
    let rule = broken.first().map(|group| group.rule);
    let same = broken.iter().all(|group| Some(group.rule) == rule);
    let only_range = broken.iter().all(|group| {
        group
            .breaches
            .keys()
            .all(|breach| matches!(breach, Breach::Below | Breach::Above))
    });
    let range = rule
        .filter(|_| same && only_range)
        .and_then(|rule| material.rules.get(rule))
        .and_then(|used| Some(range_text(used.rule.lo?, used.rule.hi?)));
    let total = of.words.number(values);
    let mut args = vec![
        ("count", Arg::Number(offenders)),
        ("total", Arg::Text(&total)),
    ];
    match &range {
        Some(range) => {
            args.push(("range", Arg::Text(range)));
            of.words.with("labels-outside", &args)
        }
        None => of.words.with("labels-out-of-range", &args),
    }
}

/// "Stopped after 12 of 40 files: the rest was not checked."
fn stopped_text(of: Basis<'_>) -> Option<String> {
    if !of.checked.cancelled {
        return None;
    }
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
    Some(of.words.with(
        "labels-stopped-text",
        &[("count", Arg::Number(done)), ("total", Arg::Text(&total))],
    ))
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
            .map(|(lo, hi)| range_text(lo, hi)),
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
