//! The names of causes. They stand in knowledge files, JSON, tests and reports: never renamed, only added to.

use serde::{Deserialize, Serialize};

macro_rules! causes {
    ($($(#[doc = $doc:literal])+ $name:ident = $id:literal,)+) => {
        /// Why a run died, as a stable name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum CauseId {
            $($(#[doc = $doc])+ #[serde(rename = $id)] $name,)+
        }

        impl CauseId {
            /// Every cause, in the order of the declaration.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// The stable name.
            pub fn id(self) -> &'static str {
                match self { $(Self::$name => $id,)+ }
            }
        }
    };
}

causes! {
    /// A class label outside `0..num_classes` in a loss.
    LabelOutOfRange = "label_out_of_range",
    /// A row number outside an embedding table or `index_select`'s dimension.
    EmbeddingIndex = "embedding_index",
    /// An index outside its dimension in gather, scatter, `one_hot`, `index_add` and the like.
    GatherScatterIndex = "gather_scatter_index",
    /// An index outside its dimension in `x[idx]`, `index_put`, `take`.
    AdvancedIndex = "advanced_index",
    /// An index outside its dimension in a kernel that `torch.compile` generated.
    InductorIndex = "inductor_index",
    /// A value outside `[0, 1]` in binary cross entropy.
    BceRange = "bce_range",
    /// NaN, infinity, negative or all-zero probabilities where one is drawn.
    MultinomialProbs = "multinomial_probs",
    /// A probability or rate outside its range elsewhere (bernoulli, poisson, dropout…).
    ProbabilityRange = "probability_range",
    /// A CTC target that is out of range, empty or too long.
    CtcTarget = "ctc_target",
    /// NaN or infinity came in; the failed check is its symptom.
    NanInputs = "nan_inputs",
    /// Two counts that must agree do not (masked scatter, repeat).
    CountMismatch = "count_mismatch",
    /// Shapes that do not fit.
    ShapeMismatch = "shape_mismatch",
    /// A mathematical precondition is broken (division by zero of integers, singular matrix).
    InvalidMath = "invalid_math",
    /// A check in a kernel that is not PyTorch's own.
    CustomKernel = "custom_kernel",
    /// A check that the program or its libraries asked for (`torch._assert_async`).
    UserAssert = "user_assert",
    /// A check inside PyTorch that data alone cannot break.
    FrameworkInternal = "framework_internal",
    /// A device-side assert whose check is not in the log or not known.
    UnknownAssert = "unknown_assert",
    /// Out of GPU memory.
    Oom = "oom",
    /// An access to memory that is not there, without a check.
    IllegalAccess = "illegal_access",
    /// The launch failed for a reason CUDA does not name.
    LaunchFailure = "launch_failure",
    /// The build has no code for this GPU.
    ArchMismatch = "arch_mismatch",
    /// Driver, CUDA and PyTorch do not fit, or no GPU is visible.
    DriverMismatch = "driver_mismatch",
    /// Another process failed first; this one only reports it.
    NcclSecondary = "nccl_secondary",
    /// A DataLoader worker could not be started (missing guard, unpicklable parts).
    DataloaderSpawn = "dataloader_spawn",
    /// DataLoader workers ran out of memory, page file, shared memory or handles.
    DataloaderMemory = "dataloader_memory",
    /// A DataLoader worker died or raised.
    DataloaderWorkerCrash = "dataloader_worker_crash",
    /// An ordinary Python error on the host.
    PythonError = "python_error",
    /// Another framework's error.
    OtherFramework = "other_framework",
    /// Nothing failed in this log.
    None = "none",
}

impl std::fmt::Display for CauseId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id())
    }
}
