//! Whole logs through the scanner.

use proptest::prelude::*;

use super::*;
use crate::crash_log::{AssertionForm, MarkKind, Progress, Source, TextEncoding};

fn scan(bytes: &[u8]) -> Facts {
    let mut scanner = Scanner::new();
    scanner.push(bytes);
    scanner.finish().0
}

fn scanner(
    recognisers: Vec<Box<dyn Recogniser + Send>>,
    read_progress: ReadProgress,
    piece: usize,
) -> Scanner {
    let wake = Arc::new(wake_words(&recognisers));
    Scanner::with(recognisers, wake, Some(read_progress), piece)
}

const LOSS: &str = "../aten/src/ATen/native/cuda/Loss.cu:250: nll_loss: block: [0,0,0], thread: [7,0,0] Assertion `t >= 0 && t < n_classes` failed.";

#[test]
fn groups_counts_and_marks() {
    let other = LOSS
        .replace("[7,0,0]", "[9,0,0]")
        .replace("block: [0", "block: [3");
    let text = format!(
        "epoch 1\n{LOSS}\n{other}\n[rank1]: {LOSS}\nTraceback\nunknown:0: block: [0,0,0], thread: [1,0,0] Assertion `i` failed.\n{LOSS}"
    );
    let facts = scan(text.as_bytes());
    let [first, second] = facts.assertions.as_slice() else {
        panic!("{:?}", facts.assertions)
    };
    assert_eq!(
        (first.count, first.blocks, first.threads),
        (4, Some((0, 3)), Some((7, 9)))
    );
    assert_eq!((first.first_line, first.last_line), (2, 7));
    assert_eq!(first.ranks, [Source::Rank(1)]);
    assert_eq!(
        (second.file.as_str(), second.line, second.count),
        ("unknown", 0, 1)
    );
    assert_eq!(facts.line_count, 7);
    let marks: Vec<_> = facts
        .marks
        .iter()
        .map(|m| (m.kind, m.lines.clone(), m.index))
        .collect();
    let kind = MarkKind::Assertion;
    assert_eq!(
        marks,
        [(kind, 2..=4, 0), (kind, 6..=6, 1), (kind, 7..=7, 0)]
    );
    assert_eq!(facts.environment.processes, 1);
}

#[test]
fn printf_variants_count_once() {
    let printf = "[CUDA_KERNEL_ASSERT] /pytorch/Repeat.cu:31: compute: block: [0,0,0], thread: [5,0,0]: Assertion failed: `a == b`: Invalid input! x\n";
    let plain = "/pytorch/Repeat.cu:31: compute: block: [0,0,0], thread: [5,0,0] Assertion `a == b` failed.\n";
    let older = "/pytorch/Repeat.cu:30:compute: block: [0,0,0], thread: [5,0,0] Invalid input! x\n";
    for text in [
        format!("{printf}{plain}{printf}{plain}"),
        format!("{printf}{printf}{plain}{plain}"),
        format!("{older}{older}{plain}{plain}"),
    ] {
        let facts = scan(text.as_bytes());
        let [only] = facts.assertions.as_slice() else {
            panic!("{text}: {:?}", facts.assertions)
        };
        assert_eq!(
            (only.count, only.form, only.expression.as_str()),
            (2, AssertionForm::Printf, "a == b"),
            "{text}"
        );
        assert_eq!(only.message.as_deref(), Some("Invalid input! x"));
    }
}

#[test]
fn device_side_assertion_report() {
    let text = "Looking for device-side assertion failure information...\n2 CUDA device-side assertion failures were found on GPU #0!\nAssertion failure 0\n  GPU assertion failure message = idx < n\n  File containing assertion = /src/k.cu:12\n  Device function containing assertion = kernel\n  Thread ID that failed assertion = [3,0,0]\n  Block ID that failed assertion = [1,0,0]\n  File containing kernel launch = /src/k.cu:90\nAssertion failure 1\n  GPU assertion failure message = idx < n\n  File containing assertion = /src/k.cu:12\n  Device function containing assertion = kernel\n  Thread ID that failed assertion = [4,0,0]\n  Block ID that failed assertion = [2,0,0]\n";
    let facts = scan(text.as_bytes());
    let [only] = facts.assertions.as_slice() else {
        panic!("{:?}", facts.assertions)
    };
    assert_eq!(
        (
            only.file.as_str(),
            only.line,
            only.expression.as_str(),
            only.form
        ),
        ("/src/k.cu", 12, "idx < n", AssertionForm::Dsa)
    );
    assert_eq!(
        (only.count, only.blocks, only.threads),
        (2, Some((1, 2)), Some((3, 4)))
    );
}

#[test]
fn a_flood_is_one_group_and_one_mark() {
    let mut text = String::from("start\r\n");
    for i in 0..50_000 {
        let line = LOSS.replace("[7,0,0]", &format!("[{},0,0]", i % 1024));
        text.extend(["[rank0]: ", line.as_str(), "\r\n"]);
    }
    text += "end\r\n";
    let facts = scan(text.as_bytes());
    assert_eq!((facts.assertions.len(), facts.marks.len()), (1, 1));
    let group = &facts.assertions[0];
    assert_eq!(
        (
            group.count,
            group.threads,
            group.first_line,
            group.last_line
        ),
        (50_000, Some((0, 1023)), 2, 50_001)
    );
    assert_eq!(
        (facts.marks[0].lines.clone(), group.ranks.as_slice()),
        (2..=50_001, [Source::Rank(0)].as_slice())
    );
}

#[test]
fn long_lines_and_many_redraws() {
    // A bar that was redrawn for megabytes, and the assertion glued to its last state.
    let mut text = String::new();
    for i in 0..60_000 {
        text.extend(["\r ", &i.to_string(), "/60000 [00:00<01:47,  4.65it/s]"]);
    }
    text += LOSS;
    let facts = scan(text.as_bytes());
    assert_eq!(
        facts
            .assertions
            .first()
            .map(|g| (g.count, g.first_line, g.file.as_str())),
        Some((1, 1, "../aten/src/ATen/native/cuda/Loss.cu"))
    );
    // A line without an end: only its beginning is read.
    let text = format!("{}{LOSS}\n{LOSS}\n", "x".repeat(3_000_000));
    let facts = scan(text.as_bytes());
    assert_eq!(
        facts.assertions.first().map(|g| (g.count, g.first_line)),
        Some((1, 2))
    );
    let text = format!("{LOSS} {}\n", "x".repeat(3_000_000));
    let facts = scan(text.as_bytes());
    assert_eq!(facts.assertions.first().map(|g| g.count), Some(1));
    assert!(
        facts
            .not_understood
            .iter()
            .any(|n| n.reason == NotUnderstoodReason::LongLine)
    );
}

#[test]
fn pieces_do_not_matter() {
    let broken = |width: usize| -> String {
        LOSS.as_bytes()
            .chunks(width)
            .map(|piece| String::from_utf8_lossy(piece) + "\r\n")
            .collect()
    };
    let text = format!(
        "训练\r\n{}\u{1b}[31mbar\u{1b}[0m\r1\r2\r\n{LOSS}\r\n{LOSS}{LOSS}\n\n{}\n页面 assert\r\n[rank0]: {LOSS}\n",
        "dull line\n".repeat(700),
        broken(50)
    );
    let expected = scan(text.as_bytes());
    assert_eq!(expected.assertions.first().map(|g| g.count), Some(5));
    let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for piece in [64, 65, 97, 256, 1000, 4096] {
        for bytes in [text.as_bytes(), &wide] {
            let mut scanner = scanner(recognisers::all(), progress::read_progress, piece);
            scanner.push(bytes);
            let mut facts = scanner.finish().0;
            facts.encodings.clone_from(&expected.encodings);
            facts.byte_count = expected.byte_count;
            assert_eq!(facts, expected, "{piece}");
        }
    }
}

#[test]
fn progress_is_read_from_the_lines_before_the_failure() {
    fn read(lines: &[String], first: u64, progress: &mut Progress) {
        for (number, line) in (first..).zip(lines) {
            if let Some(epoch) = line.strip_prefix("epoch ") {
                progress.epoch = epoch.trim().parse().ok().map(|epoch| (epoch, None));
                progress.line = Some(number);
            }
        }
    }
    let epochs: Vec<String> = (1..=1000).map(|i| format!("epoch {i}\n")).collect();
    let epochs = epochs.concat();
    for (text, epoch, line) in [
        (format!("{epochs}{LOSS}\nepoch 2000\n"), 1000, 1000),
        (epochs.clone(), 1000, 1000),
        (format!("{epochs}x\repoch 7 \r\n{LOSS}\n"), 7, 1001),
        (
            format!("Traceback (most recent call last):\n{epochs}{LOSS}\n"),
            1000,
            1001,
        ),
    ] {
        for piece in [512, PIECE] {
            let mut scanner = scanner(Vec::new(), read, piece);
            scanner.push(text.as_bytes());
            let progress = scanner.finish().0.progress;
            assert_eq!(
                (progress.epoch, progress.line),
                (Some((epoch, None)), Some(line)),
                "{piece}"
            );
        }
    }
}

#[test]
fn harmless_lines() {
    let facts = scan(b"assert dataset split: ok\nAssertionError: x\ndevice-side assertions: not compiled in\nloss 1\n    assert a\nCUDA error: device-side assert triggered\n");
    let lines: Vec<_> = facts.harmless_asserts.iter().map(|h| h.line).collect();
    assert_eq!(lines, [1, 3, 5]);
}

#[test]
fn notebooks() {
    let text = format!(
        "{{\n\"cells\": [{{\"outputs\": [{{\"text\": [\n\"x\\n\",\n{}\n]}}]}}],\n\"metadata\": {{\"colab\": {{}}}}}}",
        serde_json::to_string(LOSS).unwrap()
    );
    let facts = scan(text.as_bytes());
    assert!(facts.notebook);
    assert_eq!(facts.environment.platform, Platform::Colab);
    assert_eq!(facts.assertions.first().map(|g| g.first_line), Some(4));
    assert_eq!(facts.line_count, 6);
    let broken = &text[..text.len() - 2];
    let facts = scan(broken.as_bytes());
    assert!(!facts.notebook);
    assert_eq!(facts.assertions.len(), 1);
    assert_eq!(
        facts.not_understood.first().map(|n| n.reason),
        Some(NotUnderstoodReason::Notebook)
    );
    assert_eq!(facts.encodings, [TextEncoding::Utf8]);
}

/// Pieces of which messy logs are made, in three encodings.
fn fragment() -> impl Strategy<Value = Vec<u8>> {
    let texts = prop::sample::select(vec![
        LOSS,
        "../aten/src/X.cu:1: f: block: [0,0,0], thread: ",
        "[2,0,0] Assertion `a` failed.",
        "\n",
        "\r\n",
        "\r",
        "[rank0]: ",
        "Traceback (most recent call last):\n  File \"a.py\", line 3, in f\n    x()\nRuntimeError: CUDA error: device-side assert triggered\n",
        "RuntimeError: CUDA out of memory.\n",
        "Epoch 3:  41%|████      | 160/390 [01:22<01:58,  1.94it/s]",
        "python : ",
        "At line:1 char:1\r\n+ python a.py\r\n",
        "\u{1b}[31m",
        "页面文件太小",
        "\u{feff}",
        "\0",
        "dull text, and some more of it\n",
    ]);
    (texts, 0..8_u8).prop_map(|(text, encoding)| match encoding {
        0 => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        1 => encoding_rs::GBK.encode(text).0.into_owned(),
        _ => text.as_bytes().to_vec(),
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pieces_of_any_size_give_the_same(fragments in prop::collection::vec(fragment(), 0..60), piece in 1_usize..2000) {
        let bytes = fragments.concat();
        let mut scanner = scanner(recognisers::all(), progress::read_progress, piece);
        scanner.push(&bytes);
        prop_assert_eq!(scanner.finish().0, scan(&bytes));
    }
}
