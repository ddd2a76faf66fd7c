//! A finding in words: the only renderer, for window, console, JSON and report.

use super::label_problem::label_problem;
use super::language::{Arg, Language, Words};
use super::place::{clipped, path_text, place_shortened, range_text};
use super::problem::Problem;
use super::reason::reason;
use super::render::certainty_word;
use crate::bounds::{Bound, BoundSource};
use crate::findings::{Finding, FindingId, Material, Severity, Text};
use crate::labels::{LabelError, Place, TroubleKind};

/// What is said of a finding.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FindingTexts {
    /// One line with place, value and allowed range: `80 in labels/train/000106.txt, line 2: allowed 0–79 (data.yaml: nc = 80)`.
    pub title: String,
    /// How many more and the pattern: `and 47 more rows of 17 files. These files use 1–80 and never 0: they count from 1`.
    pub detail: String,
    /// Why PyTorch fails on it, in one or two sentences.
    pub explanation: String,
    /// What to do.
    pub suggestion: String,
    /// The certainty's reading in two or three words (`Likely 1-based`, `Certain`).
    pub certainty: String,
    /// The label of the one-click answer (`Ignore 255`), where there is one.
    pub answer: Option<String>,
}

/// Width of a title, in Latin characters: Chinese ones are twice as wide.
const MOST_TITLE: usize = 110;

fn width(text: &str) -> usize {
    text.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum()
}

/// A title of which the middle was left out until it fits.
fn fitted(title: &str) -> String {
    let mut fitted = title.to_owned();
    let mut most = title.chars().count();
    while width(&fitted) > MOST_TITLE && most > 1 {
        most -= 1;
        fitted = clipped(title, most);
    }
    fitted
}

/// Characters of a value or name inside a text.
const MOST_VALUE: usize = 40;

/// Characters of a reason inside a text.
const MOST_REASON: usize = 60;

/// Says a finding.
pub fn finding(finding: &Finding, material: &Material, words: Words) -> FindingTexts {
    let args = arguments(finding, material, words, 2, true);
    let part = |name: &str| said(finding, name, &args, words);
    let unread = why_unread(finding, material, words);
    let (reason, to_do) = unread.map_or((None, None), |p| (Some(p.heading), Some(p.text)));
    FindingTexts {
        title: title(finding, material, words),
        detail: reason.unwrap_or_else(|| part("detail")),
        explanation: part("explanation"),
        suggestion: to_do.unwrap_or_else(|| part("suggestion")),
        certainty: part("certainty"),
        answer: finding.ignore.map(|value| {
            let value = value.to_string();
            words.with("finding-answer-ignore", &[("value", Arg::Text(&value))])
        }),
    }
}

/// Why the first of the files that could not be read could not.
fn why_unread(finding: &Finding, material: &Material, words: Words) -> Option<Problem> {
    if finding.id != FindingId::Unreadable {
        return None;
    }
    let path = finding.first.as_ref()?.place.path.as_ref()?;
    let file = material.files.iter().find(|file| file.path == *path)?;
    Some(label_problem(path, file.error.as_ref()?, words))
}

/// The word for a severity.
pub fn severity_word(severity: Severity, words: Words) -> String {
    words.text(match severity {
        Severity::Error => "finding-severity-error",
        Severity::Warning => "finding-severity-warning",
        Severity::Note => "finding-severity-note",
    })
}

/// The title; what is least needed goes first where it would be too long.
fn title(finding: &Finding, material: &Material, words: Words) -> String {
    let mut title = String::new();
    for (names, source) in [(2, true), (2, false), (1, false)] {
        let args = arguments(finding, material, words, names, source);
        title = said(finding, "title", &args, words);
        if width(&title) <= MOST_TITLE {
            return title;
        }
    }
    fitted(&title)
}

/// The text of a part: that of the variant, of the id, or the one for all.
fn said(finding: &Finding, part: &str, args: &[(&'static str, Value)], words: Words) -> String {
    let id = finding.id.id();
    let of_variant = format!("finding-{id}-{}-{part}", finding.variant);
    let of_id = format!("finding-{id}-{part}");
    let for_all = format!("finding-{part}");
    let id = if !finding.variant.is_empty() && words.has(&of_variant) {
        of_variant
    } else if words.has(&of_id) {
        of_id
    } else {
        for_all
    };
    let args: Vec<(&str, Arg<'_>)> = args
        .iter()
        .map(|(name, value)| (*name, value.arg()))
        .collect();
    tidy(&words.with(&id, &args), words)
}

/// Blanks at the seams: a place that is empty leaves two, and a Chinese mark needs none before it.
fn tidy(text: &str, words: Words) -> String {
    let mut out = text
        .split(' ')
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" ");
    if words.language == Language::ZhCn {
        for mark in ['，', '。', '：', '；', '（', '）', '、'] {
            out = out.replace(&format!(" {mark}"), &mark.to_string());
        }
        out = out.replace("） ", "）");
    }
    out
}

/// An argument that owns its text.
enum Value {
    Text(String),
    Number(u64),
}

impl Value {
    fn arg(&self) -> Arg<'_> {
        match self {
            Self::Text(text) => Arg::Text(text),
            Self::Number(n) => Arg::Number(*n),
        }
    }
}

/// Everything that the texts can name. The finding's own arguments come last and win.
fn arguments(
    finding: &Finding,
    material: &Material,
    words: Words,
    names: usize,
    source: bool,
) -> Vec<(&'static str, Value)> {
    let rule = finding.rule.and_then(|rule| material.rules.get(rule));
    let first = finding.first.as_ref();
    let value = first.and_then(|first| first.value.as_ref()).map(shown);
    let place = first.map(|first| place_shortened(&first.place, words, names));
    let file = first
        .and_then(|first| first.place.path.as_deref())
        .map(|path| path_text(path, names));
    let bound = rule
        .and_then(|rule| rule.bound)
        .and_then(|bound| material.bounds.get(bound))
        .filter(|_| source)
        .map(|bound| in_brackets(&bound_source(bound, words), words));
    let hi = rule.and_then(|rule| rule.rule.hi);
    let number =
        |n: Option<crate::range_check::Number>| n.map_or_else(String::new, |n| n.to_string());
    let ignored: Vec<String> = rule
        .map(|rule| rule.rule.ignore.iter().map(ToString::to_string).collect())
        .unwrap_or_default();
    let mut args = vec![
        ("count", Value::Number(finding.count)),
        ("files", Value::Number(finding.files)),
        ("value", Value::Text(value.unwrap_or_default())),
        (
            "place",
            Value::Text(embedded(place.unwrap_or_default(), words)),
        ),
        ("file", Value::Text(file.unwrap_or_default())),
        (
            "lo",
            Value::Text(number(rule.and_then(|rule| rule.rule.lo))),
        ),
        ("hi", Value::Text(number(hi))),
        (
            "size",
            Value::Text(
                hi.and_then(crate::range_check::Number::as_int)
                    .map_or_else(String::new, |hi| hi.saturating_add(1).to_string()),
            ),
        ),
        (
            "range",
            Value::Text(rule.map_or_else(String::new, |rule| range_text(&rule.rule, words))),
        ),
        ("source", Value::Text(bound.unwrap_or_default())),
        (
            "ignore",
            Value::Text(if ignored.is_empty() {
                words.text("finding-none")
            } else {
                ignored.join(", ")
            }),
        ),
        (
            "certainty",
            Value::Text(certainty_word(finding.certainty, words)),
        ),
    ];
    if finding.id == FindingId::Negative {
        // The finding's own argument wins where a pattern explains it.
        args.push(("pattern", Value::Text("no".to_owned())));
    }
    if finding.id == FindingId::CountMismatch {
        args.extend(both_sources(finding, words));
    }
    if finding.id == FindingId::Duplicates {
        args.push(("before", Value::Text(before(finding, words))));
    }
    for (name, text) in &finding.args {
        let value = match text {
            Text::Count(n) => Value::Number(*n),
            Text::Name(why) if *name == "why" => Value::Text(clipped(
                &why_text(finding, material, why, words),
                MOST_REASON,
            )),
            text => Value::Text(shown(text)),
        };
        args.push((*name, value));
    }
    args
}

/// Why a line is bad, or a file could not be read to its end.
fn why_text(finding: &Finding, material: &Material, why: &str, words: Words) -> String {
    let path = finding
        .first
        .as_ref()
        .and_then(|first| first.place.path.as_ref());
    let mut troubles = material.troubles.iter();
    let error = troubles.find_map(|trouble| match &trouble.kind {
        TroubleKind::BrokeOff { why, .. } if trouble.place.path.as_ref() == path => Some(why),
        _ => None,
    });
    match (finding.id, path, error) {
        (FindingId::CutShort, Some(path), Some(error))
            if !matches!(error, LabelError::Malformed { .. }) =>
        {
            label_problem(path, error, words).heading
        }
        (_, _, Some(LabelError::Malformed { said, .. })) if finding.id == FindingId::CutShort => {
            reason(said, words)
        }
        _ => reason(why, words),
    }
}

/// A value as it is read: whole, but not without end.
fn shown(text: &Text) -> String {
    match text {
        Text::Number(number) => number.to_string(),
        Text::Count(n) => n.to_string(),
        Text::Name(name) => clipped(name, MOST_VALUE),
    }
}

/// A place inside a sentence. Chinese has no blank before the next word, unless the place ends in Latin letters.
fn embedded(place: String, words: Words) -> String {
    let latin = place.chars().next_back().is_some_and(|c| c.is_ascii());
    if words.language == Language::ZhCn && latin {
        place + " "
    } else {
        place
    }
}

fn in_brackets(text: &str, words: Words) -> String {
    let text = words.with("finding-bound", &[("bound", Arg::Text(text))]);
    match words.language {
        Language::En => format!(" {text}"),
        Language::ZhCn => text,
    }
}

/// What states a range: `data.yaml: nc = 80`.
pub fn bound_source(bound: &Bound, words: Words) -> String {
    match bound.source {
        BoundSource::User => words.text("finding-bound-user"),
        BoundSource::FolderNames => words.text("finding-bound-folders"),
        _ => {
            let file = bound.path.as_deref().map(|path| path_text(path, 1));
            file_and_what(&file.unwrap_or_default(), &bound.what, words)
        }
    }
}

fn file_and_what(file: &str, what: &str, words: Words) -> String {
    let what = clipped(what, MOST_VALUE);
    match (file.is_empty(), what.is_empty()) {
        (true, _) => what,
        (false, true) => file.to_owned(),
        (false, false) => words.with(
            "finding-bound-file",
            &[("file", Arg::Text(file)), ("what", Arg::Text(&what))],
        ),
    }
}

/// The two sources of a count that disagree.
fn both_sources(finding: &Finding, words: Words) -> Vec<(&'static str, Value)> {
    let of = |name: &str| {
        let found = finding.args.iter().find(|(known, _)| *known == name);
        found.map(|(_, text)| shown(text)).unwrap_or_default()
    };
    let source = |file: &str, what: &str| {
        let said = file_and_what(&of(file), &of(what), words);
        // Only what the user typed has neither.
        if said.is_empty() {
            words.text("finding-source-user")
        } else {
            said
        }
    };
    vec![
        ("first", Value::Text(source("first-file", "first-what"))),
        ("other", Value::Text(source("other-file", "other-what"))),
    ]
}

/// Where a thing that stands twice stood first.
fn before(finding: &Finding, words: Words) -> String {
    let text = |name: &str| {
        finding.args.iter().find_map(|(known, text)| match text {
            Text::Name(text) if *known == name => Some(text.as_str()),
            _ => None,
        })
    };
    let count = |name: &str| {
        finding.args.iter().find_map(|(known, text)| match text {
            Text::Count(n) if *known == name => Some(*n),
            _ => None,
        })
    };
    let place = Place {
        path: text("before-path").map(|path| std::path::Path::new(path).into()),
        line: count("before-line"),
        row: count("before-row"),
        key: text("before-key").map(Into::into),
        ..Place::default()
    };
    let place = place_shortened(&place, words, 2);
    if place.is_empty() {
        let args = [
            ("count", Arg::Number(finding.count)),
            ("files", Arg::Number(finding.files)),
        ];
        return words.with("finding-detail", &args);
    }
    words.with("finding-duplicates-before", &[("place", Arg::Text(&place))])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::tests::all_cases;

    #[test]
    fn every_finding_has_all_its_texts_in_both_languages() {
        let mut wrong = Vec::new();
        for (name, made, _) in all_cases() {
            for found in made.find() {
                for language in Language::ALL {
                    let words = Words::new(language);
                    let texts = finding(&found, &made.0, words);
                    let FindingTexts {
                        title,
                        detail,
                        explanation,
                        suggestion,
                        certainty,
                        ..
                    } = &texts;
                    for text in [title, detail, explanation, suggestion, certainty] {
                        let raw = text.is_empty()
                            || text.contains("{$")
                            || text.contains('{')
                            || text.starts_with("finding-")
                            || text.contains("  ")
                            || text.contains(" . ")
                            || text.ends_with(" .")
                            || text.contains("。。");
                        if raw {
                            wrong.push(format!(
                                "{name}, {}/{}: {text:?}",
                                found.id.id(),
                                found.variant
                            ));
                        }
                    }
                    if width(title) > MOST_TITLE {
                        wrong.push(format!("{name}: too long: {title}"));
                    }
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[track_caller]
    fn check(made: &crate::findings::tests::Made, id: FindingId, en: [&str; 2], zh: [&str; 2]) {
        let found = made
            .find()
            .into_iter()
            .find(|found| found.id == id)
            .expect("the finding");
        for (language, [title, detail]) in [(Language::En, en), (Language::ZhCn, zh)] {
            let texts = finding(&found, &made.0, Words::new(language));
            assert_eq!(texts.title, title);
            assert_eq!(texts.detail, detail);
        }
    }

    #[test]
    fn a_value_is_told_with_place_and_range() {
        use crate::findings::tests::Made;
        use crate::labels::{LabelFormat, Role};

        let values: Vec<f64> = (1..=80).map(f64::from).collect();
        let made = Made::rule(Role::Class, 80).file(
            "labels/train/000106.txt",
            None,
            LabelFormat::Yolo,
            &values,
        );
        check(
            &made,
            FindingId::TooBig,
            [
                "80 in train/000106.txt, line 81: allowed 0–79 (data.yaml: nc = 80)",
                "This is the only value above 79.",
            ],
            [
                "train/000106.txt 第 81 行的值为 80：允许 0–79（data.yaml：nc = 80）",
                "只有这一个值大于 79。",
            ],
        );
        check(
            &made,
            FindingId::OneBased,
            [
                "Labels run 1–80 and never 0: they count from 1",
                "80 labels in one file. Allowed are 0–79 (data.yaml: nc = 80).",
            ],
            [
                "标签为 1–80，从不出现 0：编号是从 1 开始的",
                "一个文件中的 80 个标签。允许 0–79（data.yaml：nc = 80）。",
            ],
        );
    }

    #[test]
    fn a_long_path_gives_way_to_value_and_range() {
        use crate::findings::tests::Made;
        use crate::labels::{LabelFormat, Role};

        let path = format!("{}/{}.csv", "folder".repeat(30), "name".repeat(40));
        let made = Made::rule(Role::Class, 80).file(&path, None, LabelFormat::Table, &[99.0]);
        let found = made.find();
        let found = found.first().expect("a finding");
        for language in Language::ALL {
            let words = Words::new(language);
            let title = finding(found, &made.0, words).title;
            assert!(title.contains("99") && title.contains("0–79"), "{title}");
            assert!(width(&title) <= MOST_TITLE, "{title}");
        }
    }
}
