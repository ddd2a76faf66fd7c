//! The one GPU of a check: opened when the first array wants it, held by one array at a time, given up when it fails.

use std::io;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, channel};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use super::super::checker::{Note, on_cpu};
use super::super::cpu::{Pass, Told};
use super::super::{DeviceWhy, GpuError, GpuInfo, Rates, Summary};
use super::adapters::{self, Opened};
use super::engine::Engine;
use super::health::probe;
use super::part::{Broke, Done, GpuPart, MOST_EPOCH};
use crate::panics;

/// From so many bytes on an array is worth a look at its speed on both sides.
pub(in crate::range_check) const LEAST_AUTO: u64 = 128 << 20;
/// Bytes of an array that one side checks before it is asked again which one is faster.
const PIECE: u64 = 64 << 20;
/// What the start of a GPU may take: driver, shader, buffers. An array that the CPU has done by then stays with it.
const START: Duration = Duration::from_secs(1);
/// How often somebody who waits for a driver looks whether the check was stopped.
const GLANCE: Duration = Duration::from_millis(50);

/// The GPU of a check.
#[derive(Debug, Default)]
pub(in crate::range_check) struct Shared {
    state: Mutex<State>,
    found: Mutex<Found>,
    tuning: Tuning,
}

/// The GPU that was opened, and those that could not be used.
type Found = (Option<GpuInfo>, Vec<(GpuInfo, GpuError)>);

/// Sizes that decide when what is tried; tests have smaller ones.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tuning {
    pub least_auto: u64,
    pub piece: u64,
    pub start: Duration,
    pub most_epoch: u64,
    /// A program that plays a GPU will do, also where nobody asked for it.
    pub software: bool,
}

impl Default for Tuning {
    fn default() -> Self {
        Self {
            least_auto: LEAST_AUTO,
            piece: PIECE,
            start: START,
            most_epoch: MOST_EPOCH,
            software: false,
        }
    }
}

#[derive(Debug, Default)]
enum State {
    #[default]
    Unopened,
    Open(Box<Engine>),
    /// It cannot be opened, or has failed; nobody tries it again in this check.
    Gone(GpuError),
}

/// An engine, or why there is none; and the adapters before it that could not be used.
pub(super) type Search = (Result<Engine, GpuError>, Vec<(GpuInfo, GpuError)>);

/// Opens the GPU with this number, or the best that works.
pub(super) fn open(number: Option<usize>, software: bool) -> Search {
    let mut listed = adapters::list(adapters::backends());
    let mut skipped = Vec::new();
    loop {
        let (opened, more) = adapters::open(listed, number, software, &adapters::limits);
        skipped.extend(more);
        let opened: Opened = match opened {
            Ok(opened) => opened,
            Err(error) => {
                let last = skipped.last().map(|(_, error)| error.clone());
                return (Err(last.unwrap_or(error)), skipped);
            }
        };
        let info = opened.info.clone();
        // A device may come into being and then refuse the buffers or the shader, or compute nonsense.
        let made = catch_unwind(AssertUnwindSafe(|| probe(Engine::new(opened)?)));
        let made = made.unwrap_or_else(|panic| {
            let said = panics::said(panic.as_ref()).to_owned();
            Err(GpuError::Rejected(said))
        });
        match made {
            Ok(engine) => return (Ok(engine), skipped),
            Err(error) => {
                log::warn!("{} ({}): {error}", info.name, info.backend.name());
                let tried: Vec<usize> = skipped.iter().map(|(info, _)| info.number).collect();
                listed = adapters::list(adapters::backends());
                listed.retain(|(other, _)| {
                    other.number != info.number && !tried.contains(&other.number)
                });
                skipped.push((info, error));
            }
        }
    }
}

/// Opens a GPU on a thread of its own.
fn open_meanwhile(number: Option<usize>, software: bool) -> Receiver<Search> {
    let (done, opened) = channel();
    let beside = thread::Builder::new().name("gpu start".into());
    // Without a thread the sender goes, and the receiver tells of it.
    let _ = beside.spawn(move || {
        // Nobody waits any more where the check was stopped.
        let _ = done.send(open(number, software));
    });
    opened
}

/// The thread that opens a GPU came to an end without an answer.
fn broke_off() -> Search {
    let said = "the driver broke off".to_owned();
    (Err(GpuError::Refused(said)), Vec::new())
}

/// What a part on the GPU gave.
struct Came {
    /// The first tile that is not checked.
    next: u64,
    bytes: u64,
    broke: Option<GpuError>,
}

impl Shared {
    /// An engine that is open already, with other sizes.
    pub(super) fn of(engine: Engine, tuning: Tuning) -> Self {
        Self {
            found: Mutex::new((Some(engine.info.clone()), Vec::new())),
            state: Mutex::new(State::Open(Box::new(engine))),
            tuning,
        }
    }

    /// With other sizes.
    #[cfg(test)]
    pub(super) fn unopened(tuning: Tuning) -> Self {
        Self {
            tuning,
            ..Self::default()
        }
    }

    /// The engine, unless it was given up.
    pub(super) fn into_engine(self) -> Option<Engine> {
        let state = self.state.into_inner();
        match state.unwrap_or_else(PoisonError::into_inner) {
            State::Open(engine) => Some(*engine),
            _ => None,
        }
    }

    /// The GPU that was opened, and those before it that could not be used.
    pub fn found(&self) -> Found {
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.clone()
    }

    /// Puts what [`open`] gave into the state.
    fn take(&self, state: &mut State, (engine, skipped): Search) {
        let info = engine.as_ref().ok().map(|engine| engine.info.clone());
        *self.found.lock().unwrap_or_else(PoisonError::into_inner) = (info, skipped);
        *state = match engine {
            Ok(engine) => State::Open(Box::new(engine)),
            Err(error) => State::Gone(error),
        };
    }

    /// Checks an array on the GPU, because the user said so. What the GPU cannot do, the CPU does.
    pub fn run(
        &self,
        number: Option<usize>,
        pass: Pass<'_>,
        told: &mut Told<'_>,
    ) -> io::Result<(Summary, Note)> {
        if !pass.tiles.in_order {
            return on_cpu(pass, DeviceWhy::OtherOrder, told);
        }
        let mut summary = Summary::default();
        let came = {
            // Whoever waits here may be a thread of rayon's: nothing below uses rayon while the GPU is held.
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            if matches!(*state, State::Unopened) {
                let opening = open_meanwhile(number, true);
                let opened = loop {
                    match opening.recv_timeout(GLANCE) {
                        Ok(opened) => break opened,
                        Err(RecvTimeoutError::Disconnected) => break broke_off(),
                        Err(RecvTimeoutError::Timeout) if pass.stopped() => {
                            return Ok((Summary::default(), Note::cpu(DeviceWhy::Asked, 0)));
                        }
                        Err(RecvTimeoutError::Timeout) => {}
                    }
                };
                self.take(&mut state, opened);
            }
            if let State::Gone(error) = &*state {
                let why = DeviceWhy::Failed(error.clone());
                drop(state);
                return on_cpu(pass, why, told);
            }
            let all = 0..pass.tiles.count();
            self.gpu_part(&mut state, pass, all, 0, told, &mut summary)?
        };
        let mut note = Note {
            gpu_bytes: came.bytes,
            ..Note::cpu(DeviceWhy::Asked, 0)
        };
        if let Some(error) = came.broke {
            note.fell_back = Some(error);
            note.cpu_bytes = pass.tiles.bytes().saturating_sub(came.bytes);
            let rest = came.next..pass.tiles.count();
            summary.merge(pass.on_cpu(rest, came.bytes, told)?);
        }
        Ok((summary, note))
    }

    /// Checks an array on the side that is faster for it, as measured on the array itself.
    ///
    /// Both sides check parts that count, so a measurement costs nothing but the GPU's start; and that is tried only where the CPU
    /// would take longer than it, while the CPU goes on.
    pub fn run_if_faster(
        &self,
        pass: Pass<'_>,
        told: &mut Told<'_>,
    ) -> io::Result<(Summary, Note)> {
        let Tuning {
            least_auto,
            piece,
            start,
            software,
            ..
        } = self.tuning;
        let bytes = pass.tiles.bytes();
        if bytes < least_auto {
            return on_cpu(pass, DeviceWhy::NothingLarge { least: least_auto }, told);
        }
        if !pass.tiles.in_order {
            return on_cpu(pass, DeviceWhy::OtherOrder, told);
        }
        // Never waits: with a thread of rayon's waiting here, the one that holds the GPU could wait for it in turn.
        let mut state: MutexGuard<'_, State> = match self.state.try_lock() {
            Ok(state) => state,
            Err(TryLockError::Poisoned(state)) => state.into_inner(),
            Err(TryLockError::WouldBlock) => return on_cpu(pass, DeviceWhy::Busy, told),
        };
        if let State::Gone(error) = &*state {
            let why = no_gpu(error);
            drop(state);
            return on_cpu(pass, why, told);
        }
        let mut run = Run {
            pass,
            piece,
            next: 0,
            read: 0,
            on_gpu: 0,
            cpu: Side::default(),
            gpu: Side::default(),
            summary: Summary::default(),
        };
        run.on_cpu(told)?;
        if matches!(*state, State::Unopened) {
            if run.rest_on_cpu() < start {
                run.all_on_cpu(told)?;
                return Ok(run.end(DeviceWhy::DoneBefore, None));
            }
            let opening = open_meanwhile(None, software);
            let mut opened = opening.try_recv();
            while matches!(opened, Err(TryRecvError::Empty)) && run.is_on() {
                run.on_cpu(told)?;
                opened = opening.try_recv();
            }
            let opened = match opened {
                Ok(opened) => opened,
                // Stopped: nobody waits for a driver.
                Err(_) if pass.stopped() => return Ok(run.end(DeviceWhy::DoneBefore, None)),
                // The CPU has done all. A program must not end while a driver of its is starting.
                Err(_) => opening.recv().unwrap_or_else(|_| broke_off()),
            };
            self.take(&mut state, opened);
        }
        if let State::Gone(error) = &*state {
            let why = no_gpu(error);
            run.all_on_cpu(told)?;
            return Ok(run.end(why, None));
        }
        // The first piece pays for the shader's making and does not count.
        let mut broke = None;
        for is_measured in [false, true, true] {
            if run.is_on() && broke.is_none() {
                broke = self.piece_on_gpu(&mut state, &mut run, is_measured, told)?;
            }
        }
        let (Some(gpu), Some(cpu)) = (run.gpu.rate(), run.cpu.rate()) else {
            run.all_on_cpu(told)?;
            return Ok(run.end(DeviceWhy::DoneBefore, broke));
        };
        if broke.is_none() && gpu > cpu && run.is_on() {
            let rest = run.next..pass.tiles.count();
            let came = self.gpu_part(&mut state, pass, rest, run.read, told, &mut run.summary)?;
            run.came(&came);
            broke = came.broke;
        }
        run.all_on_cpu(told)?;
        let (summary, mut note) = run.end(DeviceWhy::Measured, broke);
        note.rates = Some(Rates { gpu, cpu });
        Ok((summary, note))
    }

    fn piece_on_gpu(
        &self,
        state: &mut State,
        run: &mut Run<'_>,
        is_measured: bool,
        told: &mut Told<'_>,
    ) -> io::Result<Option<GpuError>> {
        let piece = run.next_piece();
        let began = Instant::now();
        let came = self.gpu_part(state, run.pass, piece, run.read, told, &mut run.summary)?;
        run.came(&came);
        if is_measured && came.broke.is_none() {
            run.gpu.bytes += came.bytes;
            run.gpu.time += began.elapsed();
        }
        Ok(came.broke)
    }

    /// Checks a part on the GPU as far as it goes, and adds what it found.
    fn gpu_part(
        &self,
        state: &mut State,
        pass: Pass<'_>,
        part: Range<u64>,
        read: u64,
        told: &mut Told<'_>,
        summary: &mut Summary,
    ) -> io::Result<Came> {
        let mut done = Done {
            tiles: part.start,
            told: part.start,
            bytes: read,
            ..Done::default()
        };
        let State::Open(engine) = state else {
            return Ok(Came {
                next: part.start,
                bytes: 0,
                broke: Some(GpuError::NoGpu),
            });
        };
        // wgpu panics where it finds no other way to tell of a lost device.
        let ran = catch_unwind(AssertUnwindSafe(|| {
            let mut part = GpuPart {
                pass,
                engine,
                part,
                most_epoch: self.tuning.most_epoch,
            };
            part.run(&mut done, told)
        }));
        let broke = match ran {
            Ok(Ok(())) => None,
            Ok(Err(Broke::Read(error))) => return Err(error),
            Ok(Err(Broke::Gpu(error))) => Some(error),
            Err(panic) => Some(GpuError::Lost(panics::said(panic.as_ref()).to_owned())),
        };
        if let Some(error) = &broke {
            log::warn!("the GPU check broke off: {error}");
            let gone = std::mem::replace(state, State::Gone(error.clone()));
            if catch_unwind(AssertUnwindSafe(|| drop(gone))).is_err() {
                log::warn!("the GPU's device could not be closed");
            }
            // The chunks under way come once more, their offenders only if nobody was told of them.
            let told_before = if done.told < pass.tiles.count() {
                pass.tiles.place(done.told).first
            } else {
                u64::MAX
            };
            told.told_before(told_before);
        }
        summary.merge(done.summary);
        Ok(Came {
            next: done.tiles,
            bytes: done.bytes - read,
            broke,
        })
    }
}

fn no_gpu(error: &GpuError) -> DeviceWhy {
    match error {
        GpuError::NoGpu => DeviceWhy::NoGpu,
        other => DeviceWhy::Failed(other.clone()),
    }
}

/// What one side has done, measured.
#[derive(Debug, Default)]
struct Side {
    bytes: u64,
    time: Duration,
}

impl Side {
    /// Bytes a second.
    fn rate(&self) -> Option<f64> {
        (self.bytes > 0).then(|| self.bytes as f64 / self.time.as_secs_f64().max(1e-9))
    }
}

/// An array that both sides work on in turn.
struct Run<'a> {
    pass: Pass<'a>,
    piece: u64,
    /// The first tile that is not checked.
    next: u64,
    /// Bytes that are checked.
    read: u64,
    /// Those of them that the GPU checked.
    on_gpu: u64,
    cpu: Side,
    gpu: Side,
    summary: Summary,
}

impl Run<'_> {
    fn is_on(&self) -> bool {
        self.next < self.pass.tiles.count() && !self.pass.stopped()
    }

    fn next_piece(&self) -> Range<u64> {
        let size = self.pass.dense.element.size();
        let tile = self
            .pass
            .tiles
            .values(self.next)
            .saturating_mul(size)
            .max(1);
        let end = self.next.saturating_add((self.piece / tile).max(1));
        self.next..end.min(self.pass.tiles.count())
    }

    fn bytes_of(&self, part: Range<u64>) -> u64 {
        let size = self.pass.dense.element.size();
        part.map(|tile| self.pass.tiles.values(tile) * size).sum()
    }

    /// The next piece on the CPU, timed.
    fn on_cpu(&mut self, told: &mut Told<'_>) -> io::Result<()> {
        let piece = self.next_piece();
        let bytes = self.bytes_of(piece.clone());
        let began = Instant::now();
        self.summary
            .merge(self.pass.on_cpu(piece.clone(), self.read, told)?);
        self.cpu.bytes += bytes;
        self.cpu.time += began.elapsed();
        self.read += bytes;
        self.next = piece.end;
        Ok(())
    }

    /// How long the CPU would take for what is left.
    fn rest_on_cpu(&self) -> Duration {
        let left = self.pass.tiles.bytes().saturating_sub(self.read);
        let rate = self.cpu.rate().unwrap_or(1.0);
        Duration::from_secs_f64((left as f64 / rate).min(1e9))
    }

    fn all_on_cpu(&mut self, told: &mut Told<'_>) -> io::Result<()> {
        let tiles = self.pass.tiles.count();
        if self.next < tiles {
            let rest = self.pass.on_cpu(self.next..tiles, self.read, told)?;
            self.summary.merge(rest);
            self.next = tiles;
        }
        Ok(())
    }

    fn came(&mut self, came: &Came) {
        self.next = came.next;
        self.read += came.bytes;
        self.on_gpu += came.bytes;
    }

    fn end(self, why: DeviceWhy, fell_back: Option<GpuError>) -> (Summary, Note) {
        let note = Note {
            gpu_bytes: self.on_gpu,
            cpu_bytes: self.pass.tiles.bytes().saturating_sub(self.on_gpu),
            why,
            rates: None,
            fell_back,
        };
        (self.summary, note)
    }
}
