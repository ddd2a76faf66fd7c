//! Glued and broken lines, by example.

use super::*;

fn lines(text: &str) -> Vec<(u64, u64, String)> {
    let mut assembler = Assembler::default();
    for (number, text) in (1..).zip(text.lines()) {
        assembler.segment(Segment {
            text,
            number,
            overdrawn: false,
            woken: true,
        });
    }
    assembler.finish();
    std::iter::from_fn(|| assembler.next_line())
        .map(|line| (line.number, line.last_number, line.text))
        .collect()
}

#[track_caller]
fn check(text: &str, expected: &[(u64, u64, &str)]) {
    let expected: Vec<_> = expected
        .iter()
        .map(|&(first, last, text)| (first, last, text.to_owned()))
        .collect();
    assert_eq!(lines(text), expected, "{text}");
}

fn wrap(text: &str, width: usize) -> String {
    let chars: Vec<char> = text.chars().collect();
    chars
        .chunks(width)
        .map(|piece| piece.iter().collect::<String>() + "\n")
        .collect()
}

const ASSERTION: &str = r#"C:\actions-runner\_work\pytorch\pytorch\builder\windows\pytorch\aten\src\ATen\native\cuda\ScatterGatherKernel.cu:367: block: [0,0,0], thread: [4,0,0] Assertion `idx_dim >= 0 && idx_dim < index_size && "index out of bounds"` failed."#;
const SIGNATURE: &str = "/opt/conda/conda-bld/pytorch_1556653114079/work/aten/src/THCUNN/ClassNLLCriterion.cu:105: void cunn_ClassNLLCriterion_updateOutput_kernel(Dtype *, Dtype *, Dtype *, long *, Dtype *, int, int, int, int, long) [with Dtype = float, Acctype = float]: block: [0,0,0], thread: [3,0,0] Assertion `t >= 0 && t < n_classes` failed.";

#[test]
fn assertions_broken_at_any_width_are_whole_again() {
    for text in [ASSERTION, SIGNATURE] {
        for width in 40..=text.len() {
            let wrapped = wrap(text, width);
            let last = wrapped.lines().count() as u64;
            check(&wrapped, &[(1, last, text)]);
            let twice = format!("before\n{wrapped}{wrapped}after");
            let expected = [
                (1, 1, "before"),
                (2, last + 1, text),
                (last + 2, 2 * last + 1, text),
                (2 * last + 2, 2 * last + 2, "after"),
            ];
            check(&twice, &expected);
        }
    }
}

#[test]
fn words_wrapped_by_a_mail_program() {
    check(
        "> /pytorch/aten/src/ATen/native/cuda/Loss.cu:250: nll_loss: block:\n> [0,0,0], thread: [7,0,0] Assertion `t >= 0 &&\n> t < n_classes` failed.\n> next",
        &[
            (
                1,
                3,
                "/pytorch/aten/src/ATen/native/cuda/Loss.cu:250: nll_loss: block: [0,0,0], thread: [7,0,0] Assertion `t >= 0 && t < n_classes` failed.",
            ),
            (4, 4, "next"),
        ],
    );
}

#[test]
fn lines_that_only_look_alike_stay_apart() {
    for text in [
        "A long line of the log that names the folder /data/experiments/run1 and then goes on with /data/experiments/run2 and /x/y\ncsrc/knn.cu:33: knn: block: [0,0,0], thread: [1,0,0] Assertion `k < n` failed.",
        "A long line of the log that is longer than the next one, took 5 minutes and says that it goes on for 1 h or else for 5 s\ncsrc/knn.cu:33: knn: block: [0,0,0], thread: [1,0,0] Assertion `k < n` failed.",
        "Saving the model to /data/experiments/run1\ncsrc/knn.cu:33: knn: block: [0,0,0], thread: [1,0,0] Assertion `k < n` failed.",
        "Saving the model to /data/experiments/run1\n../aten/src/X.cu:33: knn: block: [0,0,0], thread: [1,0,0] Assertion `k < n` failed.",
        "RuntimeError: cuda runtime error (59) : device-side assert triggered at /pytorch/aten/src/THC/generic/THCTensorMath.cu:26\nnext line of the log",
        "  File \"a.py\", line 3, in f\n    g()\nRuntimeError: x",
        "nvcc -c /home/me/ext/knn.cu\nninja: build stopped",
        "/pytorch/X.cu:1: f: block: [0,0,0], thread: [1,0,0] Assertion `tor\nTraceback (most recent call last):",
    ] {
        let expected: Vec<_> = (1..)
            .zip(text.lines())
            .map(|(number, text)| (number, number, text))
            .collect();
        check(text, &expected);
    }
}

#[test]
fn pieces_of_two_ranks_are_no_line() {
    check(
        "[rank0]: /pytorch/aten/X.cu:1: f: block: [0,0,0], thread: [1,0,0]\n[rank1]: Assertion `x` failed.",
        &[
            (
                1,
                1,
                "/pytorch/aten/X.cu:1: f: block: [0,0,0], thread: [1,0,0]",
            ),
            (2, 2, "Assertion `x` failed."),
        ],
    );
}

#[test]
fn file_lines_and_then_others_at_the_same_width() {
    let file = r#"  File "C:\Users\somebody\anaconda3\envs\train\lib\site-packages\torch\nn\modules\module.py", line 1501, in _call_impl"#;
    let error = "RuntimeError: CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate(handle)`";
    let text = format!("{}{}{}", wrap(file, 80), wrap(file, 80), wrap(error, 80));
    check(&text, &[(1, 2, file), (3, 4, file), (5, 6, error)]);
}

#[test]
fn powershell_error_records_are_skipped() {
    for (first, second) in [
        ("At line:1 char:1", "+ python a.py > run.txt 2>&1"),
        ("所在位置 行:1 字符: 1", "+ python a.py > run.txt 2>&1"),
    ] {
        let text = format!(
            "python : Traceback (most recent call last):\n{first}\n{second}\n+ ~~~~~~~~~~\n    + CategoryInfo          : NotSpecified: (Traceback (most recent call last)::String) [], RemoteEx \n   ception\n    + FullyQualifiedErrorId : NativeCommandError\n \n  File \"a.py\", line 1, in <module>"
        );
        check(
            &text,
            &[
                (1, 1, "Traceback (most recent call last):"),
                (9, 9, "  File \"a.py\", line 1, in <module>"),
            ],
        );
    }
}

#[test]
fn glued_lines_are_cut() {
    check(
        "98%|███| 1206/1232 [Traceback (most recent call last):\n(W pid=5) A.(W pid=5)   B",
        &[
            (1, 1, "98%|███| 1206/1232 ["),
            (1, 1, "Traceback (most recent call last):"),
            (2, 2, "A."),
            (2, 2, "  B"),
        ],
    );
    check(
        "2024-09-10 14:02:11 ERROR Traceback (most recent call last):\n2024-09-10 14:02:11 ERROR   File \"a.py\", line 1",
        &[
            (1, 1, "Traceback (most recent call last):"),
            (2, 2, "  File \"a.py\", line 1"),
        ],
    );
    for text in [
        "Original Traceback (most recent call last):",
        "  + Exception Group Traceback (most recent call last):",
        "RuntimeError      Traceback (most recent call last)",
    ] {
        check(text, &[(1, 1, text)]);
    }
}
