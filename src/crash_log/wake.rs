//! Where a text may hold something for a recogniser: the search that lets dull text pass at the speed of memory.

use aho_corasick::{AhoCorasick, AhoCorasickKind, Span, packed};
use memchr::memmem::Finder;

/// Finds the words of all recognisers at once.
#[derive(Debug)]
pub(super) struct WakeWords {
    /// For one line.
    all: Option<AhoCorasick>,
    /// For long texts.
    sets: Vec<Set>,
}

/// Words that are searched together: a few of them with vector instructions, where the processor has those.
#[derive(Debug)]
enum Set {
    One(Finder<'static>),
    Packed(packed::Searcher),
    Automaton(AhoCorasick),
}

/// Words in one set.
const WORDS: usize = 32;

impl Set {
    fn new(words: &[&'static str]) -> Option<Self> {
        if let [word] = words {
            return Some(Self::One(Finder::new(*word)));
        }
        let packed = packed::Config::new().builder().extend(words).build();
        packed
            .map(Self::Packed)
            .or_else(|| AhoCorasick::new(words).ok().map(Self::Automaton))
    }

    fn find(&self, text: &str, from: usize) -> Option<usize> {
        match self {
            Self::One(word) => word
                .find(text.as_bytes().get(from..)?)
                .map(|found| from + found),
            Self::Packed(searcher) => searcher
                .find_in(
                    text,
                    Span {
                        start: from,
                        end: text.len(),
                    },
                )
                .map(|found| found.start()),
            Self::Automaton(automaton) => automaton
                .find(text.get(from..)?)
                .map(|found| from + found.start()),
        }
    }
}

impl WakeWords {
    /// Takes the words; one that contains another is covered by it.
    pub(super) fn new(words: impl IntoIterator<Item = &'static str>) -> Self {
        let mut words: Vec<&'static str> =
            words.into_iter().filter(|word| !word.is_empty()).collect();
        words.sort_unstable_by_key(|word| (word.len(), *word));
        words.dedup();
        let mut needed: Vec<&'static str> = Vec::new();
        for word in words {
            if !needed.iter().any(|shorter| word.contains(shorter)) {
                needed.push(word);
            }
        }
        // Short words slow a set down, so they have sets of their own; words with one beginning share one.
        let length = |word: &str| word.len().min(4);
        needed.sort_unstable_by_key(|word| (length(word), *word));
        let all = AhoCorasick::builder()
            .kind(Some(AhoCorasickKind::DFA))
            .build(&needed)
            .ok();
        let sets = needed
            .chunk_by(|first, next| length(first) == length(next))
            .flat_map(|words| words.chunks(WORDS))
            .filter_map(Set::new)
            .collect();
        Self { all, sets }
    }

    /// Whether the text holds a word.
    pub(super) fn wakes(&self, text: &str) -> bool {
        self.all.as_ref().is_some_and(|all| all.is_match(text))
    }

    /// A search through a text from left to right.
    pub(super) fn search<'a>(&'a self, text: &'a str) -> Search<'a> {
        Search {
            words: self,
            text,
            next: vec![Next::Unknown; self.sets.len()],
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
        for (set, next) in self.words.sets.iter().zip(&mut self.next) {
            let found = next.seek(from, |from| set.find(text, from));
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
        assert!(wake.sets.len() > 1);
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
