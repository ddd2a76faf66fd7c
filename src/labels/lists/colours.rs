//! Lists of colours: which class a colour in a mask stands for.

use super::{MOST_NAMES, json};
use crate::labels::LabelError;

/// Colours and names, in the order of the class numbers.
pub(super) fn parse(text: &str) -> Result<Vec<([u8; 3], String)>, LabelError> {
    let text = text.trim_start_matches('\u{feff}');
    if text.trim_start().starts_with(['{', '[']) {
        return json::colours(text);
    }
    of_lines(text).ok_or(LabelError::NoColourList)
}

/// The colours of a list by lines: `name:r,g,b:parts:actions` (CVAT, Datumaro), `r g b name` (`CamVid`), `name,r,g,b` with a header
/// (`class_dict.csv`), `name r g b`, `#rrggbb name`. `None` where a line is none of these.
pub(super) fn of_lines(text: &str) -> Option<Vec<([u8; 3], String)>> {
    let mut listed = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with("# ") || line.starts_with("//") {
            continue;
        }
        match of_line(line) {
            Some(entry) if listed.len() < MOST_NAMES => listed.push(entry),
            // The first line may be a header.
            None if at == 0 && !line.bytes().any(|byte| byte.is_ascii_digit()) => {}
            _ => return None,
        }
    }
    (!listed.is_empty()).then_some(listed)
}

fn of_line(line: &str) -> Option<([u8; 3], String)> {
    // In CVAT's form the name comes before the first colon and may hold anything else.
    if let Some((name, rest)) = line.split_once(':') {
        let colour = rest.split(':').next().unwrap_or_default();
        let words: Vec<&str> = colour.split(',').map(str::trim).collect();
        if let Some(colour) = channels(&words) {
            return Some((colour, name.trim().to_owned()));
        }
    }
    let words: Vec<&str> = line
        .split([' ', '\t', ',', ';', ':'])
        .filter(|word| !word.is_empty())
        .collect();
    if let Some((first, name)) = words.split_first()
        && let Some(colour) = hexadecimal(first)
    {
        return named(colour, name);
    }
    if let (Some(first), Some(name)) = (words.get(..3), words.get(3..))
        && let Some(colour) = channels(first)
        // `3 0 0 255` begins with a number of its own.
        && !(words.len() == 4 && name.first().is_some_and(|word| is_channel(word)))
    {
        return named(colour, name);
    }
    let split = words.len().checked_sub(3)?;
    let (name, last) = words.split_at_checked(split)?;
    named(channels(last)?, name)
}

fn named(colour: [u8; 3], name: &[&str]) -> Option<([u8; 3], String)> {
    (!name.is_empty()).then(|| (colour, name.join(" ")))
}

fn is_channel(word: &str) -> bool {
    word.parse::<u8>().is_ok()
}

fn channels(words: &[&str]) -> Option<[u8; 3]> {
    let [r, g, b] = words else { return None };
    Some([r.parse().ok()?, g.parse().ok()?, b.parse().ok()?])
}

fn hexadecimal(word: &str) -> Option<[u8; 3]> {
    let digits = word.strip_prefix('#').filter(|rest| rest.len() == 6)?;
    let number = u32::from_str_radix(digits, 16).ok()?;
    let [_, r, g, b] = number.to_be_bytes();
    Some([r, g, b])
}
