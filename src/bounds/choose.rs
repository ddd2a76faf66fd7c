//! Which of several ranges counts, and which contradict each other.

use super::{Bound, BoundSource};
use crate::knowledge::Certainty;
use crate::labels::Role;

/// The bound to check values of a role against: the best of those that fit. Index into `bounds`.
///
/// The order is that of the sources, within one that of certainty, then that of the list (names stand before `nc`). A guess
/// counts only where nothing better is known, and not where another guess from the same source says something else. A
/// vocabulary is no bound for classes: the labels of a language model are bound by its last layer, where a source knows it.
pub fn choose(role: Role, bounds: &[Bound]) -> Option<usize> {
    let fitting = || {
        bounds
            .iter()
            .enumerate()
            .filter(|(_, bound)| bound.role == role)
    };
    let contradicted = |bound: &Bound| {
        bound.certainty == Certainty::Possible
            && fitting().any(|(_, other)| {
                other.source == bound.source
                    && other.certainty == Certainty::Possible
                    && !other.same_range(bound)
            })
    };
    fitting()
        .filter(|(_, bound)| !contradicted(bound))
        .min_by_key(|(index, bound)| {
            let guess = bound.certainty == Certainty::Possible && bound.source != BoundSource::User;
            (
                guess,
                bound.source,
                std::cmp::Reverse(bound.certainty),
                *index,
            )
        })
        .map(|(index, _)| index)
}

/// Pairs of bounds for the same role that state different sizes, the better one first. Indices into `bounds`.
///
/// Guesses contradict nothing. Each differing statement is told once, against the one that [`choose`] would take; a statement
/// that another one of the same source repeats is not told again.
pub fn disagreements(bounds: &[Bound]) -> Vec<(usize, usize)> {
    let mut roles: Vec<Role> = Vec::new();
    for bound in bounds {
        if !roles.contains(&bound.role) {
            roles.push(bound.role);
        }
    }
    let mut pairs = Vec::new();
    for role in roles {
        let Some((best, better)) = choose(role, bounds)
            .and_then(|index| Some((index, bounds.get(index)?)))
            .filter(|(_, bound)| bound.certainty != Certainty::Possible)
        else {
            continue;
        };
        let mut told: Vec<&Bound> = Vec::new();
        for (index, other) in bounds.iter().enumerate() {
            let differs = other.role == role
                && other.certainty != Certainty::Possible
                && !other.same_range(better);
            let again = told
                .iter()
                .any(|t| t.same_range(other) && t.source == other.source && t.path == other.path);
            if differs && !again {
                told.push(other);
                pairs.push((best, index));
            }
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knowledge::Certainty::{Certain, Likely, Possible};
    use BoundSource::{Config, DataFile, FolderNames, Script, User, Weights};
    use Role::{Class, Token};

    fn bounds(of: &[(Role, u64, BoundSource, Certainty)]) -> Vec<Bound> {
        of.iter()
            .map(|&(role, size, source, certainty)| {
                Bound::of_size(role, size, source, None, size.to_string(), certainty).unwrap()
            })
            .collect()
    }

    #[track_caller]
    fn check(role: Role, of: &[(Role, u64, BoundSource, Certainty)], expected: Option<usize>) {
        assert_eq!(choose(role, &bounds(of)), expected);
    }

    #[test]
    fn the_best_source_is_chosen() {
        check(Class, &[], None);
        check(
            Class,
            &[
                (Class, 10, Script, Likely),
                (Token, 9, User, Certain),
                (Class, 3, DataFile, Certain),
                (Class, 4, DataFile, Certain),
            ],
            Some(2),
        );
        check(
            Class,
            &[(Class, 5, Config, Certain), (Class, 4, Weights, Likely)],
            Some(1),
        );
        // A better source's guess stands behind a worse source's statement.
        check(
            Class,
            &[(Class, 5, Weights, Possible), (Class, 4, Config, Likely)],
            Some(1),
        );
        check(Class, &[(Class, 5, FolderNames, Possible)], Some(0));
        check(
            Class,
            &[
                (Class, 5, Script, Possible),
                (Class, 6, Script, Possible),
                (Class, 7, FolderNames, Possible),
            ],
            Some(2),
        );
        check(Class, &[(Token, 32000, Config, Certain)], None);
    }

    #[test]
    fn contradictions_are_told_once() {
        let check = |of: &[(Role, u64, BoundSource, Certainty)], expected: &[(usize, usize)]| {
            assert_eq!(disagreements(&bounds(of)), expected);
        };
        check(&[], &[]);
        check(
            &[(Class, 3, DataFile, Certain), (Class, 4, DataFile, Certain)],
            &[(0, 1)],
        );
        check(
            &[
                (Class, 4, Script, Likely),
                (Class, 3, DataFile, Certain),
                (Class, 4, Script, Likely),
                (Class, 9, Script, Possible),
                (Token, 9, Config, Certain),
            ],
            &[(1, 0)],
        );
        check(
            &[(Class, 3, DataFile, Certain), (Class, 3, Script, Likely)],
            &[],
        );
    }
}
