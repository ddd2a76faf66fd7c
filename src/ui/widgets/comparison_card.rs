//! Two runs beside each other: is the first failure gone, and what shows it.

use eframe::egui;
use egui::{Color32, CornerRadius, Frame, Margin, Rect, ScrollArea, Stroke, Ui, Vec2, vec2};

use super::{Link, label_ui, paragraph_ui, sign_ui};
use crate::app::Command;
use crate::compare::{Proof, SignState};
use crate::ui::Commands;
use crate::ui::icons::{self, Icon};
use crate::ui::theme::{self, Colors, GAP_SMALL, RADIUS};
use crate::words::{ComparisonTexts, SignText};

/// From the icon's left edge to the text.
const ICON_COLUMN: f32 = 36.0;
/// Width of the rows' labels.
const LABEL_COLUMN: f32 = 148.0;

/// Draws the card, at most `max_height` high.
pub fn comparison_card_ui(
    ui: &mut Ui,
    told: &ComparisonTexts,
    max_height: f32,
    commands: &mut Commands,
) {
    let c = theme::colors(ui);
    let (icon, color) = mark(told.proof, c);
    let response = Frame::new()
        .fill(c.card)
        .stroke(Stroke::new(1.0, c.border))
        .corner_radius(RADIUS)
        .inner_margin(Margin {
            left: 20,
            right: 16,
            top: 0,
            bottom: 0,
        })
        .show(ui, |ui| {
            ui.spacing_mut().item_spacing = Vec2::ZERO;
            ui.set_width(ui.available_width());
            ScrollArea::vertical()
                .id_salt("comparison")
                .max_height(max_height)
                .auto_shrink([false, true])
                .show(ui, |ui| {
                    ui.add_space(12.0);
                    content_ui(ui, told, (icon, color), commands);
                    ui.add_space(12.0);
                });
        })
        .response;
    let bar = Rect::from_min_size(response.rect.min, vec2(4.0, response.rect.height()));
    let corners = CornerRadius {
        nw: RADIUS.nw,
        sw: RADIUS.sw,
        ne: 0,
        se: 0,
    };
    ui.painter().rect_filled(bar, corners, color);
}

fn mark(proof: Proof, c: &Colors) -> (Icon, Color32) {
    match proof {
        Proof::Proved => (Icon::Tick, c.ok),
        Proof::NotYet => (Icon::Clock, c.warning),
        Proof::Failed => (Icon::Octagon, c.danger),
    }
}

fn content_ui(
    ui: &mut Ui,
    told: &ComparisonTexts,
    (icon, color): (Icon, Color32),
    commands: &mut Commands,
) {
    let c = theme::colors(ui);
    let whole = ui.available_rect_before_wrap();
    let at = Rect::from_min_size(whole.min + vec2(2.0, 2.0), Vec2::splat(20.0));
    icons::paint(ui.painter(), icon, at, color);
    let mut column = whole;
    column.min.x += ICON_COLUMN;
    ui.scope_builder(egui::UiBuilder::new().max_rect(column), |ui| {
        paragraph_ui(ui, &told.title, theme::semibold(16.0), c.text);
        ui.add_space(2.0);
        paragraph_ui(ui, &told.sentence, theme::body(), c.text);
        ui.add_space(GAP_SMALL);
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(16.0, 4.0);
            for sign in &told.signs {
                state_ui(ui, sign);
            }
        });
        for row in &told.rows {
            ui.add_space(4.0);
            let whole = ui.available_rect_before_wrap();
            let mut left = whole;
            left.max.x = left.min.x + LABEL_COLUMN - GAP_SMALL;
            let mut right = whole;
            right.min.x += LABEL_COLUMN;
            ui.scope_builder(egui::UiBuilder::new().max_rect(left), |ui| {
                label_ui(ui, &row.label, theme::body(), c.weak);
            });
            let said = ui.scope_builder(egui::UiBuilder::new().max_rect(right), |ui| {
                let Some(line) = row.line else {
                    paragraph_ui(ui, &row.text, theme::body(), c.text);
                    return;
                };
                if ui.add(Link::new(&row.text).cut()).clicked() {
                    commands.push(Command::GoToLine(line));
                }
            });
            let mut used = whole;
            used.max.y = said.response.rect.bottom();
            ui.advance_cursor_after_rect(used);
        }
        for caveat in &told.caveats {
            ui.add_space(4.0);
            paragraph_ui(ui, caveat, theme::body(), c.weak);
        }
    });
}

/// A sign with how it stands.
fn state_ui(ui: &mut Ui, sign: &SignText) {
    let c = theme::colors(ui);
    let (icon, color) = match sign.state {
        SignState::Seen => (Icon::Tick, c.ok),
        SignState::NotYet => (Icon::Clock, c.weak),
        SignState::Broken => (Icon::Cross, c.danger),
        SignState::Unknown => (Icon::Info, c.weak),
    };
    sign_ui(ui, icon, color, &sign.line());
}
