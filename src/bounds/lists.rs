//! Files that list classes, and what stands beside token files.

use std::path::Path;
use std::sync::Arc;

use super::{Bound, BoundSource, BoundsFound};
use crate::knowledge::Certainty;
use crate::labels::{
    ClassList, DataFile, LabelError, ListSource, Role, read_class_names, read_data_yaml, read_meta,
    read_obj_data,
};

/// A list of class names: as many classes as names.
pub(super) fn of_class_names(path: &Arc<Path>) -> Result<BoundsFound, LabelError> {
    let list = Arc::new(read_class_names(path)?);
    let mut found = BoundsFound::default();
    found
        .bounds
        .extend(of_list(&list, BoundSource::ClassList, path));
    found.lists.push(list);
    Ok(found)
}

/// `data.yaml`: its names, then its `nc` where the two differ or only that is there.
pub(super) fn of_data_yaml(path: &Arc<Path>) -> Result<BoundsFound, LabelError> {
    Ok(of_data_file(read_data_yaml(path)?, path, "nc"))
}

/// Darknet's `obj.data`, where the number is called `classes`.
pub(super) fn of_obj_data(path: &Arc<Path>) -> Result<BoundsFound, LabelError> {
    Ok(of_data_file(read_obj_data(path)?, path, "classes"))
}

fn of_data_file(file: DataFile, path: &Arc<Path>, count_name: &str) -> BoundsFound {
    let list = file.classes;
    let mut found = BoundsFound {
        troubles: file.troubles,
        ..BoundsFound::default()
    };
    let by_names = of_list(&list, BoundSource::DataFile, path);
    let by_count = list.stated.and_then(|count| {
        let what = format!("{count_name} = {count}");
        let bound = Bound::of_size(
            Role::Class,
            count,
            BoundSource::DataFile,
            Some(path),
            what,
            Certainty::Certain,
        )?;
        // Of the two only one line is known, that of the names; where there are none it is the count's.
        Some(bound.at_line(if list.names.is_empty() {
            list.source.line
        } else {
            None
        }))
    });
    match (by_names, by_count) {
        (Some(names), Some(count)) if names.same_range(&count) => found.bounds.push(names),
        // Trainers index the names, so those come first.
        (names, count) => found.bounds.extend(names.into_iter().chain(count)),
    }
    if !list.names.is_empty() {
        found.lists.push(list);
    }
    found
}

/// The range that a list of names states. Ids of its own (COCO) give the range of those ids.
fn of_list(list: &Arc<ClassList>, source: BoundSource, path: &Arc<Path>) -> Option<Bound> {
    let file = list.source.path.as_ref().unwrap_or(path);
    let what = if list.source.what.is_empty() {
        format!("names ({})", list.names.len())
    } else {
        format!("{} ({})", list.source.what, list.names.len())
    };
    let mut bound = Bound::of_size(
        Role::Class,
        list.names.len() as u64,
        source,
        Some(file),
        what,
        Certainty::Certain,
    )?;
    if let Some(ids) = &list.ids
        && let (Some(lo), Some(hi)) = (ids.iter().min(), ids.iter().max())
    {
        bound.role = Role::CategoryId;
        bound.lo = (*lo).into();
        bound.hi = (*hi).into();
    }
    bound.names = Some(Arc::clone(list));
    Some(bound.at_line(list.source.line))
}

/// `meta.pkl` of token files, `batches.meta` of CIFAR.
pub(super) fn of_meta(path: &Arc<Path>) -> Result<BoundsFound, LabelError> {
    let meta = read_meta(path)?;
    let mut found = BoundsFound::default();
    if let Some(size) = meta.vocab_size {
        found.bounds.extend(Bound::of_size(
            Role::Token,
            size,
            BoundSource::DatasetInfo,
            Some(path),
            format!("vocab_size = {size}"),
            Certainty::Certain,
        ));
    }
    if !meta.label_names.is_empty() {
        let list = Arc::new(ClassList {
            names: meta.label_names,
            source: ListSource {
                path: Some(Arc::clone(path)),
                line: None,
                what: "label_names".to_owned(),
            },
            ..ClassList::default()
        });
        found
            .bounds
            .extend(of_list(&list, BoundSource::DatasetInfo, path));
        found.lists.push(list);
    }
    if found.is_empty() {
        return Err(LabelError::NotLabels("a pickle without sizes".to_owned()));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path() -> Arc<Path> {
        Arc::from(Path::new("data.yaml"))
    }

    #[track_caller]
    fn check(names: &[&str], stated: Option<u64>, expected: &[(&str, i64)]) {
        let list = ClassList {
            names: names.iter().map(|&name| name.to_owned()).collect(),
            stated,
            ..ClassList::default()
        };
        let file = DataFile {
            classes: Arc::new(list),
            ..DataFile::default()
        };
        let found = of_data_file(file, &path(), "nc");
        let got: Vec<_> = found
            .bounds
            .iter()
            .map(|bound| (bound.what.as_str(), bound.hi))
            .collect();
        let expected: Vec<_> = expected
            .iter()
            .map(|&(what, hi)| (what, hi.into()))
            .collect();
        assert_eq!(got, expected);
        assert_eq!(found.lists.len(), usize::from(!names.is_empty()));
    }

    #[test]
    fn names_come_before_the_count() {
        check(&["a", "b", "c"], None, &[("names (3)", 2)]);
        check(&["a", "b", "c"], Some(3), &[("names (3)", 2)]);
        check(
            &["a", "b", "c"],
            Some(4),
            &[("names (3)", 2), ("nc = 4", 3)],
        );
        check(&[], Some(80), &[("nc = 80", 79)]);
        check(&[], Some(0), &[]);
        check(&[], None, &[]);
        check(&[], Some(u64::MAX), &[]);
    }
}
