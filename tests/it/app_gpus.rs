//! Who checks, and the check of a GPU: what the program does with no window.

use std::sync::atomic::{AtomicBool, Ordering};

use assert_doctor::app::labels_view::Mark;
use assert_doctor::app::{AppState, Command, Event, Job, RequestId, Tab};
use assert_doctor::case::{self, Origin};
use assert_doctor::range_check::{
    DeviceChoice, DeviceUse, DeviceWhy, GpuError, GpuKind, Health, Rates,
};
use assert_doctor::words::Language;

use crate::app_state::LOG;
use crate::made::{self, request_of};
use crate::program::english;

fn shown() -> AppState {
    made::state(english(), made::checked())
}

/// A state that knows its GPUs.
fn listed() -> AppState {
    let (mut state, mut jobs) = made::state_and_jobs(english(), made::checked());
    jobs.retain(|job| matches!(job, Job::ListGpus { .. }));
    assert_eq!(jobs.len(), 1);
    state.apply(Event::GpusListed(request_of(&jobs), made::gpus()));
    state
}

fn names(state: &AppState) -> Vec<&str> {
    let devices = &state.labels.view.rule_bar.devices;
    devices.iter().map(|choice| choice.name.as_str()).collect()
}

#[track_caller]
fn check_of(jobs: &[Job]) -> (RequestId, Option<usize>) {
    match jobs {
        [
            Job::CheckGpu {
                request, number, ..
            },
        ] => (*request, *number),
        _ => panic!("no check of a GPU in {jobs:?}"),
    }
}

/// A state after a check of its GPU.
fn checked(result: Result<Health, GpuError>) -> AppState {
    let mut state = shown();
    let (request, _) = check_of(&state.handle(Command::CheckGpu));
    state.apply(Event::GpuChecked(request, result.map(Box::new)));
    state
}

#[test]
fn gpus_are_listed_once_and_only_where_there_is_something_to_check() {
    let mut state = AppState::new(english());
    assert!(state.handle(Command::ShowTab(Tab::Labels)).is_empty());
    let mut state = listed();
    assert!(state.handle(Command::ShowTab(Tab::Log)).is_empty());
    assert!(state.handle(Command::ShowTab(Tab::Labels)).is_empty());
    state.handle(Command::CloseCase);
    assert_eq!(state.gpus.list().len(), 3, "it is of the machine");
}

#[test]
fn gpus_are_chosen_by_name() {
    assert_eq!(names(&shown()), ["Automatic", "CPU"]);
    let mut state = listed();
    let card = |interface: &str| format!("NVIDIA GeForce RTX 4070 ({interface})");
    let expected = ["Automatic", "CPU", &card("Vulkan"), &card("DirectX 12")];
    assert_eq!(names(&state), expected);
    state.handle(Command::SetLanguage(Language::ZhCn));
    assert_eq!(names(&state)[0], "自动");
}

#[test]
fn another_device_checks_again() {
    let mut state = listed();
    let second = DeviceChoice::Gpu(Some(2));
    let jobs = state.handle(Command::SetDevice(second));
    match jobs.as_slice() {
        [Job::Check { data, .. }] => assert_eq!(data.options.device, second),
        _ => panic!("no check in {jobs:?}"),
    }
    assert_eq!(state.labels.view.rule_bar.chosen_device, second);
    assert!(state.handle(Command::SetDevice(second)).is_empty());
}

#[test]
fn the_last_check_says_where_it_ran_and_why() {
    let mut checked = made::checked();
    checked.device = DeviceUse {
        gpu: Some(made::gpus().remove(0)),
        gpu_bytes: 4 << 30,
        why: DeviceWhy::Measured,
        rates: Some(Rates {
            gpu: 6.2e9,
            cpu: 2e9,
        }),
        ..DeviceUse::default()
    };
    let state = made::state(english(), checked.clone());
    let bar = &state.labels.view.rule_bar;
    assert_eq!(
        bar.timing,
        "checked in 0.3 s on NVIDIA GeForce RTX 4070: 3.1 times as fast as the CPU"
    );
    assert!(
        bar.timing_tooltip.contains("(Vulkan)"),
        "{}",
        bar.timing_tooltip
    );

    checked.device.fell_back = Some(GpuError::TimedOut);
    let state = made::state(english(), checked);
    let bar = &state.labels.view.rule_bar;
    assert_eq!(
        bar.timing,
        "checked in 0.3 s on 2 CPU cores: the GPU failed, the CPU finished"
    );
    assert!(
        bar.timing_tooltip.contains("Nothing was lost"),
        "{}",
        bar.timing_tooltip
    );
}

#[test]
fn a_check_of_the_gpu_tells_how_far_it_is_and_can_be_stopped() {
    let mut state = shown();
    let jobs = state.handle(Command::CheckGpu);
    let (request, number) = check_of(&jobs);
    assert_eq!(number, None);
    assert!(state.handle(Command::CheckGpu).is_empty(), "one at a time");
    state.apply(Event::GpuCheckProgress(RequestId(9_999), 0.9));
    state.apply(Event::GpuCheckProgress(request, 0.25));
    let progress = state.gpus.checking.as_ref().unwrap().progress();
    assert_eq!(progress.read * 4, progress.total.unwrap());

    state.handle(Command::CancelJob);
    let Job::CheckGpu { cancel, .. } = &jobs[0] else {
        panic!();
    };
    assert!(cancel.load(Ordering::Relaxed));
    assert_eq!(state.gpus.checking.as_ref().unwrap().text, "Stopping…");
    let part = Health {
        cancelled: true,
        ..made::health()
    };
    state.apply(Event::GpuChecked(request, Ok(Box::new(part))));
    assert!(state.gpus.checking.is_none() && state.gpus.card.is_none());
    assert!(state.case.as_ref().unwrap().health.is_none());
    assert_eq!(state.message.text, "The check of the GPU was stopped");
}

#[test]
fn the_chosen_gpu_is_the_one_that_is_checked() {
    let mut state = listed();
    state.handle(Command::SetDevice(DeviceChoice::Gpu(Some(2))));
    let (_, number) = check_of(&state.handle(Command::CheckGpu));
    assert_eq!(number, Some(2));
}

#[test]
fn the_result_is_told_and_belongs_to_the_case() {
    let mut state = checked(Ok(made::health()));
    let card = state.gpus.card.clone().unwrap();
    assert_eq!(card.mark, Mark::Good);
    assert_eq!(
        card.headline,
        "The GPU computed correctly: 5 value types, 80,750,000 values, every answer equal to the CPU’s"
    );
    assert!(card.rows.is_empty());
    state.handle(Command::SetLanguage(Language::ZhCn));
    let told = &state.gpus.card.as_ref().unwrap().headline;
    assert!(told.starts_with("GPU 计算正确"), "{told}");
    state.handle(Command::PutGpuCheckAway);
    assert!(state.gpus.card.is_none());
    let kept = state.case.as_ref().unwrap().health.as_ref();
    assert_eq!(kept, Some(&made::health()));

    // A log that comes joins it.
    let jobs = state.handle(Command::Open(vec!["train.log".into()]));
    let never = AtomicBool::new(false);
    let log = case::open_stream(Origin::Pasted, &mut LOG.as_bytes(), &never);
    state.apply(Event::Opened(request_of(&jobs), Box::new(log)));
    let case = state.case.as_ref().unwrap();
    assert!(case.health.is_some() && !case.logs.is_empty());
    state.handle(Command::CloseCase);
    assert!(state.gpus.card.is_none());
}

#[test]
fn a_wrong_answer_is_no_small_matter_even_where_the_check_was_stopped() {
    let state = checked(Ok(Health {
        cancelled: true,
        ..made::wrong_health()
    }));
    let card = state.gpus.card.as_ref().unwrap();
    assert_eq!(card.mark, Mark::Error);
    assert_eq!(card.rows, ["int64, above: CPU 12, GPU 13"]);
}

#[test]
fn no_gpu_is_calmly_told() {
    let state = checked(Err(GpuError::NoGpu));
    let card = state.gpus.card.as_ref().unwrap();
    assert_eq!(
        (card.mark, card.headline.as_str()),
        (Mark::Note, "No GPU was found")
    );
    assert!(state.case.as_ref().unwrap().health.is_none());
    let mut software = made::health();
    software.gpu.kind = GpuKind::Software;
    let software = checked(Ok(software));
    assert_eq!(software.gpus.card.as_ref().unwrap().mark, Mark::Note);
    let broke = checked(Ok(Health {
        failed: Some(GpuError::TimedOut),
        ..made::health()
    }));
    assert_eq!(broke.gpus.card.as_ref().unwrap().mark, Mark::Warning);
}

#[test]
fn an_old_answer_is_dropped_and_a_fault_is_told() {
    let mut state = shown();
    let (request, _) = check_of(&state.handle(Command::CheckGpu));
    state.handle(Command::CloseCase);
    state.apply(Event::GpuChecked(request, Ok(Box::new(made::health()))));
    assert!(state.gpus.card.is_none());

    let mut state = shown();
    let (request, _) = check_of(&state.handle(Command::CheckGpu));
    state.apply(Event::JobFailed(request, "a fault".to_owned()));
    let card = state.gpus.card.as_ref().unwrap();
    assert!(
        card.headline.contains("fault of this program"),
        "{}",
        card.headline
    );
}
