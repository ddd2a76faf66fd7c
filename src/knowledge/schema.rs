//! The shape of `assets/knowledge/*.json`.
//!
//! Unknown fields are refused, so that a misspelt one is found by the first test and not by a user.
//! What the shape cannot say (lengths, references between files, language) is checked by the tests of this module's parent.

use serde::Deserialize;

use super::CauseId;
use crate::crash_log::ErrorFamily;

/// The value of [`AssertionEntry::file`] of code that `torch.compile` or Triton generated: a `.py` in a cache folder, or no file at all.
pub const GENERATED_FILE: &str = "<generated>";

/// One assertion of PyTorch (`assertions.json`), in the order of the source table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AssertionEntry {
    /// A stable name.
    pub id: String,
    /// The end of the source file's path, or [`GENERATED_FILE`].
    pub file: String,
    /// Where the same check lived in other releases.
    #[serde(default)]
    pub also_files: Vec<String>,
    /// The printed text; `None` where a [`Pattern`] describes it.
    #[serde(default)]
    pub expression: Option<String>,
    /// The printed text, where it is not one fixed text.
    #[serde(default)]
    pub pattern: Option<Pattern>,
    /// The text alone names the cause, whatever the file: other PyTorch files and copies of the code included.
    #[serde(default)]
    pub alone: bool,
    /// The id of a [`Topic`].
    pub topic: String,
    /// What went wrong.
    pub cause: CauseId,
    /// What kind of input is checked.
    pub input_role: InputRole,
    /// How often it is met.
    pub commonness: Commonness,
    /// First release with this text; empty where that is not known.
    #[serde(default)]
    pub since: String,
    /// Last release with this text; empty where the newest still has it.
    #[serde(default)]
    pub until: String,
    /// Operations that run this check, by their Python names.
    pub operations: Vec<String>,
    /// Words of a source line that show the operation; empty where the topic's apply.
    #[serde(default)]
    pub operation_words: Vec<String>,
    /// The condition in Python's words; empty where no input can break it.
    #[serde(default)]
    pub check: String,
    /// Where in PyTorch's sources it stands.
    pub source: String,
}

/// A printed text that is not fixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pattern {
    /// `index out of bounds: 0 <= tmp4 < 32000`.
    InductorBoth,
    /// `index out of bounds: tmp4 < 32000`.
    InductorUpper,
    /// `index out of bounds: 0 <= tmp4`.
    InductorLower,
    /// `int32 overflow detected for operation add`.
    IntegerOverflow,
    /// Any text: the caller's own message.
    AnyText,
    /// No text.
    Empty,
}

/// What kind of input an assertion checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InputRole {
    /// Class labels of a loss.
    ClassTarget,
    /// Predictions of a binary loss.
    BceInput,
    /// Targets of a binary loss.
    BceTarget,
    /// Row numbers of a table.
    EmbeddingIndex,
    /// The index of gather, scatter and the like.
    GatherIndex,
    /// The index of `x[index]` and the like.
    AdvancedIndex,
    /// Weights of a random draw.
    Multinomial,
    /// Other probabilities and rates.
    Probability,
    /// Sizes and counts.
    Shape,
    /// Whatever the program checks itself.
    UserAssert,
    /// None: PyTorch checks itself.
    Internal,
    /// Something else.
    Other,
}

/// How often an assertion is met in public reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Commonness {
    /// Many reports.
    Common,
    /// Some reports.
    Seen,
    /// Hardly any.
    Rare,
}

/// What a group of assertions means for the user (`topics.json`).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Topic {
    /// A stable name.
    pub id: String,
    /// What went wrong.
    pub cause: CauseId,
    /// Causes that single entries of this topic may name instead.
    #[serde(default)]
    pub also_causes: Vec<CauseId>,
    /// Other causes that fail in this very check: where there are any, the check alone makes [`cause`](Self::cause) likely, not certain.
    #[serde(default)]
    pub shared_with: Vec<CauseId>,
    /// Words of a source line that show that this very operation was called; see [`shows_operation`](super::shows_operation).
    #[serde(default)]
    pub operation_words: Vec<String>,
    /// Parts of an expression that make a new spelling in one of this topic's files a good guess.
    #[serde(default)]
    pub similar: Vec<String>,
    /// The verdict in plain words, true for every log that reaches this topic.
    pub title: Text,
    /// What the check means, in a sentence.
    pub sentence: Text,
    /// Whose input is checked.
    #[serde(default)]
    pub data: Option<Text>,
    /// Which range must hold, in symbols.
    #[serde(default)]
    pub range: Option<Text>,
    /// How the operation reads its input.
    #[serde(default)]
    pub operation_note: Option<Text>,
    /// The next action.
    pub next: Text,
    /// Lines of Python that find the offending value, runnable on the CPU.
    #[serde(default)]
    pub check: Vec<String>,
    /// Fixes, likeliest first.
    pub fix: Vec<Text>,
    /// What else it could be.
    #[serde(default)]
    pub other: Vec<Text>,
    /// What usually leads astray.
    #[serde(default)]
    pub misleading: Option<Text>,
}

/// What an error family means for the user (`errors.json`).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ErrorEntry {
    /// The family.
    pub id: ErrorFamily,
    /// What went wrong when this is the log's first failure.
    pub cause: CauseId,
    /// It is raised at the line that the traceback shows.
    pub synchronous: bool,
    /// Real lines, in the wording of several releases.
    pub examples: Vec<String>,
    /// Operations that raise it, by their Python names.
    #[serde(default)]
    pub operations: Vec<String>,
    /// Words of a source line that show that the operation was called.
    #[serde(default)]
    pub operation_words: Vec<String>,
    /// The verdict in plain words.
    pub title: Text,
    /// What it means, in a sentence.
    pub sentence: Text,
    /// Whose input is concerned.
    #[serde(default)]
    pub data: Option<Text>,
    /// Which range must hold, in symbols.
    #[serde(default)]
    pub range: Option<Text>,
    /// The next action.
    pub next: Text,
    /// Lines of Python that help to find it.
    #[serde(default)]
    pub check: Vec<String>,
    /// Fixes, likeliest first.
    pub fix: Vec<Text>,
    /// What else it could be.
    #[serde(default)]
    pub other: Vec<Text>,
    /// What to say of it when it stands after a failed check.
    pub as_consequence: Text,
}

/// What is said of a cause where neither an assertion nor an error entry applies (`causes.json`).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CauseEntry {
    /// The cause.
    pub id: CauseId,
    /// The verdict in plain words.
    pub title: Text,
    /// What it means, in a sentence.
    pub sentence: Text,
    /// The same with `{name}` for the library or framework, for when its name is known.
    #[serde(default)]
    pub sentence_named: Option<Text>,
    /// The next action.
    pub next: Text,
    /// Fixes, likeliest first.
    pub fix: Vec<Text>,
}

/// A text in both languages.
#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Text {
    /// English.
    pub en: String,
    /// Simplified Chinese.
    #[serde(rename = "zh-CN")]
    pub zh_cn: String,
}

impl Text {
    /// The text in a language (`"zh-CN"`, `"zh"`…); English for every other tag.
    pub fn get(&self, language: &str) -> &str {
        if language.starts_with("zh") {
            &self.zh_cn
        } else {
            &self.en
        }
    }
}
