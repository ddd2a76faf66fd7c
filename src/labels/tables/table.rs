//! Delimited tables.

use std::path::Path;
use std::sync::Arc;

use super::super::{ClassList, LabelError, ListSource, Place, Role, Sink, TroubleKind, Wanted};
use super::cells::{self, Cell, Form, Reading};
use super::columns::{self, Column, Layout, Plan};
use super::layouts::refuse_lines;
use super::records::{Cells, Fault, Record, Records};
use super::text::{TextReader, cancelled, trim};
use super::writer::{Begin, Spot, Troubles, Writer};
use crate::inputs::InputError;

/// Rows between two looks at the clock of the user.
const ROWS_BETWEEN: u64 = 4096;

/// Reads a table.
///
/// # Errors
/// Where nothing in it looks like labels.
pub(super) fn read(
    path: &Arc<Path>,
    wanted: &Wanted,
    sink: &mut dyn Sink,
) -> Result<(), LabelError> {
    let mut records = Records::new(TextReader::open(path)?);
    let layout = arrange(&mut records, path, wanted, sink)?;
    let mut table = Table::new(path, wanted, layout, records);
    match table.layout.plan.clone() {
        Plan::Columns(columns) => table.columns(&columns, sink),
        Plan::Binary { first, names } => {
            let one_hot = table.sums_to_one(first, names.len(), sink)?;
            table.records = Records::new(TextReader::open(path)?);
            // The kind of line break is told from the head.
            table.records.head();
            table.records.delimiter = Some(table.layout.delimiter);
            table.records.width = Some(table.layout.width);
            table.binary(first, &names, one_hot, sink)
        }
    }
}

/// Finds out how the table is arranged.
fn arrange(
    records: &mut Records,
    path: &Arc<Path>,
    wanted: &Wanted,
    sink: &mut dyn Sink,
) -> Result<Layout, LabelError> {
    let progress = records.progress();
    records.head();
    let newline = records.newline();
    let (head, whole) = records.head();
    if trim(head).is_empty() && whole {
        progress.finish(sink, &Place::file(Arc::clone(path)), 0)?;
        return Err(LabelError::Input(InputError::Empty));
    }
    refuse_lines(head, whole, newline)?;
    let layout = columns::layout(head, whole, newline, path, wanted)?;
    records.delimiter = Some(layout.delimiter);
    records.width = Some(layout.width);
    Ok(layout)
}

struct Table<'a> {
    path: &'a Arc<Path>,
    layout: Layout,
    how: Reading<'a>,
    wanted: &'a Wanted,
    records: Records,
    troubles: Troubles,
    place: Place,
    other_encoding: bool,
}

impl<'a> Table<'a> {
    fn new(path: &'a Arc<Path>, wanted: &'a Wanted, layout: Layout, records: Records) -> Self {
        let place = Place::file(Arc::clone(path));
        Self {
            path,
            how: Reading {
                names: &wanted.names,
                comma_separates: layout.delimiter == b',',
                nan_is_value: matches!(wanted.role, Some(Role::Logits | Role::Probability)),
            },
            wanted,
            layout,
            records,
            troubles: Troubles::new(&place),
            place,
            other_encoding: false,
        }
    }

    /// Leaves the records before the first row.
    fn skip(&mut self) {
        for _ in 0..self.layout.skip {
            let _ = self.records.next();
        }
    }

    fn tell_encoding(&mut self, sink: &mut dyn Sink) {
        let name = self.records.progress().encoding();
        self.troubles.encoding(sink, name);
    }

    /// Tells what is wrong with a record; `true` where it can be read none the less.
    fn sound(&mut self, record: &Record, row: u64, sink: &mut dyn Sink) -> Result<bool, Full> {
        let bytes = self.records.bytes(record);
        let spot = Spot {
            line: Some(record.line),
            row: Some(row),
            text: bytes,
            ..Spot::default()
        };
        if !self.other_encoding && std::str::from_utf8(bytes).is_err() {
            self.other_encoding = true;
            let kind = TroubleKind::OtherEncoding("windows-1252");
            self.troubles.tell(sink, kind, spot);
        }
        let said = match record.fault {
            None => return Ok(true),
            Some(Fault::OpenQuote) => "a quote that is never closed",
            Some(Fault::TooLong) => "longer than 64 MiB",
        };
        let kind = TroubleKind::BadLine(said.to_owned());
        if self.troubles.tell(sink, kind, spot) {
            Ok(false)
        } else {
            Err(Full)
        }
    }

    fn columns(&mut self, columns: &[Column], sink: &mut dyn Sink) -> Result<(), LabelError> {
        let mut writers: Vec<Writer> = columns
            .iter()
            .map(|column| {
                let begin = Begin {
                    column: Some(Arc::clone(&column.name)),
                    role: column.role,
                    classes: self.layout.classes.clone(),
                    guessed: column.guessed,
                    ..Begin::default()
                };
                Writer::begin(sink, &self.place, begin)
            })
            .collect();
        self.skip();
        self.tell_encoding(sink);
        let mut row = 0;
        while let Some(record) = self.records.next() {
            if row % ROWS_BETWEEN == 0 {
                if sink.stopped() {
                    return Err(cancelled());
                }
                sink.read(self.records.progress().consumed());
            }
            let Ok(sound) = self.sound(&record, row, sink) else {
                break;
            };
            if sound && self.row(&record, row, columns, &mut writers, sink).is_err() {
                break;
            }
            row += 1;
        }
        for writer in &mut writers {
            writer.flush(sink);
        }
        self.end(row, sink)
    }

    /// Reads the wanted cells of a row.
    fn row(
        &mut self,
        record: &Record,
        row: u64,
        columns: &[Column],
        writers: &mut [Writer],
        sink: &mut dyn Sink,
    ) -> Result<(), Full> {
        let bytes = self.records.bytes(record);
        let spot = Spot {
            line: Some(record.line),
            row: Some(row),
            text: bytes,
            ..Spot::default()
        };
        let mut cells = Cells::of(bytes, self.layout.delimiter).enumerate();
        for (column, writer) in columns.iter().zip(writers) {
            let Some((_, cell)) = cells.find(|(i, _)| *i == column.at) else {
                let said = format!("no cell in column {}", column.name);
                let kind = TroubleKind::BadLine(said);
                return if self.troubles.tell(sink, kind, spot) {
                    Ok(())
                } else {
                    Err(Full)
                };
            };
            let parsed = cells::parse(&cell, self.how);
            let is_class = || self.how.names.iter().any(|n| n.as_bytes() == &*cell);
            let several = match parsed {
                Cell::Name(name) => cells::list(name).filter(|_| !is_class()),
                Cell::Number(..) if self.how.comma_separates && !self.how.nan_is_value => {
                    cells::between_commas(&cell)
                }
                _ => None,
            };
            if let Some(list) = several {
                for (position, value) in (0..).zip(list) {
                    let spot = Spot {
                        position: Some(position),
                        ..spot
                    };
                    writer.number(sink, value, Form::Plain, spot);
                }
                continue;
            }
            if let Cell::Name(_) = parsed {
                // A delimiter inside a text moves the cells behind it.
                if column.numeric {
                    let count = Cells::of(bytes, self.layout.delimiter).count();
                    if count > self.layout.width {
                        let said = format!("{count} cells instead of {}", self.layout.width);
                        let kind = TroubleKind::BadLine(said);
                        return if self.troubles.tell(sink, kind, spot) {
                            Ok(())
                        } else {
                            Err(Full)
                        };
                    }
                }
            }
            writer.cell(sink, &parsed, spot);
        }
        Ok(())
    }

    /// Whether every row of 0 and 1 has exactly one 1: one-hot, else several labels a row.
    fn sums_to_one(
        &mut self,
        first: usize,
        count: usize,
        sink: &mut dyn Sink,
    ) -> Result<bool, LabelError> {
        self.skip();
        let mut row = 0_u64;
        while let Some(record) = self.records.next() {
            if row.is_multiple_of(ROWS_BETWEEN) && sink.stopped() {
                return Err(cancelled());
            }
            row += 1;
            if record.fault.is_some() {
                continue;
            }
            let bytes = self.records.bytes(&record);
            let mut ones = 0_u64;
            let mut cells = 0;
            for cell in Cells::of(bytes, self.layout.delimiter)
                .skip(first)
                .take(count)
            {
                cells += 1;
                match cells::parse(&cell, self.how) {
                    Cell::Number(n, _) if n == 0.into() => {}
                    Cell::Number(n, _) if n == 1.into() => ones += 1,
                    _ => return Ok(false),
                }
            }
            if cells == count && ones != 1 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn binary(
        &mut self,
        first: usize,
        names: &[Arc<str>],
        one_hot: bool,
        sink: &mut dyn Sink,
    ) -> Result<(), LabelError> {
        let own = if one_hot {
            Role::Class
        } else {
            Role::MultiLabel
        };
        let begin = Begin {
            role: self.wanted.role.or(Some(own)),
            one_hot: one_hot.then_some(names.len() as u64),
            classes: one_hot.then(|| {
                Arc::new(ClassList {
                    names: names.iter().map(ToString::to_string).collect(),
                    source: ListSource {
                        path: Some(Arc::clone(self.path)),
                        line: Some(1),
                        what: "header".to_owned(),
                    },
                    ..ClassList::default()
                })
            }),
            ..Begin::default()
        };
        let mut writer = Writer::begin(sink, &self.place, begin);
        self.skip();
        self.tell_encoding(sink);
        let mut row = 0;
        while let Some(record) = self.records.next() {
            if row % ROWS_BETWEEN == 0 {
                if sink.stopped() {
                    return Err(cancelled());
                }
                sink.read(self.records.progress().consumed());
            }
            let Ok(sound) = self.sound(&record, row, sink) else {
                break;
            };
            let bytes = self.records.bytes(&record);
            let mut cells = 0;
            for (position, cell) in Cells::of(bytes, self.layout.delimiter)
                .skip(first)
                .take(if sound { names.len() } else { 0 })
                .enumerate()
            {
                cells += 1;
                let spot = Spot {
                    line: Some(record.line),
                    row: Some(row),
                    text: bytes,
                    ..Spot::default()
                };
                let parsed = cells::parse(&cell, self.how);
                if !one_hot {
                    let spot = Spot {
                        position: Some(position as u64),
                        key: names.get(position),
                        ..spot
                    };
                    writer.cell(sink, &parsed, spot);
                } else if matches!(parsed, Cell::Number(n, _) if n == 1.into()) {
                    writer.number(sink, (position as u64).into(), Form::Plain, spot);
                }
            }
            if sound && cells < names.len() {
                let spot = Spot {
                    line: Some(record.line),
                    row: Some(row),
                    text: bytes,
                    ..Spot::default()
                };
                let said = format!("{cells} of {} classes", names.len());
                if !self.troubles.tell(sink, TroubleKind::BadLine(said), spot) {
                    break;
                }
            }
            row += 1;
        }
        writer.flush(sink);
        self.end(row, sink)
    }

    fn end(&mut self, rows: u64, sink: &mut dyn Sink) -> Result<(), LabelError> {
        self.records.progress().finish(sink, &self.place, rows)?;
        if rows == 0 {
            self.troubles
                .tell(sink, TroubleKind::Empty { class: None }, Spot::default());
        }
        Ok(())
    }
}

/// There were too many troubles to go on.
struct Full;
