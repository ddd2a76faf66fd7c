//! What the program does when something is opened, pasted, stopped, searched or goes wrong, with no window.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use assert_doctor::app::{
    AppState, Command, Event, Job, LogFilter, LogStatus, Note, OpenWhat, RequestId, Row, Without,
};
use assert_doctor::case::{Case, Input, Origin};
use assert_doctor::inputs::{Format, InputError, InputKind, ReadProgress, SAMPLES};
use assert_doctor::settings::ThemeChoice;
use assert_doctor::words::{Language, Verdict};

use crate::program::{Folder, Program, english};

pub const LOG: &str = "step 1\nTraceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    loss.backward()\nRuntimeError: CUDA error: device-side assert triggered\n";
const TABLE: &str = "file,label\na.png,1\nb.png,2\n";

/// What the Log tab shows, in a word.
pub fn shown(state: &AppState) -> String {
    match &state.log {
        LogStatus::Empty => "empty".to_owned(),
        LogStatus::Loading => "loading".to_owned(),
        LogStatus::Ready { name, .. } => name.clone(),
        LogStatus::Failed(failed) => failed.heading.clone(),
    }
}

pub fn settled(state: &AppState) -> bool {
    state.running.is_none() && !matches!(state.log, LogStatus::Loading)
}

pub fn open(program: &mut Program, paths: &[PathBuf]) {
    program.handle(Command::Open(paths.to_vec()));
    program.until("the case", settled);
}

/// The text of every row that is loaded.
pub fn texts(state: &AppState) -> Vec<String> {
    (0..state.view.row_count())
        .filter_map(|row| match state.view.row(row) {
            Some(Row::Line(line)) => Some(line.text.clone()),
            _ => None,
        })
        .collect()
}

pub fn is_loaded(state: &AppState) -> bool {
    let rows = state.view.row_count();
    (0..rows).all(|row| !matches!(state.view.row(row), Some(Row::Loading { .. })))
}

#[test]
fn a_file_is_opened_and_its_rows_come() {
    let folder = Folder::new();
    let path = folder.file("train.log", LOG);
    let mut program = Program::new();
    assert_eq!(program.state.message.text, "Ready");
    assert!(program.state.handle(Command::Open(Vec::new())).is_empty());
    open(&mut program, &[path]);
    assert_eq!(shown(&program.state), "train.log");
    assert!(program.state.notice.is_none());
    assert!(
        program
            .state
            .message
            .text
            .starts_with("train.log read: 5 lines")
    );
    program.handle(Command::RowsNeeded(0..40));
    program.until("rows", is_loaded);
    let lines: Vec<_> = LOG.lines().map(str::to_owned).collect();
    assert_eq!(texts(&program.state), lines);
}

#[test]
fn what_cannot_be_opened_says_what_it_is() {
    let folder = Folder::new();
    folder.file("many/a.log", LOG);
    folder.file("many/b.log", LOG);
    folder.file("none/a.jpg", "no picture");
    for (path, heading, text) in [
        (folder.file("empty.log", ""), "empty", "paste"),
        (folder.path().join("gone.log"), "not there", "moved"),
        (folder.path().join("many"), "several logs", "2 files"),
        (folder.path().join("none"), "folder", "run"),
    ] {
        let mut program = Program::new();
        open(&mut program, std::slice::from_ref(&path));
        let LogStatus::Failed(failed) = &program.state.log else {
            panic!("{} was opened", path.display());
        };
        assert!(
            failed.heading.contains(heading),
            "{path:?}: {}",
            failed.heading
        );
        assert!(failed.text.contains(text), "{path:?}: {}", failed.text);
        assert_eq!(failed.path, Some(path.display().to_string()));
    }
}

#[test]
fn others_among_logs_are_named_in_a_notice() {
    let folder = Folder::new();
    let log = folder.file("train.log", LOG);
    let table = folder.file("train.csv", TABLE);
    let mut program = Program::new();
    let gone = folder.path().join("gone.log");
    open(&mut program, &[gone.clone(), log, table]);
    assert_eq!(shown(&program.state), "train.log");
    let notice = program.state.notice.clone().expect("a notice");
    assert!(notice.warning);
    assert!(notice.path.is_some_and(|path| path.ends_with("gone.log")));
    program.handle(Command::DismissNotice);
    assert!(program.state.notice.is_none());

    // Alone it fails, and what was open stays open.
    let empty = folder.file("empty.log", "");
    open(&mut program, &[empty, gone]);
    assert_eq!(shown(&program.state), "train.log");
    let notice = program.state.notice.clone().expect("a notice");
    assert_eq!(notice.heading, "None of the 2 items could be read");
    assert!(notice.warning);
    assert!(notice.text.contains("gone.log"), "{}", notice.text);

    folder.file("many/a.log", LOG);
    folder.file("many/b.log", LOG);
    open(&mut program, &[folder.path().join("many")]);
    let notice = program.state.notice.clone().expect("a notice");
    assert!(notice.text.contains("a.log · b.log"), "{}", notice.text);
}

#[test]
fn a_file_that_changed_is_shown_with_a_warning() {
    let mut state = AppState::new(english());
    let jobs = state.handle(Command::Paste(LOG.to_owned()));
    let Some(Job::Open {
        request,
        what,
        cancel,
    }) = jobs.into_iter().next()
    else {
        panic!("nothing to open");
    };
    let mut case = assert_doctor::case::open(&what, &cancel, &mut |_| {});
    case.inputs[0].origin = Origin::Path("train.log".into());
    case.inputs[0].error = Some(InputError::ChangedWhileRead {
        read: 10,
        expected: 99,
    });
    state.apply(Event::Opened(request, Box::new(case)));
    assert_eq!(shown(&state), "train.log");
    let notice = state.notice.expect("a notice");
    assert!(notice.warning);
    assert!(notice.text.contains("10 of 99"), "{}", notice.text);
}

#[test]
fn several_logs_are_one_case() {
    let folder = Folder::new();
    let paths = [
        folder.file("a.log", LOG),
        folder.file("b.log", "step 1\nstep 2\n"),
    ];
    let mut program = Program::new();
    open(&mut program, &paths);
    assert_eq!(
        program.state.case.as_ref().map(|case| case.logs.len()),
        Some(2)
    );
    program.handle(Command::ShowLog(1));
    assert_eq!(shown(&program.state), "b.log");
    program.handle(Command::RowsNeeded(0..10));
    program.until("rows", is_loaded);
    assert_eq!(texts(&program.state), ["step 1", "step 2"]);
    program.handle(Command::ShowLog(7));
    assert_eq!(shown(&program.state), "b.log");
}

#[test]
fn text_is_pasted() {
    for nothing in ["", "  \n\t ", "\u{3000}"] {
        let mut state = AppState::new(english());
        assert!(state.handle(Command::Paste(nothing.to_owned())).is_empty());
        assert!(matches!(state.log, LogStatus::Empty));
        let notice = state.notice.expect("a notice");
        assert!(!notice.warning);
    }
    let mut program = Program::new();
    program.handle(Command::Paste(LOG.to_owned()));
    program.until("the case", settled);
    assert_eq!(shown(&program.state), "Pasted text");
    program.handle(Command::RowsNeeded(0..40));
    program.until("rows", is_loaded);
    assert_eq!(texts(&program.state).len(), 5);
}

#[test]
fn samples_open() {
    for sample in SAMPLES {
        let mut program = Program::new();
        program.handle(Command::OpenSample(sample.id));
        program.until("the case", settled);
        assert!(
            shown(&program.state).starts_with("Sample: "),
            "{}",
            sample.id
        );
        program.handle(Command::RowsNeeded(0..100));
        program.until("rows", is_loaded);
    }
    assert!(
        AppState::new(english())
            .handle(Command::OpenSample("none"))
            .is_empty()
    );
}

/// A case of one unusable input, as a late answer brings it.
fn other_case() -> Case {
    Case {
        inputs: vec![Input {
            origin: Origin::Path("late.log".into()),
            kind: InputKind::Unknown,
            format: Format::Plain,
            error: Some(InputError::NotFound),
        }],
        ..Case::default()
    }
}

fn request_of(jobs: &[Job]) -> RequestId {
    match jobs {
        [
            Job::Open { request, .. } | Job::LoadRows { request, .. } | Job::Search { request, .. },
            ..,
        ] => *request,
        _ => panic!("no request in {jobs:?}"),
    }
}

#[test]
fn late_answers_are_dropped() {
    let folder = Folder::new();
    let log = folder.file("train.log", LOG.repeat(100));
    let mut program = Program::new();
    let first = request_of(&program.state.handle(Command::Open(vec!["old.log".into()])));
    program.handle(Command::Open(vec![log]));
    let late = ReadProgress {
        read: 7,
        total: None,
    };
    program.state.apply(Event::Progress(first, late));
    assert!(
        program
            .state
            .running
            .as_ref()
            .is_some_and(|running| running.progress != Some(late))
    );
    program
        .state
        .apply(Event::Opened(first, Box::new(other_case())));
    assert!(program.state.running.is_some(), "the newer opening goes on");
    program.until("the case", settled);
    assert_eq!(shown(&program.state), "train.log");

    let rows = request_of(&program.state.handle(Command::RowsNeeded(0..10)));
    let search = request_of(&program.state.handle(Command::Search("one".to_owned())));
    program.state.handle(Command::Search("other".to_owned()));
    program.state.apply(Event::SearchFound {
        request: search,
        lines: vec![1, 2],
        done: true,
    });
    assert!(program.state.search.lines.is_empty());
    assert!(program.state.search.running);

    // Rows of a view that is gone.
    program.handle(Command::ShowLog(0));
    program.state.apply(Event::RowsLoaded {
        request: rows,
        first_line: 1,
        lines: vec!["wrong".to_owned(); 256],
    });
    assert_eq!(texts(&program.state), Vec::<String>::new());
    program
        .state
        .apply(Event::RowsFailed(rows, InputError::NotFound));
    program
        .state
        .apply(Event::SearchFailed(search, InputError::NotFound));
    program
        .state
        .apply(Event::JobFailed(first, "late".to_owned()));
    assert_eq!(shown(&program.state), "train.log");
    assert!(program.state.notice.is_none());
}

#[test]
fn a_stopped_opening_leaves_what_was_there() {
    let folder = Folder::new();
    let log = folder.file("train.log", LOG);
    let mut program = Program::new();
    let jobs = program.state.handle(Command::Open(vec![log.clone()]));
    assert!(matches!(program.state.log, LogStatus::Loading));
    let Some(Job::Open { cancel, .. }) = jobs.first() else {
        panic!("nothing to open");
    };
    program.handle(Command::CancelJob);
    assert!(cancel.load(std::sync::atomic::Ordering::Relaxed));
    assert!(matches!(program.state.log, LogStatus::Empty));
    assert!(program.state.running.is_none());
    assert_eq!(program.state.message.text, "Reading was cancelled");
    program
        .state
        .apply(Event::Opened(request_of(&jobs), Box::new(other_case())));
    assert!(matches!(program.state.log, LogStatus::Empty));

    open(&mut program, &[log]);
    program.state.handle(Command::Open(vec!["next.log".into()]));
    assert_eq!(shown(&program.state), "train.log");
    program.handle(Command::CancelJob);
    assert_eq!(shown(&program.state), "train.log");
    // Nothing runs: nothing happens.
    program.handle(Command::CancelJob);
    program.handle(Command::CloseCase);
    assert!(matches!(program.state.log, LogStatus::Empty));
    assert_eq!(program.state.view.row_count(), 0);
}

#[test]
fn a_fault_of_the_program_is_told_and_survived() {
    let folder = Folder::new();
    let log = folder.file("train.log", LOG);
    let mut program = Program::new();
    let jobs = program.state.handle(Command::Open(vec![log.clone()]));
    program.state.apply(Event::JobFailed(
        request_of(&jobs),
        "index out of bounds".to_owned(),
    ));
    assert!(matches!(program.state.log, LogStatus::Empty));
    let notice = program.state.notice.clone().expect("a notice");
    assert!(notice.text.contains("train.log"));
    open(&mut program, &[log]);
    assert_eq!(shown(&program.state), "train.log");
    assert!(program.state.notice.is_none());
    let jobs = program.state.handle(Command::Search("step".to_owned()));
    program
        .state
        .apply(Event::JobFailed(request_of(&jobs), "oh".to_owned()));
    assert!(!program.state.search.running);
}

#[test]
fn a_log_is_reloaded_and_a_failure_tried_again() {
    let folder = Folder::new();
    let path = folder.path().join("train.log");
    let mut program = Program::new();
    open(&mut program, std::slice::from_ref(&path));
    assert!(matches!(program.state.log, LogStatus::Failed(_)));
    folder.file("train.log", LOG);
    program.handle(Command::Reload);
    program.until("the case", settled);
    assert_eq!(shown(&program.state), "train.log");
    folder.file("train.log", format!("{LOG}more\n"));
    program.handle(Command::Reload);
    program.until("the case", settled);
    assert!(
        program.state.message.text.contains("6 lines"),
        "{}",
        program.state.message.text
    );
}

/// Every string that the window would show.
fn visible(state: &AppState) -> Vec<String> {
    let mut texts = vec![state.message.text.clone()];
    if let Some(notice) = &state.notice {
        texts.extend([notice.heading.clone(), notice.text.clone()]);
    }
    if let Some(running) = &state.running {
        texts.push(running.label.clone());
    }
    match &state.log {
        LogStatus::Failed(failed) => texts.extend([failed.heading.clone(), failed.text.clone()]),
        LogStatus::Ready { verdict, name, .. } => {
            texts.push(name.clone());
            texts.extend(verdict_texts(verdict));
        }
        LogStatus::Empty | LogStatus::Loading => {}
    }
    for row in 0..state.view.row_count() {
        match state.view.row(row) {
            Some(Row::Line(line)) => texts.extend(line.tags.iter().map(|tag| tag.text.clone())),
            Some(Row::Fold { text, .. } | Row::End(text)) => texts.push(text.to_owned()),
            _ => {}
        }
    }
    texts
}

fn verdict_texts(verdict: &Verdict) -> Vec<String> {
    let mut texts = vec![
        verdict.title.clone(),
        verdict.sentence.clone(),
        verdict.next.clone(),
    ];
    texts.extend(verdict.rows.iter().map(|row| row.label.clone()));
    texts
}

#[test]
fn a_change_of_language_changes_every_visible_text() {
    let folder = Folder::new();
    let empty = folder.file("empty.log", "");
    let mut programs: Vec<Program> = Vec::new();
    for sample in SAMPLES {
        let mut program = Program::new();
        program.handle(Command::OpenSample(sample.id));
        program.until("the case", settled);
        program.handle(Command::RowsNeeded(0..500));
        program.until("rows", is_loaded);
        // A failed opening gives a notice, the next one a label.
        open(&mut program, std::slice::from_ref(&empty));
        assert!(program.state.notice.is_some());
        program
            .state
            .handle(Command::Open(vec!["other.log".into()]));
        program.state.note(Note::Elevated);
        programs.push(program);
    }
    let mut program = Program::new();
    open(&mut program, &[empty]);
    program.state.note(Note::Renderer {
        name: "ui-renderer-software",
        crashed: true,
    });
    program.handle(Command::Copied);
    programs.push(program);
    let mut program = Program::new();
    program.handle(Command::DialogNotShown(Without::Dropping));
    assert!(program.state.notice.is_some());
    programs.push(program);

    for mut program in programs {
        let english = visible(&program.state);
        let jobs = program.state.handle(Command::SetLanguage(Language::ZhCn));
        assert!(
            matches!(jobs.as_slice(), [Job::SaveSettings(saved)] if saved.language == Some(Language::ZhCn))
        );
        let chinese = visible(&program.state);
        assert_eq!(english.len(), chinese.len());
        let same: BTreeSet<_> = english
            .iter()
            .zip(&chinese)
            .filter(|(english, chinese)| english == chinese)
            .collect();
        assert!(same.is_empty(), "{same:?}");
        program.state.handle(Command::SetLanguage(Language::En));
        assert_eq!(visible(&program.state), english);
    }
}

#[test]
fn settings_are_saved_when_they_change() {
    let mut state = AppState::new(english());
    let jobs = state.handle(Command::SetTheme(ThemeChoice::Light));
    assert!(
        matches!(jobs.as_slice(), [Job::SaveSettings(saved)] if saved.theme == ThemeChoice::Light)
    );
    state.apply(Event::SettingsNotSaved("disk full".to_owned()));
    assert!(state.message.text.contains("disk full"));
}

#[test]
fn notes_about_the_start_wait_behind_what_the_user_does() {
    let mut state = AppState::new(english());
    state.note(Note::Elevated);
    let elevated = state.notice.clone().expect("a notice");
    assert!(elevated.warning);
    state.handle(Command::Paste(String::new()));
    assert_ne!(state.notice.as_ref(), Some(&elevated));
    state.handle(Command::DismissNotice);
    assert_eq!(state.notice.as_ref(), Some(&elevated));
    state.handle(Command::Paste("hello".to_owned()));
    assert_eq!(
        state.notice.as_ref(),
        Some(&elevated),
        "an opening does not put it away"
    );
    state.handle(Command::DismissNotice);
    assert!(state.notice.is_none());
}

#[test]
fn nothing_that_a_user_can_do_at_the_start_breaks_it() {
    let mut state = AppState::new(english());
    for command in [
        Command::ChooseFiles,
        Command::Reload,
        Command::ShowLog(3),
        Command::CloseCase,
        Command::CancelJob,
        Command::Search("x".to_owned()),
        Command::NextMatch,
        Command::PreviousMatch,
        Command::SetFilter(LogFilter::Errors),
        Command::ToggleFold(9),
        Command::GoToLine(u64::MAX),
        Command::GoToLine(0),
        Command::RowsNeeded(0..usize::MAX),
        Command::ToggleDetails,
        Command::DismissNotice,
    ] {
        assert!(state.handle(command.clone()).is_empty(), "{command:?}");
    }
    assert!(state.scroll_to.is_none());
}

/// Run by hand: `cargo test -- --ignored`. Needs 3 GB of disk.
#[test]
#[ignore = "writes 3 GB"]
fn three_gigabytes_of_noise_are_refused_at_once() {
    use std::io::Write as _;
    let folder = Folder::new();
    let path = folder.path().join("noise.log");
    let mut file = std::fs::File::create(&path).expect("a file");
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut block = vec![0_u8; 1 << 20];
    for _ in 0..3 << 10 {
        for word in block.chunks_exact_mut(8) {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            word.copy_from_slice(&state.to_le_bytes());
        }
        file.write_all(&block).expect("written");
    }
    drop(file);
    let mut program = Program::new();
    let start = Instant::now();
    open(&mut program, &[path]);
    let took = start.elapsed();
    let LogStatus::Failed(failed) = &program.state.log else {
        panic!("noise was opened");
    };
    assert_eq!(failed.error, InputError::NotText);
    assert!(took < Duration::from_secs(2), "{took:?}");
    // The window is usable: the next log opens.
    let what = OpenWhat::Paths(vec![folder.file("train.log", LOG)]);
    let OpenWhat::Paths(paths) = what else { return };
    open(&mut program, &paths);
    assert_eq!(shown(&program.state), "train.log");
}
