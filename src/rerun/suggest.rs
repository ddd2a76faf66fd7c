//! What to run: commands that the log, a script or the machine suggest.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::shell_line::{without_assignments, without_shell};
use super::split::{Rules, split_by};
use super::{FoundPython, RunCommand, find_pythons};
use crate::crash_log::{Facts, Frame, Platform};

/// Folders above the log in which a script is looked for.
const ABOVE: usize = 4;

/// A command that may be what the user wants to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// The command.
    pub command: RunCommand,
    /// Why it is suggested.
    pub why: SuggestionReason,
    /// The interpreter that was put in, where the command's own was a mere name or there was none.
    pub python: Option<FoundPython>,
    /// What the command needs and is not there on this machine: program, script or folder.
    pub missing: Vec<PathBuf>,
    /// Parts of a shell's command line that a program does not get (`> log.txt`, `| tee log.txt`, `&`), as they stood.
    pub left_out: Vec<String>,
}

/// Why a command is suggested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SuggestionReason {
    /// It is the script that was given.
    Script,
    /// The log shows it being started, on this line.
    LogCommand {
        /// The log's line, from 1.
        line: u64,
    },
    /// The outermost frame of the log's traceback is in this file.
    Traceback {
        /// The log's line, from 1.
        line: u64,
    },
}

/// Commands to run, best first: the script that was given, the command that the log shows, the file where its traceback begins;
/// what is not there on this machine comes last. `near` is the log's own folder, where files are looked for that are not where
/// the log says. Looks for interpreters (see [`find_pythons`]), so it takes seconds at worst.
pub fn suggest(
    facts: Option<&Facts>,
    script: Option<&Path>,
    near: Option<&Path>,
) -> Vec<Suggestion> {
    let mut all = Vec::new();
    all.extend(script.map(of_script));
    if let Some(facts) = facts {
        all.extend(of_log_command(facts, near));
        all.extend(of_traceback(facts, near));
    }
    let mut kept: Vec<Suggestion> = Vec::new();
    for suggestion in all {
        if !kept.iter().any(|one| one.command == suggestion.command) {
            kept.push(suggestion);
        }
    }
    kept.sort_by_key(|suggestion| !suggestion.missing.is_empty());
    kept
}

/// A script with the interpreter that belongs to it, run in its own folder.
pub fn script_command(
    script: &Path,
    arguments: Vec<OsString>,
    directory: Option<PathBuf>,
) -> (RunCommand, Option<FoundPython>) {
    let script = std::path::absolute(script).unwrap_or_else(|_| script.to_owned());
    let own = || script.parent().map(Path::to_owned).unwrap_or_default();
    let directory = directory.unwrap_or_else(own);
    let with = |program: OsString| {
        let mut all = vec![script.clone().into_os_string()];
        all.extend(arguments.iter().cloned());
        RunCommand {
            program,
            arguments: all,
            directory: directory.clone(),
        }
    };
    match extension(&script).as_deref() {
        Some("py" | "pyw") => {
            let python = find_pythons(&script).into_iter().next();
            let program = python
                .as_ref()
                .map_or_else(|| "python".into(), |python| python.path.clone().into());
            (with(program), python)
        }
        Some("sh") => (with("bash".into()), None),
        Some("ps1") => {
            let mut command = with("powershell".into());
            command.arguments.insert(0, "-File".into());
            (command, None)
        }
        _ => {
            let command = RunCommand {
                program: script.clone().into(),
                arguments,
                directory,
            };
            (command, None)
        }
    }
}

fn of_script(script: &Path) -> Suggestion {
    let (command, python) = script_command(script, Vec::new(), None);
    Suggestion {
        missing: missing(&command),
        command,
        why: SuggestionReason::Script,
        python,
        left_out: Vec::new(),
    }
}

fn of_log_command(facts: &Facts, near: Option<&Path>) -> Option<Suggestion> {
    let stated = facts.environment.command.as_ref()?;
    let text = stated.text.trim().trim_start_matches(['!', '%', '&']);
    // A cut text is not what was run.
    if text.ends_with('…') {
        return None;
    }
    let rules = match facts.environment.platform {
        Platform::Windows => Rules::Windows,
        Platform::Unknown if text.contains(":\\") => Rules::Windows,
        Platform::Unknown => Rules::HERE,
        _ => Rules::Posix,
    };
    let words = split_by(text.trim(), rules).ok()?;
    let (words, left_out) = without_shell(&words);
    let (assignments, words) = without_assignments(words);
    let (program, arguments) = words.split_first()?;
    let script = script_of(arguments);
    let directory = directory(facts, script, near);
    let mut python = None;
    let mut arguments: Vec<String> = arguments.to_vec();
    let mut program: OsString = program.into();
    if is_python(&program) {
        let named = directory.join(&program);
        let is_here = is_path(&program) && named.is_file();
        if !is_here {
            // Of `py -3.11 train.py` the number belongs to the launcher.
            if base_name(&program) == "py"
                && arguments.first().is_some_and(|first| {
                    first.strip_prefix('-').is_some_and(|rest| {
                        rest.starts_with(|c: char| c.is_ascii_digit() || c == 'V')
                    })
                })
            {
                arguments.remove(0);
            }
            let near_script = script.map_or_else(|| directory.clone(), |s| directory.join(s));
            python = find_pythons(&near_script).into_iter().next();
            if let Some(python) = &python {
                program = python.path.clone().into();
            }
        }
    } else if !is_path(&program) {
        // `torchrun` and its like lie beside the interpreter that they belong to.
        let found = find_pythons(&directory).into_iter().next();
        if let Some(found) = found
            && let Some(folder) = found.path.parent()
            && let Ok(beside) = which::which_in(&program, Some(folder), &directory)
        {
            program = beside.into();
            python = Some(found);
        }
    }
    if !assignments.is_empty() && cfg!(not(windows)) {
        // A program of its own sets variables without a shell.
        let mut all = assignments.clone();
        all.push(program.to_string_lossy().into_owned());
        all.append(&mut arguments);
        arguments = all;
        program = "env".into();
    }
    let mut left_out = left_out;
    if cfg!(windows) {
        left_out.extend(assignments);
    }
    let command = RunCommand {
        program,
        arguments: arguments.into_iter().map(OsString::from).collect(),
        directory,
    };
    Some(Suggestion {
        missing: missing(&command),
        command,
        why: SuggestionReason::LogCommand { line: stated.line },
        python,
        left_out,
    })
}

fn of_traceback(facts: &Facts, near: Option<&Path>) -> Option<Suggestion> {
    let frame = main_frame(facts)?;
    let printed = Path::new(&frame.file);
    let found = if printed.is_file() {
        std::path::absolute(printed).ok()
    } else {
        near.and_then(|near| find_near(&frame.file, near))
    };
    let why = SuggestionReason::Traceback {
        line: frame.log_line,
    };
    let (command, python) = match &found {
        Some(script) => script_command(script, Vec::new(), None),
        None => script_command(printed, Vec::new(), near.map(Path::to_owned)),
    };
    let mut missing = missing(&command);
    if found.is_none() && !missing.iter().any(|path| path == printed) {
        missing = vec![printed.to_owned()];
    }
    Some(Suggestion {
        command,
        why,
        python,
        missing,
        left_out: Vec::new(),
    })
}

/// The user's file in which the program began: the outermost frame at the level of a module.
fn main_frame(facts: &Facts) -> Option<&Frame> {
    let outermost = facts.tracebacks.iter().find_map(|traceback| {
        traceback.frames.iter().find(|frame| {
            !frame.library
                && frame.function.as_deref() == Some("<module>")
                && extension(Path::new(&frame.file)).as_deref() == Some("py")
        })
    });
    outermost.filter(|frame| !frame.file.starts_with('<'))
}

/// A file of a log from elsewhere: the longest end of its path that is there, in the log's folder or above it.
fn find_near(file: &str, near: &Path) -> Option<PathBuf> {
    let parts: Vec<&str> = file
        .split(['/', '\\'])
        .filter(|part| !part.is_empty() && !part.ends_with(':') && *part != "..")
        .collect();
    (0..parts.len()).find_map(|skip| {
        let end: PathBuf = parts.get(skip..)?.iter().collect();
        near.ancestors()
            .take(ABOVE)
            .map(|folder| folder.join(&end))
            .find(|path| path.is_file())
    })
}

/// The folder that a command ran in, as far as the log tells; else where its script is found.
fn directory(facts: &Facts, script: Option<&str>, near: Option<&Path>) -> PathBuf {
    let here = || std::env::current_dir().unwrap_or_default();
    let fallback = || near.map_or_else(here, Path::to_owned);
    let Some(script) = script else {
        return fallback();
    };
    if Path::new(script).is_absolute() {
        // Where it ran is not known; most scripts are started in their folder.
        let own = Path::new(script).parent().filter(|own| own.is_dir());
        return own.map_or_else(fallback, Path::to_owned);
    }
    let relative = script.trim_start_matches("./").replace('\\', "/");
    if let Some(frame) = main_frame(facts) {
        let whole = frame.file.replace('\\', "/");
        if let Some(folder) = whole.strip_suffix(&format!("/{relative}")) {
            let folder = Path::new(folder);
            if folder.is_absolute() && folder.is_dir() {
                return folder.to_owned();
            }
        }
    }
    let found = near.and_then(|near| {
        near.ancestors()
            .take(ABOVE)
            .find(|folder| folder.join(&relative).is_file())
    });
    found.map_or_else(fallback, Path::to_owned)
}

/// The script among an interpreter's or launcher's arguments.
fn script_of(arguments: &[String]) -> Option<&str> {
    let before_module = arguments.iter().take_while(|word| *word != "-m");
    before_module
        .map(String::as_str)
        .find(|word| extension(Path::new(word)).as_deref() == Some("py"))
}

/// What a command needs and is not there.
fn missing(command: &RunCommand) -> Vec<PathBuf> {
    if !command.directory.is_dir() {
        return vec![command.directory.clone()];
    }
    let mut missing = Vec::new();
    if command.resolve().is_err() {
        missing.push(PathBuf::from(&command.program));
    }
    let arguments: Vec<String> = command
        .arguments
        .iter()
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect();
    if let Some(script) = script_of(&arguments)
        && !command.directory.join(script).is_file()
    {
        missing.push(PathBuf::from(script));
    }
    missing
}

fn is_python(program: &OsString) -> bool {
    let name = base_name(program);
    let rest = name
        .strip_prefix("python")
        .or_else(|| name.strip_prefix("pypy"));
    name == "py" || rest.is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit() || c == '.'))
}

/// A program's name without folders and `.exe`, in small letters; of a log from either system.
fn base_name(program: &OsString) -> String {
    let text = program.to_string_lossy().to_ascii_lowercase();
    let name = text.rsplit(['/', '\\']).next().unwrap_or(&text);
    name.strip_suffix(".exe").unwrap_or(name).to_owned()
}

fn is_path(program: &OsString) -> bool {
    program.to_string_lossy().contains(['/', '\\'])
}

fn extension(path: &Path) -> Option<String> {
    Some(path.extension()?.to_str()?.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crash_log::Scanner;

    fn facts(log: &str) -> Facts {
        let mut scanner = Scanner::new();
        scanner.push(log.as_bytes());
        scanner.finish().0
    }

    fn scratch(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!(
            "assert-doctor-suggest-{}-{name}",
            std::process::id()
        ));
        drop(std::fs::remove_dir_all(&folder));
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn the_logs_command_is_found_again_on_this_machine() {
        let folder = scratch("command");
        let script = folder.join("tools").join("train.py");
        std::fs::create_dir_all(script.parent().unwrap()).unwrap();
        std::fs::write(&script, "").unwrap();
        let log =
            "(seg) user@host:~/seg$ python tools/train.py --name 'a b' 训练 > log.txt\nepoch 1\n";
        let logs = folder.join("logs");
        let suggestions = suggest(Some(&facts(log)), None, Some(&logs));
        let [only] = suggestions.as_slice() else {
            panic!("{suggestions:?}");
        };
        assert_eq!(only.why, SuggestionReason::LogCommand { line: 1 });
        assert_eq!(only.command.directory, folder);
        assert_eq!(
            only.command.arguments,
            ["tools/train.py", "--name", "a b", "训练"].map(OsString::from)
        );
        assert_eq!(only.left_out, ["> log.txt"]);
        assert!(!only.missing.iter().any(|path| path.ends_with("train.py")));
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn without_a_command_the_traceback_tells_the_script() {
        let folder = scratch("traceback");
        let script = folder.join("train.py");
        std::fs::write(&script, "").unwrap();
        let log = "Traceback (most recent call last):\n  File \"/home/someone/seg/train.py\", line 88, in <module>\n    main()\n  File \"/home/someone/seg/train.py\", line 60, in main\n    loss.backward()\nRuntimeError: CUDA error: device-side assert triggered\n";
        let [here] = suggest(Some(&facts(log)), None, Some(&folder))
            .try_into()
            .unwrap_or_else(|all| panic!("{all:?}"));
        assert_eq!(here.why, SuggestionReason::Traceback { line: 2 });
        assert_eq!(here.command.arguments, [script.clone().into_os_string()]);
        assert_eq!(here.command.directory, folder);

        std::fs::remove_file(&script).unwrap();
        let [gone] = suggest(Some(&facts(log)), None, Some(&folder))
            .try_into()
            .unwrap_or_else(|all| panic!("{all:?}"));
        assert_eq!(gone.missing, [PathBuf::from("/home/someone/seg/train.py")]);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
