//! The system's file dialog, without stopping the window.
//!
//! It is made on the window's thread, as some systems demand, and waited for on another.

use std::path::PathBuf;
use std::pin::Pin;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::{Duration, Instant};

use eframe::egui;

use crate::words::Words;

/// Nobody closes a dialog this soon: it was never shown. A Linux desktop without a portal and without zenity has none, and
/// rfd reports that as a dialog that was closed.
const TOO_SOON: Duration = Duration::from_millis(400);

/// What a dialog asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Files to open; `logs` puts logs first among the kinds.
    Files {
        /// A log is looked for.
        logs: bool,
    },
    /// Folders to open.
    Folders,
    /// A file to write the offenders into.
    Export,
    /// The script to run.
    Script,
    /// The folder to run in.
    RunFolder,
    /// A folder to write the guard into.
    Guard,
}

/// What came of a dialog.
pub enum Answer {
    /// Files or folders were chosen.
    Files(Vec<PathBuf>),
    /// The offenders are to be written here.
    Export(PathBuf),
    /// This script is to be run.
    Script(PathBuf),
    /// It is to be run in this folder.
    RunFolder(PathBuf),
    /// The guard is to be written here.
    Guard(PathBuf),
    /// The system showed none.
    NotShown(Ask),
}

/// What was asked for, and where the answer comes: what was chosen, and after how long.
type Waiting = (Ask, Receiver<(Option<Vec<PathBuf>>, Duration)>);

/// A dialog that may be open.
#[derive(Default)]
pub struct FileDialog {
    waiting: Option<Waiting>,
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
    pub fn open(&mut self, ctx: &egui::Context, ask: Ask, words: Words) {
        if self.waiting.is_some() {
            return;
        }
        let dialog = self.empty.clone().unwrap_or_default();
        let all = (words.text("ui-dialog-all"), ["*"]);
        let answer: Pin<Box<dyn Future<Output = Option<Vec<PathBuf>>> + Send>> = match ask {
            Ask::Files { logs } => {
                let mut dialog = dialog.set_title(words.text("ui-dialog-title"));
                if logs {
                    let kinds = ["log", "txt", "out", "err", "ipynb"];
                    dialog = dialog.add_filter(words.text("ui-dialog-logs"), &kinds);
                }
                let files = dialog.add_filter(all.0, &all.1).pick_files();
                Box::pin(async { files.await.map(|files| paths(&files)) })
            }
            Ask::Folders => {
                let folders = dialog
                    .set_title(words.text("ui-dialog-folder"))
                    .pick_folders();
                Box::pin(async { folders.await.map(|folders| paths(&folders)) })
            }
            Ask::Script => {
                let file = dialog
                    .set_title(words.text("rerun-dialog-script"))
                    .add_filter("Python", &["py"])
                    .add_filter(all.0, &all.1)
                    .pick_file();
                Box::pin(async { file.await.map(|file| paths(&[file])) })
            }
            Ask::RunFolder => {
                let folder = dialog
                    .set_title(words.text("rerun-dialog-folder"))
                    .pick_folder();
                Box::pin(async { folder.await.map(|folder| paths(&[folder])) })
            }
            Ask::Guard => {
                let folder = dialog
                    .set_title(words.text("rerun-dialog-guard"))
                    .pick_folder();
                Box::pin(async { folder.await.map(|folder| paths(&[folder])) })
            }
            Ask::Export => {
                let file = dialog
                    .set_title(words.text("labels-export-title"))
                    .set_file_name("offenders.csv")
                    .add_filter("CSV", &["csv"])
                    .save_file();
                Box::pin(async { file.await.map(|file| paths(&[file])) })
            }
        };
        let (send, receive) = channel();
        let opened = Instant::now();
        let wake = ctx.clone();
        let thread = std::thread::Builder::new()
            .name("file-dialog".into())
            .spawn(move || {
                let paths = pollster::block_on(answer);
                // The window may be gone by now.
                drop(send.send((paths, opened.elapsed())));
                wake.request_repaint();
            });
        match thread {
            Ok(_) => self.waiting = Some((ask, receive)),
            Err(error) => log::error!("no thread for the file dialog: {error}"),
        }
    }

    /// What came of the dialog, once it is closed; `None` too where it was closed without a choice.
    pub fn answer(&mut self) -> Option<Answer> {
        let (ask, waiting) = self.waiting.as_ref()?;
        let ask = *ask;
        match waiting.try_recv() {
            Ok((paths, lasted)) => {
                self.waiting = None;
                match paths.filter(|paths| !paths.is_empty()) {
                    Some(mut paths) => match ask {
                        Ask::Files { .. } | Ask::Folders => Some(Answer::Files(paths)),
                        Ask::Export => paths.pop().map(Answer::Export),
                        Ask::Script => paths.pop().map(Answer::Script),
                        Ask::RunFolder => paths.pop().map(Answer::RunFolder),
                        Ask::Guard => paths.pop().map(Answer::Guard),
                    },
                    None if lasted < TOO_SOON => Some(Answer::NotShown(ask)),
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

fn paths(files: &[rfd::FileHandle]) -> Vec<PathBuf> {
    files.iter().map(|file| file.path().to_owned()).collect()
}
