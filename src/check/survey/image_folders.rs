//! Class folders: which folder is the one whose subfolders are the classes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::folder::Tree;
use super::masks::{PICTURE_FOLDERS, is_surely_masks};
use super::{Survey, labels, split_of_folder};
use crate::check::Source;
use crate::inputs::path_order;
use crate::labels::{LabelFormat, has_picture_extension};

/// Folders of class folders, one a split. None where boxes or masks were found: those pictures have their labels. `only_this`: nothing else among the files looks like labels, so even folders that are
/// named as splits are taken for classes.
pub(super) fn find(survey: &Survey<'_>, tree: &Tree, only_this: bool) -> Vec<Source> {
    let root = tree.root();
    let candidates = candidates(tree, &root, only_this);
    let mut found: Vec<Arc<Path>> = candidates.into_iter().map(Into::into).collect();
    found.sort_by(|a, b| path_order(a, b));
    found
        .into_iter()
        .map(|folder| {
            let split = tree.split_of(&folder);
            let kind = labels(LabelFormat::ImageFolder, vec![Arc::clone(&folder)]);
            survey.source(&folder, &root, kind, split)
        })
        .collect()
}

fn name_of(path: &Path) -> String {
    path.file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
}

fn is_split(path: &Path) -> bool {
    split_of_folder(&name_of(path)).is_some()
}

/// Pictures or masks of all classes.
fn is_picture_folder(path: &Path) -> bool {
    let name = name_of(path).to_lowercase();
    PICTURE_FOLDERS.contains(&name.as_str()) || is_surely_masks(&name)
}

fn candidates(tree: &Tree, root: &Path, only_this: bool) -> BTreeSet<PathBuf> {
    // Folders with pictures directly in them.
    let leaves: BTreeSet<PathBuf> = tree
        .by_folder(has_picture_extension)
        .into_iter()
        .map(|(folder, _)| folder.to_path_buf())
        .filter(|folder| folder != root)
        .collect();
    let holds_leaves = |folder: &Path| {
        leaves
            .iter()
            .any(|leaf| leaf != folder && leaf.starts_with(folder))
    };
    // A split with stray pictures beside its class folders is no class.
    let classes: BTreeSet<&PathBuf> = leaves
        .iter()
        .filter(|leaf| !(is_split(leaf) && holds_leaves(leaf)))
        .collect();
    // Folders inside a class belong to it.
    let classes: Vec<&PathBuf> = classes
        .iter()
        .copied()
        .filter(|leaf| {
            !leaf
                .ancestors()
                .skip(1)
                .any(|above| classes.contains(&above.to_path_buf()))
        })
        .collect();
    let mut by_parent: BTreeMap<PathBuf, BTreeSet<String>> = BTreeMap::new();
    // `cat/images/1.jpg`, `dog/images/1.jpg`: the class is the folder above.
    let mut of_pictures: BTreeMap<PathBuf, BTreeSet<String>> = BTreeMap::new();
    for class in classes {
        let Some(parent) = class.parent() else {
            continue;
        };
        let (class, list) = if is_picture_folder(class) {
            (parent, &mut of_pictures)
        } else {
            (class.as_path(), &mut by_parent)
        };
        let Some(parent) = class.parent().filter(|parent| parent.starts_with(root)) else {
            continue;
        };
        list.entry(parent.to_owned())
            .or_default()
            .insert(name_of(class));
    }
    for (parent, names) in of_pictures {
        let is_split = |name: &String| split_of_folder(name).is_some();
        if names.len() > 1 && !names.iter().any(is_split) {
            by_parent.entry(parent).or_default().extend(names);
        }
    }
    if !only_this {
        by_parent.retain(|_, names| {
            names.len() > 1 && !names.iter().all(|name| split_of_folder(name).is_some())
        });
    }
    // What holds a split's own class folders is no folder of classes itself.
    let splits: Vec<PathBuf> = (by_parent.keys())
        .filter(|parent| is_split(parent))
        .cloned()
        .collect();
    by_parent.retain(|folder, _| {
        !splits
            .iter()
            .any(|split| split != folder && split.starts_with(folder))
    });
    merged(tree, root, by_parent)
}

/// Several folders without a split are one level of one data set, unless they repeat the same classes.
fn merged(
    tree: &Tree,
    root: &Path,
    by_parent: BTreeMap<PathBuf, BTreeSet<String>>,
) -> BTreeSet<PathBuf> {
    let parents: Vec<&PathBuf> = by_parent.keys().collect();
    let names_splits = parents.iter().any(|parent| {
        tree.names_above(parent)
            .any(|name| split_of_folder(&name).is_some())
    });
    let mut sets = by_parent.values();
    let repeats = match (sets.next(), sets.next()) {
        (Some(a), Some(b)) => 2 * a.intersection(b).count() >= a.len().min(b.len()),
        _ => false,
    };
    if parents.len() < 2 || names_splits || repeats {
        return by_parent.into_keys().collect();
    }
    let mut common = parents.first().map_or(root, |parent| parent.as_path());
    for parent in &parents {
        while !parent.starts_with(common) {
            common = common.parent().unwrap_or(root);
        }
    }
    BTreeSet::from([common.to_owned()])
}
