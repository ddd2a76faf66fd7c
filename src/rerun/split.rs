//! A command line typed as one text, and back.

use std::ffi::OsString;

use super::RunCommand;

/// Why a text is no command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SplitFault {
    /// Nothing but blanks.
    #[error("no command")]
    Empty,
    /// A quote that is never closed.
    #[error("a quote is not closed")]
    OpenQuote,
    /// A zero character, which no argument can hold.
    #[error("a zero character")]
    Zero,
}

/// Whose rules a command line follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rules {
    /// A POSIX shell's quotes and backslashes; nothing is expanded.
    Posix,
    /// `CommandLineToArgvW` and Microsoft's C runtime.
    Windows,
}

impl Rules {
    /// This system's.
    pub(super) const HERE: Self = if cfg!(windows) {
        Self::Windows
    } else {
        Self::Posix
    };
}

/// Splits a command line into program and arguments, as this system's programs and shells do: on Linux as a POSIX shell does
/// (quotes, backslashes; nothing is expanded), on Windows by the rules of `CommandLineToArgvW`.
/// A line that is continued on the next (`\`, `^`, a back quote at its end) is one line.
///
/// # Errors
/// The text holds no command, or a quote that is never closed.
pub fn split_command(text: &str) -> Result<Vec<OsString>, SplitFault> {
    let words = split_by(text, Rules::HERE)?;
    Ok(words.into_iter().map(OsString::from).collect())
}

/// [`split_command`] by the rules of either system.
pub(super) fn split_by(text: &str, rules: Rules) -> Result<Vec<String>, SplitFault> {
    if text.contains('\0') {
        return Err(SplitFault::Zero);
    }
    let words = match rules {
        Rules::Posix => {
            // A line that goes on in the next; the splitter would make an empty word of it.
            let text = text.replace("\\\r\n", "").replace("\\\n", "");
            shlex::split(&text).ok_or(SplitFault::OpenQuote)?
        }
        Rules::Windows => split_windows(text)?,
    };
    if words.first().is_none_or(String::is_empty) {
        return Err(SplitFault::Empty);
    }
    Ok(words)
}

/// A command as one text that [`split_command`] takes apart again. What is no text is shown as well as it goes.
pub fn join_command(command: &RunCommand) -> String {
    join_by(command, Rules::HERE)
}

fn join_by(command: &RunCommand, rules: Rules) -> String {
    let words = std::iter::once(&command.program).chain(&command.arguments);
    let quoted: Vec<String> = words
        .enumerate()
        .map(|(at, word)| {
            let word = word.to_string_lossy();
            match rules {
                Rules::Posix => quote_posix(&word),
                Rules::Windows if at == 0 => quote_windows_program(&word),
                Rules::Windows => quote_windows(&word),
            }
        })
        .collect();
    quoted.join(" ")
}

fn quote_posix(word: &str) -> String {
    match shlex::try_quote(word) {
        Ok(quoted) => quoted.into_owned(),
        // A zero character, which no argument holds.
        Err(_) => word.replace('\0', ""),
    }
}

fn split_windows(text: &str) -> Result<Vec<String>, SplitFault> {
    // Lines that are continued: cmd's caret and PowerShell's back quote stand alone at a line's end.
    let text = text.replace("\r\n", "\n");
    let text = text
        .replace(" ^\n", " ")
        .replace(" `\n", " ")
        .replace('\n', " ");
    let mut rest = text.trim_matches([' ', '\t']);
    let mut words = Vec::new();
    // The program's name knows no backslash rule: a path may end in one.
    if let Some(quoted) = rest.strip_prefix('"') {
        let (name, after) = quoted.split_once('"').ok_or(SplitFault::OpenQuote)?;
        words.push(name.to_owned());
        rest = after;
    } else if !rest.is_empty() {
        let end = rest.find([' ', '\t']).unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        words.push(name.to_owned());
        rest = after;
    }
    let mut word: Option<String> = None;
    let mut quoted = false;
    let mut slashes = 0;
    let mut letters = rest.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter == '\\' {
            slashes += 1;
            continue;
        }
        if letter == '"' {
            // Before a quote two backslashes are one, and an odd one makes the quote a character.
            let word = word.get_or_insert_default();
            word.extend(std::iter::repeat_n('\\', slashes / 2));
            let escaped = slashes % 2 == 1;
            slashes = 0;
            if escaped {
                word.push('"');
            } else if quoted && letters.peek() == Some(&'"') {
                letters.next();
                word.push('"');
            } else {
                quoted = !quoted;
            }
            continue;
        }
        if slashes > 0 {
            let word = word.get_or_insert_default();
            word.extend(std::iter::repeat_n('\\', slashes));
            slashes = 0;
        }
        if !quoted && matches!(letter, ' ' | '\t') {
            words.extend(word.take());
        } else {
            word.get_or_insert_default().push(letter);
        }
    }
    if quoted {
        return Err(SplitFault::OpenQuote);
    }
    if slashes > 0 {
        let word = word.get_or_insert_default();
        word.extend(std::iter::repeat_n('\\', slashes));
    }
    words.extend(word);
    Ok(words)
}

fn quote_windows_program(word: &str) -> String {
    if word.is_empty() || word.contains([' ', '\t']) {
        format!("\"{word}\"")
    } else {
        word.to_owned()
    }
}

fn quote_windows(word: &str) -> String {
    if !word.is_empty() && !word.contains([' ', '\t', '"', '\n']) {
        return word.to_owned();
    }
    let mut out = String::from("\"");
    let mut slashes = 0;
    for letter in word.chars() {
        match letter {
            '\\' => slashes += 1,
            '"' => {
                out.extend(std::iter::repeat_n('\\', slashes + 1));
                slashes = 0;
            }
            _ => slashes = 0,
        }
        out.push(letter);
    }
    out.extend(std::iter::repeat_n('\\', slashes));
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(rules: Rules, text: &str, expected: &[&str]) {
        let words = split_by(text, rules).unwrap();
        assert_eq!(words, expected, "{text}");
        let command = RunCommand {
            program: words[0].clone().into(),
            arguments: words[1..].iter().map(OsString::from).collect(),
            ..RunCommand::default()
        };
        let joined = join_by(&command, rules);
        assert_eq!(split_by(&joined, rules).unwrap(), expected, "{joined}");
    }

    #[test]
    fn a_posix_line_is_split_and_joined() {
        let check = |text: &str, expected: &[&str]| check(Rules::Posix, text, expected);
        check("python train.py", &["python", "train.py"]);
        check("  python\ttrain.py  ", &["python", "train.py"]);
        check(
            "python 'a b.py' \"c d\" e\\ f",
            &["python", "a b.py", "c d", "e f"],
        );
        check("p '' \"\" x", &["p", "", "", "x"]);
        check("p --x='{\"lr\": 1}'", &["p", "--x={\"lr\": 1}"]);
        check("p \"a\\\"b\" 'it'\\''s'", &["p", "a\"b", "it's"]);
        check("p 训练/数据.py \"空 格\"", &["p", "训练/数据.py", "空 格"]);
        check("p $HOME '*' ~", &["p", "$HOME", "*", "~"]);
        check("p a \\\n  --b", &["p", "a", "--b"]);
    }

    #[test]
    fn a_windows_line_is_split_and_joined() {
        let check = |text: &str, expected: &[&str]| check(Rules::Windows, text, expected);
        check("python train.py", &["python", "train.py"]);
        check(
            r#""C:\Program Files\Python\python.exe" "D:\a b\train.py" --x"#,
            &[
                r"C:\Program Files\Python\python.exe",
                r"D:\a b\train.py",
                "--x",
            ],
        );
        check(r"p C:\data\ \\server\x", &["p", r"C:\data\", r"\\server\x"]);
        check(r#"p "C:\data dir\\" b"#, &["p", r"C:\data dir\", "b"]);
        check(
            r#"p a\"b "c""d" "" 'e f'"#,
            &["p", "a\"b", "c\"d", "", "'e", "f'"],
        );
        check(r#"p a\\\"b a\\\\"b c""#, &["p", r#"a\"b"#, r"a\\b c"]);
        check("p 训练.py \"空 格\"", &["p", "训练.py", "空 格"]);
        check("p a ^\r\n  --b `\n --c", &["p", "a", "--b", "--c"]);
    }

    #[test]
    fn what_is_no_command_is_refused() {
        for (rules, text, fault) in [
            (Rules::Posix, "", SplitFault::Empty),
            (Rules::Posix, " \n", SplitFault::Empty),
            (Rules::Posix, "''", SplitFault::Empty),
            (Rules::Posix, "p 'x", SplitFault::OpenQuote),
            (Rules::Posix, "p \"x", SplitFault::OpenQuote),
            (Rules::Posix, "p\0", SplitFault::Zero),
            (Rules::Windows, "  ", SplitFault::Empty),
            (Rules::Windows, "\"p", SplitFault::OpenQuote),
            (Rules::Windows, "p \"x", SplitFault::OpenQuote),
        ] {
            assert_eq!(split_by(text, rules), Err(fault), "{text:?}");
        }
    }
}
