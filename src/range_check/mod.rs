//! Numbers against an allowed range: which are outside, how many, and where the first ones stand.
//!
//! Numbers only: no file, no name, no meaning. It is the reference that a check on a GPU must match in every field, so
//! everything here is exact and independent of how the values were cut into blocks and which thread saw them first.

mod block;
mod checker;
mod cpu;
mod device;
mod element;
#[cfg(feature = "gpu-check")]
mod gpu;
mod number;
mod rule;
mod summary;
mod tally;
mod tiles;

#[cfg(test)]
mod tests;

pub use block::Block;
pub use checker::{Checker, find_gpu, gpus, health, measure};
pub use cpu::{Blocks, Dense, Offence, check, check_dense};
pub use device::{
    DeviceChoice, DeviceUse, DeviceWhy, Difference, GpuBackend, GpuError, GpuInfo, GpuKind, Health,
    Measured, Rates, TypeHealth,
};
pub use element::{ElementType, Values};
pub use number::Number;
pub use rule::{Breach, Rule};
pub use summary::{MOST_DISTINCT, MOST_FIRSTS, Seen, Summary};
