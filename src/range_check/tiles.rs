//! How an array in a file is cut into tiles that are read at once.

use std::io;

use super::{Blocks, Dense};

/// Bytes of one tile.
const TILE_BYTES: u64 = 1 << 20;

/// Values of one tile.
const TILE_VALUES: u64 = 1 << 20;

/// Rows of one tile that are read one by one.
const TILE_ROWS: u64 = 4096;

/// A gap up to this size is read and thrown away: one larger read beats two small ones.
const MOST_GAP: u64 = 4096;

/// One axis of the array as it lies in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Axis {
    /// Its length.
    length: u64,
    /// Bytes between neighbours.
    stride: u64,
    /// Ranks in reading order between neighbours.
    step: u64,
}

/// An array cut into tiles, in the order of the file's bytes.
#[derive(Debug)]
pub(super) struct Tiles {
    offset: u64,
    element: u64,
    /// Axes that a tile picks one place of, outermost first.
    outer: Vec<Axis>,
    /// The axis that a tile takes a piece of.
    row: Axis,
    /// Pieces of that axis, and how long each is.
    pieces: u64,
    rows: u64,
    /// Axes that a tile holds whole.
    inner: Vec<Axis>,
    /// Values and bytes of one place on `row`: what the inner axes hold.
    inner_values: u64,
    inner_span: u64,
    /// Reading order and order of the bytes are the same.
    pub in_order: bool,
}

/// The values of a tile: their bytes in its own order, and where they stand.
#[derive(Debug, Default)]
pub(super) struct Tile {
    /// Element after element, without gaps.
    pub bytes: Vec<u8>,
    /// Where they stand.
    pub place: TilePlace,
}

/// Where the values of a tile stand.
#[derive(Debug, Default)]
pub(super) struct TilePlace {
    /// Rank of the first value in reading order.
    pub first: u64,
    /// Byte of the first value in the file.
    at: u64,
    /// Places of the tile's own axis.
    rows: u64,
    /// Axes of the tile, outermost first: length, ranks between neighbours.
    axes: Vec<(u64, u64)>,
}

impl TilePlace {
    /// Rank of value `i` in reading order.
    pub fn index(&self, i: usize) -> u64 {
        if let [(_, step)] = self.axes.as_slice() {
            return self.first + i as u64 * step;
        }
        let mut rest = i as u64;
        let mut index = self.first;
        for (length, step) in self.axes.iter().rev() {
            index += rest % length * step;
            rest /= length;
        }
        index
    }

    /// The values stand side by side in reading order.
    pub fn is_run(&self) -> bool {
        matches!(self.axes.as_slice(), [(_, 1)])
    }
}

fn overflow() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "sizes beyond 64 bits")
}

/// Bytes from the first to the last element of some axes.
fn span(axes: &[Axis], element: u64) -> Option<u64> {
    axes.iter().try_fold(element, |span, axis| {
        span.checked_add((axis.length - 1).checked_mul(axis.stride)?)
    })
}

fn product(axes: &[Axis]) -> Option<u64> {
    axes.iter()
        .try_fold(1_u64, |product, axis| product.checked_mul(axis.length))
}

impl Tiles {
    /// Cuts an array. `None` where it holds no value.
    pub fn of(dense: &Dense) -> io::Result<Option<Self>> {
        Self::sized(dense, TILE_BYTES)
    }

    /// Cuts an array into tiles of about so many bytes, at most [`TILE_BYTES`].
    pub fn sized(dense: &Dense, bytes: u64) -> io::Result<Option<Self>> {
        if dense.shape.len() != dense.strides.len() {
            let text = "as many strides as axes are needed";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        }
        if dense.shape.contains(&0) {
            return Ok(None);
        }
        let element = dense.element.size();
        let mut axes = axes(dense).ok_or_else(overflow)?;
        let whole = span(&axes, element).ok_or_else(overflow)?;
        dense.offset.checked_add(whole).ok_or_else(overflow)?;
        product(&axes).ok_or_else(overflow)?;
        let in_order = axes.is_sorted_by(|a, b| a.stride >= b.stride);
        if !in_order {
            axes.sort_by_key(|axis| std::cmp::Reverse(axis.stride));
        }
        Ok(Some(Self::cut(
            dense.offset,
            element,
            &axes,
            in_order,
            bytes,
        )))
    }

    fn cut(offset: u64, element: u64, axes: &[Axis], in_order: bool, bytes: u64) -> Self {
        // The outermost axis of which at least one place fits into a tile.
        let fits = |inner: &[Axis]| {
            span(inner, element).is_some_and(|span| span <= bytes)
                && product(inner).is_some_and(|values| values <= TILE_VALUES)
        };
        let at = (0..axes.len())
            .find(|at| fits(axes.get(at + 1..).unwrap_or_default()))
            .unwrap_or_default();
        let inner = axes.get(at + 1..).unwrap_or_default().to_vec();
        let row = axes.get(at).copied().unwrap_or(Axis {
            length: 1,
            stride: element,
            step: 1,
        });
        let inner_span = span(&inner, element).unwrap_or(element);
        let inner_values = product(&inner).unwrap_or(1);
        let by_bytes = if row.stride > inner_span.saturating_add(MOST_GAP) {
            (bytes / inner_span).min(TILE_ROWS)
        } else {
            1 + bytes.saturating_sub(inner_span) / row.stride.max(1)
        };
        let rows = by_bytes
            .min(TILE_VALUES / inner_values)
            .clamp(1, row.length);
        Self {
            offset,
            element,
            outer: axes.get(..at).unwrap_or_default().to_vec(),
            row,
            pieces: row.length.div_ceil(rows),
            rows,
            inner,
            inner_values,
            inner_span,
            in_order,
        }
    }

    /// How many tiles.
    pub fn count(&self) -> u64 {
        product(&self.outer)
            .and_then(|outer| outer.checked_mul(self.pieces))
            .unwrap_or(u64::MAX)
    }

    /// Values of one tile.
    #[cfg(feature = "gpu-check")]
    pub fn values(&self, tile: u64) -> u64 {
        let begin = tile % self.pieces * self.rows;
        self.rows.min(self.row.length - begin) * self.inner_values
    }

    /// Bytes of all values.
    pub fn bytes(&self) -> u64 {
        product(&self.outer)
            .and_then(|outer| outer.checked_mul(self.row.length))
            .and_then(|rows| rows.checked_mul(self.inner_values * self.element))
            .unwrap_or(u64::MAX)
    }

    /// Where the values of one tile stand.
    pub fn place(&self, tile: u64) -> TilePlace {
        let mut rest = tile / self.pieces;
        let begin = tile % self.pieces * self.rows;
        let rows = self.rows.min(self.row.length - begin);
        let mut at = self.offset + begin * self.row.stride;
        let mut first = begin * self.row.step;
        for axis in self.outer.iter().rev() {
            let place = rest % axis.length;
            rest /= axis.length;
            at += place * axis.stride;
            first += place * axis.step;
        }
        let mut axes = vec![(rows, self.row.step)];
        axes.extend(self.inner.iter().map(|axis| (axis.length, axis.step)));
        TilePlace {
            first,
            at,
            rows,
            axes,
        }
    }

    /// Reads one tile.
    pub fn read(&self, tile: u64, blocks: &dyn Blocks, buffer: &mut Vec<u8>) -> io::Result<Tile> {
        let place = self.place(tile);
        let (at, rows) = (place.at, place.rows);
        let values = rows * self.inner_values;
        let bytes = (values * self.element) as usize;
        let dense_rows = self.inner_span == self.inner_values * self.element;
        if dense_rows && self.row.stride == self.inner_span {
            let mut bytes = vec![0; bytes];
            blocks.read_at(at, &mut bytes)?;
            return Ok(Tile { bytes, place });
        }
        let mut out = Vec::with_capacity(bytes);
        let apart = self.row.stride > self.inner_span.saturating_add(MOST_GAP);
        if apart {
            buffer.resize(self.inner_span as usize, 0);
            for row in 0..rows {
                blocks.read_at(at + row * self.row.stride, buffer)?;
                self.gather(buffer, 0, &mut out);
            }
        } else {
            let span = (rows - 1) * self.row.stride + self.inner_span;
            buffer.resize(span as usize, 0);
            blocks.read_at(at, buffer)?;
            for row in 0..rows {
                self.gather(buffer, row * self.row.stride, &mut out);
            }
        }
        Ok(Tile { bytes: out, place })
    }

    /// The elements of the inner axes, from this byte of the buffer on.
    fn gather(&self, buffer: &[u8], at: u64, out: &mut Vec<u8>) {
        let element = self.element as usize;
        for i in 0..self.inner_values {
            let mut rest = i;
            let mut byte = at;
            for axis in self.inner.iter().rev() {
                byte += rest % axis.length * axis.stride;
                rest /= axis.length;
            }
            let byte = byte as usize;
            // The buffer holds the whole span; a byte outside it would be a fault of this function.
            let value = buffer.get(byte..byte + element).unwrap_or_default();
            debug_assert_eq!(value.len(), element);
            out.extend_from_slice(value);
        }
    }
}

/// The axes that matter, with neighbours that form one run put together. `None` where a size passes 64 bits.
fn axes(dense: &Dense) -> Option<Vec<Axis>> {
    let mut step = 1_u64;
    let mut merged: Vec<Axis> = Vec::new();
    for (&length, &stride) in dense.shape.iter().zip(&dense.strides).rev() {
        let axis = Axis {
            length,
            stride,
            step,
        };
        step = step.checked_mul(length)?;
        // An axis of one place, or one along which the same values repeat.
        if length == 1 || stride == 0 {
            continue;
        }
        match merged.last_mut() {
            Some(last)
                if last.length.checked_mul(last.stride) == Some(axis.stride)
                    && last.length.checked_mul(last.step) == Some(axis.step) =>
            {
                last.length = last.length.checked_mul(axis.length)?;
            }
            _ => merged.push(axis),
        }
    }
    merged.reverse();
    Some(merged)
}
