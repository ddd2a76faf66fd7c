//! One check's way to its device: arrays in files go to the GPU where that is asked for or faster, to the CPU otherwise.

use std::io;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use super::cpu::check_dense;
use super::{
    Blocks, Dense, DeviceChoice, DeviceUse, GpuError, GpuInfo, Health, Offence, Rule, Summary,
};

/// Checks the arrays of one check on the device that was chosen.
#[derive(Debug)]
pub struct Checker {
    used: Mutex<DeviceUse>,
}

impl Checker {
    /// A checker for one check. A GPU is looked for only when there is an array that it could check.
    pub fn new(choice: DeviceChoice) -> Self {
        Self {
            used: Mutex::new(DeviceUse {
                choice,
                ..DeviceUse::default()
            }),
        }
    }

    /// Who checked what so far, and why.
    pub fn used(&self) -> DeviceUse {
        self.used
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Checks an array as [`check_dense`] does, with the same answer in every field.
    ///
    /// # Errors
    /// Where a block cannot be read. A GPU that fails is none: the CPU goes on.
    #[expect(clippy::too_many_arguments, reason = "the same as the CPU's")]
    pub fn check_dense(
        &self,
        rule: &Rule,
        dense: &Dense,
        blocks: &dyn Blocks,
        cancel: &AtomicBool,
        progress: &(dyn Fn(u64) + Sync),
        most: u64,
        offender: &mut dyn FnMut(Offence),
    ) -> io::Result<Summary> {
        check_dense(rule, dense, blocks, cancel, progress, most, offender)
    }
}

/// The adapters of this machine, best first: discrete before integrated before software. None is opened.
pub fn gpus() -> Vec<GpuInfo> {
    Vec::new()
}

/// Opens the GPU that was chosen, or the best that works, as a check would, and closes it again.
///
/// # Errors
/// Why there is none.
pub fn find_gpu(_number: Option<usize>) -> Result<GpuInfo, GpuError> {
    Err(GpuError::NotBuilt)
}

/// Checks a GPU with known values of all types. `progress` gets the part that is done, 0 to 1.
///
/// # Errors
/// Why no GPU could be opened.
pub fn health(
    _number: Option<usize>,
    _cancel: &AtomicBool,
    _progress: &mut dyn FnMut(f32),
) -> Result<Health, GpuError> {
    Err(GpuError::NotBuilt)
}
