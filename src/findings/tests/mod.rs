//! Findings on hand-made material: for each id a case that has it and a tempting one that has not.

mod cases;
mod judgements;
mod made;
mod split_cases;
mod trouble_cases;

use std::path::Path;

pub(crate) use cases::all_cases;
pub(crate) use made::Made;

use super::*;
use crate::bounds::BoundSource;
use crate::knowledge::Certainty;
use crate::labels::{LabelFormat, Role};
use crate::range_check::Number;

/// `id/variant severity`; errors are not named.
fn short(finding: &Finding) -> String {
    let mut out = finding.id.id().to_owned();
    if !finding.variant.is_empty() {
        out = format!("{out}/{}", finding.variant);
    }
    match finding.severity {
        Severity::Error => out,
        Severity::Warning => out + " warning",
        Severity::Note => out + " note",
    }
}

#[test]
fn each_fault_is_told_once_and_nothing_else() {
    let mut wrong = Vec::new();
    for (name, made, mut expected) in all_cases() {
        let mut found: Vec<String> = made.find().iter().map(short).collect();
        found.sort();
        expected.sort_unstable();
        if found != expected {
            wrong.push(format!("{name}: found {found:?}, expected {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_id_has_a_case() {
    let found: std::collections::BTreeSet<FindingId> = all_cases()
        .iter()
        .flat_map(|(_, made, _)| made.find())
        .map(|finding| finding.id)
        .collect();
    for id in FindingId::ALL {
        assert!(found.contains(id), "{}", id.id());
    }
}

#[test]
fn scripts_are_valid_python() {
    let mut scripts = 0;
    for (name, made, _) in all_cases() {
        for finding in made.find() {
            if let Some(snippet) = &finding.snippet {
                scripts += 1;
                let parsed = ruff_python_parser::parse_module(snippet);
                assert!(parsed.is_ok(), "{name}: {:?}\n{snippet}", parsed.err());
                assert!(!snippet.contains("wrote\", path"), "{name}");
            }
        }
    }
    assert!(scripts > 20, "{scripts}");
}

#[test]
fn a_pattern_stands_behind_what_it_explains() {
    let found = Made::classes(10, &[1.0, 10.0, f64::NAN]).find();
    let ids: Vec<&str> = found.iter().map(|finding| finding.id.id()).collect();
    assert_eq!(ids, ["too-big", "one-based", "nan"]);
    let pattern = &found[1];
    assert_eq!(pattern.explains, Some(FindingId::TooBig));
    assert_eq!(pattern.certainty, Certainty::Likely);
}

#[test]
fn counts_values_and_places_are_those_of_all_files() {
    let made = Made::rule(Role::Class, 3)
        .file("a.csv", Some("train"), LabelFormat::Table, &[0.0, 1.0, 2.0])
        .file("b.csv", Some("val"), LabelFormat::Table, &[7.0, 5.0, 7.0])
        .file("c.csv", Some("train"), LabelFormat::Table, &[5.0]);
    let found = made.find();
    let finding = found.first().unwrap();
    assert_eq!(
        (finding.id, finding.count, finding.files),
        (FindingId::TooBig, 4, 2)
    );
    let values: Vec<(Text, u64)> = finding
        .values
        .iter()
        .map(|v| (v.value.clone(), v.count))
        .collect();
    assert_eq!(
        values,
        [
            (Number::from(5_u8).into(), 2),
            (Number::from(7_u8).into(), 2)
        ]
    );
    let first = finding.first.as_ref().unwrap();
    assert_eq!(first.value, Some(Number::from(7_u8).into()));
    assert_eq!(first.place.path.as_deref(), Some(Path::new("b.csv")));
    assert_eq!(first.place.row, Some(0));
}

#[test]
fn an_uncertain_end_makes_an_uncertain_finding() {
    for (certainty, source, expected) in [
        (
            Certainty::Certain,
            BoundSource::User,
            (Severity::Error, Certainty::Certain),
        ),
        (
            Certainty::Likely,
            BoundSource::Config,
            (Severity::Error, Certainty::Likely),
        ),
        (
            Certainty::Possible,
            BoundSource::Script,
            (Severity::Warning, Certainty::Possible),
        ),
    ] {
        let made = Made::classes(3, &[0.0, 9.0]).bound(|bound| {
            bound.certainty = certainty;
            bound.source = source;
        });
        let finding = &made.find()[0];
        assert_eq!((finding.severity, finding.certainty), expected);
    }
}

#[test]
fn one_click_settles_an_ignore_value() {
    for made in [
        Made::classes(10, &[0.0, 255.0]),
        Made::classes(10, &[0.0, 9.0, -1.0]),
        Made::rule(Role::Class, 10).ignoring(&[255]).file(
            "a.csv",
            None,
            LabelFormat::Table,
            &[0.0, -100.0],
        ),
    ] {
        let pattern = made
            .find()
            .into_iter()
            .find(|f| f.id == FindingId::IgnoreNotSet);
        assert!(pattern.unwrap().ignore.is_some());
    }
}

#[test]
fn the_farthest_and_the_first_value_are_named_among_many() {
    let mut values: Vec<f64> = vec![77.0];
    values.extend((50..77).flat_map(|n| [f64::from(n); 3]));
    values.push(99.0);
    let found = Made::classes(10, &values).find();
    let named: Vec<&Text> = found[0].values.iter().map(|v| &v.value).collect();
    assert_eq!(named.len(), 20);
    for value in [77_u8, 99] {
        assert!(named.contains(&&Number::from(value).into()), "{value}");
    }
}

#[test]
fn a_pattern_of_all_labels_counts_all_their_files() {
    let made = Made::rule(Role::Class, 3)
        .file("a.csv", None, LabelFormat::Table, &[1.0, 2.0, 3.0])
        .file("b.csv", None, LabelFormat::Table, &[1.0, 2.0])
        .file("c.csv", None, LabelFormat::Table, &[2.0, 1.0]);
    let found = made.find();
    let files = |id| found.iter().find(|f| f.id == id).map(|f| f.files);
    assert_eq!(files(FindingId::OneBased), Some(3));
    assert_eq!(files(FindingId::TooBig), Some(1));
}

#[test]
fn values_of_several_files_are_counted_by_file() {
    // 3 and 4 run on from the size; each stands in a file of its own.
    let made = Made::rule(Role::Token, 3)
        .file("a.csv", None, LabelFormat::Table, &[0.0, 3.0])
        .file("b.csv", None, LabelFormat::Table, &[1.0, 4.0]);
    let found = made.find();
    let added = found.iter().find(|f| f.id == FindingId::AddedTokens);
    assert_eq!(added.map(|f| f.files), Some(2));
}

#[test]
fn a_script_names_its_files_or_is_none() {
    let of = |files: usize, format, end: &str| {
        let mut made = Made::rule(Role::Class, 3);
        for n in 0..files {
            let path = format!("labels/{n}.{end}");
            made = made.file(&path, None, format, &[1.0, 2.0, 3.0]);
        }
        let mut found = made.find().into_iter();
        let pattern = found.find(|f| f.id == FindingId::OneBased);
        pattern.expect("the pattern").snippet
    };
    assert!(of(501, LabelFormat::Npy, "npy").is_none());
    let named = of(2, LabelFormat::Yolo, "txt").expect("a script");
    assert!(named.contains("\"0.txt\""), "{named}");
    assert!(!named.contains("glob"), "{named}");
    let many = of(501, LabelFormat::Yolo, "txt").expect("a script");
    assert!(many.contains("(source / name).glob"), "{many}");
    assert!(!many.contains("rglob"), "{many}");
}
