//! How fast the shader is, apart from reading and upload.

use std::time::{Duration, Instant};

use super::super::{ElementType, GpuError, GpuInfo, GpuKind, Measured, Number, Rule};
use super::adapters;
use super::commands::{Scope, buffer};
use super::engine::Engine;
use super::keys::Keys;
use super::shared;

/// Bytes that are checked and copied at a time; the lowest tier of devices can bind as many.
const SIZE: u64 = 128 << 20;
/// The same for software that plays a GPU, which takes seconds for what a card does in a millisecond.
const SOFTWARE_SIZE: u64 = 8 << 20;
/// A measurement takes at least so long, so that the start of a command does not count.
const LONG_ENOUGH: Duration = Duration::from_millis(300);
/// Commands of one measurement at most.
const MOST_TIMES: u32 = 4096;

/// Types whose speed is told: the usual label types, and a float.
const TYPES: [ElementType; 6] = [
    ElementType::U8,
    ElementType::U16,
    ElementType::I32,
    ElementType::I64,
    ElementType::F32,
    ElementType::F64,
];

/// Measures a GPU.
pub(in crate::range_check) fn measure(number: Option<usize>) -> Result<Measured, GpuError> {
    let began = Instant::now();
    let (first, _) = shared::open(number, true);
    let number = first?.info.number;
    let start = began.elapsed();
    // Once more, with larger chunks.
    let listed = adapters::list(adapters::backends());
    let (opened, _) = adapters::open(listed, Some(number), true, &adapters::limits);
    let opened = opened?;
    let is_software = opened.info.kind == GpuKind::Software;
    let mut engine = Engine::sized(opened, if is_software { SOFTWARE_SIZE } else { SIZE })?;
    let info: GpuInfo = engine.info.clone();
    let size = engine.next_chunk().1 * 2;
    let copy = copies(&engine, size)?;
    let upload = uploads(&engine, size)?;
    let mut kernels = Vec::new();
    for element in TYPES {
        kernels.push((element, kernel(&mut engine, element)?));
    }
    Ok(Measured {
        gpu: info,
        start,
        size,
        copy,
        upload,
        kernels,
    })
}

/// Bytes a second of a command that is repeated until it takes long enough; what a single one takes besides is left out by
/// measuring two different numbers of them.
fn rate(
    size: u64,
    mut run: impl FnMut(u32) -> Result<Duration, GpuError>,
) -> Result<f64, GpuError> {
    run(1)?;
    // Software that plays a GPU: once more is enough.
    let once = run(1)?;
    if once > LONG_ENOUGH {
        return Ok(size as f64 / once.as_secs_f64());
    }
    let mut times = 1;
    while times < MOST_TIMES && run(times)? < LONG_ENOUGH {
        times *= 2;
    }
    let mut rates = Vec::new();
    for _ in 0..3 {
        let (short, long) = (run(times)?, run(times * 3)?);
        let took = long.saturating_sub(short).as_secs_f64().max(1e-9);
        rates.push(f64::from(times * 2) * size as f64 / took);
    }
    rates.sort_by(f64::total_cmp);
    Ok(rates.get(1).copied().unwrap_or_default())
}

/// Bytes a second that are copied from one buffer on the device to another.
fn copies(engine: &Engine, size: u64) -> Result<f64, GpuError> {
    moved(engine, size, wgpu::BufferUsages::COPY_DST)
}

/// Bytes a second that go up from memory that the driver can read at once: the limit of every check of a file.
fn uploads(engine: &Engine, size: u64) -> Result<f64, GpuError> {
    moved(engine, size, wgpu::BufferUsages::MAP_WRITE)
}

/// Bytes a second from a buffer of this kind to one on the device.
fn moved(engine: &Engine, size: u64, kind: wgpu::BufferUsages) -> Result<f64, GpuError> {
    let scope = Scope::new(&engine.device);
    let from = buffer(&engine.device, size, kind | wgpu::BufferUsages::COPY_SRC);
    let to = buffer(&engine.device, size, wgpu::BufferUsages::COPY_DST);
    scope.ok(&engine.watch)?;
    rate(size, |times| {
        let mut encoder = engine.encoder();
        for _ in 0..times {
            encoder.copy_buffer_to_buffer(&from, 0, &to, 0, size);
        }
        let began = Instant::now();
        let submission = engine.queue.submit([encoder.finish()]);
        engine.wait(&submission)?;
        Ok(began.elapsed())
    })
}

/// Bytes a second that the shader checks of values that lie on the device.
fn kernel(engine: &mut Engine, element: ElementType) -> Result<f64, GpuError> {
    let rule = Rule {
        lo: Some(Number::from(0_u8)),
        hi: Some(Number::from(79_u8)),
        ignore: vec![Number::from(-100_i8)],
        fractions: false,
    };
    engine.begin(Keys::of(&rule, element), element, false)?;
    let (_, most_values) = engine.next_chunk();
    let values = (engine.capacity / element.size()).min(most_values);
    engine.preload(&labels(element, values))?;
    rate(values * element.size(), |times| {
        let began = Instant::now();
        engine.repeat(values as u32, times)?;
        Ok(began.elapsed())
    })
}

/// Labels of 80 classes in no order.
fn labels(element: ElementType, values: u64) -> Vec<u8> {
    let mut state = 1_u32;
    let mut bytes = Vec::with_capacity((values * element.size()) as usize);
    for _ in 0..values {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let label = (state >> 16) % 80;
        match element {
            ElementType::F32 => bytes.extend_from_slice(&(label as f32).to_le_bytes()),
            ElementType::F64 => bytes.extend_from_slice(&f64::from(label).to_le_bytes()),
            _ => {
                let all = u64::from(label).to_le_bytes();
                bytes.extend_from_slice(all.get(..element.size() as usize).unwrap_or_default());
            }
        }
    }
    bytes
}
