//! Tracebacks in rich's box: `path:12 in function`, a blank row, numbered source rows, the failing one with a pointer.
//!
//! Paths longer than the box are broken over rows, within a word or between words.

/// State of one box.
#[derive(Clone, Debug, Default)]
pub(super) struct RichBox {
    head: String,
    head_line: u64,
    closed: bool,
}

/// A frame's head, joined.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RichFrame {
    pub file: String,
    pub line: u32,
    pub function: Option<String>,
    /// Line of the log on which the head begins.
    pub log_line: u64,
}

/// What a row of the box holds.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum BoxLine<'a> {
    /// The last row of a frame's head.
    Frame(RichFrame),
    /// A source row.
    Code { arrow: bool, text: &'a str },
    /// A blank row, a part of a head, the box's own lines, local variables.
    Other,
    /// Not the box's.
    Outside,
}

impl RichBox {
    /// The lower edge was seen.
    pub(super) fn is_closed(&self) -> bool {
        self.closed
    }

    /// Reads a line of the log.
    pub(super) fn line<'a>(&mut self, text: &'a str, number: u64) -> BoxLine<'a> {
        let trimmed = text.trim();
        if self.closed {
            return BoxLine::Outside;
        }
        if trimmed.starts_with('╰') || (trimmed.starts_with("+--") && trimmed.ends_with("-+")) {
            self.closed = true;
            return BoxLine::Other;
        }
        let Some(row) = trimmed
            .strip_prefix('│')
            .or_else(|| trimmed.strip_prefix('|'))
        else {
            return BoxLine::Outside;
        };
        let row = row
            .strip_suffix('│')
            .or_else(|| row.strip_suffix('|'))
            .unwrap_or(row);
        let row = row.strip_prefix(' ').unwrap_or(row);
        let row = row.strip_suffix(' ').unwrap_or(row);
        let content = row.trim();
        if content.is_empty() {
            self.head.clear();
            return BoxLine::Other;
        }
        if content.starts_with(['╭', '╰', '│', '+']) {
            return BoxLine::Other;
        }
        if let Some(code) = code(content) {
            return code;
        }
        if self.head.is_empty() {
            self.head_line = number;
        }
        self.head.push_str(row.trim_start());
        if let Some(mut frame) = head(&self.head) {
            frame.log_line = self.head_line;
            self.head.clear();
            return BoxLine::Frame(frame);
        }
        // A row that is full was broken within a word, and `push_str` has joined it; another ends with its blanks.
        if row.ends_with(' ') {
            let length = self.head.trim_end().len();
            self.head.truncate(length);
            self.head.push(' ');
        }
        if self.head.len() > 4096 {
            self.head.clear();
        }
        BoxLine::Other
    }
}

fn code(content: &str) -> Option<BoxLine<'_>> {
    let rest = content
        .strip_prefix('❱')
        .or_else(|| content.strip_prefix("> "));
    let arrow = rest.is_some();
    let rest = rest.unwrap_or(content).trim_start();
    let digits = rest.find(|c: char| !c.is_ascii_digit())?;
    if digits == 0 {
        return None;
    }
    let rest = rest.get(digits..)?.strip_prefix(' ')?;
    let text = rest.strip_prefix('│').or_else(|| rest.strip_prefix('|'))?;
    // Indentation is drawn with guides.
    let text = text.trim_start_matches(['│', '|', ' ']).trim_end();
    Some(BoxLine::Code { arrow, text })
}

fn head(text: &str) -> Option<RichFrame> {
    let at = text.rfind(" in ")?;
    let (file, line) = text.get(..at)?.rsplit_once(':')?;
    let function = text.get(at + " in ".len()..)?.trim().trim_matches('`');
    let is_name = !function.is_empty() && !function.contains(' ');
    is_name.then_some(())?;
    Some(RichFrame {
        file: file.trim().to_owned(),
        line: line.trim().parse().ok()?,
        function: Some(function.to_owned()),
        log_line: 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_broken_over_rows() {
        let check = |rows: &[&str], file: &str, line: u32, function: &str| {
            let mut rich = RichBox::default();
            let mut last = BoxLine::Other;
            for (i, row) in rows.iter().enumerate() {
                last = rich.line(row, i as u64 + 1);
            }
            let expected = RichFrame {
                file: file.to_owned(),
                line,
                function: Some(function.to_owned()),
                log_line: 1,
            };
            assert_eq!(last, BoxLine::Frame(expected), "{rows:?}");
        };
        check(
            &["│ /home/u/infer.py:140 in main                 │"],
            "/home/u/infer.py",
            140,
            "main",
        );
        check(
            &[
                "│ /opt/lib/transformers/utils.py:320 │",
                "│ 6 in _sample                       │",
            ],
            "/opt/lib/transformers/utils.py",
            3206,
            "_sample",
        );
        check(
            &[
                "│ /opt/lib/transformers/utils.py:3206 in   │",
                "│ _sample                                  │",
            ],
            "/opt/lib/transformers/utils.py",
            3206,
            "_sample",
        );
        check(
            &["| C:\\x\\y.py:7 in <module>          |"],
            "C:\\x\\y.py",
            7,
            "<module>",
        );
    }

    #[test]
    fn source_rows() {
        let check = |row: &str, expected: BoxLine<'_>| {
            assert_eq!(RichBox::default().line(row, 1), expected, "{row}");
        };
        check(
            "│ ❱ 140 │   reply = go(net)   │",
            BoxLine::Code {
                arrow: true,
                text: "reply = go(net)",
            },
        );
        check(
            "│   137 │   │   x: bool = True  │",
            BoxLine::Code {
                arrow: false,
                text: "x: bool = True",
            },
        );
        check(
            "| > 12 |     y = 1    |",
            BoxLine::Code {
                arrow: true,
                text: "y = 1",
            },
        );
        check("│                     │", BoxLine::Other);
        check("RuntimeError: x", BoxLine::Outside);
    }
}
