//! Runs in the window: what is to be run, a run that goes on, its end, and what they look like.

use assert_doctor::app::{AppState, Command, Event, Job};
use assert_doctor::crash_log::{Phase, Progress};
use assert_doctor::rerun::{
    FirstRun, FoundPython, GuardLive, MemorySample, NewLine, PythonKind, RunCommand, RunOptions,
    RunRecord, RunState, RunStatus, StreamName, Suggestion, SuggestionReason, Supervision, Update,
};
use assert_doctor::settings::{Settings, ThemeChoice};
use assert_doctor::words::Language;

use eframe::egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;

use super::harness::{Start, click, says, settle, show, wait_for_log, words};
use super::images::{Images, tag};
use crate::program::Folder;

pub const SMALL: [f32; 2] = [720.0, 560.0];
const SIZE: [f32; 2] = [1280.0, 820.0];

fn state(language: Language, theme: ThemeChoice) -> AppState {
    AppState::new(Settings {
        language: Some(language),
        theme,
        ..Settings::default()
    })
}

fn command() -> RunCommand {
    RunCommand {
        program: "/home/u/organseg/.venv/bin/python".into(),
        arguments: [
            "run_train.py",
            "--dataset",
            "Synapse",
            "--num_classes",
            "14",
        ]
        .map(Into::into)
        .to_vec(),
        directory: "/home/u/organseg".into(),
    }
}

/// What is to be run, with the answers of the search for it.
fn setup(language: Language, theme: ThemeChoice) -> AppState {
    let mut state = state(language, theme);
    let jobs = state.handle(Command::PrepareRun);
    let [Job::SuggestRun { request, .. }] = jobs.as_slice() else {
        panic!("{jobs:?}");
    };
    let python = FoundPython {
        path: command().program.into(),
        kind: PythonKind::Venv,
        version: Some("3.11.7".into()),
        has_torch: Some(true),
        name: Some(".venv".into()),
    };
    let other = Suggestion {
        command: RunCommand {
            arguments: vec!["/data/old/run_train.py".into()],
            ..command()
        },
        why: SuggestionReason::Traceback { line: 1_025 },
        python: None,
        missing: vec!["/data/old/run_train.py".into()],
        left_out: Vec::new(),
    };
    state.apply(Event::RunSuggested {
        request: *request,
        suggestions: vec![
            Suggestion {
                command: command(),
                why: SuggestionReason::LogCommand { line: 1 },
                python: Some(python.clone()),
                missing: Vec::new(),
                left_out: Vec::new(),
            },
            other,
        ],
        pythons: vec![python],
    });
    state
}

/// A run that is past the point where the first one died.
pub fn running(language: Language, theme: ThemeChoice) -> AppState {
    running_after(language, theme, 3)
}

/// A run in its epoch 67; the first one died in this one.
fn running_after(language: Language, theme: ThemeChoice, died: u64) -> AppState {
    let mut state = setup(language, theme);
    let jobs = state.handle(Command::StartRun);
    let [Job::StartRun { request, .. }] = jobs.as_slice() else {
        panic!("{jobs:?}");
    };
    let at = |epoch, step| Progress {
        phase: Some(Phase::Training),
        epoch: Some((epoch, Some(150))),
        step: Some((step, Some(2))),
        ..Progress::default()
    };
    let record = RunRecord {
        command: command(),
        options: RunOptions {
            sync: true,
            guard: true,
            ..RunOptions::default()
        },
        environment: [
            ("PYTHONUNBUFFERED", "1"),
            ("PYTHONIOENCODING", "utf-8:backslashreplace"),
            ("CUDA_LAUNCH_BLOCKING", "1"),
            ("ASSERT_DOCTOR_GUARD", "1"),
            (
                "PYTHONPATH",
                "/home/u/.local/share/assert-doctor/runs/1/guard",
            ),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .to_vec(),
        first: Some(FirstRun {
            elapsed_ms: (died == 3).then_some(14_000),
            progress: at(died, 1),
            path: None,
            name: "train.log".into(),
        }),
        ..RunRecord::default()
    };
    let jobs = state.apply(Event::RunAttached {
        request: *request,
        folder: "/home/u/.local/share/assert-doctor/runs/1".into(),
        record: Box::new(record),
    });
    let Some(Job::FollowRun { request, .. }) = jobs.first() else {
        panic!("{jobs:?}");
    };
    let tell = |state: &mut AppState, texts: Vec<(u64, StreamName, String)>, from: u64, epoch| {
        let lines: Vec<NewLine> = (from..)
            .zip(texts)
            .map(|(number, (ms, stream, text))| NewLine {
                number,
                ms,
                stream,
                bytes: text.into_bytes(),
            })
            .collect();
        let elapsed_ms = lines.last().map_or(0, |line| line.ms);
        let samples = lines.iter().map(|line| MemorySample {
            t_ms: line.ms,
            reserved: Some((8_100_000_000).min(400_000_000 * (line.ms / 1000))),
            allocated: None,
            peak: Some(8_590_000_000),
            total: Some(12_884_901_888),
            name: None,
        });
        let update = Update {
            status: RunStatus {
                state: RunState::Running,
                elapsed_ms,
                lines: from + lines.len() as u64 - 1,
                progress: at(epoch, 1),
                guard: GuardLive {
                    started: true,
                    calls: 133,
                    values: 3_192,
                    ..GuardLive::default()
                },
                last_redraw: Some(
                    " 44%|████████             | 66/150 [02:34<03:16,  2.33s/it]".into(),
                ),
                ..RunStatus::default()
            },
            samples: samples.collect(),
            lines,
            supervision: Supervision::Lives,
            ..Update::default()
        };
        state.apply(Event::RunUpdate(*request, Box::new(update)));
    };
    let out = |ms, text: String| (ms, StreamName::Out, text);
    let mut texts = vec![
        out(
            9_000,
            "2 trainable iterations per epoch. 300 max iterations".to_owned(),
        ),
        (
            14_000,
            StreamName::Guard,
            r#"[assert-doctor] {"guard":1,"event":"summary","ops":{"cross_entropy":{"calls":24,"values":576,"min":0,"max":13}}}"#
                .to_owned(),
        ),
    ];
    tell(&mut state, texts.clone(), 1, 2);
    texts = (1..=133u64)
        .map(|n| {
            let loss = 2_639 - n * 17;
            out(
                14_000 + n * 1_150,
                format!(
                    "iteration {n} : loss : {}.{:03}, loss_ce: 0.29{n}",
                    loss / 1000,
                    loss % 1000
                ),
            )
        })
        .collect();
    tell(&mut state, texts.drain(..4).collect(), 3, 4);
    tell(&mut state, texts, 7, 67);
    state
}

#[test]
fn what_is_to_be_run() {
    let mut images = Images::default();
    for (language, theme) in [
        (Language::En, ThemeChoice::Dark),
        (Language::ZhCn, ThemeChoice::Light),
    ] {
        let window = show(setup(language, theme), SIZE);
        images.look(window, &format!("run-setup-{}", tag(language, theme)));
    }
    let mut window = show(setup(Language::En, ThemeChoice::Light), SIZE);
    click(&mut window, "Show the commands");
    assert!(says(&window, "PowerShell"));
    images.look(window, "run-kit-en-light");
}

#[test]
fn a_run_that_goes_on() {
    let mut images = Images::default();
    for (language, theme) in [
        (Language::En, ThemeChoice::Dark),
        (Language::ZhCn, ThemeChoice::Light),
    ] {
        let window = show(running(language, theme), SIZE);
        images.look(window, &format!("run-{}", tag(language, theme)));
    }
    let mut window = show(running(Language::En, ThemeChoice::Light), SMALL);
    images.look(
        {
            click(&mut window, "Stop the run");
            window
        },
        "run-small",
    );
}

#[test]
fn stopping_is_asked_once_and_the_output_can_be_looked_through() {
    let mut window = show(running(Language::En, ThemeChoice::Dark), SIZE);
    let said = words(Language::En);
    assert!(says(&window, "Run 2 is past the point where run 1 died"));
    click(&mut window, "Stop the run");
    assert!(says(&window, &said.text("rerun-ask-stop")));
    click(&mut window, "Let it run");
    assert!(!says(&window, &said.text("rerun-ask-stop")));
    click(&mut window, "Guard");
    settle(&mut window);
    let rows = |window: &super::harness::Window| {
        let run = window.state().state().rerun.run.as_ref().unwrap();
        run.output.rows().len()
    };
    assert_eq!(rows(&window), 1);
    click(&mut window, "Follow");
    assert!(
        !window
            .state()
            .state()
            .rerun
            .run
            .as_ref()
            .unwrap()
            .output
            .follow
    );
}

#[test]
fn where_the_first_run_died_is_told_on_a_small_window_too() {
    let title = |size| {
        let window = show(running_after(Language::ZhCn, ThemeChoice::Dark, 140), size);
        let title =
            "第 2 次运行：第 67/150 轮 · 第 1/2 步；第 1 次崩溃于 第 140/150 轮 · 第 1/2 步";
        window.get_by_label(title).rect()
    };
    assert!(title(SIZE).height() < 30.0, "one line where it fits");
    let small = title(SMALL);
    assert!(small.height() > 40.0, "{small:?}");
    assert!(small.right() < SMALL[0] - 200.0, "{small:?}");
}

#[test]
fn a_long_reason_does_not_make_the_window_wider() {
    let folder = Folder::new();
    let died = "Epoch 1/3\nTraceback (most recent call last):\n  File \"train.py\", line 9, in <module>\n    \
        loss = F.cross_entropy(x, y)\nIndexError: Target 9 is out of bounds.\n";
    let long = format!(
        "Epoch 1/3\nEpoch 2/3\nOSError: [WinError 1455] The paging file is too small. Error loading \"D:\\{}\\cublas64_11.dll\" or one of its dependencies.\n",
        "torch ".repeat(40)
    );
    let mut window = Start {
        paths: vec![
            folder.file("first.log", died),
            folder.file("second.log", &long),
        ],
        ..Start::default()
    }
    .open();
    wait_for_log(&mut window);
    let choice = words(Language::En).text("ui-shown-log");
    window
        .get_by_role_and_label(Role::ComboBox, &choice)
        .click();
    settle(&mut window);
    click(&mut window, "second.log");
    settle(&mut window);
    let width = window.ctx.content_rect().width();
    let links: Vec<f32> = window
        .get_all_by_role(Role::Link)
        .map(|link| link.rect().right())
        .collect();
    assert!(links.len() > 1, "{links:?}");
    assert!(
        links.iter().all(|right| *right <= width),
        "{links:?} {width}"
    );
}

#[test]
fn two_runs_beside_each_other() {
    let folder = Folder::new();
    let steps = |last: u64| -> String {
        let steps = (1..=last).map(|n| format!("step {n}/40 loss 0.5\n"));
        std::iter::once("Epoch 1/1\n".to_owned())
            .chain(steps)
            .collect()
    };
    let died = steps(19)
        + "Traceback (most recent call last):\n  File \"train.py\", line 9, in <module>\n    loss = F.cross_entropy(x, y)\nIndexError: Target 9 is out of bounds.\n";
    let first = folder.file("first.log", died);
    let second = folder.file("second.log", steps(40));
    let mut images = Images::default();
    let mut window = Start {
        paths: vec![first, second],
        ..Start::default()
    }
    .open();
    wait_for_log(&mut window);
    let choice = words(Language::En).text("ui-shown-log");
    window
        .get_by_role_and_label(Role::ComboBox, &choice)
        .click();
    settle(&mut window);
    click(&mut window, "second.log");
    settle(&mut window);
    assert!(window.state().state().beside.comparison.is_some());
    images.look(window, "compare-en-dark");
}
