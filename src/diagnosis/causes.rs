//! From facts to a ranked list of causes.

use super::behind;
use super::consequences::{self, Depth};
use super::failed::{failed, signs_of, signs_of_error, waits};
use super::guard;
use super::operation::Signs;
use super::trust;
use super::{
    Because, Cause, Certainty, DeviceAssert, Diagnosis, Entry, Evidence, EvidenceRole, Failure,
    Operation, Pass, range, remarks,
};
use crate::crash_log::{
    AssertionForm, AssertionGroup, ErrorEvent, ErrorFamily, Facts, HintKind, MarkKind,
    NotUnderstoodReason,
};
use crate::knowledge::{AssertionMatch, CauseId, catalogue};

/// What a log means.
pub fn diagnose(facts: &Facts) -> Diagnosis {
    let first_failure = first_failure(facts);
    let mut causes = match first_failure {
        Some(Failure::Assertion(i)) => facts
            .assertions
            .get(i)
            .map(|group| of_assertion(facts, group))
            .unwrap_or_default(),
        Some(Failure::Error(i)) => facts
            .errors
            .get(i)
            .map(|error| of_error(facts, i, error))
            .unwrap_or_default(),
        Some(Failure::Guard(i)) => guard::causes(facts, i),
        None => vec![broken_off(facts).unwrap_or_else(|| nothing_found(facts))],
    };
    guard::add_survived(facts, first_failure, &mut causes);
    distinct(&mut causes);

    let failed = failed(facts, first_failure, causes.first());
    let traceback = failed
        .as_ref()
        .and_then(|failed| trust::read_traceback(facts, failed));
    if let (Some(reading), Some(cause)) = (&traceback, causes.first_mut()) {
        add_traceback_evidence(facts, reading, cause);
    }
    let gpu_failed = match first_failure {
        Some(Failure::Assertion(_)) => true,
        Some(Failure::Error(i)) => facts.errors.get(i).is_some_and(|e| {
            consequences::depth(consequences::judged_as(e)) == Depth::Gpu
                || consequences::is_said_by_kernel(e)
        }),
        // The guard stopped the call before it reached the GPU.
        Some(Failure::Guard(_)) | None => false,
    };
    let guarded = matches!(first_failure, Some(Failure::Guard(_)));
    if !gpu_failed && !guarded && first_failure.is_some() && goes_on(facts) {
        for cause in &mut causes {
            if cause.certainty == Certainty::Certain {
                cause.certainty = Certainty::Likely;
                cause.because = Because::RunWentOn;
            }
        }
    }
    let consequences = first_failure
        .map(|first| consequences::consequences(facts, first, gpu_failed))
        .unwrap_or_default();
    let mut diagnosis = Diagnosis {
        causes,
        first_failure,
        traceback,
        consequences,
        device_assert: device_assert(facts, first_failure),
        process_lost: gpu_failed,
        remarks: Vec::new(),
    };
    diagnosis.remarks = remarks::remarks(facts, &diagnosis);
    diagnosis
}

/// Lines after everything recognised from which on a run is taken to have gone on; summaries of a run's end are shorter.
pub(super) const WENT_ON: u64 = 60;

/// Whether much more follows after the last thing recognised: an error on the host may have been caught.
fn goes_on(facts: &Facts) -> bool {
    // The guard speaks every few seconds, whatever happens.
    let told = facts
        .marks
        .iter()
        .filter(|mark| mark.kind != MarkKind::Guard);
    let last = told.map(|mark| *mark.lines.end()).max();
    last.is_some_and(|last| facts.line_count > last + WENT_ON)
}

/// The failure that everything else follows from.
fn first_failure(facts: &Facts) -> Option<Failure> {
    // What the guard saw is measured, not inferred.
    if let Some(seen) = guard::first(facts) {
        return Some(Failure::Guard(seen));
    }
    // A printed check is the root wherever it stands: only it names what was wrong, and nothing drags it behind.
    let check = (0..facts.assertions.len())
        .min_by_key(|&i| facts.assertions.get(i).map(|group| group.first_line));
    check
        .map(Failure::Assertion)
        .or_else(|| consequences::first_error(facts).map(Failure::Error))
}

/// Causes behind a failed check.
fn of_assertion(facts: &Facts, group: &AssertionGroup) -> Vec<Cause> {
    let evidence = vec![Evidence {
        line: group.first_line,
        text: format!("{}:{} {}", group.file, group.line, group.expression),
        role: EvidenceRole::FailedCheck,
        place: None,
        value: None,
    }];
    let plain = |id, certainty, because, library: Option<String>| Cause {
        id,
        certainty,
        because,
        entry: Entry::Cause(id),
        operation: None,
        library,
        value: None,
        range: None,
        evidence: evidence.clone(),
    };
    let found = catalogue().assertion(&group.file, &group.expression);
    if group.form == AssertionForm::OtherFramework
        && !matches!(found, AssertionMatch::Custom { .. })
    {
        let name = match found {
            AssertionMatch::OtherFramework { name } => Some(name.to_string()),
            _ => None,
        };
        let mut cause = plain(
            CauseId::OtherFramework,
            Certainty::Certain,
            Because::LogStatesCheck,
            name,
        );
        range::from_message(group, &mut cause);
        return vec![cause];
    }
    let (entry, certainty, because) = match found {
        AssertionMatch::Known(entry) => (entry, Certainty::Certain, Because::LogStatesCheck),
        AssertionMatch::ByExpression(entry) => (entry, Certainty::Likely, Because::ExpressionAlone),
        AssertionMatch::ByFile(entry) => (entry, Certainty::Likely, Because::UsualReason),
        AssertionMatch::Custom { library } => {
            return vec![plain(
                CauseId::CustomKernel,
                Certainty::Certain,
                Because::LogStatesCheck,
                library,
            )];
        }
        AssertionMatch::OtherFramework { name } => {
            let library = Some(name.to_string());
            return vec![plain(
                CauseId::OtherFramework,
                Certainty::Certain,
                Because::LogStatesCheck,
                library,
            )];
        }
        AssertionMatch::PytorchUnknown | AssertionMatch::Unlocated => {
            return vec![plain(
                CauseId::UnknownAssert,
                Certainty::Likely,
                Because::NotInLog,
                None,
            )];
        }
    };

    let mut cause = Cause {
        id: entry.cause,
        certainty,
        because,
        entry: Entry::Assertion(entry.id.clone()),
        operation: operation(
            facts,
            &entry.operations,
            signs_of(entry),
            group.function.as_deref(),
        ),
        library: None,
        value: None,
        range: range::of_assertion(facts, group, entry),
        evidence,
    };
    if let Some(range) = &cause.range {
        cause.evidence.push(Evidence {
            line: range.line,
            text: range.source.clone(),
            role: EvidenceRole::Size,
            place: None,
            value: None,
        });
    }
    // These checks guard PyTorch's own workings. That one failed is a fact; what broke it is not told by the check.
    if entry.cause == CauseId::FrameworkInternal && cause.certainty == Certainty::Certain {
        cause.certainty = Certainty::Likely;
        cause.because = Because::UsualReason;
    }
    // Other operations run the very same check: it alone does not tell which.
    if !catalogue().topic_of(entry).shared_with.is_empty() && cause.certainty == Certainty::Certain
    {
        cause.certainty = Certainty::Likely;
        cause.because = Because::UsualReason;
    }
    if backward_only(facts, group) {
        cause.certainty = Certainty::Likely;
        cause.because = Because::BackwardOnly;
    }

    let mut causes = vec![cause];
    behind::the_check(facts, entry, &mut causes);
    causes
}

/// Whether this check failed in the backward kernel alone: the forward kernel checks the same labels and let them pass.
fn backward_only(facts: &Facts, group: &AssertionGroup) -> bool {
    let backward = |g: &AssertionGroup| {
        g.function
            .as_deref()
            .is_some_and(|f| f.contains("backward"))
    };
    backward(group)
        && group.expression.contains("n_classes")
        && facts
            .assertions
            .iter()
            .filter(|g| g.expression == group.expression)
            .all(backward)
}

/// Causes behind an error where no failed check is printed.
fn of_error(facts: &Facts, index: usize, error: &ErrorEvent) -> Vec<Cause> {
    let family = consequences::judged_as(error);
    let entry = catalogue().error(family);
    let stated = entry.synchronous || consequences::depth(family) == Depth::Gpu;
    let (certainty, because) = match family {
        _ if matches!(entry.cause, CauseId::NcclSecondary) => {
            (Certainty::Likely, Because::ReportedForAnother)
        }
        _ if consequences::depth(family) == Depth::Reporter => {
            (Certainty::Likely, Because::ReportedForAnother)
        }
        ErrorFamily::DeviceAssert => (Certainty::Likely, Because::NotInLog),
        _ if stated => (Certainty::Certain, Because::LogStatesError),
        _ => (Certainty::Likely, Because::UsualReason),
    };
    let line_evidence = Evidence {
        line: error.line,
        text: error.text.clone(),
        role: EvidenceRole::Error,
        place: None,
        value: None,
    };
    let mut cause = Cause {
        id: entry.cause,
        certainty,
        because,
        entry: Entry::Error(family),
        operation: stated_distribution(error)
            .or_else(|| operation(facts, &entry.operations, signs_of_error(family), None)),
        library: None,
        value: None,
        range: None,
        evidence: vec![line_evidence.clone()],
    };
    range::from_numbers(error, &mut cause);
    let mut causes = vec![cause];
    behind::nan_behind_the_error(facts, error, &mut causes);

    // The traceback's last operation is a hint where the check itself is missing.
    let no_check = matches!(
        family,
        ErrorFamily::DeviceAssert
            | ErrorFamily::IllegalAddress
            | ErrorFamily::LaunchFailure
            | ErrorFamily::Cudnn
            | ErrorFamily::Cublas
    );
    if no_check && let Some((id, operation)) = behind::suggested(facts, index) {
        let blocking = facts.environment.launch_blocking == Some(true) || waits(error);
        let ctc = id == CauseId::CtcTarget;
        let certainty = if blocking || ctc {
            Certainty::Likely
        } else {
            Certainty::Possible
        };
        let suggestion = Cause {
            id,
            certainty,
            because: Because::OperationOnly,
            entry: Entry::Cause(id),
            operation: Some(operation),
            library: None,
            value: None,
            range: None,
            evidence: vec![line_evidence],
        };
        // CTC's kernels check nothing themselves: an error inside the loss is how bad targets show.
        let first = ctc || (blocking && family == ErrorFamily::DeviceAssert);
        causes.insert(usize::from(!first), suggestion);
    }
    if family == ErrorFamily::DeviceAssert
        && causes.iter().all(|c| c.id != CauseId::LabelOutOfRange)
    {
        causes.push(Cause {
            id: CauseId::LabelOutOfRange,
            certainty: Certainty::Possible,
            because: Because::UsualReason,
            entry: Entry::Cause(CauseId::LabelOutOfRange),
            operation: None,
            library: None,
            value: None,
            range: None,
            evidence: Vec::new(),
        });
    }
    causes
}

/// The distribution that an error about its parameters names: `… of distribution Normal(loc: …) to satisfy …`.
fn stated_distribution(error: &ErrorEvent) -> Option<Operation> {
    let (_, rest) = error.text.split_once("distribution ")?;
    let (name, _) = rest.split_once('(')?;
    let is_name = name.starts_with(char::is_uppercase) && name.chars().all(char::is_alphanumeric);
    (error.family == ErrorFamily::CpuProbability && is_name).then(|| Operation {
        name: format!("torch.distributions.{name}"),
        shown: true,
        pass: None,
    })
}

/// The operation to name: one that a frame shows, otherwise the first that the check belongs to.
fn operation(
    facts: &Facts,
    names: &[String],
    signs: Signs<'_>,
    function: Option<&str>,
) -> Option<Operation> {
    let pass = function.and_then(|f| {
        if f.contains("backward") {
            Some(Pass::Backward)
        } else if f.contains("forward") {
            Some(Pass::Forward)
        } else {
            None
        }
    });
    let frames = || facts.tracebacks.iter().flat_map(|t| t.frames.iter().rev());
    // `F.one_hot` is shown by `one_hot(`: the last part of the dotted name.
    let shown = names.iter().find(|name| {
        let last = name.rsplit('.').next().unwrap_or(name);
        let call = [format!("{last}(")];
        let signs = Signs {
            words: &call,
            indexing: false,
        };
        last.chars().all(|c| c.is_alphanumeric() || c == '_')
            && frames().any(|frame| signs.show_in(frame))
    });
    let by_word = || {
        let any = frames().any(|frame| signs.show_in(frame));
        names.first().map(|name| (name, any))
    };
    let (name, is_shown) = shown.map(|name| (name, true)).or_else(by_word)?;
    Some(Operation {
        name: name.clone(),
        shown: is_shown,
        pass,
    })
}

/// The cause of a log that shows a traceback but not the error that ends it: cut off, or not understood.
fn broken_off(facts: &Facts) -> Option<Cause> {
    // Frames below a header of their own: lists of frames alone are printed by healthy programs, too.
    let shown = facts.tracebacks.iter().find_map(|traceback| {
        let frame = traceback.frames.last()?;
        let first = traceback.frames.first()?;
        let has_header = traceback.first_line < first.log_line
            // All of it stands on one line, which lists of frames never do.
            || (traceback.frames.len() > 1 && first.log_line == frame.log_line);
        (traceback.error.is_none() && has_header).then(|| Evidence {
            line: frame.code_line.unwrap_or(frame.log_line),
            text: frame.code.clone().unwrap_or_else(|| frame.file.clone()),
            role: EvidenceRole::NoticedHere,
            place: None,
            value: None,
        })
    });
    let unread = || {
        let entry = facts
            .not_understood
            .iter()
            .find(|entry| entry.reason == NotUnderstoodReason::Traceback)?;
        Some(Evidence {
            line: entry.line,
            text: entry.text.clone(),
            role: EvidenceRole::NoticedHere,
            place: None,
            value: None,
        })
    };
    Some(Cause {
        id: CauseId::PythonError,
        certainty: Certainty::Possible,
        because: Because::NotInLog,
        entry: Entry::Cause(CauseId::PythonError),
        operation: None,
        library: None,
        value: None,
        range: None,
        evidence: vec![shown.or_else(unread)?],
    })
}

/// The cause of a log in which nothing failed.
fn nothing_found(facts: &Facts) -> Cause {
    let evidence = facts
        .harmless_asserts
        .iter()
        .map(|harmless| Evidence {
            line: harmless.line,
            text: harmless.text.clone(),
            role: EvidenceRole::Harmless,
            place: None,
            value: None,
        })
        .collect();
    Cause {
        id: CauseId::None,
        certainty: Certainty::Certain,
        because: Because::NothingFound,
        entry: Entry::Cause(CauseId::None),
        operation: None,
        library: None,
        value: None,
        range: None,
        evidence,
    }
}

/// Keeps the first cause of each id.
fn distinct(causes: &mut Vec<Cause>) {
    let mut seen = Vec::new();
    causes.retain(|cause| {
        let new = !seen.contains(&cause.id);
        seen.push(cause.id);
        new
    });
}

fn add_traceback_evidence(facts: &Facts, reading: &super::TracebackReading, cause: &mut Cause) {
    let frame = facts
        .tracebacks
        .get(reading.traceback)
        .and_then(|t| t.frames.get(reading.last_frame));
    let Some(frame) = frame else { return };
    cause.evidence.push(Evidence {
        line: frame.code_line.unwrap_or(frame.log_line),
        text: frame.code.clone().unwrap_or_else(|| frame.file.clone()),
        role: if reading.trust.is_trusted() {
            EvidenceRole::Operation
        } else {
            EvidenceRole::NoticedHere
        },
        place: None,
        value: None,
    });
}

fn device_assert(facts: &Facts, first: Option<Failure>) -> DeviceAssert {
    let by_check = match first {
        Some(Failure::Assertion(_)) => true,
        Some(Failure::Error(i)) => facts
            .errors
            .get(i)
            .is_some_and(|e| consequences::judged_as(e) == ErrorFamily::DeviceAssert),
        Some(Failure::Guard(_)) | None => false,
    };
    let mentioned = || {
        facts
            .hints
            .iter()
            .any(|hint| matches!(hint.kind, HintKind::DsaCompile | HintKind::DsaOther))
            || !facts.harmless_asserts.is_empty()
    };
    if by_check {
        DeviceAssert::Yes
    } else if mentioned() {
        DeviceAssert::OnlyMentioned
    } else {
        DeviceAssert::No
    }
}
