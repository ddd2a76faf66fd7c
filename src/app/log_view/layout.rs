//! Which line stands in which row. Memory and work follow the number of marks, never the number of lines.

use std::ops::RangeInclusive;

/// Lines that are folded into one row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Folded {
    /// The folded lines.
    pub lines: RangeInclusive<u64>,
    /// They follow as rows.
    pub open: bool,
}

/// Consecutive rows of one sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// Lines from this one on.
    Lines { first: u64, count: u64 },
    /// A fold's own row.
    Fold { index: usize, first: u64, last: u64 },
    /// The row after the last line.
    End,
}

/// What a row shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// A line.
    Line(u64),
    /// A fold, by its index.
    Fold(usize),
    /// The end of the log.
    End,
}

/// Rows and the lines in them.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    /// First row of each part, rising, and the part.
    parts: Vec<(usize, Part)>,
    rows: usize,
}

impl Layout {
    /// All lines with folds. The folds rise and do not overlap.
    pub fn with_folds(line_count: u64, folds: &[Folded]) -> Self {
        let mut layout = Self::default();
        let mut next = 1;
        for (index, fold) in folds.iter().enumerate() {
            let (first, last) = (*fold.lines.start(), *fold.lines.end());
            layout.push_lines(next, first.saturating_sub(next));
            layout.push(Part::Fold { index, first, last }, 1);
            if fold.open {
                layout.push_lines(first, last + 1 - first);
            }
            next = last + 1;
        }
        layout.push_lines(next, (line_count + 1).saturating_sub(next));
        layout.push(Part::End, 1);
        layout
    }

    /// Only the lines in these ranges, which rise and do not overlap.
    pub fn filtered(ranges: &[RangeInclusive<u64>]) -> Self {
        let mut layout = Self::default();
        for range in ranges {
            layout.push_lines(*range.start(), range.end() + 1 - range.start());
        }
        layout
    }

    fn push_lines(&mut self, first: u64, count: u64) {
        if count > 0 {
            self.push(Part::Lines { first, count }, count as usize);
        }
    }

    fn push(&mut self, part: Part, rows: usize) {
        self.parts.push((self.rows, part));
        self.rows += rows;
    }

    /// Number of rows.
    pub fn row_count(&self) -> usize {
        self.rows
    }

    /// What a row shows; `None` past the end.
    pub fn place(&self, row: usize) -> Option<Place> {
        if row >= self.rows {
            return None;
        }
        let after = self.parts.partition_point(|(start, _)| *start <= row);
        let (start, part) = self.parts.get(after.checked_sub(1)?)?;
        Some(match *part {
            Part::Lines { first, .. } => Place::Line(first + (row - start) as u64),
            Part::Fold { index, .. } => Place::Fold(index),
            Part::End => Place::End,
        })
    }

    /// The row of a line, or of the closed fold that holds it.
    pub fn row_of_line(&self, line: u64) -> Option<usize> {
        // An open fold and its lines begin at the same line; the lines come later and win.
        let after = self.parts.partition_point(|(_, part)| match *part {
            Part::Lines { first, .. } | Part::Fold { first, .. } => first <= line,
            Part::End => false,
        });
        let (start, part) = self.parts.get(after.checked_sub(1)?)?;
        match *part {
            Part::Lines { first, count } => {
                (line < first + count).then(|| start + (line - first) as usize)
            }
            Part::Fold { last, .. } => (line <= last).then_some(*start),
            Part::End => None,
        }
    }
}

/// Ranges as they come, sorted, cut to `1..=line_count`, and joined where they touch or overlap.
pub(super) fn joined(
    ranges: impl Iterator<Item = RangeInclusive<u64>>,
    line_count: u64,
) -> Vec<RangeInclusive<u64>> {
    let mut sorted: Vec<_> = ranges
        .map(|range| (*range.start()).max(1)..=(*range.end()).min(line_count))
        .filter(|range| !range.is_empty())
        .collect();
    sorted.sort_by_key(|range| *range.start());
    let mut joined: Vec<RangeInclusive<u64>> = Vec::new();
    for range in sorted {
        match joined.last_mut() {
            Some(last) if *range.start() <= last.end() + 1 => {
                *last = *last.start()..=*last.end().max(range.end());
            }
            _ => joined.push(range),
        }
    }
    joined
}

/// Whether a line is in one of the rising ranges.
pub(super) fn holds(ranges: &[RangeInclusive<u64>], line: u64) -> bool {
    let after = ranges.partition_point(|range| *range.start() <= line);
    after
        .checked_sub(1)
        .and_then(|i| ranges.get(i))
        .is_some_and(|range| line <= *range.end())
}
