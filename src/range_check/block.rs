//! Bytes of a file to a block of values.

use super::tally::Tally;
use super::{ElementType, Values};

/// Values in native byte order. Half precision is widened, which is exact.
#[derive(Debug)]
pub struct Block(Native);

#[derive(Debug)]
enum Native {
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
    /// The values that these bytes hold. What is no whole value at the end is left out.
    pub fn of(
        bytes: impl AsRef<[u8]> + Into<Vec<u8>>,
        element: ElementType,
        big_endian: bool,
    ) -> Self {
        let big = big_endian;
        Self(match element {
            ElementType::Bool => Native::Bool(bytes.into()),
            ElementType::U8 => Native::U8(bytes.into()),
            ElementType::I8 => Native::I8(decode(bytes.as_ref(), big, i8::from_le_bytes)),
            ElementType::U16 => Native::U16(decode(bytes.as_ref(), big, u16::from_le_bytes)),
            ElementType::I16 => Native::I16(decode(bytes.as_ref(), big, i16::from_le_bytes)),
            ElementType::U32 => Native::U32(decode(bytes.as_ref(), big, u32::from_le_bytes)),
            ElementType::I32 => Native::I32(decode(bytes.as_ref(), big, i32::from_le_bytes)),
            ElementType::U64 => Native::U64(decode(bytes.as_ref(), big, u64::from_le_bytes)),
            ElementType::I64 => Native::I64(decode(bytes.as_ref(), big, i64::from_le_bytes)),
            ElementType::F16 => Native::F32(decode(bytes.as_ref(), big, |b| {
                half::f16::from_le_bytes(b).to_f32()
            })),
            ElementType::Bf16 => Native::F32(decode(bytes.as_ref(), big, |b| {
                half::bf16::from_le_bytes(b).to_f32()
            })),
            ElementType::F32 => Native::F32(decode(bytes.as_ref(), big, f32::from_le_bytes)),
            ElementType::F64 => Native::F64(decode(bytes.as_ref(), big, f64::from_le_bytes)),
        })
    }

    /// The values.
    pub fn values(&self) -> Values<'_> {
        match &self.0 {
            Native::Bool(v) => Values::Bool(v),
            Native::U8(v) => Values::U8(v),
            Native::I8(v) => Values::I8(v),
            Native::U16(v) => Values::U16(v),
            Native::I16(v) => Values::I16(v),
            Native::U32(v) => Values::U32(v),
            Native::I32(v) => Values::I32(v),
            Native::U64(v) => Values::U64(v),
            Native::I64(v) => Values::I64(v),
            Native::F32(v) => Values::F32(v),
            Native::F64(v) => Values::F64(v),
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
