//! Lines of the guard through the whole scanner.

use crate::crash_log::{
    ErrorFamily, Facts, GuardCheck, GuardFacts, GuardNumber, MarkKind, NotFinite,
    NotUnderstoodReason, Scanner,
};

fn scan(bytes: &[u8]) -> Facts {
    let mut scanner = Scanner::new();
    scanner.push(bytes);
    scanner.finish().0
}

const VIOLATION: &str = r#"[assert-doctor] {"guard":1,"event":"violation","t":12.5,"rank":2,"op":"cross_entropy","api":"torch.nn.functional.cross_entropy","check":"range","what":"target","value":80,"index":[3,17],"dim":null,"lo":0,"hi":79,"ignore":-100,"count":3,"total":512,"values":[[80,2],[81,1]],"shapes":{"input":[4,80,32],"target":[4,32]},"dtype":"int64","device":"cuda:0","size_of":"input.size(1)","message":"target[3, 17] is 80, allowed is 0 to 79 (input.size(1) is 80).","file":"train.py","line":41,"function":"step","code":"loss = F.cross_entropy(out, y)","frames":[{"file":"train.py","line":90,"function":"main","code":"step()"},{"file":"train.py","line":41,"function":"step","code":"loss = F.cross_entropy(out, y)"}],"phase":"forward","training":true}"#;

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

#[test]
fn a_violation_is_read_however_it_stands_in_the_log() {
    let wrapped: String = VIOLATION
        .as_bytes()
        .chunks(120)
        .map(|piece| String::from_utf8_lossy(piece).into_owned() + "\n")
        .collect();
    let quoted = serde_json::to_string(&format!("{VIOLATION}\n")).unwrap_or_default();
    let in_notebook = serde_json::json!({
        "cells": [{ "cell_type": "code", "outputs": [
            { "output_type": "stream", "name": "stderr", "text": ["epoch 1\n", format!("{VIOLATION}\n")] }
        ]}],
        "metadata": {}, "nbformat": 4, "nbformat_minor": 5
    });
    let notebook = serde_json::to_string(&in_notebook).unwrap_or_default();
    for (how, text) in [
        ("plain", format!("epoch 1\n{VIOLATION}\n")),
        ("CR LF", format!("epoch 1\r\n{VIOLATION}\r\n")),
        ("without an end", format!("epoch 1\n{VIOLATION}")),
        ("with a prefix", format!("epoch 1\n[rank2]: {VIOLATION}\n")),
        (
            "behind a bar",
            format!("epoch 1\n\r 2%|▏ | 2/100 [00:01<01:02,  2.33s/it]{VIOLATION}\n"),
        ),
        (
            "before other text",
            format!("epoch 1\n{VIOLATION}next line\n"),
        ),
        ("broken at 120 columns", format!("epoch 1\n{wrapped}more\n")),
        (
            "in a record",
            format!("epoch 1\n{{\"log\":{quoted},\"stream\":\"stderr\"}}\n"),
        ),
        ("in a notebook", notebook),
    ] {
        for bytes in [text.clone().into_bytes(), utf16(&text)] {
            let facts = scan(&bytes);
            assert_eq!(facts.guard.lines, 1, "{how}: {:?}", facts.not_understood);
            let [seen] = facts.guard.violations.as_slice() else {
                panic!("{how}: {:?}", facts.guard)
            };
            assert_eq!(
                (
                    seen.operation.as_str(),
                    seen.check,
                    seen.position().as_deref()
                ),
                ("cross_entropy", GuardCheck::Range, Some("target[3, 17]")),
                "{how}"
            );
            assert_eq!(
                (seen.value, seen.range(), seen.rank),
                (Some(GuardNumber::Int(80)), Some((0, 79)), Some(2)),
                "{how}"
            );
            assert_eq!(
                (seen.frames.len(), seen.place().map(|place| place.line)),
                (2, Some(41)),
                "{how}"
            );
            assert_eq!(seen.shape("input"), Some([4, 80, 32].as_slice()), "{how}");
            assert!(facts.errors.is_empty(), "{how}: {:?}", facts.errors);
            assert!(
                facts
                    .marks
                    .iter()
                    .any(|mark| mark.kind == MarkKind::Guard && mark.index == 0),
                "{how}"
            );
        }
    }
}

#[test]
fn a_cut_line_is_told() {
    for cut in [60, 200, 500] {
        let text = format!(
            "epoch 1\n{}\nTraceback (most recent call last):\n",
            &VIOLATION[..cut]
        );
        let facts = scan(text.as_bytes());
        assert!(facts.guard.violations.is_empty(), "{cut}");
        let told = facts
            .not_understood
            .iter()
            .find(|entry| entry.reason == NotUnderstoodReason::GuardLine);
        assert_eq!(
            told.map(|entry| (entry.line, entry.count)),
            Some((2, 1)),
            "{cut}"
        );
    }
    // Other programs may print such brackets, and nothing is missed there.
    let facts = scan(b"[assert-doctor] {not json}\n[assert-doctor] {\"other\": 1}\n");
    assert_eq!((facts.guard, facts.not_understood), Default::default());
}

#[test]
fn summaries_are_joined_over_ranks() {
    let summary = |rank: u32, elapsed: f64, calls: u64, max: i64, hi: i64, wait: &str| {
        format!(
            r#"[assert-doctor] {{"guard":1,"event":"summary","rank":{rank},"t":{elapsed},"final":false,"elapsed":{elapsed},"ops":{{"cross_entropy":{{"calls":{calls},"values":{},"min":0,"max":{max},"lo":0,"hi":{hi}}}}},"loader_wait":{wait},"batches":{calls},"memory":{{"allocated":1,"reserved":2,"peak":3,"total":4}}}}"#,
            calls * 10
        ) + "\n"
    };
    let start = r#"[assert-doctor] {"guard":1,"event":"start","t":0.0,"version":"1.0","torch":"2.4.0+cu121","hooks":["cross_entropy"],"launch_blocking":false,"cpu":false,"workers":null,"world":2}"#;
    let note =
        r#"[assert-doctor] {"guard":1,"event":"note","t":0.1,"id":"hook-missing","op":"ctc_loss"}"#;
    let text = format!(
        "{start}\n{note}\n{note}\n{}{}{}{}",
        summary(0, 5.0, 10, 7, 9, "0.5"),
        summary(1, 5.1, 11, 8, 9, "0.75"),
        summary(0, 10.0, 20, 9, 9, "0.25"),
        r#"[assert-doctor] {"guard":1,"event":"summary","rank":1,"final":true,"elapsed":11,"ops":{"gather":{"calls":1,"values":2,"min":-1.5,"max":"NaN","lo":null,"hi":3}},"future":{"x":[1]}}"#,
    );
    let guard = scan(text.as_bytes()).guard;
    let start = guard.start.clone().unwrap_or_default();
    assert_eq!(
        (start.torch.as_deref(), start.world, start.hooks.len()),
        (Some("2.4.0+cu121"), Some(2), 1)
    );
    assert_eq!(guard.notes.len(), 1);
    let [loss, gather] = guard.operations.as_slice() else {
        panic!("{:?}", guard.operations)
    };
    assert_eq!((loss.calls, loss.values), (31, 310));
    assert_eq!(
        (loss.max, loss.hi),
        (Some(GuardNumber::Int(9)), Some(GuardNumber::Int(9)))
    );
    assert_eq!(gather.max, Some(GuardNumber::NotFinite(NotFinite::Nan)));
    assert_eq!((guard.elapsed, guard.batches), (Some(11.0), Some(20)));
    assert_eq!(guard.loader_wait, Some(0.75));
    assert!(guard.final_summary);
    assert_eq!(guard.memory.len(), 3);
    assert_eq!(guard.values(), 312);
}

#[test]
fn hostile_lines_stay_bounded() {
    let mut text = String::new();
    for shape in [
        r#"{"guard":1}"#,
        r#"{"guard":1,"event":7}"#,
        r#"{"guard":"1","event":"start"}"#,
        r#"{"guard":1,"event":"violation"}"#,
        r#"{"guard":1,"event":"violation","op":[],"value":{},"index":"x","frames":[1,{}],"values":[[],1,[1,-1]],"shapes":[1],"lo":99999999999999999999,"hi":1e308}"#,
        r#"{"guard":1,"event":"violation","op":"index","hi":1e999}"#,
        r#"{"guard":1,"event":"summary","ops":[1,2],"elapsed":-1,"loader_wait":7,"memory":5}"#,
        r#"{"guard":1,"event":"start","hooks":{"a":1}}"#,
        r#"{"guard":1,"event":"note"}"#,
    ] {
        text.extend(["[assert-doctor] ", shape, "\n"]);
    }
    text.extend([
        "[assert-doctor] {\"guard\":1,\"x\":",
        &"[".repeat(5_000),
        "\n",
    ]);
    text.extend([
        "[assert-doctor] {\"guard\":1,\"x\":\"",
        &"y".repeat(100_000),
        "\"}\n",
    ]);
    for i in 0..6_000 {
        text.extend([
            &VIOLATION.replace("\"rank\":2", &format!("\"rank\":{i}")),
            "\n[assert-doctor] {\"guard\":1,\"event\":\"memory\",\"name\":\"step\",\"t\":1,\"after\":{\"allocated\":5}}\n",
            &format!("[assert-doctor] {{\"guard\":1,\"event\":\"summary\",\"rank\":{i},\"ops\":{{\"op{i}\":{{\"calls\":1}}}}}}\n"),
            &format!("[assert-doctor] {{\"guard\":1,\"event\":\"note\",\"id\":\"n{i}\"}}\n"),
        ]);
    }
    let facts = scan(text.as_bytes());
    let guard = &facts.guard;
    assert_eq!(guard.violations.len(), GuardFacts::VIOLATIONS);
    assert_eq!(guard.violation_count, 6_002);
    assert!(
        (500..=GuardFacts::MEMORY).contains(&guard.memory.len()),
        "{}",
        guard.memory.len()
    );
    assert!(guard.operations.len() <= 32 && guard.notes.len() <= 64);
    assert!(
        facts
            .not_understood
            .iter()
            .any(|entry| entry.reason == NotUnderstoodReason::GuardLine)
    );
    let kept = serde_json::to_string(&facts).map_or(usize::MAX, |json| json.len());
    assert!(kept < 8_000_000, "{kept}");
}

#[test]
fn facts_come_back_from_json() {
    let text = format!(
        "{VIOLATION}\n{}\n",
        VIOLATION
            .replace("\"value\":80", "\"value\":\"-Infinity\"")
            .replace("\"hi\":79", "\"hi\":0.5")
    );
    let facts = scan(text.as_bytes());
    let json = serde_json::to_string(&facts).unwrap_or_default();
    assert_eq!(serde_json::from_str::<Facts>(&json).ok(), Some(facts));
}

#[test]
fn the_exception_alone_tells_the_violation() {
    let text = r#"Traceback (most recent call last):
  File "train.py", line 90, in <module>
    step(model, batch)
  File "train.py", line 41, in step
    loss = F.cross_entropy(out, y)
  File "/home/u/.venv/lib/python3.11/site-packages/torch/nn/functional.py", line 3479, in cross_entropy
    return torch._C._nn.cross_entropy_loss(
  File "/runs/2026/guard/assert_doctor_guard.py", line 400, in wrapper
    _violate(hook, "range", what)
assert_doctor_guard.AssertDoctorGuardError: cross_entropy: target[3, 17] is 80, allowed is 0 to 79 (input.size(1) is 80).
  called as  torch.nn.functional.cross_entropy
  shapes     input [4, 80, 32], target [4, 32]; target is int64 on cuda:0
  where      train.py:41 in step
"#;
    let facts = scan(text.as_bytes());
    let [seen] = facts.guard.violations.as_slice() else {
        panic!("{:?}", facts.guard)
    };
    assert!(seen.from_exception && facts.guard.lines == 0);
    assert_eq!(
        seen.place().and_then(|place| place.code.as_deref()),
        Some("loss = F.cross_entropy(out, y)")
    );
    assert_eq!((seen.range(), seen.line), (Some((0, 79)), 10));
    assert_eq!(
        facts.errors.first().map(|e| e.family),
        Some(ErrorFamily::GuardCaught)
    );
    // With the guard's own line that one counts.
    let facts = scan(format!("{VIOLATION}\n{text}").as_bytes());
    assert_eq!(
        (facts.guard.violation_count, facts.guard.violations.len()),
        (1, 1)
    );
}
