//! What is remembered between starts, as a small JSON file in the user's configuration folder.
//!
//! A broken or missing file means the defaults; it is never an error to start with. Reading and
//! writing touch the disk, so the window does both away from its drawing thread.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy as _;
use serde::{Deserialize, Serialize};

use crate::words::Language;

/// Names the folder for settings, log and crash files instead of the user's own; for portable use and tests.
pub const FOLDER_VARIABLE: &str = "ASSERT_DOCTOR_CONFIG_DIR";

/// What is remembered between starts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The language chosen; `None`: the system's.
    pub language: Option<Language>,
    /// The theme chosen.
    pub theme: ThemeChoice,
    /// How the window is to be drawn.
    pub renderer: RendererChoice,
    /// What earlier starts taught about the ways to draw.
    pub renderer_memory: RendererMemory,
    /// The folder of the run that was looked at last and had not ended then.
    pub run: Option<PathBuf>,
}

/// Light, dark or as the system is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ThemeChoice {
    /// As the system is.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

/// A way to draw the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Renderer {
    /// Direct3D 12 on a graphics card.
    Dx12,
    /// Vulkan on a graphics card.
    Vulkan,
    /// OpenGL on a graphics card.
    Gl,
    /// Any of the three, done by the processor.
    Software,
}

impl Renderer {
    /// All of them, in the order in which they are tried.
    pub const ALL: [Self; 4] = [Self::Dx12, Self::Vulkan, Self::Gl, Self::Software];

    /// Its word on the command line and in files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Dx12 => "dx12",
            Self::Vulkan => "vulkan",
            Self::Gl => "gl",
            Self::Software => "software",
        }
    }

    /// The renderer of a word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|renderer| renderer.word().eq_ignore_ascii_case(word))
    }
}

/// How the window is to be drawn: tried out, or as the user says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RendererChoice {
    /// The first that works.
    #[default]
    Auto,
    /// This one and no other.
    #[serde(untagged)]
    Only(Renderer),
}

impl RendererChoice {
    /// The choice of a word (`auto`, `dx12`, …).
    pub fn from_word(word: &str) -> Option<Self> {
        if word.eq_ignore_ascii_case("auto") {
            Some(Self::Auto)
        } else {
            Renderer::from_word(word).map(Self::Only)
        }
    }
}

/// What earlier starts of this version taught about the ways to draw.
///
/// Another version forgets it, so that a driver which was mended gets its chance again.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RendererMemory {
    /// The program's version that learnt this.
    pub version: String,
    /// The one that drew the last window: tried first.
    pub worked: Option<Renderer>,
    /// Those whose start crashed: tried last.
    pub crashed: Vec<Renderer>,
}

impl RendererMemory {
    /// What this version of the program knows.
    #[must_use]
    pub fn of_this_version(&self) -> Self {
        let version = env!("CARGO_PKG_VERSION");
        if self.version == version {
            self.clone()
        } else {
            Self {
                version: version.to_owned(),
                ..Self::default()
            }
        }
    }
}

impl Settings {
    /// The language to speak.
    pub fn language(&self) -> Language {
        self.language.unwrap_or_else(Language::of_system)
    }

    /// Reads the user's settings; the defaults where there are none or they cannot be read.
    pub fn load() -> Self {
        settings_file().map_or_else(Self::default, |file| Self::load_from(&file))
    }

    /// Reads a settings file; the defaults where it is missing or broken.
    pub fn load_from(file: &Path) -> Self {
        let Ok(bytes) = fs::read(file) else {
            return Self::default();
        };
        let text = String::from_utf8_lossy(&bytes);
        // One setting that an older or newer version wrote differently must not cost the others.
        let Ok(serde_json::Value::Object(fields)) =
            serde_json::from_str(text.trim_start_matches('\u{feff}'))
        else {
            log::warn!("the settings file is broken and is not used");
            return Self::default();
        };
        let mut settings = Self::default();
        for (name, value) in fields {
            let field = serde_json::Value::Object(std::iter::once((name.clone(), value)).collect());
            let Ok(read) = serde_json::from_value::<Self>(field) else {
                log::warn!("the setting {name:?} is not understood and is not used");
                continue;
            };
            match name.as_str() {
                "language" => settings.language = read.language,
                "theme" => settings.theme = read.theme,
                "renderer" => settings.renderer = read.renderer,
                "renderer_memory" => settings.renderer_memory = read.renderer_memory,
                "run" => settings.run = read.run,
                _ => {}
            }
        }
        settings
    }

    /// Writes the user's settings.
    ///
    /// # Errors
    /// The folder or file cannot be written, or there is no home folder.
    pub fn save(&self) -> io::Result<()> {
        let file = settings_file()
            .ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "there is no home folder"))?;
        self.save_to(&file)
    }

    /// Writes a settings file, whole or not at all.
    ///
    /// # Errors
    /// The folder or file cannot be written.
    pub fn save_to(&self, file: &Path) -> io::Result<()> {
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder)?;
        }
        let text = serde_json::to_string_pretty(self)?;
        let draft = file.with_extension(format!("{}.new", std::process::id()));
        let written = fs::File::create(&draft).and_then(|mut out| {
            out.write_all(text.as_bytes())?;
            out.write_all(b"\n")?;
            out.sync_all()
        });
        let replaced = written.and_then(|()| fs::rename(&draft, file));
        if replaced.is_err() {
            drop(fs::remove_file(&draft));
        }
        replaced
    }
}

/// The user's settings file; `None` where there is no home folder.
pub fn settings_file() -> Option<PathBuf> {
    let folder = overridden_folder().or_else(|| {
        Some(
            etcetera::choose_base_strategy()
                .ok()?
                .config_dir()
                .join("assert-doctor"),
        )
    })?;
    Some(folder.join("settings.json"))
}

/// The folder for the program's log and crash files; `None` where there is no home folder.
pub fn data_folder() -> Option<PathBuf> {
    overridden_folder().or_else(|| {
        let strategy = etcetera::choose_base_strategy().ok()?;
        // On Windows the cache folder is the local one; logs have no business in a roaming profile.
        let base = if cfg!(windows) {
            strategy.cache_dir()
        } else {
            strategy.state_dir().unwrap_or_else(|| strategy.data_dir())
        };
        Some(base.join("assert-doctor"))
    })
}

fn overridden_folder() -> Option<PathBuf> {
    std::env::var_os(FOLDER_VARIABLE)
        .filter(|folder| !folder.is_empty())
        .map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!(
            "assert-doctor-settings-{}-{name}",
            std::process::id()
        ));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn what_is_saved_is_read_again() {
        let folder = scratch("round-trip");
        let file = folder.join("deeper").join("settings.json");
        let settings = Settings {
            language: Some(Language::ZhCn),
            theme: ThemeChoice::Dark,
            renderer: RendererChoice::Only(Renderer::Gl),
            renderer_memory: RendererMemory {
                version: "1".into(),
                worked: Some(Renderer::Software),
                crashed: vec![Renderer::Dx12],
            },
            run: Some("runs/数据 1".into()),
        };
        settings.save_to(&file).unwrap();
        settings.save_to(&file).unwrap();
        assert_eq!(Settings::load_from(&file), settings);
        let names: Vec<_> = fs::read_dir(file.parent().unwrap())
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        assert_eq!(names, ["settings.json"], "no draft is left behind");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_broken_file_costs_only_what_is_broken() {
        let folder = scratch("broken");
        let dark = Settings {
            theme: ThemeChoice::Dark,
            ..Settings::default()
        };
        let check = |text: &[u8], expected: &Settings| {
            let file = folder.join("settings.json");
            fs::write(&file, text).unwrap();
            assert_eq!(
                &Settings::load_from(&file),
                expected,
                "{}",
                String::from_utf8_lossy(text)
            );
        };
        check(b"", &Settings::default());
        check(b"{\"theme\": \"dark\"", &Settings::default());
        check(b"[1, 2]", &Settings::default());
        check(b"\xff\xfe\x00", &Settings::default());
        check(b"{\"theme\": \"dark\"}", &dark);
        check(b"\xef\xbb\xbf{\"theme\": \"dark\"}", &dark);
        check(
            b"{\"theme\": \"dark\", \"language\": \"tlh\", \"renderer\": 7, \"new\": {}}",
            &dark,
        );
        check(b"{\"theme\": \"dark\", \"renderer\": \"auto\"}", &dark);
        check(
            b"{\"renderer\": \"gl\"}",
            &Settings {
                renderer: RendererChoice::Only(Renderer::Gl),
                ..Settings::default()
            },
        );
        assert_eq!(
            Settings::load_from(&folder.join("absent.json")),
            Settings::default()
        );
        assert_eq!(
            Settings::load_from(&folder),
            Settings::default(),
            "a folder is no settings file"
        );
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn another_version_forgets_what_it_learnt() {
        let old = RendererMemory {
            version: "0.0.0-old".into(),
            worked: Some(Renderer::Gl),
            crashed: vec![Renderer::Dx12],
        };
        let now = old.of_this_version();
        assert_eq!((now.worked, now.crashed.len()), (None, 0));
        let same = RendererMemory {
            version: now.version,
            ..old
        };
        assert_eq!(same.of_this_version().worked, Some(Renderer::Gl));
    }
}
