//! A log's diagnosis in words.

use super::entry_texts::EntryTexts;
use super::language::{Arg, Words};
use super::place::{place_text, span};
use super::rows::{link, rows};
use super::verdict::{Other, Remark, Severity, Snippet, Verdict};
use crate::case::{Log, Unfinished};
use crate::crash_log::{Facts, Platform, TracebackStyle};
use crate::diagnosis::{
    Because, Cause, Certainty, Diagnosis, Entry, EvidenceRole, Failure, Remark as Fact,
};
use crate::knowledge::CauseId;
use crate::rerun::Ending;

/// What a log means, in words.
pub fn verdict(log: &Log, words: Words) -> Verdict {
    match log.diagnosis.causes.first() {
        Some(cause) => verdict_of(log, cause, words),
        // `Diagnosis::causes` is never empty; a case read from a file of a newer version might be.
        None => Verdict::unreadable(words),
    }
}

/// One of a log's causes in words.
pub fn verdict_of(log: &Log, cause: &Cause, words: Words) -> Verdict {
    let (facts, diagnosis) = (&log.facts, &log.diagnosis);
    let end = RunEnd::of(log, cause);
    let texts = match (end, &log.ending, log.unfinished) {
        (Some(_), Some(ending), _) => EntryTexts::of_ending(ending, words),
        (Some(_), None, Some(why)) => EntryTexts::of_unfinished(why, words),
        _ => EntryTexts::of(cause, words),
    };
    let (certainty, because) = certainty_of(log, cause);
    Verdict {
        severity: end.map_or_else(|| severity(cause), RunEnd::severity),
        title: texts.title.clone(),
        sentence: sentence(facts, diagnosis, cause, &texts, words),
        certainty,
        certainty_word: certainty_word(certainty, words),
        certainty_reason: words.text(because),
        rows: rows(facts, diagnosis, cause, &texts, words),
        next: next_guilty(cause, words).unwrap_or_else(|| texts.next.clone()),
        restart: diagnosis.process_lost.then(|| {
            words.text(if in_notebook(facts) {
                "restart-notebook"
            } else {
                "restart-process"
            })
        }),
        check: texts.check.clone().map(|code| Snippet {
            caption: words.text("check-caption"),
            code,
        }),
        fixes: texts.fix.clone(),
        others: others(diagnosis, cause, &texts, words),
        remarks: remarks(facts, diagnosis, &texts, words),
    }
}

impl Verdict {
    fn unreadable(words: Words) -> Self {
        let texts = EntryTexts::of_cause(CauseId::UnknownAssert, words);
        Self {
            severity: Severity::Warning,
            title: texts.title,
            sentence: texts.sentence,
            certainty: Certainty::Possible,
            certainty_word: certainty_word(Certainty::Possible, words),
            certainty_reason: words.text("because-not-in-log"),
            rows: Vec::new(),
            next: texts.next,
            restart: None,
            check: None,
            fixes: texts.fix,
            others: Vec::new(),
            remarks: Vec::new(),
        }
    }
}

/// With the guilty value at hand, the next step is to look at it.
fn next_guilty(cause: &Cause, words: Words) -> Option<String> {
    let found = cause
        .evidence
        .iter()
        .find(|evidence| evidence.role == EvidenceRole::Offender)?;
    let place = place_text(found.place.as_ref()?, words);
    let range = cause.range.as_ref()?;
    // The log may name another value than the one that stands there.
    let value = found
        .value
        .filter(|value| !(range.lo..=range.hi).contains(value))?
        .to_string();
    let range = span(range.lo.into(), range.hi.into());
    let args = [
        ("place", Arg::Text(place.as_str())),
        ("value", Arg::Text(&value)),
        ("range", Arg::Text(&range)),
    ];
    Some(words.with("next-guilty", &args))
}

fn severity(cause: &Cause) -> Severity {
    match cause.id {
        CauseId::None => Severity::Good,
        CauseId::UnknownAssert | CauseId::NcclSecondary => Severity::Warning,
        CauseId::PythonError if cause.because == Because::NotInLog => Severity::Warning,
        _ => Severity::Error,
    }
}

/// How the run of a log that shows no failure ended: that is its verdict then.
#[derive(Clone, Copy)]
enum RunEnd {
    Well,
    Badly,
    Stopped,
    /// It goes on.
    Running,
    /// Nobody knows.
    Unknown,
}

impl RunEnd {
    fn of(log: &Log, cause: &Cause) -> Option<Self> {
        if cause.id != CauseId::None {
            return None;
        }
        let ended = log.ending.as_ref().map(|ending| match ending {
            Ending { stopped: true, .. } => Self::Stopped,
            Ending { code: Some(0), .. } => Self::Well,
            Ending {
                code: None,
                signal: None,
                ..
            } => Self::Unknown,
            _ => Self::Badly,
        });
        ended.or(log.unfinished.map(|why| match why {
            Unfinished::Running => Self::Running,
            Unfinished::Lost => Self::Unknown,
        }))
    }

    fn severity(self) -> Severity {
        match self {
            Self::Well => Severity::Good,
            Self::Badly => Severity::Error,
            Self::Stopped | Self::Running | Self::Unknown => Severity::Warning,
        }
    }
}

/// The stable name of what a log is told to mean: that of its cause or, where it shows no failure, of how its run ended.
pub fn told_id(log: &Log, cause: &Cause) -> &'static str {
    match RunEnd::of(log, cause) {
        None | Some(RunEnd::Well) => cause.id.id(),
        Some(RunEnd::Badly) => "run_ended_badly",
        Some(RunEnd::Stopped) => "run_stopped",
        Some(RunEnd::Running) => "run_unfinished",
        Some(RunEnd::Unknown) => "run_end_unknown",
    }
}

/// How sure a cause is, and the id of why. How a run ended is known for sure; of what is not whole yet nothing is.
pub fn certainty_of(log: &Log, cause: &Cause) -> (Certainty, &'static str) {
    match RunEnd::of(log, cause) {
        None => (cause.certainty, because_id(cause.because)),
        Some(RunEnd::Well | RunEnd::Badly | RunEnd::Stopped) => {
            (Certainty::Certain, "because-ended")
        }
        Some(RunEnd::Running | RunEnd::Unknown) => (Certainty::Possible, "because-unfinished"),
    }
}

/// The word for a certainty.
pub fn certainty_word(certainty: Certainty, words: Words) -> String {
    words.text(match certainty {
        Certainty::Certain => "certainty-certain",
        Certainty::Likely => "certainty-likely",
        Certainty::Possible => "certainty-possible",
    })
}

fn because_id(because: Because) -> &'static str {
    match because {
        Because::GuardSaw => "because-guard-saw",
        Because::LogStatesCheck => "because-log-states-check",
        Because::LogStatesError => "because-log-states-error",
        Because::ExpressionAlone => "because-expression-alone",
        Because::SignBefore => "because-sign-before",
        Because::BackwardOnly => "because-backward-only",
        Because::OperationOnly => "because-operation-only",
        Because::UsualReason => "because-usual-reason",
        Because::ReportedForAnother => "because-reported-for-another",
        Because::RunWentOn => "because-run-went-on",
        Because::NothingFound => "because-nothing-found",
        Because::NotInLog => "because-not-in-log",
        Because::DataShows => "because-data-shows",
    }
}

fn in_notebook(facts: &Facts) -> bool {
    facts.notebook
        || facts.environment.platform == Platform::Colab
        || facts
            .tracebacks
            .iter()
            .any(|t| t.style == TracebackStyle::Notebook)
}

/// The entry's sentence and, where it is printed more than once, how often.
fn sentence(
    facts: &Facts,
    diagnosis: &Diagnosis,
    cause: &Cause,
    texts: &EntryTexts,
    words: Words,
) -> String {
    let mut sentences = vec![texts.sentence.clone()];
    let mentions = cause
        .evidence
        .iter()
        .filter(|e| e.role == EvidenceRole::Harmless)
        .count() as u64;
    if mentions > 0 {
        sentences.push(words.with(
            "nothing-found-mentions",
            &[("count", Arg::Number(mentions))],
        ));
    }
    if let Some(Failure::Assertion(i)) = diagnosis.first_failure
        && let Some(group) = facts.assertions.get(i)
        && group.count > 1
        && group.threads.is_some()
        && matches!(cause.entry, Entry::Assertion(_))
    {
        sentences.push(words.with("threads-failed", &[("count", Arg::Number(group.count))]));
    }
    words.join_sentences(&sentences)
}

fn others(diagnosis: &Diagnosis, told: &Cause, texts: &EntryTexts, words: Words) -> Vec<Other> {
    let causes = diagnosis
        .causes
        .iter()
        .filter(|cause| cause.id != told.id)
        .map(|cause| {
            let certainty = certainty_word(cause.certainty, words);
            let title = EntryTexts::of(cause, words).title;
            Other {
                certainty: Some(cause.certainty),
                text: words.with(
                    "other-cause",
                    &[
                        ("certainty", Arg::Text(&certainty)),
                        ("title", Arg::Text(&title)),
                    ],
                ),
            }
        });
    let listed = texts.other.iter().map(|text| Other {
        certainty: None,
        text: text.clone(),
    });
    causes.chain(listed).collect()
}

fn remarks(facts: &Facts, diagnosis: &Diagnosis, texts: &EntryTexts, words: Words) -> Vec<Remark> {
    use crate::diagnosis::DeviceAssert;

    let mut out = Vec::new();
    let mut say = |text: String, line: Option<u64>| {
        out.push(Remark {
            text,
            line: line.map(|line| link(line, words)),
        });
    };
    let gpu = |id: CauseId| {
        matches!(
            id,
            CauseId::IllegalAccess
                | CauseId::LaunchFailure
                | CauseId::ArchMismatch
                | CauseId::NcclSecondary
        )
    };
    match diagnosis.device_assert {
        DeviceAssert::OnlyMentioned if diagnosis.first_failure.is_some() => {
            let line = facts.hints.first().map(|hint| hint.line);
            say(words.text("remark-only-mentioned"), line);
        }
        DeviceAssert::No if diagnosis.causes.first().is_some_and(|c| gpu(c.id)) => {
            say(words.text("remark-not-device-assert"), None);
        }
        _ => {}
    }
    for remark in &diagnosis.remarks {
        let count = |n: usize| [("count", Arg::Number(n as u64))];
        match *remark {
            Fact::WouldGiveTheLine => {
                let id = match facts.environment.platform {
                    _ if in_notebook(facts) => "remark-would-give-the-line-notebook",
                    Platform::Windows => "remark-would-give-the-line-windows",
                    _ => "remark-would-give-the-line",
                };
                say(words.text(id), None);
            }
            Fact::DsaInEnvironment { line } => {
                say(words.text("remark-dsa-in-environment"), Some(line));
            }
            Fact::BlockingCopy => say(words.text("remark-blocking-copy"), None),
            Fact::SeveralChecks { count: n } => {
                say(words.with("remark-several-checks", &count(n)), None);
            }
            Fact::SeveralProcesses { count: n } => {
                say(words.with("remark-several-processes", &count(n)), None);
            }
            Fact::InValidation => say(words.text("remark-in-validation"), None),
            Fact::BreaksOff => say(words.text("remark-breaks-off"), None),
            Fact::CheckNotInLog => say(words.text("remark-check-not-in-log"), None),
            Fact::RocmHidesAsserts => say(words.text("remark-rocm-hides-asserts"), None),
            Fact::CpuSaysTheSame { line } => {
                say(words.text("remark-cpu-says-the-same"), Some(line));
            }
            Fact::DataInRange { values } => {
                let values = [("values", Arg::Number(values))];
                say(words.with("remark-data-in-range", &values), None);
            }
            Fact::DataFaults { errors } => {
                let errors = [("errors", Arg::Number(errors as u64))];
                say(words.with("remark-data-faults", &errors), None);
            }
        }
    }
    if let Some(misleading) = &texts.misleading {
        say(misleading.clone(), None);
    }
    out
}
