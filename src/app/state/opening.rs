//! Opening: one at a time, the newest wins, and the case before stays until the new one is there.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::super::telling::{MessageFact, NoticeFact, failed, names_of, reading_label};
use super::super::{Job, LogFilter, LogSource, LogView, OpenWhat, RequestId, Tab};
use super::{AppState, Labels, LogStatus, RunningJob, Search};
use crate::case::{Case, Input, Origin};
use crate::inputs::InputError;
use crate::words::verdict;

impl AppState {
    pub(super) fn paste(&mut self, text: &str) -> Vec<Job> {
        if text.trim().is_empty() {
            self.notices.retain(|fact| !fact.is_of_opening());
            self.notices.push(NoticeFact::NothingPasted);
            self.relabel_notice();
            return Vec::new();
        }
        self.open(OpenWhat::Text(Origin::Pasted, text.as_bytes().into()))
    }

    pub(super) fn open(&mut self, what: OpenWhat) -> Vec<Job> {
        if let Some(running) = self.running.take() {
            running.cancel.store(true, Ordering::Relaxed);
        }
        self.notices.retain(|fact| !fact.is_of_opening());
        self.relabel_notice();
        let request = self.next_request();
        let cancel = Arc::new(AtomicBool::new(false));
        self.running = Some(RunningJob {
            request,
            label: reading_label(&what, self.words),
            progress: None,
            cancel: Arc::clone(&cancel),
        });
        self.opening = Some(what.clone());
        if self.case.is_none() {
            self.log = LogStatus::Loading;
        }
        vec![Job::Open {
            request,
            what,
            cancel,
        }]
    }

    pub(super) fn opened(&mut self, case: Case) -> Vec<Job> {
        let request = self.running.take().map(|running| running.request);
        let joins = request.is_some() && self.rerun.joining.take() == request;
        let what = self.opening.take();
        if joins {
            return self.run_opened(case, what);
        }
        let primary = case.primary_log();
        if primary.is_none() && case.given.is_empty() {
            self.nothing_opened(case.inputs);
            return Vec::new();
        }
        self.failed_inputs.clear();
        let others: Vec<Input> = case
            .inputs
            .iter()
            .filter(|input| input.error.is_some())
            .cloned()
            .collect();
        if !others.is_empty() {
            self.notices.push(NoticeFact::Others(others));
        }
        self.relabel_notice();
        match primary {
            Some(primary) => self.log_opened(case, primary, what),
            None => self.data_opened(case),
        }
    }

    /// The log of a run that has ended joins the case, behind the log of the run that died first.
    fn run_opened(&mut self, case: Case, what: Option<OpenWhat>) -> Vec<Job> {
        self.rerun.run = None;
        let Some(here) = self.case.as_mut().filter(|_| case.primary_log().is_some()) else {
            return if case.primary_log().is_some() {
                self.log_opened_from(case, what)
            } else {
                self.nothing_opened(case.inputs);
                Vec::new()
            };
        };
        let added = here.logs.len();
        here.merge(case);
        self.relabel_verdict();
        self.show_tab(Tab::Log);
        self.show_log(added)
    }

    fn log_opened_from(&mut self, case: Case, what: Option<OpenWhat>) -> Vec<Job> {
        match case.primary_log() {
            Some(primary) => self.log_opened(case, primary, what),
            None => Vec::new(),
        }
    }

    /// The log becomes the case's; what came with it is added to the data that is there.
    fn log_opened(&mut self, mut case: Case, primary: usize, what: Option<OpenWhat>) -> Vec<Job> {
        let had_data = self.has_data();
        self.join_data(&mut case);
        let is_checked = case.data.is_some() && !had_data;
        self.opened = what;
        self.case = Some(case);
        self.show_tab(Tab::Log);
        let mut jobs = self.show_log(primary);
        jobs.extend(self.begin_data(is_checked));
        jobs
    }

    /// The data is added to the case that is there, and shown.
    fn data_opened(&mut self, mut case: Case) -> Vec<Job> {
        let had_data = self.has_data();
        self.join_data(&mut case);
        let is_checked = case.data.is_some() && !had_data && self.case.is_none();
        if let Some(here) = &mut self.case {
            here.inputs.append(&mut case.inputs);
            here.given = case.given;
            here.options = case.options;
            here.data = case.data;
        } else {
            self.opened = None;
            self.case = Some(case);
            self.log = LogStatus::Empty;
        }
        self.show_tab(Tab::Labels);
        let mut jobs = self.begin_data(is_checked);
        jobs.extend(self.list_gpus());
        jobs
    }

    pub(super) fn nothing_opened(&mut self, inputs: Vec<Input>) {
        if self.case.is_some() {
            self.notices.push(NoticeFact::NothingRead(inputs));
            self.relabel_notice();
        } else {
            self.failed_inputs = inputs;
            self.log = LogStatus::Failed(failed(&self.failed_inputs, self.words));
            self.tell(MessageFact::Ready);
        }
    }

    pub(super) fn job_failed(&mut self, request: RequestId, said: String) {
        if self.is_running(request) {
            self.running = None;
            let what = self.opening.take();
            let names = what
                .map(|what| names_of(&what, self.words))
                .unwrap_or_default();
            self.notices.push(NoticeFact::OpenBroke(names));
            self.relabel_notice();
            if self.case.is_none() {
                self.log = LogStatus::Empty;
            }
        } else if self.is_searching(request) {
            self.search.running = false;
            self.searching = None;
            self.tell(MessageFact::SearchFailed(InputError::System(said)));
        } else {
            self.view
                .rows_failed(request, InputError::System(said), self.words);
        }
    }

    pub(super) fn failed_paths(&self) -> Option<Vec<PathBuf>> {
        if !matches!(self.log, LogStatus::Failed(_)) {
            return None;
        }
        let paths = self.failed_inputs.iter().map(|input| match &input.origin {
            Origin::Path(path) => Some(path.clone()),
            _ => None,
        });
        paths.collect()
    }

    pub(super) fn show_log(&mut self, log: usize) -> Vec<Job> {
        let Some(shown) = self.case.as_ref().and_then(|case| case.logs.get(log)) else {
            return Vec::new();
        };
        let origin = self
            .case
            .as_ref()
            .and_then(|case| case.inputs.get(shown.input))
            .map_or(&Origin::Pasted, |input| &input.origin);
        let source = match (origin, &self.opened) {
            (Origin::Path(path), _) => LogSource::File(path.clone()),
            (_, Some(OpenWhat::Text(_, bytes))) => LogSource::Memory(Arc::clone(bytes)),
            _ => LogSource::Memory(Arc::from([])),
        };
        self.view = LogView::new(shown, source, self.words);
        self.log = LogStatus::Ready {
            log,
            verdict: Box::new(verdict(shown, self.words)),
            name: self.log_name(log),
        };
        self.tell_beside();
        self.filter = LogFilter::All;
        self.details_open = false;
        self.scroll_to = None;
        self.tell(MessageFact::Read { log });
        // What was looked for is looked for in this log, too.
        let text = std::mem::take(&mut self.search.text);
        self.start_search(text)
    }

    pub(super) fn close_case(&mut self) {
        self.stop_running();
        self.stop_search();
        self.search = Search::default();
        self.case = None;
        self.labels = Labels::default();
        self.close_run();
        self.forget_gpu_check();
        self.show_tab(Tab::Log);
        self.opened = None;
        self.failed_inputs.clear();
        self.log = LogStatus::Empty;
        self.view = LogView::default();
        self.filter = LogFilter::All;
        self.details_open = false;
        self.scroll_to = None;
        self.notices.retain(|fact| !fact.is_of_opening());
        self.relabel_notice();
        self.tell(MessageFact::Ready);
    }

    pub(super) fn stop_running(&mut self) -> bool {
        self.opening = None;
        let Some(running) = self.running.take() else {
            return false;
        };
        running.cancel.store(true, Ordering::Relaxed);
        true
    }

    pub(super) fn cancel_job(&mut self) {
        if self.stop_running() {
            if self.case.is_none() {
                self.log = LogStatus::Empty;
            }
            self.tell(MessageFact::Cancelled);
        } else if !self.cancel_labels_job() && !self.stop_gpu_check() {
            self.stop_search();
        }
    }
}
