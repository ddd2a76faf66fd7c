use super::*;
use crate::labels::Role;

const C: LabelFormat = LabelFormat::Coco;

#[test]
fn annotations_before_categories() {
    let json = r#"{"annotations": [
        {"id": 7, "image_id": 1, "category_id": 3, "bbox": [0, 0, 4, 4]},
        {"id": 8, "image_id": 9, "category_id": "2", "bbox": [0, 0, 0, 4]},
        {"id": 7, "image_id": 1, "category_id": 1.0, "bbox": [100, 0, 20, 4]},
        5,
        {"id": 10, "image_id": 1}],
        "images": [{"id": 1, "width": 100, "height": 50}],
        "categories": [{"id": 3, "name": "b"}, {"id": 1, "name": "a"}, {"id": 3, "name": "c"}]}"#;
    let found = text("x.json", C, json, &Wanted::default());
    let stream = &found.streams[0];
    assert_eq!(stream.stream.role, Some(Role::CategoryId));
    let classes = stream.stream.classes.as_ref().expect("classes");
    assert_eq!(classes.names, ["a", "b"]);
    assert_eq!(classes.ids, Some(vec![1, 3]));
    assert_eq!(values(stream), ["3", "2", "1"]);
    assert_eq!((stream.floats, stream.odd, stream.missing.len()), (1, 1, 1));
    let (_, place, _) = &stream.values[&1];
    assert_eq!((place.row, place.key.as_deref()), (Some(1), Some("8")));
    let told: Vec<String> = kinds(&found).iter().map(|k| format!("{k:?}")).collect();
    let expected = [
        "category-id",
        "UnknownImage(\"9\")",
        "width 0",
        "outside 100 x 50",
        "BadLine",
        "annotation-id",
    ];
    assert_eq!(told.len(), expected.len(), "{told:#?}");
    for (told, expected) in told.iter().zip(expected) {
        assert!(told.contains(expected), "{told} {expected}");
    }
}

#[test]
fn results_and_captions() {
    let json = r#"[{"image_id": 1, "category_id": 90, "score": 0.5}]"#;
    let found = text("x.json", C, json, &Wanted::default());
    assert_eq!(values(&found.streams[0]), ["90"]);
    assert_eq!(found.streams[0].stream.role, Some(Role::Class));
    assert!(matches!(kinds(&found)[..], [TroubleKind::ResultsFile]));
    let temp = Temp::new(
        "x.json",
        br#"{"images": [], "annotations": [{"id": 1, "caption": "a dog"}]}"#,
    );
    assert_eq!(
        error(&temp.path(), C, &Wanted::default()),
        Err(LabelError::NotLabels("image captions".to_owned()))
    );
    let found = text(
        "x.json",
        C,
        r#"{"images": [], "annotations": [], "categories": []}"#,
        &Wanted::default(),
    );
    assert!(matches!(kinds(&found)[..], [TroubleKind::Empty { .. }]));
}

#[test]
fn segments() {
    let json = r#"{"annotations": [{"image_id": 1, "segments_info": [{"id": 5, "category_id": 2}, {"id": 6, "category_id": 4}]}], "categories": [{"id": 2, "name": "a"}]}"#;
    let found = text("x.json", C, json, &Wanted::default());
    let (_, place, _) = &found.streams[0].values[&1];
    assert_eq!(
        (place.row, place.position, place.key.as_deref()),
        (Some(0), Some(1), Some("6"))
    );
}

#[test]
fn boxes_that_stick_out_are_cut_off_by_loaders() {
    let bounds = [
        ("[-5, -5, 100, 100]", false),
        ("[95, 45, 100, 100]", false),
        ("[-1, -1, 102, 52]", false),
        ("[100, 0, 5, 5]", true),
        ("[0, 50.5, 5, 5]", true),
        ("[-5, 0, 5, 5]", true),
        ("[0, 0, -5, 5]", true),
        ("[1, 1, 5, 0]", true),
        ("[1, 1, 5]", true),
    ];
    for (bounds, bad) in bounds {
        let json = format!(
            r#"{{"annotations": [{{"id": 7, "image_id": 1, "category_id": 3, "bbox": {bounds}}}],
            "images": [{{"id": 1, "width": 100, "height": 50}}], "categories": [{{"id": 3, "name": "b"}}]}}"#
        );
        let found = text("x.json", C, &json, &Wanted::default());
        let told = matches!(kinds(&found)[..], [TroubleKind::BadBox(_)]);
        assert_eq!(told, bad, "{bounds}");
    }
}
