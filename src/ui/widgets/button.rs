//! Buttons, chips, icon buttons and links, painted by hand so that all have the sizes and colours of the design.

use eframe::egui;
use egui::{
    Align2, Color32, Response, Role, Sense, Stroke, StrokeKind, Ui, Vec2, Widget, WidgetInfo, vec2,
};

use super::text::{cut_galley, galley};
use crate::ui::icons::{self, Icon};
use crate::ui::theme::{self, RADIUS};

/// How a button looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    /// The window's main action.
    Filled,
    /// Any other.
    Neutral,
    /// Text alone.
    Quiet,
    /// Ends something that cannot be taken up again.
    Danger,
}

/// A button with text.
#[must_use = "add it to a ui"]
pub struct Button<'a> {
    text: &'a str,
    icon: Option<Icon>,
    trailing: Option<Icon>,
    shortcut: &'a str,
    look: Look,
    height: f32,
}

impl<'a> Button<'a> {
    /// A neutral button, 32 high.
    pub fn new(text: &'a str) -> Self {
        Self {
            text,
            icon: None,
            trailing: None,
            shortcut: "",
            look: Look::Neutral,
            height: 32.0,
        }
    }

    /// The window's main action. At most one on screen.
    pub fn filled(mut self) -> Self {
        self.look = Look::Filled;
        self
    }

    /// Text alone.
    pub fn quiet(mut self) -> Self {
        self.look = Look::Quiet;
        self
    }

    /// Ends something that cannot be taken up again.
    pub fn danger(mut self) -> Self {
        self.look = Look::Danger;
        self
    }

    /// With an icon before the text.
    pub fn icon(mut self, icon: Icon) -> Self {
        self.icon = Some(icon);
        self
    }

    /// With an icon after the text.
    pub fn trailing(mut self, icon: Icon) -> Self {
        self.trailing = Some(icon);
        self
    }

    /// With its keyboard shortcut.
    pub fn shortcut(mut self, shortcut: &'a str) -> Self {
        self.shortcut = shortcut;
        self
    }

    /// With another height.
    pub fn height(mut self, height: f32) -> Self {
        self.height = height;
        self
    }
}

impl Button<'_> {
    /// How wide it is.
    pub fn width(&self, ui: &Ui) -> f32 {
        let painter = ui.painter();
        let text = galley(painter, self.text, self.font(), Color32::PLACEHOLDER);
        let shortcut = if self.shortcut.is_empty() {
            0.0
        } else {
            let shortcut = galley(painter, self.shortcut, theme::small(), Color32::PLACEHOLDER);
            shortcut.size().x + 8.0
        };
        let icons = [self.icon, self.trailing].iter().flatten().count() as f32 * 24.0;
        (2.0 * self.padding() + text.size().x + shortcut + icons).round()
    }

    fn padding(&self) -> f32 {
        if self.height >= 40.0 { 16.0 } else { 12.0 }
    }

    fn font(&self) -> egui::FontId {
        match self.look {
            Look::Filled => theme::semibold(14.0),
            Look::Neutral | Look::Quiet | Look::Danger => theme::body(),
        }
    }
}

impl Widget for Button<'_> {
    fn ui(self, ui: &mut Ui) -> Response {
        let c = theme::colors(ui);
        let (font, width, padding) = (self.font(), self.width(ui), self.padding());
        let text_color = match self.look {
            Look::Filled => c.on_accent,
            Look::Neutral => c.text,
            Look::Quiet => c.weak,
            Look::Danger => c.danger,
        };
        let shortcut_color = match self.look {
            Look::Filled => c.on_accent,
            Look::Neutral | Look::Quiet | Look::Danger => c.weak,
        };
        let painter = ui.painter();
        let text = galley(painter, self.text.to_owned(), font, text_color);
        let shortcut = (!self.shortcut.is_empty()).then(|| {
            galley(
                painter,
                self.shortcut.to_owned(),
                theme::small(),
                shortcut_color,
            )
        });

        let (rect, response) = ui.allocate_exact_size(vec2(width, self.height), Sense::click());
        response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), self.text));

        if ui.is_rect_visible(rect) {
            let painter = ui.painter();
            let active = response.hovered() || response.is_pointer_button_down_on();
            let (fill, outline) = match (self.look, active) {
                (Look::Filled, false) => (c.accent, c.accent),
                (Look::Filled, true) => (c.accent_hovered, c.accent_hovered),
                (Look::Neutral, false) => (c.button, c.button_border),
                (Look::Neutral, true) => (c.button_hovered, c.button_border),
                (Look::Quiet, false) => (Color32::TRANSPARENT, Color32::TRANSPARENT),
                (Look::Quiet, true) => (c.button, Color32::TRANSPARENT),
                (Look::Danger, false) => (Color32::TRANSPARENT, c.danger),
                (Look::Danger, true) => (c.danger_tint, c.danger),
            };
            painter.rect(
                rect,
                RADIUS,
                fill,
                Stroke::new(1.0, outline),
                StrokeKind::Inside,
            );
            let mut x = rect.left() + padding;
            let middle = rect.center().y;
            let icon_at = |x: f32, icon| {
                let rect =
                    Align2::LEFT_CENTER.anchor_size(egui::pos2(x, middle), Vec2::splat(16.0));
                icons::paint(painter, icon, rect, text_color);
            };
            if let Some(icon) = self.icon {
                icon_at(x, icon);
                x += 24.0;
            }
            let after_text = x + text.size().x + 8.0;
            painter.galley(
                egui::pos2(x, middle - text.size().y / 2.0),
                text,
                text_color,
            );
            x = after_text;
            if let Some(shortcut) = shortcut {
                let next = x + shortcut.size().x + 8.0;
                painter.galley(
                    egui::pos2(x, middle - shortcut.size().y / 2.0),
                    shortcut,
                    shortcut_color,
                );
                x = next;
            }
            if let Some(icon) = self.trailing {
                icon_at(x, icon);
            }
            focus_ring(ui, &response);
        }
        response
    }
}

/// A button that is an icon alone; its name is its tooltip.
#[must_use = "add it to a ui"]
pub struct IconButton<'a> {
    icon: Icon,
    name: &'a str,
    text: &'a str,
    size: f32,
}

impl<'a> IconButton<'a> {
    /// An icon with a name for screen readers and tooltip, 28 high.
    pub fn new(icon: Icon, name: &'a str) -> Self {
        Self {
            icon,
            name,
            text: "",
            size: 28.0,
        }
    }

    /// With a short text beside the icon.
    pub fn text(mut self, text: &'a str) -> Self {
        self.text = text;
        self
    }

    /// With another height.
    pub fn size(mut self, size: f32) -> Self {
        self.size = size;
        self
    }
}

impl IconButton<'_> {
    /// How wide it is.
    pub fn width(&self, ui: &Ui) -> f32 {
        if self.text.is_empty() {
            return self.size;
        }
        let text = galley(
            ui.painter(),
            self.text,
            theme::small(),
            Color32::PLACEHOLDER,
        );
        (self.size + text.size().x + 8.0).round()
    }
}

impl Widget for IconButton<'_> {
    fn ui(self, ui: &mut Ui) -> Response {
        let c = theme::colors(ui);
        let width = self.width(ui);
        let text = (!self.text.is_empty())
            .then(|| galley(ui.painter(), self.text.to_owned(), theme::small(), c.weak));
        let (rect, response) = ui.allocate_exact_size(vec2(width, self.size), Sense::click());
        response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), self.name));
        if ui.is_rect_visible(rect) {
            let hovered = response.hovered() || response.has_focus();
            let color = if hovered { c.text } else { c.weak };
            if response.hovered() {
                ui.painter().rect_filled(rect, RADIUS, c.button);
            }
            let icon_rect = egui::Rect::from_center_size(
                egui::pos2(rect.left() + self.size / 2.0, rect.center().y),
                Vec2::splat(16.0_f32.min(self.size - 4.0)),
            );
            icons::paint(ui.painter(), self.icon, icon_rect, color);
            if let Some(text) = text {
                let at = egui::pos2(
                    rect.left() + self.size,
                    rect.center().y - text.size().y / 2.0,
                );
                ui.painter()
                    .galley_with_override_text_color(at, text, color);
            }
            focus_ring(ui, &response);
        }
        response.on_hover_text(self.name)
    }
}

/// A chip that chooses what is shown, 24 high: icon, name, count.
#[must_use = "add it to a ui"]
pub struct Chip<'a> {
    text: &'a str,
    count: &'a str,
    icon: Option<(Icon, Color32)>,
    selected: bool,
}

impl<'a> Chip<'a> {
    /// A chip.
    pub fn new(text: &'a str, count: &'a str, selected: bool) -> Self {
        Self {
            text,
            count,
            icon: None,
            selected,
        }
    }

    /// With an icon in a colour.
    pub fn icon(mut self, icon: Icon, color: Color32) -> Self {
        self.icon = Some((icon, color));
        self
    }
}

impl Widget for Chip<'_> {
    fn ui(self, ui: &mut Ui) -> Response {
        let c = theme::colors(ui);
        let (text_color, count_color) = if self.selected {
            (c.text, c.weak)
        } else {
            (c.weak, c.weak)
        };
        let painter = ui.painter();
        let text = galley(painter, self.text.to_owned(), theme::small(), text_color);
        let count = galley(painter, self.count.to_owned(), theme::small(), count_color);
        let icon_width = self.icon.map_or(0.0, |_| 18.0);
        let width = 16.0 + icon_width + text.size().x + 6.0 + count.size().x;
        let (rect, response) = ui.allocate_exact_size(vec2(width, 24.0).round(), Sense::click());
        response.widget_info(|| {
            WidgetInfo::selected(Role::Button, ui.is_enabled(), self.selected, self.text)
        });
        if ui.is_rect_visible(rect) {
            let painter = ui.painter();
            let (fill, outline) = if self.selected {
                (c.accent_tint, c.accent)
            } else if response.hovered() {
                (c.button, c.button_border)
            } else {
                (c.panel, c.button_border)
            };
            painter.rect(
                rect,
                RADIUS,
                fill,
                Stroke::new(1.0, outline),
                StrokeKind::Inside,
            );
            let mut x = rect.left() + 8.0;
            if let Some((icon, color)) = self.icon {
                let icon_rect = egui::Rect::from_center_size(
                    egui::pos2(x + 6.0, rect.center().y),
                    Vec2::splat(12.0),
                );
                icons::paint(painter, icon, icon_rect, color);
                x += icon_width;
            }
            let y = rect.center().y - text.size().y / 2.0;
            let next = x + text.size().x + 6.0;
            painter.galley(egui::pos2(x, y), text, text_color);
            painter.galley(egui::pos2(next, y), count, count_color);
            focus_ring(ui, &response);
        }
        response
    }
}

/// A link to a line of the log, in small accent text.
#[must_use = "add it to a ui"]
pub struct Link<'a> {
    text: &'a str,
    cut: bool,
}

impl<'a> Link<'a> {
    /// A link.
    pub fn new(text: &'a str) -> Self {
        Self { text, cut: false }
    }

    /// Cut with … where it does not fit; then the tooltip has it whole.
    pub fn cut(mut self) -> Self {
        self.cut = true;
        self
    }

    /// How wide it is.
    pub fn width(&self, ui: &Ui) -> f32 {
        let galley = galley(
            ui.painter(),
            self.text.to_owned(),
            theme::small(),
            Color32::PLACEHOLDER,
        );
        galley.size().x.ceil()
    }
}

impl Widget for Link<'_> {
    fn ui(self, ui: &mut Ui) -> Response {
        let c = theme::colors(ui);
        let room = if self.cut {
            ui.available_width()
        } else {
            f32::INFINITY
        };
        let font = theme::small();
        let galley = cut_galley(ui.painter(), self.text, font, c.accent_strong, room);
        let is_cut = galley.elided;
        let (rect, mut response) =
            ui.allocate_exact_size(vec2(galley.size().x.ceil(), 20.0), Sense::click());
        response.widget_info(|| WidgetInfo::labeled(Role::Link, ui.is_enabled(), self.text));
        if ui.is_rect_visible(rect) {
            let y = rect.center().y - galley.size().y / 2.0;
            let bottom = y + galley.size().y - 1.0;
            ui.painter()
                .galley(egui::pos2(rect.left(), y), galley, c.accent_strong);
            if response.hovered() || response.has_focus() {
                ui.painter()
                    .hline(rect.x_range(), bottom, Stroke::new(1.0, c.accent_strong));
            }
            focus_ring(ui, &response);
        }
        if is_cut {
            response = response.on_hover_text(self.text);
        }
        response.on_hover_cursor(egui::CursorIcon::PointingHand)
    }
}

/// Shows where the keyboard is.
pub fn focus_ring(ui: &Ui, response: &Response) {
    if response.has_focus() {
        let c = theme::colors(ui);
        ui.painter().rect_stroke(
            response.rect.expand(2.0),
            RADIUS,
            Stroke::new(1.5, c.accent),
            StrokeKind::Inside,
        );
    }
}
