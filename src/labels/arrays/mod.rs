//! Binary arrays: NumPy, PyTorch, pickles, safetensors, IDX, tokens.

use std::path::Path;
use std::sync::Arc;

use super::{LabelError, LabelFormat, Sink, Wanted};
use crate::range_check::ElementType;

/// A tensor of a checkpoint, without its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorInfo {
    /// Its key (`model.embed_tokens.weight`); nested dicts joined with dots.
    pub name: String,
    /// Its shape.
    pub shape: Vec<u64>,
    /// Its element type; `None` for one that labels never have.
    pub element: Option<ElementType>,
}

/// What a small pickle beside a data set says (`meta.pkl` of token files, `batches.meta` of CIFAR).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meta {
    /// `vocab_size`
    pub vocab_size: Option<u64>,
    /// `label_names`, or `fine_label_names`
    pub label_names: Vec<String>,
}

/// The tensors of a checkpoint (safetensors, `.pt`/`.pth`/`.bin` in any container), in the order of the file. Nothing is run,
/// no values are read.
///
/// # Errors
/// Where it cannot be read.
pub fn tensors(path: &Arc<Path>) -> Result<Vec<TensorInfo>, LabelError> {
    let _ = path;
    Err(LabelError::Unknown)
}

/// Reads a small pickle beside a data set. Nothing is run.
///
/// # Errors
/// Where it cannot be read or says nothing of this.
pub fn read_meta(path: &Arc<Path>) -> Result<Meta, LabelError> {
    let _ = path;
    Err(LabelError::Unknown)
}

/// Reads one file.
pub(super) fn read(
    path: &Arc<Path>,
    format: LabelFormat,
    wanted: &Wanted,
    sink: &mut dyn Sink,
) -> Result<(), LabelError> {
    let _ = (path, format, wanted, sink);
    Err(LabelError::Unknown)
}
