//! What a recogniser gets to see: one cleaned logical line.

use super::Source;

/// One logical line of the log, cleaned for reading.
///
/// "Logical": a physical line is cut at carriage returns and, where a progress bar was printed without a line end, before the
/// text glued to it; lines that PowerShell or a console broke at its width are joined. Colours, prefixes of ranks and loggers'
/// frames around (not the logger's own level and name) are removed; `&lt;` and the like are turned back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line<'a> {
    /// Line of the log on which it begins (line feeds, from 1).
    pub number: u64,
    /// Line of the log on which it ends: larger than `number` where broken lines were joined.
    pub last_number: u64,
    /// The text: no colours, no prefix, no white space at its end; indentation kept.
    pub text: &'a str,
    /// The process named by the prefix that was removed.
    pub source: Option<Source>,
    /// It is one of several states that a progress bar drew on the same line, and not the last.
    pub overdrawn: bool,
}

/// Something that watches lines go by and writes what it understood.
pub(super) trait Recogniser {
    /// Substrings (ASCII, matched as they are) that wake this recogniser: a line that contains none of any recogniser's words is
    /// passed over, unless some recogniser is inside something ([`Recogniser::wants_next`]).
    fn wake_words(&self) -> &'static [&'static str];

    /// Whether the next line belongs to something begun, whatever it contains.
    fn wants_next(&self) -> bool;

    /// Looks at a line.
    fn line(&mut self, line: &Line<'_>, facts: &mut super::Facts);

    /// The log is over: writes what is still open.
    fn finish(&mut self, facts: &mut super::Facts);

    /// The same recogniser in the same state.
    fn copy(&self) -> Box<dyn Recogniser + Send>;
}

impl Clone for Box<dyn Recogniser + Send> {
    fn clone(&self) -> Self {
        self.as_ref().copy()
    }
}
