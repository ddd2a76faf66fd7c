//! What exit codes and signals are known to mean.

use serde::{Deserialize, Serialize};

/// What the end of a process is known to mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ExitMeaning {
    /// It ended as it should.
    Success,
    /// Python ended with an exception, or the program says that something failed.
    Failure,
    /// The program did not understand its command line; Python also says so of a file it cannot open.
    Usage,
    /// It was started and may not be run.
    CannotRun,
    /// It was not found.
    NotFound,
    /// The user interrupted it (Ctrl+C).
    Interrupted,
    /// It ended itself after an error that cannot be handled (`abort`, a failed C++ check).
    Aborted,
    /// It was killed: by hand, or by the system because memory ran out.
    Killed,
    /// It was asked to end.
    Terminated,
    /// It touched memory that is not its own.
    SegmentationFault,
    /// A bus error: often shared memory that ran out.
    BusError,
    /// An arithmetic fault.
    ArithmeticFault,
    /// It ran an instruction that this processor does not have.
    IllegalInstruction,
    /// It wrote to a pipe that nobody read any more.
    BrokenPipe,
    /// The terminal it belonged to was closed.
    HungUp,
    /// It used up its time.
    TimeLimit,
    /// It wrote a file larger than allowed.
    FileLimit,
    /// A debugger's breakpoint without a debugger.
    Trap,
    /// A signal that has no special meaning here.
    OtherSignal(i32),
    /// Windows: it touched memory that is not its own (0xC0000005).
    AccessViolation,
    /// Windows: the program stopped itself because its stack was damaged, or called `abort` or `__fastfail` (0xC0000409).
    StackBufferOverrun,
    /// Windows: a damaged heap (0xC0000374).
    HeapCorruption,
    /// Windows: the stack was used up (0xC00000FD).
    StackOverflow,
    /// Windows: Ctrl+C or the console was closed (0xC000013A).
    ControlC,
    /// Windows: a library is missing (0xC0000135).
    DllNotFound,
    /// Windows: a library lacks a function, most often because versions do not fit (0xC0000139).
    EntryPointNotFound,
    /// Windows: a library could not be set up (0xC0000142).
    DllInitFailed,
    /// Windows: a file is not a program for this machine (0xC000007B).
    InvalidImage,
    /// Windows: it ran an instruction that this processor does not have (0xC000001D).
    WindowsIllegalInstruction,
    /// Windows: a page could not be read from disk or network (0xC0000006).
    InPageError,
    /// Windows: memory or paging file ran out (0xC0000017, 0xC000012D).
    NoMemory,
    /// Windows: a C++ exception that nobody caught (0xE06D7363).
    CppException,
    /// Windows: another status of the system.
    OtherStatus(u32),
}

impl ExitMeaning {
    /// What an exit code or a signal means; `None` where a code is the program's own affair.
    ///
    /// Codes of Windows are taken as 32 bits without a sign and as the negative numbers that some tools print.
    /// From 129 on a code is taken for 128 + signal, as shells and launchers pass it on.
    pub fn of(code: Option<i64>, signal: Option<i32>) -> Option<Self> {
        if let Some(signal) = signal {
            return Some(Self::of_signal(signal));
        }
        let code = code?;
        match code {
            0 => Some(Self::Success),
            1 => Some(Self::Failure),
            2 => Some(Self::Usage),
            126 => Some(Self::CannotRun),
            127 => Some(Self::NotFound),
            // Python's subprocess and PyTorch's launchers print a signal as a negative number.
            -64..=-1 => Some(Self::of_signal((-code) as i32)),
            129..=192 => match Self::of_signal((code - 128) as i32) {
                Self::OtherSignal(_) => None,
                known => Some(known),
            },
            _ => Self::of_status(u32::try_from(code).ok().or_else(|| {
                // Of a negative number the 32 bits count.
                i32::try_from(code).ok().map(i32::cast_unsigned)
            })?),
        }
    }

    /// Numbers as Linux has them.
    fn of_signal(signal: i32) -> Self {
        match signal {
            1 => Self::HungUp,
            2 => Self::Interrupted,
            4 => Self::IllegalInstruction,
            5 => Self::Trap,
            6 => Self::Aborted,
            7 => Self::BusError,
            8 => Self::ArithmeticFault,
            9 => Self::Killed,
            11 => Self::SegmentationFault,
            13 => Self::BrokenPipe,
            15 => Self::Terminated,
            24 => Self::TimeLimit,
            25 => Self::FileLimit,
            other => Self::OtherSignal(other),
        }
    }

    /// Windows' statuses (ntstatus.h); one begins with 0xC, an exception of a compiler's own with 0xE.
    fn of_status(status: u32) -> Option<Self> {
        Some(match status {
            0xC000_0005 => Self::AccessViolation,
            0xC000_0006 => Self::InPageError,
            0xC000_0017 | 0xC000_012D => Self::NoMemory,
            0xC000_001D => Self::WindowsIllegalInstruction,
            0xC000_007B => Self::InvalidImage,
            0xC000_00FD => Self::StackOverflow,
            0xC000_0135 => Self::DllNotFound,
            0xC000_0139 => Self::EntryPointNotFound,
            0xC000_013A => Self::ControlC,
            0xC000_0142 => Self::DllInitFailed,
            0xC000_0374 => Self::HeapCorruption,
            0xC000_0409 => Self::StackBufferOverrun,
            0xE06D_7363 => Self::CppException,
            other if other >> 28 == 0xC => Self::OtherStatus(other),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(code: Option<i64>, signal: Option<i32>, expected: Option<ExitMeaning>) {
        assert_eq!(
            ExitMeaning::of(code, signal),
            expected,
            "{code:?} {signal:?}"
        );
    }

    #[test]
    fn codes_have_meanings_in_every_form_they_are_printed() {
        use ExitMeaning::*;
        for (code, expected) in [
            (0, Some(Success)),
            (1, Some(Failure)),
            (2, Some(Usage)),
            (3, None),
            (120, None),
            (126, Some(CannotRun)),
            (127, Some(NotFound)),
            (128, None),
            (130, Some(Interrupted)),
            (134, Some(Aborted)),
            (135, Some(BusError)),
            (137, Some(Killed)),
            (139, Some(SegmentationFault)),
            (143, Some(Terminated)),
            (188, None),
            (255, None),
            (-6, Some(Aborted)),
            (-9, Some(Killed)),
            (-11, Some(SegmentationFault)),
            (0xC000_0005, Some(AccessViolation)),
            (-1_073_741_819, Some(AccessViolation)),
            (0xC000_0409, Some(StackBufferOverrun)),
            (-1_073_740_791, Some(StackBufferOverrun)),
            (0xC000_013A, Some(ControlC)),
            (-1_073_741_510, Some(ControlC)),
            (0xC000_0374, Some(HeapCorruption)),
            (0xC000_0135, Some(DllNotFound)),
            (0xE06D_7363, Some(CppException)),
            (0xC000_0022, Some(OtherStatus(0xC000_0022))),
            (0x8000_0000, None),
            (i64::MAX, None),
            (i64::MIN, None),
        ] {
            check(Some(code), None, expected);
        }
        check(None, Some(6), Some(Aborted));
        check(None, Some(9), Some(Killed));
        check(None, Some(11), Some(SegmentationFault));
        check(None, Some(40), Some(OtherSignal(40)));
        check(None, None, None);
    }
}
