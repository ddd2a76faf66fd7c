//! The logs of `tests/fixtures/logs` and `logs-more` with what is right to say of each.

use std::path::{Path, PathBuf};

use serde::Deserialize;

/// One log and its right answers; the fields are explained in `tests/fixtures/logs/README.md`.
#[derive(Debug, Deserialize)]
pub struct LogCase {
    pub file: String,
    pub culprit: String,
    #[serde(default)]
    pub also_accept: Vec<String>,
    pub kernel_file: String,
    pub kernel_line: Option<u32>,
    pub kernel_function: Option<String>,
    pub assertion: String,
    pub distinct_assertions: usize,
    pub assert_threads: u64,
    pub traceback_line_is_culprit: Option<bool>,
    pub launch_blocking: Option<bool>,
    pub platform: String,
    pub torch_version: String,
    pub torch_version_source: Option<String>,
    #[serde(default)]
    pub secondary_errors: Vec<String>,
    /// The log's bytes.
    #[serde(skip)]
    pub bytes: Vec<u8>,
}

/// All cases of both folders, recipes expanded.
pub fn log_cases() -> Vec<LogCase> {
    let cases: Vec<LogCase> = ["logs", "logs-more"]
        .into_iter()
        .flat_map(cases_of)
        .collect();
    assert!(cases.len() > 60, "only {} cases found", cases.len());
    cases
}

fn cases_of(folder: &str) -> Vec<LogCase> {
    let folder = fixtures().join(folder);
    let text = std::fs::read_to_string(folder.join("expected.json")).unwrap();
    let mut cases: Vec<LogCase> = serde_json::from_str(&text).unwrap();
    for case in &mut cases {
        case.bytes = std::fs::read(folder.join(&case.file)).unwrap_or_else(|_| {
            let recipe = case.file.replace(".log", ".recipe.json");
            let text = std::fs::read_to_string(folder.join(recipe)).unwrap();
            expanded(&serde_json::from_str(&text).unwrap()).into_bytes()
        });
    }
    cases
}

/// The folder of fixtures.
pub fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

/// A log that is too long to store: head, runs of lines made from a template, tail.
#[derive(Deserialize)]
struct Recipe {
    head: Vec<String>,
    runs: Vec<Run>,
    tail: Vec<String>,
}

#[derive(Deserialize)]
struct Run {
    template: String,
    /// First, last, step.
    blocks: (u32, u32, u32),
    warp_order: Vec<u32>,
    #[serde(default = "one")]
    every: u32,
    #[serde(default)]
    phase: u32,
    #[serde(default)]
    after: Vec<String>,
}

fn one() -> u32 {
    1
}

fn expanded(recipe: &Recipe) -> String {
    let mut lines = recipe.head.clone();
    for run in &recipe.runs {
        let (first, last, step) = run.blocks;
        for block in (first..=last).step_by(step as usize) {
            for warp in &run.warp_order {
                for thread in (warp * 32..warp * 32 + 32).filter(|t| t % run.every == run.phase) {
                    let line = run.template.replace("{b}", &block.to_string());
                    lines.push(line.replace("{t}", &thread.to_string()));
                }
            }
        }
        lines.extend(run.after.iter().cloned());
    }
    lines.extend(recipe.tail.iter().cloned());
    lines.join("\n") + "\n"
}
