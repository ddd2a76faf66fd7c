//! How often each value of a rule occurs, in bars: training, the other splits over it, and what is not allowed.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Basis;
use crate::findings::Group;
use crate::labels::{ClassList, Role};
use crate::range_check::Number;
use crate::words::{Arg, Words, split_name};

/// Bars at most; more values share a bar.
const MOST_BARS: i128 = 160;
/// Values shown right of the break at most, the most frequent.
const MOST_NOT_ALLOWED: usize = 8;
/// A range wider than this is not taken for classes (and its bars would say nothing).
const WIDEST: i128 = 1 << 40;

/// The chart of a rule's values.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    /// "Class ids".
    pub title: String,
    /// The first series' name ("train"), the second's ("val") where there is one.
    pub series: (String, Option<String>),
    /// Smallest and largest value of the axis.
    pub range: (i128, i128),
    /// Bars in order of their values, values without any count left out.
    pub bars: Vec<Bar>,
    /// What is not allowed, the most frequent first.
    pub not_allowed: Vec<NotAllowed>,
    /// Further values that are not allowed.
    pub not_listed: usize,
    /// The largest count of all.
    pub most: u64,
    /// "78: val only", and the bar it is about.
    pub only: Option<(String, usize)>,
    names: Option<Arc<ClassList>>,
    words: Words,
}

/// One bar: a value, or several neighbours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bar {
    /// First value.
    pub first: i128,
    /// Last value.
    pub last: i128,
    /// Count in the first series.
    pub count: u64,
    /// Count in the second series.
    pub second: u64,
    /// Only in the second, though there is a training split.
    pub only_second: bool,
}

/// A value that is not allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAllowed {
    /// The value.
    pub number: Number,
    /// The same, written.
    pub value: String,
    /// How often, over all splits.
    pub count: u64,
    /// The same, written.
    pub count_text: String,
}

impl Histogram {
    /// What the tooltip of a bar says: id and name, then the counts.
    pub fn about(&self, bar: &Bar) -> String {
        let words = self.words;
        let name = (bar.first == bar.last)
            .then(|| self.name_of(bar.first))
            .flatten();
        let values = if bar.first == bar.last {
            bar.first.to_string()
        } else {
            crate::words::span(Number::Int(bar.first), Number::Int(bar.last))
        };
        let mut text = match name {
            Some(name) => words.with(
                "labels-bar-name",
                &[("value", Arg::Text(&values)), ("name", Arg::Text(&name))],
            ),
            None => values,
        };
        let series = [
            (Some(&self.series.0), bar.count),
            (self.series.1.as_ref(), bar.second),
        ];
        for (name, count) in series {
            if let Some(name) = name {
                text.push('\n');
                text.push_str(&words.with(
                    "labels-bar-count",
                    &[
                        ("series", Arg::Text(name)),
                        ("count", Arg::Text(&words.number(count))),
                    ],
                ));
            }
        }
        text
    }

    /// The most frequent values that are not allowed, so many, in their order.
    pub fn most_frequent(&self, most: usize) -> Vec<&NotAllowed> {
        let mut values: Vec<_> = self.not_allowed.iter().take(most).collect();
        values.sort_by_key(|value| value.number);
        values
    }

    /// "and 12 more values", where more are not allowed than are drawn.
    pub fn more(&self, drawn: usize) -> Option<String> {
        let more = self.not_listed + self.not_allowed.len().saturating_sub(drawn);
        (more > 0).then(|| {
            let count = Arg::Number(more as u64);
            self.words.with("labels-chart-more", &[("count", count)])
        })
    }

    /// The whole chart in a sentence, for who does not see it.
    pub fn spoken(&self) -> String {
        let words = self.words;
        let not_allowed: Vec<_> = self
            .most_frequent(MOST_NOT_ALLOWED)
            .into_iter()
            .map(|value| format!("{} × {}", value.value, value.count_text))
            .collect();
        words.with(
            "labels-chart-spoken",
            &[
                ("title", Arg::Text(&self.title)),
                (
                    "range",
                    Arg::Text(&crate::words::span(
                        Number::Int(self.range.0),
                        Number::Int(self.range.1),
                    )),
                ),
                ("shown", Arg::Number(not_allowed.len() as u64)),
                ("values", Arg::Text(&not_allowed.join(", "))),
            ],
        )
    }

    fn name_of(&self, value: i128) -> Option<String> {
        let list = self.names.as_ref()?;
        let index = match &list.ids {
            Some(ids) => ids.iter().position(|&id| i128::from(id) == value)?,
            None => usize::try_from(value).ok()?,
        };
        list.names.get(index).map(|name| crate::case::shown(name))
    }
}

/// The chart of the rule that is looked at, for the source that is looked at.
pub(super) fn of(of: Basis<'_>) -> Option<Histogram> {
    let material = &of.checked.material;
    let used = material.rules.get(of.looking.rule)?;
    if used.rule.fractions {
        return None;
    }
    let groups: Vec<&Group> = material
        .groups
        .iter()
        .filter(|group| {
            group.rule == of.looking.rule
                && of
                    .looking
                    .source
                    .is_none_or(|source| group.source == source)
        })
        .collect();
    let splits = Splits::of(&groups, of.words);
    let mut counts: BTreeMap<i128, (u64, u64)> = BTreeMap::new();
    let mut not_allowed: BTreeMap<Number, u64> = BTreeMap::new();
    for group in &groups {
        let second = splits.is_second(group);
        for (&value, seen) in &group.seen {
            if used.rule.ignore.contains(&value) {
                continue;
            }
            match value {
                Number::Int(n) if used.rule.breach(value).is_none() => {
                    let entry = counts.entry(n).or_default();
                    let part = if second { &mut entry.1 } else { &mut entry.0 };
                    *part = part.saturating_add(seen.count);
                }
                _ => {
                    let entry = not_allowed.entry(value).or_default();
                    *entry = entry.saturating_add(seen.count);
                }
            }
        }
    }
    let (first, last) = (counts.keys().next(), counts.keys().next_back());
    let lo = used.rule.lo.and_then(Number::as_int).or(first.copied())?;
    let hi = used.rule.hi.and_then(Number::as_int).or(last.copied())?;
    let width = hi.checked_sub(lo)?.checked_add(1)?;
    if !(1..=WIDEST).contains(&width) || (counts.is_empty() && not_allowed.is_empty()) {
        return None;
    }
    let step = width.div_euclid(MOST_BARS) + i128::from(width % MOST_BARS != 0);
    let step = if width <= 200 { 1 } else { step };
    let mut bars: Vec<Bar> = Vec::new();
    for (value, (count, second)) in counts {
        let start = lo + (value - lo).div_euclid(step) * step;
        match bars.last_mut() {
            Some(bar) if bar.first == start => {
                bar.count += count;
                bar.second += second;
            }
            _ => bars.push(Bar {
                first: start,
                last: (start + step - 1).min(hi),
                count,
                second,
                only_second: false,
            }),
        }
    }
    if splits.has_training {
        for bar in &mut bars {
            bar.only_second = bar.count == 0 && bar.second > 0;
        }
    }
    let only = only_text(&bars, &splits, of.words);
    let not_listed = not_allowed.len().saturating_sub(MOST_NOT_ALLOWED);
    let not_allowed = most_frequent(not_allowed, of.words);
    let most = bars
        .iter()
        .map(|bar| bar.count.max(bar.second))
        .chain(not_allowed.iter().map(|value| value.count))
        .max()
        .unwrap_or(0);
    Some(Histogram {
        title: of.words.text(match used.role {
            Role::Class | Role::CategoryId => "labels-chart-classes",
            Role::Token => "labels-chart-tokens",
            _ => "labels-chart-values",
        }),
        series: (splits.first, splits.second),
        range: (lo, hi),
        bars,
        not_allowed,
        not_listed,
        most,
        only,
        names: used
            .bound
            .and_then(|bound| material.bounds.get(bound)?.names.clone())
            .or_else(|| groups.iter().find_map(|group| group.stream.classes.clone())),
        words: of.words,
    })
}

/// Which splits make which series.
struct Splits {
    first: String,
    second: Option<String>,
    has_training: bool,
}

const TRAINING: [&str; 2] = ["train", "training"];

impl Splits {
    fn of(groups: &[&Group], words: Words) -> Self {
        let train = split_name("train", words);
        let mut others: Vec<&str> = Vec::new();
        let (mut has_training, mut has_unnamed) = (false, false);
        for group in groups {
            match group.split.as_deref() {
                Some(split) if TRAINING.contains(&split) => has_training = true,
                Some(split) if !others.contains(&split) => others.push(split),
                Some(_) => {}
                None => has_unnamed = true,
            }
        }
        let others: Vec<_> = others
            .into_iter()
            .map(|split| split_name(split, words))
            .collect();
        let other = words.join_listed(&others);
        match (has_training, has_unnamed, others.is_empty()) {
            (true, _, true) => Self {
                first: train,
                second: None,
                has_training,
            },
            (true, _, false) => Self {
                first: train,
                second: Some(other),
                has_training,
            },
            (false, true, false) => Self {
                first: words.text("labels-chart-other"),
                second: Some(other),
                has_training,
            },
            (false, false, false) => Self {
                first: other,
                second: None,
                has_training,
            },
            (false, _, true) => Self {
                first: words.text("labels-chart-all"),
                second: None,
                has_training,
            },
        }
    }

    fn is_second(&self, group: &Group) -> bool {
        self.second.is_some()
            && group
                .split
                .as_deref()
                .is_some_and(|split| !TRAINING.contains(&split))
    }
}

/// "78: val only", or "12 ids: val only".
fn only_text(bars: &[Bar], splits: &Splits, words: Words) -> Option<(String, usize)> {
    let second = splits.second.as_ref()?;
    let mut only = bars.iter().enumerate().filter(|(_, bar)| bar.only_second);
    let (index, bar) = only.next()?;
    let more = only.count() as u64;
    let text = if more == 0 && bar.first == bar.last {
        words.with(
            "labels-chart-only",
            &[
                ("value", Arg::Text(&bar.first.to_string())),
                ("split", Arg::Text(second)),
            ],
        )
    } else {
        words.with(
            "labels-chart-only-many",
            &[
                ("count", Arg::Number(more + 1)),
                ("split", Arg::Text(second)),
            ],
        )
    };
    Some((text, index))
}

fn most_frequent(values: BTreeMap<Number, u64>, words: Words) -> Vec<NotAllowed> {
    let mut values: Vec<_> = values.into_iter().collect();
    values.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    values.truncate(MOST_NOT_ALLOWED);
    values
        .into_iter()
        .map(|(value, count)| NotAllowed {
            number: value,
            value: value.to_string(),
            count,
            count_text: words.number(count),
        })
        .collect()
}
