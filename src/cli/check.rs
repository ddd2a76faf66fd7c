//! `assert-doctor-cli check`.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::check_args::CheckArgs;
use super::{check_human, check_json, exit};
use crate::bounds::{self, Bound};
use crate::case::{self, OpenWhat};
use crate::check::{self, Checked, EveryOffender, OffenderTable, SourceKind, is_offender_table};
use crate::findings::Severity;
use crate::range_check::{self, DeviceChoice, DeviceWhy, GpuError};
use crate::words::{Arg, Words, gpu_problem, input_problem, label_problem};

pub(super) fn run(
    args: &CheckArgs,
    as_json: bool,
    words: Words,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> u8 {
    if let DeviceChoice::Gpu(number) = args.options.device
        && let Err(error) = range_check::find_gpu(number)
    {
        return no_gpu(&error, "cli-gpu-instead", words, err);
    }
    let outside = match &args.log {
        None => Vec::new(),
        Some(path) => match of_log(path, words, err) {
            Some(bounds) => bounds,
            None => return exit::UNUSABLE,
        },
    };
    let checked = match &args.offenders {
        None => checked(args, &outside, None),
        Some(path) => {
            let mut table = match table_at(path) {
                Ok(file) => OffenderTable::new(BufWriter::new(file)),
                Err(said) => return not_written(&said, words, err),
            };
            let checked = checked(args, &outside, Some(&mut |offender| table.add(offender)));
            match table.finish() {
                Ok(count) => {
                    let path = path.to_string_lossy();
                    let told = words.with(
                        "check-offenders-written",
                        &[("count", Arg::Number(count)), ("path", Arg::Text(&path))],
                    );
                    let _ = writeln!(err, "{told}");
                }
                Err(error) => return not_written(&error.to_string(), words, err),
            }
            checked
        }
    };
    // It could be opened a moment ago, and then not for the check: a GPU that was asked for is never replaced quietly.
    if let DeviceChoice::Gpu(_) = args.options.device
        && let DeviceWhy::Failed(error) = &checked.device.why
        && !checked.device.is_gpu()
    {
        return no_gpu(error, "cli-gpu-instead", words, err);
    }
    tell_problems(&checked, words, err);
    tell(&checked, as_json, words, out, err)
}

/// The GPU that was asked for cannot be used: why, and the text of what to do `instead`.
pub(super) fn no_gpu(error: &GpuError, instead: &str, words: Words, err: &mut dyn Write) -> u8 {
    let told = gpu_problem(error, words).one_line(words);
    let instead = words.text(instead);
    // Nothing can be done about a closed standard error.
    let _ = writeln!(err, "{told}\n{instead}");
    exit::UNUSABLE
}

/// Files that could not be read and are named one by one; all of them stand in the JSON.
const MOST_PROBLEMS: usize = 20;

/// Says which files could not be read.
pub(super) fn tell_problems(checked: &Checked, words: Words, err: &mut dyn Write) {
    let files = &checked.material.files;
    let unread = || {
        files
            .iter()
            .filter_map(|file| Some((&file.path, file.error.as_ref()?)))
    };
    for (path, error) in unread().take(MOST_PROBLEMS) {
        // Nothing can be done about a closed standard error.
        let _ = writeln!(err, "{}", label_problem(path, error, words).one_line(words));
    }
    let more = unread().skip(MOST_PROBLEMS).count() as u64;
    if more > 0 {
        let told = words.with("check-more-unread", &[("count", Arg::Number(more))]);
        let _ = writeln!(err, "{told}");
    }
    for source in &checked.sources {
        if source.kind == SourceKind::Log {
            let path = crate::case::shown(&source.path.to_string_lossy());
            let told = words.with("check-is-log", &[("path", Arg::Text(&path))]);
            let _ = writeln!(err, "{told}");
        }
    }
}

/// Writes the answer, if there is one.
pub(super) fn tell(
    checked: &Checked,
    as_json: bool,
    words: Words,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> u8 {
    let nothing_read = checked
        .material
        .files
        .iter()
        .all(|file| file.error.is_some());
    if nothing_read && checked.findings.is_empty() {
        if checked.material.files.is_empty() {
            let _ = writeln!(err, "{}", words.text("check-nothing-read"));
        }
        return exit::UNUSABLE;
    }
    let text = if as_json {
        check_json::object(checked, words)
    } else {
        check_human::text(checked, words)
    };
    super::answer(&text, code(checked), words, out, err)
}

/// Notes alone are nothing wrong.
fn code(checked: &Checked) -> u8 {
    let wrong = |finding: &crate::findings::Finding| finding.severity > Severity::Note;
    if checked.findings.iter().any(wrong) {
        exit::WRONG
    } else {
        exit::NOTHING_WRONG
    }
}

fn checked(args: &CheckArgs, outside: &[Bound], every: Option<EveryOffender<'_>>) -> Checked {
    let never = AtomicBool::new(false);
    check::run(
        &args.given,
        &args.options,
        outside,
        &never,
        &mut |_| {},
        every,
    )
}

/// The sizes that a log states.
fn of_log(path: &Path, words: Words, err: &mut dyn Write) -> Option<Vec<Bound>> {
    let never = AtomicBool::new(false);
    let what = OpenWhat::Paths(vec![path.to_owned()]);
    let case = case::open(&what, &never, &mut |_| {});
    for input in &case.inputs {
        if let Some(error) = &input.error {
            let _ = writeln!(
                err,
                "{}",
                input_problem(input, error, words).one_line(words)
            );
        }
    }
    let log = case.logs.get(case.primary_log()?)?;
    let path: Arc<Path> = path.into();
    Some(bounds::of_facts(&log.facts, Some(&path)))
}

/// Opens the table for writing: a new file, or one that this program wrote before. No file of the user's is ever overwritten.
fn table_at(path: &Path) -> Result<File, String> {
    match File::create_new(path) {
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            if is_offender_table(path) {
                File::create(path).map_err(|error| error.to_string())
            } else {
                Err(format!("{}: {error}", path.display()))
            }
        }
        result => result.map_err(|error| format!("{}: {error}", path.display())),
    }
}

fn not_written(said: &str, words: Words, err: &mut dyn Write) -> u8 {
    let told = words.with("cli-not-written", &[("said", Arg::Text(said))]);
    let _ = writeln!(err, "{told}");
    exit::UNUSABLE
}
