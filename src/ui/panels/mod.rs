//! The screens of the centre. Each reads the state, pushes commands, and owns only its scroll and drafts.

mod labels;
mod log;
mod run;
mod start;
mod states;

pub use labels::{LabelsPanel, no_log_ui};
pub use log::LogPanel;
pub use run::{RunPanel, setup_ui};
pub use start::start_ui;
pub use states::{failed_ui, loading_ui};
