//! Where a text may hold something for a recogniser: the search that lets dull text pass at the speed of memory.

use aho_corasick::{AhoCorasick, MatchKind};

/// Finds the words of all recognisers at once.
#[derive(Debug)]
pub(super) struct WakeWords {
    /// Several automata: a small set of words is searched with vector instructions, a large one is not.
    automata: Vec<AhoCorasick>,
}

/// Words in one automaton.
const WORDS: usize = 32;

impl WakeWords {
    /// Takes the words; one that contains another is covered by it.
    pub(super) fn new(words: impl IntoIterator<Item = &'static str>) -> Self {
        let mut words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        words.sort_unstable_by_key(|word| (word.len(), *word));
        words.dedup();
        let mut needed: Vec<&str> = Vec::new();
        for word in words {
            if !needed.iter().any(|shorter| word.contains(shorter)) {
                needed.push(word);
            }
        }
        // Words with one beginning together, so that an automaton has few of them.
        needed.sort_unstable();
        Self {
            automata: needed
                .chunks(WORDS)
                .filter_map(|words| {
                    // Of the kinds of search only the leftmost ones use vector instructions.
                    AhoCorasick::builder()
                        .match_kind(MatchKind::LeftmostFirst)
                        .build(words)
                        .ok()
                })
                .collect(),
        }
    }

    /// Whether the text holds a word.
    pub(super) fn wakes(&self, text: &str) -> bool {
        self.automata
            .iter()
            .any(|automaton| automaton.is_match(text))
    }

    /// A search through a text from left to right.
    pub(super) fn search<'a>(&'a self, text: &'a str) -> Search<'a> {
        Search {
            words: self,
            text,
            next: vec![Next::Unknown; self.automata.len()],
            markup: Next::Unknown,
            odd: Next::Unknown,
        }
    }
}

/// See [`WakeWords::search`]. Also stops where markup could hide a word: colours, HTML, invisible characters.
#[derive(Debug)]
pub(super) struct Search<'a> {
    words: &'a WakeWords,
    text: &'a str,
    next: Vec<Next>,
    markup: Next,
    odd: Next,
}

#[derive(Clone, Copy, Debug)]
enum Next {
    Unknown,
    At(usize),
    Nowhere,
}

impl Next {
    /// Brings the place up to `from`.
    fn seek(&mut self, from: usize, find: impl FnOnce(usize) -> Option<usize>) -> Option<usize> {
        match *self {
            Self::Nowhere => None,
            Self::At(at) if at >= from => Some(at),
            Self::At(_) | Self::Unknown => {
                let found = find(from);
                *self = found.map_or(Self::Nowhere, Self::At);
                found
            }
        }
    }
}

impl Search<'_> {
    /// The first place of interest at or after `from`, which must not go back.
    pub(super) fn first(&mut self, from: usize) -> Option<usize> {
        let text = self.text;
        let mut first = self.markup.seek(from, |from| markup(text, from));
        let odd = self.odd.seek(from, |from| odd(text, from));
        first = [first, odd].into_iter().flatten().min();
        for (automaton, next) in self.words.automata.iter().zip(&mut self.next) {
            let found = next.seek(from, |from| {
                automaton
                    .find(text.get(from..)?)
                    .map(|found| from + found.start())
            });
            first = [first, found].into_iter().flatten().min();
        }
        first
    }
}

/// The next escape character, written-out escape sequence or HTML entity.
fn markup(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes().get(from..)?;
    memchr::memchr2_iter(0x1B, b'&', bytes)
        .map(|at| from + at)
        .find(|&at| {
            let rest = text.as_bytes().get(at..).unwrap_or_default();
            rest.first() == Some(&0x1B)
                || ["&lt;", "&gt;", "&amp;", "&quot;", "&#", "&nbsp;", "&apos;"]
                    .iter()
                    .any(|name| rest.starts_with(name.as_bytes()))
        })
}

/// The next character that is not seen, or only looks like a blank.
fn odd(text: &str, from: usize) -> Option<usize> {
    let rest = text.get(from..)?;
    if rest.is_ascii() {
        return None;
    }
    let bytes = rest.as_bytes();
    // U+00A0, U+200B..U+200F and the like, U+FEFF: by their first bytes.
    let mut at = 0;
    while let Some(found) = memchr::memchr3(0xC2, 0xE2, 0xEF, bytes.get(at..)?) {
        let here = at + found;
        match bytes.get(here..here + 3) {
            Some(
                [0xC2, 0xA0, _]
                | [0xE2, 0x80, 0x8B..=0x8F]
                | [0xE2, 0x81, 0xA0]
                | [0xEF, 0xBB, 0xBF],
            ) => return Some(from + here),
            _ => at = here + 1,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_markup_and_invisible_characters_are_found_in_order() {
        let words: Vec<&'static str> = ["Error", "RuntimeError", "assert", "断言"]
            .into_iter()
            .chain((0..80).map(|i| &*format!("word{i:02}!").leak()))
            .collect();
        let wake = WakeWords::new(words);
        assert!(wake.automata.len() > 1);
        let text = "dull & text\nan Error\n\u{1b}[0m\na &lt; b\nword77!\n█\u{a0}x 断言\n";
        let mut search = wake.search(text);
        let (mut from, mut found) = (0, Vec::new());
        while let Some(at) = search.first(from) {
            found.push(text[at..].chars().next().unwrap());
            from = at + text[at..].find('\n').unwrap() + 1;
        }
        assert_eq!(found, ['E', '\u{1b}', '&', 'w', '\u{a0}']);
        assert!(!wake.wakes("dull"));
    }
}
