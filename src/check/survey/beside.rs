//! What lies beside a single label file and tells something about it.

use std::path::Path;
use std::sync::Arc;

use super::{Survey, file, names};
use crate::check::{Source, SourceKind};
use crate::inputs::path_order;
use crate::labels::LabelFormat;

/// Entries of a folder that are looked at: a file in a download folder has many neighbours.
const MOST_ENTRIES: usize = 20_000;
/// Folders that hold nothing but labels; what tells about those lies one above.
const LABEL_FOLDERS: [&str; 13] = [
    "labels",
    "label",
    "annotations",
    "annotation",
    "masks",
    "mask",
    "segmentationclass",
    "gt",
    "train",
    "val",
    "valid",
    "test",
    "obj_train_data",
];

/// Files in the folder of a label file, and in the one above a `labels` folder, that tell about it.
pub(super) fn of(survey: &Survey<'_>, path: &Arc<Path>, format: LabelFormat) -> Vec<Source> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let mut found = in_folder(survey, folder, path, format);
    let holds_labels = folder.file_name().is_some_and(|name| {
        LABEL_FOLDERS
            .iter()
            .any(|known| name.eq_ignore_ascii_case(known))
    });
    if holds_labels && let Some(above) = folder.parent() {
        let above = if above.as_os_str().is_empty() {
            Path::new(".")
        } else {
            above
        };
        found.extend(in_folder(survey, above, path, format));
    }
    found
}

fn in_folder(
    survey: &Survey<'_>,
    folder: &Path,
    of: &Arc<Path>,
    format: LabelFormat,
) -> Vec<Source> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut files: Vec<Arc<Path>> = Vec::new();
    for entry in entries.take(MOST_ENTRIES) {
        if survey.stopped() {
            return Vec::new();
        }
        let Ok(entry) = entry else { continue };
        // Named as the user would name it, so that a file given along with its neighbour is one and the same.
        let path = if folder == Path::new(".") && of.parent() == Some(Path::new("")) {
            entry.file_name().into()
        } else {
            entry.path()
        };
        let may_tell = names::may_tell_of_labels(&path);
        if may_tell && entry.file_type().is_ok_and(|kind| kind.is_file()) && path != **of {
            files.push(path.into());
        }
    }
    files.sort_unstable_by(|a, b| path_order(a, b));
    let root: Arc<Path> = folder.into();
    files
        .iter()
        .filter_map(|path| match file::recognise(path) {
            // Without masks a list of colours is a list of names.
            file::Recognised::Is(SourceKind::Colours) if format != LabelFormat::Mask => {
                Some(survey.source(path, &root, SourceKind::ClassNames, None))
            }
            file::Recognised::Is(kind) if tells_of(&kind, format) => {
                Some(survey.source(path, &root, kind, None))
            }
            _ => None,
        })
        .collect()
}

/// Whether a file of this kind says something about labels of this format.
fn tells_of(kind: &SourceKind, format: LabelFormat) -> bool {
    use LabelFormat as F;
    match kind {
        SourceKind::ClassNames => format != F::Tokens,
        SourceKind::Colours => format == F::Mask,
        SourceKind::DataYaml | SourceKind::ObjData => format == F::Yolo,
        SourceKind::Config | SourceKind::DatasetInfo => !matches!(
            format,
            F::Yolo | F::Voc | F::Mask | F::Coco | F::ImageFolder
        ),
        SourceKind::Meta => matches!(format, F::Tokens | F::Pickle | F::Npy),
        _ => false,
    }
}
