//! Binary arrays: NumPy, PyTorch, pickles, safetensors, IDX, tokens.
//!
//! A file is looked at first: which arrays and lists it holds and where they lie. Then names and types choose among them, and what is
//! chosen is given: as a region of the file wherever its bytes lie there as they are in memory, else read in blocks.

mod array;
mod choose;
mod dtype;
mod found;
mod give;
mod give_lists;
mod held;
mod idx;
mod literal;
mod meta;
mod names;
mod npy;
mod npz;
mod objects;
mod pickle;
mod safetensors;
mod sniff;
#[cfg(test)]
mod tests;
mod tokens;
mod torch;
mod torch_legacy;
mod walk;
mod zip_file;

use std::path::Path;
use std::sync::Arc;

pub use sniff::sniff_binary;

use super::{LabelError, LabelFormat, Sink, Wanted};
use crate::inputs::InputError;
use crate::range_check::ElementType;
use give::Giver;
use held::Input;

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
    let input = Input::open(path)?;
    if is_safetensors(&input)? {
        safetensors::tensors(&input)
    } else {
        torch::tensors(&input)
    }
}

/// Reads a small pickle beside a data set. Nothing is run.
///
/// # Errors
/// Where it cannot be read or says nothing of this.
pub fn read_meta(path: &Arc<Path>) -> Result<Meta, LabelError> {
    meta::read(&Input::open(path)?)
}

/// Whether a checkpoint, safetensors file or pickle holds the weights of a model and no labels. A file that cannot be read does
/// not.
pub fn is_weights(path: &Arc<Path>) -> bool {
    let Ok(input) = Input::open(path) else {
        return false;
    };
    match is_safetensors(&input) {
        Ok(true) => safetensors::holds_weights(&input),
        Ok(false) => torch::holds_weights(&input),
        Err(_) => false,
    }
}

/// Whether a checkpoint, safetensors file or pickle holds whole numbers under a label's own name (`train.labels`), whatever
/// else is in it. A file that cannot be read does not.
pub fn names_labels(path: &Arc<Path>) -> bool {
    let Ok(input) = Input::open(path) else {
        return false;
    };
    match is_safetensors(&input) {
        Ok(true) => safetensors::names_labels(&input),
        Ok(false) => torch::names_labels(&input),
        Err(_) => false,
    }
}

/// Whether a name (`X_train`, `images`) is that of data rather than labels.
pub fn names_data(name: &str) -> bool {
    names::tell(name) == names::Told::Other
}

fn is_safetensors(input: &Input) -> Result<bool, LabelError> {
    let head = input.head(9)?;
    let named = input
        .path
        .extension()
        .is_some_and(|end| end.eq_ignore_ascii_case("safetensors"));
    Ok(named || head.get(8) == Some(&b'{'))
}

/// Reads one file.
pub(super) fn read(
    path: &Arc<Path>,
    format: LabelFormat,
    wanted: &Wanted,
    sink: &mut dyn Sink,
) -> Result<(), LabelError> {
    read_input(&Input::open(path)?, format, wanted, sink)
}

/// Reads a file of a binary format that is in memory already. Its regions name the path and count from the first byte.
///
/// # Errors
/// As [`super::read`]; a format that is none of arrays is [`LabelError::Unknown`].
pub fn read_bytes(
    path: &Arc<Path>,
    bytes: Vec<u8>,
    format: LabelFormat,
    wanted: &Wanted,
    sink: &mut dyn Sink,
) -> Result<(), LabelError> {
    read_input(&Input::of_bytes(path, bytes), format, wanted, sink)
}

fn read_input(
    input: &Input,
    format: LabelFormat,
    wanted: &Wanted,
    sink: &mut dyn Sink,
) -> Result<(), LabelError> {
    if input.size == 0 {
        return Err(InputError::Empty.into());
    }
    sniff::check_content(&input.path, format, &input.head(4096)?)?;
    let giver = &mut Giver::new(input, wanted, sink);
    match format {
        LabelFormat::Npy => npy::read(input, giver),
        LabelFormat::Npz => npz::read(input, giver),
        LabelFormat::Torch | LabelFormat::Pickle => torch::read(input, giver),
        LabelFormat::SafeTensors => safetensors::read(input, giver),
        LabelFormat::Idx => idx::read(input, giver),
        LabelFormat::Tokens => tokens::read(input, giver),
        _ => Err(LabelError::Unknown),
    }
}
