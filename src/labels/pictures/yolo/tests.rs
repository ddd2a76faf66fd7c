use super::*;
use crate::labels::Collected;

#[track_caller]
fn collect(bytes: &[u8]) -> Collected {
    let folder = Folder::new();
    let path: Arc<Path> = folder.write("1.txt", bytes).into();
    let mut sink = Collected::default();
    read(&path, &mut sink).expect("a label file");
    sink
}

use crate::labels::pictures::test_folder::Folder;

fn troubles(sink: &Collected) -> Vec<String> {
    sink.troubles
        .iter()
        .map(|trouble| {
            let line = trouble.place.line.unwrap_or_default();
            match &trouble.kind {
                TroubleKind::BadLine(said) => format!("{line} line: {said}"),
                TroubleKind::BadBox(said) => format!("{line} box: {said}"),
                other => format!("{other:?}"),
            }
        })
        .collect()
}

#[track_caller]
fn check(text: &str, classes: &[f64], expected: &[&str]) {
    let sink = collect(text.as_bytes());
    let stream = sink.streams.first().expect("a stream");
    let found: Vec<String> = stream
        .values
        .values()
        .map(|(n, ..)| n.to_string())
        .collect();
    let classes: Vec<String> = classes
        .iter()
        .map(|&n| Number::from(n).to_string())
        .collect();
    assert_eq!(found, classes, "{text:?}");
    assert_eq!(troubles(&sink), expected, "{text:?}");
}

#[test]
fn rows_of_all_shapes() {
    check(
        "0 0.5 0.5 0.1 0.1\n3\t0.5 0.5\t0.1 0.1\r\n",
        &[0.0, 3.0],
        &[],
    );
    check("", &[], &[]);
    check("\n \r\n", &[], &[]);
    check("1 0.1 0.1 0.2 0.2 0.3 0.1\n", &[1.0], &[]);
    check("1 0.1 0.1 0.2 0.1 0.2 0.2 0.1 0.2\n", &[1.0], &[]);
    // Keypoints with a visibility each, and without.
    check("0 0.5 0.5 0.2 0.2 0.4 0.4 2\n", &[0.0], &[]);
    check("0 0.5 0.5 0.2 0.2 0.4 0.4 2 0.1 0.1 0\n", &[0.0], &[]);
    check("0 0.5 0.5 0.2 0.2 0.4 0.4\n", &[0.0], &[]);
    // The last row has no line end; negative, fractional and odd classes are values all the same.
    check(
        "-1 0.5 0.5 0.1 0.1\n1.5 0.5 0.5 0.1 0.1\n1e2 0.5 0.5 0.1 0.1",
        &[-1.0, 1.5, 100.0],
        &[],
    );
    check("nan 0.5 0.5 0.1 0.1\n", &[f64::NAN], &[]);
    check("1 1.005 0.5 0.1 0.1\n", &[1.0], &[]);
}

#[test]
fn rows_that_are_wrong() {
    check(
        "1 0.5 0.5 0.1\n2 0.5 0.5 0.1 0.1\n",
        &[2.0],
        &["1 line: 4 fields"],
    );
    check("1 0.5 0.5 0.1 0.1 0.9\n", &[], &["1 line: 6 fields"]);
    check(
        "cat 0.5 0.5 0.1 0.1\n",
        &[],
        &["1 line: class \"cat\" is no number"],
    );
    check("1 a 0.5 0.1 0.1\n", &[], &["1 line: \"a\" is no number"]);
    check("0,0.5,0.5,0.1,0.1\n", &[], &["1 line: 1 fields"]);
    check("1 0.5 0.5 0 0.1\n", &[1.0], &["1 box: width 0"]);
    check("1 0.5 0.5 0.1 -0.001\n", &[1.0], &["1 box: height -0.001"]);
    check(
        "1 1.5 0.5 0.1 0.1\n",
        &[1.0],
        &["1 box: 1.5 in field 2 is outside 0..1"],
    );
    check(
        "1 0.5 nan 0.1 0.1\n",
        &[1.0],
        &["1 box: NaN in field 3 is no coordinate"],
    );
    check(
        "1 0.1 0.1 0.2 320 0.3 0.1\n",
        &[1.0],
        &["1 box: 320 in field 5 is outside 0..1"],
    );
    check(
        "1 0.5 0.5 0.1 inf\n",
        &[1.0],
        &["1 box: Infinity in field 5 is no coordinate"],
    );
}

#[test]
fn places_texts_and_odd_numbers() {
    let sink =
        collect(b"\xef\xbb\xbf2.0 0.5 0.5 0.1 0.1\n\n+1 0.5 0.5 0.1 0.1\n007 0.5 0.5 0.1 0.1\n");
    let stream = sink.streams.first().expect("a stream");
    assert_eq!((stream.floats, stream.odd), (1, 2));
    let places: Vec<_> = stream
        .values
        .values()
        .map(|(number, place, text)| (number.as_int(), place.line, place.row, text.clone()))
        .collect();
    assert_eq!(
        places,
        [
            (
                Some(2),
                Some(1),
                Some(0),
                Some("2.0 0.5 0.5 0.1 0.1".to_owned())
            ),
            (
                Some(1),
                Some(3),
                Some(1),
                Some("+1 0.5 0.5 0.1 0.1".to_owned())
            ),
            (
                Some(7),
                Some(4),
                Some(2),
                Some("007 0.5 0.5 0.1 0.1".to_owned())
            ),
        ]
    );
}

#[test]
fn other_encodings_and_no_texts() {
    let utf16: Vec<u8> =
        "3 0.5 0.5 0.1 0.1\r\n"
            .encode_utf16()
            .fold(vec![0xff, 0xfe], |mut bytes, unit| {
                bytes.extend(unit.to_le_bytes());
                bytes
            });
    let sink = collect(&utf16);
    assert_eq!(
        sink.streams.first().map(|stream| stream.values.len()),
        Some(1)
    );
    let folder = Folder::new();
    let path: Arc<Path> = folder.write("1.txt", b"1 0 0 \0\0").into();
    assert!(read(&path, &mut Collected::default()).is_err());
}

#[test]
fn a_flood_of_bad_rows_is_bounded() {
    let sink = collect("1 2\n".repeat(5_000).as_bytes());
    assert_eq!(sink.troubles.len(), MOST_TROUBLES + 1);
}

#[test]
fn floats_are_read_as_the_standard_library_reads_them() {
    for word in [
        "0.5",
        "0.123456789012345",
        "0.000001",
        "0.1",
        "1e-3",
        "0.9999999999999999",
        ".5",
        "-0.0",
    ] {
        let expected: f64 = word.parse().expect("a float");
        assert_eq!(
            float(word.as_bytes()).map(f64::to_bits),
            Some(expected.to_bits()),
            "{word}"
        );
    }
    for word in ["", "0.", "1,5", "0x1", "\u{661}"] {
        assert_eq!(float(word.as_bytes()), word.parse().ok(), "{word}");
    }
}
