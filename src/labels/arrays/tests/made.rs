//! Made files of the kinds that users have and no fixture shows.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use super::super::held::Input;
use super::super::read_bytes;
use super::{Read, streams};
use crate::labels::{Collected, LabelError, LabelFormat, Role, Trouble, TroubleKind, Wanted};
use crate::range_check::Number;

/// A `.npy` of version 1.
fn npy(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    bytes
}

fn i64s(values: &[i64]) -> Vec<u8> {
    values.iter().flat_map(|n| n.to_le_bytes()).collect()
}

fn f32s(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|n| n.to_le_bytes()).collect()
}

fn zip(entries: &[(&str, &[u8])], deflate: bool) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let method = if deflate {
        zip::CompressionMethod::Deflated
    } else {
        zip::CompressionMethod::Stored
    };
    let options = zip::write::SimpleFileOptions::default().compression_method(method);
    for (name, bytes) in entries {
        writer.start_file(*name, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn read_as(
    name: &str,
    bytes: Vec<u8>,
    format: LabelFormat,
) -> Result<(Vec<Read>, Vec<Trouble>), LabelError> {
    let path: Arc<Path> = Path::new(name).into();
    let mut collected = Collected::default();
    let input = Input::of_bytes(&path, bytes.clone());
    read_bytes(&path, bytes, format, &Wanted::default(), &mut collected)?;
    let read = streams(&collected, &input);
    Ok((read, collected.troubles))
}

#[track_caller]
fn check(
    name: &str,
    bytes: Vec<u8>,
    format: LabelFormat,
    expected: &[(&str, Option<Role>, &[i64])],
) {
    let (read, _) = read_as(name, bytes, format).unwrap();
    let found: Vec<_> = read
        .iter()
        .map(|one| {
            let name = if one.column.is_empty() {
                &one.key
            } else {
                &one.column
            };
            (name.as_str(), one.role, one.values.clone())
        })
        .collect();
    let expected: Vec<_> = expected
        .iter()
        .map(|&(name, role, values)| {
            (
                name,
                role,
                values.iter().map(|&n| Number::from(n)).collect::<Vec<_>>(),
            )
        })
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn numpy_files_by_name_and_type() {
    use LabelFormat::Npy;
    let class = Some(Role::Class);
    check(
        "y.npy",
        npy("'<i8'", "(3,)", &i64s(&[1, 2, 7])),
        Npy,
        &[("", class, &[1, 2, 7])],
    );
    check(
        "a.npy",
        npy("'<i8'", "(2,)", &i64s(&[1, 2])),
        Npy,
        &[("", None, &[1, 2])],
    );
    let floats = f32s(&[0.5, 0.25, 0.25, 0.0, 1.0, 0.0]);
    let (read, _) = read_as("y.npy", npy("'<f4'", "(2, 3)", &floats), Npy).unwrap();
    assert_eq!(read[0].role, Some(Role::Probability));
    let (read, _) = read_as("logits.npy", npy("'<f4'", "(2, 3)", &floats), Npy).unwrap();
    assert_eq!(read[0].role, Some(Role::Logits));
    let multi = f32s(&[1.0, 1.0, 0.0, 0.0, 1.0, 0.0]);
    let (read, _) = read_as("labels.npy", npy("'<f4'", "(2, 3)", &multi), Npy).unwrap();
    assert_eq!(read[0].role, Some(Role::MultiLabel));
    let features = f32s(&[1.5, -2.0, 0.0, 0.0, 1.0, 0.0]);
    let none = read_as("embeddings.npy", npy("'<f4'", "(2, 3)", &features), Npy);
    assert!(matches!(none, Err(LabelError::NoLabels { .. })));
    let none = read_as("arr.npy", npy("'<f4'", "(2, 3)", &features), Npy);
    assert!(matches!(none, Err(LabelError::NoLabels { .. })));
    for (descr, expected) in [
        ("'<c16'", "<c16"),
        ("'<M8[ns]'", "<M8[ns]"),
        ("'<f16'", "<f16"),
    ] {
        let error = read_as("y.npy", npy(descr, "(1,)", &[0; 16]), Npy).unwrap_err();
        assert_eq!(error, LabelError::ElementType(expected.to_owned()));
    }
    let (_, troubles) = read_as("y.npy", npy("'<i4'", "(1,)", &[0; 4]), Npy).unwrap();
    assert_eq!(troubles[0].kind, TroubleKind::NotInt64("int32"));
    let nested = npy(
        "[('a', '<i2', (2,)), ('b', [('label', '|u1')])]",
        "(1,)",
        &[0, 0, 0, 0, 7],
    );
    check("t.npy", nested, Npy, &[("a", None, &[0, 0])]);
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gz.write_all(&npy("'<i8'", "(3,)", &i64s(&[1, 2, 7])))
        .unwrap();
    check(
        "y.npy.gz",
        gz.finish().unwrap(),
        Npy,
        &[("", class, &[1, 2, 7])],
    );
}

#[test]
fn archives_of_arrays() {
    let labels = npy("'<i8'", "(2,)", &i64s(&[3, 4]));
    let images = npy("'|u1'", "(2, 8, 8)", &[0; 128]);
    let ids = npy("'<i8'", "(1, 2)", &i64s(&[5, 6]));
    for deflate in [false, true] {
        let file = zip(
            &[
                ("x.npy", &images),
                ("labels.npy", &labels),
                ("input_ids.npy", &ids),
            ],
            deflate,
        );
        check(
            "d.npz",
            file,
            LabelFormat::Npz,
            &[
                ("labels", Some(Role::Class), &[3, 4]),
                ("input_ids", Some(Role::Token), &[5, 6]),
            ],
        );
        let file = zip(&[("arr_0.npy", &images), ("arr_1.npy", &labels)], deflate);
        check("d.npz", file, LabelFormat::Npz, &[("arr_1", None, &[3, 4])]);
    }
    let bad = npy("'<i8'", "(9,)", &i64s(&[3, 4]));
    let file = zip(&[("test_labels.npy", &bad), ("labels.npy", &labels)], false);
    let (read, troubles) = read_as("d.npz", file, LabelFormat::Npz).unwrap();
    assert_eq!(read[0].values.len(), 2);
    assert_eq!(troubles[0].kind, TroubleKind::CutShort { read: 2, of: 9 });
    // A gigabyte of zeros.
    let zeros = zip(
        &[("y.npy", &npy("'|u1'", "(1000000000,)", &vec![0; 1 << 20]))],
        true,
    );
    let bomb = read_as("d.npz", zeros, LabelFormat::Npz).unwrap_err();
    assert!(matches!(bomb, LabelError::UnpacksTooLarge { .. }));
}

/// Small pickles, written by hand.
#[test]
fn pickles_of_all_protocols() {
    use LabelFormat::Pickle;
    let class = Some(Role::Class);
    check(
        "y.pkl",
        b"(lp0\nI1\naI2\naL3L\na.".to_vec(),
        Pickle,
        &[("", None, &[1, 2, 3])],
    );
    check(
        "y.pkl",
        b"(dp0\nS'labels'\np1\n(lp2\nI1\naI2\nas.".to_vec(),
        Pickle,
        &[("labels", class, &[1, 2])],
    );
    // {b'labels': [..]}, as written again by Python 3.
    check(
        "b",
        b"\x80\x04}C\x06labels](K\x01K\x02es.".to_vec(),
        Pickle,
        &[("labels", class, &[1, 2])],
    );
    // A list of dicts, one a sample.
    let records = b"\x80\x02](}(X\x05\x00\x00\x00labelK\x01X\x01\x00\x00\x00fX\x01\x00\x00\x00au}(X\x05\x00\x00\x00labelK\x07X\x01\x00\x00\x00fX\x01\x00\x00\x00bue.";
    check(
        "d.pkl",
        records.to_vec(),
        Pickle,
        &[("label", class, &[1, 7])],
    );
    // A list of (path, label).
    let pairs = b"\x80\x02](X\x01\x00\x00\x00aK\x01\x86X\x01\x00\x00\x00bK\x05\x86e.";
    check("d.pkl", pairs.to_vec(), Pickle, &[("[1]", None, &[1, 5])]);
    // Lists of lists: row and position.
    let (read, _) = read_as(
        "ids.pkl",
        b"\x80\x02](](K\x01K\x02e](K\x03ee.".to_vec(),
        Pickle,
    )
    .unwrap();
    let places: Vec<_> = read[0].places.iter().map(|p| (p.row, p.position)).collect();
    assert_eq!(
        places,
        [(Some(0), Some(0)), (Some(0), Some(1)), (Some(1), Some(0))]
    );
    // None and floats.
    let (read, _) = read_as(
        "y.pkl",
        b"\x80\x02](K\x01NG\x3f\xf0\0\0\0\0\0\0e.".to_vec(),
        Pickle,
    )
    .unwrap();
    assert_eq!(read[0].values, [Number::from(1), Number::from(1)]);
    // A list that holds itself.
    assert!(read_as("y.pkl", b"\x80\x02]q\x00h\x00a.".to_vec(), Pickle).is_err());
}

#[test]
fn what_other_programs_pickled() {
    use LabelFormat::Pickle;
    let frame = b"\x80\x02cpandas.core.frame\nDataFrame\n)\x81}b.".to_vec();
    assert_eq!(
        read_as("d.pkl", frame, Pickle).unwrap_err(),
        LabelError::ForeignPickle("pandas DataFrame".to_owned())
    );
    let model = b"\x80\x02c__main__\nNet\n)\x81}b.".to_vec();
    assert_eq!(
        read_as("m.pkl", model, Pickle).unwrap_err(),
        LabelError::ForeignPickle("__main__.Net".to_owned())
    );
    let hidden = b"\x80\x02}(X\x06\x00\x00\x00labels](K\x01K\x02eX\x01\x00\x00\x00cc__builtin__\neval\nX\x01\x00\x00\x001\x85Ru.".to_vec();
    let (read, troubles) = read_as("d.pkl", hidden, Pickle).unwrap();
    assert_eq!(read[0].values.len(), 2);
    assert_eq!(
        troubles[0].kind,
        TroubleKind::CodeNotRun("__builtin__.eval".to_owned())
    );
}

/// A tensor pickled in the form that `torch.save` had before its ZIP files.
#[test]
fn the_old_form_of_torch() {
    let mut file =
        b"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.\x80\x02M\xe9\x03.".to_vec();
    file.extend(b"\x80\x02}X\x0d\x00\x00\x00little_endian\x88s.");
    file.extend(b"\x80\x02}X\x01\x00\x00\x00yctorch._utils\n_rebuild_tensor_v2\n((X\x07\x00\x00\x00storagectorch\nIntStorage\nX\x01\x00\x00\x007X\x03\x00\x00\x00cpuK\x03NtQK\x01K\x02\x85K\x01\x85\x89ccollections\nOrderedDict\n)RtRs.");
    file.extend(b"\x80\x02]X\x01\x00\x00\x007a.");
    file.extend(3_i64.to_le_bytes());
    for n in [9_i32, 1, 4] {
        file.extend(n.to_le_bytes());
    }
    check(
        "old.pt",
        file.clone(),
        LabelFormat::Torch,
        &[("y", Some(Role::Class), &[1, 4])],
    );
    file.truncate(file.len() - 4);
    assert!(matches!(
        read_as("old.pt", file, LabelFormat::Torch),
        Err(LabelError::Malformed { .. })
    ));
}

#[test]
fn expanded_and_absurd_views() {
    let pickle = |size: &str, stride: &str| {
        let mut pickle = b"\x80\x02ctorch._utils\n_rebuild_tensor_v2\n((X\x07\x00\x00\x00storagectorch\nLongStorage\nX\x01\x00\x00\x000X\x03\x00\x00\x00cpuK\x02tQI0\n".to_vec();
        pickle.extend(format!("({size}t({stride}t").bytes());
        pickle.extend(b"\x89NtR.");
        pickle
    };
    let file = |size: &str, stride: &str| {
        zip(
            &[
                ("a/data.pkl", &pickle(size, stride)),
                ("a/data/0", &i64s(&[2, 3])),
            ],
            false,
        )
    };
    let huge = file("I1000000000000\nI2\n", "I0\nI1\n");
    check("y.pt", huge, LabelFormat::Torch, &[("", None, &[2, 3])]);
    for (size, stride) in [
        ("I-1\n", "I1\n"),
        ("I9223372036854775807\n", "I9223372036854775807\n"),
        ("I2\nI2\nI2\n", "I1\n"),
        ("I3\n", "I1\n"),
    ] {
        let read = read_as("y.pt", file(size, stride), LabelFormat::Torch);
        assert!(
            matches!(read, Err(LabelError::Malformed { .. })),
            "{size} {stride}"
        );
    }
}

#[test]
fn tokens_of_both_widths() {
    use LabelFormat::Tokens;
    let token = Some(Role::Token);
    let wide: Vec<u8> = (0..40_u32).flat_map(|n| (n * 3001).to_le_bytes()).collect();
    let values: Vec<i64> = (0..40).map(|n| n * 3001).collect();
    check("train.bin", wide, Tokens, &[("", token, &values)]);
    let mut header = vec![0; 1024];
    header[..4].copy_from_slice(&20_240_520_u32.to_le_bytes());
    header[8..12].copy_from_slice(&2_u32.to_le_bytes());
    header.extend([5, 0, 6, 0]);
    check("val.bin", header, Tokens, &[("", token, &[5, 6])]);
    let (_, troubles) = read_as("odd.bin", vec![1, 0, 2], Tokens).unwrap();
    assert_eq!(troubles[0].kind, TroubleKind::CutShort { read: 2, of: 3 });
}

#[test]
fn idx_pictures_are_no_labels() {
    let mut pictures = vec![0, 0, 8, 3];
    for n in [1_u32, 2, 2] {
        pictures.extend(n.to_be_bytes());
    }
    pictures.extend([0; 4]);
    assert!(matches!(
        read_as("train-images-idx3-ubyte", pictures, LabelFormat::Idx),
        Err(LabelError::NotLabels(_))
    ));
    let cut = vec![0, 0, 8, 1, 0, 0, 0, 9, 4, 5];
    let (read, troubles) = read_as("labels-idx1-ubyte", cut, LabelFormat::Idx).unwrap();
    assert_eq!(read[0].values.len(), 2);
    assert_eq!(troubles[0].kind, TroubleKind::CutShort { read: 2, of: 9 });
}
