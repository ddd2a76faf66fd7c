//! Selected rows, and how they are copied.

use std::ops::Range;

use eframe::egui;
use egui::{Pos2, Response, Ui};

use super::place::Visible;
use crate::app::{AppState, Command, LogView, Row};
use crate::ui::Commands;

/// At most this many rows can be selected at a time.
const MOST_ROWS: usize = 10_000;

/// Selected rows: where it began, where it ends; both included.
#[derive(Debug, Default)]
pub(super) struct Selection(Option<(usize, usize)>);

impl Selection {
    /// Whether a row is selected.
    pub fn contains(&self, row: usize) -> bool {
        self.rows().is_some_and(|rows| rows.contains(&row))
    }

    /// Selects nothing.
    pub fn clear(&mut self) {
        self.0 = None;
    }

    fn rows(&self) -> Option<Range<usize>> {
        self.0.map(|(from, to)| from.min(to)..from.max(to) + 1)
    }

    /// Clicks and drags select rows; Shift extends to the clicked row.
    pub fn follow_pointer(
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
            let low = from.saturating_sub(MOST_ROWS);
            (from, to.clamp(low, from + MOST_ROWS))
        };
        if response.drag_started() {
            response.request_focus();
            // The drag begins where the button went down, not where it was noticed.
            let origin = ui
                .input(|input| input.pointer.press_origin())
                .and_then(row_at)
                .unwrap_or(row);
            self.0 = Some((origin, row));
        } else if response.dragged() {
            if let Some((from, _)) = self.0 {
                self.0 = Some(limited(from, row));
            }
        } else if response.secondary_clicked() {
            let inside = self.contains(row);
            if !inside {
                self.0 = Some((row, row));
            }
        } else if response.clicked() {
            response.request_focus();
            self.0 = match self.0 {
                Some((from, _)) if shift => Some(limited(from, row)),
                Some((from, to)) if from == to && from == row => None,
                _ => Some((row, row)),
            };
        }
        let last = view.row_count().saturating_sub(1);
        if let Some((from, to)) = &mut self.0 {
            *from = (*from).min(last);
            *to = (*to).min(last);
        }
    }

    /// The menu of the right mouse button.
    pub fn context_menu(&self, response: &Response, state: &AppState, commands: &mut Commands) {
        let words = state.words;
        response.context_menu(|ui| {
            let rows = self.rows();
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

    /// Ctrl+C, while the log has the keyboard.
    pub fn copy_by_key(
        &self,
        ui: &Ui,
        state: &AppState,
        response: &Response,
        commands: &mut Commands,
    ) {
        let Some(rows) = self.rows().filter(|_| response.has_focus()) else {
            return;
        };
        let copy = ui.input(|input| input.events.iter().any(|e| matches!(e, egui::Event::Copy)));
        if copy {
            copy_rows(ui, &state.view, rows, commands);
        }
    }
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
