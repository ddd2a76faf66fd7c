//! Assert Doctor: why did a PyTorch run die with a CUDA device-side assert?
//!
//! The modules, in reading order. Arrows point down only: `ui, cli → app → report, guide → words → domain`.

pub mod crash_log;
pub mod knowledge;

pub mod inputs;

pub mod range_check;

pub mod labels;

pub mod bounds;

pub mod findings;

pub mod check;

pub mod diagnosis;

pub mod rerun;

pub mod compare;

pub mod case;

pub mod words;

pub mod settings;

mod panics;

pub mod app;

pub mod cli;

#[cfg(feature = "gui")]
pub mod ui;
