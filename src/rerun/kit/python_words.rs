//! A Python's command line: its own options, and the script or module that it runs.

use super::RunOptions;

/// The last part of a path in either system's spelling, in lower case and without `.exe`.
fn name_of(program: &str) -> String {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    let name = name.to_ascii_lowercase();
    name.strip_suffix(".exe").unwrap_or(&name).to_owned()
}

/// A Python script, by its name.
pub(super) fn is_script(program: &str) -> bool {
    let name = name_of(program);
    name.rsplit_once('.')
        .is_some_and(|(_, extension)| extension == "py")
}

/// `python`, `python3`, `python3.11`, `pythonw`, `py`.
pub(super) fn is_python(program: &str) -> bool {
    let name = name_of(program);
    let rest = name.strip_prefix("python").unwrap_or(&name);
    let version = rest.chars().all(|c| c.is_ascii_digit() || c == '.');
    is_launcher(program) || rest == "w" || (name.starts_with("python") && version)
}

/// Windows' `py`, which chooses a Python.
pub(super) fn is_launcher(program: &str) -> bool {
    name_of(program) == "py"
}

/// The same command with the guard before the script; `None` where it runs no script or module of Python's.
pub(super) fn with_module(words: &[String], options: RunOptions) -> Option<Vec<String>> {
    let (program, arguments) = words.split_first()?;
    if !is_python(program) {
        return None;
    }
    let (at, started) = started(arguments)?;
    let mut guarded = vec![program.clone()];
    guarded.extend(arguments.get(..at)?.iter().cloned());
    let rest = match started {
        Started::Script => arguments.get(at..)?.to_vec(),
        Started::Module { flags, name, rest } => {
            guarded.extend(flags);
            let mut words = vec!["-m".to_owned(), name];
            words.extend(arguments.get(rest..)?.iter().cloned());
            words
        }
    };
    guarded.extend(["-m".to_owned(), "assert_doctor_guard".to_owned()]);
    if options.cpu {
        guarded.push("--cpu".to_owned());
    }
    if let Some(workers) = options.workers {
        guarded.extend(["--workers".to_owned(), workers.to_string()]);
    }
    guarded.extend(rest);
    Some(guarded)
}

/// The options of one letter that a Python is started with.
pub(super) fn isolation(words: &[String]) -> impl Iterator<Item = char> {
    let arguments = match words.split_first() {
        Some((program, arguments)) if is_python(program) => arguments,
        _ => &[],
    };
    let mut letters = Vec::new();
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let Some(own) = argument.strip_prefix('-').filter(|own| !own.is_empty()) else {
            break;
        };
        if own.starts_with('-') || own.starts_with(|c: char| c.is_ascii_digit() || c == 'V') {
            if argument == "--check-hash-based-pycs" {
                arguments.next();
            }
            continue;
        }
        // What follows these letters is their value, or no option of Python's any more.
        let end = own.find(['m', 'c', 'W', 'X']);
        letters.extend(
            own.get(..end.unwrap_or(own.len()))
                .unwrap_or_default()
                .chars(),
        );
        match end.and_then(|end| own.get(end..)) {
            None => {}
            Some("W" | "X") => drop(arguments.next()),
            Some(value) if value.starts_with(['W', 'X']) => {}
            Some(_) => break,
        }
    }
    letters.into_iter()
}

/// What a Python is asked to run.
enum Started {
    /// A file.
    Script,
    /// A module, with the flags written in one word before it (`-um`), and where its arguments begin.
    Module {
        flags: Option<String>,
        name: String,
        rest: usize,
    },
}

/// Where the interpreter's own options end, and what follows; `None` for `-c`, standard input and the bare prompt.
fn started(arguments: &[String]) -> Option<(usize, Started)> {
    let mut at = 0;
    loop {
        let argument = arguments.get(at)?;
        let Some(letters) = argument.strip_prefix('-') else {
            return Some((at, Started::Script));
        };
        if letters.is_empty() {
            return None;
        }
        if letters.starts_with('-') {
            // `--check-hash-based-pycs always`; others have no value.
            at += if argument == "--check-hash-based-pycs" {
                2
            } else {
                1
            };
            continue;
        }
        // `py -3.11`, `py -V:3.11`.
        if letters.starts_with(|c: char| c.is_ascii_digit()) || letters.starts_with("V:") {
            at += 1;
            continue;
        }
        match letters.find(['m', 'c', 'W', 'X']) {
            None => at += 1,
            Some(of) => {
                let (before, letter) = letters.split_at_checked(of)?;
                let value = letter.get(1..)?;
                if letter.starts_with('c') {
                    return None;
                }
                if letter.starts_with('m') {
                    let flags = (!before.is_empty()).then(|| format!("-{before}"));
                    let (name, rest) = if value.is_empty() {
                        (arguments.get(at + 1)?.clone(), at + 2)
                    } else {
                        (value.to_owned(), at + 1)
                    };
                    return Some((at, Started::Module { flags, name, rest }));
                }
                at += if value.is_empty() { 2 } else { 1 };
            }
        }
    }
}
