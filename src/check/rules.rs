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
    /// Values named `ignore_index`, and the script or configuration that names them.
    pub ignore: Vec<(Arc<Path>, i64)>,
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
        let stated = self.stated_for(home);
        let role = self.role(given, stream);
        let bound = self.bound(&stated, role, given, format, stream);
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
            rule: self.rule(role, home, bound.as_ref()),
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

    /// The bytes of one id in a token file without a header, where something states how large the vocabulary is.
    pub fn token_width(&self, home: &Path) -> Option<u64> {
        let stated = self.stated_for(home);
        let best = bounds::choose(Role::Token, &stated).and_then(|at| stated.get(at))?;
        let most = best.hi.as_int()?;
        Some(if most > i128::from(u16::MAX) { 4 } else { 2 })
    }

    /// What is stated of labels in this folder, best first.
    fn stated_for(&self, home: &Path) -> Vec<Bound> {
        let about = |bound: &&Bound| self.reach.holds_for(bound, home);
        self.bounds.iter().filter(about).cloned().collect()
    }

    /// Whether the user named the very column.
    fn names_column(&self, given: &Given) -> bool {
        self.options.column.is_some() || given.column.is_some()
    }

    fn role(&self, given: &Given, stream: &Stream) -> Role {
        let found = stream.role.unwrap_or(Role::Class);
        // A kind stated for the whole data set does not turn its positions and masks into something else.
        let fixed = matches!(
            found,
            Role::Position | Role::TokenType | Role::MultiLabel | Role::Logits
        );
        match given.role.or(self.options.role) {
            Some(role) if self.names_column(given) || !fixed => role,
            _ => found,
        }
    }

    fn bound(
        &self,
        stated: &[Bound],
        role: Role,
        given: &Given,
        format: LabelFormat,
        stream: &Stream,
    ) -> Option<Bound> {
        // The user speaks of exactly these values: by their column, or by their kind.
        let by_column = self.names_column(given);
        let asked = by_column || given.role.or(self.options.role) == Some(role);
        let users = stated
            .first()
            .filter(|bound| bound.source == BoundSource::User);
        let others = stated.get(usize::from(users.is_some())..);
        let best = |role| {
            let others = others.unwrap_or_default();
            bounds::choose(role, others).and_then(|at| others.get(at).cloned())
        };
        let for_this = users.cloned().filter(|_| match role {
            Role::MultiLabel | Role::Logits => by_column,
            Role::Position | Role::TokenType => asked,
            Role::Token => asked || best(role).is_none(),
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

    fn rule(&self, role: Role, home: &Path, bound: Option<&Bound>) -> Rule {
        let zero_and_up = !matches!(role, Role::MultiLabel | Role::Logits | Role::CategoryId);
        let (lo, hi) = match bound {
            Some(bound) => (Some(bound.lo), Some(bound.hi)),
            None if role == Role::Probability => {
                (Some(Number::from(0_u8)), Some(Number::from(1_u8)))
            }
            None => (zero_and_up.then(|| Number::from(0_u8)), None),
        };
        let stated = || {
            let about = |(path, _): &&(Arc<Path>, i64)| self.reach.holds(Some(path), home);
            let values = self.ignore.iter().filter(about);
            values.map(|(_, value)| Number::from(*value)).collect()
        };
        let ignore = match &self.options.ignore {
            Some(ignore) => ignore.clone(),
            None if role == Role::Class => match stated() {
                none if Vec::is_empty(&none) => vec![Number::from(DEFAULT_IGNORE)],
                stated => stated,
            },
            None => Vec::new(),
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
