//! Python that mends a fault, or shows it: complete, with the user's own names and numbers. It checks what it expects, and writes
//! copies; no file is changed in place.

mod shift;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

pub(super) use shift::shift;

use super::python::{beside, list, path, text};
use super::view::{RuleView, View};
use super::{FileRead, Finding, Group, Text};
use crate::labels::{ClassList, LabelFormat};

/// Files that a script names one by one.
const MOST_FILES: usize = 500;

/// Files with values of a rule's sources, in reading order.
fn files<'a>(view: &View<'a>, rule: &RuleView<'_>) -> Vec<&'a FileRead> {
    let of = |file: &&FileRead| rule.groups.iter().any(|group| group.source == file.source);
    let read = view.material.files.iter().filter(of);
    read.filter(|file| file.values > 0).collect()
}

/// The folder that all files lie in.
fn common_folder<'p>(paths: impl IntoIterator<Item = &'p Path>) -> Option<PathBuf> {
    let mut folder: Option<PathBuf> = None;
    for path in paths {
        let parent = path.parent()?;
        folder = Some(match folder {
            None => parent.to_path_buf(),
            Some(known) => known
                .ancestors()
                .find(|ancestor| parent.starts_with(ancestor))?
                .to_path_buf(),
        });
    }
    // A copy needs a name to stand beside.
    folder.filter(|folder| folder.file_name().is_some())
}

fn argument(finding: &Finding, name: &str) -> Option<i128> {
    finding.args.iter().find_map(|(known, value)| match value {
        Text::Number(number) if *known == name => number.as_int(),
        _ => None,
    })
}

/// Pairs of a file and its copy, as a Python list.
fn pairs(paths: &[&Path]) -> Option<String> {
    if paths.is_empty() || paths.len() > MOST_FILES {
        return None;
    }
    Some(list(paths.iter().map(|of| {
        format!("({}, {})", path(of), beside(of, "_fixed"))
    })))
}

/// How pandas reads a table, and how it names a column.
fn table_of(column: &str) -> (String, &'static str, &'static str) {
    if column.parse::<u32>().is_ok() {
        // A number is the place of a column in a table without a header.
        (column.to_owned(), ", header=None", ", header=False")
    } else {
        (text(column), "", "")
    }
}

/// Which files of a folder a script works on: those that were checked by name, or, where these are many, all of their kind in the
/// folders that hold them. Pictures and texts of other folders are not touched.
fn selection(source: &Path, all: &[&Path], only: Option<&[&Path]>, end: &str) -> Option<String> {
    let named = only.unwrap_or(all);
    let below = |path: &Path| path.strip_prefix(source).ok().map(Path::to_path_buf);
    if named.len() <= MOST_FILES {
        let inside: Vec<PathBuf> = named.iter().filter_map(|path| below(path)).collect();
        let inside = list(inside.iter().map(|name| path(name)));
        return Some(format!("files = [source / name for name in {inside}]"));
    }
    if only.is_some() {
        return None;
    }
    let folders: BTreeSet<PathBuf> = all
        .iter()
        .filter_map(|path| below(path.parent()?))
        .collect();
    if folders.len() > MOST_FILES {
        return None;
    }
    let folders = list(folders.iter().map(|folder| path(folder)));
    let pattern = text(&format!("*.{end}"));
    Some(format!(
        "folders = {folders}
files = sorted(path for name in folders for path in (source / name).glob({pattern}))"
    ))
}

/// Works on masks: `lines` make `fixed` of `mask`, indented by four.
fn masks(all: &[&Path], only: Option<&[&Path]>, lines: &str, element: &str) -> Option<String> {
    let folder = common_folder(all.iter().copied())?;
    let source = path(&folder);
    let selection = selection(&folder, all, only, "png")?;
    Some(format!(
        "from pathlib import Path

import numpy as np
from PIL import Image

source = Path({source})
target = source.with_name(source.name + \"_fixed\")
{selection}
for path in files:
    mask = np.array(Image.open(path))
{lines}    copy = target / path.relative_to(source)
    copy.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(fixed.astype(np.{element})).save(copy)
print(\"wrote\", len(files), \"masks to\", target)
"
    ))
}

/// Works on arrays: `lines` make `fixed` of `labels`, indented by four.
fn npy(paths: &[&Path], group: &Group, lines: &str) -> Option<String> {
    let files = pairs(paths)?;
    let field = group
        .stream
        .column
        .as_deref()
        .map(|field| format!("[{}]", text(field)))
        .unwrap_or_default();
    Some(format!(
        "import numpy as np

files = {files}
for path, copy in files:
    labels = np.load(path){field}
{lines}    np.save(copy, fixed)
    print(\"wrote\", copy)
"
    ))
}

/// Works on the label arrays of archives: `lines` make `fixed` of `labels`, indented by eight.
fn npz(paths: &[&Path], rule: &RuleView<'_>, lines: &str) -> Option<String> {
    let files = pairs(paths)?;
    let mut keys: Vec<&str> = rule
        .groups
        .iter()
        .filter_map(|group| group.stream.key.as_deref())
        .collect();
    keys.dedup();
    let keys = list(keys.into_iter().map(text));
    Some(format!(
        "import numpy as np

keys = {keys}
files = {files}
for path, copy in files:
    arrays = dict(np.load(path))
    for key in keys:
        labels = arrays[key]
{lines}        arrays[key] = fixed
    np.savez_compressed(copy, **arrays)
    print(\"wrote\", copy)
"
    ))
}

/// A mask of 0 and 255 to classes 0 and 1.
pub(super) fn binary(view: &View<'_>, rule: &RuleView<'_>, _finding: &Finding) -> Option<String> {
    let group = rule.groups.first()?;
    let paths: Vec<&Path> = files(view, rule).iter().map(|file| &*file.path).collect();
    let lines = |name: &str| {
        format!(
            "    assert np.isin({name}, [0, 255]).all(), f\"{{path}}: other values than 0 and 255\"
    fixed = np.where({name} == 255, 1, 0)
"
        )
    };
    match group.format {
        LabelFormat::Mask => masks(&paths, None, &lines("mask"), "uint8"),
        LabelFormat::Npy => npy(&paths, group, &lines("labels")),
        _ => None,
    }
}

/// `class * 1000 + instance` to the class.
pub(super) fn instances(
    view: &View<'_>,
    rule: &RuleView<'_>,
    _finding: &Finding,
    factor: i128,
) -> Option<String> {
    let group = rule.groups.first()?;
    let paths: Vec<&Path> = files(view, rule).iter().map(|file| &*file.path).collect();
    let lines = |name: &str| {
        format!(
            "    fixed = np.where({name} >= {factor}, {name} // {factor}, {name})
    print(path, \"holds the classes\", np.unique(fixed))
"
        )
    };
    match group.format {
        LabelFormat::Mask => masks(&paths, None, &lines("mask"), "uint8"),
        LabelFormat::Npy => npy(&paths, group, &lines("labels")),
        _ => None,
    }
}

/// The value that -1 became, back to an ignore value.
pub(super) fn unwrap_ignored(
    view: &View<'_>,
    rule: &RuleView<'_>,
    finding: &Finding,
    value: i128,
) -> Option<String> {
    let group = rule.groups.first()?;
    let paths: Vec<&Path> = files(view, rule).iter().map(|file| &*file.path).collect();
    let count = finding.count;
    let lines = |indent: usize| {
        let blanks = " ".repeat(indent);
        format!(
            "{blanks}fixed = labels.astype(np.int64)  # signed, so that -100 fits
{blanks}fixed[labels == {value}] = -100  # what cross_entropy ignores
"
        )
    };
    match group.format {
        LabelFormat::Npy => npy(&paths, group, &lines(4))
            .map(|script| format!("# {count} values are {value}.\n{script}")),
        LabelFormat::Npz => npz(&paths, rule, &lines(8)),
        _ => None,
    }
}

/// A loss that skips a value.
pub(super) fn ignore_index(value: i64) -> String {
    format!(
        "import torch
from torch import nn

criterion = nn.CrossEntropyLoss(ignore_index={value})

# Proof with two labels: the second one is skipped.
logits = torch.zeros(2, 3)
targets = torch.tensor([1, {value}])
assert torch.isfinite(criterion(logits, targets))
"
    )
}

/// Room for added tokens.
pub(super) fn resize_embedding() -> String {
    "# After the tokenizer has got its new tokens, and before training:
before = model.get_input_embeddings().num_embeddings
if len(tokenizer) > before:
    model.resize_token_embeddings(len(tokenizer))
    print(\"embedding:\", before, \"->\", model.get_input_embeddings().num_embeddings, \"rows\")
assert len(tokenizer) <= model.get_input_embeddings().num_embeddings
"
    .to_owned()
}

/// Resizing without inventing classes.
pub(super) fn nearest() -> String {
    "from PIL import Image


def resize_mask(mask, size):
    # Interpolation would mix class numbers into numbers that no class has.
    return mask.resize(size, Image.Resampling.NEAREST)


# In torchvision:
# transforms.Resize(size, interpolation=transforms.InterpolationMode.NEAREST)
# Save masks as PNG: JPEG changes the values.
"
    .to_owned()
}

/// Maps ids with gaps to 0, 1, 2….
pub(super) fn map_ids(view: &View<'_>, rule: &RuleView<'_>, finding: &Finding) -> Option<String> {
    let group = rule.groups.first()?;
    let place = &finding.first.as_ref()?.place;
    let of = place.path.as_deref()?;
    match group.format {
        LabelFormat::Coco => Some(map_categories(of)),
        LabelFormat::Table => {
            let column = place.column.as_deref()?;
            let (column, header, written) = table_of(column);
            let paths: Vec<&Path> = files(view, rule).iter().map(|file| &*file.path).collect();
            let files = pairs(&paths)?;
            Some(format!(
                "import pandas as pd

column = {column}
files = {files}
tables = [pd.read_csv(path, sep=None, engine=\"python\"{header}) for path, _ in files]
ids = sorted(set().union(*(table[column].dropna().astype(int) for table in tables)))
index = {{old: new for new, old in enumerate(ids)}}
print(len(ids), \"ids, the largest was\", ids[-1])
for table, (_, copy) in zip(tables, files):
    table[column] = table[column].map(index)
    assert table[column].max() < len(ids)
    table.to_csv(copy, index=False{written})
    print(\"wrote\", copy)
"
            ))
        }
        LabelFormat::Npy => {
            let paths: Vec<&Path> = files(view, rule).iter().map(|file| &*file.path).collect();
            // Several arrays must share one map; that is for the user's own code.
            let [_] = paths.as_slice() else {
                return None;
            };
            let lines = "    ids, fixed = np.unique(labels, return_inverse=True)
    fixed = fixed.reshape(labels.shape)
    print(len(ids), \"ids, the largest was\", ids[-1])
    assert fixed.max() < len(ids)
";
            npy(&paths, group, lines)
        }
        _ => None,
    }
}

/// COCO categories in order of their ids, as training code numbers them.
pub(super) fn map_categories(of: &Path) -> String {
    let (file, copy) = (path(of), beside(of, "_fixed"));
    format!(
        "import json

with open({file}, encoding=\"utf-8-sig\") as file:
    data = json.load(file)
annotations = data[\"annotations\"] if isinstance(data, dict) else data
categories = data.get(\"categories\", []) if isinstance(data, dict) else []
used = {{int(annotation[\"category_id\"]) for annotation in annotations}}
ids = sorted({{int(category[\"id\"]) for category in categories}} or used)
assert used <= set(ids), f\"not in categories: {{sorted(used - set(ids))}}\"
index = {{old: new for new, old in enumerate(ids)}}
for annotation in annotations:
    annotation[\"category_id\"] = index[int(annotation[\"category_id\"])]
for category in categories:
    category[\"id\"] = index[int(category[\"id\"])]
print(len(ids), \"classes, ids 0 to\", len(ids) - 1)
with open({copy}, \"w\", encoding=\"utf-8\") as file:
    json.dump(data, file)
"
    )
}

/// The table of a finding's first place: its path, how pandas reads it, its column.
fn first_table(finding: &Finding) -> Option<(&Path, &str)> {
    let place = &finding.first.as_ref()?.place;
    let path = place.path.as_deref()?;
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    let table = matches!(extension.as_str(), "csv" | "tsv");
    Some((path, place.column.as_deref()?)).filter(|_| table)
}

/// Rows without a label.
pub(super) fn missing(finding: &Finding) -> Option<String> {
    let (of, column) = first_table(finding)?;
    let (file, copy) = (path(of), beside(of, "_fixed"));
    let (column, header, written) = table_of(column);
    Some(format!(
        "import pandas as pd

column = {column}
table = pd.read_csv({file}, sep=None, engine=\"python\"{header})
empty = table[column].isna()
print(table[empty])
fixed = table[~empty].copy()
if pd.api.types.is_float_dtype(fixed[column]):
    fixed[column] = fixed[column].astype(\"int64\")
assert fixed[column].notna().all()
fixed.to_csv({copy}, index=False{written})
"
    ))
}

/// Whole floats to integers.
pub(super) fn to_int(finding: &Finding) -> Option<String> {
    if let Some((of, column)) = first_table(finding) {
        let (file, copy) = (path(of), beside(of, "_fixed"));
        let (column, header, written) = table_of(column);
        return Some(format!(
            "import pandas as pd

column = {column}
table = pd.read_csv({file}, sep=None, engine=\"python\"{header})
whole = table[column].dropna()
assert (whole == whole.round()).all(), \"a label has a fraction\"
table[column] = table[column].astype(\"Int64\")  # keeps empty cells empty
table.to_csv({copy}, index=False{written})
"
        ));
    }
    let place = &finding.first.as_ref()?.place;
    let of = place.path.as_deref()?;
    let array = of.extension().is_some_and(|end| end == "npy") && place.column.is_none();
    array.then(|| {
        let (file, copy) = (path(of), beside(of, "_fixed"));
        format!(
            "import numpy as np

labels = np.load({file})
assert np.isfinite(labels).all() and (labels == np.round(labels)).all()
np.save({copy}, labels.astype(np.int64))
"
        )
    })
}

/// Names that the list lacks, with the nearest ones that it has.
pub(super) fn rename(finding: &Finding, names: &[(&str, Option<&str>)]) -> Option<String> {
    let (of, column) = first_table(finding)?;
    let (file, copy) = (path(of), beside(of, "_fixed"));
    let (column, header, written) = table_of(column);
    let known: Vec<String> = names
        .iter()
        .filter_map(|(name, near)| Some(format!("({}, {})", text(name), text((*near)?))))
        .collect();
    if known.is_empty() {
        return None;
    }
    let known = list(known);
    Some(format!(
        "import pandas as pd

column = {column}
names = dict({known})  # check each pair first
table = pd.read_csv({file}, sep=None, engine=\"python\", keep_default_na=False{header})
print(table[table[column].isin(list(names))])
table[column] = table[column].replace(names)
assert not table[column].isin(list(names)).any()
table.to_csv({copy}, index=False{written})
"
    ))
}

/// Both splits numbered as training is.
pub(super) fn same_folders(train: &ClassList, other: &ClassList) -> Option<String> {
    let (train, other) = (
        path(train.source.path.as_deref()?),
        path(other.source.path.as_deref()?),
    );
    Some(format!(
        "from torchvision.datasets import ImageFolder

train = ImageFolder({train})


class SameClasses(ImageFolder):
    # Folders get the numbers that they have in training.
    def find_classes(self, directory):
        return train.classes, train.class_to_idx


val = SameClasses({other}, allow_empty=True)
assert val.class_to_idx == train.class_to_idx
print(len(train.classes), \"classes:\", train.classes[:5])
"
    ))
}

/// The same script is shown with the finding that it mends, not with each that it touches: the first keeps it.
pub(super) fn shown_once(findings: &mut [Finding]) {
    let mut shown = std::collections::BTreeSet::new();
    for finding in findings {
        let again = finding
            .snippet
            .as_ref()
            .is_some_and(|snippet| !shown.insert(snippet.clone()));
        if again {
            finding.snippet = None;
        }
    }
}
