//! The small icons, painted: 16 × 16 units, 1.5-unit strokes, round ends.
//!
//! Painted rather than taken from a font, so that they look the same on every machine and in every language.

use eframe::egui;
use egui::epaint::{CubicBezierShape, PathShape, PathStroke};
use egui::{Color32, Painter, Pos2, Rect, Shape, Stroke};

/// An icon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    /// Octagon with !: error.
    Octagon,
    /// Triangle with !: warning.
    Warning,
    /// Circle with i: note, hint.
    Info,
    /// Nothing wrong.
    Tick,
    /// Error line; close.
    Cross,
    /// Closed fold.
    ChevronRight,
    /// Open fold, menu.
    ChevronDown,
    /// Previous.
    ChevronUp,
    /// A file.
    File,
    /// A folder.
    Folder,
    /// Search.
    Search,
    /// Language.
    Globe,
    /// Light theme.
    Sun,
    /// Dark theme.
    Moon,
    /// Theme as the system is.
    HalfCircle,
    /// Copy.
    Copy,
    /// Paste.
    Clipboard,
    /// Sample.
    Flask,
    /// Drop here.
    TrayIn,
    /// Again.
    Refresh,
    /// Filled diamond: failed check.
    Diamond,
    /// Filled triangle: misleading.
    Triangle,
    /// Outlined square: traceback.
    Square,
    /// Nothing leaves this computer.
    Shield,
    /// A table or an array.
    Table,
    /// Weights.
    Chip,
    /// Settings, class lists.
    Sliders,
    /// Add.
    Plus,
    /// Export.
    TrayOut,
    /// A run goes on.
    Play,
    /// Stop it.
    Stop,
    /// Not seen yet.
    Clock,
}

/// Paints an icon into a square.
pub fn paint(painter: &Painter, icon: Icon, rect: Rect, color: Color32) {
    let unit = rect.width().min(rect.height()) / 16.0;
    let origin = rect.center() - egui::vec2(8.0, 8.0) * unit;
    Pen {
        painter,
        origin,
        unit,
        color,
    }
    .icon(icon);
}

/// Draws in the icon's own 16 × 16 units.
struct Pen<'a> {
    painter: &'a Painter,
    origin: Pos2,
    unit: f32,
    color: Color32,
}

impl Pen<'_> {
    fn icon(&self, icon: Icon) {
        match icon {
            Icon::Octagon => {
                self.shape(&[
                    (5.3, 1.5),
                    (10.7, 1.5),
                    (14.5, 5.3),
                    (14.5, 10.7),
                    (10.7, 14.5),
                    (5.3, 14.5),
                    (1.5, 10.7),
                    (1.5, 5.3),
                ]);
                self.exclamation(4.8, 8.6, 11.2);
            }
            Icon::Warning => {
                self.shape(&[(8.0, 1.9), (15.0, 14.0), (1.0, 14.0)]);
                self.exclamation(6.2, 9.4, 11.7);
            }
            Icon::Info => {
                self.circle(8.0, 8.0, 6.4);
                self.line(&[(8.0, 7.4), (8.0, 11.2)]);
                self.dot(8.0, 4.9, 0.95);
            }
            Icon::Tick => self.line(&[(2.8, 8.6), (6.2, 12.0), (13.2, 4.4)]),
            Icon::Cross => {
                self.line(&[(3.8, 3.8), (12.2, 12.2)]);
                self.line(&[(12.2, 3.8), (3.8, 12.2)]);
            }
            Icon::ChevronRight => self.line(&[(6.0, 3.8), (10.2, 8.0), (6.0, 12.2)]),
            Icon::ChevronDown => self.line(&[(3.8, 6.0), (8.0, 10.2), (12.2, 6.0)]),
            Icon::ChevronUp => self.line(&[(3.8, 10.2), (8.0, 6.0), (12.2, 10.2)]),
            Icon::File => {
                self.shape(&[
                    (3.5, 1.8),
                    (9.5, 1.8),
                    (12.8, 5.1),
                    (12.8, 14.2),
                    (3.5, 14.2),
                ]);
                self.line(&[(9.2, 2.0), (9.2, 5.4), (12.6, 5.4)]);
            }
            Icon::Folder => self.shape(&[
                (1.8, 3.2),
                (6.2, 3.2),
                (7.8, 5.0),
                (14.2, 5.0),
                (14.2, 13.0),
                (1.8, 13.0),
            ]),
            Icon::Search => {
                self.circle(6.8, 6.8, 4.6);
                self.line(&[(10.3, 10.3), (14.2, 14.2)]);
            }
            Icon::Globe => {
                self.circle(8.0, 8.0, 6.4);
                self.line(&[(1.8, 8.0), (14.2, 8.0)]);
                self.curve([(8.0, 1.6), (4.4, 4.6), (4.4, 11.4), (8.0, 14.4)]);
                self.curve([(8.0, 1.6), (11.6, 4.6), (11.6, 11.4), (8.0, 14.4)]);
            }
            Icon::Sun => {
                self.circle(8.0, 8.0, 3.0);
                for step in 0..8u8 {
                    let (sin, cos) = (f32::from(step) * std::f32::consts::FRAC_PI_4).sin_cos();
                    self.line(&[
                        (8.0 + 5.0 * cos, 8.0 + 5.0 * sin),
                        (8.0 + 6.6 * cos, 8.0 + 6.6 * sin),
                    ]);
                }
            }
            Icon::Moon => {
                self.curve([(7.0, 1.9), (0.2, 3.0), (0.0, 13.6), (8.0, 14.1)]);
                self.curve([(8.0, 14.1), (10.8, 14.2), (13.2, 12.4), (14.0, 9.6)]);
                self.curve([(7.0, 1.9), (4.6, 6.6), (8.6, 11.6), (14.0, 9.6)]);
            }
            Icon::HalfCircle => {
                self.circle(8.0, 8.0, 6.2);
                let half = (0..=16u8).map(|step| {
                    let (sin, cos) = (f32::from(step) / 16.0 * std::f32::consts::PI).sin_cos();
                    (8.0 + 6.2 * sin, 8.0 - 6.2 * cos)
                });
                self.fill(&half.collect::<Vec<_>>());
            }
            Icon::Copy => {
                self.shape(&[(5.6, 5.6), (14.0, 5.6), (14.0, 14.0), (5.6, 14.0)]);
                self.line(&[
                    (5.4, 10.4),
                    (2.0, 10.4),
                    (2.0, 2.0),
                    (10.4, 2.0),
                    (10.4, 5.4),
                ]);
            }
            Icon::Clipboard => {
                self.line(&[
                    (5.6, 3.0),
                    (3.0, 3.0),
                    (3.0, 14.2),
                    (13.0, 14.2),
                    (13.0, 3.0),
                    (10.4, 3.0),
                ]);
                self.shape(&[(5.8, 1.8), (10.2, 1.8), (10.2, 4.6), (5.8, 4.6)]);
            }
            Icon::Flask => {
                self.line(&[(5.2, 1.8), (10.8, 1.8)]);
                self.line(&[
                    (6.4, 2.0),
                    (6.4, 6.4),
                    (2.6, 14.2),
                    (13.4, 14.2),
                    (9.6, 6.4),
                    (9.6, 2.0),
                ]);
                self.line(&[(4.8, 10.2), (11.2, 10.2)]);
            }
            Icon::TrayIn => {
                self.line(&[(8.0, 1.6), (8.0, 10.0)]);
                self.line(&[(4.6, 6.8), (8.0, 10.2), (11.4, 6.8)]);
                self.line(&[(1.8, 10.2), (1.8, 14.2), (14.2, 14.2), (14.2, 10.2)]);
            }
            Icon::Refresh => {
                self.curve([(12.6, 4.6), (9.6, 1.0), (2.6, 2.2), (2.2, 8.2)]);
                self.curve([(2.2, 8.2), (2.4, 15.4), (12.4, 15.8), (13.8, 9.0)]);
                self.line(&[(13.2, 1.6), (13.0, 5.0), (9.6, 4.8)]);
            }
            Icon::Diamond => self.fill(&[(8.0, 2.6), (13.4, 8.0), (8.0, 13.4), (2.6, 8.0)]),
            Icon::Triangle => self.fill(&[(8.0, 2.8), (14.0, 13.2), (2.0, 13.2)]),
            Icon::Square => self.shape(&[(3.0, 3.0), (13.0, 3.0), (13.0, 13.0), (3.0, 13.0)]),
            Icon::Table => {
                self.shape(&[(1.8, 2.6), (14.2, 2.6), (14.2, 13.4), (1.8, 13.4)]);
                self.line(&[(2.0, 6.2), (14.0, 6.2)]);
                self.line(&[(2.0, 9.8), (14.0, 9.8)]);
                self.line(&[(6.4, 6.4), (6.4, 13.2)]);
            }
            Icon::Chip => {
                self.shape(&[(4.0, 4.0), (12.0, 4.0), (12.0, 12.0), (4.0, 12.0)]);
                for offset in [6.2, 9.8] {
                    self.line(&[(offset, 1.4), (offset, 3.6)]);
                    self.line(&[(offset, 12.4), (offset, 14.6)]);
                    self.line(&[(1.4, offset), (3.6, offset)]);
                    self.line(&[(12.4, offset), (14.6, offset)]);
                }
            }
            Icon::Sliders => {
                self.line(&[(1.6, 5.0), (8.6, 5.0)]);
                self.circle(10.6, 5.0, 1.9);
                self.line(&[(12.6, 5.0), (14.4, 5.0)]);
                self.line(&[(1.6, 11.0), (3.4, 11.0)]);
                self.circle(5.4, 11.0, 1.9);
                self.line(&[(7.4, 11.0), (14.4, 11.0)]);
            }
            Icon::Plus => {
                self.line(&[(8.0, 2.8), (8.0, 13.2)]);
                self.line(&[(2.8, 8.0), (13.2, 8.0)]);
            }
            Icon::TrayOut => {
                self.line(&[(8.0, 10.0), (8.0, 1.6)]);
                self.line(&[(4.6, 5.0), (8.0, 1.6), (11.4, 5.0)]);
                self.line(&[(1.8, 10.2), (1.8, 14.2), (14.2, 14.2), (14.2, 10.2)]);
            }
            Icon::Play => self.shape(&[(4.2, 2.4), (13.4, 8.0), (4.2, 13.6)]),
            Icon::Stop => self.shape(&[(4.0, 4.0), (12.0, 4.0), (12.0, 12.0), (4.0, 12.0)]),
            Icon::Clock => {
                self.circle(8.0, 8.0, 6.2);
                self.line(&[(8.0, 4.2), (8.0, 8.2), (10.8, 9.6)]);
            }
            Icon::Shield => self.shape(&[
                (8.0, 1.6),
                (13.4, 3.4),
                (13.2, 8.6),
                (11.4, 12.0),
                (8.0, 14.4),
                (4.6, 12.0),
                (2.8, 8.6),
                (2.6, 3.4),
            ]),
        }
    }

    fn at(&self, (x, y): (f32, f32)) -> Pos2 {
        self.origin + egui::vec2(x, y) * self.unit
    }

    fn stroke(&self) -> Stroke {
        // Small icons keep a stroke that is seen; large ones grow with their size.
        Stroke::new((1.5 * self.unit).max(1.25), self.color)
    }

    fn line(&self, points: &[(f32, f32)]) {
        let points: Vec<Pos2> = points.iter().map(|&p| self.at(p)).collect();
        // Round ends: epaint's own ends are cut off square.
        let radius = self.stroke().width / 2.0;
        for end in [points.first(), points.last()].into_iter().flatten() {
            self.painter.circle_filled(*end, radius, self.color);
        }
        self.painter
            .add(PathShape::line(points, PathStroke::from(self.stroke())));
    }

    fn shape(&self, points: &[(f32, f32)]) {
        let points = points.iter().map(|&p| self.at(p)).collect();
        self.painter.add(PathShape::closed_line(
            points,
            PathStroke::from(self.stroke()),
        ));
    }

    fn fill(&self, points: &[(f32, f32)]) {
        let points = points.iter().map(|&p| self.at(p)).collect();
        self.painter
            .add(Shape::convex_polygon(points, self.color, PathStroke::NONE));
    }

    fn circle(&self, x: f32, y: f32, radius: f32) {
        self.painter
            .circle_stroke(self.at((x, y)), radius * self.unit, self.stroke());
    }

    fn dot(&self, x: f32, y: f32, radius: f32) {
        self.painter
            .circle_filled(self.at((x, y)), radius * self.unit, self.color);
    }

    fn curve(&self, points: [(f32, f32); 4]) {
        self.painter.add(CubicBezierShape::from_points_stroke(
            points.map(|p| self.at(p)),
            false,
            Color32::TRANSPARENT,
            PathStroke::from(self.stroke()),
        ));
    }

    fn exclamation(&self, top: f32, bottom: f32, dot: f32) {
        self.line(&[(8.0, top), (8.0, bottom)]);
        self.dot(8.0, dot, 0.95);
    }
}

/// The program's icon, painted: a chip with a pulse line, on a 16-unit grid.
pub fn paint_app_icon(painter: &Painter, rect: Rect, body: Color32, pulse: Color32) {
    let unit = rect.width() / 16.0;
    let at = |x: f32, y: f32| rect.min + egui::vec2(x, y) * unit;
    let block =
        |x: f32, y: f32, w: f32, h: f32| Rect::from_min_size(at(x, y), egui::vec2(w, h) * unit);
    painter.rect_filled(block(2.0, 2.0, 12.0, 12.0), 2.5 * unit, body);
    for offset in [5.0, 9.0] {
        for pin in [
            block(offset, 0.0, 2.0, 2.5),
            block(offset, 13.5, 2.0, 2.5),
            block(0.0, offset, 2.5, 2.0),
            block(13.5, offset, 2.5, 2.0),
        ] {
            painter.rect_filled(pin, 0.5 * unit, body);
        }
    }
    let line = [
        (3.4, 8.4),
        (5.4, 8.4),
        (6.7, 4.8),
        (9.0, 11.4),
        (10.3, 8.0),
        (12.6, 8.0),
    ];
    painter.add(PathShape::line(
        line.into_iter().map(|(x, y)| at(x, y)).collect(),
        PathStroke::new(1.3 * unit, pulse),
    ));
}
