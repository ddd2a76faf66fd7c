//! Watches the first frames of a window: when they are drawn, the start has succeeded.
//!
//! Afterwards it only passes everything on.

use std::time::{Duration, Instant};

use eframe::egui;

use super::marker::StartMarker;
use super::messages;
use crate::settings::{RendererMemory, Settings};

/// A driver may take the first frame and die with the next; after this many it is trusted.
const FRAMES_TO_TRUST: u32 = 2;

/// What is to be done once the start has succeeded.
pub(super) struct Settle {
    /// Goes away.
    pub marker: Option<StartMarker>,
    /// Goes into the settings file.
    pub learnt: Option<RendererMemory>,
}

impl Settle {
    /// Touches the disk, so it has a thread of its own.
    fn run_in_background(self) {
        let spawned = std::thread::Builder::new()
            .name("start-settled".into())
            .spawn(move || self.run());
        if let Err(error) = spawned {
            log::warn!("{error}");
        }
    }

    fn run(self) {
        drop(self.marker);
        if let Some(learnt) = self.learnt {
            let settings = Settings {
                renderer_memory: learnt,
                ..Settings::load()
            };
            if let Err(error) = settings.save() {
                log::warn!("the settings cannot be saved: {error}");
            }
        }
    }
}

/// The window's content, watched while it comes up.
pub(super) struct FirstFrames<A> {
    app: A,
    settle: Option<Settle>,
    measure: Option<Instant>,
    frames: u32,
}

impl<A: eframe::App> FirstFrames<A> {
    /// Watches `app`. `measure`: print how long the first frame took since then, and close.
    pub fn new(app: A, settle: Settle, measure: Option<Instant>) -> Self {
        Self {
            app,
            settle: Some(settle),
            measure,
            frames: 0,
        }
    }

    fn frame_begins(&mut self, ctx: &egui::Context) {
        if self.frames > FRAMES_TO_TRUST || ctx.current_pass_index() > 0 {
            return;
        }
        self.frames += 1;
        // The second frame begins when the first one was handed to the screen.
        if self.frames == 2
            && let Some(beginning) = self.measure
        {
            let milliseconds = beginning.elapsed().as_secs_f64() * 1000.0;
            messages::tell(&format!("first frame after {milliseconds:.1} ms"), false);
            ctx.send_viewport_cmd(egui::ViewportCommand::Close);
        }
        if self.frames <= FRAMES_TO_TRUST {
            ctx.request_repaint();
        } else if let Some(settle) = self.settle.take() {
            settle.run_in_background();
        }
    }
}

impl<A: eframe::App> eframe::App for FirstFrames<A> {
    fn ui(&mut self, ui: &mut egui::Ui, frame: &mut eframe::Frame) {
        self.frame_begins(ui.ctx());
        self.app.ui(ui, frame);
    }

    fn logic(&mut self, ctx: &egui::Context, frame: &mut eframe::Frame) {
        self.app.logic(ctx, frame);
    }

    fn on_exit(&mut self) {
        // Closed before it was trusted: that is no crash either.
        if let Some(settle) = self.settle.take() {
            settle.run();
        }
        self.app.on_exit();
    }

    fn save(&mut self, storage: &mut dyn eframe::Storage) {
        self.app.save(storage);
    }

    fn auto_save_interval(&self) -> Duration {
        self.app.auto_save_interval()
    }

    fn clear_color(&self, visuals: &egui::Visuals) -> [f32; 4] {
        self.app.clear_color(visuals)
    }

    fn persist_egui_memory(&self) -> bool {
        self.app.persist_egui_memory()
    }

    fn raw_input_hook(&mut self, ctx: &egui::Context, raw_input: &mut egui::RawInput) {
        self.app.raw_input_hook(ctx, raw_input);
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};
    use std::{env, fs};

    use eframe::egui;
    use egui_kittest::Harness;

    use super::*;
    use crate::settings::Renderer;

    struct Still;

    impl eframe::App for Still {
        fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
            ui.label("nothing moves");
        }
    }

    #[test]
    fn a_start_that_draws_is_trusted() {
        let folder = env::temp_dir().join(format!("assert-doctor-frames-{}", std::process::id()));
        let mut marker = StartMarker::place(&folder).unwrap();
        marker.trying(Renderer::Gl);
        let marks = || fs::read_dir(&folder).unwrap().count();
        let settle = Settle {
            marker: Some(marker),
            learnt: None,
        };

        let ctx = egui::Context::default();
        let mut watched = FirstFrames::new(Still, settle, None);
        for _ in 0..FRAMES_TO_TRUST {
            watched.frame_begins(&ctx);
        }
        assert_eq!(marks(), 1, "a driver may die with the next frame");
        watched.frame_begins(&ctx);
        let patience = Instant::now() + Duration::from_secs(10);
        while marks() > 0 && Instant::now() < patience {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(marks(), 0, "the start has succeeded");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn nothing_is_drawn_where_nothing_moves() {
        let settle = Settle {
            marker: None,
            learnt: None,
        };
        let mut harness = Harness::builder().build_eframe(|cc| {
            cc.egui_ctx.set_fonts(crate::ui::fonts::definitions());
            FirstFrames::new(Still, settle, None)
        });
        harness.run_steps(FRAMES_TO_TRUST as usize + 3);
        assert!(!harness.ctx.has_requested_repaint());
    }

    #[test]
    fn a_window_closed_at_once_has_not_crashed() {
        let folder = env::temp_dir().join(format!("assert-doctor-closed-{}", std::process::id()));
        let settle = Settle {
            marker: StartMarker::place(&folder),
            learnt: None,
        };
        let mut watched = FirstFrames::new(Still, settle, None);
        eframe::App::on_exit(&mut watched);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
        fs::remove_dir_all(folder).unwrap();
    }
}
