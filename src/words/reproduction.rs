//! A minimal reproduction in words: what stands around the script.

use super::language::{Arg, Words};
use crate::reproduction::{NoReproduction, Reproduction, WhyNot};

/// What is said around a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReproductionTexts {
    /// Its heading.
    pub title: String,
    /// What it is.
    pub sentence: String,
    /// What to expect of it.
    pub expect: String,
    /// What else to know, a sentence each.
    pub notes: Vec<String>,
}

/// What is said around a script.
pub fn reproduction(of: &Reproduction, words: Words) -> ReproductionTexts {
    let message = [("message", Arg::Text(of.expected.as_str()))];
    let (sentence, expect) = if of.fails_on_cpu {
        ("reproduction-sentence", "reproduction-expect")
    } else {
        (
            "reproduction-sentence-names-it",
            "reproduction-expect-print",
        )
    };
    let mut notes = Vec::new();
    if let Some(WhyNot::CtcReadsOn) = of.why_not {
        notes.push(words.text("reproduction-why-ctc"));
    }
    if let Some(version) = of.since {
        notes.push(words.with("reproduction-since", &[("version", Arg::Text(version))]));
    }
    if of.has_stand_ins {
        notes.push(words.text("reproduction-stand-ins"));
    }
    if !of.other_wordings.is_empty() {
        notes.push(words.text("reproduction-other-wordings"));
    }
    ReproductionTexts {
        title: words.text("reproduction-title"),
        sentence: words.text(sentence),
        expect: words.with(expect, &message),
        notes,
    }
}

/// Why there is no script.
pub fn no_reproduction(why: NoReproduction, words: Words) -> String {
    words.text(match why {
        NoReproduction::NothingFailed => "reproduction-none-nothing-failed",
        NoReproduction::NotAValue => "reproduction-none-not-a-value",
        NoReproduction::CheckUnknown => "reproduction-none-check-unknown",
        NoReproduction::OwnCode => "reproduction-none-own-code",
        NoReproduction::OtherFramework => "reproduction-none-other-framework",
        NoReproduction::GpuOnly => "reproduction-none-gpu-only",
        NoReproduction::TooLittleKnown => "reproduction-none-too-little-known",
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduction::{Fault, Known, Operation, of_known};
    use crate::words::Language;

    #[test]
    fn every_reason_has_its_own_text() {
        for language in Language::ALL {
            let words = Words::new(language);
            let mut texts: Vec<String> = NoReproduction::ALL
                .iter()
                .map(|&why| no_reproduction(why, words))
                .collect();
            assert!(texts.iter().all(|text| !text.starts_with("reproduction-")));
            texts.sort();
            texts.dedup();
            assert_eq!(texts.len(), NoReproduction::ALL.len());
        }
    }

    #[track_caller]
    fn check(operation: Operation, argument: &str, expect: &str, notes: &[&str]) {
        let mut known = Known::new(operation, Fault::Range);
        known.argument = Some(argument.to_owned());
        let texts = reproduction(&of_known(&known).unwrap(), Words::new(Language::En));
        assert_eq!(texts.expect, expect);
        for note in notes {
            assert!(
                texts.notes.iter().any(|n| n.contains(note)),
                "{:?}",
                texts.notes
            );
        }
    }

    #[test]
    fn texts_say_what_the_script_does() {
        check(
            Operation::CrossEntropy,
            "target",
            "It ends with: IndexError: Target 5 is out of bounds.",
            &["stand-ins"],
        );
        check(
            Operation::BinaryCrossEntropy,
            "target",
            "It ends with: RuntimeError: all elements of target should be between 0 and 1",
            &["from PyTorch 2.1 on"],
        );
        check(
            Operation::CtcLoss,
            "targets",
            "It prints: labels out of range: [5]",
            &["does not look at the labels"],
        );
        check(
            Operation::EmbeddingBag,
            "input",
            "It ends with: RuntimeError: Index 0 of input takes value 5 which is not in the valid range [0, 5)",
            &["word the message differently"],
        );
    }
}
