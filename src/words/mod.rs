//! Facts and ids to sentences in a language. The only renderer of verdicts, errors and labels.

mod check;
mod comparison;
mod device;
mod entry_texts;
mod finding;
mod guard_line;
mod kit;
mod label_problem;
mod language;
mod place;
mod problem;
mod reason;
mod render;
mod reproduction;
mod rows;
mod run;
mod run_setup;
mod system;
mod verdict;

pub use check::{Headline, check_headline, format_name, range_text, role_name, split_name};
pub use comparison::{ComparisonRow, ComparisonRowKind, ComparisonTexts, SignText, comparison};
pub use device::{
    DeviceTexts, HealthTexts, device_choice, device_use, gpu_kind, gpu_name, gpu_problem,
    gpu_reason, gpu_reason_id, health_texts, size_text,
};
pub use finding::{FindingTexts, bound_source, finding, severity_word};
pub use guard_line::guard_line;
pub use kit::{KitTexts, kit_intro, kit_texts};
pub use label_problem::label_problem;
pub use language::{Arg, Language, Words};
pub use place::{place_text, span};
pub use problem::{Problem, input_problem, kind_name};
pub use render::{certainty_of, certainty_word, told_id, verdict, verdict_of};
pub use reproduction::{ReproductionTexts, no_reproduction, reproduction};
pub use run::{
    ending_meaning, exit_code, exit_meaning, no_guard, python_text, run_duration, run_ending,
    run_notice, run_others, run_problem, run_state, suggestion_reason,
};
pub use run_setup::split_problem;
pub use system::system_said;
pub use verdict::*;
