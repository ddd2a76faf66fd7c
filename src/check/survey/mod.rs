//! From what was given to sources: a folder is walked as the data set it is.

mod beside;
mod file;
mod folder;
mod image_folders;
mod masks;
mod names;
mod paths;
#[cfg(test)]
mod tests;
mod yolo;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Given, Source, SourceKind};
use crate::inputs::InputError;
use crate::labels::{LabelError, LabelFormat, Trouble, split_of_name};

/// What was found in what was given, in order: for a data set's own file (`data.yaml`), the label files it names that lie
/// inside its folder; beside a single label file, the class list, configuration or colour list of the same folder.
///
/// Of one given path, files that tell something come first, label files by the path of the first of each source, what could not be
/// used last. Files that say nothing about labels (pictures, read-mes, caches) are no sources.
pub fn survey(given: &[Given], cancel: &AtomicBool) -> Vec<Source> {
    let mut sources = Vec::new();
    for (number, one) in given.iter().enumerate() {
        if cancel.load(Ordering::Relaxed) {
            break;
        }
        let survey = Survey {
            number,
            given: one,
            cancel,
        };
        let mut found = survey.one();
        in_order(&mut found);
        sources.extend(found);
    }
    // Two files given out of one folder lie beside the same class list.
    let mut told: Vec<Source> = Vec::new();
    let mut at: HashMap<PathBuf, usize> = HashMap::new();
    for source in sources {
        let is_list = !matches!(
            source.kind,
            SourceKind::Labels { .. } | SourceKind::Refused(_)
        );
        let key = source.path.strip_prefix(".").unwrap_or(&source.path);
        let before = at.get(key).and_then(|&at| told.get_mut(at));
        match before {
            Some(before) if is_list => before.troubles.extend(source.troubles),
            _ => {
                if is_list {
                    at.insert(key.to_path_buf(), told.len());
                }
                told.push(source);
            }
        }
    }
    told
}

/// The survey of one path.
struct Survey<'a> {
    /// Index of what was given.
    number: usize,
    given: &'a Given,
    cancel: &'a AtomicBool,
}

impl Survey<'_> {
    fn stopped(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    fn one(&self) -> Vec<Source> {
        let path: Arc<Path> = self.given.path.as_path().into();
        match std::fs::metadata(&path) {
            Err(error) => vec![self.source(&path, &path, SourceKind::Refused(error.into()), None)],
            Ok(meta) if meta.is_dir() => folder::survey(self, &path),
            Ok(_) => self.file(&path),
        }
    }

    fn file(&self, path: &Arc<Path>) -> Vec<Source> {
        let recognised = file::recognise(path);
        let is_described = matches!(
            recognised,
            file::Recognised::Is(SourceKind::DataYaml | SourceKind::ObjData)
        );
        if let Some(format) = self.given.format
            && !(format == LabelFormat::Yolo && is_described)
        {
            let kind = labels(format, vec![Arc::clone(path)]);
            let mut found = vec![self.source(path, path, kind, split_of_file(path))];
            found.extend(beside::of(self, path, format));
            return found;
        }
        let kind = match recognised {
            file::Recognised::Is(SourceKind::DataYaml) => return yolo::of_yaml_file(self, path),
            file::Recognised::Is(SourceKind::ObjData) => return yolo::of_obj_data_file(self, path),
            file::Recognised::Is(kind) => kind,
            file::Recognised::Labels(format) => labels(format, vec![Arc::clone(path)]),
            file::Recognised::Empty if is_in_labels_folder(path) => {
                labels(LabelFormat::Yolo, vec![Arc::clone(path)])
            }
            file::Recognised::Empty => SourceKind::Refused(InputError::Empty.into()),
            file::Recognised::Text => SourceKind::Log,
            file::Recognised::Nothing => SourceKind::Refused(LabelError::Unknown),
        };
        let format = match &kind {
            SourceKind::Labels { format, .. } => Some(*format),
            _ => None,
        };
        let mut found = vec![self.source(path, path, kind, split_of_file(path))];
        if let Some(format) = format {
            found.extend(beside::of(self, path, format));
        }
        found
    }

    /// A source; the user's split goes before the one that was found.
    fn source(
        &self,
        path: &Arc<Path>,
        root: &Arc<Path>,
        kind: SourceKind,
        split: Option<&str>,
    ) -> Source {
        let split = match kind {
            SourceKind::Labels { .. } => self.given.split.as_deref().or(split),
            _ => None,
        };
        Source {
            path: Arc::clone(path),
            root: Arc::clone(root),
            given: self.number,
            kind,
            split: split.map(Into::into),
            troubles: Vec::new(),
        }
    }

    fn refused(&self, path: &Arc<Path>, root: &Arc<Path>, error: LabelError) -> Source {
        self.source(path, root, SourceKind::Refused(error), None)
    }
}

fn labels(format: LabelFormat, files: Vec<Arc<Path>>) -> SourceKind {
    SourceKind::Labels { format, files }
}

/// A trouble of a path as a whole.
fn trouble(kind: crate::labels::TroubleKind, at: &Arc<Path>) -> Trouble {
    Trouble {
        kind,
        place: crate::labels::Place::file(Arc::clone(at)),
        text: None,
    }
}

/// The split in a file's name, else the folder it lies in.
fn split_of_file(path: &Path) -> Option<&'static str> {
    let name = |name: &std::ffi::OsStr| name.to_string_lossy().into_owned();
    let stem = path.file_name().map(name)?;
    split_of_name(&stem).or_else(|| {
        let folder = path.parent()?.file_name().map(name)?;
        split_of_folder(&folder)
    })
}

/// The split that a folder's whole name stands for.
fn split_of_folder(name: &str) -> Option<&'static str> {
    name.chars()
        .all(char::is_alphanumeric)
        .then(|| split_of_name(name))?
}

fn is_in_labels_folder(path: &Path) -> bool {
    let is_text = path
        .extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("txt"));
    is_text
        && path.parent().is_some_and(|parent| {
            parent
                .components()
                .any(|part| part.as_os_str().eq_ignore_ascii_case("labels"))
        })
}

/// Files that tell something first, refused ones last; each kind by path.
fn in_order(sources: &mut [Source]) {
    let rank = |source: &Source| match source.kind {
        SourceKind::DataYaml | SourceKind::ObjData => 0,
        SourceKind::Labels { .. } => 2,
        SourceKind::Refused(_) => 3,
        _ => 1,
    };
    let first = |source: &Source| match &source.kind {
        SourceKind::Labels { files, .. } => files.first().cloned(),
        _ => None,
    };
    sources.sort_by(|a, b| {
        rank(a).cmp(&rank(b)).then_with(|| {
            let (left, right) = (first(a), first(b));
            let left = left.as_ref().unwrap_or(&a.path);
            let right = right.as_ref().unwrap_or(&b.path);
            crate::inputs::path_order(left, right)
        })
    });
}
