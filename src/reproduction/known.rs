//! What is known of one failure, wherever it comes from: a log's cause or a line of the guard.

use crate::range_check::Number;

/// What is known of one failure.
///
/// Only operation and fault must be known; what is `None` or empty is filled with stand-ins, and the script says so. The guard's
/// violation line has all of it: its `op` and `api` make the operation ([`Operation::of_guard`]), its `check` the fault
/// ([`Fault::of_guard`]), its `what` the argument; the other fields have the same names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// The operation.
    pub operation: Operation,
    /// What was wrong.
    pub fault: Fault,
    /// The argument that holds it (`target`, `input`, `offsets`), where the operation checks several.
    pub argument: Option<String>,
    /// Sizes of the arguments, by name.
    pub shapes: Vec<(String, Vec<u64>)>,
    /// Element type of the argument (`int64`; a `torch.` before it is skipped).
    pub dtype: Option<String>,
    /// The offending value.
    pub value: Option<Number>,
    /// Smallest allowed value.
    pub lo: Option<Number>,
    /// Largest allowed value.
    pub hi: Option<Number>,
    /// `ignore_index`, where one is set.
    pub ignore: Option<i64>,
    /// The dimension that is indexed; from the end where negative.
    pub dim: Option<i64>,
    /// Whether `multinomial` draws with replacement.
    pub replacement: Option<bool>,
    /// A label for each pixel; read from the shapes where they are known.
    pub pixels: bool,
    /// The check stands in compiled code, which does not name its operation.
    pub compiled: bool,
    /// The error's own text, of errors that state sizes or parameters in words.
    pub stated: Option<String>,
}

impl Known {
    /// A failure of which no more is known.
    pub fn new(operation: Operation, fault: Fault) -> Self {
        Self {
            operation,
            fault,
            argument: None,
            shapes: Vec::new(),
            dtype: None,
            value: None,
            lo: None,
            hi: None,
            ignore: None,
            dim: None,
            replacement: None,
            pixels: false,
            compiled: false,
            stated: None,
        }
    }

    /// The sizes of the first of these arguments that is known.
    pub(super) fn shape(&self, names: &[&str]) -> Option<&[u64]> {
        names.iter().find_map(|name| {
            let found = self.shapes.iter().find(|(known, _)| known == name)?;
            Some(found.1.as_slice())
        })
    }

    /// The element type without `torch.`.
    pub(super) fn element(&self) -> Option<&str> {
        let dtype = self.dtype.as_deref()?;
        Some(dtype.strip_prefix("torch.").unwrap_or(dtype))
    }

    /// Whether the fault lies in this argument.
    pub(super) fn is_in(&self, argument: &str) -> bool {
        self.argument.as_deref() == Some(argument)
    }
}

/// What was wrong with the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A value outside its range.
    Range,
    /// NaN.
    Nan,
    /// Weights whose sum is not positive.
    Sum,
    /// Sizes that do not fit together.
    Shape,
    /// An element type that the operation does not take.
    Dtype,
}

impl Fault {
    /// The fault that the guard's `check` names.
    pub fn of_guard(check: &str) -> Option<Self> {
        Some(match check {
            "range" => Self::Range,
            "nan" => Self::Nan,
            "sum" => Self::Sum,
            "shape" => Self::Shape,
            "dtype" => Self::Dtype,
            _ => return None,
        })
    }
}

/// An operation with a check that a script can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// `F.cross_entropy`.
    CrossEntropy,
    /// `F.nll_loss`.
    NllLoss,
    /// `F.multi_margin_loss`.
    MultiMarginLoss,
    /// `F.binary_cross_entropy`.
    BinaryCrossEntropy,
    /// `F.binary_cross_entropy_with_logits`: sizes only.
    BinaryCrossEntropyWithLogits,
    /// `F.ctc_loss`.
    CtcLoss,
    /// `F.embedding`.
    Embedding,
    /// `F.embedding_bag`.
    EmbeddingBag,
    /// `torch.gather`, `torch.take_along_dim`.
    Gather,
    /// `Tensor.scatter`.
    Scatter,
    /// `Tensor.scatter_add`.
    ScatterAdd,
    /// `Tensor.scatter_reduce`.
    ScatterReduce,
    /// `Tensor.index_select`.
    IndexSelect,
    /// `x[index]`.
    IndexGet,
    /// `x[index] = value`, `Tensor.index_put`.
    IndexSet,
    /// `Tensor.index_add`.
    IndexAdd,
    /// `Tensor.index_copy`.
    IndexCopy,
    /// `Tensor.index_fill`.
    IndexFill,
    /// `torch.take`.
    Take,
    /// `Tensor.put_`.
    Put,
    /// `F.one_hot`.
    OneHot,
    /// `F.max_unpool2d`.
    MaxUnpool2d,
    /// `F.max_unpool3d`.
    MaxUnpool3d,
    /// `torch.multinomial`, and what draws with it.
    Multinomial,
    /// `torch.bernoulli`.
    Bernoulli,
    /// `torch.poisson`.
    Poisson,
    /// A class of `torch.distributions`, which [`Known::stated`] names.
    Distribution,
    /// `Tensor.masked_scatter`.
    MaskedScatter,
    /// `torch.repeat_interleave`.
    RepeatInterleave,
    /// `torch.remainder`, `//` and `%` of whole numbers.
    Remainder,
    /// `a @ b`: sizes only.
    Matmul,
    /// `a + b` and other element-wise operations: sizes only.
    Add,
}

impl Operation {
    /// The operation behind a Python name (`F.cross_entropy`, `nn.NLLLoss`, `Tensor.scatter_add_`, `x[index] = value`).
    pub fn named(name: &str) -> Option<Self> {
        if name.contains('[') {
            return Some(if name.contains('=') {
                Self::IndexSet
            } else {
                Self::IndexGet
            });
        }
        let call = name.split('(').next().unwrap_or(name);
        let call = call.strip_suffix(".sample").unwrap_or(call);
        let last = call.rsplit('.').next().unwrap_or(call);
        // `scatter_` is `scatter` in place; `__setitem__` keeps its marks.
        let bare = if last.starts_with('_') {
            last
        } else {
            last.trim_end_matches('_')
        };
        Some(match bare {
            "cross_entropy" | "CrossEntropyLoss" => Self::CrossEntropy,
            "nll_loss" | "nll_loss2d" | "NLLLoss" | "NLLLoss2d" => Self::NllLoss,
            "multi_margin_loss" | "MultiMarginLoss" => Self::MultiMarginLoss,
            "binary_cross_entropy" | "BCELoss" => Self::BinaryCrossEntropy,
            "binary_cross_entropy_with_logits" | "BCEWithLogitsLoss" => {
                Self::BinaryCrossEntropyWithLogits
            }
            "ctc_loss" | "CTCLoss" => Self::CtcLoss,
            "embedding" | "Embedding" => Self::Embedding,
            "embedding_bag" | "EmbeddingBag" => Self::EmbeddingBag,
            "gather" | "take_along_dim" => Self::Gather,
            "scatter" => Self::Scatter,
            "scatter_add" => Self::ScatterAdd,
            "scatter_reduce" => Self::ScatterReduce,
            "index_select" => Self::IndexSelect,
            "index" | "__getitem__" => Self::IndexGet,
            "index_put" | "__setitem__" => Self::IndexSet,
            "index_add" | "index_reduce" => Self::IndexAdd,
            "index_copy" => Self::IndexCopy,
            "index_fill" => Self::IndexFill,
            "take" => Self::Take,
            "put" => Self::Put,
            "one_hot" => Self::OneHot,
            "max_unpool2d" | "MaxUnpool2d" => Self::MaxUnpool2d,
            "max_unpool3d" | "MaxUnpool3d" => Self::MaxUnpool3d,
            "multinomial" | "Categorical" | "generate" => Self::Multinomial,
            "bernoulli" | "Bernoulli" => Self::Bernoulli,
            "poisson" | "Poisson" => Self::Poisson,
            "masked_scatter" => Self::MaskedScatter,
            "repeat_interleave" => Self::RepeatInterleave,
            "remainder" => Self::Remainder,
            _ => return None,
        })
    }

    /// The operation of a guard's violation: its `op`, told apart by the `api` that was called (`index` reads or writes).
    pub fn of_guard(op: &str, api: &str) -> Option<Self> {
        let of_op = Self::named(op)?;
        Some(match Self::named(api) {
            Some(called @ (Self::IndexGet | Self::IndexSet)) if of_op == Self::IndexGet => called,
            _ => of_op,
        })
    }
}
