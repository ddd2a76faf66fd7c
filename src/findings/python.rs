//! Small pieces of Python.

use std::fmt::Write as _;
use std::path::Path;

/// A text as a Python literal.
pub(crate) fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if (c as u32) < 0x20 || c as u32 == 0x7F => {
                let _ = write!(out, "\\x{:02x}", c as u32);
            }
            c if c.is_control() || is_turning(c) => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Marks that turn the direction of what follows: a script must read as it runs.
fn is_turning(c: char) -> bool {
    matches!(c, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}')
}

/// A path as a Python literal.
pub(super) fn path(path: &Path) -> String {
    text(&path.to_string_lossy())
}

/// The same path with something added to its name, before the extension.
pub(super) fn beside(of: &Path, added: &str) -> String {
    let stem = of.file_stem().unwrap_or_default().to_string_lossy();
    let name = match of.extension() {
        Some(extension) => format!("{stem}{added}.{}", extension.to_string_lossy()),
        None => format!("{stem}{added}"),
    };
    path(&of.with_file_name(name))
}

/// A list of texts, one a line.
pub(super) fn list(items: impl IntoIterator<Item = String>) -> String {
    let mut out = String::from("[\n");
    for item in items {
        out.push_str("    ");
        out.push_str(&item);
        out.push_str(",\n");
    }
    out.push(']');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_cannot_end_early() {
        for (given, expected) in [
            ("a", r#""a""#),
            (r"C:\data\x.csv", r#""C:\\data\\x.csv""#),
            ("\"); import os #", r#""\"); import os #""#),
            ("a\nb\u{7}\u{202E}", r#""a\nb\x07\u202e""#),
        ] {
            assert_eq!(text(given), expected);
        }
    }

    #[test]
    fn a_copy_stands_beside() {
        assert_eq!(beside(Path::new("a/b.csv"), "_fixed"), "\"a/b_fixed.csv\"");
        assert_eq!(beside(Path::new("labels"), "_fixed"), "\"labels_fixed\"");
    }
}
