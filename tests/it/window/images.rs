//! What the screens look like, in both themes and both languages.
//!
//! They are drawn by Mesa's software Vulkan. Where there is no Vulkan adapter the images are not compared, which is said
//! loudly; under CI that is a failure. `UPDATE_SNAPSHOTS=1` rewrites them, and each has to be looked at before it is committed.

use std::path::Path;
use std::sync::OnceLock;

use assert_doctor::settings::ThemeChoice;
use assert_doctor::words::Language;
use eframe::wgpu;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use super::harness::{
    Start, Window, click, drop_file, fixture, settle, step_until, wait_for_log, words,
};
use crate::program::Folder;

const LOG: &str = "001-windows-seg-nllloss2d.log";

/// Whether images can be drawn here.
fn can_draw() -> bool {
    static FOUND: OnceLock<bool> = OnceLock::new();
    *FOUND.get_or_init(|| {
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
        descriptor.backends = wgpu::Backends::VULKAN | wgpu::Backends::METAL | wgpu::Backends::DX12;
        let instance = wgpu::Instance::new(descriptor);
        let found = !pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all())).is_empty();
        if !found {
            let said = "IMAGE TESTS ARE SKIPPED: no Vulkan adapter. On Debian: apt-get install mesa-vulkan-drivers libvulkan1";
            assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "{said}");
            // Past the capture of the test harness, so that it is seen.
            drop(std::io::Write::write_all(
                &mut std::io::stderr(),
                format!("
{said}

").as_bytes(),
            ));
        }
        found
    })
}

/// Compares the window with its image.
fn look(window: &mut Window, name: &str) {
    if can_draw() {
        window.remove_cursor();
        settle(window);
        window.snapshot(name);
    }
}

fn tag(language: Language, theme: ThemeChoice) -> String {
    let theme = if theme == ThemeChoice::Dark {
        "dark"
    } else {
        "light"
    };
    format!("{}-{theme}", language.tag())
}

/// Both languages and both themes, each of the four once.
fn all_four() -> [(Language, ThemeChoice); 4] {
    [
        (Language::En, ThemeChoice::Dark),
        (Language::En, ThemeChoice::Light),
        (Language::ZhCn, ThemeChoice::Dark),
        (Language::ZhCn, ThemeChoice::Light),
    ]
}

const SIZE: [f32; 2] = [1000.0, 700.0];

fn start(language: Language, theme: ThemeChoice) -> Start {
    Start {
        language,
        theme,
        size: SIZE,
        ..Start::default()
    }
}

#[test]
fn start_screen() {
    for (language, theme) in all_four() {
        let mut window = start(language, theme).open();
        look(&mut window, &format!("start-{}", tag(language, theme)));
    }
}

#[test]
fn log_with_its_verdict() {
    for (language, theme) in all_four() {
        let mut window = Start {
            paths: vec![fixture(LOG)],
            ..start(language, theme)
        }
        .open();
        wait_for_log(&mut window);
        look(&mut window, &format!("log-{}", tag(language, theme)));
    }
}

#[test]
fn details_of_a_verdict() {
    for (language, theme) in [
        (Language::En, ThemeChoice::Light),
        (Language::ZhCn, ThemeChoice::Dark),
    ] {
        let mut window = Start {
            paths: vec![fixture("006-llm-added-tokens.log")],
            ..start(language, theme)
        }
        .open();
        wait_for_log(&mut window);
        click(&mut window, &words(language).text("ui-details-show"));
        look(&mut window, &format!("details-{}", tag(language, theme)));
    }
}

#[test]
fn small_window() {
    for (language, theme) in [
        (Language::En, ThemeChoice::Dark),
        (Language::ZhCn, ThemeChoice::Light),
    ] {
        let mut window = Start {
            paths: vec![fixture("008-windows-powershell-cublas-secondary.log")],
            size: [900.0, 560.0],
            ..start(language, theme)
        }
        .open();
        wait_for_log(&mut window);
        look(&mut window, &format!("small-{}", tag(language, theme)));
    }
}

#[test]
fn nothing_wrong() {
    let mut window = Start {
        paths: vec![fixture("036-healthy-log-with-word-assert.log")],
        ..start(Language::En, ThemeChoice::Light)
    }
    .open();
    wait_for_log(&mut window);
    look(&mut window, "nothing-wrong-en-light");
}

#[test]
fn states_of_reading() {
    let folder = Folder::new();
    let labels = folder.file("train.csv", "image,label\na.png,3\nb.png,81\nc.png,7\n");
    for (language, theme) in [
        (Language::En, ThemeChoice::Dark),
        (Language::ZhCn, ThemeChoice::Light),
    ] {
        let mut window = start(language, theme).open();
        drop_file(&mut window, labels.clone());
        step_until(&mut window, "an answer", |window| {
            matches!(
                window.state().state().log,
                assert_doctor::app::LogStatus::Failed(_)
            )
        });
        // The folder's name differs from run to run.
        mask_path(&mut window, "train.csv");
        look(&mut window, &format!("not-a-log-{}", tag(language, theme)));
    }
}

/// Hides the path that ends with a name.
fn mask_path(window: &mut Window, end: &str) {
    let rects: Vec<_> = window
        .query_all_by_label_contains(end)
        .filter(|node| {
            let node = node.accesskit_node();
            let text = node.value().or_else(|| node.label()).unwrap_or_default();
            text.contains(std::path::MAIN_SEPARATOR)
        })
        .map(|node| node.rect())
        .collect();
    for rect in rects {
        window.mask(rect);
    }
}

#[test]
fn notice_and_menu() {
    let mut window = Start {
        elevated: true,
        ..start(Language::En, ThemeChoice::Light)
    }
    .open();
    click(&mut window, "Theme");
    look(&mut window, "notice-en-light");
}

#[test]
fn search_and_selection() {
    let mut window = Start {
        paths: vec![fixture(LOG)],
        ..start(Language::En, ThemeChoice::Dark)
    }
    .open();
    wait_for_log(&mut window);
    window.get_by_label("Search").focus();
    settle(&mut window);
    window.get_by_label("Search").type_text("torch");
    step_until(&mut window, "the search", |window| {
        let search = &window.state().state().search;
        !search.running && !search.lines.is_empty()
    });
    window.run_steps(8);
    look(&mut window, "search-en-dark");
}

/// The pictures of the README. They are written only where that is asked for, and always drawn.
#[test]
fn readme_pictures() {
    if !can_draw() {
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("screenshots");
    for (name, language, theme, log) in [
        ("start", Language::En, ThemeChoice::Dark, None),
        (
            "log",
            Language::En,
            ThemeChoice::Dark,
            Some("ui-sample-segmentation-labels"),
        ),
        (
            "log-zh-CN",
            Language::ZhCn,
            ThemeChoice::Light,
            Some("ui-sample-segmentation-labels"),
        ),
    ] {
        let mut window = Start {
            language,
            theme,
            ..Start::default()
        }
        .open();
        if let Some(sample) = log {
            click(&mut window, &words(language).text(sample));
            wait_for_log(&mut window);
        }
        window.remove_cursor();
        settle(&mut window);
        let image = window.render().expect("an image");
        assert_eq!((image.width(), image.height()), (1280, 820));
        if std::env::var_os("UPDATE_SCREENSHOTS").is_some_and(|update| update == "1") {
            std::fs::create_dir_all(&folder).expect("the folder for the pictures");
            image
                .save(folder.join(format!("{name}.png")))
                .expect("a picture");
        }
    }
}
