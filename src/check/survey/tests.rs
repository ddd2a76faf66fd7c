use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use super::*;
use crate::labels::{TestFolder, TroubleKind};

fn run(path: &Path) -> Vec<Source> {
    survey(&[Given::path(path)], &AtomicBool::new(false))
}

/// One line a source: kind, files, split, troubles.
fn summary(source: &Source) -> String {
    let mut words = match &source.kind {
        SourceKind::Labels { format, files } => {
            vec![format!("{} {}", format.id(), files.len())]
        }
        SourceKind::Refused(error) => vec![format!("refused: {error}")],
        other => vec![format!("{other:?}")],
    };
    words.extend(source.split.as_ref().map(ToString::to_string));
    words.extend(
        source
            .troubles
            .iter()
            .map(|trouble| format!("{:?}", trouble.kind)),
    );
    words.join(" ")
}

fn fixtures() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/labels")
}

#[track_caller]
fn check_path(path: &Path, expected: &[&str]) {
    let found: Vec<String> = run(path).iter().map(summary).collect();
    assert_eq!(found, expected, "{}", path.display());
}

/// Files of a folder (`name`, `name=content`, `name/` for an empty folder; rows of boxes for texts in `labels`), and what is found.
#[track_caller]
fn check(files: &[&str], expected: &[&str]) {
    let folder = made(files);
    check_path(&folder.path().join("d"), expected);
}

fn made(files: &[&str]) -> TestFolder {
    let folder = TestFolder::new();
    for file in files {
        let (name, content) = file.split_once('=').unwrap_or((file, ""));
        let name = format!("d/{name}");
        if name.ends_with('/') {
            std::fs::create_dir_all(folder.path().join(name)).expect("a folder");
        } else if content == "grey" {
            folder.write(
                &name,
                b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0",
            );
        } else if content == "rgb" {
            folder.write(
                &name,
                b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0",
            );
        } else if content == "row" {
            folder.write(&name, b"0 0.5 0.5 0.1 0.1\n");
        } else {
            folder.write(&name, content.as_bytes());
        }
    }
    folder
}

#[test]
fn every_fixture_folder() {
    for (name, expected) in [
        ("cifar10", ["Meta", "pickle 1 test"].as_slice()),
        ("ckpt_bin", &["Weights", "npy 1"]),
        ("ckpt_safetensors", &["Weights", "jsonl 1"]),
        ("coco_instances", &["coco 1 train", "coco 1 val"]),
        ("coco_panoptic", &["coco 1 val"]),
        ("coco_roboflow", &["coco 1"]),
        ("coco_val_only", &["coco 1 train", "coco 1 val"]),
        ("csv_ignore_replaces", &["table 1"]),
        ("csv_na_class", &["ClassNames", "table 1 train"]),
        ("csv_one_based", &["table 1 train"]),
        ("csv_semicolon", &["table 1 test"]),
        ("csv_typo", &["ClassNames", "table 1"]),
        (
            "cvat_images",
            &["refused: CVAT is not read by this version"],
        ),
        (
            "cvat_unknown",
            &["refused: CVAT is not read by this version"],
        ),
        (
            "folder_checkpoints",
            &["image-folder 1 train", "image-folder 1 val"],
        ),
        ("folder_empty_class", &["image-folder 1 train"]),
        ("folder_empty_class/train", &["image-folder 1 train"]),
        ("folder_lfw", &["image-folder 1"]),
        ("folder_mars", &["image-folder 1"]),
        (
            "folder_missing_in_val",
            &["image-folder 1 train", "image-folder 1 val"],
        ),
        ("folder_root_file", &["image-folder 1"]),
        ("hf_pad_token", &["Config", "jsonl 1 train"]),
        ("hostile_png_dims", &["mask 1"]),
        ("hostile_xml_bomb", &["refused: DOCTYPE"]),
        ("hostile_yaml_bomb", &["refused: nested too deep"]),
        ("hostile_yaml_bomb/data.yaml", &["refused: nested too deep"]),
        ("idx_letters", &["idx 1 train"]),
        ("jsonl_bad_line", &["jsonl 1"]),
        ("lfs_pointer", &["refused: a Git LFS pointer, not the data"]),
        ("mask_0_255", &["mask 2"]),
        ("mask_0_255/masks", &["mask 2"]),
        ("mask_ade", &["mask 1"]),
        ("mask_ade/ADE_val_1.png", &["mask 1 val"]),
        ("mask_blurred", &["mask 1"]),
        ("mask_cityscapes_train", &["mask 2"]),
        ("mask_jpeg", &["refused: JPEG as a mask"]),
        ("mask_jpeg/mask.jpg", &["refused: JPEG as a mask"]),
        ("mask_kitti", &["mask 2"]),
        ("mask_mots", &["mask 2"]),
        ("mask_palette", &["mask 1"]),
        ("mask_rgb", &["Colours", "mask 2"]),
        ("mask_rgb_unknown", &["Colours", "mask 1"]),
        ("mask_vistas", &["mask 2"]),
        ("nanogpt", &["Meta", "tokens 1 train", "tokens 1 val"]),
        ("npz_medmnist", &["npz 1"]),
        (
            "parquet_input_ids",
            &["Config", "refused: Parquet is not read by this version"],
        ),
        ("pt_dict", &["torch 1"]),
        ("split_names", &["table 1 train", "table 1 val"]),
        ("voc_case", &["ClassNames", "voc 2"]),
        ("voc_real", &["voc 1"]),
        (
            "wrong_extension",
            &["refused: a PNG with the name of a .npy"],
        ),
        ("yolo_bad_rows", &["DataYaml", "yolo 2 train"]),
        ("yolo_bad_rows/data.yaml", &["DataYaml", "yolo 2 train"]),
        (
            "yolo_class_eq_nc",
            &["DataYaml", "ClassNames", "yolo 3 train", "yolo 2 val"],
        ),
        (
            "yolo_class_eq_nc/data.yaml",
            &["DataYaml", "yolo 3 train", "yolo 2 val"],
        ),
        ("yolo_darknet", &["ObjData", "ClassNames", "yolo 1 train"]),
        ("yolo_darknet/obj.data", &["ObjData", "yolo 1 train"]),
        ("yolo_nc_mismatch", &["DataYaml", "yolo 2 train"]),
        ("yolo_roboflow", &["DataYaml", "yolo 2 train", "yolo 1 val"]),
        (
            "yolo_roboflow/data.yaml",
            &["DataYaml", "yolo 2 train", "yolo 1 val"],
        ),
        ("yolo_yaml_words", &["DataYaml", "yolo 1 train"]),
        ("no_such_folder", &["refused: not found"]),
    ] {
        check_path(&fixtures().join(name), expected);
    }
}

#[test]
fn a_yaml_that_leads_outside() {
    let found = run(&fixtures().join("hostile_yaml_path/inner/data.yaml"));
    let kinds: Vec<&SourceKind> = found.iter().map(|source| &source.kind).collect();
    assert!(
        matches!(
            kinds.as_slice(),
            [
                SourceKind::DataYaml,
                SourceKind::Refused(LabelError::OutsidePath(_))
            ]
        ),
        "{kinds:?}"
    );
    assert_eq!(found.first().map(|source| source.troubles.len()), Some(2));
}

#[test]
fn yolo_layouts() {
    let yaml = |text: &str| format!("data.yaml={text}");
    let ultralytics =
        yaml("path: ../datasets/d\ntrain: images/train\nval: images/val\nnames: [a]\n");
    check(
        &[
            &ultralytics,
            "images/train/1.jpg",
            "labels/train/1.txt=row",
            "labels/val/a/2.txt=row",
        ],
        &["DataYaml", "yolo 1 train", "yolo 1 val"],
    );
    let roboflow =
        yaml("train: ../train/images\nval: ../valid/images\ntest: ../test/images\nnames: [a]\n");
    check(
        &[
            &roboflow,
            "train/images/1.jpg",
            "train/labels/1.txt=row",
            "valid/images/1.jpg",
            "valid/labels/1.txt=row",
        ],
        &["DataYaml", "yolo 1 train", "yolo 1 val"],
    );
    // What is missing is said; a test split is not.
    let missing = yaml("train: images/train\nval: images/val\ntest: images/test\nnames: [a]\n");
    check(
        &[&missing, "labels/train/1.txt=row", "images/train/1.jpg"],
        &["DataYaml MissingPath(\"images/val\")", "yolo 1 train"],
    );
    // Colab's absolute paths, Windows' separators, lists of pictures, several folders.
    let colab = yaml("train: /content/d/images/train\nval: 'C:\\d\\images\\val'\nnames: [a]\n");
    check(
        &[
            &colab,
            "images/train/1.jpg",
            "labels/train/1.txt=row",
            "images/val/1.jpg",
            "labels/val/1.txt=row",
        ],
        &["DataYaml", "yolo 1 train", "yolo 1 val"],
    );
    let lists = yaml("train: train.txt\nval: [a/images, b/images]\nnames: [a]\n");
    check(
        &[
            &lists,
            "train.txt=./images/1.jpg\n/home/x/d/images/2.jpg\nimages/none.jpg\n\n",
            "images/1.jpg",
            "labels/1.txt=row",
            "labels/2.txt=row",
            "labels/3.txt=row",
            "a/images/",
            "a/labels/1.txt=row",
            "b/images/",
            "b/labels/1.txt=row",
        ],
        &["DataYaml", "yolo 2 val", "yolo 2 train"],
    );
    // Label texts beside the pictures, and without a data file.
    check(
        &[
            "classes.txt=cat\n",
            "1.jpg",
            "1.txt=row",
            "2.txt",
            "readme.txt=hello",
        ],
        &["ClassNames", "yolo 2"],
    );
    check(
        &[
            "train/labels/1.txt=row",
            "train/images/1.jpg",
            "val/labels/1.txt=0 0.5 0.5 0.1\n",
            "val/labels/2.txt=row",
        ],
        &["yolo 1 train", "yolo 2 val"],
    );
    check(&["labels/1.txt", "images/1.jpg"], &["yolo 1"]);
    check(
        &["labels/license_plate_1.txt=row", "labels/LICENSE.txt=MIT"],
        &["yolo 1"],
    );
    // The same folder for both splits is read once.
    let both = yaml("train: images\nval: images\nnames: [a]\n");
    check(
        &[&both, "images/1.jpg", "labels/1.txt=row"],
        &["DataYaml", "yolo 1 train"],
    );
    check(&["hyp.yaml=lr0: 0.1\n", "labels/1.txt=row"], &["yolo 1"]);
    check(
        &[
            "data.yaml=train: ../../x\nval: /etc\nnames: [a]\n",
            "labels/train/1.txt=row",
        ],
        &["DataYaml OutsidePath(\"/etc\")", "yolo 1 train"],
    );
}

#[test]
fn masks_and_what_lies_beside_them() {
    check(&["images/1.png=rgb", "masks/1.png=grey"], &["mask 1"]);
    check(
        &[
            "images/1.jpg",
            "masks/1.png=rgb",
            "label_colors.txt=0 0 0 a\n",
        ],
        &["Colours", "mask 1"],
    );
    check(
        &[
            "train/images/1.png=rgb",
            "train/masks/1.png=grey",
            "val/images/1.png=rgb",
            "val/masks/1.png=grey",
        ],
        &["mask 1 train", "mask 1 val"],
    );
    check(
        &[
            "a.png=rgb",
            "a_mask.png=grey",
            "b.png=rgb",
            "b_mask.png=grey",
        ],
        &["mask 2"],
    );
    check(
        &[
            "gtFine/train/x/x_gtFine_labelIds.png=grey",
            "gtFine/train/x/x_gtFine_labelTrainIds.png=grey",
            "gtFine/train/x/x_gtFine_instanceIds.png=grey",
            "gtFine/train/x/x_gtFine_color.png=rgb",
            "leftImg8bit/train/x/x.png=rgb",
        ],
        &["mask 1 train"],
    );
    check(
        &["masks/1.jpg=\u{0}"],
        &["refused: nothing that looks like labels"],
    );
    check(&["1.png=grey", "2.png=grey"], &["mask 2"]);
    // Of boxes a list of colours is the list of their names.
    check(
        &[
            "Annotations/1.xml=<annotation></annotation>",
            "labelmap.txt=cat:1,2,3::\n",
        ],
        &["ClassNames", "voc 1"],
    );
    check(
        &["1.png=rgb", "2.png=rgb"],
        &["refused: nothing that looks like labels"],
    );
    check(
        &[
            "JPEGImages/1.jpg",
            "SegmentationClass/1.png=grey",
            "SegmentationObject/1.png=grey",
            "Annotations/1.xml=<annotation></annotation>",
            "ImageSets/Main/cat_train.txt=1 -1\n",
        ],
        &["voc 1", "mask 1"],
    );
}

#[test]
fn class_folders() {
    check(
        &[
            "train/0/1.png=grey",
            "train/1/1.png=grey",
            "val/0/1.png=grey",
        ],
        &["image-folder 1 train", "image-folder 1 val"],
    );
    check(&["0/1.png=grey", "1/1.png=grey"], &["image-folder 1"]);
    check(
        &["train/cat/1.jpg", "train/dog/1.jpg", "train/stray.jpg"],
        &["image-folder 1 train"],
    );
    check(&["train/1.jpg", "val/1.jpg"], &["image-folder 1"]);
    check(
        &["images/1.jpg"],
        &["refused: nothing that looks like labels"],
    );
    check(
        &[
            "amazon/cup/1.jpg",
            "amazon/pen/1.jpg",
            "webcam/cup/1.jpg",
            "webcam/pen/1.jpg",
        ],
        &["image-folder 1", "image-folder 1"],
    );
    check(
        &["animal/cat/1.jpg", "animal/dog/1.jpg", "plant/rose/1.jpg"],
        &["image-folder 1"],
    );
    // A table beside pictures that lie in split folders: those are no classes.
    check(
        &[
            "train.csv=id,label\n1.jpg,0\n2.jpg,1\n3.jpg,1\n",
            "train/1.jpg",
            "test/1.jpg",
        ],
        &["table 1 train"],
    );
    // Pictures one folder deeper; pictures of boxes that lie in folders of their own.
    check(
        &["train/cat/images/1.jpg", "train/dog/images/1.jpg"],
        &["image-folder 1 train"],
    );
    check(
        &[
            "a.json={\"annotations\": [], \"categories\": [], \"images\": []}",
            "day/1.jpg",
            "night/1.jpg",
        ],
        &["coco 1"],
    );
    let folder = made(&["PetImages/Cat/1.jpg", "PetImages/Dog/1.jpg"]);
    let found = run(&folder.path().join("d"));
    assert!(
        found
            .iter()
            .all(|source| source.path.ends_with("PetImages")),
        "{found:?}"
    );
}

#[test]
fn a_cache_that_is_older_than_the_labels() {
    let folder = made(&[
        "data.yaml=train: images\nnames: [a]\n",
        "images/1.jpg",
        "labels/1.txt=row",
        "labels.cache=x",
    ]);
    let root = folder.path().join("d");
    check_path(&root, &["DataYaml", "yolo 1 train"]);
    let cache = std::fs::File::options()
        .write(true)
        .open(root.join("labels.cache"))
        .expect("a cache");
    cache
        .set_modified(SystemTime::now() - Duration::from_hours(1))
        .expect("a time");
    check_path(&root, &["DataYaml", "yolo 1 train StaleCache"]);
}

#[test]
fn what_lies_beside_a_file() {
    let folder = made(&[
        "labels/1.txt=row",
        "labels/2.txt=row",
        "classes.txt=cat\n",
        "data.yaml=names: [cat]\n",
        "train.csv=a,label\n1,2\n3,4\n5,6\n",
        "config.json={\"vocab_size\": 3}",
        "model.safetensors=x",
        "secret/classes.txt=dog\n",
    ]);
    let root = folder.path().join("d");
    check_path(
        &root.join("labels/1.txt"),
        &["DataYaml", "ClassNames", "yolo 1"],
    );
    check_path(
        &root.join("train.csv"),
        &["ClassNames", "Config", "table 1 train"],
    );
    // Two files of one folder have one list.
    let given = ["labels/1.txt", "labels/2.txt"].map(|name| Given::path(root.join(name)));
    let found = survey(&given, &AtomicBool::new(false));
    let kinds: Vec<String> = found.iter().map(summary).collect();
    assert_eq!(kinds, ["DataYaml", "ClassNames", "yolo 1", "yolo 1"]);
    assert_eq!(found.last().map(|source| source.given), Some(1));
}

#[test]
fn the_user_s_word_goes_first() {
    let folder = made(&["train/a.txt=1\n", "b.txt=2\n", "classes.txt=cat\n"]);
    let mut given = Given::path(folder.path().join("d"));
    given.format = Some(LabelFormat::PathList);
    let found: Vec<String> = survey(&[given.clone()], &AtomicBool::new(false))
        .iter()
        .map(summary)
        .collect();
    assert_eq!(found, ["ClassNames", "path-list 1", "path-list 1 train"]);
    let boxes = made(&[
        "data.yaml=train: images\nnames: [a]\n",
        "labels/1.txt=0 1 2\n",
        "images/1.jpg",
        "x.txt=row",
    ]);
    let mut yolo = Given::path(boxes.path().join("d"));
    yolo.format = Some(LabelFormat::Yolo);
    let found: Vec<String> = survey(&[yolo.clone()], &AtomicBool::new(false))
        .iter()
        .map(summary)
        .collect();
    assert_eq!(found, ["DataYaml", "yolo 1 train"]);
    yolo.path = boxes.path().join("d/data.yaml");
    let found = survey(&[yolo], &AtomicBool::new(false));
    assert_eq!(found.len(), 2);
    given.split = Some("test".to_owned());
    given.path = folder.path().join("d/b.txt");
    let found: Vec<String> = survey(&[given], &AtomicBool::new(false))
        .iter()
        .map(summary)
        .collect();
    assert_eq!(found, ["ClassNames", "path-list 1 test"]);
}

#[test]
fn many_files_are_read_once_each_and_a_stop_is_heard() {
    let files: Vec<String> = (0..300).map(|i| format!("labels/{i}.txt=row")).collect();
    let mut names: Vec<&str> = files.iter().map(String::as_str).collect();
    names.push("data.yaml=train: images\nval: images\nnames: [a, b, c]\n");
    names.push("images/1.jpg");
    let folder = made(&names);
    let root = folder.path().join("d");
    check_path(&root.join("data.yaml"), &["DataYaml", "yolo 300 train"]);
    let found = run(&root);
    let Some(SourceKind::Labels { files, .. }) = found.get(1).map(|source| &source.kind) else {
        panic!("labels: {found:?}");
    };
    assert!(
        files
            .iter()
            .zip(0..)
            .all(|(file, i)| file.ends_with(format!("{i}.txt")))
    );
    assert!(survey(&[Given::path(root)], &AtomicBool::new(true)).is_empty());
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    use std::os::unix::fs::symlink;
    let folder = made(&["a/1.jpg", "b/1.jpg"]);
    let root = folder.path().join("d");
    symlink("../../d", root.join("b/again")).expect("a link");
    check_path(&root, &["image-folder 1"]);
    let folder = made(&["data.yaml=train: images\nval: labels.txt\nnames: [a]\n"]);
    folder.write("secret/labels/1.txt", b"0 0.5 0.5 0.1 0.1\n");
    let root = folder.path().join("d");
    symlink("../secret/labels", root.join("labels")).expect("a link");
    symlink("../secret/labels/1.txt", root.join("labels.txt")).expect("a link");
    check_path(
        &root,
        &["DataYaml MissingPath(\"images\") MissingPath(\"labels.txt\")"],
    );
}

#[test]
fn folders_nested_deeper_than_any_data_set() {
    let folder = TestFolder::new();
    let deep = format!("d/{}labels.csv", "a/".repeat(100));
    folder.write(&deep, b"label\n0\n1\n");
    check_path(&folder.path().join("d"), &["refused: nested too deep"]);
}

#[test]
fn one_file_given_by_two_names_is_one() {
    // Tests run in the folder of the package.
    let config = "tests/fixtures/labels/hf_pad_token/config.json";
    let given = [Given::path(config), Given::path(format!("./{config}"))];
    let sources = survey(&given, &AtomicBool::new(false));
    let found: Vec<String> = sources.iter().map(summary).collect();
    assert_eq!(found, ["Config"]);
}

#[test]
fn a_list_that_fits_no_labels_ends_early() {
    let folder = made(&[
        "data.yaml=train: train.txt\nval: val.txt\nnames: [a]\n",
        "labels/a.txt=row",
        "images/a.jpg",
    ]);
    let lines: Vec<String> = (0..100_100)
        .map(|i| format!("./images/{i}.jpg\n"))
        .collect();
    folder.write("d/train.txt", lines.concat().as_bytes());
    let long = format!("/{}\n", "x".repeat(100_000));
    folder.write("d/val.txt", long.as_bytes());
    let sources = run(&folder.path().join("d"));
    let troubles: Vec<&TroubleKind> = (sources.iter())
        .flat_map(|source| &source.troubles)
        .map(|trouble| &trouble.kind)
        .collect();
    assert!(
        troubles
            .iter()
            .any(|kind| matches!(kind, TroubleKind::Limit(_))),
        "{sources:?}"
    );
    for kind in troubles {
        assert!(format!("{kind:?}").len() < 500, "{kind:?}");
    }
}
