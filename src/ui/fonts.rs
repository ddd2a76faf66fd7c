//! The fonts of the window: the same on every machine, and in the tests.
//!
//! `ci/subset-fonts` makes the files. What they lack, a running window finds in the system's fonts.

use std::sync::Arc;

use eframe::egui::{FontData, FontDefinitions, FontFamily};

/// Name of the family for titles, headings and the main button.
pub const SEMIBOLD: &str = "semibold";

/// egui's fonts with emoji.
const EMOJI: [&str; 2] = ["NotoEmoji-Regular", "emoji-icon-font"];

/// The family for titles, headings and the main button.
pub fn semibold() -> FontFamily {
    FontFamily::Name(SEMIBOLD.into())
}

/// Inter for text, JetBrains Mono for code, Noto Sans SC for Chinese in both.
///
/// The files lie in the program as they are: nothing is copied or parsed before a glyph is wanted.
pub fn definitions() -> FontDefinitions {
    let mut fonts = FontDefinitions::empty();
    let files: [(&str, &'static [u8]); 5] = [
        (
            "Inter",
            include_bytes!("../../assets/fonts/Inter-Regular.otf"),
        ),
        (
            "Inter SemiBold",
            include_bytes!("../../assets/fonts/Inter-SemiBold.otf"),
        ),
        (
            "JetBrains Mono",
            include_bytes!("../../assets/fonts/JetBrainsMono-Regular.ttf"),
        ),
        (
            "Noto Sans SC",
            include_bytes!("../../assets/fonts/NotoSansSC-Regular.otf"),
        ),
        (
            "Noto Sans SC Bold",
            include_bytes!("../../assets/fonts/NotoSansSC-Bold.otf"),
        ),
    ];
    for (name, bytes) in files {
        fonts
            .font_data
            .insert(name.to_owned(), Arc::new(FontData::from_static(bytes)));
    }
    // egui's own pictures of emoji, in one colour.
    for name in EMOJI {
        if let Some(data) = FontDefinitions::default().font_data.remove(name) {
            fonts.font_data.insert(name.to_owned(), data);
        }
    }
    let families: [(FontFamily, &[&str]); 3] = [
        (
            FontFamily::Proportional,
            &[
                "Inter",
                "Noto Sans SC",
                "JetBrains Mono",
                EMOJI[0],
                EMOJI[1],
            ],
        ),
        (
            FontFamily::Monospace,
            &[
                "JetBrains Mono",
                "Noto Sans SC",
                "Inter",
                EMOJI[0],
                EMOJI[1],
            ],
        ),
        (
            semibold(),
            // The bold face holds our own texts; the rest of what a heading names comes from the regular one.
            &[
                "Inter SemiBold",
                "Noto Sans SC Bold",
                "Noto Sans SC",
                "JetBrains Mono",
            ],
        ),
    ];
    for (family, names) in families {
        fonts
            .families
            .insert(family, names.iter().map(|&name| name.to_owned()).collect());
    }
    fonts
}

#[cfg(test)]
mod tests {
    use eframe::egui::epaint::text::{Fonts, TextOptions};
    use eframe::egui::{FontFamily, FontId};

    use super::{definitions, semibold};

    #[test]
    fn every_family_has_the_characters_that_texts_and_logs_use() {
        let mut fonts = Fonts::new(TextOptions::default(), definitions());
        let texts = [
            "The quick brown fox 0123456789 !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
            "… – — · ● ○ → ← ↑ ↓ ✓ ✗ ≥ ≤ ≠ × ° ± µ ∞ “ ” ‘ ’ « » • − ™ ©",
            "█▏▎▍▌▋▊▉▇▆▅▄▃▂▁━─│┃╭╮╰╯┏┓┗┛├┤╸╺ ❱ ▶ ▲ ▼ ■ □ ░▒▓",
            "éèüößñçåøŁżčşğİı Ωαβγ Привет",
            "🚀 🔥 💡 ✅",
            "标签超出范围,请检查第一个越界的值。「」【】《》:;?!、￥",
        ];
        for family in [FontFamily::Proportional, FontFamily::Monospace] {
            let font = FontId::new(14.0, family.clone());
            for c in texts.iter().flat_map(|text| text.chars()) {
                assert!(
                    fonts.has_glyph(&font, c),
                    "{family:?} lacks {c:?} (U+{:04X})",
                    u32::from(c)
                );
            }
        }
    }

    #[test]
    fn every_family_has_the_characters_of_our_own_texts() {
        let mut fonts = Fonts::new(TextOptions::default(), definitions());
        let assets = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
        let mut lacking = std::collections::BTreeSet::new();
        let mut read = 0;
        for folder in ["locales", "knowledge", "handbook"] {
            let Ok(entries) = std::fs::read_dir(assets.join(folder)) else {
                continue;
            };
            for entry in entries {
                let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
                read += 1;
                for family in [FontFamily::Proportional, FontFamily::Monospace, semibold()] {
                    let font = FontId::new(14.0, family);
                    lacking.extend(
                        text.chars()
                            .filter(|&c| !c.is_control() && !fonts.has_glyph(&font, c)),
                    );
                }
            }
        }
        assert!(read > 0, "no texts were found");
        assert!(
            lacking.is_empty(),
            "run ci/subset-fonts, these have no glyph: {lacking:?}"
        );
    }

    #[test]
    fn code_keeps_each_character_apart() {
        let mut fonts = Fonts::new(TextOptions::default(), definitions());
        let mut view = fonts.with_pixels_per_point(1.0);
        let font = FontId::new(13.0, FontFamily::Monospace);
        let widths: Vec<f32> = ">=!=->ilW0"
            .chars()
            .map(|c| view.glyph_width(&font, c))
            .collect();
        assert!(
            widths
                .windows(2)
                .all(|pair| (pair[0] - pair[1]).abs() < 0.01),
            "{widths:?}"
        );
        let galley = view.layout_no_wrap(
            "t >= 0 && t != n -> ===".to_owned(),
            font,
            eframe::egui::Color32::WHITE,
        );
        let glyphs = galley.rows.first().unwrap().row.glyphs.len();
        assert_eq!(glyphs, "t >= 0 && t != n -> ===".len());
    }
}
