//! Which labels a statement of a range is about.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Given, Source, SourceKind};
use crate::bounds::{Bound, BoundSource};
use crate::labels;

/// Where labels lie and what was named by the user, which decides how far a statement reaches.
///
/// What a folder says (`data.yaml`, a class list) is about the labels in and below it. A file that the user named himself, and one
/// that lies apart from all labels (a folder of checkpoints), is about everything.
#[derive(Debug, Default)]
pub(super) struct Reach {
    homes: Vec<PathBuf>,
    /// What the user gave.
    pub named: HashSet<PathBuf>,
}

impl Reach {
    pub fn of(given: &[Given], sources: &[Source]) -> Self {
        let homes = sources.iter().filter_map(|source| match &source.kind {
            SourceKind::Labels { .. } => Some(home_of_labels(source)),
            _ => None,
        });
        Self {
            homes: homes.collect(),
            named: given.iter().map(|given| given.path.clone()).collect(),
        }
    }

    /// Whether what a file states is about labels in this folder.
    pub fn holds(&self, stated_in: Option<&Arc<Path>>, labels: &Path) -> bool {
        let Some(path) = stated_in else { return true };
        if self.named.contains(&**path) {
            return true;
        }
        let home = home(path);
        labels.starts_with(&home) || !self.homes.iter().any(|other| other.starts_with(&home))
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

/// The folder that the labels of a source lie in.
pub(super) fn home_of_labels(source: &Source) -> PathBuf {
    match &source.kind {
        // A folder of files, or the class folders' own folder.
        SourceKind::Labels { files, .. } if files.iter().all(|file| *file != source.path) => {
            source.path.to_path_buf()
        }
        _ => source.path.parent().unwrap_or(&source.path).to_path_buf(),
    }
}

/// The folder that a file speaks for: its own, but never only one split of it.
fn home(path: &Path) -> PathBuf {
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
    home.to_path_buf()
}
