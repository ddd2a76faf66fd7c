//! The processes of a run on Linux: the command, and everything that it starts.
//!
//! The supervisor is a subreaper: a process whose parent has ended becomes its child instead of the system's, so that
//! walking down from the supervisor finds the whole tree however deep it hid itself.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::fd::AsRawFd as _;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::PathBuf;
use std::process::{Child, ChildStderr, ChildStdout, Command, Stdio};
use std::{io, path::Path};

use rustix::process::{Pid, Signal, WaitOptions, kill_process, kill_process_group, waitpid};

/// How a process ended: its exit code, or the signal.
pub(super) type Ended = (Option<i64>, Option<i32>);

/// Living processes that may still write into the command's pipes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Writers {
    /// Of the run itself.
    pub near: u32,
    /// Those that have detached themselves (`setsid`, a daemon).
    pub far: u32,
}

impl Writers {
    pub(super) fn count(self) -> u32 {
        self.near + self.far
    }
}

/// The processes of a run.
pub(super) struct Tree {
    child: Child,
    /// The command leads a process group of its own.
    own_group: bool,
    /// What `/proc` calls the command's pipes.
    pipes: Vec<PathBuf>,
}

/// Starts a supervisor that does not hang on this process: it stays when this one ends.
pub(super) fn start_detached(mut command: Command) -> io::Result<u32> {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut child = command.spawn()?;
    let id = child.id();
    // Whoever started it must fetch its end, or it stays in the process list for as long as this process lives.
    std::thread::Builder::new()
        .name("supervisor".to_owned())
        .spawn(move || drop(child.wait()))?;
    Ok(id)
}

/// Leaves the terminal and the session of whoever started this process.
pub(super) fn detach() {
    // It fails for the leader of a group, which has no terminal above it anyway.
    let _ = rustix::process::setsid();
}

impl Tree {
    /// Starts the command. In the foreground of a terminal it shares our process group, because the terminal lets no other read
    /// from it and sends Ctrl+C to both; else it gets a group of its own.
    pub(super) fn spawn(
        mut command: Command,
        foreground: bool,
    ) -> io::Result<(Self, ChildStdout, ChildStderr)> {
        #[cfg(target_os = "linux")]
        let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
        let shares = foreground && io::IsTerminal::is_terminal(&io::stdin());
        if !shares {
            command.process_group(0);
        }
        if !foreground {
            command.stdin(Stdio::null());
        }
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let pipes = child.stdout.take().zip(child.stderr.take());
        let (out, err) = pipes.ok_or_else(|| io::Error::other("no pipes"))?;
        let names = [out.as_raw_fd(), err.as_raw_fd()];
        let tree = Self {
            child,
            own_group: !shares,
            pipes: names
                .into_iter()
                .filter_map(|pipe| fs::read_link(format!("/proc/self/fd/{pipe}")).ok())
                .collect(),
        };
        Ok((tree, out, err))
    }

    /// The command's process.
    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// How the command ended, once it has.
    pub(super) fn ended(&mut self) -> Option<Ended> {
        match self.child.try_wait() {
            Ok(status) => {
                let status = status?;
                Some((status.code().map(i64::from), status.signal()))
            }
            // Somebody else fetched its end: nothing is known but that it is over.
            Err(_) => Some((None, None)),
        }
    }

    /// Asks as Ctrl+C does. `told`: a terminal has done so already.
    pub(super) fn interrupt(&self, told: bool) {
        if self.own_group {
            self.signal_group(Signal::INT);
        } else if !told {
            let group = rustix::process::getpgrp();
            for process in descendants() {
                if rustix::process::getpgid(Some(process)).is_ok_and(|of| of == group) {
                    let _ = kill_process(process, Signal::INT);
                }
            }
        }
    }

    /// Asks everything to end.
    pub(super) fn terminate(&self) {
        self.signal_all(Signal::TERM);
    }

    /// Ends everything without asking. A process may start others meanwhile: called again until [`Tree::is_gone`].
    pub(super) fn kill(&self) {
        self.signal_all(Signal::KILL);
    }

    /// Fetches the ends of processes whose own parents are gone.
    pub(super) fn tidy(&self) {
        for (process, state) in children_of_ours() {
            if state == 'Z' && process.as_raw_nonzero().get().cast_unsigned() != self.id() {
                let _ = waitpid(Some(process), WaitOptions::NOHANG);
            }
        }
    }

    /// Who else may still write into the command's pipes.
    pub(super) fn writers(&self) -> Writers {
        self.tidy();
        let mut writers = Writers::default();
        if self.pipes.is_empty() {
            // No `/proc`: of a group it is known whether anybody lives.
            let leader = Pid::from_raw(self.child.id().cast_signed());
            let lives = leader.is_some_and(|leader| {
                self.own_group && rustix::process::test_kill_process_group(leader).is_ok()
            });
            writers.near = u32::from(lives);
            return writers;
        }
        let all = processes();
        let session = rustix::process::getsid(None).ok();
        for process in descendants() {
            if !self.holds_pipe(process) {
                continue;
            }
            // Whoever left the session and whose starter is gone has detached itself on purpose.
            let mut top = process.as_raw_nonzero().get();
            while let Some(listed) = all.get(&top)
                && listed.parent != ourselves()
                && all.contains_key(&listed.parent)
            {
                top = listed.parent;
            }
            let of = Pid::from_raw(top).and_then(|top| rustix::process::getsid(Some(top)).ok());
            if of == session {
                writers.near += 1;
            } else {
                writers.far += 1;
            }
        }
        writers
    }

    fn holds_pipe(&self, process: Pid) -> bool {
        let folder = format!("/proc/{}/fd", process.as_raw_nonzero());
        match fs::read_dir(folder) {
            Ok(open) => open
                .flatten()
                .filter_map(|entry| fs::read_link(entry.path()).ok())
                .any(|name| self.pipes.contains(&name)),
            // Another user's (`sudo`): it must be taken for one.
            Err(error) => error.kind() == io::ErrorKind::PermissionDenied,
        }
    }

    /// Nothing of the tree is left.
    pub(super) fn is_gone(&self) -> bool {
        self.tidy();
        descendants().is_empty()
    }

    /// Lets go of what the command left running.
    pub(super) fn release(self) {
        // It goes to the system when this process ends; a child that is dropped is not ended.
        drop(self.child);
    }

    fn signal_group(&self, signal: Signal) {
        if let Some(leader) = Pid::from_raw(self.child.id().cast_signed()) {
            let _ = kill_process_group(leader, signal);
        }
    }

    fn signal_all(&self, signal: Signal) {
        let all = descendants();
        // Each once: who counts signals should not be told twice. Without `/proc` the group is all that is known.
        if all.is_empty() && self.own_group {
            self.signal_group(signal);
        }
        for process in all {
            let _ = kill_process(process, signal);
        }
    }
}

/// A process as `/proc` lists it.
struct Listed {
    parent: i32,
    state: char,
}

fn processes() -> BTreeMap<i32, Listed> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries
        .filter_map(|entry| {
            let process: i32 = entry.file_name().to_str()?.parse().ok()?;
            Some((process, listed(&entry.path())?))
        })
        .collect()
}

fn listed(folder: &Path) -> Option<Listed> {
    let stat = fs::read(folder.join("stat")).ok()?;
    let stat = String::from_utf8_lossy(&stat);
    // The name stands in brackets and may hold anything, brackets included.
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_whitespace();
    Some(Listed {
        state: fields.next()?.chars().next()?,
        parent: fields.next()?.parse().ok()?,
    })
}

fn ourselves() -> i32 {
    std::process::id().cast_signed()
}

fn children_of_ours() -> Vec<(Pid, char)> {
    processes()
        .into_iter()
        .filter(|(_, listed)| listed.parent == ourselves())
        .filter_map(|(process, listed)| Some((Pid::from_raw(process)?, listed.state)))
        .collect()
}

/// Every living process below this one.
fn descendants() -> Vec<Pid> {
    let all = processes();
    let mut children: BTreeMap<i32, Vec<i32>> = BTreeMap::new();
    for (process, listed) in &all {
        children.entry(listed.parent).or_default().push(*process);
    }
    let mut found = BTreeSet::new();
    let mut todo = vec![ourselves()];
    while let Some(process) = todo.pop() {
        for &child in children.get(&process).into_iter().flatten() {
            if found.insert(child) {
                todo.push(child);
            }
        }
    }
    found
        .into_iter()
        .filter(|process| all.get(process).is_some_and(|listed| listed.state != 'Z'))
        .filter_map(Pid::from_raw)
        .collect()
}
