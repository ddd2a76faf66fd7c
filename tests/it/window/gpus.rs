//! Who checks, and the check of a GPU, as a screen reader and a mouse find them.

use assert_doctor::app::{AppState, Command, Event};
use assert_doctor::range_check::{DeviceChoice, DeviceUse, DeviceWhy, GpuError, Health, Rates};
use assert_doctor::settings::{Settings, ThemeChoice};
use assert_doctor::words::Language;

use eframe::egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;

use super::harness::{Window, click, mentions, says, settle, show};
use super::images::Images;
use crate::made;
use crate::program::english;

const LARGE: [f32; 2] = [1280.0, 820.0];

/// A window over a check that a GPU did, with that GPU being checked, or found to be so.
fn window(settings: Settings, result: Option<Result<Health, GpuError>>, size: [f32; 2]) -> Window {
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
    let mut state = made::state(settings, checked);
    let jobs = state.handle(Command::CheckGpu);
    let request = made::request_of(&jobs);
    match result {
        Some(result) => state.apply(Event::GpuChecked(request, result.map(Box::new))),
        None => state.apply(Event::GpuCheckProgress(request, 0.42)),
    };
    show(state, size)
}

fn chosen(window: &Window) -> DeviceChoice {
    let state: &AppState = window.state().state();
    state.case.as_ref().unwrap().options.device
}

#[test]
fn a_device_is_chosen_in_the_rule_bar() {
    let mut window = show(made::state(english(), made::checked()), LARGE);
    let list = window.get_by_role_and_label(Role::ComboBox, "Check on");
    list.click();
    settle(&mut window);
    click(&mut window, "CPU");
    assert_eq!(chosen(&window), DeviceChoice::Cpu);
}

#[test]
fn the_gpu_is_checked_and_the_result_put_away() {
    let mut window = window(english(), Some(Ok(made::health())), LARGE);
    let headline = "The GPU computed correctly: 5 value types, 80,750,000 values, every answer equal to the CPU’s";
    for text in [
        headline,
        "Check the GPU",
        "Check again",
        "checked in 0.3 s on NVIDIA GeForce RTX 4070: 3.1 times as fast as the CPU",
    ] {
        assert!(says(&window, text), "{text}");
    }
    click(&mut window, "Put this away");
    assert!(!says(&window, headline));
}

#[test]
fn what_differs_is_listed() {
    let window = window(english(), Some(Ok(made::wrong_health())), LARGE);
    assert!(says(&window, "int64, above: CPU 12, GPU 13"));
    assert!(mentions(&window, "a fault of this program"));
}

#[test]
fn a_check_that_runs_can_be_stopped() {
    let mut window = window(english(), None, LARGE);
    assert!(says(&window, "Checking the GPU with known values"));
    assert!(says(&window, "42 %"));
    click(&mut window, "Cancel");
    settle(&mut window);
    assert!(says(&window, "Stopping…"));
    assert!(!says(&window, "Cancel"));
}

#[test]
fn the_check_of_a_gpu_in_pictures() {
    let mut images = Images::default();
    let dark = Settings {
        theme: ThemeChoice::Dark,
        ..english()
    };
    let light = Settings {
        language: Some(Language::ZhCn),
        theme: ThemeChoice::Light,
        ..Settings::default()
    };
    let sound = window(dark.clone(), Some(Ok(made::health())), LARGE);
    images.look(sound, "gpu-sound-dark-en");
    let wrong = window(light, Some(Ok(made::wrong_health())), LARGE);
    images.look(wrong, "gpu-wrong-light-zh");
    let small = window(dark, None, [760.0, 560.0]);
    images.look(small, "gpu-checking-small");
}
