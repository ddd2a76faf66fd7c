//! Every text that the window asks for exists in both languages, and every text that exists is asked for.

use std::collections::BTreeSet;
use std::path::Path;

use assert_doctor::inputs::SAMPLES;
use assert_doctor::words::{Language, Words};

/// Ids that begin with `ui-` in the sources of the window; what is put together there is listed here.
fn asked_for() -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src/ui")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the window's sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("a source file");
            for piece in text.split('"') {
                let is_id = piece.starts_with("ui-")
                    && piece
                        .chars()
                        .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
                if is_id {
                    ids.insert(piece.to_owned());
                }
            }
        }
    }
    for sample in SAMPLES {
        ids.insert(format!("ui-sample-{}", sample.id));
        ids.insert(format!("ui-sample-{}-about", sample.id));
    }
    ids
}

#[test]
fn every_text_of_the_window_exists_in_both_languages() {
    for language in Language::ALL {
        let words = Words::new(language);
        let missing: Vec<_> = asked_for()
            .into_iter()
            .filter(|id| words.text(id) == *id)
            .collect();
        assert!(missing.is_empty(), "{}: {missing:?}", language.tag());
    }
}

#[test]
fn no_text_of_the_window_is_left_over() {
    let asked_for = asked_for();
    let file = include_str!("../../../assets/locales/ui.en.ftl");
    let unused: Vec<_> = file
        .lines()
        .filter_map(|line| line.split_once(" =").map(|(id, _)| id))
        .filter(|id| id.starts_with("ui-") && !asked_for.contains(*id))
        .collect();
    assert!(unused.is_empty(), "{unused:?}");
}
