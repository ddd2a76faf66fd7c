//! A device with the shader and its buffers: chunks go up, results come down.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicU8;

use super::super::{ElementType, GpuError, GpuInfo};
use super::adapters::Opened;
use super::commands::{READ, STORED, Scope, WAITING, bind_group_layout, buffer, no_slot};
use super::keys::{Keys, MOST_PLACES, kind};
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
pub(super) const RESULTS: usize = 16;

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
    pub table: wgpu::Buffer,
    pub table_read: wgpu::Buffer,
    slots: Vec<Slot>,
    /// Bytes that a slot has memory for.
    pub capacity: u64,
    /// Bytes of the next chunk, as the device proved to be fast.
    pub chunk: u64,
    /// What the values are checked against.
    rule: Option<Bound>,
    #[cfg(test)]
    pub fault: super::tests::Fault,
}

/// The buffers of one chunk.
#[derive(Debug)]
pub(super) struct Slot {
    pub upload: wgpu::Buffer,
    pub values: wgpu::Buffer,
    pub marks: wgpu::Buffer,
    pub params: wgpu::Buffer,
    pub results_read: wgpu::Buffer,
    pub marks_read: wgpu::Buffer,
    pub mapped: Arc<AtomicU8>,
}

/// A rule on the device.
#[derive(Debug)]
pub(super) struct Bound {
    pub keys: Keys,
    pub element: ElementType,
    swapped: bool,
    /// Words of skipped keys before the results.
    pub head: u32,
    pub parts: Vec<wgpu::Buffer>,
    groups: Vec<wgpu::BindGroup>,
}

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

    /// For commands.
    pub fn encoder(&self) -> wgpu::CommandEncoder {
        self.device
            .create_command_encoder(&wgpu::CommandEncoderDescriptor { label: None })
    }

    /// The buffers of one slot.
    pub fn slot(&self, slot: usize) -> Result<&Slot, GpuError> {
        self.slots.get(slot).ok_or_else(no_slot)
    }

    /// What the values are checked against.
    pub fn rule(&self) -> Result<&Bound, GpuError> {
        let none = || GpuError::Rejected("no rule".into());
        self.rule.as_ref().ok_or_else(none)
    }

    /// Tells the shader about a chunk; how many workgroups it takes.
    pub fn prepare(
        &self,
        slot: usize,
        values: u32,
        base: u32,
        wanted: u32,
    ) -> Result<u32, GpuError> {
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

    /// Has a slot's values checked.
    pub fn dispatch(
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
}

/// Bytes of the results of so many workgroups.
pub(super) fn results_bytes(groups: u32) -> u64 {
    u64::from(groups) * RESULTS as u64 * 4
}
