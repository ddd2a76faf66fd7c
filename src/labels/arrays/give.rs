//! From chosen arrays to what the listener gets.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::array::{Array, ArrayPlaces, Decoded};
use super::choose::{Chosen, Described, found_names};
use super::dtype::Kind;
use super::found::{Content, Found, Numbers};
use super::held::{Held, Input};
use crate::inputs::InputError;
use crate::labels::{
    ClassList, LabelError, Place, Region, Role, RowPlace, SimplePlaces, Sink, Stream, StreamId,
    Trouble, TroubleKind, Wanted,
};
use crate::range_check::{ElementType, Number, Values};

/// Arrays of a list up to this size are read here, larger ones by the listener.
const SMALL_PART: u64 = 1 << 20;
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

    fn begin(
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
            Rows::Other if chosen.if_whole && self.wanted.role.is_none() => {
                if !self.is_whole(array, element)? {
                    return Ok(());
                }
            }
            _ => {}
        }
        let is_class = matches!(self.wanted.role.or(chosen.role), None | Some(Role::Class));
        let id = self.begin(
            &chosen,
            key,
            column,
            Some(element),
            array.shape.clone(),
            None,
        );
        if self.as_they_are && is_class && !element.is_float() {
            let fits = matches!(
                element,
                ElementType::I64 | ElementType::U8 | ElementType::Bool
            );
            if !fits {
                self.trouble(TroubleKind::NotInt64(element.name()), place.clone());
            }
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
            let decoded = Decoded::of(element, array.big_endian, raw);
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
        if array.unit > SMALL_PART {
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
            let decoded = Decoded::of(element, array.big_endian, raw);
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
            let decoded = Decoded::of(element, array.big_endian, raw);
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
            let decoded = Decoded::of(element, array.big_endian, raw);
            let values = decoded.values();
            whole &= (0..values.len()).all(|i| values.get(i).is_some_and(|n| n.as_int().is_some()));
            flow(!whole || first > LOOKED_AT)
        })?;
        Ok(whole)
    }

    /// Gives the arrays of a list as one stream: the row is the position in the list.
    fn parts(
        &mut self,
        parts: &[(u64, Array)],
        key: Option<&str>,
        chosen: &Chosen,
    ) -> Result<(), LabelError> {
        let Some((_, head)) = parts.first() else {
            return Ok(());
        };
        let Some(element) = head.element() else {
            let error = LabelError::ElementType("list of other arrays".to_owned());
            return self.fail(key.unwrap_or_default(), error);
        };
        let id = self.begin(
            chosen,
            key,
            None,
            Some(element),
            vec![parts.len() as u64],
            None,
        );
        let mut common = self.place(key, None);
        if self.as_they_are
            && matches!(self.wanted.role.or(chosen.role), None | Some(Role::Class))
            && !element.is_float()
            && !matches!(
                element,
                ElementType::I64 | ElementType::U8 | ElementType::Bool
            )
        {
            self.trouble(TroubleKind::NotInt64(element.name()), common.clone());
        }
        let mut block = SimplePlaces {
            common: common.clone(),
            ..SimplePlaces::default()
        };
        let mut values = Vec::new();
        for (row, array) in parts {
            if self.sink.stopped() {
                return Err(InputError::Cancelled.into());
            }
            let count = array.count();
            let large = count.saturating_mul(array.unit) > SMALL_PART;
            if let Some(start) = array.held.in_file().filter(|_| large) {
                self.flush(id, &mut block, &mut values);
                common.key = Some(format!("{}[{row}]", key.unwrap_or_default()).into());
                self.sink.region(
                    id,
                    Region {
                        path: Arc::clone(&self.input.path),
                        offset: start.saturating_add(array.offset),
                        element: array.element().unwrap_or(element),
                        big_endian: array.big_endian,
                        shape: array.shape.clone(),
                        strides: array.strides.clone(),
                        common: common.clone(),
                    },
                );
                block.first += count;
                continue;
            }
            let numbers = match array.numbers(self.input) {
                Ok(numbers) => numbers,
                Err(error) => {
                    self.fail(&format!("{}[{row}]", key.unwrap_or_default()), error)?;
                    continue;
                }
            };
            let scalar = array.shape.is_empty();
            for (position, number) in (0..).zip(numbers) {
                values.push(number);
                block.rows.push(RowPlace {
                    row: Some(*row),
                    position: (!scalar).then_some(position),
                    ..RowPlace::default()
                });
            }
            if values.len() >= 1 << 16 {
                self.flush(id, &mut block, &mut values);
            }
        }
        self.flush(id, &mut block, &mut values);
        Ok(())
    }

    fn flush(&mut self, id: StreamId, block: &mut SimplePlaces, values: &mut Vec<Number>) {
        if !values.is_empty() {
            self.sink.numbers(id, Values::Numbers(values), block);
        }
        block.first += values.len() as u64;
        values.clear();
        block.rows.clear();
    }

    /// Gives the numbers of a list.
    fn numbers(&mut self, numbers: &Numbers, key: Option<&str>, chosen: &Chosen) {
        let shape = if numbers.alone {
            Vec::new()
        } else {
            vec![numbers.entries.len() as u64]
        };
        let id = self.begin(chosen, key, None, None, shape, None);
        let mut block = SimplePlaces {
            common: self.place(key, None),
            ..SimplePlaces::default()
        };
        let mut values = Vec::new();
        let mut floats = 0;
        for (i, entry) in numbers.entries.iter().enumerate() {
            let row = RowPlace {
                row: (!numbers.alone).then_some(u64::from(entry.row)),
                position: (entry.position != u32::MAX).then_some(u64::from(entry.position)),
                key: numbers.keys.get(i).cloned(),
                ..RowPlace::default()
            };
            if let Some(value) = entry.value {
                let number = Number::from(value);
                floats += u64::from(entry.float && number.as_int().is_some());
                values.push(number);
                block.rows.push(row);
            } else {
                let place = Place {
                    row: row.row,
                    position: row.position,
                    ..block.common.clone()
                };
                self.sink.missing(id, &|| place.clone());
            }
            if values.len() >= 1 << 16 {
                self.flush(id, &mut block, &mut values);
                if self.sink.stopped() {
                    return;
                }
            }
        }
        self.flush(id, &mut block, &mut values);
        if floats > 0 {
            self.sink.odd_numbers(id, floats, 0);
        }
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
