//! Following a run from outside, from its folder alone.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use super::folder::{self, name};
use super::supervise::log_file::Gap;
use super::supervise::times::Entry;
use super::{MemorySample, RunProblem, RunRecord, RunStatus, StreamName};

/// Bytes of the log read in one look; counting its lines is quick.
const BUDGET: u64 = 64 * 1024 * 1024;

/// Bytes read in one go.
const PIECE: usize = 1024 * 1024;

/// Bytes of a line that are given.
const LONGEST: usize = 64 * 1024;

/// Bytes of all lines given in one look.
const MOST_BYTES: usize = 16 * 1024 * 1024;

/// Samples given in one look.
const MOST_SAMPLES: usize = 20_000;

/// How long a supervisor may take to begin, in milliseconds.
const BEGINS: u64 = 15_000;

/// Follows a run's folder. To attach again after a restart, make a new one.
#[derive(Debug)]
pub struct Follower {
    folder: PathBuf,
    record: RunRecord,
    status: RunStatus,
    log: LogPosition,
    times: TimesPosition,
    samples: u64,
}

/// What is new since the last look.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Update {
    /// Lines that were completed, oldest first.
    pub lines: Vec<NewLine>,
    /// Lines before the first of [`Update::lines`] that are not given, because there were too many or they are no longer there.
    pub skipped: u64,
    /// There is more to read at once.
    pub more: bool,
    /// How it stands now.
    pub status: RunStatus,
    /// Samples that were added.
    pub samples: Vec<MemorySample>,
    /// Whether somebody looks after it.
    pub supervision: Supervision,
}

/// A line of the output.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewLine {
    /// Its number in `output.log`, from 1; while output is being left out it counts every line printed.
    pub number: u64,
    /// When it was completed, in milliseconds since the command was started, to within 100.
    pub ms: u64,
    /// Where it came from.
    pub stream: StreamName,
    /// Its bytes as printed without its end; a long one is cut after 64 KiB.
    pub bytes: Vec<u8>,
}

/// Whether somebody looks after a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Supervision {
    /// The supervisor is only just being started.
    #[default]
    Starting,
    /// It lives.
    Lives,
    /// The run is over.
    Over,
    /// It is gone and has not said how the run ended: it was killed, or the machine went down.
    Gone,
}

impl Follower {
    /// Attaches to a run.
    ///
    /// # Errors
    /// The folder is not that of a run, or cannot be read.
    pub fn open(folder: &Path) -> Result<Self, RunProblem> {
        let record = folder::read_record(folder).map_err(|error| RunProblem::NoFolder {
            folder: folder.to_owned(),
            said: error.to_string(),
        })?;
        Ok(Self {
            folder: folder.to_owned(),
            record,
            status: RunStatus::default(),
            log: LogPosition::default(),
            times: TimesPosition::default(),
            samples: 0,
        })
    }

    /// What is run.
    pub fn record(&self) -> &RunRecord {
        &self.record
    }

    /// The run's folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What is new: at most `most` lines, the newest where there are more. Reads a bounded amount, and never waits.
    ///
    /// What cannot be read just now (the folder is on a disk that is away) is as if it were not there yet.
    pub fn poll(&mut self, most: usize) -> Update {
        // In this order: whoever is over before the log is read to its end has nothing more to write.
        let alive = folder::is_alive(&self.folder);
        if let Ok(status) = folder::read_json(&self.folder, name::STATUS) {
            self.status = status;
        }
        if alive
            && self.record.supervisor == 0
            && let Ok(record) = folder::read_record(&self.folder)
        {
            self.record = record;
        }
        let supervision = self.supervision(alive);
        let over = matches!(supervision, Supervision::Over | Supervision::Gone);
        let mut taken = self.log.read(&self.folder, most, over);
        if taken.renumbered {
            self.times = TimesPosition::default();
        }
        if let (Some(first), Some(last)) = (taken.lines.front(), taken.lines.back()) {
            self.times.read(&self.folder, first.number, last.number);
            for line in &mut taken.lines {
                (line.ms, line.stream) = self.times.of(line.number);
            }
        }
        if supervision == Supervision::Gone && self.status.problem.is_none() {
            self.status.problem = Some(RunProblem::SupervisorGone);
        }
        Update {
            lines: taken.lines.into(),
            skipped: taken.skipped,
            more: taken.more,
            status: self.status.clone(),
            samples: self.new_samples(),
            supervision,
        }
    }

    fn supervision(&self, alive: bool) -> Supervision {
        if self.status.state.is_over() {
            return Supervision::Over;
        }
        if alive {
            return Supervision::Lives;
        }
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |since| since.as_millis() as u64);
        let young = now.saturating_sub(self.record.started_ms) < BEGINS;
        if young && self.record.supervisor == 0 {
            Supervision::Starting
        } else {
            Supervision::Gone
        }
    }

    /// Samples that were added; half a line at the end waits for its rest.
    fn new_samples(&mut self) -> Vec<MemorySample> {
        let mut samples = Vec::new();
        let Ok(bytes) = piece(&self.folder.join(name::SAMPLES), self.samples) else {
            return samples;
        };
        let mut rest = bytes.as_slice();
        while let Some(end) = memchr::memchr(b'\n', rest) {
            if samples.len() >= MOST_SAMPLES {
                break;
            }
            let (line, after) = rest.split_at(end + 1);
            self.samples += line.len() as u64;
            if let Ok(sample) = serde_json::from_slice(line) {
                samples.push(sample);
            }
            rest = after;
        }
        samples
    }
}

/// The next bytes of a file, at most a piece.
fn piece(path: &Path, from: u64) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.take(PIECE as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// How far the log has been read. While output is left out, the newest of it stands in files of its own.
#[derive(Debug, Default)]
struct LogPosition {
    /// Bytes and lines given or skipped, in all that was printed.
    bytes: u64,
    lines: u64,
    /// The file being read and where in it; `None`: `output.log`.
    part: Option<Part>,
    /// Where in `output.log`.
    offset: u64,
    /// The line that is not complete yet in the file.
    begun: Vec<u8>,
}

/// A file of the newest output, as its name says.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    bytes: u64,
    lines: u64,
    path: PathBuf,
}

#[derive(Default)]
struct Taken {
    lines: VecDeque<NewLine>,
    held: usize,
    skipped: u64,
    more: bool,
    renumbered: bool,
}

impl Taken {
    fn line(&mut self, number: u64, bytes: &[u8], most: usize) {
        let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        let bytes = bytes.get(..LONGEST).unwrap_or(bytes).to_vec();
        self.held += bytes.len();
        self.lines.push_back(NewLine {
            number,
            bytes,
            ..NewLine::default()
        });
        while self.lines.len() > most || self.held > MOST_BYTES {
            let Some(oldest) = self.lines.pop_front() else {
                break;
            };
            self.held -= oldest.bytes.len();
            self.skipped += 1;
        }
    }
}

impl LogPosition {
    fn read(&mut self, folder: &Path, most: usize, over: bool) -> Taken {
        let mut taken = Taken::default();
        let mut budget = BUDGET;
        loop {
            let (path, offset) = self.place(folder);
            match piece(&path, offset) {
                Ok(bytes) if !bytes.is_empty() => {
                    self.take(&bytes, most, &mut taken);
                    budget = budget.saturating_sub(bytes.len() as u64);
                    if budget == 0 {
                        taken.more = true;
                        return taken;
                    }
                }
                // The end of this file: it goes on in the next, where there is one.
                Ok(_) | Err(_) => {
                    if !self.turn(folder, &mut taken) {
                        break;
                    }
                }
            }
        }
        if over && !self.begun.is_empty() {
            // The last line has no line feed.
            self.lines += 1;
            let last = std::mem::take(&mut self.begun);
            taken.line(self.lines, &last, most);
        }
        taken
    }

    /// The file to read, and from where.
    fn place(&self, folder: &Path) -> (PathBuf, u64) {
        match &self.part {
            Some(part) => (part.path.clone(), self.bytes.saturating_sub(part.bytes)),
            None => (folder.join(name::LOG), self.offset),
        }
    }

    fn take(&mut self, bytes: &[u8], most: usize, taken: &mut Taken) {
        self.bytes += bytes.len() as u64;
        if self.part.is_none() {
            self.offset += bytes.len() as u64;
        }
        let mut rest = bytes;
        // Of many lines only the newest are made.
        let feeds = memchr::memchr_iter(b'\n', bytes).count();
        let mut unseen = feeds.saturating_sub(most);
        while let Some(end) = memchr::memchr(b'\n', rest) {
            let (line, after) = rest.split_at(end + 1);
            rest = after;
            self.lines += 1;
            if unseen > 0 {
                unseen -= 1;
                taken.skipped += 1;
            } else if self.begun.is_empty() {
                taken.line(self.lines, line, most);
            } else {
                let room = (2 * LONGEST).saturating_sub(self.begun.len());
                self.begun
                    .extend_from_slice(line.get(..room).unwrap_or(line));
                taken.line(self.lines, &self.begun, most);
            }
            self.begun.clear();
        }
        let room = (2 * LONGEST).saturating_sub(self.begun.len());
        self.begun
            .extend_from_slice(rest.get(..room).unwrap_or(rest));
    }

    /// Goes on in the next file. Gives whether there is more to read.
    fn turn(&mut self, folder: &Path, taken: &mut Taken) -> bool {
        let parts = parts(folder);
        // It may have grown just before the next file was begun.
        let (path, offset) = self.place(folder);
        if fs::metadata(&path).is_ok_and(|file| file.len() > offset) {
            return true;
        }
        if self.part.is_none() && folder.join(name::GAP).exists() {
            // It is being put together; what is missing will come here.
            return false;
        }
        if let Some(next) = parts
            .iter()
            .rev()
            .find(|part| part.bytes <= self.bytes)
            .or_else(|| parts.first())
        {
            if self.part.as_ref() == Some(next) {
                return false;
            }
            if next.bytes > self.bytes {
                // What stood between was deleted before it was read.
                taken.skipped += next.lines.saturating_sub(self.lines);
                self.bytes = next.bytes;
                self.lines = next.lines;
                self.begun.clear();
            }
            self.part = Some(next.clone());
            return true;
        }
        if self.part.is_none() {
            return false;
        }
        // The parts have become one file again, perhaps with a line for what is left out.
        let gap: Gap = folder::read_json(folder, name::GAP).unwrap_or_default();
        self.part = None;
        self.offset = if gap.bytes == 0 || self.bytes <= gap.head {
            self.bytes
        } else if self.bytes >= gap.head + gap.bytes {
            taken.renumbered = true;
            self.lines = self.lines.saturating_sub(gap.lines) + 1;
            self.bytes - gap.bytes + gap.marker
        } else {
            taken.renumbered = true;
            taken.skipped += (gap.head_lines + gap.lines).saturating_sub(self.lines);
            self.lines = gap.head_lines;
            self.begun.clear();
            gap.head
        };
        self.bytes = self.offset;
        true
    }
}

/// The files of the newest output, oldest first.
fn parts(folder: &Path) -> Vec<Part> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut parts: Vec<Part> = entries
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let (bytes, lines) = name
                .strip_prefix("output-")?
                .strip_suffix(".part")?
                .split_once('-')?;
            Some(Part {
                bytes: bytes.parse().ok()?,
                lines: lines.parse().ok()?,
                path: entry.path(),
            })
        })
        .collect();
    parts.sort();
    parts
}

/// How far the times have been read.
#[derive(Debug, Default)]
struct TimesPosition {
    offset: u64,
    /// Entries that lines still to come may need, oldest first.
    entries: VecDeque<Entry>,
}

impl TimesPosition {
    /// Reads what the lines from `first` to `last` need; of entries before them the newest is kept.
    fn read(&mut self, folder: &Path, first: u64, last: u64) {
        let path = folder.join(name::TIMES);
        while self.entries.back().is_none_or(|entry| entry.line <= last)
            && let Ok(bytes) = piece(&path, self.offset)
        {
            let Some(end) = memchr::memrchr(b'\n', &bytes) else {
                break;
            };
            self.offset += end as u64 + 1;
            let whole = String::from_utf8_lossy(bytes.get(..end).unwrap_or_default());
            for entry in whole.lines().filter_map(Entry::parse) {
                self.entries.push_back(entry);
                self.forget(first);
            }
        }
        self.forget(first);
    }

    fn forget(&mut self, first: u64) {
        while self.entries.get(1).is_some_and(|next| next.line <= first) {
            self.entries.pop_front();
        }
    }

    fn of(&self, line: u64) -> (u64, StreamName) {
        let after = self.entries.partition_point(|entry| entry.line <= line);
        let entry = after.checked_sub(1).and_then(|at| self.entries.get(at));
        entry.map_or_else(Default::default, |entry| (entry.ms, entry.stream))
    }
}
