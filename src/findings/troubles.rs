//! What readers found besides values: each kind becomes one finding over all files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::view::{View, sort_values};
use super::{Finding, FindingId, FoundValue, Severity, Text, ValueCount};
use crate::bounds::ScriptRemark;
use crate::knowledge::Certainty;
use crate::labels::{LabelError, LabelFormat, Limit, Place, Trouble, TroubleKind};
use crate::range_check::Number;

/// What is said of one trouble.
struct Said {
    id: FindingId,
    variant: &'static str,
    severity: Severity,
    /// The value that it is told with.
    value: Option<Text>,
    /// How many of it this one is.
    count: u64,
    /// Arguments of the texts, if it is the first of its kind.
    args: Vec<(&'static str, Text)>,
}

/// Id and variant: what makes troubles one finding.
type Kind = (FindingId, &'static str);

/// A finding, its files, and how often each value occurs.
type Gathered<'a> = (Finding, BTreeSet<&'a Path>, BTreeMap<Text, u64>);

/// All troubles, those of one kind together, and files without a value.
pub(super) fn find(view: &View<'_>, out: &mut Vec<Finding>) {
    let mut kinds: Vec<Kind> = Vec::new();
    let mut findings: BTreeMap<Kind, Gathered<'_>> = BTreeMap::new();
    for trouble in &view.material.troubles {
        let said = broken(trouble).unwrap_or_else(|| said(&trouble.kind));
        let key = (said.id, said.variant);
        let (finding, files, values) = findings.entry(key).or_insert_with(|| {
            kinds.push(key);
            let mut finding = Finding::new(said.id, said.severity, Certainty::Certain);
            finding.variant = said.variant;
            finding.args.clone_from(&said.args);
            finding.first = Some(first(trouble, said.value.clone()));
            (finding, BTreeSet::new(), BTreeMap::new())
        });
        finding.count = finding.count.saturating_add(said.count);
        files.extend(trouble.place.path.as_deref());
        if let Some(value) = said.value
            && (values.len() < 10_000 || values.contains_key(&value))
        {
            *values.entry(value).or_default() += said.count;
        }
    }
    for key in kinds {
        if let Some((mut finding, files, values)) = findings.remove(&key) {
            finding.files = files.len().max(1) as u64;
            finding.values = values
                .into_iter()
                .map(|(value, count)| ValueCount { value, count })
                .collect();
            sort_values(&mut finding.values);
            out.push(finding);
        }
    }
    empty_files(view, out);
    scripts(view, out);
}

fn first(trouble: &Trouble, value: Option<Text>) -> FoundValue {
    FoundValue {
        place: trouble.place.clone(),
        value,
        row_text: trouble.text.clone(),
    }
}

/// What a kind of trouble means.
fn said(kind: &TroubleKind) -> Said {
    use FindingId as Id;
    use Severity::{Error, Note, Warning};

    let plain = |id, variant, severity| Said {
        id,
        variant,
        severity,
        value: None,
        count: 1,
        args: Vec::new(),
    };
    let named = |id, variant, severity, name: &str| Said {
        value: Some(name.into()),
        ..plain(id, variant, severity)
    };
    match kind {
        TroubleKind::BadLine(why) => Said {
            args: vec![("why", why.clone().into())],
            ..plain(Id::BadLine, "", Warning)
        },
        TroubleKind::CutShort { read, of } => Said {
            args: vec![("read", Text::Count(*read)), ("of", Text::Count(*of))],
            ..plain(
                Id::CutShort,
                if *of > 0 { "" } else { "unknown-size" },
                Error,
            )
        },
        TroubleKind::BrokeOff { read, why } => Said {
            args: vec![
                ("why", why.to_string().into()),
                ("read", Text::Count(*read)),
            ],
            ..plain(Id::CutShort, "broke-off", Error)
        },
        TroubleKind::Limit(limit) => match limit {
            Limit::Files(most) => Said {
                args: vec![("most", Text::Count(*most))],
                ..plain(Id::CutShort, "files", Warning)
            },
            Limit::List => plain(Id::CutShort, "list", Warning),
            Limit::Values => plain(Id::CutShort, "values", Warning),
            Limit::Troubles => plain(Id::CutShort, "troubles", Warning),
            Limit::NotAllTold => plain(Id::Remark, "not-all-told", Note),
            Limit::Unlisted { folder, said } => Said {
                args: vec![("said", said.clone().into())],
                ..named(Id::CutShort, "unlisted", Warning, folder)
            },
        },
        TroubleKind::Changed => plain(Id::CutShort, "changed", Warning),
        TroubleKind::CodeNotRun(function) => named(Id::CodeNotRun, "", Warning, function),
        TroubleKind::BadBox(why) => Said {
            args: vec![("why", why.clone().into())],
            ..plain(Id::BadBox, "", Warning)
        },
        TroubleKind::Empty { class: None } => plain(Id::Empty, "", Warning),
        TroubleKind::Empty { class: Some(class) } => named(Id::Empty, "class", Error, class),
        TroubleKind::NoPictures { class, files } => Said {
            args: vec![("others", Text::Count(*files))],
            ..named(Id::Empty, "no-pictures", Error, class)
        },
        TroubleKind::Duplicate {
            what,
            value,
            before,
        } => Said {
            args: before_args(before.as_deref()),
            ..named(Id::Duplicates, what, Warning, value)
        },
        TroubleKind::Contradiction {
            name,
            labels: [one, other],
            before,
        } => {
            let mut args = before_args(Some(before));
            args.extend([("one", one.clone().into()), ("other", other.clone().into())]);
            Said {
                args,
                ..named(Id::Duplicates, "contradiction", Warning, name)
            }
        }
        TroubleKind::UnknownImage(image) => named(Id::UnknownImage, "", Warning, image),
        TroubleKind::UnknownColour { colour, pixels } => Said {
            count: *pixels,
            ..named(Id::UnknownClass, "colour", Error, colour)
        },
        TroubleKind::HiddenFolder(name) => named(Id::HiddenFolder, "", Error, name),
        TroubleKind::CaseClash(one, other) => Said {
            args: vec![("one", one.clone().into()), ("other", other.clone().into())],
            ..named(Id::CaseClash, "folders", Warning, one)
        },
        TroubleKind::SplitAsClass(name) => named(Id::SplitAsClass, "", Error, name),
        TroubleKind::RootFiles(count) => Said {
            count: *count,
            ..plain(Id::Remark, "root-files", Note)
        },
        TroubleKind::StaleCache => plain(Id::StaleCache, "", Warning),
        TroubleKind::YamlWords(words) => Said {
            count: words.len() as u64,
            args: vec![("words", listed(words))],
            ..plain(Id::Remark, "yaml-words", Note)
        },
        TroubleKind::OutsidePath(path) => named(Id::PathNotFollowed, "", Note, path),
        TroubleKind::MissingPath(path) => named(Id::PathNotFollowed, "missing", Note, path),
        TroubleKind::OtherEncoding(name) => Said {
            args: vec![("encoding", (*name).into())],
            ..plain(Id::Remark, "encoding", Note)
        },
        TroubleKind::LostDigits(number) => named(Id::Remark, "lost-digits", Note, number),
        TroubleKind::PaletteOpened { luminance } => {
            let shown: Vec<String> = luminance.iter().take(6).map(u8::to_string).collect();
            Said {
                args: vec![("luminance", shown.join(", ").into())],
                ..plain(Id::Remark, "palette", Note)
            }
        }
        TroubleKind::NotInt64(element) => Said {
            args: vec![("element", (*element).into())],
            ..plain(Id::Remark, "int32", Note)
        },
        TroubleKind::OwnTable => plain(Id::Remark, "own-table", Note),
        TroubleKind::ResultsFile => plain(Id::Remark, "results", Note),
        TroubleKind::LeftOut(parts) => Said {
            count: parts.len() as u64,
            args: vec![("names", listed(parts))],
            ..plain(Id::Remark, "left-out", Note)
        },
    }
}

/// JSON that was read up to an error in it: Python's reader takes none of it.
fn broken(trouble: &Trouble) -> Option<Said> {
    let json = trouble.place.path.as_deref().is_some_and(|path| {
        path.extension()
            .is_some_and(|end| end.eq_ignore_ascii_case("json"))
    });
    let TroubleKind::BrokeOff {
        read,
        why: LabelError::Malformed { said, .. },
    } = &trouble.kind
    else {
        return None;
    };
    json.then(|| Said {
        id: FindingId::CutShort,
        variant: "broken",
        severity: Severity::Error,
        value: None,
        count: 1,
        args: vec![("why", said.clone().into()), ("read", Text::Count(*read))],
    })
}

/// A few names in a row.
fn listed(names: &[String]) -> Text {
    let mut text = names.iter().take(6).cloned().collect::<Vec<_>>().join(", ");
    if names.len() > 6 {
        text.push_str(", …");
    }
    text.into()
}

/// The line where it stood before, as an argument.
fn before_args(before: Option<&Place>) -> Vec<(&'static str, Text)> {
    let Some(place) = before else {
        return Vec::new();
    };
    let mut args = Vec::new();
    if let Some(path) = &place.path {
        args.push(("before-path", path.to_string_lossy().into_owned().into()));
    }
    if let Some(line) = place.line {
        args.push(("before-line", Text::Count(line)));
    }
    if let Some(row) = place.row {
        args.push(("before-row", Text::Count(row)));
    }
    if let Some(key) = &place.key {
        args.push(("before-key", (&**key).into()));
    }
    args
}

/// Files in which nothing stands, and of which no reader said so.
fn empty_files(view: &View<'_>, out: &mut Vec<Finding>) {
    let told: BTreeSet<&Path> = view
        .material
        .troubles
        .iter()
        .filter(|trouble| !matches!(trouble.kind, TroubleKind::OtherEncoding(_)))
        .filter_map(|trouble| trouble.place.path.as_deref())
        .collect();
    let empty: Vec<_> = view
        .material
        .files
        .iter()
        .filter(|file| file.values == 0 && file.error.is_none() && file.partial.is_none())
        // A picture without objects has an empty label file, and a folder tells of itself.
        .filter(|file| {
            !matches!(
                file.format,
                None | Some(
                    LabelFormat::Yolo
                        | LabelFormat::Voc
                        | LabelFormat::ImageFolder
                        | LabelFormat::Mask
                )
            )
        })
        .filter(|file| !told.contains(&*file.path))
        .collect();
    let Some(first) = empty.first() else {
        return;
    };
    let count = empty.len() as u64;
    let known = out
        .iter_mut()
        .find(|finding| finding.id == FindingId::Empty && finding.variant.is_empty());
    if let Some(finding) = known {
        finding.count += count;
        finding.files += count;
        return;
    }
    let mut finding = Finding::new(FindingId::Empty, Severity::Warning, Certainty::Certain);
    finding.count = count;
    finding.files = count;
    finding.first = Some(FoundValue {
        place: Place::file(std::sync::Arc::clone(&first.path)),
        value: None,
        row_text: None,
    });
    out.push(finding);
}

/// What a training script does that matters for these crashes.
fn scripts(view: &View<'_>, out: &mut Vec<Finding>) {
    let unguarded = view
        .material
        .script
        .iter()
        .find_map(|(path, remark)| match remark {
            ScriptRemark::NoMainGuard { line } => Some((path, *line)),
            ScriptRemark::Workers { .. } => None,
        });
    let Some((path, line)) = unguarded else {
        return;
    };
    let workers = view
        .material
        .script
        .iter()
        .find_map(|(of, remark)| match remark {
            ScriptRemark::Workers { count, .. } if of == path => Some(*count),
            _ => None,
        });
    // Without worker processes nothing is started, and nothing fails.
    if workers == Some(0) {
        return;
    }
    let mut finding = Finding::new(FindingId::Remark, Severity::Note, Certainty::Likely);
    finding.variant = "no-main-guard";
    finding.count = 1;
    finding.files = 1;
    finding.first = Some(FoundValue {
        place: Place {
            path: Some(std::sync::Arc::clone(path)),
            line: Some(line),
            ..Place::default()
        },
        value: workers.map(|count| Number::from(count).into()),
        row_text: None,
    });
    out.push(finding);
}
