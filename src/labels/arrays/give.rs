//! From chosen arrays to what the listener gets.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::array::{Array, ArrayPlaces};
use super::choose::{Chosen, Described, found_names};
use super::dtype::Kind;
use super::found::{Content, Found};
use super::held::{Held, Input};
use crate::inputs::InputError;
use crate::labels::{
    ClassList, LabelError, Place, Region, Role, Sink, Stream, StreamId, Trouble, TroubleKind,
    Wanted,
};
use crate::range_check::{Block, ElementType, Number, Values};

/// Texts wider than this are none.
const MOST_WIDE: u64 = 1 << 20;
/// Rows that are looked at for one-hot have at most this many columns.
const MOST_COLUMNS: u64 = 1 << 16;
/// Elements that tell whether floats are whole numbers.
const LOOKED_AT: u64 = 1 << 20;
/// Places, names and troubles are bounded.
const MOST_TROUBLES: usize = 20;

/// Gives chosen arrays to the listener.
pub(super) struct Giver<'a> {
    pub input: &'a Input,
    pub wanted: &'a Wanted,
    pub sink: &'a mut dyn Sink,
    /// The class list that the file itself holds.
    pub classes: Option<Arc<ClassList>>,
    /// Element types go into PyTorch as they are.
    pub as_they_are: bool,
    given: u64,
    failed: Vec<(String, LabelError)>,
}

/// What rows of numbers in 0..1 are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rows {
    OneHot,
    MultiLabel,
    Soft,
    Other,
}

impl<'a> Giver<'a> {
    pub fn new(input: &'a Input, wanted: &'a Wanted, sink: &'a mut dyn Sink) -> Self {
        Self {
            input,
            wanted,
            sink,
            classes: None,
            as_they_are: true,
            given: 0,
            failed: Vec::new(),
        }
    }

    /// Notes that something could not be read, and goes on where that makes sense.
    pub fn fail(&mut self, name: &str, error: LabelError) -> Result<(), LabelError> {
        match error {
            LabelError::Input(_) | LabelError::UnpacksTooLarge { .. } => Err(error),
            error => {
                if self.failed.len() < MOST_TROUBLES {
                    self.failed.push((name.to_owned(), error));
                }
                Ok(())
            }
        }
    }

    /// Whether anything was given.
    pub fn has_given(&self) -> bool {
        self.given > 0
    }

    /// Tells what could not be read.
    ///
    /// # Errors
    /// Where nothing was given: the reason.
    pub fn finish(&mut self, all: &[Described<'_>]) -> Result<(), LabelError> {
        let mut failed = std::mem::take(&mut self.failed);
        if self.given == 0 {
            if failed.is_empty() {
                return Err(LabelError::NoLabels {
                    found: found_names(all),
                });
            }
            return Err(failed.swap_remove(0).1);
        }
        for (name, error) in failed {
            let kind = match error {
                LabelError::CutShort { read, of } => TroubleKind::CutShort { read, of },
                error => TroubleKind::BadLine(error.to_string()),
            };
            let place = self.place(Some(&name), None);
            self.trouble(kind, place);
        }
        Ok(())
    }

    pub fn trouble(&mut self, kind: TroubleKind, place: Place) {
        self.sink.trouble(Trouble {
            kind,
            place,
            text: None,
        });
    }

    pub fn place(&self, key: Option<&str>, column: Option<&str>) -> Place {
        Place {
            key: key.filter(|key| !key.is_empty()).map(Into::into),
            column: column.map(Into::into),
            ..Place::file(Arc::clone(&self.input.path))
        }
    }

    /// Gives something that was found.
    pub fn found(&mut self, found: &Found, chosen: &Chosen) -> Result<(), LabelError> {
        let key = Some(found.path.as_str()).filter(|path| !path.is_empty());
        match &found.content {
            Content::Array(array) => self.array(array, key, found.column.as_deref(), chosen),
            Content::Parts(parts) => self.parts(parts, key, chosen),
            Content::Numbers(numbers) => {
                self.numbers(numbers, key, chosen);
                Ok(())
            }
            Content::Texts(texts) => {
                let id = self.begin(chosen, key, None, None, vec![texts.len() as u64], None);
                let place = self.place(key, None);
                for (row, text) in texts {
                    self.sink.name(id, text, &|| Place {
                        row: Some(*row),
                        ..place.clone()
                    });
                }
                Ok(())
            }
            Content::Broken(error) => self.fail(&found.path, error.clone()),
        }
    }

    pub(super) fn begin(
        &mut self,
        chosen: &Chosen,
        key: Option<&str>,
        column: Option<&str>,
        element: Option<ElementType>,
        shape: Vec<u64>,
        one_hot: Option<u64>,
    ) -> StreamId {
        self.given += 1;
        let role = self.wanted.role.or(chosen.role);
        let class = matches!(role, None | Some(Role::Class));
        self.sink.begin(Stream {
            column: column.map(Into::into),
            key: key.map(Into::into),
            role,
            element,
            shape,
            classes: self.classes.clone().filter(|_| class),
            one_hot,
            guessed: chosen.guessed,
        })
    }

    /// Gives an array. What cannot be read of it is noted.
    pub fn array(
        &mut self,
        array: &Array,
        key: Option<&str>,
        column: Option<&str>,
        chosen: &Chosen,
    ) -> Result<(), LabelError> {
        let given = match chosen.slice {
            None => self.try_array(array, key, column, chosen),
            Some(n) => match array.column(n) {
                Some(one) => self.try_array(&one, key, Some(&n.to_string()), chosen),
                None => Err(LabelError::ElementType("no table".to_owned())),
            },
        };
        match given {
            Err(error) => self.fail(key.or(column).unwrap_or_default(), error),
            ok => ok,
        }
    }

    fn try_array(
        &mut self,
        array: &Array,
        key: Option<&str>,
        column: Option<&str>,
        chosen: &Chosen,
    ) -> Result<(), LabelError> {
        let element = match &array.kind {
            Kind::Number(element) => *element,
            Kind::Text { wide } => return self.texts(array, *wide, key, column, chosen),
            Kind::Objects => return Err(LabelError::PickledObjects),
            Kind::Fields(_) => return Err(LabelError::ElementType("record".to_owned())),
            Kind::Other(name) => return Err(LabelError::ElementType(name.clone())),
        };
        let mut chosen = *chosen;
        let as_class = matches!(self.wanted.role.or(chosen.role), None | Some(Role::Class));
        let rows = if as_class && chosen.rows && chosen.slice.is_none() {
            self.rows(array, element)?
        } else {
            Rows::Other
        };
        let place = self.place(key, column);
        match rows {
            Rows::OneHot => return self.one_hot(array, element, key, column, &chosen),
            Rows::MultiLabel if self.wanted.role.is_none() => chosen.role = Some(Role::MultiLabel),
            Rows::Soft if self.wanted.role.is_none() => chosen.role = Some(Role::Probability),
            Rows::Other
                if chosen.if_whole
                    && self.wanted.role.is_none()
                    && !self.is_whole(array, element)? =>
            {
                return Ok(());
            }
            _ => {}
        }
        let id = self.begin(
            &chosen,
            key,
            column,
            Some(element),
            array.shape.clone(),
            None,
        );
        self.note_type(element, &chosen, &place);
        if array.count() == 0 {
            self.trouble(TroubleKind::Empty { class: None }, place);
            return Ok(());
        }
        if let Some(start) = array.held.in_file() {
            self.sink.region(
                id,
                Region {
                    path: Arc::clone(&self.input.path),
                    offset: start.saturating_add(array.offset),
                    element,
                    big_endian: array.big_endian,
                    shape: array.shape.clone(),
                    strides: array.strides.clone(),
                    common: place,
                },
            );
            return Ok(());
        }
        self.push(id, array, element, &place)
    }

    /// Notes integers that PyTorch does not take for classes.
    pub(super) fn note_type(&mut self, element: ElementType, chosen: &Chosen, place: &Place) {
        let class = matches!(self.wanted.role.or(chosen.role), None | Some(Role::Class));
        let fits = matches!(
            element,
            ElementType::I64 | ElementType::U8 | ElementType::Bool
        );
        if self.as_they_are && class && !fits && !element.is_float() {
            self.trouble(TroubleKind::NotInt64(element.name()), place.clone());
        }
    }

    /// Reads an array and gives its numbers.
    fn push(
        &mut self,
        id: StreamId,
        array: &Array,
        element: ElementType,
        place: &Place,
    ) -> Result<(), LabelError> {
        let shape = array.base_shape();
        let sink = &mut *self.sink;
        let mut stopped = false;
        let read = array.blocks(self.input, &mut |first, raw| {
            let decoded = Block::of(raw, element, array.big_endian);
            sink.numbers(
                id,
                decoded.values(),
                &ArrayPlaces {
                    common: place,
                    shape: &shape,
                    first,
                },
            );
            sink.read(raw.len() as u64);
            stopped = sink.stopped();
            flow(stopped)
        })?;
        if stopped {
            return Err(InputError::Cancelled.into());
        }
        let of = array.count();
        if read == 0 && of > 0 {
            return Err(LabelError::CutShort { read, of });
        }
        if read < of {
            self.trouble(TroubleKind::CutShort { read, of }, place.clone());
        }
        Ok(())
    }

    fn texts(
        &mut self,
        array: &Array,
        wide: bool,
        key: Option<&str>,
        column: Option<&str>,
        chosen: &Chosen,
    ) -> Result<(), LabelError> {
        if array.unit > MOST_WIDE {
            return Err(LabelError::ElementType("text".to_owned()));
        }
        let id = self.begin(chosen, key, column, None, array.shape.clone(), None);
        let place = self.place(key, column);
        if array.unit == 0 {
            return Ok(());
        }
        let shape = array.base_shape();
        let sink = &mut *self.sink;
        let mut stopped = false;
        array.blocks(self.input, &mut |first, raw| {
            let places = ArrayPlaces {
                common: &place,
                shape: &shape,
                first,
            };
            for (i, bytes) in raw.chunks_exact(array.unit as usize).enumerate() {
                let text = decode_text(bytes, wide, array.big_endian);
                let at = || crate::labels::Places::place(&places, i);
                if text.is_empty() {
                    sink.missing(id, &at);
                } else {
                    sink.name(id, &text, &at);
                }
            }
            stopped = sink.stopped();
            flow(stopped)
        })?;
        if stopped {
            return Err(InputError::Cancelled.into());
        }
        Ok(())
    }

    /// What the rows of a table hold.
    fn rows(&self, array: &Array, element: ElementType) -> Result<Rows, LabelError> {
        let &[rows, columns] = array.shape.as_slice() else {
            return Ok(Rows::Other);
        };
        if rows < 2 || !(2..=MOST_COLUMNS).contains(&columns) || array.strides.contains(&0) {
            return Ok(Rows::Other);
        }
        if !cheap_out_of_order(array) {
            return Ok(Rows::Other);
        }
        let (mut sum, mut one_hot, mut soft, mut other) = (0_u64, true, false, false);
        let stopped = self.sink.stopped();
        let read = array.blocks(self.input, &mut |first, raw| {
            let decoded = Block::of(raw, element, array.big_endian);
            let values = decoded.values();
            for i in 0..values.len() {
                match values.get(i) {
                    Some(Number::Int(0)) => {}
                    Some(Number::Int(1)) => sum += 1,
                    Some(Number::Float(x)) if x > 0.0 && x < 1.0 => soft = true,
                    _ => {
                        other = true;
                        return ControlFlow::Break(());
                    }
                }
                if (first + i as u64 + 1).is_multiple_of(columns) {
                    one_hot &= sum == 1;
                    sum = 0;
                }
            }
            flow(stopped)
        })?;
        Ok(if other || read < array.count() {
            Rows::Other
        } else if soft {
            Rows::Soft
        } else if one_hot {
            Rows::OneHot
        } else {
            Rows::MultiLabel
        })
    }

    /// Gives the positions of the ones.
    fn one_hot(
        &mut self,
        array: &Array,
        element: ElementType,
        key: Option<&str>,
        column: Option<&str>,
        chosen: &Chosen,
    ) -> Result<(), LabelError> {
        let columns = array.shape.get(1).copied().unwrap_or(1).max(1);
        let id = self.begin(
            chosen,
            key,
            column,
            Some(element),
            array.shape.clone(),
            Some(columns),
        );
        let place = self.place(key, column);
        let rows = [array.shape.first().copied().unwrap_or_default()];
        let sink = &mut *self.sink;
        let mut done = 0_u64;
        let mut stopped = false;
        array.blocks(self.input, &mut |first, raw| {
            let decoded = Block::of(raw, element, array.big_endian);
            let values = decoded.values();
            let ones = (0..values.len()).filter(|&i| values.get(i) == Some(Number::Int(1)));
            let positions: Vec<u32> = ones
                .map(|i| ((first + i as u64) % columns) as u32)
                .collect();
            sink.numbers(
                id,
                Values::U32(&positions),
                &ArrayPlaces {
                    common: &place,
                    shape: &rows,
                    first: done,
                },
            );
            done += positions.len() as u64;
            sink.read(raw.len() as u64);
            stopped = sink.stopped();
            flow(stopped)
        })?;
        if stopped {
            return Err(InputError::Cancelled.into());
        }
        Ok(())
    }

    /// Whether the first floats are all whole numbers.
    fn is_whole(&self, array: &Array, element: ElementType) -> Result<bool, LabelError> {
        if !element.is_float() || !cheap_out_of_order(array) {
            return Ok(!element.is_float());
        }
        let mut whole = true;
        array.blocks(self.input, &mut |first, raw| {
            let decoded = Block::of(raw, element, array.big_endian);
            let values = decoded.values();
            whole &= (0..values.len()).all(|i| values.get(i).is_some_and(|n| n.as_int().is_some()));
            flow(!whole || first > LOOKED_AT)
        })?;
        Ok(whole)
    }
}

fn flow(stop: bool) -> ControlFlow<()> {
    if stop {
        ControlFlow::Break(())
    } else {
        ControlFlow::Continue(())
    }
}

/// Whether an array can be looked at: packed ones and dense ones in order, others only where they are small.
fn cheap_out_of_order(array: &Array) -> bool {
    let in_order = array.strides.last().is_none_or(|&last| last == array.unit);
    in_order
        || array.count().saturating_mul(array.unit) <= 64 << 20
        || matches!(array.held, Held::Memory { .. })
}

/// A text of fixed width, without the zeros that fill it.
fn decode_text(bytes: &[u8], wide: bool, big_endian: bool) -> String {
    if !wide {
        let end = bytes
            .iter()
            .rposition(|&b| b != 0)
            .map_or(0, |last| last + 1);
        return String::from_utf8_lossy(bytes.get(..end).unwrap_or_default()).into_owned();
    }
    let units = bytes.as_chunks::<4>().0.iter().map(|&unit| {
        if big_endian {
            u32::from_be_bytes(unit)
        } else {
            u32::from_le_bytes(unit)
        }
    });
    let text: String = units
        .map(|c| char::from_u32(c).unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect();
    text.trim_end_matches('\0').to_owned()
}
