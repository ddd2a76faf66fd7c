//! The entries of a ZIP archive, by where their bytes lie.

use std::io::BufReader;

use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

use super::held::{Held, Input, malformed};
use crate::labels::LabelError;
use crate::labels::file::read_error;

/// Entries that are looked at.
const MOST_ENTRIES: usize = 200_000;

/// One entry. The size it unpacks to is not believed and not kept.
pub(super) struct Entry {
    pub name: String,
    /// Its bytes; `None` where they are encrypted, or packed in a way that is not read.
    pub held: Option<Held>,
}

/// The entries in the order of the archive's directory.
pub(super) fn entries(input: &Input) -> Result<Vec<Entry>, LabelError> {
    let mut archive = ZipArchive::new(BufReader::new(input.part(0, input.size)))
        .map_err(|error| of_zip(&error))?;
    if archive.len() > MOST_ENTRIES {
        return Err(LabelError::TooLarge {
            size: archive.len() as u64,
            limit: MOST_ENTRIES as u64,
        });
    }
    let mut entries = Vec::new();
    for index in 0..archive.len() {
        let entry = match archive.by_index_raw(index) {
            Ok(entry) => entry,
            Err(ZipError::Io(error)) => return Err(read_error(&error)),
            Err(_) => continue,
        };
        let Some(start) = entry.data_start() else {
            continue;
        };
        let len = entry.compressed_size();
        let lies = start.checked_add(len).is_some_and(|end| end <= input.size);
        let held = match entry.compression() {
            _ if entry.encrypted() || !lies => None,
            CompressionMethod::Stored => Some(Held::File { start, len }),
            CompressionMethod::Deflated => Some(Held::Packed {
                start,
                len,
                gzip: false,
            }),
            _ => None,
        };
        entries.push(Entry {
            name: String::from_utf8_lossy(entry.name_raw()).into_owned(),
            held,
        });
    }
    Ok(entries)
}

fn of_zip(error: &ZipError) -> LabelError {
    match error {
        ZipError::Io(error) if error.kind() != std::io::ErrorKind::UnexpectedEof => {
            read_error(error)
        }
        _ => malformed("a ZIP archive without a readable directory: cut short or damaged"),
    }
}
