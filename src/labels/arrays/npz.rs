//! NumPy's `.npz`: a ZIP archive of `.npy` files, whose names are keys.

use super::choose::choose;
use super::dtype::Kind;
use super::found::{Content, Found};
use super::give::Giver;
use super::held::{Input, malformed};
use super::names::{Told, last, tell};
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
    fail_others(found, giver)?;
    giver.finish(&described)
}

/// Says what is wrong with those that no choice could take: damaged ones, and labels of types that no label has.
pub(super) fn fail_others(found: &[Found], giver: &mut Giver<'_>) -> Result<(), LabelError> {
    for one in found {
        let name = one.column.as_deref().unwrap_or_else(|| last(&one.path));
        let matters = found.len() == 1 || tell(name) == Told::Label;
        let error = match &one.content {
            Content::Broken(error) => error.clone(),
            Content::Array(array) if matters => match &array.kind {
                Kind::Objects => LabelError::PickledObjects,
                Kind::Other(name) => LabelError::ElementType(name.clone()),
                _ => continue,
            },
            _ => continue,
        };
        giver.fail(&one.path, error)?;
    }
    Ok(())
}
