//! Any bytes read as `LabelFormat::Tokens`: no panic, no hang, and every region lies inside the file.
//!
//! `mkdir -p fuzz/corpus/tokens && cargo +nightly fuzz run tokens fuzz/corpus/tokens tests/fixtures/labels/nanogpt`

#![no_main]

mod arrays;

use assert_doctor::labels::LabelFormat;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| arrays::read(bytes, LabelFormat::Tokens));
