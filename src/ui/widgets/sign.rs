//! A sign with its icon, which stay together where a row of signs wraps.

use eframe::egui;
use egui::{Color32, Rect, Role, Sense, Ui, Vec2, WidgetInfo, vec2};

use super::text::galley;
use crate::ui::icons::{self, Icon};
use crate::ui::theme;

/// Draws an icon with its text, 20 high.
pub fn sign_ui(ui: &mut Ui, icon: Icon, color: Color32, text: &str) {
    let c = theme::colors(ui);
    let said = galley(ui.painter(), text, theme::small(), c.text);
    let size = vec2(22.0 + said.size().x, 20.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
    let at = Rect::from_center_size(rect.left_center() + vec2(8.0, 0.0), Vec2::splat(16.0));
    icons::paint(ui.painter(), icon, at, color);
    let place = egui::pos2(rect.left() + 22.0, rect.center().y - said.size().y / 2.0);
    ui.painter().galley(place, said, c.text);
}
