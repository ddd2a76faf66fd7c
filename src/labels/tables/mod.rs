//! Text formats: delimited tables, lists, JSON in all its forms.

mod cells;
mod coco;
mod coco_annotations;
mod coco_lists;
mod column_stats;
mod columns;
mod json;
mod jsonl;
mod layouts;
mod load;
mod names;
mod node;
mod path_list;
mod records;
mod sniff;
mod table;
mod text;
mod walk;
mod writer;

#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::Arc;

use super::{LabelError, LabelFormat, Sink, Wanted};

pub use sniff::sniff;

/// Reads one file.
pub(super) fn read(
    path: &Arc<Path>,
    format: LabelFormat,
    wanted: &Wanted,
    sink: &mut dyn Sink,
) -> Result<(), LabelError> {
    match format {
        LabelFormat::Table => table::read(path, wanted, sink),
        LabelFormat::PathList => path_list::read(path, wanted, sink),
        LabelFormat::Json => json::read(path, wanted, sink),
        LabelFormat::JsonLines => jsonl::read(path, wanted, sink),
        LabelFormat::Coco => coco::read(path, wanted, sink),
        _ => Err(LabelError::Unknown),
    }
}
