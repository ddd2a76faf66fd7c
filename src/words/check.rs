//! A data check in words: its headline, its ranges. Findings have a renderer of their own.

use std::collections::BTreeSet;

use super::finding::bound_source;
use super::language::{Arg, Words};
use super::place::span;
use crate::bounds::{Bound, BoundSource};
use crate::check::Checked;
use crate::findings::{FindingId, Group, RuleUsed, Severity};
use crate::knowledge::Certainty;
use crate::labels::{LabelFormat, Role};
use crate::range_check::{Breach, Number};

/// The one sentence of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Headline {
    /// What is wrong, or that nothing is.
    pub text: String,
    /// How bad it is; `None` where nothing is wrong.
    pub severity: Option<Severity>,
    /// What to do next, where the sentence alone would leave that open.
    pub next: Option<String>,
}

/// Says what a check found, in one sentence.
pub fn check_headline(checked: &Checked, words: Words) -> Headline {
    let material = &checked.material;
    let values = checked.values();
    let worst = checked.findings.iter().map(|f| f.severity).max();
    let severity = worst.filter(|severity| *severity > Severity::Note);
    let plain = |text: String| Headline {
        text,
        severity,
        next: None,
    };
    let read = material.files.iter().any(|file| file.error.is_none());
    if checked.cancelled && !read {
        return plain(words.text("check-cancelled"));
    }
    if !read && checked.findings.is_empty() {
        return Headline {
            text: words.text("check-nothing-read"),
            severity: Some(Severity::Error),
            next: None,
        };
    }
    // What is only worth knowing (values of a test set without labels, measurements) is nothing out of range.
    let noted: BTreeSet<(usize, FindingId)> = checked
        .findings
        .iter()
        .filter(|finding| finding.severity == Severity::Note)
        .filter_map(|finding| Some((finding.rule?, finding.id)))
        .collect();
    let out_of = |group: &Group| -> u64 {
        let told = |breach: Breach| !noted.contains(&(group.rule, FindingId::of_breach(breach)));
        let breaches = group.breaches.iter().filter(|(breach, _)| told(**breach));
        breaches.map(|(_, at)| at.count).sum()
    };
    let out: u64 = material.groups.iter().map(out_of).sum();
    let args = |count| {
        vec![
            ("count", Arg::Number(count)),
            ("values", Arg::Number(values)),
        ]
    };
    if severity.is_some() && out > 0 {
        let broken = material.groups.iter().filter(|group| out_of(group) > 0);
        let mut ranges = broken.filter_map(|group| range_of(material.rules.get(group.rule)?));
        let first = ranges.next();
        return plain(match first {
            Some((lo, hi)) if ranges.all(|range| range == (lo, hi)) => {
                let range = span(lo, hi);
                let mut args = args(out);
                args.push(("range", Arg::Text(&range)));
                words.with("check-out-of-range", &args)
            }
            Some(_) => words.with("check-out-of-several", &args(out)),
            None => words.with("check-not-allowed", &args(out)),
        });
    }
    if severity.is_some() {
        // Lines that cannot be read and bad boxes are listed among the offenders, but are no values.
        let others = checked
            .findings
            .iter()
            .filter(|finding| matches!(finding.id, FindingId::BadLine | FindingId::BadBox));
        let wrong = checked
            .offenders_total
            .saturating_sub(others.map(|finding| finding.count).sum());
        if wrong > 0 && wrong <= values {
            return plain(words.with("check-not-allowed", &args(wrong)));
        }
        let problems = checked
            .findings
            .iter()
            .filter(|f| f.severity > Severity::Note && f.explains.is_none())
            .count() as u64;
        return plain(words.with("check-faults", &[("count", Arg::Number(problems))]));
    }
    if values == 0 {
        return plain(words.text("check-no-values"));
    }
    let numbers = material
        .groups
        .iter()
        .filter(|group| !group.seen.is_empty());
    let rules: Vec<&RuleUsed> = numbers
        .filter_map(|group| material.rules.get(group.rule))
        .filter(|rule| !matches!(rule.role, Role::MultiLabel | Role::Logits))
        .collect();
    let known = |rule: &RuleUsed| {
        rule.rule.hi.is_some() || rule.role == Role::CategoryId && rule.names.is_some()
    };
    if rules.iter().any(|rule| !known(rule)) {
        return Headline {
            text: words.text("check-no-range"),
            severity: None,
            next: Some(words.text("check-no-range-do")),
        };
    }
    let mut ranges = rules.iter().map(|rule| range_of(rule));
    match ranges.next().flatten() {
        Some((lo, hi)) if ranges.all(|other| other == Some((lo, hi))) => plain(words.with(
            "check-nothing-wrong-range",
            &[("range", Arg::Text(&span(lo, hi)))],
        )),
        _ => plain(words.text("check-nothing-wrong")),
    }
}

fn range_of(rule: &RuleUsed) -> Option<(Number, Number)> {
    Some((rule.rule.lo?, rule.rule.hi?))
}

/// The name of a use of values (`class ids`).
pub fn role_name(role: Role, words: Words) -> String {
    words.text(&format!("role-{}", role.id()))
}

/// The name of a format; most are the same in every language.
pub fn format_name(format: LabelFormat, words: Words) -> String {
    let name = match format {
        LabelFormat::Table
        | LabelFormat::PathList
        | LabelFormat::ImageFolder
        | LabelFormat::Mask
        | LabelFormat::Tokens => return words.text(&format!("format-{}", format.id())),
        LabelFormat::Json => "JSON",
        LabelFormat::JsonLines => "JSON Lines",
        LabelFormat::Coco => "COCO",
        LabelFormat::Yolo => "YOLO",
        LabelFormat::Voc => "Pascal VOC",
        LabelFormat::Npy => "NumPy",
        LabelFormat::Npz => "npz",
        LabelFormat::Torch => "PyTorch",
        LabelFormat::Pickle => "pickle",
        LabelFormat::SafeTensors => "safetensors",
        LabelFormat::Idx => "IDX",
    };
    name.to_owned()
}

/// The name of a split; one that the user or a file made up as it is.
pub fn split_name(split: &str, words: Words) -> String {
    let id = match split.to_ascii_lowercase().as_str() {
        "train" | "training" => "split-train",
        "val" | "valid" | "validation" => "split-val",
        "test" => "split-test",
        _ => return crate::case::shown(split),
    };
    words.text(id)
}

/// An allowed range with where it comes from: `0–79, from data.yaml, nc = 80`.
pub fn range_text(rule: &RuleUsed, bounds: &[Bound], words: Words) -> String {
    let Some((lo, hi)) = range_of(rule) else {
        return match (&rule.names, rule.role) {
            (Some(list), Role::CategoryId) => list.source.what.clone(),
            _ => words.text("check-range-unknown"),
        };
    };
    let range = span(lo, hi);
    let shown = ("range", Arg::Text(&range));
    match rule.bound.and_then(|at| bounds.get(at)) {
        None => range,
        Some(bound) if bound.source == BoundSource::User => {
            words.with("check-range-user", &[shown])
        }
        Some(bound) => {
            let source = bound_source(bound, words);
            let id = if bound.certainty == Certainty::Possible {
                "check-range-guess"
            } else {
                "check-range-of"
            };
            words.with(id, &[shown, ("source", Arg::Text(&source))])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::tests::Made;
    use crate::labels::TroubleKind;
    use crate::words::Language;

    #[test]
    fn a_bad_line_is_no_value_that_is_not_allowed() {
        let made =
            Made::classes(3, &[0.0, 1.0]).trouble(TroubleKind::BadLine("4 fields".to_owned()));
        let checked = Checked {
            findings: made.find(),
            material: made.0,
            offenders_total: 1,
            ..Checked::default()
        };
        let headline = check_headline(&checked, Words::new(Language::En));
        assert_eq!(headline.text, "1 problem in the data");
    }

    #[track_caller]
    fn headline(made: &Made) -> String {
        let checked = Checked {
            findings: made.find(),
            material: made.0.clone(),
            ..Checked::default()
        };
        check_headline(&checked, Words::new(Language::En)).text
    }

    #[test]
    fn all_clear_is_said_only_where_every_range_is_known() {
        let known = Made::classes(3, &[0.0, 1.0, 2.0]);
        assert_eq!(headline(&known), "No value is outside 0–2");
        let mut both = known;
        let mut unknown = both.0.rules[0].clone();
        (unknown.rule.hi, unknown.bound) = (None, None);
        unknown.name = "other".to_owned();
        both.0.rules.push(unknown);
        let mut group = both.0.groups[0].clone();
        group.rule = 1;
        both.0.groups.push(group);
        assert!(headline(&both).contains("range is not known"));
    }

    #[test]
    fn a_test_set_without_labels_is_not_out_of_range() {
        let unlabelled = Made::rule(Role::Class, 3)
            .file(
                "train.csv",
                Some("train"),
                LabelFormat::Table,
                &[0.0, 1.0, 2.0],
            )
            .file("test.csv", Some("test"), LabelFormat::Table, &[-1.0, -1.0]);
        let with_fault = Made(unlabelled.0.clone()).trouble(TroubleKind::Changed);
        for made in [unlabelled, with_fault] {
            let said = headline(&made);
            assert!(!said.contains("of 5 values"), "{said}");
        }
    }
}
