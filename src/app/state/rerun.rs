//! Runs: what is to be run, the run that goes on, and what becomes of it. The run itself is the supervisor's; here it is only
//! looked at, and can be left and found again.

mod setup;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::super::command::Tab;
use super::super::run_view::{CardFacts, Output, OutputFilter, RunCard, Samples, StopAsked, card};
use super::super::telling::{MessageFact, NoticeFact};
use super::super::{Job, OpenWhat, RequestId};
use super::{AppState, next};
use crate::crash_log::Phase;
use crate::rerun::{Reached, RunProblem, RunRecord, RunState, RunStatus, Supervision, Update};
use crate::words::Words;

use setup::SetupProblem;

pub use setup::Setup;

/// Runs.
#[derive(Debug, Default)]
pub struct Rerun {
    /// What is to be run; shown in the Log tab's place.
    pub setup: Option<Box<Setup>>,
    /// The run that is looked at; shown in the Log tab's place.
    pub run: Option<Box<Run>>,
    /// The log is shown, and the run only told.
    pub aside: bool,
    /// A run of an earlier start of the program is looked for.
    finding: Option<RequestId>,
    /// The guard's files are being written.
    saving: Option<RequestId>,
    /// The folder of a run that has ended, whose log joins the case as soon as nothing else is being opened.
    to_join: Option<PathBuf>,
    /// This run's log is being opened, to be added to the case.
    pub(super) joining: Option<RequestId>,
}

/// A run that is looked at.
#[derive(Debug)]
pub struct Run {
    /// Its folder.
    pub folder: PathBuf,
    /// What it is.
    pub record: RunRecord,
    /// How it stands.
    pub status: RunStatus,
    /// As it is shown.
    pub card: RunCard,
    /// What it prints.
    pub output: Output,
    samples: Samples,
    supervision: Supervision,
    number: u64,
    stop: StopAsked,
    validated: bool,
    past: bool,
    /// It was found where something else had been opened, and not seen going on.
    beside: bool,
    request: RequestId,
    cancel: Arc<AtomicBool>,
}

impl Run {
    /// Whether it still goes on, as far as is known.
    pub fn goes_on(&self) -> bool {
        !self.status.state.is_over() && self.supervision != Supervision::Gone
    }

    fn build(&mut self, words: Words) {
        let facts = CardFacts {
            record: &self.record,
            status: &self.status,
            samples: &self.samples,
            supervision: self.supervision,
            number: self.number,
            stop: self.stop,
            validated: self.validated,
            past: self.past,
        };
        let came_past = !self.past && facts.reached() == Reached::Past;
        if came_past {
            self.past = true;
            self.output.mark_past();
            self.build(words);
            return;
        }
        self.card = card(facts, words);
    }
}

impl AppState {
    /// A run, or what is to be run, stands in the Log tab's place.
    pub fn shows_run(&self) -> bool {
        self.rerun.setup.is_some() || self.rerun.run.is_some()
    }

    /// The run that is shown in the Log tab's place.
    pub fn run_in_front(&self) -> Option<&Run> {
        let log_is_there = matches!(self.log, super::LogStatus::Ready { .. });
        let run = self.rerun.run.as_deref();
        run.filter(|_| !self.rerun.aside || !log_is_there)
    }

    /// A run goes on.
    pub fn run_goes_on(&self) -> bool {
        self.rerun.run.as_ref().is_some_and(|run| run.goes_on())
    }

    /// Looks for a run that an earlier start of the program left going, or that has ended since.
    pub fn find_run(&mut self) -> Vec<Job> {
        let request = self.next_request();
        self.rerun.finding = Some(request);
        vec![Job::FindRun {
            request,
            last: self.settings.run.clone(),
        }]
    }

    pub(super) fn run_attached(
        &mut self,
        request: RequestId,
        folder: PathBuf,
        record: RunRecord,
    ) -> Vec<Job> {
        let is_new =
            (self.rerun.setup.as_ref()).is_some_and(|setup| setup.starting == Some(request));
        let is_found = self.rerun.finding == Some(request);
        if !is_new && !is_found {
            return Vec::new();
        }
        self.rerun.finding = None;
        if is_new {
            self.rerun.setup = None;
        } else if self.shows_run() {
            // Something else was begun in the meantime; the run goes on by itself.
            return Vec::new();
        }
        let beside = is_found && self.has_content();
        let request = self.next_request();
        let cancel = Arc::new(AtomicBool::new(false));
        let logs = self.case.as_ref().map_or(0, |case| case.logs.len() as u64);
        let before = u64::from(record.first.is_some());
        let first_log = record.first.as_ref().and_then(|first| first.path.clone());
        let mut run = Box::new(Run {
            folder: folder.clone(),
            record,
            status: RunStatus::default(),
            card: RunCard::default(),
            output: Output::new(),
            samples: Samples::default(),
            supervision: Supervision::Starting,
            number: logs.max(before) + 1,
            stop: StopAsked::No,
            validated: false,
            past: false,
            beside,
            request,
            cancel: Arc::clone(&cancel),
        });
        run.build(self.words);
        self.rerun.run = Some(run);
        self.rerun.aside = beside;
        if !beside {
            self.show_tab(Tab::Log);
        }
        self.settings.run = Some(folder.clone());
        let mut jobs = vec![
            Job::FollowRun {
                request,
                folder,
                cancel,
            },
            Job::SaveSettings(self.settings.clone()),
        ];
        // After a restart the case is not there any more; the log that it was about mostly is.
        if is_found
            && !beside
            && let Some(path) = first_log.filter(|path| path.exists())
        {
            jobs.extend(self.open(OpenWhat::Paths(vec![path])));
        }
        jobs
    }

    pub(super) fn run_not_started(&mut self, request: RequestId, problem: RunProblem) -> Vec<Job> {
        let words = self.words;
        if let Some(setup) = self.rerun.setup.as_mut()
            && setup.starting == Some(request)
        {
            setup.starting = None;
            setup.problem = Some(SetupProblem::Run(problem));
            setup.build(words);
            return Vec::new();
        }
        // Following broke off: the folder cannot be read any more.
        if let Some(run) = self.rerun.run.as_mut()
            && run.request == request
        {
            run.status.problem = Some(problem);
            run.supervision = Supervision::Gone;
            run.build(words);
            return self.forget_run();
        }
        Vec::new()
    }

    pub(super) fn no_run_found(&mut self, request: RequestId) -> Vec<Job> {
        if self.rerun.finding != Some(request) {
            return Vec::new();
        }
        self.rerun.finding = None;
        if self.settings.run.is_some() {
            return self.forget_run();
        }
        Vec::new()
    }

    /// The next start of the program does not ask for this run any more.
    fn forget_run(&mut self) -> Vec<Job> {
        self.settings.run = None;
        vec![Job::SaveSettings(self.settings.clone())]
    }

    pub(super) fn run_update(&mut self, request: RequestId, update: Update) -> Vec<Job> {
        let words = self.words;
        let Some(run) = self.rerun.run.as_mut() else {
            return Vec::new();
        };
        if run.request != request {
            return Vec::new();
        }
        run.samples.take(&update.samples);
        run.output.take(
            &update.lines,
            update.status.last_redraw.as_deref(),
            update.status.lines,
            words,
        );
        run.status = update.status;
        run.supervision = update.supervision;
        run.validated |= run.status.progress.phase == Some(Phase::Validation);
        run.build(words);
        let folder = run.folder.clone();
        let has_log = run.status.has_printed();
        let is_over = run.supervision == Supervision::Over || run.status.state.is_over();
        let is_gone = run.supervision == Supervision::Gone;
        let was_over = run.beside && (is_over || is_gone);
        run.beside = false;
        if was_over {
            // It was over before the window opened with something else. It is told at a start without that.
            self.leave_old_run();
            return Vec::new();
        }
        match run.status.state {
            // Why stays on screen until it is put away.
            RunState::NotStarted => return self.forget_run(),
            _ if is_gone => return self.forget_run(),
            _ if !is_over || update.more => return Vec::new(),
            // How it ended, too.
            _ if !has_log => {
                self.tell(MessageFact::RunPrintedNothing);
                return self.forget_run();
            }
            _ => {}
        }
        let mut jobs = self.forget_run();
        self.rerun.to_join = Some(folder);
        jobs.extend(self.join_run());
        jobs
    }

    /// What a run printed becomes a log of the case, with its verdict; not before what is being opened is there.
    pub(super) fn join_run(&mut self) -> Vec<Job> {
        if self.running.is_some() {
            return Vec::new();
        }
        let Some(folder) = self.rerun.to_join.take() else {
            return Vec::new();
        };
        let jobs = self.open(OpenWhat::Paths(vec![folder]));
        self.rerun.joining = self.running.as_ref().map(|running| running.request);
        jobs
    }

    pub(super) fn ask_to_stop(&mut self, asks: bool) {
        let words = self.words;
        if let Some(run) = self.rerun.run.as_mut() {
            run.stop = match run.stop {
                StopAsked::Sent => StopAsked::Sent,
                _ if asks && run.goes_on() => StopAsked::Asks,
                _ => StopAsked::No,
            };
            run.build(words);
        }
    }

    pub(super) fn stop_run(&mut self) -> Vec<Job> {
        let request = next(&mut self.last_request);
        let words = self.words;
        let Some(run) = self.rerun.run.as_mut().filter(|run| run.goes_on()) else {
            return Vec::new();
        };
        run.stop = StopAsked::Sent;
        run.build(words);
        let folder = run.folder.clone();
        vec![Job::StopRun { request, folder }]
    }

    pub(super) fn run_not_stopped(&mut self, said: String) {
        let words = self.words;
        if let Some(run) = self.rerun.run.as_mut() {
            run.stop = StopAsked::No;
            run.build(words);
        }
        self.notices.push(NoticeFact::RunNotStopped(said));
        self.relabel_notice();
    }

    pub(super) fn put_run_away(&mut self) {
        if !self.run_goes_on() {
            self.leave_old_run();
        }
    }

    fn leave_old_run(&mut self) {
        if let Some(run) = self.rerun.run.take() {
            run.cancel.store(true, Ordering::Relaxed);
        }
    }

    pub(super) fn set_output_filter(&mut self, filter: OutputFilter) {
        if let Some(run) = self.rerun.run.as_mut() {
            run.output.set_filter(filter);
        }
    }

    pub(super) fn search_output(&mut self, text: String) {
        if let Some(run) = self.rerun.run.as_mut() {
            run.output.set_search(text);
        }
    }

    pub(super) fn toggle_output_fold(&mut self, first: u64) {
        if let Some(run) = self.rerun.run.as_mut() {
            run.output.toggle_fold(first);
        }
    }

    pub(super) fn follow_output(&mut self, follow: bool) {
        if let Some(run) = self.rerun.run.as_mut() {
            run.output.follow = follow;
        }
    }

    pub(super) fn relabel_run(&mut self) {
        let words = self.words;
        if let Some(run) = self.rerun.run.as_mut() {
            run.build(words);
        }
        if let Some(setup) = self.rerun.setup.as_mut() {
            setup.build(words);
        }
    }

    /// What is shown of a run is about the case that is put away. The run goes on, and is found again at the next start.
    pub(super) fn close_run(&mut self) {
        self.rerun.setup = None;
        self.rerun.to_join = None;
        if !self.run_goes_on() {
            self.leave_old_run();
        }
    }
}
