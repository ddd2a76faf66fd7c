//! The data check from end to end: what was given → sources → bounds and rules → values → material → findings.

mod options;
mod result;
mod source;

pub use options::{CheckOptions, Given};
pub use result::{Checked, Offender};
pub use source::{Source, SourceKind};
