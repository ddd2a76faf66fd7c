//! Which rule a stream of values is checked by.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use super::reach::Reach;
use super::{CheckOptions, Given};
use crate::bounds::{self, Bound, BoundSource};
use crate::knowledge::Certainty;
use crate::labels::{ClassList, LabelFormat, ListSource, Role, Stream};
use crate::range_check::{Number, Rule};

/// `ignore_index` where nothing else is said: PyTorch's default, for class targets only.
const DEFAULT_IGNORE: i64 = -100;

/// Everything that decides a rule besides the stream itself.
#[derive(Debug, Default)]
pub(super) struct Context {
    pub options: CheckOptions,
    /// Ranges that something states, best first; the user's own first of all.
    pub bounds: Vec<Bound>,
    /// Class lists found beside the labels.
    pub lists: Vec<Arc<ClassList>>,
    /// Values named `ignore_index` in a script or configuration.
    pub ignore: Vec<(i64, String)>,
    /// Class folders of the training split: what the model is trained on.
    pub folders: Option<Arc<ClassList>>,
    /// Which labels each of them is about.
    pub reach: Reach,
}

/// A rule with all that belongs to it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Decision {
    pub role: Role,
    pub rule: Rule,
    /// What states the range.
    pub bound: Option<Bound>,
    /// Where labels that are names are looked up.
    pub names: Option<Arc<ClassList>>,
    /// Name of the values, where rules are told apart by it.
    pub name: String,
    /// Values are ids that this list must hold.
    pub ids: Option<Arc<ClassList>>,
}

impl Context {
    /// The range that the user typed, as a bound.
    pub fn users_bound(options: &CheckOptions) -> Option<Bound> {
        let (lo, hi) = options.range?;
        Some(Bound {
            role: options.role.unwrap_or(Role::Class),
            lo,
            hi,
            source: BoundSource::User,
            path: None,
            line: None,
            what: String::new(),
            certainty: Certainty::Certain,
            names: None,
        })
    }

    /// The rule for a stream.
    pub fn decide(
        &self,
        given: &Given,
        home: &Path,
        format: LabelFormat,
        stream: &Stream,
    ) -> Decision {
        let stated: Vec<Bound> = self
            .bounds
            .iter()
            .filter(|bound| self.reach.holds_for(bound, home))
            .cloned()
            .collect();
        let role = self.role(given, stream);
        let asked = self.options.column.is_some() || given.column.is_some();
        let bound = self.bound(&stated, role, format, stream, asked);
        let ids = (role == Role::CategoryId && bound.is_none())
            .then(|| stream.classes.clone())
            .flatten();
        // What a folder's number means is decided by the training split.
        let own = match (&self.folders, format) {
            (Some(trained), LabelFormat::ImageFolder) => Some(Arc::clone(trained)),
            _ => stream.classes.clone(),
        };
        let names = own
            .filter(|list| list.ids.is_none() || ids.is_some())
            .or_else(|| bound.as_ref().and_then(|bound| bound.names.clone()))
            .or_else(|| {
                let mut listed = stated.iter().filter(|bound| bound.role == Role::Class);
                listed.find_map(|bound| bound.names.clone())
            })
            .or_else(|| {
                let mut lists = self.lists.iter();
                let about =
                    |list: &&Arc<ClassList>| self.reach.holds(list.source.path.as_ref(), home);
                lists.find(about).cloned()
            })
            .filter(|list| !list.names.is_empty());
        let name = match role {
            Role::Class | Role::CategoryId => String::new(),
            _ => [&stream.column, &stream.key]
                .into_iter()
                .flatten()
                .next()
                .map(ToString::to_string)
                .unwrap_or_default(),
        };
        Decision {
            rule: self.rule(role, bound.as_ref()),
            role,
            bound,
            names,
            name,
            ids,
        }
    }

    /// Pairs of bounds that are about the same labels and state different sizes.
    pub fn disagreements(&self) -> Vec<(usize, usize)> {
        let mut pairs = bounds::disagreements(&self.bounds);
        pairs.retain(|(one, other)| {
            let both = self.bounds.get(*one).zip(self.bounds.get(*other));
            both.is_some_and(|(one, other)| self.reach.meet(one, other))
        });
        pairs
    }

    fn role(&self, given: &Given, stream: &Stream) -> Role {
        let found = stream.role.unwrap_or(Role::Class);
        let asked = self.options.column.is_some() || given.column.is_some();
        // A kind stated for the whole data set does not turn its positions and masks into something else.
        let fixed = matches!(
            found,
            Role::Position | Role::TokenType | Role::MultiLabel | Role::Logits
        );
        match given.role.or(self.options.role) {
            Some(role) if asked || !fixed => role,
            _ => found,
        }
    }

    fn bound(
        &self,
        stated: &[Bound],
        role: Role,
        format: LabelFormat,
        stream: &Stream,
        asked: bool,
    ) -> Option<Bound> {
        let users = stated
            .first()
            .filter(|bound| bound.source == BoundSource::User);
        let others = stated.get(usize::from(users.is_some())..);
        let best = |role| {
            let others = others.unwrap_or_default();
            bounds::choose(role, others).and_then(|at| others.get(at).cloned())
        };
        let for_this = users.cloned().filter(|_| match role {
            Role::MultiLabel | Role::Logits => asked,
            Role::Position | Role::TokenType => asked || self.options.role == Some(role),
            Role::Token => asked || self.options.role == Some(role) || best(role).is_none(),
            _ => true,
        });
        if for_this.is_some() {
            return for_this;
        }
        match role {
            Role::CategoryId if stream.classes.is_some() => None,
            Role::MultiLabel | Role::Logits | Role::Probability => None,
            Role::Class | Role::CategoryId => {
                let own = stream.classes.as_deref().and_then(|list| {
                    let folders = format == LabelFormat::ImageFolder;
                    let list = match (folders, &self.folders) {
                        (true, Some(trained)) => trained,
                        _ => list,
                    };
                    of_list(list, folders)
                });
                let best = best(Role::Class);
                match (own, best) {
                    // What the label file says of itself is nearer than anything but the log and the data set's own file.
                    (Some(own), Some(best)) if best.source > own.source => Some(own),
                    (own, best) => best.or(own),
                }
            }
            role => best(role),
        }
    }

    fn rule(&self, role: Role, bound: Option<&Bound>) -> Rule {
        let zero_and_up = !matches!(role, Role::MultiLabel | Role::Logits | Role::CategoryId);
        let (lo, hi) = match bound {
            Some(bound) => (Some(bound.lo), Some(bound.hi)),
            None if role == Role::Probability => {
                (Some(Number::from(0_u8)), Some(Number::from(1_u8)))
            }
            None => (zero_and_up.then(|| Number::from(0_u8)), None),
        };
        let ignore = match (&self.options.ignore, role) {
            (Some(ignore), _) => ignore.clone(),
            (None, Role::Class) if self.ignore.is_empty() => vec![Number::from(DEFAULT_IGNORE)],
            (None, Role::Class) => {
                let stated: Vec<_> = self.ignore.iter().map(|(v, _)| Number::from(*v)).collect();
                stated
            }
            (None, _) => Vec::new(),
        };
        Rule {
            lo,
            hi,
            ignore,
            fractions: matches!(role, Role::Probability | Role::Logits | Role::MultiLabel),
        }
    }
}

/// The range that a class list states.
fn of_list(list: &ClassList, folders: bool) -> Option<Bound> {
    let count = list.names.len() as i64;
    if count == 0 || list.ids.is_some() {
        return None;
    }
    let ListSource { path, line, what } = list.source.clone();
    Some(Bound {
        role: Role::Class,
        lo: Number::from(0_u8),
        hi: Number::from(count - 1),
        source: if folders {
            BoundSource::FolderNames
        } else {
            BoundSource::LabelFile
        },
        path,
        line,
        what,
        certainty: Certainty::Certain,
        names: Some(Arc::new(list.clone())),
    })
}

impl Decision {
    /// The names that a label may have; `None` where no list is known.
    pub fn allowed_names(&self) -> Option<HashSet<String>> {
        let list = self.names.as_ref()?;
        Some(list.names.iter().chain(&list.special).cloned().collect())
    }

    /// The ids that a label may have; `None` where the rule decides.
    pub fn allowed_ids(&self) -> Option<HashSet<i128>> {
        let list = self.ids.as_ref()?;
        let ids: HashSet<i128> = match &list.ids {
            Some(ids) => ids.iter().map(|id| i128::from(*id)).collect(),
            None => (0..list.names.len() as i128).collect(),
        };
        // Without a list every id would be unknown, which says nothing.
        (!ids.is_empty()).then_some(ids)
    }
}
