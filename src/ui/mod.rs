//! The window: draws the state and asks for commands.

pub mod fonts;
pub mod startup;

use eframe::egui;
use startup::StartOptions;

/// The window's content.
pub struct App {
    start: StartOptions,
}

impl App {
    /// The content of a window that has just been made.
    pub fn new(cc: &eframe::CreationContext<'_>, start: StartOptions) -> Self {
        cc.egui_ctx.set_fonts(fonts::definitions());
        Self { start }
    }
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        egui::CentralPanel::default().show(ui, |ui| {
            ui.heading("Assert Doctor");
            ui.label(self.start.renderer_note.to_string());
            for path in &self.start.paths {
                ui.monospace(path.display().to_string());
            }
        });
    }
}
