//! Logs that lie directly in a folder.

use std::cmp::Ordering;
use std::path::{Path, PathBuf};
use std::sync::atomic::{self, AtomicBool};

use super::InputError;
use super::kind::{InputKind, Name, inspect};
use super::read::{open_regular, read_some};

/// The most logs that are named, and the most files that are looked into.
pub const MOST_LOGS: usize = 20;
const MOST_FILES: usize = 400;
/// A folder of a million pictures is not listed to its end.
const MOST_ENTRIES: usize = 50_000;
const HEAD_BYTES: usize = 16 * 1024;

/// Files directly in a folder that look like logs, in natural order, at most 20.
///
/// # Errors
/// Where the folder cannot be listed, or the user stopped it.
pub fn logs_in(folder: &Path, cancel: &AtomicBool) -> Result<Vec<PathBuf>, InputError> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)?.take(MOST_ENTRIES) {
        if cancel.load(atomic::Ordering::Relaxed) {
            return Err(InputError::Cancelled);
        }
        // An entry that vanishes while the folder is listed is no reason to give the others up.
        let Ok(entry) = entry else { continue };
        let path = entry.path();
        if may_be_log(&path) {
            files.push(path);
        }
    }
    files.sort_by(|a, b| natural_order(&a.to_string_lossy(), &b.to_string_lossy()));

    let mut logs = Vec::new();
    let mut texts = Vec::new();
    for path in files.into_iter().take(MOST_FILES) {
        if cancel.load(atomic::Ordering::Relaxed) {
            return Err(InputError::Cancelled);
        }
        let head = open_regular(&path).and_then(|(mut file, _)| read_some(&mut file, HEAD_BYTES));
        let Ok(head) = head else { continue };
        if head.is_empty() {
            continue;
        }
        match inspect(&path, &head).kind {
            InputKind::Log | InputKind::Notebook => logs.push(path),
            InputKind::Text if Name::of(&path).ends(&["txt", ""]) => texts.push(path),
            _ => {}
        }
        if logs.len() == MOST_LOGS {
            break;
        }
    }
    // Plain texts (a read-me, a list of requirements) count only where nothing better is there.
    if logs.is_empty() {
        logs = texts;
        logs.truncate(MOST_LOGS);
    }
    Ok(logs)
}

/// Names that no log bears are not even opened.
fn may_be_log(path: &Path) -> bool {
    let name = Name::of(path);
    let hidden = name.whole.starts_with('.');
    !hidden
        && super::magic::by_name(&name).is_none()
        && !name.ends(&[
            "py", "zip", "gz", "tar", "bin", "exe", "dll", "so", "mp4", "pdf", "xml",
        ])
}

/// The order in which people count: `run2` before `run10`, letter case ignored.
pub fn natural_order(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a, b);
    loop {
        let (Some(l), Some(r)) = (left.chars().next(), right.chars().next()) else {
            return left.len().cmp(&right.len()).then_with(|| a.cmp(b));
        };
        if l.is_ascii_digit() && r.is_ascii_digit() {
            let (left_number, left_rest) = split_number(left);
            let (right_number, right_rest) = split_number(right);
            // Without leading zeros the longer number is the larger one, however long.
            let order = left_number
                .len()
                .cmp(&right_number.len())
                .then_with(|| left_number.cmp(right_number));
            if order != Ordering::Equal {
                return order;
            }
            (left, right) = (left_rest, right_rest);
        } else {
            let order = l.to_lowercase().cmp(r.to_lowercase());
            if order != Ordering::Equal {
                return order;
            }
            left = left.get(l.len_utf8()..).unwrap_or_default();
            right = right.get(r.len_utf8()..).unwrap_or_default();
        }
    }
}

/// The number at the front without its leading zeros, and what follows it.
fn split_number(text: &str) -> (&str, &str) {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let (digits, rest) = text.split_at_checked(end).unwrap_or((text, ""));
    (digits.trim_start_matches('0'), rest)
}
