//! For those who train elsewhere: the same run as commands to copy.

use eframe::egui;
use egui::{Frame, Label, Margin, Stroke, Ui, vec2};

use super::setup::card_ui;
use crate::app::run_view::SetupView;
use crate::app::{AppState, Command};
use crate::ui::Commands;
use crate::ui::icons::Icon;
use crate::ui::theme::{self, GAP, GAP_SMALL, RADIUS};
use crate::ui::widgets::{Button, Chip, format, label_ui, paragraph_ui};

/// Draws the commands, or the button that shows them.
pub(super) fn kit_ui(ui: &mut Ui, state: &AppState, view: &SetupView, commands: &mut Commands) {
    let c = theme::colors(ui);
    let words = state.words;
    card_ui(ui, |ui| {
        let title = words.text("rerun-kit-title");
        label_ui(ui, &title, theme::semibold(16.0), c.text);
        ui.add_space(4.0);
        let Some(kit) = &view.kit else {
            paragraph_ui(ui, &words.text("rerun-kit-text"), theme::body(), c.weak);
            ui.add_space(GAP);
            let show = words.text("rerun-kit-show");
            if ui
                .add(Button::new(&show).trailing(Icon::ChevronDown))
                .clicked()
            {
                commands.push(Command::ToggleKit);
            }
            return;
        };
        for text in &kit.intro {
            paragraph_ui(ui, text, theme::body(), c.weak);
        }
        ui.add_space(GAP);
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(6.0, 6.0);
            for (index, shell) in kit.shells.iter().enumerate() {
                if ui.add(Chip::new(shell, "", index == kit.shell)).clicked() {
                    commands.push(Command::SelectShell(index));
                }
            }
        });
        ui.add_space(GAP_SMALL);
        Frame::new()
            .fill(c.code_background)
            .stroke(Stroke::new(1.0, c.border))
            .corner_radius(RADIUS)
            .inner_margin(Margin::symmetric(12, 8))
            .show(ui, |ui| {
                ui.set_width(ui.available_width());
                let mut job = egui::text::LayoutJob::single_section(
                    kit.problem.as_ref().unwrap_or(&kit.text).clone(),
                    format(theme::code(), c.text),
                );
                job.wrap.break_anywhere = true;
                ui.add(Label::new(job).wrap());
            });
        ui.add_space(GAP_SMALL);
        paragraph_ui(ui, &kit.hint, theme::body(), c.text);
        ui.add_space(GAP);
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(GAP_SMALL, 6.0);
            let copy = words.text("rerun-kit-copy");
            let button = Button::new(&copy).icon(Icon::Copy).height(28.0);
            if kit.problem.is_none() && ui.add(button).clicked() {
                ui.copy_text(kit.text.clone());
                commands.push(Command::Copied);
            }
            if !kit.guard_files.is_empty() {
                let save = words.text("rerun-kit-save-guard");
                let button = Button::new(&save).icon(Icon::TrayOut).height(28.0);
                if ui.add(button).clicked() {
                    commands.push(Command::ChooseGuardFile);
                }
            }
            let hide = words.text("rerun-kit-hide");
            let button = Button::new(&hide).quiet().trailing(Icon::ChevronUp);
            if ui.add(button.height(28.0)).clicked() {
                commands.push(Command::ToggleKit);
            }
        });
    });
}
