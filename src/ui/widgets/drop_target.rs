//! Where files may be dropped: the dashed outline, and the veil over the window while files hover.

use eframe::egui;
use egui::{Align2, Color32, CornerRadius, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Vec2};

use crate::ui::icons::{self, Icon};
use crate::ui::theme::{self, Colors};
use crate::words::Words;

/// A dashed outline with rounded corners, 6 on and 5 off.
pub fn dashed_outline(painter: &Painter, rect: Rect, color: Color32) {
    let radius = 6.0;
    let mut path: Vec<Pos2> = Vec::with_capacity(32);
    let inner = rect.shrink(radius);
    let corners = [
        (inner.right_top(), -90.0_f32),
        (inner.right_bottom(), 0.0),
        (inner.left_bottom(), 90.0),
        (inner.left_top(), 180.0),
    ];
    for (center, start) in corners {
        for step in 0..=5u8 {
            let angle = (start + f32::from(step) * 18.0).to_radians();
            path.push(center + radius * Vec2::angled(angle));
        }
    }
    path.extend(path.first().copied());
    painter.extend(Shape::dashed_line(&path, Stroke::new(1.0, color), 6.0, 5.0));
}

/// While files hover over the window: says that they may be dropped anywhere.
pub fn drop_overlay_ui(ctx: &egui::Context, c: &Colors, words: Words) {
    let layer = egui::LayerId::new(egui::Order::Foreground, egui::Id::unique("drop-overlay"));
    let painter = ctx.layer_painter(layer);
    let window = ctx.content_rect();
    painter.rect_filled(window, CornerRadius::ZERO, c.background.gamma_multiply(0.9));
    painter.rect(
        window.shrink(12.0),
        theme::RADIUS,
        c.accent_tint.gamma_multiply(0.6),
        Stroke::new(2.0, c.accent),
        StrokeKind::Inside,
    );
    let center = window.center();
    let icon = Rect::from_center_size(center - Vec2::new(0.0, 36.0), Vec2::splat(32.0));
    icons::paint(&painter, Icon::TrayIn, icon, c.accent);
    painter.text(
        center + Vec2::new(0.0, 12.0),
        Align2::CENTER_CENTER,
        words.text("ui-drop-here"),
        theme::semibold(20.0),
        c.text,
    );
}
