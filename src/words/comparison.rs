//! A comparison of two runs in words. One renderer for console and window.

use serde::Serialize;

use super::entry_texts::EntryTexts;
use super::language::{Arg, Words};
use super::rows::progress_text;
use crate::case::shown;
use crate::compare::{
    Caveat, Change, ChangeId, Comparison, NewFailure, Passed, PassedBy, Proof, Rate, Reached,
    SameCheck, SignId, SignState, Stopped, WhyUnknown,
};
use crate::knowledge::CauseId;

/// What two runs show together, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComparisonTexts {
    /// Whether the crash is proved to be gone.
    pub proof: Proof,
    /// In a few words.
    pub title: String,
    /// In one or two sentences.
    pub sentence: String,
    /// Where the runs came to, what changed, how fast they are.
    pub rows: Vec<ComparisonRow>,
    /// The signs of a proof, in order.
    pub signs: Vec<SignText>,
    /// What makes the second run prove less.
    pub caveats: Vec<String>,
}

/// A labelled row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComparisonRow {
    /// What it tells.
    pub kind: ComparisonRowKind,
    /// Its label.
    pub label: String,
    /// Its text.
    pub text: String,
    /// The line of the second log that shows it.
    pub line: Option<u64>,
}

/// What a row tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ComparisonRowKind {
    /// Where the first run died.
    Died,
    /// How far the second came.
    Reached,
    /// What the second died of.
    New,
    /// What is different; a row each.
    Changed,
    /// Iterations per second of both.
    Rate,
}

/// A sign of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignText {
    /// Which.
    pub id: SignId,
    /// How it stands.
    pub state: SignState,
    /// The proof waits for it.
    pub needed: bool,
    /// What it is ("first validation pass").
    pub text: String,
    /// How it stands, in words ("not seen yet"); empty where the text says it.
    pub state_word: String,
}

impl SignText {
    /// The sign with how it stands.
    pub fn line(&self) -> String {
        if self.state_word.is_empty() {
            self.text.clone()
        } else {
            format!("{} · {}", self.text, self.state_word)
        }
    }
}

/// Puts a comparison into words.
pub fn comparison(told: &Comparison, words: Words) -> ComparisonTexts {
    ComparisonTexts {
        proof: told.proof,
        title: words.text(title(told)),
        sentence: sentence(told, words),
        rows: rows(told, words),
        signs: signs(told, words),
        caveats: told
            .caveats
            .iter()
            // The title says it already.
            .filter(|caveat| **caveat != Caveat::CpuCannotShow)
            .map(|caveat| words.text(&format!("compare-caveat-{}", id_of(caveat))))
            .collect(),
    }
}

/// Both are one and the same.
fn is_same_log(told: &Comparison) -> bool {
    told.passed == Passed::Unknown(WhyUnknown::SameLog)
}

fn title(told: &Comparison) -> &'static str {
    if is_same_log(told) {
        return "compare-title-same-log";
    }
    match (told.proof, told.same_check, &told.new) {
        (Proof::Proved, ..) => "compare-title-proved",
        (Proof::NotYet, ..) => "compare-title-not-yet",
        (Proof::Failed, SameCheck::StillThere, _) => "compare-title-same",
        (Proof::Failed, SameCheck::MayBe, _) => "compare-title-may-be",
        (Proof::Failed, _, Some(NewFailure::Ended { .. })) => "compare-title-ended",
        (Proof::Failed, _, Some(_)) => "compare-title-new",
        (Proof::Failed, _, None) => "compare-title-caught",
    }
}

fn sentence(told: &Comparison, words: Words) -> String {
    let why = |why: WhyUnknown| words.text(&format!("compare-why-{}", id_of(why)));
    if is_same_log(told) {
        return why(WhyUnknown::SameLog);
    }
    let mut sentences = Vec::new();
    let is_past = matches!(told.passed, Passed::Yes(_));
    match told.proof {
        Proof::Proved => sentences.push(words.text(match told.passed {
            Passed::Yes(PassedBy::EndedByItself) => "compare-sentence-proved-ended",
            _ => "compare-sentence-proved",
        })),
        Proof::NotYet if told.caveats.contains(&Caveat::CpuCannotShow) => {
            let ctc = told.first_cause == CauseId::CtcTarget;
            sentences.push(words.text(if ctc {
                "compare-sentence-cpu-ctc"
            } else {
                "compare-sentence-cpu"
            }));
        }
        Proof::NotYet => match told.passed {
            Passed::Yes(_) => sentences.push(words.text("compare-sentence-waits")),
            Passed::No => sentences.push(words.text("compare-sentence-before")),
            Passed::Unknown(reason) => sentences.push(why(reason)),
        },
        Proof::Failed => match told.same_check {
            SameCheck::StillThere => sentences.push(words.text("compare-sentence-same")),
            SameCheck::MayBe => sentences.push(words.text("compare-sentence-may-be")),
            SameCheck::Gone | SameCheck::NotSeen if is_past => {
                sentences.push(words.text("compare-sentence-new-past"));
            }
            SameCheck::Gone | SameCheck::NotSeen => match told.passed {
                Passed::Unknown(reason) => {
                    sentences.push(words.text("compare-sentence-new-unknown"));
                    sentences.push(why(reason));
                }
                _ => sentences.push(words.text("compare-sentence-new-before")),
            },
        },
    }
    words.join_sentences(&sentences)
}

fn rows(told: &Comparison, words: Words) -> Vec<ComparisonRow> {
    let row = |kind, label: &str, text: String, line| ComparisonRow {
        kind,
        label: words.text(label),
        text,
        line,
    };
    let died = told.first_cause != CauseId::None;
    let mut rows = vec![
        row(
            ComparisonRowKind::Died,
            if died {
                "compare-row-died"
            } else {
                "compare-row-first"
            },
            // What failed, failed, whatever code it ended with.
            place(&told.first, !died, words),
            None,
        ),
        row(
            ComparisonRowKind::Reached,
            "compare-row-reached",
            place(&told.second, true, words),
            None,
        ),
    ];
    if let Some(new) = &told.new {
        let (text, line) = new_failure(new, words);
        rows.push(row(
            ComparisonRowKind::New,
            "compare-row-new",
            text,
            (line > 0).then_some(line),
        ));
    }
    for change in &told.changed {
        let text = changed(change, words);
        rows.push(row(
            ComparisonRowKind::Changed,
            "compare-row-changed",
            text,
            None,
        ));
    }
    if told.rates.0.is_some() || told.rates.1.is_some() {
        let text = rates(told, words);
        rows.push(row(ComparisonRowKind::Rate, "compare-row-rate", text, None));
    }
    rows
}

fn place(reached: &Reached, with_end: bool, words: Words) -> String {
    let mut parts = Vec::new();
    if reached.ended_by_itself && with_end {
        parts.push(words.text("compare-at-ended"));
    }
    parts.extend(progress_text(&reached.progress, words));
    if let Some(count) = reached.batches.filter(|_| parts.is_empty()) {
        parts.push(words.with("compare-at-batches", &[("count", Arg::Number(count))]));
    }
    if let Some(elapsed) = reached.elapsed_ms {
        let seconds = words.number(elapsed / 1000);
        parts.push(words.with("compare-at-seconds", &[("seconds", Arg::Text(&seconds))]));
    }
    if parts.is_empty() {
        parts.push(words.text("compare-at-unknown"));
    }
    words.join_phrases(&parts)
}

fn new_failure(new: &NewFailure, words: Words) -> (String, u64) {
    match new {
        NewFailure::Cause {
            cause,
            line,
            text,
            stopped,
            ..
        } => {
            let title = EntryTexts::of_cause(*cause, words).title;
            let text = match stopped {
                Some(stopped) => stopped_text(stopped, words),
                None => shown(text),
            };
            let told = if text.is_empty() {
                title
            } else {
                format!("{title} · {text}")
            };
            (told, *line)
        }
        NewFailure::Ended {
            signal: Some(signal),
            ..
        } => {
            let signal = signal.to_string();
            let args = [("signal", Arg::Text(&signal))];
            (words.with("compare-new-ended-signal", &args), 0)
        }
        NewFailure::Ended { code, .. } => {
            let code = code.unwrap_or_default().to_string();
            let args = [("code", Arg::Text(&code))];
            (words.with("compare-new-ended-code", &args), 0)
        }
        NewFailure::BreaksOff { line } => (words.text("compare-new-breaks-off"), *line),
    }
}

/// What the guard stopped: its own sentence is English.
fn stopped_text(stopped: &Stopped, words: Words) -> String {
    let operation = shown(&stopped.operation);
    let (Some(value), Some((lo, hi))) = (&stopped.value, &stopped.range) else {
        return operation;
    };
    let range = format!("{lo} – {hi}");
    words.with(
        "compare-new-stopped",
        &[
            ("operation", Arg::Text(&operation)),
            ("value", Arg::Text(value)),
            ("range", Arg::Text(&range)),
        ],
    )
}

fn changed(change: &Change, words: Words) -> String {
    let value = |text: &str| match (change.id, text) {
        (ChangeId::LaunchBlocking, "true") => words.text("compare-yes"),
        (ChangeId::LaunchBlocking, _) => words.text("compare-no"),
        // A script given as an argument has lines of its own.
        _ => shown(
            &text
                .replace("\r\n", "\n")
                .replace('\n', "\\n")
                .replace('\t', "\\t"),
        ),
    };
    let (first, second) = (value(&change.first), value(&change.second));
    let name = change.name.as_deref().map(shown).unwrap_or_default();
    words.with(
        &format!("compare-change-{}", id_of(change.id)),
        &[
            ("name", Arg::Text(&name)),
            ("first", Arg::Text(&first)),
            ("second", Arg::Text(&second)),
        ],
    )
}

fn rates(told: &Comparison, words: Words) -> String {
    let rate = |rate: Option<Rate>| {
        rate.map_or_else(
            || words.text("compare-rate-none"),
            |rate| per_second(rate.per_second),
        )
    };
    let (first, second) = (rate(told.rates.0), rate(told.rates.1));
    let args = [("first", Arg::Text(&first)), ("second", Arg::Text(&second))];
    let mut parts = vec![words.with("compare-rate", &args)];
    if !told.rates_differ_by.is_empty() {
        let reasons: Vec<String> = told
            .rates_differ_by
            .iter()
            .map(|reason| words.text(&format!("compare-rate-{}", id_of(reason))))
            .collect();
        let reasons = words.join_phrases(&reasons);
        let args = [("reasons", Arg::Text(&reasons))];
        parts.push(words.with("compare-rates-differ", &args));
    }
    parts.join(" · ")
}

/// A rate with the digits that mean something.
fn per_second(rate: f64) -> String {
    let digits = if rate >= 100.0 {
        0
    } else if rate >= 10.0 {
        1
    } else if rate >= 0.1 {
        2
    } else {
        4
    };
    format!("{rate:.digits$}")
}

fn signs(told: &Comparison, words: Words) -> Vec<SignText> {
    let is_over = told.caveats.contains(&Caveat::Stopped)
        || matches!(
            told.sign(SignId::EndedByItself),
            Some(SignState::Seen | SignState::Broken)
        );
    told.signs
        .iter()
        .map(|sign| {
            let count = [("count", Arg::Number(told.guard_stopped))];
            let text = match (sign.id, sign.state) {
                (SignId::GuardClean, SignState::Broken) => {
                    words.with("compare-sign-guard-broken", &count)
                }
                (SignId::GuardClean, SignState::Unknown) => words.text("compare-sign-guard-none"),
                (SignId::GuardClean, SignState::NotYet) => words.text("compare-sign-guard-nothing"),
                (
                    id @ (SignId::SameCheckGone | SignId::NoNewCheck | SignId::EndedByItself),
                    SignState::Broken,
                ) => words.text(&format!("compare-sign-{}-broken", id_of(id))),
                (id, _) => words.text(&format!("compare-sign-{}", id_of(id))),
            };
            // Where the sign says it itself, a word behind it would only turn it around.
            let says_it = sign.id == SignId::GuardClean
                || (sign.state == SignState::Broken && sign.id != SignId::PastCrashPoint);
            let state_word = match sign.state {
                _ if says_it => String::new(),
                // Nothing more is to come.
                SignState::NotYet if is_over => words.text("compare-state-not-seen"),
                state => words.text(&format!("compare-state-{}", id_of(state))),
            };
            SignText {
                id: sign.id,
                state: sign.state,
                needed: sign.needed,
                text,
                state_word,
            }
        })
        .collect()
}

/// The name that a value has in JSON, which is that of its text, too.
fn id_of(value: impl Serialize) -> String {
    let json = serde_json::to_value(value).unwrap_or_default();
    json.as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::RateReason as R;
    use crate::words::Language;

    #[test]
    fn everything_has_its_text_in_both_languages() {
        use {Caveat as C, ChangeId as G, SignId as S, SignState as T, WhyUnknown as W};
        let mut ids = Vec::new();
        let mut add = |prefix: &str, id: String| ids.push(format!("compare-{prefix}-{id}"));
        for why in [
            W::FirstDidNotFail,
            W::SameLog,
            W::OtherScript,
            W::TrainingUnknown,
            W::EndedSilently,
            W::NoProgressInFirst,
            W::NoProgressInSecond,
            W::OtherCount,
            W::BeganLater,
            W::EpochsBeginAnew,
            W::PhaseUnknown,
            W::OtherSpeed,
        ] {
            add("why", id_of(why));
        }
        for caveat in [
            C::Cpu,
            C::CpuCannotShow,
            C::Stopped,
            C::TotalsChanged,
            C::OtherArguments,
            C::ErrorSurvived,
            C::GuardSawPart,
            C::NoGuard,
        ] {
            add("caveat", id_of(caveat));
        }
        for change in [
            G::Command,
            G::Torch,
            G::Cuda,
            G::Python,
            G::Gpu,
            G::Size,
            G::Range,
            G::LaunchBlocking,
            G::Epochs,
            G::Steps,
            G::Processes,
        ] {
            add("change", id_of(change));
        }
        for reason in [
            R::Sync,
            R::Cpu,
            R::Guard,
            R::Workers,
            R::Source,
            R::OtherBar,
            R::OtherGpu,
        ] {
            add("rate", id_of(reason));
        }
        for sign in [
            S::PastCrashPoint,
            S::SameCheckGone,
            S::NoNewCheck,
            S::GuardClean,
            S::FirstValidationPass,
            S::EndedByItself,
        ] {
            add("sign", id_of(sign));
        }
        for id in [
            "guard-none",
            "guard-nothing",
            "guard-broken",
            "same-check-gone-broken",
            "no-new-check-broken",
            "ended-by-itself-broken",
        ] {
            add("sign", id.to_owned());
        }
        add("state", "not-seen".to_owned());
        add("title", "same-log".to_owned());
        add("row", "first".to_owned());
        add("new", "stopped".to_owned());
        for state in [T::Seen, T::NotYet, T::Broken, T::Unknown] {
            add("state", id_of(state));
        }
        for language in Language::ALL {
            for id in &ids {
                assert!(Words::new(language).has(id), "{id}");
            }
        }
    }

    #[test]
    fn rates_have_the_digits_that_mean_something() {
        for (rate, expected) in [
            (312.4, "312"),
            (12.34, "12.3"),
            (4.0, "4.00"),
            (0.012_34, "0.0123"),
        ] {
            assert_eq!(per_second(rate), expected);
        }
    }
}
