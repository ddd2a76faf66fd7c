//! The bar beside the log: the whole log in one column, marks where something happened, the part that is shown.
//!
//! It is the log's scroll bar too. A closed fold counts as one row, otherwise a flood would paint it from top to bottom.

use eframe::egui;
use egui::{Color32, Id, Rect, Response, Role, Sense, Stroke, Ui, WidgetInfo, vec2};

use crate::app::{LogView, Match};
use crate::crash_log::MarkKind;
use crate::ui::theme::{self, Colors};

/// Width of the bar.
pub const WIDTH: f32 = 14.0;
/// A mark is at least this high.
const MARK_MIN: f32 = 4.0;
/// The part that is shown is at least this high.
const THUMB_MIN: f32 = 28.0;

/// What is shown, in rows; parts of rows count.
pub struct Shown {
    /// First row.
    pub first: f64,
    /// Row after the last.
    pub end: f64,
}

/// Draws the bar. Returns the row that should stand in the middle, where the user asks for one.
pub fn overview_bar_ui(
    ui: &Ui,
    rect: Rect,
    id: Id,
    name: &str,
    view: &LogView,
    shown: &Shown,
    row_y: &dyn Fn(usize) -> Option<f32>,
) -> Option<f64> {
    let c = theme::colors(ui);
    let rows = view.row_count();
    let response = ui.interact(rect, id, Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(Role::ScrollBar, ui.is_enabled(), name));
    let painter = ui.painter_at(rect);
    painter.vline(rect.left(), rect.y_range(), Stroke::new(1.0, c.border));
    if rows == 0 {
        return None;
    }
    let all_fit = shown.first <= 0.0 && shown.end >= rows as f64;
    let scale = Scale {
        rect,
        rows: rows as f64,
    };

    if !all_fit {
        let top = scale.y(shown.first);
        let bottom = scale.y(shown.end).max(top + THUMB_MIN).min(rect.bottom());
        let top = top.min(bottom - THUMB_MIN).max(rect.top());
        let thumb = Rect::from_x_y_ranges(rect.left() + 1.0..=rect.right(), top..=bottom);
        let strength = if response.hovered() || response.dragged() {
            0.4
        } else {
            0.22
        };
        painter.rect_filled(thumb, 0, c.mark.gamma_multiply(strength));
    }
    for mark in view.overview() {
        let (top, bottom) = match (all_fit, row_y(mark.rows.0), row_y(mark.rows.1)) {
            (true, Some(top), Some(bottom)) => (top + 1.0, bottom - 1.0),
            _ => (scale.y(mark.rows.0 as f64), scale.y(mark.rows.1 as f64)),
        };
        paint_mark(&painter, rect, top, bottom, mark, c);
    }

    asked_row(&response, &scale)
}

struct Scale {
    rect: Rect,
    rows: f64,
}

impl Scale {
    fn y(&self, row: f64) -> f32 {
        self.rect.top() + (row / self.rows * f64::from(self.rect.height())) as f32
    }
}

fn asked_row(response: &Response, scale: &Scale) -> Option<f64> {
    if !(response.clicked() || response.dragged()) {
        return None;
    }
    let position = response.interact_pointer_pos()?;
    let part = f64::from((position.y - scale.rect.top()) / scale.rect.height());
    Some(part.clamp(0.0, 1.0) * scale.rows)
}

fn paint_mark(
    painter: &egui::Painter,
    rect: Rect,
    top: f32,
    bottom: f32,
    mark: &Match,
    c: &Colors,
) {
    let color = mark_color(mark.kind, c);
    let height = (bottom - top).max(MARK_MIN);
    let top = top.min(rect.bottom() - height).max(rect.top());
    // Tracebacks are long: they stand as a thin line at the left, so that what lies in them is seen.
    let (left, width) = match mark.kind {
        Some(MarkKind::Traceback | MarkKind::LibraryFrames) => (2.0, 3.0),
        Some(_) => (6.0, 6.0),
        None => (2.0, 10.0),
    };
    let height = if mark.kind.is_none() { 2.0 } else { height };
    let at = egui::pos2(rect.left() + left, top);
    painter.rect_filled(Rect::from_min_size(at, vec2(width, height)), 0, color);
}

fn mark_color(kind: Option<MarkKind>, c: &Colors) -> Color32 {
    match kind {
        Some(MarkKind::Assertion | MarkKind::Error) => c.danger,
        Some(MarkKind::Traceback | MarkKind::LibraryFrames) => c.accent,
        Some(MarkKind::Hint | MarkKind::Guard) => c.mark,
        None => c.warning,
    }
}
