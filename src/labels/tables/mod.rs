//! Text formats: delimited tables, lists, JSON in all its forms.

use std::path::Path;
use std::sync::Arc;

use super::{LabelError, LabelFormat, Sink, Wanted};

/// Reads one file.
pub(super) fn read(
    path: &Arc<Path>,
    format: LabelFormat,
    wanted: &Wanted,
    sink: &mut dyn Sink,
) -> Result<(), LabelError> {
    let _ = (path, format, wanted, sink);
    Err(LabelError::Unknown)
}
