//! Values that choose a place: table rows, gather and scatter, indexing, one-hot.

use super::axis::{Axis, axis, place};
use super::known::{Known, Operation};
use super::script::{Script, nested, sizes};
use crate::range_check::Number;

/// An index outside what it indexes.
pub(super) fn script(known: &Known) -> Script {
    use Operation as O;
    match known.operation {
        O::EmbeddingBag if known.is_in("offsets") => bag_offsets(known),
        O::Embedding | O::EmbeddingBag => table(known),
        O::OneHot => one_hot(known),
        O::MaxUnpool2d | O::MaxUnpool3d => unpool(known),
        O::Take | O::Put => flat(known),
        O::Gather | O::Scatter | O::ScatterAdd | O::ScatterReduce => along(known),
        O::IndexGet | O::IndexSet => indexing(known),
        _ => by_dimension(known),
    }
}

/// `, dtype=torch.int32` where the ids had it and the value fits.
fn id_type(known: &Known, value: i64) -> &'static str {
    match known.element() {
        Some("int32") if i32::try_from(value).is_ok() => ", dtype=torch.int32",
        _ => "",
    }
}

fn table(known: &Known) -> Script {
    let rows = known
        .shape(&["weight"])
        .and_then(|shape| shape.first().copied());
    let axis = axis(known, rows, false, "rows");
    let Axis { size, value, .. } = axis;
    let bag = known.operation == Operation::EmbeddingBag;
    let call = if bag { "embedding_bag" } else { "embedding" };
    let dtype = id_type(known, value);
    let script = Script::showing(format!(
        "{call} with the id {value}: allowed are {} ({size} rows in the table).",
        axis.range(false)
    ))
    .with_axis(&axis)
    .note("Shortened: one id, rows of one number.")
    .line(format!("weight = torch.zeros({size}, 1)"))
    .line(format!(
        "ids = torch.tensor({}{dtype})",
        nested(&value.to_string(), 1 + usize::from(bag))
    ))
    .line(format!("F.{call}(ids, weight)"));
    if bag {
        script
            .expects(format!(
                "RuntimeError: Index 0 of input takes value {value} which is not in the valid range [0, {size})"
            ))
            .or(format!("RuntimeError: Index 0 is out of bounds: {value}, range 0 to {size}"))
    } else {
        script.expects("IndexError: index out of range in self")
    }
}

/// A bag that begins behind the last id, or a first bag that does not begin at 0.
fn bag_offsets(known: &Known) -> Script {
    let ids = known
        .shape(&["input", "indices"])
        .and_then(|shape| match shape {
            [ids] => Some(*ids),
            _ => None,
        });
    let zero = Some(Number::from(0));
    let offset = known
        .value
        .and_then(Number::as_int)
        .filter(|&offset| i64::try_from(offset).is_ok());
    if known.lo == zero
        && known.hi == zero
        && let Some(offset) = offset.filter(|&offset| offset != 0)
    {
        return Script::showing(format!(
            "embedding_bag with a first bag that begins at {offset}: it must begin at 0."
        ))
        .note("Shortened: one bag, two ids, a table of one row.")
        .line("weight = torch.zeros(1, 1)")
        .line("ids = torch.zeros(2, dtype=torch.int64)")
        .line(format!(
            "F.embedding_bag(ids, weight, offsets=torch.tensor([{offset}]))"
        ))
        .expects("RuntimeError: offsets[0] has to be 0");
    }
    let stated = known
        .hi
        .and_then(Number::as_int)
        .and_then(|hi| u64::try_from(hi).ok());
    let real = ids
        .or(stated)
        .zip(offset)
        .filter(|&(ids, offset)| (1..=1_000_000).contains(&ids) && offset > i128::from(ids));
    let (ids, offset) = real.unwrap_or((2, 3));
    let mut script = Script::showing(format!(
        "embedding_bag with a bag that begins at {offset}: there are {ids} ids."
    ));
    if real.is_none() {
        script = script.stands_in(format!(
            "{ids} and {offset} stand in for the real numbers. On the CPU only the first and the last offset are checked."
        ));
    }
    script
        .note("Shortened: two bags, a table of one row.")
        .line("weight = torch.zeros(1, 1)")
        .line(format!("ids = torch.zeros({ids}, dtype=torch.int64)"))
        .line(format!("F.embedding_bag(ids, weight, offsets=torch.tensor([0, {offset}]))"))
        .expects(format!(
            "RuntimeError: offsets[-1] can not be greater than input's length {ids} but got offsets[-1] of {offset}"
        ))
}

fn one_hot(known: &Known) -> Script {
    let axis = axis(known, None, false, "classes");
    let Axis { size, value, .. } = axis;
    let expected = if value < 0 {
        "RuntimeError: Class values must be non-negative."
    } else {
        "RuntimeError: Class values must be smaller than num_classes."
    };
    Script::showing(format!(
        "one_hot with the class {value}: allowed are {} ({size} classes).",
        axis.range(false)
    ))
    .with_axis(&axis)
    .note("Shortened: one label.")
    .line(format!("labels = torch.tensor([{value}])"))
    .line(format!("F.one_hot(labels, num_classes={size})"))
    .expects(expected)
}

/// The index of a maximum outside the picture that it is put back into.
fn unpool(known: &Known) -> Script {
    let (places, axes, call) = if known.operation == Operation::MaxUnpool3d {
        (8, 3, "max_unpool3d")
    } else {
        (4, 2, "max_unpool2d")
    };
    let known_value = known.value.and_then(Number::as_int);
    let real = known_value.and_then(|value| i64::try_from(value).ok());
    let real = real.filter(|value| !(0..places).contains(value));
    let value = real.unwrap_or(places);
    let script = Script::showing(format!(
        "{call} with the index {value}: the output has {places} places here, allowed are 0 to {}.",
        places - 1
    ));
    let script = match real {
        Some(_) => script.note("Shortened: a picture of one place."),
        None => script.stands_in(format!(
            "Shortened: a picture of one place. {value}, the smallest above its range, stands in for the real value."
        )),
    };
    let ones = sizes(&vec![1; axes + 2]);
    let shape = vec!["2"; axes].join("x");
    script
        .line(format!("pooled = torch.zeros({ones})"))
        .line(format!(
            "indices = torch.tensor({})",
            nested(&value.to_string(), axes + 2)
        ))
        .line(format!("F.{call}(pooled, indices, kernel_size=2)"))
        .expects(format!(
            "RuntimeError: Found an invalid max index: {value} (output volumes are of size {shape}"
        ))
}

/// `take` and `put_`: the tensor counts as one row of numbers, and negative indices count from its end.
fn flat(known: &Known) -> Script {
    let product = |shape: &[u64]| shape.iter().try_fold(1_u64, |all, &n| all.checked_mul(n));
    let elements = known.shape(&["input", "self"]).and_then(product);
    let axis = axis(known, elements, true, "elements");
    let Axis { size, value, .. } = axis;
    let (name, call) = if known.operation == Operation::Put {
        ("put_", "x.put_(index, torch.ones(1))")
    } else {
        ("take", "torch.take(x, index)")
    };
    Script::showing(format!(
        "{name} with the index {value}: allowed are {} ({size} elements).",
        axis.range(true)
    ))
    .with_axis(&axis)
    .note("Shortened: one index.")
    .line(format!("x = torch.zeros({size})"))
    .line(format!("index = torch.tensor([{value}])"))
    .line(call)
    .expects(format!(
        "IndexError: out of range: tried to access index {value} on a tensor of {size} elements."
    ))
}

/// `gather` and the scatters: an index with as many dimensions as the tensor.
fn along(known: &Known) -> Script {
    let shape = known.shape(&["input", "self"]);
    let (dim, rank) = place(known, shape, (1, 2));
    let indexed = shape.and_then(|shape| shape.get(dim).copied());
    let axis = axis(known, indexed, false, "places");
    let Axis { size, value, .. } = axis;
    let ones = sizes(&vec![1; rank]);
    let (name, call) = match known.operation {
        Operation::Scatter => ("scatter", format!("x.scatter({dim}, index, 1.0)")),
        Operation::ScatterAdd => (
            "scatter_add",
            format!("x.scatter_add({dim}, index, torch.ones({ones}))"),
        ),
        Operation::ScatterReduce => (
            "scatter_reduce",
            format!("x.scatter_reduce({dim}, index, torch.ones({ones}), reduce=\"sum\")"),
        ),
        _ => ("gather", format!("x.gather({dim}, index)")),
    };
    Script::showing(format!(
        "{name} along dimension {dim} with the index {value}: allowed are {} ({size} places).",
        axis.range(false)
    ))
    .with_axis(&axis)
    .note(others_are_one(rank, "one index"))
    .line(format!(
        "x = torch.zeros({})",
        sizes(&lengths(dim, rank, size))
    ))
    .line(format!(
        "index = torch.tensor({})",
        nested(&value.to_string(), rank)
    ))
    .line(call)
    .expects(format!(
        "RuntimeError: index {value} is out of bounds for dimension {dim} with size {size}"
    ))
}

/// `x[index]`, where negative indices count from the end.
fn indexing(known: &Known) -> Script {
    let shape = known.shape(&["input", "self"]);
    let (dim, rank) = place(known, shape, (0, 1));
    let indexed = shape.and_then(|shape| shape.get(dim).copied());
    let axis = axis(known, indexed, true, "places");
    let Axis { size, value, .. } = axis;
    let subscript = format!("x[{}index]", ":, ".repeat(dim));
    let writes = known.operation == Operation::IndexSet;
    let what = if writes {
        format!("{subscript} = 1")
    } else {
        subscript.clone()
    };
    let mut script = Script::showing(format!(
        "{what} with the index {value}: allowed are {} ({size} places in dimension {dim}).",
        axis.range(true)
    ))
    .with_axis(&axis);
    if known.compiled {
        script = script.stands_in(
            "The check stands in compiled code, which does not say which operation it belongs to: indexing stands in for it.",
        );
    }
    let message = |dim: usize| {
        format!("IndexError: index {value} is out of bounds for dimension {dim} with size {size}")
    };
    let script = script
        .note(others_are_one(rank, "one index"))
        .line(format!(
            "x = torch.zeros({})",
            sizes(&lengths(dim, rank, size))
        ))
        .line(format!("index = torch.tensor([{value}])"))
        .line(if writes {
            format!("{subscript} = 1.0")
        } else {
            subscript
        });
    // The indexed dimension is put first before it is looked at; writing tells the real one in newer releases.
    if writes && dim > 0 {
        script.expects(message(dim)).or(message(0))
    } else {
        script.expects(message(0))
    }
}

/// `index_select`, `index_add`, `index_copy`, `index_fill`.
fn by_dimension(known: &Known) -> Script {
    use Operation as O;
    let shape = known.shape(&["input", "self"]);
    let (dim, _) = place(known, shape, (0, 1));
    let indexed = shape.and_then(|shape| shape.get(dim).copied());
    // Filling counts negative indices from the end, the others do not take them.
    let wraps = known.operation == O::IndexFill;
    let axis = axis(known, indexed, wraps, "places");
    let Axis { size, value, .. } = axis;
    let (name, call) = match known.operation {
        O::IndexAdd => ("index_add", "x.index_add(0, index, torch.ones(1, 1))"),
        O::IndexCopy => ("index_copy", "x.index_copy(0, index, torch.ones(1, 1))"),
        O::IndexFill => ("index_fill", "x.index_fill(0, index, 1.0)"),
        _ => ("index_select", "x.index_select(0, index)"),
    };
    let dtype = match known.operation {
        O::IndexSelect => id_type(known, value),
        _ => "",
    };
    let told = format!("index {value} is out of bounds for dimension 0 with size {size}");
    let in_self = "IndexError: index out of range in self";
    let script = Script::showing(format!(
        "{name} with the index {value}: allowed are {} ({size} places).",
        axis.range(wraps)
    ))
    .with_axis(&axis)
    .note(if dim == 0 {
        "Shortened: one index; dimensions that are not indexed have one place.".to_owned()
    } else {
        format!("Shortened: one index; dimension {dim} is put first, the others have one place.")
    })
    .line(format!("x = torch.zeros({size}, 1)"))
    .line(format!("index = torch.tensor([{value}]{dtype})"))
    .line(call);
    match known.operation {
        O::IndexAdd => script.expects(format!("RuntimeError: {told}")).or(in_self),
        O::IndexCopy => script.expects(format!("IndexError: index_copy_(): {told}")),
        O::IndexFill => script.expects(format!("IndexError: {told}")),
        _ => script.expects(in_self),
    }
}

/// Sizes of one, but for the indexed dimension.
fn lengths(dim: usize, rank: usize, size: u64) -> Vec<u64> {
    (0..rank)
        .map(|at| if at == dim { size } else { 1 })
        .collect()
}

fn others_are_one(rank: usize, what: &str) -> String {
    if rank > 1 {
        format!("Shortened: {what}; dimensions that are not indexed have one place.")
    } else {
        format!("Shortened: {what}.")
    }
}
