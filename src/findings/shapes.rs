//! Predictions against targets: do batch, rank and class axis fit?

use super::view::View;
use super::{Finding, FindingId, FoundValue, Group, Severity, Text};
use crate::knowledge::Certainty;
use crate::labels::{Place, Role};
use crate::range_check::Number;

/// Compares the one array of predictions with the one array of targets. With several of either nothing says which belong together.
pub(super) fn find(view: &View<'_>, out: &mut Vec<Finding>) {
    let role = |group: &Group| {
        let rule = view.material.rules.get(group.rule);
        rule.map_or(Role::Class, |rule| rule.role)
    };
    let of = |wanted: &dyn Fn(Role) -> bool| -> Vec<&Group> {
        view.material
            .groups
            .iter()
            .filter(|group| group.files == 1 && !group.stream.shape.is_empty())
            .filter(|group| wanted(role(group)))
            .collect()
    };
    let predictions = of(&|role| role == Role::Logits);
    let classes = of(&|role| role == Role::Class);
    let shares = of(&|role| matches!(role, Role::Probability | Role::MultiLabel));
    let found = match (&*predictions, &*classes, &*shares) {
        ([logits], [targets], _) => cross_entropy(logits, targets),
        ([logits], [], [targets]) => same_shape(logits, targets),
        ([], [targets], [outputs]) => same_shape(outputs, targets),
        ([], [], [one, other]) => same_shape(one, other),
        _ => None,
    };
    out.extend(found);
}

/// (N, C, d1, …) against (N, d1, …), as `cross_entropy` wants it.
fn cross_entropy(logits: &Group, targets: &Group) -> Option<Finding> {
    let (of, to) = (&*logits.stream.shape, &*targets.stream.shape);
    // One-hot targets have the shape of the predictions.
    if targets.stream.one_hot.is_some() {
        return (of != with_classes(to, targets.stream.one_hot).as_slice())
            .then(|| finding("batch", logits, targets))
            .filter(|_| of.first() != to.first());
    }
    let ([batch, rest @ ..], [target_batch, target_rest @ ..]) = (of, to) else {
        return None;
    };
    if batch != target_batch {
        return Some(finding("batch", logits, targets));
    }
    if target_rest == [1] && rest.len() == 1 {
        return Some(finding("squeeze", logits, targets));
    }
    let [classes, after @ ..] = rest else {
        return None;
    };
    if after == target_rest {
        let most = targets.max.and_then(Number::as_int)?;
        return (most >= i128::from(*classes) && after.is_empty())
            .then(|| finding("classes", logits, targets));
    }
    // (N, d1, …, C): the class axis is the last one.
    if rest
        .split_last()
        .is_some_and(|(_, before)| before == target_rest)
    {
        return Some(finding("class-axis", logits, targets));
    }
    Some(finding("rank", logits, targets))
}

fn with_classes(shape: &[u64], classes: Option<u64>) -> Vec<u64> {
    shape.iter().copied().chain(classes).collect()
}

/// A binary cross-entropy wants equal shapes.
fn same_shape(outputs: &Group, targets: &Group) -> Option<Finding> {
    (outputs.stream.shape != targets.stream.shape).then(|| finding("equal", outputs, targets))
}

fn finding(variant: &'static str, outputs: &Group, targets: &Group) -> Finding {
    let mut finding = Finding::new(FindingId::Shape, Severity::Error, Certainty::Likely);
    finding.variant = variant;
    finding.count = 1;
    finding.files = 1;
    finding.rule = Some(targets.rule);
    let path = |group: &Group| {
        let any = group.seen.values().next();
        any.and_then(|met| met.first.path.clone())
    };
    finding.first = Some(FoundValue {
        place: Place {
            path: path(targets).or_else(|| path(outputs)),
            key: targets.stream.key.clone(),
            column: targets.stream.column.clone(),
            ..Place::default()
        },
        value: None,
        row_text: None,
    });
    finding.args = vec![
        ("outputs", shape(&outputs.stream.shape).into()),
        ("targets", shape(&targets.stream.shape).into()),
        (
            "classes",
            Text::Count(outputs.stream.shape.get(1).copied().unwrap_or_default()),
        ),
        ("most", targets.max.map_or_else(|| "".into(), Text::Number)),
    ];
    finding
}

/// A shape as Python prints it.
fn shape(axes: &[u64]) -> String {
    match axes {
        [one] => format!("({one},)"),
        axes => {
            let axes: Vec<String> = axes.iter().map(u64::to_string).collect();
            format!("({})", axes.join(", "))
        }
    }
}
