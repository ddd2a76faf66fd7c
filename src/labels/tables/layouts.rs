//! Layouts of text that are known and not read: told by name, so that nothing in them is taken for labels.

use memchr::memmem;

use super::super::LabelError;
use super::cells::{self, Reading};
use super::records::sample;

/// Lines that a layout is told from.
const LINES: usize = 40;

/// Numbers only, whatever their spelling.
fn is_number(field: &str) -> bool {
    !field.is_empty() && cells::number(field, Reading::default()).is_some()
}

/// A layout of lines that is not read.
///
/// # Errors
/// Names the layout.
pub(super) fn refuse_lines(head: &[u8], whole: bool, newline: u8) -> Result<(), LabelError> {
    let lines: Vec<String> = sample(head, whole, None, newline, LINES)
        .into_iter()
        .map(|(line, _)| String::from_utf8_lossy(line).into_owned())
        .collect();
    let told = [
        (is_fast_text as fn(&[String]) -> bool, "fastText"),
        (is_svmlight, "svmlight"),
        (is_kitti, "KITTI"),
        (is_attribute_list, "CelebA"),
        (is_open_images, "OpenImages"),
    ];
    match told.iter().find(|(is, _)| is(&lines)) {
        Some((_, name)) => Err(LabelError::LaterFormat(name)),
        None => Ok(()),
    }
}

/// Most of some lines are of a kind; there must be one.
fn most(lines: &[String], is: impl Fn(&str) -> bool) -> bool {
    let of_it = lines.iter().filter(|line| is(line)).count();
    of_it > 0 && of_it * 10 >= lines.len() * 8
}

fn is_fast_text(lines: &[String]) -> bool {
    most(lines, |line| line.trim_start().starts_with("__label__"))
}

/// `1 3:2.5 11:-5.2 # comment`, `1,0 qid:3 1:0.5`
fn is_svmlight(lines: &[String]) -> bool {
    let rows: Vec<String> = lines
        .iter()
        .filter_map(|line| {
            let row = line.split('#').next().unwrap_or_default().trim();
            (!row.is_empty()).then(|| row.to_owned())
        })
        .collect();
    let pair = |field: &str| {
        field.split_once(':').is_some_and(|(index, value)| {
            (index == "qid" || (!index.is_empty() && index.bytes().all(|b| b.is_ascii_digit())))
                && is_number(value)
        })
    };
    let with_pairs = most(&rows, |row| {
        let mut fields = row.split_ascii_whitespace();
        let label = fields.next().unwrap_or_default();
        let labels = label.split(',').all(is_number) || pair(label);
        labels && fields.all(pair)
    });
    with_pairs
        && rows
            .iter()
            .any(|row| row.split_ascii_whitespace().any(pair))
}

/// `Car 0.0 0 -1.57 599 156 629 189 2.9 2.0 12.3 0.5 1.8 69.4 -1.6`
fn is_kitti(lines: &[String]) -> bool {
    most(lines, |line| {
        let fields: Vec<&str> = line.split_ascii_whitespace().collect();
        let [name, numbers @ ..] = fields.as_slice() else {
            return false;
        };
        matches!(numbers.len(), 14 | 15)
            && !is_number(name)
            && numbers.iter().all(|field| is_number(field))
    })
}

/// A count, a line of names, then a picture and -1 or 1 a name; or the same as a table, known by its first attribute.
fn is_attribute_list(lines: &[String]) -> bool {
    if lines
        .first()
        .is_some_and(|l| l.contains("5_o_Clock_Shadow"))
    {
        return true;
    }
    let [count, names, rows @ ..] = lines else {
        return false;
    };
    let names = names.split_ascii_whitespace().count();
    names > 1
        && count.trim().parse::<u64>().is_ok()
        && most(rows, |row| {
            let mut fields = row.split_ascii_whitespace();
            let picture = fields.next().unwrap_or_default();
            let values: Vec<&str> = fields.collect();
            !is_number(picture)
                && values.len() == names
                && values.iter().all(|v| matches!(*v, "-1" | "1"))
        })
}

/// Annotations of Open Images: their classes are machine ids (`/m/0bt9lr`).
fn is_open_images(lines: &[String]) -> bool {
    let Some(header) = lines.first() else {
        return false;
    };
    let cells: Vec<&str> = header.split(',').map(str::trim).collect();
    cells.contains(&"ImageID") && cells.contains(&"LabelName")
}

/// A layout of JSON that is not read.
///
/// # Errors
/// Names the layout.
pub(super) fn refuse_json(head: &[u8]) -> Result<(), LabelError> {
    let has = |key: &str| has_key(head, key);
    let name = if has("shapes") && (has("imagePath") || has("imageData") || has("imageHeight")) {
        "LabelMe"
    } else if has("_via_settings")
        || has("_via_img_metadata")
        || (has("shape_attributes") && has("region_attributes"))
    {
        "VIA"
    } else if has("image") && has("annotations") && has("coordinates") && !has("categories") {
        "CreateML"
    } else if has("from_name") && has("to_name") && has("annotations") {
        "Label Studio"
    } else {
        return Ok(());
    };
    Err(LabelError::LaterFormat(name))
}

/// Whether a key occurs in a piece of JSON: its name in quotes, then a colon.
pub(super) fn has_key(json: &[u8], key: &str) -> bool {
    let quoted = format!("\"{key}\"");
    memmem::find_iter(json, quoted.as_bytes()).any(|at| {
        json.get(at + quoted.len()..)
            .unwrap_or_default()
            .iter()
            .find(|b| !b.is_ascii_whitespace())
            == Some(&b':')
    })
}
