//! Telling what a file is.

use std::path::Path;

use super::read::{HEAD_BYTES, open_regular, read_some};
use super::{InputError, magic, text};

/// What an input was taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InputKind {
    /// A log: text that a run printed.
    Log,
    /// A Jupyter notebook with outputs.
    Notebook,
    /// Label data: tables, arrays, annotations, masks, YOLO text files.
    Labels,
    /// Weights or a pickled checkpoint.
    Checkpoint,
    /// A configuration (YAML, config.json, TOML).
    Config,
    /// A Python script.
    Script,
    /// A GPU memory recording of this program.
    Recording,
    /// A case of this program.
    Case,
    /// A picture that is no mask.
    Picture,
    /// A folder.
    Folder,
    /// Text without a sign of what it is; read as a log.
    Text,
    /// Bytes that are no text and of no known kind.
    Unknown,
}

impl InputKind {
    /// Whether it is read as a log.
    pub fn is_read(self) -> bool {
        matches!(self, Self::Log | Self::Notebook | Self::Text)
    }
}

/// How the bytes of an input are arranged, as far as that was recognised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Format {
    /// Nothing more is known than the kind.
    #[default]
    Plain,
    /// `.npy`
    NumpyArray,
    /// `.npz`
    NumpyArchive,
    /// `torch.save`
    Torch,
    /// Python's pickle.
    Pickle,
    /// Safetensors, or the index of several.
    Safetensors,
    /// GGUF or ONNX.
    Model,
    /// HDF5
    Hdf5,
    /// Parquet
    Parquet,
    /// Arrow, Feather
    Arrow,
    /// Excel
    Excel,
    /// MATLAB
    Matlab,
    /// IDX, as MNIST comes.
    Idx,
    /// `TFRecord`
    TfRecord,
    /// Token files of Megatron.
    Megatron,
    /// Comma- or tab-separated text, and columns of numbers.
    Table,
    /// JSON
    Json,
    /// One JSON value a line.
    JsonLines,
    /// COCO annotations.
    Coco,
    /// YOLO rows.
    Yolo,
    /// XML annotations (VOC, CVAT).
    Xml,
    /// Lines beginning with `__label__`.
    FastText,
    /// A list of class names.
    ClassNames,
    /// A picture whose pixels are class numbers.
    Mask,
    /// Packed: it must be unpacked first.
    Compressed,
    /// A stand-in for a file that Git LFS has not fetched.
    LfsPointer,
}

/// A kind with its format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recognised {
    /// What it is.
    pub kind: InputKind,
    /// In which form.
    pub format: Format,
}

impl Recognised {
    /// A kind in a form.
    pub(super) fn new(kind: InputKind, format: Format) -> Self {
        Self { kind, format }
    }

    /// A kind of which no more is known.
    pub(super) fn plain(kind: InputKind) -> Self {
        Self::new(kind, Format::Plain)
    }
}

/// Tells what a file is from its first bytes (up to 64 KiB) and its name.
pub fn recognise(path: &Path, head: &[u8]) -> InputKind {
    inspect(path, head).kind
}

/// Tells kind and form of a file from its first bytes (up to 64 KiB) and its name.
pub fn inspect(path: &Path, head: &[u8]) -> Recognised {
    let name = Name::of(path);
    if let Some(found) = magic::recognise(&name, head) {
        return found;
    }
    match text::decode(head) {
        Some(text) => text::recognise(&name, &text),
        // Junk around a traceback does not make it less of a log.
        None if text::has_log_sign(&String::from_utf8_lossy(head)) => {
            Recognised::plain(InputKind::Log)
        }
        None => magic::by_name(&name).unwrap_or(Recognised::plain(InputKind::Unknown)),
    }
}

/// Tells what the file at a path is. Beside its beginning, the end of a text decides: a log that begins with a printed table or
/// configuration ends in what the run said last.
///
/// # Errors
/// Where the path cannot be opened, is a folder (then without its logs), a device or empty.
pub fn inspect_file(path: &Path) -> Result<Recognised, InputError> {
    let (mut file, size) = open_regular(path)?;
    let head = read_some(&mut file, HEAD_BYTES)?;
    if size <= head.len() as u64 && super::read::is_blank(&head) {
        return Err(InputError::Empty);
    }
    let found = inspect(path, &head);
    if found.kind.is_read() || size <= HEAD_BYTES as u64 {
        return Ok(found);
    }
    let tail = super::read::read_tail(&mut file, size)?;
    Ok(judged_by_end(found, &head, &tail))
}

/// What a text is whose beginning was taken for `found`: it may end as a log does.
pub(super) fn judged_by_end(found: Recognised, head: &[u8], tail: &[u8]) -> Recognised {
    if found.kind.is_read() || text::decode(head).is_none() {
        return found;
    }
    let ends_as_log = text::decode(tail).is_some_and(|tail| text::has_log_sign(&tail));
    if ends_as_log {
        Recognised::plain(InputKind::Log)
    } else {
        found
    }
}

/// The parts of a file's name that tell something, in lower case.
pub(crate) struct Name {
    /// The whole name, without folders.
    pub whole: String,
    /// What stands before the last dot.
    pub stem: String,
    /// What follows the last dot.
    pub extension: String,
}

impl Name {
    /// The name of a path.
    pub fn of(path: &Path) -> Self {
        let whole = path
            .file_name()
            .map(|name| name.to_string_lossy().to_lowercase())
            .unwrap_or_default();
        let (stem, extension) = whole.rsplit_once('.').unwrap_or((&whole, ""));
        Self {
            stem: stem.to_owned(),
            extension: extension.to_owned(),
            whole,
        }
    }

    /// The name before `.gz` and the like.
    pub fn inner(&self) -> Self {
        Self::of(Path::new(&self.stem))
    }

    /// Whether the extension is one of these.
    pub fn ends(&self, extensions: &[&str]) -> bool {
        extensions.contains(&self.extension.as_str())
    }

    /// Whether the name speaks of labels.
    pub fn speaks_of_labels(&self) -> bool {
        [
            "label", "target", "mask", "annot", "gt_", "_gt", "y_train", "y_test", "ids",
        ]
        .iter()
        .any(|word| self.whole.contains(word))
    }
}
