//! Scripts that add a number to all labels.

use std::path::Path;

use super::{
    argument, common_folder, files, map_categories, masks, npy, npz, pairs, selection, table_of,
};
use crate::findings::python::{path, text};
use crate::findings::view::{RuleView, View};
use crate::findings::{Finding, Group};
use crate::labels::{LabelFormat, Place};

/// Values that a shift leaves as they are: ignored ones, and special ones outside the range.
fn kept(rule: &RuleView<'_>, least: i128, most: i128) -> String {
    let ignored = rule.used.rule.ignore.iter().filter_map(|n| n.as_int());
    let special = rule
        .whole()
        .map(|(n, _)| n)
        .filter(|n| crate::findings::patterns::is_special(rule, *n));
    let mut kept: Vec<i128> = ignored
        .chain(special)
        .filter(|n| *n < least || *n > most)
        .collect();
    kept.sort_unstable();
    kept.dedup();
    format!("{kept:?}")
}

/// What a NumPy array of labels is shifted with.
struct Shift {
    least: i128,
    most: i128,
    by: i128,
    kept: String,
}

impl Shift {
    /// Lines that make `fixed` of `labels`, indented by so many blanks.
    fn lines(&self, indent: usize) -> String {
        let Self {
            least,
            most,
            by,
            kept,
        } = self;
        let (low, high) = (least + by, most + by);
        let blanks = " ".repeat(indent);
        let sign = if *by < 0 { '-' } else { '+' };
        let by = by.unsigned_abs();
        [
            format!("moved = ~np.isin(labels, {kept})"),
            format!("assert ((labels[moved] >= {least}) & (labels[moved] <= {most})).all(), \"other labels than expected\""),
            "fixed = labels.astype(np.int64)".to_owned(),
            format!("fixed[moved] {sign}= {by}"),
            format!("assert ((fixed[moved] >= {low}) & (fixed[moved] <= {high})).all()"),
        ]
        .map(|line| format!("{blanks}{line}\n"))
        .concat()
    }
}

/// Adds `by` to all labels of the pattern's files, or of `only` these.
pub(in crate::findings) fn shift(
    view: &View<'_>,
    rule: &RuleView<'_>,
    finding: &Finding,
    by: i128,
    only: Option<&[&Path]>,
) -> Option<String> {
    let shift = {
        let least = argument(finding, "least")?;
        let most = argument(finding, "most")?;
        Shift {
            least,
            most,
            by,
            kept: kept(rule, least, most),
        }
    };
    let group = rule.groups.first()?;
    if rule.groups.iter().any(|other| other.format != group.format) {
        return None;
    }
    let all: Vec<&Path> = files(view, rule).iter().map(|file| &*file.path).collect();
    let paths: Vec<&Path> = only.map_or_else(|| all.clone(), <[&Path]>::to_vec);
    let place = &finding.first.as_ref()?.place;
    match group.format {
        LabelFormat::Table => table_shift(&paths, group, place, &shift),
        LabelFormat::PathList => path_list_shift(&paths, &shift),
        LabelFormat::JsonLines => json_lines_shift(&paths, group, place, &shift),
        LabelFormat::Coco => paths.first().map(|path| map_categories(path)),
        LabelFormat::Yolo => yolo_shift(&all, only, &shift),
        LabelFormat::Mask => masks(
            &all,
            only,
            &shift.lines(4).replace("labels", "mask"),
            "uint8",
        ),
        LabelFormat::Npy => npy(&paths, group, &shift.lines(4)),
        LabelFormat::Npz => npz(&paths, rule, &shift.lines(8)),
        LabelFormat::Torch => torch_shift(&paths, place, &shift),
        LabelFormat::Json
        | LabelFormat::Voc
        | LabelFormat::ImageFolder
        | LabelFormat::Pickle
        | LabelFormat::SafeTensors
        | LabelFormat::Idx
        | LabelFormat::Tokens => None,
    }
}

fn table_shift(paths: &[&Path], group: &Group, place: &Place, shift: &Shift) -> Option<String> {
    let column = place.column.as_deref().or(group.stream.column.as_deref())?;
    let (column, header, written) = table_of(column);
    let files = pairs(paths)?;
    let lines = shift.lines(4);
    Some(format!(
        "import numpy as np
import pandas as pd

column = {column}
files = {files}
for path, copy in files:
    table = pd.read_csv(path, sep=None, engine=\"python\"{header})
    labels = table[column].to_numpy()
{lines}    table[column] = fixed
    table.to_csv(copy, index=False{written})
    print(\"wrote\", copy)
"
    ))
}

fn path_list_shift(paths: &[&Path], shift: &Shift) -> Option<String> {
    let files = pairs(paths)?;
    let Shift {
        least,
        most,
        by,
        kept,
    } = shift;
    Some(format!(
        "files = {files}
for path, copy in files:
    with open(path, encoding=\"utf-8-sig\") as file:
        lines = file.read().splitlines()
    out = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        *before, label = line.rsplit(maxsplit=1)
        label = int(float(label))
        if label not in {kept}:
            assert {least} <= label <= {most}, f\"{{path}}, line {{number}}: {{label}}\"
            label += {by}
        out.append(\" \".join([*before, str(label)]))
    with open(copy, \"w\", encoding=\"utf-8\") as file:
        file.write(\"\\n\".join(out) + \"\\n\")
    print(\"wrote\", copy)
"
    ))
}

fn json_lines_shift(
    paths: &[&Path],
    group: &Group,
    place: &Place,
    shift: &Shift,
) -> Option<String> {
    let key = place
        .key
        .as_deref()
        .or(group.stream.key.as_deref())
        .filter(|key| !key.contains(['.', '[', '/']))?;
    let key = text(key);
    let files = pairs(paths)?;
    let Shift {
        least,
        most,
        by,
        kept,
    } = shift;
    Some(format!(
        "import json

key = {key}


def moved(value):
    if isinstance(value, list):
        return [moved(item) for item in value]
    if value is None or value in {kept}:
        return value
    assert {least} <= value <= {most}, f\"other labels than expected: {{value}}\"
    return value + {by}


files = {files}
for path, copy in files:
    with open(path, encoding=\"utf-8-sig\") as rows, open(copy, \"w\", encoding=\"utf-8\") as out:
        for line in rows:
            if line.strip():
                row = json.loads(line)
                if key in row:
                    row[key] = moved(row[key])
                out.write(json.dumps(row, ensure_ascii=False) + \"\\n\")
    print(\"wrote\", copy)
"
    ))
}

fn yolo_shift(all: &[&Path], only: Option<&[&Path]>, shift: &Shift) -> Option<String> {
    let folder = common_folder(all.iter().copied())?;
    let source = path(&folder);
    let selection = selection(&folder, all, only, "txt")?;
    let Shift {
        least,
        most,
        by,
        kept,
    } = shift;
    Some(format!(
        "import shutil
from pathlib import Path

source = Path({source})
target = source.with_name(source.name + \"_fixed\")
{selection}
files = [path for path in files if path.name not in (\"classes.txt\", \"train.txt\", \"val.txt\")]


def moved(path):
    rows = []
    for number, line in enumerate(path.read_text(encoding=\"utf-8-sig\").splitlines(), 1):
        fields = line.split()
        if not fields:
            continue
        label = int(float(fields[0]))
        if label not in {kept}:
            assert {least} <= label <= {most}, f\"{{path}}, line {{number}}: {{label}}\"
            label += {by}
        rows.append(\" \".join([str(label), *fields[1:]]))
    return \"\".join(row + \"\\n\" for row in rows)


fixed = {{path: moved(path) for path in files}}
assert not target.exists(), f\"{{target}} is there already\"
answer = input(f\"Copy {{source}} to {{target}} with {{len(fixed)}} corrected files? [y/N] \")
if answer.strip().lower() != \"y\":
    raise SystemExit(\"Nothing was written.\")
shutil.copytree(source, target)
for path, rows in fixed.items():
    (target / path.relative_to(source)).write_text(rows, encoding=\"utf-8\")
print(\"wrote\", target)
"
    ))
}

fn torch_shift(paths: &[&Path], place: &Place, shift: &Shift) -> Option<String> {
    let files = pairs(paths)?;
    let key = match place.key.as_deref() {
        Some(key) if key.contains(['.', '[', '/']) => return None,
        Some(key) => text(key),
        None => "None".to_owned(),
    };
    let lines = shift.lines(4);
    Some(format!(
        "import numpy as np
import torch

key = {key}  # None: the file is the tensor itself
files = {files}
for path, copy in files:
    data = torch.load(path, weights_only=True)
    labels = np.asarray(data if key is None else data[key])
{lines}    fixed = torch.from_numpy(fixed)
    torch.save(fixed if key is None else {{**data, key: fixed}}, copy)
    print(\"wrote\", copy)
"
    ))
}
