//! What is known of each assertion and error, from `assets/knowledge/*.json`, with texts in English and Chinese.
//!
//! [`catalogue`] parses the files once; [`Catalogue::assertion`] finds what an assertion line means, by file and expression.
//! Line numbers never decide: they move with every release. What happened in one log is for `diagnosis` to say.

mod cause_id;
mod certainty;
mod matching;
mod schema;
mod source_path;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::OnceLock;

use serde::de::DeserializeOwned;

pub use cause_id::CauseId;
pub use certainty::Certainty;
pub use matching::{AssertionMatch, InductorBound, inductor_bound, shows_operation};
pub use schema::{
    AssertionEntry, CauseEntry, Commonness, ErrorEntry, GENERATED_FILE, InputRole, Pattern, Text,
    Topic,
};

use crate::crash_log::ErrorFamily;
use matching::AssertionIndex;

/// Everything that is known, in the order of the files.
#[derive(Debug)]
pub struct Catalogue {
    /// Assertions of PyTorch.
    pub assertions: Vec<AssertionEntry>,
    /// What they mean.
    pub topics: Vec<Topic>,
    /// Error families.
    pub errors: Vec<ErrorEntry>,
    /// Causes, for when nothing more exact is known.
    pub causes: Vec<CauseEntry>,
    topic_by_id: HashMap<String, usize>,
    index: AssertionIndex,
}

/// The catalogue that is built into the program, parsed at the first call.
pub fn catalogue() -> &'static Catalogue {
    static CATALOGUE: OnceLock<Catalogue> = OnceLock::new();
    CATALOGUE.get_or_init(Catalogue::built_in)
}

impl Catalogue {
    fn built_in() -> Self {
        let assertions: Vec<AssertionEntry> = parse(
            "assertions.json",
            include_str!("../../assets/knowledge/assertions.json"),
        );
        let topics: Vec<Topic> = parse(
            "topics.json",
            include_str!("../../assets/knowledge/topics.json"),
        );
        let topic_by_id = topics
            .iter()
            .enumerate()
            .map(|(i, topic)| (topic.id.clone(), i))
            .collect();
        let index = AssertionIndex::new(&assertions);
        Self {
            assertions,
            topics,
            errors: parse(
                "errors.json",
                include_str!("../../assets/knowledge/errors.json"),
            ),
            causes: parse(
                "causes.json",
                include_str!("../../assets/knowledge/causes.json"),
            ),
            topic_by_id,
            index,
        }
    }

    /// What a topic id stands for; `None` for an id that is not in the catalogue.
    pub fn topic(&self, id: &str) -> Option<&Topic> {
        self.topics.get(*self.topic_by_id.get(id)?)
    }

    /// The topic of an assertion.
    pub fn topic_of(&self, entry: &AssertionEntry) -> &Topic {
        self.topic(&entry.topic)
            .expect("a test compares every assertion with the list of topics")
    }

    /// An assertion by its id.
    pub fn assertion_by_id(&self, id: &str) -> Option<&AssertionEntry> {
        self.assertions.iter().find(|entry| entry.id == id)
    }

    /// Words of a source line that show that the operation of this assertion was called.
    pub fn operation_words<'a>(&'a self, entry: &'a AssertionEntry) -> &'a [String] {
        if entry.operation_words.is_empty() {
            &self.topic_of(entry).operation_words
        } else {
            &entry.operation_words
        }
    }

    /// What an error family means.
    pub fn error(&self, family: ErrorFamily) -> &ErrorEntry {
        self.errors
            .iter()
            .find(|entry| entry.id == family)
            .expect("a test compares errors.json with the families")
    }

    /// What is said of a cause where nothing more exact is known.
    pub fn cause(&self, cause: CauseId) -> &CauseEntry {
        self.causes
            .iter()
            .find(|entry| entry.id == cause)
            .expect("a test compares causes.json with the causes")
    }
}

/// Parses a file that is part of the program: a mistake in it is found by the first test, never by a user.
fn parse<T: DeserializeOwned>(file: &str, json: &str) -> Vec<T> {
    match serde_json::from_str(json) {
        Ok(entries) => entries,
        Err(error) => panic!("assets/knowledge/{file}: {error}"),
    }
}
