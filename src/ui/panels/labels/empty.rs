//! A tab without content in a case that has another: where to drop what is missing.

use eframe::egui;
use egui::{Rect, Ui, UiBuilder, vec2};

use crate::app::{AppState, Command};
use crate::ui::Commands;
use crate::ui::icons::Icon;
use crate::ui::theme::{GAP_SMALL, MARGIN};
use crate::ui::widgets::{Button, DropTarget};

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
    let words = state.words;
    let whole = ui.available_rect_before_wrap().shrink(MARGIN);
    let size = vec2(whole.width().min(880.0), whole.height().min(260.0));
    let top = whole.top() + ((whole.height() - size.y) * 0.3).clamp(0.0, 48.0);
    let rect = Rect::from_min_size(
        egui::pos2((whole.center().x - size.x / 2.0).round(), top.round()),
        size,
    );
    let y = DropTarget {
        rect,
        title: &words.text(title),
        text: &words.text(text),
        buttons: 32.0,
        foot: 0.0,
    }
    .ui(ui);
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
