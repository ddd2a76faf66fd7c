//! Which columns of a table hold its labels.

use std::path::Path;
use std::sync::Arc;

use super::super::{ClassList, LabelError, ListSource, Role, Wanted};
use super::cells::{self, Cell, Reading};
use super::column_stats::{MOST_TEXTS, Stat};
use super::names::{is_bookkeeping, is_item_id, is_picture, told};
use super::records::{Cells, sample};
use super::text::{to_text, trim};

/// Columns of one table.
const MOST_COLUMNS: usize = 1 << 21;
/// Cells that are looked at before the columns are chosen.
const MOST_SAMPLED: usize = 1 << 22;
/// Rows that are looked at.
const MOST_ROWS: usize = 500;
/// Columns that are named where none could be chosen.
const MOST_NAMED: usize = 64;

/// How a table is arranged.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// Between cells.
    pub delimiter: u8,
    /// Records before the first row.
    pub skip: usize,
    /// Cells of most rows.
    pub width: usize,
    /// What to read.
    pub plan: Plan,
    /// The class list that the first line holds.
    pub classes: Option<Arc<ClassList>>,
}

/// What to read of a table.
#[derive(Clone, Debug)]
pub(super) enum Plan {
    /// These columns, by rising number.
    Columns(Vec<Column>),
    /// Columns of 0 and 1, one a class.
    Binary {
        /// The first.
        first: usize,
        /// Their names.
        names: Vec<Arc<str>>,
    },
}

/// A column that is read.
#[derive(Clone, Debug)]
pub(super) struct Column {
    /// Its number from 0.
    pub at: usize,
    /// Its header, or its number.
    pub name: Arc<str>,
    /// What its values are used as, as far as the name tells.
    pub role: Option<Role>,
    /// Nothing but its content tells that it holds labels.
    pub guessed: bool,
    /// Nearly all cells of the sample are numbers.
    pub numeric: bool,
}

/// The delimiter and how many cells most records have, from the first lines.
pub(super) fn sniff_delimiter(
    head: &[u8],
    whole: bool,
    newline: u8,
    tab_first: bool,
) -> (u8, usize, f64) {
    let mut best = (b',', 1, 0.0, false);
    let order: [u8; 4] = if tab_first { *b"\t;|," } else { *b";\t|," };
    for delimiter in order {
        let framing = framing(head, whole, newline, delimiter);
        let counts: Vec<usize> = sample(head, whole, framing, newline, 100)
            .into_iter()
            .map(|(record, _)| Cells::of(record, delimiter).count())
            .collect();
        let (width, times) = mode(&counts);
        if width < 2 {
            continue;
        }
        let share = times as f64 / counts.len() as f64;
        let first = counts.first() == Some(&width);
        // A delimiter that the first line has as often as the rest beats one that only the rest has.
        let better = (share > best.2 + 0.05 && (first || !best.3))
            || (share + 0.05 > best.2 && first && !best.3);
        if better {
            best = (delimiter, width, share, first);
        }
    }
    (best.0, best.1, best.2)
}

/// The delimiter that quotes are minded with; `None` where every line has the same number of tabs: its quotes are letters.
pub(super) fn framing(head: &[u8], whole: bool, newline: u8, delimiter: u8) -> Option<u8> {
    if delimiter != b'\t' {
        return Some(delimiter);
    }
    let tabs = |line: &[u8]| memchr::memchr_iter(b'\t', line).count();
    let lines = sample(head, whole, None, newline, 100);
    let (first, _) = lines.first()?;
    let width = tabs(first);
    let same = width > 0 && lines.iter().all(|(line, _)| tabs(line) == width);
    (!same).then_some(delimiter)
}

/// The commonest number and how often it occurs; of several the largest.
fn mode(counts: &[usize]) -> (usize, usize) {
    let mut sorted = counts.to_vec();
    sorted.sort_unstable();
    let mut best = (0, 0);
    for run in sorted.chunk_by(|a, b| a == b) {
        if let Some(value) = run.first().filter(|_| run.len() >= best.1) {
            best = (*value, run.len());
        }
    }
    best
}

/// Finds out how a table is arranged.
///
/// # Errors
/// Where nothing in it looks like labels, or the wanted column is not there.
pub(super) fn layout(
    head: &[u8],
    whole: bool,
    newline: u8,
    path: &Arc<Path>,
    wanted: &Wanted,
) -> Result<Layout, LabelError> {
    let tab_first = has_extension(path, &["tsv", "tab", "lst"]);
    let (delimiter, width, _) = sniff_delimiter(head, whole, newline, tab_first);
    if width > MOST_COLUMNS {
        return Err(LabelError::Malformed {
            said: format!("{width} columns, more than {MOST_COLUMNS}"),
            line: None,
            byte: None,
        });
    }
    let how = Reading {
        names: &wanted.names,
        comma_separates: delimiter == b',',
        nan_is_value: false,
    };
    let rows = (MOST_SAMPLED / width).clamp(2, MOST_ROWS);
    let framing = framing(head, whole, newline, delimiter);
    let records = sample(head, whole, framing, newline, rows + 10);
    let before = preamble(&records, delimiter, width);
    let records: Vec<&[u8]> = records.iter().skip(before).map(|(r, _)| *r).collect();
    let first: Vec<String> = records
        .first()
        .map(|record| {
            Cells::of(record, delimiter)
                .map(|cell| to_text(trim(&cell)).into_owned())
                .collect()
        })
        .unwrap_or_default();
    let mut stats = vec![Stat::default(); width.max(first.len()).min(MOST_COLUMNS)];
    for record in records.iter().skip(1) {
        for (stat, cell) in stats.iter_mut().zip(Cells::of(record, delimiter)) {
            stat.add(&cell, how);
        }
    }
    let table = Table {
        path,
        wanted,
        how,
        width,
        first,
        stats,
        rows: records.len().saturating_sub(1),
    };
    let (headers, plan, classes) = table.plan(&records, delimiter)?;
    Ok(Layout {
        delimiter,
        skip: before + usize::from(headers),
        width,
        plan,
        classes,
    })
}

/// Whether a path's extension, one of a packed file included, is among some.
pub(super) fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    let name = path
        .file_name()
        .map(|n| n.to_string_lossy().to_ascii_lowercase())
        .unwrap_or_default();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    extensions
        .iter()
        .any(|e| name.strip_suffix(e).is_some_and(|n| n.ends_with('.')))
}

/// Lines of a title or a comment before the table begins.
fn preamble(records: &[(&[u8], u64)], delimiter: u8, width: usize) -> usize {
    let lead = records
        .iter()
        .take(10)
        .take_while(|(record, _)| {
            let cells = Cells::of(record, delimiter).count();
            // Excel's own first line, which names the delimiter.
            let names_it = record.len() <= 5 && record.to_ascii_lowercase().starts_with(b"sep=");
            names_it || (cells == 1 && width > 2) || (record.starts_with(b"#") && cells != width)
        })
        .count();
    if lead < records.len() { lead } else { 0 }
}

struct Table<'a> {
    path: &'a Arc<Path>,
    wanted: &'a Wanted,
    how: Reading<'a>,
    width: usize,
    first: Vec<String>,
    stats: Vec<Stat>,
    rows: usize,
}

type Chosen = (bool, Plan, Option<Arc<ClassList>>);

impl Table<'_> {
    fn plan(mut self, records: &[&[u8]], delimiter: u8) -> Result<Chosen, LabelError> {
        if let Some(classes) = self.class_line() {
            let at = self.width.saturating_sub(1);
            let mut column = self.column(at, None, Some(Role::Class), false);
            if let Some(name) = &self.wanted.column {
                column = self.numbered(name)?;
            }
            return Ok((true, Plan::Columns(vec![column]), Some(Arc::new(classes))));
        }
        if self.has_header() {
            let header = std::mem::take(&mut self.first);
            return self.with_header(&header).map(|plan| (true, plan, None));
        }
        if let Some(first) = records.first() {
            self.rows += 1;
            let cells: Vec<_> = Cells::of(first, delimiter).collect();
            for (stat, cell) in self.stats.iter_mut().zip(&cells) {
                // The first row comes last here: it says nothing about rising.
                let (rising, last) = (stat.rising, stat.last);
                let ahead = stat.first;
                stat.add(cell, self.how);
                let value = match cells::parse(cell, self.how) {
                    Cell::Number(n, _) => n.as_int(),
                    _ => None,
                };
                stat.rising = rising && value.is_some_and(|v| ahead.is_none_or(|next| v < next));
                stat.last = last.or(value);
            }
        }
        self.without_header().map(|plan| (false, plan, None))
    }

    fn is_number(&self, cell: &str) -> bool {
        matches!(cells::parse(cell.as_bytes(), self.how), Cell::Number(..))
    }

    /// `150,4,setosa,versicolor,virginica`, as scikit-learn's data sets begin: rows, features, then the classes.
    fn class_line(&self) -> Option<ClassList> {
        let [rows, features, names @ ..] = self.first.as_slice() else {
            return None;
        };
        rows.parse::<u64>().ok()?;
        let features = features.parse::<usize>().ok()?;
        let all_named =
            !names.is_empty() && names.iter().all(|n| !n.is_empty() && !self.is_number(n));
        let below = self.stats.iter().take(self.width).all(Stat::all_numbers);
        (all_named && below && features + 1 == self.width).then(|| ClassList {
            names: names.to_vec(),
            source: ListSource {
                path: Some(Arc::clone(self.path)),
                line: Some(1),
                what: "target_names".to_owned(),
            },
            ..ClassList::default()
        })
    }

    fn has_header(&self) -> bool {
        let first = &self.first;
        let wanted = self.wanted.column.as_deref();
        let names = |cell: &String| {
            !self.is_number(cell)
                && (told(cell).is_some() || wanted.is_some_and(|w| w.eq_ignore_ascii_case(cell)))
        };
        if first.iter().any(names) {
            return true;
        }
        let counts = first.len() >= 4
            && first.iter().skip(1).enumerate().all(|(i, cell)| {
                // pandas numbers columns without names, behind one for the index that has none.
                let number = if first.first().is_some_and(String::is_empty) {
                    i
                } else {
                    i + 1
                };
                cell.parse() == Ok(number)
            })
            && first.first().is_some_and(|c| c.is_empty() || c == "0");
        if counts {
            return true;
        }
        let data = |cell: &String| self.is_number(cell) || is_picture(cell);
        if first.iter().all(String::is_empty) || first.iter().any(data) {
            return false;
        }
        if self.rows == 0 {
            return first.len() > 1;
        }
        if self.stats.iter().any(|s| s.all_numbers() || s.pictures > 0) {
            return true;
        }
        // Text only: a header does not occur again below itself.
        !first
            .iter()
            .zip(&self.stats)
            .any(|(cell, stat)| stat.texts.contains(cell))
    }

    fn column(&self, at: usize, name: Option<&str>, role: Option<Role>, guessed: bool) -> Column {
        Column {
            at,
            name: name.map_or_else(|| at.to_string().into(), Arc::from),
            role: self.wanted.role.or(role),
            guessed,
            numeric: self.stats.get(at).is_some_and(Stat::numeric),
        }
    }

    /// A column by its number.
    fn numbered(&self, wanted: &str) -> Result<Column, LabelError> {
        match wanted.trim().parse::<usize>() {
            Ok(at) if at < self.width.max(1) => Ok(self.column(at, None, None, false)),
            _ => Err(LabelError::NoSuchColumn {
                wanted: wanted.to_owned(),
                found: self.numbers(),
            }),
        }
    }

    fn numbers(&self) -> Vec<String> {
        (0..self.width.min(MOST_NAMED))
            .map(|n| n.to_string())
            .collect()
    }

    fn with_header(&self, header: &[String]) -> Result<Plan, LabelError> {
        // R writes no name above its row names.
        let shift = usize::from(header.len() + 1 == self.width && !self.last_is_empty());
        let column = |i: usize, role, guessed| {
            self.column(i + shift, header.get(i).map(String::as_str), role, guessed)
        };
        let found = || header.iter().take(MOST_NAMED).cloned().collect();
        if let Some(wanted) = &self.wanted.column {
            let at = header
                .iter()
                .position(|h| h == wanted)
                .or_else(|| {
                    header
                        .iter()
                        .position(|h| h.eq_ignore_ascii_case(wanted.trim()))
                })
                .or_else(|| wanted.parse().ok().filter(|n| *n < header.len()))
                .ok_or_else(|| LabelError::NoSuchColumn {
                    wanted: wanted.clone(),
                    found: found(),
                })?;
            let name = header.get(at).map(String::as_str).unwrap_or_default();
            let role = if is_item_id(name) {
                Some(Role::Token)
            } else {
                told(name).map(|t| t.role)
            };
            return Ok(Plan::Columns(vec![column(at, role, false)]));
        }
        let mut chosen = Vec::new();
        if self.wanted.role == Some(Role::Token) {
            chosen.extend(
                (0..header.len())
                    .filter(|i| header.get(*i).is_some_and(|h| is_item_id(h)))
                    .map(|i| column(i, Some(Role::Token), false)),
            );
        }
        if chosen.is_empty() {
            chosen = telling(header, &column);
        }
        if !chosen.is_empty() {
            return Ok(Plan::Columns(chosen));
        }
        if let Some(plan) = self.binary(header, shift) {
            return Ok(plan);
        }
        self.only_one(header, shift, &column)
            .map(|c| Plan::Columns(vec![c]))
            .ok_or_else(|| LabelError::NoLabels { found: found() })
    }

    fn last_is_empty(&self) -> bool {
        self.stats
            .get(self.width.saturating_sub(1))
            .is_some_and(|s| s.filled == 0)
    }

    /// Neighbouring columns of 0 and 1, where all others say which row it is.
    fn binary(&self, header: &[String], shift: usize) -> Option<Plan> {
        let is_binary = |i: usize| {
            self.stats
                .get(i + shift)
                .is_some_and(|s| s.binary && s.all_ints())
        };
        let is_mark = |i: usize| {
            let stat = self.stats.get(i + shift);
            header.get(i).is_some_and(|h| is_bookkeeping(h))
                || stat.is_some_and(|s| s.numbers == 0 || (s.all_ints() && s.rising && i == 0))
        };
        let first = (0..header.len()).find(|i| is_binary(*i) && !is_mark(*i))?;
        let count = (first..header.len()).take_while(|i| is_binary(*i)).count();
        let others = (0..first).chain(first + count..header.len()).all(is_mark);
        let any_one = (first..first + count).any(|i| {
            self.stats
                .get(i + shift)
                .is_some_and(|s| s.first != Some(0) || !s.constant)
        });
        (count >= 2 && others && any_one).then(|| Plan::Binary {
            first: first + shift,
            names: header
                .iter()
                .skip(first)
                .take(count)
                .map(|h| Arc::from(h.as_str()))
                .collect(),
        })
    }

    /// The only column of integers of a small table.
    fn only_one(
        &self,
        header: &[String],
        shift: usize,
        column: &dyn Fn(usize, Option<Role>, bool) -> Column,
    ) -> Option<Column> {
        let mut ints = header.iter().enumerate().filter(|(i, h)| {
            self.stats.get(*i + shift).is_some_and(Stat::all_ints)
                && (header.len() == 1 || !is_bookkeeping(h))
        });
        let (at, _) = ints.next()?;
        (ints.next().is_none() && header.len() <= 3).then(|| column(at, None, true))
    }

    fn without_header(&self) -> Result<Plan, LabelError> {
        let one = |column| Ok(Plan::Columns(vec![column]));
        if let Some(wanted) = &self.wanted.column {
            return self.numbered(wanted).and_then(one);
        }
        if self.width <= 1 {
            return one(self.column(0, None, None, false));
        }
        let last = self.width - 1;
        let none = || LabelError::NoLabels {
            found: self.numbers(),
        };
        let (Some(a), Some(b)) = (self.stats.first(), self.stats.get(last)) else {
            return Err(none());
        };
        // MXNet's lists: number, label, picture.
        if self.width == 3 && a.all_ints() && b.pictures == b.filled && b.filled > 0 {
            let middle = self.stats.get(1).is_some_and(Stat::all_numbers);
            if middle {
                return one(self.column(1, None, Some(Role::Class), false));
            }
        }
        let at = match (self.may_be_labels(a), self.may_be_labels(b)) {
            // The last column rises with the rows: a time, or labels in order. Beside numbers that cannot be told.
            (true, true) if b.rising && self.rows > 2 && a.numbers > 0 => return Err(none()),
            (true, false) => 0,
            (false, true) if self.counts(a) && self.counts(b) => return Err(none()),
            (false, true) => last,
            _ => return Err(none()),
        };
        one(self.column(at, None, None, true))
    }

    /// Whole numbers that rise with the rows.
    fn counts(&self, stat: &Stat) -> bool {
        self.rows > 2 && stat.all_ints() && stat.rising
    }

    /// Integers that are not all the same, or a few names beside numbers.
    fn may_be_labels(&self, stat: &Stat) -> bool {
        if stat.all_ints() {
            let is_first = self
                .stats
                .first()
                .is_some_and(|first| std::ptr::eq(first, stat));
            let constant = self.rows > 2 && stat.constant;
            return !(constant || (is_first && self.counts(stat)));
        }
        let few = !stat.texts.is_empty()
            && stat.numbers == 0
            && stat.pictures == 0
            && stat.texts.len() < MOST_TEXTS
            && stat.texts.len() * 2 <= self.rows.max(2);
        few && self.rows > 2
    }
}

/// Columns whose names tell.
fn telling(header: &[String], column: &dyn Fn(usize, Option<Role>, bool) -> Column) -> Vec<Column> {
    let has_x = header.iter().any(|h| h.eq_ignore_ascii_case("x"));
    let named: Vec<_> = header
        .iter()
        .enumerate()
        // Beside x, y is a coordinate.
        .filter(|(_, h)| !(has_x && h.eq_ignore_ascii_case("y")))
        .filter_map(|(i, h)| told(h).map(|t| (i, t)))
        .collect();
    let best = named.iter().map(|(_, t)| t.rank).filter(|r| *r > 0).min();
    named
        .into_iter()
        .filter(|(_, t)| t.rank == 0 || Some(t.rank) == best)
        .take(MOST_NAMED)
        .map(|(i, t)| column(i, Some(t.role), false))
        .collect()
}
