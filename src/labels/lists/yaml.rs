//! YOLO's `data.yaml`.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_saphyr::options::{DuplicateKeyPolicy, NonFiniteFloatPolicy};

use super::{DataFile, MOST_NAMES};
use crate::labels::{ClassList, LabelError, ListSource, Place, Trouble, TroubleKind};

pub(super) fn parse(text: &str, path: &Arc<Path>) -> Result<DataFile, LabelError> {
    let said: DataSet =
        serde_saphyr::from_str_with_options(text, options()).map_err(|e| error(&e))?;
    if said.names.is_none() && said.nc.is_none() && said.splits.is_empty() {
        return Err(LabelError::NoLabels { found: said.others });
    }
    let mut data = DataFile::default();
    let line = |key: &str| line_of(text, key);
    let mut troubles = Vec::new();
    let mut tell = |kind, line| {
        troubles.push(Trouble {
            kind,
            place: Place {
                line,
                ..Place::file(Arc::clone(path))
            },
            text: None,
        });
    };
    let what = if said.names.is_some() { "names" } else { "nc" };
    let mut list = ClassList {
        stated: said.nc.as_deref().and_then(whole),
        source: ListSource {
            path: Some(Arc::clone(path)),
            line: line(what),
            what: what.to_owned(),
        },
        ..ClassList::default()
    };
    if let Some(nc) = said.nc.as_deref().filter(|nc| whole(nc).is_none()) {
        let nc: String = nc.chars().take(40).collect();
        tell(
            TroubleKind::BadLine(format!("nc: {nc} is no number of classes")),
            line("nc"),
        );
    }
    let mut names_are_keys = false;
    match said.names {
        None => {}
        Some(Names::Listed(names)) => list.names = names,
        Some(Names::Numbered { names, by_name }) => {
            names_are_keys = by_name;
            let mut by_id = BTreeMap::new();
            for (id, name) in names {
                if by_id.insert(id, name).is_some() {
                    tell(
                        TroubleKind::Duplicate {
                            what: "category-id",
                            value: id.to_string(),
                            before: None,
                        },
                        list.source.line,
                    );
                }
            }
            let plain = by_id.keys().zip(0..).all(|(id, rank)| *id == rank);
            if !plain {
                let (lowest, highest) = (by_id.keys().min(), by_id.keys().max());
                let said = format!(
                    "names: numbers {} to {} instead of 0, 1, 2",
                    lowest.copied().unwrap_or_default(),
                    highest.copied().unwrap_or_default(),
                );
                tell(TroubleKind::BadLine(said), list.source.line);
            }
            list.ids = (!plain).then(|| by_id.keys().copied().collect());
            list.names = by_id.into_values().collect();
        }
    }
    // The first reading kept every name as written; the second tells which of them YAML takes for something else.
    let kinds: NameKinds = serde_saphyr::from_str_with_options(text, options()).unwrap_or_default();
    if !names_are_keys && kinds.0.len() == list.names.len() {
        let words: Vec<String> = (kinds.0.iter().zip(&list.names))
            // Python's YAML leaves `y` and `n` alone.
            .filter(|(is_text, name)| !**is_text && !matches!(name.as_str(), "y" | "Y" | "n" | "N"))
            .map(|(_, name)| name.clone())
            .collect();
        if !words.is_empty() {
            tell(TroubleKind::YamlWords(words), list.source.line);
        }
    }
    data.splits = said
        .splits
        .into_iter()
        .map(|(split, paths)| {
            let base = said.path.as_deref().unwrap_or_default();
            let joined = paths.iter().map(|path| join(base, path)).collect();
            (split, joined)
        })
        .collect();
    data.classes = Arc::new(list);
    data.troubles = troubles;
    Ok(data)
}

/// Far above every data set's file (the longest has 1,203 names), far below what hurts.
fn options() -> serde_saphyr::Options {
    serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_events: 4 * MOST_NAMES,
            max_nodes: 2 * MOST_NAMES,
            max_documents: 2,
        },
        alias_limits: serde_saphyr::alias_limits! {
            max_total_replayed_events: 100_000,
        },
        duplicate_keys: DuplicateKeyPolicy::PassThrough,
        non_finite_float_policy: NonFiniteFloatPolicy::AsString,
        null_as_string: true,
        with_snippet: false,
    }
}

fn error(error: &serde_saphyr::Error) -> LabelError {
    use serde_saphyr::Error as E;
    let error = error.without_snippet();
    match error {
        E::Budget { .. }
        | E::AliasReplayCounterOverflow { .. }
        | E::AliasReplayLimitExceeded { .. }
        | E::AliasExpansionLimitExceeded { .. }
        | E::AliasReplayStackDepthExceeded { .. } => LabelError::TooDeep,
        E::AliasError { error: inner, .. } => self::error(inner),
        _ => LabelError::Malformed {
            said: error.to_string().chars().take(300).collect(),
            line: error.location().map(|at| at.line()),
            byte: None,
        },
    }
}

/// Line of a key at the left margin.
fn line_of(text: &str, key: &str) -> Option<u64> {
    let names_it = |line: &str| {
        let line = line.trim_start_matches(['\u{feff}', '"', '\'']);
        line.strip_prefix(key).is_some_and(|rest| {
            rest.trim_start_matches(['"', '\''])
                .trim_start()
                .starts_with(':')
        })
    };
    let at = text.lines().position(names_it)?;
    Some(at as u64 + 1)
}

fn whole(text: &str) -> Option<u64> {
    let number: f64 = text.trim().parse().ok()?;
    (number >= 0.0 && number.fract() == 0.0 && number < 1e15).then_some(number as u64)
}

/// A path as the loader would join it: an absolute one stands for itself.
fn join(base: &str, path: &str) -> String {
    let is_drive = path.as_bytes().get(1) == Some(&b':');
    if base.is_empty() || path.starts_with(['/', '\\']) || is_drive {
        return path.to_owned();
    }
    format!("{}/{path}", base.trim_end_matches(['/', '\\']))
}

/// What the file says, every scalar as it is written.
#[derive(Default)]
struct DataSet {
    names: Option<Names>,
    nc: Option<String>,
    path: Option<String>,
    splits: Vec<(String, Vec<String>)>,
    /// Other keys, for the error.
    others: Vec<String>,
}

enum Names {
    Listed(Vec<String>),
    Numbered {
        names: Vec<(i64, String)>,
        /// The names are the keys (`cat: 0`).
        by_name: bool,
    },
}

impl<'de> Deserialize<'de> for DataSet {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = DataSet;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<DataSet, A::Error> {
                let mut said = DataSet::default();
                while let Some(Spelled(key)) = map.next_key()? {
                    let split = match key.as_str() {
                        "names" => {
                            said.names = map.next_value::<MaybeNames>()?.0;
                            continue;
                        }
                        "nc" => {
                            said.nc = map.next_value::<Texts>()?.0.into_iter().next();
                            continue;
                        }
                        "path" => {
                            let written = map.next_value::<Texts>()?.0.into_iter().next();
                            said.path = written.filter(|path| path != ".");
                            continue;
                        }
                        "train" | "val" | "test" => key.as_str(),
                        "valid" | "validation" => "val",
                        _ => {
                            map.next_value::<IgnoredAny>()?;
                            if said.others.len() < 20 {
                                said.others.push(key);
                            }
                            continue;
                        }
                    };
                    let Texts(paths) = map.next_value()?;
                    if !paths.is_empty() {
                        said.splits.retain(|(before, _)| before != split);
                        said.splits.push((split.to_owned(), paths));
                    }
                }
                Ok(said)
            }
        }
        from.deserialize_map(Reader)
    }
}

/// A scalar as it is written: `007` and `no` stay what they are.
struct Spelled(String);

impl<'de> Deserialize<'de> for Spelled {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from).map(Self)
    }
}

/// The class names; `None` where the key holds neither a list nor a map.
struct MaybeNames(Option<Names>);

impl<'de> Deserialize<'de> for MaybeNames {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = MaybeNames;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list or map of class names")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<MaybeNames, A::Error> {
                let mut names = Vec::new();
                while let Some(Spelled(name)) = seq.next_element()? {
                    names.push(name);
                }
                Ok(MaybeNames(Some(Names::Listed(names))))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<MaybeNames, A::Error> {
                let mut pairs = Vec::new();
                while let Some((Spelled(key), Spelled(value))) = map.next_entry()? {
                    pairs.push((key, value));
                }
                let by_key: Option<Vec<_>> = pairs
                    .iter()
                    .map(|(key, name)| Some((key.trim().parse().ok()?, name.clone())))
                    .collect();
                // `cat: 0` is seen, too.
                let by_value = || -> Option<Vec<_>> {
                    pairs
                        .iter()
                        .map(|(name, id)| Some((id.trim().parse().ok()?, name.clone())))
                        .collect()
                };
                let by_name = by_key.is_none();
                by_key
                    .or_else(by_value)
                    .map(|names| MaybeNames(Some(Names::Numbered { names, by_name })))
                    .ok_or_else(|| A::Error::custom("class numbers that are no whole numbers"))
            }
            fn visit_unit<E>(self) -> Result<MaybeNames, E> {
                Ok(MaybeNames(None))
            }
            fn visit_str<E>(self, _: &str) -> Result<MaybeNames, E> {
                Ok(MaybeNames(None))
            }
        }
        from.deserialize_any(Reader)
    }
}

/// One scalar or a list of them; nothing where the key is empty.
struct Texts(Vec<String>);

impl<'de> Deserialize<'de> for Texts {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Reader;
        impl Reader {
            fn one(text: impl Into<String>) -> Texts {
                let text = text.into();
                Texts(if text.trim().is_empty() {
                    Vec::new()
                } else {
                    vec![text]
                })
            }
        }
        impl<'de> Visitor<'de> for Reader {
            type Value = Texts;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text or a list of texts")
            }
            fn visit_str<E>(self, text: &str) -> Result<Texts, E> {
                Ok(Self::one(text))
            }
            fn visit_bool<E>(self, value: bool) -> Result<Texts, E> {
                Ok(Self::one(value.to_string()))
            }
            fn visit_i64<E>(self, value: i64) -> Result<Texts, E> {
                Ok(Self::one(value.to_string()))
            }
            fn visit_u64<E>(self, value: u64) -> Result<Texts, E> {
                Ok(Self::one(value.to_string()))
            }
            fn visit_f64<E>(self, value: f64) -> Result<Texts, E> {
                Ok(Self::one(value.to_string()))
            }
            fn visit_unit<E>(self) -> Result<Texts, E> {
                Ok(Texts(Vec::new()))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Texts, A::Error> {
                let mut texts = Vec::new();
                while let Some(Spelled(text)) = seq.next_element()? {
                    texts.push(text);
                }
                Ok(Texts(texts))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Texts, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Texts(Vec::new()))
            }
        }
        from.deserialize_any(Reader)
    }
}

/// Of each class name, whether YAML takes it for a text.
#[derive(Default)]
struct NameKinds(Vec<bool>);

impl<'de> Deserialize<'de> for NameKinds {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = NameKinds;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<NameKinds, A::Error> {
                let mut kinds = NameKinds::default();
                while let Some(Spelled(key)) = map.next_key()? {
                    if key == "names" {
                        kinds = NameKinds(map.next_value::<Kind>()?.inner);
                    } else {
                        map.next_value::<IgnoredAny>()?;
                    }
                }
                Ok(kinds)
            }
        }
        from.deserialize_map(Reader)
    }
}

/// What YAML takes a value for, and the values in it, one level deep.
struct Kind {
    is_text: bool,
    inner: Vec<bool>,
}

impl Kind {
    fn new(is_text: bool) -> Self {
        Self {
            is_text,
            inner: Vec::new(),
        }
    }
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Kind;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("any value")
            }
            fn visit_str<E>(self, _: &str) -> Result<Kind, E> {
                Ok(Kind::new(true))
            }
            fn visit_bool<E>(self, _: bool) -> Result<Kind, E> {
                Ok(Kind::new(false))
            }
            fn visit_i64<E>(self, _: i64) -> Result<Kind, E> {
                Ok(Kind::new(false))
            }
            fn visit_u64<E>(self, _: u64) -> Result<Kind, E> {
                Ok(Kind::new(false))
            }
            fn visit_f64<E>(self, _: f64) -> Result<Kind, E> {
                Ok(Kind::new(false))
            }
            fn visit_unit<E>(self) -> Result<Kind, E> {
                Ok(Kind::new(false))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Kind, A::Error> {
                let mut inner = Vec::new();
                while let Some(kind) = seq.next_element::<Kind>()? {
                    inner.push(kind.is_text);
                }
                Ok(Kind {
                    is_text: false,
                    inner,
                })
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Kind, A::Error> {
                let mut inner = Vec::new();
                while let Some((_, kind)) = map.next_entry::<IgnoredAny, Kind>()? {
                    inner.push(kind.is_text);
                }
                Ok(Kind {
                    is_text: false,
                    inner,
                })
            }
        }
        from.deserialize_any(Reader)
    }
}
