//! How a line looks that ends inside an assertion.

use std::sync::LazyLock;

use regex::Regex;

use super::Open;

/// A kernel's source file, its line perhaps not complete.
static KERNEL_FILE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\.(?:cu|cuh|hip|h|hpp|py)(?::[0-9]{0,9}:?(?: |$)|:$|$)")
        .expect("a constant that tests compile")
});

/// Whether a line without a further assertion breaks off inside one.
pub(super) fn open_end(rest: &str) -> Open {
    let trimmed = rest.trim_end();
    if let Some(header) = KERNEL_FILE.find_iter(rest).last()
        && rest.len() - header.end() < 600
        && !rest
            .get(header.end()..)
            .is_some_and(|after| after.contains(['"', '`']) || after.contains("most recent"))
        && rest
            .get(header.start()..)
            .is_some_and(|found| found.contains(':') || header.end() == rest.len())
    {
        return Open::Header;
    }
    let token = trimmed
        .rsplit(char::is_whitespace)
        .next()
        .unwrap_or_default();
    let bytes = token.as_bytes();
    // A path so short that little of it is there: `C`, `C:\`, `..`, `/op`.
    let begins = match *bytes {
        [letter] | [.., b' ' | b']' | b'[', letter] => {
            letter.is_ascii_alphabetic() || letter == b'/'
        }
        [letter, b':'] | [letter, b':', b'/' | b'\\', ..] => {
            letter.is_ascii_alphabetic() && !token.ends_with(['"', '\'', ')', ','])
        }
        [.., b'.', b'.'] => true,
        [b'/', ..] => !token.ends_with(['"', '\'', ')', ',', ':']),
        _ => false,
    };
    if begins && rest.len() == trimmed.len() {
        return Open::Path;
    }
    let separators = token
        .bytes()
        .filter(|byte| matches!(byte, b'/' | b'\\'))
        .count();
    if separators >= 2
        && token.len() >= 12
        && !token.ends_with(['"', '\'', ')', ']', ',', ':', '}', '|', '>', '`'])
    {
        return Open::Path;
    }
    Open::No
}
