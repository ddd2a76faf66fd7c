//! Windows' consoles and jobs: the calls that have no safe form.
#![expect(
    unsafe_code,
    reason = "Windows' own functions; no crate at hand lets go of a job's processes or speaks to another console"
)]

use std::io;
use std::os::windows::io::{AsRawHandle as _, FromRawHandle as _, OwnedHandle};
use std::process::Child;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use windows_sys::Win32::Foundation::{
    CloseHandle, HANDLE_FLAG_INHERIT, INVALID_HANDLE_VALUE, SetHandleInformation,
};
use windows_sys::Win32::System::Console::{
    AttachConsole, CTRL_BREAK_EVENT, CTRL_C_EVENT, FreeConsole, GenerateConsoleCtrlEvent,
    GetStdHandle, STD_ERROR_HANDLE, STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, SetConsoleCtrlHandler,
};
use windows_sys::Win32::System::Diagnostics::ToolHelp::{
    CreateToolhelp32Snapshot, TH32CS_SNAPTHREAD, THREADENTRY32, Thread32First, Thread32Next,
};
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
    JOBOBJECT_BASIC_ACCOUNTING_INFORMATION, JOBOBJECT_EXTENDED_LIMIT_INFORMATION,
    JobObjectBasicAccountingInformation, JobObjectExtendedLimitInformation,
    QueryInformationJobObject, SetInformationJobObject, TerminateJobObject,
};
use windows_sys::Win32::System::Threading::{OpenThread, ResumeThread, THREAD_SUSPEND_RESUME};

/// Ctrl+C, Ctrl+Break, closing the console: how often.
static PRESSES: AtomicUsize = AtomicUsize::new(0);

/// We are the ones who press.
static OURS: AtomicBool = AtomicBool::new(false);

/// Counts what the console is asked, instead of ending at once.
pub(super) fn listen() {
    // SAFETY: the handler is a plain function that only touches atomics. The first call undoes an inherited "ignore Ctrl+C",
    // which the command would inherit in turn.
    unsafe {
        SetConsoleCtrlHandler(None, 0);
        SetConsoleCtrlHandler(Some(pressed), 1);
    }
}

unsafe extern "system" fn pressed(event: u32) -> i32 {
    if !OURS.load(Ordering::SeqCst) {
        PRESSES.fetch_add(1, Ordering::SeqCst);
    }
    if event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT {
        // The console closes, and this process ends when this function returns: time to end the command first.
        std::thread::sleep(Duration::from_secs(4));
    }
    1
}

/// How often somebody wished it to end.
pub(super) fn presses() -> usize {
    PRESSES.load(Ordering::SeqCst)
}

/// Which keys are pressed.
#[derive(Clone, Copy)]
pub(super) enum Keys {
    ControlC,
    ControlBreak,
}

/// Presses keys in the console of a process that has one of its own.
pub(super) fn press_in(process: u32, keys: Keys) {
    OURS.store(true, Ordering::SeqCst);
    // SAFETY: no pointers. Only one console at a time can be ours; a supervisor in the background has none.
    unsafe {
        FreeConsole();
        if AttachConsole(process) != 0 {
            press(keys);
            // The event comes on a thread of its own, and only while we belong to the console.
            std::thread::sleep(Duration::from_millis(200));
            FreeConsole();
        }
    }
    OURS.store(false, Ordering::SeqCst);
}

/// Presses keys in our own console.
pub(super) fn press_here(keys: Keys) {
    OURS.store(true, Ordering::SeqCst);
    press(keys);
    std::thread::sleep(Duration::from_millis(200));
    OURS.store(false, Ordering::SeqCst);
}

fn press(keys: Keys) {
    let event = match keys {
        Keys::ControlC => CTRL_C_EVENT,
        Keys::ControlBreak => CTRL_BREAK_EVENT,
    };
    // SAFETY: no pointers; 0 is everybody in this console.
    unsafe {
        GenerateConsoleCtrlEvent(event, 0);
    }
}

/// Leaves the console of whoever started this process.
pub(super) fn leave() {
    // SAFETY: no arguments; it fails where there is none.
    unsafe {
        FreeConsole();
    }
}

/// Keeps our own standard handles from being inherited: a supervisor that held our pipes would keep their readers waiting.
pub(super) fn keep_handles() {
    for which in [STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, STD_ERROR_HANDLE] {
        // SAFETY: the handle is checked; only its flag is changed.
        unsafe {
            let handle = GetStdHandle(which);
            if !handle.is_null() && handle != INVALID_HANDLE_VALUE {
                SetHandleInformation(handle, HANDLE_FLAG_INHERIT, 0);
            }
        }
    }
}

/// A job: the processes in it, and all that they start, are ended together.
pub(super) struct Job(OwnedHandle);

impl Job {
    /// A new one; what is in it ends with this process, however this process ends.
    pub(super) fn new() -> io::Result<Self> {
        // SAFETY: no attributes and no name; the handle is checked and owned from here on.
        let job = unsafe {
            let job = CreateJobObjectW(std::ptr::null(), std::ptr::null());
            if job.is_null() {
                return Err(io::Error::last_os_error());
            }
            Self(OwnedHandle::from_raw_handle(job))
        };
        job.limit(JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE)?;
        Ok(job)
    }

    fn limit(&self, flags: u32) -> io::Result<()> {
        let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        limits.BasicLimitInformation.LimitFlags = flags;
        // SAFETY: the structure is the one that the class asks for, with its size.
        let done = unsafe {
            SetInformationJobObject(
                self.0.as_raw_handle(),
                JobObjectExtendedLimitInformation,
                (&raw const limits).cast(),
                size_of_val(&limits) as u32,
            )
        };
        success(done)
    }

    /// Takes a process in that was started suspended, and lets it run.
    pub(super) fn take(&self, child: &Child) -> io::Result<()> {
        // SAFETY: both handles are live.
        let taken =
            unsafe { AssignProcessToJobObject(self.0.as_raw_handle(), child.as_raw_handle()) };
        // It runs even if it could not be taken: then it alone is ended in the end.
        let taken = success(taken);
        resume(child.id())?;
        taken
    }

    /// Ends everything in it.
    pub(super) fn terminate(&self) {
        // SAFETY: the handle is live. 0xC000013A is what Ctrl+C leaves behind.
        unsafe {
            TerminateJobObject(self.0.as_raw_handle(), 0xC000_013A);
        }
    }

    /// Processes in it that live.
    pub(super) fn processes(&self) -> u32 {
        let mut counts = JOBOBJECT_BASIC_ACCOUNTING_INFORMATION::default();
        // SAFETY: the structure is the one that the class asks for, with its size.
        let done = unsafe {
            QueryInformationJobObject(
                self.0.as_raw_handle(),
                JobObjectBasicAccountingInformation,
                (&raw mut counts).cast(),
                size_of_val(&counts) as u32,
                std::ptr::null_mut(),
            )
        };
        if done == 0 { 0 } else { counts.ActiveProcesses }
    }

    /// Lets what is in it live on.
    pub(super) fn release(self) {
        drop(self.limit(0));
    }
}

/// Lets the threads of a process run that was started suspended.
fn resume(process: u32) -> io::Result<()> {
    let mut resumed = false;
    // SAFETY: the entry has its size set as the functions ask; every handle is checked and closed once.
    unsafe {
        let all = CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0);
        if all == INVALID_HANDLE_VALUE {
            return Err(io::Error::last_os_error());
        }
        let mut entry = THREADENTRY32 {
            dwSize: size_of::<THREADENTRY32>() as u32,
            ..THREADENTRY32::default()
        };
        let mut more = Thread32First(all, &raw mut entry);
        while more != 0 {
            if entry.th32OwnerProcessID == process {
                let thread = OpenThread(THREAD_SUSPEND_RESUME, 0, entry.th32ThreadID);
                if !thread.is_null() {
                    resumed |= ResumeThread(thread) != u32::MAX;
                    CloseHandle(thread);
                }
            }
            more = Thread32Next(all, &raw mut entry);
        }
        CloseHandle(all);
    }
    if resumed {
        Ok(())
    } else {
        Err(io::Error::other("the process stays suspended"))
    }
}

fn success(done: i32) -> io::Result<()> {
    if done == 0 {
        Err(io::Error::last_os_error())
    } else {
        Ok(())
    }
}
