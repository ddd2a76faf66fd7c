//! Where an allowed range comes from: typed by the user, stated by the log, a class list, a configuration, the shapes of
//! weights, the literals of a script. Best first; two sources that disagree are a finding.

mod bound;

use std::path::Path;
use std::sync::Arc;

pub use bound::{Bound, BoundSource};

use crate::crash_log::Facts;
use crate::labels::{ClassList, LabelError, Role, Trouble};

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

/// What a file states.
///
/// # Errors
/// Where it cannot be read, or says nothing of use.
pub fn of_file(path: &Arc<Path>, kind: BoundFile) -> Result<BoundsFound, LabelError> {
    let _ = (path, kind);
    Err(LabelError::Unknown)
}

/// What a log states: compiled checks, sizes in messages and source lines. `path` is the log's.
pub fn of_facts(facts: &Facts, path: Option<&Arc<Path>>) -> Vec<Bound> {
    let _ = (facts, path);
    Vec::new()
}

/// The bound to check values of a role against: the best of those that fit. Index into `bounds`.
pub fn choose(role: Role, bounds: &[Bound]) -> Option<usize> {
    let _ = (role, bounds);
    None
}

/// Pairs of bounds for the same role that state different sizes, the better one first. Indices into `bounds`.
pub fn disagreements(bounds: &[Bound]) -> Vec<(usize, usize)> {
    let _ = bounds;
    Vec::new()
}
