//! Raw bytes to text: finds line ends and encodings on the way, also where the encoding changes in the middle.
//!
//! PowerShell's `>>` appends UTF-16 to a UTF-8 file, `cmd`'s appends GBK to a UTF-16 one. So the width of a code unit is decided
//! again at every line start, from the next [`WINDOW`] bytes at most, and UTF-8 or GBK for every piece of a line.
//! Nothing here ever fails: bytes that are no text in any known encoding are read one character a byte, and counted.

use std::borrow::Cow;
use std::sync::LazyLock;

use encoding_rs::{UTF_16BE, UTF_16LE};
use memchr::memmem::Finder;

use super::TextEncoding;
use super::encoding::{Special, WINDOW, Width, ascii_start, from_narrow, from_wide, gbk};
use super::line_index::{LineCounter, LineIndex};

/// How a segment of a line ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// With the line: a line feed.
    Feed,
    /// A lone carriage return: the next segment is drawn over this one.
    Return,
    /// The log is over.
    Eof,
}

/// Takes the text. A segment is what stands between two line feeds or lone carriage returns.
pub(super) trait Sink {
    /// Whole lines of plain UTF-8, the last one ended by a line feed; `line` is the number of the first.
    fn lines(&mut self, text: &str, line: u64);

    /// One segment without its end. `cut` says that it was longer than the decoder keeps.
    fn segment(&mut self, text: &str, line: u64, end: End, cut: bool);
}

/// A byte order mark in the middle of a log, after a line's end.
static MARKED_LINE: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("\n\u{feff}"));

/// A segment that is longer than the decoder keeps, while it lasts.
#[derive(Clone, Debug)]
struct Long {
    kept: Vec<u8>,
}

/// See the module's text.
#[derive(Debug)]
pub(super) struct Decoder {
    width: Width,
    /// The width of the current line is decided.
    decided: bool,
    /// The last text beyond ASCII was GBK: decides about bytes that could be either.
    gbk: bool,
    long: Option<Long>,
    longest: usize,
    /// Bytes consumed so far.
    offset: u64,
    /// Something stands after the last line feed.
    open: bool,
    lines: LineCounter,
    encodings: Vec<TextEncoding>,
    /// Where in `encodings` plain ASCII would stand.
    ascii: Option<usize>,
    undecodable: Option<Undecodable>,
}

/// Text that could not be decoded.
#[derive(Clone, Debug)]
pub(super) struct Undecodable {
    pub line: u64,
    pub count: u64,
    pub text: String,
}

/// What the decoder knows at the end of a log.
pub(super) struct Decoded {
    pub bytes: u64,
    pub lines: u64,
    pub index: LineIndex,
    pub encodings: Vec<TextEncoding>,
    pub undecodable: Option<Undecodable>,
}

impl Decoder {
    /// A decoder at the start of a log that keeps the first `longest` bytes of a segment.
    pub(super) fn new(longest: usize) -> Self {
        Self {
            width: Width::Narrow,
            decided: false,
            gbk: false,
            long: None,
            longest: longest.max(WINDOW),
            offset: 0,
            open: false,
            lines: LineCounter::default(),
            encodings: Vec::new(),
            ascii: None,
            undecodable: None,
        }
    }

    /// A decoder for a part of a log in which these encodings were met.
    pub(super) fn within(encodings: &[TextEncoding], longest: usize) -> Self {
        let mut decoder = Self::new(longest);
        decoder.gbk =
            encodings.contains(&TextEncoding::Gbk) && !encodings.contains(&TextEncoding::Utf8);
        decoder.width = match encodings {
            [TextEncoding::Utf16Le] => Width::Little,
            [TextEncoding::Utf16Be] => Width::Big,
            _ => Width::Narrow,
        };
        decoder
    }

    /// The same decoder in the same state, without the index of the lines so far, which may be long.
    pub(super) fn without_index(&self) -> Self {
        Self {
            width: self.width,
            decided: self.decided,
            gbk: self.gbk,
            long: self.long.clone(),
            longest: self.longest,
            offset: self.offset,
            open: self.open,
            lines: self.lines.count_only(),
            encodings: self.encodings.clone(),
            ascii: self.ascii,
            undecodable: self.undecodable.clone(),
        }
    }

    /// Reads what is complete in `bytes` and returns how many of them were consumed; the rest is to be given again with more.
    pub(super) fn read(&mut self, bytes: &[u8], eof: bool, sink: &mut impl Sink) -> usize {
        let mut at = 0;
        let last_feed = memchr::memrchr(b'\n', bytes);
        let mut special = Special::default();
        while at < bytes.len() {
            if self.long.is_some() {
                let Some(next) = self.skip_long(bytes, at, eof, sink) else {
                    at = bytes.len();
                    break;
                };
                if next == at {
                    break;
                }
                at = next;
                continue;
            }
            let rest = bytes.get(at..).unwrap_or_default();
            if !self.decided {
                let Some((width, mark)) = self.look(rest, eof) else {
                    break;
                };
                self.width = width;
                self.decided = true;
                if mark > 0 {
                    self.open = true;
                    self.pass(mark);
                    at += mark;
                    continue;
                }
            }
            if self.width == Width::Narrow
                && let Some(end) = last_feed
                && let Some(whole) = bytes.get(at..=end)
            {
                let plain = special.first(bytes, at).map_or(whole, |first| {
                    bytes.get(at..first.min(end + 1)).unwrap_or_default()
                });
                let text = self.whole_lines(plain);
                if !text.is_empty() {
                    sink.lines(text, self.lines.line());
                    self.lines.count(text.as_bytes(), self.offset);
                    self.pass(text.len());
                    at += text.len();
                    self.decided = false;
                    self.open = false;
                    continue;
                }
            }
            let Some((length, after, end)) = self.segment(rest, eof) else {
                if rest.len() > self.longest {
                    self.long = Some(Long {
                        kept: rest.get(..self.longest).unwrap_or_default().to_vec(),
                    });
                    self.open = true;
                    continue;
                }
                break;
            };
            let cut = length > self.longest;
            self.emit(
                rest.get(..length.min(self.longest)).unwrap_or_default(),
                end,
                cut,
                sink,
            );
            self.end(after, end);
            at += after;
        }
        if eof && let Some(long) = self.long.take() {
            self.emit(&long.kept, End::Eof, true, sink);
        }
        if eof && at < bytes.len() {
            self.pass(bytes.len() - at);
            at = bytes.len();
        }
        at
    }

    /// Ends the log.
    pub(super) fn finish(mut self) -> Decoded {
        if let Some(at) = self.ascii
            && !self
                .encodings
                .iter()
                .any(|encoding| matches!(encoding, TextEncoding::Utf8 | TextEncoding::Gbk))
            && !self
                .encodings
                .iter()
                .take(at)
                .any(|encoding| *encoding == TextEncoding::Utf8Bom)
        {
            self.encodings
                .insert(at.min(self.encodings.len()), TextEncoding::Utf8);
        }
        let (lines, index) = self.lines.finish(self.offset, self.open);
        Decoded {
            bytes: self.offset,
            lines,
            index,
            encodings: self.encodings,
            undecodable: self.undecodable,
        }
    }

    fn pass(&mut self, bytes: usize) {
        self.offset += bytes as u64;
    }

    fn unit(&self) -> usize {
        if self.width == Width::Narrow { 1 } else { 2 }
    }

    /// A segment and its end, `bytes` long together, are done.
    fn end(&mut self, bytes: usize, end: End) {
        self.pass(bytes);
        self.open = end != End::Feed;
        if end == End::Feed {
            self.lines.ended(self.offset);
            self.decided = false;
        }
    }

    /// The whole lines at the start of `bytes` that are plain UTF-8 (or ASCII, where GBK is about).
    fn whole_lines<'a>(&mut self, bytes: &'a [u8]) -> &'a str {
        let bytes = if self.gbk { ascii_start(bytes) } else { bytes };
        // A line that begins with a mark decides anew.
        let bytes = MARKED_LINE
            .find(bytes)
            .and_then(|end| bytes.get(..=end))
            .unwrap_or(bytes);
        let valid = match std::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => bytes
                .get(..error.valid_up_to())
                .and_then(|valid| std::str::from_utf8(valid).ok())
                .unwrap_or_default(),
        };
        let text = memchr::memrchr(b'\n', valid.as_bytes())
            .and_then(|end| valid.get(..=end))
            .unwrap_or_default();
        if !text.is_empty() {
            self.saw_narrow(text.is_ascii(), TextEncoding::Utf8);
        }
        text
    }

    /// The segment at the start of `bytes`: its length, its length with its end, and the end. `None`: it is not complete yet.
    fn segment(&self, bytes: &[u8], eof: bool) -> Option<(usize, usize, End)> {
        let unit = self.unit();
        let found = self.next_end(bytes, 0);
        let Some((at, feed)) = found else {
            return eof.then_some((bytes.len(), bytes.len(), End::Eof));
        };
        if feed {
            return Some((at, at + unit, End::Feed));
        }
        // A carriage return: whether it is lone shows in what follows.
        match bytes.get(at + unit..at + 2 * unit) {
            Some([b'\n'] | [b'\n', 0] | [0, b'\n']) => Some((at, at + 2 * unit, End::Feed)),
            Some(_) => Some((at, at + unit, End::Return)),
            None if eof => Some((at, bytes.len(), End::Eof)),
            None => None,
        }
    }

    /// The next carriage return (`false`) or line feed (`true`).
    fn next_end(&self, bytes: &[u8], from: usize) -> Option<(usize, bool)> {
        let rest = bytes.get(from..)?;
        for found in memchr::memchr2_iter(b'\n', b'\r', rest) {
            let at = from + found;
            let feed = bytes.get(at) == Some(&b'\n');
            match self.width {
                Width::Narrow => return Some((at, feed)),
                Width::Little if at.is_multiple_of(2) && bytes.get(at + 1) == Some(&0) => {
                    return Some((at, feed));
                }
                Width::Big if !at.is_multiple_of(2) && bytes.get(at - 1) == Some(&0) => {
                    return Some((at - 1, feed));
                }
                Width::Little | Width::Big => {}
            }
        }
        None
    }

    /// Goes on in a segment that is too long to keep. `None`: it goes on beyond `bytes`.
    fn skip_long(
        &mut self,
        bytes: &[u8],
        at: usize,
        eof: bool,
        sink: &mut impl Sink,
    ) -> Option<usize> {
        let rest = bytes.get(at..).unwrap_or_default();
        if let Some((_, after, end)) = self.segment(rest, eof) {
            let long = self.long.take()?;
            self.emit(&long.kept, end, true, sink);
            self.end(after, end);
            return Some(at + after);
        }
        // A carriage return at the very end belongs to what follows.
        let taken = rest.len().saturating_sub(2 * self.unit()) & !(self.unit() - 1);
        self.pass(taken);
        Some(at + taken)
    }

    fn emit(&mut self, bytes: &[u8], end: End, cut: bool, sink: &mut impl Sink) {
        let line = self.lines.line();
        let text = match self.width {
            Width::Narrow => self.narrow(bytes, line, cut),
            Width::Little | Width::Big => self.wide(bytes, line, cut),
        };
        sink.segment(&text, line, end, cut);
    }

    fn wide<'a>(&mut self, bytes: &'a [u8], line: u64, cut: bool) -> Cow<'a, str> {
        if bytes.is_empty() {
            return Cow::Borrowed("");
        }
        let little = self.width == Width::Little;
        self.saw(if little {
            TextEncoding::Utf16Le
        } else {
            TextEncoding::Utf16Be
        });
        // An odd byte at the end of the log is half of something that never came.
        let whole = bytes.get(..bytes.len() & !1).unwrap_or_default();
        let encoding = if little { UTF_16LE } else { UTF_16BE };
        let (text, broken) = encoding.decode_without_bom_handling(whole);
        if broken && !cut {
            self.note_undecodable(line, &text);
        }
        Cow::Owned(text.into_owned())
    }

    fn narrow<'a>(&mut self, bytes: &'a [u8], line: u64, cut: bool) -> Cow<'a, str> {
        if let Ok(text) = std::str::from_utf8(bytes) {
            if self.gbk
                && text.chars().all(|c| c < '\u{800}')
                && !text.is_ascii()
                && let Some(text) = gbk(bytes)
            {
                return text;
            }
            if !bytes.is_empty() {
                self.saw_narrow(text.is_ascii(), TextEncoding::Utf8);
            }
            return Cow::Borrowed(text);
        }
        let (mut characters, mut broken) = (0_usize, 0_usize);
        for chunk in bytes.utf8_chunks() {
            characters += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
            broken += chunk.invalid().len();
        }
        if cut && broken <= 3 && characters == 0 {
            // The one broken character is where the line was cut.
            self.saw_narrow(true, TextEncoding::Utf8);
            return String::from_utf8_lossy(bytes);
        }
        if characters > 2 * broken {
            self.saw_narrow(false, TextEncoding::Utf8);
            let text = String::from_utf8_lossy(bytes);
            if !cut || broken > 3 {
                self.note_undecodable(line, &text);
            }
            return text;
        }
        let whole = gbk(bytes).or_else(|| gbk(bytes.get(..bytes.len() - 1)?).filter(|_| cut));
        if let Some(text) = whole {
            self.saw_narrow(false, TextEncoding::Gbk);
            return text;
        }
        self.saw(TextEncoding::Unknown);
        let text: String = bytes.iter().map(|&byte| char::from(byte)).collect();
        self.note_undecodable(line, &text);
        Cow::Owned(text)
    }

    /// The width of a code unit on the line that begins here, and the length of a byte order mark. `None`: more bytes are needed.
    fn look(&mut self, bytes: &[u8], eof: bool) -> Option<(Width, usize)> {
        let window = bytes.get(..WINDOW).unwrap_or(bytes);
        let complete = eof || window.len() == WINDOW;
        match *window {
            [0xEF, 0xBB, 0xBF, ..] => {
                self.saw(TextEncoding::Utf8Bom);
                return Some((Width::Narrow, 3));
            }
            [0xFF, 0xFE, ..] => {
                self.saw(TextEncoding::Utf16Le);
                return Some((Width::Little, 2));
            }
            [0xFE, 0xFF, ..] => {
                self.saw(TextEncoding::Utf16Be);
                return Some((Width::Big, 2));
            }
            _ => {}
        }
        if self.width == Width::Narrow {
            let line = memchr::memchr(b'\n', window)
                .map_or(window, |end| window.get(..=end).unwrap_or(window));
            if line.last() != Some(&b'\n') && !complete {
                return None;
            }
            return Some((from_narrow(line), 0));
        }
        complete.then(|| (from_wide(window, self.width), 0))
    }

    fn saw_narrow(&mut self, ascii: bool, encoding: TextEncoding) {
        if ascii {
            self.ascii.get_or_insert(self.encodings.len());
        } else {
            self.gbk = encoding == TextEncoding::Gbk;
            self.saw(encoding);
        }
    }

    fn saw(&mut self, encoding: TextEncoding) {
        let known = self.encodings.contains(&encoding)
            || (encoding == TextEncoding::Utf8 && self.encodings.contains(&TextEncoding::Utf8Bom));
        if !known {
            self.encodings.push(encoding);
        }
    }

    fn note_undecodable(&mut self, line: u64, text: &str) {
        let entry = self.undecodable.get_or_insert_with(|| Undecodable {
            line,
            count: 0,
            text: text.chars().take(200).collect(),
        });
        entry.count += 1;
    }
}

#[cfg(test)]
mod tests;
