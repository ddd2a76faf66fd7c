//! What serde cannot check. Every problem names its file, entry and field.

use std::collections::BTreeSet;

use crate::crash_log::ErrorFamily;
use crate::knowledge::{Catalogue, CauseId, Text, catalogue};

const TITLE_MAX_EN: usize = 90;
const TITLE_MAX_ZH: usize = 40;
const TITLE_BANNED_EN: &[&str] = &["kernel", "block", "thread", "tensor", "stream", "context"];
const TITLE_BANNED_ZH: &[&str] = &["内核", "线程", "张量", "流", "上下文"];

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Title,
    Sentence,
    /// Symbols, the same in every language.
    Range,
}

#[test]
fn every_entry_is_whole() {
    let problems = problems(catalogue());
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

#[test]
fn broken_texts_are_named() {
    let check = |kind: Kind, en: &str, zh_cn: &str, expected: &str| {
        let text = Text {
            en: en.to_owned(),
            zh_cn: zh_cn.to_owned(),
        };
        let found = text_problems("topics.json: class_label: title", kind, &text).join("\n");
        let place = found.is_empty() || found.starts_with("topics.json: class_label: title");
        assert!(
            place && found.contains(expected) && found.is_empty() == expected.is_empty(),
            "{en:?} {zh_cn:?}: {found:?}"
        );
    };
    check(Kind::Title, "A label is out of range", "标签越界", "");
    check(Kind::Range, "0 … size − 1", "0 … size − 1", "");
    check(Kind::Sentence, "", "标签越界", "en: empty");
    check(Kind::Sentence, "Out of range.", " ", "zh-CN: empty");
    check(
        Kind::Title,
        &"a".repeat(91),
        "标签越界",
        "en: 91 characters",
    );
    check(
        Kind::Title,
        "Too long",
        &"长".repeat(41),
        "zh-CN: 41 characters",
    );
    check(
        Kind::Title,
        "A Tensor is broken",
        "标签越界",
        "en: \"tensor\"",
    );
    check(Kind::Title, "Broken", "线程出错", "zh-CN: \"线程\"");
    check(
        Kind::Sentence,
        "Same in both.",
        "Same in both.",
        "zh-CN: no Chinese",
    );
    check(
        Kind::Sentence,
        "Mixed.",
        "检查标签,再检查编号。",
        "zh-CN: half-width ','",
    );
    check(
        Kind::Sentence,
        "Mixed.",
        "检查标签.",
        "zh-CN: half-width '.'",
    );
    check(Kind::Sentence, "标签 in English.", "标签", "en: Chinese");
}

#[test]
#[expect(
    clippy::print_stdout,
    reason = "the figure is for the reader of `--nocapture`"
)]
fn parsing_is_cheap() {
    let start = std::time::Instant::now();
    let parsed = Catalogue::built_in();
    println!(
        "parsed {} assertions in {:?}",
        parsed.assertions.len(),
        start.elapsed()
    );
    assert!(
        start.elapsed() < std::time::Duration::from_secs(1),
        "a debug build on a busy machine included"
    );
}

#[test]
fn text_follows_the_language() {
    let text = Text {
        en: "yes".to_owned(),
        zh_cn: "是".to_owned(),
    };
    for (language, expected) in [("en", "yes"), ("zh-CN", "是"), ("zh", "是"), ("de", "yes")] {
        assert_eq!(text.get(language), expected, "{language}");
    }
}

fn problems(catalogue: &Catalogue) -> Vec<String> {
    let mut problems = Vec::new();
    let mut used_topics = BTreeSet::new();
    for entry in &catalogue.assertions {
        let place = format!("assertions.json: {}", entry.id);
        if entry.expression.is_some() == entry.pattern.is_some() {
            problems.push(format!(
                "{place}: expression, pattern: exactly one is needed"
            ));
        }
        for (field, value) in [
            ("id", &entry.id),
            ("file", &entry.file),
            ("source", &entry.source),
        ] {
            if value.trim().is_empty() {
                problems.push(format!("{place}: {field}: empty"));
            }
        }
        list_problems(&place, "operations", &entry.operations, 1, &mut problems);
        list_problems(
            &place,
            "operation_words",
            &entry.operation_words,
            0,
            &mut problems,
        );
        used_topics.insert(entry.topic.as_str());
        match catalogue.topic(&entry.topic) {
            None => problems.push(format!("{place}: topic: unknown \"{}\"", entry.topic)),
            Some(topic)
                if entry.cause != topic.cause && !topic.also_causes.contains(&entry.cause) =>
            {
                problems.push(format!(
                    "{place}: cause: {} differs from its topic's {}",
                    entry.cause, topic.cause
                ));
            }
            Some(_) => {}
        }
    }
    for topic in &catalogue.topics {
        let place = format!("topics.json: {}", topic.id);
        if topic.shared_with.contains(&topic.cause) {
            problems.push(format!("{place}: shared_with: names its own cause"));
        }
        if !used_topics.contains(topic.id.as_str()) {
            problems.push(format!("{place}: id: no assertion uses it"));
        }
        list_problems(
            &place,
            "operation_words",
            &topic.operation_words,
            0,
            &mut problems,
        );
        list_problems(&place, "similar", &topic.similar, 0, &mut problems);
        snippet_problems(&place, &topic.check, &mut problems);
        let mut texts = vec![
            ("title", Kind::Title, &topic.title),
            ("sentence", Kind::Sentence, &topic.sentence),
            ("next", Kind::Sentence, &topic.next),
        ];
        texts.extend(topic.data.iter().map(|text| ("data", Kind::Sentence, text)));
        texts.extend(topic.range.iter().map(|text| ("range", Kind::Range, text)));
        texts.extend(
            topic
                .operation_note
                .iter()
                .map(|text| ("operation_note", Kind::Sentence, text)),
        );
        texts.extend(
            topic
                .misleading
                .iter()
                .map(|text| ("misleading", Kind::Sentence, text)),
        );
        texts.extend(
            topic
                .other
                .iter()
                .map(|text| ("other", Kind::Sentence, text)),
        );
        fix_problems(&place, &topic.fix, &mut problems);
        problems.extend(texts.iter().flat_map(|(field, kind, text)| {
            text_problems(&format!("{place}: {field}"), *kind, text)
        }));
    }
    for entry in &catalogue.errors {
        let place = format!("errors.json: {}", entry.id.id());
        list_problems(&place, "examples", &entry.examples, 1, &mut problems);
        list_problems(&place, "operations", &entry.operations, 0, &mut problems);
        list_problems(
            &place,
            "operation_words",
            &entry.operation_words,
            0,
            &mut problems,
        );
        snippet_problems(&place, &entry.check, &mut problems);
        let mut texts = vec![
            ("title", Kind::Title, &entry.title),
            ("sentence", Kind::Sentence, &entry.sentence),
            ("next", Kind::Sentence, &entry.next),
            ("as_consequence", Kind::Sentence, &entry.as_consequence),
        ];
        texts.extend(entry.data.iter().map(|text| ("data", Kind::Sentence, text)));
        texts.extend(entry.range.iter().map(|text| ("range", Kind::Range, text)));
        texts.extend(
            entry
                .other
                .iter()
                .map(|text| ("other", Kind::Sentence, text)),
        );
        fix_problems(&place, &entry.fix, &mut problems);
        problems.extend(texts.iter().flat_map(|(field, kind, text)| {
            text_problems(&format!("{place}: {field}"), *kind, text)
        }));
    }
    for entry in &catalogue.causes {
        let place = format!("causes.json: {}", entry.id);
        let mut texts = vec![
            ("title", Kind::Title, &entry.title),
            ("sentence", Kind::Sentence, &entry.sentence),
            ("next", Kind::Sentence, &entry.next),
        ];
        if let Some(named) = &entry.sentence_named {
            texts.push(("sentence_named", Kind::Sentence, named));
            if !(named.en.contains("{name}") && named.zh_cn.contains("{name}")) {
                problems.push(format!("{place}: sentence_named: without {{name}}"));
            }
        }
        fix_problems(&place, &entry.fix, &mut problems);
        problems.extend(texts.iter().flat_map(|(field, kind, text)| {
            text_problems(&format!("{place}: {field}"), *kind, text)
        }));
    }
    let ids = |file: &str, found: Vec<&str>, needed: Vec<&str>, problems: &mut Vec<String>| {
        let mut seen = BTreeSet::new();
        problems.extend(
            found
                .iter()
                .filter(|id| !seen.insert(**id))
                .map(|id| format!("{file}: {id}: id: twice")),
        );
        problems.extend(
            needed
                .iter()
                .filter(|id| !seen.contains(*id))
                .map(|id| format!("{file}: {id}: missing")),
        );
    };
    ids(
        "assertions.json",
        catalogue.assertions.iter().map(|e| e.id.as_str()).collect(),
        Vec::new(),
        &mut problems,
    );
    ids(
        "topics.json",
        catalogue.topics.iter().map(|e| e.id.as_str()).collect(),
        Vec::new(),
        &mut problems,
    );
    let families = ErrorFamily::ALL.iter().map(|family| family.id()).collect();
    ids(
        "errors.json",
        catalogue.errors.iter().map(|e| e.id.id()).collect(),
        families,
        &mut problems,
    );
    let causes = CauseId::ALL.iter().map(|cause| cause.id()).collect();
    ids(
        "causes.json",
        catalogue.causes.iter().map(|e| e.id.id()).collect(),
        causes,
        &mut problems,
    );
    problems
}

/// Problems of one text; `place` is file, entry and field.
fn text_problems(place: &str, kind: Kind, text: &Text) -> Vec<String> {
    let mut problems = Vec::new();
    for (language, value) in [("en", &text.en), ("zh-CN", &text.zh_cn)] {
        if value.trim().is_empty() {
            problems.push(format!("{place}: {language}: empty"));
        } else if value.trim() != value {
            problems.push(format!("{place}: {language}: blanks at an end"));
        }
    }
    if text.en.chars().any(is_han) {
        problems.push(format!("{place}: en: Chinese characters"));
    }
    if kind != Kind::Range && !text.zh_cn.trim().is_empty() && !text.zh_cn.chars().any(is_han) {
        problems.push(format!("{place}: zh-CN: no Chinese characters"));
    }
    let pairs = text.zh_cn.chars().zip(text.zh_cn.chars().skip(1));
    problems.extend(
        pairs
            .filter(|(left, right)| {
                is_han(*left) && matches!(right, ',' | '.' | ';' | ':' | '!' | '?' | '(' | ')')
            })
            .map(|(left, right)| format!("{place}: zh-CN: half-width '{right}' after '{left}'")),
    );
    if kind == Kind::Title {
        for (language, value, longest, banned) in [
            ("en", text.en.to_lowercase(), TITLE_MAX_EN, TITLE_BANNED_EN),
            ("zh-CN", text.zh_cn.clone(), TITLE_MAX_ZH, TITLE_BANNED_ZH),
        ] {
            let length = value.chars().count();
            if length > longest {
                problems.push(format!(
                    "{place}: {language}: {length} characters, at most {longest}"
                ));
            }
            problems.extend(
                banned
                    .iter()
                    .filter(|word| value.contains(**word))
                    .map(|word| format!("{place}: {language}: \"{word}\" is banned")),
            );
            if value.ends_with(['.', '。', '!', '！']) {
                problems.push(format!("{place}: {language}: a title has no full stop"));
            }
        }
    }
    problems
}

fn fix_problems(place: &str, fix: &[Text], problems: &mut Vec<String>) {
    if !(1..=5).contains(&fix.len()) {
        problems.push(format!(
            "{place}: fix: {} entries, 1 to 5 are asked for",
            fix.len()
        ));
    }
    for (i, text) in fix.iter().enumerate() {
        problems.extend(text_problems(
            &format!("{place}: fix[{i}]"),
            Kind::Sentence,
            text,
        ));
    }
}

fn list_problems(
    place: &str,
    field: &str,
    list: &[String],
    least: usize,
    problems: &mut Vec<String>,
) {
    if list.len() < least {
        problems.push(format!(
            "{place}: {field}: {} entries, at least {least} are asked for",
            list.len()
        ));
    }
    let mut seen = BTreeSet::new();
    for value in list {
        if value.trim().is_empty() || !seen.insert(value) {
            problems.push(format!("{place}: {field}: empty or twice: \"{value}\""));
        }
    }
}

/// A snippet prints what it finds, and its brackets are closed.
fn snippet_problems(place: &str, lines: &[String], problems: &mut Vec<String>) {
    if lines.is_empty() {
        return;
    }
    let code = lines.join("\n");
    let balanced = [('(', ')'), ('[', ']'), ('{', '}')]
        .iter()
        .all(|(open, close)| code.matches(*open).count() == code.matches(*close).count());
    let shows_something = code.contains("print(") || code.contains("check_invariants=True");
    if !balanced || !shows_something || !code.is_ascii() {
        problems.push(format!(
            "{place}: check: not a snippet that prints what it finds"
        ));
    }
}

fn is_han(c: char) -> bool {
    matches!(c, '\u{4e00}'..='\u{9fff}' | '\u{3400}'..='\u{4dbf}')
}
