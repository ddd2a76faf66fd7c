//! IDX, as MNIST and its relatives come, plain or gzipped.

use std::sync::Arc;

use super::array::Array;
use super::choose::Chosen;
use super::dtype::{DType, Kind, product};
use super::give::Giver;
use super::held::{Held, Input, fill, malformed};
use super::names::{Told, tell};
use crate::labels::file::read_error;
use crate::labels::{LabelError, Place, Role, TroubleKind};
use crate::range_check::ElementType;

/// What the first bytes say.
pub(super) struct Header {
    pub element: ElementType,
    pub shape: Vec<u64>,
    /// Byte where the elements begin.
    pub data: u64,
}

/// Of the first bytes of a file, unpacked; `None` where they are no IDX or too few.
pub(super) fn header(head: &[u8]) -> Option<Header> {
    let &[0, 0, code, axes, ..] = head else {
        return None;
    };
    let element = match code {
        0x08 => ElementType::U8,
        0x09 => ElementType::I8,
        0x0b => ElementType::I16,
        0x0c => ElementType::I32,
        0x0d => ElementType::F32,
        0x0e => ElementType::F64,
        _ => return None,
    };
    let data = 4 + 4 * usize::from(axes);
    let sizes = head.get(4..data)?.as_chunks::<4>().0;
    (1..=8).contains(&axes).then(|| Header {
        element,
        shape: sizes
            .iter()
            .map(|&size| u32::from_be_bytes(size).into())
            .collect(),
        data: data as u64,
    })
}

/// Reads the labels of a file.
pub(super) fn read(input: &Input, giver: &mut Giver<'_>) -> Result<(), LabelError> {
    let gzip = input.is_gzip()?;
    let held = if gzip {
        Held::Packed {
            start: 0,
            len: input.size,
            gzip,
        }
    } else {
        input.whole()
    };
    let mut head = vec![0; 64];
    let got = held
        .reader(input, 0)
        .and_then(|mut from| fill(&mut *from, &mut head))
        .map_err(|error| read_error(&error))?;
    head.truncate(got);
    let header = header(&head).ok_or_else(|| malformed("no IDX header"))?;
    let name = input.path.file_name().unwrap_or_default().to_string_lossy();
    let labels = matches!(tell(&name), Told::Label);
    if header.shape.len() >= 3 && !labels || header.shape.len() == 2 && name.contains("image") {
        return Err(LabelError::NotLabels("IDX pictures".to_owned()));
    }
    let dtype = DType {
        kind: Kind::Number(header.element),
        size: header.element.size(),
        big_endian: true,
    };
    let announced = product(&header.shape)
        .filter(|n| n.checked_mul(dtype.size).is_some())
        .ok_or_else(|| malformed("sizes that are too large for any file"))?;
    let mut shape = header.shape;
    let there = held.len().unwrap_or(u64::MAX).saturating_sub(header.data) / dtype.size;
    if there < announced {
        // The rows that are there are read.
        let row = announced / shape.first().copied().unwrap_or(1).max(1);
        let rows = there / row.max(1);
        let cut = (there, announced);
        if rows == 0 {
            return Err(LabelError::CutShort {
                read: cut.0,
                of: cut.1,
            });
        }
        if let Some(first) = shape.first_mut() {
            *first = rows;
        }
        let place = Place::file(Arc::clone(&input.path));
        giver.trouble(
            TroubleKind::CutShort {
                read: cut.0,
                of: cut.1,
            },
            place,
        );
    }
    let array = Array::dense(dtype, shape, false, held, header.data)?;
    let chosen = Chosen {
        index: 0,
        role: labels.then_some(Role::Class),
        guessed: !labels,
        slice: column(giver, &array),
        if_whole: false,
        rows: false,
    };
    // Every reader of these files makes int64 of them.
    giver.as_they_are = false;
    giver.array(&array, None, None, &chosen)?;
    giver.finish(&[])
}

fn column(giver: &Giver<'_>, array: &Array) -> Option<u64> {
    let n = giver.wanted.column.as_ref()?.parse().ok()?;
    array.column(n).map(|_| n)
}
