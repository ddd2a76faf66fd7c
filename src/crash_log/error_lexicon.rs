//! The tables of error texts, ready to be matched: one pass over a line finds every needle of every row.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::ErrorFamily;
use super::error_table::{
    CUDA_ERRORS, CUDA_UNKNOWN, DEATHS, Death, OTHER_FRAMEWORKS, ROWS, Row, WRAPPING_ROWS,
};
use super::word_set::{Sightings, WordSet};

/// All needles, and the tables as numbers of needles.
pub(super) struct Lexicon {
    words: WordSet,
    wrapping_rows: Vec<NumberedRow>,
    rows: Vec<NumberedRow>,
    other_frameworks: Vec<usize>,
    cuda: Vec<usize>,
    unknown_cuda: Vec<usize>,
    deaths: Vec<(usize, &'static Death)>,
}

struct NumberedRow {
    needles: Vec<usize>,
    row: &'static Row,
}

/// What of the lexicon stands in one text.
pub(super) struct Reading {
    lexicon: &'static Lexicon,
    seen: Sightings,
}

/// Which of the two lists of rows.
#[derive(Clone, Copy)]
pub(super) enum Rows {
    /// Those that are tried before CUDA's own texts.
    Wrapping,
    /// Those after.
    Other,
}

/// Names by which CUDA's errors go without their text.
const CUDA_NAMES: &[&str] = &["CUDA_ERROR_", "cudaError", "UNKNOWN_CUDA_ERROR"];

static LEXICON: LazyLock<Lexicon> = LazyLock::new(Lexicon::new);

/// Reads a text; `None` where it holds nothing of the lexicon.
pub(super) fn read(text: &str) -> Option<Reading> {
    let lexicon = &*LEXICON;
    Some(Reading {
        seen: lexicon.words.sightings(text)?,
        lexicon,
    })
}

impl Reading {
    /// The first row whose needles all stand in the text and whose place is believed.
    pub(super) fn row(
        &self,
        rows: Rows,
        has_class: bool,
        believed: impl Fn(usize) -> bool,
    ) -> Option<ErrorFamily> {
        let rows = match rows {
            Rows::Wrapping => &self.lexicon.wrapping_rows,
            Rows::Other => &self.lexicon.rows,
        };
        rows.iter().find_map(|numbered| {
            let (first, rest) = numbered.needles.split_first()?;
            let (at, _) = self.seen.of(*first)?;
            if !numbered.row.anywhere && !has_class {
                return None;
            }
            let end = at + numbered.row.needles.first()?.len();
            let all = rest
                .iter()
                .all(|needle| self.seen.of(*needle).is_some_and(|(_, last)| last >= end));
            // "<card> is not compatible with …": the sentence begins with its subject.
            let begins_before = numbered.row.needles.first()?.starts_with("is ");
            (all && believed(if begins_before { 0 } else { at })).then_some(numbered.row.family)
        })
    }

    /// Where another framework's mark stands.
    pub(super) fn other_framework(&self) -> Option<usize> {
        self.first_of(&self.lexicon.other_frameworks)
    }

    /// Whether any of CUDA's texts or names stands in the text.
    pub(super) fn names_cuda_error(&self) -> bool {
        self.first_of(&self.lexicon.cuda).is_some()
    }

    /// Where a wrapping stands behind which any text is a CUDA error's.
    pub(super) fn unknown_cuda_error(&self) -> Option<usize> {
        self.first_of(&self.lexicon.unknown_cuda)
    }

    /// The first way of dying whose needle stands in the text and is believed there.
    pub(super) fn death(&self, believed: impl Fn(usize) -> bool) -> Option<&'static Death> {
        self.lexicon.deaths.iter().find_map(|(needle, death)| {
            let (at, _) = self.seen.of(*needle)?;
            believed(at).then_some(*death)
        })
    }

    fn first_of(&self, needles: &[usize]) -> Option<usize> {
        needles
            .iter()
            .filter_map(|needle| self.seen.of(*needle))
            .map(|(first, _)| first)
            .min()
    }
}

impl Lexicon {
    fn new() -> Self {
        let mut words: Vec<&'static str> = Vec::new();
        let mut numbers: HashMap<&'static str, usize> = HashMap::new();
        let mut number = |word: &'static str| {
            *numbers.entry(word).or_insert_with(|| {
                words.push(word);
                words.len() - 1
            })
        };
        let mut numbered = |rows: &'static [Row]| -> Vec<NumberedRow> {
            rows.iter()
                .map(|row| NumberedRow {
                    needles: row.needles.iter().map(|needle| number(needle)).collect(),
                    row,
                })
                .collect()
        };
        let wrapping_rows = numbered(WRAPPING_ROWS);
        let rows = numbered(ROWS);
        let other_frameworks = OTHER_FRAMEWORKS.iter().map(|mark| number(mark)).collect();
        let cuda = CUDA_ERRORS
            .iter()
            .map(|error| error.text)
            .chain(CUDA_NAMES.iter().copied())
            .map(&mut number)
            .collect();
        let unknown_cuda = CUDA_UNKNOWN.iter().map(|mark| number(mark)).collect();
        let deaths = DEATHS
            .iter()
            .filter(|death| !death.whole_line)
            .map(|death| (number(death.needle), death))
            .collect();
        Self {
            wrapping_rows,
            rows,
            other_frameworks,
            cuda,
            unknown_cuda,
            deaths,
            words: WordSet::new(&words),
        }
    }
}
