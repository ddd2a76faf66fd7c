//! The program's own log: standard error, or a file where a release on Windows has no console.

use std::fs::{self, File};

use env_logger::{Builder, Env, Target};

use crate::settings::data_folder;

/// What the graphics stack has to say is for its authors, and a renderer that fails is told in our
/// own words. `RUST_LOG` brings everything back.
const QUIET: &str = "wgpu_core=error,wgpu_hal=off,naga=error,egui_wgpu=error,winit=error,eframe::native::run=off,egui_system_font_provider=error";

/// Begins to log. `RUST_LOG` says what, as everywhere.
pub(super) fn start() {
    let file = if cfg!(all(windows, not(debug_assertions))) {
        log_file()
    } else {
        None
    };
    // A file may tell what happened; a terminal is only told what went wrong.
    let ours = if file.is_some() { "info" } else { "warn" };
    let mut builder = Builder::from_env(
        Env::default().default_filter_or(format!("warn,assert_doctor={ours},{QUIET}")),
    );
    if let Some(file) = file {
        builder.target(Target::Pipe(Box::new(file)));
    }
    if let Err(error) = builder.try_init() {
        // Another logger is in place already; it does as well.
        log::debug!("{error}");
    }
    log::info!(
        "{} {} on {}",
        super::PROGRAM_NAME,
        env!("CARGO_PKG_VERSION"),
        std::env::consts::OS
    );
}

/// A fresh log file; the one of the start before is kept beside it.
fn log_file() -> Option<File> {
    let folder = data_folder()?;
    fs::create_dir_all(&folder).ok()?;
    let file = folder.join("assert-doctor.log");
    drop(fs::rename(&file, folder.join("assert-doctor.old.log")));
    File::create(file).ok()
}
