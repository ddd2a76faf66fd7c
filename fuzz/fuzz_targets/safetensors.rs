//! Any bytes read as `LabelFormat::SafeTensors`: no panic, no hang, and every region lies inside the file.
//!
//! `mkdir -p fuzz/corpus/safetensors && cargo +nightly fuzz run safetensors fuzz/corpus/safetensors tests/fixtures/labels/ckpt_safetensors`

#![no_main]

mod arrays;

use assert_doctor::labels::LabelFormat;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| arrays::read(bytes, LabelFormat::SafeTensors));
