//! Many substrings looked for in one pass.
//!
//! A log whose every line wakes the recognisers must still be read quickly: hundreds of single searches a line would not be.

use aho_corasick::AhoCorasick;

/// A fixed set of substrings.
pub(super) struct WordSet {
    /// `None` could only come from a set too large to build; then every text counts as holding words.
    automaton: Option<AhoCorasick>,
    words: usize,
}

/// Where the words of a set stand in a text.
pub(super) struct Sightings {
    /// By word: where its first and its last occurrence begin.
    places: Vec<Option<(usize, usize)>>,
}

impl WordSet {
    /// A set of these words.
    pub(super) fn new(words: &[&str]) -> Self {
        Self {
            automaton: AhoCorasick::new(words).ok(),
            words: words.len(),
        }
    }

    /// Whether a text holds any of the words.
    pub(super) fn any_in(&self, text: &str) -> bool {
        self.automaton
            .as_ref()
            .is_none_or(|automaton| automaton.is_match(text))
    }

    /// Where all of the words stand; `None` where none does.
    pub(super) fn sightings(&self, text: &str) -> Option<Sightings> {
        let automaton = self.automaton.as_ref()?;
        if !automaton.is_match(text) {
            return None;
        }
        let mut places = vec![None; self.words];
        for found in automaton.find_overlapping_iter(text) {
            if let Some(place) = places.get_mut(found.pattern().as_usize()) {
                let (_, last) = place.get_or_insert((found.start(), found.start()));
                *last = found.start();
            }
        }
        Some(Sightings { places })
    }
}

impl Sightings {
    /// Where a word's first and last occurrence begin.
    pub(super) fn of(&self, word: usize) -> Option<(usize, usize)> {
        self.places.get(word).copied().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_within_words_are_seen() {
        let set = WordSet::new(&["error", "CUDA error", "rr", "absent"]);
        let seen = set.sightings("CUDA error, error").unwrap();
        let places: Vec<_> = (0..4).map(|word| seen.of(word)).collect();
        assert_eq!(places, [Some((5, 12)), Some((0, 0)), Some((6, 13)), None]);
        assert!(!set.any_in("nothing") && set.sightings("nothing").is_none());
    }
}
