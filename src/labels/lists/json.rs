//! Class and colour lists that are kept as JSON.

use serde_json::{Map, Value};

use crate::labels::LabelError;

fn parse(text: &str) -> Result<Value, LabelError> {
    serde_json::from_str(text).map_err(|error| LabelError::Malformed {
        said: error.to_string(),
        line: Some(error.line() as u64),
        byte: None,
    })
}

/// Names with their numbers: a list of names, `{"cat": 0}`, `{"0": "cat"}`, `{"0": ["n02123045", "tabby"]}`, or one of these under a
/// telling key.
pub(super) fn names(text: &str) -> Result<Vec<(i64, String)>, LabelError> {
    let value = parse(text)?;
    let inner = ["names", "classes", "label_map", "id2label", "CLASSES"]
        .iter()
        .find_map(|key| value.get(key))
        .unwrap_or(&value);
    of_value(inner)
        .filter(|names| !names.is_empty())
        .ok_or(LabelError::NoLabels { found: Vec::new() })
}

fn of_value(value: &Value) -> Option<Vec<(i64, String)>> {
    match value {
        Value::Array(items) => items
            .iter()
            .zip(0..)
            .map(|(item, id)| Some((id, item.as_str()?.to_owned())))
            .collect(),
        Value::Object(map) => of_map(map),
        _ => None,
    }
}

fn of_map(map: &Map<String, Value>) -> Option<Vec<(i64, String)>> {
    map.iter()
        .map(|(key, value)| match value {
            Value::Number(id) => Some((id.as_i64()?, key.clone())),
            Value::String(name) => Some((key.trim().parse().ok()?, name.clone())),
            // `imagenet_class_index.json` gives the WordNet id and the name.
            Value::Array(words) => {
                let name = words.last()?.as_str()?;
                Some((key.trim().parse().ok()?, name.to_owned()))
            }
            _ => None,
        })
        .collect()
}

/// Colours with their names: Datumaro's `label_map` and `segmentation_colors`, and `classes` beside `palette`.
pub(super) fn colours(text: &str) -> Result<Vec<([u8; 3], String)>, LabelError> {
    let value = parse(text)?;
    let colours = ["segmentation_colors", "palette", "PALETTE", "colors"]
        .iter()
        .find_map(|key| value.get(key)?.as_array())
        .ok_or(LabelError::NoColourList)?;
    let mut names = names(text).unwrap_or_default();
    names.sort_by_key(|(id, _)| *id);
    let mut names = names.into_iter().map(|(_, name)| name);
    let listed: Option<Vec<_>> = colours
        .iter()
        .enumerate()
        .map(|(rank, colour)| {
            let name = names.next().unwrap_or_else(|| rank.to_string());
            Some((of_channels(colour)?, name))
        })
        .collect();
    listed
        .filter(|colours| !colours.is_empty())
        .ok_or(LabelError::NoColourList)
}

fn of_channels(value: &Value) -> Option<[u8; 3]> {
    let mut channels = value.as_array()?.iter().map(|channel| {
        let channel = channel.as_u64()?;
        u8::try_from(channel).ok()
    });
    Some([channels.next()??, channels.next()??, channels.next()??])
}
