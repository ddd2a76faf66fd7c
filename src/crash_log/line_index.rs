//! Where lines begin in the raw bytes.

/// Where lines begin in the raw bytes: one entry every [`LineIndex::STRIDE`] lines, so that a view can read any part of a large log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineIndex {
    /// Byte offset of line `1 + i * STRIDE`.
    pub offsets: Vec<u64>,
}

impl LineIndex {
    /// Lines between two entries.
    pub const STRIDE: u64 = 256;

    /// The nearest indexed line at or before `line`: its byte offset and its number. `None` for a log without lines.
    pub fn before(&self, line: u64) -> Option<(u64, u64)> {
        let last = self.offsets.len().checked_sub(1)?;
        let entry = usize::try_from(line.saturating_sub(1) / Self::STRIDE)
            .map_or(last, |entry| entry.min(last));
        let offset = *self.offsets.get(entry)?;
        Some((offset, 1 + entry as u64 * Self::STRIDE))
    }
}

/// Counts line feeds and writes the index on the way.
#[derive(Debug)]
pub(super) struct LineCounter {
    feeds: u64,
    offsets: Vec<u64>,
}

impl Default for LineCounter {
    fn default() -> Self {
        Self {
            feeds: 0,
            offsets: vec![0],
        }
    }
}

impl LineCounter {
    /// Bytes looked at in one go: counting is many times faster than finding, so only the piece with an indexed line is searched.
    const PIECE: usize = 2048;

    /// The number of the line that begins after the last line feed.
    pub(super) fn line(&self) -> u64 {
        self.feeds + 1
    }

    /// Counts the line feeds of text with one byte a line feed; `offset` is where it stands in the log.
    pub(super) fn count(&mut self, bytes: &[u8], offset: u64) {
        let mut at = offset;
        for piece in bytes.chunks(Self::PIECE) {
            let found = memchr::memchr_iter(b'\n', piece).count() as u64;
            let missing = LineIndex::STRIDE - self.feeds % LineIndex::STRIDE;
            if found >= missing {
                let ends = memchr::memchr_iter(b'\n', piece).skip(missing as usize - 1);
                for end in ends.step_by(LineIndex::STRIDE as usize) {
                    self.offsets.push(at + end as u64 + 1);
                }
            }
            self.feeds += found;
            at += piece.len() as u64;
        }
    }

    /// One line ended, and the next begins at `next`.
    pub(super) fn ended(&mut self, next: u64) {
        self.feeds += 1;
        if self.feeds.is_multiple_of(LineIndex::STRIDE) {
            self.offsets.push(next);
        }
    }

    /// The same count without the index, which may be long.
    pub(super) fn count_only(&self) -> Self {
        Self {
            feeds: self.feeds,
            offsets: Vec::new(),
        }
    }

    /// The number of lines and their index. `length` is that of the log, `open` whether something stands after the last line feed.
    pub(super) fn finish(mut self, length: u64, open: bool) -> (u64, LineIndex) {
        while self.offsets.last().is_some_and(|&offset| offset >= length) {
            self.offsets.pop();
        }
        (
            self.feeds + u64::from(open),
            LineIndex {
                offsets: self.offsets,
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_256th_line_is_indexed() {
        let lines: Vec<String> = (0..1000).map(|i| "x".repeat(i % 37) + "\n").collect();
        let text = lines.concat();
        let (mut at_once, mut by_line) = (LineCounter::default(), LineCounter::default());
        at_once.count(text.as_bytes(), 0);
        let mut offset = 0;
        for line in text.split_inclusive('\n') {
            offset += line.len() as u64;
            by_line.ended(offset);
        }
        let (lines, index) = at_once.finish(text.len() as u64, false);
        assert_eq!(
            (lines, index.clone()),
            by_line.finish(text.len() as u64, false)
        );
        assert_eq!(lines, 1000);
        assert_eq!(index.offsets.len(), 4);
        for (i, &offset) in index.offsets.iter().enumerate() {
            assert_eq!(text[..offset as usize].matches('\n').count(), i * 256);
        }
        assert_eq!(index.before(1), Some((0, 1)));
        assert_eq!(index.before(600), Some((index.offsets[2], 513)));
        assert_eq!(index.before(99_999), Some((index.offsets[3], 769)));
    }

    #[test]
    fn no_line_begins_at_the_end() {
        let mut counter = LineCounter::default();
        counter.count(&[b'\n'; 256], 0);
        let (lines, index) = counter.finish(256, false);
        assert_eq!((lines, index.offsets), (256, vec![0]));
        assert_eq!(
            LineCounter::default().finish(0, false),
            (0, LineIndex::default())
        );
    }
}
