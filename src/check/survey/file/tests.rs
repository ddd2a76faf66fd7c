//! One file at a time, by content and name.

use super::*;
use crate::labels::TestFolder;

#[track_caller]
fn check(name: &str, content: &[u8], expected: &Recognised) {
    let folder = TestFolder::new();
    let path: Arc<Path> = folder.write(name, content).into();
    assert_eq!(&recognise(&path), expected, "{name}");
}

#[test]
fn files_by_content_and_name() {
    let is = |kind: SourceKind| Is(kind);
    check("1.txt", b"0 0.5 0.5 0.1 0.1\n", &Labels(LabelFormat::Yolo));
    check(
        "1.txt",
        b"\xef\xbb\xbf3 0.1 0.1 0.2 0.1 0.2 0.2\r\n",
        &Labels(LabelFormat::Yolo),
    );
    check("1.txt", b"", &Recognised::Empty);
    check("classes.txt", b"cat\ndog\n", &is(SourceKind::ClassNames));
    check("labels.txt", b"cat\ndog\n", &is(SourceKind::ClassNames));
    check("coco.names", b"cat\ndog\n", &is(SourceKind::ClassNames));
    check(
        "id2label.json",
        b"{\"0\": \"cat\"}",
        &is(SourceKind::ClassNames),
    );
    check("labelmap.txt", b"cat:1,2,3::\n", &is(SourceKind::Colours));
    check("labelmap.txt", b"cat\ndog\n", &is(SourceKind::ClassNames));
    check(
        "class_dict.csv",
        b"name,r,g,b\ncat,1,2,3\n",
        &is(SourceKind::Colours),
    );
    check(
        "data.yaml",
        b"train: x\nnames: [a]\n",
        &is(SourceKind::DataYaml),
    );
    check(
        "yolov8.yaml",
        b"nc: 80\nbackbone:\n",
        &refused(LabelError::NotLabels("YAML".to_owned())),
    );
    check(
        "obj.data",
        b"classes= 2\nnames = obj.names\n",
        &is(SourceKind::ObjData),
    );
    check(
        "a.xml",
        b"<?xml version='1.0'?>\n<!-- x -->\n<annotation>\n",
        &Labels(LabelFormat::Voc),
    );
    check(
        "a.xml",
        b"<annotations>",
        &refused(LabelError::LaterFormat("CVAT")),
    );
    check(
        "a.xml",
        b"<!DOCTYPE a []><annotation/>",
        &refused(LabelError::Doctype),
    );
    check("train.py", b"import torch\n", &is(SourceKind::Script));
    check(
        "config.json",
        b"{\"vocab_size\": 3}",
        &is(SourceKind::Config),
    );
    check(
        "dataset_info.json",
        b"{\"features\": {}}",
        &is(SourceKind::DatasetInfo),
    );
    check("meta.pkl", b"\x80\x04}.", &is(SourceKind::Meta));
    check("m.png", b"\x89PNG\r\n\x1a\n", &Labels(LabelFormat::Mask));
    check("m.jpg", b"\xff\xd8\xff\xe0", &refused(LabelError::JpegMask));
    check(
        "x.npy",
        b"version https://git-lfs.github.com/spec/v1\n",
        &refused(LabelError::LfsPointer),
    );
    check("train.log", b"epoch 1 loss 0.3\n", &is(SourceKind::Log));
    let png_named_npy = LabelError::OtherContent {
        named: ".npy".to_owned(),
        found: "PNG".to_owned(),
    };
    check("x.npy", b"\x89PNG\r\n\x1a\n", &refused(png_named_npy));
}

#[test]
fn a_list_of_labels_is_no_list_of_classes() {
    let folder = TestFolder::new();
    for content in [
        "0\n1\n1\n1\n0\n".repeat(20),
        "a.jpg 0\nb.jpg 1\n".to_owned(),
    ] {
        let path: Arc<Path> = folder.write("labels.txt", content.as_bytes()).into();
        assert_ne!(recognise(&path), Is(SourceKind::ClassNames), "{content}");
    }
}
