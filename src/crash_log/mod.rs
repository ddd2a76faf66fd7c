//! Bytes to facts: reads what a training run printed, in any encoding and any mess.
//!
//! `Scanner::push(&[u8])` takes the bytes as they come, `finish()` gives the [`Facts`]; however the bytes are cut, the facts are the same.
//! No IO, no conclusions and no words for the user here. Parsing never fails: what is not understood is listed.

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
mod hints;
mod line;
mod metrics;
mod open_traceback;
mod platform;
mod progress;
mod recognisers;
mod scanner;
mod sizes;
mod traceback;
mod traceback_notebook;
mod traceback_python;
mod traceback_rich;
mod versions;
mod word_set;

pub use error_family::ErrorFamily;
pub use facts::*;
pub use scanner::{LineIndex, Scanner};
