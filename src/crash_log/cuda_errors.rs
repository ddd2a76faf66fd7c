//! Which of CUDA's own errors a text names: by its wording, its name or its number.

use std::sync::LazyLock;

use super::error_numbers::leading_int;
use super::error_table::{CUDA_ERRORS, CUDA_WRAPPINGS, CudaError};
use super::word_set::WordSet;

/// The runtime's error in a text, and where its wording begins.
pub(super) fn cuda_error(text: &str) -> Option<(&'static CudaError, usize)> {
    // Case 1: the error's own text, alone where it is unmistakable, else after a wrapping.
    static TEXTS: LazyLock<WordSet> = LazyLock::new(|| {
        let texts = CUDA_ERRORS.iter().map(|error| error.text);
        let words: Vec<&str> = texts.chain(CUDA_WRAPPINGS.iter().copied()).collect();
        WordSet::new(&words)
    });
    if let Some(seen) = TEXTS.sightings(text) {
        let wrapping = (CUDA_ERRORS.len()..CUDA_ERRORS.len() + CUDA_WRAPPINGS.len())
            .filter_map(|word| seen.of(word).map(|(first, _)| first))
            .min();
        for (word, error) in CUDA_ERRORS.iter().enumerate() {
            let Some((first, last)) = seen.of(word) else {
                continue;
            };
            match wrapping {
                _ if error.specific => {
                    return Some((
                        error,
                        wrapping.map_or(first, |wrapping| wrapping.min(first)),
                    ));
                }
                Some(wrapping) if wrapping < last => return Some((error, wrapping)),
                _ => {}
            }
        }
    }
    // Case 2: only the name, as the driver, cupy, numba and C++ programs print it.
    for (prefix, driver) in [("CUDA_ERROR_", true), ("cudaError", false)] {
        for (at, _) in text.match_indices(prefix).take(4) {
            let name = text.get(at + prefix.len()..)?;
            let end = name
                .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
                .unwrap_or(name.len());
            let name = name.get(..end)?;
            let error = CUDA_ERRORS
                .iter()
                .find(|e| !name.is_empty() && name == if driver { e.driver_name } else { e.name });
            if let Some(error) = error {
                return Some((error, at));
            }
        }
    }
    // Case 3: numba's code without a name.
    if let Some(at) = text.find("UNKNOWN_CUDA_ERROR") {
        let code = text
            .split_once('[')
            .and_then(|(_, rest)| leading_int(rest))?;
        let error = CUDA_ERRORS.iter().find(|e| i64::from(e.code) == code)?;
        return Some((error, at));
    }
    None
}

/// The error whose text begins as one does that a console or a collector cut off after `CUDA error: `.
pub(super) fn cut_off_error(wrapped: &str) -> Option<&'static CudaError> {
    /// Shorter beginnings ("an ", "invalid ") tell too little.
    const SHORTEST: usize = 8;
    let (_, message) = wrapped.split_once(": ")?;
    let message = message.trim();
    if message.len() < SHORTEST {
        return None;
    }
    let mut fitting = CUDA_ERRORS.iter().filter(|e| e.text.starts_with(message));
    let first = fitting.next()?;
    fitting
        .all(|error| error.family == first.family)
        .then_some(first)
}

pub(super) fn cuda_code(text: &str, error: &CudaError) -> Option<String> {
    let printed = cuda_code_printed(text)?;
    let known = printed == error.code.to_string()
        || error.old_code.is_some_and(|old| printed == old.to_string());
    known.then_some(printed)
}

pub(super) fn cuda_code_printed(text: &str) -> Option<String> {
    [
        "cuda runtime error (",
        "error=",
        "Cuda failure ",
        "CUDA error code=",
        "CUDA error (",
        "CUDA failure ",
        "cudaSuccess (",
        "CudaAPIError: [",
        "CUDA Runtime API error ",
    ]
    .iter()
    .find_map(|marker| super::error_numbers::int_after(text, marker))
    .map(|code| code.to_string())
}
