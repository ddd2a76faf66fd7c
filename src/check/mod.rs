//! The data check from end to end: what was given → sources → bounds and rules → values → material → findings.

mod collector;
mod gather;
mod merge;
mod options;
mod reach;
mod result;
mod rules;
mod run;
mod source;
mod survey;
mod table;
#[cfg(test)]
mod tests;

pub use options::{CheckOptions, Given};
pub use result::{Checked, Offender};
pub use run::{CheckProgress, EveryOffender, run};
pub use source::{Source, SourceId, SourceKind};
pub use survey::survey;
pub use table::{OffenderTable, is_offender_table};
