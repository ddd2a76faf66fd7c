//! Bytes to facts: reads what a training run printed, in any encoding and any mess.
//!
//! `Scanner::push(&[u8])` takes the bytes as they come, `finish()` gives the [`Facts`]; however the bytes are cut, the facts are the same.
//! No IO, no conclusions and no words for the user here. Parsing never fails: what is not understood is listed.

mod error_family;
mod facts;
mod line;
mod scanner;

pub use error_family::ErrorFamily;
pub use facts::*;
pub use scanner::{LineIndex, Scanner};
