//! State and decisions of the program, with no window in it: one [`AppState`], changed only by
//! [`AppState::handle`] (what the user wants) and [`AppState::apply`] (what a job found).

mod command;
mod event;
mod export;
mod job;
pub mod labels_view;
mod log_view;
mod search;
mod state;
mod telling;
mod watch;
mod worker;

pub use command::{Command, GivenChange, LogFilter, OffenderColumn, Tab};
pub use event::{Event, ExportError};
pub use job::{CheckData, Job, LogSource, OpenWhat, RequestId, ToExport};
pub use log_view::{FoldKind, Gutter, LineRow, LogView, Match, Row, Tag, Tone};
pub use state::{
    AppState, Checking, Failed, Labels, LogStatus, Notice, RunningJob, Search, StatusMessage,
};
pub use telling::Note;
pub use watch::WatchSwitch;
pub use worker::Worker;
