//! JSON files: read whole where they are of a sane size, else piece by piece; what a syntax error means.

use std::cell::Cell;
use std::io::{BufReader, Read};
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use memchr::{memchr, memchr_iter, memmem, memrchr};
use serde::de::DeserializeSeed;

use super::super::{LabelError, Place, Sink, Trouble, TroubleKind};
use super::text::{BLOCK, Progress, TextReader, cancelled, to_text, trim};
use crate::inputs::InputError;

/// Bytes of a file that is held in memory while it is read; parsing from memory is several times faster.
const MOST_HELD: u64 = 512 << 20;

/// A JSON file.
pub(super) struct JsonFile {
    path: Arc<Path>,
    /// The whole text; `None` where it is too large.
    held: Option<Vec<u8>>,
    head: Vec<u8>,
    progress: Rc<Progress>,
    /// It ended early while it was parsed piece by piece.
    cut: Cell<bool>,
}

impl JsonFile {
    /// Opens a file and reads it, or its beginning where it is large.
    ///
    /// # Errors
    /// Where it cannot be read, or there is nothing in it.
    pub fn open(path: &Arc<Path>, sink: &mut dyn Sink) -> Result<Self, LabelError> {
        Self::open_within(path, MOST_HELD, sink)
    }

    /// Opens a file that is held only where it has fewer bytes than `most`.
    ///
    /// # Errors
    /// Where it cannot be read, or there is nothing in it.
    pub fn open_within(
        path: &Arc<Path>,
        most: u64,
        sink: &mut dyn Sink,
    ) -> Result<Self, LabelError> {
        let mut reader = TextReader::open(path)?;
        let progress = reader.progress();
        let mut bytes = Vec::new();
        while (bytes.len() as u64) < most {
            if sink.stopped() {
                return Err(cancelled());
            }
            let got = (&mut reader).take(16 << 20).read_to_end(&mut bytes)?;
            sink.read(progress.consumed());
            if got == 0 {
                break;
            }
        }
        let place = Place::file(Arc::clone(path));
        let whole = (bytes.len() as u64) < most;
        if whole {
            progress.finish(sink, &place, 0)?;
        }
        if trim(&bytes).is_empty() {
            return Err(LabelError::Input(InputError::Empty));
        }
        if let Some(name) = progress.encoding() {
            sink.trouble(Trouble {
                kind: TroubleKind::OtherEncoding(name),
                place: place.clone(),
                text: None,
            });
        }
        let head = bytes.get(..BLOCK).unwrap_or(&bytes).to_vec();
        if whole
            && std::str::from_utf8(&bytes).is_err()
            && let text = to_text(&bytes)
        {
            sink.trouble(Trouble {
                kind: TroubleKind::OtherEncoding("windows-1252"),
                place,
                text: None,
            });
            bytes = text.into_owned().into_bytes();
        }
        Ok(Self {
            path: Arc::clone(path),
            held: whole.then_some(bytes),
            head,
            progress,
            cut: Cell::new(false),
        })
    }

    /// The first bytes.
    pub fn head(&self) -> &[u8] {
        &self.head
    }

    /// The whole text, where it is held.
    pub fn held(&self) -> Option<&[u8]> {
        self.held.as_deref()
    }

    /// Parses the file through a seed.
    ///
    /// # Errors
    /// Where it breaks the rules of JSON.
    pub fn parse<S>(&self, seed: S) -> Result<(), LabelError>
    where
        S: for<'de> DeserializeSeed<'de>,
    {
        if let Some(bytes) = &self.held {
            let mut json = serde_json::Deserializer::from_slice(bytes);
            let parsed = seed.deserialize(&mut json).map(drop);
            return parsed
                .and_then(|()| json.end())
                .map_err(|e| explain(&e, &mut bytes.as_slice()));
        }
        let reader = TextReader::open(&self.path)?;
        let progress = reader.progress();
        let mut json =
            serde_json::Deserializer::from_reader(BufReader::with_capacity(BLOCK, reader));
        let parsed = seed
            .deserialize(&mut json)
            .map(drop)
            .and_then(|()| json.end());
        if let Some(error) = progress.failed() {
            return Err(error);
        }
        match parsed {
            Ok(()) => Ok(()),
            Err(e) if progress.is_cut() => {
                self.cut.set(true);
                Err(explain(&e, &mut std::io::empty()))
            }
            Err(e) => Err(explain(&e, &mut TextReader::open(&self.path)?)),
        }
    }

    /// Whether a packed file ended early: what is missing at the end of its text is no error of its own.
    pub fn is_cut(&self) -> bool {
        self.progress.is_cut() || self.cut.get()
    }

    /// Tells that a file which is not held ended early; of one that is held it was told when it was opened.
    pub fn tell_cut(&self, sink: &mut dyn Sink, read: u64) {
        if self.cut.get() {
            sink.trouble(Trouble {
                kind: TroubleKind::CutShort { read, of: 0 },
                place: Place::file(Arc::clone(&self.path)),
                text: None,
            });
        }
    }
}

/// What an error of the parser means.
pub(super) fn explain(error: &serde_json::Error, text: &mut dyn Read) -> LabelError {
    let said = error.to_string();
    if said.starts_with("recursion limit exceeded") {
        return LabelError::TooDeep;
    }
    let near = locate(text, error.line(), error.column());
    if error.is_syntax()
        && let Some((word, at)) = near.python_number()
    {
        return LabelError::PythonNumber {
            word: word.to_owned(),
            byte: near.start + at as u64,
            key: near.key_before(at),
        };
    }
    let what = said
        .rsplit_once(" at line ")
        .map_or(said.as_str(), |(what, _)| what);
    LabelError::Malformed {
        said: what.to_owned(),
        line: (error.line() > 0).then_some(error.line() as u64),
        byte: (error.line() > 0).then_some(near.start + near.at as u64),
    }
}

/// Bytes around the place of an error.
struct Near {
    /// Byte of the first of them.
    start: u64,
    bytes: Vec<u8>,
    /// The place itself among them.
    at: usize,
}

/// Bytes that are kept before the place of an error, to find the key before it.
const BEFORE: usize = 64 << 10;

/// Finds a line and column, both from 1, in a text.
fn locate(text: &mut dyn Read, line: usize, column: usize) -> Near {
    let mut kept: Vec<u8> = Vec::new();
    let mut start = 0_u64;
    let mut line_left = line.saturating_sub(1);
    // Byte of the place, once its line is reached.
    let mut target = (line_left == 0).then_some(column.saturating_sub(1) as u64);
    let mut block = vec![0; BLOCK];
    loop {
        let got = text.read(&mut block).unwrap_or(0);
        let bytes = block.get(..got).unwrap_or_default();
        let base = start + kept.len() as u64;
        if target.is_none() {
            let mut breaks = memchr_iter(b'\n', bytes);
            while line_left > 0 {
                let Some(at) = breaks.next() else {
                    break;
                };
                line_left -= 1;
                if line_left == 0 {
                    target = Some(base + at as u64 + 1 + column.saturating_sub(1) as u64);
                }
            }
        }
        kept.extend_from_slice(bytes);
        let end = start + kept.len() as u64;
        let reached = target.is_some_and(|t| t + 32 <= end);
        if got == 0 || reached {
            let at = target.unwrap_or(end).saturating_sub(start) as usize;
            let at = at.min(kept.len());
            kept.truncate(at.saturating_add(32));
            return Near {
                start,
                bytes: kept,
                at,
            };
        }
        let surplus = kept.len().saturating_sub(BEFORE);
        if surplus > 0 {
            kept.drain(..surplus);
            start += surplus as u64;
        }
    }
}

impl Near {
    /// The word that Python writes for a number that JSON does not have.
    fn python_number(&self) -> Option<(&'static str, usize)> {
        let from = self.at.saturating_sub(10);
        let around = self.bytes.get(from..(self.at + 12).min(self.bytes.len()))?;
        let mut found: Vec<(&'static str, usize)> = ["-Infinity", "Infinity", "NaN"]
            .into_iter()
            .filter_map(|word| {
                let at = memmem::find(around, word.as_bytes())?;
                Some((word, from + at))
            })
            .collect();
        // The place is inside the word or directly at its ends.
        found.retain(|(word, at)| *at <= self.at + 1 && self.at <= at + word.len());
        found.into_iter().next()
    }

    /// The key before a byte.
    fn key_before(&self, at: usize) -> Option<String> {
        let mut end = at;
        loop {
            end = memrchr(b':', self.bytes.get(..end)?)?;
            let before = trim(self.bytes.get(..end)?);
            let Some(key) = before.strip_suffix(b"\"") else {
                continue;
            };
            let open = memrchr(b'"', key)?;
            return Some(to_text(key.get(open + 1..)?).into_owned());
        }
    }
}

/// Counts lines up to rising offsets of a text that is held.
#[derive(Default)]
pub(super) struct LineCount {
    at: usize,
    line: u64,
}

impl LineCount {
    /// The line, from 1, of a byte.
    pub fn line(&mut self, text: &[u8], at: usize) -> u64 {
        if at < self.at {
            (self.at, self.line) = (0, 0);
        }
        if let Some(between) = text.get(self.at..at)
            && memchr(b'\n', between).is_some()
        {
            self.line += memchr_iter(b'\n', between).count() as u64;
        }
        self.at = at;
        self.line + 1
    }
}
