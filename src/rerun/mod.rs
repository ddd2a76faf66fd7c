//! Running the user's command again under supervision: what is started, with what set, what it printed, how it ended.
//!
//! [`prepare`] makes a run's folder, [`start`] starts a supervisor for it: this same program with a hidden argument
//! ([`ARGUMENT`]), detached, so that the run outlives the window. The supervisor alone writes the folder; everybody else reads
//! it through a [`Follower`], as often and as late as wanted. Only [`stop`] ends a run before its time.
//!
//! No shell stands between: a command is a program and a list of arguments, and reaches the system as that.

mod ask_python;
mod command;
mod environment;
mod exit;
mod folder;
mod follow;
mod guard_files;
mod guard_line;
mod kit;
mod os_text;
mod python;
mod reached;
mod record;
mod shell_line;
mod split;
mod status;
mod suggest;
mod supervise;

pub use command::{RunCommand, RunOptions};
pub use exit::ExitMeaning;
pub use folder::{NewRun, Prepared, RunEntry, prepare, runs, runs_folder, stop};
pub use follow::{Follower, NewLine, Supervision, Update};
pub use guard_files::{GUARD_FILES, save_guard};
pub use kit::{KitEntry, KitProblem, LOG_NAME, Shell, elsewhere, guard_files, kit};
pub use python::{FoundPython, PythonKind, chosen_python, find_pythons};
pub use reached::{Reached, reached};
pub use record::{CASE_SCHEMA, FirstRun, RUN_SCHEMA, RunCase, RunRecord};
pub use split::{SplitFault, join_command, split_command};
pub use status::{
    Ending, FirstEnded, GuardLive, GuardOperationLive, MemorySample, Others, RunProblem, RunState,
    RunStatus, StreamName,
};
pub use suggest::{Suggestion, SuggestionReason, script_command, suggest};
pub use supervise::{
    ARGUMENT, Echo, Front, Outcome, RunNotice, start, supervise, supervise_here, supervisor,
};
