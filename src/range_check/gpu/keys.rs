//! A rule as the shader needs it: ends and skipped values as order-preserving keys of one type.

use std::cmp::Ordering;

use super::super::tally::{WINDOW_FROM, WINDOW_TO};
use super::super::{Breach, ElementType, Number, Rule};

/// Fractions are allowed.
const FRACTIONS: u32 = 1;
/// The lower end is above every finite value of the type.
const ALL_BELOW: u32 = 2;
/// The upper end is below every finite value of the type.
const ALL_ABOVE: u32 = 4;
/// NaN is skipped.
const IGNORES_NAN: u32 = 8;

/// Whole numbers below zero that the table holds.
pub(super) const NEGATIVE: u32 = -WINDOW_FROM as u32;
/// Places in the largest table.
pub(super) const MOST_PLACES: u32 = (WINDOW_TO - WINDOW_FROM) as u32;

/// The number of a type in the shader.
pub(super) fn kind(element: ElementType) -> u32 {
    match element {
        ElementType::Bool => 0,
        ElementType::U8 => 1,
        ElementType::I8 => 2,
        ElementType::U16 => 3,
        ElementType::I16 => 4,
        ElementType::U32 => 5,
        ElementType::I32 => 6,
        ElementType::U64 => 7,
        ElementType::I64 => 8,
        ElementType::F16 => 9,
        ElementType::Bf16 => 10,
        ElementType::F32 => 11,
        ElementType::F64 => 12,
    }
}

/// Places in the table that values of a type can have.
pub(super) fn places(element: ElementType) -> u32 {
    let largest: u32 = match element {
        ElementType::Bool => 1,
        ElementType::U8 => 0xff,
        ElementType::I8 => 0x7f,
        ElementType::U16 | ElementType::F16 => 0xffff,
        ElementType::I16 => 0x7fff,
        _ => return MOST_PLACES,
    };
    NEGATIVE + largest + 1
}

/// Keys of the smallest and the largest value of a type, NaN left out and infinities included.
fn ends(element: ElementType) -> (u64, u64) {
    match element {
        ElementType::Bool => (0, 1),
        ElementType::U8 => (0, u64::from(u8::MAX)),
        ElementType::U16 => (0, u64::from(u16::MAX)),
        ElementType::U32 => (0, u64::from(u32::MAX)),
        ElementType::I8 => signed(i32::from(i8::MIN), i32::from(i8::MAX)),
        ElementType::I16 => signed(i32::from(i16::MIN), i32::from(i16::MAX)),
        ElementType::I32 => signed(i32::MIN, i32::MAX),
        ElementType::U64 | ElementType::I64 => (0, u64::MAX),
        ElementType::F16 => (!0xfc00 & 0xffff, 0x7c00 | 0x8000),
        ElementType::Bf16 | ElementType::F32 => float_ends32(),
        ElementType::F64 => (
            !f64::NEG_INFINITY.to_bits(),
            f64::INFINITY.to_bits() | SIGN64,
        ),
    }
}

const SIGN64: u64 = 1 << 63;
const SIGN32: u32 = 1 << 31;

fn signed(from: i32, to: i32) -> (u64, u64) {
    let key = |n: i32| u64::from(n as u32 ^ SIGN32);
    (key(from), key(to))
}

fn float_ends32() -> (u64, u64) {
    let low = u64::from(!f32::NEG_INFINITY.to_bits());
    (low, u64::from(f32::INFINITY.to_bits() | SIGN32))
}

/// The number that a key stands for.
pub(super) fn number(element: ElementType, key: u64) -> Number {
    match element {
        ElementType::Bool
        | ElementType::U8
        | ElementType::U16
        | ElementType::U32
        | ElementType::U64 => Number::from(key),
        ElementType::I8 | ElementType::I16 | ElementType::I32 => {
            Number::from((key as u32 ^ SIGN32) as i32)
        }
        ElementType::I64 => Number::from((key ^ SIGN64) as i64),
        ElementType::F16 => {
            let key = key as u16;
            let bits = if key & 0x8000 == 0 {
                !key
            } else {
                key & 0x7fff
            };
            Number::from(half::f16::from_bits(bits).to_f64())
        }
        ElementType::Bf16 | ElementType::F32 => {
            let key = key as u32;
            let bits = if key & SIGN32 == 0 {
                !key
            } else {
                key & !SIGN32
            };
            Number::from(f64::from(f32::from_bits(bits)))
        }
        ElementType::F64 => {
            let bits = if key & SIGN64 == 0 {
                !key
            } else {
                key & !SIGN64
            };
            Number::from(f64::from_bits(bits))
        }
    }
}

/// The key that the shader gives to this number: -0 has that of 0.
fn canonical(element: ElementType, key: u64) -> u64 {
    if element.is_float() && number(element, key) == Number::Int(0) {
        match element {
            ElementType::F16 => 0x8000,
            ElementType::F64 => SIGN64,
            _ => u64::from(SIGN32),
        }
    } else {
        key
    }
}

/// The smallest key in `from..=to` whose number is not less than this one; `None` where all are.
fn first_from(element: ElementType, (from, to): (u64, u64), end: Number) -> Option<u64> {
    let is_less = |key: u64| number(element, key).cmp(&end) == Ordering::Less;
    if is_less(to) {
        return None;
    }
    let (mut low, mut high) = (from, to);
    while low < high {
        let middle = low + (high - low) / 2;
        if is_less(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    Some(low)
}

/// A rule for values of one type.
///
/// Every decision is made with the order of [`Number`], which is the CPU's: the shader only compares keys.
#[derive(Clone, Debug)]
pub(super) struct Keys {
    pub lo: u64,
    pub hi: u64,
    pub flags: u32,
    /// Skipped values that the type can hold, rising.
    pub ignores: Vec<u64>,
    /// Places in the table, and which of them (`from..to`) hold allowed values.
    pub places: u32,
    pub allowed: (u32, u32),
}

impl Keys {
    pub fn of(rule: &Rule, element: ElementType) -> Self {
        let ends = ends(element);
        let mut flags = u32::from(rule.fractions) * FRACTIONS;
        let mut lo = 0;
        if let Some(end) = rule.lo {
            match first_from(element, ends, end) {
                Some(key) => lo = key,
                None => flags |= ALL_BELOW,
            }
        }
        let mut hi = u64::MAX;
        if let Some(end) = rule.hi {
            match first_above(element, ends, end) {
                Some(key) if key == ends.0 => flags |= ALL_ABOVE,
                Some(key) => hi = key - 1,
                None => {}
            }
        }
        let mut ignores: Vec<u64> = rule
            .ignore
            .iter()
            .filter(|value| !value.is_nan())
            .filter_map(|value| {
                let key = first_from(element, ends, *value)?;
                (number(element, key) == *value).then(|| canonical(element, key))
            })
            .collect();
        ignores.sort_unstable();
        ignores.dedup();
        if rule.ignore.iter().any(|value| value.is_nan()) {
            flags |= IGNORES_NAN;
        }
        let places = places(element);
        Self {
            lo,
            hi,
            flags,
            ignores,
            places,
            allowed: allowed(rule, places),
        }
    }
}

/// The smallest key whose number is greater than this one; `None` where none is.
fn first_above(element: ElementType, (from, to): (u64, u64), end: Number) -> Option<u64> {
    let is_above = |key: u64| number(element, key).cmp(&end) == Ordering::Greater;
    if !is_above(to) {
        return None;
    }
    let (mut low, mut high) = (from, to);
    while low < high {
        let middle = low + (high - low) / 2;
        if is_above(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Some(low)
}

/// The number at a place of the table.
pub(super) fn at_place(place: u32) -> Number {
    Number::from(i64::from(place) + WINDOW_FROM)
}

/// Which places hold allowed values, whether they are skipped or not.
fn allowed(rule: &Rule, places: u32) -> (u32, u32) {
    let first = |holds: &dyn Fn(Number) -> bool| {
        let (mut low, mut high) = (0, places);
        while low < high {
            let middle = low + (high - low) / 2;
            if holds(at_place(middle)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        low
    };
    let from = first(&|n| rule.lo.is_none_or(|lo| n >= lo));
    let to = first(&|n| rule.hi.is_some_and(|hi| n > hi));
    (from, to)
}

/// Ways to break a rule, in the order of the shader's numbers.
pub(super) const WAYS: [Breach; 5] = Breach::ALL;
