//! The system's file dialog, without stopping the window.
//!
//! It is made on the window's thread, as some systems demand, and waited for on another.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::{Duration, Instant};

use eframe::egui;

use crate::words::Words;

/// Nobody closes a dialog this soon: it was never shown. A Linux desktop without a portal and without zenity has none, and
/// rfd reports that as a dialog that was closed.
const TOO_SOON: Duration = Duration::from_millis(400);

/// What came of a dialog.
pub enum Answer {
    /// Files were chosen.
    Files(Vec<PathBuf>),
    /// The system showed none.
    NotShown,
}

/// A dialog that may be open.
#[derive(Default)]
pub struct FileDialog {
    waiting: Option<Receiver<(Option<Vec<PathBuf>>, Duration)>>,
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
        let opened = Instant::now();
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
                drop(send.send((paths, opened.elapsed())));
                wake.request_repaint();
            });
        match thread {
            Ok(_) => self.waiting = Some(receive),
            Err(error) => log::error!("no thread for the file dialog: {error}"),
        }
    }

    /// What came of the dialog, once it is closed; `None` too where it was closed without a choice.
    pub fn answer(&mut self) -> Option<Answer> {
        let waiting = self.waiting.as_ref()?;
        match waiting.try_recv() {
            Ok((paths, lasted)) => {
                self.waiting = None;
                match paths.filter(|paths| !paths.is_empty()) {
                    Some(paths) => Some(Answer::Files(paths)),
                    None if lasted < TOO_SOON => Some(Answer::NotShown),
                    None => None,
                }
            }
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => {
                self.waiting = None;
                None
            }
        }
    }
}
