//! Writes a crash file when the program has a fault, and says where it is.
//!
//! The file holds what a fault report needs and nothing of the user's: texts that a message quotes
//! and the home folder's name are taken out.

use std::any::Any;
use std::backtrace::Backtrace;
use std::cell::Cell;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread::ThreadId;
use std::time::{SystemTime, UNIX_EPOCH};
use std::{env, fs, panic};

use super::language_before_settings;
use super::messages::{self, Messages};
use crate::settings::data_folder;

static RENDERER: Mutex<String> = Mutex::new(String::new());

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// From now on a panic leaves a crash file. Unwinding goes on as ever.
pub(super) fn install() {
    let window_thread = std::thread::current().id();
    panic::set_hook(Box::new(move |info| {
        if QUIET.get() {
            return;
        }
        let text = report(payload_text(info.payload()), info.location());
        log::error!("{text}");
        let file = data_folder().and_then(|folder| write(&folder, &text));
        tell(file.as_deref(), window_thread);
    }));
}

/// While it lives, panics of this thread are somebody's answer and not a fault.
pub(super) struct Quiet(bool);

impl Quiet {
    /// Begins.
    pub fn begin() -> Self {
        Self(QUIET.replace(true))
    }
}

impl Drop for Quiet {
    fn drop(&mut self) {
        QUIET.set(self.0);
    }
}

/// Remembers what draws, for the crash file.
pub(super) fn note_renderer(note: &super::RendererNote) {
    *RENDERER.lock().unwrap_or_else(PoisonError::into_inner) = note.to_string();
}

/// The text that a panic carries.
pub(super) fn payload_text(payload: &(dyn Any + Send)) -> &str {
    match crate::panics::said(payload) {
        "" => "no message",
        text => text,
    }
}

fn report(message: &str, location: Option<&panic::Location<'_>>) -> String {
    let mut text = String::new();
    let place = location.map_or_else(|| "an unknown place".to_owned(), ToString::to_string);
    let thread = std::thread::current()
        .name()
        .unwrap_or("unnamed")
        .to_owned();
    let renderer = RENDERER
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clone();
    let backtrace = Backtrace::force_capture();
    let written = write!(
        text,
        "assert-doctor {version}\nsystem: {os} {arch}\nrenderer: {renderer}\nthread: {thread}\nat: {place}\nmessage: {message}\n\n{backtrace}\n",
        version = env!("CARGO_PKG_VERSION"),
        os = env::consts::OS,
        arch = env::consts::ARCH,
        message = without_quotations(message),
    );
    debug_assert!(written.is_ok(), "a String takes all text");
    without_home(&text, env::home_dir().as_deref())
}

/// Rust's messages put text from the data between back quotes: "… is not a char boundary; it is
/// inside 'é' of `a line of the log`".
fn without_quotations(message: &str) -> String {
    let mut kept = String::new();
    for (index, part) in message.split('`').enumerate() {
        kept.push_str(if index % 2 == 0 { part } else { "`…`" });
    }
    kept
}

fn without_home(text: &str, home: Option<&Path>) -> String {
    match home.and_then(Path::to_str) {
        Some(home) if home.len() > 1 => text.replace(home, "~"),
        _ => text.to_owned(),
    }
}

fn write(folder: &Path, text: &str) -> Option<PathBuf> {
    fs::create_dir_all(folder).ok()?;
    let seconds = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs());
    let file = folder.join(format!("crash-{seconds}.txt"));
    fs::write(&file, text).ok()?;
    Some(file)
}

/// A fault of a worker does not stop the window, so only the window's own is told.
fn tell(file: Option<&Path>, window_thread: ThreadId) {
    if std::thread::current().id() != window_thread {
        return;
    }
    let file = file.map(|file| file.display().to_string());
    let text = Messages::new(language_before_settings()).crashed(file.as_deref());
    // On a thread of its own: a message box here would hand the window further events while the
    // code that takes them is being torn down.
    let told = std::thread::Builder::new()
        .name("crash-notice".into())
        .spawn(move || messages::tell(&text, true));
    if let Ok(told) = told
        && told.join().is_err()
    {
        log::error!("the crash notice failed");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_has_the_facts_and_nothing_of_the_users() {
        let text = report(
            "byte index 3 is not a char boundary; it is inside 'é' (bytes 2..4) of `secret line`",
            Some(panic::Location::caller()),
        );
        for part in [
            env!("CARGO_PKG_VERSION"),
            env::consts::OS,
            "panic_hook.rs",
            "byte index 3 is not a char boundary",
            "of `…`",
        ] {
            assert!(text.contains(part), "{part} is missing: {text}");
        }
        assert!(!text.contains("secret line"));
        assert_eq!(without_quotations("no quotes"), "no quotes");
        assert_eq!(without_quotations("an open ` end"), "an open `…`");
        assert_eq!(
            without_home("at /home/li/x.rs", Some(Path::new("/home/li"))),
            "at ~/x.rs"
        );
        assert_eq!(without_home("at /x.rs", Some(Path::new("/"))), "at /x.rs");
    }

    #[test]
    fn a_crash_file_is_written() {
        let folder = env::temp_dir().join(format!("assert-doctor-crash-{}", std::process::id()));
        let file = write(&folder, "text").unwrap();
        assert_eq!(fs::read_to_string(file).unwrap(), "text");
        fs::remove_dir_all(folder).unwrap();
    }
}
