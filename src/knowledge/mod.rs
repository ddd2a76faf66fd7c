//! What is known of each assertion and error, from `assets/knowledge/*.json`, with texts in English and Chinese.

mod cause_id;

pub use cause_id::CauseId;
