//! The guard (`assets/guard`) under a real Python, against the stand-in for PyTorch in `tests/fixtures/guard/torch`.
//! What it does with PyTorch itself is the matter of `assets/guard/tests/run_real.py`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};

use crate::cases::fixtures;

/// What a script did.
pub struct Run {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
    /// The guard's lines.
    pub lines: Vec<Value>,
    pub folder: PathBuf,
}

impl Run {
    #[track_caller]
    pub fn events(&self, event: &str) -> Vec<&Value> {
        let said = |line: &&Value| line["event"] == event;
        self.lines.iter().filter(said).collect()
    }

    /// The only line of its kind.
    #[track_caller]
    pub fn only(&self, event: &str) -> &Value {
        let found = self.events(event);
        assert_eq!(found.len(), 1, "{event} lines in:\n{}", self.err);
        found[0]
    }
}

fn guard() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/guard")
}

/// Whether there is a Python to test with. Where everything must be checked, its absence is a failure.
#[expect(clippy::print_stdout, reason = "a test says here that it was skipped")]
pub fn no_python() -> bool {
    let asked = Command::new("python3")
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let missing = !asked.is_ok_and(|status| status.success());
    if missing {
        assert!(
            std::env::var("CI").as_deref() != Ok("true"),
            "python3 is needed to test the guard: install python3-minimal"
        );
        println!("skipped: there is no python3");
    }
    missing
}

/// Runs `python3 <before> train.py <arguments>` in a new folder that holds `files`, `train.py` among them.
pub fn python(
    files: &[(&str, &str)],
    before: &[&str],
    arguments: &[&str],
    variables: &[(&str, &str)],
) -> Run {
    static RUNS: AtomicU32 = AtomicU32::new(0);
    let number = RUNS.fetch_add(1, Ordering::Relaxed);
    let name = format!("assert-doctor-guard-{}-{number}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    for (file, text) in files {
        let path = folder.join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    // Last, what a folder of the user's own on the path would be.
    let paths = [guard(), fixtures().join("guard"), folder.join("site")];
    let mut command = Command::new("python3");
    command
        .args(before)
        .arg("train.py")
        .args(arguments)
        .current_dir(&folder)
        .env("PYTHONPATH", std::env::join_paths(paths).unwrap())
        .env("PYTHONDONTWRITEBYTECODE", "1");
    for name in ["RANK", "WORLD_SIZE", "CUDA_LAUNCH_BLOCKING"] {
        command.env_remove(name);
    }
    command.envs(variables.iter().copied());
    let output = command.output().unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    let lines = err
        .lines()
        .filter_map(|line| line.strip_prefix("[assert-doctor] "))
        .map(|json| serde_json::from_str(json).unwrap())
        .collect();
    let out = String::from_utf8(output.stdout).unwrap();
    Run {
        code: output.status.code(),
        out,
        err,
        lines,
        folder,
    }
}

pub const GUARDED: (&str, &str) = ("ASSERT_DOCTOR_GUARD", "1");

pub fn guarded(script: &str) -> Run {
    python(&[("train.py", script)], &[], &[], &[GUARDED])
}

pub fn step(statement: &str) -> String {
    format!(
        "import torch, torch.nn as nn, torch.nn.functional as F\nx = torch.zeros(3, 4)\ndef step():\n    {statement}\n\
         try:\n    step()\nfinally:\n    print(torch.kernels, torch.copies)\n"
    )
}

/// The statement is stopped before the operation, with one line that says `expected`, and an error that says it too.
#[track_caller]
fn stopped(statement: &str, expected: &Value) {
    if no_python() {
        return;
    }
    let run = guarded(&step(statement));
    assert_eq!(run.code, Some(1), "{statement}\n{}", run.err);
    assert!(run.out.starts_with("[] "), "{statement} reached the kernel");
    let line = run.only("violation");
    for (field, value) in expected.as_object().unwrap() {
        assert_eq!(&line[field], value, "{statement}: {field}\n{line}");
    }
    assert_eq!(line["line"], 4);
    assert_eq!(line["function"], "step");
    assert_eq!(line["code"], statement);
    assert_eq!(
        line["file"].as_str().map(Path::new),
        Some(run.folder.join("train.py").as_path())
    );
    assert_eq!(line["frames"].as_array().unwrap().len(), 2);
    assert_eq!(line["phase"], "forward");
    let said = format!(
        "AssertDoctorGuardError: {}: ",
        expected["op"].as_str().unwrap()
    );
    assert!(run.err.contains(&said), "{}", run.err);
    assert!(run.err.contains(line["message"].as_str().unwrap()));
}

/// The statement reaches `kernel`, and nothing is said but the start and the summary.
#[track_caller]
fn passes(kernel: &str, statement: &str) {
    if no_python() {
        return;
    }
    let run = guarded(&step(statement));
    assert_eq!(run.code, Some(0), "{statement}\n{}", run.err);
    assert!(
        run.out.starts_with(&format!("['{kernel}']")),
        "{statement}: {}",
        run.out
    );
    let events: Vec<&str> = run
        .lines
        .iter()
        .map(|line| line["event"].as_str().unwrap())
        .collect();
    assert_eq!(events, ["start", "summary"], "{statement}\n{}", run.err);
}

#[test]
fn cross_entropy() {
    stopped(
        "nn.CrossEntropyLoss()(x, torch.tensor([0, 4, -1]))",
        &json!({"op": "cross_entropy", "api": "torch.nn.functional.cross_entropy", "check": "range",
            "what": "target", "value": 4, "index": [1], "lo": 0, "hi": 3, "ignore": -100, "count": 2, "total": 3,
            "values": [[4, 1], [-1, 1]], "shapes": {"input": [3, 4], "target": [3]}, "dtype": "int64",
            "device": "cpu", "size_of": "input.size(1)"}),
    );
    stopped(
        "F.cross_entropy(torch.zeros(1, 4, 2, 2), torch.tensor([[[0, 1], [255, 3]]]))",
        &json!({"op": "cross_entropy", "check": "range", "value": 255, "index": [0, 1, 0], "hi": 3}),
    );
    stopped(
        "F.cross_entropy(x, torch.tensor([0, 1]))",
        &json!({"op": "cross_entropy", "check": "shape", "what": "target", "value": null, "index": null}),
    );
    stopped(
        "F.cross_entropy(x, torch.tensor([0.0, 1.0, 2.0]))",
        &json!({"op": "cross_entropy", "check": "dtype", "what": "target", "dtype": "float32"}),
    );
    // Ignored values, of any size; class probabilities, of any value; a single sample.
    passes(
        "cross_entropy_loss",
        "F.cross_entropy(x, torch.tensor([0, 3, -100]))",
    );
    passes(
        "cross_entropy_loss",
        "nn.CrossEntropyLoss(ignore_index=255)(x, torch.tensor([255, 255, 255]))",
    );
    passes(
        "cross_entropy_loss",
        "F.cross_entropy(x, torch.zeros(3, 4))",
    );
    passes(
        "cross_entropy_loss",
        "F.cross_entropy(torch.zeros(4), torch.tensor(3))",
    );
}

#[test]
fn nll_loss() {
    stopped(
        "F.nll_loss(x, torch.tensor([0, 1, -1]), ignore_index=1)",
        &json!({"op": "nll_loss", "check": "range", "value": -1, "index": [2], "ignore": 1, "count": 1}),
    );
    stopped(
        "F.nll_loss(torch.zeros(1, 4, 2, 2), torch.zeros(1, 2, 3, dtype=torch.int64))",
        &json!({"op": "nll_loss", "check": "shape"}),
    );
    passes(
        "nll_loss_nd",
        "F.nll_loss(x, torch.tensor([0, 1, -1]), ignore_index=-1)",
    );
}

#[test]
fn embedding() {
    stopped(
        "nn.Embedding(10, 2)(torch.tensor([[1, 2], [10, 3]]))",
        &json!({"op": "embedding", "api": "torch.nn.functional.embedding", "what": "input", "value": 10,
            "index": [1, 0], "lo": 0, "hi": 9, "size_of": "weight.size(0)"}),
    );
    // The row of padding is read as well.
    stopped(
        "F.embedding(torch.tensor([-1]), x, padding_idx=2)",
        &json!({"op": "embedding", "value": -1, "hi": 2}),
    );
    passes("embedding", "nn.Embedding(10, 2)(torch.tensor([0, 9]))");
}

#[test]
fn embedding_bag() {
    // The position is told as the user gave it, although it arrives flattened.
    stopped(
        "F.embedding_bag(torch.tensor([[0, 1], [2, 3]]), x)",
        &json!({"op": "embedding_bag", "what": "input", "value": 3, "index": [1, 1], "hi": 2}),
    );
    stopped(
        "F.embedding_bag(torch.tensor([0, 1]), x, torch.tensor([0, 3]))",
        &json!({"op": "embedding_bag", "what": "offsets", "value": 3, "index": [1], "lo": 0, "hi": 2}),
    );
    stopped(
        "F.embedding_bag(torch.tensor([0, 1]), x, torch.tensor([1, 2]))",
        &json!({"op": "embedding_bag", "what": "offsets", "value": 1, "index": [0], "lo": 0, "hi": 0}),
    );
    passes(
        "embedding_bag",
        "F.embedding_bag(torch.tensor([0, 2]), x, torch.tensor([0, 2]))",
    );
}

#[test]
fn gather() {
    stopped(
        "torch.gather(x, 1, torch.tensor([[0], [4]]))",
        &json!({"op": "gather", "api": "torch.gather", "value": 4, "index": [1, 0], "dim": 1, "lo": 0, "hi": 3}),
    );
    // Unlike an index in brackets it does not count from the end.
    stopped(
        "x.gather(-1, torch.tensor([[-1]]))",
        &json!({"op": "gather", "api": "torch.Tensor.gather", "dim": 1}),
    );
    stopped(
        "x.gather(1, torch.tensor([[0], [0], [0], [0]]))",
        &json!({"op": "gather", "check": "shape", "what": "index", "dim": 0}),
    );
    stopped(
        "x.gather(1, torch.tensor([0]))",
        &json!({"op": "gather", "check": "shape"}),
    );
    passes(
        "gather",
        "torch.gather(x, dim=1, index=torch.tensor([[3, 3, 3, 3, 3, 0]]))",
    );
}

#[test]
fn scatter() {
    stopped(
        "x.scatter_(0, torch.tensor([[3]]), 1.0)",
        &json!({"op": "scatter", "value": 3, "dim": 0, "hi": 2}),
    );
    stopped(
        "torch.scatter(x, 1, torch.tensor([[0, 1]]), torch.zeros(1, 1))",
        &json!({"op": "scatter", "check": "shape", "dim": 1}),
    );
    passes(
        "scatter_",
        "x.scatter_(1, torch.tensor([[3]]), src=torch.zeros(1, 1))",
    );
    passes("scatter", "x.scatter(1, torch.tensor([[0]]), value=2.0)");
}

#[test]
fn scatter_add() {
    stopped(
        "torch.zeros(4).scatter_add_(0, torch.tensor([0, 4]), torch.zeros(2))",
        &json!({"op": "scatter_add", "api": "torch.Tensor.scatter_add_", "value": 4, "hi": 3}),
    );
    passes(
        "scatter_add",
        "torch.zeros(4).scatter_add(0, torch.tensor([0, 3]), torch.zeros(2))",
    );
}

#[test]
fn index_select() {
    stopped(
        "torch.index_select(x, 0, torch.tensor([0, -1]))",
        &json!({"op": "index_select", "value": -1, "index": [1], "dim": 0, "lo": 0, "hi": 2}),
    );
    passes("index_select", "x.index_select(1, torch.tensor([3]))");
}

#[test]
fn index() {
    stopped(
        "x[torch.tensor([[0], [-4]])]",
        &json!({"op": "index", "api": "torch.Tensor.__getitem__", "value": -4, "index": [1, 0], "dim": 0,
            "lo": -3, "hi": 2, "size_of": "input.size(0)"}),
    );
    stopped(
        "x[torch.tensor([0, 1]), torch.tensor([0, 4])] = 1.0",
        &json!({"op": "index", "api": "torch.Tensor.__setitem__", "value": 4, "dim": 1, "lo": -4, "hi": 3}),
    );
    stopped(
        "x[None, ..., [0, 9]]",
        &json!({"op": "index", "value": 9, "dim": 1}),
    );
    stopped(
        "x[torch.tensor([True, False])]",
        &json!({"op": "index", "check": "shape", "dim": 0}),
    );
    stopped(
        "x.index_put_((None, torch.tensor([4])), x)",
        &json!({"op": "index", "dim": 1, "value": 4}),
    );
    stopped(
        "x.index_add_(0, torch.tensor([-1]), x)",
        &json!({"op": "index", "lo": 0, "value": -1}),
    );
    passes("getitem", "x[torch.tensor([-3, 2])]");
    passes("setitem", "x[torch.tensor([True, False, True]), 1:] = 0.0");
    passes("getitem", "x[..., None, torch.tensor([3])]");
    passes(
        "getitem",
        "x[:, torch.tensor([[False, True, True, True]][0])]",
    );
    // Nothing is selected, so nothing is read.
    passes("getitem", "x[torch.tensor([9]), 2:2]");
    passes("index_fill_", "x.index_fill_(0, torch.tensor([-3]), 1.0)");
}

#[test]
fn one_hot() {
    stopped(
        "F.one_hot(torch.tensor([0, 4]), 4)",
        &json!({"op": "one_hot", "what": "input", "value": 4, "index": [1], "lo": 0, "hi": 3, "size_of": "num_classes"}),
    );
    stopped(
        "F.one_hot(torch.tensor([-1]))",
        &json!({"op": "one_hot", "value": -1, "lo": 0, "hi": null}),
    );
    passes("one_hot", "F.one_hot(torch.tensor([7]))");
    passes("one_hot", "F.one_hot(torch.tensor([3]), num_classes=4)");
}

#[test]
fn binary_cross_entropy() {
    stopped(
        "F.binary_cross_entropy(torch.tensor([0.5, 1.5]), torch.tensor([0.0, 1.0]))",
        &json!({"op": "binary_cross_entropy", "check": "range", "what": "input", "value": 1.5, "lo": 0.0, "hi": 1.0}),
    );
    stopped(
        "F.binary_cross_entropy(torch.tensor([0.5, float('nan')]), torch.tensor([0.0, 1.0]))",
        &json!({"op": "binary_cross_entropy", "check": "nan", "what": "input", "value": "NaN", "index": [1], "values": [["NaN", 1]]}),
    );
    stopped(
        "F.binary_cross_entropy(torch.tensor([0.5]), torch.tensor([255.0]))",
        &json!({"op": "binary_cross_entropy", "what": "target", "value": 255.0}),
    );
    passes(
        "binary_cross_entropy",
        "F.binary_cross_entropy(torch.tensor([0.0, 1.0]), torch.tensor([1.0, 0.0]))",
    );
}

#[test]
fn multinomial() {
    for (values, check, value, index) in [
        ("[0.5, -0.5]", "range", json!(-0.5), json!([1])),
        (
            "[[0.5, 0.5], [float('inf'), 0.0]]",
            "range",
            json!("Infinity"),
            json!([1, 0]),
        ),
        ("[float('nan'), 1.0]", "nan", json!("NaN"), json!([0])),
        ("[[0.5, 0.5], [0.0, 0.0]]", "sum", json!(0.0), json!([1])),
    ] {
        stopped(
            &format!("torch.multinomial(torch.tensor({values}), 1)"),
            &json!({"op": "multinomial", "check": check, "what": "input", "value": value, "index": index}),
        );
    }
    passes(
        "multinomial",
        "torch.tensor([0.0, 2.5]).multinomial(2, replacement=True)",
    );
}

#[test]
fn ctc_loss() {
    let call = |targets: &str, lengths: &str, rest: &str| {
        format!(
            "F.ctc_loss(torch.zeros(9, 2, 5), torch.tensor({targets}), (9, 9), {lengths}{rest})"
        )
    };
    stopped(
        &call("[[1, 5, 0], [2, 0, 0]]", "(2, 1)", ""),
        &json!({"op": "ctc_loss", "check": "range", "what": "targets", "value": 5, "index": [0, 1], "lo": 1, "hi": 4}),
    );
    // The blank is no label, wherever it stands; a length is no longer than what it counts.
    stopped(
        &call("[[1, 4, 0], [2, 0, 0]]", "(2, 1)", ", blank=4"),
        &json!({"op": "ctc_loss", "value": 4, "hi": 3}),
    );
    stopped(
        &call("[[1, 2], [2, 0]]", "(3, 1)", ""),
        &json!({"op": "ctc_loss", "what": "target_lengths", "value": 3}),
    );
    stopped(
        &call("[1, 2]", "(2, 1)", ""),
        &json!({"op": "ctc_loss", "check": "shape", "what": "target_lengths"}),
    );
    passes("ctc_loss", &call("[[1, 4, 0], [2, 0, 0]]", "(2, 1)", ""));
    passes("ctc_loss", &call("[1, 4, 2]", "torch.tensor([2, 1])", ""));
}
