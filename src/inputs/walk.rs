//! What lies in a folder and below it.

use std::cmp::Ordering;
use std::ffi::OsStr;
use std::path::{Component, Path};
use std::sync::Arc;

use rayon::slice::ParallelSliceMut as _;
use walkdir::WalkDir;

use super::{InputError, is_run_folder, natural_order};

/// Folders inside each other. Deeper ones are left out; real data sets have ten.
const MOST_DEPTH: usize = 64;

/// How a folder is walked.
#[derive(Clone, Copy, Debug)]
pub struct WalkOptions {
    /// Files and folders whose names begin with a dot, too.
    pub hidden: bool,
    /// The most entries that are listed.
    pub most: usize,
}

impl WalkOptions {
    /// Without hidden ones, up to the number that still fits into memory well.
    pub const VISIBLE: Self = Self {
        hidden: false,
        most: 2_000_000,
    };
}

/// The files and folders below a folder.
#[derive(Clone, Debug, Default)]
pub struct Walk {
    /// Regular files, natural path order.
    pub files: Vec<Arc<Path>>,
    /// Folders, natural path order, without the one that was walked.
    pub folders: Vec<Arc<Path>>,
    /// Links, to files or folders: never followed. Natural path order.
    pub links: Vec<Arc<Path>>,
    /// Not all entries are listed: there are more than the limit.
    pub cut: bool,
    /// Folders lie inside each other deeper than is looked into.
    pub too_deep: bool,
    /// Folders and entries that the system did not let us list.
    pub refused: u64,
}

/// Lists what lies below a folder. No link is followed, but the folder itself may be one: the user named it.
///
/// # Errors
/// Where the folder itself cannot be listed, or `stopped` says so.
pub fn walk(
    root: &Path,
    options: WalkOptions,
    stopped: &dyn Fn() -> bool,
) -> Result<Walk, InputError> {
    let mut found = Walk::default();
    let mut entries = 0_usize;
    let mut walk = WalkDir::new(root)
        .follow_links(false)
        .max_depth(MOST_DEPTH)
        .into_iter();
    while let Some(entry) = walk.next() {
        if entries.is_multiple_of(256) && stopped() {
            return Err(InputError::Cancelled);
        }
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) if error.depth() == 0 => {
                return Err(error
                    .into_io_error()
                    .map_or(InputError::NotFound, Into::into));
            }
            Err(_) => {
                found.refused += 1;
                continue;
            }
        };
        if entry.depth() == 0 {
            if entry.file_type().is_file() {
                return Err(InputError::System("not a folder".to_owned()));
            }
            if is_run_folder(entry.path()) {
                break;
            }
            continue;
        }
        // Nothing in a run's own folder belongs to the data set that it happens to lie in.
        if entry.file_type().is_dir() && is_run_folder(entry.path()) {
            walk.skip_current_dir();
            continue;
        }
        if !options.hidden && is_hidden(entry.file_name()) {
            if entry.file_type().is_dir() {
                walk.skip_current_dir();
            }
            continue;
        }
        if entries == options.most {
            found.cut = true;
            break;
        }
        entries += 1;
        let kind = entry.file_type();
        found.too_deep |= kind.is_dir() && entry.depth() == MOST_DEPTH;
        let list = if kind.is_symlink() {
            &mut found.links
        } else if kind.is_dir() {
            &mut found.folders
        } else if kind.is_file() {
            &mut found.files
        } else {
            continue;
        };
        list.push(entry.into_path().into());
    }
    for list in [&mut found.files, &mut found.folders, &mut found.links] {
        list.par_sort_unstable_by(|a, b| path_order(a, b));
    }
    Ok(found)
}

fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

/// Natural order, folder by folder.
pub fn path_order(a: &Path, b: &Path) -> Ordering {
    let names = |a: &OsStr, b: &OsStr| natural_order(&a.to_string_lossy(), &b.to_string_lossy());
    if a.parent() == b.parent() {
        return names(
            a.file_name().unwrap_or_default(),
            b.file_name().unwrap_or_default(),
        );
    }
    let mut left = a.components().map(Component::as_os_str);
    let mut right = b.components().map(Component::as_os_str);
    loop {
        match (left.next(), right.next()) {
            (Some(l), Some(r)) if l == r => {}
            (Some(l), Some(r)) => return names(l, r),
            (l, r) => return l.is_some().cmp(&r.is_some()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::labels::TestFolder;

    fn names(root: &Path, list: &[Arc<Path>]) -> Vec<String> {
        list.iter()
            .map(|path| {
                let inner = path.strip_prefix(root).unwrap_or(path);
                inner.to_string_lossy().replace('\\', "/")
            })
            .collect()
    }

    #[test]
    fn order_hidden_ones_and_limits() {
        let folder = TestFolder::new();
        for name in [
            "b/10.txt",
            "b/2.txt",
            "a/x/1.txt",
            "a.txt",
            ".git/config",
            "a/.hidden",
            "run10/x",
            "run9/x",
        ] {
            folder.write(name, b"x");
        }
        let root = folder.path();
        let all = walk(root, WalkOptions::VISIBLE, &|| false).expect("a folder");
        assert_eq!(
            names(root, &all.files),
            [
                "a/x/1.txt",
                "a.txt",
                "b/2.txt",
                "b/10.txt",
                "run9/x",
                "run10/x"
            ]
        );
        assert_eq!(
            names(root, &all.folders),
            ["a", "a/x", "b", "run9", "run10"]
        );
        let hidden = WalkOptions {
            hidden: true,
            most: 5,
        };
        let some = walk(root, hidden, &|| false).expect("a folder");
        assert!(some.cut);
        assert_eq!(some.files.len() + some.folders.len(), 5);
        let stopped = walk(root, hidden, &|| true).map(|_| ());
        assert_eq!(stopped, Err(InputError::Cancelled));
        let missing = walk(&root.join("none"), hidden, &|| false).map(|_| ());
        assert_eq!(missing, Err(InputError::NotFound));
        assert!(walk(&root.join("a.txt"), hidden, &|| false).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_listed_and_not_followed() {
        let folder = TestFolder::new();
        folder.write("a/1.jpg", b"x");
        std::os::unix::fs::symlink("..", folder.path().join("a/again")).expect("a link");
        let all = walk(folder.path(), WalkOptions::VISIBLE, &|| false).expect("a folder");
        assert_eq!(names(folder.path(), &all.files), ["a/1.jpg"]);
        assert_eq!(names(folder.path(), &all.links), ["a/again"]);
    }
}
