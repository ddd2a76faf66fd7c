//! The list of sources at the left.

use eframe::egui;
use egui::{
    Align, Id, Layout, Popup, Rect, Response, Role, ScrollArea, Sense, Stroke, StrokeKind, Ui,
    UiBuilder, Vec2, WidgetInfo, vec2,
};

use super::mark;
use crate::app::labels_view::{SourceControls, SourceIcon, SourceRow};
use crate::app::{AppState, Command, GivenChange};
use crate::ui::Commands;
use crate::ui::icons::{self, Icon};
use crate::ui::theme::{self, RADIUS};
use crate::ui::widgets::{
    IconButton, Typed, choice_ui, cut_galley, field_ui, focus_ring, label_ui, menu_row_ui,
};
use crate::words::Arg;

const HEAD: f32 = 40.0;
const FOOT: f32 = 36.0;
const ROW: f32 = 72.0;
const TEXT_LEFT: f32 = 36.0;

/// What is typed.
#[derive(Debug, Default)]
pub struct Drafts {
    column: String,
    /// The given thing that the draft is about.
    about: Option<usize>,
}

impl Drafts {
    /// Draws the card as high as there is room.
    pub fn ui(&mut self, ui: &mut Ui, state: &AppState, commands: &mut Commands) {
        let c = theme::colors(ui);
        let card = ui.available_rect_before_wrap();
        ui.painter().rect(
            card,
            RADIUS,
            c.panel,
            Stroke::new(1.0, c.border),
            StrokeKind::Inside,
        );
        let line = |ui: &Ui, y: f32| {
            ui.painter()
                .hline(card.x_range().shrink(1.0), y, Stroke::new(1.0, c.border));
        };
        let mut head = card;
        head.max.y = head.min.y + HEAD;
        head_ui(ui, state, head, commands);
        line(ui, head.bottom() + 0.5);
        let mut foot = card;
        foot.min.y = foot.max.y - FOOT;
        line(ui, foot.top() - 0.5);
        let foot_text = foot.shrink2(vec2(12.0, 0.0));
        ui.scope_builder(row_builder(foot_text), |ui| {
            let text = state.words.text("labels-drop-more");
            label_ui(ui, &text, theme::small(), c.weak);
        });
        let list = Rect::from_min_max(
            egui::pos2(card.left() + 1.0, head.bottom() + 1.0),
            egui::pos2(card.right() - 1.0, foot.top() - 1.0),
        );
        ui.scope_builder(UiBuilder::new().max_rect(list), |ui| {
            ui.spacing_mut().item_spacing = Vec2::ZERO;
            ScrollArea::vertical()
                .id_salt("sources")
                .auto_shrink(false)
                .show(ui, |ui| {
                    let view = &state.labels.view;
                    if state.checked().is_none() {
                        return;
                    }
                    row_ui(ui, state, &view.all_sources, commands);
                    for row in &view.sources {
                        row_ui(ui, state, row, commands);
                        if let Some(controls) = &row.controls {
                            self.controls_ui(ui, state, controls, commands);
                        }
                    }
                });
        });
    }

    /// What can be said about the chosen source.
    fn controls_ui(
        &mut self,
        ui: &mut Ui,
        state: &AppState,
        controls: &SourceControls,
        commands: &mut Commands,
    ) {
        let c = theme::colors(ui);
        let words = state.words;
        let given = controls.given;
        let whole = ui.available_rect_before_wrap();
        let top = whole.top();
        let background = ui.painter().add(egui::Shape::Noop);
        let mut place = whole;
        place.min.x += 12.0;
        place.max.x -= 12.0;
        let used = ui
            .scope_builder(UiBuilder::new().max_rect(place), |ui| {
                ui.spacing_mut().item_spacing = vec2(6.0, 4.0);
                let named = |ui: &mut Ui, id: &str| {
                    let text = words.text(id);
                    let size = vec2(56.0, 28.0);
                    ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
                        ui.set_min_size(size);
                        label_ui(ui, &text, theme::small(), c.weak);
                    });
                    text
                };
                let width = place.width() - 62.0;
                ui.horizontal(|ui| {
                    let name = named(ui, "labels-format");
                    let choices = controls.formats.iter().map(|c| (c.value, c.name.clone()));
                    let label = (name.as_str(), controls.format.as_str());
                    if let Some(format) = choice_ui(
                        ui,
                        "format",
                        label,
                        &controls.chosen_format,
                        Some(width),
                        choices,
                    ) {
                        commands.push(Command::SetGiven(given, GivenChange::Format(format)));
                    }
                });
                ui.horizontal(|ui| {
                    let name = named(ui, "labels-split");
                    let choices = controls
                        .splits
                        .iter()
                        .map(|c| (c.value.clone(), c.name.clone()));
                    let label = (name.as_str(), controls.split.as_str());
                    if let Some(split) = choice_ui(
                        ui,
                        "split",
                        label,
                        &controls.chosen_split,
                        Some(width),
                        choices,
                    ) {
                        commands.push(Command::SetGiven(given, GivenChange::Split(split)));
                    }
                });
                ui.horizontal(|ui| {
                    let name = named(ui, "labels-column");
                    let id = Id::unique("labels-column");
                    let focused = ui.memory(|memory| memory.has_focus(id));
                    if self.about != Some(given) || (!focused && self.column != controls.column) {
                        self.about = Some(given);
                        self.column.clone_from(&controls.column);
                    }
                    let hint = controls.column_hint.as_str();
                    let end = field_ui(
                        ui,
                        id,
                        &mut self.column,
                        theme::body(),
                        width,
                        (&name, hint),
                    );
                    if end == Some(Typed::Done) && self.column != controls.column {
                        let column = Some(self.column.clone());
                        commands.push(Command::SetGiven(given, GivenChange::Column(column)));
                    }
                });
                ui.horizontal(|ui| {
                    let name = named(ui, "labels-used-as");
                    let choices = controls.roles.iter().map(|c| (c.value, c.name.clone()));
                    let label = (name.as_str(), controls.role.as_str());
                    if let Some(role) = choice_ui(
                        ui,
                        "role",
                        label,
                        &controls.chosen_role,
                        Some(width),
                        choices,
                    ) {
                        commands.push(Command::SetGiven(given, GivenChange::Role(role)));
                    }
                });
                if let Some(scope) = &controls.scope {
                    label_ui(ui, scope, theme::small(), c.weak);
                }
            })
            .response
            .rect;
        let bottom = used.bottom() + 10.0;
        let ground = Rect::from_min_max(whole.min, egui::pos2(whole.right(), bottom));
        ui.painter().set(
            background,
            egui::Shape::rect_filled(ground, 0, c.accent_tint),
        );
        ui.advance_cursor_after_rect(Rect::from_min_max(
            egui::pos2(whole.left(), top),
            egui::pos2(whole.right(), bottom),
        ));
    }
}

fn row_builder(rect: Rect) -> UiBuilder {
    UiBuilder::new()
        .max_rect(rect)
        .layout(Layout::left_to_right(Align::Center))
}

fn head_ui(ui: &mut Ui, state: &AppState, head: Rect, commands: &mut Commands) {
    let c = theme::colors(ui);
    let words = state.words;
    let mut text = head;
    text.min.x += 12.0;
    text.max.x -= 40.0;
    ui.scope_builder(row_builder(text), |ui| {
        label_ui(
            ui,
            &words.text("labels-sources"),
            theme::semibold(16.0),
            c.text,
        );
    });
    let mut button = head;
    button.min.x = head.right() - 36.0;
    ui.scope_builder(row_builder(button), |ui| {
        let name = words.text("labels-add");
        let response = ui.add(IconButton::new(Icon::Plus, &name));
        Popup::menu(&response).show(|ui| {
            if menu_row_ui(ui, Icon::File, &words.text("labels-add-files")) {
                commands.push(Command::ChooseFiles);
            }
            if menu_row_ui(ui, Icon::Folder, &words.text("labels-add-folder")) {
                commands.push(Command::ChooseFolder);
            }
        });
    });
}

fn row_ui(ui: &mut Ui, state: &AppState, row: &SourceRow, commands: &mut Commands) {
    let height = if row.state.is_empty() {
        ROW - 18.0
    } else {
        ROW
    };
    let size = vec2(ui.available_width(), height);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let said = [&row.name, &row.what, &row.state]
        .map(String::as_str)
        .join(" · ");
    response
        .widget_info(|| WidgetInfo::selected(Role::Button, ui.is_enabled(), row.selected, &said));
    if ui.is_rect_visible(rect) {
        paint_row(ui, row, rect, &response);
    }
    if response.clicked() {
        commands.push(Command::SelectSource(row.source));
    }
    let Some(source) = row.source else { return };
    let remove = state
        .words
        .with("labels-remove", &[("name", Arg::Text(&row.name))]);
    if row.selected {
        let corner = Rect::from_min_size(
            egui::pos2(rect.right() - 30.0, rect.top() + 8.0),
            Vec2::splat(24.0),
        );
        let button = IconButton::new(Icon::Cross, &remove).size(24.0);
        let mut over = ui.new_child(UiBuilder::new().max_rect(corner));
        if over.put(corner, button).clicked() {
            commands.push(Command::RemoveSource(source));
        }
    }
    let response = if row.tooltip.is_empty() {
        response
    } else {
        response.on_hover_text(&row.tooltip)
    };
    response.context_menu(|ui| {
        if menu_row_ui(ui, Icon::Cross, &remove) {
            commands.push(Command::RemoveSource(source));
        }
    });
}

fn paint_row(ui: &Ui, row: &SourceRow, rect: Rect, response: &Response) {
    let c = theme::colors(ui);
    let painter = ui.painter();
    if row.selected {
        painter.rect_filled(rect, 0, c.accent_tint);
    } else if response.hovered() {
        painter.rect_filled(rect, 0, c.stripe);
    }
    let icon = match row.icon {
        SourceIcon::Folder => Icon::Folder,
        SourceIcon::Table => Icon::Table,
        SourceIcon::Settings => Icon::Sliders,
        SourceIcon::Chip => Icon::Chip,
        SourceIcon::File => Icon::File,
    };
    let color = if row.selected {
        c.accent_strong
    } else {
        c.weak
    };
    let at = Rect::from_min_size(rect.min + vec2(12.0, 10.0), Vec2::splat(16.0));
    icons::paint(painter, icon, at, color);
    let left = rect.left() + TEXT_LEFT;
    let room = rect.right() - 8.0 - left - if row.selected { 24.0 } else { 0.0 };
    let name_font = if row.selected {
        theme::semibold(14.0)
    } else {
        theme::body()
    };
    let put = |text: &str, font: egui::FontId, color, room: f32, at: egui::Pos2| {
        painter.galley(at, cut_galley(painter, text, font, color, room), color);
    };
    put(
        &row.name,
        name_font,
        c.text,
        room,
        egui::pos2(left, rect.top() + 8.0),
    );
    let room = rect.right() - 8.0 - left;
    put(
        &row.what,
        theme::small(),
        c.weak,
        room,
        egui::pos2(left, rect.top() + 30.0),
    );
    if !row.state.is_empty() {
        let (icon, color) = mark(row.mark, c);
        let at = Rect::from_min_size(egui::pos2(left, rect.top() + 50.0), Vec2::splat(12.0));
        icons::paint(painter, icon, at, color);
        put(
            &row.state,
            theme::small(),
            color,
            room - 16.0,
            egui::pos2(left + 16.0, rect.top() + 48.0),
        );
    }
    focus_ring(ui, response);
}
