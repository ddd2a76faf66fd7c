//! What went wrong on a device, whoever noticed it.

use std::sync::{Arc, Mutex, PoisonError};

use super::super::GpuError;

/// The first error of a device. Errors come through callbacks, some of them long after the command that caused them.
#[derive(Debug, Default)]
pub(super) struct Watch(Mutex<Option<GpuError>>);

impl Watch {
    /// Watches a device.
    pub fn of(device: &wgpu::Device) -> Arc<Self> {
        let watch = Arc::new(Self::default());
        let other = Arc::clone(&watch);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            other.note(error_of(&error));
        }));
        let other = Arc::clone(&watch);
        device.set_device_lost_callback(move |reason, said| {
            let said = if said.is_empty() {
                format!("{reason:?}")
            } else {
                said
            };
            other.note(GpuError::Lost(said));
        });
        watch
    }

    /// Notes an error; the first one stays.
    pub fn note(&self, error: GpuError) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get_or_insert(error);
    }

    /// # Errors
    /// What went wrong so far.
    pub fn ok(&self) -> Result<(), GpuError> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.clone().map_or(Ok(()), Err)
    }
}

/// An error of wgpu's in our words.
fn error_of(error: &wgpu::Error) -> GpuError {
    match error {
        wgpu::Error::OutOfMemory { .. } => GpuError::OutOfMemory,
        wgpu::Error::Validation { description, .. } | wgpu::Error::Internal { description, .. } => {
            GpuError::Rejected(description.clone())
        }
    }
}
