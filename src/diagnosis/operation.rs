//! Which Python operation a line of code performs, as far as its text shows.
//!
//! Text alone: no names are resolved. A line counts as an operation only when nothing else on it explains the match.

use crate::crash_log::Frame;
use crate::knowledge::shows_operation;

/// What shows in a frame that a certain operation was called there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Signs<'a> {
    /// Words of code or function names.
    pub words: &'a [String],
    /// Indexing with an index tensor, which has no word.
    pub indexing: bool,
}

impl Signs<'_> {
    /// Whether a frame performs the operation: by its code, or by being inside the library's function of that name.
    pub(super) fn show_in(self, frame: &Frame) -> bool {
        let code = frame.code.as_deref().map(without_comment);
        let function = frame.function.as_deref().filter(|_| frame.library);
        shows_operation(self.words, code, function)
            || self.indexing && code.is_some_and(is_advanced_indexing)
    }
}

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

/// Whether a line indexes something with a value that may be an index tensor: `x[idx]`, `x[batch, cls] = v`.
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
        ] {
            assert_eq!(is_advanced_indexing(code), expected, "{code}");
        }
    }

    #[test]
    fn comments_are_no_code() {
        for (code, expected) in [
            ("x = f(y)  # cross_entropy", "x = f(y)"),
            ("x = '#' + y", "x = '#' + y"),
        ] {
            assert_eq!(without_comment(code), expected);
        }
    }
}
