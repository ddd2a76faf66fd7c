//! What belongs to pictures: YOLO texts, VOC, class folders, masks.

mod image_folder;
mod mask;
mod mask_rows;
#[cfg(test)]
pub(crate) mod test_folder;
mod voc;
mod yolo;

use std::path::Path;
use std::sync::Arc;

pub(crate) use image_folder::{has_picture_extension, split_of_name};
pub(crate) use mask::{has_one_channel, other_picture};

use super::{LabelError, LabelFormat, Sink, Wanted};

/// Reads one file.
pub(super) fn read(
    path: &Arc<Path>,
    format: LabelFormat,
    wanted: &Wanted,
    sink: &mut dyn Sink,
) -> Result<(), LabelError> {
    match format {
        LabelFormat::Yolo => yolo::read(path, sink),
        LabelFormat::Voc => voc::read(path, sink),
        LabelFormat::ImageFolder => image_folder::read(path, sink),
        LabelFormat::Mask => mask::read(path, wanted, sink),
        _ => Err(LabelError::Unknown),
    }
}

/// Troubles of one kind that one file may tell; the rest is counted by one of [`super::TroubleKind::Limit`].
const MOST_TROUBLES: usize = 1_000;

/// The beginning of a row for showing.
fn shown(bytes: &[u8]) -> String {
    const MOST_CHARS: usize = 300;
    let cut = bytes.get(..4 * MOST_CHARS).unwrap_or(bytes);
    let text = String::from_utf8_lossy(cut);
    let text = text.trim_end_matches(['\r', '\n']);
    let mut chars = text.char_indices();
    match chars.nth(MOST_CHARS) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}
