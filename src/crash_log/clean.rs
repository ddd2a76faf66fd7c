//! One segment of a line, freed from what is not text: colours, cursor movements, HTML, invisible characters, NULs.
//!
//! Indentation and blanks stay, tabs too: tracebacks need them. Prefixes are another matter (`prefix`).

use std::borrow::Cow;

use serde_json::{Map, Value};

/// Whether [`clean`] could change something. Cheap, and true rather too often.
fn needs_cleaning(text: &str) -> bool {
    let bytes = text.as_bytes();
    // Without a shortcut, this is done many bytes at a time.
    let control: usize = bytes.iter().fold(0, |count, &byte| {
        count + usize::from(byte < b' ' && byte != b'\t')
    });
    control > 0
        || memchr::memchr(b'&', bytes).is_some()
        || (!text.is_ascii() && text.chars().any(is_odd))
        || memchr::memchr_iter(b'[', bytes).any(|at| {
            // A reset, or an escape character that was written out.
            let after = bytes.get(at + 1..).unwrap_or_default();
            let before = bytes.get(..at).unwrap_or_default();
            after.starts_with(b"0m")
                || after.starts_with(b"0;")
                || before.last().is_some_and(|byte| b"3bBe[".contains(byte))
        })
        || (memchr::memchr(b'<', bytes).is_some() && next_tag(text, 0).is_some())
}

/// The text of a segment as a person would read it.
pub(super) fn clean(text: &str) -> Cow<'_, str> {
    if let Some(inside) = of_record(text) {
        // Several lines in one record stay one line, so that line numbers hold.
        let inside = inside.replace(['\n', '\r'], " ");
        return Cow::Owned(clean(&inside).into_owned());
    }
    if !needs_cleaning(text) {
        return Cow::Borrowed(text);
    }
    let mut cleaned = without_escapes(text);
    if cleaned.contains('<') {
        cleaned = without_tags(&cleaned);
    }
    if cleaned.contains('&') {
        cleaned = unescape_html(&cleaned);
    }
    if cleaned.chars().any(is_full_width) && names_failure(&cleaned) {
        cleaned = half_width(&cleaned);
    }
    Cow::Owned(cleaned)
}

/// The line inside a JSON record, as the log drivers of containers and structured loggers write one a line.
pub(super) fn of_record(text: &str) -> Option<String> {
    let text = text.trim();
    if !(text.starts_with("{\"") && text.ends_with('}')) {
        return None;
    }
    let record: Map<String, Value> = serde_json::from_str(text).ok()?;
    let inside = RECORD_KEYS
        .iter()
        .find_map(|key| record.get(*key).and_then(Value::as_str))?;
    let inside = inside.trim_end_matches(['\n', '\r']);
    (!inside.starts_with('{')).then(|| inside.to_owned())
}

/// Under which name the line stands: Docker's driver, then structured loggers.
const RECORD_KEYS: [&str; 5] = ["log", "message", "msg", "text", "textPayload"];

/// A character that [`clean`] removes or replaces.
fn is_odd(c: char) -> bool {
    is_invisible(c)
        || is_full_width(c)
        || matches!(
            c,
            '\u{a0}' | '\u{202f}' | '\u{3000}' | '\u{80}'
                ..='\u{9f}' | '←' | '␛' | char::REPLACEMENT_CHARACTER
        )
}

fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{ad}')
}

/// Punctuation and letters that a translating browser or a Chinese input method makes of ASCII.
fn is_full_width(c: char) -> bool {
    matches!(c, '\u{ff01}'..='\u{ff5e}' | '。' | '、')
}

fn names_failure(text: &str) -> bool {
    [
        "断言",
        "斷言",
        "线程",
        "線程",
        "执行绪",
        "執行緒",
        "ssertion",
        "thread",
        "Traceback",
        "rror：",
        "xception：",
        "，line ",
        "， line ",
    ]
    .iter()
    .any(|word| text.contains(word))
}

fn half_width(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '。' => '.',
            '、' => ',',
            '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xFEE0).unwrap_or(c),
            other => other,
        })
        .collect()
}

/// How an escape sequence begins where the escape character itself was written out.
const WRITTEN_ESCAPES: [&str; 8] = [
    "\\x1b[", "\\x1B[", "\\u001b[", "\\u001B[", "\\033[", "\\e[", "^[[", "␛[",
];

fn without_escapes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let bare = loses_escapes(text);
    while let Some(c) = rest.chars().next() {
        if let Some(after) = escape(rest, c, bare) {
            rest = after;
            continue;
        }
        match c {
            '\t' => out.push(c),
            '\u{a0}' | '\u{202f}' | '\u{3000}' => out.push(' '),
            c if c.is_control() || is_invisible(c) => {}
            c => out.push(c),
        }
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
    }
    out
}

/// What follows the escape sequence at the start of `rest`, if one is there.
fn escape(rest: &str, first: char, bare: bool) -> Option<&str> {
    match first {
        '\u{1b}' | '←' => {
            let after = rest.get(first.len_utf8()..)?;
            match after.chars().next() {
                Some('[') => after
                    .get(1..)
                    .and_then(control_sequence)
                    .or((first == '\u{1b}').then_some(after)),
                Some(']') if first == '\u{1b}' => Some(operating_system_command(after)),
                Some('(' | ')' | '#') if first == '\u{1b}' => {
                    let mut chars = after.chars();
                    chars.next();
                    chars.next();
                    Some(chars.as_str())
                }
                Some('7' | '8' | '=' | '>' | 'M' | 'c') if first == '\u{1b}' => after.get(1..),
                _ => None,
            }
        }
        '\u{9b}' => rest.get(first.len_utf8()..).and_then(control_sequence),
        // A character set without an escape left one of these in its place.
        '?' if bare => colour(rest.get(1..)?),
        char::REPLACEMENT_CHARACTER => rest.strip_prefix("\u{fffd}[").and_then(control_sequence),
        '\\' | '^' | '␛' => WRITTEN_ESCAPES
            .iter()
            .find_map(|start| rest.strip_prefix(start))
            .and_then(control_sequence),
        '[' if bare => colour(rest),
        _ => None,
    }
}

/// What follows the parameters and the final byte of a control sequence.
fn control_sequence(rest: &str) -> Option<&str> {
    let end = rest
        .bytes()
        .take(40)
        .position(|byte| !matches!(byte, b'0'..=b'?' | b' '..=b'/'))?;
    rest.as_bytes()
        .get(end)
        .filter(|byte| (b'@'..=b'~').contains(byte))?;
    rest.get(end + 1..)
}

/// What follows a command to the terminal (a title, a link), which ends with BEL or ESC and a backslash.
fn operating_system_command(rest: &str) -> &str {
    let within = rest.as_bytes().get(..2048).unwrap_or(rest.as_bytes());
    if let Some(end) = memchr::memchr2(0x07, 0x1B, within) {
        let after = rest.get(end..).unwrap_or_default();
        return after
            .strip_prefix("\u{1b}\\")
            .or_else(|| after.strip_prefix('\u{7}'))
            .unwrap_or(after);
    }
    rest.get(1..).unwrap_or_default()
}

/// Whether the line holds colours whose escape character got lost: `[32m` alone could be a duration, so a reset is asked for.
fn loses_escapes(text: &str) -> bool {
    !text.contains('\u{1b}')
        && (text.contains("[0m") || text.contains("[0;"))
        && text
            .match_indices('[')
            .filter(|(at, _)| text.get(*at..).and_then(colour).is_some())
            .count()
            >= 2
}

/// What follows `[1;31m`.
fn colour(rest: &str) -> Option<&str> {
    let inside = rest.strip_prefix('[')?;
    let end = inside
        .bytes()
        .take(20)
        .position(|byte| !matches!(byte, b'0'..=b'9' | b';'))?;
    (inside.as_bytes().get(end) == Some(&b'm') && end > 0)
        .then(|| inside.get(end + 1..))
        .flatten()
}

/// The tags that pages put around and into a log. Others (`<module>`, `<stdin>`) are text.
const TAGS: [&str; 12] = [
    "span", "br", "pre", "code", "div", "p", "b", "font", "td", "tr", "li", "a",
];

/// The next tag of a page at or after `from`: where it begins and ends.
fn next_tag(text: &str, from: usize) -> Option<(usize, usize)> {
    /// Attributes longer than this are none.
    const LONGEST: usize = 400;
    let mut at = from;
    loop {
        at += memchr::memchr(b'<', text.as_bytes().get(at..)?)?;
        let inside = text.get(at + 1..)?;
        let slash = usize::from(inside.starts_with('/'));
        let name = inside.get(slash..)?;
        let length = name
            .bytes()
            .take(8)
            .take_while(u8::is_ascii_alphabetic)
            .count();
        let (word, rest) = name.split_at_checked(length)?;
        let known = TAGS.iter().any(|tag| word.eq_ignore_ascii_case(tag));
        if known
            && let Some(end) = rest
                .bytes()
                .take(LONGEST)
                .position(|byte| byte == b'>')
            && let Some(attributes) = rest.get(..end)
            // `<a, b>` of a template is none.
            && (matches!(attributes, "" | "/" | " /")
                || attributes.starts_with(' ') && attributes.contains("=\""))
        {
            return Some((at, at + 1 + slash + length + end + 1));
        }
        at += 1;
    }
}

/// A page's source as its reader sees it. Where no tag is closed or has attributes, all are text (`<b>` of a template).
fn without_tags(text: &str) -> String {
    let is_page = ["</", "<br", "=\""].iter().any(|sign| text.contains(sign));
    if !is_page {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    while let Some((start, end)) = next_tag(text, from) {
        out.push_str(text.get(from..start).unwrap_or_default());
        from = end;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out
}

/// The characters that a log is made of and HTML writes as names.
const ENTITIES: [(&str, &str); 17] = [
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("&quot;", "\""),
    ("&#34;", "\""),
    ("&#39;", "'"),
    ("&#039;", "'"),
    ("&#x27;", "'"),
    ("&apos;", "'"),
    ("&#96;", "`"),
    ("&#x60;", "`"),
    ("&#60;", "<"),
    ("&#62;", ">"),
    ("&nbsp;", " "),
    ("&#160;", " "),
    ("&grave;", "`"),
    ("&#38;", "&"),
    ("&amp;", "&"),
];

fn unescape_html(text: &str) -> String {
    // Twice: text that was escaped twice is common on web pages.
    let mut text = text.to_owned();
    for _ in 0..2 {
        if !ENTITIES.iter().any(|(name, _)| text.contains(name)) {
            break;
        }
        let mut out = String::with_capacity(text.len());
        let mut rest = text.as_str();
        while let Some(at) = rest.find('&') {
            let (before, after) = rest.split_at(at);
            out.push_str(before);
            let known = ENTITIES
                .iter()
                .find_map(|(name, is)| Some((after.strip_prefix(name)?, *is)));
            let (following, is) = known.unwrap_or((after.get(1..).unwrap_or_default(), "&"));
            out.push_str(is);
            rest = following;
        }
        out.push_str(rest);
        text = out;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_text_goes() {
        for (text, expected) in [
            ("  plain\ttext  ", "  plain\ttext  "),
            (
                r#"{"log":"  File \"/app/a.py\", line 3, in f\n","stream":"stderr","time":"2024-11-02T10:11:12Z"}"#,
                "  File \"/app/a.py\", line 3, in f",
            ),
            (
                r#"{"level": "error", "message": "\u001b[31mfirst\u001b[0m\nsecond\n"}"#,
                "first second",
            ),
            (
                r#"{"loss": 0.5, "grad_norm": "nan"}"#,
                r#"{"loss": 0.5, "grad_norm": "nan"}"#,
            ),
            (r#"{"log":{"a":1}}"#, r#"{"log":{"a":1}}"#),
            (r#"{"log":"cut off"#, r#"{"log":"cut off"#),
            ("\u{1b}[32m[INFO]\u{1b}[0m Step", "[INFO] Step"),
            (
                "\u{1b}[0;31mRuntimeError\u{1b}[0m: CUDA",
                "RuntimeError: CUDA",
            ),
            ("\u{1b}[38;5;196mred\u{1b}[K\u{1b}[A", "red"),
            (
                "\u{1b}]8;;file:///x.py\u{1b}\\x.py\u{1b}]8;;\u{1b}\\:12",
                "x.py:12",
            ),
            ("\u{1b}]0;title\u{7}text", "text"),
            ("[32m[INFO][0m Connected", "[INFO] Connected"),
            ("[0;31mRuntimeError[0m: x", "RuntimeError: x"),
            ("took [5m 30s]", "took [5m 30s]"),
            ("eta [0m 12s]", "eta [0m 12s]"),
            ("\\x1b[31mError\\x1b[0m", "Error"),
            ("^[[31mError^[[0m", "Error"),
            ("←[31mError←[0m", "Error"),
            ("a \\033 b", "a \\033 b"),
            (
                "t &gt;= 0 &amp;&amp; t &lt; n_classes",
                "t >= 0 && t < n_classes",
            ),
            ("a &amp;lt; b &unknown; &", "a < b &unknown; &"),
            ("block:\u{a0}[0,0,0]\u{200b}", "block: [0,0,0]"),
            ("a\0b\u{8}\u{8}c", "abc"),
            (
                "Loss.cu：250：f：块：［0,0,0］，线程：［1,0,0］ 断言",
                "Loss.cu:250:f:块:[0,0,0],线程:[1,0,0] 断言",
            ),
            ("训练损失：0.5", "训练损失：0.5"),
            ("\u{1b}", ""),
            ("\u{1b}[", "["),
            ("\u{1b}]", ""),
        ] {
            assert_eq!(clean(text), expected, "{text:?}");
        }
    }
}
