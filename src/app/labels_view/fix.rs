//! What to do about a finding.

use std::collections::BTreeSet;

use super::findings::Concerned;
use super::offenders::relative;
use super::{Basis, texts};
use crate::findings::Finding;
use crate::knowledge::Certainty;
use crate::words::{Arg, certainty_word};

/// What to do about the chosen finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// How sure the reading is.
    pub certainty: Certainty,
    /// "Likely".
    pub certainty_word: String,
    /// What to do.
    pub suggestion: String,
    /// Why PyTorch fails on it.
    pub explanation: String,
    /// Python that mends it or shows it.
    pub script: Option<String>,
    /// The files concerned, one a line, and the button that copies them ("List the 17 files").
    pub files: Option<(String, String)>,
}

pub(super) fn of(of: Basis<'_>, finding: &Finding) -> Fix {
    let said = texts(finding, of);
    Fix {
        certainty: finding.certainty,
        certainty_word: certainty_word(finding.certainty, of.words),
        suggestion: said.suggestion,
        explanation: said.explanation,
        script: finding.snippet.clone(),
        files: files(of, finding),
    }
}

fn files(of: Basis<'_>, finding: &Finding) -> Option<(String, String)> {
    let checked = of.checked;
    let concerned = Concerned::by(finding, &checked.material);
    let mut met = BTreeSet::new();
    let mut list = Vec::new();
    let offenders = checked
        .offenders
        .iter()
        .filter(|offender| concerned.has(offender))
        .map(|offender| &offender.place);
    let first = finding.first.as_ref().map(|first| &first.place);
    for place in offenders.chain(first) {
        if let Some(path) = &place.path
            && met.insert(path)
        {
            list.push(relative(path, checked));
        }
    }
    let count = list.len() as u64;
    // A list that is not complete would be mended in part, and one of more files would mend what is none of it.
    if count == 0 || count != finding.files {
        return None;
    }
    let name = of
        .words
        .with("labels-list-files", &[("count", Arg::Number(count))]);
    Some((list.join("\n"), name))
}
