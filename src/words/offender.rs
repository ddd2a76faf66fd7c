//! Where a value of the data stands, in a few words.

use super::language::{Arg, Words};
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
        parts.push(names.get(last..).unwrap_or_default().join("/"));
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
            parts.push(words.with(id, &[("name", Arg::Text(name))]));
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
}
