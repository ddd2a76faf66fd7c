//! What to do about the chosen finding.

use eframe::egui;
use egui::{Align, Frame, Label, Layout, Margin, ScrollArea, Stroke, Ui, vec2};

use super::card_ui;
use crate::app::labels_view::Fix;
use crate::app::{AppState, Command};
use crate::ui::Commands;
use crate::ui::icons::Icon;
use crate::ui::theme::{self, GAP, GAP_SMALL, RADIUS};
use crate::ui::widgets::{Button, certainty_pill, format, label_ui, paragraph_ui};

/// Draws the card, as high as given where that is given; then it scrolls inside.
pub fn fix_ui(
    ui: &mut Ui,
    state: &AppState,
    fix: &Fix,
    height: Option<f32>,
    commands: &mut Commands,
) {
    let margin = Margin::symmetric(12, 10);
    card_ui(ui, margin, |ui| {
        let Some(height) = height else {
            content_ui(ui, state, fix, commands);
            return;
        };
        let inner = height - 22.0;
        ui.set_min_height(inner);
        ScrollArea::vertical()
            .id_salt("fix")
            .auto_shrink(false)
            .max_height(inner)
            .show(ui, |ui| {
                content_ui(ui, state, fix, commands);
            });
    });
}

fn content_ui(ui: &mut Ui, state: &AppState, fix: &Fix, commands: &mut Commands) {
    let c = theme::colors(ui);
    let words = state.words;
    let row = vec2(ui.available_width(), 24.0);
    ui.allocate_ui_with_layout(row, Layout::right_to_left(Align::Center), |ui| {
        ui.set_min_height(24.0);
        certainty_pill(ui, fix.certainty, &fix.certainty_word, "").ui(ui);
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            let title = words.text("labels-fix");
            label_ui(ui, &title, theme::semibold(16.0), c.text);
        });
    });
    ui.add_space(4.0);
    paragraph_ui(ui, &fix.suggestion, theme::body(), c.text);
    if fix.script.is_some() {
        ui.add_space(2.0);
        paragraph_ui(ui, &words.text("labels-promise"), theme::small(), c.weak);
    }
    if fix.script.is_some() || fix.files.is_some() {
        ui.add_space(GAP - 2.0);
        buttons_ui(ui, state, fix, commands);
    }
    if state.labels.script_open
        && let Some(script) = &fix.script
    {
        ui.add_space(GAP_SMALL);
        script_ui(ui, script);
    }
    if !fix.explanation.is_empty() {
        ui.add_space(GAP_SMALL);
        paragraph_ui(ui, &fix.explanation, theme::small(), c.weak);
    }
}

fn buttons_ui(ui: &mut Ui, state: &AppState, fix: &Fix, commands: &mut Commands) {
    let words = state.words;
    let mut copy = |ui: &Ui, text: &str| {
        ui.copy_text(text.to_owned());
        commands.push(Command::Copied);
    };
    let mut toggled = false;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(GAP_SMALL, 6.0);
        if let Some(script) = &fix.script {
            let name = words.text("labels-copy-script");
            let button = Button::new(&name).filled().icon(Icon::Copy).height(28.0);
            if ui.add(button).clicked() {
                copy(ui, script);
            }
        }
        if let Some((files, name)) = &fix.files
            && ui.add(Button::new(name).height(28.0)).clicked()
        {
            copy(ui, files);
        }
        if fix.script.is_some() {
            let open = state.labels.script_open;
            let name = words.text(if open {
                "labels-hide-script"
            } else {
                "labels-show-script"
            });
            let icon = if open {
                Icon::ChevronUp
            } else {
                Icon::ChevronDown
            };
            let button = Button::new(&name).quiet().trailing(icon).height(28.0);
            toggled = ui.add(button).clicked();
        }
    });
    if toggled {
        commands.push(Command::ToggleScript);
    }
}

fn script_ui(ui: &mut Ui, script: &str) {
    let c = theme::colors(ui);
    Frame::new()
        .fill(c.code_background)
        .stroke(Stroke::new(1.0, c.border))
        .corner_radius(RADIUS)
        .inner_margin(Margin::symmetric(12, 8))
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            ScrollArea::horizontal()
                .id_salt("script")
                .auto_shrink([false, true])
                .show(ui, |ui| {
                    let job = egui::text::LayoutJob::single_section(
                        script.trim_end().to_owned(),
                        format(theme::code(), c.text),
                    );
                    ui.add(Label::new(job).extend());
                });
        });
}
