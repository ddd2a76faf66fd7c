//! Tries one renderer after the other until a window stands, and remembers the outcome.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Instant;

use eframe::egui;
use eframe::egui_wgpu::{SurfaceConfig, WgpuConfiguration};

use super::first_frames::{FirstFrames, Settle};
use super::marker::{self, StartMarker};
use super::{PROGRAM_NAME, StartFailure, StartOptions, panic_hook, renderer};
use crate::settings::{self, Renderer, RendererChoice};
use crate::ui::App;

/// Opens the window and returns when it was closed.
///
/// `measure`: print how long the first frame took since then, and close.
pub(super) fn open_window(
    mut start: StartOptions,
    asked: Option<RendererChoice>,
    measure: Option<Instant>,
) -> Result<(), StartFailure> {
    let folder = settings::data_folder();
    let choice = asked.unwrap_or(start.settings.renderer);
    let mut memory = start.settings.renderer_memory.of_this_version();
    let crashed_now = folder
        .as_deref()
        .map(marker::take_crashed)
        .unwrap_or_default();
    if !crashed_now.is_empty() {
        memory.crashed.extend(crashed_now);
        memory.crashed.sort_unstable();
        memory.crashed.dedup();
        start.settings.renderer_memory = memory.clone();
        // At once: should this start crash as well, both must be known to the next.
        if let Err(error) = start.settings.save() {
            log::warn!("the settings cannot be saved: {error}");
        }
    }
    start.renderer_note.crashed.clone_from(&memory.crashed);

    let marker = Rc::new(Cell::new(folder.as_deref().and_then(StartMarker::place)));
    for tried in renderer::order(choice, &memory) {
        if let Some(mut placed) = marker.take() {
            placed.trying(tried);
            marker.set(Some(placed));
        }
        for setup in renderer::setups(tried, choice != RendererChoice::Auto) {
            let reason = match setup {
                Err(reason) => reason,
                Ok(setup) => match run_window(setup, tried, &start, &marker, measure) {
                    Outcome::Closed => return Ok(()),
                    Outcome::Failed(failure) => return Err(failure),
                    Outcome::NotOpened(reason) => reason,
                },
            };
            log::info!("renderer {}: {reason}", tried.word());
            start.renderer_note.failed.push((tried, reason));
        }
    }
    Err(StartFailure::NoRenderer(start.renderer_note.failed))
}

enum Outcome {
    /// The window was open and was closed.
    Closed,
    /// No other renderer can help.
    Failed(StartFailure),
    /// This renderer cannot draw the window.
    NotOpened(String),
}

fn run_window(
    setup: renderer::Setup,
    tried: Renderer,
    start: &StartOptions,
    marker: &Rc<Cell<Option<StartMarker>>>,
    measure: Option<Instant>,
) -> Outcome {
    let opened = Rc::new(Cell::new(false));
    let create: eframe::AppCreator<'static> = {
        let (opened, marker, mut start) = (Rc::clone(&opened), Rc::clone(marker), start.clone());
        let adapter_before = setup.adapter;
        Box::new(move |cc| {
            opened.set(true);
            let adapter = cc
                .wgpu_render_state
                .as_ref()
                .map(|state| renderer::describe(&state.adapter.get_info()));
            start.renderer_note.renderer = Some(tried);
            start.renderer_note.adapter = adapter.or(adapter_before).unwrap_or_default();
            log::info!("renderer: {}", start.renderer_note);
            panic_hook::note_renderer(&start.renderer_note);

            let mut memory = start.settings.renderer_memory.of_this_version();
            memory.worked = Some(tried);
            memory.crashed.retain(|&crashed| crashed != tried);
            let learnt = (memory != start.settings.renderer_memory).then(|| memory.clone());
            start.settings.renderer_memory = memory;
            let settle = Settle {
                marker: marker.take(),
                learnt,
            };
            Ok(Box::new(FirstFrames::new(
                App::new(cc, start),
                settle,
                measure,
            )))
        })
    };
    match eframe::run_native(PROGRAM_NAME, native_options(setup.wgpu), create) {
        Ok(()) => Outcome::Closed,
        Err(error) if opened.get() => Outcome::Failed(StartFailure::Window(error.to_string())),
        Err(error @ (eframe::Error::Winit(_) | eframe::Error::WinitEventLoop(_))) => {
            Outcome::Failed(StartFailure::NoDisplay(error.to_string()))
        }
        Err(error) => Outcome::NotOpened(error.to_string()),
    }
}

fn native_options(setup: eframe::egui_wgpu::WgpuSetup) -> eframe::NativeOptions {
    let mut viewport = egui::ViewportBuilder::default()
        .with_title(PROGRAM_NAME)
        .with_app_id("assert-doctor")
        .with_inner_size([1280.0, 820.0])
        .with_min_inner_size([900.0, 560.0])
        .with_drag_and_drop(true);
    match eframe::icon_data::from_png_bytes(include_bytes!("../../../assets/icon.png")) {
        Ok(icon) => viewport = viewport.with_icon(icon),
        Err(error) => log::warn!("the icon is broken: {error}"),
    }
    eframe::NativeOptions {
        viewport,
        centered: true,
        // Nothing is animated for its own sake: a frame is wanted soon, not many of them.
        wgpu_options: WgpuConfiguration {
            surface: SurfaceConfig::LOW_LATENCY,
            wgpu_setup: setup,
            ..Default::default()
        },
        // For colour gradients, which the window has none of; the processor has to do without it.
        dithering: false,
        ..Default::default()
    }
}
