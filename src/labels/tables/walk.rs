//! Labels at any depth of a JSON value, without building it.

use std::collections::HashMap;
use std::sync::Arc;

use serde::de::Error;

use super::super::{LabelError, Place, Role, Sink, Wanted};
use super::cells::Cell;
use super::layouts::has_key;
use super::load::LineCount;
use super::names::{Told, is_item_id, is_picture, told};
use super::node::{Inside, Node};
use super::text::cut;
use super::writer::{Begin, Spot, Writer};

/// Streams of one file.
const MOST_STREAMS: usize = 64;
/// Keys that are remembered.
const MOST_KEYS: usize = 1 << 14;
/// Keys that are named where none could be chosen.
const MOST_NAMED: usize = 64;
/// Longest text that is taken for a name.
pub(super) const LONGEST_NAME: usize = 120;
/// Values between two looks whether to stop.
const VALUES_BETWEEN: u32 = 1 << 14;

/// What to do with the value of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// Look inside.
    Descend,
    /// Leave it.
    Skip,
    /// Its values belong to a stream.
    Collect(usize),
    /// Only a list belongs to a stream: a single number is a coordinate.
    CollectList(usize),
    /// Only a single value belongs to a stream: a list is something else (a box).
    CollectScalar(usize),
}

/// A stream that may begin.
pub(super) struct Slot {
    key: Option<Arc<str>>,
    role: Option<Role>,
    writer: Option<Writer>,
}

/// Walks JSON values and tells their labels.
pub(super) struct Walk<'w> {
    sink: &'w mut dyn Sink,
    pub(super) wanted: &'w Wanted,
    place: Place,
    /// Highest rank of names that are taken.
    rank: u8,
    slots: Vec<Slot>,
    uses: HashMap<Box<str>, Use>,
    found: Vec<String>,
    pub(super) texts: u64,
    /// The keys that lead to the current value.
    pub(super) path: String,
    last_path: Option<Arc<str>>,
    /// The record is given from outside (a line), not by the outermost array.
    pub(super) given_row: bool,
    pub(super) row: Option<u64>,
    pub(super) line: Option<u64>,
    text: Vec<u8>,
    pub(super) position: Option<u64>,
    pub(super) held: Option<&'w [u8]>,
    pub(super) lines: LineCount,
    until_look: u32,
    pub(super) stopped: bool,
    /// The list that is the whole value holds measurements, not labels.
    pub(super) measured: bool,
}

impl<'w> Walk<'w> {
    /// A walk over a file. `head` is its beginning: what is named there decides how telling a name must be.
    pub fn new(place: &Place, wanted: &'w Wanted, head: &[u8], sink: &'w mut dyn Sink) -> Self {
        Self {
            sink,
            wanted,
            place: place.clone(),
            rank: best_rank(head),
            slots: Vec::new(),
            uses: HashMap::new(),
            found: Vec::new(),
            texts: 0,
            path: String::new(),
            last_path: None,
            given_row: false,
            row: None,
            line: None,
            text: Vec::new(),
            position: None,
            held: None,
            lines: LineCount::default(),
            until_look: VALUES_BETWEEN,
            stopped: false,
            measured: false,
        }
    }

    /// The text that is parsed, so that lines can be told.
    pub fn with_text(mut self, held: Option<&'w [u8]>) -> Self {
        self.held = held;
        self
    }

    /// Begins a record that has a line of its own.
    pub fn record<'a>(&'a mut self, row: u64, line: u64, text: &[u8]) -> Node<'a, 'w> {
        self.text.clear();
        self.text.extend_from_slice(cut(text));
        self.given_row = true;
        self.row = Some(row);
        self.line = Some(line);
        self.position = None;
        self.path.clear();
        self.root()
    }

    /// The whole value.
    pub fn root<'a>(&'a mut self) -> Node<'a, 'w> {
        Node {
            walk: self,
            inside: Inside::Root,
        }
    }

    /// The listener.
    pub fn sink(&mut self) -> &mut dyn Sink {
        self.sink
    }

    /// Whether the user stopped it.
    pub fn stopped(&self) -> bool {
        self.stopped
    }

    /// Values told so far.
    pub fn count(&self) -> u64 {
        self.slots
            .iter()
            .filter_map(|slot| slot.writer.as_ref())
            .map(Writer::count)
            .sum()
    }

    /// Sends what waits, and tells why there was nothing.
    ///
    /// # Errors
    /// Where there was no label.
    pub fn finish(&mut self) -> Result<(), LabelError> {
        for writer in self.slots.iter_mut().filter_map(|s| s.writer.as_mut()) {
            writer.flush(self.sink);
        }
        if self.count() > 0 {
            return Ok(());
        }
        let found = std::mem::take(&mut self.found);
        if let Some(wanted) = &self.wanted.column {
            return Err(LabelError::NoSuchColumn {
                wanted: wanted.clone(),
                found,
            });
        }
        let chat = [
            "messages",
            "conversations",
            "instruction",
            "prompt",
            "completion",
            "response",
            "question",
        ];
        if found.iter().any(|key| chat.contains(&key.as_str())) {
            return Err(LabelError::NotLabels("chat texts".to_owned()));
        }
        if self.texts > 0 {
            return Err(LabelError::NotLabels("texts".to_owned()));
        }
        Err(LabelError::NoLabels { found })
    }

    /// What to do with a key's value.
    pub(super) fn use_of(&mut self, key: &str, has_x: bool) -> Use {
        let known = self.uses.get(key).copied();
        let general = known.unwrap_or_else(|| {
            let general = self.choose(key);
            if self.uses.len() < MOST_KEYS {
                self.uses.insert(key.into(), general);
                if self.found.len() < MOST_NAMED && key.len() <= LONGEST_NAME {
                    self.found.push(key.to_owned());
                }
            }
            general
        });
        match general {
            Use::Collect(slot) if has_x && key == "y" => Use::CollectList(slot),
            Use::Descend
                if self
                    .wanted
                    .column
                    .as_deref()
                    .is_some_and(|w| w == self.path) =>
            {
                self.slot(Some(key), None)
            }
            // A map from pictures to labels.
            Use::Descend if self.wanted.column.is_none() && is_picture(key) => {
                match self.slot(None, None) {
                    Use::Collect(slot) => Use::CollectScalar(slot),
                    other => other,
                }
            }
            other => other,
        }
    }

    fn choose(&mut self, key: &str) -> Use {
        if let Some(wanted) = &self.wanted.column {
            return if key.eq_ignore_ascii_case(wanted) {
                let role = if is_item_id(key) {
                    Some(Role::Token)
                } else {
                    told(key).map(|t| t.role)
                };
                self.slot(Some(key), role)
            } else {
                Use::Descend
            };
        }
        match told(key) {
            Some(Told { role, rank }) if rank <= self.rank => self.slot(Some(key), Some(role)),
            Some(_) => Use::Skip,
            None if self.wanted.role == Some(Role::Token) && is_item_id(key) => {
                self.slot(Some(key), Some(Role::Token))
            }
            None if matches!(
                key,
                "attention_mask"
                    | "special_tokens_mask"
                    | "imageData"
                    | "bbox"
                    | "segmentation"
                    | "counts"
                    | "pixel_values"
            ) =>
            {
                Use::Skip
            }
            None => Use::Descend,
        }
    }

    pub(super) fn slot(&mut self, key: Option<&str>, role: Option<Role>) -> Use {
        let at = self.slots.iter().position(|s| s.key.as_deref() == key);
        if let Some(at) = at {
            return Use::Collect(at);
        }
        if self.slots.len() >= MOST_STREAMS {
            return Use::Descend;
        }
        self.slots.push(Slot {
            key: key.map(Arc::from),
            role: self.wanted.role.or(role),
            writer: None,
        });
        Use::Collect(self.slots.len() - 1)
    }

    /// Tells one value of a stream.
    pub(super) fn value<E: Error>(&mut self, slot: usize, cell: &Cell<'_>) -> Result<(), E> {
        self.look()?;
        if let Some(slot) = self.slots.get_mut(slot) {
            let key = slot.key.as_deref().unwrap_or_default();
            if self.path != key && !self.path.is_empty() {
                let same = self.last_path.as_deref() == Some(self.path.as_str());
                if !same {
                    self.last_path = Some(Arc::from(self.path.as_str()));
                }
            } else {
                self.last_path = None;
            }
            let writer = slot.writer.get_or_insert_with(|| {
                let begin = Begin {
                    key: slot.key.clone(),
                    role: slot.role,
                    guessed: slot.key.is_none(),
                    ..Begin::default()
                };
                Writer::begin(self.sink, &self.place, begin)
            });
            let at = Spot {
                line: self.line,
                row: self.row,
                position: self.position,
                key: self.last_path.as_ref(),
                text: &self.text,
            };
            writer.cell(self.sink, cell, at);
        }
        if let Some(position) = &mut self.position {
            *position += 1;
        }
        Ok(())
    }

    /// Whether nothing but a fraction was met so far, and the user does not want fractions.
    pub(super) fn is_measured(&self) -> bool {
        let fractions = matches!(self.wanted.role, Some(Role::Probability | Role::Logits));
        !fractions && self.slots.iter().all(|slot| slot.writer.is_none())
    }

    /// Asks now and then whether to stop.
    pub(super) fn look<E: Error>(&mut self) -> Result<(), E> {
        self.until_look = self.until_look.saturating_sub(1);
        if self.until_look == 0 {
            self.until_look = VALUES_BETWEEN;
            self.stopped = self.sink.stopped();
        }
        if self.stopped {
            return Err(E::custom("stopped"));
        }
        Ok(())
    }
}

/// How telling a name must be, from the keys at a file's beginning.
fn best_rank(head: &[u8]) -> u8 {
    let known: [(&[&str], u8); 2] = [
        (
            &[
                "label",
                "labels",
                "label_id",
                "label_ids",
                "class_id",
                "target",
                "targets",
                "category_id",
                "ner_tags",
                "pos_tags",
            ],
            1,
        ),
        (
            &[
                "class",
                "category",
                "species",
                "sentiment",
                "gt",
                "label_name",
                "class_name",
                "Species",
                "Class",
                "Category",
            ],
            2,
        ),
    ];
    known
        .iter()
        .find(|(keys, _)| keys.iter().any(|key| has_key(head, key)))
        .map_or(3, |(_, rank)| *rank)
}
