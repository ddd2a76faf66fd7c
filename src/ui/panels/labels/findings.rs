//! The findings: rows of two lines.

use eframe::egui;
use egui::{
    Align2, EventFilter, Id, Key, Margin, Rect, Response, Role, ScrollArea, Sense, Stroke, Ui,
    Vec2, WidgetInfo, pos2, vec2,
};

use super::{card_ui, mark};
use crate::app::labels_view::{FindingRow, Mark};
use crate::app::{AppState, Command};
use crate::ui::Commands;
use crate::ui::icons;
use crate::ui::theme::{self, Colors};
use crate::ui::widgets::{Button, cut_galley, focus_ring, galley, paint_dots};

const HEAD: f32 = 30.0;
const ROW: f32 = 52.0;
const NOTE: f32 = 40.0;
const PADDING: f32 = 12.0;
/// Dots of a certainty, with the gap behind them.
const DOTS: f32 = 36.0;

/// Where columns begin, from the row's left edge.
#[derive(Clone, Copy)]
struct Columns {
    finding: f32,
    /// Right edge of the counts.
    count: f32,
    certainty: f32,
    right: f32,
    /// Severity is an icon alone.
    is_narrow: bool,
}

impl Columns {
    /// The certainty and its answers get what they need, the titles all the rest.
    fn of(ui: &Ui, state: &AppState) -> Self {
        let width = ui.available_width();
        let is_narrow = width < 760.0;
        let text_width = |text: &str| {
            let color = theme::colors(ui).text;
            galley(ui.painter(), text, theme::small(), color).size().x
        };
        let needed = state
            .labels
            .view
            .findings
            .iter()
            .map(|row| {
                let answer = row.answer.as_ref().map_or(0.0, |(text, _)| {
                    Button::new(text).height(28.0).width(ui) + 8.0
                });
                if is_narrow && answer > 0.0 {
                    DOTS + answer
                } else {
                    DOTS + text_width(&row.reading) + answer
                }
            })
            .fold(text_width(&state.words.text("labels-certainty")), f32::max);
        let most = if is_narrow { 236.0 } else { 276.0 };
        let certainty = width - PADDING - (needed.ceil() + 1.0).min(most - PADDING);
        Self {
            finding: if is_narrow { 44.0 } else { 101.0 },
            count: certainty - if is_narrow { 14.0 } else { 24.0 },
            certainty,
            right: width - PADDING,
            is_narrow,
        }
    }
}

/// Draws the table, at most as high as given. Nothing where nothing was found.
pub fn findings_ui(ui: &mut Ui, state: &AppState, most: f32, commands: &mut Commands) {
    let view = &state.labels.view;
    if view.findings.is_empty() && view.left_out.is_none() {
        return;
    }
    card_ui(ui, Margin::same(1), |ui| {
        let columns = Columns::of(ui, state);
        if !view.findings.is_empty() {
            head_ui(ui, state, columns);
        }
        ScrollArea::vertical()
            .id_salt("findings")
            .max_height(most - HEAD)
            .auto_shrink([false, true])
            .show(ui, |ui| {
                for (index, row) in view.findings.iter().enumerate() {
                    row_ui(ui, state, index, row, columns, commands);
                }
                if let Some(left_out) = &view.left_out {
                    left_out_ui(
                        ui,
                        state,
                        &left_out.title,
                        &left_out.detail,
                        &left_out.tooltip,
                    );
                }
            });
    });
}

fn head_ui(ui: &mut Ui, state: &AppState, columns: Columns) {
    let c = theme::colors(ui);
    let words = state.words;
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), HEAD), Sense::hover());
    let painter = ui.painter();
    let put = |x: f32, align: Align2, id: &str| {
        let text = galley(painter, words.text(id), theme::small(), c.weak);
        let at = align.anchor_size(pos2(rect.left() + x, rect.center().y), text.size());
        painter.galley(at.min, text, c.weak);
    };
    if !columns.is_narrow {
        put(PADDING, Align2::LEFT_CENTER, "labels-severity");
    }
    put(columns.finding, Align2::LEFT_CENTER, "labels-finding");
    put(columns.count, Align2::RIGHT_CENTER, "labels-count");
    put(columns.certainty, Align2::LEFT_CENTER, "labels-certainty");
    painter.hline(
        rect.x_range(),
        rect.bottom() - 0.5,
        Stroke::new(1.0, c.border),
    );
}

fn row_id(index: usize) -> Id {
    Id::unique(("labels-finding", index))
}

fn row_ui(
    ui: &mut Ui,
    state: &AppState,
    index: usize,
    row: &FindingRow,
    columns: Columns,
    commands: &mut Commands,
) {
    let c = theme::colors(ui);
    let size = vec2(ui.available_width(), ROW);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let response = ui.interact(rect, row_id(index), Sense::click());
    let said = format!("{}: {}", row.severity_word, row.title);
    response
        .widget_info(|| WidgetInfo::selected(Role::Button, ui.is_enabled(), row.selected, &said));
    if response.clicked() {
        commands.push(Command::SelectFinding(row.finding));
        response.request_focus();
    }
    by_keys(ui, state, index, &response, commands);
    if index > 0 {
        ui.painter()
            .hline(rect.x_range(), rect.top() + 0.5, Stroke::new(1.0, c.border));
    }
    if row.selected {
        ui.painter()
            .rect_filled(rect.shrink2(vec2(0.0, 0.5)), 0, c.accent_tint);
    } else if response.hovered() {
        ui.painter()
            .rect_filled(rect.shrink2(vec2(0.0, 0.5)), 0, c.stripe);
    }
    let answer_width = answer_ui(ui, row, rect, columns, commands);
    let cut = paint_row(ui, c, row, rect, columns, answer_width);
    if cut {
        let whole = format!("{}\n{}", row.title, row.detail);
        response.clone().on_hover_text(whole);
    }
    focus_ring(ui, &response);
}

/// Up and down choose the row before and after.
fn by_keys(ui: &Ui, state: &AppState, index: usize, response: &Response, commands: &mut Commands) {
    if !response.has_focus() {
        return;
    }
    let filter = EventFilter {
        vertical_arrows: true,
        ..EventFilter::default()
    };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    let (up, down) = ui.input(|input| {
        (
            input.key_pressed(Key::ArrowUp),
            input.key_pressed(Key::ArrowDown),
        )
    });
    let next = match (up, down) {
        (true, _) => index.checked_sub(1),
        (_, true) => Some(index + 1),
        _ => None,
    };
    let rows = &state.labels.view.findings;
    if let Some((next, row)) = next.and_then(|next| Some((next, rows.get(next)?))) {
        commands.push(Command::SelectFinding(row.finding));
        ui.memory_mut(|memory| memory.request_focus(row_id(next)));
    }
}

/// The one-click answer; its width.
fn answer_ui(
    ui: &mut Ui,
    row: &FindingRow,
    rect: Rect,
    columns: Columns,
    commands: &mut Commands,
) -> f32 {
    let Some((text, value)) = &row.answer else {
        return 0.0;
    };
    let button = Button::new(text).height(28.0);
    let width = button.width(ui);
    let right = rect.left() + columns.right;
    let place = Rect::from_min_max(
        pos2(right - width, rect.center().y - 14.0),
        pos2(right, rect.center().y + 14.0),
    );
    // Over the row, without moving what comes after it.
    let mut over = ui.new_child(egui::UiBuilder::new().max_rect(place));
    if over.put(place, button).clicked() {
        commands.push(Command::Ignore(*value));
    }
    width
}

/// Whether something had to be cut.
fn paint_row(
    ui: &Ui,
    c: &Colors,
    row: &FindingRow,
    rect: Rect,
    columns: Columns,
    answer_width: f32,
) -> bool {
    let painter = ui.painter();
    let (icon, color) = mark(Mark::from(row.severity), c);
    let at = Rect::from_center_size(
        pos2(rect.left() + PADDING + 8.0, rect.center().y),
        Vec2::splat(16.0),
    );
    icons::paint(painter, icon, at, color);
    let middle = |x: f32, text: &egui::Galley| {
        Align2::LEFT_CENTER
            .anchor_size(pos2(rect.left() + x, rect.center().y), text.size())
            .min
    };
    if !columns.is_narrow {
        let word = galley(painter, row.severity_word.as_str(), theme::small(), color);
        painter.galley(middle(PADDING + 24.0, &word), word, color);
    }
    let count = galley(painter, row.count.as_str(), theme::code(), c.text);
    let count_left = columns.count - count.size().x;
    painter.galley(middle(count_left, &count), count, c.text);

    let room = count_left - 16.0 - columns.finding;
    let title = cut_galley(painter, &row.title, theme::body(), c.text, room);
    let detail = cut_galley(painter, &row.detail, theme::small(), c.weak, room);
    let cut = title.elided || detail.elided;
    let left = rect.left() + columns.finding;
    painter.galley(pos2(left, rect.top() + 7.0), title, c.text);
    painter.galley(pos2(left, rect.top() + 28.0), detail, c.weak);

    let x = rect.left() + columns.certainty;
    paint_dots(painter, pos2(x, rect.center().y), row.certainty, c.text);
    let answer = if answer_width > 0.0 {
        answer_width + 8.0
    } else {
        0.0
    };
    let room = columns.right - answer - columns.certainty - DOTS;
    if columns.is_narrow && answer_width > 0.0 {
        // The answer says what the reading is.
        return cut;
    }
    let reading = cut_galley(painter, &row.reading, theme::small(), c.text, room);
    let cut = cut || reading.elided;
    painter.galley(middle(columns.certainty + DOTS, &reading), reading, c.text);
    cut
}

/// What could not be read; not to be chosen, only to be known.
fn left_out_ui(ui: &mut Ui, state: &AppState, title: &str, detail: &str, tooltip: &str) {
    let c = theme::colors(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), NOTE), Sense::hover());
    let said = format!("{title}: {tooltip}");
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &said));
    let painter = ui.painter();
    if !state.labels.view.findings.is_empty() {
        painter.hline(rect.x_range(), rect.top() + 0.5, Stroke::new(1.0, c.border));
    }
    let at = Rect::from_center_size(
        pos2(rect.left() + PADDING + 8.0, rect.center().y),
        Vec2::splat(16.0),
    );
    icons::paint(painter, icons::Icon::Warning, at, c.warning);
    let title = galley(painter, title, theme::body(), c.text);
    let y = |height: f32| rect.center().y - height / 2.0;
    let left = rect.left() + PADDING + 24.0;
    let next = left + title.size().x + 10.0;
    painter.galley(pos2(left, y(title.size().y)), title, c.text);
    let room = rect.right() - PADDING - next;
    let detail = cut_galley(painter, detail, theme::small(), c.weak, room);
    painter.galley(pos2(next, y(detail.size().y)), detail, c.weak);
    response.on_hover_text(tooltip);
}
