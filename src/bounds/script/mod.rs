//! What a training script states: sizes, ignore values, DataLoader workers. The script is parsed, never run.

mod constants;
mod names;
mod sizes;
#[cfg(test)]
mod tests;
mod workers;

use std::path::Path;
use std::sync::Arc;

use ruff_python_ast::token::TokenKind;
use ruff_python_ast::{Expr, ModModule};
use ruff_python_parser::lexer::lex;
use ruff_python_parser::{Mode, ParseError, ParseOptions, parse, parse_module};
use ruff_text_size::{Ranged, TextRange};

use super::BoundsFound;
use crate::labels::file::read_whole;
use crate::labels::{LabelError, Place, Trouble, TroubleKind};
use constants::Constants;

/// No script that a person wrote is longer.
const MOST_BYTES: u64 = 4 << 20;
/// Tokens that may hang on one another in one expression. Each can be a level of the syntax tree, and trees are walked and
/// dropped by recursion.
const MOST_DEPTH: usize = 4_000;
/// Indentation levels, which are levels of the tree, too. Python itself stops at 100.
const MOST_INDENTS: usize = 200;
/// Stack of the thread that parses; only what is used takes memory.
const STACK_BYTES: usize = 128 << 20;

/// What a script states.
pub(super) fn of_script(path: &Arc<Path>) -> Result<BoundsFound, LabelError> {
    let bytes = read_whole(path, MOST_BYTES)?;
    let found = on_large_stack(|| of_source(&decode(&bytes), path))?;
    if found.is_empty() {
        return Err(LabelError::NotLabels("a script without sizes".to_owned()));
    }
    Ok(found)
}

/// Runs a reader on a thread with room for deep recursion. A panic in it is an error like any other.
fn on_large_stack<T: Send>(
    reader: impl FnOnce() -> Result<T, LabelError> + Send,
) -> Result<T, LabelError> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .name("script".to_owned())
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, reader)?;
        thread
            .join()
            .unwrap_or_else(|_| Err(LabelError::Fault("the parser of scripts".to_owned())))
    })
}

/// The text of a script: UTF-8, with a mark whatever that says, else a one-byte code page, in which names are ASCII all the same.
fn decode(bytes: &[u8]) -> String {
    if let Some((encoding, mark)) = encoding_rs::Encoding::for_bom(bytes) {
        let (text, _) = encoding.decode_without_bom_handling(bytes.get(mark..).unwrap_or_default());
        return text.into_owned();
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => encoding_rs::WINDOWS_1252.decode(bytes).0.into_owned(),
    }
}

fn of_source(text: &str, path: &Arc<Path>) -> Result<BoundsFound, LabelError> {
    if too_deep(text) {
        return Err(LabelError::TooDeep);
    }
    let module = match parsed(text) {
        Ok(module) => module,
        Err(error) => {
            return Ok(BoundsFound {
                troubles: vec![syntax_error(&error, text, path)],
                ..BoundsFound::default()
            });
        }
    };
    let source = Source::new(text, path);
    let constants = Constants::of(&module.body);
    let mut found = BoundsFound::default();
    sizes::collect(&module.body, &constants, &source, &mut found);
    workers::collect(&module.body, &constants, &source, &mut found.script);
    Ok(found)
}

/// The syntax tree. Scripts exported from notebooks hold IPython's `!pip` and `%` lines, which are allowed.
fn parsed(text: &str) -> Result<ModModule, ParseError> {
    parse_module(text)
        .map(ruff_python_parser::Parsed::into_syntax)
        .or_else(|error| {
            let notebook = parse(text, ParseOptions::from(Mode::Ipython)).ok();
            notebook
                .and_then(ruff_python_parser::Parsed::try_into_module)
                .map(ruff_python_parser::Parsed::into_syntax)
                .ok_or(error)
        })
}

fn syntax_error(error: &ParseError, text: &str, path: &Arc<Path>) -> Trouble {
    let source = Source::new(text, path);
    let line = source.line(error.location);
    let row = text.lines().nth(line.saturating_sub(1) as usize);
    Trouble {
        kind: TroubleKind::BadLine(error.error.to_string()),
        place: Place {
            line: Some(line),
            ..Place::file(Arc::clone(path))
        },
        text: row.map(|row| shortened(row.trim())),
    }
}

/// Whether the syntax tree could be deeper than the stack allows. Counted on tokens: every token since the last comma of its
/// brackets may be a level, and all open brackets count.
fn too_deep(text: &str) -> bool {
    let mut lexer = lex(text, Mode::Ipython);
    // Of each open bracket: tokens since its last comma, and those before it that a comma cannot end (`lambda` takes commas).
    let mut levels: Vec<(usize, usize)> = vec![(0, 0)];
    let mut depth = 0_usize;
    let mut indents = 0_usize;
    loop {
        let kind = lexer.next_token();
        match kind {
            TokenKind::EndOfFile => return false,
            TokenKind::Indent => indents += 1,
            TokenKind::Dedent => indents = indents.saturating_sub(1),
            TokenKind::Newline => {
                levels.clear();
                levels.push((0, 0));
                depth = 0;
            }
            TokenKind::Comment | TokenKind::NonLogicalNewline => {}
            TokenKind::Comma | TokenKind::Semi => {
                if let Some((chain, kept)) = levels.last_mut() {
                    depth = depth.saturating_sub(*chain - *kept);
                    *chain = *kept;
                }
            }
            _ => {
                if let Some((chain, kept)) = levels.last_mut() {
                    *chain += 1;
                    depth += 1;
                    if kind == TokenKind::Lambda {
                        *kept += 1;
                    }
                }
                match kind {
                    TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace => levels.push((0, 0)),
                    TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace if levels.len() > 1 => {
                        let (chain, _) = levels.pop().unwrap_or_default();
                        depth = depth.saturating_sub(chain);
                    }
                    _ => {}
                }
            }
        }
        if depth > MOST_DEPTH || indents > MOST_INDENTS {
            return true;
        }
    }
}

/// A script's text with its lines.
struct Source<'a> {
    text: &'a str,
    path: &'a Arc<Path>,
    /// Byte at which each line starts.
    starts: Vec<usize>,
}

impl<'a> Source<'a> {
    fn new(text: &'a str, path: &'a Arc<Path>) -> Self {
        let ends = memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1);
        Self {
            text,
            path,
            starts: std::iter::once(0).chain(ends).collect(),
        }
    }

    /// Line from 1.
    fn line(&self, at: impl Ranged) -> u64 {
        let at = at.start().to_usize();
        self.starts.partition_point(|&start| start <= at) as u64
    }

    /// What stands there, on one line and not too long.
    fn words(&self, range: TextRange) -> String {
        let text = self
            .text
            .get(range.start().to_usize()..range.end().to_usize())
            .unwrap_or_default();
        shortened(text)
    }
}

/// Blanks and line ends as one blank each, at most 80 characters.
fn shortened(text: &str) -> String {
    const MOST: usize = 80;
    let mut out = String::new();
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.extend(word.chars().take(MOST));
        if out.chars().count() > MOST {
            let mut cut: String = out.chars().take(MOST - 1).collect();
            cut.push('…');
            return cut;
        }
    }
    out
}

/// The last name of `a.b.c`, `c`, and of what `c[0]` indexes.
fn last_name(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Name(name) => Some(name.id.as_str()),
        Expr::Attribute(attribute) => Some(attribute.attr.as_str()),
        Expr::Subscript(subscript) => match &*subscript.value {
            Expr::Name(name) => Some(name.id.as_str()),
            Expr::Attribute(attribute) => Some(attribute.attr.as_str()),
            _ => None,
        },
        _ => None,
    }
}
