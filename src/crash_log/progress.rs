//! How far a run had come, from the newest lines before its first failure.
//!
//! Step and share come from the newest line that shows any progress; the epoch may stand further up, and so may the phase.

use super::guard;
use super::{Frame, Phase, Progress};

/// Lines looked at, newest first.
const LINES: usize = 400;

/// Reads progress out of the newest lines. `first_line_number` is that of `lines[0]`.
pub(super) fn read_progress(lines: &[String], first_line_number: u64, progress: &mut Progress) {
    let mut step_phase = None;
    let mut phase_is_newer = false;
    for (index, line) in lines.iter().enumerate().rev().take(LINES) {
        // A line of the guard may be glued to a bar.
        let line = line.split(guard::SIGN).next().unwrap_or_default();
        let line: String = line.chars().take(600).collect();
        let seen = look(&line);
        let shows_progress = seen.epoch.is_some() || seen.step.is_some() || seen.fraction.is_some();
        if progress.phase.is_none() && seen.phase.is_some() {
            progress.phase = seen.phase;
            phase_is_newer = progress.line.is_none() && !shows_progress;
        }
        if shows_progress && progress.line.is_none() {
            progress.line = Some(first_line_number + index as u64);
            progress.step = seen.step;
            progress.fraction = seen.fraction;
            step_phase = seen.phase;
        }
        if progress.epoch.is_none() {
            progress.epoch = seen.epoch;
        }
        if progress.rate.is_none() {
            progress.rate = seen.rate;
        }
        if progress.phase.is_some() && progress.line.is_some() && progress.epoch.is_some() {
            break;
        }
    }
    // A later "Evaluating…" makes the training bar above it a thing of the past.
    if phase_is_newer && step_phase.is_some_and(|phase| Some(phase) != progress.phase) {
        progress.step = None;
        progress.fraction = None;
    }
}

/// What the functions of a traceback say the run was doing; the innermost that says anything decides.
pub(super) fn phase_of_frames(frames: &[Frame]) -> Option<Phase> {
    frames.iter().rev().find_map(|frame| {
        let name = frame.function.as_deref()?.to_ascii_lowercase();
        let name = name.rsplit('.').next().unwrap_or(&name);
        let mut words = name.split('_');
        // Steps of evaluation loops are called predictions too.
        if name == "prediction_step" || name == "prediction_loop" {
            return Some(Phase::Validation);
        }
        words.find_map(|word| match word {
            "validate" | "validation" | "val" | "valid" | "evaluate" | "evaluation" | "eval" => {
                Some(Phase::Validation)
            }
            "predict" | "prediction" | "inference" | "infer" | "generate" | "test" | "sample"
            | "decode" => Some(Phase::Inference),
            "train" | "training" | "fit" => Some(Phase::Training),
            _ => None,
        })
    })
}

/// A number and of how many.
pub(super) type Count = (u64, Option<u64>);

/// What one line says of the progress.
#[derive(Default)]
pub(super) struct Seen {
    pub phase: Option<Phase>,
    pub epoch: Option<Count>,
    pub step: Option<Count>,
    pub fraction: Option<f64>,
    /// Iterations per second.
    pub rate: Option<f64>,
}

pub(super) fn look(line: &str) -> Seen {
    let mut seen = Seen::default();
    let lower = line.to_ascii_lowercase();
    let bar = bar(&lower);
    let label = bar.as_ref().map_or(lower.as_str(), |bar| bar.label);
    if let Some(bar) = &bar {
        seen.fraction = Some(bar.fraction);
        seen.step = bar.step;
        seen.rate = rate(&lower);
    }
    epoch_and_step(label, &mut seen);
    let is_progress = seen.epoch.is_some() || seen.step.is_some() || seen.fraction.is_some();
    seen.phase = phase(label, is_progress);
    let is_epoch_bar = bar.is_some() && seen.epoch.is_some();
    if seen.phase.is_none() && is_epoch_bar {
        seen.phase = Some(Phase::Training);
    }
    if seen.phase == Some(Phase::Loading) && seen.fraction.is_some_and(|f| f >= 1.0) {
        // Loaded: what came next is not said here.
        seen.phase = None;
    }
    seen
}

struct Bar<'a> {
    label: &'a str,
    fraction: f64,
    step: Option<(u64, Option<u64>)>,
}

/// tqdm's ` 41%|████      | 160/390 [`, keras's ` 12/100 [==>…]`, Lightning's `━━━━ 160/390`.
fn bar(line: &str) -> Option<Bar<'_>> {
    if let Some(at) = line.find("%|") {
        let before = line.get(..at)?;
        let start = before
            .rfind(|c: char| !(c.is_ascii_digit() || c == '.'))
            .map_or(0, |i| {
                i + before
                    .get(i..)
                    .and_then(|s| s.chars().next())
                    .map_or(1, char::len_utf8)
            });
        let percent: f64 = before.get(start..)?.parse().ok()?;
        let after = line.get(at + 2..)?;
        let counts = after.split_once('|').map_or("", |(_, counts)| counts);
        let step = pair(counts.trim_start());
        return Some(Bar {
            label: before.get(..start)?,
            fraction: share(step).unwrap_or(percent / 100.0).clamp(0.0, 1.0),
            step: step.map(|(n, of)| (n, Some(of))),
        });
    }
    if let Some(at) = line.rfind('━') {
        let counts = line
            .get(at + '━'.len_utf8()..)?
            .trim_start_matches(|c: char| !c.is_ascii_digit());
        let step = pair(counts)?;
        return Some(Bar {
            label: line.split('━').next()?,
            fraction: share(Some(step))?,
            step: Some((step.0, Some(step.1))),
        });
    }
    let at = line
        .find(" [=")
        .or_else(|| line.find(" [>"))
        .or_else(|| line.find(" [.."))?;
    let counts = line.get(..at)?.split_whitespace().next_back()?;
    let step = pair(counts)?;
    Some(Bar {
        label: line.get(..at)?.strip_suffix(counts)?,
        fraction: share(Some(step))?,
        step: Some((step.0, Some(step.1))),
    })
}

/// Iterations per second as a bar states them: tqdm's `2.33s/it` and `5.10it/s`, the same of batches and steps, keras's `54ms/step`.
fn rate(line: &str) -> Option<f64> {
    const PER_SECOND: [&str; 4] = ["it/s", "batch/s", "batches/s", "step/s"];
    const SECONDS_PER: [&str; 3] = ["s/it", "s/batch", "s/step"];
    // The last is the bar's own; a metric beside it may look alike.
    line.rsplit(|c: char| c.is_whitespace() || matches!(c, ',' | '[' | ']' | '<' | '•'))
        .find_map(|word| {
            let of = |endings: &[&str]| {
                let number = endings
                    .iter()
                    .find_map(|ending| word.strip_suffix(ending))?;
                let (number, scale) = match number.strip_suffix(['m', 'µ', 'u', 'k']) {
                    Some(short) if number.ends_with('k') => (short, 1e3),
                    Some(short) if number.ends_with('m') => (short, 1e-3),
                    Some(short) => (short, 1e-6),
                    None => (number, 1.0),
                };
                let plain = number.bytes().all(|b| b.is_ascii_digit() || b == b'.');
                let value = number.parse::<f64>().ok().filter(|_| plain)? * scale;
                (value > 0.0 && value.is_finite()).then_some(value)
            };
            of(&PER_SECOND).or_else(|| of(&SECONDS_PER).map(f64::recip))
        })
}

fn share(step: Option<(u64, u64)>) -> Option<f64> {
    let (n, of) = step?;
    (of > 0).then(|| (n as f64 / of as f64).clamp(0.0, 1.0))
}

/// `160/390` at the start.
fn pair(text: &str) -> Option<(u64, u64)> {
    let (n, rest) = number(text)?;
    let (of, _) = number(rest.trim_start().strip_prefix('/')?.trim_start())?;
    Some((n, of))
}

/// A whole number at the start and what follows; a decimal fraction is none.
fn number(text: &str) -> Option<(u64, &str)> {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let value = text.get(..end)?.parse().ok()?;
    let rest = text.get(end..)?;
    let is_decimal = rest.starts_with('.')
        && rest
            .get(1..)
            .is_some_and(|r| r.starts_with(|c: char| c.is_ascii_digit()));
    (!is_decimal).then_some((value, rest))
}

fn epoch_and_step(label: &str, seen: &mut Seen) {
    if let Some((epoch, total, rest)) = counted(label, "epoch", true) {
        seen.epoch = Some((epoch, total));
        // `Epoch [1][50/7330]`, `Epoch [1/50], Step [70/612]` without the word, `Epoch: 3 [40/100 (…)]`.
        let rest = rest.trim_start_matches([']', ')', ',', ' ', ':', '\t', '|']);
        if seen.step.is_none()
            && let Some(inner) = rest.strip_prefix('[')
            && let Some((n, of)) = pair(inner.trim_start())
        {
            seen.step = Some((n, Some(of)));
        }
    } else if let Some(epoch) = chinese_epoch(label) {
        seen.epoch = Some((epoch, None));
    } else if let Some((epoch, step)) = bracket_pairs(label) {
        seen.epoch = Some(epoch);
        seen.step = seen.step.or(Some(step));
    } else {
        // Ultralytics: `1/10  8.10G  1.249 …`
        let mut words = label.split_whitespace();
        if let Some(first) = words.next()
            && let Some((n, of)) = pair(first)
            && words.next().is_some_and(|memory| {
                memory
                    .strip_suffix('g')
                    .or_else(|| memory.strip_suffix('m'))
                    .is_some_and(|m| m.parse::<f64>().is_ok())
            })
        {
            seen.epoch = Some((n, Some(of)));
            seen.phase = Some(Phase::Training);
        }
    }
    if seen.step.is_none() {
        seen.step = ["global_step", "step", "iter", "iteration", "batch", "it"]
            .iter()
            .find_map(|word| counted(label, word, false))
            .map(|(n, of, _)| (n, of));
    }
}

/// A word and its number: `epoch 3`, `epoch: [17`, `epoch [1/50]`, `'epoch': 1.2`, `step 70 of 612`.
fn counted<'a>(label: &'a str, word: &str, fractions: bool) -> Option<(u64, Option<u64>, &'a str)> {
    label.match_indices(word).take(8).find_map(|(at, _)| {
        let before = label.get(..at)?;
        if before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '/' | '.' | '-')) {
            return None;
        }
        let mut rest = label.get(at + word.len()..)?;
        for mode in ["(train)", "(val)", "(test)"] {
            rest = rest.strip_prefix(mode).unwrap_or(rest);
        }
        let trimmed = rest.trim_start_matches([' ', ':', '=', '#', '[', '(', '\'', '"', '\t']);
        if trimmed.len() == rest.len() {
            return None;
        }
        let (value, rest) = match number(trimmed) {
            Some(whole) => whole,
            None if fractions => {
                // Trainers count parts of epochs: 1.2.
                let end = trimmed
                    .find(|c: char| !(c.is_ascii_digit() || c == '.'))
                    .unwrap_or(trimmed.len());
                let value: f64 = trimmed.get(..end)?.parse().ok()?;
                (value as u64, trimmed.get(end..)?)
            }
            None => return None,
        };
        // `epoch 90s`, `step 3d` are something else.
        if rest.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return None;
        }
        let after = rest.trim_start();
        let total = after
            .strip_prefix('/')
            .or_else(|| after.strip_prefix("of "))
            .and_then(|total| number(total.trim_start()));
        Some(match total {
            Some((total, rest)) => (value, Some(total), rest),
            None => (value, None, rest),
        })
    })
}

/// `[3/100][40/3210]`
fn bracket_pairs(label: &str) -> Option<(Count, Count)> {
    label.match_indices('[').take(16).find_map(|(at, _)| {
        let first = label.get(at + 1..)?;
        let epoch = pair(first.trim_start())?;
        let (_, rest) = first.split_once(']')?;
        let step = pair(rest.trim_start().strip_prefix('[')?.trim_start())?;
        Some(((epoch.0, Some(epoch.1)), (step.0, Some(step.1))))
    })
}

/// `第 3 轮`, `第3个epoch`, `轮次: 3`
fn chinese_epoch(label: &str) -> Option<u64> {
    if let Some((_, rest)) = label.split_once('第') {
        let (value, rest) = number(rest.trim_start())?;
        let rest = rest.trim_start();
        return (rest.starts_with('轮')
            || rest.starts_with("个epoch")
            || rest.starts_with("个 epoch")
            || rest.starts_with("epoch"))
        .then_some(value);
    }
    let (_, rest) = label.split_once("轮次")?;
    number(rest.trim_start_matches([' ', ':', '：', '['])).map(|(value, _)| value)
}

/// The phase that a label or a short line names.
fn phase(label: &str, is_progress: bool) -> Option<Phase> {
    if label.contains("class")
        && label.contains("images")
        && (label.contains("box(p") || label.contains("map50") || label.contains("map@"))
    {
        return Some(Phase::Validation);
    }
    for (word, phase) in [
        ("验证", Phase::Validation),
        ("评估", Phase::Validation),
        ("测试", Phase::Inference),
        ("推理", Phase::Inference),
        ("预测", Phase::Inference),
        ("加载", Phase::Loading),
        ("读取", Phase::Loading),
        ("训练", Phase::Training),
    ] {
        if label.contains(word) {
            return Some(phase);
        }
    }
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '/' | '\\' | '_');
    let words: Vec<&str> = label
        .split(|c: char| !is_word(c))
        .map(|word| word.trim_matches(['.', '/', '_']))
        .filter(|word| word.chars().any(|c| c.is_ascii_alphabetic()))
        .take(40)
        .collect();
    let memory = label
        .split_whitespace()
        .nth(1)
        .is_some_and(|m| m.ends_with('g') && m.trim_end_matches('g').parse::<f64>().is_ok());
    if is_progress {
        if memory {
            return Some(Phase::Training);
        }
        // `train: Scanning labels…` reads the training set; it does not train yet.
        let scans = words.contains(&"scanning");
        let named = || words.iter().find_map(|word| named_phase(word));
        return if scans { Some(Phase::Loading) } else { named() };
    }
    // A line without numbers names a phase only if it says little else.
    if words.len() > 6 {
        return None;
    }
    let decorated = label.contains("**")
        || label.contains("==")
        || label.contains(">>")
        || label.contains("--")
        || label.ends_with(':')
        || label.ends_with("...");
    words.iter().find_map(|word| {
        let explicit = matches!(
            *word,
            "training"
                | "validating"
                | "evaluating"
                | "testing"
                | "predicting"
                | "generating"
                | "loading"
        );
        let announced = decorated && named_phase(word).is_some();
        (explicit || announced).then(|| named_phase(word)).flatten()
    })
}

fn named_phase(word: &str) -> Option<Phase> {
    match word {
        "train" | "training" | "trn" => Some(Phase::Training),
        "val" | "valid" | "validate" | "validating" | "validation" | "eval" | "evaluate"
        | "evaluating" | "evaluation" | "sanity" => Some(Phase::Validation),
        "test" | "testing" | "predict" | "predicting" | "prediction" | "inference" | "infer"
        | "generate" | "generating" | "generation" | "sampling" | "decoding" | "loglikelihood" => {
            Some(Phase::Inference)
        }
        "loading" | "load" | "scanning" | "downloading" | "tokenizing" | "preprocessing"
        | "importing" => Some(Phase::Loading),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
