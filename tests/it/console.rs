//! The console program as a whole: answers, exit codes, what goes to which stream.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use assert_doctor::case::{self, OpenWhat, Origin};
use assert_doctor::words::{Language, Words, verdict};
use serde_json::Value;

use crate::cases::{fixtures, log_cases};

fn cli(arguments: &[&str], stdin: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_assert-doctor-cli"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let bytes = stdin.to_vec();
    // The child may answer before it has read everything.
    let writer = std::thread::Builder::new()
        .name("stdin".into())
        .spawn(move || drop(pipe.write_all(&bytes)))
        .unwrap();
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn console_json_and_window_say_the_same_for_every_case() {
    for case in log_cases() {
        let what = OpenWhat::Text(Origin::Stdin, Arc::from(case.bytes.as_slice()));
        let opened = case::open(&what, &AtomicBool::new(false), &mut |_| {});
        for language in Language::ALL {
            let tag = language.tag();
            // The window draws this verdict.
            let shown = verdict(&opened.logs[0], Words::new(language));

            let human = cli(&["diagnose", "--lang", tag, "-"], &case.bytes);
            let human_text = text(&human.stdout);
            assert_eq!(
                human_text.lines().next(),
                Some(shown.title.as_str()),
                "{}",
                case.file
            );
            assert!(human_text.contains(&shown.certainty_word), "{}", case.file);

            let json = cli(&["diagnose", "--json", "--lang", tag, "-"], &case.bytes);
            let object: Value = serde_json::from_slice(&json.stdout).unwrap();
            assert_eq!(object["schema"], "assert-doctor/diagnosis/1");
            assert_eq!(object["causes"][0]["title"], shown.title, "{}", case.file);
            assert_eq!(object["causes"][0]["next"], shown.next, "{}", case.file);

            let wrong = i32::from(case.culprit != "none");
            assert_eq!(human.status.code(), Some(wrong), "{}", case.file);
            assert_eq!(json.status.code(), Some(wrong), "{}", case.file);
            assert!(
                human.stderr.is_empty() && json.stderr.is_empty(),
                "{}",
                case.file
            );
        }
    }
}

#[test]
fn the_json_contract_holds() {
    let log = fixtures().join("logs/001-windows-seg-nllloss2d.log");
    let output = cli(&["diagnose", "--json", log.to_str().unwrap()], b"");
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    for key in [
        "schema",
        "inputs",
        "causes",
        "assertions",
        "traceback",
        "consequences",
        "environment",
        "run",
        "findings",
        "not_understood",
    ] {
        assert!(object.get(key).is_some(), "{key} is missing");
    }
    for key in [
        "id",
        "certainty",
        "title",
        "why",
        "operation",
        "evidence",
        "next",
    ] {
        assert!(
            object["causes"][0].get(key).is_some(),
            "causes[0].{key} is missing"
        );
    }
    for key in [
        "file",
        "line",
        "function",
        "expression",
        "message",
        "count",
        "blocks",
        "threads",
        "first_line",
        "last_line",
        "rank",
    ] {
        assert!(
            object["assertions"][0].get(key).is_some(),
            "assertions[0].{key} is missing"
        );
    }
    assert_eq!(object["assertions"][0]["first_line"], 3);
    assert_eq!(object["inputs"][0]["kind"], "log");
    assert_eq!(object["traceback"]["trusted"], false);
    assert_eq!(object["traceback"]["trusted_because"], Value::Null);
}

#[test]
fn nothing_is_written_to_stdout_when_nothing_can_be_read() {
    let folder = std::env::temp_dir().join(format!("assert-doctor-console-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        std::fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let empty = file("empty.log", b"");
    let picture = file(
        "noise.log",
        &(0..60_000_u32)
            .map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8)
            .collect::<Vec<_>>(),
    );
    let bare = folder.join("bare");
    std::fs::create_dir_all(&bare).unwrap();
    for path in [
        empty.as_str(),
        picture.as_str(),
        "not/there.log",
        bare.to_str().unwrap(),
    ] {
        let output = cli(&["diagnose", "--lang", "en", path], b"");
        assert_eq!(output.status.code(), Some(2), "{path}");
        assert!(output.stdout.is_empty(), "{path}");
        // Reason first, path last.
        let said = text(&output.stderr);
        assert!(said.trim_end().ends_with(path), "{said}");
    }
    // One that can be read is answered, and the other is named.
    let log = fixtures().join("logs/001-windows-seg-nllloss2d.log");
    let output = cli(
        &["diagnose", "--lang", "en", &empty, log.to_str().unwrap()],
        b"",
    );
    assert_eq!(output.status.code(), Some(1));
    assert!(!output.stdout.is_empty() && text(&output.stderr).contains("empty"));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn wrong_arguments_are_answered_with_the_way_to_help() {
    for arguments in [
        &["diagnose"][..],
        &["--nonsense"],
        &[],
        &["dignose", "x.log"],
    ] {
        let output = cli(arguments, b"");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty());
        assert!(text(&output.stderr).contains("--help"), "{arguments:?}");
    }
    let help = cli(&["--help"], b"");
    assert_eq!(help.status.code(), Some(0));
    assert!(text(&help.stdout).contains("diagnose"));
}

#[test]
fn nothing_but_blanks_is_empty_wherever_it_comes_from() {
    let folder = std::env::temp_dir().join(format!("assert-doctor-blank-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    // PowerShell writes a mark even where a program printed nothing.
    for bytes in [
        &b""[..],
        b" \n\r\n\t",
        b"\xff\xfe",
        b"\xef\xbb\xbf",
        b"\xef\xbb\xbf\r\n",
    ] {
        let file = folder.join("blank.log");
        std::fs::write(&file, bytes).unwrap();
        for (path, stdin) in [(file.to_str().unwrap(), &b""[..]), ("-", bytes)] {
            let output = cli(&["diagnose", "--lang", "en", path], stdin);
            assert_eq!(output.status.code(), Some(2), "{path} {bytes:?}");
            assert!(text(&output.stderr).contains("empty"), "{path} {bytes:?}");
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_same_input_twice_is_one() {
    let log = fixtures().join("logs/001-windows-seg-nllloss2d.log");
    let path = log.to_str().unwrap();
    for (arguments, inputs) in [
        (&["diagnose", "--json", path, path][..], 1),
        (&["diagnose", "--json", "-", "-"], 1),
        (&["diagnose", "--json", path, "-"], 2),
    ] {
        let output = cli(arguments, &std::fs::read(&log).unwrap());
        let object: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(object["inputs"].as_array().unwrap().len(), inputs);
        assert!(output.stderr.is_empty(), "{}", text(&output.stderr));
    }
}

/// Answers only so much, then fails in this way.
struct Full(std::io::ErrorKind);

impl std::io::Write for Full {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        Err(self.0.into())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn an_answer_that_cannot_be_written_is_no_answer() {
    use std::io::ErrorKind::{BrokenPipe, StorageFull};
    let log = fixtures().join("logs/001-windows-seg-nllloss2d.log");
    for (kind, code, complains) in [(StorageFull, 2, true), (BrokenPipe, 1, false)] {
        let mut err = Vec::new();
        let ended = assert_doctor::cli::run(
            ["diagnose".into(), log.clone().into_os_string()],
            &mut std::io::empty(),
            &mut Full(kind),
            &mut err,
        );
        assert_eq!(
            format!("{ended:?}"),
            format!("{:?}", std::process::ExitCode::from(code)),
            "{kind}"
        );
        assert_eq!(!err.is_empty(), complains, "{kind}");
    }
}

#[cfg(unix)]
#[test]
fn names_of_files_cannot_command_the_terminal() {
    let folder = std::env::temp_dir().join(format!("assert-doctor-names-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let log = fixtures().join("logs/001-windows-seg-nllloss2d.log");
    let odd = folder.join("two\nlines\u{1b}[2J.log");
    std::fs::copy(&log, &odd).unwrap();
    let odd = odd.to_str().unwrap();
    let missing = format!("{odd}.not-there");
    let output = cli(&["diagnose", odd, log.to_str().unwrap(), &missing], b"");
    assert_eq!(output.status.code(), Some(1));
    for said in [text(&output.stdout), text(&output.stderr)] {
        assert!(
            !said.contains('\u{1b}') && said.contains("two\u{fffd}lines"),
            "{said}"
        );
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_traceback_can_be_asked_of_every_log() {
    let output = cli(&["diagnose", "--json", "-"], b"epoch 1\nepoch 2\n");
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(object["traceback"]["trusted"], Value::Null);
    assert_eq!(object["traceback"]["frames"], serde_json::json!([]));
}

#[test]
fn a_gpu_that_is_not_there_is_not_quietly_replaced() {
    let table = fixtures().join("labels/csv_one_based");
    let table = table.to_str().unwrap();
    // Ninety-eight others may be there; this one is not.
    for (arguments, names) in [
        (
            &["check", "--lang", "en", "--device", "gpu:99", table][..],
            "--device auto",
        ),
        (
            &["gpus", "--health", "--device", "gpu:99", "--lang", "en"],
            "assert-doctor-cli gpus",
        ),
        (&["gpus", "--lang", "en", table], "takes no path"),
    ] {
        let output = cli(arguments, b"");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        let said = text(&output.stderr);
        assert!(said.contains(names), "{said}");
    }
}

#[test]
fn the_gpus_are_listed_whatever_there_is() {
    let output = cli(&["gpus", "--json"], b"");
    assert_eq!(output.status.code(), Some(0));
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(object["schema"], "assert-doctor/gpus/1");
    assert_eq!(object["health"], Value::Null);
    let gpus = object["gpus"].as_array().unwrap();
    let auto = gpus.iter().find(|gpu| gpu["kind"] != "software");
    assert_eq!(
        object["auto"],
        auto.map_or(Value::Null, |gpu| gpu["number"].clone())
    );
    let human = cli(&["gpus", "--lang", "en"], b"");
    assert_eq!(human.status.code(), Some(0));
    let said = text(&human.stdout);
    for gpu in gpus {
        assert!(said.contains(gpu["name"].as_str().unwrap()), "{said}");
    }
    let last = match (gpus.is_empty(), auto.is_some()) {
        (true, _) if cfg!(feature = "gpu-check") => "No GPU was found",
        (true, _) => "This program was built without",
        (false, true) => "--device auto takes number",
        (false, false) => "--device auto takes none",
    };
    assert!(said.contains(last), "{said}");
}

#[test]
fn text_is_checked_by_the_cpu_and_nothing_is_said_of_it() {
    let folder = fixtures().join("labels/csv_one_based");
    let folder = folder.to_str().unwrap();
    let output = cli(&["check", "--lang", "en", folder], b"");
    assert!(!text(&output.stdout).contains("Checked by"));
    for device in ["auto", "cpu"] {
        let output = cli(&["check", "--json", "--device", device, folder], b"");
        let object: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(object["device"], "cpu");
        let used = &object["device_use"];
        assert_eq!(used["choice"], device);
        assert_eq!(
            (&used["gpu_bytes"], &used["cpu_bytes"]),
            (&0.into(), &0.into())
        );
        assert!(
            used["text"]
                .as_str()
                .unwrap()
                .starts_with("Checked by the CPU")
        );
        for key in ["gpu", "why", "rates", "skipped", "fell_back"] {
            assert!(used.get(key).is_some(), "{key}");
        }
    }
}
