//! The offenders: a table whose rows are made as they come on screen.

use eframe::egui;
use egui::{
    Align, Align2, EventFilter, Id, Key, Layout, Rect, Role, ScrollArea, Sense, Stroke, StrokeKind,
    Ui, UiBuilder, WidgetInfo, pos2, vec2,
};

use crate::app::labels_view::OffenderRow;
use crate::app::{AppState, Command, OffenderColumn};
use crate::check::Checked;
use crate::ui::Commands;
use crate::ui::icons::{self, Icon};
use crate::ui::theme::{self, GAP_SMALL, RADIUS};
use crate::ui::widgets::{
    Button, cut_galley, cut_start_galley, focus_ring, galley, label_ui, menu_row_ui,
};

const HEAD: f32 = 40.0;
const COLUMNS: f32 = 28.0;
const ROW: f32 = 28.0;
const PADDING: f32 = 12.0;
/// Width of a character of the code font.
const DIGIT: f32 = 7.8;

/// Where columns begin, from the left edge.
#[derive(Clone, Copy)]
struct Columns {
    file_width: f32,
    /// Right edges.
    row: f32,
    value: f32,
    value_width: f32,
    /// Left edge; `None` where there is no room.
    text: Option<f32>,
    width: f32,
}

impl Columns {
    fn of(width: f32, (row_chars, value_chars): (usize, usize)) -> Self {
        let wide = |chars: usize, most: f32| (chars as f32 * DIGIT + 16.0).clamp(48.0, most);
        let row_width = wide(row_chars, 130.0);
        let value_width = wide(value_chars, 180.0);
        let has_text = width >= 440.0;
        let rest = width - 2.0 * PADDING - row_width - value_width;
        let file_width = if has_text {
            (rest * 0.42).clamp(100.0, 300.0)
        } else {
            rest.max(60.0)
        };
        let row = PADDING + file_width + row_width;
        let value = row + value_width;
        Self {
            file_width,
            row,
            value,
            value_width: value_width - 12.0,
            text: has_text.then_some(value + 16.0),
            width,
        }
    }
}

/// Keyboard scroll of the table.
#[derive(Debug, Default)]
pub struct Scroll {
    offset: f32,
    /// The finding and the source that the rows are of; those of others begin at the top.
    about: (Option<usize>, Option<usize>),
}

impl Scroll {
    /// Draws the card as high as there is room.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        state: &AppState,
        checked: &Checked,
        commands: &mut Commands,
    ) {
        let c = theme::colors(ui);
        let view = &state.labels.view;
        let card = ui.available_rect_before_wrap();
        ui.advance_cursor_after_rect(card);
        ui.painter().rect(
            card,
            RADIUS,
            c.panel,
            Stroke::new(1.0, c.border),
            StrokeKind::Inside,
        );
        let mut head = card.shrink2(vec2(PADDING, 0.0));
        head.max.y = head.min.y + HEAD;
        head_ui(ui, state, head, commands);
        let mut names = card.shrink2(vec2(1.0, 0.0));
        names.min.y = head.bottom();
        names.max.y = names.min.y + COLUMNS;
        for y in [names.top(), names.bottom()] {
            ui.painter()
                .hline(names.x_range(), y + 0.5, Stroke::new(1.0, c.border));
        }
        let columns = Columns::of(names.width(), view.offenders.longest);
        names_ui(ui, state, names, columns, commands);

        let mut list = names;
        list.min.y = names.bottom() + 1.0;
        list.max.y = card.bottom() - 1.0;
        if let Some(more) = &view.offenders.more {
            list.max.y -= 28.0;
            let mut foot = list.shrink2(vec2(PADDING, 0.0));
            foot.min.y = list.bottom();
            foot.max.y = foot.min.y + 28.0;
            let builder = UiBuilder::new()
                .max_rect(foot)
                .layout(Layout::left_to_right(Align::Center));
            ui.scope_builder(builder, |ui| {
                label_ui(ui, more, theme::small(), c.weak);
            });
        }
        self.list_ui(ui, state, checked, list, columns, commands);
    }

    fn list_ui(
        &mut self,
        ui: &mut Ui,
        state: &AppState,
        checked: &Checked,
        list: Rect,
        columns: Columns,
        commands: &mut Commands,
    ) {
        let view = &state.labels.view;
        let id = Id::unique("labels-offenders");
        let response = ui.interact(list, id, Sense::focusable_noninteractive());
        let name = state.words.text("labels-offenders");
        response.widget_info(|| WidgetInfo::labeled(Role::List, true, &name));
        let mut asked = None;
        if response.has_focus() {
            let filter = EventFilter {
                vertical_arrows: true,
                ..EventFilter::default()
            };
            ui.memory_mut(|memory| memory.set_focus_lock_filter(id, filter));
            let page = list.height() - ROW;
            for (key, step) in [
                (Key::ArrowUp, -ROW),
                (Key::ArrowDown, ROW),
                (Key::PageUp, -page),
                (Key::PageDown, page),
                (Key::Home, f32::NEG_INFINITY),
                (Key::End, f32::INFINITY),
            ] {
                if ui.input(|input| input.key_pressed(key)) {
                    let most = view.offenders.len() as f32 * ROW - list.height();
                    asked = Some((self.offset + step).clamp(0.0, most.max(0.0)));
                }
            }
        }
        let looking = state.labels.looking();
        let about = (looking.finding, looking.source);
        if self.about != about {
            self.about = about;
            asked = Some(0.0);
        }
        ui.scope_builder(UiBuilder::new().max_rect(list), |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            let mut area = ScrollArea::vertical()
                .id_salt("offenders")
                .auto_shrink(false);
            if let Some(asked) = asked {
                area = area.vertical_scroll_offset(asked);
            }
            let output = area.show_rows(ui, ROW, view.offenders.len(), |ui, rows| {
                for index in rows {
                    if let Some(row) = view.offender(index, checked) {
                        row_ui(ui, state, index, &row, columns, commands);
                    }
                }
            });
            self.offset = output.state.clamped_offset().y;
        });
        focus_ring(ui, &response);
    }
}

fn head_ui(ui: &mut Ui, state: &AppState, head: Rect, commands: &mut Commands) {
    let c = theme::colors(ui);
    let words = state.words;
    let view = &state.labels.view.offenders;
    let builder = UiBuilder::new()
        .max_rect(head)
        .layout(Layout::right_to_left(Align::Center));
    ui.scope_builder(builder, |ui| {
        if view.can_export && !state.labels.is_exporting() {
            let export = words.text("labels-export");
            let button = Button::new(&export)
                .icon(Icon::TrayOut)
                .quiet()
                .height(28.0);
            if ui.add(button).clicked() {
                commands.push(Command::ChooseExport);
            }
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            let title = words.text("labels-offenders");
            label_ui(ui, &title, theme::semibold(16.0), c.text);
            ui.add_space(GAP_SMALL);
            label_ui(ui, &view.caption, theme::small(), c.weak);
        });
    });
}

fn names_ui(ui: &mut Ui, state: &AppState, head: Rect, columns: Columns, commands: &mut Commands) {
    let c = theme::colors(ui);
    let words = state.words;
    let view = &state.labels.view.offenders;
    for (column, id, x, align) in [
        (
            OffenderColumn::File,
            "labels-file",
            PADDING,
            Align2::LEFT_CENTER,
        ),
        (
            OffenderColumn::Row,
            "labels-row",
            columns.row,
            Align2::RIGHT_CENTER,
        ),
        (
            OffenderColumn::Value,
            "labels-value",
            columns.value,
            Align2::RIGHT_CENTER,
        ),
    ] {
        let name = words.text(id);
        let text = galley(ui.painter(), name.as_str(), theme::small(), c.weak);
        let sorted = view.sorted_by == column;
        let at = align.anchor_size(pos2(head.left() + x, head.center().y), text.size());
        let mut place = at.expand2(vec2(6.0, 4.0));
        if sorted {
            place.max.x += 14.0;
        }
        let response = ui.interact(place, Id::unique(("labels-sort", id)), Sense::click());
        response.widget_info(|| WidgetInfo::selected(Role::Button, ui.is_enabled(), sorted, &name));
        let color = if sorted || response.hovered() {
            c.text
        } else {
            c.weak
        };
        ui.painter()
            .galley_with_override_text_color(at.min, text, color);
        if sorted {
            let icon = if view.descending {
                Icon::ChevronDown
            } else {
                Icon::ChevronUp
            };
            let at = Rect::from_center_size(at.right_center() + vec2(9.0, 0.0), vec2(10.0, 10.0));
            icons::paint(ui.painter(), icon, at, color);
        }
        focus_ring(ui, &response);
        if response.clicked() {
            commands.push(Command::SortOffenders(column));
        }
        if column == OffenderColumn::Row {
            response.on_hover_text(words.text("labels-row-tooltip"));
        }
    }
    if let Some(left) = columns.text {
        let text = words.text("labels-as-it-stands");
        let text = galley(ui.painter(), text, theme::small(), c.weak);
        let at = pos2(head.left() + left, head.center().y - text.size().y / 2.0);
        ui.painter().galley(at, text, c.weak);
    }
}

fn row_ui(
    ui: &mut Ui,
    state: &AppState,
    index: usize,
    row: &OffenderRow,
    columns: Columns,
    commands: &mut Commands,
) {
    let c = theme::colors(ui);
    let size = vec2(ui.available_width(), ROW);
    // Rows are many: they are clicked for their menu and no stops of the Tab key.
    let (rect, response) = ui.allocate_exact_size(size, Sense::CLICK);
    let said = format!("{} · {} · {}", row.file, row.row, row.value);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &said));
    let painter = ui.painter();
    if response.hovered() {
        painter.rect_filled(rect, 0, c.button);
    } else if !index.is_multiple_of(2) {
        painter.rect_filled(rect, 0, c.stripe);
    }
    let y = |text: &egui::Galley| rect.center().y - text.size().y / 2.0;
    let left = rect.left();
    let file = cut_start_galley(
        painter,
        &row.file,
        &theme::code(),
        c.text,
        columns.file_width,
    );
    painter.galley(pos2(left + PADDING, y(&file)), file, c.text);
    let number = galley(painter, row.row.as_str(), theme::code(), c.text);
    let at = pos2(left + columns.row - number.size().x, y(&number));
    painter.galley(at, number, c.text);
    let room = columns.value_width;
    let color = if row.breaks { c.danger } else { c.text };
    let value = cut_galley(painter, &row.value, theme::code(), color, room);
    let at = pos2(left + columns.value - value.size().x, y(&value));
    painter.galley(at, value, color);
    if let Some(x) = columns.text {
        let room = columns.width - x - PADDING;
        let text = cut_galley(painter, &row.text, theme::code(), c.weak, room);
        painter.galley(pos2(left + x, y(&text)), text, c.weak);
    }
    let words = state.words;
    response.context_menu(|ui| {
        let mut copy = |ui: &mut Ui, id: &str, text: &str| {
            if menu_row_ui(ui, Icon::Copy, &words.text(id)) {
                ui.copy_text(text.to_owned());
                commands.push(Command::Copied);
            }
        };
        copy(ui, "labels-copy-path", &row.path);
        copy(ui, "labels-copy-row", &row.text);
    });
    response.on_hover_ui(|ui| {
        ui.label(&row.path);
        if !row.text.is_empty() {
            ui.label(egui::RichText::new(&row.text).font(theme::code()));
        }
    });
}
