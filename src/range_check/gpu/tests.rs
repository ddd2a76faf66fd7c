//! The GPU against the CPU, on whatever adapter the machine has: Mesa's software Vulkan will do.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use super::super::checker::Checker;
use super::super::cpu::{Pass, Told};
use super::super::tests::{Bytes, ELEMENTS, bytes_of, reference, rules, walk};
use super::super::tiles::Tiles;
use super::super::{
    Dense, DeviceChoice, DeviceWhy, ElementType, GpuError, Number, Offence, Rule, Summary,
    check_dense,
};
use super::adapters;
use super::engine::Engine;
use super::part::{Done, GpuPart, MOST_EPOCH};
use super::shared::{Shared, Tuning};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// What goes wrong on purpose.
#[derive(Debug, Default)]
pub(super) enum Fault {
    #[default]
    None,
    /// The device is destroyed before this submission.
    LoseBefore(AtomicU64),
    /// A command that no device takes comes before this submission.
    BlunderBefore(AtomicU64),
}

impl Fault {
    pub fn strike(&self, engine: &Engine) {
        let is_now = |left: &AtomicU64| left.fetch_sub(1, Ordering::Relaxed) == 1;
        match self {
            Self::None => {}
            Self::LoseBefore(left) => {
                if is_now(left) {
                    engine.device.destroy();
                }
            }
            Self::BlunderBefore(left) => {
                if is_now(left) {
                    let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::STORAGE;
                    super::commands::buffer(&engine.device, 3, usage);
                }
            }
        }
    }
}

thread_local! {
    /// Slots larger than this find no memory.
    static MEMORY: std::cell::Cell<u64> = const { std::cell::Cell::new(u64::MAX) };
}

pub(super) fn refuses(capacity: u64) -> bool {
    MEMORY.with(|memory| capacity > memory.get())
}

/// A device with so large chunks; `None` where the machine has no adapter at all, which is no fault of this program's.
fn engine(most: u64) -> Option<Engine> {
    let listed = adapters::list(adapters::backends());
    let (opened, skipped) = adapters::open(listed, None, true, &adapters::limits);
    match opened {
        Ok(opened) => Some(Engine::sized(opened, most).expect("an engine")),
        Err(error) => {
            let has_to = std::env::var_os("CI").is_some();
            assert!(!has_to, "no adapter here: {error}, {skipped:?}");
            None
        }
    }
}

fn gpu(
    engine: &mut Engine,
    rule: &Rule,
    dense: &Dense,
    bytes: &Bytes,
    (tile, most_epoch, most): (u64, u64, u64),
) -> (Summary, Vec<Offence>) {
    let mut offences = Vec::new();
    let mut tell = |offence| offences.push(offence);
    let mut told = Told::new(most, &mut tell);
    let Some(tiles) = Tiles::sized(dense, tile).expect("tiles") else {
        return (Summary::default(), offences);
    };
    let cancel = AtomicBool::new(false);
    let pass = Pass {
        rule,
        dense,
        tiles: &tiles,
        blocks: bytes,
        cancel: &cancel,
        progress: &|_| {},
    };
    let mut done = Done::default();
    let mut part = GpuPart {
        pass,
        engine,
        part: 0..tiles.count(),
        most_epoch,
    };
    part.run(&mut done, &mut told).expect("a check");
    assert_eq!(done.tiles, tiles.count());
    assert_eq!(done.bytes, tiles.bytes());
    told.finish(&mut done.summary);
    (done.summary, offences)
}

fn line(element: ElementType, big_endian: bool, count: u64) -> Dense {
    Dense {
        offset: 0,
        element,
        big_endian,
        shape: vec![count],
        strides: vec![element.size()],
    }
}

/// Any value of a type: labels, the ends of the table and of the type, neighbours of the rule's ends, NaN with any payload.
fn any_value(element: ElementType, seed: u64) -> Vec<u8> {
    let size = element.size() as usize;
    let near = [
        -257_i64, -256, -255, -1, 0, 1, 1791, 1792, 1793, 65_535, 65_536, 262_143, 262_144,
    ];
    let bits = match seed % 8 {
        0..=3 => return bytes_of(element, seed / 8),
        4 => {
            let n = near[(seed >> 8) as usize % near.len()];
            match element {
                ElementType::F16 => u64::from(half::f16::from_f64(n as f64).to_bits()),
                ElementType::Bf16 => u64::from(half::bf16::from_f64(n as f64).to_bits()),
                ElementType::F32 => u64::from((n as f32).to_bits()),
                ElementType::F64 => (n as f64).to_bits(),
                _ => n as u64,
            }
        }
        // Ones behind zeros and zeros behind ones: extremes, powers of two, infinities, NaN.
        5 => u64::MAX << (seed >> 8 & 63),
        6 => u64::MAX >> (seed >> 8 & 63),
        _ => seed.rotate_left(23),
    };
    // From the upper end for floats: that is where sign and exponent are.
    let all = if element.is_float() && seed & 64 == 0 {
        bits.to_be_bytes()
    } else {
        bits.to_le_bytes()
    };
    all[..size].to_vec()
}

/// Lengths about the edges of words, vectors, workgroups, tiles and chunks.
fn lengths() -> impl Strategy<Value = usize> {
    let edge = |edge: usize| (0..5_usize).prop_map(move |by| (edge + by).saturating_sub(2));
    prop_oneof![
        4 => 0..70_usize,
        2 => edge(256), 2 => edge(512), 1 => edge(1024), 1 => edge(2048), 1 => edge(4096),
        1 => 0..6000_usize,
    ]
}

#[derive(Clone, Debug)]
struct CaseOf {
    element: ElementType,
    turned: bool,
    length: usize,
    seed: u64,
    rule: Rule,
    /// All values are of these few: long runs.
    few: Option<u64>,
    tile: u64,
    epoch: u64,
    most: u64,
}

fn cases() -> impl Strategy<Value = CaseOf> {
    let far = prop_oneof![
        Just(None),
        Just(Some(Number::from(f64::INFINITY))),
        Just(Some(Number::from(f64::NEG_INFINITY))),
        Just(Some(Number::from(f64::NAN))),
        any::<i64>().prop_map(|n| Some(Number::from(n))),
        any::<u64>().prop_map(|n| Some(Number::from(n))),
        any::<u64>().prop_map(|n| Some(Number::from(f64::from_bits(n)))),
        any::<u32>().prop_map(|n| Some(Number::from(f64::from(f32::from_bits(n))))),
    ];
    let rule = (rules(), far.clone(), far, any::<[u8; 3]>()).prop_map(|(mut rule, lo, hi, how)| {
        if how[0] < 64 {
            rule.lo = lo;
        }
        if how[1] < 64 {
            rule.hi = hi;
        }
        if how[2] < 64 {
            rule.ignore.extend(lo);
            rule.ignore.extend(hi);
        }
        rule
    });
    (
        (
            0..ELEMENTS.len(),
            any::<bool>(),
            lengths(),
            any::<u64>(),
            rule,
        ),
        (
            prop_oneof![2 => Just(None), 1 => (1..5_u64).prop_map(Some)],
            prop_oneof![Just(64_u64), Just(100), Just(512), Just(1024)],
            prop_oneof![Just(1_u64), Just(700), Just(MOST_EPOCH)],
            prop_oneof![Just(0_u64), Just(7), Just(u64::MAX)],
        ),
    )
        .prop_map(
            |((kind, turned, length, seed, rule), (few, tile, epoch, most))| CaseOf {
                element: ELEMENTS[kind],
                turned,
                length,
                seed,
                rule,
                few,
                tile,
                epoch,
                most,
            },
        )
}

fn bytes_of_case(case: &CaseOf) -> Vec<u8> {
    let mut state = case.seed;
    (0..case.length)
        .flat_map(|_| {
            state = state
                .wrapping_mul(0x5851_f42d_4c95_7f2d)
                .wrapping_add(0x1405_7b7e_f767_814f);
            let seed = case.few.map_or(state >> 3, |few| {
                case.seed.wrapping_add((state >> 40) % few * 977)
            });
            let mut value = any_value(case.element, seed);
            if case.turned {
                value.reverse();
            }
            value
        })
        .collect()
}

/// 2,000 cases; another number by `ASSERT_DOCTOR_GPU_CASES`.
#[test]
fn gpu_and_cpu_agree_in_every_field() {
    let Some(engine) = engine(4096) else { return };
    let asked = std::env::var("ASSERT_DOCTOR_GPU_CASES").ok();
    let cases_asked = asked.and_then(|text| text.parse().ok()).unwrap_or(2000);
    let engine = std::cell::RefCell::new(engine);
    let mut runner = TestRunner::new(Config {
        cases: cases_asked,
        max_shrink_iters: 2000,
        failure_persistence: None,
        ..Config::default()
    });
    runner
        .run(&cases(), |case| {
            let bytes = Bytes(bytes_of_case(&case));
            let dense = line(case.element, case.turned, case.length as u64);
            let (expected, offences) = reference(&case.rule, &walk(&bytes.0, &dense));
            let how = (case.tile, case.epoch, case.most);
            let (found, told) = gpu(&mut engine.borrow_mut(), &case.rule, &dense, &bytes, how);
            prop_assert_eq!(found, expected);
            let wanted = offences
                .len()
                .min(usize::try_from(case.most).unwrap_or(usize::MAX));
            prop_assert_eq!(&told, &offences[..wanted]);
            Ok(())
        })
        .unwrap_or_else(|error| panic!("{error}"));
}

/// Rows with gaps, expanded axes, more axes.
#[test]
fn arrays_with_gaps_agree() {
    let Some(mut engine) = engine(4096) else {
        return;
    };
    let rule = Rule {
        lo: Some(Number::from(0_u8)),
        hi: Some(Number::from(9_u8)),
        ignore: vec![Number::from(-1_i8)],
        fractions: false,
    };
    let arrays: [(ElementType, &[u64], &[u64], u64); 7] = [
        (ElementType::I16, &[40, 3], &[24, 2], 4),
        (ElementType::I64, &[30, 5, 2], &[200, 40, 8], 0),
        (ElementType::U8, &[100, 7], &[11, 1], 3),
        (ElementType::F32, &[3, 50], &[0, 4], 0),
        (ElementType::F64, &[50, 3], &[8, 0], 8),
        (ElementType::I8, &[9, 9, 9], &[300, 20, 2], 1),
        (ElementType::Bool, &[], &[], 5),
    ];
    for (element, shape, strides, offset) in arrays {
        let dense = Dense {
            offset,
            element,
            big_endian: false,
            shape: shape.to_vec(),
            strides: strides.to_vec(),
        };
        let last = shape
            .iter()
            .zip(strides)
            .map(|(n, s)| (n - 1) * s)
            .sum::<u64>();
        let length = offset + last + element.size();
        let bytes = Bytes((0..length).map(|i| (i * 7 % 13) as u8).collect());
        let (expected, offences) = reference(&rule, &walk(&bytes.0, &dense));
        for tile in [1, 30, 128, 1024] {
            let how = (tile, MOST_EPOCH, u64::MAX);
            let found = gpu(&mut engine, &rule, &dense, &bytes, how);
            assert_eq!(found, (expected.clone(), offences.clone()), "{dense:?}");
        }
    }
}

/// Far more distinct values than are kept, and most of them outside the table.
#[test]
fn many_distinct_values_agree() {
    let Some(mut engine) = engine(1 << 20) else {
        return;
    };
    let rule = Rule {
        hi: Some(Number::from(1_i64 << 40)),
        ..Rule::default()
    };
    let values: Vec<u8> = (0..200_000_i64)
        .flat_map(|i| ((i * 7_919) % 400_000 - 200_000).to_le_bytes())
        .collect();
    let dense = line(ElementType::I64, false, 200_000);
    let bytes = Bytes(values);
    let (expected, _) = reference(&rule, &walk(&bytes.0, &dense));
    assert!(expected.more_distinct);
    let (found, _) = gpu(&mut engine, &rule, &dense, &bytes, (1 << 16, MOST_EPOCH, 0));
    assert_eq!(found, expected);
}

fn labels() -> (Rule, Dense, Bytes, Summary, Vec<Offence>) {
    let rule = Rule {
        lo: Some(Number::from(0_u8)),
        hi: Some(Number::from(79_u8)),
        ..Rule::default()
    };
    // Three megabytes and something: four tiles, so that a chunk of one tile can be lost in the middle.
    let count = 3 * (1 << 17) + 1000;
    let values: Vec<u8> = (0..count)
        .flat_map(|i: i64| if i % 50_021 == 49_000 { 80 + i } else { i % 80 }.to_le_bytes())
        .collect();
    let dense = line(ElementType::I64, false, count as u64);
    let bytes = Bytes(values);
    let (summary, offences) = reference(&rule, &walk(&bytes.0, &dense));
    assert!(offences.len() > 5);
    (rule, dense, bytes, summary, offences)
}

/// A device that fails in the middle of a file: the CPU goes on, nothing is lost, nothing is counted or told twice.
#[test]
fn a_device_that_fails_in_the_middle_changes_no_answer() {
    let (rule, dense, bytes, expected, offences) = labels();
    for epoch in [1, MOST_EPOCH] {
        for before in 1..5 {
            for is_lost in [true, false] {
                let Some(mut engine) = engine(2 << 20) else {
                    return;
                };
                let left = AtomicU64::new(before);
                engine.fault = if is_lost {
                    Fault::LoseBefore(left)
                } else {
                    Fault::BlunderBefore(left)
                };
                let tuning = Tuning {
                    most_epoch: epoch,
                    ..Tuning::default()
                };
                let checker = Checker::with(DeviceChoice::Gpu(None), Shared::of(engine, tuning));
                let mut told = Vec::new();
                let progress = AtomicU64::new(0);
                let cancel = AtomicBool::new(false);
                let summary = checker.check_dense(
                    &rule,
                    &dense,
                    &bytes,
                    &cancel,
                    &|read| {
                        progress.fetch_max(read, Ordering::Relaxed);
                    },
                    u64::MAX,
                    &mut |offence| told.push(offence),
                );
                let case = format!("before {before}, epoch {epoch}, lost {is_lost}");
                assert_eq!(summary.expect("an answer"), expected, "{case}");
                assert_eq!(told, offences, "{case}");
                let used = checker.used();
                let size = bytes.0.len() as u64;
                if used.fell_back.is_some() {
                    assert!(used.cpu_bytes > 0, "{case}");
                }
                assert_eq!(used.gpu_bytes + used.cpu_bytes, size, "{case}");
                assert_eq!(progress.load(Ordering::Relaxed), size, "{case}");
                // The chunks are as large as two tiles: the second submission is the last.
                assert_eq!(used.fell_back.is_some(), before <= 2, "{case}: {used:?}");
                match used.fell_back {
                    Some(GpuError::Lost(_)) => assert!(is_lost, "{case}"),
                    Some(GpuError::Rejected(_)) => assert!(!is_lost, "{case}"),
                    None => {}
                    Some(other) => panic!("{case}: {other}"),
                }
                // Whoever asks this check for another array is not kept waiting for a dead device.
                let again =
                    checker.check_dense(&rule, &dense, &bytes, &cancel, &|_| {}, 0, &mut |_| {});
                assert_eq!(again.expect("an answer"), expected, "{case}");
            }
        }
    }
}

/// A card that is full: smaller chunks; one without any memory is no GPU.
#[test]
fn a_card_without_memory_gets_smaller_chunks_or_none() {
    let Some(_) = engine(4096) else { return };
    let open = || {
        let listed = adapters::list(adapters::backends());
        adapters::open(listed, None, true, &adapters::limits)
            .0
            .expect("a device")
    };
    MEMORY.with(|memory| memory.set(3 << 20));
    let small = Engine::sized(open(), 32 << 20).expect("smaller");
    assert_eq!(small.next_chunk().1 * 2, 2 << 20);
    MEMORY.with(|memory| memory.set(0));
    let none = Engine::sized(open(), 32 << 20);
    MEMORY.with(|memory| memory.set(u64::MAX));
    assert_eq!(none.expect_err("no memory"), GpuError::OutOfMemory);
}

#[test]
fn no_adapter_is_said_and_the_cpu_checks() {
    let (opened, skipped) = adapters::open(Vec::new(), None, true, &adapters::limits);
    assert_eq!(opened.expect_err("none"), GpuError::NoGpu);
    assert!(skipped.is_empty());
    assert!(adapters::list(wgpu::Backends::empty()).is_empty());
    // A number that no list holds.
    let (rule, dense, bytes, expected, _) = labels();
    let checker = Checker::new(DeviceChoice::Gpu(Some(99)));
    let cancel = AtomicBool::new(false);
    let summary = checker.check_dense(&rule, &dense, &bytes, &cancel, &|_| {}, 0, &mut |_| {});
    assert_eq!(summary.expect("an answer"), expected);
    assert_eq!(
        checker.used().why,
        DeviceWhy::Failed(GpuError::NoSuchGpu(99))
    );
    assert!(!checker.used().is_gpu());
}

/// An adapter of the lowest tier that has compute shaders is enough; one below it is passed over with its reason.
#[test]
fn the_lowest_limits_suffice_and_less_is_passed_over() {
    let (rule, dense, bytes, expected, offences) = labels();
    let Some(_) = engine(4096) else { return };
    let listed = adapters::list(adapters::backends());
    let lowest = |_: &wgpu::Limits| wgpu::Limits::downlevel_defaults();
    let (opened, _) = adapters::open(listed, None, true, &lowest);
    let mut engine = Engine::new(opened.expect("a device")).expect("an engine");
    let found = gpu(
        &mut engine,
        &rule,
        &dense,
        &bytes,
        (1 << 20, MOST_EPOCH, u64::MAX),
    );
    assert_eq!(found, (expected, offences));

    let listed = adapters::list(adapters::backends());
    let count = listed.len();
    let too_low = |_: &wgpu::Limits| wgpu::Limits::downlevel_webgl2_defaults();
    let (opened, skipped) = adapters::open(listed, None, true, &too_low);
    assert_eq!(opened.expect_err("too low"), GpuError::NoCompute);
    assert_eq!(skipped.len(), count);

    // A driver that lists the adapter and then refuses the device.
    let listed = adapters::list(adapters::backends());
    let impossible = |offered: &wgpu::Limits| wgpu::Limits {
        max_bind_groups: u32::MAX,
        ..adapters::limits(offered)
    };
    let (opened, skipped) = adapters::open(listed, None, true, &impossible);
    assert!(matches!(opened.expect_err("refused"), GpuError::Refused(_)));
    assert_eq!(skipped.len(), count);
}

/// *Auto* with small sizes: each way it can end gives the same answer.
#[test]
fn auto_measures_and_changes_no_answer() {
    let (rule, dense, bytes, expected, offences) = labels();
    let auto = |tuning: Tuning, opened: bool| {
        let shared = if opened {
            Shared::of(engine(2 << 20)?, tuning)
        } else {
            Shared::unopened(tuning)
        };
        let checker = Checker::with(DeviceChoice::Auto, shared);
        let cancel = AtomicBool::new(false);
        let mut told = Vec::new();
        let summary = checker.check_dense(
            &rule,
            &dense,
            &bytes,
            &cancel,
            &|_| {},
            u64::MAX,
            &mut |o| {
                told.push(o);
            },
        );
        assert_eq!(summary.expect("an answer"), expected);
        assert_eq!(told, offences);
        let used = checker.used();
        assert_eq!(used.gpu_bytes + used.cpu_bytes, bytes.0.len() as u64);
        Some(used)
    };
    let tuning = Tuning {
        least_auto: 0,
        piece: 1,
        start: Duration::ZERO,
        software: true,
        ..Tuning::default()
    };
    let Some(_) = engine(4096) else { return };
    let large = auto(Tuning::default(), false).expect("an answer");
    assert!(
        matches!(large.why, DeviceWhy::NothingLarge { .. }),
        "{large:?}"
    );
    let quick = Tuning {
        start: Duration::from_secs(1_000_000),
        ..tuning
    };
    let quick = auto(quick, false).expect("an answer");
    assert_eq!(quick.why, DeviceWhy::DoneBefore);
    // Opened from the start: one tile for the CPU, the others for the GPU, and both are measured.
    let measured = auto(tuning, true).expect("an answer");
    assert_eq!(measured.why, DeviceWhy::Measured, "{measured:?}");
    assert!(measured.gpu_bytes > 0 && measured.cpu_bytes > 0);
    assert!(measured.rates.is_some());
    // Opened meanwhile; the CPU may have done all by then.
    let meanwhile = auto(tuning, false).expect("an answer");
    assert!(meanwhile.gpu.is_some(), "{meanwhile:?}");
    // Software is never taken unasked.
    let real = Tuning {
        software: false,
        ..tuning
    };
    let only_software = super::list()
        .iter()
        .all(|gpu| gpu.kind == super::super::GpuKind::Software);
    if only_software {
        assert_eq!(auto(real, false).expect("an answer").why, DeviceWhy::NoGpu);
    }
}

/// Arrays whose bytes stand in another order than the reading order are the CPU's.
#[test]
fn other_orders_go_to_the_cpu() {
    let rule = Rule::default();
    let dense = Dense {
        offset: 0,
        element: ElementType::U8,
        big_endian: false,
        shape: vec![4, 5],
        strides: vec![1, 4],
    };
    let bytes = Bytes((0..20).collect());
    let checker = Checker::new(DeviceChoice::Gpu(None));
    let cancel = AtomicBool::new(false);
    let summary = checker.check_dense(&rule, &dense, &bytes, &cancel, &|_| {}, 0, &mut |_| {});
    assert_eq!(summary.expect("an answer").count, 20);
    assert_eq!(checker.used().why, DeviceWhy::OtherOrder);
}

/// A check that is stopped gives what it found, and an unreadable file is told as the CPU tells it.
#[test]
fn stops_and_unreadable_files_are_as_on_the_cpu() {
    let Some(engine) = engine(2 << 20) else {
        return;
    };
    let (rule, dense, bytes, expected, _) = labels();
    let checker = Checker::with(
        DeviceChoice::Gpu(None),
        Shared::of(engine, Tuning::default()),
    );
    let cancel = AtomicBool::new(false);
    let summary = checker.check_dense(
        &rule,
        &dense,
        &bytes,
        &cancel,
        &|_| cancel.store(true, Ordering::Relaxed),
        0,
        &mut |_| {},
    );
    let found = summary.expect("what was found");
    assert!(found.count > 0 && found.count <= expected.count);
    cancel.store(false, Ordering::Relaxed);
    let cut = Bytes(bytes.0[..bytes.0.len() - 8].to_vec());
    let error = checker.check_dense(&rule, &dense, &cut, &cancel, &|_| {}, 0, &mut |_| {});
    assert_eq!(error.expect_err("cut").kind(), io::ErrorKind::UnexpectedEof);
    // The GPU is none the worse for it.
    let whole = checker.check_dense(&rule, &dense, &bytes, &cancel, &|_| {}, 0, &mut |_| {});
    assert_eq!(whole.expect("an answer"), expected);
    assert_eq!(checker.used().fell_back, None);
    let cpu = check_dense(&rule, &dense, &bytes, &cancel, &|_| {}, 0, &mut |_| {});
    assert_eq!(cpu.expect("an answer"), expected);
}

#[test]
fn a_sound_gpu_is_called_sound_and_a_lost_one_is_not() {
    let Some(engine) = engine(2 << 20) else {
        return;
    };
    let cancel = AtomicBool::new(false);
    let mut steps = Vec::new();
    let health = super::health::of_engine(engine, &cancel, &mut |done| steps.push(done));
    assert!(health.is_sound(), "{health:?}");
    assert_eq!(health.types.len(), 13);
    assert!(health.types.iter().all(|found| found.values > 0));
    assert!(health.copied > 0);
    assert!(steps.is_sorted() && steps.last() == Some(&1.0), "{steps:?}");

    let Some(mut engine) = self::engine(2 << 20) else {
        return;
    };
    engine.fault = Fault::LoseBefore(AtomicU64::new(5));
    let lost = super::health::of_engine(engine, &cancel, &mut |_| {});
    assert!(!lost.is_sound());
    assert!(matches!(lost.failed, Some(GpuError::Lost(_))), "{lost:?}");
}
