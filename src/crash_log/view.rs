//! Raw bytes to lines for the eye: what the log view shows, numbered as the scanner counts.

use super::TextEncoding;
use super::clean::clean;
use super::decode::{Decoder, End, Sink};

/// Characters shown of one line.
const SHOWN: usize = 4_000;

/// The lines of a part of a log that begins at a line start (see [`LineIndex`](super::LineIndex)), as text to show: without colours,
/// of a redrawn line the last state, tabs as blanks. `encodings` are those of the whole log's facts.
pub fn decode_lines(bytes: &[u8], encodings: &[TextEncoding]) -> Vec<String> {
    let mut shown = Shown::default();
    let mut decoder = Decoder::within(encodings, usize::MAX);
    decoder.read(bytes, true, &mut shown);
    if shown.open {
        shown.end();
    }
    shown.lines
}

#[derive(Default)]
struct Shown {
    lines: Vec<String>,
    /// The last state of the current line that is not blank.
    state: String,
    open: bool,
}

impl Shown {
    fn state(&mut self, text: &str) {
        self.open = true;
        if !text.trim().is_empty() || self.state.is_empty() {
            self.state.clear();
            show(text, &mut self.state);
        }
    }

    fn end(&mut self) {
        self.lines.push(std::mem::take(&mut self.state));
        self.open = false;
    }
}

impl Sink for Shown {
    fn lines(&mut self, text: &str, _line: u64) {
        for line in text.split_terminator('\n') {
            for state in line.split('\r') {
                self.state(state);
            }
            self.end();
        }
    }

    fn segment(&mut self, text: &str, _line: u64, end: End, _cut: bool) {
        self.state(text);
        if end == End::Feed {
            self.end();
        }
    }
}

/// Writes a line as it is shown.
fn show(text: &str, out: &mut String) {
    // Enough for the characters shown, colours and all.
    let text = text
        .get(..text.floor_char_boundary(SHOWN * 16))
        .unwrap_or(text);
    let cleaned = clean(text);
    let mut length = 0;
    for c in cleaned.trim_end().chars() {
        if length >= SHOWN {
            out.push('…');
            return;
        }
        if c == '\t' {
            out.push_str("    ");
            length += 4;
        } else {
            out.push(if c.is_control() { '·' } else { c });
            length += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_shown() {
        let check = |bytes: &[u8], encodings: &[TextEncoding], expected: &[&str]| {
            assert_eq!(
                decode_lines(bytes, encodings),
                expected,
                "{}",
                String::from_utf8_lossy(bytes)
            );
        };
        check(b"", &[], &[]);
        check(b"a\n\nb", &[], &["a", "", "b"]);
        check(b"a\tb\r\n\x1b[31mred\x1b[0m\r\n", &[], &["a    b", "red"]);
        check(b" 10%\r 20%\r\r\nend\r", &[], &[" 20%", "end"]);
        let wide: Vec<u8> = "训练中文\r\nx\r\n"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        check(&wide, &[TextEncoding::Utf16Le], &["训练中文", "x"]);
        let gbk = encoding_rs::GBK.encode("页面文件太小\n").0;
        check(&gbk, &[TextEncoding::Gbk], &["页面文件太小"]);
        assert_eq!(
            decode_lines("x".repeat(9_000).as_bytes(), &[])[0]
                .chars()
                .count(),
            4_001
        );
    }
}
