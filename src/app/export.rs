//! Offenders as CSV: all of them, with everything that tells where they stand.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{ExportError, ToExport};
use crate::check::{self, OffenderTable};

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
    let system = |error: io::Error| ExportError::System(error.to_string());
    let file = fs::File::create(draft).map_err(system)?;
    let mut table = OffenderTable::new(io::BufWriter::new(file));
    match offenders {
        ToExport::All(offenders) => {
            for offender in &offenders {
                if cancel.load(Ordering::Relaxed) {
                    break;
                }
                table.add(offender);
            }
        }
        ToExport::FindAgain(data) => {
            check::run(
                &data.given,
                &data.options,
                &data.outside,
                cancel,
                &mut |_| {},
                Some(&mut |offender| table.add(offender)),
            );
        }
    }
    if cancel.load(Ordering::Relaxed) {
        return Err(ExportError::Cancelled);
    }
    table.finish().map_err(system)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Offender;
    use crate::labels::Place;
    use crate::range_check::{Breach, Number};

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
            "path,line,row,index,column,key,pixel_x,pixel_y,document,position,value,text\n\
             labels/a.txt,2,1,,,,,,,,80,\"80 0.5, 0.4\"\n\
             labels/a.txt,5,4,,,,,,,,80,\"80 \"\"x\"\"\"\n"
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
