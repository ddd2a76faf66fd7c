//! Metrics that turned NaN or infinite: a loss that diverged explains checks that fail later.

use super::line::{Line, Recogniser};
use super::recognisers::kept;
use super::{Facts, NanMetrics};

/// Watches metrics.
#[derive(Clone, Default)]
pub(super) struct MetricReader {
    /// Column names of a table of progress, as Ultralytics prints it.
    columns: Vec<String>,
    last_line: u64,
}

impl Recogniser for MetricReader {
    fn wake_words(&self) -> &'static [&'static str] {
        &[
            "nan", "NaN", "NAN", ": inf", ":inf", "=inf", "= inf", " inf ", " inf,", "-inf", "Inf",
            "GPU_mem", "gpu_mem",
        ]
    }

    fn wants_next(&self) -> bool {
        false
    }

    fn line(&mut self, line: &Line<'_>, facts: &mut Facts) {
        let text = line.text;
        if text.contains("GPU_mem") || text.contains("gpu_mem") {
            self.columns = text
                .split_whitespace()
                .take(20)
                .map(str::to_owned)
                .collect();
            return;
        }
        let Some(metric) = self.not_finite(text) else {
            return;
        };
        if let Some(known) = &mut facts.nan_metrics {
            if line.number > self.last_line {
                known.count += 1;
            }
        } else {
            facts.nan_metrics = Some(NanMetrics {
                first_line: line.number,
                text: kept(text),
                metric: kept(&metric),
                count: 1,
                // Where all stands on one line (carriage returns alone, a notebook's one line), the order tells.
                before_failure: first_failure(facts).is_none(),
            });
        }
        self.last_line = line.number;
    }

    fn finish(&mut self, facts: &mut Facts) {
        let failure = first_failure(facts);
        if let Some(metrics) = &mut facts.nan_metrics {
            metrics.before_failure = failure.is_none_or(|line| {
                metrics.first_line < line || (metrics.first_line == line && metrics.before_failure)
            });
        }
    }

    fn copy(&self) -> Box<dyn Recogniser + Send> {
        Box::new(self.clone())
    }
}

/// Line of the first assertion, traceback or error that ended something.
fn first_failure(facts: &Facts) -> Option<u64> {
    let assertions = facts.assertions.iter().map(|a| a.first_line);
    let tracebacks = facts.tracebacks.iter().map(|t| t.first_line);
    let errors = facts
        .errors
        .iter()
        .filter(|e| e.family != super::ErrorFamily::NanFound)
        .map(|e| e.line);
    assertions.chain(tracebacks).chain(errors).min()
}

impl MetricReader {
    /// The name of the first metric of a line that is NaN or infinite.
    fn not_finite(&self, text: &str) -> Option<String> {
        let lower = text.to_ascii_lowercase();
        for word in ["nan", "inf"] {
            for (at, _) in lower.match_indices(word).take(32) {
                let before = lower.get(..at)?;
                let before = before.strip_suffix('-').unwrap_or(before);
                let after = lower.get(at + word.len()..)?;
                let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '/' | '\\');
                let goes_on = after.starts_with(is_part)
                    || after
                        .strip_prefix(['.', '-'])
                        .is_some_and(|a| a.starts_with(char::is_alphanumeric));
                if goes_on
                    || before.ends_with(is_part)
                    || before.ends_with(['.', '-'])
                    || after.starts_with(['\'', '"', '(', '`'])
                {
                    continue;
                }
                let name = name_before(text.get(..before.len())?, word == "inf");
                if name.is_some() {
                    return name;
                }
                if word == "nan"
                    && let Some(column) = self.column(before)
                {
                    return Some(column);
                }
            }
        }
        None
    }

    /// The column of a progress table in which the text ends.
    fn column(&self, before: &str) -> Option<String> {
        let mut words = before.split_whitespace();
        let (epoch, total) = words.next()?.split_once('/')?;
        if epoch.parse::<u32>().is_err() || total.parse::<u32>().is_err() {
            return None;
        }
        let name = self.columns.get(words.count() + 1)?;
        is_metric(name, false).then(|| name.clone())
    }
}

/// The metric's name before a value.
fn name_before(before: &str, infinite: bool) -> Option<String> {
    let bare = before.trim_end().trim_end_matches("tensor(").trim_end();
    let (named, separated) = match bare.strip_suffix([':', '=']) {
        Some(named) if !named.ends_with([':', '=', '!', '<', '>']) => (named, true),
        Some(_) => return None,
        // A table's cell: `|    loss    | nan    |`.
        None => (bare.strip_suffix('|').unwrap_or(bare), false),
    };
    let named = named.trim_end().trim_end_matches(['\'', '"']);
    let start = named
        .rfind(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '/' | '.' | '@' | '-')))
        .map_or(0, |i| {
            i + named
                .get(i..)
                .and_then(|s| s.chars().next())
                .map_or(1, char::len_utf8)
        });
    let name = named.get(start..)?;
    if name.is_empty() || !name.starts_with(|c: char| c.is_alphabetic()) {
        return None;
    }
    // With nothing but a blank between, only a loss is believed: `Loss nan`.
    (is_metric(name, infinite || !separated)).then(|| name.to_owned())
}

fn is_metric(name: &str, must_be_loss: bool) -> bool {
    let lower = name.to_lowercase();
    let is_loss = [
        "loss",
        "grad",
        "ppl",
        "perplexity",
        "nll",
        "objf",
        "cost",
        "elbo",
        "损失",
    ]
    .iter()
    .any(|word| lower.contains(word));
    let is_bookkeeping = [
        "best",
        "min_",
        "max_",
        "clip",
        "scale",
        "patience",
        "threshold",
        "skip",
    ]
    .iter()
    .any(|w| lower.contains(w));
    if must_be_loss {
        return is_loss && !is_bookkeeping;
    }
    // Scores of classes without samples are NaN in healthy runs.
    let is_score = [
        "iou",
        "map",
        "acc",
        "auc",
        "f1",
        "precision",
        "recall",
        "dice",
        "score",
        "corr",
        "psnr",
        "ssim",
        "val_metric",
    ]
    .iter()
    .any(|word| lower.contains(word));
    is_loss
        || (!is_score
            && !is_bookkeeping
            && lower != "ap"
            && !matches!(
                lower.as_str(),
                "contains"
                    | "or"
                    | "value"
                    | "values"
                    | "is"
                    | "dtype"
                    | "default"
                    | "fill_value"
                    | "note"
                    | "error"
            ))
}

#[cfg(test)]
mod tests {
    use super::super::recognisers::driver::read;

    #[test]
    fn metrics_that_are_nan() {
        let check = |text: &str, expected: Option<&str>| {
            let facts = read(text);
            assert_eq!(
                facts.nan_metrics.as_ref().map(|m| m.metric.as_str()),
                expected,
                "{text}"
            );
        };
        check("loss_cls: nan, loss: nan", Some("loss_cls"));
        check("step 40 loss=nan lr=0.1", Some("loss"));
        check("Epoch: [1][0/97] Loss nan (nan)", Some("Loss"));
        check(
            "{'loss': nan, 'grad_norm': nan, 'epoch': 1.2}",
            Some("loss"),
        );
        check("train loss: inf", Some("loss"));
        check("loss: tensor(nan, device='cuda:0')", Some("loss"));
        check(
            "      Epoch    GPU_mem   box_loss   cls_loss\n       1/10      8.1G        nan      3.918",
            Some("box_loss"),
        );
        check("nanogpt: loss 3.1", None);
        check("Tinana loss: 2", None);
        check("running inference: info", None);
        check("Class 3 IoU: nan", None);
        check("best_loss: inf", None);
        check(
            "RuntimeError: probability tensor contains either `inf`, `nan` or element < 0",
            None,
        );
        check(
            "Function 'LogBackward0' returned nan values in its 0th output.",
            None,
        );
    }

    #[test]
    fn whether_nan_came_before_the_failure() {
        let before = "loss: nan\nloss: nan\nRuntimeError: CUDA error: device-side assert triggered";
        let after = "RuntimeError: CUDA error: device-side assert triggered\nloss: nan";
        assert!(
            read(before)
                .nan_metrics
                .is_some_and(|m| m.before_failure && m.count == 2)
        );
        assert!(read(after).nan_metrics.is_some_and(|m| !m.before_failure));
    }
}
