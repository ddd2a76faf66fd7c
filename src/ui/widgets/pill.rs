//! A note in a rounded box after a line of the log.

use std::sync::Arc;

use eframe::egui;
use egui::{Galley, Painter, Pos2, Rect, vec2};

use super::text::galley;
use crate::app::Tone;
use crate::ui::theme::{self, Colors, RADIUS_SMALL};

/// Lays out a pill's text. The pill is 12 wider than it.
pub fn pill_galley(painter: &Painter, text: &str, tone: Tone, c: &Colors) -> Arc<Galley> {
    galley(painter, text.to_owned(), theme::small(), c.tone(tone).0)
}

/// Paints a pill 18 high whose left edge's middle is at a point; returns where it stands.
pub fn paint_pill(
    painter: &Painter,
    left_middle: Pos2,
    galley: Arc<Galley>,
    tone: Tone,
    c: &Colors,
) -> Rect {
    let (text, ground) = c.tone(tone);
    let size = vec2(galley.size().x + 12.0, 18.0);
    let rect = Rect::from_min_size(left_middle - vec2(0.0, size.y / 2.0), size);
    painter.rect_filled(rect, RADIUS_SMALL, ground);
    let at = egui::pos2(rect.left() + 6.0, rect.center().y - galley.size().y / 2.0);
    painter.galley(at, galley, text);
    rect
}
