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
            progress_bar_ui(ui, progress, 200.0, &checking.text);
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
        text.max.x -= 40.0;
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
                ui.add_space(4.0);
                let again = words.text("health-again");
                let again = Button::new(&again).icon(Icon::Refresh).height(28.0);
                if ui.add(again).clicked() {
                    commands.push(Command::CheckGpu);
                }
            });
        });
        let corner = Rect::from_min_size(
            egui::pos2(whole.right() - 28.0, whole.top()),
            vec2(28.0, 28.0),
        );
        let away = words.text("health-away");
        let close = ui.scope_builder(UiBuilder::new().max_rect(corner), |ui| {
            ui.add(IconButton::new(Icon::Cross, &away))
        });
        if close.inner.clicked() {
            commands.push(Command::PutGpuCheckAway);
        }
        let mut all = whole;
        all.max.y = used.response.rect.bottom().max(corner.bottom());
        ui.advance_cursor_after_rect(all);
    });
}
