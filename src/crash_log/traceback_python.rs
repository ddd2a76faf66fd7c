//! Lines of `CPython`'s tracebacks: frames, markers, and what can be an exception's final line.

use super::errors::{exception_class, is_exception_name};

/// A frame line of `CPython`'s.
pub(super) struct ParsedFrame {
    /// Columns before `File`.
    pub indent: usize,
    /// As printed, without its quotes.
    pub file: String,
    /// The line in it.
    pub line: u32,
    /// `None` in the frame of a syntax error.
    pub function: Option<String>,
    /// `line N, in f`, not faulthandler's `line N in f`.
    pub comma: bool,
}

/// Reads a frame's head line, quotes and indentation lost or not.
pub(super) fn python_frame(text: &str) -> Option<ParsedFrame> {
    let mut rest = text.trim_start();
    let indent = text.len() - rest.len();
    // loguru marks the frame that caught the exception.
    if let Some(marked) = rest.strip_prefix("> ") {
        rest = marked.trim_start();
    }
    let rest = rest.strip_prefix("File ")?;
    let is_quote = |c: char| matches!(c, '"' | '\'' | '“' | '”' | '‘' | '’');
    let (file, rest) = if rest.starts_with(is_quote) {
        let inner = rest.trim_start_matches(is_quote);
        let at = inner.find(", line ")?;
        let file = inner.get(..at)?;
        (
            file.strip_suffix(is_quote)?,
            inner.get(at + ", line ".len()..)?,
        )
    } else {
        let at = rest.find(", line ")?;
        let file = rest.get(..at)?;
        if !file.contains(['.', '<', '/', '\\']) {
            return None;
        }
        (file, rest.get(at + ", line ".len()..)?)
    };
    let digits = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    let line = rest.get(..digits)?.parse().ok()?;
    let rest = rest.get(digits..)?;
    let (function, comma) = match (rest.strip_prefix(", in "), rest.strip_prefix(" in ")) {
        (Some(function), _) => (Some(function), true),
        (None, Some(function)) => (Some(function), false),
        (None, None) if rest.trim().is_empty() => (None, true),
        (None, None) => return None,
    };
    Some(ParsedFrame {
        indent,
        file: file.to_owned(),
        line,
        function: function
            .map(|f| f.trim().to_owned())
            .filter(|f| !f.is_empty()),
        comma,
    })
}

/// Columns of white space at the start.
pub(super) fn indent(text: &str) -> usize {
    text.chars().take_while(|c| c.is_whitespace()).count()
}

/// `~~~^^^`
pub(super) fn is_marker(trimmed: &str) -> bool {
    trimmed.contains(['^', '~']) && trimmed.chars().all(|c| matches!(c, '^' | '~' | ' '))
}

/// A class and a message: no line of source code looks like it.
pub(super) fn looks_like_final(trimmed: &str) -> bool {
    exception_class(trimmed).is_some_and(|class| {
        is_exception_name(class) && (trimmed.len() > class.len() || !class.contains('('))
    })
}

/// Words before a colon that begin log lines, not exceptions.
pub(super) fn is_everyday_word(class: &str) -> bool {
    let upper = class.to_ascii_uppercase();
    [
        "INFO",
        "WARNING",
        "WARN",
        "ERROR",
        "DEBUG",
        "CRITICAL",
        "FATAL",
        "TRACE",
        "EPOCH",
        "STEP",
        "ITER",
        "LOSS",
        "TRAIN",
        "TRAINING",
        "VAL",
        "VALID",
        "VALIDATION",
        "EVAL",
        "EVALUATING",
        "TEST",
        "TESTING",
        "LOADING",
        "TRUE",
        "FALSE",
        "NONE",
        "NOTE",
        "HINT",
        "TIP",
        "DONE",
        "SAVING",
        "TIME",
        "DATA",
        "BATCH",
        "ACC",
        "ACCURACY",
        "LR",
        "USING",
        "MODEL",
        "DEVICE",
        "GPU",
        "CPU",
        "FILE",
        "LINE",
        "FAILURES",
        "TRACEBACK",
        "SOURCE",
    ]
    .contains(&upper.as_str())
}
