//! Rows of the log: folds, gutter marks, notes, filters and the overview, on facts made by hand.

use std::sync::Arc;
use std::time::{Duration, Instant};

use assert_doctor::app::{AppState, Command, Event, FoldKind, Gutter, Job, LogFilter, Row};
use assert_doctor::case::{Case, Input, Log, Origin};
use assert_doctor::crash_log::{
    AssertionForm, AssertionGroup, ErrorEvent, ErrorFamily, ErrorRole, Facts, Frame, GuardFacts,
    GuardViolation, Hint, HintKind, LineIndex, Mark, MarkKind, TextEncoding, Traceback,
    TracebackStyle,
};
use assert_doctor::diagnosis::diagnose;
use assert_doctor::inputs::{Format, InputKind};

use crate::program::english;

fn group(count: u64, first_line: u64) -> AssertionGroup {
    AssertionGroup {
        file: r"C:\build\aten\src\ATen\native\cuda\NLLLoss2d.cu".to_owned(),
        line: 106,
        function: None,
        expression: "t >= 0 && t < n_classes".to_owned(),
        message: None,
        form: AssertionForm::Cuda,
        count,
        blocks: Some((2, 4)),
        threads: Some((353, 858)),
        first_line,
        last_line: first_line + count - 1,
        ranks: Vec::new(),
    }
}

fn mark(kind: MarkKind, lines: std::ops::RangeInclusive<u64>, index: usize) -> Mark {
    Mark { kind, lines, index }
}

fn frame(file: &str, code: &str, log_line: u64, library: bool) -> Frame {
    Frame {
        file: file.to_owned(),
        line: 7,
        function: Some("f".to_owned()),
        code: Some(code.to_owned()),
        log_line,
        code_line: Some(log_line + 1),
        last_log_line: log_line + 1,
        library,
    }
}

/// The log of the mock-up: a flood, a traceback that ends in library frames, an error, three hints.
fn segmentation() -> (Facts, Vec<String>) {
    let mut lines = vec!["2 trainable iterations".to_owned(), "  0%|".to_owned()];
    for thread in 0..1_019 {
        lines.push(format!(
            r"C:\build\aten\src\ATen\native\cuda\NLLLoss2d.cu:106: block: [4,0,0], thread: [{thread},0,0] Assertion `t >= 0 && t < n_classes` failed."
        ));
    }
    lines.push("  0%|".to_owned());
    let library = r"C:\py\Lib\site-packages";
    lines.extend(
        [
            "Traceback (most recent call last):",
            r#"  File "D:\p\run.py", line 104, in <module>"#,
            "    fit(args)",
            r#"  File "D:\p\fit.py", line 71, in fit"#,
            "    total.backward()",
        ]
        .map(str::to_owned),
    );
    for file in [
        r"torch\_tensor.py",
        r"torch\autograd\__init__.py",
        r"torch\autograd\graph.py",
    ] {
        lines.push(format!(r#"  File "{library}\{file}", line 5, in backward"#));
        lines.push("    call(".to_owned());
    }
    lines.extend(
        [
            "RuntimeError: CUDA error: device-side assert triggered",
            "CUDA kernel errors might be asynchronously reported",
            "For debugging consider passing CUDA_LAUNCH_BLOCKING=1",
            "Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.",
        ]
        .map(str::to_owned),
    );
    let library_frame = |file: &str, at| frame(&format!(r"{library}\{file}"), "call(", at, true);
    let hint = |kind, line| Hint {
        kind,
        line,
        count: 1,
    };
    let facts = Facts {
        line_count: lines.len() as u64,
        encodings: vec![TextEncoding::Utf8],
        assertions: vec![group(1_019, 3)],
        tracebacks: vec![Traceback {
            first_line: 1_023,
            last_line: 1_034,
            style: TracebackStyle::Python,
            frames: vec![
                frame(r"D:\p\run.py", "fit(args)", 1_024, false),
                frame(r"D:\p\fit.py", "total.backward()", 1_026, false),
                library_frame(r"torch\_tensor.py", 1_028),
                library_frame(r"torch\autograd\__init__.py", 1_030),
                library_frame(r"torch\autograd\graph.py", 1_032),
            ],
            error: Some(0),
            chain: None,
            source: None,
            in_worker: false,
        }],
        errors: vec![ErrorEvent {
            family: ErrorFamily::DeviceAssert,
            line: 1_034,
            text: "RuntimeError: CUDA error: device-side assert triggered".to_owned(),
            class: Some("RuntimeError".to_owned()),
            role: ErrorRole::Exception,
            status: None,
            numbers: Vec::new(),
            source: None,
            count: 1,
        }],
        hints: vec![
            hint(HintKind::Asynchronous, 1_035),
            hint(HintKind::LaunchBlocking, 1_036),
            hint(HintKind::DsaCompile, 1_037),
        ],
        marks: vec![
            mark(MarkKind::Assertion, 3..=1_021, 0),
            mark(MarkKind::Traceback, 1_023..=1_034, 0),
            mark(MarkKind::LibraryFrames, 1_028..=1_033, 0),
            mark(MarkKind::Error, 1_034..=1_034, 0),
            mark(MarkKind::Hint, 1_035..=1_037, 0),
        ],
        ..Facts::default()
    };
    (facts, lines)
}

/// A state that shows a log with these facts.
fn state_of(facts: Facts, offsets: Vec<u64>) -> AppState {
    let mut state = AppState::new(english());
    let jobs = state.handle(Command::Paste("text".to_owned()));
    let Some(Job::Open { request, .. }) = jobs.first() else {
        panic!("nothing to open");
    };
    let case = Case {
        inputs: vec![Input {
            origin: Origin::Pasted,
            kind: InputKind::Log,
            format: Format::Plain,
            error: None,
        }],
        logs: vec![Log {
            input: 0,
            diagnosis: diagnose(&facts),
            digest: None,
            ending: None,
            unfinished: None,
            facts,
            lines: LineIndex { offsets },
        }],
        ..Case::default()
    };
    state.apply(Event::Opened(*request, Box::new(case)));
    state
}

/// Loads rows from lines instead of a file.
fn load(state: &mut AppState, rows: std::ops::Range<usize>, lines: &[String]) {
    let mut jobs = state.handle(Command::RowsNeeded(rows));
    while let Some(job) = jobs.pop() {
        let Job::LoadRows {
            request,
            lines: wanted,
            ..
        } = job
        else {
            continue;
        };
        let (first, last) = (wanted.start as usize - 1, wanted.end as usize - 1);
        jobs.extend(state.apply(Event::RowsLoaded {
            request,
            first_line: wanted.start,
            lines: lines[first..last].to_vec(),
        }));
    }
}

fn segmentation_state() -> (AppState, Vec<String>) {
    let (facts, lines) = segmentation();
    let blocks = lines.len().div_ceil(256) as u64;
    (
        state_of(facts, (0..blocks).map(|block| block * 10_000).collect()),
        lines,
    )
}

/// A row as one would read it aloud.
fn spoken(row: &Row<'_>) -> String {
    match row {
        Row::Line(line) => {
            let tags = line.tags.iter().map(|tag| format!(" [{}]", tag.text));
            let mut said = vec![format!("{} {}", line.number, line.text)];
            said.extend(tags);
            said.concat()
        }
        Row::Loading { number, .. } => format!("{number} …"),
        Row::Fold {
            text, lines, open, ..
        } => {
            let sign = if *open { "v" } else { ">" };
            format!("{sign} {text} {}–{}", lines.start(), lines.end())
        }
        Row::End(text) => (*text).to_owned(),
    }
}

#[test]
fn the_log_reads_as_it_should() {
    let (mut state, lines) = segmentation_state();
    let rows = state.view.row_count();
    load(&mut state, 0..rows, &lines);
    let said: Vec<_> = (0..rows)
        .filter_map(|row| state.view.row(row))
        .map(|row| spoken(&row))
        .collect();
    let expected = [
        "1 2 trainable iterations",
        "2   0%|",
        r"3 C:\…\NLLLoss2d.cu:106: block: [4,0,0], thread: [0,0,0] Assertion `t >= 0 && t < n_classes` failed.",
        "> 1,018 more like this · blocks 2–4 · threads 353–858 4–1021",
        "1022   0%|",
        "1023 Traceback (most recent call last):",
        r#"1024   File "D:\p\run.py", line 104, in <module>"#,
        "1025     fit(args)",
        r#"1026   File "D:\p\fit.py", line 71, in fit"#,
        "1027     total.backward() [only noticed here]",
        r"> 3 library frames · torch\_tensor.py · autograd\__init__.py · autograd\graph.py 1028–1033",
        "1034 RuntimeError: CUDA error: device-side assert triggered [consequence]",
        "1035 CUDA kernel errors might be asynchronously reported",
        "1036 For debugging consider passing CUDA_LAUNCH_BLOCKING=1 [would give the true line]",
        "1037 Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions. [needs a PyTorch built for it]",
        "End of the log · no exit code recorded",
    ];
    assert_eq!(said, expected);

    let Some(Row::Line(line)) = state.view.row(2) else {
        panic!("the first assertion is a line");
    };
    assert_eq!(line.whole.as_deref(), lines.get(2).map(String::as_str));
    assert_eq!(
        line.emphasis.clone().map(|range| &line.text[range]),
        Some("t >= 0 && t < n_classes")
    );
    let gutters: Vec<_> = (0..rows)
        .filter_map(|row| match state.view.row(row) {
            Some(Row::Line(line)) => line.gutter.map(|gutter| (line.number, gutter)),
            _ => None,
        })
        .collect();
    assert_eq!(
        gutters,
        [
            (3, Gutter::Assertion),
            (1_023, Gutter::Traceback),
            (1_024, Gutter::Traceback),
            (1_025, Gutter::Traceback),
            (1_026, Gutter::Traceback),
            (1_027, Gutter::Misleading),
            (1_034, Gutter::Error),
            (1_035, Gutter::Hint),
            (1_036, Gutter::Hint),
            (1_037, Gutter::Hint),
        ]
    );
}

#[test]
fn folds_open_close_and_open_for_what_is_in_them() {
    let (mut state, _) = segmentation_state();
    assert_eq!(state.view.row_count(), 16);
    assert_eq!(state.view.row_of_line(500), Some(3));
    state.handle(Command::ToggleFold(0));
    assert_eq!(state.view.row_count(), 16 + 1_018);
    assert!(matches!(
        state.view.row(3),
        Some(Row::Fold {
            open: true,
            kind: FoldKind::Flood,
            ..
        })
    ));
    assert_eq!(state.view.row_of_line(4), Some(4));
    assert_eq!(state.view.row_of_line(1_021), Some(1_021));
    state.handle(Command::ToggleFold(0));
    assert_eq!(state.view.row_count(), 16);

    state.handle(Command::GoToLine(1_030));
    assert_eq!(state.scroll_to.map(|(line, _)| line), Some(1_030));
    assert!(matches!(
        state.view.row(10),
        Some(Row::Fold {
            open: true,
            kind: FoldKind::LibraryFrames,
            ..
        })
    ));
    assert_eq!(state.view.row_of_line(1_030), Some(13));
    let before = state.scroll_to;
    state.handle(Command::GoToLine(99_999));
    assert_eq!(state.scroll_to, before, "there is no such line");
    state.handle(Command::GoToLine(1_030));
    assert!(state.scroll_to > before, "asked again, shown again");

    // A match inside a closed fold opens it.
    let jobs = state.handle(Command::Search("thread".to_owned()));
    let Some(Job::Search { request, .. }) = jobs.first() else {
        panic!("no search");
    };
    state.apply(Event::SearchFound {
        request: *request,
        lines: vec![900],
        done: true,
    });
    assert_eq!(state.scroll_to.map(|(line, _)| line), Some(900));
    assert_eq!(state.view.row_of_line(900), Some(900));
}

#[test]
fn filters_show_lines_of_one_kind() {
    let (mut state, lines) = segmentation_state();
    for (filter, count, first) in [
        (LogFilter::Assertions, 1_019, 3),
        (LogFilter::Traceback, 12, 1_023),
        (LogFilter::Errors, 1, 1_034),
        (LogFilter::Hints, 3, 1_035),
    ] {
        state.handle(Command::SetFilter(filter));
        assert_eq!(state.view.count(filter), count);
        assert_eq!(state.view.row_count() as u64, count);
        load(&mut state, 0..1, &lines);
        assert!(
            matches!(state.view.row(0), Some(Row::Line(line)) if line.number == first),
            "{filter:?}"
        );
        assert_eq!(state.view.row_of_line(1), None);
    }
    assert_eq!(state.view.count(LogFilter::All), 1_037);
    // A link leads out of the filter.
    state.handle(Command::GoToLine(1));
    assert_eq!(state.filter, LogFilter::All);
    assert_eq!(state.view.row_of_line(1), Some(0));
    state.handle(Command::SetFilter(LogFilter::Traceback));
    state.handle(Command::GoToLine(1_030));
    assert_eq!(state.filter, LogFilter::Traceback, "it is shown here");
}

#[test]
fn the_overview_counts_a_fold_as_one_row() {
    let (state, _) = segmentation_state();
    let rows = |kind| -> Vec<_> {
        let overview = state.view.overview().iter();
        overview
            .filter(|mark| mark.kind == Some(kind))
            .map(|mark| mark.rows)
            .collect()
    };
    assert_eq!(rows(MarkKind::Assertion), [(2, 4)]);
    assert_eq!(rows(MarkKind::Traceback), [(5, 12)]);
    assert_eq!(rows(MarkKind::Error), [(11, 12)]);
    assert_eq!(rows(MarkKind::Hint), [(12, 15)]);
}

/// Folds as (first line, last line) of facts.
fn folds(facts: Facts) -> Vec<(u64, u64)> {
    let state = state_of(facts, vec![0]);
    (0..state.view.row_count())
        .filter_map(|row| match state.view.row(row) {
            Some(Row::Fold { lines, .. }) => Some((*lines.start(), *lines.end())),
            _ => None,
        })
        .collect()
}

#[test]
fn only_what_is_worth_it_is_folded() {
    let with = |line_count, marks: &[Mark]| Facts {
        line_count,
        assertions: vec![group(3, 1), group(3, 1)],
        marks: marks.to_vec(),
        ..Facts::default()
    };
    let assertion = |lines, group| mark(MarkKind::Assertion, lines, group);
    let library = |lines| mark(MarkKind::LibraryFrames, lines, 0);
    for (what, facts, expected) in [
        (
            "summaries of the guard, with a violation among them",
            Facts {
                guard: GuardFacts {
                    violations: vec![GuardViolation {
                        line: 6,
                        ..GuardViolation::default()
                    }],
                    ..GuardFacts::default()
                },
                ..with(
                    20,
                    &(2..=9)
                        .map(|line| mark(MarkKind::Guard, line..=line, usize::from(line != 6)))
                        .collect::<Vec<_>>(),
                )
            },
            vec![(3, 5), (8, 9)],
        ),
        ("one line", with(9, &[assertion(2..=2, 0)]), vec![]),
        ("two lines", with(9, &[assertion(2..=3, 0)]), vec![]),
        ("three lines", with(9, &[assertion(2..=4, 0)]), vec![(3, 4)]),
        (
            "the whole log",
            with(9, &[assertion(1..=9, 0)]),
            vec![(2, 9)],
        ),
        (
            "two runs",
            with(30, &[assertion(2..=9, 0), assertion(12..=20, 0)]),
            vec![(3, 9), (13, 20)],
        ),
        (
            "checks that alternate",
            with(
                20,
                &[
                    assertion(1..=4, 0),
                    assertion(5..=5, 1),
                    assertion(6..=6, 0),
                    assertion(7..=7, 1),
                    assertion(8..=9, 0),
                ],
            ),
            vec![(2, 4), (6, 9)],
        ),
        ("library lines", with(9, &[library(3..=6)]), vec![(3, 6)]),
        ("one library line", with(9, &[library(3..=3)]), vec![]),
        (
            "marks that overlap",
            with(9, &[assertion(1..=6, 0), library(4..=8)]),
            vec![(2, 6)],
        ),
        ("a mark past the end", with(5, &[library(4..=9)]), vec![]),
        ("no lines", with(0, &[assertion(1..=4, 0)]), vec![]),
    ] {
        assert_eq!(folds(facts), expected, "{what}");
    }
    // A mark that covers the user's own frame hides nothing.
    let (mut facts, _) = segmentation();
    facts.marks = vec![library(1_026..=1_033)];
    assert_eq!(folds(facts), []);
}

/// Millions of lines cost no more than their marks.
#[test]
fn a_log_of_fifty_million_lines_is_laid_out_at_once() {
    let lines = 50_000_000_u64;
    let marks: Vec<_> = (0..50_000_u64)
        .map(|i| mark(MarkKind::Assertion, i * 1_000 + 10..=i * 1_000 + 500, 0))
        .collect();
    let facts = Facts {
        line_count: lines,
        byte_count: lines * 100,
        assertions: vec![group(20_000_000, 10)],
        marks,
        ..Facts::default()
    };
    let offsets = (0..lines.div_ceil(256))
        .map(|block| block * 25_600)
        .collect();
    let mut state = state_of(facts, offsets);
    let start = Instant::now();
    let folded = 50_000 * 490;
    assert_eq!(state.view.row_count() as u64, lines - folded + 50_000 + 1);
    for fold in (0..50_000).step_by(5_000) {
        state.handle(Command::ToggleFold(fold));
    }
    assert_eq!(
        state.view.row_count() as u64,
        lines - folded + 50_000 + 1 + 10 * 490
    );
    for line in (1..lines).step_by(777_777) {
        let row = state.view.row_of_line(line).expect("every line has a row");
        match state.view.row(row) {
            Some(Row::Loading { number, .. }) => assert_eq!(number, line),
            Some(Row::Fold {
                lines, open: false, ..
            }) => assert!(lines.contains(&line)),
            other => panic!("line {line}: {other:?}"),
        }
    }
    assert!(state.view.overview().len() < 5_000);
    let jobs = state.handle(Command::RowsNeeded(20_000_000..20_000_050));
    assert!(matches!(
        jobs.as_slice(),
        [Job::LoadRows { .. }] | [Job::LoadRows { .. }, _]
    ));
    // Generous for a build without optimisation.
    assert!(
        start.elapsed() < Duration::from_secs(5),
        "{:?}",
        start.elapsed()
    );
}

#[test]
fn a_state_is_made_and_dropped_with_its_worker() {
    let woken = Arc::new(std::sync::atomic::AtomicU64::new(0));
    let counter = Arc::clone(&woken);
    let worker = assert_doctor::app::Worker::new(Arc::new(move || {
        counter.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    }));
    let mut state = AppState::new(english());
    for job in state.handle(Command::Paste("RuntimeError: CUDA error\n".to_owned())) {
        worker.start(job);
    }
    let start = Instant::now();
    while worker.try_event().is_none() {
        assert!(start.elapsed() < Duration::from_secs(30));
        std::thread::sleep(Duration::from_millis(1));
    }
    // Sent first, then woken: the wake may come a moment after the event was taken.
    while woken.load(std::sync::atomic::Ordering::Relaxed) == 0 {
        assert!(start.elapsed() < Duration::from_secs(30));
        std::thread::sleep(Duration::from_millis(1));
    }
    let before = Instant::now();
    drop(worker);
    assert!(before.elapsed() < Duration::from_secs(1));
}
