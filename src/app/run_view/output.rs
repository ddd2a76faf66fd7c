//! What a run prints, as rows: the newest lines, floods of like lines folded.
//!
//! Bounded: of a run that floods only the newest lines are held. All of them are in its log.

use std::collections::{BTreeSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::crash_log::{TextEncoding, decode_lines};
use crate::rerun::{NewLine, StreamName};
use crate::words::{Words, guard_line};

/// Lines held, and characters of all of them.
const MOST_LINES: usize = 20_000;
const MOST_BYTES: usize = 8 << 20;
/// As many like lines in a row are folded, but for the last few.
const FOLD_FROM: usize = 24;
const SHOWN_OF_FOLD: usize = 12;

/// Which part of the output is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OutputFilter {
    /// All.
    #[default]
    All,
    /// Standard output.
    Output,
    /// Standard error.
    Errors,
    /// The guard's lines.
    Guard,
}

impl OutputFilter {
    /// All of them, as the chips stand.
    pub const ALL: [Self; 4] = [Self::All, Self::Output, Self::Errors, Self::Guard];

    fn shows(self, stream: StreamName) -> bool {
        match self {
            Self::All => true,
            Self::Output => stream == StreamName::Out,
            Self::Errors => stream == StreamName::Err,
            Self::Guard => stream == StreamName::Guard,
        }
    }
}

/// What a run has printed.
#[derive(Debug, Default)]
pub struct Output {
    /// Only this part is shown.
    pub filter: OutputFilter,
    /// Only lines with this text are shown, letter case ignored.
    pub search: String,
    /// The newest line stays in sight.
    pub follow: bool,
    /// Lines printed so far.
    pub total: u64,
    lines: VecDeque<Line>,
    bytes: usize,
    unfinished: Option<String>,
    open: BTreeSet<u64>,
    rows: Vec<OutputRow>,
    /// The first line printed behind the point where the first run died.
    past: Option<u64>,
}

#[derive(Debug)]
struct Line {
    number: u64,
    ms: u64,
    stream: StreamName,
    text: String,
    /// What remains of its text without numbers: like lines have the same.
    shape: u64,
}

/// A row of the output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutputRow {
    /// Lines before these are no longer held; how many.
    Earlier(u64),
    /// A line (its index among those held).
    Line(usize),
    /// Like lines, folded or opened.
    Fold {
        /// The number of its first line, by which it is opened and closed.
        first: u64,
        /// The index of its first line.
        from: usize,
        /// How many lines it stands for.
        count: usize,
        /// Its lines follow as rows.
        open: bool,
    },
    /// The line that is not complete yet.
    Unfinished,
}

/// A line to be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowLine<'a> {
    /// Milliseconds since the run was started; `None` while the line is not complete.
    pub ms: Option<u64>,
    /// Where it came from.
    pub stream: StreamName,
    /// Its text.
    pub text: &'a str,
    /// It is the first line behind the point where the first run died.
    pub is_past: bool,
}

impl Output {
    /// Nothing printed yet; the newest line is followed.
    pub fn new() -> Self {
        Self {
            follow: true,
            ..Self::default()
        }
    }

    /// The rows to be drawn.
    pub fn rows(&self) -> &[OutputRow] {
        &self.rows
    }

    /// The line of a row, where it is one.
    pub fn line(&self, row: &OutputRow) -> Option<RowLine<'_>> {
        match row {
            OutputRow::Line(index) => self.lines.get(*index).map(|line| RowLine {
                ms: Some(line.ms),
                stream: line.stream,
                text: &line.text,
                is_past: self.past == Some(line.number),
            }),
            OutputRow::Unfinished => self.unfinished.as_deref().map(|text| RowLine {
                ms: None,
                stream: StreamName::Err,
                text,
                is_past: self.past == Some(self.next_number()),
            }),
            OutputRow::Earlier(_) | OutputRow::Fold { .. } => None,
        }
    }

    /// The times of a fold's first and last line, and the text of its first.
    pub fn fold(&self, from: usize, count: usize) -> Option<(u64, u64, &str)> {
        let first = self.lines.get(from)?;
        let last = self.lines.get((from + count).checked_sub(1)?)?;
        Some((first.ms, last.ms, &first.text))
    }

    /// Takes lines in, oldest first.
    pub(in crate::app) fn take(
        &mut self,
        lines: &[NewLine],
        unfinished: Option<&str>,
        total: u64,
        words: Words,
    ) {
        for line in lines {
            let mut text = text_of(&line.bytes);
            if line.stream == StreamName::Guard
                && let Ok(json) = std::str::from_utf8(&line.bytes)
                && let Some(told) = guard_line(json, words)
            {
                text = told;
            }
            let shape = shape_of(&text);
            self.bytes += text.len();
            self.lines.push_back(Line {
                number: line.number,
                ms: line.ms,
                stream: line.stream,
                text,
                shape,
            });
        }
        while self.lines.len() > MOST_LINES || self.bytes > MOST_BYTES {
            let Some(gone) = self.lines.pop_front() else {
                break;
            };
            self.bytes -= gone.text.len();
        }
        let unfinished = unfinished.filter(|text| !text.trim().is_empty());
        let changed = self.unfinished.as_deref() != unfinished;
        if changed {
            self.unfinished = unfinished.map(|text| text_of(text.as_bytes()));
        }
        self.total = total.max(self.lines.back().map_or(0, |line| line.number));
        if changed || !lines.is_empty() {
            self.build();
        }
    }

    /// Remembers that the newest line, which may not be complete, is the first behind the point where the first run died.
    pub(in crate::app) fn mark_past(&mut self) {
        if self.past.is_some() {
            return;
        }
        self.past = match self.unfinished {
            Some(_) => Some(self.next_number()),
            None => self.lines.back().map(|line| line.number),
        };
    }

    /// The number of the line that is not complete yet.
    fn next_number(&self) -> u64 {
        self.lines.back().map_or(1, |line| line.number + 1)
    }

    pub(in crate::app) fn set_filter(&mut self, filter: OutputFilter) {
        self.filter = filter;
        self.build();
    }

    pub(in crate::app) fn set_search(&mut self, text: String) {
        self.search = text;
        self.build();
    }

    pub(in crate::app) fn toggle_fold(&mut self, first: u64) {
        if !self.open.remove(&first) {
            self.open.insert(first);
        }
        self.build();
    }

    fn build(&mut self) {
        self.rows.clear();
        let needle = self.search.to_lowercase();
        let is_shown = |line: &Line| {
            self.filter.shows(line.stream)
                && (needle.is_empty() || line.text.to_lowercase().contains(&needle))
        };
        if let Some(first) = self.lines.front()
            && first.number > 1
        {
            self.rows.push(OutputRow::Earlier(first.number - 1));
        }
        let mut from = 0;
        while let Some(first) = self.lines.get(from) {
            let like = self.lines.range(from..).take_while(|line| {
                line.shape == first.shape
                    && line.stream == first.stream
                    && (line.number == first.number || self.past != Some(line.number))
            });
            let count = like.count();
            if !needle.is_empty() || count < FOLD_FROM {
                for (index, line) in (from..).zip(self.lines.range(from..from + count)) {
                    if is_shown(line) {
                        self.rows.push(OutputRow::Line(index));
                    }
                }
            } else if is_shown(first) {
                let folded = count - SHOWN_OF_FOLD;
                let open = self.open.contains(&first.number);
                self.rows.push(OutputRow::Fold {
                    first: first.number,
                    from,
                    count: folded,
                    open,
                });
                let shown = if open { from } else { from + folded };
                self.rows.extend((shown..from + count).map(OutputRow::Line));
            }
            from += count;
        }
        if self.unfinished.is_some() && self.filter.shows(StreamName::Err) && needle.is_empty() {
            self.rows.push(OutputRow::Unfinished);
        }
    }
}

/// A line as text. Each is decoded by itself: programs of one run need not agree on an encoding.
fn text_of(bytes: &[u8]) -> String {
    let encodings = if std::str::from_utf8(bytes).is_ok() {
        [TextEncoding::Utf8]
    } else {
        [TextEncoding::Gbk]
    };
    decode_lines(bytes, &encodings)
        .into_iter()
        .next()
        .unwrap_or_default()
}

/// A line without its numbers, hashed.
fn shape_of(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    let mut in_number = false;
    for c in text.chars() {
        let is_part = c.is_ascii_digit() || (in_number && matches!(c, '.' | ',' | 'e' | 'E'));
        if !is_part {
            c.hash(&mut hasher);
        } else if !in_number {
            '0'.hash(&mut hasher);
        }
        in_number = is_part;
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn english() -> Words {
        Words::new(crate::words::Language::En)
    }

    fn lines(texts: impl IntoIterator<Item = String>, from: u64) -> Vec<NewLine> {
        let numbered = (from..).zip(texts);
        numbered
            .map(|(number, text)| NewLine {
                number,
                ms: number * 100,
                stream: if text.starts_with("[g]") {
                    StreamName::Guard
                } else {
                    StreamName::Out
                },
                bytes: text.into_bytes(),
            })
            .collect()
    }

    #[test]
    fn like_lines_fold_but_for_the_newest() {
        let mut output = Output::new();
        let steps = (1..=133).map(|n| format!("iteration {n} : loss : 0.{n}4e-3"));
        let texts = ["2 trainable iterations".to_owned()]
            .into_iter()
            .chain(steps);
        output.take(&lines(texts, 1), Some(" 44%|████"), 134, english());
        let rows = output.rows();
        assert_eq!(rows.len(), 1 + 1 + 12 + 1, "{rows:?}");
        assert_eq!(
            rows[1],
            OutputRow::Fold {
                first: 2,
                from: 1,
                count: 121,
                open: false
            }
        );
        assert_eq!(rows.last(), Some(&OutputRow::Unfinished));
        assert_eq!(
            output.fold(1, 121),
            Some((200, 12_200, "iteration 1 : loss : 0.14e-3"))
        );
        output.toggle_fold(2);
        assert_eq!(output.rows().len(), 1 + 1 + 133 + 1);
        output.toggle_fold(2);
        output.set_search("ITERATION 13".to_owned());
        assert_eq!(output.rows().len(), 1 + 4, "13, 130 to 133");
    }

    #[test]
    fn the_crash_point_is_passed_in_the_line_that_shows_it() {
        let mut output = Output::new();
        let past = |output: &Output| -> Vec<String> {
            let lines = output.rows().iter().filter_map(|row| output.line(row));
            lines
                .filter(|line| line.is_past)
                .map(|line| line.text.to_owned())
                .collect()
        };
        let first = lines(["epoch 1 done".to_owned()], 1);
        output.take(&first, Some("Epoch 2:  76%"), 1, english());
        output.mark_past();
        assert_eq!(past(&output), ["Epoch 2:  76%"]);
        let second = lines(["Epoch 2: 100%".to_owned()], 2);
        output.take(&second, Some("Epoch 3:   2%"), 2, english());
        assert_eq!(past(&output), ["Epoch 2: 100%"]);

        let mut output = Output::new();
        output.take(&first, None, 1, english());
        output.mark_past();
        assert_eq!(past(&output), ["epoch 1 done"]);
    }

    #[test]
    fn only_the_newest_lines_are_held() {
        let mut output = Output::new();
        for block in 0..10u64 {
            let from = block * 3_000 + 1;
            let texts = (0..3_000).map(|n| format!("{} {n}", "word ".repeat(n % 5)));
            output.take(&lines(texts, from), None, from + 2_999, english());
        }
        assert_eq!(output.total, 30_000);
        assert!(output.lines.len() <= MOST_LINES);
        assert_eq!(output.rows().first(), Some(&OutputRow::Earlier(10_000)));
        let long = vec![format!("{}x", "y".repeat(3_900)); 4_000];
        output.take(&lines(long, 30_001), None, 34_000, english());
        assert!(output.bytes <= MOST_BYTES);
    }

    #[test]
    fn parts_are_shown_alone_and_bytes_are_read_as_they_are() {
        let mut output = Output::new();
        let mut printed = lines(["out".to_owned(), "[g] guard".to_owned()], 1);
        printed.push(NewLine {
            number: 3,
            ms: 300,
            stream: StreamName::Err,
            // 标签 in GBK.
            bytes: vec![0xb1, 0xea, 0xc7, 0xa9],
        });
        output.take(&printed, None, 3, english());
        let said = |output: &Output| -> Vec<String> {
            let rows = output.rows().iter();
            rows.filter_map(|row| Some(output.line(row)?.text.to_owned()))
                .collect()
        };
        assert_eq!(said(&output), ["out", "[g] guard", "标签"]);
        for (filter, expected) in [
            (OutputFilter::Output, "out"),
            (OutputFilter::Guard, "[g] guard"),
            (OutputFilter::Errors, "标签"),
        ] {
            output.set_filter(filter);
            assert_eq!(said(&output), [expected]);
        }
    }
}
