//! Small files of every kind through the readers.

mod coco;
mod fixtures;
mod hostile;
mod json;
mod lists;
mod sniffing;
mod tables;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use super::super::{Collected, CollectedStream, LabelError, LabelFormat, TroubleKind, Wanted};
use super::read;
use crate::range_check::Number;

/// A file that goes away with it.
struct Temp(PathBuf);

impl Temp {
    fn new(name: &str, bytes: &[u8]) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!(
            "assert-doctor-tables-{}-{number}",
            std::process::id()
        ));
        std::fs::create_dir_all(&folder).expect("folder");
        let path = folder.join(name);
        std::fs::write(&path, bytes).expect("file");
        Self(path)
    }

    fn path(&self) -> Arc<Path> {
        self.0.as_path().into()
    }
}

impl Drop for Temp {
    fn drop(&mut self) {
        let _ = self.0.parent().map(std::fs::remove_dir_all);
    }
}

fn column(name: &str) -> Wanted {
    Wanted {
        column: Some(name.to_owned()),
        ..Wanted::default()
    }
}

#[track_caller]
fn collect(path: &Arc<Path>, format: LabelFormat, wanted: &Wanted) -> Collected {
    let mut sink = Collected::default();
    read(path, format, wanted, &mut sink).expect("readable");
    sink
}

#[track_caller]
fn text(name: &str, format: LabelFormat, text: &str, wanted: &Wanted) -> Collected {
    collect(&Temp::new(name, text.as_bytes()).path(), format, wanted)
}

fn error(path: &Arc<Path>, format: LabelFormat, wanted: &Wanted) -> Result<(), LabelError> {
    read(path, format, wanted, &mut Collected::default())
}

/// The values of a stream, as they are printed.
fn values(stream: &CollectedStream) -> Vec<String> {
    stream
        .values
        .values()
        .map(|(v, ..)| v.to_string())
        .collect()
}

/// Where a stream holds a value first: line, row, position.
#[track_caller]
fn first(stream: &CollectedStream, value: impl Into<Number>) -> [Option<u64>; 3] {
    let value = value.into();
    let (_, place, _) = stream
        .values
        .values()
        .find(|(v, ..)| *v == value)
        .expect("the value");
    [place.line, place.row, place.position]
}

fn kinds(found: &Collected) -> Vec<&TroubleKind> {
    found.troubles.iter().map(|t| &t.kind).collect()
}

fn names(stream: &CollectedStream) -> Vec<&str> {
    stream.names.iter().map(|(n, _)| n.as_str()).collect()
}
