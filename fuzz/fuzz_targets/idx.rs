//! Any bytes read as `LabelFormat::Idx`: no panic, no hang, and every region lies inside the file.
//!
//! `mkdir -p fuzz/corpus/idx && cargo +nightly fuzz run idx fuzz/corpus/idx tests/fixtures/labels/idx_letters`

#![no_main]

mod arrays;

use assert_doctor::labels::LabelFormat;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| arrays::read(bytes, LabelFormat::Idx));
