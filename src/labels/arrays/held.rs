//! Where bytes lie: in the file, in memory, packed inside the file.

use std::cell::RefCell;
use std::io::{self, BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use flate2::read::{DeflateDecoder, MultiGzDecoder};

use crate::labels::LabelError;
use crate::labels::file::{check_ratio, open, read_error};

/// Bytes that may be held in memory of one array that cannot be read in order.
pub(super) const MOST_HELD: u64 = 256 << 20;

/// A file, or bytes in place of one. Clones share the opened file, each with a position of its own.
#[derive(Clone)]
pub(super) struct Input {
    pub path: Arc<Path>,
    pub size: u64,
    from: Rc<RefCell<Box<dyn ReadSeek>>>,
}

pub(super) trait ReadSeek: Read + Seek {}
impl<T: Read + Seek> ReadSeek for T {}

impl Input {
    pub fn open(path: &Arc<Path>) -> Result<Self, LabelError> {
        let (file, size) = open(path)?;
        Ok(Self {
            path: Arc::clone(path),
            size,
            from: Rc::new(RefCell::new(Box::new(file))),
        })
    }

    pub fn of_bytes(path: &Arc<Path>, bytes: Vec<u8>) -> Self {
        Self {
            path: Arc::clone(path),
            size: bytes.len() as u64,
            from: Rc::new(RefCell::new(Box::new(Cursor::new(bytes)))),
        }
    }

    /// All of it.
    pub fn whole(&self) -> Held {
        Held::File {
            start: 0,
            len: self.size,
        }
    }

    /// Reads of a part; one that leads beyond the end ends there.
    pub fn part(&self, start: u64, len: u64) -> Part {
        let start = start.min(self.size);
        Part {
            input: self.clone(),
            start,
            end: start.saturating_add(len).min(self.size),
            position: start,
        }
    }

    /// Up to so many bytes from the beginning.
    pub fn head(&self, len: u64) -> Result<Vec<u8>, LabelError> {
        let mut bytes = Vec::new();
        self.part(0, len)
            .read_to_end(&mut bytes)
            .map_err(|error| read_error(&error))?;
        Ok(bytes)
    }

    /// Whether it is gzipped.
    pub fn is_gzip(&self) -> Result<bool, LabelError> {
        Ok(self.head(2)? == [0x1f, 0x8b])
    }
}

/// A part of a file.
pub(super) struct Part {
    input: Input,
    start: u64,
    end: u64,
    position: u64,
}

impl Read for Part {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.end.saturating_sub(self.position)).unwrap_or(usize::MAX);
        let most = most.min(buffer.len());
        let Some(buffer) = buffer.get_mut(..most).filter(|b| !b.is_empty()) else {
            return Ok(0);
        };
        let mut from = self.input.from.borrow_mut();
        from.seek(SeekFrom::Start(self.position))?;
        let got = from.read(buffer)?;
        self.position += got as u64;
        Ok(got)
    }
}

impl Seek for Part {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let target = match to {
            SeekFrom::Start(n) => self.start.checked_add(n),
            SeekFrom::End(n) => self.end.checked_add_signed(n),
            SeekFrom::Current(n) => self.position.checked_add_signed(n),
        };
        let target = target
            .filter(|&t| t >= self.start)
            .ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        self.position = target;
        Ok(target - self.start)
    }
}

/// Bytes somewhere.
#[derive(Clone, Debug)]
pub(super) enum Held {
    /// In the file as they are.
    File { start: u64, len: u64 },
    /// In memory.
    Memory {
        bytes: Arc<[u8]>,
        start: u64,
        len: u64,
    },
    /// Packed in the file: this many bytes from here on, a gzip stream or a bare deflate stream.
    Packed { start: u64, len: u64, gzip: bool },
    /// Bytes that were written as a UTF-8 text, one character a byte.
    Latin1(Box<Held>),
}

impl Held {
    pub fn memory(bytes: Vec<u8>) -> Self {
        Self::Memory {
            start: 0,
            len: bytes.len() as u64,
            bytes: bytes.into(),
        }
    }

    /// How many bytes; not known of packed ones.
    pub fn len(&self) -> Option<u64> {
        match self {
            Self::File { len, .. } | Self::Memory { len, .. } => Some(*len),
            Self::Packed { .. } | Self::Latin1(_) => None,
        }
    }

    /// A part of them; `None` where it leads beyond their end, or they are packed.
    pub fn sub(&self, at: u64, part: u64) -> Option<Self> {
        if at.checked_add(part)? > self.len()? {
            return None;
        }
        match self {
            Self::File { start, .. } => Some(Self::File {
                start: start.checked_add(at)?,
                len: part,
            }),
            Self::Memory { bytes, start, .. } => Some(Self::Memory {
                bytes: Arc::clone(bytes),
                start: start.checked_add(at)?,
                len: part,
            }),
            Self::Packed { .. } | Self::Latin1(_) => None,
        }
    }

    /// The byte of the file where they begin, where they lie there as they are.
    pub fn in_file(&self) -> Option<u64> {
        match self {
            Self::File { start, .. } => Some(*start),
            _ => None,
        }
    }

    /// Reads them from a byte on. What unpacks to too much fails with an error that `read_error` knows.
    pub fn reader(&self, input: &Input, skip: u64) -> io::Result<Box<dyn Read>> {
        Ok(match self {
            Self::File { start, len } => Box::new(BufReader::with_capacity(
                1 << 16,
                input.part(start.saturating_add(skip), len.saturating_sub(skip)),
            )),
            Self::Memory { .. } => {
                let mut all = self.seekable(input);
                all.seek(SeekFrom::Start(skip))?;
                Box::new(all)
            }
            Self::Latin1(text) => {
                let mut bytes = Latin1 {
                    text: BufReader::new(text.reader(input, 0)?),
                };
                io::copy(&mut (&mut bytes).take(skip), &mut io::sink())?;
                Box::new(bytes)
            }
            Self::Packed { start, len, gzip } => {
                let part = BufReader::with_capacity(1 << 16, input.part(*start, *len));
                let inner: Box<dyn Read> = if *gzip {
                    Box::new(MultiGzDecoder::new(part))
                } else {
                    Box::new(DeflateDecoder::new(part))
                };
                let mut unpacked = Unpacking {
                    inner,
                    packed: (*len).min(input.size),
                    given: 0,
                };
                io::copy(&mut (&mut unpacked).take(skip), &mut io::sink())?;
                Box::new(unpacked)
            }
        })
    }

    /// Reads and seeks in bytes that are not packed; of packed ones there are none.
    pub fn seekable(&self, input: &Input) -> Box<dyn ReadSeek> {
        match self {
            Self::File { start, len } => {
                Box::new(BufReader::with_capacity(1 << 16, input.part(*start, *len)))
            }
            Self::Memory { bytes, start, len } => Box::new(Cursor::new(Slice {
                bytes: Arc::clone(bytes),
                start: *start as usize,
                len: *len as usize,
            })),
            Self::Packed { .. } | Self::Latin1(_) => Box::new(Cursor::new([])),
        }
    }

    /// All of them in memory.
    ///
    /// # Errors
    /// Where they are more than the limit, or cannot be read.
    pub fn load(&self, input: &Input, limit: u64) -> Result<Vec<u8>, LabelError> {
        if let Some(size) = self.len().filter(|&len| len > limit) {
            return Err(LabelError::TooLarge { size, limit });
        }
        let mut bytes = Vec::new();
        self.reader(input, 0)
            .and_then(|from| from.take(limit + 1).read_to_end(&mut bytes))
            .map_err(|error| read_error(&error))?;
        if bytes.len() as u64 > limit {
            return Err(LabelError::UnpacksTooLarge { limit });
        }
        Ok(bytes)
    }

    /// The same bytes, not packed any more: read into memory where they were.
    pub fn unpacked(self, input: &Input, limit: u64) -> Result<Self, LabelError> {
        match self {
            Self::Packed { .. } => Ok(Self::memory(self.load(input, limit)?)),
            other => Ok(other),
        }
    }
}

/// Bytes out of a text of characters below 256.
struct Latin1<R> {
    text: BufReader<R>,
}

impl<R: Read> Read for Latin1<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut next = || -> io::Result<Option<u8>> {
            let mut byte = [0];
            Ok((self.text.read(&mut byte)? == 1).then_some(byte[0]))
        };
        let mut filled = 0;
        for slot in buffer {
            let Some(first) = next()? else { break };
            *slot = if first < 0x80 {
                first
            } else {
                let second = next()?.unwrap_or_default();
                (first & 0x03) << 6 | (second & 0x3f)
            };
            filled += 1;
        }
        Ok(filled)
    }
}

struct Slice {
    bytes: Arc<[u8]>,
    start: usize,
    len: usize,
}

impl AsRef<[u8]> for Slice {
    fn as_ref(&self) -> &[u8] {
        let end = self.start.saturating_add(self.len);
        self.bytes.get(self.start..end).unwrap_or_default()
    }
}

struct Unpacking {
    inner: Box<dyn Read>,
    packed: u64,
    given: u64,
}

impl Read for Unpacking {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let got = self.inner.read(buffer)?;
        self.given += got as u64;
        check_ratio(self.packed, self.given)?;
        Ok(got)
    }
}

/// Reads until the buffer is full or the bytes end; a packed stream that breaks off counts as its end.
pub(super) fn fill(from: &mut dyn Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match from.read(rest) {
            Ok(0) => break,
            Ok(got) => filled += got,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => break,
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// Something in a file breaks the rules of its format.
pub(super) fn malformed(said: impl Into<String>) -> LabelError {
    LabelError::Malformed {
        said: said.into(),
        line: None,
        byte: None,
    }
}

/// Something at a byte breaks the rules of its format.
pub(super) fn malformed_at(said: impl Into<String>, byte: u64) -> LabelError {
    LabelError::Malformed {
        said: said.into(),
        line: None,
        byte: Some(byte),
    }
}
