//! The small pieces of talking to a device: buffers, errors, waiting, reading back.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::super::GpuError;
use super::engine::{Engine, Slot};
use super::watch::Watch;

/// A device that does not answer for so long is given up.
const PATIENCE: Duration = Duration::from_secs(10);

/// A buffer that is being mapped.
pub(super) const WAITING: u8 = 0;
const READY: u8 = 1;
const FAILED: u8 = 2;

impl Engine {
    /// Waits for a submission and reads a buffer that it filled.
    pub fn download(
        &self,
        submission: &wgpu::SubmissionIndex,
        buffer: &wgpu::Buffer,
        size: u64,
    ) -> Result<Vec<u32>, GpuError> {
        self.wait(submission)?;
        self.read(buffer, size, self.slot(0)?)
    }

    /// Waits until a submission is done.
    pub fn wait(&self, submission: &wgpu::SubmissionIndex) -> Result<(), GpuError> {
        let wait = wgpu::PollType::Wait {
            submission_index: Some(submission.clone()),
            timeout: Some(PATIENCE),
        };
        let waited = self.device.poll(wait);
        self.watch.ok()?;
        waited.map(drop).map_err(|error| match error {
            wgpu::PollError::Timeout => GpuError::TimedOut,
            // Commands after the loss of a device are never counted.
            wgpu::PollError::WrongSubmissionIndex(..) => GpuError::Lost(error.to_string()),
        })
    }

    /// Maps a buffer that the device has done with.
    pub fn map(
        &self,
        buffer: &wgpu::Buffer,
        size: u64,
        mode: wgpu::MapMode,
        slot: &Slot,
    ) -> Result<(), GpuError> {
        self.watch.ok()?;
        slot.mapped.store(WAITING, Ordering::Release);
        let mapped = Arc::clone(&slot.mapped);
        buffer.map_async(mode, 0..size, move |result| {
            let state = if result.is_ok() { READY } else { FAILED };
            mapped.store(state, Ordering::Release);
        });
        let began = Instant::now();
        loop {
            let polled = self.device.poll(wgpu::PollType::Poll);
            self.watch.ok()?;
            match slot.mapped.load(Ordering::Acquire) {
                READY => return Ok(()),
                FAILED => return Err(GpuError::Rejected("a buffer cannot be mapped".into())),
                _ if polled.is_err() || began.elapsed() > PATIENCE => {
                    return Err(GpuError::TimedOut);
                }
                _ => std::thread::yield_now(),
            }
        }
    }

    /// Reads a buffer that the device has filled.
    pub fn read(
        &self,
        buffer: &wgpu::Buffer,
        size: u64,
        slot: &Slot,
    ) -> Result<Vec<u32>, GpuError> {
        self.map(buffer, size, wgpu::MapMode::Read, slot)?;
        let words = {
            let view = buffer
                .get_mapped_range(0..size)
                .map_err(|error| GpuError::Rejected(error.to_string()))?;
            let (words, _) = view.as_chunks::<4>();
            words.iter().map(|word| u32::from_le_bytes(*word)).collect()
        };
        buffer.unmap();
        Ok(words)
    }
}

/// Catches what a few commands do wrong, at once.
pub(super) struct Scope {
    memory: wgpu::ErrorScopeGuard,
    validation: wgpu::ErrorScopeGuard,
}

impl Scope {
    pub fn new(device: &wgpu::Device) -> Self {
        Self {
            memory: device.push_error_scope(wgpu::ErrorFilter::OutOfMemory),
            validation: device.push_error_scope(wgpu::ErrorFilter::Validation),
        }
    }

    /// # Errors
    /// The first that was caught, or that the device had before. Out of memory is told, but not held against the device.
    pub fn ok(self, watch: &Watch) -> Result<(), GpuError> {
        let validation = pollster::block_on(self.validation.pop());
        let memory = pollster::block_on(self.memory.pop());
        watch.ok()?;
        if memory.is_some() {
            return Err(GpuError::OutOfMemory);
        }
        validation.map_or(Ok(()), |error| Err(GpuError::Rejected(error.to_string())))
    }
}

/// A slot, rule or pipeline that was never made: a fault of this module.
pub(super) fn no_slot() -> GpuError {
    GpuError::Rejected("no such slot".into())
}

/// Buffers that the shader works on.
pub(super) const STORED: wgpu::BufferUsages =
    wgpu::BufferUsages::STORAGE.union(wgpu::BufferUsages::COPY_DST);
/// Buffers that are read back.
pub(super) const READ: wgpu::BufferUsages =
    wgpu::BufferUsages::MAP_READ.union(wgpu::BufferUsages::COPY_DST);

/// A buffer of so many bytes.
pub(super) fn buffer(device: &wgpu::Device, size: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size,
        usage,
        mapped_at_creation: false,
    })
}

/// The shader's buffers.
pub(super) fn bind_group_layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    let entry = |binding: u32, ty: wgpu::BufferBindingType| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer {
            ty,
            has_dynamic_offset: false,
            min_binding_size: None,
        },
        count: None,
    };
    let stored = |read_only: bool| wgpu::BufferBindingType::Storage { read_only };
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("range check"),
        entries: &[
            entry(0, wgpu::BufferBindingType::Uniform),
            entry(1, stored(true)),
            entry(2, stored(false)),
            entry(3, stored(false)),
            entry(4, stored(false)),
        ],
    })
}
