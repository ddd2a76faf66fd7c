use super::*;
use crate::labels::sniff_text;

#[track_caller]
fn check(name: &str, text: &str, expected: Option<LabelFormat>) {
    assert_eq!(
        sniff_text(Path::new(name), text.as_bytes()),
        Ok(expected),
        "{name} {text:?}"
    );
}

#[test]
fn formats_by_name_and_content() {
    use LabelFormat::{Coco, Json, JsonLines, PathList, Table};
    check("a.csv", "id,label\n1,2\n", Some(Table));
    check("a.txt", "name\tlabel\nx\t2\n", Some(Table));
    check("a.txt", "1,0.5,0.2\n0,0.5,0.1\n1,0.2,0.9\n", Some(Table));
    check("a.txt", "a.jpg 0\nb c.jpg 1\n", Some(PathList));
    check("a.txt", "n01/a 0\nn01/b 7\n", Some(PathList));
    check("a.txt", "clips/v_1 120 0\nclips/v_2 88 7\n", Some(PathList));
    check("a.txt", "a.jpg cat\nb.jpg dog\n", Some(PathList));
    check("a.txt", "3\n1\n2\n3\n", Some(PathList));
    check("a.txt", &"n01\nn02\n".repeat(20), Some(PathList));
    check("a.txt", "a/1.png\t3\nb/2.png\t4\n", Some(PathList));
    check("a.txt", "1 5\n2 5\n3 7\n4 9\n", Some(PathList));
    check("a.txt", "{\"label\": [1, 2", Some(Json));
    check("a.txt", "[0/100] loss 1\n[1/100] loss 2\n", None);
    check("a.json", "{\"label\": [1]}", Some(Json));
    check(
        "a.json",
        "{\"label\": 1}\n{\"label\": 2}\n",
        Some(JsonLines),
    );
    check("a.jsonl", "{\"label\": 1}\n", Some(JsonLines));
    check(
        "a.json",
        "{\"images\": [], \"annotations\": [{\"category_id\": 1}]}",
        Some(Coco),
    );
    check(
        "a.json",
        "[{\"image_id\": 1, \"category_id\": 2, \"score\": 1}]",
        Some(Coco),
    );
    check("a.csv", "", None);
    let pairs = "a.jpg 0\nb.jpg 1\n".repeat(20);
    check("a.csv", &format!("file label\n{pairs}"), Some(PathList));
    check("a.csv", &"label\ncat\ndog\n".repeat(20), Some(Table));
}

#[test]
fn texts_that_hold_no_labels() {
    check("classes.txt", "cat\ndog\ntraffic light\n", None);
    check("classes.txt", "0 cat\n1 dog\n", None);
    check("img.txt", "0 0.5 0.5 0.1 0.1\n1 0.5 0.5 0.1 0.1\n", None);
    check(
        "train.txt",
        "000005\n000007\n000009\n000012\n000016\n",
        None,
    );
    check("cat_train.txt", "000012 -1\n000017  1\n000023  0\n", None);
    check("train.txt", "images/a.jpg\nimages/b.jpg\n", None);
    check("train.txt", "images/a b.jpg\nimages/c d.jpg\n", None);
    check("vocab.txt", "the 1234\nof 1200\nand 900\n", None);
    check("map.txt", "tench 0\ngoldfish 1\nshark 2\n", None);
    check(
        "readme.txt",
        "This is a read-me.\n\nIt says, in three lines, nothing.\nThe end 1\n",
        None,
    );
    check(
        "run.log",
        "epoch 1 loss 0.5 step 1\nepoch 2 loss 0.4 step 2\n",
        None,
    );
    check("a.txt", "[INFO] start 1\n[INFO] step 2\n", None);
    check(
        "config.json",
        "{\"model_type\": \"llama\", \"vocab_size\": 32000}",
        None,
    );
    check("a.ipynb", "{\"cells\": [], \"nbformat\": 4}", None);
    check("a.py", "x = 1\ny = 2\n", None);
    check("data.yaml", "nc: 3\nnames: [a, b]\n", None);
}

#[test]
fn layouts_refused_by_name() {
    for (name, text, expected) in [
        (
            "a.train",
            "__label__a some text\n__label__b other\n",
            "fastText",
        ),
        ("a.txt", "1.0 3:2.5 11:-5\n# c\n2 6:1\n", "svmlight"),
        ("a.txt", "1,0 3:2.5\n2 6:1\n", "svmlight"),
        (
            "000.txt",
            "Car 0.0 0 -1.5 1 2 3 4 5 6 7 8 9 10 11\n",
            "KITTI",
        ),
        (
            "list.txt",
            "2\nBald Bangs\na.jpg -1 1\nb.jpg 1 1\n",
            "CelebA",
        ),
        (
            "a.csv",
            "image_id,5_o_Clock_Shadow,Bald\na.jpg,-1,1\n",
            "CelebA",
        ),
        (
            "a.csv",
            "ImageID,Source,LabelName,Confidence\na,v,/m/0,1\n",
            "OpenImages",
        ),
        (
            "a.json",
            "{\"shapes\": [{\"label\": \"cat\"}], \"imagePath\": \"a.jpg\"}",
            "LabelMe",
        ),
        (
            "a.json",
            "[{\"image\": \"a\", \"annotations\": [{\"label\": \"b\", \"coordinates\": {}}]}]",
            "CreateML",
        ),
        (
            "a.json",
            "{\"_via_settings\": {}, \"_via_img_metadata\": {}}",
            "VIA",
        ),
    ] {
        assert_eq!(
            sniff_text(Path::new(name), text.as_bytes()),
            Err(LabelError::LaterFormat(expected)),
            "{name}"
        );
    }
}
