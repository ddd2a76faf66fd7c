//! A data set and what its check found, made by hand: a folder of YOLO labels that count from 1 in 17 files, a table with 255 in it,
//! data.yaml and a checkpoint.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use assert_doctor::app::{AppState, Command, Event, Job, RequestId};
use assert_doctor::bounds::{Bound, BoundSource};
use assert_doctor::case::Case;
use assert_doctor::check::{Checked, Given, Offender, Source, SourceKind};
use assert_doctor::findings::{
    BreachAt, FileRead, Finding, FindingId, FoundValue, Group, Material, RuleUsed, SeenAt,
    Severity, Text, ValueCount,
};
use assert_doctor::knowledge::Certainty;
use assert_doctor::labels::{ClassList, LabelFormat, Place, Role, Stream};
use assert_doctor::range_check::{
    Breach, Difference, ElementType, GpuBackend, GpuInfo, GpuKind, Health, Number, Rule, TypeHealth,
};
use assert_doctor::settings::Settings;

pub const CLASSES: u64 = 80;
const TRAIN: usize = 0;
const VAL: usize = 1;
const CROPS: usize = 2;

fn path(text: &str) -> Arc<Path> {
    Arc::from(Path::new(text))
}

pub fn given() -> Vec<Given> {
    vec![
        Given::path("retail-80"),
        Given::path("crops.csv"),
        Given::path("best.pt"),
    ]
}

fn source(at: &str, root: &str, given: usize, kind: SourceKind) -> Source {
    Source {
        path: path(at),
        root: path(root),
        given,
        kind,
        split: None,
        troubles: Vec::new(),
    }
}

fn yolo(folder: &str, count: u64, split: &str) -> Source {
    let files = (1..=count)
        .map(|n| path(&format!("retail-80/labels/{folder}/{n:06}.txt")))
        .collect();
    Source {
        split: Some(split.into()),
        ..source(
            &format!("retail-80/labels/{folder}"),
            "retail-80",
            0,
            SourceKind::Labels {
                format: LabelFormat::Yolo,
                files,
            },
        )
    }
}

fn sources() -> Vec<Source> {
    vec![
        yolo("train", 4_952, "train"),
        yolo("val", 1_238, "val"),
        source(
            "crops.csv",
            "crops.csv",
            1,
            SourceKind::Labels {
                format: LabelFormat::Table,
                files: vec![path("crops.csv")],
            },
        ),
        source("retail-80/data.yaml", "retail-80", 0, SourceKind::DataYaml),
        source("best.pt", "best.pt", 2, SourceKind::Weights),
    ]
}

fn file(at: &Arc<Path>, source: usize, values: u64, offenders: u64) -> FileRead {
    FileRead {
        path: Arc::clone(at),
        source,
        format: Some(LabelFormat::Yolo),
        split: None,
        values,
        min: Some(Number::from(0)),
        max: Some(Number::from(79)),
        distinct: 5,
        offenders,
        named: true,
        error: None,
        partial: None,
    }
}

fn seen(count: u64, first: Place) -> SeenAt {
    SeenAt {
        count,
        files: 1,
        first,
        row_text: None,
    }
}

/// A count that falls from class to class, with bumps, the same on every machine.
fn count_of(class: u64, most: u64) -> u64 {
    let bump = 40 + class * 7_919 % 61;
    most * bump / (100 + class * class / 2)
}

fn group(source: usize, split: &str, format: LabelFormat, most: u64) -> Group {
    let seen = (0..CLASSES)
        .map(|class| {
            let count = count_of(class, most).max(3);
            (Number::from(class), seen(count, Place::default()))
        })
        .collect();
    Group {
        source,
        split: Some(split.into()),
        format,
        stream: Stream::default(),
        rule: 0,
        files: 1,
        count: 1,
        ignored: 0,
        min: Some(Number::from(0)),
        max: Some(Number::from(79)),
        seen,
        more_seen: false,
        breaches: BTreeMap::new(),
        names: BTreeMap::new(),
        more_names: false,
        missing: None,
        floats: 0,
    }
}

fn break_rule(group: &mut Group, value: u64, count: u64, files: u64, first: Place) {
    let number = Number::from(value);
    group.seen.insert(number, seen(count, first.clone()));
    group.breaches.insert(
        Breach::Above,
        BreachAt {
            count,
            files,
            first: (number, first),
            row_text: None,
        },
    );
}

fn names() -> Arc<ClassList> {
    Arc::new(ClassList {
        names: (0..CLASSES)
            .map(|class| match class {
                0 => "person".to_owned(),
                78 => "hair drier".to_owned(),
                _ => format!("class {class}"),
            })
            .collect(),
        ..ClassList::default()
    })
}

fn bound(at: &str, what: &str, source: BoundSource, names: Option<Arc<ClassList>>) -> Bound {
    Bound {
        role: Role::Class,
        lo: Number::from(0),
        hi: Number::from(79),
        source,
        path: Some(path(at)),
        line: Some(2),
        what: what.to_owned(),
        certainty: Certainty::Certain,
        names,
    }
}

fn rule(bound: Option<usize>, hi: Option<u64>) -> RuleUsed {
    RuleUsed {
        role: Role::Class,
        rule: Rule {
            lo: Some(Number::from(0)),
            hi: hi.map(Number::from),
            ignore: Vec::new(),
            fractions: false,
        },
        bound,
        names: None,
        name: "label".to_owned(),
    }
}

/// The files and rows that hold 80.
fn eighties() -> Vec<Place> {
    let files = [
        106, 113, 127, 131, 140, 152, 158, 161, 177, 180, 204, 219, 233, 240, 266, 281, 300,
    ];
    let mut places = Vec::new();
    for n in 0..48_u64 {
        let file = files[(n * 17 / 48) as usize];
        places.push((file, 1 + n * 5 % 11));
    }
    places.sort_unstable();
    places
        .into_iter()
        .map(|(file, row)| Place {
            line: Some(row + 1),
            row: Some(row),
            ..Place::file(path(&format!("retail-80/labels/train/{file:06}.txt")))
        })
        .collect()
}

fn crops_place(row: u64) -> Place {
    Place {
        line: Some(row + 2),
        row: Some(row),
        column: Some("label".into()),
        ..Place::file(path("crops.csv"))
    }
}

fn offenders() -> Vec<Offender> {
    let offender = |group: usize, value: u64, place: Place, text: String| Offender {
        group,
        breach: Some(Breach::Above),
        value: Number::from(value).into(),
        place,
        row_text: Some(text),
    };
    let mut all: Vec<_> = (0_u64..)
        .zip(eighties())
        .map(|(n, place)| {
            let part = |step: u64| format!("0.{:04}", (n * step + 1_234) % 9_000);
            let text = format!("80 {} {} {} {}", part(797), part(431), part(211), part(97));
            offender(TRAIN, 80, place, text)
        })
        .collect();
    all.extend((0..1_246).map(|n| {
        let row = 310 + n * 19;
        offender(
            CROPS,
            255,
            crops_place(row),
            format!("crops/{row:05}.png,255"),
        )
    }));
    all
}

fn finding(id: FindingId, severity: Severity, count: u64, files: u64, value: u64) -> Finding {
    Finding {
        id,
        rule: Some(0),
        severity,
        certainty: Certainty::Likely,
        explains: Some(FindingId::TooBig),
        count,
        files,
        values: vec![ValueCount {
            value: Number::from(value).into(),
            count,
        }],
        first: None,
        variant: "",
        args: Vec::new(),
        snippet: None,
        ignore: None,
    }
}

fn first(place: Place, value: u64, text: &str) -> FoundValue {
    FoundValue {
        place,
        value: Some(Text::from(Number::from(value))),
        row_text: Some(text.to_owned()),
    }
}

pub const SCRIPT: &str = "from pathlib import Path\n\nfor path in Path(\"retail-80/labels/train\").glob(\"*.txt\"):\n    ...\n";

fn findings() -> Vec<Finding> {
    let one_based = Finding {
        first: eighties()
            .into_iter()
            .next()
            .map(|place| first(place, 80, "80 0.5121 0.4337 0.1204 0.0871")),
        variant: "files",
        args: vec![
            ("least", Number::from(1).into()),
            ("most", Number::from(80).into()),
            ("size", Text::Count(CLASSES)),
            ("others", Text::Count(4_935)),
        ],
        snippet: Some(SCRIPT.to_owned()),
        ..finding(FindingId::OneBased, Severity::Error, 48, 17, 80)
    };
    let ignore = Finding {
        first: Some(first(crops_place(310), 255, "crops/00310.png,255")),
        ignore: Some(Number::from(255)),
        ..finding(FindingId::IgnoreNotSet, Severity::Error, 1_246, 1, 255)
    };
    let val_only = Finding {
        certainty: Certainty::Certain,
        explains: None,
        variant: "fixed",
        args: vec![
            ("class", "78 (hair drier)".into()),
            ("classes", Text::Count(1)),
            ("split", "val".into()),
        ],
        first: Some(first(
            Place {
                line: Some(3),
                row: Some(2),
                ..Place::file(path("retail-80/labels/val/000017.txt"))
            },
            78,
            "78 0.2210 0.6125 0.0902 0.1440",
        )),
        ..finding(FindingId::ValOnly, Severity::Warning, 12, 9, 78)
    };
    vec![one_based, ignore, val_only]
}

/// The whole check.
pub fn checked() -> Checked {
    let sources = sources();
    let mut files = Vec::new();
    let mut broken: BTreeMap<Arc<Path>, u64> = BTreeMap::new();
    for place in eighties() {
        *broken.entry(place.path.unwrap()).or_default() += 1;
    }
    for (index, source) in sources.iter().enumerate().take(2) {
        if let SourceKind::Labels { files: all, .. } = &source.kind {
            for at in all {
                let offenders = broken.get(at).copied().unwrap_or(0);
                files.push(file(at, index, 5, offenders));
            }
        }
    }
    files[0].values += 61_208 - 24_810 - 6_190 * 5;
    files.push(file(&path("crops.csv"), CROPS, 24_810, 1_246));

    let mut train = group(TRAIN, "train", LabelFormat::Yolo, 9_000);
    train.seen.remove(&Number::from(78));
    let place = eighties().remove(0);
    break_rule(&mut train, 80, 48, 17, place);
    let mut val = group(VAL, "val", LabelFormat::Yolo, 1_800);
    val.seen
        .insert(Number::from(78), seen(12, Place::default()));
    let mut crops = group(CROPS, "train", LabelFormat::Table, 3_000);
    crops.seen.remove(&Number::from(78));
    crops.stream.column = Some("label".into());
    break_rule(&mut crops, 255, 1_246, 1, crops_place(310));
    let list = names();
    Checked {
        sources,
        material: Material {
            files,
            groups: vec![train, val, crops],
            rules: vec![rule(Some(0), Some(79))],
            bounds: vec![
                bound(
                    "retail-80/data.yaml",
                    "nc = 80",
                    BoundSource::DataFile,
                    Some(list),
                ),
                bound("best.pt", "head [80]", BoundSource::Weights, None),
            ],
            ..Material::default()
        },
        findings: findings(),
        offenders: offenders(),
        offenders_total: 1_294,
        elapsed: Duration::from_millis(312),
        ..Checked::default()
    }
}

/// The same data with nothing wrong in it.
pub fn good() -> Checked {
    let mut checked = checked();
    checked.findings.clear();
    checked.offenders.clear();
    checked.offenders_total = 0;
    for file in &mut checked.material.files {
        file.offenders = 0;
    }
    for group in &mut checked.material.groups {
        group.breaches.clear();
        group.seen.retain(|value, _| *value < Number::from(CLASSES));
        group
            .seen
            .entry(Number::from(78))
            .or_insert_with(|| seen(9, Place::default()));
    }
    checked
}

/// The same with no range known.
pub fn unbounded() -> Checked {
    let mut checked = good();
    checked.sources.truncate(3);
    checked.material.bounds.clear();
    checked.material.rules = vec![rule(None, None)];
    checked
}

/// A state that shows a check.
pub fn state(settings: Settings, checked: Checked) -> AppState {
    state_and_jobs(settings, checked).0
}

/// The same, with what it wants to be done.
pub fn state_and_jobs(settings: Settings, checked: Checked) -> (AppState, Vec<Job>) {
    let mut state = AppState::new(settings);
    state.cores = 2;
    let jobs = state.handle(Command::Open(vec!["retail-80".into()]));
    let case = Case {
        given: given(),
        data: Some(checked),
        ..Case::default()
    };
    let jobs = state.apply(Event::Opened(request_of(&jobs), Box::new(case)));
    (state, jobs)
}

/// The request of the first job that has one.
pub fn request_of(jobs: &[Job]) -> RequestId {
    jobs.iter()
        .find_map(|job| match job {
            Job::Open { request, .. }
            | Job::LoadRows { request, .. }
            | Job::Search { request, .. }
            | Job::Check { request, .. }
            | Job::Watch { request, .. }
            | Job::ExportOffenders { request, .. }
            | Job::ListGpus { request }
            | Job::CheckGpu { request, .. } => Some(*request),
            _ => None,
        })
        .unwrap_or_else(|| panic!("no request in {jobs:?}"))
}

/// An adapter of this machine.
pub fn gpu(number: usize, name: &str, kind: GpuKind, backend: GpuBackend) -> GpuInfo {
    GpuInfo {
        number,
        name: name.to_owned(),
        kind,
        backend,
        driver: "560.35".to_owned(),
    }
}

/// One card, listed once for each interface, and software that plays one.
pub fn gpus() -> Vec<GpuInfo> {
    let card = "NVIDIA GeForce RTX 4070";
    vec![
        gpu(1, card, GpuKind::Discrete, GpuBackend::Vulkan),
        gpu(2, card, GpuKind::Discrete, GpuBackend::Dx12),
        gpu(3, "llvmpipe", GpuKind::Software, GpuBackend::Vulkan),
    ]
}

/// A check of that card that found nothing wrong.
pub fn health() -> Health {
    let kind = |element| TypeHealth {
        element,
        values: 16_150_000,
        differs: None,
    };
    Health {
        gpu: gpus().remove(0),
        skipped: Vec::new(),
        types: [
            ElementType::U8,
            ElementType::I32,
            ElementType::I64,
            ElementType::F16,
            ElementType::F32,
        ]
        .map(kind)
        .to_vec(),
        copied: 1 << 30,
        changed: 0,
        elapsed: Duration::from_millis(2_340),
        failed: None,
        cancelled: false,
    }
}

/// The same with a wrong answer.
pub fn wrong_health() -> Health {
    let mut health = health();
    health.types[2].differs = Some(Difference {
        field: "above",
        cpu: "12".to_owned(),
        gpu: "13".to_owned(),
    });
    health
}
