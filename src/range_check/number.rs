//! One value, exact.

use std::cmp::Ordering;
use std::fmt;

use serde::{Serialize, Serializer};

/// A label value: a whole number exactly, or a floating-point number that is none.
///
/// Always made by [`Number::from`], so that a whole float and the same integer are equal and `-0.0` is `0`.
#[derive(Clone, Copy, Debug)]
pub enum Number {
    /// A whole number; wide enough for every integer type and every whole float below 2^120.
    Int(i128),
    /// A fraction, NaN, an infinity, or a float too large to be held as an integer.
    Float(f64),
}

impl Number {
    /// Not a number.
    pub fn is_nan(self) -> bool {
        matches!(self, Self::Float(x) if x.is_nan())
    }

    /// Plus or minus infinity.
    pub fn is_infinite(self) -> bool {
        matches!(self, Self::Float(x) if x.is_infinite())
    }

    /// A finite number with a fraction.
    pub fn is_fraction(self) -> bool {
        matches!(self, Self::Float(x) if x.is_finite() && x.fract() != 0.0)
    }

    /// The whole number; `None` for anything else.
    pub fn as_int(self) -> Option<i128> {
        match self {
            Self::Int(n) => Some(n),
            Self::Float(_) => None,
        }
    }

    /// As a float, rounded where it must be.
    pub fn as_f64(self) -> f64 {
        match self {
            Self::Int(n) => n as f64,
            Self::Float(x) => x,
        }
    }

    fn rank(self) -> f64 {
        self.as_f64()
    }
}

impl From<f64> for Number {
    fn from(x: f64) -> Self {
        if x.is_finite() && x.fract() == 0.0 && x.abs() < 2_f64.powi(120) {
            Self::Int(x as i128)
        } else {
            Self::Float(x)
        }
    }
}

macro_rules! from_int {
    ($($t:ty),*) => { $(impl From<$t> for Number { fn from(n: $t) -> Self { Self::Int(i128::from(n)) } })* };
}
from_int!(i8, i16, i32, i64, u8, u16, u32, u64, i128);

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Number {}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// By value; NaN behind everything, all NaN equal.
impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        match (*self, *other) {
            (Self::Int(a), Self::Int(b)) => a.cmp(&b),
            _ if self.is_nan() || other.is_nan() => self.is_nan().cmp(&other.is_nan()),
            _ => self
                .rank()
                .total_cmp(&other.rank())
                // A float with a fraction never equals an integer, but it may round to the same.
                .then_with(|| self.as_int().is_none().cmp(&other.as_int().is_none())),
        }
    }
}

impl std::hash::Hash for Number {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        match self {
            Self::Int(n) => n.hash(state),
            Self::Float(x) if x.is_nan() => f64::NAN.to_bits().hash(state),
            Self::Float(x) => x.to_bits().hash(state),
        }
    }
}

/// As JSON and Python print it.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(n) => write!(f, "{n}"),
            Self::Float(x) if x.is_nan() => f.write_str("NaN"),
            Self::Float(x) if x.is_infinite() => {
                f.write_str(if *x > 0.0 { "Infinity" } else { "-Infinity" })
            }
            Self::Float(x) => write!(f, "{x}"),
        }
    }
}

/// Integers exactly, NaN and infinities as strings, as DESIGN's console contract has it.
impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Self::Int(n) => match (i64::try_from(n), u64::try_from(n)) {
                (Ok(n), _) => serializer.serialize_i64(n),
                (_, Ok(n)) => serializer.serialize_u64(n),
                _ => serializer.serialize_f64(n as f64),
            },
            Self::Float(x) if x.is_finite() => serializer.serialize_f64(x),
            Self::Float(_) => serializer.serialize_str(&self.to_string()),
        }
    }
}
