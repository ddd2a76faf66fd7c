//! What the user says about the data.

use std::path::PathBuf;

use super::SourceId;
use crate::labels::{LabelFormat, Role};
use crate::range_check::{DeviceChoice, Number};

/// What the user says about the data; all of it can be left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CheckOptions {
    /// The allowed range, both ends included (`--classes N` is 0..N-1).
    pub range: Option<(Number, Number)>,
    /// What the values are used as (`--kind`).
    pub role: Option<Role>,
    /// Ignore values; they replace the default.
    pub ignore: Option<Vec<Number>>,
    /// Column, key, field or variable.
    pub column: Option<String>,
    /// Who checks the arrays in files.
    pub device: DeviceChoice,
}

/// One path that was given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Given {
    /// The file or folder, as given.
    pub path: PathBuf,
    /// The split that the user named for it (`--split val=PATH`).
    pub split: Option<String>,
    /// How its label files are arranged, where the user says so.
    pub format: Option<LabelFormat>,
    /// Column, key or field of its files; stronger than the one for all.
    pub column: Option<String>,
    /// What its values are used as; stronger than the one for all.
    pub role: Option<Role>,
    /// Sources in it that the user took out.
    pub left_out: Vec<SourceId>,
}

impl Given {
    /// A path without a split.
    pub fn path(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            ..Self::default()
        }
    }
}
