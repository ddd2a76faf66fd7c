//! Files that tell about labels: class lists, colour lists, `data.yaml`, `obj.data`.

mod colours;
mod darknet;
mod json;
mod names;
#[cfg(test)]
mod tests;
pub(super) mod text;
mod yaml;

use std::path::Path;
use std::sync::Arc;

use super::{ClassList, LabelError, Trouble};

/// No list of classes or colours is larger; the longest in use (21,842 names) has half a megabyte.
const MOST_BYTES: u64 = 16 << 20;
/// Names that one list may hold.
const MOST_NAMES: usize = 1 << 20;

/// What `data.yaml` (or Darknet's `obj.data`) says. Nothing it names is opened here.
#[derive(Clone, Debug, Default)]
pub struct DataFile {
    /// The class list; `stated` is its `nc`. Empty names where only `nc` is given.
    pub classes: Arc<ClassList>,
    /// Its splits: name (`train`, `val`, `test`) and paths as written there, already joined with its `path`.
    pub splits: Vec<(String, Vec<String>)>,
    /// What was strange about it (YAML words, a list that ends in an odd way).
    pub troubles: Vec<Trouble>,
}

/// Reads a YOLO `data.yaml`.
///
/// # Errors
/// Where it is no YAML, an alias bomb, or says nothing of classes and splits.
pub fn read_data_yaml(path: &Arc<Path>) -> Result<DataFile, LabelError> {
    let (text, _) = text::read(path, MOST_BYTES)?;
    yaml::parse(&text, path)
}

/// Reads a Darknet `obj.data`, and the names file it names if that lies beside it.
///
/// # Errors
/// Where it cannot be read or says nothing of classes.
pub fn read_obj_data(path: &Arc<Path>) -> Result<DataFile, LabelError> {
    let (text, encoding) = text::read(path, MOST_BYTES)?;
    let mut data = darknet::parse(&text, path)?;
    data.troubles.extend(text::trouble(encoding, path));
    Ok(data)
}

/// Reads a list of class names, one a line; `0 cat` and `cat` forms; `label:color:…` lists, too. Of JSON a list of names, or a map
/// between names and numbers.
///
/// A line that is empty *between* names keeps its number, as it does for every program that splits the text into lines.
///
/// # Errors
/// Where it cannot be read or is none.
pub fn read_class_names(path: &Arc<Path>) -> Result<ClassList, LabelError> {
    let (text, _) = text::read(path, MOST_BYTES)?;
    names::parse(&text, path)
}

/// Reads a list of colours and names (`labelmap.txt`, `label_colors.txt`, `class_dict.csv`, `dataset_meta.json`), in order of the
/// class numbers.
///
/// # Errors
/// Where it cannot be read or is none.
pub fn read_colours(path: &Arc<Path>) -> Result<Vec<([u8; 3], String)>, LabelError> {
    let (text, _) = text::read(path, MOST_BYTES)?;
    colours::parse(&text)
}
