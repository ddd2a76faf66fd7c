//! What several tests need: a folder that goes away, and a worker that is waited for.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use assert_doctor::app::{AppState, Command, Job, Worker};
use assert_doctor::settings::Settings;
use assert_doctor::words::Language;

/// A folder of its own that is removed with all in it.
pub struct Folder(PathBuf);

impl Folder {
    /// An empty folder.
    pub fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("assert-doctor-test-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).expect("a folder for the test");
        Self(path)
    }

    /// Writes a file in it, folders between included.
    pub fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).expect("a folder for the test");
        }
        std::fs::write(&path, bytes).expect("a file for the test");
        path
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

/// The program without its window.
pub struct Program {
    pub state: AppState,
    pub worker: Worker,
}

impl Program {
    /// The program as it starts, in English.
    pub fn new() -> Self {
        Self {
            state: AppState::new(english()),
            worker: Worker::new(Arc::new(|| {})),
        }
    }

    /// Does what the user wants, jobs included.
    pub fn handle(&mut self, command: Command) {
        let jobs = self.state.handle(command);
        self.start(jobs);
    }

    /// Takes in what has come; whether anything had.
    pub fn step(&mut self) -> bool {
        let Some(event) = self.worker.try_event() else {
            return false;
        };
        let jobs = self.state.apply(event);
        self.start(jobs);
        true
    }

    /// Goes on until something holds.
    pub fn until(&mut self, what: &str, holds: impl Fn(&AppState) -> bool) {
        let start = Instant::now();
        while !holds(&self.state) {
            assert!(
                start.elapsed() < Duration::from_mins(1),
                "never came: {what}"
            );
            if !self.step() {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    }

    fn start(&self, jobs: Vec<Job>) {
        for job in jobs {
            // A test leaves the settings of whoever runs it alone.
            if !matches!(job, Job::SaveSettings(_)) {
                self.worker.start(job);
            }
        }
    }
}

/// Settings that speak English whatever the system speaks.
pub fn english() -> Settings {
    Settings {
        language: Some(Language::En),
        ..Settings::default()
    }
}
