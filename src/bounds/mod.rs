//! Where an allowed range comes from: typed by the user, stated by the log, a class list, a configuration, the shapes of
//! weights, the literals of a script. Best first; two sources that disagree are a finding.

mod bound;
mod choose;
mod config;
mod dataset_info;
mod json;
mod lists;
mod log;
mod script;
mod weights;

use std::path::Path;
use std::sync::Arc;

pub use bound::{Bound, BoundSource};
pub use choose::{choose, disagreements};
pub use log::of_facts;
pub(crate) use log::{Stated, of_check, of_error, of_message, of_sizes};

use crate::labels::{ClassList, LabelError, Trouble};

/// A file that may state a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoundFile {
    /// A list of class names.
    ClassNames,
    /// `data.yaml`
    DataYaml,
    /// `obj.data`
    ObjData,
    /// Hugging Face `config.json`.
    Config,
    /// Hugging Face `dataset_info.json`.
    DatasetInfo,
    /// `meta.pkl`, `batches.meta`
    Meta,
    /// safetensors or a checkpoint.
    Weights,
    /// A Python script.
    Script,
}

/// What such a file states.
#[derive(Clone, Debug, Default)]
pub struct BoundsFound {
    /// Ranges, best first.
    pub bounds: Vec<Bound>,
    /// Class lists.
    pub lists: Vec<Arc<ClassList>>,
    /// Ignore values (`ignore_index=255`), and what states them, as written.
    pub ignore: Vec<(i64, String)>,
    /// What was strange about the file.
    pub troubles: Vec<Trouble>,
    /// What a training script does that matters for these crashes.
    pub script: Vec<ScriptRemark>,
}

impl BoundsFound {
    /// Whether the file said nothing of use.
    pub fn is_empty(&self) -> bool {
        self.bounds.is_empty()
            && self.lists.is_empty()
            && self.ignore.is_empty()
            && self.troubles.is_empty()
            && self.script.is_empty()
    }
}

/// Something in a training script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScriptRemark {
    /// `num_workers=N` in a DataLoader.
    Workers {
        /// N
        count: i64,
        /// Line from 1.
        line: u64,
    },
    /// DataLoader workers are started outside `if __name__ == "__main__":`, which fails on Windows.
    NoMainGuard {
        /// Line of the DataLoader, or of the loop over it.
        line: u64,
    },
}

/// What a file states. Nothing that it names is opened, except the list of names beside an `obj.data`.
///
/// # Errors
/// Where it cannot be read; [`LabelError::NotLabels`] where it says nothing of use, which is no fault of the file.
pub fn of_file(path: &Arc<Path>, kind: BoundFile) -> Result<BoundsFound, LabelError> {
    match kind {
        BoundFile::ClassNames => lists::of_class_names(path),
        BoundFile::DataYaml => lists::of_data_yaml(path),
        BoundFile::ObjData => lists::of_obj_data(path),
        BoundFile::Config => config::of_config(path),
        BoundFile::DatasetInfo => dataset_info::of_dataset_info(path),
        BoundFile::Meta => lists::of_meta(path),
        BoundFile::Weights => weights::of_weights(path),
        BoundFile::Script => script::of_script(path),
    }
}
