use std::fmt::Write as _;

use super::*;
use crate::labels::Role;

const T: LabelFormat = LabelFormat::Table;

/// Which columns are read of a table, their values, and whether they were guessed.
#[track_caller]
fn check(table: &str, expected: &[(&str, &[&str], bool)]) {
    let found = text("t.csv", T, table, &Wanted::default());
    let found: Vec<_> = found
        .streams
        .iter()
        .map(|s| {
            let column = s.stream.column.as_deref().unwrap_or("-").to_owned();
            let mut all = values(s);
            all.extend(s.names.iter().map(|(n, _)| n.clone()));
            (column, all, s.stream.guessed)
        })
        .collect();
    let expected: Vec<_> = expected
        .iter()
        .map(|(c, v, g)| {
            let v: Vec<String> = v.iter().map(ToString::to_string).collect();
            ((*c).to_owned(), v, *g)
        })
        .collect();
    assert_eq!(found, expected, "{table:?}");
}

#[test]
fn columns_are_chosen() {
    check(
        "file,label\na.jpg,1\nb.jpg,2\n",
        &[("label", &["1", "2"], false)],
    );
    check(
        "file;Class ID\na,1;2\nb,3;4\n",
        &[("Class ID", &["2", "4"], false)],
    );
    check(
        "id\tTarget\tx\n0\t5\t1,5\n1\t6\t2,5\n",
        &[("Target", &["5", "6"], false)],
    );
    check("a|y\n0.5|3\n0.1|4\n", &[("y", &["3", "4"], false)]);
    // Names beside ids are left alone; coordinates are no labels.
    check(
        "label,label_name\n1,cat\n2,dog\n",
        &[("label", &["1", "2"], false)],
    );
    check(
        "x,y,class\n1,2,7\n1,3,8\n",
        &[("class", &["7", "8"], false)],
    );
    check(
        "label,fine_label\n1,3\n2,4\n",
        &[
            ("label", &["1", "2"], false),
            ("fine_label", &["3", "4"], false),
        ],
    );
    check("label\n3\n1\n", &[("label", &["3", "1"], false)]);
    // Without telling names.
    check(
        "image,diagnosis\na.png,3\nb.png,0\n",
        &[("diagnosis", &["3", "0"], true)],
    );
    check("a.png,3\nb.png,0\n", &[("1", &["3", "0"], true)]);
    check(
        "3,some text\n1,other text\n2,third\n",
        &[("0", &["3", "1", "2"], true)],
    );
    check(
        "0,0.5,1\n1,0.6,0\n2,0.7,1\n",
        &[("2", &["1", "0", "1"], true)],
    );
    check(
        "5.1,3.5,cat\n4.9,3.0,cat\n7.0,3.2,dog\n6.9,3.3,dog\n",
        &[("2", &["cat", "cat", "dog", "dog"], true)],
    );
    check(
        "0\t3.000000\ta/1.jpg\n1\t4.000000\ta/2.jpg\n",
        &[("1", &["3", "4"], false)],
    );
    // R's row names have no header.
    check(
        "a,label\n1,0.5,3\n2,0.7,4\n",
        &[("label", &["3", "4"], false)],
    );
    // A title above the table.
    check(
        "Export of today\nid,kind,label\n1,a,3\n2,b,4\n",
        &[("label", &["3", "4"], false)],
    );
    check(
        "# by a tool\nid,kind,label\n1,a,3\n",
        &[("label", &["3"], false)],
    );
    // pandas numbers columns without names.
    check(
        "0,1,2,label\n5,6,7,1\n5,6,8,2\n",
        &[("label", &["1", "2"], false)],
    );
    check(
        "text,input_ids\na,\"[1, 2]\"\nb,[3]\n",
        &[("input_ids", &["1", "2", "3"], false)],
    );
}

#[test]
fn nothing_to_choose() {
    for (table, found) in [
        ("1,2\n4,3\n9,9\n", &["0", "1"][..]),
        ("1,7,10\n2,4,11\n1,4,12\n3,4,13\n", &["0", "1", "2"]),
        ("7,x\n4,y\n7,x\n4,y\n", &["0", "1"]),
        (
            "name,age,weight,height\na,3,4,5\nb,6,1,8\n",
            &["name", "age", "weight", "height"],
        ),
    ] {
        let temp = Temp::new("t.csv", table.as_bytes());
        let found: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert_eq!(
            error(&temp.path(), T, &Wanted::default()),
            Err(LabelError::NoLabels { found }),
            "{table}"
        );
    }
}

#[test]
fn a_wanted_column() {
    let table = "User ID,movieId,Rating\n1,7,4\n2,8,5\n";
    let found = text("t.csv", T, table, &column("MOVIEID"));
    assert_eq!(values(&found.streams[0]), ["7", "8"]);
    assert_eq!(found.streams[0].stream.role, Some(Role::Token));
    assert_eq!(
        values(&text("t.csv", T, table, &column("2")).streams[0]),
        ["4", "5"]
    );
    let temp = Temp::new("t.csv", table.as_bytes());
    assert!(matches!(
        error(&temp.path(), T, &column("label")),
        Err(LabelError::NoSuchColumn { found, .. }) if found.len() == 3
    ));
    let wanted = Wanted {
        role: Some(Role::Token),
        ..Wanted::default()
    };
    let found = text("t.csv", T, table, &wanted);
    let columns: Vec<_> = found
        .streams
        .iter()
        .filter_map(|s| s.stream.column.as_deref())
        .collect();
    assert_eq!(columns, ["User ID", "movieId"]);
}

#[test]
fn places_and_texts() {
    let table = "label,text\r\n0,\"two\r\nlines\"\r\n\r\n7,plain\r\n";
    let found = text("t.csv", T, table, &Wanted::default());
    let stream = &found.streams[0];
    assert_eq!(first(stream, 0), [Some(2), Some(0), None]);
    assert_eq!(first(stream, 7), [Some(5), Some(1), None]);
    let (_, place, row) = &stream.values[&1];
    assert_eq!(place.column.as_deref(), Some("label"));
    assert_eq!(row.as_deref(), Some("7,plain"));
}

#[test]
fn many_rows_keep_their_places() {
    let mut table = "id,label\n".to_owned();
    for row in 0..20_000 {
        let _ = writeln!(table, "{row},{}", row % 7);
    }
    table += "20000,99\n";
    let found = text("t.csv", T, &table, &Wanted::default());
    assert_eq!(found.streams[0].values.len(), 20_001);
    assert_eq!(
        first(&found.streams[0], 99),
        [Some(20_002), Some(20_000), None]
    );
    assert_eq!(
        found.streams[0].values[&20_000].2.as_deref(),
        Some("20000,99")
    );
}

#[test]
fn bad_rows_are_told() {
    let table = "id,text,label\n1,a,3\n2\n3,b, c,d,1\n4,e,5\n\"5,f,6\n6,g,7\n";
    let found = text("t.csv", T, table, &Wanted::default());
    assert_eq!(values(&found.streams[0]), ["3", "5", "7"]);
    let bad: Vec<_> = found
        .troubles
        .iter()
        .map(|t| (t.place.line, t.place.row))
        .collect();
    assert_eq!(
        bad,
        [(Some(3), Some(1)), (Some(4), Some(2)), (Some(6), Some(4))]
    );
    assert!(
        kinds(&found)
            .iter()
            .all(|k| matches!(k, TroubleKind::BadLine(_))),
        "{found:?}"
    );
}

#[test]
fn odd_numbers_missing_and_lost_digits() {
    let table = "id,label\n1,+1\n2,\n3,N/A\n4,9007199254740993.0\n5,2.0\n";
    let found = text("t.csv", T, table, &Wanted::default());
    let stream = &found.streams[0];
    assert_eq!((stream.floats, stream.odd, stream.missing.len()), (2, 1, 2));
    assert_eq!(stream.missing[0].line, Some(3));
    assert!(
        matches!(kinds(&found)[..], [TroubleKind::LostDigits(_)]),
        "{found:?}"
    );
    let wanted = Wanted {
        names: vec!["N/A".to_owned()].into(),
        ..Wanted::default()
    };
    let found = text("t.csv", T, table, &wanted);
    assert_eq!(names(&found.streams[0]), ["N/A"]);
}

#[test]
fn one_hot_and_multi_label() {
    let one = "file,a,b,c\n1.png,1,0,0\n2.png,0,0,1\n";
    let found = text("t.csv", T, one, &Wanted::default());
    assert_eq!(found.streams[0].stream.one_hot, Some(3));
    assert_eq!(values(&found.streams[0]), ["0", "2"]);
    let classes = found.streams[0].stream.classes.as_ref().expect("classes");
    assert_eq!(classes.names, ["a", "b", "c"]);
    // A row far behind the sample decides.
    let mut many = "file,a,b,c\n".to_owned();
    many.push_str(&"x.png,1,0,0\n".repeat(700));
    many.push_str("y.png,1,1,0\n");
    let found = text("t.csv", T, &many, &Wanted::default());
    assert_eq!(found.streams[0].stream.role, Some(Role::MultiLabel));
    assert_eq!(found.streams[0].values.len(), 2103);
}

#[test]
fn other_encodings() {
    let latin = b"id,label\n1,caf\xe9\n2,th\xe9\n";
    let found = collect(&Temp::new("t.csv", latin).path(), T, &Wanted::default());
    assert_eq!(names(&found.streams[0]), ["café", "thé"]);
    assert_eq!(found.troubles.len(), 1);
    assert!(matches!(
        kinds(&found)[..],
        [TroubleKind::OtherEncoding("windows-1252")]
    ));
    for big in [false, true] {
        let mut bytes = if big {
            vec![0xfe, 0xff]
        } else {
            vec![0xff, 0xfe]
        };
        for unit in "id\tlabel\r\nü\t4\r\n".encode_utf16() {
            bytes.extend(if big {
                unit.to_be_bytes()
            } else {
                unit.to_le_bytes()
            });
        }
        let found = collect(&Temp::new("t.txt", &bytes).path(), T, &Wanted::default());
        assert_eq!(values(&found.streams[0]), ["4"]);
        assert_eq!(found.streams[0].values[&0].2.as_deref(), Some("ü\t4"));
    }
}

#[test]
fn old_line_ends() {
    let found = text("t.csv", T, "id,label\r1,4\r2,5\r", &Wanted::default());
    assert_eq!(first(&found.streams[0], 5), [Some(3), Some(1), None]);
}

#[test]
fn empty_tables() {
    let found = text("t.csv", T, "file,label\n", &Wanted::default());
    assert!(matches!(
        kinds(&found)[..],
        [TroubleKind::Empty { class: None }]
    ));
    for bytes in [&b""[..], b"\n \n", b"\xef\xbb\xbf"] {
        let temp = Temp::new("t.csv", bytes);
        let error = error(&temp.path(), T, &Wanted::default());
        assert_eq!(
            error,
            Err(LabelError::Input(crate::inputs::InputError::Empty)),
            "{bytes:?}"
        );
    }
}

#[test]
fn wide_tables() {
    let columns = 300_000;
    let mut table = String::new();
    for i in 0..columns {
        let _ = write!(table, "c{i},");
    }
    table += "label\n";
    for label in [0, 1, 2] {
        table += &"1,".repeat(columns);
        let _ = writeln!(table, "{label}");
    }
    let found = text("t.csv", T, &table, &Wanted::default());
    assert_eq!(values(&found.streams[0]), ["0", "1", "2"]);
    assert_eq!(first(&found.streams[0], 2), [Some(4), Some(2), None]);
}

#[test]
fn quotes_are_letters_between_tabs() {
    let table = "sentence\tlabel\n\" it 's charming\t1\na \" b\t0\n\" and dull\t2\n";
    let found = text("t.tsv", T, table, &Wanted::default());
    assert_eq!(values(&found.streams[0]), ["1", "0", "2"]);
    assert_eq!(first(&found.streams[0], 2), [Some(4), Some(2), None]);
    let pairs = "a\tb\tlabel\n\"x\t\"y\t1\n\"x\t\"y\t0\n";
    let found = text("t.tsv", T, pairs, &Wanted::default());
    assert_eq!(values(&found.streams[0]), ["1", "0"]);
    let quoted = "text\tlabel\n\"two\nlines\"\t1\n\"a \"\"b\"\"\tc\"\t0\n";
    let found = text("t.tsv", T, quoted, &Wanted::default());
    assert_eq!(values(&found.streams[0]), ["1", "0"]);
    assert!(found.troubles.is_empty());
}

#[test]
fn the_first_line_may_name_the_delimiter() {
    check(
        "sep=;\nlabel;file\n1;a.jpg\n2;b.jpg\n",
        &[("label", &["1", "2"], false)],
    );
}

#[test]
fn chinese_tables() {
    let table = "文件名,标签\n图像一,0\n图像二,1\n";
    check(table, &[("标签", &["0", "1"], false)]);
    let bytes = encoding_rs::GBK
        .encode("文件名,类别\n图像一,猫\n图像二,狗\n")
        .0
        .into_owned();
    let found = collect(&Temp::new("t.csv", &bytes).path(), T, &Wanted::default());
    assert_eq!(names(&found.streams[0]), ["猫", "狗"]);
    assert!(matches!(
        kinds(&found)[..],
        [TroubleKind::OtherEncoding("GBK")]
    ));
    assert_eq!(
        crate::labels::sniff_text(Path::new("t.txt"), &bytes),
        Ok(Some(T))
    );
}

#[test]
fn utf_16_without_a_mark() {
    let table: Vec<u8> = "é,label\na.jpg,1\nb.jpg,2\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let found = collect(&Temp::new("t.csv", &table).path(), T, &Wanted::default());
    assert_eq!(values(&found.streams[0]), ["1", "2"]);
    assert!(matches!(
        kinds(&found)[..],
        [TroubleKind::OtherEncoding("UTF-16LE")]
    ));
}
