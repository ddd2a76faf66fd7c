//! Where a run began and what it has reached: the first epoch that is stated, the first validation pass, and whether epochs begin
//! anew.
//!
//! Progress is read from the newest lines only; these stand anywhere. So the whole text is searched for a few words until the
//! first of each is found, or until so many lines were looked at in vain that nothing is to be expected any more.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use memchr::memmem::Finder;

use super::Phase;
use super::facts::Milestones;
use super::guard;
use super::progress::look;

/// Lines looked at for each of the two.
const EPOCH_LINES: u32 = 2_000;
const VALIDATION_LINES: u32 = 5_000;
/// Characters looked at of one line.
const LENGTH: usize = 400;

static EPOCH_WORDS: LazyLock<Option<AhoCorasick>> =
    LazyLock::new(|| words(&["poch", "POCH", "轮"]));
static VALIDATION_WORDS: LazyLock<Option<AhoCorasick>> =
    LazyLock::new(|| words(&["val", "Val", "VAL", "验证", "评估"]));

/// What is searched for once the first epoch is known.
static EPOCH: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("poch"));

fn words(words: &[&str]) -> Option<AhoCorasick> {
    AhoCorasick::new(words).ok()
}

/// See the module's text.
#[derive(Clone, Debug, Default)]
pub(super) struct MilestoneWatch {
    found: Milestones,
    /// The largest epoch since they began anew.
    highest: u64,
    epoch_lines: u32,
    validation_lines: u32,
}

impl MilestoneWatch {
    /// Looks at text that goes by, cut at line ends; `line` is the number of its first line.
    pub(super) fn watch(&mut self, text: &str, line: u64) {
        let known_from = if self.found.first_epoch.is_some() {
            Some(0)
        } else if self.epoch_lines < EPOCH_LINES {
            self.first_epoch(text, line)
        } else {
            None
        };
        if let Some(from) = known_from {
            self.later_epochs(text.get(from..).unwrap_or_default());
        }
        if self.found.validation.is_none() && self.validation_lines < VALIDATION_LINES {
            self.validation(text, line);
        }
    }

    /// What was found.
    pub(super) fn found(&self) -> Milestones {
        self.found.clone()
    }

    /// Looks for the first epoch, and says where the text behind it begins.
    fn first_epoch(&mut self, text: &str, line: u64) -> Option<usize> {
        for (at, segment) in segments(EPOCH_WORDS.as_ref()?, text) {
            self.epoch_lines += 1;
            if let Some((epoch, _)) = look(start_of(segment)).epoch {
                self.found.first_epoch = Some((epoch, line + feeds(text, at)));
                self.highest = epoch;
                return Some(at + segment.len());
            }
            if self.epoch_lines >= EPOCH_LINES {
                return None;
            }
        }
        None
    }

    /// Counts where epochs begin anew: at 0 or 1, after at least two others.
    fn later_epochs(&mut self, text: &str) {
        for at in EPOCH.find_iter(text.as_bytes()) {
            let after = text.get(at + "poch".len()..).unwrap_or_default();
            let number = after.trim_start_matches([' ', ':', '=', '#', '[', '(', '\'', '"']);
            let end = number
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(number.len());
            let digits = number.get(..end).unwrap_or_default();
            // `epochs`, `epoch_size` and the like are no count.
            if number.len() == after.len() {
                continue;
            }
            let Ok(epoch) = digits.parse::<u64>() else {
                continue;
            };
            if epoch <= 1 && self.highest >= epoch + 2 {
                self.found.restarts += 1;
                self.highest = epoch;
            }
            self.highest = self.highest.max(epoch);
        }
    }

    fn validation(&mut self, text: &str, line: u64) {
        let Some(words) = &*VALIDATION_WORDS else {
            return;
        };
        for (at, segment) in segments(words, text) {
            self.validation_lines += 1;
            let segment = start_of(segment);
            let seen = look(segment);
            let is_progress = seen.step.is_some() || seen.fraction.is_some();
            if seen.phase == Some(Phase::Validation) && !is_sanity_check(segment) {
                let here = line + feeds(text, at);
                let began = |(_, first): (u64, u64)| first <= here;
                if is_progress || self.found.first_epoch.is_some_and(began) {
                    self.found.validation = Some(here);
                    return;
                }
            }
            if self.validation_lines >= VALIDATION_LINES {
                return;
            }
        }
    }
}

/// A few batches of validation before the training begins, as Lightning does them.
fn is_sanity_check(segment: &str) -> bool {
    segment.contains("anity")
}

/// What stands between line ends and redraws around each word, once, with its place.
fn segments<'t>(words: &AhoCorasick, text: &'t str) -> impl Iterator<Item = (usize, &'t str)> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let found = from + words.find(text.get(from..)?)?.start();
        let bytes = text.as_bytes();
        let before = bytes.get(from..found).unwrap_or_default();
        let start = memchr::memrchr2(b'\n', b'\r', before).map_or(from, |end| from + end + 1);
        let after = bytes.get(found..).unwrap_or_default();
        let end = memchr::memchr2(b'\n', b'\r', after).map_or(text.len(), |end| found + end);
        from = end;
        Some((start, text.get(start..end)?))
    })
}

/// The beginning of a line, without a line of the guard behind it.
fn start_of(segment: &str) -> &str {
    let segment = segment.split(guard::SIGN).next().unwrap_or_default();
    segment
        .get(..segment.floor_char_boundary(LENGTH))
        .unwrap_or_default()
}

fn feeds(text: &str, at: usize) -> u64 {
    let before = text.as_bytes().get(..at).unwrap_or_default();
    memchr::memchr_iter(b'\n', before).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, first_epoch: Option<(u64, u64)>, validation: Option<u64>) {
        let mut watch = MilestoneWatch::default();
        watch.watch(text, 1);
        let expected = Milestones {
            first_epoch,
            restarts: 0,
            validation,
        };
        assert_eq!(watch.found(), expected, "{text}");
        let mut by_line = MilestoneWatch::default();
        for (index, line) in text.split_inclusive('\n').enumerate() {
            by_line.watch(line, index as u64 + 1);
        }
        assert_eq!(by_line.found(), expected, "{text} line by line");
    }

    #[test]
    fn epochs_that_begin_anew_are_counted() {
        let restarts = |text: &str| {
            let mut watch = MilestoneWatch::default();
            watch.watch(text, 1);
            watch.found().restarts
        };
        assert_eq!(restarts("Epoch 0\nEpoch 1\nEpoch 2\nEpoch 1\n"), 0);
        assert_eq!(
            restarts("Epoch 1\nEpoch 2\nEpoch 3\nEpoch 1\nEpoch 2\nEpoch 3\nEpoch 1\n"),
            2
        );
        assert_eq!(restarts("epochs: 0\nEpoch 5\nmax_epochs 1\nEpoch 6\n"), 0);
    }

    #[test]
    fn beginnings_and_validation_passes() {
        check("value 3\nall fine\n", None, None);
        check("epochs: 20\nEpoch 3/20\nEpoch 4/20\n", Some((3, 2)), None);
        check(
            "Sanity Checking DataLoader 0: 100%|██| 2/2 [00:01<00:00, 1.1it/s]\nEpoch 0: 10%|█ | 3/30 [00:01<00:20, 2.1it/s]\n",
            Some((0, 2)),
            None,
        );
        check(
            "Epoch 1/3\ntrain 100%|██| 9/9\nval: 50%|█ | 1/2 [00:01<00:01, 1.0it/s]\n",
            Some((1, 1)),
            Some(3),
        );
        check(
            "Validating...\nEpoch 1\nloss 3\nValidating...\n",
            Some((1, 2)),
            Some(4),
        );
        check("第 2 轮\n开始验证：\n", Some((2, 1)), Some(2));
        check(
            "第 2 轮\n验证: 100%|██| 2/2 [00:01<00:00]\n",
            Some((2, 1)),
            Some(2),
        );
    }
}
