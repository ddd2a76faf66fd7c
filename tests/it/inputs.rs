//! What things are taken for, and how a log's bytes are read whatever happens to the file.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use assert_doctor::case::{self, OpenWhat, Origin};
use assert_doctor::inputs::{
    BlockReader, Format, InputError, InputKind, inspect, inspect_file, natural_order, read_log,
    recognise,
};

use crate::program::Folder;

const TRACEBACK: &str = "Traceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    loss.backward()\nRuntimeError: CUDA error: device-side assert triggered\n";

fn utf16(text: &str, little: bool) -> Vec<u8> {
    let units = text.encode_utf16();
    units
        .flat_map(|unit| {
            if little {
                unit.to_le_bytes()
            } else {
                unit.to_be_bytes()
            }
        })
        .collect()
}

fn zip_with(entry: &str) -> Vec<u8> {
    let mut bytes = b"PK\x03\x04\x14\0\0\0\0\0".to_vec();
    bytes.extend([0; 16]);
    bytes.extend((entry.len() as u16).to_le_bytes());
    bytes.extend([0, 0]);
    bytes.extend(entry.as_bytes());
    bytes.extend([7, 0, 1, 2, 200]);
    bytes
}

fn png(colour_type: u8) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x10\x08".to_vec();
    bytes.extend([colour_type, 0, 0, 0]);
    bytes
}

/// Bytes that look random and are the same every time.
fn noise(count: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    (0..count)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 24) as u8
        })
        .collect()
}

#[test]
fn binary_files_are_known_by_their_first_bytes() {
    use Format as F;
    use InputKind::{Checkpoint, Labels, Picture, Unknown};
    let npy =
        b"\x93NUMPY\x01\0v\0{'descr': '<i8', 'fortran_order': False, 'shape': (3,)}".as_slice();
    let safetensors = b"\x20\0\0\0\0\0\0\0{\"w\":{\"dtype\":\"F32\"}}".as_slice();
    let mat =
        b"MATLAB 5.0 MAT-file, Platform: PCWIN64, Created on: Mon Jan  1 00:00:00 2024".as_slice();
    let mut mat = mat.to_vec();
    mat.resize(200, b' ');
    for (name, head, kind, format) in [
        ("train.npy", npy, Labels, F::NumpyArray),
        ("train.log", npy, Labels, F::NumpyArray),
        ("x.npz", &zip_with("labels.npy"), Labels, F::NumpyArchive),
        ("best.pt", &zip_with("best/data.pkl"), Checkpoint, F::Torch),
        ("labels.pt", &zip_with("labels/data.pkl"), Labels, F::Torch),
        (
            "model.bin",
            &zip_with("archive/data.pkl"),
            Checkpoint,
            F::Torch,
        ),
        (
            "book.xlsx",
            &zip_with("[Content_Types].xml"),
            Labels,
            F::Excel,
        ),
        ("logs.zip", &zip_with("train.log"), Unknown, F::Compressed),
        ("model.safetensors", safetensors, Checkpoint, F::Safetensors),
        (
            "batch_1",
            b"\x80\x04\x95\x10\0\0\0\0\0\0\0}\x94(",
            Labels,
            F::Pickle,
        ),
        (
            "last.ckpt",
            b"\x80\x02}q\x00(X\x05\0\0\0epoch",
            Checkpoint,
            F::Pickle,
        ),
        (
            "old.pth",
            b"\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19.\x80\x02M\xe9\x03.",
            Checkpoint,
            F::Torch,
        ),
        (
            "t10k-labels-idx1-ubyte",
            b"\0\0\x08\x01\0\0\x27\x10\x07\x02\x01",
            Labels,
            F::Idx,
        ),
        (
            "t10k-labels-idx1-ubyte.gz",
            b"\x1f\x8b\x08\x08\0\0\0\0",
            Labels,
            F::Idx,
        ),
        (
            "labels.csv.gz",
            b"\x1f\x8b\x08\x08\0\0\0\0",
            Labels,
            F::Compressed,
        ),
        (
            "train.log.gz",
            b"\x1f\x8b\x08\x08\0\0\0\0",
            Unknown,
            F::Compressed,
        ),
        ("data.h5", b"\x89HDF\r\n\x1a\n\0\0\0\0", Labels, F::Hdf5),
        (
            "model_weights.h5",
            b"\x89HDF\r\n\x1a\n\0\0\0\0",
            Checkpoint,
            F::Hdf5,
        ),
        ("a.parquet", b"PAR1\x15\x04\x15", Labels, F::Parquet),
        ("a.feather", b"ARROW1\0\0\xff\xff", Labels, F::Arrow),
        ("imagelabels.mat", &mat, Labels, F::Matlab),
        (
            "corpus.idx",
            b"MMIDIDX\0\0\x01\0\0\0\0\0\0\0",
            Labels,
            F::Megatron,
        ),
        ("llama.gguf", b"GGUF\x03\0\0\0", Checkpoint, F::Model),
        ("0001.png", &png(3), Labels, F::Mask),
        ("0001.png", &png(0), Labels, F::Mask),
        ("shot.png", &png(6), Picture, F::Plain),
        ("mask_01.png", &png(2), Labels, F::Mask),
        ("a.jpg", b"\xff\xd8\xff\xe0\0\x10JFIF", Picture, F::Plain),
        ("python.exe", b"MZ\x90\0\x03\0", Unknown, F::Plain),
        ("core", b"\x7fELF\x02\x01\x01\0", Unknown, F::Plain),
        ("noise.log", &noise(65_536), Unknown, F::Plain),
        ("noise.npy", &noise(65_536), Labels, F::NumpyArray),
        ("zeros.bin", &[0; 4096], Unknown, F::Plain),
        (
            "LOOSE.TXT",
            b"\x1f\x8b\x08\x08\0\0\0\0",
            Unknown,
            F::Compressed,
        ),
    ] {
        let found = inspect(Path::new(name), head);
        assert_eq!((found.kind, found.format), (kind, format), "{name}");
    }
}

#[test]
fn texts_are_known_by_what_stands_in_them() {
    use InputKind::{Case, Checkpoint, Config, Labels, Log, Notebook, Recording, Script, Text};
    let notebook = r#"{"cells": [{"cell_type": "code", "outputs": [{"traceback": ["Traceback (most recent call last)"]}]}], "nbformat": 4}"#;
    let coco = r#"{"images": [{"id": 1}], "annotations": [{"id": 1, "category_id": 91, "bbox": [0, 0, 1, 1]}"#;
    let script = "import torch\nfrom torch import nn\n\n\nclass Net(nn.Module):\n    def forward(self, x):\n        return x\n";
    let assertion = "/b/aten/src/ATen/native/cuda/Loss.cu:250: f: block: [0,0,0], thread: [3,0,0] Assertion `t >= 0` failed.\n";
    let logged_json = r#"{"mode": "train", "epoch": 1, "iter": 50, "lr": 0.01, "loss": 0.5}
{"mode": "train", "epoch": 1, "iter": 100, "lr": 0.01, "loss": 0.4}
"#;
    let deep = "[".repeat(60_000);
    for (name, text, kind) in [
        ("train.log", TRACEBACK, Log),
        // A traceback makes a log, whatever the name says.
        ("train.py", TRACEBACK, Log),
        ("result.csv", TRACEBACK, Log),
        ("out.json", TRACEBACK, Log),
        ("run.txt", TRACEBACK, Log),
        ("out.yaml", TRACEBACK, Log),
        ("out.csv", assertion, Log),
        ("nohup.out", "2 trainable iterations per epoch\n", Log),
        ("slurm-1.out", "", Log),
        ("empty.bin", "", Text),
        (
            "notes.txt",
            "Epoch 1/10 loss 0.5\nEpoch 2/10 loss 0.4\n",
            Log,
        ),
        (
            "x.txt",
            "[2024-03-01 10:00:00] INFO start\n[2024-03-01 10:00:01] INFO stop\n",
            Log,
        ),
        (
            "x",
            "[rank0]: Traceback (most recent call last):\n[rank0]:   File \"a.py\", line 1, in f\n",
            Log,
        ),
        (
            "readme.md",
            "# Title\n\nSome words that say nothing.\n",
            Text,
        ),
        ("requirements.txt", "torch==2.5.1\nnumpy\n", Text),
        ("", "hello there", Text),
        ("a.ipynb", notebook, Notebook),
        ("a.txt", notebook, Notebook),
        ("instances.json", coco, Labels),
        (
            "config.json",
            r#"{"model_type": "llama", "vocab_size": 32000}"#,
            Config,
        ),
        (
            "model.safetensors.index.json",
            r#"{"weight_map": {"a": "b"}}"#,
            Checkpoint,
        ),
        ("data.json", "[1, 2, NaN, 3]", Labels),
        ("deep.json", &deep, Labels),
        (
            "train.jsonl",
            "{\"text\": \"a\", \"label\": 3}\n{\"text\": \"b\", \"label\": 9}\n",
            Labels,
        ),
        (
            "bad.jsonl",
            "{\"label\": 3}\n{\"label\": }\n{\"label\": 9}\n{\"label\": 1}\n",
            Labels,
        ),
        ("20240301.json", logged_json, Log),
        (
            "trainer.log.json",
            "{'loss': 2.3, 'epoch': 1}\n{'loss': 2.1, 'epoch': 2}\n",
            Log,
        ),
        ("case.json", r#"{"schema": "assert-doctor/case/1"}"#, Case),
        (
            "rec.json",
            r#"{"schema": "assert-doctor/recording/1"}"#,
            Recording,
        ),
        ("a.csv", "file,label\na.png,3\nb.png,4\n", Labels),
        ("one.csv", "a,b", Labels),
        ("export.txt", "id;class\n1;2\n2;3\n3;4\n", Labels),
        ("a.tsv", "text\tlabel\nab c\t1\n", Labels),
        (
            "0001.txt",
            "0 0.5 0.5 0.1 0.2\n79 0.25 0.75 0.5 0.5\n",
            Labels,
        ),
        ("poly.txt", "3 0.1 0.1 0.2 0.1 0.2 0.2 0.1 0.2\n", Labels),
        ("y.txt", "0\n1\n2\n", Labels),
        ("train.txt", "images/a.jpg\nimages/b.jpg\n", Labels),
        ("split.txt", "2008_000002 -1\n2008_000003 1\n", Labels),
        ("svm.txt", "1 3:0.5 9:0.25\n0 1:0.5\n", Labels),
        (
            "kitti.txt",
            "Car 0.00 0 -1.58 587.01 173.33\nVan 0.00 0 1.5 1.0 2.0\n",
            Labels,
        ),
        ("steps.txt", "step 1\nstep 2\n", Log),
        ("", "line 1\nline 2\n", Text),
        ("losses.txt", "epoch 1 0.5\nepoch 2 0.4\n", Log),
        (
            "cooking.train",
            "__label__a how to\n__label__b what if\n",
            Labels,
        ),
        (
            "a.xml",
            "<annotation><object><name>cat</name></object></annotation>",
            Labels,
        ),
        ("a.xml", "<?xml version=\"1.0\"?><annotations/>", Labels),
        ("classes.txt", "cat\ndog\n", Labels),
        ("coco.names", "cat\ndog\n", Labels),
        (
            "train.npy",
            "version https://git-lfs.github.com/spec/v1\noid sha256:ab\nsize 3\n",
            Labels,
        ),
        (
            "best.pt",
            "version https://git-lfs.github.com/spec/v1\noid sha256:ab\nsize 3\n",
            Checkpoint,
        ),
        (
            "data.yaml",
            "train: images/train\nval: images/val\nnc: 3\nnames: [a, b, c]\n",
            Config,
        ),
        (
            "data.txt",
            "train: images/train\nval: images/val\nnc: 3\nnames: [a, b, c]\n",
            Config,
        ),
        ("opt.yaml", "lr0: 0.01\nmomentum: 0.9\n", Config),
        ("pyproject.toml", "[project]\nname = \"x\"\n", Config),
        ("train.py", script, Script),
        ("train.txt", script, Script),
        (
            "run.py",
            "print('CUDA error:')  # Traceback (most recent call last)\n",
            Script,
        ),
        (
            "run.py",
            "if \"Traceback (most recent call last)\" in s:\n    pass\n",
            Script,
        ),
    ] {
        assert_eq!(
            recognise(Path::new(name), text.as_bytes()),
            kind,
            "{name}: {text:.60}"
        );
    }
}

#[test]
fn a_log_is_a_log_in_any_encoding_and_with_junk_in_it() {
    let chinese = format!("训练开始，数据集已加载\n{TRACEBACK}");
    let gbk = encoding_rs::GBK.encode(&chinese).0.into_owned();
    let mut marked = b"\xff\xfe".to_vec();
    marked.extend(utf16(&chinese, true));
    let mut mixed = b"started\r\n".to_vec();
    mixed.extend(utf16(&chinese, true));
    let mut junk = TRACEBACK.as_bytes().to_vec();
    junk.extend(noise(700));
    let mut hole = vec![0; 30_000];
    hole.extend(TRACEBACK.as_bytes());
    let latin = b"d\xe9but de l'entra\xeenement, \xe9poque 1, perte 0.5\n".repeat(3);
    for (what, bytes) in [
        (
            "UTF-8 with mark",
            [b"\xef\xbb\xbf", chinese.as_bytes()].concat(),
        ),
        ("GBK", gbk),
        ("UTF-16 with mark", marked),
        ("UTF-16 low first", utf16(&chinese, true)),
        ("UTF-16 high first", utf16(&chinese, false)),
        ("UTF-16 appended to ASCII", mixed),
        ("junk at the end", junk),
        ("a hole of zeros", hole),
    ] {
        assert_eq!(recognise(Path::new("x"), &bytes), InputKind::Log, "{what}");
    }
    assert!(recognise(Path::new("x"), &latin).is_read());
}

#[test]
fn the_end_of_a_file_decides_too() {
    let folder = Folder::new();
    let rows = "1,2,3\n".repeat(30_000);
    let table = folder.file("table.csv", &rows);
    let log = folder.file("log.csv", format!("{rows}{TRACEBACK}"));
    let kind = |path: &Path| inspect_file(path).expect("a file").kind;
    assert_eq!(kind(&table), InputKind::Labels);
    assert_eq!(kind(&log), InputKind::Log);
}

fn read(path: &Path) -> Result<(u64, Option<InputError>), InputError> {
    let log = read_log(path, &AtomicBool::new(false), &mut |_| {})?;
    Ok((log.facts.line_count, log.error))
}

#[test]
fn what_cannot_be_read_says_why() {
    let folder = Folder::new();
    assert_eq!(
        read(&folder.path().join("gone.log")),
        Err(InputError::NotFound)
    );
    let log = folder.file("a.log", TRACEBACK);
    assert_eq!(read(&log.join("below")), Err(InputError::NotFound));
    assert_eq!(read(&folder.file("empty.log", "")), Err(InputError::Empty));
    assert_eq!(
        read(&folder.file("noise.log", noise(100_000))),
        Err(InputError::NotText)
    );
    assert_eq!(
        read(&folder.file("a.csv", "a,b\n1,2\n3,4\n")),
        Err(InputError::NotALog)
    );
    assert_eq!(
        read(&folder.file("a.log.gz", b"\x1f\x8b\x08\0\0")),
        Err(InputError::NotALog)
    );
    assert_eq!(
        read(folder.path()),
        Err(InputError::Folder { logs: Vec::new() })
    );
    assert_eq!(read(&log), Ok((4, None)));
}

#[cfg(unix)]
#[test]
fn devices_and_pipes_are_not_waited_for() {
    let folder = Folder::new();
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    if made.is_ok_and(|status| status.success()) {
        assert_eq!(read(&pipe), Err(InputError::Device));
    }
    assert_eq!(read(Path::new("/dev/zero")), Err(InputError::Device));
    // Says that it has no bytes, and has some.
    if Path::new("/proc/self/status").exists() {
        assert!(read(Path::new("/proc/self/status")).is_ok_and(|(lines, _)| lines > 5));
    }
}

#[cfg(unix)]
#[test]
#[expect(clippy::print_stderr, reason = "a test that did not run must say so")]
fn a_refused_file_says_so() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::new();
    let path = folder.file("secret.log", TRACEBACK);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o0)).expect("permissions");
    if std::fs::File::open(&path).is_ok() {
        eprintln!("SKIPPED: this user may read everything, so a refusal cannot be tested");
        return;
    }
    assert_eq!(read(&path), Err(InputError::AccessDenied));
}

#[test]
fn a_file_that_becomes_shorter_keeps_what_was_read() {
    let folder = Folder::new();
    let path = folder.file("train.log", "one line of a log\n".repeat(400_000));
    let size = std::fs::metadata(&path).expect("a file").len();
    let file = std::fs::OpenOptions::new()
        .write(true)
        .open(&path)
        .expect("a file");
    let mut cut = false;
    let log = read_log(&path, &AtomicBool::new(false), &mut |_| {
        if !cut {
            cut = true;
            file.set_len(2 << 20).expect("cut");
        }
    })
    .expect("what was read");
    let expected = InputError::ChangedWhileRead {
        read: 2 << 20,
        expected: size,
    };
    assert_eq!(log.error, Some(expected));
    assert!(log.facts.line_count > 100_000);
}

#[test]
fn a_read_is_stopped_between_two_blocks() {
    let folder = Folder::new();
    let path = folder.file("train.log", "one line of a log\n".repeat(400_000));
    let cancel = AtomicBool::new(false);
    let mut reports = 0;
    let result = read_log(&path, &cancel, &mut |_| {
        reports += 1;
        cancel.store(true, std::sync::atomic::Ordering::Relaxed);
    });
    assert_eq!(result.err(), Some(InputError::Cancelled));
    assert_eq!(reports, 1);
}

#[test]
fn blocks_are_read_without_holding_the_file() {
    let folder = Folder::new();
    let path = folder.file("a.log", "0123456789");
    let reader = BlockReader::new(path.clone());
    assert_eq!(reader.read(2..5), Ok(b"234".to_vec()));
    assert_eq!(reader.read(4..4), Ok(Vec::new()));
    std::fs::write(&path, "012").expect("written");
    let shorter = InputError::ChangedWhileRead {
        read: 3,
        expected: 5,
    };
    assert_eq!(reader.read(2..5), Err(shorter));
    std::fs::remove_file(&path).expect("removed");
    assert_eq!(reader.read(2..5), Err(InputError::NotFound));
}

#[test]
fn names_are_ordered_as_people_count() {
    for (less, more) in [
        ("run2.log", "run10.log"),
        ("a", "b"),
        ("Run2", "run3"),
        ("x09", "x10"),
        ("a1b2", "a1b10"),
        ("a", "a1"),
        ("99999999999999999999998", "99999999999999999999999"),
    ] {
        assert!(natural_order(less, more).is_lt(), "{less} before {more}");
        assert!(natural_order(more, less).is_gt(), "{more} after {less}");
    }
}

fn open(paths: &[&Path]) -> case::Case {
    let paths = paths.iter().map(|path| path.to_path_buf()).collect();
    case::open(
        &OpenWhat::Paths(paths),
        &AtomicBool::new(false),
        &mut |_| {},
    )
}

#[test]
fn a_folder_opens_the_one_log_in_it_or_names_them() {
    let folder = Folder::new();
    folder.file("one/requirements.txt", "torch\n");
    folder.file("one/train.py", "import torch\n");
    folder.file("one/0001.txt", "0 0.5 0.5 0.1 0.2\n");
    folder.file("one/deeper/other.log", TRACEBACK);
    let log = folder.file("one/train.log", TRACEBACK);
    let case = open(&[&folder.path().join("one")]);
    assert_eq!(case.logs.len(), 1);
    assert_eq!(case.inputs[0].origin, Origin::Path(log));

    let mut expected = Vec::new();
    for number in 1..30 {
        let path = folder.file(&format!("many/run{number}.log"), TRACEBACK);
        expected.extend((number <= 20).then_some(path));
    }
    let case = open(&[&folder.path().join("many")]);
    assert!(case.logs.is_empty());
    assert_eq!(case.inputs[0].kind, InputKind::Folder);
    assert_eq!(
        case.inputs[0].error,
        Some(InputError::Folder { logs: expected })
    );

    folder.file("none/a.jpg", "no picture");
    let case = open(&[&folder.path().join("none")]);
    assert_eq!(
        case.inputs[0].error,
        Some(InputError::Folder { logs: Vec::new() })
    );
}

#[test]
fn a_case_takes_all_that_was_given() {
    let folder = Folder::new();
    let first = folder.file("first.log", TRACEBACK);
    let table = folder.file("train.csv", "file,label\na,1\nb,2\n");
    let second = folder.file("second.log", TRACEBACK);
    let gone = folder.path().join("gone.log");
    let case = open(&[&first, &table, &gone, &second, &first]);
    let found: Vec<_> = case
        .inputs
        .iter()
        .map(|input| (input.kind, input.error.clone()))
        .collect();
    assert_eq!(
        found,
        [
            (InputKind::Log, None),
            (InputKind::Labels, None),
            (InputKind::Unknown, Some(InputError::NotFound)),
            (InputKind::Log, None),
        ]
    );
    let logs: Vec<_> = case.logs.iter().map(|log| log.input).collect();
    assert_eq!(logs, [0, 3]);
}

#[test]
fn progress_counts_all_files_together() {
    let folder = Folder::new();
    let paths: Vec<_> = ["a.log", "b.log"]
        .iter()
        .map(|name| folder.file(name, "one line of a log\n".repeat(100_000)))
        .collect();
    let total = paths
        .iter()
        .map(|path| path.metadata().expect("a file").len())
        .sum::<u64>();
    let mut seen = Vec::new();
    case::open(
        &OpenWhat::Paths(paths),
        &AtomicBool::new(false),
        &mut |now| seen.push(now),
    );
    assert!(seen.len() >= 2);
    assert!(seen.windows(2).all(|pair| pair[0].read <= pair[1].read));
    assert!(
        seen.iter()
            .all(|now| now.total == Some(total) && now.read <= total)
    );
}

#[test]
fn the_samples_are_logs() {
    for sample in assert_doctor::inputs::SAMPLES {
        let kind = recognise(Path::new(""), sample.bytes);
        assert_eq!(kind, InputKind::Log, "{}", sample.id);
    }
}
