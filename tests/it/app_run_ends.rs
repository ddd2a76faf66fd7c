//! How runs end in the program without its window: what is told of the end, and what else is open then.
#![cfg(unix)]

use assert_doctor::app::run_view::RunMark;
use assert_doctor::app::{Command, Event, Job, LogStatus, OpenWhat, Row};
use assert_doctor::rerun::{Ending, ExitMeaning, RunState, Supervision};
use assert_doctor::words::{Severity, Verdict};

use crate::app_rerun::{DIED, only, real, running, supervisor, update};
use crate::app_state::{open, shown};
use crate::program::{Folder, Program};

#[test]
fn a_run_that_printed_nothing_says_how_it_ended() {
    let folder = Folder::new();
    let (mut program, request) = running(&folder);
    let mut update = update(RunState::Ended, 120, 1, 1);
    update.supervision = Supervision::Over;
    update.status.lines = 0;
    update.status.ending = Some(Ending {
        signal: Some(11),
        meaning: Some(ExitMeaning::SegmentationFault),
        elapsed_ms: 120,
        ..Ending::default()
    });
    let jobs = (program.state).apply(Event::RunUpdate(request, Box::new(update)));
    assert!(matches!(jobs.as_slice(), [Job::SaveSettings(_)]));
    let card = program.state.rerun.run.as_ref().unwrap().card.clone();
    assert_eq!(card.title, "Run 2 has ended and printed nothing");
    assert_eq!(card.mark, RunMark::Bad);
    let problem = card.problem.unwrap();
    assert!(problem.heading.contains("11 (SIGSEGV)"), "{problem:?}");
    assert!(problem.text.contains("segmentation fault"), "{problem:?}");
    assert!(card.can_put_away);
    assert!(
        card.tiles.is_empty() && card.signs.is_empty(),
        "nothing is waited for any more"
    );
    program.state.handle(Command::PutRunAway);
    assert_eq!(shown(&program.state), "run1.log");
}

/// What the verdict of a run says that printed no failure and ended by this script.
fn verdict_of(script: &str) -> (Verdict, Program, Folder) {
    let folder = Folder::new();
    let first = folder.file("run1.log", DIED);
    let run = real(&folder, script, &first);
    supervisor(&run).wait().unwrap();
    let mut program = Program::new();
    open(&mut program, &[run]);
    let LogStatus::Ready { verdict, .. } = &program.state.log else {
        panic!("{:?}", program.state.log);
    };
    let verdict = (**verdict).clone();
    (verdict, program, folder)
}

#[test]
fn a_run_without_a_failure_in_its_output_is_told_by_its_end() {
    let (verdict, program, _folder) = verdict_of("echo Epoch 1/3");
    assert_eq!(verdict.severity, Severity::Good);
    assert_eq!(verdict.title, "The run ended without an error");
    assert!(verdict.fixes.is_empty(), "{verdict:?}");
    let message = &program.state.message.text;
    assert!(message.starts_with("Run 1 read"), "{message}");

    let (verdict, program, _folder) = verdict_of("echo Epoch 1/3; exit 3");
    assert_eq!(verdict.severity, Severity::Error);
    assert!(verdict.sentence.contains("exit code 3"), "{verdict:?}");
    let end = program.state.view.row(1);
    assert!(
        matches!(end, Some(Row::End(text)) if text.contains("exit code 3")),
        "{end:?}"
    );

    let (verdict, _, _folder) = verdict_of("echo Epoch 1/3; kill -SEGV $$");
    assert_eq!(verdict.severity, Severity::Error);
    assert!(
        verdict.sentence.contains("segmentation fault"),
        "{verdict:?}"
    );
    assert!(verdict.fixes[0].contains("faulthandler"), "{verdict:?}");
}

#[test]
fn a_run_is_found_beside_what_was_opened() {
    let folder = Folder::new();
    let first = folder.file("run1.log", DIED);
    let other = folder.file("other.log", DIED);
    let run = real(&folder, "echo ready; sleep 600", &first);
    let mut supervisor = supervisor(&run);
    let mut program = Program::new();
    open(&mut program, &[other]);
    program.state.settings.run = Some(run);
    for job in program.state.find_run() {
        program.worker.start(job);
    }
    program.until("the run", |state| {
        let run = state.rerun.run.as_ref();
        run.is_some_and(|run| run.output.total >= 1)
    });
    assert_eq!(shown(&program.state), "other.log");
    assert!(program.state.run_in_front().is_none());
    program.handle(Command::ShowRun(true));
    assert!(program.state.run_in_front().is_some());
    program.handle(Command::StopRun);
    program.until("its end", |state| !state.run_goes_on());
    supervisor.wait().unwrap();
}

#[test]
fn a_run_that_is_over_does_not_disturb_what_was_opened() {
    let folder = Folder::new();
    let first = folder.file("run1.log", DIED);
    let other = folder.file("other.log", DIED);
    let run = real(&folder, "echo ready", &first);
    supervisor(&run).wait().unwrap();
    let mut program = Program::new();
    open(&mut program, &[other]);
    program.state.settings.run = Some(run.clone());
    for job in program.state.find_run() {
        program.worker.start(job);
    }
    program.until("the run", |state| state.rerun.run.is_some());
    program.until("that it is over", |state| state.rerun.run.is_none());
    assert_eq!(program.state.case.as_ref().unwrap().logs.len(), 1);
    assert_eq!(
        program.state.settings.run,
        Some(run),
        "told at the next start"
    );
}

#[test]
fn a_run_that_ends_waits_for_what_is_being_opened() {
    let folder = Folder::new();
    let (mut program, request) = running(&folder);
    let other = folder.file("other.log", DIED);
    let jobs = program.state.handle(Command::Open(vec![other]));
    let opening = only(jobs, |job| match job {
        Job::Open { request, .. } => Some(request),
        _ => None,
    });
    let mut update = update(RunState::Ended, 12_000, 3, 10);
    update.supervision = Supervision::Over;
    let jobs = (program.state).apply(Event::RunUpdate(request, Box::new(update)));
    assert!(!jobs.iter().any(|job| matches!(job, Job::Open { .. })));
    let jobs = (program.state).apply(Event::Opened(opening, Box::default()));
    let folders = only(jobs, |job| match job {
        Job::Open {
            what: OpenWhat::Paths(paths),
            ..
        } => Some(paths),
        _ => None,
    });
    assert_eq!(folders, [folder.path().join("run")]);
}
