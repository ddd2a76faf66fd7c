//! Runs in the program without its window: what is to be run, a run that is followed, left and found again, and its log.
#![cfg(unix)]

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Child, Command as System, Stdio};

use assert_doctor::app::run_view::RunMark;
use assert_doctor::app::{Command, Event, Job, LogStatus, RunEdit, Tab, Without};
use assert_doctor::compare::Proof;
use assert_doctor::crash_log::{Phase, Progress};
use assert_doctor::rerun::{
    self, FirstRun, FoundPython, GuardLive, NewLine, NewRun, PythonKind, RunCommand, RunOptions,
    RunProblem, RunRecord, RunState, RunStatus, StreamName, Suggestion, SuggestionReason,
    Supervision, Update,
};
use assert_doctor::words::Language;

use crate::app_state::{open, shown};
use crate::program::{Folder, Program};

pub const DIED: &str = "Epoch 1/3\nstep 5/10 loss 0.7\nTraceback (most recent call last):\n  File \"train.py\", line 9, in <module>\n    \
loss = F.cross_entropy(x, y)\nIndexError: Target 9 is out of bounds.\n";

/// The request of the only job of a kind.
#[track_caller]
pub fn only<T>(jobs: Vec<Job>, found: impl Fn(Job) -> Option<T>) -> T {
    let mut found: Vec<T> = jobs.into_iter().filter_map(found).collect();
    assert_eq!(found.len(), 1);
    found.pop().unwrap()
}

fn suggestion(line: &[&str], directory: &Path) -> Suggestion {
    Suggestion {
        command: RunCommand {
            program: line[0].into(),
            arguments: line[1..].iter().map(OsString::from).collect(),
            directory: directory.to_owned(),
        },
        why: SuggestionReason::Script,
        python: None,
        missing: Vec::new(),
        left_out: Vec::new(),
    }
}

fn python(path: &str) -> FoundPython {
    FoundPython {
        path: path.into(),
        kind: PythonKind::Venv,
        version: Some("3.11.4".into()),
        has_torch: Some(true),
        name: Some(".venv".into()),
    }
}

/// A program in which a run is prepared and the answers have come.
fn prepared(suggestions: Vec<Suggestion>, pythons: Vec<FoundPython>) -> Program {
    let mut program = Program::new();
    let jobs = program.state.handle(Command::PrepareRun);
    let request = only(jobs, |job| match job {
        Job::SuggestRun { request, .. } => Some(request),
        _ => None,
    });
    let jobs = program.state.apply(Event::RunSuggested {
        request,
        suggestions,
        pythons,
    });
    assert!(jobs.is_empty());
    program
}

fn start(program: &mut Program) -> Option<NewRun> {
    let jobs = program.state.handle(Command::StartRun);
    let mut runs = jobs.into_iter().filter_map(|job| match job {
        Job::StartRun { run, .. } => Some(*run),
        _ => None,
    });
    runs.next()
}

#[test]
fn what_is_run_is_what_stands_in_the_fields() {
    let folder = Path::new("/data/项目 a");
    let mut program = prepared(
        vec![suggestion(
            &["/p/python", "train.py", "--name", "a b"],
            folder,
        )],
        vec![python("/p/python"), python("/q/python3")],
    );
    let view = |program: &Program| program.state.rerun.setup.as_ref().unwrap().view.clone();
    assert_eq!(view(&program).command, "/p/python train.py --name 'a b'");
    assert_eq!(view(&program).directory, "/data/项目 a");
    assert_eq!(view(&program).python, Some(0));
    assert!(view(&program).suggestions[0].chosen);
    assert!(view(&program).options.guard, "the guard is on by itself");

    let edit = |program: &mut Program, edit| {
        assert!(program.state.handle(Command::EditRun(edit)).is_empty());
    };
    edit(&mut program, RunEdit::Python(1));
    assert_eq!(view(&program).command, "/q/python3 train.py --name 'a b'");
    let options = RunOptions {
        sync: true,
        workers: Some(0),
        ..view(&program).options
    };
    edit(&mut program, RunEdit::Options(options));
    let run = start(&mut program).unwrap();
    assert_eq!(run.command.program, "/q/python3");
    assert_eq!(run.command.arguments, ["train.py", "--name", "a b"]);
    assert_eq!(run.command.directory, folder);
    assert_eq!(run.options, options);
    assert_eq!(
        run.python.map(|python| python.path),
        Some("/q/python3".into())
    );
    assert_eq!(start(&mut program), None, "it is being started already");

    // A script alone gets the best interpreter; what cannot be taken apart is told and not started.
    for (typed, expected) in [
        ("train.py -x", Some(("/p/python", vec!["train.py", "-x"]))),
        ("torchrun train.py", Some(("torchrun", vec!["train.py"]))),
        ("python 'train.py", None),
        ("   ", None),
    ] {
        let mut program = prepared(Vec::new(), vec![python("/p/python")]);
        edit(&mut program, RunEdit::Command(typed.to_owned()));
        let run = start(&mut program);
        let said = run.map(|run| (run.command.program, run.command.arguments));
        let expected = expected.map(|(program, arguments)| {
            let arguments: Vec<OsString> = arguments.into_iter().map(Into::into).collect();
            (OsString::from(program), arguments)
        });
        assert_eq!(said, expected, "{typed}");
        assert_eq!(view(&program).problem.is_some(), said.is_none(), "{typed}");
    }
}

#[test]
fn without_a_folder_a_script_runs_in_its_own() {
    let mut program = prepared(Vec::new(), vec![python("/opt/.venv/bin/python")]);
    for (line, directory) in [
        ("python '/data/my seg/train.py' --lr 1", "/data/my seg"),
        ("/data/seg/train.py", "/data/seg"),
        ("python train.py", ""),
        ("python -m seg.train", ""),
    ] {
        (program.state).handle(Command::EditRun(RunEdit::Command(line.into())));
        let run = start(&mut program).unwrap();
        assert_eq!(run.command.directory, Path::new(directory), "{line}");
        (program.state).handle(Command::LeaveRun);
        program = prepared(Vec::new(), vec![python("/opt/.venv/bin/python")]);
    }
    let edit = RunEdit::Directory("/work".into());
    (program.state).handle(Command::EditRun(edit));
    let edit = RunEdit::Command("python /data/seg/train.py".into());
    (program.state).handle(Command::EditRun(edit));
    let run = start(&mut program).unwrap();
    assert_eq!(run.command.directory, Path::new("/work"));
}

#[test]
fn what_is_typed_is_not_replaced_by_what_is_found_late() {
    let mut program = Program::new();
    let jobs = program.state.handle(Command::PrepareRun);
    let request = only(jobs, |job| match job {
        Job::SuggestRun { request, .. } => Some(request),
        _ => None,
    });
    let typed = RunEdit::Command("python mine.py".into());
    program.state.handle(Command::EditRun(typed));
    program.state.apply(Event::RunSuggested {
        request,
        suggestions: vec![suggestion(&["python", "other.py"], Path::new("/"))],
        pythons: Vec::new(),
    });
    let view = &program.state.rerun.setup.as_ref().unwrap().view;
    assert_eq!(view.command, "python mine.py");
    assert_eq!(view.suggestions.len(), 1);
    program.state.handle(Command::LeaveRun);
    assert!(!program.state.shows_run());
}

/// A program with a log that died, and a run of it that has just been started.
pub fn running(folder: &Folder) -> (Program, assert_doctor::app::RequestId) {
    let log = folder.file("run1.log", DIED);
    let mut program = Program::new();
    open(&mut program, std::slice::from_ref(&log));
    program.state.handle(Command::PrepareRun);
    let edit = RunEdit::Command("python train.py".into());
    program.state.handle(Command::EditRun(edit));
    let jobs = program.state.handle(Command::StartRun);
    let (request, run) = only(jobs, |job| match job {
        Job::StartRun { request, run } => Some((request, run)),
        _ => None,
    });
    let first = run.first.clone().unwrap();
    assert_eq!(first.name, "run1.log");
    assert_eq!(first.path, Some(log));
    let record = RunRecord {
        command: run.command.clone(),
        options: run.options,
        first: run.first,
        ..RunRecord::default()
    };
    let jobs = program.state.apply(Event::RunAttached {
        request,
        folder: folder.path().join("run"),
        record: Box::new(record),
    });
    assert_eq!(program.state.settings.run, Some(folder.path().join("run")));
    let request = only(jobs, |job| match job {
        Job::FollowRun { request, .. } => Some(request),
        _ => None,
    });
    (program, request)
}

pub fn update(state: RunState, elapsed_ms: u64, epoch: u64, step: u64) -> Update {
    Update {
        status: RunStatus {
            state,
            elapsed_ms,
            lines: 1,
            progress: Progress {
                phase: Some(Phase::Training),
                epoch: Some((epoch, Some(3))),
                step: Some((step, Some(10))),
                ..Progress::default()
            },
            guard: GuardLive {
                started: true,
                calls: 4,
                values: 96,
                ..GuardLive::default()
            },
            ..RunStatus::default()
        },
        supervision: Supervision::Lives,
        ..Update::default()
    }
}

#[test]
fn the_card_answers_whether_the_crash_point_is_passed() {
    let folder = Folder::new();
    let (mut program, request) = running(&folder);
    let tell = |program: &mut Program, update: Update| {
        program
            .state
            .apply(Event::RunUpdate(request, Box::new(update)));
        program.state.rerun.run.as_ref().unwrap().card.clone()
    };
    let card = program.state.rerun.run.as_ref().unwrap().card.clone();
    assert_eq!(card.title, "Run 2 is starting");
    let card = tell(&mut program, update(RunState::Running, 9_000, 1, 4));
    assert_eq!(card.mark, RunMark::Running);
    assert_eq!(
        card.title,
        "Run 2: epoch 1 of 3 · step 4 of 10. Run 1 died at epoch 1 of 3 · step 5 of 10"
    );
    let card = tell(&mut program, update(RunState::Running, 12_000, 1, 6));
    assert_eq!(card.title, "Run 2 is past the point where run 1 died");
    assert_eq!(card.mark, RunMark::Good);
    let said: Vec<&str> = card.tiles.iter().map(|tile| tile.value.as_str()).collect();
    assert_eq!(
        said,
        [
            "0:12",
            "epoch 1 of 3 · step 6 of 10",
            "not measured",
            "0 out of range"
        ]
    );
    // A later epoch that begins at step 1 does not lose what was reached.
    let card = tell(&mut program, update(RunState::Running, 13_000, 2, 1));
    assert_eq!(card.mark, RunMark::Good);

    // Stopping is asked once, and Esc answers no.
    assert!(program.state.handle(Command::AskToStop(true)).is_empty());
    assert!(program.state.rerun.run.as_ref().unwrap().card.asks);
    assert!(program.state.handle(Command::CancelJob).is_empty());
    program.state.handle(Command::AskToStop(false));
    assert!(!program.state.rerun.run.as_ref().unwrap().card.asks);
    let jobs = program.state.handle(Command::StopRun);
    only(jobs, |job| match job {
        Job::StopRun { folder, .. } => Some(folder),
        _ => None,
    });
    let card = tell(&mut program, update(RunState::Running, 14_000, 2, 2));
    assert_eq!(card.title, "Run 2 is being stopped");
    assert!(!card.can_stop);

    // Everything is said in the other language, too.
    program.state.handle(Command::SetLanguage(Language::ZhCn));
    let card = program.state.rerun.run.as_ref().unwrap().card.clone();
    assert_eq!(card.title, "正在停止第 2 次运行");
}

#[test]
fn a_run_that_cannot_be_started_says_why_and_can_be_put_away() {
    let folder = Folder::new();
    let (mut program, request) = running(&folder);
    let mut update = update(RunState::NotStarted, 0, 1, 1);
    update.supervision = Supervision::Over;
    update.status.problem = Some(RunProblem::NotFound {
        program: "pythn".into(),
    });
    let jobs = program
        .state
        .apply(Event::RunUpdate(request, Box::new(update)));
    assert!(matches!(jobs.as_slice(), [Job::SaveSettings(_)]));
    assert_eq!(program.state.settings.run, None);
    let card = program.state.rerun.run.as_ref().unwrap().card.clone();
    assert_eq!(card.title, "Run 2 could not be started");
    assert!(card.problem.is_some() && card.can_put_away);
    program.state.handle(Command::PutRunAway);
    assert!(!program.state.shows_run());
    assert_eq!(shown(&program.state), "run1.log");
}

#[test]
fn an_old_runs_answers_are_dropped() {
    let folder = Folder::new();
    let (mut program, request) = running(&folder);
    let old = assert_doctor::app::RequestId(request.0 - 1);
    let lines = Update {
        lines: vec![NewLine {
            number: 1,
            ms: 100,
            stream: StreamName::Out,
            bytes: b"x".to_vec(),
        }],
        ..update(RunState::Running, 1, 1, 1)
    };
    program.state.apply(Event::RunUpdate(old, Box::new(lines)));
    assert_eq!(program.state.rerun.run.as_ref().unwrap().output.total, 0);
}

/// A supervisor as the window starts it; its program is the console's.
pub fn supervisor(folder: &Path) -> Child {
    System::new(env!("CARGO_BIN_EXE_assert-doctor-cli"))
        .arg(rerun::ARGUMENT)
        .arg(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

pub fn real(folder: &Folder, script: &str, first: &Path) -> PathBuf {
    let prepared = rerun::prepare(NewRun {
        command: RunCommand {
            program: "/bin/sh".into(),
            arguments: vec!["-c".into(), script.into()],
            directory: folder.path().to_owned(),
        },
        first: Some(FirstRun {
            path: Some(first.to_owned()),
            name: "run1.log".into(),
            ..FirstRun::default()
        }),
        folder: Some(folder.path().join("run")),
        ..NewRun::default()
    });
    prepared.unwrap().folder
}

/// A program that starts and finds the run that was looked at last.
fn found(run: &Path) -> Program {
    let mut program = Program::new();
    program.state.settings.run = Some(run.to_owned());
    let jobs = program.state.find_run();
    for job in jobs {
        program.worker.start(job);
    }
    program.until("the run", |state| state.rerun.run.is_some());
    program
}

#[test]
fn a_run_outlives_the_window_and_its_log_joins_the_case() {
    let folder = Folder::new();
    let first = folder.file("run1.log", DIED);
    let script = "echo 'Epoch 1/3'; echo 'step 6/10 loss 0.5'; while [ ! -e go ]; do sleep 0.05; done; \
        echo 'Epoch 2/3'; echo 'step 9/10 loss 0.4'; echo 'Epoch 3/3'; echo 'step 10/10 loss 0.3'";
    let run = real(&folder, script, &first);
    let mut supervisor = supervisor(&run);

    let mut program = found(&run);
    program.until("its first lines", |state| {
        state
            .rerun
            .run
            .as_ref()
            .is_some_and(|run| run.output.total >= 2)
    });
    // The window is closed in the middle, and opened again.
    drop(program);
    let mut program = found(&run);
    program.until("the same lines again", |state| {
        let is_open = matches!(state.log, LogStatus::Ready { .. });
        is_open
            && state
                .rerun
                .run
                .as_ref()
                .is_some_and(|run| run.output.total >= 2)
    });
    assert_eq!(shown(&program.state), "run1.log", "the log it is about");
    assert_eq!(program.state.tab, Tab::Log);
    folder.file("go", "");
    program.until("the log of the run", |state| {
        state.case.as_ref().is_some_and(|case| case.logs.len() == 2) && state.rerun.run.is_none()
    });
    assert!(supervisor.wait().unwrap().success());
    assert_eq!(program.state.settings.run, None);
    let told = program.state.beside.comparison.as_ref().unwrap();
    assert_eq!(told.proof, Proof::Proved, "{told:?}");
    // And once more after all is over.
    let mut program = Program::new();
    program.state.settings.run = Some(run);
    let jobs = program.state.find_run();
    for job in jobs {
        program.worker.start(job);
    }
    program.until("what became of it", |state| {
        state
            .case
            .as_ref()
            .is_some_and(|case| !case.runs.is_empty())
    });
    let told = program.state.beside.comparison.as_ref();
    assert!(
        told.is_some_and(|told| told.proof == Proof::Proved),
        "{told:?}"
    );
}

#[test]
fn only_stopping_ends_a_run() {
    let folder = Folder::new();
    let first = folder.file("run1.log", DIED);
    let run = real(&folder, "echo ready; trap '' INT; sleep 600", &first);
    let mut supervisor = supervisor(&run);
    let mut program = found(&run);
    program.until("its first line", |state| {
        state
            .rerun
            .run
            .as_ref()
            .is_some_and(|run| run.output.total >= 1)
    });
    program.handle(Command::CancelJob);
    program.handle(Command::ShowTab(Tab::Labels));
    assert!(program.state.run_goes_on());
    program.handle(Command::StopRun);
    program.until("its end", |state| {
        state
            .case
            .as_ref()
            .is_some_and(|case| !case.runs.is_empty())
    });
    let case = program.state.case.as_ref().unwrap();
    let ending = case.runs[0].ending.as_ref().unwrap();
    assert!(ending.stopped, "{ending:?}");
    supervisor.wait().unwrap();
}

#[test]
fn without_a_dialog_the_command_is_typed() {
    let mut program = Program::new();
    let jobs = program
        .state
        .handle(Command::DialogNotShown(Without::Command));
    only(jobs, |job| match job {
        Job::SuggestRun { script: None, .. } => Some(()),
        _ => None,
    });
    assert!(program.state.rerun.setup.is_some());
    let notice = program.state.notice.as_ref().unwrap();
    assert!(notice.text.contains("Type the command"), "{notice:?}");
    // One that is being prepared stays as it is.
    let edit = RunEdit::Command("python train.py".into());
    program.state.handle(Command::EditRun(edit));
    let jobs = (program.state).handle(Command::DialogNotShown(Without::Command));
    assert!(jobs.is_empty());
    let setup = program.state.rerun.setup.as_ref().unwrap();
    assert_eq!(setup.view.command, "python train.py");
}

#[test]
fn the_commands_for_another_machine_are_for_the_logs_shell() {
    for (log, expected) in [
        (
            "Traceback (most recent call last):\n  File \"D:\\seg\\train.py\", line 9, in <module>\n    x()\nRuntimeError: CUDA error: device-side assert triggered\n",
            "PowerShell",
        ),
        (
            "Traceback (most recent call last):\n  File \"/home/u/train.py\", line 9, in <module>\n    x()\nRuntimeError: CUDA error: device-side assert triggered\n",
            "bash",
        ),
    ] {
        let folder = Folder::new();
        let log = folder.file("run1.log", log);
        let mut program = Program::new();
        open(&mut program, &[log]);
        program.state.handle(Command::PrepareRun);
        program.state.handle(Command::ToggleKit);
        let setup = program.state.rerun.setup.as_ref().unwrap();
        let kit = setup.view.kit.as_ref().unwrap();
        assert_eq!(kit.shells[kit.shell], expected);
    }
}
