//! Pictures in one folder a class, numbered as torchvision's `ImageFolder` numbers them.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::inputs::{InputError, WalkOptions, walk};
use crate::labels::{
    ClassList, LabelError, Limit, ListSource, Place, Places, Role, Sink, Stream, StreamId, Trouble,
    TroubleKind,
};
use crate::range_check::Values;

/// What torchvision takes for a picture (`torchvision.datasets.folder.IMG_EXTENSIONS`).
const EXTENSIONS: [&str; 9] = [
    "jpg", "jpeg", "png", "ppm", "bmp", "pgm", "tif", "tiff", "webp",
];
/// Subfolders that are taken for classes; far more than any data set has.
const MOST_CLASSES: usize = 200_000;
/// Pictures told at once.
const BLOCK: usize = 4096;

/// Whether torchvision takes a file for a picture, which it tells by the name alone.
pub(crate) fn has_picture_extension(path: &Path) -> bool {
    path.extension().is_some_and(|extension| {
        EXTENSIONS
            .iter()
            .any(|known| extension.eq_ignore_ascii_case(known))
    })
}

/// The split that a name stands for, alone or as one of its words: `train`, `val2017`, `instances_valid`, `test-labels`.
pub(crate) fn split_of_name(name: &str) -> Option<&'static str> {
    name.split(|c: char| !c.is_alphanumeric()).find_map(|word| {
        let word = word.trim_end_matches(|c: char| c.is_ascii_digit());
        Some(match word.to_ascii_lowercase().as_str() {
            "train" | "training" | "trainval" => "train",
            "val" | "valid" | "validation" | "dev" => "val",
            "test" | "testing" => "test",
            _ => return None,
        })
    })
}

pub(super) fn read(path: &Arc<Path>, sink: &mut dyn Sink) -> Result<(), LabelError> {
    let Root {
        classes,
        pictures_beside,
    } = list_root(path, sink)?;
    if classes.is_empty() {
        return Err(LabelError::NoLabels { found: Vec::new() });
    }
    let names: Vec<String> = classes.keys().cloned().collect();
    tell_names(path, &names, pictures_beside, sink);
    let stream = sink.begin(Stream {
        role: Some(Role::Class),
        classes: Some(Arc::new(ClassList {
            names,
            source: ListSource {
                path: Some(Arc::clone(path)),
                line: None,
                what: "folders".to_owned(),
            },
            ..ClassList::default()
        })),
        ..Stream::default()
    });
    let mut first = 0;
    for ((name, folder), number) in classes.into_iter().zip(0_u32..) {
        if sink.stopped() {
            return Ok(());
        }
        let Class::Folder(folder) = folder else {
            // What a link leads to is not ours to look at; its name has a number all the same.
            tell(sink, TroubleKind::OutsidePath(name), path);
            continue;
        };
        let options = WalkOptions {
            hidden: true,
            ..WalkOptions::VISIBLE
        };
        let listed = match walk(&folder, options, &|| sink.stopped()) {
            Ok(listed) => listed,
            Err(InputError::Cancelled) => return Ok(()),
            Err(error) => {
                tell(
                    sink,
                    TroubleKind::Limit(Limit::Unlisted {
                        folder: name.clone(),
                        said: error.to_string(),
                    }),
                    path,
                );
                continue;
            }
        };
        let folder: Arc<Path> = folder.into();
        if listed.cut {
            let limit = Limit::Files(options.most as u64);
            tell(sink, TroubleKind::Limit(limit), &folder);
        }
        let files = listed.files.len() as u64;
        let pictures: Vec<Arc<Path>> = (listed.files.into_iter())
            .filter(|file| has_picture_extension(file))
            .collect();
        if pictures.is_empty() {
            let kind = if files == 0 {
                TroubleKind::Empty { class: Some(name) }
            } else {
                TroubleKind::NoPictures { class: name, files }
            };
            tell(sink, kind, &folder);
        }
        give(stream, number, &pictures, &mut first, sink);
    }
    Ok(())
}

fn tell(sink: &mut dyn Sink, kind: TroubleKind, at: &Arc<Path>) {
    sink.trouble(Trouble {
        kind,
        place: Place::file(Arc::clone(at)),
        text: None,
    });
}

enum Class {
    Folder(PathBuf),
    Link,
}

struct Root {
    /// By name; Rust and Python both sort texts by code point.
    classes: BTreeMap<String, Class>,
    pictures_beside: u64,
}

fn list_root(path: &Arc<Path>, sink: &mut dyn Sink) -> Result<Root, LabelError> {
    let mut classes = BTreeMap::new();
    let mut pictures_beside = 0;
    for (at, entry) in std::fs::read_dir(path)?.enumerate() {
        if at % 256 == 0 && sink.stopped() {
            return Err(InputError::Cancelled.into());
        }
        let Ok(entry) = entry else { continue };
        let Ok(kind) = entry.file_type() else {
            continue;
        };
        let name = entry.file_name();
        let shown = || name.to_string_lossy().into_owned();
        if kind.is_dir() {
            classes.insert(shown(), Class::Folder(entry.path()));
        } else if kind.is_symlink() && !is_named_like_file(&name) {
            classes.insert(shown(), Class::Link);
        } else if has_picture_extension(Path::new(&name)) {
            pictures_beside += 1;
        }
        if classes.len() == MOST_CLASSES {
            tell(
                sink,
                TroubleKind::Limit(Limit::Files(MOST_CLASSES as u64)),
                path,
            );
            break;
        }
    }
    Ok(Root {
        classes,
        pictures_beside,
    })
}

fn is_named_like_file(name: &OsStr) -> bool {
    Path::new(name)
        .extension()
        .is_some_and(|extension| (2..=4).contains(&extension.len()))
}

/// What the names of the folders themselves tell.
fn tell_names(path: &Arc<Path>, names: &[String], pictures_beside: u64, sink: &mut dyn Sink) {
    for name in names.iter().filter(|name| name.starts_with('.')) {
        let at: Arc<Path> = path.join(name).into();
        tell(sink, TroubleKind::HiddenFolder(name.clone()), &at);
    }
    let mut by_case: BTreeMap<String, &String> = BTreeMap::new();
    for name in names {
        if let Some(before) = by_case.insert(name.to_lowercase(), name) {
            tell(
                sink,
                TroubleKind::CaseClash(before.clone(), name.clone()),
                path,
            );
        }
    }
    let visible = || names.iter().filter(|name| !name.starts_with('.'));
    let is_split = |name: &&String| {
        let words = name.split(|c: char| !c.is_alphanumeric()).count();
        words == 1 && split_of_name(name).is_some()
    };
    if visible().count() <= 4 && visible().all(|name| is_split(&name)) {
        for name in visible() {
            tell(sink, TroubleKind::SplitAsClass(name.clone()), path);
        }
    }
    if pictures_beside > 0 {
        tell(sink, TroubleKind::RootFiles(pictures_beside), path);
    }
}

/// Gives a class's number once a picture.
fn give(
    stream: StreamId,
    number: u32,
    pictures: &[Arc<Path>],
    first: &mut u64,
    sink: &mut dyn Sink,
) {
    let numbers = vec![number; pictures.len().min(BLOCK)];
    for block in pictures.chunks(BLOCK) {
        let places = PicturePlaces {
            pictures: block,
            first: *first,
        };
        let numbers = numbers.get(..block.len()).unwrap_or(&numbers);
        sink.numbers(stream, Values::U32(numbers), &places);
        *first += block.len() as u64;
    }
}

struct PicturePlaces<'a> {
    pictures: &'a [Arc<Path>],
    first: u64,
}

impl Places for PicturePlaces<'_> {
    fn index(&self, i: usize) -> u64 {
        self.first + i as u64
    }

    fn place(&self, i: usize) -> Place {
        Place {
            path: self.pictures.get(i).cloned(),
            ..Place::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::labels::pictures::test_folder::Folder;
    use crate::labels::{Collected, CollectedStream};

    fn collect(path: &Path) -> Collected {
        let mut sink = Collected::default();
        read(&path.into(), &mut sink).expect("class folders");
        sink
    }

    fn summary(sink: &Collected) -> (Vec<String>, Vec<String>, Vec<String>) {
        let stream: &CollectedStream = sink.streams.first().expect("a stream");
        let classes = stream
            .stream
            .classes
            .clone()
            .expect("classes")
            .names
            .clone();
        let pictures = stream
            .values
            .values()
            .map(|(number, place, _)| {
                let path = place
                    .path
                    .as_deref()
                    .and_then(Path::file_name)
                    .unwrap_or_default();
                format!("{number} {}", path.to_string_lossy())
            })
            .collect();
        let troubles = sink
            .troubles
            .iter()
            .map(|t| format!("{:?}", t.kind))
            .collect();
        (classes, pictures, troubles)
    }

    #[track_caller]
    fn check(files: &[&str], classes: &[&str], pictures: &[&str], troubles: &[&str]) {
        let folder = Folder::new();
        for file in files {
            if let Some(empty) = file.strip_suffix('/') {
                std::fs::create_dir_all(folder.path().join(empty)).expect("a folder");
            } else {
                folder.write(file, b"x");
            }
        }
        let (found, given, told) = summary(&collect(folder.path()));
        assert_eq!(found, classes);
        assert_eq!(given, pictures);
        assert_eq!(told, troubles);
    }

    #[test]
    fn numbering_and_what_is_strange() {
        check(
            &[
                "10/a.jpg",
                "2/b.PNG",
                "Z/c.jpeg",
                "a/d.webp",
                "a/deep/er/e.tiff",
                "a/notes.txt",
            ],
            &["10", "2", "Z", "a"],
            &["0 a.jpg", "1 b.PNG", "2 c.jpeg", "3 d.webp", "3 e.tiff"],
            &[],
        );
        check(
            &[
                ".ipynb_checkpoints/x.jpg",
                "cat/1.jpg",
                "Cat/2.jpg",
                "3.jpg",
                "4.jpg",
            ],
            &[".ipynb_checkpoints", "Cat", "cat"],
            &["0 x.jpg", "1 2.jpg", "2 1.jpg"],
            &[
                "HiddenFolder(\".ipynb_checkpoints\")",
                "CaseClash(\"Cat\", \"cat\")",
                "RootFiles(2)",
            ],
        );
        check(
            &["a/1.jpg", "b/readme.txt", "c/"],
            &["a", "b", "c"],
            &["0 1.jpg"],
            &[
                "NoPictures { class: \"b\", files: 1 }",
                "Empty { class: Some(\"c\") }",
            ],
        );
        check(
            &["train/1.jpg", "val/2.jpg"],
            &["train", "val"],
            &["0 1.jpg", "1 2.jpg"],
            &["SplitAsClass(\"train\")", "SplitAsClass(\"val\")"],
        );
    }

    #[test]
    fn a_folder_without_folders() {
        let folder = Folder::new();
        folder.write("1.jpg", b"x");
        let path: Arc<Path> = folder.path().into();
        let read = read(&path, &mut Collected::default());
        assert_eq!(read, Err(LabelError::NoLabels { found: Vec::new() }));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        use std::os::unix::fs::symlink;
        let folder = Folder::new();
        folder.write("a/1.jpg", b"x");
        folder.write("b/1.jpg", b"x");
        symlink("../..", folder.path().join("b/again")).expect("a link");
        symlink("/", folder.path().join("c")).expect("a link");
        symlink("a/1.jpg", folder.path().join("2.jpg")).expect("a link");
        let (classes, pictures, troubles) = summary(&collect(folder.path()));
        assert_eq!(classes, ["a", "b", "c"]);
        assert_eq!(pictures, ["0 1.jpg", "1 1.jpg"]);
        assert_eq!(troubles, ["RootFiles(1)", "OutsidePath(\"c\")"]);
    }

    #[test]
    fn splits_by_name() {
        for (name, expected) in [
            ("train", Some("train")),
            ("Training", Some("train")),
            ("val2017", Some("val")),
            ("instances_val.json", Some("val")),
            ("validation", Some("val")),
            ("GT-final_test.csv", Some("test")),
            ("labelTrainIds", None),
            ("trains", None),
            ("cat", None),
        ] {
            assert_eq!(split_of_name(name), expected, "{name}");
        }
    }
}
