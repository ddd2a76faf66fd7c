//! Rows that are loaded when they are needed, and a text that is found, with the worker at work.

use std::time::{Duration, Instant};

use assert_doctor::app::{AppState, Command, Event, Job, Row};
use assert_doctor::words::Language;

use crate::app_state::{LOG, is_loaded, open, settled, shown, texts};
use crate::program::{Folder, Program, english};

#[test]
fn rows_of_a_vanished_file_say_so_and_are_not_asked_for_again() {
    let folder = Folder::new();
    let path = folder.file("train.log", LOG);
    let mut program = Program::new();
    open(&mut program, std::slice::from_ref(&path));
    std::fs::remove_file(&path).expect("removed");
    program.handle(Command::RowsNeeded(0..10));
    program.until("rows", is_loaded);
    let told = texts(&program.state);
    assert!(
        told.iter().all(|text| text.contains("not there any more")),
        "{told:?}"
    );
    assert!(program.state.handle(Command::RowsNeeded(0..10)).is_empty());
    program.handle(Command::SetLanguage(Language::ZhCn));
    assert!(
        texts(&program.state)
            .iter()
            .all(|text| text.contains("不存在"))
    );
    program.handle(Command::Search("step".to_owned()));
    program.until("the search", |state| !state.search.running);
    assert!(program.state.message.text.contains("不存在"));
}

#[test]
fn rows_are_asked_for_once_and_are_let_go() {
    let mut state = AppState::new(english());
    let lines: Vec<_> = (1..=60_000).map(|line| format!("line {line}\n")).collect();
    let jobs = state.handle(Command::Paste(lines.concat()));
    let Some(Job::Open {
        request,
        what,
        cancel,
    }) = jobs.into_iter().next()
    else {
        panic!("nothing to open");
    };
    let case = assert_doctor::case::open(&what, &cancel, &mut |_| {});
    state.apply(Event::Opened(request, Box::new(case)));
    let answer = |state: &mut AppState, jobs: Vec<Job>| {
        for job in jobs {
            let Job::LoadRows { request, lines, .. } = job else {
                panic!("{job:?}");
            };
            state.apply(Event::RowsLoaded {
                request,
                first_line: lines.start,
                lines: lines.map(|line| format!("line {line}")).collect(),
            });
        }
    };
    let jobs = state.handle(Command::RowsNeeded(0..300));
    assert_eq!(jobs.len(), 2);
    assert!(
        state.handle(Command::RowsNeeded(0..300)).is_empty(),
        "both are on their way"
    );
    answer(&mut state, jobs);
    assert!(
        state.handle(Command::RowsNeeded(0..300)).is_empty(),
        "both are there"
    );
    for block in 0..200 {
        let rows = block * 256..block * 256 + 40;
        let jobs = state.handle(Command::RowsNeeded(rows.clone()));
        answer(&mut state, jobs);
        let Some(Row::Line(line)) = state.view.row(rows.start) else {
            panic!("row {} is not loaded", rows.start);
        };
        assert_eq!(line.text, format!("line {}", rows.start + 1));
    }
    assert!(state.view.loaded_blocks() <= 64);
    // Whoever drags the bar through the log does not fill the queue.
    let asked: usize = (0..230)
        .map(|block| {
            state
                .handle(Command::RowsNeeded(block * 256..block * 256 + 40))
                .len()
        })
        .sum();
    assert!(asked <= 16, "{asked}");
    assert!(
        state
            .handle(Command::RowsNeeded(10_000_000..10_000_050))
            .is_empty()
    );
}

#[test]
fn a_text_is_found_whatever_its_case() {
    let folder = Folder::new();
    let mut text = Vec::new();
    for line in 1..=3_000 {
        text.push(match line {
            700 | 2_999 => format!("line {line} NEEDLE 断言\n"),
            1_500 => format!("line {line} \u{1b}[31mnee\u{1b}[0mdle\n"),
            _ => format!("line {line}\n"),
        });
    }
    let path = folder.file("train.log", text.concat());
    let mut program = Program::new();
    open(&mut program, &[path]);
    let done = |state: &AppState| !state.search.running;
    program.handle(Command::Search("Needle".to_owned()));
    program.until("the search", done);
    assert_eq!(program.state.search.lines, [700, 1_500, 2_999]);
    assert_eq!(program.state.search.current, Some(0));
    for (command, line) in [
        (Command::NextMatch, 1_500),
        (Command::NextMatch, 2_999),
        (Command::NextMatch, 700),
        (Command::PreviousMatch, 2_999),
    ] {
        program.handle(command);
        assert_eq!(program.state.scroll_to.map(|(line, _)| line), Some(line));
    }
    let rows = program.state.view.row_of_line(700).expect("a row");
    program.handle(Command::RowsNeeded(rows..rows + 1));
    program.until("rows", |state| {
        matches!(state.view.row(rows), Some(Row::Line(_)))
    });
    let Some(Row::Line(line)) = program.state.view.row(rows) else {
        panic!("not loaded");
    };
    assert_eq!(line.matches.as_slice(), std::slice::from_ref(&(9..15)));
    assert_eq!(
        program
            .state
            .view
            .overview()
            .iter()
            .filter(|mark| mark.kind.is_none())
            .count(),
        3
    );

    program.handle(Command::Search("断言".to_owned()));
    program.until("the search", done);
    assert_eq!(program.state.search.lines, [700, 2_999]);
    program.handle(Command::Search("nowhere".to_owned()));
    program.until("the search", done);
    assert!(program.state.search.lines.is_empty());
    program.handle(Command::NextMatch);
    program.handle(Command::Search(String::new()));
    assert!(!program.state.search.running);
    assert!(
        program
            .state
            .view
            .overview()
            .iter()
            .all(|mark| mark.kind.is_some())
    );
    // Another log is searched for the same text.
    program.handle(Command::Search("line 30".to_owned()));
    program.handle(Command::Reload);
    program.until("the case", settled);
    program.until("the search", done);
    assert_eq!(program.state.search.text, "line 30");
    assert_eq!(program.state.search.lines.len(), 1 + 10 + 1);
}

#[test]
fn a_search_ends_at_its_limit() {
    let folder = Folder::new();
    let path = folder.file("train.log", "the same line\n".repeat(150_000));
    let mut program = Program::new();
    open(&mut program, &[path]);
    program.handle(Command::Search("same".to_owned()));
    program.until("the search", |state| !state.search.running);
    assert_eq!(program.state.search.lines.len(), 100_000);
    assert!(program.state.search.capped);
}

#[test]
fn rows_come_while_a_large_log_is_read() {
    let folder = Folder::new();
    let small = folder.file("small.log", LOG);
    let line = "2024-03-01 10:00:00 INFO epoch 3 step 1200 loss 0.1234 lr 0.0001 speed 3.2 it/s\n";
    let large = folder.file("large.log", line.repeat((100 << 20) / line.len()));
    let mut program = Program::new();
    open(&mut program, &[small]);

    let mut longest = Duration::ZERO;
    let mut timed = |program: &mut Program, command: Command| {
        let start = Instant::now();
        program.handle(command);
        longest = longest.max(start.elapsed());
    };
    timed(&mut program, Command::Open(vec![large]));
    timed(&mut program, Command::RowsNeeded(0..10));
    program.until("rows of the small log", is_loaded);
    assert!(
        program.state.running.is_some(),
        "the large log is still being read"
    );
    program.until("the large log", settled);
    assert_eq!(shown(&program.state), "large.log");
    let rows = program.state.view.row_count();
    timed(&mut program, Command::RowsNeeded(rows - 30..rows));
    program.until("its last rows", |state| {
        !matches!(state.view.row(rows - 2), Some(Row::Loading { .. }))
    });
    assert!(longest < Duration::from_millis(200), "{longest:?}");
}
