//! Splits, class folders and class lists that agree or do not.

use std::sync::Arc;

use super::made::{Made, list};
use crate::labels::{ClassList, LabelFormat, Role, TroubleKind};

/// Class folders of an `ImageFolder`, as numbers of its pictures.
fn folders(made: Made, split: &str, names: &[&str]) -> Made {
    let values: Vec<f64> = (0..names.len()).map(|n| n as f64).collect();
    let path = format!("data/{split}");
    made.file(&path, Some(split), LabelFormat::ImageFolder, &values)
        .stream(|stream| stream.classes = Some(list(&path, names)))
}

/// Name, material, and the findings that are expected.
pub(super) fn cases() -> Vec<(&'static str, Made, Vec<&'static str>)> {
    vec![
        (
            "name in val only",
            Made::rule(Role::Class, 0)
                .file("t.csv", Some("train"), LabelFormat::Table, &[])
                .names(&["cat", "dog"])
                .file("v.csv", Some("val"), LabelFormat::Table, &[])
                .names(&["cat", "zebra"]),
            vec!["val-only"],
        ),
        (
            "listed class in val only",
            Made::rule(Role::Class, 3)
                .file(
                    "t.csv",
                    Some("train"),
                    LabelFormat::Table,
                    &[0.0, 1.0].repeat(5),
                )
                .file(
                    "v.csv",
                    Some("val"),
                    LabelFormat::Table,
                    &[2.0, 7.0, -100.0],
                ),
            vec!["too-big", "val-only/fixed note"],
        ),
        (
            "number in val only",
            Made::rule(Role::Class, 0)
                .file("t.csv", Some("train"), LabelFormat::Table, &[0.0, 1.0])
                .file("v.csv", Some("val"), LabelFormat::Table, &[2.0]),
            vec!["val-only/numbers warning"],
        ),
        (
            "few training labels",
            Made::rule(Role::Class, 3)
                .file("t.csv", Some("train"), LabelFormat::Table, &[0.0, 1.0])
                .file("v.csv", Some("val"), LabelFormat::Table, &[2.0]),
            vec![],
        ),
        (
            "category in val only",
            Made::rule(Role::CategoryId, 0)
                .file("t.json", Some("train"), LabelFormat::Coco, &[0.0, 1.0])
                .stream(|s| s.classes = Some(list("t.json", &["car", "bus"])))
                .file("v.json", Some("val"), LabelFormat::Coco, &[2.0])
                .stream(|s| s.classes = Some(list("v.json", &["car", "bus", "tram"]))),
            vec!["val-only/id"],
        ),
        (
            "folder missing in val",
            folders(
                folders(Made::rule(Role::Class, 3), "train", &["ant", "bee", "cow"]),
                "val",
                &["ant", "cow"],
            ),
            vec!["order/folders", "renumbered"],
        ),
        (
            "folder only in val",
            folders(
                folders(Made::rule(Role::Class, 2), "train", &["ant", "cow"]),
                "val",
                &["ant", "bee", "cow"],
            ),
            vec!["order/folders", "val-only/folder", "too-big"],
        ),
        (
            "same folders",
            folders(
                folders(Made::rule(Role::Class, 2), "train", &["ant", "cow"]),
                "val",
                &["ant", "cow"],
            ),
            vec![],
        ),
        (
            "hidden folder",
            folders(
                folders(
                    Made::rule(Role::Class, 2),
                    "train",
                    &[".ipynb_checkpoints", "cow"],
                ),
                "val",
                &["cow"],
            )
            .trouble(TroubleKind::HiddenFolder(".ipynb_checkpoints".to_owned())),
            vec!["hidden-folder", "order/folders"],
        ),
        (
            "two lists in another order",
            Made::classes(2, &[0.0])
                .listed(&["a", "b"])
                .bound(|b| b.names = Some(list("other.txt", &["b", "a"]))),
            vec!["order warning"],
        ),
        (
            "names and nc",
            Made::classes(3, &[0.0]).bound(|b| {
                b.names = Some(Arc::new(ClassList {
                    stated: Some(4),
                    ..(*list("data.yaml", &["a", "b", "c"])).clone()
                }));
            }),
            vec!["count-mismatch/names"],
        ),
        (
            "a class name twice",
            Made::classes(3, &[0.0]).bound(|b| b.names = Some(list("data.yaml", &["a", "b", "a"]))),
            vec!["duplicates/class-name warning"],
        ),
    ]
}
