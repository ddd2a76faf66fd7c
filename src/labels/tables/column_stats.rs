//! What the cells of a column are, from a sample.

use std::collections::BTreeSet;

use super::cells::{self, Cell, Reading};
use super::names::is_picture;
use super::text::to_text;

/// Distinct texts of a column that are kept.
pub(super) const MOST_TEXTS: usize = 256;

/// What the sampled cells of a column are.
#[derive(Clone, Debug)]
pub(super) struct Stat {
    /// Cells with a value.
    pub filled: u64,
    /// Whole numbers.
    pub ints: u64,
    /// Numbers.
    pub numbers: u64,
    /// Nothing but 0 and 1, and no cell is empty.
    pub binary: bool,
    /// All whole numbers are the same.
    pub constant: bool,
    /// Every number is larger than the one before.
    pub rising: bool,
    /// The first whole number.
    pub first: Option<i128>,
    /// The last one.
    pub last: Option<i128>,
    /// Distinct texts, up to a limit.
    pub texts: BTreeSet<String>,
    /// Names of pictures.
    pub pictures: u64,
}

impl Default for Stat {
    fn default() -> Self {
        Self {
            filled: 0,
            ints: 0,
            numbers: 0,
            binary: true,
            constant: true,
            rising: true,
            first: None,
            last: None,
            texts: BTreeSet::new(),
            pictures: 0,
        }
    }
}

impl Stat {
    /// Takes a cell in.
    pub fn add(&mut self, cell: &[u8], how: Reading<'_>) {
        match cells::parse(cell, how) {
            Cell::Missing => self.binary = false,
            Cell::Number(value, _) => {
                self.filled += 1;
                self.numbers += 1;
                if let Some(n) = value.as_int() {
                    self.ints += 1;
                    self.binary &= n == 0 || n == 1;
                    self.constant &= *self.first.get_or_insert(n) == n;
                    self.rising &= self.last.is_none_or(|last| last < n);
                    self.last = Some(n);
                } else {
                    (self.binary, self.constant, self.rising) = (false, false, false);
                }
            }
            Cell::Name(name) => {
                self.filled += 1;
                (self.binary, self.rising) = (false, false);
                let text = to_text(name);
                self.pictures += u64::from(is_picture(&text));
                if self.texts.len() < MOST_TEXTS && text.len() <= 64 {
                    self.texts.insert(text.into_owned());
                }
            }
        }
    }

    /// Whole numbers only.
    pub fn all_ints(&self) -> bool {
        self.filled > 0 && self.ints == self.filled
    }

    /// Numbers only.
    pub fn all_numbers(&self) -> bool {
        self.filled > 0 && self.numbers == self.filled
    }

    /// Mostly numbers, with some strays.
    pub fn numeric(&self) -> bool {
        self.numbers * 10 >= self.filled * 8
    }
}
