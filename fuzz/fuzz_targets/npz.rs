//! Any bytes read as `LabelFormat::Npz`: no panic, no hang, and every region lies inside the file.
//!
//! `mkdir -p fuzz/corpus/npz && cargo +nightly fuzz run npz fuzz/corpus/npz tests/fixtures/labels/npz_medmnist`

#![no_main]

mod arrays;

use assert_doctor::labels::LabelFormat;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| arrays::read(bytes, LabelFormat::Npz));
