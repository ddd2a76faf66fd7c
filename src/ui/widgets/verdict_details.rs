//! What the card holds ready: a check to run, the fixes, and what else it could be.

use eframe::egui;
use egui::text::LayoutJob;
use egui::{Align, Frame, Label, Layout, Margin, ScrollArea, Stroke, Ui, vec2};

use super::text::{format, paragraph_ui};
use super::verdict_card::remark_ui;
use super::{IconButton, certainty_dots_ui};
use crate::app::{AppState, Command};
use crate::ui::Commands;
use crate::ui::icons::Icon;
use crate::ui::theme::{self, GAP, GAP_SMALL, RADIUS};
use crate::words::Verdict;

/// Draws the details.
pub fn verdict_details_ui(
    ui: &mut Ui,
    state: &AppState,
    verdict: &Verdict,
    commands: &mut Commands,
) {
    let c = theme::colors(ui);
    let words = state.words;
    let mut first = true;
    let mut heading = |ui: &mut Ui, id: &str| {
        if !std::mem::take(&mut first) {
            ui.add_space(GAP + 4.0);
        }
        paragraph_ui(ui, &words.text(id), theme::semibold(14.0), c.text);
        ui.add_space(4.0);
    };
    if let Some(check) = &verdict.check {
        heading(ui, "ui-details-check");
        paragraph_ui(ui, &check.caption, theme::body(), c.weak);
        ui.add_space(6.0);
        let name = words.text("ui-copy-check");
        code_ui(ui, state, (&check.code, &name), commands);
    }
    if !verdict.fixes.is_empty() {
        heading(ui, "ui-details-fix");
        for (index, fix) in verdict.fixes.iter().enumerate() {
            item_ui(ui, fix, |ui| {
                let number = format!("{}.", index + 1);
                paragraph_ui(ui, &number, theme::code(), c.weak);
            });
        }
    }
    if let Some(script) = &state.beside.reproduction {
        heading(ui, "ui-details-reproduction");
        let texts = &script.texts;
        for text in [&texts.sentence, &texts.expect]
            .into_iter()
            .chain(&texts.notes)
        {
            paragraph_ui(ui, text, theme::body(), c.weak);
        }
        ui.add_space(6.0);
        let name = words.text("ui-copy-reproduction");
        code_ui(ui, state, (&script.code, &name), commands);
    }
    let remarks = verdict.remarks.get(1..).unwrap_or_default();
    if !remarks.is_empty() {
        heading(ui, "ui-details-remarks");
        for remark in remarks {
            remark_ui(ui, remark, commands);
            ui.add_space(4.0);
        }
    }
    if !verdict.others.is_empty() {
        heading(ui, "ui-details-others");
        for other in &verdict.others {
            item_ui(ui, &other.text, |ui| {
                if let Some(certainty) = other.certainty {
                    certainty_dots_ui(ui, certainty);
                } else {
                    let (rect, _) = ui.allocate_exact_size(vec2(26.0, 20.0), egui::Sense::hover());
                    ui.painter().circle_filled(rect.center(), 2.0, c.weak);
                }
            });
        }
    }
}

/// Something narrow at the left, a wrapping text.
fn item_ui(ui: &mut Ui, text: &str, left_ui: impl FnOnce(&mut Ui)) {
    let c = theme::colors(ui);
    let whole = ui.available_rect_before_wrap();
    let mut left = whole;
    left.max.x = left.min.x + 32.0;
    let mut right = whole;
    right.min.x += 36.0;
    ui.scope_builder(egui::UiBuilder::new().max_rect(left), left_ui);
    let response = ui
        .scope_builder(egui::UiBuilder::new().max_rect(right), |ui| {
            paragraph_ui(ui, text, theme::body(), c.text);
        })
        .response;
    let mut used = whole;
    used.max.y = response.rect.bottom() + 4.0;
    ui.advance_cursor_after_rect(used);
}

/// Code with its copy button.
fn code_ui(ui: &mut Ui, state: &AppState, (code, name): (&str, &str), commands: &mut Commands) {
    let c = theme::colors(ui);
    let frame = Frame::new()
        .fill(c.code_background)
        .stroke(Stroke::new(1.0, c.border))
        .corner_radius(RADIUS)
        .inner_margin(Margin::symmetric(12, 8));
    let rect = frame
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            ScrollArea::horizontal()
                .id_salt(("code", name))
                .auto_shrink([false, true])
                .show(ui, |ui| {
                    let job = LayoutJob::single_section(
                        code.trim_end().to_owned(),
                        format(theme::code(), c.text),
                    );
                    ui.add(Label::new(job).extend());
                });
        })
        .response
        .rect;
    // On top of the code, at its right upper corner.
    let mut corner = rect.shrink(4.0);
    corner.max.y = corner.min.y + 28.0;
    let builder = egui::UiBuilder::new()
        .max_rect(corner)
        .layout(Layout::right_to_left(Align::Center));
    let mut over = ui.new_child(builder);
    if over
        .add(IconButton::new(Icon::Copy, name).text(&state.words.text("ui-copy")))
        .clicked()
    {
        over.copy_text(code.to_owned());
        commands.push(Command::Copied);
    }
    ui.add_space(GAP_SMALL / 2.0);
}
