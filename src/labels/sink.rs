//! What readers tell, and to whom.

use std::path::Path;
use std::sync::Arc;

use super::{Place, Places, Trouble};
use crate::range_check::{ElementType, Values};

/// What the values of a stream are used as, which decides what is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// A class target of a loss: 0..C-1 or the ignore value.
    Class,
    /// Ids that a list in the same file names (COCO `category_id`): names, not indices.
    CategoryId,
    /// Token, user or item ids that index an embedding (`input_ids`).
    Token,
    /// Positions (`position_ids`).
    Position,
    /// Segment ids (`token_type_ids`).
    TokenType,
    /// An index for gather, scatter, `index_select`.
    Index,
    /// 0 or 1 a class, or attention masks: no index.
    MultiLabel,
    /// Numbers that must lie in 0..1 (targets or outputs of a binary cross-entropy).
    Probability,
    /// Raw model outputs: only NaN and infinities are wrong.
    Logits,
}

impl Role {
    /// Its name in JSON and texts.
    pub fn id(self) -> &'static str {
        match self {
            Self::Class => "class",
            Self::CategoryId => "category-id",
            Self::Token => "embedding",
            Self::Position => "position",
            Self::TokenType => "token-type",
            Self::Index => "index",
            Self::MultiLabel => "multi-label",
            Self::Probability => "probability",
            Self::Logits => "logits",
        }
    }
}

/// One stream of values in a file: a column, an array, the classes of all boxes, the ids of all lines.
#[derive(Clone, Debug, Default)]
pub struct Stream {
    /// Header name, array field, or number of the column from 0 without a header.
    pub column: Option<Arc<str>>,
    /// Archive member, dict key, JSON key.
    pub key: Option<Arc<str>>,
    /// What its values are used as, as far as name and content tell. `None`: only integers, nothing tells; a class is assumed.
    pub role: Option<Role>,
    /// Element type, where the file states one.
    pub element: Option<ElementType>,
    /// Shape, where the file states one.
    pub shape: Vec<u64>,
    /// The class list that the file itself holds.
    pub classes: Option<Arc<ClassList>>,
    /// Rows of 0 and 1 that sum to 1: the values given are the positions of the ones, and this many columns there are.
    pub one_hot: Option<u64>,
    /// The stream was taken because nothing in the file looked more like labels (no telling name).
    pub guessed: bool,
}

/// Names one stream of the file being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StreamId(pub usize);

/// A list of classes and where it stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClassList {
    /// Names in order of their number.
    pub names: Vec<String>,
    /// Their ids where those are not 0, 1, 2… (COCO), in the order of the names.
    pub ids: Option<Vec<i64>>,
    /// A number of classes that the same file states beside the names (`nc: 4`).
    pub stated: Option<u64>,
    /// Names that the list holds but no label may use as a class (`__ignore__`).
    pub special: Vec<String>,
    /// Where it was found.
    pub source: ListSource,
}

/// Where a class list was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListSource {
    /// The file (of folder names, the folder).
    pub path: Option<Arc<Path>>,
    /// Line of the list's beginning, where known.
    pub line: Option<u64>,
    /// What in it (`names`, `nc`, `categories`, `label_names`).
    pub what: String,
}

/// Values that lie in a file as they are in memory: the sink reads them itself, in blocks, on all cores.
#[derive(Clone, Debug)]
pub struct Region {
    /// The file.
    pub path: Arc<Path>,
    /// Byte of the first element (index 0 on all axes).
    pub offset: u64,
    /// Element type.
    pub element: ElementType,
    /// Most significant byte first.
    pub big_endian: bool,
    /// Length of each axis; empty for a scalar.
    pub shape: Vec<u64>,
    /// Distance in bytes between neighbours on each axis; 0 for an expanded axis. As long as `shape`.
    pub strides: Vec<u64>,
    /// What is common to the places of all values (path, key, column).
    pub common: Place,
}

impl Region {
    /// Values without gaps, last axis fastest.
    pub fn contiguous(
        path: Arc<Path>,
        offset: u64,
        element: ElementType,
        shape: Vec<u64>,
        common: Place,
    ) -> Self {
        let mut strides = vec![0; shape.len()];
        let mut step = element.size();
        for (stride, length) in strides.iter_mut().zip(&shape).rev() {
            *stride = step;
            step = step.saturating_mul(*length);
        }
        Self {
            path,
            offset,
            element,
            big_endian: false,
            shape,
            strides,
            common,
        }
    }
}

/// Who listens to a reader.
///
/// A reader calls `begin` once a stream, then gives its values in reading order, then goes on. Streams may take turns.
pub trait Sink {
    /// A stream begins.
    fn begin(&mut self, stream: Stream) -> StreamId;
    /// Values of a stream.
    fn numbers(&mut self, stream: StreamId, values: Values<'_>, places: &dyn Places);
    /// Values of a stream that the listener reads itself. The reader has checked that the file holds them.
    fn region(&mut self, stream: StreamId, region: Region);
    /// A label that is a name; its place.
    fn name(&mut self, stream: StreamId, name: &str, place: &dyn Fn() -> Place);
    /// A label that is missing (an empty cell, NA, null); its place.
    fn missing(&mut self, stream: StreamId, place: &dyn Fn() -> Place);
    /// Whole numbers that were written as floats (`3.0`), or in an odd way (`+1`, `007`, `"2"`).
    fn odd_numbers(&mut self, stream: StreamId, floats: u64, odd: u64);
    /// Something that was wrong or strange about the file.
    fn trouble(&mut self, trouble: Trouble);
    /// Bytes of the file read so far, for progress.
    fn read(&mut self, bytes: u64);
    /// Whether to stop.
    fn stopped(&self) -> bool;
}
