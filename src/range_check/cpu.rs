//! The check on the CPU: exact, on all cores, the reference.

use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

#[cfg(feature = "gpu-check")]
use super::MOST_FIRSTS;
use super::block::Block;
use super::tally::{Tally, WINDOW_TO};
use super::tiles::{Tile, TilePlace, Tiles};
use super::{Breach, ElementType, Number, Rule, Summary, Values};

/// Values that lie in a file as they are in memory.
#[derive(Clone, Debug)]
pub struct Dense {
    /// Byte of the element with index 0 on all axes.
    pub offset: u64,
    /// Element type.
    pub element: ElementType,
    /// Most significant byte first.
    pub big_endian: bool,
    /// Length of each axis; empty for a scalar.
    pub shape: Vec<u64>,
    /// Distance in bytes between neighbours on each axis, as long as `shape`; 0 for an expanded axis.
    pub strides: Vec<u64>,
}

/// Positioned reads, from several threads at once.
pub trait Blocks: Sync {
    /// Fills the buffer from this byte on.
    ///
    /// # Errors
    /// Where the bytes are not there (any more).
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()>;
}

/// An offender of a pass: its index in reading order, its value, how it breaks the rule.
pub type Offence = (u64, Number, Breach);

/// Up to so many values are counted one by one: a table would cost more than it saves.
const FEW: usize = 64;

/// Offenders that are sorted at once where the order of the bytes is not the reading order.
const MOST_SORTED: usize = if cfg!(test) { 50 } else { 1 << 18 };

/// Tiles that are read at the same time, for each thread.
const TILES_A_THREAD: usize = 2;

/// Tiles that are read at the same time, in all: each holds a megabyte or some until its offenders are told.
const MOST_TILES: usize = 32;

/// Checks a block of values and adds what it finds to the summary. `index` gives the index of value `i` of the block;
/// `offender` is called for each offender of the block, in the block's order, with `i`.
pub fn check(
    rule: &Rule,
    values: Values<'_>,
    index: &dyn Fn(usize) -> u64,
    summary: &mut Summary,
    offender: &mut dyn FnMut(usize, Number, Breach),
) {
    if values.len() <= FEW {
        for i in 0..values.len() {
            if let Some(number) = values.get(i)
                && let Some(breach) = summary.add(rule, number, index(i))
            {
                offender(i, number, breach);
            }
        }
        return;
    }
    let mut tally = Tally::new(rule, (values.len() as i64).saturating_mul(4).max(1024));
    let mut offenders = Vec::new();
    tally.values(values, index, &mut offenders);
    summary.merge(tally.finish());
    for i in offenders {
        let i = i as usize;
        if let Some(number) = values.get(i)
            && let Some(breach) = rule.breach(number)
        {
            summary.note(breach, index(i), number);
            offender(i, number, breach);
        }
    }
}

/// Checks values in a file on all cores. `offender` gets the first `most` offenders, rising by index; `progress` the bytes read so
/// far. The summary counts all of them, and knows the first of each kind however many are told.
/// A stride of 0 checks its base values once and counts them once. A check that is cancelled gives what it found until then.
///
/// # Errors
/// Where a block cannot be read. The summary so far is lost then; the caller says what of the file was promised.
pub fn check_dense(
    rule: &Rule,
    dense: &Dense,
    blocks: &dyn Blocks,
    cancel: &AtomicBool,
    progress: &(dyn Fn(u64) + Sync),
    most: u64,
    offender: &mut dyn FnMut(Offence),
) -> io::Result<Summary> {
    let Some(tiles) = Tiles::of(dense)? else {
        return Ok(Summary::default());
    };
    let pass = Pass {
        rule,
        dense,
        tiles: &tiles,
        blocks,
        cancel,
        progress,
    };
    let mut told = Told::new(most, offender);
    let mut summary = pass.on_cpu(0..tiles.count(), 0, &mut told)?;
    told.finish(&mut summary);
    Ok(summary)
}

/// Who is told about offenders, and the first ones of each kind.
pub(super) struct Told<'a> {
    most: u64,
    count: u64,
    /// Offenders before this index were told already; a part that is read again does not tell them twice.
    from: u64,
    firsts: Summary,
    offender: &'a mut dyn FnMut(Offence),
}

impl<'a> Told<'a> {
    pub fn new(most: u64, offender: &'a mut dyn FnMut(Offence)) -> Self {
        Self {
            most,
            count: 0,
            from: 0,
            firsts: Summary::default(),
            offender,
        }
    }

    fn note(&mut self, (index, number, breach): Offence) {
        self.firsts.note(breach, index, number);
    }

    /// Tells an offender. They come rising by index.
    pub fn tell(&mut self, offence: Offence) {
        if offence.0 < self.from {
            return;
        }
        self.note(offence);
        if self.count < self.most {
            self.count += 1;
            (self.offender)(offence);
        }
    }

    /// All offenders before this index are told.
    #[cfg(feature = "gpu-check")]
    pub fn told_before(&mut self, index: u64) {
        self.from = index;
    }

    /// Whether an offender of this kind would still be listened to, if it came behind all others.
    #[cfg(feature = "gpu-check")]
    pub fn wants(&self, breach: Breach) -> bool {
        let firsts = self.firsts.breaches.get(&breach);
        self.count < self.most || firsts.is_none_or(|(_, firsts)| firsts.len() < MOST_FIRSTS)
    }

    /// Adds the first ones to the counts.
    pub fn finish(self, summary: &mut Summary) {
        for (breach, (_, firsts)) in self.firsts.breaches {
            summary.breaches.entry(breach).or_default().1 = firsts;
        }
    }
}

/// One pass over an array.
#[derive(Clone, Copy)]
pub(super) struct Pass<'a> {
    pub rule: &'a Rule,
    pub dense: &'a Dense,
    pub tiles: &'a Tiles,
    pub blocks: &'a dyn Blocks,
    pub cancel: &'a AtomicBool,
    pub progress: &'a (dyn Fn(u64) + Sync),
}

/// A part of a pass on all cores.
struct CpuPart<'a> {
    pass: Pass<'a>,
    part: Range<u64>,
    read: AtomicU64,
    /// Counts that no thread works on at the moment.
    tallies: Mutex<Vec<(Tally<'a>, Vec<u8>)>>,
}

/// A tile with offenders: where it stands, its values, the offsets of the offenders.
type Flagged = (TilePlace, Block, Vec<u32>);

impl Pass<'_> {
    pub fn stopped(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    /// Checks a part of the tiles on all cores; `read` are the bytes that were read before it. The first offenders of each kind are
    /// only told, not in the summary.
    pub fn on_cpu(self, part: Range<u64>, read: u64, told: &mut Told<'_>) -> io::Result<Summary> {
        let part = CpuPart {
            pass: self,
            part,
            read: AtomicU64::new(read),
            tallies: Mutex::new(Vec::new()),
        };
        if self.tiles.in_order {
            part.run(true, &mut |offence| told.tell(offence))?;
        } else {
            part.run_sorted(told)?;
        }
        Ok(part.finish())
    }
}

impl CpuPart<'_> {
    /// Reads all tiles, several at once, and tells the offenders in the order of the tiles. `count`: also count the values.
    fn run(&self, count: bool, tell: &mut dyn FnMut(Offence)) -> io::Result<()> {
        let wave = (TILES_A_THREAD * rayon::current_num_threads()).clamp(1, MOST_TILES);
        let mut begin = self.part.start;
        while begin < self.part.end && !self.pass.stopped() {
            let end = self.part.end.min(begin.saturating_add(wave as u64));
            let flagged: Vec<Option<Flagged>> = if end - begin == 1 {
                vec![self.tile(begin, count)?]
            } else {
                (begin..end)
                    .into_par_iter()
                    .map(|tile| self.tile(tile, count))
                    .collect::<io::Result<_>>()?
            };
            for (tile, block, offenders) in flagged.into_iter().flatten() {
                if self.pass.stopped() {
                    break;
                }
                let values = block.values();
                for i in offenders {
                    if let Some(number) = values.get(i as usize)
                        && let Some(breach) = self.pass.rule.breach(number)
                    {
                        tell((tile.index(i as usize), number, breach));
                    }
                }
            }
            begin = end;
        }
        Ok(())
    }

    /// Reads in the order of the bytes and tells the first in reading order. Of very many offenders only so many are held at once;
    /// the rest is found by reading again.
    fn run_sorted(&self, listener: &mut Told<'_>) -> io::Result<()> {
        let mut told: Option<u64> = None;
        let mut left = listener.most;
        let mut count = true;
        loop {
            let mut held: Vec<Offence> = Vec::new();
            let mut more = false;
            let mut below = u64::MAX;
            let most_held =
                usize::try_from(left).map_or(MOST_SORTED, |left| left.clamp(1, MOST_SORTED));
            self.run(count, &mut |offence| {
                if count {
                    listener.note(offence);
                }
                if told.is_some_and(|told| offence.0 <= told) {
                    return;
                }
                if offence.0 > below {
                    more = true;
                    return;
                }
                held.push(offence);
                if held.len() >= 2 * most_held {
                    held.sort_unstable_by_key(|offence| offence.0);
                    held.truncate(most_held);
                    below = held.last().map_or(u64::MAX, |offence| offence.0);
                    more = true;
                }
            })?;
            held.sort_unstable_by_key(|offence| offence.0);
            if more {
                held.truncate(most_held);
            }
            held.truncate(usize::try_from(left).unwrap_or(usize::MAX));
            told = held.last().map(|offence| offence.0);
            left -= held.len() as u64;
            for offence in held {
                (listener.offender)(offence);
            }
            if !more || left == 0 || self.pass.stopped() {
                return Ok(());
            }
            count = false;
        }
    }

    fn tile(&self, tile: u64, count: bool) -> io::Result<Option<Flagged>> {
        let pass = &self.pass;
        if pass.stopped() {
            return Ok(None);
        }
        let free = self
            .tallies
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop();
        let (mut tally, mut buffer) =
            free.unwrap_or_else(|| (Tally::new(pass.rule, WINDOW_TO), Vec::new()));
        let Tile { bytes, place } = pass.tiles.read(tile, pass.blocks, &mut buffer)?;
        let size = bytes.len() as u64;
        let block = Block::of(bytes, pass.dense.element, pass.dense.big_endian);
        let mut offenders = Vec::new();
        if count {
            if place.is_run() {
                let first = place.first;
                tally.values(block.values(), |i| first + i as u64, &mut offenders);
            } else {
                tally.values(block.values(), |i| place.index(i), &mut offenders);
            }
            let done = self.read.fetch_add(size, Ordering::Relaxed) + size;
            (pass.progress)(done);
        } else {
            // The values are counted already; this only finds the offenders again.
            let mut again = Tally::new(pass.rule, 1024);
            again.values(block.values(), |i| i as u64, &mut offenders);
        }
        self.tallies
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push((tally, buffer));
        Ok((!offenders.is_empty()).then_some((place, block, offenders)))
    }

    fn finish(self) -> Summary {
        let tallies = self
            .tallies
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let mut summary = Summary::default();
        for (tally, _) in tallies {
            summary.merge(tally.finish());
        }
        summary
    }
}
