//! Reading a log's bytes, block by block.

use std::fs::File;
use std::hash::{DefaultHasher, Hasher as _};
use std::io::{Read, Seek as _, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::{InputError, Recognised, inspect};
use crate::crash_log::{Facts, LineIndex, Scanner};

/// Bytes from which a file is recognised.
pub(super) const HEAD_BYTES: usize = 64 * 1024;

/// Bytes read at a time.
const BLOCK_BYTES: usize = 1 << 20;

/// How much a file may grow while it is read before the rest is left unread: a log that is written faster than it is read must end.
/// Also bounds files that claim to be empty and are not, as under `/proc`.
const MOST_GROWTH: u64 = 256 << 20;

/// Between two reports of progress.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(50);

/// How far a read is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadProgress {
    /// Bytes read.
    pub read: u64,
    /// Bytes in all, where known.
    pub total: Option<u64>,
}

/// A log that was read.
#[derive(Clone, Debug)]
pub struct ReadLog {
    /// What the file was taken for.
    pub recognised: Recognised,
    /// What it says, as far as it was read.
    pub facts: Facts,
    /// Where its lines begin.
    pub lines: LineIndex,
    /// A hash of its bytes: two logs with the same one are one log.
    pub digest: u64,
    /// Why it was not read to its end, where it was not.
    pub error: Option<InputError>,
}

impl ReadLog {
    /// The log of a run that printed nothing.
    pub fn empty() -> Self {
        let (facts, lines) = Scanner::new().finish();
        Self {
            recognised: Recognised::plain(super::InputKind::Log),
            facts,
            lines,
            digest: DefaultHasher::new().finish(),
            error: None,
        }
    }
}

/// Reads a log to its facts.
///
/// # Errors
/// Where nothing of it can be used. A file that fails on the way gives what was read before.
pub fn read_log(
    path: &Path,
    cancel: &AtomicBool,
    progress: &mut dyn FnMut(ReadProgress),
) -> Result<ReadLog, InputError> {
    let recognised = super::inspect_file(path)?;
    check(recognised)?;
    read_as_log(path, recognised, cancel, progress)
}

/// Reads what is known to be the output of a run, whatever it looks like.
///
/// # Errors
/// As [`read_log`], but for what the content is taken for.
pub fn read_output(
    path: &Path,
    cancel: &AtomicBool,
    progress: &mut dyn FnMut(ReadProgress),
) -> Result<ReadLog, InputError> {
    let found = super::inspect_file(path)?;
    let recognised = match check(found) {
        Ok(()) => found,
        Err(_) => Recognised::plain(super::InputKind::Log),
    };
    read_as_log(path, recognised, cancel, progress)
}

fn read_as_log(
    path: &Path,
    recognised: Recognised,
    cancel: &AtomicBool,
    progress: &mut dyn FnMut(ReadProgress),
) -> Result<ReadLog, InputError> {
    let (mut file, expected) = open_regular(path)?;
    let mut scanner = Scanner::new();
    let mut digest = DefaultHasher::new();
    let mut reported = Reported::default();
    let mut block = vec![0; BLOCK_BYTES];
    let mut read = 0_u64;
    let mut blank = true;
    let mut error = None;
    while read < expected.saturating_add(MOST_GROWTH) {
        if cancel.load(Ordering::Relaxed) {
            return Err(InputError::Cancelled);
        }
        match file.read(&mut block) {
            Ok(0) => break,
            Ok(count) => {
                let bytes = block.get(..count).unwrap_or_default();
                blank = blank && is_blank(bytes);
                scanner.push(bytes);
                digest.write(bytes);
                read += count as u64;
                reported.report(
                    ReadProgress {
                        read,
                        total: (expected > 0).then_some(expected.max(read)),
                    },
                    progress,
                );
            }
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
            Err(e) => {
                error = Some(InputError::from(e));
                break;
            }
        }
    }
    if error.is_none() && read < expected {
        error = Some(InputError::ChangedWhileRead { read, expected });
    }
    if blank {
        return Err(error.unwrap_or(InputError::Empty));
    }
    let (facts, lines) = scanner.finish();
    Ok(ReadLog {
        recognised,
        facts,
        lines,
        digest: digest.finish(),
        error,
    })
}

/// Reads a log from a pipe to its end, without keeping it, and tells what it was taken for: there is no name, so only the content
/// decides. A pipe that breaks gives what came before.
pub fn read_stream(
    from: &mut dyn Read,
    cancel: &AtomicBool,
) -> (Recognised, Result<ReadLog, InputError>) {
    let mut ends = Ends::default();
    let mut digest = DefaultHasher::new();
    let scanned = scan_stream(from, cancel, &mut ends, &mut digest);
    let recognised = ends.recognise_all();
    let read = scanned.and_then(|(scanner, error)| {
        check(recognised)?;
        let (facts, lines) = scanner.finish();
        Ok(ReadLog {
            recognised,
            facts,
            lines,
            digest: digest.finish(),
            error,
        })
    });
    (recognised, read)
}

fn scan_stream(
    from: &mut dyn Read,
    cancel: &AtomicBool,
    ends: &mut Ends,
    digest: &mut DefaultHasher,
) -> Result<(Scanner, Option<InputError>), InputError> {
    let mut scanner = Scanner::new();
    let mut block = vec![0; BLOCK_BYTES];
    let error = loop {
        if cancel.load(Ordering::Relaxed) {
            return Err(InputError::Cancelled);
        }
        match from.read(&mut block) {
            Ok(0) => break None,
            Ok(count) => {
                let bytes = block.get(..count).unwrap_or_default();
                ends.push(bytes);
                digest.write(bytes);
                // Bytes without any meaning get none later; waiting for their end could take for ever.
                if ends.is_no_text() {
                    return Err(InputError::NotText);
                }
                scanner.push(bytes);
            }
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
            Err(e) => break Some(InputError::from(e)),
        }
    };
    if ends.is_blank {
        return Err(error.unwrap_or(InputError::Empty));
    }
    Ok((scanner, error))
}

/// The first and the last bytes of a stream.
struct Ends {
    head: Vec<u8>,
    tail: Vec<u8>,
    /// Nothing but blanks came.
    is_blank: bool,
    judged: bool,
    bytes: u64,
}

impl Default for Ends {
    fn default() -> Self {
        Self {
            head: Vec::new(),
            tail: Vec::new(),
            is_blank: true,
            judged: false,
            bytes: 0,
        }
    }
}

impl Ends {
    fn push(&mut self, bytes: &[u8]) {
        self.is_blank = self.is_blank && is_blank(bytes);
        let missing = HEAD_BYTES - self.head.len();
        self.head
            .extend_from_slice(bytes.get(..missing.min(bytes.len())).unwrap_or_default());
        let end = bytes
            .get(bytes.len().saturating_sub(HEAD_BYTES)..)
            .unwrap_or_default();
        self.tail.extend_from_slice(end);
        self.bytes += bytes.len() as u64;
        // An even number of bytes goes, so that those of a UTF-16 character stay together.
        if self.tail.len() > 4 * HEAD_BYTES {
            let mut surplus = self.tail.len() - HEAD_BYTES;
            let begins_at = self.bytes - self.tail.len() as u64;
            surplus -= usize::from(!(begins_at + surplus as u64).is_multiple_of(2));
            self.tail.drain(..surplus);
        }
    }

    /// The head is whole, and bytes without any meaning. Decided once.
    fn is_no_text(&mut self) -> bool {
        if self.judged || self.head.len() < HEAD_BYTES {
            return false;
        }
        self.judged = true;
        check(self.recognise()) == Err(InputError::NotText)
    }

    fn recognise(&self) -> Recognised {
        inspect(Path::new(""), &self.head)
    }

    fn recognise_all(&self) -> Recognised {
        super::kind::judged_by_end(self.recognise(), &self.head, &self.tail)
    }
}

/// Whether bytes are nothing but blanks and byte order marks.
pub(super) fn is_blank(bytes: &[u8]) -> bool {
    bytes
        .iter()
        .all(|byte| byte.is_ascii_whitespace() || matches!(byte, 0xEF | 0xBB | 0xBF | 0xFE | 0xFF))
}

/// Reads a log that is in memory already; its name is empty, so only the content tells what it is.
///
/// # Errors
/// Where it is empty, not text, or something else than a log.
pub fn read_bytes(bytes: &[u8], cancel: &AtomicBool) -> Result<ReadLog, InputError> {
    if is_blank(bytes) {
        return Err(InputError::Empty);
    }
    let mut ends = Ends::default();
    ends.push(bytes);
    let recognised = ends.recognise_all();
    check(recognised)?;
    let mut digest = DefaultHasher::new();
    digest.write(bytes);
    let mut scanner = Scanner::new();
    for block in bytes.chunks(BLOCK_BYTES) {
        if cancel.load(Ordering::Relaxed) {
            return Err(InputError::Cancelled);
        }
        scanner.push(block);
    }
    let (facts, lines) = scanner.finish();
    Ok(ReadLog {
        recognised,
        facts,
        lines,
        digest: digest.finish(),
        error: None,
    })
}

fn check(recognised: Recognised) -> Result<(), InputError> {
    use super::{Format, InputKind};
    match recognised.kind {
        kind if kind.is_read() => Ok(()),
        // A packed file is known for what it is; only bytes without any meaning are "not text".
        InputKind::Unknown if recognised.format == Format::Plain => Err(InputError::NotText),
        _ => Err(InputError::NotALog),
    }
}

/// Positioned reads of one file for the log view. The file is opened for each read and closed after it, so that the user can
/// delete or rename it at any time.
#[derive(Clone, Debug)]
pub struct BlockReader {
    path: PathBuf,
}

impl BlockReader {
    /// The most bytes that one read gives.
    pub const MOST_BYTES: u64 = 16 << 20;

    /// Reads of this file.
    pub fn new(path: PathBuf) -> Self {
        Self { path }
    }

    /// The bytes of a range, at most [`Self::MOST_BYTES`] of them.
    ///
    /// # Errors
    /// Where the file cannot be opened any more or has become shorter.
    pub fn read(&self, range: Range<u64>) -> Result<Vec<u8>, InputError> {
        let wanted = range.end.saturating_sub(range.start).min(Self::MOST_BYTES);
        let (mut file, size) = open_regular(&self.path)?;
        file.seek(SeekFrom::Start(range.start))?;
        let bytes = read_some(&mut file, wanted as usize)?;
        if (bytes.len() as u64) < wanted {
            return Err(InputError::ChangedWhileRead {
                read: size,
                expected: range.end,
            });
        }
        Ok(bytes)
    }
}

/// Opens a regular file and tells its size. What could make a read wait for ever is not opened at all.
pub(crate) fn open_regular(path: &Path) -> Result<(File, u64), InputError> {
    if names_device(path) {
        return Err(InputError::Device);
    }
    let metadata = std::fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(InputError::Folder { logs: Vec::new() });
    }
    if !metadata.is_file() {
        return Err(InputError::Device);
    }
    let file = File::open(path)?;
    Ok((file, metadata.len()))
}

/// Names that Windows gives to devices in every folder, with any extension.
fn names_device(path: &Path) -> bool {
    if !cfg!(windows) {
        return false;
    }
    if path.to_string_lossy().starts_with(r"\\.\") {
        return true;
    }
    is_device_name(&path.file_name().unwrap_or_default().to_string_lossy())
}

fn is_device_name(name: &str) -> bool {
    let stem = name.split(['.', ':']).next().unwrap_or_default().trim_end();
    let stem = stem.to_ascii_uppercase();
    let numbered = |prefix: &str| {
        stem.strip_prefix(prefix).is_some_and(|rest| {
            matches!(rest.as_bytes(), [b'0'..=b'9']) || matches!(rest, "¹" | "²" | "³")
        })
    };
    matches!(
        stem.as_str(),
        "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$"
    ) || numbered("COM")
        || numbered("LPT")
}

/// Reads up to so many bytes.
pub(super) fn read_some(file: &mut File, bytes: usize) -> Result<Vec<u8>, InputError> {
    let mut buffer = Vec::new();
    file.take(bytes as u64).read_to_end(&mut buffer)?;
    Ok(buffer)
}

/// The last bytes of a file, as many as of its head.
pub(super) fn read_tail(file: &mut File, size: u64) -> Result<Vec<u8>, InputError> {
    // An even offset keeps the two bytes of a UTF-16 character together.
    let start = size.saturating_sub(HEAD_BYTES as u64) & !1;
    file.seek(SeekFrom::Start(start))?;
    read_some(file, HEAD_BYTES)
}

/// When progress was last reported.
#[derive(Default)]
struct Reported(Option<Instant>);

impl Reported {
    fn report(&mut self, now: ReadProgress, progress: &mut dyn FnMut(ReadProgress)) {
        if self
            .0
            .is_none_or(|last| last.elapsed() >= PROGRESS_INTERVAL)
        {
            self.0 = Some(Instant::now());
            progress(now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_device_name;

    #[test]
    fn windows_devices_are_known_by_name() {
        for (name, expected) in [
            ("NUL", true),
            ("nul.txt", true),
            ("con", true),
            ("Com7.log", true),
            ("LPT1:", true),
            ("CONIN$", true),
            ("AUX ", true),
            ("console.log", false),
            ("COM.log", false),
            ("com10.log", false),
            ("null.log", false),
            ("", false),
        ] {
            assert_eq!(is_device_name(name), expected, "{name}");
        }
    }
}
