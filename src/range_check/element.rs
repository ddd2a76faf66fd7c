//! The types that values come in.

use super::Number;

/// Type of one element of an array, as NumPy and PyTorch have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ElementType {
    /// One byte, 0 or 1.
    Bool,
    /// 8 bits, unsigned.
    U8,
    /// 8 bits, signed.
    I8,
    /// 16 bits, unsigned.
    U16,
    /// 16 bits, signed.
    I16,
    /// 32 bits, unsigned.
    U32,
    /// 32 bits, signed.
    I32,
    /// 64 bits, unsigned.
    U64,
    /// 64 bits, signed.
    I64,
    /// IEEE half precision.
    F16,
    /// bfloat16, the upper half of a single.
    Bf16,
    /// IEEE single precision.
    F32,
    /// IEEE double precision.
    F64,
}

impl ElementType {
    /// All, whole numbers before floating-point ones.
    pub const ALL: [Self; 13] = [
        Self::Bool,
        Self::U8,
        Self::I8,
        Self::U16,
        Self::I16,
        Self::U32,
        Self::I32,
        Self::U64,
        Self::I64,
        Self::F16,
        Self::Bf16,
        Self::F32,
        Self::F64,
    ];

    /// Bytes of one element.
    pub fn size(self) -> u64 {
        match self {
            Self::Bool | Self::U8 | Self::I8 => 1,
            Self::U16 | Self::I16 | Self::F16 | Self::Bf16 => 2,
            Self::U32 | Self::I32 | Self::F32 => 4,
            Self::U64 | Self::I64 | Self::F64 => 8,
        }
    }

    /// Whether it is a floating-point type.
    pub fn is_float(self) -> bool {
        matches!(self, Self::F16 | Self::Bf16 | Self::F32 | Self::F64)
    }

    /// The name PyTorch and NumPy share (`int64`, `float32`, `bool`).
    pub fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::U8 => "uint8",
            Self::I8 => "int8",
            Self::U16 => "uint16",
            Self::I16 => "int16",
            Self::U32 => "uint32",
            Self::I32 => "int32",
            Self::U64 => "uint64",
            Self::I64 => "int64",
            Self::F16 => "float16",
            Self::Bf16 => "bfloat16",
            Self::F32 => "float32",
            Self::F64 => "float64",
        }
    }
}

/// A block of values in native byte order.
#[derive(Clone, Copy, Debug)]
pub enum Values<'a> {
    /// Any byte but 0 counts as 1.
    Bool(&'a [u8]),
    /// `uint8`
    U8(&'a [u8]),
    /// `int8`
    I8(&'a [i8]),
    /// `uint16`
    U16(&'a [u16]),
    /// `int16`
    I16(&'a [i16]),
    /// `uint32`
    U32(&'a [u32]),
    /// `int32`
    I32(&'a [i32]),
    /// `uint64`
    U64(&'a [u64]),
    /// `int64`
    I64(&'a [i64]),
    /// `float16`, as its bits.
    F16(&'a [u16]),
    /// `bfloat16`, as its bits.
    Bf16(&'a [u16]),
    /// `float32`
    F32(&'a [f32]),
    /// `float64`
    F64(&'a [f64]),
    /// Whatever a text held, mixed.
    Numbers(&'a [Number]),
}

impl Values<'_> {
    /// How many.
    pub fn len(&self) -> usize {
        match self {
            Self::Bool(v) | Self::U8(v) => v.len(),
            Self::I8(v) => v.len(),
            Self::U16(v) | Self::F16(v) | Self::Bf16(v) => v.len(),
            Self::I16(v) => v.len(),
            Self::U32(v) => v.len(),
            Self::I32(v) => v.len(),
            Self::U64(v) => v.len(),
            Self::I64(v) => v.len(),
            Self::F32(v) => v.len(),
            Self::F64(v) => v.len(),
            Self::Numbers(v) => v.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One value; `None` past the end.
    pub fn get(&self, i: usize) -> Option<Number> {
        Some(match self {
            Self::Bool(v) => Number::from(u8::from(*v.get(i)? != 0)),
            Self::U8(v) => Number::from(*v.get(i)?),
            Self::I8(v) => Number::from(*v.get(i)?),
            Self::U16(v) => Number::from(*v.get(i)?),
            Self::I16(v) => Number::from(*v.get(i)?),
            Self::U32(v) => Number::from(*v.get(i)?),
            Self::I32(v) => Number::from(*v.get(i)?),
            Self::U64(v) => Number::from(*v.get(i)?),
            Self::I64(v) => Number::from(*v.get(i)?),
            Self::F16(v) => Number::from(half::f16::from_bits(*v.get(i)?).to_f64()),
            Self::Bf16(v) => Number::from(half::bf16::from_bits(*v.get(i)?).to_f64()),
            Self::F32(v) => Number::from(f64::from(*v.get(i)?)),
            Self::F64(v) => Number::from(*v.get(i)?),
            Self::Numbers(v) => *v.get(i)?,
        })
    }
}
