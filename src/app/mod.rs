//! State and decisions of the program, with no window in it: one [`AppState`], changed only by
//! [`AppState::handle`] (what the user wants) and [`AppState::apply`] (what a job found).

mod command;
mod event;
mod job;
mod log_view;
mod search;
mod state;
mod telling;
mod worker;

pub use command::{Command, LogFilter};
pub use event::Event;
pub use job::{Job, LogSource, OpenWhat, RequestId};
pub use log_view::{FoldKind, Gutter, LineRow, LogView, Match, Row, Tag, Tone};
pub use state::{AppState, Failed, LogStatus, Notice, RunningJob, Search, StatusMessage};
pub use telling::Note;
pub use worker::Worker;
