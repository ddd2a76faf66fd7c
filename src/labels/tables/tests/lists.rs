use super::*;

const P: LabelFormat = LabelFormat::PathList;

#[test]
fn the_last_field_is_the_label() {
    let list = "my photos/dog 1 (copy).jpg 0\nb.jpg\t5\n\nc d.png   cat\nlonely.jpg\n";
    let found = text("l.txt", P, list, &Wanted::default());
    assert_eq!(values(&found.streams[0]), ["0", "5"]);
    assert_eq!(names(&found.streams[0]), ["cat"]);
    assert_eq!(first(&found.streams[0], 5), [Some(2), Some(1), None]);
    assert_eq!(found.streams[0].names[0].1.line, Some(4));
    assert!(matches!(kinds(&found)[..], [TroubleKind::BadLine(_)]));
    assert_eq!(found.troubles[0].place.line, Some(5));
}

#[test]
fn a_header_is_no_label() {
    let found = text(
        "l.txt",
        P,
        "path label\na.jpg 3\nb.jpg 4\n",
        &Wanted::default(),
    );
    assert_eq!(first(&found.streams[0], 3), [Some(2), Some(0), None]);
    assert!(found.streams[0].names.is_empty());
}

#[test]
fn only_labels() {
    let found = text("l.txt", P, "3\n1\n\n+2\n", &Wanted::default());
    assert_eq!(values(&found.streams[0]), ["3", "1", "2"]);
    assert_eq!(found.streams[0].odd, 1);
    let found = text("l.txt", P, "dog\ntraffic light\ndog\n", &Wanted::default());
    assert_eq!(names(&found.streams[0]), ["dog", "traffic light", "dog"]);
}

#[test]
fn pictures_that_come_twice() {
    let list = "a.jpg 1\nb.jpg 2\na.jpg 1\nb.jpg 3\n";
    let found = text("l.txt", P, list, &Wanted::default());
    match &kinds(&found)[..] {
        [
            TroubleKind::Duplicate {
                what,
                value,
                before: Some(before),
            },
            TroubleKind::Contradiction {
                name,
                labels,
                before: other,
            },
        ] => {
            assert_eq!(
                (*what, value.as_str(), before.line),
                ("image", "a.jpg", Some(1))
            );
            assert_eq!((name.as_str(), other.line), ("b.jpg", Some(2)));
            assert_eq!(labels, &["2", "3"]);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn several_labels_of_one_picture() {
    let found = text("l.txt", P, "a.jpg 1,2\nb.jpg 3\n", &Wanted::default());
    assert_eq!(values(&found.streams[0]), ["1", "2", "3"]);
    assert_eq!(first(&found.streams[0], 2), [Some(1), Some(0), Some(1)]);
    assert_eq!(first(&found.streams[0], 3), [Some(2), Some(1), None]);
}
