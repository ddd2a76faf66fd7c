//! Tracebacks as `IPython` and Jupyter draw them: `path in function(args)` or `File path:12, in function(args)`, then numbered
//! source lines, the failing one with an arrow.

/// A frame's head line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NotebookFrame {
    /// The file or cell.
    pub file: String,
    /// 0 where only the arrow tells it.
    pub line: u32,
    /// Without its arguments.
    pub function: Option<String>,
}

/// A numbered source line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NotebookCode<'a> {
    /// It is the failing one.
    pub arrow: bool,
    /// Its number.
    pub number: u32,
    /// The source.
    pub text: &'a str,
}

/// Reads a frame's head line.
pub(super) fn frame(text: &str) -> Option<NotebookFrame> {
    if text.starts_with(char::is_whitespace) {
        return None;
    }
    cell(text).or_else(|| file(text)).or_else(|| path(text))
}

/// No other program prints such a line: enough to begin a traceback that lost its header.
pub(super) fn is_unmistakable(text: &str) -> bool {
    text.starts_with("<ipython-input-") || cell(text).is_some()
}

/// Reads a numbered source line.
pub(super) fn code(text: &str) -> Option<NotebookCode<'_>> {
    let rest = text.trim_start();
    let dashes = rest.len() - rest.trim_start_matches('-').len();
    let (arrow, rest) = match rest.get(dashes..)?.strip_prefix('>') {
        Some(rest) if dashes > 0 => (true, rest.trim_start()),
        _ if dashes > 0 => return None,
        _ => (false, rest),
    };
    let digits = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    let number = rest.get(..digits)?.parse().ok()?;
    let rest = rest.get(digits..)?;
    let separated = rest.is_empty() || rest.starts_with(char::is_whitespace);
    (separated && (arrow || text.starts_with(char::is_whitespace) || !rest.is_empty())).then(|| {
        NotebookCode {
            arrow,
            number,
            text: rest.trim(),
        }
    })
}

/// Lines that stand for frames left out.
pub(super) fn is_collapsed(text: &str) -> bool {
    let trimmed = text.trim();
    let counted = trimmed.split_once(' ').is_some_and(|(n, rest)| {
        n.parse::<u32>().is_ok()
            && matches!(
                rest,
                "frames" | "frame" | "frames collapsed" | "frame collapsed" | "frames hidden"
            )
    });
    counted || matches!(trimmed, "..." | "(...)" | "…") || trimmed.starts_with("[... skipping")
}

/// `Cell In[5], line 3, in f(x)`, `Input In [5], in <cell line: 3>()`.
fn cell(text: &str) -> Option<NotebookFrame> {
    let text = text.strip_prefix("File ").unwrap_or(text);
    let rest = text
        .strip_prefix("Cell In")
        .or_else(|| text.strip_prefix("Input In"))?;
    let inner = rest.trim_start().strip_prefix('[')?;
    let close = inner.find(']')?;
    let file = text.get(..text.len() - inner.len() + close + 1)?.to_owned();
    let mut rest = inner.get(close + 1..)?;
    let mut line = 0;
    if let Some(after) = rest.strip_prefix(", line ") {
        let digits = after
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(after.len());
        line = after.get(..digits)?.parse().ok()?;
        rest = after.get(digits..)?;
    }
    let in_function = rest
        .strip_prefix(", in ")
        .or_else(|| rest.strip_prefix(" in "));
    if in_function.is_none() && !rest.trim().is_empty() {
        return None;
    }
    Some(NotebookFrame {
        file,
        line,
        function: in_function.and_then(function),
    })
}

/// `File ~/x/y.py:123, in f(args)`.
fn file(text: &str) -> Option<NotebookFrame> {
    let rest = text.strip_prefix("File ")?;
    let (place, in_function) = match rest.find(", in ") {
        Some(at) => (rest.get(..at)?, rest.get(at + ", in ".len()..)),
        None => (rest, None),
    };
    let (file, line) = place.trim_end().rsplit_once(':')?;
    Some(NotebookFrame {
        file: file.to_owned(),
        line: line.parse().ok()?,
        function: in_function.and_then(function),
    })
}

/// `/x/y.py in f(self, x)`, `<ipython-input-5-0a> in <module>`.
fn path(text: &str) -> Option<NotebookFrame> {
    let at = [".py in ", ".pyx in ", ".pyc in ", "> in "]
        .iter()
        .filter_map(|ending| Some(text.find(ending)? + ending.len() - " in ".len()))
        .min()?;
    let file = text.get(..at)?;
    let starts_well = file.starts_with(['/', '~', '<', '\\', '.'])
        || file.get(1..3).is_some_and(|s| s == ":\\" || s == ":/")
        || !file.contains(' ');
    if !starts_well || file.contains('"') {
        return None;
    }
    let function = function(text.get(at + " in ".len()..)?)?;
    Some(NotebookFrame {
        file: file.to_owned(),
        line: 0,
        function: Some(function),
    })
}

fn function(text: &str) -> Option<String> {
    let end = if text.starts_with('<') {
        text.find('>')? + 1
    } else {
        text.find('(').unwrap_or(text.len())
    };
    let name = text.get(..end)?.trim();
    let is_name = !name.is_empty()
        && (name.starts_with('<')
            || name
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '<' | '>')));
    is_name.then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frame_heads() {
        let check = |text: &str, expected: Option<(&str, u32, Option<&str>)>| {
            let expected = expected.map(|(file, line, function)| NotebookFrame {
                file: file.to_owned(),
                line,
                function: function.map(str::to_owned),
            });
            assert_eq!(frame(text), expected, "{text}");
        };
        check(
            "<ipython-input-21-9b1f6d0a7c11> in <cell line: 4>()",
            Some(("<ipython-input-21-9b1f6d0a7c11>", 0, Some("<cell line: 4>"))),
        );
        check(
            "<ipython-input-5-0a1b> in <module>",
            Some(("<ipython-input-5-0a1b>", 0, Some("<module>"))),
        );
        check(
            "/usr/lib/torch/module.py in _call_impl(self, *args)",
            Some(("/usr/lib/torch/module.py", 0, Some("_call_impl"))),
        );
        check(
            "~\\anaconda3\\lib\\site-packages\\torch\\tensor.py in backward(self)",
            Some((
                "~\\anaconda3\\lib\\site-packages\\torch\\tensor.py",
                0,
                Some("backward"),
            )),
        );
        check("Cell In[5], line 3", Some(("Cell In[5]", 3, None)));
        check(
            "Cell In [5], line 3, in fit(model)",
            Some(("Cell In [5]", 3, Some("fit"))),
        );
        check(
            "Input In [7], in <cell line: 2>()",
            Some(("Input In [7]", 0, Some("<cell line: 2>"))),
        );
        check(
            "File ~/x/y.py:123, in Net.forward(self, x)",
            Some(("~/x/y.py", 123, Some("Net.forward"))),
        );
        check(
            "File C:\\x y\\z.py:7, in go()",
            Some(("C:\\x y\\z.py", 7, Some("go"))),
        );
        check(
            "/tmp/ipykernel_17/3.py in <module>",
            Some(("/tmp/ipykernel_17/3.py", 0, Some("<module>"))),
        );
        check("  File \"a.py\", line 3, in f", None);
        check("saved model.py in folder x with y", None);
    }

    #[test]
    fn numbered_lines() {
        let check = |text: &str, expected: Option<(bool, u32, &str)>| {
            let expected = expected.map(|(arrow, number, text)| NotebookCode {
                arrow,
                number,
                text,
            });
            assert_eq!(code(text), expected, "{text}");
        };
        check(
            "----> 7         err = ce(out)",
            Some((true, 7, "err = ce(out)")),
        );
        check(
            "-> 1747             return f()",
            Some((true, 1747, "return f()")),
        );
        check("   1745   x", Some((false, 1745, "x")));
        check("   1291 ", Some((false, 1291, "")));
        check("136", None);
        check("-- 7", None);
    }
}
