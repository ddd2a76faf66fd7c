//! Where a line was glued to another or broken in two: the looks of it, without memory.

use std::sync::LazyLock;

/// What a line is to a traceback's `File` line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileLine {
    No,
    CutOff,
    Whole,
}

/// What stands between file and line in a traceback.
const LINE: &str = ", line ";

/// Whether a line is a traceback's `File "…", line 12, in f`, or its beginning.
pub(super) fn file_line(text: &str) -> FileLine {
    let Some(rest) = text.trim_start().strip_prefix("File \"") else {
        return FileLine::No;
    };
    let Some((_, after)) = rest.split_once('"') else {
        return FileLine::CutOff;
    };
    if LINE.starts_with(after) {
        return FileLine::CutOff;
    }
    let Some(number) = after.strip_prefix(LINE) else {
        return FileLine::No;
    };
    let function = number.trim_start_matches(|c: char| c.is_ascii_digit());
    if function.len() == number.len() {
        return FileLine::No;
    }
    // `, line 12` alone is how a syntax error is shown.
    if !function.is_empty() && ", in ".starts_with(function) {
        FileLine::CutOff
    } else {
        FileLine::Whole
    }
}

/// Whether a line begins something of its own.
pub(super) fn begins_anew(text: &str) -> bool {
    let text = text.trim_start();
    if text.starts_with("File \"")
        || text.starts_with("Traceback (")
        || text.starts_with("unknown:0")
    {
        return true;
    }
    let class = text.split([':', ' ']).next().unwrap_or_default();
    let name = class.rsplit('.').next().unwrap_or_default();
    name.len() > 5
        && ["Error", "Exception", "Warning", "Interrupt"]
            .iter()
            .any(|end| name.ends_with(end))
}

/// Joins two pieces, with a blank where a program that wraps at words has taken one away. Also: whether the break was inside a word.
pub(super) fn join(first: &str, next: &str, hard: bool) -> (String, bool) {
    let last = first.chars().next_back().unwrap_or(' ');
    let following = next.chars().next().unwrap_or(' ');
    // `Loss.cu:250:` ends before a blank: a program that wraps at words broke here.
    let after_number = following.is_alphabetic()
        && first
            .strip_suffix(':')
            .is_some_and(|header| header.ends_with(|c: char| c.is_ascii_digit()));
    let inside_word = is_word(last) && is_word(following) && !after_number;
    let operator = matches!(
        (last, following),
        ('&', '&')
            | ('|', '|')
            | ('<' | '>' | '=' | '!', '=')
            | ('-' | '>', '>')
            | (':', ':')
            | ('<', '<')
    );
    let mut joined = String::with_capacity(first.len() + next.len() + 1);
    joined.push_str(first);
    let bracket = matches!(last, '[' | '(' | '`')
        || matches!(following, ']' | ')' | ',' | '`' | ':' | ';')
        || (is_word(last) && following == '(')
        || (last == ',' && following.is_ascii_digit());
    let marks = first.bytes().filter(|&byte| byte == b'"').count();
    let quoted = marks % 2 == 1 && (last == '"' || following == '"');
    if !(last == ' ' || following == ' ' || inside_word || operator || bracket || quoted || hard) {
        joined.push(' ');
    }
    joined.push_str(next);
    (joined, inside_word)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '/' | '\\' | ':' | '-')
}

/// Where `Traceback (most recent call last):` was printed after other text on the same line.
pub(super) fn glued_traceback(text: &str) -> Option<usize> {
    static HEADER: LazyLock<memchr::memmem::FinderRev<'static>> =
        LazyLock::new(|| memchr::memmem::FinderRev::new("Traceback (most recent call last):"));
    let at = HEADER.rfind(text.as_bytes())?;
    let before = text.get(..at)?;
    let word = before.trim_end();
    // CPython's own wordings go on; only blanks before it are a nested traceback's indentation.
    let goes_on = [
        "Original", "Group", "Remote", "Worker", "Full", "Python", "\u{2500}",
    ]
    .iter()
    .any(|end| word.ends_with(end));
    (!word.is_empty() && !goes_on && !word.chars().all(|c| matches!(c, '|' | '+' | '-' | ' ')))
        .then_some(at)
}
