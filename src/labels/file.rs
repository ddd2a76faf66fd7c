//! Opening label files: regular files only, every size bounded, packed ones unpacked as they are read.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::read::MultiGzDecoder;

use super::LabelError;
use crate::inputs::{InputError, open_regular};

/// Bytes that one packed file may unpack to.
pub(crate) const MOST_UNPACKED: u64 = 8 << 30;
/// From this size on the ratio counts, too: no label file packs a thousand to one.
const RATIO_FROM: u64 = 256 << 20;
const MOST_RATIO: u64 = 1000;

/// Opens a file for reading.
///
/// # Errors
/// Where it is no regular file, not there, or refused.
pub(crate) fn open(path: &Path) -> Result<(File, u64), LabelError> {
    Ok(open_regular(path)?)
}

/// The whole of a file that must be small.
///
/// # Errors
/// Where it cannot be read, or is larger than the limit.
pub(crate) fn read_whole(path: &Path, limit: u64) -> Result<Vec<u8>, LabelError> {
    let (file, size) = open(path)?;
    if size > limit {
        return Err(LabelError::TooLarge { size, limit });
    }
    let mut bytes = Vec::with_capacity(size as usize);
    file.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A file's bytes, unpacked where it is gzipped.
///
/// # Errors
/// Where it cannot be opened. Reading fails with [`is_too_large`] where it unpacks to more than the limits.
pub(crate) fn open_unpacked(path: &Path) -> Result<Unpacked, LabelError> {
    let (mut file, size) = open(path)?;
    let mut magic = [0; 2];
    let got = file.read(&mut magic)?;
    let head = magic.get(..got).unwrap_or_default().to_vec();
    let consumed = Arc::new(AtomicU64::new(0));
    let counted = Counted {
        inner: io::Cursor::new(head).chain(BufReader::with_capacity(1 << 16, file)),
        count: Arc::clone(&consumed),
    };
    let packed = magic == [0x1f, 0x8b];
    let inner: Box<dyn Read + Send> = if packed {
        Box::new(MultiGzDecoder::new(counted))
    } else {
        Box::new(counted)
    };
    Ok(Unpacked {
        inner,
        consumed,
        size,
        packed,
        given: 0,
    })
}

/// The bytes of a file as they are meant, packed or not.
pub(crate) struct Unpacked {
    inner: Box<dyn Read + Send>,
    consumed: Arc<AtomicU64>,
    /// Size of the file itself.
    pub size: u64,
    /// It is gzipped.
    pub packed: bool,
    given: u64,
}

impl Unpacked {
    /// Bytes of the file itself that were read so far, for progress.
    pub fn consumed(&self) -> u64 {
        self.consumed.load(Ordering::Relaxed)
    }
}

impl Read for Unpacked {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let got = self.inner.read(buf)?;
        self.given += got as u64;
        if self.packed {
            check_ratio(self.consumed(), self.given)?;
        }
        Ok(got)
    }
}

/// Fails once something unpacks to more than is sane.
///
/// # Errors
/// [`is_too_large`] tells this error.
pub(crate) fn check_ratio(packed: u64, unpacked: u64) -> io::Result<()> {
    let bomb = unpacked > MOST_UNPACKED
        || (unpacked > RATIO_FROM && unpacked / MOST_RATIO > packed.max(1));
    if bomb {
        Err(io::Error::new(io::ErrorKind::FileTooLarge, TOO_LARGE))
    } else {
        Ok(())
    }
}

const TOO_LARGE: &str = "unpacks to more than the limit";

/// What an error of reading means: the limit of unpacking, a packed stream that ends early, or the system's.
pub(crate) fn read_error(error: &io::Error) -> LabelError {
    match error.kind() {
        io::ErrorKind::FileTooLarge => LabelError::UnpacksTooLarge { limit: RATIO_FROM },
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => LabelError::Malformed {
            said: error.to_string(),
            line: None,
            byte: None,
        },
        io::ErrorKind::NotFound => LabelError::Input(InputError::NotFound),
        io::ErrorKind::PermissionDenied => LabelError::Input(InputError::AccessDenied),
        _ => LabelError::Input(InputError::System(error.to_string())),
    }
}

struct Counted<R> {
    inner: R,
    count: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let got = self.inner.read(buf)?;
        self.count.fetch_add(got as u64, Ordering::Relaxed);
        Ok(got)
    }
}
