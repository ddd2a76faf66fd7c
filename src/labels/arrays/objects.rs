//! What the calls in a pickle would have made: arrays, tensors, numbers. Nothing is called; their arguments say enough.

mod tensors;

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeMap;

use super::array::Array;
use super::dtype::{DType, Field, Kind};
use super::found::SmallNumber;
use super::held::{Held, Input, malformed};
use super::pickle::{Item, Made, Object, Pickled};
use crate::labels::LabelError;
pub(super) use tensors::storage_dtype;
use tensors::torch_dtype;

/// Where the storages of tensors lie, by key.
#[derive(Clone, Debug, Default)]
pub(super) struct Storages {
    pub held: BTreeMap<String, Held>,
    pub big_endian: bool,
}

/// A pickle with what its tensors refer to.
pub(super) struct View<'a> {
    pub pickled: &'a Pickled,
    pub input: &'a Input,
    pub storages: &'a Storages,
    /// Storages inside of storages are followed once only.
    pub nested: bool,
    /// Bytes of pickled storages that were looked into so far.
    pub looked_into: Cell<u64>,
}

/// Wrappers around a tensor that are followed.
const MOST_WRAPPERS: usize = 8;

impl<'a> View<'a> {
    pub fn new(pickled: &'a Pickled, input: &'a Input, storages: &'a Storages) -> Self {
        Self {
            pickled,
            input,
            storages,
            nested: false,
            looked_into: Cell::new(0),
        }
    }

    pub fn object(&self, item: Item) -> Option<&'a Object> {
        self.pickled.object(item)
    }

    /// A text, or short bytes that are one: Python 2 wrote keys as bytes.
    pub fn text(&self, item: Item) -> Option<Cow<'a, str>> {
        match self.object(item)? {
            Object::Text(text) => Some(Cow::Borrowed(text)),
            Object::Bytes {
                kept: Some(kept), ..
            }
            | Object::Owned(kept) => Some(String::from_utf8_lossy(kept)),
            Object::Made(made) => self.encoded_text(made).map(Cow::Owned),
            _ => None,
        }
    }

    /// Bytes as Python 3 writes them for Python 2: a text whose characters are the bytes.
    fn encoded_text(&self, made: &Made) -> Option<String> {
        if self.global(made.maker)? != "_codecs.encode" {
            return None;
        }
        let Object::Text(text) = self.object(*self.items_of_tuple(made.args)?.first()?)? else {
            return None;
        };
        let bytes = text.chars().map(|c| u8::try_from(u32::from(c)).ok());
        let bytes = bytes.collect::<Option<Vec<u8>>>()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    pub fn global(&self, item: Item) -> Option<&'a str> {
        match self.object(item)? {
            Object::Global(name) => Some(name),
            _ => None,
        }
    }

    pub fn made(&self, item: Item) -> Option<(&'a str, &'a Made)> {
        match self.object(item)? {
            Object::Made(made) => {
                let name = self.global(made.maker)?;
                // How the first protocols make an object: the class is an argument.
                let by_helper = matches!(
                    name,
                    "copy_reg._reconstructor" | "copyreg._reconstructor" | "copyreg.__newobj__"
                );
                let class = by_helper
                    .then(|| self.global(*self.items_of_tuple(made.args)?.first()?))
                    .flatten();
                Some((class.unwrap_or(name), made))
            }
            _ => None,
        }
    }

    /// Items of a tuple or list.
    pub fn items(&self, item: Item) -> Option<&'a [Item]> {
        match self.object(item)? {
            Object::Tuple(items) => Some(items),
            Object::List(items) => Some(items),
            Object::Made(made) if self.global(made.maker) == Some("torch.Size") => {
                match self.object(*self.items_of_tuple(made.args)?.first()?)? {
                    Object::Tuple(items) => Some(items),
                    Object::List(items) => Some(items),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn items_of_tuple(&self, item: Item) -> Option<&'a [Item]> {
        match self.object(item)? {
            Object::Tuple(items) => Some(items),
            _ => None,
        }
    }

    fn lengths(&self, item: Item) -> Option<Vec<u64>> {
        let items = self.items(item)?;
        if items.len() > 64 {
            return None;
        }
        items.iter().map(|&n| length(n)).collect()
    }

    /// A number, and whether it was written as a float. NumPy's scalars are numbers, too.
    pub fn number(&self, item: Item) -> Option<(SmallNumber, bool)> {
        match item {
            Item::Int(n) => Some((SmallNumber::Int(n), false)),
            Item::Bool(b) => Some((SmallNumber::Int(b.into()), false)),
            Item::Float(x) => Some((SmallNumber::Float(x), true)),
            Item::None => None,
            Item::Object(_) => match self.object(item)? {
                // Beyond 64 bits; far outside of any range, so its nearest float says enough.
                Object::Big(n) => Some((SmallNumber::Float(*n as f64), false)),
                Object::Made(made) => self.scalar(made),
                _ => None,
            },
        }
    }

    fn scalar(&self, made: &Made) -> Option<(SmallNumber, bool)> {
        if !self.global(made.maker)?.ends_with("multiarray.scalar") {
            return None;
        }
        let [dtype, bytes] = self.items_of_tuple(made.args)? else {
            return None;
        };
        let dtype = self.dtype(*dtype).ok()?;
        let Kind::Number(element) = dtype.kind else {
            return None;
        };
        let held = self.bytes(*bytes)?;
        let array = Array::dense(dtype, Vec::new(), false, held, 0).ok()?;
        let number = *array.numbers(self.input).ok()?.first()?;
        Some(match number.as_int().and_then(|n| i64::try_from(n).ok()) {
            Some(n) => (SmallNumber::Int(n), element.is_float()),
            None => (SmallNumber::Float(number.as_f64()), element.is_float()),
        })
    }

    /// Where bytes lie.
    fn bytes(&self, item: Item) -> Option<Held> {
        let here = |at: u64, len: u64| self.pickled.held.sub(at, len);
        match self.object(item)? {
            Object::Bytes { at, len, .. } => here(*at, *len),
            Object::Owned(bytes) => Some(Held::memory(bytes.to_vec())),
            Object::Made(made) => {
                let args = self.items_of_tuple(made.args)?;
                match self.global(made.maker)? {
                    // How Python 3 writes bytes for Python 2.
                    "_codecs.encode" => match self.object(*args.first()?)? {
                        Object::Text(text) => {
                            let bytes = text.chars().map(|c| u8::try_from(u32::from(c)).ok());
                            Some(Held::memory(bytes.collect::<Option<Vec<u8>>>()?))
                        }
                        Object::LongText { at, len } => {
                            Some(Held::Latin1(Box::new(here(*at, *len)?)))
                        }
                        _ => None,
                    },
                    "builtins.bytearray"
                    | "__builtin__.bytearray"
                    | "builtins.bytes"
                    | "__builtin__.bytes" => {
                        match args.first() {
                            None => Some(Held::memory(Vec::new())),
                            // One level is all that is ever written.
                            Some(&inner) => match self.object(inner)? {
                                Object::Bytes { at, len, .. } => here(*at, *len),
                                Object::Owned(bytes) => Some(Held::memory(bytes.to_vec())),
                                _ => None,
                            },
                        }
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// An element type of NumPy.
    fn dtype(&self, item: Item) -> Result<DType, LabelError> {
        self.nested_dtype(item, 0)
    }

    fn nested_dtype(&self, item: Item, depth: usize) -> Result<DType, LabelError> {
        let bad = || malformed("an element type that is none");
        if depth > MOST_WRAPPERS {
            return Err(LabelError::TooDeep);
        }
        if let Some(text) = self.text(item) {
            return DType::of_text(&text);
        }
        let (name, made) = self.made(item).ok_or_else(bad)?;
        if !name.ends_with("dtype") {
            return Err(LabelError::ElementType(name.to_owned()));
        }
        let args = self.items_of_tuple(made.args).unwrap_or_default();
        let text = args.first().and_then(|&first| self.text(first));
        let mut dtype = match text {
            Some(text) => DType::of_text(&text)?,
            // `numpy.dtype(numpy.int64)`
            None => match args.first().and_then(|&first| self.global(first)) {
                Some(scalar) => torch_dtype(scalar.rsplit('.').next().unwrap_or_default())
                    .ok_or_else(|| LabelError::ElementType(scalar.to_owned()))?,
                None => return Err(bad()),
            },
        };
        let state = self.items(made.state).unwrap_or_default();
        if let Some(order) = state.get(1).and_then(|&order| self.text(order)) {
            dtype.big_endian = order == ">";
        }
        let names = state.get(3).and_then(|&names| self.items(names));
        if let (Some(names), Some(&fields)) = (names, state.get(4)) {
            let Some(Object::Dict(fields)) = self.object(fields) else {
                return Err(bad());
            };
            let mut list = Vec::new();
            for &name in names.iter().take(1024) {
                let name = self.text(name).ok_or_else(bad)?;
                let field = fields
                    .iter()
                    .find(|(key, _)| self.text(*key).as_deref() == Some(&*name))
                    .and_then(|(_, field)| self.items(*field));
                let Some(&[of, offset, ..]) = field else {
                    return Err(bad());
                };
                list.push(Field {
                    name: name.into_owned(),
                    offset: length(offset).ok_or_else(bad)?,
                    dtype: self.nested_dtype(of, depth + 1)?,
                    shape: Vec::new(),
                });
            }
            let size = state
                .get(5)
                .and_then(|&size| length(size))
                .ok_or_else(bad)?;
            let fits = |field: &Field| {
                let end = field.offset.checked_add(field.dtype.size);
                end.is_some_and(|end| end <= size)
            };
            if !list.iter().all(fits) {
                return Err(bad());
            }
            dtype = DType {
                kind: Kind::Fields(list),
                size,
                big_endian: false,
            };
        }
        Ok(dtype)
    }

    /// An array or tensor; `None` where it is something else.
    pub fn array(&self, item: Item) -> Option<Result<Array, LabelError>> {
        let (name, made) = self.made(item)?;
        let last = name.rsplit('.').next().unwrap_or_default();
        match last {
            "_reconstruct" | "_mareconstruct" => self.numpy_array(made),
            "_frombuffer" => Some(self.buffered_array(made)),
            _ if last.starts_with("_rebuild_") => Some(self.tensor(item)),
            _ => None,
        }
    }

    /// The list of an array of Python objects.
    pub fn object_array(&self, item: Item) -> Option<&'a [Item]> {
        let (name, made) = self.made(item)?;
        if !name.ends_with("._reconstruct") {
            return None;
        }
        match self.object(*self.items(made.state)?.get(4)?)? {
            Object::List(items) => Some(items),
            _ => None,
        }
    }

    fn numpy_array(&self, made: &Made) -> Option<Result<Array, LabelError>> {
        let state = self.items(made.state)?;
        let [_, shape, dtype, fortran, data, ..] = state else {
            return None;
        };
        if matches!(self.object(*data), Some(Object::List(_))) {
            return None;
        }
        Some(self.dense(
            *data,
            *dtype,
            *shape,
            *fortran == Item::Bool(true) || *fortran == Item::Int(1),
        ))
    }

    fn buffered_array(&self, made: &Made) -> Result<Array, LabelError> {
        match self.items(made.args) {
            Some(&[buffer, dtype, shape, order, ..]) => self.dense(
                buffer,
                dtype,
                shape,
                self.text(order).as_deref() == Some("F"),
            ),
            _ => Err(malformed("an array without a buffer")),
        }
    }

    fn dense(
        &self,
        data: Item,
        dtype: Item,
        shape: Item,
        fortran: bool,
    ) -> Result<Array, LabelError> {
        let dtype = self.dtype(dtype)?;
        let shape = self
            .lengths(shape)
            .ok_or_else(|| malformed("an array without a shape"))?;
        let held = match self.object(data) {
            Some(Object::OutOfBand) => {
                return Err(malformed(
                    "the bytes of an array were not stored in this file",
                ));
            }
            _ => self
                .bytes(data)
                .ok_or_else(|| malformed("an array without bytes"))?,
        };
        Array::dense(dtype, shape, fortran, held, 0)
    }

    fn array_once(&self, item: Item) -> Option<Result<Array, LabelError>> {
        let (name, made) = self.made(item)?;
        name.ends_with("_reconstruct")
            .then(|| self.numpy_array(made))
            .flatten()
    }
}

/// A length, offset or stride; PyTorch writes no negative ones.
fn length(item: Item) -> Option<u64> {
    match item {
        Item::Int(n) => u64::try_from(n).ok(),
        Item::Bool(b) => Some(b.into()),
        _ => None,
    }
}
