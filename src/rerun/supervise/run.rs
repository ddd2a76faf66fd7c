//! The supervisor's work from start to end.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use super::book::Book;
use super::log_file::Limits;
use super::signals::Signals;
use super::stopping::Stopping;
use super::streams::{Piece, Streams};
use super::tree::{Ended, Tree};
use super::{Front, Outcome, RunNotice};
use crate::crash_log::Facts;
use crate::rerun::folder::{self, name};
use crate::rerun::{
    CASE_SCHEMA, Ending, ExitMeaning, FirstEnded, Others, RunCase, RunProblem, RunRecord, RunState,
    RunStatus, environment,
};

/// How often it looks whether something is to be done.
const TICK: Duration = Duration::from_millis(100);

/// How often the status is written.
const STATUS: Duration = Duration::from_millis(500);

/// How long a pipe that stays open when nobody of the run is left is waited for in silence, and at all.
const SILENCE: Duration = Duration::from_secs(1);
const AT_MOST: Duration = Duration::from_secs(5);

/// How often it looks who holds the output, once the command's own process has ended.
const LOOK: Duration = Duration::from_millis(250);

/// How long those say nothing until somebody in front is told why the run goes on.
const QUIET: Duration = Duration::from_secs(3);

/// How long processes that have detached themselves may say nothing until their output is read no longer. A daemon that got the
/// pipe by accident never says anything; a training that was detached may compile for a while.
const DETACHED: Duration = Duration::from_mins(1);

/// Names another time for that, in seconds.
const DETACHED_VARIABLE: &str = "ASSERT_DOCTOR_DETACHED_WAIT";

/// How long a wish to end has no effect until somebody in front is told.
const STOPS_AT_ONCE: Duration = Duration::from_millis(700);

/// Bytes set aside on the disk, so that the end can be written where it has become full.
const RESERVE: usize = 96 * 1024;

/// How long processes of a stopped run that stay behind the command are waited for.
const REST: Duration = Duration::from_secs(2);

/// Names how much of the log is kept instead of the usual 2 GiB, in bytes: for small disks and tests.
const LOG_LIMIT_VARIABLE: &str = "ASSERT_DOCTOR_LOG_LIMIT";

/// Looks after a run until its end.
pub(super) fn run(folder: &Path, front: Option<&Front>) -> Outcome {
    super::signals::outlive_file_limits();
    let not_started = |problem| Outcome {
        status: not_started(problem),
        facts: None,
    };
    let record = match folder::read_record(folder) {
        Ok(record) => record,
        Err(error) => {
            return not_started(RunProblem::NoFolder {
                folder: folder.to_owned(),
                said: error.to_string(),
            });
        }
    };
    let Some(lock) = take(folder) else {
        return not_started(RunProblem::AlreadyRun);
    };
    let mut work = Work {
        folder: folder.to_owned(),
        record: RunRecord {
            supervisor: std::process::id(),
            ..record
        },
        front: front.cloned(),
        lock: Some(lock),
        status: RunStatus::default(),
        wrote: None,
        trouble: None,
        told: false,
    };
    drop(folder::write_record(folder, &work.record));
    if std::fs::write(folder.join(name::RESERVE), vec![b' '; RESERVE]).is_err() {
        // Where there is no room for it, the output needs it more.
        work.give_reserve();
    }
    let facts = match work.start() {
        Ok(running) => Some(running.see_to_its_end(&mut work)),
        Err(problem) => {
            work.give_reserve();
            work.status = self::not_started(problem);
            work.write_status();
            None
        }
    };
    Outcome {
        status: work.status,
        facts,
    }
}

fn not_started(problem: RunProblem) -> RunStatus {
    RunStatus {
        state: RunState::NotStarted,
        problem: Some(problem),
        ..RunStatus::default()
    }
}

/// Takes the folder for this supervisor; `None` where another has it, or had it.
fn take(folder: &Path) -> Option<File> {
    let lock = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(folder.join(name::LOCK))
        .ok()?;
    // Whoever looks whether a supervisor lives holds the lock for a moment.
    for _ in 0..20 {
        if lock.try_lock().is_ok() {
            let was_run = folder.join(name::LOG).exists() || folder.join(name::CASE).exists();
            return (!was_run).then_some(lock);
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    None
}

/// What does not change, and how the run stands.
struct Work {
    folder: PathBuf,
    record: RunRecord,
    /// Whoever sits in front of it.
    front: Option<Front>,
    /// Held for as long as this process looks after the run.
    lock: Option<File>,
    status: RunStatus,
    wrote: Option<Instant>,
    /// What is wrong with keeping the record.
    trouble: Option<RunProblem>,
    /// Whoever sits in front was told of that.
    told: bool,
}

impl Work {
    fn start(&self) -> Result<Running, RunProblem> {
        let foreground = self.front.is_some();
        let signals = Signals::listen(foreground);
        let program = self.record.command.resolve()?;
        let mut command = Command::new(&program);
        command
            .args(&self.record.command.arguments)
            .current_dir(&self.record.command.directory)
            .envs(environment::variables(
                self.record.options,
                &self.folder.join(name::GUARD),
                environment::own_pythonpath().as_deref(),
            ));
        let name = || self.record.command.program.to_string_lossy().into_owned();
        let (tree, out, err) =
            Tree::spawn(command, foreground).map_err(|error| match error.kind() {
                io::ErrorKind::NotFound => RunProblem::NotFound { program: name() },
                io::ErrorKind::PermissionDenied => RunProblem::Denied { program: name() },
                _ => RunProblem::NotRunnable {
                    program: name(),
                    said: error.to_string(),
                },
            })?;
        let began = Instant::now();
        let streams = match Streams::read(
            out,
            err,
            self.front.as_ref().map(|front| &front.echo),
            began,
        ) {
            Ok(streams) => streams,
            Err(error) => {
                // Without anybody to read from it, it would stand still.
                tree.kill();
                return Err(RunProblem::Pipe {
                    said: error.to_string(),
                });
            }
        };
        Ok(Running {
            book: Book::create(&self.folder, limits()),
            tree,
            streams,
            signals,
            stopping: Stopping::default(),
            began,
        })
    }

    /// Writes the status; where its folder is gone, makes it anew. Gives whether it had to.
    fn write_status(&mut self) -> bool {
        self.wrote = Some(Instant::now());
        let made = self.has_lost_folder() && self.make_folder();
        let Err(error) = folder::write_json_somehow(&self.folder, name::STATUS, &self.status)
        else {
            return made;
        };
        self.not_written(&error);
        made
    }

    fn has_lost_folder(&self) -> bool {
        matches!(self.folder.try_exists(), Ok(false))
    }

    /// Makes the folder anew after it was deleted. Gives whether it could.
    fn make_folder(&mut self) -> bool {
        if std::fs::create_dir_all(&self.folder).is_err() {
            self.trouble = Some(RunProblem::FolderGone);
            return false;
        }
        self.trouble = Some(RunProblem::FolderDeleted);
        self.lock = File::create(self.folder.join(name::LOCK))
            .ok()
            .filter(|lock| lock.try_lock().is_ok());
        drop(folder::write_record(&self.folder, &self.record));
        true
    }

    fn not_written(&mut self, error: &io::Error) {
        self.trouble = self.trouble.take().or_else(|| {
            Some(RunProblem::NotWritten {
                said: error.to_string(),
                lost: 0,
            })
        });
    }

    /// Puts into the status what is wrong. What the log says of a full disk counts the bytes; a folder that is gone explains it.
    fn tell_trouble(&mut self) {
        let counts = matches!(self.status.problem, Some(RunProblem::NotWritten { .. }));
        match &self.trouble {
            Some(RunProblem::NotWritten { .. }) if counts => {}
            Some(trouble) => self.status.problem = Some(trouble.clone()),
            None => {}
        }
        if let Some(problem) = &self.status.problem
            && !self.told
        {
            self.told = true;
            self.notify(&RunNotice::Problem(problem.clone()));
        }
    }

    fn notify(&self, notice: &RunNotice) {
        if let Some(front) = &self.front {
            (front.notify)(notice);
        }
    }

    /// Frees what was set aside.
    fn give_reserve(&self) {
        drop(std::fs::remove_file(self.folder.join(name::RESERVE)));
    }
}

/// How long detached processes may say nothing.
fn detached_patience() -> Duration {
    let named = std::env::var(DETACHED_VARIABLE)
        .ok()
        .and_then(|seconds| seconds.trim().parse().ok());
    named.map_or(DETACHED, Duration::from_secs)
}

/// How much of a log is kept.
fn limits() -> Limits {
    let named = std::env::var(LOG_LIMIT_VARIABLE)
        .ok()
        .and_then(|bytes| bytes.trim().parse::<u64>().ok())
        .filter(|bytes| *bytes >= 4_096);
    named.map_or(Limits::USUAL, |bytes| Limits {
        head: bytes / 2,
        part: bytes / 4,
    })
}

/// A run that goes on.
struct Running {
    book: Book,
    tree: Tree,
    streams: Streams,
    signals: Signals,
    stopping: Stopping,
    began: Instant,
}

impl Running {
    fn ms(&self) -> u64 {
        self.began.elapsed().as_millis() as u64
    }

    fn see_to_its_end(mut self, work: &mut Work) -> Facts {
        work.status.state = RunState::Running;
        work.status.child = Some(self.tree.id());
        self.tell(work);
        let (code, signal) = self.until_ended(work);
        let elapsed_ms = self.ms();
        // Of Ctrl+C the command may have ended before it was even noticed here.
        let mut stopped = self.stopping.has_begun() || self.wishes(work) > 0;
        work.status.elapsed_ms = elapsed_ms;
        let first = FirstEnded {
            code,
            signal,
            elapsed_ms,
            others: 0,
        };
        let left = self.last_words(work, first, stopped);
        let lasted = work.status.first_ended.is_some();
        stopped |= lasted && self.stopping.has_begun();
        if stopped {
            self.sweep();
            // What they said of it.
            self.drain(work);
        }
        let until_ms = if lasted { self.ms() } else { elapsed_ms };
        work.status.elapsed_ms = until_ms;
        self.book.close(until_ms);
        work.give_reserve();
        if work.has_lost_folder() && work.make_folder() {
            self.book.reopen();
        }
        let facts = {
            let Self { book, tree, .. } = self;
            tree.release();
            let (facts, left_out) = book.finish(&mut work.status);
            work.status.ending = Some(Ending {
                code,
                signal,
                stopped,
                elapsed_ms,
                others: lasted.then_some(Others {
                    until_ms,
                    left: if stopped { 0 } else { left },
                }),
                left_out,
                meaning: ExitMeaning::of(code, signal),
            });
            facts
        };
        work.status.state = RunState::Ended;
        work.tell_trouble();
        // The smaller and more important one first.
        work.write_status();
        let case = RunCase {
            schema: CASE_SCHEMA.to_owned(),
            run: work.record.clone(),
            ending: work.status.ending.clone().unwrap_or_default(),
            facts,
        };
        if let Err(error) = folder::write_json(&work.folder, name::CASE, &case) {
            work.not_written(&error);
            work.tell_trouble();
            work.write_status();
        }
        case.facts
    }

    /// How often somebody wished it to end.
    fn wishes(&self, work: &Work) -> usize {
        let asked = usize::from(work.folder.join(name::STOP).exists());
        self.signals.wishes().0 + asked
    }

    /// Reads, keeps and tells until the command has ended.
    fn until_ended(&mut self, work: &mut Work) -> Ended {
        let mut tidied = Instant::now();
        loop {
            self.take_pieces(work);
            if let Some(ended) = self.tree.ended() {
                return ended;
            }
            self.see_to_wishes(work);
            self.tell(work);
            if tidied.elapsed() > Duration::from_secs(2) {
                self.tree.tidy();
                tidied = Instant::now();
            }
        }
    }

    /// Brings the run to its end where somebody wishes that.
    fn see_to_wishes(&mut self, work: &mut Work) {
        let (signals, told) = self.signals.wishes();
        let wishes = self.wishes(work);
        self.stopping
            .step(wishes, told && wishes == signals, &self.tree);
        if self.stopping.has_begun() && work.status.state == RunState::Running {
            work.status.state = RunState::Stopping;
            work.wrote = None;
        }
        if self.stopping.is_noticed_after(STOPS_AT_ONCE) {
            work.notify(&RunNotice::Stopping);
        }
    }

    /// What comes after the command's own process has ended: the rest in the pipes, and what others of the run still print. A
    /// launcher may end at once and leave the training to them; it would die of a pipe that nobody reads. Gives how many of them
    /// live when their output is read no longer.
    fn last_words(&mut self, work: &mut Work, first: FirstEnded, stopped: bool) -> u32 {
        let ended = Instant::now();
        let detached = detached_patience();
        let mut heard = Instant::now();
        let mut looked: Option<Instant> = None;
        let mut writers = super::tree::Writers::default();
        let mut told = false;
        while !self.streams.all_closed() {
            if self.take_pieces(work) || self.streams.waits_for_reader() {
                heard = Instant::now();
            }
            let silent = heard.elapsed();
            let waits = self.streams.waits_for_reader();
            if !stopped && looked.is_none_or(|looked| looked.elapsed() >= LOOK) {
                // In the first moment it is only the pipe's end that is on its way.
                if looked.is_some() {
                    writers = self.tree.writers();
                }
                looked = Some(Instant::now());
                if writers.count() > 0 {
                    let known = FirstEnded {
                        others: writers.count(),
                        ..first
                    };
                    if work.status.first_ended != Some(known) {
                        work.status.first_ended = Some(known);
                        work.wrote = None;
                    }
                }
            }
            if writers.count() == 0 {
                let enough = silent >= SILENCE || ended.elapsed() >= AT_MOST;
                if enough && !waits {
                    return 0;
                }
            } else if writers.near == 0 && silent >= detached && !waits {
                return writers.count();
            }
            // It cannot be ended (another user's).
            if self.stopping.has_failed(AT_MOST) {
                return writers.count();
            }
            if let Some(first) = work.status.first_ended {
                if silent >= QUIET && !told {
                    told = true;
                    work.notify(&RunNotice::OthersLive(first));
                }
                self.see_to_wishes(work);
                self.tell(work);
            } else if self.signals.wishes().0 > 2 {
                return 0;
            }
        }
        0
    }

    /// What is left in the pipes, for a moment.
    fn drain(&mut self, work: &mut Work) {
        let began = Instant::now();
        while !self.streams.all_closed() && began.elapsed() < SILENCE {
            if !self.take_pieces(work) {
                return;
            }
        }
    }

    /// Ends what a stopped run left behind.
    fn sweep(&self) {
        let began = Instant::now();
        self.tree.terminate();
        while !self.tree.is_gone() && began.elapsed() < REST {
            std::thread::sleep(Duration::from_millis(50));
        }
        let began = Instant::now();
        while !self.tree.is_gone() && began.elapsed() < REST {
            self.tree.kill();
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Takes what came, for a tick at most. Gives whether something did.
    fn take_pieces(&mut self, work: &mut Work) -> bool {
        let began = Instant::now();
        let mut came = false;
        loop {
            let left = TICK.saturating_sub(began.elapsed());
            match self.streams.pieces.recv_timeout(left) {
                Ok(Piece::Bytes(stream, bytes, ms)) => {
                    came = true;
                    self.book.take(stream, &bytes, ms);
                }
                Ok(Piece::Closed) => self.streams.closed(),
                Ok(Piece::Failed(said)) => {
                    self.streams.closed();
                    work.trouble = Some(RunProblem::Pipe { said });
                }
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => {
                    // Both pipes are closed and the command goes on, or ends in a moment.
                    std::thread::sleep(left.min(Duration::from_millis(20)));
                    break;
                }
            }
            if began.elapsed() >= TICK || self.streams.all_closed() {
                break;
            }
        }
        self.book.flush();
        came
    }

    /// Writes the status where it is due.
    fn tell(&mut self, work: &mut Work) {
        if work.wrote.is_some_and(|wrote| wrote.elapsed() < STATUS) {
            return;
        }
        work.status.elapsed_ms = self.ms();
        self.book.tell(&mut work.status);
        work.tell_trouble();
        if work.write_status() {
            self.book.reopen();
        }
    }
}
