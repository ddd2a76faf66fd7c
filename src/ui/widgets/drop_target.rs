//! Where files may be dropped: the dashed outline, and the veil over the window while files hover.

use eframe::egui;
use egui::{
    Align, Align2, Color32, CornerRadius, Layout, Painter, Pos2, Rect, Shape, Stroke, StrokeKind,
    Ui, UiBuilder, Vec2,
};

use super::text::label_ui;
use crate::ui::icons::{self, Icon};
use crate::ui::theme::{self, Colors};
use crate::words::Words;

/// A dashed outline with rounded corners, 6 on and 5 off.
fn dashed_outline(painter: &Painter, rect: Rect, color: Color32) {
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

/// What is drawn of a target.
pub struct DropTarget<'a> {
    /// Where.
    pub rect: Rect,
    /// What to drop.
    pub title: &'a str,
    /// What for.
    pub text: &'a str,
    /// Height of the buttons below.
    pub buttons: f32,
    /// Height of what stands at its foot.
    pub foot: f32,
}

impl DropTarget<'_> {
    /// Draws outline, icon and texts in the middle; where the buttons begin.
    pub fn ui(&self, ui: &mut Ui) -> f32 {
        let c = theme::colors(ui);
        let rect = self.rect;
        if ui.input(|input| !input.raw.hovered_files.is_empty()) {
            ui.painter().rect(
                rect,
                theme::RADIUS,
                c.accent_tint,
                Stroke::new(1.5, c.accent),
                StrokeKind::Inside,
            );
        } else {
            ui.painter().rect_filled(rect, theme::RADIUS, c.panel);
            dashed_outline(ui.painter(), rect.shrink(0.5), c.drop_outline);
        }
        // Icon, title, text, and the gaps between them and the buttons.
        let content = 32.0 + 12.0 + 28.0 + 4.0 + 20.0 + 24.0 + self.buttons;
        let mut y = rect.top() + ((rect.height() - self.foot - content) / 2.0).max(12.0);
        let icon = Rect::from_center_size(Pos2::new(rect.center().x, y + 16.0), Vec2::splat(32.0));
        icons::paint(ui.painter(), Icon::TrayIn, icon, c.accent);
        y = centred_ui(ui, rect, y + 44.0, |ui| {
            label_ui(ui, self.title, theme::semibold(20.0), c.text);
        });
        y = centred_ui(ui, rect, y + 4.0, |ui| {
            label_ui(ui, self.text, theme::body(), c.weak);
        });
        y + 24.0
    }
}

/// Draws something in the middle of a row; returns where the row ends.
pub fn centred_ui(ui: &mut Ui, rect: Rect, top: f32, content: impl FnOnce(&mut Ui)) -> f32 {
    let row = Rect::from_min_max(
        Pos2::new(rect.left() + theme::MARGIN, top),
        Pos2::new(rect.right() - theme::MARGIN, rect.bottom()),
    );
    let builder = UiBuilder::new()
        .max_rect(row)
        .layout(Layout::top_down(Align::Center));
    let mut child = ui.new_child(builder);
    content(&mut child);
    child.min_rect().bottom()
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
