//! The window: draws the state and asks for commands.
//!
//! Nothing here decides, parses, formats large text or touches a file. Panels read
//! [`AppState`](crate::app::AppState), push [`Command`]s, and own only their scroll and drafts.
//! All colours are in [`theme`], all words in [`words`](crate::words).

mod app;
mod file_dialog;
mod icons;
mod panels;
mod shell;
mod shortcuts;
mod theme;
mod widgets;

pub mod fonts;
pub mod startup;

pub use app::App;

use crate::app::Command;

/// What the user asked for in this frame; done after the last panel.
#[derive(Debug, Default)]
struct Commands {
    list: Vec<Command>,
    /// Paste was clicked: only the window can ask for the clipboard.
    read_clipboard: bool,
}

impl Commands {
    fn push(&mut self, command: Command) {
        self.list.push(command);
    }
}
