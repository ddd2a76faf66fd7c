//! The pickle machine: stream, stack and memo, all of them bounded.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};

use super::globals::{Use, use_of};
use super::value::{Item, Made, Object};
use crate::inputs::InputError;
use crate::labels::LabelError;
use crate::labels::arrays::held::{Held, Input, malformed_at};
use crate::labels::file::read_error;

/// Bytes that are read of one pickle; long byte strings, which are skipped over, do not count.
const MOST_READ: u64 = 100 << 20;
/// Memory for values, roughly.
const MOST_MEMORY: u64 = 384 << 20;
/// Values on the stack at one time. Lists come in parts of a thousand; only a tuple stands there whole.
const MOST_STACK: usize = 8 << 20;
/// Longer texts and byte strings stay in the file.
const MOST_KEPT: u64 = 64 << 10;
/// Byte strings up to this length are kept beside their place: keys, names.
const MOST_KEPT_BYTES: u64 = 4 << 10;
pub(super) const MOST_MARKS: usize = 1 << 20;
const MOST_NAMES: usize = 64;

/// A pickle that was read.
#[derive(Debug)]
pub(in super::super) struct Pickled {
    pub objects: Vec<Object>,
    pub root: Item,
    /// Where it lies; places of bytes are counted from its beginning.
    pub held: Held,
    /// Byte behind its end.
    pub end: u64,
    /// Functions that loading it would have called, by name.
    pub code: BTreeSet<String>,
}

impl Pickled {
    pub fn object(&self, item: Item) -> Option<&Object> {
        match item {
            Item::Object(n) => self.objects.get(n as usize),
            _ => None,
        }
    }
}

/// Reads the pickle that begins at a byte. Nothing is run.
///
/// # Errors
/// Where it breaks the rules of pickles, ends early, or passes a limit.
pub(in super::super) fn load(
    input: &Input,
    held: &Held,
    start: u64,
    stopped: &dyn Fn() -> bool,
) -> Result<Pickled, LabelError> {
    let mut from = held.seekable(input);
    from.seek(SeekFrom::Start(start))
        .map_err(|error| read_error(&error))?;
    let mut machine = Machine {
        from: BufReader::with_capacity(1 << 16, from),
        at: start,
        size: held.len().unwrap_or_default(),
        read: 0,
        memory: 0,
        stack: Vec::new(),
        marks: Vec::new(),
        objects: Vec::new(),
        memo: Vec::new(),
        far_memo: BTreeMap::new(),
        code: BTreeSet::new(),
    };
    let root = machine.run(stopped)?;
    Ok(Pickled {
        objects: machine.objects,
        root,
        held: held.clone(),
        end: machine.at,
        code: machine.code,
    })
}

pub(super) struct Machine<R> {
    pub(super) from: BufReader<R>,
    pub(super) at: u64,
    pub(super) size: u64,
    pub(super) read: u64,
    pub(super) memory: u64,
    pub(super) stack: Vec<Item>,
    /// Heights of the stack at the marks.
    pub(super) marks: Vec<usize>,
    pub(super) objects: Vec<Object>,
    pub(super) memo: Vec<Item>,
    /// Numbers that were not given in order.
    pub(super) far_memo: BTreeMap<u32, Item>,
    pub(super) code: BTreeSet<String>,
}

impl<R: Read + Seek> Machine<R> {
    pub(super) fn run(&mut self, stopped: &dyn Fn() -> bool) -> Result<Item, LabelError> {
        for step in 0_u64.. {
            if step.is_multiple_of(1 << 16) && stopped() {
                return Err(InputError::Cancelled.into());
            }
            let [opcode] = self.bytes()?;
            if opcode == b'.' {
                return self.pop();
            }
            self.step(opcode)?;
        }
        Err(self.bad("no end"))
    }

    // The stream.

    pub(super) fn left(&self) -> u64 {
        self.size.saturating_sub(self.at)
    }

    pub(super) fn count_read(&mut self, n: u64) -> Result<(), LabelError> {
        self.at += n;
        self.read += n;
        if self.read > MOST_READ {
            return Err(LabelError::TooLarge {
                size: self.size,
                limit: MOST_READ,
            });
        }
        Ok(())
    }

    pub(super) fn cut(&self) -> LabelError {
        malformed_at("the pickle is cut short", self.at)
    }

    pub(super) fn bad(&self, said: impl Into<String>) -> LabelError {
        malformed_at(said, self.at)
    }

    pub(super) fn bytes<const N: usize>(&mut self) -> Result<[u8; N], LabelError> {
        let mut bytes = [0; N];
        self.exact(&mut bytes)?;
        Ok(bytes)
    }

    pub(super) fn exact(&mut self, buffer: &mut [u8]) -> Result<(), LabelError> {
        self.from
            .read_exact(buffer)
            .map_err(|error| match error.kind() {
                std::io::ErrorKind::UnexpectedEof => self.cut(),
                _ => read_error(&error),
            })?;
        self.count_read(buffer.len() as u64)
    }

    pub(super) fn vec(&mut self, n: u64) -> Result<Vec<u8>, LabelError> {
        if n > self.left() {
            return Err(self.cut());
        }
        let mut bytes = vec![0; n as usize];
        self.exact(&mut bytes)?;
        Ok(bytes)
    }

    pub(super) fn skip(&mut self, n: u64) -> Result<(), LabelError> {
        if n > self.left() {
            return Err(self.cut());
        }
        self.from
            .seek_relative(n as i64)
            .map_err(|error| read_error(&error))?;
        self.at += n;
        Ok(())
    }

    pub(super) fn line(&mut self) -> Result<String, LabelError> {
        let mut line = Vec::new();
        (&mut self.from)
            .take(MOST_KEPT)
            .read_until(b'\n', &mut line)
            .map_err(|error| read_error(&error))?;
        self.count_read(line.len() as u64)?;
        if line.pop() != Some(b'\n') {
            return Err(self.bad("a line that does not end"));
        }
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        Ok(String::from_utf8(line)
            .unwrap_or_else(|error| error.as_bytes().iter().map(|&b| char::from(b)).collect()))
    }

    pub(super) fn line_number(&mut self) -> Result<u32, LabelError> {
        self.line()?
            .parse()
            .map_err(|_text| self.bad("a number that is none"))
    }

    // Memory, stack, memo.

    pub(super) fn spend(&mut self, bytes: u64) -> Result<(), LabelError> {
        self.memory += bytes;
        if self.memory > MOST_MEMORY {
            return Err(LabelError::TooDeep);
        }
        Ok(())
    }

    pub(super) fn spend_items(&mut self, items: usize) -> Result<(), LabelError> {
        self.spend(items as u64 * 16)
    }

    pub(super) fn push(&mut self, item: Item) -> Result<(), LabelError> {
        self.stack.push(item);
        // The stack shrinks, too; what is on it at one time is what counts.
        if self.stack.len() > MOST_STACK {
            return Err(LabelError::TooDeep);
        }
        Ok(())
    }

    pub(super) fn floor(&self) -> usize {
        self.marks.last().copied().unwrap_or_default()
    }

    pub(super) fn pop(&mut self) -> Result<Item, LabelError> {
        if self.stack.len() <= self.floor() {
            return Err(self.bad("too few values"));
        }
        self.stack.pop().ok_or_else(|| self.bad("too few values"))
    }

    pub(super) fn top(&self) -> Result<Item, LabelError> {
        self.stack
            .last()
            .copied()
            .ok_or_else(|| self.bad("too few values"))
    }

    pub(super) fn top_object(&mut self) -> Result<Option<&mut Object>, LabelError> {
        Ok(match self.top()? {
            Item::Object(n) => self.objects.get_mut(n as usize),
            _ => None,
        })
    }

    pub(super) fn pop_mark(&mut self) -> Result<Vec<Item>, LabelError> {
        let mark = self.marks.pop().ok_or_else(|| self.bad("no mark"))?;
        Ok(self.stack.split_off(mark.min(self.stack.len())))
    }

    pub(super) fn make(&mut self, object: Object) -> Result<(), LabelError> {
        self.spend(size_of::<Object>() as u64)?;
        let n = u32::try_from(self.objects.len()).map_err(|_large| LabelError::TooDeep)?;
        self.objects.push(object);
        self.push(Item::Object(n))
    }

    pub(super) fn keep(&mut self, object: Object, bytes: usize) -> Result<(), LabelError> {
        self.spend(bytes as u64)?;
        self.make(object)
    }

    pub(super) fn get(&mut self, n: u32) -> Result<(), LabelError> {
        let near = self.memo.get(n as usize).copied();
        match near.or_else(|| self.far_memo.get(&n).copied()) {
            Some(item) => self.push(item),
            None => Err(self.bad("a reference to nothing")),
        }
    }

    pub(super) fn put(&mut self, n: u32) -> Result<(), LabelError> {
        let item = self.top()?;
        let next = self.memo.len();
        match self.memo.get_mut(n as usize) {
            Some(slot) => *slot = item,
            None if n as usize == next => {
                self.spend(16)?;
                self.memo.push(item);
            }
            None => {
                self.spend(48)?;
                self.far_memo.insert(n, item);
            }
        }
        Ok(())
    }

    // Values.

    pub(super) fn decimal(&mut self, digits: &str) -> Result<(), LabelError> {
        if let Ok(n) = digits.parse() {
            return self.push(Item::Int(n));
        }
        match digits.parse() {
            Ok(n) => self.make(Object::Big(n)),
            Err(_) => Err(self.bad("a number that is none, or too large")),
        }
    }

    /// A little-endian two's complement number of any length.
    pub(super) fn long(&mut self, n: u64) -> Result<(), LabelError> {
        let bytes = if n <= MOST_KEPT {
            self.vec(n)?
        } else {
            return Err(self.bad("a number that is too large"));
        };
        let negative = bytes.last().is_some_and(|&b| b >= 0x80);
        let mut wide = [if negative { 0xff } else { 0 }; 16];
        if bytes.len() > wide.len() {
            return self.make(Object::Big(if negative { i128::MIN } else { i128::MAX }));
        }
        for (to, from) in wide.iter_mut().zip(&bytes) {
            *to = *from;
        }
        let number = i128::from_le_bytes(wide);
        match i64::try_from(number) {
            Ok(n) => self.push(Item::Int(n)),
            Err(_) => self.make(Object::Big(number)),
        }
    }

    pub(super) fn byte_string(&mut self, len: u64) -> Result<(), LabelError> {
        let at = self.at;
        let kept = if len <= MOST_KEPT_BYTES {
            Some(self.vec(len)?.into_boxed_slice())
        } else {
            self.skip(len)?;
            None
        };
        let spent = kept.as_ref().map_or(0, |kept| kept.len());
        self.keep(Object::Bytes { at, len, kept }, spent)
    }

    pub(super) fn text(&mut self, len: u64) -> Result<(), LabelError> {
        let at = self.at;
        if len > MOST_KEPT {
            self.skip(len)?;
            return self.make(Object::LongText { at, len });
        }
        let bytes = self.vec(len)?;
        let text = String::from_utf8_lossy(&bytes);
        self.keep(Object::Text(text.into()), bytes.len())
    }

    pub(super) fn text_of(&self, item: Item) -> String {
        match item {
            Item::Object(n) => match self.objects.get(n as usize) {
                Some(Object::Text(text)) => text.to_string(),
                Some(
                    Object::Bytes {
                        kept: Some(kept), ..
                    }
                    | Object::Owned(kept),
                ) => String::from_utf8_lossy(kept).into_owned(),
                _ => "?".to_owned(),
            },
            _ => "?".to_owned(),
        }
    }

    pub(super) fn tuple(&mut self, items: Vec<Item>) -> Result<(), LabelError> {
        self.spend_items(items.len())?;
        self.make(Object::Tuple(items.into()))
    }

    pub(super) fn append(&mut self, mut items: Vec<Item>) -> Result<(), LabelError> {
        self.spend_items(items.len())?;
        match self.top_object()? {
            Some(Object::List(list) | Object::Set(list)) => list.append(&mut items),
            Some(Object::Made(made)) => made.items.append(&mut items),
            _ => return Err(self.bad("values appended to no list")),
        }
        Ok(())
    }

    pub(super) fn set(&mut self, mut pairs: Vec<(Item, Item)>) -> Result<(), LabelError> {
        self.spend_items(pairs.len() * 2)?;
        match self.top_object()? {
            Some(Object::Dict(dict)) => dict.append(&mut pairs),
            Some(Object::Made(made)) => made.pairs.append(&mut pairs),
            _ => return Err(self.bad("keys set in no dict")),
        }
        Ok(())
    }

    pub(super) fn global(&mut self, name: &str) -> Result<(), LabelError> {
        let name: String = name.chars().take(256).collect();
        let module = name.split('.').next().unwrap_or_default();
        // A function that can run anything is told even where nothing calls it.
        if matches!(module, "os" | "posix" | "nt" | "subprocess" | "runpy") {
            self.note_code(name.clone());
        }
        let length = name.len();
        self.keep(Object::Global(name.into()), length)
    }

    pub(super) fn note_code(&mut self, name: String) {
        if self.code.len() < MOST_NAMES {
            self.code.insert(name);
        }
    }

    pub(super) fn call(&mut self, maker: Item, args: Item) -> Result<(), LabelError> {
        let name = match maker {
            Item::Object(n) => match self.objects.get(n as usize) {
                Some(Object::Global(name)) => name.to_string(),
                // The result of a call, called.
                Some(Object::Made(made)) => match made.maker {
                    Item::Object(inner) => match self.objects.get(inner as usize) {
                        Some(Object::Global(name)) => format!("{name}()"),
                        _ => "?".to_owned(),
                    },
                    _ => "?".to_owned(),
                },
                _ => "?".to_owned(),
            },
            _ => "?".to_owned(),
        };
        match use_of(&name) {
            Use::Data | Use::Class => {}
            Use::Code => self.note_code(name),
        }
        self.spend(size_of::<Made>() as u64)?;
        self.make(Object::Made(Box::new(Made {
            maker,
            args,
            state: Item::None,
            items: Vec::new(),
            pairs: Vec::new(),
        })))
    }
}
