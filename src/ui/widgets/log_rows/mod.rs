//! The log: a window onto any number of rows.
//!
//! The place is kept as a row and points into it, never as points from the top: `f32` has no room
//! for the points of fifty million rows. Nothing is read or decoded here; rows that are not loaded
//! yet are drawn as placeholders and asked for.

mod place;
mod row_painter;
mod selection;

use eframe::egui;
use egui::{
    EventFilter, Id, Key, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, vec2,
};

use self::place::{
    LINE_HEIGHT, Place, TOP, Visible, ask_for_rows, last_place, line_of_row, shown_rows,
    visible_rows, y_of_row,
};
use self::row_painter::RowPainter;
use self::selection::Selection;
use super::overview_bar::{self, overview_bar_ui};
use crate::app::{AppState, Command, LogFilter, LogView, Row};
use crate::ui::Commands;
use crate::ui::theme::{self, RADIUS};

/// Width of the line numbers of a log of up to 9,999 lines; a longer one gets more.
const NUMBERS: f32 = 52.0;
/// Width of a digit of a line number.
const DIGIT: f32 = 7.2;
/// Width of the marks beside them.
const GUTTER: f32 = 22.0;
/// The thumb of the bar below is at least this wide.
const THUMB_MIN: f32 = 28.0;
/// A flash fades over this many seconds.
const FLASH_SECONDS: f64 = 0.9;

/// Where the log is scrolled to, and what is selected. Belongs to the panel, not to the state.
#[derive(Debug, Default)]
pub struct LogScroll {
    place: Place,
    /// Width of the line numbers.
    numbers: f32,
    /// Points scrolled to the right.
    x: f32,
    /// Width of the widest line seen, for scrolling to the right.
    widest: f32,
    /// Line that is to be seen in the first frame.
    start: Option<u64>,
    /// Last scroll request that was followed.
    followed: u64,
    flash: Option<Flash>,
    selection: Selection,
    filter: LogFilter,
    /// Line at the top, to keep the place when other rows are shown.
    top_line: u64,
}

#[derive(Clone, Copy, Debug)]
struct Flash {
    line: u64,
    since: f64,
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

        let digits = words.number(view.line_count()).len();
        self.numbers = NUMBERS.max((digits as f32 * DIGIT + 16.0).ceil());
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
        self.selection.follow_pointer(ui, view, &visible, &response);
        self.paint_rows(ui, state, area, &visible, id, commands);
        self.horizontal_bar_ui(ui, area, id);
        self.selection.context_menu(&response, state, commands);
        if response.has_focus() {
            ui.painter().rect_stroke(
                whole,
                RADIUS,
                Stroke::new(1.5, c.accent),
                StrokeKind::Inside,
            );
        }
        self.selection.copy_by_key(ui, state, &response, commands);

        let shown = shown_rows(&visible, area);
        let row_y = |row: usize| y_of_row(&visible, row);
        let name = words.text("ui-overview");
        let asked = overview_bar_ui(ui, bar, id.with("overview"), &name, view, &shown, &row_y);
        if let Some(row) = asked {
            let rows_shown = (f64::from(area.height()) / f64::from(LINE_HEIGHT)) as usize;
            let before = self.place;
            self.place = Place {
                row: (row as usize).saturating_sub(rows_shown / 2),
                offset: 0.0,
            };
            self.clamp(view, area);
            if self.place != before {
                // The rows of this frame are drawn already.
                ui.request_repaint();
            }
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
            self.selection.clear();
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
        self.place.scroll_by(view, -delta.y);
    }

    /// Keeps the last row at the bottom, and the widest line's end at the right.
    fn clamp(&mut self, view: &LogView, area: Rect) {
        let room = self.text_width(area);
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
        text_area.min.x += self.numbers + GUTTER;
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
            numbers: self.numbers,
            x: self.x,
            widest: 0.0,
        };
        for row in visible {
            let is_selected = self.selection.contains(row.index);
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

    /// Room for the text of a line.
    fn text_width(&self, area: Rect) -> f32 {
        area.width() - self.numbers - GUTTER - 12.0
    }

    /// A thin bar below the lines while some do not fit.
    fn horizontal_bar_ui(&mut self, ui: &Ui, area: Rect, id: Id) {
        let room = self.text_width(area);
        if self.widest <= room {
            return;
        }
        let c = theme::colors(ui);
        let track = Rect::from_min_max(
            egui::pos2(area.left() + self.numbers + GUTTER, area.bottom() - 10.0),
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
}
