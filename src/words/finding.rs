//! A finding in words: the only renderer, for window, console, JSON and report.

use super::Words;
use crate::findings::{Finding, Material};

/// What is said of a finding.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FindingTexts {
    /// One line with place, value and allowed range: `80 in labels/train/000106.txt row 2: allowed 0–79 (data.yaml nc = 80)`.
    pub title: String,
    /// How many more and the pattern: `and 47 more rows of 17 files. These files use 1–80 and never 0: they count from 1`.
    pub detail: String,
    /// Why PyTorch fails on it, in one or two sentences.
    pub explanation: String,
    /// What to do.
    pub suggestion: String,
    /// The certainty's reading in two or three words (`Likely 1-based`, `Certain`).
    pub certainty: String,
    /// The label of the one-click answer (`Ignore 255`), where there is one.
    pub answer: Option<String>,
}

/// Says a finding.
pub fn finding(finding: &Finding, material: &Material, words: Words) -> FindingTexts {
    let _ = (finding, material, words);
    FindingTexts::default()
}
