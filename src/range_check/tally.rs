//! Counting values: a dense table for small whole numbers, a map for everything else.

use std::collections::{BTreeMap, HashMap};

use super::summary::{MOST_DISTINCT, MOST_FIRSTS, Seen, Summary};
use super::{Breach, Number, Rule};

/// Whole numbers from here on have a place in the table. Everything down to -1, -100 and the smallest 8-bit integer.
pub(super) const WINDOW_FROM: i64 = -256;

/// Whole numbers below this have a place in the table, if it is allowed to grow so far: the vocabularies of large models are inside.
pub(super) const WINDOW_TO: i64 = 1 << 18;

/// A type that values come in.
pub(super) trait Lane: Copy {
    /// Smallest and largest, if all of them are whole numbers that a table of whole numbers below `to` holds.
    fn span(values: &[Self], to: i64) -> Option<(i64, i64)>;

    /// The value, if it is a whole number in `WINDOW_FROM..to`.
    fn small(self, to: i64) -> Option<i64>;

    /// The value without that check. Called only for values of a block that has a span.
    fn whole(self) -> i64;

    /// The value.
    fn number(self) -> Number;
}

macro_rules! narrow_lane {
    ($($t:ty),*) => { $(impl Lane for $t {
        fn span(values: &[Self], to: i64) -> Option<(i64, i64)> {
            let mut ends = (<$t>::MAX, <$t>::MIN);
            for &value in values {
                ends = (ends.0.min(value), ends.1.max(value));
            }
            let ends = (i64::from(ends.0), i64::from(ends.1));
            (ends.0 >= WINDOW_FROM && ends.1 < to).then_some(ends)
        }

        fn small(self, to: i64) -> Option<i64> {
            Some(i64::from(self)).filter(|n| (WINDOW_FROM..to).contains(n))
        }

        fn whole(self) -> i64 {
            i64::from(self)
        }

        fn number(self) -> Number {
            Number::from(self)
        }
    })* };
}
narrow_lane!(u8, i8, u16, i16, u32, i32, i64);

impl Lane for u64 {
    fn span(values: &[Self], to: i64) -> Option<(i64, i64)> {
        let mut ends = (Self::MAX, Self::MIN);
        for &value in values {
            ends = (ends.0.min(value), ends.1.max(value));
        }
        let most = i64::try_from(ends.1).ok().filter(|most| *most < to)?;
        Some((ends.0 as i64, most))
    }

    fn small(self, to: i64) -> Option<i64> {
        i64::try_from(self).ok().filter(|n| *n < to)
    }

    fn whole(self) -> i64 {
        self as i64
    }

    fn number(self) -> Number {
        Number::from(self)
    }
}

macro_rules! float_lane {
    ($($t:ty),*) => { $(impl Lane for $t {
        fn span(values: &[Self], to: i64) -> Option<(i64, i64)> {
            let mut whole = true;
            let mut ends = (<$t>::INFINITY, <$t>::NEG_INFINITY);
            for &value in values {
                // Of NaN and infinities nothing is 0.
                whole &= value.fract() == 0.0;
                ends = (ends.0.min(value), ends.1.max(value));
            }
            let inside = ends.0 >= WINDOW_FROM as $t && ends.1 < to as $t;
            (whole && inside).then_some((ends.0 as i64, ends.1 as i64))
        }

        fn small(self, to: i64) -> Option<i64> {
            let whole = self.fract() == 0.0 && self >= WINDOW_FROM as $t && self < to as $t;
            whole.then_some(self as i64)
        }

        fn whole(self) -> i64 {
            self as i64
        }

        fn number(self) -> Number {
            Number::from(f64::from(self))
        }
    })* };
}
float_lane!(f32, f64);

impl Lane for Number {
    fn span(values: &[Self], to: i64) -> Option<(i64, i64)> {
        let mut ends = (i64::MAX, i64::MIN);
        for value in values {
            let value = value.small(to)?;
            ends = (ends.0.min(value), ends.1.max(value));
        }
        Some(ends)
    }

    fn small(self, to: i64) -> Option<i64> {
        let whole = self.as_int().and_then(|n| i64::try_from(n).ok())?;
        (WINDOW_FROM..to).contains(&whole).then_some(whole)
    }

    fn whole(self) -> i64 {
        self.as_int().map_or(0, |n| n as i64)
    }

    fn number(self) -> Number {
        self
    }
}

/// Counts of one thread, or of one block.
pub(super) struct Tally<'r> {
    rule: &'r Rule,
    /// Whole numbers that surely do not break the rule.
    plain: (i64, i64),
    /// Counts of the whole numbers from [`WINDOW_FROM`] on. Grows with the values that occur.
    window: Vec<Seen>,
    /// The table may grow up to here.
    to: i64,
    /// Everything that the table does not hold.
    others: Others,
    /// Of everything that the table does not hold: count, ends and offenders.
    rest: Summary,
}

const UNSEEN: Seen = Seen {
    count: 0,
    first: u64::MAX,
};

impl<'r> Tally<'r> {
    /// Counts against a rule. `to`: how far the table may grow.
    pub fn new(rule: &'r Rule, to: i64) -> Self {
        Self {
            rule,
            plain: plain_range(rule),
            window: Vec::new(),
            to: to.min(WINDOW_TO),
            others: Others::default(),
            rest: Summary::default(),
        }
    }

    /// Counts a block; the offsets of its offenders are added to `offenders`, rising.
    pub fn block<L: Lane>(
        &mut self,
        values: &[L],
        index: impl Fn(usize) -> u64,
        offenders: &mut Vec<u32>,
    ) {
        if values.is_empty() {
            return;
        }
        let Some((least, most)) = L::span(values, self.to) else {
            return self.mixed(values, index, offenders);
        };
        self.grow(most);
        for (i, value) in values.iter().enumerate() {
            self.count_small(value.whole(), index(i));
        }
        if least >= self.plain.0 && most <= self.plain.1 {
            return;
        }
        for (i, value) in values.iter().enumerate() {
            let whole = value.whole();
            if (whole < self.plain.0 || whole > self.plain.1)
                && self.rule.breach(value.number()).is_some()
            {
                offenders.push(i as u32);
            }
        }
    }

    /// A block that holds something else than small whole numbers.
    fn mixed<L: Lane>(
        &mut self,
        values: &[L],
        index: impl Fn(usize) -> u64,
        offenders: &mut Vec<u32>,
    ) {
        for (i, value) in values.iter().enumerate() {
            let breaks = if let Some(whole) = value.small(self.to) {
                self.grow(whole);
                self.count_small(whole, index(i));
                (whole < self.plain.0 || whole > self.plain.1)
                    && self.rule.breach(value.number()).is_some()
            } else {
                let number = value.number();
                let breach = self.rest.judge(self.rule, number, 1);
                if is_counted(number, breach) {
                    let first = index(i);
                    self.others.add(number, Seen { count: 1, first });
                }
                breach.is_some()
            };
            if breaks {
                offenders.push(i as u32);
            }
        }
    }

    fn grow(&mut self, most: i64) {
        let needed = (most - WINDOW_FROM + 1) as usize;
        if self.window.len() < needed {
            let limit = (self.to - WINDOW_FROM) as usize;
            let size = needed.next_power_of_two().min(limit).max(needed);
            self.window.resize(size, UNSEEN);
        }
    }

    fn count_small(&mut self, whole: i64, index: u64) {
        if let Some(seen) = self.window.get_mut((whole - WINDOW_FROM) as usize) {
            seen.count += 1;
            seen.first = seen.first.min(index);
        }
    }

    /// What was counted, without the first offenders: those come from [`note_first`] in reading order.
    pub fn finish(self) -> Summary {
        let mut summary = self.rest;
        let mut distinct = BTreeMap::new();
        for (slot, seen) in self.window.into_iter().enumerate() {
            if seen.count > 0 {
                let number = Number::from(slot as i64 + WINDOW_FROM);
                summary.judge(self.rule, number, seen.count);
                distinct.insert(number, seen);
            }
        }
        let (others, more) = self.others.finish();
        distinct.extend(others);
        summary.distinct = distinct;
        summary.more_distinct = more;
        summary.keep_smallest();
        summary
    }
}

/// Whether a value is counted among the distinct ones: a fraction only where it breaks the rule. Probabilities hardly ever repeat.
fn is_counted(number: Number, breach: Option<Breach>) -> bool {
    breach.is_some() || !number.is_fraction()
}

/// The whole numbers that surely do not break a rule, both ends included.
fn plain_range(rule: &Rule) -> (i64, i64) {
    let whole = |end: Number, up: bool| match end {
        Number::Int(n) => Some(n.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64)
            .filter(|clamped| i128::from(*clamped) == n),
        Number::Float(x) if x.is_nan() => None,
        Number::Float(x) => {
            let x = if up { x.ceil() } else { x.floor() };
            (x.abs() < 1e15).then_some(x as i64)
        }
    };
    let lo = rule.lo.map_or(Some(i64::MIN), |lo| whole(lo, true));
    let hi = rule.hi.map_or(Some(i64::MAX), |hi| whole(hi, false));
    // An end that is no 64-bit integer leaves the decision to the rule itself.
    match (lo, hi) {
        (Some(lo), Some(hi)) => (lo, hi),
        _ => (1, 0),
    }
}

/// Distinct values outside the table: the smallest ones, each with its exact count.
///
/// A value that is among the smallest of all is among the smallest of every part, so it is never dropped and its count is whole.
#[derive(Default)]
pub(super) struct Others {
    seen: HashMap<Number, Seen>,
    /// Values above this are not counted: enough smaller ones are known.
    most: Option<Number>,
    more: bool,
}

impl Others {
    pub fn add(&mut self, number: Number, seen: Seen) {
        if self.most.is_some_and(|most| number > most) {
            self.more = true;
            return;
        }
        let known = self.seen.entry(number).or_insert(UNSEEN);
        known.count += seen.count;
        known.first = known.first.min(seen.first);
        if self.seen.len() >= 2 * MOST_DISTINCT {
            self.prune();
        }
    }

    fn prune(&mut self) {
        if self.seen.len() <= MOST_DISTINCT {
            return;
        }
        let mut numbers: Vec<Number> = self.seen.keys().copied().collect();
        numbers.sort_unstable();
        if let Some(&most) = numbers.get(MOST_DISTINCT - 1) {
            self.seen.retain(|number, _| *number <= most);
            self.most = Some(most);
            self.more = true;
        }
    }

    /// Adds what another part found.
    #[cfg(feature = "gpu-check")]
    #[expect(
        clippy::iter_over_hash_type,
        reason = "the smallest values and their counts are the same in every order"
    )]
    pub fn merge(&mut self, other: Self) {
        self.more |= other.more;
        for (number, seen) in other.seen {
            self.add(number, seen);
        }
    }

    pub fn finish(mut self) -> (BTreeMap<Number, Seen>, bool) {
        self.prune();
        (self.seen.into_iter().collect(), self.more)
    }
}

/// Puts an offender among the first of its kind.
pub(super) fn note_first(firsts: &mut Vec<(u64, Number)>, index: u64, number: Number) {
    let full = firsts.len() >= MOST_FIRSTS;
    if full && firsts.last().is_some_and(|last| *last <= (index, number)) {
        return;
    }
    let at = firsts.partition_point(|first| *first <= (index, number));
    firsts.insert(at, (index, number));
    firsts.truncate(MOST_FIRSTS);
}

impl Summary {
    /// Counts a value and judges it, without counting it among the distinct ones and without noting its place.
    pub(super) fn judge(&mut self, rule: &Rule, number: Number, times: u64) -> Option<Breach> {
        self.count += times;
        if rule.ignore.contains(&number) {
            self.ignored += times;
            return None;
        }
        if !number.is_nan() && !number.is_infinite() {
            self.min = Some(self.min.map_or(number, |min| min.min(number)));
            self.max = Some(self.max.map_or(number, |max| max.max(number)));
        }
        let breach = rule.breach(number)?;
        self.breaches.entry(breach).or_default().0 += times;
        Some(breach)
    }

    /// Counts one value with all that belongs to it.
    pub(super) fn add(&mut self, rule: &Rule, number: Number, index: u64) -> Option<Breach> {
        let breach = self.judge(rule, number, 1);
        if let Some(breach) = breach {
            self.note(breach, index, number);
        }
        if is_counted(number, breach) {
            self.see(
                number,
                Seen {
                    count: 1,
                    first: index,
                },
            );
            self.keep_smallest();
        }
        breach
    }

    /// Notes the place of an offender that is counted already.
    pub(super) fn note(&mut self, breach: Breach, index: u64, number: Number) {
        note_first(
            &mut self.breaches.entry(breach).or_default().1,
            index,
            number,
        );
    }

    fn see(&mut self, number: Number, seen: Seen) {
        let known = self.distinct.entry(number).or_insert(UNSEEN);
        known.count += seen.count;
        known.first = known.first.min(seen.first);
    }

    pub(super) fn keep_smallest(&mut self) {
        while self.distinct.len() > MOST_DISTINCT {
            self.distinct.pop_last();
            self.more_distinct = true;
        }
    }

    /// Adds what another part of the same pass found.
    pub fn merge(&mut self, other: Self) {
        self.count += other.count;
        self.ignored += other.ignored;
        self.min = [self.min, other.min].into_iter().flatten().min();
        self.max = [self.max, other.max].into_iter().flatten().max();
        for (breach, (count, firsts)) in other.breaches {
            let known = self.breaches.entry(breach).or_default();
            known.0 += count;
            for (index, number) in firsts {
                note_first(&mut known.1, index, number);
            }
        }
        self.more_distinct |= other.more_distinct;
        for (number, seen) in other.distinct {
            self.see(number, seen);
        }
        self.keep_smallest();
    }
}
