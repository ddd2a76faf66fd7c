//! Any bytes as a PNG mask: no panic, every value has its pixel, and no more values than pixels.
//!
//! `mkdir -p fuzz/corpus/png_mask && cargo +nightly fuzz run png_mask fuzz/corpus/png_mask tests/fixtures/labels/mask_palette`

#![no_main]

use std::path::Path;
use std::sync::Arc;

use assert_doctor::labels::{Collected, LabelFormat, Wanted, read};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    // Announced sizes are checked against the file's, so small inputs stay small pictures.
    if bytes.len() > 4096 {
        return;
    }
    let name = format!("assert-doctor-fuzz-{}.png", std::process::id());
    let path: Arc<Path> = std::env::temp_dir().join(name).into();
    std::fs::write(&path, bytes).expect("a temporary file");
    for colours in [Vec::new(), vec![([0, 0, 0], "a".to_owned()), ([128, 0, 0], "b".to_owned())]] {
        let wanted = Wanted {
            colours: colours.into(),
            ..Wanted::default()
        };
        let mut sink = Collected::default();
        if read(&path, LabelFormat::Mask, &wanted, &mut sink).is_err() {
            continue;
        }
        for stream in &sink.streams {
            let [height, width] = stream.stream.shape[..] else {
                panic!("a shape of two sides");
            };
            assert!(stream.values.len() as u64 <= width * height);
            for (&index, (_, place, _)) in &stream.values {
                assert_eq!(place.pixel, Some([index % width, index / width]));
            }
        }
    }
});
