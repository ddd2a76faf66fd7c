use std::path::Path;
use std::sync::Arc;

use super::*;
use crate::bounds::{Bound, BoundSource};
use crate::crash_log::Scanner;
use crate::diagnosis::{Evidence, EvidenceRole, diagnose};
use crate::findings::{FileRead, FoundValue, RuleUsed, ValueCount};
use crate::labels::{LabelError, LabelFormat, Place, Stream};
use crate::range_check::Rule;
use Certainty::{Certain, Likely, Possible};

macro_rules! log {
    ($name:literal) => {
        include_bytes!(concat!("../../../tests/fixtures/logs/", $name)).as_slice()
    };
}

/// The nll check of a segmentation run on Windows.
const NLL: &[u8] = log!("001-windows-seg-nllloss2d.log");
/// `index_select`'s check, of added tokens.
const EMBEDDING: &[u8] = log!("006-llm-added-tokens.log");
const INDUCTOR: &[u8] = log!("018-inductor-unknown-0.log");
/// An index check of validation, whose size the log does not tell.
const UNSIZED: &[u8] = log!("012-yolo-val-carriage-returns.log");
const BCE: &[u8] = log!("016-bce-nan-after-divergence.log");
const HEALTHY: &[u8] = log!("036-healthy-log-with-word-assert.log");
const CTC: &[u8] = log!("022-ctc-cudnn-execution-failed.log");
const UNPRINTED: &[u8] = b"Traceback (most recent call last):\n  File \"train.py\", line 9, in <module>\n    loss.backward()\nRuntimeError: CUDA error: device-side assert triggered\n";
const CPU_TARGET: &[u8] = b"Traceback (most recent call last):\n  File \"train.py\", line 9, in <module>\n    loss = F.cross_entropy(y, t)\nIndexError: Target 10 is out of bounds.\n";

/// What was found in one kind of values.
struct Found {
    role: Role,
    id: Option<FindingId>,
    value: i64,
    size: i64,
    bound: Certainty,
    error: bool,
}

impl Found {
    fn too_big(role: Role, value: i64, size: i64) -> Self {
        Self {
            role,
            id: Some(FindingId::TooBig),
            value,
            size,
            bound: Certain,
            error: false,
        }
    }

    fn in_range(role: Role, size: i64) -> Self {
        Self {
            id: None,
            ..Self::too_big(role, 0, size)
        }
    }

    fn with_bound(self, bound: Certainty) -> Self {
        Self { bound, ..self }
    }

    fn with_id(self, id: FindingId) -> Self {
        Self {
            id: Some(id),
            ..self
        }
    }

    fn with_unread_file(self) -> Self {
        Self {
            error: true,
            ..self
        }
    }
}

fn data(found: &[Found]) -> (Material, Vec<Finding>) {
    let mut material = Material::default();
    let mut findings = Vec::new();
    for (index, one) in found.iter().enumerate() {
        let path: Arc<Path> = Arc::from(Path::new("labels/train.csv"));
        let rule = Rule {
            lo: Some(0.into()),
            hi: Some((one.size - 1).into()),
            ..Rule::default()
        };
        material.bounds.push(Bound {
            role: one.role,
            lo: 0.into(),
            hi: (one.size - 1).into(),
            source: BoundSource::DataFile,
            path: Some(Arc::from(Path::new("data/data.yaml"))),
            line: Some(4),
            what: format!("nc = {}", one.size),
            certainty: one.bound,
            names: None,
        });
        material.rules.push(RuleUsed {
            role: one.role,
            rule,
            names: None,
            bound: Some(index),
            name: "label".to_owned(),
        });
        material.files.push(FileRead {
            path: Arc::clone(&path),
            source: 0,
            format: Some(LabelFormat::Table),
            split: None,
            values: 60,
            min: None,
            max: None,
            distinct: 3,
            offenders: 0,
            named: true,
            error: one.error.then_some(LabelError::Unknown),
            partial: None,
        });
        material.groups.push(Group {
            source: 0,
            split: None,
            format: LabelFormat::Table,
            stream: Stream::default(),
            rule: index,
            files: 1,
            count: 60,
            ignored: 0,
            min: Some(0.into()),
            max: Some((one.size - 1).into()),
            seen: std::collections::BTreeMap::new(),
            more_seen: false,
            breaches: std::collections::BTreeMap::new(),
            names: std::collections::BTreeMap::new(),
            more_names: false,
            missing: None,
            floats: 0,
        });
        if let Some(id) = one.id {
            let value = match id {
                FindingId::Nan => Number::from(f64::NAN),
                _ => one.value.into(),
            };
            findings.push(Finding {
                id,
                rule: Some(index),
                severity: Severity::Error,
                certainty: Certain,
                explains: None,
                count: 3,
                files: 1,
                values: vec![ValueCount {
                    value: value.into(),
                    count: 3,
                }],
                first: Some(FoundValue {
                    place: Place {
                        line: Some(11),
                        ..Place::file(path)
                    },
                    value: Some(value.into()),
                    row_text: Some(format!("img.jpg,{value}")),
                }),
                variant: "",
                args: Vec::new(),
                snippet: None,
                ignore: None,
            });
        }
    }
    (material, findings)
}

fn both(log: &[u8], found: &[Found]) -> (Diagnosis, Diagnosis) {
    let mut scanner = Scanner::new();
    scanner.push(log);
    let (facts, _) = scanner.finish();
    let before = diagnose(&facts);
    let (material, findings) = data(found);
    let after = with_findings(&before, &facts, &material, &findings);
    (before, after)
}

#[track_caller]
fn check(log: &[u8], found: &[Found], expected: &[(CauseId, Certainty, Because)]) -> Diagnosis {
    let (_, after) = both(log, found);
    let got: Vec<_> = after
        .causes
        .iter()
        .map(|cause| (cause.id, cause.certainty, cause.because))
        .take(expected.len())
        .collect();
    assert_eq!(got, expected, "{after:#?}");
    let mut ids: Vec<_> = after.causes.iter().map(|cause| cause.id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), after.causes.len(), "an id occurs twice");
    after
}

fn offender(cause: &Cause) -> Option<&Evidence> {
    cause
        .evidence
        .iter()
        .find(|e| e.role == EvidenceRole::Offender)
}

#[track_caller]
fn unchanged(log: &[u8], found: &[Found]) {
    let (before, mut after) = both(log, found);
    forget_range(&before, &mut after);
    assert_eq!(before, after);
}

/// A range that the data's own files state is no word for or against a cause.
fn forget_range(before: &Diagnosis, after: &mut Diagnosis) {
    let stated = before.causes.first().and_then(|cause| cause.range.clone());
    if let Some(cause) = after.causes.first_mut() {
        cause.range = stated;
    }
}

#[test]
fn a_size_that_a_script_states_is_told_as_likely() {
    let (_, after) = both(NLL, &[Found::in_range(Role::Class, 12)]);
    let range = after.causes[0].range.as_ref().unwrap();
    assert_eq!((range.lo, range.hi, range.certainty), (0, 11, Likely));
    // A range that holds the very value that failed is not the one of the check.
    let (_, after) = both(CPU_TARGET, &[Found::in_range(Role::Class, 12)]);
    assert_eq!(after.causes[0].range, None);
}

#[test]
fn a_value_beyond_its_range_speaks_for_the_check() {
    let after = check(
        NLL,
        &[Found::too_big(Role::Class, 12, 12)],
        &[(CauseId::LabelOutOfRange, Certain, Because::LogStatesCheck)],
    );
    let cause = &after.causes[0];
    assert_eq!(cause.value, Some(12));
    let place = offender(cause).and_then(|e| e.place.as_ref()).unwrap();
    assert_eq!(place.line, Some(11));
    assert_eq!(offender(cause).unwrap().text, "img.jpg,12");

    let after = check(EMBEDDING, &[Found::too_big(Role::Token, 32000, 32000)], &[]);
    let cause = &after.causes[0];
    assert_eq!(cause.id, CauseId::EmbeddingIndex);
    assert!(offender(cause).is_some());
    assert_eq!(cause.certainty, Certain);
}

#[test]
fn the_range_comes_from_the_data_where_the_log_has_none() {
    let (before, after) = both(CPU_TARGET, &[Found::too_big(Role::Class, 10, 10)]);
    assert_eq!(before.causes[0].range, None);
    let range = after.causes[0].range.as_ref().unwrap();
    assert_eq!((range.lo, range.hi), (0, 9));
    assert_eq!(range.source, "data.yaml nc = 10");
    assert!(range.path.is_some());
    assert_eq!(range.certainty, Certain);
}

#[test]
fn another_value_or_another_size_does_not_speak() {
    // The log names 10; the data's fault is another value.
    unchanged(CPU_TARGET, &[Found::too_big(Role::Class, 255, 10)]);
    // An embedding's check, and only labels are wrong.
    unchanged(EMBEDDING, &[Found::too_big(Role::Class, 12, 12)]);
    unchanged(NLL, &[Found::too_big(Role::Token, 32000, 32000)]);
    unchanged(BCE, &[Found::too_big(Role::Class, 12, 12)]);
}

#[test]
fn compiled_checks_are_told_apart_by_their_size() {
    let size = {
        let (before, _) = both(INDUCTOR, &[]);
        before.causes[0].range.as_ref().map(|range| range.hi + 1)
    };
    let Some(size) = size else {
        panic!("the log states a size");
    };
    let (_, after) = both(INDUCTOR, &[Found::too_big(Role::Token, size, size)]);
    assert_eq!(after.causes[0].id, CauseId::InductorIndex);
    let behind = after
        .causes
        .iter()
        .find(|cause| cause.id == CauseId::EmbeddingIndex)
        .unwrap();
    assert_eq!(
        (behind.certainty, behind.because),
        (Certain, Because::DataShows)
    );
    let (_, after) = both(INDUCTOR, &[Found::too_big(Role::Class, size, size)]);
    assert!(
        after
            .causes
            .iter()
            .any(|cause| cause.id == CauseId::LabelOutOfRange && cause.certainty == Certain)
    );
    let (_, after) = both(
        INDUCTOR,
        &[Found::too_big(Role::Class, size, size).with_bound(Likely)],
    );
    assert!(
        after
            .causes
            .iter()
            .any(|cause| cause.id == CauseId::LabelOutOfRange && cause.certainty == Likely)
    );
    unchanged(INDUCTOR, &[Found::too_big(Role::Class, size + 7, size + 7)]);
}

#[test]
fn behind_a_check_without_a_size_data_is_possible_at_best() {
    let first = (CauseId::AdvancedIndex, Certain, Because::LogStatesCheck);
    let after = check(
        UNSIZED,
        &[Found::too_big(Role::Class, 3, 3)],
        &[
            first,
            (CauseId::LabelOutOfRange, Possible, Because::DataShows),
        ],
    );
    assert_eq!(after.causes[1].value, Some(3));
    assert_eq!(after.causes[0].value, None);
    for found in [
        Found::too_big(Role::Class, 3, 3).with_bound(Likely),
        Found::too_big(Role::CategoryId, 3, 3),
        Found::in_range(Role::Class, 3),
    ] {
        let (before, after) = both(UNSIZED, &[found]);
        assert_eq!(after.causes, before.causes);
    }
}

#[test]
fn a_check_that_was_not_printed_is_likely_at_best() {
    let after = check(
        UNPRINTED,
        &[Found::too_big(Role::Class, 10, 10)],
        &[
            (CauseId::LabelOutOfRange, Likely, Because::DataShows),
            (CauseId::UnknownAssert, Likely, Because::NotInLog),
        ],
    );
    assert!(offender(&after.causes[0]).is_some());
    check(
        UNPRINTED,
        &[Found::too_big(Role::Token, 10, 10)],
        &[
            (CauseId::EmbeddingIndex, Likely, Because::DataShows),
            (CauseId::UnknownAssert, Likely, Because::NotInLog),
            (CauseId::LabelOutOfRange, Possible, Because::UsualReason),
        ],
    );
    check(
        UNPRINTED,
        &[
            Found::too_big(Role::Token, 10, 10),
            Found::too_big(Role::Class, 5, 5),
        ],
        &[
            (CauseId::LabelOutOfRange, Likely, Because::DataShows),
            (CauseId::EmbeddingIndex, Likely, Because::DataShows),
            (CauseId::UnknownAssert, Likely, Because::NotInLog),
        ],
    );
}

#[test]
fn values_that_a_loss_may_skip_prove_nothing() {
    let (_, after) = both(UNPRINTED, &[Found::too_big(Role::Class, 255, 21)]);
    assert_eq!(after.causes[0].certainty, Likely);
    let mut scanner = Scanner::new();
    scanner.push(UNPRINTED);
    let (facts, _) = scanner.finish();
    let before = diagnose(&facts);
    let (mut material, findings) = data(&[Found::too_big(Role::Class, 255, 21)]);
    material
        .ignore_elsewhere
        .push((255, "ignore_index=255".to_owned()));
    assert_eq!(with_findings(&before, &facts, &material, &findings), before);
}

#[test]
fn what_was_only_likely_becomes_certain() {
    // Only the expression is known: the check is likely, until the data proves it.
    let log = b"/w/pytorch/aten/src/ATen/native/cuda/NewLoss.cu:9: new_forward: block: [0,0,0], thread: [1,0,0] Assertion `t >= 0 && t < n_classes` failed.\n";
    let (before, _) = both(log, &[]);
    assert_eq!(before.causes[0].certainty, Likely, "{before:#?}");
    let (_, after) = both(log, &[Found::too_big(Role::Class, 7, 7)]);
    assert_eq!(after.causes[0].certainty, Certain);
    assert_eq!(after.causes[0].because, Because::DataShows);
    let (_, after) = both(log, &[Found::too_big(Role::Class, 7, 7).with_bound(Likely)]);
    assert_eq!(after.causes[0].certainty, Likely);
}

#[test]
fn data_in_range_is_told() {
    let (before, mut after) = both(NLL, &[Found::in_range(Role::Class, 12)]);
    forget_range(&before, &mut after);
    assert_eq!(after.causes, before.causes);
    assert!(after.remarks.contains(&Remark::DataInRange { values: 60 }));
    // Not where a file was not read, the size is a guess, or the data is of another kind.
    unchanged(NLL, &[Found::in_range(Role::Class, 12).with_unread_file()]);
    unchanged(NLL, &[Found::in_range(Role::Class, 12).with_bound(Likely)]);
    unchanged(NLL, &[Found::in_range(Role::Token, 12)]);
    unchanged(NLL, &[]);
}

#[test]
fn numbers_between_0_and_1() {
    let (_, after) = both(
        BCE,
        &[Found::too_big(Role::Probability, 0, 2).with_id(FindingId::Nan)],
    );
    assert!(after.causes.iter().any(|cause| offender(cause).is_some()));
    let (_, after) = both(CTC, &[Found::too_big(Role::Class, 40, 30)]);
    let ctc = after
        .causes
        .iter()
        .find(|cause| cause.id == CauseId::CtcTarget)
        .unwrap();
    assert_eq!(ctc.certainty, Likely);
    assert!(offender(ctc).is_some());
}

#[test]
fn faults_of_the_data_make_no_crash() {
    let (before, after) = both(HEALTHY, &[Found::too_big(Role::Class, 12, 12)]);
    assert_eq!(after.causes, before.causes);
    assert_eq!(after.remarks, [Remark::DataFaults { errors: 1 }]);
    unchanged(HEALTHY, &[Found::in_range(Role::Class, 12)]);
    let oom: &[u8] = log!("028-windows-oom-old-wording.log");
    let (before, after) = both(oom, &[Found::too_big(Role::Class, 12, 12)]);
    assert_eq!(after.causes, before.causes);
    assert!(after.remarks.contains(&Remark::DataFaults { errors: 1 }));
}
