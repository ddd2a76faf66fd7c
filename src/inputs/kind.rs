//! Telling what a file is.

use std::path::Path;

/// What an input was taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InputKind {
    /// A log: text that a run printed.
    Log,
    /// A Jupyter notebook with outputs.
    Notebook,
    /// Label data: tables, arrays, annotations, masks, YOLO text files.
    Labels,
    /// Weights or a pickled checkpoint.
    Checkpoint,
    /// A configuration (YAML, config.json, TOML).
    Config,
    /// A Python script.
    Script,
    /// A GPU memory recording of this program.
    Recording,
    /// A case of this program.
    Case,
    /// A picture that is no mask.
    Picture,
    /// A folder.
    Folder,
    /// Text without a sign of what it is; read as a log.
    Text,
    /// Bytes that are no text and of no known kind.
    Unknown,
}

/// Tells what a file is from its first bytes (up to 64 KiB) and its name.
pub fn recognise(_path: &Path, _head: &[u8]) -> InputKind {
    InputKind::Text
}
