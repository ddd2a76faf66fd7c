//! The kinds of error line that the scanner tells apart.
//!
//! A family is what the line *is* (its text follows one template of PyTorch, CUDA or Python), not what it means:
//! what it means for the user stands in `assets/knowledge/errors.json`, one entry a family, keyed by [`ErrorFamily::id`].

use serde::{Deserialize, Serialize};

macro_rules! families {
    ($($(#[doc = $doc:literal])+ $name:ident = $id:literal,)+) => {
        /// What an error line is. Texts and codes: the CUDA 13 runtime's own tables and PyTorch's sources.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum ErrorFamily {
            $($(#[doc = $doc])+ #[serde(rename = $id)] $name,)+
        }

        impl ErrorFamily {
            /// Every family, in the order of the declaration.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// The stable name used in knowledge files and in JSON.
            pub fn id(self) -> &'static str {
                match self { $(Self::$name => $id,)+ }
            }
        }
    };
}

families! {
    // --- CUDA runtime errors -------------------------------------------------
    /// `device-side assert triggered` (710, 59 up to CUDA 10.0), in every wrapping: `CUDA error:`, `cuda runtime error (59) :`, `Triton Error [CUDA]:`, HIP.
    DeviceAssert = "device_assert",
    /// `an illegal memory access was encountered` (700).
    IllegalAddress = "illegal_address",
    /// `unspecified launch failure` (719).
    LaunchFailure = "launch_failure",
    /// `misaligned address` (716).
    MisalignedAddress = "misaligned_address",
    /// `an illegal instruction was encountered` (715).
    IllegalInstruction = "illegal_instruction",
    /// `operation not supported on global/shared address space` (717), `invalid program counter` (718), `hardware stack error` (714).
    KernelFault = "kernel_fault",
    /// `the launch timed out and was terminated` (702): the display watchdog.
    LaunchTimeout = "launch_timeout",
    /// `too many resources requested for launch` (701).
    LaunchResources = "launch_resources",
    /// `CUDA out of memory. Tried to allocate …`, `CUDA error: out of memory` (2), `HIP out of memory`.
    OutOfMemory = "out_of_memory",
    /// `DefaultCPUAllocator: can't allocate memory`, Python's `MemoryError`: the computer's memory, not the GPU's.
    HostMemory = "host_memory",
    /// `no kernel image is available for execution on the device` (209), `invalid device function` (98), "… is not compatible with the current PyTorch installation", ``FATAL: kernel `fmha_…` is for sm80-sm100, but was built for sm37``.
    NoKernelImage = "no_kernel_image",
    /// `CUDA driver version is insufficient for CUDA runtime version` (35), "The NVIDIA driver on your system is too old".
    DriverTooOld = "driver_too_old",
    /// `no CUDA-capable device is detected` (100), "No CUDA GPUs are available", "Found no NVIDIA driver on your system", "Torch not compiled with CUDA enabled".
    NoDevice = "no_device",
    /// `invalid device ordinal` (101).
    InvalidDevice = "invalid_device",
    /// `initialization error` (3), `forward compatibility was attempted on non supported HW` (804), "CUDA driver initialization failed".
    CudaInit = "cuda_init",
    /// `CUDA-capable device(s) is/are busy or unavailable` (46).
    DeviceBusy = "device_busy",
    /// `OS call failed or operation not supported on this OS` (304, 63 old), `operation not supported` (801): CUDA tensors handed between processes.
    CudaIpc = "cuda_ipc",
    /// `uncorrectable ECC error encountered` (214): hardware.
    EccError = "ecc_error",
    /// `operation not permitted when stream is capturing` (900).
    StreamCapture = "stream_capture",
    /// `invalid argument` (1) from a CUDA call.
    InvalidArgument = "invalid_argument",
    /// `context is destroyed` (709), `driver shutting down` (4): always after something else.
    CudaTeardown = "cuda_teardown",
    /// `unknown error` (999, 30 old) and CUDA errors with a text that is not in the table.
    OtherCuda = "other_cuda",
    // --- Libraries on top of CUDA --------------------------------------------
    /// `CUDA error: CUBLAS_STATUS_X when calling …` other than `ALLOC_FAILED`.
    Cublas = "cublas",
    /// `CUBLAS_STATUS_ALLOC_FAILED`: no memory for the handle, or a dead context.
    CublasAlloc = "cublas_alloc",
    /// `cuDNN error: CUDNN_STATUS_X`, `cuDNN Frontend error: …`, and the same of cuSOLVER, cuFFT, cuSPARSE.
    Cudnn = "cudnn",
    /// NCCL errors and warnings, `ncclUnhandledCudaError`, `NCCL WARN Cuda failure …`.
    Nccl = "nccl",
    /// "NCCL watchdog thread terminated with exception", "Process group watchdog thread terminated", collective time-outs.
    NcclWatchdog = "nccl_watchdog",
    /// A launcher that reports a dead child: elastic's `ChildFailedError`, `ProcessExitedException`, ray's "A worker died".
    ChildFailed = "child_failed",
    // --- The same mistakes, noticed on the CPU or before the launch ------------
    /// `IndexError: Target 5 is out of bounds.` and older ``Assertion `cur_target >= 0 && cur_target < n_classes' failed``; margin losses' `target out of range`.
    CpuTarget = "cpu_target",
    /// `AssertDoctorGuardError: cross_entropy: target[3, 17] is 80, …`: this program's own guard stopped a call before the kernel.
    GuardCaught = "guard_caught",
    /// `expected target dtype to be Long`, `expected scalar type Long but found …`, and other dtype complaints.
    Dtype = "dtype",
    /// `Expected input batch_size (3) to match target batch_size (4).`, `0D or 1D target tensor expected`, `mat1 and mat2 shapes cannot be multiplied`, `The size of tensor a (3) must match …`, `size mismatch for …`, `Sizes of tensors must match`, `stack expects each tensor to be equal size`.
    Shape = "shape",
    /// `all elements of input should be between 0 and 1`, the same of target.
    CpuBce = "cpu_bce",
    /// `IndexError: index out of range in self`, `index out of range: Tried to access index 10 out of table with 9 rows`, EmbeddingBag's `takes value 10 which is not in the valid range`.
    CpuEmbedding = "cpu_embedding",
    /// `index 4 is out of bounds for dimension 1 with size 4` as `RuntimeError` (gather, scatter), `Class values must be smaller than num_classes.`, `Found an invalid max index`.
    CpuGather = "cpu_gather",
    /// `IndexError: index 3 is out of bounds for dimension 0 with size 3`, `out of range: tried to access index 5 on a tensor of 3 elements`.
    CpuIndex = "cpu_index",
    /// ``probability tensor contains either `inf`, `nan` or element < 0``, `invalid multinomial distribution`.
    CpuMultinomial = "cpu_multinomial",
    /// `Expected p_in >= 0 && p_in <= 1`, `invalid Poisson rate`, `Expected value argument … to be within the support`, NaN in a distribution's parameters.
    CpuProbability = "cpu_probability",
    /// `Number of elements of source < number of ones in mask`, `repeats can not be negative`, `allocated size does not match required size`.
    CpuCount = "cpu_count",
    /// `Function 'XBackward0' returned nan values`, "Input contains NaN", "Loss is nan, stopping training".
    NanFound = "nan_found",
    // --- DataLoader, processes, Windows --------------------------------------
    /// "An attempt has been made to start a new process before the current process has finished its bootstrapping phase": the missing `__main__` guard.
    SpawnGuard = "spawn_guard",
    /// `Can't pickle local object`, `cannot pickle '…' object`, `Can't get attribute … on <module '__main__'`, `EOFError: Ran out of input`, `pickle data was truncated`, `BrokenPipeError` while a worker starts.
    WorkerPickle = "worker_pickle",
    /// `DataLoader worker (pid(s) 1234) exited unexpectedly`, `is killed by signal: …`, `Pin memory thread exited unexpectedly`, `DataLoader timed out`.
    WorkerExited = "worker_exited",
    /// `Caught KeyError in DataLoader worker process 0.`: the worker's own exception follows.
    WorkerException = "worker_exception",
    /// `[WinError 1455]`, `Couldn't open shared file mapping: <torch_…>, error code: <1455>`, "insufficient shared memory (shm)", "Too many open files".
    WorkerMemory = "worker_memory",
    /// "Cannot re-initialize CUDA in forked subprocess".
    ForkedCuda = "forked_cuda",
    // --- Other ----------------------------------------------------------------
    /// A kernel that could not be compiled: Triton's `CompilationError`, `BackendCompilerFailed`, `ninja` and `nvcc` build errors.
    CompileFailed = "compile_failed",
    /// A framework other than PyTorch speaks: Paddle, TensorFlow, JAX, `MXNet`, ONNX Runtime.
    OtherFramework = "other_framework",
    /// Any other Python exception at the end of a traceback.
    PythonException = "python_exception",
    /// The process died without an exception: `Aborted (core dumped)`, `Segmentation fault`, `terminate called …` with nothing known inside, "Unhandled exception caught in c10/util/AbortHandler.h".
    ProcessDied = "process_died",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_distinct() {
        let ids: std::collections::BTreeSet<_> = ErrorFamily::ALL.iter().map(|f| f.id()).collect();
        assert_eq!(ids.len(), ErrorFamily::ALL.len());
    }
}
