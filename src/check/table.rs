//! All offenders as a CSV table.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _, Write};
use std::path::Path;

use super::Offender;
use crate::findings::Text;
use crate::inputs::open_regular;
use crate::labels::Place;

/// The first line.
const HEADER: &str = "path,line,row,index,column,key,pixel_x,pixel_y,document,position,value,text";

/// Whether a file is such a table: its first line tells.
pub fn is_offender_table(path: &Path) -> bool {
    let mut first = String::new();
    let most = HEADER.len() as u64 + 2;
    open_regular(path).is_ok_and(|(file, _): (File, u64)| {
        BufReader::new(file.take(most))
            .read_line(&mut first)
            .is_ok()
    }) && first.trim_end() == HEADER
}

/// Writes offenders as they come. The first error is kept; what follows it is not written.
pub struct OffenderTable<W: Write> {
    to: csv::Writer<W>,
    count: u64,
    failed: Option<io::Error>,
}

impl<W: Write> OffenderTable<W> {
    /// A table with its header.
    pub fn new(to: W) -> Self {
        let mut table = Self {
            to: csv::Writer::from_writer(to),
            count: 0,
            failed: None,
        };
        table.write(&HEADER.split(',').map(str::to_owned).collect::<Vec<_>>());
        table
    }

    /// One more. Rows count from 0 and lines from 1, as in the JSON.
    pub fn add(&mut self, offender: &Offender) {
        let value = match &offender.value {
            Text::Number(n) => n.to_string(),
            Text::Count(n) => n.to_string(),
            Text::Name(name) => name.clone(),
        };
        let mut record = cells(&offender.place);
        record.push(value);
        record.push(offender.row_text.clone().unwrap_or_default());
        self.write(&record);
        self.count += 1;
    }

    fn write(&mut self, record: &[String]) {
        if self.failed.is_none() {
            // A cell that begins like a formula would be one in a spreadsheet.
            let safe = record.iter().map(|cell| {
                if cell.starts_with(['=', '@', '\t', '\r']) {
                    format!("'{cell}")
                } else {
                    cell.clone()
                }
            });
            self.failed = self.to.write_record(safe).map_err(io::Error::from).err();
        }
    }

    /// How many were written.
    ///
    /// # Errors
    /// Where writing failed.
    pub fn finish(mut self) -> io::Result<u64> {
        match self.failed.take() {
            Some(error) => Err(error),
            None => self.to.flush().map(|()| self.count),
        }
    }
}

fn cells(place: &Place) -> Vec<String> {
    fn shown<T: ToString>(value: Option<T>) -> String {
        value.map(|value| value.to_string()).unwrap_or_default()
    }
    let index = place.index.as_ref().map(|index| {
        let parts: Vec<String> = index.iter().map(ToString::to_string).collect();
        parts.join(" ")
    });
    vec![
        shown(place.path.as_ref().map(|path| path.to_string_lossy())),
        shown(place.line),
        shown(place.row),
        shown(index),
        shown(place.column.as_ref()),
        shown(place.key.as_ref()),
        shown(place.pixel.map(|[x, _]| x)),
        shown(place.pixel.map(|[_, y]| y)),
        shown(place.document),
        shown(place.position),
    ]
}
