//! Putting a script together.

use super::axis::Axis;
use super::{MOST_LINES, Reproduction, WhyNot};
use crate::range_check::Number;

/// A script in the making.
#[derive(Debug, Default)]
pub(super) struct Script {
    /// What it shows, and what in it is not as it was; a sentence each.
    notes: Vec<String>,
    /// Whether one of them tells of a stand-in.
    has_stand_ins: bool,
    /// Whether it uses `torch.nn.functional`.
    functional: bool,
    code: Vec<String>,
    expected: String,
    other_wordings: Vec<String>,
    why_not: Option<WhyNot>,
    since: Option<&'static str>,
}

impl Script {
    /// A script that shows this.
    pub(super) fn showing(what: impl Into<String>) -> Self {
        Self {
            notes: vec![what.into()],
            ..Self::default()
        }
    }

    /// Says what in it is not as it was in the run.
    pub(super) fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Says what stands in for something that is not known.
    pub(super) fn stands_in(mut self, note: impl Into<String>) -> Self {
        self.has_stand_ins = true;
        self.note(note)
    }

    /// Says what in an axis is not as it was.
    pub(super) fn with_axis(mut self, axis: &Axis) -> Self {
        self.has_stand_ins |= axis.has_stand_ins;
        self.notes.extend(axis.notes.iter().cloned());
        self
    }

    /// Adds a line; `F.` brings its import.
    pub(super) fn line(mut self, line: impl Into<String>) -> Self {
        let line = line.into();
        self.functional |= line.contains("F.");
        self.code.push(line);
        self
    }

    /// How the last line of its output begins.
    pub(super) fn expects(mut self, message: impl Into<String>) -> Self {
        self.expected = message.into();
        self
    }

    /// How it begins in other releases.
    pub(super) fn or(mut self, message: impl Into<String>) -> Self {
        self.other_wordings.push(message.into());
        self
    }

    /// The first release that checks it on the CPU.
    pub(super) fn since(mut self, release: &'static str) -> Self {
        self.since = Some(release);
        self
    }

    /// It does not fail on the CPU.
    pub(super) fn does_not_fail(mut self, why: WhyNot) -> Self {
        self.why_not = Some(why);
        self
    }

    /// The finished script.
    pub(super) fn finish(self) -> Reproduction {
        let mut tail = Vec::new();
        tail.push(match (self.why_not, self.since) {
            (Some(_), _) => "# Expected on the CPU, where nothing fails:".to_owned(),
            (None, Some(release)) => {
                format!("# Expected on the CPU (PyTorch {release} or newer; before that, nothing fails):")
            }
            (None, None) => "# Expected on the CPU:".to_owned(),
        });
        tail.push(format!("# {}", self.expected));
        for other in &self.other_wordings {
            tail.push(format!("# or, in other releases: {other}"));
        }

        let imports = if self.functional {
            vec!["import torch", "import torch.nn.functional as F", ""]
        } else {
            vec!["import torch", ""]
        };
        // Notes are wrapped into the lines that are left: code and expectation come first.
        let room = MOST_LINES.saturating_sub(imports.len() + self.code.len() + tail.len());
        let mut lines = comment(&self.notes, room);
        lines.extend(imports.into_iter().map(str::to_owned));
        lines.extend(self.code);
        lines.extend(tail);
        Reproduction {
            script: lines.join("\n") + "\n",
            expected: self.expected,
            other_wordings: self.other_wordings,
            fails_on_cpu: self.why_not.is_none(),
            why_not: self.why_not,
            has_stand_ins: self.has_stand_ins,
            since: self.since,
        }
    }
}

/// Columns of a comment.
const WIDTH: usize = 100;

/// Sentences as comment lines, as wide as they must be to fit into `room` lines.
fn comment(sentences: &[String], room: usize) -> Vec<String> {
    let mut width = WIDTH;
    loop {
        let mut lines: Vec<String> = Vec::new();
        for sentence in sentences {
            lines.push("#".to_owned());
            for word in sentence.split_whitespace() {
                let fits = lines
                    .last()
                    .is_some_and(|line| line.len() == 1 || line.len() + 1 + word.len() <= width);
                if !fits {
                    lines.push("#".to_owned());
                }
                if let Some(line) = lines.last_mut() {
                    line.push(' ');
                    line.push_str(word);
                }
            }
        }
        if lines.len() <= room || width > 4_000 {
            lines.truncate(room);
            return lines;
        }
        width *= 2;
    }
}

/// A number as Python writes it.
pub(super) fn literal(number: Number) -> String {
    match number {
        Number::Int(n) => n.to_string(),
        Number::Float(x) if x.is_nan() => "float(\"nan\")".to_owned(),
        Number::Float(x) if x.is_infinite() && x > 0.0 => "float(\"inf\")".to_owned(),
        Number::Float(x) if x.is_infinite() => "float(\"-inf\")".to_owned(),
        Number::Float(x) => format!("{x:?}"),
    }
}

/// The same as a floating-point literal: a tensor of `1` is one of whole numbers.
pub(super) fn float_literal(number: Number) -> String {
    match number {
        Number::Int(n) => format!("{:?}", n as f64),
        Number::Float(_) => literal(number),
    }
}

/// Something inside as many brackets: `[[5]]`.
pub(super) fn nested(inside: &str, depth: usize) -> String {
    format!("{}{inside}{}", "[".repeat(depth), "]".repeat(depth))
}

/// Sizes as arguments: `2, 3`.
pub(super) fn sizes(sizes: &[u64]) -> String {
    let sizes: Vec<String> = sizes.iter().map(u64::to_string).collect();
    sizes.join(", ")
}

/// Sizes as PyTorch prints them: `[2, 3]`.
pub(super) fn list(of: &[u64]) -> String {
    format!("[{}]", sizes(of))
}
