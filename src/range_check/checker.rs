//! One check's way to its device: arrays in files go to the GPU where that is asked for or faster, to the CPU otherwise.

use std::io;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use super::cpu::{Pass, Told};
use super::tiles::Tiles;
use super::{
    Blocks, Dense, DeviceChoice, DeviceUse, DeviceWhy, GpuError, GpuInfo, Health, Measured,
    Offence, Rates, Rule, Summary,
};

/// Checks the arrays of one check on the device that was chosen.
#[derive(Debug)]
pub struct Checker {
    choice: DeviceChoice,
    record: Mutex<Record>,
    #[cfg(feature = "gpu-check")]
    gpu: super::gpu::Shared,
}

/// Who checked what so far.
#[derive(Debug, Default)]
struct Record {
    used: DeviceUse,
    /// Bytes of the array that [`DeviceUse::why`] is about.
    largest: u64,
}

/// What is to be noted about one array.
#[derive(Debug)]
pub(super) struct Note {
    pub gpu_bytes: u64,
    pub cpu_bytes: u64,
    pub why: DeviceWhy,
    pub rates: Option<Rates>,
    pub fell_back: Option<GpuError>,
}

impl Note {
    /// The CPU checks all of it.
    pub fn cpu(why: DeviceWhy, bytes: u64) -> Self {
        Self {
            gpu_bytes: 0,
            cpu_bytes: bytes,
            why,
            rates: None,
            fell_back: None,
        }
    }
}

impl Checker {
    /// A checker for one check. A GPU is looked for only when there is an array that it could check.
    pub fn new(choice: DeviceChoice) -> Self {
        Self {
            choice,
            record: Mutex::default(),
            #[cfg(feature = "gpu-check")]
            gpu: super::gpu::Shared::default(),
        }
    }

    /// With a GPU that is open already.
    #[cfg(feature = "gpu-check")]
    pub(super) fn with(choice: DeviceChoice, gpu: super::gpu::Shared) -> Self {
        Self {
            gpu,
            ..Self::new(choice)
        }
    }

    /// The GPU, for further use.
    #[cfg(feature = "gpu-check")]
    pub(super) fn into_gpu(self) -> super::gpu::Shared {
        self.gpu
    }

    /// Who checked what so far, and why.
    pub fn used(&self) -> DeviceUse {
        let record = self.record.lock().unwrap_or_else(PoisonError::into_inner);
        let used = DeviceUse {
            choice: self.choice,
            ..record.used.clone()
        };
        #[cfg(feature = "gpu-check")]
        let used = {
            let (gpu, skipped) = self.gpu.found();
            DeviceUse {
                gpu,
                skipped,
                ..used
            }
        };
        used
    }

    /// Checks an array as [`check_dense`](super::check_dense) does, with the same answer in every field.
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
        let Some(tiles) = Tiles::of(dense)? else {
            return Ok(Summary::default());
        };
        let pass = Pass {
            rule,
            dense,
            tiles: &tiles,
            blocks,
            cancel,
            progress,
        };
        let mut told = Told::new(most, offender);
        let (mut summary, note) = self.run(pass, &mut told)?;
        told.finish(&mut summary);
        self.note(note);
        Ok(summary)
    }

    #[cfg(feature = "gpu-check")]
    fn run(&self, pass: Pass<'_>, told: &mut Told<'_>) -> io::Result<(Summary, Note)> {
        match self.choice {
            DeviceChoice::Cpu => on_cpu(pass, DeviceWhy::Asked, told),
            DeviceChoice::Gpu(number) => self.gpu.run(number, pass, told),
            DeviceChoice::Auto => self.gpu.run_if_faster(pass, told),
        }
    }

    #[cfg(not(feature = "gpu-check"))]
    fn run(&self, pass: Pass<'_>, told: &mut Told<'_>) -> io::Result<(Summary, Note)> {
        let why = match self.choice {
            DeviceChoice::Cpu => DeviceWhy::Asked,
            DeviceChoice::Gpu(_) => DeviceWhy::Failed(GpuError::NotBuilt),
            DeviceChoice::Auto => DeviceWhy::NoGpu,
        };
        on_cpu(pass, why, told)
    }

    fn note(&self, note: Note) {
        let mut record = self.record.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = note.gpu_bytes + note.cpu_bytes;
        record.used.gpu_bytes += note.gpu_bytes;
        record.used.cpu_bytes += note.cpu_bytes;
        if let Some(error) = note.fell_back {
            record.used.fell_back.get_or_insert(error);
        }
        if bytes >= record.largest {
            record.largest = bytes;
            record.used.why = note.why;
            record.used.rates = note.rates;
        }
    }
}

/// Checks all of an array on the CPU.
pub(super) fn on_cpu(
    pass: Pass<'_>,
    why: DeviceWhy,
    told: &mut Told<'_>,
) -> io::Result<(Summary, Note)> {
    let summary = pass.on_cpu(0..pass.tiles.count(), 0, told)?;
    Ok((summary, Note::cpu(why, pass.tiles.bytes())))
}

/// The adapters of this machine, best first: discrete before integrated before software. None is opened.
pub fn gpus() -> Vec<GpuInfo> {
    #[cfg(feature = "gpu-check")]
    let listed = super::gpu::list();
    #[cfg(not(feature = "gpu-check"))]
    let listed = Vec::new();
    listed
}

/// Opens the GPU that was chosen, or the best that works, as a check would, and closes it again.
///
/// # Errors
/// Why there is none.
pub fn find_gpu(number: Option<usize>) -> Result<GpuInfo, GpuError> {
    #[cfg(feature = "gpu-check")]
    let found = super::gpu::find(number);
    #[cfg(not(feature = "gpu-check"))]
    let found = {
        let _ = number;
        Err(GpuError::NotBuilt)
    };
    found
}

/// Checks a GPU with known values of all types. `progress` gets the part that is done, 0 to 1.
///
/// # Errors
/// Why no GPU could be opened.
pub fn health(
    number: Option<usize>,
    cancel: &AtomicBool,
    progress: &mut dyn FnMut(f32),
) -> Result<Health, GpuError> {
    #[cfg(feature = "gpu-check")]
    let health = super::gpu::health(number, cancel, progress);
    #[cfg(not(feature = "gpu-check"))]
    let health = {
        let _ = (number, cancel, progress);
        Err(GpuError::NotBuilt)
    };
    health
}

/// Measures a GPU: copies, uploads, and the check of values that lie on it.
///
/// # Errors
/// Why it cannot be opened, or what ended it early.
pub fn measure(number: Option<usize>) -> Result<Measured, GpuError> {
    #[cfg(feature = "gpu-check")]
    let measured = super::gpu::measure(number);
    #[cfg(not(feature = "gpu-check"))]
    let measured = {
        let _ = number;
        Err(GpuError::NotBuilt)
    };
    measured
}
