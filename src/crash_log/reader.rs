//! Text to facts: wakes the recognisers for the few lines that concern them.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use super::assertion_groups::AssertionRecogniser;
use super::clean::clean;
use super::decode::{End, Sink};
use super::guard::{self, GuardReader};
use super::guard_exception;
use super::line::{Line, Recogniser};
use super::lines::{Assembler, Logical, Segment};
use super::milestones::MilestoneWatch;
use super::progress::phase_of_frames;
use super::recent::Recent;
use super::unpack;
use super::wake::WakeWords;
use super::{Facts, NotUnderstoodReason, Progress, Source, note};

/// Bytes kept of one segment.
pub(super) const LONGEST: usize = 64 * 1024;
/// Segments before an interesting one that may be its beginning, broken off at the console's width.
const CONTEXT: usize = 6;
/// Processes told apart.
const PROCESSES: usize = 4096;

/// Reads the progress of a run from its last lines: the lines, the number of the first, and where to write.
pub(super) type ReadProgress = fn(&[String], u64, &mut Progress);

/// The words of these recognisers, the one for assertions, and the assembler's own.
pub(super) fn wake_words(others: &[Box<dyn Recogniser + Send>]) -> WakeWords {
    let assertions = AssertionRecogniser::default();
    // PowerShell's error records are read by the assembler.
    let own = ["At line:", "所在位置 ", "NativeCommandError", guard::SIGN];
    let others = others.iter().flat_map(|other| other.wake_words());
    WakeWords::new(
        own.iter()
            .chain(assertions.wake_words())
            .chain(others)
            .copied(),
    )
}

/// See the module's text.
#[derive(Clone)]
pub(super) struct Reader {
    facts: Facts,
    assertions: AssertionRecogniser,
    guard: GuardReader,
    others: Vec<Box<dyn Recogniser + Send>>,
    milestones: MilestoneWatch,
    wake: Arc<WakeWords>,
    assembler: Assembler,
    recent: Recent,
    read_progress: Option<ReadProgress>,
    failed: Option<Failed>,
    processes: BTreeSet<Source>,
}

/// The last failure at which progress was read.
#[derive(Clone, Copy, Debug)]
struct Failed {
    line: u64,
    times: u32,
    settled: bool,
}

/// Where a segment stands.
#[derive(Clone, Copy)]
struct Place<'a> {
    /// The text up to and including the segment that [`Reader::recent`] does not hold.
    here: &'a str,
    /// What was passed over before the segment, of that text.
    skipped: &'a str,
    line: u64,
    end: End,
}

impl Reader {
    /// A reader with these recognisers beside the one for assertions; `wake` holds the words of all.
    pub(super) fn new(
        others: Vec<Box<dyn Recogniser + Send>>,
        wake: Arc<WakeWords>,
        read_progress: Option<ReadProgress>,
    ) -> Self {
        Self {
            facts: Facts::default(),
            assertions: AssertionRecogniser::default(),
            guard: GuardReader::default(),
            others,
            milestones: MilestoneWatch::default(),
            wake,
            assembler: Assembler::default(),
            recent: Recent::default(),
            read_progress,
            failed: None,
            processes: BTreeSet::new(),
        }
    }

    /// Ends the log; `lines` is the number of its last line.
    pub(super) fn finish(mut self, lines: u64) -> Facts {
        self.assembler.finish();
        self.deliver("", lines, None);
        self.facts.latest = self.progress_at("", lines);
        if self.failed.is_none() || self.facts.progress == Progress::default() {
            self.facts.progress = self.facts.latest.clone();
        }
        self.facts.milestones = self.milestones.found();
        self.assertions.finish(&mut self.facts);
        self.guard.finish(&mut self.facts);
        for other in &mut self.others {
            other.finish(&mut self.facts);
        }
        guard_exception::complete(&mut self.facts);
        self.assertions.write_harmless(&mut self.facts);
        // Where no progress line names the phase, the functions of the first traceback may.
        if self.facts.progress.phase.is_none() {
            let mut tracebacks = self.facts.tracebacks.iter();
            self.facts.progress.phase = tracebacks.find_map(|t| phase_of_frames(&t.frames));
        }
        let environment = &mut self.facts.environment;
        if environment.command.is_none() {
            environment.command = self.assembler.command.take();
        }
        environment.processes = environment.processes.max(self.processes.len() as u32);
        self.facts
            .marks
            .sort_by_key(|mark| (*mark.lines.start(), *mark.lines.end(), mark.kind));
        self.facts
    }

    /// The facts so far, for what is learned outside of lines.
    pub(super) fn facts(&mut self) -> &mut Facts {
        &mut self.facts
    }

    fn wants_next(&self) -> bool {
        self.assembler.wants_next()
            || self.guard.wants_next()
            || self.others.iter().any(|other| other.wants_next())
    }

    /// Looks closer at a segment, and says whether anybody did.
    fn look(&mut self, raw: &str, cut: bool, place: Place<'_>) -> bool {
        let wanted = self.wants_next();
        let kept = raw.get(..raw.floor_char_boundary(LONGEST)).unwrap_or(raw);
        let text = clean(kept);
        if !wanted && !self.wake.wakes(&text) {
            return false;
        }
        if cut || kept.len() < raw.len() {
            note(
                &mut self.facts,
                NotUnderstoodReason::LongLine,
                place.line,
                &text,
            );
        }
        if !wanted {
            self.context(place);
        }
        self.recent.seen();
        let overdrawn = place.end == End::Return;
        let inside = if kept.contains(guard::SIGN) {
            None
        } else {
            unpack::lines(kept)
        };
        let is_whole = inside.is_none();
        let segments: Vec<Cow<'_, str>> = match &inside {
            Some(lines) => lines.iter().map(|line| clean(line)).collect(),
            None => vec![text],
        };
        for text in segments {
            self.assembler.segment(Segment {
                text: &text,
                number: place.line,
                overdrawn,
                woken: true,
            });
        }
        self.deliver(place.here, place.line, is_whole.then_some(raw));
        true
    }

    /// Shows the assembler the segments before an interesting one: it may have begun there.
    fn context(&mut self, place: Place<'_>) {
        let text = self.recent.surroundings(place.skipped);
        let segments: Vec<&str> = text.split_inclusive(['\n', '\r']).collect();
        let mut line = place.line;
        let mut known: Vec<(&str, u64)> = Vec::new();
        for segment in segments.iter().rev() {
            if segment.ends_with('\n') {
                line = line.saturating_sub(1);
            }
            // The `\n` of a CRLF stands alone here.
            if *segment != "\n" {
                known.push((*segment, line));
            } else if let Some(before) = known.last()
                && before.1 == line
            {
                break;
            }
            if known.len() > CONTEXT {
                break;
            }
        }
        // The farthest may have lost its beginning.
        if text.len() >= 2000 || known.len() > CONTEXT {
            known.pop();
        }
        for (segment, number) in known.into_iter().rev() {
            let text = clean(segment.trim_end_matches(['\n', '\r']));
            let segment = Segment {
                text: &text,
                number,
                overdrawn: false,
                woken: false,
            };
            self.assembler.segment(segment);
        }
    }

    /// Hands finished lines to the recognisers.
    fn deliver(&mut self, here: &str, current: u64, raw: Option<&str>) {
        while let Some(line) = self.assembler.next_line() {
            let inside_guard = self.guard.wants_next();
            if !line.woken && !inside_guard && !self.others.iter().any(|o| o.wants_next()) {
                continue;
            }
            if let Some(source) = &line.source
                && self.processes.len() < PROCESSES
                && !self.processes.contains(source)
            {
                self.processes.insert(source.clone());
            }
            let failures = self.failures();
            let Logical {
                text,
                number,
                last_number,
                source,
                overdrawn,
                ..
            } = line;
            let line = Line {
                number,
                last_number,
                text: &text,
                source,
                overdrawn,
            };
            if self.guard.line(&line, &mut self.facts) {
                if self.failures() > failures {
                    self.failure(here, current);
                }
                continue;
            }
            self.assertions.line(&line, &mut self.facts);
            if let Some(raw) = raw
                && (number, last_number) == (current, current)
                && !overdrawn
            {
                self.assertions.expect_more(raw, &text);
            }
            let is_known = self.assertions.is_known();
            for other in &mut self.others {
                if !is_known || other.wants_next() {
                    other.line(&line, &mut self.facts);
                }
            }
            if self.failures() > failures || text.contains("Traceback (most recent call last)") {
                self.failure(here, current);
            }
        }
    }

    fn failures(&self) -> usize {
        let guarded = self.facts.guard.violation_count as usize;
        self.facts.assertions.len() + self.facts.errors.len() + guarded
    }

    /// Something failed here: reads how far the run had come. The first assertion settles it; before that, a later failure counts
    /// more, since programs print errors that they survive.
    fn failure(&mut self, here: &str, line: u64) {
        /// Failures closer together than this are one.
        const APART: u64 = 50;
        const MOST: u32 = 100;
        if let Some(last) = self.failed
            && (last.settled || last.times >= MOST || line < last.line + APART)
        {
            return;
        }
        let times = self.failed.map_or(1, |last| last.times + 1);
        self.failed = Some(Failed {
            line,
            times,
            settled: !self.facts.assertions.is_empty() || self.facts.guard.violation_count > 0,
        });
        let progress = self.progress_at(here, line);
        if progress != Progress::default() {
            self.facts.progress = progress;
        }
    }

    fn progress_at(&self, here: &str, line: u64) -> Progress {
        let mut progress = Progress::default();
        if let Some(read) = self.read_progress {
            let lines = self.recent.last_lines(here);
            let first = (line + 1).saturating_sub(lines.len() as u64).max(1);
            read(&lines, first, &mut progress);
        }
        progress
    }
}

impl Sink for Reader {
    fn lines(&mut self, text: &str, line: u64) {
        self.milestones.watch(text, line);
        let wake = Arc::clone(&self.wake);
        let mut search = wake.search(text);
        let mut walk = Walk { text, at: 0, line };
        // How far somebody looked.
        let mut seen = 0;
        while walk.at < text.len() {
            if !self.wants_next() {
                while let Some(segment) = walk.line_here()
                    && self.assertions.is_more(
                        segment.trim_end_matches('\r'),
                        walk.line,
                        &mut self.facts,
                    )
                {
                    walk.go(walk.at + segment.len() + 1);
                    seen = walk.at;
                    self.recent.seen();
                }
                let Some(found) = search.first(walk.at) else {
                    break;
                };
                walk.go(walk.start_of_segment(found));
            }
            let (segment, end, next) = walk.segment();
            let place = Place {
                here: text.get(..walk.at + segment.len()).unwrap_or_default(),
                skipped: text.get(seen..walk.at).unwrap_or_default(),
                line: walk.line,
                end,
            };
            if self.look(segment, false, place) {
                seen = next;
            }
            walk.go(next);
        }
        self.recent.push(text, text.len() - seen);
    }

    fn segment(&mut self, text: &str, line: u64, end: End, cut: bool) {
        self.milestones.watch(text, line);
        let known = end != End::Return
            && !self.wants_next()
            && self.assertions.is_more(text, line, &mut self.facts);
        let seen = known
            || self.look(
                text,
                cut,
                Place {
                    here: text,
                    skipped: "",
                    line,
                    end,
                },
            );
        if known {
            self.recent.seen();
        }
        self.recent.push(text, if seen { 0 } else { text.len() });
        let end = match end {
            End::Feed => "\n",
            End::Return => "\r",
            End::Eof => "",
        };
        self.recent.push(end, if seen { 0 } else { end.len() });
    }
}

/// Goes through whole lines from left to right and counts them.
struct Walk<'a> {
    text: &'a str,
    at: usize,
    line: u64,
}

impl<'a> Walk<'a> {
    fn go(&mut self, to: usize) {
        let passed = self.text.as_bytes().get(self.at..to).unwrap_or_default();
        self.line += memchr::memchr_iter(b'\n', passed).count() as u64;
        self.at = to;
    }

    /// The rest of the line, without its line feed.
    fn line_here(&self) -> Option<&'a str> {
        let rest = self.text.get(self.at..)?;
        rest.get(..memchr::memchr(b'\n', rest.as_bytes())?)
    }

    fn start_of_segment(&self, at: usize) -> usize {
        let before = self.text.as_bytes().get(self.at..at).unwrap_or_default();
        memchr::memrchr2(b'\n', b'\r', before).map_or(self.at, |end| self.at + end + 1)
    }

    /// The segment that begins here, its end, and where the next one begins.
    fn segment(&self) -> (&'a str, End, usize) {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let Some(end) = memchr::memchr2(b'\n', b'\r', rest.as_bytes()) else {
            return (rest, End::Feed, self.text.len());
        };
        let segment = rest.get(..end).unwrap_or_default();
        match (rest.as_bytes().get(end), rest.as_bytes().get(end + 1)) {
            (Some(b'\r'), Some(b'\n')) => (segment, End::Feed, self.at + end + 2),
            (Some(b'\r'), _) => (segment, End::Return, self.at + end + 1),
            _ => (segment, End::Feed, self.at + end + 1),
        }
    }
}
