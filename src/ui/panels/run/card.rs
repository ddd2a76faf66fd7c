//! The card: is it past the point where the first run died, what was set, how far it is.

use eframe::egui;
use egui::{
    Align, Color32, CornerRadius, Frame, Layout, Margin, Rect, Role, Sense, Stroke, Ui, UiBuilder,
    Vec2, WidgetInfo, vec2,
};

use crate::app::run_view::{RunMark, Setting, Tile};
use crate::app::{AppState, Command, LogStatus, Run};
use crate::ui::Commands;
use crate::ui::icons::{self, Icon};
use crate::ui::theme::{self, Colors, GAP, GAP_SMALL, RADIUS, RADIUS_SMALL};
use crate::ui::widgets::{
    Button, Callout, callout_ui, cut_galley, galley, label_ui, memory_strip_ui, paragraph_ui,
    short_paragraph_ui, sign_ui,
};

/// From the icon's left edge to the text.
const ICON_COLUMN: f32 = 36.0;
/// The bar at the left edge.
const BAR: f32 = 4.0;

pub(super) fn card_ui(ui: &mut Ui, state: &AppState, run: &Run, commands: &mut Commands) {
    let c = theme::colors(ui);
    let card = &run.card;
    let (icon, color) = mark(card.mark, c);
    let response = Frame::new()
        .fill(c.card)
        .stroke(Stroke::new(1.0, c.border))
        .corner_radius(RADIUS)
        .inner_margin(Margin {
            left: 20,
            right: 16,
            top: 14,
            bottom: 14,
        })
        .show(ui, |ui| {
            ui.spacing_mut().item_spacing = Vec2::ZERO;
            ui.set_width(ui.available_width());
            title_ui(ui, state, run, (icon, color), commands);
            let mut column = ui.available_rect_before_wrap();
            column.min.x += ICON_COLUMN;
            ui.scope_builder(UiBuilder::new().max_rect(column), |ui| {
                // First, so that its answers are in sight on a small window, too.
                if card.asks {
                    ui.add_space(GAP_SMALL);
                    ask_ui(ui, state, commands);
                    ui.add_space(GAP_SMALL);
                }
                ui.add_space(6.0);
                paragraph_ui(ui, &card.command, theme::code(), c.text);
                ui.add_space(2.0);
                let place = state.words.text("rerun-in-folder");
                label_ui(
                    ui,
                    &format!("{place} {}", card.directory),
                    theme::small(),
                    c.weak,
                );
                ui.add_space(6.0);
                settings_ui(ui, state, &card.settings);
                if let Some(problem) = &card.problem {
                    ui.add_space(GAP);
                    let callout = Callout {
                        icon: Icon::Warning,
                        color: c.warning,
                        heading: &problem.heading,
                        text: &problem.text,
                        path: problem.path.as_deref(),
                    };
                    callout_ui(ui, &callout, |_| {});
                }
                if !card.tiles.is_empty() {
                    ui.add_space(GAP);
                    tiles_ui(ui, &card.tiles);
                }
                if !card.signs.is_empty() {
                    ui.add_space(GAP);
                    signs_ui(ui, &card.signs);
                }
            });
            if let Some(strip) = &card.strip {
                ui.add_space(GAP);
                memory_strip_ui(ui, strip, 92.0);
            }
        })
        .response;
    let bar = Rect::from_min_size(response.rect.min, vec2(BAR, response.rect.height()));
    let corners = CornerRadius {
        nw: RADIUS.nw,
        sw: RADIUS.sw,
        ne: 0,
        se: 0,
    };
    ui.painter().rect_filled(bar, corners, color);
}

fn mark(mark: RunMark, c: &Colors) -> (Icon, Color32) {
    match mark {
        RunMark::Running => (Icon::Play, c.accent),
        RunMark::Good => (Icon::Play, c.ok),
        RunMark::Bad => (Icon::Octagon, c.danger),
        RunMark::Warning => (Icon::Warning, c.warning),
    }
}

fn title_ui(
    ui: &mut Ui,
    state: &AppState,
    run: &Run,
    (icon, color): (Icon, Color32),
    commands: &mut Commands,
) {
    let c = theme::colors(ui);
    let words = state.words;
    let card = &run.card;
    let (stop, log) = (words.text("rerun-stop"), words.text("rerun-show-log"));
    let has_log = matches!(state.log, LogStatus::Ready { .. });
    let is_wide = {
        let mut taken = ICON_COLUMN + GAP + state_pill_size(ui, &card.state).x;
        if card.can_stop {
            taken += Button::new(&stop).icon(Icon::Stop).danger().width(ui) + GAP;
        }
        if has_log {
            taken += Button::new(&log).quiet().width(ui) + GAP_SMALL;
        }
        let title = galley(
            ui.painter(),
            card.title.as_str(),
            theme::semibold(20.0),
            c.text,
        );
        title.size().x + taken <= ui.available_width()
    };
    // The end of the title says where the first run died: where it does not fit, it takes two lines.
    let height = if is_wide { 32.0 } else { 48.0 };
    let row = vec2(ui.available_width(), height);
    ui.allocate_ui_with_layout(row, Layout::right_to_left(Align::Center), |ui| {
        ui.set_min_height(height);
        if card.can_stop {
            let button = Button::new(&stop).icon(Icon::Stop).danger();
            if ui.add(button).clicked() {
                commands.push(Command::AskToStop(true));
            }
            ui.add_space(GAP);
        }
        if card.can_put_away {
            let away = words.text("rerun-put-away");
            if ui.add(Button::new(&away)).clicked() {
                commands.push(Command::PutRunAway);
            }
            ui.add_space(GAP);
        }
        if has_log {
            if ui.add(Button::new(&log).quiet()).clicked() {
                commands.push(Command::ShowRun(false));
            }
            ui.add_space(GAP_SMALL);
        }
        state_pill_ui(ui, &card.state, color);
        ui.add_space(GAP);
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            let (rect, _) = ui.allocate_exact_size(Vec2::splat(24.0), Sense::hover());
            icons::paint(ui.painter(), icon, rect, color);
            ui.add_space(ICON_COLUMN - 24.0);
            if is_wide {
                label_ui(ui, &card.title, theme::semibold(20.0), c.text);
            } else {
                short_paragraph_ui(ui, &card.title, theme::semibold(16.0), c.text, 2);
            }
        });
    });
}

/// "• Running".
fn state_pill_ui(ui: &mut Ui, text: &str, color: Color32) {
    let c = theme::colors(ui);
    let size = state_pill_size(ui, text);
    let said = galley(ui.painter(), text, theme::small(), c.text);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
    ui.painter().rect_filled(rect, RADIUS_SMALL, c.button);
    let dot = rect.left_center() + vec2(11.0, 0.0);
    ui.painter().circle_filled(dot, 3.0, color);
    let at = egui::pos2(rect.left() + 20.0, rect.center().y - said.size().y / 2.0);
    ui.painter().galley(at, said, c.text);
}

fn state_pill_size(ui: &Ui, text: &str) -> Vec2 {
    let said = galley(ui.painter(), text, theme::small(), Color32::PLACEHOLDER);
    vec2(said.size().x + 28.0, 20.0)
}

/// What was set, and that nothing else was changed.
fn settings_ui(ui: &mut Ui, state: &AppState, settings: &[Setting]) {
    let c = theme::colors(ui);
    let words = state.words;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(GAP_SMALL, 4.0);
        label_ui(ui, &words.text("rerun-set"), theme::small(), c.weak);
        for setting in settings {
            let font = if setting.is_code {
                egui::FontId::new(12.0, theme::code().family)
            } else {
                theme::small()
            };
            let text = galley(ui.painter(), setting.text.as_str(), font, c.text);
            let size = vec2(text.size().x + 12.0, 20.0);
            let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
            let whole = setting.whole.as_deref().unwrap_or(&setting.text);
            response.widget_info(|| WidgetInfo::labeled(Role::Label, true, whole));
            ui.painter().rect_filled(rect, RADIUS_SMALL, c.button);
            let at = egui::pos2(rect.left() + 6.0, rect.center().y - text.size().y / 2.0);
            ui.painter().galley(at, text, c.text);
            if setting.whole.is_some() {
                response.on_hover_text(whole);
            }
        }
        let rest = words.text("rerun-set-nothing-else");
        label_ui(ui, &rest, theme::small(), c.weak);
    });
}

/// Asks once whether the run is to be stopped.
fn ask_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let c = theme::colors(ui);
    let words = state.words;
    let (heading, text) = (
        words.text("rerun-ask-stop"),
        words.text("rerun-ask-stop-text"),
    );
    let callout = Callout {
        icon: Icon::Warning,
        color: c.warning,
        heading: &heading,
        text: &text,
        path: None,
    };
    callout_ui(ui, &callout, |ui| {
        ui.add_space(GAP_SMALL);
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = GAP_SMALL;
            let stop = words.text("rerun-stop-now");
            let button = Button::new(&stop).icon(Icon::Stop).danger();
            if ui.add(button).clicked() {
                commands.push(Command::StopRun);
            }
            let keep = words.text("rerun-keep-running");
            if ui.add(Button::new(&keep)).clicked() {
                commands.push(Command::AskToStop(false));
            }
        });
    });
}

/// Figures of equal width; on a narrow window two in a row.
fn tiles_ui(ui: &mut Ui, tiles: &[Tile]) {
    let c = theme::colors(ui);
    let whole = ui.available_width();
    let in_row = if whole >= 620.0 { tiles.len() } else { 2 };
    let width = (whole / in_row as f32).floor();
    for row in tiles.chunks(in_row) {
        let (rect, _) = ui.allocate_exact_size(vec2(whole, 60.0), Sense::hover());
        for (index, tile) in row.iter().enumerate() {
            let left = rect.left() + index as f32 * width;
            let mut place = Rect::from_min_size(egui::pos2(left, rect.top()), vec2(width, 60.0));
            if index > 0 {
                let line = Stroke::new(1.0, c.border);
                ui.painter()
                    .vline(left, place.top() + 2.0..=place.bottom() - 6.0, line);
                place.min.x += 16.0;
            }
            place.max.x -= 8.0;
            tile_ui(ui, tile, place);
        }
    }
}

fn tile_ui(ui: &Ui, tile: &Tile, rect: Rect) {
    let c = theme::colors(ui);
    let id = ui.scope_id().with(("tile", &tile.label));
    let response = ui.interact(rect, id, Sense::hover());
    let said = format!("{}: {} {}", tile.label, tile.value, tile.detail);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, said.trim()));
    let color = match tile.good {
        Some(true) => c.ok,
        Some(false) => c.danger,
        None => c.text,
    };
    let width = rect.width();
    let mut y = rect.top();
    let mut cut = false;
    for (text, font, color, height) in [
        (&tile.label, theme::small(), c.weak, 18.0),
        (&tile.value, theme::semibold(16.0), color, 22.0),
        (&tile.detail, theme::small(), c.weak, 18.0),
    ] {
        let line = cut_galley(ui.painter(), text, font, color, width);
        cut |= line.elided;
        let at = egui::pos2(rect.left(), y + (height - line.size().y) / 2.0);
        ui.painter().galley(at, line, color);
        y += height;
    }
    if cut {
        response.on_hover_text(said);
    }
}

/// Signs that the first failure is gone, each seen or not yet.
fn signs_ui(ui: &mut Ui, signs: &[(String, Option<bool>)]) {
    let c = theme::colors(ui);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(16.0, 4.0);
        for (text, seen) in signs {
            let (icon, color) = match seen {
                Some(true) => (Icon::Tick, c.ok),
                Some(false) => (Icon::Clock, c.weak),
                None => (Icon::Info, c.weak),
            };
            sign_ui(ui, icon, color, text);
        }
    });
}
