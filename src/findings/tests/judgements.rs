//! Cases where it matters how sure a reading is: one value among many, names that look like numbers, measurements.

use std::path::Path;
use std::sync::Arc;

use super::Made;
use crate::findings::FindingId;
use crate::knowledge::Certainty;
use crate::labels::{ClassList, LabelError, LabelFormat, Limit, Place, Role, Trouble, TroubleKind};

/// Some values, each so often, and a few others.
fn many(range: std::ops::RangeInclusive<i32>, times: usize, others: &[f64]) -> Vec<f64> {
    range
        .flat_map(|n| std::iter::repeat_n(f64::from(n), times))
        .chain(others.iter().copied())
        .collect()
}

/// A COCO file whose categories have these ids and names.
fn coco(made: Made, path: &str, split: &str, categories: &[(i64, &str)], values: &[f64]) -> Made {
    made.file(path, Some(split), LabelFormat::Coco, values)
        .stream(|s| {
            s.classes = Some(Arc::new(ClassList {
                names: categories.iter().map(|(_, n)| (*n).to_owned()).collect(),
                ids: Some(categories.iter().map(|(id, _)| *id).collect()),
                ..ClassList::default()
            }));
        })
}

/// A name, the material and what must be found.
pub(super) fn cases() -> Vec<(&'static str, Made, Vec<&'static str>)> {
    let categories = || Made::rule(Role::CategoryId, 0);
    let mut cases = vec![
        (
            "one -1 among many",
            Made::classes(10, &many(0..=9, 140, &[-1.0])),
            vec!["negative", "ignore-not-set/few warning"],
        ),
        (
            "one 255 among many",
            Made::classes(10, &many(0..=9, 140, &[255.0])),
            vec!["too-big", "ignore-not-set/few warning"],
        ),
        (
            "one 255 among many, size unknown",
            Made::classes(0, &many(0..=9, 140, &[255.0])),
            vec!["ignore-not-set/few warning"],
        ),
        (
            "one 10 among many",
            Made::classes(10, &many(0..=9, 140, &[10.0])),
            vec!["too-big", "off-by-one-count/few warning"],
        ),
        (
            "a rare class",
            Made::classes(10, &many(0..=9, 140, &[10.0; 9])),
            vec!["too-big", "off-by-one-count"],
        ),
        (
            "one -1 where the last class does not occur",
            Made::classes(10, &many(0..=8, 140, &[-1.0])),
            vec![
                "negative",
                "ignore-not-set/few warning",
                "sparse/unused note",
            ],
        ),
        (
            "-1 and 1",
            Made::classes(2, &[-1.0, 1.0, 1.0, -1.0]),
            vec!["negative", "plus-minus-one"],
        ),
        (
            "-1 and 1, size unknown",
            Made::classes(0, &[-1.0, 1.0, 1.0, -1.0]),
            vec!["negative", "plus-minus-one"],
        ),
        (
            "a test set without labels beside training",
            Made::rule(Role::Class, 0)
                .file(
                    "t.csv",
                    Some("train"),
                    LabelFormat::Table,
                    &many(0..=3, 9, &[]),
                )
                .file("v.csv", Some("test"), LabelFormat::Table, &[-1.0; 9]),
            vec!["negative/unlabelled note"],
        ),
        (
            "more names than classes",
            Made::rule(Role::Class, 2)
                .file("t.csv", None, LabelFormat::Table, &[])
                .names(&["cat", "dog", "cow", "cat"]),
            vec!["count-mismatch/labels"],
        ),
        (
            "as many names as classes",
            Made::rule(Role::Class, 3)
                .file("t.csv", None, LabelFormat::Table, &[])
                .names(&["cat", "dog", "cow", "cat"]),
            vec![],
        ),
        (
            "probabilities, nothing known",
            Made::classes(0, &[0.5, 0.25, 1.0]),
            vec!["fraction/measured note"],
        ),
        (
            "1-based, many classes, some absent",
            Made::classes(
                0,
                &many(1..=100, 4, &[])
                    .into_iter()
                    .filter(|n| (*n - 7.0).abs() > 0.5)
                    .collect::<Vec<_>>(),
            ),
            vec!["one-based/unknown warning"],
        ),
    ];
    cases.extend([
        (
            "a category 255",
            coco(
                categories(),
                "a.json",
                "train",
                &[(0, "a"), (1, "b")],
                &[0.0, 1.0, 255.0],
            ),
            vec!["unknown-class"],
        ),
        (
            "a category that training lists but does not have",
            coco(
                coco(
                    categories(),
                    "t.json",
                    "train",
                    &[(0, "a"), (1, "b")],
                    &[0.0; 20],
                ),
                "v.json",
                "val",
                &[(0, "a"), (1, "b")],
                &[1.0],
            ),
            vec![],
        ),
        (
            "the same categories under other ids",
            coco(
                coco(
                    categories(),
                    "t.json",
                    "train",
                    &[(0, "a"), (1, "b")],
                    &[0.0, 1.0],
                ),
                "v.json",
                "val",
                &[(0, "b"), (1, "a")],
                &[0.0, 1.0],
            ),
            vec!["order/ids warning"],
        ),
        (
            "the same categories listed in another order",
            coco(
                coco(
                    categories(),
                    "t.json",
                    "train",
                    &[(0, "a"), (1, "b")],
                    &[0.0, 1.0],
                ),
                "v.json",
                "val",
                &[(1, "b"), (0, "a")],
                &[0.0, 1.0],
            ),
            vec![],
        ),
    ]);
    let broken = |path: &str, why: LabelError| {
        let mut made = Made::classes(3, &[0.0]);
        made.0.troubles.push(Trouble {
            kind: TroubleKind::BrokeOff { read: 1, why },
            place: Place::file(Path::new(path).into()),
            text: None,
        });
        made
    };
    let comma = LabelError::Malformed {
        said: "trailing comma".to_owned(),
        line: None,
        byte: None,
    };
    cases.extend([
        (
            "JSON with a comma too many",
            broken("a.json", comma.clone()),
            vec!["cut-short/broken"],
        ),
        (
            "a fault behind some values",
            broken("a.csv", comma),
            vec!["cut-short/broke-off"],
        ),
        (
            "too many faults",
            Made::classes(3, &[0.0]).trouble(TroubleKind::Limit(Limit::Troubles)),
            vec!["cut-short/troubles warning"],
        ),
    ]);
    cases
}

/// A value below 0 is told how to be mended once: by its own finding, or by the pattern behind it.
#[test]
fn two_findings_do_not_contradict() {
    for (values, expected) in [
        (vec![-1.0, 1.0, 1.0, -1.0], true),
        (vec![0.0, 1.0, -7.0], false),
    ] {
        let found = Made::classes(2, &values).find();
        let negative = found.iter().find(|f| f.id == FindingId::Negative);
        let told = negative
            .expect("a value below 0")
            .args
            .iter()
            .any(|(name, _)| *name == "pattern");
        assert_eq!(told, expected, "{values:?}");
    }
}

#[test]
fn a_rare_value_is_not_called_an_ignore_value() {
    let found = Made::classes(10, &many(0..=9, 140, &[-1.0])).find();
    let pattern = found.iter().find(|f| f.id == FindingId::IgnoreNotSet);
    let pattern = pattern.expect("the pattern");
    assert_eq!(pattern.certainty, Certainty::Possible);
    assert!(pattern.snippet.is_none() && pattern.ignore.is_none());
}
