//! The program in a window without a screen, and how a test looks at it and acts on it.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use assert_doctor::app::{AppState, Worker};
use assert_doctor::settings::{Settings, ThemeChoice};
use assert_doctor::ui::App;
use assert_doctor::ui::startup::StartOptions;
use assert_doctor::words::{Language, Words};
use eframe::egui;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

/// A window that a test drives.
pub type Window = Harness<'static, App>;

/// How a window starts.
pub struct Start {
    pub language: Language,
    pub theme: ThemeChoice,
    pub size: [f32; 2],
    pub paths: Vec<PathBuf>,
    pub elevated: bool,
}

impl Default for Start {
    fn default() -> Self {
        Self {
            language: Language::En,
            theme: ThemeChoice::Dark,
            size: [1280.0, 820.0],
            paths: Vec::new(),
            elevated: false,
        }
    }
}

impl Start {
    /// A window in a language.
    pub fn speaking(language: Language) -> Self {
        Self {
            language,
            ..Self::default()
        }
    }

    /// A window that opens a path, as from the command line.
    pub fn with(path: impl Into<PathBuf>) -> Self {
        Self {
            paths: vec![path.into()],
            ..Self::default()
        }
    }

    /// Opens the window. Settings are not kept: there is no place for them.
    pub fn open(self) -> Window {
        let start = StartOptions {
            paths: self.paths,
            settings: Settings {
                language: Some(self.language),
                theme: self.theme,
                ..Settings::default()
            },
            elevated: self.elevated,
            ..StartOptions::default()
        };
        let mut window = Harness::builder()
            .with_size(self.size)
            .with_max_steps(60)
            .with_render_cursor(false)
            .build_eframe(move |cc| App::new(cc, start));
        settle(&mut window);
        window
    }
}

/// A window over a state that is there already.
pub fn show(state: AppState, size: [f32; 2]) -> Window {
    let mut window = Harness::builder()
        .with_size(size)
        .with_max_steps(60)
        .with_render_cursor(false)
        .build_eframe(move |cc| {
            let ctx = cc.egui_ctx.clone();
            let worker = Worker::new(std::sync::Arc::new(move || ctx.request_repaint()));
            App::with(&cc.egui_ctx, state, worker)
        });
    settle(&mut window);
    window
}

/// A log among the fixtures.
pub fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/logs")
        .join(name)
}

/// The program's texts.
pub fn words(language: Language) -> Words {
    Words::new(language)
}

/// Draws frames until nothing asks for another at once.
pub fn settle(window: &mut Window) {
    window.run();
}

/// Draws frames until something is so; the worker gets time in between.
#[track_caller]
pub fn step_until(window: &mut Window, what: &str, mut is_so: impl FnMut(&Window) -> bool) {
    let begun = Instant::now();
    loop {
        window.step();
        if is_so(window) {
            settle(window);
            return;
        }
        if begun.elapsed() > Duration::from_secs(20) {
            let tree: Vec<String> = everything_said(window);
            panic!(
                "waited in vain for {what}; the window says:\n{}",
                tree.join("\n")
            );
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Waits for a text to stand in the window.
#[track_caller]
pub fn wait_for(window: &mut Window, text: &str) {
    step_until(window, &format!("{text:?}"), |window| says(window, text));
}

/// Waits for a log and its verdict.
#[track_caller]
pub fn wait_for_log(window: &mut Window) {
    step_until(window, "a verdict and the lines of its log", |window| {
        let state = window.state().state();
        state.shown_log().is_some() && state.running.is_none() && rows_are_loaded(window)
    });
}

fn rows_are_loaded(window: &Window) -> bool {
    let view = &window.state().state().view;
    let on_screen = 0..view.row_count().min(20);
    on_screen
        .into_iter()
        .all(|row| !matches!(view.row(row), Some(assert_doctor::app::Row::Loading { .. })))
        || view.row_count() > 20
}

/// Whether some node has this name or text.
pub fn says(window: &Window, text: &str) -> bool {
    window.query_all_by_label(text).next().is_some()
}

/// Whether some node's name or text contains this.
pub fn mentions(window: &Window, part: &str) -> bool {
    everything_said(window)
        .iter()
        .any(|said| said.contains(part))
}

/// Names and texts of all nodes, in the tree's order.
pub fn everything_said(window: &Window) -> Vec<String> {
    window
        .root()
        .children_recursive()
        .filter_map(|node| {
            let node = node.accesskit_node();
            node.label().or_else(|| node.value())
        })
        .collect()
}

/// Clicks what has this name; where several have it, the first.
#[track_caller]
pub fn click(window: &mut Window, name: &str) {
    let found = window.query_all_by_label(name).next().is_some();
    assert!(
        found,
        "nothing is called {name:?}; the window says:\n{}",
        everything_said(window).join("\n")
    );
    if let Some(node) = window.query_all_by_label(name).next() {
        node.click();
    }
    settle(window);
}

/// Drops a file on the window.
pub fn drop_file(window: &mut Window, path: PathBuf) {
    #[derive(Debug)]
    struct Dropped(PathBuf);
    impl egui::DroppedFile for Dropped {
        fn path(&self) -> &Path {
            &self.0
        }
        fn bytes(&self) -> Result<Vec<u8>, String> {
            Err("the window has no business reading files".to_owned())
        }
    }
    window
        .input_mut()
        .dropped_files
        .push(std::sync::Arc::new(Dropped(path)));
    window.step();
}

/// What was put on the clipboard in the last frame.
pub fn copied(window: &Window) -> Option<String> {
    window
        .output()
        .platform_output
        .commands
        .iter()
        .find_map(|command| match command {
            egui::OutputCommand::CopyText(text) => Some(text.clone()),
            _ => None,
        })
}
