//! The text of device-side assertions: one function that finds them anywhere in a line.
//!
//! Shapes (the project's CUDA facts, section 1): with and without function, Windows and Unix paths, ROCm's without block and
//! thread, the printf variants, Paddle's. Assertions of host code (glibc, Python) are none of these and are left alone.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::AssertionForm;

mod breaking_off;
mod header;

use breaking_off::open_end;
use header::Header;

/// One assertion as it stands in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Assertion<'a> {
    pub file: &'a str,
    pub line: u32,
    pub function: Option<&'a str>,
    pub expression: &'a str,
    pub message: Option<&'a str>,
    pub form: AssertionForm,
    /// Block and thread x index.
    pub block: Option<u32>,
    pub thread: Option<u32>,
    /// From the first `[` of the numbers to the last `]`; empty where the form has none.
    pub numbers: Range<usize>,
    /// The assertion's place in the line.
    pub place: Range<usize>,
}

/// What a line holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Found<'a> {
    /// The assertions, from left to right.
    pub assertions: Vec<Assertion<'a>>,
    /// What stands after them begins like another one and is cut off: more of it may be on the next line.
    pub open: Open,
    /// Something between or before them looks like an assertion and cannot be read.
    pub unreadable: bool,
}

/// Whether a line ends inside an assertion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Open {
    /// No.
    #[default]
    No,
    /// Perhaps: it ends with a path that breaks off.
    Path,
    /// It ends after a source file and line, before the block.
    Header,
    /// It ends after the block's beginning.
    Body,
    /// Only the full stop is missing.
    Stop,
}

const BLOCK: [&str; 5] = ["block", "Block", "块", "塊", "區塊"];
const THREAD: [&str; 6] = ["thread", "Thread", "线程", "線程", "执行绪", "執行緒"];
const ASSERTION: [&str; 5] = ["Assertion", "assertion", "断言", "斷言", "assert"];
const FAILED: [&str; 6] = ["failed", "Failed", "失败", "失敗", "未通过", "不成立"];
const HOST_PRINTF: &str = "[CUDA_KERNEL_ASSERT]";

/// What the English words end with, whichever letter they begin with.
static ENDS_BLOCK: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("lock"));
static ENDS_ASSERTION: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("ssertion"));
static ENDS_FAILED: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("ailed"));

/// Places of one line at which an assertion is looked for: more are no log.
const ANCHORS: usize = 1024;

/// Finds every device-side assertion of a line.
pub(super) fn find(text: &str) -> Found<'_> {
    let mut found = Found::default();
    let mut from = 0;
    let mut here = next_anchor(text, 0);
    for _ in 0..if text.is_ascii() {
        ANCHORS
    } else {
        ANCHORS / 4
    } {
        let Some(anchor) = here else { break };
        let following = next_anchor(text, anchor.after());
        let next = following.as_ref().map_or(text.len(), |next| next.start);
        match read(text, from, &anchor, next) {
            Read::Assertion(assertion) => {
                from = assertion.place.end;
                found.assertions.push(assertion);
            }
            // Two processes wrote at once.
            Read::CutOff if next < text.len() => {
                found.unreadable |= Header::read(text, from, anchor.start).is_some();
            }
            Read::CutOff => found.open = Open::Body,
            Read::Other => {}
        }
        here = following;
    }
    if found.open == Open::No {
        let rest = text.get(from..).unwrap_or_default();
        let lacks_stop = rest.is_empty()
            && !found.assertions.is_empty()
            && FAILED.iter().any(|word| text.ends_with(word));
        found.open = if lacks_stop {
            Open::Stop
        } else {
            open_end(rest)
        };
    }
    found
}

/// The place in a line from which an assertion is read to both sides.
#[derive(Debug)]
struct Anchor {
    start: usize,
    kind: AnchorKind,
}

#[derive(Debug)]
enum AnchorKind {
    /// `block: [0,0,0]`: its x index, and where the list begins and ends.
    Block { x: Option<u32>, list: Range<usize> },
    /// A block whose numbers are cut off.
    BlockCut { end: usize },
    /// `Device-side assertion` before a quote, or an assertion right after `FILE:LINE `.
    Plain {
        expression: usize,
        form: AssertionForm,
    },
}

impl Anchor {
    fn after(&self) -> usize {
        match &self.kind {
            AnchorKind::Block { list, .. } => list.end,
            AnchorKind::BlockCut { end } => *end,
            AnchorKind::Plain { expression, .. } => *expression,
        }
    }
}

fn next_anchor(text: &str, from: usize) -> Option<Anchor> {
    let rest = text.get(from..)?;
    let block = words(text, from, &ENDS_BLOCK, &BLOCK)
        .find_map(|(start, end)| block_at(text, start, end).map(|kind| Anchor { start, kind }));
    let plain = ENDS_ASSERTION
        .find_iter(rest.as_bytes())
        .find_map(|at| plain_at(text, (from + at).checked_sub(1)?));
    match (block, plain) {
        (Some(block), Some(plain)) if plain.start < block.start => Some(plain),
        (Some(block), _) => Some(block),
        (None, plain) => plain,
    }
}

/// The places of words at or after `from`, from left to right. `core` is the end of all that are ASCII.
fn words<'a>(
    text: &'a str,
    from: usize,
    core: &'a Finder<'static>,
    words: &'a [&str],
) -> impl Iterator<Item = (usize, usize)> + 'a {
    let rest = text.get(from..).unwrap_or_default();
    let ascii = core.find_iter(rest.as_bytes()).filter_map(move |at| {
        let end = from + at + core.needle().len();
        let word = words
            .iter()
            .find(|word| text.get(..end).is_some_and(|text| text.ends_with(*word)))?;
        Some((end - word.len(), end))
    });
    let mut others: Vec<(usize, usize)> = Vec::new();
    if !rest.is_ascii() {
        for word in words.iter().filter(|word| !word.is_ascii()) {
            let found = rest.match_indices(*word).take(ANCHORS);
            others.extend(found.map(|(at, _)| (from + at, from + at + word.len())));
        }
        others.sort_unstable();
    }
    let (mut ascii, mut others) = (ascii.peekable(), others.into_iter().peekable());
    std::iter::from_fn(move || match (ascii.peek(), others.peek()) {
        (Some(one), Some(other)) if other < one => others.next(),
        (Some(_), _) => ascii.next(),
        (None, _) => others.next(),
    })
}

fn block_at(text: &str, start: usize, after: usize) -> Option<AnchorKind> {
    let before = text.get(..start)?.chars().next_back();
    if before
        .is_some_and(|c| c.is_alphanumeric() && c.is_ascii() || c == '_' || c == '"' || c == '\'')
    {
        return None;
    }
    match list(text, after)? {
        List::Whole { x, place } => Some(AnchorKind::Block { x, list: place }),
        List::CutOff => Some(AnchorKind::BlockCut { end: text.len() }),
    }
}

enum List {
    Whole { x: Option<u32>, place: Range<usize> },
    CutOff,
}

/// `: [1,0,0]` after a word.
fn list(text: &str, after: usize) -> Option<List> {
    let rest = text.get(after..)?;
    let skipped = rest.len() - rest.trim_start_matches([':', ' ']).len();
    if skipped == 0 && !rest.starts_with('[') {
        return None;
    }
    let open = after + skipped;
    let inside = text.get(open..)?;
    let Some(inside) = inside.strip_prefix('[') else {
        return (inside.is_empty() && rest.starts_with(':')).then_some(List::CutOff);
    };
    match inside
        .bytes()
        .take(64)
        .position(|byte| !matches!(byte, b'0'..=b'9' | b',' | b' ' | b'-'))
    {
        Some(end) if inside.as_bytes().get(end) == Some(&b']') => {
            let first = inside.get(..end)?.split(',').next()?.trim();
            Some(List::Whole {
                x: first.parse().ok(),
                place: open..open + end + 2,
            })
        }
        Some(_) => None,
        None => (inside.len() < 64).then_some(List::CutOff),
    }
}

fn plain_at(text: &str, start: usize) -> Option<Anchor> {
    let word = text.get(start..)?;
    let after = word
        .strip_prefix("Assertion")
        .or_else(|| word.strip_prefix("assertion"))?;
    let expression = text.len() - after.trim_start().len();
    let quote = text.get(expression..)?.chars().next()?;
    if expression == text.len() - after.len() || closing(quote).is_none() {
        return None;
    }
    let before = text.get(..start)?;
    if let Some(before) = before
        .strip_suffix("Device-side ")
        .or_else(|| before.strip_suffix("device-side "))
    {
        return Some(Anchor {
            start: before.len(),
            kind: AnchorKind::Plain {
                expression,
                form: AssertionForm::Rocm,
            },
        });
    }
    // Paddle: no colon between line and assertion. glibc's host assertions have one, and a function.
    let header = before.strip_suffix(' ')?;
    let digits = header.len() - header.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let number = header.len() - digits;
    (digits > 0 && header.get(..number)?.ends_with(':')).then_some(Anchor {
        start: header.len() + 1,
        kind: AnchorKind::Plain {
            expression,
            form: AssertionForm::OtherFramework,
        },
    })
}

enum Read<'a> {
    Assertion(Assertion<'a>),
    CutOff,
    Other,
}

/// Reads the assertion around an anchor; `from` and `until` are where its neighbours end and begin.
fn read<'a>(text: &'a str, from: usize, anchor: &Anchor, until: usize) -> Read<'a> {
    let header = Header::read(text, from, anchor.start);
    let (block, mut thread, mut numbers, mut at, form) = match &anchor.kind {
        AnchorKind::BlockCut { .. } => {
            return if header.is_some() {
                Read::CutOff
            } else {
                Read::Other
            };
        }
        AnchorKind::Plain { expression, form } => (None, None, 0..0, *expression, *form),
        AnchorKind::Block { x, list } => (*x, None, list.clone(), list.end, AssertionForm::Cuda),
    };
    if form == AssertionForm::Cuda {
        let rest = text.get(at..).unwrap_or_default();
        let trimmed = rest.trim_start_matches([',', ' ', '，']);
        let word = text.len() - trimmed.len();
        if let Some(name) = THREAD.iter().find(|name| trimmed.starts_with(*name)) {
            match list(text, word + name.len()) {
                Some(List::Whole { x, place }) => {
                    thread = x;
                    numbers.end = place.end;
                    at = place.end;
                }
                Some(List::CutOff) => return Read::CutOff,
                None if trimmed.len() == name.len() => return Read::CutOff,
                None => return Read::Other,
            }
        } else if trimmed.is_empty() || THREAD.iter().any(|name| name.starts_with(trimmed)) {
            return Read::CutOff;
        } else if !starts_with_any(trimmed, &ASSERTION) {
            return Read::Other;
        }
    }
    let Some(body) = Body::read(text, at, until, form) else {
        return Read::Other;
    };
    let Body::Read {
        expression,
        message,
        form,
        end,
    } = body
    else {
        return Read::CutOff;
    };
    let Some(header) = header else {
        return Read::CutOff;
    };
    Read::Assertion(Assertion {
        file: header.file,
        line: header.line,
        function: header.function,
        expression,
        message,
        form,
        block,
        thread,
        numbers,
        place: header.start..end,
    })
}

/// What stands after the numbers.
enum Body<'a> {
    Read {
        expression: &'a str,
        message: Option<&'a str>,
        form: AssertionForm,
        end: usize,
    },
    CutOff,
}

impl<'a> Body<'a> {
    /// `None`: this is no assertion.
    fn read(text: &'a str, at: usize, until: usize, form: AssertionForm) -> Option<Self> {
        let whole = text.get(at..until)?;
        let start = at + whole.len() - whole.trim_start_matches([':', ' ', ',']).len();
        let rest = text.get(start..until)?;
        if form != AssertionForm::Cuda {
            return Some(Self::expression(text, start, until, form));
        }
        if rest.starts_with("Invalid input!") {
            let message = rest.trim_end();
            return Some(Self::Read {
                expression: "",
                message: Some(message),
                form: AssertionForm::Printf,
                end: start + message.len(),
            });
        }
        let Some(word) = ASSERTION.iter().find(|word| rest.starts_with(*word)) else {
            // Another assertion after it: two processes wrote at once.
            let is_cut = until < text.len() || ASSERTION.iter().any(|word| word.starts_with(rest));
            return is_cut.then_some(Self::CutOff);
        };
        let after = rest.get(word.len()..)?;
        let expression = start + word.len() + (after.len() - after.trim_start().len());
        if let Some(failed) = after.trim_start().strip_prefix("failed:") {
            return Some(Self::printf(text, until, start + rest.len() - failed.len()));
        }
        Some(Self::expression(text, expression, until, form))
    }

    /// `` `EXPR` failed. ``, in any quotes or none.
    fn expression(text: &'a str, start: usize, until: usize, form: AssertionForm) -> Self {
        let Some(rest) = text.get(start..until) else {
            return Self::CutOff;
        };
        let quoted = rest
            .chars()
            .next()
            .and_then(|quote| Some((quote.len_utf8(), closing(quote)?)));
        let failures =
            || words(text, start, &ENDS_FAILED, &FAILED).take_while(move |(_, end)| *end <= until);
        let first = quoted
            .and_then(|(open, closing)| {
                failures().find_map(|(at, end)| {
                    let inside = text.get(start + open..at)?.trim_end();
                    Some((inside.strip_suffix(closing)?, end))
                })
            })
            .or_else(|| {
                // Quotes lost on a web page; where the whole expression is lost, the check's file alone speaks.
                let lost = form == AssertionForm::Cuda;
                let (at, end) = failures().filter(|(at, _)| *at > start || lost).last()?;
                let unquoted = text.get(start..at)?.trim();
                // What stands before the opening quote (a collector's words on a broken line) is no part of it.
                let quoted = unquoted
                    .strip_suffix('`')
                    .and_then(|inside| inside.split_once('`'))
                    .map(|(_, inside)| inside);
                Some((quoted.unwrap_or(unquoted), end))
            });
        let Some((expression, end)) = first else {
            return Self::CutOff;
        };
        let stop = text
            .get(end..until)
            .is_some_and(|after| after.starts_with('.'));
        let mut end = end + usize::from(stop);
        let mut message = None;
        if form == AssertionForm::OtherFramework {
            let sentence = text
                .get(end..until)
                .map(str::trim)
                .filter(|sentence| !sentence.is_empty());
            // Another line of the same kind may be glued to it.
            message = sentence
                .map(|sentence| sentence.split("Error: /").next().unwrap_or(sentence).trim());
            end = message.map_or(end, |message| {
                end + text.get(end..).and_then(|t| t.find(message)).unwrap_or(0) + message.len()
            });
        }
        Self::Read {
            expression,
            message,
            form,
            end,
        }
    }

    /// `` `EXPR`: MESSAGE `` of the printf variant.
    fn printf(text: &'a str, until: usize, start: usize) -> Self {
        let Some(rest) = text.get(start..until).map(str::trim_start) else {
            return Self::CutOff;
        };
        let Some(inside) = rest.strip_prefix('`') else {
            return Self::CutOff;
        };
        // The next printf's own mark is not part of the message.
        let inside = inside.split(HOST_PRINTF).next().unwrap_or(inside);
        let Some((expression, message)) = inside
            .split_once("`:")
            .or_else(|| inside.strip_suffix('`').map(|e| (e, "")))
        else {
            return Self::CutOff;
        };
        let message = message.trim();
        Self::Read {
            expression,
            message: (!message.is_empty()).then_some(message),
            form: AssertionForm::Printf,
            end: start
                + (text.get(start..until).map_or(0, str::len) - rest.len())
                + 1
                + inside.len(),
        }
    }
}

/// The quotes that may close an expression opened by `quote`.
fn closing(quote: char) -> Option<&'static [char]> {
    match quote {
        '`' | '\'' | '‘' | '’' | '´' => Some(&['`', '\'', '’', '‘', '´']),
        '“' | '”' | '„' => Some(&['”', '“']),
        '"' => Some(&['"', '”']),
        '「' => Some(&['」']),
        '\u{ff40}' => Some(&['\u{ff40}']),
        _ => None,
    }
}

fn starts_with_any(text: &str, words: &[&str]) -> bool {
    words
        .iter()
        .any(|word| text.starts_with(word) || (text.len() >= 3 && word.starts_with(text)))
}

#[cfg(test)]
mod tests;
