//! Where a value stands.

use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// Where a value stands in the user's files. Only the fields that make sense for its format are set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The file.
    pub path: Option<Arc<Path>>,
    /// Physical line from 1; of a quoted record the line where it starts.
    pub line: Option<u64>,
    /// Index of the record from 0, header not counted; of an array the index on its first axis.
    pub row: Option<u64>,
    /// The whole index of an array element.
    pub index: Option<Vec<u64>>,
    /// Header name, array field, or the column's number from 0 where there is no header.
    pub column: Option<Arc<str>>,
    /// Archive member, dict key, JSON key, annotation id.
    pub key: Option<Arc<str>>,
    /// Column and row of a pixel, from 0.
    pub pixel: Option<[u64; 2]>,
    /// Document of a token file.
    pub document: Option<u64>,
    /// Position inside a row's list of values, or inside a document, from 0.
    pub position: Option<u64>,
}

impl Place {
    /// A file as a whole.
    pub fn file(path: Arc<Path>) -> Self {
        Self {
            path: Some(path),
            ..Self::default()
        }
    }
}

/// Where the values of one block stand; a place is made only for the few values that need one.
pub trait Places {
    /// Rank of value `i` of the block in the stream's reading order, from 0.
    fn index(&self, i: usize) -> u64;
    /// Where value `i` of the block stands.
    fn place(&self, i: usize) -> Place;
    /// The row as it stands in the file (the text line, the values around it), at most a few hundred characters.
    fn text(&self, i: usize) -> Option<String> {
        let _ = i;
        None
    }
}

/// One place per value, for texts.
#[derive(Clone, Debug, Default)]
pub struct RowPlace {
    /// Physical line from 1.
    pub line: Option<u64>,
    /// Record from 0.
    pub row: Option<u64>,
    /// Position inside the record's list.
    pub position: Option<u64>,
    /// Key of its own (an annotation's id).
    pub key: Option<Arc<str>>,
}

/// Places of a block of rows: what is common to all, and what each has of its own.
#[derive(Clone, Debug, Default)]
pub struct SimplePlaces {
    /// What is common (path, column, key).
    pub common: Place,
    /// Index of the block's first value in the stream.
    pub first: u64,
    /// One a value.
    pub rows: Vec<RowPlace>,
    /// The rows as they stand; empty where they are not kept.
    pub texts: Vec<String>,
}

impl Places for SimplePlaces {
    fn index(&self, i: usize) -> u64 {
        self.first + i as u64
    }

    fn place(&self, i: usize) -> Place {
        let mut place = self.common.clone();
        if let Some(row) = self.rows.get(i) {
            place.line = row.line.or(place.line);
            place.row = row.row.or(place.row);
            place.position = row.position.or(place.position);
            if row.key.is_some() {
                place.key.clone_from(&row.key);
            }
        }
        place
    }

    fn text(&self, i: usize) -> Option<String> {
        self.texts.get(i).cloned()
    }
}
