//! The log: a window onto any number of rows.
//!
//! The place is kept as a row and points into it, never as points from the top: `f32` has no room
//! for the points of fifty million rows. Nothing is read or decoded here; rows that are not loaded
//! yet are drawn as placeholders and asked for.

use std::ops::Range;

use eframe::egui;
use egui::text::{LayoutJob, TextFormat};
use egui::{
    Color32, EventFilter, Id, Key, Painter, Pos2, Rect, Response, Role, Sense, Stroke, StrokeKind,
    Ui, WidgetInfo, vec2,
};

use super::overview_bar::{self, Shown, overview_bar_ui};
use super::pill::{paint_pill, pill_galley};
use super::text::{format, galley};
use crate::app::{AppState, Command, Gutter, LineRow, LogFilter, LogView, Row};
use crate::ui::Commands;
use crate::ui::icons::{self, Icon};
use crate::ui::theme::{self, Colors, RADIUS};
use crate::words::Words;

const LINE_HEIGHT: f32 = 20.0;
const FOLD_HEIGHT: f32 = 24.0;
/// Room above the first row.
const TOP: f32 = 4.0;
/// Width of the line numbers, and of the marks beside them.
const NUMBERS: f32 = 52.0;
const GUTTER: f32 = 22.0;
/// A flash fades over this many seconds.
const FLASH_SECONDS: f64 = 0.9;
/// Rows before and after the shown ones that are asked for with them.
const MARGIN_ROWS: usize = 100;
/// A line is laid out to at most this many bytes; the copy has it whole.
const SHOWN_BYTES: usize = 4000;
/// At most this many rows can be selected at a time.
const SELECTION_MAX: usize = 10_000;

/// Where the log is scrolled to, and what is selected. Belongs to the panel, not to the state.
#[derive(Debug, Default)]
pub struct LogScroll {
    place: Place,
    /// Points scrolled to the right.
    x: f32,
    /// Width of the widest line seen, for scrolling to the right.
    widest: f32,
    /// Line that is to be seen in the first frame.
    start: Option<u64>,
    /// Last scroll request that was followed.
    followed: u64,
    flash: Option<Flash>,
    /// Selected rows: where it began, where it ends; both included.
    selection: Option<(usize, usize)>,
    filter: LogFilter,
    /// Line at the top, to keep the place when other rows are shown.
    top_line: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Place {
    /// The row at the top.
    row: usize,
    /// Points of it that are above the top.
    offset: f32,
}

#[derive(Clone, Copy, Debug)]
struct Flash {
    line: u64,
    since: f64,
}

/// A row on screen.
struct Visible {
    index: usize,
    rect: Rect,
}

impl LogScroll {
    /// Begins where a line is seen: at the top of the log, unless the line is further down.
    pub fn starting_at(line: Option<u64>) -> Self {
        Self {
            start: line,
            ..Self::default()
        }
    }

    /// Draws the log into the rest of the ui.
    pub fn ui(&mut self, ui: &mut Ui, state: &AppState, commands: &mut Commands) {
        let c = theme::colors(ui);
        let words = state.words;
        let view = &state.view;
        let whole = ui.available_rect_before_wrap();
        ui.advance_cursor_after_rect(whole);
        ui.painter().rect(
            whole,
            RADIUS,
            c.log_background,
            Stroke::new(1.0, c.border),
            StrokeKind::Inside,
        );
        let inside = whole.shrink(1.0);
        let mut area = inside;
        area.max.x -= overview_bar::WIDTH;
        let bar = Rect::from_min_max(egui::pos2(area.right(), inside.top()), inside.max);

        let id = Id::unique("log-rows");
        let response = ui.interact(area, id, Sense::click_and_drag());
        let name = words.text("ui-log-lines");
        response.widget_info(|| WidgetInfo::labeled(Role::List, ui.is_enabled(), &name));

        self.begin(view, area);
        self.keep_place(state);
        self.follow_requests(ui, state, area);
        self.scroll_by_input(ui, view, area, &response);
        self.clamp(view, area);

        let visible = visible_rows(view, self.place, area);
        self.top_line = visible
            .first()
            .and_then(|first| line_of_row(view, first.index))
            .unwrap_or(self.top_line);
        self.select_by_pointer(ui, view, &visible, &response);
        self.paint_rows(ui, state, area, &visible, id, commands);
        self.horizontal_bar_ui(ui, area, id);
        self.context_menu(&response, state, commands);
        if response.has_focus() {
            ui.painter().rect_stroke(
                whole,
                RADIUS,
                Stroke::new(1.5, c.accent),
                StrokeKind::Inside,
            );
        }
        self.copy_by_key(ui, state, &response, commands);

        let shown = shown_rows(&visible, area);
        let row_y = |row: usize| y_of_row(&visible, row);
        let name = words.text("ui-overview");
        let asked = overview_bar_ui(ui, bar, id.with("overview"), &name, view, &shown, &row_y);
        if let Some(row) = asked {
            let rows_shown = (f64::from(area.height()) / f64::from(LINE_HEIGHT)) as usize;
            self.place = Place {
                row: (row as usize).saturating_sub(rows_shown / 2),
                offset: 0.0,
            };
            self.clamp(view, area);
            ui.request_repaint();
        }
        ask_for_rows(view, &visible, commands);
    }

    fn begin(&mut self, view: &LogView, area: Rect) {
        let Some(row) = self.start.take().and_then(|line| view.row_of_line(line)) else {
            return;
        };
        let fit = (area.height() / LINE_HEIGHT) as usize;
        if row + 2 >= fit {
            self.place.row = row.saturating_sub(fit / 3);
        }
    }

    /// Keeps the line at the top where it is when a filter shows other rows.
    fn keep_place(&mut self, state: &AppState) {
        if self.filter != state.filter {
            self.filter = state.filter;
            self.selection = None;
            let row = state.view.row_of_line(self.top_line).unwrap_or(0);
            self.place = Place { row, offset: 0.0 };
        }
    }

    /// Scrolls to a line that was asked for, into the upper third, and flashes it.
    fn follow_requests(&mut self, ui: &Ui, state: &AppState, area: Rect) {
        let Some((line, counter)) = state.scroll_to else {
            return;
        };
        if counter == self.followed {
            return;
        }
        self.followed = counter;
        self.flash = Some(Flash {
            line,
            since: ui.input(|input| input.time),
        });
        let Some(row) = state.view.row_of_line(line) else {
            return;
        };
        let visible = visible_rows(&state.view, self.place, area);
        let in_sight = visible
            .iter()
            .any(|v| v.index == row && area.shrink(LINE_HEIGHT).contains_rect(v.rect));
        if !in_sight {
            let above = (area.height() / 3.0 / LINE_HEIGHT) as usize;
            self.place = Place {
                row: row.saturating_sub(above),
                offset: 0.0,
            };
            self.x = 0.0;
        }
    }

    fn scroll_by_input(&mut self, ui: &Ui, view: &LogView, area: Rect, response: &Response) {
        let mut delta = egui::Vec2::ZERO;
        if response.contains_pointer() {
            delta = ui.input(egui::InputState::smooth_scroll_delta);
        }
        if response.has_focus() {
            let filter = EventFilter {
                vertical_arrows: true,
                horizontal_arrows: true,
                ..EventFilter::default()
            };
            ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
            let page = area.height() - 2.0 * LINE_HEIGHT;
            for (key, step) in [
                (Key::ArrowUp, vec2(0.0, LINE_HEIGHT)),
                (Key::ArrowDown, vec2(0.0, -LINE_HEIGHT)),
                (Key::ArrowLeft, vec2(40.0, 0.0)),
                (Key::ArrowRight, vec2(-40.0, 0.0)),
                (Key::PageUp, vec2(0.0, page)),
                (Key::PageDown, vec2(0.0, -page)),
            ] {
                delta += step * ui.input(|input| input.num_presses(key)) as f32;
            }
            if ui.input(|input| input.key_pressed(Key::Home)) {
                self.place = Place::default();
            }
            if ui.input(|input| input.key_pressed(Key::End)) {
                self.place.row = view.row_count();
            }
        }
        // A drag beyond the edge scrolls, so that more than what is shown can be selected.
        if response.dragged()
            && let Some(pointer) = response.interact_pointer_pos()
        {
            let beyond = (area.top() - pointer.y).max(0.0) - (pointer.y - area.bottom()).max(0.0);
            if beyond != 0.0 {
                delta.y += beyond.clamp(-60.0, 60.0);
                ui.request_repaint();
            }
        }
        self.x -= delta.x;
        self.scroll_by(view, -delta.y);
    }

    /// Scrolls down by points, row by row; up where they are negative.
    fn scroll_by(&mut self, view: &LogView, points: f32) {
        let place = &mut self.place;
        place.offset += points;
        while place.offset < 0.0 && place.row > 0 {
            place.row -= 1;
            place.offset += row_height(view, place.row);
        }
        place.offset = place.offset.max(0.0);
        while place.row < view.row_count() && place.offset >= row_height(view, place.row) {
            place.offset -= row_height(view, place.row);
            place.row += 1;
        }
    }

    /// Keeps the last row at the bottom, and the widest line's end at the right.
    fn clamp(&mut self, view: &LogView, area: Rect) {
        let room = text_width(area);
        // The last row does not lie under the bar.
        let bar = if self.widest > room { 8.0 } else { 0.0 };
        let last = last_place(view, area.height() - 2.0 * TOP - bar);
        let beyond = self.place.row > last.row
            || (self.place.row == last.row && self.place.offset > last.offset);
        if beyond {
            self.place = last;
        }
        self.x = self.x.clamp(0.0, (self.widest - room).max(0.0));
    }

    fn select_by_pointer(
        &mut self,
        ui: &Ui,
        view: &LogView,
        visible: &[Visible],
        response: &Response,
    ) {
        let row_at = |pointer: Pos2| {
            let below = visible
                .iter()
                .take_while(|v| v.rect.top() <= pointer.y)
                .last();
            below.or(visible.first()).map(|v| v.index)
        };
        let pointer = response.interact_pointer_pos();
        let Some(row) = pointer.and_then(row_at) else {
            return;
        };
        let shift = ui.input(|input| input.modifiers.shift);
        let limited = |from: usize, to: usize| {
            let low = from.saturating_sub(SELECTION_MAX);
            (from, to.clamp(low, from + SELECTION_MAX))
        };
        if response.drag_started() {
            response.request_focus();
            // The drag begins where the button went down, not where it was noticed.
            let origin = ui
                .input(|input| input.pointer.press_origin())
                .and_then(row_at)
                .unwrap_or(row);
            self.selection = Some((origin, row));
        } else if response.dragged() {
            if let Some((from, _)) = self.selection {
                self.selection = Some(limited(from, row));
            }
        } else if response.secondary_clicked() {
            let inside = self.selection.is_some_and(|s| selected(s).contains(&row));
            if !inside {
                self.selection = Some((row, row));
            }
        } else if response.clicked() {
            response.request_focus();
            self.selection = match self.selection {
                Some((from, _)) if shift => Some(limited(from, row)),
                Some((from, to)) if from == to && from == row => None,
                _ => Some((row, row)),
            };
        }
        let last = view.row_count().saturating_sub(1);
        if let Some((from, to)) = &mut self.selection {
            *from = (*from).min(last);
            *to = (*to).min(last);
        }
    }

    fn paint_rows(
        &mut self,
        ui: &Ui,
        state: &AppState,
        area: Rect,
        visible: &[Visible],
        id: Id,
        commands: &mut Commands,
    ) {
        let flash = self.flash_strength(ui);
        let mut text_area = area;
        text_area.min.x += NUMBERS + GUTTER;
        let mut painter = RowPainter {
            ui,
            c: theme::colors(ui),
            words: state.words,
            painter: ui.painter_at(area),
            text_painter: ui.painter_at(text_area),
            current_match: state
                .search
                .current
                .and_then(|current| state.search.lines.get(current).copied()),
            x: self.x,
            widest: 0.0,
        };
        for row in visible {
            let is_selected = self
                .selection
                .is_some_and(|s| selected(s).contains(&row.index));
            let row_id = id.with(("row", row.index));
            match state.view.row(row.index) {
                Some(Row::Line(line)) => {
                    let flash = flash
                        .filter(|(number, _)| *number == line.number)
                        .map(|(_, strength)| strength);
                    painter.line(line, row.rect, row_id, is_selected, flash);
                }
                Some(Row::Loading { number, gutter }) => {
                    painter.loading(number, gutter, row.rect);
                }
                Some(Row::Fold {
                    fold,
                    lines,
                    text,
                    open,
                    ..
                }) => {
                    let flash = flash
                        .filter(|(number, _)| !open && lines.contains(number))
                        .map(|(_, strength)| strength);
                    let lines = (*lines.start(), *lines.end());
                    if painter.fold(lines, text, open, row.rect, row_id, flash) {
                        commands.push(Command::ToggleFold(fold));
                    }
                }
                Some(Row::End(text)) => painter.end(text, row.rect, row_id),
                None => {}
            }
        }
        self.widest = if visible.len() < state.view.row_count() {
            self.widest.max(painter.widest)
        } else {
            painter.widest
        };
    }

    /// The flashing line and how strongly it flashes; asks for the next frame while it does.
    fn flash_strength(&mut self, ui: &Ui) -> Option<(u64, f32)> {
        let flash = self.flash?;
        let age = ui.input(|input| input.time) - flash.since;
        if !(0.0..FLASH_SECONDS).contains(&age) {
            self.flash = None;
            return None;
        }
        ui.request_repaint_after(std::time::Duration::from_millis(33));
        Some((flash.line, (1.0 - age / FLASH_SECONDS) as f32))
    }

    /// A thin bar below the lines while some do not fit.
    fn horizontal_bar_ui(&mut self, ui: &Ui, area: Rect, id: Id) {
        let room = text_width(area);
        if self.widest <= room {
            return;
        }
        let c = theme::colors(ui);
        let track = Rect::from_min_max(
            egui::pos2(area.left() + NUMBERS + GUTTER, area.bottom() - 10.0),
            area.max,
        );
        let response = ui.interact(track, id.with("horizontal"), Sense::click_and_drag());
        let part = room / self.widest;
        let width = (track.width() * part).max(THUMB_MIN);
        let travel = track.width() - width;
        let range = self.widest - room;
        if response.dragged() && travel > 0.0 {
            self.x = (self.x + response.drag_delta().x / travel * range).clamp(0.0, range);
        }
        let left = track.left() + travel * (self.x / range).clamp(0.0, 1.0);
        let active = response.hovered() || response.dragged();
        let height = if active { 8.0 } else { 4.0 };
        let thumb = Rect::from_min_size(
            egui::pos2(left, area.bottom() - height - 1.0),
            vec2(width, height),
        );
        let strength = if active { 0.7 } else { 0.35 };
        ui.painter()
            .rect_filled(thumb, 2, c.mark.gamma_multiply(strength));
    }

    fn context_menu(&self, response: &Response, state: &AppState, commands: &mut Commands) {
        let words = state.words;
        response.context_menu(|ui| {
            let rows = self.selection.map(selected);
            let count = rows.as_ref().map_or(0, ExactSizeIterator::len);
            let id = if count > 1 {
                "ui-copy-lines"
            } else {
                "ui-copy-line"
            };
            let enabled = rows.is_some();
            let copy = egui::Button::new(words.text(id)).shortcut_text("Ctrl+C");
            if ui.add_enabled(enabled, copy).clicked() {
                if let Some(rows) = rows {
                    copy_rows(ui, &state.view, rows, commands);
                }
                ui.close();
            }
        });
    }

    fn copy_by_key(&self, ui: &Ui, state: &AppState, response: &Response, commands: &mut Commands) {
        let Some(selection) = self.selection.filter(|_| response.has_focus()) else {
            return;
        };
        let copy = ui.input(|input| input.events.iter().any(|e| matches!(e, egui::Event::Copy)));
        if copy {
            copy_rows(ui, &state.view, selected(selection), commands);
        }
    }
}

const THUMB_MIN: f32 = 28.0;

fn selected((from, to): (usize, usize)) -> Range<usize> {
    from.min(to)..from.max(to) + 1
}

/// Puts rows on the clipboard: lines whole and without their notes; a closed fold as what it says.
fn copy_rows(ui: &Ui, view: &LogView, rows: Range<usize>, commands: &mut Commands) {
    let mut text = String::new();
    for row in rows {
        match view.row(row) {
            Some(Row::Line(line)) => text.push_str(line.whole.as_deref().unwrap_or(&line.text)),
            Some(Row::Fold {
                text: fold,
                open: false,
                ..
            }) => {
                text.push_str("[… ");
                text.push_str(fold);
                text.push(']');
            }
            Some(Row::Loading { .. }) => text.push_str("[…]"),
            Some(Row::Fold { open: true, .. } | Row::End(_)) | None => continue,
        }
        text.push('\n');
    }
    if !text.is_empty() {
        ui.copy_text(text);
        commands.push(Command::Copied);
    }
}

fn row_height(view: &LogView, row: usize) -> f32 {
    match view.row(row) {
        Some(Row::Fold { .. } | Row::End(_)) => FOLD_HEIGHT,
        _ => LINE_HEIGHT,
    }
}

fn text_width(area: Rect) -> f32 {
    area.width() - NUMBERS - GUTTER - 12.0
}

/// The place at which the last row stands at the bottom.
fn last_place(view: &LogView, height: f32) -> Place {
    let mut left = height;
    let mut row = view.row_count();
    while row > 0 {
        let row_height = row_height(view, row - 1);
        row -= 1;
        if row_height >= left {
            return Place {
                row,
                offset: row_height - left,
            };
        }
        left -= row_height;
    }
    Place::default()
}

fn visible_rows(view: &LogView, place: Place, area: Rect) -> Vec<Visible> {
    let mut rows = Vec::with_capacity(64);
    let mut y = area.top() + TOP - place.offset;
    for index in place.row..view.row_count() {
        if y >= area.bottom() {
            break;
        }
        let height = row_height(view, index);
        rows.push(Visible {
            index,
            rect: Rect::from_x_y_ranges(area.x_range(), y..=y + height),
        });
        y += height;
    }
    rows
}

/// Top of a row that is on screen; the end of the last one for the row after it.
fn y_of_row(visible: &[Visible], row: usize) -> Option<f32> {
    let found = visible.iter().find(|v| v.index == row);
    let last = visible.last().filter(|last| last.index + 1 == row);
    found
        .map(|v| v.rect.top())
        .or(last.map(|v| v.rect.bottom()))
}

fn shown_rows(visible: &[Visible], area: Rect) -> Shown {
    let part = |v: &Visible, y: f32| f64::from((y - v.rect.top()) / v.rect.height());
    let first = visible.first().map_or(0.0, |v| {
        v.index as f64 + part(v, area.top() + TOP).clamp(0.0, 1.0)
    });
    let end = visible.last().map_or(0.0, |v| {
        v.index as f64 + part(v, area.bottom()).clamp(0.0, 1.0)
    });
    Shown { first, end }
}

/// Asks for the rows on screen and some around them, where one on screen is not loaded.
fn ask_for_rows(view: &LogView, visible: &[Visible], commands: &mut Commands) {
    let (Some(first), Some(last)) = (visible.first(), visible.last()) else {
        return;
    };
    let missing = visible
        .iter()
        .any(|v| matches!(view.row(v.index), Some(Row::Loading { .. })));
    if missing {
        let end = (last.index + 1 + MARGIN_ROWS).min(view.row_count());
        commands.push(Command::RowsNeeded(
            first.index.saturating_sub(MARGIN_ROWS)..end,
        ));
    }
}

fn line_of_row(view: &LogView, row: usize) -> Option<u64> {
    match view.row(row)? {
        Row::Line(line) => Some(line.number),
        Row::Loading { number, .. } => Some(number),
        Row::Fold { lines, .. } => Some(*lines.start()),
        Row::End(_) => None,
    }
}

/// Paints single rows.
struct RowPainter<'a> {
    ui: &'a Ui,
    c: &'static Colors,
    words: Words,
    /// Clips to the log.
    painter: Painter,
    /// Clips to the text right of the marks.
    text_painter: Painter,
    current_match: Option<u64>,
    x: f32,
    /// Width of the widest line painted.
    widest: f32,
}

impl RowPainter<'_> {
    fn line(&mut self, line: &LineRow, rect: Rect, id: Id, is_selected: bool, flash: Option<f32>) {
        let c = self.c;
        let failed_check = line.emphasis.is_some() && line.gutter == Some(Gutter::Assertion);
        if failed_check {
            self.painter.rect_filled(rect, 0, c.danger_tint);
        }
        if is_selected {
            self.painter
                .rect_filled(rect, 0, c.accent.gamma_multiply(0.25));
        }
        if let Some(strength) = flash {
            self.painter
                .rect_filled(rect, 0, c.accent.gamma_multiply(0.5 * strength));
        }
        let number_color = if failed_check { c.danger } else { c.faint };
        self.number(line.number, rect, number_color);
        self.gutter(line.gutter, rect);

        let galley = self.ui.painter().layout_job(self.line_job(line));
        let width = galley.size().x;
        let left = rect.left() + NUMBERS + GUTTER;
        let at = egui::pos2(left - self.x, rect.center().y - galley.size().y / 2.0);
        self.text_painter.galley(at, galley, c.text);

        let response = self.ui.interact(rect, id, Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &line.text));
        let tags_width = self.tags(line, rect, left - self.x + width, id);
        let overflows = width + tags_width > rect.right() - left - 12.0;
        self.widest = self.widest.max(width + tags_width + 8.0);
        let whole = line.whole.as_deref();
        if whole.is_some() || overflows {
            let text = whole.unwrap_or(&line.text);
            // Laid out only while the tooltip is open.
            response.on_hover_ui_at_pointer(|ui| {
                let (text, more) = cut(text, 2000);
                let mut job = LayoutJob::single_section(
                    text.to_owned(),
                    format(theme::code(), ui.visuals().text_color()),
                );
                if more {
                    job.append("…", 0.0, format(theme::code(), ui.visuals().text_color()));
                }
                job.wrap.break_anywhere = true;
                ui.add(egui::Label::new(job).wrap());
            });
        }
    }

    /// Pills after the text, or at the right edge where the text is longer. Returns the width they need.
    fn tags(&self, line: &LineRow, rect: Rect, text_end: f32, id: Id) -> f32 {
        if line.tags.is_empty() {
            return 0.0;
        }
        let c = self.c;
        let galleys: Vec<_> = line
            .tags
            .iter()
            .map(|tag| (tag, pill_galley(self.ui.painter(), &tag.text, tag.tone, c)))
            .collect();
        let width: f32 = galleys.iter().map(|(_, g)| g.size().x + 12.0 + 8.0).sum();
        let mut x = (text_end + 12.0).min(rect.right() - width);
        if x < text_end + 12.0 {
            // The pills stand on the text: hide what is under them.
            let cover = Rect::from_x_y_ranges(x - 8.0..=rect.right(), rect.y_range());
            self.painter.rect_filled(cover, 0, c.log_background);
        }
        for (index, (tag, galley)) in galleys.into_iter().enumerate() {
            let at = egui::pos2(x, rect.center().y);
            let pill = paint_pill(&self.text_painter, at, galley, tag.tone, c);
            let response = self
                .ui
                .interact(pill, id.with(("tag", index)), Sense::hover());
            response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &tag.text));
            x = pill.right() + 8.0;
        }
        width + 12.0
    }

    fn line_job(&self, line: &LineRow) -> LayoutJob {
        let c = self.c;
        let (text, more) = cut(&line.text, SHOWN_BYTES);
        let plain = if line.placeholder {
            format(theme::small(), c.weak)
        } else {
            format(theme::code(), c.text)
        };
        let mut job = LayoutJob {
            break_on_newline: false,
            ..LayoutJob::default()
        };
        let current = self.current_match == Some(line.number);
        let mut cuts: Vec<usize> = vec![0, text.len()];
        for range in line.emphasis.iter().chain(&line.matches) {
            cuts.extend([range.start, range.end]);
        }
        cuts.retain(|&at| text.is_char_boundary(at));
        cuts.sort_unstable();
        cuts.dedup();
        for pair in cuts.windows(2) {
            let [from, to] = *pair else { continue };
            let Some(piece) = text.get(from..to) else {
                continue;
            };
            let inside = |range: &Range<usize>| range.start <= from && to <= range.end;
            let mut piece_format: TextFormat = plain.clone();
            if line.emphasis.as_ref().is_some_and(inside) {
                piece_format.color = c.danger;
            }
            if line.matches.iter().any(inside) {
                if current {
                    piece_format.background = c.accent;
                    piece_format.color = c.on_accent;
                } else {
                    piece_format.background = c.match_tint;
                }
            }
            job.append(piece, 0.0, piece_format);
        }
        if more {
            job.append("…", 0.0, format(theme::code(), c.weak));
        }
        job
    }

    fn loading(&self, number: u64, gutter: Option<Gutter>, rect: Rect) {
        self.number(number, rect, self.c.faint);
        self.gutter(gutter, rect);
        // Widths that differ look like text rather than like a table.
        let width = 80.0 + ((number.wrapping_mul(2_654_435_761) >> 8) % 240) as f32;
        let bar = Rect::from_min_size(
            egui::pos2(rect.left() + NUMBERS + GUTTER, rect.center().y - 4.0),
            vec2(width, 8.0),
        );
        self.text_painter.rect_filled(bar, 4, self.c.button);
    }

    /// Returns whether the fold was clicked.
    fn fold(
        &self,
        lines: (u64, u64),
        text: &str,
        open: bool,
        rect: Rect,
        id: Id,
        flash: Option<f32>,
    ) -> bool {
        let c = self.c;
        let response = self.ui.interact(rect, id, Sense::click());
        response.widget_info(|| {
            WidgetInfo::selected(Role::DisclosureTriangle, self.ui.is_enabled(), open, text)
        });
        let fill = if response.hovered() {
            c.button_hovered
        } else {
            c.button
        };
        self.painter.rect_filled(rect, 0, fill);
        if let Some(strength) = flash {
            self.painter
                .rect_filled(rect, 0, c.accent.gamma_multiply(0.5 * strength));
        }
        let chevron = if open {
            Icon::ChevronDown
        } else {
            Icon::ChevronRight
        };
        let icon = Rect::from_center_size(
            egui::pos2(rect.left() + NUMBERS + GUTTER / 2.0, rect.center().y),
            vec2(12.0, 12.0),
        );
        icons::paint(&self.painter, chevron, icon, c.weak);

        let range = format!(
            "{}–{}",
            self.words.number(lines.0),
            self.words.number(lines.1)
        );
        let range = galley(&self.painter, range, egui::FontId::monospace(12.0), c.weak);
        let range_left = rect.right() - range.size().x - 12.0;
        let (what, where_) = text.split_once(" · ").unwrap_or((text, ""));
        let mut job = LayoutJob::default();
        job.append(what, 0.0, format(theme::small(), c.text));
        if !where_.is_empty() {
            job.append(" · ", 0.0, format(theme::small(), c.weak));
            job.append(where_, 0.0, format(theme::small(), c.weak));
        }
        let left = rect.left() + NUMBERS + GUTTER;
        job.wrap =
            egui::text::TextWrapping::truncate_at_width((range_left - left - 12.0).max(20.0));
        let galley = self.painter.layout_job(job);
        let middle = rect.center().y;
        let at = egui::pos2(left, middle - galley.size().y / 2.0);
        self.painter.galley(at, galley, c.text);
        let at = egui::pos2(range_left, middle - range.size().y / 2.0);
        self.painter.galley(at, range, c.weak);
        if response.has_focus() {
            self.painter.rect_stroke(
                rect.shrink(1.0),
                2,
                Stroke::new(1.5, c.accent),
                StrokeKind::Inside,
            );
        }
        response
            .on_hover_cursor(egui::CursorIcon::PointingHand)
            .clicked()
    }

    fn end(&self, text: &str, rect: Rect, id: Id) {
        let c = self.c;
        let galley = galley(&self.painter, text.to_owned(), theme::small(), c.weak);
        let at = egui::pos2(
            rect.left() + NUMBERS + GUTTER,
            rect.center().y - galley.size().y / 2.0,
        );
        self.painter.galley(at, galley, c.weak);
        let response = self.ui.interact(rect, id, Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
    }

    fn number(&self, number: u64, rect: Rect, color: Color32) {
        let text = self.words.number(number);
        // Nine digits and their commas still fit; a longer number is set smaller.
        let size = if text.len() > 6 { 10.0 } else { 12.0 };
        let font = egui::FontId::monospace(if text.len() > 9 { 8.0 } else { size });
        let galley = galley(&self.painter, text, font, color);
        let at = egui::pos2(
            rect.left() + NUMBERS - 8.0 - galley.size().x,
            rect.center().y - galley.size().y / 2.0,
        );
        self.painter.galley(at, galley, color);
    }

    fn gutter(&self, gutter: Option<Gutter>, rect: Rect) {
        let c = self.c;
        let middle = egui::pos2(rect.left() + NUMBERS + GUTTER / 2.0, rect.center().y);
        let icon = |icon, color, size: f32| {
            let at = Rect::from_center_size(middle, vec2(size, size));
            icons::paint(&self.painter, icon, at, color);
        };
        match gutter {
            Some(Gutter::Assertion) => icon(Icon::Diamond, c.danger, 12.0),
            Some(Gutter::Traceback) => {
                self.painter
                    .vline(middle.x, rect.y_range(), Stroke::new(2.0, c.accent));
            }
            Some(Gutter::Misleading) => icon(Icon::Triangle, c.warning, 12.0),
            Some(Gutter::Error) => icon(Icon::Cross, c.danger, 12.0),
            Some(Gutter::Hint) => icon(Icon::Info, c.weak, 13.0),
            None => {}
        }
    }
}

/// The beginning of a text, and whether something was cut off.
fn cut(text: &str, bytes: usize) -> (&str, bool) {
    if text.len() <= bytes {
        return (text, false);
    }
    let mut end = bytes;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    (text.get(..end).unwrap_or_default(), true)
}
