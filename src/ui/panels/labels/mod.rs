//! The Labels tab: sources at the left; rule, headline, findings, offenders, chart and fix beside them.

mod empty;
mod findings;
mod fix;
mod gpu;
mod offenders;
mod rule_bar;
mod sources;

use eframe::egui;
use egui::{Align, Frame, Layout, Margin, Rect, ScrollArea, Stroke, Ui, UiBuilder, Vec2, vec2};

use crate::app::labels_view::Mark;
use crate::app::{AppState, Command, labels_view::Histogram};
use crate::ui::Commands;
use crate::ui::icons::{self, Icon};
use crate::ui::theme::{self, Colors, GAP, GAP_SMALL, MARGIN, RADIUS};
use crate::ui::widgets::{Button, galley, histogram_ui, label_ui, paragraph_ui, progress_bar_ui};

pub use empty::no_log_ui;

const SOURCES: f32 = 220.0;
/// Chart and fix.
const SIDE: f32 = 412.0;
/// On less room things stand below each other.
const WIDE: f32 = 800.0;
const HIGH: f32 = 560.0;
const CHART: f32 = 172.0;

/// Drafts and scroll of the tab.
#[derive(Debug, Default)]
pub struct LabelsPanel {
    rule: rule_bar::Drafts,
    sources: sources::Drafts,
    offenders: offenders::Scroll,
}

impl LabelsPanel {
    /// Draws the tab.
    pub fn ui(&mut self, ui: &mut Ui, state: &AppState, commands: &mut Commands) {
        if !state.has_data() {
            empty::no_labels_ui(ui, state, commands);
            return;
        }
        let whole = ui.available_rect_before_wrap().shrink(MARGIN);
        let mut left = whole;
        left.max.x = left.min.x + SOURCES;
        let mut right = whole;
        right.min.x = left.right() + MARGIN;
        ui.scope_builder(UiBuilder::new().max_rect(left), |ui| {
            ui.spacing_mut().item_spacing = Vec2::ZERO;
            self.sources.ui(ui, state, commands);
        });
        ui.scope_builder(UiBuilder::new().max_rect(right), |ui| {
            ui.spacing_mut().item_spacing = Vec2::ZERO;
            let Some(checked) = state.checked() else {
                unchecked_ui(ui, state, commands);
                return;
            };
            if right.width() >= WIDE && right.height() >= HIGH {
                self.head_ui(ui, state, commands);
                let room = ui.available_height();
                findings::findings_ui(ui, state, (room * 0.4).max(140.0), commands);
                ui.add_space(GAP);
                self.wide_ui(ui, state, checked, commands);
            } else {
                ScrollArea::vertical()
                    .id_salt("labels")
                    .auto_shrink(false)
                    .show(ui, |ui| {
                        // The scroll bar does not lie over the cards.
                        ui.set_width(right.width() - 10.0);
                        self.head_ui(ui, state, commands);
                        findings::findings_ui(ui, state, 4.0 * 52.0 + 30.0, commands);
                        ui.add_space(GAP);
                        self.narrow_ui(ui, state, checked, commands);
                    });
            }
        });
    }

    /// Rule and headline.
    fn head_ui(&mut self, ui: &mut Ui, state: &AppState, commands: &mut Commands) {
        self.rule.ui(ui, state, commands);
        ui.add_space(GAP);
        gpu::gpu_ui(ui, state, commands);
        headline_ui(ui, state, commands);
        ui.add_space(GAP);
    }

    fn wide_ui(
        &mut self,
        ui: &mut Ui,
        state: &AppState,
        checked: &crate::check::Checked,
        commands: &mut Commands,
    ) {
        let room = ui.available_rect_before_wrap();
        let view = &state.labels.view;
        if view.has_nothing_to_list() {
            if let Some(chart) = &view.histogram {
                chart_ui(ui, state, chart, (room.height() - 64.0).clamp(96.0, 260.0));
            }
            return;
        }
        let has_side = view.histogram.is_some() || view.fix.is_some();
        let mut main = room;
        if has_side {
            main.max.x -= SIDE + GAP;
        }
        ui.scope_builder(UiBuilder::new().max_rect(main), |ui| {
            ui.spacing_mut().item_spacing = Vec2::ZERO;
            self.offenders.ui(ui, state, checked, commands);
        });
        if !has_side {
            return;
        }
        let mut side = room;
        side.min.x = main.right() + GAP;
        ui.scope_builder(UiBuilder::new().max_rect(side), |ui| {
            ui.spacing_mut().item_spacing = Vec2::ZERO;
            if let Some(chart) = &view.histogram {
                // The fix keeps room for its buttons.
                let spare = side.height() - if view.fix.is_some() { 208.0 } else { 0.0 };
                chart_ui(ui, state, chart, (spare - 64.0).clamp(96.0, CHART));
                ui.add_space(GAP);
            }
            if let Some(shown) = &view.fix {
                let height = ui.available_height();
                fix::fix_ui(ui, state, shown, Some(height), commands);
            }
        });
    }

    fn narrow_ui(
        &mut self,
        ui: &mut Ui,
        state: &AppState,
        checked: &crate::check::Checked,
        commands: &mut Commands,
    ) {
        let view = &state.labels.view;
        if let Some(shown) = &view.fix {
            fix::fix_ui(ui, state, shown, None, commands);
            ui.add_space(GAP);
        }
        if !view.has_nothing_to_list() {
            let rows = view.offenders.len().clamp(2, 8) as f32;
            let size = vec2(ui.available_width(), 72.0 + rows * 28.0);
            ui.allocate_ui(size, |ui| {
                ui.set_min_size(size);
                ui.spacing_mut().item_spacing = Vec2::ZERO;
                self.offenders.ui(ui, state, checked, commands);
            });
            ui.add_space(GAP);
        }
        if let Some(chart) = &view.histogram {
            chart_ui(ui, state, chart, CHART);
        }
    }
}

/// A card as wide as there is room.
fn card_ui<R>(ui: &mut Ui, margin: Margin, content: impl FnOnce(&mut Ui) -> R) -> R {
    let c = theme::colors(ui);
    Frame::new()
        .fill(c.panel)
        .stroke(Stroke::new(1.0, c.border))
        .corner_radius(RADIUS)
        .inner_margin(margin)
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.spacing_mut().item_spacing = Vec2::ZERO;
            content(ui)
        })
        .inner
}

/// Icon and colour of a kind of news.
fn mark(mark: Mark, c: &Colors) -> (Icon, egui::Color32) {
    match mark {
        Mark::Error => (Icon::Octagon, c.danger),
        Mark::Warning => (Icon::Warning, c.warning),
        Mark::Note => (Icon::Info, c.weak),
        Mark::Good => (Icon::Tick, c.ok),
    }
}

fn headline_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let c = theme::colors(ui);
    let headline = &state.labels.view.headline;
    let (icon, color) = mark(headline.mark, c);
    let mut timing_below = false;
    let size = vec2(ui.available_width(), 28.0);
    ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
        ui.set_min_height(28.0);
        if state.labels.checking.is_some() {
            running_ui(ui, state, 96.0, commands);
        } else {
            timing_below = !timing_ui(ui, state);
        }
        ui.add_space(GAP);
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            let (rect, _) = ui.allocate_exact_size(Vec2::splat(24.0), egui::Sense::hover());
            icons::paint(ui.painter(), icon, rect, color);
            ui.add_space(GAP);
            label_ui(ui, &headline.text, theme::semibold(20.0), c.text);
        });
    });
    if timing_below {
        ui.horizontal(|ui| {
            ui.add_space(36.0);
            timing_label_ui(ui, state);
        });
    }
    if !headline.detail.is_empty() {
        ui.add_space(2.0);
        let mut text = ui.available_rect_before_wrap();
        text.min.x += 36.0;
        let response = ui.scope_builder(UiBuilder::new().max_rect(text), |ui| {
            paragraph_ui(ui, &headline.detail, theme::body(), c.weak);
        });
        drop(response);
    }
}

/// Where it was checked, and why, beside the headline; whether there was room for both.
fn timing_ui(ui: &mut Ui, state: &AppState) -> bool {
    let c = theme::colors(ui);
    let bar = &state.labels.view.rule_bar;
    let headline = &state.labels.view.headline.text;
    let painter = ui.painter();
    let needed = galley(painter, headline, theme::semibold(20.0), c.text)
        .size()
        .x;
    let text = galley(painter, &bar.timing, theme::small(), c.weak)
        .size()
        .x;
    let fits = needed + text + 24.0 + 2.0 * GAP + 4.0 <= ui.available_width();
    if fits {
        timing_label_ui(ui, state);
    }
    fits
}

fn timing_label_ui(ui: &mut Ui, state: &AppState) {
    let c = theme::colors(ui);
    let bar = &state.labels.view.rule_bar;
    label_ui(ui, &bar.timing, theme::small(), c.weak).on_hover_text(&bar.timing_tooltip);
}

/// From right to left: cancel, bar, what runs.
fn running_ui(ui: &mut Ui, state: &AppState, width: f32, commands: &mut Commands) {
    let c = theme::colors(ui);
    let Some(checking) = &state.labels.checking else {
        return;
    };
    let cancel = state.words.text("ui-cancel");
    if !checking.stopping {
        if ui
            .add(Button::new(&cancel).shortcut("Esc").height(24.0).quiet())
            .clicked()
        {
            commands.push(Command::CancelJob);
        }
        ui.add_space(GAP_SMALL);
    }
    progress_bar_ui(ui, checking.files_done(), width, &checking.text);
    ui.add_space(GAP_SMALL);
    label_ui(ui, &checking.text, theme::small(), c.text);
}

/// Nothing to show yet: the first check runs, was stopped, or broke off.
fn unchecked_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let c = theme::colors(ui);
    let words = state.words;
    let width = ui.available_width().min(560.0);
    let whole = ui.available_rect_before_wrap();
    let card = Rect::from_min_size(whole.min, vec2(width, whole.height()));
    ui.scope_builder(UiBuilder::new().max_rect(card), |ui| {
        card_ui(ui, Margin::same(16), |ui| {
            let inner = ui.available_width();
            if let Some(checking) = &state.labels.checking {
                label_ui(ui, &checking.text, theme::semibold(16.0), c.text);
                ui.add_space(GAP_SMALL);
                progress_bar_ui(ui, checking.files_done(), inner, &checking.text);
                ui.add_space(GAP + 4.0);
                let row = vec2(inner, 28.0);
                ui.allocate_ui_with_layout(row, Layout::right_to_left(Align::Center), |ui| {
                    let cancel = words.text("ui-cancel");
                    let button = Button::new(&cancel).shortcut("Esc").height(28.0);
                    if !checking.stopping && ui.add(button).clicked() {
                        commands.push(Command::CancelJob);
                    }
                });
                return;
            }
            let heading = if state.labels.broke {
                words.text("labels-broke")
            } else {
                state.labels.view.headline.text.clone()
            };
            label_ui(ui, &heading, theme::semibold(16.0), c.text);
            ui.add_space(GAP + 4.0);
            let again = words.text("labels-recheck");
            let button = Button::new(&again).icon(Icon::Refresh).shortcut("F5");
            if ui.add(button.filled()).clicked() {
                commands.push(Command::Recheck);
            }
        });
    });
}

fn chart_ui(ui: &mut Ui, state: &AppState, chart: &Histogram, height: f32) {
    let c = theme::colors(ui);
    card_ui(ui, Margin::symmetric(12, 10), |ui| {
        let row = vec2(ui.available_width(), 24.0);
        ui.allocate_ui_with_layout(row, Layout::right_to_left(Align::Center), |ui| {
            ui.set_min_height(24.0);
            ui.spacing_mut().item_spacing.x = 6.0;
            if !chart.not_allowed.is_empty() {
                let text = state.words.text("labels-chart-not-allowed");
                legend_ui(ui, &text, c.danger, false);
                ui.add_space(GAP_SMALL);
            }
            if let Some(second) = &chart.series.1 {
                legend_ui(ui, second, c.series_2, true);
                ui.add_space(GAP_SMALL);
            }
            legend_ui(ui, &chart.series.0, c.series_1_bar, false);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                label_ui(ui, &chart.title, theme::semibold(16.0), c.text);
            });
        });
        ui.add_space(4.0);
        let drawn = histogram_ui(ui, chart, height);
        if let Some(more) = chart.more(drawn) {
            label_ui(ui, &more, theme::small(), c.weak);
        }
    });
}

/// Drawn from the right: the text, its mark.
fn legend_ui(ui: &mut Ui, text: &str, color: egui::Color32, is_tick: bool) {
    let c = theme::colors(ui);
    label_ui(ui, text, theme::small(), c.weak);
    let (rect, _) = ui.allocate_exact_size(vec2(10.0, 10.0), egui::Sense::hover());
    if is_tick {
        let tick = Rect::from_center_size(rect.center(), vec2(10.0, 2.0));
        ui.painter().rect_filled(tick, 0, color);
    } else {
        ui.painter().rect_filled(rect, 2, color);
    }
}
