//! The pattern of all small states: icon, the fact, the reason, the path last.

use eframe::egui;
use egui::{Color32, Label, Rect, Ui, Vec2};

use super::text::{format, paragraph_ui};
use crate::ui::icons::{self, Icon};
use crate::ui::theme;

/// What a callout says.
pub struct Callout<'a> {
    /// Its shape.
    pub icon: Icon,
    /// Its icon's colour.
    pub color: Color32,
    /// The fact.
    pub heading: &'a str,
    /// Reason, and what to do.
    pub text: &'a str,
    /// The path, last.
    pub path: Option<&'a str>,
}

/// Draws a callout; `more` comes below its text.
pub fn callout_ui(ui: &mut Ui, callout: &Callout<'_>, more: impl FnOnce(&mut Ui)) {
    let c = theme::colors(ui);
    ui.horizontal_top(|ui| {
        let (rect, _) = ui.allocate_exact_size(Vec2::splat(20.0), egui::Sense::hover());
        let icon = Rect::from_center_size(rect.center() + Vec2::new(0.0, 2.0), rect.size());
        icons::paint(ui.painter(), callout.icon, icon, callout.color);
        ui.add_space(4.0);
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = 4.0;
            paragraph_ui(ui, callout.heading, theme::semibold(16.0), c.text);
            if !callout.text.is_empty() {
                paragraph_ui(ui, callout.text, theme::body(), c.text);
            }
            if let Some(path) = callout.path {
                let font = egui::FontId::monospace(12.0);
                let job =
                    egui::text::LayoutJob::single_section(path.to_owned(), format(font, c.weak));
                ui.add(Label::new(job).wrap_mode(egui::TextWrapMode::Wrap));
            }
            more(ui);
        });
    });
}
