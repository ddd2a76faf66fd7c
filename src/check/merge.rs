//! What the files held, put together in file order.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::collector::{MOST_NAMES, StreamFound};
use super::gather::Gathered;
use super::run::ReadFile;
use super::{CheckOptions, Checked, Offender, Source};
use crate::findings::{BreachAt, FileRead, Group, Material, Partial, RuleUsed, SeenAt};
use crate::inputs::InputError;
use crate::labels::{self, LabelError, LabelFormat, Place, Role, Trouble, TroubleKind};
use crate::range_check::MOST_DISTINCT;

/// Puts files together, one after the other.
pub(super) struct Merge {
    material: Material,
    offenders: Vec<Offender>,
    offenders_total: u64,
    /// Which group takes the streams of one kind.
    groups: BTreeMap<GroupKey, usize>,
    /// What the user gave.
    named: HashSet<PathBuf>,
    /// Files of a folder that hold the data of a data set, not its labels.
    data_beside: BTreeSet<Arc<Path>>,
}

/// What makes streams of several files one group.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct GroupKey {
    source: usize,
    split: Option<Arc<str>>,
    column: Option<Arc<str>>,
    key: Option<Arc<str>>,
    rule: usize,
    /// Files whose own list decides are not put together.
    file: Option<usize>,
}

impl Merge {
    pub fn new(gathered: &Gathered, options: &CheckOptions) -> Self {
        Self {
            material: Material {
                bounds: gathered.context.bounds.clone(),
                disagreements: gathered.context.disagreements(),
                class_lists: gathered.context.lists.clone(),
                troubles: gathered.troubles.clone(),
                script: gathered.script.clone(),
                bound_by_user: options.range.is_some(),
                ignore_by_user: options.ignore.is_some(),
                ignore_elsewhere: gathered.ignore.clone(),
                ..Material::default()
            },
            offenders: Vec::new(),
            offenders_total: 0,
            groups: BTreeMap::new(),
            named: gathered.context.reach.named.clone(),
            data_beside: BTreeSet::new(),
        }
    }

    /// A source that could not be used.
    pub fn refused(&mut self, at: usize, source: &Source, error: LabelError) {
        self.material.files.push(FileRead {
            path: Arc::clone(&source.path),
            source: at,
            format: None,
            split: source.split.clone(),
            values: 0,
            min: None,
            max: None,
            distinct: 0,
            offenders: 0,
            named: self.named.contains(&*source.path),
            error: Some(error),
            partial: None,
        });
    }

    pub fn troubles(&mut self, troubles: Vec<Trouble>) {
        self.material.troubles.extend(troubles);
    }

    /// One file.
    pub fn file(
        &mut self,
        at: usize,
        source: &Source,
        format: LabelFormat,
        path: &Arc<Path>,
        (found, error): ReadFile,
    ) {
        let file = self.material.files.len();
        let numbered: u64 = found.streams.iter().map(StreamFound::values).sum();
        let values = numbered + found.unnumbered;
        let summaries = || found.streams.iter().map(|stream| &stream.summary);
        let mut read = FileRead {
            path: Arc::clone(path),
            source: at,
            format: Some(format),
            split: source.split.clone(),
            values,
            min: summaries().filter_map(|s| s.min).min(),
            max: summaries().filter_map(|s| s.max).max(),
            distinct: distinct(&found.streams),
            offenders: found.offenders_total - found.bad_rows,
            named: self.named.contains(&**path),
            error: None,
            partial: partial(&found.troubles, values),
        };
        let mut troubles = found.troubles;
        match error {
            None => {}
            // What came before the fault stands.
            Some(error) if values > 0 && error != LabelError::Input(InputError::Cancelled) => {
                let of = match error {
                    LabelError::CutShort { of, .. } => of,
                    _ => 0,
                };
                let told = troubles
                    .iter()
                    .any(|t| matches!(t.kind, TroubleKind::CutShort { .. }));
                if !told {
                    let kind = if is_cut(&error) {
                        TroubleKind::CutShort { read: values, of }
                    } else {
                        TroubleKind::BrokeOff {
                            read: values,
                            why: error,
                        }
                    };
                    troubles.push(Trouble {
                        kind,
                        place: Place::file(Arc::clone(path)),
                        text: None,
                    });
                }
                read.partial = read.partial.or(Some(Partial {
                    read: values,
                    of: (of > 0).then_some(of),
                    reason: "cut-short",
                }));
            }
            Some(error) => {
                if is_data(source, format, path, &error) {
                    self.data_beside.insert(Arc::clone(path));
                }
                read.error = Some(error);
            }
        }
        self.material.files.push(read);
        self.material.troubles.extend(troubles);
        let groups: Vec<usize> = found
            .streams
            .into_iter()
            .map(|stream| self.stream(at, source, format, file, stream))
            .collect();
        self.offenders_total += found.offenders_total;
        let room = Checked::MOST_OFFENDERS.saturating_sub(self.offenders.len());
        let remapped = found.offenders.into_iter().take(room).map(|offender| {
            let group = groups.get(offender.group).copied().unwrap_or_default();
            Offender { group, ..offender }
        });
        self.offenders.extend(remapped);
    }

    fn stream(
        &mut self,
        at: usize,
        source: &Source,
        format: LabelFormat,
        file: usize,
        found: StreamFound,
    ) -> usize {
        let rule = self.rule(&found);
        let own_list = found.decision.role == Role::CategoryId;
        let key_split = found.stream.key.as_deref().and_then(labels::split_of_name);
        let split = source.split.clone().or(key_split.map(Arc::from));
        let key = GroupKey {
            source: at,
            split: split.clone(),
            column: found.stream.column.clone(),
            key: found.stream.key.clone(),
            rule,
            file: own_list.then_some(file),
        };
        let index = *self.groups.entry(key).or_insert_with(|| {
            self.material.groups.push(Group {
                source: at,
                split,
                format,
                stream: found.stream.clone(),
                rule,
                files: 0,
                count: 0,
                ignored: 0,
                min: None,
                max: None,
                seen: BTreeMap::new(),
                more_seen: false,
                breaches: BTreeMap::new(),
                names: BTreeMap::new(),
                more_names: false,
                missing: None,
                floats: 0,
            });
            self.material.groups.len() - 1
        });
        if let Some(group) = self.material.groups.get_mut(index) {
            add(group, found);
        }
        index
    }

    /// The rule of a stream among those in use.
    fn rule(&mut self, found: &StreamFound) -> usize {
        let decision = &found.decision;
        let bounds = &mut self.material.bounds;
        let bound = decision.bound.as_ref().map(|bound| {
            bounds
                .iter()
                .position(|known| known == bound)
                .unwrap_or_else(|| {
                    bounds.push(bound.clone());
                    bounds.len() - 1
                })
        });
        let used = RuleUsed {
            role: decision.role,
            rule: decision.rule.clone(),
            bound,
            names: decision.names.clone(),
            name: decision.name.clone(),
        };
        let rules = &mut self.material.rules;
        rules
            .iter()
            .position(|known| *known == used)
            .unwrap_or_else(|| {
                rules.push(used);
                rules.len() - 1
            })
    }

    pub fn finish(mut self) -> (Material, Vec<Offender>, u64) {
        let files = &mut self.material.files;
        // Pictures and features lie beside the labels of nearly every data set: that they are no labels is worth telling only
        // where there is nothing else.
        if files.iter().any(|file| file.values > 0) {
            files.retain(|file| !(self.data_beside.contains(&file.path) && file.values == 0));
        }
        (self.material, self.offenders, self.offenders_total)
    }
}

/// Whether a file that was met in a folder holds data by its format (pictures of MNIST) or by its name (`X_train.npy`).
fn is_data(source: &Source, format: LabelFormat, path: &Arc<Path>, error: &LabelError) -> bool {
    let met = source.root != *path;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    match (format, error) {
        (LabelFormat::Idx, LabelError::NotLabels(_)) => met,
        (LabelFormat::Npy, LabelError::NoLabels { .. }) => met && labels::names_data(&name),
        _ => false,
    }
}

/// Whether a file really ends early: an error within it, or one of the system, leaves the rest unread.
fn is_cut(error: &LabelError) -> bool {
    match error {
        LabelError::CutShort { .. } => true,
        LabelError::Malformed { said, .. } => said.starts_with("EOF"),
        _ => false,
    }
}

/// Different numbers in a file, whichever of its streams they are in.
fn distinct(streams: &[StreamFound]) -> u64 {
    let of = |stream: &StreamFound| stream.summary.distinct.len() as u64;
    if let [only] = streams {
        return of(only);
    }
    let mut all = BTreeSet::new();
    for stream in streams {
        all.extend(stream.summary.distinct.keys().copied());
        // Beyond what is kept of one stream the count is only a lower bound there, too.
        if all.len() > MOST_DISTINCT {
            break;
        }
    }
    all.len().min(MOST_DISTINCT) as u64
}

fn partial(troubles: &[Trouble], values: u64) -> Option<Partial> {
    let cut = troubles.iter().find_map(|trouble| match trouble.kind {
        TroubleKind::CutShort { read, of } => Some(Partial {
            read,
            of: (of > 0).then_some(of),
            reason: "cut-short",
        }),
        _ => None,
    });
    cut.or_else(|| {
        let bad = troubles
            .iter()
            .filter(|trouble| matches!(trouble.kind, TroubleKind::BadLine(_)))
            .count() as u64;
        (bad > 0).then_some(Partial {
            read: values,
            of: Some(values + bad),
            reason: "bad-line",
        })
    })
}

/// Adds one file's stream to its group. Files come in order, so what stands first there is first.
fn add(group: &mut Group, found: StreamFound) {
    let summary = found.summary;
    let values = summary.count + found.name_count + found.missing;
    group.files += u64::from(values > 0);
    group.count += values;
    group.ignored += summary.ignored;
    group.min = [group.min, summary.min].into_iter().flatten().min();
    group.max = [group.max, summary.max].into_iter().flatten().max();
    group.floats += found.floats;
    group.more_seen |= summary.more_distinct;
    group.more_names |= found.more_names;
    let mut places = found.places;
    for (value, seen) in summary.distinct {
        if let Some(known) = group.seen.get_mut(&value) {
            known.count += seen.count;
            known.files += 1;
        } else {
            let (first, row_text) = places.remove(&value).unwrap_or_default();
            group.seen.insert(
                value,
                SeenAt {
                    count: seen.count,
                    files: 1,
                    first,
                    row_text,
                },
            );
            if group.seen.len() > MOST_DISTINCT {
                group.seen.pop_last();
                group.more_seen = true;
            }
        }
    }
    let mut firsts = found.first;
    for (breach, (count, _)) in summary.breaches {
        if let Some(known) = group.breaches.get_mut(&breach) {
            known.count += count;
            known.files += 1;
        } else if let Some((_, value, place, row_text)) = firsts.remove(&breach) {
            group.breaches.insert(
                breach,
                BreachAt {
                    count,
                    files: 1,
                    first: (value, place),
                    row_text,
                },
            );
        }
    }
    for (name, (count, first)) in found.names {
        if let Some(known) = group.names.get_mut(&name) {
            known.count += count;
            known.files += 1;
        } else if group.names.len() < MOST_NAMES {
            group.names.insert(
                name,
                SeenAt {
                    count,
                    files: 1,
                    first,
                    row_text: None,
                },
            );
        } else {
            group.more_names = true;
        }
    }
    if let Some(first) = found.first_missing {
        match &mut group.missing {
            Some(missing) => {
                missing.count += found.missing;
                missing.files += 1;
            }
            None => {
                group.missing = Some(SeenAt {
                    count: found.missing,
                    files: 1,
                    first,
                    row_text: None,
                });
            }
        }
    }
}
