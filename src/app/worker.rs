//! The threads that do jobs.
//!
//! Rows and searches have a thread each that lives as long as the worker. Every open, check, export, watch and look at a GPU gets its own: a file
//! on a network drive that is gone, or a file of the system that never ends a read, must not keep the next one from being opened.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::export::export;
use super::runs;
use super::search::{Needle, Searched};
use super::watch::wait_for_change;
use super::{Event, Job, RequestId};
use crate::case;
use crate::check;
use crate::crash_log::decode_lines;
use crate::range_check;
use crate::rerun;
use crate::settings::Settings;

/// Events that may wait to be taken; a job that has more to say waits in turn.
const MOST_EVENTS: usize = 64;
/// A check's progress is told this often; it is for eyes.
const PROGRESS_PERIOD: Duration = Duration::from_millis(50);
/// Row requests that may wait; older ones are for rows that have been scrolled past.
const MOST_ROW_JOBS: usize = 64;

/// Does jobs on its own threads and hands their events over.
pub struct Worker {
    queue: Arc<Queue>,
    events: Receiver<Event>,
    speaker: Speaker,
}

impl Worker {
    /// A worker that calls `wake` after each event it has sent.
    pub fn new(wake: Arc<dyn Fn() + Send + Sync>) -> Self {
        let (sender, events) = sync_channel(MOST_EVENTS);
        let speaker = Speaker { sender, wake };
        let queue = Arc::new(Queue::default());
        for (name, lane) in [("rows", Lane::Rows), ("search", Lane::Search)] {
            let (queue, speaker) = (Arc::clone(&queue), speaker.clone());
            spawn(name, move || {
                while let Some(job) = queue.take(lane) {
                    speaker.work(job);
                }
            });
        }
        Self {
            queue,
            events,
            speaker,
        }
    }

    /// Starts a job.
    pub fn start(&self, job: Job) {
        match job {
            Job::Open { .. } => self.alone("open", job),
            Job::Check { .. } => self.alone("check", job),
            Job::ListGpus { .. } | Job::CheckGpu { .. } => self.alone("gpu", job),
            Job::Watch { .. } => self.alone("watch", job),
            Job::ExportOffenders { .. } => self.alone("export", job),
            Job::SuggestRun { .. } | Job::StartRun { .. } | Job::FindRun { .. } => {
                self.alone("run", job);
            }
            Job::FollowRun { .. } => self.alone("follow", job),
            Job::StopRun { .. } | Job::SaveGuard { .. } => self.alone("run", job),
            job => self.queue.put(job),
        }
    }

    /// Does a job on a thread of its own.
    fn alone(&self, name: &str, job: Job) {
        let speaker = self.speaker.clone();
        spawn(name, move || speaker.work(job));
    }

    /// The next event, if one has come.
    pub fn try_event(&self) -> Option<Event> {
        self.events.try_recv().ok()
    }
}

impl Drop for Worker {
    /// Tells the threads to end and does not wait for them: the window closes at once. What they are about to send fails.
    fn drop(&mut self) {
        self.queue.close();
    }
}

fn spawn(name: &str, run: impl FnOnce() + Send + 'static) {
    if let Err(error) = thread::Builder::new().name(name.to_owned()).spawn(run) {
        log::error!("no thread for {name}: {error}");
    }
}

/// Which thread does a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lane {
    Rows,
    Search,
}

/// Jobs that wait.
#[derive(Default)]
struct Queue {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    rows: VecDeque<Job>,
    /// Only the newest counts.
    search: Option<Job>,
    /// Only the newest counts.
    settings: Option<Settings>,
    closed: bool,
}

impl Queue {
    fn put(&self, job: Job) {
        let mut waiting = self.lock();
        match job {
            Job::SaveSettings(settings) => waiting.settings = Some(settings),
            Job::Search { .. } => {
                if let Some(Job::Search { cancel, .. }) = &waiting.search {
                    cancel.store(true, Ordering::Relaxed);
                }
                waiting.search = Some(job);
            }
            job => {
                waiting.rows.push_back(job);
                if waiting.rows.len() > MOST_ROW_JOBS {
                    waiting.rows.pop_front();
                }
            }
        }
        drop(waiting);
        self.changed.notify_all();
    }

    /// Waits for the next job of a lane; `None` once the worker is gone. Settings are still written then.
    fn take(&self, lane: Lane) -> Option<Job> {
        let mut waiting = self.lock();
        loop {
            let job = match lane {
                // The newest rows are those on screen.
                Lane::Rows => waiting
                    .settings
                    .take()
                    .map(Job::SaveSettings)
                    .or_else(|| waiting.rows.pop_back()),
                Lane::Search => waiting.search.take(),
            };
            if job.is_some() {
                return job;
            }
            if waiting.closed {
                return None;
            }
            waiting = self
                .changed
                .wait(waiting)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn close(&self) {
        let mut waiting = self.lock();
        waiting.closed = true;
        waiting.rows.clear();
        if let Some(Job::Search { cancel, .. }) = waiting.search.take() {
            cancel.store(true, Ordering::Relaxed);
        }
        drop(waiting);
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Does a job and says what came of it.
#[derive(Clone)]
struct Speaker {
    sender: SyncSender<Event>,
    wake: Arc<dyn Fn() + Send + Sync>,
}

impl Speaker {
    /// Sends first, then wakes. `false` once nobody listens any more.
    fn say(&self, event: Event) -> bool {
        let sent = self.sender.send(event).is_ok();
        if sent {
            (self.wake)();
        }
        sent
    }

    /// Progress is dropped where events wait already: a later one tells more.
    fn hint(&self, event: Event) {
        match self.sender.try_send(event) {
            Ok(()) => (self.wake)(),
            Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => {}
        }
    }

    /// A fault in a job must not take its thread, and with it all later jobs, along.
    fn work(&self, job: Job) {
        let request = request_of(&job);
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| self.work_on(job))) {
            let said = crate::panics::said(panic.as_ref()).to_owned();
            log::error!("a job panicked: {said}");
            if let Some(request) = request {
                self.say(Event::JobFailed(request, said));
            }
        }
    }

    fn work_on(&self, job: Job) {
        match job {
            Job::Open {
                request,
                what,
                cancel,
            } => {
                let case = case::open(&what, &cancel, &mut |progress| {
                    self.hint(Event::Progress(request, progress));
                });
                self.say(Event::Opened(request, Box::new(case)));
            }
            Job::LoadRows {
                request,
                source,
                lines,
                bytes,
                encodings,
            } => {
                self.say(match source.read(bytes.clone()) {
                    Ok(read) => {
                        let mut decoded = decode_lines(&read, &encodings);
                        // A block that was cut ends inside a line.
                        if (read.len() as u64) < bytes.end - bytes.start {
                            decoded.pop();
                        }
                        decoded.truncate((lines.end - lines.start) as usize);
                        Event::RowsLoaded {
                            request,
                            first_line: lines.start,
                            lines: decoded,
                        }
                    }
                    Err(error) => Event::RowsFailed(request, error),
                });
            }
            Job::Search {
                request,
                source,
                text,
                index,
                byte_count,
                encodings,
                cancel,
            } => {
                let searched = Searched {
                    source: &source,
                    index: &index,
                    byte_count,
                    encodings: &encodings,
                    cancel: &cancel,
                };
                let found = |lines, done| Event::SearchFound {
                    request,
                    lines,
                    done,
                };
                let result = Needle::new(&text).map_or(Ok(()), |needle| {
                    searched.run(&needle, &mut |lines| self.say(found(lines, false)))
                });
                self.say(match result {
                    Ok(()) => found(Vec::new(), true),
                    Err(error) => Event::SearchFailed(request, error),
                });
            }
            Job::Check {
                request,
                data,
                cancel,
            } => {
                let mut told: Option<Instant> = None;
                let checked = check::run(
                    &data.given,
                    &data.options,
                    &data.outside,
                    &cancel,
                    &mut |progress| {
                        if told.is_none_or(|told| told.elapsed() >= PROGRESS_PERIOD) {
                            told = Some(Instant::now());
                            self.hint(Event::CheckProgress(request, progress));
                        }
                    },
                    None,
                );
                self.say(Event::Checked(request, Box::new(checked)));
            }
            Job::ListGpus { request } => {
                self.say(Event::GpusListed(request, range_check::gpus()));
            }
            Job::CheckGpu {
                request,
                number,
                cancel,
            } => {
                let mut told: Option<Instant> = None;
                let health = range_check::health(number, &cancel, &mut |part| {
                    if told.is_none_or(|told| told.elapsed() >= PROGRESS_PERIOD) {
                        told = Some(Instant::now());
                        self.hint(Event::GpuCheckProgress(request, part));
                    }
                });
                self.say(Event::GpuChecked(request, health.map(Box::new)));
            }
            Job::Watch {
                request,
                paths,
                since,
                switch,
            } => {
                if wait_for_change(&paths, since, &switch) {
                    self.say(Event::FilesChanged(request));
                }
            }
            Job::ExportOffenders {
                request,
                path,
                offenders,
                sources,
                cancel,
            } => {
                self.say(match export(&path, offenders, &sources, &cancel) {
                    Ok(rows) => Event::Exported {
                        request,
                        path,
                        rows,
                    },
                    Err(error) => Event::ExportFailed(request, error),
                });
            }
            Job::SuggestRun {
                request,
                facts,
                script,
                near,
            } => {
                self.say(runs::suggested(
                    request,
                    facts.as_deref(),
                    script.as_deref(),
                    near.as_deref(),
                ));
            }
            Job::StartRun { request, run } => {
                self.say(runs::started(request, *run));
            }
            Job::FindRun { request, last } => {
                self.say(runs::found(request, last));
            }
            Job::FollowRun {
                request,
                folder,
                cancel,
            } => runs::follow(request, &folder, &cancel, &|event| self.say(event)),
            Job::StopRun { request, folder } => {
                if let Err(error) = rerun::stop(&folder) {
                    self.say(Event::RunNotStopped(request, error.to_string()));
                }
            }
            Job::SaveGuard {
                request,
                folder,
                files,
            } => {
                let saved = rerun::save_guard(&folder, &files).map_err(|error| error.to_string());
                self.say(Event::GuardSaved(request, folder, saved));
            }
            Job::SaveSettings(settings) => {
                if let Err(error) = settings.save() {
                    self.say(Event::SettingsNotSaved(error.to_string()));
                }
            }
        }
    }
}

fn request_of(job: &Job) -> Option<RequestId> {
    match job {
        Job::Open { request, .. }
        | Job::LoadRows { request, .. }
        | Job::Search { request, .. }
        | Job::Check { request, .. }
        | Job::ListGpus { request }
        | Job::CheckGpu { request, .. }
        | Job::Watch { request, .. }
        | Job::ExportOffenders { request, .. }
        | Job::SuggestRun { request, .. }
        | Job::StartRun { request, .. }
        | Job::FindRun { request, .. }
        | Job::FollowRun { request, .. }
        | Job::StopRun { request, .. }
        | Job::SaveGuard { request, .. } => Some(*request),
        Job::SaveSettings(_) => None,
    }
}
