//! An array: where its elements lie, and reading them in order.

use std::ops::ControlFlow;

use super::dtype::{DType, Kind, product};
use super::held::{Held, Input, MOST_HELD, fill, malformed};
use crate::labels::file::{check_ratio, read_error};
use crate::labels::{LabelError, Place, Places};
use crate::range_check::{Block, ElementType, Number};

/// Elements of one block.
const BLOCK: usize = 1 << 16;
const MOST_BLOCK_BYTES: u64 = 1 << 20;
/// Views may show an element several times (windows); a shape that shows each of them more often is no data.
const MOST_SHOWN: u64 = 4096;
/// PyTorch and NumPy have at most 64 axes.
const MOST_AXES: usize = 64;

/// An array that a file holds.
#[derive(Clone, Debug)]
pub(super) struct Array {
    pub kind: Kind,
    /// Bytes of one element.
    pub unit: u64,
    pub big_endian: bool,
    pub shape: Vec<u64>,
    /// Distance in bytes on each axis.
    pub strides: Vec<u64>,
    /// Byte of the element with index 0 on all axes, from the beginning of what is held.
    pub offset: u64,
    pub held: Held,
}

impl Array {
    /// Elements without gaps; last axis fastest, or the first with `fortran`.
    ///
    /// # Errors
    /// Where the shape is no sane one, or more than the bytes that are there.
    pub fn dense(
        dtype: DType,
        shape: Vec<u64>,
        fortran: bool,
        held: Held,
        offset: u64,
    ) -> Result<Self, LabelError> {
        let mut strides = vec![0; shape.len()];
        let mut step = dtype.size;
        let mut axes: Vec<usize> = (0..shape.len()).collect();
        if !fortran {
            axes.reverse();
        }
        for axis in axes {
            if let (Some(stride), Some(length)) = (strides.get_mut(axis), shape.get(axis)) {
                *stride = step;
                step = step.saturating_mul(*length);
            }
        }
        let array = Self {
            kind: dtype.kind,
            unit: dtype.size,
            big_endian: dtype.big_endian,
            shape,
            strides,
            offset,
            held,
        };
        let announced = product(&array.shape)
            .filter(|_| array.shape.len() <= MOST_AXES)
            .ok_or_else(|| malformed("the shape is too large for any file"))?;
        if let Some(bytes) = array.held.len() {
            let there = bytes.saturating_sub(offset) / array.unit.max(1);
            if there < announced {
                return Err(LabelError::CutShort {
                    read: there,
                    of: announced,
                });
            }
        }
        Ok(array)
    }

    /// Checks that every element lies in the bytes that there are.
    pub fn check_view(&self) -> Result<(), LabelError> {
        let beyond = || malformed("a tensor leads beyond the end of its storage");
        if self.shape.len() > MOST_AXES || self.shape.len() != self.strides.len() {
            return Err(malformed("a tensor whose shape and strides do not fit"));
        }
        // Places are counted over all axes, expanded ones too.
        product(&self.shape).ok_or_else(|| malformed("the shape is too large for any file"))?;
        let end = self.end().ok_or_else(beyond)?;
        let held = self.held.len().unwrap_or(u64::MAX);
        if end > held && !self.shape.contains(&0) {
            return Err(beyond());
        }
        let shown = product(&self.base_shape()).ok_or_else(beyond)?;
        if shown / MOST_SHOWN > held / self.unit.max(1) {
            return Err(malformed("a tensor that shows its storage too often"));
        }
        Ok(())
    }

    /// Byte after the last element.
    fn end(&self) -> Option<u64> {
        let mut end = self.offset.checked_add(self.unit)?;
        for (&length, &stride) in self.shape.iter().zip(&self.strides) {
            end = end.checked_add(length.saturating_sub(1).checked_mul(stride)?)?;
        }
        Some(end)
    }

    pub fn element(&self) -> Option<ElementType> {
        match self.kind {
            Kind::Number(element) => Some(element),
            _ => None,
        }
    }

    /// The shape with expanded axes (stride 0) counted once.
    pub fn base_shape(&self) -> Vec<u64> {
        let axes = self.shape.iter().zip(&self.strides);
        axes.map(|(&n, &stride)| if stride == 0 { n.min(1) } else { n })
            .collect()
    }

    /// How many elements there are to read.
    pub fn count(&self) -> u64 {
        product(&self.base_shape()).unwrap_or(u64::MAX)
    }

    fn is_contiguous(&self) -> bool {
        let mut step = self.unit;
        for (&length, &stride) in self.base_shape().iter().zip(&self.strides).rev() {
            if length > 1 && stride != step {
                return false;
            }
            step = step.saturating_mul(length);
        }
        true
    }

    /// One column of a table: the last of two axes taken at an index.
    pub fn column(&self, n: u64) -> Option<Self> {
        let ([rows, columns], [down, across]) = (self.shape.as_slice(), self.strides.as_slice())
        else {
            return None;
        };
        (n < *columns).then_some(())?;
        Some(Self {
            offset: self.offset.checked_add(n.checked_mul(*across)?)?,
            shape: vec![*rows],
            strides: vec![*down],
            ..self.clone()
        })
    }

    /// One field of its records.
    pub fn field(&self, name: &str) -> Option<Self> {
        let Kind::Fields(fields) = &self.kind else {
            return None;
        };
        let field = fields.iter().find(|field| field.name == name)?;
        let inner = Self::dense(
            field.dtype.clone(),
            field.shape.clone(),
            false,
            Held::Packed {
                start: 0,
                len: 0,
                gzip: false,
            },
            0,
        )
        .ok()?;
        Some(Self {
            kind: field.dtype.kind.clone(),
            unit: field.dtype.size,
            big_endian: field.dtype.big_endian,
            shape: self.shape.iter().copied().chain(inner.shape).collect(),
            strides: self.strides.iter().copied().chain(inner.strides).collect(),
            offset: self.offset.checked_add(field.offset)?,
            held: self.held.clone(),
        })
    }

    /// Gives the elements' bytes in reading order, in blocks of whole elements, each with the index of its first. Tells how many
    /// there were: fewer than [`Self::count`] where the bytes end early.
    pub fn blocks(
        &self,
        input: &Input,
        each: &mut dyn FnMut(u64, &[u8]) -> ControlFlow<()>,
    ) -> Result<u64, LabelError> {
        let count = self.count();
        if count == 0 || self.unit == 0 {
            return Ok(count);
        }
        if self.is_contiguous() {
            self.blocks_in_order(input, count, each)
        } else {
            self.blocks_scattered(input, count, each)
        }
    }

    fn block_elements(&self) -> usize {
        (MOST_BLOCK_BYTES / self.unit.max(1)).clamp(1, BLOCK as u64) as usize
    }

    fn blocks_in_order(
        &self,
        input: &Input,
        count: u64,
        each: &mut dyn FnMut(u64, &[u8]) -> ControlFlow<()>,
    ) -> Result<u64, LabelError> {
        if let Held::Packed { len, .. } = self.held {
            // What a deflate stream can hold at most is known before it is unpacked.
            check_ratio(len.min(input.size), count.saturating_mul(self.unit))
                .map_err(|error| read_error(&error))?;
        }
        let mut from = self
            .held
            .reader(input, self.offset)
            .map_err(|error| read_error(&error))?;
        let unit = self.unit as usize;
        let block = self
            .block_elements()
            .min(usize::try_from(count).unwrap_or(usize::MAX));
        let mut buffer = vec![0; block * unit];
        let mut first = 0;
        while first < count {
            let wanted = (count - first).min(block as u64) as usize;
            let Some(space) = buffer.get_mut(..wanted * unit) else {
                break;
            };
            let got = fill(&mut *from, space).map_err(|error| read_error(&error))? / unit;
            let full = space.get(..got * unit).unwrap_or_default();
            if !full.is_empty() && each(first, full).is_break() {
                return Ok(count);
            }
            first += got as u64;
            if got < wanted {
                return Ok(first);
            }
        }
        Ok(count)
    }

    fn blocks_scattered(
        &self,
        input: &Input,
        count: u64,
        each: &mut dyn FnMut(u64, &[u8]) -> ControlFlow<()>,
    ) -> Result<u64, LabelError> {
        let start = self.offset;
        let span = self.end().unwrap_or(u64::MAX).saturating_sub(start);
        if span > MOST_HELD {
            return Err(LabelError::TooLarge {
                size: span,
                limit: MOST_HELD,
            });
        }
        let mut bytes = Vec::new();
        let mut from = self
            .held
            .reader(input, start)
            .map_err(|error| read_error(&error))?;
        std::io::Read::read_to_end(&mut std::io::Read::take(&mut from, span), &mut bytes)
            .map_err(|error| read_error(&error))?;
        if (bytes.len() as u64) < span {
            return Ok(0);
        }
        let shape = self.base_shape();
        let unit = self.unit as usize;
        let mut index = vec![0_u64; shape.len()];
        let mut at = 0_u64;
        let most = self.block_elements() * unit;
        let mut block = Vec::with_capacity(most.min(bytes.len()));
        let mut first = 0;
        for n in 0..count {
            let from = at as usize;
            let Some(element) = bytes.get(from..from.saturating_add(unit)) else {
                return Ok(n);
            };
            block.extend_from_slice(element);
            if block.len() >= most || n + 1 == count {
                if each(first, &block).is_break() {
                    return Ok(count);
                }
                block.clear();
                first = n + 1;
            }
            // The next index, last axis fastest.
            for ((i, &length), &stride) in index.iter_mut().zip(&shape).zip(&self.strides).rev() {
                *i += 1;
                at = at.wrapping_add(stride);
                if *i < length {
                    break;
                }
                at = at.wrapping_sub(stride.wrapping_mul(length));
                *i = 0;
            }
        }
        Ok(count)
    }

    /// All of its numbers, where they are few: for small arrays and tests.
    pub fn numbers(&self, input: &Input) -> Result<Vec<Number>, LabelError> {
        let mut all = Vec::new();
        if let Kind::Number(element) = self.kind {
            let big = self.big_endian;
            self.blocks(input, &mut |_, raw| {
                let decoded = Block::of(raw, element, big);
                let values = decoded.values();
                all.extend((0..values.len()).filter_map(|i| values.get(i)));
                ControlFlow::Continue(())
            })?;
        }
        Ok(all)
    }
}

/// Places of array elements that are given in reading order.
pub(super) struct ArrayPlaces<'a> {
    /// What is common.
    pub common: &'a Place,
    pub shape: &'a [u64],
    /// Index of the block's first element.
    pub first: u64,
}

impl Places for ArrayPlaces<'_> {
    fn index(&self, i: usize) -> u64 {
        self.first + i as u64
    }

    fn place(&self, i: usize) -> Place {
        let mut place = self.common.clone();
        let mut rest = self.index(i);
        let mut index = vec![0; self.shape.len()];
        for (at, &length) in index.iter_mut().zip(self.shape).rev() {
            *at = rest % length.max(1);
            rest /= length.max(1);
        }
        if let Some(row) = index.first() {
            place.row = Some(*row);
        }
        if index.len() > 1 {
            place.index = Some(index);
        }
        place
    }
}
