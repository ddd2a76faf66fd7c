//! Which lines may tell of a failure: what must not be lost where not everything can be kept.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

/// Words of failures as PyTorch, CUDA, Python and the system print them, and the mark of our own lines.
const WORDS: [&str; 19] = [
    "Assertion",
    "assert",
    "Error",
    "ERROR",
    "error:",
    "Exception",
    "Warning:",
    "Traceback",
    "  File \"",
    "[assert-doctor]",
    "CUDA",
    "NCCL",
    "Failed",
    "failed",
    "fatal",
    "FATAL",
    "Aborted",
    "Killed",
    "core dumped",
];

static FINDER: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| AhoCorasick::new(WORDS).ok());

/// Whether a text may tell of a failure. Rather one too many: it only decides what is kept.
pub(super) fn is_telling(text: &[u8]) -> bool {
    FINDER.as_ref().is_none_or(|finder| finder.is_match(text))
}
