//! The search field over the log: text, where one is among the matches, previous and next.

use eframe::egui;
use egui::{
    Align, Color32, Id, Key, Layout, Rect, Sense, Stroke, StrokeKind, TextEdit, Ui, UiBuilder, vec2,
};

use super::IconButton;
use super::text::{galley, label_ui};
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

    let tail = Tail::of(ui, state, draft, width);
    let mut inner = rect.shrink2(vec2(6.0, 2.0));
    inner.min.x += 24.0;
    let mut text_rect = inner;
    text_rect.max.x -= tail.width + 4.0;
    let mut tail_rect = inner;
    tail_rect.min.x = inner.right() - tail.width;
    ui.scope_builder(UiBuilder::new().max_rect(text_rect), |ui| {
        let edit = TextEdit::singleline(&mut draft.text)
            .id(id)
            .frame(egui::Frame::NONE)
            .font(theme::body())
            .hint_text(words.text("ui-search"))
            .margin(egui::Margin::ZERO)
            .return_key(None);
        let height = ui.text_style_height(&egui::TextStyle::Body);
        let line = Rect::from_center_size(text_rect.center(), vec2(text_rect.width(), height));
        let response = ui.put(line, edit).accessible_name(words.text("ui-search"));
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
    let builder = UiBuilder::new()
        .max_rect(tail_rect)
        .layout(Layout::left_to_right(Align::Center));
    ui.scope_builder(builder, |ui| tail.ui(ui, state, draft, commands));
}

/// What stands right of the text: "3 of 17" with its buttons, or the shortcut.
struct Tail {
    text: String,
    has_buttons: bool,
    width: f32,
}

const TAIL_BUTTON: f32 = 22.0;

impl Tail {
    fn of(ui: &Ui, state: &AppState, draft: &SearchDraft, width: f32) -> Self {
        let has_buttons = !draft.text.is_empty();
        let text = if has_buttons {
            count_text(state.words, state)
        } else if width > 170.0 {
            "Ctrl+F".to_owned()
        } else {
            String::new()
        };
        let text_width = galley(
            ui.painter(),
            text.as_str(),
            theme::small(),
            Color32::PLACEHOLDER,
        )
        .size()
        .x
        .ceil();
        let buttons = if has_buttons {
            3.0 * TAIL_BUTTON + 4.0
        } else {
            0.0
        };
        Self {
            text,
            has_buttons,
            width: text_width + buttons,
        }
    }

    fn ui(self, ui: &mut Ui, state: &AppState, draft: &mut SearchDraft, commands: &mut Commands) {
        let c = theme::colors(ui);
        let words = state.words;
        ui.spacing_mut().item_spacing.x = 0.0;
        if !self.text.is_empty() {
            label_ui(ui, &self.text, theme::small(), c.weak);
        }
        if !self.has_buttons {
            return;
        }
        ui.add_space(4.0);
        let button = |ui: &mut Ui, icon, id: &str| {
            let name = words.text(id);
            ui.add(IconButton::new(icon, &name).size(TAIL_BUTTON))
                .clicked()
        };
        if button(ui, Icon::ChevronUp, "ui-search-previous") {
            commands.push(Command::PreviousMatch);
        }
        if button(ui, Icon::ChevronDown, "ui-search-next") {
            commands.push(Command::NextMatch);
        }
        if button(ui, Icon::Cross, "ui-search-clear") {
            draft.text.clear();
            commands.push(Command::Search(String::new()));
        }
    }
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
