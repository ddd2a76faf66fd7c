//! What is known of one failure, wherever it comes from: a log's cause or a line of the guard.

use crate::crash_log::{GuardCheck, GuardNumber, GuardViolation, NotFinite};
use crate::range_check::Number;

/// What is known of one failure.
///
/// Only operation and fault must be known; what is `None` or empty is filled with stand-ins, and the script says so.
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
    /// The call itself is not shown: the operation is one of those that have the failed check.
    pub guessed: bool,
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
            guessed: false,
            stated: None,
        }
    }

    /// What the guard saw; `None` where this version does not know the operation or the check.
    pub fn of_violation(seen: &GuardViolation) -> Option<Self> {
        let api = seen.api.as_deref().unwrap_or_default();
        let operation = Operation::of_guard(&seen.operation, api)?;
        let fault = match seen.check {
            GuardCheck::Range => Fault::Range,
            GuardCheck::Shape => Fault::Shape,
            GuardCheck::Nan => Fault::Nan,
            GuardCheck::Sum => Fault::Sum,
            GuardCheck::Dtype => Fault::Dtype,
            GuardCheck::Other => return None,
        };
        Some(Self {
            argument: seen.what.clone(),
            shapes: seen.shapes.clone(),
            dtype: seen.dtype.clone(),
            value: seen.value.map(number),
            lo: seen.lo.map(number),
            hi: seen.hi.map(number),
            ignore: seen.ignore,
            dim: seen.dim,
            ..Self::new(operation, fault)
        })
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

/// A number of the guard's.
fn number(of: GuardNumber) -> Number {
    match of {
        GuardNumber::Int(n) => Number::from(n),
        GuardNumber::Float(x) => Number::from(x),
        GuardNumber::NotFinite(NotFinite::Nan) => Number::from(f64::NAN),
        GuardNumber::NotFinite(NotFinite::Infinity) => Number::from(f64::INFINITY),
        GuardNumber::NotFinite(NotFinite::NegativeInfinity) => Number::from(f64::NEG_INFINITY),
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

    /// The operation of a guard's violation: its `op`, told apart by the `api` that was called (`index` reads, writes and adds).
    pub fn of_guard(op: &str, api: &str) -> Option<Self> {
        let of_op = Self::named(op)?;
        let called = Self::named(api);
        Some(match (of_op, called) {
            (
                Self::IndexGet,
                Some(
                    called @ (Self::IndexSet | Self::IndexAdd | Self::IndexCopy | Self::IndexFill),
                ),
            )
            | (Self::Scatter, Some(called @ Self::ScatterReduce)) => called,
            _ => of_op,
        })
    }
}
