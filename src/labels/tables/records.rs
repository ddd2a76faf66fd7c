//! Lines and quoted records of a text file, with exact line numbers and the bytes as they stand.

use std::borrow::Cow;
use std::io::Read as _;
use std::ops::Range;
use std::rc::Rc;

use memchr::{memchr, memchr_iter, memchr2};

use super::text::{BLOCK, Progress, TextReader, trim};

/// Bytes of one record or line.
pub(super) const MOST_RECORD: usize = 64 << 20;
/// Bytes of one quoted field: a quote that is not closed by then is taken for a stray one.
const MOST_QUOTED: usize = 16 << 20;
/// Stray quotes after which quotes mean nothing any more.
const MOST_STRAY: u32 = 100;

/// One record.
#[derive(Clone, Debug)]
pub(super) struct Record {
    /// Its bytes in the buffer, without the line break.
    pub bytes: Range<usize>,
    /// The line where it begins, from 1.
    pub line: u64,
    /// Something is wrong with it.
    pub fault: Option<Fault>,
}

/// What is wrong with a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// A quote that is never closed; only the first line is given.
    OpenQuote,
    /// Longer than the limit; only the beginning is given.
    TooLong,
}

/// Cuts a text into records. Blank lines are no records.
pub(super) struct Records {
    reader: TextReader,
    buffer: Vec<u8>,
    /// Where the next record begins.
    start: usize,
    line: u64,
    eof: bool,
    /// The separator of cells; `None`: quotes mean nothing, every line is a record.
    pub delimiter: Option<u8>,
    /// Cells of most rows, where tabs separate them: a line that has so many is whole, whatever its quotes say.
    pub width: Option<usize>,
    newline: u8,
    stray: u32,
    longest: usize,
}

/// How far a record goes.
enum Framed {
    /// Its end and the start of the next.
    Whole(usize),
    /// The bytes end first.
    Short,
    /// A quote is open for too long.
    Open,
}

impl Records {
    /// Records of a text.
    pub fn new(reader: TextReader) -> Self {
        Self {
            reader,
            buffer: Vec::new(),
            start: 0,
            line: 1,
            eof: false,
            delimiter: None,
            width: None,
            newline: b'\n',
            stray: 0,
            longest: MOST_RECORD,
        }
    }

    /// With another limit of one record.
    #[cfg(test)]
    pub fn with_longest(mut self, longest: usize) -> Self {
        self.longest = longest;
        self
    }

    /// How reading goes.
    pub fn progress(&self) -> Rc<Progress> {
        self.reader.progress()
    }

    /// The first bytes, at least two lines where the file has them; nothing is taken. Tells the kind of line break, too.
    pub fn head(&mut self) -> (&[u8], bool) {
        loop {
            let enough = self.buffer.len() >= BLOCK
                && (memchr_iter(b'\n', &self.buffer).nth(1).is_some()
                    || memchr_iter(b'\r', &self.buffer).nth(1).is_some());
            if enough || self.eof || self.buffer.len() > self.longest {
                break;
            }
            self.fill();
        }
        if memchr(b'\n', &self.buffer).is_none() && memchr(b'\r', &self.buffer).is_some() {
            self.newline = b'\r';
        }
        (&self.buffer, self.eof)
    }

    /// The byte that ends a line.
    pub fn newline(&self) -> u8 {
        self.newline
    }

    /// The bytes of a record.
    pub fn bytes(&self, record: &Record) -> &[u8] {
        self.buffer.get(record.bytes.clone()).unwrap_or_default()
    }

    /// The next record; `None` at the end.
    pub fn next(&mut self) -> Option<Record> {
        loop {
            let rest = self.buffer.get(self.start..).unwrap_or_default();
            if rest.is_empty() && self.eof {
                return None;
            }
            let delimiter = self
                .delimiter
                .filter(|_| self.stray < MOST_STRAY && !self.is_whole_line(rest));
            let (length, fault) = match frame(rest, delimiter, self.newline, self.eof) {
                Framed::Whole(length) => (length, None),
                Framed::Short if !self.eof && rest.len() <= self.longest => {
                    self.fill();
                    continue;
                }
                Framed::Short if rest.len() > self.longest => {
                    return Some(self.skip_line());
                }
                Framed::Short | Framed::Open => {
                    self.stray += 1;
                    let line = memchr(self.newline, rest).map_or(rest.len(), |at| at + 1);
                    (line, Some(Fault::OpenQuote))
                }
            };
            let taken = rest.get(..length).unwrap_or_default();
            let lines = memchr_iter(self.newline, taken).count() as u64;
            let mut end = length;
            for mark in [b'\n', b'\r'] {
                if end > 0 && taken.get(end - 1) == Some(&mark) {
                    end -= 1;
                }
            }
            let blank = trim(taken).is_empty() && !taken.contains(&0);
            let record = Record {
                bytes: self.start..self.start + end,
                line: self.line,
                fault,
            };
            self.start += length;
            self.line += lines;
            if !blank {
                return Some(record);
            }
        }
    }

    /// Whether the first line has all cells of a row that tabs separate. Such texts are mostly written without quoting, and a
    /// quote in them is a letter like any other.
    fn is_whole_line(&self, rest: &[u8]) -> bool {
        let (Some(b'\t'), Some(width)) = (self.delimiter, self.width) else {
            return false;
        };
        let Some(line) = memchr(self.newline, rest).and_then(|at| rest.get(..at)) else {
            return false;
        };
        width > 1 && memchr(b'"', line).is_some() && memchr_iter(b'\t', line).count() + 1 == width
    }

    /// Leaves a line that is longer than the limit.
    fn skip_line(&mut self) -> Record {
        let kept = 1024;
        let line = self.line;
        let begin = self.buffer.get(self.start..).unwrap_or_default();
        let head = begin
            .get(..kept.min(begin.len()))
            .unwrap_or_default()
            .to_vec();
        loop {
            let rest = self.buffer.get(self.start..).unwrap_or_default();
            if let Some(at) = memchr(self.newline, rest) {
                self.start += at + 1;
                self.line += 1;
                break;
            }
            self.start = self.buffer.len();
            if self.eof {
                break;
            }
            self.fill();
        }
        // Its beginning is put before what comes next.
        let rest = self.buffer.split_off(self.start.min(self.buffer.len()));
        self.buffer.clear();
        self.buffer.extend_from_slice(&head);
        self.start = head.len();
        self.buffer.extend_from_slice(&rest);
        Record {
            bytes: 0..head.len(),
            line,
            fault: Some(Fault::TooLong),
        }
    }

    /// Reads on. The buffer doubles while one record fills it, so that looking at it again costs little.
    fn fill(&mut self) {
        if self.start > 0 {
            self.buffer.drain(..self.start.min(self.buffer.len()));
            self.start = 0;
        }
        let had = self.buffer.len();
        let more = had.max(BLOCK);
        self.buffer.resize(had + more, 0);
        let mut got = had;
        while let Some(room) = self.buffer.get_mut(got..).filter(|r| !r.is_empty()) {
            match self.reader.read(room) {
                Ok(count) if count > 0 => got += count,
                _ => {
                    self.eof = true;
                    break;
                }
            }
        }
        self.buffer.truncate(got);
    }
}

/// How long the record at the beginning of some bytes is, its line break included.
fn frame(bytes: &[u8], delimiter: Option<u8>, newline: u8, eof: bool) -> Framed {
    let end = |at: Option<usize>| match at {
        Some(at) => Framed::Whole(at + 1),
        None if eof => Framed::Whole(bytes.len()),
        None => Framed::Short,
    };
    let Some(delimiter) = delimiter else {
        return end(memchr(newline, bytes));
    };
    let mut at = 0;
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        let Some(found) = memchr2(newline, b'"', rest) else {
            return end(None);
        };
        let found = at + found;
        if bytes.get(found) == Some(&newline) {
            return Framed::Whole(found + 1);
        }
        at = found + 1;
        if !opens(bytes.get(..found).unwrap_or_default(), delimiter) {
            continue;
        }
        match closing(bytes.get(at..).unwrap_or_default()) {
            Some(closed) if closed <= MOST_QUOTED => at += closed + 1,
            Some(_) => return Framed::Open,
            None if eof || bytes.len() - at > MOST_QUOTED => return Framed::Open,
            None => return Framed::Short,
        }
    }
}

/// Whether a quote after these bytes of its record begins a field.
fn opens(before: &[u8], delimiter: u8) -> bool {
    let blanks = before.iter().rev().take_while(|b| **b == b' ').count();
    match before.len().checked_sub(blanks + 1) {
        None => true,
        Some(last) => before.get(last) == Some(&delimiter),
    }
}

/// Where the quote that closes a field stands.
fn closing(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += memchr(b'"', bytes.get(at..)?)?;
        if bytes.get(at + 1) != Some(&b'"') {
            return Some(at);
        }
        at += 2;
    }
}

/// The cells of one record.
pub(super) struct Cells<'a> {
    bytes: &'a [u8],
    at: Option<usize>,
    delimiter: u8,
    quotes: bool,
}

impl<'a> Cells<'a> {
    /// Cells of a record.
    pub fn of(bytes: &'a [u8], delimiter: u8) -> Self {
        Self {
            bytes,
            at: Some(0),
            delimiter,
            quotes: memchr(b'"', bytes).is_some(),
        }
    }
}

impl<'a> Iterator for Cells<'a> {
    type Item = Cow<'a, [u8]>;

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.at?;
        let rest = self.bytes.get(start..)?;
        let blanks = if self.quotes {
            rest.iter().take_while(|b| **b == b' ').count()
        } else {
            0
        };
        if self.quotes && rest.get(blanks) == Some(&b'"') {
            let inner = rest.get(blanks + 1..).unwrap_or_default();
            let closed = closing(inner).filter(|closed| {
                // Between tabs a quote is a letter where no cell ends behind the next one.
                let after = inner.get(closed + 1..).unwrap_or_default();
                self.delimiter != b'\t'
                    || matches!(after.first(), None | Some(b'\t' | b'\r' | b'\n'))
            });
            if let Some(closed) = closed {
                let cell = inner.get(..closed).unwrap_or_default();
                let after = inner.get(closed + 1..).unwrap_or_default();
                let next = memchr(self.delimiter, after);
                self.at = next.map(|n| start + blanks + 1 + closed + 1 + n + 1);
                return Some(unescape(cell));
            }
        }
        let next = memchr(self.delimiter, rest);
        self.at = next.map(|n| start + n + 1);
        Some(
            rest.get(..next.unwrap_or(rest.len()))
                .unwrap_or_default()
                .into(),
        )
    }
}

/// Doubled quotes made single ones.
fn unescape(cell: &[u8]) -> Cow<'_, [u8]> {
    if memchr(b'"', cell).is_none() {
        return cell.into();
    }
    let mut plain = Vec::with_capacity(cell.len());
    let mut quote = false;
    for byte in cell {
        quote = *byte == b'"' && !quote;
        if !quote {
            plain.push(*byte);
        }
    }
    plain.into()
}

/// The first whole records of some bytes, with their lines: what formats are told from.
pub(super) fn sample(
    bytes: &[u8],
    whole: bool,
    delimiter: Option<u8>,
    newline: u8,
    most: usize,
) -> Vec<(&[u8], u64)> {
    let mut records = Vec::new();
    let mut at = 0;
    let mut line = 1;
    while records.len() < most {
        let rest = bytes.get(at..).unwrap_or_default();
        if rest.is_empty() {
            break;
        }
        let length = match frame(rest, delimiter, newline, whole) {
            Framed::Whole(length) => length,
            Framed::Open => memchr(newline, rest).map_or(rest.len(), |n| n + 1),
            Framed::Short => break,
        };
        let taken = rest.get(..length).unwrap_or_default();
        let record = taken.strip_suffix(b"\n").unwrap_or(taken);
        let record = record.strip_suffix(b"\r").unwrap_or(record);
        if !trim(record).is_empty() {
            records.push((record, line));
        }
        line += memchr_iter(newline, taken).count() as u64;
        at += length;
    }
    records
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn cells(record: &str, expected: &[&str]) {
        let found: Vec<String> = Cells::of(record.as_bytes(), b',')
            .map(|c| String::from_utf8_lossy(&c).into_owned())
            .collect();
        assert_eq!(found, expected, "{record:?}");
    }

    #[test]
    fn cells_of_a_record() {
        cells("a,b,c", &["a", "b", "c"]);
        cells("a,,", &["a", "", ""]);
        cells(r#""a,b",c"#, &["a,b", "c"]);
        cells(r#""say ""hi""",c"#, &[r#"say "hi""#, "c"]);
        cells(r#"a, "b,c" ,d"#, &["a", "b,c", "d"]);
        cells(r#"5" disk,"open"#, &["5\" disk", "\"open"]);
        cells("\"\"\",\"\"\"", &["\",\""]);
        cells("", &[""]);
    }

    #[track_caller]
    fn records(text: &str, expected: &[(&str, u64)]) {
        let found: Vec<_> = sample(text.as_bytes(), true, Some(b','), b'\n', 100)
            .into_iter()
            .map(|(r, line)| (String::from_utf8_lossy(r).into_owned(), line))
            .collect();
        let expected: Vec<_> = expected
            .iter()
            .map(|(r, l)| ((*r).to_owned(), *l))
            .collect();
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn records_of_a_text() {
        records("a,b\r\n\r\nc,d", &[("a,b", 1), ("c,d", 3)]);
        records("\"x\ny\",1\nz,2\n", &[("\"x\ny\",1", 1), ("z,2", 3)]);
        records("5\" disk,1\nz,2\n", &[("5\" disk,1", 1), ("z,2", 2)]);
        records("\"open,1\nz,2\n", &[("\"open,1", 1), ("z,2", 2)]);
    }
}
