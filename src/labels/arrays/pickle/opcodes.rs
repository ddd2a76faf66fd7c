//! All opcodes of protocols 0 to 5. Calls are noted, never made.

use std::io::{Read, Seek};

use super::machine::{MOST_MARKS, Machine};
use super::value::{Item, Object};
use crate::labels::LabelError;

impl<R: Read + Seek> Machine<R> {
    /// One opcode.
    pub(super) fn step(&mut self, opcode: u8) -> Result<(), LabelError> {
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
            b'U' | b'C' => {
                let [n] = self.bytes()?;
                self.byte_string(n.into())?;
            }
            b'B' | b'T' => {
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
        if let Some(c) = digits.and_then(char::from_u32) {
            text.push(c);
            text.push_str(part.get(4..).unwrap_or_default());
        } else {
            text.push_str("\\u");
            text.push_str(part);
        }
    }
    text
}
