use super::*;
use crate::labels::Role;

const J: LabelFormat = LabelFormat::Json;
const L: LabelFormat = LabelFormat::JsonLines;

/// Key, values and names of every stream.
#[track_caller]
fn check(json: &str, wanted: &Wanted, expected: &[(&str, &[&str])]) {
    let found = text("x.json", J, json, wanted);
    let found: Vec<_> = found
        .streams
        .iter()
        .map(|s| {
            let mut all = values(s);
            all.extend(s.names.iter().map(|(n, _)| n.clone()));
            (s.stream.key.as_deref().unwrap_or("-").to_owned(), all)
        })
        .collect();
    let expected: Vec<_> = expected
        .iter()
        .map(|(k, v)| {
            (
                (*k).to_owned(),
                v.iter().map(ToString::to_string).collect::<Vec<_>>(),
            )
        })
        .collect();
    assert_eq!(found, expected, "{json}");
}

#[test]
fn labels_at_any_depth() {
    let any = Wanted::default();
    check(
        "[3, 1, [2, -100]]",
        &any,
        &[("-", &["3", "1", "2", "-100"])],
    );
    check(r#"{"labels": [0, 1]}"#, &any, &[("labels", &["0", "1"])]);
    check(
        r#"[{"label": 1}, {"label": "2"}, {"label": 3.0}]"#,
        &any,
        &[("label", &["1", "2", "3"])],
    );
    check(
        r#"{"a": {"b": [{"label": 1}]}, "label": 5}"#,
        &any,
        &[("label", &["1", "5"])],
    );
    check(
        r#"{"data": [{"answers": {"answer_start": [515], "text": ["a"]}}]}"#,
        &any,
        &[("answer_start", &["515"])],
    );
    check(
        r#"[{"tokens": ["a", "b"], "ner_tags": [0, 7]}]"#,
        &any,
        &[("ner_tags", &["0", "7"])],
    );
    check(
        r#"[{"label": 1, "category": "news"}]"#,
        &any,
        &[("label", &["1"])],
    );
    check(
        r#"[{"category": "news"}]"#,
        &any,
        &[("category", &["news"])],
    );
    check(
        r#"{"labels": [["00/a.png", 6], ["00/b.png", 2]]}"#,
        &any,
        &[("labels", &["6", "2"])],
    );
    check(
        r#"{"image_id": {"0": 1, "1": 2}, "label": {"0": 3, "1": 7}}"#,
        &any,
        &[("label", &["3", "7"])],
    );
    check(r#"{"a.jpg": 3, "b.jpg": 5}"#, &any, &[("-", &["3", "5"])]);
    check(
        r#"{"a.jpg": {"label": 3}, "b.jpg": {"label": 5}}"#,
        &any,
        &[("label", &["3", "5"])],
    );
    check(
        r#"[{"points": [{"x": 1, "y": 2}], "label": 0}]"#,
        &any,
        &[("label", &["0"])],
    );
    check(
        r#"{"x": [[0.1], [0.2]], "y": [0, 1]}"#,
        &any,
        &[("y", &["0", "1"])],
    );
    check(
        r#"{"label": [true, 18446744073709551615, -9223372036854775808]}"#,
        &any,
        &[(
            "label",
            &["1", "18446744073709551615", "-9223372036854775808"],
        )],
    );
    check("\u{feff}{\"label\": 1}", &any, &[("label", &["1"])]);
    check(
        r#"[{"kind": 1}, {"kind": 4}]"#,
        &column("kind"),
        &[("kind", &["1", "4"])],
    );
    check(
        r#"[{"a": {"id": 1}, "b": {"id": 2}}]"#,
        &column("b.id"),
        &[("id", &["2"])],
    );
}

#[test]
fn roles_and_places() {
    let json = "[\n{\"input_ids\": [[1, 2], [3]], \"token_type_ids\": [0], \"position_ids\": [9], \"attention_mask\": [1], \"labels\": [-100]},\n{\"labels\": 4}]";
    let found = text("x.json", J, json, &Wanted::default());
    let roles: Vec<_> = found.streams.iter().map(|s| s.stream.role).collect();
    assert_eq!(
        roles,
        [
            Some(Role::Token),
            Some(Role::TokenType),
            Some(Role::Position),
            Some(Role::Class)
        ]
    );
    assert_eq!(first(&found.streams[0], 3), [None, Some(0), Some(2)]);
    assert_eq!(first(&found.streams[3], 4), [Some(3), Some(1), None]);
    let nested = text(
        "x.json",
        J,
        r#"{"a.jpg": {"label": 3}}"#,
        &Wanted::default(),
    );
    assert_eq!(
        nested.streams[0].values[&0].1.key.as_deref(),
        Some("a.jpg.label")
    );
}

#[test]
fn nothing_numeric() {
    for (json, expected) in [
        (
            r#"[{"messages": [{"role": "user", "content": "hi"}]}]"#,
            LabelError::NotLabels("chat texts".to_owned()),
        ),
        (
            r#"{"a": [1], "b": "x"}"#,
            LabelError::NoLabels {
                found: vec!["a".to_owned(), "b".to_owned()],
            },
        ),
    ] {
        let temp = Temp::new("x.json", json.as_bytes());
        assert_eq!(
            error(&temp.path(), J, &Wanted::default()),
            Err(expected),
            "{json}"
        );
    }
    let temp = Temp::new("x.json", br#"{"a": 1}"#);
    assert!(matches!(
        error(&temp.path(), J, &column("b")),
        Err(LabelError::NoSuchColumn { .. })
    ));
}

#[test]
fn numbers_that_only_python_writes() {
    for (json, word, at) in [
        (r#"[{"label": 1}, {"label": NaN}]"#, "NaN", 25),
        ("{\"a\": 1,\n \"label\": [0, Infinity]}", "Infinity", 23),
        (r#"{"label": -Infinity}"#, "-Infinity", 10),
    ] {
        let temp = Temp::new("x.json", json.as_bytes());
        let expected = LabelError::PythonNumber {
            word: word.to_owned(),
            byte: at,
            key: Some("label".to_owned()),
        };
        assert_eq!(
            error(&temp.path(), J, &Wanted::default()),
            Err(expected),
            "{json}"
        );
    }
}

#[test]
fn broken_json() {
    for json in [
        "{\"label\": [1, 2",
        "{\"label\": 1}}",
        "{\"label\": [1e400]}",
        "{\"label\": 1,,}",
    ] {
        let temp = Temp::new("x.json", json.as_bytes());
        let error = error(&temp.path(), J, &Wanted::default());
        assert!(
            matches!(error, Err(LabelError::Malformed { line: Some(1), .. })),
            "{json}: {error:?}"
        );
    }
}

#[test]
fn lines_of_json() {
    let lines = "{\"label\": 1}\n\n{\"label\": 2\n{\"label\": NaN}\n{\"label\": null}\n{\"label\": [3, 4]}\n";
    for format in [L, J] {
        let found = text("x.jsonl", format, lines, &Wanted::default());
        let stream = &found.streams[0];
        assert_eq!(values(stream), ["1", "3", "4"]);
        assert_eq!(first(stream, 4), [Some(6), Some(4), Some(1)]);
        assert_eq!(stream.missing[0].line, Some(5));
        assert_eq!(stream.values[&1].2.as_deref(), Some("{\"label\": [3, 4]}"));
        let bad: Vec<_> = found.troubles.iter().map(|t| t.place.line).collect();
        assert_eq!(bad, [Some(3), Some(4)]);
        assert!(
            matches!(kinds(&found)[1], TroubleKind::BadLine(said) if said.contains("NaN")),
            "{found:?}"
        );
    }
}

#[test]
fn no_line_of_json() {
    let temp = Temp::new("x.jsonl", b"this is\nno json\n");
    assert!(matches!(
        error(&temp.path(), L, &Wanted::default()),
        Err(LabelError::Malformed { .. })
    ));
}
