//! A tab without content in a case that has another: where to drop what is missing.

use eframe::egui;
use egui::{Align2, Rect, Role, Sense, Stroke, StrokeKind, Ui, UiBuilder, Vec2, WidgetInfo, vec2};

use crate::app::{AppState, Command};
use crate::ui::Commands;
use crate::ui::icons::{self, Icon};
use crate::ui::theme::{self, GAP_SMALL, MARGIN, RADIUS};
use crate::ui::widgets::{Button, dashed_outline, galley};

/// No labels yet.
pub fn no_labels_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    target_ui(
        ui,
        state,
        ("labels-empty-title", "labels-empty-text"),
        true,
        commands,
    );
}

/// No log yet.
pub fn no_log_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    target_ui(
        ui,
        state,
        ("labels-no-log-title", "labels-no-log-text"),
        false,
        commands,
    );
}

fn target_ui(
    ui: &mut Ui,
    state: &AppState,
    (title, text): (&str, &str),
    folders: bool,
    commands: &mut Commands,
) {
    let c = theme::colors(ui);
    let words = state.words;
    let whole = ui.available_rect_before_wrap().shrink(MARGIN);
    let size = vec2(whole.width().min(880.0), whole.height().min(260.0));
    let top = whole.top() + ((whole.height() - size.y) * 0.3).clamp(0.0, 48.0);
    let rect = Rect::from_min_size(
        egui::pos2((whole.center().x - size.x / 2.0).round(), top.round()),
        size,
    );
    let hovered = ui.input(|input| !input.raw.hovered_files.is_empty());
    if hovered {
        ui.painter().rect(
            rect,
            RADIUS,
            c.accent_tint,
            Stroke::new(1.5, c.accent),
            StrokeKind::Inside,
        );
    } else {
        ui.painter().rect_filled(rect, RADIUS, c.panel);
        dashed_outline(ui.painter(), rect.shrink(0.5), c.drop_outline);
    }
    let content = 32.0 + 12.0 + 28.0 + 4.0 + 20.0 + 24.0 + 32.0;
    let mut y = rect.top() + ((size.y - content) / 2.0).max(12.0);
    let icon = Rect::from_center_size(egui::pos2(rect.center().x, y + 16.0), Vec2::splat(32.0));
    icons::paint(ui.painter(), Icon::TrayIn, icon, c.accent);
    y += 44.0;
    for (id, font, color, height) in [
        (title, theme::semibold(20.0), c.text, 32.0),
        (text, theme::body(), c.weak, 44.0),
    ] {
        let said = words.text(id);
        let text = galley(ui.painter(), said.as_str(), font, color);
        let place = Align2::CENTER_TOP.anchor_size(egui::pos2(rect.center().x, y), text.size());
        let response = ui.allocate_rect(place, Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &said));
        ui.painter().galley(place.min, text, color);
        y += height;
    }
    let open = words.text("ui-open");
    let folder = words.text("labels-open-folder");
    let open = Button::new(&open).filled().icon(Icon::File);
    let folder = folders.then(|| Button::new(&folder).icon(Icon::Folder));
    let width = open.width(ui)
        + folder
            .as_ref()
            .map_or(0.0, |folder| folder.width(ui) + GAP_SMALL);
    let row = Rect::from_min_size(
        egui::pos2((rect.center().x - width / 2.0).round(), y),
        vec2(width, 32.0),
    );
    let builder = UiBuilder::new()
        .max_rect(row)
        .layout(egui::Layout::left_to_right(egui::Align::Center));
    ui.scope_builder(builder, |ui| {
        ui.spacing_mut().item_spacing.x = GAP_SMALL;
        if ui.add(open).clicked() {
            commands.push(Command::ChooseFiles);
        }
        if let Some(folder) = folder
            && ui.add(folder).clicked()
        {
            commands.push(Command::ChooseFolder);
        }
    });
}
