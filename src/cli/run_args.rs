//! The options of `run`.

use std::ffi::OsString;
use std::path::PathBuf;

use super::args::Fault;
use crate::rerun::RunOptions;

/// What `run` was told.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct RunArgs {
    pub options: RunOptions,
    /// The folder for the run (`--output`).
    pub output: Option<PathBuf>,
    /// Print the commands for another machine; start nothing (`--kit`).
    pub kit: bool,
    /// The command: its program and arguments.
    pub command: Vec<OsString>,
    /// The first option that only `run` knows, for a complaint.
    first: Option<String>,
}

impl RunArgs {
    /// Whether an option belongs to `run` and stands alone.
    pub(super) fn is_flag(name: &str) -> bool {
        matches!(name, "sync" | "cpu" | "guard" | "kit")
    }

    /// Whether an option belongs to `run` and has a value.
    pub(super) fn takes_value(name: &str) -> bool {
        matches!(name, "workers" | "output")
    }

    pub(super) fn first_option(&self) -> Option<&str> {
        self.first.as_deref()
    }

    /// Takes an option that stands alone.
    pub(super) fn set(&mut self, name: &str) {
        self.first.get_or_insert_with(|| format!("--{name}"));
        match name {
            "sync" => self.options.sync = true,
            "cpu" => self.options.cpu = true,
            "kit" => self.kit = true,
            _ => self.options.guard = true,
        }
    }

    /// Takes an option with its value.
    pub(super) fn take(&mut self, option: &str, value: OsString) -> Result<(), Fault> {
        self.first.get_or_insert_with(|| option.to_owned());
        if option == "--output" {
            // A folder of such a name is `./--x`.
            if value.is_empty() || value.as_encoded_bytes().starts_with(b"--") {
                return Err(Fault::MissingValue(option.to_owned()));
            }
            self.output = Some(value.into());
            return Ok(());
        }
        let text = value.to_string_lossy();
        match text.parse() {
            Ok(workers) => self.options.workers = Some(workers),
            Err(_) => return Err(Fault::BadWorkers(text.into_owned())),
        }
        Ok(())
    }

    pub(super) fn finish(self) -> Result<Self, Fault> {
        if self.command.is_empty() {
            return Err(Fault::NoRunCommand);
        }
        Ok(self)
    }
}
