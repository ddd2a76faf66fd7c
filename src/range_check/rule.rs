//! What is allowed.

use super::Number;

/// An allowed range and the values that are skipped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rule {
    /// Smallest allowed value; `None`: no lower end.
    pub lo: Option<Number>,
    /// Largest allowed value; `None`: not known, nothing is too big.
    pub hi: Option<Number>,
    /// Values that are skipped (`ignore_index`).
    pub ignore: Vec<Number>,
    /// Numbers with a fraction are allowed (probabilities, logits).
    pub fractions: bool,
}

/// How a value breaks a rule. Exactly one applies to each offender, tested in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Breach {
    /// Not a number.
    Nan,
    /// Plus or minus infinity.
    Infinite,
    /// A fraction where whole numbers are needed, whether inside the range or not.
    Fraction,
    /// Below the lower end.
    Below,
    /// Above the upper end.
    Above,
}

impl Breach {
    /// All, in the order of the test.
    pub const ALL: [Self; 5] = [
        Self::Nan,
        Self::Infinite,
        Self::Fraction,
        Self::Below,
        Self::Above,
    ];
}

impl Rule {
    /// Whether and how one value breaks the rule; ignored values never do.
    pub fn breach(&self, value: Number) -> Option<Breach> {
        if self.ignore.contains(&value) {
            None
        } else if value.is_nan() {
            Some(Breach::Nan)
        } else if value.is_infinite() {
            Some(Breach::Infinite)
        } else if !self.fractions && value.is_fraction() {
            Some(Breach::Fraction)
        } else if self.lo.is_some_and(|lo| value < lo) {
            Some(Breach::Below)
        } else if self.hi.is_some_and(|hi| value > hi) {
            Some(Breach::Above)
        } else {
            None
        }
    }
}
