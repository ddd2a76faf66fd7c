//! The adapters of the machine, and a device of the best one that works.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::super::{GpuBackend, GpuError, GpuInfo, GpuKind};
use super::watch::Watch;
use crate::panics;

/// Buffers of the shader in one group, and what each workgroup needs; the lowest tier with compute shaders has as much.
const STORAGE_BUFFERS: u32 = 4;
const WORKGROUP_BYTES: u32 = 16_352;
const THREADS: u32 = 256;

/// A buffer is never larger than this.
const MOST_BUFFER: u64 = 1 << 30;

/// Looks for adapters. Nothing is opened.
pub(super) fn list(backends: wgpu::Backends) -> Vec<(GpuInfo, wgpu::Adapter)> {
    // A driver that panics while it is looked for is no GPU.
    let found = catch_unwind(AssertUnwindSafe(|| {
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
        descriptor.backends = backends;
        // Validation layers are for those who write shaders.
        descriptor.flags = wgpu::InstanceFlags::empty();
        let instance = wgpu::Instance::new(descriptor);
        pollster::block_on(instance.enumerate_adapters(backends))
    }));
    let adapters = found.unwrap_or_else(|panic| {
        log::warn!("looking for GPUs: {}", panics::said(panic.as_ref()));
        Vec::new()
    });
    let mut listed: Vec<(GpuInfo, wgpu::Adapter)> = adapters
        .into_iter()
        .map(|adapter| (info_of(&adapter.get_info()), adapter))
        .collect();
    listed.sort_by_key(|(info, _)| (info.kind, info.backend));
    for (at, (info, _)) in listed.iter_mut().enumerate() {
        info.number = at + 1;
    }
    listed
}

/// The interfaces that compute shaders are run through. OpenGL is not among them: its drivers are the least tried.
pub(super) fn backends() -> wgpu::Backends {
    wgpu::Backends::VULKAN | wgpu::Backends::DX12 | wgpu::Backends::METAL
}

fn info_of(info: &wgpu::AdapterInfo) -> GpuInfo {
    let driver = [info.driver.trim(), info.driver_info.trim()];
    let driver: Vec<&str> = driver.into_iter().filter(|part| !part.is_empty()).collect();
    GpuInfo {
        number: 0,
        name: info.name.trim().to_owned(),
        kind: match info.device_type {
            wgpu::DeviceType::DiscreteGpu => GpuKind::Discrete,
            wgpu::DeviceType::IntegratedGpu => GpuKind::Integrated,
            wgpu::DeviceType::VirtualGpu => GpuKind::Virtual,
            wgpu::DeviceType::Cpu => GpuKind::Software,
            wgpu::DeviceType::Other => GpuKind::Unknown,
        },
        backend: match info.backend {
            wgpu::Backend::Vulkan => GpuBackend::Vulkan,
            wgpu::Backend::Dx12 => GpuBackend::Dx12,
            wgpu::Backend::Metal => GpuBackend::Metal,
            _ => GpuBackend::Other,
        },
        driver: driver.join(" "),
    }
}

/// A device that was made.
#[derive(Debug)]
pub(super) struct Opened {
    pub info: GpuInfo,
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
    pub watch: Arc<Watch>,
}

/// What became of the search: the device, or why there is none; and the adapters before it that could not be used.
pub(super) type Search = (Result<Opened, GpuError>, Vec<(GpuInfo, GpuError)>);

/// Makes a device of the adapter with this number, or of the first that works. `software`: a program that plays a GPU will do.
/// `limits`: what is asked of an adapter, given what it offers.
pub(super) fn open(
    listed: Vec<(GpuInfo, wgpu::Adapter)>,
    number: Option<usize>,
    software: bool,
    limits: &dyn Fn(&wgpu::Limits) -> wgpu::Limits,
) -> Search {
    let mut skipped = Vec::new();
    let wanted = listed
        .into_iter()
        .filter(|(info, _)| number.is_none_or(|number| number == info.number))
        .filter(|(info, _)| software || number.is_some() || info.kind != GpuKind::Software);
    for (info, adapter) in wanted {
        match make(&info, &adapter, limits) {
            Ok(opened) => return (Ok(opened), skipped),
            Err(error) => {
                log::warn!("{} ({}): {error}", info.name, info.backend.name());
                skipped.push((info, error));
            }
        }
    }
    let error = match (skipped.last(), number) {
        (Some((_, error)), _) => error.clone(),
        (None, Some(number)) => GpuError::NoSuchGpu(number),
        (None, None) => GpuError::NoGpu,
    };
    (Err(error), skipped)
}

/// What a device is asked for: no feature, and larger buffers than the lowest tier has, where the adapter has them.
pub(super) fn limits(offered: &wgpu::Limits) -> wgpu::Limits {
    let lowest = wgpu::Limits::downlevel_defaults();
    let larger = |lowest: u64, offered: u64| offered.min(MOST_BUFFER).max(lowest.min(offered));
    wgpu::Limits {
        max_buffer_size: larger(lowest.max_buffer_size, offered.max_buffer_size),
        max_storage_buffer_binding_size: larger(
            lowest.max_storage_buffer_binding_size,
            offered.max_storage_buffer_binding_size,
        ),
        // What is not needed is not asked for: an old adapter may have less of it.
        ..lowest.or_worse_values_from(offered)
    }
}

fn make(
    info: &GpuInfo,
    adapter: &wgpu::Adapter,
    limits: &dyn Fn(&wgpu::Limits) -> wgpu::Limits,
) -> Result<Opened, GpuError> {
    let offered = adapter.limits();
    let asked = limits(&offered);
    let computes = adapter
        .get_downlevel_capabilities()
        .flags
        .contains(wgpu::DownlevelFlags::COMPUTE_SHADERS);
    if !computes
        || asked.max_storage_buffers_per_shader_stage < STORAGE_BUFFERS
        || asked.max_compute_workgroup_storage_size < WORKGROUP_BYTES
        || asked.max_compute_invocations_per_workgroup < THREADS
        || asked.max_compute_workgroup_size_x < THREADS
    {
        return Err(GpuError::NoCompute);
    }
    let descriptor = wgpu::DeviceDescriptor {
        label: Some("range check"),
        required_features: wgpu::Features::empty(),
        required_limits: asked,
        experimental_features: wgpu::ExperimentalFeatures::disabled(),
        memory_hints: wgpu::MemoryHints::MemoryUsage,
        trace: wgpu::Trace::Off,
    };
    let made = catch_unwind(AssertUnwindSafe(|| {
        pollster::block_on(adapter.request_device(&descriptor))
    }));
    let (device, queue) = match made {
        Ok(Ok(made)) => made,
        Ok(Err(error)) => return Err(GpuError::Refused(error.to_string())),
        Err(panic) => {
            let said = panics::said(panic.as_ref()).to_owned();
            return Err(GpuError::Refused(said));
        }
    };
    let watch = Watch::of(&device);
    Ok(Opened {
        info: info.clone(),
        device,
        queue,
        watch,
    })
}
