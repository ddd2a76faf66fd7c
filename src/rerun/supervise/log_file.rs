//! `output.log`, bounded: past a limit the first part is kept, and of the rest the newest.
//!
//! While the run goes on, what comes after the first part stands in files of its own (`output-BYTE-LINE.part`, named by what
//! came before them), of which the oldest is deleted when there are more than two. At the end all is one file again, with a line
//! that says how much is left out.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::rescue::{self, Rescue};
use crate::rerun::folder::{self, name};

/// Bytes that wait to be written together.
const HELD: usize = 32 * 1024;

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
    file: Option<Out>,
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
    /// Bytes that could not be written.
    lost: u64,
    /// What is saved of those since the last that could be.
    rescue: Rescue,
    /// What was written last ends a line.
    whole: bool,
    trouble: Option<String>,
}

/// A file with what waits to be written into it. What cannot be written stays here, so that nothing is miscounted.
struct Out {
    file: File,
    held: Vec<u8>,
}

impl Out {
    fn append(path: &Path) -> io::Result<Self> {
        let file = File::options().create(true).append(true).open(path)?;
        Ok(Self {
            file,
            held: Vec::new(),
        })
    }

    /// Takes bytes; on an error, how many of them were taken all the same.
    fn put(&mut self, bytes: &[u8]) -> Result<(), (usize, io::Error)> {
        if self.held.len() + bytes.len() > HELD {
            self.drain().map_err(|error| (0, error))?;
        }
        if bytes.len() < HELD {
            self.held.extend_from_slice(bytes);
            return Ok(());
        }
        let mut written = 0;
        while let Some(rest) = bytes.get(written..).filter(|rest| !rest.is_empty()) {
            written += write(&mut self.file, rest).map_err(|error| (written, error))?;
        }
        Ok(())
    }

    /// Hands everything to the system.
    fn drain(&mut self) -> io::Result<()> {
        while !self.held.is_empty() {
            let written = write(&mut self.file, &self.held)?;
            self.held.drain(..written);
        }
        Ok(())
    }
}

fn write(file: &mut File, bytes: &[u8]) -> io::Result<usize> {
    loop {
        match file.write(bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
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
            rescue: Rescue::default(),
            whole: true,
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
        let held = self.file.take().map(|file| file.held);
        match Out::append(&path) {
            Ok(mut file) => {
                file.held = held.unwrap_or_default();
                self.file = Some(file);
            }
            Err(error) => {
                self.trouble = Some(error.to_string());
                if let Some(held) = held {
                    self.lose(&held);
                }
            }
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

    /// Adds complete lines.
    pub(super) fn add(&mut self, bytes: &[u8], lines: u64) {
        if self.file.is_none() {
            self.reopen();
        }
        if self.rescue.seen() > 0 && !self.mend() {
            self.lose(bytes);
            return;
        }
        match self.put(bytes) {
            Ok(()) => self.count(bytes.len() as u64, lines),
            Err((taken, error)) => {
                self.trouble = Some(error.to_string());
                let (taken, rest) = bytes.split_at(taken.min(bytes.len()));
                self.count(taken.len() as u64, feeds(taken));
                if !taken.is_empty() {
                    self.whole = taken.ends_with(b"\n");
                }
                self.lose(rest);
            }
        }
        self.turn();
    }

    fn lose(&mut self, bytes: &[u8]) {
        self.lost += bytes.len() as u64;
        self.rescue.take(bytes);
    }

    /// Puts in the place of what was lost what is saved of it. Gives whether it could.
    fn mend(&mut self) -> bool {
        let drained = match &mut self.file {
            Some(file) => file.drain(),
            None => return false,
        };
        if let Err(error) = drained {
            self.trouble = Some(error.to_string());
            return false;
        }
        let (text, kept) = self.saved();
        if let Some(file) = &mut self.file {
            file.held.extend_from_slice(&text);
        }
        self.have_saved(&text, kept);
        true
    }

    /// What is written in the place of what was lost, and how many of its bytes are in it.
    fn saved(&self) -> (Vec<u8>, u64) {
        let (mut text, kept) = self.rescue.text(marker);
        if !self.whole {
            text.insert(0, b'\n');
        }
        (text, kept)
    }

    fn have_saved(&mut self, text: &[u8], kept: u64) {
        self.count(text.len() as u64, feeds(text));
        self.lost -= kept;
        self.rescue = Rescue::default();
        self.whole = true;
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), (usize, io::Error)> {
        match &mut self.file {
            Some(file) => {
                file.put(bytes)?;
                if let Some(last) = bytes.last() {
                    self.whole = *last == b'\n';
                }
                Ok(())
            }
            None => Err((0, io::Error::other("the log is not open"))),
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
        let Ok(file) = Out::append(&path) else {
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
            Some(file) => file.drain(),
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
        self.save_the_end();
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

    /// Brings what still waits into the log, and in the place of what is lost what is saved of it: a log that breaks off before the
    /// failure would say that nothing failed.
    fn save_the_end(&mut self) {
        if self.file.is_none() {
            self.reopen();
        }
        let drained = self.flush();
        if self.rescue.seen() == 0 && drained.is_ok() {
            return;
        }
        if drained.is_ok() && self.append_saved().is_ok() {
            return;
        }
        if let Err(error) = self.cut() {
            self.trouble = Some(error.to_string());
        }
        // What could not be saved even so.
        if let Some(file) = &mut self.file {
            let held = std::mem::take(&mut file.held);
            self.lost += held.len() as u64;
        }
    }

    /// Writes what is saved at the end, as a whole or not at all.
    fn append_saved(&mut self) -> io::Result<()> {
        let (text, kept) = self.saved();
        let Some(out) = &mut self.file else {
            return Err(io::Error::other("the log is not open"));
        };
        let before = out.file.metadata()?.len();
        out.held.clone_from(&text);
        if let Err(error) = out.drain() {
            out.held.clear();
            out.file.set_len(before)?;
            return Err(error);
        }
        self.have_saved(&text, kept);
        Ok(())
    }

    /// Takes back the last of what was written, where there is no room for more, and writes what is saved in its place.
    fn cut(&mut self) -> io::Result<()> {
        let path = match self.parts.back() {
            Some(part) => part.path.clone(),
            None => self.folder.join(name::LOG),
        };
        let Some(out) = &mut self.file else {
            return Ok(());
        };
        let mut reader = File::open(&path)?;
        let length = reader.metadata()?.len();
        let keep = length.saturating_sub(rescue::MOST as u64);
        reader.seek(SeekFrom::Start(keep))?;
        let mut earlier = Vec::new();
        reader.take(rescue::MOST as u64).read_to_end(&mut earlier)?;
        // Whole lines, where there are any.
        let begin = match keep {
            0 => 0,
            _ => memchr::memchr(b'\n', &earlier).map_or(0, |at| at + 1),
        };
        let mut earlier = earlier.split_off(begin);
        let cut = earlier.len() as u64;
        let mut feeds_cut = feeds(&earlier);
        let held = std::mem::take(&mut out.held);
        feeds_cut += feeds(&held);
        earlier.extend_from_slice(&held);
        let rescue = std::mem::take(&mut self.rescue).after(&earlier);
        out.file.set_len(keep + begin as u64)?;
        let (mut text, kept) = rescue.text(marker);
        if keep + begin as u64 > 0 && begin == 0 {
            text.insert(0, b'\n');
        }
        self.lost += earlier.len() as u64;
        let less = |count: &mut u64, by: u64| *count = count.saturating_sub(by);
        less(&mut self.written, cut + held.len() as u64);
        less(&mut self.lines, feeds_cut);
        if let Some(part) = self.parts.back_mut() {
            less(&mut part.bytes, cut + held.len() as u64);
            less(&mut part.lines, feeds_cut);
        } else {
            less(&mut self.head, cut + held.len() as u64);
            less(&mut self.head_lines, feeds_cut);
        }
        out.held.clone_from(&text);
        out.drain()?;
        self.lost -= kept;
        self.count(text.len() as u64, feeds(&text));
        Ok(())
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

fn feeds(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
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
