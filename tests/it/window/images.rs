//! What the screens look like, in both themes and both languages.
//!
//! They are drawn by Mesa's software Vulkan. Where there is no Vulkan adapter the images are not compared, which is said
//! loudly; under CI that is a failure. `UPDATE_SNAPSHOTS=1` rewrites them, and each has to be looked at before it is committed.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use assert_doctor::check::Checked;
use assert_doctor::settings::{Settings, ThemeChoice};
use assert_doctor::words::Language;
use eframe::wgpu;
use egui_kittest::SnapshotResults;
use egui_kittest::kittest::Queryable as _;

use super::harness::{
    Start, Window, click, drop_file, fixture, settle, show, step_until, wait_for_log, words,
};
use crate::made;
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

/// The images of one test, compared one after the other; all that differ are told at the end.
#[derive(Default)]
pub struct Images(Option<SnapshotResults>);

impl Images {
    /// Compares the window with its image.
    pub fn look(&mut self, mut window: Window, name: &str) {
        if can_draw() {
            window.remove_cursor();
            settle(&mut window);
            window.snapshot(name);
            self.0.get_or_insert_default().extend_harness(&mut window);
        }
    }
}

pub fn tag(language: Language, theme: ThemeChoice) -> String {
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
    let mut images = Images::default();
    for (language, theme) in all_four() {
        let window = start(language, theme).open();
        images.look(window, &format!("start-{}", tag(language, theme)));
    }
}

#[test]
fn log_with_its_verdict() {
    let mut images = Images::default();
    for (language, theme) in all_four() {
        let mut window = Start {
            paths: vec![fixture(LOG)],
            ..start(language, theme)
        }
        .open();
        wait_for_log(&mut window);
        images.look(window, &format!("log-{}", tag(language, theme)));
    }
}

#[test]
fn details_of_a_verdict() {
    let mut images = Images::default();
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
        images.look(window, &format!("details-{}", tag(language, theme)));
    }
}

#[test]
fn small_window() {
    let mut images = Images::default();
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
        images.look(window, &format!("small-{}", tag(language, theme)));
    }
}

#[test]
fn nothing_wrong() {
    let mut images = Images::default();
    let mut window = Start {
        paths: vec![fixture("036-healthy-log-with-word-assert.log")],
        ..start(Language::En, ThemeChoice::Light)
    }
    .open();
    wait_for_log(&mut window);
    images.look(window, "nothing-wrong-en-light");
}

#[test]
fn several_logs() {
    let mut images = Images::default();
    let mut window = Start {
        paths: vec![
            fixture(LOG),
            fixture("024-ray-nccl-watchdog-unknown-error.log"),
        ],
        ..start(Language::ZhCn, ThemeChoice::Dark)
    }
    .open();
    wait_for_log(&mut window);
    images.look(window, "several-zh-CN-dark");
}

#[test]
fn states_of_reading() {
    let mut images = Images::default();
    // A path that is the same on every machine.
    let empty = std::path::PathBuf::from("tests/fixtures/window/empty.log");
    for (language, theme) in [
        (Language::En, ThemeChoice::Dark),
        (Language::ZhCn, ThemeChoice::Light),
    ] {
        let mut window = start(language, theme).open();
        drop_file(&mut window, empty.clone());
        step_until(&mut window, "an answer", |window| {
            matches!(
                window.state().state().log,
                assert_doctor::app::LogStatus::Failed(_)
            )
        });
        images.look(window, &format!("empty-log-{}", tag(language, theme)));
    }
}

#[test]
fn notice_and_menu() {
    let mut images = Images::default();
    let mut window = Start {
        elevated: true,
        ..start(Language::En, ThemeChoice::Light)
    }
    .open();
    click(&mut window, "Theme");
    images.look(window, "notice-en-light");
}

#[test]
fn search_and_selection() {
    let mut images = Images::default();
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
    images.look(window, "search-en-dark");
}

#[test]
fn files_that_hover() {
    if !can_draw() {
        return;
    }
    let mut window = Start {
        paths: vec![fixture(LOG)],
        ..start(Language::En, ThemeChoice::Dark)
    }
    .open();
    wait_for_log(&mut window);
    window.remove_cursor();
    window
        .input_mut()
        .hovered_files
        .push(eframe::egui::HoveredFile::default());
    // egui asks for frames as long as files hover.
    window.run_steps(2);
    window.snapshot("hover-en-dark");
}

/// The Labels tab of a data set made by hand.
fn labels(language: Language, theme: ThemeChoice, size: [f32; 2], checked: Checked) -> Window {
    let settings = Settings {
        language: Some(language),
        theme,
        ..Settings::default()
    };
    show(made::state(settings, checked), size)
}

const LARGE: [f32; 2] = [1280.0, 820.0];

#[test]
fn labels_and_findings() {
    let mut images = Images::default();
    let window = labels(Language::En, ThemeChoice::Dark, LARGE, made::checked());
    images.look(window, "labels-dark-en");
    let mut window = labels(Language::ZhCn, ThemeChoice::Light, LARGE, made::checked());
    let source = window
        .state()
        .state()
        .labels
        .view
        .sources
        .get(2)
        .map(|row| format!("{} · {} · {}", row.name, row.what, row.state))
        .expect("a table");
    click(&mut window, &source);
    images.look(window, "labels-light-zh");
}

#[test]
fn labels_without_anything_wrong() {
    let mut images = Images::default();
    let window = labels(Language::En, ThemeChoice::Light, LARGE, made::good());
    images.look(window, "labels-good");
    let window = labels(Language::ZhCn, ThemeChoice::Dark, LARGE, made::unbounded());
    images.look(window, "labels-unbounded");
}

#[test]
fn labels_in_a_small_window() {
    let mut images = Images::default();
    let size = [900.0, 600.0];
    let window = labels(Language::En, ThemeChoice::Dark, size, made::checked());
    images.look(window, "labels-small");
}

#[test]
fn labels_that_are_not_there() {
    let mut images = Images::default();
    let mut window = Start {
        paths: vec![fixture(LOG)],
        ..start(Language::En, ThemeChoice::Light)
    }
    .open();
    wait_for_log(&mut window);
    click(&mut window, "Labels");
    images.look(window, "labels-empty");
}

/// A data set with two faults: 17 label files that count from 1, and crops whose border class 255 nobody ignores.
fn retail(folder: &Folder) -> PathBuf {
    const NAMES: [&str; 12] = [
        "apple", "bag", "banana", "bottle", "box", "bread", "can", "carton", "jar", "milk", "pack",
        "tube",
    ];
    folder.file(
        "retail/data.yaml",
        format!(
            "path: .\ntrain: images/train\nval: images/val\nnc: 12\nnames: [{}]\n",
            NAMES.join(", ")
        ),
    );
    for (split, files) in [("train", 420_u32), ("val", 90)] {
        for file in 0..files {
            let counts_from_1 = split == "train" && file % 25 == 6;
            let mut rows = String::new();
            for row in 0..4 + file % 9 {
                // Few classes are frequent, as in every shop.
                let class = (file * 7 + row * row) % 12 * ((file + row) % 12) / 12;
                let class = if counts_from_1 {
                    [1, 12, 5, 12, 8][(row % 5) as usize]
                } else {
                    class
                };
                let at = f64::from((file * 31 + row * 17) % 70) / 100.0 + 0.15;
                writeln!(rows, "{class} {at:.4} {:.4} 0.1204 0.0871", 1.0 - at).expect("a row");
            }
            folder.file(&format!("retail/labels/{split}/{file:06}.txt"), rows);
            folder.file(&format!("retail/images/{split}/{file:06}.jpg"), "");
        }
    }
    let mut crops = String::from("file,label\n");
    for row in 0..2400_u32 {
        let label = if row % 19 == 5 { 255 } else { row * 5 % 12 };
        writeln!(crops, "crops/{row:05}.png,{label}").expect("a row");
    }
    folder.file("retail/crops.csv", crops);
    folder.path().join("retail")
}

/// The pictures of the README. They are written only where that is asked for, and always drawn.
#[test]
fn readme_pictures() {
    if !can_draw() {
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("screenshots");
    let data = Folder::new();
    let retail = retail(&data);
    for (name, language, theme, log) in [
        ("labels", Language::En, ThemeChoice::Dark, None),
        ("start", Language::En, ThemeChoice::Dark, None),
        ("run", Language::En, ThemeChoice::Dark, None),
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
        let is_labels = name == "labels";
        let mut window = Start {
            language,
            theme,
            paths: if is_labels {
                vec![retail.clone(), retail.join("crops.csv")]
            } else {
                Vec::new()
            },
            ..Start::default()
        }
        .open();
        if is_labels {
            step_until(&mut window, "the check", |window| {
                window
                    .state()
                    .state()
                    .labels
                    .view
                    .headline
                    .text
                    .contains("outside")
            });
        }
        if name == "run" {
            window = show(super::rerun::running(language, theme), [1280.0, 820.0]);
        }
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
