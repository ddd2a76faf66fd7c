//! What the passes over all files found, in facts: the material of findings.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::bounds::{Bound, ScriptRemark};
use crate::labels::{ClassList, LabelError, LabelFormat, Place, Role, Stream, Trouble};
use crate::range_check::{Breach, Number, Rule};

/// Everything that was found out about the data.
#[derive(Clone, Debug, Default)]
pub struct Material {
    /// Files in the order of reading: sources in the order given, files by natural path order.
    pub files: Vec<FileRead>,
    /// Streams of values, those of one kind over all files of a source and split taken together.
    pub groups: Vec<Group>,
    /// Rules in use.
    pub rules: Vec<RuleUsed>,
    /// Every range that something states, the chosen ones and the others, best first.
    pub bounds: Vec<Bound>,
    /// Pairs of [`Self::bounds`] that are about the same labels and state different sizes, the better one first.
    pub disagreements: Vec<(usize, usize)>,
    /// Class lists found beside the labels.
    pub class_lists: Vec<Arc<ClassList>>,
    /// What readers found besides values, in order of reading.
    pub troubles: Vec<Trouble>,
    /// What a training script does that matters for these crashes, and which script.
    pub script: Vec<(Arc<Path>, ScriptRemark)>,
    /// The user stated a range or a size.
    pub bound_by_user: bool,
    /// The user stated ignore values (they replace -100).
    pub ignore_by_user: bool,
    /// Values named `ignore_index` in a script or configuration, and where.
    pub ignore_elsewhere: Vec<(i64, String)>,
}

/// One file.
#[derive(Clone, Debug)]
pub struct FileRead {
    /// Where.
    pub path: Arc<Path>,
    /// Index of the source it belongs to.
    pub source: usize,
    /// As what it was read; `None` where nothing could be told.
    pub format: Option<LabelFormat>,
    /// Its split, where known.
    pub split: Option<Arc<str>>,
    /// Label values read, ignored and missing ones included.
    pub values: u64,
    /// Smallest finite value that is not ignored.
    pub min: Option<Number>,
    /// Largest finite value that is not ignored.
    pub max: Option<Number>,
    /// Distinct values.
    pub distinct: u64,
    /// Values in it that break their rule; rows that cannot be read are none.
    pub offenders: u64,
    /// It is what the user gave, not something found in a folder.
    pub named: bool,
    /// Why nothing could be read.
    pub error: Option<LabelError>,
    /// Why not all could be read.
    pub partial: Option<Partial>,
}

/// A file that was read in part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Partial {
    /// Values (rows) read.
    pub read: u64,
    /// Values announced; `None` where the file does not tell.
    pub of: Option<u64>,
    /// The finding that says why.
    pub reason: &'static str,
}

/// One kind of values over all files of a source and split.
#[derive(Clone, Debug)]
pub struct Group {
    /// Index of the source.
    pub source: usize,
    /// The split.
    pub split: Option<Arc<str>>,
    /// How the files are arranged.
    pub format: LabelFormat,
    /// The stream of the first file. For a single file, its shape.
    pub stream: Stream,
    /// Index of the rule.
    pub rule: usize,
    /// Files with at least one value.
    pub files: u64,
    /// Values read.
    pub count: u64,
    /// Values skipped by the rule.
    pub ignored: u64,
    /// Smallest finite value that is not ignored.
    pub min: Option<Number>,
    /// Largest finite value that is not ignored.
    pub max: Option<Number>,
    /// Each distinct value (ignored ones too): how often, in how many files, and where first.
    pub seen: BTreeMap<Number, SeenAt>,
    /// More distinct values than were kept.
    pub more_seen: bool,
    /// Offenders by kind.
    pub breaches: BTreeMap<Breach, BreachAt>,
    /// Labels that are names: how often, in how many files, where first.
    pub names: BTreeMap<String, SeenAt>,
    /// More names than were kept.
    pub more_names: bool,
    /// Labels without a value.
    pub missing: Option<SeenAt>,
    /// Whole numbers written as floats.
    pub floats: u64,
}

/// How often something occurs and where first.
#[derive(Clone, Debug, PartialEq)]
pub struct SeenAt {
    /// How often.
    pub count: u64,
    /// In how many files.
    pub files: u64,
    /// Where first.
    pub first: Place,
    /// The row as it stands there.
    pub row_text: Option<String>,
}

/// Offenders of one kind.
#[derive(Clone, Debug, PartialEq)]
pub struct BreachAt {
    /// How many.
    pub count: u64,
    /// In how many files.
    pub files: u64,
    /// The first.
    pub first: (Number, Place),
    /// The row as it stands there.
    pub row_text: Option<String>,
}

/// A rule and where it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleUsed {
    /// What the values are used as.
    pub role: Role,
    /// The range.
    pub rule: Rule,
    /// Index into [`Material::bounds`] of what states it; `None` where nothing does.
    pub bound: Option<usize>,
    /// The list that labels which are names are looked up in; `None` where none is known.
    pub names: Option<Arc<ClassList>>,
    /// The name of the values, for texts (`label`, `input_ids`, `position_ids`); empty where there is none.
    pub name: String,
}

impl Group {
    /// How many offenders of one kind.
    pub fn broken(&self, breach: Breach) -> u64 {
        self.breaches.get(&breach).map_or(0, |b| b.count)
    }
}
