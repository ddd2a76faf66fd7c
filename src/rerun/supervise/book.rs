//! What a run prints, kept: the log with its times, the samples, what is known of it so far.

use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use super::lines::Assembler;
use super::live::Live;
use super::log_file::{Limits, LogFile};
use super::times::{Entry, Times};
use crate::crash_log::{Facts, Scanner};
use crate::rerun::folder::name;
use crate::rerun::guard_line::{self, GuardWatch, Seen};
use crate::rerun::{MemorySample, RunProblem, RunStatus, StreamName};

/// Bytes of samples that are kept; about two million samples.
const MOST_SAMPLES: u64 = 256 * 1024 * 1024;

/// Characters of a line that is not complete yet.
const SHOWN: usize = 2_000;

/// Keeps what a run prints.
pub(super) struct Book {
    folder: PathBuf,
    streams: [Assembler; 2],
    /// The stream that printed last.
    newest: StreamName,
    pages: Pages,
    bytes: u64,
    lines: u64,
    /// When the newest came.
    ms: u64,
}

/// Everything that takes complete lines.
struct Pages {
    log: LogFile,
    times: Times,
    samples: Option<BufWriter<File>>,
    samples_bytes: u64,
    guard: GuardWatch,
    live: Live,
}

impl Book {
    pub(super) fn create(folder: &Path, limits: Limits) -> Self {
        Self {
            folder: folder.to_owned(),
            streams: Default::default(),
            newest: StreamName::Out,
            pages: Pages {
                log: LogFile::create(folder, limits),
                times: Times::create(folder),
                samples: append(folder).ok(),
                samples_bytes: 0,
                guard: GuardWatch::default(),
                live: Live::default(),
            },
            bytes: 0,
            lines: 0,
            ms: 0,
        }
    }

    /// Takes what came through a pipe.
    pub(super) fn take(&mut self, stream: StreamName, bytes: &[u8], ms: u64) {
        self.bytes += bytes.len() as u64;
        self.newest = stream;
        // Two pipes are read side by side, and the later of two pieces may be the first to arrive.
        let ms = ms.max(self.ms);
        self.ms = ms;
        let (pages, lines) = (&mut self.pages, &mut self.lines);
        let assembler = of(&mut self.streams, stream);
        assembler.push(bytes, &mut |block, count| {
            *lines += count;
            pages.lines(stream, block, count, ms);
        });
    }

    /// Ends both streams: a last line without its line feed is a line.
    pub(super) fn close(&mut self, ms: u64) {
        let other = match self.newest {
            StreamName::Out => StreamName::Err,
            _ => StreamName::Out,
        };
        // The stream that printed last keeps its last line open, as it was printed.
        for stream in [other, self.newest] {
            let mut rest = of(&mut self.streams, stream).finish();
            if rest.is_empty() {
                continue;
            }
            if stream == other && !rest.ends_with(b"\n") {
                rest.push(b'\n');
            }
            self.lines += 1;
            self.pages.lines(stream, &rest, 1, ms);
        }
        self.flush();
    }

    /// Hands everything to the system; the times first, so that whoever reads a line finds its time.
    pub(super) fn flush(&mut self) {
        let pages = &mut self.pages;
        pages.times.flush();
        if let Some(samples) = &mut pages.samples {
            drop(samples.flush());
        }
        drop(pages.log.flush());
    }

    /// Begins the files anew after their folder was deleted.
    pub(super) fn reopen(&mut self) {
        self.pages.log.reopen();
        self.pages.times.reopen();
        self.pages.samples = append(&self.folder).ok();
    }

    /// Writes into a status what is known so far.
    pub(super) fn tell(&mut self, status: &mut RunStatus) {
        status.bytes = self.bytes;
        status.lines = self.lines;
        let pending = of(&mut self.streams, self.newest).pending();
        let unfinished = shown(pending);
        let pages = &mut self.pages;
        pages.live.look(self.bytes, pending);
        status.progress = pages.live.progress();
        status.guard = pages.guard.live();
        if status.failed_at_ms.is_none()
            && let Some(line) = pages.live.failed_line()
        {
            status.failed_at_ms = pages.times.ms_of(line);
        }
        status.last_redraw = unfinished;
        if let Some((said, lost)) = pages.log.trouble() {
            status.problem = Some(RunProblem::NotWritten {
                said: said.to_owned(),
                lost,
            });
        }
    }

    /// Makes the log one file and gives what the output says, and how many bytes of it were not kept.
    pub(super) fn finish(mut self, status: &mut RunStatus) -> (Facts, u64) {
        let gap = self.pages.log.finish();
        self.tell(status);
        status.last_redraw = None;
        if let Some(gap) = gap {
            drop(self.pages.times.renumber(gap));
        }
        let left_out = self.pages.log.left_out();
        let all = std::mem::take(&mut self.pages.live).finish();
        let mut facts = all;
        let mut is_of_log = left_out == 0;
        // The log's own lines count; where it has lost the failure, what was heard of it does.
        if left_out > 0
            && let Some(left) = self.of_what_is_left()
        {
            let has_failure = |facts| super::live::first_failure(facts).is_some();
            if has_failure(&left) || !has_failure(&facts) {
                facts = left;
                is_of_log = true;
            }
        }
        status.progress = facts.progress.clone();
        if is_of_log {
            status.failed_at_ms = super::live::first_failure(&facts)
                .and_then(|line| self.pages.times.ms_of(line))
                .or(status.failed_at_ms);
        }
        (facts, left_out)
    }

    /// What the log says from which something was left out: its lines have other numbers than those that were printed.
    fn of_what_is_left(&self) -> Option<Facts> {
        let mut scanner = Scanner::new();
        let mut copied = || -> io::Result<()> {
            use io::Read as _;
            let mut log = File::open(self.folder.join(name::LOG))?;
            let mut piece = vec![0; 1024 * 1024];
            loop {
                let read = log.read(&mut piece)?;
                if read == 0 {
                    return Ok(());
                }
                scanner.push(piece.get(..read).unwrap_or_default());
            }
        };
        copied().ok().map(|()| scanner.finish().0)
    }
}

impl Pages {
    /// Takes complete lines of one stream.
    fn lines(&mut self, stream: StreamName, block: &[u8], count: u64, ms: u64) {
        // Lines of the guard are looked for in the whole block: most blocks hold none.
        let (mut block, mut count) = (block, count);
        while let Some(at) = memchr::memmem::find(block, guard_line::PREFIX) {
            let (before, _) = block.split_at(at);
            let begin = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
            let (before, rest) = block.split_at(begin);
            let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
            let (line, after) = rest.split_at(end);
            let lines_before = memchr::memchr_iter(b'\n', before).count() as u64;
            self.write(stream, before, lines_before, ms);
            let of_line = match self.guard.line(line, ms) {
                Seen::Other => stream,
                Seen::Guard => StreamName::Guard,
                Seen::Sample(sample) => {
                    self.sample(&sample);
                    StreamName::Guard
                }
            };
            self.write(of_line, line, 1, ms);
            count = count.saturating_sub(lines_before + 1);
            block = after;
        }
        self.write(stream, block, count, ms);
    }

    fn write(&mut self, stream: StreamName, block: &[u8], count: u64, ms: u64) {
        if block.is_empty() {
            return;
        }
        self.times.line(Entry {
            line: self.log.lines() + 1,
            ms,
            stream,
        });
        self.log.add(block, count);
        self.live.push(block);
    }

    fn sample(&mut self, sample: &MemorySample) {
        let Some(file) = &mut self.samples else {
            return;
        };
        let Ok(mut line) = serde_json::to_vec(sample) else {
            return;
        };
        line.push(b'\n');
        if self.samples_bytes + line.len() as u64 > MOST_SAMPLES {
            return;
        }
        self.samples_bytes += line.len() as u64;
        // The log says when the disk is full.
        drop(file.write_all(&line));
    }
}

fn append(folder: &Path) -> io::Result<BufWriter<File>> {
    let file = File::options()
        .create(true)
        .append(true)
        .open(folder.join(name::SAMPLES))?;
    Ok(BufWriter::new(file))
}

fn of(streams: &mut [Assembler; 2], stream: StreamName) -> &mut Assembler {
    let [out, err] = streams;
    match stream {
        StreamName::Out => out,
        StreamName::Err | StreamName::Guard => err,
    }
}

/// An unfinished line as text: its end, which is the newest.
fn shown(bytes: &[u8]) -> Option<String> {
    // Four bytes a character are enough; a character that is cut in two shows as one sign.
    let from = bytes.len().saturating_sub(4 * SHOWN);
    let bytes = bytes.get(from..)?;
    if bytes.is_empty() {
        return None;
    }
    let text = std::str::from_utf8(bytes).map_or_else(
        |_| match encoding_rs::GBK.decode(bytes) {
            (text, _, false) => text,
            _ => String::from_utf8_lossy(bytes),
        },
        Into::into,
    );
    let skipped = text.chars().count().saturating_sub(SHOWN);
    Some(text.chars().skip(skipped).collect())
}
