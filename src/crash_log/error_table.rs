//! The texts by which error lines are told apart, in the order in which they are tried.
//!
//! CUDA's own error texts stand in [`CUDA_ERRORS`] because they occur in a dozen wrappings; everything else is one row of
//! [`ROWS`]. Texts are PyTorch's, CUDA's, `CPython`'s and the launchers', in every wording that a release has used.

use super::ErrorFamily as F;

/// One of the CUDA runtime's errors.
pub(super) struct CudaError {
    /// The text that `cudaGetErrorString` gives.
    pub text: &'static str,
    /// Today's code.
    pub code: u32,
    /// The code up to CUDA 10.0, where it was another.
    pub old_code: Option<u32>,
    /// The runtime's name, without `cudaError`.
    pub name: &'static str,
    /// The driver's name, without `CUDA_ERROR_`; empty where it has none.
    pub driver_name: &'static str,
    /// What it is.
    pub family: F,
    /// The text is CUDA's wherever it stands; others ("out of memory") need a CUDA wrapping before them.
    pub specific: bool,
}

const fn cuda(
    text: &'static str,
    code: u32,
    old_code: Option<u32>,
    name: &'static str,
    driver_name: &'static str,
    family: F,
    specific: bool,
) -> CudaError {
    CudaError {
        text,
        code,
        old_code,
        name,
        driver_name,
        family,
        specific,
    }
}

/// The CUDA runtime's errors, longer texts before those that they contain.
#[rustfmt::skip]
pub(super) const CUDA_ERRORS: &[CudaError] = &[
    cuda("device-side assert triggered", 710, Some(59), "Assert", "ASSERT", F::DeviceAssert, true),
    cuda("an illegal memory access was encountered", 700, Some(77), "IllegalAddress", "ILLEGAL_ADDRESS", F::IllegalAddress, true),
    cuda("unspecified launch failure", 719, Some(4), "LaunchFailure", "LAUNCH_FAILED", F::LaunchFailure, true),
    cuda("misaligned address", 716, Some(74), "MisalignedAddress", "MISALIGNED_ADDRESS", F::MisalignedAddress, false),
    cuda("an illegal instruction was encountered", 715, Some(73), "IllegalInstruction", "ILLEGAL_INSTRUCTION", F::IllegalInstruction, true),
    cuda("operation not supported on global/shared address space", 717, Some(75), "InvalidAddressSpace", "INVALID_ADDRESS_SPACE", F::KernelFault, true),
    cuda("invalid program counter", 718, Some(76), "InvalidPc", "INVALID_PC", F::KernelFault, false),
    cuda("hardware stack error", 714, Some(72), "HardwareStackError", "HARDWARE_STACK_ERROR", F::KernelFault, false),
    cuda("the launch timed out and was terminated", 702, Some(6), "LaunchTimeout", "LAUNCH_TIMEOUT", F::LaunchTimeout, true),
    cuda("too many resources requested for launch", 701, Some(7), "LaunchOutOfResources", "LAUNCH_OUT_OF_RESOURCES", F::LaunchResources, true),
    cuda("no kernel image is available for execution on the device", 209, Some(48), "NoKernelImageForDevice", "NO_BINARY_FOR_GPU", F::NoKernelImage, true),
    cuda("invalid device function", 98, Some(8), "InvalidDeviceFunction", "", F::NoKernelImage, false),
    cuda("CUDA driver version is insufficient for CUDA runtime version", 35, None, "InsufficientDriver", "", F::DriverTooOld, true),
    cuda("no CUDA-capable device is detected", 100, Some(38), "NoDevice", "NO_DEVICE", F::NoDevice, true),
    cuda("no ROCm-capable device is detected", 100, None, "NoDevice", "", F::NoDevice, true),
    cuda("invalid device ordinal", 101, Some(10), "InvalidDevice", "INVALID_DEVICE", F::InvalidDevice, false),
    cuda("CUDA-capable device(s) is/are busy or unavailable", 46, None, "DevicesUnavailable", "DEVICE_UNAVAILABLE", F::DeviceBusy, true),
    cuda("all CUDA-capable devices are busy or unavailable", 46, None, "DevicesUnavailable", "", F::DeviceBusy, true),
    cuda("OS call failed or operation not supported on this OS", 304, Some(63), "OperatingSystem", "OPERATING_SYSTEM", F::CudaIpc, true),
    cuda("forward compatibility was attempted on non supported HW", 804, None, "CompatNotSupportedOnDevice", "COMPAT_NOT_SUPPORTED_ON_DEVICE", F::CudaInit, true),
    cuda("uncorrectable ECC error encountered", 214, Some(39), "ECCUncorrectable", "ECC_UNCORRECTABLE", F::EccError, true),
    cuda("operation not permitted when stream is capturing", 900, None, "StreamCaptureUnsupported", "STREAM_CAPTURE_UNSUPPORTED", F::StreamCapture, true),
    cuda("operation failed due to a previous error during capture", 901, None, "StreamCaptureInvalidated", "STREAM_CAPTURE_INVALIDATED", F::StreamCapture, true),
    cuda("context is destroyed", 709, None, "ContextIsDestroyed", "CONTEXT_IS_DESTROYED", F::CudaTeardown, false),
    cuda("driver shutting down", 4, Some(29), "CudartUnloading", "DEINITIALIZED", F::CudaTeardown, false),
    cuda("operation not supported", 801, Some(71), "NotSupported", "NOT_SUPPORTED", F::CudaIpc, false),
    cuda("initialization error", 3, None, "InitializationError", "NOT_INITIALIZED", F::CudaInit, false),
    cuda("out of memory", 2, None, "MemoryAllocation", "OUT_OF_MEMORY", F::OutOfMemory, false),
    cuda("invalid argument", 1, Some(11), "InvalidValue", "INVALID_VALUE", F::InvalidArgument, false),
    cuda("unknown error", 999, Some(30), "Unknown", "UNKNOWN", F::OtherCuda, false),
];

/// What stands before a CUDA error's text. The first that a line contains decides where the text begins.
pub(super) const CUDA_WRAPPINGS: &[&str] = &[
    "CUDA error: ",
    "CUDA Error: ",
    "CUDA ERROR: ",
    "CUDA error (",
    "CUDA error code=",
    "CUDA driver error: ",
    "CUDA runtime error: ",
    "CUDA Runtime Error: ",
    "CUDA Runtime API error ",
    "CUDARuntimeError: ",
    "HIP error: ",
    "HIP runtime error",
    "Triton Error [CUDA]: ",
    "Triton Error [HIP]: ",
    "cuda runtime error (",
    "THCudaCheck FAIL",
    "Cuda failure ",
    "CUDA failure ",
    "CUDA_CHECK failed",
    "CUDA call failed",
    "CUDA kernel failed : ",
    "CUDA kernel failed: ",
    "CUDAassert: ",
    "GPUassert: ",
    "cudaCheckError() failed",
    "== cudaSuccess",
    "cudaGetLastError",
    "cudaDeviceSynchronize",
    "cudaGetDeviceCount",
    "CudaAPIError: ",
];

/// Wrappings behind which any other text is a CUDA error that is not in the table.
pub(super) const CUDA_UNKNOWN: &[&str] = &[
    "CUDA error: ",
    "CUDA driver error: ",
    "HIP error: ",
    "Triton Error [CUDA]: ",
    "Triton Error [HIP]: ",
    "cuda runtime error (",
    "THCudaCheck FAIL",
    "UNKNOWN_CUDA_ERROR",
];

/// One wording: all of `needles` stand in the line.
pub(super) struct Row {
    /// Substrings that all occur.
    pub needles: &'static [&'static str],
    /// What the line is.
    pub family: F,
    /// The words are so much their own that a log line with them counts; otherwise an exception's class must stand before.
    pub anywhere: bool,
}

const fn row(family: F, needles: &'static [&'static str]) -> Row {
    Row {
        needles,
        family,
        anywhere: true,
    }
}

const fn exception(family: F, needles: &'static [&'static str]) -> Row {
    Row {
        needles,
        family,
        anywhere: false,
    }
}

/// Rows tried before CUDA's own texts: wrappings that say more than the CUDA error inside them.
#[rustfmt::skip]
pub(super) const WRAPPING_ROWS: &[Row] = &[
    // The guard's own exception: its sentence speaks of shapes and ranges as PyTorch's errors do.
    exception(F::GuardCaught, &["AssertDoctorGuardError"]),
    // Watchdogs quote the CUDA error that they met.
    row(F::NcclWatchdog, &["watchdog thread terminated with exception"]),
    row(F::NcclWatchdog, &["Watchdog caught collective operation timeout"]),
    row(F::NcclWatchdog, &["caught collective operation timeout"]),
    row(F::NcclWatchdog, &["NCCL operations have failed or timed out"]),
    row(F::NcclWatchdog, &["To avoid data inconsistency, we are taking the entire process down"]),
    row(F::NcclWatchdog, &["SymmetricMemory::barrier", "failed to receive signal"]),
    row(F::NcclWatchdog, &["monitoredBarrier", "failed to pass"]),
    row(F::NcclWatchdog, &["Heartbeat monitor timed out"]),
    // A worker's exception text quotes the worker's error class.
    row(F::WorkerException, &["Caught ", " in DataLoader worker process "]),
    row(F::WorkerException, &["Caught ", " in pin memory thread"]),
    row(F::WorkerException, &["Caught ", " in replica ", " on device "]),
    row(F::ForkedCuda, &["Cannot re-initialize CUDA in forked subprocess"]),
    // What a browser's translation leaves of "device-side assert triggered".
    row(F::DeviceAssert, &["CUDA", "设备端断言"]),
    row(F::DeviceAssert, &["CUDA", "设备侧断言"]),
    row(F::DeviceAssert, &["CUDA", "設備端斷言"]),
    row(F::DeviceAssert, &["CUDA", "裝置端斷言"]),
    // ROCm's runtime ends the process itself.
    row(F::IllegalAddress, &["Memory access fault by GPU"]),
    // Installation: CUDA's initialisation quotes reasons.
    row(F::DriverTooOld, &["The NVIDIA driver on your system is too old"]),
    row(F::NoDevice, &["Found no NVIDIA driver on your system"]),
    row(F::NoDevice, &["Torch not compiled with CUDA enabled"]),
    row(F::NoDevice, &["PyTorch is not linked with support for cuda devices"]),
    row(F::NoDevice, &["No CUDA GPUs are available"]),
    row(F::NoDevice, &["No HIP GPUs are available"]),
    row(F::NoDevice, &["Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False"]),
    row(F::InvalidDevice, &["Attempting to deserialize object on CUDA device "]),
    row(F::NoKernelImage, &["is not compatible with the current PyTorch installation"]),
    row(F::NoKernelImage, &["PyTorch no longer supports this GPU because it is too old"]),
    row(F::NoKernelImage, &["FATAL: kernel `", "but was built for sm"]),
    exception(F::InvalidDevice, &["device < num_gpus INTERNAL ASSERT FAILED"]),
    row(F::CudaInit, &["CUDA driver initialization failed"]),
    row(F::CudaInit, &["CUDA unknown error - this may be due to an incorrectly set up environment"]),
    // Libraries on top of CUDA.
    row(F::Nccl, &["NCCL WARN"]),
    row(F::Nccl, &["NCCL error"]),
    row(F::Nccl, &["NCCL Error "]),
    row(F::Nccl, &["NCCL communicator was aborted"]),
    row(F::Nccl, &["ncclUnhandledCudaError"]),
    row(F::Nccl, &["ncclSystemError"]),
    row(F::Nccl, &["ncclInternalError"]),
    row(F::Nccl, &["ncclRemoteError"]),
    row(F::Nccl, &["ncclInvalidUsage"]),
    exception(F::Nccl, &["DistBackendError"]),
    row(F::CublasAlloc, &["CUBLAS_STATUS_ALLOC_FAILED"]),
    row(F::CublasAlloc, &["cublas runtime error : resource allocation failed"]),
    row(F::Cublas, &["CUBLAS_STATUS_"]),
    row(F::Cublas, &["cublas runtime error"]),
    row(F::Cublas, &["HIPBLAS_STATUS_"]),
    row(F::Cublas, &["rocblas_status_"]),
    row(F::Cudnn, &["cuDNN error: "]),
    row(F::Cudnn, &["cuDNN Frontend error"]),
    row(F::Cudnn, &["CUDNN_STATUS_"]),
    row(F::Cudnn, &["CUDNN_BACKEND_"]),
    row(F::Cudnn, &["Unable to find a valid cuDNN algorithm"]),
    row(F::Cudnn, &["GET was unable to find an engine to execute this computation"]),
    row(F::Cudnn, &["unable to find an engine to execute this computation"]),
    row(F::Cudnn, &["miopenStatus"]),
    row(F::Cudnn, &["cusolver error: "]),
    row(F::Cudnn, &["CUSOLVER_STATUS_"]),
    row(F::Cudnn, &["cuFFT error: "]),
    row(F::Cudnn, &["CUFFT_"]),
    row(F::Cudnn, &["CUSPARSE_STATUS_"]),
    row(F::Cudnn, &["CURAND_STATUS_"]),
    // Memory.
    row(F::OutOfMemory, &["CUDA out of memory."]),
    row(F::OutOfMemory, &["HIP out of memory."]),
    row(F::OutOfMemory, &["CUDA out of memory", "Tried to allocate"]),
    row(F::OutOfMemory, &["CUDA_ERROR_OUT_OF_MEMORY"]),
    exception(F::OutOfMemory, &["OutOfMemoryError"]),
    row(F::WorkerMemory, &["[WinError 1455]"]),
    row(F::WorkerMemory, &["WinError 1455"]),
    row(F::WorkerMemory, &["open shared file mapping"]),
    row(F::WorkerMemory, &["map view of shared file"]),
    row(F::WorkerMemory, &["Unexpected bus error encountered in worker"]),
    row(F::WorkerMemory, &["insufficient shared memory (shm)"]),
    row(F::WorkerMemory, &["Too many open files"]),
    row(F::WorkerMemory, &["unable to open shared memory object"]),
    row(F::WorkerMemory, &["unable to mmap ", "Cannot allocate memory"]),
    row(F::WorkerMemory, &["received 0 items of ancdata"]),
    row(F::WorkerMemory, &["unable to write to file </torch_"]),
    row(F::HostMemory, &["[WinError 8]"]),
    row(F::HostMemory, &["DefaultCPUAllocator: "]),
    row(F::HostMemory, &["[enforce fail at alloc_cpu.cpp"]),
    row(F::HostMemory, &["[Errno 12] Cannot allocate memory"]),
    row(F::HostMemory, &["oom_kill event"]),
    row(F::HostMemory, &["OOM Killed"]),
    row(F::HostMemory, &["Out of memory: Killed process"]),
    exception(F::HostMemory, &["Unable to allocate ", " for an array with shape"]),
    exception(F::HostMemory, &["std::bad_alloc"]),
    exception(F::HostMemory, &["bad allocation"]),
    // DataLoader and processes.
    row(F::SpawnGuard, &["An attempt has been made to start a new process before"]),
    row(F::WorkerExited, &["DataLoader worker (pid", "exited unexpectedly"]),
    row(F::WorkerExited, &["DataLoader worker (pid", "is killed by signal"]),
    row(F::WorkerExited, &["Pin memory thread exited unexpectedly"]),
    row(F::WorkerExited, &["DataLoader timed out after"]),
    row(F::WorkerPickle, &["Can't pickle "]),
    row(F::WorkerPickle, &["Can't get local object"]),
    row(F::WorkerPickle, &["Can't get attribute ", " on <module '__m"]),
    row(F::WorkerPickle, &["pickle data was truncated"]),
    row(F::WorkerPickle, &["EOFError: Ran out of input"]),
    row(F::WorkerPickle, &["BrokenPipeError: [Errno 32]"]),
    row(F::WorkerPickle, &["Got pickle error when attempting to start a worker"]),
    exception(F::WorkerPickle, &["cannot pickle '", "' object"]),
    exception(F::WorkerPickle, &["can't pickle ", " object"]),
    exception(F::WorkerPickle, &["BrokenPipeError"]),
    exception(F::WorkerPickle, &["PicklingError"]),
    row(F::ChildFailed, &["ChildFailedError"]),
    row(F::ChildFailed, &["ProcessExitedException"]),
    row(F::ChildFailed, &["ProcessRaisedException"]),
    row(F::ChildFailed, &["A worker died or was killed"]),
    row(F::ChildFailed, &["failed (exitcode: "]),
    row(F::ChildFailed, &["exits with return code = "]),
    row(F::ChildFailed, &["-- Process ", " terminated with the following error"]),
    exception(F::ChildFailed, &["RayActorError"]),
    exception(F::ChildFailed, &["ActorDiedError"]),
    exception(F::ChildFailed, &["WorkerCrashedError"]),
    exception(F::ChildFailed, &["BrokenProcessPool"]),
    exception(F::ChildFailed, &["CalledProcessError", "python"]),
    exception(F::ChildFailed, &["EngineDeadError"]),
    // Building kernels.
    row(F::CompileFailed, &["BackendCompilerFailed"]),
    row(F::CompileFailed, &["backend='inductor' raised"]),
    row(F::CompileFailed, &["CompilationError: at "]),
    row(F::CompileFailed, &["triton.compiler.errors."]),
    row(F::CompileFailed, &["ninja: build stopped"]),
    row(F::CompileFailed, &["Error building extension '"]),
    row(F::CompileFailed, &["Error compiling objects for extension"]),
    row(F::CompileFailed, &["nvcc fatal"]),
    row(F::CompileFailed, &["ptxas fatal"]),
    row(F::CompileFailed, &["nvcc", "failed with exit "]),
    row(F::CompileFailed, &["PassManager::run failed"]),
    row(F::CompileFailed, &["mismatches the version that was used to compile"]),
    row(F::CompileFailed, &["CUDA_HOME environment variable is not set"]),
    row(F::CompileFailed, &["Ninja is required to load C++ extensions"]),
    exception(F::CompileFailed, &["CompilationError"]),
    exception(F::CompileFailed, &["InductorError"]),
    exception(F::CompileFailed, &["CppCompileError"]),
    exception(F::CompileFailed, &["CUDACompileError"]),
    exception(F::CompileFailed, &["PTXASError"]),
    exception(F::CompileFailed, &["LoweringException"]),
    exception(F::CompileFailed, &["TritonMissing"]),
    exception(F::CompileFailed, &["Failed to find C compiler"]),
    exception(F::CompileFailed, &["Cannot find a working triton installation"]),
];

/// Rows tried after CUDA's own texts.
#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    // The same mistakes on the CPU.
    row(F::CpuTarget, &["Assertion `cur_target >= 0 && cur_target < n_classes' failed"]),
    exception(F::CpuTarget, &["Target ", " is out of bounds."]),
    exception(F::CpuTarget, &["cur_target >= 0 && cur_target < n_classes"]),
    // Ultralytics and others look at the labels first.
    exception(F::CpuTarget, &["Label class ", " exceeds "]),
    exception(F::CpuTarget, &["target out of range"]),
    exception(F::CpuTarget, &["'target' is out of range"]),
    exception(F::CpuEmbedding, &["index out of range in self"]),
    exception(F::CpuEmbedding, &["index out of range: Tried to access index"]),
    exception(F::CpuEmbedding, &["index out of range at "]),
    exception(F::CpuEmbedding, &[" takes value ", " which is not in the valid range"]),
    exception(F::CpuEmbedding, &["select(): index ", " out of range for tensor of size"]),
    exception(F::CpuEmbedding, &["offsets[-1] can not be greater than input"]),
    exception(F::CpuGather, &["Class values must be "]),
    exception(F::CpuGather, &["Found an invalid max index"]),
    // PyG looks at the graph when an index_select failed.
    exception(F::CpuGather, &["indices in 'edge_index' point to valid indices"]),
    exception(F::CpuGather, &["Found indices in 'edge_index' that are larger than"]),
    exception(F::CpuGather, &["Found negative indices in 'edge_index'"]),
    exception(F::CpuGather, &["Invalid index in gather"]),
    exception(F::CpuGather, &["Invalid index in scatter"]),
    exception(F::CpuIndex, &["out of range: tried to access index"]),
    // Which of the two it is depends on the class; `errors` decides.
    exception(F::CpuIndex, &[" is out of bounds for dim"]),
    exception(F::CpuBce, &["all elements of input should be between 0 and 1"]),
    exception(F::CpuBce, &["all elements of target should be between 0 and 1"]),
    exception(F::CpuBce, &["input value should be between 0~1"]),
    exception(F::CpuMultinomial, &["probability tensor contains either"]),
    exception(F::CpuMultinomial, &["invalid multinomial distribution"]),
    exception(F::CpuProbability, &["Expected p_in >= 0 && p_in <= 1"]),
    exception(F::CpuProbability, &["invalid Poisson rate"]),
    exception(F::CpuProbability, &["to be within the support"]),
    exception(F::CpuProbability, &["must be within the support"]),
    exception(F::CpuProbability, &["Expected parameter ", "to satisfy the constraint"]),
    exception(F::CpuProbability, &["The parameter ", " has invalid values"]),
    exception(F::CpuProbability, &["expects p to be in [0, 1]"]),
    exception(F::CpuCount, &["Number of elements of source < number of ones in mask"]),
    exception(F::CpuCount, &["repeats can not be negative"]),
    exception(F::CpuCount, &["allocated size does not match required size"]),
    // NaN.
    row(F::NanFound, &["Loss is nan, stopping training"]),
    row(F::NanFound, &["Loss is inf, stopping training"]),
    row(F::NanFound, &["Loss is NaN, stopping training"]),
    row(F::NanFound, &["oss became infinite or NaN"]),
    row(F::NanFound, &["contain Inf/NaN"]),
    row(F::NanFound, &["contains Inf/NaN"]),
    exception(F::NanFound, &["Training has diverged"]),
    exception(F::NanFound, &["nan loss encountered"]),
    exception(F::NanFound, &["NaN loss"]),
    exception(F::NanFound, &["oss is NaN"]),
    exception(F::NanFound, &["oss is nan"]),
    row(F::NanFound, &["Model diverged with loss"]),
    row(F::NanFound, &["NaN or Inf found in input tensor"]),
    exception(F::NanFound, &[" returned nan values in its "]),
    exception(F::NanFound, &["Input contains NaN"]),
    exception(F::NanFound, &["Input X contains NaN"]),
    exception(F::NanFound, &["contains NaN, infinity or a value too large"]),
    exception(F::NanFound, &["Minimum loss scale reached"]),
    exception(F::NanFound, &["Current loss scale already at minimum"]),
    // Element types.
    exception(F::Dtype, &["expected target dtype to be "]),
    exception(F::Dtype, &["xpected scalar type "]),
    exception(F::Dtype, &["xpected object of scalar type "]),
    exception(F::Dtype, &["xpected object of type torch."]),
    exception(F::Dtype, &["to have scalar type "]),
    exception(F::Dtype, &["to have one of the following scalar types"]),
    exception(F::Dtype, &["\" not implemented for '"]),
    exception(F::Dtype, &["_cuda not implemented for '"]),
    exception(F::Dtype, &["Found dtype ", " but expected "]),
    exception(F::Dtype, &["tensors used as indices must be long"]),
    exception(F::Dtype, &["one_hot is only applicable to index tensor"]),
    exception(F::Dtype, &["result type ", "can't be cast to"]),
    exception(F::Dtype, &["Input type (", ") and weight type ("]),
    exception(F::Dtype, &["Input type (", ") and bias type ("]),
    exception(F::Dtype, &["must have the same dtype"]),
    exception(F::Dtype, &["to have the same dtype"]),
    // Shapes.
    exception(F::Shape, &["xpected input batch_size ("]),
    exception(F::Shape, &["1D target tensor expected"]),
    exception(F::Shape, &["multi-target not supported"]),
    exception(F::Shape, &["only batches of spatial targets supported"]),
    exception(F::Shape, &["xpected target size "]),
    exception(F::Shape, &["shapes cannot be multiplied"]),
    exception(F::Shape, &["size mismatch, m1:"]),
    exception(F::Shape, &["size mismatch, got "]),
    row(F::Shape, &["size mismatch for ", ": copying a param"]),
    exception(F::Shape, &["The size of tensor a ("]),
    exception(F::Shape, &["Sizes of tensors must match"]),
    exception(F::Shape, &["stack expects each tensor to be equal size"]),
    exception(F::Shape, &["Target size (", "must be the same as input size"]),
    exception(F::Shape, &["Using a target size (", "is deprecated"]),
    exception(F::Shape, &["The expanded size of the tensor ("]),
    exception(F::Shape, &["Given groups=", "weight of size"]),
    exception(F::Shape, &["' is invalid for input of size"]),
    exception(F::Shape, &["shape mismatch: "]),
    exception(F::Shape, &["could not be broadcast together with shapes"]),
    exception(F::Shape, &["input.size(-1) must be equal to input_size"]),
    exception(F::Shape, &["Index tensor must have the same number of dimensions"]),
    exception(F::Shape, &["Size does not match at dimension"]),
    exception(F::Shape, &["Trying to create tensor with negative dimension"]),
];

/// A way of dying without an exception.
pub(super) struct Death {
    /// Stands in the line.
    pub needle: &'static str,
    /// The line holds nothing else.
    pub whole_line: bool,
    /// The signal, where the text tells it.
    pub status: &'static str,
}

const fn death(needle: &'static str, whole_line: bool, status: &'static str) -> Death {
    Death {
        needle,
        whole_line,
        status,
    }
}

/// Ways of dying without an exception.
#[rustfmt::skip]
pub(super) const DEATHS: &[Death] = &[
    death("Unhandled exception caught in c10/util/AbortHandler.h", false, "SIGABRT"),
    death("Aborted (core dumped)", false, "SIGABRT"),
    death("Segmentation fault", false, "SIGSEGV"),
    death("Bus error (core dumped)", false, "SIGBUS"),
    death("Floating point exception (core dumped)", false, "SIGFPE"),
    death("Illegal instruction (core dumped)", false, "SIGILL"),
    death("Fatal Python error: Aborted", false, "SIGABRT"),
    death("Fatal Python error: Segmentation fault", false, "SIGSEGV"),
    death("Fatal Python error: ", false, ""),
    death("Windows fatal exception: access violation", false, "0xC0000005"),
    death("Windows fatal exception: ", false, ""),
    death("*** Aborted at ", false, "SIGABRT"),
    death("terminate called without an active exception", false, "SIGABRT"),
    death("terminate called recursively", false, "SIGABRT"),
    death("Aborted", true, "SIGABRT"),
    death("Aborted!", true, "SIGABRT"),
    death("Killed", true, "SIGKILL"),
    death("zsh: abort", false, "SIGABRT"),
    death("zsh: segmentation fault", false, "SIGSEGV"),
    death("interrupted by signal 6", false, "SIGABRT"),
    death("interrupted by signal 9", false, "SIGKILL"),
    death("interrupted by signal 11", false, "SIGSEGV"),
    // Windows prints its codes as 32-bit numbers, with or without a sign, and not always in hexadecimal beside.
    death("code -1073741819", false, "0xC0000005"),
    death("code 3221225477", false, "0xC0000005"),
    death("code -1073740791", false, "0xC0000409"),
    death("code 3221226505", false, "0xC0000409"),
    death("退出代码为 -1073741819", false, "0xC0000005"),
    death("退出代码为 -1073740791", false, "0xC0000409"),
    death("(0xC0000005)", false, "0xC0000005"),
    death("(0xC0000409)", false, "0xC0000409"),
    death("(0xC00000FD)", false, "0xC00000FD"),
    death("(0xC000001D)", false, "0xC000001D"),
];

/// Marks of frameworks that are not PyTorch, in their own exceptions and fatal lines. Their information and warning lines are
/// left out: `TensorFlow` prints alarming ones whenever TensorBoard imports it.
pub(super) const OTHER_FRAMEWORKS: &[&str] = &[
    "(External) CUDA error",
    "(External) CUDNN error",
    "(External) CUBLAS error",
    "(External) NCCL error",
    "(InvalidArgument) ",
    "(PreconditionNotMet) ",
    "(ResourceExhausted)",
    "(OutOfRange) ",
    "paddle::platform::",
    "paddle.fluid.",
    "paddle.base.core.",
    "FatalError: `Termination signal` is detected by the operating system",
    "[operator < ",
    "tensorflow.python.framework.errors_impl.",
    "{{node ",
    "[Op:",
    "F tensorflow/",
    "XlaRuntimeError",
    "JaxRuntimeError",
    "jaxlib.",
    "MXNetError",
    "mxnet.base.",
    "[ONNXRuntimeError]",
    "onnxruntime_pybind11_state.",
    "[E:onnxruntime:",
];
