//! The material, put together by rule: what all files together say.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use super::{
    Finding, FindingId, FoundValue, Group, Material, RuleUsed, SeenAt, Severity, ValueCount,
};
use crate::bounds::Bound;
use crate::knowledge::Certainty;
use crate::labels::{Place, Role};
use crate::range_check::{Breach, Number};

/// Values that a finding names.
pub(super) const MOST_VALUES: usize = 20;

/// The material by rule.
pub(super) struct View<'a> {
    pub material: &'a Material,
    pub rules: Vec<RuleView<'a>>,
    order: HashMap<&'a Path, usize>,
}

/// All groups of one rule.
pub(super) struct RuleView<'a> {
    /// Index of the rule.
    pub at: usize,
    pub used: &'a RuleUsed,
    pub bound: Option<&'a Bound>,
    pub groups: Vec<&'a Group>,
    /// Each value over all groups.
    pub seen: BTreeMap<Number, Met<'a>>,
    /// Not every value was kept.
    pub more: bool,
    /// Files of the rule's sources, for upper limits.
    files: u64,
}

/// How often something occurs over several groups, and where first.
#[derive(Clone, Copy)]
pub(super) struct Met<'a> {
    pub count: u64,
    pub files: u64,
    pub first: &'a Place,
    pub row_text: Option<&'a str>,
}

impl<'a> View<'a> {
    pub fn of(material: &'a Material) -> Self {
        let mut order = HashMap::new();
        for (at, file) in material.files.iter().enumerate() {
            order.entry(&*file.path).or_insert(at);
        }
        let mut view = Self {
            material,
            rules: Vec::new(),
            order,
        };
        for (at, used) in material.rules.iter().enumerate() {
            let groups: Vec<&Group> = material.groups.iter().filter(|g| g.rule == at).collect();
            if groups.is_empty() {
                continue;
            }
            let mut seen: BTreeMap<Number, Met<'a>> = BTreeMap::new();
            for group in &groups {
                for (number, met) in &group.seen {
                    let met = Met::of(met);
                    match seen.get_mut(number) {
                        Some(known) => known.add(met, &view),
                        None => {
                            seen.insert(*number, met);
                        }
                    }
                }
            }
            let files = material
                .files
                .iter()
                .filter(|file| groups.iter().any(|group| group.source == file.source))
                .count() as u64;
            let rule = RuleView {
                at,
                used,
                bound: used.bound.and_then(|bound| material.bounds.get(bound)),
                more: groups.iter().any(|group| group.more_seen),
                groups,
                seen,
                files: files.max(1),
            };
            view.rules.push(rule);
        }
        view
    }

    /// Whether one place comes before another in reading order.
    pub fn before(&self, a: &Place, b: &Place) -> bool {
        let key = |place: &Place| {
            let file = place.path.as_deref().and_then(|path| self.order.get(path));
            (
                file.copied().unwrap_or(usize::MAX),
                place.line,
                place.document.or(place.row),
                place.index.clone(),
                place.pixel.map(|[x, y]| (y, x)),
                place.position,
            )
        };
        // A column or key has no place of its own: within a file its order is that of the groups.
        if a.key != b.key && a.path == b.path {
            return false;
        }
        key(a) < key(b)
    }
}

impl<'a> Met<'a> {
    pub fn of(met: &'a SeenAt) -> Self {
        Self {
            count: met.count,
            files: met.files,
            first: &met.first,
            row_text: met.row_text.as_deref(),
        }
    }

    pub fn add(&mut self, other: Self, view: &View<'_>) {
        self.count += other.count;
        self.files += other.files;
        if view.before(other.first, self.first) {
            self.first = other.first;
            self.row_text = other.row_text;
        }
    }

    pub fn found(&self, value: Option<super::Text>) -> FoundValue {
        FoundValue {
            place: self.first.clone(),
            value,
            row_text: self.row_text.map(str::to_owned),
        }
    }
}

impl RuleView<'_> {
    /// How a value breaks the rule.
    pub fn breach(&self, value: Number) -> Option<Breach> {
        self.used.rule.breach(value)
    }

    /// Whole values that are not ignored, with their counts.
    pub fn whole(&self) -> impl Iterator<Item = (i128, &Met<'_>)> {
        self.seen
            .iter()
            .filter(|(number, _)| !self.used.rule.ignore.contains(number))
            .filter_map(|(number, met)| Some((number.as_int()?, met)))
    }

    /// Offenders of one kind.
    pub fn broken(&self, breach: Breach) -> u64 {
        self.groups.iter().map(|group| group.broken(breach)).sum()
    }

    /// How often a value occurs.
    pub fn times(&self, value: i64) -> u64 {
        let met = self.seen.get(&Number::from(value));
        met.map_or(0, |met| met.count)
    }

    /// Whether a value that occurs so often is rare beside the others: less than a twentieth of what a value occurs on average. A
    /// convention or a class shows in many labels, a slip in a few.
    pub fn is_few(&self, count: u64) -> bool {
        let (mut total, mut distinct) = (0_u64, 0_u64);
        for (_, met) in self.whole() {
            total += met.count;
            distinct += 1;
        }
        count.saturating_mul(20).saturating_mul(distinct) < total
    }

    /// Values read as labels, for texts.
    pub fn total(&self) -> u64 {
        self.groups.iter().map(|group| group.count).sum()
    }

    /// The number of classes or rows, where the rule is 0..C-1.
    pub fn size(&self) -> Option<i128> {
        let zero = self.used.rule.lo.and_then(Number::as_int) == Some(0);
        let hi = self.used.rule.hi.and_then(Number::as_int)?;
        (zero && hi >= 0 && hi < i128::from(i64::MAX)).then_some(hi + 1)
    }

    /// No more files than there are: two arrays of one file count it once.
    pub fn files(&self, counted: u64) -> u64 {
        counted.min(self.files)
    }

    /// The values are used as indices of something.
    pub fn is_index(&self) -> bool {
        !matches!(
            self.used.role,
            Role::MultiLabel | Role::Probability | Role::Logits
        )
    }

    /// Nothing but its position made anyone take these values for labels.
    fn is_guessed(&self, material: &Material) -> bool {
        !material.bound_by_user && self.groups.iter().all(|group| group.stream.guessed)
    }

    /// How bad, and how sure, a value past the upper end is: as sure as the end itself.
    pub fn trust_of_end(&self, material: &Material) -> (Severity, Certainty) {
        let (severity, certainty) = match self.bound {
            Some(bound) => match bound.certainty {
                Certainty::Certain => (Severity::Error, Certainty::Certain),
                Certainty::Likely => (Severity::Error, Certainty::Likely),
                Certainty::Possible => (Severity::Warning, Certainty::Possible),
            },
            None => (Severity::Error, Certainty::Certain),
        };
        if self.is_guessed(material) {
            (Severity::Warning, certainty.min(Certainty::Likely))
        } else {
            (severity, certainty)
        }
    }

    /// The same for what no index may be, whatever the upper end.
    pub fn trust(&self, material: &Material) -> (Severity, Certainty) {
        if self.is_guessed(material) {
            (Severity::Warning, Certainty::Likely)
        } else {
            (Severity::Error, Certainty::Certain)
        }
    }

    /// A finding about some of the values: counts, values and the first place filled in.
    pub fn about(&self, id: FindingId, view: &View<'_>, pick: impl Fn(Number) -> bool) -> Finding {
        let mut finding = Finding::new(id, Severity::Error, Certainty::Certain);
        finding.rule = Some(self.at);
        let mut first: Option<(Number, Met<'_>)> = None;
        for (number, met) in self.seen.iter().filter(|(number, _)| pick(**number)) {
            finding.count += met.count;
            finding.values.push(ValueCount {
                value: (*number).into(),
                count: met.count,
            });
            let earlier = first
                .as_ref()
                .is_none_or(|(_, first)| view.before(met.first, first.first));
            if earlier {
                first = Some((*number, *met));
            }
        }
        sort_values(&mut finding.values);
        let files = self
            .groups
            .iter()
            .map(|group| files_with(group, self, &pick));
        finding.files = self.files(files.sum::<u64>().max(1));
        finding.first = first.map(|(number, met)| met.found(Some(number.into())));
        finding
    }

    /// Files with values of the rule.
    pub fn files_with_values(&self) -> u64 {
        self.files(self.groups.iter().map(|group| group.files).sum())
            .max(1)
    }
}

/// Files of a group that hold one of the values. They were counted by value and by kind of breach: exact for one value and for all
/// of a kind, else the least that it can be.
fn files_with(group: &Group, rule: &RuleView<'_>, pick: impl Fn(Number) -> bool) -> u64 {
    let mut files = 0;
    let mut broken: BTreeMap<Breach, u64> = BTreeMap::new();
    for (number, met) in group.seen.iter().filter(|(number, _)| pick(**number)) {
        files = files.max(met.files);
        if let Some(breach) = rule.breach(*number) {
            *broken.entry(breach).or_default() += met.count;
        }
    }
    for (breach, count) in broken {
        let all = group.breaches.get(&breach);
        if let Some(all) = all.filter(|all| all.count == count) {
            files = files.max(all.files);
        }
    }
    files
}

/// Most frequent first, then by value; not more than are shown.
pub(super) fn sort_values(values: &mut Vec<ValueCount>) {
    values.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.value.cmp(&b.value)));
    values.truncate(MOST_VALUES);
}

impl Finding {
    pub(super) fn new(id: FindingId, severity: Severity, certainty: Certainty) -> Self {
        Self {
            id,
            rule: None,
            severity,
            certainty,
            explains: None,
            count: 0,
            files: 0,
            values: Vec::new(),
            first: None,
            variant: "",
            args: Vec::new(),
            snippet: None,
            ignore: None,
        }
    }

    /// A pattern that only a few of many values show may be a slip as well.
    pub(super) fn only_few(mut self, rule: &RuleView<'_>) -> Self {
        self.variant = "few";
        self.severity = self.severity.min(Severity::Warning);
        self.certainty = Certainty::Possible;
        self.args.push(("total", super::Text::Count(rule.total())));
        self
    }

    /// As bad and as sure as given.
    pub(super) fn trusted(mut self, (severity, certainty): (Severity, Certainty)) -> Self {
        self.severity = severity;
        self.certainty = certainty;
        self
    }

    /// A pattern that explains another finding is never more than likely.
    pub(super) fn explaining(mut self, explained: FindingId) -> Self {
        self.explains = Some(explained);
        self.certainty = self.certainty.min(Certainty::Likely);
        self
    }
}
