//! Shapes of assertion lines, by example.

use super::*;

/// `file|line|function|expression|block|thread|message` of every assertion in a line.
fn summary(text: &str) -> Vec<String> {
    let number = |n: Option<u32>| n.map_or_else(|| "-".to_owned(), |n| n.to_string());
    find(text)
        .assertions
        .iter()
        .map(|a| {
            format!(
                "{}|{}|{}|{}|{}|{}|{}",
                a.file,
                a.line,
                a.function.unwrap_or("-"),
                a.expression,
                number(a.block),
                number(a.thread),
                a.message.unwrap_or("-"),
            )
        })
        .collect()
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(summary(text), expected, "{text}");
}

#[test]
fn platforms() {
    check(
        "../aten/src/ATen/native/cuda/Loss.cu:250: nll_loss_forward_reduce_cuda_kernel_2d: block: [0,0,0], thread: [7,0,0] Assertion `t >= 0 && t < n_classes` failed.",
        &[
            "../aten/src/ATen/native/cuda/Loss.cu|250|nll_loss_forward_reduce_cuda_kernel_2d|t >= 0 && t < n_classes|0|7|-",
        ],
    );
    check(
        r"C:\actions-runner\_work\pytorch\pytorch\builder\windows\pytorch\aten\src\ATen\native\cuda\NLLLoss2d.cu:106: block: [4,0,0], thread: [580,0,0] Assertion `t >= 0 && t < n_classes` failed.",
        &[
            r"C:\actions-runner\_work\pytorch\pytorch\builder\windows\pytorch\aten\src\ATen\native\cuda\NLLLoss2d.cu|106|-|t >= 0 && t < n_classes|4|580|-",
        ],
    );
    check(
        "C:/cb/pytorch_1000000000000/work\\c10/core/DynamicCast.h:78: block: [38,0,0], thread: [96,0,0] Assertion `false` failed.",
        &["C:/cb/pytorch_1000000000000/work\\c10/core/DynamicCast.h|78|-|false|38|96|-"],
    );
    check(
        "unknown:0: unknown: block: [0,0,0], thread: [128,0,0] Assertion `index out of bounds: 0 <= tmp4 < 32000` failed.",
        &["unknown|0|unknown|index out of bounds: 0 <= tmp4 < 32000|0|128|-"],
    );
    check(
        "/tmp/torchinductor_me/ab/cabxyz.py:31: unknown: block: [3,0,0], thread: [1,0,0] Assertion `index out of bounds: 0 <= tmp4 < 100` failed.",
        &[
            "/tmp/torchinductor_me/ab/cabxyz.py|31|unknown|index out of bounds: 0 <= tmp4 < 100|3|1|-",
        ],
    );
    check(
        "/var/lib/jenkins/pytorch/aten/src/ATen/native/hip/Indexing.hip:1295: indexSelectLargeIndex: Device-side assertion `srcIndex < srcSelectDimSize' failed.",
        &[
            "/var/lib/jenkins/pytorch/aten/src/ATen/native/hip/Indexing.hip|1295|indexSelectLargeIndex|srcIndex < srcSelectDimSize|-|-|-",
        ],
    );
    check(
        "Error: /paddle/paddle/phi/kernels/gpu/cross_entropy_kernel.cu:1008 Assertion `false` failed. The value of label expected >= 0 and < 7, or == -100, but got 15. Please check label value.",
        &[
            "/paddle/paddle/phi/kernels/gpu/cross_entropy_kernel.cu|1008|-|false|-|-|The value of label expected >= 0 and < 7, or == -100, but got 15. Please check label value.",
        ],
    );
}

#[test]
fn functions_with_all_kinds_of_signs() {
    for function in [
        "operator()",
        "lambda [](int)->auto::operator()(int)->auto",
        "void cunn_ClassNLLCriterion_updateOutput_kernel(Dtype *, Dtype *, Dtype *, long *, Dtype *, int, int, int, int, long) [with Dtype = float, Acctype = float]",
        "void at::native::<unnamed>::indexing_kernel<T, IndexType, std::array<char, 4>>(const T *, int64_t)",
        "_assert_async_cuda_kernel",
    ] {
        check(
            &format!(
                "/pytorch/aten/src/X.cu:12: {function}: block: [1,2,3], thread: [4,5,6] Assertion `a` failed."
            ),
            &[&format!("/pytorch/aten/src/X.cu|12|{function}|a|1|4|-")],
        );
    }
}

#[test]
fn expressions_are_kept_as_printed() {
    for expression in [
        "probability tensor contains either `inf`, `nan` or element < 0",
        "idx_dim >= 0 && idx_dim < index_size && \"index out of bounds\"",
        "delta % align == 0 && \"expected multiple of 16\\n\"",
        "",
        "Some bad things happened",
        "threadIdx.x == 0 && block.x == 0",
        "x failed. y",
        "ind >=0 && ind < ind_dim_size && \"vectorized gather kernel index out of bounds\"",
    ] {
        check(
            &format!(
                "a/b/X.cu:1: f: block: [0,0,0], thread: [0,0,0] Assertion `{expression}` failed."
            ),
            &[&format!("a/b/X.cu|1|f|{expression}|0|0|-")],
        );
    }
}

#[test]
fn glued_and_damaged_lines() {
    let tail = "block: [830,0,0], thread: [48,0,0] Assertion `x < y` failed.";
    for (text, file) in [
        (
            "  2%|▏     | 2/100 [00:00<01:47,  4.65it/s/opt/conda/conda-bld/work/X.cu:86: operator(): ",
            "/opt/conda/conda-bld/work/X.cu",
        ),
        (
            "mAP50-95):   0%|    | 1/1534 [00:01<28:22,  1.11s/it]../aten/src/X.cu:92: operator(): ",
            "../aten/src/X.cu",
        ),
        (
            "30%|██▉       | 319/1075 [00:56<02:08, C:/cb/work\\c10/X.h:78: ",
            "C:/cb/work\\c10/X.h",
        ),
        (
            "640:  30%|██▉ | 319/1075 [00:56<02:08, 5.1it/sC:\\cb\\X.cu:78: ",
            "C:\\cb\\X.cu",
        ),
        (
            "2024-09-10 14:02:11,540 - mmengine - ERROR - /pytorch/X.cu:1: f: ",
            "/pytorch/X.cu",
        ),
        (
            "C:\\Users\\John Smith\\my ext\\knn.cu:9: ",
            "C:\\Users\\John Smith\\my ext\\knn.cu",
        ),
        (
            "/home/some one/ext/knn.cu:9: knn: ",
            "/home/some one/ext/knn.cu",
        ),
        ("loss: 0.3 csrc/knn.cu:9: knn: ", "csrc/knn.cu"),
        ("(func pid=12) <stdin>:3: f: ", "<stdin>"),
    ] {
        let text = format!("{text}{tail}");
        let found = find(&text);
        assert_eq!(
            found
                .assertions
                .first()
                .map(|a| (a.file, a.expression, a.block)),
            Some((file, "x < y", Some(830))),
            "{text}"
        );
    }
    check(
        "/pytorch/X.cu:1: f: block: [0, 0, 0], thread: [1, 0, 0] Assertion x >= -sizes[i] && \"oob\" failed.",
        &["/pytorch/X.cu|1|f|x >= -sizes[i] && \"oob\"|0|1|-"],
    );
    check(
        "/pytorch/X.cu:1: f: block: [,,], thread: [] Assertion 'x' failed.",
        &["/pytorch/X.cu|1|f|x|-|-|-"],
    );
    check(
        "/pytorch/X.cu:1: f: block: [0,0,0], thread: [1,0,0] Assertion “x” failed.",
        &["/pytorch/X.cu|1|f|x|0|1|-"],
    );
    check(
        "/pytorch/X.cu:250:f:块:[0,0,0],线程:[1,0,0] 断言“t >= 0 && t < n_classes”失败.",
        &["/pytorch/X.cu|250|f|t >= 0 && t < n_classes|0|1|-"],
    );
}

#[test]
fn several_on_a_line() {
    let one = "/pytorch/X.cu:1: f: block: [0,0,0], thread: [1,0,0] Assertion `x` failed.";
    let other = "/pytorch/Y.cu:2: g: block: [3,0,0], thread: [4,0,0] Assertion `y` failed.";
    check(
        &format!("{one}{other}"),
        &["/pytorch/X.cu|1|f|x|0|1|-", "/pytorch/Y.cu|2|g|y|3|4|-"],
    );
    let cut = format!("/pytorch/X.cu:1: f: block: [0,0,0], thread: [1,0,0] Asser{other}");
    check(&cut, &["/pytorch/Y.cu|2|g|y|3|4|-"]);
    assert!(find(&cut).unreadable);
}

#[test]
fn printf_variants() {
    check(
        "[CUDA_KERNEL_ASSERT] /pytorch/Repeat.cu:31: compute_kernel: block: [0,0,0], thread: [5,0,0]: Assertion failed: `result_size == cumsum_ptr[size - 1]`: Invalid input! In `repeat_interleave`, the `output_size` argument (9) must be the same",
        &[
            "/pytorch/Repeat.cu|31|compute_kernel|result_size == cumsum_ptr[size - 1]|0|5|Invalid input! In `repeat_interleave`, the `output_size` argument (9) must be the same",
        ],
    );
    check(
        "/pytorch/Repeat.cu:31:compute_kernel: block: [0,0,0], thread: [5,0,0] Invalid input! In `repeat_interleave`, …",
        &["/pytorch/Repeat.cu|31|compute_kernel||0|5|Invalid input! In `repeat_interleave`, …"],
    );
}

#[test]
fn host_assertions_are_not_device_assertions() {
    for text in [
        "python: ../nptl/pthread_mutex_lock.c:80: __pthread_mutex_lock: Assertion `mutex->__data.__owner == 0' failed.",
        "RuntimeError: Assertion `cur_target >= 0 && cur_target < n_classes' failed.  at /pytorch/aten/src/THNN/ClassNLLCriterion.c:97",
        "AssertionError: Torch not compiled with CUDA enabled",
        "assert dataset split train: 204 scenes, labels in [0, 12] (13 classes) ... ok",
        "device-side assertions: not compiled in (TORCH_USE_CUDA_DSA off)",
        "Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.",
        "Device-side assertion tracking was not enabled by user.",
        "block: [3, 4] has 5 layers",
        "{'block': [0, 1], 'thread': [2]}",
        "RuntimeError: CUDA error: device-side assert triggered",
    ] {
        assert_eq!(find(text).assertions, [], "{text}");
        assert!(!find(text).unreadable, "{text}");
    }
}

#[test]
fn broken_lines_are_open() {
    let line = "/opt/conda/conda-bld/work/aten/src/X.cu:250: nll_loss: block: [0,0,0], thread: [7,0,0] Assertion `t >= 0` failed.";
    for cut in 20..line.len() - 8 {
        let start = &line[..cut];
        let found = find(start);
        assert_eq!(found.assertions, [], "{start}");
        // Inside the few signs of an extension nothing tells a path from a finished one.
        assert!(
            found.open != Open::No || start.ends_with('/') || start.ends_with('.'),
            "{start}: {found:?}"
        );
    }
    assert_eq!(find(line).open, Open::No);
    assert_eq!(
        find(
            "Exception raised from f at ../c10/cuda/CUDAException.cpp:44 (most recent call first):"
        )
        .open,
        Open::No
    );
}
