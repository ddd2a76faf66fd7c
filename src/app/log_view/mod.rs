//! The log as rows: what is folded, what is marked, which rows are loaded.
//!
//! Memory and work follow the number of marks and of rows on screen, never the number of lines.

mod cache;
mod folds;
mod layout;
mod notes;
mod row;
mod shown;

use std::collections::BTreeSet;
use std::ops::{Range, RangeInclusive};

use self::cache::{Cache, block_of};
use self::folds::Fold;
use self::layout::{Folded, Layout, Place, holds};
use self::notes::Notes;
use self::shown::{Check, shown};
use super::search::Needle;
use super::{Job, LogFilter, LogSource, RequestId};
use crate::case::Log;
use crate::crash_log::{LineIndex, MarkKind, TextEncoding};
use crate::inputs::InputError;
use crate::rerun::Ending;
use crate::words::{Arg, Words, run_ending};

pub use self::row::{FoldKind, Gutter, LineRow, Match, Row, Tag, Tone};
pub(crate) use self::shown::without_colours;

/// Rows asked for at a time: more than any screen shows.
const MOST_ROWS: usize = 1_000;
/// Marks that the overview bar tells apart.
const OVERVIEW_STEPS: usize = 2_000;

/// The rows of the shown log. Rows that are not loaded yet are placeholders; asking for them is
/// [`Command::RowsNeeded`](super::Command::RowsNeeded).
#[derive(Clone, Debug, Default)]
pub struct LogView {
    line_count: u64,
    byte_count: u64,
    exit_code: Option<i64>,
    ending: Option<Ending>,
    source: Option<LogSource>,
    index: LineIndex,
    encodings: Vec<TextEncoding>,
    /// Lines with failed checks and the index of their check, rising.
    checked: Vec<(RangeInclusive<u64>, usize)>,
    checks: Vec<Check>,
    notes: Notes,
    folded: Vec<Folded>,
    folds: Vec<Fold>,
    filter: LogFilter,
    layout: Layout,
    overview: Vec<Match>,
    found: Vec<u64>,
    needle: Option<Needle>,
    cache: Cache,
    end: String,
}

impl LogView {
    /// The rows of a log, none loaded yet.
    pub(super) fn new(log: &Log, source: LogSource, words: Words) -> Self {
        let facts = &log.facts;
        let mut checked: Vec<_> = facts
            .marks
            .iter()
            .filter(|mark| mark.kind == MarkKind::Assertion)
            .map(|mark| (mark.lines.clone(), mark.index))
            .collect();
        checked.sort_by_key(|(lines, _)| *lines.start());
        let (folded, folds) = folds::find(facts);
        let mut view = Self {
            line_count: facts.line_count,
            byte_count: facts.byte_count,
            exit_code: facts.environment.exit_code,
            ending: log.ending.clone(),
            source: Some(source),
            index: log.lines.clone(),
            encodings: facts.encodings.clone(),
            checked,
            checks: facts
                .assertions
                .iter()
                .map(|group| Check {
                    file: group.file.clone(),
                    expression: group.expression.clone(),
                })
                .collect(),
            notes: Notes::of(log),
            folded,
            folds,
            ..Self::default()
        };
        view.relabel(words);
        view.lay_out();
        view
    }

    /// Number of rows.
    pub fn row_count(&self) -> usize {
        self.layout.row_count()
    }

    /// One row; `None` past the end.
    pub fn row(&self, index: usize) -> Option<Row<'_>> {
        Some(match self.layout.place(index)? {
            Place::Line(number) => match self.cache.line(number) {
                Some(line) => Row::Line(line),
                None => Row::Loading {
                    number,
                    gutter: self.notes.gutter(number),
                },
            },
            Place::Fold(index) => {
                let (fold, folded) = (self.folds.get(index)?, self.folded.get(index)?);
                Row::Fold {
                    fold: index,
                    kind: fold.kind,
                    lines: folded.lines.clone(),
                    text: &fold.text,
                    open: folded.open,
                }
            }
            Place::End => Row::End(&self.end),
        })
    }

    /// The row that shows a line, or the closed fold that holds it.
    pub fn row_of_line(&self, line: u64) -> Option<usize> {
        self.layout.row_of_line(line)
    }

    /// Marks for the overview bar.
    pub fn overview(&self) -> &[Match] {
        &self.overview
    }

    /// How many lines a filter shows, as its chip counts them.
    pub fn count(&self, filter: LogFilter) -> u64 {
        match filter {
            LogFilter::All => self.line_count,
            _ => self
                .notes
                .ranges(filter)
                .iter()
                .map(|lines| lines.end() + 1 - lines.start())
                .sum(),
        }
    }

    /// Number of lines of the log.
    pub fn line_count(&self) -> u64 {
        self.line_count
    }

    /// Number of lines that are in memory.
    pub fn loaded_blocks(&self) -> usize {
        self.cache.len()
    }

    /// Opens or closes a fold.
    pub(super) fn toggle_fold(&mut self, index: usize) {
        if let Some(folded) = self.folded.get_mut(index) {
            folded.open = !folded.open;
            self.lay_out();
        }
    }

    /// Makes a line visible: opens the fold that hides it. `false` where the filter hides it or the log has no such line.
    pub(super) fn reveal(&mut self, line: u64) -> bool {
        if self.filter != LogFilter::All {
            return self.row_of_line(line).is_some();
        }
        let after = self
            .folded
            .partition_point(|fold| *fold.lines.start() <= line);
        if let Some(fold) = after.checked_sub(1).and_then(|i| self.folded.get_mut(i))
            && !fold.open
            && fold.lines.contains(&line)
        {
            fold.open = true;
            self.lay_out();
        }
        (1..=self.line_count).contains(&line)
    }

    /// Shows only lines of one kind.
    pub(super) fn set_filter(&mut self, filter: LogFilter) {
        if self.filter != filter {
            self.filter = filter;
            self.lay_out();
        }
    }

    /// From now on looks for this.
    pub(super) fn set_needle(&mut self, needle: Option<Needle>) {
        self.found.clear();
        for (_, block) in self.cache.blocks_mut() {
            for row in &mut block.rows {
                row.matches = matches(needle.as_ref(), &row.text);
            }
        }
        self.needle = needle;
        self.mark_overview();
    }

    /// Takes in further lines that match, for the overview.
    pub(super) fn add_found(&mut self, lines: &[u64]) {
        self.found.extend_from_slice(lines);
        self.mark_overview();
    }

    /// These rows are on screen: the blocks to load, each with the request id that `next_request` gives.
    pub(super) fn rows_needed(
        &mut self,
        rows: Range<usize>,
        next_request: &mut dyn FnMut() -> RequestId,
    ) -> Vec<Job> {
        let end = rows
            .end
            .min(rows.start.saturating_add(MOST_ROWS))
            .min(self.row_count());
        let blocks: BTreeSet<u64> = (rows.start..end)
            .filter_map(|row| self.layout.place(row))
            .filter_map(|place| match place {
                Place::Line(line) => Some(block_of(line)),
                Place::Fold(_) | Place::End => None,
            })
            .collect();
        self.cache.want(blocks);
        self.load_missing(next_request)
    }

    /// Lines have come. Returns further blocks to load, which had to wait for their turn.
    pub(super) fn rows_loaded(
        &mut self,
        request: RequestId,
        lines: &[String],
        words: Words,
        next_request: &mut dyn FnMut() -> RequestId,
    ) -> Vec<Job> {
        let Some(block) = self.cache.answered(request) else {
            return Vec::new();
        };
        let rows = self
            .lines_of(block)
            .enumerate()
            .map(|(i, number)| match lines.get(i) {
                Some(line) => self.line_row(number, line, words),
                // The block was cut, because its lines are huge.
                None => self.placeholder(number, words.text("app-row-too-long"), words),
            })
            .collect();
        self.cache.keep(block, rows, None);
        self.load_missing(next_request)
    }

    /// Lines could not be read. They say so, and are not asked for again while they are on screen.
    pub(super) fn rows_failed(&mut self, request: RequestId, error: InputError, words: Words) {
        let Some(block) = self.cache.answered(request) else {
            return;
        };
        let text = failed_text(&error, words);
        let rows = self
            .lines_of(block)
            .map(|number| self.placeholder(number, text.clone(), words))
            .collect();
        self.cache.keep(block, rows, Some(error));
    }

    /// The search for the needle, as a job's parts.
    pub(super) fn search_parts(&self) -> Option<(LogSource, LineIndex, u64, Vec<TextEncoding>)> {
        let source = self.source.clone()?;
        Some((
            source,
            self.index.clone(),
            self.byte_count,
            self.encodings.clone(),
        ))
    }

    /// Writes everything that is text in a language.
    pub(super) fn relabel(&mut self, words: Words) {
        for fold in &mut self.folds {
            fold.relabel(words);
        }
        for (_, block) in self.cache.blocks_mut() {
            let failed = block.failed.as_ref().map(|error| failed_text(error, words));
            for row in &mut block.rows {
                row.tags = self.notes.tags(row.number, words);
                if let Some(failed) = &failed {
                    row.text.clone_from(failed);
                } else if row.placeholder {
                    row.text = words.text("app-row-too-long");
                }
            }
        }
        self.end = match (&self.ending, self.exit_code) {
            (Some(ending), _) => run_ending(ending, words),
            (None, Some(code)) => words.with(
                "app-end-exit-code",
                &[("code", Arg::Text(&code.to_string()))],
            ),
            (None, None) => words.text("app-end-no-exit-code"),
        };
    }

    fn load_missing(&mut self, next_request: &mut dyn FnMut() -> RequestId) -> Vec<Job> {
        let Some(source) = &self.source else {
            return Vec::new();
        };
        let mut jobs = Vec::new();
        for block in self.cache.missing() {
            let offset = |block: u64| self.index.offsets.get(block as usize).copied();
            let Some(start) = offset(block) else { continue };
            let end = offset(block + 1).unwrap_or(self.byte_count);
            let request = next_request();
            self.cache.asked(request, block);
            let first = block * LineIndex::STRIDE + 1;
            jobs.push(Job::LoadRows {
                request,
                source: source.clone(),
                lines: first..(first + LineIndex::STRIDE).min(self.line_count + 1),
                bytes: start..end.max(start),
                encodings: self.encodings.clone(),
            });
        }
        jobs
    }

    fn lines_of(&self, block: u64) -> Range<u64> {
        let first = block * LineIndex::STRIDE + 1;
        first..(first + LineIndex::STRIDE).min(self.line_count + 1)
    }

    fn line_row(&self, number: u64, line: &str, words: Words) -> LineRow {
        let after = self
            .checked
            .partition_point(|(lines, _)| *lines.start() <= number);
        let check = after
            .checked_sub(1)
            .and_then(|i| self.checked.get(i))
            .filter(|(lines, _)| lines.contains(&number))
            .and_then(|(_, check)| self.checks.get(*check));
        let shown = shown(line, check);
        LineRow {
            number,
            matches: matches(self.needle.as_ref(), &shown.text),
            text: shown.text,
            whole: shown.whole,
            gutter: self.notes.gutter(number),
            tags: self.notes.tags(number, words),
            emphasis: shown.emphasis,
            placeholder: false,
        }
    }

    fn placeholder(&self, number: u64, text: String, words: Words) -> LineRow {
        LineRow {
            number,
            text,
            whole: None,
            gutter: self.notes.gutter(number),
            tags: self.notes.tags(number, words),
            emphasis: None,
            matches: Vec::new(),
            placeholder: true,
        }
    }

    fn lay_out(&mut self) {
        self.layout = match self.filter {
            LogFilter::All => Layout::with_folds(self.line_count, &self.folded),
            filter => Layout::filtered(self.notes.ranges(filter)),
        };
        self.mark_overview();
    }

    fn mark_overview(&mut self) {
        let mut overview = Vec::new();
        // Nearer than this, two marks would be drawn on the same points anyway.
        let slack = self.row_count() / OVERVIEW_STEPS;
        for (kind, ranges) in self.notes.by_kind() {
            let from = overview.len();
            for lines in ranges {
                let (first, last) = (
                    self.row_of_line(*lines.start()),
                    self.row_of_line(*lines.end()),
                );
                if let (Some(first), Some(last)) = (first, last) {
                    extend(&mut overview, from, (first, last + 1), Some(kind), slack);
                }
            }
        }
        let from = overview.len();
        for line in &self.found {
            if let Some(row) = self.row_of_line(*line) {
                extend(&mut overview, from, (row, row + 1), None, slack);
            }
        }
        self.overview = overview;
    }

    /// Whether a filter shows a line.
    pub(super) fn filter_shows(&self, filter: LogFilter, line: u64) -> bool {
        filter == LogFilter::All || holds(self.notes.ranges(filter), line)
    }
}

/// Adds rows to the marks, joined with the last of the same kind where they are next to it.
fn extend(
    marks: &mut Vec<Match>,
    from: usize,
    rows: (usize, usize),
    kind: Option<MarkKind>,
    slack: usize,
) {
    let has_last = marks.len() > from;
    match marks.last_mut() {
        Some(last) if has_last && rows.0 <= last.rows.1 + slack => {
            last.rows.1 = last.rows.1.max(rows.1);
        }
        _ => marks.push(Match { rows, kind }),
    }
}

fn matches(needle: Option<&Needle>, text: &str) -> Vec<Range<usize>> {
    needle.map_or_else(Vec::new, |needle| needle.find_all(text))
}

fn failed_text(error: &InputError, words: Words) -> String {
    words.text(match error {
        InputError::NotFound => "app-row-vanished",
        InputError::AccessDenied => "app-row-denied",
        InputError::ChangedWhileRead { .. } => "app-row-changed",
        _ => "app-row-unreadable",
    })
}
