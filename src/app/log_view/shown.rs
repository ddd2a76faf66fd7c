//! A line as it is shown: without colours, only the last state of what was redrawn, a build machine's path shortened.

use std::ops::Range;

/// Characters of a line that are shown, and that are kept beside them.
const MOST_SHOWN: usize = 4_000;
const MOST_WHOLE: usize = 20_000;

/// Bytes before a failed check from which on they are left out.
const GLUED: usize = 60;

/// What is known of the failed check that a line prints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Check {
    /// Its file as printed.
    pub file: String,
    /// Its expression.
    pub expression: String,
}

/// A line as it is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Shown {
    pub text: String,
    pub whole: Option<String>,
    pub emphasis: Option<Range<usize>>,
}

/// Makes a decoded line ready to be shown.
pub(super) fn shown(line: &str, check: Option<&Check>) -> Shown {
    let clean = without_colours(line);
    let states: Vec<&str> = clean
        .split('\r')
        .map(str::trim_end)
        .filter(|state| !state.is_empty())
        .collect();
    let state = check
        .and_then(|check| {
            states
                .iter()
                .find(|state| state.contains(&check.expression))
        })
        .or(states.last())
        .copied()
        .unwrap_or_default();
    let mut text = cut(state, MOST_SHOWN);
    let mut shortened = states.len() > 1 || text.len() < state.len();
    let mut emphasis = None;
    if let Some(check) = check {
        if let Some(short) = short_path(&check.file)
            && let Some(at) = text.find(&check.file)
        {
            text.replace_range(at..at + check.file.len(), &short);
            shortened = true;
            // A check glued to a progress bar would stand out of sight at its right.
            if at > GLUED
                && let Some(check) = text.get(at..)
            {
                text = format!("…{}", check.trim_start_matches('…'));
            }
        }
        emphasis = text
            .find(&check.expression)
            .map(|at| at..at + check.expression.len())
            .filter(|range| !range.is_empty());
    }
    let whole = shortened.then(|| cut(&states.join("\n"), MOST_WHOLE));
    Shown {
        text,
        whole,
        emphasis,
    }
}

/// Removes escape sequences and characters that no font draws.
pub(crate) fn without_colours(line: &str) -> String {
    let mut clean = String::with_capacity(line.len());
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' => match chars.next() {
                // CSI: parameters, then one final character.
                Some('[') => {
                    while let Some(&next) = chars.peek() {
                        if !(' '..='~').contains(&next) {
                            break;
                        }
                        chars.next();
                        if ('@'..='~').contains(&next) {
                            break;
                        }
                    }
                }
                // OSC: up to BEL or ESC \.
                Some(']') => {
                    while let Some(next) = chars.next() {
                        if next == '\u{7}' {
                            break;
                        }
                        if next == '\u{1b}' {
                            chars.next_if_eq(&'\\');
                            break;
                        }
                    }
                }
                _ => {}
            },
            '\t' => clean.push_str("    "),
            '\r' => clean.push(c),
            '\u{feff}' => {}
            c if c.is_control() => {}
            c => clean.push(c),
        }
    }
    clean
}

/// `C:\…\NLLLoss2d.cu` for a path of more than one folder.
fn short_path(path: &str) -> Option<String> {
    let separators = path.matches(['/', '\\']).count();
    let (at, separator) = path.rmatch_indices(['/', '\\']).next()?;
    let name = path.get(at + separator.len()..)?;
    let root_end = path.find(['/', '\\'])? + 1;
    let root = path.get(..root_end)?;
    let root = if root.len() == 1 || root.ends_with(":\\") || root.ends_with(":/") {
        root
    } else {
        ""
    };
    (separators > 1 && !name.is_empty()).then(|| format!("{root}…{separator}{name}"))
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(
        line: &str,
        known: Option<(&str, &str)>,
        text: &str,
        whole: Option<&str>,
        emphasised: Option<&str>,
    ) {
        let known = known.map(|(file, expression)| Check {
            file: file.to_owned(),
            expression: expression.to_owned(),
        });
        let got = shown(line, known.as_ref());
        assert_eq!(got.text, text);
        assert_eq!(got.whole.as_deref(), whole, "{line:?}");
        let emphasis = got.emphasis.map(|range| got.text[range].to_owned());
        assert_eq!(emphasis.as_deref(), emphasised, "{line:?}");
    }

    #[test]
    fn lines_are_shown_clean() {
        check(
            "\u{1b}[31mred\u{1b}[0m end\u{1b}[K",
            None,
            "red end",
            None,
            None,
        );
        check("\u{1b}]0;title\u{7}text", None, "text", None, None);
        check("cut \u{1b}[31", None, "cut", None, None);
        check("windows\r", None, "windows", None, None);
        check("  1%|\r  2%|\r", None, "  2%|", Some("  1%|\n  2%|"), None);
        check("a\tb", None, "a    b", None, None);
        check("", None, "", None, None);
        check(
            "D:\\b\\aten\\Loss.cu:1: block: [1,0,0] Assertion `t >= 0` failed.\r",
            Some(("D:\\b\\aten\\Loss.cu", "t >= 0")),
            "D:\\…\\Loss.cu:1: block: [1,0,0] Assertion `t >= 0` failed.",
            Some("D:\\b\\aten\\Loss.cu:1: block: [1,0,0] Assertion `t >= 0` failed."),
            Some("t >= 0"),
        );
        check(
            "/opt/b/x.cu:1: f: Assertion `i < n` failed.\r 0%|",
            Some(("/opt/b/x.cu", "i < n")),
            "/…/x.cu:1: f: Assertion `i < n` failed.",
            Some("/opt/b/x.cu:1: f: Assertion `i < n` failed.\n 0%|"),
            Some("i < n"),
        );
        check(
            "x.cu:1: Assertion `i` failed.",
            Some(("x.cu", "i")),
            "x.cu:1: Assertion `i` failed.",
            None,
            Some("i"),
        );
        check(
            "unknown:0: other",
            Some(("gone.cu", "zz")),
            "unknown:0: other",
            None,
            None,
        );
    }
}
