//! Files that could not be read while others could: nothing is known of what they hold.

use super::{Finding, FindingId, FoundValue, Material, Severity};
use crate::inputs::InputError;
use crate::knowledge::Certainty;
use crate::labels::{LabelError, Place};

/// One finding for all of them. Where nothing at all was read there is no answer to add it to.
pub(super) fn find(material: &Material, out: &mut Vec<Finding>) {
    if material.files.iter().all(|file| file.error.is_some()) {
        return;
    }
    let mut unread = material.files.iter().filter(|file| match &file.error {
        None | Some(LabelError::Input(InputError::Cancelled)) => false,
        // A stranger in a folder is no part of the data set.
        Some(_) => file.named || file.format.is_some(),
    });
    let Some(first) = unread.next() else { return };
    let count = 1 + unread.count() as u64;
    let mut finding = Finding::new(FindingId::Unreadable, Severity::Warning, Certainty::Certain);
    finding.count = count;
    finding.files = count;
    finding.first = Some(FoundValue {
        place: Place::file(first.path.clone()),
        value: None,
        row_text: None,
    });
    out.push(finding);
}
