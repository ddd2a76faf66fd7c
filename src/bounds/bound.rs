//! One allowed range and where it comes from.

use std::path::Path;
use std::sync::Arc;

use crate::knowledge::Certainty;
use crate::labels::{ClassList, Role};
use crate::range_check::Number;

/// A range that something states.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// For values that are used as this: [`Role::Class`], [`Role::Token`], [`Role::Position`], [`Role::TokenType`], [`Role::Index`].
    pub role: Role,
    /// Smallest allowed value.
    pub lo: Number,
    /// Largest allowed value.
    pub hi: Number,
    /// What states it.
    pub source: BoundSource,
    /// The file; `None` for the user.
    pub path: Option<Arc<Path>>,
    /// Line, where known.
    pub line: Option<u64>,
    /// What in it, as written there (`nc = 80`, `names`, `vocab_size`, `classifier.weight [10, 512]`, `nn.Linear(512, 10)`).
    pub what: String,
    /// `Certain` where it is stated for exactly this, `Likely` where it is the usual meaning, `Possible` for a guess.
    pub certainty: Certainty,
    /// The class names, where it came with some.
    pub names: Option<Arc<ClassList>>,
}

impl Bound {
    /// The range 0 to `size - 1` for a role; `None` for a size of 0, or one that no array can have.
    pub(super) fn of_size(
        role: Role,
        size: u64,
        source: BoundSource,
        path: Option<&Arc<Path>>,
        what: String,
        certainty: Certainty,
    ) -> Option<Self> {
        let largest = i64::try_from(size).ok()?.checked_sub(1)?;
        (largest >= 0).then(|| Self {
            role,
            lo: Number::from(0),
            hi: Number::from(largest),
            source,
            path: path.cloned(),
            line: None,
            what,
            certainty,
            names: None,
        })
    }

    /// The same with the line that states it.
    pub(super) fn at_line(mut self, line: Option<u64>) -> Self {
        self.line = line;
        self
    }

    /// Whether two ranges allow the same values.
    pub fn same_range(&self, other: &Self) -> bool {
        self.lo == other.lo && self.hi == other.hi
    }
}

/// What kind of thing states a range. In order of trust, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BoundSource {
    /// The user typed it.
    User,
    /// The log of the case.
    Log,
    /// `data.yaml`, `obj.data`: names before `nc`.
    DataFile,
    /// A list of class names.
    ClassList,
    /// COCO `categories` and the like inside the label file itself.
    LabelFile,
    /// `dataset_info.json`, `meta.pkl`, `batches.meta`.
    DatasetInfo,
    /// Shapes in a checkpoint.
    Weights,
    /// Hugging Face `config.json`.
    Config,
    /// The training script's literals.
    Script,
    /// Names of class folders.
    FolderNames,
}

impl BoundSource {
    /// Its name in JSON and texts.
    pub fn id(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Log => "log",
            Self::DataFile => "data-file",
            Self::ClassList => "class-list",
            Self::LabelFile => "label-file",
            Self::DatasetInfo => "dataset-info",
            Self::Weights => "weights",
            Self::Config => "config",
            Self::Script => "script",
            Self::FolderNames => "folder-names",
        }
    }
}
