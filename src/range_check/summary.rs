//! What a pass over values found, in numbers.

use std::collections::BTreeMap;

use super::{Breach, Number};

/// First places kept for each kind of breach.
pub const MOST_FIRSTS: usize = 16;
/// Distinct values that are counted one by one.
pub const MOST_DISTINCT: usize = 1 << 16;

/// What a pass over values found. Parts of one pass merge into what a single pass over all would have found.
///
/// Places are *indices*: the rank of a value in reading order (C order for arrays), wherever it lies in memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Values read, ignored ones included.
    pub count: u64,
    /// Values skipped by the rule.
    pub ignored: u64,
    /// Smallest finite value that is not ignored.
    pub min: Option<Number>,
    /// Largest finite value that is not ignored.
    pub max: Option<Number>,
    /// Offenders by kind: how many, and the first of them, rising by index, at most [`MOST_FIRSTS`].
    pub breaches: BTreeMap<Breach, (u64, Vec<(u64, Number)>)>,
    /// How often each value occurs (ignored, NaN and infinite ones, too) and at which index first: the histogram.
    /// Fractions that do not break the rule are not among them: probabilities hardly ever repeat. Complete unless `more_distinct`; then it holds the smallest [`MOST_DISTINCT`] values met.
    pub distinct: BTreeMap<Number, Seen>,
    /// There are more distinct values than are counted.
    pub more_distinct: bool,
}

/// One distinct value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// How often.
    pub count: u64,
    /// Index where first.
    pub first: u64,
}

impl Summary {
    /// How many offenders of one kind.
    pub fn broken(&self, breach: Breach) -> u64 {
        self.breaches.get(&breach).map_or(0, |(count, _)| *count)
    }

    /// All offenders.
    pub fn offenders(&self) -> u64 {
        self.breaches.values().map(|(count, _)| count).sum()
    }
}
