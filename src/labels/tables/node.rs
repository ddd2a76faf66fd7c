//! One JSON value on the walk: a visitor that goes down and tells the walk what it meets.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::cells::{self, Cell, Form, Reading};
use super::names::is_picture;
use super::walk::{LONGEST_NAME, Use, Walk};
use crate::range_check::Number;

/// Longest path of keys that is told, in bytes.
const LONGEST_PATH: usize = 400;
/// Words that a text has at most to be a name.
const MOST_WORDS: usize = 8;

/// Where in the value a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inside {
    /// The whole value.
    Root,
    /// Elements of a list that is the whole value: numbers are labels.
    TopList,
    /// Nothing told that these are labels.
    Other,
    /// Values of a stream.
    Stream(usize),
    /// Values of a stream where they are in a list.
    StreamList(usize),
    /// A value of a stream where it is in no list.
    StreamScalar(usize),
}

/// One value on the walk.
pub(super) struct Node<'a, 'w> {
    /// What is told to whom.
    pub walk: &'a mut Walk<'w>,
    /// Where it is.
    pub inside: Inside,
}

impl Node<'_, '_> {
    fn number<E: Error>(self, value: Number, form: Form) -> Result<(), E> {
        let slot = match self.inside {
            Inside::Stream(slot) | Inside::StreamScalar(slot) => slot,
            // A list that begins with a fraction holds measurements.
            Inside::TopList if value.is_fraction() && self.walk.is_measured() => {
                self.walk.measured = true;
                return self.walk.look();
            }
            Inside::TopList if self.walk.wanted.column.is_none() && !self.walk.measured => {
                match self.walk.slot(None, None) {
                    Use::Collect(slot) => slot,
                    _ => return Ok(()),
                }
            }
            _ => return self.walk.look(),
        };
        self.walk.value(slot, &Cell::Number(value, form))
    }

    fn text<E: Error>(self, text: &str) -> Result<(), E> {
        let (Inside::Stream(slot) | Inside::StreamScalar(slot)) = self.inside else {
            return self.walk.look();
        };
        let name = text.trim();
        let asked = self.walk.wanted.column.is_some();
        if !asked && (name.len() > LONGEST_NAME || name.split_whitespace().count() > MOST_WORDS) {
            self.walk.texts += 1;
            return self.walk.look();
        }
        // Lists of pairs of a picture and its label.
        if is_picture(name) && !asked {
            return self.walk.look();
        }
        let how = Reading {
            names: &self.walk.wanted.names,
            ..Reading::default()
        };
        let cell = match cells::parse(name.as_bytes(), how) {
            Cell::Number(value, _) if name.starts_with(|c: char| !c.is_alphabetic()) => {
                Cell::Number(value, Form::Odd)
            }
            Cell::Missing if name.is_empty() || name.eq_ignore_ascii_case("nan") => Cell::Missing,
            // In JSON a missing value is null; words are words.
            _ => Cell::Name(name.as_bytes()),
        };
        self.walk.value(slot, &cell)
    }
}

impl<'de> DeserializeSeed<'de> for Node<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Node<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_bool<E: Error>(self, b: bool) -> Result<(), E> {
        match self.inside {
            Inside::Stream(_) | Inside::StreamScalar(_) => {
                self.number(u8::from(b).into(), Form::Odd)
            }
            _ => Ok(()),
        }
    }

    fn visit_i64<E: Error>(self, n: i64) -> Result<(), E> {
        self.number(n.into(), Form::Plain)
    }

    fn visit_u64<E: Error>(self, n: u64) -> Result<(), E> {
        self.number(n.into(), Form::Plain)
    }

    fn visit_f64<E: Error>(self, x: f64) -> Result<(), E> {
        let value = Number::from(x);
        let form = if value.as_int().is_some() {
            Form::Float
        } else {
            Form::Plain
        };
        self.number(value, form)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        self.text(text)
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        match self.inside {
            Inside::Stream(slot) | Inside::StreamScalar(slot) => {
                self.walk.value(slot, &Cell::Missing)
            }
            _ => Ok(()),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let walk = self.walk;
        let inside = match self.inside {
            Inside::Root => Inside::TopList,
            Inside::StreamList(slot) => Inside::Stream(slot),
            Inside::StreamScalar(_) => Inside::Other,
            other => other,
        };
        let collects = matches!(inside, Inside::Stream(_) | Inside::TopList);
        if collects && !walk.given_row {
            // Where in a list a value stands cannot be told, and lists are often written over many lines.
            walk.line = None;
        }
        if walk.row.is_some() {
            let own = collects && walk.position.is_none();
            if own {
                walk.position = Some(0);
            }
            while list.next_element_seed(Node { walk, inside })?.is_some() {}
            if own {
                walk.position = None;
            }
            return Ok(());
        }
        let mut row = 0;
        loop {
            walk.row = Some(row);
            walk.position = None;
            if list.next_element_seed(Node { walk, inside })?.is_none() {
                break;
            }
            row += 1;
        }
        walk.row = None;
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let walk = self.walk;
        walk.look()?;
        let outer = walk.path.len();
        // A list inside this object counts on its own.
        let position = walk.position.take();
        let mut has_x = false;
        loop {
            let held = walk.held;
            let Some((key, at)) = map.next_key_seed(Key { held })? else {
                break;
            };
            let number = key.parse::<u64>().ok();
            let is_row = number.is_some() && matches!(self.inside, Inside::Stream(_));
            let outer_row = walk.row;
            if is_row && outer_row.is_none() {
                walk.row = number;
            }
            if !is_row && walk.path.len() + key.len() < LONGEST_PATH {
                if outer > 0 {
                    walk.path.push('.');
                }
                walk.path.push_str(&key);
            }
            let told = match self.inside {
                // A column as pandas writes one: each value under its row's number.
                Inside::Stream(slot) if is_row => Use::Collect(slot),
                _ => walk.use_of(&key, has_x),
            };
            has_x |= key == "x";
            let inside = match told {
                Use::Skip => None,
                Use::Descend => Some(Inside::Other),
                Use::Collect(slot) => Some(Inside::Stream(slot)),
                Use::CollectList(slot) => Some(Inside::StreamList(slot)),
                Use::CollectScalar(slot) => Some(Inside::StreamScalar(slot)),
            };
            if !walk.given_row
                && !matches!(told, Use::Skip | Use::Descend)
                && let (Some(held), Some(at)) = (held, at)
            {
                walk.line = Some(walk.lines.line(held, at));
            }
            match inside {
                Some(inside) => map.next_value_seed(Node { walk, inside })?,
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
            walk.row = outer_row;
            walk.path.truncate(outer);
        }
        walk.position = position;
        Ok(())
    }
}

/// A key, and where in the text that is held it stands.
struct Key<'w> {
    held: Option<&'w [u8]>,
}

type KeyAt<'de> = (Cow<'de, str>, Option<usize>);

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = KeyAt<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<KeyAt<'de>, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Key<'_> {
    type Value = KeyAt<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_borrowed_str<E: Error>(self, key: &'de str) -> Result<KeyAt<'de>, E> {
        // The key is a piece of the text: its distance from the beginning is its place.
        let at = self.held.and_then(|held| {
            let at = (key.as_ptr() as usize).checked_sub(held.as_ptr() as usize)?;
            (at < held.len()).then_some(at)
        });
        Ok((key.into(), at))
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<KeyAt<'de>, E> {
        Ok((key.to_owned().into(), None))
    }
}
