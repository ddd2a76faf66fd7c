//! Places and ranges in words.

use std::path::Path;

use super::language::{Arg, Language, Words};
use crate::labels::Place;
use crate::range_check::{Number, Rule};

/// Characters of a file's or folder's name, of a column or a key.
const MOST_NAME: usize = 32;

/// Where a value stands: file, row or line, column, pixel. Rows count from 1; an index in brackets is Python's and counts from 0.
/// Of a path the last two names are shown.
pub fn place_text(place: &Place, words: Words) -> String {
    place_shortened(place, words, 2)
}

/// The same with so many names of the path.
pub(super) fn place_shortened(place: &Place, words: Words, path_names: usize) -> String {
    let mut parts: Vec<String> = Vec::new();
    if let Some(path) = &place.path {
        parts.push(path_text(path, path_names));
    }
    let with = |id: &str, name: &str, value: u64| words.with(id, &[(name, Arg::Number(value))]);
    let text = |id: &str, name: &str, value: &str| words.with(id, &[(name, Arg::Text(value))]);
    if let Some([x, y]) = place.pixel {
        let (x, y) = (x.to_string(), y.to_string());
        parts.push(words.with("place-pixel", &[("x", Arg::Text(&x)), ("y", Arg::Text(&y))]));
    }
    let row = place.row.map(|row| row.saturating_add(1));
    let is_table = place.column.is_some();
    match (row, place.line) {
        _ if place.pixel.is_some() || place.index.is_some() || place.document.is_some() => {}
        // The line is told where it is not simply the row below the header.
        (Some(row), Some(line)) if is_table && line != row + 1 => parts.push(words.with(
            "place-row-line",
            &[("row", Arg::Number(row)), ("line", Arg::Number(line))],
        )),
        (Some(row), Some(_)) if is_table => parts.push(with("place-row", "row", row)),
        (_, Some(line)) => parts.push(with("place-line", "line", line)),
        (Some(row), None) => parts.push(with("place-row", "row", row)),
        (None, None) => {}
    }
    let annotation = place.key.as_deref().filter(|key| {
        place.row.is_some()
            && place.line.is_none()
            && place.index.is_none()
            && !key.is_empty()
            && key.bytes().all(|byte| byte.is_ascii_digit())
    });
    let mut key_text = None;
    if let Some(key) = annotation {
        parts.push(text("place-annotation", "key", key));
    } else if let Some(key) = &place.key {
        key_text = Some(clipped(key, MOST_NAME));
    }
    if let Some(column) = &place.column {
        parts.push(text("place-column", "column", &clipped(column, MOST_NAME)));
    }
    if let Some(document) = place.document {
        parts.push(text("place-document", "document", &document.to_string()));
    }
    match (key_text, place.position, &place.index) {
        // As Python writes it: input_ids[4], y[5, 0].
        (Some(name), Some(position), None) if place.document.is_none() => {
            parts.push(format!("{name}[{position}]"));
        }
        (Some(name), None, Some(index)) => parts.push(format!("{name}{}", brackets(index))),
        (name, position, index) => {
            parts.extend(name);
            if let Some(position) = position {
                parts.push(text("place-position", "position", &position.to_string()));
            }
            if let Some(index) = index {
                parts.push(text("place-index", "index", &brackets(index)));
            }
        }
    }
    let comma = match words.language {
        Language::En => ", ",
        Language::ZhCn => " ",
    };
    parts.join(comma)
}

fn brackets(index: &[u64]) -> String {
    let numbers: Vec<String> = index.iter().map(u64::to_string).collect();
    format!("[{}]", numbers.join(", "))
}

/// The last names of a path, with slashes.
pub(super) fn path_text(path: &Path, names: usize) -> String {
    let parts: Vec<String> = path
        .components()
        .filter_map(|part| match part {
            std::path::Component::Normal(name) => Some(clipped(&name.to_string_lossy(), MOST_NAME)),
            _ => None,
        })
        .collect();
    let from = parts.len().saturating_sub(names);
    let shown = parts.get(from..).unwrap_or_default().join("/");
    if shown.is_empty() {
        path.to_string_lossy().into_owned()
    } else {
        shown
    }
}

/// A name as it may be shown, shortened in the middle: its end often tells it apart.
pub(super) fn clipped(name: &str, most: usize) -> String {
    let letters: Vec<char> = crate::case::shown(name).chars().collect();
    if letters.len() <= most {
        return letters.into_iter().collect();
    }
    let tail = most / 2;
    let head = most - tail - 1;
    let begin = letters.get(..head).unwrap_or_default();
    let end = letters.get(letters.len() - tail..).unwrap_or_default();
    begin.iter().chain(&['…']).chain(end).collect()
}

/// An allowed range: `0–79`, `0 and up`.
pub(super) fn range_text(rule: &Rule, words: Words) -> String {
    match (rule.lo, rule.hi) {
        (Some(lo), Some(hi)) => span(lo, hi),
        (Some(lo), None) => words.with("finding-range-from", &[("lo", Arg::Text(&lo.to_string()))]),
        // Without a lower end nothing is out of range, and no range is told.
        (None, _) => String::new(),
    }
}

/// From one value to another: `0–79`; with blanks where a minus sign would be mistaken.
pub fn span(lo: Number, hi: Number) -> String {
    let zero = Number::from(0u8);
    if lo < zero || hi < zero {
        format!("{lo} – {hi}")
    } else {
        format!("{lo}–{hi}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place() -> Place {
        Place::file(Path::new("D:/data/labels/train/000106.txt").into())
    }

    #[track_caller]
    fn check(place: &Place, en: &str, zh: &str) {
        assert_eq!(place_text(place, Words::new(Language::En)), en);
        assert_eq!(place_text(place, Words::new(Language::ZhCn)), zh);
    }

    #[test]
    fn places_read_as_people_say_them() {
        let of = |change: &dyn Fn(&mut Place)| {
            let mut place = place();
            change(&mut place);
            place
        };
        check(
            &of(&|p| (p.line, p.row) = (Some(2), Some(1))),
            "train/000106.txt, line 2",
            "train/000106.txt 第 2 行",
        );
        check(
            &of(&|p| {
                (p.line, p.row) = (Some(1205), Some(1203));
                p.column = Some("label".into());
            }),
            "train/000106.txt, row 1,204, column label",
            "train/000106.txt 数据第 1,204 行 label 列",
        );
        check(
            &of(&|p| {
                (p.line, p.row) = (Some(10), Some(5));
                p.column = Some("label".into());
            }),
            "train/000106.txt, row 6 (line 10), column label",
            "train/000106.txt 数据第 6 行（文件第 10 行） label 列",
        );
        check(
            &of(&|p| p.pixel = Some([412, 80])),
            "train/000106.txt, pixel (412, 80)",
            "train/000106.txt 像素 (412, 80)",
        );
        check(
            &of(&|p| (p.row, p.key) = (Some(3), Some("90213".into()))),
            "train/000106.txt, row 4, annotation 90213",
            "train/000106.txt 数据第 4 行 标注 90213",
        );
        check(
            &of(&|p| {
                (p.row, p.key) = (Some(5), Some("test_labels".into()));
                p.index = Some(vec![5, 0]);
            }),
            "train/000106.txt, test_labels[5, 0]",
            "train/000106.txt test_labels[5, 0]",
        );
        check(
            &of(&|p| {
                (p.line, p.key) = (Some(2), Some("input_ids".into()));
                p.position = Some(4);
            }),
            "train/000106.txt, line 2, input_ids[4]",
            "train/000106.txt 第 2 行 input_ids[4]",
        );
        check(
            &of(&|p| (p.document, p.position) = (Some(2), Some(7))),
            "train/000106.txt, document [2], position [7]",
            "train/000106.txt 文档 [2] 位置 [7]",
        );
    }

    #[test]
    fn long_names_are_shortened_in_the_middle() {
        assert_eq!(clipped("abcdefghij", 10), "abcdefghij");
        assert_eq!(clipped("abcdefghijk", 6), "ab…ijk");
        assert_eq!(clipped("a\nb", 6), "a\u{FFFD}b");
        assert_eq!(clipped("a\u{202E}b", 6), "a\u{FFFD}b");
    }
}
