//! Telling encodings apart by a few bytes.

use std::borrow::Cow;

use encoding_rs::GB18030;

/// Bytes looked at to decide on the width of a code unit.
pub(super) const WINDOW: usize = 64;

/// The width of a code unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Width {
    /// One byte: ASCII, UTF-8, GBK.
    #[default]
    Narrow,
    /// UTF-16, low byte first.
    Little,
    /// UTF-16, high byte first.
    Big,
}

/// The next byte that plain narrow text does not hold: NUL and 0xFF show UTF-16 or its mark. Found once, remembered.
#[derive(Default)]
pub(super) struct Special {
    searched: bool,
    found: Option<usize>,
}

impl Special {
    pub(super) fn first(&mut self, bytes: &[u8], from: usize) -> Option<usize> {
        if !self.searched || self.found.is_some_and(|at| at < from) {
            let next = bytes
                .get(from..)
                .and_then(|rest| memchr::memchr2(0, 0xFF, rest));
            *self = Self {
                searched: true,
                found: next.map(|at| from + at),
            };
        }
        self.found
    }
}

/// The bytes before the first that is not ASCII.
pub(super) fn ascii_start(text: &[u8]) -> &[u8] {
    let mut length = 0;
    for piece in text.chunks(512) {
        if piece.is_ascii() {
            length += piece.len();
        } else {
            length += piece.iter().take_while(|byte| byte.is_ascii()).count();
            break;
        }
    }
    text.get(..length).unwrap_or(text)
}

/// The width on a line that follows narrow text, from its bytes up to the line feed.
pub(super) fn from_narrow(line: &[u8]) -> Width {
    if memchr::memchr(0, line).is_none() {
        return Width::Narrow;
    }
    let (mut little, mut big, mut narrow) = (0, 0, 0);
    let pairs = line.as_chunks::<2>().0;
    for &[first, second] in pairs {
        match (first, second) {
            (0, 0) => narrow += 1,
            (0, low) if is_text(low) => big += 1,
            (low, 0) if is_text(low) => little += 1,
            (first, second) if is_text(first) && is_text(second) => narrow += 1,
            _ => {}
        }
    }
    if little > narrow && big == 0 {
        Width::Little
    } else if big > narrow && little == 0 {
        Width::Big
    } else if little > 0
        && big == 0
        && !line.len().is_multiple_of(2)
        && line.ends_with(&[b'\r', 0, b'\n'])
    {
        Width::Little
    } else if big > 0
        && little == 0
        && line.len().is_multiple_of(2)
        && line.ends_with(&[0, b'\r', 0, b'\n'])
    {
        Width::Big
    } else {
        Width::Narrow
    }
}

/// The width on a line that follows UTF-16, from the next bytes.
pub(super) fn from_wide(window: &[u8], before: Width) -> Width {
    let nul = memchr::memchr(0, window);
    if nul.is_none() && window.len() > 2 {
        let ascii = window.iter().filter(|&&byte| is_text(byte)).count();
        let run = window
            .split(|&byte| !is_text(byte))
            .map(<[u8]>::len)
            .max()
            .unwrap_or(0);
        let valid = match std::str::from_utf8(window) {
            Ok(_) => true,
            Err(error) => error.error_len().is_none(),
        };
        if valid || (ascii * 5 >= window.len() * 3 && run >= 8) {
            return Width::Narrow;
        }
    }
    // A short narrow line, and UTF-16 again after it.
    if let Some(nul) = nul
        && let Some(feed) = memchr::memchr(b'\n', window)
        && feed < nul
        && let Some(line) = window.get(..feed)
        && line.iter().all(|&byte| is_text(byte))
        && (feed >= 8 || (feed >= 4 && line.ends_with(b"\r")))
    {
        return Width::Narrow;
    }
    // Different letters: a line drawn of U+2500 looks like a row of `%` the other way round.
    let (mut little, mut big) = (0_u128, 0_u128);
    for &[first, second] in window.as_chunks::<2>().0 {
        match (first, second) {
            (0, low) if is_text(low) => big |= 1 << low,
            (low, 0) if is_text(low) => little |= 1 << low,
            _ => {}
        }
    }
    match before {
        Width::Little if big.count_ones() > 2 && little == 0 => Width::Big,
        Width::Big if little.count_ones() > 2 && big == 0 => Width::Little,
        other => other,
    }
}

fn is_text(byte: u8) -> bool {
    matches!(byte, b' '..=b'~' | b'\t' | b'\r' | b'\n' | 0x1B)
}

/// GBK, where it is plausible: most of its double bytes lie where everyday Chinese does. Western text with accents does not.
pub(super) fn gbk(bytes: &[u8]) -> Option<Cow<'_, str>> {
    let (mut common, mut rare) = (0_usize, 0_usize);
    let mut rest = bytes;
    while let Some((&first, after)) = rest.split_first() {
        if first.is_ascii() {
            rest = after;
            continue;
        }
        let (&second, after) = after.split_first()?;
        if (0xA1..=0xF7).contains(&first) && second >= 0xA1 {
            common += 1;
        } else {
            rare += 1;
        }
        rest = after;
    }
    if common < 2 * rare || common == 0 {
        return None;
    }
    GB18030.decode_without_bom_handling_and_without_replacement(bytes)
}
