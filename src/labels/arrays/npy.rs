//! NumPy's `.npy`: a header that is a small Python literal, then the elements.

use std::io::Read;

use super::array::Array;
use super::choose::{Described, choose};
use super::dtype::DType;
use super::found::{Content, Found};
use super::give::Giver;
use super::held::{Held, Input, fill, malformed};
use super::literal::{Literal, parse};
use super::npz;
use crate::labels::LabelError;
use crate::labels::file::read_error;

const MAGIC: &[u8] = b"\x93NUMPY";
/// Bytes that a header may have. NumPy itself stops at 10,000 characters.
const MOST_HEADER: u64 = 64 << 10;

/// What a header says.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Header {
    pub dtype: DType,
    pub fortran: bool,
    pub shape: Vec<u64>,
    /// Byte where the elements begin.
    pub data: u64,
}

/// Reads a header.
pub(super) fn header(from: &mut dyn Read) -> Result<Header, LabelError> {
    let mut read = |n: usize| -> Result<Vec<u8>, LabelError> {
        let mut bytes = vec![0; n];
        let got = fill(from, &mut bytes).map_err(|error| read_error(&error))?;
        if got < n {
            return Err(LabelError::CutShort {
                read: got as u64,
                of: n as u64,
            });
        }
        Ok(bytes)
    };
    let start = read(8)?;
    let Some([version, _]) = start.strip_prefix(MAGIC) else {
        return Err(malformed("no NumPy header"));
    };
    let length = match version {
        1 => {
            let bytes = read(2)?;
            bytes
                .as_chunks::<2>()
                .0
                .first()
                .map(|&b| u64::from(u16::from_le_bytes(b)))
        }
        2 | 3 => {
            let bytes = read(4)?;
            bytes
                .as_chunks::<4>()
                .0
                .first()
                .map(|&b| u64::from(u32::from_le_bytes(b)))
        }
        _ => return Err(malformed(format!("NumPy format version {version}"))),
    }
    .unwrap_or_default();
    if length > MOST_HEADER {
        return Err(malformed(format!("a header of {length} bytes")));
    }
    let text = read(length as usize)?;
    let data = if *version == 1 { 10 } else { 12 } + length;
    let Literal::Dict(pairs) = parse(&text)? else {
        return Err(malformed("the header is no dict"));
    };
    let (mut descr, mut fortran, mut shape) = (None, None, None);
    for (key, value) in pairs {
        match (key, value) {
            (Literal::Text(key), value) if key == "descr" => {
                descr = Some(DType::of_literal(&value)?);
            }
            (Literal::Text(key), Literal::Bool(value)) if key == "fortran_order" => {
                fortran = Some(value);
            }
            (Literal::Text(key), value) if key == "shape" => shape = Some(value.as_shape()?),
            _ => return Err(malformed("the header has a key that NumPy does not write")),
        }
    }
    match (descr, fortran, shape) {
        (Some(dtype), Some(fortran), Some(shape)) => Ok(Header {
            dtype,
            fortran,
            shape,
            data,
        }),
        _ => Err(malformed("the header lacks descr, fortran_order or shape")),
    }
}

/// The array of a `.npy` that lies somewhere.
pub(super) fn array(input: &Input, held: Held) -> Result<Array, LabelError> {
    let mut from = held.reader(input, 0).map_err(|error| read_error(&error))?;
    let header = header(&mut *from)?;
    Array::dense(
        header.dtype,
        header.shape,
        header.fortran,
        held,
        header.data,
    )
}

/// Reads a `.npy`, also a gzipped one.
pub(super) fn read(input: &Input, giver: &mut Giver<'_>) -> Result<(), LabelError> {
    let held = if input.is_gzip()? {
        Held::Packed {
            start: 0,
            len: input.size,
            gzip: true,
        }
    } else {
        input.whole()
    };
    let array = array(input, held)?;
    let mut found = Vec::new();
    Found::array(&mut found, String::new(), array);
    let stem = input.path.file_stem().unwrap_or_default().to_string_lossy();
    // Points in a file's name part words; in keys they part the key from what holds it.
    let stem = stem.trim_end_matches(".npy").replace('.', "_");
    let fields = found.len() > 1 || found.iter().any(|one| one.column.is_some());
    let described: Vec<Described<'_>> = found
        .iter()
        .map(|one| Described {
            // A field tells more than the file's name.
            name: one.column.as_deref().unwrap_or(&stem),
            ..one.described()
        })
        .collect();
    // A plain array has no columns to name, but its columns have numbers.
    let chosen = choose(&described, giver.wanted, !fields)?;
    for one in chosen {
        if let Some(Found {
            column,
            content: Content::Array(array),
            ..
        }) = found.get(one.index)
        {
            giver.array(array, None, column.as_deref(), &one)?;
        }
    }
    npz::fail_others(&found, giver)?;
    giver.finish(&described)
}
