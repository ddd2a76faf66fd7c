//! The search field over the log: text, where one is among the matches, previous and next.

use eframe::egui;
use egui::{Align, Id, Key, Layout, Rect, Sense, Stroke, StrokeKind, TextEdit, Ui, UiBuilder, vec2};

use super::IconButton;
use super::text::label_ui;
use crate::app::{AppState, Command};
use crate::ui::Commands;
use crate::ui::icons::{self, Icon};
use crate::ui::theme::{self, RADIUS};
use crate::words::{Arg, Words};

/// What stands in the field.
#[derive(Debug, Default)]
pub struct SearchDraft {
    /// The text.
    text: String,
    /// Ctrl+F was pressed.
    focus: bool,
}

impl SearchDraft {
    /// Puts the cursor into the field.
    pub fn request_focus(&mut self) {
        self.focus = true;
    }

    /// Empties the field.
    pub fn clear(&mut self) {
        self.text.clear();
    }
}

/// Draws the field, 28 high.
pub fn search_field_ui(
    ui: &mut Ui,
    state: &AppState,
    draft: &mut SearchDraft,
    width: f32,
    commands: &mut Commands,
) {
    let c = theme::colors(ui);
    let words = state.words;
    let (rect, _) = ui.allocate_exact_size(vec2(width, 28.0), Sense::hover());
    let id = Id::unique("log-search");
    let focused = ui.memory(|memory| memory.has_focus(id));
    if !focused && draft.text != state.search.text {
        draft.text.clone_from(&state.search.text);
    }
    let outline = if focused {
        Stroke::new(1.5, c.accent)
    } else {
        Stroke::new(1.0, c.field_border)
    };
    ui.painter()
        .rect(rect, RADIUS, c.field, outline, StrokeKind::Inside);
    let icon = Rect::from_center_size(rect.left_center() + vec2(16.0, 0.0), vec2(14.0, 14.0));
    icons::paint(ui.painter(), Icon::Search, icon, c.weak);

    let mut inner = rect.shrink2(vec2(6.0, 2.0));
    inner.min.x += 24.0;
    let builder = UiBuilder::new()
        .max_rect(inner)
        .layout(Layout::right_to_left(Align::Center));
    ui.scope_builder(builder, |ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        if draft.text.is_empty() {
            if width > 170.0 {
                label_ui(ui, "Ctrl+F", theme::small(), c.weak);
            }
        } else {
            matches_ui(ui, state, draft, commands);
        }
        let edit = TextEdit::singleline(&mut draft.text)
            .id(id)
            .frame(egui::Frame::NONE)
            .font(theme::body())
            .hint_text(words.text("ui-search"))
            .return_key(None)
            .desired_width(ui.available_width())
            .align(egui::Align2::LEFT_CENTER);
        let response = ui
            .add_sized(ui.available_size(), edit)
            .accessible_name(words.text("ui-search"));
        if std::mem::take(&mut draft.focus) {
            response.request_focus();
        }
        if response.changed() {
            commands.push(Command::Search(draft.text.clone()));
        }
        if response.has_focus() {
            let step = ui.input_mut(|input| {
                if input.consume_key(egui::Modifiers::SHIFT, Key::Enter) {
                    Some(Command::PreviousMatch)
                } else if input.consume_key(egui::Modifiers::NONE, Key::Enter) {
                    Some(Command::NextMatch)
                } else {
                    None
                }
            });
            if let Some(step) = step {
                commands.push(step);
            }
        }
        if response.lost_focus() && ui.input(|input| input.key_pressed(Key::Escape)) {
            draft.text.clear();
            commands.push(Command::Search(String::new()));
        }
    });
}

/// "3 of 17" with its buttons, from right to left.
fn matches_ui(ui: &mut Ui, state: &AppState, draft: &mut SearchDraft, commands: &mut Commands) {
    let c = theme::colors(ui);
    let words = state.words;
    let small_button = |ui: &mut Ui, icon, id: &str| {
        let name = words.text(id);
        ui.add(IconButton::new(icon, &name).size(22.0)).clicked()
    };
    if small_button(ui, Icon::Cross, "ui-search-clear") {
        draft.text.clear();
        commands.push(Command::Search(String::new()));
    }
    if small_button(ui, Icon::ChevronDown, "ui-search-next") {
        commands.push(Command::NextMatch);
    }
    if small_button(ui, Icon::ChevronUp, "ui-search-previous") {
        commands.push(Command::PreviousMatch);
    }
    let count = count_text(words, state);
    label_ui(ui, &count, theme::small(), c.weak);
}

fn count_text(words: Words, state: &AppState) -> String {
    let search = &state.search;
    if search.lines.is_empty() {
        let id = if search.running {
            "ui-search-running"
        } else {
            "ui-search-none"
        };
        return words.text(id);
    }
    let mut total = words.number(search.lines.len() as u64);
    if search.capped || search.running {
        total.push('+');
    }
    let current = search.current.map_or(0, |current| current as u64 + 1);
    words.with(
        "ui-search-count",
        &[
            ("current", Arg::Number(current)),
            ("total", Arg::Text(&total)),
        ],
    )
}
