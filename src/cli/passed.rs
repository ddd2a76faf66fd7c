//! What a command prints, passed on. Whoever reads it may go away; the run goes on.

use std::io::Write;
use std::sync::{Arc, Mutex};

use crate::rerun::{Echo, StreamName};
use crate::words::{Words, guard_line};

/// What every line of the guard begins with, behind a launcher's prefix.
const MARK: &[u8] = b"[assert-doctor] {";

/// A longer line is none of the guard's.
const LONGEST: usize = 8_192;

/// Both streams as they are passed on.
#[derive(Clone)]
pub(super) struct PassedOn {
    out: Arc<Mutex<Passed>>,
    err: Arc<Mutex<Passed>>,
    all_to_error: bool,
}

impl PassedOn {
    /// With `words` the guard's lines are told in words; the log has them as they are.
    pub(super) fn new(all_to_error: bool, words: Option<Words>) -> Self {
        let err = Passed {
            guard: words.map(GuardLines::new),
            ..Passed::default()
        };
        Self {
            out: Arc::default(),
            err: Arc::new(Mutex::new(err)),
            all_to_error,
        }
    }

    pub(super) fn echo(&self) -> Echo {
        let this = self.clone();
        Arc::new(move |stream, bytes| this.pass(stream, bytes))
    }

    fn pass(&self, stream: StreamName, bytes: &[u8]) {
        let passed = match stream {
            StreamName::Out => &self.out,
            _ => &self.err,
        };
        let Ok(mut passed) = passed.lock() else {
            return;
        };
        match stream {
            StreamName::Out if !self.all_to_error => passed.pass(bytes, &mut std::io::stdout()),
            _ => passed.pass(bytes, &mut std::io::stderr()),
        }
    }

    /// Passes on what was held back at the end.
    pub(super) fn finish(&self) {
        if let Ok(mut passed) = self.err.lock()
            && let Some(guard) = &mut passed.guard
        {
            let rest = std::mem::take(&mut guard.held);
            passed.write(&rest, &mut std::io::stderr());
        }
    }
}

/// One stream as it is passed on.
#[derive(Default)]
struct Passed {
    /// Nobody reads it any more.
    closed: bool,
    guard: Option<GuardLines>,
    /// The beginning of a character whose rest has not come yet.
    #[cfg(windows)]
    begun: Vec<u8>,
}

impl Passed {
    #[cfg(not(windows))]
    fn pass(&mut self, bytes: &[u8], to: &mut dyn Write) {
        let told = self.guard.as_mut().map(|guard| guard.push(bytes));
        self.write(told.as_deref().unwrap_or(bytes), to);
    }

    /// A console of Windows takes whole characters of Unicode only; a file or pipe takes bytes.
    #[cfg(windows)]
    fn pass(&mut self, bytes: &[u8], to: &mut (impl Write + std::io::IsTerminal)) {
        let told = self.guard.as_mut().map(|guard| guard.push(bytes));
        let bytes = told.as_deref().unwrap_or(bytes);
        if !to.is_terminal() {
            self.write(bytes, to);
            return;
        }
        let mut all = std::mem::take(&mut self.begun);
        all.extend_from_slice(bytes);
        let whole = match std::str::from_utf8(&all) {
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            _ => all.len(),
        };
        self.begun = all.split_off(whole);
        let text = match std::str::from_utf8(&all) {
            Ok(text) => text.into(),
            Err(_) => match encoding_rs::GBK.decode(&all) {
                (text, _, false) => text,
                _ => String::from_utf8_lossy(&all),
            },
        };
        self.write(text.as_bytes(), to);
    }

    fn write(&mut self, bytes: &[u8], to: &mut dyn Write) {
        if !self.closed && !bytes.is_empty() {
            self.closed = to.write_all(bytes).and_then(|()| to.flush()).is_err();
        }
    }
}

/// Tells the guard's lines in words and passes everything else on as it comes.
struct GuardLines {
    words: Words,
    /// A line that may be one of the guard's.
    held: Vec<u8>,
    /// Something of the line has been passed on: it is none.
    within: bool,
}

impl GuardLines {
    fn new(words: Words) -> Self {
        Self {
            words,
            held: Vec::new(),
            within: false,
        }
    }

    fn push(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(bytes.len());
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            let ends = part.ends_with(b"\n");
            if self.within {
                out.extend_from_slice(part);
            } else {
                self.held.extend_from_slice(part);
                match begins(&self.held) {
                    Begins::Guard if ends && self.held.len() <= LONGEST => {
                        let line = std::mem::take(&mut self.held);
                        let line = String::from_utf8_lossy(&line);
                        if let Some(told) = guard_line(&line, self.words) {
                            out.extend_from_slice(told.as_bytes());
                            out.push(b'\n');
                        }
                    }
                    Begins::Guard | Begins::Perhaps if !ends && self.held.len() <= LONGEST => {
                        continue;
                    }
                    _ => out.append(&mut self.held),
                }
            }
            self.within = !ends;
        }
        out
    }
}

enum Begins {
    Guard,
    Perhaps,
    Other,
}

/// Whether a line begins as the guard's do, perhaps behind a launcher's `[rank0]: `. What is none is told at once: a prompt must
/// not be held back.
fn begins(line: &[u8]) -> Begins {
    if line.starts_with(MARK) {
        return Begins::Guard;
    }
    if MARK.starts_with(line) {
        return Begins::Perhaps;
    }
    let Some(inner) = line.strip_prefix(b"[") else {
        return Begins::Other;
    };
    let name = inner
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric())
        .count();
    let rest = inner.get(name..).unwrap_or_default();
    let rest = match rest.strip_prefix(b"]:") {
        Some(rest) => rest.strip_prefix(b" ").unwrap_or(rest),
        None if b"]:".starts_with(rest) => return Begins::Perhaps,
        None => return Begins::Other,
    };
    if rest.starts_with(MARK) {
        Begins::Guard
    } else if MARK.starts_with(rest) {
        Begins::Perhaps
    } else {
        Begins::Other
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Language;

    #[track_caller]
    fn check(bytes: &str, expected: &str) {
        for piece in 1..=bytes.len() {
            let mut guard = GuardLines::new(Words::new(Language::En));
            let mut out = Vec::new();
            for piece in bytes.as_bytes().chunks(piece) {
                out.extend(guard.push(piece));
            }
            assert_eq!(
                String::from_utf8(out).unwrap(),
                expected,
                "pieces of {piece}"
            );
        }
    }

    #[test]
    fn the_guards_lines_are_told_in_words_and_all_else_is_as_it_was() {
        check(
            "a\n[rank0]: [assert-doctor] {\"event\":\"start\",\"torch\":\"2.9\"}\nb [x] c\n",
            "a\nThe guard watches, PyTorch 2.9\nb [x] c\n",
        );
        check("[assert-doctor] {\"event\":\"other\"}\nx\n", "x\n");
        check("[assert-doctor] plain\n", "[assert-doctor] plain\n");
        // A prompt comes at once.
        check("go on? [y/N] ", "go on? [y/N] ");
        check("[y/N] ", "[y/N] ");
        check("[rank0]: Error\n", "[rank0]: Error\n");
    }
}
