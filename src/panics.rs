//! What a panic said.

use std::any::Any;

/// The message of a caught panic; empty where it was raised with something else than a text.
pub(crate) fn said(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&'static str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or_default()
}
