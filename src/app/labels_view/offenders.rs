//! The values that break a rule, as rows of a table: order and number are made when something changes, the words of a row when
//! it comes on screen.

use std::cmp::Ordering;
use std::path::Path;

use super::findings::Concerned;
use super::{Basis, OffenderColumn};
use crate::case::shown;
use crate::check::{Checked, Offender};
use crate::findings::{Finding, FoundValue, Text};
use crate::labels::Place;
use crate::words::{Arg, Words};

/// Rows whose texts are measured.
const MOST_MEASURED: usize = 200;

/// The offenders' table.
#[derive(Debug, Default)]
pub struct Offenders {
    /// "48 of this finding".
    pub caption: String,
    /// More than this is known of, and is in the export.
    pub more: Option<String>,
    /// What they are sorted by.
    pub sorted_by: OffenderColumn,
    /// The other way round.
    pub descending: bool,
    /// There is something to export.
    pub can_export: bool,
    /// Characters of the longest row and the longest value among the first rows, for the widths of their columns.
    pub longest: (usize, usize),
    rows: Rows,
    words: Option<Words>,
}

#[derive(Debug)]
enum Rows {
    /// Indices into the check's offenders.
    Kept(Vec<u32>),
    /// No value breaks a rule; where the finding was seen first.
    First(Box<OffenderRow>),
}

impl Default for Rows {
    fn default() -> Self {
        Self::Kept(Vec::new())
    }
}

/// One row of the table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OffenderRow {
    /// The file, from the folder that was given.
    pub file: String,
    /// The whole path.
    pub path: String,
    /// The row, from 1, or what stands for it.
    pub row: String,
    /// The value.
    pub value: String,
    /// The row as it stands.
    pub text: String,
    /// The value breaks its rule; otherwise it only is where something was seen.
    pub breaks: bool,
}

impl Offenders {
    /// How many rows there are.
    pub fn len(&self) -> usize {
        match &self.rows {
            Rows::Kept(rows) => rows.len(),
            Rows::First(_) => 1,
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(super) fn row(&self, row: usize, checked: &Checked) -> Option<OffenderRow> {
        match &self.rows {
            Rows::First(first) => (row == 0).then(|| (**first).clone()),
            Rows::Kept(rows) => {
                let offender = checked.offenders.get(*rows.get(row)? as usize)?;
                Some(row_of(
                    &offender.place,
                    Some(&offender.value),
                    offender.row_text.as_deref(),
                    checked,
                    self.words?,
                ))
            }
        }
    }
}

pub(super) fn of(of: Basis<'_>, finding: Option<&Finding>) -> Offenders {
    let (checked, words) = (of.checked, of.words);
    let concerned = finding.map(|finding| Concerned::by(finding, &checked.material));
    let of_source = |offender: &Offender| {
        of.looking.source.is_none_or(|source| {
            let group = checked.material.groups.get(offender.group);
            group.is_some_and(|group| group.source == source)
        })
    };
    let mut rows: Vec<u32> = (0u32..)
        .zip(&checked.offenders)
        .filter(|(_, offender)| {
            of_source(offender)
                && concerned
                    .as_ref()
                    .is_none_or(|concerned| concerned.has(offender))
        })
        .map(|(index, _)| index)
        .collect();
    sort(&mut rows, of);
    let can_export = checked.offenders_total > 0;
    let (sorted_by, descending) = (of.looking.sorted_by, of.looking.descending);
    let kept = checked.offenders.len() as u64;
    let more = (checked.offenders_total > kept).then(|| {
        words.with(
            "labels-offenders-more",
            &[
                ("shown", Arg::Number(kept)),
                ("total", Arg::Number(checked.offenders_total)),
            ],
        )
    });
    let count = rows.len() as u64;
    let (caption, rows) = match finding {
        Some(finding) if rows.is_empty() => (
            words.text("labels-offenders-none"),
            first_of(finding, checked, words).map_or_else(Rows::default, Rows::First),
        ),
        Some(_) => (
            words.with("labels-offenders-of", &[("count", Arg::Number(count))]),
            Rows::Kept(rows),
        ),
        None => (
            words.with("labels-offenders-all", &[("count", Arg::Number(count))]),
            Rows::Kept(rows),
        ),
    };
    let mut offenders = Offenders {
        caption,
        more,
        sorted_by,
        descending,
        can_export,
        longest: (0, 0),
        rows,
        words: Some(words),
    };
    for row in 0..offenders.len().min(MOST_MEASURED) {
        if let Some(row) = offenders.row(row, checked) {
            let (rows, values) = offenders.longest;
            offenders.longest = (
                rows.max(row.row.chars().count()),
                values.max(row.value.chars().count()),
            );
        }
    }
    offenders
}

/// Indices rise in reading order, and sorting is stable.
fn sort(rows: &mut [u32], of: Basis<'_>) {
    let offender = |row: &u32| of.checked.offenders.get(*row as usize);
    match of.looking.sorted_by {
        OffenderColumn::File => {}
        OffenderColumn::Row => rows.sort_by_key(|row| offender(row).map(|o| rank(&o.place))),
        OffenderColumn::Value => rows.sort_by(|a, b| match (offender(a), offender(b)) {
            (Some(a), Some(b)) => a.value.cmp(&b.value),
            _ => Ordering::Equal,
        }),
    }
    if of.looking.descending {
        rows.reverse();
    }
}

/// Rows by number, pixels from the top, whatever the place is made of.
fn rank(place: &Place) -> [u64; 3] {
    if let Some([x, y]) = place.pixel {
        return [y, x, 0];
    }
    if let Some(document) = place.document {
        return [document, place.position.unwrap_or(0), 0];
    }
    if let Some(index) = &place.index {
        let at = |axis: usize| index.get(axis).copied().unwrap_or(0);
        return [at(0), at(1), at(2)];
    }
    let row = place.row.or(place.line).unwrap_or(0);
    [row, place.position.unwrap_or(0), 0]
}

fn first_of(finding: &Finding, checked: &Checked, words: Words) -> Option<Box<OffenderRow>> {
    let FoundValue {
        place,
        value,
        row_text,
    } = finding.first.as_ref()?;
    let row = row_of(place, value.as_ref(), row_text.as_deref(), checked, words);
    Some(Box::new(OffenderRow {
        breaks: false,
        ..row
    }))
}

fn row_of(
    place: &Place,
    value: Option<&Text>,
    text: Option<&str>,
    checked: &Checked,
    words: Words,
) -> OffenderRow {
    let path = place.path.as_deref();
    OffenderRow {
        file: path.map(|path| relative(path, checked)).unwrap_or_default(),
        path: path
            .map(|path| shown(&path.to_string_lossy()))
            .unwrap_or_default(),
        row: row_text(place, words),
        value: value.map(value_text).unwrap_or_default(),
        text: text.map(shown).unwrap_or_default(),
        breaks: true,
    }
}

/// A value as it is written.
pub(super) fn value_text(value: &Text) -> String {
    match value {
        Text::Number(n) => n.to_string(),
        Text::Count(n) => n.to_string(),
        Text::Name(name) => shown(name),
    }
}

/// A path from the folder that was given; the file's name where that is the file itself.
pub(super) fn relative(path: &Path, checked: &Checked) -> String {
    let below = checked
        .sources
        .iter()
        .find_map(|source| path.strip_prefix(&source.root).ok())
        .filter(|below| !below.as_os_str().is_empty());
    let path = below
        .or_else(|| path.file_name().map(Path::new))
        .unwrap_or(path);
    shown(&path.to_string_lossy().replace('\\', "/"))
}

/// The row, counted from 1; a pixel, an index or a key where there are no rows.
fn row_text(place: &Place, words: Words) -> String {
    let number = |n: u64| words.number(n);
    let mut text = if let Some([x, y]) = place.pixel {
        words.with(
            "labels-pixel",
            &[("x", Arg::Number(x)), ("y", Arg::Number(y))],
        )
    } else if let Some(document) = place.document {
        words.with(
            "labels-document",
            &[("document", Arg::Number(document.saturating_add(1)))],
        )
    } else if let Some(index) = place.index.as_ref().filter(|index| index.len() > 1) {
        let index: Vec<_> = index.iter().map(u64::to_string).collect();
        format!("[{}]", index.join(", "))
    } else if let Some(row) = place.row {
        number(row.saturating_add(1))
    } else if let Some(line) = place.line {
        number(line)
    } else {
        place.key.as_deref().map(shown).unwrap_or_default()
    };
    if let Some(position) = place.position {
        if !text.is_empty() {
            text.push_str(" · ");
        }
        text.push_str(&number(position.saturating_add(1)));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Language;

    #[test]
    fn rows_count_from_one() {
        let words = Words::new(Language::En);
        let check = |place: Place, expected: &str| assert_eq!(row_text(&place, words), expected);
        check(Place::default(), "");
        check(
            Place {
                row: Some(310),
                line: Some(312),
                ..Place::default()
            },
            "311",
        );
        check(
            Place {
                line: Some(7),
                ..Place::default()
            },
            "7",
        );
        check(
            Place {
                row: Some(0),
                position: Some(4),
                ..Place::default()
            },
            "1 · 5",
        );
        check(
            Place {
                index: Some(vec![3, 0, 5]),
                row: Some(3),
                ..Place::default()
            },
            "[3, 0, 5]",
        );
        check(
            Place {
                key: Some("17".into()),
                ..Place::default()
            },
            "17",
        );
        check(
            Place {
                pixel: Some([311, 20]),
                ..Place::default()
            },
            "x 311, y 20",
        );
    }
}
