//! Short logs of other programs and wordings than the fixtures: what is said of each.

use assert_doctor::crash_log::Scanner;
use assert_doctor::diagnosis::{Certainty, DeviceAssert, Diagnosis, Remark, diagnose};

/// What must be said of a log.
pub struct Expected {
    cause: &'static str,
    certainty: Certainty,
    trusted: Option<bool>,
}

pub const fn expect(cause: &'static str, certainty: Certainty, trusted: Option<bool>) -> Expected {
    Expected {
        cause,
        certainty,
        trusted,
    }
}

use Certainty::{Certain, Likely};

pub fn read(log: &str) -> Diagnosis {
    let mut scanner = Scanner::new();
    scanner.push(log.as_bytes());
    diagnose(&scanner.finish().0)
}

#[track_caller]
pub fn check(name: &str, log: &str, expected: &Expected) -> Diagnosis {
    let diagnosis = read(log);
    let first = &diagnosis.causes[0];
    let trusted = diagnosis.traceback.as_ref().map(|t| t.trust.is_trusted());
    assert_eq!(
        (first.id.id(), first.certainty, trusted),
        (expected.cause, expected.certainty, expected.trusted),
        "{name}: {diagnosis:#?}"
    );
    diagnosis
}

pub const ASYNC: &str = "CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.\nFor debugging consider passing CUDA_LAUNCH_BLOCKING=1\nCompile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.\n";

pub fn flood(file: &str, function: &str, expression: &str) -> String {
    let line = |t| {
        format!(
            "{file}: {function}block: [0,0,0], thread: [{t},0,0] Assertion `{expression}` failed.\n"
        )
    };
    [0, 1, 2].map(line).concat()
}

pub fn frame(file: &str, line: u32, function: &str, code: &str) -> String {
    format!("  File \"{file}\", line {line}, in {function}\n    {code}\n")
}

pub fn traceback(frames: &[String], end: &str) -> String {
    format!(
        "Traceback (most recent call last):\n{}{end}\n",
        frames.concat()
    )
}

pub const SITE: &str = "/srv/env/lib/python3.11/site-packages";
pub const ASSERTED: &str = "RuntimeError: CUDA error: device-side assert triggered";

#[test]
fn a_failed_check_names_the_cause_whoever_noticed_it() {
    let noticed = |code: &str| traceback(&[frame("train.py", 40, "main", code)], ASSERTED) + ASYNC;
    for code in [
        "loss.backward()",
        "x = x.cuda(non_blocking=True)",
        "total += loss.item()",
        "print(out)",
        "torch.cuda.synchronize()",
        "scaler.step(optimizer)",
        "h = self.norm(h + residual)",
    ] {
        let log = flood(
            "../aten/src/ATen/native/cuda/Loss.cu:245",
            "nll_loss_forward_no_reduce_cuda_kernel: ",
            "cur_target >= 0 && cur_target < n_classes",
        ) + &noticed(code);
        let diagnosis = check(
            code,
            &log,
            &expect("label_out_of_range", Certain, Some(false)),
        );
        assert!(
            diagnosis.process_lost && diagnosis.device_assert == DeviceAssert::Yes,
            "{code}"
        );
        assert!(
            diagnosis.remarks.contains(&Remark::WouldGiveTheLine),
            "{code}"
        );
    }
    let own = flood(
        "../aten/src/ATen/native/cuda/Loss.cu:245",
        "nll_loss_forward_no_reduce_cuda_kernel: ",
        "cur_target >= 0 && cur_target < n_classes",
    ) + &noticed("loss = F.cross_entropy(logits, y, reduction='none')");
    check(
        "the loss itself",
        &own,
        &expect("label_out_of_range", Certain, Some(true)),
    );
}

#[test]
fn known_checks_in_other_programs() {
    let late = traceback(&[frame("run.py", 9, "go", "y = net(x)")], ASSERTED) + ASYNC;
    for (name, file, function, expression, cause) in [
        (
            "embedding, ROCm-like path",
            "/pytorch/aten/src/ATen/native/cuda/Indexing.cu:1290",
            "indexSelectLargeIndex: ",
            "srcIndex < srcSelectDimSize",
            "embedding_index",
        ),
        (
            "new gather spelling",
            "/pytorch/aten/src/ATen/native/cuda/ScatterGatherKernel.cu:163",
            "operator(): ",
            "idx_dim >= 0 && idx_dim < index_size && \"scatter gather kernel index out of bounds\"",
            "gather_scatter_index",
        ),
        (
            "vectorized gather",
            "/pytorch/aten/src/ATen/native/cuda/IndexKernelUtils.cu:16",
            "vectorized_gather_kernel: ",
            "ind >=0 && ind < ind_dim_size && \"vectorized gather kernel index out of bounds\"",
            "gather_scatter_index",
        ),
        (
            "new advanced index",
            "/pytorch/aten/src/ATen/native/cuda/IndexKernel.cu:94",
            "operator(): ",
            "-sizes[i] <= index && index < sizes[i] && \"index out of bounds\"",
            "advanced_index",
        ),
        (
            "bce target",
            "../aten/src/ATen/native/cuda/Loss.cu:95",
            "operator(): ",
            "target_val >= zero && target_val <= one",
            "bce_range",
        ),
        (
            "masked scatter",
            "../aten/src/ATen/native/cuda/IndexKernel.cu:396",
            "masked_scatter_size_check: ",
            "totalElements <= srcSize",
            "count_mismatch",
        ),
        (
            "multinomial on Windows",
            "C:\\actions-runner\\_work\\pytorch\\pytorch\\pytorch\\aten\\src\\ATen\\native\\cuda\\TensorCompare.cu:112",
            "",
            "input[0] != 0",
            "multinomial_probs",
        ),
        (
            "division by zero",
            "../aten/src/ATen/native/cuda/BinaryArithmeticKernel.cu:44",
            "operator(): ",
            "b != 0",
            "invalid_math",
        ),
    ] {
        let diagnosis = read(&(flood(file, function, expression) + &late));
        assert_eq!(
            diagnosis.causes[0].id.id(),
            cause,
            "{name}: {:#?}",
            diagnosis.causes
        );
    }
    for (name, file, library) in [
        (
            "mmcv",
            "/tmp/pip-req-build/mmcv/ops/csrc/common/cuda/assign_score_withk_cuda_kernel.cuh:40",
            "mmcv",
        ),
        (
            "own extension",
            "/home/user/project/ops/src/roipool3d_kernel.cu:77",
            "",
        ),
    ] {
        let log = flood(file, "kernel_fwd: ", "pt_idx < m") + &late;
        let diagnosis = check(name, &log, &expect("custom_kernel", Certain, Some(false)));
        if !library.is_empty() {
            assert_eq!(diagnosis.causes[0].library.as_deref(), Some(library));
        }
    }
    let compiled = flood(
        "/tmp/torchinductor_user/ab/cabc.py:33",
        "unknown: ",
        "index out of bounds: 0 <= tmp12 < 151936",
    ) + &late;
    let diagnosis = check(
        "compiled",
        &compiled,
        &expect("inductor_index", Certain, Some(false)),
    );
    assert_eq!(
        diagnosis.causes[0].range.as_ref().map(|r| (r.lo, r.hi)),
        Some((0, 151_935))
    );
}

#[test]
fn without_the_failed_check_nothing_is_called_certain() {
    let log = "epoch 3\n".to_owned()
        + &traceback(
            &[frame("train.py", 40, "main", "loss.backward()")],
            ASSERTED,
        )
        + ASYNC;
    let diagnosis = check(
        "only the traceback",
        &log,
        &expect("unknown_assert", Likely, Some(false)),
    );
    assert!(diagnosis.causes.iter().all(|c| c.certainty < Certain));
    assert!(diagnosis.remarks.contains(&Remark::CheckNotInLog));
    let accelerator = log.replace("RuntimeError", "torch.AcceleratorError");
    check(
        "2.8's class",
        &accelerator,
        &expect("unknown_assert", Likely, Some(false)),
    );

    let blocking = "$ CUDA_LAUNCH_BLOCKING=1 python train.py\n".to_owned()
        + &traceback(
            &[
                frame("train.py", 31, "main", "loss = criterion(out, y)"),
                frame(
                    &format!("{SITE}/torch/nn/functional.py"),
                    3029,
                    "cross_entropy",
                    "return torch._C._nn.cross_entropy_loss(input, target)",
                ),
            ],
            ASSERTED,
        )
        + "Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.\n";
    check(
        "blocking",
        &blocking,
        &expect("label_out_of_range", Likely, Some(true)),
    );
}

#[test]
fn blocking_makes_the_last_frame_the_culprit_even_at_a_copy() {
    let log = "set CUDA_LAUNCH_BLOCKING=1\n".to_owned()
        + &traceback(
            &[frame(
                "D:\\work\\infer.py",
                12,
                "<module>",
                "model = model.cuda()",
            )],
            "RuntimeError: CUDA error: an illegal memory access was encountered",
        )
        + "Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.\n";
    let diagnosis = check("copy", &log, &expect("illegal_access", Certain, Some(true)));
    assert!(diagnosis.remarks.contains(&Remark::BlockingCopy));
}

#[test]
fn the_cpu_says_it_in_plain_words() {
    let on_cpu = |end: &str| {
        traceback(
            &[frame("t.py", 5, "<module>", "loss = criterion(out, y)")],
            end,
        )
    };
    for (end, cause, value, size) in [
        (
            "IndexError: Target 5 is out of bounds.",
            "label_out_of_range",
            Some(5),
            None,
        ),
        (
            "IndexError: index out of range in self",
            "embedding_index",
            None,
            None,
        ),
        (
            "RuntimeError: index 4 is out of bounds for dimension 1 with size 4",
            "gather_scatter_index",
            Some(4),
            Some(4),
        ),
        (
            "IndexError: index 12 is out of bounds for dimension 0 with size 10",
            "advanced_index",
            Some(12),
            Some(10),
        ),
        (
            "RuntimeError: all elements of input should be between 0 and 1",
            "bce_range",
            None,
            None,
        ),
        (
            "RuntimeError: Class values must be smaller than num_classes.",
            "gather_scatter_index",
            None,
            None,
        ),
        (
            "RuntimeError: probability tensor contains either `inf`, `nan` or element < 0",
            "multinomial_probs",
            None,
            None,
        ),
    ] {
        let diagnosis = check(end, &on_cpu(end), &expect(cause, Certain, Some(true)));
        let first = &diagnosis.causes[0];
        assert_eq!(first.value, value, "{end}");
        assert_eq!(first.range.as_ref().map(|r| r.hi + 1), size, "{end}");
        assert!(
            !diagnosis.process_lost && diagnosis.device_assert == DeviceAssert::No,
            "{end}"
        );
    }
}

#[test]
fn what_is_no_assert_is_not_called_one() {
    let raised = |end: &str| {
        traceback(
            &[frame("main.py", 20, "<module>", "out = net(x.cuda())")],
            end,
        )
    };
    for (end, cause) in [
        (
            "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.50 GiB. GPU 0 has a total capacity of 23.68 GiB of which 1.06 GiB is free. Process 1 has 22.6 GiB memory in use.",
            "oom",
        ),
        (
            "RuntimeError: CUDA error: no kernel image is available for execution on the device",
            "arch_mismatch",
        ),
        (
            "RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`",
            "oom",
        ),
        (
            "AssertionError: Torch not compiled with CUDA enabled",
            "driver_mismatch",
        ),
        (
            "RuntimeError: Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU",
            "driver_mismatch",
        ),
        (
            "RuntimeError: mat1 and mat2 shapes cannot be multiplied (32x512 and 256x10)",
            "shape_mismatch",
        ),
        ("KeyError: 'labels'", "python_error"),
        (
            "AssertionError: len(dataset) must be positive",
            "python_error",
        ),
        (
            "RuntimeError: Cannot re-initialize CUDA in forked subprocess. To use CUDA with multiprocessing, you must use the 'spawn' start method",
            "dataloader_spawn",
        ),
        (
            "RuntimeError: DataLoader worker (pid 4321) is killed by signal: Killed. ",
            "dataloader_worker_crash",
        ),
        (
            "AttributeError: Can't pickle local object 'main.<locals>.<lambda>'",
            "dataloader_spawn",
        ),
    ] {
        let diagnosis = read(&raised(end));
        assert_eq!(
            diagnosis.causes[0].id.id(),
            cause,
            "{end}: {:#?}",
            diagnosis.causes
        );
        assert_ne!(diagnosis.device_assert, DeviceAssert::Yes, "{end}");
        assert!(!diagnosis.process_lost, "{end}");
    }
    let illegal =
        raised("torch.AcceleratorError: CUDA error: an illegal memory access was encountered")
            + ASYNC;
    let diagnosis = check(
        "illegal access",
        &illegal,
        &expect("illegal_access", Certain, Some(false)),
    );
    assert_eq!(diagnosis.device_assert, DeviceAssert::OnlyMentioned);
    assert!(diagnosis.process_lost);
}

#[test]
fn the_run_that_was_stopped_or_ended_well_has_no_cause() {
    for log in [
        "epoch 1 loss 0.3\nepoch 2 loss 0.2\nsaved to out.pt\n",
        &traceback(
            &[frame("main.py", 3, "<module>", "train()")],
            "KeyboardInterrupt",
        ),
        "asserting config... ok\ntest_assert_shapes passed\n",
    ] {
        check(
            log,
            log,
            &expect(
                "none",
                Certain,
                read(log).traceback.map(|t| t.trust.is_trusted()),
            ),
        );
    }
}

#[test]
fn an_error_that_was_caught_early_is_not_what_ended_the_run() {
    let log = traceback(
        &[frame("main.py", 3, "<module>", "import flash_attn")],
        "ModuleNotFoundError: No module named 'flash_attn'",
    ) + "falling back to sdpa\nepoch 1\n"
        + &traceback(
            &[frame("main.py", 90, "<module>", "loss = criterion(out, y)")],
            "IndexError: Target 80 is out of bounds.",
        );
    check(
        "caught",
        &log,
        &expect("label_out_of_range", Certain, Some(true)),
    );
    let chained = traceback(
        &[frame("main.py", 3, "<module>", "d['x']")],
        "KeyError: 'x'",
    ) + "\nDuring handling of the above exception, another exception occurred:\n\n"
        + &traceback(
            &[frame(
                "main.py",
                5,
                "<module>",
                "raise ValueError('bad config')",
            )],
            "ValueError: bad config",
        );
    let diagnosis = check(
        "chained",
        &chained,
        &expect("python_error", Certain, Some(true)),
    );
    assert!(
        diagnosis.causes[0]
            .evidence
            .iter()
            .any(|e| e.text.contains("KeyError")),
        "{diagnosis:#?}"
    );
}

#[test]
fn workers_that_cannot_start_are_told_by_their_reason() {
    let guard = "RuntimeError: \n        An attempt has been made to start a new process before the\n        current process has finished its bootstrapping phase.\n\n        This probably means that you are not using fork to start your\n        child processes and you have forgotten to use the proper idiom\n        in the main module:\n\n            if __name__ == '__main__':\n                freeze_support()\n";
    let log = traceback(
        &[frame(
            "C:\\Users\\me\\train.py",
            30,
            "<module>",
            "for x, y in loader:",
        )],
        guard,
    ) + &traceback(
        &[frame(
            "C:\\Users\\me\\train.py",
            30,
            "<module>",
            "for x, y in loader:",
        )],
        "BrokenPipeError: [Errno 32] Broken pipe",
    );
    let diagnosis = read(&log);
    assert_eq!(
        diagnosis.causes[0].id.id(),
        "dataloader_spawn",
        "{diagnosis:#?}"
    );
}

#[test]
fn a_watchdog_that_quotes_a_failed_kernel_speaks_of_it() {
    let watchdog = |said: &str| {
        format!(
            "[rank1]:[E ProcessGroupNCCL.cpp:1595] [PG ID 0 PG GUID 0(default_pg) Rank 1] Process group watchdog thread terminated with exception: CUDA error: {said}\n{ASYNC}\nterminate called after throwing an instance of 'c10::DistBackendError'\n"
        )
    };
    let asserted = check(
        "assert",
        &watchdog("device-side assert triggered"),
        &expect("unknown_assert", Likely, None),
    );
    assert_eq!(asserted.device_assert, DeviceAssert::Yes);
    let illegal = read(&watchdog("an illegal memory access was encountered"));
    assert_eq!(illegal.causes[0].id.id(), "illegal_access");
    let timeout = read(
        "[rank3]:[E ProcessGroupNCCL.cpp:607] [Rank 3] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=1200, OpType=ALLREDUCE, Timeout(ms)=600000) ran for 600033 milliseconds before timing out.\n",
    );
    assert_eq!(timeout.causes[0].id.id(), "nccl_secondary", "{timeout:#?}");
}

#[test]
fn an_error_that_the_run_survived_is_not_certain() {
    let error = traceback(
        &[frame("train.py", 12, "find_batch_size", "out = model(x)")],
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.",
    );
    let steps = "one more step, all well\n".repeat(200);
    check("ended there", &error, &expect("oom", Certain, Some(true)));
    check(
        "went on",
        &(error + &steps),
        &expect("oom", Likely, Some(true)),
    );
}
