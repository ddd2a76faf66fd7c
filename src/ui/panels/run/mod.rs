//! A run in the Log tab's place: what is to be run, then its card and what it prints.

mod card;
mod kit;
mod output;
mod setup;

use eframe::egui;
use egui::{Frame, Margin, ScrollArea, Ui, Vec2};

use crate::app::{AppState, Run};
use crate::ui::Commands;
use crate::ui::theme::{GAP, MARGIN};

pub use setup::setup_ui;

/// Scroll and drafts of a run's view.
#[derive(Debug, Default)]
pub struct RunPanel {
    output: output::OutputPanel,
}

impl RunPanel {
    /// Puts the cursor into the search field.
    pub fn focus_search(&mut self) {
        self.output.focus_search();
    }

    /// Draws card and output.
    pub fn ui(&mut self, ui: &mut Ui, state: &AppState, run: &Run, commands: &mut Commands) {
        Frame::new()
            .inner_margin(Margin::same(MARGIN as i8))
            .show(ui, |ui| {
                ui.spacing_mut().item_spacing = Vec2::ZERO;
                // The output stays in sight below the card, on a small window too.
                let room = ui.available_height();
                let max_height = (room * 0.62).min(room - 180.0).max(120.0);
                ScrollArea::vertical()
                    .id_salt("run-card")
                    .max_height(max_height)
                    .auto_shrink([false, true])
                    .show(ui, |ui| card::card_ui(ui, state, run, commands));
                ui.add_space(GAP);
                self.output.ui(ui, state, run, commands);
            });
    }
}
