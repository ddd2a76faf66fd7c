//! State and decisions of the program, with no window in it: one [`AppState`], changed only by
//! [`AppState::handle`] (what the user wants) and [`AppState::apply`] (what a job found).

mod command;
mod event;
mod export;
mod job;
pub mod labels_view;
mod log_view;
pub mod run_view;
mod runs;
mod search;
mod state;
mod telling;
mod watch;
mod worker;

pub use command::{Command, GivenChange, LogFilter, OffenderColumn, RunEdit, Tab, Without};
pub use event::{Event, ExportError};
pub use job::{CheckData, Job, LogSource, OpenWhat, RequestId, ToExport};
pub use log_view::{FoldKind, Gutter, LineRow, LogView, Match, Row, Tag, Tone};
pub use state::{
    AppState, Beside, Checking, Failed, GpuCard, GpuChecking, Gpus, Labels, LogStatus, Notice,
    Rerun, Run, RunningJob, Search, Setup, StatusMessage,
};
pub use telling::Note;
pub use watch::WatchSwitch;
pub use worker::Worker;
