//! The GPUs of this machine, and the check of one of them. What it finds belongs to the case.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::super::command::Tab;
use super::super::job::{Job, RequestId};
use super::super::labels_view::Mark;
use super::super::telling::MessageFact;
use super::AppState;
use crate::inputs::ReadProgress;
use crate::range_check::{DeviceChoice, GpuError, GpuInfo, GpuKind, Health};
use crate::words::{gpu_problem, health_texts};

/// The GPUs of this machine.
#[derive(Debug, Default)]
pub struct Gpus {
    /// The check of one that runs.
    pub checking: Option<GpuChecking>,
    /// What the last check found, until it is put away.
    pub card: Option<GpuCard>,
    list: Option<Vec<GpuInfo>>,
    listing: Option<RequestId>,
    outcome: Option<Outcome>,
}

/// A check of a GPU that runs.
#[derive(Clone, Debug)]
pub struct GpuChecking {
    /// The request.
    pub request: RequestId,
    /// "Checking the GPU with known values".
    pub text: String,
    /// The user stopped it.
    pub stopping: bool,
    part: f32,
    cancel: Arc<AtomicBool>,
}

/// Steps of a bar.
const STEPS: u64 = 1_000;

impl GpuChecking {
    /// How far it is, as a bar takes it.
    pub fn progress(&self) -> ReadProgress {
        ReadProgress {
            read: (f64::from(self.part.clamp(0.0, 1.0)) * STEPS as f64).round() as u64,
            total: Some(STEPS),
        }
    }
}

/// What a check of a GPU found, in ready words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GpuCard {
    /// Shape and colour of its icon.
    pub mark: Mark,
    /// The result in one sentence.
    pub headline: String,
    /// What it means, and what it cannot show.
    pub text: String,
    /// What differs, one a row.
    pub rows: Vec<String>,
    /// Which GPU, how much, how long; may be empty.
    pub what: String,
}

/// What came of a check.
#[derive(Debug)]
enum Outcome {
    /// It stands in the case.
    Found,
    /// No GPU could be opened.
    NoGpu(GpuError),
    /// A fault of this program.
    Fault,
}

impl Gpus {
    /// All of them, best first; empty until they are known.
    pub fn list(&self) -> &[GpuInfo] {
        self.list.as_deref().unwrap_or_default()
    }

    fn is_checking(&self, request: RequestId) -> bool {
        self.checking
            .as_ref()
            .is_some_and(|checking| checking.request == request)
    }
}

impl Drop for Gpus {
    fn drop(&mut self) {
        if let Some(checking) = &self.checking {
            checking.cancel.store(true, Ordering::Relaxed);
        }
    }
}

impl AppState {
    /// Lists the GPUs, once, when there are labels on screen that one could check.
    pub(super) fn list_gpus(&mut self) -> Vec<Job> {
        let is_known = self.gpus.list.is_some() || self.gpus.listing.is_some();
        if is_known || self.tab != Tab::Labels || !self.has_data() {
            return Vec::new();
        }
        let request = self.next_request();
        self.gpus.listing = Some(request);
        vec![Job::ListGpus { request }]
    }

    pub(super) fn gpus_listed(&mut self, request: RequestId, gpus: Vec<GpuInfo>) {
        if self.gpus.listing == Some(request) {
            self.gpus.listing = None;
            self.gpus.list = Some(gpus);
            self.build_labels();
        }
    }

    /// Checks the chosen GPU, else the best.
    pub(super) fn check_gpu(&mut self) -> Vec<Job> {
        let Some(case) = self.case.as_ref().filter(|_| self.gpus.checking.is_none()) else {
            return Vec::new();
        };
        let number = match case.options.device {
            DeviceChoice::Gpu(number) => number,
            DeviceChoice::Auto | DeviceChoice::Cpu => None,
        };
        let request = self.next_request();
        let cancel = Arc::new(AtomicBool::new(false));
        self.gpus.checking = Some(GpuChecking {
            request,
            text: self.words.text("health-running"),
            stopping: false,
            part: 0.0,
            cancel: Arc::clone(&cancel),
        });
        self.put_gpu_check_away();
        vec![Job::CheckGpu {
            request,
            number,
            cancel,
        }]
    }

    pub(super) fn gpu_check_progress(&mut self, request: RequestId, part: f32) {
        if let Some(checking) = &mut self.gpus.checking
            && checking.request == request
        {
            checking.part = part;
        }
    }

    pub(super) fn gpu_checked(&mut self, request: RequestId, result: Result<Health, GpuError>) {
        if !self.gpus.is_checking(request) {
            return;
        }
        self.gpus.checking = None;
        let outcome = match result {
            // What was right until then says nothing of the rest.
            Ok(health) if health.cancelled && found_nothing(&health) => {
                self.tell(MessageFact::GpuCheckStopped);
                return;
            }
            Ok(health) => {
                let Some(case) = &mut self.case else { return };
                case.health = Some(health);
                Outcome::Found
            }
            Err(error) => Outcome::NoGpu(error),
        };
        self.gpus.outcome = Some(outcome);
        self.relabel_gpus();
        self.tell(MessageFact::GpuChecked);
    }

    /// A job of this module broke off through a fault of this program; whether it was one.
    pub(super) fn gpu_job_failed(&mut self, request: RequestId) -> bool {
        if self.gpus.listing == Some(request) {
            self.gpus_listed(request, Vec::new());
            return true;
        }
        let is_check = self.gpus.is_checking(request);
        if is_check {
            self.gpus.checking = None;
            self.gpus.outcome = Some(Outcome::Fault);
            self.relabel_gpus();
        }
        is_check
    }

    /// Stops the check of the GPU; whether there was one.
    pub(super) fn stop_gpu_check(&mut self) -> bool {
        let Some(checking) = &mut self.gpus.checking else {
            return false;
        };
        checking.cancel.store(true, Ordering::Relaxed);
        checking.stopping = true;
        checking.text = self.words.text("health-stopping");
        true
    }

    pub(super) fn put_gpu_check_away(&mut self) {
        self.gpus.outcome = None;
        self.gpus.card = None;
    }

    /// The case goes, and what was found for it; the list stays.
    pub(super) fn forget_gpu_check(&mut self) {
        self.stop_gpu_check();
        self.gpus.checking = None;
        self.put_gpu_check_away();
    }

    /// Says everything about GPUs in the current language.
    pub(super) fn relabel_gpus(&mut self) {
        let words = self.words;
        if let Some(checking) = &mut self.gpus.checking {
            checking.text = words.text(if checking.stopping {
                "health-stopping"
            } else {
                "health-running"
            });
        }
        let health = self.case.as_ref().and_then(|case| case.health.as_ref());
        self.gpus.card = match (&self.gpus.outcome, health) {
            (None, _) | (Some(Outcome::Found), None) => None,
            (Some(Outcome::Found), Some(health)) => {
                let texts = health_texts(health, words);
                let mark = if texts.sound && health.gpu.kind == GpuKind::Software {
                    Mark::Note
                } else if texts.sound {
                    Mark::Good
                } else if found_nothing(health) {
                    Mark::Warning
                } else {
                    Mark::Error
                };
                Some(GpuCard {
                    mark,
                    headline: texts.headline,
                    text: texts.text,
                    rows: texts.rows,
                    what: texts.what,
                })
            }
            (Some(Outcome::NoGpu(error)), _) => {
                let problem = gpu_problem(error, words);
                Some(plain(problem.heading, problem.text))
            }
            (Some(Outcome::Fault), _) => Some(plain(words.text("health-fault"), String::new())),
        };
    }
}

/// No answer was wrong, and no byte changed.
fn found_nothing(health: &Health) -> bool {
    health.failed != Some(GpuError::Inconsistent)
        && health.changed == 0
        && health.types.iter().all(|kind| kind.differs.is_none())
}

fn plain(headline: String, text: String) -> GpuCard {
    GpuCard {
        mark: Mark::Note,
        headline,
        text,
        rows: Vec::new(),
        what: String::new(),
    }
}
