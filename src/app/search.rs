//! Finding a text in a log, letter case ignored.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use aho_corasick::AhoCorasick;

use super::LogSource;
use super::log_view::without_colours;
use crate::crash_log::{LineIndex, TextEncoding, decode_lines};
use crate::inputs::InputError;

/// The most lines that a search finds.
pub(super) const MOST_LINES: usize = 100_000;
/// The most places marked within one line.
const MOST_IN_LINE: usize = 200;
/// Bytes that are searched at a time.
const PIECE_BYTES: u64 = 1 << 20;
/// Matches are handed over this often, or earlier when there are many.
const BATCH_INTERVAL: Duration = Duration::from_millis(50);
const BATCH_LINES: usize = 1_000;

/// A text to find.
#[derive(Clone, Debug)]
pub(super) enum Needle {
    /// Letters of ASCII: the fast case.
    Ascii(AhoCorasick),
    /// Any letters, each in lower case.
    Chars(Vec<char>),
}

impl Needle {
    /// What the user typed; `None` where that is nothing.
    pub fn new(text: &str) -> Option<Self> {
        if text.is_empty() {
            return None;
        }
        if text.is_ascii()
            && let Ok(found) = AhoCorasick::builder()
                .ascii_case_insensitive(true)
                .build([text])
        {
            return Some(Self::Ascii(found));
        }
        Some(Self::Chars(text.chars().map(lower).collect()))
    }

    /// Whether it occurs.
    pub fn is_in(&self, text: &str) -> bool {
        match self {
            Self::Ascii(found) => found.is_match(text),
            Self::Chars(chars) => next_chars(text, 0, chars).is_some(),
        }
    }

    /// Where it occurs, in bytes.
    pub fn find_all(&self, text: &str) -> Vec<Range<usize>> {
        match self {
            Self::Ascii(found) => found
                .find_iter(text)
                .take(MOST_IN_LINE)
                .map(|m| m.range())
                .collect(),
            Self::Chars(chars) => {
                let mut ranges: Vec<Range<usize>> = Vec::new();
                while ranges.len() < MOST_IN_LINE {
                    let from = ranges.last().map_or(0, |range| range.end);
                    match next_chars(text, from, chars) {
                        Some(range) => ranges.push(range),
                        None => break,
                    }
                }
                ranges
            }
        }
    }
}

fn lower(c: char) -> char {
    c.to_lowercase().next().unwrap_or(c)
}

fn next_chars(text: &str, from: usize, needle: &[char]) -> Option<Range<usize>> {
    let rest = text.get(from..)?;
    rest.char_indices().find_map(|(at, _)| {
        let mut end = at;
        let mut chars = rest.get(at..)?.chars();
        for wanted in needle {
            let c = chars.next()?;
            if lower(c) != *wanted {
                return None;
            }
            end += c.len_utf8();
        }
        Some(from + at..from + end)
    })
}

/// A search of a whole log.
pub(super) struct Searched<'a> {
    pub source: &'a LogSource,
    pub index: &'a LineIndex,
    pub byte_count: u64,
    pub encodings: &'a [TextEncoding],
    pub cancel: &'a AtomicBool,
}

impl Searched<'_> {
    /// Hands matching lines to `found` as they come; `false` from it, the limit or the user's wish ends the search.
    pub fn run(
        &self,
        needle: &Needle,
        found: &mut dyn FnMut(Vec<u64>) -> bool,
    ) -> Result<(), InputError> {
        let mut batch = Vec::new();
        let mut last = Instant::now();
        let mut total = 0;
        let offsets = &self.index.offsets;
        let mut block = 0;
        while let Some(&start) = offsets.get(block) {
            // As many blocks as make a piece, at least one.
            let mut next = block + 1;
            while offsets
                .get(next + 1)
                .is_some_and(|end| end - start <= PIECE_BYTES)
            {
                next += 1;
            }
            let end = offsets.get(next).copied().unwrap_or(self.byte_count);
            let bytes = self.source.read(start..end.max(start))?;
            let first_line = block as u64 * LineIndex::STRIDE + 1;
            for (number, line) in (first_line..).zip(decode_lines(&bytes, self.encodings)) {
                let hit = if line.contains(['\u{1b}', '\t']) {
                    needle.is_in(&without_colours(&line))
                } else {
                    needle.is_in(&line)
                };
                if hit && total < MOST_LINES {
                    batch.push(number);
                    total += 1;
                }
            }
            if self.cancel.load(Ordering::Relaxed) {
                return Err(InputError::Cancelled);
            }
            let due = batch.len() >= BATCH_LINES || last.elapsed() >= BATCH_INTERVAL;
            if due && !batch.is_empty() {
                last = Instant::now();
                if !found(std::mem::take(&mut batch)) {
                    return Err(InputError::Cancelled);
                }
            }
            if total >= MOST_LINES {
                break;
            }
            block = next;
        }
        if !batch.is_empty() {
            found(batch);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letter_case_does_not_matter() {
        for (needle, text, expected) in [
            ("cuda", "CUDA error: Cuda", vec!["CUDA", "Cuda"]),
            ("断言", "设备断言，断言", vec!["断言", "断言"]),
            ("ÄRGER", "großer ärger", vec!["ärger"]),
            ("aa", "aaaa", vec!["aa", "aa"]),
            ("zz", "a", vec![]),
            ("错误 x", "错误 X", vec!["错误 X"]),
        ] {
            let needle = Needle::new(needle).expect("not empty");
            let got: Vec<_> = needle
                .find_all(text)
                .into_iter()
                .map(|r| &text[r])
                .collect();
            assert_eq!(got, expected, "{text}");
            assert_eq!(needle.is_in(text), !expected.is_empty());
        }
        assert!(Needle::new("").is_none());
    }
}
