//! `assert-doctor-cli run`: a command under supervision, in the foreground.
//!
//! What the command prints goes where it would have gone without us; with `--json` all of it goes to standard error, so that
//! standard output holds one object.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde_json::{Value, json};

use super::passed::PassedOn;
use super::run_args::RunArgs;
use super::{answer, human, json};
use crate::case::{self, Case, Input, Log, OpenWhat, Origin, shown};
use crate::crash_log::Facts;
use crate::diagnosis;
use crate::inputs::{Format, InputKind};
use crate::rerun::{
    self, FoundPython, Front, NewRun, Prepared, RunCommand, RunProblem, RunRecord, RunState,
    RunStatus,
};
use crate::words::{
    Arg, Words, ending_meaning, exit_meaning, no_guard, python_text, run_ending, run_notice,
    run_others, run_problem, verdict,
};

/// Our own failure.
const FAILED: u8 = super::exit::RUN_FAILED;

/// The command cannot be started.
const NOT_STARTED: u8 = 127;

pub(super) fn run(
    args: RunArgs,
    as_json: bool,
    words: Words,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> u8 {
    if args.kit {
        return super::kit::run(args, as_json, words, out, err);
    }
    let Prepared { folder, record } = match prepare(args, words, err) {
        Ok(prepared) => prepared,
        Err(problem) => {
            let _ = writeln!(err, "{}", run_problem(&problem, words).one_line(words));
            return code_of(&problem);
        }
    };
    let passed = PassedOn::new(as_json, (!as_json).then_some(words));
    let front = Front {
        echo: passed.echo(),
        notify: Arc::new(move |notice| {
            // Nothing can be done about a closed standard error.
            let _ = writeln!(std::io::stderr(), "{}", run_notice(notice, words));
        }),
    };
    let outcome = rerun::supervise_here(&folder, &front);
    passed.finish();
    let status = outcome.status;
    if status.state == RunState::NotStarted {
        let problem = status.problem.unwrap_or(RunProblem::NoProgram);
        let _ = writeln!(err, "{}", run_problem(&problem, words).one_line(words));
        return code_of(&problem);
    }
    let opened = opened(&folder, outcome.facts, &status);
    if as_json {
        let told = object(&folder, &record, &status, &opened, words);
        // A full disk is our failure, and the run's own code matters more.
        answer(&told, 0, words, out, err);
    } else {
        let _ = err.write_all(text(&folder, &record, &status, &opened, words).as_bytes());
        let _ = err.flush();
    }
    end(&status)
}

/// The run's log as it was kept; where it has lost the failure (a full disk, a deleted folder), what was heard of it.
fn opened(folder: &Path, heard: Option<Facts>, status: &RunStatus) -> Case {
    let path = folder.join("output.log");
    let mut opened = case::open(
        &OpenWhat::Paths(vec![path.clone()]),
        &AtomicBool::new(false),
        &mut |_| {},
    );
    let says = opened.primary_log().and_then(|at| opened.logs.get(at));
    if status.problem.is_none() || says.is_some_and(|log| log.diagnosis.first_failure.is_some()) {
        return opened;
    }
    let Some(facts) = heard else {
        return opened;
    };
    let diagnosis = diagnosis::diagnose(&facts);
    if diagnosis.first_failure.is_none() {
        return opened;
    }
    opened.inputs = vec![Input {
        origin: Origin::Path(path),
        kind: InputKind::Log,
        format: Format::Plain,
        error: None,
    }];
    opened.logs = vec![Log {
        input: 0,
        facts,
        lines: says.map(|log| log.lines.clone()).unwrap_or_default(),
        diagnosis,
        digest: None,
        ending: status.ending.clone(),
        unfinished: None,
    }];
    opened
}

/// The exit code of a command that could not be run.
fn code_of(problem: &RunProblem) -> u8 {
    match problem {
        RunProblem::NoProgram
        | RunProblem::NotFound { .. }
        | RunProblem::NoPython
        | RunProblem::Denied { .. }
        | RunProblem::NotRunnable { .. }
        | RunProblem::IsFolder { .. }
        | RunProblem::DirectoryGone
        | RunProblem::NoDirectory { .. } => NOT_STARTED,
        _ => FAILED,
    }
}

/// Makes the run ready, and says which Python was found.
fn prepare(args: RunArgs, words: Words, err: &mut dyn Write) -> Result<Prepared, RunProblem> {
    let directory = std::env::current_dir().unwrap_or_default();
    let mut command = args.command.into_iter();
    let program = command.next().ok_or(RunProblem::NoProgram)?;
    let arguments: Vec<OsString> = command.collect();
    let (command, python) = if is_script(&program, &directory) {
        let script = Path::new(&program);
        let (mut command, python) = rerun::script_command(script, arguments, Some(directory));
        let python = python.ok_or(RunProblem::NoPython)?;
        // As it was typed: scripts print their own name.
        if let Some(first) = command.arguments.first_mut() {
            first.clone_from(&program);
        }
        tell_python(&python, words, err);
        (command, Some(python))
    } else {
        let command = RunCommand {
            program,
            arguments,
            directory,
        };
        (command, None)
    };
    rerun::prepare(NewRun {
        command,
        options: args.options,
        python,
        first: None,
        folder: args.output,
    })
}

fn is_script(program: &OsString, directory: &Path) -> bool {
    let path = directory.join(program);
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("py"))
        && path.is_file()
}

fn tell_python(python: &FoundPython, words: Words, err: &mut dyn Write) {
    let text = python_text(python, words);
    let path = shown(&python.path.to_string_lossy());
    let told = words.with("cli-run-with", &[("python", Arg::Text(&text))]);
    // Nothing can be done about a closed standard error.
    let _ = writeln!(err, "{told}\n  {path}");
}

/// A short verdict: how it ended, what that means, what the output says, where everything is.
fn text(
    folder: &Path,
    record: &RunRecord,
    status: &RunStatus,
    opened: &Case,
    words: Words,
) -> String {
    let mut out = String::from("\n");
    if let Some(problem) = &status.problem {
        out.push_str(&run_problem(problem, words).one_line(words));
        out.push('\n');
    }
    let ending = status.ending.clone().unwrap_or_default();
    human::paragraph(&mut out, "", &run_ending(&ending, words));
    let missing = lacks_guard(record, status).then(|| no_guard(record.options, words));
    let more = [
        run_others(&ending, words),
        ending_meaning(&ending, words),
        missing,
    ];
    for sentence in more.into_iter().flatten() {
        human::paragraph(&mut out, "", &sentence);
    }
    let log = opened.primary_log().and_then(|at| opened.logs.get(at));
    let failed = log.filter(|log| log.diagnosis.first_failure.is_some());
    if let Some(log) = failed {
        let verdict = verdict(log, words);
        out.push('\n');
        human::paragraph(&mut out, "", &verdict.title);
        let _ = writeln!(
            out,
            "{} {} · {}",
            verdict.certainty_dots(),
            verdict.certainty_word,
            verdict.certainty_reason
        );
        let next = words.with("cli-run-next", &[("next", Arg::Text(&verdict.next))]);
        human::paragraph(&mut out, "", &next);
    }
    let kept = words.text("cli-run-kept");
    let _ = writeln!(out, "{kept}\n  {}", shown(&folder.to_string_lossy()));
    out
}

/// Something was asked of the guard, and it never started.
fn lacks_guard(record: &RunRecord, status: &RunStatus) -> bool {
    record.options.needs_guard_file() && !status.guard.started
}

/// `run --json`: one object, `assert-doctor/run-result/1`, documented in CONTRIBUTING.md.
fn object(
    folder: &Path,
    record: &RunRecord,
    status: &RunStatus,
    opened: &Case,
    words: Words,
) -> String {
    let ending = status.ending.clone().unwrap_or_default();
    let meaning = ending
        .meaning
        .and_then(|meaning| exit_meaning(meaning, words));
    let diagnosis: Value = opened
        .primary_log()
        .and_then(|primary| serde_json::from_str(&json::object(opened, primary, words)).ok())
        .unwrap_or_default();
    let problem = status.problem.as_ref().map(|problem| {
        let told = run_problem(problem, words).one_line(words);
        json!({ "problem": problem, "text": told })
    });
    let object = json!({
        "schema": "assert-doctor/run-result/1",
        "language": words.language.tag(),
        "folder": folder.to_string_lossy(),
        "run": record,
        "ending": ending,
        "ending_text": run_ending(&ending, words),
        "meaning": meaning,
        "failed_at_ms": status.failed_at_ms,
        "guard": status.guard,
        "guard_text": lacks_guard(record, status).then(|| no_guard(record.options, words)),
        "others": run_others(&ending, words),
        "problem": problem,
        "diagnosis": diagnosis,
    });
    serde_json::to_string_pretty(&object).unwrap_or_default()
}

/// The command's own exit code; 128 + signal where a signal ended it, as a shell has it.
fn end(status: &RunStatus) -> u8 {
    let ending = status.ending.clone().unwrap_or_default();
    match (ending.code, ending.signal) {
        (Some(code), _) => pass_on(code),
        (None, Some(signal)) => 128u8.saturating_add(signal as u8),
        (None, None) => FAILED,
    }
}

/// Exit codes of Windows have 32 bits, and what a program of ours returns has eight.
#[cfg(windows)]
fn pass_on(code: i64) -> u8 {
    match u8::try_from(code) {
        Ok(code) => code,
        Err(_) => std::process::exit((code as u32).cast_signed()),
    }
}

#[cfg(not(windows))]
fn pass_on(code: i64) -> u8 {
    code as u8
}
