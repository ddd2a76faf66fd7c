//! The row of a guilty value.

use std::path::Path;
use std::sync::Arc;

use crate::labels::Place;
use crate::words::{Language, Words};

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
        value: None,
    });
    let log = Log {
        input: 0,
        facts,
        lines,
        diagnosis,
        digest: None,
        ending: None,
        unfinished: None,
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
        "Bad value: a.jpg,\u{fffd}[31m10 data/train.csv, line 11, column label"
    );
    assert!(
        data.ends_with("allowed 0–9, says data.yaml nc = 10"),
        "{data}"
    );
    let [value, data] = rows(Language::ZhCn);
    assert!(value.starts_with("有问题的值: "), "{value}");
    assert!(data.contains("data.yaml nc = 10"), "{data}");
}
