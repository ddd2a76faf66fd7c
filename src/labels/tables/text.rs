//! The bytes of a text file as UTF-8, or as the bytes they are: packed files unpacked, UTF-16 and GBK converted, marks removed.

use std::cell::{Cell, RefCell};
use std::io::{self, Read};
use std::path::Path;
use std::rc::Rc;

use encoding_rs::Decoder;

use super::super::encoding;
use super::super::file::{self, Unpacked};
use super::super::{LabelError, Place, Sink, Trouble, TroubleKind};
use crate::inputs::InputError;

/// Bytes that are read at a time.
pub(super) const BLOCK: usize = 256 << 10;

/// Why reading ended before the file did.
#[derive(Clone, Debug)]
enum End {
    /// A packed file without its end.
    Cut,
    /// A packed file that is damaged.
    Damaged(String),
    /// The limit of unpacking, or the system.
    Failed(LabelError),
}

/// How reading goes; shared with whoever gave the reader away.
#[derive(Debug, Default)]
pub(super) struct Progress {
    consumed: Cell<u64>,
    size: Cell<u64>,
    packed: Cell<bool>,
    any: Cell<bool>,
    at_end: Cell<bool>,
    end: RefCell<Option<End>>,
    encoding: Cell<Option<&'static str>>,
}

impl Progress {
    /// Bytes of the file read so far.
    pub fn consumed(&self) -> u64 {
        self.consumed.get()
    }

    /// The encoding that a text without a mark was converted from; `None` before anything was read.
    pub fn encoding(&self) -> Option<&'static str> {
        self.encoding.get()
    }

    /// Tells how reading ended. `read` is how many values or rows were read.
    ///
    /// # Errors
    /// Where reading failed, or there was nothing to read.
    pub fn finish(&self, sink: &mut dyn Sink, place: &Place, read: u64) -> Result<(), LabelError> {
        sink.read(self.consumed());
        let trouble = match self.end.borrow().as_ref() {
            Some(End::Failed(error)) => return Err(error.clone()),
            Some(End::Cut) => Some(TroubleKind::CutShort { read, of: 0 }),
            Some(End::Damaged(said)) if read == 0 => {
                return Err(LabelError::Malformed {
                    said: said.clone(),
                    line: None,
                    byte: Some(self.consumed()),
                });
            }
            Some(End::Damaged(said)) => Some(TroubleKind::BadLine(said.clone())),
            None if !self.any.get() => return Err(LabelError::Input(InputError::Empty)),
            None if self.at_end.get()
                && !self.packed.get()
                && self.consumed() != self.size.get() =>
            {
                Some(TroubleKind::Changed)
            }
            None => None,
        };
        if let Some(kind) = trouble {
            sink.trouble(Trouble {
                kind,
                place: place.clone(),
                text: None,
            });
        }
        Ok(())
    }

    /// Why reading failed, where it did.
    pub fn failed(&self) -> Option<LabelError> {
        match self.end.borrow().as_ref() {
            Some(End::Failed(error)) => Some(error.clone()),
            _ => None,
        }
    }

    /// Whether the bytes ended before the file did: a syntax error at the end is a consequence of it.
    pub fn is_cut(&self) -> bool {
        matches!(*self.end.borrow(), Some(End::Cut | End::Damaged(_)))
    }
}

/// Reads a text file.
///
/// It never fails: where the bytes end early it ends, and [`Progress::finish`] says why.
pub(super) struct TextReader {
    inner: Unpacked,
    decoder: Option<Decoder>,
    raw: Vec<u8>,
    out: Vec<u8>,
    at: usize,
    begun: bool,
    last: bool,
    progress: Rc<Progress>,
}

impl TextReader {
    /// Opens a file.
    ///
    /// # Errors
    /// Where it cannot be opened.
    pub fn open(path: &Path) -> Result<Self, LabelError> {
        let inner = file::open_unpacked(path)?;
        let progress = Rc::new(Progress::default());
        progress.size.set(inner.size);
        progress.packed.set(inner.packed);
        Ok(Self {
            inner,
            decoder: None,
            raw: Vec::new(),
            out: Vec::new(),
            at: 0,
            begun: false,
            last: false,
            progress,
        })
    }

    /// How reading goes.
    pub fn progress(&self) -> Rc<Progress> {
        Rc::clone(&self.progress)
    }

    /// Bytes as they stand in the file; 0 at its end, or where it cannot be read further.
    fn pull(&mut self, buf: &mut [u8]) -> usize {
        if self.last {
            return 0;
        }
        loop {
            let end = match self.inner.read(buf) {
                Ok(0) => {
                    self.progress.at_end.set(true);
                    None
                }
                Ok(got) => {
                    self.progress.any.set(true);
                    self.progress.consumed.set(self.inner.consumed());
                    return got;
                }
                Err(e) => match e.kind() {
                    io::ErrorKind::Interrupted => continue,
                    io::ErrorKind::UnexpectedEof if self.inner.packed => Some(End::Cut),
                    io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData
                        if self.inner.packed =>
                    {
                        Some(End::Damaged(e.to_string()))
                    }
                    _ => Some(End::Failed(file::read_error(&e))),
                },
            };
            self.last = true;
            self.progress.consumed.set(self.inner.consumed());
            self.progress.end.replace(end);
            return 0;
        }
    }

    /// Looks at the first bytes for a byte order mark, or for another encoding.
    fn begin(&mut self) {
        self.begun = true;
        let mut head = vec![0; encoding::HEAD];
        let mut got = 0;
        while let Some(room) = head.get_mut(got..).filter(|r| !r.is_empty()) {
            let count = self.pull(room);
            if count == 0 {
                break;
            }
            got += count;
        }
        head.truncate(got);
        if let Some((encoding, mark)) = encoding::of(&head) {
            if mark == 0 {
                self.progress.encoding.set(Some(encoding.name()));
            }
            self.decoder = Some(encoding.new_decoder_without_bom_handling());
            self.decode(head.get(mark..).unwrap_or_default(), false);
        } else {
            let mark = head.starts_with(b"\xef\xbb\xbf").then_some(3);
            self.at = mark.unwrap_or_default();
            self.out = head;
        }
    }

    /// Converts bytes and puts them behind those that wait.
    fn decode(&mut self, bytes: &[u8], last: bool) {
        let Some(decoder) = &mut self.decoder else {
            return;
        };
        self.out.clear();
        self.at = 0;
        let room = decoder.max_utf8_buffer_length(bytes.len()).unwrap_or(0);
        self.out.resize(room, 0);
        let (_, _, written, _) = decoder.decode_to_utf8(bytes, &mut self.out, last);
        self.out.truncate(written);
    }
}

impl Read for TextReader {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if !self.begun {
            self.begin();
        }
        loop {
            let waiting = self.out.get(self.at..).unwrap_or_default();
            if !waiting.is_empty() {
                let count = waiting.len().min(buf.len());
                if let (Some(to), Some(from)) = (buf.get_mut(..count), waiting.get(..count)) {
                    to.copy_from_slice(from);
                }
                self.at += count;
                return Ok(count);
            }
            if self.decoder.is_none() {
                return Ok(self.pull(buf));
            }
            if self.last {
                return Ok(0);
            }
            let mut raw = std::mem::take(&mut self.raw);
            raw.resize(BLOCK, 0);
            let got = self.pull(&mut raw);
            self.decode(raw.get(..got).unwrap_or_default(), got == 0);
            self.raw = raw;
        }
    }
}

/// Bytes as text: UTF-8 where they are, else Windows-1252.
pub(super) fn to_text(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => {
            encoding_rs::WINDOWS_1252
                .decode_without_bom_handling(bytes)
                .0
        }
    }
}

/// Longest text of a row that is kept, in bytes.
const MOST_TEXT: usize = 240;

/// A row's bytes, cut to what is kept.
pub(super) fn cut(bytes: &[u8]) -> &[u8] {
    bytes.get(..MOST_TEXT).unwrap_or(bytes)
}

/// The text of a row that was cut by [`cut`]: no half characters, an ellipsis where something is left out.
pub(super) fn shown(bytes: &[u8]) -> String {
    let whole = bytes.len() < MOST_TEXT;
    // A character that was cut in two is at most three bytes.
    let text = match std::str::from_utf8(bytes) {
        Err(e) if !whole && e.error_len().is_none() => {
            to_text(bytes.get(..e.valid_up_to()).unwrap_or_default())
        }
        _ => to_text(bytes),
    };
    let mut text = text.trim_end_matches(['\r', '\n']).to_owned();
    if !whole {
        text.push('…');
    }
    text
}

/// Removes blanks and zero bytes at both ends.
pub(super) fn trim(mut bytes: &[u8]) -> &[u8] {
    while let [first, rest @ ..] = bytes
        && (first.is_ascii_whitespace() || *first == 0)
    {
        bytes = rest;
    }
    while let [rest @ .., last] = bytes
        && (last.is_ascii_whitespace() || *last == 0)
    {
        bytes = rest;
    }
    bytes
}

/// The error of a reading that the user stopped.
pub(super) fn cancelled() -> LabelError {
    LabelError::Input(InputError::Cancelled)
}
