//! Any bytes, cut anywhere: the scanner never panics, and the cuts do not show in the facts.
//!
//! `mkdir -p fuzz/corpus/scanner && cargo +nightly fuzz run scanner fuzz/corpus/scanner tests/fixtures/logs`

#![no_main]

use assert_doctor::crash_log::{LineIndex, Scanner, decode_lines};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut scanner = Scanner::new();
    scanner.push(bytes);
    let (facts, index) = scanner.finish();

    // Cuts that differ from input to input, short ones often.
    let mut state = bytes.iter().fold(bytes.len() as u64 | 1, |state, &byte| {
        state.wrapping_mul(31).wrapping_add(u64::from(byte))
    });
    let mut scanner = Scanner::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let cut = ((state >> 33) as usize % 40 + 1).min(rest.len());
        let (now, later) = rest.split_at(cut);
        scanner.push(now);
        rest = later;
    }
    assert_eq!((&facts, &index), (&scanner.finish().0, &index));

    assert!(facts.marks.iter().all(|mark| mark.lines.start() <= mark.lines.end() && *mark.lines.end() <= facts.line_count));
    assert!(facts.assertions.iter().all(|group| group.count > 0 && group.first_line >= 1));

    let shown = decode_lines(bytes, &facts.encodings);
    assert!(shown.len() as u64 <= facts.line_count + 1);
    for &offset in &index.offsets {
        let part = bytes.get(offset as usize..).expect("an offset lies in the log");
        decode_lines(part.get(..10_000).unwrap_or(part), &facts.encodings);
    }
    assert!(index.offsets.len() as u64 <= facts.line_count / LineIndex::STRIDE + 1);
});
