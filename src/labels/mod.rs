//! Label files to streams of *(value, place)*: one reader a format.
//!
//! A reader knows its format and nothing else: not what is allowed, not what a value means for a run. It tells a [`Sink`] which
//! streams of values a file holds, the values with their places, names where labels are names, and what it could not read.
//! Input is hostile: nothing is run, no size is believed, no link followed, every loop can be stopped.

mod error;
mod format;
mod place;
mod sink;
mod trouble;

use std::path::Path;
use std::sync::Arc;

pub use error::LabelError;
pub use format::LabelFormat;
pub use place::{Place, Places, RowPlace, SimplePlaces};
pub use sink::{ClassList, ListSource, Region, Role, Sink, Stream, StreamId};
pub use trouble::{Trouble, TroubleKind};

/// What to read of a file, and how.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// The column, key, array field or variable that the user named; in a table without a header a number from 0.
    pub column: Option<String>,
    /// The role that the user gave to all values (`--kind`).
    pub role: Option<Role>,
    /// Colours of classes for colour masks: red, green, blue and the class name, in order of the class numbers.
    pub colours: Arc<[([u8; 3], String)]>,
    /// Class names known for this file (a list beside it): tells `N/A` the class from a missing value.
    pub names: Arc<[String]>,
    /// The width of a token file's ids in bytes (2 or 4), where something beside it tells.
    pub token_width: Option<u64>,
    /// Of YOLO files: the folder that pictures are looked for in, to tell where an annotation belongs. Not opened.
    pub root: Option<Arc<Path>>,
}
