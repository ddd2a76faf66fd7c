//! However a log is cut, encoded or broken, its facts are the same.

use std::fs;
use std::path::{Path, PathBuf};

use assert_doctor::crash_log::{
    AssertionGroup, Facts, LineIndex, MarkKind, Scanner, TextEncoding, decode_lines,
};
use proptest::prelude::*;
use serde_json::Value;

fn logs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/logs")
}

fn scan(bytes: &[u8]) -> (Facts, LineIndex) {
    let mut scanner = Scanner::new();
    scanner.push(bytes);
    scanner.finish()
}

/// A log of `expected.json`, its bytes, and what is expected.
fn fixtures() -> Vec<(String, Vec<u8>, Value)> {
    let expected =
        fs::read_to_string(logs().join("expected.json")).expect("the fixtures are there");
    let cases: Vec<Value> = serde_json::from_str(&expected).expect("expected.json is JSON");
    cases
        .into_iter()
        .map(|case| {
            let name = case["file"].as_str().expect("a case has a file").to_owned();
            let bytes = match case["generated_from"].as_str() {
                Some(recipe) => {
                    flood(&fs::read_to_string(logs().join(recipe)).expect("the recipe is there"))
                        .into_bytes()
                }
                None => fs::read(logs().join(&name)).expect("the log is there"),
            };
            (name, bytes, case)
        })
        .collect()
}

/// Writes out a `flood-v1` recipe.
fn flood(recipe: &str) -> String {
    let recipe: Value = serde_json::from_str(recipe).expect("the recipe is JSON");
    assert_eq!(recipe["format"], "flood-v1");
    let texts = |list: &Value| -> Vec<String> {
        list.as_array()
            .into_iter()
            .flatten()
            .filter_map(|text| text.as_str().map(str::to_owned))
            .collect()
    };
    let numbers = |list: &Value| -> Vec<u64> {
        list.as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_u64)
            .collect()
    };
    let mut lines = texts(&recipe["head"]);
    for run in recipe["runs"].as_array().into_iter().flatten() {
        let template = run["template"].as_str().expect("a run has a template");
        let [first, last, step] = numbers(&run["blocks"])[..] else {
            panic!("blocks are first, last, step")
        };
        for block in (first..=last).step_by(step as usize) {
            for warp in numbers(&run["warp_order"]) {
                for thread in warp * 32..warp * 32 + 32 {
                    lines.push(
                        template
                            .replace("{b}", &block.to_string())
                            .replace("{t}", &thread.to_string()),
                    );
                }
            }
        }
    }
    lines.extend(texts(&recipe["tail"]));
    lines.join("\n") + "\n"
}

fn text_of(bytes: &[u8]) -> String {
    if bytes.starts_with(&[0xFF, 0xFE]) {
        return encoding_rs::UTF_16LE.decode(bytes).0.into_owned();
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => text.trim_start_matches('\u{feff}').to_owned(),
        Err(_) => encoding_rs::GBK.decode(bytes).0.into_owned(),
    }
}

fn utf16(text: &str, little: bool, mark: bool) -> Vec<u8> {
    let mark = mark
        .then_some('\u{feff}')
        .into_iter()
        .map(|mark| mark as u16);
    mark.chain(text.encode_utf16())
        .flat_map(|unit| {
            if little {
                unit.to_le_bytes()
            } else {
                unit.to_be_bytes()
            }
        })
        .collect()
}

/// Facts without what belongs to the bytes alone.
fn meaning(mut facts: Facts) -> Facts {
    facts.byte_count = 0;
    facts.encodings.clear();
    facts
}

/// What tells assertion groups apart and how often each was printed.
fn groups(facts: &Facts) -> Vec<(String, u32, Option<String>, String, u64)> {
    facts
        .assertions
        .iter()
        .map(|g: &AssertionGroup| {
            (
                g.file.clone(),
                g.line,
                g.function.clone(),
                g.expression.clone(),
                g.count,
            )
        })
        .collect()
}

#[test]
fn fixtures_have_their_assertions() {
    for (name, bytes, expected) in fixtures() {
        let (facts, _) = scan(&bytes);
        let count: u64 = facts.assertions.iter().map(|group| group.count).sum();
        assert_eq!(Some(count), expected["assert_threads"].as_u64(), "{name}");
        assert_eq!(
            Some(facts.assertions.len() as u64),
            expected["distinct_assertions"].as_u64(),
            "{name}"
        );
        let Some(first) = facts.assertions.first() else {
            assert_eq!(expected["assertion"], "", "{name}");
            continue;
        };
        assert_eq!(expected["assertion"], first.expression.as_str(), "{name}");
        let file = first.file.rsplit(['/', '\\']).next().unwrap_or_default();
        assert_eq!(expected["kernel_file"], file, "{name}");
        if let Some(line) = expected["kernel_line"].as_u64() {
            assert_eq!(u64::from(first.line), line, "{name}");
        }
        let function: Option<String> = first
            .function
            .as_ref()
            .map(|function| function.chars().take(60).collect());
        assert_eq!(
            expected["kernel_function"].as_str(),
            function.as_deref(),
            "{name}"
        );
        let encoding = match expected["encoding"].as_str() {
            Some("utf-8-bom") => TextEncoding::Utf8Bom,
            Some("utf-16le-bom") => TextEncoding::Utf16Le,
            Some("gbk") => TextEncoding::Gbk,
            _ => TextEncoding::Utf8,
        };
        assert_eq!(facts.encodings, [encoding], "{name}");
        assert!(
            !facts.not_understood.iter().any(|entry| entry.count > 0),
            "{name}: {:?}",
            facts.not_understood
        );
    }
}

#[test]
fn harmless_words_are_no_failure() {
    let (facts, _) = scan(
        &fs::read(logs().join("036-healthy-log-with-word-assert.log")).expect("the log is there"),
    );
    assert_eq!(
        facts
            .harmless_asserts
            .iter()
            .map(|harmless| harmless.line)
            .collect::<Vec<_>>(),
        [3, 4]
    );
}

#[test]
fn every_encoding_says_the_same() {
    for (name, bytes, _) in fixtures() {
        let text = text_of(&bytes);
        let expected = meaning(scan(text.as_bytes()).0);
        let check = |bytes: &[u8], encoding: TextEncoding, how: &str| {
            let (facts, index) = scan(bytes);
            assert!(
                facts.encodings == [encoding] || text.is_ascii(),
                "{name} {how}: {:?}",
                facts.encodings
            );
            assert_eq!(facts.byte_count, bytes.len() as u64, "{name} {how}");
            let shown = decode_lines(bytes, &facts.encodings);
            assert_eq!(shown.len() as u64, facts.line_count, "{name} {how}");
            assert_eq!(
                shown,
                decode_lines(text.as_bytes(), &[TextEncoding::Utf8]),
                "{name} {how}"
            );
            for (entry, &offset) in (0_usize..).zip(&index.offsets) {
                let part = bytes.get(offset as usize..).unwrap_or_default();
                let lines = decode_lines(part, &facts.encodings);
                assert_eq!(
                    lines.first(),
                    shown.get(entry * LineIndex::STRIDE as usize),
                    "{name} {how}"
                );
            }
            assert_eq!(meaning(facts), expected, "{name} {how}");
        };
        check(
            &bytes,
            if bytes.starts_with(&[0xFF, 0xFE]) {
                TextEncoding::Utf16Le
            } else if std::str::from_utf8(&bytes).is_ok() {
                TextEncoding::Utf8
            } else {
                TextEncoding::Gbk
            },
            "as it is",
        );
        check(
            &utf16(&text, true, true),
            TextEncoding::Utf16Le,
            "UTF-16LE with mark",
        );
        check(
            &utf16(&text, false, true),
            TextEncoding::Utf16Be,
            "UTF-16BE with mark",
        );
        check(
            &utf16(&text, true, false),
            TextEncoding::Utf16Le,
            "UTF-16LE",
        );
        check(
            &utf16(&text, false, false),
            TextEncoding::Utf16Be,
            "UTF-16BE",
        );
        check(
            &["\u{feff}".as_bytes(), text.as_bytes()].concat(),
            TextEncoding::Utf8Bom,
            "UTF-8 with mark",
        );
        let (gbk, _, broken) = encoding_rs::GBK.encode(&text);
        // Blocks of progress bars are not in the everyday part of GBK, letters alone are not told from Western ones.
        if !broken && text.chars().any(|c| ('\u{4e00}'..'\u{9fff}').contains(&c)) {
            check(&gbk, TextEncoding::Gbk, "GBK");
        }
        for line_end in ["\n", "\r\n"] {
            let other = text.replace("\r\n", "\n").replace('\n', line_end);
            assert_eq!(
                meaning(scan(other.as_bytes()).0),
                expected,
                "{name} {line_end:?}"
            );
        }
    }
}

#[test]
fn lines_broken_at_the_console_width_are_joined() {
    for (name, bytes, _) in fixtures() {
        let text = text_of(&bytes).replace("\r\n", "\n");
        if text.starts_with('{') {
            continue;
        }
        let expected = groups(&scan(text.as_bytes()).0);
        for width in [80, 100, 120] {
            let mut wrapped = String::new();
            for line in text.split_inclusive('\n') {
                let mut column = 0;
                for c in line.chars() {
                    if column == width && !matches!(c, '\n' | '\r') {
                        wrapped.push('\n');
                        column = 0;
                    }
                    wrapped.push(c);
                    column = if c == '\r' { 0 } else { column + 1 };
                }
            }
            assert_eq!(
                groups(&scan(wrapped.as_bytes()).0),
                expected,
                "{name} at {width}\n{wrapped}"
            );
        }
    }
}

fn check_cuts(bytes: &[u8], cuts: &[usize]) {
    let expected = scan(bytes);
    let mut scanner = Scanner::new();
    let (mut rest, mut next) = (bytes, cuts.iter().cycle());
    while !rest.is_empty() {
        let cut = next.next().copied().unwrap_or(1).clamp(1, rest.len());
        scanner.push(&rest[..cut]);
        rest = &rest[cut..];
    }
    assert_eq!(scanner.finish(), expected);
}

/// Asks at some places of a log what is known so far: each time the facts are those of a log that ends there, and asking changes
/// nothing.
#[track_caller]
fn check_so_far(name: &str, bytes: &[u8], places: &[usize]) {
    let mut places: Vec<usize> = places
        .iter()
        .map(|place| place % (bytes.len() + 1))
        .collect();
    places.sort_unstable();
    let mut scanner = Scanner::new();
    let mut at = 0;
    for place in places {
        scanner.push(&bytes[at..place]);
        at = place;
        assert_eq!(
            scanner.so_far(),
            scan(&bytes[..place]).0,
            "{name} at {place}"
        );
    }
    scanner.push(&bytes[at..]);
    assert_eq!(scanner.finish(), scan(bytes), "{name}");
}

/// Pieces of which broken logs are made.
fn fragment() -> impl Strategy<Value = Vec<u8>> {
    let texts = [
        "/opt/conda/aten/src/ATen/native/cuda/Loss.cu:250: f: block: [0,0,0], thread: [1,0,0] Assertion `t >= 0` failed.",
        "C:\\cb\\work\\aten\\src\\X.cu:1: block: [0,0,0], thread: ",
        "[2,0,0] Assertion `a && \"b\"` failed.",
        "[rank0]: ",
        "(W pid=5) ",
        "\n",
        "\r\n",
        "\r",
        "\r\r\n",
        "Traceback (most recent call last):\n",
        "  File \"a.py\", line 3, in f\n",
        "  2%|▏ | 2/100 [00:00<01:47,  4.65it/s",
        "\u{1b}[31m",
        "\u{1b}[0m",
        "&lt;",
        "断言",
        "python : ",
        "At line:1 char:1\r\n",
        "+ x\r\n",
        "    + FullyQualifiedErrorId : NativeCommandError\r\n",
        "\u{feff}",
        "{\"cells\": [",
        "\0",
        "assert",
        "页面文件太小",
    ];
    prop_oneof![
        prop::sample::select(texts.to_vec()).prop_map(|text| text.as_bytes().to_vec()),
        prop::sample::select(texts.to_vec()).prop_map(|text| utf16(text, true, false)),
        prop::sample::select(texts.to_vec())
            .prop_map(|text| encoding_rs::GBK.encode(text).0.into_owned()),
        prop::collection::vec(any::<u8>(), 0..20),
        (1_usize..300).prop_map(|length| vec![b'x'; length]),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn cuts_do_not_matter(fragments in prop::collection::vec(fragment(), 0..60), cuts in prop::collection::vec(1_usize..200, 1..20)) {
        let bytes = fragments.concat();
        check_cuts(&bytes, &cuts);
        let (facts, index) = scan(&bytes);
        prop_assert!(facts.marks.is_sorted_by_key(|mark| *mark.lines.start()));
        let assertions: Vec<_> = facts.marks.iter().filter(|mark| mark.kind == MarkKind::Assertion).collect();
        prop_assert!(assertions.windows(2).all(|two| two[0].lines.end() < two[1].lines.start()));
        prop_assert!(facts.marks.iter().all(|mark| *mark.lines.start() >= 1 && *mark.lines.end() <= facts.line_count));
        prop_assert!(index.offsets.iter().all(|&offset| offset < bytes.len() as u64));
        let _ = decode_lines(&bytes, &facts.encodings);
    }

    #[test]
    fn facts_so_far_are_those_of_the_log_so_far(fragments in prop::collection::vec(fragment(), 0..60), places in prop::collection::vec(any::<usize>(), 1..6)) {
        check_so_far("made of fragments", &fragments.concat(), &places);
    }
}

#[test]
fn facts_of_fixtures_so_far() {
    // Steps of a linear congruential generator: anywhere, and the same at each run.
    let mut random = 7_usize;
    for (name, bytes, _) in fixtures() {
        let places: Vec<usize> = std::iter::repeat_with(|| {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            random >> 33
        })
        .take(if bytes.len() > 100_000 { 3 } else { 12 })
        .collect();
        check_so_far(&name, &bytes, &places);
    }
}

#[test]
fn fixtures_may_be_cut_anywhere() {
    for (_, bytes, _) in fixtures() {
        for cuts in [&[1][..], &[7, 1, 64], &[4096]] {
            check_cuts(&bytes, cuts);
        }
    }
}

#[test]
fn pieces_larger_than_one_read_may_be_cut_anywhere() {
    let (_, log, _) = fixtures()
        .into_iter()
        .find(|(name, ..)| name.starts_with("012"))
        .expect("the log is there");
    let mut bytes = Vec::new();
    while bytes.len() < 900_000 {
        bytes.extend_from_slice(&log);
        bytes.extend_from_slice("训练 dull line\n".as_bytes());
    }
    check_cuts(&bytes, &[100_000, 1, 3, 70_001]);
    check_so_far("pieces", &bytes, &[1, 262_143, 262_144, 262_145, 800_001]);
}
