//! Any bytes read as `LabelFormat::Torch`: no panic, no hang, and every region lies inside the file.
//!
//! `mkdir -p fuzz/corpus/torch && cargo +nightly fuzz run torch fuzz/corpus/torch tests/fixtures/labels/pt_dict`

#![no_main]

mod arrays;

use assert_doctor::labels::LabelFormat;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| arrays::read(bytes, LabelFormat::Torch));
