//! Offenders as CSV: all of them, with everything that tells where they stand.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{ExportError, ToExport};
use crate::check::{self, Offender};
use crate::findings::Text;
use crate::range_check::Breach;

/// Names of the columns; they are for programs, so they are the same in every language.
const COLUMNS: [&str; 13] = [
    "file", "line", "row", "index", "column", "key", "pixel_x", "pixel_y", "document", "position",
    "value", "breach", "row_text",
];

/// Writes offenders into a file; the file appears whole or not at all. How many there were.
pub(super) fn export(
    path: &Path,
    offenders: ToExport,
    sources: &[Arc<Path>],
    cancel: &AtomicBool,
) -> Result<u64, ExportError> {
    if is_among(path, sources) {
        return Err(ExportError::IsASource);
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    let draft = path.with_file_name(name);
    let written = write(&draft, offenders, cancel).and_then(|rows| {
        fs::rename(&draft, path).map_err(|error| ExportError::System(error.to_string()))?;
        Ok(rows)
    });
    if written.is_err() {
        drop(fs::remove_file(&draft));
    }
    written
}

/// Whether the file is one of those that were checked, by whatever name.
fn is_among(path: &Path, sources: &[Arc<Path>]) -> bool {
    let Ok(file) = fs::canonicalize(path) else {
        // It does not exist yet, so it is none of them.
        return false;
    };
    sources
        .iter()
        .any(|source| fs::canonicalize(source).is_ok_and(|source| source == file))
}

fn write(draft: &Path, offenders: ToExport, cancel: &AtomicBool) -> Result<u64, ExportError> {
    let system = |error: &dyn std::fmt::Display| ExportError::System(error.to_string());
    let file = fs::File::create(draft).map_err(|error| system(&error))?;
    let mut table = csv::Writer::from_writer(io::BufWriter::new(file));
    table
        .write_record(COLUMNS)
        .map_err(|error| system(&error))?;
    let mut rows = 0;
    match offenders {
        ToExport::All(offenders) => {
            for offender in &offenders {
                if cancel.load(Ordering::Relaxed) {
                    return Err(ExportError::Cancelled);
                }
                table
                    .write_record(record(offender))
                    .map_err(|error| system(&error))?;
                rows += 1;
            }
        }
        ToExport::FindAgain(data) => {
            let mut failed = None;
            let checked = check::run(
                &data.given,
                &data.options,
                &data.outside,
                cancel,
                &mut |_| {},
                &mut |offender| {
                    if failed.is_none() {
                        match table.write_record(record(offender)) {
                            Ok(()) => rows += 1,
                            Err(error) => {
                                failed = Some(system(&error));
                                // A full disk does not get better by reading on.
                                cancel.store(true, Ordering::Relaxed);
                            }
                        }
                    }
                },
            );
            if let Some(error) = failed {
                return Err(error);
            }
            if checked.cancelled || cancel.load(Ordering::Relaxed) {
                return Err(ExportError::Cancelled);
            }
        }
    }
    let mut file = table.into_inner().map_err(|error| system(&error.error()))?;
    file.flush().map_err(|error| system(&error))?;
    Ok(rows)
}

fn record(offender: &Offender) -> [String; 13] {
    let place = &offender.place;
    let number = |n: Option<u64>| n.map(|n| n.to_string()).unwrap_or_default();
    let text = |t: &Option<Arc<str>>| t.as_deref().unwrap_or_default().to_owned();
    let index = place.index.as_ref().map(|index| {
        let numbers: Vec<_> = index.iter().map(u64::to_string).collect();
        numbers.join(" ")
    });
    [
        place
            .path
            .as_ref()
            .map(|path| path.display().to_string())
            .unwrap_or_default(),
        number(place.line),
        number(place.row),
        index.unwrap_or_default(),
        text(&place.column),
        text(&place.key),
        number(place.pixel.map(|[x, _]| x)),
        number(place.pixel.map(|[_, y]| y)),
        number(place.document),
        number(place.position),
        match &offender.value {
            Text::Number(n) => n.to_string(),
            Text::Count(n) => n.to_string(),
            Text::Name(name) => name.clone(),
        },
        breach_name(offender.breach).to_owned(),
        offender.row_text.clone().unwrap_or_default(),
    ]
}

/// The id of the finding that tells of a breach.
fn breach_name(breach: Option<Breach>) -> &'static str {
    match breach {
        Some(Breach::Nan) => "nan",
        Some(Breach::Infinite) => "inf",
        Some(Breach::Fraction) => "fraction",
        Some(Breach::Below) => "negative",
        Some(Breach::Above) => "too-big",
        None => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::labels::Place;
    use crate::range_check::Number;

    fn offender(row: u64, text: &str) -> Offender {
        Offender {
            group: 0,
            breach: Some(Breach::Above),
            value: Number::from(80).into(),
            place: Place {
                line: Some(row + 1),
                row: Some(row),
                ..Place::file(Arc::from(Path::new("labels/a.txt")))
            },
            row_text: Some(text.to_owned()),
        }
    }

    fn folder(name: &str) -> std::path::PathBuf {
        let folder = std::env::temp_dir().join(format!(
            "assert-doctor-export-{}-{name}",
            std::process::id()
        ));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn every_offender_is_a_row() {
        let folder = folder("rows");
        let file = folder.join("offenders.csv");
        fs::write(&file, "an older export").unwrap();
        let all = ToExport::All(vec![offender(1, "80 0.5, 0.4"), offender(4, "80 \"x\"")]);
        let rows = export(&file, all, &[], &AtomicBool::new(false));
        assert_eq!(rows, Ok(2));
        assert_eq!(
            fs::read_to_string(&file).unwrap(),
            "file,line,row,index,column,key,pixel_x,pixel_y,document,position,value,breach,row_text\n\
             labels/a.txt,2,1,,,,,,,,80,too-big,\"80 0.5, 0.4\"\n\
             labels/a.txt,5,4,,,,,,,,80,too-big,\"80 \"\"x\"\"\"\n"
        );
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "no draft stays");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_checked_file_is_never_written_over() {
        let folder = folder("source");
        let file = folder.join("labels.csv");
        fs::write(&file, "label\n1\n").unwrap();
        let sources = [Arc::from(file.as_path())];
        let again = folder.join(".").join("labels.csv");
        let all = ToExport::All(vec![offender(0, "")]);
        let said = export(&again, all, &sources, &AtomicBool::new(false));
        assert_eq!(said, Err(ExportError::IsASource));
        assert_eq!(fs::read_to_string(&file).unwrap(), "label\n1\n");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_stopped_export_leaves_nothing() {
        let folder = folder("stopped");
        let file = folder.join("offenders.csv");
        let all = ToExport::All(vec![offender(0, "")]);
        let said = export(&file, all, &[], &AtomicBool::new(true));
        assert_eq!(said, Err(ExportError::Cancelled));
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
        fs::remove_dir_all(folder).unwrap();
    }
}
