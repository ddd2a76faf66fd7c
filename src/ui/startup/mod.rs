//! From the start of the process to the first frames: arguments, log, crash file, renderer, window.
//!
//! Nothing here knows what the window shows. A start must never end in silence: whatever fails
//! before there is a window is said on the console or in a message box of the system.

mod arguments;
mod attempts;
mod first_frames;
mod logging;
mod marker;
mod messages;
mod panic_hook;
mod platform;
mod renderer;

use std::fmt;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use self::arguments::Parsed;
use self::messages::Messages;
use crate::settings::{self, Renderer, Settings};
use crate::words::Language;

/// The name in the title bar.
pub const PROGRAM_NAME: &str = "Assert Doctor";

/// What the window's content needs to know about its start.
#[derive(Clone, Debug, Default)]
pub struct StartOptions {
    /// Files and folders to open, as given on the command line or by "Open with".
    pub paths: Vec<PathBuf>,
    /// The language asked for with `--lang` (`en`, `zh-CN`); it wins over the settings and is not kept.
    pub language: Option<String>,
    /// The settings as they were read.
    pub settings: Settings,
    /// Where the settings are kept; `None` where there is no home folder.
    pub settings_path: Option<PathBuf>,
    /// The program runs as administrator, so that Explorer's drag and drop cannot reach it.
    pub elevated: bool,
    /// What draws the window, and what could not.
    pub renderer_note: RendererNote,
}

/// What draws the window, and what could not.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RendererNote {
    /// What draws; `None` in a test without a window.
    pub renderer: Option<Renderer>,
    /// The adapter's own name, as `NVIDIA GeForce RTX 3060, Dx12` or `llvmpipe (LLVM 15.0.6, 256 bits), Vulkan`.
    pub adapter: String,
    /// What was tried before it in this start, with the reason why it did not work.
    pub failed: Vec<(Renderer, String)>,
    /// What was not tried first, because an earlier start with it crashed.
    pub crashed: Vec<Renderer>,
}

impl fmt::Display for RendererNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = self.renderer.map_or("none", Renderer::word);
        write!(f, "{word} ({})", self.adapter)?;
        for (renderer, reason) in &self.failed {
            write!(f, "; {} failed: {reason}", renderer.word())?;
        }
        for renderer in &self.crashed {
            write!(f, "; {} crashed at an earlier start", renderer.word())?;
        }
        Ok(())
    }
}

/// Runs the window program. `beginning` is when the process began.
pub fn run(beginning: Instant) -> ExitCode {
    let arguments = match arguments::parse(std::env::args_os()) {
        Parsed::Run(arguments) => arguments,
        Parsed::Answer(text) => {
            messages::tell(&text, false);
            return ExitCode::SUCCESS;
        }
        Parsed::Refuse(text) => {
            messages::tell(&text, true);
            return ExitCode::from(2);
        }
    };
    logging::start();
    panic_hook::install();
    let settings = Settings::load();
    let language = arguments.language.unwrap_or_else(|| settings.language());
    let start = StartOptions {
        paths: arguments.paths,
        language: arguments.language.map(|language| language.tag().to_owned()),
        settings,
        settings_path: settings::settings_file(),
        elevated: platform::is_elevated(),
        renderer_note: RendererNote::default(),
    };
    let measure = arguments.measure_start.then_some(beginning);
    match attempts::open_window(start, arguments.renderer, measure) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // The file is told; a terminal gets the message below, once.
            log::info!("{failure}");
            messages::tell(&Messages::new(language).start_failed(&failure), true);
            ExitCode::FAILURE
        }
    }
}

/// Why no window came up.
#[derive(Debug, thiserror::Error)]
enum StartFailure {
    /// There is no screen to open a window on.
    #[error("no window can be opened: {0}")]
    NoDisplay(String),
    /// No way to draw worked.
    #[error("nothing can draw the window: {}", reasons(.0))]
    NoRenderer(Vec<(Renderer, String)>),
    /// The window was open and then failed.
    #[error("the window failed: {0}")]
    Window(String),
}

fn reasons(failed: &[(Renderer, String)]) -> String {
    let each: Vec<String> = failed
        .iter()
        .map(|(renderer, reason)| format!("{}: {reason}", renderer.word()))
        .collect();
    each.join("; ")
}

/// The language for what is said before settings are read.
fn language_before_settings() -> Language {
    Language::of_system()
}
