//! Integration tests: one binary, a module a feature.

mod cases;
mod console;
mod diagnosis;
mod log_cases;
mod verdict_words;
