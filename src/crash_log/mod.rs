//! Bytes to facts: reads what a training run printed, in any encoding and any mess.
//!
//! `Scanner::push(&[u8])` takes the bytes as they come, `finish()` gives the [`Facts`]; however the bytes are cut, the facts are the same.
//! No IO, no conclusions and no words for the user here. Parsing never fails: what is not understood is listed.
//!
//! The way of the bytes: `scanner` (pieces, notebooks) → `decode` (encodings, line ends) → `reader` (wakes recognisers) → `clean`
//! (colours, HTML) → `lines` (prefixes, glued and broken lines) → recognisers (`assertion_groups` and the others) → [`Facts`].

mod assertion;
mod assertion_flood;
mod assertion_groups;
mod broken_line;
mod clean;
mod cuda_errors;
mod decode;
mod encoding;
mod environment;
mod environment_variables;
mod error_book;
mod error_family;
mod error_lexicon;
mod error_numbers;
mod error_table;
mod errors;
mod facts;
mod failures;
mod file_ownership;
mod guard;
mod guard_exception;
mod guard_facts;
mod guard_fields;
mod hints;
mod line;
mod line_index;
mod lines;
mod metrics;
mod milestones;
mod notebook;
mod open_traceback;
mod platform;
mod powershell;
mod prefix;
mod progress;
mod reader;
mod recent;
mod recognisers;
mod scanner;
mod sizes;
mod traceback;
mod traceback_notebook;
mod traceback_python;
mod traceback_rich;
mod unpack;
mod versions;
mod view;
mod wake;
mod word_set;

pub use error_family::ErrorFamily;
pub use facts::*;
pub use guard_facts::*;
pub use line_index::LineIndex;
pub use scanner::Scanner;
pub use view::decode_lines;

/// Notes something that was not understood: one entry a reason, with the first place and how often.
fn note(facts: &mut Facts, reason: NotUnderstoodReason, line: u64, text: &str) {
    if let Some(entry) = facts
        .not_understood
        .iter_mut()
        .find(|entry| entry.reason == reason)
    {
        entry.count += 1;
        return;
    }
    let text = text.chars().take(200).collect();
    facts.not_understood.push(NotUnderstood {
        line,
        reason,
        count: 1,
        text,
    });
}

/// A text within [`LIMITS`].
fn cut_text(text: &str) -> String {
    match text.char_indices().nth(LIMITS.text_chars) {
        Some((end, _)) => text.get(..end).unwrap_or(text).to_owned() + "…",
        None => text.to_owned(),
    }
}
