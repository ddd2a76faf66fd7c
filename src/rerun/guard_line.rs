//! Lines of the guard, as far as a run that is going on needs them: what was checked so far, and the GPU's memory.
//!
//! What they mean for the diagnosis is read from the log like everything else; see `crash_log`.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{GuardLive, GuardOperationLive, MemorySample};

/// What every line of the guard begins with, behind a launcher's prefix.
pub(super) const PREFIX: &[u8] = b"[assert-doctor] {";

/// A prefix of a launcher and the longest line of the guard; what is longer is none.
const LONGEST: usize = 8_192;

/// Ranks and operations kept; a hostile output cannot fill the memory.
const MOST_RANKS: usize = 256;
const MOST_OPERATIONS: usize = 64;

#[derive(Deserialize)]
struct Event {
    #[serde(rename = "event")]
    kind: String,
    #[serde(default)]
    rank: Option<u32>,
    #[serde(default)]
    ops: BTreeMap<String, Operation>,
    #[serde(default)]
    loader_wait: Option<f64>,
    #[serde(default)]
    batches: Option<u64>,
    #[serde(default)]
    memory: Option<Memory>,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    after: Option<Memory>,
    #[serde(default)]
    total: Option<serde_json::Value>,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(default)]
struct Operation {
    calls: u64,
    values: u64,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Memory {
    allocated: Option<u64>,
    reserved: Option<u64>,
    peak: Option<u64>,
    total: Option<u64>,
}

impl Memory {
    fn sample(self, t_ms: u64) -> MemorySample {
        MemorySample {
            t_ms,
            allocated: self.allocated,
            reserved: self.reserved,
            peak: self.peak,
            total: self.total,
            name: None,
        }
    }
}

/// The newest summary of one rank.
#[derive(Default)]
struct Rank {
    operations: BTreeMap<String, Operation>,
    loader_wait: Option<f64>,
    batches: Option<u64>,
}

/// What a line is.
#[derive(Debug, PartialEq)]
pub(super) enum Seen {
    /// Not the guard's.
    Other,
    /// The guard's.
    Guard,
    /// The guard's, with a sample of the GPU's memory.
    Sample(Box<MemorySample>),
}

/// Adds up what the guard says.
#[derive(Default)]
pub(super) struct GuardWatch {
    started: bool,
    violations: u64,
    memory: Option<MemorySample>,
    ranks: BTreeMap<Option<u32>, Rank>,
}

impl GuardWatch {
    /// Takes a line.
    pub(super) fn line(&mut self, line: &[u8], t_ms: u64) -> Seen {
        let event = memchr::memmem::find(line, PREFIX)
            .filter(|_| line.len() <= LONGEST)
            .and_then(|at| line.get(at + PREFIX.len() - 1..))
            .and_then(|json| serde_json::from_slice(json.trim_ascii()).ok());
        match event {
            None => Seen::Other,
            Some(event) => self
                .event(event, t_ms)
                .map_or(Seen::Guard, |sample| Seen::Sample(Box::new(sample))),
        }
    }

    fn event(&mut self, event: Event, t_ms: u64) -> Option<MemorySample> {
        match event.kind.as_str() {
            "start" => self.started = true,
            "violation" => self.violations += 1,
            "summary" => {
                self.started = true;
                // Each rank has a card of its own; the first stands for them.
                let speaks = event.rank.is_none_or(|rank| rank == 0);
                if self.ranks.len() < MOST_RANKS || self.ranks.contains_key(&event.rank) {
                    let rank = self.ranks.entry(event.rank).or_default();
                    rank.operations = event.ops.into_iter().take(MOST_OPERATIONS).collect();
                    rank.loader_wait = event.loader_wait.filter(|share| share.is_finite());
                    rank.batches = event.batches;
                }
                let sample = event.memory.filter(|_| speaks)?.sample(t_ms);
                self.memory = Some(sample.clone());
                return Some(sample);
            }
            "memory" => {
                let mut sample = event.after?.sample(t_ms);
                sample.total = sample
                    .total
                    .or_else(|| event.total.as_ref().and_then(serde_json::Value::as_u64));
                sample.name = event.name.map(|name| name.chars().take(200).collect());
                self.memory = Some(sample.clone());
                return Some(sample);
            }
            _ => {}
        }
        None
    }

    /// What it says now.
    pub(super) fn live(&self) -> GuardLive {
        let mut operations: BTreeMap<&str, Operation> = BTreeMap::new();
        for rank in self.ranks.values() {
            for (name, seen) in &rank.operations {
                let sum = operations.entry(name).or_default();
                sum.calls = sum.calls.saturating_add(seen.calls);
                sum.values = sum.values.saturating_add(seen.values);
            }
        }
        let total = |count: fn(&Operation) -> u64| {
            operations
                .values()
                .fold(0u64, |sum, operation| sum.saturating_add(count(operation)))
        };
        GuardLive {
            started: self.started,
            calls: total(|operation| operation.calls),
            values: total(|operation| operation.values),
            operations: operations
                .iter()
                .take(MOST_OPERATIONS)
                .map(|(name, seen)| GuardOperationLive {
                    name: name.chars().take(100).collect(),
                    calls: seen.calls,
                    values: seen.values,
                })
                .collect(),
            violations: self.violations,
            loader_wait: self
                .ranks
                .values()
                .filter_map(|rank| rank.loader_wait)
                .max_by(f64::total_cmp),
            batches: self
                .ranks
                .values()
                .filter_map(|rank| rank.batches)
                .reduce(u64::saturating_add),
            memory: self.memory.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_guard_says_is_added_up() {
        let mut watch = GuardWatch::default();
        for line in [
            r#"[assert-doctor] {"guard":1,"event":"start","t":0.0,"unknown":[1]}"#,
            r#"[rank0]: [assert-doctor] {"guard":1,"event":"summary","rank":0,"ops":{"cross_entropy":{"calls":3,"values":30,"min":0,"max":"NaN"}},"loader_wait":0.1,"batches":4,"memory":{"allocated":5,"reserved":6,"peak":7,"total":8}}"#,
            r#"[rank1]: [assert-doctor] {"guard":1,"event":"summary","rank":1,"ops":{"cross_entropy":{"calls":2,"values":20},"gather":{"calls":1,"values":1}},"loader_wait":0.3,"batches":5,"memory":{"allocated":1}}"#,
            r#"[assert-doctor] {"guard":1,"event":"violation","op":"gather"}"#,
            r#"[assert-doctor] {"guard":1,"event":"brand-new"}"#,
        ] {
            assert_ne!(watch.line(line.as_bytes(), 9), Seen::Other, "{line}");
        }
        let live = watch.live();
        assert!(live.started);
        assert_eq!((live.calls, live.values, live.violations), (6, 51, 1));
        assert_eq!(live.operations.len(), 2);
        assert_eq!(live.loader_wait, Some(0.3));
        assert_eq!(live.batches, Some(9));
        let memory = live.memory.unwrap();
        assert_eq!(
            (memory.t_ms, memory.allocated, memory.total),
            (9, Some(5), Some(8))
        );
    }

    #[test]
    fn what_is_not_the_guards_is_left_alone() {
        let mut watch = GuardWatch::default();
        for line in [
            &b"loss 0.3"[..],
            b"[assert-doctor] starting",
            b"[assert-doctor] {broken",
            b"[assert-doctor] {}",
            b"[assert-doctor] {\"event\":\"summary\",\"ops\":[]}",
            b"[assert-doctor] {\"event\":\"summary\",\"batches\":-1}",
        ] {
            assert_eq!(watch.line(line, 0), Seen::Other);
        }
        assert_eq!(watch.live(), GuardLive::default());
    }

    #[test]
    fn the_memory_monitor_gives_samples() {
        let line = br#"[assert-doctor] {"guard":1,"event":"memory","name":"step","before":{"allocated":1},"after":{"allocated":2,"reserved":3,"peak":4},"total":9}"#;
        let Seen::Sample(sample) = GuardWatch::default().line(line, 70) else {
            panic!("no sample");
        };
        assert_eq!(sample.allocated, Some(2));
        assert_eq!(sample.total, Some(9));
        assert_eq!(sample.name.as_deref(), Some("step"));
    }
}
