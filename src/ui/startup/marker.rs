//! A file that lies in the data folder while a window comes up, so that the next start knows
//! when this one died on the way.
//!
//! A driver that takes the process down with it leaves no other trace. The file is locked as long
//! as its process lives: of two windows started at once neither takes the other for dead.

use std::fs::{self, File, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use crate::settings::Renderer;

const PREFIX: &str = "starting-";

/// The mark of a start under way; gone when dropped.
pub(super) struct StartMarker {
    path: PathBuf,
    file: Option<File>,
}

impl StartMarker {
    /// Marks that this process begins to bring up a window.
    pub fn place(folder: &Path) -> Option<Self> {
        fs::create_dir_all(folder).ok()?;
        let path = folder.join(format!("{PREFIX}{}", std::process::id()));
        let file = File::create(&path).ok()?;
        file.try_lock().ok()?;
        Some(Self {
            path,
            file: Some(file),
        })
    }

    /// Notes what is tried now.
    pub fn trying(&mut self, renderer: Renderer) {
        if let Some(file) = &mut self.file {
            let noted = file
                .set_len(0)
                .and_then(|()| file.rewind())
                .and_then(|()| file.write_all(renderer.word().as_bytes()));
            if let Err(error) = noted {
                log::warn!("the start is not guarded against a crash: {error}");
            }
        }
    }
}

impl Drop for StartMarker {
    fn drop(&mut self) {
        // Closed before it is removed, because Windows keeps an open file's name.
        self.file = None;
        if let Err(error) = fs::remove_file(&self.path) {
            log::warn!("the mark of this start stays behind: {error}");
        }
    }
}

/// The renderers of starts that died on the way. Their marks are removed.
pub(super) fn take_crashed(folder: &Path) -> Vec<Renderer> {
    let mut crashed = Vec::new();
    let Ok(entries) = fs::read_dir(folder) else {
        return crashed;
    };
    for entry in entries.flatten() {
        if !entry.file_name().to_string_lossy().starts_with(PREFIX) {
            continue;
        }
        let path = entry.path();
        let Ok(mut file) = File::options().read(true).write(true).open(&path) else {
            continue;
        };
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            continue;
        }
        // Through the same handle: on Windows the lock keeps every other one out, our own too.
        let mut word = String::new();
        if let Err(error) = file.read_to_string(&mut word) {
            log::warn!("the mark of an earlier start cannot be read: {error}");
        }
        drop(file);
        drop(fs::remove_file(&path));
        crashed.extend(Renderer::from_word(word.trim()));
    }
    crashed.sort_unstable();
    crashed.dedup();
    crashed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_dead_starts_count_as_crashed() {
        let folder =
            std::env::temp_dir().join(format!("assert-doctor-marker-{}", std::process::id()));
        drop(fs::remove_dir_all(&folder));
        assert_eq!(take_crashed(&folder), []);

        let mut marker = StartMarker::place(&folder).unwrap();
        marker.trying(Renderer::Vulkan);
        marker.trying(Renderer::Gl);
        assert_eq!(take_crashed(&folder), [], "its process lives");

        // What a process that was killed leaves behind: the file without the lock.
        fs::write(folder.join("starting-1"), "dx12").unwrap();
        fs::write(folder.join("starting-2"), "dx12").unwrap();
        fs::write(folder.join("starting-3"), "").unwrap();
        fs::write(folder.join("settings.json"), "vulkan").unwrap();
        assert_eq!(take_crashed(&folder), [Renderer::Dx12]);
        assert_eq!(take_crashed(&folder), [], "told once");

        drop(marker);
        let left: Vec<_> = fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        assert_eq!(left, ["settings.json"]);
        fs::remove_dir_all(folder).unwrap();
    }
}
