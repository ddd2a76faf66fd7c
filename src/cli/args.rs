//! Arguments to a task.

use std::ffi::OsString;
use std::path::PathBuf;

use lexopt::prelude::{Long, Short, Value};

use super::check_args::CheckArgs;
use super::gpus::GpusArgs;
use super::run_args::RunArgs;
use crate::words::{Arg, Language, Words};

/// What the arguments ask for.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Parsed {
    pub task: Task,
    pub json: bool,
    pub language: Option<Language>,
}

/// What to do.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Task {
    Help,
    Version,
    Diagnose(Vec<Source>),
    /// The script that fails like the log's run.
    Reproduction(Vec<Source>),
    Check(Box<CheckArgs>),
    Run(Box<RunArgs>),
    Compare(Box<[PathBuf; 2]>),
    Gpus(GpusArgs),
}

/// Where something is read from.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Source {
    Path(PathBuf),
    Stdin,
}

impl Source {
    pub(super) fn path(&self) -> Option<&PathBuf> {
        match self {
            Self::Path(path) => Some(path),
            Self::Stdin => None,
        }
    }

    pub(super) fn is_path(&self) -> bool {
        self.path().is_some()
    }
}

/// What is wrong with the arguments.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Fault {
    NoCommand,
    UnknownCommand(String),
    UnknownOption(String),
    MissingValue(String),
    UnknownLanguage(String),
    NoPath,
    NoCheckPath,
    BadNumber { option: String, value: String },
    BadRange(String),
    BadKind(String),
    BadSplit(String),
    BadDevice(String),
    TwoRanges,
    OnlyCheck(String),
    OnlyDiagnose(String),
    OnlyRun(String),
    NoRunCommand,
    BadWorkers(String),
    NotTwo(usize),
    NoStdinHere,
    NoPathHere(String),
    OnlyGpus(String),
    NeedsHealth,
    NotCpu,
}

impl Fault {
    pub(super) fn text(&self, words: Words) -> String {
        let with = |id: &str, value: &str| words.with(id, &[("value", Arg::Text(value))]);
        match self {
            Self::NoCommand => words.text("cli-no-command"),
            Self::UnknownCommand(name) => with("cli-unknown-command", name),
            Self::UnknownOption(name) => with("cli-unknown-option", name),
            Self::MissingValue(name) => with("cli-missing-value", name),
            Self::UnknownLanguage(tag) => with("cli-unknown-language", tag),
            Self::NoPath => words.text("cli-no-path"),
            Self::NoCheckPath => words.text("cli-check-no-path"),
            Self::BadNumber { option, value } => words.with(
                "cli-bad-number",
                &[("option", Arg::Text(option)), ("value", Arg::Text(value))],
            ),
            Self::BadRange(value) => with("cli-bad-range", value),
            Self::BadKind(value) => with("cli-bad-kind", value),
            Self::BadSplit(value) => with("cli-bad-split", value),
            Self::BadDevice(value) => with("cli-bad-device", value),
            Self::NotTwo(count) => words.with(
                "cli-compare-not-two",
                &[("count", Arg::Number(*count as u64))],
            ),
            Self::NoStdinHere => words.text("cli-compare-no-stdin"),
            Self::NoPathHere(path) => with("cli-gpus-no-path", path),
            Self::OnlyGpus(option) => with("cli-only-gpus", option),
            Self::NeedsHealth => words.text("cli-gpus-needs-health"),
            Self::NotCpu => words.text("cli-gpus-not-cpu"),
            Self::TwoRanges => words.text("cli-two-ranges"),
            Self::OnlyCheck(option) => with("cli-only-check", option),
            Self::OnlyDiagnose(option) => with("cli-only-diagnose", option),
            Self::OnlyRun(option) => with("cli-only-run", option),
            Self::NoRunCommand => words.text("cli-no-run-command"),
            Self::BadWorkers(value) => with("cli-bad-workers", value),
        }
    }
}

/// Reads the arguments after the program's name.
pub(super) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Parsed, Fault> {
    let mut parser = lexopt::Parser::from_args(arguments);
    let mut command: Option<String> = None;
    let mut sources = Vec::new();
    let mut json = false;
    let mut language = None;
    let mut wanted = None;
    let mut reproduction = false;
    let mut health = false;
    let mut measure = false;
    let mut check = CheckArgs::default();
    let mut run = RunArgs::default();
    while let Some(argument) = parser.next().map_err(|error| fault(&error))? {
        match argument {
            Long("help") | Short('h') => wanted = wanted.or(Some(Task::Help)),
            Long("version") | Short('V') => wanted = wanted.or(Some(Task::Version)),
            Long("json") => json = true,
            Long("reproduction") => reproduction = true,
            Long("health") => health = true,
            Long("measure") => measure = true,
            Long("lang") => {
                let value = parser.value().map_err(|error| fault(&error))?;
                let tag = value.to_string_lossy().into_owned();
                language = Some(Language::from_tag(&tag).ok_or(Fault::UnknownLanguage(tag))?);
            }
            Long(name) if RunArgs::is_flag(name) => run.set(name),
            Long(name) if RunArgs::takes_value(name) => {
                let option = format!("--{name}");
                let value = parser.value().map_err(|error| fault(&error))?;
                run.take(&option, value)?;
            }
            Long(name) if CheckArgs::knows(name) => {
                let option = format!("--{name}");
                let value = parser.value().map_err(|error| fault(&error))?;
                check.take(&option, value)?;
            }
            Value(value) if command.is_none() => {
                let name = value.to_string_lossy().into_owned();
                match name.as_str() {
                    "diagnose" | "check" | "compare" | "run" | "gpus" => command = Some(name),
                    "help" => wanted = wanted.or(Some(Task::Help)),
                    // A file was dropped on the program or the command left out: what else could it mean.
                    _ if std::path::Path::new(&value).exists() => {
                        command = Some("diagnose".to_owned());
                        sources.push(Source::Path(value.into()));
                    }
                    _ => return Err(Fault::UnknownCommand(name)),
                }
            }
            // From its program on everything belongs to the command, whatever it looks like.
            Value(value) if command.as_deref() == Some("run") => {
                run.command.push(value);
                let rest = parser.raw_args().map_err(|error| fault(&error))?;
                run.command.extend(rest);
            }
            Value(value) if value == "-" => sources.push(Source::Stdin),
            Value(value) => sources.push(Source::Path(value.into())),
            Short(_) | Long(_) => {
                return Err(Fault::UnknownOption(match argument {
                    Short(c) => format!("-{c}"),
                    Long(name) => format!("--{name}"),
                    Value(_) => String::new(),
                }));
            }
        }
    }
    let task = match (wanted, command.as_deref()) {
        (Some(task), _) => task,
        (None, None) => return Err(Fault::NoCommand),
        (None, Some(command)) if reproduction && command != "diagnose" => {
            return Err(Fault::OnlyDiagnose("--reproduction".to_owned()));
        }
        (None, Some(command)) if (health || measure) && command != "gpus" => {
            let option = if health { "--health" } else { "--measure" };
            return Err(Fault::OnlyGpus(option.to_owned()));
        }
        (None, Some("run")) => {
            if let Some(option) = check.first_option() {
                return Err(Fault::OnlyCheck(option.to_owned()));
            }
            Task::Run(Box::new(run.finish()?))
        }
        (None, Some(_)) if run.first_option().is_some() => {
            let option = run.first_option().unwrap_or_default();
            return Err(Fault::OnlyRun(option.to_owned()));
        }
        (None, Some("check")) => Task::Check(Box::new(check.finish(sources)?)),
        (None, Some("gpus")) => Task::Gpus(GpusArgs::of((health, measure), &check, &sources)?),
        (None, Some(_)) => {
            if let Some(option) = check.first_option() {
                return Err(Fault::OnlyCheck(option.to_owned()));
            }
            if command.as_deref() == Some("compare") {
                return Ok(Parsed {
                    task: Task::Compare(Box::new(two(sources)?)),
                    json,
                    language,
                });
            }
            if sources.is_empty() {
                return Err(Fault::NoPath);
            }
            // The object of `--json` holds the script, too.
            if reproduction && !json {
                Task::Reproduction(sources)
            } else {
                Task::Diagnose(sources)
            }
        }
    };
    Ok(Parsed {
        task,
        json,
        language,
    })
}

/// What can be told of arguments that make no sense: the language they name, and whether `run` was meant.
pub(super) fn glance(arguments: &[OsString]) -> (Option<Language>, bool) {
    let (mut language, mut command) = (None, None::<String>);
    let mut arguments = arguments.iter().map(|argument| argument.to_string_lossy());
    while let Some(argument) = arguments.next() {
        if argument == "--lang" {
            let tag = arguments.next().unwrap_or_default();
            language = Language::from_tag(&tag).or(language);
        } else if let Some(tag) = argument.strip_prefix("--lang=") {
            language = Language::from_tag(tag).or(language);
        } else if let Some(option) = argument.strip_prefix("--") {
            let is_run = command.as_deref() == Some("run");
            // What comes then is the command's own.
            if is_run && option.is_empty() {
                break;
            }
            if RunArgs::takes_value(option) {
                arguments.next();
            }
        } else if command.as_deref() == Some("run") {
            break;
        } else if !argument.starts_with('-') {
            command.get_or_insert_with(|| argument.into_owned());
        }
    }
    (language, command.as_deref() == Some("run"))
}

/// The two runs of a comparison.
fn two(sources: Vec<Source>) -> Result<[PathBuf; 2], Fault> {
    let paths: Option<Vec<PathBuf>> = sources
        .into_iter()
        .map(|source| match source {
            Source::Path(path) => Some(path),
            Source::Stdin => None,
        })
        .collect();
    let paths = paths.ok_or(Fault::NoStdinHere)?;
    <[PathBuf; 2]>::try_from(paths).map_err(|paths| Fault::NotTwo(paths.len()))
}

fn fault(error: &lexopt::Error) -> Fault {
    match error {
        lexopt::Error::MissingValue { option } => {
            Fault::MissingValue(option.clone().unwrap_or_default())
        }
        lexopt::Error::UnexpectedOption(name) => Fault::UnknownOption(name.clone()),
        lexopt::Error::UnexpectedValue { option, .. } => Fault::UnknownOption(option.clone()),
        other => Fault::UnknownOption(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::range_check::DeviceChoice;

    #[track_caller]
    fn read(line: &str) -> Result<Parsed, Fault> {
        parse(line.split_whitespace().map(OsString::from))
    }

    #[track_caller]
    fn check(line: &str, sources: Vec<Source>, json: bool, language: Option<Language>) {
        let expected = Parsed {
            task: Task::Diagnose(sources),
            json,
            language,
        };
        assert_eq!(read(line), Ok(expected), "{line}");
    }

    #[test]
    fn arguments_are_read() {
        let log = || Source::Path("train.log".into());
        check("diagnose train.log", vec![log()], false, None);
        check(
            "diagnose --json train.log -",
            vec![log(), Source::Stdin],
            true,
            None,
        );
        check(
            "--lang=zh-CN diagnose train.log",
            vec![log()],
            false,
            Some(Language::ZhCn),
        );
        check(
            "diagnose -- --odd.log",
            vec![Source::Path("--odd.log".into())],
            false,
            None,
        );
    }

    #[test]
    fn a_reproduction_is_asked_for_without_json() {
        let log = || vec![Source::Path("train.log".into())];
        for (line, expected) in [
            (
                "diagnose train.log --reproduction",
                Task::Reproduction(log()),
            ),
            (
                "diagnose --json --reproduction train.log",
                Task::Diagnose(log()),
            ),
        ] {
            assert_eq!(read(line).map(|parsed| parsed.task), Ok(expected), "{line}");
        }
    }

    #[test]
    fn a_command_is_taken_as_it_is() {
        let check = |line: &str, command: &str, json: bool| {
            let parsed = read(line).unwrap();
            let Task::Run(run) = parsed.task else {
                panic!("{line}");
            };
            let words: Vec<OsString> = command.split_whitespace().map(OsString::from).collect();
            assert_eq!(run.command, words, "{line}");
            assert_eq!(parsed.json, json, "{line}");
            run
        };
        check(
            "run -- python train.py --json",
            "python train.py --json",
            false,
        );
        check(
            "run python train.py --json -- -x",
            "python train.py --json -- -x",
            false,
        );
        check("run --json -- -- x", "-- x", true);
        let run = check(
            "run --sync --guard --cpu --workers 0 --output case -- train.py",
            "train.py",
            false,
        );
        assert!(run.options.sync && run.options.guard && run.options.cpu);
        assert_eq!(run.options.workers, Some(0));
        assert_eq!(run.output.as_deref(), Some(std::path::Path::new("case")));
    }

    #[test]
    fn a_device_is_chosen() {
        for (value, expected) in [
            ("auto", DeviceChoice::Auto),
            ("cpu", DeviceChoice::Cpu),
            ("gpu", DeviceChoice::Gpu(None)),
            ("gpu:2", DeviceChoice::Gpu(Some(2))),
        ] {
            let line = format!("check --device {value} x");
            let Ok(Task::Check(args)) = read(&line).map(|parsed| parsed.task) else {
                panic!("{line}");
            };
            assert_eq!(args.options.device, expected, "{line}");
        }
        for (line, number, health, measure) in [
            ("gpus", None, false, false),
            ("gpus --health", None, true, false),
            ("gpus --health --device auto", None, true, false),
            ("gpus --device gpu:3 --health", Some(3), true, false),
            ("gpus --measure --device gpu:2", Some(2), false, true),
        ] {
            let expected = Task::Gpus(GpusArgs {
                health,
                measure,
                number,
            });
            assert_eq!(read(line).map(|parsed| parsed.task), Ok(expected), "{line}");
        }
    }

    fn bad_number(option: &str, value: &str) -> Fault {
        Fault::BadNumber {
            option: option.into(),
            value: value.into(),
        }
    }

    #[test]
    fn of_arguments_that_make_no_sense_language_and_command_are_told() {
        for (line, language, is_run) in [
            ("--lang zh-CN run --nope", Some(Language::ZhCn), true),
            ("run --workers x --lang=zh-CN", Some(Language::ZhCn), true),
            ("run --nope -- x --lang zh-CN", None, true),
            ("run x --lang zh-CN", None, true),
            ("diagnose run --lang en", Some(Language::En), false),
            ("--output run", None, false),
            ("--lang fr", None, false),
        ] {
            let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
            assert_eq!(glance(&words), (language, is_run), "{line}");
        }
    }

    #[test]
    fn arguments_that_make_no_sense_are_refused() {
        for (line, expected) in [
            ("", Fault::NoCommand),
            ("diagnose", Fault::NoPath),
            ("diagnosis x", Fault::UnknownCommand("diagnosis".into())),
            ("diagnose --jason x", Fault::UnknownOption("--jason".into())),
            ("diagnose x --lang", Fault::MissingValue("--lang".into())),
            ("compare a.log", Fault::NotTwo(1)),
            ("compare a b c", Fault::NotTwo(3)),
            ("compare a -", Fault::NoStdinHere),
            (
                "compare --classes 3 a b",
                Fault::OnlyCheck("--classes".into()),
            ),
            ("check", Fault::NoCheckPath),
            ("check --classes ten x", bad_number("--classes", "ten")),
            ("check --classes 0 x", bad_number("--classes", "0")),
            ("check --range 9..0 x", Fault::BadRange("9..0".into())),
            ("check --classes 3 --max 4 x", Fault::TwoRanges),
            ("check --kind label x", Fault::BadKind("label".into())),
            ("check --split val x", Fault::BadSplit("val".into())),
            ("check --device cuda x", Fault::BadDevice("cuda".into())),
            ("check --device gpu:0 x", Fault::BadDevice("gpu:0".into())),
            ("check --device gpu:x x", Fault::BadDevice("gpu:x".into())),
            ("check --health x", Fault::OnlyGpus("--health".into())),
            ("check --measure x", Fault::OnlyGpus("--measure".into())),
            (
                "diagnose --device gpu x",
                Fault::OnlyCheck("--device".into()),
            ),
            ("gpus x", Fault::NoPathHere("x".into())),
            ("gpus -", Fault::NoPathHere("-".into())),
            ("gpus --device gpu:2", Fault::NeedsHealth),
            ("gpus --health --device cpu", Fault::NotCpu),
            (
                "gpus --device gpu --classes 3",
                Fault::OnlyCheck("--classes".into()),
            ),
            ("gpus --sync", Fault::OnlyRun("--sync".into())),
            (
                "diagnose --classes 3 x",
                Fault::OnlyCheck("--classes".into()),
            ),
            (
                "check --reproduction x",
                Fault::OnlyDiagnose("--reproduction".into()),
            ),
            ("run", Fault::NoRunCommand),
            ("run --sync --", Fault::NoRunCommand),
            (
                "run --output -- true",
                Fault::MissingValue("--output".into()),
            ),
            (
                "run --output --guard -- true",
                Fault::MissingValue("--output".into()),
            ),
            (
                "run --output= -- true",
                Fault::MissingValue("--output".into()),
            ),
            ("run --workers -1 -- x", Fault::BadWorkers("-1".into())),
            ("run --classes 3 x", Fault::OnlyCheck("--classes".into())),
            ("diagnose --sync x", Fault::OnlyRun("--sync".into())),
            ("check --output x y", Fault::OnlyRun("--output".into())),
            ("diagnose x --lang fr", Fault::UnknownLanguage("fr".into())),
        ] {
            assert_eq!(read(line), Err(expected), "{line}");
        }
    }
}
