//! The console's `run`.

use super::*;

/// The console's `run`, in its foreground.
fn cli(scratch: &Path, arguments: &[&str]) -> Output {
    console(scratch, arguments).output().unwrap()
}

fn console(scratch: &Path, arguments: &[&str]) -> Command {
    let program = env!("CARGO_BIN_EXE_assert-doctor-cli");
    // A shell that runs the tests in the background has them ignore Ctrl+C, and the program keeps to that: here it must not.
    let mut command = if cfg!(target_os = "linux") {
        let mut command = Command::new("env");
        command.args(["--default-signal=INT,QUIT,HUP", program]);
        command
    } else {
        Command::new(program)
    };
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

#[test]
fn a_deleted_folder_is_told_and_the_verdict_stays() {
    let scratch = scratch("console-deleted");
    let script = "echo '../aten/src/ATen/native/cuda/Loss.cu:242: nll_loss_forward_reduce_cuda_kernel_2d: block: [0,0,0], thread: [3,0,0] Assertion `t >= 0 && t < n_classes` failed.' >&2; sleep 1; rm -r case; exit 1";
    let output = cli(&scratch, &["--output", "case", "--", "sh", "-c", script]);
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(err.contains("was deleted while it ran"), "{err}");
    assert!(!err.contains("The system says"), "{err}");
    assert!(err.contains("A class label is outside"), "{err}");
    fs::remove_dir_all(scratch).unwrap();
}

#[test]
fn a_guard_that_did_not_start_is_told() {
    let scratch = scratch("console-unchecked");
    let arguments = ["--guard", "--cpu", "--", "sh", "-c", "true"];
    let output = cli(&scratch, &arguments);
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(
        err.contains("The guard did not start: values were not"),
        "{err}"
    );
    let mut with_json = vec!["--json"];
    with_json.extend(arguments);
    let output = cli(&scratch, &with_json);
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(object["guard"]["started"], false);
    assert!(object["guard_text"].is_string());
    let output = cli(&scratch, &["--sync", "--", "true"]);
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(!err.contains("guard"), "{err}");
    fs::remove_dir_all(scratch).unwrap();
}

#[test]
fn the_guards_lines_are_words_on_the_terminal_and_themselves_in_the_log() {
    let scratch = scratch("console-guard-lines");
    let line = r#"[assert-doctor] {"guard":1,"event":"start","torch":"2.9.0"}"#;
    let script = format!("echo '{line}' >&2; echo plain >&2");
    let output = cli(&scratch, &["--output", "case", "--", "sh", "-c", &script]);
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(
        err.starts_with("The guard watches, PyTorch 2.9.0\nplain\n"),
        "{err}"
    );
    let log = fs::read_to_string(scratch.join("case").join("output.log")).unwrap();
    assert!(log.starts_with(line), "{log}");
    fs::remove_dir_all(scratch).unwrap();
}

#[test]
fn usage_errors_of_run_are_its_own_code_in_the_chosen_language() {
    let scratch = scratch("console-usage");
    for arguments in [
        &["--lang", "zh-CN", "run", "--nope"][..],
        &["--lang", "zh-CN", "run", "--output", "--", "true"],
        &["--lang", "zh-CN", "run", "--output", "", "--", "true"],
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_assert-doctor-cli"))
            .args(arguments)
            .current_dir(&scratch)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(125), "{arguments:?}");
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(err.contains("选项"), "{err}");
    }
    let output = cli(&scratch, &["--output", "a/../b", "--", "true"]);
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(!err.contains(".."), "{err}");
    fs::remove_dir_all(scratch).unwrap();
}

#[test]
fn the_kits_guard_is_written_into_a_new_folder() {
    let scratch = scratch("console-kit");
    let output = cli(
        &scratch,
        &["--kit", "--guard", "--output", "new/one", "--", "x.py"],
    );
    assert_eq!(output.status.code(), Some(0));
    assert!(scratch.join("new/one/assert_doctor_guard.py").is_file());
    let output = cli(&scratch, &["--kit", "--", ""]);
    assert_eq!(output.status.code(), Some(125));
    assert!(output.stdout.is_empty());
    fs::remove_dir_all(scratch).unwrap();
}

#[test]
fn asking_again_ends_it_sooner_and_waiting_is_told() {
    let scratch = scratch("console-again");
    let mut child = console(
        &scratch,
        &[
            "--",
            "sh",
            "-c",
            "trap '' INT; echo ready; while :; do sleep 0.1; done",
        ],
    )
    .stdout(Stdio::piped())
    .stderr(Stdio::piped())
    .spawn()
    .unwrap();
    let mut first = [0; 6];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let id = child.id().to_string();
    let press = |signal: &str| {
        assert!(
            Command::new("kill")
                .args([signal, &id])
                .status()
                .unwrap()
                .success()
        );
    };
    press("-QUIT");
    let mut err = child.stderr.take().unwrap();
    let mut said = Vec::new();
    until("the word", || {
        let mut byte = [0];
        err.read_exact(&mut byte).unwrap();
        said.push(byte[0]);
        said.ends_with(b"end it sooner.\n").then_some(())
    });
    let again = Instant::now();
    press("-INT");
    child.wait().unwrap();
    assert!(
        again.elapsed() < Duration::from_secs(3),
        "{:?}",
        again.elapsed()
    );
    fs::remove_dir_all(scratch).unwrap();
}
