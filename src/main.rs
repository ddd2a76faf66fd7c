//! The window. Everything it does is in the library; see `ui::startup` for how it comes up.

// A release build is a window program for Windows: without this line each start would open a
// console beside the window. Debug builds keep the console, because it shows the log.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    // Started by ourselves to look after a run: there is no window then.
    if let Some(code) = assert_doctor::rerun::supervisor(std::env::args_os().skip(1)) {
        return code;
    }
    // Taken first: `--measure-start` counts from here.
    let beginning = Instant::now();
    assert_doctor::ui::startup::run(beginning)
}
