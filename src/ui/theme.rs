//! Colours by meaning, text styles and spacing, for the dark and the light theme.
//!
//! The only place that names a colour. Everything else asks [`colors`] for what it means.

use eframe::egui;
use egui::{Color32, CornerRadius, FontId, Stroke, TextStyle, Theme, Ui, Vec2, style};

use super::fonts;
use crate::app::Tone;
use crate::settings::ThemeChoice;
use crate::words::Severity;

/// Corner radius of cards, buttons and fields.
pub const RADIUS: CornerRadius = CornerRadius::same(6);
/// Corner radius of pills inside a line.
pub const RADIUS_SMALL: CornerRadius = CornerRadius::same(4);
/// Margin of the centre and padding of a card.
pub const MARGIN: f32 = 16.0;
/// Gap between blocks.
pub const GAP: f32 = 12.0;
/// Gap within a block.
pub const GAP_SMALL: f32 = 8.0;

/// Every colour, by what it means.
#[derive(Clone, Copy, Debug)]
pub struct Colors {
    /// Behind everything.
    pub background: Color32,
    /// Bars and cards without emphasis.
    pub panel: Color32,
    /// The verdict card.
    pub card: Color32,
    /// Lines between areas.
    pub border: Color32,
    /// Text.
    pub text: Color32,
    /// Sources and reasons.
    pub weak: Color32,
    /// Line numbers and tabs without content.
    pub faint: Color32,
    /// What can be acted on.
    pub accent: Color32,
    /// The filled button under the pointer.
    pub accent_hovered: Color32,
    /// The program's icon.
    pub brand: Color32,
    /// The line on it.
    pub on_brand: Color32,
    /// Text on the filled button.
    pub on_accent: Color32,
    /// Accent text on a tint or on the background.
    pub accent_strong: Color32,
    /// Chosen chip, selected row, search match.
    pub accent_tint: Color32,
    /// Behind a search match.
    pub match_tint: Color32,
    /// Something failed.
    pub danger: Color32,
    /// Line of the failed check.
    pub danger_tint: Color32,
    /// Something misleads or is uncertain.
    pub warning: Color32,
    /// Warning pill and notice.
    pub warning_tint: Color32,
    /// Nothing wrong.
    pub ok: Color32,
    /// Good pill.
    pub ok_tint: Color32,
    /// Neutral button, pill and fold row.
    pub button: Color32,
    /// A neutral button under the pointer.
    pub button_hovered: Color32,
    /// Outline of buttons.
    pub button_border: Color32,
    /// Outline of fields.
    pub field_border: Color32,
    /// Inside of fields.
    pub field: Color32,
    /// Behind the log.
    pub log_background: Color32,
    /// Behind code to copy.
    pub code_background: Color32,
    /// Every second row of a table.
    pub stripe: Color32,
    /// Bars of a chart.
    pub series_1_bar: Color32,
    /// A chart's second series.
    pub series_2: Color32,
    /// Dashed outline of the drop target.
    pub drop_outline: Color32,
    /// Hints' marks in the overview bar, the thumb of a scroll bar.
    pub mark: Color32,
    /// Shadow under menus.
    pub shadow: Color32,
}

#[expect(
    clippy::disallowed_methods,
    reason = "the one place where colours come from"
)]
const fn hex(rgb: u32) -> Color32 {
    Color32::from_rgb((rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8)
}

const DARK: Colors = Colors {
    background: hex(0x16_181d),
    panel: hex(0x1c_1f26),
    card: hex(0x23_2730),
    border: hex(0x32_3844),
    text: hex(0xe6_e9ef),
    weak: hex(0x9a_a3b2),
    faint: hex(0x80_8a9a),
    accent: hex(0x5a_a2ff),
    accent_hovered: hex(0x7a_b5ff),
    brand: hex(0x1f_6feb),
    on_brand: hex(0xff_ffff),
    on_accent: hex(0x0e_1420),
    accent_strong: hex(0x5a_a2ff),
    accent_tint: hex(0x1f_2f47),
    match_tint: hex(0x2f_4a75),
    danger: hex(0xff_6b6b),
    danger_tint: hex(0x3a_2429),
    warning: hex(0xf2_b84b),
    warning_tint: hex(0x37_2f20),
    ok: hex(0x4c_c38a),
    ok_tint: hex(0x1d_3229),
    button: hex(0x2c_313c),
    button_hovered: hex(0x37_3e4b),
    button_border: hex(0x43_4b5a),
    field_border: hex(0x67_7182),
    field: hex(0x16_181d),
    log_background: hex(0x18_1b21),
    code_background: hex(0x18_1b21),
    stripe: hex(0x1f_232b),
    series_1_bar: hex(0x3f_6fae),
    series_2: hex(0xb7_94ff),
    drop_outline: hex(0x4b_5567),
    mark: hex(0x8b_94a3),
    shadow: Color32::from_black_alpha(96),
};

const LIGHT: Colors = Colors {
    background: hex(0xf6_f7f9),
    panel: hex(0xff_ffff),
    card: hex(0xff_ffff),
    border: hex(0xdf_e3ea),
    text: hex(0x1b_1f27),
    weak: hex(0x5b_6574),
    faint: hex(0x66_707f),
    accent: hex(0x1f_6feb),
    accent_hovered: hex(0x1a_62d4),
    brand: hex(0x1f_6feb),
    on_brand: hex(0xff_ffff),
    on_accent: hex(0xff_ffff),
    accent_strong: hex(0x0b_57cf),
    accent_tint: hex(0xe6_effd),
    match_tint: hex(0xbc_d6fb),
    danger: hex(0xd1_242f),
    danger_tint: hex(0xfd_ebec),
    warning: hex(0x9a_6700),
    warning_tint: hex(0xff_f7e0),
    ok: hex(0x1a_7f37),
    ok_tint: hex(0xe4_f5e9),
    button: hex(0xf1_f3f6),
    button_hovered: hex(0xe6_eaef),
    button_border: hex(0xc9_d0da),
    field_border: hex(0x86_8f9d),
    field: hex(0xff_ffff),
    log_background: hex(0xff_ffff),
    code_background: hex(0xf6_f7f9),
    stripe: hex(0xf9_fafb),
    series_1_bar: hex(0x7f_b0f5),
    series_2: hex(0x82_50df),
    drop_outline: hex(0xaa_b3c0),
    mark: hex(0x5b_6574),
    shadow: Color32::from_black_alpha(32),
};

/// The colours of the theme that is shown.
pub fn colors(ui: &Ui) -> &'static Colors {
    if ui.visuals().dark_mode {
        &DARK
    } else {
        &LIGHT
    }
}

impl Colors {
    /// Colour of a severity's icon and bar.
    pub fn severity(&self, severity: Severity) -> Color32 {
        match severity {
            Severity::Error => self.danger,
            Severity::Warning => self.warning,
            Severity::Good => self.ok,
        }
    }

    /// Text and ground of a pill.
    pub fn tone(&self, tone: Tone) -> (Color32, Color32) {
        match tone {
            Tone::Neutral => (self.weak, self.button),
            Tone::Accent => (self.accent_strong, self.accent_tint),
            Tone::Warning => (self.warning, self.warning_tint),
            Tone::Danger => (self.danger, self.danger_tint),
            Tone::Good => (self.ok, self.ok_tint),
        }
    }
}

/// Body text, 14.
pub fn body() -> FontId {
    FontId::proportional(14.0)
}

/// Small text, 12.
pub fn small() -> FontId {
    FontId::proportional(12.0)
}

/// Code, 13.
pub fn code() -> FontId {
    FontId::monospace(13.0)
}

/// Semibold in a size: titles 20, headings 16, emphasis 14.
pub fn semibold(size: f32) -> FontId {
    FontId::new(size, fonts::semibold())
}

/// Sets fonts, both themes' styles, and options that hold for all of the window.
pub fn install(ctx: &egui::Context) {
    ctx.set_fonts(fonts::definitions());
    install_styles(ctx);
}

fn install_styles(ctx: &egui::Context) {
    ctx.all_styles_mut(|style| {
        style.text_styles = [
            (TextStyle::Heading, semibold(16.0)),
            (TextStyle::Body, body()),
            (TextStyle::Button, body()),
            (TextStyle::Small, small()),
            (TextStyle::Monospace, code()),
        ]
        .into();
        let spacing = &mut style.spacing;
        spacing.item_spacing = Vec2::splat(8.0);
        spacing.button_padding = Vec2::new(12.0, 6.0);
        spacing.interact_size = Vec2::new(32.0, 28.0);
        spacing.menu_margin = egui::Margin::same(4);
        spacing.tooltip_width = 480.0;
        spacing.scroll = style::ScrollStyle {
            foreground_color: true,
            dormant_background_opacity: 0.0,
            active_background_opacity: 0.0,
            interact_background_opacity: 0.0,
            dormant_handle_opacity: 0.25,
            active_handle_opacity: 0.4,
            interact_handle_opacity: 0.6,
            ..style::ScrollStyle::thin()
        };
        style.interaction.tooltip_delay = 0.3;
    });
    ctx.style_mut_of(Theme::Dark, |style| set_visuals(&mut style.visuals, &DARK));
    ctx.style_mut_of(Theme::Light, |style| {
        set_visuals(&mut style.visuals, &LIGHT);
    });
}

/// Shows the chosen theme.
pub fn set_choice(ctx: &egui::Context, choice: ThemeChoice) {
    let preference = match choice {
        ThemeChoice::System => egui::ThemePreference::System,
        ThemeChoice::Light => egui::ThemePreference::Light,
        ThemeChoice::Dark => egui::ThemePreference::Dark,
    };
    if ctx.options(|options| options.theme_preference) != preference {
        ctx.set_theme(preference);
    }
}

fn set_visuals(visuals: &mut egui::Visuals, c: &Colors) {
    visuals.panel_fill = c.background;
    visuals.window_fill = c.panel;
    visuals.window_stroke = Stroke::new(1.0, c.border);
    visuals.window_corner_radius = RADIUS;
    visuals.menu_corner_radius = RADIUS;
    let shadow = egui::Shadow {
        offset: [0, 4],
        blur: 16,
        spread: 0,
        color: c.shadow,
    };
    visuals.popup_shadow = shadow;
    visuals.window_shadow = shadow;
    visuals.extreme_bg_color = c.field;
    visuals.text_edit_bg_color = Some(c.field);
    visuals.code_bg_color = c.code_background;
    visuals.faint_bg_color = c.panel;
    visuals.hyperlink_color = c.accent_strong;
    visuals.warn_fg_color = c.warning;
    visuals.error_fg_color = c.danger;
    visuals.weak_text_color = Some(c.weak);
    visuals.selection.bg_fill = c.accent.gamma_multiply(0.35);
    visuals.selection.stroke = Stroke::new(1.0, c.text);
    visuals.text_cursor.stroke = Stroke::new(1.5, c.accent);

    let widgets = &mut visuals.widgets;
    for (state, fill, outline) in [
        (&mut widgets.noninteractive, c.panel, c.border),
        (&mut widgets.inactive, c.button, c.button_border),
        (&mut widgets.hovered, c.button_hovered, c.button_border),
        (&mut widgets.active, c.button_hovered, c.accent),
        (&mut widgets.open, c.button_hovered, c.button_border),
    ] {
        state.bg_fill = fill;
        state.weak_bg_fill = fill;
        state.bg_stroke = Stroke::new(1.0, outline);
        state.fg_stroke = Stroke::new(1.0, c.text);
        state.corner_radius = RADIUS;
        state.expansion = 0.0;
    }
}
