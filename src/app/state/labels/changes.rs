//! What the user chooses to look at, and says about the data. Whatever changes the result checks again.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::super::super::command::{GivenChange, OffenderColumn};
use super::super::super::job::Job;
use super::super::super::telling::MessageFact;
use super::super::AppState;
use super::Labels;
use crate::check::CheckOptions;
use crate::labels::Role;
use crate::range_check::{DeviceChoice, Number};

impl AppState {
    pub(in crate::app::state) fn select_source(&mut self, source: Option<usize>) {
        self.labels.looking.source = source;
        self.build_labels();
        // What was chosen may have nothing to do with this source: then its first finding is.
        let rows = &self.labels.view.findings;
        let is_shown = rows.iter().any(|row| row.selected);
        let first = rows.first().map(|row| row.finding);
        if !is_shown {
            self.labels.looking.finding = first;
            self.follow_rule();
            self.build_labels();
        }
    }

    pub(in crate::app::state) fn select_finding(&mut self, finding: usize) {
        self.labels.looking.finding = Some(finding);
        self.labels.script_open = false;
        self.follow_rule();
        self.build_labels();
    }

    /// The rule bar and the chart show the rule of the chosen finding.
    fn follow_rule(&mut self) {
        let rule = self
            .labels
            .looking
            .finding
            .and_then(|index| self.checked()?.findings.get(index)?.rule);
        if let Some(rule) = rule {
            self.labels.looking.rule = rule;
        }
    }

    pub(in crate::app::state) fn select_rule(&mut self, rule: usize) {
        self.labels.looking.rule = rule;
        self.build_labels();
    }

    pub(in crate::app::state) fn sort_offenders(&mut self, column: OffenderColumn) {
        let looking = &mut self.labels.looking;
        looking.descending = looking.sorted_by == column && !looking.descending;
        looking.sorted_by = column;
        self.build_labels();
    }

    /// Takes out what a source was given with.
    pub(in crate::app::state) fn remove_source(&mut self, source: usize) -> Vec<Job> {
        let found = self.checked().and_then(|checked| {
            let found = checked.sources.get(source)?;
            let others = checked.sources.iter().filter(|s| s.given == found.given);
            Some((found.given, found.id(), others.count() > 1))
        });
        let given = found.as_ref().map(|(given, ..)| *given);
        let Some(case) = &mut self.case else {
            return Vec::new();
        };
        let Some(given) = given.filter(|&given| given < case.given.len()) else {
            return Vec::new();
        };
        self.labels.looking.source = None;
        // Of a folder only what was chosen goes; the rest of the data set stays.
        if let Some((_, id, true)) = found
            && let Some(given) = case.given.get_mut(given)
        {
            given.left_out.push(id);
            return self.check(false);
        }
        case.given.remove(given);
        if case.given.is_empty() && case.logs.is_empty() {
            self.close_case();
            return Vec::new();
        }
        if case.given.is_empty() {
            case.drop_data();
            self.relabel_verdict();
            self.labels = Labels::default();
            self.tell(MessageFact::Ready);
            return Vec::new();
        }
        // The result on screen is of before, and can be acted on until the new one comes.
        for source in case.data.iter_mut().flat_map(|data| &mut data.sources) {
            match source.given.cmp(&given) {
                Ordering::Less => {}
                Ordering::Equal => source.given = usize::MAX,
                Ordering::Greater => source.given -= 1,
            }
        }
        self.check(false)
    }

    pub(in crate::app::state) fn set_given(
        &mut self,
        given: usize,
        change: GivenChange,
    ) -> Vec<Job> {
        let Some(given) = self
            .case
            .as_mut()
            .and_then(|case| case.given.get_mut(given))
        else {
            return Vec::new();
        };
        let before = given.clone();
        match change {
            GivenChange::Format(format) => given.format = format,
            GivenChange::Split(split) => given.split = split,
            GivenChange::Column(column) => {
                given.column = column.filter(|name| !name.trim().is_empty());
            }
            GivenChange::Role(role) => given.role = role,
        }
        if *given == before {
            return Vec::new();
        }
        self.check(false)
    }

    pub(in crate::app::state) fn set_role(&mut self, role: Option<Role>) -> Vec<Job> {
        self.change_options(|options| options.role = role)
    }

    pub(in crate::app::state) fn set_allowed(&mut self, lo: &str, hi: &str) -> Vec<Job> {
        self.labels.problem = None;
        let (lo, hi) = (lo.trim(), hi.trim());
        if lo.is_empty() && hi.is_empty() {
            return self.allow_as_found();
        }
        let (Some(lo), Some(hi)) = (number(if lo.is_empty() { "0" } else { lo }), number(hi))
        else {
            self.labels.problem = Some(self.words.text("labels-not-a-number"));
            return Vec::new();
        };
        if hi < lo {
            self.labels.problem = Some(self.words.text("labels-empty-range"));
            return Vec::new();
        }
        self.change_options(|options| options.range = Some((lo, hi)))
    }

    pub(in crate::app::state) fn allow_as_found(&mut self) -> Vec<Job> {
        self.change_options(|options| options.range = None)
    }

    pub(in crate::app::state) fn set_device(&mut self, device: DeviceChoice) -> Vec<Job> {
        self.change_options(|options| options.device = device)
    }

    pub(in crate::app::state) fn ignore(&mut self, value: Number) -> Vec<Job> {
        let mut ignored = self.ignored();
        if !ignored.contains(&value) {
            ignored.push(value);
        }
        self.change_options(|options| options.ignore = Some(ignored))
    }

    pub(in crate::app::state) fn ignore_typed(&mut self, text: &str) -> Vec<Job> {
        if let Some(value) = number(text.trim()) {
            return self.ignore(value);
        }
        self.labels.problem = Some(self.words.text("labels-not-a-number"));
        Vec::new()
    }

    pub(in crate::app::state) fn stop_ignoring(&mut self, value: Number) -> Vec<Job> {
        let mut ignored = self.ignored();
        ignored.retain(|&here| here != value);
        self.change_options(|options| options.ignore = Some(ignored))
    }

    /// The values that are skipped: those that the user said, else those of any rule, for what the user says holds for all.
    fn ignored(&self) -> Vec<Number> {
        let said = self
            .case
            .as_ref()
            .and_then(|case| case.options.ignore.clone());
        said.unwrap_or_else(|| {
            let rules = self.checked().map(|checked| &checked.material.rules);
            let values = rules
                .into_iter()
                .flatten()
                .flat_map(|used| &used.rule.ignore);
            let all: BTreeSet<Number> = values.copied().collect();
            all.into_iter().collect()
        })
    }

    fn change_options(&mut self, change: impl FnOnce(&mut CheckOptions)) -> Vec<Job> {
        self.labels.problem = None;
        let Some(case) = &mut self.case else {
            return Vec::new();
        };
        let before = case.options.clone();
        change(&mut case.options);
        if case.options == before {
            return Vec::new();
        }
        self.check(false)
    }
}

/// A number as it is typed: `-100`, `79`, `0.5`, with the minus sign of either keyboard.
fn number(text: &str) -> Option<Number> {
    let text = text.replace(['−', '－'], "-");
    if let Ok(n) = text.parse::<i128>() {
        return Some(Number::from(n));
    }
    let x = text.parse::<f64>().ok()?;
    x.is_finite().then(|| Number::from(x))
}
