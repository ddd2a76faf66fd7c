//! The supervisor's work from start to end.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use super::Echo;
use super::book::Book;
use super::log_file::Limits;
use super::signals::Signals;
use super::stopping::Stopping;
use super::streams::{Piece, Streams};
use super::tree::{Ended, Tree};
use crate::rerun::folder::{self, name};
use crate::rerun::{
    CASE_SCHEMA, Ending, ExitMeaning, RunCase, RunProblem, RunRecord, RunState, RunStatus,
    environment,
};

/// How often it looks whether something is to be done.
const TICK: Duration = Duration::from_millis(100);

/// How often the status is written.
const STATUS: Duration = Duration::from_millis(500);

/// How long a pipe that stays open after the command has ended is waited for in silence, and at all.
const SILENCE: Duration = Duration::from_secs(1);
const AT_MOST: Duration = Duration::from_secs(5);

/// How long processes of a stopped run that stay behind the command are waited for.
const REST: Duration = Duration::from_secs(2);

/// Names how much of the log is kept instead of the usual 2 GiB, in bytes: for small disks and tests.
const LOG_LIMIT_VARIABLE: &str = "ASSERT_DOCTOR_LOG_LIMIT";

/// Looks after a run until its end.
pub(super) fn run(folder: &Path, foreground: bool, echo: Option<&Echo>) -> RunStatus {
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
        lock: Some(lock),
        status: RunStatus::default(),
        wrote: None,
        trouble: None,
    };
    drop(folder::write_record(folder, &work.record));
    match work.start(foreground, echo) {
        Ok(running) => running.see_to_its_end(&mut work),
        Err(problem) => {
            work.status = not_started(problem);
            work.write_status();
        }
    }
    work.status
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
    /// Held for as long as this process looks after the run.
    lock: Option<File>,
    status: RunStatus,
    wrote: Option<Instant>,
    /// What is wrong with keeping the record.
    trouble: Option<RunProblem>,
}

impl Work {
    fn start(&self, foreground: bool, echo: Option<&Echo>) -> Result<Running, RunProblem> {
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
        let streams = match Streams::read(out, err, echo, began) {
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
        let Err(error) = folder::write_json(&self.folder, name::STATUS, &self.status) else {
            return false;
        };
        if error.kind() != io::ErrorKind::NotFound || self.folder.is_dir() {
            // A full disk: the log says so as well, and the next status is tried as usual.
            self.trouble = self.trouble.take().or_else(|| {
                Some(RunProblem::NotWritten {
                    said: error.to_string(),
                    lost: 0,
                })
            });
            return false;
        }
        self.trouble = Some(RunProblem::FolderDeleted);
        if std::fs::create_dir_all(&self.folder).is_err() {
            return false;
        }
        self.lock = File::create(self.folder.join(name::LOCK))
            .ok()
            .filter(|lock| lock.try_lock().is_ok());
        drop(folder::write_record(&self.folder, &self.record));
        true
    }
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

    fn see_to_its_end(mut self, work: &mut Work) {
        work.status.state = RunState::Running;
        work.status.child = Some(self.tree.id());
        self.tell(work);
        let (code, signal) = self.until_ended(work);
        let elapsed_ms = self.ms();
        // Of Ctrl+C the command may have ended before it was even noticed here.
        let stopped = self.stopping.has_begun() || self.is_wished(work);
        work.status.elapsed_ms = elapsed_ms;
        self.last_words(work);
        if stopped {
            self.sweep();
        }
        self.book.close(elapsed_ms);
        let facts = {
            let Self { book, tree, .. } = self;
            tree.release();
            let left_out = book.left_out();
            let facts = book.finish(&mut work.status);
            work.status.ending = Some(Ending {
                code,
                signal,
                stopped,
                elapsed_ms,
                left_out,
                meaning: ExitMeaning::of(code, signal),
            });
            facts
        };
        work.status.state = RunState::Ended;
        let case = RunCase {
            schema: CASE_SCHEMA.to_owned(),
            run: work.record.clone(),
            ending: work.status.ending.clone().unwrap_or_default(),
            facts,
        };
        if let Err(error) = folder::write_json(&work.folder, name::CASE, &case) {
            work.trouble = work.trouble.take().or_else(|| {
                Some(RunProblem::NotWritten {
                    said: error.to_string(),
                    lost: 0,
                })
            });
        }
        if work.trouble.is_some() {
            work.status.problem.clone_from(&work.trouble);
        }
        work.write_status();
    }

    /// Somebody wants it to end.
    fn is_wished(&mut self, work: &Work) -> bool {
        self.signals.wishes().0 > 0 || work.folder.join(name::STOP).exists()
    }

    /// Reads, keeps and tells until the command has ended.
    fn until_ended(&mut self, work: &mut Work) -> Ended {
        let mut tidied = Instant::now();
        loop {
            self.take_pieces(work);
            if let Some(ended) = self.tree.ended() {
                return ended;
            }
            let (wishes, told) = self.signals.wishes();
            let asked = usize::from(work.folder.join(name::STOP).exists());
            self.stopping
                .step(wishes + asked, told && asked == 0, &self.tree);
            if self.stopping.has_begun() && work.status.state == RunState::Running {
                work.status.state = RunState::Stopping;
                work.wrote = None;
            }
            self.tell(work);
            if tidied.elapsed() > Duration::from_secs(2) {
                self.tree.tidy();
                tidied = Instant::now();
            }
        }
    }

    /// What is left in the pipes when the command has ended. A process that it left behind may hold them open for ever.
    fn last_words(&mut self, work: &mut Work) {
        let ended = Instant::now();
        let mut heard = Instant::now();
        while !self.streams.all_closed() {
            if self.take_pieces(work) || self.streams.waits_for_reader() {
                heard = Instant::now();
            }
            let enough = heard.elapsed() >= SILENCE || ended.elapsed() >= AT_MOST;
            if enough && !self.streams.waits_for_reader() {
                return;
            }
            let (wishes, _) = self.signals.wishes();
            if wishes > 2 {
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
        if let Some(trouble) = &work.trouble {
            work.status.problem = Some(trouble.clone());
        }
        if work.write_status() {
            self.book.reopen();
        }
    }
}
