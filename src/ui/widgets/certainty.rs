//! How sure: three dots and a word. Dots use the text colour, because certainty is not severity.

use eframe::egui;
use egui::{Color32, Painter, Pos2, Rect, Response, Role, Sense, Stroke, Ui, WidgetInfo, vec2};

use super::text::galley;
use crate::diagnosis::Certainty;
use crate::ui::theme::{self, RADIUS_SMALL};

const DOT_RADIUS: f32 = 3.0;
const DOT_STEP: f32 = 10.0;
/// Width of three dots.
const DOTS_WIDTH: f32 = 2.0 * DOT_STEP + 2.0 * DOT_RADIUS;

/// Three dots, their left edge's middle at a point.
pub fn paint_dots(painter: &Painter, left_middle: Pos2, certainty: Certainty, color: Color32) {
    let filled = match certainty {
        Certainty::Possible => 1,
        Certainty::Likely => 2,
        Certainty::Certain => 3,
    };
    for dot in 0..3u8 {
        let center = left_middle + vec2(DOT_RADIUS + f32::from(dot) * DOT_STEP, 0.0);
        if dot < filled {
            painter.circle_filled(center, DOT_RADIUS, color);
        } else {
            painter.circle_stroke(center, DOT_RADIUS - 0.5, Stroke::new(1.0, color));
        }
    }
}

/// Three dots in a line of text.
pub fn certainty_dots_ui(ui: &mut Ui, certainty: Certainty) {
    let (rect, _) = ui.allocate_exact_size(vec2(DOTS_WIDTH, 20.0), Sense::hover());
    paint_dots(
        ui.painter(),
        rect.left_center(),
        certainty,
        theme::colors(ui).text,
    );
}

/// The pill beside a verdict's title: "●●● Certain · the log says so".
pub struct CertaintyPill {
    certainty: Certainty,
    word: std::sync::Arc<egui::Galley>,
    reason: Option<std::sync::Arc<egui::Galley>>,
    text: String,
}

/// Lays out the pill.
pub fn certainty_pill(ui: &Ui, certainty: Certainty, word: &str, reason: &str) -> CertaintyPill {
    let c = theme::colors(ui);
    let painter = ui.painter();
    let reason_text = format!("· {reason}");
    CertaintyPill {
        certainty,
        word: galley(painter, word.to_owned(), theme::small(), c.text),
        reason: (!reason.is_empty())
            .then(|| galley(painter, reason_text.clone(), theme::small(), c.weak)),
        text: if reason.is_empty() {
            word.to_owned()
        } else {
            format!("{word} {reason_text}")
        },
    }
}

impl CertaintyPill {
    /// How wide it is.
    pub fn width(&self) -> f32 {
        (16.0
            + DOTS_WIDTH
            + 6.0
            + self.word.size().x
            + self.reason.as_ref().map_or(0.0, |r| r.size().x + 5.0))
        .ceil()
    }

    /// Draws it, 20 high.
    pub fn ui(self, ui: &mut Ui) -> Response {
        let c = theme::colors(ui);
        let (rect, response) = ui.allocate_exact_size(vec2(self.width(), 20.0), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &self.text));
        let painter = ui.painter();
        painter.rect_filled(rect, RADIUS_SMALL, c.button);
        let middle = rect.center().y;
        let mut x = rect.left() + 8.0;
        paint_dots(painter, egui::pos2(x, middle), self.certainty, c.text);
        x += DOTS_WIDTH + 6.0;
        let place = |x: f32, galley: &egui::Galley| {
            Rect::from_min_size(egui::pos2(x, middle - galley.size().y / 2.0), galley.size()).min
        };
        let word_width = self.word.size().x;
        painter.galley(place(x, &self.word), self.word, c.text);
        x += word_width + 5.0;
        if let Some(reason) = self.reason {
            painter.galley(place(x, &reason), reason, c.weak);
        }
        response
    }
}
