//! The check of the data: what belongs to it, what the user says about it, and what is looked at.

mod changes;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

use super::super::command::Tab;
use super::super::event::ExportError;
use super::super::job::{CheckData, Job, RequestId, ToExport};
use super::super::labels_view::{Basis, LabelsView, Looking};
use super::super::telling::{MessageFact, NoticeFact};
use super::super::watch::WatchSwitch;
use super::AppState;
use crate::case::Case;
use crate::check::{CheckProgress, Checked, Source, SourceId, SourceKind};
use crate::findings::FindingId;
use crate::inputs::ReadProgress;
use crate::words::{Arg, Words};

/// The Labels tab.
#[derive(Debug, Default)]
pub struct Labels {
    /// What it shows.
    pub view: LabelsView,
    /// The check that runs.
    pub checking: Option<Checking>,
    /// The last check broke off through a fault of this program, and there is no result.
    pub broke: bool,
    /// The script of the suggested fix is open.
    pub script_open: bool,
    /// What was typed and cannot be used.
    pub problem: Option<String>,
    looking: Looking,
    watch: Option<Watch>,
    export: Option<(RequestId, Arc<AtomicBool>)>,
}

/// A check that runs.
#[derive(Clone, Debug)]
pub struct Checking {
    /// The request.
    pub request: RequestId,
    /// How far it is.
    pub progress: Option<CheckProgress>,
    /// "Checking the labels: 12 of 6,191 files".
    pub text: String,
    /// The user stopped it; what was read comes with its answer.
    pub stopping: bool,
    /// Files had changed.
    again: bool,
    began: SystemTime,
    cancel: Arc<AtomicBool>,
}

impl Checking {
    /// Files done, of all files, as a bar takes it.
    pub fn files_done(&self) -> Option<ReadProgress> {
        self.progress.map(|progress| ReadProgress {
            read: progress.files,
            total: progress.of_files,
        })
    }
}

/// The checked files are looked after; ends with this value.
#[derive(Debug)]
struct Watch {
    request: RequestId,
    switch: Arc<WatchSwitch>,
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.switch.end();
    }
}

impl Drop for Labels {
    fn drop(&mut self) {
        self.stop_jobs();
    }
}

impl Labels {
    fn stop_jobs(&mut self) {
        if let Some(checking) = self.checking.take() {
            checking.cancel.store(true, Ordering::Relaxed);
        }
        if let Some((_, cancel)) = self.export.take() {
            cancel.store(true, Ordering::Relaxed);
        }
        self.watch = None;
    }

    /// The offenders are being written.
    pub fn is_exporting(&self) -> bool {
        self.export.is_some()
    }

    /// What is looked at.
    pub fn looking(&self) -> &Looking {
        &self.looking
    }
}

impl AppState {
    /// There is something that can be checked.
    pub fn has_data(&self) -> bool {
        self.case
            .as_ref()
            .is_some_and(|case| !case.given.is_empty())
    }

    /// The result of the last check.
    pub fn checked(&self) -> Option<&Checked> {
        self.case.as_ref()?.data.as_ref()
    }

    /// What was there before stays: a log that comes joins the labels, labels join the log.
    pub(super) fn join_data(&mut self, case: &mut Case) {
        let Some(earlier) = self.case.as_mut().filter(|case| !case.given.is_empty()) else {
            return;
        };
        let more = std::mem::replace(&mut case.given, earlier.given.clone());
        for given in more {
            match case.given.iter_mut().find(|here| here.path == given.path) {
                // What comes once more is wanted whole.
                Some(here) => here.left_out.clear(),
                None => case.given.push(given),
            }
        }
        case.options = earlier.options.clone();
        // It is of this machine, whatever is opened.
        case.health = earlier.health.take();
        // It is shown until the new check is done.
        case.data = earlier.data.take();
    }

    /// The data of the case just opened: shows what is known, checks what is not.
    pub(super) fn begin_data(&mut self, is_checked: bool) -> Vec<Job> {
        if !self.has_data() {
            return Vec::new();
        }
        if is_checked {
            self.choose_again(None);
            self.show_data(None)
        } else {
            self.check(false)
        }
    }

    /// Checks the data.
    pub(super) fn check(&mut self, again: bool) -> Vec<Job> {
        let Some(case) = self.case.as_ref().filter(|case| !case.given.is_empty()) else {
            return Vec::new();
        };
        let data = CheckData {
            given: case.given.clone(),
            options: case.options.clone(),
            outside: case.ranges_of_log(),
        };
        if let Some(checking) = self.labels.checking.take() {
            checking.cancel.store(true, Ordering::Relaxed);
        }
        self.labels.watch = None;
        self.labels.broke = false;
        let request = self.next_request();
        let cancel = Arc::new(AtomicBool::new(false));
        self.labels.checking = Some(Checking {
            request,
            progress: None,
            text: checking_text(None, self.words),
            stopping: false,
            again,
            began: SystemTime::now(),
            cancel: Arc::clone(&cancel),
        });
        self.build_labels();
        vec![Job::Check {
            request,
            data,
            cancel,
        }]
    }

    pub(super) fn check_progress(&mut self, request: RequestId, progress: CheckProgress) {
        let words = self.words;
        if let Some(checking) = &mut self.labels.checking
            && checking.request == request
            && !checking.stopping
        {
            checking.progress = Some(progress);
            checking.text = checking_text(Some(progress), words);
        }
    }

    pub(super) fn checked_data(&mut self, request: RequestId, checked: Checked) -> Vec<Job> {
        let Some(checking) = self
            .labels
            .checking
            .take_if(|checking| checking.request == request)
        else {
            return Vec::new();
        };
        let before = self.chosen();
        let Some(case) = &mut self.case else {
            return Vec::new();
        };
        // What the data says makes a log's causes likelier, or less so.
        case.take_data(checked);
        self.relabel_verdict();
        self.choose_again(before);
        let jobs = self.show_data(Some(checking.began));
        if let Some(checked) = self.checked() {
            self.tell(if checked.cancelled {
                MessageFact::CheckStopped
            } else if checked.values() == 0 && checked.findings.is_empty() {
                MessageFact::NothingChecked
            } else {
                MessageFact::Checked {
                    findings: checked.findings.len() as u64,
                    files: checked.material.files.len() as u64,
                    again: checking.again,
                }
            });
        }
        jobs
    }

    /// Shows the data of the case, and looks after its files from now on.
    fn show_data(&mut self, checked_from: Option<SystemTime>) -> Vec<Job> {
        self.build_labels();
        let Some(checked) = self.checked().filter(|checked| !checked.cancelled) else {
            return Vec::new();
        };
        let mut paths: Vec<Arc<Path>> = Vec::new();
        for source in &checked.sources {
            if let SourceKind::Labels { files, .. } = &source.kind {
                paths.extend(files.iter().cloned());
            }
            // Of a folder: whether files came or went.
            paths.push(Arc::clone(&source.path));
        }
        let request = self.next_request();
        let switch = Arc::new(WatchSwitch::default());
        self.labels.watch = Some(Watch {
            request,
            switch: Arc::clone(&switch),
        });
        self.follow_attention();
        vec![Job::Watch {
            request,
            paths,
            since: checked_from,
            switch,
        }]
    }

    /// Files are looked at only while the user looks at what was found in them.
    pub(super) fn follow_attention(&self) {
        if let Some(watch) = &self.labels.watch {
            watch.switch.set(self.in_front && self.tab == Tab::Labels);
        }
    }

    pub(super) fn files_changed(&mut self, request: RequestId) -> Vec<Job> {
        let is_current = self
            .labels
            .watch
            .as_ref()
            .is_some_and(|watch| watch.request == request);
        if !is_current {
            return Vec::new();
        }
        self.tell(MessageFact::FilesChanged);
        self.check(true)
    }

    /// The chosen finding and the path of the chosen source, as they can be found again.
    fn chosen(&self) -> Option<Chosen> {
        let checked = self.checked()?;
        let looking = &self.labels.looking;
        let finding = looking
            .finding
            .and_then(|index| checked.findings.get(index))
            .map(|finding| (finding.id, finding.rule));
        let source = looking
            .source
            .and_then(|index| checked.sources.get(index))
            .map(Source::id);
        Some(Chosen { finding, source })
    }

    /// Chooses in a new result what was chosen in the last one; the worst finding where that is gone.
    fn choose_again(&mut self, before: Option<Chosen>) {
        let Some(checked) = self.case.as_ref().and_then(|case| case.data.as_ref()) else {
            return;
        };
        let before = before.unwrap_or_default();
        let source = before.source.and_then(|id| {
            let mut sources = checked.sources.iter();
            sources.position(|source| source.id() == id)
        });
        let finding = before
            .finding
            .and_then(|(id, rule)| {
                checked
                    .findings
                    .iter()
                    .position(|finding| finding.id == id && finding.rule == rule)
            })
            .or((!checked.findings.is_empty()).then_some(0));
        let rule = finding
            .and_then(|index| checked.findings.get(index)?.rule)
            .unwrap_or(self.labels.looking.rule)
            .min(checked.material.rules.len().saturating_sub(1));
        let looking = &mut self.labels.looking;
        looking.source = source;
        looking.finding = finding;
        looking.rule = rule;
    }

    /// Makes the view anew.
    pub(super) fn build_labels(&mut self) {
        let Some(case) = self.case.as_ref().filter(|case| !case.given.is_empty()) else {
            self.labels.view = LabelsView::default();
            return;
        };
        self.labels.view = match &case.data {
            Some(checked) => LabelsView::new(Basis {
                given: &case.given,
                options: &case.options,
                checked,
                looking: &self.labels.looking,
                cores: self.cores,
                gpus: self.gpus.list(),
                words: self.words,
            }),
            None => LabelsView::unchecked(&case.given, self.words),
        };
        if let Some(checking) = &mut self.labels.checking {
            checking.text = if checking.stopping {
                self.words.text("labels-stopping")
            } else {
                checking_text(checking.progress, self.words)
            };
        }
    }

    pub(super) fn relabel_labels(&mut self) {
        self.labels.problem = None;
        self.build_labels();
    }

    pub(super) fn show_tab(&mut self, tab: Tab) {
        self.tab = tab;
        self.follow_attention();
    }

    pub(super) fn window_in_front(&mut self, in_front: bool) {
        self.in_front = in_front;
        self.follow_attention();
    }

    pub(super) fn export_offenders(&mut self, path: PathBuf) -> Vec<Job> {
        let Some(case) = &self.case else {
            return Vec::new();
        };
        let Some(checked) = &case.data else {
            return Vec::new();
        };
        let kept = checked.offenders.len() as u64;
        let offenders = if kept == checked.offenders_total {
            ToExport::All(checked.offenders.clone())
        } else {
            ToExport::FindAgain(CheckData {
                given: case.given.clone(),
                options: checked.options.clone(),
                outside: case.ranges_of_log(),
            })
        };
        let mut sources: Vec<Arc<Path>> = Vec::new();
        for source in &checked.sources {
            sources.push(Arc::clone(&source.path));
            if let SourceKind::Labels { files, .. } = &source.kind {
                sources.extend(files.iter().cloned());
            }
        }
        if let Some((_, cancel)) = self.labels.export.take() {
            cancel.store(true, Ordering::Relaxed);
        }
        let request = self.next_request();
        let cancel = Arc::new(AtomicBool::new(false));
        self.labels.export = Some((request, Arc::clone(&cancel)));
        self.tell(MessageFact::Exporting);
        vec![Job::ExportOffenders {
            request,
            path,
            offenders,
            sources,
            cancel,
        }]
    }

    pub(super) fn exported(
        &mut self,
        request: RequestId,
        result: Result<(PathBuf, u64), ExportError>,
    ) {
        let is_current = self
            .labels
            .export
            .as_ref()
            .is_some_and(|(current, _)| *current == request);
        if !is_current {
            return;
        }
        self.labels.export = None;
        match result {
            Ok((path, rows)) => self.tell(MessageFact::Exported { path, rows }),
            Err(ExportError::Cancelled) => self.tell(MessageFact::Cancelled),
            Err(error) => {
                self.notices.push(NoticeFact::ExportFailed(error));
                self.relabel_notice();
                self.tell(MessageFact::Ready);
            }
        }
    }

    /// Stops the check, or the export; whether there was one.
    pub(super) fn cancel_labels_job(&mut self) -> bool {
        if let Some(checking) = &mut self.labels.checking {
            checking.cancel.store(true, Ordering::Relaxed);
            checking.stopping = true;
            checking.text = self.words.text("labels-stopping");
            return true;
        }
        if let Some((_, cancel)) = &self.labels.export {
            cancel.store(true, Ordering::Relaxed);
            return true;
        }
        false
    }

    /// A job of the tab broke off through a fault of this program; whether it was one of the tab's.
    pub(super) fn labels_job_failed(&mut self, request: RequestId, said: &str) -> bool {
        let broke = self
            .labels
            .checking
            .take_if(|checking| checking.request == request);
        if broke.is_some() {
            self.labels.broke = self.checked().is_none();
            self.notices.push(NoticeFact::CheckBroke);
            self.relabel_notice();
            self.build_labels();
            return true;
        }
        let is_export = self
            .labels
            .export
            .as_ref()
            .is_some_and(|(current, _)| *current == request);
        if is_export {
            self.exported(request, Err(ExportError::System(said.to_owned())));
        }
        let is_watch = self
            .labels
            .watch
            .as_ref()
            .is_some_and(|watch| watch.request == request);
        is_export || is_watch
    }
}

/// What was chosen, as it can be found again in another result.
#[derive(Debug, Default)]
struct Chosen {
    finding: Option<(FindingId, Option<usize>)>,
    source: Option<SourceId>,
}

fn checking_text(progress: Option<CheckProgress>, words: Words) -> String {
    let Some(progress) = progress else {
        return words.text("labels-checking");
    };
    match progress.of_files {
        Some(all) => words.with(
            "labels-checking-of",
            &[
                ("done", Arg::Text(&words.number(progress.files))),
                ("count", Arg::Number(all)),
            ],
        ),
        None => words.with(
            "labels-checking-files",
            &[("count", Arg::Number(progress.files))],
        ),
    }
}
