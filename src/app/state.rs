//! The one state, and the only two functions that change it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::{Command, Event, Job, LogFilter, LogView, RequestId};
use crate::case::Case;
use crate::inputs::{InputError, InputKind, ReadProgress};
use crate::settings::Settings;
use crate::words::{Verdict, Words};

/// Everything the window shows.
#[derive(Debug)]
pub struct AppState {
    /// What is remembered between starts.
    pub settings: Settings,
    /// The language's texts.
    pub words: Words,
    /// The case, once something was opened.
    pub case: Option<Case>,
    /// What the Log tab shows.
    pub log: LogStatus,
    /// The log's rows.
    pub view: LogView,
    /// Which lines are shown.
    pub filter: LogFilter,
    /// The search.
    pub search: Search,
    /// The card's details are open.
    pub details_open: bool,
    /// A row to scroll to and the line to flash, set by [`Command::GoToLine`] and the like; the counter rises with each request.
    pub scroll_to: Option<(u64, u64)>,
    /// A long job that runs.
    pub running: Option<RunningJob>,
    /// The status bar's last message.
    pub message: StatusMessage,
    /// Something to tell above the content until it is put away (elevated start, renderer fallback, a file that is no log).
    pub notice: Option<Notice>,
}

/// What the Log tab shows.
#[derive(Debug)]
pub enum LogStatus {
    /// Nothing was opened yet: Start.
    Empty,
    /// A log is being read.
    Loading,
    /// A log with its verdict.
    Ready {
        /// Index into the case's logs.
        log: usize,
        /// The verdict in the current language.
        verdict: Box<Verdict>,
        /// Name of the log, for title and status bar.
        name: String,
    },
    /// Nothing could be read.
    Failed(Failed),
}

/// Why there is no log to show, in words: the fact, the reason and what to do, the path last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed {
    /// The fact ("This is label data, not a log").
    pub heading: String,
    /// One or two sentences: the reason, and what to do.
    pub text: String,
    /// The path, where there is one.
    pub path: Option<String>,
    /// What it was taken for.
    pub kind: InputKind,
    /// The reason.
    pub error: InputError,
}

/// A long job that runs.
#[derive(Clone, Debug)]
pub struct RunningJob {
    /// The request.
    pub request: RequestId,
    /// What it does, in words ("Reading train.log").
    pub label: String,
    /// How far it is.
    pub progress: Option<ReadProgress>,
    /// Set to stop it.
    pub cancel: Arc<AtomicBool>,
}

/// The search.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// What is looked for; empty: nothing.
    pub text: String,
    /// Matching lines so far, rising.
    pub lines: Vec<u64>,
    /// Which of them is the current one.
    pub current: Option<usize>,
    /// The search still runs.
    pub running: bool,
}

/// The status bar's last message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatusMessage {
    /// In the current language.
    pub text: String,
}

/// Something to tell above the content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The fact.
    pub heading: String,
    /// Reason, and what to do.
    pub text: String,
    /// The path, where there is one.
    pub path: Option<String>,
    /// It is a warning; otherwise a note.
    pub warning: bool,
}

impl AppState {
    /// The state at the start.
    pub fn new(settings: Settings) -> Self {
        let words = Words::new(settings.language());
        Self {
            settings,
            words,
            case: None,
            log: LogStatus::Empty,
            view: LogView::default(),
            filter: LogFilter::All,
            search: Search::default(),
            details_open: false,
            scroll_to: None,
            running: None,
            message: StatusMessage::default(),
            notice: None,
        }
    }

    /// Does what the user wants; returns the work to be done.
    pub fn handle(&mut self, _command: Command) -> Vec<Job> {
        Vec::new()
    }

    /// Takes in what a job found; returns further work.
    pub fn apply(&mut self, _event: Event) -> Vec<Job> {
        Vec::new()
    }
}
