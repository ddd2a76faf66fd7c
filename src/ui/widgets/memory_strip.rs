//! Memory over the time of a run, with the moment at which the first run died.

use eframe::egui;
use egui::{Color32, Rect, Role, Sense, Shape, Stroke, Ui, WidgetInfo, vec2};

use super::text::galley;
use crate::app::run_view::{Strip, clock};
use crate::ui::theme;

/// Times under the strip.
const TICKS: u64 = 5;

/// Draws the strip as wide as there is room; the times stand in the last 16 of its height.
pub fn memory_strip_ui(ui: &mut Ui, strip: &Strip, height: f32) {
    let c = theme::colors(ui);
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &strip.name));
    let painter = ui.painter_at(rect);
    let mut plot = rect;
    plot.min.y += 6.0;
    plot.max.y -= 18.0;
    let x = |ms: u64| plot.left() + plot.width() * (ms as f32 / strip.end_ms.max(1) as f32);
    let y = |bytes: u64| plot.bottom() - plot.height() * (bytes as f32 / strip.top.max(1) as f32);
    let weak = Stroke::new(1.0, c.border);
    painter.hline(plot.x_range(), plot.bottom(), weak);
    let dashed = |from: egui::Pos2, to: egui::Pos2, color: Color32| {
        Shape::dashed_line(&[from, to], Stroke::new(1.0, color), 4.0, 3.0)
    };
    if !strip.top_text.is_empty() {
        painter.extend(dashed(plot.left_top(), plot.right_top(), c.weak));
    }
    // Filled to the line, column by column: the area under a line is no convex shape.
    let fill = c.accent.gamma_multiply(0.16);
    let mut points: Vec<egui::Pos2> = Vec::with_capacity(strip.points.len());
    for point in &strip.points {
        points.push(egui::pos2(x(point.ms), y(point.bytes)));
    }
    for pair in points.windows(2) {
        if let [from, to] = pair {
            let corners = vec![
                egui::pos2(from.x, plot.bottom()),
                *from,
                *to,
                egui::pos2(to.x, plot.bottom()),
            ];
            painter.add(Shape::convex_polygon(corners, fill, Stroke::NONE));
        }
    }
    let end = points.last().copied();
    painter.add(Shape::line(points, Stroke::new(1.5, c.accent)));
    if let Some(end) = end {
        painter.circle_filled(end, 3.5, c.accent);
    }
    if let Some(died) = strip.died_at {
        let at = x(died);
        painter.extend(dashed(
            egui::pos2(at, plot.top()),
            egui::pos2(at, plot.bottom()),
            c.danger,
        ));
        let said = galley(&painter, strip.died_text.as_str(), theme::small(), c.danger);
        // On the side that has room.
        let left = if at + said.size().x + 6.0 < plot.right() - 100.0 {
            at + 6.0
        } else {
            at - said.size().x - 6.0
        };
        painter.galley(egui::pos2(left, plot.top() + 2.0), said, c.danger);
    }
    if !strip.top_text.is_empty() {
        let said = galley(&painter, strip.top_text.as_str(), theme::small(), c.weak);
        let at = egui::pos2(plot.right() - said.size().x, plot.top() + 2.0);
        painter.galley(at, said, c.weak);
    }
    for tick in 0..=TICKS {
        let ms = strip.end_ms * tick / TICKS;
        let said = galley(&painter, clock(ms), theme::small(), c.weak);
        let middle = x(ms) - said.size().x / 2.0;
        let left = middle.clamp(rect.left(), rect.right() - said.size().x);
        let place = Rect::from_min_size(egui::pos2(left, plot.bottom() + 2.0), said.size());
        painter.galley(place.min, said, c.weak);
    }
}
