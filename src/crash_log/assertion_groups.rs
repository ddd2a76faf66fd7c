//! Device-side assertions of a log, grouped; floods of millions of lines cost little time and no memory.

use std::collections::HashMap;

use super::assertion::{self, Assertion};
use super::assertion_flood::Flood;
use super::line::{Line, Recogniser};
use super::{
    AssertionForm, AssertionGroup, Facts, Harmless, LIMITS, Mark, MarkKind, NotUnderstoodReason,
    Source, cut_text, note,
};

/// Ranks kept of a group.
const RANKS: usize = 64;
/// Marks that assertions may use up: other kinds need some too.
const MARKS: usize = LIMITS.marks * 3 / 5;
/// Harmless lines looked at, of which some turn out to belong to a traceback or an error.
const HARMLESS_SEEN: usize = 200;
/// Harmless lines kept.
const HARMLESS: usize = 20;

/// Words by which other lines with "assert" in them name a real failure.
const FAILURES: [&str; 8] = [
    "device-side assert triggered",
    "Error",
    "Exception",
    "rror:",
    "exception",
    "failed",
    "Compile with",
    "File \"",
];

/// Finds device-side assertions and writes [`Facts::assertions`], their marks and [`Facts::harmless_asserts`].
#[derive(Clone, Debug, Default)]
pub(super) struct AssertionRecogniser {
    known: HashMap<Key, usize>,
    /// Beside each group of the facts.
    counts: Vec<Counts>,
    harmless: Vec<Harmless>,
    report: Option<Report>,
    /// Index of the last assertion mark.
    run: Option<usize>,
    marks: usize,
    /// The last line was nothing but one assertion: its numbers' place, and its group.
    single: Option<(std::ops::Range<usize>, usize)>,
    /// It was of a group that was seen before.
    again: bool,
    /// What floods look like, the latest last.
    floods: Vec<Flood>,
}

/// What is left of a cut path must still be a file's name: `rnel.cu`.
const SHORTEST_FILE: usize = 5;
/// Floods told apart: several ranks or kernels print at the same time.
const FLOODS: usize = 4;

type Key = (String, u32, Option<String>, String);

/// Lines of a group by the way they are printed: the printf variant prints each failure twice.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    printf: u64,
    other: u64,
}

impl Counts {
    fn failures(self) -> u64 {
        self.printf.max(self.other)
    }
}

/// An assertion as PyTorch's own device-side assertion report lists it, line by line.
#[derive(Clone, Debug, Default)]
struct Report {
    first_line: u64,
    last_line: u64,
    message: Option<String>,
    place: Option<(String, u32)>,
    function: Option<String>,
    block: Option<u32>,
    thread: Option<u32>,
    source: Option<Source>,
}

impl Recogniser for AssertionRecogniser {
    fn wake_words(&self) -> &'static [&'static str] {
        &[
            "assert",
            "Assert",
            "ASSERT",
            "block: [",
            "thread: [",
            ".cu:",
            ".cuh:",
            ".hip:",
            "断言",
            "斷言",
            "containing assertion",
            "that failed",
        ]
    }

    fn wants_next(&self) -> bool {
        false
    }

    fn line(&mut self, line: &Line<'_>, facts: &mut Facts) {
        self.single = None;
        self.again = false;
        if self.report_line(line, facts) {
            return;
        }
        let found = assertion::find(line.text);
        if found.unreadable || (found.open == assertion::Open::Body && found.assertions.is_empty())
        {
            note(
                facts,
                NotUnderstoodReason::AssertionLine,
                line.number,
                line.text,
            );
        }
        if found.assertions.is_empty() {
            if !found.unreadable {
                self.harmless(line);
            }
            return;
        }
        for assertion in &found.assertions {
            let Some(group) = self.group(assertion, line, facts) else {
                continue;
            };
            self.mark(group, line.number, line.last_number, facts);
            if assertion.form == AssertionForm::Cuda && assertion.place == (0..line.text.len()) {
                self.single = Some((assertion.numbers.clone(), group));
                self.again = facts
                    .assertions
                    .get(group)
                    .is_some_and(|group| group.count > 1);
            }
        }
    }

    fn finish(&mut self, facts: &mut Facts) {
        self.end_report(facts);
        for group in &mut facts.assertions {
            group.ranks.sort();
        }
    }

    fn copy(&self) -> Box<dyn Recogniser + Send> {
        Box::new(self.clone())
    }
}

impl AssertionRecogniser {
    /// Counts a raw segment if it is one more line of a flood that is going on.
    pub(super) fn is_more(&mut self, segment: &str, number: u64, facts: &mut Facts) -> bool {
        let found = self
            .floods
            .iter()
            .rev()
            .find_map(|flood| Some((flood.numbers(segment)?, flood.group)));
        let Some(((block, thread), group)) = found else {
            return false;
        };
        let (Some(entry), Some(counts)) =
            (facts.assertions.get_mut(group), self.counts.get_mut(group))
        else {
            return false;
        };
        counts.other += 1;
        entry.count = counts.failures();
        entry.last_line = number;
        extend(&mut entry.blocks, Some(block));
        extend(&mut entry.threads, Some(thread));
        self.mark(group, number, number, facts);
        true
    }

    /// Whether the line that was just read is nothing but an assertion like earlier ones: it tells nobody anything new.
    pub(super) fn is_known(&self) -> bool {
        self.again
    }

    /// The line that was just read is the raw segment's text: the next one may differ in its numbers only.
    pub(super) fn expect_more(&mut self, raw: &str, text: &str) {
        let Some((numbers, group)) = self.single.take() else {
            return;
        };
        let Some(prefix) = raw.strip_suffix(text) else {
            return;
        };
        let (Some(before), Some(after)) = (text.get(..numbers.start), text.get(numbers.end..))
        else {
            return;
        };
        if self.floods.len() >= FLOODS {
            self.floods.remove(0);
        }
        self.floods.push(Flood {
            before: format!("{prefix}{before}"),
            after: after.to_owned(),
            group,
        });
    }

    /// Counts an assertion and returns its group's index.
    fn group(
        &mut self,
        assertion: &Assertion<'_>,
        line: &Line<'_>,
        facts: &mut Facts,
    ) -> Option<usize> {
        let printf = assertion.form == AssertionForm::Printf;
        let key = key(assertion);
        let index = match self.known.get(&key) {
            Some(&index) => index,
            None => match same_but_cut(assertion, facts) {
                Some(index) => {
                    // A hostile log cuts its files off in a new way on every line.
                    if self.known.len() < 4 * LIMITS.assertion_groups {
                        self.known.insert(key, index);
                    }
                    index
                }
                None => self.new_group(key, assertion, line, facts)?,
            },
        };
        let (Some(group), Some(counts)) =
            (facts.assertions.get_mut(index), self.counts.get_mut(index))
        else {
            return None;
        };
        if printf {
            counts.printf += 1;
            group.form = AssertionForm::Printf;
        } else {
            counts.other += 1;
        }
        group.count = counts.failures();
        if group.message.is_none() {
            group.message = assertion.message.map(cut_text);
        }
        group.last_line = line.last_number;
        extend(&mut group.blocks, assertion.block);
        extend(&mut group.threads, assertion.thread);
        if let Some(source) = &line.source
            && !group.ranks.contains(source)
            && group.ranks.len() < RANKS
        {
            group.ranks.push(source.clone());
        }
        Some(index)
    }

    fn new_group(
        &mut self,
        key: Key,
        assertion: &Assertion<'_>,
        line: &Line<'_>,
        facts: &mut Facts,
    ) -> Option<usize> {
        // PyTorch 2.9 prints a sentence without the expression, then the plain line: one failure.
        if assertion.form == AssertionForm::Cuda
            && let Some(index) = facts.assertions.iter().position(|group| {
                group.form == AssertionForm::Printf
                    && group.expression.is_empty()
                    && group.file == assertion.file
                    && group.function.as_deref() == assertion.function
            })
            && let Some(group) = facts.assertions.get_mut(index)
        {
            group.line = assertion.line;
            group.expression = cut_text(assertion.expression);
            self.known.insert(key, index);
            return Some(index);
        }
        if facts.assertions.len() >= LIMITS.assertion_groups {
            note(facts, NotUnderstoodReason::TooMany, line.number, line.text);
            return None;
        }
        let index = facts.assertions.len();
        facts.assertions.push(AssertionGroup {
            file: cut_text(assertion.file),
            line: assertion.line,
            function: assertion.function.map(cut_text),
            expression: cut_text(assertion.expression),
            message: None,
            form: assertion.form,
            count: 0,
            blocks: None,
            threads: None,
            first_line: line.number,
            last_line: line.last_number,
            ranks: Vec::new(),
        });
        self.counts.push(Counts::default());
        self.known.insert(key, index);
        Some(index)
    }

    fn mark(&mut self, group: usize, first: u64, last: u64, facts: &mut Facts) {
        if let Some(run) = self.run.and_then(|run| facts.marks.get_mut(run))
            && run.kind == MarkKind::Assertion
        {
            let (from, to) = (*run.lines.start(), *run.lines.end());
            if first <= to {
                // Several assertions on one line: the mark is the first one's.
                run.lines = from..=to.max(last);
                return;
            }
            if run.index == group && first == to + 1 {
                run.lines = from..=last;
                return;
            }
        }
        if self.marks >= MARKS {
            note(facts, NotUnderstoodReason::TooMany, first, "");
            return;
        }
        self.marks += 1;
        self.run = Some(facts.marks.len());
        facts.marks.push(Mark {
            kind: MarkKind::Assertion,
            lines: first..=last,
            index: group,
        });
    }

    fn harmless(&mut self, line: &Line<'_>) {
        let text = line.text;
        let named = text
            .as_bytes()
            .windows(6)
            .any(|word| word.eq_ignore_ascii_case(b"assert"));
        if !named
            || self.harmless.len() >= HARMLESS_SEEN
            || line.overdrawn
            || FAILURES.iter().any(|word| text.contains(word))
        {
            return;
        }
        self.harmless.push(Harmless {
            line: line.number,
            text: cut_text(text),
        });
    }

    /// Writes the harmless lines that belong to nothing else. To be called when every other recogniser has finished.
    pub(super) fn write_harmless(&mut self, facts: &mut Facts) {
        let taken = |line: u64| {
            facts
                .tracebacks
                .iter()
                .any(|t| (t.first_line..=t.last_line).contains(&line))
                || facts.marks.iter().any(|mark| mark.lines.contains(&line))
                || facts.errors.iter().any(|error| error.line == line)
                || facts.hints.iter().any(|hint| hint.line == line)
        };
        let kept = std::mem::take(&mut self.harmless)
            .into_iter()
            .filter(|harmless| !taken(harmless.line))
            .take(HARMLESS)
            .collect();
        facts.harmless_asserts = kept;
    }

    /// Reads a line of PyTorch's device-side assertion report.
    fn report_line(&mut self, line: &Line<'_>, facts: &mut Facts) -> bool {
        let text = line.text.trim_start();
        let field = |name: &str| {
            text.strip_prefix(name)
                .and_then(|rest| rest.trim_start().strip_prefix('='))
                .map(str::trim)
        };
        if let Some(number) = text.strip_prefix("Assertion failure ")
            && number.trim().bytes().all(|byte| byte.is_ascii_digit())
        {
            self.end_report(facts);
            self.report = Some(Report {
                first_line: line.number,
                last_line: line.number,
                ..Report::default()
            });
            return true;
        }
        let message = field("GPU assertion failure message");
        if message.is_some()
            && self
                .report
                .as_ref()
                .is_none_or(|report| report.message.is_some())
        {
            self.end_report(facts);
            self.report = Some(Report {
                first_line: line.number,
                ..Report::default()
            });
        }
        let Some(report) = &mut self.report else {
            return false;
        };
        let first_of_list = |list: &str| {
            list.trim_start_matches('[')
                .split(',')
                .next()
                .and_then(|x| x.trim().parse().ok())
        };
        if let Some(message) = message {
            report.message = Some(message.to_owned());
        } else if let Some(place) = field("File containing assertion") {
            report.place = place
                .rsplit_once(':')
                .and_then(|(file, line)| Some((file.to_owned(), line.trim().parse().ok()?)));
        } else if let Some(function) = field("Device function containing assertion") {
            report.function = Some(function.to_owned());
        } else if let Some(list) = field("Thread ID that failed assertion") {
            report.thread = first_of_list(list);
        } else if let Some(list) = field("Block ID that failed assertion") {
            report.block = first_of_list(list);
        } else {
            return false;
        }
        report.source = report.source.take().or_else(|| line.source.clone());
        report.last_line = line.last_number;
        true
    }

    fn end_report(&mut self, facts: &mut Facts) {
        let Some(report) = self.report.take() else {
            return;
        };
        let (Some(message), Some((file, number))) = (report.message, report.place) else {
            return;
        };
        let assertion = Assertion {
            file: &file,
            line: number,
            function: report.function.as_deref(),
            expression: &message,
            message: None,
            form: AssertionForm::Dsa,
            block: report.block,
            thread: report.thread,
            numbers: 0..0,
            place: 0..0,
        };
        let line = Line {
            number: report.first_line,
            last_number: report.last_line,
            text: &message,
            source: report.source,
            overdrawn: false,
        };
        if let Some(group) = self.group(&assertion, &line, facts) {
            self.mark(group, line.number, line.last_number, facts);
        }
    }
}

/// The group of the same check whose path was cut at its start, where the log begins or a copied text broke; the longer path is
/// kept.
fn same_but_cut(assertion: &Assertion<'_>, facts: &mut Facts) -> Option<usize> {
    let plain = |file: &str| {
        let file = file.replace('\\', "/");
        file.trim_start_matches(['.', '/']).to_owned()
    };
    let file = plain(assertion.file);
    let index = facts.assertions.iter().position(|group| {
        let is_same = group.line == assertion.line
            && group.expression == assertion.expression
            && group.function.as_deref() == assertion.function
            && group.form == assertion.form;
        if !is_same {
            return false;
        }
        let known = plain(&group.file);
        known.len().min(file.len()) >= SHORTEST_FILE
            && (known.ends_with(&file) || file.ends_with(&known))
    })?;
    let group = facts.assertions.get_mut(index)?;
    if assertion.file.len() > group.file.len() {
        group.file = cut_text(assertion.file);
    }
    Some(index)
}

fn key(assertion: &Assertion<'_>) -> Key {
    (
        assertion.file.to_owned(),
        assertion.line,
        assertion.function.map(str::to_owned),
        assertion.expression.to_owned(),
    )
}

fn extend(range: &mut Option<(u32, u32)>, x: Option<u32>) {
    if let Some(x) = x {
        *range = Some(range.map_or((x, x), |(least, most)| (least.min(x), most.max(x))));
    }
}
