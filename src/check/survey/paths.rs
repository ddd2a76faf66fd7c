//! Paths that a data set's own file names: looked for inside what was given, and nowhere else.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::split_of_folder;

/// Components that one written path may have.
const MOST_COMPONENTS: usize = 64;

/// What a written path leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Found {
    Folder(PathBuf),
    File(PathBuf),
    /// Nothing of that name is there.
    Missing,
    /// It leads out of what was given. Nothing there was looked at.
    Outside,
}

/// Looks for written paths inside a folder.
pub(super) struct Resolver {
    root: PathBuf,
    /// The folder that relative paths begin at, inside `root`.
    base: PathBuf,
    /// Folders that were looked at: whether they are there and no link leads to them.
    folders: HashMap<PathBuf, bool>,
}

impl Resolver {
    pub fn new(root: &Path, base: &Path) -> Self {
        Self {
            root: root.to_owned(),
            base: base.to_owned(),
            folders: HashMap::new(),
        }
    }

    pub fn set_base(&mut self, base: &Path) {
        base.clone_into(&mut self.base);
    }

    /// Looks a path up. One that leads outside (an absolute one of another machine, `../train/images` as an exporter writes it) is
    /// tried by its end; `anywhere` tries that for every path.
    pub fn find(&mut self, written: &str, anywhere: bool) -> Found {
        let Some(written) = Written::parse(written) else {
            return Found::Outside;
        };
        let below = (self.base.strip_prefix(&self.root))
            .map(Path::to_owned)
            .unwrap_or_default();
        let mut direct: Option<PathBuf> = (!written.is_absolute).then_some(below);
        for part in &written.parts {
            direct = direct.and_then(|mut path| {
                if *part == ".." {
                    return path.pop().then_some(path);
                }
                path.push(part);
                Some(path)
            });
        }
        let leads_outside = direct.is_none();
        if let Some(direct) = direct
            && let Some(found) = self.look(&self.root.join(direct))
        {
            return found;
        }
        if leads_outside || anywhere {
            let names: Vec<&str> = (written.parts.iter().copied())
                .filter(|part| *part != "..")
                .collect();
            for start in 0..names.len() {
                let Some(end) = names.get(start..) else { break };
                let before = start.checked_sub(1).and_then(|at| names.get(at)).copied();
                if let [only] = end
                    && !anywhere
                    && !stands_alone(only, before)
                {
                    break;
                }
                let end: PathBuf = end.iter().collect();
                for base in [self.base.clone(), self.root.clone()] {
                    if let Some(found) = self.look(&base.join(&end)) {
                        return found;
                    }
                }
            }
        }
        // `../valid/images` beside the file is how an exporter writes its own folder.
        let climbs = written.parts.iter().filter(|part| **part == "..").count();
        if leads_outside && (written.is_absolute || climbs != 1) {
            Found::Outside
        } else {
            Found::Missing
        }
    }

    /// What lies there, if no link is on the way from the root.
    pub fn look(&mut self, path: &Path) -> Option<Found> {
        if path == self.root {
            return Some(Found::Folder(path.to_owned()));
        }
        let parent = path.parent()?;
        if !self.is_clear(parent) {
            return None;
        }
        let meta = std::fs::symlink_metadata(path).ok()?;
        if meta.is_dir() {
            Some(Found::Folder(path.to_owned()))
        } else if meta.is_file() {
            Some(Found::File(path.to_owned()))
        } else {
            None
        }
    }

    fn is_clear(&mut self, folder: &Path) -> bool {
        if folder == self.root {
            return true;
        }
        if let Some(&known) = self.folders.get(folder) {
            return known;
        }
        let inside = folder.starts_with(&self.root);
        let clear = inside
            && folder.parent().is_some_and(|parent| self.is_clear(parent))
            && std::fs::symlink_metadata(folder).is_ok_and(|meta| meta.is_dir());
        self.folders.insert(folder.to_owned(), clear);
        clear
    }
}

/// Whether the last name of a path tells enough to be looked for without the names before it.
fn stands_alone(name: &str, before: Option<&str>) -> bool {
    let is_list = Path::new(name)
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("txt"));
    let of_split = before.is_some_and(|before| split_of_folder(before).is_some());
    let is_pictures = name.eq_ignore_ascii_case("images") && !of_split;
    is_list || split_of_folder(name).is_some() || is_pictures
}

/// A path as it stands in a file, in names.
struct Written<'a> {
    is_absolute: bool,
    parts: Vec<&'a str>,
}

impl<'a> Written<'a> {
    /// `None` for what is no path of files (a device, a web address, a name with a stream).
    fn parse(written: &'a str) -> Option<Self> {
        let mut rest = written.trim().trim_matches(['"', '\'']);
        if rest.contains(['\0', '\n']) || rest.contains("://") {
            return None;
        }
        let mut is_absolute = rest.starts_with(['/', '\\', '~']);
        if let [letter, b':', ..] = rest.as_bytes()
            && letter.is_ascii_alphabetic()
        {
            is_absolute = true;
            rest = rest.get(2..).unwrap_or_default();
        }
        let parts: Vec<&str> = rest
            .split(['/', '\\'])
            .filter(|part| !matches!(*part, "" | "." | "~"))
            .collect();
        let odd = |part: &&str| part.contains(':') || (part.trim().is_empty());
        if parts.len() > MOST_COMPONENTS || parts.iter().any(odd) {
            return None;
        }
        Some(Self { is_absolute, parts })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::labels::TestFolder;

    #[test]
    fn paths_are_found_inside_and_nowhere_else() {
        let folder = TestFolder::new();
        for file in [
            "ds/train/images/1.jpg",
            "ds/val/images/1.jpg",
            "ds/images/train/1.jpg",
            "ds/train.txt",
            "secret/1.txt",
            "secret/images/1.jpg",
        ] {
            folder.write(file, b"x");
        }
        let root = folder.path().join("ds");
        let mut resolver = Resolver::new(&root, &root);
        let mut check = |written: &str, expected: &str| {
            let found = match resolver.find(written, false) {
                Found::Folder(path) | Found::File(path) => {
                    let inner = path.strip_prefix(&root).expect("inside");
                    inner.to_string_lossy().replace('\\', "/")
                }
                other => format!("{other:?}"),
            };
            assert_eq!(found, expected, "{written}");
        };
        check("train/images", "train/images");
        check("./train/images/", "train/images");
        check("train\\images", "train/images");
        check(".", "");
        check("train/../val/images", "val/images");
        check("../train/images", "train/images");
        check("../valid/images", "Missing");
        check("../datasets/ds/images/train", "images/train");
        check("/content/ds/train/images", "train/images");
        check("C:\\Users\\me\\ds\\train\\images", "train/images");
        check("/content/ds/train.txt", "train.txt");
        check("/content/train", "train");
        check("none", "Missing");
        check("../secret", "Missing");
        check("../secret/images", "images");
        check("../../secret", "Outside");
        check("/etc/passwd", "Outside");
        check("\\\\server\\share\\x", "Outside");
        check("//server/share/x", "Outside");
        check("https://example.org/a.zip", "Outside");
        check("../../../../../../etc/passwd", "Outside");
        check("train:stream", "Outside");
    }

    #[cfg(unix)]
    #[test]
    fn links_lead_nowhere() {
        use std::os::unix::fs::symlink;
        let folder = TestFolder::new();
        folder.write("secret/images/1.txt", b"x");
        folder.write("ds/a/1.txt", b"x");
        let root = folder.path().join("ds");
        symlink("../secret", root.join("train")).expect("a link");
        symlink("../secret/images/1.txt", root.join("1.txt")).expect("a link");
        let mut resolver = Resolver::new(&root, &root);
        for written in [
            "train",
            "train/images",
            "train/images/1.txt",
            "1.txt",
            "a/../train",
        ] {
            assert_eq!(resolver.find(written, true), Found::Missing, "{written}");
        }
    }
}
