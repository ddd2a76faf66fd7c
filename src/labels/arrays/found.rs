//! What a file holds that could be labels, before anything is chosen.

use std::sync::Arc;

use super::array::Array;
use super::choose::{Content as Kinds, Described};
use super::dtype::Kind;
use crate::labels::LabelError;
use crate::range_check::Number;

/// One thing in a file.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// Keys that lead to it, joined with dots; positions in brackets. Empty for the file's only thing.
    pub path: String,
    /// Field of a record.
    pub column: Option<String>,
    pub content: Content,
}

/// What it is.
#[derive(Clone, Debug)]
pub(super) enum Content {
    Array(Array),
    /// Arrays of one list, each with its position.
    Parts(Vec<(u64, Array)>),
    /// Numbers of a list.
    Numbers(Numbers),
    /// Texts of a list, with their rows.
    Texts(Vec<(u64, Arc<str>)>),
    /// Something that cannot be read.
    Broken(LabelError),
}

/// Numbers that were written one by one.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers {
    pub entries: Vec<Entry>,
    /// Keys of the entries, where they have some: as many.
    pub keys: Vec<Arc<str>>,
    /// A single number rather than a list.
    pub alone: bool,
}

/// One number with its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub row: u32,
    /// Position in the row's own list; `u32::MAX` where it has none.
    pub position: u32,
    /// `None` for Python's `None`.
    pub value: Option<SmallNumber>,
    /// It was written as a float.
    pub float: bool,
}

/// A number in few bytes.
#[derive(Clone, Copy, Debug)]
pub(super) enum SmallNumber {
    Int(i64),
    Float(f64),
}

impl From<SmallNumber> for Number {
    fn from(small: SmallNumber) -> Self {
        match small {
            SmallNumber::Int(n) => Self::from(n),
            SmallNumber::Float(x) => Self::from(x),
        }
    }
}

impl Found {
    pub fn new(path: String, content: Content) -> Self {
        Self {
            path,
            column: None,
            content,
        }
    }

    /// An array; one of records gives one thing a field.
    pub fn array(found: &mut Vec<Self>, path: String, array: Array) {
        let Kind::Fields(fields) = &array.kind else {
            found.push(Self::new(path, Content::Array(array)));
            return;
        };
        let names: Vec<String> = fields.iter().map(|field| field.name.clone()).collect();
        for name in names {
            if let Some(field) = array.field(&name) {
                found.push(Self {
                    path: path.clone(),
                    column: Some(name),
                    content: Content::Array(field),
                });
            }
        }
    }

    /// What the choice looks at.
    pub fn described(&self) -> Described<'_> {
        let (content, shape) = match &self.content {
            Content::Array(array) => (Kinds::of(&array.kind), array.shape.clone()),
            Content::Parts(parts) => match parts.first() {
                Some((_, array)) => {
                    // A list of scalars is a row of numbers, a list of rows is a table of them.
                    let rows = std::iter::once(parts.len() as u64);
                    (
                        Kinds::of(&array.kind),
                        rows.chain(array.shape.iter().copied()).collect(),
                    )
                }
                None => (Kinds::Other, Vec::new()),
            },
            Content::Numbers(numbers) => {
                let any_float = numbers.entries.iter().any(|entry| entry.float);
                let kind = match (numbers.keys.is_empty(), any_float) {
                    (false, _) => Kinds::Mapping,
                    (_, true) => Kinds::Float,
                    _ => Kinds::Integer(None),
                };
                let shape = if numbers.alone {
                    Vec::new()
                } else {
                    vec![numbers.entries.len() as u64]
                };
                (kind, shape)
            }
            Content::Texts(texts) => (Kinds::Texts, vec![texts.len() as u64]),
            Content::Broken(_) => (Kinds::Other, Vec::new()),
        };
        Described {
            name: &self.path,
            path: &self.path,
            column: self.column.as_deref(),
            content,
            shape,
            listed: matches!(
                self.content,
                Content::Numbers(_) | Content::Parts(_) | Content::Texts(_)
            ),
        }
    }
}
