//! How often each value occurs: bars on a logarithmic axis, ticks of the second series over them, and what is not allowed right of
//! a break of the axis.

use std::sync::Arc;

use eframe::egui;
use egui::{
    Align2, Color32, Galley, Painter, Pos2, Rect, Role, Sense, Shape, Stroke, Ui, WidgetInfo, pos2,
    vec2,
};

use super::text::galley;
use crate::app::labels_view::{Bar, Histogram, NotAllowed};
use crate::ui::theme::{self, Colors};

/// Left of the plot: the counts. Below it: the values. Above it: room for counts over bars.
const LEFT: f32 = 40.0;
const BELOW: f32 = 22.0;
const ABOVE: f32 = 16.0;
/// Counts over the bars right of the break stand this far apart at least.
const SPACE: f32 = 10.0;

/// Draws the chart into a size; how many of the values that are not allowed it has room for.
pub fn histogram_ui(ui: &mut Ui, chart: &Histogram, height: f32) -> usize {
    let width = ui.available_width();
    let (rect, response) = ui.allocate_exact_size(vec2(width, height), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, chart.spoken()));
    let drawing = Drawing::new(ui.painter(), theme::colors(ui), chart, rect);
    let drawn = drawing.not_allowed.len();
    if !ui.is_rect_visible(rect) {
        return drawn;
    }
    drawing.paint_axes();
    drawing.paint_bars();
    drawing.paint_not_allowed();
    drawing.paint_only();
    let at = response.hover_pos();
    if let Some(bar) = at.and_then(|at| drawing.bar_at(at)) {
        drawing.paint_hovered(bar);
        let about = chart.about(bar);
        drop(response.on_hover_ui_at_pointer(|ui| {
            ui.label(about);
        }));
    }
    drawn
}

struct Drawing<'a> {
    painter: &'a Painter,
    c: &'a Colors,
    chart: &'a Histogram,
    /// Where allowed values are drawn.
    plot: Rect,
    /// Where values that are not allowed are drawn, those that fit.
    break_at: f32,
    right: f32,
    not_allowed: Vec<(&'a NotAllowed, Arc<Galley>, Arc<Galley>)>,
    /// Width of one of them.
    step: f32,
    /// Power of ten of the top.
    top: f32,
}

impl<'a> Drawing<'a> {
    fn new(painter: &'a Painter, c: &'a Colors, chart: &'a Histogram, rect: Rect) -> Self {
        let whole = Rect::from_min_max(
            pos2(rect.left() + LEFT, rect.top() + ABOVE),
            pos2(rect.right(), rect.bottom() - BELOW),
        );
        let laid = |text: &str| galley(painter, text, theme::small(), c.danger);
        let step = chart
            .not_allowed
            .iter()
            .map(|value| {
                let (name, count) = (laid(&value.value), laid(&value.count_text));
                name.size().x.max(count.size().x) + SPACE
            })
            .fold(22.0, f32::max);
        // The allowed values keep more than half.
        let fit = ((whole.width() * 0.45 - 8.0) / step).max(1.0) as usize;
        let not_allowed: Vec<_> = chart
            .most_frequent(fit)
            .into_iter()
            .map(|value| (value, laid(&value.value), laid(&value.count_text)))
            .collect();
        let zone = if not_allowed.is_empty() {
            0.0
        } else {
            not_allowed.len() as f32 * step + 8.0
        };
        let mut plot = whole;
        plot.max.x -= zone;
        let top = (chart.most.max(2) as f32).log10().ceil().max(1.0);
        Self {
            painter,
            c,
            chart,
            plot,
            break_at: plot.right() + 4.0,
            right: whole.right(),
            not_allowed,
            step,
            top,
        }
    }

    /// Height of a count above the bottom; a single one is seen, too.
    fn height(&self, count: u64) -> f32 {
        let part = (count.max(1) as f32).log10() / self.top;
        (part * self.plot.height()).max(3.0)
    }

    fn span(&self, bar: &Bar) -> (f32, f32) {
        let (lo, hi) = self.chart.range;
        let unit = self.plot.width() / ((hi - lo + 1) as f32);
        let left = self.plot.left() + (bar.first - lo) as f32 * unit;
        let right = self.plot.left() + (bar.last + 1 - lo) as f32 * unit;
        (left, right)
    }

    fn bar_rect(&self, bar: &Bar, height: f32) -> Rect {
        let (left, right) = self.span(bar);
        let gap = if right - left > 3.0 { 1.0 } else { 0.0 };
        let width = (right - left - gap).clamp(1.0, 36.0);
        let middle = f32::midpoint(left, right);
        Rect::from_min_max(
            pos2(middle - width / 2.0, self.plot.bottom() - height),
            pos2(middle + width / 2.0, self.plot.bottom()),
        )
    }

    fn bar_at(&self, at: Pos2) -> Option<&'a Bar> {
        let area = self.plot.expand2(vec2(0.0, ABOVE));
        if !area.contains(at) {
            return None;
        }
        self.chart.bars.iter().find(|bar| {
            let (left, right) = self.span(bar);
            (left..right).contains(&at.x)
        })
    }

    fn paint_axes(&self) {
        let powers = self.top as u32;
        for power in 0..=powers {
            let y = self.plot.bottom() - power as f32 / self.top * self.plot.height();
            self.painter.hline(
                self.plot.left()..=self.right,
                y.round() + 0.5,
                Stroke::new(1.0, self.c.border),
            );
            let text = match power {
                0..=2 => 10u64.pow(power).to_string(),
                3..=5 => format!("{}k", 10u64.pow(power - 3)),
                6..=8 => format!("{}M", 10u64.pow(power - 6)),
                _ => format!("1e{power}"),
            };
            // Many powers would stand on each other.
            if powers <= 5 || power.is_multiple_of(2) {
                self.text(
                    pos2(self.plot.left() - 8.0, y),
                    Align2::RIGHT_CENTER,
                    text,
                    self.c.weak,
                );
            }
        }
        let (lo, hi) = self.chart.range;
        let y = self.plot.bottom() + 4.0;
        let mut before = f32::NEG_INFINITY;
        // The last value always has its number; the others where they leave room for it.
        let x_of = |value: i128| {
            let unit = self.plot.width() / ((hi - lo + 1) as f32);
            self.plot.left() + ((value - lo) as f32 + 0.5) * unit
        };
        let last = galley(self.painter, hi.to_string(), theme::small(), self.c.weak);
        let last_left = (x_of(hi) - last.size().x / 2.0)
            .min(self.plot.right() - last.size().x + 4.0)
            .max(self.plot.left());
        for value in ticks(lo, hi) {
            let text = galley(self.painter, value.to_string(), theme::small(), self.c.weak);
            let left = x_of(value) - text.size().x / 2.0;
            if left > before + 8.0 && left + text.size().x < last_left - 8.0 {
                before = left + text.size().x;
                self.painter.galley(pos2(left, y), text, self.c.weak);
            }
        }
        self.painter.galley(pos2(last_left, y), last, self.c.weak);
    }

    fn paint_bars(&self) {
        for bar in &self.chart.bars {
            if bar.only_second {
                let rect = self.bar_rect(bar, self.height(bar.second));
                self.painter.rect_filled(rect, 0, self.c.warning);
                continue;
            }
            if bar.count > 0 {
                let rect = self.bar_rect(bar, self.height(bar.count));
                self.painter.rect_filled(rect, 0, self.c.series_1_bar);
            }
            if bar.second > 0 {
                let rect = self.bar_rect(bar, self.height(bar.second));
                let mut tick = rect;
                tick.max.y = tick.min.y + 1.5;
                let tick = tick.expand2(vec2(0.5, 0.0));
                self.painter.rect_filled(tick, 0, self.c.series_2);
            }
        }
    }

    fn paint_hovered(&self, bar: &Bar) {
        let height = self.plot.height();
        let rect = self.bar_rect(bar, height);
        self.painter
            .rect_filled(rect, 0, self.c.text.gamma_multiply(0.14));
    }

    fn paint_not_allowed(&self) {
        if self.not_allowed.is_empty() {
            return;
        }
        let line = [
            pos2(self.break_at, self.plot.top() - 4.0),
            pos2(self.break_at, self.plot.bottom() + 4.0),
        ];
        self.painter.extend(Shape::dashed_line(
            &line,
            Stroke::new(1.0, self.c.danger),
            3.0,
            3.0,
        ));
        let mut x = self.break_at + 4.0 + self.step / 2.0;
        for (value, name, count) in &self.not_allowed {
            let height = self.height(value.count);
            let bar = Rect::from_min_max(
                pos2(x - 5.0, self.plot.bottom() - height),
                pos2(x + 5.0, self.plot.bottom()),
            );
            self.painter.rect_filled(bar, 0, self.c.danger);
            let at = pos2(x - count.size().x / 2.0, bar.top() - count.size().y);
            self.painter.galley(at, Arc::clone(count), self.c.danger);
            let at = pos2(x - name.size().x / 2.0, self.plot.bottom() + 4.0);
            self.painter.galley(at, Arc::clone(name), self.c.danger);
            x += self.step;
        }
    }

    fn paint_only(&self) {
        let Some((text, bar)) = self
            .chart
            .only
            .as_ref()
            .and_then(|(text, index)| Some((text, self.chart.bars.get(*index)?)))
        else {
            return;
        };
        let bar = self.bar_rect(bar, self.height(bar.second));
        let text = galley(self.painter, text.as_str(), theme::small(), self.c.warning);
        // Left of the bar where there is room, so that the line does not cross the text.
        let right = (bar.center().x - 6.0)
            .max(self.plot.left() + text.size().x)
            .min(self.plot.right());
        let at = pos2(right - text.size().x, self.plot.top() + 6.0);
        let ground = Rect::from_min_size(at, text.size()).expand2(vec2(3.0, 0.0));
        self.painter
            .rect_filled(ground, 2, self.c.panel.gamma_multiply(0.85));
        let bottom = ground.bottom();
        self.painter.galley(at, text, self.c.warning);
        self.painter.line_segment(
            [
                pos2(right - 2.0, bottom),
                pos2(bar.center().x, (bar.top() - 2.0).max(bottom)),
            ],
            Stroke::new(1.0, self.c.warning),
        );
    }

    fn text(&self, at: Pos2, align: Align2, text: String, color: Color32) {
        let text = galley(self.painter, text, theme::small(), color);
        let rect = align.anchor_size(at, text.size());
        self.painter.galley(rect.min, text, color);
    }
}

/// Round values of the axis, at most about six.
fn ticks(lo: i128, hi: i128) -> impl Iterator<Item = i128> {
    let width = (hi - lo).max(1);
    let mut step = 1_i128;
    for factor in [2, 5, 10].into_iter().cycle() {
        if width / step <= 6 {
            break;
        }
        // 1, 2, 5, 10, 20, 50, …
        let base = 10_i128.pow(step.ilog10());
        step = base * factor;
    }
    let first = lo.div_euclid(step) * step;
    let first = if first < lo { first + step } else { first };
    (0..=6)
        .map(move |i| first + i * step)
        .take_while(move |&value| value < hi)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        let check = |lo, hi, expected: &[i128]| {
            assert_eq!(ticks(lo, hi).collect::<Vec<_>>(), expected, "{lo}..{hi}");
        };
        check(0, 0, &[]);
        check(0, 1, &[0]);
        check(0, 8, &[0, 2, 4, 6]);
        check(0, 79, &[0, 20, 40, 60]);
        check(1, 90, &[20, 40, 60, 80]);
        check(0, 1202, &[0, 200, 400, 600, 800, 1000, 1200]);
        check(-1, 50_256, &[0, 10_000, 20_000, 30_000, 40_000, 50_000]);
    }
}
