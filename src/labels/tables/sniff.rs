//! Which text format a file is, from its name and its first bytes.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::Path;

use flate2::read::MultiGzDecoder;
use serde::de::IgnoredAny;

use super::super::{LabelError, LabelFormat, encoding};
use super::cells::{self, Cell, Reading};
use super::columns::{framing, has_extension, sniff_delimiter};
use super::layouts::{has_key, refuse_json, refuse_lines};
use super::names::{is_picture, told};
use super::path_list::{is_clip, is_whole, looks_like_path, split};
use super::records::{Cells, sample};
use super::text::{to_text, trim};

/// Bytes that a packed beginning is unpacked to.
const UNPACKED: u64 = 256 << 10;
/// Bytes of a beginning that was given whole: as much as callers read.
const HEAD: usize = 64 << 10;

/// Extensions of tables.
const TABLES: [&str; 5] = ["csv", "tsv", "tab", "psv", "ssv"];
/// Extensions of lists and of texts without a format of their own.
const LISTS: [&str; 9] = [
    "txt", "lst", "list", "flist", "data", "dat", "train", "test", "val",
];

/// Tells which of the five text formats a file is: [`LabelFormat::Table`], [`LabelFormat::PathList`], [`LabelFormat::Json`],
/// [`LabelFormat::JsonLines`] or [`LabelFormat::Coco`]. `head` are its first bytes (up to 64 KiB), packed or not.
///
/// `None`: none of them, or a text that is no data (a list of class names, YOLO rows, a log, prose, a configuration).
///
/// # Errors
/// A layout that is known and not read, by its name.
pub fn sniff(path: &Path, head: &[u8]) -> Result<Option<LabelFormat>, LabelError> {
    let packed = head.starts_with(&[0x1f, 0x8b]);
    let text = plain(head);
    let whole = !packed && head.len() < HEAD;
    let text = text.as_ref();
    let is_table = has_extension(path, &TABLES);
    if trim(text).is_empty() || !is_text(text, is_table) {
        return Ok(None);
    }
    let lines = has_extension(path, &["jsonl", "ndjson", "jsonlines"]);
    let named = has_extension(path, &["json", "geojson"]);
    if lines || named || (!is_table && is_json(text) && parses(text)) {
        return sniff_json(path, text, lines);
    }
    if !is_table && has_other_extension(path) {
        // Source code, configurations, read-mes and logs have lines that look like anything.
        let svm = has_extension(path, &["svm", "libsvm", "svmlight", "ft"]);
        if svm {
            refuse_lines(text, whole, newline(text))?;
        }
        return Ok(None);
    }
    let newline = newline(text);
    refuse_lines(text, whole, newline)?;
    let (_, width, _) = sniff_delimiter(text, whole, newline, false);
    if is_table && width > 1 {
        return Ok(Some(LabelFormat::Table));
    }
    let lines: Vec<&[u8]> = sample(text, whole, None, newline, 10_000)
        .into_iter()
        .map(|(line, _)| trim(line))
        .filter(|line| !line.starts_with(b"#"))
        .collect();
    if is_table {
        // Blanks between a path and its label, in spite of the name.
        let pairs = lines.iter().all(|line| split(line).is_some()) && is_list(&lines);
        return Ok(Some(if pairs {
            LabelFormat::PathList
        } else {
            LabelFormat::Table
        }));
    }
    if is_yolo(&lines) {
        return Ok(None);
    }
    let table = table_text(text, whole, newline);
    Ok(if table == Some(Told::ByName) {
        Some(LabelFormat::Table)
    } else if is_list(&lines) {
        Some(LabelFormat::PathList)
    } else {
        table.map(|_| LabelFormat::Table)
    })
}

/// An extension that says the file is something else.
fn has_other_extension(path: &Path) -> bool {
    let inner = match path.extension() {
        Some(end) if end.eq_ignore_ascii_case("gz") => path.file_stem().map(Path::new),
        _ => Some(path),
    };
    inner.is_some_and(|p| p.extension().is_some()) && !has_extension(path, &LISTS)
}

/// The beginning as UTF-8, unpacked, without a byte order mark.
fn plain(head: &[u8]) -> Cow<'_, [u8]> {
    let unpacked: Cow<'_, [u8]> = if head.starts_with(&[0x1f, 0x8b]) {
        let mut bytes = Vec::new();
        // The end of the beginning is no error here.
        let _ = MultiGzDecoder::new(head)
            .take(UNPACKED)
            .read_to_end(&mut bytes);
        bytes.into()
    } else {
        head.into()
    };
    match encoding::of(&unpacked) {
        Some((encoding, mark)) => {
            let rest = unpacked.get(mark..).unwrap_or_default();
            let text = encoding.decode_without_bom_handling(rest).0;
            text.into_owned().into_bytes().into()
        }
        None => match unpacked.strip_prefix(b"\xef\xbb\xbf") {
            Some(rest) => rest.to_vec().into(),
            None => unpacked,
        },
    }
}

fn newline(text: &[u8]) -> u8 {
    if text.contains(&b'\r') && !text.contains(&b'\n') {
        b'\r'
    } else {
        b'\n'
    }
}

/// Text of any encoding: few bytes that no text has. A table may hold some zero bytes.
fn is_text(bytes: &[u8], is_table: bool) -> bool {
    let odd = bytes
        .iter()
        .filter(|b| **b < b' ' && !matches!(b, b'\t' | b'\n' | b'\r' | 0x0c | 0x1b))
        .count();
    if is_table {
        odd * 4 <= bytes.len()
    } else {
        odd * 100 <= bytes.len()
    }
}

/// Whether a text without the name of JSON is JSON as far as it goes, or its first line is.
fn parses(text: &[u8]) -> bool {
    let first = text.split(|b| *b == b'\n').next().unwrap_or_default();
    let sound = |text: &[u8]| match serde_json::from_slice::<IgnoredAny>(text) {
        Ok(_) => true,
        Err(e) => e.is_eof(),
    };
    sound(text) || (first.len() > 2 && serde_json::from_slice::<IgnoredAny>(first).is_ok())
}

fn is_json(text: &[u8]) -> bool {
    let text = trim(text);
    let then = |rest: &[u8], allowed: &[u8]| {
        rest.iter()
            .find(|b| !b.is_ascii_whitespace())
            .is_none_or(|b| allowed.contains(b))
    };
    match text {
        [b'{', rest @ ..] => then(rest, b"\"}"),
        [b'[', rest @ ..] => then(rest, b"{[\"]-0123456789ntf") && !text.starts_with(b"[INFO"),
        _ => false,
    }
}

/// The kinds of JSON text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JsonKind {
    /// One value a line.
    Lines,
    /// Annotations of COCO's layout.
    Coco,
    /// One value.
    One,
}

/// Which kind of JSON a text is, from its beginning.
pub(super) fn json_kind(text: &[u8]) -> JsonKind {
    let text = trim(text);
    let mut lines = text
        .split(|b| *b == b'\n')
        .map(trim)
        .filter(|line| !line.is_empty());
    if let (Some(first), Some(second)) = (lines.next(), lines.next())
        && first.len() > 1
        && first.first() == second.first()
        && matches!(first.first(), Some(b'{' | b'['))
        && serde_json::from_slice::<IgnoredAny>(first).is_ok()
    {
        return JsonKind::Lines;
    }
    let has = |key: &str| has_key(text, key);
    let coco = if text.starts_with(b"{") {
        (has("annotations") && (has("images") || has("categories") || has("category_id")))
            || (has("images") && has("categories"))
            || (has("images") && has("file_name") && has("width") && has("height"))
    } else {
        has("category_id")
            && has("image_id")
            && (has("score") || has("bbox") || has("segmentation"))
    };
    if coco { JsonKind::Coco } else { JsonKind::One }
}

/// Names of JSON files that say how something is built, not what its labels are.
const SETTINGS: [&str; 24] = [
    "config.json",
    "generation_config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab.json",
    "preprocessor_config.json",
    "processor_config.json",
    "adapter_config.json",
    "dataset_info.json",
    "dataset_infos.json",
    "dataset_dict.json",
    "state.json",
    "trainer_state.json",
    "all_results.json",
    "train_results.json",
    "eval_results.json",
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    "composer.json",
    "index.json",
    "settings.json",
];

fn sniff_json(path: &Path, text: &[u8], lines: bool) -> Result<Option<LabelFormat>, LabelError> {
    let name = path
        .file_name()
        .map(|n| n.to_string_lossy().to_ascii_lowercase())
        .unwrap_or_default();
    let notebook = has_key(text, "nbformat") || has_key(text, "cell_type");
    let settings = SETTINGS.contains(&name.as_str())
        || name.ends_with(".index.json")
        || has_key(text, "model_type")
        || has_key(text, "architectures")
        || has_key(text, "tokenizer_class")
        || has_key(text, "added_tokens");
    if notebook || (settings && !lines) {
        return Ok(None);
    }
    refuse_json(text)?;
    Ok(match json_kind(text) {
        _ if lines => Some(LabelFormat::JsonLines),
        JsonKind::Lines => Some(LabelFormat::JsonLines),
        JsonKind::Coco => Some(LabelFormat::Coco),
        JsonKind::One => Some(LabelFormat::Json),
    })
}

fn is_number(field: &[u8]) -> bool {
    matches!(cells::parse(field, Reading::default()), Cell::Number(..))
}

/// A class, then at least four numbers, on every line.
fn is_yolo(lines: &[&[u8]]) -> bool {
    let rows = lines.iter().filter(|line| {
        let fields: Vec<&[u8]> = line
            .split(u8::is_ascii_whitespace)
            .filter(|f| !f.is_empty())
            .collect();
        fields.len() >= 5 && fields.iter().all(|f| is_number(f))
    });
    rows.count() * 10 >= lines.len() * 8 && !lines.is_empty()
}

/// A delimiter with the same number of cells on nearly every line, and columns that tell: a named one, or one of numbers.
fn table_text(text: &[u8], whole: bool, newline: u8) -> Option<Told> {
    let (delimiter, width, share) = sniff_delimiter(text, whole, newline, true);
    if width < 2 || share < 0.95 {
        return None;
    }
    let framing = framing(text, whole, newline, delimiter);
    let records = sample(text, whole, framing, newline, 100);
    let ((first, _), rows) = records.split_first()?;
    let named = Cells::of(first, delimiter).any(|cell| told(&to_text(trim(&cell))).is_some());
    if named {
        return Some(Told::ByName);
    }
    if rows.len() < 2 {
        return None;
    }
    let mut whole_numbers = vec![0_usize; width.min(4096)];
    for (record, _) in rows {
        for (count, cell) in whole_numbers.iter_mut().zip(Cells::of(record, delimiter)) {
            *count += usize::from(is_whole(trim(&cell)));
        }
    }
    let ends = [whole_numbers.first(), whole_numbers.last()];
    ends.into_iter()
        .flatten()
        .any(|count| *count == rows.len())
        .then_some(Told::ByContent)
}

/// What tells that a text is a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Told {
    /// The name of a column.
    ByName,
    /// A column of whole numbers.
    ByContent,
}

/// Lines of a rising number of a picture and its label, as CUB's `image_class_labels.txt`.
fn is_numbered(lines: &[&[u8]]) -> bool {
    let pairs: Vec<(i64, &[u8])> = lines
        .iter()
        .filter_map(|line| {
            let (number, label) = split(line)?;
            let number = std::str::from_utf8(number).ok()?.parse().ok()?;
            is_whole(label).then_some((number, label))
        })
        .collect();
    let labels: BTreeSet<&[u8]> = pairs.iter().map(|(_, label)| *label).collect();
    let marks = labels.iter().all(|l| matches!(*l, b"-1" | b"0" | b"1"));
    pairs.len() == lines.len()
        && pairs.len() >= 4
        && pairs.is_sorted_by(|a, b| a.0 < b.0)
        && labels.len() < pairs.len()
        && !marks
}

/// Lines of a path and a label, or of labels.
fn is_list(lines: &[&[u8]]) -> bool {
    let (mut with, mut paths, mut single) = (0, 0, 0);
    let mut labels = BTreeSet::new();
    for line in lines {
        let Some((path, label)) = split(line) else {
            single += 1;
            continue;
        };
        let is_path = looks_like_path(path) || is_clip(path);
        let plain = is_path || (!is_number(path) && !path.contains(&b' '));
        let named = is_path
            && !path.iter().any(u8::is_ascii_whitespace)
            && label.len() <= 64
            && !is_picture(&to_text(label));
        if (is_whole(label) && plain) || named {
            with += 1;
            paths += usize::from(is_path);
            labels.insert(label);
        }
    }
    if with * 100 >= lines.len() * 95 && with > 0 {
        // Without a path in front it may be a list of words and their counts, or of classes and their numbers: there every
        // number is another. VOC's lists of pictures have an id without extension and -1, 0 or 1, which is no class.
        let marks = labels.iter().all(|l| matches!(*l, b"-1" | b"0" | b"1"));
        return paths * 2 > with || (labels.len() * 2 <= with && !marks);
    }
    if is_numbered(lines) {
        return true;
    }
    if single < lines.len() || lines.is_empty() {
        return false;
    }
    let whole: Vec<i64> = lines
        .iter()
        .filter_map(|line| std::str::from_utf8(line).ok()?.parse().ok())
        .collect();
    if whole.len() == lines.len() {
        // Rising numbers are ids of pictures.
        let ids = whole.len() >= 5 && whole.is_sorted_by(|a, b| a < b);
        return !ids;
    }
    // Names that come again and again are labels; a list of classes has each once.
    let distinct: BTreeSet<&[u8]> = lines.iter().copied().collect();
    lines.len() >= 20
        && distinct.len() * 2 <= lines.len()
        && distinct
            .iter()
            .all(|name| name.len() <= 64 && !looks_like_path(name))
}
