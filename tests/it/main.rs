//! Integration tests: one binary, a module a feature.

#![expect(clippy::unwrap_used, reason = "tests say what they expect by failing")]

mod app_gpus;
mod app_labels;
mod app_log;
mod app_rerun;
mod app_rows;
mod app_run_ends;
mod app_state;
mod cases;
mod compare;
mod console;
mod crash_log_cuts;
mod diagnosis;
mod diagnosis_of_frames;
mod guard;
mod guard_forms;
mod guard_lines;
mod inputs;
mod knowledge_reached;
mod label_cases;
mod log_cases;
mod made;
mod messy_logs;
mod program;
#[cfg(unix)]
mod rerun;
mod verdict_words;

#[cfg(feature = "gui")]
mod window;
