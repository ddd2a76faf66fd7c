//! A health check: known values of every type, checked by both sides, and a copy to the GPU and back.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::super::checker::Checker;
use super::super::{
    Blocks, Dense, DeviceChoice, Difference, ElementType, GpuError, Health, Number, Rule, Summary,
    TypeHealth, check_dense,
};
use super::commands::{Scope, buffer};
use super::engine::Engine;
use super::shared::{Shared, Tuning, open};

/// Bytes of one round of one type. Without optimisation the CPU's side takes a hundred times as long.
const ROUND: usize = if cfg!(debug_assertions) {
    1 << 16
} else {
    8 << 20
};
/// Bytes that are copied to the GPU and back at a time, and how often.
const COPY: u64 = if cfg!(debug_assertions) {
    1 << 16
} else {
    32 << 20
};
const COPIES: u64 = 4;
/// Bytes that a device is tried with before it gets a file.
const PROBE: usize = 1 << 14;

/// Checks a GPU with known values of all types.
pub(in crate::range_check) fn health(
    number: Option<usize>,
    cancel: &AtomicBool,
    progress: &mut dyn FnMut(f32),
) -> Result<Health, GpuError> {
    let (engine, skipped) = open(number, true);
    let mut health = of_engine(engine?, cancel, progress);
    health.skipped = skipped;
    Ok(health)
}

/// Checks a GPU that is open.
pub(super) fn of_engine(
    engine: Engine,
    cancel: &AtomicBool,
    progress: &mut dyn FnMut(f32),
) -> Health {
    let began = Instant::now();
    let mut health = Health {
        gpu: engine.info.clone(),
        skipped: Vec::new(),
        types: Vec::new(),
        copied: 0,
        changed: 0,
        elapsed: began.elapsed(),
        failed: None,
        cancelled: false,
    };
    let rules = rules();
    let steps = (ElementType::ALL.len() * rules.len()) as f32 + COPIES as f32;
    let mut step = 0.0;
    let mut engine = Some(engine);
    'types: for element in ElementType::ALL {
        let mut found = TypeHealth {
            element,
            values: 0,
            differs: None,
        };
        for (round, rule) in rules.iter().enumerate() {
            let Some(open) = engine.take().filter(|_| !cancel.load(Ordering::Relaxed)) else {
                break 'types;
            };
            let values = known(element, round as u64, ROUND);
            match both(open, rule, element, &values) {
                Ok((open, cpu, gpu)) => {
                    engine = Some(open);
                    found.values += cpu.count;
                    found.differs = found.differs.or_else(|| difference(&cpu, &gpu));
                }
                Err(error) => health.failed = Some(error),
            }
            step += 1.0;
            progress(step / steps);
        }
        health.types.push(found);
    }
    for copy in 0..COPIES {
        let Some(engine) = engine.as_ref().filter(|_| !cancel.load(Ordering::Relaxed)) else {
            break;
        };
        match there_and_back(engine, copy) {
            Ok(changed) => {
                health.copied += COPY;
                health.changed += changed;
            }
            Err(error) => {
                health.failed.get_or_insert(error);
                break;
            }
        }
        step += 1.0;
        progress(step / steps);
    }
    health.cancelled = cancel.load(Ordering::Relaxed);
    health.elapsed = began.elapsed();
    health
}

/// Lets a device that was just made check a few values: whoever gets them wrong, or cannot check at all, is no GPU for us.
pub(super) fn probe(engine: Engine) -> Result<Engine, GpuError> {
    let [rule, _] = rules();
    let values = known(ElementType::I64, 0, PROBE);
    let (engine, cpu, gpu) = both(engine, &rule, ElementType::I64, &values)?;
    if cpu == gpu {
        Ok(engine)
    } else {
        Err(GpuError::Inconsistent)
    }
}

/// The rules of the rounds: labels with an ignore value, and everything from nothing to a half, with fractions.
fn rules() -> [Rule; 2] {
    let labels = Rule {
        lo: Some(Number::from(0_u8)),
        hi: Some(Number::from(999_u16)),
        ignore: vec![Number::from(-100_i8), Number::from(255_u8)],
        fractions: false,
    };
    let odd = Rule {
        lo: Some(Number::from(-0.25)),
        hi: Some(Number::from(0.5)),
        ignore: vec![Number::from(f64::NAN)],
        fractions: true,
    };
    [labels, odd]
}

/// Bytes that are the same on every machine: mostly labels, among them every kind of oddity that a type can hold.
fn known(element: ElementType, round: u64, length: usize) -> Vec<u8> {
    let size = element.size() as usize;
    let mut bytes = Vec::with_capacity(length);
    let mut state = 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(round + 1);
    while bytes.len() < length {
        state = mixed(&mut state);
        let label = (state >> 32) % 1003;
        let value = match state % 64 {
            // Any bits at all: extremes, NaN with any payload, infinities, fractions, numbers near zero.
            0 => state.rotate_left(17),
            1 => u64::MAX << (state >> 8 & 63),
            2 => u64::MAX >> (state >> 8 & 63),
            _ => bits(element, label as f64 - 2.0),
        };
        bytes.extend_from_slice(value.to_le_bytes().get(..size).unwrap_or_default());
    }
    bytes
}

/// The bits of a small number in a type.
fn bits(element: ElementType, label: f64) -> u64 {
    match element {
        ElementType::F16 => u64::from(half::f16::from_f64(label / 2.0).to_bits()),
        ElementType::Bf16 => u64::from(half::bf16::from_f64(label / 2.0).to_bits()),
        ElementType::F32 => u64::from((label as f32 / 2.0).to_bits()),
        ElementType::F64 => (label / 2.0).to_bits(),
        _ => label as i64 as u64,
    }
}

/// The next number of a fixed sequence (`SplitMix64`).
fn mixed(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

struct Memory<'m>(&'m [u8]);

impl Blocks for Memory<'_> {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let from = offset as usize;
        let bytes = self.0.get(from..from + buffer.len());
        buffer.copy_from_slice(bytes.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

/// Both sides' answers.
fn both(
    engine: Engine,
    rule: &Rule,
    element: ElementType,
    values: &[u8],
) -> Result<(Engine, Summary, Summary), GpuError> {
    let dense = Dense {
        offset: 0,
        element,
        big_endian: false,
        shape: vec![values.len() as u64 / element.size()],
        strides: vec![element.size()],
    };
    let (memory, cancel) = (Memory(values), AtomicBool::new(false));
    let unread = |error: io::Error| GpuError::Rejected(error.to_string());
    let cpu = check_dense(rule, &dense, &memory, &cancel, &|_| {}, 0, &mut |_| {});
    let cpu = cpu.map_err(unread)?;
    let shared = Shared::of(engine, Tuning::default());
    let checker = Checker::with(DeviceChoice::Gpu(None), shared);
    let gpu = checker.check_dense(rule, &dense, &memory, &cancel, &|_| {}, 0, &mut |_| {});
    let gpu = gpu.map_err(unread)?;
    if let Some(error) = checker.used().fell_back {
        return Err(error);
    }
    let engine = checker.into_gpu().into_engine().ok_or(GpuError::NoGpu)?;
    Ok((engine, cpu, gpu))
}

/// The first field in which two answers differ.
fn difference(cpu: &Summary, gpu: &Summary) -> Option<Difference> {
    let fields: [(&'static str, String, String); 7] = [
        ("count", cpu.count.to_string(), gpu.count.to_string()),
        ("ignored", cpu.ignored.to_string(), gpu.ignored.to_string()),
        ("min", shown(cpu.min), shown(gpu.min)),
        ("max", shown(cpu.max), shown(gpu.max)),
        (
            "breaches",
            format!("{:?}", cpu.breaches),
            format!("{:?}", gpu.breaches),
        ),
        (
            "distinct",
            format!("{:?}", unlike(cpu, gpu)),
            format!("{:?}", unlike(gpu, cpu)),
        ),
        (
            "more_distinct",
            cpu.more_distinct.to_string(),
            gpu.more_distinct.to_string(),
        ),
    ];
    fields
        .into_iter()
        .find(|(_, cpu, gpu)| cpu != gpu)
        .map(|(field, cpu, gpu)| Difference { field, cpu, gpu })
}

fn shown(number: Option<Number>) -> String {
    number.map_or_else(|| "-".to_owned(), |number| number.to_string())
}

/// The first distinct value of one side that the other counts differently.
fn unlike(one: &Summary, other: &Summary) -> Option<(Number, u64, u64)> {
    one.distinct
        .iter()
        .find(|(number, seen)| other.distinct.get(number) != Some(*seen))
        .map(|(number, seen)| (*number, seen.count, seen.first))
}

/// Copies known bytes to the GPU, there from one buffer to another, and back. How many came back changed.
fn there_and_back(engine: &Engine, round: u64) -> Result<u64, GpuError> {
    let mut state = round;
    let known: Vec<u8> = (0..COPY / 8)
        .flat_map(|_| mixed(&mut state).to_le_bytes())
        .collect();
    let scope = Scope::new(&engine.device);
    let both = wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC;
    let first = buffer(&engine.device, COPY, both);
    let second = buffer(&engine.device, COPY, both);
    let back = buffer(
        &engine.device,
        COPY,
        wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
    );
    engine.queue.write_buffer(&first, 0, &known);
    let mut encoder = engine.encoder();
    encoder.copy_buffer_to_buffer(&first, 0, &second, 0, COPY);
    encoder.copy_buffer_to_buffer(&second, 0, &back, 0, COPY);
    let submission = engine.queue.submit([encoder.finish()]);
    scope.ok(&engine.watch)?;
    let words = engine.download(&submission, &back, COPY)?;
    let (expected, _) = known.as_chunks::<4>();
    let changed = words
        .iter()
        .zip(expected)
        .map(|(word, expected)| {
            let bytes = word.to_le_bytes();
            bytes.iter().zip(expected).filter(|(a, b)| a != b).count() as u64
        })
        .sum();
    Ok(changed)
}
