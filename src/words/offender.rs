//! Where a value of the data stands, in a few words.

use super::language::{Arg, Words};
use crate::case::shown;
use crate::labels::Place;

/// `labels/img_7.txt, line 3`: the file with its folder, then what its format has. Rows count from 1 here.
pub(super) fn place_text(place: &Place, words: Words) -> String {
    let mut parts = Vec::new();
    if let Some(path) = &place.path {
        let names: Vec<_> = path
            .components()
            .filter_map(|part| match part {
                std::path::Component::Normal(name) => Some(name.to_string_lossy()),
                _ => None,
            })
            .collect();
        let last = names.len().saturating_sub(2);
        parts.push(shown(&names.get(last..).unwrap_or_default().join("/")));
    }
    let number = |id, n: u64| words.with(id, &[("n", Arg::Number(n))]);
    if let Some(line) = place.line {
        parts.push(number("offender-line", line));
    } else if let Some(row) = place.row
        && place.pixel.is_none()
        && place.index.as_ref().is_none_or(|index| index.len() < 2)
    {
        parts.push(number("offender-row", row.saturating_add(1)));
    }
    if let Some(index) = place.index.as_ref().filter(|index| index.len() > 1) {
        let index: Vec<String> = index.iter().map(u64::to_string).collect();
        parts.push(format!("[{}]", index.join(", ")));
    }
    for (id, name) in [
        ("offender-column", &place.column),
        ("offender-key", &place.key),
    ] {
        if let Some(name) = name {
            parts.push(words.with(id, &[("name", Arg::Text(&shown(name)))]));
        }
    }
    if let Some([x, y]) = place.pixel {
        let args = [("x", Arg::Number(x)), ("y", Arg::Number(y))];
        parts.push(words.with("offender-pixel", &args));
    }
    if let Some(document) = place.document {
        parts.push(number("offender-document", document.saturating_add(1)));
    }
    if let Some(position) = place.position {
        parts.push(number("offender-position", position));
    }
    words.join_phrases(&parts)
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use super::*;
    use crate::words::Language;

    #[test]
    fn places_in_words() {
        let check = |place: Place, expected: &str| {
            let place = Place {
                path: Some(Arc::from(Path::new("/data/labels/a.txt"))),
                ..place
            };
            assert_eq!(place_text(&place, Words::new(Language::En)), expected);
        };
        check(Place::default(), "labels/a.txt");
        check(
            Place {
                line: Some(3),
                row: Some(1),
                column: Some("label".into()),
                ..Place::default()
            },
            "labels/a.txt, line 3, column label",
        );
        check(
            Place {
                row: Some(0),
                index: Some(vec![0]),
                ..Place::default()
            },
            "labels/a.txt, row 1",
        );
        check(
            Place {
                pixel: Some([412, 80]),
                row: Some(80),
                ..Place::default()
            },
            "labels/a.txt, pixel (412, 80)",
        );
    }

    #[test]
    fn a_verdict_shows_the_guilty_value_and_its_place() {
        use crate::case::Log;
        use crate::crash_log::Scanner;
        use crate::diagnosis::{AllowedRange, Certainty, Evidence, EvidenceRole, diagnose};
        use crate::words::{RowKind, verdict};

        let mut scanner = Scanner::new();
        scanner.push(b"Traceback (most recent call last):\n  File \"a.py\", line 9, in f\n    F.cross_entropy(y, t)\nIndexError: Target 10 is out of bounds.\n");
        let (facts, lines) = scanner.finish();
        let mut diagnosis = diagnose(&facts);
        let path: Arc<Path> = Arc::from(Path::new("data/train.csv"));
        let cause = diagnosis.causes.first_mut().unwrap();
        cause.range = Some(AllowedRange {
            lo: 0,
            hi: 9,
            source: "data.yaml nc = 10".to_owned(),
            line: 0,
            path: Some(Arc::clone(&path)),
            certainty: Certainty::Certain,
        });
        cause.evidence.push(Evidence {
            line: 0,
            text: "a.jpg,\u{1b}[31m10".to_owned(),
            role: EvidenceRole::Offender,
            place: Some(Place {
                line: Some(11),
                column: Some("label".into()),
                ..Place::file(path)
            }),
        });
        let log = Log {
            input: 0,
            facts,
            lines,
            diagnosis,
        };
        let rows = |language| {
            let verdict = verdict(&log, Words::new(language));
            let text = |kind| -> Option<String> {
                let row = verdict.rows.iter().find(|row| row.kind == kind)?;
                assert_eq!(row.place.is_some(), kind == RowKind::GuiltyValue);
                assert_eq!(row.line, None);
                let spans: Vec<_> = row.spans.iter().map(|span| span.text.as_str()).collect();
                Some(format!("{}: {}", row.label, spans.join(" ")))
            };
            [text(RowKind::GuiltyValue), text(RowKind::CheckedData)].map(Option::unwrap)
        };
        let [value, data] = rows(Language::En);
        assert_eq!(
            value,
            "Guilty value: a.jpg,\u{fffd}[31m10 data/train.csv, line 11, column label"
        );
        assert!(
            data.ends_with("allowed 0–9, says data.yaml nc = 10"),
            "{data}"
        );
        let [value, data] = rows(Language::ZhCn);
        assert!(value.starts_with("越界的值: "), "{value}");
        assert!(data.contains("data.yaml nc = 10"), "{data}");
    }
}
