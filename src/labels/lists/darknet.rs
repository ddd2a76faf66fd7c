//! Darknet's `obj.data`: `classes = 10`, `train = data/train.txt`, `names = data/obj.names`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{DataFile, names, text};
use crate::labels::{ClassList, LabelError, ListSource, Place, Trouble, TroubleKind};

pub(super) fn parse(content: &str, path: &Arc<Path>) -> Result<DataFile, LabelError> {
    let mut data = DataFile::default();
    let mut list = ClassList {
        source: ListSource {
            path: Some(Arc::clone(path)),
            line: None,
            what: "classes".to_owned(),
        },
        ..ClassList::default()
    };
    let mut names_file = None;
    for (line, number) in content.lines().zip(1..) {
        let line = line.trim_start_matches('\u{feff}').trim();
        let Some((key, value)) = line.split_once('=') else {
            continue;
        };
        let (key, value) = (key.trim(), value.trim());
        if key.starts_with(['#', ';']) || value.is_empty() {
            continue;
        }
        match key {
            "classes" => {
                list.stated = value.parse().ok();
                list.source.line = Some(number);
            }
            "names" => names_file = Some((value, number)),
            "train" | "test" => data.splits.push((key.to_owned(), vec![value.to_owned()])),
            "valid" | "val" => data.splits.push(("val".to_owned(), vec![value.to_owned()])),
            _ => {}
        }
    }
    if let Some((written, line)) = names_file {
        match beside(path, written) {
            Some(found) => {
                let found: Arc<Path> = found.into();
                let stated = list.stated;
                let (content, _) = text::read(&found, super::MOST_BYTES)?;
                list = names::parse(&content, &found)?;
                list.stated = stated;
            }
            None => data.troubles.push(Trouble {
                kind: TroubleKind::MissingPath(written.to_owned()),
                place: Place {
                    line: Some(line),
                    ..Place::file(Arc::clone(path))
                },
                text: None,
            }),
        }
    }
    if list.stated.is_none() && list.names.is_empty() && data.splits.is_empty() {
        return Err(LabelError::NoLabels { found: Vec::new() });
    }
    data.classes = Arc::new(list);
    Ok(data)
}

/// A file of that name beside `obj.data`: paths in it are relative to wherever Darknet was started, so only the end of one counts.
fn beside(path: &Path, written: &str) -> Option<PathBuf> {
    let name = written.rsplit(['/', '\\']).next()?;
    if name.is_empty() || name == ".." || name.contains([':', '\0']) {
        return None;
    }
    let found = path.parent()?.join(name);
    let is_file = std::fs::symlink_metadata(&found).is_ok_and(|meta| meta.is_file());
    is_file.then_some(found)
}
