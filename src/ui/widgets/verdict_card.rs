//! The verdict: what failed, how sure, which check, whose data, what is not the culprit, what next.
//!
//! Title, rows and details scroll inside the card where the window is small; the next action stays in sight.

use eframe::egui;
use egui::text::LayoutJob;
use egui::{
    Align, Color32, CornerRadius, Frame, Label, Layout, Margin, Rect, ScrollArea, Stroke, Ui,
    UiBuilder, Vec2, vec2,
};

use super::text::{format, paragraph_ui, spans_job};
use super::verdict_details::verdict_details_ui;
use super::{Button, Link, certainty_pill};
use crate::app::{AppState, Command, Tab};
use crate::ui::Commands;
use crate::ui::icons::{self, Icon};
use crate::ui::theme::{self, GAP_SMALL, RADIUS};
use crate::words::{LineLink, Remark, RowKind, Severity, Verdict};

/// From the icon's left edge to the text.
const ICON_COLUMN: f32 = 36.0;
/// Width of the rows' labels.
const LABEL_COLUMN: f32 = 120.0;
/// The bar at the left edge.
const BAR: f32 = 4.0;
/// Height of the row with the next action.
const FOOTER: f32 = 48.0;

/// Draws the card, at most `max_height` high. `opened` is true in the frame in which the details were opened.
pub fn verdict_card_ui(
    ui: &mut Ui,
    state: &AppState,
    verdict: &Verdict,
    max_height: f32,
    opened: bool,
    commands: &mut Commands,
) {
    let c = theme::colors(ui);
    let frame = Frame::new()
        .fill(c.card)
        .stroke(Stroke::new(1.0, c.border))
        .corner_radius(RADIUS)
        .inner_margin(Margin {
            left: 20,
            right: 16,
            top: 0,
            bottom: 0,
        });
    let response = frame
        .show(ui, |ui| {
            ui.spacing_mut().item_spacing = Vec2::ZERO;
            ui.set_width(ui.available_width());
            let scroll_height = (max_height - FOOTER).max(80.0);
            ScrollArea::vertical()
                .id_salt("verdict")
                .max_height(scroll_height)
                .min_scrolled_height(scroll_height)
                .auto_shrink([false, true])
                .show(ui, |ui| {
                    ui.add_space(14.0);
                    content_ui(ui, state, verdict, opened, commands);
                    ui.add_space(10.0);
                });
            footer_ui(ui, state, verdict, commands);
        })
        .response;
    let bar = Rect::from_min_size(response.rect.min, vec2(BAR, response.rect.height()));
    let corners = CornerRadius {
        nw: RADIUS.nw,
        sw: RADIUS.sw,
        ne: 0,
        se: 0,
    };
    ui.painter()
        .rect_filled(bar, corners, c.severity(verdict.severity));
}

fn content_ui(
    ui: &mut Ui,
    state: &AppState,
    verdict: &Verdict,
    opened: bool,
    commands: &mut Commands,
) {
    let c = theme::colors(ui);
    let left = ui.cursor().left();
    let icon_rect = Rect::from_min_size(ui.cursor().min + vec2(2.0, 2.0), Vec2::splat(24.0));
    icons::paint(
        ui.painter(),
        severity_icon(verdict.severity),
        icon_rect,
        c.severity(verdict.severity),
    );
    let mut column = ui.available_rect_before_wrap();
    column.min.x = left + ICON_COLUMN;
    ui.scope_builder(UiBuilder::new().max_rect(column), |ui| {
        title_ui(ui, verdict);
        ui.add_space(4.0);
        paragraph_ui(ui, &verdict.sentence, theme::body(), c.text);
        if !verdict.rows.is_empty() {
            line_ui(ui);
        }
        let labels = state.words.text("ui-tab-labels");
        for (index, row) in verdict.rows.iter().enumerate() {
            if index > 0 {
                ui.add_space(4.0);
            }
            let label_color = if row.kind == RowKind::NotTheCulprit {
                c.warning
            } else {
                c.weak
            };
            let job = spans_job(&row.spans, c);
            let to = if row.kind == RowKind::GuiltyValue {
                Some((Command::ShowTab(Tab::Labels), &*labels))
            } else {
                row.line.as_ref().map(to_line)
            };
            columns_ui(ui, LABEL_COLUMN, job, to, commands, |ui| {
                paragraph_ui(ui, &row.label, theme::body(), label_color);
            });
        }
        if let Some(restart) = &verdict.restart {
            ui.add_space(GAP_SMALL);
            let job = LayoutJob::single_section(restart.clone(), format(theme::body(), c.text));
            icon_row_ui(ui, Icon::Refresh, c.warning, job, None, commands);
        }
        // The most telling remark; the others wait in the details, so that the log below stays in sight.
        if let Some(remark) = verdict.remarks.first() {
            ui.add_space(GAP_SMALL);
            remark_ui(ui, remark, commands);
        }
        if state.details_open {
            line_ui(ui);
            let top = ui.cursor().min;
            verdict_details_ui(ui, state, verdict, commands);
            if opened {
                let rect = Rect::from_min_max(top, ui.min_rect().max);
                ui.scroll_to_rect(rect, Some(Align::TOP));
            }
        }
    });
}

/// A remark with its line.
pub(super) fn remark_ui(ui: &mut Ui, remark: &Remark, commands: &mut Commands) {
    let c = theme::colors(ui);
    let job = LayoutJob::single_section(remark.text.clone(), format(theme::body(), c.weak));
    icon_row_ui(ui, Icon::Info, c.weak, job, remark.line.as_ref(), commands);
}

/// Title and certainty in one row, or below each other where they do not fit.
fn title_ui(ui: &mut Ui, verdict: &Verdict) {
    let c = theme::colors(ui);
    let pill = certainty_pill(
        ui,
        verdict.certainty,
        &verdict.certainty_word,
        &verdict.certainty_reason,
    );
    let width = ui.available_width();
    let title =
        LayoutJob::single_section(verdict.title.clone(), format(theme::semibold(20.0), c.text));
    let title_width = ui.painter().layout_job(title.clone()).size().x;
    let beside = title_width + 16.0 + pill.width() <= width || pill.width() < width * 0.35;
    if beside {
        ui.horizontal_top(|ui| {
            let title_space = width - 16.0 - pill.width();
            ui.allocate_ui_with_layout(
                vec2(title_space, 0.0),
                Layout::top_down(Align::Min),
                |ui| {
                    ui.set_width(title_space);
                    ui.add(Label::new(title).wrap());
                },
            );
            ui.add_space(16.0);
            ui.vertical(|ui| {
                ui.add_space(4.0);
                pill.ui(ui);
            });
        });
    } else {
        ui.add(Label::new(title).wrap());
        ui.add_space(4.0);
        pill.ui(ui);
    }
}

/// Where a link to a line of the log leads, and what it says.
fn to_line(link: &LineLink) -> (Command, &str) {
    (Command::GoToLine(link.line), &link.text)
}

/// Icon, text, link.
fn icon_row_ui(
    ui: &mut Ui,
    icon: Icon,
    color: Color32,
    text: LayoutJob,
    line: Option<&LineLink>,
    commands: &mut Commands,
) {
    columns_ui(ui, 24.0, text, line.map(to_line), commands, |ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(16.0, 20.0), egui::Sense::hover());
        icons::paint(ui.painter(), icon, rect, color);
    });
}

/// Something narrow at the left, a wrapping text, a link at the right.
fn columns_ui(
    ui: &mut Ui,
    left_width: f32,
    text: LayoutJob,
    to: Option<(Command, &str)>,
    commands: &mut Commands,
    left_ui: impl FnOnce(&mut Ui),
) {
    let whole = ui.available_rect_before_wrap();
    let link = to.map(|(command, text)| (command, Link::new(text)));
    let link_width = link.as_ref().map_or(0.0, |(_, link)| link.width(ui));
    let text_right = if link.is_some() {
        whole.right() - link_width - 16.0
    } else {
        whole.right()
    };
    let between = |from: f32, to: f32| {
        let mut rect = whole;
        rect.min.x = from;
        rect.max.x = to.max(from + 40.0);
        UiBuilder::new().max_rect(rect)
    };
    let text_left = whole.left() + left_width;
    let mut bottom = ui
        .scope_builder(between(whole.left(), text_left - GAP_SMALL), left_ui)
        .response
        .rect
        .bottom();
    let response = ui.scope_builder(between(text_left, text_right), |ui| {
        ui.add(Label::new(text).wrap());
    });
    bottom = bottom.max(response.response.rect.bottom());
    if let Some((command, link)) = link {
        let builder = between(whole.right() - link_width, whole.right());
        let response = ui.scope_builder(builder, |ui| ui.add(link));
        if response.inner.clicked() {
            commands.push(command);
        }
        bottom = bottom.max(response.response.rect.bottom());
    }
    let mut used = whole;
    used.max.y = bottom;
    ui.advance_cursor_after_rect(used);
}

/// The next action, always in sight.
fn footer_ui(ui: &mut Ui, state: &AppState, verdict: &Verdict, commands: &mut Commands) {
    let c = theme::colors(ui);
    let words = state.words;
    let (rect, _) =
        ui.allocate_exact_size(vec2(ui.available_width(), FOOTER), egui::Sense::hover());
    let mut inner = rect;
    inner.min.x += ICON_COLUMN;
    ui.painter()
        .hline(inner.x_range(), rect.top(), Stroke::new(1.0, c.border));
    let builder = UiBuilder::new()
        .max_rect(inner)
        .layout(Layout::right_to_left(Align::Center));
    let in_data = verdict
        .rows
        .iter()
        .any(|row| row.kind == RowKind::GuiltyValue);
    ui.scope_builder(builder, |ui| {
        if in_data {
            let text = words.text("ui-show-in-labels");
            if ui.add(Button::new(&text).filled()).clicked() {
                commands.push(Command::ShowTab(Tab::Labels));
            }
            ui.add_space(GAP_SMALL);
        }
        let has_details =
            verdict.check.is_some() || !verdict.fixes.is_empty() || !verdict.others.is_empty();
        if has_details {
            let text = words.text(match (state.details_open, verdict.severity) {
                (true, _) => "ui-details-hide",
                (false, Severity::Good) => "ui-details-good",
                (false, Severity::Error | Severity::Warning) => "ui-details-show",
            });
            let icon = if state.details_open {
                Icon::ChevronUp
            } else {
                Icon::ChevronDown
            };
            let button = if state.details_open || in_data {
                Button::new(&text)
            } else {
                Button::new(&text).filled()
            };
            if ui.add(button.trailing(icon)).clicked() {
                commands.push(Command::ToggleDetails);
            }
            ui.add_space(GAP_SMALL);
        }
        if verdict.severity != Severity::Good && !state.run_goes_on() {
            let text = words.text("rerun-again");
            if ui.add(Button::new(&text).icon(Icon::Play)).clicked() {
                commands.push(Command::PrepareRun);
            }
        }
        ui.add_space(16.0);
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            let label = words.text("ui-next");
            let label_rect = Rect::from_min_size(
                ui.available_rect_before_wrap().min,
                vec2(LABEL_COLUMN - GAP_SMALL, rect.height()),
            );
            ui.scope_builder(
                UiBuilder::new()
                    .max_rect(label_rect)
                    .layout(Layout::left_to_right(Align::Center)),
                |ui| {
                    super::label_ui(ui, &label, theme::body(), c.weak);
                },
            );
            let mut next_rect = ui.max_rect();
            next_rect.min.x = inner.left() + LABEL_COLUMN;
            ui.scope_builder(
                UiBuilder::new()
                    .max_rect(next_rect)
                    .layout(Layout::left_to_right(Align::Center)),
                |ui| {
                    let job = LayoutJob::single_section(
                        verdict.next.clone(),
                        format(theme::semibold(14.0), c.text),
                    );
                    ui.add(Label::new(job).wrap());
                },
            );
        });
    });
}

/// A line between parts of the card.
fn line_ui(ui: &mut Ui) {
    let c = theme::colors(ui);
    ui.add_space(10.0);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 1.0), egui::Sense::hover());
    ui.painter()
        .hline(rect.x_range(), rect.center().y, Stroke::new(1.0, c.border));
    ui.add_space(10.0);
}

fn severity_icon(severity: Severity) -> Icon {
    match severity {
        Severity::Error => Icon::Octagon,
        Severity::Warning => Icon::Warning,
        Severity::Good => Icon::Tick,
    }
}
