//! JSON lines: one value a line.

use std::path::Path;
use std::sync::Arc;

use serde::de::{DeserializeSeed, IgnoredAny};

use super::super::{LabelError, Place, Sink, TroubleKind, Wanted};
use super::layouts::refuse_json;
use super::load::explain;
use super::records::{Fault, Records};
use super::text::{TextReader, cancelled, to_text, trim};
use super::walk::Walk;
use super::writer::{Spot, Troubles};
use crate::inputs::InputError;

/// Lines that are tried before a file is said to be none of JSON lines.
const TRIED: u64 = 100;

/// Reads a file of JSON lines. A line that cannot be read is told and left.
///
/// # Errors
/// Where no line can be read, or no line has labels.
pub(super) fn read(
    path: &Arc<Path>,
    wanted: &Wanted,
    sink: &mut dyn Sink,
) -> Result<(), LabelError> {
    let place = Place::file(Arc::clone(path));
    let mut records = Records::new(TextReader::open(path)?);
    let progress = records.progress();
    let (head, whole) = records.head();
    if whole && trim(head).is_empty() {
        progress.finish(sink, &place, 0)?;
        return Err(LabelError::Input(InputError::Empty));
    }
    refuse_json(head)?;
    let head = head.to_vec();
    let mut troubles = Troubles::new(&place);
    let mut walk = Walk::new(&place, wanted, &head, sink);
    let mut first_error = None;
    let mut other_encoding = false;
    troubles.encoding(walk.sink(), progress.encoding());
    let (mut row, mut good) = (0, 0);
    while let Some(record) = records.next() {
        if row % 1024 == 0 {
            if walk.sink().stopped() {
                return Err(cancelled());
            }
            walk.sink().read(progress.consumed());
        }
        let bytes = records.bytes(&record);
        let spot = Spot {
            line: Some(record.line),
            row: Some(row),
            text: bytes,
            ..Spot::default()
        };
        if !other_encoding && std::str::from_utf8(bytes).is_err() {
            other_encoding = true;
            let kind = TroubleKind::OtherEncoding("windows-1252");
            troubles.tell(walk.sink(), kind, spot);
        }
        let text = to_text(trim(bytes));
        let error = match record.fault {
            Some(Fault::TooLong) => Some(LabelError::Malformed {
                said: "longer than 64 MiB".to_owned(),
                line: None,
                byte: None,
            }),
            _ => line(&mut walk, text.as_bytes(), row, record.line, bytes),
        };
        row += 1;
        if walk.stopped() {
            return Err(cancelled());
        }
        let Some(error) = error else {
            good += 1;
            continue;
        };
        let said = match &error {
            LabelError::PythonNumber {
                word,
                key: Some(key),
                ..
            } => {
                format!("{word} is not JSON (key {key})")
            }
            LabelError::Malformed { said, .. } => said.clone(),
            other => other.to_string(),
        };
        first_error.get_or_insert(error);
        if good == 0 && row >= TRIED {
            break;
        }
        if !troubles.tell(walk.sink(), TroubleKind::BadLine(said), spot) {
            break;
        }
    }
    let told = walk.finish();
    progress.finish(sink, &place, row)?;
    match first_error {
        Some(error) if good == 0 => Err(error),
        _ => told,
    }
}

/// Reads one line; tells what is wrong with it.
fn line(
    walk: &mut Walk<'_>,
    text: &[u8],
    row: u64,
    number: u64,
    shown: &[u8],
) -> Option<LabelError> {
    // A line that is broken behind its labels must not be half told, so it is looked through first. This costs little: nothing
    // is taken out of it.
    let looked = serde_json::from_slice::<IgnoredAny>(text).map(drop);
    let read = looked.and_then(|()| {
        let mut json = serde_json::Deserializer::from_slice(text);
        walk.record(row, number, shown).deserialize(&mut json)
    });
    read.err().map(|e| explain(&e, &mut &*text))
}
