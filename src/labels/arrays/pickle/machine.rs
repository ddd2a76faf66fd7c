//! The pickle machine: all opcodes of protocols 0 to 5, no calls.

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
const MOST_MEMORY: u64 = 512 << 20;
/// Longer texts and byte strings stay in the file.
const MOST_KEPT: u64 = 64 << 10;
/// Byte strings up to this length are kept beside their place: keys, names.
const MOST_KEPT_BYTES: u64 = 4 << 10;
const MOST_MARKS: usize = 1 << 20;
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

struct Machine<R> {
    from: BufReader<R>,
    at: u64,
    size: u64,
    read: u64,
    memory: u64,
    stack: Vec<Item>,
    /// Heights of the stack at the marks.
    marks: Vec<usize>,
    objects: Vec<Object>,
    memo: Vec<Item>,
    /// Numbers that were not given in order.
    far_memo: BTreeMap<u32, Item>,
    code: BTreeSet<String>,
}

impl<R: Read + Seek> Machine<R> {
    fn run(&mut self, stopped: &dyn Fn() -> bool) -> Result<Item, LabelError> {
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

    fn step(&mut self, opcode: u8) -> Result<(), LabelError> {
        match opcode {
            // Stack and memo.
            b'(' => {
                if self.marks.len() >= MOST_MARKS {
                    return Err(LabelError::TooDeep);
                }
                self.marks.push(self.stack.len());
            }
            b'0' => {
                // At a mark, POP takes the mark.
                if self.marks.last() == Some(&self.stack.len()) {
                    self.marks.pop();
                } else {
                    self.pop()?;
                }
            }
            b'1' => {
                self.pop_mark()?;
            }
            b'2' => {
                let top = self.top()?;
                self.push(top)?;
            }
            b'g' => {
                let n = self.line_number()?;
                self.get(n)?;
            }
            b'h' => {
                let [n] = self.bytes()?;
                self.get(u32::from(n))?;
            }
            b'j' => {
                let n = u32::from_le_bytes(self.bytes()?);
                self.get(n)?;
            }
            b'p' => {
                let n = self.line_number()?;
                self.put(n)?;
            }
            b'q' => {
                let [n] = self.bytes()?;
                self.put(u32::from(n))?;
            }
            b'r' => {
                let n = u32::from_le_bytes(self.bytes()?);
                self.put(n)?;
            }
            0x94 => {
                let n = self.memo.len() + self.far_memo.len();
                self.put(u32::try_from(n).map_err(|_large| LabelError::TooDeep)?)?;
            }
            // Protocol, frames, buffers beside the pickle.
            0x80 => {
                let [version] = self.bytes()?;
                if version > 5 {
                    return Err(self.bad(format!("pickle protocol {version}")));
                }
            }
            0x95 => {
                self.bytes::<8>()?;
            }
            0x97 => self.make(Object::OutOfBand)?,
            0x98 => {}
            // Simple values.
            b'N' => self.push(Item::None)?,
            0x88 => self.push(Item::Bool(true))?,
            0x89 => self.push(Item::Bool(false))?,
            b'J' => {
                let n = i32::from_le_bytes(self.bytes()?);
                self.push(Item::Int(n.into()))?;
            }
            b'K' => {
                let [n] = self.bytes()?;
                self.push(Item::Int(n.into()))?;
            }
            b'M' => {
                let n = u16::from_le_bytes(self.bytes()?);
                self.push(Item::Int(n.into()))?;
            }
            b'I' => match self.line()?.as_str() {
                "00" => self.push(Item::Bool(false))?,
                "01" => self.push(Item::Bool(true))?,
                digits => self.decimal(digits)?,
            },
            b'L' => {
                let line = self.line()?;
                self.decimal(line.trim_end_matches('L'))?;
            }
            0x8a => {
                let [n] = self.bytes()?;
                self.long(n.into())?;
            }
            0x8b => {
                let n = u32::from_le_bytes(self.bytes()?);
                self.long(n.into())?;
            }
            b'G' => {
                let x = f64::from_be_bytes(self.bytes()?);
                self.push(Item::Float(x))?;
            }
            b'F' => {
                let line = self.line()?;
                let x = line
                    .parse()
                    .map_err(|_text| self.bad("a float that is none"))?;
                self.push(Item::Float(x))?;
            }
            // Texts and bytes.
            b'S' => {
                let line = self.line()?;
                let bytes = unescape(&line);
                self.keep(Object::Owned(bytes.into()), line.len())?;
            }
            b'V' => {
                let line = self.line()?;
                let text = unescape_unicode(&line);
                self.keep(Object::Text(text.into()), line.len())?;
            }
            b'T' => {
                let n = u32::from_le_bytes(self.bytes()?);
                self.byte_string(n.into())?;
            }
            b'U' | b'C' => {
                let [n] = self.bytes()?;
                self.byte_string(n.into())?;
            }
            b'B' => {
                let n = u32::from_le_bytes(self.bytes()?);
                self.byte_string(n.into())?;
            }
            0x8e | 0x96 => {
                let n = u64::from_le_bytes(self.bytes()?);
                self.byte_string(n)?;
            }
            b'X' => {
                let n = u32::from_le_bytes(self.bytes()?);
                self.text(n.into())?;
            }
            0x8c => {
                let [n] = self.bytes()?;
                self.text(n.into())?;
            }
            0x8d => {
                let n = u64::from_le_bytes(self.bytes()?);
                self.text(n)?;
            }
            // Containers.
            b']' => self.make(Object::List(Vec::new()))?,
            b'}' => self.make(Object::Dict(Vec::new()))?,
            b')' => self.make(Object::Tuple(Box::default()))?,
            0x8f => self.make(Object::Set(Vec::new()))?,
            b't' => {
                let items = self.pop_mark()?;
                self.tuple(items)?;
            }
            0x85..=0x87 => {
                let n = usize::from(opcode - 0x84);
                let start = self
                    .stack
                    .len()
                    .checked_sub(n)
                    .filter(|&s| s >= self.floor());
                let start = start.ok_or_else(|| self.bad("too few values for a tuple"))?;
                let items = self.stack.split_off(start);
                self.tuple(items)?;
            }
            b'l' => {
                let items = self.pop_mark()?;
                self.spend_items(items.len())?;
                self.make(Object::List(items))?;
            }
            b'd' => {
                let items = self.pop_mark()?;
                self.spend_items(items.len())?;
                self.make(Object::Dict(pairs(&items)))?;
            }
            0x91 => {
                let items = self.pop_mark()?;
                self.spend_items(items.len())?;
                self.make(Object::Set(items))?;
            }
            b'a' => {
                let item = self.pop()?;
                self.append(vec![item])?;
            }
            b'e' | 0x90 => {
                let items = self.pop_mark()?;
                self.append(items)?;
            }
            b's' => {
                let value = self.pop()?;
                let key = self.pop()?;
                self.set(vec![(key, value)])?;
            }
            b'u' => {
                let items = self.pop_mark()?;
                self.set(pairs(&items))?;
            }
            // Classes, functions, calls.
            b'c' => {
                let module = self.line()?;
                let name = self.line()?;
                self.global(&format!("{module}.{name}"))?;
            }
            0x93 => {
                let name = self.pop()?;
                let module = self.pop()?;
                let name = format!("{}.{}", self.text_of(module), self.text_of(name));
                self.global(&name)?;
            }
            b'R' | 0x81 => {
                let args = self.pop()?;
                let maker = self.pop()?;
                self.call(maker, args)?;
            }
            0x92 => {
                self.pop()?;
                let args = self.pop()?;
                let maker = self.pop()?;
                self.call(maker, args)?;
            }
            b'i' => {
                let module = self.line()?;
                let name = self.line()?;
                let args = self.pop_mark()?;
                self.tuple(args)?;
                self.global(&format!("{module}.{name}"))?;
                let maker = self.pop()?;
                let args = self.pop()?;
                self.call(maker, args)?;
            }
            b'o' => {
                let mut args = self.pop_mark()?;
                if args.is_empty() {
                    return Err(self.bad("an object without a class"));
                }
                let maker = args.remove(0);
                self.tuple(args)?;
                let args = self.pop()?;
                self.call(maker, args)?;
            }
            b'b' => {
                let state = self.pop()?;
                if let Some(Object::Made(made)) = self.top_object()? {
                    made.state = state;
                }
            }
            0x82..=0x84 => {
                let length = [1, 2, 4]
                    .get(usize::from(opcode - 0x82))
                    .copied()
                    .unwrap_or(1);
                self.skip(length)?;
                self.global("copyreg.extension")?;
            }
            b'P' => {
                let line = self.line()?;
                let length = line.len();
                self.keep(Object::Text(line.into()), length)?;
                let id = self.pop()?;
                self.make(Object::Persistent(id))?;
            }
            b'Q' => {
                let id = self.pop()?;
                self.make(Object::Persistent(id))?;
            }
            _ => return Err(self.bad(format!("no pickle: opcode 0x{opcode:02x}"))),
        }
        Ok(())
    }

    // The stream.

    fn left(&self) -> u64 {
        self.size.saturating_sub(self.at)
    }

    fn count_read(&mut self, n: u64) -> Result<(), LabelError> {
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

    fn cut(&self) -> LabelError {
        malformed_at("the pickle is cut short", self.at)
    }

    fn bad(&self, said: impl Into<String>) -> LabelError {
        malformed_at(said, self.at)
    }

    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], LabelError> {
        let mut bytes = [0; N];
        self.exact(&mut bytes)?;
        Ok(bytes)
    }

    fn exact(&mut self, buffer: &mut [u8]) -> Result<(), LabelError> {
        self.from
            .read_exact(buffer)
            .map_err(|error| match error.kind() {
                std::io::ErrorKind::UnexpectedEof => self.cut(),
                _ => read_error(&error),
            })?;
        self.count_read(buffer.len() as u64)
    }

    fn vec(&mut self, n: u64) -> Result<Vec<u8>, LabelError> {
        if n > self.left() {
            return Err(self.cut());
        }
        let mut bytes = vec![0; n as usize];
        self.exact(&mut bytes)?;
        Ok(bytes)
    }

    fn skip(&mut self, n: u64) -> Result<(), LabelError> {
        if n > self.left() {
            return Err(self.cut());
        }
        self.from
            .seek_relative(n as i64)
            .map_err(|error| read_error(&error))?;
        self.at += n;
        Ok(())
    }

    fn line(&mut self) -> Result<String, LabelError> {
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

    fn line_number(&mut self) -> Result<u32, LabelError> {
        self.line()?
            .parse()
            .map_err(|_text| self.bad("a number that is none"))
    }

    // Memory, stack, memo.

    fn spend(&mut self, bytes: u64) -> Result<(), LabelError> {
        self.memory += bytes;
        if self.memory > MOST_MEMORY {
            return Err(LabelError::TooDeep);
        }
        Ok(())
    }

    fn spend_items(&mut self, items: usize) -> Result<(), LabelError> {
        self.spend(items as u64 * 16)
    }

    fn push(&mut self, item: Item) -> Result<(), LabelError> {
        self.stack.push(item);
        // The stack shrinks, too; what is on it at one time is what counts.
        if self.stack.len() as u64 * 16 > MOST_MEMORY {
            return Err(LabelError::TooDeep);
        }
        Ok(())
    }

    fn floor(&self) -> usize {
        self.marks.last().copied().unwrap_or_default()
    }

    fn pop(&mut self) -> Result<Item, LabelError> {
        if self.stack.len() <= self.floor() {
            return Err(self.bad("too few values"));
        }
        self.stack.pop().ok_or_else(|| self.bad("too few values"))
    }

    fn top(&self) -> Result<Item, LabelError> {
        self.stack
            .last()
            .copied()
            .ok_or_else(|| self.bad("too few values"))
    }

    fn top_object(&mut self) -> Result<Option<&mut Object>, LabelError> {
        Ok(match self.top()? {
            Item::Object(n) => self.objects.get_mut(n as usize),
            _ => None,
        })
    }

    fn pop_mark(&mut self) -> Result<Vec<Item>, LabelError> {
        let mark = self.marks.pop().ok_or_else(|| self.bad("no mark"))?;
        Ok(self.stack.split_off(mark.min(self.stack.len())))
    }

    fn make(&mut self, object: Object) -> Result<(), LabelError> {
        self.spend(size_of::<Object>() as u64)?;
        let n = u32::try_from(self.objects.len()).map_err(|_large| LabelError::TooDeep)?;
        self.objects.push(object);
        self.push(Item::Object(n))
    }

    fn keep(&mut self, object: Object, bytes: usize) -> Result<(), LabelError> {
        self.spend(bytes as u64)?;
        self.make(object)
    }

    fn get(&mut self, n: u32) -> Result<(), LabelError> {
        let near = self.memo.get(n as usize).copied();
        match near.or_else(|| self.far_memo.get(&n).copied()) {
            Some(item) => self.push(item),
            None => Err(self.bad("a reference to nothing")),
        }
    }

    fn put(&mut self, n: u32) -> Result<(), LabelError> {
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

    fn decimal(&mut self, digits: &str) -> Result<(), LabelError> {
        if let Ok(n) = digits.parse() {
            return self.push(Item::Int(n));
        }
        match digits.parse() {
            Ok(n) => self.make(Object::Big(n)),
            Err(_) => Err(self.bad("a number that is none, or too large")),
        }
    }

    /// A little-endian two's complement number of any length.
    fn long(&mut self, n: u64) -> Result<(), LabelError> {
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

    fn byte_string(&mut self, len: u64) -> Result<(), LabelError> {
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

    fn text(&mut self, len: u64) -> Result<(), LabelError> {
        let at = self.at;
        if len > MOST_KEPT {
            self.skip(len)?;
            return self.make(Object::LongText { at, len });
        }
        let bytes = self.vec(len)?;
        let text = String::from_utf8_lossy(&bytes);
        self.keep(Object::Text(text.into()), bytes.len())
    }

    fn text_of(&self, item: Item) -> String {
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

    fn tuple(&mut self, items: Vec<Item>) -> Result<(), LabelError> {
        self.spend_items(items.len())?;
        self.make(Object::Tuple(items.into()))
    }

    fn append(&mut self, mut items: Vec<Item>) -> Result<(), LabelError> {
        self.spend_items(items.len())?;
        match self.top_object()? {
            Some(Object::List(list) | Object::Set(list)) => list.append(&mut items),
            Some(Object::Made(made)) => made.items.append(&mut items),
            _ => return Err(self.bad("values appended to no list")),
        }
        Ok(())
    }

    fn set(&mut self, mut pairs: Vec<(Item, Item)>) -> Result<(), LabelError> {
        self.spend_items(pairs.len() * 2)?;
        match self.top_object()? {
            Some(Object::Dict(dict)) => dict.append(&mut pairs),
            Some(Object::Made(made)) => made.pairs.append(&mut pairs),
            _ => return Err(self.bad("keys set in no dict")),
        }
        Ok(())
    }

    fn global(&mut self, name: &str) -> Result<(), LabelError> {
        let name: String = name.chars().take(256).collect();
        let module = name.split('.').next().unwrap_or_default();
        // A function that can run anything is told even where nothing calls it.
        if matches!(module, "os" | "posix" | "nt" | "subprocess" | "runpy") {
            self.note_code(name.clone());
        }
        let length = name.len();
        self.keep(Object::Global(name.into()), length)
    }

    fn note_code(&mut self, name: String) {
        if self.code.len() < MOST_NAMES {
            self.code.insert(name);
        }
    }

    fn call(&mut self, maker: Item, args: Item) -> Result<(), LabelError> {
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

fn pairs(items: &[Item]) -> Vec<(Item, Item)> {
    items
        .as_chunks::<2>()
        .0
        .iter()
        .map(|&[key, value]| (key, value))
        .collect()
}

/// A quoted string of protocol 0.
fn unescape(line: &str) -> Vec<u8> {
    let inner = line.trim();
    let inner = inner
        .get(1..inner.len().saturating_sub(1))
        .unwrap_or_default();
    let mut bytes = Vec::new();
    let mut rest = inner.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            // Latin-1, as Python writes it.
            bytes.push(u8::try_from(u32::from(c)).unwrap_or(b'?'));
            continue;
        }
        match rest.next() {
            Some('n') => bytes.push(b'\n'),
            Some('r') => bytes.push(b'\r'),
            Some('t') => bytes.push(b'\t'),
            Some('x') => {
                let digits: String = rest.by_ref().take(2).collect();
                bytes.push(u8::from_str_radix(&digits, 16).unwrap_or(b'?'));
            }
            Some(other) => bytes.push(u8::try_from(u32::from(other)).unwrap_or(b'?')),
            None => {}
        }
    }
    bytes
}

/// A text of protocol 0: `\u` escapes only.
fn unescape_unicode(line: &str) -> String {
    let mut text = String::new();
    let mut parts = line.split("\\u");
    text.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let digits = part
            .get(..4)
            .and_then(|digits| u32::from_str_radix(digits, 16).ok());
        match digits.and_then(char::from_u32) {
            Some(c) => {
                text.push(c);
                text.push_str(part.get(4..).unwrap_or_default());
            }
            None => {
                text.push_str("\\u");
                text.push_str(part);
            }
        }
    }
    text
}
