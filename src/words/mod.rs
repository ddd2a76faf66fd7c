//! Facts and ids to sentences in a language. The only renderer of verdicts, errors and labels.

mod check;
mod entry_texts;
mod finding;
mod label_problem;
mod language;
mod place;
mod problem;
mod reason;
mod render;
mod rows;
mod verdict;

pub use check::{Headline, check_headline, format_name, range_text, role_name, split_name};
pub use finding::{FindingTexts, bound_source, finding, severity_word};
pub use label_problem::label_problem;
pub use language::{Arg, Language, Words};
pub use place::{place_text, span};
pub use problem::{Problem, input_problem, kind_name};
pub use render::{certainty_word, verdict, verdict_of};
pub use verdict::*;
