//! `assert-doctor-cli diagnose`.

use std::io::{Read, Write};
use std::sync::atomic::AtomicBool;

use super::args::Source;
use super::{exit, human, json};
use crate::case::{self, Case, OpenWhat, Origin};
use crate::knowledge::CauseId;
use crate::words::{Words, input_problem};

pub(super) fn run(
    sources: &[Source],
    as_json: bool,
    words: Words,
    stdin: &mut dyn Read,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> u8 {
    let never = AtomicBool::new(false);
    let mut case = Case::default();
    for source in sources {
        let what = match source {
            Source::Path(path) => OpenWhat::Paths(vec![path.clone()]),
            Source::Stdin => OpenWhat::Text(Origin::Stdin, read_all(stdin).into()),
        };
        case.merge(case::open(&what, &never, &mut |_| {}));
    }

    for input in &case.inputs {
        if let Some(error) = &input.error {
            let told = input_problem(input, error, words);
            // Nothing can be done about a closed standard error.
            let _ = writeln!(err, "{}", told.one_line());
        }
    }
    let Some(primary) = case.primary_log() else {
        return exit::UNUSABLE;
    };
    let text = if as_json {
        json::object(&case, primary, words)
    } else {
        human::text(&case, primary, words)
    };
    // A closed pipe (`| head`) is no failure of ours.
    let _ = writeln!(out, "{text}");
    let nothing = case.logs.iter().all(|log| {
        log.diagnosis
            .causes
            .first()
            .is_some_and(|c| c.id == CauseId::None)
    });
    if nothing {
        exit::NOTHING_WRONG
    } else {
        exit::WRONG
    }
}

fn read_all(stdin: &mut dyn Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    // What came before an error is still a log.
    let _ = stdin.read_to_end(&mut bytes);
    bytes
}
