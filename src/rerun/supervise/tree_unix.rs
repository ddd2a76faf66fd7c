//! The processes of a run on Linux: the command, and everything that it starts.
//!
//! The supervisor is a subreaper: a process whose parent has ended becomes its child instead of the system's, so that
//! walking down from the supervisor finds the whole tree however deep it hid itself.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Child, ChildStderr, ChildStdout, Command, Stdio};
use std::{io, path::Path};

use rustix::process::{Pid, Signal, WaitOptions, kill_process, kill_process_group, waitpid};

/// How a process ended: its exit code, or the signal.
pub(super) type Ended = (Option<i64>, Option<i32>);

/// The processes of a run.
pub(super) struct Tree {
    child: Child,
    /// The command leads a process group of its own.
    own_group: bool,
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
        let tree = Self {
            child,
            own_group: !shares,
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
