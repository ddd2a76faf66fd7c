//! What a run is made of: arguments, environment, processes, ends.

use super::*;

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
        "(sh -c 'echo $$ > pid; exec sleep 1000 >&- 2>&-' &) ; while [ ! -s pid ]; do :; done; echo done; exit 4",
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
fn a_training_in_the_background_is_read_until_its_end() {
    let scratch = scratch("background");
    let go_on = scratch.join("go-on");
    // Longer than any silence that is waited for where nobody is left.
    let script = format!(
        "(while [ ! -e '{}' ]; do sleep 0.05; done; echo late; sleep 2; echo later) & echo first; exit 3",
        go_on.display()
    );
    let Prepared { folder, .. } = prepared(&scratch, shell(&script));
    let mut supervisor = supervisor(&folder);
    let mut follower = Follower::open(&folder).unwrap();
    let status = until("the end of the first process", || {
        let status = follower.poll(10).status;
        status.first_ended.is_some().then_some(status)
    });
    assert_eq!(status.state, RunState::Running);
    let first = status.first_ended.unwrap();
    // The shell in the background, and its sleep.
    assert_eq!(first.code, Some(3));
    assert!((1..=2).contains(&first.others), "{first:?}");
    std::thread::sleep(Duration::from_secs(2));
    fs::write(go_on, "").unwrap();
    let ran = followed(&folder);
    supervisor.wait().unwrap();
    assert_eq!(ran.texts(StreamName::Out), ["first", "late", "later"]);
    let ending = ran.ending();
    assert_eq!((ending.code, ending.stopped), (Some(3), false));
    let others = ending.others.unwrap();
    assert_eq!(others.left, 0);
    assert!(others.until_ms >= ending.elapsed_ms + 4_000, "{ending:?}");
    clean(&ran);
}

#[test]
fn stopping_ends_what_the_first_process_left_behind() {
    let scratch = scratch("left-stopped");
    let mut command = shell(
        "(sh -c 'echo $$ > pid; exec sleep 1000' &) ; while [ ! -s pid ]; do :; done; exit 4",
    );
    command.directory.clone_from(&scratch);
    let Prepared { folder, .. } = prepared(&scratch, command);
    let mut supervisor = supervisor(&folder);
    let mut follower = Follower::open(&folder).unwrap();
    until("the end of the first process", || {
        follower.poll(10).status.first_ended
    });
    rerun::stop(&folder).unwrap();
    let ran = followed(&folder);
    supervisor.wait().unwrap();
    let ending = ran.ending();
    assert_eq!((ending.code, ending.stopped), (Some(4), true));
    let [pid] = words(&scratch, "pid").try_into().unwrap();
    assert!(!lives(&pid));
    clean(&ran);
}

#[test]
fn a_daemon_that_holds_the_pipe_does_not_keep_the_run_going() {
    let scratch = scratch("daemon");
    let mut command = shell(
        "setsid sh -c 'echo $$ > pid; exec sleep 1000' & while [ ! -s pid ]; do :; done; exit 0",
    );
    command.directory.clone_from(&scratch);
    let Prepared { folder, .. } = prepared(&scratch, command);
    let status = Command::new(env!("CARGO_BIN_EXE_assert-doctor-cli"))
        .arg(rerun::ARGUMENT)
        .arg(&folder)
        .env("ASSERT_DOCTOR_DETACHED_WAIT", "1")
        .status();
    assert!(status.unwrap().success());
    let ran = followed(&folder);
    assert_eq!(ran.ending().others.map(|others| others.left), Some(1));
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
    check(scratch.as_os_str(), &scratch, |p| {
        matches!(p, RunProblem::IsFolder { .. })
    });
    check(OsStr::new("sh"), Path::new(""), |p| {
        *p == RunProblem::DirectoryGone
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
