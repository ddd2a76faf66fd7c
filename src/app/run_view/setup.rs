//! What is to be run, before it is: the command, how it is watched, and the commands for another machine.

use crate::rerun::{FoundPython, RunOptions, Suggestion, join_command};
use crate::words::{Arg, Problem, Words, python_text, suggestion_reason};

/// What the screen before a run shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SetupView {
    /// The command line.
    pub command: String,
    /// The folder it runs in.
    pub directory: String,
    /// How it is watched.
    pub options: RunOptions,
    /// What could be run.
    pub suggestions: Vec<SuggestionRow>,
    /// Interpreters by name, best first.
    pub pythons: Vec<String>,
    /// The one that the command begins with.
    pub python: Option<usize>,
    /// Commands and interpreters are still being looked for.
    pub looking: bool,
    /// Why it cannot be started as it is.
    pub problem: Option<Problem>,
    /// It is being started.
    pub starting: bool,
    /// The commands for another machine, where they are shown.
    pub kit: Option<KitView>,
}

/// A command that could be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuggestionRow {
    /// The command line.
    pub command: String,
    /// Why it is suggested.
    pub why: String,
    /// What it needs and is not there on this machine; empty where nothing is missing.
    pub missing: String,
    /// It is the one in the field.
    pub chosen: bool,
}

/// The commands for another machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KitView {
    /// Names of the shells.
    pub shells: Vec<String>,
    /// Which is shown.
    pub shell: usize,
    /// Its commands.
    pub text: String,
    /// What they do, and what must lie beside the script.
    pub intro: Vec<String>,
    /// What to know of this shell.
    pub hint: String,
    /// Why there are no commands for this shell.
    pub problem: Option<String>,
    /// The guard's files that must lie in the folder in which the command is run.
    pub guard_files: Vec<&'static str>,
}

/// The rows of suggestions and interpreters in a language.
pub(in crate::app) fn setup_view(
    view: &mut SetupView,
    suggestions: &[Suggestion],
    pythons: &[FoundPython],
    words: Words,
) {
    view.suggestions = suggestions
        .iter()
        .map(|suggestion| {
            let command = join_command(&suggestion.command);
            let missing: Vec<String> = suggestion
                .missing
                .iter()
                .map(|path| path.display().to_string())
                .collect();
            SuggestionRow {
                chosen: command == view.command,
                why: suggestion_reason(suggestion, words),
                missing: if missing.is_empty() {
                    String::new()
                } else {
                    let list = missing.join(" · ");
                    words.with("rerun-missing", &[("list", Arg::Text(&list))])
                },
                command,
            }
        })
        .collect();
    view.pythons = pythons
        .iter()
        .map(|python| python_text(python, words))
        .collect();
}
