//! Telling the folder of a run that this program started: nothing in it is label data.

use std::path::Path;

use super::read::{open_regular, read_some};

/// The record that makes a folder that of a run.
pub const RUN_RECORD: &str = "run.json";
/// What a run printed.
pub const RUN_LOG: &str = "output.log";
/// When it printed it.
const RUN_TIMES: &str = "times.tsv";

/// The beginning of the schema's name; a later version's, too.
const SCHEMA: &[u8] = b"\"assert-doctor/run/";

/// Bytes of the record that are looked at: the schema stands at its beginning.
const HEAD: usize = 4096;

/// Whether a folder is that of a run: its record says so, or, where that is damaged, what lies beside it.
pub fn is_run_folder(folder: &Path) -> bool {
    let record = folder.join(RUN_RECORD);
    // Most folders have no such file, and that is cheap to know.
    if !record.is_file() {
        return false;
    }
    let named = open_regular(&record)
        .and_then(|(mut file, _)| read_some(&mut file, HEAD))
        .is_ok_and(|head| memchr::memmem::find(&head, SCHEMA).is_some());
    named || (folder.join(RUN_LOG).is_file() && folder.join(RUN_TIMES).is_file())
}
