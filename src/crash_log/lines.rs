//! Segments to logical lines: cuts lines that were glued, joins lines that were broken.
//!
//! Joining never guesses from looks alone: pieces are held only as long as they may become an assertion or a traceback's `File`
//! line, at most [`PIECES`] of them, and are joined when the whole is one. Where that showed the console's width, other lines
//! that are exactly as wide are joined too.

use std::collections::VecDeque;

use super::assertion::{self, Open};
use super::broken_line::{FileLine, begins_anew, file_line, glued_traceback, join};
use super::powershell::{self, ErrorRecord};
use super::prefix::{self, Prefixes};
use super::{Source, Stated};

/// Pieces of one broken line.
const PIECES: usize = 12;
/// Bytes of one joined line.
const JOINED: usize = 16 * 1024;

/// A finished logical line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Logical {
    pub text: String,
    pub number: u64,
    pub last_number: u64,
    pub source: Option<Source>,
    pub overdrawn: bool,
    /// It is not only the surroundings of something.
    pub woken: bool,
}

/// A segment as it comes: cleaned.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment<'a> {
    pub text: &'a str,
    pub number: u64,
    pub overdrawn: bool,
    pub woken: bool,
}

#[derive(Clone, Debug)]
struct Piece {
    line: Logical,
    /// Characters of the segment, prefix and all: what the console counted.
    width: usize,
}

/// See the module's text.
#[derive(Clone, Debug, Default)]
pub(super) struct Assembler {
    held: Vec<Piece>,
    /// The held pieces' text, and whether it is an assertion that breaks off.
    joined: String,
    open: Open,
    ready: VecDeque<Logical>,
    prefixes: Prefixes,
    record: ErrorRecord,
    widths: Widths,
    /// The command that PowerShell shows beside an error.
    pub command: Option<Stated>,
}

/// Which width lines were broken at.
#[derive(Clone, Debug, Default)]
struct Widths {
    last: usize,
    times: u32,
}

impl Widths {
    fn saw(&mut self, width: usize) {
        if self.last == width {
            self.times += 1;
        } else {
            *self = Self {
                last: width,
                times: 1,
            };
        }
    }

    fn known(&self) -> Option<usize> {
        (self.times >= 2).then_some(self.last)
    }
}

impl Assembler {
    /// Whether the next segment may belong to something that is held.
    pub(super) fn wants_next(&self) -> bool {
        !self.held.is_empty() || self.record.inside()
    }

    /// The next finished line.
    pub(super) fn next_line(&mut self) -> Option<Logical> {
        self.ready.pop_front()
    }

    /// Ends the log.
    pub(super) fn finish(&mut self) {
        self.release();
    }

    /// Takes a segment.
    pub(super) fn segment(&mut self, segment: Segment<'_>) {
        match self.record.line(segment.text) {
            powershell::Seen::Text => {}
            powershell::Seen::Record => return,
            powershell::Seen::Begins => {
                self.loses_program_name();
                self.release();
                return;
            }
            powershell::Seen::Command(command) => {
                if self.command.is_none() {
                    self.command = Some(Stated {
                        text: command.to_owned(),
                        line: segment.number,
                    });
                }
                return;
            }
        }
        let width = segment.text.chars().count();
        let mut from = 0;
        for at in prefix::inner_prefixes(segment.text)
            .into_iter()
            .chain([segment.text.len()])
        {
            if let Some(part) = segment.text.get(from..at) {
                self.part(part, width, segment);
            }
            from = at;
        }
    }

    /// One message of a segment.
    fn part(&mut self, part: &str, width: usize, segment: Segment<'_>) {
        self.prefixes.confirm(part);
        let (_, text) = self.prefixes.strip(part);
        if let Some(cut) = glued_traceback(text)
            && let Some(before) = text.get(..cut)
        {
            self.prefixes.learn(before);
        }
        let (source, text) = self.prefixes.strip(part);
        let text = powershell::without_program(text).unwrap_or(text);
        let line = |text: &str| Logical {
            text: text.to_owned(),
            number: segment.number,
            last_number: segment.number,
            source: source.clone(),
            overdrawn: segment.overdrawn,
            woken: segment.woken,
        };
        let Some(cut) = glued_traceback(text) else {
            return self.take(Piece {
                line: line(text),
                width,
            });
        };
        let (before, traceback) = text.split_at(cut);
        self.take(Piece {
            line: line(before),
            width,
        });
        self.take(Piece {
            line: line(traceback),
            width,
        });
    }

    fn take(&mut self, piece: Piece) {
        if !self.held.is_empty() {
            match self.fits(&piece) {
                Fit::Whole(text) => {
                    self.emit_joined(text, &piece);
                    return;
                }
                Fit::Part(text, open) => {
                    self.joined = text;
                    self.open = open;
                    self.held.push(piece);
                    return;
                }
                Fit::No => self.release(),
            }
        }
        if let Some(open) = self.may_go_on(&piece) {
            self.joined.clone_from(&piece.line.text);
            self.open = open;
            self.held.push(piece);
        } else {
            self.emit(piece.line);
        }
    }

    /// Whether a piece is to be held, and what may go on there.
    fn may_go_on(&self, piece: &Piece) -> Option<Open> {
        let text = piece.line.text.as_str();
        if piece.line.overdrawn || piece.width < 20 || text.len() > JOINED {
            return None;
        }
        let open = assertion::find(text).open;
        let held = open != Open::No
            || file_line(text) == FileLine::CutOff
            || (piece.line.woken && self.widths.known() == Some(piece.width))
            || powershell::may_name_program(text);
        held.then_some(open)
    }

    /// Whether the held pieces and this one are one line.
    fn fits(&self, next: &Piece) -> Fit {
        let Some(last) = self.held.last() else {
            return Fit::No;
        };
        let text = next.line.text.as_str();
        let sources = (&last.line.source, &next.line.source);
        if text.trim().is_empty()
            || matches!(sources, (Some(first), Some(next)) if first != next)
            || last.line.overdrawn
            || self.held.len() >= PIECES
            || self.joined.len() + text.len() > JOINED
        {
            return Fit::No;
        }
        let known = self.widths.known() == Some(last.width);
        let (joined, inside_word) = join(&self.joined, text, known || self.same_widths());
        // All pieces of a line that was broken at a width are that wide, but the last.
        let is_width = next.width <= last.width + 1;
        if !is_width && inside_word {
            return Fit::No;
        }
        let junction = self.joined.len();
        if self.open == Open::Stop {
            return if text.trim_end() == "." && last.width >= 20 {
                Fit::Whole(joined)
            } else {
                Fit::No
            };
        }
        let found = assertion::find(&joined);
        let open = found.open;
        if found
            .assertions
            .iter()
            .any(|a| a.place.start < junction && a.place.end > junction)
        {
            if self.open == Open::Path && !self.breaks_off_before(next) {
                return Fit::No;
            }
            return if open >= Open::Body {
                Fit::Part(joined, open)
            } else {
                Fit::Whole(self.at_one_width(text).unwrap_or(joined))
            };
        }
        if file_line(&self.joined) == FileLine::CutOff {
            match file_line(&joined) {
                FileLine::Whole => return Fit::Whole(joined),
                FileLine::CutOff if !begins_anew(text) => return Fit::Part(joined, open),
                _ => return Fit::No,
            }
        }
        if begins_anew(text) {
            return Fit::No;
        }
        // The next piece may be an assertion's own beginning, which the joined text hides.
        if !assertion::find(text).assertions.is_empty() {
            return Fit::No;
        }
        if open >= Open::Header || (open == Open::Path && inside_word && self.open == Open::Path) {
            return Fit::Part(joined, open);
        }
        // In the middle of a kernel's long signature.
        if self.open >= Open::Header && next.width == last.width {
            return Fit::Part(joined, self.open);
        }
        if known && self.held.iter().any(|piece| piece.line.woken) {
            return if self.widths.known() == Some(next.width) {
                Fit::Part(joined, open)
            } else {
                Fit::Whole(joined)
            };
        }
        Fit::No
    }

    /// Whether the path at the end of the held pieces goes on with `next`, which could be an assertion of its own.
    fn breaks_off_before(&self, next: &Piece) -> bool {
        let (held, text) = (self.joined.as_str(), next.line.text.as_str());
        let path = held.rsplit(char::is_whitespace).next().unwrap_or(held);
        if path.len() == 1 {
            // A drive's letter.
            return path.starts_with(|c: char| c.is_ascii_alphabetic()) && text.starts_with(':');
        }
        if path.ends_with("..") {
            return text.starts_with(['/', '\\']);
        }
        // A path alone on its line, or a line as wide as a console is.
        let width = self.held.last().map_or(0, |last| last.width);
        held.trim_start().len() == path.len()
            || assertion::find(text).assertions.is_empty()
            || self.widths.known() == Some(width)
            || self.same_widths()
            || matches!(width % 10, 0 | 9)
    }

    fn same_widths(&self) -> bool {
        match self.held.as_slice() {
            [first, rest @ ..] => {
                !rest.is_empty() && rest.iter().all(|piece| piece.width == first.width)
            }
            [] => false,
        }
    }

    /// All pieces as they are, where they are equally long: then they were cut at a width, and no blank was lost.
    fn at_one_width(&self, last: &str) -> Option<String> {
        if !self.same_widths() {
            return None;
        }
        let text = self
            .held
            .iter()
            .map(|piece| piece.line.text.as_str())
            .chain([last])
            .collect::<String>();
        (!assertion::find(&text).assertions.is_empty()).then_some(text)
    }

    fn emit_joined(&mut self, text: String, last: &Piece) {
        for piece in &self.held {
            self.widths.saw(piece.width);
        }
        let woken = last.line.woken || self.held.iter().any(|piece| piece.line.woken);
        let Some(first) = self.held.first() else {
            return;
        };
        let line = Logical {
            text,
            number: first.line.number,
            last_number: last.line.number,
            source: first
                .line
                .source
                .clone()
                .or_else(|| last.line.source.clone()),
            overdrawn: last.line.overdrawn,
            woken,
        };
        self.held.clear();
        self.emit(line);
    }

    /// The held pieces are lines of their own, or one that lacks nothing but a full stop.
    fn release(&mut self) {
        if self.held.len() > 1
            && self.open == Open::Stop
            && let Some(last) = self.held.pop()
        {
            let text = std::mem::take(&mut self.joined);
            self.emit_joined(text, &last);
            return;
        }
        for piece in std::mem::take(&mut self.held) {
            self.emit(piece.line);
        }
    }

    /// The held line was the first that PowerShell wrapped: `program : text`.
    fn loses_program_name(&mut self) {
        if let [first, ..] = self.held.as_mut_slice()
            && let Some((_, text)) = powershell::split(&first.line.text)
            && powershell::may_name_program(&first.line.text)
        {
            first.line.text = text.to_owned();
        }
    }

    fn emit(&mut self, mut line: Logical) {
        line.text.truncate(line.text.trim_end().len());
        self.ready.push_back(line);
    }
}

enum Fit {
    /// One whole line.
    Whole(String),
    /// One line, not complete yet.
    Part(String, Open),
    No,
}

#[cfg(test)]
mod tests;
