//! What one file is, by its content first and its name second.

use std::collections::HashSet;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use flate2::read::MultiGzDecoder;

use Recognised::{Is, Labels, Nothing, Text};

use super::names::{CLASS_LISTS, COLOUR_LISTS, is_named_as_list};
use crate::check::SourceKind;
use crate::inputs::{Format, InputKind, Name, inspect, inspect_file, open_regular};
use crate::labels::{
    LabelError, LabelFormat, TensorInfo, names_labels, other_picture, read_class_names,
    read_colours, sniff_binary, sniff_text, tensors,
};
use crate::range_check::ElementType;

const HEAD_BYTES: u64 = 64 * 1024;

/// What a file was recognised as.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Recognised {
    /// Something that tells about labels, or is for another reader.
    Is(SourceKind),
    /// Labels.
    Labels(LabelFormat),
    /// 0 bytes, or blanks.
    Empty,
    /// A text without any sign of labels.
    Text,
    /// Nothing that is known, or known to say nothing about labels.
    Nothing,
}

fn refused(error: LabelError) -> Recognised {
    Is(SourceKind::Refused(error))
}

/// Recognises one file. Only its beginning is read; lists as a whole.
pub(super) fn recognise(path: &Arc<Path>) -> Recognised {
    let (mut file, size) = match open_regular(path) {
        Ok(opened) => opened,
        Err(error) => return refused(error.into()),
    };
    let head = match read_head(&mut file) {
        Ok(head) => head,
        Err(error) => return refused(error.into()),
    };
    if head.iter().all(u8::is_ascii_whitespace) && head.len() as u64 == size {
        return Recognised::Empty;
    }
    if head.starts_with(b"version https://git-lfs.github.com/spec/") {
        return refused(LabelError::LfsPointer);
    }
    let name = Name::of(path);
    if let Some(found) = picture(&name, &head) {
        return found;
    }
    if matches!(name.whole.as_str(), "meta.pkl" | "batches.meta" | "meta") && is_binary(&head) {
        return Is(SourceKind::Meta);
    }
    if !is_binary(&head)
        && let Some(found) = by_text(path, &name, &head)
    {
        return found;
    }
    by_readers(path, &name, &head)
}

fn read_head(file: &mut File) -> std::io::Result<Vec<u8>> {
    let mut head = Vec::new();
    file.take(HEAD_BYTES).read_to_end(&mut head)?;
    Ok(head)
}

/// Bytes that no text begins with.
fn is_binary(head: &[u8]) -> bool {
    let is_utf16 = head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff");
    let start = head.get(..1024).unwrap_or(head);
    !is_utf16
        && (start.starts_with(b"\x1f\x8b")
            || start.starts_with(b"\x80")
            || start.iter().filter(|&&byte| byte < 9).count() * 8 > start.len()
            || start.starts_with(b"PK\x03\x04"))
}

fn picture(name: &Name, head: &[u8]) -> Option<Recognised> {
    if head.starts_with(b"\x89PNG\r\n\x1a\n") {
        const OTHERS: [&str; 12] = [
            "npy",
            "npz",
            "pt",
            "pth",
            "pkl",
            "csv",
            "tsv",
            "json",
            "txt",
            "xml",
            "bin",
            "safetensors",
        ];
        return Some(if OTHERS.contains(&name.extension.as_str()) {
            refused(LabelError::OtherContent {
                named: format!(".{}", name.extension),
                found: "PNG".to_owned(),
            })
        } else {
            Labels(LabelFormat::Mask)
        });
    }
    other_picture(head).map(refused)
}

fn by_text(path: &Arc<Path>, name: &Name, head: &[u8]) -> Option<Recognised> {
    let text = String::from_utf8_lossy(head);
    let start = text.trim_start_matches('\u{feff}').trim_start();
    match name.extension.as_str() {
        "py" | "pyw" => return Some(Is(SourceKind::Script)),
        "ipynb" => return Some(Is(SourceKind::Log)),
        "yaml" | "yml" => {
            return Some(if is_data_yaml(start) {
                Is(SourceKind::DataYaml)
            } else {
                refused(LabelError::NotLabels("YAML".to_owned()))
            });
        }
        "names" => return Some(Is(SourceKind::ClassNames)),
        _ => {}
    }
    if start.starts_with('<') {
        if let Some(found) = xml(start) {
            return Some(found);
        }
    } else if start.starts_with('{') || (start.starts_with('[') && is_named_as_list(path)) {
        if let Some(found) = json(path, name, start) {
            return Some(found);
        }
    } else if let Some(found) = list(path, name, start) {
        return Some(found);
    }
    if is_obj_data(start) && matches!(name.extension.as_str(), "data" | "txt" | "cfg" | "") {
        return Some(Is(SourceKind::ObjData));
    }
    if has_rows(start, head.len() as u64 == HEAD_BYTES) == Some(true) {
        return Some(Labels(LabelFormat::Yolo));
    }
    None
}

/// By the name of the root element.
fn xml(start: &str) -> Option<Recognised> {
    let mut rest = start;
    loop {
        let at = rest.find('<')?;
        rest = rest.get(at + 1..)?;
        if rest.starts_with("!DOCTYPE") {
            return Some(refused(LabelError::Doctype));
        }
        if rest.starts_with('?') || rest.starts_with('!') {
            continue;
        }
        let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '>' | '/'))?;
        return Some(match rest.get(..end)? {
            "annotation" => Labels(LabelFormat::Voc),
            "annotations" => refused(LabelError::LaterFormat("CVAT")),
            // Not XML at all: a text that begins with a bracket.
            name if !name
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"_:-.".contains(&b)) =>
            {
                return None;
            }
            name => refused(LabelError::NotLabels(format!("XML <{name}>"))),
        });
    }
}

fn json(path: &Arc<Path>, name: &Name, start: &str) -> Option<Recognised> {
    let has = |key: &str| start.contains(&format!("\"{key}\""));
    if matches!(
        name.whole.as_str(),
        "dataset_info.json" | "dataset_infos.json"
    ) && (has("features") || has("splits"))
    {
        return Some(Is(SourceKind::DatasetInfo));
    }
    let configures = [
        "model_type",
        "architectures",
        "vocab_size",
        "id2label",
        "num_labels",
        "hidden_size",
        "max_position_embeddings",
    ];
    if name.whole == "config.json"
        || (name.stem.contains("config") && configures.iter().any(|key| has(key)))
    {
        return Some(Is(SourceKind::Config));
    }
    if !is_named_as_list(path) || has("annotations") {
        return None;
    }
    if COLOUR_LISTS.contains(&name.stem.as_str()) && read_colours(path).is_ok() {
        return Some(Is(SourceKind::Colours));
    }
    let names = read_class_names(path).ok()?.names;
    let distinct: HashSet<&String> = names.iter().collect();
    // The labels of the samples repeat.
    (distinct.len() * 10 >= names.len() * 9).then_some(Is(SourceKind::ClassNames))
}

/// A text that is named as a list of classes or colours, and is one.
fn list(path: &Arc<Path>, name: &Name, start: &str) -> Option<Recognised> {
    if !matches!(name.extension.as_str(), "txt" | "csv" | "lst" | "") {
        return None;
    }
    let stem = name.stem.as_str();
    if COLOUR_LISTS.contains(&stem) && read_colours(path).is_ok() {
        return Some(Is(SourceKind::Colours));
    }
    // A table of that name holds the labels themselves.
    let may_be_table = name.extension == "csv" && matches!(stem, "labels" | "names" | "categories");
    if !CLASS_LISTS.contains(&stem) || may_be_table {
        return None;
    }
    // `labels.txt` may hold the labels themselves: those repeat, and list files.
    let lines: Vec<&str> = start
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .take(1000)
        .collect();
    let mut distinct = lines.clone();
    distinct.sort_unstable();
    distinct.dedup();
    let is_surely = ["classes", "class_names", "predefined_classes", "_classes"].contains(&stem);
    let names_files = lines.iter().any(|line| {
        let word = line.split_whitespace().next().unwrap_or_default();
        crate::labels::has_picture_extension(Path::new(word))
    });
    let repeats = distinct.len() * 10 < lines.len() * 9;
    ((is_surely || !repeats) && !names_files && read_class_names(path).is_ok())
        .then_some(Is(SourceKind::ClassNames))
}

/// A data set's file has class names or their number at the left margin, and usually the paths of its splits.
fn is_data_yaml(text: &str) -> bool {
    let has = |key: &str| {
        let mut keys = text
            .lines()
            .map(|line| line.trim_start_matches(['"', '\'']));
        keys.any(|line| {
            let rest = line.strip_prefix(key);
            rest.is_some_and(|rest| {
                rest.trim_start_matches(['"', '\''])
                    .trim_start()
                    .starts_with(':')
            })
        })
    };
    // A model's file has `nc`, too, beside its layers.
    let is_model = has("backbone") || has("head");
    !is_model && (has("names") || has("nc"))
}

fn is_obj_data(text: &str) -> bool {
    let has = |key: &str| {
        text.lines().any(|line| {
            let words = line.split_once('=');
            words.is_some_and(|(name, _)| name.trim() == key)
        })
    };
    has("names") && (has("classes") || has("train"))
}

/// Whether the lines of a text are rows of boxes; `None` where there are none.
fn has_rows(text: &str, is_cut: bool) -> Option<bool> {
    let mut lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .take(200)
        .collect();
    if is_cut && lines.len() > 1 {
        lines.pop();
    }
    let rows = lines.iter().filter(|line| is_row(line)).count();
    (!lines.is_empty()).then_some(2 * rows > lines.len())
}

/// `class x y w h`, a polygon, keypoints: a number and shares of the picture.
fn is_row(line: &str) -> bool {
    let mut words = line.split_ascii_whitespace();
    let is_class = words.next().is_some_and(|word| word.parse::<f64>().is_ok());
    let mut shares = 0;
    let mut others = 0;
    let mut integers = 0;
    for word in words {
        let Ok(number) = word.parse::<f64>() else {
            return false;
        };
        if (-0.5..=1.5).contains(&number) {
            shares += 1;
            integers += usize::from(!word.contains('.'));
        } else {
            others += 1;
        }
    }
    // A table of zeros and ones is none.
    is_class && shares >= 4 && 3 * others <= shares && 2 * integers <= shares
}

/// Whether a text holds rows of boxes; `None` for an empty one.
pub(super) fn has_boxes(path: &Path) -> Option<bool> {
    let (mut file, size) = open_regular(path).ok()?;
    if size == 0 {
        return None;
    }
    let head = read_head(&mut file).ok()?;
    let text = String::from_utf8_lossy(&head);
    has_rows(
        text.trim_start_matches('\u{feff}'),
        head.len() as u64 == HEAD_BYTES,
    )
}

/// By the readers of the other formats, then by what the log reader takes it for.
fn by_readers(path: &Arc<Path>, name: &Name, head: &[u8]) -> Recognised {
    let binary = is_binary(head);
    if binary || !name.extension.is_empty() {
        match sniff_binary(path, head) {
            Ok(Some(format)) => return weights_or_labels(path, name, format),
            Ok(None) => {}
            Err(error) => return refused(error),
        }
    }
    let unpacked = head.starts_with(b"\x1f\x8b").then(|| {
        let mut inner = Vec::new();
        // A head that ends inside a block gives what it holds.
        let _ = MultiGzDecoder::new(head)
            .take(HEAD_BYTES)
            .read_to_end(&mut inner);
        inner
    });
    if let Some(inner) = &unpacked {
        match sniff_binary(path, inner) {
            Ok(Some(format)) => return weights_or_labels(path, name, format),
            Ok(None) => {}
            Err(error) => return refused(error),
        }
    }
    let as_text = unpacked.as_deref().unwrap_or(head);
    let found = match inspect_file(path) {
        Ok(found) => found,
        Err(error) => return refused(error.into()),
    };
    match found.kind {
        InputKind::Log | InputKind::Notebook => return Is(SourceKind::Log),
        InputKind::Script => return Is(SourceKind::Script),
        InputKind::Config if name.extension == "json" => return Is(SourceKind::Config),
        _ => {}
    }
    if !is_binary(as_text) {
        match sniff_text(path, as_text) {
            Ok(Some(format)) => return Labels(format),
            Ok(None) => {}
            Err(error) => return refused(error),
        }
    }
    if let Some(inner) = &unpacked {
        let inside = inspect(Path::new(&name.stem), inner);
        return by_format(path, name, inside.kind, inside.format, false);
    }
    by_format(path, name, found.kind, found.format, binary)
}

/// What the form of a file says that no reader recognised more closely.
fn by_format(
    path: &Arc<Path>,
    name: &Name,
    kind: InputKind,
    form: Format,
    binary: bool,
) -> Recognised {
    use LabelFormat as F;
    let later = |format| refused(LabelError::LaterFormat(format));
    match form {
        Format::NumpyArray => Labels(F::Npy),
        Format::NumpyArchive => Labels(F::Npz),
        Format::Torch => weights_or_labels(path, name, F::Torch),
        Format::Pickle => weights_or_labels(path, name, F::Pickle),
        Format::Safetensors if name.extension == "safetensors" => {
            weights_or_labels(path, name, F::SafeTensors)
        }
        Format::Idx => Labels(F::Idx),
        Format::Table => Labels(F::Table),
        Format::Json => Labels(F::Json),
        Format::JsonLines => Labels(F::JsonLines),
        Format::Coco => Labels(F::Coco),
        Format::Yolo => Labels(F::Yolo),
        Format::FastText => Labels(F::PathList),
        Format::ClassNames => Is(SourceKind::ClassNames),
        Format::Hdf5 => later("HDF5"),
        Format::Parquet => later("Parquet"),
        Format::Arrow => later("Arrow"),
        Format::Excel => later("Excel"),
        Format::Matlab => later("MATLAB"),
        Format::TfRecord => later("TFRecord"),
        Format::Megatron => later("Megatron"),
        Format::LfsPointer => refused(LabelError::LfsPointer),
        _ if binary && is_token_file(path, name) => Labels(F::Tokens),
        _ => match name.extension.as_str() {
            // Their readers say what is wrong with them.
            "npy" => Labels(F::Npy),
            "npz" => Labels(F::Npz),
            "pt" | "pth" => Labels(F::Torch),
            "pkl" | "pickle" => Labels(F::Pickle),
            "safetensors" => Labels(F::SafeTensors),
            _ if name.whole.contains("-idx") && name.whole.contains("ubyte") => Labels(F::Idx),
            _ if kind == InputKind::Text => Text,
            _ => Nothing,
        },
    }
}

/// Token files have no header: only what they are called, and what lies beside them, tells.
fn is_token_file(path: &Path, name: &Name) -> bool {
    let of_split = || crate::labels::split_of_name(&name.stem).is_some();
    let has_meta = || path.with_file_name("meta.pkl").is_file();
    let has_index = || path.with_extension("idx").is_file();
    name.extension == "bin" && !has_index() && (of_split() || has_meta())
}

/// Checkpoints and label tensors come in the same containers; what they hold tells them apart.
fn weights_or_labels(path: &Arc<Path>, name: &Name, format: LabelFormat) -> Recognised {
    use LabelFormat as F;
    if !matches!(format, F::Torch | F::SafeTensors | F::Pickle) {
        return Labels(format);
    }
    let is_weights = if let Ok(found) = tensors(path) {
        are_weights(&found) && !names_labels(path)
    } else {
        let begins = [
            "pytorch_model",
            "model",
            "adapter_model",
            "diffusion_pytorch_model",
        ];
        begins.iter().any(|word| name.stem.starts_with(word)) && format != F::Pickle
    };
    if is_weights {
        Is(SourceKind::Weights)
    } else {
        Labels(format)
    }
}

/// Weights are floats under dotted names (`model.embed_tokens.weight`).
fn are_weights(tensors: &[TensorInfo]) -> bool {
    let dotted = tensors.iter().filter(|tensor| {
        tensor.name.contains('.') && tensor.element.is_none_or(ElementType::is_float)
    });
    !tensors.is_empty() && 2 * dotted.count() >= tensors.len()
}

#[cfg(test)]
mod tests;
