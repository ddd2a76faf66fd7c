//! Running text: paragraphs and the mixed pieces of a verdict.

use std::sync::Arc;

use eframe::egui;
use egui::text::{LayoutJob, TextFormat};
use egui::{Align, Color32, FontId, Galley, Label, Painter, Response, Ui};

use crate::ui::theme::{self, Colors};
use crate::words::{Span, SpanStyle};

/// Text in a font and colour, with the line height of its size.
pub fn format(font: FontId, color: Color32) -> TextFormat {
    let line_height = match font.size {
        size if size >= 20.0 => 28.0,
        size if size >= 16.0 => 24.0,
        size if size >= 13.0 => 20.0,
        _ => 16.0,
    };
    TextFormat {
        font_id: font,
        color,
        line_height: Some(line_height),
        valign: Align::Center,
        ..TextFormat::default()
    }
}

/// One line laid out for painting by hand; as high as its line, so that texts beside each other stand on one line.
pub fn galley(
    painter: &Painter,
    text: impl Into<String>,
    font: FontId,
    color: Color32,
) -> Arc<Galley> {
    let mut job = LayoutJob::single_section(text.into(), format(font, color));
    job.break_on_newline = false;
    painter.layout_job(job)
}

/// One line laid out for painting by hand, cut with … at a width.
pub fn cut_galley(
    painter: &Painter,
    text: &str,
    font: FontId,
    color: Color32,
    width: f32,
) -> Arc<Galley> {
    let mut job = LayoutJob::single_section(text.to_owned(), format(font, color));
    job.break_on_newline = false;
    job.wrap = egui::text::TextWrapping::truncate_at_width(width.max(0.0));
    painter.layout_job(job)
}

/// The same, cut at its start: of a path the end tells more.
pub fn cut_start_galley(
    painter: &Painter,
    text: &str,
    font: &FontId,
    color: Color32,
    width: f32,
) -> Arc<Galley> {
    let whole = galley(painter, text, font.clone(), color);
    if whole.size().x <= width {
        return whole;
    }
    let characters: Vec<char> = text.chars().collect();
    let part = width / whole.size().x;
    let mut kept = (characters.len() as f32 * part) as usize;
    loop {
        let from = characters.len().saturating_sub(kept);
        let end: String = characters.get(from..).unwrap_or_default().iter().collect();
        let cut = galley(painter, format!("…{end}"), font.clone(), color);
        if cut.size().x <= width || kept == 0 {
            return cut;
        }
        kept -= 1;
    }
}

/// A paragraph in one font and colour that wraps at the available width.
pub fn paragraph_ui(ui: &mut Ui, text: &str, font: FontId, color: Color32) -> Response {
    let job = LayoutJob::single_section(text.to_owned(), format(font, color));
    ui.add(Label::new(job).wrap())
}

/// A paragraph that is cut with … behind so many lines; then the tooltip has it whole.
pub fn short_paragraph_ui(
    ui: &mut Ui,
    text: &str,
    font: FontId,
    color: Color32,
    lines: usize,
) -> Response {
    let mut job = LayoutJob::single_section(text.to_owned(), format(font, color));
    job.wrap.max_rows = lines;
    job.wrap.max_width = ui.available_width();
    let cut = ui.painter().layout_job(job);
    let is_cut = cut.elided;
    let response = ui.add(Label::new(cut).selectable(false));
    if is_cut {
        response.on_hover_text(text)
    } else {
        response
    }
}

/// One line in one font and colour, cut with … where it does not fit; then the tooltip has it whole.
pub fn label_ui(ui: &mut Ui, text: &str, font: FontId, color: Color32) -> Response {
    let job = LayoutJob::single_section(text.to_owned(), format(font, color));
    ui.add(Label::new(job).truncate().selectable(false))
}

/// The pieces of a verdict's row as one wrapping text.
pub fn spans_job(spans: &[Span], c: &Colors) -> LayoutJob {
    let mut job = LayoutJob::default();
    let mut before: Option<SpanStyle> = None;
    for span in spans {
        let format = match span.style {
            SpanStyle::Plain => format(theme::body(), c.text),
            SpanStyle::Code => format(theme::code(), c.text),
            SpanStyle::Weak => format(theme::body(), c.weak),
        };
        // Pieces that bring no space of their own get one where the style changes.
        let gap = match before {
            Some(style) if style != span.style && needs_gap(&job.text, &span.text) => 8.0,
            _ => 0.0,
        };
        job.append(&span.text, gap, format);
        before = Some(span.style);
    }
    job
}

/// Whether two pieces would touch where a reader expects a gap.
fn needs_gap(before: &str, after: &str) -> bool {
    let (Some(last), Some(first)) = (before.chars().next_back(), after.chars().next()) else {
        return false;
    };
    let closes = |c: char| {
        c.is_whitespace()
            || matches!(
                c,
                ',' | '.' | ';' | ':' | ')' | ']' | '。' | '，' | '、' | '；' | '：' | '）' | '」'
            )
    };
    let opens = |c: char| c.is_whitespace() || matches!(c, '(' | '[' | '（' | '「');
    !opens(last)
        && !closes(first)
        && !matches!(last, '。' | '，' | '、' | '；' | '：' | '）')
        && first != '（'
}
