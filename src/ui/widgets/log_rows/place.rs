//! Where rows stand: a place is a row and points into it, so that it is exact in a log of any length.

use eframe::egui;
use egui::Rect;

use super::super::overview_bar::Shown;
use crate::app::{Command, LogView, Row};
use crate::ui::Commands;

pub(super) const LINE_HEIGHT: f32 = 20.0;
const FOLD_HEIGHT: f32 = 24.0;
/// Room above the first row, and below the last.
pub(super) const TOP: f32 = 4.0;
/// Rows before and after the shown ones that are asked for with them.
const MARGIN_ROWS: usize = 100;

/// What stands at the top.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Place {
    /// The row.
    pub row: usize,
    /// Points of it that are above the top.
    pub offset: f32,
}

/// A row on screen.
pub(super) struct Visible {
    pub index: usize,
    pub rect: Rect,
}

impl Place {
    /// Scrolls down by points, row by row; up where they are negative.
    pub fn scroll_by(&mut self, view: &LogView, points: f32) {
        self.offset += points;
        while self.offset < 0.0 && self.row > 0 {
            self.row -= 1;
            self.offset += row_height(view, self.row);
        }
        self.offset = self.offset.max(0.0);
        while self.row < view.row_count() && self.offset >= row_height(view, self.row) {
            self.offset -= row_height(view, self.row);
            self.row += 1;
        }
    }
}

fn row_height(view: &LogView, row: usize) -> f32 {
    match view.row(row) {
        Some(Row::Fold { .. } | Row::End(_)) => FOLD_HEIGHT,
        _ => LINE_HEIGHT,
    }
}

/// The place at which the last row stands at the bottom.
pub(super) fn last_place(view: &LogView, height: f32) -> Place {
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

pub(super) fn visible_rows(view: &LogView, place: Place, area: Rect) -> Vec<Visible> {
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
pub(super) fn y_of_row(visible: &[Visible], row: usize) -> Option<f32> {
    let found = visible.iter().find(|v| v.index == row);
    let last = visible.last().filter(|last| last.index + 1 == row);
    found
        .map(|v| v.rect.top())
        .or(last.map(|v| v.rect.bottom()))
}

pub(super) fn shown_rows(visible: &[Visible], area: Rect) -> Shown {
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
pub(super) fn ask_for_rows(view: &LogView, visible: &[Visible], commands: &mut Commands) {
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

pub(super) fn line_of_row(view: &LogView, row: usize) -> Option<u64> {
    match view.row(row)? {
        Row::Line(line) => Some(line.number),
        Row::Loading { number, .. } => Some(number),
        Row::Fold { lines, .. } => Some(*lines.start()),
        Row::End(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::{AppState, Event};
    use crate::case::{Case, Input, Log, Origin};
    use crate::crash_log::{Facts, LineIndex};
    use crate::diagnosis::diagnose;
    use crate::inputs::{Format, InputKind};
    use crate::settings::Settings;

    /// A state that shows a log of so many lines, none of them loaded.
    fn log_of(line_count: u64) -> AppState {
        let mut state = AppState::new(Settings::default());
        drop(state.handle(Command::Paste("text".to_owned())));
        let request = state.running.as_ref().map(|job| job.request);
        let facts = Facts {
            line_count,
            ..Facts::default()
        };
        let case = Case {
            inputs: vec![Input {
                origin: Origin::Pasted,
                kind: InputKind::Log,
                format: Format::Plain,
                error: None,
            }],
            logs: vec![Log {
                input: 0,
                diagnosis: diagnose(&facts),
                facts,
                lines: LineIndex::default(),
                digest: None,
                ending: None,
                unfinished: None,
            }],
            ..Case::default()
        };
        drop(state.apply(Event::Opened(request.unwrap(), Box::new(case))));
        state
    }

    #[test]
    fn a_place_is_exact_at_the_end_of_fifty_million_lines() {
        let state = log_of(50_000_000);
        let view = &state.view;
        assert_eq!(view.row_count(), 50_000_001);
        let end = last_place(view, 400.0);
        let mut place = end;
        for _ in 0..1_000 {
            place.scroll_by(view, -7.25);
        }
        assert_eq!(end.row - place.row, 7_250 / 20 + 1);
        for _ in 0..1_000 {
            place.scroll_by(view, 7.25);
        }
        assert_eq!(place.row, end.row);
        assert!((place.offset - end.offset).abs() < 0.01);
    }

    #[test]
    fn scrolling_stops_at_the_top_and_past_the_last_row() {
        let state = log_of(100);
        let view = &state.view;
        let mut place = Place::default();
        place.scroll_by(view, -500.0);
        assert_eq!(place, Place::default());
        place.scroll_by(view, 50.0);
        assert_eq!((place.row, place.offset), (2, 10.0));
        place.scroll_by(view, 1.0e7);
        assert_eq!(place.row, view.row_count());
    }

    #[test]
    fn the_last_row_stands_at_the_bottom() {
        let state = log_of(100);
        let area = Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(500.0, 208.0));
        let rows = visible_rows(&state.view, last_place(&state.view, 200.0), area);
        let last = rows.last().unwrap();
        assert_eq!(last.index + 1, state.view.row_count());
        assert!((last.rect.bottom() - (area.bottom() - TOP)).abs() < 0.01);
        // A short log stays at the top.
        assert_eq!(last_place(&log_of(3).view, 200.0), Place::default());
    }
}
