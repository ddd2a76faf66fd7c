//! Which side checks: the CPU or a GPU, and what is told about it.

use std::time::Duration;

use super::ElementType;

/// Who is to check, as the user says it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DeviceChoice {
    /// Whatever is faster for these files on this machine; measured.
    #[default]
    Auto,
    /// The CPU, on all cores.
    Cpu,
    /// A GPU: this one of the list that [`gpus`](super::gpus) gives, by its [`GpuInfo::number`]; `None`: the best that works.
    Gpu(Option<usize>),
}

/// What kind of adapter it is. The order is that of preference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GpuKind {
    /// A card with memory of its own.
    Discrete,
    /// A part of the processor.
    Integrated,
    /// Handed into a virtual machine.
    Virtual,
    /// The driver does not say.
    Unknown,
    /// A program that computes as a GPU would, on the CPU.
    Software,
}

/// The interface that an adapter is driven through. The order is that of preference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GpuBackend {
    /// Vulkan.
    Vulkan,
    /// DirectX 12.
    Dx12,
    /// Metal.
    Metal,
    /// Another.
    Other,
}

impl GpuBackend {
    /// Its proper name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Vulkan => "Vulkan",
            Self::Dx12 => "DirectX 12",
            Self::Metal => "Metal",
            Self::Other => "?",
        }
    }
}

/// An adapter as it lists itself. One card may be listed once for each interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GpuInfo {
    /// Its place in the list, from 1, best first.
    pub number: usize,
    /// The name that the driver gives.
    pub name: String,
    /// What kind of adapter.
    pub kind: GpuKind,
    /// Driven through.
    pub backend: GpuBackend,
    /// Driver and its version, as it tells them; may be empty.
    pub driver: String,
}

/// Why a GPU does not check, or stopped checking.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GpuError {
    /// This program was built without it.
    #[error("built without GPU checks")]
    NotBuilt,
    /// No adapter lists itself.
    #[error("no GPU was found")]
    NoGpu,
    /// There is no adapter of this number.
    #[error("there is no GPU number {0}")]
    NoSuchGpu(usize),
    /// It cannot run compute shaders, or not as large ones as the smallest check needs.
    #[error("the GPU runs no compute shaders")]
    NoCompute,
    /// It lists itself, but the driver does not make a device of it.
    #[error("the driver refused: {0}")]
    Refused(String),
    /// Its memory does not suffice.
    #[error("out of GPU memory")]
    OutOfMemory,
    /// The driver took the device away: a reset, an update, a pulled cable.
    #[error("the device was lost: {0}")]
    Lost(String),
    /// It did not answer in time.
    #[error("no answer in time")]
    TimedOut,
    /// Its counts do not add up: it computes wrongly.
    #[error("its counts do not add up")]
    Inconsistent,
    /// The driver or wgpu rejected a command.
    #[error("rejected: {0}")]
    Rejected(String),
}

/// Why values were checked where they were.
#[derive(Clone, Debug, PartialEq)]
pub enum DeviceWhy {
    /// The user said so.
    Asked,
    /// No array in a file was as large as this (bytes): the GPU's start takes longer than the check. Text and pictures are checked
    /// by the CPU while they are read.
    NothingLarge {
        /// From here on a GPU is tried.
        least: u64,
    },
    /// Both sides checked a part, and this one was faster; rates in [`DeviceUse`].
    Measured,
    /// The CPU needs less time than the start of a GPU takes.
    DoneBefore,
    /// There is no GPU, or only software that plays one.
    NoGpu,
    /// None of the GPUs could be used; the last one's reason.
    Failed(GpuError),
    /// Another check had the GPU.
    Busy,
    /// The values of the array do not stand in reading order (Fortran order, transposed): the CPU checks such arrays.
    OtherOrder,
}

/// Values of one second on both sides, as measured on the file itself, in bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// By the GPU, reading and upload included.
    pub gpu: f64,
    /// By the CPU, reading included.
    pub cpu: f64,
}

/// Who checked what.
#[derive(Clone, Debug, PartialEq)]
pub struct DeviceUse {
    /// What the user said.
    pub choice: DeviceChoice,
    /// The GPU that was opened, whether it then checked or not.
    pub gpu: Option<GpuInfo>,
    /// Adapters that listed themselves and could not be used, in the order in which they were tried.
    pub skipped: Vec<(GpuInfo, GpuError)>,
    /// Bytes of arrays that the GPU checked.
    pub gpu_bytes: u64,
    /// Bytes of arrays that the CPU checked; values out of text and pictures, which it always checks, are not among them.
    pub cpu_bytes: u64,
    /// Why so; of several arrays the reason of the one with most bytes.
    pub why: DeviceWhy,
    /// Both sides' speed, where both were measured.
    pub rates: Option<Rates>,
    /// The GPU failed in the middle, and the CPU went on; nothing was lost or counted twice.
    pub fell_back: Option<GpuError>,
}

impl Default for DeviceUse {
    fn default() -> Self {
        Self {
            choice: DeviceChoice::Auto,
            gpu: None,
            skipped: Vec::new(),
            gpu_bytes: 0,
            cpu_bytes: 0,
            why: DeviceWhy::Asked,
            rates: None,
            fell_back: None,
        }
    }
}

impl DeviceUse {
    /// The GPU checked at least a part.
    pub fn is_gpu(&self) -> bool {
        self.gpu_bytes > 0
    }
}

/// What a health check of a GPU found: known values of all types, checked by both sides.
#[derive(Clone, Debug, PartialEq)]
pub struct Health {
    /// Which GPU.
    pub gpu: GpuInfo,
    /// Adapters before it that could not be used.
    pub skipped: Vec<(GpuInfo, GpuError)>,
    /// Each type that was checked, in a fixed order.
    pub types: Vec<TypeHealth>,
    /// Bytes that were copied to the GPU and back.
    pub copied: u64,
    /// Bytes of them that came back changed.
    pub changed: u64,
    /// How long it took.
    pub elapsed: Duration,
    /// What ended it early.
    pub failed: Option<GpuError>,
    /// The user stopped it.
    pub cancelled: bool,
}

/// One type of a health check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeHealth {
    /// Type of the values.
    pub element: ElementType,
    /// Values checked, all rounds together.
    pub values: u64,
    /// Where the GPU's answer differs from the CPU's first.
    pub differs: Option<Difference>,
}

/// A field of a [`Summary`](super::Summary) in which two sides differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Name of the field.
    pub field: &'static str,
    /// What the CPU found.
    pub cpu: String,
    /// What the GPU found.
    pub gpu: String,
}

/// How fast a GPU is, in bytes a second, apart from the reading of files.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// Which GPU.
    pub gpu: GpuInfo,
    /// From looking for it to being ready.
    pub start: Duration,
    /// Bytes of each measured command.
    pub size: u64,
    /// Copies on the device; each byte is read once and written once.
    pub copy: f64,
    /// Uploads.
    pub upload: f64,
    /// The check of values that lie on the device; each byte is read once.
    pub kernels: Vec<(ElementType, f64)>,
}

impl Health {
    /// Everything was checked, and every answer was right.
    pub fn is_sound(&self) -> bool {
        self.failed.is_none()
            && !self.cancelled
            && self.changed == 0
            && self.types.iter().all(|health| health.differs.is_none())
    }
}
