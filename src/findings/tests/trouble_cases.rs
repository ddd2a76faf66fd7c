//! What readers tell besides values, each kind alone, and what it is told as.

use std::path::Path;
use std::sync::Arc;

use super::made::Made;
use crate::bounds::ScriptRemark;
use crate::labels::{LabelError, Limit, Place, TroubleKind};

/// Name, material, and the findings that are expected.
pub(super) fn cases() -> Vec<(&'static str, Made, Vec<&'static str>)> {
    let nothing = || Made::classes(3, &[0.0, 1.0, 2.0]);
    let mut out = Vec::new();
    let before = || Some(Box::new(Place::file(Path::new("b.json").into())));
    let troubles = [
        (
            TroubleKind::BadLine("4 fields".to_owned()),
            "bad-line warning",
        ),
        (TroubleKind::CutShort { read: 3, of: 9 }, "cut-short"),
        (
            TroubleKind::CutShort { read: 3, of: 0 },
            "cut-short/unknown-size",
        ),
        (
            TroubleKind::BrokeOff {
                read: 3,
                why: LabelError::TooDeep,
            },
            "cut-short/broke-off",
        ),
        (
            TroubleKind::Limit(Limit::Files(9)),
            "cut-short/files warning",
        ),
        (TroubleKind::Limit(Limit::List), "cut-short/list warning"),
        (
            TroubleKind::Limit(Limit::Values),
            "cut-short/values warning",
        ),
        (
            TroubleKind::Limit(Limit::NotAllTold),
            "remark/not-all-told note",
        ),
        (
            TroubleKind::Limit(Limit::Unlisted {
                folder: "cat".to_owned(),
                said: "denied".to_owned(),
            }),
            "cut-short/unlisted warning",
        ),
        (TroubleKind::OwnTable, "remark/own-table note"),
        (TroubleKind::Changed, "cut-short/changed warning"),
        (
            TroubleKind::CodeNotRun("posix.system".to_owned()),
            "code-not-run warning",
        ),
        (TroubleKind::BadBox("width 0".to_owned()), "bad-box warning"),
        (TroubleKind::Empty { class: None }, "empty warning"),
        (
            TroubleKind::Empty {
                class: Some("b".to_owned()),
            },
            "empty/class",
        ),
        (
            TroubleKind::NoPictures {
                class: "b".to_owned(),
                files: 3,
            },
            "empty/no-pictures",
        ),
        (
            TroubleKind::Contradiction {
                name: "a.jpg".to_owned(),
                labels: ["1".to_owned(), "2".to_owned()],
                before: before().unwrap(),
            },
            "duplicates/contradiction warning",
        ),
        (
            TroubleKind::UnknownImage("7".to_owned()),
            "unknown-image warning",
        ),
        (
            TroubleKind::UnknownColour {
                colour: "0,128,1".to_owned(),
                pixels: 1,
            },
            "unknown-class/colour",
        ),
        (
            TroubleKind::HiddenFolder(".git".to_owned()),
            "hidden-folder",
        ),
        (
            TroubleKind::CaseClash("Cat".to_owned(), "cat".to_owned()),
            "case-clash/folders warning",
        ),
        (
            TroubleKind::SplitAsClass("train".to_owned()),
            "split-as-class",
        ),
        (TroubleKind::RootFiles(2), "remark/root-files note"),
        (TroubleKind::StaleCache, "stale-cache warning"),
        (
            TroubleKind::YamlWords(vec!["no".to_owned()]),
            "remark/yaml-words note",
        ),
        (
            TroubleKind::OutsidePath("../x".to_owned()),
            "path-not-followed note",
        ),
        (
            TroubleKind::MissingPath("x".to_owned()),
            "path-not-followed/missing note",
        ),
        (
            TroubleKind::OtherEncoding("Windows-1252"),
            "remark/encoding note",
        ),
        (
            TroubleKind::LostDigits("9007199254740993".to_owned()),
            "remark/lost-digits note",
        ),
        (
            TroubleKind::PaletteOpened {
                luminance: vec![0, 38, 75],
            },
            "remark/palette note",
        ),
        (TroubleKind::NotInt64("int32"), "remark/int32 note"),
        (TroubleKind::ResultsFile, "remark/results note"),
        (
            TroubleKind::LeftOut(vec!["x".to_owned()]),
            "remark/left-out note",
        ),
    ];
    for (kind, expected) in troubles {
        out.push(("trouble", nothing().trouble(kind), vec![expected]));
    }
    for (what, expected) in [
        ("annotation-id", "duplicates/annotation-id warning"),
        ("category-id", "duplicates/category-id warning"),
        ("class-name", "duplicates/class-name warning"),
        ("image", "duplicates/image warning"),
    ] {
        let kind = TroubleKind::Duplicate {
            what,
            value: "7".to_owned(),
            before: before(),
        };
        out.push(("duplicate", nothing().trouble(kind), vec![expected]));
    }
    let mut script = nothing();
    let path: Arc<Path> = Path::new("train.py").into();
    script.0.script = vec![
        (
            Arc::clone(&path),
            ScriptRemark::Workers { count: 4, line: 3 },
        ),
        (path, ScriptRemark::NoMainGuard { line: 3 }),
    ];
    out.push(("script", script, vec!["remark/no-main-guard note"]));
    out
}
