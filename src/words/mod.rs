//! Facts and ids to sentences in a language. The only renderer of verdicts, errors and labels.

mod check;
mod comparison;
mod entry_texts;
mod finding;
mod label_problem;
mod language;
mod place;
mod problem;
mod reason;
mod render;
mod rows;
mod run;
mod verdict;

pub use check::{Headline, bound_source, check_headline, format_name, range_text, role_name};
pub use comparison::{ComparisonRow, ComparisonRowKind, ComparisonTexts, SignText, comparison};
pub use finding::{FindingTexts, finding, severity_word};
pub use label_problem::label_problem;
pub use language::{Arg, Language, Words};
pub use place::place_text;
pub use problem::{Problem, input_problem, kind_name};
pub use render::{certainty_word, verdict, verdict_of};
pub use run::{
    exit_code, exit_meaning, python_text, run_duration, run_ending, run_problem, run_state,
    suggestion_reason,
};
pub use verdict::*;
