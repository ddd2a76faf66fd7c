//! Draws single rows: number, mark, text, notes.

use std::ops::Range;

use eframe::egui;
use egui::text::{LayoutJob, TextFormat};
use egui::{Color32, Id, Painter, Rect, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, vec2};

use super::super::pill::{paint_pill, pill_galley};
use super::super::text::{format, galley};
use super::GUTTER;
use crate::app::{Gutter, LineRow};
use crate::ui::icons::{self, Icon};
use crate::ui::theme::{self, Colors};
use crate::words::Words;

/// A line is laid out to at most this many bytes; the copy has it whole.
const SHOWN_BYTES: usize = 4000;

/// Paints single rows.
pub(super) struct RowPainter<'a> {
    pub ui: &'a Ui,
    pub c: &'static Colors,
    pub words: Words,
    /// Clips to the log.
    pub painter: Painter,
    /// Clips to the text right of the marks.
    pub text_painter: Painter,
    pub current_match: Option<u64>,
    pub numbers: f32,
    pub x: f32,
    /// Width of the widest line painted.
    pub widest: f32,
}

impl RowPainter<'_> {
    pub fn line(
        &mut self,
        line: &LineRow,
        rect: Rect,
        id: Id,
        is_selected: bool,
        flash: Option<f32>,
    ) {
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
        let left = rect.left() + self.numbers + GUTTER;
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

    pub fn loading(&self, number: u64, gutter: Option<Gutter>, rect: Rect) {
        self.number(number, rect, self.c.faint);
        self.gutter(gutter, rect);
        // Widths that differ look like text rather than like a table.
        let width = 80.0 + ((number.wrapping_mul(2_654_435_761) >> 8) % 240) as f32;
        let bar = Rect::from_min_size(
            egui::pos2(rect.left() + self.numbers + GUTTER, rect.center().y - 4.0),
            vec2(width, 8.0),
        );
        self.text_painter.rect_filled(bar, 4, self.c.button);
    }

    /// Returns whether the fold was clicked.
    pub fn fold(
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
            egui::pos2(rect.left() + self.numbers + GUTTER / 2.0, rect.center().y),
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
        let left = rect.left() + self.numbers + GUTTER;
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

    pub fn end(&self, text: &str, rect: Rect, id: Id) {
        let c = self.c;
        let galley = galley(&self.painter, text.to_owned(), theme::small(), c.weak);
        let at = egui::pos2(
            rect.left() + self.numbers + GUTTER,
            rect.center().y - galley.size().y / 2.0,
        );
        self.painter.galley(at, galley, c.weak);
        let response = self.ui.interact(rect, id, Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
    }

    fn number(&self, number: u64, rect: Rect, color: Color32) {
        let text = self.words.number(number);
        let font = egui::FontId::monospace(12.0);
        let galley = galley(&self.painter, text, font, color);
        let at = egui::pos2(
            rect.left() + self.numbers - 8.0 - galley.size().x,
            rect.center().y - galley.size().y / 2.0,
        );
        self.painter.galley(at, galley, color);
    }

    fn gutter(&self, gutter: Option<Gutter>, rect: Rect) {
        let c = self.c;
        let middle = egui::pos2(rect.left() + self.numbers + GUTTER / 2.0, rect.center().y);
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
