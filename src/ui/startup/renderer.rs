//! The ways to draw the window, and opening a device on each of them.
//!
//! A driver that is listed need not work, so a device is really opened before a window is made on
//! it. Wine is the everyday example: it lists a graphics card under Direct3D 12 and then fails.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use eframe::egui_wgpu::{WgpuSetup, WgpuSetupCreateNew, WgpuSetupExisting};
use eframe::wgpu;

use super::panic_hook;
use crate::settings::{Renderer, RendererChoice, RendererMemory};

/// A device that works, or the way to ask for one once there is a window.
pub(super) struct Setup {
    /// For eframe.
    pub wgpu: WgpuSetup,
    /// The adapter's name, where it is known already.
    pub adapter: Option<String>,
}

/// The renderers to try, best first.
pub(super) fn order(choice: RendererChoice, memory: &RendererMemory) -> Vec<Renderer> {
    if let RendererChoice::Only(renderer) = choice {
        return vec![renderer];
    }
    let mut order: Vec<Renderer> = Renderer::ALL
        .into_iter()
        .filter(|&renderer| cfg!(windows) || renderer != Renderer::Dx12)
        .collect();
    // A stable sort: what worked last time first, what crashed last, the rest as it stands.
    order.sort_by_key(|renderer| {
        if memory.crashed.contains(renderer) {
            2
        } else {
            u8::from(memory.worked != Some(*renderer))
        }
    });
    order
}

/// Opens devices of a renderer one after the other; each item is a device or why there is none.
///
/// `any_kind` takes whatever the renderer's interface offers, as for a user who named it.
pub(super) fn setups(
    renderer: Renderer,
    any_kind: bool,
) -> impl Iterator<Item = Result<Setup, String>> {
    let allowed = wgpu::Backends::from_env().unwrap_or(wgpu::Backends::all());
    let accept = match renderer {
        Renderer::Software => Accept::Software,
        _ if any_kind => Accept::Any,
        _ => Accept::Hardware,
    };
    backends(renderer)
        .iter()
        .filter(move |&&backend| allowed.contains(backend))
        .flat_map(move |&backend| {
            // OpenGL outside Windows needs the connection to the display, which eframe has later.
            if backend == wgpu::Backends::GL && !cfg!(windows) {
                vec![Candidate::AtWindow]
            } else {
                Candidate::all(backend, accept)
            }
            .into_iter()
            .map(move |candidate| candidate.open(backend, accept))
        })
}

/// A text for the adapter that draws.
pub(super) fn describe(info: &wgpu::AdapterInfo) -> String {
    format!("{}, {:?}", info.name, info.backend)
}

fn backends(renderer: Renderer) -> &'static [wgpu::Backends] {
    match renderer {
        Renderer::Dx12 => &[wgpu::Backends::DX12],
        Renderer::Vulkan => &[wgpu::Backends::VULKAN],
        Renderer::Gl => &[wgpu::Backends::GL],
        Renderer::Software if cfg!(windows) => &[
            wgpu::Backends::DX12,
            wgpu::Backends::VULKAN,
            wgpu::Backends::GL,
        ],
        Renderer::Software => &[wgpu::Backends::VULKAN, wgpu::Backends::GL],
    }
}

/// Which kinds of adapter count.
#[derive(Clone, Copy)]
enum Accept {
    Hardware,
    Software,
    Any,
}

impl Accept {
    fn accepts(self, info: &wgpu::AdapterInfo) -> bool {
        let is_software = info.device_type == wgpu::DeviceType::Cpu;
        match self {
            Self::Hardware => !is_software,
            Self::Software => is_software,
            Self::Any => true,
        }
    }
}

enum Candidate {
    Adapter(wgpu::Instance, wgpu::Adapter),
    AtWindow,
    Nothing(String),
}

impl Candidate {
    fn all(backend: wgpu::Backends, accept: Accept) -> Vec<Self> {
        let found = guarded(|| {
            let instance = wgpu::Instance::new(instance_descriptor(backend));
            let mut adapters = pollster::block_on(instance.enumerate_adapters(backend));
            adapters.retain(|adapter| accept.accepts(&adapter.get_info()));
            sort_adapters(&mut adapters);
            Ok((instance, adapters))
        });
        match found {
            Ok((_, adapters)) if adapters.is_empty() => vec![Self::Nothing(format!(
                "no adapter of this kind ({backend:?})"
            ))],
            Ok((instance, adapters)) => adapters
                .into_iter()
                .map(|adapter| Self::Adapter(instance.clone(), adapter))
                .collect(),
            Err(reason) => vec![Self::Nothing(reason)],
        }
    }

    fn open(self, backend: wgpu::Backends, accept: Accept) -> Result<Setup, String> {
        match self {
            Self::Nothing(reason) => Err(reason),
            Self::Adapter(instance, adapter) => {
                let adapter_text = describe(&adapter.get_info());
                let (device, queue) = guarded(|| open_device(&adapter))
                    .map_err(|reason| format!("{adapter_text}: {reason}"))?;
                Ok(Setup {
                    wgpu: WgpuSetupExisting {
                        instance,
                        adapter,
                        device,
                        queue,
                    }
                    .into(),
                    adapter: Some(adapter_text),
                })
            }
            Self::AtWindow => {
                let mut setup = WgpuSetupCreateNew::without_display_handle();
                setup.instance_descriptor = instance_descriptor(backend);
                setup.device_descriptor = Arc::new(device_descriptor);
                setup.native_adapter_selector = Some(Arc::new(move |adapters, surface| {
                    select(adapters, surface, accept)
                }));
                Ok(Setup {
                    wgpu: setup.into(),
                    adapter: None,
                })
            }
        }
    }
}

fn select(
    adapters: &[wgpu::Adapter],
    surface: Option<&wgpu::Surface<'_>>,
    accept: Accept,
) -> Result<wgpu::Adapter, String> {
    let mut usable: Vec<wgpu::Adapter> = adapters
        .iter()
        .filter(|adapter| {
            accept.accepts(&adapter.get_info())
                && surface.is_none_or(|surface| adapter.is_surface_supported(surface))
        })
        .cloned()
        .collect();
    sort_adapters(&mut usable);
    let mut reasons = Vec::new();
    for adapter in usable {
        match guarded(|| open_device(&adapter)) {
            Ok(_) => return Ok(adapter),
            Err(reason) => reasons.push(format!("{}: {reason}", describe(&adapter.get_info()))),
        }
    }
    Err(if reasons.is_empty() {
        "no adapter of this kind".to_owned()
    } else {
        reasons.join(", ")
    })
}

/// The integrated card first: it is enough for a window, and leaves the memory of the other one
/// to the training run that this program is asked about.
fn sort_adapters(adapters: &mut [wgpu::Adapter]) {
    adapters.sort_by_key(|adapter| match adapter.get_info().device_type {
        wgpu::DeviceType::IntegratedGpu => 0,
        wgpu::DeviceType::DiscreteGpu => 1,
        wgpu::DeviceType::VirtualGpu => 2,
        wgpu::DeviceType::Other => 3,
        wgpu::DeviceType::Cpu => 4,
    });
}

fn open_device(adapter: &wgpu::Adapter) -> Result<(wgpu::Device, wgpu::Queue), String> {
    pollster::block_on(adapter.request_device(&device_descriptor(adapter)))
        .map_err(|error| error.to_string())
}

fn instance_descriptor(backends: wgpu::Backends) -> wgpu::InstanceDescriptor {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = backends;
    descriptor.flags = wgpu::InstanceFlags::from_build_config().with_env();
    // The compiler that is part of Windows, not whatever lies on the path.
    descriptor.backend_options.dx12.shader_compiler = wgpu::Dx12Compiler::Fxc;
    descriptor
}

/// Asks for little, so that old cards can open it: the window draws triangles and a few textures.
fn device_descriptor(adapter: &wgpu::Adapter) -> wgpu::DeviceDescriptor<'static> {
    let base = if adapter.get_info().backend == wgpu::Backend::Gl {
        wgpu::Limits::downlevel_webgl2_defaults()
    } else {
        wgpu::Limits::downlevel_defaults()
    };
    wgpu::DeviceDescriptor {
        label: Some("window"),
        // The texture size bounds the size of the window: as large as the card allows.
        required_limits: wgpu::Limits {
            max_texture_dimension_2d: adapter.limits().max_texture_dimension_2d,
            ..base
        },
        memory_hints: wgpu::MemoryHints::MemoryUsage,
        ..Default::default()
    }
}

/// Runs code of a driver's binding; a panic in it is one more reason to try the next renderer.
fn guarded<T>(open: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    let _quiet = panic_hook::Quiet::begin();
    catch_unwind(AssertUnwindSafe(open))
        .unwrap_or_else(|payload| Err(panic_hook::payload_text(payload.as_ref()).to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_follows_what_earlier_starts_taught() {
        use Renderer::{Dx12, Gl, Software, Vulkan};
        let check =
            |choice, worked: Option<Renderer>, crashed: &[Renderer], expected: &[Renderer]| {
                let memory = RendererMemory {
                    worked,
                    crashed: crashed.to_vec(),
                    ..RendererMemory::default()
                };
                let tried: Vec<_> = order(choice, &memory)
                    .into_iter()
                    .filter(|&renderer| renderer != Dx12 || choice != RendererChoice::Auto)
                    .collect();
                assert_eq!(tried, expected, "{choice:?} {worked:?} {crashed:?}");
            };
        check(RendererChoice::Auto, None, &[], &[Vulkan, Gl, Software]);
        check(
            RendererChoice::Auto,
            Some(Software),
            &[],
            &[Software, Vulkan, Gl],
        );
        check(
            RendererChoice::Auto,
            None,
            &[Vulkan],
            &[Gl, Software, Vulkan],
        );
        check(
            RendererChoice::Auto,
            Some(Vulkan),
            &[Vulkan],
            &[Gl, Software, Vulkan],
        );
        check(
            RendererChoice::Auto,
            Some(Gl),
            &[Vulkan, Software],
            &[Gl, Vulkan, Software],
        );
        check(RendererChoice::Only(Dx12), Some(Gl), &[Dx12], &[Dx12]);
        let everywhere = order(RendererChoice::Auto, &RendererMemory::default());
        assert_eq!(everywhere.contains(&Dx12), cfg!(windows));
    }
}
