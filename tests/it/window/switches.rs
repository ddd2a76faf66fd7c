//! Language and theme: switched in the window, at once and everywhere.

use assert_doctor::settings::ThemeChoice;
use assert_doctor::words::Language;

use super::harness::{Start, Window, click, fixture, says, settle, wait_for_log, words};

#[test]
fn the_language_is_switched_everywhere_and_back() {
    let mut window = Start::with(fixture("001-windows-seg-nllloss2d.log")).open();
    wait_for_log(&mut window);
    let title = |window: &Window| match &window.state().state().log {
        assert_doctor::app::LogStatus::Ready { verdict, .. } => verdict.title.clone(),
        other => panic!("{other:?}"),
    };
    let english = title(&window);
    assert!(says(&window, &english));

    click(&mut window, "Language");
    click(&mut window, "简体中文");
    assert!(!says(&window, &english));
    assert!(says(&window, &title(&window)));
    for id in [
        "ui-tab-log",
        "ui-filter-all",
        "ui-search",
        "ui-promise",
        "ui-details-show",
    ] {
        let text = words(Language::ZhCn).text(id);
        assert!(says(&window, &text), "{id}: {text}");
    }

    click(&mut window, &words(Language::ZhCn).text("ui-language"));
    click(&mut window, "English");
    assert!(says(&window, &english));
}

#[test]
fn the_theme_is_switched_at_once() {
    let mut window = Start {
        theme: ThemeChoice::Light,
        ..Start::default()
    }
    .open();
    assert!(!window.ctx.global_style().visuals.dark_mode);
    for (name, choice, dark) in [
        ("Dark", ThemeChoice::Dark, true),
        ("Light", ThemeChoice::Light, false),
    ] {
        click(&mut window, "Theme");
        click(&mut window, name);
        settle(&mut window);
        assert_eq!(window.state().state().settings.theme, choice);
        assert_eq!(window.ctx.global_style().visuals.dark_mode, dark);
    }
}
