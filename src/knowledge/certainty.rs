//! How sure something is.

use serde::{Deserialize, Serialize};

/// How sure a cause, a range or a pattern is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Certainty {
    /// One of several things that fit.
    Possible,
    /// A known pattern.
    Likely,
    /// The log states it.
    Certain,
}
