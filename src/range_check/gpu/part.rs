//! A part of an array, checked by the GPU chunk after chunk while the next ones are read.

use std::collections::VecDeque;
use std::io;
use std::ops::Range;

use super::super::block::Block;
use super::super::cpu::{Pass, Told};
use super::super::summary::Seen;
use super::super::tally::Others;
use super::super::{GpuError, Number, Summary};
use super::crew;
use super::engine::{Engine, SLOTS};
use super::flight::{Counts, Flight, Marks};
use super::keys::{Keys, WAYS, at_place, number};

/// Values after which the table is taken down: indices in it are 32 bits wide. It is also what the CPU has to read again when a
/// device fails in between.
pub(super) const MOST_EPOCH: u64 = 1 << 29;

/// Why the GPU did not come to the end of its part.
#[derive(Debug)]
pub(super) enum Broke {
    /// The file cannot be read.
    Read(io::Error),
    /// The GPU cannot go on.
    Gpu(GpuError),
}

impl From<GpuError> for Broke {
    fn from(error: GpuError) -> Self {
        Self::Gpu(error)
    }
}

/// How far the GPU came.
#[derive(Debug, Default)]
pub(super) struct Done {
    /// What was found in the tiles before `tiles`.
    pub summary: Summary,
    /// Tiles before this one are in the summary.
    pub tiles: u64,
    /// Offenders of the tiles before this one are told.
    pub told: u64,
    /// Bytes of the tiles before `tiles`, with what was read before the part.
    pub bytes: u64,
}

/// A chunk under way.
#[derive(Debug)]
struct Chunk {
    flight: Flight,
    tiles: Range<u64>,
    /// Values before each tile, in the chunk.
    starts: Vec<u64>,
    bytes: u64,
}

/// A part of a pass on the GPU.
pub(super) struct GpuPart<'p, 'a> {
    pub pass: Pass<'a>,
    pub engine: &'p mut Engine,
    pub part: Range<u64>,
    /// Values between two takings of the table.
    pub most_epoch: u64,
}

/// What was found since the table was last empty.
#[derive(Default)]
struct Epoch {
    /// Values that were sent.
    values: u64,
    /// Values before each tile, and the first tile's number.
    starts: Vec<u64>,
    first_tile: u64,
    /// What the table does not hold.
    far: u64,
    ignored: u64,
    broken: [u64; 5],
    ends: Option<(u64, u64)>,
    others: Others,
    top: u32,
    /// Values and bytes of the chunks that came back.
    collected: u64,
    bytes: u64,
}

impl GpuPart<'_, '_> {
    /// Checks the part. `done` says how far it came, also after an error: what is missing is for the CPU to check.
    pub fn run(&mut self, done: &mut Done, told: &mut Told<'_>) -> Result<(), Broke> {
        let (rule, dense) = (self.pass.rule, self.pass.dense);
        let keys = Keys::of(rule, dense.element);
        self.engine
            .begin(keys, dense.element, dense.big_endian)
            .map_err(Broke::Gpu)?;
        let mut next = self.part.start;
        let mut epoch = Epoch {
            first_tile: next,
            ..Epoch::default()
        };
        let mut under_way: VecDeque<Chunk> = VecDeque::new();
        let mut free: Vec<usize> = (0..SLOTS).collect();
        loop {
            while next < self.part.end && !self.pass.stopped() && epoch.values < self.most_epoch {
                let Some(slot) = free.pop() else { break };
                let chunk = self.send(slot, next, &mut epoch, told)?;
                next = chunk.tiles.end;
                under_way.push_back(chunk);
            }
            if let Some(chunk) = under_way.pop_front() {
                free.push(chunk.flight.slot);
                self.receive(&chunk, &mut epoch, done, told)?;
                continue;
            }
            // Nothing is under way: the part, or what the table can index, is at its end.
            self.take(std::mem::take(&mut epoch), done)?;
            done.tiles = next;
            epoch.first_tile = next;
            if next >= self.part.end || self.pass.stopped() {
                return Ok(());
            }
        }
    }

    /// Reads a chunk from this tile on and sends it.
    fn send(
        &self,
        slot: usize,
        first: u64,
        epoch: &mut Epoch,
        told: &Told<'_>,
    ) -> Result<Chunk, Broke> {
        let (most_bytes, most_values) = self.engine.next_chunk();
        let size = self.pass.dense.element.size();
        let (mut end, mut values) = (first, 0);
        let mut starts = Vec::new();
        while end < self.part.end {
            let more = self.pass.tiles.values(end);
            let sum = values + more;
            if end > first && (sum * size > most_bytes || sum > most_values) {
                break;
            }
            starts.push(values);
            values = sum;
            end += 1;
        }
        if let Err(broke) = self.fill(slot, first, &starts, values) {
            self.engine.abandon(slot);
            return Err(broke);
        }
        let wanted = WAYS
            .iter()
            .enumerate()
            .filter(|(_, way)| told.wants(**way))
            .fold(0, |bits, (at, _)| bits | 1 << at);
        let flight = self
            .engine
            .submit(slot, values as u32, epoch.values as u32, wanted)?;
        epoch
            .starts
            .extend(starts.iter().map(|start| epoch.values + start));
        epoch.values += values;
        Ok(Chunk {
            flight,
            tiles: first..end,
            starts,
            bytes: values * size,
        })
    }

    /// Reads tiles into the upload buffer of a slot, several at once.
    fn fill(&self, slot: usize, first: u64, starts: &[u64], values: u64) -> Result<(), Broke> {
        let size = self.pass.dense.element.size();
        let bytes = values * size;
        let (tiles, blocks) = (self.pass.tiles, self.pass.blocks);
        let upload = self.engine.upload(slot)?;
        let view = |from: u64, to: u64| {
            upload
                .get_mapped_range_mut(from..to)
                .map_err(|error| Broke::Gpu(GpuError::Rejected(error.to_string())))
        };
        let ends = starts.iter().skip(1).copied().chain([values]);
        let spans: Vec<(u64, u64, u64)> = starts
            .iter()
            .zip(ends)
            .enumerate()
            .map(|(at, (start, end))| (first + at as u64, start * size, end * size))
            .collect();
        // Views of a mapped buffer begin at multiples of 8 bytes and are as long as multiples of 4.
        let fit = spans.iter().all(|(_, from, to)| {
            from % wgpu::MAP_ALIGNMENT == 0 && (to % wgpu::MAP_ALIGNMENT == 0 || *to == bytes)
        });
        if fit {
            let mut targets = Vec::with_capacity(spans.len());
            for (tile, from, to) in spans {
                targets.push((tile, to - from, view(from, to.next_multiple_of(4))?));
            }
            crew::map(targets, |(tile, length, mut view)| {
                let mut buffer = Vec::new();
                let read = tiles.read(tile, blocks, &mut buffer)?;
                view.slice(..length as usize).copy_from_slice(&read.bytes);
                Ok(())
            })
            .map_err(Broke::Read)?;
            return Ok(());
        }
        let tiles_read = crew::map(spans, |(tile, from, _)| {
            let mut buffer = Vec::new();
            tiles
                .read(tile, blocks, &mut buffer)
                .map(|read| (from, read.bytes))
        })
        .map_err(Broke::Read)?;
        let mut view = view(0, bytes.next_multiple_of(4))?;
        for (from, read) in tiles_read {
            let from = from as usize;
            view.slice(from..from + read.len()).copy_from_slice(&read);
        }
        Ok(())
    }

    /// Takes the results of a chunk.
    fn receive(
        &mut self,
        chunk: &Chunk,
        epoch: &mut Epoch,
        done: &mut Done,
        told: &mut Told<'_>,
    ) -> Result<(), Broke> {
        let counts = self.engine.collect(&chunk.flight)?;
        let offends = counts
            .broken_by_way()
            .any(|(way, count)| count > 0 && told.wants(way));
        let marks = |plane: u32, is_wanted: bool| {
            is_wanted
                .then(|| self.engine.marks(&chunk.flight, plane))
                .transpose()
        };
        let offenders = marks(0, offends)?;
        let others = marks(1, counts.others > 0)?;
        if offenders.is_some() || others.is_some() {
            self.look_at(chunk, (offenders, others), epoch, told)?;
        }
        done.told = chunk.tiles.end;
        epoch.add(&counts);
        epoch.bytes += chunk.bytes;
        (self.pass.progress)(done.bytes + epoch.bytes);
        Ok(())
    }

    /// Reads the tiles with marked values again: offenders are told, values that the table does not hold are counted.
    fn look_at(
        &self,
        chunk: &Chunk,
        (offenders, others): (Option<Marks>, Option<Marks>),
        epoch: &mut Epoch,
        told: &mut Told<'_>,
    ) -> Result<(), Broke> {
        let pass = self.pass;
        let ends = chunk.starts.iter().skip(1).copied();
        let ends = ends.chain([chunk.bytes / pass.dense.element.size()]);
        let spans = chunk
            .starts
            .iter()
            .copied()
            .zip(ends)
            .zip(chunk.tiles.clone());
        let marked: Vec<(u64, Vec<u32>, Vec<u32>)> = spans
            .map(|((start, end), tile)| {
                let of = |marks: &Option<Marks>| {
                    marks
                        .as_ref()
                        .map_or_else(Vec::new, |m| set_bits(m, start, end))
                };
                (tile, of(&offenders), of(&others))
            })
            .filter(|(_, offenders, others)| !offenders.is_empty() || !others.is_empty())
            .collect();
        // A few tiles at a time: each is held until its offenders are told.
        for marked in marked.chunks(2 * SLOTS) {
            let read = crew::map(marked.iter().collect(), |(tile, offenders, others)| {
                let mut buffer = Vec::new();
                let read = pass.tiles.read(*tile, pass.blocks, &mut buffer)?;
                let block = Block::of(read.bytes, pass.dense.element, pass.dense.big_endian);
                let (values, place) = (block.values(), read.place);
                let mut found = Others::default();
                for &i in others {
                    if let Some(number) = values.get(i as usize) {
                        let first = place.index(i as usize);
                        found.add(number, Seen { count: 1, first });
                    }
                }
                Ok((block, place, offenders, found))
            })
            .map_err(Broke::Read)?;
            for (block, place, offenders, found) in read {
                epoch.others.merge(found);
                let values = block.values();
                for &i in offenders {
                    if let Some(number) = values.get(i as usize)
                        && let Some(breach) = pass.rule.breach(number)
                    {
                        told.tell((place.index(i as usize), number, breach));
                    }
                }
            }
        }
        Ok(())
    }

    /// Takes the table and adds everything since it was last empty to what is done.
    fn take(&self, epoch: Epoch, done: &mut Done) -> Result<(), Broke> {
        let pass = self.pass;
        let table = self.engine.take_table(epoch.top)?;
        let mut summary = Summary::default();
        let mut held = 0;
        for (place, (count, first)) in table.into_iter().enumerate() {
            if count == 0 {
                continue;
            }
            held += u64::from(count);
            let number = at_place(place as u32);
            summary.judge(pass.rule, number, u64::from(count));
            let first = self.index(&epoch, u64::from(first))?;
            let count = u64::from(count);
            summary.distinct.insert(number, Seen { count, first });
        }
        if held + epoch.far != epoch.collected {
            return Err(Broke::Gpu(GpuError::Inconsistent));
        }
        summary.count += epoch.far;
        summary.ignored += epoch.ignored;
        for (way, count) in WAYS.iter().zip(epoch.broken) {
            if count > 0 {
                summary.breaches.entry(*way).or_default().0 += count;
            }
        }
        if let Some((least, most)) = epoch.ends {
            let element = pass.dense.element;
            let (least, most) = (number(element, least), number(element, most));
            summary.min = Some(summary.min.map_or(least, |min: Number| min.min(least)));
            summary.max = Some(summary.max.map_or(most, |max: Number| max.max(most)));
        }
        let (others, more) = epoch.others.finish();
        summary.distinct.extend(others);
        summary.more_distinct = more;
        summary.keep_smallest();
        done.summary.merge(summary);
        done.bytes += epoch.bytes;
        Ok(())
    }

    /// The index in reading order of a value that was sent as the `at`-th since the table was last empty.
    fn index(&self, epoch: &Epoch, at: u64) -> Result<u64, GpuError> {
        let tile = epoch.starts.partition_point(|start| *start <= at);
        let tile = tile.checked_sub(1).ok_or(GpuError::Inconsistent)?;
        let start = epoch.starts.get(tile).ok_or(GpuError::Inconsistent)?;
        if at >= epoch.values {
            return Err(GpuError::Inconsistent);
        }
        let place = self.pass.tiles.place(epoch.first_tile + tile as u64);
        Ok(place.index((at - start) as usize))
    }
}

impl Epoch {
    fn add(&mut self, counts: &Counts) {
        self.far += counts.far;
        self.ignored += counts.ignored;
        for (sum, count) in self.broken.iter_mut().zip(counts.broken) {
            *sum += count;
        }
        if let Some((least, most)) = counts.ends {
            let (known_least, known_most) = self.ends.unwrap_or((least, most));
            self.ends = Some((known_least.min(least), known_most.max(most)));
        }
        self.top = self.top.max(counts.top);
        self.collected += counts.values;
    }
}

/// The set bits from `start` to `end`, counted from `start`.
fn set_bits(marks: &[u32], start: u64, end: u64) -> Vec<u32> {
    let mut bits = Vec::new();
    let words = start / 32..end.div_ceil(32);
    let from = words.start as usize;
    let marks = marks.get(from..words.end as usize).unwrap_or_default();
    for (at, word) in marks.iter().enumerate() {
        let mut word = *word;
        while word != 0 {
            let bit = (from + at) as u64 * 32 + u64::from(word.trailing_zeros());
            if (start..end).contains(&bit) {
                bits.push((bit - start) as u32);
            }
            word &= word - 1;
        }
    }
    bits
}
