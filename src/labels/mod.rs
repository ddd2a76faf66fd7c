//! Label files to streams of *(value, place)*: one reader a format.
//!
//! A reader knows its format and nothing else: not what is allowed, not what a value means for a run. It tells a [`Sink`] which
//! streams of values a file holds, the values with their places, names where labels are names, and what it could not read.
//! Input is hostile: nothing is run, no size is believed, no link followed, every loop can be stopped.

mod arrays;
mod collected;
mod encoding;
mod error;
pub(crate) mod file;
mod format;
mod lists;
mod pictures;
mod place;
mod sink;
mod tables;
mod trouble;

use std::path::Path;
use std::sync::Arc;

pub use arrays::{
    Meta, TensorInfo, is_weights, names_data, names_labels, read_bytes, read_meta, sniff_binary,
    tensors,
};
pub use collected::{Collected, CollectedStream};
pub use error::LabelError;
pub use format::LabelFormat;
pub use lists::{DataFile, read_class_names, read_colours, read_data_yaml, read_obj_data};
#[cfg(test)]
pub(crate) use pictures::test_folder::Folder as TestFolder;
pub(crate) use pictures::{has_one_channel, has_picture_extension, other_picture, split_of_name};
pub use place::{Place, Places, RowPlace, SimplePlaces};
pub use sink::{ClassList, ListSource, Region, Role, Sink, Stream, StreamId};
pub use tables::sniff as sniff_text;
pub use trouble::{Limit, Trouble, TroubleKind};

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
}

/// Reads one file and tells the sink what is in it.
///
/// For [`LabelFormat::ImageFolder`] the path is the folder whose subfolders are the classes; for every other format a file.
///
/// # Errors
/// Where nothing of use could be read. What could not be read *within* a file is told as [`Trouble`], and reading goes on.
pub fn read(
    path: &Arc<Path>,
    format: LabelFormat,
    wanted: &Wanted,
    sink: &mut dyn Sink,
) -> Result<(), LabelError> {
    match format {
        LabelFormat::Table
        | LabelFormat::PathList
        | LabelFormat::Json
        | LabelFormat::JsonLines
        | LabelFormat::Coco => tables::read(path, format, wanted, sink),
        LabelFormat::Yolo | LabelFormat::Voc | LabelFormat::ImageFolder | LabelFormat::Mask => {
            pictures::read(path, format, wanted, sink)
        }
        LabelFormat::Npy
        | LabelFormat::Npz
        | LabelFormat::Torch
        | LabelFormat::Pickle
        | LabelFormat::SafeTensors
        | LabelFormat::Idx
        | LabelFormat::Tokens => arrays::read(path, format, wanted, sink),
    }
}
