//! A log's diagnosis in words.

use super::entry_texts::EntryTexts;
use super::language::{Arg, Words};
use super::verdict::{
    LineLink, Other, Remark, Row, RowKind, Severity, Snippet, Span, SpanStyle, Verdict,
};
use crate::case::Log;
use crate::crash_log::{ErrorFamily, Facts, Frame, Phase, Platform, TracebackStyle};
use crate::diagnosis::is_cpu_twin;
use crate::diagnosis::{
    AllowedRange, Because, Cause, Certainty, Diagnosis, Entry, EvidenceRole, Failure, NoticedAt,
    Pass, Remark as Fact, Trust, TrustedBecause,
};
use crate::knowledge::CauseId;

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
    let texts = EntryTexts::of(cause, words);
    Verdict {
        severity: severity(cause),
        title: texts.title.clone(),
        sentence: sentence(facts, diagnosis, cause, &texts, words),
        certainty: cause.certainty,
        certainty_word: certainty_word(cause.certainty, words),
        certainty_reason: words.text(because_id(cause.because)),
        rows: rows(facts, diagnosis, cause, &texts, words),
        next: texts.next.clone(),
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

fn severity(cause: &Cause) -> Severity {
    match cause.id {
        CauseId::None => Severity::Good,
        CauseId::UnknownAssert | CauseId::NcclSecondary => Severity::Warning,
        CauseId::PythonError if cause.because == Because::NotInLog => Severity::Warning,
        _ => Severity::Error,
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
        Because::LogStatesCheck => "because-log-states-check",
        Because::LogStatesError => "because-log-states-error",
        Because::ExpressionAlone => "because-expression-alone",
        Because::SignBefore => "because-sign-before",
        Because::BackwardOnly => "because-backward-only",
        Because::OperationOnly => "because-operation-only",
        Because::UsualReason => "because-usual-reason",
        Because::ReportedForAnother => "because-reported-for-another",
        Because::NothingFound => "because-nothing-found",
        Because::NotInLog => "because-not-in-log",
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

fn rows(
    facts: &Facts,
    diagnosis: &Diagnosis,
    cause: &Cause,
    texts: &EntryTexts,
    words: Words,
) -> Vec<Row> {
    let mut rows = Vec::new();
    rows.extend(failure_row(facts, diagnosis, words));
    rows.extend(sign_row(cause, words));
    rows.extend(operation_row(cause, texts, words));
    rows.extend(data_row(cause, texts, words));
    rows.extend(traceback_row(facts, diagnosis, words));
    rows.extend(moment_row(facts, diagnosis, words));
    rows.extend(consequences_row(diagnosis, words));
    rows
}

fn failure_row(facts: &Facts, diagnosis: &Diagnosis, words: Words) -> Option<Row> {
    match diagnosis.first_failure? {
        Failure::Assertion(i) => {
            let group = facts.assertions.get(i)?;
            let file = file_name(&group.file);
            let line = group.line.to_string();
            let mut spans = vec![code(&group.expression)];
            if group.line > 0 {
                spans.push(weak(words.with(
                    "check-source",
                    &[("file", Arg::Text(file)), ("line", Arg::Text(&line))],
                )));
            } else {
                spans.push(weak(file.to_owned()));
            }
            Some(row(
                RowKind::FailedCheck,
                spans,
                Some(group.first_line),
                words,
            ))
        }
        Failure::Error(i) => {
            let error = facts.errors.get(i)?;
            Some(row(
                RowKind::Error,
                vec![code(&error.text)],
                Some(error.line),
                words,
            ))
        }
    }
}

/// The line before the failure that already showed it.
fn sign_row(cause: &Cause, words: Words) -> Option<Row> {
    let sign = cause
        .evidence
        .iter()
        .find(|e| e.role == EvidenceRole::SignBefore)?;
    let spans = vec![code(&sign.text)];
    Some(row(RowKind::SignBefore, spans, Some(sign.line), words))
}

fn operation_row(cause: &Cause, texts: &EntryTexts, words: Words) -> Option<Row> {
    let operation = cause.operation.as_ref()?;
    let mut notes = Vec::new();
    if let Some(pass) = operation.pass {
        notes.push(words.text(match pass {
            Pass::Forward => "pass-forward",
            Pass::Backward => "pass-backward",
        }));
    }
    notes.extend(texts.operation_note.clone());
    if !operation.shown {
        notes.push(words.text("operation-usual"));
    }
    let mut spans = vec![code(&operation.name)];
    if !notes.is_empty() {
        spans.push(weak(notes.join(" · ")));
    }
    Some(row(RowKind::Operation, spans, None, words))
}

fn data_row(cause: &Cause, texts: &EntryTexts, words: Words) -> Option<Row> {
    let mut spans = Vec::new();
    // Only a check has data that it checked.
    let checks = match cause.entry {
        Entry::Assertion(_) => true,
        Entry::Error(family) => is_cpu_twin(family) || family == ErrorFamily::Shape,
        Entry::Cause(_) => false,
    };
    if let Some(data) = texts.data.as_ref().filter(|_| checks) {
        spans.push(plain(data.clone()));
    }
    if let Some(value) = cause.value {
        let value = value.to_string();
        spans.push(plain(
            words.with("value-found", &[("value", Arg::Text(&value))]),
        ));
    }
    match (&cause.range, &texts.range) {
        (Some(range), _) => spans.push(weak(allowed(range, words))),
        (None, Some(symbolic)) if checks => {
            spans.push(weak(
                words.with("allowed-symbolic", &[("range", Arg::Text(symbolic))]),
            ));
        }
        _ => {}
    }
    let line = cause.range.as_ref().map(|range| range.line);
    (!spans.is_empty()).then(|| row(RowKind::CheckedData, spans, line, words))
}

fn allowed(range: &AllowedRange, words: Words) -> String {
    let (lo, hi) = (signed(range.lo, words), signed(range.hi, words));
    let id = if range.certainty == Certainty::Certain {
        "allowed-certain"
    } else {
        "allowed-likely"
    };
    words.with(
        id,
        &[
            ("lo", Arg::Text(&lo)),
            ("hi", Arg::Text(&hi)),
            ("source", Arg::Text(&range.source)),
        ],
    )
}

fn signed(n: i64, words: Words) -> String {
    let digits = words.number(n.unsigned_abs());
    if n < 0 {
        format!("−{digits}")
    } else {
        digits
    }
}

/// Where the traceback ends: not the culprit, with the reason, or the line to look at.
fn traceback_row(facts: &Facts, diagnosis: &Diagnosis, words: Words) -> Option<Row> {
    let reading = diagnosis.traceback.as_ref()?;
    let frames = &facts.tracebacks.get(reading.traceback)?.frames;
    // The user's own line says more than a frame inside the library that it called.
    let frame = reading
        .user_frame
        .and_then(|i| frames.get(i))
        .or_else(|| frames.get(reading.last_frame))?;
    let mut spans = vec![match &frame.code {
        Some(text) => code(text),
        None => plain(words.text("no-code")),
    }];
    let place = place(frame, words);
    let line = frame.code_line.unwrap_or(frame.log_line);
    let kind = match reading.trust {
        Trust::Trusted(because) => {
            spans.push(weak(place));
            spans.push(plain(words.text(match because {
                TrustedBecause::Blocking => "trusted-blocking",
                TrustedBecause::Synchronous => "trusted-synchronous",
                TrustedBecause::OperationMatches => "trusted-operation-matches",
            })));
            RowKind::YourLine
        }
        Trust::NotTrusted(at) => {
            let reason = words.text(match at {
                NoticedAt::Backward => "noticed-backward",
                NoticedAt::Copy => "noticed-copy",
                NoticedAt::ReadBack => "noticed-read-back",
                NoticedAt::Print => "noticed-print",
                NoticedAt::Synchronize => "noticed-synchronize",
                NoticedAt::Optimizer => "noticed-optimizer",
                NoticedAt::OtherProcess => "noticed-other-process",
                NoticedAt::LaterCall => "noticed-later-call",
            });
            spans.push(plain(format!("{place}{reason}")));
            RowKind::NotTheCulprit
        }
    };
    Some(row(kind, spans, Some(line), words))
}

fn place(frame: &Frame, words: Words) -> String {
    let file = file_name(&frame.file);
    if frame.line == 0 {
        return words.with("in-file-only", &[("file", Arg::Text(file))]);
    }
    let line = frame.line.to_string();
    words.with(
        "in-file",
        &[("file", Arg::Text(file)), ("line", Arg::Text(&line))],
    )
}

fn moment_row(facts: &Facts, diagnosis: &Diagnosis, words: Words) -> Option<Row> {
    diagnosis.first_failure?;
    let progress = &facts.progress;
    let mut parts = Vec::new();
    if let Some(phase) = progress.phase {
        parts.push(words.text(match phase {
            Phase::Loading => "phase-loading",
            Phase::Training => "phase-training",
            Phase::Validation => "phase-validation",
            Phase::Inference => "phase-inference",
        }));
    }
    for (at, id, id_of, name) in [
        (progress.epoch, "moment-epoch", "moment-epoch-of", "epoch"),
        (progress.step, "moment-step", "moment-step-of", "step"),
    ] {
        match at {
            Some((n, Some(total))) => parts.push(words.with(
                id_of,
                &[(name, Arg::Number(n)), ("total", Arg::Number(total))],
            )),
            Some((n, None)) => parts.push(words.with(id, &[(name, Arg::Number(n))])),
            None => {}
        }
    }
    (!parts.is_empty()).then(|| {
        let text = words.join_phrases(&parts);
        row(RowKind::Moment, vec![plain(text)], progress.line, words)
    })
}

fn consequences_row(diagnosis: &Diagnosis, words: Words) -> Option<Row> {
    // The error that reports a failed check is not worth a row of its own: the row above speaks of it.
    let told: Vec<_> = diagnosis
        .consequences
        .iter()
        .filter(|c| c.family != ErrorFamily::DeviceAssert)
        .collect();
    let first = told.first()?;
    let mut names: Vec<String> = Vec::new();
    for consequence in &told {
        let name = words.text(&format!("consequence-{}", consequence.kind()));
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let list = words.join_phrases(&names);
    let text = words.with(
        "consequences-some",
        &[
            ("names", Arg::Text(&list)),
            ("count", Arg::Number(names.len() as u64)),
        ],
    );
    Some(row(
        RowKind::Consequences,
        vec![plain(text)],
        Some(first.line),
        words,
    ))
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
        }
    }
    if let Some(misleading) = &texts.misleading {
        say(misleading.clone(), None);
    }
    out
}

fn row(kind: RowKind, spans: Vec<Span>, line: Option<u64>, words: Words) -> Row {
    let label = words.text(match kind {
        RowKind::FailedCheck => "row-failed-check",
        RowKind::Error => "row-error",
        RowKind::Operation => "row-operation",
        RowKind::CheckedData => "row-checked-data",
        RowKind::YourLine => "row-your-line",
        RowKind::NotTheCulprit => "row-not-the-culprit",
        RowKind::Consequences => "row-consequences",
        RowKind::Moment => "row-moment",
        RowKind::SignBefore => "row-sign-before",
    });
    Row {
        kind,
        label,
        spans,
        line: line.filter(|&line| line > 0).map(|line| link(line, words)),
    }
}

fn link(line: u64, words: Words) -> LineLink {
    LineLink {
        line,
        text: words.with("line", &[("line", Arg::Number(line))]),
    }
}

fn code(text: &str) -> Span {
    Span {
        text: text.to_owned(),
        style: SpanStyle::Code,
    }
}

fn plain(text: String) -> Span {
    Span {
        text,
        style: SpanStyle::Plain,
    }
}

fn weak(text: String) -> Span {
    Span {
        text,
        style: SpanStyle::Weak,
    }
}

/// The last part of a path of any system.
pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}
