//! The annotations of a COCO file, one by one.

use std::fmt;
use std::sync::Arc;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor,
};

use super::super::{Sink, TroubleKind};
use super::cells::{self, Cell, Form, Reading};
use super::coco_lists::{Image, Key, Scalar, pass_over};
use super::writer::{Spot, Troubles, Writer};
use crate::range_check::Number;

/// Annotation ids that are remembered, to tell one that comes twice.
const MOST_IDS: usize = 8 << 20;
/// Annotations between two looks whether to stop.
const ROWS_BETWEEN: u64 = 1 << 12;
/// What annotations are told to, and what is known so far.
pub(super) struct Told<'a> {
    sink: &'a mut dyn Sink,
    writer: &'a mut Writer,
    troubles: &'a mut Troubles,
    images: &'a [Image],
    /// Ids of annotations and their rows.
    ids: Vec<(u64, u32)>,
    /// Annotations so far.
    pub rows: u64,
    /// What annotations without a category are.
    pub without: Option<&'static str>,
    /// Annotations without a category before the first that has one.
    nameless: Vec<(u64, Option<Arc<str>>)>,
    /// The user stopped it.
    pub stopped: bool,
}

/// Annotations without a category that wait until one has it.
const MOST_NAMELESS: usize = 10_000;

impl<'a> Told<'a> {
    /// Nothing told yet.
    pub fn new(
        sink: &'a mut dyn Sink,
        writer: &'a mut Writer,
        troubles: &'a mut Troubles,
        images: &'a [Image],
    ) -> Self {
        Self {
            sink,
            writer,
            troubles,
            images,
            ids: Vec::new(),
            rows: 0,
            without: None,
            nameless: Vec::new(),
            stopped: false,
        }
    }

    /// Tells ids that came twice, and annotations without a category where others have one.
    pub fn finish(&mut self) {
        if self.writer.count() > 0 {
            for (row, key) in std::mem::take(&mut self.nameless) {
                let spot = Spot {
                    row: Some(row),
                    key: key.as_ref(),
                    ..Spot::default()
                };
                self.writer.missing(self.sink, spot);
            }
        }
        let mut ids = std::mem::take(&mut self.ids);
        ids.sort_unstable();
        let mut twice: Vec<(u32, u32, u64)> = ids
            .chunk_by(|a, b| a.0 == b.0)
            .filter_map(|run| match run {
                [first, rest @ ..] if !rest.is_empty() => Some((first, rest)),
                _ => None,
            })
            .flat_map(|(first, rest)| rest.iter().map(|(id, row)| (*row, first.1, *id)))
            .collect();
        twice.sort_unstable();
        for (row, before, id) in twice {
            let value = (id as i64).to_string();
            let key: Arc<str> = value.as_str().into();
            let spot = |row: u32| Spot {
                row: Some(row.into()),
                key: Some(&key),
                ..Spot::default()
            };
            let kind = TroubleKind::Duplicate {
                what: "annotation-id",
                value,
                before: Some(Box::new(self.writer.place(spot(before)))),
            };
            if !self.troubles.tell(self.sink, kind, spot(row)) {
                break;
            }
        }
    }

    fn look<E: Error>(&mut self) -> Result<(), E> {
        if self.rows.is_multiple_of(ROWS_BETWEEN) && self.sink.stopped() {
            self.stopped = true;
            return Err(E::custom("stopped"));
        }
        Ok(())
    }

    fn category(&mut self, id: &Scalar, spot: Spot<'_>) {
        match id {
            Scalar::None => self.writer.missing(self.sink, spot),
            Scalar::Int(n) => self
                .writer
                .number(self.sink, (*n).into(), Form::Plain, spot),
            Scalar::Float(x) => {
                let value = Number::from(*x);
                let form = if value.as_int().is_some() {
                    Form::Float
                } else {
                    Form::Plain
                };
                self.writer.number(self.sink, value, form, spot);
            }
            Scalar::Text(text) => match cells::parse(text.as_bytes(), Reading::default()) {
                Cell::Number(value, _) => self.writer.number(self.sink, value, Form::Odd, spot),
                Cell::Missing if text.trim().is_empty() => self.writer.missing(self.sink, spot),
                _ => self.writer.name(self.sink, text, spot),
            },
        }
    }

    /// One annotation.
    fn annotation(&mut self, one: &Annotation) {
        let key: Option<Arc<str>> = match &one.id {
            Scalar::None => None,
            id => Some(id.to_string().into()),
        };
        let spot = Spot {
            row: Some(self.rows),
            key: key.as_ref(),
            ..Spot::default()
        };
        match &one.category {
            Some(id) => self.category(id, spot),
            None if one.caption => self.without = Some("image captions"),
            None if one.segments => {}
            None if self.nameless.len() < MOST_NAMELESS => {
                self.nameless.push((self.rows, key.clone()));
            }
            None => {}
        }
        if let Some(id) = one.id.key()
            && self.ids.len() < MOST_IDS
            && let Ok(row) = u32::try_from(self.rows)
        {
            self.ids.push((id, row));
        }
        let image = self.image(one, spot);
        if let Some(said) = one.bounds.and_then(|b| wrong_box(b, image)) {
            self.troubles
                .tell(self.sink, TroubleKind::BadBox(said), spot);
        }
    }

    /// The picture of an annotation.
    fn image(&mut self, one: &Annotation, spot: Spot<'_>) -> Option<Image> {
        if self.images.is_empty() {
            return None;
        }
        let key = one.image.key()?;
        let found = self.images.binary_search_by_key(&key, |image| image.key);
        if let Ok(at) = found {
            return self.images.get(at).copied();
        }
        let kind = TroubleKind::UnknownImage(one.image.to_string());
        self.troubles.tell(self.sink, kind, spot);
        None
    }
}

/// What is wrong with a box of x, y, width and height.
fn wrong_box(bounds: [f64; 4], image: Option<Image>) -> Option<String> {
    let [x, y, width, height] = bounds;
    if bounds.iter().any(|v| !v.is_finite()) {
        return Some(format!("[{x}, {y}, {width}, {height}]"));
    }
    if width <= 0.0 {
        return Some(format!("width {width}"));
    }
    if height <= 0.0 {
        return Some(format!("height {height}"));
    }
    let image = image?;
    let (w, h) = (f64::from(image.width), f64::from(image.height));
    // Loaders cut off what sticks out. Sizes that are not stated are NaN, which nothing is larger than.
    let outside = x >= w || y >= h || x + width <= 0.0 || y + height <= 0.0;
    (outside && w > 0.0 && h > 0.0)
        .then(|| format!("[{x}, {y}, {width}, {height}] outside {w} x {h}"))
}

/// One annotation as far as it matters.
#[derive(Debug, Default)]
struct Annotation {
    id: Scalar,
    image: Scalar,
    category: Option<Scalar>,
    bounds: Option<[f64; 4]>,
    segments: bool,
    caption: bool,
}

/// The whole file: its annotations are told.
pub(super) struct Annotations<'a, 't>(pub &'a mut Told<'t>);

impl<'de> DeserializeSeed<'de> for Annotations<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Annotations<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("annotations")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            if key == "annotations" {
                map.next_value_seed(List(self.0))?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<(), A::Error> {
        List(self.0).visit_seq(list)
    }
}

/// The list of annotations.
struct List<'a, 't>(&'a mut Told<'t>);

impl<'de> DeserializeSeed<'de> for List<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for List<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of annotations")
    }

    pass_over!();

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let told = self.0;
        while let Some(one) = list.next_element_seed(One(told))? {
            told.look()?;
            if let Some(one) = one {
                told.annotation(&one);
            } else {
                let spot = Spot {
                    row: Some(told.rows),
                    ..Spot::default()
                };
                let kind = TroubleKind::BadLine("no annotation object".to_owned());
                told.troubles.tell(told.sink, kind, spot);
            }
            told.rows += 1;
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(())
    }
}

/// One element of the list; `None` where it is no object.
struct One<'a, 't>(&'a mut Told<'t>);

impl<'de> DeserializeSeed<'de> for One<'_, '_> {
    type Value = Option<Annotation>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

macro_rules! no_object {
    ($($name:ident($t:ty)),*) => { $(fn $name<E: Error>(self, _: $t) -> Result<Self::Value, E> { Ok(None) })* };
}

impl<'de> Visitor<'de> for One<'_, '_> {
    type Value = Option<Annotation>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an annotation")
    }

    no_object!(
        visit_bool(bool),
        visit_i64(i64),
        visit_u64(u64),
        visit_f64(f64),
        visit_str(&str)
    );

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(None)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut one = Annotation::default();
        while let Some(key) = map.next_key::<Key>()? {
            match key {
                Key::Id => one.id = map.next_value()?,
                Key::ImageId => one.image = map.next_value()?,
                Key::CategoryId => one.category = Some(map.next_value()?),
                Key::Bbox => one.bounds = map.next_value::<Bounds>()?.0,
                Key::Caption => {
                    one.caption = true;
                    map.next_value::<IgnoredAny>()?;
                }
                Key::SegmentsInfo => {
                    one.segments = true;
                    map.next_value_seed(Segments(self.0))?;
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(Some(one))
    }
}

/// The segments of a panoptic annotation.
struct Segments<'a, 't>(&'a mut Told<'t>);

impl<'de> DeserializeSeed<'de> for Segments<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Segments<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of segments")
    }

    pass_over!();

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let told = self.0;
        let mut position = 0;
        while let Some(segment) = list.next_element::<Segment>()? {
            let key: Option<Arc<str>> = match &segment.id {
                Scalar::None => None,
                id => Some(id.to_string().into()),
            };
            let spot = Spot {
                row: Some(told.rows),
                position: Some(position),
                key: key.as_ref(),
                ..Spot::default()
            };
            told.category(&segment.category, spot);
            position += 1;
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(())
    }
}

/// One segment.
#[derive(Default)]
struct Segment {
    id: Scalar,
    category: Scalar,
}

impl<'de> Deserialize<'de> for Segment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(SegmentVisitor)
    }
}

struct SegmentVisitor;

impl<'de> Visitor<'de> for SegmentVisitor {
    type Value = Segment;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a segment")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Segment, A::Error> {
        let mut segment = Segment::default();
        while let Some(key) = map.next_key::<Key>()? {
            match key {
                Key::Id => segment.id = map.next_value()?,
                Key::CategoryId => segment.category = map.next_value()?,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(segment)
    }
}

/// x, y, width, height; nothing where there is no box.
struct Bounds(Option<[f64; 4]>);

impl<'de> Deserialize<'de> for Bounds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(BoundsVisitor).map(Self)
    }
}

struct BoundsVisitor;

impl<'de> Visitor<'de> for BoundsVisitor {
    type Value = Option<[f64; 4]>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a box")
    }

    no_object!(
        visit_bool(bool),
        visit_i64(i64),
        visit_u64(u64),
        visit_f64(f64),
        visit_str(&str)
    );

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut bounds = [f64::NAN; 4];
        let mut count = 0;
        while let Some(value) = list.next_element::<Scalar>()? {
            if let Some(slot) = bounds.get_mut(count) {
                *slot = value.as_f64();
            }
            count += 1;
        }
        // Rotated boxes have five numbers and other meanings.
        Ok((count > 0 && count <= 4).then_some(bounds))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(None)
    }
}
