//! Windows PowerShell's error records around what a program writes to stderr.
//!
//! The first line becomes `python : TEXT`, followed by some lines about the record; the rest of the output follows as it is.

/// Where a log stands in relation to such a record.
#[derive(Clone, Debug, Default)]
pub(super) struct ErrorRecord {
    /// Lines of the record seen so far; 0 outside.
    lines: u32,
    /// Its last line came, and a blank one may follow.
    ends: bool,
    /// The command was shown.
    shown: bool,
}

/// What a line is to the record.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Seen<'a> {
    /// Nothing of it.
    Text,
    /// Its first line: the line before was the program's own.
    Begins,
    /// The command that was run.
    Command(&'a str),
    /// Another of its lines.
    Record,
}

/// Lines after which a record that does not end is given up.
const LONGEST: u32 = 16;

impl ErrorRecord {
    /// Whether the next line may belong to a record.
    pub(super) fn inside(&self) -> bool {
        self.lines > 0
    }

    /// Looks at a line.
    pub(super) fn line<'a>(&mut self, text: &'a str) -> Seen<'a> {
        if self.lines == 0 {
            if !is_place(text) {
                return Seen::Text;
            }
            *self = Self {
                lines: 1,
                ends: false,
                shown: false,
            };
            return Seen::Begins;
        }
        if self.ends {
            let continues = text.trim().is_empty()
                || text.starts_with("   ") && text.trim().len() < 24 && !text.contains("File \"");
            *self = Self::default();
            return if continues { Seen::Record } else { Seen::Text };
        }
        self.lines += 1;
        let trimmed = text.trim_start();
        if self.lines > LONGEST {
            *self = Self::default();
            return Seen::Text;
        }
        if trimmed.starts_with("+ FullyQualifiedErrorId") {
            self.ends = true;
            return Seen::Record;
        }
        if let Some(shown) = trimmed.strip_prefix("+ ") {
            if !self.shown && !shown.trim_start().starts_with(['~', 'C']) {
                self.shown = true;
                return Seen::Command(shown.trim());
            }
            return Seen::Record;
        }
        // CategoryInfo is broken at the console's width.
        if trimmed.is_empty() || text.starts_with(' ') || trimmed.starts_with('+') {
            return Seen::Record;
        }
        *self = Self::default();
        Seen::Text
    }
}

/// `At line:1 char:1`, in the languages that Windows speaks.
fn is_place(text: &str) -> bool {
    const STARTS: [&str; 10] = [
        "At line:",
        "At ",
        "所在位置 ",
        "位於 ",
        "発生場所 ",
        "위치 ",
        "In Zeile:",
        "Au caractère ",
        "En línea:",
        "строка:",
    ];
    let text = text.trim_end();
    if text.len() > 300
        || !text.ends_with(|c: char| c.is_ascii_digit())
        || !STARTS.iter().any(|start| text.starts_with(start))
    {
        return false;
    }
    let number = text
        .trim_end_matches(|c: char| c.is_ascii_digit())
        .trim_end();
    let Some(before) = number.strip_suffix([':', '：']) else {
        return false;
    };
    // The place has a line before the column: another number after a colon.
    before
        .split([':', '：'])
        .skip(1)
        .any(|part| part.trim_start().starts_with(|c: char| c.is_ascii_digit()))
}

/// Both sides of the first ` : `.
pub(super) fn split(text: &str) -> Option<(&str, &str)> {
    let colon = memchr::memchr_iter(b':', text.as_bytes()).find(|&at| {
        text.get(..at).is_some_and(|before| before.ends_with(' '))
            && text.get(at..).is_some_and(|after| after.starts_with(": "))
    })?;
    Some((text.get(..colon - 1)?, text.get(colon + 2..)?))
}

/// The text after `python : `, where the name is one of the programs that people start training with.
pub(super) fn without_program(text: &str) -> Option<&str> {
    let (name, rest) = split(text)?;
    let program = name.rsplit(['\\', '/']).next()?.to_ascii_lowercase();
    let program = program.strip_suffix(".exe").unwrap_or(&program);
    let version = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let known = [
        "python",
        "pythonw",
        "py",
        "conda",
        "torchrun",
        "accelerate",
        "deepspeed",
        "uv",
        "poetry",
        "pipenv",
        "yolo",
        "cmd",
    ];
    (name.len() < 200 && known.contains(&version)).then_some(rest)
}

/// Whether a line may be `program : text` with a program that is not known: the next line tells.
pub(super) fn may_name_program(text: &str) -> bool {
    let Some((name, rest)) = split(text) else {
        return false;
    };
    (1..=80).contains(&name.len())
        && !name.contains(['"', '[', '(', '=', '|', ','])
        && !name.starts_with(' ')
        && name.split(' ').count() <= 2
        && !rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_in_several_languages() {
        for text in [
            "At line:1 char:1",
            "At C:\\train\\run.ps1:12 char:5",
            "所在位置 行:1 字符: 1",
            "発生場所 行:1 文字:1",
            "In Zeile:1 Zeichen:1",
        ] {
            assert!(is_place(text), "{text}");
        }
        for text in [
            "At line 5",
            "At epoch 3: loss 1",
            "At 10:00 loss:1.5",
            "text",
        ] {
            assert!(!is_place(text), "{text}");
        }
    }

    #[test]
    fn programs() {
        assert_eq!(without_program("python : x"), Some("x"));
        assert_eq!(
            without_program(r"C:\Python310\python.exe : x : y"),
            Some("x : y")
        );
        assert_eq!(without_program("python3.11 : x"), Some("x"));
        assert_eq!(without_program("cuda runtime error (59) : x"), None);
    }
}
