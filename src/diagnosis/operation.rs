//! Which Python operation a line of code performs, as far as its text shows.
//!
//! Text alone: no names are resolved. A line counts as an operation only when nothing else on it explains the match.

/// Whether a frame's code or function shows one of these words (`cross_entropy`, `scatter_`), as a name of its own or a
/// part of a dotted one. The special word `x[idx]` stands for indexing with an index tensor.
pub(super) fn shows(code: &str, words: &[String]) -> bool {
    let code = without_comment(code);
    words.iter().any(|word| {
        if word == ADVANCED_INDEXING {
            is_advanced_indexing(code)
        } else {
            contains_name(code, word)
        }
    })
}

/// The word that stands for indexing with an index tensor.
pub(super) const ADVANCED_INDEXING: &str = "x[idx]";

/// The code without a trailing comment. A `#` inside quotes is left alone.
pub(super) fn without_comment(code: &str) -> &str {
    let mut quote = None;
    for (at, c) in code.char_indices() {
        match (quote, c) {
            (None, '#') => return code.get(..at).unwrap_or(code).trim_end(),
            (None, '"' | '\'') => quote = Some(c),
            (Some(q), _) if q == c => quote = None,
            _ => {}
        }
    }
    code
}

/// Whether a word occurs where a name may begin: `gather(` is not found in `all_gather(`.
fn contains_name(code: &str, word: &str) -> bool {
    if word.is_empty() {
        return false;
    }
    code.match_indices(word).any(|(at, _)| {
        let before = code.get(..at).and_then(|s| s.chars().next_back());
        let after = code.get(at + word.len()..).and_then(|s| s.chars().next());
        let starts = !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
            || !word.starts_with(|c: char| c.is_alphanumeric());
        // `embedding` is no sign in `embedding_dim`, but `cross_entropy` is one in `cross_entropy_loss(`.
        let ends = word.ends_with(['(', '_', '.'])
            || !after.is_some_and(|c| c.is_alphanumeric() || c == '_')
            || code.get(at + word.len()..).is_some_and(|rest| {
                rest.starts_with("_loss(") || rest.starts_with("_nd(") || rest.starts_with("_(")
            });
        starts && ends
    })
}

/// Whether a line indexes something with a value that may be an index tensor: `x[idx]`, `x[batch, cls] = v`, `w.index_put_(…)`.
///
/// Not with numbers, strings or slices alone, and not with what reads as a boolean mask: a mask cannot be out of range, it only
/// waits for the GPU.
fn is_advanced_indexing(code: &str) -> bool {
    if [
        "index_put",
        ".take(",
        "torch.take(",
        ".index_fill",
        "masked_scatter",
    ]
    .iter()
    .any(|word| code.contains(word))
    {
        return true;
    }
    let mut open = Vec::new();
    let mut before = None;
    for (at, c) in code.char_indices() {
        match c {
            '[' => {
                // After a name, a call or another subscript it is a subscript; otherwise a list.
                let subscript = before
                    .is_some_and(|b: char| b.is_alphanumeric() || matches!(b, '_' | ')' | ']'));
                open.push((at + 1, subscript));
            }
            ']' => {
                if let Some((from, true)) = open.pop()
                    && code.get(from..at).is_some_and(may_be_index_tensor)
                {
                    return true;
                }
            }
            _ => {}
        }
        if !c.is_whitespace() {
            before = Some(c);
        }
    }
    false
}

/// Whether the text between the brackets may be an index tensor.
fn may_be_index_tensor(inside: &str) -> bool {
    let boolean = [
        "==", "!=", "<", ">", "~", "mask", " in ", "isnan", "valid", "keep",
    ]
    .iter()
    .any(|sign| inside.contains(sign));
    // `for i in …` counters and single letters are list indices far more often than tensors.
    !boolean
        && inside.split(',').any(|part| {
            let part = part.trim();
            let name = part
                .chars()
                .next()
                .is_some_and(|c| c.is_alphabetic() || c == '_');
            let counter = part.chars().count() <= 1
                || matches!(
                    part,
                    "None" | "True" | "False" | "Ellipsis" | "idx_" | "key" | "name"
                );
            name && !counter && !part.contains(':')
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indexing_with_a_tensor_is_told_from_other_brackets() {
        for (code, expected) in [
            ("picked = stack[span_ids].mean(0)", true),
            ("x[batch_idx, cls_ids] = 1", true),
            ("w = class_weight[label]", true),
            ("self.loss += self.criterion(preds, batch)[1]", false),
            (
                "targets = torch.cat((batch['cls'].view(-1, 1), batch['bboxes']), 1)",
                false,
            ),
            ("x = x[:, 1:]", false),
            ("loss = loss[mask].mean()", false),
            ("loss = loss[labels != 255]", false),
            ("x = self.blocks[i](x)", false),
            ("values = [label for label in labels]", false),
            ("out.index_put_((rows,), values)", true),
        ] {
            assert_eq!(is_advanced_indexing(code), expected, "{code}");
        }
    }

    #[test]
    fn names_are_matched_whole() {
        for (code, word, expected) in [
            (
                "return out.scatter_add_(dim, index, src)",
                "scatter_add_",
                true,
            ),
            ("dist.all_gather(out, x)", "gather(", false),
            (
                "return torch._C._nn.cross_entropy_loss(",
                "cross_entropy",
                true,
            ),
            ("self.embedding_dim = 4", "embedding", false),
            (
                "torch.nn.functional.one_hot(_act.T, action_size[i]).float()",
                "one_hot",
                true,
            ),
            ("x = f(y)  # cross_entropy", "cross_entropy", false),
        ] {
            assert_eq!(shows(code, &[word.to_owned()]), expected, "{code} · {word}");
        }
    }
}
