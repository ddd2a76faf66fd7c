//! The small states of the centre: a log is being read; nothing could be read.

use eframe::egui;
use egui::{Align, Frame, Layout, Margin, Rect, ScrollArea, Stroke, Ui, UiBuilder, vec2};

use crate::app::{AppState, Command, Failed};
use crate::inputs::InputError;
use crate::ui::Commands;
use crate::ui::icons::Icon;
use crate::ui::theme::{self, GAP, GAP_SMALL, MARGIN, RADIUS};
use crate::ui::widgets::{Button, Callout, callout_ui, label_ui, progress_bar_ui, progress_text};

const CARD: f32 = 560.0;

/// A log is being read.
pub fn loading_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let c = theme::colors(ui);
    let words = state.words;
    let (label, progress) = state.running.as_ref().map_or_else(
        || (words.text("ui-reading"), None),
        |job| (job.label.clone(), job.progress),
    );
    card_ui(ui, |ui| {
        ui.horizontal(|ui| {
            ui.set_max_height(24.0);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let percent = progress_text(words, progress);
                label_ui(ui, &percent, theme::semibold(16.0), c.text);
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    label_ui(ui, &label, theme::semibold(16.0), c.text);
                });
            });
        });
        ui.add_space(GAP_SMALL);
        let width = ui.available_width();
        progress_bar_ui(ui, progress, width, &label);
        ui.add_space(GAP + 4.0);
        let row = vec2(width, 28.0);
        ui.allocate_ui_with_layout(row, Layout::right_to_left(Align::Center), |ui| {
            let cancel = words.text("ui-cancel");
            if ui
                .add(Button::new(&cancel).shortcut("Esc").height(28.0))
                .clicked()
            {
                commands.push(Command::CancelJob);
            }
        });
    });
}

/// Nothing could be read: the fact, the reason, what to do, the path last.
pub fn failed_ui(ui: &mut Ui, state: &AppState, failed: &Failed, commands: &mut Commands) {
    let c = theme::colors(ui);
    let words = state.words;
    let (icon, color) = match failed.error {
        // Not wrong, only something else than a log.
        InputError::NotALog
        | InputError::Folder { .. }
        | InputError::Cancelled
        | InputError::Empty => (Icon::Info, c.accent),
        InputError::ChangedWhileRead { .. } => (Icon::Warning, c.warning),
        _ => (Icon::Octagon, c.danger),
    };
    let callout = Callout {
        icon,
        color,
        heading: &failed.heading,
        text: &failed.text,
        path: failed.path.as_deref(),
    };
    card_ui(ui, |ui| {
        callout_ui(ui, &callout, |ui| {
            if let InputError::Folder { logs } = &failed.error {
                folder_ui(ui, logs, commands);
            }
            ui.add_space(GAP + 4.0);
            ui.horizontal_wrapped(|ui| {
                let open = words.text("ui-open");
                let button = Button::new(&open).filled().icon(Icon::Folder);
                if ui.add(button).clicked() {
                    commands.push(Command::ChooseFiles);
                }
                let can_retry = failed.path.is_some()
                    && !matches!(
                        failed.error,
                        InputError::NotALog | InputError::Folder { .. }
                    );
                if can_retry {
                    let again = words.text("ui-try-again");
                    let button = Button::new(&again).icon(Icon::Refresh).shortcut("F5");
                    if ui.add(button).clicked() {
                        commands.push(Command::Reload);
                    }
                }
                let back = words.text("ui-back-to-start");
                if ui.add(Button::new(&back).quiet()).clicked() {
                    commands.push(Command::CloseCase);
                }
            });
        });
    });
}

/// The logs found in a folder, each a button.
fn folder_ui(ui: &mut Ui, logs: &[std::path::PathBuf], commands: &mut Commands) {
    if logs.is_empty() {
        return;
    }
    ui.add_space(GAP_SMALL);
    ScrollArea::vertical().max_height(220.0).show(ui, |ui| {
        for path in logs {
            let name = path
                .file_name()
                .map(|name| name.to_string_lossy())
                .unwrap_or_default();
            if ui
                .add(Button::new(&name).icon(Icon::File).height(28.0))
                .clicked()
            {
                commands.push(Command::Open(vec![path.clone()]));
            }
        }
    });
}

/// A card in the middle of the upper half.
fn card_ui(ui: &mut Ui, content: impl FnOnce(&mut Ui)) {
    let c = theme::colors(ui);
    let whole = ui.available_rect_before_wrap();
    let width = CARD.min(whole.width() - 2.0 * MARGIN);
    let top = whole.top() + (whole.height() * 0.16).clamp(MARGIN, 120.0);
    let rect = Rect::from_min_size(
        egui::pos2((whole.center().x - width / 2.0).round(), top.round()),
        vec2(width, whole.bottom() - top),
    );
    ui.scope_builder(UiBuilder::new().max_rect(rect), |ui| {
        Frame::new()
            .fill(c.panel)
            .stroke(Stroke::new(1.0, c.border))
            .corner_radius(RADIUS)
            .inner_margin(Margin::same(16))
            .show(ui, |ui| {
                ui.set_width(ui.available_width());
                content(ui);
            });
    });
}
