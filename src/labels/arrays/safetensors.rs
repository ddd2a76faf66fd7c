//! safetensors: a JSON header, then the tensors.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{IgnoredAny, MapAccess, Visitor};

use super::TensorInfo;
use super::array::Array;
use super::choose::choose;
use super::dtype::{DType, Kind, product};
use super::found::Found;
use super::give::Giver;
use super::held::{Input, malformed};
use crate::labels::LabelError;
use crate::range_check::ElementType;

/// The same limit as the format's own library has.
const MOST_HEADER: u64 = 100_000_000;

#[derive(Deserialize)]
struct Entry {
    dtype: String,
    shape: Vec<u64>,
    data_offsets: [u64; 2],
}

/// The header's entries, by where their bytes lie; what the file says about itself is passed over.
struct Entries(BTreeMap<(u64, String), Entry>);

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Map;
        impl<'de> Visitor<'de> for Map {
            type Value = Entries;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map of tensors")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries, A::Error> {
                let mut entries = BTreeMap::new();
                while let Some(name) = map.next_key::<String>()? {
                    if name == "__metadata__" {
                        map.next_value::<IgnoredAny>()?;
                        continue;
                    }
                    let entry: Entry = map.next_value()?;
                    entries.insert((entry.data_offsets[0], name), entry);
                }
                Ok(Entries(entries))
            }
        }
        deserializer.deserialize_map(Map)
    }
}

fn entries(input: &Input) -> Result<(u64, Vec<(String, Entry)>), LabelError> {
    let head = input.head(8)?;
    let length = head
        .as_chunks::<8>()
        .0
        .first()
        .map(|&bytes| u64::from_le_bytes(bytes));
    let length = length.ok_or_else(|| malformed("too short for safetensors"))?;
    let data = length.checked_add(8).filter(|&data| data <= input.size);
    let Some(data) = data.filter(|_| length <= MOST_HEADER) else {
        return Err(malformed(format!(
            "a header of {length} bytes in a file of {}",
            input.size
        )));
    };
    let mut header = Vec::new();
    std::io::Read::read_to_end(&mut input.part(8, length), &mut header)?;
    let entries: Entries = serde_json::from_slice(&header)
        .map_err(|error| malformed(format!("the header: {error}")))?;
    let list = entries
        .0
        .into_iter()
        .map(|((_, name), entry)| (name, entry));
    Ok((data, list.collect()))
}

fn element(dtype: &str) -> Option<ElementType> {
    Some(match dtype {
        "BOOL" => ElementType::Bool,
        "U8" => ElementType::U8,
        "I8" => ElementType::I8,
        "U16" => ElementType::U16,
        "I16" => ElementType::I16,
        "U32" => ElementType::U32,
        "I32" => ElementType::I32,
        "U64" => ElementType::U64,
        "I64" => ElementType::I64,
        "F16" => ElementType::F16,
        "BF16" => ElementType::Bf16,
        "F32" => ElementType::F32,
        "F64" => ElementType::F64,
        _ => return None,
    })
}

/// The tensors of a file, in the order of their bytes.
pub(super) fn tensors(input: &Input) -> Result<Vec<TensorInfo>, LabelError> {
    let (_, entries) = entries(input)?;
    Ok(entries
        .into_iter()
        .map(|(name, entry)| TensorInfo {
            name,
            element: element(&entry.dtype),
            shape: entry.shape,
        })
        .collect())
}

/// All of a file's tensors, those that cannot be read as what is wrong with them.
fn found(input: &Input) -> Result<Vec<Found>, LabelError> {
    let (data, entries) = entries(input)?;
    let held = input.whole();
    let mut found = Vec::new();
    for (name, entry) in entries {
        let [from, to] = entry.data_offsets;
        let array = (|| {
            let (kind, size) = match element(&entry.dtype) {
                Some(element) => (Kind::Number(element), element.size()),
                None => (Kind::Other(entry.dtype.clone()), 0),
            };
            let bytes = product(&entry.shape).and_then(|n| n.checked_mul(size));
            if size > 0 && bytes != to.checked_sub(from) {
                return Err(malformed(format!(
                    "{name}: its shape and its bytes do not fit"
                )));
            }
            let offset = data
                .checked_add(from)
                .ok_or_else(|| malformed("a tensor beyond the file"))?;
            let dtype = DType {
                kind,
                size,
                big_endian: false,
            };
            Array::dense(dtype, entry.shape.clone(), false, held.clone(), offset)
        })();
        let content = match array {
            Ok(array) => super::found::Content::Array(array),
            Err(error) => super::found::Content::Broken(error),
        };
        found.push(Found::new(name, content));
    }
    Ok(found)
}

/// Reads the labels of a file.
pub(super) fn read(input: &Input, giver: &mut Giver<'_>) -> Result<(), LabelError> {
    super::npz::give(&found(input)?, giver)
}

/// Whether a file holds no labels, as nearly all do.
pub(super) fn holds_weights(input: &Input) -> bool {
    found(input).is_ok_and(|found| {
        let described: Vec<_> = found.iter().map(Found::described).collect();
        choose(&described, &crate::labels::Wanted::default(), false)
            .is_ok_and(|chosen| chosen.is_empty() || chosen.iter().all(|one| one.guessed))
    })
}

/// Whether a file names labels, whatever weights lie beside them.
pub(super) fn names_labels(input: &Input) -> bool {
    found(input).is_ok_and(|found| {
        let described: Vec<_> = found.iter().map(Found::described).collect();
        super::choose::names_labels(&described)
    })
}
