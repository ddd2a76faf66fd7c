//! What names in scripts usually mean.

use ruff_python_ast::{Expr, Number};

use crate::labels::Role;

/// What a name counts, and whether it usually means just that.
pub(super) fn role_of_name(key: &str) -> Option<(Role, bool)> {
    Some(match key {
        "num_classes" | "n_classes" | "nclasses" | "num_class" | "n_class" | "nb_classes"
        | "nb_class" | "nclass" | "class_num" | "classes_num" | "num_labels" | "n_labels"
        | "num_cls" | "n_cls" | "ncls" | "number_of_classes" | "class_count" | "num_categories"
        | "n_categories" | "numclasses" => (Role::Class, true),
        // Also the number of colour channels; also the classes to be shown.
        "nc" | "classes" => (Role::Class, false),
        "vocab_size" | "n_vocab" | "num_embeddings" | "ntoken" | "ntokens" | "vocabulary_size"
        | "num_vocab" | "n_tokens" => (Role::Token, true),
        "max_position_embeddings" | "n_positions" | "block_size" => (Role::Position, true),
        "n_ctx" => (Role::Position, false),
        "type_vocab_size" => (Role::TokenType, true),
        _ => return None,
    })
}

/// Names of ignore values.
pub(super) fn is_ignore(key: &str) -> bool {
    matches!(
        key,
        "ignore_index"
            | "ignore_label"
            | "ignore_value"
            | "ignore_idx"
            | "ignore_class"
            | "label_ignore"
            | "ignore_lb"
    )
}

/// Whether a name is one that lists of class names have: `Some(true)` for sure, `Some(false)` perhaps.
pub(super) fn is_class_list(key: &str) -> Option<bool> {
    match key {
        "classes" | "class_names" | "class_list" | "class_labels" | "label_names"
        | "label_list" | "categories" | "category_names" | "id2label" | "label2id"
        | "class_to_idx" | "idx_to_class" | "idx2class" | "class2idx" => Some(true),
        "labels" | "names" => Some(false),
        _ => None,
    }
}

/// The names in a literal, in order of their numbers; `None` where something else stands in it, or numbers have gaps.
pub(super) fn names_of(expr: &Expr) -> Option<Vec<String>> {
    let text = |expr: &Expr| match expr {
        Expr::StringLiteral(literal) => Some(literal.value.to_str().to_owned()),
        _ => None,
    };
    let number = |expr: &Expr| match expr {
        Expr::NumberLiteral(literal) => match &literal.value {
            Number::Int(n) => n.as_i64(),
            _ => None,
        },
        Expr::StringLiteral(literal) => literal.value.to_str().parse().ok(),
        _ => None,
    };
    match expr {
        Expr::List(list) => list.elts.iter().map(text).collect(),
        Expr::Tuple(tuple) => tuple.elts.iter().map(text).collect(),
        Expr::Dict(dict) => {
            let mut pairs: Vec<(i64, String)> = dict
                .items
                .iter()
                .map(|item| {
                    let key = item.key.as_ref()?;
                    match (number(key), text(&item.value)) {
                        (Some(n), Some(name)) => Some((n, name)),
                        _ => Some((number(&item.value)?, text(key)?)),
                    }
                })
                .collect::<Option<_>>()?;
            pairs.sort();
            let dense = pairs.iter().zip(0_i64..).all(|((n, _), i)| *n == i);
            dense.then(|| pairs.into_iter().map(|(_, name)| name).collect())
        }
        _ => None,
    }
}

/// Fields that hold a last layer.
pub(super) fn is_head(name: &str) -> bool {
    let key = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_');
    matches!(
        key.to_ascii_lowercase().as_str(),
        "fc" | "classifier"
            | "head"
            | "heads"
            | "out"
            | "output"
            | "outc"
            | "out_conv"
            | "conv_out"
            | "linear"
            | "lin"
            | "score"
            | "logits"
            | "cls"
            | "last"
            | "last_linear"
            | "final"
            | "final_conv"
            | "pred"
            | "predictor"
            | "lm_head"
            | "fc_out"
            | "out_proj"
            | "output_layer"
            | "out_layer"
            | "cls_score"
            | "conv_seg"
            | "dense"
    )
}
