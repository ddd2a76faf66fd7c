//! Ranking.

use super::Diagnosis;
use crate::crash_log::Facts;

/// What a log means.
pub fn diagnose(_facts: &Facts) -> Diagnosis {
    Diagnosis {
        causes: Vec::new(),
        first_failure: None,
        traceback: None,
        consequences: Vec::new(),
        device_assert: super::DeviceAssert::No,
        process_lost: false,
        remarks: Vec::new(),
    }
}
