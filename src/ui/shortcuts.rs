//! Keys, dropped files and pasted text: what the user can do anywhere in the window.

use eframe::egui;
use egui::{Event, Key, KeyboardShortcut, Modifiers, Ui, ViewportCommand};

use super::Commands;
use super::panels::{LogPanel, RunPanel};
use crate::app::{AppState, Command, LogStatus, Tab};

const OPEN: KeyboardShortcut = KeyboardShortcut::new(Modifiers::COMMAND, Key::O);
const SEARCH: KeyboardShortcut = KeyboardShortcut::new(Modifiers::COMMAND, Key::F);
const LOG: KeyboardShortcut = KeyboardShortcut::new(Modifiers::COMMAND, Key::Num1);
const LABELS: KeyboardShortcut = KeyboardShortcut::new(Modifiers::COMMAND, Key::Num2);
const EXPORT: KeyboardShortcut = KeyboardShortcut::new(Modifiers::COMMAND, Key::E);

/// Seconds after which a clipboard that was asked for has no text.
const PASTE_PATIENCE: f64 = 0.5;

/// A click on Paste that waits for the clipboard's text.
///
/// egui hands the clipboard over only as an event of a later frame, and not at all when there is no text in it.
#[derive(Debug, Default)]
pub struct PasteRequest {
    since: Option<f64>,
}

impl PasteRequest {
    /// Sends for the clipboard where that was asked for; says so when no text came.
    pub fn watch(&mut self, ui: &Ui, commands: &mut Commands) {
        if commands.read_clipboard {
            self.since = Some(ui.input(|input| input.time));
            ui.send_viewport_cmd(ViewportCommand::RequestPaste);
        }
        let Some(since) = self.since else { return };
        if ui.input(|input| input.time) - since > PASTE_PATIENCE {
            self.since = None;
            commands.push(Command::Paste(String::new()));
        } else {
            ui.request_repaint_after(std::time::Duration::from_millis(100));
        }
    }
}

/// Collects what was dropped, pasted and pressed in this frame.
pub fn collect(
    ui: &Ui,
    state: &AppState,
    (log, run): (&mut LogPanel, &mut RunPanel),
    paste: &mut PasteRequest,
    commands: &mut Commands,
) {
    let dropped = ui.input(|input| input.raw.dropped_files.clone());
    if !dropped.is_empty() {
        let mut paths: Vec<_> = dropped.iter().map(|file| file.path().to_owned()).collect();
        // A script that is dropped where one is asked for is the one to run.
        let asked_for = state.rerun.setup.is_some() && state.tab == Tab::Log && paths.len() == 1;
        let script = paths.pop_if(|path| {
            asked_for
                && path
                    .extension()
                    .is_some_and(|e| e.eq_ignore_ascii_case("py"))
        });
        commands.push(match script {
            Some(script) => Command::RunScript(script),
            None => Command::Open(paths),
        });
    }
    let typing = ui.text_edit_focused();
    if !typing {
        let pasted = ui.input(|input| {
            input.events.iter().find_map(|event| match event {
                Event::Paste(text) if !text.is_empty() => Some(text.clone()),
                _ => None,
            })
        });
        if let Some(text) = pasted {
            paste.since = None;
            commands.push(Command::Paste(text));
        }
    }
    if ui.input_mut(|input| input.consume_shortcut(&OPEN)) {
        commands.push(Command::ChooseFiles);
    }
    let in_front = ui.input(|input| input.focused);
    if in_front != state.is_in_front() {
        commands.push(Command::WindowInFront(in_front));
    }
    let pressed =
        |shortcut: &KeyboardShortcut| ui.input_mut(|input| input.consume_shortcut(shortcut));
    let ready = matches!(state.log, LogStatus::Ready { .. });
    let runs = state.rerun.setup.is_none() && state.run_in_front().is_some();
    if runs && pressed(&SEARCH) {
        commands.push(Command::ShowTab(Tab::Log));
        run.focus_search();
    } else if ready && pressed(&SEARCH) {
        commands.push(Command::ShowTab(Tab::Log));
        log.focus_search();
    }
    if state.has_content() {
        if pressed(&LOG) {
            commands.push(Command::ShowTab(Tab::Log));
            LogPanel::focus_rows(ui);
        }
        if pressed(&LABELS) {
            commands.push(Command::ShowTab(Tab::Labels));
        }
        let labels = &state.labels;
        let can_export =
            state.tab == Tab::Labels && labels.view.offenders.can_export && !labels.is_exporting();
        if can_export && pressed(&EXPORT) {
            commands.push(Command::ChooseExport);
        }
    }
    if ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::F5)) {
        commands.push(Command::Reload);
    }
    if !typing && ui.input(|input| input.key_pressed(Key::Escape)) {
        let works = state.labels.checking.is_some()
            || state.labels.is_exporting()
            || state.gpus.checking.is_some();
        if state.running.is_some() || works {
            commands.push(Command::CancelJob);
        } else if state.rerun.run.as_ref().is_some_and(|run| run.card.asks) {
            // Esc never stops a run; it answers the question with no.
            commands.push(Command::AskToStop(false));
        } else if state.rerun.setup.is_some() && state.tab == Tab::Log {
            commands.push(Command::LeaveRun);
        } else if !state.search.text.is_empty() {
            commands.push(Command::Search(String::new()));
        }
    }
}
