//! How far a read is.

use eframe::egui;
use egui::{Rect, Role, Sense, Ui, WidgetInfo, vec2};

use crate::inputs::ReadProgress;
use crate::ui::theme;
use crate::words::{Arg, Words};

/// The part that is done, where the whole is known.
fn fraction(progress: ReadProgress) -> Option<f32> {
    let total = progress.total.filter(|&total| total > 0)?;
    Some((progress.read as f64 / total as f64).clamp(0.0, 1.0) as f32)
}

/// A bar as wide as given, 8 high, still where the whole is not known.
pub fn progress_bar_ui(ui: &mut Ui, progress: Option<ReadProgress>, width: f32, name: &str) {
    let c = theme::colors(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(width, 8.0), Sense::hover());
    let done = progress.and_then(fraction);
    response.widget_info(|| {
        let mut info = WidgetInfo::labeled(Role::ProgressIndicator, true, name);
        info.value = done.map(f64::from);
        info
    });
    ui.painter().rect_filled(rect, 4, c.button);
    if let Some(done) = done {
        let filled = Rect::from_min_size(rect.min, vec2(rect.width() * done, rect.height()));
        ui.painter().rect_filled(filled, 4, c.accent);
    }
}

/// "62 %", or megabytes where the whole is not known.
pub fn progress_text(words: Words, progress: Option<ReadProgress>) -> String {
    let Some(progress) = progress else {
        return String::new();
    };
    if let Some(done) = fraction(progress) {
        let percent = (done * 100.0) as u64;
        words.with("ui-percent", &[("percent", Arg::Number(percent))])
    } else {
        let megabytes = progress.read / 1_000_000;
        words.with("ui-megabytes-read", &[("count", Arg::Number(megabytes))])
    }
}
