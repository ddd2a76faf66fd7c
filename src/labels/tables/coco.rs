//! COCO annotations: instances, keypoints, panoptic, results, and what shares their layout (LVIS, Objects365).
//!
//! The file is gone through twice: first for `categories` and `images`, wherever they stand, so that the stream can begin with its
//! class list; then for the annotations, which are told one by one and never held.

use std::path::Path;
use std::sync::Arc;

use super::super::{LabelError, Place, Role, Sink, TroubleKind, Wanted};
use super::coco_annotations::{Annotations, Told};
use super::coco_lists::{Lists, read_lists};
use super::json;
use super::load::JsonFile;
use super::text::cancelled;
use super::writer::{Begin, Spot, Troubles, Writer};

/// The key that holds the labels.
const KEY: &str = "category_id";

/// Whether what the user asked for is what this layout has.
pub(super) fn is_asked(wanted: &Wanted) -> bool {
    wanted
        .column
        .as_deref()
        .is_none_or(|column| column.rsplit('.').next() == Some(KEY))
}

/// Reads a COCO file.
///
/// # Errors
/// Where it is no JSON, or has no annotations.
pub(super) fn read(
    path: &Arc<Path>,
    wanted: &Wanted,
    sink: &mut dyn Sink,
) -> Result<(), LabelError> {
    let file = JsonFile::open(path, sink)?;
    if is_asked(wanted) {
        read_file(&file, path, wanted, sink)
    } else {
        json::read_file(&file, path, wanted, sink)
    }
}

/// Reads a COCO file that is open.
///
/// # Errors
/// Where it is no JSON, or has no annotations.
pub(super) fn read_file(
    file: &JsonFile,
    path: &Arc<Path>,
    wanted: &Wanted,
    sink: &mut dyn Sink,
) -> Result<(), LabelError> {
    let place = Place::file(Arc::clone(path));
    let mut lists = match read_lists(file) {
        Err(_) if file.is_cut() => Lists::default(),
        lists => lists?,
    };
    if !lists.is_list && !lists.has_annotations && !file.is_cut() {
        return if lists.images.is_empty() && lists.categories.is_empty() {
            json::read_file(file, path, wanted, sink)
        } else {
            Err(LabelError::NoLabels { found: lists.keys })
        };
    }
    let mut troubles = Troubles::new(&place);
    if lists.is_list {
        troubles.tell(sink, TroubleKind::ResultsFile, Spot::default());
    }
    let classes = lists.class_list(path, &mut troubles, sink);
    let role = if classes.is_some() {
        Role::CategoryId
    } else {
        Role::Class
    };
    let begin = Begin {
        key: Some(KEY.into()),
        role: wanted.role.or(Some(role)),
        classes,
        ..Begin::default()
    };
    let mut writer = Writer::begin(sink, &place, begin);
    let mut told = Told::new(sink, &mut writer, &mut troubles, &lists.images);
    let parsed = file.parse(Annotations(&mut told));
    let stopped = told.stopped;
    told.finish();
    let (rows, other) = (told.rows, told.without);
    writer.flush(sink);
    if stopped {
        return Err(cancelled());
    }
    file.tell_cut(sink, writer.count());
    match parsed {
        Err(_) if file.is_cut() && writer.count() > 0 => return Ok(()),
        parsed => parsed?,
    }
    if rows == 0 {
        troubles.tell(sink, TroubleKind::Empty { class: None }, Spot::default());
    } else if writer.count() == 0 {
        let what = other.unwrap_or("annotations without category_id");
        return Err(LabelError::NotLabels(what.to_owned()));
    }
    Ok(())
}
