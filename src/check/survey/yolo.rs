//! YOLO data sets: `data.yaml` and `obj.data` name pictures, the label texts lie beside them or in the `labels` folder.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use super::folder::{Groups, Tree};
use super::paths::{Found, Resolver};
use super::{Survey, file, labels, names, split_of_folder, trouble};
use crate::check::{Source, SourceKind};
use crate::inputs::{WalkOptions, open_regular, path_order, walk};
use crate::labels::{
    DataFile, LabelError, LabelFormat, Limit, Trouble, TroubleKind, read_data_yaml, read_obj_data,
};

/// A list of pictures: a hundred bytes each.
const MOST_LIST_BYTES: u64 = 512 << 20;
const MOST_LIST_LINES: usize = 2_000_000;
/// Pictures of a list that have no label file. Each costs several looks at the disk; beyond so many the list fits no labels here.
const MOST_MISSING: usize = 100_000;
/// Characters of a written path that are told.
const MOST_SHOWN: usize = 400;
/// Label files whose age is compared with a cache's.
const MOST_AGES: usize = 20_000;
/// Files of a folder that are looked into to tell whether they are rows of boxes.
const SAMPLES: usize = 16;

/// The sources of a data set's own file.
#[derive(Default)]
pub(super) struct DataSet {
    pub sources: Vec<Source>,
    /// Label files that are in one of the sources.
    pub files: HashSet<Arc<Path>>,
    /// Splits that the file names and whose files are not there.
    pub missing: Vec<String>,
}

/// A `data.yaml` that was given as a file: its folder is what was given.
pub(super) fn of_yaml_file(survey: &Survey<'_>, path: &Arc<Path>) -> Vec<Source> {
    of_file(survey, path, SourceKind::DataYaml)
}

/// An `obj.data` that was given as a file.
pub(super) fn of_obj_data_file(survey: &Survey<'_>, path: &Arc<Path>) -> Vec<Source> {
    of_file(survey, path, SourceKind::ObjData)
}

fn of_file(survey: &Survey<'_>, path: &Arc<Path>, kind: SourceKind) -> Vec<Source> {
    let root: Arc<Path> = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.into(),
        _ => Path::new(".").into(),
    };
    let mut found = of_data_file(survey, &root, path, kind);
    if found.files.is_empty() || !found.missing.is_empty() {
        let options = WalkOptions {
            most: 200_000,
            ..WalkOptions::VISIBLE
        };
        if let Ok(listed) = walk(&root, options, &|| survey.stopped()) {
            let mut tree = Tree::new(&root, listed.files);
            let only = (!found.files.is_empty()).then_some(found.missing.as_slice());
            let more = by_content(survey, &mut tree, only, &found.files);
            found.sources.extend(more);
        }
    }
    end_with_refusal(survey, &root, &mut found.sources);
    found.sources
}

/// Where all that the data set names leads outside, that is the reason why there is nothing to check.
pub(super) fn end_with_refusal(survey: &Survey<'_>, root: &Arc<Path>, sources: &mut Vec<Source>) {
    let is_read = |source: &Source| {
        matches!(
            source.kind,
            SourceKind::Labels { .. } | SourceKind::Refused(_)
        )
    };
    if sources.iter().any(is_read) {
        return;
    }
    let outside = sources.iter().find_map(|source| {
        source
            .troubles
            .iter()
            .find_map(|trouble| match &trouble.kind {
                TroubleKind::OutsidePath(path) => Some((Arc::clone(&source.path), path.clone())),
                _ => None,
            })
    });
    if let Some((path, written)) = outside {
        sources.push(survey.refused(&path, root, LabelError::OutsidePath(written)));
    }
}

/// The sources of one data file inside `root`.
pub(super) fn of_data_file(
    survey: &Survey<'_>,
    root: &Arc<Path>,
    path: &Arc<Path>,
    kind: SourceKind,
) -> DataSet {
    let anywhere = kind == SourceKind::ObjData;
    let read = if anywhere {
        read_obj_data(path)
    } else {
        read_data_yaml(path)
    };
    let data: DataFile = match read {
        Ok(data) => data,
        Err(error) => {
            return DataSet {
                sources: vec![survey.refused(path, root, error)],
                ..DataSet::default()
            };
        }
    };
    let base = path.parent().unwrap_or(root);
    let mut finder = Finder {
        survey,
        base: if base.as_os_str().is_empty() {
            root
        } else {
            base
        },
        resolver: Resolver::new(
            root,
            if base.as_os_str().is_empty() {
                root
            } else {
                base
            },
        ),
        anywhere,
        troubles: Vec::new(),
        path,
        taken: HashSet::new(),
    };
    let mut found = DataSet::default();
    for (split, written) in &data.splits {
        let mut files = Vec::new();
        let mut is_there = false;
        for written in written {
            is_there |= finder.entry(split, written, &mut files);
        }
        if !is_there {
            found.missing.push(split.clone());
        }
        if files.is_empty() {
            continue;
        }
        files.sort_unstable_by(|a, b| path_order(a, b));
        let caches = finder.stale_caches(&files);
        let folder = common_folder(&files).unwrap_or_else(|| Arc::clone(root));
        let kind = labels(LabelFormat::Yolo, files);
        let mut source = survey.source(&folder, root, kind, Some(split));
        source.troubles = caches;
        found.sources.push(source);
    }
    let mut source = survey.source(path, root, kind, None);
    source.troubles = finder.troubles;
    found.sources.insert(0, source);
    found.files = finder.taken;
    found
}

struct Finder<'a> {
    survey: &'a Survey<'a>,
    base: &'a Path,
    resolver: Resolver,
    /// Paths are relative to wherever the trainer was started, as Darknet has it.
    anywhere: bool,
    troubles: Vec<Trouble>,
    path: &'a Arc<Path>,
    /// Label files found so far: one that two splits name is read once.
    taken: HashSet<Arc<Path>>,
}

impl Finder<'_> {
    /// Adds the label files of one written path; `false` where it leads nowhere.
    fn entry(&mut self, split: &str, written: &str, files: &mut Vec<Arc<Path>>) -> bool {
        let found = match self.resolver.find(written, self.anywhere) {
            Found::Missing | Found::Outside if self.by_split(split).is_some() => {
                self.by_split(split).map_or(Found::Missing, Found::Folder)
            }
            found => found,
        };
        match found {
            Found::Folder(folder) => {
                self.folder(&folder, files);
                true
            }
            Found::File(list) => {
                self.list(&list, files);
                self.taken.insert(list.into());
                true
            }
            Found::Missing => {
                // Many exporters name a test split that they do not write, and no trainer opens it.
                if split != "test" {
                    self.tell(TroubleKind::MissingPath(written.to_owned()));
                }
                false
            }
            Found::Outside => {
                self.tell(TroubleKind::OutsidePath(written.to_owned()));
                false
            }
        }
    }

    fn tell(&mut self, kind: TroubleKind) {
        // A line of a list may be as long as the list.
        let shown = |written: String| written.chars().take(MOST_SHOWN).collect();
        let kind = match kind {
            TroubleKind::MissingPath(written) => TroubleKind::MissingPath(shown(written)),
            TroubleKind::OutsidePath(written) => TroubleKind::OutsidePath(shown(written)),
            other => other,
        };
        self.troubles.push(trouble(kind, self.path));
    }

    /// The folder of a split under another of its names (`valid` for `val`).
    fn by_split(&mut self, split: &str) -> Option<PathBuf> {
        let names: &[&str] = match split {
            "train" => &["train", "training"],
            "val" => &["val", "valid", "validation", "dev"],
            _ => &["test", "testing"],
        };
        names.iter().find_map(|name| {
            let places = [
                PathBuf::from(name).join("images"),
                PathBuf::from(name).join("labels"),
                Path::new("images").join(name),
                Path::new("labels").join(name),
            ];
            places.into_iter().find_map(|place| {
                let path = self.base.join(place);
                matches!(self.resolver.look(&path), Some(Found::Folder(_))).then_some(path)
            })
        })
    }

    /// The label files that belong to a folder of pictures.
    fn folder(&mut self, pictures: &Path, files: &mut Vec<Arc<Path>>) {
        let beside = with_labels(pictures);
        let inside = pictures.join("labels");
        let folder = [beside, Some(inside)]
            .into_iter()
            .flatten()
            .find(|folder| matches!(self.resolver.look(folder), Some(Found::Folder(_))))
            .unwrap_or_else(|| pictures.to_owned());
        let listed = walk(&folder, WalkOptions::VISIBLE, &|| self.survey.stopped());
        let Ok(listed) = listed else { return };
        if listed.cut {
            let most = WalkOptions::VISIBLE.most;
            self.tell(TroubleKind::Limit(Limit::Files(most as u64)));
        }
        for file in listed.files {
            if is_label_text(&file) && self.taken.insert(Arc::clone(&file)) {
                files.push(file);
            }
        }
    }

    /// The label files of the pictures in a list.
    fn list(&mut self, list: &Path, files: &mut Vec<Arc<Path>>) {
        let Ok((file, size)) = open_regular(list) else {
            return;
        };
        if size > MOST_LIST_BYTES {
            self.tell(TroubleKind::Limit(Limit::List));
            return;
        }
        let mut text = Vec::new();
        let read = std::io::Read::read_to_end(&mut std::io::Read::take(file, size), &mut text);
        if read.is_err() {
            return;
        }
        let text = String::from_utf8_lossy(&text);
        let data_base = self.base;
        let mut outside = None;
        let mut missing = 0;
        for (at, line) in text.lines().enumerate() {
            if at == MOST_LIST_LINES {
                self.tell(TroubleKind::Limit(Limit::List));
                break;
            }
            if missing > MOST_MISSING {
                self.tell(TroubleKind::Limit(Limit::List));
                break;
            }
            if at % 64 == 0 && self.survey.stopped() {
                return;
            }
            let line = line.trim_start_matches('\u{feff}').trim();
            if line.is_empty() {
                continue;
            }
            // `./` is beside the list, everything else beside the data file.
            let near = list.parent().filter(|_| line.starts_with("./"));
            self.resolver.set_base(near.unwrap_or(data_base));
            let candidates = [label_of_picture(line, true), label_of_picture(line, false)];
            let mut leads_outside = true;
            missing += 1;
            for candidate in candidates.into_iter().flatten() {
                match self.resolver.find(&candidate, true) {
                    Found::File(file) => {
                        leads_outside = false;
                        missing -= 1;
                        let file: Arc<Path> = file.into();
                        if self.taken.insert(Arc::clone(&file)) {
                            files.push(file);
                        }
                        break;
                    }
                    // A picture without a label file is background.
                    Found::Missing | Found::Folder(_) => leads_outside = false,
                    Found::Outside => {}
                }
            }
            if leads_outside && outside.is_none() {
                outside = Some(line.to_owned());
            }
        }
        self.resolver.set_base(data_base);
        if let Some(line) = outside.filter(|_| files.is_empty()) {
            self.tell(TroubleKind::OutsidePath(line));
        }
    }

    /// Caches beside the label folders that are older than the newest of their files.
    fn stale_caches(&mut self, files: &[Arc<Path>]) -> Vec<Trouble> {
        let folders: HashSet<&Path> = files.iter().filter_map(|file| file.parent()).collect();
        let mut caches: Vec<PathBuf> = folders
            .into_iter()
            .flat_map(|folder| [folder.with_extension("cache"), folder.join("labels.cache")])
            .filter(|cache| matches!(self.resolver.look(cache), Some(Found::File(_))))
            .collect();
        caches.sort();
        let age = |path: &Path| -> Option<SystemTime> {
            std::fs::symlink_metadata(path).ok()?.modified().ok()
        };
        let stale = caches.into_iter().filter(|cache| {
            let Some(written) = age(cache) else {
                return false;
            };
            files
                .iter()
                .take(MOST_AGES)
                .any(|file| age(file) > Some(written))
        });
        stale
            .map(|cache| trouble(TroubleKind::StaleCache, &cache.into()))
            .collect()
    }
}

/// The path with its last `images` replaced by `labels`, as the trainers replace it.
fn with_labels(pictures: &Path) -> Option<PathBuf> {
    let parts: Vec<_> = pictures.components().collect();
    let at = parts
        .iter()
        .rposition(|part| part.as_os_str().eq_ignore_ascii_case("images"))?;
    let parts = parts.into_iter().enumerate().map(|(i, part)| {
        if i == at {
            std::ffi::OsStr::new("labels")
        } else {
            part.as_os_str()
        }
    });
    Some(parts.collect())
}

/// The label text of a picture in a list; `None` where the line is no picture, or names no `images` folder to replace.
fn label_of_picture(line: &str, replaced: bool) -> Option<String> {
    let (stem, extension) = line.rsplit_once('.')?;
    if extension.is_empty() || extension.len() > 5 || extension.contains(['/', '\\']) {
        return None;
    }
    if !replaced {
        return Some(format!("{stem}.txt"));
    }
    let parts: Vec<&str> = stem.split(['/', '\\']).collect();
    let at = parts
        .iter()
        .rposition(|part| part.eq_ignore_ascii_case("images"))?;
    let parts: Vec<&str> = (parts.into_iter().enumerate())
        .map(|(i, part)| if i == at { "labels" } else { part })
        .collect();
    Some(format!("{}.txt", parts.join("/")))
}

/// A text that may hold rows, by its name.
pub(super) fn is_label_text(path: &Path) -> bool {
    let is_text = path
        .extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("txt"));
    is_text && !names::is_named_as_list(path) && !names::is_named_as_document(path)
}

/// Label texts that no data file names, folder by folder: most of the texts looked into are rows of boxes. `only`: of these splits.
pub(super) fn by_content(
    survey: &Survey<'_>,
    tree: &mut Tree,
    only: Option<&[String]>,
    taken: &HashSet<Arc<Path>>,
) -> Vec<Source> {
    let mut by_split = Groups::default();
    for (folder, files) in tree.by_folder(|path| is_label_text(path) && !taken.contains(path)) {
        if survey.stopped() {
            break;
        }
        let split = tree.split_of(&folder);
        let is_wanted = only.is_none_or(|only| {
            split.is_some_and(|split| only.iter().any(|wanted| wanted == split))
        });
        if !is_wanted || !holds_rows(&folder, &files) {
            continue;
        }
        for file in &files {
            tree.take(file);
        }
        by_split.add(split, files);
    }
    by_split
        .0
        .into_iter()
        .map(|(split, mut files)| {
            files.sort_unstable_by(|a, b| path_order(a, b));
            let folder = common_folder(&files).unwrap_or_else(|| tree.root());
            let kind = labels(LabelFormat::Yolo, files);
            survey.source(&folder, &tree.root(), kind, split)
        })
        .collect()
}

fn holds_rows(folder: &Path, files: &[Arc<Path>]) -> bool {
    let mut judged = 0;
    let mut rows = 0;
    let step = (files.len() / SAMPLES).max(1);
    for file in files.iter().step_by(step).take(2 * SAMPLES) {
        match file::has_boxes(file) {
            None => {}
            Some(has) => {
                judged += 1;
                rows += usize::from(has);
            }
        }
    }
    if judged == 0 {
        // Nothing but empty texts: pictures without objects, if the folder says so.
        return folder.file_name().is_some_and(|name| {
            let name = name.to_string_lossy();
            name.eq_ignore_ascii_case("labels")
                || (split_of_folder(&name).is_some()
                    && folder
                        .parent()
                        .and_then(Path::file_name)
                        .is_some_and(|parent| parent.eq_ignore_ascii_case("labels")))
        });
    }
    2 * rows >= judged
}

/// The folder that all of these files lie in or below.
pub(super) fn common_folder(files: &[Arc<Path>]) -> Option<Arc<Path>> {
    let mut common = files.first()?.parent()?;
    for file in files {
        while !file.starts_with(common) {
            common = common.parent()?;
        }
    }
    Some(common.into())
}
