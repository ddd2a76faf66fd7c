use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::*;
use crate::labels::TroubleKind;

fn path(name: &str) -> Arc<Path> {
    Path::new(name).into()
}

fn fixture(name: &str) -> Arc<Path> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/labels");
    root.join(name).into()
}

#[test]
fn class_names_in_all_their_forms() {
    #[track_caller]
    fn check(text: &str, names: &[&str], ids: Option<&[i64]>) {
        let list = names::parse(text, &path("classes.txt")).expect(text);
        assert_eq!(list.names, names, "{text:?}");
        assert_eq!(list.ids.as_deref(), ids, "{text:?}");
    }
    check("cat\ndog", &["cat", "dog"], None);
    check("cat\r\ndog\r\n\r\n\r\n", &["cat", "dog"], None);
    check("\u{feff}cat\ndog\n", &["cat", "dog"], None);
    check("N/A\nheart\n", &["N/A", "heart"], None);
    check(
        "traffic light\nstop sign\n",
        &["traffic light", "stop sign"],
        None,
    );
    check("a\n\nb\n", &["a", "", "b"], None);
    check("0 cat\n1 hot dog\n", &["cat", "hot dog"], None);
    check("0: cat\n1: dog\n", &["cat", "dog"], None);
    check("1 cat\n0 dog\n", &["dog", "cat"], None);
    check("1 cat\n2 dog\n", &["cat", "dog"], Some(&[1, 2]));
    check("cat 0\ndog 1\n", &["cat", "dog"], None);
    check("cat,0\ndog,1\n", &["cat", "dog"], None);
    check("id,name\n0,cat\n1,dog\n", &["cat", "dog"], None);
    check("0\n1\n2\n", &["0", "1", "2"], None);
    // Names that end in numbers of their own.
    check("type 0\ntype 1\n", &["type 0", "type 1"], None);
    check("sign 30\nsign 50\n", &["sign 30", "sign 50"], None);
    check(
        "# label:color_rgb:parts:actions\nbackground:0,0,0::\ncar:128,0,0::\n",
        &["background", "car"],
        None,
    );
    check(
        "0 0 0 background\n0 0 64 sky\n",
        &["background", "sky"],
        None,
    );
    check("[\"cat\", \"dog\"]", &["cat", "dog"], None);
    check("{\"dog\": 1, \"cat\": 0}", &["cat", "dog"], None);
    check(
        "{\"0\": [\"n1\", \"cat\"], \"1\": [\"n2\", \"dog\"]}",
        &["cat", "dog"],
        None,
    );
}

#[test]
fn class_lists_that_are_none() {
    for text in ["", "\n\n", "{\"a\": {}}", "[1, 2]", "{", "\0\0"] {
        assert!(
            names::parse(text, &path("classes.txt")).is_err(),
            "{text:?}"
        );
    }
}

#[test]
fn labelme_names_are_numbered_as_its_own_tools_do() {
    let list =
        names::parse("__ignore__\n_background_\ncat\n", &path("labels.txt")).expect("a list");
    assert_eq!(list.names, ["_background_", "cat"]);
    assert_eq!(list.special, ["__ignore__", "_background_"]);
}

#[test]
fn colours_in_all_their_forms() {
    #[track_caller]
    fn check(text: &str, expected: &[([u8; 3], &str)]) {
        let found = colours::parse(text).expect(text);
        let found: Vec<_> = found.iter().map(|(c, name)| (*c, name.as_str())).collect();
        assert_eq!(found, expected, "{text:?}");
    }
    let two = [([0, 0, 0], "background"), ([128, 0, 64], "traffic light")];
    check(
        "# label:color_rgb:parts:actions\nbackground:0,0,0::\ntraffic light:128,0,64::\n",
        &two,
    );
    check("0 0 0 background\n128 0 64 traffic light\n", &two);
    check("0 0 0\tbackground\r\n128 0 64\ttraffic light\r\n\r\n", &two);
    check(
        "name,r,g,b\nbackground,0,0,0\ntraffic light,128,0,64\n",
        &two,
    );
    check("background 0 0 0\ntraffic light 128 0 64\n", &two);
    check("#000000 background\n#800040 traffic light\n", &two);
    check("1 0 0 255\n", &[([0, 0, 255], "1")]);
    check(
        r#"{"label_map": {"0": "background", "1": "traffic light"}, "segmentation_colors": [[0, 0, 0], [128, 0, 64]]}"#,
        &two,
    );
    check(
        r#"{"classes": ["background", "traffic light"], "palette": [[0, 0, 0], [128, 0, 64]]}"#,
        &two,
    );
    for text in ["", "cat\ndog\n", "0 0 300 sky\n", "0 0 0 sky\nroad\n", "{}"] {
        assert!(colours::parse(text).is_err(), "{text:?}");
    }
}

#[test]
fn data_yaml_keeps_names_as_written() {
    #[track_caller]
    fn check(text: &str, names: &[&str], stated: Option<u64>, words: &[&str]) {
        let data = yaml::parse(text, &path("data.yaml")).expect(text);
        assert_eq!(data.classes.names, names, "{text:?}");
        assert_eq!(data.classes.stated, stated, "{text:?}");
        let told: Vec<String> = (data.troubles.iter())
            .filter_map(|trouble| match &trouble.kind {
                TroubleKind::YamlWords(words) => Some(words.clone()),
                _ => None,
            })
            .flatten()
            .collect();
        assert_eq!(told, words, "{text:?}");
    }
    check(
        "names: [a, b, c]\ntrain: images\n",
        &["a", "b", "c"],
        None,
        &[],
    );
    check(
        "names:\n  0: cat\n  1: dog\nnc: 3\n",
        &["cat", "dog"],
        Some(3),
        &[],
    );
    check("names:\n  1: dog\n  0: cat\n", &["cat", "dog"], None, &[]);
    check("nc: 80\ntrain: x\n", &[], Some(80), &[]);
    check(
        "names:\n- yes\n- no\n- 007\n- 1.0\n- null\n- on\n- 'no'\n- y\n",
        &["yes", "no", "007", "1.0", "null", "on", "no", "y"],
        None,
        &["yes", "no", "007", "1.0", "null", "on"],
    );
    check("names: {0: no, 1: a}\n", &["no", "a"], None, &["no"]);
    check("\u{feff}names: [a]\n", &["a"], None, &[]);
    check("names: &n [a, b]\nother: *n\n", &["a", "b"], None, &[]);
    check("names: {cat: 0, dog: 1}\n", &["cat", "dog"], None, &[]);
    check("names: [a]\nnames: [a, b]\n", &["a", "b"], None, &[]);
    check(
        "names: [~, .nan, 1e3]\n",
        &["~", ".nan", "1e3"],
        None,
        &["~", "1e3"],
    );
}

#[test]
fn data_yaml_names_its_splits() {
    #[track_caller]
    fn check(text: &str, expected: &[(&str, &[&str])]) {
        let data = yaml::parse(text, &path("data.yaml")).expect(text);
        let found: Vec<(&str, Vec<&str>)> = (data.splits.iter())
            .map(|(split, paths)| (split.as_str(), paths.iter().map(String::as_str).collect()))
            .collect();
        let expected: Vec<(&str, Vec<&str>)> = expected
            .iter()
            .map(|(split, paths)| (*split, paths.to_vec()))
            .collect();
        assert_eq!(found, expected, "{text:?}");
    }
    check(
        "path: ../datasets/coco8\ntrain: images/train\nval: [images/val, images/more]\ntest:  # none\nnames: [a]\n",
        &[
            ("train", &["../datasets/coco8/images/train"]),
            (
                "val",
                &[
                    "../datasets/coco8/images/val",
                    "../datasets/coco8/images/more",
                ],
            ),
        ],
    );
    check(
        "path: .\ntrain: images\nvalidation: v\n",
        &[("train", &["images"]), ("val", &["v"])],
    );
    check(
        "path: data\ntrain: /abs/x\nval: C:\\x\n",
        &[("train", &["/abs/x"]), ("val", &["C:\\x"])],
    );
    check("path:\ntrain: 2017\nval: {a: b}\n", &[("train", &["2017"])]);
}

#[test]
fn a_list_or_yaml_knows_its_line() {
    let data = yaml::parse("train: a\nnc: 2\nnames: [a, b]\n", &path("data.yaml")).expect("yaml");
    assert_eq!(data.classes.source.line, Some(3));
    assert_eq!(data.classes.source.what, "names");
}

#[test]
fn class_numbers_with_gaps_or_twice() {
    let data = yaml::parse("names: {1: a, 2: b, 2: c}\n", &path("data.yaml")).expect("yaml");
    assert_eq!(data.classes.ids.as_deref(), Some([1, 2].as_slice()));
    assert_eq!(data.classes.names, ["a", "c"]);
    assert!(matches!(
        data.troubles.first().map(|trouble| &trouble.kind),
        Some(TroubleKind::Duplicate {
            what: "category-id",
            ..
        })
    ));
}

#[test]
fn yaml_that_says_nothing_or_is_hostile() {
    for text in [
        "",
        "a: b\n",
        "- a\n",
        "names: [a\n",
        "names: [[[[a]]]]\n",
        "names: a: b: c",
        "\0",
    ] {
        assert!(yaml::parse(text, &path("data.yaml")).is_err(), "{text:?}");
    }
    let deep = format!(
        "x: {}{}\nnames: [a]\n",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    let start = Instant::now();
    assert!(yaml::parse(&deep, &path("data.yaml")).is_err());
    let bomb = read_data_yaml(&fixture("hostile_yaml_bomb/data.yaml"));
    assert_eq!(bomb.map(|_| ()), Err(LabelError::TooDeep));
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn mutated_yaml_never_panics() {
    let seed = "path: .\ntrain: &t images\nval: *t\nnc: 3\nnames:\n  0: 'cat'\n  1: \"d\\x41g\"\n  2: |\n    fox\n<<: {a: [b, {c: d}]}\n";
    let mut state = 7_u64;
    for _ in 0..3_000 {
        let mut bytes = seed.as_bytes().to_vec();
        for _ in 0..4 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let at = (state >> 33) as usize % bytes.len();
            let with = b"&*[]{}:-'\"|>\n #?!%@\t0ax\x80"
                .get((state >> 20) as usize % 26)
                .copied();
            if let (Some(byte), Some(with)) = (bytes.get_mut(at), with) {
                *byte = with;
            }
        }
        let (text, _) = text::decode(bytes);
        let _ = yaml::parse(&text, &path("data.yaml"));
        let _ = names::parse(&text, &path("data.yaml"));
        let _ = colours::parse(&text);
        let _ = darknet::parse(&text, &path("obj.data"));
    }
}

#[test]
fn darknet_lists_beside_their_file() {
    let data = read_obj_data(&fixture("yolo_darknet/obj.data")).expect("obj.data");
    assert_eq!(data.classes.names.len(), 10);
    assert_eq!(data.classes.stated, Some(10));
    assert_eq!(
        data.splits,
        [("train".to_owned(), vec!["data/train.txt".to_owned()])]
    );
    assert!(data.troubles.is_empty());
    assert!(darknet::parse("hello\n", &path("obj.data")).is_err());
    let outside = darknet::parse("classes = 2\nnames = ../../etc/..\n", &path("x/obj.data"))
        .expect("classes");
    assert!(matches!(
        outside.troubles.first().map(|t| &t.kind),
        Some(TroubleKind::MissingPath(_))
    ));
}

#[test]
fn texts_of_other_encodings() {
    for (bytes, expected, name) in [
        (b"caf\xc3\xa9".to_vec(), "caf\u{e9}", None),
        (b"\xef\xbb\xbfcat".to_vec(), "cat", None),
        (b"caf\xe9".to_vec(), "caf\u{e9}", Some("windows-1252")),
        (b"\xff\xfec\0a\0".to_vec(), "ca", Some("UTF-16LE")),
    ] {
        assert_eq!(text::decode(bytes), (expected.to_owned(), name));
    }
}

#[test]
fn fixtures_of_lists() {
    let names = |name: &str| read_class_names(&fixture(name)).expect(name).names.len();
    assert_eq!(names("yolo_class_eq_nc/labels/train/classes.txt"), 4);
    assert_eq!(names("path_list_real/synsets.txt"), 10);
    assert_eq!(names("labelme/labels.txt"), 3);
    let colours = |name: &str| read_colours(&fixture(name)).expect(name).len();
    assert_eq!(colours("mask_rgb/label_colors.txt"), 5);
    assert_eq!(colours("mask_rgb_unknown/labelmap.txt"), 3);
    let data = read_data_yaml(&fixture("yolo_nc_mismatch/data.yaml")).expect("yaml");
    assert_eq!(
        (data.classes.names.len(), data.classes.stated),
        (3, Some(4))
    );
}

#[test]
fn data_yaml_whose_numbers_are_no_class_numbers() {
    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let data = yaml::parse(text, &path("data.yaml")).expect(text);
        let said: Vec<&str> = (data.troubles.iter())
            .filter_map(|trouble| match &trouble.kind {
                TroubleKind::BadLine(said) => Some(said.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(said, expected, "{text}");
    }
    check("names: {0: a, 2: c, 1: b}\nnc: 3\n", &[]);
    check("train: a\nnc: 3.0\n", &[]);
    check(
        "names: {0: a, 1: b, 5: c}\n",
        &["names: numbers 0 to 5 instead of 0, 1, 2"],
    );
    check(
        "names: {1: a, 2: b}\n",
        &["names: numbers 1 to 2 instead of 0, 1, 2"],
    );
    for nc in ["-3", ".inf", "100000000000000000000", "three", "2.5"] {
        let said = format!("nc: {nc} is no number of classes");
        check(&format!("train: a\nnc: {nc}\nnames: [a]\n"), &[&said]);
    }
}
