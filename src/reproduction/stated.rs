//! Sizes and parameters that an error's text states.

/// Sizes that do not fit together.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Sizes {
    /// `Expected input batch_size (60) to match target batch_size (10).`
    Batch {
        /// Of the predictions.
        input: u64,
        /// Of the labels.
        target: u64,
    },
    /// `0D or 1D target tensor expected, multi-target not supported`.
    SeveralTargets,
    /// `Expected target size [2, 5], got [2, 7]`.
    Target {
        /// What the predictions ask for.
        expected: Vec<u64>,
        /// What the labels have.
        got: Vec<u64>,
    },
    /// `mat1 and mat2 shapes cannot be multiplied (32x2048 and 512x10)`.
    Matmul([u64; 2], [u64; 2]),
    /// `The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1`.
    Broadcast {
        /// Of the first tensor.
        a: u64,
        /// Of the second tensor.
        b: u64,
        /// Where they differ.
        dim: u64,
    },
    /// `Using a target size (torch.Size([4])) that is different to the input size (torch.Size([4, 1]))`, and the same of logits.
    Different {
        /// Of the labels.
        target: Vec<u64>,
        /// Of the predictions.
        input: Vec<u64>,
        /// Said by the loss that takes logits.
        logits: bool,
    },
}

/// The sizes that a text states.
pub(super) fn sizes(text: &str) -> Option<Sizes> {
    if text.contains("multi-target not supported") {
        return Some(Sizes::SeveralTargets);
    }
    if let Some((_, rest)) = text.split_once("input batch_size (") {
        let (input, rest) = number(rest)?;
        let (target, _) = number(rest.split_once("target batch_size (")?.1)?;
        return (input != target).then_some(Sizes::Batch { input, target });
    }
    if let Some((_, rest)) = text.split_once("Expected target size ") {
        let (expected, rest) = rest.split_once(", got ")?;
        let (expected, got) = (list(expected)?, list(rest)?);
        return (expected != got).then_some(Sizes::Target { expected, got });
    }
    if let Some((_, rest)) = text.split_once("shapes cannot be multiplied (") {
        let (a, rest) = pair(rest)?;
        let (b, _) = pair(rest.strip_prefix(" and ")?)?;
        return (a[1] != b[0]).then_some(Sizes::Matmul(a, b));
    }
    if let Some((_, rest)) = text.split_once("size of tensor a (") {
        let (a, rest) = number(rest)?;
        let (b, rest) = number(rest.split_once("size of tensor b (")?.1)?;
        let (dim, _) = number(rest.split_once("non-singleton dimension ")?.1)?;
        return (a != b && a != 1 && b != 1).then_some(Sizes::Broadcast { a, b, dim });
    }
    let (target, input, logits) = if let Some((_, rest)) = text.split_once("Using a target size (")
    {
        let (target, input) = rest.split_once("input size (")?;
        (target, input, false)
    } else {
        let (_, rest) = text.split_once("Target size (")?;
        let (target, input) = rest.split_once("input size (")?;
        (target, input, true)
    };
    let of = |text: &str| list(text.strip_prefix("torch.Size(")?);
    let (target, input) = (of(target)?, of(input)?);
    (target != input).then_some(Sizes::Different {
        target,
        input,
        logits,
    })
}

/// The distribution and its parameter that an error refuses:
/// `Expected parameter loc (Tensor of shape (256, 6)) of distribution Normal(loc: …`.
pub(super) fn distribution(text: &str) -> Option<(&str, &str)> {
    let (_, rest) = text.split_once("Expected parameter ")?;
    let (parameter, rest) = rest.split_once(' ')?;
    let (_, rest) = rest.split_once("of distribution ")?;
    let (name, _) = rest.split_once('(')?;
    Some((name, parameter))
}

/// The number right after a word (`but got -0.016126 at …`).
pub(super) fn float_after(text: &str, word: &str) -> Option<f64> {
    let (_, rest) = text.split_once(word)?;
    let end = rest
        .find(|c: char| !(c.is_ascii_digit() || matches!(c, '-' | '.' | 'e' | '+')))
        .unwrap_or(rest.len());
    rest.get(..end)?.trim_end_matches('.').parse().ok()
}

/// The whole number at the start, and what follows.
fn number(text: &str) -> Option<(u64, &str)> {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let (digits, rest) = text.split_at_checked(end)?;
    Some((digits.parse().ok()?, rest))
}

/// `32x2048`, and what follows.
fn pair(text: &str) -> Option<([u64; 2], &str)> {
    let (a, rest) = number(text)?;
    let (b, rest) = number(rest.strip_prefix('x')?)?;
    Some(([a, b], rest))
}

/// `[4, 1]` at the start; at most eight sizes.
fn list(text: &str) -> Option<Vec<u64>> {
    let (inside, _) = text.trim_start().strip_prefix('[')?.split_once(']')?;
    if inside.trim().is_empty() {
        return Some(Vec::new());
    }
    let sizes: Option<Vec<u64>> = inside
        .split(',')
        .map(|size| size.trim().parse().ok())
        .collect();
    sizes.filter(|sizes| sizes.len() <= 8)
}
