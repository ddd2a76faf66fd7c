//! The Log tab: links, folds, chips, search, copying, details, and logs of any length.

use std::fmt::Write as _;
use std::time::Duration;

use assert_doctor::app::{LogFilter, Row};
use assert_doctor::words::Language;
use eframe::egui::{Event, Key, Modifiers};
use egui_kittest::kittest::Queryable as _;

use super::harness::{
    Start, Window, click, copied, everything_said, fixture, mentions, says, settle, step_until,
    wait_for, wait_for_log, words,
};
use crate::program::Folder;

const LOG: &str = "001-windows-seg-nllloss2d.log";

fn window_with(name: &str) -> Window {
    let mut window = Start::with(fixture(name)).open();
    wait_for_log(&mut window);
    window
}

/// A log with a failed check far down, after many lines, and a long flood.
fn long_log(lines_before: usize) -> (Folder, std::path::PathBuf) {
    let mut text = String::new();
    for step in 0..lines_before {
        let _ = writeln!(text, "step {step} loss 0.{:04}", step % 10_000);
    }
    for thread in 0..600 {
        let _ = writeln!(
            text,
            "/pytorch/aten/src/ATen/native/cuda/Indexing.cu:1308: indexSelectLargeIndex: block: [1,0,0], thread: [{thread},0,0] Assertion `srcIndex < srcSelectDimSize` failed."
        );
    }
    text.push_str(
        "Traceback (most recent call last):\n  File \"train.py\", line 9, in <module>\n    loss.backward()\nRuntimeError: CUDA error: device-side assert triggered\nthe very last line\n",
    );
    let folder = Folder::new();
    let path = folder.file("long.log", text);
    (folder, path)
}

#[test]
fn a_link_of_the_card_scrolls_to_its_line_and_flashes_it_once() {
    let (_folder, path) = long_log(3_000);
    let mut window = Start::with(path).open();
    wait_for_log(&mut window);
    // It begins at the failed check. Away from it, to the top:
    focus_rows(&mut window);
    window.key_press(Key::Home);
    wait_for(&mut window, "step 0 loss 0.0000");
    click(&mut window, "line 3,001");
    step_until(&mut window, "the line", |window| {
        mentions(window, "thread: [0,0,0] Assertion")
    });
    // A flash asks for frames only while it lasts: a second later the window rests.
    window.run_steps(8);
    assert!(rests(&window), "the flash ends");
}

/// Whether the window asks for no further frame.
fn rests(window: &Window) -> bool {
    window
        .output()
        .viewport_output
        .values()
        .all(|output| output.repaint_delay == Duration::MAX)
}

fn focus_rows(window: &mut Window) {
    window.key_press_modifiers(Modifiers::COMMAND, Key::Num1);
    settle(window);
}

#[test]
fn a_window_in_which_nothing_moves_draws_nothing() {
    let mut start = Start::default().open();
    start.run_steps(4);
    assert!(rests(&start), "Start");
    let mut window = window_with(LOG);
    window.run_steps(4);
    assert!(rests(&window), "a log");
}

#[test]
fn chips_show_one_kind_of_line() {
    for language in Language::ALL {
        let mut window = Start {
            language,
            ..Start::with(fixture(LOG))
        }
        .open();
        wait_for_log(&mut window);
        let words = words(language);
        let traceback = "Traceback (most recent call last):";
        let error = "RuntimeError: CUDA error: device-side assert triggered";
        wait_for(&mut window, traceback);
        click(&mut window, &words.text("ui-filter-errors"));
        assert_eq!(window.state().state().filter, LogFilter::Errors);
        wait_for(&mut window, error);
        assert!(!says(&window, traceback));
        // Back among all lines, the place is kept.
        click(&mut window, &words.text("ui-filter-all"));
        wait_for(&mut window, traceback);
        assert!(says(&window, error));
    }
}

#[test]
fn search_finds_counts_and_steps() {
    let mut window = window_with(LOG);
    window.key_press_modifiers(Modifiers::COMMAND, Key::F);
    settle(&mut window);
    window.get_by_label("Search").type_text("BACKWARD");
    step_until(&mut window, "the search", |window| {
        let search = &window.state().state().search;
        !search.running && !search.lines.is_empty()
    });
    let total = window.state().state().search.lines.len();
    wait_for(&mut window, &format!("1 of {total}"));
    window.key_press(Key::Enter);
    wait_for(&mut window, &format!("2 of {total}"));
    window.key_press_modifiers(Modifiers::SHIFT, Key::Enter);
    wait_for(&mut window, &format!("1 of {total}"));
    click(&mut window, "Previous match");
    wait_for(&mut window, &format!("{total} of {total}"));
    click(&mut window, "Next match");
    wait_for(&mut window, &format!("1 of {total}"));

    window.get_by_label("Search").focus();
    settle(&mut window);
    window.key_press(Key::Escape);
    step_until(&mut window, "an empty search", |window| {
        window.state().state().search.text.is_empty()
    });

    window.get_by_label("Search").focus();
    settle(&mut window);
    window.get_by_label("Search").type_text("no such text");
    wait_for(&mut window, "Not found");
    click(&mut window, "Clear the search");
    assert!(window.state().state().search.text.is_empty());
}

#[test]
fn a_line_is_copied_whole_and_without_its_notes() {
    let mut window = window_with(LOG);
    let line = everything_said(&window)
        .into_iter()
        .find(|said| said.contains("thread: [580,0,0]"))
        .expect("the failed check is on screen");
    assert!(line.starts_with(r"C:\…\"), "shown short: {line}");
    window.get_by_label(&line).click();
    settle(&mut window);
    window.event(Event::Copy);
    window.step();
    let text = copied(&window).expect("something was copied");
    assert!(
        text.starts_with(r"C:\actions-runner\"),
        "copied whole: {text}"
    );
    assert!(text.ends_with("failed.\n"), "{text}");
    wait_for(&mut window, "Copied");
}

#[test]
fn several_lines_are_selected_with_the_mouse_and_copied() {
    let mut window = window_with(LOG);
    let middle = |window: &Window, text: &str| window.get_by_label(text).rect().left_center();
    let inside = eframe::egui::vec2(200.0, 0.0);
    let from = middle(&window, "Traceback (most recent call last):") + inside;
    let to = middle(&window, "    total.backward()") + inside;
    window.drag_at(from);
    window.step();
    for part in [0.3, 0.6, 1.0] {
        window.hover_at(from + (to - from) * part);
        window.step();
    }
    window.drop_at(to);
    settle(&mut window);
    window.event(Event::Copy);
    window.step();
    let text = copied(&window).expect("something was copied");
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.first(), Some(&"Traceback (most recent call last):"));
    assert_eq!(lines.last(), Some(&"    total.backward()"));
    assert_eq!(lines.len(), 5, "{text}");
}

#[test]
fn details_hold_a_check_to_copy_and_the_fixes() {
    for language in Language::ALL {
        let mut window = Start {
            language,
            ..Start::with(fixture(LOG))
        }
        .open();
        wait_for_log(&mut window);
        let words = words(language);
        let verdict = match &window.state().state().log {
            assert_doctor::app::LogStatus::Ready { verdict, .. } => verdict.clone(),
            other => panic!("{other:?}"),
        };
        let fix = verdict.fixes.first().expect("a fix");
        assert!(!says(&window, fix), "closed at first");
        click(&mut window, &words.text("ui-details-show"));
        assert!(says(&window, fix));
        let check = verdict.check.as_ref().expect("a check");
        window.get_by_label(&words.text("ui-copy-check")).click();
        let mut text = None;
        for _ in 0..4 {
            window.step();
            text = text.or_else(|| copied(&window));
        }
        assert_eq!(text.as_deref(), Some(check.code.as_str()));
        click(&mut window, &words.text("ui-details-hide"));
        assert!(!says(&window, fix));
    }
}

#[test]
fn a_long_log_is_scrolled_by_keys_to_its_last_line() {
    let (_folder, path) = long_log(200_000);
    let mut window = Start::with(path).open();
    wait_for_log(&mut window);
    focus_rows(&mut window);
    window.key_press(Key::End);
    wait_for(&mut window, "the very last line");
    window.key_press(Key::Home);
    wait_for(&mut window, "step 0 loss 0.0000");
    window.key_press(Key::PageDown);
    settle(&mut window);
    assert!(!says(&window, "step 0 loss 0.0000"));
    window.key_press(Key::PageUp);
    wait_for(&mut window, "step 0 loss 0.0000");
    // Few of many lines are in the tree: the rest is not even laid out.
    assert!(everything_said(&window).len() < 200);
}

#[test]
fn the_overview_jumps_and_scrolls() {
    let (_folder, path) = long_log(50_000);
    let mut window = Start::with(path).open();
    wait_for_log(&mut window);
    let bar = window.get_by_label("Overview of the log").rect();
    window.drag_at(bar.center());
    step_until(&mut window, "the middle of the log", |window| {
        mentions(window, "step 25000 ")
    });
    window.hover_at(bar.center_top() - eframe::egui::vec2(0.0, 20.0));
    wait_for(&mut window, "step 0 loss 0.0000");
    window.drop_at(bar.center_top());
    settle(&mut window);
}

#[test]
fn a_flood_is_folded_and_opens() {
    let (_folder, path) = long_log(3);
    let mut window = Start::with(path).open();
    wait_for_log(&mut window);
    let rows = window.state().state().view.row_count();
    let fold = everything_said(&window)
        .into_iter()
        .find(|said| said.starts_with("599 more like this"))
        .expect("the flood is folded");
    click(&mut window, &fold);
    assert_eq!(window.state().state().view.row_count(), rows + 599);
    step_until(&mut window, "the folded lines", |window| {
        mentions(window, "thread: [3,0,0] Assertion")
    });
    click(&mut window, &fold);
    assert_eq!(window.state().state().view.row_count(), rows);
    let closed = (0..rows).any(|row| {
        matches!(
            window.state().state().view.row(row),
            Some(Row::Fold { open: false, .. })
        )
    });
    assert!(closed);
}
