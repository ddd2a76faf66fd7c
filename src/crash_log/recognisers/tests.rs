//! The logs of `tests/fixtures/logs`: what their `expected.json` says of the environment, and what failed in each.

use serde_json::Value;

use super::driver::{read, read_with};
use crate::crash_log::file_ownership::has_extension;
use crate::crash_log::{ErrorFamily as F, Facts, Platform};

/// A fixture as text: decoded, without colours, a notebook's outputs in a row.
fn text_of(file: &str) -> Option<String> {
    let path = format!("{}/tests/fixtures/logs/{file}", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(path).ok()?;
    let text = if bytes.starts_with(&[0xff, 0xfe]) {
        encoding_rs::UTF_16LE.decode(&bytes).0
    } else if std::str::from_utf8(&bytes).is_ok() {
        encoding_rs::UTF_8.decode(&bytes).0
    } else {
        encoding_rs::GB18030.decode(&bytes).0
    };
    let text = if has_extension(file, &["ipynb"]) {
        notebook(&serde_json::from_str(&text).ok()?)
    } else {
        text.into_owned()
    };
    Some(without_colours(&text).replace("\r\n", "\n"))
}

fn notebook(notebook: &Value) -> String {
    let mut text = String::new();
    let mut join = |part: &Value, between: &str| {
        for line in part.as_array().into_iter().flatten() {
            text.push_str(line.as_str().unwrap_or(""));
            text.push_str(between);
        }
    };
    for cell in notebook["cells"].as_array().into_iter().flatten() {
        for output in cell["outputs"].as_array().into_iter().flatten() {
            join(&output["text"], "");
            join(&output["traceback"], "\n");
        }
    }
    text
}

fn without_colours(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut clean = parts.next().unwrap_or("").to_owned();
    for part in parts {
        clean.push_str(part.split_once('m').map_or("", |(_, rest)| rest));
    }
    clean
}

fn facts_of(number: &str) -> Facts {
    let case = cases()
        .into_iter()
        .find(|c| c["file"].as_str().is_some_and(|f| f.starts_with(number)))
        .expect("a case");
    read(&text_of(case["file"].as_str().expect("a name")).expect("a file"))
}

fn cases() -> Vec<Value> {
    let path = format!(
        "{}/tests/fixtures/logs/expected.json",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(path).expect("the expectations");
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn environments_are_as_expected() {
    let mut read_any = 0;
    for case in cases() {
        let file = case["file"].as_str().expect("a name");
        // Recipes are expanded by the integration test.
        let Some(text) = text_of(file) else { continue };
        read_any += 1;
        let environment = read(&text).environment;
        assert_eq!(
            environment.launch_blocking,
            case["launch_blocking"].as_bool(),
            "{file}: blocking"
        );
        let platform = match environment.platform {
            Platform::Windows => "windows",
            Platform::Linux => "linux",
            Platform::Wsl => "wsl",
            Platform::Colab => "colab",
            Platform::Macos => "macos",
            Platform::Unknown => "unknown",
        };
        assert_eq!(
            Some(platform),
            case["platform"].as_str(),
            "{file}: platform"
        );
        let printed = (case["torch_version_source"] == "log")
            .then(|| case["torch_version"].as_str().expect("a version"));
        assert_eq!(
            environment.torch.as_ref().map(|t| t.text.as_str()),
            printed,
            "{file}: torch"
        );
    }
    assert!(read_any > 30);
}

#[test]
fn what_failed_and_where() {
    let check = |number: &str, errors: &[F], tracebacks: &[(usize, &str)]| {
        let facts = facts_of(number);
        let found: Vec<F> = facts.errors.iter().map(|e| e.family).collect();
        assert_eq!(found, errors, "{number}");
        let found: Vec<(usize, &str)> = facts
            .tracebacks
            .iter()
            .map(|t| {
                (
                    t.frames.len(),
                    t.frames
                        .last()
                        .and_then(|f| f.function.as_deref())
                        .unwrap_or("-"),
                )
            })
            .collect();
        assert_eq!(found, tracebacks, "{number}");
    };
    check("001", &[F::DeviceAssert], &[(5, "_engine_run_backward")]);
    check("002", &[F::DeviceAssert], &[(3, "one_epoch")]);
    check("003", &[F::DeviceAssert], &[(3, "backward")]);
    check(
        "004",
        &[F::DeviceAssert, F::ChildFailed],
        &[(5, "_convert_to_fp32"), (5, "_convert_to_fp32")],
    );
    check("005", &[F::DeviceAssert], &[(4, "_str_intern")]);
    check("006", &[F::DeviceAssert], &[(5, "_make_causal_mask")]);
    check("007", &[F::ProcessDied], &[]);
    check("008", &[F::Cublas], &[(4, "forward")]);
    check(
        "009",
        &[F::CpuGather, F::DeviceAssert],
        &[(1, "<module>"), (1, "<module>"), (1, "<module>")],
    );
    check("010", &[F::DeviceAssert], &[(5, "scatter_add")]);
    check("011", &[F::DeviceAssert], &[(4, "actions_to_onehot")]);
    check("012", &[F::DeviceAssert], &[(4, "get_pos_mask")]);
    check("013", &[F::DeviceAssert], &[(3, "after_batch")]);
    check("014", &[F::DeviceAssert], &[(6, "<listcomp>")]);
    check("016", &[F::DeviceAssert], &[(2, "loss")]);
    check("017", &[F::DeviceAssert], &[(2, "_sample")]);
    check("018", &[F::DeviceAssert], &[(5, "launcher")]);
    check("019", &[F::DeviceAssert, F::ProcessDied], &[]);
    check("020", &[F::DeviceAssert], &[(3, "__call__")]);
    check("022", &[F::Cudnn], &[(5, "ctc_loss")]);
    check(
        "023",
        &[F::NcclWatchdog, F::NcclWatchdog, F::ChildFailed],
        &[(2, "join")],
    );
    check("024", &[F::NcclWatchdog, F::ChildFailed], &[]);
    check(
        "025",
        &[F::WorkerMemory],
        &[(7, "<module>"), (7, "<module>")],
    );
    check("026", &[F::WorkerMemory], &[(7, "<module>")]);
    check("027", &[F::WorkerExited], &[(5, "_try_get_data")]);
    check("028", &[F::OutOfMemory], &[(3, "forward")]);
    check("029", &[F::NoKernelImage, F::NoKernelImage], &[]);
    check("030", &[F::DriverTooOld], &[(4, "_lazy_init")]);
    check("031", &[F::IllegalAddress], &[(4, "backward")]);
    check("032", &[F::LaunchFailure], &[(3, "<listcomp>")]);
    check("033", &[F::PythonException], &[(3, "<module>")]);
    check(
        "034",
        &[F::CompileFailed, F::CompileFailed, F::CompileFailed],
        &[(2, "make_ir")],
    );
    check("035", &[F::OtherFramework], &[(2, "train")]);
    check("036", &[], &[]);
    check("037", &[F::Shape], &[(4, "cross_entropy")]);
    check("038", &[F::DeviceAssert], &[(4, "cls_part")]);
}

#[test]
fn rows_of_a_broken_path_are_joined() {
    let facts = facts_of("017");
    let frame = facts
        .tracebacks
        .first()
        .and_then(|t| t.frames.last())
        .expect("a frame");
    assert!(frame.file.ends_with("transformers/generation/utils.py"));
    assert_eq!(frame.line, 3206);
    assert!(frame.library);
}

#[test]
fn metrics_before_the_failure() {
    let metrics = facts_of("016").nan_metrics.expect("NaN metrics");
    assert_eq!(
        (metrics.metric.as_str(), metrics.before_failure),
        ("loss_cls", true)
    );
}

/// Beginnings of everything that is recognised: random texts are made of them.
const PIECES: &[&str] = &[
    "Traceback (most recent call last):",
    "  File \"a.py\", line 3, in f",
    "File a.py, line ",
    "    go()",
    "    ^^^",
    "Original ",
    "[rank0]: ",
    "\n",
    "\n",
    "\n",
    "RuntimeError: ",
    "CUDA error: ",
    "device-side assert triggered",
    "out of memory",
    "Tried to allocate 9",
    " GiB",
    " total capacity",
    "index ",
    " is out of bounds for dim",
    "KeyError",
    ": ",
    "terminate called after throwing an instance of '",
    "what():  ",
    "frame #0: x",
    "╭─ Traceback (most recent call last) ─╮",
    "│ a.py:3 in f │",
    "│ ❱ 3 │ x │",
    "╰──╯",
    "ValueError   Traceback (most recent call last)",
    "<ipython-input-5-0a> in f(x)",
    "----> 3 x",
    "Cell In[",
    "5], line 3",
    "  + Exception Group Traceback (most recent call last):",
    "  | ",
    "CUDA_LAUNCH_BLOCKING",
    "=1",
    "$ ",
    "PS C:\\x> ",
    "os.environ['",
    "torch",
    "==",
    "2.1.0",
    ">>> torch.__version__",
    "nan",
    "loss",
    "=",
    "(",
    "num_classes",
    "NVIDIA GeForce RTX ",
    "exit code ",
    "0x",
    "-6",
    "Epoch ",
    "[1/3]",
    "41%|█| 3/9",
    "第",
    "轮",
    "é",
    "🚀",
    "\u{301}",
    "'",
    "\"",
    "[",
    "]",
    "9999999999999999999999",
    "WinError ",
    "[Hint:",
    "(External)",
    "CUDA_ERROR_",
    "Current thread 0x1 (most recent call first):",
    "---------------------------------------------------------------------------",
];

#[test]
fn no_text_is_too_odd() {
    use proptest::prelude::*;
    let piece = prop_oneof![
        4 => proptest::sample::select(PIECES).prop_map(str::to_owned),
        1 => any::<String>(),
    ];
    let text = proptest::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat());
    proptest!(ProptestConfig::with_cases(400), |(text in text)| {
        let facts = read_with(&text, true);
        for traceback in &facts.tracebacks {
            prop_assert!(traceback.error.is_none_or(|error| error < facts.errors.len()));
            prop_assert!(traceback.first_line <= traceback.last_line);
        }
        for pair in facts.tracebacks.windows(2) {
            prop_assert!(pair[0].first_line <= pair[1].first_line);
        }
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        crate::crash_log::progress::read_progress(&lines, 1, &mut crate::crash_log::Progress::default());
    });
}
