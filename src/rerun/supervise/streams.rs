//! Reading the pipes of a run, each from a thread of its own.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Instant;

use super::Echo;
use crate::rerun::StreamName;

/// Bytes read in one go.
const PIECE: usize = 64 * 1024;

/// Pieces on the way: a command that prints faster than it can be kept waits, as it would before a slow terminal.
const ON_THE_WAY: usize = 32;

/// What a pipe gave.
pub(super) enum Piece {
    /// Bytes, and when they came, in milliseconds since the start.
    Bytes(StreamName, Vec<u8>, u64),
    /// It is closed.
    Closed,
    /// It could not be read any more.
    Failed(String),
}

/// The pipes of a run.
pub(super) struct Streams {
    pub pieces: Receiver<Piece>,
    open: usize,
    echoing: [Arc<AtomicBool>; 2],
}

impl Streams {
    /// Starts to read.
    pub(super) fn read(
        out: impl Read + Send + 'static,
        err: impl Read + Send + 'static,
        echo: Option<&Echo>,
        began: Instant,
    ) -> io::Result<Self> {
        let (sender, pieces) = sync_channel(ON_THE_WAY);
        let echoing: [Arc<AtomicBool>; 2] = Default::default();
        let [of_out, of_err] = echoing.clone();
        let pass = |name, echoing| Pass {
            name,
            sender: sender.clone(),
            echo: echo.cloned(),
            echoing,
            began,
        };
        pass(StreamName::Out, of_out).spawn(out)?;
        pass(StreamName::Err, of_err).spawn(err)?;
        Ok(Self {
            pieces,
            open: 2,
            echoing,
        })
    }

    /// One of them is closed.
    pub(super) fn closed(&mut self) {
        self.open = self.open.saturating_sub(1);
    }

    /// Nothing will come any more.
    pub(super) fn all_closed(&self) -> bool {
        self.open == 0
    }

    /// Somebody takes their time to read what is passed on (`| less`).
    pub(super) fn waits_for_reader(&self) -> bool {
        self.echoing
            .iter()
            .any(|echoing| echoing.load(Ordering::Relaxed))
    }
}

/// One pipe's way.
struct Pass {
    name: StreamName,
    sender: SyncSender<Piece>,
    echo: Option<Echo>,
    echoing: Arc<AtomicBool>,
    began: Instant,
}

impl Pass {
    // The thread is not waited for: a process that outlives the command may hold the pipe for ever.
    fn spawn(self, pipe: impl Read + Send + 'static) -> io::Result<()> {
        let name = match self.name {
            StreamName::Out => "output",
            _ => "errors",
        };
        std::thread::Builder::new()
            .name(name.to_owned())
            .spawn(move || self.run(pipe))
            .map(drop)
    }

    fn run(self, mut pipe: impl Read) {
        loop {
            let mut bytes = vec![0; PIECE];
            let last = match pipe.read(&mut bytes) {
                Ok(0) => Piece::Closed,
                Ok(read) => {
                    bytes.truncate(read);
                    let ms = self.began.elapsed().as_millis() as u64;
                    if let Some(echo) = &self.echo {
                        self.echoing.store(true, Ordering::Relaxed);
                        echo(self.name, &bytes);
                        self.echoing.store(false, Ordering::Relaxed);
                    }
                    bytes.shrink_to_fit();
                    match self.sender.send(Piece::Bytes(self.name, bytes, ms)) {
                        Ok(()) => continue,
                        Err(_) => return,
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => Piece::Failed(error.to_string()),
            };
            // Where nobody listens any more, nobody needs to know.
            drop(self.sender.send(last));
            return;
        }
    }
}
