//! Every family in the wordings of several releases, and words that are no errors.

use ErrorRole::{Logged, Terminate};

use super::super::recognisers::driver::read;
use super::super::{ErrorFamily as F, ErrorRole, LIMITS, MarkKind, NumberRole};

/// The families of a text whose lines stand as given.
fn families(text: &str) -> Vec<F> {
    read(text).errors.iter().map(|e| e.family).collect()
}

/// A final line of a traceback.
fn raised(line: &str) -> Vec<F> {
    families(&format!(
        "Traceback (most recent call last):\n  File \"/p/a.py\", line 3, in f\n    go(x)\n{line}\n"
    ))
}

#[test]
fn exceptions() {
    let check = |line: &str, family: F| assert_eq!(raised(line), [family], "{line}");
    // CUDA, by release and wrapping.
    for line in [
        "RuntimeError: CUDA error: device-side assert triggered",
        "torch.AcceleratorError: CUDA error: device-side assert triggered",
        "torch.AcceleratorError: HIP error: device-side assert triggered",
        "RuntimeError: cuda runtime error (59) : device-side assert triggered at /pytorch/aten/src/THC/generic/THCTensorCopy.cpp:70",
        "RuntimeError: cuda runtime error (710) : device-side assert triggered at C:/w/1/s/THC/THCReduceAll.cuh:327",
        "RuntimeError: Triton Error [CUDA]: device-side assert triggered",
        "RuntimeError: CUDA driver error: device-side assert triggered",
        "cupy_backends.cuda.api.driver.CUDADriverError: CUDA_ERROR_ASSERT: device-side assert triggered",
        "cupy_backends.cuda.api.runtime.CUDARuntimeError: cudaErrorAssert: device-side assert triggered",
        "numba.cuda.cudadrv.driver.CudaAPIError: [710] Call to cuMemcpyDtoH results in CUDA_ERROR_ASSERT",
        "numba.cuda.cudadrv.driver.CudaAPIError: [710] Call to cuMemcpyDtoH results in UNKNOWN_CUDA_ERROR",
        "RuntimeError: CUDA error: device-side assert triggered CUDA kernel errors might be asynchronously reported at some other API call",
    ] {
        check(line, F::DeviceAssert);
    }
    check(
        "RuntimeError: CUDA error: an illegal memory access was encountered",
        F::IllegalAddress,
    );
    check(
        "RuntimeError: cuda runtime error (77) : an illegal memory access was encountered at x.cu:5",
        F::IllegalAddress,
    );
    check(
        "RuntimeError: CUDA error: unspecified launch failure",
        F::LaunchFailure,
    );
    check(
        "torch.AcceleratorError: HIP error: unspecified launch failure",
        F::LaunchFailure,
    );
    check(
        "RuntimeError: CUDA error: misaligned address",
        F::MisalignedAddress,
    );
    check(
        "RuntimeError: CUDA error: an illegal instruction was encountered",
        F::IllegalInstruction,
    );
    check(
        "RuntimeError: CUDA error: operation not supported on global/shared address space",
        F::KernelFault,
    );
    check(
        "RuntimeError: CUDA error: invalid program counter",
        F::KernelFault,
    );
    check(
        "RuntimeError: CUDA error: hardware stack error",
        F::KernelFault,
    );
    check(
        "RuntimeError: CUDA error: the launch timed out and was terminated",
        F::LaunchTimeout,
    );
    check(
        "RuntimeError: CUDA error: too many resources requested for launch",
        F::LaunchResources,
    );
    check("RuntimeError: CUDA error: out of memory", F::OutOfMemory);
    check(
        "RuntimeError: cuda runtime error (2) : out of memory at /pytorch/aten/src/THC/THCStorage.cu:58",
        F::OutOfMemory,
    );
    check(
        "RuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 7.93 GiB total capacity)",
        F::OutOfMemory,
    );
    check(
        "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB.",
        F::OutOfMemory,
    );
    check(
        "torch.OutOfMemoryError: HIP out of memory. Tried to allocate 20.00 MiB.",
        F::OutOfMemory,
    );
    check(
        "RuntimeError: CUDA error: no kernel image is available for execution on the device",
        F::NoKernelImage,
    );
    check(
        "RuntimeError: CUDA error: invalid device function",
        F::NoKernelImage,
    );
    check(
        "RuntimeError: The NVIDIA driver on your system is too old (found version 11040).",
        F::DriverTooOld,
    );
    check(
        "RuntimeError: cuda runtime error (35) : CUDA driver version is insufficient for CUDA runtime version at x:1",
        F::DriverTooOld,
    );
    check("RuntimeError: No CUDA GPUs are available", F::NoDevice);
    check(
        "AssertionError: Torch not compiled with CUDA enabled",
        F::NoDevice,
    );
    check(
        "RuntimeError: Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU",
        F::NoDevice,
    );
    check(
        "RuntimeError: CUDA error: no CUDA-capable device is detected",
        F::NoDevice,
    );
    check(
        "RuntimeError: CUDA error: invalid device ordinal",
        F::InvalidDevice,
    );
    check(
        "RuntimeError: CUDA error: initialization error",
        F::CudaInit,
    );
    check(
        "RuntimeError: Unexpected error from cudaGetDeviceCount(). Error 804: forward compatibility was attempted on non supported HW",
        F::CudaInit,
    );
    check(
        "RuntimeError: CUDA driver initialization failed, you might not have a CUDA gpu.",
        F::CudaInit,
    );
    check(
        "RuntimeError: CUDA error: CUDA-capable device(s) is/are busy or unavailable",
        F::DeviceBusy,
    );
    check(
        "RuntimeError: cuda runtime error (63) : OS call failed or operation not supported on this OS at x:1",
        F::CudaIpc,
    );
    check(
        "RuntimeError: CUDA error: operation not supported",
        F::CudaIpc,
    );
    check(
        "RuntimeError: CUDA error: uncorrectable ECC error encountered",
        F::EccError,
    );
    check(
        "RuntimeError: CUDA error: operation not permitted when stream is capturing",
        F::StreamCapture,
    );
    check(
        "RuntimeError: CUDA error: invalid argument",
        F::InvalidArgument,
    );
    check(
        "RuntimeError: CUDA error: context is destroyed",
        F::CudaTeardown,
    );
    check(
        "RuntimeError: CUDA error: driver shutting down",
        F::CudaTeardown,
    );
    check("RuntimeError: CUDA error: unknown error", F::OtherCuda);
    check(
        "RuntimeError: CUDA error: an error nobody has listed",
        F::OtherCuda,
    );
    check(
        "RuntimeError: CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate(handle)`",
        F::Cublas,
    );
    check(
        "RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`",
        F::CublasAlloc,
    );
    check(
        "RuntimeError: cublas runtime error : the GPU program failed to execute at /x/THCBlas.cu:249",
        F::Cublas,
    );
    check(
        "RuntimeError: cuDNN error: CUDNN_STATUS_EXECUTION_FAILED",
        F::Cudnn,
    );
    check(
        "RuntimeError: cuDNN Frontend error: [cudnn_frontend] Error: No execution plans support the graph.",
        F::Cudnn,
    );
    check(
        "RuntimeError: cusolver error: CUSOLVER_STATUS_EXECUTION_FAILED, when calling `cusolverDnSgetrf(`",
        F::Cudnn,
    );
    check("RuntimeError: cuFFT error: CUFFT_INTERNAL_ERROR", F::Cudnn);
    check(
        "RuntimeError: NCCL error in: /x/ProcessGroupNCCL.cpp:784, unhandled cuda error, NCCL version 2.14.3",
        F::Nccl,
    );
    check(
        "torch.distributed.DistBackendError: NCCL error in: /x/NCCLUtils.hpp:219, unhandled system error",
        F::Nccl,
    );
    check(
        "torch.multiprocessing.spawn.ProcessExitedException: process 1 terminated with signal SIGABRT",
        F::ChildFailed,
    );
    check(
        "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ",
        F::ChildFailed,
    );
    // The same mistakes on the CPU.
    check("IndexError: Target 5 is out of bounds.", F::CpuTarget);
    check("IndexError: Target -1 is out of bounds.", F::CpuTarget);
    check(
        "RuntimeError: Assertion `cur_target >= 0 && cur_target < n_classes' failed.  at /x/ClassNLLCriterion.c:97",
        F::CpuTarget,
    );
    check("RuntimeError: target out of range", F::CpuTarget);
    check(
        "RuntimeError: expected target dtype to be Long or Byte, but got Int",
        F::Dtype,
    );
    check(
        "RuntimeError: expected scalar type Long but found Float",
        F::Dtype,
    );
    check(
        "RuntimeError: Expected object of scalar type Long but got scalar type Float for argument #2 'target'",
        F::Dtype,
    );
    check(
        "RuntimeError: Expected object of type torch.cuda.LongTensor but found type torch.cuda.IntTensor for argument #2 'target'",
        F::Dtype,
    );
    check(
        "RuntimeError: \"nll_loss_forward_reduce_cuda_kernel_2d_index\" not implemented for 'Int'",
        F::Dtype,
    );
    check(
        "ValueError: Expected input batch_size (3) to match target batch_size (4).",
        F::Shape,
    );
    check(
        "RuntimeError: 0D or 1D target tensor expected, multi-target not supported",
        F::Shape,
    );
    check(
        "RuntimeError: 1D target tensor expected, multi-target not supported",
        F::Shape,
    );
    check(
        "RuntimeError: mat1 and mat2 shapes cannot be multiplied (60x128 and 64x10)",
        F::Shape,
    );
    check(
        "RuntimeError: The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1",
        F::Shape,
    );
    check(
        "RuntimeError: stack expects each tensor to be equal size, but got [3, 4] at entry 0 and [3, 5] at entry 1",
        F::Shape,
    );
    check(
        "RuntimeError: all elements of input should be between 0 and 1",
        F::CpuBce,
    );
    check(
        "RuntimeError: all elements of target should be between 0 and 1",
        F::CpuBce,
    );
    check("IndexError: index out of range in self", F::CpuEmbedding);
    check(
        "RuntimeError: index out of range: Tried to access index 10 out of table with 9 rows. at /x/THTensor.cpp:1",
        F::CpuEmbedding,
    );
    check(
        "RuntimeError: Index 0 of input takes value 10 which is not in the valid range [0, 10)",
        F::CpuEmbedding,
    );
    check(
        "RuntimeError: index 4 is out of bounds for dimension 1 with size 4",
        F::CpuGather,
    );
    check(
        "RuntimeError: Class values must be smaller than num_classes.",
        F::CpuGather,
    );
    check(
        "RuntimeError: Found an invalid max index: 9 (output volumes are of size 2x2)",
        F::CpuGather,
    );
    check(
        "IndexError: index 3 is out of bounds for dimension 0 with size 3",
        F::CpuIndex,
    );
    check(
        "IndexError: index_copy_(): index 5 is out of bounds for dimension 0 with size 3",
        F::CpuIndex,
    );
    check(
        "IndexError: out of range: tried to access index 5 on a tensor of 3 elements.",
        F::CpuIndex,
    );
    check(
        "RuntimeError: probability tensor contains either `inf`, `nan` or element < 0",
        F::CpuMultinomial,
    );
    check(
        "RuntimeError: invalid multinomial distribution (sum of probabilities <= 0)",
        F::CpuMultinomial,
    );
    check(
        "RuntimeError: Expected p_in >= 0 && p_in <= 1 to be true, but got false.",
        F::CpuProbability,
    );
    check(
        "ValueError: Expected parameter logits (Tensor of shape (3,)) of distribution Categorical(logits: torch.Size([3])) to satisfy the constraint IndependentConstraint(Real(), 1)",
        F::CpuProbability,
    );
    check(
        "RuntimeError: Number of elements of source < number of ones in mask",
        F::CpuCount,
    );
    check("RuntimeError: repeats can not be negative", F::CpuCount);
    check(
        "RuntimeError: Function 'LogBackward0' returned nan values in its 0th output.",
        F::NanFound,
    );
    check("ValueError: Input contains NaN.", F::NanFound);
    // DataLoader, processes, Windows.
    check(
        "RuntimeError: DataLoader worker (pid(s) 16732) exited unexpectedly",
        F::WorkerExited,
    );
    check(
        "RuntimeError: DataLoader worker (pid 7) is killed by signal: Killed. ",
        F::WorkerExited,
    );
    check(
        "KeyError: Caught KeyError in DataLoader worker process 0.",
        F::WorkerException,
    );
    check(
        "RuntimeError: Caught RuntimeError in pin memory thread for device 0.",
        F::WorkerException,
    );
    check(
        "AttributeError: Can't pickle local object 'main.<locals>.<lambda>'",
        F::WorkerPickle,
    );
    check(
        "TypeError: cannot pickle '_io.BufferedReader' object",
        F::WorkerPickle,
    );
    check(
        "AttributeError: Can't get attribute 'X' on <module '__main__' (built-in)>",
        F::WorkerPickle,
    );
    check("EOFError: Ran out of input", F::WorkerPickle);
    check(
        "_pickle.UnpicklingError: pickle data was truncated",
        F::WorkerPickle,
    );
    check("BrokenPipeError: [Errno 32] Broken pipe", F::WorkerPickle);
    check(
        "OSError: [WinError 1455] 页面文件太小，无法完成操作。 Error loading \"F:\\x.dll\" or one of its dependencies.",
        F::WorkerMemory,
    );
    check(
        "RuntimeError: Couldn't open shared file mapping: <torch_7_9>, error code: <1455>",
        F::WorkerMemory,
    );
    check(
        "RuntimeError: Couldn't map view of shared file <torch_7_9>, error code: <5>",
        F::WorkerMemory,
    );
    check(
        "RuntimeError: Cannot re-initialize CUDA in forked subprocess. To use CUDA with multiprocessing, you must use the 'spawn' start method",
        F::ForkedCuda,
    );
    check(
        "RuntimeError: [enforce fail at alloc_cpu.cpp:72] data. DefaultCPUAllocator: not enough memory: you tried to allocate 1024 bytes.",
        F::HostMemory,
    );
    check("MemoryError", F::HostMemory);
    check(
        "OSError: [WinError 8] 内存资源不足，无法处理此命令。",
        F::HostMemory,
    );
    // Building kernels and other frameworks.
    check(
        "torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:",
        F::CompileFailed,
    );
    check(
        "torch._inductor.exc.InductorError: CalledProcessError: Command '['cl']' returned non-zero exit status 2.",
        F::CompileFailed,
    );
    check(
        "triton.compiler.errors.CompilationError: at 8:11:",
        F::CompileFailed,
    );
    check(
        "RuntimeError: Error building extension 'fused'",
        F::CompileFailed,
    );
    check(
        "OSError: (External) CUDA error(719), unspecified launch failure. ",
        F::OtherFramework,
    );
    check(
        "tensorflow.python.framework.errors_impl.InvalidArgumentError: indices[0] = 9 is not in [0, 9)",
        F::OtherFramework,
    );
    check(
        "jaxlib.xla_extension.XlaRuntimeError: INTERNAL: CUDA_ERROR_ILLEGAL_ADDRESS",
        F::OtherFramework,
    );
    check(
        "mxnet.base.MXNetError: Error in operator",
        F::OtherFramework,
    );
    check(
        "onnxruntime.capi.onnxruntime_pybind11_state.InvalidArgument: [ONNXRuntimeError] : 2 : INVALID_ARGUMENT",
        F::OtherFramework,
    );
    // Anything else.
    check(
        "AssertionError: Couldn't find the model in any of: ['.']",
        F::PythonException,
    );
    check("KeyError: 'labels'", F::PythonException);
    check(
        "OSError: [WinError 126] 找不到指定的模块。 Error loading \"x.dll\"",
        F::PythonException,
    );
    check(
        "omegaconf.errors.ConfigAttributeError: Key 'x' is not in struct",
        F::PythonException,
    );
}

#[test]
fn messages_that_begin_below_their_class() {
    let check = |text: &str, family: F| assert_eq!(raised(text), [family], "{text}");
    check(
        "RuntimeError: \n        An attempt has been made to start a new process before the\n        current process has finished its bootstrapping phase.\n\n        This probably means that you are not using fork",
        F::SpawnGuard,
    );
    check(
        "RuntimeError: Error(s) in loading state_dict for Net:\n\tsize mismatch for fc.weight: copying a param with shape torch.Size([9, 4]) from checkpoint, the shape in current model is torch.Size([10, 4]).",
        F::Shape,
    );
    check(
        "ValueError: first\n\nsecond paragraph of a program's own words",
        F::PythonException,
    );
}

#[test]
fn lines_outside_tracebacks() {
    let check = |text: &str, family: F, role: ErrorRole| {
        let facts = read(text);
        let errors: Vec<_> = facts.errors.iter().map(|e| (e.family, e.role)).collect();
        assert_eq!(errors, [(family, role)], "{text}");
    };
    check(
        "Error during benchmark: CUDA error: no kernel image is available for execution on the device",
        F::NoKernelImage,
        Logged,
    );
    check(
        "THCudaCheck FAIL file=/pytorch/aten/src/THC/THCReduceAll.cuh line=317 error=59 : device-side assert triggered",
        F::DeviceAssert,
        Logged,
    );
    check(
        "[F] /home/u/k2/k2/csrc/array.h:337:T k2::Array1<T>::operator[](int32_t) const Check failed: ret == cudaSuccess (59 vs. 0)  Error: device-side assert triggered. ",
        F::DeviceAssert,
        Terminate,
    );
    check(
        "[E ProcessGroupNCCL.cpp:915] [Rank 1] NCCL watchdog thread terminated with exception: CUDA error: device-side assert triggered",
        F::NcclWatchdog,
        Logged,
    );
    check(
        "[rank0]:[E1124 12:00:00.0 ProcessGroupNCCL.cpp:1414] [PG ID 0 PG GUID 0(default_pg) Rank 0] Process group watchdog thread terminated with exception: CUDA error: unknown error",
        F::NcclWatchdog,
        Logged,
    );
    check(
        "host:1:2 [0] NCCL WARN Cuda failure 710 'device-side assert triggered'",
        F::Nccl,
        Logged,
    );
    check(
        "host:1:2 [0] x.cc:70 NCCL WARN Cuda failure 'unspecified launch failure'",
        F::Nccl,
        Logged,
    );
    check(
        "(raylet) A worker died or was killed while executing a task by an unexpected system error.",
        F::ChildFailed,
        Logged,
    );
    check(
        "E0225 10:18:31.992000 31002 site-packages/torch/distributed/elastic/multiprocessing/api.py:869] failed (exitcode: 1) local_rank: 0 (pid: 31065) of binary: python",
        F::ChildFailed,
        Logged,
    );
    check(
        "NVIDIA GeForce RTX 5090 with CUDA capability sm_120 is not compatible with the current PyTorch installation.",
        F::NoKernelImage,
        Logged,
    );
    check(
        "FATAL: kernel `fmha_cutlassF_f16_aligned` is for sm80-sm100, but was built for sm37",
        F::NoKernelImage,
        Logged,
    );
    check("CompilationError: at 8:11:", F::CompileFailed, Logged);
    check(
        "ERROR: Unexpected bus error encountered in worker. This might be caused by insufficient shared memory (shm).",
        F::WorkerMemory,
        Logged,
    );
    check("Loss is nan, stopping training", F::NanFound, Logged);
    check("Aborted (core dumped)", F::ProcessDied, Logged);
    check("Segmentation fault (core dumped)", F::ProcessDied, Logged);
    check(
        "python: x.c:12: f: Assertion `x > 0' failed.",
        F::ProcessDied,
        Logged,
    );
    check(
        "Unhandled exception caught in c10/util/AbortHandler.h",
        F::ProcessDied,
        Terminate,
    );
    check("Fatal Python error: Aborted", F::ProcessDied, Terminate);
    check(
        "Process finished with exit code -1073741819 (0xC0000005)",
        F::ProcessDied,
        Logged,
    );
    check(
        "terminate called without an active exception",
        F::ProcessDied,
        Terminate,
    );
    check(
        "terminate called after throwing an instance of 'c10::Error'\n  what():  CUDA error: device-side assert triggered",
        F::DeviceAssert,
        Terminate,
    );
    check(
        "terminate called after throwing an instance of 'c10::CUDAError'\n  what():  CUDA error: an illegal memory access was encountered",
        F::IllegalAddress,
        Terminate,
    );
    check(
        "terminate called after throwing an instance of 'std::runtime_error'\n  what():  something of its own",
        F::ProcessDied,
        Terminate,
    );
    check(
        "terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc",
        F::HostMemory,
        Terminate,
    );
    check(
        "terminate called after throwing an instance of 'c10::DistBackendError'\n  what():  [Rank 1] NCCL watchdog thread terminated with exception: CUDA error: device-side assert triggered",
        F::NcclWatchdog,
        Terminate,
    );
    check(
        "2024-05-01 10:00:00 ERROR train: RuntimeError: CUDA error: device-side assert triggered",
        F::DeviceAssert,
        Logged,
    );
    check(
        "IndexError: Target 7 is out of bounds.",
        F::CpuTarget,
        Logged,
    );
}

#[test]
fn words_that_are_no_errors() {
    for text in [
        "If you see CUDA error: device-side assert triggered, set CUDA_LAUNCH_BLOCKING=1",
        "Tip: errors like \"CUDA error: device-side assert triggered\" usually mean a wrong label",
        "# RuntimeError: CUDA error: device-side assert triggered",
        "如果遇到 CUDA error: device-side assert triggered，请检查标签",
        "Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.",
        "Search for `cudaErrorAssert' in https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__TYPES.html for more information.",
        "device-side assertions: not compiled in (TORCH_USE_CUDA_DSA off)",
        "The current PyTorch install supports CUDA capabilities sm_50 sm_60 sm_70.",
        "UserWarning: Using a target size (torch.Size([4])) that is different to the input size (torch.Size([4, 1])) is deprecated",
        "x.py:20: UserWarning: CUDA initialization: Found no NVIDIA driver on your system.",
        "train error: 0.31 val error: 0.40",
        "assert dataset split train: 204 scenes, labels in [0, 12] (13 classes) ... ok",
        "2023 I tensorflow/stream_executor/cuda/cuda_gpu_executor.cc:936] successful NUMA node read",
        "2023 W tensorflow/stream_executor/platform/default/dso_loader.cc:64] Could not load dynamic library 'libcudart.so.11.0'",
        "E external/local_xla/xla/stream_executor/cuda/cuda_fft.cc:479] Unable to register cuFFT factory: Attempting to register factory for plugin cuFFT",
        "W0225 10:18:31 api.py:897] Sending process 31066 closing signal SIGTERM",
        "Process finished with exit code 0",
        "ValueError: of no traceback",
        "raise RuntimeError('DataLoader worker (pid(s) {}) exited unexpectedly')",
        "  [Hint: 'cudaErrorLaunchFailure'. An exception occurred on the device while executing a kernel.] (at /paddle/x.cc:259)",
        "NCCL version 2.18.1+cuda12.1",
        "CUDA SETUP: Loading binary libbitsandbytes_cuda118.so",
        "This DataLoader will create 8 worker processes in total. Our suggested max number of worker in current system is 4",
    ] {
        assert_eq!(families(text), [], "{text}");
    }
}

#[test]
fn statuses_and_classes() {
    let check = |line: &str, class: Option<&str>, status: Option<&str>| {
        let facts = read(&format!(
            "Traceback (most recent call last):\n  File \"/p/a.py\", line 3, in f\n    go(x)\n{line}"
        ));
        let error = facts.errors.first().expect("an error");
        assert_eq!(
            (error.class.as_deref(), error.status.as_deref()),
            (class, status),
            "{line}"
        );
    };
    check(
        "RuntimeError: CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate(handle)`",
        Some("RuntimeError"),
        Some("CUBLAS_STATUS_NOT_INITIALIZED"),
    );
    check(
        "RuntimeError: cuDNN error: CUDNN_STATUS_MAPPING_ERROR",
        Some("RuntimeError"),
        Some("CUDNN_STATUS_MAPPING_ERROR"),
    );
    check(
        "RuntimeError: cuda runtime error (59) : device-side assert triggered at x:1",
        Some("RuntimeError"),
        Some("59"),
    );
    check(
        "torch.AcceleratorError: CUDA error: device-side assert triggered",
        Some("torch.AcceleratorError"),
        None,
    );
    check(
        "torch.multiprocessing.spawn.ProcessExitedException: process 1 terminated with signal SIGABRT",
        Some("torch.multiprocessing.spawn.ProcessExitedException"),
        Some("SIGABRT"),
    );
    check(
        "OSError: [WinError 1455] x",
        Some("OSError"),
        Some("WinError 1455"),
    );
    check(
        "OSError: [WinError 127] 找不到指定的程序。",
        Some("OSError"),
        Some("WinError 127"),
    );
    check(
        "KeyboardInterrupt",
        Some("KeyboardInterrupt"),
        Some("KeyboardInterrupt"),
    );
    check("SystemExit: 1", Some("SystemExit"), Some("SystemExit"));
    check(
        "RayTaskError(RuntimeError): CUDA error: device-side assert triggered",
        Some("RayTaskError(RuntimeError)"),
        None,
    );
    let facts = read(
        "[E ProcessGroupNCCL.cpp:915] [Rank 1] NCCL watchdog thread terminated with exception: CUDA error: device-side assert triggered",
    );
    assert_eq!(
        facts.errors.first().and_then(|e| e.status.as_deref()),
        Some("710")
    );
    let facts = read(
        "terminate called after throwing an instance of 'c10::Error'\n  what():  CUDA error: device-side assert triggered",
    );
    assert_eq!(
        facts.errors.first().and_then(|e| e.class.as_deref()),
        Some("c10::Error")
    );
}

#[test]
fn equal_errors_are_counted() {
    let traceback = "Traceback (most recent call last):\n  File \"a.py\", line 3, in f\n    go()\nIndexError: Target 5 is out of bounds.\n";
    let facts = read(&traceback.repeat(3));
    assert_eq!(facts.errors.len(), 1);
    let error = facts.errors.first().expect("an error");
    assert_eq!((error.count, error.line), (3, 4));
    assert_eq!(error.numbers, [(NumberRole::Value, 5)]);
    let places: Vec<_> = facts.tracebacks.iter().map(|t| t.error).collect();
    assert_eq!(places, [Some(0); 3]);
}

#[test]
fn too_many_errors_keep_the_first_half_and_the_newest() {
    let lines: Vec<String> = (0..5_000)
        .map(|i| format!("RuntimeError: CUDA error: device-side assert triggered, try {i}"))
        .collect();
    let text = lines.join(
        "
",
    );
    let facts = read(&text);
    assert!(facts.errors.len() <= LIMITS.errors);
    assert_eq!(facts.errors.first().map(|e| e.line), Some(1));
    assert_eq!(facts.errors.last().map(|e| e.line), Some(5_000));
    for mark in facts.marks.iter().filter(|m| m.kind == MarkKind::Error) {
        let error = facts
            .errors
            .get(mark.index)
            .expect("a mark points at an error");
        assert!(mark.lines.contains(&error.line));
    }
    assert_eq!(facts.not_understood.len(), 1);
}
