//! The verdict in words: short, without jargon, and the same in console and window.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use assert_doctor::case::{self, OpenWhat, Origin};
use assert_doctor::knowledge::catalogue;
use assert_doctor::words::{Language, Verdict, Words, verdict};

use crate::cases::log_cases;

/// Words that mean nothing to someone who only wants to train a model.
const BANNED: &[&str] = &[
    "kernel",
    "block",
    "thread",
    "tensor",
    "stream",
    "context",
    "内核",
    "线程",
    "张量",
    "上下文",
];

fn title_faults(title: &str, language: Language) -> Vec<String> {
    let mut faults = Vec::new();
    let most = if language == Language::En { 90 } else { 40 };
    if title.chars().count() > most {
        faults.push(format!(
            "{} characters, at most {most}",
            title.chars().count()
        ));
    }
    let lower = title.to_lowercase();
    faults.extend(
        BANNED
            .iter()
            .filter(|word| lower.contains(*word))
            .map(|word| format!("says {word}")),
    );
    if title.is_empty() || title.contains('{') {
        faults.push("is not a sentence".to_owned());
    }
    faults
}

#[test]
fn the_title_check_can_fail() {
    assert!(!title_faults("A CUDA kernel failed", Language::En).is_empty());
    assert!(!title_faults(&"long ".repeat(30), Language::En).is_empty());
    assert!(title_faults("A label is too large", Language::En).is_empty());
}

#[test]
fn every_title_of_the_knowledge_is_short_and_plain() {
    let mut faults = Vec::new();
    for language in Language::ALL {
        let tag = language.tag();
        let topics = catalogue()
            .topics
            .iter()
            .map(|t| (t.id.clone(), t.title.get(tag).to_owned()));
        let errors = catalogue()
            .errors
            .iter()
            .map(|e| (e.id.id().to_owned(), e.title.get(tag).to_owned()));
        let causes = catalogue()
            .causes
            .iter()
            .map(|c| (c.id.id().to_owned(), c.title.get(tag).to_owned()));
        for (id, title) in topics.chain(errors).chain(causes) {
            faults.extend(
                title_faults(&title, language)
                    .into_iter()
                    .map(|fault| format!("{tag} {id}: {fault}: {title}")),
            );
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

fn verdict_of(bytes: &[u8], language: Language) -> Verdict {
    let what = OpenWhat::Text(Origin::Pasted, Arc::from(bytes));
    let case = case::open(&what, &AtomicBool::new(false), &mut |_| {});
    verdict(&case.logs[0], Words::new(language))
}

#[test]
fn every_log_case_has_a_whole_verdict_in_both_languages() {
    let mut faults = Vec::new();
    for case in log_cases() {
        for language in Language::ALL {
            let verdict = verdict_of(&case.bytes, language);
            let tag = language.tag();
            let mut fault = |what: &str| faults.push(format!("{} {tag}: {what}", case.file));
            for title_fault in title_faults(&verdict.title, language) {
                fault(&title_fault);
            }
            if verdict.next.is_empty() || verdict.sentence.is_empty() {
                fault("sentence or next action missing");
            }
            let mut texts = vec![&verdict.title, &verdict.sentence, &verdict.next];
            texts.extend(verdict.fixes.iter());
            texts.extend(verdict.rows.iter().map(|row| &row.label));
            texts.extend(verdict.remarks.iter().map(|remark| &remark.text));
            for text in texts {
                let han = text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
                if han != (language == Language::ZhCn) {
                    fault(&format!("wrong language: {text}"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}
