//! A device with the shader and its buffers: chunks go up, results come down.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};

use super::super::{Breach, ElementType, GpuError, GpuInfo};
use super::adapters::Opened;
use super::keys::{Keys, MOST_PLACES, WAYS, kind};
use super::watch::Watch;

/// Chunks under way at the same time: one is filled, one is uploaded, one is checked.
pub(super) const SLOTS: usize = 3;

/// Bytes of the smallest chunk. A tile of the file fits, and its values.
pub(super) const LEAST_CHUNK: u64 = 2 << 20;
/// Bytes of the largest chunk. Larger ones gain nothing more.
const MOST_CHUNK: u64 = 32 << 20;
/// So many workgroups share a chunk.
const MOST_GROUPS: u32 = 1024;
/// Vectors that a workgroup takes at least.
const LEAST_VECTORS: u32 = if cfg!(test) { 256 } else { 1024 };
/// Bytes of a vector.
const VECTOR: u64 = 16;
/// A slot's memory is a multiple of this: whole vectors, and whole words of marks.
const GRAIN: u64 = 128;
/// Words of one workgroup's result.
const RESULTS: usize = 16;
/// A chunk that takes longer makes the next ones smaller: Windows resets a GPU after two seconds, and a check must stop at once.
const LONG: Duration = Duration::from_millis(60);
/// A chunk that takes less makes the next ones larger.
const SHORT: Duration = Duration::from_millis(20);
/// A device that does not answer for so long is given up.
const PATIENCE: Duration = Duration::from_secs(10);

/// What the shader is told about a chunk; `Params` in the shader.
const PARAMS: u64 = 16 * 4;

/// A device, the shader, and buffers.
#[derive(Debug)]
pub(super) struct Engine {
    pub info: GpuInfo,
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
    pub watch: Arc<Watch>,
    layout: wgpu::BindGroupLayout,
    pipeline_layout: wgpu::PipelineLayout,
    shader: wgpu::ShaderModule,
    pipelines: HashMap<(ElementType, bool), wgpu::ComputePipeline>,
    table: wgpu::Buffer,
    table_read: wgpu::Buffer,
    slots: Vec<Slot>,
    /// Bytes that a slot has memory for.
    capacity: u64,
    /// Bytes of the next chunk, as the device proved to be fast.
    chunk: u64,
    /// What the values are checked against.
    rule: Option<Bound>,
    #[cfg(test)]
    pub fault: super::tests::Fault,
}

/// The buffers of one chunk.
#[derive(Debug)]
struct Slot {
    upload: wgpu::Buffer,
    values: wgpu::Buffer,
    marks: wgpu::Buffer,
    params: wgpu::Buffer,
    results_read: wgpu::Buffer,
    marks_read: wgpu::Buffer,
    mapped: Arc<AtomicU8>,
}

/// A rule on the device.
#[derive(Debug)]
struct Bound {
    keys: Keys,
    element: ElementType,
    swapped: bool,
    /// Words of skipped keys before the results.
    head: u32,
    parts: Vec<wgpu::Buffer>,
    groups: Vec<wgpu::BindGroup>,
}

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

const WAITING: u8 = 0;
const READY: u8 = 1;
const FAILED: u8 = 2;

impl Engine {
    /// Takes a device over. Buffers are made at once, so that a GPU without memory is known before a file is read.
    pub fn new(opened: Opened) -> Result<Self, GpuError> {
        Self::sized(opened, MOST_CHUNK)
    }

    /// With at most so large chunks (bytes).
    pub fn sized(opened: Opened, most: u64) -> Result<Self, GpuError> {
        let Opened {
            info,
            device,
            queue,
            watch,
        } = opened;
        let limits = device.limits();
        let offered = limits
            .max_buffer_size
            .min(limits.max_storage_buffer_binding_size);
        if offered < most.min(LEAST_CHUNK) || offered < u64::from(MOST_PLACES) * 8 {
            return Err(GpuError::NoCompute);
        }
        let capacity = most.min(offered) / GRAIN * GRAIN;
        let scope = Scope::new(&device);
        let layout = bind_group_layout(&device);
        let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("range check"),
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        let shader = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("range check"),
            source: wgpu::ShaderSource::Wgsl(
                include_str!("../../../assets/shaders/range_check.wgsl").into(),
            ),
        });
        let table_bytes = u64::from(MOST_PLACES) * 8;
        let table = buffer(&device, table_bytes, STORED | wgpu::BufferUsages::COPY_SRC);
        let table_read = buffer(&device, table_bytes, READ);
        scope.ok(&watch)?;
        let mut engine = Self {
            info,
            layout,
            pipeline_layout,
            shader,
            pipelines: HashMap::new(),
            table,
            table_read,
            slots: Vec::new(),
            capacity,
            chunk: LEAST_CHUNK.min(capacity),
            rule: None,
            device,
            queue,
            watch,
            #[cfg(test)]
            fault: super::tests::Fault::None,
        };
        // A card that a training run has filled may have little left.
        while let Err(error) = engine.make_slots() {
            if error != GpuError::OutOfMemory || engine.capacity / 4 < LEAST_CHUNK {
                return Err(error);
            }
            engine.capacity = engine.capacity / 4 / GRAIN * GRAIN;
            engine.chunk = engine.chunk.min(engine.capacity);
        }
        Ok(engine)
    }

    /// Bytes of the next chunk, and the most values that it may hold.
    pub fn next_chunk(&self) -> (u64, u64) {
        (self.chunk.min(self.capacity), self.capacity / 2)
    }

    /// Bytes that a chunk may have.
    pub fn capacity(&self) -> u64 {
        self.capacity
    }

    /// Puts values where the shader reads them, without a check.
    pub fn preload(&self, bytes: &[u8]) -> Result<(), GpuError> {
        let slot = self.slot(0)?;
        let scope = Scope::new(&self.device);
        self.queue.write_buffer(&slot.values, 0, bytes);
        let submission = self.queue.submit([]);
        scope.ok(&self.watch)?;
        self.wait(&submission)
    }

    /// Checks the values that were put there so many times over; for a measurement.
    pub fn repeat(&self, values: u32, times: u32) -> Result<(), GpuError> {
        let scope = Scope::new(&self.device);
        let mut encoder = self.encoder();
        let groups = self.prepare(0, values, 0, 0)?;
        for _ in 0..times {
            self.dispatch(&mut encoder, 0, groups)?;
        }
        let submission = self.queue.submit([encoder.finish()]);
        scope.ok(&self.watch)?;
        self.wait(&submission)
    }

    fn make_slots(&mut self) -> Result<(), GpuError> {
        self.slots.clear();
        #[cfg(test)]
        if super::tests::refuses(self.capacity) {
            return Err(GpuError::OutOfMemory);
        }
        let scope = Scope::new(&self.device);
        // Two planes of a bit for each of at most half as many values as bytes.
        let marks = self.capacity / 8;
        for _ in 0..SLOTS {
            let upload = wgpu::BufferUsages::MAP_WRITE | wgpu::BufferUsages::COPY_SRC;
            self.slots.push(Slot {
                upload: buffer(&self.device, self.capacity, upload),
                values: buffer(&self.device, self.capacity, STORED),
                marks: buffer(&self.device, marks, STORED | wgpu::BufferUsages::COPY_SRC),
                params: buffer(
                    &self.device,
                    PARAMS,
                    wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                ),
                results_read: buffer(&self.device, results_bytes(MOST_GROUPS), READ),
                marks_read: buffer(&self.device, marks, READ),
                mapped: Arc::new(AtomicU8::new(WAITING)),
            });
        }
        let made = scope.ok(&self.watch);
        if made.is_err() {
            self.slots.clear();
        }
        made
    }

    /// Gets ready for values of one type and one rule, with an empty table.
    pub fn begin(
        &mut self,
        keys: Keys,
        element: ElementType,
        swapped: bool,
    ) -> Result<(), GpuError> {
        let scope = Scope::new(&self.device);
        let swapped = swapped && element.size() > 1;
        if !self.pipelines.contains_key(&(element, swapped)) {
            let pipeline = self.pipeline(element, swapped);
            self.pipelines.insert((element, swapped), pipeline);
        }
        let head = keys.ignores.len() as u32 * 2;
        let bytes: Vec<u8> = keys
            .ignores
            .iter()
            .flat_map(|key| [(key >> 32) as u32, *key as u32])
            .flat_map(u32::to_le_bytes)
            .collect();
        let usage = STORED | wgpu::BufferUsages::COPY_SRC;
        let size = u64::from(head) * 4 + results_bytes(MOST_GROUPS);
        let parts: Vec<wgpu::Buffer> = self
            .slots
            .iter()
            .map(|_| buffer(&self.device, size, usage))
            .collect();
        for part in &parts {
            if !bytes.is_empty() {
                self.queue.write_buffer(part, 0, &bytes);
            }
        }
        let groups = self.slots.iter().zip(&parts);
        let groups = groups.map(|(slot, parts)| self.bind_group(slot, parts));
        self.rule = Some(Bound {
            groups: groups.collect(),
            keys,
            element,
            swapped,
            head,
            parts,
        });
        let mut encoder = self.encoder();
        encoder.clear_buffer(&self.table, 0, None);
        self.queue.submit([encoder.finish()]);
        scope.ok(&self.watch)
    }

    fn pipeline(&self, element: ElementType, swapped: bool) -> wgpu::ComputePipeline {
        let constants = [
            ("KIND", f64::from(kind(element))),
            ("SWAPPED", f64::from(u8::from(swapped))),
        ];
        self.device
            .create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some(element.name()),
                layout: Some(&self.pipeline_layout),
                module: &self.shader,
                entry_point: Some("check"),
                compilation_options: wgpu::PipelineCompilationOptions {
                    constants: &constants,
                    // The shader clears its own.
                    zero_initialize_workgroup_memory: false,
                },
                cache: None,
            })
    }

    fn bind_group(&self, slot: &Slot, parts: &wgpu::Buffer) -> wgpu::BindGroup {
        fn entry(binding: u32, buffer: &wgpu::Buffer) -> wgpu::BindGroupEntry<'_> {
            wgpu::BindGroupEntry {
                binding,
                resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                    buffer,
                    offset: 0,
                    size: None,
                }),
            }
        }
        self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &self.layout,
            entries: &[
                entry(0, &slot.params),
                entry(1, &slot.values),
                entry(2, &self.table),
                entry(3, &slot.marks),
                entry(4, parts),
            ],
        })
    }

    pub fn encoder(&self) -> wgpu::CommandEncoder {
        self.device
            .create_command_encoder(&wgpu::CommandEncoderDescriptor { label: None })
    }

    fn slot(&self, slot: usize) -> Result<&Slot, GpuError> {
        self.slots.get(slot).ok_or_else(no_slot)
    }

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

    fn rule(&self) -> Result<&Bound, GpuError> {
        let none = || GpuError::Rejected("no rule".into());
        self.rule.as_ref().ok_or_else(none)
    }

    /// Tells the shader about a chunk; how many workgroups it takes.
    fn prepare(&self, slot: usize, values: u32, base: u32, wanted: u32) -> Result<u32, GpuError> {
        let (slot, rule) = (self.slot(slot)?, self.rule()?);
        let bytes = u64::from(values) * rule.element.size();
        let vectors = bytes.div_ceil(VECTOR) as u32;
        let each = vectors
            .div_ceil(MOST_GROUPS)
            .next_multiple_of(256)
            .max(LEAST_VECTORS);
        let keys = &rule.keys;
        let words = [
            values,
            base,
            each,
            keys.places,
            keys.allowed.0,
            keys.allowed.1,
            (keys.lo >> 32) as u32,
            keys.lo as u32,
            (keys.hi >> 32) as u32,
            keys.hi as u32,
            keys.flags,
            wanted,
            rule.head / 2,
            values.div_ceil(32),
            rule.head,
            MOST_PLACES,
        ];
        let words: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.queue.write_buffer(&slot.params, 0, &words);
        Ok(vectors.div_ceil(each))
    }

    fn dispatch(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        slot: usize,
        groups: u32,
    ) -> Result<(), GpuError> {
        let rule = self.rule()?;
        let group = rule.groups.get(slot).ok_or_else(no_slot)?;
        let pipeline = self.pipelines.get(&(rule.element, rule.swapped));
        let pipeline = pipeline.ok_or_else(no_slot)?;
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, group, &[]);
        pass.dispatch_workgroups(groups, 1, 1);
        Ok(())
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

    /// Waits for a submission and reads a buffer that it filled.
    pub fn download(
        &self,
        submission: &wgpu::SubmissionIndex,
        buffer: &wgpu::Buffer,
        size: u64,
    ) -> Result<Vec<u32>, GpuError> {
        self.wait(submission)?;
        self.read(buffer, size, self.slot(0)?)
    }

    /// Waits until a submission is done.
    pub fn wait(&self, submission: &wgpu::SubmissionIndex) -> Result<(), GpuError> {
        let wait = wgpu::PollType::Wait {
            submission_index: Some(submission.clone()),
            timeout: Some(PATIENCE),
        };
        let waited = self.device.poll(wait);
        self.watch.ok()?;
        waited.map(drop).map_err(|error| match error {
            wgpu::PollError::Timeout => GpuError::TimedOut,
            // Commands after the loss of a device are never counted.
            other => GpuError::Lost(other.to_string()),
        })
    }

    /// Maps a buffer that the device has done with.
    fn map(
        &self,
        buffer: &wgpu::Buffer,
        size: u64,
        mode: wgpu::MapMode,
        slot: &Slot,
    ) -> Result<(), GpuError> {
        self.watch.ok()?;
        slot.mapped.store(WAITING, Ordering::Release);
        let mapped = Arc::clone(&slot.mapped);
        buffer.map_async(mode, 0..size, move |result| {
            let state = if result.is_ok() { READY } else { FAILED };
            mapped.store(state, Ordering::Release);
        });
        let began = Instant::now();
        loop {
            let polled = self.device.poll(wgpu::PollType::Poll);
            self.watch.ok()?;
            match slot.mapped.load(Ordering::Acquire) {
                READY => return Ok(()),
                FAILED => return Err(GpuError::Rejected("a buffer cannot be mapped".into())),
                _ if polled.is_err() || began.elapsed() > PATIENCE => {
                    return Err(GpuError::TimedOut);
                }
                _ => std::thread::yield_now(),
            }
        }
    }

    fn read(&self, buffer: &wgpu::Buffer, size: u64, slot: &Slot) -> Result<Vec<u32>, GpuError> {
        self.map(buffer, size, wgpu::MapMode::Read, slot)?;
        let words = {
            let view = buffer
                .get_mapped_range(0..size)
                .map_err(|error| GpuError::Rejected(error.to_string()))?;
            let (words, _) = view.as_chunks::<4>();
            words.iter().map(|word| u32::from_le_bytes(*word)).collect()
        };
        buffer.unmap();
        Ok(words)
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

/// Catches what a few commands do wrong, at once.
pub(super) struct Scope {
    memory: wgpu::ErrorScopeGuard,
    validation: wgpu::ErrorScopeGuard,
}

impl Scope {
    pub fn new(device: &wgpu::Device) -> Self {
        Self {
            memory: device.push_error_scope(wgpu::ErrorFilter::OutOfMemory),
            validation: device.push_error_scope(wgpu::ErrorFilter::Validation),
        }
    }

    /// # Errors
    /// The first that was caught, or that the device had before. Out of memory is told, but not held against the device.
    pub fn ok(self, watch: &Watch) -> Result<(), GpuError> {
        let validation = pollster::block_on(self.validation.pop());
        let memory = pollster::block_on(self.memory.pop());
        watch.ok()?;
        if memory.is_some() {
            return Err(GpuError::OutOfMemory);
        }
        validation.map_or(Ok(()), |error| Err(GpuError::Rejected(error.to_string())))
    }
}

fn no_slot() -> GpuError {
    GpuError::Rejected("no such slot".into())
}

const STORED: wgpu::BufferUsages = wgpu::BufferUsages::STORAGE.union(wgpu::BufferUsages::COPY_DST);
const READ: wgpu::BufferUsages = wgpu::BufferUsages::MAP_READ.union(wgpu::BufferUsages::COPY_DST);

fn results_bytes(groups: u32) -> u64 {
    u64::from(groups) * RESULTS as u64 * 4
}

pub(super) fn buffer(device: &wgpu::Device, size: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size,
        usage,
        mapped_at_creation: false,
    })
}

fn bind_group_layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    let entry = |binding: u32, ty: wgpu::BufferBindingType| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer {
            ty,
            has_dynamic_offset: false,
            min_binding_size: None,
        },
        count: None,
    };
    let stored = |read_only: bool| wgpu::BufferBindingType::Storage { read_only };
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("range check"),
        entries: &[
            entry(0, wgpu::BufferBindingType::Uniform),
            entry(1, stored(true)),
            entry(2, stored(false)),
            entry(3, stored(false)),
            entry(4, stored(false)),
        ],
    })
}
