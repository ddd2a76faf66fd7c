//! Chunks on their way: sent, waited for, and what came back.

use std::time::{Duration, Instant};

use super::super::{Breach, GpuError};
use super::commands::{Scope, no_slot};
use super::engine::{Engine, LEAST_CHUNK, RESULTS, results_bytes};
use super::keys::{MOST_PLACES, WAYS};

/// A chunk that takes longer makes the next ones smaller: Windows resets a GPU after two seconds, and a check must stop at once.
const LONG: Duration = Duration::from_millis(60);
/// A chunk that takes less makes the next ones larger.
const SHORT: Duration = Duration::from_millis(20);

/// A chunk that the device works on.
#[derive(Debug)]
pub(super) struct Flight {
    pub slot: usize,
    groups: u32,
    values: u32,
    plane: u32,
    began: Instant,
    submission: wgpu::SubmissionIndex,
}

/// What the shader found in a chunk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    /// Values that the table does not hold, by the way they break the rule.
    pub broken: [u64; 5],
    /// Values that the table does not hold.
    pub far: u64,
    /// Skipped ones among them.
    pub ignored: u64,
    /// Those among them that are to be counted one by one.
    pub others: u64,
    /// Values of the table that are below and above the range.
    pub near: [u64; 2],
    /// Places of the table that are in use, counted from the first.
    pub top: u32,
    /// Values seen.
    pub values: u64,
    /// Keys of the smallest and the largest finite value that the table does not hold.
    pub ends: Option<(u64, u64)>,
}

/// One plane of marks, a bit for each value.
pub(super) type Marks = Vec<u32>;

impl Engine {
    /// The upload buffer of a slot that no chunk uses, mapped for writing.
    pub fn upload(&self, slot: usize) -> Result<&wgpu::Buffer, GpuError> {
        let slot = self.slot(slot)?;
        self.map(&slot.upload, self.capacity, wgpu::MapMode::Write, slot)?;
        Ok(&slot.upload)
    }

    /// Gives up the filling of a slot.
    pub fn abandon(&self, slot: usize) {
        if let Ok(slot) = self.slot(slot) {
            slot.upload.unmap();
        }
    }

    /// Sends the values in a slot's upload buffer on their way. `base`: index of the first one, counted from the last clearing of
    /// the table; `wanted`: a bit for each way to break the rule whose places are asked for.
    pub fn submit(
        &self,
        slot_index: usize,
        values: u32,
        base: u32,
        wanted: u32,
    ) -> Result<Flight, GpuError> {
        #[cfg(test)]
        self.fault.strike(self);
        self.watch.ok()?;
        let slot = self.slot(slot_index)?;
        let rule = self.rule()?;
        let parts = rule.parts.get(slot_index).ok_or_else(no_slot)?;
        let scope = Scope::new(&self.device);
        slot.upload.unmap();
        let groups = self.prepare(slot_index, values, base, wanted)?;
        let copied = (u64::from(values) * rule.element.size()).next_multiple_of(4);
        let plane = values.div_ceil(32);
        let mut encoder = self.encoder();
        encoder.copy_buffer_to_buffer(&slot.upload, 0, &slot.values, 0, copied);
        encoder.clear_buffer(&slot.marks, 0, Some(u64::from(plane) * 8));
        self.dispatch(&mut encoder, slot_index, groups)?;
        let from = u64::from(rule.head) * 4;
        let size = results_bytes(groups);
        encoder.copy_buffer_to_buffer(parts, from, &slot.results_read, 0, size);
        let submission = self.queue.submit([encoder.finish()]);
        scope.ok(&self.watch)?;
        Ok(Flight {
            slot: slot_index,
            groups,
            values,
            plane,
            began: Instant::now(),
            submission,
        })
    }

    /// Waits for a chunk and takes its results.
    pub fn collect(&mut self, flight: &Flight) -> Result<Counts, GpuError> {
        self.wait(&flight.submission)?;
        let slot = self.slot(flight.slot)?;
        let size = results_bytes(flight.groups);
        let words = self.read(&slot.results_read, size, slot)?;
        let mut counts = Counts::default();
        let (groups, _) = words.as_chunks::<RESULTS>();
        for group in groups {
            counts.add(group);
        }
        if counts.values != u64::from(flight.values) {
            return Err(GpuError::Inconsistent);
        }
        let took = flight.began.elapsed();
        if took > LONG {
            self.chunk = (self.chunk / 2).max(LEAST_CHUNK);
        } else if took < SHORT {
            self.chunk = (self.chunk * 2).min(self.capacity);
        }
        Ok(counts)
    }

    /// Which values of a collected chunk are marked: plane 0 breaks the rule, plane 1 is to be counted one by one.
    pub fn marks(&self, flight: &Flight, plane: u32) -> Result<Marks, GpuError> {
        let slot = self.slot(flight.slot)?;
        let size = u64::from(flight.plane) * 4;
        let scope = Scope::new(&self.device);
        let mut encoder = self.encoder();
        let from = u64::from(plane) * size;
        encoder.copy_buffer_to_buffer(&slot.marks, from, &slot.marks_read, 0, size);
        let submission = self.queue.submit([encoder.finish()]);
        scope.ok(&self.watch)?;
        self.wait(&submission)?;
        self.read(&slot.marks_read, size, slot)
    }

    /// Takes the table, its first `top` places: how often, and at which index first. It is empty afterwards.
    pub fn take_table(&self, top: u32) -> Result<Vec<(u32, u32)>, GpuError> {
        if top == 0 {
            return Ok(Vec::new());
        }
        let slot = self.slot(0)?;
        let scope = Scope::new(&self.device);
        let (size, stride) = (u64::from(top) * 4, u64::from(MOST_PLACES) * 4);
        let mut encoder = self.encoder();
        encoder.copy_buffer_to_buffer(&self.table, 0, &self.table_read, 0, size);
        encoder.copy_buffer_to_buffer(&self.table, stride, &self.table_read, size, size);
        encoder.clear_buffer(&self.table, 0, None);
        let submission = self.queue.submit([encoder.finish()]);
        scope.ok(&self.watch)?;
        self.wait(&submission)?;
        let words = self.read(&self.table_read, 2 * size, slot)?;
        let (counts, firsts) = words.split_at(top as usize);
        Ok(counts
            .iter()
            .zip(firsts)
            .map(|(count, first)| (*count, !first))
            .collect())
    }
}

impl Counts {
    /// Values that break the rule, by the way they do, wherever they are counted.
    pub fn broken_by_way(&self) -> impl Iterator<Item = (Breach, u64)> + '_ {
        let near = |way: Breach| match way {
            Breach::Below => self.near[0],
            Breach::Above => self.near[1],
            _ => 0,
        };
        WAYS.iter()
            .zip(self.broken)
            .map(move |(way, count)| (*way, count + near(*way)))
    }

    fn add(&mut self, group: &[u32; RESULTS]) {
        let [
            nan,
            infinite,
            fraction,
            below,
            above,
            far,
            ignored,
            others,
            near_below,
            near_above,
            top,
            values,
            least_hi,
            least_lo,
            most_hi,
            most_lo,
        ] = *group;
        let broken = [nan, infinite, fraction, below, above];
        for (sum, count) in self.broken.iter_mut().zip(broken) {
            *sum += u64::from(count);
        }
        self.far += u64::from(far);
        self.ignored += u64::from(ignored);
        self.others += u64::from(others);
        for (sum, count) in self.near.iter_mut().zip([near_below, near_above]) {
            *sum += u64::from(count);
        }
        self.top = self.top.max(top);
        self.values += u64::from(values);
        let key = |hi: u32, lo: u32| u64::from(hi) << 32 | u64::from(lo);
        let (least, most) = (key(least_hi, least_lo), key(most_hi, most_lo));
        if least <= most {
            let (known_least, known_most) = self.ends.unwrap_or((least, most));
            self.ends = Some((known_least.min(least), known_most.max(most)));
        }
    }
}
