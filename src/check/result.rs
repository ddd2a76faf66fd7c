//! What a check gives.

use std::time::Duration;

use super::{CheckOptions, Source};
use crate::findings::{Finding, Material};
use crate::labels::Place;
use crate::range_check::{Breach, DeviceUse, Number};

/// The result of a check.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// What the user said.
    pub options: CheckOptions,
    /// What was found in what was given.
    pub sources: Vec<Source>,
    /// What the passes found.
    pub material: Material,
    /// What it means, worst first.
    pub findings: Vec<Finding>,
    /// Offenders in reading order, at most [`Checked::MOST_OFFENDERS`].
    pub offenders: Vec<Offender>,
    /// How many there are.
    pub offenders_total: u64,
    /// Who checked what: GPU or CPU, and why.
    pub device: DeviceUse,
    /// How long it took.
    pub elapsed: Duration,
    /// The user stopped it; what was read until then stands.
    pub cancelled: bool,
}

impl Checked {
    /// Offenders kept for showing. All of them go into an export.
    pub const MOST_OFFENDERS: usize = 100_000;

    /// Label values read.
    pub fn values(&self) -> u64 {
        self.material.files.iter().map(|file| file.values).sum()
    }
}

/// One value that breaks its rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Offender {
    /// Index into [`Material::groups`].
    pub group: usize,
    /// How it breaks the rule; `None` for a name that no class list holds, or an id that its file's list lacks.
    pub breach: Option<Breach>,
    /// The value.
    pub value: crate::findings::Text,
    /// Where.
    pub place: Place,
    /// The row as it stands, where it is text.
    pub row_text: Option<String>,
}

impl Offender {
    /// The value as a number; `None` for a name.
    pub fn number(&self) -> Option<Number> {
        match &self.value {
            crate::findings::Text::Number(n) => Some(*n),
            _ => None,
        }
    }
}
