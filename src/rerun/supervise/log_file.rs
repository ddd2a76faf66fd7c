//! `output.log`, bounded: past a limit the first part is kept, and of the rest the newest.
//!
//! While the run goes on, what comes after the first part stands in files of its own (`output-BYTE-LINE.part`, named by what
//! came before them), of which the oldest is deleted when there are more than two. At the end all is one file again, with a line
//! that says how much is left out.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::rerun::folder::{self, name};

/// How much is kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Bytes of the first part.
    pub head: u64,
    /// Bytes of each of the two parts behind it.
    pub part: u64,
}

impl Limits {
    /// 2 GiB in all.
    pub(super) const USUAL: Self = Self {
        head: 1 << 30,
        part: 1 << 29,
    };
}

/// What was left out of the log: `gap.json`, for those who follow it across the end of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::rerun) struct Gap {
    /// Bytes before it.
    pub head: u64,
    /// Lines before it.
    pub head_lines: u64,
    /// Bytes left out.
    pub bytes: u64,
    /// Lines left out.
    pub lines: u64,
    /// Bytes of the line that stands in their place.
    pub marker: u64,
}

impl Gap {
    /// Where a line of the whole output stands in the log; `None` where it was left out.
    pub(in crate::rerun) fn line(&self, line: u64) -> Option<u64> {
        if line <= self.head_lines {
            Some(line)
        } else if line > self.head_lines + self.lines {
            // The marker is a line, too.
            Some(line - self.lines + 1)
        } else {
            None
        }
    }
}

/// A file of the newest output.
struct Part {
    path: PathBuf,
    bytes: u64,
    lines: u64,
}

/// The log as it is being written.
pub(super) struct LogFile {
    folder: PathBuf,
    limits: Limits,
    file: Option<BufWriter<File>>,
    /// Bytes and lines of the first part.
    head: u64,
    head_lines: u64,
    parts: VecDeque<Part>,
    /// What was deleted behind the first part.
    dropped: u64,
    dropped_lines: u64,
    /// Bytes and lines written in all.
    written: u64,
    lines: u64,
    /// Bytes that could not be written, in all and since the last that could.
    lost: u64,
    lost_now: u64,
    trouble: Option<String>,
}

impl LogFile {
    /// Begins a log.
    pub(super) fn create(folder: &Path, limits: Limits) -> Self {
        let mut log = Self {
            folder: folder.to_owned(),
            limits,
            file: None,
            head: 0,
            head_lines: 0,
            parts: VecDeque::new(),
            dropped: 0,
            dropped_lines: 0,
            written: 0,
            lines: 0,
            lost: 0,
            lost_now: 0,
            trouble: None,
        };
        log.reopen();
        log
    }

    /// Opens the file that is being written to anew, after it could not be written or was deleted.
    pub(super) fn reopen(&mut self) {
        let path = match self.parts.back() {
            Some(part) => part.path.clone(),
            None => self.folder.join(name::LOG),
        };
        match append(&path) {
            Ok(file) => self.file = Some(file),
            Err(error) => self.trouble = Some(error.to_string()),
        }
    }

    /// Lines in the log, those left out behind the first part included.
    pub(super) fn lines(&self) -> u64 {
        self.lines
    }

    /// Bytes that were not kept so far.
    pub(super) fn left_out(&self) -> u64 {
        self.dropped + self.lost
    }

    /// What the system said when it could not be written, and bytes lost by that.
    pub(super) fn trouble(&self) -> Option<(&str, u64)> {
        let said = self.trouble.as_deref()?;
        Some((said, self.lost))
    }

    /// Adds complete lines. They are counted even where they cannot be written.
    pub(super) fn add(&mut self, bytes: &[u8], lines: u64) {
        if self.lost_now > 0 {
            // Something is missing here, and perhaps half a line stands before it.
            let note = format!("\n{}", marker(self.lost_now));
            if self.put(note.as_bytes()).is_err() {
                self.lose(bytes.len());
                return;
            }
            self.count(note.len() as u64, 2);
            self.lost_now = 0;
        }
        match self.put(bytes) {
            Ok(()) => self.count(bytes.len() as u64, lines),
            Err(error) => {
                self.trouble = Some(error.to_string());
                self.lose(bytes.len());
            }
        }
        self.turn();
    }

    fn lose(&mut self, bytes: usize) {
        self.lost += bytes as u64;
        self.lost_now += bytes as u64;
        // What stands in the buffer is tried again with the next line.
        if self.file.is_none() {
            self.reopen();
        }
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.file {
            Some(file) => file.write_all(bytes),
            None => Err(io::Error::other("the log is not open")),
        }
    }

    fn count(&mut self, bytes: u64, lines: u64) {
        self.written += bytes;
        self.lines += lines;
        if let Some(part) = self.parts.back_mut() {
            part.bytes += bytes;
            part.lines += lines;
        } else {
            self.head += bytes;
            self.head_lines += lines;
        }
    }

    /// Goes on in the next file where this one is full.
    fn turn(&mut self) {
        let full = match self.parts.back() {
            Some(part) => part.bytes >= self.limits.part,
            None => self.head >= self.limits.head,
        };
        if !full || self.flush().is_err() {
            return;
        }
        let path = self
            .folder
            .join(format!("output-{}-{}.part", self.written, self.lines));
        let Ok(file) = append(&path) else {
            // It stays where it is and grows; tried again with the next line.
            return;
        };
        self.file = Some(file);
        self.parts.push_back(Part {
            path,
            bytes: 0,
            lines: 0,
        });
        if self.parts.len() > 2
            && let Some(oldest) = self.parts.pop_front()
        {
            self.dropped += oldest.bytes;
            self.dropped_lines += oldest.lines;
            drop(fs::remove_file(oldest.path));
        }
    }

    /// Hands everything to the system.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        let flushed = match &mut self.file {
            Some(file) => file.flush(),
            None => Ok(()),
        };
        match &flushed {
            Err(error) => self.trouble = Some(error.to_string()),
            // It was only for a moment, and nothing was lost.
            Ok(()) if self.lost == 0 && self.file.is_some() => self.trouble = None,
            Ok(()) => {}
        }
        flushed
    }

    /// Makes one file of all parts. Gives what is left out behind the first part.
    pub(super) fn finish(&mut self) -> Option<Gap> {
        drop(self.flush());
        if self.parts.is_empty() {
            return None;
        }
        let marker = if self.dropped > 0 {
            marker(self.dropped)
        } else {
            String::new()
        };
        let gap = (self.dropped > 0).then_some(Gap {
            head: self.head,
            head_lines: self.head_lines,
            bytes: self.dropped,
            lines: self.dropped_lines,
            marker: marker.len() as u64,
        });
        self.file = None;
        if let Err(error) = self.join(&marker, gap) {
            self.trouble = Some(error.to_string());
        }
        gap
    }

    fn join(&mut self, marker: &str, gap: Option<Gap>) -> io::Result<()> {
        if let Some(gap) = gap {
            folder::write_json(&self.folder, name::GAP, &gap)?;
        }
        let mut whole = append(&self.folder.join(name::LOG))?;
        whole.write_all(marker.as_bytes())?;
        for part in &self.parts {
            io::copy(&mut File::open(&part.path)?, &mut whole)?;
        }
        whole.flush()?;
        for part in self.parts.drain(..) {
            drop(fs::remove_file(part.path));
        }
        Ok(())
    }
}

fn append(path: &Path) -> io::Result<BufWriter<File>> {
    let file = File::options().create(true).append(true).open(path)?;
    Ok(BufWriter::with_capacity(256 * 1024, file))
}

fn marker(bytes: u64) -> String {
    format!("[assert-doctor] {bytes} bytes left out here\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch(name: &str) -> PathBuf {
        let folder =
            std::env::temp_dir().join(format!("assert-doctor-log-{}-{name}", std::process::id()));
        drop(fs::remove_dir_all(&folder));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    /// Writes `count` numbered lines of ten bytes and gives what stands in the log at the end.
    fn written(name: &str, count: u64) -> (Vec<String>, Option<Gap>) {
        let folder = scratch(name);
        let limits = Limits {
            head: 100,
            part: 50,
        };
        let mut log = LogFile::create(&folder, limits);
        for line in 1..=count {
            log.add(format!("{line:>9}\n").as_bytes(), 1);
        }
        assert_eq!(log.lines(), count);
        let gap = log.finish();
        let text = fs::read_to_string(folder.join(name::LOG)).unwrap();
        let parts = fs::read_dir(&folder).unwrap().filter(|entry| {
            let name = entry.as_ref().unwrap().file_name();
            name.to_string_lossy().ends_with(".part")
        });
        assert_eq!(parts.count(), 0);
        fs::remove_dir_all(folder).unwrap();
        let lines = text.lines().map(|line| line.trim().to_owned()).collect();
        (lines, gap)
    }

    #[track_caller]
    fn check(name: &str, count: u64, left_out: std::ops::RangeInclusive<u64>) {
        let (lines, gap) = written(name, count);
        let mut expected: Vec<String> = Vec::new();
        for line in 1..=count {
            if left_out.contains(&line) {
                if line == *left_out.start() {
                    let bytes = 10 * left_out.clone().count();
                    expected.push(format!("[assert-doctor] {bytes} bytes left out here"));
                }
                continue;
            }
            expected.push(line.to_string());
            if let Some(gap) = gap {
                assert_eq!(gap.line(line), Some(expected.len() as u64));
            }
        }
        assert_eq!(lines, expected);
        assert_eq!(gap.is_some(), !left_out.is_empty());
        if let Some(gap) = gap {
            assert_eq!(gap.line(*left_out.start()), None);
            assert_eq!(gap.line(*left_out.end()), None);
        }
    }

    #[expect(clippy::reversed_empty_ranges, reason = "nothing is left out")]
    #[test]
    fn the_first_and_the_newest_are_kept() {
        check("few", 3, 1..=0);
        check("head", 10, 1..=0);
        check("parts", 19, 1..=0);
        check("one-dropped", 20, 11..=15);
        check("many-dropped", 1_003, 11..=995);
    }
}
