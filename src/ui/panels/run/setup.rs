//! What is to be run, before it is: command, interpreter, folder, how it is watched; commands for another machine.

use eframe::egui;
use egui::{
    Frame, Id, Margin, Role, ScrollArea, Sense, Stroke, Ui, UiBuilder, Vec2, WidgetInfo, vec2,
};

use super::kit::kit_ui;
use crate::app::run_view::{SetupView, SuggestionRow};
use crate::app::{AppState, Command, RunEdit, Setup};
use crate::rerun::RunOptions;
use crate::ui::Commands;
use crate::ui::icons::{self, Icon};
use crate::ui::theme::{self, GAP, GAP_SMALL, MARGIN, RADIUS};
use crate::ui::widgets::{
    Button, Callout, callout_ui, choice_ui, edit_ui, focus_ring, label_ui, paragraph_ui,
};

/// Width of the column on a window that has room for it.
const COLUMN: f32 = 880.0;
/// Numbers of worker processes to choose from.
const WORKERS: [u32; 6] = [0, 1, 2, 4, 8, 16];

/// Draws what is to be run.
pub fn setup_ui(ui: &mut Ui, state: &AppState, setup: &Setup, commands: &mut Commands) {
    let c = theme::colors(ui);
    let words = state.words;
    let view = &setup.view;
    ScrollArea::vertical()
        .id_salt("run-setup")
        .auto_shrink(false)
        .show(ui, |ui| {
            let room = ui.available_width();
            let width = COLUMN.min(room - 2.0 * MARGIN);
            let mut column = ui.available_rect_before_wrap();
            column.min.x += ((room - width) / 2.0).round();
            column.max.x = column.min.x + width;
            ui.scope_builder(UiBuilder::new().max_rect(column), |ui| {
                Frame::new()
                    .inner_margin(Margin::symmetric(0, 24))
                    .show(ui, |ui| {
                        ui.spacing_mut().item_spacing = Vec2::ZERO;
                        ui.set_width(width);
                        let title = words.text("rerun-setup-title");
                        label_ui(ui, &title, theme::semibold(20.0), c.text);
                        ui.add_space(4.0);
                        let text = words.text("rerun-setup-text");
                        paragraph_ui(ui, &text, theme::body(), c.weak);
                        ui.add_space(MARGIN);
                        card_ui(ui, |ui| {
                            command_ui(ui, state, view, commands);
                            ui.add_space(MARGIN);
                            options_ui(ui, state, view, commands);
                            if let Some(problem) = &view.problem {
                                ui.add_space(MARGIN);
                                let callout = Callout {
                                    icon: Icon::Octagon,
                                    color: c.danger,
                                    heading: &problem.heading,
                                    text: &problem.text,
                                    path: problem.path.as_deref(),
                                };
                                callout_ui(ui, &callout, |_| {});
                            }
                            ui.add_space(MARGIN);
                            buttons_ui(ui, state, view, commands);
                        });
                        ui.add_space(MARGIN);
                        kit_ui(ui, state, view, commands);
                    });
            });
        });
}

/// A card as wide as there is room.
pub(super) fn card_ui(ui: &mut Ui, content: impl FnOnce(&mut Ui)) {
    let c = theme::colors(ui);
    Frame::new()
        .fill(c.panel)
        .stroke(Stroke::new(1.0, c.border))
        .corner_radius(RADIUS)
        .inner_margin(Margin::same(16))
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.spacing_mut().item_spacing = Vec2::ZERO;
            content(ui);
        });
}

fn command_ui(ui: &mut Ui, state: &AppState, view: &SetupView, commands: &mut Commands) {
    let c = theme::colors(ui);
    let words = state.words;
    let width = ui.available_width();
    label_ui(ui, &words.text("rerun-command"), theme::body(), c.weak);
    ui.add_space(4.0);
    let mut command = view.command.clone();
    let name = words.text("rerun-command");
    let hint = words.text("rerun-command-hint");
    let id = Id::unique("run-command");
    let names = (name.as_str(), hint.as_str());
    let script = words.text("rerun-choose-script");
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = GAP_SMALL;
        let button = Button::new(&script).icon(Icon::File).height(28.0);
        let room = width - button.width(ui) - GAP_SMALL;
        if edit_ui(ui, id, &mut command, theme::code(), room, names).changed() {
            commands.push(Command::EditRun(RunEdit::Command(command)));
        }
        if ui.add(button).clicked() {
            commands.push(Command::ChooseScript);
        }
    });
    ui.add_space(4.0);
    let note = words.text(if view.looking {
        "rerun-looking"
    } else {
        "rerun-command-note"
    });
    paragraph_ui(ui, &note, theme::small(), c.weak);
    // One suggestion that is in the field already tells nothing new but its reason.
    for (index, row) in view.suggestions.iter().enumerate().take(4) {
        ui.add_space(4.0);
        if suggestion_ui(ui, index, row) && !row.chosen {
            commands.push(Command::EditRun(RunEdit::Suggestion(index)));
        }
    }
    ui.add_space(GAP);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = GAP_SMALL;
        let folder_name = words.text("rerun-folder");
        row_label_ui(ui, &folder_name);
        let mut folder = view.directory.clone();
        let id = Id::unique("run-folder");
        let choose = words.text("rerun-choose-folder");
        let button = Button::new(&choose).icon(Icon::Folder).height(28.0);
        let room = (ui.available_width() - button.width(ui) - GAP_SMALL).max(160.0);
        let hint = words.text("rerun-folder-hint");
        let names = (folder_name.as_str(), hint.as_str());
        if edit_ui(ui, id, &mut folder, theme::code(), room, names).changed() {
            commands.push(Command::EditRun(RunEdit::Directory(folder)));
        }
        if ui.add(button).clicked() {
            commands.push(Command::ChooseRunFolder);
        }
    });
    if !view.pythons.is_empty() {
        ui.add_space(GAP_SMALL);
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = GAP_SMALL;
            let name = words.text("rerun-python");
            row_label_ui(ui, &name);
            let as_typed = words.text("rerun-python-as-typed");
            let chosen = view.python.and_then(|index| view.pythons.get(index));
            let selected = chosen.unwrap_or(&as_typed);
            let index_shown = view.python.unwrap_or(usize::MAX);
            let choices = view.pythons.iter().cloned().enumerate();
            let width = Some((ui.available_width() - 8.0).min(560.0));
            let names = (name.as_str(), selected.as_str());
            if let Some(index) = choice_ui(ui, "run-python", names, &index_shown, width, choices) {
                commands.push(Command::EditRun(RunEdit::Python(index)));
            }
        });
    }
}

/// The name of a field, as wide in every row.
fn row_label_ui(ui: &mut Ui, name: &str) {
    let c = theme::colors(ui);
    let size = vec2(96.0, 28.0);
    ui.allocate_ui_with_layout(
        size,
        egui::Layout::left_to_right(egui::Align::Center),
        |ui| {
            ui.set_min_size(size);
            label_ui(ui, name, theme::body(), c.weak);
        },
    );
}

/// A command with its reason; whether it was clicked.
fn suggestion_ui(ui: &mut Ui, index: usize, row: &SuggestionRow) -> bool {
    let c = theme::colors(ui);
    let height = if row.missing.is_empty() { 24.0 } else { 42.0 };
    let size = vec2(ui.available_width(), height);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let said = format!("{} · {} {}", row.command, row.why, row.missing);
    response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, row.chosen, said.trim()));
    let _ = index;
    if response.hovered() {
        ui.painter().rect_filled(rect, RADIUS, c.button);
    }
    let dot = egui::pos2(rect.left() + 12.0, rect.top() + 12.0);
    ui.painter()
        .circle_stroke(dot, 5.5, Stroke::new(1.0, c.field_border));
    if row.chosen {
        ui.painter().circle_filled(dot, 3.0, c.accent);
    }
    let painter = ui.painter();
    let middle = rect.top() + 12.0;
    let why = crate::ui::widgets::galley(painter, row.why.as_str(), theme::small(), c.weak);
    let room = rect.width() - 28.0 - why.size().x - GAP - 8.0;
    let command =
        crate::ui::widgets::cut_galley(painter, &row.command, theme::code(), c.text, room);
    let at = egui::pos2(rect.left() + 28.0, middle - command.size().y / 2.0);
    let after = at.x + command.size().x + GAP;
    painter.galley(at, command, c.text);
    let at = egui::pos2(after, middle - why.size().y / 2.0);
    painter.galley(at, why, c.weak);
    if !row.missing.is_empty() {
        let missing = crate::ui::widgets::cut_galley(
            painter,
            &row.missing,
            theme::small(),
            c.warning,
            rect.width() - 36.0,
        );
        let at = egui::pos2(rect.left() + 28.0, rect.top() + 24.0);
        painter.galley(at, missing, c.warning);
    }
    focus_ring(ui, &response);
    response.clicked()
}

fn options_ui(ui: &mut Ui, state: &AppState, view: &SetupView, commands: &mut Commands) {
    let c = theme::colors(ui);
    let words = state.words;
    let options = view.options;
    for (id, on, changed) in [
        (
            "rerun-option-guard",
            options.guard,
            RunOptions {
                guard: !options.guard,
                ..options
            },
        ),
        (
            "rerun-option-sync",
            options.sync,
            RunOptions {
                sync: !options.sync,
                ..options
            },
        ),
        (
            "rerun-option-cpu",
            options.cpu,
            RunOptions {
                cpu: !options.cpu,
                ..options
            },
        ),
    ] {
        if switch_ui(ui, &words.text(id), &words.text(&format!("{id}-text")), on) {
            commands.push(Command::EditRun(RunEdit::Options(changed)));
        }
        ui.add_space(GAP_SMALL);
    }
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = GAP_SMALL;
        ui.add_space(28.0);
        let name = words.text("rerun-option-workers");
        label_ui(ui, &name, theme::body(), c.text);
        let text = |workers: Option<u32>| match workers {
            None => words.text("rerun-workers-as-script"),
            Some(count) => words.number(u64::from(count)),
        };
        let selected = text(options.workers);
        let all = std::iter::once(None).chain(WORKERS.into_iter().map(Some));
        let choices = all.map(|workers| (workers, text(workers)));
        let names = (name.as_str(), selected.as_str());
        if let Some(workers) = choice_ui(
            ui,
            "run-workers",
            names,
            &options.workers,
            Some(180.0),
            choices,
        ) {
            let options = RunOptions { workers, ..options };
            commands.push(Command::EditRun(RunEdit::Options(options)));
        }
    });
}

/// A box to tick with what it does; whether it was clicked.
fn switch_ui(ui: &mut Ui, name: &str, text: &str, on: bool) -> bool {
    let c = theme::colors(ui);
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        let (rect, response) = ui.allocate_exact_size(vec2(28.0, 20.0), Sense::click());
        response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, on, name));
        let square = egui::Rect::from_min_size(rect.min + vec2(0.0, 2.0), Vec2::splat(16.0));
        let (fill, outline) = if on {
            (c.accent, c.accent)
        } else {
            (c.field, c.field_border)
        };
        ui.painter().rect(
            square,
            theme::RADIUS_SMALL,
            fill,
            Stroke::new(1.0, outline),
            egui::StrokeKind::Inside,
        );
        if on {
            icons::paint(ui.painter(), Icon::Tick, square.shrink(2.0), c.on_accent);
        }
        focus_ring(ui, &response);
        let texts = ui.vertical(|ui| {
            paragraph_ui(ui, name, theme::body(), c.text);
            paragraph_ui(ui, text, theme::small(), c.weak);
        });
        let id = ui.scope_id().with(("switch", name));
        let beside = ui.interact(texts.response.rect, id, Sense::CLICK);
        response.clicked() || beside.clicked()
    })
    .inner
}

fn buttons_ui(ui: &mut Ui, state: &AppState, view: &SetupView, commands: &mut Commands) {
    let words = state.words;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = GAP_SMALL;
        let start = words.text(if view.starting {
            "rerun-starting"
        } else {
            "rerun-start"
        });
        let ready = !view.starting && !view.command.trim().is_empty();
        let button = Button::new(&start).filled().icon(Icon::Play);
        if ui.add_enabled(ready, button).clicked() {
            commands.push(Command::StartRun);
        }
        let back = words.text("rerun-leave");
        if ui.add(Button::new(&back).quiet()).clicked() {
            commands.push(Command::LeaveRun);
        }
    });
    ui.add_space(GAP_SMALL);
    let c = theme::colors(ui);
    paragraph_ui(ui, &words.text("rerun-promise"), theme::small(), c.weak);
}
