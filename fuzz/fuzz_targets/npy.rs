//! Any bytes read as `LabelFormat::Npy`: no panic, no hang, and every region lies inside the file.
//!
//! `mkdir -p fuzz/corpus/npy && cargo +nightly fuzz run npy fuzz/corpus/npy tests/fixtures/labels/npy_int64`

#![no_main]

mod arrays;

use assert_doctor::labels::LabelFormat;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| arrays::read(bytes, LabelFormat::Npy));
