//! Fields of one line, and lists to choose from, in the design's sizes.

use eframe::egui;
use egui::{
    ComboBox, FontId, Id, Key, Rect, Response, Sense, Stroke, StrokeKind, TextEdit, Ui, vec2,
};

use crate::ui::icons::{self, Icon};
use crate::ui::theme::{self, RADIUS};

/// How typing came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Typed {
    /// With Enter, or by going elsewhere: what was typed counts.
    Done,
    /// With Esc: it does not.
    TakenBack,
}

/// A field 28 high; in which way typing in it came to its end just now.
pub fn field_ui(
    ui: &mut Ui,
    id: Id,
    text: &mut String,
    font: FontId,
    width: f32,
    (name, hint): (&str, &str),
) -> Option<Typed> {
    let response = edit_ui(ui, id, text, font, width, (name, hint));
    response.lost_focus().then(|| {
        if ui.input(|input| input.key_pressed(Key::Escape)) {
            Typed::TakenBack
        } else {
            Typed::Done
        }
    })
}

/// A field 28 high whose every change counts at once. The response is the text's.
pub fn edit_ui(
    ui: &mut Ui,
    id: Id,
    text: &mut String,
    font: FontId,
    width: f32,
    (name, hint): (&str, &str),
) -> Response {
    let c = theme::colors(ui);
    let (rect, _) = ui.allocate_exact_size(vec2(width, 28.0), Sense::hover());
    let focused = ui.memory(|memory| memory.has_focus(id));
    let outline = if focused {
        Stroke::new(1.5, c.accent)
    } else {
        Stroke::new(1.0, c.field_border)
    };
    ui.painter()
        .rect(rect, RADIUS, c.field, outline, StrokeKind::Inside);
    let mut inner = ui.new_child(egui::UiBuilder::new().max_rect(rect));
    let line = rect.shrink2(vec2(8.0, 0.0));
    let edit = TextEdit::singleline(text)
        .id(id)
        .frame(egui::Frame::NONE)
        .font(font)
        .hint_text(hint)
        .margin(egui::Margin::ZERO)
        .align(egui::Align2::LEFT_CENTER);
    inner.put(line, edit).accessible_name(name)
}

/// A list to choose from, the chosen value marked in it; what was newly chosen.
pub fn choice_ui<T: Clone + PartialEq>(
    ui: &mut Ui,
    id: impl std::hash::Hash + std::fmt::Debug,
    (name, shown): (&str, &str),
    selected: &T,
    width: Option<f32>,
    choices: impl Iterator<Item = (T, String)>,
) -> Option<T> {
    let mut chosen = None;
    let mut list = ComboBox::from_id_salt(id)
        .selected_text(shown)
        .truncate()
        .icon(|ui, rect, _, _| {
            let at = Rect::from_center_size(rect.center(), vec2(12.0, 12.0));
            icons::paint(ui.painter(), Icon::ChevronDown, at, theme::colors(ui).weak);
        })
        .height(320.0);
    if let Some(width) = width {
        list = list.width(width);
    }
    let response = list
        .show_ui(ui, |ui| {
            for (value, text) in choices {
                let is_selected = value == *selected;
                if ui.selectable_label(is_selected, text).clicked() && !is_selected {
                    chosen = Some(value);
                }
            }
        })
        .response;
    drop(response.accessible_name(name).on_hover_text(name));
    chosen
}

/// A row of a menu with an icon; whether it was clicked.
pub fn menu_row_ui(ui: &mut Ui, icon: Icon, text: &str) -> bool {
    let c = theme::colors(ui);
    let response = ui.add(
        egui::Button::new(text)
            .frame_when_inactive(false)
            .min_size(vec2(180.0, 28.0))
            .right_text(""),
    );
    let at = egui::Rect::from_center_size(
        response.rect.right_center() - vec2(16.0, 0.0),
        vec2(14.0, 14.0),
    );
    icons::paint(ui.painter(), icon, at, c.weak);
    let clicked = response.clicked();
    if clicked {
        ui.close();
    }
    clicked
}
