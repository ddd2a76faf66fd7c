//! The one state, and the only two functions that change it.

mod beside;
mod gpus;
mod labels;
mod moving;
mod opening;
mod rerun;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::telling::{MessageFact, Note, NoticeFact, failed, name_of, reading_label};
use super::{Command, Event, Job, LogFilter, LogView, OpenWhat, RequestId, Tab, Without};
use crate::case::{Case, Input, Origin};
use crate::inputs::{InputError, InputKind, ReadProgress, sample};
use crate::settings::Settings;
use crate::words::{Arg, Verdict, Words, verdict};

pub use beside::Beside;
pub use gpus::{GpuCard, GpuChecking, Gpus};
pub use labels::{Checking, Labels};
pub use rerun::{Rerun, Run, Setup};

/// Everything the window shows.
#[derive(Debug)]
pub struct AppState {
    /// What is remembered between starts.
    pub settings: Settings,
    /// The language's texts.
    pub words: Words,
    /// The case, once something was opened.
    pub case: Option<Case>,
    /// The tab that is shown.
    pub tab: Tab,
    /// What the Labels tab shows.
    pub labels: Labels,
    /// The GPUs of this machine, and the check of one.
    pub gpus: Gpus,
    /// Runs that are prepared, or looked at.
    pub rerun: Rerun,
    /// Processor cores that a check has.
    pub cores: usize,
    /// What the Log tab shows.
    pub log: LogStatus,
    /// What is told beside its verdict.
    pub beside: Beside,
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
    /// The window is in front of the user.
    in_front: bool,
    /// What is being opened.
    opening: Option<OpenWhat>,
    /// What the case was opened from.
    opened: Option<OpenWhat>,
    /// The running search.
    searching: Option<(RequestId, Arc<AtomicBool>)>,
    /// What the notices say, the shown one last.
    notices: Vec<NoticeFact>,
    message_fact: MessageFact,
    /// Inputs of an opening that gave no log.
    failed_inputs: Vec<Input>,
    last_request: u64,
    last_scroll: u64,
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
    /// There are more matches than are listed.
    pub capped: bool,
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
        let mut state = Self {
            settings,
            words,
            case: None,
            tab: Tab::Log,
            labels: Labels::default(),
            gpus: Gpus::default(),
            rerun: Rerun::default(),
            cores: std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            log: LogStatus::Empty,
            beside: Beside::default(),
            view: LogView::default(),
            filter: LogFilter::All,
            search: Search::default(),
            details_open: false,
            scroll_to: None,
            running: None,
            message: StatusMessage::default(),
            notice: None,
            in_front: true,
            opening: None,
            opened: None,
            searching: None,
            notices: Vec::new(),
            message_fact: MessageFact::Ready,
            failed_inputs: Vec::new(),
            last_request: 0,
            last_scroll: 0,
        };
        state.tell(MessageFact::Ready);
        state
    }

    /// Does what the user wants; returns the work to be done.
    pub fn handle(&mut self, command: Command) -> Vec<Job> {
        match command {
            Command::Open(paths) if paths.is_empty() => Vec::new(),
            Command::Open(paths) => self.open(OpenWhat::Paths(paths)),
            Command::Paste(text) => self.paste(&text),
            Command::OpenSample(id) => match sample(id) {
                Some(sample) => {
                    let origin = Origin::Sample(sample.id);
                    self.open(OpenWhat::Text(origin, sample.bytes.into()))
                }
                None => Vec::new(),
            },
            // Again is what is looked at.
            Command::Reload if self.tab == Tab::Labels && self.has_data() => self.check(false),
            Command::Reload => {
                // After a failure there may be no case: then what failed is tried again.
                let failed = self.failed_paths().map(OpenWhat::Paths);
                match failed.or_else(|| self.opened.clone()) {
                    Some(what) => self.open(what),
                    None => Vec::new(),
                }
            }
            Command::ShowLog(log) => self.show_log(log),
            Command::CloseCase => {
                self.close_case();
                Vec::new()
            }
            Command::CancelJob => {
                self.cancel_job();
                self.join_run()
            }
            Command::Search(text) => self.start_search(text),
            Command::NextMatch => {
                self.step_match(true);
                Vec::new()
            }
            Command::PreviousMatch => {
                self.step_match(false);
                Vec::new()
            }
            Command::SetFilter(filter) => {
                self.filter = filter;
                self.view.set_filter(filter);
                Vec::new()
            }
            Command::ToggleFold(fold) => {
                self.view.toggle_fold(fold);
                Vec::new()
            }
            Command::GoToLine(line) => {
                self.go_to_line(line);
                Vec::new()
            }
            Command::RowsNeeded(rows) => {
                let last = &mut self.last_request;
                self.view.rows_needed(rows, &mut || next(last))
            }
            Command::SetLanguage(language) => {
                self.settings.language = Some(language);
                self.words = Words::new(language);
                self.relabel();
                vec![Job::SaveSettings(self.settings.clone())]
            }
            Command::SetTheme(theme) => {
                self.settings.theme = theme;
                vec![Job::SaveSettings(self.settings.clone())]
            }
            Command::ToggleDetails => {
                self.details_open = !self.details_open;
                Vec::new()
            }
            Command::DismissNotice => {
                self.notices.pop();
                self.relabel_notice();
                Vec::new()
            }
            Command::Copied => {
                self.tell(MessageFact::Copied);
                Vec::new()
            }
            // The window shows the dialogs itself and answers with the command that each names.
            Command::ChooseFiles
            | Command::ChooseFolder
            | Command::ChooseExport
            | Command::ChooseScript
            | Command::ChooseRunFolder
            | Command::ChooseGuardFile => Vec::new(),
            Command::DialogNotShown(without) => {
                self.notices.push(NoticeFact::NoDialog(without));
                self.relabel_notice();
                // Where a script was to be chosen the command can be typed.
                if without == Without::Command && self.rerun.setup.is_none() {
                    return self.prepare_run(None);
                }
                Vec::new()
            }
            Command::ShowTab(tab) => {
                self.show_tab(tab);
                self.list_gpus()
            }
            Command::WindowInFront(in_front) => {
                self.window_in_front(in_front);
                Vec::new()
            }
            Command::Recheck => self.check(false),
            Command::SelectSource(source) => {
                self.select_source(source);
                Vec::new()
            }
            Command::RemoveSource(source) => self.remove_source(source),
            Command::SetGiven(given, change) => self.set_given(given, change),
            Command::SelectFinding(finding) => {
                self.select_finding(finding);
                Vec::new()
            }
            Command::SelectRule(rule) => {
                self.select_rule(rule);
                Vec::new()
            }
            Command::SetRole(role) => self.set_role(role),
            Command::SetAllowed { lo, hi } => self.set_allowed(&lo, &hi),
            Command::TakeRangeBack => {
                self.labels.problem = None;
                Vec::new()
            }
            Command::AllowAsFound => self.allow_as_found(),
            Command::Ignore(value) => self.ignore(value),
            Command::IgnoreTyped(text) => self.ignore_typed(&text),
            Command::StopIgnoring(value) => self.stop_ignoring(value),
            Command::SetDevice(device) => self.set_device(device),
            Command::CheckGpu => self.check_gpu(),
            Command::StopGpuCheck => {
                self.stop_gpu_check();
                Vec::new()
            }
            Command::PutGpuCheckAway => {
                self.put_gpu_check_away();
                Vec::new()
            }
            Command::SortOffenders(column) => {
                self.sort_offenders(column);
                Vec::new()
            }
            Command::ToggleScript => {
                self.labels.script_open = !self.labels.script_open;
                Vec::new()
            }
            Command::ExportOffenders(path) => self.export_offenders(path),
            command => self.handle_run(command),
        }
    }

    /// What the user wants of runs.
    fn handle_run(&mut self, command: Command) -> Vec<Job> {
        match command {
            Command::PrepareRun => return self.prepare_run(None),
            Command::RunScript(script) => return self.prepare_run(Some(script)),
            Command::StartRun => return self.start_run(),
            Command::StopRun => return self.stop_run(),
            Command::SaveGuard(path) => return self.save_guard(path),
            Command::EditRun(edit) => self.edit_run(edit),
            Command::LeaveRun => self.leave_run(),
            Command::AskToStop(asks) => self.ask_to_stop(asks),
            Command::ShowRun(shown) => self.rerun.aside = !shown,
            Command::SetOutputFilter(filter) => self.set_output_filter(filter),
            Command::SearchOutput(text) => self.search_output(text),
            Command::ToggleOutputFold(first) => self.toggle_output_fold(first),
            Command::FollowOutput(follow) => self.follow_output(follow),
            Command::PutRunAway => self.put_run_away(),
            Command::ToggleKit => self.toggle_kit(),
            Command::SelectShell(shell) => self.select_shell(shell),
            _ => {}
        }
        Vec::new()
    }

    /// Takes in what a job found; returns further work.
    pub fn apply(&mut self, event: Event) -> Vec<Job> {
        match event {
            Event::Progress(request, progress) => {
                if let Some(running) = &mut self.running
                    && running.request == request
                {
                    running.progress = Some(progress);
                }
                Vec::new()
            }
            Event::Opened(request, case) => {
                if !self.is_running(request) {
                    return Vec::new();
                }
                let mut jobs = self.opened(*case);
                jobs.extend(self.join_run());
                jobs
            }
            Event::RowsLoaded { request, lines, .. } => {
                let last = &mut self.last_request;
                self.view
                    .rows_loaded(request, &lines, self.words, &mut || next(last))
            }
            Event::RowsFailed(request, error) => {
                self.view.rows_failed(request, error, self.words);
                Vec::new()
            }
            Event::SearchFound {
                request,
                lines,
                done,
            } => {
                if self.is_searching(request) {
                    self.found(&lines, done);
                }
                Vec::new()
            }
            Event::SearchFailed(request, error) => {
                if self.is_searching(request) {
                    self.search.running = false;
                    self.searching = None;
                    if error != InputError::Cancelled {
                        self.tell(MessageFact::SearchFailed(error));
                    }
                }
                Vec::new()
            }
            Event::JobFailed(request, said) => {
                if !self.labels_job_failed(request, &said) && !self.gpu_job_failed(request) {
                    self.job_failed(request, said);
                }
                self.join_run()
            }
            Event::CheckProgress(request, progress) => {
                self.check_progress(request, progress);
                Vec::new()
            }
            Event::Checked(request, checked) => self.checked_data(request, *checked),
            Event::GpusListed(request, gpus) => {
                self.gpus_listed(request, gpus);
                Vec::new()
            }
            Event::GpuCheckProgress(request, part) => {
                self.gpu_check_progress(request, part);
                Vec::new()
            }
            Event::GpuChecked(request, result) => {
                self.gpu_checked(request, result.map(|health| *health));
                Vec::new()
            }
            Event::FilesChanged(request) => self.files_changed(request),
            Event::Exported {
                request,
                path,
                rows,
            } => {
                self.exported(request, Ok((path, rows)));
                Vec::new()
            }
            Event::ExportFailed(request, error) => {
                self.exported(request, Err(error));
                Vec::new()
            }
            Event::RunSuggested {
                request,
                suggestions,
                pythons,
            } => {
                self.run_suggested(request, suggestions, pythons);
                Vec::new()
            }
            Event::RunAttached {
                request,
                folder,
                record,
            } => self.run_attached(request, folder, *record),
            Event::RunNotStarted(request, problem) => self.run_not_started(request, problem),
            Event::NoRunFound(request) => self.no_run_found(request),
            Event::RunUpdate(request, update) => self.run_update(request, *update),
            Event::RunNotStopped(_, said) => {
                self.run_not_stopped(said);
                Vec::new()
            }
            Event::GuardSaved(request, path, result) => {
                self.guard_saved(request, path, result);
                Vec::new()
            }
            Event::SettingsNotSaved(said) => {
                self.tell(MessageFact::SettingsNotSaved(said));
                Vec::new()
            }
        }
    }

    /// Tells something about this start of the program, once.
    pub fn note(&mut self, note: Note) {
        // Behind what is shown already: an opening's notice is nearer to what the user does.
        let at = self
            .notices
            .iter()
            .take_while(|fact| !fact.is_of_opening())
            .count();
        self.notices.insert(at, NoticeFact::Note(note));
        self.relabel_notice();
    }

    /// The window is in front of the user.
    pub fn is_in_front(&self) -> bool {
        self.in_front
    }

    /// There is something open, or about to be, or something that could not be.
    pub fn has_content(&self) -> bool {
        self.case.is_some() || !matches!(self.log, LogStatus::Empty) || self.shows_run()
    }

    /// The log on screen.
    pub fn shown_log(&self) -> Option<&crate::case::Log> {
        match &self.log {
            LogStatus::Ready { log, .. } => self.case.as_ref()?.logs.get(*log),
            _ => None,
        }
    }

    /// The name of a log of the case, as it is shown: its file's, or the run's that printed it.
    pub fn log_name(&self, at: usize) -> String {
        let words = self.words;
        let number = [("number", Arg::Number(at as u64 + 1))];
        let Some(case) = &self.case else {
            return String::new();
        };
        if case.run_of_log(at).is_some() {
            return words.with("app-run-number", &number);
        }
        let input = case.logs.get(at).and_then(|log| case.inputs.get(log.input));
        match input.map(|input| &input.origin) {
            Some(origin @ Origin::Path(_)) => name_of(origin, words),
            Some(origin) if case.logs.len() == 1 => name_of(origin, words),
            _ => words.with("app-log-number", &number),
        }
    }

    fn next_request(&mut self) -> RequestId {
        next(&mut self.last_request)
    }

    fn is_running(&self, request: RequestId) -> bool {
        self.running
            .as_ref()
            .is_some_and(|running| running.request == request)
    }

    fn is_searching(&self, request: RequestId) -> bool {
        self.searching
            .as_ref()
            .is_some_and(|(id, _)| *id == request)
    }

    fn tell(&mut self, fact: MessageFact) {
        self.message.text = fact.told(self.case.as_ref(), self.words);
        self.message_fact = fact;
    }

    fn relabel_notice(&mut self) {
        self.notice = self.notices.last().map(|fact| fact.told(self.words));
    }

    /// Says everything in the current language.
    fn relabel(&mut self) {
        let words = self.words;
        self.message.text = self.message_fact.told(self.case.as_ref(), words);
        self.relabel_notice();
        self.view.relabel(words);
        self.relabel_gpus();
        self.relabel_labels();
        self.relabel_run();
        if let (Some(running), Some(what)) = (&mut self.running, &self.opening) {
            running.label = reading_label(what, words);
        }
        if let LogStatus::Failed(shown) = &mut self.log {
            *shown = failed(&self.failed_inputs, words);
        }
        self.relabel_verdict();
    }

    /// Says the verdict of the log that is shown anew.
    fn relabel_verdict(&mut self) {
        let words = self.words;
        let new_name = match &self.log {
            LogStatus::Ready { log, .. } => self.log_name(*log),
            _ => String::new(),
        };
        if let LogStatus::Ready {
            log,
            verdict: shown,
            name,
        } = &mut self.log
        {
            let read = self.case.as_ref().and_then(|case| case.logs.get(*log));
            if let Some(read) = read {
                **shown = verdict(read, words);
            }
            *name = new_name;
        }
        self.tell_beside();
    }
}

fn next(last: &mut u64) -> RequestId {
    *last += 1;
    RequestId(*last)
}
