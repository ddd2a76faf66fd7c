//! What is different between two runs, as far as their logs and records state it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Side;
use crate::crash_log::{Facts, Stated};

/// Something that both runs state, and differently.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// What.
    pub id: ChangeId,
    /// The name of a size (`num_classes`); `None` for everything else.
    pub name: Option<String>,
    /// What the first states.
    pub first: String,
    /// What the second states.
    pub second: String,
}

/// What changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChangeId {
    /// The command line.
    Command,
    /// PyTorch's version.
    Torch,
    /// CUDA's version.
    Cuda,
    /// Python's version.
    Python,
    /// The graphics card.
    Gpu,
    /// A size that the log states.
    Size,
    /// The allowed range of an operation, as the guard saw it.
    Range,
    /// Whether launches were blocking.
    LaunchBlocking,
    /// Epochs altogether.
    Epochs,
    /// Steps of an epoch.
    Steps,
    /// Processes of a distributed run.
    Processes,
}

/// Changes told.
const MOST: usize = 24;

pub(super) fn changes(first: &Side<'_>, second: &Side<'_>) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut add = |id, name: Option<&str>, first: Option<String>, second: Option<String>| {
        if let (Some(first), Some(second)) = (first, second)
            && first != second
            && changes.len() < MOST
        {
            changes.push(Change {
                id,
                name: name.map(str::to_owned),
                first,
                second,
            });
        }
    };
    let (one, other) = (first.facts, second.facts);
    add(ChangeId::Command, None, command(first), command(second));
    let start = |facts: &Facts| facts.guard.start.clone().unwrap_or_default();
    let (guard, guard2) = (start(one), start(other));
    let stated = |stated: &Option<Stated>, guard: Option<String>| {
        stated.as_ref().map(|stated| stated.text.clone()).or(guard)
    };
    let (a, b) = (&one.environment, &other.environment);
    add(
        ChangeId::Torch,
        None,
        stated(&a.torch, guard.torch),
        stated(&b.torch, guard2.torch),
    );
    add(
        ChangeId::Cuda,
        None,
        stated(&a.cuda, guard.cuda),
        stated(&b.cuda, guard2.cuda),
    );
    let (python, python2) = (
        stated(&a.python, guard.python),
        stated(&b.python, guard2.python),
    );
    // A library's path tells `3.11` of what another line calls `3.11.7`.
    if !same_version(python.as_deref(), python2.as_deref()) {
        add(ChangeId::Python, None, python, python2);
    }
    add(
        ChangeId::Gpu,
        None,
        stated(&a.gpus.first().cloned(), guard.gpu),
        stated(&b.gpus.first().cloned(), guard2.gpu),
    );
    let (sizes, sizes2) = (sizes(one), sizes(other));
    for (name, values) in &sizes {
        add(
            ChangeId::Size,
            Some(name),
            Some(values.clone()),
            sizes2.get(name).cloned(),
        );
    }
    let (ranges, ranges2) = (ranges(one), ranges(other));
    for (name, range) in &ranges {
        add(
            ChangeId::Range,
            Some(name),
            Some(range.clone()),
            ranges2.get(name).cloned(),
        );
    }
    let blocking = |side: &Side<'_>| {
        let known = side.run.is_some() || side.facts.environment.launch_blocking.is_some();
        known.then(|| side.blocking().to_string())
    };
    add(
        ChangeId::LaunchBlocking,
        None,
        blocking(first),
        blocking(second),
    );
    let (died, reached) = (&one.progress, second.reached());
    let total = |count: Option<(u64, Option<u64>)>| count.and_then(|(_, of)| of);
    let text = |n: Option<u64>| n.map(|n| n.to_string());
    add(
        ChangeId::Epochs,
        None,
        text(total(died.epoch)),
        text(total(reached.epoch)),
    );
    if died.phase == reached.phase {
        add(
            ChangeId::Steps,
            None,
            text(total(died.step)),
            text(total(reached.step)),
        );
    }
    let processes = |facts: &Facts, world: Option<u64>| {
        let seen = u64::from(facts.environment.processes);
        text(world.or((seen > 0).then_some(seen)))
    };
    add(
        ChangeId::Processes,
        None,
        processes(one, guard.world),
        processes(other, guard2.world),
    );
    changes
}

/// The sizes of a log by name; several of one name one after the other.
fn sizes(facts: &Facts) -> BTreeMap<String, String> {
    let mut values: BTreeMap<String, Vec<i64>> = BTreeMap::new();
    for size in &facts.stated_sizes {
        let known = values.entry(size.name.clone()).or_default();
        if !known.contains(&size.value) {
            known.push(size.value);
        }
    }
    values
        .into_iter()
        .map(|(name, values)| {
            let values: Vec<String> = values.iter().map(i64::to_string).collect();
            (name, values.join(", "))
        })
        .collect()
}

fn ranges(facts: &Facts) -> BTreeMap<String, String> {
    let mut ranges: BTreeMap<String, String> = facts
        .guard
        .operations
        .iter()
        .filter_map(|seen| {
            let range = format!("{}–{}", seen.lo?, seen.hi?);
            Some((seen.name.clone(), range))
        })
        .collect();
    // What stopped a run says most: its summary may not have come any more.
    for seen in &facts.guard.violations {
        if let (Some(lo), Some(hi)) = (seen.lo, seen.hi) {
            ranges
                .entry(seen.operation.clone())
                .or_insert_with(|| format!("{lo}–{hi}"));
        }
    }
    ranges
}

/// The command as it was started, or as the log shows it.
fn command(side: &Side<'_>) -> Option<String> {
    words(side).map(|words| words.join(" "))
}

pub(super) fn words(side: &Side<'_>) -> Option<Vec<String>> {
    if let Some(run) = side.run {
        let command = &run.record.command;
        let program = std::iter::once(&command.program);
        let words = program.chain(&command.arguments);
        return Some(
            words
                .map(|word| word.to_string_lossy().into_owned())
                .collect(),
        );
    }
    let stated = side.facts.environment.command.as_ref()?;
    Some(stated.text.split_whitespace().map(str::to_owned).collect())
}

/// Whether two versions are one, told more or less exactly.
fn same_version(one: Option<&str>, other: Option<&str>) -> bool {
    let (Some(one), Some(other)) = (one, other) else {
        return false;
    };
    let begins = |long: &str, short: &str| {
        let rest = long.strip_prefix(short);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    begins(one, other) || begins(other, one)
}
