//! What is told beside the verdict of the shown log: how it compares with the run that died first, and a script that fails alike.

use super::{AppState, LogStatus};
use crate::case::{Case, Run};
use crate::compare::{Side, compare};
use crate::reproduction;
use crate::words::{self, ComparisonTexts, ReproductionTexts};

/// What is told beside the verdict of the shown log.
#[derive(Debug, Default)]
pub struct Beside {
    /// How it compares with the case's first log; `None` for that one itself.
    pub comparison: Option<Box<ComparisonTexts>>,
    /// A script that fails on the CPU as the run did; `None` where there can be none.
    pub reproduction: Option<Box<Script>>,
}

/// A script with what is said around it.
#[derive(Debug)]
pub struct Script {
    /// What is said around it.
    pub texts: ReproductionTexts,
    /// The script.
    pub code: String,
}

impl AppState {
    /// Tells what stands beside the verdict anew: the shown log or the language has changed.
    pub(super) fn tell_beside(&mut self) {
        self.beside = Beside::default();
        let (LogStatus::Ready { log: at, .. }, Some(case)) = (&self.log, &self.case) else {
            return;
        };
        let words = self.words;
        let Some(log) = case.logs.get(*at) else {
            return;
        };
        let first = case.primary_log();
        if let Some((first, second)) = first
            .filter(|first| first != at)
            .and_then(|first| Some((side(case, first)?, side(case, *at)?)))
        {
            let told = words::comparison(&compare(&first, &second), words);
            self.beside.comparison = Some(Box::new(told));
        }
        if let Ok(script) = reproduction::of_diagnosis(&log.facts, &log.diagnosis) {
            self.beside.reproduction = Some(Box::new(Script {
                texts: words::reproduction(&script, words),
                code: script.script,
            }));
        }
    }
}

fn side(case: &Case, at: usize) -> Option<Side<'_>> {
    let log = case.logs.get(at)?;
    Some(Side {
        facts: &log.facts,
        diagnosis: &log.diagnosis,
        run: case.run_of_log(at).map(Run::side),
        digest: log.digest,
    })
}
