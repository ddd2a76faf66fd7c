//! Supervised runs with real child processes: what they print is kept as it was, what they are is ended as a whole.
#![cfg(unix)]

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use assert_doctor::rerun::{
    self, Ending, ExitMeaning, Follower, NewLine, NewRun, Prepared, RunCase, RunCommand,
    RunOptions, RunProblem, RunState, RunStatus, StreamName, Supervision,
};

/// Nothing here takes this long; it only keeps a test that hangs from hanging for ever.
const HANG: Duration = Duration::from_mins(2);

/// A folder of its own for each test.
fn scratch(name: &str) -> PathBuf {
    let folder =
        std::env::temp_dir().join(format!("assert-doctor-rerun-{}-{name}", std::process::id()));
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn shell(script: &str) -> RunCommand {
    RunCommand {
        program: "/bin/sh".into(),
        arguments: vec!["-c".into(), script.into()],
        directory: std::env::temp_dir(),
    }
}

/// A run that is ready, in a folder that does not exist yet.
fn prepared(scratch: &Path, command: RunCommand) -> Prepared {
    rerun::prepare(NewRun {
        command,
        folder: Some(scratch.join("run")),
        ..NewRun::default()
    })
    .unwrap()
}

/// A supervisor in the background, as the window starts it; its program is the console's.
fn supervisor(folder: &Path) -> Child {
    Command::new(env!("CARGO_BIN_EXE_assert-doctor-cli"))
        .arg(rerun::ARGUMENT)
        .arg(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Everything about a run that has ended.
struct Ran {
    folder: PathBuf,
    status: RunStatus,
    lines: Vec<NewLine>,
    log: Vec<u8>,
}

impl Ran {
    fn texts(&self, stream: StreamName) -> Vec<String> {
        let of_stream = self.lines.iter().filter(|line| line.stream == stream);
        of_stream
            .map(|line| String::from_utf8_lossy(&line.bytes).into_owned())
            .collect()
    }

    fn ending(&self) -> Ending {
        self.status.ending.clone().unwrap()
    }
}

/// Waits until something is so.
#[track_caller]
fn until<T>(what: &str, mut so: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(value) = so() {
            return value;
        }
        assert!(began.elapsed() < HANG, "{what} does not come");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Follows a run to its end.
fn followed(folder: &Path) -> Ran {
    let mut follower = Follower::open(folder).unwrap();
    let mut lines = Vec::new();
    let status = until("the run's end", || {
        let update = follower.poll(1_000_000);
        assert_eq!(update.skipped, 0);
        lines.extend(update.lines);
        (update.supervision == Supervision::Over && !update.more).then_some(update.status)
    });
    let numbers: Vec<u64> = lines.iter().map(|line| line.number).collect();
    let expected: Vec<u64> = (1..=lines.len() as u64).collect();
    assert_eq!(numbers, expected);
    assert!(lines.is_sorted_by_key(|line| line.ms));
    Ran {
        folder: folder.to_owned(),
        status,
        lines,
        log: fs::read(folder.join("output.log")).unwrap_or_default(),
    }
}

/// Runs a command under a supervisor to its end.
fn run(name: &str, command: RunCommand) -> Ran {
    let scratch = scratch(name);
    let Prepared { folder, .. } = prepared(&scratch, command);
    let mut supervisor = supervisor(&folder);
    let ran = followed(&folder);
    supervisor.wait().unwrap();
    ran
}

fn clean(ran: &Ran) {
    drop(fs::remove_dir_all(ran.folder.parent().unwrap()));
}

/// Whether a process lives; one that has ended and was not fetched does not.
fn lives(process: &str) -> bool {
    fs::read_to_string(format!("/proc/{process}/stat")).is_ok_and(|stat| {
        !stat
            .rsplit_once(')')
            .unwrap()
            .1
            .trim_start()
            .starts_with('Z')
    })
}

fn words(folder: &Path, name: &str) -> Vec<String> {
    let text = fs::read_to_string(folder.join(name)).unwrap_or_default();
    text.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn output_keeps_its_order_and_its_pipe() {
    let ran = run(
        "order",
        shell("i=0; while [ $i -lt 300 ]; do echo out $i; echo err $i >&2; i=$((i+1)); done"),
    );
    let expected =
        |pipe: &str| -> Vec<String> { (0..300).map(|i| format!("{pipe} {i}")).collect() };
    // A pipe's own name in the times may stand for a neighbour for a tenth of a second only, so the texts tell.
    let texts: Vec<String> = ran
        .lines
        .iter()
        .map(|line| String::from_utf8_lossy(&line.bytes).into_owned())
        .collect();
    for pipe in ["out", "err"] {
        let own: Vec<String> = texts
            .iter()
            .filter(|text| text.starts_with(pipe))
            .cloned()
            .collect();
        assert_eq!(own, expected(pipe));
    }
    assert_eq!(ran.texts(StreamName::Out), expected("out"));
    assert_eq!(ran.texts(StreamName::Err), expected("err"));
    assert_eq!(ran.status.lines, 600);
    assert_eq!(ran.ending().code, Some(0));
    assert_eq!(ran.ending().meaning, Some(ExitMeaning::Success));
    let case: RunCase =
        serde_json::from_slice(&fs::read(ran.folder.join("case.json")).unwrap()).unwrap();
    assert_eq!(case.schema, rerun::CASE_SCHEMA);
    assert_eq!(case.facts.line_count, 600);
    assert_eq!(
        case.run.supervisor,
        Follower::open(&ran.folder).unwrap().record().supervisor
    );
    clean(&ran);
}

#[test]
fn bytes_are_kept_as_they_were_printed() {
    // 训练 in UTF-8 and in GBK, bytes that are no text, Windows' line ends, no line feed at the end.
    let ran = run(
        "bytes",
        shell(r"printf '训练 é\n\321\265\301\267\n\377\376\r\nlast'"),
    );
    assert_eq!(
        ran.log,
        b"\xe8\xae\xad\xe7\xbb\x83 \xc3\xa9\n\xd1\xb5\xc1\xb7\n\xff\xfe\r\nlast"
    );
    assert_eq!(ran.lines.last().unwrap().bytes, b"last");
    clean(&ran);
}

#[test]
fn of_redraws_the_latest_is_kept_and_shown_while_it_stands() {
    let scratch = scratch("redraw");
    let go_on = scratch.join("go-on");
    let script = format!(
        "printf 'a\\n\\r 10%%|#| 1/10 [00:01<00:09, 1.5it/s]\\r 20%%|##| 2/10 [00:02<00:08, 1.5it/s]' >&2; \
         while [ ! -e '{}' ]; do sleep 0.05; done; printf '\\r 30%%|###| 3/10\\nend\\n' >&2",
        go_on.display()
    );
    let Prepared { folder, .. } = prepared(&scratch, shell(&script));
    let mut supervisor = supervisor(&folder);
    let mut follower = Follower::open(&folder).unwrap();
    let status = until("the redraw", || {
        let status = follower.poll(10).status;
        let shown = status.last_redraw.as_deref().unwrap_or_default();
        (shown.contains("20%") && status.progress.step == Some((2, Some(10)))).then_some(status)
    });
    assert_eq!(status.state, RunState::Running);
    assert!(!status.last_redraw.unwrap().contains("10%"));
    fs::write(go_on, "").unwrap();
    let ran = followed(&folder);
    supervisor.wait().unwrap();
    assert_eq!(ran.texts(StreamName::Err), ["a", " 30%|###| 3/10", "end"]);
    clean(&ran);
}

#[test]
fn arguments_and_variables_arrive_exactly() {
    let odd = OsString::from_vec(b"\xff\xfe".to_vec());
    let arguments: Vec<OsString> = [
        "",
        " ",
        "a b",
        "\"quoted\"",
        "it's",
        "$HOME",
        "*",
        "\\",
        "训练 数据",
        "new\nline",
        "--",
        ">x",
    ]
    .into_iter()
    .map(OsString::from)
    .chain([odd])
    .collect();
    let scratch = scratch("arguments");
    let told = scratch.join("told");
    let script = scratch.join("带 空格的.sh");
    let text = format!(
        "#!/bin/sh\nprintf '%s\\0' \"$@\" > '{}'\nenv\n",
        told.display()
    );
    fs::write(&script, text).unwrap();
    let mut all = vec![script.into_os_string()];
    all.extend(arguments.clone());
    let run = rerun::prepare(NewRun {
        command: RunCommand {
            program: "sh".into(),
            arguments: all,
            directory: scratch.clone(),
        },
        options: RunOptions {
            sync: true,
            guard: true,
            workers: Some(0),
            ..RunOptions::default()
        },
        folder: Some(scratch.join("run")),
        ..NewRun::default()
    })
    .unwrap();
    let mut supervisor = supervisor(&run.folder);
    let ran = followed(&run.folder);
    supervisor.wait().unwrap();
    let mut expected: Vec<u8> = Vec::new();
    for argument in &arguments {
        expected.extend(argument.as_encoded_bytes());
        expected.push(0);
    }
    assert_eq!(fs::read(told).unwrap(), expected);
    // The record is without loss, too.
    let record = Follower::open(&run.folder).unwrap().record().clone();
    assert_eq!(record.command, run.record.command);
    let printed = ran.texts(StreamName::Out);
    for (name, value) in &record.environment {
        assert!(
            printed.contains(&format!("{name}={value}")),
            "{name}={value}"
        );
    }
    let guard = run.folder.join("guard");
    assert!(printed.contains(&"ASSERT_DOCTOR_GUARD=1".to_owned()));
    assert!(printed.contains(&"ASSERT_DOCTOR_WORKERS=0".to_owned()));
    assert!(printed.contains(&"CUDA_LAUNCH_BLOCKING=1".to_owned()));
    let path = printed
        .iter()
        .find_map(|line| line.strip_prefix("PYTHONPATH="));
    assert!(path.unwrap().starts_with(guard.to_str().unwrap()));
    assert!(guard.join("sitecustomize.py").is_file());
    assert!(guard.join("assert_doctor_guard.py").is_file());
    assert!(
        !printed
            .iter()
            .any(|line| line.starts_with("ASSERT_DOCTOR_CPU"))
    );
    clean(&ran);
}

/// Starts children that start children in sessions of their own; each writes its process down.
const TREE: &str = r#"
echo $$ >> pids
sh -c 'echo $$ >> pids; setsid sh -c "echo \$\$ >> pids; trap \"\" INT TERM HUP; while :; do sleep 1; done" & while :; do sleep 1; done' &
(sh -c 'echo $$ >> pids; exec sleep 1000' &)
echo ready
wait
"#;

#[test]
fn stopping_ends_everything_that_the_command_started() {
    let scratch = scratch("tree");
    let mut command = shell(TREE);
    command.directory.clone_from(&scratch);
    let Prepared { folder, .. } = prepared(&scratch, command);
    let mut supervisor = supervisor(&folder);
    let pids = until("four processes", || {
        let pids = words(&scratch, "pids");
        (pids.len() == 4).then_some(pids)
    });
    assert!(pids.iter().all(|pid| lives(pid)));
    rerun::stop(&folder).unwrap();
    let ran = followed(&folder);
    supervisor.wait().unwrap();
    assert!(ran.ending().stopped);
    for pid in pids {
        assert!(!lives(&pid), "{pid} lives on");
    }
    clean(&ran);
}

#[test]
fn a_command_that_ignores_being_asked_is_ended() {
    let scratch = scratch("ignores");
    let Prepared { folder, .. } = prepared(
        &scratch,
        shell(
            "trap 'echo asked' INT; trap 'echo told' TERM; echo ready; while :; do sleep 0.1; done",
        ),
    );
    let mut supervisor = supervisor(&folder);
    let mut follower = Follower::open(&folder).unwrap();
    until("its first line", || {
        (!follower.poll(10).lines.is_empty()).then_some(())
    });
    rerun::stop(&folder).unwrap();
    until("stopping", || {
        (follower.poll(10).status.state == RunState::Stopping).then_some(())
    });
    let ran = followed(&folder);
    supervisor.wait().unwrap();
    // Asked first, then told, then ended.
    assert_eq!(ran.texts(StreamName::Out), ["ready", "asked", "told"]);
    let ending = ran.ending();
    assert_eq!((ending.code, ending.signal), (None, Some(9)));
    assert_eq!(ending.meaning, Some(ExitMeaning::Killed));
    assert!(ending.stopped);
    clean(&ran);
}

#[test]
fn python_may_clean_up_when_it_is_asked() {
    let scratch = scratch("polite");
    let script = "import time\nprint('ready')\ntry:\n    time.sleep(1000)\nexcept KeyboardInterrupt:\n    print('saved')\n    raise SystemExit(7)\n";
    let Prepared { folder, .. } = prepared(
        &scratch,
        RunCommand {
            program: "python3".into(),
            arguments: vec!["-c".into(), script.into()],
            directory: scratch.clone(),
        },
    );
    let mut supervisor = supervisor(&folder);
    let mut follower = Follower::open(&folder).unwrap();
    // Unbuffered: the line is there while it sleeps.
    until("its first line", || {
        (!follower.poll(10).lines.is_empty()).then_some(())
    });
    rerun::stop(&folder).unwrap();
    let ran = followed(&folder);
    supervisor.wait().unwrap();
    assert_eq!(ran.texts(StreamName::Out), ["ready", "saved"]);
    assert_eq!(ran.ending().code, Some(7));
    clean(&ran);
}

#[test]
fn what_the_command_leaves_behind_does_not_keep_the_run_going() {
    let scratch = scratch("left");
    let mut command = shell(
        "(sh -c 'echo $$ > pid; exec sleep 1000' &) ; while [ ! -s pid ]; do :; done; echo done; exit 4",
    );
    command.directory.clone_from(&scratch);
    let Prepared { folder, .. } = prepared(&scratch, command);
    let mut supervisor = supervisor(&folder);
    let ran = followed(&folder);
    supervisor.wait().unwrap();
    assert_eq!(ran.ending().code, Some(4));
    assert_eq!(ran.texts(StreamName::Out), ["done"]);
    // It was not asked to stop: what it started in the background goes on.
    let [pid] = words(&scratch, "pid").try_into().unwrap();
    assert!(lives(&pid));
    assert!(Command::new("kill").arg(&pid).status().unwrap().success());
    clean(&ran);
}

#[test]
fn a_command_that_closes_its_pipes_goes_on() {
    let ran = run("closed", shell("exec >&- 2>&-; sleep 0.3; exit 5"));
    assert_eq!(ran.ending().code, Some(5));
    assert!(ran.log.is_empty());
    clean(&ran);
}

#[test]
fn ends_are_told_apart() {
    for (script, code, signal, meaning) in [
        ("exit 0", Some(0), None, Some(ExitMeaning::Success)),
        ("exit 1", Some(1), None, Some(ExitMeaning::Failure)),
        ("exit 77", Some(77), None, None),
        ("exit 137", Some(137), None, Some(ExitMeaning::Killed)),
        ("kill -ABRT $$", None, Some(6), Some(ExitMeaning::Aborted)),
        (
            "kill -SEGV $$",
            None,
            Some(11),
            Some(ExitMeaning::SegmentationFault),
        ),
    ] {
        let ran = run("ends", shell(&format!("ulimit -c 0; {script}")));
        let ending = ran.ending();
        assert_eq!((ending.code, ending.signal), (code, signal), "{script}");
        assert_eq!(ending.meaning, meaning, "{script}");
        assert!(!ending.stopped);
        clean(&ran);
    }
}

#[test]
fn what_cannot_be_started_says_why() {
    let scratch = scratch("missing");
    let plain = scratch.join("no-program");
    fs::write(&plain, "x").unwrap();
    let check = |program: &OsStr, directory: &Path, expected: fn(&RunProblem) -> bool| {
        let problem = rerun::prepare(NewRun {
            command: RunCommand {
                program: program.to_owned(),
                arguments: Vec::new(),
                directory: directory.to_owned(),
            },
            folder: Some(scratch.join("run")),
            ..NewRun::default()
        })
        .unwrap_err();
        assert!(expected(&problem), "{problem:?}");
        assert!(!scratch.join("run").exists());
    };
    let nowhere = scratch.join("nowhere");
    check(OsStr::new(""), &scratch, |p| *p == RunProblem::NoProgram);
    check(OsStr::new("no-such-python3.99"), &scratch, |p| {
        matches!(p, RunProblem::NotFound { .. })
    });
    check(OsStr::new("/no/such/python"), &scratch, |p| {
        matches!(p, RunProblem::NotFound { .. })
    });
    check(plain.as_os_str(), &scratch, |p| {
        matches!(p, RunProblem::Denied { .. })
    });
    check(OsStr::new("sh"), &nowhere, |p| {
        matches!(p, RunProblem::NoDirectory { .. })
    });

    // An interpreter that goes away between the two is told in the status.
    let program = scratch.join("python");
    fs::copy("/bin/sh", &program).unwrap();
    let command = RunCommand {
        program: program.clone().into(),
        arguments: Vec::new(),
        directory: scratch.clone(),
    };
    let Prepared { folder, .. } = prepared(&scratch, command);
    fs::remove_file(&program).unwrap();
    assert_eq!(supervisor(&folder).wait().unwrap().code(), Some(125));
    let update = Follower::open(&folder).unwrap().poll(10);
    assert_eq!(update.status.state, RunState::NotStarted);
    assert!(matches!(
        update.status.problem,
        Some(RunProblem::NotFound { .. })
    ));
    assert_eq!(update.supervision, Supervision::Over);
    fs::remove_dir_all(scratch).unwrap();
}

#[test]
fn the_supervisor_outlives_whoever_started_it() {
    let scratch = scratch("outlives");
    let go_on = scratch.join("go-on");
    let script = format!(
        "echo first; while [ ! -e '{}' ]; do sleep 0.05; done; echo second",
        go_on.display()
    );
    let Prepared { folder, .. } = prepared(&scratch, shell(&script));
    // A process of its own group starts it, and the whole group is killed, as a terminal or window that dies does.
    let starter = format!(
        "'{}' {} '{}' </dev/null >/dev/null 2>&1 & sleep 1000",
        env!("CARGO_BIN_EXE_assert-doctor-cli"),
        rerun::ARGUMENT,
        folder.display()
    );
    let mut starter = Command::new("/bin/sh")
        .arg("-c")
        .arg(starter)
        .process_group(0)
        .spawn()
        .unwrap();
    let mut follower = Follower::open(&folder).unwrap();
    let mut lines = Vec::new();
    until("its first line", || {
        lines.extend(follower.poll(10).lines);
        (!lines.is_empty()).then_some(())
    });
    let id = Follower::open(&folder).unwrap().record().supervisor;
    let hung_up = Command::new("kill")
        .args(["-HUP", &id.to_string()])
        .status();
    assert!(hung_up.unwrap().success());
    for signal in ["-HUP", "-KILL"] {
        let group = format!("-{}", starter.id());
        let killed = Command::new("kill").args([signal, "--", &group]).status();
        assert!(killed.unwrap().success());
    }
    starter.wait().unwrap();
    assert_eq!(follower.poll(10).supervision, Supervision::Lives);
    fs::write(go_on, "").unwrap();
    // Attached again from the start, as after a restart of the window.
    let ran = followed(&folder);
    assert_eq!(ran.texts(StreamName::Out), ["first", "second"]);
    clean(&ran);
}

#[test]
fn a_supervisor_that_was_killed_is_noticed() {
    let scratch = scratch("gone");
    let Prepared { folder, .. } = prepared(&scratch, shell("echo line; exec sleep 1000"));
    let mut supervisor = supervisor(&folder);
    let mut follower = Follower::open(&folder).unwrap();
    let mut lines = 0;
    let child = until("its first line", || {
        let update = follower.poll(10);
        lines += update.lines.len();
        update.status.child.filter(|_| lines > 0)
    });
    supervisor.kill().unwrap();
    supervisor.wait().unwrap();
    let update = follower.poll(10);
    assert_eq!(update.supervision, Supervision::Gone);
    assert_eq!(update.status.problem, Some(RunProblem::SupervisorGone));
    drop(Command::new("kill").arg(child.to_string()).status());
    // Whoever comes later does not run it again.
    assert_eq!(self::supervisor(&folder).wait().unwrap().code(), Some(125));
    fs::remove_dir_all(scratch).unwrap();
}

#[test]
fn a_supervisor_that_is_told_to_end_ends_the_command_first() {
    let scratch = scratch("told");
    let Prepared { folder, .. } = prepared(&scratch, shell("echo line; exec sleep 1000"));
    let mut supervisor = supervisor(&folder);
    let mut follower = Follower::open(&folder).unwrap();
    let child = until("the command", || follower.poll(10).status.child);
    let told = Command::new("kill")
        .arg(supervisor.id().to_string())
        .status();
    assert!(told.unwrap().success());
    assert_eq!(supervisor.wait().unwrap().code(), Some(0));
    assert!(!lives(&child.to_string()));
    let ran = followed(&folder);
    assert!(ran.ending().stopped);
    clean(&ran);
}

/// The most memory a process had, in KiB.
fn peak_memory(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

/// A flood of lines, then an endless line, then an end; the supervisor's memory stays small and what is kept is bounded.
fn flood(name: &str, bytes: u64, limit: Option<u64>) {
    let scratch = scratch(name);
    let line = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcd";
    let script = format!(
        "yes {line} | head -c {bytes}; head -c {} /dev/zero | tr '\\0' x; printf '\\nthe end\\n'",
        bytes / 8
    );
    let Prepared { folder, .. } = prepared(&scratch, shell(&script));
    let mut supervisor = Command::new(env!("CARGO_BIN_EXE_assert-doctor-cli"));
    supervisor.arg(rerun::ARGUMENT).arg(&folder);
    if let Some(limit) = limit {
        supervisor.env("ASSERT_DOCTOR_LOG_LIMIT", limit.to_string());
    }
    let mut supervisor = supervisor.spawn().unwrap();
    let mut follower = Follower::open(&folder).unwrap();
    let (mut peak, mut given, mut skipped, mut last) = (0, 0, 0, None);
    let began = Instant::now();
    let status = loop {
        let update = follower.poll(1_000);
        assert!(update.lines.len() <= 1_000);
        given += update.lines.len() as u64;
        skipped += update.skipped;
        last = update.lines.last().cloned().or(last);
        peak = peak_memory(supervisor.id()).unwrap_or_default().max(peak);
        if update.supervision == Supervision::Over && !update.more {
            break update.status;
        }
        assert!(began.elapsed() < 5 * HANG);
        std::thread::sleep(Duration::from_millis(10));
    };
    supervisor.wait().unwrap();
    assert!(peak > 0);
    assert!(peak < 200 * 1024, "{peak} KiB");
    let last = last.unwrap();
    assert_eq!(last.bytes, b"the end");
    let log = fs::metadata(folder.join("output.log")).unwrap().len();
    assert_eq!(status.bytes, bytes + bytes / 8 + 9);
    let left_out = status.ending.unwrap().left_out;
    match limit {
        None => {
            assert_eq!(left_out, 0);
            // An endless line is broken into lines of a mebibyte.
            assert!(log >= status.bytes && log <= status.bytes + 1_000);
            assert_eq!(given + skipped, last.number);
        }
        Some(limit) => {
            assert!(left_out > 0);
            assert!(log <= limit + 4 * 1024 * 1024, "{log}");
            let text = fs::read(folder.join("output.log")).unwrap();
            let note = format!("\n[assert-doctor] {left_out} bytes left out here\n");
            assert!(memchr::memmem::find(&text, note.as_bytes()).is_some());
            // Its number is that in the log as it is in the end.
            let lines = memchr::memchr_iter(b'\n', &text).count() as u64;
            let fresh = Follower::open(&folder).unwrap().poll(1_000);
            assert_eq!(fresh.lines.last().unwrap().number, lines);
            let case: RunCase =
                serde_json::from_slice(&fs::read(folder.join("case.json")).unwrap()).unwrap();
            assert_eq!(case.facts.line_count, lines);
        }
    }
    fs::remove_dir_all(scratch).unwrap();
}

#[test]
fn a_flood_is_kept_whole_with_little_memory() {
    // The whole gigabyte where it is asked for: it takes a minute in a debug build.
    let whole = std::env::var_os("ASSERT_DOCTOR_FLOOD").is_some();
    flood("flood", if whole { 1 << 30 } else { 64 << 20 }, None);
}

#[test]
fn a_flood_beyond_the_limit_leaves_its_beginning_and_its_end() {
    flood("beyond", 64 << 20, Some(8 << 20));
}

#[test]
fn a_folder_that_is_deleted_does_not_end_the_run() {
    let scratch = scratch("deleted");
    let go_on = scratch.join("go-on");
    let script = format!(
        "echo first; while [ ! -e '{}' ]; do sleep 0.05; done; echo second; exit 3",
        go_on.display()
    );
    let Prepared { folder, .. } = prepared(&scratch, shell(&script));
    let mut supervisor = supervisor(&folder);
    let mut follower = Follower::open(&folder).unwrap();
    until("its first line", || {
        (!follower.poll(10).lines.is_empty()).then_some(())
    });
    fs::remove_dir_all(&folder).unwrap();
    until("the folder again", || {
        let status = Follower::open(&folder).ok()?.poll(10).status;
        (status.problem == Some(RunProblem::FolderDeleted)).then_some(())
    });
    fs::write(go_on, "").unwrap();
    supervisor.wait().unwrap();
    let ran = followed(&folder);
    assert_eq!(ran.texts(StreamName::Out), ["second"]);
    assert_eq!(ran.ending().code, Some(3));
    clean(&ran);
}

#[test]
fn lines_of_the_guard_become_samples_and_counts() {
    let start = r#"[assert-doctor] {"guard":1,"event":"start","t":0.1,"version":"1","pid":1,"hooks":["gather"]}"#;
    let summary = r#"[assert-doctor] {"guard":1,"event":"summary","t":5.0,"final":false,"elapsed":5.0,"ops":{"gather":{"calls":2,"values":8,"min":0,"max":3,"lo":0,"hi":3}},"loader_wait":0.25,"batches":2,"memory":{"allocated":10,"reserved":20,"peak":15,"total":100}}"#;
    let ran = run(
        "guard",
        shell(&format!(
            "echo a; echo '{start}' >&2; echo '{summary}' >&2; echo b"
        )),
    );
    assert_eq!(ran.texts(StreamName::Guard), [start, summary]);
    let guard = &ran.status.guard;
    assert!(guard.started);
    assert_eq!((guard.calls, guard.values, guard.batches), (2, 8, Some(2)));
    let samples = Follower::open(&ran.folder).unwrap().poll(10).samples;
    let [sample] = samples.as_slice() else {
        panic!("{samples:?}");
    };
    assert_eq!((sample.allocated, sample.total), (Some(10), Some(100)));
    clean(&ran);
}

#[test]
fn a_failure_is_noticed_while_the_run_goes_on() {
    let scratch = scratch("failure");
    let go_on = scratch.join("go-on");
    let log = scratch.join("crash.txt");
    let text = "../aten/src/ATen/native/cuda/Loss.cu:250: nll_loss_forward_reduce_cuda_kernel_2d: block: [0,0,0], thread: [3,0,0] Assertion `t >= 0 && t < n_classes` failed.\nTraceback (most recent call last):\n  File \"train.py\", line 3, in <module>\n    loss.backward()\nRuntimeError: CUDA error: device-side assert triggered\n";
    fs::write(&log, text).unwrap();
    let script = format!(
        "cat '{}' >&2; while [ ! -e '{}' ]; do sleep 0.05; done; exit 1",
        log.display(),
        go_on.display()
    );
    let Prepared { folder, .. } = prepared(&scratch, shell(&script));
    let mut supervisor = supervisor(&folder);
    let mut follower = Follower::open(&folder).unwrap();
    until("the failure", || follower.poll(10).status.failed_at_ms);
    assert_eq!(follower.poll(10).status.state, RunState::Running);
    fs::write(go_on, "").unwrap();
    let ran = followed(&folder);
    supervisor.wait().unwrap();
    let failed = ran.status.failed_at_ms.unwrap();
    assert!(failed < ran.ending().elapsed_ms);
    clean(&ran);
}

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
