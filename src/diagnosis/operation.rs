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
        let rest = code.get(at + c.len_utf8()..).unwrap_or_default();
        match c {
            '[' => {
                // After a name, a call or another subscript it is a subscript; otherwise a list.
                let subscript = before
                    .is_some_and(|b: char| b.is_alphanumeric() || matches!(b, '_' | ')' | ']'));
                open.push((at + 1, subscript));
            }
            ']' => {
                // What is called after being looked up is a module or a function out of a list, not numbers.
                if let Some((from, true)) = open.pop()
                    && !rest.starts_with('(')
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
    !boolean && split_at_commas(inside).any(may_hold_indices)
}

/// The parts between commas that stand outside further brackets.
fn split_at_commas(inside: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_i32;
    inside
        .split(move |c| {
            depth += i32::from(matches!(c, '(' | '[')) - i32::from(matches!(c, ')' | ']'));
            c == ',' && depth == 0
        })
        .map(str::trim)
}

/// Whether a subscript's part may be a tensor of indices: not a slice, a text, a type, a length or what is named like a single
/// number or a key.
fn may_hold_indices(part: &str) -> bool {
    let starts_a_name = |c: char| c.is_alphabetic() || c == '_';
    let is_text = ["f\"", "f'", "r\"", "r'", "b\"", "b'"]
        .iter()
        .any(|start| part.starts_with(start));
    let is_number = ["len(", "int(", "range(", "str("]
        .iter()
        .any(|start| part.starts_with(start))
        || [".shape", ".size(", ".item("]
            .iter()
            .any(|sign| part.contains(sign));
    if !part.starts_with(starts_a_name) || part.contains(':') || is_text || is_number {
        return false;
    }
    // `self.cfg.name` is judged by its last name; a call, a further subscript or arithmetic by its first.
    let path = part
        .split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.')))
        .next()
        .unwrap_or(part);
    let name = if path.len() == part.len() {
        path.rsplit('.').next().unwrap_or(path)
    } else {
        path
    };
    let last_word = name.rsplit('_').next().unwrap_or(name);
    let is_counter = name.chars().count() <= 1;
    let is_constant_or_type = name.starts_with(char::is_uppercase);
    !is_counter && !is_constant_or_type && !SCALARS.contains(&last_word)
}

/// Last words of names that hold one number or one text: what lists, dictionaries and layers are indexed by.
const SCALARS: &[&str] = &[
    "name",
    "names",
    "key",
    "k",
    "type",
    "phase",
    "split",
    "mode",
    "metric",
    "tag",
    "field",
    "attr",
    "path",
    "file",
    "filename",
    "column",
    "task",
    "epoch",
    "step",
    "iter",
    "iteration",
    "iters",
    "layer",
    "level",
    "lvl",
    "stage",
    "head",
    "block",
    "rank",
    "device",
    "fold",
    "str",
    "string",
    "variant",
    "dtype",
    "None",
    "idx_",
];

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
            ("log_vars[loss_name] = loss_value.item()", false),
            ("losses[f'loss_{name}'] = loss.item()", false),
            ("self.convs[layer_id](x, edge_index)", false),
            ("state = self.state[self.cfg.key]", false),
            ("h = h[len(prefix)]", false),
            ("x = x[y.shape[0]]", false),
            ("def f(x: Dict[str, Tensor]) -> List[Tensor]:", false),
            ("pos = self.pe[positions + offset]", true),
            (
                "bbox_scores[mask_gt] = pd_scores[ind[0], :, ind[1]][mask_gt]",
                true,
            ),
            ("emb = table[ids.view(-1)]", true),
            ("cost = cost_class[:, tgt_ids]", true),
            ("out[batch[\"idx\"]] = 0", true),
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
