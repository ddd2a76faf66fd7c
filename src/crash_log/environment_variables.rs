//! Environment variables and commands as shells, notebooks and programs show them.
//!
//! A variable counts as set only where it was set: on a command line, in an assignment that is the whole line, in printed
//! surroundings. Advice that names the same text ("consider passing …=1") does not.

use super::file_ownership::has_extension;

/// The value to which a line sets the variable.
pub(super) fn setting<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    if !text.contains(name) {
        return None;
    }
    let trimmed = text.trim();
    let (line, prompted) = without_prompt(trimmed);
    assignment(line, name, prompted)
        .or_else(|| python_assignment(line, name))
        .or_else(|| printed(trimmed, name))
}

/// The command that a line shows being started: after a prompt, PowerShell's error, an IDE's first line.
pub(super) fn command(text: &str) -> Option<&str> {
    let trimmed = text.trim();
    let (line, prompted) = without_prompt(trimmed);
    let line = line.trim_start_matches(['!', '%']).trim_start();
    let runs = prompted || trimmed.starts_with('!');
    let words = || line.split_whitespace();
    // Assignments may stand before the program.
    let program = words().find(|word| {
        !is_assignment(word)
            && *word != "env"
            && *word != "sudo"
            && *word != "&"
            && *word != "nohup"
    })?;
    let name = program
        .trim_matches(['"', '\''])
        .rsplit(['/', '\\'])
        .next()
        .unwrap_or(program)
        .to_ascii_lowercase();
    let name = name.strip_suffix(".exe").unwrap_or(&name);
    let is_python = name
        .strip_prefix("python")
        .or_else(|| name.strip_prefix("pypy"))
        .is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit() || c == '.'))
        || name == "py";
    let is_launcher = matches!(
        name,
        "torchrun"
            | "accelerate"
            | "deepspeed"
            | "yolo"
            | "colossalai"
            | "mpirun"
            | "srun"
            | "horovodrun"
            | "llamafactory-cli"
            | "uv"
            | "fairseq-train"
            | "nnunet_train"
            | "nnunetv2_train"
    );
    let is_script = matches!(name, "bash" | "sh" | "cmd" | "docker" | "make")
        || has_extension(name, &["sh", "bat"]);
    let has_script = words().skip(1).any(|word| {
        let word = word.trim_matches(['"', '\'', ',']);
        has_extension(word, &["py"]) || word == "-m" || word == "-c"
    });
    let believed = if runs {
        is_python || is_launcher || is_script
    } else {
        // Without a prompt only what can be nothing else: a program with a script.
        (is_python || is_launcher) && has_script && !line.contains(": ") && !program.ends_with(':')
    };
    (believed && !program.ends_with(':')).then_some(line)
}

/// The line without a shell's or interpreter's prompt, and whether there was one.
pub(super) fn without_prompt(line: &str) -> (&str, bool) {
    for prompt in [">>> ", "... ", "$ ", "# ", "% ", "+ ", "❯ ", "➜ "] {
        if let Some(rest) = line.strip_prefix(prompt) {
            return (rest.trim_start(), prompt != "... ");
        }
    }
    if let Some(rest) = line.strip_prefix("In [")
        && let Some((number, rest)) = rest.split_once("]: ")
        && number.bytes().all(|b| b.is_ascii_digit())
    {
        return (rest.trim_start(), true);
    }
    // `PS C:\x> …`, `(env) C:\x>…`: the prompt ends at the first `>`.
    let bare = line
        .strip_prefix('(')
        .and_then(|rest| rest.split_once(") "))
        .filter(|(name, _)| name.len() < 60)
        .map_or(line, |(_, rest)| rest.trim_start());
    let is_drive = |s: &str| {
        let bytes = s.as_bytes();
        bytes.len() > 2
            && bytes.first().is_some_and(u8::is_ascii_alphabetic)
            && bytes.get(1) == Some(&b':')
            && matches!(bytes.get(2), Some(b'\\' | b'/' | b'>'))
    };
    let place = bare.strip_prefix("PS ").unwrap_or(bare);
    if (is_drive(place) || bare.starts_with("PS "))
        && let Some((place, rest)) = place.split_once('>')
        && place.len() < 260
        && !place.contains('"')
    {
        return (rest.trim_start(), true);
    }
    // `user@host:~/x$ …`, `[user@host x]$ …`, `root@host:/x# …`
    for end in ["$ ", "# "] {
        if let Some((prompt, rest)) = bare.split_once(end)
            && prompt.len() < 160
            && prompt.contains('@')
            && prompt.split_whitespace().count() <= 2
        {
            return (rest.trim_start(), true);
        }
    }
    (bare, false)
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && name
                .chars()
                .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
    })
}

/// `NAME=1 python …`, `export NAME=1`, `set NAME=1`, `$env:NAME = "1"`, `%env NAME=1`, `docker run -e NAME=1`.
fn assignment<'a>(line: &'a str, name: &str, prompted: bool) -> Option<&'a str> {
    let at = line.find(name)?;
    let before = line.get(..at)?;
    let after = line.get(at + name.len()..)?;
    let value_of = |text: &'a str| {
        let text = text.trim_start_matches(['"', '\'', ' ']);
        let end = text
            .find(|c: char| !(c.is_alphanumeric() || c == '_'))
            .unwrap_or(text.len());
        let value = text.get(..end)?;
        (!value.is_empty()).then(|| {
            (
                value,
                text.get(end..)
                    .unwrap_or("")
                    .trim_start_matches(['"', '\'']),
            )
        })
    };
    let opened = before.trim_end_matches(['"', '\'']).trim_end();
    let words: Vec<&str> = opened.split_whitespace().collect();
    let (value, rest) = if opened.ends_with("$env:") || opened.ends_with("$Env:") {
        value_of(after.trim_start().strip_prefix('=')?)?
    } else if let Some(after) = after.strip_prefix('=') {
        value_of(after)?
    } else if matches!(words.as_slice(), ["setenv" | "%env" | "setx" | "ENV"]) {
        value_of(after)?
    } else {
        return None;
    };
    let rest = rest.trim();
    let alone = rest.is_empty() || rest.starts_with("&&") || rest.starts_with(['&', ';', '\\']);
    let known_start = match words.as_slice() {
        [] => {
            // Bare `NAME=1 …`: a whole line, or a command after it.
            return (alone || prompted || starts_program(rest)).then_some(value);
        }
        ["declare", "-x"]
        | [
            "export" | "set" | "SET" | "%env" | "env:" | "setenv" | "ENV" | "setx" | "declare"
            | "!export" | "%set_env",
        ] => true,
        [word] if word.ends_with("$env:") || word.ends_with("$Env:") => true,
        _ => false,
    };
    if known_start {
        return (alone || prompted || starts_program(rest)).then_some(value);
    }
    let all_assignments = words
        .iter()
        .all(|word| is_assignment(word) || matches!(*word, "env" | "sudo" | "-E" | "!"));
    let in_command = prompted
        && (command_like(&words)
            || all_assignments
            || opened.ends_with(';')
            || opened.ends_with('&'));
    let bare_command = all_assignments && (alone || starts_program(rest));
    (in_command || bare_command).then_some(value)
}

fn command_like(words: &[&str]) -> bool {
    words.first().is_some_and(|first| {
        matches!(
            *first,
            "docker"
                | "sudo"
                | "env"
                | "cd"
                | "srun"
                | "mpirun"
                | "nohup"
                | "conda"
                | "set"
                | "export"
                | "cmd"
                | "time"
        ) || is_assignment(first)
    })
}

fn starts_program(rest: &str) -> bool {
    let mut words = rest
        .split_whitespace()
        .skip_while(|w| is_assignment(w.trim_matches(['"', '\''])));
    words.next().is_some_and(|word| {
        let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
        name.starts_with("python")
            || matches!(
                name,
                "torchrun" | "accelerate" | "deepspeed" | "bash" | "sh" | "nohup" | "yolo" | "env"
            )
            || has_extension(name, &["sh"])
    })
}

/// `os.environ["NAME"] = "1"`, `os.environ.setdefault('NAME', '1')`, `os.putenv`.
fn python_assignment<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let at = line.find(name)?;
    let before = line.get(..at)?.trim_end_matches(['"', '\'']);
    let is_environ = before.ends_with("environ[")
        || before.ends_with("setdefault(")
        || before.ends_with("putenv(");
    let is_start =
        line.starts_with("os.") || line.starts_with("import os") || line.starts_with("environ");
    if !is_environ || !is_start {
        return None;
    }
    let after = line.get(at + name.len()..)?;
    let after = after
        .trim_start_matches(['"', '\'', ']', ' '])
        .strip_prefix(['=', ','])?;
    if after.starts_with('=') {
        return None;
    }
    let value = after.trim_start_matches([' ', '"', '\'']);
    let end = value
        .find(|c: char| !c.is_alphanumeric())
        .unwrap_or(value.len());
    value.get(..end).filter(|v| !v.is_empty())
}

/// A printed `os.environ` or a list of variables: `'NAME': '1'`, `NAME: 1`.
fn printed<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let at = text.find(name)?;
    let before = text.get(..at)?;
    let after = text.get(at + name.len()..)?;
    let quoted = before.ends_with(['"', '\'']) && after.starts_with(['"', '\'']);
    let after = after.trim_start_matches(['"', '\'']).trim_start();
    let after = after.strip_prefix(':')?;
    let value = after.trim_start_matches([' ', '"', '\'']);
    let end = value
        .find(|c: char| !c.is_alphanumeric())
        .unwrap_or(value.len());
    let value = value.get(..end).filter(|v| matches!(*v, "0" | "1"))?;
    let alone = before
        .chars()
        .all(|c| c.is_whitespace() || matches!(c, '-' | '*' | '•'))
        && after.trim().trim_matches(['"', '\'', ',']).len() == value.len();
    (quoted || alone).then_some(value)
}
