//! The system's file dialog, without stopping the window.
//!
//! It is made on the window's thread, as some systems demand, and waited for on another.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use eframe::egui;

use crate::words::Words;

/// A dialog that may be open.
#[derive(Default)]
pub struct FileDialog {
    waiting: Option<Receiver<Option<Vec<PathBuf>>>>,
    /// An empty dialog that knows its window.
    empty: Option<rfd::AsyncFileDialog>,
}

impl FileDialog {
    /// Names the window it belongs to, so that it stays on top of it.
    pub fn set_parent(&mut self, frame: &eframe::Frame) {
        self.empty
            .get_or_insert_with(|| rfd::AsyncFileDialog::new().set_parent(frame));
    }

    /// Opens the dialog; one that is open already stays the only one.
    pub fn open(&mut self, ctx: &egui::Context, words: Words) {
        if self.waiting.is_some() {
            return;
        }
        let answer = self
            .empty
            .clone()
            .unwrap_or_default()
            .set_title(words.text("ui-dialog-title"))
            .add_filter(
                words.text("ui-dialog-logs"),
                &["log", "txt", "out", "err", "ipynb"],
            )
            .add_filter(words.text("ui-dialog-all"), &["*"])
            .pick_files();
        let (send, receive) = channel();
        let wake = ctx.clone();
        let thread = std::thread::Builder::new()
            .name("file-dialog".into())
            .spawn(move || {
                let files = pollster::block_on(answer);
                let paths = files.map(|files| {
                    files
                        .iter()
                        .map(|file| file.path().to_owned())
                        .collect::<Vec<_>>()
                });
                // The window may be gone by now.
                drop(send.send(paths));
                wake.request_repaint();
            });
        match thread {
            Ok(_) => self.waiting = Some(receive),
            Err(error) => log::error!("no thread for the file dialog: {error}"),
        }
    }

    /// The chosen files, once there are any.
    pub fn answer(&mut self) -> Option<Vec<PathBuf>> {
        let waiting = self.waiting.as_ref()?;
        match waiting.try_recv() {
            Ok(paths) => {
                self.waiting = None;
                paths.filter(|paths| !paths.is_empty())
            }
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => {
                self.waiting = None;
                None
            }
        }
    }
}
