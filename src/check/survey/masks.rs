//! Masks in a folder: by the names of folders and files first, by what the pictures are last.

use std::ffi::OsStr;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use super::folder::{Groups, Tree};
use super::{Survey, labels, split_of_folder, yolo};
use crate::check::Source;
use crate::inputs::open_regular;
use crate::labels::{LabelFormat, has_one_channel, has_picture_extension, other_picture};

/// Pictures of a folder that are looked into.
const SAMPLES: usize = 6;

/// Folders of masks; where one lies beside a folder of pictures, only its files are read.
const MASK_FOLDERS: [&str; 26] = [
    "mask",
    "masks",
    "label",
    "labels",
    "annotation",
    "annotations",
    "annotations_detectron2",
    "segmentationclass",
    "segmentationclassaug",
    "segmentationclassraw",
    "segmentationclasspng",
    "segmentation",
    "segmentations",
    "semantic",
    "seg",
    "segs",
    "gt",
    "gts",
    "gtfine",
    "gtcoarse",
    "ground_truth",
    "groundtruth",
    "ground_truths",
    "trimaps",
    "targets",
    "ann_dir",
];
/// Folders of pictures.
pub(super) const PICTURE_FOLDERS: [&str; 15] = [
    "image",
    "images",
    "img",
    "imgs",
    "img_dir",
    "picture",
    "pictures",
    "photo",
    "photos",
    "jpegimages",
    "leftimg8bit",
    "rgb",
    "input",
    "inputs",
    "frames",
];

/// Masks that names speak of.
pub(super) fn by_name(survey: &Survey<'_>, tree: &mut Tree) -> Vec<Source> {
    let mut of_folders = tree.by_folder(has_picture_extension);
    let folders: Vec<Arc<Path>> = (of_folders.iter())
        .map(|(folder, _)| Arc::clone(folder))
        .collect();
    of_folders
        .retain(|(folder, _)| in_mask_folder(tree, folder) && !is_class_of_masks(folder, &folders));
    let mut chosen: Vec<(Arc<Path>, Vec<Arc<Path>>)> = Vec::new();
    let mut sources = Vec::new();
    for (folder, files) in of_folders {
        let masks: Vec<Arc<Path>> = files.iter().filter(|path| is_png(path)).cloned().collect();
        if !masks.is_empty() {
            chosen.push((folder, masks));
        } else if tree
            .names_above(&folder)
            .chain([tree.root_name()])
            .any(|name| is_surely_masks(&name.to_lowercase()))
            && let Some(first) = files.first()
            && let Some(error) = other_picture(&head(first))
        {
            sources.push(survey.refused(first, &tree.root(), error));
        }
    }
    if chosen.is_empty() {
        chosen = tree.by_folder(|path| is_png(path) && is_named_as_mask(path));
    }
    if chosen.is_empty() && sources.is_empty() {
        // Masks in a form that does not keep what was painted, or is not read.
        let other = tree
            .free()
            .find(|path| has_picture_extension(path) && !is_png(path) && is_named_as_mask(path));
        let error = other.and_then(|first| Some((first, other_picture(&head(first))?)));
        if let Some((first, error)) = error {
            sources.push(survey.refused(first, &tree.root(), error));
        }
    }
    sources.extend(as_sources(survey, tree, chosen));
    sources
}

/// Masks that no name speaks of: grey and palette pictures, where no class folders are.
pub(super) fn by_content(survey: &Survey<'_>, tree: &mut Tree) -> Vec<Source> {
    let folders = tree.by_folder(is_png);
    let root = tree.root();
    let mut no_classes = folders.iter().map(|(folder, _)| {
        folder
            .file_name()
            .is_some_and(|name| split_of_folder(&name.to_string_lossy()).is_some())
            || **folder == *root
    });
    if folders.len() > 1 && !no_classes.all(|is_no_class| is_no_class) {
        return Vec::new();
    }
    let chosen = folders
        .into_iter()
        .filter(|(_, files)| {
            let step = (files.len() / SAMPLES).max(1);
            let mut samples = files.iter().step_by(step).take(SAMPLES);
            samples.all(|file| {
                let head = head(file);
                head.starts_with(b"\x89PNG") && has_one_channel(&head)
            })
        })
        .collect();
    as_sources(survey, tree, chosen)
}

fn as_sources(
    survey: &Survey<'_>,
    tree: &mut Tree,
    chosen: Vec<(Arc<Path>, Vec<Arc<Path>>)>,
) -> Vec<Source> {
    let mut by_split = Groups::default();
    for (folder, files) in chosen {
        let split = tree.split_of(&folder);
        for file in &files {
            tree.take(file);
        }
        by_split.add(split, files);
    }
    let best = by_split
        .0
        .iter()
        .flat_map(|(_, files)| files)
        .map(|file| variant(file))
        .min();
    by_split
        .0
        .into_iter()
        .filter_map(|(split, mut files)| {
            files.retain(|file| Some(variant(file)) == best);
            files.sort_unstable_by(|a, b| crate::inputs::path_order(a, b));
            let folder = yolo::common_folder(&files)?;
            let kind = labels(LabelFormat::Mask, files);
            Some(survey.source(&folder, &tree.root(), kind, split))
        })
        .collect()
}

/// Data sets write several pictures for one mask (Cityscapes: ids, training ids, instances, colours); the first of these is the one
/// that a training reads.
fn variant(path: &Path) -> u8 {
    let name = path
        .file_name()
        .map(OsStr::to_string_lossy)
        .unwrap_or_default();
    let stem = name.rsplit_once('.').map_or(&*name, |(stem, _)| stem);
    if stem.ends_with("labelTrainIds") {
        0
    } else if stem.ends_with("labelIds") {
        1
    } else if stem.ends_with("instanceIds") || stem.ends_with("instanceTrainIds") {
        4
    } else if stem.ends_with("gtFine_color") || stem.ends_with("gtCoarse_color") {
        5
    } else {
        2
    }
}

/// By the nearest folder that tells anything.
fn in_mask_folder(tree: &Tree, folder: &Path) -> bool {
    let root_name = tree.root_name();
    tree.names_above(folder)
        .chain([root_name])
        .find_map(|name| {
            let name = name.to_lowercase();
            if MASK_FOLDERS.contains(&name.as_str()) || has_word(&name, "masks") {
                Some(true)
            } else if PICTURE_FOLDERS.contains(&name.as_str()) {
                Some(false)
            } else {
                None
            }
        })
        .unwrap_or_default()
}

fn has_word(name: &str, wanted: &str) -> bool {
    name.split(|c: char| !c.is_alphanumeric())
        .any(|word| word == wanted)
}

/// Whether a folder called `mask` is a class: people with and without one, in folders side by side.
fn is_class_of_masks(folder: &Path, folders: &[Arc<Path>]) -> bool {
    let name = |path: &Path| {
        path.file_name()
            .map(|name| name.to_string_lossy().to_lowercase())
            .unwrap_or_default()
    };
    name(folder) == "mask"
        && folders.iter().any(|other| {
            let other_name = name(other);
            other.parent() == folder.parent()
                && other_name != "mask"
                && has_word(&other_name, "mask")
        })
}

/// The name, in lower case, of a folder that can hold nothing but masks; `labels` and `annotations` hold other things, too.
pub(super) fn is_surely_masks(name: &str) -> bool {
    (MASK_FOLDERS.contains(&name) || has_word(name, "masks"))
        && !matches!(
            name,
            "label" | "labels" | "annotation" | "annotations" | "targets" | "semantic" | "mask"
        )
}

fn is_png(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("png"))
}

fn is_named_as_mask(path: &Path) -> bool {
    let stem = path
        .file_stem()
        .map(OsStr::to_string_lossy)
        .unwrap_or_default();
    let ids = ["labelIds", "labelTrainIds"]
        .iter()
        .any(|word| stem.ends_with(word));
    ids || stem
        .to_lowercase()
        .split(|c: char| !c.is_alphanumeric())
        .any(|word| {
            matches!(
                word,
                "mask" | "masks" | "seg" | "segmentation" | "gt" | "gtfine" | "labelmap"
            )
        })
}

fn head(path: &Path) -> Vec<u8> {
    let mut head = Vec::new();
    if let Ok((file, _)) = open_regular(path) {
        let _ = file.take(64).read_to_end(&mut head);
    }
    head
}
