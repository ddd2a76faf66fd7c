//! The processes of a run on Windows: the command and everything that it starts, together in a job.

use std::io;
use std::os::windows::process::CommandExt as _;
use std::process::{Child, ChildStderr, ChildStdout, Command, Stdio};

use windows_sys::Win32::System::Threading::{
    CREATE_BREAKAWAY_FROM_JOB, CREATE_NO_WINDOW, CREATE_SUSPENDED, DETACHED_PROCESS,
};

use super::console::{self, Job, Keys};

/// How a process ended: its exit code, or the signal (which Windows has none of).
pub(super) type Ended = (Option<i64>, Option<i32>);

/// Living processes that may still write into the command's pipes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Writers {
    /// Of the run itself.
    pub near: u32,
    /// Those that have detached themselves; here nobody can.
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
    job: Job,
    foreground: bool,
}

/// Starts a supervisor that does not hang on this process: it stays when this one ends, and shows no console.
pub(super) fn start_detached(mut command: Command) -> io::Result<u32> {
    console::keep_handles();
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    // Where this process is in a job of somebody else's, the supervisor had better not be; not every job lets it go.
    let child = command
        .creation_flags(DETACHED_PROCESS | CREATE_BREAKAWAY_FROM_JOB)
        .spawn()
        .or_else(|_| command.creation_flags(DETACHED_PROCESS).spawn())?;
    Ok(child.id())
}

/// Leaves the console of whoever started this process.
pub(super) fn detach() {
    console::leave();
}

impl Tree {
    /// Starts the command. In the foreground it shares our console, which sends Ctrl+C to both; else it gets one of its own that
    /// nobody sees.
    pub(super) fn spawn(
        mut command: Command,
        foreground: bool,
    ) -> io::Result<(Self, ChildStdout, ChildStderr)> {
        let job = Job::new()?;
        let window = if foreground {
            0
        } else {
            command.stdin(Stdio::null());
            CREATE_NO_WINDOW
        };
        command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // Suspended until it is in the job: what it starts before would escape.
            .creation_flags(CREATE_SUSPENDED | window);
        let mut child = command.spawn()?;
        if let Err(error) = job.take(&child) {
            log::warn!("the command is not in a job: {error}");
        }
        let pipes = child.stdout.take().zip(child.stderr.take());
        let (out, err) = pipes.ok_or_else(|| io::Error::other("no pipes"))?;
        let tree = Self {
            child,
            job,
            foreground,
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
            // All 32 bits, without a sign.
            Ok(status) => Some((
                status?.code().map(|code| i64::from(code.cast_unsigned())),
                None,
            )),
            Err(_) => Some((None, None)),
        }
    }

    /// Asks as Ctrl+C does. `told`: the console has done so already.
    pub(super) fn interrupt(&self, told: bool) {
        if self.foreground {
            if !told {
                console::press_here(Keys::ControlC);
            }
        } else {
            console::press_in(self.id(), Keys::ControlC);
        }
    }

    /// Asks everything to end.
    pub(super) fn terminate(&self) {
        if self.foreground {
            // Ctrl+Break would reach the shell that we were started from.
            self.kill();
        } else {
            console::press_in(self.id(), Keys::ControlBreak);
        }
    }

    /// Ends are fetched by nobody.
    #[expect(clippy::unused_self, reason = "the same face as on Linux")]
    pub(super) fn tidy(&self) {}

    /// Ends everything without asking.
    pub(super) fn kill(&self) {
        self.job.terminate();
    }

    /// Who else may still write into the command's pipes: everybody in the job.
    pub(super) fn writers(&self) -> Writers {
        Writers {
            near: self.job.processes(),
            far: 0,
        }
    }

    /// Nothing of the tree is left.
    pub(super) fn is_gone(&self) -> bool {
        self.job.processes() == 0
    }

    /// Lets go of what the command left running.
    pub(super) fn release(self) {
        self.job.release();
    }
}
