//! Sizes, counts and element types that do not fit together.

use super::axis::MOST_ELEMENTS;
use super::known::{Fault, Known, Operation};
use super::script::{Script, list, sizes};
use super::stated::{self, Sizes};

/// Sizes or an element type that the operation refuses; `None` where too little is known of them.
pub(super) fn script(known: &Known) -> Option<Script> {
    use Operation as O;
    if known.fault == Fault::Dtype {
        return element_type(known);
    }
    if let Some(text) = &known.stated {
        return of_text(known, text);
    }
    match known.operation {
        O::CrossEntropy | O::NllLoss => of_class_loss(known),
        O::BinaryCrossEntropy | O::BinaryCrossEntropyWithLogits => {
            let logits = known.operation == O::BinaryCrossEntropyWithLogits;
            different(known.shape(&["target"])?, known.shape(&["input"])?, logits)
        }
        O::Gather | O::Scatter | O::ScatterAdd | O::ScatterReduce => of_index(known),
        O::IndexGet | O::IndexSet => of_mask(known),
        O::CtcLoss => of_lengths(known),
        _ => None,
    }
}

/// Sizes that the error's text states.
fn of_text(known: &Known, text: &str) -> Option<Script> {
    match stated::sizes(text)? {
        Sizes::Batch { input, target } => class_loss(known, &[input, MADE], &[target], true),
        Sizes::SeveralTargets => Some(
            class_loss(known, &[4, MADE], &[4, 1], true)?
                .stands_in("The real sizes are not known: 4 samples stand in for the batch."),
        ),
        Sizes::Target { expected, got } => {
            let mut input = expected;
            input.insert(1.min(input.len()), MADE);
            class_loss(known, &input, &got, true)
        }
        Sizes::Matmul(a, b) => {
            made(&a)?;
            made(&b)?;
            let told = format!(
                "mat1 and mat2 shapes cannot be multiplied ({}x{} and {}x{})",
                a[0], a[1], b[0], b[1]
            );
            Some(
                Script::showing(format!(
                    "A product of {}x{} and {}x{}: the inner sizes, {} and {}, must be the same.",
                    a[0], a[1], b[0], b[1], a[1], b[0]
                ))
                .line(format!("a = torch.zeros({})", sizes(&a)))
                .line(format!("b = torch.zeros({})", sizes(&b)))
                .line("torch.mm(a, b)")
                .expects(format!("RuntimeError: {told}"))
                .or(format!("RuntimeError: mm: {told}")),
            )
        }
        Sizes::Broadcast { a, b, dim } => {
            let before = vec![1; usize::try_from(dim).ok().filter(|&dim| dim < 8)?];
            let shape = |last: u64| [before.as_slice(), &[last]].concat();
            made(&shape(a))?;
            made(&shape(b))?;
            Some(
                Script::showing(format!(
                    "An element-wise operation on {a} and {b} elements in dimension {dim}: they must be the same, or one of them 1."
                ))
                .stands_in("The operation is not known: a sum stands in for it. Shortened: the other dimensions.")
                .line(format!("a = torch.zeros({})", sizes(&shape(a))))
                .line(format!("b = torch.zeros({})", sizes(&shape(b))))
                .line("a + b")
                .expects(format!(
                    "RuntimeError: The size of tensor a ({a}) must match the size of tensor b ({b}) at non-singleton dimension {dim}"
                )),
            )
        }
        Sizes::Different {
            target,
            input,
            logits,
        } => different(&target, &input, logits),
    }
}

/// Classes where their number does not matter.
const MADE: u64 = 2;

/// The shape, if a script may make a tensor of it.
fn made(shape: &[u64]) -> Option<&[u64]> {
    let elements = shape
        .iter()
        .try_fold(1_u64, |all, &size| all.checked_mul(size))?;
    (elements <= MOST_ELEMENTS && shape.len() <= 8).then_some(shape)
}

/// A class loss with the shapes that the guard saw.
fn of_class_loss(known: &Known) -> Option<Script> {
    let input = known.shape(&["input", "logits"])?;
    let target = known.shape(&["target"])?;
    // The classes do not matter here, and are what makes the tensor large.
    let mut small = input.to_vec();
    let cut = match small.get_mut(1) {
        Some(classes) if made(input).is_none() => {
            *classes = MADE;
            true
        }
        _ => false,
    };
    class_loss(known, &small, target, cut)
}

/// Predictions and labels whose sizes do not fit. `made_classes` tells that the number of classes stands in for the real one.
fn class_loss(known: &Known, input: &[u64], target: &[u64], made_classes: bool) -> Option<Script> {
    made(input)?;
    made(target)?;
    let (name, call) = if known.operation == Operation::NllLoss {
        ("log_probs", "nll_loss")
    } else {
        ("logits", "cross_entropy")
    };
    let (&batch, labels) = input.first().zip(target.first())?;
    // The order in which PyTorch looks at them.
    let expected = if input.len() < 2 || (input == target && call == "cross_entropy") {
        return None;
    } else if batch != *labels {
        format!(
            "ValueError: Expected input batch_size ({batch}) to match target batch_size ({labels})."
        )
    } else if input.len() == 2 {
        if target.len() == 1 {
            return None;
        }
        "RuntimeError: 0D or 1D target tensor expected, multi-target not supported".to_owned()
    } else {
        let rest = input.get(2..)?;
        let fitting = [&[batch], rest].concat();
        if fitting == target {
            return None;
        }
        match (input.len(), target.len()) {
            (4, 3) => format!(
                "RuntimeError: size mismatch (got input: {} , target: {}",
                list(input),
                list(target)
            ),
            (4, rank) => format!(
                "RuntimeError: only batches of spatial targets supported (3D tensors) but got targets of dimension: {rank}"
            ),
            _ => format!(
                "RuntimeError: Expected target size {}, got {}",
                list(&fitting),
                list(target)
            ),
        }
    };
    let mut script = Script::showing(format!(
        "{call} with predictions of the shape {} and labels of the shape {}.",
        list(input),
        list(target)
    ));
    if made_classes {
        script = script.stands_in(format!(
            "The number of classes does not matter: {MADE} stand in for them."
        ));
    }
    Some(
        script
            .line(format!("{name} = torch.zeros({})", sizes(input)))
            .line(format!(
                "target = torch.zeros({}, dtype=torch.int64)",
                sizes(target)
            ))
            .line(format!("F.{call}({name}, target)"))
            .expects(expected),
    )
}

/// A binary loss whose labels have another shape than its predictions.
fn different(target: &[u64], input: &[u64], logits: bool) -> Option<Script> {
    made(target)?;
    made(input)?;
    if target == input || target.is_empty() || input.is_empty() {
        return None;
    }
    let call = if logits {
        "binary_cross_entropy_with_logits"
    } else {
        "binary_cross_entropy"
    };
    let (of_target, of_input) = (
        format!("(torch.Size({}))", list(target)),
        format!("(torch.Size({}))", list(input)),
    );
    let expected = if logits {
        format!("ValueError: Target size {of_target} must be the same as input size {of_input}")
    } else {
        format!(
            "ValueError: Using a target size {of_target} that is different to the input size {of_input}"
        )
    };
    Some(
        Script::showing(format!(
            "{call} with predictions of the shape {} and labels of the shape {}: they must be the same.",
            list(input),
            list(target)
        ))
        .line(format!("input = torch.full(({},), 0.5)", sizes(input)))
        .line(format!("target = torch.zeros({})", sizes(target)))
        .line(format!("F.{call}(input, target)"))
        .expects(expected),
    )
}

/// An index with other dimensions than the tensor, or larger than it beside the indexed dimension.
fn of_index(known: &Known) -> Option<Script> {
    let input = some(known.shape(&["input", "self"])?)?;
    let index = some(known.shape(&["index"])?)?;
    let gather = known.operation == Operation::Gather;
    let source = known.shape(&["src"]);
    let reported = known.dim.and_then(|dim| usize::try_from(dim).ok());
    // PyTorch's own check of a source with other dimensions trips over itself.
    if source.is_some_and(|source| source.len() != index.len()) {
        return None;
    }
    let (dim, expected) = if input.len() == index.len() {
        // Larger than the tensor, or than what is written into it.
        let larger_than = |other: &[u64]| -> Vec<usize> {
            let pairs = index.iter().zip(other).enumerate();
            pairs
                .filter(|(_, (a, b))| a > b)
                .map(|(at, _)| at)
                .collect()
        };
        let mut wrong = larger_than(input);
        let indexed = if let Some(source) = source.filter(|source| !larger_than(source).is_empty())
        {
            wrong = larger_than(some(source)?);
            0
        } else {
            // The indexed dimension may be longer: it is another than the reported one.
            let at = reported
                .filter(|at| wrong.contains(at))
                .or(wrong.first().copied())?;
            (0..input.len())
                .find(|&dim| dim != at && wrong.contains(&dim))
                .or_else(|| (0..input.len()).find(|&dim| dim != at))?
        };
        let at = wrong
            .iter()
            .find(|&&at| source.is_some() || at != indexed)?;
        let expected = if gather {
            format!(
                "RuntimeError: Size does not match at dimension {at} expected index {} to be",
                list(index)
            )
        } else {
            format!("RuntimeError: Expected index {} to be", list(index))
        };
        (indexed, expected)
    } else {
        let of = if gather { "input" } else { "self" };
        let dim = reported.filter(|&dim| dim < input.len()).unwrap_or(0);
        (
            dim,
            format!(
                "RuntimeError: Index tensor must have the same number of dimensions as {of} tensor"
            ),
        )
    };
    let source = sizes(source.unwrap_or(index));
    let (name, call) = match known.operation {
        Operation::Gather => ("gather", format!("x.gather({dim}, index)")),
        Operation::Scatter => (
            "scatter",
            format!("x.scatter({dim}, index, torch.zeros({source}))"),
        ),
        _ => (
            "scatter_add",
            format!("x.scatter_add({dim}, index, torch.zeros({source}))"),
        ),
    };
    Some(
        Script::showing(format!(
            "{name} with a tensor of the shape {} and an index of the shape {}.",
            list(input),
            list(index)
        ))
        .line(format!("x = torch.zeros({})", sizes(input)))
        .line(format!(
            "index = torch.zeros({}, dtype=torch.int64)",
            sizes(index)
        ))
        .line(call)
        .expects(expected),
    )
}

/// A mask with another shape than what it chooses from.
fn of_mask(known: &Known) -> Option<Script> {
    let input = some(known.shape(&["input", "self"])?)?;
    let mask = some(known.shape(&["index"])?)?;
    let dim = usize::try_from(known.dim?).ok()?;
    let chosen = input.get(dim..)?.get(..mask.len())?;
    let at = chosen.iter().zip(mask).position(|(a, b)| a != b)?;
    let writes = known.operation == Operation::IndexSet;
    let subscript = format!("x[{}mask]", ":, ".repeat(dim));
    Some(
        Script::showing(format!(
            "{subscript} with a mask of the shape {}: what it chooses from has the shape {}.",
            list(mask),
            list(chosen)
        ))
        .line(format!("x = torch.zeros({})", sizes(input)))
        .line(format!("mask = torch.ones({}, dtype=torch.bool)", sizes(mask)))
        .line(if writes { format!("{subscript} = 1.0") } else { subscript })
        .expects(format!(
            "IndexError: The shape of the mask {} at index {at} does not match the shape of the indexed tensor {} at index {}",
            list(mask),
            list(input),
            dim + at
        )),
    )
}

/// A shape that a script may make, with at least one dimension.
fn some(shape: &[u64]) -> Option<&[u64]> {
    made(shape).filter(|shape| !shape.is_empty())
}

/// CTC with another number of lengths than samples.
fn of_lengths(known: &Known) -> Option<Script> {
    let &[_, batch, _] = known.shape(&["log_probs", "input"])? else {
        return None;
    };
    let count = |name: &str| match known.shape(&[name]) {
        Some(&[count]) => Some(count),
        _ => None,
    };
    let lengths = |name: &str| count(name).filter(|&count| count != batch && count <= 100_000);
    if !(1..=100_000).contains(&batch) {
        return None;
    }
    let (wrong, count, inputs, targets) =
        match (lengths("input_lengths"), lengths("target_lengths")) {
            (Some(inputs), _) => ("input_lengths", inputs, inputs, batch),
            (None, Some(targets)) => ("target_lengths", targets, batch, targets),
            (None, None) => return None,
        };
    Some(
        Script::showing(format!(
            "ctc_loss with a batch of {batch} and {count} {wrong}: there must be as many."
        ))
        .note("Shortened: one step, two classes, one label a sample.")
        .line(format!(
            "log_probs = torch.zeros(1, {batch}, 2)  # steps, batch, classes"
        ))
        .line(format!(
            "targets = torch.ones({batch}, 1, dtype=torch.int64)"
        ))
        .line(format!(
            "input_lengths = torch.ones({inputs}, dtype=torch.int64)"
        ))
        .line(format!(
            "target_lengths = torch.ones({targets}, dtype=torch.int64)"
        ))
        .line("F.ctc_loss(log_probs, targets, input_lengths, target_lengths)")
        .expects(format!("RuntimeError: {wrong} must be of size batch_size")),
    )
}

/// An element type that the operation does not take.
fn element_type(known: &Known) -> Option<Script> {
    let element = known.element()?;
    let spoken = match element {
        "int64" => "Long",
        "int32" => "Int",
        "int16" => "Short",
        "int8" => "Char",
        "float16" => "Half",
        "float32" => "Float",
        "float64" => "Double",
        "bool" => "Bool",
        _ => return None,
    };
    let shapes = known.shape(&["input"]).zip(known.shape(&["target"]));
    let alike = shapes.is_some_and(|(input, target)| input == target);
    let whole = element.starts_with("int") || element == "bool";
    let (name, lines, expected, other) = match known.operation {
        // Labels in the shape of the predictions are taken for the probabilities of the classes.
        Operation::CrossEntropy if alike && whole => (
            "cross_entropy",
            vec![
                "logits = torch.zeros(1, 5)".to_owned(),
                format!("target = torch.zeros(1, 5, dtype=torch.{element})  # the shape of the logits: probabilities"),
                "F.cross_entropy(logits, target)".to_owned(),
            ],
            format!(
                "RuntimeError: Expected floating point type for target with class probabilities, got {spoken}"
            ),
            None,
        ),
        _ if element == "int64" => return None,
        Operation::CrossEntropy | Operation::NllLoss => {
            let call = if known.operation == Operation::NllLoss {
                "nll_loss"
            } else {
                "cross_entropy"
            };
            (
                call,
                vec![
                    "logits = torch.zeros(1, 5)".to_owned(),
                    format!("target = torch.zeros(1, dtype=torch.{element})"),
                    format!("F.{call}(logits, target)"),
                ],
                format!("RuntimeError: expected target dtype to be Long or Byte, but got {spoken}"),
                Some(format!("RuntimeError: expected scalar type Long but found {spoken}")),
            )
        }
        Operation::Embedding if element != "int32" => (
            "embedding",
            vec![
                "weight = torch.zeros(5, 1)".to_owned(),
                format!("ids = torch.zeros(1, dtype=torch.{element})"),
                "F.embedding(ids, weight)".to_owned(),
            ],
            "RuntimeError: Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int"
                .to_owned(),
            None,
        ),
        Operation::OneHot => (
            "one_hot",
            vec![
                format!("labels = torch.zeros(1, dtype=torch.{element})"),
                "F.one_hot(labels, num_classes=5)".to_owned(),
            ],
            "RuntimeError: one_hot is only applicable to index tensor".to_owned(),
            None,
        ),
        _ => return None,
    };
    let mut script = Script::showing(format!(
        "{name} with values of the type {element}, which it does not take here."
    ))
    .note("Shortened: one value, five places to choose from.");
    for line in lines {
        script = script.line(line);
    }
    script = script.expects(expected);
    Some(match other {
        Some(other) => script.or(other),
        None => script,
    })
}

/// Counts that do not fit: masks and repeats. Also whole numbers divided by 0.
pub(super) fn counts(known: &Known) -> Script {
    match known.operation {
        Operation::MaskedScatter => Script::showing(
            "masked_scatter with a mask that chooses 3 places and a source of 2 values.",
        )
        .stands_in("The real counts are not known: these stand in for them.")
        .line("x = torch.zeros(3)")
        .line("mask = torch.tensor([True, True, True])")
        .line("x.masked_scatter(mask, torch.ones(2))")
        .expects("RuntimeError: Number of elements of source < number of ones in mask"),
        Operation::Remainder => Script::showing("A whole number divided by 0.")
            .stands_in("The real numbers are not known: 1 stands in for the dividend.")
            .line("torch.remainder(torch.tensor([1]), torch.tensor([0]))")
            .expects("RuntimeError: ZeroDivisionError"),
        _ if known.is_in("output_size") => {
            Script::showing("repeat_interleave with an output_size of 1 where the repeats make 2.")
                .stands_in("The real counts are not known: these stand in for them.")
                .line("x = torch.zeros(1)")
                .line("torch.repeat_interleave(x, torch.tensor([2]), output_size=1)")
                .expects("RuntimeError: allocated size does not match required size")
        }
        _ => Script::showing("repeat_interleave with a negative number of repeats.")
            .stands_in("The real number is not known: -1 stands in for it.")
            .line("x = torch.zeros(1)")
            .line("torch.repeat_interleave(x, torch.tensor([-1]))")
            .expects("RuntimeError: repeats can not be negative"),
    }
}
