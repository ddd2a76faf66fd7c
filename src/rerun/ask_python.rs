//! What an interpreter says of itself.

use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::python::{FoundPython, is_torch};

/// How long an interpreter may take to say its version.
const PATIENCE: Duration = Duration::from_secs(4);

/// Interpreters that are asked.
const MOST_ASKED: usize = 12;

/// What an interpreter is asked: its version, and where it looks for packages. Python 2 answers, too.
const QUESTION: &str = "import sys\n\
    sys.stdout.write('%d.%d.%d\\n' % sys.version_info[:3])\n\
    sys.stdout.flush()\n\
    sys.stdout.buffer.write('\\n'.join(sys.path).encode('utf-8', 'surrogateescape'))\n";

/// Asks those of which something is not known yet, all at once.
pub(super) fn ask(found: &mut [FoundPython]) {
    std::thread::scope(|scope| {
        let unknown = found
            .iter_mut()
            .filter(|python| python.version.is_none() || python.has_torch.is_none());
        for python in unknown.take(MOST_ASKED) {
            scope.spawn(move || {
                let Some(said) = answer(&python.path, &["-c", QUESTION]) else {
                    return;
                };
                let said = String::from_utf8_lossy(&said);
                let mut lines = said.lines();
                let version = lines.next().unwrap_or_default().trim();
                if version.starts_with(|c: char| c.is_ascii_digit()) && version.len() < 20 {
                    python.version = Some(version.to_owned());
                    let torch = lines.any(|folder| is_torch(Path::new(folder)));
                    python.has_torch = python.has_torch.or(Some(torch));
                }
            });
        }
    });
}

/// What a program prints; `None` where it takes too long or fails.
pub(super) fn answer(program: &Path, arguments: &[&str]) -> Option<Vec<u8>> {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    #[cfg(windows)]
    {
        use std::os::windows::process::CommandExt as _;
        command.creation_flags(windows_sys::Win32::System::Threading::CREATE_NO_WINDOW);
    }
    let mut child = command.spawn().ok()?;
    let pipe = child.stdout.take()?;
    let (sender, answers) = std::sync::mpsc::channel();
    // Not waited for: something that the program leaves behind may hold the pipe.
    let reading = std::thread::Builder::new()
        .name("answer".to_owned())
        .spawn(move || {
            let mut said = Vec::new();
            let read = pipe.take(256 * 1024).read_to_end(&mut said);
            drop(sender.send(read.ok().map(|_| said)));
        });
    let began = Instant::now();
    let said = reading
        .ok()
        .and_then(|_| answers.recv_timeout(PATIENCE).ok().flatten());
    let mut ended = false;
    while said.is_some() && began.elapsed() < PATIENCE {
        if matches!(child.try_wait(), Ok(Some(_))) {
            ended = true;
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    if !ended {
        drop(child.kill());
        drop(child.wait());
    }
    said
}
