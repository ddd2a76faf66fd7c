//! Small pickles beside a data set.

use super::Meta;
use super::held::Input;
use super::objects::{Storages, View};
use super::pickle::{Item, Object, load};
use crate::labels::LabelError;

/// Reads `meta.pkl` or `batches.meta`.
pub(super) fn read(input: &Input) -> Result<Meta, LabelError> {
    let pickled = load(input, &input.whole(), 0, &|| false)?;
    let storages = Storages::default();
    let view = View::new(&pickled, input, &storages);
    let Some(Object::Dict(pairs)) = pickled.object(pickled.root) else {
        return Err(LabelError::NoLabels { found: Vec::new() });
    };
    let get = |wanted: &str| {
        let found = pairs
            .iter()
            .find(|(key, _)| view.text(*key).is_some_and(|key| key == wanted));
        found.map(|(_, value)| *value)
    };
    let size = |item: Item| match view.object(item)? {
        Object::Dict(pairs) => Some(pairs.len() as u64),
        Object::List(items) => Some(items.len() as u64),
        _ => None,
    };
    let stated = get("vocab_size").and_then(|value| match value {
        Item::Int(n) => u64::try_from(n).ok(),
        _ => None,
    });
    let vocab_size = stated
        .or_else(|| get("itos").and_then(size))
        .or_else(|| get("stoi").and_then(size));
    let names = get("label_names").or_else(|| get("fine_label_names"));
    let label_names: Vec<String> = names
        .and_then(|names| view.items(names))
        .unwrap_or_default()
        .iter()
        .filter_map(|&name| Some(view.text(name)?.into_owned()))
        .collect();
    if vocab_size.is_none() && label_names.is_empty() {
        let keys = pairs
            .iter()
            .filter_map(|(key, _)| Some(view.text(*key)?.into_owned()));
        return Err(LabelError::NoLabels {
            found: keys.take(50).collect(),
        });
    }
    Ok(Meta {
        vocab_size,
        label_names,
    })
}
