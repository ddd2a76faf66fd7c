//! The console's `run`.

use super::*;

/// The console's `run`, in its foreground.
fn cli(scratch: &Path, arguments: &[&str]) -> Output {
    console(scratch, arguments).output().unwrap()
}

fn console(scratch: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_assert-doctor-cli"));
    command
        .args(["--lang", "en", "run"])
        .args(arguments)
        .current_dir(scratch)
        .env("ASSERT_DOCTOR_DATA_DIR", scratch.join("data"))
        .stdin(Stdio::null());
    command
}

#[test]
fn the_console_passes_on_output_and_exit_code() {
    let scratch = scratch("console");
    for (script, code) in [
        ("printf 'o\\n'; printf 'e\\n' >&2", 0),
        ("printf 'o\\n'; printf 'e\\n' >&2; exit 42", 42),
        ("printf 'o\\n'; printf 'e\\n' >&2; kill -KILL $$", 137),
    ] {
        let output = cli(&scratch, &["--", "sh", "-c", script]);
        assert_eq!(output.stdout, b"o\n");
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(err.starts_with("e\n"), "{err}");
        assert!(err.contains("The run "), "{err}");
        assert_eq!(output.status.code(), Some(code), "{script}");
    }
    for (arguments, code) in [
        (&["--", "no-such-program"][..], 127),
        (&["--", "./no/such/program"], 127),
        (&["--output", "data", "--", "true"], 125),
    ] {
        let output = cli(&scratch, arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        assert!(output.stdout.is_empty());
        assert!(!output.stderr.is_empty());
    }
    let runs = fs::read_dir(scratch.join("data").join("runs"))
        .unwrap()
        .count();
    assert_eq!(runs, 3);
    fs::remove_dir_all(scratch).unwrap();
}

#[test]
fn the_consoles_json_is_one_object_with_the_diagnosis() {
    let scratch = scratch("json");
    let script =
        "echo out; echo 'RuntimeError: CUDA error: device-side assert triggered' >&2; exit 1";
    let output = cli(
        &scratch,
        &["--json", "--output", "case", "--", "sh", "-c", script],
    );
    assert_eq!(output.status.code(), Some(1));
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(object["schema"], "assert-doctor/run-result/1");
    assert_eq!(object["ending"]["code"], 1);
    assert_eq!(object["run"]["command"]["arguments"][0], "-c");
    assert_eq!(object["diagnosis"]["schema"], "assert-doctor/diagnosis/1");
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(
        err.contains("out\n") && err.contains("device-side assert"),
        "{err}"
    );
    assert!(scratch.join("case").join("case.json").is_file());
    fs::remove_dir_all(scratch).unwrap();
}

#[test]
fn a_script_alone_gets_an_interpreter_that_is_named() {
    let scratch = scratch("script");
    fs::write(
        scratch.join("看.py"),
        "import sys\nprint(sys.argv)\nsys.exit(9)\n",
    )
    .unwrap();
    let output = cli(&scratch, &["--", "看.py", "a b", ""]);
    assert_eq!(output.status.code(), Some(9));
    let out = String::from_utf8(output.stdout).unwrap();
    assert_eq!(out.trim(), "['看.py', 'a b', '']");
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(err.starts_with("Runs with Python 3"), "{err}");
    fs::remove_dir_all(scratch).unwrap();
}

#[test]
fn control_c_stops_the_consoles_run_and_keeps_what_it_said() {
    let scratch = scratch("control-c");
    let mut child = console(
        &scratch,
        &[
            "--output",
            "case",
            "--",
            "sh",
            "-c",
            "trap 'echo bye; exit 3' INT; echo ready; while :; do sleep 0.1; done",
        ],
    )
    .stdout(Stdio::piped())
    .stderr(Stdio::piped())
    .spawn()
    .unwrap();
    let mut out = child.stdout.take().unwrap();
    let mut first = [0; 6];
    out.read_exact(&mut first).unwrap();
    assert_eq!(&first, b"ready\n");
    let pressed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(pressed.unwrap().success());
    let mut rest = String::new();
    out.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "bye\n");
    let mut err = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut err)
        .unwrap();
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(3), "{:?} {err}", status.signal());
    assert!(err.contains("was stopped"), "{err}");
    fs::remove_dir_all(scratch).unwrap();
}

#[test]
fn a_run_that_goes_on_is_found_among_the_earlier_ones() {
    let scratch = scratch("found");
    let mut child = console(
        &scratch,
        &["--", "sh", "-c", "echo ready; read line; echo $line"],
    )
    .stdin(Stdio::piped())
    .stdout(Stdio::piped())
    .stderr(Stdio::null())
    .spawn()
    .unwrap();
    let mut out = child.stdout.take().unwrap();
    let mut first = [0; 6];
    out.read_exact(&mut first).unwrap();
    let runs = scratch.join("data").join("runs");
    let folder = fs::read_dir(runs).unwrap().next().unwrap().unwrap().path();
    let update = Follower::open(&folder).unwrap().poll(10);
    assert_eq!(update.supervision, Supervision::Lives);
    // In the foreground the command may be spoken to.
    child.stdin.take().unwrap().write_all(b"hello\n").unwrap();
    let mut rest = String::new();
    out.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "hello\n");
    assert!(child.wait().unwrap().success());
    let update = Follower::open(&folder).unwrap().poll(10);
    assert_eq!(update.supervision, Supervision::Over);
    fs::remove_dir_all(scratch).unwrap();
}
