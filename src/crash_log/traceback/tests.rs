//! Tracebacks in every drawing, whole and damaged.

use super::super::file_ownership::is_library;
use super::super::recognisers::driver::read;
use super::super::{Chain, Facts, LIMITS, MarkKind, Traceback};
use super::*;

/// Frames as `file:line function | code`.
fn frames(traceback: &Traceback) -> Vec<String> {
    traceback
        .frames
        .iter()
        .map(|f| {
            format!(
                "{}:{} {} | {}",
                f.file,
                f.line,
                f.function.as_deref().unwrap_or("-"),
                f.code.as_deref().unwrap_or("-")
            )
        })
        .collect()
}

fn check(text: &str, expected: &[&[&str]], ends: &[Option<&str>]) -> Facts {
    let facts = read(text);
    let found: Vec<Vec<String>> = facts.tracebacks.iter().map(frames).collect();
    assert_eq!(found, expected, "{text}");
    let found: Vec<Option<&str>> = facts
        .tracebacks
        .iter()
        .map(|t| {
            t.error
                .and_then(|e| facts.errors.get(e))
                .map(|e| e.text.as_str())
        })
        .collect();
    assert_eq!(found, ends, "{text}");
    facts
}

#[test]
fn cpython_of_several_versions() {
    check(
        "Traceback (most recent call last):\n  File \"/p/a.py\", line 10, in <module>\n    main()\n  File \"/p/a.py\", line 7, in main\n    y = net(x,\n        ^^^^^^\n            z)\n            ^^\n  File \"/p/b.py\", line 5, in Net.forward\n    return self.w @ x\n           ~~~~~~~^~~\n  [Previous line repeated 996 more times]\nRuntimeError: boom",
        &[&[
            "/p/a.py:10 <module> | main()",
            "/p/a.py:7 main | y = net(x,",
            "/p/b.py:5 Net.forward | return self.w @ x",
        ]],
        &[Some("RuntimeError: boom")],
    );
    check(
        "Traceback (most recent call last):\n  File \"<string>\", line 1, in <module>\n  File \"D:\\p q\\c.py\", line 3\n    x = = 1\n        ^\nSyntaxError: invalid syntax",
        &[&["<string>:1 <module> | -", "D:\\p q\\c.py:3 - | x = = 1"]],
        &[Some("SyntaxError: invalid syntax")],
    );
    check(
        "Traceback (most recent call last):\n  File \"\\\\nas\\share\\c.py\", line 3, in f\n    go()\nmylib.Broken\nnext line",
        &[&["\\\\nas\\share\\c.py:3 f | go()"]],
        &[Some("mylib.Broken")],
    );
}

#[test]
fn damaged_by_pasting() {
    check(
        "Traceback (most recent call last):\nFile \"run.py\", line 4, in <module>\ngo(opts)\nFile \"/p/b.py\", line 43, in epoch\nparts = crit(pred, tgt)\nRuntimeError: CUDA error: device-side assert triggered",
        &[&[
            "run.py:4 <module> | go(opts)",
            "/p/b.py:43 epoch | parts = crit(pred, tgt)",
        ]],
        &[Some(
            "RuntimeError: CUDA error: device-side assert triggered",
        )],
    );
    check(
        "Traceback (most recent call last):\n  File C:\\p\\a.py, line 4, in f\n    go()\nValueError: x",
        &[&["C:\\p\\a.py:4 f | go()"]],
        &[Some("ValueError: x")],
    );
    check(
        "Traceback (most recent call last):\n  File “/p/a.py”, line 4, in f\n    go()\nValueError: x",
        &[&["/p/a.py:4 f | go()"]],
        &[Some("ValueError: x")],
    );
    // From the middle, and without an end.
    check(
        "    y = f(x)\n  File \"/p/a.py\", line 4, in f\n    go()\nValueError: x",
        &[&["/p/a.py:4 f | go()"]],
        &[Some("ValueError: x")],
    );
    check(
        "Traceback (most recent call last):\n  File \"/p/a.py\", line 4, in f\n    go()",
        &[&["/p/a.py:4 f | go()"]],
        &[None],
    );
    // Blank lines doubled, noise between.
    check(
        "Traceback (most recent call last):\n\n  File \"/p/a.py\", line 4, in f\n\n    go()\n\n  3%|▎ | 3/100 [00:01]\nValueError: x",
        &[&["/p/a.py:4 f | go()"]],
        &[Some("ValueError: x")],
    );
    // Glued to a progress bar.
    check(
        "scan: 98%|███| 1206/1232 [Traceback (most recent call last):\n  File \"/p/a.py\", line 4, in f\n    go()\nValueError: x",
        &[&["/p/a.py:4 f | go()"]],
        &[Some("ValueError: x")],
    );
}

#[test]
fn source_text_is_never_an_error() {
    let facts = check(
        "Traceback (most recent call last):\n  File \"/p/a.py\", line 4, in f\n    raise RuntimeError('DataLoader worker (pid(s) {}) exited unexpectedly')\nRuntimeError: DataLoader worker (pid(s) 16732) exited unexpectedly",
        &[&[
            "/p/a.py:4 f | raise RuntimeError('DataLoader worker (pid(s) {}) exited unexpectedly')",
        ]],
        &[Some(
            "RuntimeError: DataLoader worker (pid(s) 16732) exited unexpectedly",
        )],
    );
    assert_eq!(facts.errors.len(), 1);
}

#[test]
fn chains_and_workers() {
    let one = |file: &str| {
        format!(
            "Traceback (most recent call last):\n  File \"{file}\", line 1, in f\n    go()\nValueError: {file}\n"
        )
    };
    let text = format!(
        "{}\nDuring handling of the above exception, another exception occurred:\n\n{}\nThe above exception was the direct cause of the following exception:\n\n{}",
        one("a.py"),
        one("b.py"),
        one("c.py")
    );
    let facts = read(&text);
    let chains: Vec<_> = facts.tracebacks.iter().map(|t| t.chain).collect();
    assert_eq!(
        chains,
        [None, Some(Chain::DuringHandling), Some(Chain::DirectCause)]
    );

    let facts = check(
        "Traceback (most recent call last):\n  File \"t.py\", line 1, in f\n    go()\nKeyError: Caught KeyError in DataLoader worker process 0.\nOriginal Traceback (most recent call last):\n  File \"w.py\", line 2, in g\n    d[k]\nKeyError: 'x'",
        &[&["t.py:1 f | go()"], &["w.py:2 g | d[k]"]],
        &[
            Some("KeyError: Caught KeyError in DataLoader worker process 0."),
            Some("KeyError: 'x'"),
        ],
    );
    let workers: Vec<_> = facts.tracebacks.iter().map(|t| t.in_worker).collect();
    assert_eq!(workers, [false, true]);
}

#[test]
fn interleaved_processes() {
    let facts = check(
        "[rank0]: Traceback (most recent call last):\n[rank1]: Traceback (most recent call last):\n[rank0]:   File \"a.py\", line 1, in f\n[rank1]:   File \"b.py\", line 2, in g\n[rank1]:     other()\n[rank0]:     go()\n[rank1]: KeyError: 1\n[rank0]: ValueError: 0",
        &[&["a.py:1 f | go()"], &["b.py:2 g | other()"]],
        &[Some("ValueError: 0"), Some("KeyError: 1")],
    );
    let sources: Vec<_> = facts.tracebacks.iter().map(|t| t.source.clone()).collect();
    assert_eq!(sources, [Some(Source::Rank(0)), Some(Source::Rank(1))]);

    // Without prefixes: the same program twice, one a little behind.
    let both = &["a.py:1 f | go()", "b.py:2 g | other()"][..];
    check(
        "Traceback (most recent call last):\nTraceback (most recent call last):\n  File \"a.py\", line 1, in f\n  File \"a.py\", line 1, in f\n    go()\n    go()\n  File \"b.py\", line 2, in g\n    other()\n  File \"b.py\", line 2, in g\n    other()\nKeyError: 1\nKeyError: 1",
        &[both, both],
        &[Some("KeyError: 1"), Some("KeyError: 1")],
    );
}

#[test]
fn exception_groups() {
    check(
        "  + Exception Group Traceback (most recent call last):\n  |   File \"a.py\", line 3, in f\n  |     raise ExceptionGroup(\"eg\", es)\n  | ExceptionGroup: eg (1 sub-exception)\n  +-+---------------- 1 ----------------\n    | Traceback (most recent call last):\n    |   File \"b.py\", line 9, in g\n    |     go()\n    | IndexError: Target 5 is out of bounds.\n    +------------------------------------\n",
        &[
            &["a.py:3 f | raise ExceptionGroup(\"eg\", es)"],
            &["b.py:9 g | go()"],
        ],
        &[
            Some("ExceptionGroup: eg (1 sub-exception)"),
            Some("IndexError: Target 5 is out of bounds."),
        ],
    );
}

#[test]
fn loguru_and_better_exceptions() {
    check(
        "2024 | ERROR | __main__:<module>:12 - An error has been caught\nTraceback (most recent call last):\n\n> File \"/p/a.py\", line 12, in <module>\n    main(3)\n    └ <function main at 0x7f>\n\n  File \"/p/a.py\", line 8, in main\n    net(x)\n    │   └ 3\n    └ Net()\n\nRuntimeError: CUDA error: device-side assert triggered",
        &[&["/p/a.py:12 <module> | main(3)", "/p/a.py:8 main | net(x)"]],
        &[Some(
            "RuntimeError: CUDA error: device-side assert triggered",
        )],
    );
}

#[test]
fn notebooks() {
    let facts = check(
        "---------------------------------------------------------------------------\nValueError                                Traceback (most recent call last)\n<ipython-input-21-9b> in <cell line: 4>()\n      5     for xs in dl:\n----> 7         err = ce(out)\n      8         err.backward()\n\n3 frames\n/usr/local/lib/python3.10/dist-packages/torch/nn/functional.py in cross_entropy(input, target)\n-> 3479     return torch._C._nn.cross_entropy_loss(\n   3480         input,\n\nValueError: Expected input batch_size (60) to match target batch_size (10).",
        &[&[
            "<ipython-input-21-9b>:7 <cell line: 4> | err = ce(out)",
            "/usr/local/lib/python3.10/dist-packages/torch/nn/functional.py:3479 cross_entropy | return torch._C._nn.cross_entropy_loss(",
        ]],
        &[Some(
            "ValueError: Expected input batch_size (60) to match target batch_size (10).",
        )],
    );
    let traceback = facts.tracebacks.first().expect("one");
    assert_eq!(
        (traceback.style, traceback.first_line),
        (TracebackStyle::Notebook, 1)
    );
    check(
        "RuntimeError                              Traceback (most recent call last)\nCell In[5], line 3\n      1 x = 1\n----> 3 net(x)\n\nFile ~/env/lib/python3.11/site-packages/torch/nn/modules/module.py:1511, in Module._wrapped_call_impl(self, *args)\n   1509     return self._compiled_call_impl(*args)\n-> 1511     return self._call_impl(*args)\n\nRuntimeError: CUDA error: device-side assert triggered\nCUDA kernel errors might be asynchronously reported at some other API call",
        &[&[
            "Cell In[5]:3 - | net(x)",
            "~/env/lib/python3.11/site-packages/torch/nn/modules/module.py:1511 Module._wrapped_call_impl | return self._call_impl(*args)",
        ]],
        &[Some(
            "RuntimeError: CUDA error: device-side assert triggered",
        )],
    );
}

#[test]
fn rich_boxes() {
    let facts = check(
        "╭───────── Traceback (most recent call last) ─────────╮\n│ /p/infer.py:140 in main                             │\n│                                                     │\n│   138 │   ids = build()                             │\n│ ❱ 140 │   reply = go(ids)                           │\n│                                                     │\n│ /e/lib/python3.10/site-packages/t/g/utils.py:320 │\n│ 6 in _sample                                        │\n│                                                     │\n│ ❱ 3206 │   torch.multinomial(probs)                 │\n╰─────────────────────────────────────────────────────╯\nRuntimeError: CUDA error: device-side assert triggered",
        &[&[
            "/p/infer.py:140 main | reply = go(ids)",
            "/e/lib/python3.10/site-packages/t/g/utils.py:3206 _sample | torch.multinomial(probs)",
        ]],
        &[Some(
            "RuntimeError: CUDA error: device-side assert triggered",
        )],
    );
    assert_eq!(
        facts.tracebacks.first().map(|t| t.style),
        Some(TracebackStyle::Rich)
    );
}

#[test]
fn whose_file() {
    let check = |file: &str, library: bool| assert_eq!(is_library(file), library, "{file}");
    for file in [
        "/home/u/miniconda3/envs/x/lib/python3.10/site-packages/torch/_tensor.py",
        "/usr/local/lib/python3.10/dist-packages/torch/nn/functional.py",
        "/usr/lib/python3.8/threading.py",
        "/opt/conda/lib/python3.7/runpy.py",
        "C:\\Users\\u\\AppData\\Local\\Programs\\Python\\Python310\\lib\\threading.py",
        "D:\\anaconda3\\envs\\yolo\\lib\\multiprocessing\\spawn.py",
        "C:\\ProgramData\\Anaconda3\\lib\\runpy.py",
        "F:\\x\\venv\\Lib\\site-packages\\torch\\_tensor.py",
        "D:\\ComfyUI\\python_embeded\\Lib\\site-packages\\triton\\compiler.py",
        "<frozen importlib._bootstrap>",
        "<string>",
        "<__array_function__ internals>",
        "torch/nn/modules/module.py",
        "/tmp/torchinductor_u/ab/cab.py",
        "/home/u/miniconda3/envs/eval/bin/lm_eval",
        "~/anaconda3/lib/python3.9/site-packages/x.py",
    ] {
        check(file, true);
    }
    for file in [
        "D:\\projects\\site\\x.py",
        "/home/u/dist/train.py",
        "/home/u/python3-project/lib/net.py",
        "/home/u/lib/net.py",
        "/home/user/transformers/src/transformers/trainer.py",
        "train.py",
        "tools/train.py",
        "<stdin>",
        "<ipython-input-5-0a>",
        "Cell In[5]",
        "C:\\ai\\sd-webui\\modules\\ui.py",
        "D:\\学习\\项目\\train.py",
        "/kaggle/working/train.py",
        "C:\\Users\\python\\work\\train.py",
    ] {
        check(file, false);
    }
}

#[test]
fn marks_never_overlap_and_fold_libraries() {
    let facts = read(
        "Traceback (most recent call last):\n  File \"/p/a.py\", line 1, in f\n    go()\n  File \"/e/site-packages/t.py\", line 2, in g\n    x()\n  File \"/e/site-packages/u.py\", line 3, in h\n    y()\nValueError: x\nframe #0: c10::Error::Error(x) + 0x57 (0x7f in /l/libc10.so)\nframe #1: y\n",
    );
    let marks: Vec<_> = facts
        .marks
        .iter()
        .map(|m| (m.kind, *m.lines.start(), *m.lines.end()))
        .collect();
    assert!(marks.contains(&(MarkKind::Traceback, 1, 8)), "{marks:?}");
    assert!(
        marks.contains(&(MarkKind::LibraryFrames, 4, 7)),
        "{marks:?}"
    );
    assert!(
        marks.contains(&(MarkKind::LibraryFrames, 9, 10)),
        "{marks:?}"
    );
    assert!(marks.contains(&(MarkKind::Error, 8, 8)), "{marks:?}");
}

#[test]
fn endless_recursion_and_endless_tracebacks_stay_bounded() {
    let frames: Vec<String> = (0..2_000)
        .map(|i| format!("  File \"/p/a.py\", line {i}, in f\n    g()"))
        .collect();
    let text = format!(
        "Traceback (most recent call last):\n{}\nRecursionError: x",
        frames.join("\n")
    );
    let facts = read(&text);
    let frames = &facts.tracebacks.first().expect("one").frames;
    assert_eq!(frames.len(), LIMITS.frames_in_traceback);
    assert_eq!(frames.first().map(|f| f.line), Some(0));
    assert_eq!(frames.last().map(|f| f.line), Some(1_999));

    let many: Vec<String> = (0..1_000)
        .map(|i| format!("Traceback (most recent call last):\n  File \"/p/a.py\", line {i}, in f\n    g()\nValueError: {i}"))
        .collect();
    let facts = read(&many.join("\n"));
    assert!(facts.tracebacks.len() <= LIMITS.tracebacks);
    assert_eq!(
        facts
            .tracebacks
            .first()
            .and_then(|t| t.frames.first())
            .map(|f| f.line),
        Some(0)
    );
    assert_eq!(
        facts
            .tracebacks
            .last()
            .and_then(|t| t.frames.first())
            .map(|f| f.line),
        Some(999)
    );
    for traceback in &facts.tracebacks {
        let error = traceback
            .error
            .and_then(|e| facts.errors.get(e))
            .expect("its error");
        assert_eq!(
            error.text,
            format!(
                "ValueError: {}",
                traceback.frames.first().map_or(0, |f| f.line)
            )
        );
    }
}
