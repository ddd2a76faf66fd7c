//! `assert-doctor-cli diagnose`: one case from whatever is given.

use std::io::{Read, Write};
use std::sync::atomic::AtomicBool;

use super::args::Source;
use super::{check, exit, human, json};
use crate::case::{self, Case, Log, OpenWhat, Origin};
use crate::check::CheckOptions;
use crate::findings::Severity;
use crate::reproduction::{NoReproduction, of_diagnosis};
use crate::words::{Words, input_problem, no_reproduction};

/// In which form a diagnosis is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// For a reader.
    Text,
    /// One object.
    Json,
    /// Only the script that fails in the same way.
    Reproduction,
}

pub(super) fn run(
    sources: &[Source],
    form: Form,
    words: Words,
    stdin: &mut dyn Read,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> u8 {
    let never = AtomicBool::new(false);
    let mut case = Case::default();
    let mut stdin_read = false;
    // Standard input can be read only once; the paths before and behind it are opened together, so that each file is one input.
    for run in sources.chunk_by(|a, b| a.is_path() && b.is_path()) {
        let paths: Vec<_> = run.iter().filter_map(Source::path).cloned().collect();
        if !paths.is_empty() {
            case.merge(case::open(&OpenWhat::Paths(paths), &never, &mut |_| {}));
        } else if !stdin_read {
            stdin_read = true;
            case.merge(case::open_stream(Origin::Stdin, stdin, &never));
        }
    }

    for input in &case.inputs {
        if let Some(error) = &input.error {
            let told = input_problem(input, error, words);
            // Nothing can be done about a closed standard error.
            let _ = writeln!(err, "{}", told.one_line(words));
        }
    }
    if !case.given.is_empty() {
        let options = CheckOptions::default();
        let outside = case.ranges_of_log();
        let checked = crate::check::run(&case.given, &options, &outside, &never, &mut |_| {}, None);
        check::tell_problems(&checked, words, err);
        case.take_data(checked);
    }
    let Some(primary) = case.primary_log() else {
        // Without a log this is a check of the data.
        return match &case.data {
            Some(_) if form == Form::Reproduction => {
                let _ = writeln!(err, "{}", words.text("cli-no-path"));
                exit::UNUSABLE
            }
            Some(checked) => check::tell(checked, form == Form::Json, words, out, err),
            None => exit::UNUSABLE,
        };
    };
    let text = match form {
        Form::Json => json::object(&case, primary, words),
        Form::Text => human::text(&case, primary, words),
        Form::Reproduction => match script(&case, primary) {
            Ok(script) => script,
            Err(why) => {
                let _ = writeln!(err, "{}", no_reproduction(why, words));
                return exit::UNUSABLE;
            }
        },
    };
    let nothing = case.logs.iter().all(Log::is_well);
    let faults = case.data.iter().flat_map(|data| &data.findings);
    let code = if nothing && faults.map(|f| f.severity).all(|s| s == Severity::Note) {
        exit::NOTHING_WRONG
    } else {
        exit::WRONG
    };
    super::answer(&text, code, words, out, err)
}

/// The script for the primary log's best cause.
fn script(case: &Case, primary: usize) -> Result<String, NoReproduction> {
    let log = case.logs.get(primary).ok_or(NoReproduction::CheckUnknown)?;
    let made = of_diagnosis(&log.facts, &log.diagnosis)?;
    Ok(made.script.trim_end().to_owned())
}
