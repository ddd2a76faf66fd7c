//! Top bar, status bar and notice: what stands around every screen.

use eframe::egui;
use egui::{
    Align, Button, Frame, Layout, Margin, Panel, Popup, Rect, Response, Role, Sense, Stroke, Ui,
    UiBuilder, WidgetInfo, vec2,
};

use super::Commands;
use super::icons::{self, Icon};
use super::startup::PROGRAM_NAME;
use super::theme::{self, GAP, GAP_SMALL, MARGIN};
use super::widgets::{
    Button as OurButton, Callout, IconButton, callout_ui, focus_ring, galley, label_ui,
    progress_bar_ui, progress_text,
};
use crate::app::{AppState, Command, GpuChecking, LogStatus, Run, Tab};
use crate::inputs::ReadProgress;
use crate::settings::ThemeChoice;
use crate::words::{Arg, Language};

/// Tabs begin here, whatever stands before them, so that they never jump.
const TABS_LEFT: f32 = 328.0;
const TOP_BAR: f32 = 44.0;
const STATUS_BAR: f32 = 28.0;

/// The bar at the top: name, case, tab, language, theme.
pub fn top_bar_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let c = theme::colors(ui);
    Panel::top("top-bar")
        .exact_size(TOP_BAR)
        .resizable(false)
        .show_separator_line(false)
        .frame(
            Frame::new()
                .fill(c.panel)
                .inner_margin(Margin::symmetric(16, 0)),
        )
        .show(ui, |ui| {
            let bar = ui.max_rect();
            ui.painter().hline(
                (bar.left() - MARGIN)..=(bar.right() + MARGIN),
                bar.bottom() - 0.5,
                Stroke::new(1.0, c.border),
            );
            let mut left = bar;
            left.max.x = bar.left() - MARGIN + TABS_LEFT - GAP;
            let mut tabs = bar;
            tabs.min.x = bar.left() - MARGIN + TABS_LEFT;
            let row = |rect: Rect, layout: Layout| UiBuilder::new().max_rect(rect).layout(layout);
            ui.scope_builder(row(left, Layout::left_to_right(Align::Center)), |ui| {
                name_ui(ui, state, commands);
            });
            ui.scope_builder(row(tabs, Layout::left_to_right(Align::Center)), |ui| {
                tabs_ui(ui, state, commands);
            });
            right_ui(ui, state, bar, commands);
        });
}

/// Open, language and theme at the right; drawn from the left, as the Tab key goes.
fn right_ui(ui: &mut Ui, state: &AppState, bar: Rect, commands: &mut Commands) {
    let words = state.words;
    let open = words.text("ui-open");
    let open = OurButton::new(&open)
        .icon(Icon::Folder)
        .quiet()
        .height(28.0);
    let open = state.has_content().then_some(open);
    let language = words.text("ui-language");
    let short = words.text("ui-language-short");
    let language = IconButton::new(Icon::Globe, &language).text(&short);
    let theme = words.text("ui-theme");
    let shown = if ui.visuals().dark_mode {
        Icon::Moon
    } else {
        Icon::Sun
    };
    let theme = IconButton::new(shown, &theme);

    let gap = 4.0;
    let width = open.as_ref().map_or(0.0, |open| open.width(ui) + gap)
        + language.width(ui)
        + gap
        + theme.width(ui);
    let mut place = bar;
    place.min.x = bar.right() - width;
    let builder = UiBuilder::new()
        .max_rect(place)
        .layout(Layout::left_to_right(Align::Center));
    ui.scope_builder(builder, |ui| {
        ui.spacing_mut().item_spacing.x = gap;
        if let Some(open) = open
            && ui.add(open).clicked()
        {
            commands.push(Command::ChooseFiles);
        }
        let response = ui.add(language);
        language_menu_ui(&response, state, commands);
        let response = ui.add(theme);
        theme_menu_ui(&response, state, commands);
    });
}

fn name_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let c = theme::colors(ui);
    ui.spacing_mut().item_spacing.x = GAP_SMALL;
    let (rect, _) = ui.allocate_exact_size(vec2(20.0, 20.0), Sense::hover());
    icons::paint_app_icon(ui.painter(), rect, c.brand, c.on_brand);
    ui.add_space(2.0);
    label_ui(ui, PROGRAM_NAME, theme::semibold(14.0), c.text);
    let name = match &state.log {
        LogStatus::Ready { name, .. } => name,
        _ => &state.labels.view.title,
    };
    if name.is_empty() {
        return;
    }
    let (rect, _) = ui.allocate_exact_size(vec2(1.0, 16.0), Sense::hover());
    ui.painter()
        .vline(rect.center().x, rect.y_range(), Stroke::new(1.0, c.border));
    // The button comes first, so that a long name is cut and not the button.
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let close = state.words.text("ui-close-case");
        let button_width = 24.0;
        let name_width = ui.available_width() - button_width - GAP_SMALL;
        let galley = galley(ui.painter(), name.clone(), theme::body(), c.weak);
        let spare = (name_width - galley.size().x).max(0.0);
        ui.add_space(spare.floor());
        if ui
            .add(IconButton::new(Icon::Cross, &close).size(button_width))
            .clicked()
        {
            commands.push(Command::CloseCase);
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            label_ui(ui, name, theme::body(), c.weak);
        });
    });
}

/// The tabs. Without a case they are faint.
fn tabs_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let labels = &state.labels.view;
    ui.spacing_mut().item_spacing.x = 0.0;
    for (tab, id, count) in [
        (Tab::Log, "ui-tab-log", 0),
        (Tab::Labels, "ui-tab-labels", labels.problems),
    ] {
        let badge = (count > 0).then(|| state.words.number(count as u64));
        let text = state.words.text(id);
        if tab_ui(ui, state, tab, &text, badge.as_deref()) {
            commands.push(Command::ShowTab(tab));
        }
    }
}

/// One tab, with the number of its problems; whether it was clicked.
fn tab_ui(ui: &mut Ui, state: &AppState, tab: Tab, text: &str, badge: Option<&str>) -> bool {
    let c = theme::colors(ui);
    let has_content = state.has_content();
    let shown = has_content && state.tab == tab;
    let (font, color) = match (has_content, shown) {
        (_, true) => (theme::semibold(14.0), c.text),
        (true, false) => (theme::body(), c.weak),
        (false, _) => (theme::body(), c.faint),
    };
    let label = galley(ui.painter(), text.to_owned(), font, color);
    let (badge_color, badge_ground) = if state.labels.view.has_error {
        (c.danger, c.danger_tint)
    } else {
        (c.warning, c.warning_tint)
    };
    let badge_text = badge.map(|badge| galley(ui.painter(), badge, theme::small(), badge_color));
    let badge_width = badge_text
        .as_ref()
        .map_or(0.0, |badge| (badge.size().x + 12.0).max(20.0) + 8.0);
    let size = vec2(label.size().x + badge_width + 24.0, TOP_BAR);
    let sense = if has_content {
        Sense::click()
    } else {
        Sense::hover()
    };
    let (rect, response) = ui.allocate_exact_size(size, sense);
    let name = match badge {
        Some(badge) => state.words.with(
            "ui-tab-count",
            &[("tab", Arg::Text(text)), ("count", Arg::Text(badge))],
        ),
        None => text.to_owned(),
    };
    response.widget_info(|| WidgetInfo::selected(Role::Tab, has_content, shown, &name));
    let left = rect.left() + 12.0;
    let color = if response.hovered() { c.text } else { color };
    let label_right = left + label.size().x;
    let at = egui::pos2(left, rect.center().y - label.size().y / 2.0);
    ui.painter()
        .galley_with_override_text_color(at, label, color);
    if let Some(badge) = badge_text {
        let ground = Rect::from_min_size(
            egui::pos2(label_right + 8.0, rect.center().y - 9.0),
            vec2(badge_width - 8.0, 18.0),
        );
        ui.painter()
            .rect_filled(ground, theme::RADIUS_SMALL, badge_ground);
        let at = ground.center() - badge.size() / 2.0;
        ui.painter().galley(at, badge, badge_color);
    }
    if shown {
        let mut line = rect.shrink2(vec2(12.0, 0.0));
        line.min.y = line.max.y - 2.0;
        ui.painter().rect_filled(line, 0, c.accent);
    }
    if response.has_focus() {
        focus_ring(ui, &response);
    }
    response.clicked()
}

fn language_menu_ui(button: &Response, state: &AppState, commands: &mut Commands) {
    let words = state.words;
    Popup::menu(button).show(|ui| {
        for language in Language::ALL {
            // Each language by its own name: who is lost in one finds the other.
            let text = match language {
                Language::En => "English",
                Language::ZhCn => "简体中文",
            };
            let chosen = language == words.language;
            if menu_item_ui(ui, None, text, chosen) && !chosen {
                commands.push(Command::SetLanguage(language));
            }
        }
    });
}

fn theme_menu_ui(button: &Response, state: &AppState, commands: &mut Commands) {
    let words = state.words;
    Popup::menu(button).show(|ui| {
        for (choice, icon, id) in [
            (ThemeChoice::System, Icon::HalfCircle, "ui-theme-system"),
            (ThemeChoice::Light, Icon::Sun, "ui-theme-light"),
            (ThemeChoice::Dark, Icon::Moon, "ui-theme-dark"),
        ] {
            let chosen = choice == state.settings.theme;
            if menu_item_ui(ui, Some(icon), &words.text(id), chosen) && !chosen {
                commands.push(Command::SetTheme(choice));
            }
        }
    });
}

/// A row of a menu; the chosen one is marked. Returns whether it was clicked.
fn menu_item_ui(ui: &mut Ui, icon: Option<Icon>, text: &str, chosen: bool) -> bool {
    let c = theme::colors(ui);
    let indent = if icon.is_some() { 24.0 } else { 0.0 };
    let response = ui
        .horizontal(|ui| {
            let button = Button::selectable(chosen, "").min_size(vec2(168.0, 28.0));
            let response = ui.add(button);
            let rect = response.rect;
            if let Some(icon) = icon {
                let at =
                    Rect::from_center_size(rect.left_center() + vec2(16.0, 0.0), vec2(14.0, 14.0));
                icons::paint(ui.painter(), icon, at, c.weak);
            }
            let galley = galley(ui.painter(), text.to_owned(), theme::body(), c.text);
            let at = egui::pos2(
                rect.left() + 10.0 + indent,
                rect.center().y - galley.size().y / 2.0,
            );
            ui.painter().galley(at, galley, c.text);
            response
        })
        .inner;
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, chosen, text));
    let clicked = response.clicked();
    if clicked {
        ui.close();
    }
    clicked
}

/// The bar at the bottom: promise, running job, last message.
pub fn status_bar_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let c = theme::colors(ui);
    Panel::bottom("status-bar")
        .exact_size(STATUS_BAR)
        .resizable(false)
        .show_separator_line(false)
        .frame(
            Frame::new()
                .fill(c.panel)
                .inner_margin(Margin::symmetric(16, 0)),
        )
        .show(ui, |ui| {
            let bar = ui.max_rect();
            ui.painter().hline(
                (bar.left() - MARGIN)..=(bar.right() + MARGIN),
                bar.top() + 0.5,
                Stroke::new(1.0, c.border),
            );
            ui.horizontal_centered(|ui| {
                promise_ui(ui, state);
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    // While nothing else is shown, the centre tells of it.
                    let reading = matches!(state.log, LogStatus::Loading);
                    let job = state.running.as_ref().filter(|_| !reading);
                    let check = state.labels.checking.as_ref();
                    if let Some(job) = job {
                        running_ui(ui, state, job.progress, &job.label, commands);
                    } else if let Some(check) = check.filter(|_| state.tab != Tab::Labels) {
                        running_ui(ui, state, check.files_done(), &check.text, commands);
                    } else if let Some(gpu) = check_of_gpu(state) {
                        running_ui(ui, state, Some(gpu.progress()), &gpu.text, commands);
                    } else if let Some(run) = state.rerun.run.as_ref().filter(|run| run.goes_on()) {
                        run_ui(ui, state, run);
                    } else if state.labels.is_exporting() {
                        running_ui(ui, state, None, &state.message.text, commands);
                    } else {
                        let text = &state.message.text;
                        let ready = state.words.text("ui-ready");
                        let text = if text.is_empty() { &ready } else { text };
                        label_ui(ui, text, theme::small(), c.weak);
                    }
                });
            });
        });
}

/// The check of a GPU that runs while another tab is shown.
fn check_of_gpu(state: &AppState) -> Option<&GpuChecking> {
    state
        .gpus
        .checking
        .as_ref()
        .filter(|_| state.tab != Tab::Labels)
}

/// A run that goes on: what will be kept, how far it is; from right to left.
fn run_ui(ui: &mut Ui, state: &AppState, run: &Run) {
    let c = theme::colors(ui);
    let words = state.words;
    let kept = words.text("rerun-evidence-kept");
    label_ui(ui, &kept, theme::small(), c.weak);
    if state.tab != Tab::Log {
        ui.add_space(GAP);
        label_ui(ui, &run.card.title, theme::small(), c.text);
    }
}

fn promise_ui(ui: &mut Ui, state: &AppState) {
    let c = theme::colors(ui);
    ui.spacing_mut().item_spacing.x = 6.0;
    let (rect, _) = ui.allocate_exact_size(vec2(14.0, 14.0), Sense::hover());
    icons::paint(ui.painter(), Icon::Shield, rect, c.weak);
    label_ui(ui, &state.words.text("ui-promise"), theme::small(), c.weak);
}

/// From right to left: cancel, percent, bar, what it does.
fn running_ui(
    ui: &mut Ui,
    state: &AppState,
    progress: Option<ReadProgress>,
    label: &str,
    commands: &mut Commands,
) {
    let c = theme::colors(ui);
    let cancel = state.words.text("ui-cancel");
    if ui
        .add(IconButton::new(Icon::Cross, &cancel).size(22.0))
        .clicked()
    {
        commands.push(Command::CancelJob);
    }
    let percent = progress
        .filter(|progress| state.running.is_some() || progress.total.is_some())
        .map(|progress| progress_text(state.words, Some(progress)))
        .unwrap_or_default();
    if !percent.is_empty() {
        label_ui(ui, &percent, theme::small(), c.weak);
    }
    progress_bar_ui(ui, progress, 140.0, label);
    label_ui(ui, label, theme::small(), c.text);
}

/// Something to tell above the content, until it is put away.
pub fn notice_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let Some(notice) = &state.notice else { return };
    let c = theme::colors(ui);
    let (icon, color, fill) = if notice.warning {
        (Icon::Warning, c.warning, c.warning_tint)
    } else {
        (Icon::Info, c.accent_strong, c.accent_tint)
    };
    let frame = Frame::new()
        .fill(fill)
        .inner_margin(Margin::symmetric(16, 10));
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        let whole = ui.available_rect_before_wrap();
        let mut text = whole;
        text.max.x -= 40.0;
        let response = ui.scope_builder(UiBuilder::new().max_rect(text), |ui| {
            let callout = Callout {
                icon,
                color,
                heading: &notice.heading,
                text: &notice.text,
                path: notice.path.as_deref(),
            };
            callout_ui(ui, &callout, |_| {});
        });
        let corner = Rect::from_min_size(
            egui::pos2(whole.right() - 28.0, whole.top()),
            vec2(28.0, 28.0),
        );
        let name = state.words.text("ui-dismiss");
        let close = ui.scope_builder(UiBuilder::new().max_rect(corner), |ui| {
            ui.add(IconButton::new(Icon::Cross, &name))
        });
        if close.inner.clicked() {
            commands.push(Command::DismissNotice);
        }
        let mut used = whole;
        used.max.y = response.response.rect.bottom().max(corner.bottom());
        ui.advance_cursor_after_rect(used);
    });
}
