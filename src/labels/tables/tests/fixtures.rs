//! The label cases that belong to these readers.

use super::*;
use crate::labels::{Role, sniff_text};

fn fixture(name: &str) -> Arc<Path> {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/labels")
        .join(name)
        .into()
}

/// Reads a case in the format that its content tells.
#[track_caller]
fn open(name: &str, wanted: &Wanted) -> Collected {
    let path = fixture(name);
    let bytes = std::fs::read(&path).expect("the case");
    let head = &bytes[..bytes.len().min(64 << 10)];
    let format = sniff_text(&path, head)
        .expect("readable")
        .expect("a format");
    collect(&path, format, wanted)
}

#[track_caller]
fn refused(name: &str, expected: &LabelError) {
    let path = fixture(name);
    let bytes = std::fs::read(&path).expect("the case");
    assert_eq!(sniff_text(&path, &bytes).as_ref(), Err(expected), "{name}");
}

/// Values in the first stream, and where one of them stands first: line and row.
#[track_caller]
fn check(name: &str, wanted: &Wanted, count: usize, place: Option<(i64, u64, u64)>) -> Collected {
    let found = open(name, wanted);
    let stream = &found.streams[0];
    let all = stream.values.len() + stream.names.len() + stream.missing.len();
    assert_eq!(all, count, "{name}");
    if let Some((value, line, row)) = place {
        assert_eq!(first(stream, value)[..2], [Some(line), Some(row)], "{name}");
    }
    found
}

#[test]
fn tables() {
    let any = Wanted::default();
    check("csv_one_based/train.csv", &any, 60, Some((10, 11, 9)));
    let nan = check("csv_nan_pandas/labels.csv", &any, 40, None);
    assert_eq!(nan.streams[0].missing.len(), 2);
    assert_eq!(
        (
            nan.streams[0].missing[0].line,
            nan.streams[0].missing[0].row
        ),
        (Some(9), Some(7))
    );
    assert_eq!(nan.streams[0].floats, 38);
    check("csv_semicolon/GT-final_test.csv", &any, 86, None);
    check("csv_utf16/export.txt", &any, 30, Some((-1, 4, 2)));
    check("csv_newlines/reviews.csv", &any, 7, Some((3, 10, 5)));
    check("csv_mnist/mnist_test.csv", &column("0"), 3, Some((2, 2, 1)));
    check("csv_mnist/mnist_test.csv", &any, 3, Some((2, 2, 1)));
    check("csv_news/train.csv", &column("0"), 24, Some((4, 2, 1)));
    check("csv_news/train.csv", &any, 24, Some((4, 2, 1)));
    check("csv_digits/digits.csv.gz", &column("64"), 1797, None);
    check("csv_digits/digits.csv.gz", &any, 1797, None);
    check("csv_recommender/ratings.csv", &column("movieId"), 200, None);
    check("csv_odd_integers/labels.csv", &any, 7, None);
    check(
        "csv_ignore_replaces/labels.csv",
        &any,
        15,
        Some((-100, 6, 4)),
    );
    let probability = Wanted {
        role: Some(Role::Probability),
        ..Wanted::default()
    };
    check(
        "csv_probability/targets.csv",
        &probability,
        7,
        Some((2, 6, 4)),
    );
    let nul = check("csv_nul/labels.csv", &any, 5, Some((9, 6, 4)));
    assert!(matches!(kinds(&nul)[..], [TroubleKind::OtherEncoding(_)]));
    assert_eq!(nul.streams[0].missing.len(), 1);
    let empty = check("csv_empty/train.csv", &any, 0, None);
    assert!(matches!(kinds(&empty)[..], [TroubleKind::Empty { .. }]));
    let iris = check("csv_iris/iris.csv", &any, 150, Some((0, 2, 0)));
    let classes = iris.streams[0].stream.classes.as_ref().expect("classes");
    assert_eq!(classes.names, ["setosa", "versicolor", "virginica"]);
    let one_hot = check("csv_onehot/train.csv", &any, 25, None);
    assert_eq!(one_hot.streams[0].stream.one_hot, Some(5));
    let multi = check("csv_multi_label/ann.csv", &any, 18, None);
    assert_eq!(multi.streams[0].stream.role, Some(Role::MultiLabel));
}

#[test]
fn names_in_tables() {
    let typo = open("csv_typo/boxes.csv", &Wanted::default());
    assert_eq!(typo.streams[0].names[2].0, "trafic light");
    assert_eq!(typo.streams[0].names[2].1.line, Some(4));
    let wanted = Wanted {
        names: vec!["N/A".to_owned()].into(),
        ..Wanted::default()
    };
    let found = check("csv_na_class/train.csv", &wanted, 20, None);
    assert!(found.streams[0].missing.is_empty());
    let split = open("split_names/val.csv", &Wanted::default());
    assert_eq!(names(&split.streams[0])[..2], ["bear", "zebra"]);
}

#[test]
fn lists() {
    let any = Wanted::default();
    check("path_list_real/train.txt", &any, 4, Some((5, 2, 1)));
    let spaces = check("path_list_spaces/val.txt", &any, 30, None);
    assert_eq!(first(&spaces.streams[0], 5)[0], Some(9));
}

#[test]
fn coco() {
    let any = Wanted::default();
    let raw = open("coco_raw_ids/instances_train.json", &any);
    assert_eq!(raw.streams[0].values.len(), 160);
    let place = &raw.streams[0].values[&6].1;
    assert_eq!((place.row, place.key.as_deref()), (Some(6), Some("1006")));
    let large = raw.streams[0]
        .values
        .values()
        .filter(|(v, ..)| *v >= 80.into());
    assert_eq!(large.count(), 20);
    for (name, count, troubles) in [
        ("coco_instances/annotations/instances_train.json", 1, 0),
        ("coco_instances/annotations/instances_val.json", 2, 0),
        ("coco_unknown_category/instances_val.json", 5, 0),
        ("coco_roboflow/_annotations.coco.json", 30, 0),
        ("coco_odd_ids/train.json", 3, 0),
        ("coco_panoptic/annotations/panoptic_val.json", 2, 0),
        (
            "coco_results/instances_val2014_fakebbox100_results.json",
            734,
            1,
        ),
    ] {
        let found = open(name, &any);
        assert_eq!(found.streams[0].values.len(), count, "{name}");
        assert_eq!(
            found.troubles.len(),
            troubles,
            "{name}: {:?}",
            found.troubles
        );
    }
    open("coco_val_only/train.json", &any);
}

#[test]
fn json() {
    let any = Wanted::default();
    let iris = open("json_iris/iris.json", &column("species"));
    assert_eq!(iris.streams[0].names.len(), 150);
    let pad = open("hf_pad_token/train.jsonl", &any);
    let ids = &pad.streams[0];
    assert_eq!(
        (ids.stream.key.as_deref(), ids.stream.role),
        (Some("input_ids"), Some(Role::Token))
    );
    assert_eq!(first(ids, 32000)[0], Some(2));
    let many = ids
        .values
        .values()
        .filter(|(v, ..)| *v == 32000.into())
        .count();
    assert_eq!(many, 9);
    assert_eq!(pad.streams.len(), 2);
    let bad = open("jsonl_bad_line/data.jsonl", &any);
    assert_eq!(bad.streams[0].values.len(), 29);
    assert_eq!(first(&bad.streams[0], 5)[0], Some(20));
    assert_eq!(bad.troubles.len(), 1);
    assert_eq!(bad.troubles[0].place.line, Some(12));
    let ids = open("ckpt_safetensors/ids.jsonl", &any);
    assert_eq!(first(&ids.streams[0], 50), [Some(2), Some(1), Some(1)]);
    let nan = error(&fixture("json_nan/data.json"), LabelFormat::Json, &any);
    assert!(matches!(nan, Err(LabelError::PythonNumber { word, .. }) if word == "NaN"));
    let deep = error(
        &fixture("hostile_json_deep/deep.json"),
        LabelFormat::Json,
        &any,
    );
    assert_eq!(deep, Err(LabelError::TooDeep));
    let huge = error(
        &fixture("json_huge_numbers/data.json"),
        LabelFormat::Json,
        &any,
    );
    assert!(matches!(huge, Err(LabelError::Malformed { .. })));
}

#[test]
fn other_layouts() {
    for (name, layout) in [
        ("fasttext/cooking.train", "fastText"),
        ("svmlight/svmlight_classification.txt", "svmlight"),
        (
            "other_openimages/oidv6-train-annotations-human-imagelabels.csv",
            "OpenImages",
        ),
        ("other_kitti/000030_11.txt", "KITTI"),
        ("other_celeba/list_attr_celeba.txt", "CelebA"),
        ("other_createml/_annotations.createml.json", "CreateML"),
        ("labelme/a.json", "LabelMe"),
        ("labelme/c.json", "LabelMe"),
    ] {
        refused(name, &LabelError::LaterFormat(layout));
    }
    for name in [
        "labelme/labels.txt",
        "csv_na_class/classes.txt",
        "path_list_real/synsets.txt",
        "noise/labels.dat",
        "hf_pad_token/config.json",
    ] {
        let path = fixture(name);
        let bytes = std::fs::read(&path).expect("the case");
        assert_eq!(sniff_text(&path, &bytes), Ok(None), "{name}");
    }
}
