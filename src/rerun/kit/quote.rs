//! One argument as each shell must read it.

/// Characters that mean themselves in every shell.
fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ':' | '@' | '+')
}

/// An argument for sh, bash and zsh: in single quotes nothing but their own end is read.
pub(super) fn posix(argument: &str) -> String {
    let plain = |c: char| is_plain(c) || matches!(c, ',' | '=');
    // A word that begins with `=` is a path for zsh.
    if !argument.is_empty() && argument.chars().all(plain) && !argument.starts_with('=') {
        return argument.to_owned();
    }
    format!("'{}'", argument.replace('\'', r"'\''"))
}

/// The first word of a command, which may not read as an assignment or a word of the language.
pub(super) fn posix_program(program: &str) -> String {
    const WORDS: &[&str] = &[
        "if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "esac",
        "in", "function", "select", "time", "coproc",
    ];
    if program.contains('=') || WORDS.contains(&program) {
        return format!("'{}'", program.replace('\'', r"'\''"));
    }
    posix(program)
}

/// The name of a file, which may not read as an option.
pub(super) fn posix_path(path: &str) -> String {
    if path.starts_with('-') {
        posix(&format!("./{path}"))
    } else {
        posix(path)
    }
}

/// A literal text for `PowerShell`, which takes typographic single quotes for its own.
pub(super) fn powershell(text: &str) -> String {
    let mut out = String::from("'");
    for c in text.chars() {
        if matches!(c, '\'' | '\u{2018}' | '\u{2019}' | '\u{201A}' | '\u{201B}') {
            out.push(c);
        }
        out.push(c);
    }
    out.push('\'');
    out
}

/// An argument for a Windows program, at the prompt of `cmd.exe` or behind `cmd /c`, delayed expansion off.
///
/// Two readers take it apart. The program's runtime joins what is in double quotes, and reads backslashes only before a quote.
/// `cmd.exe` before it takes `& < > | ( ) ^` for its own outside of quotes, and `%name%` everywhere. Inside quotes it cannot be
/// told to leave a percent sign alone, so an argument with one (or with a quote of its own) is written with a caret before
/// every sign: `cmd.exe` then sees no quotes, and looks for a variable whose name ends in a caret.
pub(super) fn cmd(argument: &str) -> String {
    let plain = |c: char| is_plain(c) || c == '\\';
    let beyond_ascii = |c: char| !c.is_ascii() && !c.is_control() && !c.is_whitespace();
    if !argument.is_empty() && argument.chars().all(|c| plain(c) || beyond_ascii(c)) {
        return argument.to_owned();
    }
    let quoted = for_the_runtime(argument);
    if !argument.contains(['%', '"']) {
        return quoted;
    }
    let mut out = String::with_capacity(quoted.len() * 2);
    for c in quoted.chars() {
        // A caret before a letter would do no harm; before a blank neither, but it would hide where words end.
        if c.is_ascii_punctuation() && !matches!(c, '\\' | '_' | '.' | '/' | '-') {
            out.push('^');
        }
        out.push(c);
    }
    out
}

/// An argument in double quotes, as the C runtime's start-up code and `CommandLineToArgvW` read it.
fn for_the_runtime(argument: &str) -> String {
    let mut out = String::from("\"");
    let mut backslashes = 0;
    for c in argument.chars() {
        match c {
            '\\' => backslashes += 1,
            '"' => {
                // Before a quote backslashes count double, and one more keeps the quote.
                out.push_str(&"\\".repeat(backslashes + 1));
                backslashes = 0;
            }
            _ => backslashes = 0,
        }
        out.push(c);
    }
    out.push_str(&"\\".repeat(backslashes));
    out.push('"');
    out
}
