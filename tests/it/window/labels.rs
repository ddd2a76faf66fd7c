//! The Labels tab: sources, rule, findings, offenders, chart and fix, as a screen reader and a mouse find them.

use assert_doctor::app::{Event, Tab};
use assert_doctor::check::Checked;
use assert_doctor::range_check::Number;
use assert_doctor::settings::{Settings, ThemeChoice};
use assert_doctor::words::Language;
use eframe::egui::accesskit::Role;
use eframe::egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;

use super::harness::{
    Start, Window, click, copied, fixture, mentions, says, settle, show, step_until, wait_for_log,
    words,
};
use crate::made;
use crate::program::{Folder, english};

fn window_with(checked: Checked) -> Window {
    show(made::state(english(), checked), [1280.0, 820.0])
}

/// Waits for the check that a change has started.
fn wait_for_check(window: &mut Window) {
    step_until(window, "the check", |window| {
        window.state().state().labels.checking.is_none()
    });
}

fn row(window: &Window, index: usize) -> String {
    let row = &window.state().state().labels.view.findings[index];
    format!("{}: {}", row.severity_word, row.title)
}

#[test]
fn the_tab_says_what_was_found() {
    let window = window_with(made::checked());
    for text in [
        "Labels, 3 to look at",
        "1,294 of 61,208 values are outside 0–79",
        "checked in 0.3 s on 2 CPU cores: no array for a GPU",
        "labels/train · 4,952 YOLO files · 48 out of range",
        "best.pt · gives head [80] · Agrees with data.yaml",
        "data.yaml: nc = 80",
        "labels/train/000106.txt · 2 · 80",
        "48 of this finding",
        "Class ids 0–79. Not allowed: 80 × 48, 255 × 1,246.",
        "Suggested fix",
    ] {
        assert!(says(&window, text), "{text}");
    }
}

#[test]
fn a_finding_is_chosen_with_mouse_and_keys() {
    let mut window = window_with(made::checked());
    let second = row(&window, 1);
    click(&mut window, &second);
    let chosen = |window: &Window| window.state().state().labels.looking().finding;
    assert_eq!(chosen(&window), Some(1));
    for (key, expected) in [
        (Key::ArrowDown, 2),
        (Key::ArrowDown, 2),
        (Key::ArrowUp, 1),
        (Key::ArrowUp, 0),
    ] {
        window.key_press(key);
        settle(&mut window);
        assert_eq!(chosen(&window), Some(expected));
    }
    click(&mut window, "Ignore 255");
    let case = window.state().state().case.as_ref().unwrap();
    assert_eq!(case.options.ignore, Some(vec![Number::from(255)]));
}

#[test]
fn the_script_and_the_files_are_copied() {
    let mut window = window_with(made::checked());
    window.get_by_label("Copy the script").click();
    window.step();
    assert_eq!(copied(&window).as_deref(), Some(made::SCRIPT));
    settle(&mut window);
    window.get_by_label("List the 17 files").click();
    window.step();
    let files = copied(&window).expect("the files");
    assert_eq!(files.lines().count(), 17);
    assert!(files.starts_with("labels/train/000106.txt\n"), "{files}");
    settle(&mut window);
    click(&mut window, "Show the script");
    assert!(mentions(&window, "from pathlib import Path"));
}

#[test]
fn values_to_ignore_come_and_go() {
    let mut window = window_with(made::checked());
    let ignored = |window: &Window| {
        let case = window.state().state().case.as_ref().unwrap();
        case.options.ignore.clone()
    };
    click(&mut window, "Ignore another value");
    window.get_by_label("Ignore another value").type_text("-1");
    settle(&mut window);
    window.key_press(Key::Enter);
    settle(&mut window);
    assert_eq!(ignored(&window), Some(vec![Number::from(-1)]));
    wait_for_check(&mut window);
    click(&mut window, "Do not ignore -1");
    assert_eq!(ignored(&window), Some(Vec::new()));
}

#[test]
fn the_range_is_typed_and_taken_back() {
    let mut window = window_with(made::checked());
    let range = |window: &Window| {
        let case = window.state().state().case.as_ref().unwrap();
        case.options.range
    };
    window.get_by_label("Largest allowed value").focus();
    settle(&mut window);
    window.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.get_by_label("Largest allowed value").type_text("90");
    settle(&mut window);
    window.key_press(Key::Enter);
    settle(&mut window);
    assert_eq!(range(&window), Some((Number::from(0), Number::from(90))));
    wait_for_check(&mut window);
    assert!(says(&window, "typed"));
    click(&mut window, "Back to the range that was found");
    assert_eq!(range(&window), None);
}

#[test]
fn what_was_mistyped_is_told_until_it_is_taken_back() {
    let mut window = window_with(made::checked());
    let problem = "This is not a number";
    for (key, told) in [(Key::Enter, true), (Key::Escape, false)] {
        window.get_by_label("Largest allowed value").focus();
        settle(&mut window);
        window.get_by_label("Largest allowed value").type_text("x");
        settle(&mut window);
        window.key_press(key);
        settle(&mut window);
        assert_eq!(says(&window, problem), told);
    }
    let case = window.state().state().case.as_ref().unwrap();
    assert_eq!(case.options.range, None);
}

#[test]
fn a_column_is_typed_and_taken_back() {
    let mut window = window_with(made::checked());
    click(
        &mut window,
        "crops.csv · label: 24,810 values · 1,246 out of range",
    );
    for (key, expected) in [(Key::Escape, None), (Key::Enter, Some("other"))] {
        window
            .get_by_role_and_label(Role::TextInput, "Column")
            .focus();
        settle(&mut window);
        window
            .get_by_role_and_label(Role::TextInput, "Column")
            .type_text("other");
        settle(&mut window);
        window.key_press(key);
        settle(&mut window);
        let case = window.state().state().case.as_ref().unwrap();
        assert_eq!(case.given[1].column.as_deref(), expected, "{key:?}");
    }
}

#[test]
fn a_chosen_source_shows_what_can_be_said_about_it() {
    let mut window = window_with(made::checked());
    click(
        &mut window,
        "crops.csv · label: 24,810 values · 1,246 out of range",
    );
    assert_eq!(window.state().state().labels.looking().source, Some(2));
    for name in ["Format", "Split", "Column", "Values", "Remove crops.csv"] {
        assert!(says(&window, name), "{name}");
    }
    assert!(says(&window, "1,246 of this finding"));
    click(&mut window, "Remove crops.csv");
    let given = &window.state().state().case.as_ref().unwrap().given;
    assert_eq!(given.len(), 2);
}

#[test]
fn tabs_are_switched_with_mouse_and_keys() {
    let mut window = Start::with(fixture("001-windows-seg-nllloss2d.log")).open();
    wait_for_log(&mut window);
    let tab = |window: &Window| window.state().state().tab;
    window.key_press_modifiers(Modifiers::COMMAND, Key::Num2);
    settle(&mut window);
    assert_eq!(tab(&window), Tab::Labels);
    let empty = "Drop label files, a data set folder, a checkpoint or the training script here";
    assert!(says(&window, empty));
    window.key_press_modifiers(Modifiers::COMMAND, Key::Num1);
    settle(&mut window);
    assert_eq!(tab(&window), Tab::Log);
    click(&mut window, "Labels");
    assert_eq!(tab(&window), Tab::Labels);
}

#[test]
fn dropped_labels_open_the_tab() {
    let folder = Folder::new();
    let table = folder.file("train.csv", "file,label\na.png,1\nb.png,2\n");
    let mut window = Start::with(table).open();
    step_until(&mut window, "the check", |window| {
        let state = window.state().state();
        state.checked().is_some() && state.labels.checking.is_none()
    });
    assert_eq!(window.state().state().tab, Tab::Labels);
    assert!(says(&window, "Sources"));
    click(&mut window, "Log");
    assert!(says(&window, "No log in this case"));
    click(&mut window, "Close this case");
    assert!(says(&window, "Drop the log of the run that died"));
}

#[test]
fn nothing_moves_while_nothing_happens() {
    let mut window = window_with(made::checked());
    window.run_steps(8);
    let rests = window
        .output()
        .viewport_output
        .values()
        .all(|output| output.repaint_delay == std::time::Duration::MAX);
    assert!(rests);
}

#[test]
fn the_language_is_switched_here_too() {
    let settings = Settings {
        language: Some(Language::ZhCn),
        theme: ThemeChoice::Light,
        ..Settings::default()
    };
    let window = show(made::state(settings, made::good()), [1280.0, 820.0]);
    let words = words(Language::ZhCn);
    for id in ["labels-sources", "labels-recheck"] {
        assert!(says(&window, &words.text(id)), "{id}");
    }
}

#[test]
fn a_check_is_stopped_from_the_headline() {
    let mut state = made::state(english(), made::checked());
    let jobs = state.handle(assert_doctor::app::Command::Recheck);
    let request = made::request_of(&jobs);
    let mut window = show(state, [1280.0, 820.0]);
    assert!(says(&window, "Checking the labels"));
    click(&mut window, "Cancel");
    assert!(says(&window, "Stopping…"));
    let part = Checked {
        cancelled: true,
        ..made::good()
    };
    window
        .state_mut()
        .apply(Event::Checked(request, Box::new(part)));
    settle(&mut window);
    assert!(says(&window, "The check was stopped"));
}
