//! Sizes that a log states: class counts, vocabularies, table lengths.

use std::sync::LazyLock;

use super::line::{Line, Recogniser};
use super::word_set::WordSet;
use super::{Facts, StatedSize};

/// Collects stated sizes.
#[derive(Clone, Default)]
pub(super) struct SizeReader {
    widths: usize,
}

const MOST_SIZES: usize = 50;
/// Of the layers of a printed model the first few and the last count.
const MOST_WIDTHS: usize = 12;

/// Names of sizes, longest first where one ends in another.
const NAMES: &[&str] = &[
    "max_position_embeddings",
    "type_vocab_size",
    "num_embeddings",
    "vocab_size",
    "vocabulary_size",
    "num_classes",
    "n_classes",
    "num_class",
    "nclasses",
    "num_cls",
    "num_labels",
    "n_labels",
    "block_size",
    "n_vocab",
    "num_vocab",
    "n_symbols",
    "n_speakers",
    "num_speakers",
    "n_positions",
    "n_ctx",
    "max_seq_len",
    "max_seq_length",
    "num_tokens",
    "num_nodes",
    "num_actions",
    "ignore_index",
    "nc",
];

/// Parts of the names.
const SIZE_WORDS: &[&str] = &[
    "_class",
    "nclasses",
    "num_cls",
    "_labels",
    "vocab",
    "_embeddings",
    "Embedding(",
    "block_size",
    "n_symbols",
    "_speakers",
    "n_positions",
    "n_ctx",
    "max_seq_len",
    "num_tokens",
    "num_nodes",
    "num_actions",
    "ignore_index",
    "nc=",
    "nc:",
    "nc'",
    "nc\"",
    "nc ",
    "out_features=",
];

impl Recogniser for SizeReader {
    fn wake_words(&self) -> &'static [&'static str] {
        SIZE_WORDS
    }

    fn wants_next(&self) -> bool {
        false
    }

    fn line(&mut self, line: &Line<'_>, facts: &mut Facts) {
        static WORDS: LazyLock<WordSet> = LazyLock::new(|| WordSet::new(SIZE_WORDS));
        if !WORDS.any_in(line.text) {
            return;
        }
        for name in NAMES {
            for value in values_of(line.text, name) {
                add(facts, name, value, line.number);
            }
        }
        for (start, name) in [
            ("Embedding(", "num_embeddings"),
            ("out_features=", "out_features"),
        ] {
            for (at, _) in line.text.match_indices(start).take(4) {
                let Some(value) = line.text.get(at + start.len()..).and_then(whole_number) else {
                    continue;
                };
                if name == "out_features" {
                    self.width(facts, value, line.number);
                } else {
                    add(facts, name, value, line.number);
                }
            }
        }
    }

    fn finish(&mut self, facts: &mut Facts) {
        let Facts {
            stated_sizes,
            tracebacks,
            ..
        } = facts;
        for size in stated_sizes {
            size.in_source = tracebacks.iter().flat_map(|t| &t.frames).any(|f| {
                f.code_line
                    .is_some_and(|code| (code..=f.last_log_line).contains(&size.line))
            });
        }
    }

    fn copy(&self) -> Box<dyn Recogniser + Send> {
        Box::new(self.clone())
    }
}

impl SizeReader {
    fn width(&mut self, facts: &mut Facts, value: i64, line: u64) {
        if self.widths >= MOST_WIDTHS
            && let Some(last) = facts
                .stated_sizes
                .iter()
                .rposition(|s| s.name == "out_features")
        {
            facts.stated_sizes.remove(last);
        } else {
            self.widths += 1;
        }
        add(facts, "out_features", value, line);
    }
}

fn add(facts: &mut Facts, name: &str, value: i64, line: u64) {
    let sizes = &mut facts.stated_sizes;
    if sizes.len() < MOST_SIZES && !sizes.iter().any(|s| s.name == name && s.value == value) {
        sizes.push(StatedSize {
            name: name.to_owned(),
            value,
            line,
            in_source: false,
        });
    }
}

/// The values of `name=9`, `name: 9`, `'name': 9`.
fn values_of(text: &str, name: &str) -> Vec<i64> {
    text.match_indices(name)
        .take(8)
        .filter_map(|(at, _)| {
            let before = text.get(..at)?;
            if before.ends_with(|c: char| c.is_alphanumeric() || c == '_') {
                return None;
            }
            let rest = text.get(at + name.len()..)?.trim_start_matches(['\'', '"']);
            let rest = rest.trim_start();
            let rest = rest.strip_prefix('=').or_else(|| rest.strip_prefix(':'))?;
            whole_number(rest.trim_start())
        })
        .collect()
}

/// A whole number at the start, `50_257` included, that nothing continues.
fn whole_number(text: &str) -> Option<i64> {
    let sign = usize::from(text.starts_with('-'));
    let rest = text.get(sign..)?;
    let end = rest
        .find(|c: char| !(c.is_ascii_digit() || c == '_'))
        .unwrap_or(rest.len());
    let tail = rest.get(end..)?;
    let goes_on = tail.starts_with(|c: char| c.is_alphanumeric())
        || (tail.starts_with('.')
            && tail
                .get(1..)
                .is_some_and(|t| t.starts_with(|c: char| c.is_ascii_digit())));
    if goes_on || !rest.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let digits: String = text
        .get(..sign + end)?
        .chars()
        .filter(|c| *c != '_')
        .collect();
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::super::recognisers::driver::read;

    #[test]
    fn sizes_as_configurations_and_sources_state_them() {
        let check = |text: &str, expected: &[(&str, i64)]| {
            let facts = read(text);
            let sizes: Vec<(&str, i64)> = facts
                .stated_sizes
                .iter()
                .map(|s| (s.name.as_str(), s.value))
                .collect();
            assert_eq!(sizes, expected, "{text}");
        };
        check(">>> F.one_hot(ids, num_classes=9)", &[("num_classes", 9)]);
        check(
            "{'block_size': 4096, 'vocab_size': 32000}",
            &[("vocab_size", 32000), ("block_size", 4096)],
        );
        check(
            "Overriding model.yaml nc=80 with nc=20",
            &[("nc", 80), ("nc", 20)],
        );
        check("num_labels: 3", &[("num_labels", 3)]);
        check(
            "  \"max_position_embeddings\": 512,",
            &[("max_position_embeddings", 512)],
        );
        check("(wte): Embedding(50257, 768)", &[("num_embeddings", 50257)]);
        check(
            "(fc): Linear(in_features=512, out_features=10, bias=True)",
            &[("out_features", 10)],
        );
        check(
            "number of parameters: 10.65M, n_vocab = 50_304",
            &[("n_vocab", 50304)],
        );
        check("sync=3 func=4 num_classes == 9 nc=0.5", &[]);
    }

    #[test]
    fn a_size_in_a_traceback_is_marked_as_source() {
        let facts = read(
            "num_classes: 5\nTraceback (most recent call last):\n  File \"a.py\", line 3, in f\n    F.one_hot(x, num_classes=9)\nRuntimeError: x",
        );
        let sizes: Vec<_> = facts
            .stated_sizes
            .iter()
            .map(|s| (s.value, s.in_source))
            .collect();
        assert_eq!(sizes, [(5, false), (9, true)]);
    }
}
