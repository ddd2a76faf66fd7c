//! Token ids without a header, as nanoGPT writes them, and with that of llm.c.

use std::sync::Arc;

use super::array::Array;
use super::choose::Chosen;
use super::dtype::{DType, Kind};
use super::give::Giver;
use super::held::{Input, malformed};
use crate::labels::{LabelError, Place, Role, TroubleKind};
use crate::range_check::ElementType;

/// llm.c's header: 256 numbers of 32 bits.
const HEADER: u64 = 1024;
/// Its first number, for ids of 16 and of 32 bits.
const MAGIC_16: u32 = 20_240_520;
const MAGIC_32: u32 = 20_240_801;
/// Bytes that the width is guessed from.
const LOOKED_AT: u64 = 1 << 20;
/// Fewer pairs than this tell nothing.
const FEWEST_PAIRS: usize = 16;

/// Whether a file has llm.c's header.
pub(super) fn has_header(head: &[u8]) -> bool {
    let first = head
        .as_chunks::<4>()
        .0
        .first()
        .map(|&bytes| u32::from_le_bytes(bytes));
    matches!(first, Some(MAGIC_16 | MAGIC_32))
}

/// Reads the ids of a file.
pub(super) fn read(input: &Input, giver: &mut Giver<'_>) -> Result<(), LabelError> {
    let head = input.head(LOOKED_AT)?;
    let words = head.as_chunks::<4>().0;
    let word = |n: usize| words.get(n).map(|&bytes| u32::from_le_bytes(bytes));
    let (start, width, announced) = match word(0) {
        Some(magic @ (MAGIC_16 | MAGIC_32)) if input.size >= HEADER => {
            let width = if magic == MAGIC_16 { 2 } else { 4 };
            (HEADER, width, word(2).map(u64::from))
        }
        _ => {
            let width = giver
                .wanted
                .token_width
                .filter(|width| matches!(width, 2 | 4));
            (
                0,
                width.unwrap_or_else(|| guess_width(&head, input.size)),
                None,
            )
        }
    };
    let bytes = input.size - start;
    let there = bytes / width;
    if there == 0 {
        return Err(malformed("no token in it"));
    }
    let place = Place::file(Arc::clone(&input.path));
    match announced {
        Some(of) if there < of => {
            giver.trouble(TroubleKind::CutShort { read: there, of }, place);
        }
        None if bytes % width != 0 => {
            let read = there * width;
            giver.trouble(TroubleKind::CutShort { read, of: bytes }, place);
        }
        _ => {}
    }
    let element = if width == 2 {
        ElementType::U16
    } else {
        ElementType::U32
    };
    let dtype = DType {
        kind: Kind::Number(element),
        size: width,
        big_endian: false,
    };
    let count = announced.map_or(there, |of| of.min(there));
    let array = Array::dense(dtype, vec![count], false, input.whole(), start)?;
    let chosen = Chosen {
        index: 0,
        role: Some(Role::Token),
        guessed: false,
        slice: None,
        if_whole: false,
        rows: false,
    };
    giver.as_they_are = false;
    giver.array(&array, None, None, &chosen)?;
    giver.finish(&[])
}

/// 4 where every second half is 0 or 1, as it is in 32-bit ids below 131,072; else 2.
fn guess_width(head: &[u8], size: u64) -> u64 {
    let pairs = head.as_chunks::<4>().0;
    let high = |pair: &[u8; 4]| u16::from_le_bytes([pair[2], pair[3]]);
    let low = |pair: &[u8; 4]| u16::from_le_bytes([pair[0], pair[1]]);
    let wide = size.is_multiple_of(4)
        && pairs.len() >= FEWEST_PAIRS
        && pairs.iter().all(|pair| high(pair) <= 1)
        && pairs.iter().any(|pair| low(pair) > 1);
    if wide { 4 } else { 2 }
}
