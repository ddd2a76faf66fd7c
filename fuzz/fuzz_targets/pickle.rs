//! Any bytes read as `LabelFormat::Pickle`: no panic, no hang, and every region lies inside the file.
//!
//! `mkdir -p fuzz/corpus/pickle && cargo +nightly fuzz run pickle fuzz/corpus/pickle tests/fixtures/labels/pkl_shared`

#![no_main]

mod arrays;

use assert_doctor::labels::LabelFormat;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| arrays::read(bytes, LabelFormat::Pickle));
