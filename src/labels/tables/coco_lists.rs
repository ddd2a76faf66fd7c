//! The lists of a COCO file: its categories and images.

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::Arc;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::super::{ClassList, LabelError, ListSource, Sink, TroubleKind};
use super::load::JsonFile;
use super::writer::{Spot, Troubles};

/// Categories of one file.
const MOST_CATEGORIES: usize = 1 << 20;
/// Top keys that are remembered.
const MOST_KEYS: usize = 64;

/// A plain value: an id, a name, a size.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum Scalar {
    /// Nothing, or something that is no plain value.
    #[default]
    None,
    /// An integer.
    Int(i128),
    /// A number that was written as a float.
    Float(f64),
    /// A text.
    Text(String),
}

impl Scalar {
    /// A number that stands for an id: itself where it is a whole number, whatever its spelling.
    pub fn key(&self) -> Option<u64> {
        match self {
            Self::None => None,
            Self::Int(n) => Some(*n as u64),
            Self::Float(x) if x.fract() == 0.0 => Some(*x as i64 as u64),
            Self::Float(x) => Some(hash(&x.to_bits())),
            Self::Text(text) => Some(match text.parse::<i64>() {
                Ok(n) => n as u64,
                Err(_) => hash(text),
            }),
        }
    }

    /// As a number; NaN where it is none.
    pub fn as_f64(&self) -> f64 {
        match self {
            Self::None => f64::NAN,
            Self::Int(n) => *n as f64,
            Self::Float(x) => *x,
            Self::Text(text) => text.parse().unwrap_or(f64::NAN),
        }
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("null"),
            Self::Int(n) => n.fmt(f),
            Self::Float(x) => x.fmt(f),
            Self::Text(text) => f.write_str(text),
        }
    }
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

impl<'de> serde::Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ScalarVisitor)
    }
}

struct ScalarVisitor;

impl<'de> Visitor<'de> for ScalarVisitor {
    type Value = Scalar;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a plain value")
    }

    fn visit_bool<E: Error>(self, b: bool) -> Result<Scalar, E> {
        Ok(Scalar::Int(b.into()))
    }

    fn visit_i64<E: Error>(self, n: i64) -> Result<Scalar, E> {
        Ok(Scalar::Int(n.into()))
    }

    fn visit_u64<E: Error>(self, n: u64) -> Result<Scalar, E> {
        Ok(Scalar::Int(n.into()))
    }

    fn visit_f64<E: Error>(self, x: f64) -> Result<Scalar, E> {
        Ok(Scalar::Float(x))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Scalar, E> {
        Ok(Scalar::Text(text.to_owned()))
    }

    fn visit_unit<E: Error>(self) -> Result<Scalar, E> {
        Ok(Scalar::None)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Scalar, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Scalar::None)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Scalar, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Scalar::None)
    }
}

/// One picture: its id, width and height (NaN where not stated).
#[derive(Clone, Copy, Debug)]
pub(super) struct Image {
    pub key: u64,
    pub width: f32,
    pub height: f32,
}

/// What stands beside the annotations.
#[derive(Debug, Default)]
pub(super) struct Lists {
    /// The file is a list of results.
    pub is_list: bool,
    /// There is a list of annotations.
    pub has_annotations: bool,
    /// Keys of the file.
    pub keys: Vec<String>,
    /// Ids and names, as they stand.
    pub categories: Vec<(Scalar, Scalar)>,
    /// Pictures, by rising id.
    pub images: Vec<Image>,
    /// Ids of pictures that are listed more than once.
    images_twice: Vec<u64>,
}

impl Lists {
    /// The class list, and what is wrong with it. Lists are dropped on the way.
    pub fn class_list(
        &mut self,
        path: &Arc<Path>,
        troubles: &mut Troubles,
        sink: &mut dyn Sink,
    ) -> Option<Arc<ClassList>> {
        let twice = |what, value| TroubleKind::Duplicate {
            what,
            value,
            before: None,
        };
        for key in std::mem::take(&mut self.images_twice) {
            troubles.tell(
                sink,
                twice("image", (key as i64).to_string()),
                Spot::default(),
            );
        }
        let mut classes: Vec<(i64, String)> = Vec::new();
        for (row, (id, name)) in std::mem::take(&mut self.categories).into_iter().enumerate() {
            let spot = Spot {
                row: Some(row as u64),
                ..Spot::default()
            };
            let number = match &id {
                Scalar::Int(n) => i64::try_from(*n).ok(),
                Scalar::Float(x) if x.fract() == 0.0 => Some(*x as i64),
                Scalar::Text(text) => text.trim().parse().ok(),
                _ => None,
            };
            if let Some(number) = number {
                classes.push((number, name.to_string()));
            } else {
                let said = format!("a category with the id {id}");
                troubles.tell(sink, TroubleKind::BadLine(said), spot);
            }
        }
        if classes.is_empty() {
            return None;
        }
        // Stable: of an id that comes twice the first is kept.
        classes.sort_by_key(|(id, _)| *id);
        for pair in classes.windows(2) {
            if let [(a, _), (b, name)] = pair
                && a == b
            {
                let value = format!("{b} ({name})");
                troubles.tell(sink, twice("category-id", value), Spot::default());
            }
        }
        classes.dedup_by_key(|(id, _)| *id);
        let mut names: Vec<&str> = classes.iter().map(|(_, name)| name.as_str()).collect();
        names.sort_unstable();
        for pair in names.windows(2) {
            if let [a, b] = pair
                && a == b
            {
                troubles.tell(sink, twice("class-name", (*a).to_owned()), Spot::default());
            }
        }
        let ordered = classes.iter().zip(0..).all(|((id, _), n)| *id == n);
        let (ids, names): (Vec<i64>, Vec<String>) = classes.into_iter().unzip();
        Some(Arc::new(ClassList {
            names,
            ids: (!ordered).then_some(ids),
            source: ListSource {
                path: Some(Arc::clone(path)),
                line: None,
                what: "categories".to_owned(),
            },
            ..ClassList::default()
        }))
    }
}

/// Goes through a file for its lists.
///
/// # Errors
/// Where it is no JSON.
pub(super) fn read_lists(file: &JsonFile) -> Result<Lists, LabelError> {
    let mut lists = Lists::default();
    file.parse(Top(&mut lists))?;
    lists.images.sort_by_key(|image| image.key);
    for pair in lists.images.windows(2) {
        if let [a, b] = pair
            && a.key == b.key
        {
            lists.images_twice.push(a.key);
        }
    }
    lists.images_twice.dedup();
    lists.images_twice.truncate(1000);
    lists.images.dedup_by_key(|image| image.key);
    Ok(lists)
}

struct Top<'a>(&'a mut Lists);

impl<'de> DeserializeSeed<'de> for Top<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Top<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("annotations")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let lists = self.0;
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "categories" => map.next_value_seed(Rows(Kind::Categories, lists))?,
                "images" => map.next_value_seed(Rows(Kind::Images, lists))?,
                other => {
                    lists.has_annotations |= other == "annotations";
                    map.next_value::<IgnoredAny>()?;
                }
            }
            if lists.keys.len() < MOST_KEYS && key.len() < 200 {
                lists.keys.push(key);
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        self.0.is_list = true;
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Categories,
    Images,
}

/// A list of objects; anything else is passed over.
struct Rows<'a>(Kind, &'a mut Lists);

impl<'de> DeserializeSeed<'de> for Rows<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

/// Values that are no list of objects.
macro_rules! pass_over {
    () => {
        fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
            Ok(())
        }
        fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
            Ok(())
        }
        fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
            Ok(())
        }
        fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
            Ok(())
        }
        fn visit_str<E: Error>(self, _: &str) -> Result<(), E> {
            Ok(())
        }
        fn visit_unit<E: Error>(self) -> Result<(), E> {
            Ok(())
        }
    };
}
pub(super) use pass_over;

impl<'de> Visitor<'de> for Rows<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of objects")
    }

    pass_over!();

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element_seed(Row(self.0, self.1))?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(())
    }
}

struct Row<'a>(Kind, &'a mut Lists);

impl<'de> DeserializeSeed<'de> for Row<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Row<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    pass_over!();

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let (mut id, mut name) = (Scalar::None, Scalar::None);
        let (mut width, mut height) = (f32::NAN, f32::NAN);
        while let Some(key) = map.next_key::<Key>()? {
            match (self.0, key) {
                (_, Key::Id) => id = map.next_value()?,
                (Kind::Categories, Key::Name) => name = map.next_value()?,
                (Kind::Images, Key::Width) => width = map.next_value::<Scalar>()?.as_f64() as f32,
                (Kind::Images, Key::Height) => height = map.next_value::<Scalar>()?.as_f64() as f32,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        match self.0 {
            Kind::Categories if self.1.categories.len() < MOST_CATEGORIES => {
                self.1.categories.push((id, name));
            }
            Kind::Images => {
                if let Some(key) = id.key() {
                    self.1.images.push(Image { key, width, height });
                }
            }
            Kind::Categories => {}
        }
        Ok(())
    }
}

/// Keys that mean something here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Id,
    Name,
    Width,
    Height,
    ImageId,
    CategoryId,
    Bbox,
    SegmentsInfo,
    Caption,
    Other,
}

impl<'de> serde::Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(KeyVisitor)
    }
}

struct KeyVisitor;

impl Visitor<'_> for KeyVisitor {
    type Value = Key;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<Key, E> {
        Ok(match key {
            "id" => Key::Id,
            "name" => Key::Name,
            "width" => Key::Width,
            "height" => Key::Height,
            "image_id" => Key::ImageId,
            "category_id" => Key::CategoryId,
            "bbox" => Key::Bbox,
            "segments_info" => Key::SegmentsInfo,
            "caption" => Key::Caption,
            _ => Key::Other,
        })
    }
}
