//! Scripts for every operation and every kind of knowledge.
//!
//! `ASSERT_DOCTOR_REPRODUCTIONS=folder` makes the last test write them there, for `tests/reproduction/run_real.py`.

use std::collections::BTreeSet;

use super::*;
use crate::crash_log::Scanner;
use crate::diagnosis::diagnose;
use crate::range_check::Number;

/// What is known, in short.
struct Made(Known);

fn made(operation: Operation) -> Made {
    Made(Known::new(operation, Fault::Range))
}

impl Made {
    fn fault(mut self, fault: Fault) -> Self {
        self.0.fault = fault;
        self
    }
    fn value(mut self, value: impl Into<Number>) -> Self {
        self.0.value = Some(value.into());
        self
    }
    fn range(mut self, lo: i64, hi: i64) -> Self {
        (self.0.lo, self.0.hi) = (Some(lo.into()), Some(hi.into()));
        self
    }
    fn shape(mut self, name: &str, sizes: &[u64]) -> Self {
        self.0.shapes.push((name.to_owned(), sizes.to_vec()));
        self
    }
    fn argument(mut self, name: &str) -> Self {
        self.0.argument = Some(name.to_owned());
        self
    }
    fn ignore(mut self, value: i64) -> Self {
        self.0.ignore = Some(value);
        self
    }
    fn dim(mut self, dim: i64) -> Self {
        self.0.dim = Some(dim);
        self
    }
    fn dtype(mut self, dtype: &str) -> Self {
        self.0.dtype = Some(dtype.to_owned());
        self
    }
    fn replacement(mut self) -> Self {
        self.0.replacement = Some(true);
        self
    }
    fn pixels(mut self) -> Self {
        self.0.pixels = true;
        self
    }
    fn compiled(mut self) -> Self {
        self.0.compiled = true;
        self
    }
    fn stated(mut self, text: &str) -> Self {
        self.0.stated = Some(text.to_owned());
        self
    }
}

/// Everything that is tried, with pieces that the script must have and the message that it must end with.
fn cases() -> Vec<(&'static str, Known, Vec<&'static str>, &'static str)> {
    use Fault as Fl;
    use Operation as O;
    let nan = f64::NAN;
    let mut out = Vec::new();
    let mut case = |name, made: Made, has: &[&'static str], expected| {
        out.push((name, made.0, has.to_vec(), expected));
    };

    case(
        "label",
        made(O::CrossEntropy)
            .value(10)
            .range(0, 9)
            .shape("input", &[64, 10])
            .shape("target", &[64]),
        &[
            "torch.zeros(1, 10)",
            "torch.tensor([10])",
            "0 to 9",
            "F.cross_entropy(logits, target)",
        ],
        "IndexError: Target 10 is out of bounds.",
    );
    case(
        "label_nothing_known",
        made(O::CrossEntropy),
        &[
            "torch.zeros(1, 5)",
            "torch.tensor([5])",
            "Neither the value nor the number of classes is known",
        ],
        "IndexError: Target 5 is out of bounds.",
    );
    case(
        "label_value_unknown",
        made(O::CrossEntropy).range(0, 20),
        &[
            "torch.zeros(1, 21)",
            "torch.tensor([21])",
            "The real value is not known",
        ],
        "IndexError: Target 21 is out of bounds.",
    );
    case(
        "label_range_unknown",
        made(O::CrossEntropy).value(250_000),
        &[
            "torch.zeros(1, 5)",
            "torch.tensor([250000])",
            "number of classes is not known",
        ],
        "IndexError: Target 250000 is out of bounds.",
    );
    case(
        "label_small_range_unknown",
        made(O::CrossEntropy).value(2),
        &["torch.zeros(1, 2)"],
        "IndexError: Target 2 is out of bounds.",
    );
    case(
        "label_negative",
        made(O::CrossEntropy).value(-1).range(0, 9),
        &["torch.tensor([-1])"],
        "IndexError: Target -1 is out of bounds.",
    );
    case(
        "label_that_is_allowed",
        made(O::CrossEntropy).value(3).range(0, 9),
        &["torch.tensor([10])", "The real value is not known"],
        "IndexError: Target 10 is out of bounds.",
    );
    case(
        "label_beside_an_ignored_one",
        made(O::CrossEntropy).value(19).range(0, 18).ignore(255),
        &[
            "torch.zeros(2, 19)",
            "torch.tensor([255, 19])",
            "ignore_index=255",
            "255 is skipped, 19 is not",
        ],
        "IndexError: Target 19 is out of bounds.",
    );
    case(
        "label_ignore_follows_the_range",
        made(O::CrossEntropy).range(0, 254).ignore(255),
        &["torch.tensor([255, 256])"],
        "IndexError: Target 256 is out of bounds.",
    );
    case(
        "label_weights",
        made(O::CrossEntropy)
            .value(4)
            .shape("input", &[8, 4])
            .shape("weight", &[4]),
        &["weight=torch.ones(4)"],
        "IndexError: Target 4 is out of bounds.",
    );
    case(
        "label_uint8",
        made(O::CrossEntropy)
            .value(255)
            .range(0, 20)
            .dtype("torch.uint8"),
        &["torch.tensor([255], dtype=torch.uint8)"],
        "IndexError: Target 255 is out of bounds.",
    );
    case(
        "label_uint8_that_does_not_fit",
        made(O::CrossEntropy).range(0, 255).dtype("uint8"),
        &["torch.tensor([256])"],
        "IndexError: Target 256 is out of bounds.",
    );
    case(
        "label_without_batch",
        made(O::CrossEntropy).value(7).shape("input", &[7]),
        &["torch.zeros(7)", "torch.tensor(7)"],
        "IndexError: Target 7 is out of bounds.",
    );
    case(
        "label_huge_classes",
        made(O::CrossEntropy)
            .value(9_000_000_000_i64)
            .shape("input", &[2, 8_000_000_000]),
        &[
            "torch.zeros(1, 5)",
            "torch.tensor([1000000005])",
            "8000000000",
            "9000000000",
        ],
        "IndexError: Target 1000000005 is out of bounds.",
    );
    case(
        "nll",
        made(O::NllLoss).value(3).shape("input", &[16, 3]),
        &["F.nll_loss(log_probs, target)", "torch.zeros(1, 3)"],
        "IndexError: Target 3 is out of bounds.",
    );
    case(
        "pixel",
        made(O::CrossEntropy)
            .value(255)
            .shape("input", &[2, 19, 512, 1024]),
        &[
            "torch.zeros(1, 19, 1, 1)",
            "torch.tensor([[[255]]])",
            "only the place of the label",
        ],
        "IndexError: Target 255 is out of bounds.",
    );
    case(
        "pixel_nothing_known",
        made(O::NllLoss).pixels(),
        &["torch.zeros(1, 5, 1, 1)"],
        "IndexError: Target 5 is out of bounds.",
    );
    case(
        "pixel_beside_an_ignored_one",
        made(O::CrossEntropy)
            .value(21)
            .range(0, 20)
            .ignore(255)
            .pixels(),
        &["torch.zeros(1, 21, 1, 2)", "torch.tensor([[[255, 21]]])"],
        "IndexError: Target 21 is out of bounds.",
    );
    case(
        "label_of_a_sequence",
        made(O::CrossEntropy)
            .value(50)
            .shape("input", &[4, 50, 128]),
        &["torch.zeros(1, 50, 1)", "torch.tensor([[50]])"],
        "IndexError: Target 50 is out of bounds.",
    );
    case(
        "voxel",
        made(O::CrossEntropy)
            .value(4)
            .shape("input", &[1, 4, 8, 8, 8])
            .ignore(-1),
        &["torch.zeros(1, 4, 1, 1, 2)", "torch.tensor([[[[-1, 4]]]])"],
        "IndexError: Target 4 is out of bounds.",
    );
    case(
        "margin",
        made(O::MultiMarginLoss).value(5).range(0, 4),
        &["F.multi_margin_loss(scores, target)"],
        "RuntimeError: target out of range",
    );
    case(
        "embedding",
        made(O::Embedding)
            .value(50_265)
            .range(0, 50_264)
            .dtype("int64"),
        &["torch.zeros(50265, 1)", "torch.tensor([50265])"],
        "IndexError: index out of range in self",
    );
    case(
        "embedding_negative_int32",
        made(O::Embedding)
            .value(-1)
            .shape("weight", &[100, 64])
            .dtype("torch.int32"),
        &[
            "torch.zeros(100, 1)",
            "torch.tensor([-1], dtype=torch.int32)",
        ],
        "IndexError: index out of range in self",
    );
    case(
        "embedding_nothing_known",
        made(O::Embedding),
        &["number of rows is known"],
        "IndexError: index out of range in self",
    );
    case(
        "bag",
        made(O::EmbeddingBag).value(10).range(0, 9),
        &["torch.tensor([[10]])"],
        "RuntimeError: Index 0 of input takes value 10 which is not in the valid range [0, 10)",
    );
    case(
        "bag_negative",
        made(O::EmbeddingBag)
            .value(-3)
            .range(0, 9)
            .argument("input"),
        &["torch.tensor([[-3]])"],
        "RuntimeError: Index 0 of input takes value -3 which is not in the valid range [0, 10)",
    );
    case(
        "bag_offsets",
        made(O::EmbeddingBag)
            .argument("offsets")
            .value(9)
            .shape("input", &[6]),
        &["torch.tensor([0, 9])", "torch.zeros(6, dtype=torch.int64)"],
        "RuntimeError: offsets[-1] can not be greater than input's length 6 but got offsets[-1] of 9",
    );
    case(
        "bag_offsets_nothing_known",
        made(O::EmbeddingBag).argument("offsets"),
        &["stand in"],
        "RuntimeError: offsets[-1] can not be greater than input's length 2 but got offsets[-1] of 3",
    );
    case(
        "gather",
        made(O::Gather)
            .value(4)
            .shape("input", &[32, 4])
            .shape("index", &[32, 1])
            .dim(1),
        &[
            "torch.zeros(1, 4)",
            "x.gather(1, index)",
            "torch.tensor([[4]])",
        ],
        "RuntimeError: index 4 is out of bounds for dimension 1 with size 4",
    );
    case(
        "gather_from_the_end",
        made(O::Gather).value(-1).shape("input", &[2, 3, 7]).dim(-2),
        &["torch.zeros(1, 3, 1)", "torch.tensor([[[-1]]])"],
        "RuntimeError: index -1 is out of bounds for dimension 1 with size 3",
    );
    case(
        "gather_one_dimension",
        made(O::Gather).value(9).shape("input", &[9]).dim(0),
        &["torch.zeros(9)"],
        "RuntimeError: index 9 is out of bounds for dimension 0 with size 9",
    );
    case(
        "gather_impossible_dimension",
        made(O::Gather).value(9).shape("input", &[9]).dim(3),
        &["torch.zeros(1, 5)"],
        "RuntimeError: index 9 is out of bounds for dimension 1 with size 5",
    );
    case(
        "scatter",
        made(O::Scatter).value(6).range(0, 5).dim(2),
        &["torch.zeros(1, 1, 6)", "x.scatter(2, index, 1.0)"],
        "RuntimeError: index 6 is out of bounds for dimension 2 with size 6",
    );
    case(
        "scatter_add",
        made(O::ScatterAdd)
            .value(-2)
            .range(0, 5)
            .dim(0)
            .shape("self", &[6]),
        &["x.scatter_add(0, index, torch.ones(1))"],
        "RuntimeError: index -2 is out of bounds for dimension 0 with size 6",
    );
    case(
        "scatter_reduce",
        made(O::ScatterReduce).value(6).range(0, 5),
        &["reduce=\"sum\""],
        "RuntimeError: index 6 is out of bounds for dimension 1 with size 6",
    );
    case(
        "index_select",
        made(O::IndexSelect).value(80).range(0, 79).dim(0),
        &["torch.zeros(80, 1)"],
        "IndexError: index out of range in self",
    );
    case(
        "index_select_other_dimension",
        made(O::IndexSelect)
            .value(-1)
            .shape("input", &[3, 9])
            .dim(1)
            .dtype("int32"),
        &[
            "torch.zeros(9, 1)",
            "dimension 1 is put first",
            "dtype=torch.int32",
        ],
        "IndexError: index out of range in self",
    );
    case(
        "read",
        made(O::IndexGet).value(3).range(-3, 2),
        &["torch.zeros(3)", "x[index]", "-3 to 2"],
        "IndexError: index 3 is out of bounds for dimension 0 with size 3",
    );
    case(
        "read_before_the_start",
        made(O::IndexGet).value(-4).range(-3, 2),
        &["torch.tensor([-4])"],
        "IndexError: index -4 is out of bounds for dimension 0 with size 3",
    );
    case(
        "read_from_the_end_is_allowed",
        made(O::IndexGet).value(-3).range(-3, 2),
        &["torch.tensor([3])", "stands in"],
        "IndexError: index 3 is out of bounds for dimension 0 with size 3",
    );
    case(
        "read_negative_size_unknown",
        made(O::IndexGet).value(-4),
        &["torch.zeros(3)", "torch.tensor([-4])"],
        "IndexError: index -4 is out of bounds for dimension 0 with size 3",
    );
    case(
        "read_third_dimension",
        made(O::IndexGet)
            .value(20)
            .shape("input", &[4, 5, 20])
            .dim(2),
        &["x[:, :, index]", "torch.zeros(1, 1, 20)"],
        "IndexError: index 20 is out of bounds for dimension 0 with size 20",
    );
    case(
        "read_huge",
        made(O::IndexGet)
            .value(-5_000_000_001_i64)
            .range(-5_000_000_000, 4_999_999_999),
        &["torch.zeros(5)", "torch.tensor([-6])"],
        "IndexError: index -6 is out of bounds for dimension 0 with size 5",
    );
    case(
        "compiled",
        made(O::IndexGet).range(0, 31_999).compiled(),
        &["compiled code", "torch.zeros(32000)"],
        "IndexError: index 32000 is out of bounds for dimension 0 with size 32000",
    );
    case(
        "write",
        made(O::IndexSet).value(12).range(-12, 11),
        &["x[index] = 1.0"],
        "IndexError: index 12 is out of bounds for dimension 0 with size 12",
    );
    case(
        "write_second_dimension",
        made(O::IndexSet).value(12).range(-12, 11).dim(1),
        &["x[:, index] = 1.0"],
        "IndexError: index 12 is out of bounds for dimension 1 with size 12",
    );
    case(
        "index_add",
        made(O::IndexAdd).value(5).range(0, 2),
        &["x.index_add("],
        "RuntimeError: index 5 is out of bounds for dimension 0 with size 3",
    );
    case(
        "index_copy",
        made(O::IndexCopy).value(5).range(0, 2),
        &["x.index_copy("],
        "IndexError: index_copy_(): index 5 is out of bounds for dimension 0 with size 3",
    );
    case(
        "index_fill",
        made(O::IndexFill).value(-4).range(-3, 2),
        &["x.index_fill("],
        "IndexError: index -4 is out of bounds for dimension 0 with size 3",
    );
    case(
        "take",
        made(O::Take).value(5).shape("input", &[3, 1]),
        &["torch.take(x, index)", "torch.zeros(3)"],
        "IndexError: out of range: tried to access index 5 on a tensor of 3 elements.",
    );
    case(
        "put",
        made(O::Put).value(-4).range(-3, 2),
        &["x.put_("],
        "IndexError: out of range: tried to access index -4 on a tensor of 3 elements.",
    );
    case(
        "one_hot",
        made(O::OneHot).value(9).range(0, 8),
        &["F.one_hot(labels, num_classes=9)"],
        "RuntimeError: Class values must be smaller than num_classes.",
    );
    case(
        "one_hot_negative",
        made(O::OneHot).value(-1).range(0, 8),
        &["torch.tensor([-1])"],
        "RuntimeError: Class values must be non-negative.",
    );
    case(
        "unpool",
        made(O::MaxUnpool2d).value(9),
        &["F.max_unpool2d", "torch.zeros(1, 1, 1, 1)"],
        "RuntimeError: Found an invalid max index: 9 (output volumes are of size 2x2",
    );
    case(
        "unpool_3d",
        made(O::MaxUnpool3d),
        &["F.max_unpool3d"],
        "RuntimeError: Found an invalid max index: 8 (output volumes are of size 2x2x2",
    );
    case(
        "bce_input",
        made(O::BinaryCrossEntropy).value(-0.25).argument("input"),
        &["torch.tensor([-0.25])"],
        "RuntimeError: all elements of input should be between 0 and 1",
    );
    case(
        "bce_input_whole",
        made(O::BinaryCrossEntropy).value(3),
        &["torch.tensor([3.0])"],
        "RuntimeError: all elements of input should be between 0 and 1",
    );
    case(
        "bce_nan",
        made(O::BinaryCrossEntropy).fault(Fl::Nan),
        &["float(\"nan\")"],
        "RuntimeError: all elements of input should be between 0 and 1",
    );
    case(
        "bce_infinite",
        made(O::BinaryCrossEntropy).value(f64::NEG_INFINITY),
        &["float(\"-inf\")"],
        "RuntimeError: all elements of input should be between 0 and 1",
    );
    case(
        "bce_nothing_known",
        made(O::BinaryCrossEntropy),
        &["torch.tensor([1.5])", "not known"],
        "RuntimeError: all elements of input should be between 0 and 1",
    );
    case(
        "bce_target",
        made(O::BinaryCrossEntropy).value(2).argument("target"),
        &["target = torch.tensor([2.0])", "2.1 or newer"],
        "RuntimeError: all elements of target should be between 0 and 1",
    );
    case(
        "multinomial_nan",
        made(O::Multinomial).value(nan).shape("input", &[8, 32_000]),
        &["torch.ones(32000)", "float(\"nan\")"],
        "RuntimeError: probability tensor contains either `inf`, `nan` or element < 0",
    );
    case(
        "multinomial_negative",
        made(O::Multinomial).value(-0.5),
        &["probs[0] = -0.5"],
        "RuntimeError: probability tensor contains either `inf`, `nan` or element < 0",
    );
    case(
        "multinomial_infinite",
        made(O::Multinomial).value(f64::INFINITY),
        &["float(\"inf\")"],
        "RuntimeError: probability tensor contains either `inf`, `nan` or element < 0",
    );
    case(
        "multinomial_sum",
        made(O::Multinomial).fault(Fl::Sum).shape("input", &[7]),
        &["torch.zeros(7)"],
        "RuntimeError: invalid multinomial distribution (sum of probabilities <= 0)",
    );
    case(
        "multinomial_sum_replaced",
        made(O::Multinomial).fault(Fl::Sum).replacement(),
        &["replacement=True"],
        "RuntimeError: invalid multinomial distribution (sum of probabilities <= 0)",
    );
    for (name, value) in [
        ("multinomial_replaced_nan", nan),
        ("multinomial_replaced_negative", -1.0),
    ] {
        case(
            name,
            made(O::Multinomial).value(value).replacement(),
            &["torch.multinomial(probs, 2, replacement=True)"],
            "RuntimeError: invalid multinomial distribution (encountering probability entry < 0)",
        );
    }
    case(
        "multinomial_replaced_infinite",
        made(O::Multinomial).value(f64::INFINITY).replacement(),
        &["replacement=True"],
        "RuntimeError: invalid multinomial distribution (encountering probability entry = infinity or NaN)",
    );
    case(
        "multinomial_nothing_known",
        made(O::Multinomial),
        &["NaN stands in"],
        "RuntimeError: probability tensor contains either `inf`, `nan` or element < 0",
    );
    for (name, made) in [
        ("bernoulli", made(O::Bernoulli).value(1.25)),
        ("bernoulli_nothing_known", made(O::Bernoulli)),
        ("bernoulli_nan", made(O::Bernoulli).fault(Fl::Nan)),
    ] {
        case(
            name,
            made,
            &["torch.bernoulli(probs)"],
            "RuntimeError: Expected p_in >= 0 && p_in <= 1 to be true, but got false.",
        );
    }
    for (name, made) in [
        ("poisson", made(O::Poisson).value(-3)),
        ("poisson_nan", made(O::Poisson).fault(Fl::Nan)),
    ] {
        case(
            name,
            made,
            &["torch.poisson(rate)"],
            "RuntimeError: invalid Poisson rate, expected rate to be non-negative",
        );
    }
    for (name, parameter, stated) in [
        ("distribution_normal", "Normal", "loc"),
        ("distribution_scale", "Normal", "scale"),
        ("distribution_logits", "Categorical", "logits"),
        ("distribution_probs", "Categorical", "probs"),
        ("distribution_bernoulli", "Bernoulli", "probs"),
        ("distribution_bernoulli_logits", "Bernoulli", "logits"),
    ]
    .map(|(name, class, parameter)| (name, parameter, (class, parameter)))
    {
        let (class, _) = stated;
        let text = format!(
            "ValueError: Expected parameter {parameter} (Tensor of shape (256, 6)) of distribution {class}(loc: …"
        );
        let expected: &'static str = match (class, parameter) {
            ("Normal", "loc") => {
                "ValueError: Expected parameter loc (Tensor of shape (1, 2)) of distribution Normal("
            }
            ("Normal", _) => {
                "ValueError: Expected parameter scale (Tensor of shape (1, 2)) of distribution Normal("
            }
            ("Categorical", "logits") => {
                "ValueError: Expected parameter logits (Tensor of shape (1, 2)) of distribution Categorical("
            }
            ("Categorical", _) => {
                "ValueError: Expected parameter probs (Tensor of shape (1, 2)) of distribution Categorical("
            }
            (_, "probs") => {
                "ValueError: Expected parameter probs (Tensor of shape (1, 2)) of distribution Bernoulli("
            }
            _ => {
                "ValueError: Expected parameter logits (Tensor of shape (1, 2)) of distribution Bernoulli("
            }
        };
        case(
            name,
            made(O::Distribution).stated(&text),
            &["validate_args=True"],
            expected,
        );
    }
    case(
        "ctc",
        made(O::CtcLoss)
            .value(97)
            .shape("log_probs", &[50, 16, 97])
            .argument("targets"),
        &[
            "torch.zeros(4, 1, 97)",
            "torch.tensor([[97]])",
            "does not look at the labels",
        ],
        "labels out of range: [97]",
    );
    case(
        "ctc_nothing_known",
        made(O::CtcLoss),
        &["stand in"],
        "labels out of range: [5]",
    );
    case(
        "ctc_input_length",
        made(O::CtcLoss)
            .argument("input_lengths")
            .value(60)
            .shape("log_probs", &[50, 16, 97]),
        &["torch.zeros(50, 1, 2)", "torch.tensor([60])"],
        "RuntimeError: Expected input_lengths to have value at most 50, but got value 60",
    );
    case(
        "ctc_lengths",
        made(O::CtcLoss)
            .fault(Fl::Shape)
            .shape("log_probs", &[50, 4, 97])
            .shape("input_lengths", &[3])
            .shape("target_lengths", &[4]),
        &["torch.ones(3, dtype=torch.int64)"],
        "RuntimeError: input_lengths must be of size batch_size",
    );
    case(
        "masked_scatter",
        made(O::MaskedScatter),
        &["x.masked_scatter("],
        "RuntimeError: Number of elements of source < number of ones in mask",
    );
    case(
        "repeat",
        made(O::RepeatInterleave),
        &["torch.repeat_interleave(x, torch.tensor([-1]))"],
        "RuntimeError: repeats can not be negative",
    );
    case(
        "repeat_output_size",
        made(O::RepeatInterleave).argument("output_size"),
        &["output_size=1"],
        "RuntimeError: allocated size does not match required size",
    );
    case(
        "remainder",
        made(O::Remainder),
        &["torch.remainder("],
        "RuntimeError: ZeroDivisionError",
    );
    let shapes = |operation, input: &[u64], target: &[u64]| {
        made(operation)
            .fault(Fl::Shape)
            .shape("input", input)
            .shape("target", target)
    };
    case(
        "batch",
        shapes(O::CrossEntropy, &[60, 10], &[10]),
        &["torch.zeros(60, 10)", "torch.zeros(10, dtype=torch.int64)"],
        "ValueError: Expected input batch_size (60) to match target batch_size (10).",
    );
    case(
        "batch_large",
        shapes(O::NllLoss, &[60_000, 50_257], &[59_999]),
        &["torch.zeros(60000, 2)", "stand in"],
        "ValueError: Expected input batch_size (60000) to match target batch_size (59999).",
    );
    case(
        "batch_stated",
        made(O::CrossEntropy)
            .fault(Fl::Shape)
            .stated("ValueError: Expected input batch_size (60) to match target batch_size (10)."),
        &["torch.zeros(60, 2)"],
        "ValueError: Expected input batch_size (60) to match target batch_size (10).",
    );
    case(
        "one_axis_too_many",
        shapes(O::CrossEntropy, &[4, 10], &[4, 1]),
        &["torch.zeros(4, 1, dtype=torch.int64)"],
        "RuntimeError: 0D or 1D target tensor expected, multi-target not supported",
    );
    case(
        "one_axis_too_many_stated",
        made(O::CrossEntropy)
            .fault(Fl::Shape)
            .stated("RuntimeError: 0D or 1D target tensor expected, multi-target not supported"),
        &["stand in"],
        "RuntimeError: 0D or 1D target tensor expected, multi-target not supported",
    );
    case(
        "picture_sizes",
        shapes(O::CrossEntropy, &[2, 5, 8, 8], &[2, 8, 4]),
        &["torch.zeros(2, 5, 8, 8)"],
        "RuntimeError: size mismatch (got input: [2, 5, 8, 8] , target: [2, 8, 4]",
    );
    case(
        "picture_with_channel",
        shapes(O::CrossEntropy, &[2, 5, 8, 8], &[2, 1, 8, 8]),
        &["torch.zeros(2, 1, 8, 8, dtype=torch.int64)"],
        "RuntimeError: only batches of spatial targets supported (3D tensors) but got targets of dimension: 4",
    );
    case(
        "sequence_sizes",
        shapes(O::CrossEntropy, &[2, 7, 5], &[2, 7]),
        &["torch.zeros(2, 7, 5)"],
        "RuntimeError: Expected target size [2, 5], got [2, 7]",
    );
    case(
        "sequence_sizes_stated",
        made(O::CrossEntropy)
            .fault(Fl::Shape)
            .stated("RuntimeError: Expected target size [2, 5], got [2, 7]"),
        &["torch.zeros(2, 2, 5)"],
        "RuntimeError: Expected target size [2, 5], got [2, 7]",
    );
    case(
        "bce_sizes",
        shapes(O::BinaryCrossEntropy, &[4, 1], &[4]),
        &["torch.full((4, 1,), 0.5)"],
        "ValueError: Using a target size (torch.Size([4])) that is different to the input size (torch.Size([4, 1]))",
    );
    case(
        "bce_logits_sizes_stated",
        made(O::BinaryCrossEntropyWithLogits).fault(Fl::Shape).stated(
            "ValueError: Target size (torch.Size([4])) must be the same as input size (torch.Size([4, 1]))",
        ),
        &["F.binary_cross_entropy_with_logits"],
        "ValueError: Target size (torch.Size([4])) must be the same as input size (torch.Size([4, 1]))",
    );
    case(
        "matmul_stated",
        made(O::Matmul)
            .fault(Fl::Shape)
            .stated("RuntimeError: mat1 and mat2 shapes cannot be multiplied (32x2048 and 512x10)"),
        &["torch.zeros(32, 2048)", "torch.zeros(512, 10)"],
        "RuntimeError: mat1 and mat2 shapes cannot be multiplied (32x2048 and 512x10)",
    );
    case(
        "sum_stated",
        made(O::Add).fault(Fl::Shape).stated(
            "RuntimeError: The size of tensor a (32) must match the size of tensor b (10) at non-singleton dimension 1",
        ),
        &["torch.zeros(1, 32)", "torch.zeros(1, 10)"],
        "RuntimeError: The size of tensor a (32) must match the size of tensor b (10) at non-singleton dimension 1",
    );
    case(
        "gather_rank",
        made(O::Gather)
            .fault(Fl::Shape)
            .shape("input", &[2, 5])
            .shape("index", &[1])
            .dim(1),
        &["x.gather(1, index)"],
        "RuntimeError: Index tensor must have the same number of dimensions as input tensor",
    );
    case(
        "gather_sizes",
        made(O::Gather)
            .fault(Fl::Shape)
            .shape("input", &[2, 5])
            .shape("index", &[3, 1])
            .dim(-1),
        &["torch.zeros(3, 1, dtype=torch.int64)"],
        "RuntimeError: Size does not match at dimension 0 expected index [3, 1] to be",
    );
    case(
        "scatter_add_sizes",
        made(O::ScatterAdd)
            .fault(Fl::Shape)
            .shape("self", &[2, 5])
            .shape("index", &[3, 1])
            .dim(1),
        &["x.scatter_add(1, index, torch.zeros(3, 1))"],
        "RuntimeError: Expected index [3, 1] to be",
    );
    case(
        "scatter_rank",
        made(O::Scatter)
            .fault(Fl::Shape)
            .shape("self", &[2, 5])
            .shape("index", &[1])
            .dim(1),
        &["x.scatter(1, index, torch.zeros(1))"],
        "RuntimeError: Index tensor must have the same number of dimensions as self tensor",
    );
    for (name, operation) in [
        ("label_type", O::CrossEntropy),
        ("label_type_nll", O::NllLoss),
    ] {
        case(
            name,
            made(operation).fault(Fl::Dtype).dtype("torch.int32"),
            &["dtype=torch.int32"],
            "RuntimeError: expected target dtype to be Long or Byte, but got Int",
        );
    }
    case(
        "embedding_type",
        made(O::Embedding).fault(Fl::Dtype).dtype("float32"),
        &["dtype=torch.float32"],
        "RuntimeError: Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int",
    );
    case(
        "one_hot_type",
        made(O::OneHot).fault(Fl::Dtype).dtype("float32"),
        &["F.one_hot"],
        "RuntimeError: one_hot is only applicable to index tensor",
    );
    out
}

#[test]
fn scripts_are_short_true_and_valid() {
    let mut names = BTreeSet::new();
    for (name, known, has, expected) in cases() {
        assert!(names.insert(name), "{name} stands twice");
        let made = of_known(&known).unwrap_or_else(|why| panic!("{name}: {why:?}"));
        check(name, &made);
        assert_eq!(made.expected, expected, "{name}");
        for piece in has {
            // Notes are wrapped.
            let flat = made.script.replace("\n# ", " ");
            assert!(
                flat.contains(piece),
                "{name}: no {piece:?} in\n{}",
                made.script
            );
        }
    }
}

#[track_caller]
fn check(name: &str, made: &Reproduction) {
    let script = &made.script;
    let lines = script.lines().count();
    assert!(lines <= MOST_LINES, "{name}: {lines} lines\n{script}");
    assert!(
        script.ends_with('\n') && script.is_ascii(),
        "{name}\n{script}"
    );
    let parsed = ruff_python_parser::parse_module(script);
    assert!(parsed.is_ok(), "{name}: {:?}\n{script}", parsed.err());
    assert!(
        script.contains(&format!("\n# {}\n", made.expected)),
        "{name}\n{script}"
    );
    assert_eq!(made.fails_on_cpu, made.why_not.is_none(), "{name}");
    let stands_in = script.contains("stands in for") || script.contains("stand in for");
    assert_eq!(made.has_stand_ins, stands_in, "{name}\n{script}");
}

#[test]
fn every_operation_has_a_case() {
    let tried: Vec<Operation> = cases()
        .into_iter()
        .map(|(_, known, ..)| known.operation)
        .collect();
    for name in [
        "F.cross_entropy",
        "nn.NLLLoss2d",
        "nn.MultiMarginLoss",
        "nn.BCELoss",
        "F.ctc_loss",
        "nn.Embedding(max_norm=...)",
        "nn.EmbeddingBag",
        "torch.gather",
        "torch.take_along_dim",
        "Tensor.scatter_",
        "Tensor.scatter_add_",
        "torch.scatter_reduce",
        "Tensor.index_select",
        "x[index]",
        "x[index] = value",
        "Tensor.index_put_",
        "Tensor.index_add_",
        "Tensor.index_copy_",
        "torch.index_fill",
        "torch.take",
        "Tensor.put_",
        "F.one_hot",
        "nn.MaxUnpool2d",
        "F.max_unpool3d",
        "torch.multinomial",
        "generate(do_sample=True)",
        "torch.distributions.Categorical.sample",
        "Tensor.bernoulli_",
        "torch.distributions.Poisson.sample",
        "Tensor.masked_scatter_",
        "torch.repeat_interleave",
        "torch.remainder",
    ] {
        let operation = Operation::named(name).unwrap_or_else(|| panic!("{name}"));
        assert!(tried.contains(&operation), "{name}");
    }
}

#[test]
fn what_the_guard_names_is_understood() {
    for (op, api, expected) in [
        (
            "cross_entropy",
            "torch.nn.functional.cross_entropy",
            Operation::CrossEntropy,
        ),
        ("index", "torch.Tensor.__getitem__", Operation::IndexGet),
        ("index", "torch.Tensor.__setitem__", Operation::IndexSet),
        ("index", "torch.Tensor.index_put_", Operation::IndexSet),
        ("scatter", "torch.Tensor.scatter_", Operation::Scatter),
        ("scatter_add", "torch.scatter_add", Operation::ScatterAdd),
        ("ctc_loss", "", Operation::CtcLoss),
    ] {
        assert_eq!(Operation::of_guard(op, api), Some(expected), "{op} {api}");
    }
    assert_eq!(Operation::of_guard("softmax", "torch.softmax"), None);
}

#[test]
fn sizes_that_fit_have_no_script() {
    for known in [
        made(Operation::CrossEntropy)
            .shape("input", &[4, 5])
            .shape("target", &[4]),
        made(Operation::BinaryCrossEntropy)
            .shape("input", &[4])
            .shape("target", &[4]),
        made(Operation::CrossEntropy).stated("RuntimeError: some other trouble"),
        made(Operation::Matmul).stated("mat1 and mat2 shapes cannot be multiplied (3x4 and 4x3)"),
        made(Operation::Matmul)
            .stated("mat1 and mat2 shapes cannot be multiplied (99999x99999 and 4x3)"),
        made(Operation::IndexGet),
    ] {
        let known = known.fault(Fault::Shape).0;
        assert_eq!(
            of_known(&known),
            Err(NoReproduction::TooLittleKnown),
            "{known:?}"
        );
    }
}

/// What the scanner and the diagnosis make of a text.
fn of_text(bytes: &[u8]) -> Result<Reproduction, NoReproduction> {
    let mut scanner = Scanner::new();
    scanner.push(bytes);
    let facts = scanner.finish().0;
    of_diagnosis(&facts, &diagnose(&facts))
}

#[test]
fn texts_of_logs_are_reproduced() {
    for (text, has, expected) in [
        (
            "x/aten/src/ATen/native/cuda/Loss.cu:250: f: block: [0,0,0], thread: [1,0,0] Assertion `target_val >= zero && target_val <= one` failed.",
            "target = torch.tensor([1.5])",
            "RuntimeError: all elements of target should be between 0 and 1",
        ),
        (
            "x/aten/src/ATen/native/cuda/NLLLoss2d.cu:106: block: [4,0,0], thread: [580,0,0] Assertion `t >= 0 && t < n_classes` failed.",
            "torch.zeros(1, 5, 1, 1)",
            "IndexError: Target 5 is out of bounds.",
        ),
        (
            "num_classes: 9\nx/aten/src/ATen/native/cuda/Loss.cu:250: f: block: [0,0,0], thread: [1,0,0] Assertion `t >= 0 && t < n_classes` failed.",
            "this one, which has the failed check, stands in for it",
            "IndexError: Target 9 is out of bounds.",
        ),
        (
            "Traceback (most recent call last):\n  File \"t.py\", line 3, in <module>\n    y = x.gather(2, i)\nRuntimeError: index 4 is out of bounds for dimension 2 with size 4",
            "x.gather(2, index)",
            "RuntimeError: index 4 is out of bounds for dimension 2 with size 4",
        ),
        (
            "Traceback (most recent call last):\n  File \"t.py\", line 3, in <module>\n    y = b(i, o)\nRuntimeError: invalid multinomial distribution (encountering probability entry < 0)",
            "replacement=True",
            "RuntimeError: invalid multinomial distribution (encountering probability entry < 0)",
        ),
        (
            "Traceback (most recent call last):\n  File \"t.py\", line 3, in <module>\n    y = a @ b\nRuntimeError: mat1 and mat2 shapes cannot be multiplied (32x2048 and 512x10)",
            "torch.mm(a, b)",
            "RuntimeError: mat1 and mat2 shapes cannot be multiplied (32x2048 and 512x10)",
        ),
    ] {
        let made = of_text(text.as_bytes()).unwrap_or_else(|why| panic!("{text}: {why:?}"));
        check(text, &made);
        assert_eq!(made.expected, expected, "{text}");
        let flat = made.script.replace("\n# ", " ");
        assert!(flat.contains(has), "{text}\n{}", made.script);
    }
}

#[test]
fn where_there_is_no_script_the_reason_is_told() {
    for (text, expected) in [
        ("epoch 1 loss 0.5", NoReproduction::NothingFailed),
        (
            "RuntimeError: CUDA out of memory. Tried to allocate 22.00 MiB (GPU 0; 12.00 GiB total capacity; 10.89 GiB already allocated; 0 bytes free; 11.31 GiB reserved in total by PyTorch)",
            NoReproduction::NotAValue,
        ),
        (
            "RuntimeError: CUDA error: device-side assert triggered",
            NoReproduction::CheckUnknown,
        ),
        (
            "/home/u/k2/csrc/array.h:384: f: block: [0,0,0], thread: [0,0,0] Assertion `i >= 0` failed.",
            NoReproduction::OwnCode,
        ),
    ] {
        assert_eq!(of_text(text.as_bytes()), Err(expected), "{text}");
    }
}

/// Lines of the guard, each with a piece of its script and its message.
fn guard_lines() -> Vec<(&'static str, &'static str, &'static str, &'static str)> {
    vec![
        (
            "guard_label",
            r#""op":"cross_entropy","api":"torch.nn.functional.cross_entropy","check":"range","what":"target","value":7,"index":[3],"lo":0,"hi":6,"ignore":-100,"shapes":{"input":[8,7],"target":[8]},"dtype":"int64""#,
            "torch.zeros(1, 7)",
            "IndexError: Target 7 is out of bounds.",
        ),
        (
            "guard_pixel_ignored",
            r#""op":"nll_loss","api":"torch.nn.functional.nll_loss","check":"range","what":"target","value":254,"lo":0,"hi":18,"ignore":255,"shapes":{"input":[2,19,64,64],"target":[2,64,64]},"dtype":"int64""#,
            "ignore_index=255",
            "IndexError: Target 254 is out of bounds.",
        ),
        (
            "guard_shape",
            r#""op":"cross_entropy","check":"shape","what":"target","value":null,"shapes":{"input":[8,7],"target":[4]}"#,
            "torch.zeros(8, 7)",
            "ValueError: Expected input batch_size (8) to match target batch_size (4).",
        ),
        (
            "guard_dtype_alike",
            r#""op":"cross_entropy","check":"dtype","what":"target","shapes":{"input":[8,7],"target":[8,7]},"dtype":"int64""#,
            "torch.zeros(1, 5, dtype=torch.int64)",
            "RuntimeError: Expected floating point type for target with class probabilities, got Long",
        ),
        (
            "guard_embedding",
            r#""op":"embedding","check":"range","what":"input","value":-1,"lo":0,"hi":99,"shapes":{"weight":[100,64],"input":[4,16]},"dtype":"int32""#,
            "dtype=torch.int32",
            "IndexError: index out of range in self",
        ),
        (
            "guard_first_offset",
            r#""op":"embedding_bag","check":"range","what":"offsets","value":1,"index":[0],"lo":0,"hi":0,"shapes":{"weight":[10,4],"input":[6],"offsets":[2]}"#,
            "offsets=torch.tensor([1])",
            "RuntimeError: offsets[0] has to be 0",
        ),
        (
            "guard_gather",
            r#""op":"gather","api":"torch.Tensor.gather","check":"range","what":"index","value":9,"dim":1,"lo":0,"hi":8,"shapes":{"input":[2,9],"index":[2,1]},"dtype":"int64""#,
            "x.gather(1, index)",
            "RuntimeError: index 9 is out of bounds for dimension 1 with size 9",
        ),
        (
            "guard_gather_shape",
            r#""op":"gather","check":"shape","what":"index","dim":0,"shapes":{"input":[2,9],"index":[3,1]},"dtype":"int64""#,
            "x.gather(1, index)",
            "RuntimeError: Size does not match at dimension 0 expected index [3, 1] to be",
        ),
        (
            "guard_scatter_source",
            r#""op":"scatter","api":"torch.Tensor.scatter_","check":"shape","what":"index","dim":1,"shapes":{"input":[2,9],"index":[2,2],"src":[2,1]},"dtype":"int64""#,
            "torch.zeros(2, 1))",
            "RuntimeError: Expected index [2, 2] to be",
        ),
        (
            "guard_write",
            r#""op":"index","api":"torch.Tensor.__setitem__","check":"range","what":"index","value":-13,"dim":1,"lo":-12,"hi":11,"shapes":{"input":[3,12],"index":[5]},"dtype":"int64""#,
            "x[:, index] = 1.0",
            "IndexError: index -13 is out of bounds for dimension 1 with size 12",
        ),
        (
            "guard_mask",
            r#""op":"index","api":"torch.Tensor.__getitem__","check":"shape","what":"index","dim":1,"shapes":{"input":[3,12],"index":[5]},"dtype":"bool""#,
            "x[:, mask]",
            "IndexError: The shape of the mask [5] at index 0 does not match the shape of the indexed tensor [3, 12] at index 1",
        ),
        (
            "guard_bce",
            r#""op":"binary_cross_entropy","check":"nan","what":"input","value":"NaN","lo":0.0,"hi":1.0,"shapes":{"input":[4],"target":[4]},"dtype":"float32""#,
            "float(\"nan\")",
            "RuntimeError: all elements of input should be between 0 and 1",
        ),
        (
            "guard_multinomial",
            r#""op":"multinomial","check":"range","what":"input","value":"Infinity","lo":0.0,"hi":null,"shapes":{"input":[4,50]},"dtype":"float32""#,
            "torch.ones(50)",
            "RuntimeError: probability tensor contains either `inf`, `nan` or element < 0",
        ),
        (
            "guard_sum",
            r#""op":"multinomial","check":"sum","what":"input","value":0.0,"shapes":{"input":[4,50]},"dtype":"float32""#,
            "torch.zeros(50)",
            "RuntimeError: invalid multinomial distribution (sum of probabilities <= 0)",
        ),
        (
            "guard_ctc_blank",
            r#""op":"ctc_loss","check":"range","what":"targets","value":0,"lo":1,"hi":19,"shapes":{"log_probs":[50,4,20],"targets":[4,9]},"dtype":"int64""#,
            "targets == 0",
            "labels out of range: [0]",
        ),
        (
            "guard_ctc_target_length",
            r#""op":"ctc_loss","check":"range","what":"target_lengths","value":12,"lo":0,"hi":9,"shapes":{"log_probs":[50,4,20],"targets":[4,9]},"dtype":"int64""#,
            "torch.ones(1, 9, dtype=torch.int64)",
            "RuntimeError: Expected tensor to have size at least 12 at dimension 1, but got size 9 for argument #2 'targets'",
        ),
    ]
}

/// The script for a line of the guard.
fn of_guard_line(fields: &str) -> Result<Reproduction, NoReproduction> {
    let line =
        format!("[assert-doctor] {{\"guard\":1,\"event\":\"violation\",\"t\":1.0,{fields}}}\n");
    of_text(line.as_bytes())
}

#[test]
fn a_line_of_the_guard_has_a_script() {
    for (name, fields, has, expected) in guard_lines() {
        let made = of_guard_line(fields).unwrap_or_else(|why| panic!("{name}: {why:?}"));
        check(name, &made);
        assert_eq!(made.expected, expected, "{name}");
        assert!(
            made.script.contains(has),
            "{name}: no {has}\n{}",
            made.script
        );
        assert!(!made.has_stand_ins, "{name}\n{}", made.script);
    }
}

/// The logs of the fixtures, by name.
fn logs() -> Vec<(String, Vec<u8>)> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/logs");
    let mut logs: Vec<(String, Vec<u8>)> = std::fs::read_dir(folder)
        .unwrap()
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == "log"))
        .map(|path| {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read(path).unwrap())
        })
        .collect();
    logs.sort();
    logs
}

/// Writes every script with what it promises to the folder that the environment names.
#[test]
fn scripts_can_be_written_out() {
    let all: Vec<(String, Reproduction)> = cases()
        .into_iter()
        .map(|(name, known, ..)| (name.to_owned(), of_known(&known).unwrap()))
        .chain(
            guard_lines()
                .into_iter()
                .map(|(name, fields, ..)| (name.to_owned(), of_guard_line(fields).unwrap())),
        )
        .chain(logs().into_iter().filter_map(|(name, bytes)| {
            let made = of_text(&bytes).ok()?;
            check(&name, &made);
            Some((format!("log_{name}"), made))
        }))
        .collect();
    assert!(
        all.iter()
            .filter(|(name, _)| name.starts_with("log_"))
            .count()
            > 10
    );
    let Some(folder) = std::env::var_os("ASSERT_DOCTOR_REPRODUCTIONS") else {
        return;
    };
    let folder = std::path::PathBuf::from(folder);
    std::fs::create_dir_all(&folder).unwrap();
    for (name, made) in all {
        let promise = serde_json::json!({
            "expected": made.expected,
            "other_wordings": made.other_wordings,
            "fails_on_cpu": made.fails_on_cpu,
            "since": made.since,
        });
        std::fs::write(folder.join(format!("{name}.py")), made.script).unwrap();
        std::fs::write(folder.join(format!("{name}.json")), promise.to_string()).unwrap();
    }
}
