//! Lists: a path and its label a line, or only a label a line.

use std::collections::HashMap;
use std::collections::hash_map::{Entry, RandomState};
use std::hash::BuildHasher;
use std::path::Path;
use std::sync::Arc;

use super::super::{LabelError, Place, Sink, TroubleKind, Wanted};
use super::cells::{self, Form, Reading};
use super::layouts::refuse_lines;
use super::names::told;
use super::records::{Fault, Records, sample};
use super::text::{TextReader, cancelled, to_text, trim};
use super::writer::{Begin, Spot, Troubles, Writer};
use crate::inputs::InputError;
use crate::range_check::Number;

/// Lines that the kind of list is told from.
const LINES: usize = 500;
/// Pictures that are remembered, to tell one that comes twice.
const MOST_PICTURES: usize = 2 << 20;
/// Labels that are remembered with them.
const MOST_LABELS: usize = 1 << 16;
/// Lines between two looks whether to stop.
const LINES_BETWEEN: u64 = 4096;

/// Splits a line at its last blank: the path, which may hold blanks, and the label.
pub(super) fn split(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let line = trim(line);
    let at = line.iter().rposition(u8::is_ascii_whitespace)?;
    let (path, label) = line.split_at_checked(at)?;
    Some((trim(path), trim(label)))
}

/// Whether the lines of a list begin with a path, or hold only labels.
pub(super) fn has_paths(lines: &[&[u8]]) -> bool {
    let with = lines
        .iter()
        .filter_map(|line| split(line))
        .filter(|(path, label)| looks_like_path(path) || is_whole(label))
        .count();
    with * 2 > lines.len()
}

/// A dot with an extension behind it, or a separator and no blank: a log has those with blanks.
pub(super) fn looks_like_path(path: &[u8]) -> bool {
    let text = to_text(path);
    let extension = text.rsplit_once('.').is_some_and(|(name, end)| {
        !name.is_empty()
            && (1..=5).contains(&end.len())
            && end.bytes().all(|b| b.is_ascii_alphanumeric())
            && end.bytes().any(|b| b.is_ascii_alphabetic())
    });
    extension || (text.contains(['/', '\\']) && !text.contains(char::is_whitespace))
}

/// A folder of frames with their number, or a first and a last one, as lists of videos have them: `clips/v_1 120`.
pub(super) fn is_clip(path: &[u8]) -> bool {
    let mut fields = path
        .split(u8::is_ascii_whitespace)
        .filter(|field| !field.is_empty());
    let first = fields.next().unwrap_or_default();
    let numbers: Vec<&[u8]> = fields.take(3).collect();
    (1..=2).contains(&numbers.len())
        && numbers
            .iter()
            .all(|number| number.iter().all(u8::is_ascii_digit))
        && looks_like_path(first)
}

/// Several labels of one picture in one field: `1,4,7`.
fn several(label: &[u8]) -> Option<Vec<Number>> {
    let text = std::str::from_utf8(label).ok()?;
    if !text.contains(',') {
        return None;
    }
    text.split(',')
        .map(|part| part.parse::<i64>().ok().map(Number::from))
        .collect()
}

/// A line of names above the columns (`path label`).
fn is_header(line: &[u8]) -> bool {
    split(line).is_some_and(|(path, label)| {
        !looks_like_path(path) && std::str::from_utf8(label).is_ok_and(|l| told(l).is_some())
    })
}

/// A whole number.
pub(super) fn is_whole(field: &[u8]) -> bool {
    std::str::from_utf8(field)
        .ok()
        .and_then(|text| cells::number(text, Reading::default()))
        .is_some_and(|(value, _)| value.as_int().is_some())
}

/// Reads a list.
///
/// # Errors
/// Where there is nothing in it.
pub(super) fn read(
    path: &Arc<Path>,
    wanted: &Wanted,
    sink: &mut dyn Sink,
) -> Result<(), LabelError> {
    let place = Place::file(Arc::clone(path));
    let mut records = Records::new(TextReader::open(path)?);
    let progress = records.progress();
    records.head();
    let newline = records.newline();
    let (head, whole) = records.head();
    if whole && trim(head).is_empty() {
        progress.finish(sink, &place, 0)?;
        return Err(LabelError::Input(InputError::Empty));
    }
    refuse_lines(head, whole, newline)?;
    let lines: Vec<&[u8]> = sample(head, whole, None, newline, LINES)
        .into_iter()
        .map(|(line, _)| line)
        .filter(|line| !line.starts_with(b"#"))
        .collect();
    let paths = has_paths(&lines);
    let how = Reading {
        names: &wanted.names,
        ..Reading::default()
    };
    let begin = Begin {
        role: wanted.role,
        ..Begin::default()
    };
    let mut writer = Writer::begin(sink, &place, begin);
    let mut troubles = Troubles::new(&place);
    let mut pictures = Pictures::default();
    let mut other_encoding = false;
    troubles.encoding(sink, progress.encoding());
    let mut row = 0;
    while let Some(record) = records.next() {
        if row % LINES_BETWEEN == 0 {
            if sink.stopped() {
                return Err(cancelled());
            }
            sink.read(progress.consumed());
        }
        let line = trim(records.bytes(&record));
        if row == 0 && (line.starts_with(b"#") || (paths && is_header(line))) {
            continue;
        }
        let spot = Spot {
            line: Some(record.line),
            row: Some(row),
            text: line,
            ..Spot::default()
        };
        row += 1;
        if !other_encoding && std::str::from_utf8(line).is_err() {
            other_encoding = true;
            troubles.tell(sink, TroubleKind::OtherEncoding("windows-1252"), spot);
        }
        let parts = if paths {
            split(line)
        } else {
            Some((&b""[..], line))
        };
        let bad = match (record.fault, parts) {
            (Some(Fault::TooLong), _) => Some("longer than 64 MiB"),
            (_, None) => Some("no label behind the path"),
            _ => None,
        };
        if let Some(said) = bad {
            if troubles.tell(sink, TroubleKind::BadLine(said.to_owned()), spot) {
                continue;
            }
            break;
        }
        let Some((picture, label)) = parts else {
            continue;
        };
        match several(label).filter(|_| paths) {
            Some(labels) => {
                for (position, value) in (0..).zip(labels) {
                    let spot = Spot {
                        position: Some(position),
                        ..spot
                    };
                    writer.number(sink, value, Form::Plain, spot);
                }
            }
            None => writer.cell(sink, &cells::parse(label, how), spot),
        }
        if paths && let Some(kind) = pictures.add(picture, label, record.line, &writer) {
            troubles.tell(sink, kind, spot);
        }
    }
    writer.flush(sink);
    progress.finish(sink, &place, row)
}

/// Pictures met so far, by a hash of their path: no list is too long for the memory.
#[derive(Default)]
struct Pictures {
    hasher: RandomState,
    met: HashMap<u64, (u64, u32)>,
    numbers: HashMap<Box<[u8]>, u32>,
    labels: Vec<Box<[u8]>>,
}

impl Pictures {
    /// Adds one; tells whether it was there before.
    fn add(
        &mut self,
        picture: &[u8],
        label: &[u8],
        line: u64,
        writer: &Writer,
    ) -> Option<TroubleKind> {
        let number = match self.numbers.get(label) {
            Some(number) => *number,
            None if self.labels.len() < MOST_LABELS && label.len() <= 256 => {
                let number = self.labels.len() as u32;
                self.labels.push(label.into());
                self.numbers.insert(label.into(), number);
                number
            }
            None => return None,
        };
        let room = self.met.len() < MOST_PICTURES;
        match self.met.entry(self.hasher.hash_one(picture)) {
            Entry::Vacant(entry) => {
                if room {
                    entry.insert((line, number));
                }
                None
            }
            Entry::Occupied(entry) => {
                let (before, other) = *entry.get();
                let name = to_text(picture).into_owned();
                let before = writer.place(Spot {
                    line: Some(before),
                    ..Spot::default()
                });
                if other == number {
                    return Some(TroubleKind::Duplicate {
                        what: "image",
                        value: name,
                        before: Some(Box::new(before)),
                    });
                }
                let first = self.labels.get(other as usize)?;
                Some(TroubleKind::Contradiction {
                    name,
                    labels: [to_text(first).into_owned(), to_text(label).into_owned()],
                    before: Box::new(before),
                })
            }
        }
    }
}
