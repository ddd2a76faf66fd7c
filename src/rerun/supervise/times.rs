//! `times.tsv`: when the lines of the log came, and through which pipe.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use super::log_file::Gap;
use crate::rerun::StreamName;
use crate::rerun::folder::name;

/// A line's time is exact to this many milliseconds.
const STEP_MS: u64 = 100;

/// Bytes from which on a change of the pipe alone makes no entry: two pipes that take turns must not fill the disk.
const GENEROUS: u64 = 32 * 1024 * 1024;

/// Newest entries kept in memory.
const KEPT: usize = 50_000;

/// From this line on the lines came at this time through this pipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rerun) struct Entry {
    pub line: u64,
    pub ms: u64,
    pub stream: StreamName,
}

impl Entry {
    /// A line of the file.
    pub(in crate::rerun) fn parse(text: &str) -> Option<Self> {
        let mut fields = text.trim_end().split('\t');
        Some(Self {
            line: fields.next()?.parse().ok()?,
            ms: fields.next()?.parse().ok()?,
            stream: match fields.next()? {
                "out" => StreamName::Out,
                "err" => StreamName::Err,
                "guard" => StreamName::Guard,
                _ => return None,
            },
        })
    }

    fn text(self) -> String {
        let stream = match self.stream {
            StreamName::Out => "out",
            StreamName::Err => "err",
            StreamName::Guard => "guard",
        };
        format!("{}\t{}\t{stream}\n", self.line, self.ms)
    }
}

/// The times as they are being written.
pub(super) struct Times {
    path: PathBuf,
    file: Option<BufWriter<File>>,
    bytes: u64,
    last: Option<Entry>,
    kept: VecDeque<Entry>,
}

impl Times {
    pub(super) fn create(folder: &Path) -> Self {
        let path = folder.join(name::TIMES);
        Self {
            file: File::create(&path).map(BufWriter::new).ok(),
            path,
            bytes: 0,
            last: None,
            kept: VecDeque::new(),
        }
    }

    /// Opens the file anew, after it was deleted.
    pub(super) fn reopen(&mut self) {
        self.file = File::create(&self.path).map(BufWriter::new).ok();
    }

    /// The next lines begin with this one.
    pub(super) fn line(&mut self, entry: Entry) {
        let due = self.last.is_none_or(|last| {
            entry.ms.saturating_sub(last.ms) >= STEP_MS
                || last.stream != entry.stream && self.bytes < GENEROUS
        });
        if !due {
            return;
        }
        self.last = Some(entry);
        self.kept.push_back(entry);
        if self.kept.len() > KEPT {
            // Of the older half every other is enough to know about when a line came.
            let mut at = 0;
            self.kept.retain(|_| {
                at += 1;
                at > KEPT / 2 || at % 2 == 1
            });
        }
        let text = entry.text();
        self.bytes += text.len() as u64;
        if let Some(file) = &mut self.file {
            // The log says when it cannot be written; it lies on the same disk.
            drop(file.write_all(text.as_bytes()));
        }
    }

    pub(super) fn flush(&mut self) {
        if let Some(file) = &mut self.file {
            drop(file.flush());
        }
    }

    /// When about a line came.
    pub(super) fn ms_of(&self, line: u64) -> Option<u64> {
        let after = self.kept.partition_point(|entry| entry.line <= line);
        let entry = self.kept.get(after.saturating_sub(1))?;
        Some(entry.ms)
    }

    /// Renumbers everything for the log from which lines were left out.
    pub(super) fn renumber(&mut self, gap: Gap) -> io::Result<()> {
        use io::BufRead as _;
        self.flush();
        self.file = None;
        let draft = self.path.with_extension("tsv.new");
        let mut out = BufWriter::new(File::create(&draft)?);
        // The entry that holds for the first line behind the gap may stand within it.
        let mut within: Option<Entry> = None;
        for text in io::BufReader::new(File::open(&self.path)?).lines() {
            let Some(entry) = Entry::parse(&text?) else {
                continue;
            };
            match gap.line(entry.line) {
                Some(line) => {
                    if line > gap.head_lines {
                        let first = gap.head_lines + 2;
                        if let Some(within) = within.take()
                            && line > first
                        {
                            out.write_all(
                                Entry {
                                    line: first,
                                    ..within
                                }
                                .text()
                                .as_bytes(),
                            )?;
                        }
                    }
                    out.write_all(Entry { line, ..entry }.text().as_bytes())?;
                }
                None => within = Some(entry),
            }
        }
        if let Some(within) = within {
            let first = gap.head_lines + 2;
            out.write_all(
                Entry {
                    line: first,
                    ..within
                }
                .text()
                .as_bytes(),
            )?;
        }
        out.flush()?;
        std::fs::rename(&draft, &self.path)?;
        self.kept = self
            .kept
            .iter()
            .map(|entry| Entry {
                line: gap.line(entry.line).unwrap_or(gap.head_lines + 1),
                ..*entry
            })
            .collect();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_stands_where_time_or_pipe_changes() {
        let folder =
            std::env::temp_dir().join(format!("assert-doctor-times-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let mut times = Times::create(&folder);
        for (line, ms, stream) in [
            (1, 5, StreamName::Out),
            (2, 50, StreamName::Out),
            (3, 60, StreamName::Err),
            (4, 61, StreamName::Guard),
            (5, 150, StreamName::Guard),
            (6, 161, StreamName::Guard),
            (20, 900, StreamName::Out),
        ] {
            times.line(Entry { line, ms, stream });
        }
        times.flush();
        let read = || std::fs::read_to_string(folder.join(name::TIMES)).unwrap();
        assert_eq!(
            read(),
            "1\t5\tout\n3\t60\terr\n4\t61\tguard\n6\t161\tguard\n20\t900\tout\n"
        );
        assert_eq!(times.ms_of(2), Some(5));
        assert_eq!(times.ms_of(19), Some(161));
        assert_eq!(times.ms_of(99), Some(900));
        times
            .renumber(Gap {
                head: 0,
                head_lines: 3,
                bytes: 9,
                lines: 10,
                marker: 9,
            })
            .unwrap();
        assert_eq!(
            read(),
            "1\t5\tout\n3\t60\terr\n5\t161\tguard\n11\t900\tout\n"
        );
        assert_eq!(times.ms_of(11), Some(900));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
