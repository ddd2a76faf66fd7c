//! PyTorch's tensors in a pickle: views of storages.

use super::super::array::Array;
use super::super::dtype::{DType, Kind};
use super::super::held::{Held, MOST_HELD, malformed};
use super::super::pickle::{Item, Object};
use super::super::torch_legacy;
use super::{MOST_WRAPPERS, View, length};
use crate::labels::LabelError;
use crate::range_check::ElementType;

impl View<'_> {
    pub(super) fn tensor(&self, item: Item) -> Result<Array, LabelError> {
        let bad = || malformed("a tensor without its parts");
        let mut item = item;
        for _ in 0..MOST_WRAPPERS {
            let (mut name, made) = self.made(item).ok_or_else(bad)?;
            let mut args = self.items(made.args).ok_or_else(bad)?;
            if name.ends_with("_rebuild_from_type_v2") || name.ends_with("_rebuild_from_type") {
                let &[function, _, inner, ..] = args else {
                    return Err(bad());
                };
                name = self.global(function).ok_or_else(bad)?;
                args = self.items(inner).ok_or_else(bad)?;
            }
            let last = name.rsplit('.').next().unwrap_or_default();
            match last {
                "_rebuild_tensor" | "_rebuild_tensor_v2" | "_rebuild_tensor_v3" => {
                    let &[storage, offset, size, stride, ref rest @ ..] = args else {
                        return Err(bad());
                    };
                    let dtype = rest
                        .get(2)
                        .and_then(|&dtype| self.global(dtype))
                        .and_then(|name| torch_dtype(name.strip_prefix("torch.")?));
                    return self.view(storage, offset, size, stride, dtype);
                }
                "_rebuild_parameter" | "_rebuild_parameter_with_state" => {
                    item = *args.first().ok_or_else(bad)?;
                }
                "_rebuild_device_tensor_from_numpy" => {
                    return self
                        .array_once(*args.first().ok_or_else(bad)?)
                        .ok_or_else(bad)?;
                }
                other => {
                    return Err(LabelError::ElementType(
                        other.trim_start_matches("_rebuild_").to_owned(),
                    ));
                }
            }
        }
        Err(LabelError::TooDeep)
    }

    fn view(
        &self,
        storage: Item,
        offset: Item,
        size: Item,
        stride: Item,
        dtype: Option<DType>,
    ) -> Result<Array, LabelError> {
        let bad = || malformed("a tensor whose size or stride is none");
        let (held, of_storage, first) = self.storage(storage)?;
        let mut dtype = dtype.unwrap_or(of_storage);
        dtype.big_endian = self.storages.big_endian;
        let scaled = |n: u64| n.checked_mul(dtype.size).ok_or_else(bad);
        let offset = length(offset)
            .and_then(|n| n.checked_add(first))
            .ok_or_else(bad)?;
        let shape = self.lengths(size).ok_or_else(bad)?;
        let strides = self.lengths(stride).ok_or_else(bad)?;
        let array = Array {
            kind: dtype.kind.clone(),
            unit: dtype.size,
            big_endian: dtype.big_endian,
            strides: strides.into_iter().map(scaled).collect::<Result<_, _>>()?,
            shape,
            offset: scaled(offset)?,
            held,
        };
        array.check_view()?;
        Ok(array)
    }

    /// Where a storage lies, its element type, and the element at which it begins there.
    fn storage(&self, item: Item) -> Result<(Held, DType, u64), LabelError> {
        let bad = || malformed("a tensor without its storage");
        match self.object(item) {
            Some(Object::Persistent(id)) => {
                let parts = self.items(*id).ok_or_else(bad)?;
                let &[_, class, key, _, _, ref rest @ ..] = parts else {
                    return Err(bad());
                };
                let class = self.global(class).ok_or_else(bad)?;
                let dtype = storage_dtype(class)?;
                let key = match key {
                    Item::Int(n) => n.to_string(),
                    key => self.text(key).ok_or_else(bad)?.into_owned(),
                };
                let held = self.storages.held.get(&key).cloned().ok_or_else(|| {
                    malformed(format!("the storage {key:?} of a tensor is missing"))
                })?;
                // Views into a storage, as early versions wrote them.
                let first = rest.first().and_then(|&view| self.items(view));
                let first = first.and_then(|view| length(*view.get(1)?)).unwrap_or(0);
                Ok((held, dtype, first))
            }
            Some(Object::Made(made)) if !self.nested => {
                let name = self.global(made.maker).unwrap_or_default();
                if name != "torch.storage._load_from_bytes" {
                    return Err(bad());
                }
                let bytes = self
                    .items(made.args)
                    .and_then(|args| self.bytes(*args.first()?));
                let held = bytes.ok_or_else(bad)?.unpacked(self.input, MOST_HELD)?;
                self.pickled_storage(&held)
            }
            _ => Err(bad()),
        }
    }

    /// A storage that was pickled for itself: a whole file of the old form inside of a byte string.
    fn pickled_storage(&self, held: &Held) -> Result<(Held, DType, u64), LabelError> {
        let held = match held {
            Held::Latin1(_) => Held::memory(held.load(self.input, MOST_HELD)?),
            other => other.clone(),
        };
        self.looked_into.set(self.looked_into.get() + 1024);
        if self.looked_into.get() > MOST_HELD {
            return Err(LabelError::TooDeep);
        }
        let (pickled, storages) = torch_legacy::load(self.input, &held, &|| false)?;
        let inner = View {
            nested: true,
            ..View::new(&pickled, self.input, &storages)
        };
        inner.storage(pickled.root)
    }
}

/// Element type of a storage class (`torch.LongStorage`).
pub(in crate::labels::arrays) fn storage_dtype(class: &str) -> Result<DType, LabelError> {
    let name = class.rsplit('.').next().unwrap_or_default();
    let element = match name.trim_end_matches("Storage") {
        "Double" => "float64",
        "Float" => "float32",
        "Half" => "float16",
        "BFloat16" => "bfloat16",
        "Long" => "int64",
        "Int" => "int32",
        "Short" => "int16",
        "Char" => "int8",
        "Byte" | "Untyped" | "" => "uint8",
        "Bool" => "bool",
        other => {
            let size = match other {
                "ComplexDouble" => 16,
                "ComplexFloat" => 8,
                "QInt32" => 4,
                _ => 1,
            };
            return Ok(DType {
                kind: Kind::Other(other.to_owned()),
                size,
                big_endian: false,
            });
        }
    };
    torch_dtype(element).ok_or_else(|| LabelError::ElementType(element.to_owned()))
}

/// Element type by PyTorch's and NumPy's shared name.
pub(super) fn torch_dtype(name: &str) -> Option<DType> {
    let element = match name {
        "float64" | "double" => ElementType::F64,
        "float32" | "float" => ElementType::F32,
        "float16" | "half" => ElementType::F16,
        "bfloat16" => ElementType::Bf16,
        "int64" | "long" => ElementType::I64,
        "int32" | "int" => ElementType::I32,
        "int16" | "short" => ElementType::I16,
        "int8" => ElementType::I8,
        "uint8" => ElementType::U8,
        "uint16" => ElementType::U16,
        "uint32" => ElementType::U32,
        "uint64" => ElementType::U64,
        "bool" | "bool_" => ElementType::Bool,
        _ => return None,
    };
    Some(DType {
        kind: Kind::Number(element),
        size: element.size(),
        big_endian: false,
    })
}
