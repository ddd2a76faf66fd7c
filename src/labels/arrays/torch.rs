//! What `torch.save` and `pickle.dump` write, in all their containers.

use std::sync::Arc;

use super::choose::{Content as Kinds, is_weights};
use super::found::Found;
use super::give::Giver;
use super::held::{Held, Input, MOST_HELD, malformed};
use super::names::is_weight;
use super::objects::{Storages, View};
use super::pickle::{self, Item, Object, Pickled, Use, use_of};
use super::walk::{Walked, walk};
use super::{TensorInfo, npz, torch_legacy, zip_file};
use crate::labels::{ClassList, LabelError, Limit, ListSource, Place, TroubleKind};

/// Bytes of a pickle inside an archive.
const MOST_PICKLE: u64 = 100 << 20;

/// What a file holds.
pub(super) struct Loaded {
    pub pickled: Pickled,
    pub storages: Storages,
}

/// Reads the pickle of a file, and where its storages lie.
pub(super) fn load(input: &Input, stopped: &dyn Fn() -> bool) -> Result<Loaded, LabelError> {
    let first = input.head(512)?;
    if first.starts_with(b"PK") {
        return load_zip(input, stopped);
    }
    if first.get(257..262) == Some(b"ustar") {
        return Err(LabelError::LaterFormat("PyTorch's old tar form"));
    }
    let held = if first.starts_with(b"\x1f\x8b") {
        let packed = Held::Packed {
            start: 0,
            len: input.size,
            gzip: true,
        };
        packed.unpacked(input, 2 * MOST_HELD)?
    } else {
        input.whole()
    };
    if first
        .get(2..)
        .is_some_and(|rest| rest.starts_with(torch_legacy::MAGIC))
    {
        let (pickled, storages) = torch_legacy::load(input, &held, stopped)?;
        return Ok(Loaded { pickled, storages });
    }
    Ok(Loaded {
        pickled: pickle::load(input, &held, 0, stopped)?,
        storages: Storages::default(),
    })
}

fn load_zip(input: &Input, stopped: &dyn Fn() -> bool) -> Result<Loaded, LabelError> {
    let entries = zip_file::entries(input)?;
    let ends = |name: &str| name == "data.pkl" || name.ends_with("/data.pkl");
    let Some(main) = entries
        .iter()
        .filter(|entry| ends(&entry.name))
        .min_by_key(|entry| entry.name.len())
    else {
        return Err(malformed("a ZIP archive without data.pkl"));
    };
    let top = main
        .name
        .strip_suffix("data.pkl")
        .unwrap_or_default()
        .to_owned();
    let held = main
        .held
        .clone()
        .ok_or_else(|| malformed("data.pkl is cut short, encrypted or packed in an unknown way"))?
        .unpacked(input, MOST_PICKLE)?;
    let mut storages = Storages::default();
    for entry in &entries {
        let Some(name) = entry.name.strip_prefix(&top) else {
            continue;
        };
        if name == "byteorder" {
            let order = entry
                .held
                .as_ref()
                .map(|held| held.load(input, 64))
                .transpose()?;
            storages.big_endian = order.is_some_and(|order| order.starts_with(b"big"));
        } else if let (Some(key), Some(held)) = (name.strip_prefix("data/"), &entry.held) {
            storages.held.insert(key.to_owned(), held.clone());
        }
    }
    Ok(Loaded {
        pickled: pickle::load(input, &held, 0, stopped)?,
        storages,
    })
}

/// Storages in deflated entries are read into memory, those that are wanted only.
fn unpack_storages(loaded: &mut Loaded, input: &Input) -> Result<(), LabelError> {
    let mut room = MOST_HELD;
    for held in loaded.storages.held.values_mut() {
        if matches!(held, Held::Packed { .. }) {
            *held = held.clone().unpacked(input, room)?;
            room = room.saturating_sub(held.len().unwrap_or_default());
        }
    }
    Ok(())
}

/// Reads the labels of a file.
pub(super) fn read(input: &Input, giver: &mut Giver<'_>) -> Result<(), LabelError> {
    let sink = &*giver.sink;
    let stopped = || sink.stopped();
    let mut loaded = load(input, &stopped)?;
    unpack_storages(&mut loaded, input)?;
    let view = View::new(&loaded.pickled, input, &loaded.storages);
    if let Some(foreign) = foreign(&view) {
        return Err(LabelError::ForeignPickle(foreign));
    }
    let walked = walk(&view, &stopped);
    giver.classes = class_list(&walked, input);
    tell_code(&loaded.pickled, giver);
    let read = npz::give(&walked.found, giver);
    if giver.has_given() {
        tell_limits(&walked, giver);
    }
    match read {
        Err(LabelError::NoLabels { found }) => Err(why_none(&view, &walked, found)),
        other => other,
    }
}

/// Tells which functions the file names.
fn tell_code(pickled: &Pickled, giver: &mut Giver<'_>) {
    let place = Place::file(Arc::clone(&giver.input.path));
    for name in &pickled.code {
        giver.trouble(TroubleKind::CodeNotRun(name.clone()), place.clone());
    }
}

fn tell_limits(walked: &Walked, giver: &mut Giver<'_>) {
    let place = Place::file(Arc::clone(&giver.input.path));
    if walked.limited || walked.too_deep {
        giver.trouble(TroubleKind::Limit(Limit::Values), place.clone());
    }
    if !walked.opaque.is_empty() {
        giver.trouble(TroubleKind::LeftOut(walked.opaque.clone()), place);
    }
}

/// Why nothing in a pickle is labels.
fn why_none(view: &View<'_>, walked: &Walked, found: Vec<String>) -> LabelError {
    if let Some(name) = view.pickled.code.first()
        && walked.found.is_empty()
    {
        return LabelError::CodeOnly(name.clone());
    }
    if walked.too_deep && walked.found.is_empty() {
        return LabelError::TooDeep;
    }
    match view.made(view.pickled.root) {
        Some((name, _)) if use_of(name) == Use::Class && walked.found.is_empty() => {
            LabelError::ForeignPickle(name.to_owned())
        }
        _ => LabelError::NoLabels { found },
    }
}

/// Objects of packages that keep their data in forms of their own.
fn foreign(view: &View<'_>) -> Option<String> {
    let (name, _) = view.made(view.pickled.root)?;
    let (package, rest) = name.split_once('.')?;
    let class = rest.rsplit('.').next().unwrap_or(rest);
    match package {
        "pandas" => Some(format!("pandas {class}")),
        "joblib" => Some("joblib".to_owned()),
        "sklearn" | "scipy" | "xgboost" | "lightgbm" | "datasets" | "polars" | "pyarrow" => {
            Some(format!("{package} {class}"))
        }
        _ => None,
    }
}

/// The class list that a file holds beside its labels.
fn class_list(walked: &Walked, input: &Input) -> Option<Arc<ClassList>> {
    let (path, names) = walked
        .names
        .iter()
        .find(|(path, _)| !matches!(super::names::last(path), "stoi" | "itos"))?;
    Some(Arc::new(ClassList {
        names: names.clone(),
        source: ListSource {
            path: Some(Arc::clone(&input.path)),
            line: None,
            what: path.clone(),
        },
        ..ClassList::default()
    }))
}

/// The tensors of a file.
pub(super) fn tensors(input: &Input) -> Result<Vec<TensorInfo>, LabelError> {
    let loaded = load(input, &|| false)?;
    let view = View::new(&loaded.pickled, input, &loaded.storages);
    if let Some(foreign) = foreign(&view) {
        return Err(LabelError::ForeignPickle(foreign));
    }
    let walked = walk(&view, &|| false);
    let mut tensors = Vec::new();
    for found in &walked.found {
        let info = |name: String, array: &super::array::Array| TensorInfo {
            name,
            shape: array.shape.clone(),
            element: array.element(),
        };
        match &found.content {
            super::found::Content::Array(array) => tensors.push(info(found.path.clone(), array)),
            super::found::Content::Parts(parts) => {
                tensors.extend(
                    parts
                        .iter()
                        .map(|(row, array)| info(format!("{}[{row}]", found.path), array)),
                );
            }
            _ => {}
        }
    }
    if tensors.is_empty() {
        return Err(match walked.found.into_iter().next() {
            Some(Found {
                content: super::found::Content::Broken(error),
                ..
            }) => error,
            _ => LabelError::NoLabels { found: Vec::new() },
        });
    }
    Ok(tensors)
}

/// Whether a file holds the weights of a model and no labels.
pub(super) fn holds_weights(input: &Input) -> bool {
    let Ok(loaded) = load(input, &|| false) else {
        return false;
    };
    let view = View::new(&loaded.pickled, input, &loaded.storages);
    let walked = walk(&view, &|| false);
    let described: Vec<_> = walked.found.iter().map(Found::described).collect();
    let whole_model = view
        .made(loaded.pickled.root)
        .is_some_and(|(_, made)| holds_key(&view, made.state, "_parameters"));
    let labels = super::choose::choose(&described, &crate::labels::Wanted::default(), false)
        .is_ok_and(|chosen| !chosen.is_empty());
    let floats = described.iter().any(|one| {
        one.content == Kinds::Float
            && (is_weight(one.path) || matches!(one.path, "weight" | "bias"))
    });
    !labels && (whole_model || floats || is_weights(&described))
}

/// Whether a file names labels: whole numbers under a label's own name, whatever weights lie beside them.
pub(super) fn names_labels(input: &Input) -> bool {
    load(input, &|| false).is_ok_and(|loaded| {
        let view = View::new(&loaded.pickled, input, &loaded.storages);
        let walked = walk(&view, &|| false);
        let described: Vec<_> = walked.found.iter().map(Found::described).collect();
        super::choose::names_labels(&described)
    })
}

fn holds_key(view: &View<'_>, item: Item, wanted: &str) -> bool {
    match view.object(item) {
        Some(Object::Dict(pairs)) => pairs
            .iter()
            .any(|(key, _)| view.text(*key).is_some_and(|key| key == wanted)),
        _ => false,
    }
}
