//! The Log tab: the verdict above, the log with its marks, chips and search below.

use eframe::egui;
use egui::{Align, ComboBox, Id, Layout, Margin, Ui, Vec2};

use crate::app::{AppState, Command, LogFilter, LogStatus};
use crate::ui::Commands;
use crate::ui::icons::Icon;
use crate::ui::theme::{self, GAP, GAP_SMALL};
use crate::ui::widgets::{
    Chip, LogScroll, SearchDraft, comparison_card_ui, label_ui, search_field_ui, verdict_card_ui,
};
use crate::words::{Arg, Verdict};

/// Scroll and drafts of the tab.
#[derive(Debug, Default)]
pub struct LogPanel {
    rows: LogScroll,
    search: SearchDraft,
    details_were_open: bool,
}

impl LogPanel {
    /// The panel of the log that is shown, scrolled to what its verdict names first.
    pub fn of(state: &AppState) -> Self {
        let first = match &state.log {
            LogStatus::Ready { verdict, .. } => verdict
                .rows
                .iter()
                .find_map(|row| row.line.as_ref())
                .map(|link| link.line),
            _ => None,
        };
        Self {
            rows: LogScroll::starting_at(first),
            ..Self::default()
        }
    }

    /// Puts the cursor into the search field.
    pub fn focus_search(&mut self) {
        self.search.request_focus();
    }

    /// Gives the keyboard to the log's rows.
    pub fn focus_rows(ui: &Ui) {
        ui.memory_mut(|memory| memory.request_focus(Id::unique("log-rows")));
    }

    /// Draws the tab.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        state: &AppState,
        log: usize,
        verdict: &Verdict,
        commands: &mut Commands,
    ) {
        let opened = state.details_open && !self.details_were_open;
        self.details_were_open = state.details_open;
        egui::Frame::new()
            .inner_margin(Margin::same(16))
            .show(ui, |ui| {
                ui.spacing_mut().item_spacing = Vec2::ZERO;
                run_ui(ui, state, commands);
                selector_ui(ui, state, log, commands);
                // The log stays in sight below the card, on a small window too.
                let room = ui.available_height();
                let compared = state.beside.comparison.as_ref();
                let part = match (state.details_open, compared) {
                    (true, None) => 0.72,
                    (false, None) => 0.62,
                    (true, Some(_)) => 0.5,
                    (false, Some(_)) => 0.36,
                };
                if let Some(told) = compared {
                    let height = (room * 0.32).clamp(96.0, 240.0);
                    comparison_card_ui(ui, told, height, commands);
                    ui.add_space(GAP);
                }
                let max_height = (room * part).min(room - 180.0).max(140.0);
                verdict_card_ui(ui, state, verdict, max_height, opened, commands);
                ui.add_space(GAP);
                self.tools_ui(ui, state, commands);
                ui.add_space(GAP_SMALL);
                self.rows.ui(ui, state, commands);
            });
    }

    /// Chips at the left, search at the right.
    fn tools_ui(&mut self, ui: &mut Ui, state: &AppState, commands: &mut Commands) {
        let c = theme::colors(ui);
        let words = state.words;
        ui.horizontal(|ui| {
            ui.set_min_height(28.0);
            ui.spacing_mut().item_spacing.x = 6.0;
            for (filter, id, icon) in [
                (LogFilter::All, "ui-filter-all", None),
                (
                    LogFilter::Assertions,
                    "ui-filter-assertions",
                    Some((Icon::Diamond, c.danger)),
                ),
                (
                    LogFilter::Traceback,
                    "ui-filter-traceback",
                    Some((Icon::Square, c.accent)),
                ),
                (
                    LogFilter::Errors,
                    "ui-filter-errors",
                    Some((Icon::Cross, c.danger)),
                ),
                (
                    LogFilter::Hints,
                    "ui-filter-hints",
                    Some((Icon::Info, c.weak)),
                ),
            ] {
                let text = words.text(id);
                let count = words.number(state.view.count(filter));
                let mut chip = Chip::new(&text, &count, state.filter == filter);
                if let Some((icon, color)) = icon {
                    chip = chip.icon(icon, color);
                }
                if ui.add(chip).clicked() {
                    commands.push(Command::SetFilter(filter));
                }
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let width = (ui.available_width() - GAP).clamp(140.0, 280.0);
                search_field_ui(ui, state, &mut self.search, width, commands);
            });
        });
    }
}

/// Which log of the case is shown, where there are several.
fn selector_ui(ui: &mut Ui, state: &AppState, shown: usize, commands: &mut Commands) {
    let Some(case) = state.case.as_ref().filter(|case| case.logs.len() > 1) else {
        return;
    };
    let c = theme::colors(ui);
    let words = state.words;
    let name = |index: usize| state.log_name(index);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = GAP_SMALL;
        let label = label_ui(ui, &words.text("ui-shown-log"), theme::body(), c.weak);
        let response = ComboBox::from_id_salt("shown-log")
            .selected_text(name(shown))
            .width(280.0)
            .show_ui(ui, |ui| {
                for index in 0..case.logs.len() {
                    if ui.selectable_label(index == shown, name(index)).clicked() {
                        commands.push(Command::ShowLog(index));
                    }
                }
            })
            .response;
        drop(response.labelled_by(label.id));
        let count = case.logs.len() as u64;
        let total = words.with("ui-log-count", &[("count", Arg::Number(count))]);
        label_ui(ui, &total, theme::small(), c.weak);
    });
    ui.add_space(GAP_SMALL);
}

/// A run that goes on while its log, or another, is looked at.
fn run_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let Some(run) = &state.rerun.run else { return };
    let c = theme::colors(ui);
    let row = egui::vec2(ui.available_width(), 28.0);
    ui.allocate_ui_with_layout(row, Layout::right_to_left(Align::Center), |ui| {
        let show = state.words.text("rerun-show-run");
        let button = crate::ui::widgets::Button::new(&show).icon(Icon::Play);
        if ui.add(button.height(28.0)).clicked() {
            commands.push(Command::ShowRun(true));
        }
        ui.add_space(GAP);
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            label_ui(ui, &run.card.title, theme::semibold(14.0), c.text);
        });
    });
    ui.add_space(GAP_SMALL);
}
