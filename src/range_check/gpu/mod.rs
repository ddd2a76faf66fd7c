//! The check on a GPU: a compute shader on wgpu, with a device of its own, equal to the CPU in every field.
//!
//! The shader judges each value on bits and keys (see `assets/shaders/range_check.wgsl`). What it keeps is small: a table of whole
//! numbers, counters, the ends, a bit for each value that somebody has to look at. The CPU looks at those values only, with the
//! same code that it checks with.

mod adapters;
mod commands;
mod crew;
mod engine;
mod flight;
mod health;
mod keys;
mod measure;
mod part;
mod shared;
mod watch;

#[cfg(test)]
mod tests;

pub(super) use health::health;
pub(super) use measure::measure;
pub(super) use shared::Shared;

use super::{GpuError, GpuInfo};

/// The adapters of this machine, best first.
pub(super) fn list() -> Vec<GpuInfo> {
    let listed = adapters::list(adapters::backends());
    listed.into_iter().map(|(info, _)| info).collect()
}

/// Opens a GPU as a check would, and closes it again.
pub(super) fn find(number: Option<usize>) -> Result<GpuInfo, GpuError> {
    let (engine, _) = shared::open(number, true);
    engine.map(|engine| engine.info.clone())
}
