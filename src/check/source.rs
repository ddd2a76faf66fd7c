//! What was found in what was given.

use std::path::Path;
use std::sync::Arc;

use crate::labels::{LabelError, LabelFormat, Trouble};

/// One thing among what was given: files read in one way together, or a file that tells something about them.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// The file, or the folder of the files.
    pub path: Arc<Path>,
    /// The folder or file as the user gave it; nothing outside it is opened.
    pub root: Arc<Path>,
    /// Index of what was given.
    pub given: usize,
    /// What it is.
    pub kind: SourceKind,
    /// The split it belongs to (`train`, `val`, `test`), by the user, the data set's own file, or the folder's name.
    pub split: Option<Arc<str>>,
    /// What was strange about how its files are arranged (a path that leads outside, a stale cache), before any was read.
    pub troubles: Vec<Trouble>,
}

/// What tells a source from the others of one survey, and finds it again in the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceId {
    path: Arc<Path>,
    format: Option<LabelFormat>,
    split: Option<Arc<str>>,
}

impl Source {
    /// Its identity.
    pub fn id(&self) -> SourceId {
        SourceId {
            path: Arc::clone(&self.path),
            format: match self.kind {
                SourceKind::Labels { format, .. } => Some(format),
                _ => None,
            },
            split: self.split.clone(),
        }
    }
}

/// What a source is.
#[derive(Clone, Debug, PartialEq)]
pub enum SourceKind {
    /// Label files, by natural path order. For [`LabelFormat::ImageFolder`] the one folder whose subfolders are the classes.
    Labels {
        /// How they are arranged.
        format: LabelFormat,
        /// The files.
        files: Vec<Arc<Path>>,
    },
    /// A list of class names, one a line (`classes.txt`, `obj.names`, `labels.txt`).
    ClassNames,
    /// A list of colours and class names (`labelmap.txt`, `label_colors.txt`).
    Colours,
    /// YOLO's `data.yaml`.
    DataYaml,
    /// Darknet's `obj.data`.
    ObjData,
    /// Hugging Face `config.json`.
    Config,
    /// Hugging Face `dataset_info.json`.
    DatasetInfo,
    /// `meta.pkl` of token files, `batches.meta` of CIFAR.
    Meta,
    /// Weights: safetensors, checkpoints.
    Weights,
    /// A Python script.
    Script,
    /// A log or notebook: for the log reader.
    Log,
    /// A file that belongs to a data set and says nothing about labels (pictures, a read-me, a cache): not read, not told.
    Other,
    /// Something that could not be used.
    Refused(LabelError),
}
