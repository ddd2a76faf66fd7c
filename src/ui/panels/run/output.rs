//! What the run prints: time, stream, text; the newest line in sight while that is followed.

use eframe::egui;
use egui::{
    Align, Frame, Id, Layout, Margin, Rect, Role, ScrollArea, Sense, Stroke, Ui, WidgetInfo, vec2,
};

use crate::app::run_view::{Output, OutputFilter, OutputRow, RowLine, clock};
use crate::app::{AppState, Command, Run, Tone};
use crate::rerun::StreamName;
use crate::ui::Commands;
use crate::ui::icons::{self, Icon};
use crate::ui::theme::{self, GAP, GAP_SMALL, RADIUS};
use crate::ui::widgets::{
    Chip, cut_galley, edit_ui, focus_ring, galley, label_ui, paint_pill, pill_galley,
};
use crate::words::{Arg, Words};

const ROW: f32 = 20.0;
/// Right edge of the times, left edge of the streams and of the text.
const TIME: f32 = 60.0;
const STREAM: f32 = 70.0;
const TEXT: f32 = 122.0;

/// Scroll and drafts of the output.
#[derive(Debug, Default)]
pub(super) struct OutputPanel {
    draft: String,
    focus: bool,
    followed: bool,
}

impl OutputPanel {
    pub(super) fn focus_search(&mut self) {
        self.focus = true;
    }

    pub(super) fn ui(&mut self, ui: &mut Ui, state: &AppState, run: &Run, commands: &mut Commands) {
        self.tools_ui(ui, state, run, commands);
        ui.add_space(GAP_SMALL);
        self.rows_ui(ui, state, &run.output, commands);
    }

    fn tools_ui(&mut self, ui: &mut Ui, state: &AppState, run: &Run, commands: &mut Commands) {
        let c = theme::colors(ui);
        let words = state.words;
        let output = &run.output;
        let narrow = ui.available_width() < 720.0;
        ui.horizontal(|ui| {
            ui.set_min_height(28.0);
            ui.spacing_mut().item_spacing.x = 6.0;
            let title = words.text("rerun-output");
            label_ui(ui, &title, theme::semibold(16.0), c.text);
            if !narrow {
                let count = [("count", Arg::Number(output.total))];
                let lines = words.with("rerun-output-lines", &count);
                label_ui(ui, &lines, theme::small(), c.weak);
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.spacing_mut().item_spacing.x = 6.0;
                let follow = words.text("rerun-follow");
                let icon = if output.follow {
                    Icon::Tick
                } else {
                    Icon::ChevronDown
                };
                let chip = Chip::new(&follow, "", output.follow).icon(icon, c.accent);
                if ui.add(chip).clicked() {
                    commands.push(Command::FollowOutput(!output.follow));
                }
                let id = Id::unique("output-search");
                if !ui.memory(|memory| memory.has_focus(id)) {
                    self.draft.clone_from(&output.search);
                }
                let name = words.text("rerun-search");
                let width = if narrow { 120.0 } else { 180.0 };
                let names = (name.as_str(), name.as_str());
                let response = edit_ui(ui, id, &mut self.draft, theme::body(), width, names);
                if std::mem::take(&mut self.focus) {
                    response.request_focus();
                }
                if response.lost_focus() && ui.input(|i| i.key_pressed(egui::Key::Escape)) {
                    self.draft.clear();
                    commands.push(Command::SearchOutput(String::new()));
                } else if response.changed() {
                    commands.push(Command::SearchOutput(self.draft.clone()));
                }
                for filter in OutputFilter::ALL.into_iter().rev() {
                    let text = words.text(filter_id(filter));
                    if ui
                        .add(Chip::new(&text, "", output.filter == filter))
                        .clicked()
                    {
                        commands.push(Command::SetOutputFilter(filter));
                    }
                }
            });
        });
    }

    fn rows_ui(&mut self, ui: &mut Ui, state: &AppState, output: &Output, commands: &mut Commands) {
        let c = theme::colors(ui);
        let words = state.words;
        let begins_to_follow = output.follow && !self.followed;
        self.followed = output.follow;
        Frame::new()
            .fill(c.log_background)
            .stroke(Stroke::new(1.0, c.border))
            .corner_radius(RADIUS)
            .inner_margin(Margin::symmetric(0, 6))
            .show(ui, |ui| {
                ui.set_min_size(ui.available_size());
                let rows = output.rows();
                if rows.is_empty() {
                    ui.add_space(6.0);
                    ui.horizontal(|ui| {
                        ui.add_space(16.0);
                        let id = match output.total {
                            0 if state.run_goes_on() => "rerun-output-none",
                            0 => "rerun-said-nothing",
                            _ => "rerun-output-none-shown",
                        };
                        label_ui(ui, &words.text(id), theme::body(), c.weak);
                    });
                    return;
                }
                let mut scroll = ScrollArea::vertical()
                    .id_salt("run-output")
                    .auto_shrink(false)
                    .stick_to_bottom(output.follow);
                if begins_to_follow {
                    scroll = scroll.vertical_scroll_offset(rows.len() as f32 * ROW);
                }
                let shown = scroll.show_rows(ui, ROW, rows.len(), |ui, range| {
                    ui.spacing_mut().item_spacing = egui::Vec2::ZERO;
                    for row in rows.get(range).unwrap_or_default() {
                        row_ui(ui, words, output, row, commands);
                    }
                });
                // Who scrolls up wants to read: the newest line does not pull away any more.
                let end = shown.content_size.y - shown.inner_rect.height();
                let away = end - shown.state.clamped_offset().y > ROW;
                let scrolled = ui.input(|input| {
                    input.smooth_scroll_delta().y > 0.0
                        || (input.pointer.primary_down() && input.pointer.delta().y < 0.0)
                });
                if output.follow && away && scrolled && !begins_to_follow {
                    commands.push(Command::FollowOutput(false));
                }
            });
    }
}

fn filter_id(filter: OutputFilter) -> &'static str {
    match filter {
        OutputFilter::All => "rerun-filter-all",
        OutputFilter::Output => "rerun-filter-output",
        OutputFilter::Errors => "rerun-filter-errors",
        OutputFilter::Guard => "rerun-filter-guard",
    }
}

fn row_ui(ui: &mut Ui, words: Words, output: &Output, row: &OutputRow, commands: &mut Commands) {
    let c = theme::colors(ui);
    let size = vec2(ui.available_width(), ROW);
    match row {
        OutputRow::Earlier(count) => {
            let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
            let text = words.with("rerun-earlier", &[("count", Arg::Number(*count))]);
            response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &text));
            let said = galley(ui.painter(), text, theme::small(), c.weak);
            let at = egui::pos2(rect.left() + TEXT, rect.center().y - said.size().y / 2.0);
            ui.painter().galley(at, said, c.weak);
        }
        OutputRow::Fold {
            first,
            from,
            count,
            open,
        } => {
            let Some((since, until, example)) = output.fold(*from, *count) else {
                return;
            };
            let (rect, response) = ui.allocate_exact_size(size, Sense::click());
            let text = words.with("rerun-fold", &[("count", Arg::Number(*count as u64))]);
            response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &text));
            ui.painter().rect_filled(rect, 0, c.button);
            let icon = if *open {
                Icon::ChevronDown
            } else {
                Icon::ChevronRight
            };
            let place = Rect::from_center_size(
                egui::pos2(rect.left() + TIME + 14.0, rect.center().y),
                vec2(12.0, 12.0),
            );
            icons::paint(ui.painter(), icon, place, c.weak);
            let times = format!("{}–{}", clock(since), clock(until));
            let times = galley(ui.painter(), times, theme::small(), c.weak);
            let times_left = rect.right() - times.size().x - 16.0;
            let middle = |height: f32| rect.center().y - height / 2.0;
            let at = egui::pos2(times_left, middle(times.size().y));
            ui.painter().galley(at, times, c.weak);
            let said = galley(ui.painter(), text, theme::small(), c.text);
            let at = egui::pos2(rect.left() + TEXT, middle(said.size().y));
            let next = at.x + said.size().x + GAP;
            ui.painter().galley(at, said, c.text);
            let room = times_left - next - GAP;
            let example = cut_galley(ui.painter(), example, theme::small(), c.weak, room);
            let at = egui::pos2(next, middle(example.size().y));
            ui.painter().galley(at, example, c.weak);
            focus_ring(ui, &response);
            if response.clicked() {
                commands.push(Command::ToggleOutputFold(*first));
            }
        }
        OutputRow::Line(_) | OutputRow::Unfinished => {
            if let Some(line) = output.line(row) {
                line_ui(ui, words, line, size);
            }
        }
    }
}

fn line_ui(ui: &mut Ui, words: Words, line: RowLine<'_>, size: egui::Vec2) {
    let c = theme::colors(ui);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, line.text));
    let small = egui::FontId::new(12.0, theme::code().family);
    let middle = |height: f32| rect.center().y - height / 2.0;
    if let Some(ms) = line.ms {
        let time = galley(ui.painter(), clock(ms), small.clone(), c.faint);
        let at = egui::pos2(rect.left() + TIME - time.size().x, middle(time.size().y));
        ui.painter().galley(at, time, c.faint);
    }
    // The names of the streams are names.
    let (stream, color) = match line.stream {
        StreamName::Out => ("out", c.weak),
        StreamName::Err => ("err", c.warning),
        StreamName::Guard => ("guard", c.accent_strong),
    };
    let stream = galley(ui.painter(), stream, small, color);
    let at = egui::pos2(rect.left() + STREAM, middle(stream.size().y));
    ui.painter().galley(at, stream, color);
    let pill = line.is_past.then(|| {
        let text = words.text("rerun-past-here");
        pill_galley(ui.painter(), &text, Tone::Good, c)
    });
    let pill_width = pill.as_ref().map_or(0.0, |pill| pill.size().x + 24.0);
    let room = rect.right() - rect.left() - TEXT - 12.0 - pill_width;
    let text = cut_galley(ui.painter(), line.text, theme::code(), c.text, room);
    let (end, cut) = (rect.left() + TEXT + text.size().x, text.elided);
    let at = egui::pos2(rect.left() + TEXT, middle(text.size().y));
    ui.painter().galley(at, text, c.text);
    if let Some(pill) = pill {
        let at = egui::pos2(end + GAP, rect.center().y);
        paint_pill(ui.painter(), at, pill, Tone::Good, c);
    }
    if cut {
        response.on_hover_ui_at_pointer(|ui| {
            ui.set_max_width(720.0);
            let shown: String = line.text.chars().take(2_000).collect();
            crate::ui::widgets::paragraph_ui(ui, &shown, theme::code(), c.text);
        });
    }
}
