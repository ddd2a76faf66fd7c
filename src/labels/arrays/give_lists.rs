//! Lists of numbers and of arrays, given as one stream each.

use std::sync::Arc;

use super::array::Array;
use super::choose::Chosen;
use super::found::Numbers;
use super::give::Giver;
use crate::inputs::InputError;
use crate::labels::{LabelError, Place, Region, RowPlace, SimplePlaces, StreamId, TroubleKind};
use crate::range_check::{Number, Values};

/// Arrays of a list up to this size are read here, larger ones by the listener.
const SMALL_PART: u64 = 1 << 20;

impl Giver<'_> {
    /// Gives the arrays of a list as one stream: the row is the position in the list.
    pub(super) fn parts(
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
        self.note_type(element, chosen, &common);
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
    pub(super) fn numbers(&mut self, numbers: &Numbers, key: Option<&str>, chosen: &Chosen) {
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
        if numbers.entries.is_empty() {
            let place = block.common.clone();
            self.trouble(TroubleKind::Empty { class: None }, place);
        }
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
