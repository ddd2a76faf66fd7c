//! Material made by hand.

use std::path::Path;
use std::sync::Arc;

use super::super::*;
use crate::bounds::{Bound, BoundSource};
use crate::knowledge::Certainty;
use crate::labels::{
    ClassList, LabelFormat, ListSource, Place, Role, Stream, Trouble, TroubleKind,
};
use crate::range_check::{Number, Rule};

/// Material made by hand.
#[derive(Clone, Default)]
pub(crate) struct Made(pub Material);

impl Made {
    /// One rule; `size` 0: no upper end is known.
    pub(crate) fn rule(role: Role, size: i64) -> Self {
        Self::default().and_rule(role, size)
    }

    /// Class labels of a CSV file, read in this order.
    pub(crate) fn classes(size: i64, values: &[f64]) -> Self {
        Self::rule(Role::Class, size).file("train.csv", None, LabelFormat::Table, values)
    }

    /// One more rule.
    pub(crate) fn and_rule(mut self, role: Role, size: i64) -> Self {
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
    pub(crate) fn ignoring(mut self, values: &[i64]) -> Self {
        for rule in &mut self.0.rules {
            rule.rule.ignore = values.iter().copied().map(Number::from).collect();
        }
        self.0.ignore_by_user = true;
        self
    }

    /// A file of the last rule, in a source of its own split.
    pub(crate) fn file(
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
            named: false,
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
    pub(crate) fn names(mut self, names: &[&str]) -> Self {
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
    pub(crate) fn listed(mut self, names: &[&str]) -> Self {
        let list = list("classes.txt", names);
        self.0.class_lists.push(Arc::clone(&list));
        self.0.rules.last_mut().unwrap().names = Some(list);
        self
    }

    /// The last group's stream.
    pub(crate) fn stream(mut self, change: impl Fn(&mut Stream)) -> Self {
        change(&mut self.0.groups.last_mut().unwrap().stream);
        self
    }

    pub(crate) fn group(mut self, change: impl Fn(&mut Group)) -> Self {
        change(self.0.groups.last_mut().unwrap());
        self
    }

    pub(crate) fn files(mut self, change: impl Fn(&mut FileRead)) -> Self {
        self.0.files.iter_mut().for_each(change);
        self
    }

    pub(crate) fn bound(mut self, change: impl Fn(&mut Bound)) -> Self {
        change(self.0.bounds.last_mut().unwrap());
        self
    }

    pub(crate) fn trouble(mut self, kind: TroubleKind) -> Self {
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

    pub(crate) fn find(&self) -> Vec<Finding> {
        let mut material = self.0.clone();
        material.disagreements = crate::bounds::disagreements(&material.bounds);
        find(&material)
    }
}

pub(super) fn seen_at(place: &Place, count: u64, files: u64) -> SeenAt {
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
