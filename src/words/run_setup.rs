//! Why a command line cannot be taken apart.

use super::{Problem, Words};
use crate::rerun::SplitFault;

/// The fault in a language.
pub fn split_problem(fault: SplitFault, words: Words) -> Problem {
    let id = match fault {
        SplitFault::Empty => "rerun-split-empty",
        SplitFault::OpenQuote => "rerun-split-open-quote",
        SplitFault::Zero => "rerun-split-zero",
    };
    Problem {
        heading: words.text(id),
        text: words.text(&format!("{id}-text")),
        path: None,
    }
}
