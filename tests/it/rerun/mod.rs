//! Supervised runs with real child processes: what they print is kept as it was, what they are is ended as a whole.

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

mod console;
mod output;
mod processes;

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
