//! What is remembered between starts.

use serde::{Deserialize, Serialize};

use crate::words::Language;

/// What is remembered between starts, as a small JSON file in the user's configuration folder.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The language chosen; `None`: the system's.
    pub language: Option<Language>,
    /// The theme chosen.
    pub theme: ThemeChoice,
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

impl Settings {
    /// The language to speak.
    pub fn language(&self) -> Language {
        self.language.unwrap_or_else(Language::of_system)
    }
}
