use std::path::PathBuf;

use super::*;
use crate::labels::TestFolder;

fn run(path: &Path) -> Vec<Source> {
    survey(&[Given::path(path)], &AtomicBool::new(false))
}

/// One line a source: kind, split, files, troubles.
fn summary(source: &Source) -> String {
    let mut line = match &source.kind {
        SourceKind::Labels { format, files } => format!("{} {}", format.id(), files.len()),
        SourceKind::Refused(error) => format!("refused {error}"),
        other => format!("{other:?}"),
    };
    if let Some(split) = &source.split {
        line += &format!(" {split}");
    }
    for trouble in &source.troubles {
        line += &format!(" {:?}", trouble.kind);
    }
    line
}

fn fixtures() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/labels")
}

#[test]
fn dump() {
    let mut names: Vec<_> = std::fs::read_dir(fixtures()).expect("fixtures").flatten().map(|e| e.path()).collect();
    names.sort();
    for path in names {
        let found: Vec<String> = run(&path).iter().map(summary).collect();
        println!("{:?}, {found:?}", path.file_name().unwrap());
    }
}
