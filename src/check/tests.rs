use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::*;
use crate::labels::{Place, TestFolder};

fn npy(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n");
    let length = u16::try_from(header.len()).expect("a short header");
    let mut bytes = b"\x93NUMPY\x01\0".to_vec();
    bytes.extend(length.to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    bytes
}

fn safetensors(header: &str, data: &[u8]) -> Vec<u8> {
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    bytes
}

fn run_on(path: &Path) -> Checked {
    let given = [Given::path(path)];
    let options = CheckOptions::default();
    let cancel = AtomicBool::new(false);
    run(&given, &options, &[], &cancel, &mut |_| {}, None)
}

/// Name, values, different values and whether there is an error, of each file.
#[track_caller]
fn check(path: &Path, expected: &[(&str, u64, u64, bool)]) {
    let checked = run_on(path);
    let found: Vec<_> = (checked.material.files.iter())
        .map(|file| {
            let name = file.path.file_name().unwrap_or_default();
            let name = name.to_string_lossy().into_owned();
            (name, file.values, file.distinct, file.error.is_some())
        })
        .collect();
    let found: Vec<_> = (found.iter())
        .map(|(name, values, distinct, error)| (name.as_str(), *values, *distinct, *error))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn data_beside_labels_is_told_only_where_there_is_nothing_else() {
    let folder = TestFolder::new();
    let features = npy("<f4", "(2, 2)", &[0, 0, 0x60, 0x40].repeat(4));
    let pictures = b"\0\0\x08\x03\0\0\0\x01\0\0\0\x02\0\0\0\x02\x01\x02\x03\x04";
    let alone = folder.write("data/X_train.npy", &features);
    folder.write("data/train-images-idx3-ubyte", pictures);
    let root = alone.parent().expect("a folder").to_owned();
    check(
        &root,
        &[
            ("train-images-idx3-ubyte", 0, 0, true),
            ("X_train.npy", 0, 0, true),
        ],
    );
    folder.write("data/y_train.npy", &npy("|u1", "(3,)", &[0, 1, 1]));
    check(&root, &[("y_train.npy", 3, 2, false)]);
    // A name that says nothing, and what was given itself, are told.
    folder.write("data/part.npy", &features);
    check(
        &root,
        &[("part.npy", 0, 0, true), ("y_train.npy", 3, 2, false)],
    );
    check(&alone, &[("X_train.npy", 0, 0, true)]);
}

#[test]
fn different_values_are_counted_once_a_file() {
    let folder = TestFolder::new();
    let header = r#"{"y_train":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"y_test":{"dtype":"U8","shape":[3],"data_offsets":[4,7]}}"#;
    let path = folder.write(
        "y.safetensors",
        &safetensors(header, &[0, 1, 2, 1, 2, 3, 0]),
    );
    check(&path, &[("y.safetensors", 7, 4, false)]);
}

#[test]
fn labels_under_dotted_keys_are_no_weights() {
    let folder = TestFolder::new();
    let of = |label: &str| {
        format!(
            r#"{{"train.x":{{"dtype":"F32","shape":[2],"data_offsets":[0,8]}},"{label}":{{"dtype":"U8","shape":[2],"data_offsets":[8,10]}}}}"#
        )
    };
    let data = [0; 10];
    let labels = folder.write("a.safetensors", &safetensors(&of("train.y"), &data));
    check(&labels, &[("a.safetensors", 2, 1, false)]);
    let weights = folder.write(
        "b.safetensors",
        &safetensors(&of("train.mask_table"), &data),
    );
    let kinds: Vec<_> = run_on(&weights)
        .sources
        .into_iter()
        .map(|s| s.kind)
        .collect();
    // Weights that state no size say nothing.
    assert_eq!(kinds, [SourceKind::Other]);
}

#[test]
fn keys_that_python_3_wrote_for_python_2() {
    let folder = TestFolder::new();
    let key = |name: &str| {
        let mut bytes = b"c_codecs\nencode\nX".to_vec();
        bytes.extend(u32::try_from(name.len()).unwrap_or_default().to_le_bytes());
        bytes.extend(name.as_bytes());
        bytes.extend(b"X\x06\0\0\0latin1\x86R");
        bytes
    };
    let mut bytes = b"\x80\x02}".to_vec();
    for (name, values) in [("data", b"K\xffK\xfe"), ("fine_labels", b"K\x03K\x04")] {
        bytes.extend(key(name));
        bytes.extend(b"](");
        bytes.extend(values);
        bytes.extend(b"es");
    }
    bytes.push(b'.');
    let path = folder.write("train.pkl", &bytes);
    check(&path, &[("train.pkl", 2, 2, false)]);
    let checked = run_on(&path);
    let keys: Vec<_> = (checked.material.groups.iter())
        .map(|group| group.stream.key.as_deref())
        .collect();
    assert_eq!(keys, [Some("fine_labels")]);
}

#[test]
fn many_class_folders_take_seconds() {
    let folder = TestFolder::new();
    let count = 3000_u64;
    for i in 0..count {
        folder.write(&format!("train/c{i}/x.jpg"), b"x");
    }
    let began = std::time::Instant::now();
    check(
        &folder.path().join("train"),
        &[("train", count, count, false)],
    );
    let checked = run_on(&folder.path().join("train"));
    let seen = checked.material.groups.iter().map(|group| &group.seen);
    let placed = seen
        .flat_map(|seen| seen.values())
        .filter(|at| at.first.path.is_some());
    assert_eq!(placed.count() as u64, count);
    assert!(began.elapsed().as_secs() < 60, "{:?}", began.elapsed());
}

#[test]
fn an_exported_table_is_no_data() {
    let folder = TestFolder::new();
    let labels = folder.write("data/labels.csv", b"image,label\na.png,0\nb.png,9\n");
    let mut table = Vec::new();
    let mut writer = OffenderTable::new(&mut table);
    writer.add(&Offender {
        group: 0,
        breach: None,
        value: crate::findings::Text::Number(9.into()),
        place: Place::file(labels.clone().into()),
        row_text: None,
    });
    assert_eq!(writer.finish().expect("written"), 1);
    let own = folder.write("data/offenders.csv", &table);
    let root = labels.parent().expect("a folder").to_owned();
    for (path, expected) in [
        (root.as_path(), &[("labels.csv", 2, 2, false)][..]),
        (&own, &[]),
    ] {
        check(path, expected);
        let told = run_on(path).findings;
        let told = told.iter().any(|finding| finding.variant == "own-table");
        assert!(told, "{}", path.display());
    }
}

#[test]
fn a_row_that_cannot_be_read_is_no_value() {
    let folder = TestFolder::new();
    let path = folder.write("a.csv", b"image,label\na.png,0\nb.png\nc.png,1\n");
    let checked = run_on(&path);
    assert_eq!(checked.offenders_total, 1);
    assert_eq!(checked.material.files[0].offenders, 0);
}
