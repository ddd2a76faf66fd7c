//! What the numbers, names, folders and splits of a data set mean: each fault once, with place, pattern, severity, certainty
//! and what to do. Pure: no input or output, no words.

mod finding;
mod lists;
mod masks;
mod material;
mod names;
mod patterns;
mod python;
mod shapes;
mod sizes;
mod snippets;
mod splits;
mod troubles;
mod unreadable;
mod values;
mod view;

#[cfg(test)]
pub(crate) mod tests;

pub use finding::{Finding, FindingId, FoundValue, Severity, Text, ValueCount};
pub use material::{BreachAt, FileRead, Group, Material, Partial, RuleUsed, SeenAt};
pub(crate) use python::text as python_text;

/// What the material means: each fault once, worst first, a pattern right behind what it explains.
pub fn find(material: &Material) -> Vec<Finding> {
    let view = view::View::of(material);
    let mut found = Vec::new();
    values::find(&view, &mut found);
    names::find(&view, &mut found);
    patterns::find(&view, &mut found);
    splits::find(&view, &mut found);
    lists::find(&view, &mut found);
    sizes::find(&view, &mut found);
    shapes::find(&view, &mut found);
    troubles::find(&view, &mut found);
    unreadable::find(material, &mut found);
    snippets::shown_once(&mut found);
    in_order(found)
}

/// Worst first, then surest, then in the order of the ids; a pattern stands behind what it explains.
fn in_order(mut found: Vec<Finding>) -> Vec<Finding> {
    use std::cmp::Reverse;

    found.sort_by_key(|finding| {
        (
            Reverse(finding.severity),
            Reverse(finding.certainty),
            finding.id,
            finding.rule,
        )
    });
    let (patterns, mut out): (Vec<_>, Vec<_>) = found
        .into_iter()
        .partition(|finding| finding.explains.is_some());
    // From the last to the first, so that several of one finding keep their order.
    for pattern in patterns.into_iter().rev() {
        let explained = out.iter().position(|finding| {
            Some(finding.id) == pattern.explains && finding.rule == pattern.rule
        });
        match explained {
            Some(at) => {
                if let Some(finding) = out.get_mut(at)
                    && finding.id == FindingId::Negative
                    && !finding.args.iter().any(|(name, _)| *name == "pattern")
                {
                    finding.args.push(("pattern", "yes".into()));
                }
                out.insert(at + 1, pattern);
            }
            None => out.push(pattern),
        }
    }
    out
}
