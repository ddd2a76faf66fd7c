//! Bytes of a file to a block of values.

use super::tally::Tally;
use super::{ElementType, Values};

/// Values in native byte order. Half precision is widened, which is exact.
#[derive(Debug)]
pub(super) enum Block {
    /// Any byte but 0 counts as 1.
    Bool(Vec<u8>),
    U8(Vec<u8>),
    I8(Vec<i8>),
    U16(Vec<u16>),
    I16(Vec<i16>),
    U32(Vec<u32>),
    I32(Vec<i32>),
    U64(Vec<u64>),
    I64(Vec<i64>),
    F32(Vec<f32>),
    F64(Vec<f64>),
}

/// Numbers of a fixed width out of bytes.
fn decode<const N: usize, T>(
    bytes: &[u8],
    big_endian: bool,
    from: impl Fn([u8; N]) -> T,
) -> Vec<T> {
    let (chunks, _) = bytes.as_chunks::<N>();
    if big_endian {
        let turned = |chunk: &[u8; N]| {
            let mut chunk = *chunk;
            chunk.reverse();
            from(chunk)
        };
        chunks.iter().map(turned).collect()
    } else {
        chunks.iter().map(|chunk| from(*chunk)).collect()
    }
}

impl Block {
    /// The values that these bytes hold.
    pub fn of(bytes: Vec<u8>, element: ElementType, big_endian: bool) -> Self {
        let big = big_endian;
        match element {
            ElementType::Bool => Self::Bool(bytes),
            ElementType::U8 => Self::U8(bytes),
            ElementType::I8 => Self::I8(decode(&bytes, big, i8::from_le_bytes)),
            ElementType::U16 => Self::U16(decode(&bytes, big, u16::from_le_bytes)),
            ElementType::I16 => Self::I16(decode(&bytes, big, i16::from_le_bytes)),
            ElementType::U32 => Self::U32(decode(&bytes, big, u32::from_le_bytes)),
            ElementType::I32 => Self::I32(decode(&bytes, big, i32::from_le_bytes)),
            ElementType::U64 => Self::U64(decode(&bytes, big, u64::from_le_bytes)),
            ElementType::I64 => Self::I64(decode(&bytes, big, i64::from_le_bytes)),
            ElementType::F16 => Self::F32(decode(&bytes, big, |b| {
                half::f16::from_le_bytes(b).to_f32()
            })),
            ElementType::Bf16 => Self::F32(decode(&bytes, big, |b| {
                half::bf16::from_le_bytes(b).to_f32()
            })),
            ElementType::F32 => Self::F32(decode(&bytes, big, f32::from_le_bytes)),
            ElementType::F64 => Self::F64(decode(&bytes, big, f64::from_le_bytes)),
        }
    }

    /// The values.
    pub fn values(&self) -> Values<'_> {
        match self {
            Self::Bool(v) => Values::Bool(v),
            Self::U8(v) => Values::U8(v),
            Self::I8(v) => Values::I8(v),
            Self::U16(v) => Values::U16(v),
            Self::I16(v) => Values::I16(v),
            Self::U32(v) => Values::U32(v),
            Self::I32(v) => Values::I32(v),
            Self::U64(v) => Values::U64(v),
            Self::I64(v) => Values::I64(v),
            Self::F32(v) => Values::F32(v),
            Self::F64(v) => Values::F64(v),
        }
    }
}

impl Tally<'_> {
    /// Counts values of any type; the offsets of the offenders are added to `offenders`, rising.
    pub fn values(
        &mut self,
        values: Values<'_>,
        index: impl Fn(usize) -> u64,
        offenders: &mut Vec<u32>,
    ) {
        match values {
            Values::Bool(v) => {
                let ones: Vec<u8> = v.iter().map(|byte| u8::from(*byte != 0)).collect();
                self.block(&ones, index, offenders);
            }
            Values::U8(v) => self.block(v, index, offenders),
            Values::I8(v) => self.block(v, index, offenders),
            Values::U16(v) => self.block(v, index, offenders),
            Values::I16(v) => self.block(v, index, offenders),
            Values::U32(v) => self.block(v, index, offenders),
            Values::I32(v) => self.block(v, index, offenders),
            Values::U64(v) => self.block(v, index, offenders),
            Values::I64(v) => self.block(v, index, offenders),
            Values::F16(v) => {
                let wide: Vec<f32> = v
                    .iter()
                    .map(|b| half::f16::from_bits(*b).to_f32())
                    .collect();
                self.block(&wide, index, offenders);
            }
            Values::Bf16(v) => {
                let wide: Vec<f32> = v
                    .iter()
                    .map(|b| half::bf16::from_bits(*b).to_f32())
                    .collect();
                self.block(&wide, index, offenders);
            }
            Values::F32(v) => self.block(v, index, offenders),
            Values::F64(v) => self.block(v, index, offenders),
            Values::Numbers(v) => self.block(v, index, offenders),
        }
    }
}
