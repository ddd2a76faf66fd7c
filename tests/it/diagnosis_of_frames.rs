//! What a traceback's last frame and the errors of other runtimes are worth.

use assert_doctor::diagnosis::Certainty::Likely;

use crate::diagnosis::{ASSERTED, ASYNC, SITE, check, expect, flood, frame, read, traceback};

#[test]
fn a_frame_that_names_the_operation_is_believed_without_blocking() {
    let labels = flood(
        "../aten/src/ATen/native/cuda/Loss.cu:250",
        "nll_loss_forward_reduce_cuda_kernel_2d: ",
        "t >= 0 && t < n_classes",
    );
    let ids = flood(
        "../aten/src/ATen/native/cuda/Indexing.cu:1146",
        "indexSelectLargeIndex: ",
        "srcIndex < srcSelectDimSize",
    );
    let index = flood(
        "../aten/src/ATen/native/cuda/IndexKernel.cu:92",
        "operator(): ",
        "-sizes[i] <= index && index < sizes[i] && \"index out of bounds\"",
    );
    let drawn = flood(
        "../aten/src/ATen/native/cuda/MultinomialKernel.cu:112",
        "binarySearchForMultinomial: ",
        "cumdist[size - 1] > static_cast<scalar_t>(0)",
    );
    let scatter = flood(
        "../aten/src/ATen/native/cuda/ScatterGatherKernel.cu:144",
        "operator(): ",
        "idx_dim >= 0 && idx_dim < index_size && \"index out of bounds\"",
    );
    for (asserts, code, expected) in [
        (&labels, "loss = self.criterion(outputs, labels)", true),
        (
            &labels,
            "loss = loss_fn(logits.view(-1, n), y.view(-1))",
            true,
        ),
        (
            &labels,
            "self.criterion = nn.CrossEntropyLoss().cuda()",
            false,
        ),
        (&labels, "acc = (out.argmax(1) == y).float().mean()", false),
        (&ids, "hidden = self.wte(input_ids)", true),
        (&ids, "q = self.q_proj(hidden)", false),
        (&index, "w = class_weight[target]", true),
        (&index, "log_vars[loss_name] = loss_value.item()", false),
        (&index, "x = self.blocks[layer_idx](x)", false),
        (&index, "loss = losses[f'{name}_loss']", false),
        (&drawn, "action = dist.sample()", true),
        (&drawn, "samples.append(x)", false),
        (&scatter, "pooled = scatter_mean(x, batch, dim=0)", true),
        (&scatter, "pooled = pooled.relu()", false),
    ] {
        let log =
            asserts.to_owned() + &traceback(&[frame("run.py", 7, "step", code)], ASSERTED) + ASYNC;
        let trusted = read(&log).traceback.map(|t| t.trust.is_trusted());
        assert_eq!(trusted, Some(expected), "{code}");
    }
}

#[test]
fn a_call_that_waits_for_its_own_kernels_is_the_one_that_failed() {
    let log = traceback(
        &[
            frame("train.py", 71, "step", "loss = self.bce(pred, target)"),
            frame(
                &format!("{SITE}/torch/nn/functional.py"),
                2027,
                "binary_cross_entropy",
                "return torch._C._nn.binary_cross_entropy(input, target, weight, reduction_enum)",
            ),
        ],
        "RuntimeError: reduce failed to synchronize: device-side assert triggered",
    );
    check("thrust", &log, &expect("bce_range", Likely, Some(true)));
    let masked = traceback(
        &[frame("train.py", 71, "step", "pos = idx[idx > 0]")],
        "RuntimeError: copy_if failed to synchronize: cudaErrorAssert: device-side assert triggered",
    );
    check(
        "a mask only waits",
        &masked,
        &expect("unknown_assert", Likely, Some(false)),
    );
}

#[test]
fn nan_before_stands_behind_numbers_that_the_host_refused() {
    let refused = traceback(
        &[frame("ppo.py", 20, "act", "dist = Normal(mean, std)")],
        "ValueError: Expected parameter loc (Tensor of shape (64, 2)) of distribution Normal(loc: torch.Size([64, 2]), scale: torch.Size([64, 2])) to satisfy the constraint Real(), but found invalid values:",
    );
    for (before, expected) in [
        ("|    loss                 | nan      |\n", true),
        ("iter 20 loss: nan\n", true),
        (
            "|    loss                 | 0.31     |\n|    ep_rew_mean          | nan      |\n",
            false,
        ),
    ] {
        let diagnosis = read(&(before.to_owned() + &refused));
        let nan = diagnosis.causes.iter().any(|c| c.id.id() == "nan_inputs");
        assert_eq!(nan, expected, "{before}");
        let operation = diagnosis.causes[0]
            .operation
            .as_ref()
            .map(|o| o.name.as_str());
        assert_eq!(operation, Some("torch.distributions.Normal"));
    }
}

#[test]
fn errors_of_other_runtimes_and_of_divergence() {
    let raised = |end: &str| traceback(&[frame("main.py", 20, "go", "step()")], end);
    for (log, cause) in [
        (
            "Memory access fault by GPU node-1 (Agent handle: 0x55d0) on address 0x7f00. Reason: Unknown.\nAborted (core dumped)\n".to_owned(),
            "illegal_access",
        ),
        (
            "2024-01-01 10:00:00.1: E external/local_xla/xla/stream_executor/cuda/cuda_event.cc:29] Error polling for event status: CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered\n".to_owned(),
            "other_framework",
        ),
        (
            "2024-01-01 10:00:00.1: E tensorflow/stream_executor/cuda/cuda_driver.cc:271] failed call to cuInit: CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected\nepoch 1 done\n".to_owned(),
            "none",
        ),
        (
            "FATAL: kernel `fmha_cutlassF_f16` is for sm80-sm100, but was built for sm50\n".to_owned()
                + &raised("RuntimeError: CUDA error: unspecified launch failure"),
            "arch_mismatch",
        ),
        (
            raised("FloatingPointError: Loss became infinite or NaN at iteration=41!"),
            "nan_inputs",
        ),
        (
            raised("FloatingPointError: Predicted boxes or scores contain Inf/NaN. Training has diverged."),
            "nan_inputs",
        ),
        (
            raised("AssertionError: Label class 3 exceeds nc=3 in data.yaml. Possible class labels are 0-2"),
            "label_out_of_range",
        ),
        (
            raised("IndexError: Encountered an index error. Please ensure that all indices in 'edge_index' point to valid indices in the interval [0, 99] (got interval [0, 120])"),
            "gather_scatter_index",
        ),
        (
            "epoch 2\nslurmstepd: error: Detected 1 oom_kill event in StepId=4567.batch. Some of the step tasks have been OOM Killed.\n".to_owned(),
            "python_error",
        ),
        (
            "[W CudaIPCTypes.cpp:95] Producer process tried to deallocate over 1000 memory blocks: CUDA error: invalid argument\nwarning: CUDA_ERROR_INVALID_VALUE ignored\n".to_owned(),
            "none",
        ),
        (
            "Process finished with exit code -1073740791 (0xC0000409)\n".to_owned(),
            "launch_failure",
        ),
        (
            "RuntimeError：CUDA 错误：触发了设备端断言\n".to_owned(),
            "unknown_assert",
        ),
    ] {
        assert_eq!(read(&log).causes[0].id.id(), cause, "{log}");
    }
}

#[test]
fn a_lost_process_drags_errors_with_a_reason_of_their_own_behind_it() {
    let log = flood(
        "../aten/src/ATen/native/cuda/IndexKernel.cu:92",
        "operator(): ",
        "-sizes[i] <= index && index < sizes[i] && \"index out of bounds\"",
    ) + &traceback(
        &[frame("run.py", 9, "go", "graph.replay()")],
        "RuntimeError: CUDA error: operation failed due to a previous error during capture",
    );
    let diagnosis = read(&log);
    assert_eq!(diagnosis.consequences.len(), 1, "{diagnosis:#?}");
}
