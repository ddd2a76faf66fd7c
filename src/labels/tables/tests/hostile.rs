use std::fmt::Write as _;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::*;
use crate::labels::{Place, Places, Region, Sink, Stream, StreamId, Trouble};
use crate::range_check::Values;

fn pack(bytes: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(bytes).expect("packed");
    packed.finish().expect("packed")
}

#[test]
fn packed_tables() {
    let mut table = "id,label\n".to_owned();
    for i in 0..50_000_u32 {
        let _ = writeln!(table, "{i},{}", i.wrapping_mul(2_654_435_761) % 97);
    }
    let packed = pack(table.as_bytes());
    let found = collect(
        &Temp::new("t.csv.gz", &packed).path(),
        LabelFormat::Table,
        &Wanted::default(),
    );
    assert_eq!(found.streams[0].values.len(), 50_000);
    let cut = &packed[..packed.len() / 2];
    let found = collect(
        &Temp::new("t.csv.gz", cut).path(),
        LabelFormat::Table,
        &Wanted::default(),
    );
    let read = found.streams[0].values.len();
    assert!((10_000..50_000).contains(&read), "{read}");
    assert!(
        kinds(&found)
            .iter()
            .any(|k| matches!(k, TroubleKind::CutShort { .. }))
    );
    let mut damaged = packed.clone();
    damaged.extend_from_slice(b"garbage behind it");
    let found = collect(
        &Temp::new("t.csv.gz", &damaged).path(),
        LabelFormat::Table,
        &Wanted::default(),
    );
    assert_eq!(found.streams[0].values.len(), 50_000);
}

#[test]
fn cut_json() {
    let mut json = "[".to_owned();
    for i in 0..20_000_u32 {
        let _ = write!(
            json,
            "{{\"label\": {}}},",
            i.wrapping_mul(2_654_435_761) % 97
        );
    }
    json += "{\"label\": 1}]";
    let packed = pack(json.as_bytes());
    let cut = &packed[..packed.len() / 2];
    let found = collect(
        &Temp::new("x.json.gz", cut).path(),
        LabelFormat::Json,
        &Wanted::default(),
    );
    assert!(found.streams[0].values.len() > 1000);
    assert!(matches!(kinds(&found)[..], [TroubleKind::CutShort { .. }]));
}

#[test]
fn a_bomb() {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(b"id,label\n1,2\n").expect("packed");
    let zeros = vec![b'0'; 1 << 20];
    for _ in 0..300 {
        packed.write_all(&zeros).expect("packed");
    }
    let bomb = packed.finish().expect("packed");
    for (name, format) in [
        ("t.csv.gz", LabelFormat::Table),
        ("t.txt.gz", LabelFormat::PathList),
        ("t.jsonl.gz", LabelFormat::JsonLines),
        ("t.json.gz", LabelFormat::Json),
    ] {
        let temp = Temp::new(name, &bomb);
        let error = error(&temp.path(), format, &Wanted::default());
        assert!(
            matches!(error, Err(LabelError::UnpacksTooLarge { .. })),
            "{name}: {error:?}"
        );
    }
}

#[test]
fn deep_nesting() {
    for (open, close) in [
        ("[", "]"),
        ("{\"label\":", "}"),
        ("{\"annotations\":[", "]}"),
    ] {
        let json = open.repeat(90_000) + "1" + &close.repeat(90_000);
        let temp = Temp::new("x.json", json.as_bytes());
        for format in [LabelFormat::Json, LabelFormat::JsonLines, LabelFormat::Coco] {
            let error = error(&temp.path(), format, &Wanted::default());
            assert!(error.is_err(), "{open} {format:?}");
        }
    }
    let json = "[".repeat(90_000);
    let temp = Temp::new("x.json", json.as_bytes());
    assert_eq!(
        error(&temp.path(), LabelFormat::Json, &Wanted::default()),
        Err(LabelError::TooDeep)
    );
    // What is passed over may be as deep as it likes.
    let json = format!(
        "[{{\"bbox\": {}{}, \"label\": 3}}]",
        "[".repeat(90_000),
        "]".repeat(90_000)
    );
    assert_eq!(
        values(&text("x.json", LabelFormat::Json, &json, &Wanted::default()).streams[0]),
        ["3"]
    );
}

#[test]
fn a_long_line() {
    let long = format!(
        "{{\"label\": 1, \"text\": \"{}\"}}\n{{\"label\": 2}}\n",
        "x".repeat(50 << 20)
    );
    let found = text("x.jsonl", LabelFormat::JsonLines, &long, &Wanted::default());
    assert_eq!(first(&found.streams[0], 2), [Some(2), Some(1), None]);
    let long = format!("id,text,label\n1,{},4\n2,y,5\n", "x".repeat(50 << 20));
    let found = text("x.csv", LabelFormat::Table, &long, &Wanted::default());
    assert_eq!(values(&found.streams[0]), ["4", "5"]);
    assert!(
        found.streams[0].values[&0]
            .2
            .as_ref()
            .is_some_and(|t| t.len() < 400)
    );
}

#[test]
fn a_line_over_the_limit() {
    use super::super::records::{Fault, Records};
    use super::super::text::TextReader;

    let text = format!("a\n{}\nb\n", "x".repeat(3 << 20));
    let temp = Temp::new("x.txt", text.as_bytes());
    let mut records =
        Records::new(TextReader::open(&temp.path()).expect("open")).with_longest(1 << 20);
    let mut seen = Vec::new();
    while let Some(record) = records.next() {
        seen.push((records.bytes(&record).len(), record.line, record.fault));
    }
    assert_eq!(
        seen,
        [(1, 1, None), (1024, 2, Some(Fault::TooLong)), (1, 3, None)]
    );
}

#[test]
fn stray_quotes_do_not_swallow_the_rest() {
    let mut table = "text,label\n".to_owned();
    for i in 0..2000 {
        let _ = writeln!(table, "\"open {i},{i}");
    }
    table += "fine,7\n";
    let found = text("t.csv", LabelFormat::Table, &table, &Wanted::default());
    assert!(
        found.streams[0]
            .values
            .values()
            .any(|(v, ..)| *v == 7.into())
    );
}

#[test]
fn noise_never_panics() {
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let alphabet = b"0123,;\t|\"\n\r {}[]:label.-+eNa\xff\xfe\0";
    for _ in 0..300 {
        let bytes: Vec<u8> = (0..200)
            .map(|_| {
                seed ^= seed << 13;
                seed ^= seed >> 7;
                seed ^= seed << 17;
                alphabet[(seed % alphabet.len() as u64) as usize]
            })
            .collect();
        let temp = Temp::new("t.csv", &bytes);
        for format in [
            LabelFormat::Table,
            LabelFormat::PathList,
            LabelFormat::Json,
            LabelFormat::JsonLines,
            LabelFormat::Coco,
        ] {
            let _ = error(&temp.path(), format, &Wanted::default());
        }
        let _ = super::super::sniff(&temp.path(), &bytes);
        let _ = super::super::sniff(Path::new("x.txt"), &bytes);
        let _ = super::super::sniff(Path::new("x.json"), &bytes);
    }
}

#[test]
fn files_that_are_not_held() {
    use super::super::load::JsonFile;
    use super::super::{coco, json};

    let wanted = Wanted::default();
    let parse = |text: &[u8], coco: bool| {
        let path = Temp::new("x.json", text);
        let mut sink = Collected::default();
        let file = JsonFile::open_within(&path.path(), 8, &mut sink).expect("open");
        assert!(file.held().is_none());
        let read = if coco {
            coco::read_file(&file, &path.path(), &wanted, &mut sink)
        } else {
            json::read_file(&file, &path.path(), &wanted, &mut sink)
        };
        (read, sink)
    };
    let (read, found) = parse(b"{\"a\": [{\"label\": 1}, {\"label\": [2, 3]}]}", false);
    assert_eq!(
        (read, values(&found.streams[0])),
        (Ok(()), ["1", "2", "3"].map(str::to_owned).to_vec())
    );
    let (read, found) = parse(
        b"{\"annotations\": [{\"category_id\": 4}], \"categories\": [{\"id\": 4, \"name\": \"a\"}]}",
        true,
    );
    assert_eq!(
        (read, values(&found.streams[0])),
        (Ok(()), vec!["4".to_owned()])
    );
    let (read, _) = parse(b"[{\"label\": 1},\n {\"label\": NaN}]", false);
    let expected = LabelError::PythonNumber {
        word: "NaN".to_owned(),
        byte: 26,
        key: Some("label".to_owned()),
    };
    assert_eq!(read, Err(expected));
    // A packed file that ends early gives what came before.
    let whole = format!("[{}{{\"label\": 1}}]", "{\"label\": 5},".repeat(20_000));
    let packed = pack(whole.as_bytes());
    let (read, found) = parse(&packed[..packed.len() - 40], false);
    assert_eq!(read, Ok(()));
    assert!(matches!(kinds(&found)[..], [TroubleKind::CutShort { .. }]));
}

#[test]
fn reading_can_be_stopped() {
    for (name, format, bytes) in [
        ("t.csv", LabelFormat::Table, "id,label\n1,2\n"),
        ("t.txt", LabelFormat::PathList, "a.jpg 2\n"),
        ("t.json", LabelFormat::Json, "{\"label\": 1}"),
        ("t.jsonl", LabelFormat::JsonLines, "{\"label\": 1}\n"),
        ("t.json", LabelFormat::Coco, "{\"annotations\": []}"),
    ] {
        let temp = Temp::new(name, bytes.as_bytes());
        let read = read(&temp.path(), format, &Wanted::default(), &mut Stopped);
        let cancelled = LabelError::Input(crate::inputs::InputError::Cancelled);
        assert_eq!(read, Err(cancelled), "{format:?}");
    }
}

/// A listener whose user wants to stop.
struct Stopped;

impl Sink for Stopped {
    fn begin(&mut self, _: Stream) -> StreamId {
        StreamId(0)
    }
    fn numbers(&mut self, _: StreamId, _: Values<'_>, _: &dyn Places) {}
    fn region(&mut self, _: StreamId, _: Region) {}
    fn name(&mut self, _: StreamId, _: &str, _: &dyn Fn() -> Place) {}
    fn missing(&mut self, _: StreamId, _: &dyn Fn() -> Place) {}
    fn odd_numbers(&mut self, _: StreamId, _: u64, _: u64) {}
    fn trouble(&mut self, _: Trouble) {}
    fn read(&mut self, _: u64) {}
    fn stopped(&self) -> bool {
        true
    }
}
