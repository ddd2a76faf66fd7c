//! The check of a GPU: how far it is, and what it found.

use eframe::egui;
use egui::{Align, Layout, Margin, Rect, Ui, UiBuilder, vec2};

use super::{card_ui, mark};
use crate::app::{AppState, Command, GpuCard, GpuChecking};
use crate::ui::Commands;
use crate::ui::icons::Icon;
use crate::ui::theme::{self, GAP, GAP_SMALL};
use crate::ui::widgets::{
    Button, Callout, IconButton, callout_ui, label_ui, paragraph_ui, progress_bar_ui, progress_text,
};

/// Draws the card, where there is something to tell.
pub(super) fn gpu_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    if let Some(checking) = &state.gpus.checking {
        checking_ui(ui, state, checking, commands);
    } else if let Some(card) = &state.gpus.card {
        found_ui(ui, state, card, commands);
    } else {
        return;
    }
    ui.add_space(GAP);
}

fn checking_ui(ui: &mut Ui, state: &AppState, checking: &GpuChecking, commands: &mut Commands) {
    let c = theme::colors(ui);
    card_ui(ui, Margin::symmetric(16, 10), |ui| {
        let row = vec2(ui.available_width(), 28.0);
        ui.allocate_ui_with_layout(row, Layout::right_to_left(Align::Center), |ui| {
            ui.set_min_height(28.0);
            ui.spacing_mut().item_spacing.x = GAP_SMALL;
            let cancel = state.words.text("ui-cancel");
            if !checking.stopping && ui.add(Button::new(&cancel).height(28.0)).clicked() {
                commands.push(Command::StopGpuCheck);
            }
            let progress = Some(checking.progress());
            let percent = progress_text(state.words, progress);
            label_ui(ui, &percent, theme::small(), c.weak);
            let width = (row.x * 0.25).min(200.0);
            progress_bar_ui(ui, progress, width, &checking.text);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                label_ui(ui, &checking.text, theme::body(), c.text);
            });
        });
    });
}

fn found_ui(ui: &mut Ui, state: &AppState, card: &GpuCard, commands: &mut Commands) {
    let c = theme::colors(ui);
    let words = state.words;
    let (icon, color) = mark(card.mark, c);
    card_ui(ui, Margin::symmetric(16, 12), |ui| {
        let whole = ui.available_rect_before_wrap();
        let mut text = whole;
        text.max.x -= 2.0 * 28.0 + GAP;
        let used = ui.scope_builder(UiBuilder::new().max_rect(text), |ui| {
            let callout = Callout {
                icon,
                color,
                heading: &card.headline,
                text: &card.text,
                path: None,
            };
            callout_ui(ui, &callout, |ui| {
                for row in &card.rows {
                    paragraph_ui(ui, row, theme::code(), c.text);
                }
                if !card.what.is_empty() {
                    paragraph_ui(ui, &card.what, theme::small(), c.weak);
                }
            });
        });
        let corner = Rect::from_min_size(
            egui::pos2(whole.right() - 2.0 * 28.0, whole.top()),
            vec2(2.0 * 28.0, 28.0),
        );
        let builder = UiBuilder::new()
            .max_rect(corner)
            .layout(Layout::left_to_right(Align::Center));
        ui.scope_builder(builder, |ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            for (icon, name, command) in [
                (Icon::Refresh, "health-again", Command::CheckGpu),
                (Icon::Cross, "health-away", Command::PutGpuCheckAway),
            ] {
                let name = words.text(name);
                if ui.add(IconButton::new(icon, &name)).clicked() {
                    commands.push(command);
                }
            }
        });
        let mut all = whole;
        all.max.y = used.response.rect.bottom().max(corner.bottom());
        ui.advance_cursor_after_rect(all);
    });
}
