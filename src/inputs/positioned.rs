//! Positioned reads of one open file, from several threads at once.

use std::fs::File;
use std::io;
use std::path::Path;

use super::{InputError, open_regular};

/// A file that is open for positioned reads. It has no cursor, so threads do not disturb each other.
#[derive(Debug)]
pub struct PositionedFile {
    file: File,
    /// Its size in bytes when it was opened.
    pub size: u64,
}

impl PositionedFile {
    /// Opens a regular file.
    ///
    /// # Errors
    /// Where it is no regular file, not there, or refused.
    pub fn open(path: &Path) -> Result<Self, InputError> {
        let (file, size) = open_regular(path)?;
        Ok(Self { file, size })
    }

    /// Fills the buffer from this byte on.
    ///
    /// # Errors
    /// Where the bytes are not there (any more).
    pub fn read_exact_at(&self, mut offset: u64, mut buffer: &mut [u8]) -> io::Result<()> {
        while !buffer.is_empty() {
            let got = match self.read_at(offset, buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                result => result?,
            };
            if got == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            offset += got as u64;
            buffer = buffer.get_mut(got..).unwrap_or_default();
        }
        Ok(())
    }

    #[cfg(unix)]
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(&self.file, buffer, offset)
    }

    #[cfg(windows)]
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        std::os::windows::fs::FileExt::seek_read(&self.file, buffer, offset)
    }
}
