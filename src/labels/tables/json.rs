//! One JSON value with labels at any depth.

use std::path::Path;
use std::sync::Arc;

use super::super::{LabelError, Place, Sink, Wanted};
use super::layouts::refuse_json;
use super::load::JsonFile;
use super::sniff::{JsonKind, json_kind};
use super::text::cancelled;
use super::walk::Walk;
use super::{coco, jsonl};

/// Reads a JSON file.
///
/// # Errors
/// Where it is no JSON, another layout, or has no labels.
pub(super) fn read(
    path: &Arc<Path>,
    wanted: &Wanted,
    sink: &mut dyn Sink,
) -> Result<(), LabelError> {
    let file = JsonFile::open(path, sink)?;
    refuse_json(file.head())?;
    match json_kind(file.head()) {
        JsonKind::Lines => {
            drop(file);
            return jsonl::read(path, wanted, sink);
        }
        JsonKind::Coco if coco::is_asked(wanted) => {
            return coco::read_file(&file, path, wanted, sink);
        }
        _ => {}
    }
    read_file(&file, path, wanted, sink)
}

/// Reads a JSON file that is open, whatever its layout.
///
/// # Errors
/// Where it is no JSON, or has no labels.
pub(super) fn read_file(
    file: &JsonFile,
    path: &Arc<Path>,
    wanted: &Wanted,
    sink: &mut dyn Sink,
) -> Result<(), LabelError> {
    let place = Place::file(Arc::clone(path));
    let mut walk = Walk::new(&place, wanted, file.head(), sink).with_text(file.held());
    let parsed = file.parse(Root(&mut walk));
    if walk.stopped() {
        return Err(cancelled());
    }
    let told = walk.finish();
    let count = walk.count();
    file.tell_cut(sink, count);
    match parsed {
        // The text ends with the packed file: what came before counts.
        Err(_) if file.is_cut() && told.is_ok() => Ok(()),
        Err(error) => Err(error),
        Ok(()) => told,
    }
}

/// The whole value; can be deserialised from any source.
struct Root<'a, 'w>(&'a mut Walk<'w>);

impl<'de> serde::de::DeserializeSeed<'de> for Root<'_, '_> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.0.root().deserialize(deserializer)
    }
}
