//! Materials with every id and variant, by what they show, and tempting ones without.

use std::path::Path;
use std::sync::Arc;

use super::made::{Made, seen_at};
use crate::inputs::InputError;
use crate::labels::{ClassList, LabelError, LabelFormat, Place, Role};
use crate::range_check::ElementType;

/// Materials with every id and variant, by what they show. Also used where the words are tested.
pub(crate) fn all_cases() -> Vec<(&'static str, Made, Vec<&'static str>)> {
    let ramp = |from: i32, to: i32, times: usize| -> Vec<f64> {
        (0..times)
            .flat_map(|_| (from..=to).map(f64::from))
            .collect()
    };
    let with = |mut values: Vec<f64>, more: &[f64]| {
        values.extend(more);
        values
    };
    let mask = |size: i64, values: &[f64]| {
        Made::rule(Role::Class, size)
            .file("masks/1.png", None, LabelFormat::Mask, values)
            .stream(|s| s.element = Some(ElementType::U8))
    };
    let npy = |role, size, values: &[f64], element| {
        Made::rule(role, size)
            .file("y.npy", None, LabelFormat::Npy, values)
            .stream(move |s| {
                s.element = Some(element);
                s.shape = vec![values.len() as u64];
            })
    };
    let coco = |size: i64, ids: &[i64], values: &[f64]| {
        Made::rule(Role::CategoryId, size)
            .file("instances.json", None, LabelFormat::Coco, values)
            .stream(|s| {
                let names: Vec<String> = ids.iter().map(|id| format!("c{id}")).collect();
                s.classes = Some(Arc::new(ClassList {
                    names,
                    ids: Some(ids.to_vec()),
                    ..ClassList::default()
                }));
            })
    };
    let yolo = |files: &[(&str, &[f64])]| {
        files
            .iter()
            .fold(Made::rule(Role::Class, 4), |made, (path, values)| {
                made.file(path, None, LabelFormat::Yolo, values)
            })
    };
    let blurred: Vec<f64> = with(vec![0.0; 900], &vec![15.0; 300])
        .into_iter()
        .chain((20..60).map(f64::from))
        .collect();
    let grey: Vec<f64> = with(vec![0.0; 900], &vec![255.0; 300])
        .into_iter()
        .chain((20..90).map(f64::from))
        .collect();
    let logits = |shape: &[u64], target: &[u64]| {
        let shape = shape.to_vec();
        let target = target.to_vec();
        Made::rule(Role::Logits, 0)
            .file("out.npz", None, LabelFormat::Npz, &[0.5])
            .stream(move |s| s.shape.clone_from(&shape))
            .and_rule(Role::Class, 4)
            .file("out.npz", None, LabelFormat::Npz, &[0.0, 3.0])
            .stream(move |s| s.shape.clone_from(&target))
    };
    let nothing = || Made::classes(3, &[0.0, 1.0, 2.0]);
    let mut out = vec![
        ("fine", nothing(), vec![]),
        ("few distinct", Made::classes(10, &[0.0, 3.0, 3.0]), vec![]),
        ("one value only", Made::classes(10, &[3.0; 40]), vec![]),
        ("all ignored", Made::classes(10, &[-100.0; 40]), vec![]),
        (
            "255 is a class",
            Made::classes(256, &[0.0, 255.0, 7.0]),
            vec![],
        ),
        (
            "unknown size",
            Made::classes(0, &[0.0, 1.0, 2.0, 1.0]),
            vec![],
        ),
        (
            "multi-label",
            Made::rule(Role::MultiLabel, 0).file(
                "a.csv",
                None,
                LabelFormat::Table,
                &[0.0, 1.0, 1.0],
            ),
            vec![],
        ),
        (
            "test split without labels",
            Made::rule(Role::Class, 3).file(
                "test.csv",
                Some("test"),
                LabelFormat::Table,
                &[-1.0; 9],
            ),
            vec!["negative/unlabelled note"],
        ),
        (
            "1-based",
            Made::classes(10, &ramp(1, 10, 2)),
            vec!["too-big", "one-based"],
        ),
        (
            "1-based with ignored",
            Made::classes(10, &with(ramp(1, 10, 2), &[-100.0])),
            vec!["too-big", "one-based"],
        ),
        (
            "1-based and 255",
            Made::classes(10, &with(ramp(1, 10, 2), &[255.0])),
            vec!["too-big", "one-based", "ignore-not-set"],
        ),
        (
            "1-based, size unknown",
            Made::classes(0, &ramp(1, 5, 4)),
            vec!["one-based/unknown warning"],
        ),
        (
            "1-based mask, size unknown",
            mask(0, &ramp(1, 5, 4)),
            vec![],
        ),
        (
            "only far too big",
            Made::classes(10, &[0.0, 10.0, 12.0]),
            vec!["too-big"],
        ),
        (
            "off by one",
            Made::classes(5, &ramp(0, 5, 2)),
            vec!["too-big", "off-by-one-count"],
        ),
        (
            "off by one, mask",
            mask(5, &ramp(0, 5, 2)),
            vec!["too-big", "off-by-one-count/mask"],
        ),
        (
            "shifted twice",
            Made::classes(6, &ramp(-1, 4, 3)),
            vec!["negative", "double-shift"],
        ),
        (
            "-1 stands for no label",
            Made::classes(6, &with(ramp(0, 5, 3), &[-1.0])),
            vec!["negative", "ignore-not-set"],
        ),
        (
            "-1 is ignored",
            Made::rule(Role::Class, 6).ignoring(&[-1]).file(
                "a.csv",
                None,
                LabelFormat::Table,
                &ramp(-1, 4, 3),
            ),
            vec!["remark/ignored note"],
        ),
        ("nan", Made::classes(3, &[0.0, f64::NAN]), vec!["nan"]),
        ("inf", Made::classes(3, &[0.0, f64::INFINITY]), vec!["inf"]),
        ("fraction", Made::classes(3, &[0.0, 1.5]), vec!["fraction"]),
        (
            "probabilities",
            Made::rule(Role::Probability, 0).file(
                "p.csv",
                None,
                LabelFormat::Table,
                &[0.5, 2.0, -0.1, f64::NAN, f64::INFINITY],
            ),
            vec![
                "too-big/probability",
                "negative/probability",
                "nan/float",
                "inf/float",
            ],
        ),
        (
            "logits",
            Made::rule(Role::Logits, 0).file("p.csv", None, LabelFormat::Table, &[-8.5, 99.0]),
            vec![],
        ),
        (
            "added token",
            Made::rule(Role::Token, 32000).file(
                "t.jsonl",
                None,
                LabelFormat::JsonLines,
                &[1.0, 32000.0, 7.0],
            ),
            vec!["too-big/embedding", "added-tokens"],
        ),
        (
            "tokens far off",
            Made::rule(Role::Token, 100).file(
                "t.jsonl",
                None,
                LabelFormat::JsonLines,
                &[1.0, 5000.0],
            ),
            vec!["too-big/embedding"],
        ),
        (
            "-100 in tokens",
            Made::rule(Role::Token, 100).file(
                "t.jsonl",
                None,
                LabelFormat::JsonLines,
                &[1.0, -100.0],
            ),
            vec!["negative/embedding-ignore"],
        ),
        (
            "negative tokens",
            Made::rule(Role::Token, 0).file("t.jsonl", None, LabelFormat::JsonLines, &[1.0, -7.0]),
            vec!["negative/embedding"],
        ),
        (
            "positions",
            Made::rule(Role::Position, 512).file(
                "t.jsonl",
                None,
                LabelFormat::JsonLines,
                &ramp(0, 512, 1),
            ),
            vec!["too-big/position"],
        ),
        (
            "token types",
            Made::rule(Role::TokenType, 1).file(
                "t.jsonl",
                None,
                LabelFormat::JsonLines,
                &[0.0, 1.0],
            ),
            vec!["too-big/token-type"],
        ),
        (
            "index",
            Made::rule(Role::Index, 5).file("i.npy", None, LabelFormat::Npy, &[9.0, -3.0]),
            vec!["too-big/index", "negative/index"],
        ),
        (
            "items with gaps",
            Made::rule(Role::Token, 200).file(
                "r.csv",
                None,
                LabelFormat::Table,
                &(1..=200).map(|n| f64::from(n * 2 - 1)).collect::<Vec<_>>(),
            ),
            vec!["too-big/embedding", "sparse"],
        ),
        (
            "black and white",
            mask(2, &with(vec![0.0; 9], &[255.0])),
            vec!["too-big", "binary-255"],
        ),
        (
            "black and white, size unknown",
            mask(0, &with(vec![0.0; 9], &[255.0])),
            vec!["binary-255 warning"],
        ),
        (
            "border 255",
            mask(21, &[0.0, 15.0, 255.0]),
            vec!["too-big", "ignore-not-set"],
        ),
        (
            "border 255, size unknown",
            mask(0, &[0.0, 15.0, 255.0]),
            vec!["ignore-not-set/unknown warning"],
        ),
        (
            "border 255, ignored",
            Made::rule(Role::Class, 21).ignoring(&[255]).file(
                "masks/1.png",
                None,
                LabelFormat::Mask,
                &[0.0, 15.0, 255.0],
            ),
            vec!["remark/ignored note"],
        ),
        (
            "blurred",
            mask(16, &blurred),
            vec!["too-big", "blurred-mask"],
        ),
        (
            "blurred, size unknown",
            mask(0, &grey),
            vec!["blurred-mask warning"],
        ),
        (
            "wrapped",
            npy(Role::Class, 10, &[0.0, 9.0, 255.0], ElementType::U8),
            vec!["too-big", "wrapped"],
        ),
        (
            "wrapped and shifted",
            npy(Role::Class, 10, &[0.0, 9.0, 254.0], ElementType::U8),
            vec!["too-big", "wrapped/shifted"],
        ),
        (
            "instances",
            mask(5, &[0.0, 1001.0, 4002.0]).stream(|s| s.element = Some(ElementType::U16)),
            vec!["too-big", "instance-ids"],
        ),
        (
            "instances, bytes",
            mask(34, &[0.0, 6913.0, 7168.0]).stream(|s| s.element = Some(ElementType::U16)),
            vec!["too-big", "instance-ids/byte"],
        ),
        (
            "instances, size unknown",
            mask(0, &[0.0, 1001.0]).stream(|s| s.element = Some(ElementType::U16)),
            vec!["instance-ids warning"],
        ),
        (
            "token ids as floats",
            npy(Role::Token, 3, &[0.0, 1.0], ElementType::F32),
            vec!["float-ints/index note"],
        ),
        (
            "floats",
            npy(Role::Class, 3, &[0.0, 1.0], ElementType::F32),
            vec!["float-ints note"],
        ),
        (
            "categories with gaps",
            coco(0, &[1, 2, 4], &[1.0, 2.0, 4.0]),
            vec!["sparse/category note"],
        ),
        (
            "unknown category",
            coco(0, &[0, 1, 2], &[1.0, 91.0]),
            vec!["unknown-class"],
        ),
        (
            "raw categories",
            coco(
                80,
                &[1, 90],
                &(1..=90)
                    .filter(|n| n % 9 != 0)
                    .map(f64::from)
                    .collect::<Vec<_>>(),
            ),
            vec!["too-big", "sparse"],
        ),
        (
            "unused classes",
            Made::classes(5, &[0.0, 1.0, 3.0].repeat(40)),
            vec!["sparse/unused note"],
        ),
        (
            "gaps, size unknown",
            Made::classes(0, &[0.0, 10.0, 300.0].repeat(4)),
            vec!["sparse/unknown note"],
        ),
        (
            "typo",
            Made::classes(2, &[])
                .names(&["cat", "dogg"])
                .listed(&["cat", "dog"]),
            vec!["text/nearest"],
        ),
        (
            "case",
            Made::classes(2, &[])
                .names(&["Cat ", "dog"])
                .listed(&["cat", "dog"]),
            vec!["text/case"],
        ),
        (
            "strange name",
            Made::classes(2, &[])
                .names(&["elephant"])
                .listed(&["cat", "dog"]),
            vec!["text"],
        ),
        (
            "special name",
            Made::classes(2, &[])
                .names(&["N/A", "dog"])
                .listed(&["N/A", "dog"]),
            vec![],
        ),
        (
            "name among numbers",
            Made::classes(3, &[0.0, 1.0, 2.0]).names(&["cat"]),
            vec!["text/no-list"],
        ),
        (
            "names without a list",
            Made::classes(0, &[]).names(&["cat", "dog"]),
            vec![],
        ),
        (
            "two forms of a name",
            Made::classes(0, &[]).names(&["cat", "cat", "Cat"]),
            vec!["case-clash warning"],
        ),
        (
            "missing",
            nothing().group(|g| g.missing = g.seen.values().next().cloned()),
            vec!["missing"],
        ),
        (
            "missing in test",
            Made::rule(Role::Class, 3)
                .file("test.csv", Some("test"), LabelFormat::Table, &[])
                .group(|g| {
                    let place = Place::file(Path::new("test.csv").into());
                    g.missing = Some(seen_at(&place, 5, 1));
                })
                .files(|file| file.values = 5),
            vec!["missing/unlabelled note"],
        ),
        (
            "some files count from 1",
            yolo(&[
                ("l/a.txt", &[1.0, 4.0]),
                ("l/b.txt", &[1.0, 2.0, 4.0]),
                ("l/c.txt", &[0.0, 3.0]),
                ("l/d.txt", &[0.0]),
            ]),
            vec!["too-big", "one-based/files"],
        ),
        (
            "one box of class nc",
            yolo(&[("l/a.txt", &[3.0, 2.0, 4.0, 1.0]), ("l/c.txt", &[0.0, 3.0])]),
            vec!["too-big", "off-by-one-count"],
        ),
        ("no rows", Made::classes(3, &[]), vec!["empty warning"]),
        (
            "background picture",
            Made::rule(Role::Class, 3).file("a.txt", None, LabelFormat::Yolo, &[]),
            vec![],
        ),
        ("batch", logits(&[10, 4], &[9]), vec!["shape/batch"]),
        ("rank", logits(&[10, 4, 8, 8], &[10]), vec!["shape/rank"]),
        (
            "class axis",
            logits(&[10, 8, 8, 4], &[10, 8, 8]),
            vec!["shape/class-axis"],
        ),
        ("squeeze", logits(&[10, 4], &[10, 1]), vec!["shape/squeeze"]),
        ("classes", logits(&[10, 3], &[10]), vec!["shape/classes"]),
        (
            "shapes that fit",
            logits(&[10, 4, 8, 8], &[10, 8, 8]),
            vec![],
        ),
        (
            "binary cross-entropy",
            Made::rule(Role::Probability, 0)
                .file("p.npy", None, LabelFormat::Npy, &[0.5])
                .stream(|s| s.shape = vec![10])
                .and_rule(Role::MultiLabel, 0)
                .file("t.npy", None, LabelFormat::Npy, &[1.0])
                .stream(|s| s.shape = vec![10, 1]),
            vec!["shape/equal"],
        ),
    ];
    out.push((
        "a file that was given and could not be read",
        Made::classes(3, &[0.0, 1.0, 2.0])
            .file("gone.csv", None, LabelFormat::Table, &[])
            .files(|file| {
                if file.values == 0 {
                    file.error = Some(LabelError::Input(InputError::NotFound));
                    file.named = true;
                }
            }),
        vec!["unreadable warning"],
    ));
    out.extend(super::split_cases::cases());
    out.extend(super::trouble_cases::cases());
    out.extend(super::judgements::cases());
    out
}
