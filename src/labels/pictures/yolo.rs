//! YOLO label texts: `class cx cy w h`, polygons, keypoints and oriented boxes, one object a line.

use std::path::Path;
use std::sync::Arc;

use memchr::memchr_iter;

use super::{MOST_TROUBLES, shown};
use crate::labels::lists::text;
use crate::labels::{
    LabelError, Limit, Place, Places, Role, Sink, Stream, StreamId, Trouble, TroubleKind, file,
};
use crate::range_check::{Number, Values};

/// One picture's text has some kilobytes.
const MOST_BYTES: u64 = 64 << 20;
/// Rows after which the listener is asked whether to go on.
const BLOCK_ROWS: usize = 1 << 16;
/// How far outside the picture a coordinate may lie: the trainers round.
const TOLERANCE: f64 = 0.01;

pub(super) fn read(path: &Arc<Path>, sink: &mut dyn Sink) -> Result<(), LabelError> {
    let bytes = file::read_whole(path, MOST_BYTES)?;
    let size = bytes.len() as u64;
    let (bytes, encoding) = as_utf8(bytes);
    if bytes.contains(&0) {
        return Err(LabelError::Malformed {
            said: "not a text".to_owned(),
            line: None,
            byte: None,
        });
    }
    if let Some(trouble) = text::trouble(encoding, path) {
        sink.trouble(trouble);
    }
    let stream = sink.begin(Stream {
        role: Some(Role::Class),
        ..Stream::default()
    });
    let mut rows = Rows::new(path, stream);
    let mut start = 0;
    let mut line = 0;
    let ends = memchr_iter(b'\n', &bytes).chain(std::iter::once(bytes.len()));
    for end in ends {
        line += 1;
        let content = bytes.get(start..end).unwrap_or_default();
        rows.take(content, (start, end), line, sink);
        start = end + 1;
        if rows.numbers.len() >= BLOCK_ROWS {
            if sink.stopped() {
                return Ok(());
            }
            rows.flush(&bytes, sink);
        }
    }
    rows.flush(&bytes, sink);
    rows.finish(sink);
    sink.read(size);
    Ok(())
}

/// Without its byte order mark; UTF-16, which editors on Windows write, is converted.
fn as_utf8(mut bytes: Vec<u8>) -> (Vec<u8>, Option<&'static str>) {
    if bytes.starts_with(b"\xef\xbb\xbf") {
        bytes.drain(..3);
    } else if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        let (text, encoding) = text::decode(bytes);
        return (text.into_bytes(), encoding);
    }
    (bytes, None)
}

/// Rows of the block being gathered.
struct Rows<'a> {
    path: &'a Arc<Path>,
    stream: StreamId,
    numbers: Vec<Number>,
    at: Vec<RowAt>,
    /// Rank of the block's first number in the stream.
    first: u64,
    /// Rows so far, those without a number included.
    taken: u64,
    troubles: usize,
    floats: u64,
    odd: u64,
}

#[derive(Clone, Copy)]
struct RowAt {
    line: u64,
    row: u64,
    start: usize,
    end: usize,
}

impl<'a> Rows<'a> {
    fn new(path: &'a Arc<Path>, stream: StreamId) -> Self {
        Self {
            path,
            stream,
            numbers: Vec::new(),
            at: Vec::new(),
            first: 0,
            taken: 0,
            troubles: 0,
            floats: 0,
            odd: 0,
        }
    }

    fn take(
        &mut self,
        content: &[u8],
        (start, end): (usize, usize),
        line: u64,
        sink: &mut dyn Sink,
    ) {
        if content.iter().all(u8::is_ascii_whitespace) {
            return;
        }
        let row = self.taken;
        self.taken += 1;
        let parsed = parse(content);
        if let Ok(Row { class, .. }) = &parsed {
            self.numbers.push(class.number);
            self.at.push(RowAt {
                line,
                row,
                start,
                end,
            });
            self.floats += u64::from(class.is_float);
            self.odd += u64::from(class.is_odd);
        }
        let kind = match parsed {
            Ok(Row { wrong: None, .. }) => return,
            Ok(Row {
                wrong: Some(wrong), ..
            }) => TroubleKind::BadBox(wrong),
            Err(wrong) => TroubleKind::BadLine(wrong),
        };
        self.troubles += 1;
        if self.troubles <= MOST_TROUBLES {
            sink.trouble(Trouble {
                kind,
                place: Place {
                    line: Some(line),
                    row: Some(row),
                    ..Place::file(Arc::clone(self.path))
                },
                text: Some(shown(content)),
            });
        }
    }

    fn flush(&mut self, bytes: &[u8], sink: &mut dyn Sink) {
        if self.numbers.is_empty() {
            return;
        }
        let places = RowPlaces {
            path: self.path,
            bytes,
            at: &self.at,
            first: self.first,
        };
        sink.numbers(self.stream, Values::Numbers(&self.numbers), &places);
        self.first += self.numbers.len() as u64;
        self.numbers.clear();
        self.at.clear();
    }

    fn finish(&self, sink: &mut dyn Sink) {
        if self.floats > 0 || self.odd > 0 {
            sink.odd_numbers(self.stream, self.floats, self.odd);
        }
        if self.troubles > MOST_TROUBLES {
            sink.trouble(Trouble {
                kind: TroubleKind::Limit(Limit::NotAllTold),
                place: Place::file(Arc::clone(self.path)),
                text: None,
            });
        }
    }
}

struct RowPlaces<'a> {
    path: &'a Arc<Path>,
    bytes: &'a [u8],
    at: &'a [RowAt],
    first: u64,
}

impl Places for RowPlaces<'_> {
    fn index(&self, i: usize) -> u64 {
        self.first + i as u64
    }

    fn place(&self, i: usize) -> Place {
        let at = self.at.get(i);
        Place {
            line: at.map(|at| at.line),
            row: at.map(|at| at.row),
            ..Place::file(Arc::clone(self.path))
        }
    }

    fn text(&self, i: usize) -> Option<String> {
        let at = self.at.get(i)?;
        Some(shown(self.bytes.get(at.start..at.end)?))
    }
}

/// A row that has a class.
struct Row {
    class: Class,
    /// What is wrong with its box.
    wrong: Option<String>,
}

struct Class {
    number: Number,
    is_float: bool,
    is_odd: bool,
}

/// Reads one row, or says what is wrong with it.
fn parse(content: &[u8]) -> Result<Row, String> {
    let mut words = content
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty());
    let Some(first) = words.next() else {
        return Err("0 fields".to_owned());
    };
    let mut shape = Shape::default();
    for word in words.by_ref() {
        let Some(number) = float(word) else {
            return Err(format!("{} is no number", quoted(word)));
        };
        shape.push(number);
    }
    let fields = shape.count + 1;
    if !Shape::is_known(fields) {
        return Err(format!("{fields} fields"));
    }
    let class = class(first).ok_or_else(|| format!("class {} is no number", quoted(first)))?;
    Ok(Row {
        class,
        wrong: shape.wrong(),
    })
}

fn quoted(word: &[u8]) -> String {
    format!("\"{}\"", shown(word.get(..40).unwrap_or(word)))
}

fn class(word: &[u8]) -> Option<Class> {
    let digits = word.strip_prefix(b"-").unwrap_or(word);
    if (1..=30).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit) {
        let size = digits.iter().fold(0_i128, |number, digit| {
            number * 10 + i128::from(digit - b'0')
        });
        let negative = digits.len() < word.len();
        return Some(Class {
            number: Number::Int(if negative { -size } else { size }),
            is_float: false,
            is_odd: digits.len() > 1 && digits.starts_with(b"0"),
        });
    }
    let number = Number::from(float(word)?);
    let signed = word.strip_prefix(b"+").unwrap_or(word);
    let is_plain = signed.iter().all(u8::is_ascii_digit);
    let is_float = number.as_int().is_some() && !is_plain;
    Some(Class {
        number,
        is_float,
        is_odd: signed.len() < word.len(),
    })
}

/// A number as C and Python read it.
fn float(word: &[u8]) -> Option<f64> {
    // Nearly all coordinates are `0.` and some digits; these are exact as one integer over a power of ten.
    if let Some(digits) = word.strip_prefix(b"0.")
        && (1..=15).contains(&digits.len())
        && digits.iter().all(u8::is_ascii_digit)
    {
        let whole = digits
            .iter()
            .fold(0_u64, |number, digit| number * 10 + u64::from(digit - b'0'));
        let scale = POWERS.get(digits.len())?;
        return Some(whole as f64 / scale);
    }
    std::str::from_utf8(word).ok()?.parse().ok()
}

const POWERS: [f64; 16] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
];

/// What the coordinates of a row say, gathered as they come: a polygon may have thousands.
#[derive(Default)]
struct Shape {
    count: usize,
    /// The first that is no number, or outside the picture.
    outside: Option<(usize, f64)>,
    /// The same, where every third of the keypoints is a visibility of 0, 1 or 2.
    outside_of_keypoints: Option<(usize, f64)>,
    size: [f64; 2],
}

impl Shape {
    fn push(&mut self, number: f64) {
        let at = self.count;
        self.count += 1;
        if let 2 | 3 = at
            && let Some(side) = self.size.get_mut(at - 2)
        {
            *side = number;
        }
        let inside = (-TOLERANCE..=1.0 + TOLERANCE).contains(&number);
        if inside {
            return;
        }
        self.outside.get_or_insert((at, number));
        let is_visibility = at >= 4 && (at - 4) % 3 == 2 && number.to_bits() == 2_f64.to_bits();
        if !is_visibility {
            self.outside_of_keypoints.get_or_insert((at, number));
        }
    }

    /// A box; polygons and oriented boxes of three points and more; a box with keypoints of two or three numbers each.
    fn is_known(fields: usize) -> bool {
        fields == 5
            || (fields >= 7 && !fields.is_multiple_of(2))
            || (fields >= 8 && (fields - 5).is_multiple_of(3))
    }

    fn wrong(&self) -> Option<String> {
        let fields = self.count + 1;
        let may_have_visibility = fields >= 8 && (fields - 5).is_multiple_of(3);
        let outside = if may_have_visibility {
            self.outside_of_keypoints
        } else {
            self.outside
        };
        if let Some((at, number)) = outside {
            return Some(if number.is_finite() {
                format!("{number} in field {} is outside 0..1", at + 2)
            } else {
                format!(
                    "{} in field {} is no coordinate",
                    Number::from(number),
                    at + 2
                )
            });
        }
        // An even number of fields can be nothing but a box with keypoints.
        let has_box = fields == 5 || fields.is_multiple_of(2);
        let [width, height] = self.size;
        if has_box && width <= 0.0 {
            return Some(format!("width {width}"));
        }
        if has_box && height <= 0.0 {
            return Some(format!("height {height}"));
        }
        None
    }
}

#[cfg(test)]
mod tests;
