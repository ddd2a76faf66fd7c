//! Every case of `tests/fixtures/labels`: the console program on label files with a known answer.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde::Deserialize;
use serde_json::Value;

use crate::cases::fixtures;
use crate::program::Folder;

/// One run and its right answer; the fields are explained in `tests/fixtures/labels/README.md`.
#[derive(Debug, Deserialize)]
struct LabelCase {
    case: String,
    args: Vec<String>,
    exit: i32,
    #[serde(default)]
    also_accept_exit: Vec<i32>,
    must_find: Vec<Expected>,
    must_not_find: Vec<String>,
    error_contains: Option<String>,
    values_checked: Option<u64>,
    #[serde(default)]
    must_not_exist: Option<String>,
    #[serde(default)]
    needs: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Expected {
    finding: OneOrMore,
    value: Option<Value>,
    count: Option<u64>,
    path: Option<String>,
    line: Option<u64>,
    row: Option<u64>,
    column: Option<String>,
    key: Option<String>,
    pixel: Option<[u64; 2]>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

impl OneOrMore {
    fn holds(&self, id: &str) -> bool {
        match self {
            Self::One(one) => one == id,
            Self::More(more) => more.iter().any(|one| one == id),
        }
    }
}

/// Formats that are not read yet: these must be refused by name, or (a folder) left out cleanly.
const LATER: &[&str] = &[
    "svmlight",
    "fasttext",
    "xlsx",
    "labelme",
    "cvat_images",
    "cvat_unknown",
    "h5_gzip",
    "h5_latest",
    "mat_v5",
    "mat_struct",
    "mat_v4",
    "mat_malformed",
    "mat_real",
    "parquet_input_ids",
    "parquet_classlabel",
    "feather_file",
    "parquet_zstd",
    "parquet_real",
    "megatron",
    "webdataset",
    "tfrecord",
    "cut_h5",
    "hostile_megatron",
];

fn cases() -> Vec<LabelCase> {
    let text = std::fs::read_to_string(fixtures().join("labels/expected.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn check(folder: &Path, args: &[String]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_assert-doctor-cli"))
        .current_dir(folder)
        .arg("check")
        .args(args)
        .args(["--json", "--lang", "en"])
        .output()
        .unwrap()
}

#[test]
fn label_cases_of_the_first_formats_hold() {
    let large = Large::make();
    let mut wrong = Vec::new();
    let cases = cases();
    assert!(cases.len() > 140, "only {} cases found", cases.len());
    for case in &cases {
        if LATER.contains(&case.case.as_str()) || (case.case == "large_loop" && !large.links) {
            continue;
        }
        let folder = if case.needs.is_some() {
            large.folder.path().to_owned()
        } else {
            fixtures().join("labels")
        };
        let output = check(&folder, &case.args);
        for fault in faults(case, &output, &folder) {
            wrong.push(format!("{}: {fault}", case.case));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn label_cases_of_later_formats_are_refused_by_name() {
    let folder = fixtures().join("labels");
    for case in cases() {
        if !LATER.contains(&case.case.as_str()) {
            continue;
        }
        let output = check(&folder, &case.args);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{}: {said}", case.case);
        assert!(output.stdout.is_empty(), "{}", case.case);
        assert!(
            said.contains("cannot be read by this version"),
            "{}: {said}",
            case.case
        );
    }
}

#[test]
fn a_file_given_twice_is_read_once() {
    let folder = Folder::new();
    folder.file("set/classes.txt", "a\nb\n");
    folder.file("set/labels.csv", "file,label\nx,0\ny,2\n");
    let output = check(
        folder.path(),
        &["set".to_owned(), "set/labels.csv".to_owned()],
    );
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(object["values"], 2);
    assert_eq!(object["offenders_total"], 1);
}

/// The allowed range of each rule, `None` where it is not known, and the values out of range.
fn ranges(output: &Output) -> (Vec<Option<i64>>, u64) {
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    let rules = object["rules"].as_array().unwrap().iter();
    let ends = rules.map(|rule| rule["hi"].as_i64()).collect();
    (ends, object["offenders_total"].as_u64().unwrap())
}

#[test]
fn what_a_folder_says_is_about_the_labels_in_it() {
    let folder = Folder::new();
    folder.file("all/a/classes.txt", "ant\nbee\ncow\n");
    folder.file("all/a/train.csv", "file,label\nx,2\ny,3\n");
    folder.file(
        "all/b/data.yaml",
        "train: images\nnames: [one, two, three, four, five, six]\n",
    );
    folder.file("all/b/images/1.jpg", STUB);
    folder.file("all/b/labels/1.txt", "5 0.5 0.5 0.1 0.1\n");
    folder.file("all/c/y.npy", npy(&[0, 7, 9]));
    let output = check(folder.path(), &["all".to_owned()]);
    let (mut ends, out) = ranges(&output);
    ends.sort_unstable();
    assert_eq!(ends, [None, Some(2), Some(5)]);
    assert_eq!(out, 1);
    // A file that is named speaks for everything.
    let args = ["all/c/y.npy", "all/a/classes.txt"].map(str::to_owned);
    assert_eq!(ranges(&check(folder.path(), &args)), (vec![Some(2)], 2));
}

#[test]
fn what_a_script_ignores_is_about_its_own_labels() {
    let folder = Folder::new();
    let script = "loss = nn.CrossEntropyLoss(ignore_index=255)\nmodel.fc = nn.Linear(8, 3)\n";
    folder.file("all/a/train.py", script);
    folder.file("all/a/y.npy", npy(&[0, 2, 255]));
    folder.file("all/b/classes.txt", "ant\nbee\ncow\n");
    folder.file("all/b/y.npy", npy(&[0, 2, 255]));
    let output = check(folder.path(), &["all".to_owned()]);
    assert_eq!(ranges(&output).1, 1);
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    let first = object["findings"][0]["first"]["path"].as_str().unwrap();
    assert!(first.replace('\\', "/").ends_with("b/y.npy"), "{first}");
}

#[test]
fn copies_that_a_script_wrote_are_checked_where_they_are_named() {
    let folder = Folder::new();
    folder.file("set/classes.txt", "ant\nbee\ncow\n");
    folder.file("set/train.csv", "file,label\nx,1\ny,2\nz,3\n");
    folder.file("set/train_fixed.csv", "file,label\nx,0\ny,1\nz,2\n");
    assert_eq!(ranges(&check(folder.path(), &["set".to_owned()])).1, 1);
    let fixed = ["set/train_fixed.csv", "set/classes.txt"].map(str::to_owned);
    assert_eq!(ranges(&check(folder.path(), &fixed)), (vec![Some(2)], 0));
}

#[test]
fn a_file_that_cannot_be_read_is_not_called_clean() {
    let folder = Folder::new();
    folder.file("good.csv", "file,label\nx,0\n");
    let args = ["--classes", "3", "good.csv", "gone.csv"].map(str::to_owned);
    let output = check(folder.path(), &args);
    assert_eq!(output.status.code(), Some(1));
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(object["findings"][0]["id"], "unreadable");
    assert_eq!(object["findings"][0]["first"]["path"], "gone.csv");
}

/// Labels of one byte each.
fn npy(values: &[u8]) -> Vec<u8> {
    let shape = values.len();
    let dict = format!("{{'descr': '|u1', 'fortran_order': False, 'shape': ({shape},), }}");
    let header = format!("{dict:<117}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(values);
    bytes
}

#[test]
fn all_offenders_are_written_and_nothing_of_the_user_is() {
    let folder = Folder::new();
    let mut text = String::from("file,label\n");
    for row in 0..300 {
        writeln!(text, "{row}.png,{}", row % 12).unwrap();
    }
    let labels = folder.file("labels.csv", &text);
    let args = |out: &str| ["--classes", "10", "--offenders", out, "labels.csv"].map(str::to_owned);
    // Twice: what this program wrote it may write again.
    for _ in 0..2 {
        let output = check(folder.path(), &args("bad.csv"));
        assert_eq!(output.status.code(), Some(1));
    }
    let table = std::fs::read_to_string(folder.path().join("bad.csv")).unwrap();
    assert_eq!(table.lines().count(), 51);
    let first = table.lines().nth(1).unwrap();
    assert_eq!(first, "labels.csv,12,10,,label,,,,,,10,\"10.png,10\"");
    let output = check(folder.path(), &args("labels.csv"));
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(std::fs::read_to_string(labels).unwrap(), text);
}

fn faults(case: &LabelCase, output: &Output, folder: &Path) -> Vec<String> {
    let mut faults = Vec::new();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let Some(code) = output.status.code() else {
        return vec![format!("no exit code: {said}")];
    };
    if code != case.exit && !case.also_accept_exit.contains(&code) {
        faults.push(format!("exit {code}, expected {}: {said}", case.exit));
    }
    if let Some(name) = &case.must_not_exist
        && folder.join(name).exists()
    {
        faults.push("something in the file was run".to_owned());
    }
    if code == 2 {
        if !output.stdout.is_empty() {
            faults.push("an answer in spite of exit 2".to_owned());
        }
        if let Some(word) = &case.error_contains
            && !said.to_lowercase().contains(&word.to_lowercase())
        {
            faults.push(format!("the message lacks “{word}”: {said}"));
        }
        return faults;
    }
    let Ok(object) = serde_json::from_slice::<Value>(&output.stdout) else {
        faults.push(format!("no JSON: {said}"));
        return faults;
    };
    let findings = object["findings"].as_array().cloned().unwrap_or_default();
    let ids: Vec<&str> = findings.iter().filter_map(|f| f["id"].as_str()).collect();
    for expected in &case.must_find {
        if let Some(fault) = missed(expected, &findings) {
            faults.push(format!("{fault}; found {ids:?}"));
        }
    }
    for id in &case.must_not_find {
        if ids.contains(&id.as_str()) {
            faults.push(format!("false alarm {id}; found {ids:?}"));
        }
    }
    if let Some(expected) = case.values_checked {
        let files = object["files"].as_array().cloned().unwrap_or_default();
        let values: u64 = files.iter().filter_map(|f| f["values"].as_u64()).sum();
        if values != expected {
            faults.push(format!("{values} values, expected {expected}"));
        }
    }
    faults
}

fn missed(expected: &Expected, findings: &[Value]) -> Option<String> {
    let named: Vec<&Value> = findings
        .iter()
        .filter(|f| expected.finding.holds(f["id"].as_str().unwrap_or_default()))
        .collect();
    if named.is_empty() {
        return Some(format!("no {:?}", expected.finding));
    }
    if let Some(value) = &expected.value {
        let values = named.iter().filter_map(|f| f["values"].as_array().cloned());
        let values: Vec<Value> = values.flatten().map(|v| v["value"].clone()).collect();
        let same = |v: &Value| v == value || (v.as_f64().is_some() && v.as_f64() == value.as_f64());
        if !values.iter().any(same) {
            return Some(format!(
                "{:?} without {value}: {values:?}",
                expected.finding
            ));
        }
    }
    if let Some(count) = expected.count {
        let counted: u64 = named.iter().filter_map(|f| f["count"].as_u64()).sum();
        if counted != count {
            return Some(format!(
                "{:?} {counted} times, expected {count}",
                expected.finding
            ));
        }
    }
    let placed = named.iter().any(|f| at_place(expected, &f["first"]));
    let firsts: Vec<String> = named.iter().map(|f| f["first"].to_string()).collect();
    (!placed).then(|| {
        format!(
            "{:?} not at {expected:?} but at {firsts:?}",
            expected.finding
        )
    })
}

fn at_place(expected: &Expected, first: &Value) -> bool {
    let path = first["path"]
        .as_str()
        .unwrap_or_default()
        .replace('\\', "/");
    let key = first["key"].as_str().unwrap_or_default();
    let number = |name: &str, expected: Option<u64>| {
        expected.is_none_or(|n| first[name].as_u64() == Some(n))
    };
    expected.path.as_ref().is_none_or(|end| path.ends_with(end))
        && number("line", expected.line)
        && number("row", expected.row)
        && expected
            .column
            .as_ref()
            .is_none_or(|c| first["column"].as_str() == Some(c))
        && expected
            .key
            .as_ref()
            .is_none_or(|k| key.contains(k.as_str()))
        && expected
            .pixel
            .is_none_or(|p| first["pixel"] == serde_json::json!(p))
}

/// Files that are too big, or too awkward, to keep.
struct Large {
    folder: Folder,
    /// The system lets links be made.
    links: bool,
}

/// The shortest JPEG: pictures that are only named.
const STUB: &[u8] = b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00\xff\xd9";

impl Large {
    fn make() -> Self {
        let folder = Folder::new();
        zip_bomb(&folder);
        png_bomb(&folder);
        wide_table(&folder);
        let mut long = String::from("id,label\n");
        for i in 0..300_000_u32 {
            let label = if i == 299_990 { 100 } else { i % 100 };
            writeln!(long, "{i},{label}").unwrap();
        }
        folder.file("large/long.csv", long);
        let depth = 1_000_000;
        folder.file(
            "large/deep.json",
            ["[".repeat(depth), "]".repeat(depth)].concat(),
        );
        for class in ["a", "b"] {
            folder.file(&format!("large/loop/{class}/1.jpg"), STUB);
        }
        let links = link(&folder.path().join("large/loop/b/again"));
        folder.file(
            "large/many/data.yaml",
            "train: images\nval: images\nnames: [a, b, c]\n",
        );
        for i in 0..3000 {
            folder.file(&format!("large/many/images/{i:05}.jpg"), STUB);
            let mut rows = String::new();
            for k in 0..3 {
                let class = if (i, k) == (2718, 1) { 3 } else { (i + k) % 3 };
                writeln!(rows, "{class} 0.5 0.5 0.1 0.1").unwrap();
            }
            folder.file(&format!("large/many/labels/{i:05}.txt"), rows);
        }
        Self { folder, links }
    }
}

#[cfg(unix)]
fn link(at: &Path) -> bool {
    std::os::unix::fs::symlink(PathBuf::from("../../loop"), at).is_ok()
}

#[cfg(windows)]
fn link(at: &Path) -> bool {
    std::os::windows::fs::symlink_dir(PathBuf::from(r"..\..\loop"), at).is_ok()
}

/// 600 MiB of zeros in well under a megabyte.
fn zip_bomb(folder: &Folder) {
    let count = 600_u64 << 20;
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default()
        .compression_method(zip::CompressionMethod::Deflated)
        .large_file(true);
    zip.start_file("labels.npy", options).unwrap();
    let dict = format!("{{'descr': '|u1', 'fortran_order': False, 'shape': ({count},), }}");
    let padded = format!("{dict:<117}\n");
    zip.write_all(b"\x93NUMPY\x01\x00").unwrap();
    zip.write_all(&(padded.len() as u16).to_le_bytes()).unwrap();
    zip.write_all(padded.as_bytes()).unwrap();
    let block = vec![0_u8; 1 << 20];
    for _ in 0..count >> 20 {
        zip.write_all(&block).unwrap();
    }
    let bytes = zip.finish().unwrap().into_inner();
    folder.file("large/zip_bomb.npz", bytes);
}

/// A valid grey picture of 900 million zeros in under a megabyte.
fn png_bomb(folder: &Folder) {
    let side = 30_000_u32;
    let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    let row = vec![0_u8; side as usize + 1];
    for _ in 0..side {
        packed.write_all(&row).unwrap();
    }
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut header = [side.to_be_bytes(), side.to_be_bytes()].concat();
    header.extend([8, 0, 0, 0, 0]);
    for (kind, data) in [
        (b"IHDR", header),
        (b"IDAT", packed.finish().unwrap()),
        (b"IEND", Vec::new()),
    ] {
        let mut crc = flate2::Crc::new();
        crc.update(kind);
        crc.update(&data);
        png.extend((data.len() as u32).to_be_bytes());
        png.extend(kind);
        png.extend(&data);
        png.extend(crc.sum().to_be_bytes());
    }
    folder.file("large/png_bomb.png", png);
}

/// A million columns, the label is the last one.
fn wide_table(folder: &Folder) {
    let columns = 1_000_000;
    let mut text = String::new();
    for i in 0..columns {
        write!(text, "f{i},").unwrap();
    }
    text.push_str("label\n");
    for label in 0..3 {
        text.push_str(&"0,".repeat(columns));
        writeln!(text, "{label}").unwrap();
    }
    folder.file("large/wide.csv", text);
}
