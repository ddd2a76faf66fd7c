//! The few Python literals that stand in a NumPy header.

use super::held::malformed_at;
use crate::labels::LabelError;

/// A literal.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Literal {
    None,
    Bool(bool),
    Int(i64),
    Text(String),
    Tuple(Vec<Literal>),
    List(Vec<Literal>),
    Dict(Vec<(Literal, Literal)>),
}

impl Literal {
    /// A shape: a tuple of lengths, or one length.
    pub fn as_shape(&self) -> Result<Vec<u64>, LabelError> {
        let bad = || super::held::malformed("the shape is no tuple of lengths");
        let length = |n: &Self| match n {
            Self::Int(n) => u64::try_from(*n).map_err(|_negative| bad()),
            _ => Err(bad()),
        };
        match self {
            Self::Tuple(lengths) if lengths.len() <= 64 => lengths.iter().map(length).collect(),
            Self::Int(_) => Ok(vec![length(self)?]),
            _ => Err(bad()),
        }
    }
}

/// Deeper literals are refused; a header never nests more than some levels.
const MOST_DEPTH: usize = 24;

/// Reads one literal; only blanks may follow it.
pub(super) fn parse(text: &[u8]) -> Result<Literal, LabelError> {
    let mut parser = Parser { text, at: 0 };
    let literal = parser.value(0)?;
    parser.blanks();
    if parser.at < text.len() && text.get(parser.at) != Some(&0) {
        return Err(parser.unexpected());
    }
    Ok(literal)
}

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn blanks(&mut self) {
        while self.peek().is_some_and(|c| c.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    fn unexpected(&self) -> LabelError {
        malformed_at("the header is no plain literal", self.at as u64)
    }

    fn eat(&mut self, c: u8) -> bool {
        self.blanks();
        let found = self.peek() == Some(c);
        self.at += usize::from(found);
        found
    }

    fn value(&mut self, depth: usize) -> Result<Literal, LabelError> {
        if depth > MOST_DEPTH {
            return Err(LabelError::TooDeep);
        }
        self.blanks();
        match self.peek().ok_or_else(|| self.unexpected())? {
            b'{' => self.dict(depth),
            b'(' => {
                self.at += 1;
                let (items, comma) = self.items(b')', depth)?;
                match <[Literal; 1]>::try_from(items) {
                    Ok([only]) if !comma => Ok(only),
                    Ok(only) => Ok(Literal::Tuple(only.into())),
                    Err(items) => Ok(Literal::Tuple(items)),
                }
            }
            b'[' => {
                self.at += 1;
                Ok(Literal::List(self.items(b']', depth)?.0))
            }
            b'\'' | b'"' => self.string(),
            b'-' | b'0'..=b'9' => self.int(),
            _ => self.word(),
        }
    }

    fn items(&mut self, close: u8, depth: usize) -> Result<(Vec<Literal>, bool), LabelError> {
        let mut items = Vec::new();
        let mut comma = false;
        while !self.eat(close) {
            if !items.is_empty() && !comma {
                return Err(self.unexpected());
            }
            items.push(self.value(depth + 1)?);
            comma = self.eat(b',');
        }
        Ok((items, comma))
    }

    fn dict(&mut self, depth: usize) -> Result<Literal, LabelError> {
        self.at += 1;
        let mut pairs = Vec::new();
        let mut comma = true;
        while !self.eat(b'}') {
            if !comma {
                return Err(self.unexpected());
            }
            let key = self.value(depth + 1)?;
            if !self.eat(b':') {
                return Err(self.unexpected());
            }
            pairs.push((key, self.value(depth + 1)?));
            comma = self.eat(b',');
        }
        Ok(Literal::Dict(pairs))
    }

    fn string(&mut self) -> Result<Literal, LabelError> {
        let quote = self.peek().unwrap_or_default();
        self.at += 1;
        let mut bytes = Vec::new();
        loop {
            let c = self.peek().ok_or_else(|| self.unexpected())?;
            self.at += 1;
            match c {
                c if c == quote => break,
                b'\\' => {
                    let escaped = self.peek().ok_or_else(|| self.unexpected())?;
                    self.at += 1;
                    match escaped {
                        b'\\' | b'\'' | b'"' => bytes.push(escaped),
                        b'n' => bytes.push(b'\n'),
                        b't' => bytes.push(b'\t'),
                        // Names with such escapes are shown as they are written.
                        other => bytes.extend([b'\\', other]),
                    }
                }
                c => bytes.push(c),
            }
        }
        Ok(Literal::Text(String::from_utf8(bytes).unwrap_or_else(
            // Version 1 headers are Latin-1.
            |error| error.as_bytes().iter().map(|&b| char::from(b)).collect(),
        )))
    }

    fn int(&mut self) -> Result<Literal, LabelError> {
        let start = self.at;
        self.at += usize::from(self.peek() == Some(b'-'));
        while self.peek().is_some_and(|c| c.is_ascii_digit()) {
            self.at += 1;
        }
        let digits = self.text.get(start..self.at).unwrap_or_default();
        // Python 2 wrote `2L`.
        self.at += usize::from(self.peek() == Some(b'L'));
        std::str::from_utf8(digits)
            .ok()
            .and_then(|digits| digits.parse().ok())
            .map(Literal::Int)
            .ok_or_else(|| malformed_at("a number of the header is too large", start as u64))
    }

    fn word(&mut self) -> Result<Literal, LabelError> {
        for (word, literal) in [
            ("True", Literal::Bool(true)),
            ("False", Literal::Bool(false)),
            ("None", Literal::None),
        ] {
            let rest = self.text.get(self.at..).unwrap_or_default();
            if let Some(after) = rest.strip_prefix(word.as_bytes())
                && !after.first().is_some_and(u8::is_ascii_alphanumeric)
            {
                self.at += word.len();
                return Ok(literal);
            }
        }
        // `u'…'` and `b'…'`, as some writers have it.
        if matches!(self.peek(), Some(b'u' | b'b'))
            && matches!(self.text.get(self.at + 1), Some(b'\'' | b'"'))
        {
            self.at += 1;
            return self.string();
        }
        Err(self.unexpected())
    }
}
