//! All the ways in: command line, drop, paste, sample; and what is said when nothing can be read.

use assert_doctor::app::LogStatus;
use assert_doctor::inputs::SAMPLES;
use assert_doctor::words::Language;
use eframe::egui::accesskit::Role;
use eframe::egui::{Event, ViewportCommand};
use egui_kittest::kittest::Queryable as _;

use super::harness::{
    Start, Window, click, drop_file, everything_said, fixture, mentions, says, settle, step_until,
    wait_for, wait_for_log, words,
};
use crate::program::Folder;

const LOG: &str = "001-windows-seg-nllloss2d.log";

/// Title of the verdict that is shown, in the window's language.
fn title(window: &Window) -> String {
    match &window.state().state().log {
        LogStatus::Ready { verdict, .. } => verdict.title.clone(),
        other => panic!("no verdict: {other:?}"),
    }
}

#[test]
fn a_log_from_the_command_line_is_read_in_both_languages() {
    for language in Language::ALL {
        let mut window = Start {
            language,
            ..Start::with(fixture(LOG))
        }
        .open();
        wait_for_log(&mut window);
        let title = title(&window);
        assert!(
            says(&window, &title),
            "the verdict's title stands in the window"
        );
        assert!(mentions(&window, "t >= 0 && t < n_classes"));
        assert!(
            mentions(&window, LOG),
            "the log's name stands in the top bar"
        );
    }
}

#[test]
fn a_dropped_log_is_read() {
    let mut window = Start::default().open();
    drop_file(&mut window, fixture(LOG));
    wait_for_log(&mut window);
    // Files may be dropped at any time: the next one takes its place.
    drop_file(&mut window, fixture("006-llm-added-tokens.log"));
    step_until(&mut window, "the second log", |window| {
        mentions(window, "006-llm-added-tokens.log")
    });
    wait_for_log(&mut window);
    assert!(!mentions(&window, LOG));
}

#[test]
fn while_files_hover_the_window_says_where_they_go() {
    let mut window = Start::default().open();
    window
        .input_mut()
        .hovered_files
        .push(eframe::egui::HoveredFile::default());
    // egui asks for frames as long as files hover.
    window.run_steps(2);
    window.input_mut().hovered_files.clear();
    settle(&mut window);
    assert!(says(&window, "Drop the log of the run that died"));
}

#[test]
fn pasted_text_is_read_as_a_log() {
    let text = std::fs::read_to_string(fixture(LOG)).expect("the fixture");
    let mut window = Start::default().open();
    window.event(Event::Paste(text));
    wait_for_log(&mut window);
    wait_for(&mut window, "Pasted text");
}

#[test]
fn the_paste_button_asks_for_the_clipboard() {
    let mut window = Start::default().open();
    let asks = |window: &Window| {
        window
            .output()
            .viewport_output
            .values()
            .any(|output| output.commands.contains(&ViewportCommand::RequestPaste))
    };
    window.get_by_label("Paste").click();
    let mut asked = false;
    for _ in 0..4 {
        window.step();
        asked |= asks(&window);
    }
    assert!(asked, "the window asks its system for the clipboard");
    // A quarter of a second goes by with each frame: a clipboard without text is not waited for long.
    wait_for(&mut window, "The clipboard holds no text");

    window.get_by_label("Paste").click();
    window.step();
    window.event(Event::Paste(
        "RuntimeError: CUDA error: device-side assert triggered\n".to_owned(),
    ));
    wait_for_log(&mut window);
    assert!(!says(&window, "The clipboard holds no text"));
}

#[test]
fn text_pasted_into_the_search_is_no_log() {
    let mut window = Start::with(fixture(LOG)).open();
    wait_for_log(&mut window);
    window.get_by_label("Search").focus();
    settle(&mut window);
    window.event(Event::Paste("backward".to_owned()));
    settle(&mut window);
    assert_eq!(window.state().state().search.text, "backward");
    assert!(mentions(&window, LOG));
}

#[test]
fn each_sample_opens_from_the_list_and_from_the_menu() {
    for language in Language::ALL {
        for sample in SAMPLES {
            let name = words(language).text(&format!("ui-sample-{}", sample.id));
            for from_menu in [false, true] {
                let mut window = Start::speaking(language).open();
                if from_menu {
                    let menu = words(language).text("ui-try-sample");
                    click(&mut window, &menu);
                    let last = window.query_all_by_label(&name).last();
                    last.expect("the sample stands in the menu").click();
                } else {
                    click(&mut window, &name);
                }
                wait_for_log(&mut window);
                assert!(!title(&window).is_empty());
            }
        }
    }
}

#[test]
fn dropped_label_data_is_checked() {
    let folder = Folder::new();
    let labels = folder.file("train.csv", "image,label\na.png,3\nb.png,81\nc.png,7\n");
    let mut window = Start::default().open();
    drop_file(&mut window, labels);
    step_until(&mut window, "an answer", |window| {
        window.state().state().checked().is_some()
    });
    let said = everything_said(&window).join("\n");
    assert!(said.contains("train.csv · label: 3 values"), "{said}");
    assert!(said.contains("the allowed range is not known"), "{said}");
    click(&mut window, "Close this case");
    assert!(says(&window, "Drop the log of the run that died"));
}

#[test]
fn a_log_that_is_missing_says_so_and_can_be_tried_again() {
    let folder = Folder::new();
    let path = folder.path().join("later.log");
    let mut window = Start::with(&path).open();
    step_until(&mut window, "a failure", |window| {
        matches!(window.state().state().log, LogStatus::Failed(_))
    });
    assert!(
        mentions(&window, &path.display().to_string()),
        "the path stands last"
    );
    std::fs::copy(fixture(LOG), &path).expect("the log");
    click(&mut window, "Try again");
    wait_for_log(&mut window);
    assert!(mentions(&window, "later.log"));
}

#[test]
fn what_cannot_be_read_leaves_the_open_log_open() {
    let folder = Folder::new();
    let empty = folder.file("empty.log", "");
    let mut window = Start::with(fixture(LOG)).open();
    wait_for_log(&mut window);
    drop_file(&mut window, empty);
    step_until(&mut window, "a notice", |window| {
        window.state().state().notice.is_some()
    });
    assert!(mentions(&window, "empty.log"));
    assert!(mentions(&window, LOG));
    click(&mut window, "Put away");
    assert!(window.state().state().notice.is_none());
}

#[test]
fn a_folder_offers_the_logs_in_it() {
    let folder = Folder::new();
    std::fs::copy(fixture(LOG), folder.path().join("run-2.log")).expect("a log");
    std::fs::copy(fixture(LOG), folder.path().join("run-10.log")).expect("a log");
    let mut window = Start::with(folder.path()).open();
    step_until(&mut window, "the folder's logs", |window| {
        mentions(window, "run-2.log")
    });
    if matches!(window.state().state().log, LogStatus::Failed(_)) {
        click(&mut window, "run-2.log");
    }
    wait_for_log(&mut window);
}

#[test]
fn of_several_logs_one_is_chosen() {
    let mut window = Start {
        paths: vec![fixture(LOG), fixture("006-llm-added-tokens.log")],
        ..Start::default()
    }
    .open();
    wait_for_log(&mut window);
    assert!(says(&window, "2 logs in this case"));
    let shown = |window: &Window| match &window.state().state().log {
        LogStatus::Ready { name, .. } => name.clone(),
        other => panic!("no log: {other:?}"),
    };
    let first = shown(&window);
    let other = if first == LOG {
        "006-llm-added-tokens.log"
    } else {
        LOG
    };
    window.get_by_role(Role::ComboBox).click();
    settle(&mut window);
    click(&mut window, other);
    wait_for_log(&mut window);
    assert_eq!(shown(&window), other);
}

#[test]
fn closing_the_log_leads_back_to_start() {
    let mut window = Start::with(fixture(LOG)).open();
    wait_for_log(&mut window);
    click(&mut window, "Close this case");
    assert!(says(&window, "Drop the log of the run that died"));
    assert!(!mentions(&window, LOG));
}

#[test]
fn an_elevated_start_is_told() {
    let mut window = Start {
        elevated: true,
        ..Start::default()
    }
    .open();
    assert!(says(&window, "Dropped files may not arrive"));
    click(&mut window, "Put away");
    assert!(!says(&window, "Dropped files may not arrive"));
}
