//! Runs in words: how one stands, how it ended, why it could not be started, why a command is suggested.

use super::language::{Arg, Words};
use super::problem::Problem;
use super::system::system_said;
use crate::case::shown;
use crate::rerun::{
    Ending, ExitMeaning, FoundPython, PythonKind, RunNotice, RunOptions, RunProblem, RunState,
    Suggestion, SuggestionReason,
};

/// How a run stands, in a word or two.
pub fn run_state(state: RunState, words: Words) -> String {
    words.text(match state {
        RunState::Starting => "run-starting",
        RunState::Running => "run-running",
        RunState::Stopping => "run-stopping",
        RunState::Ended => "run-ended",
        RunState::NotStarted => "run-not-started",
    })
}

/// How long something took: `0.4 s`, `12 s`, `3:05`, `1:02:03`.
pub fn run_duration(ms: u64, words: Words) -> String {
    let seconds = ms / 1_000;
    if seconds < 10 {
        let text = format!("{}.{}", seconds, ms % 1_000 / 100);
        return words.with("run-seconds", &[("seconds", Arg::Text(&text))]);
    }
    if seconds < 60 {
        let text = seconds.to_string();
        return words.with("run-seconds", &[("seconds", Arg::Text(&text))]);
    }
    let (hours, minutes, seconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    if hours == 0 {
        format!("{minutes}:{seconds:02}")
    } else {
        format!("{hours}:{minutes:02}:{seconds:02}")
    }
}

/// An exit code as it is usually written: a status of Windows in hexadecimal.
pub fn exit_code(code: i64) -> String {
    if code > 0xFFFF {
        format!("0x{code:08X}")
    } else {
        code.to_string()
    }
}

/// How a run ended, in one sentence without its meaning.
pub fn run_ending(ending: &Ending, words: Words) -> String {
    let time = run_duration(ending.elapsed_ms, words);
    let code = ending.code.map(exit_code).unwrap_or_default();
    let signal = ending.signal.map(signal_name).unwrap_or_default();
    let id = match (ending.stopped, ending.code, ending.signal) {
        (true, ..) => "run-ending-stopped",
        (false, Some(0), _) => "run-ending-success",
        (false, Some(_), _) => "run-ending-code",
        (false, None, Some(_)) => "run-ending-signal",
        (false, None, None) => "run-ending-unknown",
    };
    words.with(
        id,
        &[
            ("time", Arg::Text(&time)),
            ("code", Arg::Text(&code)),
            ("signal", Arg::Text(&signal)),
        ],
    )
}

/// What the processes did that outlived the command's own, in a sentence or two; `None` where there were none.
pub fn run_others(ending: &Ending, words: Words) -> Option<String> {
    let others = ending.others?;
    let time = run_duration(others.until_ms, words);
    let mut text = words.with("run-others", &[("time", Arg::Text(&time))]);
    if others.left > 0 {
        let left = [("count", Arg::Number(u64::from(others.left)))];
        text.push_str(words.gap());
        text.push_str(&words.with("run-others-left", &left));
    }
    Some(text)
}

/// What is told while a run goes on in the foreground.
pub fn run_notice(notice: &RunNotice, words: Words) -> String {
    match notice {
        RunNotice::Stopping => words.text("run-notice-stopping"),
        RunNotice::OthersLive(first) => {
            let ending = Ending {
                code: first.code,
                signal: first.signal,
                elapsed_ms: first.elapsed_ms,
                ..Ending::default()
            };
            let count = [("count", Arg::Number(u64::from(first.others)))];
            let go_on = words.with("run-notice-others", &count);
            let ended = run_ending(&ending, words);
            format!("{ended}{}{go_on}", words.gap())
        }
        RunNotice::Problem(problem) => run_problem(problem, words).one_line(words),
    }
}

/// That what was asked of the guard did not happen, because it did not start.
pub fn no_guard(options: RunOptions, words: Words) -> String {
    let missing: Vec<String> = [
        (options.guard, "run-no-guard-values"),
        (options.cpu, "run-no-guard-cpu"),
        (options.workers.is_some(), "run-no-guard-workers"),
    ]
    .into_iter()
    .filter(|(asked, _)| *asked)
    .map(|(_, id)| words.text(id))
    .collect();
    let missing = missing.join(&words.text("run-no-guard-and"));
    words.with("run-no-guard", &[("missing", Arg::Text(&missing))])
}

/// What the end of a run is known to mean; `None` where there is nothing to say beyond [`run_ending`].
pub fn ending_meaning(ending: &Ending, words: Words) -> Option<String> {
    let meaning = ending.meaning?;
    // A signal without a meaning is named with the ending.
    let is_said = ending.signal.is_some() && matches!(meaning, ExitMeaning::OtherSignal(_));
    if ending.stopped || is_said {
        return None;
    }
    exit_meaning(meaning, words)
}

/// A signal's name and number.
fn signal_name(signal: i32) -> String {
    let name = match signal {
        1 => "SIGHUP",
        2 => "SIGINT",
        3 => "SIGQUIT",
        4 => "SIGILL",
        5 => "SIGTRAP",
        6 => "SIGABRT",
        7 => "SIGBUS",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        13 => "SIGPIPE",
        15 => "SIGTERM",
        24 => "SIGXCPU",
        25 => "SIGXFSZ",
        _ => return signal.to_string(),
    };
    format!("{signal} ({name})")
}

/// What an exit code or signal is known to mean: one or two sentences with what to do; `None` where there is nothing to say.
pub fn exit_meaning(meaning: ExitMeaning, words: Words) -> Option<String> {
    let id = match meaning {
        ExitMeaning::Success | ExitMeaning::Failure => return None,
        ExitMeaning::Usage => "exit-usage",
        ExitMeaning::CannotRun => "exit-cannot-run",
        ExitMeaning::NotFound => "exit-not-found",
        ExitMeaning::Interrupted => "exit-interrupted",
        ExitMeaning::Aborted => "exit-aborted",
        ExitMeaning::Killed => "exit-killed",
        ExitMeaning::Terminated => "exit-terminated",
        ExitMeaning::SegmentationFault => "exit-segmentation-fault",
        ExitMeaning::BusError => "exit-bus-error",
        ExitMeaning::ArithmeticFault => "exit-arithmetic-fault",
        ExitMeaning::IllegalInstruction | ExitMeaning::WindowsIllegalInstruction => {
            "exit-illegal-instruction"
        }
        ExitMeaning::BrokenPipe => "exit-broken-pipe",
        ExitMeaning::HungUp => "exit-hung-up",
        ExitMeaning::TimeLimit => "exit-time-limit",
        ExitMeaning::FileLimit => "exit-file-limit",
        ExitMeaning::Trap => "exit-trap",
        ExitMeaning::OtherSignal(signal) => {
            let signal = signal_name(signal);
            return Some(words.with("exit-other-signal", &[("signal", Arg::Text(&signal))]));
        }
        ExitMeaning::AccessViolation => "exit-access-violation",
        ExitMeaning::StackBufferOverrun => "exit-stack-buffer-overrun",
        ExitMeaning::HeapCorruption => "exit-heap-corruption",
        ExitMeaning::StackOverflow => "exit-stack-overflow",
        ExitMeaning::ControlC => "exit-control-c",
        ExitMeaning::DllNotFound => "exit-dll-not-found",
        ExitMeaning::EntryPointNotFound => "exit-entry-point-not-found",
        ExitMeaning::DllInitFailed => "exit-dll-init-failed",
        ExitMeaning::InvalidImage => "exit-invalid-image",
        ExitMeaning::InPageError => "exit-in-page-error",
        ExitMeaning::NoMemory => "exit-no-memory",
        ExitMeaning::CppException => "exit-cpp-exception",
        ExitMeaning::OtherStatus(status) => {
            let status = exit_code(i64::from(status));
            return Some(words.with("exit-other-status", &[("status", Arg::Text(&status))]));
        }
    };
    Some(words.text(id))
}

/// Why a run could not be started, or what is wrong with keeping its record.
pub fn run_problem(problem: &RunProblem, words: Words) -> Problem {
    let mut path = None;
    let mut args: Vec<(&str, Arg<'_>)> = Vec::new();
    let system = match problem {
        RunProblem::NotRunnable { said, .. }
        | RunProblem::NoFolder { said, .. }
        | RunProblem::NoSupervisor { said }
        | RunProblem::Pipe { said }
        | RunProblem::NotWritten { said, .. } => system_said(said, words),
        _ => String::new(),
    };
    let id = match problem {
        RunProblem::NoProgram => "run-no-program",
        RunProblem::NotFound { program } => {
            path = Some(shown(program));
            "run-not-found"
        }
        RunProblem::NoPython => "run-no-python",
        RunProblem::Denied { program } => {
            path = Some(shown(program));
            "run-denied"
        }
        RunProblem::NotRunnable { program, .. } => {
            path = Some(shown(program));
            args.push(("said", Arg::Text(&system)));
            "run-not-runnable"
        }
        RunProblem::NoDirectory { directory } => {
            path = Some(shown(&directory.to_string_lossy()));
            "run-no-directory"
        }
        RunProblem::NoFolder { folder, .. } => {
            path = Some(shown(&folder.to_string_lossy()));
            args.push(("said", Arg::Text(&system)));
            "run-no-folder"
        }
        RunProblem::FolderInUse { folder } => {
            path = Some(shown(&folder.to_string_lossy()));
            "run-folder-in-use"
        }
        RunProblem::NoGuardPath { folder } => {
            path = Some(shown(&folder.to_string_lossy()));
            "run-no-guard-path"
        }
        RunProblem::AlreadyRun => "run-already-run",
        RunProblem::NoSupervisor { .. } => {
            args.push(("said", Arg::Text(&system)));
            "run-no-supervisor"
        }
        RunProblem::SupervisorGone => "run-supervisor-gone",
        RunProblem::Pipe { .. } => {
            args.push(("said", Arg::Text(&system)));
            "run-pipe"
        }
        RunProblem::NotWritten { lost, .. } => {
            args.push(("said", Arg::Text(&system)));
            args.push(("lost", Arg::Number(*lost)));
            "run-not-written"
        }
        RunProblem::FolderDeleted => "run-folder-deleted",
        RunProblem::FolderGone => "run-folder-gone",
        RunProblem::IsFolder { program } => {
            path = Some(shown(program));
            "run-is-folder"
        }
        RunProblem::DirectoryGone => "run-directory-gone",
    };
    Problem {
        heading: words.with(id, &args),
        text: words.with(&format!("{id}-do"), &args),
        path,
    }
}

/// Why a command is suggested.
pub fn suggestion_reason(suggestion: &Suggestion, words: Words) -> String {
    match suggestion.why {
        SuggestionReason::Script => words.text("suggestion-script"),
        SuggestionReason::LogCommand { line } => {
            words.with("suggestion-log-command", &[("line", Arg::Number(line))])
        }
        SuggestionReason::Traceback { line } => {
            words.with("suggestion-traceback", &[("line", Arg::Number(line))])
        }
    }
}

/// An interpreter: its version, where it comes from and whether it has PyTorch. Its path is not said.
pub fn python_text(python: &FoundPython, words: Words) -> String {
    let version = python.version.as_deref().unwrap_or_default();
    let name = python.name.as_deref().map(shown).unwrap_or_default();
    let kind = match (python.kind, python.name.is_some()) {
        (PythonKind::Venv, _) => "python-venv",
        (PythonKind::ActiveVenv, _) => "python-active-venv",
        (PythonKind::Conda, _) => "python-conda",
        (PythonKind::ActiveConda, _) => "python-active-conda",
        (PythonKind::Py, _) => "python-py",
        (PythonKind::Path, _) => "python-path",
        (PythonKind::Chosen, _) => "python-chosen",
    };
    let from = words.with(kind, &[("name", Arg::Text(&name))]);
    let id = match python.has_torch {
        Some(true) => "python-with-torch",
        Some(false) => "python-without-torch",
        None => "python-unknown-torch",
    };
    let text = words.with(
        id,
        &[
            ("version", Arg::Text(version)),
            ("from", Arg::Text(from.trim())),
        ],
    );
    // An unknown version leaves two blanks.
    text.replace("  ", " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Language;

    #[test]
    fn times_are_short() {
        let words = Words::new(Language::En);
        for (ms, expected) in [
            (0, "0.0 s"),
            (450, "0.4 s"),
            (9_999, "9.9 s"),
            (12_345, "12 s"),
            (185_000, "3:05"),
            (3_723_000, "1:02:03"),
        ] {
            assert_eq!(run_duration(ms, words), expected);
        }
    }

    #[test]
    fn statuses_of_windows_are_hexadecimal() {
        for (code, expected) in [(0, "0"), (137, "137"), (0xC000_0005, "0xC0000005")] {
            assert_eq!(exit_code(code), expected);
        }
    }

    #[test]
    fn a_signal_without_a_meaning_is_named_once() {
        let words = Words::new(Language::En);
        let ending = |signal| Ending {
            signal: Some(signal),
            meaning: ExitMeaning::of(None, Some(signal)),
            ..Ending::default()
        };
        assert!(run_ending(&ending(34), words).contains("34"));
        assert_eq!(ending_meaning(&ending(34), words), None);
        assert!(ending_meaning(&ending(9), words).is_some());
    }

    #[test]
    fn what_the_guard_would_have_done_is_named() {
        let options = RunOptions {
            cpu: true,
            guard: true,
            ..RunOptions::default()
        };
        let said = no_guard(options, Words::new(Language::En));
        assert!(
            said.contains("values were not checked and the CPU was not forced"),
            "{said}"
        );
        let said = no_guard(options, Words::new(Language::ZhCn));
        assert!(said.contains("未检查数值，未强制使用 CPU"), "{said}");
    }

    #[test]
    fn everything_has_its_words_in_both_languages() {
        let problems = [
            RunProblem::NoProgram,
            RunProblem::NotFound {
                program: "p".into(),
            },
            RunProblem::NoPython,
            RunProblem::Denied {
                program: "p".into(),
            },
            RunProblem::NotRunnable {
                program: "p".into(),
                said: "s".into(),
            },
            RunProblem::NoDirectory {
                directory: "d".into(),
            },
            RunProblem::NoFolder {
                folder: "f".into(),
                said: "s".into(),
            },
            RunProblem::FolderInUse { folder: "f".into() },
            RunProblem::NoGuardPath { folder: "f".into() },
            RunProblem::AlreadyRun,
            RunProblem::NoSupervisor { said: "s".into() },
            RunProblem::SupervisorGone,
            RunProblem::Pipe { said: "s".into() },
            RunProblem::NotWritten {
                said: "s".into(),
                lost: 3,
            },
            RunProblem::FolderDeleted,
            RunProblem::FolderGone,
            RunProblem::IsFolder {
                program: "p".into(),
            },
            RunProblem::DirectoryGone,
        ];
        let codes: Vec<i64> = (0..=255)
            .chain([
                0xC000_0005,
                0xC000_0006,
                0xC000_0017,
                0xC000_001D,
                0xC000_007B,
                0xC000_00FD,
                0xC000_0135,
                0xC000_0139,
                0xC000_013A,
                0xC000_0142,
                0xC000_0374,
                0xC000_0409,
                0xE06D_7363,
                0xC000_0022,
            ])
            .collect();
        for language in Language::ALL {
            let words = Words::new(language);
            // A text that is missing is told by its id.
            let is_text = |text: &str| {
                !text.is_empty() && !text.starts_with("run-") && !text.starts_with("exit-")
            };
            for problem in &problems {
                let told = run_problem(problem, words);
                assert!(is_text(&told.heading) && is_text(&told.text), "{told:?}");
            }
            for code in &codes {
                let meaning = ExitMeaning::of(Some(*code), None);
                let text = meaning.and_then(|meaning| exit_meaning(meaning, words));
                assert!(text.is_none_or(|text| is_text(&text)), "{code}");
            }
            for signal in 1..=64 {
                let meaning = ExitMeaning::of(None, Some(signal)).unwrap();
                assert!(exit_meaning(meaning, words).is_some_and(|text| is_text(&text)));
            }
        }
    }
}
