//! The check against a reference that is too simple to be wrong.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use proptest::prelude::*;

use super::*;

/// Everything that [`check`] promises, one value after the other.
pub(super) fn reference(rule: &Rule, values: &[(u64, Number)]) -> (Summary, Vec<Offence>) {
    let mut summary = Summary::default();
    let mut offences = Vec::new();
    for &(index, value) in values {
        summary.count += 1;
        if !value.is_fraction() || rule.breach(value).is_some() {
            let seen = summary.distinct.entry(value).or_insert(Seen {
                count: 0,
                first: index,
            });
            seen.count += 1;
            seen.first = seen.first.min(index);
        }
        if rule.ignore.contains(&value) {
            summary.ignored += 1;
        } else if !value.is_nan() && !value.is_infinite() {
            summary.min = Some(summary.min.map_or(value, |m| m.min(value)));
            summary.max = Some(summary.max.map_or(value, |m| m.max(value)));
        }
        if let Some(breach) = rule.breach(value) {
            let entry = summary.breaches.entry(breach).or_default();
            entry.0 += 1;
            entry.1.push((index, value));
            offences.push((index, value, breach));
        }
    }
    for (_, firsts) in summary.breaches.values_mut() {
        firsts.sort_unstable();
        firsts.truncate(MOST_FIRSTS);
    }
    while summary.distinct.len() > MOST_DISTINCT {
        summary.distinct.pop_last();
        summary.more_distinct = true;
    }
    (summary, offences)
}

pub(super) struct Bytes(pub Vec<u8>);

impl Blocks for Bytes {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let from = offset as usize;
        let bytes = self.0.get(from..from + buffer.len());
        buffer.copy_from_slice(bytes.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

/// The value of an element, decoded in the plainest way.
fn element(bytes: &[u8], element: ElementType, big_endian: bool) -> Number {
    let mut b = bytes.to_vec();
    if big_endian {
        b.reverse();
    }
    let n = |i: usize| b[i];
    match element {
        ElementType::Bool => Number::from(u8::from(n(0) != 0)),
        ElementType::U8 => Number::from(n(0)),
        ElementType::I8 => Number::from(n(0) as i8),
        ElementType::U16 => Number::from(u16::from_le_bytes([n(0), n(1)])),
        ElementType::I16 => Number::from(i16::from_le_bytes([n(0), n(1)])),
        ElementType::U32 => Number::from(u32::from_le_bytes(b.try_into().unwrap())),
        ElementType::I32 => Number::from(i32::from_le_bytes(b.try_into().unwrap())),
        ElementType::U64 => Number::from(u64::from_le_bytes(b.try_into().unwrap())),
        ElementType::I64 => Number::from(i64::from_le_bytes(b.try_into().unwrap())),
        ElementType::F16 => Number::from(half::f16::from_le_bytes([n(0), n(1)]).to_f64()),
        ElementType::Bf16 => Number::from(half::bf16::from_le_bytes([n(0), n(1)]).to_f64()),
        ElementType::F32 => Number::from(f64::from(f32::from_le_bytes(b.try_into().unwrap()))),
        ElementType::F64 => Number::from(f64::from_le_bytes(b.try_into().unwrap())),
    }
}

pub(super) const ELEMENTS: [ElementType; 13] = ElementType::ALL;

/// A small label, a float, or whatever bytes give.
pub(super) fn bytes_of(element: ElementType, seed: u64) -> Vec<u8> {
    let small = (seed >> 8) as i64 % 24 - 4;
    let odd = [
        0.5,
        -0.0,
        f64::NAN,
        f64::INFINITY,
        -3.25,
        1e20,
        255.0,
        -100.0,
    ];
    match (element, seed % 16) {
        (_, 0) => seed
            .to_le_bytes()
            .into_iter()
            .take(element.size() as usize)
            .collect(),
        (ElementType::F64, k) => {
            let x = if k < 3 {
                odd[(seed >> 8) as usize % 8]
            } else {
                small as f64
            };
            x.to_le_bytes().to_vec()
        }
        (ElementType::F32, k) => {
            let x = if k < 3 {
                odd[(seed >> 8) as usize % 8]
            } else {
                small as f64
            };
            (x as f32).to_le_bytes().to_vec()
        }
        (ElementType::F16, _) => half::f16::from_f64(small as f64 / 2.0)
            .to_le_bytes()
            .to_vec(),
        (ElementType::Bf16, _) => half::bf16::from_f64(small as f64 / 2.0)
            .to_le_bytes()
            .to_vec(),
        _ => small
            .to_le_bytes()
            .into_iter()
            .take(element.size() as usize)
            .collect(),
    }
}

pub(super) fn rules() -> impl Strategy<Value = Rule> {
    let end = prop_oneof![
        Just(None),
        (-6_i64..22).prop_map(|n| Some(Number::from(n))),
        Just(Some(Number::from(0.75))),
        Just(Some(Number::from(1_i128 << 90))),
    ];
    let ignore = prop::collection::vec(
        prop_oneof![
            (-6_i64..22).prop_map(Number::from),
            Just(Number::from(255_u8)),
            Just(Number::from(-100_i8)),
            Just(Number::from(f64::NAN)),
            Just(Number::from(0.5)),
        ],
        0..3,
    );
    (end.clone(), end, ignore, any::<bool>()).prop_map(|(lo, hi, ignore, fractions)| Rule {
        lo,
        hi,
        ignore,
        fractions,
    })
}

/// A block of values of a type, decoded by the reader under test.
fn with_values<R>(bytes: &[u8], element: ElementType, f: impl Fn(Values<'_>) -> R) -> R {
    macro_rules! wide {
        ($t:ty, $variant:ident) => {{
            let size = size_of::<$t>();
            let values: Vec<$t> = bytes
                .chunks_exact(size)
                .map(|c| <$t>::from_le_bytes(c.try_into().unwrap()))
                .collect();
            f(Values::$variant(&values))
        }};
    }
    match element {
        ElementType::Bool => f(Values::Bool(bytes)),
        ElementType::U8 => f(Values::U8(bytes)),
        ElementType::I8 => wide!(i8, I8),
        ElementType::U16 => wide!(u16, U16),
        ElementType::I16 => wide!(i16, I16),
        ElementType::U32 => wide!(u32, U32),
        ElementType::I32 => wide!(i32, I32),
        ElementType::U64 => wide!(u64, U64),
        ElementType::I64 => wide!(i64, I64),
        ElementType::F16 => wide!(u16, F16),
        ElementType::Bf16 => wide!(u16, Bf16),
        ElementType::F32 => wide!(f32, F32),
        ElementType::F64 => wide!(f64, F64),
    }
}

fn dense_of(
    element: ElementType,
    big_endian: bool,
    shape: Vec<u64>,
    strides: Vec<u64>,
    offset: u64,
) -> Dense {
    Dense {
        offset,
        element,
        big_endian,
        shape,
        strides,
    }
}

/// Values of an array in reading order, expanded axes once.
pub(super) fn walk(bytes: &[u8], dense: &Dense) -> Vec<(u64, Number)> {
    let mut out = Vec::new();
    let count: u64 = dense.shape.iter().product();
    for index in 0..count {
        let (mut rest, mut byte, mut repeated) = (index, dense.offset, false);
        for (length, stride) in dense.shape.iter().zip(&dense.strides).rev() {
            let place = rest % length;
            rest /= length;
            byte += place * stride;
            repeated |= *stride == 0 && place > 0;
        }
        if !repeated {
            let size = dense.element.size() as usize;
            let at = byte as usize;
            out.push((
                index,
                self::element(&bytes[at..at + size], dense.element, dense.big_endian),
            ));
        }
    }
    out
}

#[track_caller]
fn check_array(rule: &Rule, bytes: Vec<u8>, dense: &Dense) {
    let (expected, offences) = reference(rule, &walk(&bytes, dense));
    let cancel = AtomicBool::new(false);
    let bytes = Bytes(bytes);
    // However few offenders are wanted, all are counted, and those that are told are the first.
    for most in [u64::MAX, 60, 3, 0] {
        let mut told = Vec::new();
        let summary = check_dense(rule, dense, &bytes, &cancel, &|_| {}, most, &mut |o| {
            told.push(o);
        });
        assert_eq!(summary.unwrap(), expected, "{dense:?}");
        let wanted = offences
            .len()
            .min(usize::try_from(most).unwrap_or(usize::MAX));
        assert_eq!(told, offences[..wanted], "{most} of {dense:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(160))]

    #[test]
    fn cuts_and_orders_do_not_matter(
        kind in 0..ELEMENTS.len(),
        seeds in prop::collection::vec(any::<u64>(), 0..400),
        rule in rules(),
        cuts in prop::collection::vec(0..400_usize, 0..6),
        turned in any::<bool>(),
    ) {
        let kind = ELEMENTS[kind];
        let size = kind.size() as usize;
        let bytes: Vec<u8> = seeds.iter().flat_map(|seed| bytes_of(kind, *seed)).collect();
        let numbers: Vec<(u64, Number)> = bytes
            .chunks_exact(size)
            .enumerate()
            .map(|(i, c)| (i as u64, element(c, kind, false)))
            .collect();
        let (expected, offences) = reference(&rule, &numbers);
        let mut ends: Vec<usize> = cuts.into_iter().filter(|cut| *cut < numbers.len()).collect();
        ends.extend([0, numbers.len()]);
        ends.sort_unstable();
        let mut parts = Vec::new();
        let mut told = Vec::new();
        let mut whole = Summary::default();
        for (part, pair) in ends.windows(2).enumerate() {
            let (from, to) = (pair[0], pair[1]);
            let mut summary = Summary::default();
            let offenders = with_values(&bytes[from * size..to * size], kind, |values| {
                let mut offenders = Vec::new();
                // Texts come as mixed numbers.
                let mixed: Vec<Number> = (0..values.len()).filter_map(|i| values.get(i)).collect();
                let values = if part % 2 == 0 { values } else { Values::Numbers(&mixed) };
                let mut summary = Summary::default();
                let index = |i| (from + i) as u64;
                check(&rule, values, &index, &mut summary, &mut |i, n, b| offenders.push((i, n, b)));
                (offenders, summary)
            });
            told.extend(offenders.0.into_iter().map(|(i, n, b)| ((from + i) as u64, n, b)));
            summary.merge(offenders.1);
            whole.merge(summary.clone());
            parts.push(summary);
        }
        prop_assert_eq!(&whole, &expected);
        prop_assert_eq!(told, offences);
        if turned { parts.reverse() } else { parts.rotate_left(1.min(ends.len() - 2)) }
        let mut other = Summary::default();
        for part in parts {
            other.merge(part);
        }
        prop_assert_eq!(&other, &expected);
    }

    #[test]
    fn any_layout_gives_reading_order(
        kind in 0..ELEMENTS.len(),
        big_endian in any::<bool>(),
        shape in prop::collection::vec(0..7_u64, 0..4),
        order in any::<u64>(),
        gap in 0..3_u64,
        expanded in 0..6_usize,
        offset in 0..9_u64,
        rule in rules(),
        seed in any::<u64>(),
    ) {
        let kind = ELEMENTS[kind];
        let mut axes: Vec<usize> = (0..shape.len()).collect();
        let mut rest = order;
        for i in (1..axes.len()).rev() {
            axes.swap(i, (rest % (i as u64 + 1)) as usize);
            rest /= 7;
        }
        let mut strides = vec![0; shape.len()];
        let mut step = kind.size() * (1 + gap);
        for axis in axes {
            strides[axis] = if axis == expanded { 0 } else { step };
            step = step * shape[axis].max(1) + gap * u64::from(rest % 2 == 0) * kind.size();
        }
        let size = (offset + 2 * step + 16) as usize;
        let mut state = seed;
        let mut bytes = Vec::new();
        while bytes.len() < size {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let mut value = bytes_of(kind, state >> 16);
            if big_endian {
                value.reverse();
            }
            bytes.extend(value);
        }
        check_array(&rule, bytes, &dense_of(kind, big_endian, shape, strides, offset));
    }
}

fn rule(lo: i64, hi: i64) -> Rule {
    Rule {
        lo: Some(Number::from(lo)),
        hi: Some(Number::from(hi)),
        ignore: vec![Number::from(255_u8)],
        fractions: false,
    }
}

#[test]
fn large_arrays_of_every_layout() {
    let values: Vec<u8> = (0..3_000_000_u64)
        .map(|i| match i % 9973 {
            0 => 40,
            _ => (i.wrapping_mul(2_654_435_761) >> 20) as u8 % 21,
        })
        .collect();
    let strides = [
        (vec![3_000_000], vec![1]),
        (vec![1_000_000], vec![3]),
        (vec![1000, 3000], vec![3000, 1]),
        (vec![1000, 3000], vec![1, 1000]),
        (vec![300], vec![10_000]),
        (vec![300, 5], vec![10_000, 7]),
        (vec![3, 1000, 100], vec![1_000_000, 1, 1000]),
        (vec![1_000_000, 4], vec![1, 1]),
        (vec![7, 1_000_000], vec![0, 2]),
    ];
    for (shape, strides) in strides {
        let dense = dense_of(ElementType::U8, false, shape, strides, 0);
        check_array(&rule(0, 20), values.clone(), &dense);
    }
}

#[test]
fn the_smallest_distinct_values_are_kept_whatever_the_cuts() {
    let numbers: Vec<(u64, Number)> = (0..200_000_u64)
        .map(|i| {
            (
                i,
                Number::from((i.wrapping_mul(7919) % 150_000) as i64 * 3 - 1000),
            )
        })
        .collect();
    let rule = rule(0, 300_000);
    let (expected, _) = reference(&rule, &numbers);
    assert!(expected.more_distinct);
    let values: Vec<i64> = numbers
        .iter()
        .map(|(_, n)| n.as_int().unwrap() as i64)
        .collect();
    for cut in [200_000, 70_000, 9_999] {
        let mut parts: Vec<Summary> = Vec::new();
        for (part, block) in values.chunks(cut).enumerate() {
            let mut summary = Summary::default();
            let index = |i| (part * cut + i) as u64;
            check(
                &rule,
                Values::I64(block),
                &index,
                &mut summary,
                &mut |_, _, _| {},
            );
            parts.push(summary);
        }
        parts.reverse();
        let mut whole = Summary::default();
        for part in parts {
            whole.merge(part);
        }
        assert!(whole == expected, "cut {cut}");
    }
    let bytes = values.iter().flat_map(|n| n.to_be_bytes()).collect();
    let dense = dense_of(ElementType::I64, true, vec![200_000], vec![8], 0);
    check_array(&rule, bytes, &dense);
}

#[test]
fn sizes_beyond_64_bits_and_missing_bytes_are_errors() {
    let cancel = AtomicBool::new(false);
    let run = |dense: &Dense| {
        check_dense(
            &rule(0, 1),
            dense,
            &Bytes(vec![0; 10]),
            &cancel,
            &|_| {},
            u64::MAX,
            &mut |_| {},
        )
    };
    for (shape, strides) in [
        (vec![u64::MAX, u64::MAX], vec![8, 8]),
        (vec![3], vec![u64::MAX]),
        (vec![11], vec![1]),
        (vec![2], vec![]),
    ] {
        assert!(run(&dense_of(ElementType::U8, false, shape, strides, 0)).is_err());
    }
    let nothing = run(&dense_of(
        ElementType::U8,
        false,
        vec![0, u64::MAX],
        vec![1, 1],
        0,
    ));
    assert_eq!(nothing.unwrap(), Summary::default());
}

#[test]
fn a_cancelled_check_ends() {
    let cancel = AtomicBool::new(false);
    let bytes = Bytes(vec![9; 64 << 20]);
    let dense = dense_of(ElementType::U8, false, vec![64 << 20], vec![1], 0);
    let mut told = 0_u64;
    let summary = check_dense(
        &rule(0, 3),
        &dense,
        &bytes,
        &cancel,
        &|_| {},
        u64::MAX,
        &mut |_| {
            told += 1;
            cancel.store(true, Ordering::Relaxed);
        },
    );
    assert!(summary.unwrap().count < 64 << 20);
    assert!(told < 2 << 20);
}

#[test]
fn breaches_are_told_apart() {
    let values = [f64::NAN, f64::INFINITY, 2.5, -1.0, 9.0, 255.0, -0.0];
    let mut summary = Summary::default();
    check(
        &rule(0, 3),
        Values::F64(&values),
        &|i| i as u64,
        &mut summary,
        &mut |_, _, _| {},
    );
    let counts: BTreeMap<Breach, u64> = summary
        .breaches
        .iter()
        .map(|(b, (n, _))| (*b, *n))
        .collect();
    assert_eq!(counts, Breach::ALL.map(|breach| (breach, 1)).into());
    assert_eq!((summary.count, summary.ignored), (7, 1));
    assert_eq!(
        (summary.min, summary.max),
        (Some(Number::from(-1_i8)), Some(Number::from(9_i8)))
    );
}
