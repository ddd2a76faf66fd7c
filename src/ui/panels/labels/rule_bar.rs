//! The rule as a sentence: what the values are, what is allowed, what is skipped.

use eframe::egui;
use egui::{
    Align, Id, Layout, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, UiBuilder, WidgetInfo,
    vec2,
};

use crate::app::labels_view::{Ignored, Pill, RuleBar};
use crate::app::{AppState, Command};
use crate::ui::Commands;
use crate::ui::icons::{self, Icon};
use crate::ui::theme::{self, GAP_SMALL, RADIUS};
use crate::ui::widgets::{
    Button, IconButton, Typed, choice_ui, field_ui, focus_ring, galley, label_ui,
};
use crate::words::Arg;

/// What is typed.
#[derive(Debug, Default)]
pub struct Drafts {
    lo: String,
    hi: String,
    /// The ends are being typed.
    typing: bool,
    /// A value to ignore, while it is typed.
    ignore: Option<String>,
}

impl Drafts {
    /// Draws the bar; it takes more lines where there is little room.
    pub fn ui(&mut self, ui: &mut Ui, state: &AppState, commands: &mut Commands) {
        let c = theme::colors(ui);
        let words = state.words;
        let bar = &state.labels.view.rule_bar;
        let whole = ui.available_rect_before_wrap();
        let recheck = words.text("labels-recheck");
        let recheck = Button::new(&recheck).icon(Icon::Refresh).shortcut("F5");
        // On little room the device is a part of the sentence.
        let beside = bar.is_shown && whole.width() >= super::WIDE;
        let mut right_width = recheck.width(ui);
        if beside {
            right_width += device_width(ui, state, bar) + GAP_SMALL;
        }
        let mut right = whole;
        right.min.x = whole.right() - right_width;
        right.max.y = whole.top() + 32.0;
        let mut left = whole;
        left.max.x = right.left() - GAP_SMALL;
        let used = ui
            .scope_builder(UiBuilder::new().max_rect(left), |ui| {
                ui.horizontal_wrapped(|ui| {
                    ui.set_min_height(32.0);
                    ui.spacing_mut().item_spacing = vec2(GAP_SMALL, 6.0);
                    if bar.is_shown {
                        self.sentence_ui(ui, state, bar, commands);
                        if !beside {
                            device_ui(ui, state, bar, commands);
                        }
                    }
                });
            })
            .response
            .rect;
        let builder = UiBuilder::new()
            .max_rect(right)
            .layout(Layout::left_to_right(Align::Center));
        ui.scope_builder(builder, |ui| {
            ui.spacing_mut().item_spacing.x = GAP_SMALL;
            if beside {
                device_ui(ui, state, bar, commands);
            }
            if ui.add(recheck).clicked() {
                commands.push(Command::Recheck);
            }
        });
        let bottom = used.bottom().max(right.bottom());
        ui.advance_cursor_after_rect(Rect::from_min_max(
            whole.min,
            egui::pos2(whole.right(), bottom),
        ));
        if let Some(problem) = &state.labels.problem {
            ui.add_space(4.0);
            label_ui(ui, problem, theme::small(), c.danger);
        }
    }

    fn sentence_ui(
        &mut self,
        ui: &mut Ui,
        state: &AppState,
        bar: &RuleBar,
        commands: &mut Commands,
    ) {
        let words = state.words;
        let label = |ui: &mut Ui, id: &str| {
            let c = theme::colors(ui);
            let text = words.text(id);
            label_ui(ui, &text, theme::small(), c.weak);
            text
        };
        if !bar.rules.is_empty() {
            let name = label(ui, "labels-rule");
            let selected = bar.rules.get(bar.rule).map_or("", String::as_str);
            let choices = bar.rules.iter().cloned().enumerate();
            if let Some(rule) = choice_ui(ui, "rule", (&name, selected), &bar.rule, None, choices) {
                commands.push(Command::SelectRule(rule));
            }
        }
        let name = label(ui, "labels-values-are");
        let choices = bar.roles.iter().map(|c| (c.value, c.name.clone()));
        let shown = (name.as_str(), bar.role.as_str());
        if let Some(role) = choice_ui(ui, "values-are", shown, &bar.chosen_role, None, choices) {
            commands.push(Command::SetRole(role));
        }
        label(ui, "labels-allowed");
        self.range_ui(ui, state, bar, commands);
        if let Some(pill) = &bar.stated {
            pill_ui(ui, pill);
        }
        if bar.typed {
            let name = words.text("labels-allow-as-found");
            if ui
                .add(IconButton::new(Icon::Cross, &name).size(24.0))
                .clicked()
            {
                commands.push(Command::AllowAsFound);
            }
        }
        label(ui, "labels-ignore");
        if bar.ignored.is_empty() && self.ignore.is_none() {
            let c = theme::colors(ui);
            label_ui(ui, &words.text("labels-ignore-none"), theme::body(), c.text);
        }
        for ignored in &bar.ignored {
            ignored_ui(ui, state, ignored, commands);
        }
        self.add_ignored_ui(ui, state, commands);
    }

    fn range_ui(&mut self, ui: &mut Ui, state: &AppState, bar: &RuleBar, commands: &mut Commands) {
        let c = theme::colors(ui);
        let words = state.words;
        let ids = [Id::unique("labels-lo"), Id::unique("labels-hi")];
        let is_focused = |ui: &Ui| {
            ids.iter()
                .any(|&id| ui.memory(|memory| memory.has_focus(id)))
        };
        self.typing |= is_focused(ui);
        // What cannot be used stays to be mended.
        if !self.typing && state.labels.problem.is_none() {
            self.lo.clone_from(&bar.lo);
            self.hi.clone_from(&bar.hi);
        }
        let mut end = None;
        let width = |text: &str| (text.len() as f32 * 8.0 + 20.0).clamp(48.0, 120.0);
        for (index, (id, text)) in ids
            .into_iter()
            .zip([&mut self.lo, &mut self.hi])
            .enumerate()
        {
            let name = words.text(if index == 0 {
                "labels-allowed-lo"
            } else {
                "labels-allowed-hi"
            });
            if index == 1 {
                label_ui(ui, "–", theme::body(), c.weak);
            }
            let hint = if index == 1 { "?" } else { "" };
            let room = width(text);
            end = end.or(field_ui(ui, id, text, theme::code(), room, (&name, hint)));
        }
        // Going from one end to the other is not the end of typing.
        self.typing = is_focused(ui);
        let Some(end) = end.filter(|_| !self.typing) else {
            return;
        };
        let is_other = (&self.lo, &self.hi) != (&bar.lo, &bar.hi);
        if end == Typed::Done && is_other {
            commands.push(Command::SetAllowed {
                lo: self.lo.clone(),
                hi: self.hi.clone(),
            });
        } else if state.labels.problem.is_some() {
            commands.push(Command::TakeRangeBack);
        }
    }

    fn add_ignored_ui(&mut self, ui: &mut Ui, state: &AppState, commands: &mut Commands) {
        let name = state.words.text("labels-ignore-add");
        let Some(draft) = &mut self.ignore else {
            if ui
                .add(IconButton::new(Icon::Plus, &name).size(24.0))
                .clicked()
            {
                self.ignore = Some(String::new());
                ui.memory_mut(|memory| memory.request_focus(Id::unique("labels-ignore")));
            }
            return;
        };
        let id = Id::unique("labels-ignore");
        if let Some(end) = field_ui(ui, id, draft, theme::code(), 64.0, (&name, "-100")) {
            if end == Typed::Done && !draft.trim().is_empty() {
                commands.push(Command::IgnoreTyped(draft.clone()));
            }
            self.ignore = None;
        }
    }
}

/// The most that a card's name takes.
const DEVICE: f32 = 176.0;
const CHIP: f32 = 24.0;

/// How wide the list of devices is: its name, and room for the arrow.
fn choice_width(ui: &Ui, bar: &RuleBar) -> f32 {
    let color = theme::colors(ui).text;
    let text = galley(ui.painter(), bar.device.as_str(), theme::body(), color);
    (text.size().x + 36.0).ceil().min(DEVICE)
}

fn device_width(ui: &Ui, state: &AppState, bar: &RuleBar) -> f32 {
    let c = theme::colors(ui);
    let name = state.words.text("labels-check-on");
    let name = galley(ui.painter(), name.as_str(), theme::small(), c.weak);
    name.size().x + choice_width(ui, bar) + CHIP + 2.0 * GAP_SMALL
}

/// Who checks, and the check of the GPU itself.
fn device_ui(ui: &mut Ui, state: &AppState, bar: &RuleBar, commands: &mut Commands) {
    let c = theme::colors(ui);
    let words = state.words;
    let name = words.text("labels-check-on");
    label_ui(ui, &name, theme::small(), c.weak);
    let width = choice_width(ui, bar);
    let choices = bar.devices.iter().map(|c| (c.value, c.name.clone()));
    let shown = (name.as_str(), bar.device.as_str());
    let chosen = &bar.chosen_device;
    if let Some(device) = choice_ui(ui, "device", shown, chosen, Some(width), choices) {
        commands.push(Command::SetDevice(device));
    }
    let check = words.text("health-check");
    let about = words.text("health-about");
    let button = IconButton::new(Icon::Chip, &check).size(CHIP);
    let free = state.gpus.checking.is_none();
    let response = ui.add_enabled(free, button).on_hover_text(about);
    if response.clicked() {
        commands.push(Command::CheckGpu);
    }
}

/// What states the range.
fn pill_ui(ui: &mut Ui, pill: &Pill) {
    let c = theme::colors(ui);
    let (color, fill) = if pill.warning {
        (c.warning, c.warning_tint)
    } else {
        (c.text, c.button)
    };
    let text = galley(ui.painter(), pill.text.as_str(), theme::small(), color);
    let size = vec2(text.size().x + 34.0, 28.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &pill.text));
    ui.painter().rect_filled(rect, RADIUS, fill);
    let icon = Rect::from_center_size(rect.left_center() + vec2(15.0, 0.0), vec2(13.0, 13.0));
    let shape = if pill.warning {
        Icon::Warning
    } else {
        Icon::Sliders
    };
    icons::paint(ui.painter(), shape, icon, color);
    let at = egui::pos2(rect.left() + 27.0, rect.center().y - text.size().y / 2.0);
    ui.painter().galley(at, text, color);
    if !pill.tooltip.is_empty() {
        response.on_hover_text(&pill.tooltip);
    }
}

/// A value that is skipped; a click on its cross takes it back.
fn ignored_ui(ui: &mut Ui, state: &AppState, ignored: &Ignored, commands: &mut Commands) {
    let c = theme::colors(ui);
    let name = state.words.with(
        "labels-stop-ignoring",
        &[("value", Arg::Text(&ignored.text))],
    );
    let text = galley(ui.painter(), ignored.text.as_str(), theme::code(), c.text);
    let size = vec2(text.size().x + 32.0, 28.0);
    let (rect, response): (Rect, Response) = ui.allocate_exact_size(size, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), &name));
    ui.painter().rect(
        rect,
        RADIUS,
        if response.hovered() {
            c.button
        } else {
            c.field
        },
        Stroke::new(1.0, c.field_border),
        StrokeKind::Inside,
    );
    let at = egui::pos2(rect.left() + 8.0, rect.center().y - text.size().y / 2.0);
    ui.painter().galley(at, text, c.text);
    let cross = Rect::from_center_size(rect.right_center() - vec2(13.0, 0.0), vec2(11.0, 11.0));
    icons::paint(ui.painter(), Icon::Cross, cross, c.weak);
    focus_ring(ui, &response);
    if response.on_hover_text(&name).clicked() {
        commands.push(Command::StopIgnoring(ignored.value));
    }
}
