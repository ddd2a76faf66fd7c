//! Lines that the guard really printed, with several versions of PyTorch: each alone makes the cause certain.

use std::fs;
use std::path::Path;

use assert_doctor::crash_log::{Facts, GuardCheck, Scanner};
use assert_doctor::diagnosis::{Because, Certainty, diagnose};
use assert_doctor::words::{Language, RowKind, Words, verdict};

fn scan(text: &str) -> Facts {
    let mut scanner = Scanner::new();
    scanner.push(text.as_bytes());
    scanner.finish().0
}

fn lines() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/guard/violations.txt");
    let text = fs::read_to_string(path).expect("the fixture is there");
    text.lines().map(str::to_owned).collect()
}

#[test]
fn every_line_of_the_guard_makes_a_cause_certain() {
    let lines = lines();
    assert!(lines.len() >= 13);
    for line in lines {
        let facts = scan(&format!("epoch 1\n{line}\n"));
        let [seen] = facts.guard.violations.as_slice() else {
            panic!("{line}")
        };
        assert_ne!(seen.check, GuardCheck::Other, "{line}");
        assert!(seen.place().is_some_and(|place| place.line > 0), "{line}");
        let diagnosis = diagnose(&facts);
        let Some(cause) = diagnosis.causes.first() else {
            panic!("{line}")
        };
        let expected = match (seen.operation.as_str(), seen.check) {
            ("ctc_loss", _) => "ctc_target",
            (_, GuardCheck::Shape) => "shape_mismatch",
            (_, GuardCheck::Dtype) => "python_error",
            ("cross_entropy" | "nll_loss", _) => "label_out_of_range",
            ("embedding" | "embedding_bag" | "index_select", _) => "embedding_index",
            ("gather" | "scatter" | "scatter_add" | "one_hot", _) => "gather_scatter_index",
            ("index", _) => "advanced_index",
            ("binary_cross_entropy", GuardCheck::Nan) => "nan_inputs",
            ("binary_cross_entropy", _) => "bce_range",
            ("multinomial", _) => "multinomial_probs",
            other => panic!("{other:?}"),
        };
        assert_eq!(
            (cause.id.id(), cause.certainty, cause.because),
            (expected, Certainty::Certain, Because::GuardSaw),
            "{line}"
        );
        assert_eq!(
            cause.range.as_ref().map(|r| (r.lo, r.hi)),
            seen.range(),
            "{line}"
        );
        assert!(cause.operation.is_some(), "{line}");
    }
}

#[test]
fn the_verdict_says_what_the_guard_saw() {
    let line = lines().into_iter().next().expect("there is one");
    let text = format!("epoch 1\n{line}\n");
    let case = assert_doctor::case::open(
        &assert_doctor::case::OpenWhat::Text(
            assert_doctor::case::Origin::Pasted,
            text.into_bytes().into(),
        ),
        &std::sync::atomic::AtomicBool::new(false),
        &mut |_| {},
    );
    for (language, expected) in [
        (Language::En, "target[3] is 5, allowed 0–4 (input.size(1))"),
        (Language::ZhCn, "target[3] 为 5，允许 0–4（input.size(1)）"),
    ] {
        let verdict = verdict(&case.logs[0], Words::new(language));
        let row = verdict
            .rows
            .iter()
            .find(|row| row.kind == RowKind::GuardSaw);
        let said = row
            .and_then(|row| row.spans.first())
            .map(|span| span.text.as_str());
        assert_eq!(said, Some(expected));
        let place = verdict
            .rows
            .iter()
            .find(|row| row.kind == RowKind::YourLine);
        assert!(
            place.is_some_and(|row| row.spans.iter().any(|span| span.text.contains("train.py"))),
            "{:?}",
            verdict.rows
        );
    }
}
