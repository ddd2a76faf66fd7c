//! What `torch.save` wrote before its ZIP files: five pickles, then the storages.

use std::io::{Read, Seek, SeekFrom};

use super::held::{Held, Input, malformed};
use super::objects::{Storages, View, storage_dtype};
use super::pickle::{Item, Object, Pickled, load as load_pickle};
use crate::labels::LabelError;
use crate::labels::file::read_error;

/// How such a file begins: a pickle of its magic number.
pub(super) const MAGIC: &[u8] = b"\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19";

/// Reads the pickle of the values, and where the storages lie.
///
/// # Errors
/// Where it is no such file, damaged, or cut short before its storages.
pub(super) fn load(
    input: &Input,
    held: &Held,
    stopped: &dyn Fn() -> bool,
) -> Result<(Pickled, Storages), LabelError> {
    // Magic number, protocol version, what the machine was.
    let magic = load_pickle(input, held, 0, stopped)?;
    if !matches!(magic.object(magic.root), Some(Object::Big(_))) {
        return Err(malformed("no file of torch.save"));
    }
    let protocol = load_pickle(input, held, magic.end, stopped)?;
    if protocol.root != Item::Int(1001) {
        return Err(malformed("an unknown version of torch.save"));
    }
    let system = load_pickle(input, held, protocol.end, stopped)?;
    let big_endian = is_big_endian(&system);
    let values = load_pickle(input, held, system.end, stopped)?;
    let keys = load_pickle(input, held, values.end, stopped)?;

    let sizes = storage_sizes(&values);
    let mut storages = Storages {
        big_endian,
        ..Storages::default()
    };
    let mut from = held.seekable(input);
    let mut at = keys.end;
    let none = Storages::default();
    let view = View::new(&keys, input, &none);
    for &key in view.items(keys.root).unwrap_or_default() {
        let Some(key) = key_text(&view, key) else {
            return Err(malformed("a storage without a key"));
        };
        let mut count = [0; 8];
        from.seek(SeekFrom::Start(at))
            .map_err(|error| read_error(&error))?;
        if from.read_exact(&mut count).is_err() {
            break;
        }
        let count = u64::from_le_bytes(count);
        let Some(&unit) = sizes.get(&key) else {
            return Err(malformed("a storage of unknown type"));
        };
        let there = held.len().unwrap_or_default().saturating_sub(at + 8);
        let len = count.saturating_mul(unit);
        // One that is cut short keeps what is there; its tensors are told apart later.
        if let Some(storage) = held.sub(at + 8, len.min(there)) {
            storages.held.insert(key, storage);
        }
        match (at + 8).checked_add(len) {
            Some(next) => at = next,
            None => break,
        }
    }
    Ok((values, storages))
}

fn key_text(view: &View<'_>, key: Item) -> Option<String> {
    match key {
        Item::Int(n) => Some(n.to_string()),
        key => Some(view.text(key)?.into_owned()),
    }
}

fn is_big_endian(system: &Pickled) -> bool {
    let Some(Object::Dict(pairs)) = system.object(system.root) else {
        return false;
    };
    pairs.iter().any(|&(key, value)| {
        let is_order =
            matches!(system.object(key), Some(Object::Text(key)) if &**key == "little_endian");
        is_order && value == Item::Bool(false)
    })
}

/// Bytes of an element of each storage, by key, as the references to them say.
fn storage_sizes(values: &Pickled) -> std::collections::BTreeMap<String, u64> {
    let mut sizes = std::collections::BTreeMap::new();
    for object in &values.objects {
        let Object::Persistent(id) = object else {
            continue;
        };
        let Some(Object::Tuple(parts)) = values.object(*id) else {
            continue;
        };
        let (Some(&class), Some(&key)) = (parts.get(1), parts.get(2)) else {
            continue;
        };
        let key = match (key, values.object(key)) {
            (Item::Int(n), _) => n.to_string(),
            (_, Some(Object::Text(text))) => text.to_string(),
            (
                _,
                Some(
                    Object::Bytes {
                        kept: Some(kept), ..
                    }
                    | Object::Owned(kept),
                ),
            ) => String::from_utf8_lossy(kept).into_owned(),
            _ => continue,
        };
        if let Some(Object::Global(class)) = values.object(class)
            && let Ok(dtype) = storage_dtype(class)
        {
            sizes.insert(key, dtype.size);
        }
    }
    sizes
}
