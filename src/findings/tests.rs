//! Findings on hand-made material: for each id a case that has it and a tempting one that has not.

use std::path::Path;
use std::sync::Arc;

use super::*;
use crate::bounds::{Bound, BoundSource, ScriptRemark};
use crate::knowledge::Certainty;
use crate::labels::{
    ClassList, LabelFormat, ListSource, Place, Role, Stream, Trouble, TroubleKind,
};
use crate::range_check::{ElementType, Number, Rule};

/// Material made by hand.
#[derive(Clone, Default)]
pub(crate) struct Made(pub Material);

impl Made {
    /// One rule; `size` 0: no upper end is known.
    pub fn rule(role: Role, size: i64) -> Self {
        Self::default().and_rule(role, size)
    }

    /// Class labels of a CSV file, read in this order.
    pub fn classes(size: i64, values: &[f64]) -> Self {
        Self::rule(Role::Class, size).file("train.csv", None, LabelFormat::Table, values)
    }

    /// One more rule.
    pub fn and_rule(mut self, role: Role, size: i64) -> Self {
        let bound = (size > 0).then(|| {
            self.0.bounds.push(Bound {
                role,
                lo: Number::from(0_u8),
                hi: Number::from(size - 1),
                source: BoundSource::DataFile,
                path: Some(Path::new("data.yaml").into()),
                line: Some(3),
                what: format!("nc = {size}"),
                certainty: Certainty::Certain,
                names: None,
            });
            self.0.bounds.len() - 1
        });
        let fractions = matches!(role, Role::Probability | Role::Logits | Role::MultiLabel);
        let (lo, hi) = match role {
            Role::Probability => (Some(0), Some(1)),
            Role::Logits | Role::MultiLabel => (None, None),
            Role::CategoryId if size == 0 => (None, None),
            _ => (Some(0), (size > 0).then_some(size - 1)),
        };
        self.0.rules.push(RuleUsed {
            role,
            rule: Rule {
                lo: lo.map(Number::from),
                hi: hi.map(Number::from),
                ignore: if role == Role::Class {
                    vec![Number::from(-100_i8)]
                } else {
                    Vec::new()
                },
                fractions,
            },
            bound,
            names: None,
            name: String::new(),
        });
        self
    }

    /// Other ignore values than -100.
    pub fn ignoring(mut self, values: &[i64]) -> Self {
        for rule in &mut self.0.rules {
            rule.rule.ignore = values.iter().copied().map(Number::from).collect();
        }
        self.0.ignore_by_user = true;
        self
    }

    /// A file of the last rule, in a source of its own split.
    pub fn file(
        mut self,
        path: &str,
        split: Option<&str>,
        format: LabelFormat,
        values: &[f64],
    ) -> Self {
        let path: Arc<Path> = Path::new(path).into();
        let split: Option<Arc<str>> = split.map(Into::into);
        let rule = self.0.rules.len() - 1;
        let source = self
            .0
            .groups
            .iter()
            .position(|g| g.rule == rule && g.split == split && g.format == format);
        let at = source.unwrap_or_else(|| {
            self.0.groups.push(Group {
                source: self.0.groups.len(),
                split: split.clone(),
                format,
                stream: Stream::default(),
                rule,
                files: 0,
                count: 0,
                ignored: 0,
                min: None,
                max: None,
                seen: std::collections::BTreeMap::new(),
                more_seen: false,
                breaches: std::collections::BTreeMap::new(),
                names: std::collections::BTreeMap::new(),
                more_names: false,
                missing: None,
                floats: 0,
                odd: 0,
            });
            self.0.groups.len() - 1
        });
        let column = (format == LabelFormat::Table).then(|| Arc::from("label"));
        let mut file = FileRead {
            path: Arc::clone(&path),
            source: at,
            format: Some(format),
            split,
            values: values.len() as u64,
            min: None,
            max: None,
            distinct: 0,
            offenders: 0,
            error: None,
            partial: None,
        };
        let rule = self.0.rules[rule].rule.clone();
        let group = &mut self.0.groups[at];
        group.files += u64::from(!values.is_empty());
        let mut met = std::collections::BTreeSet::new();
        let mut broke = std::collections::BTreeSet::new();
        for (row, value) in values.iter().enumerate() {
            let value = Number::from(*value);
            let place = Place {
                path: Some(Arc::clone(&path)),
                line: Some(row as u64 + 2),
                row: Some(row as u64),
                column: column.clone(),
                ..Place::default()
            };
            group.count += 1;
            let seen = group
                .seen
                .entry(value)
                .or_insert_with(|| seen_at(&place, 0, 0));
            seen.count += 1;
            seen.files += u64::from(met.insert(value));
            if rule.ignore.contains(&value) {
                group.ignored += 1;
            } else if value.as_f64().is_finite() {
                let ends = |old: Option<Number>, f: fn(Number, Number) -> Number| {
                    Some(old.map_or(value, |o| f(o, value)))
                };
                (file.min, file.max) = (ends(file.min, Number::min), ends(file.max, Number::max));
                (group.min, group.max) =
                    (ends(group.min, Number::min), ends(group.max, Number::max));
            }
            if let Some(breach) = rule.breach(value) {
                let at = group.breaches.entry(breach).or_insert_with(|| BreachAt {
                    count: 0,
                    files: 0,
                    first: (value, place),
                    row_text: Some(format!("row {row}")),
                });
                at.count += 1;
                at.files += u64::from(broke.insert(breach));
                file.offenders += 1;
            }
        }
        file.distinct = met.len() as u64;
        self.0.files.push(file);
        self
    }

    /// Names in the last group.
    pub fn names(mut self, names: &[&str]) -> Self {
        let path = self.0.files.last().map(|file| Arc::clone(&file.path));
        let group = self.0.groups.last_mut().unwrap();
        for (row, name) in names.iter().enumerate() {
            let place = Place {
                path: path.clone(),
                line: Some(row as u64 + 2),
                row: Some(row as u64),
                column: Some("label".into()),
                ..Place::default()
            };
            let seen = group
                .names
                .entry((*name).to_owned())
                .or_insert_with(|| seen_at(&place, 0, 1));
            seen.count += 1;
            group.count += 1;
        }
        if let Some(file) = self.0.files.last_mut() {
            file.values += names.len() as u64;
        }
        self
    }

    /// The list that names are looked up in.
    pub fn listed(mut self, names: &[&str]) -> Self {
        let list = list("classes.txt", names);
        self.0.class_lists.push(Arc::clone(&list));
        self.0.rules.last_mut().unwrap().names = Some(list);
        self
    }

    /// The last group's stream.
    pub fn stream(mut self, change: impl Fn(&mut Stream)) -> Self {
        change(&mut self.0.groups.last_mut().unwrap().stream);
        self
    }

    pub fn group(mut self, change: impl Fn(&mut Group)) -> Self {
        change(self.0.groups.last_mut().unwrap());
        self
    }

    pub fn bound(mut self, change: impl Fn(&mut Bound)) -> Self {
        change(self.0.bounds.last_mut().unwrap());
        self
    }

    pub fn trouble(mut self, kind: TroubleKind) -> Self {
        self.0.troubles.push(Trouble {
            kind,
            place: Place {
                path: Some(Path::new("labels/a.txt").into()),
                line: Some(4),
                ..Place::default()
            },
            text: Some("0 0.5".to_owned()),
        });
        self
    }

    pub fn find(&self) -> Vec<Finding> {
        find(&self.0)
    }
}

fn seen_at(place: &Place, count: u64, files: u64) -> SeenAt {
    SeenAt {
        count,
        files,
        first: place.clone(),
        row_text: None,
    }
}

pub(crate) fn list(path: &str, names: &[&str]) -> Arc<ClassList> {
    Arc::new(ClassList {
        names: names.iter().map(|name| (*name).to_owned()).collect(),
        source: ListSource {
            path: Some(Path::new(path).into()),
            line: None,
            what: "names".to_owned(),
        },
        ..ClassList::default()
    })
}

/// Class folders of an `ImageFolder`, as numbers of its pictures.
fn folders(made: Made, split: &str, names: &[&str]) -> Made {
    let values: Vec<f64> = (0..names.len()).map(|n| n as f64).collect();
    let path = format!("data/{split}");
    made.file(&path, Some(split), LabelFormat::ImageFolder, &values)
        .stream(|stream| stream.classes = Some(list(&path, names)))
}

/// Materials with every id and variant, by what they show. Also used where the words are tested.
pub(crate) fn all_cases() -> Vec<(&'static str, Made, Vec<&'static str>)> {
    let ramp = |from: i32, to: i32, times: usize| -> Vec<f64> {
        (0..times)
            .flat_map(|_| (from..=to).map(f64::from))
            .collect()
    };
    let with = |mut values: Vec<f64>, more: &[f64]| {
        values.extend(more);
        values
    };
    let mask = |size: i64, values: &[f64]| {
        Made::rule(Role::Class, size)
            .file("masks/1.png", None, LabelFormat::Mask, values)
            .stream(|s| s.element = Some(ElementType::U8))
    };
    let npy = |role, size, values: &[f64], element| {
        Made::rule(role, size)
            .file("y.npy", None, LabelFormat::Npy, values)
            .stream(move |s| {
                s.element = Some(element);
                s.shape = vec![values.len() as u64];
            })
    };
    let coco = |size: i64, ids: &[i64], values: &[f64]| {
        Made::rule(Role::CategoryId, size)
            .file("instances.json", None, LabelFormat::Coco, values)
            .stream(|s| {
                let names: Vec<String> = ids.iter().map(|id| format!("c{id}")).collect();
                s.classes = Some(Arc::new(ClassList {
                    names,
                    ids: Some(ids.to_vec()),
                    ..ClassList::default()
                }));
            })
    };
    let yolo = |files: &[(&str, &[f64])]| {
        files
            .iter()
            .fold(Made::rule(Role::Class, 4), |made, (path, values)| {
                made.file(path, None, LabelFormat::Yolo, values)
            })
    };
    let blurred: Vec<f64> = with(vec![0.0; 900], &vec![15.0; 300])
        .into_iter()
        .chain((20..60).map(f64::from))
        .collect();
    let grey: Vec<f64> = with(vec![0.0; 900], &vec![255.0; 300])
        .into_iter()
        .chain((20..90).map(f64::from))
        .collect();
    let logits = |shape: &[u64], target: &[u64]| {
        let shape = shape.to_vec();
        let target = target.to_vec();
        Made::rule(Role::Logits, 0)
            .file("out.npz", None, LabelFormat::Npz, &[0.5])
            .stream(move |s| s.shape.clone_from(&shape))
            .and_rule(Role::Class, 4)
            .file("out.npz", None, LabelFormat::Npz, &[0.0, 3.0])
            .stream(move |s| s.shape.clone_from(&target))
    };
    let nothing = || Made::classes(3, &[0.0, 1.0, 2.0]);
    let mut out = vec![
        ("fine", nothing(), vec![]),
        ("few distinct", Made::classes(10, &[0.0, 3.0, 3.0]), vec![]),
        ("one value only", Made::classes(10, &[3.0; 40]), vec![]),
        ("all ignored", Made::classes(10, &[-100.0; 40]), vec![]),
        (
            "255 is a class",
            Made::classes(256, &[0.0, 255.0, 7.0]),
            vec![],
        ),
        (
            "unknown size",
            Made::classes(0, &[0.0, 1.0, 2.0, 1.0]),
            vec![],
        ),
        (
            "multi-label",
            Made::rule(Role::MultiLabel, 0).file(
                "a.csv",
                None,
                LabelFormat::Table,
                &[0.0, 1.0, 1.0],
            ),
            vec![],
        ),
        (
            "test split without labels",
            Made::rule(Role::Class, 3).file(
                "test.csv",
                Some("test"),
                LabelFormat::Table,
                &[-1.0; 9],
            ),
            vec!["negative/unlabelled note"],
        ),
        (
            "1-based",
            Made::classes(10, &ramp(1, 10, 2)),
            vec!["too-big", "one-based"],
        ),
        (
            "1-based with ignored",
            Made::classes(10, &with(ramp(1, 10, 2), &[-100.0])),
            vec!["too-big", "one-based"],
        ),
        (
            "1-based and 255",
            Made::classes(10, &with(ramp(1, 10, 2), &[255.0])),
            vec!["too-big", "one-based", "ignore-not-set"],
        ),
        (
            "1-based, size unknown",
            Made::classes(0, &ramp(1, 5, 4)),
            vec!["one-based/unknown warning"],
        ),
        (
            "1-based mask, size unknown",
            mask(0, &ramp(1, 5, 4)),
            vec![],
        ),
        (
            "only far too big",
            Made::classes(10, &[0.0, 10.0, 12.0]),
            vec!["too-big"],
        ),
        (
            "off by one",
            Made::classes(5, &ramp(0, 5, 2)),
            vec!["too-big", "off-by-one-count"],
        ),
        (
            "off by one, mask",
            mask(5, &ramp(0, 5, 2)),
            vec!["too-big", "off-by-one-count/mask"],
        ),
        (
            "shifted twice",
            Made::classes(6, &ramp(-1, 4, 3)),
            vec!["negative", "double-shift"],
        ),
        (
            "-1 stands for no label",
            Made::classes(6, &with(ramp(0, 5, 3), &[-1.0])),
            vec!["negative", "ignore-not-set"],
        ),
        (
            "-1 is ignored",
            Made::rule(Role::Class, 6).ignoring(&[-1]).file(
                "a.csv",
                None,
                LabelFormat::Table,
                &ramp(-1, 4, 3),
            ),
            vec![],
        ),
        ("nan", Made::classes(3, &[0.0, f64::NAN]), vec!["nan"]),
        ("inf", Made::classes(3, &[0.0, f64::INFINITY]), vec!["inf"]),
        ("fraction", Made::classes(3, &[0.0, 1.5]), vec!["fraction"]),
        (
            "probabilities",
            Made::rule(Role::Probability, 0).file(
                "p.csv",
                None,
                LabelFormat::Table,
                &[0.5, 2.0, -0.1, f64::NAN, f64::INFINITY],
            ),
            vec![
                "too-big/probability",
                "negative/probability",
                "nan/float",
                "inf/float",
            ],
        ),
        (
            "logits",
            Made::rule(Role::Logits, 0).file("p.csv", None, LabelFormat::Table, &[-8.5, 99.0]),
            vec![],
        ),
        (
            "added token",
            Made::rule(Role::Token, 32000).file(
                "t.jsonl",
                None,
                LabelFormat::JsonLines,
                &[1.0, 32000.0, 7.0],
            ),
            vec!["too-big/embedding", "added-tokens"],
        ),
        (
            "tokens far off",
            Made::rule(Role::Token, 100).file(
                "t.jsonl",
                None,
                LabelFormat::JsonLines,
                &[1.0, 5000.0],
            ),
            vec!["too-big/embedding"],
        ),
        (
            "-100 in tokens",
            Made::rule(Role::Token, 100).file(
                "t.jsonl",
                None,
                LabelFormat::JsonLines,
                &[1.0, -100.0],
            ),
            vec!["negative/embedding-ignore"],
        ),
        (
            "negative tokens",
            Made::rule(Role::Token, 0).file("t.jsonl", None, LabelFormat::JsonLines, &[1.0, -7.0]),
            vec!["negative/embedding"],
        ),
        (
            "positions",
            Made::rule(Role::Position, 512).file(
                "t.jsonl",
                None,
                LabelFormat::JsonLines,
                &ramp(0, 512, 1),
            ),
            vec!["too-big/position"],
        ),
        (
            "token types",
            Made::rule(Role::TokenType, 1).file(
                "t.jsonl",
                None,
                LabelFormat::JsonLines,
                &[0.0, 1.0],
            ),
            vec!["too-big/token-type", "off-by-one-count"],
        ),
        (
            "index",
            Made::rule(Role::Index, 5).file("i.npy", None, LabelFormat::Npy, &[9.0, -3.0]),
            vec!["too-big/index", "negative/index"],
        ),
        (
            "items with gaps",
            Made::rule(Role::Token, 200).file(
                "r.csv",
                None,
                LabelFormat::Table,
                &(1..=200).map(|n| f64::from(n * 2 - 1)).collect::<Vec<_>>(),
            ),
            vec!["too-big/embedding", "sparse"],
        ),
        (
            "black and white",
            mask(2, &with(vec![0.0; 9], &[255.0])),
            vec!["too-big", "binary-255"],
        ),
        (
            "black and white, size unknown",
            mask(0, &with(vec![0.0; 9], &[255.0])),
            vec!["binary-255 warning"],
        ),
        (
            "border 255",
            mask(21, &[0.0, 15.0, 255.0]),
            vec!["too-big", "ignore-not-set"],
        ),
        (
            "border 255, size unknown",
            mask(0, &[0.0, 15.0, 255.0]),
            vec!["ignore-not-set/unknown warning"],
        ),
        (
            "border 255, ignored",
            Made::rule(Role::Class, 21).ignoring(&[255]).file(
                "masks/1.png",
                None,
                LabelFormat::Mask,
                &[0.0, 15.0, 255.0],
            ),
            vec![],
        ),
        (
            "blurred",
            mask(16, &blurred),
            vec!["too-big", "blurred-mask"],
        ),
        (
            "blurred, size unknown",
            mask(0, &grey),
            vec!["blurred-mask warning"],
        ),
        (
            "wrapped",
            npy(Role::Class, 10, &[0.0, 9.0, 255.0], ElementType::U8),
            vec!["too-big", "wrapped"],
        ),
        (
            "wrapped and shifted",
            npy(Role::Class, 10, &[0.0, 9.0, 254.0], ElementType::U8),
            vec!["too-big", "wrapped/shifted"],
        ),
        (
            "instances",
            mask(5, &[0.0, 1001.0, 4002.0]).stream(|s| s.element = Some(ElementType::U16)),
            vec!["too-big", "instance-ids"],
        ),
        (
            "instances, bytes",
            mask(34, &[0.0, 6913.0, 7168.0]).stream(|s| s.element = Some(ElementType::U16)),
            vec!["too-big", "instance-ids/byte"],
        ),
        (
            "instances, size unknown",
            mask(0, &[0.0, 1001.0]).stream(|s| s.element = Some(ElementType::U16)),
            vec!["instance-ids warning"],
        ),
        (
            "floats",
            npy(Role::Class, 3, &[0.0, 1.0], ElementType::F32),
            vec!["float-ints note"],
        ),
        (
            "categories with gaps",
            coco(0, &[1, 2, 4], &[1.0, 2.0, 4.0]),
            vec!["sparse/category note"],
        ),
        (
            "unknown category",
            coco(0, &[0, 1, 2], &[1.0, 91.0]),
            vec!["unknown-class"],
        ),
        (
            "raw categories",
            coco(
                80,
                &[1, 90],
                &(1..=90)
                    .filter(|n| n % 9 != 0)
                    .map(f64::from)
                    .collect::<Vec<_>>(),
            ),
            vec!["too-big", "sparse"],
        ),
        (
            "unused classes",
            Made::classes(5, &[0.0, 1.0, 3.0].repeat(40)),
            vec!["sparse/unused note"],
        ),
        (
            "gaps, size unknown",
            Made::classes(0, &[0.0, 10.0, 300.0].repeat(4)),
            vec!["sparse/unknown note"],
        ),
        (
            "typo",
            Made::classes(2, &[])
                .names(&["cat", "dogg"])
                .listed(&["cat", "dog"]),
            vec!["text/nearest"],
        ),
        (
            "case",
            Made::classes(2, &[])
                .names(&["Cat ", "dog"])
                .listed(&["cat", "dog"]),
            vec!["text/case"],
        ),
        (
            "strange name",
            Made::classes(2, &[])
                .names(&["elephant"])
                .listed(&["cat", "dog"]),
            vec!["text"],
        ),
        (
            "special name",
            Made::classes(2, &[])
                .names(&["N/A", "dog"])
                .listed(&["N/A", "dog"]),
            vec![],
        ),
        (
            "name among numbers",
            Made::classes(3, &[0.0, 1.0, 2.0]).names(&["cat"]),
            vec!["text/no-list"],
        ),
        (
            "names without a list",
            Made::classes(0, &[]).names(&["cat", "dog"]),
            vec![],
        ),
        (
            "two forms of a name",
            Made::classes(0, &[]).names(&["cat", "cat", "Cat"]),
            vec!["case-clash warning"],
        ),
        (
            "missing",
            nothing().group(|g| g.missing = g.seen.values().next().cloned()),
            vec!["missing"],
        ),
        (
            "missing in test",
            Made::rule(Role::Class, 3)
                .file("test.csv", Some("test"), LabelFormat::Table, &[])
                .group(|g| g.missing = Some(seen_at(&Place::default(), 5, 1))),
            vec!["missing/unlabelled note", "empty warning"],
        ),
        (
            "some files count from 1",
            yolo(&[
                ("l/a.txt", &[1.0, 4.0]),
                ("l/b.txt", &[1.0, 2.0, 4.0]),
                ("l/c.txt", &[0.0, 3.0]),
                ("l/d.txt", &[0.0]),
            ]),
            vec!["too-big", "one-based/files"],
        ),
        (
            "one box of class nc",
            yolo(&[("l/a.txt", &[3.0, 2.0, 4.0, 1.0]), ("l/c.txt", &[0.0, 3.0])]),
            vec!["too-big", "off-by-one-count"],
        ),
        (
            "name in val only",
            Made::rule(Role::Class, 0)
                .file("t.csv", Some("train"), LabelFormat::Table, &[])
                .names(&["cat", "dog"])
                .file("v.csv", Some("val"), LabelFormat::Table, &[])
                .names(&["cat", "zebra"]),
            vec!["val-only"],
        ),
        (
            "listed class in val only",
            Made::rule(Role::Class, 3)
                .file("t.csv", Some("train"), LabelFormat::Table, &[0.0, 1.0])
                .file(
                    "v.csv",
                    Some("val"),
                    LabelFormat::Table,
                    &[2.0, 7.0, -100.0],
                ),
            vec!["too-big", "val-only/fixed note"],
        ),
        (
            "number in val only",
            Made::rule(Role::Class, 0)
                .file("t.csv", Some("train"), LabelFormat::Table, &[0.0, 1.0])
                .file("v.csv", Some("val"), LabelFormat::Table, &[2.0]),
            vec!["val-only/numbers warning"],
        ),
        (
            "category in val only",
            Made::rule(Role::CategoryId, 0)
                .file("t.json", Some("train"), LabelFormat::Coco, &[0.0, 1.0])
                .stream(|s| s.classes = Some(list("t.json", &["car", "bus"])))
                .file("v.json", Some("val"), LabelFormat::Coco, &[2.0])
                .stream(|s| s.classes = Some(list("v.json", &["car", "bus", "tram"]))),
            vec!["val-only/id"],
        ),
        (
            "folder missing in val",
            folders(
                folders(Made::rule(Role::Class, 3), "train", &["ant", "bee", "cow"]),
                "val",
                &["ant", "cow"],
            ),
            vec!["order/folders", "renumbered"],
        ),
        (
            "folder only in val",
            folders(
                folders(Made::rule(Role::Class, 2), "train", &["ant", "cow"]),
                "val",
                &["ant", "bee", "cow"],
            ),
            vec![
                "order/folders",
                "renumbered",
                "val-only/folder",
                "too-big",
                "off-by-one-count",
            ],
        ),
        (
            "same folders",
            folders(
                folders(Made::rule(Role::Class, 2), "train", &["ant", "cow"]),
                "val",
                &["ant", "cow"],
            ),
            vec![],
        ),
        (
            "hidden folder",
            folders(
                folders(
                    Made::rule(Role::Class, 2),
                    "train",
                    &[".ipynb_checkpoints", "cow"],
                ),
                "val",
                &["cow"],
            )
            .trouble(TroubleKind::HiddenFolder(".ipynb_checkpoints".to_owned())),
            vec!["hidden-folder", "order/folders"],
        ),
        (
            "two lists in another order",
            Made::classes(2, &[0.0])
                .listed(&["a", "b"])
                .bound(|b| b.names = Some(list("other.txt", &["b", "a"]))),
            vec!["order warning"],
        ),
        (
            "names and nc",
            Made::classes(3, &[0.0]).bound(|b| {
                b.names = Some(Arc::new(ClassList {
                    stated: Some(4),
                    ..(*list("data.yaml", &["a", "b", "c"])).clone()
                }));
            }),
            vec!["count-mismatch/names"],
        ),
        (
            "a class name twice",
            Made::classes(3, &[0.0]).bound(|b| b.names = Some(list("data.yaml", &["a", "b", "a"]))),
            vec!["duplicates/class-name warning"],
        ),
        ("no rows", Made::classes(3, &[]), vec!["empty warning"]),
        (
            "background picture",
            Made::rule(Role::Class, 3).file("a.txt", None, LabelFormat::Yolo, &[]),
            vec![],
        ),
        ("batch", logits(&[10, 4], &[9]), vec!["shape/batch"]),
        ("rank", logits(&[10, 4, 8, 8], &[10]), vec!["shape/rank"]),
        (
            "class axis",
            logits(&[10, 8, 8, 4], &[10, 8, 8]),
            vec!["shape/class-axis"],
        ),
        ("squeeze", logits(&[10, 4], &[10, 1]), vec!["shape/squeeze"]),
        ("classes", logits(&[10, 3], &[10]), vec!["shape/classes"]),
        (
            "shapes that fit",
            logits(&[10, 4, 8, 8], &[10, 8, 8]),
            vec![],
        ),
        (
            "binary cross-entropy",
            Made::rule(Role::Probability, 0)
                .file("p.npy", None, LabelFormat::Npy, &[0.5])
                .stream(|s| s.shape = vec![10])
                .and_rule(Role::MultiLabel, 0)
                .file("t.npy", None, LabelFormat::Npy, &[1.0])
                .stream(|s| s.shape = vec![10, 1]),
            vec!["shape/equal"],
        ),
    ];
    let before = || Some(Box::new(Place::file(Path::new("b.json").into())));
    let troubles = [
        (
            TroubleKind::BadLine("4 fields".to_owned()),
            "bad-line warning",
        ),
        (TroubleKind::CutShort { read: 3, of: 9 }, "cut-short"),
        (
            TroubleKind::CutShort { read: 3, of: 0 },
            "cut-short/unknown-size",
        ),
        (
            TroubleKind::Limit("100 MiB".to_owned()),
            "cut-short/limit warning",
        ),
        (TroubleKind::Changed, "cut-short/changed warning"),
        (
            TroubleKind::CodeNotRun("posix.system".to_owned()),
            "code-not-run warning",
        ),
        (TroubleKind::BadBox("width 0".to_owned()), "bad-box warning"),
        (TroubleKind::Empty { class: None }, "empty warning"),
        (
            TroubleKind::Empty {
                class: Some("b".to_owned()),
            },
            "empty/class",
        ),
        (
            TroubleKind::NoPictures {
                class: "b".to_owned(),
                files: 3,
            },
            "empty/no-pictures",
        ),
        (
            TroubleKind::Contradiction {
                name: "a.jpg".to_owned(),
                labels: ["1".to_owned(), "2".to_owned()],
                before: before().unwrap(),
            },
            "duplicates/contradiction warning",
        ),
        (
            TroubleKind::UnknownImage("7".to_owned()),
            "unknown-image warning",
        ),
        (
            TroubleKind::UnknownColour {
                colour: "0,128,1".to_owned(),
                pixels: 1,
            },
            "unknown-class/colour",
        ),
        (
            TroubleKind::HiddenFolder(".git".to_owned()),
            "hidden-folder",
        ),
        (
            TroubleKind::CaseClash("Cat".to_owned(), "cat".to_owned()),
            "case-clash/folders warning",
        ),
        (
            TroubleKind::SplitAsClass("train".to_owned()),
            "split-as-class",
        ),
        (TroubleKind::RootFiles(2), "remark/root-files note"),
        (TroubleKind::StaleCache, "stale-cache warning"),
        (
            TroubleKind::YamlWords(vec!["no".to_owned()]),
            "remark/yaml-words note",
        ),
        (
            TroubleKind::OutsidePath("../x".to_owned()),
            "path-not-followed note",
        ),
        (
            TroubleKind::MissingPath("x".to_owned()),
            "path-not-followed/missing note",
        ),
        (
            TroubleKind::OtherEncoding("Windows-1252"),
            "remark/encoding note",
        ),
        (
            TroubleKind::Unpaired {
                what: "label-without-picture",
                count: 2,
            },
            "remark/unpaired-label note",
        ),
        (
            TroubleKind::Unpaired {
                what: "picture-without-label",
                count: 2,
            },
            "remark/unpaired-picture note",
        ),
        (
            TroubleKind::LostDigits("9007199254740993".to_owned()),
            "remark/lost-digits note",
        ),
        (
            TroubleKind::PaletteOpened {
                luminance: vec![0, 38, 75],
            },
            "remark/palette note",
        ),
        (TroubleKind::NotInt64("int32"), "remark/int32 note"),
        (TroubleKind::ResultsFile, "remark/results note"),
        (
            TroubleKind::LeftOut(vec!["x".to_owned()]),
            "remark/left-out note",
        ),
    ];
    for (kind, expected) in troubles {
        out.push(("trouble", nothing().trouble(kind), vec![expected]));
    }
    for (what, expected) in [
        ("annotation-id", "duplicates/annotation-id warning"),
        ("category-id", "duplicates/category-id warning"),
        ("class-name", "duplicates/class-name warning"),
        ("image", "duplicates/image warning"),
        ("row", "duplicates/row warning"),
        ("key", "duplicates warning"),
    ] {
        let kind = TroubleKind::Duplicate {
            what,
            value: "7".to_owned(),
            before: before(),
        };
        out.push(("duplicate", nothing().trouble(kind), vec![expected]));
    }
    let mut script = nothing();
    let path: Arc<Path> = Path::new("train.py").into();
    script.0.script = vec![
        (
            Arc::clone(&path),
            ScriptRemark::Workers { count: 4, line: 3 },
        ),
        (path, ScriptRemark::NoMainGuard { line: 3 }),
    ];
    out.push(("script", script, vec!["remark/no-main-guard note"]));
    out
}

/// `id/variant severity`; errors are not named.
fn short(finding: &Finding) -> String {
    let mut out = finding.id.id().to_owned();
    if !finding.variant.is_empty() {
        out = format!("{out}/{}", finding.variant);
    }
    match finding.severity {
        Severity::Error => out,
        Severity::Warning => out + " warning",
        Severity::Note => out + " note",
    }
}

#[test]
fn each_fault_is_told_once_and_nothing_else() {
    let mut wrong = Vec::new();
    for (name, made, mut expected) in all_cases() {
        let mut found: Vec<String> = made.find().iter().map(short).collect();
        found.sort();
        expected.sort_unstable();
        if found != expected {
            wrong.push(format!("{name}: found {found:?}, expected {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_id_has_a_case() {
    let found: std::collections::BTreeSet<FindingId> = all_cases()
        .iter()
        .flat_map(|(_, made, _)| made.find())
        .map(|finding| finding.id)
        .collect();
    for id in FindingId::ALL {
        assert!(found.contains(id), "{}", id.id());
    }
}

#[test]
fn scripts_are_valid_python() {
    let mut scripts = 0;
    for (name, made, _) in all_cases() {
        for finding in made.find() {
            if let Some(snippet) = &finding.snippet {
                scripts += 1;
                let parsed = ruff_python_parser::parse_module(snippet);
                assert!(parsed.is_ok(), "{name}: {:?}\n{snippet}", parsed.err());
                assert!(!snippet.contains("wrote\", path"), "{name}");
            }
        }
    }
    assert!(scripts > 20, "{scripts}");
}

#[test]
fn a_pattern_stands_behind_what_it_explains() {
    let found = Made::classes(10, &[1.0, 10.0, f64::NAN]).find();
    let ids: Vec<&str> = found.iter().map(|finding| finding.id.id()).collect();
    assert_eq!(ids, ["too-big", "one-based", "nan"]);
    let pattern = &found[1];
    assert_eq!(pattern.explains, Some(FindingId::TooBig));
    assert_eq!(pattern.certainty, Certainty::Likely);
}

#[test]
fn counts_values_and_places_are_those_of_all_files() {
    let made = Made::rule(Role::Class, 3)
        .file("a.csv", Some("train"), LabelFormat::Table, &[0.0, 1.0, 2.0])
        .file("b.csv", Some("val"), LabelFormat::Table, &[7.0, 5.0, 7.0])
        .file("c.csv", Some("train"), LabelFormat::Table, &[5.0]);
    let found = made.find();
    let finding = found.first().unwrap();
    assert_eq!(
        (finding.id, finding.count, finding.files),
        (FindingId::TooBig, 4, 2)
    );
    let values: Vec<(Text, u64)> = finding
        .values
        .iter()
        .map(|v| (v.value.clone(), v.count))
        .collect();
    assert_eq!(
        values,
        [
            (Number::from(5_u8).into(), 2),
            (Number::from(7_u8).into(), 2)
        ]
    );
    let first = finding.first.as_ref().unwrap();
    assert_eq!(first.value, Some(Number::from(7_u8).into()));
    assert_eq!(first.place.path.as_deref(), Some(Path::new("b.csv")));
    assert_eq!(first.place.row, Some(0));
}

#[test]
fn an_uncertain_end_makes_an_uncertain_finding() {
    for (certainty, source, expected) in [
        (
            Certainty::Certain,
            BoundSource::User,
            (Severity::Error, Certainty::Certain),
        ),
        (
            Certainty::Likely,
            BoundSource::Config,
            (Severity::Error, Certainty::Likely),
        ),
        (
            Certainty::Possible,
            BoundSource::TrainingValues,
            (Severity::Warning, Certainty::Possible),
        ),
    ] {
        let made = Made::classes(3, &[0.0, 9.0]).bound(|bound| {
            bound.certainty = certainty;
            bound.source = source;
        });
        let finding = &made.find()[0];
        assert_eq!((finding.severity, finding.certainty), expected);
    }
}

#[test]
fn one_click_settles_an_ignore_value() {
    for made in [
        Made::classes(10, &[0.0, 255.0]),
        Made::classes(10, &[0.0, 9.0, -1.0]),
        Made::rule(Role::Class, 10).ignoring(&[255]).file(
            "a.csv",
            None,
            LabelFormat::Table,
            &[0.0, -100.0],
        ),
    ] {
        let pattern = made
            .find()
            .into_iter()
            .find(|f| f.id == FindingId::IgnoreNotSet);
        assert!(pattern.unwrap().ignore.is_some());
    }
}
