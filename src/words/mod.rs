//! Facts and ids to sentences in a language. The only renderer of verdicts, errors and labels.

mod language;
mod verdict;

pub use language::{Arg, Language, Words};
pub use verdict::*;
