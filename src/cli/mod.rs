//! The console program's commands over the same calls as the window.
//!
//! Only this module and `src/bin/assert-doctor-cli.rs` write to standard output and error.

mod args;
mod check;
mod check_args;
mod check_human;
mod check_json;
mod compare;
mod device_json;
mod diagnose;
mod gpus;
mod gpus_measured;
mod human;
mod json;
mod kit;
mod passed;
mod run;
mod run_args;

use std::io::{Read, Write};
use std::process::ExitCode;

use args::{Parsed, Task};
use diagnose::Form;

use crate::words::{Arg, Language, Words, system_said};

/// Runs the program with the arguments after its name; answers on `out`, complaints on `err`.
pub fn run(
    arguments: impl IntoIterator<Item = std::ffi::OsString>,
    stdin: &mut dyn Read,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> ExitCode {
    let arguments: Vec<_> = arguments.into_iter().collect();
    let system = Words::new(Language::of_system());
    let Parsed {
        task,
        json,
        language,
    } = match args::parse(arguments.iter().cloned()) {
        Ok(parsed) => parsed,
        Err(fault) => {
            let (language, is_run) = args::glance(&arguments);
            let words = language.map_or(system, Words::new);
            let text = fault.text(words);
            // Nothing can be done about a closed standard error.
            let _ = writeln!(err, "{text}\n{}", words.text("cli-see-help"));
            return ExitCode::from(if is_run {
                exit::RUN_FAILED
            } else {
                exit::UNUSABLE
            });
        }
    };
    // JSON is for programs: English unless a language is named.
    let words = match language {
        Some(language) => Words::new(language),
        None if json => Words::new(Language::En),
        None => system,
    };
    let code = match task {
        Task::Help => write_all(
            out,
            &words.with("cli-help", &[("version", Arg::Text(VERSION))]),
        ),
        Task::Version => write_all(out, &format!("assert-doctor-cli {VERSION}")),
        Task::Diagnose(paths) => {
            let form = if json { Form::Json } else { Form::Text };
            diagnose::run(&paths, form, words, stdin, out, err)
        }
        Task::Reproduction(paths) => {
            diagnose::run(&paths, Form::Reproduction, words, stdin, out, err)
        }
        Task::Compare(paths) => compare::run(&paths, json, words, out, err),
        Task::Check(args) => check::run(&args, json, words, out, err),
        Task::Gpus(args) => gpus::run(args, json, words, out, err),
        Task::Run(args) => run::run(*args, json, words, out, err),
    };
    ExitCode::from(code)
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Exit codes, as DESIGN and README state them.
mod exit {
    /// Nothing wrong found.
    pub(super) const NOTHING_WRONG: u8 = 0;
    /// Something wrong found.
    pub(super) const WRONG: u8 = 1;
    /// Nothing could be read or used.
    pub(super) const UNUSABLE: u8 = 2;
    /// `run` fails itself; every other code is the command's.
    pub(super) const RUN_FAILED: u8 = 125;
}

/// Writes an answer; a closed pipe (`| head`) is no failure of ours, half an answer in a file on a full disk is one.
fn answer(text: &str, code: u8, words: Words, out: &mut dyn Write, err: &mut dyn Write) -> u8 {
    let written = writeln!(out, "{text}").and_then(|()| out.flush());
    match written {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            let said = system_said(&error.to_string(), words);
            let told = words.with("cli-not-written", &[("said", Arg::Text(&said))]);
            let _ = writeln!(err, "{told}");
            exit::UNUSABLE
        }
        _ => code,
    }
}

fn write_all(out: &mut dyn Write, text: &str) -> u8 {
    // A closed pipe (`| head`) is no failure of ours.
    let _ = writeln!(out, "{text}");
    exit::NOTHING_WRONG
}
