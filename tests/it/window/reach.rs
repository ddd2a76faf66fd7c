//! Everything can be reached with the Tab key, and has a name. (The harness itself fails on a control without one.)

use std::collections::BTreeSet;

use eframe::egui::Key;
use eframe::egui::accesskit::Role;
use egui_kittest::Node;
use egui_kittest::kittest::NodeT as _;

use super::harness::{Start, Window, fixture, settle, show, wait_for_log};
use crate::made;
use crate::program::english;

/// Names of all that can be clicked.
fn controls(window: &Window) -> BTreeSet<String> {
    window
        .root()
        .children_recursive()
        .filter_map(|node| {
            let node = node.accesskit_node();
            let control = matches!(
                node.role(),
                Role::Button | Role::Link | Role::TextInput | Role::DisclosureTriangle
            );
            (control && !node.is_disabled()).then(|| node.label().unwrap_or_default())
        })
        .collect()
}

fn focused(window: &Window) -> Option<String> {
    window
        .root()
        .children_recursive()
        .find(Node::is_focused)
        .and_then(|node| node.accesskit_node().label())
}

/// Presses Tab until all were reached; returns what was not.
fn unreachable(window: &mut Window) -> BTreeSet<String> {
    let mut left = controls(window);
    let presses = left.len() * 3 + 10;
    for _ in 0..presses {
        window.key_press(Key::Tab);
        settle(window);
        if let Some(name) = focused(window) {
            left.remove(&name);
        }
    }
    left
}

#[test]
fn every_control_is_reached_with_the_tab_key() {
    let mut start = Start::default().open();
    assert_eq!(unreachable(&mut start), BTreeSet::new(), "Start");

    let mut log = Start::with(fixture("001-windows-seg-nllloss2d.log")).open();
    wait_for_log(&mut log);
    assert_eq!(unreachable(&mut log), BTreeSet::new(), "Log");

    let state = made::state(english(), made::checked());
    let mut labels = show(state, [1280.0, 820.0]);
    assert_eq!(unreachable(&mut labels), BTreeSet::new(), "Labels");
}

#[test]
fn a_button_is_pressed_with_the_keyboard() {
    let mut window = Start::with(fixture("001-windows-seg-nllloss2d.log")).open();
    wait_for_log(&mut window);
    for _ in 0..60 {
        window.key_press(Key::Tab);
        settle(&mut window);
        if focused(&window).as_deref() == Some("How to find and fix it") {
            break;
        }
    }
    window.key_press(Key::Enter);
    settle(&mut window);
    assert!(window.state().state().details_open);
}
