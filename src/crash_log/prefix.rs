//! What launchers, collectors and pasting put in front of a line: found, removed, and turned into a [`Source`].
//!
//! Exactly the prefix goes: the indentation after it belongs to tracebacks. A logger's own `time - name - level - ` stays, since it
//! is text of the program; where it stands before a traceback it is learned and removed from the lines that follow with the same
//! shape ([`Prefixes::learn`]).

use std::sync::LazyLock;

use regex::Regex;

use super::Source;

/// Shapes of prefixes that this log uses, learned from lines that show where the text begins.
#[derive(Clone, Debug, Default)]
pub(super) struct Prefixes {
    learned: Vec<Learned>,
    /// What stood before a traceback, until the next line shows whether it is a prefix.
    candidate: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Learned {
    shape: String,
    /// Its number counts lines, as `grep -n` and `cat -n` do, and names no process.
    counts_lines: bool,
}

/// Learned shapes kept.
const MOST_LEARNED: usize = 4;

/// Several prefixes can stand one before the other: a collector's, a launcher's, the worker's.
const LAYERS: usize = 5;

impl Prefixes {
    /// The text after all prefixes, and the process that they name.
    pub(super) fn strip<'a>(&self, text: &'a str) -> (Option<Source>, &'a str) {
        let mut source = None;
        let mut rest = text;
        for _ in 0..LAYERS {
            let Some((named, after)) = known(rest).or_else(|| self.learned(rest)) else {
                break;
            };
            source = named.or(source);
            rest = after;
        }
        (source, rest)
    }

    /// `prefix` stood before text that begins a line of its own. If it looks like one, the same shape goes from now on.
    /// Anything else waits for the next line.
    pub(super) fn learn(&mut self, prefix: &str) {
        if (1..=160).contains(&prefix.len()) {
            self.candidate = Some(prefix.to_owned());
        }
        let shape = shape(prefix);
        // A task's number, a time, a date, a container's name. A progress bar is none.
        let named = shape.trim() == "0:"
            || ["0:0:0", "0-0-0", "0/0/0"]
                .iter()
                .any(|time| shape.contains(time))
            || shape
                .trim_end()
                .strip_suffix('|')
                .is_some_and(|name| !name.trim_end().contains([' ', '|']));
        let is_prefix = named
            && (2..=160).contains(&prefix.len())
            && prefix.ends_with([' ', ':', ']', '|', '>'])
            && !prefix.contains(['%', '"', '`', '█']);
        if is_prefix {
            self.add(shape, false);
        }
    }

    /// Looks at the line after one that was learned from: the same before a traceback's first frame proves a prefix.
    pub(super) fn confirm(&mut self, text: &str) {
        let Some(prefix) = self.candidate.take() else {
            return;
        };
        let shape = shape(&prefix);
        let mut rest = text;
        for _ in 0..LAYERS {
            if let Some(frame) = after_shape(rest, &shape)
                && frame.starts_with([' ', '\t'])
                && frame.trim_start().starts_with("File \"")
            {
                let number = |text: &str| -> Option<u64> {
                    let digits = text.trim_start();
                    let end = digits.find(|c: char| !c.is_ascii_digit())?;
                    digits.get(..end)?.parse().ok()
                };
                let counts_lines = number(&prefix)
                    .zip(number(rest))
                    .is_some_and(|(before, here)| here == before + 1);
                self.add(shape, counts_lines);
                return;
            }
            let Some((_, after)) = known(rest) else {
                return;
            };
            rest = after;
        }
    }

    fn add(&mut self, shape: String, counts_lines: bool) {
        if let Some(known) = self.learned.iter_mut().find(|known| known.shape == shape) {
            known.counts_lines |= counts_lines;
            return;
        }
        if self.learned.len() == MOST_LEARNED {
            self.learned.remove(0);
        }
        self.learned.push(Learned {
            shape,
            counts_lines,
        });
    }

    fn learned<'a>(&self, text: &'a str) -> Option<(Option<Source>, &'a str)> {
        self.learned.iter().find_map(|known| {
            let after = after_shape(text, &known.shape)?;
            if known.counts_lines {
                return Some((None, after));
            }
            let prefix = text.get(..text.len() - after.len())?;
            // srun labels lines with the task's number.
            let task = prefix
                .trim()
                .strip_suffix(':')
                .and_then(|task| task.parse().ok());
            Some((task.map(Source::Rank), after))
        })
    }
}

/// A prefix with every number written as one `0`.
fn shape(prefix: &str) -> String {
    let mut shape = String::with_capacity(prefix.len());
    let mut after_digit = false;
    for c in prefix.chars() {
        let digit = c.is_ascii_digit();
        if !(digit && after_digit) {
            shape.push(if digit { '0' } else { c });
        }
        after_digit = digit;
    }
    shape
}

/// What follows a prefix of this shape.
fn after_shape<'a>(text: &'a str, shape: &str) -> Option<&'a str> {
    let padded = shape.starts_with([' ', '0']);
    let (mut rest, shape) = if padded {
        (text.trim_start_matches(' '), shape.trim_start_matches(' '))
    } else {
        (text, shape)
    };
    let mut blank = false;
    for expected in shape.chars() {
        rest = match expected {
            '0' => {
                // Numbers are padded with blanks.
                let number = if blank {
                    rest.trim_start_matches(' ')
                } else {
                    rest
                };
                let after = number.trim_start_matches(|c: char| c.is_ascii_digit());
                if after.len() == number.len() {
                    return None;
                }
                after
            }
            // A line without text after the prefix has lost its last blank.
            ' ' if rest.is_empty() => rest,
            other => rest.strip_prefix(other)?,
        };
        blank = expected == ' ';
    }
    Some(rest)
}

static WORKER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^\((?:[A-Za-z_][^()|]{0,80} )?(?:[a-z_]+=[^ ,()]{1,40},? )*pid=([0-9]{1,10})(?:,? [^()]{0,80})?\)(?: |$)",
    )
});
static STAMP: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:[^\t\n]{0,100}\t[^\t\n]{0,100}\t)?\x{feff}?[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]{1,9})?(?:Z|[+-][0-9]{2}:?[0-9]{2})(?: (?:std(?:out|err) [FP]|[0-9]{2}[OE]\+?))?(?: |$)",
    )
});
static JOURNAL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:[A-Z][a-z]{2} [ 0-9][0-9] [0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.,]{8,18}(?:Z|[+-][0-9]{2}:?[0-9]{2})) [A-Za-z0-9_.-]{1,64} [A-Za-z0-9_./@-]{1,64}(?:\[([0-9]{1,10})\])?:(?: |$)",
    )
});

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the pattern is a constant that every test compiles")
}

/// A prefix that cannot be anything else.
fn known(text: &str) -> Option<(Option<Source>, &str)> {
    match text.as_bytes().first()? {
        b'[' => bracketed(text),
        b'(' => {
            if let Some(captures) = WORKER.captures(text) {
                let pid = captures.get(1).and_then(|pid| pid.as_str().parse().ok());
                return Some((pid.map(Source::Pid), text.get(captures.get(0)?.end()..)?));
            }
            text.strip_prefix("(raylet) ").map(|after| (None, after))
        }
        b'0'..=b'9' => journal(text).or_else(|| stamp(text)),
        b'A'..=b'Z' => journal(text).or_else(|| stamp(text).filter(|_| text.contains('\t'))),
        b'>' => {
            // Quoted in a mail. Python's own prompt is `>>> `.
            let after = text.strip_prefix('>')?;
            if after.is_empty() {
                return Some((None, after));
            }
            match after.strip_prefix(' ') {
                Some(after) => Some((None, after)),
                None => (!after.starts_with(['>', '='])).then_some((None, after)),
            }
        }
        b'w' if text.starts_with("wandb: ") => {
            text.strip_prefix("wandb: ").map(|after| (None, after))
        }
        b's' => text
            .strip_prefix("stderr: ")
            .or_else(|| text.strip_prefix("stdout: "))
            .map(|after| (None, after)),
        _ => stamp(text).filter(|_| text.contains('\t')),
    }
}

fn stamp(text: &str) -> Option<(Option<Source>, &str)> {
    let found = STAMP.find(text)?;
    Some((None, text.get(found.end()..)?))
}

fn journal(text: &str) -> Option<(Option<Source>, &str)> {
    let captures = JOURNAL.captures(text)?;
    // With this form of date, `Z 01E RuntimeError: …` of a CI server looks the same but for the process id.
    if text.starts_with(|c: char| c.is_ascii_digit()) && captures.get(1).is_none() {
        return None;
    }
    let pid = captures.get(1).and_then(|pid| pid.as_str().parse().ok());
    Some((pid.map(Source::Pid), text.get(captures.get(0)?.end()..)?))
}

/// `[rank0]: `, `[default0]:`, `[1,0]<stderr>:`, `[Rank 1] `, `[pod/…] `.
fn bracketed(text: &str) -> Option<(Option<Source>, &str)> {
    let (inside, after) = text.strip_prefix('[')?.split_once(']')?;
    if inside.len() > 120 {
        return None;
    }
    if inside.starts_with("pod/") {
        return Some((None, after.strip_prefix(' ').unwrap_or(after)));
    }
    if let Some((job, rank)) = inside.split_once(',') {
        let stream = after
            .strip_prefix("<stderr>:")
            .or_else(|| after.strip_prefix("<stdout>:"))
            .or_else(|| after.strip_prefix("<stddiag>:"))?;
        let all_digits =
            |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !all_digits(job) || !all_digits(rank) {
            return None;
        }
        return Some((
            rank.parse().ok().map(Source::Rank),
            stream.strip_prefix(' ').unwrap_or(stream),
        ));
    }
    let name = inside.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = inside.get(name.len()..)?.parse().ok()?;
    match name.trim_end_matches([' ', ':', '-', '_']) {
        "rank" | "default" | "trainer" | "worker" | "local_rank" => {
            let after = after.strip_prefix(':')?;
            Some((
                Some(Source::Rank(number)),
                after.strip_prefix(' ').unwrap_or(after),
            ))
        }
        // `[Rank 1] NCCL watchdog…`: a message of PyTorch itself, which recognisers read whole.
        "Rank" | "RANK" if after.starts_with(':') => {
            let after = after.strip_prefix(':')?;
            Some((
                Some(Source::Rank(number)),
                after.strip_prefix(' ').unwrap_or(after),
            ))
        }
        _ => None,
    }
}

/// Where further worker prefixes stand inside a line: two messages shared it.
pub(super) fn inner_prefixes(text: &str) -> Vec<usize> {
    let mut places = Vec::new();
    for (at, sign) in text.match_indices(['(', '[']) {
        if at == 0 || places.len() >= 64 {
            continue;
        }
        let rest = text.get(at..).unwrap_or_default();
        let is_prefix = match sign {
            "(" => {
                rest.get(..rest.floor_char_boundary(100))
                    .is_some_and(|start| start.contains("pid="))
                    && WORKER.is_match(rest)
            }
            _ => rest.starts_with("[rank") && matches!(bracketed(rest), Some((Some(_), _))),
        };
        if is_prefix {
            places.push(at);
        }
    }
    // A prefix after nothing but other prefixes is a layer, not another message.
    places.retain(|&at| {
        let mut before = text.get(..at).unwrap_or_default();
        while let Some((_, after)) = known(before) {
            before = after;
        }
        !before.trim().is_empty()
    });
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_go_and_name_the_process() {
        let rank = |n| Some(Source::Rank(n));
        let pid = |n| Some(Source::Pid(n));
        for (text, source, rest) in [
            ("[rank0]: Traceback (most", rank(0), "Traceback (most"),
            ("[rank12]:   File \"x.py\"", rank(12), "  File \"x.py\""),
            (
                "[rank1]:[E1112 10:00:00.1 ProcessGroupNCCL.cpp:1] x",
                rank(1),
                "[E1112 10:00:00.1 ProcessGroupNCCL.cpp:1] x",
            ),
            ("[default3]:  File \"x\"", rank(3), " File \"x\""),
            ("[1,2]<stderr>:    code", rank(2), "   code"),
            ("[Rank 1] NCCL watchdog", None, "[Rank 1] NCCL watchdog"),
            ("(RayWorkerVllm pid=5304)   x", pid(5304), "  x"),
            ("(train_fn pid=7, ip=10.0.0.2) x", pid(7), "x"),
            ("(VllmWorker rank=1 pid=77) x", pid(77), "x"),
            ("(pid=88) x", pid(88), "x"),
            ("(raylet) A worker died", None, "A worker died"),
            ("[pod/train-0/main]   File", None, "  File"),
            (
                "Nov 12 10:00:00 host python[123]:   File",
                pid(123),
                "  File",
            ),
            ("Nov  2 10:00:00 gpu-1 train.sh: x", None, "x"),
            ("2024-01-01T00:00:00.0000000Z     code", None, "    code"),
            ("2024-01-01T00:00:00Z stderr F [rank0]: x", rank(0), "x"),
            ("build\tRun tests\t2024-01-01T00:00:00.0Z x", None, "x"),
            ("> > quoted", None, "quoted"),
            (">>> import torch", None, ">>> import torch"),
            (">> Prompt: hi", None, ">> Prompt: hi"),
            ("wandb: x", None, "x"),
            ("[INFO] text", None, "[INFO] text"),
            (
                "2024-09-10 14:02:11,540 - mmengine - INFO - x",
                None,
                "2024-09-10 14:02:11,540 - mmengine - INFO - x",
            ),
            ("0: x", None, "0: x"),
            ("", None, ""),
        ] {
            assert_eq!(Prefixes::default().strip(text), (source, rest), "{text}");
        }
    }

    #[test]
    fn shapes_are_learned() {
        let mut prefixes = Prefixes::default();
        prefixes.learn(" 0: ");
        prefixes.learn("trainer-1  | ");
        prefixes.learn("2024-09-10 14:02:11,540 ERROR ");
        for (text, source, rest) in [
            ("12:   File \"x\"", Some(Source::Rank(12)), "  File \"x\""),
            (" 3:     code", Some(Source::Rank(3)), "    code"),
            ("trainer-2  |     code", None, "    code"),
            ("2024-09-10 15:12:11,003 ERROR   File", None, "  File"),
            (
                "2024-09-10 15:12:11,003 INFO x",
                None,
                "2024-09-10 15:12:11,003 INFO x",
            ),
            ("  12 |  code", None, "  12 |  code"),
        ] {
            assert_eq!(prefixes.strip(text), (source, rest), "{text}");
        }
        let mut none = Prefixes::default();
        none.learn(" 98%|███| 1206/1232 [");
        assert_eq!(
            none.strip(" 99%|███| 1206/1232 [x").1,
            " 99%|███| 1206/1232 [x"
        );
    }

    #[test]
    fn two_messages_on_one_line() {
        let text = "(W pid=5) A.(W pid=5) B";
        assert_eq!(inner_prefixes(text), [12]);
        assert_eq!(
            inner_prefixes("(W pid=5) (raylet) x (pid 3)"),
            [] as [usize; 0]
        );
        assert_eq!(inner_prefixes("[rank0]: failed.[rank1]: Traceback"), [16]);
    }
}
