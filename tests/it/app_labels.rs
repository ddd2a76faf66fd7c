//! What the Labels tab does when data comes, is looked at, changed and checked again, with no window.

use std::path::PathBuf;

use assert_doctor::app::labels_view::{Mark, SourceIcon};
use assert_doctor::app::{
    AppState, Command, Event, ExportError, GivenChange, Job, LogStatus, OffenderColumn, Tab,
    ToExport,
};
use assert_doctor::case::{Case, Input, Origin};
use assert_doctor::check::{CheckOptions, CheckProgress, Checked, Given};
use assert_doctor::inputs::{Format, InputError, InputKind};
use assert_doctor::labels::{LabelError, LabelFormat, Role};
use assert_doctor::range_check::Number;
use assert_doctor::words::Language;

use crate::app_state::{LOG, open, settled};
use crate::made::{self, request_of};
use crate::program::{Folder, Program, english};

fn shown() -> AppState {
    made::state(english(), made::checked())
}

/// What the check that these jobs start is told.
#[track_caller]
fn options_of(jobs: &[Job]) -> CheckOptions {
    match jobs {
        [Job::Check { data, .. }] => data.options.clone(),
        _ => panic!("no check in {jobs:?}"),
    }
}

fn number(n: i64) -> Number {
    Number::from(n)
}

#[test]
fn the_view_says_what_was_found() {
    let state = shown();
    assert_eq!(state.tab, Tab::Labels);
    let view = &state.labels.view;
    assert_eq!(
        view.headline.text,
        "1,294 of 61,208 values are outside 0–79"
    );
    assert_eq!(view.headline.mark, Mark::Error);
    assert_eq!(
        view.rule_bar.timing,
        "checked in 0.3 s on 2 CPU cores: no array for a GPU"
    );
    assert_eq!((view.problems, view.has_error), (3, true));
    assert_eq!(view.title, "retail-80 · crops.csv …");

    let rows: Vec<_> = view
        .sources
        .iter()
        .map(|row| (row.name.as_str(), row.what.as_str(), row.state.as_str()))
        .collect();
    assert_eq!(
        rows,
        [
            ("labels/train", "4,952 YOLO files", "48 out of range"),
            ("labels/val", "1,238 YOLO files", "1 warning"),
            ("crops.csv", "label: 24,810 values", "1,246 out of range"),
            (
                "data.yaml",
                "gives nc = 80 and 80 names",
                "Used as the rule"
            ),
            ("best.pt", "gives head [80]", "Agrees with data.yaml"),
        ]
    );
    assert_eq!(view.all_sources.state, "1,294 out of range");
    assert_eq!(view.all_sources.what, "6,191 files");
    assert_eq!(view.sources[2].icon, SourceIcon::Table);

    let bar = &view.rule_bar;
    assert_eq!((bar.lo.as_str(), bar.hi.as_str()), ("0", "79"));
    assert_eq!(bar.role, "class ids");
    assert_eq!(bar.stated.as_ref().unwrap().text, "data.yaml: nc = 80");
    assert!(bar.ignored.is_empty() && bar.rules.is_empty() && !bar.typed);

    let counts: Vec<_> = view.findings.iter().map(|row| row.count.as_str()).collect();
    assert_eq!(counts, ["48", "1,246", "12"]);
    assert!(view.findings[0].selected, "the worst is chosen");
}

#[test]
fn offenders_are_those_of_the_chosen_finding() {
    let mut state = shown();
    let row = |state: &AppState, row: usize| {
        let checked = state.checked().unwrap();
        let row = state.labels.view.offender(row, checked).unwrap();
        (row.file, row.row, row.value)
    };
    let said =
        |file: &str, row: &str, value: &str| (file.to_owned(), row.to_owned(), value.to_owned());
    assert_eq!(state.labels.view.offenders.len(), 48);
    assert_eq!(state.labels.view.offenders.caption, "48 of this finding");
    assert_eq!(row(&state, 0), said("labels/train/000106.txt", "2", "80"));

    state.handle(Command::SelectFinding(1));
    assert_eq!(state.labels.view.offenders.len(), 1_246);
    assert_eq!(row(&state, 0), said("crops.csv", "311", "255"));
    state.handle(Command::SortOffenders(OffenderColumn::Row));
    assert_eq!(row(&state, 0).1, "311");
    state.handle(Command::SortOffenders(OffenderColumn::Row));
    assert_eq!(row(&state, 1_245).1, "311");
    state.handle(Command::SortOffenders(OffenderColumn::File));
    assert_eq!(row(&state, 0).1, "311");

    // No value breaks a rule: the first place stands for it.
    state.handle(Command::SelectFinding(2));
    assert_eq!(state.labels.view.offenders.len(), 1);
    assert_eq!(row(&state, 0), said("labels/val/000017.txt", "3", "78"));
}

#[test]
fn a_source_narrows_findings_and_offenders() {
    let mut state = shown();
    state.handle(Command::SelectSource(Some(2)));
    let view = &state.labels.view;
    assert_eq!(view.findings.len(), 1);
    assert_eq!(view.findings[0].count, "1,246");
    assert!(view.findings[0].selected, "the first of what is left");
    assert_eq!(view.offenders.len(), 1_246);
    let controls = view.sources[2].controls.as_ref().unwrap();
    assert_eq!(controls.column_hint, "label");
    assert_eq!(controls.given, 1);
    assert!(view.sources[0].controls.is_none());
    state.handle(Command::SelectSource(Some(3)));
    assert!(state.labels.view.findings.is_empty());
    assert!(state.labels.view.sources[3].controls.is_none());
    state.handle(Command::SelectSource(None));
    assert_eq!(state.labels.view.findings.len(), 3);
}

#[test]
fn the_chart_has_splits_and_what_is_not_allowed() {
    let state = shown();
    let chart = state.labels.view.histogram.as_ref().unwrap();
    assert_eq!(chart.range, (0, 79));
    assert_eq!(chart.series, ("train".to_owned(), Some("val".to_owned())));
    assert_eq!(chart.bars.len(), 80);
    let not_allowed: Vec<_> = chart
        .not_allowed
        .iter()
        .map(|value| (value.value.as_str(), value.count))
        .collect();
    assert_eq!(not_allowed, [("255", 1_246), ("80", 48)]);
    let in_order = |most| -> Vec<_> {
        let values = chart.most_frequent(most).into_iter();
        values.map(|value| value.value.as_str()).collect()
    };
    assert_eq!(in_order(8), ["80", "255"]);
    assert_eq!((in_order(1), chart.more(2)), (vec!["255"], None));
    assert_eq!(chart.more(1).as_deref(), Some("and 1 more value"));
    let (text, bar) = chart.only.as_ref().unwrap();
    assert_eq!((text.as_str(), *bar), ("78: val only", 78));
    let about = chart.about(&chart.bars[78]);
    assert_eq!(about, "78 · hair drier\ntrain: 0\nval: 12");
}

#[test]
fn many_classes_share_bars() {
    let mut checked = made::good();
    checked.material.rules[0].rule.hi = Some(number(50_256));
    let seen = checked.material.groups[0]
        .seen
        .values()
        .next()
        .unwrap()
        .clone();
    checked.material.groups[0].seen = (0..50_257_i64).map(|n| (number(n), seen.clone())).collect();
    let state = made::state(english(), checked);
    let chart = state.labels.view.histogram.as_ref().unwrap();
    assert!(chart.bars.len() <= 160, "{}", chart.bars.len());
    assert_eq!(chart.bars.first().unwrap().first, 0);
    assert_eq!(chart.bars.last().unwrap().last, 50_256);
    let gaps = chart
        .bars
        .windows(2)
        .filter(|pair| pair[0].last + 1 != pair[1].first);
    assert_eq!(gaps.count(), 0);
}

#[test]
fn the_other_news_have_sentences_of_their_own() {
    let check = |checked: Checked, mark: Mark, text: &str| {
        let state = made::state(english(), checked);
        let headline = &state.labels.view.headline;
        assert_eq!((headline.mark, headline.text.as_str()), (mark, text));
        headline.detail.clone()
    };
    let detail = check(made::good(), Mark::Good, "No value is outside 0–79");
    assert_eq!(
        detail,
        "61,208 values in 6,191 files were compared with 0–79."
    );
    check(
        made::unbounded(),
        Mark::Warning,
        "No fault is visible, but the allowed range is not known",
    );
    check(Checked::default(), Mark::Error, "No labels could be read");
    let stopped = Checked {
        cancelled: true,
        ..made::good()
    };
    check(stopped, Mark::Warning, "The check was stopped");
    check(
        made::checked(),
        Mark::Error,
        "1,294 of 61,208 values are outside 0–79",
    );
}

#[test]
fn what_was_left_out_is_told() {
    let mut checked = made::good();
    checked.material.files[3].error = Some(LabelError::Input(InputError::AccessDenied));
    let state = made::state(english(), checked);
    let left_out = state.labels.view.left_out.as_ref().unwrap();
    assert_eq!(left_out.title, "1 file was not read");
    assert_eq!(
        left_out.detail,
        "labels/train/000004.txt: There is no permission to read it"
    );
    let row = &state.labels.view.sources[0];
    assert_eq!(row.state, "1 file not read");
    assert!(row.tooltip.contains("000004.txt"), "{}", row.tooltip);
}

#[test]
fn every_change_of_the_rule_checks_again() {
    let mut state = shown();
    let jobs = state.handle(Command::Ignore(number(255)));
    assert_eq!(options_of(&jobs).ignore, Some(vec![number(255)]));
    assert!(state.labels.checking.is_some());
    let again = state.handle(Command::Ignore(number(255)));
    assert!(again.is_empty(), "it is ignored already");

    let jobs = state.handle(Command::IgnoreTyped(" -100 ".to_owned()));
    assert_eq!(
        options_of(&jobs).ignore,
        Some(vec![number(255), number(-100)])
    );
    assert!(
        state
            .handle(Command::IgnoreTyped("x".to_owned()))
            .is_empty()
    );
    assert_eq!(
        state.labels.problem.as_deref(),
        Some("This is not a number")
    );
    let jobs = state.handle(Command::StopIgnoring(number(255)));
    assert_eq!(options_of(&jobs).ignore, Some(vec![number(-100)]));
    assert!(state.labels.problem.is_none());

    let allowed = |lo: &str, hi: &str| Command::SetAllowed {
        lo: lo.to_owned(),
        hi: hi.to_owned(),
    };
    let jobs = state.handle(allowed("0", "90"));
    assert_eq!(options_of(&jobs).range, Some((number(0), number(90))));
    assert!(state.labels.view.rule_bar.typed);
    assert_eq!(
        state.labels.view.rule_bar.stated.as_ref().unwrap().text,
        "typed"
    );
    assert!(state.handle(allowed("9", "1")).is_empty());
    assert!(state.labels.problem.is_some());
    assert!(state.handle(allowed("0", "many")).is_empty());
    assert_eq!(options_of(&state.handle(allowed("", ""))).range, None);

    let jobs = state.handle(Command::SetRole(Some(Role::Token)));
    assert_eq!(options_of(&jobs).role, Some(Role::Token));
    let jobs = state.handle(Command::SetGiven(
        1,
        GivenChange::Format(Some(LabelFormat::PathList)),
    ));
    match jobs.as_slice() {
        [Job::Check { data, .. }] => {
            assert_eq!(data.given[1].format, Some(LabelFormat::PathList));
        }
        _ => panic!("{jobs:?}"),
    }
    assert_eq!(state.handle(Command::Recheck).len(), 1);
    assert_eq!(state.handle(Command::Reload).len(), 1, "F5 on this tab");
}

#[test]
fn answers_to_older_questions_are_dropped() {
    let mut state = shown();
    let old = request_of(&state.handle(Command::Recheck));
    let new = request_of(&state.handle(Command::Ignore(number(255))));
    state.apply(Event::Checked(old, Box::new(made::good())));
    assert_eq!(state.labels.view.headline.mark, Mark::Error);
    let progress = CheckProgress {
        files: 12,
        of_files: Some(6_191),
        bytes: 0,
    };
    state.apply(Event::CheckProgress(old, progress));
    assert_eq!(
        state.labels.checking.as_ref().unwrap().text,
        "Checking the labels"
    );
    state.apply(Event::CheckProgress(new, progress));
    assert_eq!(
        state.labels.checking.as_ref().unwrap().text,
        "Checking the labels: 12 of 6,191 files"
    );
    let jobs = state.apply(Event::Checked(new, Box::new(made::good())));
    assert_eq!(state.labels.view.headline.mark, Mark::Good);
    assert!(state.labels.checking.is_none());
    assert_eq!(state.message.text, "Nothing found in 6,191 files");
    assert!(matches!(jobs.as_slice(), [Job::Watch { .. }]), "{jobs:?}");
}

#[test]
fn the_choice_is_kept_from_check_to_check() {
    let mut state = shown();
    state.handle(Command::SelectFinding(1));
    state.handle(Command::SelectSource(Some(2)));
    let request = request_of(&state.handle(Command::Recheck));
    let mut next = made::checked();
    next.findings.swap(0, 1);
    next.sources.swap(0, 2);
    state.apply(Event::Checked(request, Box::new(next)));
    assert_eq!(state.labels.looking().finding, Some(0));
    assert_eq!(state.labels.looking().source, Some(0));
}

#[test]
fn files_are_watched_only_while_somebody_looks() {
    let mut state = shown();
    let request = request_of(&state.handle(Command::Recheck));
    let jobs = state.apply(Event::Checked(request, Box::new(made::checked())));
    let [
        Job::Watch {
            request,
            paths,
            switch,
            since: Some(_),
        },
    ] = jobs.as_slice()
    else {
        panic!("{jobs:?}");
    };
    assert_eq!(paths.len(), 6_191 + 5);
    assert!(switch.is_on());
    state.handle(Command::ShowTab(Tab::Log));
    assert!(!switch.is_on());
    state.handle(Command::ShowTab(Tab::Labels));
    state.handle(Command::WindowInFront(false));
    assert!(!switch.is_on());
    state.handle(Command::WindowInFront(true));
    assert!(switch.is_on());

    let jobs = state.apply(Event::FilesChanged(*request));
    assert!(matches!(jobs.as_slice(), [Job::Check { .. }]), "{jobs:?}");
    assert!(!switch.is_on(), "the watch is over");
    assert!(
        state.apply(Event::FilesChanged(*request)).is_empty(),
        "once"
    );
    let check = request_of(&jobs);
    state.apply(Event::Checked(check, Box::new(made::checked())));
    assert_eq!(
        state.message.text,
        "Files have changed, checked again: 3 findings in 6,191 files"
    );
}

#[test]
fn a_stopped_check_keeps_what_was_read() {
    let mut state = shown();
    let jobs = state.handle(Command::Recheck);
    let [
        Job::Check {
            request, cancel, ..
        },
    ] = jobs.as_slice()
    else {
        panic!("{jobs:?}");
    };
    state.handle(Command::CancelJob);
    assert!(cancel.load(std::sync::atomic::Ordering::Relaxed));
    assert_eq!(state.labels.checking.as_ref().unwrap().text, "Stopping…");
    let part = Checked {
        cancelled: true,
        ..made::good()
    };
    let jobs = state.apply(Event::Checked(*request, Box::new(part)));
    assert!(jobs.is_empty(), "half a check is not watched");
    assert_eq!(state.labels.view.headline.text, "The check was stopped");
    assert_eq!(state.message.text, "The check was stopped");
}

#[test]
fn a_fault_of_the_check_is_told_and_costs_nothing() {
    let mut state = shown();
    let request = request_of(&state.handle(Command::Recheck));
    state.apply(Event::JobFailed(request, "index".to_owned()));
    assert_eq!(
        state.notice.as_ref().unwrap().heading,
        "The check broke off"
    );
    assert!(state.labels.checking.is_none() && !state.labels.broke);
    assert_eq!(state.labels.view.findings.len(), 3);
}

#[test]
fn the_language_changes_every_word() {
    let mut state = shown();
    state.handle(Command::SetLanguage(Language::ZhCn));
    let view = &state.labels.view;
    assert_eq!(view.headline.text, "61,208 个值中有 1,294 个超出 0–79");
    assert_eq!(view.sources[0].state, "48 个越界");
    assert_eq!(view.offenders.caption, "本项共 48 条");
    assert_eq!(view.rule_bar.role, "类别编号");
}

#[test]
fn a_source_is_taken_out() {
    let mut state = shown();
    let jobs = state.handle(Command::RemoveSource(2));
    match jobs.as_slice() {
        [Job::Check { data, .. }] => {
            let left: Vec<_> = data.given.iter().map(|given| &given.path).collect();
            assert_eq!(
                left,
                [&PathBuf::from("retail-80"), &PathBuf::from("best.pt")]
            );
        }
        _ => panic!("{jobs:?}"),
    }
    let mut alone = made::state(english(), made::checked());
    alone.handle(Command::RemoveSource(4));
    let request = alone.labels.checking.as_ref().unwrap().request;
    let mut rest = made::checked();
    rest.sources.truncate(1);
    alone.apply(Event::Checked(request, Box::new(rest)));
    alone.handle(Command::RemoveSource(0));
    let request = alone.labels.checking.as_ref().unwrap().request;
    let mut rest = made::checked();
    rest.sources[0].given = 0;
    rest.sources.truncate(1);
    alone.apply(Event::Checked(request, Box::new(rest)));
    assert!(alone.handle(Command::RemoveSource(0)).is_empty());
    assert!(!alone.has_data());
    assert!(alone.labels.view.sources.is_empty());
}

#[test]
fn the_result_of_before_is_acted_on_by_what_it_says_now() {
    let mut state = shown();
    state.handle(Command::RemoveSource(2));
    // The check runs still: the list on screen has all its rows, and the checkpoint is now the second of what was given.
    assert!(state.handle(Command::RemoveSource(2)).is_empty());
    let jobs = state.handle(Command::RemoveSource(4));
    match jobs.as_slice() {
        [Job::Check { data, .. }] => {
            assert_eq!(data.given.len(), 1);
            assert_eq!(data.given[0].path, PathBuf::from("retail-80"));
        }
        _ => panic!("{jobs:?}"),
    }
}

#[test]
fn the_last_thing_taken_out_leaves_an_empty_window() {
    let mut state = made::state(english(), made::checked());
    state.handle(Command::SetAllowed {
        lo: "0".to_owned(),
        hi: "9".to_owned(),
    });
    state.handle(Command::RemoveSource(2));
    state.handle(Command::RemoveSource(4));
    let request = state.labels.checking.as_ref().unwrap().request;
    let mut rest = made::checked();
    rest.sources.truncate(1);
    state.apply(Event::Checked(request, Box::new(rest)));
    assert!(state.handle(Command::RemoveSource(0)).is_empty());
    assert!(state.case.is_none() && !state.has_content());
}

#[test]
fn what_was_taken_out_comes_back_when_it_is_given_again() {
    let mut state = shown();
    let jobs = state.handle(Command::RemoveSource(0));
    match jobs.as_slice() {
        [Job::Check { data, .. }] => assert_eq!(data.given[0].left_out.len(), 1),
        _ => panic!("{jobs:?}"),
    }
    let jobs = state.handle(Command::Open(vec!["retail-80".into()]));
    let again = Case {
        given: made::given().into_iter().take(1).collect(),
        ..Case::default()
    };
    let jobs = state.apply(Event::Opened(request_of(&jobs), Box::new(again)));
    match jobs.as_slice() {
        [.., Job::Check { data, .. }] => {
            assert_eq!(data.given.len(), 3);
            assert!(data.given[0].left_out.is_empty());
        }
        _ => panic!("{jobs:?}"),
    }
}

#[test]
fn all_offenders_are_exported() {
    let mut state = shown();
    let jobs = state.handle(Command::ExportOffenders("out.csv".into()));
    match jobs.as_slice() {
        [
            Job::ExportOffenders {
                offenders: ToExport::All(all),
                sources,
                ..
            },
        ] => {
            assert_eq!(all.len(), 1_294);
            assert!(sources.iter().any(|path| path.ends_with("crops.csv")));
        }
        _ => panic!("{jobs:?}"),
    }
    let request = request_of(&jobs);
    state.apply(Event::ExportFailed(request, ExportError::IsASource));
    assert_eq!(
        state.notice.as_ref().unwrap().heading,
        "Nothing was written"
    );
    assert!(!state.labels.is_exporting());

    let mut many = made::checked();
    many.offenders_total = 5_000_000;
    let mut state = made::state(english(), many);
    assert_eq!(
        state.labels.view.offenders.more.as_deref(),
        Some("The first 1,294 of 5,000,000 are listed. The export has all.")
    );
    let jobs = state.handle(Command::ExportOffenders("out.csv".into()));
    assert!(
        matches!(
            jobs.as_slice(),
            [Job::ExportOffenders {
                offenders: ToExport::FindAgain(_),
                ..
            }]
        ),
        "{jobs:?}"
    );
    let exported = Event::Exported {
        request: request_of(&jobs),
        path: "out.csv".into(),
        rows: 5_000_000,
    };
    state.apply(exported);
    assert_eq!(state.message.text, "5,000,000 offenders written to out.csv");
}

#[test]
fn labels_and_a_log_make_one_case_in_any_order() {
    let folder = Folder::new();
    let log = folder.file("train.log", LOG);
    let table = folder.file("train.csv", "file,label\na.png,1\nb.png,2\n");
    let more = folder.file("val.csv", "file,label\na.png,1\nb.png,2\n");
    let given = |program: &Program| -> Vec<PathBuf> {
        let case = program.state.case.as_ref().unwrap();
        case.given.iter().map(|given| given.path.clone()).collect()
    };

    let mut program = Program::new();
    open(&mut program, std::slice::from_ref(&table));
    assert_eq!(program.state.tab, Tab::Labels);
    assert!(matches!(program.state.log, LogStatus::Empty));
    assert_eq!(given(&program), std::slice::from_ref(&table));
    assert!(program.state.notice.is_none());

    open(&mut program, std::slice::from_ref(&log));
    assert_eq!(program.state.tab, Tab::Log);
    assert!(program.state.shown_log().is_some());
    assert_eq!(
        given(&program),
        std::slice::from_ref(&table),
        "the labels stay"
    );

    open(&mut program, &[more.clone(), table.clone()]);
    assert_eq!(program.state.tab, Tab::Labels);
    assert!(program.state.shown_log().is_some(), "the log stays");
    assert_eq!(given(&program), [table.clone(), more.clone()]);
    program.until("the check", |state| state.labels.checking.is_none());

    program.handle(Command::CloseCase);
    assert!(!program.state.has_content());
    open(&mut program, &[log, more.clone()]);
    assert_eq!(program.state.tab, Tab::Log);
    assert_eq!(given(&program), [more]);
    program.until("the check", |state| {
        settled(state) && state.labels.checking.is_none()
    });
}

#[test]
fn what_is_neither_log_nor_data_is_told_as_before() {
    let mut state = AppState::new(english());
    let jobs = state.handle(Command::Open(vec!["gone".into(), "labels.csv".into()]));
    let input = |path: &str, kind, error| Input {
        origin: Origin::Path(path.into()),
        kind,
        format: Format::Plain,
        error: Some(error),
    };
    let case = Case {
        inputs: vec![input("gone", InputKind::Unknown, InputError::NotFound)],
        given: vec![Given::path("labels.csv")],
        ..Case::default()
    };
    let jobs = state.apply(Event::Opened(request_of(&jobs), Box::new(case)));
    assert!(
        matches!(jobs.as_slice(), [Job::Check { data, .. }, Job::ListGpus { .. }]
        if data.given == [Given::path("labels.csv")])
    );
    assert!(state.notice.is_some(), "the missing one is told");
}
