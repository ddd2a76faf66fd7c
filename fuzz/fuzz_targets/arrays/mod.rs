//! What the targets of binary label files have in common.

use std::path::Path;
use std::sync::Arc;

use assert_doctor::labels::{Collected, LabelFormat, Wanted, read_bytes};

/// Reads bytes as a format, and checks what was promised about regions.
pub fn read(bytes: &[u8], format: LabelFormat) {
    let path: Arc<Path> = Path::new("labels").into();
    let mut collected = Collected::default();
    let _ = read_bytes(
        &path,
        bytes.to_vec(),
        format,
        &Wanted::default(),
        &mut collected,
    );
    for region in collected.streams.iter().flat_map(|stream| &stream.regions) {
        assert_eq!(region.shape.len(), region.strides.len());
        if region.shape.contains(&0) {
            continue;
        }
        let axes = region.shape.iter().zip(&region.strides);
        let last = axes.fold(region.offset, |at, (length, stride)| {
            at + (length - 1) * stride
        });
        assert!(
            last + region.element.size() <= bytes.len() as u64,
            "a region beyond the file"
        );
    }
}
