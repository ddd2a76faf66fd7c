//! A command line typed as one text, and back.

use std::ffi::OsString;

use super::RunCommand;

/// Why a text is no command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SplitFault {
    /// Nothing but blanks.
    #[error("no command")]
    Empty,
    /// A quote that is never closed.
    #[error("a quote is not closed")]
    OpenQuote,
    /// A zero character, which no argument can hold.
    #[error("a zero character")]
    Zero,
}

/// Splits a command line into program and arguments, as this system's programs and shells do: on Linux as a POSIX shell does
/// (quotes, backslashes; nothing is expanded), on Windows by the rules of `CommandLineToArgvW`.
///
/// # Errors
/// The text holds no command, or a quote that is never closed.
pub fn split_command(text: &str) -> Result<Vec<OsString>, SplitFault> {
    let _ = text;
    Err(SplitFault::Empty)
}

/// A command as one text that [`split_command`] takes apart again. What is no text is shown as well as it goes.
pub fn join_command(command: &RunCommand) -> String {
    let _ = command;
    String::new()
}
