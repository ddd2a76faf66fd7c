//! Which labels a statement of a range is about.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Given, Source, SourceKind};
use crate::bounds::{Bound, BoundSource};
use crate::labels::{self, LabelFormat};

/// Where labels lie and what was named by the user, which decides how far a statement reaches.
///
/// What a folder says (`data.yaml`, a class list) is about the labels in and below it. A file that the user named himself, and one
/// that lies apart from all labels (a folder of checkpoints), is about everything.
#[derive(Debug, Default)]
pub(super) struct Reach {
    /// Folders that hold labels.
    homes: BTreeSet<PathBuf>,
    /// Those, and every folder above them.
    above: HashSet<PathBuf>,
    /// What the user gave.
    pub named: HashSet<PathBuf>,
}

impl Reach {
    pub fn of(given: &[Given], sources: &[Source]) -> Self {
        let mut homes = BTreeSet::new();
        for source in sources {
            if let SourceKind::Labels { format, files } = &source.kind {
                homes.extend(
                    files
                        .iter()
                        .map(|file| home_of_labels(file, *format).to_owned()),
                );
            }
        }
        let above = homes.iter().flat_map(|home| home.ancestors());
        Self {
            above: above.map(Path::to_owned).collect(),
            homes,
            named: given.iter().map(|given| given.path.clone()).collect(),
        }
    }

    /// Whether what a file states is about labels in this folder.
    pub fn holds(&self, stated_in: Option<&Arc<Path>>, labels: &Path) -> bool {
        let Some(path) = stated_in else { return true };
        let home = home(path);
        self.named.contains(&**path) || labels.starts_with(home) || !self.above.contains(home)
    }

    /// Whether a bound is about labels in this folder.
    pub fn holds_for(&self, bound: &Bound, labels: &Path) -> bool {
        matches!(bound.source, BoundSource::User | BoundSource::Log)
            || self.holds(bound.path.as_ref(), labels)
    }

    /// Whether two bounds are about the same labels.
    pub fn meet(&self, one: &Bound, other: &Bound) -> bool {
        let both = |labels: &PathBuf| self.holds_for(one, labels) && self.holds_for(other, labels);
        self.homes.is_empty() || self.homes.iter().any(both)
    }
}

/// The folder that labels lie in. Class folders are one file of labels, as it were: the folder that holds them.
pub(super) fn home_of_labels(file: &Path, format: LabelFormat) -> &Path {
    if format == LabelFormat::ImageFolder {
        file
    } else {
        file.parent().unwrap_or(file)
    }
}

/// The folder that a file speaks for: its own, but never only one split of it.
fn home(path: &Path) -> &Path {
    let mut home = path.parent().unwrap_or(path);
    while let Some(name) = home.file_name() {
        let name = name.to_string_lossy();
        let part = labels::split_of_name(&name).is_some()
            || ["labels", "annotations"].contains(&name.to_lowercase().as_str());
        match home.parent() {
            Some(parent) if part => home = parent,
            _ => break,
        }
    }
    home
}
