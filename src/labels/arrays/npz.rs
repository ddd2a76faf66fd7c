//! NumPy's `.npz`: a ZIP archive of `.npy` files, whose names are keys.

use super::choose::choose;
use super::found::{Content, Found};
use super::give::Giver;
use super::held::{Input, malformed};
use super::{npy, zip_file};
use crate::inputs::InputError;
use crate::labels::LabelError;

/// Reads a `.npz`.
pub(super) fn read(input: &Input, giver: &mut Giver<'_>) -> Result<(), LabelError> {
    let mut found = Vec::new();
    for entry in zip_file::entries(input)? {
        if giver.sink.stopped() {
            return Err(InputError::Cancelled.into());
        }
        let Some(key) = entry.name.strip_suffix(".npy") else {
            continue;
        };
        let key = key.to_owned();
        let Some(held) = entry.held else {
            let error =
                malformed("an entry that is encrypted, cut short or packed in an unknown way");
            found.push(Found::new(key, Content::Broken(error)));
            continue;
        };
        match npy::array(input, held) {
            Ok(array) => Found::array(&mut found, key, array),
            Err(error @ (LabelError::Input(_) | LabelError::UnpacksTooLarge { .. })) => {
                return Err(error);
            }
            Err(error) => found.push(Found::new(key, Content::Broken(error))),
        }
    }
    if found.is_empty() {
        return Err(malformed("a ZIP archive without NumPy arrays"));
    }
    give(&found, giver)
}

/// Chooses among what was found, and gives it.
pub(super) fn give(found: &[Found], giver: &mut Giver<'_>) -> Result<(), LabelError> {
    let described: Vec<_> = found.iter().map(Found::described).collect();
    for chosen in choose(&described, giver.wanted, false)? {
        if let Some(one) = found.get(chosen.index) {
            giver.found(one, &chosen)?;
        }
    }
    for one in found {
        if let Content::Broken(error) = &one.content {
            giver.fail(&one.path, error.clone())?;
        }
    }
    giver.finish(&described)
}
