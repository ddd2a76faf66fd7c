//! NumPy's element types, as its headers and pickles write them.

use super::held::malformed;
use super::literal::Literal;
use crate::labels::LabelError;
use crate::range_check::ElementType;

/// What one element is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    /// A number.
    Number(ElementType),
    /// Text of a fixed width: UTF-32 (`<U4`) where `wide`, else bytes (`|S4`).
    Text { wide: bool },
    /// References to Python objects.
    Objects,
    /// A record of fields.
    Fields(Vec<Field>),
    /// A type that no label has, as NumPy writes it.
    Other(String),
}

/// An element type.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct DType {
    pub kind: Kind,
    /// Bytes of one element.
    pub size: u64,
    pub big_endian: bool,
}

/// One field of a record.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Field {
    pub name: String,
    /// Bytes from the record's beginning.
    pub offset: u64,
    pub dtype: DType,
    /// Shape of a field that is an array itself.
    pub shape: Vec<u64>,
}

/// Deeper records are refused.
const MOST_NESTED: usize = 8;
/// NumPy itself refuses items that are larger.
const MOST_ITEM: u64 = i32::MAX as u64;

impl DType {
    /// Of a string such as `<i8`, `|u1`, `<U12`, `i4`.
    pub fn of_text(text: &str) -> Result<Self, LabelError> {
        let unknown = || malformed(format!("element type {text:?}"));
        let (order, rest) = match text.as_bytes().first() {
            Some(b'<' | b'>' | b'|' | b'=') => text.split_at(1),
            _ => ("=", text),
        };
        let mut letters = rest.chars();
        let letter = letters.next().ok_or_else(unknown)?;
        let tail = letters.as_str();
        let digits = tail
            .find(|c: char| !c.is_ascii_digit())
            .map_or(tail, |end| tail.get(..end).unwrap_or_default());
        let width: u64 = match digits {
            "" => 0,
            digits => digits.parse().map_err(|_digits| unknown())?,
        };
        if width > MOST_ITEM / 4 {
            return Err(unknown());
        }
        let other = || Kind::Other(text.to_owned());
        let number = |element: Option<ElementType>| element.map_or_else(other, Kind::Number);
        let kind = match letter {
            '?' => Kind::Number(ElementType::Bool),
            'b' if digits.is_empty() => Kind::Number(ElementType::I8),
            'B' if digits.is_empty() => Kind::Number(ElementType::U8),
            'b' => number((width == 1).then_some(ElementType::Bool)),
            'i' => number(match width {
                1 => Some(ElementType::I8),
                2 => Some(ElementType::I16),
                4 => Some(ElementType::I32),
                8 => Some(ElementType::I64),
                _ => None,
            }),
            'u' => number(match width {
                1 => Some(ElementType::U8),
                2 => Some(ElementType::U16),
                4 => Some(ElementType::U32),
                8 => Some(ElementType::U64),
                _ => None,
            }),
            'f' => number(match width {
                2 => Some(ElementType::F16),
                4 => Some(ElementType::F32),
                8 => Some(ElementType::F64),
                _ => None,
            }),
            'U' => Kind::Text { wide: true },
            'S' | 'a' => Kind::Text { wide: false },
            'O' => Kind::Objects,
            'V' | 'c' | 'm' | 'M' | 'g' | 'G' | 'F' | 'D' => other(),
            _ => return Err(unknown()),
        };
        let size = match &kind {
            Kind::Number(element) => element.size(),
            Kind::Text { wide: true } => width * 4,
            Kind::Objects => 8,
            _ => width,
        };
        Ok(Self {
            kind,
            size,
            big_endian: order == ">",
        })
    }

    /// Of the `descr` of a header: a string, or a list of fields.
    pub fn of_literal(descr: &Literal) -> Result<Self, LabelError> {
        Self::nested(descr, 0)
    }

    fn nested(descr: &Literal, depth: usize) -> Result<Self, LabelError> {
        if depth > MOST_NESTED {
            return Err(LabelError::TooDeep);
        }
        match descr {
            Literal::Text(text) => Self::of_text(text),
            Literal::List(list) => {
                let mut fields = Vec::new();
                let mut offset = 0_u64;
                for field in list {
                    let Literal::Tuple(parts) = field else {
                        return Err(malformed("a field of the header is no tuple"));
                    };
                    let (name, of, shape) = match parts.as_slice() {
                        [name, of] => (name, of, Vec::new()),
                        [name, of, shape] => (name, of, shape.as_shape()?),
                        _ => return Err(malformed("a field of the header has no name and type")),
                    };
                    let name = match name {
                        Literal::Text(name) => name.clone(),
                        // A title and a name.
                        Literal::Tuple(both) => match both.as_slice() {
                            [_, Literal::Text(name)] => name.clone(),
                            _ => return Err(malformed("a field without a name")),
                        },
                        _ => return Err(malformed("a field without a name")),
                    };
                    let dtype = Self::nested(of, depth + 1)?;
                    let bytes = product(&shape)
                        .and_then(|n| n.checked_mul(dtype.size))
                        .and_then(|bytes| offset.checked_add(bytes))
                        .filter(|&end| end <= MOST_ITEM)
                        .ok_or_else(|| malformed("a record that is too large"))?;
                    if !name.is_empty() {
                        fields.push(Field {
                            name,
                            offset,
                            dtype,
                            shape,
                        });
                    }
                    offset = bytes;
                }
                Ok(Self {
                    kind: Kind::Fields(fields),
                    size: offset,
                    big_endian: false,
                })
            }
            _ => Err(malformed("the element type is neither text nor a list")),
        }
    }
}

/// The product of lengths, if it fits.
pub(super) fn product(shape: &[u64]) -> Option<u64> {
    // A length of 0 makes any product 0, also one whose other factors overflow.
    if shape.contains(&0) {
        return Some(0);
    }
    shape.iter().try_fold(1_u64, |all, &n| all.checked_mul(n))
}
