//! Facts and ids to sentences in a language. The only renderer of verdicts, errors and labels.

mod entry_texts;
mod finding;
mod language;
mod offender;
mod problem;
mod render;
mod rows;
mod verdict;

pub use finding::{FindingTexts, finding};
pub use language::{Arg, Language, Words};
pub use problem::{Problem, input_problem, kind_name};
pub use render::{certainty_word, verdict, verdict_of};
pub use verdict::*;
