//! The axis that a value indexes: how long it is in the script, and which value goes past it.

use super::known::Known;
use crate::range_check::Number;

/// Elements of a tensor that a script may make: 80 MB of floats, which every machine has.
pub(super) const MOST_ELEMENTS: u64 = 20_000_000;

/// The size of an axis of which nothing is known.
const MADE_SIZE: i128 = 5;

/// An axis and a value outside it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Axis {
    /// Its size.
    pub size: u64,
    /// A value outside its range.
    pub value: i64,
    /// What in it is not as it was in the run.
    pub notes: Vec<String>,
    /// Whether value or size stand in for real ones that are not known.
    pub has_stand_ins: bool,
}

impl Axis {
    /// Smallest and largest allowed value as a text.
    pub(super) fn range(&self, wraps: bool) -> String {
        let lo = if wraps {
            format!("-{}", self.size)
        } else {
            "0".to_owned()
        };
        format!("{lo} to {}", self.size - 1)
    }
}

/// The axis of a failure: real size and value where they are known and agree.
///
/// `size` is the one that shapes tell, `wraps` whether negative values count from the end, `called` what the axis counts.
pub(super) fn axis(known: &Known, size: Option<u64>, wraps: bool, called: &str) -> Axis {
    let stated = known.hi.and_then(Number::as_int).map(|hi| hi + 1);
    let real_size = size
        .map(i128::from)
        .or(stated)
        .filter(|&size| size > 0 && size <= i128::from(i64::MAX));
    let outside = |value: i128, size: i128| {
        let lo = if wraps { -size } else { 0 };
        (value < lo || value >= size) && Some(value) != known.ignore.map(i128::from)
    };
    let real_value = known
        .value
        .and_then(Number::as_int)
        .filter(|&value| i64::try_from(value).is_ok());

    let mut notes = Vec::new();
    let size = real_size.unwrap_or_else(|| {
        // The largest made size that the value still lies outside of.
        match real_value {
            Some(value) if value > 0 => value.min(MADE_SIZE),
            Some(value) if value < -1 && wraps => (-value - 1).min(MADE_SIZE),
            _ => MADE_SIZE,
        }
    });
    let value = real_value.filter(|&value| outside(value, size));
    let taken = value.unwrap_or_else(|| {
        let next = size;
        if outside(next, size) { next } else { next + 1 }
    });
    match (real_size, value) {
        (Some(_), Some(_)) => {}
        (Some(_), None) => notes.push(format!(
            "The real value is not known: {taken}, the smallest above the range, stands in for it."
        )),
        (None, Some(_)) => notes.push(format!(
            "The real number of {called} is not known: {size} stands in for it."
        )),
        (None, None) => notes.push(format!(
            "Neither the value nor the number of {called} is known: the value {taken} and the size {size} stand in for them."
        )),
    }
    let has_stand_ins = !notes.is_empty();
    if size <= i128::from(MOST_ELEMENTS) {
        return Axis {
            size: size as u64,
            value: i64::try_from(taken).unwrap_or(i64::MAX),
            notes,
            has_stand_ins,
        };
    }
    // Too long for any machine to try quickly: the same distance from a shorter axis.
    let short = if taken >= size {
        taken - size + MADE_SIZE
    } else if wraps {
        taken + size - MADE_SIZE
    } else {
        taken
    };
    notes.push(format!(
        "The real {size} {called} are cut to {MADE_SIZE}, and the value {taken} with them: it stays as far outside."
    ));
    Axis {
        size: MADE_SIZE as u64,
        value: i64::try_from(short).unwrap_or(i64::MAX),
        notes,
        has_stand_ins,
    }
}

/// The dimension that is indexed and how many there are; `None` for what no tensor has.
pub(super) fn place(known: &Known, shape: Option<&[u64]>, usual: (usize, usize)) -> (usize, usize) {
    const MOST_DIMENSIONS: usize = 8;
    let rank = shape
        .map(<[u64]>::len)
        .filter(|rank| (1..=MOST_DIMENSIONS).contains(rank));
    let dim = known.dim.and_then(|dim| match (dim, rank) {
        (dim, Some(rank)) if dim < 0 => usize::try_from(dim + rank as i64).ok(),
        (dim, _) => usize::try_from(dim).ok(),
    });
    match (dim, rank) {
        (Some(dim), Some(rank)) if dim < rank => (dim, rank),
        (Some(dim), None) if dim < MOST_DIMENSIONS => (dim, usual.1.max(dim + 1)),
        (None, Some(rank)) => (usual.0.min(rank - 1), rank),
        _ => usual,
    }
}
