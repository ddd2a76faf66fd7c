//! One finding.

use serde::Serialize;

use crate::knowledge::Certainty;
use crate::labels::Place;
use crate::range_check::{Breach, Number};

/// Something that a check found.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What.
    pub id: FindingId,
    /// Index into the material's rules; `None` where no rule is involved (a duplicated id, a folder).
    pub rule: Option<usize>,
    /// What PyTorch will make of it.
    pub severity: Severity,
    /// How sure the reading is: a value outside its range is certain, a pattern likely.
    pub certainty: Certainty,
    /// The finding that this pattern explains.
    pub explains: Option<FindingId>,
    /// Values, rows or files concerned.
    pub count: u64,
    /// Files concerned.
    pub files: u64,
    /// The values concerned, most frequent first, at most 20.
    pub values: Vec<ValueCount>,
    /// The first of them.
    pub first: Option<FoundValue>,
    /// Variant of the texts (`finding-{id}-{variant}-…`); empty for the plain one.
    pub variant: &'static str,
    /// Arguments of the texts, besides those that every finding has (count, files, value, place, lo, hi, bound).
    pub args: Vec<(&'static str, Text)>,
    /// Python that mends it, or shows it, where code can; complete, with the user's names in it, changing no file in place.
    pub snippet: Option<String>,
    /// An ignore value that would settle it (`Ignore 255`).
    pub ignore: Option<Number>,
}

/// A value and how often it occurs. Names are values, too.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueCount {
    /// The value.
    pub value: Text,
    /// How often.
    pub count: u64,
}

/// A value with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundValue {
    /// Where.
    pub place: Place,
    /// The value; `None` where there is none (a missing cell, a folder).
    pub value: Option<Text>,
    /// The row as it stands.
    pub row_text: Option<String>,
}

/// A value or argument: a number or a text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Text {
    /// A value of the data.
    Number(Number),
    /// A count of things; set with separators, chooses the plural.
    Count(u64),
    /// Names and the like, set as they are.
    Name(String),
}

impl From<Number> for Text {
    fn from(n: Number) -> Self {
        Self::Number(n)
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self::Name(text.to_owned())
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self::Name(text)
    }
}

/// Numbers as numbers, names as strings.
impl Serialize for Text {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(n) => n.serialize(s),
            Self::Count(n) => s.serialize_u64(*n),
            Self::Name(text) => s.serialize_str(text),
        }
    }
}

/// What PyTorch will make of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// It will fail, or train wrongly, under conditions that are named.
    Warning,
    /// It will fail, or train wrongly.
    Error,
}

macro_rules! finding_ids {
    ($($(#[$doc:meta])* $variant:ident = $id:literal,)*) => {
        /// What was found. Ids are never renamed, only added to.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum FindingId { $($(#[$doc])* $variant,)* }

        impl FindingId {
            /// All, in the order in which they are told among equals.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Its stable name.
            pub fn id(self) -> &'static str {
                match self { $(Self::$variant => $id,)* }
            }
        }
    };
}

finding_ids! {
    /// Above the upper end.
    TooBig = "too-big",
    /// Below the lower end.
    Negative = "negative",
    /// NaN among the values.
    Nan = "nan",
    /// An infinity among the values.
    Inf = "inf",
    /// A fraction where whole numbers are needed.
    Fraction = "fraction",
    /// A name that no class list holds.
    Text = "text",
    /// A cell without a value.
    Missing = "missing",
    /// An id or colour that the file's own list lacks.
    UnknownClass = "unknown-class",
    /// Labels run 1..C and none is 0.
    OneBased = "one-based",
    /// The largest is C and 0 occurs: C + 1 classes.
    OffByOneCount = "off-by-one-count",
    /// Labels run -1..C-2: shifted by 1 twice.
    DoubleShift = "double-shift",
    /// Two classes written as -1 and 1.
    PlusMinusOne = "plus-minus-one",
    /// A mask of 0 and 255: divide, do not ignore.
    Binary255 = "binary-255",
    /// Values that only interpolation or JPEG makes.
    BlurredMask = "blurred-mask",
    /// 255, -1 or -100 looks like an ignore value that is not set.
    IgnoreNotSet = "ignore-not-set",
    /// A largest value that is -1 in an unsigned type.
    Wrapped = "wrapped",
    /// Values are `class * 1000 + instance`.
    InstanceIds = "instance-ids",
    /// Added tokens: the ids run on from the vocabulary's size.
    AddedTokens = "added-tokens",
    /// All whole numbers, stored as floats.
    FloatInts = "float-ints",
    /// Ids with gaps: fewer distinct values than the largest + 1.
    Sparse = "sparse",
    /// A class in validation or test that training lacks.
    ValOnly = "val-only",
    /// The same names in another order in two splits or lists.
    Order = "order",
    /// `ImageFolder` splits number their classes differently.
    Renumbered = "renumbered",
    /// A folder beginning with a dot is taken for a class.
    HiddenFolder = "hidden-folder",
    /// Names that differ only by case.
    CaseClash = "case-clash",
    /// Two sources of the class count disagree.
    CountMismatch = "count-mismatch",
    /// Something twice that must be once.
    Duplicates = "duplicates",
    /// No rows, no values, an empty class folder.
    Empty = "empty",
    /// Predictions against targets: batch, rank or class axis do not fit.
    Shape = "shape",
    /// Zero or negative size, outside the picture.
    BadBox = "bad-box",
    /// A line or record that cannot be read.
    BadLine = "bad-line",
    /// The file ends early.
    CutShort = "cut-short",
    /// A file that was given, or belongs to the data set, could not be read.
    Unreadable = "unreadable",
    /// A pickle names a function.
    CodeNotRun = "code-not-run",
    /// A labels cache older than the labels.
    StaleCache = "stale-cache",
    /// An annotation of an image that is not listed.
    UnknownImage = "unknown-image",
    /// A path of the data set leads outside what was given, or nowhere.
    PathNotFollowed = "path-not-followed",
    /// The wrong root: splits are taken for classes.
    SplitAsClass = "split-as-class",
    /// Something worth knowing about how the file is written (int32, YAML words, an encoding, a palette, a results file).
    Remark = "remark",
}

impl FindingId {
    /// The finding of values that break their rule in this way.
    pub fn of_breach(breach: Breach) -> Self {
        match breach {
            Breach::Nan => Self::Nan,
            Breach::Infinite => Self::Inf,
            Breach::Fraction => Self::Fraction,
            Breach::Below => Self::Negative,
            Breach::Above => Self::TooBig,
        }
    }
}

impl Serialize for FindingId {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(self.id())
    }
}
