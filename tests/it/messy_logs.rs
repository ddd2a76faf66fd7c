//! Logs as people have them: behind collectors' prefixes, cut off, wrapped, written as one line, saved from a page. The first
//! cause stays where the log still tells it; where it does not, less is said.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use assert_doctor::case::{self, Case, OpenWhat, Origin};
use assert_doctor::crash_log::TextEncoding;
use assert_doctor::diagnosis::Certainty;

const FAILED_CHECK: &str = r#"Epoch 3: loss 0.71
/pytorch/aten/src/ATen/native/cuda/Indexing.cu:1369: indexSelectLargeIndex: block: [30,0,0], thread: [64,0,0] Assertion `srcIndex < srcSelectDimSize` failed.
/pytorch/aten/src/ATen/native/cuda/Indexing.cu:1369: indexSelectLargeIndex: block: [30,0,0], thread: [65,0,0] Assertion `srcIndex < srcSelectDimSize` failed.
Traceback (most recent call last):
  File "/srv/job/fit.py", line 12, in <module>
    loss.backward()
  File "/opt/py/lib/python3.11/site-packages/torch/_tensor.py", line 521, in backward
    torch.autograd.backward(
RuntimeError: CUDA error: device-side assert triggered
"#;

const OUT_OF_MEMORY: &str = r#"Epoch 3: loss 0.71
Traceback (most recent call last):
  File "/srv/job/fit.py", line 12, in <module>
    main()
  File "/srv/job/fit.py", line 40, in main
    out = net(batch)
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB. GPU 0 has a total capacity of 7.79 GiB
"#;

fn opened(text: &str) -> Case {
    let what = OpenWhat::Text(Origin::Pasted, Arc::from(text.as_bytes()));
    case::open(&what, &AtomicBool::new(false), &mut |_| {})
}

/// The first cause, its certainty and the number of frames of the traceback that belongs to it.
fn told(text: &str) -> (String, Certainty, usize) {
    let opened = opened(text);
    let log = &opened.logs[0];
    let cause = &log.diagnosis.causes[0];
    let frames = log.diagnosis.traceback.as_ref().map_or(0, |reading| {
        log.facts.tracebacks[reading.traceback].frames.len()
    });
    (cause.id.id().to_owned(), cause.certainty, frames)
}

fn assertions(text: &str) -> u64 {
    let case = opened(text);
    case.logs[0].facts.assertions.iter().map(|a| a.count).sum()
}

fn each_line(text: &str, line: impl Fn(usize, &str) -> String) -> String {
    text.lines()
        .enumerate()
        .map(|(index, text)| line(index, text) + "\n")
        .collect()
}

/// Both logs say after the change what they said before.
#[track_caller]
fn check_same(name: &str, change: impl Fn(&str) -> String) {
    for (log, count) in [(FAILED_CHECK, 2), (OUT_OF_MEMORY, 0)] {
        let changed = change(log);
        assert_eq!(told(&changed), told(log), "{name}:\n{changed}");
        assert_eq!(assertions(&changed), count, "{name}:\n{changed}");
    }
}

#[test]
fn the_logs_themselves_are_understood() {
    assert_eq!(
        told(FAILED_CHECK),
        ("embedding_index".to_owned(), Certainty::Certain, 2)
    );
    assert_eq!(
        told(OUT_OF_MEMORY),
        ("oom".to_owned(), Certainty::Certain, 2)
    );
}

#[test]
fn any_prefix_goes_that_the_next_line_has_too() {
    for prefix in [
        ">",
        "> ",
        "# ",
        "// ",
        "* ",
        "ERROR:root:",
        "stderr | ",
        "[worker] ",
        "node-7 > ",
        "2024-05-06T07:08:09.123456Z 01E ",
        "2024-05-06T07:08:09.1234567Z ",
        "2024-05-06T07:08:09+0200 host python[77]: ",
        "trainer-1  | ",
    ] {
        check_same(prefix, |log| {
            each_line(log, |_, line| format!("{prefix}{line}"))
        });
    }
    // Numbered lines come from one process, however many numbers there are.
    check_same("cat -n", |log| {
        each_line(log, |i, line| format!("{:6}\t{line}", i + 8))
    });
    check_same("grep -n", |log| {
        each_line(log, |i, line| format!("{}:{line}", i + 98))
    });
    check_same("grep -n of files", |log| {
        each_line(log, |i, line| format!("out/train.log:{}:{line}", i + 98))
    });
}

#[test]
fn lines_written_as_one_are_taken_apart() {
    check_same("escaped", |log| format!("{log:?}\n"));
    check_same("one record", |log| {
        format!(
            "{}\n",
            serde_json::json!({ "level": "error", "message": log })
        )
    });
    check_same("a record in a record", |log| {
        let inner = serde_json::json!({ "log": log }).to_string();
        format!(
            "{}\n",
            serde_json::json!({ "stream": "stderr", "log": inner })
        )
    });
    check_same("a record a line", |log| {
        each_line(log, |_, line| {
            serde_json::json!({ "log": format!("{line}\n"), "stream": "stderr" }).to_string()
        })
    });
    check_same("blanks for line ends", |log| log.replace('\n', " "));
}

#[test]
fn markup_and_lost_escapes_go() {
    check_same("a page's source", |log| {
        let escaped = log
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;");
        format!(
            "<pre class=\"log\">{}</pre>\n",
            each_line(&escaped, |i, line| {
                format!("<span id=\"L{i}\" style=\"color: red\">{line}</span><br/>")
            })
        )
    });
    for escape in ["?", "\u{fffd}", "^[", "\\x1b", "\u{1b}"] {
        check_same(escape, |log| {
            each_line(log, |_, line| {
                let (start, end) = line.split_at(line.len() / 2);
                format!("{escape}[1;31m{start}{escape}[0m{escape}[32m{end}{escape}[0m")
            })
        });
    }
}

#[test]
fn angle_brackets_of_code_stay() {
    let text = "/srv/x.cu:12: void f<T, a>(T): block: [0,0,0], thread: [0,0,0] Assertion `i < b && b > 0` failed.\n";
    let case = opened(text);
    assert_eq!(
        case.logs[0].facts.assertions[0].expression,
        "i < b && b > 0"
    );
    let frame = "Traceback (most recent call last):\n  File \"<stdin>\", line 1, in <module>\nKeyError: 1\n";
    let case = opened(frame);
    let frame = &case.logs[0].facts.tracebacks[0].frames[0];
    assert_eq!(
        (frame.file.as_str(), frame.function.as_deref()),
        ("<stdin>", Some("<module>"))
    );
}

#[test]
fn a_log_that_breaks_off_says_less_and_nothing_wrong() {
    let end = OUT_OF_MEMORY.find("torch.Out").unwrap_or_default();
    let header = OUT_OF_MEMORY.find("  File").unwrap_or_default();
    for cut in header..end {
        let (id, certainty, _) = told(&OUT_OF_MEMORY[..cut]);
        assert_eq!(
            (id.as_str(), certainty),
            ("python_error", Certainty::Possible),
            "{}",
            &OUT_OF_MEMORY[..cut]
        );
    }
    // Frames alone are printed by healthy programs.
    let frames = "  File \"/srv/a.py\", line 1, in f\n    g()\nEpoch 4: loss 0.1\n";
    assert_eq!(told(frames).0, "none");
}

#[test]
fn messages_cut_off_or_broken_are_known_by_what_is_left() {
    let check = |message: &str, expected: &str| {
        let text = format!(
            "Traceback (most recent call last):\n  File \"/srv/a.py\", line 3, in f\n    y = x.to(dev)\n{message}"
        );
        assert_eq!(told(&text).0, expected, "{message}");
    };
    check(
        "RuntimeError: CUDA error: no kernel image is available for exec",
        "arch_mismatch",
    );
    check(
        "RuntimeError: CUDA error: no kernel image is available for exec\nution on the device\n",
        "arch_mismatch",
    );
    check(
        "RuntimeError: CUDA error: an illegal memory acc",
        "illegal_access",
    );
    check(
        "RuntimeError: CUDA error: device-side assert\ntriggered\n",
        "unknown_assert",
    );
    check(
        "RuntimeError: DataLoader worker (pid(s) 1201) exited\nunexpectedly\n",
        "dataloader_worker_crash",
    );
    // What follows on a line of its own is not part of the message.
    check("ValueError: bad shape\nSaved to /srv/out\n", "python_error");
}

#[test]
fn a_path_broken_after_its_line_number_has_its_blank_again() {
    let text = "/pytorch/aten/src/ATen/native/cuda/Loss.cu:250:\nnll_loss_forward_reduce_cuda_kernel_2d: block: [0,0,0], thread: [3,0,0]\nAssertion `t >= 0 && t < n_classes` failed.\n";
    assert_eq!(told(text).0, "label_out_of_range");
    assert_eq!(assertions(text), 1);
}

#[test]
fn what_came_first_on_one_line_is_known() {
    let nan = "step 7 loss nan\r/pytorch/aten/src/ATen/native/cuda/Loss.cu:92: operator(): block: [0,0,0], thread: [3,0,0] Assertion `input_val >= zero && input_val <= one` failed.\r";
    assert_eq!(told(nan).0, "nan_inputs");
}

#[test]
fn a_stream_is_read_as_a_text_is() {
    let text = format!("{}{FAILED_CHECK}", "epoch 1 loss 0.5\n".repeat(200_000));
    let case = case::open_stream(Origin::Stdin, &mut text.as_bytes(), &AtomicBool::new(false));
    assert_eq!(case.logs[0].facts, opened(&text).logs[0].facts);
    assert_eq!(case.logs[0].facts.encodings, [TextEncoding::Utf8]);
    // It begins as a configuration and ends as a log: the end decides, as it does for a file.
    let printed = format!(
        "{}{FAILED_CHECK}",
        "lr: 0.1\nmodel:\n  depth: 18\n".repeat(9_000)
    );
    let case = case::open_stream(
        Origin::Stdin,
        &mut printed.as_bytes(),
        &AtomicBool::new(false),
    );
    assert_eq!(case.logs.len(), 1);
}
