//! A folder as the data set it is.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

use super::file::Recognised;
use super::{Survey, file, image_folders, labels, masks, names, split_of_folder, trouble, yolo};
use crate::check::{Source, SourceKind};
use crate::inputs::{WalkOptions, path_order, walk};
use crate::labels::{
    LabelError, LabelFormat, Limit, TroubleKind, has_picture_extension, split_of_name,
};

/// Neighbours that were all recognised as the same, after which the rest of them is taken for it, too.
const ENOUGH_ALIKE: usize = 8;
/// Refused files that are told one by one.
const MOST_REFUSED: usize = 100;
/// Scripts, logs and weights of one folder that are looked into.
const MOST_OF_A_KIND: usize = 20;

/// Files that belong together, in the order of the first of each group.
pub(super) struct Groups<K>(pub Vec<(K, Vec<Arc<Path>>)>);

impl<K> Default for Groups<K> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<K: PartialEq> Groups<K> {
    pub fn add(&mut self, key: K, files: impl IntoIterator<Item = Arc<Path>>) {
        match self.0.iter_mut().find(|(known, _)| *known == key) {
            Some((_, all)) => all.extend(files),
            None => self.0.push((key, files.into_iter().collect())),
        }
    }
}

/// The files of a folder, and which of them belong to a source already.
pub(super) struct Tree {
    root: Arc<Path>,
    files: Vec<Arc<Path>>,
    taken: HashSet<Arc<Path>>,
}

impl Tree {
    pub fn new(root: &Arc<Path>, files: Vec<Arc<Path>>) -> Self {
        Self {
            root: Arc::clone(root),
            files,
            taken: HashSet::new(),
        }
    }

    pub fn root(&self) -> Arc<Path> {
        Arc::clone(&self.root)
    }

    pub fn take(&mut self, file: &Arc<Path>) {
        self.taken.insert(Arc::clone(file));
    }

    /// Files that belong to no source yet, natural path order.
    pub fn free(&self) -> impl Iterator<Item = &Arc<Path>> {
        self.files.iter().filter(|file| !self.taken.contains(*file))
    }

    /// Free files that a test picks, by the folder they lie in; folders in the order of their first file.
    pub fn by_folder(&self, picks: impl Fn(&Path) -> bool) -> Vec<(Arc<Path>, Vec<Arc<Path>>)> {
        let mut at: HashMap<&Path, usize> = HashMap::new();
        let mut folders: Vec<(Arc<Path>, Vec<Arc<Path>>)> = Vec::new();
        for file in self.free().filter(|file| picks(file)) {
            let folder = file.parent().unwrap_or(&self.root);
            let number = *at.entry(folder).or_insert_with(|| {
                folders.push((folder.into(), Vec::new()));
                folders.len() - 1
            });
            if let Some((_, files)) = folders.get_mut(number) {
                files.push(Arc::clone(file));
            }
        }
        folders
    }

    /// Names of the folders between the root and a path, the nearest first.
    pub fn names_above<'a>(&self, path: &'a Path) -> impl Iterator<Item = String> + use<'a> {
        let inner = path.strip_prefix(&self.root).unwrap_or(path);
        inner
            .components()
            .rev()
            .map(|part| part.as_os_str().to_string_lossy().into_owned())
    }

    /// The split that a folder stands for: by the nearest name that tells, last by the whole name of what was given.
    pub fn split_of(&self, folder: &Path) -> Option<&'static str> {
        self.names_above(folder)
            .find_map(|name| split_of_name(&name))
            .or_else(|| split_of_folder(&self.root_name()))
    }

    /// The name of the folder that was given.
    pub fn root_name(&self) -> String {
        let name = |path: &Path| {
            path.file_name()
                .map(|name| name.to_string_lossy().into_owned())
        };
        name(&self.root).unwrap_or_default()
    }
}

pub(super) fn survey(survey: &Survey<'_>, root: &Arc<Path>) -> Vec<Source> {
    let listed = match walk(root, WalkOptions::VISIBLE, &|| survey.stopped()) {
        Ok(listed) => listed,
        Err(error) => return vec![survey.refused(root, root, error.into())],
    };
    let mut tree = Tree::new(root, listed.files);
    let mut sources = match survey.given.format {
        Some(format) => of_format(survey, &mut tree, format),
        None => of_content(survey, &mut tree),
    };
    if listed.cut {
        let most = WalkOptions::VISIBLE.most;
        let limit = trouble(TroubleKind::Limit(Limit::Files(most as u64)), root);
        match sources.first_mut() {
            Some(first) => first.troubles.push(limit),
            None => sources.push(survey.refused(
                root,
                root,
                LabelError::TooLarge {
                    size: most as u64 + 1,
                    limit: most as u64,
                },
            )),
        }
    }
    if sources.is_empty() && !survey.stopped() {
        let nothing = if listed.too_deep {
            LabelError::TooDeep
        } else {
            LabelError::NoLabels { found: Vec::new() }
        };
        sources.push(survey.refused(root, root, nothing));
    }
    sources
}

/// All that looks like labels.
fn of_content(survey: &Survey<'_>, tree: &mut Tree) -> Vec<Source> {
    let mut sources = data_files(survey, tree);
    // Label texts that a data set's own file leaves out are no part of it.
    let boxes_are_described = has_labels(&sources);
    sources.extend(masks::by_name(survey, tree));
    let mut rest = Rest::new(survey, tree);
    rest.boxes_are_described = boxes_are_described;
    rest.read();
    let Rest {
        sources: more,
        minor,
        ..
    } = rest;
    sources.extend(more);
    if !has_labels(&sources) {
        sources.extend(masks::by_content(survey, tree));
    }
    let only_this = !has_labels(&sources);
    let has_pictures_labels = sources.iter().any(|source| {
        use LabelFormat as F;
        matches!(
            source.kind,
            SourceKind::Labels {
                format: F::Yolo | F::Voc | F::Coco | F::Mask,
                ..
            }
        )
    });
    if !has_pictures_labels {
        sources.extend(image_folders::find(survey, tree, only_this));
    }
    let has_masks = sources.iter().any(|source| {
        matches!(&source.kind, SourceKind::Labels { format, .. } if *format == LabelFormat::Mask)
    });
    for source in sources.iter_mut().filter(|_| !has_masks) {
        if source.kind == SourceKind::Colours {
            source.kind = SourceKind::ClassNames;
        }
    }
    let root = tree.root();
    yolo::end_with_refusal(survey, &root, &mut sources);
    // What is no label file is worth telling only where there is none.
    if !has_labels(&sources) {
        sources.extend(minor);
    }
    sources
}

fn has_labels(sources: &[Source]) -> bool {
    sources
        .iter()
        .any(|source| matches!(source.kind, SourceKind::Labels { .. }))
}

/// Data sets that describe themselves, and label texts of boxes without such a description.
fn data_files(survey: &Survey<'_>, tree: &mut Tree) -> Vec<Source> {
    let mut sources = Vec::new();
    let mut taken = HashSet::new();
    let mut missing = Vec::new();
    let has_extension = |path: &Path, known: &[&str]| {
        path.extension().is_some_and(|extension| {
            known
                .iter()
                .any(|known| extension.eq_ignore_ascii_case(known))
        })
    };
    let described: Vec<Arc<Path>> = tree
        .free()
        .filter(|path| has_extension(path, &["yaml", "yml", "data"]))
        .take(200)
        .cloned()
        .collect();
    for path in described {
        let Recognised::Is(kind @ (SourceKind::DataYaml | SourceKind::ObjData)) =
            file::recognise(&path)
        else {
            continue;
        };
        tree.take(&path);
        let mut found = yolo::of_data_file(survey, &tree.root, &path, kind);
        for source in &mut found.sources {
            if let SourceKind::Labels { files, .. } = &mut source.kind {
                files.retain(|file| !taken.contains(file));
            }
        }
        found.sources.retain(
            |source| !matches!(&source.kind, SourceKind::Labels { files, .. } if files.is_empty()),
        );
        tree.taken.extend(found.files.iter().cloned());
        taken.extend(found.files);
        missing.extend(found.missing);
        sources.extend(found.sources);
    }
    let only = (!taken.is_empty()).then_some(missing.as_slice());
    sources.extend(yolo::by_content(survey, tree, only, &taken));
    sources
}

/// Files that are no part of a data set with an arrangement of its own.
struct Rest<'a> {
    survey: &'a Survey<'a>,
    tree: &'a mut Tree,
    sources: Vec<Source>,
    /// Refusals that matter only where there is nothing else.
    minor: Vec<Source>,
    /// By folder and extension: what the neighbours were, and how many of them in a row.
    alike: HashMap<(Arc<Path>, String), (Recognised, usize)>,
    counts: HashMap<&'static str, usize>,
    /// The label texts that belong to the data set are in sources already.
    boxes_are_described: bool,
}

impl<'a> Rest<'a> {
    fn new(survey: &'a Survey<'a>, tree: &'a mut Tree) -> Self {
        Self {
            survey,
            tree,
            sources: Vec::new(),
            minor: Vec::new(),
            alike: HashMap::new(),
            counts: HashMap::new(),
            boxes_are_described: false,
        }
    }

    fn read(&mut self) {
        let files: Vec<Arc<Path>> = self
            .tree
            .free()
            .filter(|path| !is_never_read(path) && !self.is_in_image_sets(path))
            .cloned()
            .collect();
        let mut groups = Groups::default();
        for path in files {
            if self.survey.stopped() {
                return;
            }
            match self.recognise(&path) {
                Recognised::Labels(LabelFormat::Yolo) if self.boxes_are_described => {}
                Recognised::Labels(LabelFormat::Mask) | Recognised::Text | Recognised::Nothing => {}
                Recognised::Labels(format) => {
                    let split = self.split_of(&path, format);
                    self.tree.take(&path);
                    groups.add((format, split), [path]);
                }
                Recognised::Is(kind) => self.tells(&path, kind),
                Recognised::Empty => {
                    let is_table = path.extension().is_some_and(|e| {
                        ["csv", "tsv", "json", "jsonl"]
                            .iter()
                            .any(|k| e.eq_ignore_ascii_case(k))
                    });
                    if is_table {
                        self.refuse(&path, crate::inputs::InputError::Empty.into());
                    }
                }
            }
        }
        let root = self.tree.root();
        for ((format, split), files) in groups.0 {
            let folder = match files.as_slice() {
                [only] => Arc::clone(only),
                _ => yolo::common_folder(&files).unwrap_or_else(|| Arc::clone(&root)),
            };
            let source = self
                .survey
                .source(&folder, &root, labels(format, files), split);
            self.sources.push(source);
        }
    }

    /// Lists of pictures of VOC, whose numbers are no classes.
    fn is_in_image_sets(&self, path: &Path) -> bool {
        self.tree
            .names_above(path)
            .any(|name| name.eq_ignore_ascii_case("ImageSets"))
    }

    /// Recognises a file, or takes it for what all its neighbours are.
    fn recognise(&mut self, path: &Arc<Path>) -> Recognised {
        let extension = path
            .extension()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let folder: Arc<Path> = path.parent().unwrap_or(path).into();
        let key = (folder, extension);
        let by_name = names::is_named_as_list(path) || names::may_tell_of_labels(path);
        if !by_name
            && let Some((known, count)) = self.alike.get(&key)
            && *count >= ENOUGH_ALIKE
        {
            return known.clone();
        }
        let found = file::recognise(path);
        // An empty text among label texts is a picture without objects.
        if by_name || found == Recognised::Empty {
            return found;
        }
        let entry = self.alike.entry(key).or_insert((found.clone(), 0));
        if entry.0 == found {
            entry.1 += 1;
        } else {
            *entry = (found.clone(), 1);
        }
        found
    }

    fn split_of(&self, path: &Path, format: LabelFormat) -> Option<&'static str> {
        use LabelFormat as F;
        let folder = path.parent().unwrap_or(path);
        // One file a picture: those names tell nothing.
        let by_name = !matches!(format, F::Yolo | F::Voc | F::Mask);
        let name = path.file_name().map(OsStr::to_string_lossy);
        let named = name
            .filter(|_| by_name)
            .and_then(|name| split_of_name(&name).or_else(|| split_of_cifar(&name)));
        named.or_else(|| self.tree.split_of(folder))
    }

    fn tells(&mut self, path: &Arc<Path>, kind: SourceKind) {
        let is_direct = path.parent() == Some(&self.tree.root);
        let what = match &kind {
            SourceKind::Refused(error) => {
                let error = error.clone();
                return self.refuse(path, error);
            }
            SourceKind::Script if is_direct => "script",
            SourceKind::Log if is_direct && !is_notebook(path) => "log",
            SourceKind::Script | SourceKind::Log => return,
            SourceKind::Weights => "weights",
            _ => "other",
        };
        let count = self.counts.entry(what).or_default();
        *count += 1;
        if *count <= MOST_OF_A_KIND {
            self.tree.take(path);
            let root = self.tree.root();
            let source = self.survey.source(path, &root, kind, None);
            self.sources.push(source);
        }
    }

    fn refuse(&mut self, path: &Arc<Path>, error: LabelError) {
        let is_minor = matches!(
            error,
            LabelError::NotLabels(_)
                | LabelError::NoLabels { .. }
                | LabelError::Unknown
                | LabelError::JpegMask
                | LabelError::OtherContent { .. }
        );
        let list = if is_minor {
            &mut self.minor
        } else {
            &mut self.sources
        };
        let count = self
            .counts
            .entry(if is_minor { "minor" } else { "refused" })
            .or_default();
        *count += 1;
        if *count <= MOST_REFUSED {
            list.push(self.survey.refused(path, &self.tree.root, error));
        }
    }
}

fn split_of_cifar(name: &str) -> Option<&'static str> {
    name.starts_with("data_batch").then_some("train")
}

fn is_notebook(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("ipynb"))
}

/// Files of a folder that are not opened: their names say that no label is in them.
fn is_never_read(path: &Path) -> bool {
    const EXTENSIONS: [&str; 42] = [
        "gif", "svg", "heic", "avif", "ico", "mp4", "avi", "mov", "mkv", "webm", "wav", "mp3",
        "flac", "ogg", "md", "rst", "html", "htm", "css", "js", "pdf", "doc", "docx", "ppt",
        "pptx", "c", "h", "cc", "cpp", "cu", "sh", "bat", "ps1", "cache", "lock", "toml", "ini",
        "cfg", "ipynb", "onnx", "ttf", "pyc",
    ];
    let extension = path.extension().unwrap_or_default();
    has_picture_extension(path)
        || EXTENSIONS
            .iter()
            .any(|known| extension.eq_ignore_ascii_case(known))
        || extension.eq_ignore_ascii_case("yaml")
        || extension.eq_ignore_ascii_case("yml")
        || names::is_named_as_document(path)
}

/// All files that can be of the format that the user named, and what tells about them.
fn of_format(survey: &Survey<'_>, tree: &mut Tree, format: LabelFormat) -> Vec<Source> {
    use LabelFormat as F;
    let root = tree.root();
    if format == F::ImageFolder {
        let found = image_folders::find(survey, tree, true);
        return if found.is_empty() {
            vec![survey.source(&root, &root, labels(format, vec![Arc::clone(&root)]), None)]
        } else {
            found
        };
    }
    let described = if format == F::Yolo {
        data_files(survey, tree)
    } else {
        Vec::new()
    };
    let mut rest = Rest::new(survey, tree);
    rest.read();
    let mut sources = std::mem::take(&mut rest.sources);
    sources.retain(|source| {
        !matches!(
            source.kind,
            SourceKind::Labels { .. } | SourceKind::Refused(_)
        )
    });
    let is_done = has_labels(&described);
    sources.extend(described);
    if is_done {
        return sources;
    }
    let mut by_split = Groups::default();
    for path in &tree.files {
        let is_list = names::is_named_as_list(path) || names::is_named_as_document(path);
        if is_list || !may_be(path, format) {
            continue;
        }
        let named = path
            .file_name()
            .filter(|_| !matches!(format, F::Yolo | F::Voc | F::Mask))
            .and_then(|name| split_of_name(&name.to_string_lossy()));
        let split = named.or_else(|| tree.split_of(path.parent().unwrap_or(path)));
        by_split.add(split, [Arc::clone(path)]);
    }
    for (split, mut files) in by_split.0 {
        files.sort_unstable_by(|a, b| path_order(a, b));
        let folder = yolo::common_folder(&files).unwrap_or_else(|| Arc::clone(&root));
        sources.push(survey.source(&folder, &root, labels(format, files), split));
    }
    sources
}

/// Whether a file can be of a format by its name.
fn may_be(path: &Path, format: LabelFormat) -> bool {
    use LabelFormat as F;
    let extensions: &[&str] = match format {
        F::Table => &["csv", "tsv", "txt", "tab", "gz", "data", "svm", "libsvm"],
        F::PathList => &["txt", "lst", "list", "train", "valid", "test"],
        F::Json | F::Coco => &["json"],
        F::JsonLines => &["jsonl", "json", "ndjson", "gz"],
        F::Yolo => &["txt"],
        F::Voc => &["xml"],
        F::Mask => &["png"],
        F::Npy => &["npy"],
        F::Npz => &["npz"],
        F::Torch => &["pt", "pth", "bin", "ckpt", "tar"],
        F::Pickle => &["pkl", "pickle", ""],
        F::SafeTensors => &["safetensors"],
        F::Idx => &["gz", "", "idx", "idx1-ubyte", "ubyte"],
        F::Tokens => &["bin"],
        F::ImageFolder => &[],
    };
    let extension = path.extension().unwrap_or_default();
    extensions
        .iter()
        .any(|known| extension.eq_ignore_ascii_case(known))
}
