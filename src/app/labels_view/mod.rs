//! What the Labels tab shows, in ready words: built when something changes, never while drawing.

mod findings;
mod fix;
mod headline;
mod histogram;
mod left_out;
mod offenders;
mod rule_bar;
mod source_controls;
mod sources;

use crate::check::{CheckOptions, Checked, Given};
use crate::findings::{FileRead, Finding, Severity};
use crate::range_check::GpuInfo;
use crate::words::{self, FindingTexts, Words};

use super::OffenderColumn;
pub use findings::FindingRow;
pub use fix::Fix;
pub use headline::{Headline, Mark};
pub use histogram::{Bar, Histogram, NotAllowed};
pub use left_out::LeftOut;
pub use offenders::{OffenderRow, Offenders};
pub use rule_bar::{Choice, Ignored, Pill, RuleBar};
pub use source_controls::SourceControls;
pub use sources::{SourceIcon, SourceRow};

/// What the user has chosen to look at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Looking {
    /// The source; `None`: all.
    pub source: Option<usize>,
    /// The finding.
    pub finding: Option<usize>,
    /// The rule in the rule bar and the chart.
    pub rule: usize,
    /// What the offenders are sorted by.
    pub sorted_by: OffenderColumn,
    /// The other way round.
    pub descending: bool,
}

/// What the Labels tab shows.
#[derive(Debug, Default)]
pub struct LabelsView {
    /// The names of what was given, for the title of a case without a log.
    pub title: String,
    /// The row that stands for all sources.
    pub all_sources: SourceRow,
    /// The sources, in order.
    pub sources: Vec<SourceRow>,
    /// The rule that is shown.
    pub rule_bar: RuleBar,
    /// The one sentence.
    pub headline: Headline,
    /// The findings of what is looked at, worst first.
    pub findings: Vec<FindingRow>,
    /// What could not be read, or not to its end.
    pub left_out: Option<LeftOut>,
    /// The values of the chosen finding.
    pub offenders: Offenders,
    /// How often each value occurs; `None` where that is no chart (fractions, nothing read).
    pub histogram: Option<Histogram>,
    /// What to do about the chosen finding.
    pub fix: Option<Fix>,
    /// Findings that are errors or warnings.
    pub problems: usize,
    /// One of them is an error.
    pub has_error: bool,
}

/// What a view is made of.
#[derive(Clone, Copy)]
pub(super) struct Basis<'a> {
    pub given: &'a [Given],
    pub options: &'a CheckOptions,
    pub checked: &'a Checked,
    pub looking: &'a Looking,
    pub cores: usize,
    pub gpus: &'a [GpuInfo],
    pub words: Words,
}

/// The files of each source: of a data set there are a hundred thousand, and each source asks for its own.
pub(super) struct BySource<'a>(Vec<Vec<&'a FileRead>>);

impl<'a> BySource<'a> {
    fn new(checked: &'a Checked) -> Self {
        let mut all = vec![Vec::new(); checked.sources.len()];
        for file in &checked.material.files {
            if let Some(files) = all.get_mut(file.source) {
                files.push(file);
            }
        }
        Self(all)
    }

    fn of(&self, source: usize) -> &[&'a FileRead] {
        self.0.get(source).map_or(&[], Vec::as_slice)
    }
}

impl LabelsView {
    /// The view of a check.
    pub(super) fn new(of: Basis<'_>) -> Self {
        let findings = &of.checked.findings;
        let concerned: Vec<_> = findings
            .iter()
            .map(|finding| findings::sources_of(finding, of.checked))
            .collect();
        let looked_at = |index: usize| match of.looking.source {
            Some(source) => concerned.get(index).is_some_and(|of| of.contains(&source)),
            None => true,
        };
        let rows = (0..findings.len())
            .filter(|&index| looked_at(index))
            .filter_map(|index| findings::row(index, of))
            .collect();
        let chosen = of
            .looking
            .finding
            .filter(|&index| looked_at(index))
            .and_then(|index| findings.get(index));
        Self {
            title: title(of.given),
            all_sources: sources::all(of),
            sources: sources::rows(of, &BySource::new(of.checked), &concerned),
            rule_bar: rule_bar::of(of),
            headline: headline::of(of),
            findings: rows,
            left_out: left_out::of(of),
            offenders: offenders::of(of, chosen),
            histogram: histogram::of(of),
            fix: chosen.map(|finding| fix::of(of, finding)),
            problems: findings
                .iter()
                .filter(|finding| finding.severity != Severity::Note)
                .count(),
            has_error: findings
                .iter()
                .any(|finding| finding.severity == Severity::Error),
        }
    }

    /// The view of data that was not checked yet, or could not be.
    pub(super) fn unchecked(given: &[Given], words: Words) -> Self {
        Self {
            title: title(given),
            headline: Headline {
                mark: Mark::Note,
                text: words.text("labels-not-checked"),
                detail: String::new(),
            },
            ..Self::default()
        }
    }

    /// There is neither a finding nor a value that breaks a rule.
    pub fn has_nothing_to_list(&self) -> bool {
        self.findings.is_empty() && self.offenders.is_empty()
    }

    /// A row of the offenders' table.
    pub fn offender(&self, row: usize, checked: &Checked) -> Option<OffenderRow> {
        self.offenders.row(row, checked)
    }
}

/// The names of what was given, the first two.
fn title(given: &[Given]) -> String {
    let names: Vec<_> = given
        .iter()
        .take(2)
        .map(|given| sources::name_of(&given.path))
        .collect();
    let mut title = names.join(" · ");
    if given.len() > names.len() {
        title.push_str(" …");
    }
    title
}

fn texts(finding: &Finding, of: Basis<'_>) -> FindingTexts {
    words::finding(finding, &of.checked.material, of.words)
}
