//! Start: nothing is loaded yet. One large drop target, the ways to open a log, the samples.

use eframe::egui;
use egui::{
    Align, Align2, Button as MenuButton, Layout, Popup, Rect, Role, ScrollArea, Sense, Stroke,
    StrokeKind, Ui, UiBuilder, Vec2, WidgetInfo, vec2,
};

use crate::app::{AppState, Command};
use crate::inputs::SAMPLES;
use crate::ui::Commands;
use crate::ui::icons::{self, Icon};
use crate::ui::theme::{self, GAP_SMALL, MARGIN, RADIUS};
use crate::ui::widgets::{Button, DropTarget, centred_ui, galley, label_ui};

/// Width of the column, and height of the drop target, on a window that has room for them.
const COLUMN: f32 = 880.0;
const TARGET: f32 = 300.0;
const SAMPLE_ROW: f32 = 44.0;

/// Draws Start.
pub fn start_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let room = ui.available_size();
    ScrollArea::vertical()
        .id_salt("start")
        .auto_shrink(false)
        .show(ui, |ui| {
            let width = COLUMN.min(room.x - 2.0 * MARGIN).max(320.0);
            let list = 56.0 + SAMPLES.len() as f32 * SAMPLE_ROW;
            let spare = room.y - list - TARGET;
            let top = (spare / 2.0).clamp(MARGIN, 40.0);
            let target = (TARGET + spare.min(0.0) - 2.0 * MARGIN).clamp(220.0, TARGET);
            let target = if spare >= 2.0 * MARGIN {
                TARGET
            } else {
                target
            };
            ui.add_space(top);
            let whole = ui.available_rect_before_wrap();
            let left = (whole.center().x - width / 2.0).round();
            let column =
                Rect::from_min_size(egui::pos2(left, whole.top()), vec2(width, whole.height()));
            ui.scope_builder(UiBuilder::new().max_rect(column), |ui| {
                ui.spacing_mut().item_spacing = Vec2::ZERO;
                target_ui(ui, state, target, commands);
                ui.add_space(24.0);
                samples_ui(ui, state, commands);
                ui.add_space(MARGIN);
            });
        });
}

fn target_ui(ui: &mut Ui, state: &AppState, height: f32, commands: &mut Commands) {
    let c = theme::colors(ui);
    let words = state.words;
    let size = vec2(ui.available_width(), height);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let foot = 44.0;
    let buttons = DropTarget {
        rect,
        title: &words.text("ui-start-title"),
        text: &words.text("ui-start-text"),
        buttons: 40.0,
        foot,
    }
    .ui(ui);
    buttons_ui(ui, state, rect, buttons, commands);

    let line = rect.bottom() - foot;
    ui.painter().hline(
        rect.left() + MARGIN..=rect.right() - MARGIN,
        line,
        Stroke::new(1.0, c.border),
    );
    let foot_rect = Rect::from_min_max(egui::pos2(rect.left(), line + 14.0), rect.max);
    centred_ui(ui, rect, foot_rect.top(), |ui| {
        label_ui(ui, &words.text("ui-start-kinds"), theme::small(), c.weak);
    });
}

fn buttons_ui(ui: &mut Ui, state: &AppState, rect: Rect, top: f32, commands: &mut Commands) {
    let words = state.words;
    let row = Rect::from_min_size(egui::pos2(rect.left(), top), vec2(rect.width(), 40.0));
    // The row is as wide as its buttons, which only they know: the last frame's width centres it.
    let id = egui::Id::unique("start-buttons-width");
    let known: Option<f32> = ui.data(|data| data.get_temp(id));
    let width = known.unwrap_or(560.0);
    let place = Align2::CENTER_CENTER.align_size_within_rect(vec2(width, 40.0), row);
    let builder = UiBuilder::new()
        .max_rect(Rect::from_min_max(place.min, row.max))
        .layout(Layout::left_to_right(Align::Center));
    let mut child = ui.new_child(builder);
    child.spacing_mut().item_spacing.x = GAP_SMALL;

    let open = words.text("ui-open");
    let button = Button::new(&open)
        .filled()
        .icon(Icon::Folder)
        .shortcut("Ctrl+O")
        .height(40.0);
    if child.add(button).clicked() {
        commands.push(Command::ChooseFiles);
    }
    let paste = words.text("ui-paste");
    let button = Button::new(&paste)
        .icon(Icon::Clipboard)
        .shortcut("Ctrl+V")
        .height(40.0);
    if child.add(button).clicked() {
        commands.read_clipboard = true;
    }
    let run = words.text("rerun-run-my-script");
    let button = Button::new(&run).icon(Icon::Play).height(40.0);
    if child.add(button).clicked() {
        commands.push(Command::ChooseScript);
    }
    let sample = words.text("ui-try-sample");
    let button = Button::new(&sample)
        .icon(Icon::Flask)
        .trailing(Icon::ChevronDown)
        .height(40.0);
    let response = child.add(button);
    Popup::menu(&response).show(|ui| {
        for sample in SAMPLES {
            let title = words.text(&format!("ui-sample-{}", sample.id));
            if ui
                .add(MenuButton::new(title).frame_when_inactive(false))
                .clicked()
            {
                commands.push(Command::OpenSample(sample.id));
                ui.close();
            }
        }
    });
    let drawn = child.min_rect().width();
    if known.is_none_or(|known| (known - drawn).abs() > 0.5) {
        ui.data_mut(|data| data.insert_temp(id, drawn));
        ui.request_discard("the row of buttons is centred by its width");
    }
}

fn samples_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let c = theme::colors(ui);
    let words = state.words;
    label_ui(ui, &words.text("ui-samples"), theme::semibold(16.0), c.text);
    ui.add_space(GAP_SMALL);
    let size = vec2(ui.available_width(), SAMPLES.len() as f32 * SAMPLE_ROW);
    let (list, _) = ui.allocate_exact_size(size, Sense::hover());
    ui.painter().rect(
        list,
        RADIUS,
        c.panel,
        Stroke::new(1.0, c.border),
        StrokeKind::Inside,
    );
    for (index, sample) in SAMPLES.iter().enumerate() {
        let top = list.top() + index as f32 * SAMPLE_ROW;
        let row = Rect::from_min_size(egui::pos2(list.left(), top), vec2(list.width(), SAMPLE_ROW));
        let response = ui.interact(
            row,
            ui.scope_id().with(("sample", sample.id)),
            Sense::click(),
        );
        let title = words.text(&format!("ui-sample-{}", sample.id));
        let about = words.text(&format!("ui-sample-{}-about", sample.id));
        response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), &title));
        if response.hovered() || response.has_focus() {
            ui.painter().rect_filled(row.shrink(1.0), RADIUS, c.button);
        }
        if index > 0 {
            ui.painter()
                .hline(row.x_range(), row.top(), Stroke::new(1.0, c.border));
        }
        let icon = Rect::from_center_size(row.left_center() + vec2(24.0, 0.0), Vec2::splat(16.0));
        icons::paint(ui.painter(), Icon::Flask, icon, c.accent);
        let chevron =
            Rect::from_center_size(row.right_center() - vec2(24.0, 0.0), Vec2::splat(12.0));
        icons::paint(ui.painter(), Icon::ChevronRight, chevron, c.weak);
        let name = galley(ui.painter(), title.clone(), theme::body(), c.text);
        let at = egui::pos2(row.left() + 44.0, row.center().y - name.size().y / 2.0);
        let after = at.x + name.size().x + 12.0;
        ui.painter_at(row).galley(at, name, c.text);
        let mut room = row;
        room.max.x -= 40.0;
        let about = galley(ui.painter(), about, theme::small(), c.weak);
        let at = egui::pos2(after, row.center().y - about.size().y / 2.0);
        ui.painter_at(room).galley(at, about, c.weak);
        if response
            .on_hover_cursor(egui::CursorIcon::PointingHand)
            .clicked()
        {
            commands.push(Command::OpenSample(sample.id));
        }
    }
}
