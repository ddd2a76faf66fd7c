//! Several lines that were written as one: a record's message, a string with its line ends escaped, text whose line ends
//! became blanks.
//!
//! Only what holds a traceback or a failed check is taken apart, since everything else is understood line by line anyway.

use super::clean;

const HEADER: &str = "Traceback (most recent call last):";
/// Lines made of one.
const MOST: usize = 2_000;

/// The lines inside a segment, where it holds more than one.
pub(super) fn lines(text: &str) -> Option<Vec<String>> {
    let inside = clean::of_record(text);
    let text = inside.as_deref().unwrap_or(text);
    if !text.contains(HEADER) && !text.contains("failed.") {
        // A record's further lines are of interest only beside one of these.
        return None;
    }
    let unescaped = unescaped(text);
    let text = unescaped.as_deref().unwrap_or(text);
    let broken: Vec<String> = if text.contains('\n') {
        text.lines().take(MOST).map(str::to_owned).collect()
    } else {
        lost_line_ends(text)?
    };
    (broken.len() > 1).then_some(broken)
}

/// A string as source code or JSON writes it, with its escapes undone. Windows' paths (`C:\new`) are no escapes: an escaped line
/// end must follow where a line is known to end.
fn unescaped(text: &str) -> Option<String> {
    let mut undone: Option<String> = None;
    // Records inside records are escaped more than once.
    for _ in 0..3 {
        let now = undone.as_deref().unwrap_or(text);
        let is_escaped = [HEADER, "failed."].iter().any(|end| {
            now.match_indices(end).any(|(at, _)| {
                let after = now.get(at + end.len()..).unwrap_or_default();
                after.trim_start_matches('\\').len() < after.len()
                    && after.trim_start_matches('\\').starts_with(['n', 'r'])
            })
        });
        if !is_escaped {
            break;
        }
        undone = Some(undo(now));
    }
    undone
}

fn undo(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('r') => {}
            Some('t') => out.push('\t'),
            Some(quoted @ ('\\' | '"' | '\'' | '/')) => out.push(quoted),
            Some(other) => out.extend(['\\', other]),
            None => out.push('\\'),
        }
    }
    out
}

/// A whole traceback whose line ends became blanks, taken apart before its frames and its exception.
fn lost_line_ends(text: &str) -> Option<Vec<String>> {
    let header = text.find(HEADER)?;
    let body = header + HEADER.len();
    let rest = text.get(body..)?;
    if !rest.trim_start().starts_with("File \"") {
        return None;
    }
    let mut lines = vec![text.get(..header)?.to_owned(), HEADER.to_owned()];
    let starts: Vec<usize> = rest
        .match_indices("File \"")
        .map(|(at, _)| at)
        .take(MOST / 2)
        .collect();
    for (index, &start) in starts.iter().enumerate() {
        let end = starts.get(index + 1).copied().unwrap_or(rest.len());
        let part = rest.get(start..end)?.trim_end();
        // `File "x.py", line 3, in f code`: the function's name holds no blank.
        let Some(name) = part.find(", in ").map(|at| at + ", in ".len()) else {
            lines.push(format!("  {part}"));
            continue;
        };
        let code = part
            .get(name..)?
            .find(' ')
            .map_or(part.len(), |at| name + at);
        lines.push(format!("  {}", part.get(..code)?));
        let code = part.get(code..)?.trim();
        let last = index + 1 == starts.len();
        let exception = if last { exception_in(code) } else { None };
        let (code, exception) = code.split_at_checked(exception.unwrap_or(code.len()))?;
        if !code.trim().is_empty() {
            lines.push(format!("    {}", code.trim()));
        }
        if !exception.is_empty() {
            lines.push(exception.to_owned());
        }
    }
    Some(lines)
}

/// Where `SomeError: message` begins behind a line of code.
fn exception_in(code: &str) -> Option<usize> {
    code.match_indices(": ").find_map(|(colon, _)| {
        let before = code.get(..colon)?;
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
        let start = before.trim_end_matches(is_name).len();
        super::errors::is_exception_name(before.get(start..)?).then_some(start)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tracebacks_on_one_line_are_taken_apart() {
        let whole = [
            HEADER,
            "  File \"a.py\", line 3, in f",
            "    g(x)",
            "RuntimeError: no",
        ];
        for text in [
            r#"{"level": "error", "message": "Traceback (most recent call last):\n  File \"a.py\", line 3, in f\n    g(x)\nRuntimeError: no\n"}"#,
            r#"Traceback (most recent call last):\n  File "a.py", line 3, in f\n    g(x)\nRuntimeError: no"#,
            r#"Traceback (most recent call last):\\n  File \\\"a.py\\\", line 3, in f\\n    g(x)\\nRuntimeError: no"#,
        ] {
            assert_eq!(
                lines(text).as_deref(),
                Some(&whole.map(str::to_owned)[..]),
                "{text}"
            );
        }
        let blanks = r#"died: Traceback (most recent call last):   File "a.py", line 3, in f     g(x)   File "b.py", line 4, in h     i() torch.cuda.OutOfMemoryError: CUDA out of memory"#;
        assert_eq!(
            lines(blanks).unwrap_or_default(),
            [
                "died: ",
                HEADER,
                "  File \"a.py\", line 3, in f",
                "    g(x)",
                "  File \"b.py\", line 4, in h",
                "    i()",
                "torch.cuda.OutOfMemoryError: CUDA out of memory",
            ]
        );
    }

    #[test]
    fn lines_of_their_own_stay() {
        for text in [
            HEADER,
            r"Loading C:\new\run failed.",
            r#"{"message": "epoch 1\nepoch 2"}"#,
            r"C:\actions\native\Loss.cu:1: block: [0,0,0], thread: [0,0,0] Assertion `t` failed.",
            "print('Traceback (most recent call last): see below')",
        ] {
            assert_eq!(lines(text), None, "{text}");
        }
    }
}
