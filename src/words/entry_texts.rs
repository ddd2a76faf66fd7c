//! The texts that a cause's knowledge entry has, in one language, whatever kind of entry it is.

use super::language::Words;
use super::run::{exit_meaning, run_ending};
use crate::case::Unfinished;
use crate::diagnosis::{Because, Cause, Entry};
use crate::knowledge::{CauseId, Text, catalogue};
use crate::rerun::{Ending, ExitMeaning};

/// Texts of an assertion's topic, an error family or a cause.
#[derive(Clone, Debug, Default)]
pub(super) struct EntryTexts {
    pub title: String,
    pub sentence: String,
    pub data: Option<String>,
    pub range: Option<String>,
    pub operation_note: Option<String>,
    pub next: String,
    pub check: Option<String>,
    pub fix: Vec<String>,
    pub other: Vec<String>,
    pub misleading: Option<String>,
}

impl EntryTexts {
    /// The texts of a cause, with the library that the log names set in.
    pub(super) fn of(cause: &Cause, words: Words) -> Self {
        let mut texts = match &cause.entry {
            Entry::Assertion(id) => Self::of_assertion(id, words),
            Entry::Error(family) => Some(Self::of_error(*family, words)),
            Entry::Cause(id) => Some(Self::of_cause(*id, words)),
        }
        .unwrap_or_else(|| Self::of_cause(cause.id, words));
        if cause.id == CauseId::PythonError && cause.because == Because::NotInLog {
            // Which error it was is not known: it need not be an ordinary one.
            texts.title = words.text("broken-off-title");
            texts.sentence = words.text("broken-off-sentence");
            texts.next = words.text("broken-off-next");
            texts.fix = vec![words.text("broken-off-record")];
        }
        if let (Entry::Cause(id), Some(library)) = (&cause.entry, &cause.library)
            && let Some(named) = &catalogue().cause(*id).sentence_named
        {
            texts.sentence = named.get(words.language.tag()).replace("{name}", library);
        }
        texts
    }

    /// The texts of a cause by its id alone.
    pub(super) fn of_cause(id: CauseId, words: Words) -> Self {
        let entry = catalogue().cause(id);
        let get = getter(words);
        Self {
            title: get(&entry.title),
            sentence: get(&entry.sentence),
            next: get(&entry.next),
            fix: entry.fix.iter().map(&get).collect(),
            ..Self::default()
        }
    }

    /// The texts of a run whose output shows no failure: how it ended.
    pub(super) fn of_ending(ending: &Ending, words: Words) -> Self {
        let id = match (ending.stopped, ending.code, ending.signal) {
            (true, ..) => "ended-stopped",
            (false, Some(0), _) => "ended-well",
            (false, None, None) => "ended-unknown",
            (false, ..) => "ended-badly",
        };
        let meaning = ending.meaning.filter(|_| !ending.stopped);
        let mut sentences = vec![run_ending(ending, words)];
        sentences.extend(meaning.and_then(|meaning| exit_meaning(meaning, words)));
        let in_native_code = matches!(
            meaning,
            Some(
                ExitMeaning::Aborted
                    | ExitMeaning::SegmentationFault
                    | ExitMeaning::BusError
                    | ExitMeaning::ArithmeticFault
                    | ExitMeaning::IllegalInstruction
                    | ExitMeaning::AccessViolation
            )
        );
        Self {
            title: words.text(&format!("{id}-title")),
            sentence: words.join_sentences(&sentences),
            next: words.text(&format!("{id}-next")),
            fix: (in_native_code.then(|| words.text("ended-faulthandler")))
                .into_iter()
                .collect(),
            ..Self::default()
        }
    }

    /// The texts of the output of a run that has not ended, or nobody knows how.
    pub(super) fn of_unfinished(why: Unfinished, words: Words) -> Self {
        let id = match why {
            Unfinished::Running => "unfinished-running",
            Unfinished::Lost => "unfinished-lost",
        };
        Self {
            title: words.text(&format!("{id}-title")),
            sentence: words.text(&format!("{id}-sentence")),
            next: words.text(&format!("{id}-next")),
            ..Self::default()
        }
    }

    fn of_assertion(id: &str, words: Words) -> Option<Self> {
        let entry = catalogue().assertion_by_id(id)?;
        let topic = catalogue().topic(&entry.topic)?;
        let get = getter(words);
        Some(Self {
            title: get(&topic.title),
            sentence: get(&topic.sentence),
            data: topic.data.as_ref().map(&get),
            range: topic.range.as_ref().map(&get),
            operation_note: topic.operation_note.as_ref().map(&get),
            next: get(&topic.next),
            check: snippet(&topic.check),
            fix: topic.fix.iter().map(&get).collect(),
            other: topic.other.iter().map(&get).collect(),
            misleading: topic.misleading.as_ref().map(&get),
        })
    }

    fn of_error(family: crate::crash_log::ErrorFamily, words: Words) -> Self {
        let entry = catalogue().error(family);
        let get = getter(words);
        Self {
            title: get(&entry.title),
            sentence: get(&entry.sentence),
            data: entry.data.as_ref().map(&get),
            range: entry.range.as_ref().map(&get),
            next: get(&entry.next),
            check: snippet(&entry.check),
            fix: entry.fix.iter().map(&get).collect(),
            other: entry.other.iter().map(&get).collect(),
            ..Self::default()
        }
    }
}

fn getter(words: Words) -> impl Fn(&Text) -> String {
    move |text: &Text| text.get(words.language.tag()).to_owned()
}

fn snippet(lines: &[String]) -> Option<String> {
    (!lines.is_empty()).then(|| lines.join("\n"))
}

impl Words {
    /// Sentences one after the other, spaced as the language does.
    pub(super) fn join_sentences(self, sentences: &[String]) -> String {
        let space = if self.language == super::Language::ZhCn {
            ""
        } else {
            " "
        };
        sentences.join(space)
    }

    /// Names in a row.
    pub fn join_listed(self, names: &[String]) -> String {
        let comma = match self.language {
            super::Language::En => ", ",
            super::Language::ZhCn => "、",
        };
        names.join(comma)
    }

    /// Phrases in a row.
    pub(super) fn join_phrases(self, phrases: &[String]) -> String {
        let comma = if self.language == super::Language::ZhCn {
            "，"
        } else {
            ", "
        };
        phrases.join(comma)
    }

    /// What an error family means when it stands after the first failure.
    pub fn as_consequence(self, family: crate::crash_log::ErrorFamily) -> String {
        let entry = catalogue().error(family);
        entry.as_consequence.get(self.language.tag()).to_owned()
    }
}
