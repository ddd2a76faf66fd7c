//! Every fixture of a binary format, read as its name and bytes say; and mutations of each, which must do no harm.

mod made;
mod mutated;

use std::path::Path;
use std::sync::Arc;

use super::array::Array;
use super::dtype::Kind;
use super::held::Input;
use super::{Meta, is_weights, read_meta, sniff_binary, tensors};
use crate::labels::{
    Collected, LabelError, LabelFormat, Place, Region, Role, TroubleKind, Wanted, read,
};
use crate::range_check::Number;

/// One stream as a test compares it.
#[derive(Debug)]
pub(super) struct Read {
    pub key: String,
    pub column: String,
    pub role: Option<Role>,
    pub guessed: bool,
    pub one_hot: Option<u64>,
    pub values: Vec<Number>,
    pub places: Vec<Place>,
    pub names: Vec<String>,
}

fn fixture(name: &str) -> Arc<Path> {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/labels")
        .join(name)
        .into()
}

fn head(path: &Path) -> Vec<u8> {
    let mut bytes = std::fs::read(path).unwrap();
    bytes.truncate(1 << 16);
    bytes
}

/// The values of a region.
fn region_values(region: &Region, input: &Input) -> Vec<Number> {
    let array = Array {
        kind: Kind::Number(region.element),
        unit: region.element.size(),
        big_endian: region.big_endian,
        shape: region.shape.clone(),
        strides: region.strides.clone(),
        offset: region.offset,
        held: input.whole(),
    };
    array.check_view().unwrap();
    array.numbers(input).unwrap()
}

/// What was told, with the values of regions.
pub(super) fn streams(collected: &Collected, input: &Input) -> Vec<Read> {
    let one = |stream: &crate::labels::CollectedStream| {
        let mut values: Vec<Number> = stream.values.values().map(|(n, ..)| *n).collect();
        let mut places: Vec<Place> = stream
            .values
            .values()
            .map(|(_, place, _)| place.clone())
            .collect();
        for region in &stream.regions {
            values.extend(region_values(region, input));
            places.push(region.common.clone());
        }
        let text = |text: &Option<Arc<str>>| text.as_deref().unwrap_or_default().to_owned();
        Read {
            key: text(&stream.stream.key),
            column: text(&stream.stream.column),
            role: stream.stream.role,
            guessed: stream.stream.guessed,
            one_hot: stream.stream.one_hot,
            values,
            places,
            names: stream.names.iter().map(|(name, _)| name.clone()).collect(),
        }
    };
    collected.streams.iter().map(one).collect()
}

fn read_file(path: &Arc<Path>, wanted: &Wanted) -> Result<(Vec<Read>, Collected), LabelError> {
    let format = sniff_binary(path, &head(path))?.ok_or(LabelError::Unknown)?;
    let mut collected = Collected::default();
    read(path, format, wanted, &mut collected)?;
    let input = Input::open(path).unwrap();
    Ok((streams(&collected, &input), collected))
}

/// Key or column of each stream, how many values, smallest and largest.
#[track_caller]
fn check(name: &str, expected: &[(&str, usize, i64, i64)]) -> Vec<Read> {
    let (read, _) = read_file(&fixture(name), &Wanted::default()).unwrap();
    let found: Vec<_> = read
        .iter()
        .map(|one| {
            let name = if one.column.is_empty() {
                &one.key
            } else {
                &one.column
            };
            let ends = (one.values.iter().min(), one.values.iter().max());
            let (min, max) = (*ends.0.unwrap(), *ends.1.unwrap());
            (name.as_str(), one.values.len(), min, max)
        })
        .collect();
    let expected: Vec<_> = expected
        .iter()
        .map(|&(name, count, min, max)| (name, count, Number::from(min), Number::from(max)))
        .collect();
    assert_eq!(found, expected);
    read
}

#[track_caller]
fn fails(name: &str, expected: &str) {
    let error = read_file(&fixture(name), &Wanted::default()).unwrap_err();
    assert!(format!("{error:?}").contains(expected), "{name}: {error:?}");
}

#[test]
fn numpy_arrays() {
    let int64 = check("npy_int64/labels.npy", &[("", 1000, 0, 12)]);
    assert_eq!(int64[0].values[417], Number::from(10));
    assert_eq!(
        (int64[0].role, int64[0].guessed),
        (Some(Role::Class), false)
    );
    check("npy_big_endian/labels.npy", &[("", 64, 0, 7)]);
    check("npy_struct/table.npy", &[("label", 30, 0, 3)]);
    check("npy_wrapped/labels_u8.npy", &[("", 400, 0, 255)]);
    check("npy_python2/win64python2.npy", &[("", 2, 1, 1)]);
    check("npy_version2/v2.npy", &[("", 6, 0, 5)]);
    check("npy_scalar/y.npy", &[("", 1, 4, 4)]);
    check("npy_brats/HGG_val1_label_cropped.npy", &[("", 10, 0, 3)]);
    check("npy_float_ints/y.npy", &[("", 5, 0, 2)]);
    check("ckpt_bin/input_ids.npy", &[("", 8, 0, 40)]);
    let fortran = check("npy_fortran/grid.npy", &[("", 600, 0, 99)]);
    assert_eq!(fortran[0].values[3 * 30 + 7], Number::from(99));
    let one_hot = check("npy_onehot/y.npy", &[("", 18, 0, 5)]);
    assert_eq!(one_hot[0].one_hot, Some(6));
    let (float, _) = read_file(&fixture("npy_float/y.npy"), &Wanted::default()).unwrap();
    assert_eq!(float[0].values[2], Number::from(2.5));
    assert!(float[0].values[4].is_infinite());
    let (names, _) = read_file(&fixture("npy_names/labels.npy"), &Wanted::default()).unwrap();
    assert_eq!(names[0].names, ["cat", "dog", "cat", "bird"]);
}

#[test]
fn archives_and_tensors() {
    check(
        "npz_medmnist/pathmnist.npz",
        &[
            ("train_labels", 20, 0, 8),
            ("val_labels", 6, 0, 5),
            ("test_labels", 8, 0, 9),
        ],
    );
    check("pt_tensor/labels.pt", &[("", 200, 0, 5)]);
    check("pt_tuple/training.pt", &[("[1]", 60, 0, 9)]);
    check("pt_dict/dict.pt", &[("labels", 4, -1, 2)]);
    check("pt_list/list.pt", &[("", 6, 0, 4)]);
    check("pt_view/view.pt", &[("labels", 10, 3, 21)]);
    check("pt_real_int64/int64.pt", &[("tensor", 4, -200, 300)]);
    check("hostile_pt_good/train.pt", &[("labels", 6, 0, 3)]);
    let (_, told) = read_file(&fixture("hostile_pt_good/train.pt"), &Wanted::default()).unwrap();
    assert_eq!(
        told.troubles[0].kind,
        TroubleKind::CodeNotRun("nt.system".to_owned())
    );
}

#[test]
fn pickles() {
    check("pkl_list/labels.pkl", &[("", 7, 0, 4)]);
    check(
        "pkl_shared/shared.pkl",
        &[("train_labels", 4, 0, 5), ("val_labels", 4, 0, 5)],
    );
    check("cifar10/test_batch", &[("labels", 4, 1, 3)]);
}

#[test]
fn idx_and_tokens() {
    check(
        "idx_letters/emnist-letters-train-labels-idx1-ubyte.gz",
        &[("", 130, 1, 26)],
    );
    check("idx_real/t10k-labels-idx1-ubyte.gz", &[("", 3, 0, 2)]);
    let int32 = check("idx_int32/qmnist-labels.idx2-int", &[("", 8, -1, 10)]);
    assert_eq!(int32[0].values[5], Number::from(10));
    check("nanogpt/train.bin", &[("", 500, 0, 64)]);
    check("nanogpt/val.bin", &[("", 120, 0, 65)]);
    let (cut, told) = read_file(
        &fixture("idx_cut/train-labels-idx1-ubyte.gz"),
        &Wanted::default(),
    )
    .unwrap();
    let read = cut[0].values.len() as u64;
    assert!(read > 0 && read < 5000);
    assert_eq!(
        told.troubles[0].kind,
        TroubleKind::CutShort { read, of: 5000 }
    );
}

#[test]
fn what_cannot_be_read_says_why() {
    for (name, expected) in [
        ("npy_object/py3-objarr.npy", "PickledObjects"),
        ("cut_npy/labels.npy", "CutShort { read: 484, of: 1000 }"),
        (
            "hostile_npy_shape/huge.npy",
            "CutShort { read: 10, of: 1000000000000 }",
        ),
        ("hostile_npy_code/code.npy", "no plain literal"),
        ("hostile_pickle/data.pkl", "CodeOnly(\"posix.system\")"),
        ("hostile_pickle_deep/deep.pkl", "TooDeep"),
        ("hostile_pt_stride/oob.pt", "beyond the end"),
        ("hostile_idx/train-labels-idx1-ubyte", "too large"),
        ("hostile_safetensors/model.safetensors", "a header of"),
        ("cut_pt/labels.pt", "cut short"),
        ("lfs_pointer/train.npy", "LfsPointer"),
        ("noise/labels.dat", "Unknown"),
        ("wrong_extension/labels.npy", "PNG"),
        ("pt_real_broken/broken.pt", "text"),
        ("cut_h5/train.h5", "HDF5"),
        ("h5_gzip/train.h5", "HDF5"),
        ("mat_v5", "MATLAB"),
        ("mat_v4", "MATLAB"),
        ("parquet_real", "Parquet"),
        ("feather_file", "F"),
        ("xlsx", "Excel"),
        ("megatron", "Megatron"),
        ("tfrecord", "TFRecord"),
        ("webdataset", "tar"),
        ("hostile_megatron/x.bin", "Megatron"),
        ("ckpt_bin/pytorch_model.bin", "NoLabels"),
        ("ckpt_safetensors/model.safetensors", "NoLabels"),
    ] {
        let path = fixture(name);
        if path.is_dir() {
            for file in std::fs::read_dir(&path).unwrap() {
                let file: Arc<Path> = file.unwrap().path().into();
                if file.extension().is_some_and(|end| end == "pbtxt") {
                    continue;
                }
                let error = sniff_binary(&file, &head(&file));
                assert!(
                    format!("{error:?}").contains(expected),
                    "{}: {error:?}",
                    file.display()
                );
            }
        } else {
            fails(name, expected);
        }
    }
    // The directory lies about the size that the entry unpacks to; the array itself does not.
    check("hostile_npz_size/lie.npz", &[("labels", 3, 0, 2)]);
}

#[test]
fn text_is_left_to_others() {
    for name in [
        "csv_iris/iris.csv",
        "csv_digits/digits.csv.gz",
        "json_iris/iris.json",
        "coco_results/instances_val2014_fakebbox100_results.json",
        "csv_utf16/export.txt",
        "fasttext/labels.txt",
        "yolo_class_eq_nc/data.yaml",
    ] {
        let path = fixture(name);
        assert_eq!(sniff_binary(&path, &head(&path)), Ok(None), "{name}");
    }
}

#[test]
fn weights() {
    for (name, expected) in [
        ("ckpt_bin/pytorch_model.bin", true),
        ("ckpt_safetensors/model.safetensors", true),
        ("pt_dict/dict.pt", false),
        ("pt_tensor/labels.pt", false),
        ("cifar10/test_batch", false),
        ("cut_pt/labels.pt", false),
    ] {
        assert_eq!(is_weights(&fixture(name)), expected, "{name}");
    }
    let infos = tensors(&fixture("ckpt_bin/pytorch_model.bin")).unwrap();
    let names: Vec<_> = infos
        .iter()
        .map(|info| (info.name.as_str(), info.shape.as_slice()))
        .collect();
    assert_eq!(
        names,
        [
            ("model.embed_tokens.weight", [40, 4].as_slice()),
            ("lm_head.weight", &[40, 4]),
            ("norm.bias", &[4]),
        ]
    );
    let infos = tensors(&fixture("ckpt_safetensors/model.safetensors")).unwrap();
    assert_eq!(infos[2].name, "model.embed_tokens.weight");
    assert_eq!(infos[2].shape, [50, 4]);
}

#[test]
fn small_pickles_beside_a_data_set() {
    let meta = read_meta(&fixture("nanogpt/meta.pkl")).unwrap();
    assert_eq!(meta.vocab_size, Some(65));
    let meta = read_meta(&fixture("cifar10/batches.meta")).unwrap();
    let names = ["airplane", "automobile", "bird", "cat"].map(str::to_owned);
    assert_eq!(
        meta,
        Meta {
            vocab_size: None,
            label_names: names.into()
        }
    );
    assert!(read_meta(&fixture("pkl_list/labels.pkl")).is_err());
}

#[test]
fn a_named_column() {
    let read_column = |name: &str, column: &str| {
        let wanted = Wanted {
            column: Some(column.to_owned()),
            ..Wanted::default()
        };
        read_file(&fixture(name), &wanted).map(|(read, _)| read)
    };
    let ids = read_column("npy_struct/table.npy", "id").unwrap();
    assert_eq!((ids[0].column.as_str(), ids[0].values.len()), ("id", 30));
    let val = read_column("npz_medmnist/pathmnist.npz", "val_labels").unwrap();
    assert_eq!((val.len(), val[0].values.len()), (1, 6));
    let first = read_column("idx_int32/qmnist-labels.idx2-int", "0").unwrap();
    assert_eq!(first[0].values.len(), 4);
    let error = read_column("pt_dict/dict.pt", "targets").unwrap_err();
    assert!(
        matches!(error, LabelError::NoSuchColumn { found, .. } if found.contains(&"labels".to_owned()))
    );
}

#[test]
fn a_format_that_is_none_of_arrays() {
    let mut collected = Collected::default();
    let path = fixture("npy_int64/labels.npy");
    let read = super::read_bytes(
        &path,
        vec![1],
        LabelFormat::Table,
        &Wanted::default(),
        &mut collected,
    );
    assert_eq!(read, Err(LabelError::Unknown));
}
